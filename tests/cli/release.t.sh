#!/bin/sh
# SPDX-License-Identifier: ISC
#
# release: an instant answer where there is nothing, else the teardown of one
# agent's sandbox (rules L1 to L5, T2, T3, K2 to K4).  What goes wrong on the
# way is in release-fault.t.sh.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"

# dev-1 with two services, dev-2 and dev-10 beside it; no owner is there.
pair()
{
	scene
	sandbox dev-1 pg
	sandbox dev-1 redis
	entry dev-1 pg redis
	sandbox dev-10 pg
	entry dev-10 pg
}

other=roboco-sandbox-pg-dev-10
p=$(id_of roboco-sandbox-pg-dev-1)
r=$(id_of roboco-sandbox-redis-dev-1)

# --- L1

scene
rm -r "$T/state"
sk release dev-1
is "$rc$out$err" 0 'L1: no entry: exit 0'
calls_are '' 'L1: no docker call'
check_not 'L1: no file and no directory' test -e "$T/state"

scene
before=$(state)
echo 'enabled = = "' >"$T/bad.conf"
SANDKEEPER_GRACE=rubbish SANDKEEPER_DOCKER=/nowhere/docker \
    sk -c "$T/bad.conf" release dev-1
is "$rc$err" 0 'L1: settings and docker are not needed'
check 'L1: nothing is made' same_state "$before"
flock "$T/state/locks/dev-1" "$SANDKEEPER" release dev-1 && rc=0 || rc=$?
is "$rc" 0 'L1: no lock is taken: it is held, and release does not wait'
rm -f "$T/state/locks/dev-1"
sk release dev-1 dev-2 dev-3
is "$rc$err" 0 'L1: for several agents too'
sk release --json dev-1
is "$(jq -c . "$out_file")" '{"released":[{"agent":"dev-1","released":false}]}' \
    'L1: --json'

# --- L2, T2, T3

pair
sk release dev-1
is "$rc$out" 0 'L2: an agent with a sandbox of two'
is "$err" 'sandkeeper: dev-1: released' 'L2: one line says so'
calls_are 'inspect rm' 'L2: two docker calls'
is "$(calls inspect | sed "s/--format '[^']*'/--format F/" | cut -d ' ' -f 1-5)" \
    'inspect --type container --format F' 'T2: one inspect'
