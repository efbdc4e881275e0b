#!/bin/sh
# SPDX-License-Identifier: ISC
#
# ensure where there is something already: what lives is kept, what does not is
# made anew, and nothing alive is replaced without the word (rules E2, E4).

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/ensure.sh
. "$TESTS_LIB/../cli/ensure.sh"

PG=roboco-sandbox-pg-a1
REDIS=roboco-sandbox-redis-a1

# A sandbox of postgres and redis, and what identifies each.
both()
{
	cold
	owner a1
	sk ensure a1 --services postgres,redis
	[ "$rc" = 0 ] || note "ensure failed: $err"
	pg_was="$(fake inspect $PG Id) $(password a1 postgres)"
	redis_was="$(fake inspect $REDIS Id) $(password a1 redis)"
	entry_was=$(cat "$(entry_path a1)")
	fake reset-calls
}

pg_is()
{
	echo "$(fake inspect $PG Id) $(password a1 postgres)"
}

redis_is()
{
	echo "$(fake inspect $REDIS Id) $(password a1 redis)"
}

# --- one more service

cold
owner a1
sk ensure a1 --services postgres
pg_was=$(pg_is)
fake reset-calls
sk ensure a1 --services redis
is "$rc" 0 'E2: one more service: code'
is "$(pg_is)" "$pg_was" 'E2: the first one keeps container and credentials'
calls_are 'inspect image run exec inspect' 'E2: the calls of one service'
is "$(calls image)" "image inspect --format '{{.Id}}' redis:8-alpine" \
    'E2: the image of the new one alone'
like "$(asked | tail -n 1)" "<$REDIS> <$PG>\$" \
    'E7: what is kept is verified at the end, too'
is "$out" "SERVICE  WHERE                         SANDBOX
redis    $REDIS:6379  fresh

The credentials: sandkeeper env a1" 'only what was asked for is shown'
is "$(grep '^\[' "$(entry_path a1)" | tr -d '\n')" '[postgres][redis]' \
    'E2: both are on record'

cold
owner a1
sk ensure a1 --services postgres
fake fault exec "posthook='$FAKE_DOCKER' fake-do kill $PG"
entry_was=$(cat "$(entry_path a1)")
sk --json ensure a1 --services redis
is "$rc $(kind)" '75 died' \
    'E7: what is kept dies while the other is made: no success'
containers_are "roboco-agent-a1 $PG" 'E7: what this call made is gone'
is "$(cat "$(entry_path a1)")" "$entry_was" 'E7: the entry is what it was'
fake fault exec
sk ensure a1 --services redis,postgres
is "$rc" 0 'E2: and the next one mends it'
for name in $PG $REDIS; do
	is "$(fake inspect "$name" State.Status)" running "E2: $name lives"
done

# --- projects: the whole set, but only what was asked for is shown

cold
owner a1
settings sandkeeper.conf <<'EOF'
project "api" { services = {"postgres", "redis"} }
EOF
sk ensure a1 -c "$conf" --project api --services redis --dotenv
is "$rc $(echo "$out" | grep -c '^PGHOST=\|^REDIS_URL=')" '0 1' \
    'E2: a project: not asked for, not shown'
containers_are "roboco-agent-a1 $PG $REDIS" "E2: the project's whole set is made"
sk ensure a1 -c "$conf" --project api --dotenv
is "$(echo "$out" | grep -c '^PGHOST=\|^REDIS_URL=')" 2 \
    'E2: a project alone asks for its services'
cold
owner a1
sk ensure a1 --services redis --also postgres --dotenv
is "$(echo "$out" | cut -d_ -f 1-3 | sort -u | tr '\n' ' ')$(boxes | wc -l)" \
    "$(printf 'REDIS_URL=redis://default:%s@%s:6379/0 ROBOCO_TEST_REDIS 2' \
    "$(password a1 redis)" $REDIS)" 'E2: --also is made, and not shown'

# --- dead, gone, replaced, restarted: made anew, and the other one not

# anew HOW
anew()
{
	sk ensure a1 --services postgres,redis --json
	is "$rc" 0 "E4: $1: code"
	isnt "$(fake inspect $PG Id)" "${pg_was% *}" "E2: $1: a new container"
	isnt "$(password a1 postgres)" "${pg_was#* }" "E2: $1: a new password"
	is "$(redis_is)" "$redis_was" "E2: $1: the other one is left as it is"
	is "$(echo "$out" | grep '"fresh"' | tr -d ' \n')" \
	    '"fresh":true"fresh":false' "$1: which is fresh"
	containers_are "roboco-agent-a1 $PG $REDIS" "E5: $1: no leftover"
	sk ensure a1 --services postgres,redis
	is "$(echo "$out" | grep -c 'as it was')" 2 "E4: $1: then a hit"
}

for state in exited dead created restarting; do
	both
	fake set $PG "status=$state"
	anew "$state"
done
both
fake set $PG status=removing
fake fault rm "posthook='$FAKE_DOCKER' fake-set $PG status=exited; '$FAKE_DOCKER' fake-do rm -f -v $PG"
anew 'being removed by somebody else'
both
fake "do" rm -f -v $PG >/dev/null
anew gone
both
fake "do" rm -f -v $PG >/dev/null
sandbox a1 pg --network team
anew 'replaced by another of ours'
both
started_was=$(entry_value a1 postgres started)
fake "do" rm -f -v $PG >/dev/null
sandbox a1 pg --network team
fake set $PG "started=$started_was"
anew 'replaced by another of ours, which began at the same moment'
both
fake "do" restart $PG >/dev/null
anew 'restarted, its tmpfs lost'
both
fake set $PG oom=true status=exited exit=137 'logs=out of luck\n'
anew 'killed for its memory'
like "$(history)" "\"container\": *\"$PG\".*\"exit_code\": *137" \
    'R8: the dead one is in the history'
