#!/bin/sh
# SPDX-License-Identifier: ISC
#
# watch: whose death it hears, what goes then and what stays (rules W1, W2, F2).
# What the stream of events may do to it is in watch-stream.t.sh, signals and
# the service manager in watch-signals.t.sh, many of everything in
# watch-many.t.sh.

# shellcheck disable=SC2317 # functions are called by name

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/watch.sh
. "$TESTS_LIB/../cli/watch.sh"

# counts VERB N
# --- F2

world
owned a1
SANDKEEPER_ENABLED=false watch_start
watch_wait
is "$rc$out" 0 'F2: switched off it ends with 0'
check 'F2: and says READY first' wait_for told READY=1
calls_are '' 'F2: without a docker call'
check_not 'F2: and without a lock' test -e "$T/state/watch.lock"
sk watch now
is "$rc" 64 'watch: no arguments'
sk watch --timeout 5s
is "$rc" 64 'watch: it has no end of its own'

# --- W2: at the start

world 0
owned a1 dead
act kill roboco-agent-dead
watch_start
check 'W2: a full sweep at the start' wait_for gone "$(box dead)"
wait_for told READY=1
is "$(calls events | sed -e 's/--filter[= ]//g' -e "s/'//g")" \
    "events --format {{json .}} type=container event=start event=die \
event=destroy event=rename" 'W1: it listens to these four'
is "$(fake verbs | sort | tr '\n' ' ')" 'events inspect ps ps rm ' \
    'W2: and these are its calls'
watch_down
is "$rc" 0 'W4: it ends with 0'
is "$(jq -r '[.event,.container,.agent,.why,.until]|map(tostring)|join(" ")' \
    "$T/watch.out")" "removed $(box dead) dead owner-stopped 0" \
    '--json: what was removed, and why'

# one that dies when it was just seen alive
world 1
owned a1
fake fault ps.2 posthook="sleep 0.5; '$FAKE_DOCKER' fake-do kill roboco-agent-a1"
watch_start
check 'W2: what happens during a sweep is not missed' \
    wait_for heard owner-died roboco-agent-a1
check 'W2: and acted upon' wait_for gone "$(box a1)"
watch_down

# --- W1: a death, and a return

world 2
owned a1 a2 a3 other
watch_up
from=$(now)
act kill roboco-agent-a1 roboco-agent-a2
wait_for heard owner-died roboco-agent-a2
until=$(news owner-died roboco-agent-a1 | jq .until)
check "W1: a death starts the owner's grace" \
    test "$until" -ge $((from + 2)) -a "$until" -le $((from + 4))
calls_are '' 'W1: and asks docker nothing'
act start roboco-agent-a2
check 'W1: a start in time stops it' wait_for heard owner-back roboco-agent-a2
check 'W1: when it is over, the sandbox goes' wait_for gone "$(box a1)"
check 'W1: not before' test "$(now)" -ge "$until"
check 'W1: and within a second' test "$(now)" -le $((until + 1))
calls_are 'inspect rm' 'W1: by two calls, for it knows what there is'
settled
check 'W1: the sandbox of the one that came back stays' has_container "$(box a2)"
check_not 'W1: the entry of the dead is gone' has_entry a1
check 'W1: that of the living stays' has_entry a2

# removed: it dies and is destroyed, which is one death
fake reset-calls
act rm -f roboco-agent-a3
check 'W1: the sandbox of an owner that was removed goes' \
    wait_for gone "$(box a3)"
settled
is "$(news owner-died roboco-agent-a3 | wc -l)" 1 \
    'W1: death and destruction are one death'
calls_are 'inspect rm' 'W1: and one sweep'
is "$(history | jq -r '[.agent,.cause,.reason]|join(" ")')" \
    'a1 watch owner-stopped
a3 watch owner-absent' 'R8: each has its line in the history'
watch_down
is "$rc $left" '0 ' 'W4: it ends, and no child is left'

# restarted at once, again and again; and by the policy of docker
world 1
owned a1
watch_up
n=0
while [ $n -lt 5 ]; do
	n=$((n + 1))
	act restart roboco-agent-a1
done
settled
is "$(news owner-died roboco-agent-a1 | wc -l) $(news owner-back \
    roboco-agent-a1 | wc -l)" '5 5' 'W1: five restarts are heard'
