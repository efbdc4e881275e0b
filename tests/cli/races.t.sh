#!/bin/sh
# SPDX-License-Identifier: ISC
#
# ensure, release, remove and sweep of one agent at the same time: never success
# with a dead sandbox, and nothing is left in the end (rules E3, L2, S4, S6;
# cases 3, 12 and 26 from the field).

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/ensure.sh
. "$TESTS_LIB/../cli/ensure.sh"

# Forty; less where each start takes its time, as below valgrind.
if [ "$(start_ms)" -gt 300 ]; then
	ROUNDS=${ROUNDS:-5}
fi
ROUNDS=${ROUNDS:-40}
PG=roboco-sandbox-pg-a1

# background NAME ARG...: its output, stderr and status go to $T/NAME.*.
background()
{
	background_name=$1
	shift
	{
		"$SANDKEEPER" "$@" >"$T/$background_name.out" \
		    2>"$T/$background_name.err" && background_rc=0 ||
		    background_rc=$?
		echo "$background_rc" >"$T/$background_name.rc"
	} &
}

code()
{
	cat "$T/$1.rc"
}

# lives SLUG COUNT: its entry is ready, and all that it records runs.
lives()
{
	[ "$(entry_value "$1" - state)" = ready ] || return 1
	lives_count=0
	# shellcheck disable=SC2013 # an id is a word
	for lives_id in $(sed -n 's/^id=//p' "$(entry_path "$1")"); do
		[ "$(fake inspect "$lives_id" State.Status)" = running ] ||
		    return 1
		lives_count=$((lives_count + 1))
	done
	[ "$lives_count" = "$2" ]
}

# None of it, or all of it.
whole()
{
	if has_entry "$1"; then
		lives "$1" "$2"
	elif fake list -q | grep -q "^$BOX-.*-$1\$"; then
		return 1
	fi
}

# --- case 26: twenty at once

cold
owner a1
FAKE_DOCKER_PAUSE=20
export FAKE_DOCKER_PAUSE
i=0
while [ $i -lt 20 ]; do
	i=$((i + 1))
	background e$i ensure a1 --services postgres,redis --dotenv
done
wait
unset FAKE_DOCKER_PAUSE
is "$(cat "$T"/e*.rc | sort | uniq -c | tr -s ' ')" ' 20 0' \
    'case 26: twenty at once: every code'
is "$(calls run | grep -o -e '--name [^ ]*' | LC_ALL=C sort)" \
    "--name $PG
--name roboco-sandbox-redis-a1" 'case 26, E3: one run for each service'
is "$(md5sum "$T"/e*.out | cut -d' ' -f 1 | sort -u | wc -l)" 1 \
    'case 26, E3: twenty equal answers'
like "$(cat "$T/e1.out")" "^PGPASSWORD=$(password a1 postgres)\$" \
    'case 26: those on record'
check 'case 26: it lives' lives a1 2
check 'case 26: the lock is free' unlocked a1

# --- rounds of everything at once; nobody releases b1

