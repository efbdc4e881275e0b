#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Messages say what happened to what, and what to do next.
# shellcheck disable=SC2016 # the hooks are expanded by their shell

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/ensure.sh
. "$TESTS_LIB/../cli/ensure.sh"

# says CODE MESSAGE HINT ARG...
says()
{
	code=$1
	message=$2
	hint=$3
	shift 3
	sk "$@"
	is "$rc" "$code" "$*: the code"
	like "$err" "^sandkeeper: $message" "$*: what happened"
	like "$err" "^sandkeeper: hint: $hint" "$*: what to do"
}

scene
entry a1 pg
cat >"$T/own.conf" <<'END'
engine "postgres" { client = {} init-client = {} script-client = {} }
END
says 78 "a1: the engine 'postgres' names no client" "set 'client'" \
    -c "$T/own.conf" connect a1
says 65 "'-x' is no container name" "'docker ps -a' shows" remove -- -x
says 78 "there is no settings file '.*/none'; without -c " 'mend it' \
    -c "$T/none" services
says 65 'nobody: it has no sandbox' "'sandkeeper list' shows" hold nobody --for 1h
says 65 'a1: --into needs an owner that is a container' "take them from" \
    ensure a1 --services redis --owner none --ttl 1h --into /x
says 65 'a1: it has a sandbox with the owner container:roboco-agent-a1, not none' \
    "'sandkeeper release a1' ends that one" \
    ensure a1 --services postgres --owner none --ttl 1h

# --- one and several

scene
agent gone-1 --state exited --finished "$OLD"
sandbox gone-1 pg
entry gone-1 pg
fake fault rm rc=1 'err=Error response from daemon: device or resource busy\n'
says 75 '1 sandbox container could not be removed' 'the next sweep' \
    sweep --strict
sandbox gone-1 redis
entry gone-1 pg redis
says 75 '2 sandbox containers could not be removed' 'the next sweep' \
    sweep --strict

# --- what is no failure says what to do, too

fake fault ps rc=1 'err=Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?\n'
sk list
is "$rc" 0 'list without a daemon'
like "$err" 'warning: what docker knows is not shown: .*; start the docker daemon' \
    'list: why, and what to do'
sk sweep
is "$rc" 0 'S2: sweep without a daemon'
like "$err" 'warning: sweep: .*; start the docker daemon' \
    'sweep: why, and what to do'
is "$(printf '%s\n' "$err" | wc -l)" 1 'in one line'
fake fault ps
fake fault rm

scene
unkept gone-1 pg
sweeps 1
sk sweep
like "$err" '^sandkeeper: 1 sandbox container without an owner: .* the owner may be on its way back' \
    'S5: one container, its owner may come back'

# --- waiting

cold
owner a1
fake fault exec 'hook="$FAKE_DOCKER" rm -f roboco-sandbox-redis-a1 >/dev/null' \
    rc=1 'err=Error response from daemon: No such container: x\n'
says 75 'a1: roboco-sandbox-redis-a1 was removed while it was waited for' \
    'somebody else ended it' ensure a1 --services redis

done_testing
