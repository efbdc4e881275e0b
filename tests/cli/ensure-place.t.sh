#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Where ensure puts a sandbox: its owner's network (rule E10), the names that
# others bear already (K2, K4, E5), the limit of sandboxes, and entries that
# cannot be used.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/ensure.sh
. "$TESTS_LIB/../cli/ensure.sh"

PG=roboco-sandbox-pg-a1

# refused CODE KIND DESC: nothing was made, nothing touched.
refused()
{
	is "$rc $(kind)" "$1 $2" "$3: code"
	check "$3: one line" one_line
	is "$(boxes)" "$boxes_were" "$3: every container is as it was"
	is "$(calls run)$(calls rm)$(calls pull)" '' "$3: nothing run, pulled or removed"
	check "$3: the lock is free" unlocked a1
}

# network_of_run
network_of_run()
{
	calls run | sed -n 's/.* --network \([^ ]*\) .*/\1/p'
}

# --- the owner's network

cold
agent a1 --network zoo --network bridge --network ant --network bee
sk ensure a1 --services postgres --dotenv
is "$(network_of_run)" ant 'E10: the first user-defined network by name'
is "$(calls run | grep -o -e --network | wc -l)" 1 'E10: exactly one'
like "$out" "^PGHOST=$PG\$" 'E10: there its name is its address'
unlike "$(calls run)" ' -p ' 'E10: nothing is published'
cold
agent a1 --network bridge
sk ensure a1 --services postgres --dotenv
is "$(network_of_run)" bridge 'E10: none: the default bridge'
ip=$(fake inspect $PG NetworkSettings.Networks.bridge.IPAddress)
like "$out" "^PGHOST=$ip\$" 'E10: which knows no names: its address'
like "$ip" '^[0-9.]+$' 'E10: an address'
cold
agent a1 --mode host --network host
sk ensure a1 --services postgres --dotenv
is "$(network_of_run)" bridge 'E10: host: the bridge'
like "$(calls run)" ' -p 127\.0\.0\.1::5432 ' 'E10: host: published on loopback'
port=$("$FAKE_DOCKER" fake-do port $PG 5432 | sed 's/.*://')
is "$(echo "$out" | grep '^PGHOST\|^PGPORT' | tr '\n' ' ')" \
    "PGHOST=127.0.0.1 PGPORT=$port " 'E10: host: that address is handed over'
fake reset-calls
sk ensure a1 --services postgres --dotenv
calls_are inspect 'E4, E10: host: then a hit'
cold
fake container pod --network team >/dev/null
agent a1 --mode "container:$(fake inspect pod Id)" --network "container:pod"
sk ensure a1 --services postgres
is "$rc $(network_of_run)" '0 team' "E10: container:X: X's network"
calls_are 'inspect inspect image run exec inspect' 'E10: one look at X'
cold
agent a1 --mode none --network none
boxes_were=
sk --json ensure a1 --services postgres
refused 75 network 'E10: an owner without network'
check_not 'E7: an owner without network: no entry' has_entry a1
cold
owner a1
fake network other >/dev/null
sk ensure a1 --services postgres --network other
is "$rc $(network_of_run)" '0 other' 'E10: --network'
cold
owner a1
sk ensure a1 --services postgres --set network=bridge --dotenv
is "$rc $(network_of_run)" '0 bridge' 'E10: the setting network'
like "$out" '^PGHOST=172' 'E10: the bridge by name: its address'

# --- --publish

cold
owner a1
sk --json ensure a1 --services postgres --publish
is "$rc $(network_of_run)" '0 team' "E10: --publish: in the owner's network"
like "$(calls run)" ' -p 127\.0\.0\.1::5432 ' 'E10: --publish: on loopback'
port=$("$FAKE_DOCKER" fake-do port $PG 5432 | sed 's/.*://')
like "$out" "\"port\": $port," 'E10: --publish: that port is handed over'
fake reset-calls
sk ensure a1 --services postgres
calls_are inspect 'E4: what is published is a hit for who does not care'
boxes_were=$(boxes)
sk --json ensure a1 --services postgres --publish=0.0.0.0
refused 65 live-container 'E4: --publish=ADDR, published elsewhere'
cold
owner a1
sk ensure a1 --services postgres
fake reset-calls
boxes_were=$(boxes)
sk --json ensure a1 --services postgres --publish
refused 65 live-container 'E4: --publish, not published'
sk ensure a1 --services postgres --publish=0.0.0.0 --replace
like "$(calls run)" ' -p 0\.0\.0\.0::5432 ' 'E10: --publish=ADDR --replace'