is "$(calls inspect | tr ' ' '\n' | grep '^roboco-\|^[0-9a-f]\{64\}$' |
    LC_ALL=C sort | tr '\n' ' ')" \
    "$({
	printf '%s\n' "$p" "$r"
	sed -n 's/^ *short *= "\(.*\)"/roboco-sandbox-\1-dev-1/p' \
	    "${ENGINES_DIR:?}"/*.conf
    } | LC_ALL=C sort | tr '\n' ' ')" 'T2: over the names of every engine and what is recorded'
like "$(calls rm)" "^rm -f -v ($p $r|$r $p)$" 'T3: one rm -f -v, by full id'
containers_are "$other" 'L4: another agent has its sandbox'
check_not 'L2: the entry is gone' has_entry dev-1
check 'L4: another entry is there' has_entry dev-10
is "$(find "$T/state" -name '.*' -o -path '*/locks/*')" '' \
    'L2: no mark and no lock is left'
sk release dev-1
is "$rc$err" 0 'L3: twice is once'
calls_are 'inspect rm' 'L3: with no further call'

# Who had the lock has carried it out, and the next life has its own by now.
pair
flock "$T/state/locks/dev-1" sh -c ": >'$T/locked'
    until [ -e '$T/state/agents/.dev-1.release' ]; do sleep 0.01; done
    rm '$T/state/agents/.dev-1.release'" &
locker=$!
wait_for test -e "$T/locked"
sk release dev-1
wait "$locker"
is "$rc" 0 'L2: carried out by who had the lock: code'
calls_are '' 'L2: and no docker call for the successor'
check 'L2: which keeps its entry' has_entry dev-1

scene
for box in pg redis mongo; do
	sandbox dev-1 $box
done
entry dev-1 pg redis mongo
sk release -q dev-1 --reason 'i_am_done'
is "$rc$err" 0 'a sandbox of three'
calls_are 'inspect rm' 'is two calls as well'
is "$(history | jq -r '[.agent,.service,.cause,.reason]|join(" ")' |
    LC_ALL=C sort)" 'dev-1 mongo release i_am_done
dev-1 postgres release i_am_done
dev-1 redis release i_am_done' 'R8: a line in the history for each'
check 'R8: the age is told' test "$(history | jq .age | head -n 1)" -ge 3600

scene
entry dev-1 pg
sk release dev-1
is "$rc" 0 'T1: a missing container is success'
calls_are inspect 'T1: nothing to remove'
check_not 'T1: the entry goes' has_entry dev-1

pair
agent dev-1
sk release dev-1
is "$rc" 0 'the owner lives'
containers_are "$other roboco-agent-dev-1" 'and stays'

# Case 8: an engine that has left the settings since.
scene
sandbox dev-1 gone
entry dev-1 gone
sk release dev-1
is "$rc" 0 'T2: the engine is in no settings any more'
containers_are '' 'T2: the entry knows its container'

# --- whose: K2, K4

scene
foreign dev-1 pg
sandbox dev-1 redis
entry dev-1 pg redis
sk release dev-1
is "$rc" 75 'K2: another keeper has a container of that name'
containers_are roboco-sandbox-pg-dev-1 'K2: it is left, ours is gone'
like "$err" "belongs to keeper $OTHER" 'K2: its keeper is named'
check 'K2: the entry stays' has_entry dev-1

scene
fake container roboco-sandbox-pg-dev-1 >/dev/null
sandbox dev-1 redis
entry dev-1 pg redis
sk release dev-1
is "$rc" 0 'K4: a container of that name without our label'
containers_are roboco-sandbox-pg-dev-1 'K4: is left'
like "$err" '^sandkeeper: warning: dev-1: .*roboco-sandbox-pg-dev-1' \
    'K4: and reported'
check_not 'K4: the entry goes' has_entry dev-1

scene
unkept dev-1 pg
entry dev-1 pg
sk release dev-1
is "$rc" 0 'the orchestrator made it'
containers_are '' 'K2: no keeper: it is released like our own'

# K4: labels of dev-2, as a committed image hands them on, and a name of dev-1
scene
kept "$KEEPER" dev-1 pg --label sandkeeper.agent=dev-2
entry dev-1 pg
sk release dev-1
containers_are roboco-sandbox-pg-dev-1 'K4: labels of another agent'

# --- K3

pair
before=$(state)
DOCKER_HOST=tcp://elsewhere:2375 sk release dev-1
is "$rc" 0 'K3: no entry at that daemon'
calls_are '' 'K3: no docker call'
check 'K3: the entries of another daemon are not touched' same_state "$before"
DOCKER_HOST=unix:///run/docker.sock sk release dev-1
check_not 'K3: the default by its address is the default' has_entry dev-1

# --- holds

pair
entry dev-1 "hold=$(($(now) + 600))" pg redis
before=$(state)
sk release dev-1
is "$rc" 75 'a held sandbox: 75'
check 'a held sandbox stays' same_state "$before"
calls_are '' 'and docker is not asked'
like "$err" 'release --force dev-1' 'the hint names --force'
sk release --force dev-1
is "$rc" 0 '--force'
containers_are "$other" '--force ends it'
pair
entry dev-1 "hold=$(($(now) - 600))" pg redis
sk release dev-1
is "$rc" 0 'a hold that is over holds nothing'

# --- several

pair
sk release dev-10 ../x dev-1 nothing
is "$rc" 65 'several: the first failure counts'
containers_are '' 'several: all are tried'
pair
entry dev-1 "hold=$(($(now) + 600))" pg redis
sk release dev-1 ../x dev-10
is "$rc" 75 'several: the first failure counts, not the last'
like "$err" '^sandkeeper: dev-1: its sandbox is held' 'several: the first is told'
like "$err" "'\.\./x'" 'several: and the second'
sk release --json dev-1
is "$(jq -r '.error|[.exit,.kind,.agent,.retryable]|@csv' "$out_file")" \
    '75,"held","dev-1",false' 'several: --json'

# --- names

for slug in '' a/b .. 'a b' -x UPPER 'a
b' .a a. "$(printf %0300d 0)"; do
	scene
	sk release -- "$slug"
	is "$rc" 65 "no agent is called '$(printf %.9s "$slug")'"
	calls_are '' 'and docker is not asked'
done
sk release
is "$rc" 64 'no agent given: usage'

done_testing
