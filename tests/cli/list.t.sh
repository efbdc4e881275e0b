#!/bin/sh
# SPDX-License-Identifier: ISC
#
# list: what is there, of whom, and for how long.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"

# The table without its widths, sorted.
rows()
{
	printf '%s\n' "$out" | sed 's/  */ /g' | LC_ALL=C sort
}

# --- nothing

scene
sk list
is "$rc" 0 'list: nothing is there'
is "$(rows)" 'AGENT SERVICE STATE OWNER AGE LEASE HOLD CONTAINER' \
    'the head alone'
calls_are ps 'one docker call'
rm -r "$T/state"
sk list --json
is "$rc$(jq -c . "$out_file")" '0[]' '--json: nothing is an empty list'
check_not 'looking makes no state' test -e "$T/state"

# --- some of each

scene
agent dev-1
sandbox dev-1 pg
sandbox dev-1 redis --state exited
entry dev-1 "expires=$(($(now) + 7200))" "hold=$(($(now) - 5))" pg redis
agent dev-2 --state exited
sandbox dev-2 pg --state paused
entry dev-2 "hold=$(($(now) + 605))" pg redis
unkept dev-3 mongo
foreign dev-4 pg
fake container roboco-sandbox-pg-dev-5 --label roboco.sandbox=1 >/dev/null
before=$(state)
sk list
is "$rc$err" 0 'list: some of each'
is "$(rows | sed 's/ 1[12][0-9]m / 2h /')" \
    'AGENT SERVICE STATE OWNER AGE LEASE HOLD CONTAINER
dev-1 postgres running alive 60m 2h over roboco-sandbox-pg-dev-1
dev-1 redis exited alive 60m 2h over roboco-sandbox-redis-dev-1
dev-2 postgres paused stopped 60m - 10m roboco-sandbox-pg-dev-2
dev-2 redis gone stopped 60m - 10m roboco-sandbox-redis-dev-2
dev-3 mongo running absent 60m - - roboco-sandbox-mongo-dev-3
dev-4 postgres running absent 60m - - roboco-sandbox-pg-dev-4' \
    'agent, service, state, owner, age, lease, hold, container'
calls_are 'ps ps' 'two docker calls'
check 'nothing changed' same_state "$before"
unlike "$out$err" secret 'no password'

SANDKEEPER_ENABLED=false sk list dev-2 dev-3
is "$(rows | grep -c ^dev-)" 3 'AGENT...: these alone, whatever the flag says'
sk list -q dev-1
is "$(printf '%s\n' "$out" | LC_ALL=C sort)" \
    'roboco-sandbox-pg-dev-1
roboco-sandbox-redis-dev-1' '-q: container names alone'
sk list nobody
is "$rc$(rows | grep -c ^dev- || :)" 00 'an agent without one'

# --- --json

sk list --json
is "$(jq -c '.[0]|keys_unsorted' "$out_file")" \
    '["agent","service","container","id","state","owner","owner_state","age","expires","hold","verdict"]' \
    '--json: a list of documents with these keys'
is "$(jq -c '.[]|select(.container=="roboco-sandbox-pg-dev-1")|[.agent,.service,.id,.state,.owner,.owner_state,.verdict]' "$out_file")" \
    "[\"dev-1\",\"postgres\",\"$(id_of roboco-sandbox-pg-dev-1)\",\"running\",\"container:roboco-agent-dev-1\",\"alive\",\"owner-alive\"]" \
    '--json: one of them'
is "$(jq -c '.[]|select(.container=="roboco-sandbox-redis-dev-2")|[.state,.verdict]' "$out_file")" \
    '["gone",null]' '--json: one that is recorded and gone'
check '--json: times are seconds' jq -e 'all(.[];
    (.age|type)=="number" and (.expires|type)=="number")' "$out_file"
unlike "$out" secret '--json: no password'

# --- where docker does not answer

for docker in "$FAKE_DOCKER" /nowhere/docker; do
	FAKE_DOCKER_DOWN=1 SANDKEEPER_DOCKER=$docker sk list
	is "$rc" 0 "the cache is shown without docker ($(basename "$docker"))"
	like "$err" '^sandkeeper: warning: what docker knows is not shown' \
	    'and a warning says so'
	is "$(rows | grep -c '^dev-[12] .* unknown unknown ')" 4 \
	    'states are unknown then'
done
check 'nothing changed' same_state "$before"

# --- labels and files that would forge

scene
agent dev-1
sandbox dev-1 pg --label "sandkeeper.service=pg
dev-9 $(printf '\033')[31m evil"
sk list
is "$(printf '%s\n' "$out" | wc -l)" 2 'a newline in a label makes no row'
unlike "$out" "$(printf '\033')" 'and no control code reaches the terminal'
sk list --json
is "$(jq -r length "$out_file")" 1 '--json: one document'

scene
entry dev-1 pg
sed -i '$d' "$T/state/agents/dev-1"
entry dev-2 pg
before=$(state)
sk list
is "$rc" 0 'a torn entry'
like "$err" 'warning: dev-1: the entry is damaged' 'is reported'
is "$(rows | grep -c ^dev-)" 1 'and keeps no other from being shown'
check 'and is left for who holds the lock' same_state "$before"

# --- wrong

sk list --no-such
is "$rc" 64 'an unknown option'
chmod 777 "$T/state"
sk list
is "$rc" 77 'unsafe state'

done_testing
