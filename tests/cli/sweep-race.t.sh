#!/bin/sh
# SPDX-License-Identifier: ISC
#
# sweep while the world moves: owners that come back, agents that are at work,
# successors under one name (rules S5 and S6, cases 3 and 6).

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"

box=roboco-sandbox-pg-dev-1
D="'$FAKE_DOCKER'"

# A recorded sandbox, its owner ended long ago (or not there at all).
orphan()
{
	scene
	[ "${1:-}" = absent ] ||
	    agent dev-1 --state exited --finished "$OLD"
	sandbox dev-1 pg
	entry dev-1 pg
}

# The time of the n-th call, in milliseconds.
time_of()
{
	jq -r .ms "$FAKE_DOCKER_DIR/calls.log" | sed -n "${1}p"
}

# shellcheck disable=SC2317 # wait_for calls it
sweep_is_at()
{
	[ "$(fake count "$1")" -ge "$2" ]
}

# --- case 6: the owner comes back between the listing and the removal

# Two hundred in scripts/check; make stress sets more.
if [ "${FAULT_BUDGET:-}" = check ]; then
	ROUNDS=${ROUNDS:-200}
fi
ROUNDS=${ROUNDS:-30}
round=0
kept=0
while [ $round -lt "$ROUNDS" ]; do
	round=$((round + 1))
	orphan
	case $((round % 3)) in
	0)	fake fault ps.2 \
		    posthook="$D fake-set $AGENT-dev-1 state=running" ;;
	1)	fake fault inspect.1 \
		    hook="$D fake-set $AGENT-dev-1 state=restarting" ;;
	2)	"$FAKE_DOCKER" fake-do rm "$AGENT-dev-1" >/dev/null
		sweeps 0
		fake fault inspect.1 hook="$D fake-container $AGENT-dev-1" ;;
	esac
	"$SANDKEEPER" sweep -q --strict && has_container $box &&
	    has_entry dev-1 && [ "$(fake count rm)" = 0 ] && kept=$((kept + 1))
done
count "$ROUNDS" 'rounds of races'
count $((ROUNDS - kept)) violations
is "$kept" "$ROUNDS" \
    'S6, case 6: the owner comes back after the listing: kept each time'

# --- S5: an owner that is not there may be on its way back

orphan absent
sweeps 2
start "$SANDKEEPER" sweep
wait_for sweep_is_at ps 2
agent dev-1
finish
is "$rc" 0 'S5: the owner is not there'
like "$err" 'looking again in 2s' 'S5: the sweep waits, and says so'
check 'S5: it came back: its sandbox stays' has_container $box
calls_are 'ps ps inspect' 'S5: nothing is removed'
check 'S5: the second look comes owner-grace after the first' \
    test $(($(time_of 3) - $(time_of 2))) -ge 2000

orphan absent
sweeps 1
sk sweep
is "$rc" 0 'S5: the owner does not come back'
check_not 'S5: its sandbox goes' has_container $box
check_not 'S8: and its entry' has_entry dev-1

# The others are not kept waiting, and what is alive is not looked at.
orphan absent
agent dev-2 --state exited --finished "$OLD"
sandbox dev-2 pg
entry dev-2 pg
sweeps 3
start "$SANDKEEPER" sweep
wait_for sweep_is_at rm 1
check 'S5: those whose owner has ended go at once' has_container $box
finish
containers_are "$AGENT-dev-2" 'S5: the others after the wait'
calls_are 'ps ps inspect rm inspect rm' 'S5: in a second look of their own'

orphan absent
sweeps 60
start "$SANDKEEPER" sweep
wait_for sweep_is_at ps 2
wait_for grep -q looking "$err_file"
kill -TERM "$pid"
finish
is "$rc" 143 'SIGTERM ends the wait'
check 'nothing is removed' has_container $box
is "$(find "$T/state" -name '*.lock' -o -path '*/locks/*')" '' 'no lock is left'

orphan absent
sweeps 60
start_s=$(now)
sk sweep --timeout 1s --strict
is "$rc" 75 '--timeout holds for the wait, too'
check 'and it ended then' test $(($(now) - start_s)) -lt 20
check 'nothing is removed' has_container $box

# An owner that vanishes after it was listed gets its grace from then on.
orphan
agent dev-2 --state exited --finished "$OLD"
fake fault ps.2 posthook="$D fake-do rm $AGENT-dev-1"
sk sweep
is "$rc" 0 'S5: an owner that goes between the two looks'
check 'S5: may be on its way back: kept this time' has_container $box
sweeps 1
sk sweep
check_not 'S5: and gone the next time' has_container $box

