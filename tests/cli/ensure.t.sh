#!/bin/sh
# SPDX-License-Identifier: ISC
#
# ensure from nothing, and again: the calls that it makes, what they are given,
# what is on disk when, and every form of the answer (rules E4, E5, E6, E9).

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/ensure.sh
. "$TESTS_LIB/../cli/ensure.sh"

# --- the number of calls

for services in redis postgres,redis postgres,redis,mongo; do
	cold
	owner a1
	sk ensure a1 --services "$services"
	is "$rc $err" '0 ' "cold, $services: code, and silent"
	k=$(echo "$services" | tr ',' '\n' | wc -l)
	case $k in
	1)	calls_are 'inspect image run exec inspect' 'E5: 3 + 2, k = 1' ;;
	2)	calls_are 'inspect image run run exec exec inspect' \
		    'E5: 3 + 4, k = 2' ;;
	3)	calls_are 'inspect image run run run exec exec exec inspect' \
		    'E5: 3 + 6, k = 3' ;;
	esac
	is "$(boxes | wc -l)" "$k" 'E5: one container for each'
	check 'E3: the lock is free again' unlocked a1
	fake reset-calls
	sk ensure a1 --services "$services"
	calls_are inspect "E4: again, k = $k: one call"
done

# --- the calls themselves

labels() { # NAME SLUG SERVICE
	printf '%s' "--name $1 --label roboco.sandbox=1"
	printf ' %s' "--label roboco.sandbox.owner=roboco-agent-$2" \
	    "--label sandkeeper.keeper=$KEEPER" \
	    "--label sandkeeper.agent=$2" "--label sandkeeper.service=$3" \
	    "--label sandkeeper.owner=container:roboco-agent-$2" \
	    '--label sandkeeper.expires=0' '--label sandkeeper.version=1'
}

pg_durability='-c fsync=off -c full_page_writes=off -c synchronous_commit=off -c max_wal_size=32MB -c min_wal_size=32MB -c wal_level=minimal -c max_wal_senders=0'

cold
owner a1
# Alone, so that the order of the calls is sure.
sk ensure a1 --services postgres
is "$(asked)" "inspect --type container --format FORMAT roboco-agent-a1 roboco-sandbox-pg-a1
image inspect --format '{{.Id}}' postgres:16-alpine
run -d --pull never $(labels roboco-sandbox-pg-a1 a1 postgres) --network team --memory 512m --cpus 1 --pids-limit 512 --shm-size 128m --security-opt no-new-privileges --tmpfs /sandbox:size=256m -e POSTGRES_USER=sandbox -e POSTGRES_DB=sandbox -e PGDATA=/sandbox/data -e POSTGRES_PASSWORD postgres:16-alpine postgres $pg_durability
exec <roboco-sandbox-pg-a1> sh -c LOOP sh 60 '' pg_isready -h 127.0.0.1 -U sandbox
inspect --type container --format FORMAT <roboco-sandbox-pg-a1>" \
    'E5, E8, E9: postgres, every call'
cold
owner a1
sk ensure a1 --services redis
is "$(asked | sed -n 3,4p)" "run -d --pull never $(labels roboco-sandbox-redis-a1 a1 redis) --network team --memory 512m --cpus 1 --pids-limit 512 --security-opt no-new-privileges --tmpfs /data:size=128m --entrypoint sh -e REDIS_MODULES= -e REDISCLI_AUTH redis:8-alpine -c START
exec <roboco-sandbox-redis-a1> sh -c LOOP sh 15 '' sh -c PROBE" \
    'E6, E8, E9: redis'
cold
owner a1
sk ensure a1 --services mongo --memory 1g --data-size 300m --set cpus=0 \
    --set pids-limit=0 --set image-prefix=registry.local/hub/
is "$rc" 0 'limits: code'
run_call=$(calls run)
like "$run_call" ' --memory 1g --security-opt no-new-privileges --tmpfs /data/db:size=300m ' \
    'E9: --memory and --data-size, and 0 leaves an option out'
like "$run_call" ' registry\.local/hub/mongo:8 mongod ' \
    'image-prefix, and the pull of what it names'
is "$(calls pull)" 'pull registry.local/hub/mongo:8' 'E5: that is pulled'
is "$(entry_value a1 mongo memory) $(entry_value a1 mongo data-size)" \
    '1g 300m' 'the limits are on record'

