#!/bin/sh
# SPDX-License-Identifier: ISC
#
# ensure with features: enabled and verified, in what is new and in what lives
# (rules E2, E11).

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/ensure.sh
. "$TESTS_LIB/../cli/ensure.sh"

PG=roboco-sandbox-pg-a1
REDIS=roboco-sandbox-redis-a1

# pg_lists TEXT: what a psql in any PostgreSQL image answers.
pg_lists()
{
	for image in postgres:16-alpine roboco-sandbox-pg:latest; do
		fake image $image \
		    '{"exec":[{"when":"psql","out":"'"$1"'"}]}'
	done
}

redis_lists()
{
	fake image redis/redis-stack-server:latest \
	    '{"exec":[{"when":"exec redis-cli","rc":9},{"when":"PONG"},{"when":"redis-cli","out":"'"$1"'"}]}'
}

# What the last client was given to read.
last_stdin()
{
	cat "$(find "$FAKE_DOCKER_DIR" -name 'stdin.*' | sort -t. -k2n | tail -n 1)"
}

features()
{
	entry_value a1 "$1" features
}

available()
{
	printf '%s\n' "$out" | sed -n '/"available_/,/\]/p' | tr -d ' \n'
}

# --- new: PostgreSQL

cold
owner a1
pg_lists 'plpgsql\nvector\ncitext\nuuid-ossp\n'
sk ensure a1 --services postgres --feature postgres:vector,uuid-ossp \
    --feature postgres:citext --json
is "$rc $err" '0 ' 'E11: PostgreSQL: code, and silent'
calls_are 'inspect image run exec exec inspect' \
    'E11: one call more for a service with features'
like "$(calls run)" ' roboco-sandbox-pg:latest postgres ' \
    'E11: with features it is the feature image'
like "$(asked | tail -n 2)" \
    "^exec -i <$PG> psql -X -q -A -t -v ON_ERROR_STOP=1 -U sandbox -d sandbox\$" \
    'E11: its own client, by id, fed through stdin'
is "$(last_stdin)" 'SET client_min_messages = warning; CREATE EXTENSION IF NOT EXISTS "vector" CASCADE;
SET client_min_messages = warning; CREATE EXTENSION IF NOT EXISTS "uuid-ossp" CASCADE;
SET client_min_messages = warning; CREATE EXTENSION IF NOT EXISTS "citext" CASCADE;
SELECT extname FROM pg_extension;' 'E11: quoted identifiers, then the listing'
is "$(available)" '"available_extensions":["citext","uuid-ossp","vector"]' \
    '--json: the list, sorted'
is "$(features postgres)" vector,uuid-ossp,citext 'the features are on record'
fake reset-calls
sk ensure a1 --services postgres --feature postgres:citext
calls_are inspect 'E4: features that are covered: a hit'
sk ensure a1 --services postgres
calls_are 'inspect inspect' 'E4: none asked for: a hit too'

# failed DESC: the last run has failed on a feature and left nothing.
failed()
{
	is "$rc $(kind)" '75 feature-failed' "E11, E7: $1: code"
	check "E11, E7: $1: one line" one_line
	containers_are roboco-agent-a1 "E7: $1: nothing stays"
	check_not "E7: $1: no entry" has_entry a1
	check "E7: $1: the lock is free" unlocked a1
}

cold
owner a1
pg_lists 'plpgsql\nvectors\n'
sk --json ensure a1 --services postgres,redis --feature postgres:vector
failed 'the listing lacks it'
like "$err" "'vector' of postgres cannot be enabled in roboco-sandbox-pg:latest" \
    'E11: names feature, service and image'
cold
owner a1
for answer in '"rc":3,"err":"ERROR:  no such extension\n"' '"rc":126' '"rc":0'; do
	fake image roboco-sandbox-pg:latest \
	    '{"exec":[{"when":"psql",'"$answer"'}]}'
	sk --json ensure a1 --services postgres --feature postgres:vector
	failed "the client says $answer"
done
fake image roboco-sandbox-pg:latest
sk --json ensure a1 --services postgres --feature postgres:vector
failed 'the client says nothing'
pg_lists 'vector\n'
fake reset-calls
fake fault exec.2 hang=1
sk --json ensure a1 --services postgres --feature postgres:vector \
    --set timeouts.exec=1
