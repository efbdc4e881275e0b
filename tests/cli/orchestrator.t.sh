#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Sixteen faults of the orchestrator that this program grew out of, each seen
# to happen there, one after the other.  Most have more tests elsewhere; what
# only a real daemon shows (3, 4 and 9 in whole) is in tests/daemon, too.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/ensure.sh
. "$TESTS_LIB/../cli/ensure.sh"

D="'$FAKE_DOCKER'"
PG=roboco-sandbox-pg

# An agent that ended long ago, and its sandbox.
orphan()
{
	agent "$1" --state exited --finished "$OLD"
	sandbox "$1" pg
	entry "$1" pg
}

# --- 1: a listing of the owners that fails was "nobody lives"

for how in 'rc=1' 'signal=KILL' \
    'rc=1 err=Error response from daemon: 500\n' 'out=\n' 'out={"id":\n'; do
	scene
	agent a1
	sandbox a1 pg
	entry a1 pg
	fake fault ps.2 "$how"
	sk sweep --grace 0
	is "$rc $(fake count rm)" '0 0' \
	    "fault 1, case 1: the second listing: $how: nothing is removed"
	check "fault 1, case 1: $how: and nothing evicted" has_entry a1
	like "$err" 'nothing is removed on partial knowledge' \
	    "fault 1, case 1: $how: it is said"
done

# --- 2: an owner that restarts lost its sandbox, and the grace was in memory

scene
agent a1 --state created --created "$(ago 5)"
agent a2 --state exited --finished "$(ago 5)"
for slug in a1 a2; do
	sandbox $slug pg
	entry $slug pg
done
sk sweep
sk sweep
containers_are "$AGENT-a1 $AGENT-a2 $PG-a1 $PG-a2" \
    'fault 2: just made, just exited: kept, also by the next process'

# --- 3: rm without -v left a volume for each

scene
orphan a1
sk sweep --grace 0
is "$(calls rm | cut -d' ' -f1-3)" 'rm -f -v' 'fault 3: with its volumes'
cold
owner a1
sk ensure a1 --services redis
fake reset-calls
sk release a1
is "$(calls rm | cut -d' ' -f1-3)" 'rm -f -v' 'fault 3: by release, too'

# --- 4: the probe answered for a server that nobody could log in to

cold
owner a1
sk ensure a1 --services postgres,redis
like "$(calls exec)" 'pg_isready.* -h 127\.0\.0\.1' \
    'fault 4, case 16: over TCP, where the temporary server is not'
# The engine's own probe, beside a redis-cli that exits 0 whatever it is told.
probe=$(sed -n "/^  ready  *=/,/'}\$/p" "$ENGINES_DIR/redis.conf" |
    sed "s/.*\"-c\", '//; s/'}\$//")
mkdir "$T/bin"
# shellcheck disable=SC2016 # the stub expands
printf '#!/bin/sh\nif [ -n "${REDISCLI_AUTH-}" ]; then echo "$WITH"; else echo "$WITHOUT"; fi\n' \
    >"$T/bin/redis-cli"
chmod +x "$T/bin/redis-cli"
while IFS=, read -r with without code; do
	run env PATH="$T/bin:$PATH" WITH="$with" WITHOUT="$without" \
	    REDISCLI_AUTH=x sh -c "$probe"
	is "$rc" "$code" "fault 4: redis says $with, and $without: $code"
done <<'END'
PONG,NOAUTH,0
NOAUTH,NOAUTH,1
PONG,PONG,1
END

# --- 5: passwords in everybody's ps

cold
owner a1
sk ensure a1 --services postgres,redis,mongo
is "$rc" 0 'fault 5: three services'
for service in postgres redis mongo; do
	check_not "fault 5: $service: no password in an argv" \
	    grep -qF "$(password a1 $service)" "$FAKE_DOCKER_DIR/calls.log"
done

# --- 6: a label with a newline forged a row