# compose = owner: of the owner's project, as a service of its own.
for compose in off owner; do
	cold
	owner a1 --label com.docker.compose.project=shop \
	    --label com.docker.compose.service=agent
	sk ensure a1 --services postgres --set compose=$compose
	is "$rc" 0 "E9: compose = $compose: code"
	is "$(calls run | grep -o 'com\.docker\.compose\.[^ ]*' | tr '\n' ' ')" \
	    "$([ $compose = off ] || printf 'com.docker.compose.%s ' \
	    project=shop service=roboco-sandbox-pg-a1 oneoff=False \
	    config-hash=sandkeeper)" "E9, case 28: compose = $compose: its labels"
done
cold
owner a1
sk ensure a1 --services postgres --set compose=owner
unlike "$(calls run)" compose 'E9: an owner that is in no project'

# An engine of the user's own, with every key that changes the call.
cold
owner a1
fake image own:1 '{"ports":["99/tcp"]}'
settings sandkeeper.conf <<'EOF'
engine "own" {
  short = "own"  image = "own:1"  port = 99  user = "u"  database = "d"
  entrypoint = "/start"  run-as = "1:2"  run-options = {"--cap-drop", "ALL"}
  environment = {"U=%u-%d"}  secret-environment = {"SECRET"}  command = {"-p", "%p"}
  ready = {"probe", "%u"}  ready-expect = "fine"  ready-timeout = "7s"
  export = {"OWN_URL=own://%u:%w@%h:%p/%d"}
}
EOF
sk ensure a1 -c "$conf" --services own --memory 0
is "$(asked | sed -n 3,4p)" "run -d --pull never $(labels roboco-sandbox-own-a1 a1 own) --network team --cpus 1 --pids-limit 512 --security-opt no-new-privileges --user 1:2 --entrypoint /start -e U=u-d -e SECRET --cap-drop ALL own:1 -p 99
exec <roboco-sandbox-own-a1> sh -c LOOP sh 7 fine probe u" \
    'E9: an engine from the settings'

# --- what is on disk when

cold
owner a1
fake fault inspect.1 "hook=cp -p '$(entry_path a1)' '$T/first' && cp -p '$T/state/locks/a1' '$T/lock'"
fake fault run "hook=cp -p '$(entry_path a1)' '$T/run'"
fake fault inspect.2 "hook=cp -p '$(entry_path a1)' '$T/last'"
sk ensure a1 --services postgres,redis
is "$rc" 0 'entry: code'
for moment in first run last; do
	is "$(stat -c %a "$T/$moment")" 600 "E5: the intent, $moment: its mode"
	is "$(sed -n 3p "$T/$moment")" state=provisioning \
	    "E5: the intent, $moment: its state"
	is "$(grep -c '^container=roboco-sandbox-\(pg\|redis\)-a1$' \
	    "$T/$moment") $(grep -c '^password=[0-9a-f]\{32\}$' "$T/$moment")" \
	    '2 2' "E5: the intent, $moment: all services, with passwords"
done
check 'E3: the lock is held from before the first call' test -s "$T/lock"
is "$(sed -n 3p "$(entry_path a1)")" state=ready 'E5: committed in the end'
for key in password container; do
	is "$(entry_value a1 postgres $key)" \
	    "$(sed -n "s/^$key=//p" "$T/first" | sed -n 1p)" \
	    "E5: the $key of the intent is that of the commit"
done
is "$(entry_value a1 redis id)" "$(fake inspect roboco-sandbox-redis-a1 Id)" \
    'E5: the full id is recorded'
is "$(entry_value a1 redis started)" \
    "$(fake inspect roboco-sandbox-redis-a1 State.StartedAt)" \
    'E4: so is StartedAt, as docker wrote it'
is "$(entry_value a1 - owner) $(entry_value a1 - owner-id)" \
    "container:roboco-agent-a1 $(id_of roboco-agent-a1)" 'the owner, by name and id'

# --- a hit

boxes_before=$(boxes)
cp "$(entry_path a1)" "$T/before"
inode=$(stat -c '%i %y' "$(entry_path a1)")
sk ensure a1 --services redis,postgres --json
is "$rc $err" '0 ' 'E4: a hit: code, and silent'
is "$(boxes)" "$boxes_before" 'E4: a hit: the same containers'
is "$(stat -c '%i %y' "$(entry_path a1)")" "$inode" \
    'E4: a hit leaves the entry alone'
is "$(echo "$out" | grep -c '"fresh": false')" 2 'E4: a hit is not fresh'
fake reset-calls
sk ensure a1 --services redis
calls_are inspect 'E4: a part of what is there: one call'
like "$(calls)" 'roboco-agent-a1 roboco-sandbox-pg-a1 roboco-sandbox-redis-a1$' \
    'E4: that call looks at the owner and at all of the sandbox'

