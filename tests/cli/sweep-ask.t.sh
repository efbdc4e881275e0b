#!/bin/sh
# SPDX-License-Identifier: ISC
#
# sweep's other ways: --dry-run, --explain, --json, --drain.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"

# One orphan and one that stays; entries of both, and of a third.
pair()
{
	scene
	agent dev-1 --state exited --finished "$OLD"
	sandbox dev-1 pg
	entry dev-1 pg
	agent dev-2
	sandbox dev-2 pg
	entry dev-2 pg
	entry dev-3 pg
	: >"$T/state/agents/.dev-3.release"
	before=$(state)
}

one=roboco-sandbox-pg-dev-1
two=roboco-sandbox-pg-dev-2

# --- --dry-run

pair
sk sweep --dry-run
is "$rc" 0 '--dry-run'
check '--dry-run: nothing changed' same_state "$before"
calls_are 'ps ps inspect' '--dry-run: it looks twice and removes nothing'
is "$(printf '%s\n' "$out" | sed 's/  */ /g' | LC_ALL=C sort)" \
    "CONTAINER OUTCOME AGE WHY
$one would-remove 60m its owner does not run any more
$two kept 60m its owner is alive" '--dry-run: a table of what would be'
like "$err" 'swept: 2 found, 1 would be removed, 1 kept, 0 failed' \
    '--dry-run: the summary does not claim more'

scene
sandbox dev-1 pg
entry dev-1 pg
sweeps 60
sk sweep --dry-run
like "$out" "^$one +would-remove " '--dry-run: an absent owner is not waited for'
check '--dry-run: nothing is removed' has_container $one

# --- --explain

pair
sk sweep --explain
is "$rc" 0 '--explain'
is "$(printf '%s\n' "$out" | sed 's/  */ /g' | LC_ALL=C sort)" \
    "CONTAINER OUTCOME AGE WHY
$one removed 60m its owner does not run any more
$two kept 60m its owner is alive" '--explain: every sandbox, verdict and why'
check_not '--explain: it sweeps all the same' has_container $one
pair
sk sweep
is "$out" '' 'without it stdout is empty'
sk sweep -q
is "$out$err" '' 'with -q stderr is, too'

# --- --json

pair
sk sweep --json
is "$rc" 0 '--json'
is "$(jq -c 'keys_unsorted' "$out_file")" \
    '["found","removed","kept","failed","evicted","busy","decisions"]' \
    '--json: one document with these keys'
is "$(jq -c '[.found,.removed,.kept,.failed,.evicted,.busy]' "$out_file")" \
    '[2,1,1,0,2,false]' '--json: counts'
is "$(jq -c '.decisions[0]|keys_unsorted' "$out_file")" \
    '["agent","container","id","service","owner","keeper","outcome","verdict","why","age","until","problem"]' \
    '--json: each decision has these keys'
is "$(jq -c ".decisions[]|select(.container==\"$one\")|[.agent,.id,.service,.owner,.keeper,.outcome,.verdict,.problem]" "$out_file")" \
    "[\"dev-1\",\"$(id_of $one)\",\"postgres\",\"container:roboco-agent-dev-1\",\"$KEEPER\",\"removed\",\"owner-stopped\",null]" \
    '--json: the removed one'
is "$(jq -c ".decisions[]|select(.container==\"$two\")|[.outcome,.verdict,.until]" "$out_file")" \
    '["kept","owner-alive",0]' '--json: the kept one'
check '--json: the age in seconds' \
    jq -e '.decisions|map(select(.container))|all(.age >= 3600 and .age < 3900)' "$out_file"
is "$(jq -c '.decisions[]|select(.container|not)|[.agent,.id,.outcome,.verdict,.age]' "$out_file")" \
    '["dev-3",null,"forgotten","released",-1]' \
    '--json: an entry that had no container any more'

for where in --strict ''; do
	pair
	fake fault ps.2 rc=1 'err=no\n'
	# shellcheck disable=SC2086 # a word or none
	sk sweep --json $where
	is "$(jq -s length "$out_file")" 1 \
	    "--json: one document where docker fails ${where:-(exit 0)}"
done
is "$(jq -c '[.found,.removed,.failed]' "$out_file")" '[0,0,0]' \
    '--json: nothing was found, and that is no failure'
SANDKEEPER_ENABLED=false sk sweep --json
is "$(jq -c '[.found,.removed]' "$out_file")" '[0,0]' '--json: switched off'
sk sweep --json --grace x
is "$(jq -c '[.error.exit,.error.kind]' "$out_file")" '[65,"value"]' \
    '--json: a wrong argument'

# --- --drain

pair
sandbox held pg
entry held pg "hold=$(($(now) + 600))"
agent young
sandbox young pg --created "$(ago 5)"
entry young pg
sandbox unrecorded redis
unkept dev-2 redis
foreign dev-4 pg --created "$(ago 900000)"
agent dev-5
entry dev-5 pg
before=$(state)
SANDKEEPER_ENABLED=false sk sweep --drain
is "$rc" 64 '--drain: not on a terminal: asks for --yes'
like "$err" 'add --yes' '--drain: says so'
calls_are '' '--drain: nothing was done'
check '--drain: nothing changed' same_state "$before"
SANDKEEPER_ENABLED=false sk sweep --drain --dry-run
is "$rc" 0 '--drain --dry-run needs no --yes'
check '--drain --dry-run: nothing changed' same_state "$before"
SANDKEEPER_ENABLED=false sk sweep --drain --yes
is "$rc" 0 'F2: --drain works whatever the flag says'
is "$(fake list -q | grep sandbox | tr '\n' ' ')" \
    'roboco-sandbox-pg-dev-4 roboco-sandbox-redis-dev-2 ' \
    '--drain: everything of this keeper, and nothing else'
is "$(find "$T/state/agents" -type f)" '' '--drain: every entry goes'
containers_are "roboco-agent-dev-1 roboco-agent-dev-2 roboco-agent-dev-5
    roboco-agent-young roboco-sandbox-pg-dev-4 roboco-sandbox-redis-dev-2" \
    '--drain: no agent goes'
is "$(history | jq -r .reason | sort -u)" drained 'R8: and that is the reason'

# What is being worked on is left even so.
pair
start flock "$T/state/locks/dev-2" sh -c \
    ": >'$T/locked'; while [ ! -e '$T/done' ]; do sleep 0.02; done"
holder=$pid
wait_for test -e "$T/locked"
run "$SANDKEEPER" sweep --drain --yes
check '--drain: a locked agent is left' has_container $two
: >"$T/done"
wait "$holder" || :

# On a terminal it asks.
if command -v script >/dev/null; then
	for answer in no yes; do
		pair
		echo $answer | script -qec "'$SANDKEEPER' sweep --drain" \
		    /dev/null >"$T/typescript" 2>&1 || :
		check "--drain: asks on a terminal ($answer)" \
		    grep -q "type 'yes'" "$T/typescript"
		has_container $two && there=no || there=yes
		is "$there" $answer "--drain: $answer means $answer"
	done
fi

done_testing