# --- an owner that is not there

cold
boxes_were=
sk --json ensure a1 --services postgres
refused 75 owner-missing 'E10: no owner'
like "$err" 'roboco-agent-a1.*is not there' 'E10: no owner: it is named'
like "$err" 'hint: start it first, or name a network with --network' \
    'E10: no owner: the remedy'
check_not 'E7: no owner: no entry' has_entry a1
calls_are inspect 'E10: no owner: one call'
sk ensure a1 --services postgres --network team
is "$rc" 0 'E10: with a named network the owner may come later'
sed -i 's/^handed=.*/handed=1000/' "$(entry_path a1)"
fake reset-calls
sk ensure a1 --services postgres
is "$rc" 0 'E4: a hit without the owner: code'
like "$err" '^sandkeeper: warning: a1: .*roboco-agent-a1, does not run' \
    'E4: a hit without the owner: a warning'
calls_are inspect 'E4: a hit without the owner: one call'
check 'E4: and the grace starts anew' \
    test "$(entry_value a1 - handed)" -gt $(($(now) - 60))
owner a1 --state exited
sk ensure a1 --services postgres
like "$err" 'warning: a1: .*does not run' 'E4: a hit, the owner has exited: a warning'
fake "do" rm -f roboco-agent-a1 >/dev/null
owner a1
sk ensure a1 --services postgres
is "$rc $err" '0 ' 'E4: the owner has come'
is "$(entry_value a1 - owner-id)" "$(id_of roboco-agent-a1)" \
    'O1: respawned under its name, it keeps its sandbox'
cold
fake container roboco-agent-a11 --network team >/dev/null
fake container x-roboco-agent-a1 --network team >/dev/null
sk --json ensure a1 --services postgres
is "$rc $(kind)" '75 owner-missing' 'O1: names are whole'

# --- who bears the name already

cold
owner a1
sandbox a1 pg --network team --volumes 1
id=$(id_of $PG)
sk ensure a1 --services postgres
is "$rc" 0 'E5: a leftover of ours: code'
calls_are 'inspect image inspect rm run exec inspect' \
    'E5: cleared, once the images are there'
is "$(calls rm)" "rm -f -v $id" 'T3: by full id, with its volumes'
isnt "$(fake inspect $PG Id)" "$id" 'E5: a new container'

cold
owner a1
foreign a1 pg --network team --state exited
boxes_were=$(boxes)
sk --json ensure a1 --services postgres,redis
refused 75 foreign "K2: another keeper's"
like "$err" "$PG belongs to keeper $OTHER" "K2: another keeper's: it is named"
check_not "K2: another keeper's: no entry" has_entry a1
sk --json ensure a1 --services postgres --replace --fresh
refused 75 foreign "K2: another keeper's, --replace"

# stranger DESC OPTION...: a container of that name that is not ours.
stranger()
{
	stranger_desc=$1
	shift
	cold
	owner a1
	fake container $PG "$@" >/dev/null
	boxes_were=$(boxes)
	sk --json ensure a1 --services postgres --replace
	refused 75 name-taken "K4: $stranger_desc"
	like "$err" "the name $PG is taken" "K4: $stranger_desc: it is named"
}

stranger 'no label'
stranger 'another value of the label' --label roboco.sandbox=true \
    --label roboco.sandbox.owner=roboco-agent-a1
