#!/bin/sh
# SPDX-License-Identifier: ISC
#
# sweep: what goes and what stays, and when (rules F1, F2, S1, S4, S5, S8 to S10).
# What must never happen is in sweep-safety.t.sh and sweep-listing.t.sh.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"

# An agent that ended long ago, so that nobody waits for its return.
ended()
{
	agent "$1" --state exited --finished "$OLD"
}

# ours SLUG AGE [KEY=VALUE...]: a recorded sandbox of that age
ours()
{
	ours_slug=$1
	ours_at=$(($(now) - $2))
	sandbox "$1" pg --created "$(ago "$2")"
	shift 2
	entry "$ours_slug" "created=$ours_at" "handed=$ours_at" "$@" pg
}

boxes()
{
	fake list -q | sed -n 's/^roboco-sandbox-pg-//p' | tr '\n' ' '
}

# --- F1

# on WORD...: does this sweep look at docker?
# shellcheck disable=SC2317 # check calls it
on()
{
	"$@" 2>/dev/null && [ "$(fake count)" -gt 0 ] && fake reset-calls
}

scene
unset SANDKEEPER_ENABLED
echo 'enabled = true' >"$T/on.conf"
echo 'enabled = false' >"$T/off.conf"
check_not 'F1: off is the default' on "$SANDKEEPER" sweep
check 'F1: the settings file' on "$SANDKEEPER" -c "$T/on.conf" sweep
check_not 'F1: the orchestrator'\''s variable overrides the file' \
    on env ROBOCO_SANDBOX_DB_ENABLED=false "$SANDKEEPER" -c "$T/on.conf" sweep
check 'F1: our variable overrides the orchestrator'\''s' \
    on env ROBOCO_SANDBOX_DB_ENABLED=false SANDKEEPER_ENABLED=true \
    "$SANDKEEPER" -c "$T/off.conf" sweep
check_not 'F1: --set overrides all' on env SANDKEEPER_ENABLED=true \
    "$SANDKEEPER" -c "$T/on.conf" --set enabled=false sweep
for word in 1 true yes on YES On; do
	check "F1: $word is on" on env "SANDKEEPER_ENABLED=$word" \
	    "$SANDKEEPER" sweep
done
for word in 0 false no off NO Off; do
	check_not "F1: $word is off" on env "SANDKEEPER_ENABLED=$word" \
	    "$SANDKEEPER" -c "$T/on.conf" sweep
done
SANDKEEPER_ENABLED=perhaps sk sweep
is "$rc" 78 'F1: anything else is wrong'

# --- F2

scene
ended dev-1
ours dev-1 3600
SANDKEEPER_ENABLED=false sk sweep --strict
is "$rc$out$err" 0 'F2: off: a sweep does nothing'
calls_are '' 'F2: off: no docker call'
chmod 777 "$T/state"
SANDKEEPER_ENABLED=false sk sweep
is "$rc" 0 'F2: off: the state is not looked at'
rm -r "$T/state"
SANDKEEPER_ENABLED=false sk sweep
check_not 'F2: off: no state is made' test -e "$T/state"

# --- S1: calls and their order

scene
agent dev-1
sk sweep
is "$rc" 0 'S1: no sandbox and no entry'
calls_are ps 'S1: one docker call'
like "$err" 'swept: 0 found, 0 removed, 0 kept, 0 failed' 'S10: it sums up'

scene
agent dev-1
agent dev-2
ours dev-1 3600
ours dev-2 3600
sk sweep
is "$rc" 0 'S1: all are alive'
calls_are 'ps ps' 'S1: two docker calls'
is "$(calls | sed "s/ --format .*//")" \
    'ps -a --no-trunc --filter=label=roboco.sandbox=1
ps -a --no-trunc '\''--filter=name=^roboco-agent-dev-1$'\'' '\''--filter=name=^roboco-agent-dev-2$'\' \
    'S1: sandboxes first, owners second, by whole names'

scene
ended dev-1
ours dev-1 3600
agent dev-2
ours dev-2 3600
sk sweep
is "$rc$out" 0 'S1: one orphan'
calls_are 'ps ps inspect rm' 'S1: the second look and the rm'
is "$(calls rm)" "rm -f -v $(id_of roboco-sandbox-pg-dev-1)" \
    'S6, S7: by full id, with its volumes'
is "$(boxes)" 'dev-2 ' 'S4: the orphan is gone, the other stays'
check_not 'S8: its entry is gone' has_entry dev-1
check 'S8: the other entry stays' has_entry dev-2
like "$err" 'dev-1: removed roboco-sandbox-pg-dev-1: its owner .* old\)$' \
    'S10: a line for the removal: agent, container, reason, age'
is "$(printf '%s\n' "$err" | tail -n 1)" \
    'sandkeeper: swept: 2 found, 1 removed, 1 kept, 0 failed' \
    'S10: the last line sums up'
