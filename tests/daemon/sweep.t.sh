#!/bin/sh
# SPDX-License-Identifier: ISC
#
# The janitor among real containers: what it takes, in whatever state that is,
# and what it must leave alone.

# shellcheck disable=SC2317 # functions are called by name

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/lib/daemon.sh
. "$TESTS_LIB/daemon.sh"

net=sk-sweep-$$

nap()
{
	sandbox_of nap "$1"
}

# made_agents SLUG...: agents with a sandbox each
made_agents()
{
	made=
	for slug; do
		{
			agent "$slug" --network "$net" &&
			    "$SANDKEEPER" ensure "$slug" --services nap
		} >/dev/null &
		made="$made $!"
	done
	for job in $made; do
		wait "$job"
	done
}

# foreign NAME OWNER ARG...: a labelled container that no keeper made, as the
# orchestrator's are; made by "docker VERB", run -d where the environment says
# nothing else
by='run -d'
foreign()
{
	name=$1
	owner=$2
	shift 2
	# shellcheck disable=SC2086 # words
	dk $by --name "$name" --label "sandkeeper-test=$T" \
	    --label roboco.sandbox=1 --label "roboco.sandbox.owner=$owner" \
	    --network "$net" "$@" >/dev/null
}

# gone_or_kept IS NAME...
all()
{
	what=$1
	shift
	for name; do
		"$what" "$name" || return 1
	done
}

exists()
{
	! is_gone "$1"
}

daemon_world
make_network "$net"

# --- who is an orphan, and who is not

made_agents living paused killed killed-2 restarting dead dead-again
dk pause roboco-agent-paused >/dev/null
dk kill roboco-agent-killed roboco-agent-killed-2 roboco-agent-dead >/dev/null
# an owner that is between two of its restarts
dk rm -f roboco-agent-restarting >/dev/null
dk run -d --name roboco-agent-restarting --label "sandkeeper-test=$T" \
    --restart always busybox:test false >/dev/null

# a look-alike: the name of a sandbox's container, and no label
dk run -d --name roboco-sandbox-nap-nobody --label "sandkeeper-test=$T" \
    busybox:test sleep 86400 >/dev/null
# an image that was committed from a sandbox inherits its labels
dk commit --change "LABEL sandkeeper-test=$T" "$(nap killed)" \
    "committed-$$:test" >/dev/null
dk run -d --name my-own-database "committed-$$:test" sleep 86400 >/dev/null
dk run -d --name "$(nap other)" "committed-$$:test" sleep 86400 >/dev/null
# owners whose names contain an agent's that is dead, or the other way round
foreign roboco-sandbox-nap-dead-1 my-roboco-agent-dead-1 \
    busybox:test sleep 86400
dk run -d --name x-roboco-agent-dead --label "sandkeeper-test=$T" \
    busybox:test sleep 86400 >/dev/null
agent dea
# another keeper's
SANDKEEPER_STATE_DIR=$T/state2 made_agents theirs
dk kill roboco-agent-theirs >/dev/null
# its label is there with another value
dk run -d --name "$(nap zero)" --label "sandkeeper-test=$T" \
    --label roboco.sandbox=0 --label roboco.sandbox.owner=roboco-agent-zero \
    busybox:test sleep 86400 >/dev/null
volumes_before=$(volumes)

sk sweep --dry-run --set grace=0 --set owner-grace=0
is "$rc" 0 'sweep --dry-run'
check 'sweep --dry-run: nothing goes' \
    all exists "$(nap killed)" "$(nap killed-2)" "$(nap dead)"

# what is freshly started is so by the grace, which must not be 0 for it
sk sweep --set grace=1h --set owner-grace=0
check 'S5: what is younger than the grace stays' \
    all is_up "$(nap killed)" "$(nap killed-2)" "$(nap dead)"

forget_calls
sk sweep --grace 0 --set foreign-grace=24h
is "$rc" 0 'S4: sweep'
check 'S4: sandboxes of agents that were killed go' \
    all is_gone "$(nap killed)" "$(nap killed-2)" "$(nap dead)"
check 'S8: and their entries' sh -c "! ls '$SANDKEEPER_STATE_DIR'/daemons/*/agents |
	grep -qx -e killed -e killed-2 -e dead"
check 'O1: that of a living agent stays' is_up "$(nap living)"
check 'O1: that of a paused agent stays' is_up "$(nap paused)"
check 'O1: that of a restarting agent stays' is_up "$(nap restarting)"
check 'O1: one whose name is longer than that of a dead one stays' \
    is_up "$(nap dead-again)"
check 'S4: but the entry of the living' has_entry living
check 'K4: a look-alike without the label stays' \
    is_up roboco-sandbox-nap-nobody