stranger "inherited labels of another agent's" --label roboco.sandbox=1 \
    --label roboco.sandbox.owner=roboco-agent-b2 \
    --label "sandkeeper.keeper=$KEEPER" --label sandkeeper.agent=b2 \
    --label sandkeeper.owner=container:roboco-agent-b2

cold
owner a1
unkept a1 pg --network team
boxes_were=$(boxes)
sk --json ensure a1 --services postgres
refused 65 live-container "E2: the orchestrator's, alive"
like "$err" 'hint: --replace' "E2: the orchestrator's, alive: the remedy"
check_not "E2: the orchestrator's, alive: no entry" has_entry a1
sk ensure a1 --services postgres --replace
is "$rc" 0 "E2: the orchestrator's, --replace"
isnt "$(boxes)" "$boxes_were" "E2: the orchestrator's, --replace: a new one"
cold
owner a1
unkept a1 pg --state exited
sk ensure a1 --services postgres
is "$rc" 0 "E5: the orchestrator's, dead: cleared without a word"

# --- max-sandboxes

cold
SANDKEEPER_MAX_SANDBOXES=2
export SANDKEEPER_MAX_SANDBOXES
for slug in a1 b1 c1; do
	owner $slug
done
sk ensure b1 --services redis
sk ensure c1 --services redis
fake reset-calls
boxes_were=$(boxes)
sk --json ensure a1 --services redis
refused 75 limit 'max-sandboxes'
like "$err" 'there are 2 of 2 sandboxes' 'max-sandboxes: says how many'
calls_are '' 'max-sandboxes: no docker call'
check_not 'max-sandboxes: no entry' has_entry a1
sk ensure b1 --services redis,postgres
is "$rc" 0 'max-sandboxes counts agents, not containers'
sk release c1
fake reset-calls
sk ensure a1 --services redis
is "$rc" 0 'max-sandboxes: after a release there is room'
# Two at once for the last place: the first call of each waits for both.
cold
export SANDKEEPER_MAX_SANDBOXES=1
owner a1
owner b1
fake fault inspect delay=300
for slug in a1 b1; do
	"$SANDKEEPER" ensure $slug --services redis >"$T/$slug.out" \
	    2>"$T/$slug.err" &
	eval "pid_$slug=$!"
done
# shellcheck disable=SC2154 # eval sets them
{
	wait "$pid_a1" && rc_a1=0 || rc_a1=$?
	wait "$pid_b1" && rc_b1=0 || rc_b1=$?
}
is "$((rc_a1 + rc_b1)) $(boxes | wc -l)" '75 1' \
    'max-sandboxes: two at once for one place: one gets it'
like "$(cat "$T/a1.err" "$T/b1.err")" 'there are 1 of 1' \
    'max-sandboxes: and the other one is told'

# --- entries that cannot be used

cold
owner a1
sk ensure a1 --services postgres
id=$(fake inspect $PG Id)
sed -i '$d' "$(entry_path a1)"
cp "$(entry_path a1)" "$T/torn"
sk ensure a1 --services postgres
is "$rc" 0 'DESIGN 4: a torn entry counts as none: code'
like "$err" 'warning: a1: the entry was damaged' 'a torn entry: a warning'
aside=$(find "$T/state/agents" -name '.a1.corrupt.*')
check 'a torn entry is set aside as it was' cmp -s "$T/torn" "$aside"
isnt "$(fake inspect $PG Id)" "$id" 'a torn entry: the sandbox is made anew'
is "$(boxes | wc -l)" 1 'a torn entry: no second one beside it'
boxes_were=$(boxes)
sed -i '1s/.*/sandkeeper 2/' "$(entry_path a1)"
cp "$(entry_path a1)" "$T/newer"
fake reset-calls
sk --json ensure a1 --services postgres
refused 78 newer-version 'a newer entry'
check 'a newer entry is left as it is' cmp -s "$T/newer" "$(entry_path a1)"
calls_are '' 'a newer entry: no docker call'
rm "$(entry_path a1)"
ln -s "$T/newer" "$(entry_path a1)"
sk --json ensure a1 --services postgres
refused 77 unsafe 'an entry that is a symbolic link'

done_testing
