#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Where this program began: the cases of the orchestrator's own test of its
# sandbox teardown, each under its name.  Docker answers as the fake process
# there does: inspect exits with 1 and rm with 0, both without a word, and any
# other verb is a failure; but for the sweeps that need a listing.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"

# Entries of dev-1 and dev-2, and the seed's docker.
seed()
{
	scene
	entry dev-1 pg redis
	entry dev-2 pg
	before=$(state)
	FAKE_DOCKER_SEED=1
	export FAKE_DOCKER_SEED
}

# A docker that lists as well, and nothing else.
seed_with_list()
{
	seed
	unset FAKE_DOCKER_SEED
	FAKE_DOCKER_STRICT='ps inspect rm'
	export FAKE_DOCKER_STRICT
}

# What the teardown of dev-1 asks for, in the words of the call.
teardown_names()
{
	sed -n 's/^ *short *= "\(.*\)"/roboco-sandbox-\1-dev-1/p' \
	    "${ENGINES_DIR:?}"/*.conf
	id_of roboco-sandbox-pg-dev-1
	id_of roboco-sandbox-redis-dev-1
}

# --- remove

case=remove_container_tears_down_sandbox_when_flag_on
seed
sk remove roboco-agent-dev-1
is "$rc" 0 "$case: R4"
calls_are 'inspect rm inspect' "$case: the third call is the teardown's"
is "$(calls inspect | sed -n 2p | grep -o ' [^ ]*$\| roboco-[^ ]*\| [0-9a-f]\{64\}' |
    tr -d ' ' | LC_ALL=C sort)" \
    "$(teardown_names | tr ' ' '\n' | LC_ALL=C sort)" \
    "$case: of dev-1, by every name and id that it may have"
check_not "$case: no other verb" test -e "$FAKE_DOCKER_DIR/violations"

case=remove_container_teardown_sandbox_false_skips_even_when_flag_on
seed
sk remove --keep-sandbox roboco-agent-dev-1
is "$rc" 0 "$case: R5"
calls_are 'inspect rm' "$case: no teardown"
check_not "$case: no other verb" test -e "$FAKE_DOCKER_DIR/violations"

case=remove_container_skips_sandbox_teardown_when_flag_off
seed
SANDKEEPER_ENABLED=false sk remove roboco-agent-dev-1
is "$rc" 0 "$case: F2"
calls_are 'inspect rm' "$case: exactly inspect and rm"
is "$(calls rm)" 'rm -f roboco-agent-dev-1' "$case: rm of the agent alone"
check "$case: the cache is as it was" same_state "$before"

# --- the janitor

case=sandbox_janitor_sweep_noop_when_flag_off
seed
SANDKEEPER_ENABLED=false sk sweep
is "$rc$out" 0 "$case: F2"
calls_are '' "$case: no docker call"
check "$case: nothing changed" same_state "$before"

case=sandbox_janitor_sweep_runs_when_flag_on
seed_with_list
rm "$T/state/agents/dev-1" "$T/state/agents/dev-2"
sk sweep
is "$rc" 0 "$case: S1"
calls_are ps "$case: it looked, and there was nothing"
check_not "$case: no other verb" test -e "$FAKE_DOCKER_DIR/violations"

case=sandbox_janitor_sweep_swallows_errors
seed
sk sweep
is "$rc" 0 "$case: exit 0"
like "$err" '^sandkeeper: warning: sweep: .*docker ps: exit code 99' \
    "$case: a warning says why"
calls_are ps "$case: nothing removed"
check "$case: nothing evicted" same_state "$before"

# --- the cache and remove

case=remove_container_evicts_ensure_sandbox_cache
seed
sk remove roboco-agent-dev-1
is "$rc" 0 "$case: R4"
check_not "$case: dev-1 is forgotten" has_entry dev-1
check "$case: dev-2 is not (R6)" has_entry dev-2

case=remove_container_teardown_false_spares_cache
seed
sk remove --keep-sandbox roboco-agent-dev-1
is "$rc" 0 "$case: R5"
check "$case: dev-1 is kept" same_state "$before"

# --- the cache and the janitor

case=janitor_sweep_evicts_cache_for_reaped_agents
seed_with_list
agent dev-2
sk sweep
is "$rc" 0 "$case: S8"
check_not "$case: dev-1 is forgotten, its agent is gone" has_entry dev-1
check "$case: dev-2 is not, its agent lives" has_entry dev-2
calls_are 'ps ps inspect' "$case: without any waiting, nothing removed"

# --- release

case=release_sandbox_no_cache_entry_is_fast_noop
seed
rm -r "$T/state"
sk release dev-1
is "$rc$out$err" 0 "$case: L1"
calls_are '' "$case: no docker call"
check_not "$case: no lock, no file, no directory" test -e "$T/state"

case=release_sandbox_tears_down_and_evicts_cache
seed
sk release dev-1
is "$rc" 0 "$case: L2"
calls_are inspect "$case: the teardown of dev-1, once"
check_not "$case: dev-1 is forgotten" has_entry dev-1
check "$case: dev-2 is not (L4)" has_entry dev-2
check_not "$case: no other verb" test -e "$FAKE_DOCKER_DIR/violations"

case=release_sandbox_is_idempotent
seed
sk release dev-1
is "$rc" 0 "$case: L3, once"
sk release dev-1
is "$rc" 0 "$case: L3, twice"
calls_are inspect "$case: one teardown"
check_not "$case: dev-1 is forgotten" has_entry dev-1

done_testing
