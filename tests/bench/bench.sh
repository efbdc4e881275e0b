# shellcheck shell=sh
# SPDX-License-Identifier: ISC
#
# For the sections of the benchmark, which "bench" reads after this.
#
#   pair SECTION CASE N [OPTION...] OURS OTHER
#	a line of results by the program pair, see pair.c
#   figure SECTION CASE N NAME VALUE [KEY=VALUE...]
#	a line of results with one number
#   calls_of ARG...            the docker calls of one run of the program
#   say TEXT                   what is done, on stderr
#   daemon / no_daemon         the docker client as usual / one that is not asked
#   owner SLUG                 starts an agent's container
#
# Keys of a line: section, case, n; what pair prints; of the limits that issue
# and DESIGN set, limit (of the ratio), plus_ms (beside it), limit_kb (own
# memory), limit_value (of a figure), least_value; calls (of docker, by ours).

say()
{
	printf 'bench: %s\n' "$*" >&2
}

pair()
{
	bench_section=$1 bench_case=$2 bench_n=$3
	shift 3
	"$PAIR" -k "section=$bench_section" -k "case=$bench_case" \
	    -k "n=$bench_n" "$@" >"$work/line" || {
		say "$bench_section, $bench_case, $bench_n: failed"
		return 1
	}
	cat "$work/line" >>"$results"
	say "$(jq -r '"\(.section): \(.case), \(.n): \(.a.median_ms) ms, \(.b.name) \(.b.median_ms) ms, ratio \(.ratio)"' "$work/line")"
}

figure()
{
	jq -nc --arg section "$1" --arg case "$2" --argjson n "$3" \
	    --arg figure "$4" --argjson value "$5" \
	    '{section: $section, case: $case, n: $n, figure: $figure,
	      value: $value}' >"$work/line"
	bench_figure="$1: $2, $3: $4 $5"
	shift 5
	for bench_key do
		jq -c --arg key "${bench_key%%=*}" \
		    --argjson value "${bench_key#*=}" '.[$key] = $value' \
		    "$work/line" >"$work/line.new"
		mv "$work/line.new" "$work/line"
	done
	cat "$work/line" >>"$results"
	say "$bench_figure"
}

calls_of()
{
	"$SANDKEEPER" -vv "$@" 2>&1 >/dev/null </dev/null |
	    grep -c ': exit code -\{0,1\}[0-9]* *.*, [0-9]* ms$' || :
}

# A world of the benchmark's own: nothing else on a daemon is touched.
world()
{
	bench_tag=bench-$$
	SANDKEEPER_ENABLED=true
	SANDKEEPER_STATE_DIR=$work/state
	SANDKEEPER_LOG_DIR=$work/log
	SANDKEEPER_LABEL=sandkeeper-$bench_tag
	SANDKEEPER_CONTAINER_PREFIX=$bench_tag-agent-
	SANDKEEPER_SANDBOX_PREFIX=$bench_tag-sb-
	SANDKEEPER_GRACE=0
	SANDKEEPER_OWNER_GRACE=0
	SANDKEEPER_ENGINES_DIR=$work/engines
	export SANDKEEPER_ENABLED SANDKEEPER_STATE_DIR SANDKEEPER_LOG_DIR \
	    SANDKEEPER_LABEL SANDKEEPER_CONTAINER_PREFIX SANDKEEPER_GRACE \
	    SANDKEEPER_SANDBOX_PREFIX SANDKEEPER_OWNER_GRACE \
	    SANDKEEPER_ENGINES_DIR
	mkdir -p "$work/engines" "$work/log"
	cp "${ENGINES_DIR:-$top/engines}"/*.conf "$work/engines"
	bench_engines >"$work/engines/zz-bench.conf"
	network=$bench_tag
}

# More services, made of others; and one that is ready at once, and heeds TERM.
bench_engines()
{
	for bench_n in 1 2 3; do
		cat <<-END_ENGINE
			engine "nap$bench_n" {
			  short   = "nap$bench_n"
			  image   = "busybox:test"
			  port    = 7
			  command = {"sh", "-c", 'trap "exit 0" TERM; sleep 86400 & wait'}
			  ready   = {"true"}
			  run-options = {"--stop-signal", "TERM"}
			  export  = {"NAP${bench_n}_HOST=%h"}
			}
			engine "redis$bench_n" {
			  like   = "redis"
			  short  = "redis$bench_n"
			  export = {"REDIS${bench_n}_HOST=%h"}
			}
		END_ENGINE
	done
}

daemon()
{
	SANDKEEPER_DOCKER=$docker
	DOCKER_HOST=$host
	export SANDKEEPER_DOCKER DOCKER_HOST
}

# Nothing is asked of it where it is used, or it says that there is nothing.
no_daemon()
{
	SANDKEEPER_DOCKER=$(command -v true)
	export SANDKEEPER_DOCKER
	unset DOCKER_HOST
}

owner()
{
	"$docker" run -d --network "$network" --label "$bench_tag=1" \
	    --name "$SANDKEEPER_CONTAINER_PREFIX$1" busybox:test \
	    sleep 86400 >/dev/null
}

# What is labelled goes, ours and what stands beside it.
clean_daemon()
{
	for bench_label in "$bench_tag" "$SANDKEEPER_LABEL"; do
		"$docker" ps -aq --filter "label=$bench_label=1" |
		    xargs -r "$docker" rm -f -v >/dev/null
	done
	"$docker" network rm "$network" >/dev/null 2>&1 || :
}

# copy_entries FILE COUNT: entries like that of FILE, for the agents a1, a2, ...;
# their containers' ids are the numbers from 1 on.
copy_entries()
{
	awk -v count="$2" -v slug="$(basename "$1")" -v folder="$(dirname "$1")" '
	    { line[NR] = $0 }
	    END { for (n = 1; n <= count; n++) {
		file = folder "/a" n
		for (i = 1; i <= NR; i++) {
			text = line[i]
			gsub(slug, "a" n, text)
			if (text ~ /^id=/)
				text = sprintf("id=%064x", ++id)
			print text >file
		}
		close(file) } }' "$1"
	find "$(dirname "$1")" -type f -exec chmod 600 {} +
}