calls_are '' 'W1: and make no call'
check 'W1: its sandbox stays' has_container "$(box a1)"
# docker says that it is restarting, when the time is over
act kill roboco-agent-a1
fake set roboco-agent-a1 state=restarting
check 'O1: one that restarts when its grace is over is looked at' \
    wait_for counts inspect 1
settled
check 'O1: and keeps its sandbox' has_container "$(box a1)"
watch_down

# --- W1: another container, and another name

world 1
owned a1 a2 a3
watch_up
act kill roboco-agent-a1
act rm roboco-agent-a1
agent a1 --id "$(id_of another)" --state created
act start roboco-agent-a1
check 'O1: an owner that was made anew under its name is back' \
    wait_for heard owner-back roboco-agent-a1
# renamed away: nobody has the name, and no entry has its id
act rename roboco-agent-a2 elsewhere
check 'W1: a rename is the end of the name' \
    wait_for heard owner-died roboco-agent-a2
check 'W1: its sandbox goes' wait_for gone "$(box a2)"
# there and back
act rename roboco-agent-a3 elsewhere-3
act rename elsewhere-3 roboco-agent-a3
check 'W1: who gets its name back is back' \
    wait_for heard owner-back roboco-agent-a3
settled
check 'W1: and keeps its sandbox' has_container "$(box a3)"
check 'O1: as does the one that was made anew' has_container "$(box a1)"
# a dead one under the name is no return
act kill roboco-agent-a3
act rm roboco-agent-a3
agent dead --state exited --finished "$OLD"
act rename roboco-agent-dead roboco-agent-a3
check 'W1: a dead container that gets the name does not keep it' \
    wait_for gone "$(box a3)"
watch_down

# renamed, and recorded by its id: it is the owner until it dies
world 1
owned a1
entry a1 "owner-id=$(id_of roboco-agent-a1)" pg
watch_up
act rename roboco-agent-a1 new-name
check 'O1: a renamed owner is looked at' wait_for counts inspect 1
settled
check 'O1: and lives, by its id' has_container "$(box a1)"
act kill new-name
check 'O1: its death is heard under the new name' wait_for gone "$(box a1)"
watch_down

# --- W1: whom it comes to know

world 1
watch_up
owned late
fake event "{\"Type\":\"container\",\"Action\":\"start\",\"Actor\":{\"ID\":\"$(
    id_of "$(box late)")\",\"Attributes\":{\"name\":\"$(box late)\",\"roboco.sandbox\":\"1\",\"roboco.sandbox.owner\":\"roboco-agent-late\"}}}"
act kill roboco-agent-late
check 'W1: the owner of a sandbox that came later is heard' \
    wait_for gone "$(box late)"
fake reset-calls
# not ours: nobody's owner, and another keeper's
agent stranger
act kill roboco-agent-stranger
agent theirs
foreign theirs pg --created "$(ago 100)"
fake event "{\"Type\":\"container\",\"Action\":\"start\",\"Actor\":{\"ID\":\"$(
    id_of "$(box theirs)")\",\"Attributes\":{\"name\":\"$(box theirs)\",\"roboco.sandbox\":\"1\",\"sandkeeper.keeper\":\"$OTHER\",\"sandkeeper.owner\":\"container:roboco-agent-theirs\"}}}"
act kill roboco-agent-theirs
settled
check_not "W1: a container that is nobody's owner is of no interest" \
    heard owner-died roboco-agent-stranger
check_not "K2: nor is the owner of another keeper's" \
    heard owner-died roboco-agent-theirs
calls_are '' 'W1: they cost no call'
watch_down

# --- the rules of sweep hold; leases

# leased SLUG SECONDS
leased()
{
	sandbox "$1" pg --label "sandkeeper.expires=$(($(now) + $2))"
	fake set "$(box "$1")" label.sandkeeper.owner=none
	fake unset "$(box "$1")" label.roboco.sandbox.owner
	entry "$1" owner=none "expires=$(($(now) + $2))" pg
}

# process SLUG PID [KEY=VALUE]: a sandbox whose owner is that process
process()
{
	process_text=pid:$(cat /etc/machine-id 2>/dev/null || :):$(cat \
	    /proc/sys/kernel/random/boot_id):$(readlink /proc/self/ns/pid |
	    tr -dc 0-9):$2:$(sed 's/.*) //' "/proc/$2/stat" | cut -d ' ' -f 20)
	sandbox "$1" pg
	fake set "$(box "$1")" "label.sandkeeper.owner=$process_text"
	fake unset "$(box "$1")" label.roboco.sandbox.owner
	entry "$1" "owner=$process_text" "expires=$(($(now) + 3600))" \
	    "${3:-hold=0}" pg
}

