#!/bin/sh
# SPDX-License-Identifier: ISC
#
# compose = owner, and off, beside docker-compose (rule E9, case 28): what it
# takes for a replica, for an orphan, and what "down" leaves.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/lib/daemon.sh
. "$TESTS_LIB/daemon.sh"

project=shop$$
box=$(sandbox_of nap job)

compose()
{
	run docker-compose --no-ansi -p "$project" -f "$T/compose.yml" "$@"
}

# The containers of a service, as both composes ask for them.
replicas()
{
	dk ps -aq --filter "label=com.docker.compose.project=$project" \
	    --filter "label=com.docker.compose.service=$1" \
	    --filter label=com.docker.compose.oneoff=False | wc -l
}

# The services that the current compose sees in the project, by the labels
# that it documents; what is in none of the file's services is an orphan.
services()
{
	dk ps -a --filter "label=com.docker.compose.project=$project" \
	    --filter label=com.docker.compose.config-hash \
	    --filter label=com.docker.compose.oneoff=False \
	    --format '{{.Label "com.docker.compose.service"}}' | sort -u |
	    tr '\n' ' '
}

# world COMPOSE: the project is up, and its agent has a sandbox.
world()
{
	daemon_world
	cat >"$T/compose.yml" <<-END
		version: "2.4"
		services:
		  agent:
		    image: busybox:test
		    command: sleep 86400
		    labels: {sandkeeper-test: "$T"}
		networks:
		  default:
		    labels: {sandkeeper-test: "$T"}
	END
	compose up -d
	is "$rc" 0 "compose = $1: up"
	sk ensure job --owner "container:${project}_agent_1" --services nap \
	    --set "compose=$1"
	is "$rc" 0 "compose = $1: ensure"
	first=$(id_of "$box")
	owner=$(id_of "${project}_agent_1")
}

# stays DESC: it is the same, and its owner, too.
stays()
{
	is "$(id_of "$box") $(state_of "$box")" "$first running" "$1"
	is "$(id_of "${project}_agent_1")" "$owner" "$1: its owner, too"
}

for how in off owner; do
	world $how
	compose up -d
	is "$rc" 0 "E9: compose = $how: up again"
	stays "E9: compose = $how: up leaves it"
	compose up -d --scale agent=3
	is "$rc $(replicas agent)" '0 3' "E9: compose = $how: it is no replica"
	stays "E9: compose = $how: scaled up"
	compose up -d --scale agent=1
	is "$rc $(replicas agent)" '0 1' "E9: compose = $how: scaled down"
	stays "E9: compose = $how: scaled down: it stays"
	compose stop
	compose start
	is "$(id_of "$box") $(state_of "$box")" "$first running" \
	    "E9: compose = $how: stop and start are the services'"
	is "$(services)" "agent $([ $how = off ] || echo "$box ")" \
	    "E9: compose = $how: what the current compose sees"
	if [ $how = off ]; then
		compose up -d --remove-orphans
		stays 'case 28: compose = off: no orphan of a project'
	fi

	# The sandbox holds the network: down says so; a sweep ends it.
	compose down
	is "$(state_of "$box")" running "E9: compose = $how: down leaves it"
	like "$err" 'has active endpoints' \
	    "E9: compose = $how: and so the network stays"
	sk sweep --grace 0 --set owner-grace=0
	is "$rc $(state_of "$box") $(state_files)" '0 gone ' \
	    "E9: compose = $how: then the sweep removes it"
	compose down
	is "$rc $(dk network ls -q --filter "name=${project}_default")" '0 ' \
	    "E9: compose = $how: then down removes the network"
done

# --- orphans

world owner
compose up -d --remove-orphans
is "$rc $(state_of "$box")" '0 gone' 'E9: compose = owner: up --remove-orphans'
sk ensure job --owner "container:${project}_agent_1" --services nap \
    --set compose=owner
is "$rc $(state_of "$box")" '0 running' 'the next ensure makes it again'
compose down --remove-orphans
is "$rc $(state_of "$box")" '0 gone' 'E9: compose = owner: down --remove-orphans'
is "$(dk network ls -q --filter "name=${project}_default")" '' \
    'E9: in one go, the network, too'
sk sweep --grace 0 --set owner-grace=0
check 'S8: and its entry goes with the next sweep' has_no_entry job
world off
compose down --remove-orphans
is "$(state_of "$box")" running 'case 28: compose = off: nothing of ours goes'
sk release job
is "$rc $(state_of "$box")" '0 gone' 'release'
compose down
done_testing
