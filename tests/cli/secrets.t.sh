#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Passwords are in the environment of the one docker run that needs them, in
# the entry of mode 0600 and in the answer that was asked for: in no argv, no
# message, no log and no history (rule E8).

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/ensure.sh
. "$TESTS_LIB/../cli/ensure.sh"

PG=roboco-sandbox-pg-a1
REDIS=roboco-sandbox-redis-a1

# The secrets of every entry that there ever was, one a line.
learn()
{
	sed -n 's/^password=//p' "$T/state/agents/"* "$T/intents" 2>/dev/null |
	    sort -u >"$T/secrets"
}

# hidden FILE DESC: none of them is there, and there is something.
hidden()
{
	learn
	check "$2: there is something to look at" test -s "$1"
	is "$(grep -c -a -F -f "$T/secrets" "$1")" 0 "E8: $2: no password"
}

# Every call notes who runs with which words, and what is intended.
spy()
{
	fake fault any "hook=cat /proc/[0-9]*/cmdline >>'$T/words' 2>/dev/null; cat '$T'/state/agents/* >>'$T/intents' 2>/dev/null"
}

# --- what others may see while everything succeeds

cold
owner a1
for image in roboco-sandbox-pg:latest mongo:8 redis/redis-stack-server:latest; do
	fake image $image '{"exec":[{"when":"psql","out":"vector\n"},{"when":"exec redis-cli","rc":9},{"when":"PONG"},{"when":"redis-cli","out":"search\n"}]}'
done
spy
FAKE_DOCKER_LOG_ENV=1
export FAKE_DOCKER_LOG_ENV
sk -vv ensure a1 --services postgres,redis,mongo \
    --feature postgres:vector --feature redis:search
is "$rc" 0 'everything: code'
learn
is "$(wc -l <"$T/secrets")" 3 'everything: three passwords'
calls >"$T/argv"
hidden "$T/argv" 'the argv of every call'
hidden "$T/words" 'the command lines of all processes, during each call'
hidden "$err_file" 'stderr with -vv'
hidden "$out_file" 'the summary'
like "$err" 'docker run: |run -d --pull never' '-vv shows every call'
cat "$FAKE_DOCKER_DIR"/stdin.* >"$T/stdin"
hidden "$T/stdin" 'what clients were given to read'

# where SERVICE: the calls with its password in their environment.
where()
{
	grep -a -F -e "$(password a1 "$1")" "$FAKE_DOCKER_DIR/calls.log" |
	    sed 's/.*"argv":\["run",.*"--name","\([^"]*\)".*/run \1/'
}

is "$(where postgres)" "run $PG" \
    "E8: postgres' is in the environment of its run, and nowhere else"
is "$(where redis)" "run $REDIS" "E8: so is redis'"
is "$(where mongo)" 'run roboco-sandbox-mongo-a1' "E8: and mongo's"
is "$(sed -n 's/.*"POSTGRES_PASSWORD":"\([^"]*\)".*/\1/p' \
    "$FAKE_DOCKER_DIR/calls.log")" "$(password a1 postgres)" \
    'E8: under the name that -e gives'
is "$(fake inspect $REDIS Args | grep -c -F -f "$T/secrets")" 0 \
    "E8: not in the container's own argv"
unset FAKE_DOCKER_LOG_ENV

# --- later commands

for command in 'list --json' 'list' 'why a1' 'sweep --explain' \
    'ensure a1 --services postgres' 'ensure a1 --services redis --image redis=x:1 --json' \
    'release a1'; do
	# shellcheck disable=SC2086 # words
	sk -vv $command
	cat "$out_file" "$err_file" >"$T/both"
	hidden "$T/both" "$command"
done
cat "$SANDKEEPER_LOG_DIR/history.jsonl" >"$T/history"
hidden "$T/history" 'the history'
hidden "$T/words" 'the command lines, once more'

# --- failures, with words from a container that knows its password

# A scene in which a container knows a password and says it: CALL is the one
# before whose effect it says so.
spill()
{
	cold
	owner a1
	cat >"$T/spill" <<'EOF'
cat "$T/state/agents/a1" >"$T/intents"
word=$(sed -n 's/^password=//p' "$T/intents" | head -n 1)
printf 'FATAL: %s\n%s%s\n' "$word" "$word" "$word" >"$T/spilt"
EOF
	fake fault "$1" "hook=sh '$T/spill'"
}

# spilt KIND DESC WORDS: it failed so, and tells WORDS, but no password.
spilt()
{
	is "$rc $(kind)" "75 $1" "$2: code"
	learn
	check "$2: a password was said" grep -q -F -f "$T/secrets" "$T/spilt"
	cat "$out_file" "$err_file" >"$T/both"
	hidden "$T/both" "$2: JSON and stderr"
	like "$err" "$3" "$2: the rest is told"
	hidden "$SANDKEEPER_LOG_DIR/history.jsonl" "$2: the history"
}

spill run
fake image postgres:16-alpine '{"run":"dies","exit":3}'
fake fault logs "outfile=$T/spilt"
sk -vv --json ensure a1 --services postgres,redis
spilt died 'case 18: the last lines of one that died' 'exit code 3.*FATAL: '
like "$(history)" '"exit_code": *3.*FATAL: ' 'R8: and in the history'

spill run
fake fault exec rc=75 "outfile=$T/spilt"
sk -vv --json ensure a1 --services postgres,redis
spilt not-ready 'the last words of a probe' 'was not ready'

spill run
fake image roboco-sandbox-pg:latest
fake fault exec rc=1 "outfile=$T/spilt" when=psql
sk -vv --json ensure a1 --services postgres --feature postgres:vector
spilt feature-failed 'the words of a client' "'vector' of postgres"

# --- modes, whatever the umask

for mask in 000 022 077 177; do
	cold
	rm -r "$T/state"
	owner a1
	fake fault inspect.1 "hook=cp -p '$T'/state/agents/a1 '$T/intent'"
	(
		umask $mask
		exec "$SANDKEEPER" ensure a1 --services postgres
	) >/dev/null
	is "$(stat -c %a "$(entry_path a1)" "$T/intent" "$T/state/keeper" |
	    tr '\n' ' ')" '600 600 600 ' "umask $mask: entry, intent and keeper"
	case $mask in
	177)	continue ;;
	esac
	is "$(stat -c %a "$T/state" "$T/state/agents" "$T/state/locks" |
	    tr '\n' ' ')" '700 700 700 ' "umask $mask: the directories"
done

done_testing
