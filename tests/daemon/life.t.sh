#!/bin/sh
# SPDX-License-Identifier: ISC
#
# The whole life of a sandbox, with a real PostgreSQL and a real Redis: made,
# used by a shell beside it, handed over again, repaired, removed.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/lib/daemon.sh
. "$TESTS_LIB/daemon.sh"

net=sk-life-$$
pg=$(sandbox_of pg be-dev-1)
redis=$(sandbox_of redis be-dev-1)
AGENT_IMAGE=agent:test

# clients FILE: a shell in a container of the same network evaluates the lines
# that ensure printed, and talks to both services.
# shellcheck disable=SC2016 # for that shell
clients()
{
	cat "$1" - <<-'END' >"$T/script"
		set -eu
		psql -Atc "select 'pg', current_user, inet_server_port()"
		psql -Atc "select 'url', current_database()" "$DATABASE_URL"
		PGPASSWORD=wrong psql -w -Atc 'select 1' 2>&1 |
		    sed -n 's/.*\(password authentication failed\).*/\1/p'
		PGPASSWORD='' psql -w -Atc 'select 1' 2>&1 |
		    sed -n 's/.*\(no password supplied\).*/\1/p'
		host=$ROBOCO_TEST_REDIS_HOST
		export REDISCLI_AUTH="$ROBOCO_TEST_REDIS_PASSWORD"
		redis-cli -h "$host" -p "$ROBOCO_TEST_REDIS_PORT" ping
		redis-cli -u "$REDIS_URL" set k v
		REDISCLI_AUTH=wrong redis-cli -h "$host" get k 2>&1 |
		    sed -n 's/.*\(WRONGPASS\).*/\1/p' | uniq
		unset REDISCLI_AUTH
		redis-cli -h "$host" get k 2>&1
	END
	stdin=$T/script
	run "$D" run --rm -i --label "sandkeeper-test=$T" --network "$net" \
	    agent:test sh
	stdin=/dev/null
}

all_right='pg|sandbox|5432
url|sandbox
password authentication failed
no password supplied
PONG
OK
WRONGPASS
NOAUTH Authentication required.'

# value FILE NAME
value()
{
	sed -n "s/^export $2='\(.*\)'\$/\1/p" "$1"
}

daemon_world
make_network "$net"
dk run -d --label "sandkeeper-test=$T" --network "$net" \
    --name roboco-agent-be-dev-1 agent:test \
    sh -c 'echo "hello from the agent"; exec sleep 86400' >/dev/null
volumes_before=$(volumes)

# --- ensure, from cold

sk ensure be-dev-1 --services postgres,redis --env
is "$rc" 0 'E5: ensure makes a sandbox'
is "$err" '' 'E5: and has nothing to say'
cp "$out_file" "$T/first"
unlike "$out" "^(false|.*'')\$" 'E6: every variable has a value'
like "$(value "$T/first" PGPASSWORD)" '^[0-9a-f]{32}$' \
    'E8: a password of 32 hex digits'
clients "$T/first"
is "$out" "$all_right" \
    'E6: psql and redis-cli log in over TCP, and not with another password'
is "$(volumes)" "$((volumes_before + 1))" \
    'the image of PostgreSQL has a volume that nothing uses'

word=$(value "$T/first" PGPASSWORD)
other=$(value "$T/first" ROBOCO_TEST_REDIS_PASSWORD)
check_not 'E8: no secret is in an argv of the client' \
    grep -qF -e "$word" -e "$other" "$T/argv"
seen=$(dk inspect --format '{{json .Path}}{{json .Args}}{{json .Config.Cmd}}' \
    "$pg" "$redis"; dk top "$pg"; dk top "$redis")
unlike "$seen" "$word|$other" "E8: no secret is in an argv of a container's"
check_not 'E8: no secret is in the logs of the containers' \
    sh -c "'$D' logs '$pg' 2>&1 | grep -qF '$word' ||
	'$D' logs '$redis' 2>&1 | grep -qF '$other'"
is "$(stat -c %a "$(entry_path be-dev-1)")" 600 \
    'the entry is readable by its owner alone'
limits='536870912 1000000000 512'
has_limits || limits='0 0 0'
is "$(dk inspect --format '{{.HostConfig.Memory}} {{.HostConfig.NanoCpus}} {{.HostConfig.PidsLimit}} {{json .HostConfig.SecurityOpt}}' \
    "$pg")" "$limits [\"no-new-privileges\"]" \
    'E9: limits of memory, processors and processes'

