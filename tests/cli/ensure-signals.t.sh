#!/bin/sh
# SPDX-License-Identifier: ISC
#
# ensure that is asked to end, at each of its docker calls: nothing is left, and
# the exit code tells the signal (rule E7; case 19 from the field).

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/ensure.sh
. "$TESTS_LIB/../cli/ensure.sh"

PG=roboco-sandbox-pg-a1

code_of()
{
	case $1 in
	HUP)	echo 129 ;;
	INT)	echo 130 ;;
	TERM)	echo 143 ;;
	esac
}

# has_open PATH: the program has got that far.
# shellcheck disable=SC2317 # wait_for calls it
has_open()
{
	find "/proc/$pid/fd" -lname "$1" 2>/dev/null | grep -q .
}

# interrupted SIGNAL DESC ARG...: SIGNAL arrives once $T/there is there.
interrupted()
{
	interrupted_signal=$1
	interrupted_desc="case 19: $1 $2"
	shift 2
	start "$SANDKEEPER" ensure a1 "$@"
	check "$interrupted_desc: gets there" wait_for test -e "$T/there"
	start_clock
	kill -s "$interrupted_signal" "$pid"
	finish
	stop_clock
	is "$rc" "$(code_of "$interrupted_signal")" "$interrupted_desc: code"
	like "$err" "ended by SIG$interrupted_signal\$" \
	    "$interrupted_desc: says so"
	check "$interrupted_desc: at once" within 1500
}

# Of a cold ensure with a pull and a feature every call, while it waits for
# its effect (delay) and when it has had it (after).
everything='--services postgres,redis --image redis=none:1 --feature postgres:vector'
for call in inspect.1 image pull run.1 run.2 exec.1 exec.3 inspect.2; do
	for signal in INT TERM HUP; do
		cold
		owner a1
		fake image roboco-sandbox-pg:latest \
		    '{"exec":[{"when":"psql","out":"vector\n"}]}'
		when=before
		words='hook delay'
		if [ $signal = HUP ]; then
			when=after
			words='posthook after'
		fi
		fake fault $call "${words% *}=touch '$T/there'" \
		    "${words#* }=20000"
		# shellcheck disable=SC2086 # words
		interrupted $signal "$when the effect of $call" $everything
		left_clean a1 roboco-agent-a1 "$signal $when $call"
	done
done

# The container appears when its client is dead, and we are about to leave.
for signal in INT TERM HUP; do
	cold
	owner a1
	fake fault run "hook=touch '$T/there'" late=600 hang=1
	interrupted $signal 'and the container appears later' --services postgres
	left_clean a1 roboco-agent-a1 "$signal, a container that comes late"
	like "$(history)" "\"$PG\".*\"rolled-back\"" \
	    "case 19: $signal: it did appear, and was removed"
done

# A second one does not keep it from cleaning up.
cold
owner a1
fake image postgres:16-alpine '{"ready_after_ms":-1}'
fake fault rm "hook=kill -s INT \$(cat '$T/pid'); kill -s TERM \$(cat '$T/pid')"
fake fault exec "hook=touch '$T/there'"
start "$SANDKEEPER" ensure a1 --services postgres
echo "$pid" >"$T/pid"
check 'E7: a second signal: gets there' wait_for test -e "$T/there"
kill -s TERM "$pid"
finish
is "$rc" 143 'E7: a second signal during the cleaning up: code'
left_clean a1 roboco-agent-a1 'a second signal during the cleaning up'

# While it probes from here.
cold
owner a1
fake image postgres:16-alpine '{"ready_after_ms":-1,"shell":false}'
fake fault exec.4 "hook=touch '$T/there'"
interrupted TERM 'while it polls' --services postgres
left_clean a1 roboco-agent-a1 'TERM while it polls'

# While it waits for the lock: its holder is not disturbed.
cold
owner a1
fake image postgres:16-alpine '{"ready_after_ms":3000}'
fake fault exec "hook=touch '$T/there'"
"$SANDKEEPER" ensure a1 --services postgres >/dev/null 2>&1 &
holder=$!
check 'case 19: the lock is held' wait_for test -e "$T/there"
start "$SANDKEEPER" ensure a1 --services postgres
check 'case 19: one waits for the lock' wait_for has_open "$T/state/locks"
kill -s TERM "$pid"
finish
is "$rc" 143 'case 19: TERM while it waits for the lock: code'
like "$err" 'ended by SIGTERM$' 'case 19: TERM while it waits: says so'
wait "$holder" && rc=0 || rc=$?
is "$rc $(fake count run)" '0 1' "case 19: the lock's holder succeeds"
containers_are "roboco-agent-a1 $PG" "case 19: and has its sandbox"

# Beside a service that lives: that one and the entry are as they were.
cold
owner a1
sk ensure a1 --services redis
was="$(boxes) $(cat "$(entry_path a1)")"
for call in run image inspect; do
	rm -f "$T/there"
	fake fault $call "posthook=touch '$T/there'" after=20000 times=1
	interrupted INT "at $call, beside a redis that lives" \
	    --services postgres
	is "$(boxes) $(cat "$(entry_path a1)")" "$was" \
	    "E7: INT at $call: container and entry as before"
	check "E7: INT at $call: the lock is free" unlocked a1
done

# What is to be replaced is either still there or replaced, never half.
rm -f "$T/there"
fake fault rm "posthook=touch '$T/there'" after=20000 times=1
interrupted TERM 'at the rm of what is replaced' --services redis --fresh
check 'E7: TERM at rm: the lock is free' unlocked a1
is "$(boxes)" '' 'E7: TERM at rm: the old one is gone, no new one'
sk ensure a1 --services redis
is "$rc $(boxes | wc -l)" '0 1' 'E2: and the next one makes it anew'

done_testing
