#!/bin/sh
# SPDX-License-Identifier: ISC
#
# env: the credentials again, from the cache, in each form; never docker.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"

cached()
{
	scene
	entry dev-1 pg redis
	before=$(state)
}

# --- for a shell

cached
SANDKEEPER_ENABLED=false SANDKEEPER_DOCKER=/nowhere sk env dev-1
is "$rc$err" 0 'env: from the cache, whatever the flag and docker'
is "$out" "export ROBOCO_TEST_DB_HOST='roboco-sandbox-pg-dev-1'
export ROBOCO_TEST_DB_PORT='5432'
export ROBOCO_TEST_DB_USER='sandbox'
export ROBOCO_TEST_DB_PASSWORD='secret-pg-dev-1'
export ROBOCO_TEST_DB_ADMIN_DB='sandbox'
export PGHOST='roboco-sandbox-pg-dev-1'
export PGPORT='5432'
export PGUSER='sandbox'
export PGPASSWORD='secret-pg-dev-1'
export PGDATABASE='sandbox'
export DATABASE_URL='postgresql://sandbox:secret-pg-dev-1@roboco-sandbox-pg-dev-1:5432/sandbox'
export ROBOCO_TEST_REDIS_HOST='roboco-sandbox-redis-dev-1'
export ROBOCO_TEST_REDIS_PORT='5432'
export ROBOCO_TEST_REDIS_PASSWORD='secret-redis-dev-1'
export REDIS_URL='redis://default:secret-redis-dev-1@roboco-sandbox-redis-dev-1:5432/0'" \
    'env: export lines of each service'
calls_are '' 'env: no docker call'
check 'env: nothing changed' same_state "$before"
sk env --env dev-1
is "$rc" 0 'env --env is the same'
eval "$("$SANDKEEPER" env dev-1)"
is "$PGPASSWORD" secret-pg-dev-1 'env: eval takes it'

sed -i "s/^password=secret-pg.*/password=it's \$HOME \`x\`/" \
    "$T/state/agents/dev-1"
eval "$("$SANDKEEPER" env dev-1)"
# shellcheck disable=SC2016 # as it is
is "$PGPASSWORD" 'it'\''s $HOME `x`' 'env: whatever the value holds'

# --- the other forms

cached
sk env dev-1 --dotenv --services redis
is "$rc $out" '0 ROBOCO_TEST_REDIS_HOST=roboco-sandbox-redis-dev-1
ROBOCO_TEST_REDIS_PORT=5432
ROBOCO_TEST_REDIS_PASSWORD=secret-redis-dev-1
REDIS_URL=redis://default:secret-redis-dev-1@roboco-sandbox-redis-dev-1:5432/0' \
    '--dotenv, --services: plain K=V'
sk env dev-1 --docker-args --services redis
# shellcheck disable=SC2086 # words
set -- $out
is "$rc $# $1 $2" '0 8 -e ROBOCO_TEST_REDIS_HOST=roboco-sandbox-redis-dev-1' \
    '--docker-args: -e K=V words'
sk env dev-1 --json
is "$rc $(jq -c '[keys[],(.postgres|keys_unsorted)]' "$out_file")" \
    '0 ["postgres","redis",["host","port","user","password","database","env","fresh"]]' \
    '--json: the services, each with these keys'
is "$(jq -c '[.redis.user,.redis.database,.redis.password,.postgres.fresh,.postgres.port,.postgres.env.PGUSER]' "$out_file")" \
    '[null,null,"secret-redis-dev-1",false,5432,"sandbox"]' \
    '--json: what redis lacks is null'
sk env dev-1 --json --dotenv
is "$rc" 64 'two forms at once'
sed -i 's/^features=$/features=vector,postgis/' "$T/state/agents/dev-1"
sk env dev-1 --json
is "$(jq -c '[.postgres.available_extensions,.redis.available_modules]' "$out_file")" \
    '[["postgis","vector"],["postgis","vector"]]' '--json: features, sorted'

# --- -- CMD

cached
# shellcheck disable=SC2016 # for the command
sk env dev-1 -- sh -c 'echo "$PGUSER $1"; exit 7' sh arg
is "$rc $out" '7 sandbox arg' '-- CMD: runs it with the variables'
calls_are '' '-- CMD: no docker call'
sk env dev-1 -- /nowhere/cmd
is "$rc" 127 '-- CMD: that is not there: 127'
is "$out" '' '-- CMD: stdout is the command'\''s alone'
sk env dev-1 -- "$T"
is "$rc" 126 '-- CMD: that cannot be run: 126'
# shellcheck disable=SC2016
start "$SANDKEEPER" env dev-1 -- sh -c 'echo $$; exec cat /proc/self/status'
finish
is "$(echo "$out" | head -n 1)" "$pid" '-- CMD: we have become it'
is "$(echo "$out" | sed -n 's/^Sig\([BIC]..\).*\(.\{7\}\)$/\1 \2/p')" \
    'Blk 0000000
