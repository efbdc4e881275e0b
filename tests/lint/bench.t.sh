#!/bin/sh
# SPDX-License-Identifier: ISC
# The benchmark's own tools: pair measures what it says, table judges by the
# limits, plots draws what there is.  Tiny numbers, no daemon.
set -eu

top=${TOP_SRCDIR-$(cd "$(dirname "$0")/../.." && pwd)}
: "${PAIR:?is to be the program pair}"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
count=0
: >"$dir/out"
: >"$dir/err"

# check DESC COMMAND...
check() {
	desc=$1
	shift
	count=$((count + 1))
	if "$@" >"$dir/said" 2>&1; then
		echo "ok $count - $desc"
	else
		echo "not ok $count - $desc"
		sed 's/^/# /' "$dir/said" "$dir/out" "$dir/err"
	fi
}

# run COMMAND...: sets $rc
run() {
	rc=0
	"$@" >"$dir/out" 2>"$dir/err" </dev/null || rc=$?
}

# holds FILTER: jq's, of what came out
holds() {
	jq -e "$1" "$dir/out"
}

# row ERE: a row of the table
row() {
	grep -E "$1" "$dir/out"
}

# --- pair ---

run "$PAIR" -n 3 -k section=s -k n=7 -A ours -B "the others' \"own\"" \
    'sleep 0.06' 'sleep 0.01'
check 'pair: succeeds' test "$rc" = 0
check 'pair: one line' test "$(wc -l <"$dir/out")" = 1
check 'pair: keys, numbers as numbers, names escaped' holds \
    '.section == "s" and .n == 7 and .rounds == 3 and .a.name == "ours" and
     .b.name == "the others'\'' \"own\""'
check 'pair: wall times in ms' holds '.a.min_ms >= 60 and .a.max_ms < 2000 and
     .b.min_ms >= 10'
check 'pair: the median is between least and most' holds '[.a, .b] | all(
     .min_ms <= .median_ms and .median_ms <= .max_ms)'
check 'pair: the ratio is that of the medians' holds \
    '(.ratio - .a.median_ms / .b.median_ms) | fabs < 0.001'
check 'pair: quartiles of the ratio in their order' holds \
    '.ratio_low <= .ratio_high'
check 'pair: memory and page faults' holds '[.a, .b] | all(
     .rss_kb > 100 and .rss_kb < 100000 and .minflt > 10)'
check 'pair: own memory only when asked for' holds '.a.own_kb == null'

run "$PAIR" -m -n 1 'sleep 0.001' "sh -c 'exit 0'"
check 'pair: own memory of what is started directly' holds \
    '.a.own_kb > 100 and .a.own_kb <= .a.rss_kb + 500 and .b.own_kb == null'

cat >"$dir/mark" <<END
#!/bin/sh
printf '%s ' "\$1" >>'$dir/marks'
END
cat >"$dir/parent" <<END
#!/bin/sh
cat /proc/\$PPID/comm >>'$dir/marks'
END
chmod +x "$dir/mark" "$dir/parent"
run "$PAIR" -n 3 -p "$dir/mark p" -a "$dir/mark x" -b "$dir/mark y" \
    "$dir/mark a" "$dir/mark b"
check 'pair: by turns, one round that does not count, preparations before' \
    test "$(cat "$dir/marks")" = \
    'p x a p y b p x a p y b p y b p x a p x a p y b '
: >"$dir/marks"
run "$PAIR" -1 -n 1 "$dir/mark a" "$dir/mark b"
check 'pair: -1 counts each run' test "$(cat "$dir/marks")" = 'a b '
: >"$dir/marks"
run "$PAIR" -1 -n 1 "$dir/parent" "$dir/parent; true"
check 'pair: a shell only where the command needs one' \
    test "$(tr '\n' ' ' <"$dir/marks")" = 'pair sh '
run "$PAIR" -n 1 true 'ls /nonexistent'
check 'pair: a command that fails ends it' test "$rc" = 1
check 'pair: and is named' grep -q 'status 2.*: ls /nonexistent' "$dir/err"
check 'pair: with no result' test ! -s "$dir/out"
run "$PAIR" -n 1 -p false true true
check 'pair: so does a preparation' test "$rc" = 1
# shellcheck disable=SC2016 # pair's shell expands it
run "$PAIR" -n 1 'kill -9 $$' true
check 'pair: and a signal' grep -q '^pair: signal 9 ended: ' "$dir/err"
run "$PAIR" -n 1 /nonexistent true
check 'pair: and what is not there' test "$rc" = 1
run "$PAIR" -n 0 true true
check 'pair: no rounds is an error of usage' test "$rc" = 64
run "$PAIR" true
check 'pair: so is one command' test "$rc" = 64
run "$PAIR" -k word true true
check 'pair: and a key without a value' test "$rc" = 64

