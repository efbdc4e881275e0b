#!/bin/sh
# SPDX-License-Identifier: ISC
#
# sweep: whatever there can be is found and goes, in any state, and one that
# cannot go keeps no other (rules S7, S10, T3, T4, R8, cases 7, 8 and 10).

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"

ended()
{
	agent "$1" --state exited --finished "$OLD"
}

boxes()
{
	fake list -q | sed -n 's/^roboco-sandbox-//p' | tr '\n' ' '
}

volumes()
{
	"$FAKE_DOCKER" fake-do volume ls -q | wc -l
}

# --- case 7: an orphan in each state, ours and the orchestrator's

scene
for state in created running exited dead removing paused restarting; do
	ended $state
	sandbox $state pg --state $state --volumes 1
	entry $state pg
	unkept $state redis --state $state --volumes 1
done
is "$(volumes)" 14 'case 15: volumes before'
# Those that are being removed are gone by the next look.
for box in pg redis; do
	echo "'$FAKE_DOCKER' fake-set roboco-sandbox-$box-removing state=exited &&
	    '$FAKE_DOCKER' fake-do rm -f -v roboco-sandbox-$box-removing"
done >"$T/finish"
fake fault inspect.2 hook="sh '$T/finish'"
sk sweep
is "$rc" 0 'case 7: orphans in each state'
is "$(boxes)" '' 'case 7: none stays'
is "$(volumes)" 0 'T3, case 15: nor does a volume'
is "$(find "$T/state/agents" -type f)" '' 'S8: nor an entry'
like "$err" 'swept: 14 found, 14 removed, 0 kept, 0 failed' 'S10: summed up'
is "$(history | wc -l)" 14 'R8: a line for each'

# What docker run left when it failed after create, and nobody recorded.
scene
agent dev-1
sandbox dev-1 pg --state created
entry dev-1 pg id=x
sk sweep
is "$(boxes)" 'pg-dev-1 ' 'case 7: (its entry records it)'
rm "$T/state/agents/dev-1"
sk sweep
is "$(boxes)" '' 'case 7: a container that failed to start, its owner alive'

# --- case 8: what can be made can be found

scene
for short in pg redis mongo gone; do
	ended $short
	sandbox $short $short
	entry $short $short
	unkept $short x$short
done
sk sweep
is "$rc $(boxes)" '0 ' 'case 8: every engine, and one that has left the settings'
is "$(find "$T/state/agents" -type f)" '' 'case 8: and their entries'

# --- case 10: one that cannot go

scene
for n in 1 2 3 4 5; do
	ended dev-$n
	sandbox dev-$n pg
	entry dev-$n pg
done
fake set roboco-sandbox-pg-dev-3 'rm-error=device or resource busy'
sk sweep --json
is "$rc" 0 'case 10: one of five cannot be removed'
is "$(boxes)" 'pg-dev-3 ' 'case 10: the other four go'
is "$(printf '%s\n' "$err" | tail -n 2 | head -n 1)" \
    'sandkeeper: swept: 5 found, 4 removed, 0 kept, 1 failed' \
    'case 10: the summary says that one failed'
is "$(find "$T/state/agents" -type f -printf '%f\n')" dev-3 \
    'T5: its entry stays, the others are gone'
is "$(jq -c '[.removed,.failed,(.decisions[]|select(.outcome=="failed")|.container)]' "$out_file")" \
    '[4,1,"roboco-sandbox-pg-dev-3"]' 'case 10: --json'
like "$(jq -r '.decisions[]|select(.outcome=="failed").problem' "$out_file")" \
    busy 'case 10: --json: with the problem'
like "$err" 'warning: dev-3: roboco-sandbox-pg-dev-3 stays' \
    'case 10: a warning names it'
check 'case 10: no loop' test "$(fake count rm)" -le 16
is "$(history | wc -l)" 4 'R8: four ends are recorded'
fake set roboco-sandbox-pg-dev-3 rm-error=null
sk sweep --strict
is "$rc $(boxes)" '0 ' 'case 10: the next sweep has it, once it can go'

# The third answers "No such container" to inspect, and is in the list.
scene
for n in 1 2 3; do
	ended dev-$n
	sandbox dev-$n pg
	entry dev-$n pg
done
fake fault ps.2 posthook="'$FAKE_DOCKER' fake-do rm -f roboco-sandbox-pg-dev-2"
sk sweep --strict
is "$rc $(boxes)" '0 ' 'case 10: one is gone by the second look'
is "$(find "$T/state/agents" -type f)" '' 'S8: the entries of all are gone'
like "$err" ', 0 failed$' 'case 10: and none failed'

# --- S7: one that hangs

scene
for n in 1 2 3 4 5 6; do
	ended dev-$n
	sandbox dev-$n pg
done
fake fault rm hang=1 "when=$(id_of roboco-sandbox-pg-dev-3)"
sk sweep --set timeouts.rm=1s --strict
is "$rc" 75 'S7: the rm of one hangs'
check_not 'S7: it keeps none of the other calls' \
    has_container roboco-sandbox-pg-dev-6
check 'S7: it stays' has_container roboco-sandbox-pg-dev-3
like "$err" 'warning: dev-3: roboco-sandbox-pg-dev-3 stays.*timed out' \
    'S7: and is reported'
is "$(boxes | wc -w)" "$(printf '%s\n' "$err" | grep -c ' stays, ')" \
    'S7: whatever stays is reported'
fake fault rm
sk sweep --strict
is "$rc $(boxes)" '0 ' 'S7: the next sweep has the rest'

# --- rm loses the daemon half way

scene
for n in 1 2 3; do
	ended dev-$n
	sandbox dev-$n pg
	entry dev-$n pg
done
fake fault rm rc=1 hook="echo 1 >'$FAKE_DOCKER_DIR/down'" \
    'err=error during connect: EOF\n'
sk sweep
is "$rc" 0 'the daemon goes away during the removal: exit 0'
is "$(find "$T/state/agents" -type f | wc -l)" 3 'T5: every entry stays'
is "$(history)" '' 'R8: no end is recorded'
rm "$FAKE_DOCKER_DIR/down"
fake fault rm
sk sweep --strict
is "$rc $(boxes)" '0 ' 'the next sweep has them'

# --- R8: one that had died

scene
ended dev-1
sandbox dev-1 pg --logs 'start
the password is secret-pg-dev-1
FATAL: no space
'
fake set roboco-sandbox-pg-dev-1 status=exited exit=1
entry dev-1 pg
sk sweep
is "$(history | jq -r '[.time[0:2],.agent,.cause,.reason,.exit_code,.oom_killed,.state]|map(tostring)|join(" ")')" \
    '20 dev-1 sweep owner-stopped 1 false exited' 'R8: how it had died'
like "$(history | jq -r .last_lines)" 'FATAL: no space' 'R8: its last lines'
like "$(history | jq -r .last_lines)" '^the password is ' 'R8: with the secret'
unlike "$(history)" secret-pg-dev-1 'R8: masked'
is "$(stat -c %a "$T/log/history.jsonl")" 640 'R8: mode 0640'

scene
ended dev-1
sandbox dev-1 pg
entry dev-1 pg
rm -r "$T/log"
: >"$T/log"
sk sweep --strict
is "$rc $(boxes)" '0 ' 'R8: a history that cannot be written changes nothing'
like "$err" 'warning: .*: this end is not in the history: ' 'R8: it is a warning'

done_testing
