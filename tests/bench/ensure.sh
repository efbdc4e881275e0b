# shellcheck shell=sh
# SPDX-License-Identifier: ISC
#
# ensure: a hit beside one "docker inspect"; cold for some services beside the
# same typed by hand, and beside the slowest of them alone; and how long after
# a service's true readiness it returns.

# by_hand SERVICE...: what an operator types: "docker run"s in a row, then a
# look at each ten times a second.  The data is on a tmpfs, too.
by_hand_script()
{
	cat >"$work/by-hand" <<-END_SCRIPT
		#!/bin/sh
		set -eu
		common='--network $network --label $bench_tag=1 --memory 512m --cpus 1 --pids-limit 512'
		for name do
		    case \$name in
		    postgres) '$docker' run -d --name $bench_tag-hand-\$name \$common \\
		        --shm-size 128m --tmpfs /sandbox:size=256m -e POSTGRES_USER=sandbox \\
		        -e POSTGRES_DB=sandbox -e POSTGRES_PASSWORD=secret -e PGDATA=/sandbox/data \\
		        postgres:16-alpine postgres -c fsync=off -c full_page_writes=off \\
		        -c synchronous_commit=off -c wal_level=minimal -c max_wal_senders=0 ;;
		    *)  '$docker' run -d --name $bench_tag-hand-\$name \$common \\
		        --tmpfs /data:size=128m redis:8-alpine redis-server --requirepass secret \\
		        --save '' --appendonly no ;;
		    esac
		done
		for name do
		    case \$name in
		    postgres) until '$docker' exec $bench_tag-hand-\$name pg_isready -h 127.0.0.1 \\
		        -U sandbox; do sleep 0.1; done ;;
		    *)  until '$docker' exec -e REDISCLI_AUTH=secret $bench_tag-hand-\$name redis-cli ping |
		        grep -q PONG; do sleep 0.1; done ;;
		    esac
		done
	END_SCRIPT
	cat >"$work/by-hand-away" <<-END_SCRIPT
		#!/bin/sh
		'$docker' ps -aq --filter name=$bench_tag-hand- | xargs -r '$docker' rm -fv
	END_SCRIPT
	chmod 755 "$work/by-hand" "$work/by-hand-away"
}

services_of()
{
	case $1 in
	1) echo postgres ;;
	2) echo postgres,redis ;;
	3) echo postgres,redis,redis1 ;;
	*) echo postgres,redis,redis1,redis2 ;;
	esac
}

ensure_hit()
{
	"$SANDKEEPER" -q ensure one --services postgres,redis >/dev/null
	names="$SANDKEEPER_CONTAINER_PREFIX"one
	names="$names ${SANDKEEPER_SANDBOX_PREFIX}pg-one"
	names="$names ${SANDKEEPER_SANDBOX_PREFIX}redis-one"
	pair ensure hit 2 -m -n "$((rounds * 3))" -k limit=1.2 \
	    -k "calls=$(calls_of ensure one --services postgres,redis)" \
	    -A 'sandkeeper ensure' -B 'docker inspect of the same' \
	    "$SANDKEEPER ensure one --services postgres,redis" \
	    "$docker inspect --type container $names"
	"$SANDKEEPER" -q release one
}

ensure_cold()
{
	cold=$(services_of "$1")
	calls=$(calls_of ensure one --services "$cold")
	"$SANDKEEPER" -q release one
	pair ensure 'cold, by hand' "$1" -1 -m -n "$few" -k "calls=$calls" \
	    -a "$SANDKEEPER -q release one" -b "$work/by-hand-away" \
	    -A 'sandkeeper ensure' -B 'docker runs in a row, waited for' \
	    "$SANDKEEPER ensure one --services $cold" \
	    "$work/by-hand $(echo "$cold" | tr , ' ')"
	"$work/by-hand-away" >/dev/null
	[ "$1" -gt 1 ] || return 0
	pair ensure 'cold, slowest alone' "$1" -1 -n "$few" -k limit=1.1 \
	    -k plus_ms=100 -p "$SANDKEEPER -q release one" \
	    -A 'sandkeeper ensure' -B 'sandkeeper ensure of postgres alone' \
	    "$SANDKEEPER ensure one --services $cold" \
	    "$SANDKEEPER ensure one --services postgres"
}

# The daemon's own stamp on the line by which the service says so.
ensure_after()
{
	: >"$work/after"
	for after_round in $(seq "$few"); do
		"$SANDKEEPER" -q release one
		"$SANDKEEPER" -q ensure one --services "$1" >/dev/null
		after_end=$(date +%s%N)
		after_ready=$("$docker" logs -t \
		    "$SANDKEEPER_SANDBOX_PREFIX$2-one" 2>&1 |
		    grep -i 'ready to accept connections' | tail -n 1)
		after_ready=$(date -d "${after_ready%% *}" +%s%N)
		echo "$after_round $(((after_end - after_ready) / 1000000))" \
		    >>"$work/after"
	done
	figure ensure "$1: return after true readiness" 1 ms \
	    "$(awk '{ print $2 }' "$work/after" | median)" \
	    "low=$(awk '{ print $2 }' "$work/after" | sort -n | head -n 1)" \
	    "high=$(awk '{ print $2 }' "$work/after" | sort -n | tail -n 1)" \
	    limit_value=100
}

median()
{
	sort -n | awk '{ v[NR] = $1 }
	    END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}

section_ensure()
{
	daemon
	"$docker" network create --label "$bench_tag=1" "$network" >/dev/null
	owner one
	by_hand_script
	ensure_hit
	for ensure_n in $SERVICES; do
		ensure_cold "$ensure_n"
	done
	ensure_after postgres pg
	ensure_after redis redis
	"$SANDKEEPER" -q release one
	clean_daemon
}
