#!/bin/sh
# SPDX-License-Identifier: ISC
#
# sweep where docker's answers cannot be trusted: a listing or a second look
# that fails, hangs or cannot be read removes nothing and evicts nothing (rule
# S2); one that is short is caught by the second look (S6).

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"

# One orphan, one sandbox with a living owner, one entry without a container.
mixed()
{
	scene
	sweeps 1
	agent dev-1 --state exited --finished "$OLD"
	sandbox dev-1 pg
	entry dev-1 pg
	agent dev-2
	sandbox dev-2 pg
	entry dev-2 pg
	entry dev-3 pg
	SANDKEEPER_TIMEOUTS_PS=1s
	SANDKEEPER_TIMEOUTS_INSPECT=1s
	export SANDKEEPER_TIMEOUTS_PS SANDKEEPER_TIMEOUTS_INSPECT
	before=$(state)
}

# What docker answers to each of the three calls of a sweep.
mixed
sk sweep --dry-run
is "$(fake calls | wc -l)" 3 'three answers to be spoilt'
check 'a dry run changes nothing' same_state "$before"
# answer N: what the N-th call is told
answer()
{
	eval "fake do $(jq -r '.argv|@sh' "$FAKE_DOCKER_DIR/calls.log" |
	    sed -n "${1}p")" 2>"$T/complaint" || :
}
list_1=$(answer 1)
list_2=$(answer 2)
look=$(answer 3)
gone=err=$(sed 's/$/\\n/' "$T/complaint" | tr -d '\n')

# spoil CALL COMMAND: the answer to the call, through a filter
spoil()
{
	case $1 in
	ps.1)	spoil_text=$list_1 ;;
	ps.2)	spoil_text=$list_2 ;;
	*)	spoil_text=$look ;;
	esac
	printf '%s\n' "$spoil_text" | sh -c "$2" >"$T/spoilt" || :
	case $1 in
	ps.*)	fake fault "$1" outfile="$T/spoilt" rc=0 ;;
	*)	fake fault "$1" outfile="$T/spoilt" rc=1 "$gone" ;;
	esac
}

# ended_at CALL WHAT [CODE]: the pass ended there, and nothing is different; the
# exit code with --strict
ended_at()
{
	sk sweep
	is "$rc" 0 "S2: $1: $2: exit 0"
	like "$err" '^sandkeeper: warning: sweep: ' "S2: $1: $2: a warning"
	check "S2: $1: $2: nothing removed, nothing evicted" \
	    same_state "$before"
	case $1 in
	ps.1)	calls_are ps "S2: $1: $2: the pass ends" ;;
	ps.2)	calls_are 'ps ps' "S2: $1: $2: the pass ends" ;;
	*)	calls_are 'ps ps inspect' "S2: $1: $2: the pass ends" ;;
	esac
	[ $# = 3 ] || return 0
	fake reset-calls
	sk sweep --strict
	is "$rc" "$3" "S2: $1: $2: $3 with --strict"
	check "S2: $1: $2: nothing removed with --strict" \
	    same_state "$before"
}

for call in ps.1 ps.2 inspect.1; do
	mixed
	fake fault $call rc=1 out= 'err=something else\n'
	ended_at $call 'exit 1' 75
	mixed
	fake fault $call rc=1 'out=\n' 'err=error during connect: EOF\n'
	ended_at $call 'a daemon that hangs up' 69
	mixed
	fake fault $call hang=1
	ended_at $call hang
	mixed
	fake fault $call signal=KILL then=normal
	ended_at $call 'a signal after the answer'
	mixed
	fake fault $call rc=0 'out=what is this?\n'
	ended_at $call garbage
	mixed
	fake fault $call rc=0 bytes=10000000
	ended_at $call '10 MB of garbage'
	mixed
	spoil $call 'head -c -9'
	ended_at $call 'half a line'
	mixed
	spoil $call 'head -c -1'
	ended_at $call 'a line without its end'
	mixed
	spoil $call 'cat; printf "{}\n"'
	ended_at $call 'a row without anything'
	mixed
	spoil $call 'sed "s/\"id\":\"..../\"id\":\"/"'
	ended_at $call 'short ids'
done
for call in ps.1 ps.2; do
	mixed
	spoil $call 'sed "1s/^/\n/"'
	ended_at $call 'a blank line'
	mixed
	spoil $call 'echo'
	ended_at $call 'a blank line alone'
	mixed
	fake fault $call rc=1 out= err=
	ended_at $call 'exit 1 without a word'
done

# --- the second look is as strict about what it does not tell

mixed
spoil inspect.1 cat
sk sweep
is "$(printf '%s\n' "$err" | tail -n 1)" \
    'sandkeeper: swept: 2 found, 1 removed, 1 kept, 0 failed' \
    'S6: unspoilt, the answer removes the orphan'

mixed
fake fault inspect.1 rc=0 'out=\n' err=
ended_at inspect.1 'no answer to any question'
mixed
spoil inspect.1 'grep -v /roboco-sandbox-pg-dev-1'
ended_at inspect.1 'a candidate that is neither there nor gone'
mixed
spoil inspect.1 'grep -v /roboco-agent-dev-1'
ended_at inspect.1 'an owner that is neither there nor gone'

# --- a short list looks like one: a full disk ends docker's output silently

mixed
spoil ps.2 :
sk sweep --strict
is "$rc" 0 'S6: the list of owners is empty, and docker says success'
check 'S6: the sandbox of a living owner stays' \
    has_container roboco-sandbox-pg-dev-2
check 'S6: so does its entry' has_entry dev-2
check_not 'S6: the orphan is found by the second look' \
    has_container roboco-sandbox-pg-dev-1

mixed
spoil ps.1 'grep -v pg-dev-2'
sk sweep
is "$rc" 0 'S6: the list of sandboxes is short'
check 'S6: a sandbox that is not listed stays' \
    has_container roboco-sandbox-pg-dev-2
check 'S8: and its entry' has_entry dev-2

# Its owner is gone, too: that the list is short does not evict its entry.
mixed
sandbox dev-4 pg
entry dev-4 pg
spoil ps.1 'cat'
sk sweep
check 'S8: an entry stays whose container is there, listed or not' \
    has_entry dev-4
check 'S8: with the container' has_container roboco-sandbox-pg-dev-4

# --- out of reach as a whole

for down in '1 0 69' 'permission 77 77' '500 0 69'; do
	mixed
	FAKE_DOCKER_DOWN=${down%% *} sk sweep
	plain=${down#* }
	is "$rc" "${plain% *}" \
	    "S2: the daemon does not answer (${down%% *}): exit ${plain% *}"
	check 'S2: nothing changed' same_state "$before"
	FAKE_DOCKER_DOWN=${down%% *} sk sweep --strict
	is "$rc" "${down##* }" "S2: ${down##* } with --strict"
done
mixed
SANDKEEPER_DOCKER=/nowhere/docker sk sweep
is "$rc" 0 'S2: docker is not installed: exit 0'
like "$err" 'warning: sweep: .*/nowhere/docker' 'S2: a warning'
SANDKEEPER_DOCKER=/nowhere/docker sk sweep --strict
is "$rc" 69 'S2: 69 with --strict'
check 'S2: nothing changed' same_state "$before"

# --- what keeps its code: settings, usage, unsafe state

mixed
sk sweep --set grace=never
is "$rc" 78 'settings keep their code'
sk sweep --no-such-option
is "$rc" 64 'usage keeps its code'
chmod 770 "$T/state"
sk sweep
is "$rc" 77 'unsafe state keeps its code'

done_testing
