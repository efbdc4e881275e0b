#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Features in a real PostgreSQL: from the start, in a live one, and those that
# the image lacks.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/lib/daemon.sh
. "$TESTS_LIB/daemon.sh"

net=sk-features-$$

# sql SLUG STATEMENT: what the agent's database answers, over TCP
sql()
{
	"$SANDKEEPER" env "$1" --dotenv >"$T/dotenv"
	dk run --rm --label "sandkeeper-test=$T" --network "$net" \
	    --env-file "$T/dotenv" agent:test psql -w -Atc "$2" 2>&1
}

use="select similarity('sand', 'sand'), 'A'::citext = 'a',
    length(uuid_generate_v4()::text)"

daemon_world
make_network "$net"
for slug in feat-1 feat-2 feat-3; do
	agent "$slug" --network "$net"
done

# --- from the start

sk ensure feat-1 --services postgres \
    --feature postgres:uuid-ossp,pg_trgm --feature postgres:citext --json
is "$rc" 0 'E11: features from the start'
like "$(printf '%s' "$out" | tr -d ' \n')" \
    '"available_extensions":\["citext","pg_trgm","uuid-ossp"\]' \
    'E11: they are told, sorted'
is "$(sql feat-1 "$use")" '1|t|36' 'E11: and work'
is "$(dk inspect --format '{{.Config.Image}}' "$(sandbox_of pg feat-1)")" \
    "${local_image}roboco-sandbox-pg:latest" 'E11: in the image for features'

# --- in a live one

sk ensure feat-2 --services postgres --env
cp "$out_file" "$T/plain"
id=$(id_of "$(sandbox_of pg feat-2)")
like "$(sql feat-2 "$use")" 'function similarity.* does not exist' \
    'E2: without features there are none'
sql feat-2 'create table kept as select 42 as n' >/dev/null
sk ensure feat-2 --services postgres \
    --feature postgres:pg_trgm,citext,uuid-ossp --env
is "$rc" 0 'E2: features of a live database'
check 'E2: are enabled under the same credentials' \
    cmp -s "$T/plain" "$out_file"
is "$(id_of "$(sandbox_of pg feat-2)")" "$id" 'E2: in the same container'
is "$(sql feat-2 "$use")" '1|t|36' 'E2: and work'
is "$(sql feat-2 'select n from kept')" 42 'E2: its data is still there'
forget_calls
sk ensure feat-2 --services postgres --feature postgres:citext --env
is "$rc $(verbs)" '0 inspect' 'E4: asked for again, they are a hit'

# --- what the image lacks

sk ensure feat-2 --services postgres --feature postgres:vector
is "$rc" 65 'E2: a live database whose image lacks a feature'
like "$err" "feat-2: .*'vector' .* in postgres:16-alpine: .*ERROR" \
    'E2: it is named, and what the client said of it'
like "$err" 'hint: .*--replace.*data is lost' 'E2: with the remedy'
is "$(id_of "$(sandbox_of pg feat-2)")" "$id" 'E2: the container stays'
is "$(sql feat-2 'select n from kept')" 42 'E2: and its data'
sk ensure feat-2 --services postgres --env
is "$rc" 0 'E2: the entry is as it was'
check 'E2: with the same credentials' cmp -s "$T/plain" "$out_file"

volumes_before=$(volumes)
sk ensure feat-3 --services postgres,nap --feature postgres:vector --json
is "$rc" 75 'E7: a feature that the image lacks, from the start'
like "$out" '"kind": "feature-failed"' 'E7: its kind'
like "$err" "feat-3: .*'vector'" 'E7: it is named'
like "$err" 'hint: .*feature-image' 'E7: with the remedy'
check 'E7: nothing is left' is_gone "$(sandbox_of pg feat-3)"
check 'E7: of the other service neither' is_gone "$(sandbox_of nap feat-3)"
check 'E7: and no entry' has_no_entry feat-3
is "$(volumes)" "$volumes_before" 'E7: and no volume'

sk ensure feat-3 --services redis --feature redis:search
is "$rc" 75 'E11: a Redis without the modules'
check 'E7: nothing is left of it' is_gone "$(sandbox_of redis feat-3)"
sk ensure feat-3 --services redis
is "$rc" 0 'E7: and without the feature it works'
id=$(id_of "$(sandbox_of redis feat-3)")
sk ensure feat-3 --services redis --feature redis:search
is "$rc" 65 'E2: a live Redis takes no feature'
is "$(id_of "$(sandbox_of redis feat-3)")" "$id" 'E2: it stays'

# --- what is on no list

forget_calls
sk ensure feat-1 --services postgres --feature postgres:plpython3u
is "$rc $(verbs)" '65 ' 'E1: an unlisted feature is refused, with no docker call'
like "$err" 'pg_trgm' 'E1: and the allowed ones are named'

done_testing