check 'K4: one whose label has another value stays' is_up "$(nap zero)"
check 'K4: what an image inherited labels for stays' is_up my-own-database
check 'K4: even under the name of a sandbox' is_up "$(nap other)"
check "K4: an owner's name is matched whole" is_up roboco-sandbox-nap-dead-1
check "K2: another keeper's stays" is_up "$(nap theirs)"
like "$err" 'swept: [0-9]+ found, 3 removed, [0-9]+ kept, 0 failed' \
    'S10: the last line sums up'
is "$(volumes)" "$volumes_before" 'T3: no volume is left'

sk sweep --explain --json --grace 0
theirs=$(cat "$T/state2/keeper")
like "$out" "\"keeper\": \"$theirs\"" "K2: another keeper's id is told"

# a created owner is alive for as long as the grace
would_go()
{
	"$SANDKEEPER" sweep --dry-run --set grace=3s --set owner-grace=0 \
	    2>/dev/null | grep -q "^$1 .*would"
}
made_agents fresh
dk rm -f roboco-agent-fresh >/dev/null
check 'S5: past the grace, a sandbox without its agent would go' \
    wait_for would_go "$(nap fresh)"
dk create --name roboco-agent-fresh --label "sandkeeper-test=$T" \
    busybox:test sleep 86400 >/dev/null
sk sweep --set grace=3s --set owner-grace=0
check 'O1: but that of a freshly created agent stays' is_up "$(nap fresh)"
wait_for would_go "$(nap fresh)"
sk sweep --set grace=3s --set owner-grace=0
check 'O1: until the grace is over, and the agent was never started' \
    is_gone "$(nap fresh)"

# another keeper's is judged by its labels, once it is old enough
sk sweep --grace 0 --set foreign-grace=1s
check "K2: another keeper's goes once it is older than foreign-grace" \
    is_gone "$(nap theirs)"
check 'K2: and nothing else of theirs' [ -f \
    "$(echo "$T"/state2/daemons/*/agents/theirs)" ]

# --- orphans in every state

daemon_world
make_network "$net"
foreign roboco-sandbox-nap-s1 roboco-agent-s1 busybox:test sleep 86400
foreign roboco-sandbox-pg-s2 roboco-agent-s2 busybox:test true
foreign roboco-sandbox-pg-s3 roboco-agent-s3 busybox:test sleep 86400
dk pause roboco-sandbox-pg-s3 >/dev/null
by='create' foreign roboco-sandbox-redis-s4 roboco-agent-s4 busybox:test true
foreign roboco-sandbox-redis-s5 roboco-agent-s5 --restart always \
    busybox:test false
foreign roboco-sandbox-mongo-s6 roboco-agent-s6 --restart always \
    busybox:test sleep 86400
foreign roboco-sandbox-gone-s7 roboco-agent-s7 busybox:test sleep 86400
foreign roboco-sandbox-pg-s8 roboco-agent-s8 --network none \
    nowhere:test 2>/dev/null || :
foreign roboco-sandbox-pg-s9 roboco-agent-s9 --tmpfs /x:size=nonsense \
    busybox:test true 2>/dev/null || :
foreign roboco-sandbox-nap-a1 roboco-agent-a1 -v /data busybox:test sleep 86400
sandboxes='roboco-sandbox-nap-s1 roboco-sandbox-pg-s2 roboco-sandbox-pg-s3
    roboco-sandbox-redis-s4 roboco-sandbox-redis-s5 roboco-sandbox-mongo-s6
    roboco-sandbox-gone-s7 roboco-sandbox-nap-a1'
has_restarted()
{
	dk inspect --format '{{.RestartCount}}' roboco-sandbox-redis-s5 |
	    grep -q '[3-9]'
}
wait_for has_restarted
states=
for name in $sandboxes; do
	states="$states $(state_of "$name")"
done
note "states:$states"

# A file that cannot be deleted makes one that cannot be removed.
stuck=roboco-sandbox-nap-stuck
foreign "$stuck" roboco-agent-stuck busybox:test \
    sh -c 'echo >/immovable; exec sleep 86400'
layer=$(dk inspect --format '{{.GraphDriver.Data.UpperDir}}' "$stuck")
wait_for [ -e "$layer/immovable" ]
chattr +i "$layer/immovable" 2>/dev/null && immovable=true || immovable=false
check 'a file that cannot be deleted can be made here' "$immovable"

volumes_before=$(volumes)
sk sweep --grace 0 --set timeouts.rm=5s
is "$rc" 0 'S7: sweep, with one that cannot be removed'
# shellcheck disable=SC2086 # words
check 'S7: orphans go in whatever state they are' all is_gone $sandboxes
check 'S7: one that never started goes' is_gone roboco-sandbox-pg-s9
is "$(volumes)" "$((volumes_before - 1))" 'T3: with their anonymous volumes'
if client_is podman; then
	check 'S7: podman removes it, and leaves the file' is_gone "$stuck"
	like "$err" "stuck: removed $stuck: " 'S10: and that is told'