world 1
sleep 1000 &
first=$!
process p1 $first
owned young held
entry young "handed=$(($(now) - 176))" pg
entry held "hold=$(($(now) + 4))" pg
leased lease 2
watch_up
act rm -f roboco-agent-young roboco-agent-held
kill $first
wait $first || :
check 'issue 6: a lease is watched, too: its sandbox goes' \
    wait_for gone "$(box lease)"
# one that it only hears of
leased later 2
fake event "{\"Type\":\"container\",\"Action\":\"start\",\"Actor\":{\"ID\":\"$(
    id_of "$(box later)")\",\"Attributes\":{\"name\":\"$(box later)\",\"roboco.sandbox\":\"1\",\"sandkeeper.owner\":\"none\",\"sandkeeper.expires\":\"$(($(now) + 2))\"}}}"
check 'S5: what was younger than its grace goes at the end of it' \
    wait_for gone "$(box young)"
check 'S4: what was held goes at the end of the hold' wait_for gone "$(box held)"
check 'issue 6: so does what is leased, where it heard of that' \
    wait_for gone "$(box later)"
check 'issue 6: a process that owns a sandbox has ended: it goes' \
    wait_for gone "$(box p1)"
is "$(history | jq -r '[.agent,.reason]|join(" ")' | sort)" 'held owner-absent
later lease-over
lease lease-over
p1 owner-stopped
young owner-absent' 'R8: each for its own reason'
check 'issue 6: by few sweeps' test "$(fake count ps)" -le 12
watch_down

world 1
sleep 1000 &
first=$!
process p1 $first
watch_up
kill $first
wait $first || :
check 'issue 6: a process that owns a sandbox ends: it goes' \
    wait_for gone "$(box p1)"
calls_are 'ps inspect rm' 'issue 6: found without docker'
watch_down

# what keeps its sandbox all the same is not asked for again and again: in the
# five seconds after which a locked one is tried again, a dead process that owns
# a held one is looked at, and no sweep made
world 1
owned locked
sleep 1000 &
first=$!
process p1 $first "hold=$(($(now) + 3600))"
flock "$T/state/locks/locked" sh -c "touch '$T/has-lock'
    while [ ! -e '$T/unlock' ]; do sleep 0.02; done" &
wait_for test -e "$T/has-lock"
watch_up
kill $first
wait $first || :
act rm -f roboco-agent-locked
check 'S6: an agent that is locked when its owner'\''s grace is over' \
    wait_for counts inspect 1
settled
check 'S6: keeps its sandbox' has_container "$(box locked)"
touch "$T/unlock"
check 'S6: which goes soon after' wait_for -t 20 gone "$(box locked)"
calls_are 'inspect ps ps inspect rm' \
    'issue 6: nothing is polled, and no dead process that is held'
check 'S4: which stays' has_container "$(box p1)"
watch_down

# --- one watch, and sweeps beside it

world 1
owned a1
watch_up
sk watch
is "$rc" 75 'W2: one watch of a state directory: a second one is refused'
like "$err" 'the watch is locked by process [0-9]+' 'W2: it says by whom'
sk sweep
is "$rc" 0 'issue 6: a sweep beside it is safe'
like "$err" '1 kept' 'issue 6: and does its work'
# cron's sweep is at work, when the owner's grace is over
fake reset-calls
fake fault ps.1 hook="touch '$T/at-work'
    while [ ! -e '$T/go' ]; do sleep 0.02; done"
start "$SANDKEEPER" sweep
wait_for test -e "$T/at-work"
act rm -f roboco-agent-a1
wait_for heard owner-died roboco-agent-a1
ticks=$(ticks)
sleep 1.5
ticks=$(($(ticks) - ticks))
check 'S9: it waits for its turn' test "$ticks" -lt 20
touch "$T/go"
finish
check 'S9: and then takes what was due' wait_for gone "$(box a1)"
is "$rc" 0 'S9: the sweep was not disturbed'
watch_down
is "$rc" 0 'W4: the end'
check_not 'W2: no lock is left' test -e "$T/state/watch.lock"

done_testing