# --- the forms of the answer

pg_word=$(password a1 postgres)
redis_word=$(password a1 redis)
like "$pg_word$redis_word" '^[0-9a-f]{64}$' 'E8: 32 hex digits each'
isnt "$pg_word" "$redis_word" 'E8: each service has a password of its own'
sk ensure a1 --services postgres,redis
is "$out" 'SERVICE   WHERE                         SANDBOX
postgres  roboco-sandbox-pg-a1:5432     as it was
redis     roboco-sandbox-redis-a1:6379  as it was

The credentials: sandkeeper env a1' 'the summary has no password'
want="ROBOCO_TEST_DB_HOST=roboco-sandbox-pg-a1
ROBOCO_TEST_DB_PORT=5432
ROBOCO_TEST_DB_USER=sandbox
ROBOCO_TEST_DB_PASSWORD=$pg_word
ROBOCO_TEST_DB_ADMIN_DB=sandbox
PGHOST=roboco-sandbox-pg-a1
PGPORT=5432
PGUSER=sandbox
PGPASSWORD=$pg_word
PGDATABASE=sandbox
DATABASE_URL=postgresql://sandbox:$pg_word@roboco-sandbox-pg-a1:5432/sandbox
ROBOCO_TEST_REDIS_HOST=roboco-sandbox-redis-a1
ROBOCO_TEST_REDIS_PORT=6379
ROBOCO_TEST_REDIS_PASSWORD=$redis_word
REDIS_URL=redis://default:$redis_word@roboco-sandbox-redis-a1:6379/0"
sk ensure a1 --services postgres,redis --dotenv
is "$out" "$want" '--dotenv: names and values'
sk ensure a1 --services postgres,redis --docker-args
is "$out" "$(printf '%s\n' "$want" | sed 's/^/-e /' | tr '\n' ' ')" \
    '--docker-args: words for docker'
sk ensure a1 --services postgres,redis --env
# shellcheck disable=SC2016 # for the other shell
is "$(env -i PATH="$PATH" sh -euc 'eval "$1"; env' sh "$out" |
    grep -v '^P[AW][TD]' | LC_ALL=C sort)" \
    "$(printf '%s\n' "$want" | LC_ALL=C sort)" '--env: what a shell makes of it'
env_out=$out
sk env a1
is "$out" "$env_out" 'env gives the same again'
sk ensure a1 --services redis --json
is "$out" "{
  \"redis\": {
    \"host\": \"roboco-sandbox-redis-a1\",
    \"port\": 6379,
    \"user\": null,
    \"password\": \"$redis_word\",
    \"database\": null,
    \"env\": {
      \"ROBOCO_TEST_REDIS_HOST\": \"roboco-sandbox-redis-a1\",
      \"ROBOCO_TEST_REDIS_PORT\": \"6379\",
      \"ROBOCO_TEST_REDIS_PASSWORD\": \"$redis_word\",
      \"REDIS_URL\": \"redis://default:$redis_word@roboco-sandbox-redis-a1:6379/0\"
    },
    \"fresh\": false
  }
}" '--json: only what was asked for'

cold
owner m1
sk ensure m1 --services mongo --dotenv
word=$(password m1 mongo)
is "$out" "ROBOCO_TEST_MONGO_HOST=roboco-sandbox-mongo-m1
ROBOCO_TEST_MONGO_PORT=27017
ROBOCO_TEST_MONGO_USER=sandbox
ROBOCO_TEST_MONGO_PASSWORD=$word
ROBOCO_TEST_MONGO_AUTH_DB=admin
MONGODB_URI=mongodb://sandbox:$word@roboco-sandbox-mongo-m1:27017/?authSource=admin" \
    'mongo: the exact names'

# --- E6: it returns when the service is ready

cold
owner a1
fake image postgres:16-alpine '{"ready_after_ms":400}'
start_clock
sk ensure a1 --services postgres
stop_clock
check 'E6: not before it is ready' test "$clock_stopped" -ge 400
calls_are 'inspect image run exec inspect' 'E6: one call waits'
cold
owner a1
fake image postgres:16-alpine '{"ready_after_ms":500,"shell":false}'
start_clock
sk ensure a1 --services postgres
is "$rc" 0 'E6: an image without a shell'
stop_clock
check 'E6: without a shell: not before it is ready' \
    test "$clock_stopped" -ge 500
like "$(asked | tail -n 2 | head -n 1)" \
    '^exec <roboco-sandbox-pg-a1> pg_isready -h 127.0.0.1 -U sandbox$' \
    'E6: without a shell the probe itself is called'

done_testing
