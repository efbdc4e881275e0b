#!/bin/sh
# SPDX-License-Identifier: ISC
#
# why: what keeps each sandbox container, what will end it, and what ended those
# before it.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"

one=roboco-sandbox-pg-dev-1

scene
sk why dev-1
is "$rc $out" '0 dev-1: no sandbox container is here' 'why: nothing is there'
rm -r "$T/state"
sk why dev-1
check_not 'looking makes no state' test -e "$T/state"

scene
agent dev-1
sandbox dev-1 pg
sandbox dev-1 redis
entry dev-1 pg redis
agent dev-10
sandbox dev-10 pg
entry dev-10 pg
before=$(state)
sk why dev-1
is "$rc$err" 0 'why AGENT'
is "$(printf '%s\n' "$out" | LC_ALL=C sort)" \
    "$one (running): its owner is alive; it stays
$one: owner container:roboco-agent-dev-1 (alive), pg:test
roboco-sandbox-redis-dev-1 (running): its owner is alive; it stays
roboco-sandbox-redis-dev-1: owner container:roboco-agent-dev-1 (alive), redis:test" \
    'a line for each of its containers, and for no other agent'
calls_are 'ps ps' 'two docker calls'
check 'nothing changed' same_state "$before"

# --- an owner that stopped a moment ago: a list does not tell when

scene
agent dev-1 --state exited --finished "$(ago 5)"
sandbox dev-1 pg
entry dev-1 pg
sk why dev-1
like "$out" "owner stopped less than the owner's grace ago; until .* \(in [0-9]+s\)" \
    'S5: why says what sweep will say'
like "$out" 'owner container:roboco-agent-dev-1 \(stopped\)' 'and whose it is'
calls_are 'ps ps inspect' 'with one more docker call'
sk sweep --json
is "$(jq -c '[.found,.removed,.kept,(.decisions|length)]' "$out_file")" \
    '[1,0,1,1]' 'S10: sweep counts it once'
fake fault inspect hook="'$FAKE_DOCKER' fake-do rm -f roboco-agent-dev-1" then=normal
sk why dev-1
like "$out" 'owner container:roboco-agent-dev-1 \(absent\)' \
    'S5: one that is gone by then is absent, not stopped'
agent dev-1 --state exited --finished "$(ago 5)"
fake fault inspect rc=1 'err=something else\n'
sk why dev-1
is "$rc" 0 'why: the closer look fails: code'
like "$err" 'since when its owner has stopped is not known' \
    'why: the closer look fails: it says so'

scene
agent dev-1
sandbox dev-1 pg
sandbox dev-1 redis
entry dev-1 pg redis
sk why roboco-agent-dev-1
is "$(printf '%s\n' "$out" | grep -c '; it stays')" 2 'why CONTAINER: the agent'\''s'
sk why $one
is "$out" "$one (running): its owner is alive; it stays
$one: owner container:roboco-agent-dev-1 (alive), pg:test" \
    'why CONTAINER: a sandbox'\''s'

# --- the same judge as the sweep's

# told SLUG TEXT
told()
{
	sk why "$1"
	like "$out" "^roboco-sandbox-pg-$1 \(.*\): $2" "why $1: $2"
}

scene
agent stopped --state exited --finished "$OLD"
sandbox stopped pg
entry stopped pg
agent young --state exited --finished "$OLD"
sandbox young pg --created "$(ago 60)"
entry young pg
sandbox held pg
entry held "hold=$(($(now) + 600))" pg
agent leased
sandbox leased pg
entry leased "expires=$(($(now) + 600))" pg
foreign theirs pg
sandbox late pg
entry gone pg
told stopped '.*; the next sweep removes it$'
told young '.*younger than the grace; until 20..-..-..T..:..:..Z \(in [0-9]+[ms]\)$'
told held '.*held for debugging; until 20'
told leased 'its owner is alive'
told theirs '.*another keeper'
told late '.*no entry records it.*; the next sweep removes it$'
told gone '.*its owner is gone; the next sweep removes it$'
sk why held --json
is "$(jq -c '[keys_unsorted,(.present[0]|keys_unsorted)]' "$out_file")" \
    '[["present","past"],["container","state","verdict","why","removed_next","until"]]' \
    '--json: one document with these keys'
is "$(jq -c '.present[0]|[.container,.state,.verdict,.removed_next]' "$out_file")" \
    '["roboco-sandbox-pg-held","running","held",false]' '--json: its values'

# --- the history

scene
agent dev-1
fake set roboco-agent-dev-1 status=exited exit=137 oom=true
sandbox dev-1 pg
entry dev-1 pg
sk remove roboco-agent-dev-1 --reason "$(printf 'stuck\033[31m')"
sandbox dev-1 pg
entry dev-1 pg
sk release dev-1 --reason second
agent dev-2
sk remove roboco-agent-dev-2
sk why dev-1
is "$rc" 0 'why: the history'
is "$(printf '%s\n' "$out" | sed 's/^20[-0-9T:]*Z/TIME/')" \
    "dev-1: no sandbox container is here

before:
TIME  $one  release: second
TIME  $one  remove: stuck\\033[31m
TIME  roboco-agent-dev-1  remove: stuck\\033[31m (it had died: exit code 137, out of memory)" \
    'what ended them, newest first, and nothing of other agents'
sk why --json dev-1
is "$(jq -c '[.past[]|[.container,.cause]]' "$out_file")" \
    "[[\"$one\",\"release\"],[\"$one\",\"remove\"],[\"roboco-agent-dev-1\",\"remove\"]]" \
    '--json: the history as well'
echo 'half a li' >>"$T/log/history.jsonl"
sk why dev-1
is "$rc" 0 'a torn line in the history'
is "$(printf '%s\n' "$out" | grep -c ' roboco-')" 3 'hides no other'
mv "$T/log/history.jsonl" "$T/log/history.jsonl.1"
sk why roboco-agent-dev-1
like "$out" 'it had died' 'the old file is read, too'

# --- where docker does not answer

scene
entry dev-1 pg
FAKE_DOCKER_DOWN=1 sk why dev-1
is "$rc" 0 'the daemon does not answer'
like "$err" '^sandkeeper: warning: what docker knows is not shown' \
    'a warning says so'
like "$out" "^$one " 'what the cache holds is shown'
unlike "$out" 'the next sweep removes it' 'and nothing is promised'

sk why
is "$rc" 64 'no argument: usage'
sk why a b
is "$rc" 64 'two arguments: usage'

done_testing
