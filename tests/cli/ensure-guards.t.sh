#!/bin/sh
# SPDX-License-Identifier: ISC
#
# What ensure refuses before it asks docker or touches the state (rule E1),
# and malformed settings.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/ensure.sh
. "$TESTS_LIB/../cli/ensure.sh"

shipped=$(basename -a -s .conf "${ENGINES_DIR:?}"/*.conf)

# allowed: what the JSON lists, in one line.
allowed()
{
	printf '%s\n' "$out" | sed -n '/"allowed": \[/,/\]/p' |
	    sed -n 's/^ *"\([^"]*\)",\{0,1\}$/\1/p' | tr '\n' ' ' | sed 's/ $//'
}

# shellcheck disable=SC2317 # check calls it
nothing_done()
{
	[ ! -e "$T/state" ] && [ -z "$(find "$T/log" -type f)" ] &&
	    [ "$(fake count)" = 0 ]
}

# refused CODE KIND ALLOWED DESC ARG...
refused()
{
	refused_code=$1
	refused_kind=$2
	refused_allowed=$3
	refused_desc=$4
	shift 4
	sk --json ensure "$@"
	is "$rc $(kind)" "$refused_code $refused_kind" "$refused_desc: $*"
	is "$(allowed)" "$refused_allowed" "$refused_desc: allowed"
	check "$refused_desc: one line" one_line
	check "$refused_desc: no docker call, no state" nothing_done
}

fixture
settings sandkeeper.conf <<'EOF'
project "api" { services = {"postgres", "redis"}  features = {"postgres:vector"} }
project "web" { services = {"mongo"} }
engine "twin" { like = "postgres"  short = "twin" }
EOF

# --- the order: everything is wrong, and is put right one by one

all='-c '$conf' --services nope,redis --feature mongo:x'
# shellcheck disable=SC2086 # words
{
	refused 78 disabled '' 'E1: first the flag' ../x $all --project none \
	    --set enabled=false
	like "$err" 'hint: .*enabled = true.*SANDKEEPER_ENABLED=true' \
	    'E1, F2: the refusal names the switch'
	refused 65 agent-name '' 'E1: then the slug' ../x $all --project none
	refused 65 project 'api web' 'E1: then the project' a1 $all \
	    --project none
	refused 65 service 'postgres redis' 'E1: then the service' a1 $all \
	    --project api
	refused 65 service "$(printf '%s\n' "$shipped" twin | LC_ALL=C sort |
	    tr '\n' ' ' | sed 's/ $//')" \
	    'E1: then the service, of no project' a1 $all
}
refused 65 feature '' 'E1: then the feature' a1 -c "$conf" \
    --services postgres,twin --feature mongo:x
like "$err" "hint: add 'mongo' to --services" \
    'E1: a feature of a service that is not asked for: the remedy'
refused 65 variable '' 'E1: then two services with one variable' a1 \
    -c "$conf" --services postgres,twin --image postgres=
like "$err" 'ROBOCO_TEST_DB_HOST.*twin' 'E1: names the variable and the second'
refused 65 variable '' 'E1: --also counts, too' a1 -c "$conf" \
    --services postgres --also twin
refused 65 service 'postgres redis' 'E1: --also keeps within the project' a1 \
    -c "$conf" --project api --also mongo
refused 64 usage '' 'E1: neither services nor project' a1

# --- slugs

x=xxxxxxxxxxxxxxxx
x64=$x$x$x$x
x200=$x64$x64$x64${x%????????}
for slug in / .. . ../x a/b 'a b' ' a' '' A _a a- a. a..b a:b "a
b" 'a	b' 'ä' "$x64" "$x200" "$x200$x64${x}${x}xxxx"; do
	sk --json ensure "$slug" --services postgres
	is "$rc $(kind)" '65 agent-name' "E1, case 23: no slug: $slug"
	check 'E1: one line' one_line
	check 'E1: no docker call, no state' nothing_done
done
for slug in - -x --x --services; do
	refused 65 agent-name '' "E1: a leading dash" --services postgres -- \
	    "$slug"
done
sk ensure -x --services postgres
is "$rc" 64 'a leading dash without -- is an option, and an unknown one'
# The longest container name decides, of whatever engine: a sandbox may grow.
longest=$(printf '%.42s' "$x64")
sk --json ensure "${longest}x" --services postgres
is "$rc $(kind)" '65 agent-name' 'E1, case 23: one character too many'
check 'E1: no docker call, no state' nothing_done
sk --json ensure "$longest" --services postgres
is "$rc $(kind)" '75 owner-missing' 'E1: the longest that there is is none'
rm -r "$T/state"
fake reset-calls

# --- features

pg='vector postgis pg_trgm citext uuid-ossp'
for feature in plpython3u plperlu file_fdw VECTOR vectorx '' 'vector";' '*'; do
	refused 65 feature "$pg" "E1, E11: the feature '$feature'" a1 \
	    --services postgres --feature "postgres:$feature"
done
refused 65 feature "$pg" 'E1: one of two features' a1 --services postgres \
    --feature postgres:vector,plpython3u
refused 65 feature '' 'E1: an engine without features' a1 --services mongo \
    --feature mongo:search
refused 65 feature '' 'E1: a feature of no service' a1 --services postgres \
    --feature vector
refused 65 feature vector "E1: what the project's list lacks" a1 -c "$conf" \
    --project api --feature postgres:postgis
settings wide.conf <<'EOF'
project "api" { services = {"postgres"}  features = {"postgres:plpython3u"} }
EOF
sk --json ensure a1 -c "$conf" --project api
is "$rc $(kind)" '65 feature' "E11: no project can widen an engine's list"
check 'E11: no docker call, no state' nothing_done

# --- values

for args in '--data-size 512m' '--data-size 1g' '--data-size 0' \
    '--data-size -1' '--data-size x' '--memory 256m' '--memory x' \
    '--memory 128m --data-size 128m' '--image postgres=' '--image postgres' \
    '--image redis=x' '--image postgres=--privileged' '--network none' \
    '--network host' '--network -x' '--network a,b' '--network container:x'
do
	# shellcheck disable=SC2086 # words
	sk --json ensure a1 --services postgres $args
	is "$rc $(kind)" '65 value' "E9: a value that cannot be: $args"
	check 'E9: one line' one_line
	check 'E9: no docker call, no state' nothing_done
done

# --- the other forms of a failure

sk ensure a1 --services nope --env
is "$rc $out" '65 false' 'a failure of --env: false, for eval'
sk ensure a1 --services nope --dotenv
is "$rc $out" '65 ' 'a failure of --dotenv prints nothing'
sk ensure a1 --services postgres --env --json
is "$rc $(kind)" '64 usage' 'two forms at once'

# --- malformed settings

# mistake LINE WORDS: stdin is a file with a mistake there.
mistake()
{
	settings bad.conf
	sk --json ensure a1 -c "$conf" --services postgres
	is "$rc $(kind)" '78 settings' "settings: $2: code"
	like "$err" "^sandkeeper: (a1: )?$conf:$1: .*$2" \
	    "settings: $2: file and line"
	check "settings: $2: one line" one_line
	check "settings: $2: no docker call, no state" nothing_done
}

mistake 2 frobnicate <<'EOF'
enabled = true
frobnicate = 1
EOF
mistake 3 maybe <<'EOF'

# a comment: {  // and another
enabled = maybe
EOF
mistake 1 soon <<'EOF'
grace = soon
EOF
mistake 2 'not closed' <<'EOF'
enabled = true
timeouts { run = 5s
EOF
mistake 1 'not closed' <<'EOF'
log-dir = "/tmp
EOF
mistake 3 'api' <<'EOF'
project "api" { services = {"postgres"} }

project "api" { services = {"redis"} }
EOF
mistake 1 'Up' <<'EOF'
engine "Up" { like = "postgres" }
EOF
printf 'grace = soon\nmemory = lots\n' >"$T/bad.conf"
sk ensure a1 -c "$T/bad.conf" --services postgres
like "$err" 'bad.conf:1: .*soon.*bad.conf:2: .*lots' \
    'settings: all wrong values are told at once'
sk ensure a1 -c "$T/none.conf" --services postgres
is "$rc" 78 'settings: a file that is not there'
like "$err" "$T/none.conf" 'settings: a file that is not there: named'
SANDKEEPER_GRACE=soon sk ensure a1 --services postgres
is "$rc" 78 'settings: a bad value in the environment'
like "$err" 'SANDKEEPER_GRACE.*soon' 'settings: names the variable'
sk ensure a1 --services postgres --set no-such=1
is "$rc" 78 'settings: --set of an unknown key'
check 'settings: no docker call, no state' nothing_done

done_testing
