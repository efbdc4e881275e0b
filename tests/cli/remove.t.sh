#!/bin/sh
# SPDX-License-Identifier: ISC
#
# remove: what docker is asked, whose sandbox goes with the container, and what
# a failure leaves (rules R1 and R3 to R7).  The log is in remove-log.t.sh.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"

# The calls, without the inspect's long format.
short_calls()
{
	calls | sed "s/--format '[^']*'/--format F/"
}

# An agent with a sandbox of two, and another agent that must not suffer.
pair()
{
	scene
	agent dev-1 --logs 'hello\n'
	sandbox dev-1 pg
	sandbox dev-1 redis
	entry dev-1 pg redis
	agent dev-10
	sandbox dev-10 pg
	entry dev-10 pg
}

others='roboco-agent-dev-10 roboco-sandbox-pg-dev-10'
boxes='roboco-sandbox-pg-dev-1 roboco-sandbox-redis-dev-1'

# --- all of it

pair
sk remove roboco-agent-dev-1
is "$rc$out" 0 'R4: the container goes and its sandbox with it'
calls_are 'inspect logs rm inspect rm' 'R1-R4: five calls'
a=$(id_of roboco-agent-dev-1)
p=$(id_of roboco-sandbox-pg-dev-1)
r=$(id_of roboco-sandbox-redis-dev-1)
is "$(short_calls | sed 4d)" \
    "inspect --type container --format F roboco-agent-dev-1
logs --tail 100000 $a
rm -f $a
rm -f -v $(short_calls | sed -n 5p | cut -d ' ' -f 4-)" \
    'R1-R3: with these words, by id once it is known'
is "$(short_calls | sed -n 5p | tr ' ' '\n' | tail -n +4 | LC_ALL=C sort)" \
    "$(printf '%s\n%s\n' "$p" "$r" | LC_ALL=C sort)" \
    'T3: one rm -f -v of the two, by full id'
containers_are "$others" 'R6: the other agent has all of its own'
check_not 'R4: its entry is gone' has_entry dev-1
check 'R6: the other entry is there' has_entry dev-10
check_not 'no lock is left' test -e "$T/state/locks/dev-1"

pair
sk remove -q roboco-agent-dev-1 --reason 'stale before spawn'
is "$rc$out$err" 0 'it is silent with -q'

# --- counted: absent, flag off, flag on

scene
sk remove roboco-agent-dev-1
is "$rc" 0 'R1: an absent container is no failure'
is "$(short_calls | head -n 2)" \
    'inspect --type container --format F roboco-agent-dev-1
rm -f roboco-agent-dev-1' 'R1, R3: absent: no dump, rm by name all the same'
calls_are 'inspect rm inspect' 'absent, flag on: three calls'

scene
rm -r "$T/state"
SANDKEEPER_ENABLED=off sk remove roboco-agent-dev-1
is "$rc" 0 'F2: flag off, absent'
calls_are 'inspect rm' 'F2: absent, flag off: two calls'
check_not 'F2: flag off: no state is made' test -e "$T/state"

pair
before=$(find "$T/state" -printf '%p %m\n')
SANDKEEPER_ENABLED=off sk remove roboco-agent-dev-1
is "$rc" 0 'F2: flag off'
is "$(short_calls)" \
    "inspect --type container --format F roboco-agent-dev-1
logs --tail 100000 $a
rm -f $a" 'F2: flag off: exactly these calls'
containers_are "$others $boxes" 'F2: flag off: the sandbox stays'
is "$(find "$T/state" -printf '%p %m\n')" "$before" \
    'F2: flag off: the state is as it was'

pair
chmod 777 "$T/state"
SANDKEEPER_ENABLED=off sk remove roboco-agent-dev-1
is "$rc" 0 'F2: flag off: the state is not even looked at'
pair
chmod 777 "$T/state"
sk remove roboco-agent-dev-1
is "$rc" 77 'flag on: unsafe state is refused'
calls_are '' 'flag on: before any docker call'