cold
owner a1
owner b1
FAKE_DOCKER_PAUSE=8
export FAKE_DOCKER_PAUSE
round=0
bad=
while [ $round -lt "$ROUNDS" ]; do
	round=$((round + 1))
	background ea ensure a1 --services postgres,redis --json
	background eb ensure b1 --services redis --json
	background s1 sweep --grace 0 --strict --set owner-grace=0
	background ra release a1
	background s2 sweep --grace 0 --strict --set owner-grace=0
	background ea2 ensure a1 --services redis --json
	wait
	[ "$(code eb)" = 0 ] || bad="$bad $round:ensure-b1"
	lives b1 1 || bad="$bad $round:b1-is-dead"
	[ "$(code ra)" = 0 ] || bad="$bad $round:release"
	[ "$(code s1)$(code s2)" = 00 ] || bad="$bad $round:sweep"
	for name in ea ea2; do
		case $(code $name) in
		0)	;;
		75)	grep -q '"kind": "released"' "$T/$name.out" ||
			    bad="$bad $round:$name" ;;
		*)	bad="$bad $round:$name" ;;
		esac
	done
	whole a1 "$(sed -n '/^\[/p' "$(entry_path a1)" 2>/dev/null |
	    wc -l)" || bad="$bad $round:a1-is-half"
	if [ -n "$bad" ]; then
		cat "$T"/*.err
		break
	fi
	# Every third round begins with nothing.
	[ $((round % 3)) != 0 ] || "$SANDKEEPER" -q release a1 b1
done
unset FAKE_DOCKER_PAUSE
count "$round" 'rounds of races'
count "$(echo "$bad" | wc -w)" violations
is "$bad" '' "S6, E7: $ROUNDS rounds: never success with a dead sandbox"
sk release a1 b1
is "$rc" 0 'the rounds: a last release'
containers_are 'roboco-agent-a1 roboco-agent-b1' 'the rounds: nothing is left'
is "$(find "$T/state/agents" "$T/state/locks" -mindepth 1)" '' \
    'the rounds: no entry, mark or lock either'

# --- L2: a release while ensure is at work ends both

# Whether it waits in that call, or is between this step and the next.
for call in inspect.1 image pull run exec inspect.2; do
	cold
	owner a1
	fake fault $call "hook=touch '$T/there'" hang=1
	background e ensure a1 --services redis --image redis=none:1 --json
	check "L2: release at $call: gets there" wait_for test -e "$T/there"
	start_clock
	sk release a1
	wait
	stop_clock
	is "$rc" 0 "L2: release at $call: its code"
	is "$(code e) $(sed -n 's/.*"kind": "\(.*\)",/\1/p' "$T/e.out")" \
	    '75 released' "L2: release at $call: the code of ensure"
	check "L2: release at $call: both within 2 s" within 2000
	like "$(cat "$T/e.err")" \
	    'sandkeeper: a1: .*it was released while it was being made' \
	    "L2: release at $call: says why"
	left_clean a1 roboco-agent-a1 "release at $call"

	cold
	owner a1
	# The mark is there when the call has succeeded.
	fake fault $call "posthook=setsid '$SANDKEEPER' release a1 >/dev/null 2>&1 & until [ -e '$T/state/agents/.a1.release' ]; do sleep 0.01; done"
	sk --json ensure a1 --services redis --image redis=none:1
	is "$rc $(kind)" '75 released' "L2: released just after $call: code"
	check "L2: released just after $call: the release ends" \
	    wait_for unlocked a1
	left_clean a1 roboco-agent-a1 "released just after $call"
done

# The mark comes with the answer of the last call: the commit sees it.
cold
owner a1
fake fault inspect.2 "posthook=touch '$T/state/agents/.a1.release'"
sk --json ensure a1 --services redis
is "$rc $(kind)" '75 released' 'L2: released at the last moment: code'
containers_are roboco-agent-a1 'L2: released at the last moment: nothing stays'
check_not 'L2: released at the last moment: no entry' has_entry a1
fake fault inspect.2
sk ensure a1 --services redis
is "$rc" 0 'L2: a release that is over does not end the next ensure'
check 'L2: and its mark is gone' unlocked a1

# --- remove while ensure is at work

cold
owner a1
fake image postgres:16-alpine '{"ready_after_ms":-1}'
fake fault exec "hook=touch '$T/there'"
background e ensure a1 --services postgres --json
check 'R4: remove while ensure waits: gets there' wait_for test -e "$T/there"
start_clock
sk remove roboco-agent-a1
wait
stop_clock
is "$rc $(code e)" '0 75' 'R4: remove while ensure waits: codes'
check 'R4: remove while ensure waits: both within 2 s' within 2000
left_clean a1 '' 'remove while ensure waits'

# --- case 12: two releases and a remove at once

i=0
while [ $i -lt 5 ]; do
	i=$((i + 1))
	cold
	owner a1
	sk ensure a1 --services postgres,redis
	FAKE_DOCKER_PAUSE=10
	export FAKE_DOCKER_PAUSE
	background r1 release a1
	background r2 release a1
	background r3 remove roboco-agent-a1
	background s sweep --grace 0 --strict --set owner-grace=0
	wait
	unset FAKE_DOCKER_PAUSE
	is "$(code r1)$(code r2)$(code r3)$(code s)" 0000 \
	    "case 12, L3: two releases, a remove and a sweep at once: codes ($i)"
	left_clean a1 '' "case 12, two releases, a remove and a sweep ($i)"
done

# --- case 3: a sweep while the sandbox is half made

for how in delay after; do
	cold
	fake fault run "hook=touch '$T/there'" $how=2000
	background e ensure a1 --services postgres --network team
	check "case 3: $how: gets there" wait_for test -e "$T/there"
	sk sweep --grace 0 --strict --set owner-grace=0
	is "$rc" 0 "case 3: $how: the sweep's code"
	check_not "case 3: $how: it ends before the run does" test -e "$T/e.rc"
	owner a1
	wait
	is "$(code e)" 0 "case 3: $how: ensure succeeds"
	check "case 3: $how: and its sandbox lives" lives a1 1
done
# Listed when it was half made, committed when the sweep looks again.
cold
owner a1
fake fault exec "hook=touch '$T/there'; until [ -e '$T/listed' ]; do sleep 0.01; done"
background e ensure a1 --services postgres
check 'S6: listed half made: gets there' wait_for test -e "$T/there"
fake fault ps.1 "posthook=touch '$T/listed'; until [ -e '$T/e.rc' ]; do sleep 0.01; done"
sk sweep --grace 0 --strict --set owner-grace=0
wait
is "$rc $(code e)" '0 0' 'S6: listed half made: codes'
check 'S6: listed half made, committed meanwhile: it lives' lives a1 1

done_testing
