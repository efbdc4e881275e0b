#!/bin/sh
# SPDX-License-Identifier: ISC
#
# services: what may be requested; never docker, never the state.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"

scene
rm -r "$T/state"
SANDKEEPER_ENABLED=false SANDKEEPER_DOCKER=/nowhere sk services
is "$rc$err" 0 'services, whatever the flag and docker'
is "$(printf '%s\n' "$out" | head -n 1 | sed 's/  */ /g')" \
    'SERVICE IMAGE FEATURES' 'a table'
for name in mongo postgres redis; do
	like "$out" "^$name " "$name is in it"
done
like "$out" '^postgres +postgres:16-alpine +vector, postgis, pg_trgm, citext, uuid-ossp$' \
    'image and features'
calls_are '' 'no docker call'
check_not 'no state is made' test -e "$T/state"

sk services --json
is "$rc" 0 '--json'
is "$(jq -c '.postgres' "$out_file")" \
    '{"image":"postgres:16-alpine","features":["vector","postgis","pg_trgm","citext","uuid-ossp"]}' \
    '--json: image and features of each'
is "$(jq -c '.redis.features' "$out_file")" '["search","json","bloom"]' \
    '--json: those of redis'
unlike "$out" plpython 'what runs code is on no list'
names=$(jq -r 'keys|join(",")' "$out_file")
sk services --marker
is "$rc $out" "0 ROBOCO_SANDBOX_SERVICES_AVAILABLE=$names" '--marker'

# --- settings

cat >"$T/own.conf" <<'END'
engine "postgres" { image = "registry.local/pg:16" }
engine "kv" { like = "redis" short = "kv" }
project "api" { services = {"kv", "postgres"} }
END
sk -c "$T/own.conf" services --json
is "$(jq -c '[.postgres.image,.kv.features]' "$out_file")" \
    '["registry.local/pg:16",["search","json","bloom"]]' \
    'engines of the settings file, overridden and new'
sk -c "$T/own.conf" services --project api --marker
is "$rc $out" '0 ROBOCO_SANDBOX_SERVICES_AVAILABLE=kv,postgres' '--project'
sk -c "$T/own.conf" services --project nosuch
is "$rc" 65 '--project: unknown: 65'
sk -c "$T/own.conf" services --json --project nosuch
is "$(jq -c '.error|[.exit,.kind]' "$out_file")" '[65,"project"]' \
    '--json: that failure'
is "$(jq -c '.error.allowed' "$out_file")" '["api"]' \
    '--json: with what there is'

echo 'engine "x" { short = "x" no-such-key = 1 }' >"$T/bad.conf"
sk -c "$T/bad.conf" services
is "$rc$out" 78 'a mistake in the settings: 78'
like "$err" "$T/bad.conf:1: " 'with file and line'
is "$(printf '%s\n' "$err" | grep -vc hint:)" 1 'in one line'
mkdir "$T/engines"
sk --set engines-dir="$T/engines" services --marker
is "$rc $out" '0 ROBOCO_SANDBOX_SERVICES_AVAILABLE=' 'no engines at all'
printf 'engine "y" {' >"$T/engines/y.conf"
sk --set engines-dir="$T/engines" services
is "$rc" 78 'an engine file that is cut off: 78'
sk services extra
is "$rc" 64 'an argument: usage'
calls_are '' 'never a docker call'

done_testing