else
	check 'S7: one that cannot be removed is tried, and keeps no other' \
	    exists "$stuck"
	like "$err" "stuck: $stuck stays, and the next sweep tries again" \
	    'T4: it is reported'
	like "$err" ' 1 failed$' 'S10: and counted'
	is "$(state_of "$stuck")" dead 'it is dead now'
	sk sweep --grace 0 --set timeouts.rm=5s --strict
	is "$rc" 75 'T4: a strict sweep says so by its exit code'
fi
chattr -i "$layer/immovable"
sk sweep --grace 0 --strict
is "$rc" 0 'T4: once it can be removed'
check 'T4: the next sweep removes it' is_gone "$stuck"

# one that is kept alive by docker stays gone
check 'S7: restart=always does not bring it back' \
    is_gone roboco-sandbox-mongo-s6

# --- the owner's grace

made_agents back
dk rm -f roboco-agent-back >/dev/null
first=$(id_of "$(nap back)")
start "$SANDKEEPER" sweep --set grace=0 --set owner-grace=4s
check 'S5: an owner that is not there gets a second look' \
    wait_for grep -q 'looking again in 4s' "$err_file"
agent back --network "$net"
finish
is "$rc $(id_of "$(nap back)")" "0 $first" \
    'S5: an agent that came back under its name keeps its sandbox'
sk ensure back --services nap
like "$out" 'as it was' 'S5: and its entry'

# stopped, and younger than the grace
dk kill roboco-agent-back >/dev/null
sk sweep --set grace=0 --set owner-grace=1h
check 'S5: an owner that has just exited keeps its sandbox' is_up "$(nap back)"
dk start roboco-agent-back >/dev/null
sk sweep --grace 0
check 'O1: one that was started again, too' is_up "$(nap back)"
dk rm -f roboco-agent-back >/dev/null
sk sweep --set grace=0 --set owner-grace=1s
check 'S5: when the grace is over it goes' is_gone "$(nap back)"

# --- what changes between the two looks

slugs='f1 f2 f3 f4 f5'
# shellcheck disable=SC2086 # words
made_agents $slugs
# shellcheck disable=SC2086
owners=$(printf 'roboco-agent-%s ' $slugs)
kept=0
flips=0
for verb in inspect ps inspect ps; do
	# shellcheck disable=SC2086
	dk kill $owners >/dev/null
	# the listing lags behind
	ps_knows()
	{
		[ "$(dk ps -q --filter name=^roboco-agent-f | wc -l)" = 0 ]
	}
	wait_for ps_knows
	if [ "$verb" = inspect ]; then
		hook inspect "'$D' start $owners >/dev/null"
	else
		# after the sandboxes were listed, before the owners are
		hook ps "echo \"'$D' start $owners >/dev/null\" >'$T/hook.ps'"
	fi
	"$SANDKEEPER" sweep --grace 0 >/dev/null 2>&1
	for slug in $slugs; do
		flips=$((flips + 1))
		! is_up "$(nap "$slug")" || kept=$((kept + 1))
	done
done
is "$kept" "$flips" 'S6: an owner that starts between two looks keeps its sandbox'

# steal NAME: shell words that put a stranger under that name
steal()
{
	printf "'%s' rm -f %s >/dev/null; '%s' run -d --name %s --label %s %s" \
	    "$D" "$1" "$D" "$1" "sandkeeper-test=$T" \
	    'busybox:test sleep 86400 >/dev/null'
}
dk kill roboco-agent-f1 roboco-agent-f3 >/dev/null
hook inspect "$(steal "$(nap f1)")"
sk sweep --grace 0
check "S6: a stranger that took an orphan's name is not hit" is_up "$(nap f1)"
check 'S6: the other orphan goes' is_gone "$(nap f3)"
dk kill roboco-agent-f2 >/dev/null
hook rm "$(steal "$(nap f2)")"
sk sweep --grace 0
check 'S6: not even when it came just before the removal' is_up "$(nap f2)"

# --- two sweeps, and no flag

made_agents last
dk kill roboco-agent-last >/dev/null
hook inspect "touch '$T/looking'
while [ ! -e '$T/go-on' ]; do sleep 0.02; done"
start "$SANDKEEPER" sweep --grace 0
wait_for [ -e "$T/looking" ]
run "$SANDKEEPER" sweep --grace 0
is "$rc" 0 'S9: one sweep at a time'
touch "$T/go-on"
finish
check 'S9: the first one goes on' is_gone "$(nap last)"
made_agents last-2
dk kill roboco-agent-last-2 >/dev/null
forget_calls
sk sweep --grace 0 --set enabled=false
is "$rc $(verbs)" '0 ' 'F2: with the flag off nothing is asked or done'
check 'F2: the orphan stays' is_up "$(nap last-2)"
sk sweep --drain --yes --set enabled=false
check 'F2: but --drain works' is_gone "$(nap last-2)"

done_testing