both
sed -i 's/^expires=0/expires=1000/' "$(entry_path a1)"
sk ensure a1 --services postgres
isnt "$(pg_is)" "$pg_was" 'E4: the lease has passed: made anew'
is "$(entry_value a1 - expires)" 0 'E4: and the old lease does not come back'

# --- paused

both
fake "do" pause $PG >/dev/null
sk ensure a1 --services postgres
is "$rc" 0 'E4: paused: code'
calls_are 'inspect unpause' 'E4: paused: the calls'
is "$(fake inspect $PG State.Status)" running 'E4: a paused one is unpaused'
is "$(pg_is)" "$pg_was" 'E4: paused: the same credentials'
fake "do" pause $PG >/dev/null
fake reset-calls
sk ensure a1 --services mongo
is "$rc" 0 'E4: paused, and one more service'
calls_are 'inspect unpause image run exec inspect' 'E4: unpaused before it is verified'
is "$(pg_is)" "$pg_was" 'E4: paused, and one more: left as it is'

both
fake "do" pause $PG >/dev/null
fake fault unpause rc=0
sk ensure a1 --services postgres
is "$rc" 75 'E4: unpause exits 0 and says nothing: code'
like "$err" 'unpause: exit code 0, and not a word of' 'E4: and why'
is "$(pg_is)" "$pg_was" 'E4: and it stays as it is'

# --- --fresh, --replace

both
sk ensure a1 --services postgres --fresh --json
isnt "$(fake inspect $PG Id)" "${pg_was% *}" '--fresh: a new container'
isnt "$(password a1 postgres)" "${pg_was#* }" '--fresh: new credentials'
is "$(redis_is)" "$redis_was" \
    'E2: --fresh: what was not asked for is left as it is'
calls_are 'inspect image inspect rm run exec inspect' '--fresh: the calls'
like "$(history)" '"cause": *"ensure", *"reason": *"replaced"' \
    'R8: what was replaced is in the history'
both
sk ensure a1 --services postgres --replace
is "$(pg_is)" "$pg_was" '--replace without a need replaces nothing'
calls_are inspect '--replace without a need: a hit'

# --- what contradicts the entry

fake network other >/dev/null
for args in '--image postgres=pg:other' '--network other' '--memory 700m' \
    '--data-size 100m'; do
	both
	fake network other >/dev/null
	# shellcheck disable=SC2086 # words
	{
		sk --json ensure a1 --services postgres $args
		is "$rc $(kind)" '65 live-container' "E4: $args: code"
		like "$err" "a1: ${args%% *}: the live postgres" \
		    "E4: $args: is named"
		like "$err" 'hint: --replace' "E4: $args: the remedy"
		calls_are inspect "E4: $args: one call"
		is "$(pg_is)$(cat "$(entry_path a1)")" "$pg_was$entry_was" \
		    "E2: $args: nothing has changed"
		sk ensure a1 --services postgres $args --replace
		is "$rc" 0 "E2: $args --replace: code"
		isnt "$(pg_is)" "$pg_was" "E2: $args --replace: made anew"
		fake reset-calls
		sk ensure a1 --services postgres $args
		calls_are inspect "E4: $args: then a hit"
	}
	case $args in
	--network*)
		isnt "$(redis_is)" "$redis_was" 'E10: one network for all' ;;
	*)	is "$(redis_is)" "$redis_was" "E2: $args: only that one" ;;
	esac
done
both
sk ensure a1 --services postgres --image postgres=postgres:16-alpine \
    --network team --memory 524288k --data-size 262144k
is "$rc" 0 'E4: options that say what is on record: a hit'
calls_are inspect 'E4: options that say what is on record: one call'
sk ensure a1 --services postgres --network owner
is "$rc" 0 'E4: --network owner asks for what is chosen anyway'
sk ensure a1 --services mongo --memory 700m
is "$rc" 0 'E4: the limits are those of what is asked for'
both
fake network elsewhere >/dev/null
fake "do" rm -f roboco-agent-a1 >/dev/null
agent a1 --network elsewhere
sk --json ensure a1 --services postgres
is "$rc $(kind)" '65 live-container' 'E4: the owner is in its network no more'
like "$err" 'network team, which its owner has left' 'E4: the network is named'
sk ensure a1 --services postgres --replace
is "$rc $(entry_value a1 - network)" '0 elsewhere' 'E4: --replace follows it'

# --- an engine that has left the settings

cold
owner a1
settings sandkeeper.conf <<'EOF'
engine "own" { like = "postgres"  short = "own"  image = "postgres:16-alpine" }
EOF
sk ensure a1 -c "$conf" --services own
id=$(fake inspect roboco-sandbox-own-a1 Id)
sk ensure a1 --services redis
is "$rc" 0 'an engine that is gone: code'
like "$err" "warning: .*'own'" 'an engine that is gone: a warning'
is "$(entry_value a1 own id) $(fake inspect roboco-sandbox-own-a1 Id)" \
    "$id $id" 'an engine that is gone: container and record stay'

# --- an owner that has ended already

cold
owner a1 --state exited --finished "$OLD"
sk ensure a1 --services redis
is "$rc" 0 'O1: its owner has exited: it gets its sandbox'
like "$err" 'a1: its owner, the container roboco-agent-a1, does not run: the sandbox is swept' \
    'O1: and a warning'
sk ensure a1 --services redis
like "$err" 'does not run: the sandbox is swept' 'O1: a hit warns, too'
cold
sk ensure a1 --services redis --network team
unlike "$err" 'does not run' 'O1: one that is yet to come is no reason for it'

done_testing
