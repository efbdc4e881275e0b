#!/bin/sh
# SPDX-License-Identifier: ISC
#
# The names and labels of the RoboCo orchestrator (rule K2): what
# follows them is listed, explained, kept, swept and removed as ours is, though
# no keeper made it; and ours have what the orchestrator looks for.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/lib/daemon.sh
. "$TESTS_LIB/daemon.sh"

# theirs SLUG: two services of an agent, by its conventions alone.
theirs()
{
	for short in pg redis; do
		dk run -d --name "$(sandbox_of "$short" "$1")" \
		    --label "sandkeeper-test=$T" --label roboco.sandbox=1 \
		    --label "roboco.sandbox.owner=roboco-agent-$1" \
		    busybox:test sleep 86400 >/dev/null
	done
}

# states SLUG: of both
states()
{
	echo "$(state_of "$(sandbox_of pg "$1")")" \
	    "$(state_of "$(sandbox_of redis "$1")")"
}

daemon_world
agent dev-1
agent dev-2
theirs dev-1
theirs dev-2

# --- seen

sk list -q
is "$out" "$(for agent in dev-1 dev-2; do
	sandbox_of pg $agent
	sandbox_of redis $agent
done)" 'list: by name'
sk list --json
is "$(jq -r '[.. | objects | select(.agent == "dev-1" and .service) |
    "\(.service) \(.state)"] | unique | join(", ")' "$out_file")" \
    'pg running, redis running' 'list: agent, service by its short name, state'
sk why dev-1
like "$out" 'roboco-sandbox-pg-dev-1.*its owner is alive' 'why: what keeps it'

# --- kept, and swept

sk sweep --grace 0
is "$rc $(states dev-1) $(states dev-2)" \
    '0 running running running running' 'its agent lives: kept'
dk kill roboco-agent-dev-2 >/dev/null
sk sweep
is "$(states dev-2)" 'running running' 'S5: young: kept'
sk sweep --grace 0
is "$rc $(states dev-1) $(states dev-2)" '0 running running gone gone' \
    'K2: swept by its labels, and the other one is kept'

# --- released

forget_calls
sk release dev-1
is "$rc $(verbs) $(states dev-1)" '0  running running' \
    'L1: release: no entry, no call'
sk remove roboco-agent-dev-1
is "$rc $(states dev-1) $(state_of roboco-agent-dev-1)" '0 gone gone gone' \
    'R4: remove takes its sandbox, too'

# --- and ours: its filters find it, its owner label names the agent

agent dev-3
sk ensure dev-3 --services redis,nap
is "$(dk ps -a --filter label=roboco.sandbox=1 \
    --filter "name=^roboco-sandbox-" --format \
    '{{.Names}} {{.Label "roboco.sandbox.owner"}}' | sort)" \
    "$(sandbox_of nap dev-3) roboco-agent-dev-3
$(sandbox_of redis dev-3) roboco-agent-dev-3" 'E9: what it would look for'
sk ensure job --services nap --owner none --ttl 1h
is "$(dk inspect -f '{{index .Config.Labels "roboco.sandbox"}} {{index .Config.Labels "roboco.sandbox.owner"}}' \
    "$(sandbox_of nap job)")" '1 ' \
    'E9: no owner label, where it would take the owner for dead'
sk release job dev-3
is "$rc" 0 'release'
done_testing