scene
orphan a2
agent a1
sandbox a1 pg --label "roboco.sandbox.owner=$AGENT-a1
{\"id\":\"$(id_of $AGENT-a1)\",\"names\":\"$AGENT-a1\",\"state\":\"exited\"}"
entry a1 pg
sk sweep --grace 0
check 'fault 6: a newline in a label forges nothing' has_container $PG-a1
check_not 'fault 6: and hides nothing' has_container $PG-a2

# --- 7: names were matched by a part

scene
orphan x
fake container "myapp-$AGENT-x" >/dev/null
fake container "$AGENT-x2" >/dev/null
sk sweep --grace 0
check_not 'fault 7: a look-alike is not the owner' has_container $PG-x

# --- 8: a user's container under a sandbox's name

cold
owner a1
fake container $PG-a1 >/dev/null
sk --json ensure a1 --services postgres
is "$rc $(kind)" '75 name-taken' 'fault 8: it is not taken for ours'
sk release a1
sk sweep --grace 0
check 'fault 8: and stays' has_container $PG-a1

# --- 9: what a frozen daemon made afterwards stayed for ever

cold
owner a1
fake fault run hang=1 late=2800
sk ensure a1 --services postgres --set timeouts.run=1
isnt "$rc" 0 'fault 9: the run is given up'
check 'fault 9: it appears' wait_for has_container $PG-a1
sk sweep --grace 0
check_not 'fault 9: the next sweep takes it, its owner alive' \
    has_container $PG-a1
check 'fault 9: which stays' has_container $AGENT-a1

# --- 10: a release during an ensure, and one after a lost cache

cold
owner a1
fake fault exec.1 hook="'$SANDKEEPER' release a1 & wait_for=\$!; \
i=0; while [ ! -e '$T/state/agents/.a1.release' ] && [ \$i -lt 100 ]; do \
i=\$((i + 1)); sleep 0.1; done"
sk --json ensure a1 --services postgres
is "$rc" 75 'fault 10: released while it is made: told'
containers_are "$AGENT-a1" 'fault 10: nothing stays'
scene
agent a1
sandbox a1 pg
sk sweep --grace 0
check_not 'fault 10: what no entry records is found all the same' \
    has_container $PG-a1

# --- 11: an hour in a frozen daemon, and two sweeps that did all twice

scene
for n in 1 2 3 4 5 6 7 8; do
	orphan a$n
done
fake fault rm hang=1
start_clock
sk sweep --grace 0 --set timeouts.remove=1
stop_clock
check 'fault 11: eight that hang do not cost eight deadlines' within 6000
check 'fault 11: no entry is lost' has_entry a8
scene
orphan a1
fake fault rm hook="'$SANDKEEPER' sweep --grace 0 2>'$T/second'" then=normal
sk sweep --grace 0
is "$(fake count ps) $(fake count rm)" '2 1' 'fault 11: a second sweep does nothing'

# --- 12: the listing was old by the time it was acted upon

scene
orphan a1
fake fault inspect.1 hook="$D fake-set $AGENT-a1 state=running"
sk sweep --grace 0
is "$(fake count rm)" 0 'fault 12, case 6: it came back meanwhile: kept'

# --- 13: a container that died at once was waited for

cold
owner a1
fake image redis:8-alpine '{"run":"dies"}'
start_clock
sk --json ensure a1 --services redis
stop_clock
is "$(kind)" died 'fault 13, case 18: it died'
check 'fault 13, case 18: which is told at once' within 2000

# --- 14: any name was an agent's

scene
for slug in '' -x a/b .. "$(printf '%064d' 0)" "$(printf '%0200d' 0)"; do
	sk ensure --services redis -- "$slug"
	is "$rc $(fake count)" '65 0' \
	    "fault 14, case 23: '$(printf %.9s "$slug")' is refused, no call"
done

# --- 15: silence without docker

scene
orphan a1
sk sweep --set docker=/nonexistent/docker
like "$err" 'nonexistent/docker' 'fault 15: docker is missing: told'
echo 1 >"$T/fake/down"
sk sweep --strict
is "$rc" 69 'fault 15: the daemon is down: told'
check 'fault 15: and nothing is lost' has_entry a1

# --- 16: a new life under the same name

cold
owner a1
sk ensure a1 --services redis --env
before=$out
"$FAKE_DOCKER" fake-do rm -f "$AGENT-a1" >/dev/null
owner a1
sk sweep --grace 0
sk ensure a1 --services redis --env
is "$out" "$before" 'fault 16: an agent that is respawned keeps its sandbox'

done_testing
