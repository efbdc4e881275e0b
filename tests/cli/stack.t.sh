#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Several stacks on one machine (DESIGN 5): each has names, a label, a state
# and logs of its own, and never touches another's.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/ensure.sh
. "$TESTS_LIB/../cli/ensure.sh"


cold
for name in blue-agent-a1 green-agent-a1 roboco-agent-a1; do
	fake container "$name" --network team --created "$OLD" >/dev/null
done
settings blue <<'END'
	stack = "blue"
END
sk -c "$conf" ensure a1 --services redis --state-dir "$T/s-blue"
is "$rc$err" 0 'stack: from the file'
check 'stack: the sandbox prefix' has_container blue-sandbox-redis-a1
is "$(fake inspect blue-sandbox-redis-a1 Config.Labels |
    jq -c '[."blue.sandbox", ."blue.sandbox.owner", ."roboco.sandbox"]')" \
    '["1","blue-agent-a1",null]' 'stack: label and owner label'
SANDKEEPER_STACK=green sk ensure a1 --services redis --state-dir "$T/s-green"
check 'stack: from the environment' has_container green-sandbox-redis-a1
sk ensure a1 --services redis
check 'stack: none' has_container roboco-sandbox-redis-a1

# --- nobody sees the others

for stack in blue green; do
	is "$(sk --set stack=$stack --state-dir "$T/s-$stack" list -q
	    echo "$out")" "$stack-sandbox-redis-a1" "stack: $stack: its list"
done
fake set blue-agent-a1 status=exited exit=0 "finished=$OLD"
sk --set stack=green --state-dir "$T/s-green" sweep --grace 0
sk sweep --grace 0
check 'stack: the sweeps of the others leave it' \
    has_container blue-sandbox-redis-a1
sk --set stack=blue --state-dir "$T/s-blue" sweep --grace 0
check_not 'stack: its own does not' has_container blue-sandbox-redis-a1
containers_are 'blue-agent-a1 green-agent-a1 green-sandbox-redis-a1
    roboco-agent-a1 roboco-sandbox-redis-a1' 'stack: and leaves the others'

# --- what is set by its own name

for words in '--set stack=x --set container-prefix=roboco-agent-' \
    '--set container-prefix=roboco-agent- --set stack=x'; do
	# shellcheck disable=SC2086 # words
	sk $words ensure a1 --services redis --state-dir "$T/s-x"
	is "$rc" 0 "stack: $words: the prefix is as it is set"
	check 'stack: the rest is the stack'"'s" has_container \
	    x-sandbox-redis-a1
	# shellcheck disable=SC2086
	sk $words release a1 --state-dir "$T/s-x"
done
for word in Blue 'a b' ../x -x a..b; do
	sk --json --set "stack=$word" list
	is "$rc $(kind)" '78 settings' "stack: '$word' is none"
done
sk --set stack= list
is "$rc" 0 'stack: an empty one is none'

# --- where the state is; only another user than root can choose where

[ "$(id -u)" != 0 ] || {
	# The names of root's folders, without making them.
	unset SANDKEEPER_STATE_DIR SANDKEEPER_LOG_DIR
	for words in '' '-blue'; do
		sk --json --set "stack=${words#-}" doctor
		like "$out" "/lib/sandkeeper${words}[^-a-z]" \
		    "stack: root's state: sandkeeper$words"
		like "$out" "/log/sandkeeper${words}[^-a-z]" \
		    "stack: root's logs: sandkeeper$words"
	done
	done_testing
}
unset SANDKEEPER_STATE_DIR SANDKEEPER_LOG_DIR
XDG_STATE_HOME=$T/xdg
export XDG_STATE_HOME
mkdir "$T/xdg"
fake container blue-agent-a2 --network team --created "$OLD" >/dev/null
sk -c "$conf" ensure a2 --services redis
check 'stack: state: beside the usual one' \
    test -f "$T/xdg/sandkeeper-blue/agents/a2"
sk release a2
check 'L1: without the settings there is nothing' \
    has_container blue-sandbox-redis-a2
sk -c "$conf" release a2
check_not 'L2: with them it is released' has_container blue-sandbox-redis-a2
echo 'nonsense {' >"$T/broken"
sk -c "$T/broken" release a2
is "$rc" 0 'L1: nothing to release needs no settings'
done_testing