# --- R1: what is no answer

for down in '1 69' 'permission 77'; do
	pair
	before=$(state)
	FAKE_DOCKER_DOWN=${down% *} sk remove roboco-agent-dev-1
	is "$rc" "${down#* }" "R1: the daemon does not answer (${down% *})"
	calls_are inspect 'R1: nothing more is tried'
	check 'R1: nothing changed' same_state "$before"
	is "$(printf '%s\n' "$err" | grep -vc hint:)" 1 'R1: one line says so'
done

pair
fake fault inspect.1 rc=125 'err=something else\n'
sk remove roboco-agent-dev-1
is "$rc" 0 'R1: any other exit: it does not exist'
calls_are 'inspect rm inspect rm' 'R1: any other exit: no dump'
is "$(calls rm | head -n 1)" 'rm -f roboco-agent-dev-1' \
    'R3: rm by name, whatever R1 said'
containers_are "$others" 'R1: any other exit: it is removed'

pair
fake fault inspect.1 hang=1
SANDKEEPER_TIMEOUTS_INSPECT=1s sk remove roboco-agent-dev-1
is "$rc" 0 'R1: an inspect that hangs is ended by its deadline'
containers_are "$others" 'R1: and the container is removed'

# --- T5: a label that names another owner, or none

for word in 'remove roboco-agent-dev-1' 'release dev-1'; do
	pair
	for key in roboco.sandbox.owner sandkeeper.owner sandkeeper.agent; do
		fake set roboco-sandbox-pg-dev-1 label.$key=
	done
	# shellcheck disable=SC2086 # words
	sk $word
	is "$rc" 75 "T5: recorded, and no label names its owner: $word"
	check 'T5: it stays' has_container roboco-sandbox-pg-dev-1
	check 'T5: and so does the entry' has_entry dev-1
done
pair
fake set roboco-sandbox-pg-dev-1 \
    label.sandkeeper.owner=container:roboco-agent-dev-2 \
    label.roboco.sandbox.owner=roboco-agent-dev-2
sk remove roboco-agent-dev-1
is "$rc" 75 'T5: recorded, and its labels name another owner'
check 'T5: it stays, too' has_container roboco-sandbox-pg-dev-1
check 'T5: and its entry' has_entry dev-1

# --- R1, R3: names of hex digits match ids

scene
fake container stranger --id deadbeef >/dev/null
sk remove deadbeef
is "$rc" 0 'R1: a name that matches an id is not that container'
calls_are inspect 'R3: no rm by a name of hex digits'
containers_are stranger 'R3: the stranger stays'
scene
fake container stranger --id deadbeef >/dev/null
fake container deadbeef --logs 'x\n' --id 1234 >/dev/null
sk remove deadbeef
is "$rc" 0 'R3: a container whose name is of hex digits'
like "$(calls rm)" '^rm -f 12340+$' 'R3: goes by its id'
containers_are stranger 'R3: and no stranger with it'

# --- names

for name in ../volumes/x /etc '' 'a b' -x 'x
y' .hidden; do
	scene
	sk remove -- "$name"
	is "$rc" 65 "no container has the name '$name'"
	calls_are '' 'and docker is not asked'
done

# --- R4: whose sandbox

pair
entry dev-1 owner=container:someone pg redis
sk remove roboco-agent-dev-1
is "$rc" 0 'R4: the entry names another owner'
calls_are 'inspect logs rm' 'R4: its sandbox is spared'
check 'R4: so is its entry' has_entry dev-1

pair
rm "$T/state/agents/dev-1"
sk remove roboco-agent-dev-1
is "$rc" 0 'R4: no entry'
containers_are "$others" 'R4: the labels name the owner'

pair
rm "$T/state/agents/dev-1"
for box in $boxes; do
	fake set "$box" label.sandkeeper.owner=container:someone \
	    label.roboco.sandbox.owner=someone
