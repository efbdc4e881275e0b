#!/bin/sh
# SPDX-License-Identifier: ISC
#
# A name that is none: what was meant?  Services, features, projects, agents;
# tests/cli/main.t.sh has commands and options.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"

# meant CODE WORD COMMAND...: it fails, and the hint says what was meant
meant()
{
	code=$1
	word=$2
	shift 2
	sk "$@"
	is "$rc" "$code" "$*: the code"
	like "$err" "^sandkeeper: hint: did you mean '$word'\?" \
	    "$*: $word is meant"
}

scene
mkdir "$T/engines"
for name in mongo postgres redis; do
	cp "$SANDKEEPER_ENGINES_DIR/$name.conf" "$T/engines/"
done
SANDKEEPER_ENGINES_DIR=$T/engines
entry be-dev-1 pg redis
entry ux-dev-1 pg
cat >"$T/own.conf" <<'END'
project "roboco-api" { services = {"postgres"} }
END

meant 65 postgres ensure be-dev-1 --services postgers
like "$err" "postgres'\? allowed: mongo, postgres, redis" 'E1: all are named, too'
meant 65 redis ensure be-dev-1 --services postgres --also rediss
meant 65 pg_trgm ensure be-dev-1 --services postgres --feature postgres:pg_trmg
meant 65 roboco-api -c "$T/own.conf" ensure be-dev-1 --project roboco-apj
meant 65 postgres -c "$T/own.conf" ensure be-dev-1 --project roboco-api \
    --services postgrs
meant 65 redis env be-dev-1 --services reds
meant 65 redis connect be-dev-1 reddis
for command in 'env' 'connect' 'renew --ttl 1h' 'hold --for 1h'; do
	# shellcheck disable=SC2086 # words
	meant 65 be-dev-1 $command be-dve-1
done
sk env be-dve-1 --json
is "$(jq -r .error.remedy "$out_file")" \
    "did you mean 'be-dev-1'? 'sandkeeper ensure be-dve-1 --services postgres' makes one" \
    '--json: the same as remedy'
sk env nothing-like-it
unlike "$err" 'did you mean' 'nothing is near: nothing is suggested'
calls_are '' 'no docker call'

# --- what is not there is no failure: people are told, scripts are not

# shellcheck disable=SC2317 # check calls it
on_terminal()
{
	run script -qec "exec '$SANDKEEPER' $*" /dev/null
	[ "$rc" = 0 ]
}

for command in release why list; do
	check "$command: an agent that is not there" on_terminal "$command" \
	    be-dve-1
	like "$out" "be-dve-1: it has no sandbox: did you mean 'be-dev-1'\?" \
	    "$command: on a terminal it says what was meant"
	sk "$command" be-dve-1
	is "$rc$err" 0 "$command: to a script it says nothing"
done
check 'release -q' on_terminal release -q be-dve-1
is "$out" '' '-q: nothing on a terminal either'
check 'list of one that is there' on_terminal list be-dev-1
unlike "$out" 'did you mean' 'list: who is there is not asked for'

done_testing