is "$(history | jq -r '[.agent,.container,.service,.cause,.reason]|join(" ")')" \
    'dev-1 roboco-sandbox-pg-dev-1 postgres sweep owner-stopped' \
    'S10: a line in the history'

# --- S4, S5: one of each kind, one sweep

scene
agent alive
ours alive 3600
ended stopped
ours stopped 3600
ended young
ours young 100
ended handed
ours handed 3600 "handed=$(($(now) - 100))"
ended recreated
ours recreated 3600
fake set roboco-sandbox-pg-recreated "created=$(ago 100)"
agent just-ended --state exited --finished "$(ago 10)"
ours just-ended 3600
agent lease-over
ours lease-over 3600 "expires=$(($(now) - 1))"
agent leased
ours leased 3600 "expires=$(($(now) + 60))"
ended held
ours held 3600 "hold=$(($(now) + 60))"
ended hold-over
ours hold-over 3600 "hold=$(($(now) - 1))"
agent crashed
ours crashed 3600 state=provisioning
agent crashing
ours crashing 100 state=provisioning
agent late
sandbox late pg
agent later
sandbox later pg --created "$(ago 100)"
agent released
ours released 20
: >"$T/state/agents/.released.release"
ours lease-only 3600 owner=none "expires=$(($(now) + 60))"
fake set roboco-sandbox-pg-lease-only label.sandkeeper.owner=none
fake unset roboco-sandbox-pg-lease-only label.roboco.sandbox.owner
ours lease-ended 3600 owner=none "expires=$(($(now) - 1))"
fake set roboco-sandbox-pg-lease-ended label.sandkeeper.owner=none
fake unset roboco-sandbox-pg-lease-ended label.roboco.sandbox.owner
ended theirs
unkept theirs pg
agent theirs-alive
unkept theirs-alive pg
sk sweep --explain
is "$rc" 0 'S4: one of each kind'
why=$(printf '%s\n' "$out" | sed 's/  */ /g')
gone='stopped hold-over lease-over crashed late released lease-ended theirs'
kept='alive young handed recreated just-ended leased held crashing later
lease-only theirs-alive'
for slug in $gone; do
	check_not "S4: $slug goes" has_container "roboco-sandbox-pg-$slug"
	like "$why" "^roboco-sandbox-pg-$slug removed " "--explain: $slug"
	check_not "S8: $slug has no entry" has_entry "$slug"
done
for slug in $kept; do
	check "S5: $slug stays" has_container "roboco-sandbox-pg-$slug"
	like "$why" "^roboco-sandbox-pg-$slug kept " "--explain: $slug"
done
like "$why" 'pg-late .* no entry records it' 'S4: the late one, and why'
like "$why" 'pg-young .* younger than the grace' 'S5: the young one, and why'
check_not 'S4: the mark of the release is gone' \
    test -e "$T/state/agents/.released.release"
is "$(history | wc -l)" 8 'R8: one line for each that went'
check 'R8: each of them JSON' jq -e . "$T/log/history.jsonl"

# --- --grace sets both

scene
ours absent 60
sk sweep --grace 0
is "$rc $(boxes)" '0 ' '--grace 0: no grace for the young, no wait for the absent'
scene
ours absent 60
sk sweep --grace 5m
is "$(boxes)" 'absent ' '--grace: longer than its age'
sk sweep --grace soon
is "$rc" 65 '--grace: no duration'
sk sweep --grace
is "$rc" 64 '--grace: nothing'

# --- S8: entries without containers

scene
agent alive
entry alive pg
entry absent pg
entry young pg "handed=$(now)"
entry held pg "hold=$(($(now) + 60))"
entry crashed pg state=provisioning
entry asked pg "handed=$(now)"
: >"$T/state/agents/.asked.release"
sk sweep
is "$rc" 0 'S8: entries whose containers are gone'
is "$(find "$T/state/agents" -type f -name '[!.]*' -printf '%f\n' | LC_ALL=C sort | tr '\n' ' ')" \
    'alive held young ' 'S8: go where the owner is not alive, the grace over'
calls_are 'ps ps inspect' 'S8: without waiting, and nothing is removed'

# --- S9

scene
ended dev-1
ours dev-1 3600
fake fault ps.1 hook="while [ ! -e '$T/go' ]; do sleep 0.02; done"
start "$SANDKEEPER" sweep
wait_for sh -c "[ \$('$FAKE_DOCKER' fake-count ps) = 1 ]"
"$SANDKEEPER" sweep --strict 2>"$T/second" && second=0 || second=$?
: >"$T/go"
finish
is "$rc $second" '0 0' 'S9: a second sweep at once exits 0'
like "$(cat "$T/second")" 'another sweep is at work' 'S9: and says so'
calls_are 'ps ps inspect rm' 'S9: and asks docker nothing'
is "$(find "$T/state" -name '*.lock')" '' 'S9: no lock is left'

done_testing
