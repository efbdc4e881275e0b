# shellcheck shell=sh
# SPDX-License-Identifier: ISC
#
# The program's own peak memory, with many sandboxes: n containers of half as
# many agents, each recorded, each with an owner.  The client is one that
# repeats a listing, for no machine keeps 5,000 containers.

# sandboxes AGENTS: as "docker ps" lists them when the program asks
sandboxes()
{
	awk -v agents="$1" -v label="$SANDKEEPER_LABEL" -v keeper="$keeper" \
	    -v box="$SANDKEEPER_SANDBOX_PREFIX" \
	    -v agent="$SANDKEEPER_CONTAINER_PREFIX" '
	    function row(short, service) {
		printf "{\"id\":\"%064x\",\"names\":\"%s%s-a%d\",", ++id,
		    box, short, n
		printf "\"state\":\"running\","
		printf "\"created\":\"2026-01-01 00:00:00 +0000 UTC\","
		printf "\"labels\":{\"\":\"\",\"%s\":\"1\",", label
		printf "\"%s.owner\":\"%sa%d\",", label, agent, n
		printf "\"sandkeeper.keeper\":\"%s\",", keeper
		printf "\"sandkeeper.agent\":\"a%d\",", n
		printf "\"sandkeeper.service\":\"%s\",", service
		printf "\"sandkeeper.owner\":\"container:%sa%d\",", agent, n
		printf "\"sandkeeper.expires\":\"0\"}}\n"
	    }
	    BEGIN { for (n = 1; n <= agents; n++) {
		row("pg", "postgres"); row("redis", "redis") } }'
}

owners()
{
	awk -v agents="$1" -v agent="$SANDKEEPER_CONTAINER_PREFIX" '
	    BEGIN { for (n = 1; n <= agents; n++) {
		printf "{\"id\":\"%064x\",\"names\":\"%sa%d\",",
		    1000000 + n, agent, n
		printf "\"state\":\"running\","
		printf "\"created\":\"2026-01-01 00:00:00 +0000 UTC\","
		printf "\"labels\":{\"\":\"\"}}\n" } }'
}

replay_client()
{
	cat >"$work/replay" <<-END_CLIENT
		#!/bin/sh
		case \$* in
		*filter=label=*) exec cat '$work/sandboxes' ;;
		*ps*) exec cat '$work/owners' ;;
		esac
		exit 1
	END_CLIENT
	chmod 755 "$work/replay"
}

section_memory()
{
	no_daemon
	for memory_n in $MEMORY; do
		rm -rf "$SANDKEEPER_STATE_DIR"
		an_entry template
		keeper=$(cat "$SANDKEEPER_STATE_DIR/keeper")
		copy_entries "$entry" $((memory_n / 2))
		rm "$entry"
		replay_client
		SANDKEEPER_DOCKER=$work/replay
		sandboxes $((memory_n / 2)) >"$work/sandboxes"
		owners $((memory_n / 2)) >"$work/owners"
		[ "$("$SANDKEEPER" list | grep -c "running *alive" || :)" -eq \
		    "$memory_n" ] || {
			say 'the listing is not read as it should be'
			exit 1
		}
		for memory_case in sweep list; do
			pair memory "$memory_case" "$memory_n" -m -n "$few" \
			    -k limit_kb=16384 -k "calls=$(calls_of $memory_case)" \
			    -A "sandkeeper $memory_case" -B 'cat of the listings' \
			    "$SANDKEEPER $memory_case" \
			    "cat $work/sandboxes $work/owners"
		done
	done
	rm -rf "$SANDKEEPER_STATE_DIR"
}