# --- handed over again

forget_calls
sk ensure be-dev-1 --services postgres,redis --env
is "$rc" 0 'E4: ensure again'
check 'E4: with the same credentials' cmp -s "$T/first" "$out_file"
is "$(verbs)" inspect 'E4: by one docker call'
forget_calls
sk env be-dev-1 --dotenv
is "$(verbs)" '' 'env: the credentials again, without calling docker'
cp "$out_file" "$T/dotenv"
run "$D" run --rm --label "sandkeeper-test=$T" --network "$net" \
    --env-file "$T/dotenv" agent:test psql -Atc 'select 6 * 7'
is "$out" 42 'env --dotenv: fit for docker run --env-file'
sk env be-dev-1 --docker-args
# shellcheck disable=SC2086 # words
run "$D" run --rm --label "sandkeeper-test=$T" --network "$net" $out \
    agent:test psql -Atc 'select 6 * 7'
is "$out" 42 'env --docker-args: fit for docker run'
is "$(stat -c %a "$SANDKEEPER_STATE_DIR")" 700 'the state is ours alone'

# --- one more service, and one that was killed

sk ensure be-dev-1 --services postgres --env
check 'E2: asked for less, nothing goes' is_up "$redis"
! can_pause || dk pause "$pg" >/dev/null
sk ensure be-dev-1 --services postgres,redis --env
check 'E4: a paused one is handed over as it is' cmp -s "$T/first" "$out_file"
check 'E4: and runs again' is_up "$pg"

pg_id=$(id_of "$pg")
dk kill "$redis" >/dev/null
sk ensure be-dev-1 --services postgres,redis --env
is "$rc" 0 'E2: one killed by hand, ensure'
cp "$out_file" "$T/second"
isnt "$(value "$T/second" REDIS_URL)" "$(value "$T/first" REDIS_URL)" \
    'E2: it is new, with new credentials'
is "$(value "$T/second" PGPASSWORD) $(id_of "$pg")" "$word $pg_id" \
    'E2: the healthy one keeps its container and its credentials'
clients "$T/second"
is "$out" "$all_right" 'E2: and both work'

dk restart -t 0 "$redis" >/dev/null
sk ensure be-dev-1 --services postgres,redis --env
isnt "$(value "$out_file" REDIS_URL)" "$(value "$T/second" REDIS_URL)" \
    'E4: one that was restarted has lost its data, and is made anew'
check 'E4: it runs' is_up "$redis"

# --- the end

sk list
like "$out" '^be-dev-1 +postgres +running +alive ' 'list: who owns it, alive'
sk remove roboco-agent-be-dev-1 --reason 'the test is over'
is "$rc" 0 'R4: remove'
for name in roboco-agent-be-dev-1 "$pg" "$redis"; do
	check "R4: no container is left: $name" is_gone "$name"
done
is "$(dk ps -aq --filter label=roboco.sandbox.owner=roboco-agent-be-dev-1)" '' \
    'R4: and none under any other name'
is "$(volumes)" "$volumes_before" 'T3: no anonymous volume is left'
check 'R4: no entry is left' has_no_entry be-dev-1
dump=$(find "$T/log/agents/be-dev-1" -name '*.log')
is "$(cat "$dump")" 'hello from the agent' "R2: its log is kept"
is "$(stat -c %a "$dump")" 640 'R2: with mode 0640'
like "$(tail -n 2 "$T/log/history.jsonl")" '"the test is over"' \
    'R8: the history tells why'
check_not 'R8: no secret is in the history' grep -qF -e "$word" -e "$other" \
    "$T/log/history.jsonl"
sk why be-dev-1
like "$out" "roboco-sandbox-pg-be-dev-1 +remove" 'why: what ended it'
forget_calls
sk release be-dev-1
is "$rc $(verbs)" '0 ' 'L1: nothing to release, no docker call'

# --- release, and again

agent be-dev-1 --network "$net"
sk ensure be-dev-1 --services redis
like "$out" "^redis +$(host_of "$redis" "$net"):6379 +fresh\$" \
    'ensure: a summary for people'
sk release be-dev-1
is "$rc" 0 'L2: release'
check 'L2: the container is gone' is_gone "$redis"
check 'L2: the entry, too' has_no_entry be-dev-1
check 'L2: the agent stays' is_up roboco-agent-be-dev-1
is "$(volumes)" "$volumes_before" 'L2: no anonymous volume is left'
is "$(state_files)" '' 'and no lock or mark'

done_testing
