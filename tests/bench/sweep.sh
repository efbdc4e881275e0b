# shellcheck shell=sh
# SPDX-License-Identifier: ISC
#
# sweep of n orphans among living sandboxes, beside what an operator would type:
# a pipeline of "docker ps" and "docker rm -fv", stop and rm one by one, and
# "docker container prune"; and beside containers that are nobody's.  The
# orphans ignore TERM, as a program does that is process 1 and has no handler.
# The operator has the better of it: a label that only the orphans have.

orphan_script()
{
	cat >"$work/orphans" <<-END_SCRIPT
		#!/bin/sh
		# Sleeping, without a network, eight at a time.
		set -eu
		seq "\$1" | xargs -r -P 8 -I N '$docker' run -d --network none \\
		    --stop-signal TERM --name '${SANDKEEPER_SANDBOX_PREFIX}redis-o'N --label '$SANDKEEPER_LABEL=1' \\
		    --label '$SANDKEEPER_LABEL.owner=${SANDKEEPER_CONTAINER_PREFIX}o'N \\
		    --label '$bench_tag.orphan=1' busybox:test sleep 86400 >/dev/null
	END_SCRIPT
	chmod 755 "$work/orphans"
	orphans="--filter label=$bench_tag.orphan=1"
	pipeline="$docker ps -aq $orphans | xargs -r $docker rm -fv"
	prune="$docker kill \$($docker ps -q $orphans); $docker container prune -f $orphans"
	one_by_one="for c in \$($docker ps -aq $orphans); do $docker stop -t 5 \$c ||"
	one_by_one="$one_by_one $docker kill \$c; $docker rm -v \$c; done"
}

# living COUNT: so many sandboxes with owners that live, with those that are
# there; the sandbox itself need not run.
living()
{
	have=$("$docker" ps -aq --filter "label=$bench_tag.living=1" | wc -l)
	[ "$have" -lt "$1" ] || return 0
	say "makes $(($1 - have)) living sandboxes"
	seq $((have + 1)) "$1" | xargs -P 4 -I N "$docker" run -d \
	    --network none --name "${SANDKEEPER_CONTAINER_PREFIX}lN" \
	    --label "$bench_tag=1" --label "$bench_tag.living=1" \
	    busybox:test sleep 86400 >/dev/null
	seq $((have + 1)) "$1" | xargs -P 4 -I N "$docker" create \
	    --network none --name "${SANDKEEPER_SANDBOX_PREFIX}redis-lN" \
	    --label "$SANDKEEPER_LABEL=1" \
	    --label "$SANDKEEPER_LABEL.owner=${SANDKEEPER_CONTAINER_PREFIX}lN" \
	    busybox:test sleep 86400 >/dev/null
}

# Nobody's, beside those of before.
unrelated()
{
	have=$("$docker" ps -aq --filter "label=$bench_tag.other=1" | wc -l)
	[ "$have" -lt "$1" ] || return 0
	say "makes $(($1 - have)) unrelated containers"
	seq "$(($1 - have))" | xargs -P 4 -I N "$docker" create \
	    --network none --label "$bench_tag=1" --label "$bench_tag.other=1" \
	    busybox:test sleep 86400 >/dev/null
}

# sweeping CASE N LIMIT ROUNDS OTHER COMMAND [OPTION...]
sweeping()
{
	case=$1 n=$2 limit=$3 turns=$4 other=$5 command=$6
	shift 6
	pair sweep "$case" "$n" "$@" -n "$turns" ${limit:+-k "limit=$limit"} \
	    -k "calls=$calls" -p "$work/orphans $n" -A 'sandkeeper sweep' \
	    -B "$other" "$sweep" "$command"
}

# The cost of n, as it is measured: how well does a line fit?
straight()
{
	jq -r 'select(.section == "sweep" and .case == "pipeline") |
	    "\(.n) \(.a.median_ms)"' "$results" | awk '{ n++; x += $1; y += $2
		xx += $1 * $1; xy += $1 * $2; yy += $2 * $2 }
	    END { if (n < 3) exit
		d = (n * xx - x * x) * (n * yy - y * y)
		if (d > 0)
			printf "%.4f\n", (n * xy - x * y) ^ 2 / d }' \
	    >"$work/r2"
	[ ! -s "$work/r2" ] ||
	    figure sweep 'time by n, a straight line' 0 'r2' \
	        "$(cat "$work/r2")" least_value=0.98
}

section_sweep()
{
	daemon
	orphan_script
	sweep="$SANDKEEPER --quiet sweep --strict"
	[ "$LIVING" = same ] || living "$LIVING"
	for n in $SWEEP; do
		[ "$LIVING" != same ] || living "$n"
		"$work/orphans" "$n"
		calls=$(calls_of sweep --strict)
		limit=0.93 turns=$few
		[ "$n" -ge 50 ] || limit=
		if [ "$n" -le 10 ]; then
			limit=1.1 turns=$rounds
		fi
		sweeping pipeline "$n" "$limit" "$turns" \
		    'docker ps | xargs docker rm -fv' "$pipeline" -1 -m
	done
	straight
	for n in $PRUNE; do
		"$work/orphans" "$n"
		calls=$(calls_of sweep --strict)
		sweeping 'prune' "$n" '' "$few" \
		    'docker kill, docker container prune' "$prune" -1
	done
	for n in $ONE_BY_ONE; do
		"$work/orphans" "$n"
		calls=$(calls_of sweep --strict)
		sweeping 'one by one' "$n" 0.05 1 \
		    'docker stop, kill, rm one by one' "$one_by_one" -1
	done
	for beside in $UNRELATED; do
		[ "$beside" -gt 0 ] || continue
		unrelated "$beside"
		for n in $BESIDE; do
			"$work/orphans" "$n"
			calls=$(calls_of sweep --strict)
			sweeping "pipeline, beside $beside others" "$n" '' \
			    "$rounds" 'docker ps | xargs docker rm -fv' \
			    "$pipeline" -1
		done
	done
	clean_daemon
}
