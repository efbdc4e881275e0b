#!/bin/sh
# SPDX-License-Identifier: ISC
#
# The price of everything is the number of docker calls: DESIGN's table of
# them, row by row, and every command of the program.  And -vv, which shows
# each call with its time.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/ensure.sh
. "$TESTS_LIB/../cli/ensure.sh"

seen=

# costs "VERB..." DESC COMMAND ARG...: succeeds, by exactly these calls
costs()
{
	costs_verbs=$1 costs_desc=$2
	shift 2
	seen="$seen $1"
	fake reset-calls
	sk "$@"
	is "$rc" 0 "$costs_desc: code"
	calls_are "$costs_verbs" "DESIGN 9: $costs_desc"
}

# repeat WORD COUNT
repeat()
{
	yes "$1" | head -n "$2" | tr '\n' ' '
}

# --- no-ops: none

cold
owner a1
costs '' 'release without an entry' release a1
costs '' 'services' services
costs image 'pull, images there' pull redis
costs '' 'help' help sweep
costs '' 'completion' completion bash
SANDKEEPER_ENABLED=false
costs '' 'sweep, switched off' sweep
costs '' 'watch, switched off' watch
SANDKEEPER_ENABLED=true

# --- ensure: cold 3 + 2k, a hit 1

for services in redis postgres,redis postgres,redis,mongo; do
	cold
	owner a1
	k=$(echo "$services" | tr ',' '\n' | wc -l)
	costs "inspect image $(repeat run "$k")$(repeat exec "$k")inspect" \
	    "ensure, cold, k = $k" ensure a1 --services "$services"
	costs inspect "ensure, hit, k = $k" ensure a1 --services "$services"
	costs '' "env, k = $k" env a1
	costs 'inspect rm' "release, k = $k" release a1
done
cold
owner a1
fake container roboco-sandbox-redis-a1 --label roboco.sandbox=1 \
    --label roboco.sandbox.owner=roboco-agent-a1 >/dev/null
costs 'inspect image inspect rm run exec inspect' \
    'ensure, cold, with leftovers' ensure a1 --services redis --replace
cold
owner a1
echo 'SET a 1' >"$T/init"
costs 'inspect image run run exec exec exec inspect' \
    'ensure, cold, one of two services with init' \
    ensure a1 --services postgres,redis --init "redis=$T/init"
cold
owner a1
costs 'inspect image run exec inspect' 'ensure, cold, published' \
    ensure a1 --services redis --publish --ttl 1h

# --- what is recorded is answered without docker

costs '' 'env' env a1
costs '' 'renew' renew a1 --ttl 2h
costs '' 'hold' hold a1 --for 1h
costs '' 'hold --off' hold a1 --off
costs 'ps ps' 'list' list
costs 'ps ps' 'why' why a1
costs exec 'connect' connect a1
costs 'inspect rm' 'release, published' release a1
costs 'inspect image run exec inspect inspect rm' \
    'run: ensure, cold, and release' run --services redis b1 -- true

# --- remove

cold
SANDKEEPER_ENABLED=false
costs 'inspect rm' 'remove, container absent, flag off' remove roboco-agent-a1
SANDKEEPER_ENABLED=true
costs 'inspect rm inspect' 'remove, container absent, flag on' \
    remove roboco-agent-a1
owner a1
sk ensure a1 --services postgres,redis
costs 'inspect logs rm inspect rm' 'remove, with a sandbox, flag on' \
    remove roboco-agent-a1

# --- sweep: 1, 2, 2 + a look and the rm of each batch

scene
sweeps
costs ps 'sweep, nothing labelled' sweep
costs ps 'list, nothing labelled' list
agent a1
sandbox a1 pg
entry a1 pg
costs 'ps ps' 'sweep, all alive' sweep
for n in 1 4 5; do
	scene
	sweeps
	for i in $(seq "$n"); do
		agent "dev-$i" --state exited --finished "$OLD"
		unkept "dev-$i" pg
	done
	costs "ps ps inspect $(repeat rm $(((n + 3) / 4)))" \
	    "sweep, n = $n orphans" sweep
done

# --- every command was counted

# doctor's are in doctor.t.sh: its code depends on what it finds
seen="$seen doctor "
sk help
for command in $(printf '%s\n' "$out" |
    sed -n '/^commands:$/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
	like "$seen" " $command " "DESIGN 9: $command is counted here"
done

# --- -vv

cold
owner a1
fake fault exec delay=300
sk -vv ensure a1 --services redis
is "$rc" 0 '-vv: code'
is "$(printf '%s\n' "$err" |
    grep -Ec "^sandkeeper: $FAKE_DOCKER [a-z]+ .*: exit code [0-9]+, [0-9]+ ms$")" \
    5 '-vv: a line for each docker call, with exit code and time'
is "$(printf '%s\n' "$err" |
    sed -n "s,^sandkeeper: $FAKE_DOCKER \([a-z]*\) .*,\1,p" | tr '\n' ' ')" \
    'inspect image run exec inspect ' '-vv: in the order of the calls'
ms=$(printf '%s\n' "$err" |
    sed -n "s,^sandkeeper: $FAKE_DOCKER exec .*: exit code 0\, \([0-9]*\) ms\$,\1,p")
check '-vv: the time is that of the call: a slow one is seen' \
    test "$ms" -ge 300
sk -v ensure a1 --services redis
unlike "$err" 'exit code' '-v: once: no calls'

# --- the client's own start: its Go runtime

# runtime: what the calls of the last run were given, each once
runtime()
{
	jq -r '"\(.envv.GOMAXPROCS) \(.envv.GOGC)"' \
	    "$FAKE_DOCKER_DIR/calls.log" | sort -u
}

unset GOMAXPROCS GOGC
FAKE_DOCKER_LOG_ENV=1
export FAKE_DOCKER_LOG_ENV
fake reset-calls
sk list
is "$(runtime)" '1 400' 'issue 7: who looks gets one thread and little GC'
fake reset-calls
sk remove roboco-agent-a1
is "$(jq -r '"\(.argv[0]) \(.envv.GOGC)"' "$FAKE_DOCKER_DIR/calls.log" |
    sort -u | tr '\n' ' ')" 'inspect 400 logs null rm null ' \
    'issue 7: what acts, or has much to say, gets neither'
sk ensure a1 --services redis
fake reset-calls
GOMAXPROCS=3 GOGC=50 sk list
is "$(runtime)" '3 50' 'issue 7: what the user has set stays'
cp "$FAKE_DOCKER" "$T/podman"
fake reset-calls
sk --docker "$T/podman" list
is "$(runtime)" 'null null' 'issue 7: podman gets neither'

done_testing