done
sk remove roboco-agent-dev-1
is "$rc" 0 'R4: no entry, and the labels name another owner'
containers_are "$others $boxes" 'R4: its sandbox is spared'

scene
fake container some-container >/dev/null
sandbox some-container pg
sk remove some-container
is "$rc" 0 'R4: a name that gives no slug'
calls_are 'inspect logs rm' 'R4: has no sandbox'
scene
agent ..x
sk remove roboco-agent-..x
is "$rc" 0 'R4: a name that gives no valid slug'
calls_are 'inspect logs rm' 'R4: has no sandbox either'

pair
entry dev-1 "hold=$(($(now) + 3600))" pg redis
sk remove roboco-agent-dev-1
is "$rc" 0 'R4: a held sandbox'
containers_are "$others $boxes" 'R4: stays'
check 'R4: and its entry' has_entry dev-1
like "$err" 'held' 'R4: and it says so'
pair
entry dev-1 "hold=$(($(now) - 1))" pg redis
sk remove roboco-agent-dev-1
containers_are "$others" 'R4: a hold that is over holds nothing'

# --- R5

pair
before=$(find "$T/state" -printf '%p %m\n')
sk remove --keep-sandbox roboco-agent-dev-1
is "$rc" 0 'R5: --keep-sandbox'
calls_are 'inspect logs rm' 'R5: docker is not asked about the sandbox'
is "$(find "$T/state" -printf '%p %m\n')" "$before" \
    'R5: the cache is not touched'
containers_are "$others $boxes" 'R5: the sandbox is there'

# --- R7, T4: rm fails

pair
fake fault rm.1 rc=1 'err=Error response from daemon: device or resource busy\n'
sk remove roboco-agent-dev-1
is "$rc" 75 'R7: a failed rm is told by the exit code'
like "$err" 'remove roboco-agent-dev-1: .*busy' 'R7: and in one line'
containers_are "$others roboco-agent-dev-1" \
    'R7: it does not stop the teardown'
check_not 'R7: the entry is gone' has_entry dev-1
is "$(history | jq -r .container | LC_ALL=C sort | tr '\n' ' ')" "$boxes " \
    'R8: what did not end is not in the history'

pair
fake fault rm.1 rc=1 posthook="'$FAKE_DOCKER' fake-do rm -f $AGENT-dev-1" \
    'err=Error response from daemon: removal of container x is already in progress\n'
sk remove roboco-agent-dev-1
is "$rc" 0 'T4: somebody else removed it meanwhile: done'
containers_are "$others" 'T4: all gone'

# The container goes, and then docker does not answer for its sandbox.
pair
fake fault inspect.2 rc=1 'err=something else\n'
sk remove roboco-agent-dev-1
is "$rc" 75 'T1: the teardown cannot look: 75'
containers_are "$others $boxes" 'T1: what is unknown stays'
check 'T5: with its entry' has_entry dev-1
sk sweep
containers_are "$others" 'L2: the next sweep carries it out, without any wait'
check_not 'T5: and the entry goes' has_entry dev-1

# --- several

pair
fake fault rm.1 rc=1 'err=Error response from daemon: device or resource busy\n'
sk remove roboco-agent-dev-1 ../x roboco-agent-dev-10
is "$rc" 75 'several: the first failure counts'
containers_are roboco-agent-dev-1 'several: all are tried'
like "$err" "'\.\./x' is no container name" 'several: each failure is told'
sk remove
is "$rc" 64 'no container given: usage'

# --- --stop

pair
sk remove --stop 3s roboco-agent-dev-1
is "$rc" 0 '--stop'
is "$(short_calls | sed -n 3,4p)" "stop -t 3 $a
rm -f $a" '--stop: a graceful stop comes first'
sk remove --stop soon roboco-agent-dev-10
is "$rc" 65 '--stop: no duration'

done_testing
