#!/bin/sh
# SPDX-License-Identifier: ISC
#
# How failures are told: exit codes, one line and a hint on stderr, a document
# with --json, the line 'false' with --env.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"

# fails CODE KIND WORDS...: in both forms; stdout is empty, or a document
fails()
{
	code=$1
	kind=$2
	shift 2
	sk "$@"
	is "$rc$out" "$code" "$code $kind: $*"
	is "$(printf '%s\n' "$err" | grep -vc '^sandkeeper: hint: ')" 1 \
	    "$kind: one line, and perhaps a hint"
	sk --json "$@"
	is "$(jq -sc 'map(.error|[.exit,.kind])' "$out_file")" \
	    "[[$code,\"$kind\"]]" "$kind: --json: one document"
	is "$rc" "$code" "$kind: --json: the same code"
}

scene
entry held pg "hold=$(($(now) + 600))"
entry newer pg
sed -i '1s/1/9/' "$T/state/agents/newer"

fails 64 usage frobnicate
fails 64 usage list --frobnicate
fails 64 usage release
fails 64 usage ensure dev-1
fails 65 agent-name release ../x
fails 65 service ensure dev-1 --services nosuch
fails 65 feature ensure dev-1 --services postgres --feature postgres:plpython3u
fails 65 project ensure dev-1 --project nosuch
fails 65 value sweep --grace soon
fails 65 value remove a/b
fails 65 no-sandbox hold nobody --for 1h
fails 69 docker-missing --docker /nowhere/docker sweep --strict
fails 75 held release held
fails 78 newer-version release newer
fails 78 settings --set grace=soon list
fails 78 settings --set nosuch=1 list
fails 78 settings -c /nowhere/x.conf list
calls_are '' 'and docker was not asked once'

FAKE_DOCKER_DOWN=1
export FAKE_DOCKER_DOWN
fails 69 daemon-unreachable remove roboco-agent-dev-1
FAKE_DOCKER_DOWN=permission
fails 77 daemon-denied remove roboco-agent-dev-1
unset FAKE_DOCKER_DOWN

SANDKEEPER_ENABLED=false
fails 78 disabled ensure dev-1 --services postgres
SANDKEEPER_ENABLED=true

: >"$T/file"
fails 73 state-create --state-dir "$T/file/state" remove roboco-agent-dev-1
mkdir -m 777 "$T/open"
chmod 777 "$T/open"
fails 77 unsafe --state-dir "$T/open" remove roboco-agent-dev-1

entry slow pg
start flock "$T/state/locks/slow" sh -c \
    ": >'$T/locked'; while [ ! -e '$T/done' ]; do sleep 0.02; done"
holder=$pid
wait_for test -e "$T/locked"
run "$SANDKEEPER" release --json --timeout 1s slow
is "$rc $(jq -c '.error|[.kind,.retryable,.agent]' "$out_file")" \
    '75 ["locked",true,"slow"]' '75 locked: worth another try'
: >"$T/done"
wait "$holder" || :

# --- 74: stdout cannot be written

for words in help 'list' 'services --json' 'env held' '--version' 'help list'; do
	# shellcheck disable=SC2086 # words
	"$SANDKEEPER" $words >/dev/full 2>"$T/err" && rc=0 || rc=$?
	is "$rc" 74 "74: $words >/dev/full"
	like "$(cat "$T/err")" '^sandkeeper: stdout cannot be written' \
	    "74: $words: told"
done

# --- the document

sk --json release held
is "$(jq -c '[keys_unsorted,(.error|keys_unsorted)]' "$out_file")" \
    '[["error"],["exit","kind","retryable","agent","service","message","remedy","allowed"]]' \
    '--json: these keys, always'
is "$(jq -c '.error|[.exit,.retryable,.agent,.service,.allowed]' "$out_file")" \
    '[75,false,"held",null,[]]' '--json: what is not known is null'
like "$(jq -r .error.message "$out_file")" 'held' '--json: the message'
like "$(jq -r .error.remedy "$out_file")" '--force' '--json: the remedy'
like "$err" 'held: its sandbox is held' '--json: the line on stderr stays'
sk --json ensure dev-1 --services nosuch
is "$(jq -c '.error|[.service,.allowed]' "$out_file")" \
    "[\"nosuch\",$(basename -a -s .conf "${ENGINES_DIR:?}"/*.conf |
    LC_ALL=C sort | jq -Rcn '[inputs]')]" '--json: what is allowed'
sk release '../x
y' --json
is "$(jq -s length "$out_file")" 1 '--json: whatever the argument holds'
is "$(printf '%s\n' "$err" | grep -vc '^sandkeeper: ' || :)" 0 \
    'a newline in an argument makes no line'
like "$err" "x\\\\ny" 'and is shown as what it is'

# --- eval "$(sandkeeper ensure ... --env)" has to fail with it

for words in '' 'dev-1' '../x --services postgres' 'dev-1 --services nosuch' \
    'dev-1 --services postgres --frobnicate' 'dev-1 --services' \
    '-c /nowhere dev-1 --services postgres'; do
	# shellcheck disable=SC2086 # words
	sk ensure --env $words
	is "$out" false "ensure --env $words: the line 'false'"
	isnt "$rc" 0 "ensure --env $words: $rc"
done
sk --frobnicate ensure dev-1 --env
is "$rc $out" '64 false' 'an unknown option before the command'
sk ensure dev-1 --services nosuch
is "$out" '' 'without --env there is no such line'
"$SANDKEEPER" ensure dev-1 --services nosuch --env >/dev/full 2>/dev/null &&
    rc=0 || rc=$?
is "$rc" 65 'the first failure counts, also where it cannot be told'

done_testing
