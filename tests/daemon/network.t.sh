#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Networks: an agent reaches its sandbox, whatever network it is in.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/lib/daemon.sh
. "$TESTS_LIB/daemon.sh"

a=sk-net-a-$$
b=sk-net-b-$$
AGENT_IMAGE=agent:test

# logs_in CONTAINER: a client in that container reaches Redis with what ensure
# --env printed last.
# shellcheck disable=SC2016,SC2317 # for the shell inside; check calls it
logs_in()
{
	{
		cat "$out_file"
		echo 'export REDISCLI_AUTH="$ROBOCO_TEST_REDIS_PASSWORD"'
		echo 'redis-cli -h "$ROBOCO_TEST_REDIS_HOST" \
		    -p "$ROBOCO_TEST_REDIS_PORT" ping'
	} | timeout 20 "$D" exec -i "$1" sh >"$T/answer" 2>&1
	grep -qx PONG "$T/answer"
}

# shellcheck disable=SC2016 # docker's template
networks_of()
{
	dk inspect --format \
	    '{{range $n, $x := .NetworkSettings.Networks}}{{$n}} {{end}}' "$1" |
	    sed "s/^$default_network /bridge /"
}

host_in()
{
	sed -n "s/^export ROBOCO_TEST_REDIS_HOST='\(.*\)'\$/\1/p" "$out_file"
}

# ensure_redis SLUG OPTION...
ensure_redis()
{
	slug=$1
	shift
	redis=$(sandbox_of redis "$slug")
	sk ensure "$slug" --services redis --env "$@"
}

daemon_world
make_network "$b"
make_network "$a"

agent net-1 --network "$b"
ensure_redis net-1
is "$rc $(networks_of "$redis") $(host_in)" "0 $b  $(host_of "$redis" "$b")" \
    'E10: the network of the owner, and that one alone'
check 'E10: the agent logs in' logs_in roboco-agent-net-1

agent net-2 --network "$b"
dk network connect "$a" roboco-agent-net-2
ensure_redis net-2
is "$rc $(networks_of "$redis")" "0 $a " \
    'E10: of two networks the first by name'
check 'E10: the agent logs in' logs_in roboco-agent-net-2

# An ordinary user's podman has to be asked for it.
default=
if client_is 'podman rootless'; then
	default='--network bridge'
	agent net-0
	ensure_redis net-0
	is "$rc" 75 'E10: an owner in a network of its own'
	like "$err" 'roboco-agent-net-0 is in a network of its own \(slirp4netns' \
	    'E10: is told why'
	like "$err" 'hint: start it with --network bridge' 'E10: with the remedy'
	check 'E10: nothing was made' is_gone "$redis"
fi
# shellcheck disable=SC2086 # words
agent net-3 $default
ensure_redis net-3
is "$rc $(networks_of "$redis")" '0 bridge ' \
    'E10: the default bridge, where that is all that the owner has'
like "$(host_in)" '^[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+$' \
    'E10: an address, for there are no names'
check 'E10: the agent logs in' logs_in roboco-agent-net-3
forget_calls
ensure_redis net-3
is "$rc $(verbs)" '0 inspect' 'E4: and that is a hit, too'
check 'E4: with the same address' logs_in roboco-agent-net-3

# shellcheck disable=SC2086 # words
agent net-4 $default
dk network connect "$a" roboco-agent-net-4
ensure_redis net-4
is "$rc $(networks_of "$redis")" "0 $a " \
    'E10: a user-defined network comes before the default bridge'
check 'E10: the agent logs in' logs_in roboco-agent-net-4

ensure_redis net-5
is "$rc" 75 'E10: the owner is not there'
like "$err" 'roboco-agent-net-5' 'E10: it is named'
like "$err" 'hint:.*--network' 'E10: with the remedy'
check 'E10: nothing was made' is_gone "$redis"
check 'E7: no entry is left' has_no_entry net-5
ensure_redis net-5 --network "$a"
is "$rc $(networks_of "$redis")" "0 $a " \
    'E10: with a named network it may come later'
agent net-5 --network "$a"
check 'E10: and then logs in' logs_in roboco-agent-net-5

agent net-6 --network none
ensure_redis net-6
is "$rc" 75 'E10: an owner without a network'
like "$err" 'roboco-agent-net-6 has no network' 'E10: is told why'
check 'E10: nothing was made' is_gone "$redis"

agent net-7 --network host
ensure_redis net-7
is "$rc $(host_in)" '0 127.0.0.1' "E10: the host's network: published there"
check 'E10: the agent logs in' logs_in roboco-agent-net-7
forget_calls
ensure_redis net-7
is "$rc $(verbs)" '0 inspect' 'E4: and that is a hit, too'

agent net-8 --network container:roboco-agent-net-2
ensure_redis net-8
is "$rc $(networks_of "$redis")" "0 $a " \
    "E10: another container's network: that one's"
check 'E10: the agent logs in' logs_in roboco-agent-net-8

ensure_redis net-9 --network "sk-nowhere-$$"
is "$rc" 75 'E10: a network that is not there'
like "$err" "sk-nowhere-$$.* not found" 'E10: is named'
check 'E7: nothing is left, not even what docker created' is_gone "$redis"
check 'E7: no entry' has_no_entry net-9

# The agent leaves the network of its sandbox, and is in another one.
dk network connect "$a" roboco-agent-net-1
dk network disconnect "$b" roboco-agent-net-1
ensure_redis net-1
is "$rc" 65 'E4: a sandbox that the owner cannot reach is no hit'
like "$err" 'hint:.*--replace' 'E4: and the remedy is told'
check 'E2: nothing was replaced without that word' is_up "$redis"
ensure_redis net-1 --replace
is "$rc $(networks_of "$redis")" "0 $a " \
    'E4: with it the new one is where the owner is'
check 'E4: the agent logs in' logs_in roboco-agent-net-1

done_testing