# --- S6: the entry is read again

orphan
fake fault ps.2 \
    posthook="sed -i s/^handed=.*/handed=$(now)/ '$T/state/agents/dev-1'"
sk sweep
is "$rc" 0 'S6: handed over after the listing'
check 'S6: young again: kept' has_container $box
check 'S6: with its entry' has_entry dev-1

orphan
fake fault ps.2 posthook="sed -i s/^hold=.*/hold=$(($(now) + 60))/ '$T/state/agents/dev-1'"
sk sweep
check 'S6: held after the listing: kept' has_container $box

scene
agent dev-1
sandbox dev-1 pg
fake fault ps.2 posthook="cp '$T/late' '$T/state/agents/dev-1'"
entry dev-1 pg
mv "$T/state/agents/dev-1" "$T/late"
sk sweep
check 'S6: recorded after the listing: kept' has_container $box

# --- S6: a successor under the same name

orphan
fake fault rm.1 hook="$D fake-do rm -f $box; $D fake-container $box"
sk sweep
is "$rc" 0 'S6: the name has a new bearer when rm comes'
check 'S6: which is not hit' has_container $box
isnt "$(fake inspect $box Id)" "$(id_of $box)" 'S6: it is the new one'

orphan
fake fault inspect.1 hook="$D fake-do rm -f $box; $D fake-container $box"
sk sweep
check 'S6: the name has a new bearer at the second look: not hit' \
    has_container $box
calls_are 'ps ps inspect' 'S6: there is nothing to remove'

# What it is called by then decides: it is found by its id.
orphan
fake fault inspect.1 hook="$D fake-do rename $box kept-by-hand"
sk sweep
check 'K4, S6: another name at the second look: not ours to touch' \
    has_container kept-by-hand
check 'T5: its entry, which records it, stays' has_entry dev-1
calls_are 'ps ps inspect' 'K4, S6: it is not removed'

# --- S6: locks are tried, never waited for

orphan
agent dev-2 --state exited --finished "$OLD"
sandbox dev-2 pg
entry dev-2 pg
entry dev-3 pg
start flock "$T/state/locks/dev-1" flock "$T/state/locks/dev-3" sh -c \
    ": >'$T/locked'; while [ ! -e '$T/done' ]; do sleep 0.02; done"
holder=$pid
wait_for test -e "$T/locked"
before=$(find "$T/state/agents" -name 'dev-[13]' -printf '%p %i %T@\n')
run "$SANDKEEPER" sweep --explain --strict
is "$rc" 0 'S6: two agents are locked'
check 'S6: a locked agent is skipped' has_container $box
is "$(find "$T/state/agents" -name 'dev-[13]' -printf '%p %i %T@\n')" \
    "$before" 'S6: its entry is not touched, nor is that of the other one'
like "$out" "^$box +kept .*being worked on" 'S6: and that is why'
check_not 'S6: others are swept meanwhile' \
    has_container roboco-sandbox-pg-dev-2
: >"$T/done"
wait "$holder" || :
sk sweep
check_not 'S6: the next sweep has it' has_container $box

# A crash during provisioning is told from provisioning by the lock.
scene
agent dev-1
sandbox dev-1 pg
entry dev-1 state=provisioning pg
start flock "$T/state/locks/dev-1" sh -c \
    ": >'$T/locked'; while [ ! -e '$T/done' ]; do sleep 0.02; done"
holder=$pid
wait_for test -e "$T/locked"
run "$SANDKEEPER" sweep --grace 0
check 'S4: provisioning under a lock: kept' has_container $box
: >"$T/done"
wait "$holder" || :
sk sweep --grace 0
check_not 'S4: provisioning and nobody at work: removed' has_container $box
check 'S4: its owner lives and stays' has_container "$AGENT-dev-1"

# --- T4: somebody else removes it at the same moment

orphan
fake fault rm.1 rc=1 posthook="$D fake-do rm -f $box" \
    'err=Error response from daemon: removal of container x is already in progress\n'
sk sweep --strict
is "$rc" 0 'T4: removed by somebody else meanwhile'
check_not 'T5: its entry is gone' has_entry dev-1
orphan
fake fault ps.2 posthook="$D fake-do rm -f $box"
sk sweep --strict
is "$rc" 0 'gone before the second look'
calls_are 'ps ps inspect' 'is not removed again'
check_not 'S8: its entry is gone' has_entry dev-1

done_testing