Ign 0000000
Cgt 0000000' '-- CMD: no signal is ignored, blocked or caught'
# shellcheck disable=SC2016
(
	PGUSER=mine
	export PGUSER
	unset PGHOST
	umask 027
	sk env dev-1 --services redis -- sh -c 'echo "$PGUSER ${PGHOST:-none} $REDIS_URL"; umask'
	printf '%s\n' "$out" >"$T/given"
)
is "$(cat "$T/given")" \
    'mine none redis://default:secret-redis-dev-1@roboco-sandbox-redis-dev-1:5432/0
0027' '-- CMD: the variables of these services, the rest as it was'
echo typed >"$T/typed"
stdin=$T/typed
sk env dev-1 -- cat
is "$out" typed '-- CMD: stdin is its own'
stdin=/dev/null
echo 'echo script; exit 3' >"$T/script"
chmod 755 "$T/script"
sk env dev-1 -- "$T/script"
is "$rc $out" '3 script' '-- CMD: a script without a first line is one of sh'
sk env dev-1 --
is "$rc" 64 '-- and no command: usage'
sk env nobody -- echo boom
is "$rc $out" '65 ' '-- CMD: no sandbox: it is not run'

# --- recorded exports: what the last ensure handed over

scene
agent_up() { fake container "$AGENT-dev-1" --state running >/dev/null; }
agent_up
cp -R "$SANDKEEPER_ENGINES_DIR" "$T/engines"
SANDKEEPER_ENGINES_DIR=$T/engines
sk ensure dev-1 --services redis --dotenv
is "$rc" 0 'ensure: made'
handed=$out
for settings in '--set grace=x' '-c /nowhere.conf' \
    '--set engines-dir=/nowhere'; do
	# shellcheck disable=SC2086 # words
	sk $settings env dev-1 --dotenv
	is "$rc $out" "0 $handed" \
	    "env: credentials need no settings and no engines ($settings)"
done
sed -i 's/REDIS_URL=/CACHE_URL=/' "$T/engines/redis.conf"
sk env dev-1 --dotenv
is "$out" "$handed" 'env: an engine changed since: as it was handed over'
fake reset-calls
sk ensure dev-1 --services redis --dotenv
is "$rc $out" "0 $(printf '%s\n' "$handed" | sed 's/^REDIS_URL=/CACHE_URL=/')" \
    'ensure: what the engine exports now'
calls_are inspect 'E2: still one call'
sk env dev-1 --dotenv
like "$out" CACHE_URL= 'env: and from then on'
entry_before=$(cat "$T/state/agents/dev-1")
sk ensure dev-1 --services redis --dotenv
is "$(cat "$T/state/agents/dev-1")" "$entry_before" \
    'ensure: nothing to record: the entry is as it was'

# --- failures: eval "$(sandkeeper env ...)" has to fail, too

fails()
{
	what=$1
	code=$2
	shift 2
	sk "$@"
	is "$rc $out" "$code false" "$what: exit $code, and the line 'false'"
}

cached
fails 'no sandbox' 65 env nobody
like "$err" 'nobody: it has no sandbox' 'no sandbox: told'
fails 'no such service' 65 env dev-1 --services postgres,mongo
fails 'a wrong name' 65 env ../dev-1
fails 'no agent' 64 env
fails 'two agents' 64 env dev-1 dev-2
fails 'an unknown option' 64 env --no-such dev-1
fails 'an unknown option before it' 64 --no-such env dev-1
fails 'an option without its value' 64 env dev-1 --services
# the entry is one of before exports were recorded
fails 'wrong settings' 78 --set grace=x env dev-1
fails 'no settings file' 78 -c /nowhere.conf env dev-1
entry dev-1 state=provisioning pg
fails 'being made' 75 env dev-1
sed -i '1s/1/2/' "$T/state/agents/dev-1"
fails 'a newer entry' 78 env dev-1
chmod 777 "$T/state"
fails 'unsafe state' 77 env dev-1
sk env dev-1 --dotenv
is "$rc$out" 77 '--dotenv: no such line'
sk env --no-such dev-1 --docker-args
is "$rc$out" 64 '--docker-args: no such line'
sk env dev-1 --json
is "$(jq -c '.error|[.exit,.kind,.agent]' "$out_file")" '[77,"unsafe","dev-1"]' \
    '--json: the failure as a document'
sk release env --no-such
is "$rc$out" 64 'an agent called env is no command'

done_testing