# --- table ---

side='"name":"x","median_ms":M,"min_ms":1,"max_ms":300,"rss_kb":9,"minflt":9'
# line CASE OURS THEIRS MORE
line() {
	printf '{"section":"s","case":"%s","n":1,%s"rounds":3,' "$1" "$4"
	printf '"a":{%s,"own_kb":500},' "$side" | sed "s/:M,/:$2,/"
	printf '"b":{%s},' "$side" | sed "s/:M,/:$3,/"
	printf '"ratio":%s,"ratio_low":0.5,"ratio_high":9}\n' \
	    "$(echo "$2 $3" | awk '{ printf "%.4f", $1 / $2 }')"
}

{
	line under 110 100 '"limit":1.1,"calls":3,'
	line over 111 100 '"limit":1.1,'
	line under-sum 209 100 '"limit":1.1,"plus_ms":100,'
	line over-sum 211 100 '"limit":1.1,"plus_ms":100,'
	line small 1 1 '"limit_kb":500,'
	line large 1 1 '"limit_kb":499,'
	line free 1 1 ''
	for figure in 'few 600000' 'many 600001'; do
		printf '{"section":"s","case":"%s","n":0,"figure":"instructions","value":%s,"limit_value":600000}\n' \
		    "${figure% *}" "${figure#* }"
	done
	printf '{"section":"s","case":"%s","n":0,"figure":"r2","value":%s,"least_value":0.98}\n' \
	    straight 0.98 bent 0.97
} >"$dir/results"
run "$top/tests/bench/table" "$dir/results"
check 'table: succeeds' test "$rc" = 0
check 'table: ratio, spread, calls and memory in a row' row \
    '^s  +under  +1  +110 \(1-300\)  +100 \(1-300\) x  +1\.1 \(0\.5-9\)  +3  +500  +1\.1  +holds$'
for case in under under-sum small few straight; do
	check "table: $case: the limit holds" row " $case .* holds$"
done
for case in over over-sum large many bent; do
	check "table: $case: the limit is missed" row " $case .* MISSED$"
done
check 'table: no limit, no judgement' row ' free .* -  +-$'
echo '{"section":"s"}' >"$dir/bad"
run "$top/tests/bench/table" "$dir/bad"
check 'table: a line that is no result is an error' test "$rc" != 0
run "$top/tests/bench/table" "$top/doc/bench/results.jsonl"
check 'table: the committed one is that of the committed results' \
    cmp "$dir/out" "$top/doc/bench/table.txt"

# --- plots ---

mkdir "$dir/bin" "$dir/plots"
cat >"$dir/bin/gnuplot" <<END
#!/bin/sh
sed -n 's/^set output "\(.*\)"/\1/p' "\$1" | xargs touch
END
chmod +x "$dir/bin/gnuplot"
run env PATH="$dir/bin:$PATH" "$top/tests/bench/plots" \
    "$top/doc/bench/results.jsonl" "$dir/plots"
check 'plots: succeeds' test "$rc" = 0
check 'plots: the committed ones are those that are drawn' \
    test "$(cd "$dir/plots" && ls -- *.svg)" = \
    "$(cd "$top/doc/bench" && ls -- *.svg)"
rm -f "$dir/plots"/*
run env PATH="$dir/bin:$PATH" "$top/tests/bench/plots" "$dir/results" \
    "$dir/plots"
check 'plots: what was not measured is not drawn' \
    test "$rc$(ls "$dir/plots")" = 0

# --- bench ---

mkdir "$dir/few"
for tool in dirname jq strace; do
	ln -s "$(command -v "$tool")" "$dir/few/$tool"
done
sh=$(command -v sh)
run env PATH="$dir/few" SANDKEEPER=x PAIR=x FAKE_DOCKER=x \
    BENCH_OUT="$dir/bench" "$sh" "$top/tests/bench/bench" noop
check 'bench: what is missing is an error' test "$rc" = 69
check 'bench: told in one line, by the names of the packages' \
    test "$(cat "$dir/err")" = \
    "bench: please install (Debian's packages): valgrind gnuplot-nox"
run env SANDKEEPER=x PAIR=x FAKE_DOCKER=x BENCH_OUT="$dir/bench" \
    "$sh" "$top/tests/bench/bench" noop nonsense
check 'bench: an unknown section is an error of usage' test "$rc" = 64
echo "1..$count"