is "$rc $(kind)" '75 timeout' 'E7: a client that hangs'
containers_are roboco-agent-a1 'E7: a client that hangs: nothing stays'
fake fault exec.2

# --- live: PostgreSQL

cold
owner a1
pg_lists 'plpgsql\npg_trgm\n'
sk ensure a1 --services postgres
was="$(fake inspect $PG Id) $(password a1 postgres)"
fake reset-calls
sk ensure a1 --services postgres --feature postgres:pg_trgm --json
is "$rc" 0 'E2: a feature for a live one: code'
calls_are 'inspect exec' 'E2: enabled in it, with one call more'
is "$(fake inspect $PG Id) $(password a1 postgres)" "$was" \
    'E2: it keeps container and credentials'
is "$(features postgres) $(available)" \
    'pg_trgm "available_extensions":["pg_trgm"]' 'E2: and it is on record'
entry_was=$(cat "$(entry_path a1)")
fake reset-calls
sk --json ensure a1 --services postgres --feature postgres:vector
is "$rc $(kind)" '65 live-container' "E2: its image cannot: code"
like "$err" 'hint: --replace .*roboco-sandbox-pg:latest' \
    'E2: its image cannot: the remedy'
is "$(fake inspect $PG Id) $(password a1 postgres)" "$was" \
    'E2: its image cannot: it lives on'
is "$(cat "$(entry_path a1)")" "$entry_was" 'E2: its image cannot: not on record'
pg_lists 'pg_trgm\nvector\n'
sk ensure a1 --services postgres --feature postgres:vector --replace
is "$rc $(features postgres)" '0 pg_trgm,vector' \
    'E2: --replace: what was on record, and the new one'
isnt "$(fake inspect $PG Id)" "${was% *}" 'E2: --replace: a new container'
is "$(fake inspect $PG Config.Image)" roboco-sandbox-pg:latest \
    'E2: --replace: of the feature image'

# --- Redis takes its modules at its start

cold
owner a1
redis_lists 'name\nsearch\nver\n1\nname\nReJSON\nname\nbf\n'
sk ensure a1 --services redis --feature redis:search,json,bloom --json
is "$rc" 0 'E11: Redis: code'
like "$(asked | grep '^run')" ' -e \$.REDIS_MODULES=loadmodule /opt/redis-stack/lib/redisearch.so\\nloadmodule /opt/redis-stack/lib/rejson.so\\nloadmodule /opt/redis-stack/lib/redisbloom.so\\n. .* redis/redis-stack-server:latest ' \
    'E11: a loadmodule line each, and the feature image'
is "$(last_stdin)" 'MODULE LIST' 'E11: verified by its listing'
is "$(available)" '"available_modules":["bloom","json","search"]' \
    '--json: available_modules'
cold
owner a1
redis_lists 'name\nsearch\n'
sk --json ensure a1 --services redis --feature redis:search,json
failed 'a module is not loaded'
like "$err" "'json' of redis" 'E11: names the one that is missing'

cold
owner a1
redis_lists 'search\n'
sk ensure a1 --services redis
was="$(fake inspect $REDIS Id) $(password a1 redis)"
fake reset-calls
sk --json ensure a1 --services redis --feature redis:search
is "$rc $(kind)" '65 live-container' 'E2: a live Redis cannot take a module'
like "$err" 'hint: --replace' 'E2: a live Redis: the remedy'
calls_are inspect 'E2: a live Redis: one call'
is "$(fake inspect $REDIS Id) $(password a1 redis)" "$was" \
    'E2: a live Redis lives on'
sk ensure a1 --services redis --feature redis:search --replace
is "$rc $(features redis)" '0 search' 'E2: Redis, --replace'
isnt "$(fake inspect $REDIS Id)" "${was% *}" 'E2: Redis, --replace: a new one'

# --- features of the project

cold
owner a1
pg_lists 'vector\n'
settings sandkeeper.conf <<'EOF'
project "api" { services = {"postgres", "redis"}  features = {"postgres:vector"} }
EOF
sk ensure a1 -c "$conf" --project api
is "$rc $(features postgres)" '0 vector' "E2: the project's features"
sk ensure a1 -c "$conf" --project api
is "$rc $(fake count exec)" '0 3' "E2: the project's features: then a hit"

done_testing
