#!/bin/sh
# SPDX-License-Identifier: ISC
#
# S11: sweep --metrics: read by a strict reader of the format, whatever docker
# did; and a sweep's JSON, a record for each decision.

# shellcheck disable=SC2317 # functions are called by name

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"

read_strictly()
{
	awk -f "$TESTS_LIB/exposition.awk" "$@"
}

# value NAME [LABEL]: of the file's samples
value()
{
	read_strictly "$T/sk.prom" | grep -F "sandkeeper_$1{" |
	    grep -F -- "${2:-}" | sed 's/.* //'
}

# --- the reader is strict

fixture
head='# HELP a b
# TYPE a gauge
'
refuses()
{
	printf '%s' "$1" >"$T/text"
	check_not "the reader refuses $2" read_strictly "$T/text" 2>"$T/why"
}
printf '%sa 1\na{b="c"} +Inf\na{b="\\\\\\"\\n",c="x,}"} 1e3\n' "$head" >"$T/text"
is "$(read_strictly "$T/text")" 'a{} 1
a{b="c"} +Inf
a{b="\\\"\n",c="x,}"} 1e3' 'the reader reads'
refuses '' 'nothing'
refuses 'a 1
' 'a sample without HELP and TYPE'
refuses "${head}a" 'a sample without a value'
refuses "${head}a 1 2
" 'a timestamp'
refuses "${head}a one
" 'a word for a number'
refuses "${head}a{b=\"c\"} 1
a{b=\"c\"} 2
" 'a sample twice'
refuses "${head}a{b=\"1\",b=\"2\"} 1
" 'a label twice'
refuses "${head}a{b=\"\\x\"} 1
" 'another escape'
refuses "${head}a{b=\"c} 1
" 'a value without an end'
refuses "${head}a{1b=\"c\"} 1
" 'a label that begins with a digit'
refuses "${head}a 1
# HELP c d
# TYPE c gauge
c 1
a{b=\"c\"} 1
" 'a metric in two places'
refuses "${head}a 1
# TYPE a gauge
" 'a TYPE twice'
refuses "${head}a_total 1
" 'another name'

# --- a sweep with everything in it

# mixed: what a sweep finds: 2 to go, 4 to keep
mixed()
{
	scene
	sweeps
	agent alive
	sandbox alive pg
	entry alive pg
	sandbox held pg
	entry held "hold=$(($(now) + 600))" pg
	agent young --state exited --finished "$OLD"
	sandbox young pg --created "$(ago 60)"
	entry young pg
	foreign theirs pg
	for slug in dead-1 dead-2; do
		agent "$slug" --state exited --finished "$OLD"
		sandbox "$slug" pg
		entry "$slug" pg
	done
	entry gone "owner=none" expires=1
}

mixed
before=$(date +%s)
sk sweep --metrics "$T/sk.prom"
is "$rc" 0 'S11: exit code'
check 'S11: the strict reader takes it' read_strictly "$T/sk.prom"
is "$(stat -c %a "$T/sk.prom")" 644 'S11: mode 0644'
is "$(value up) $(value sandboxes_found) $(value sandboxes_removed) $(value sandboxes_failed)" \
    '1 6 2 0' 'S11: up, found, removed, failed'
is "$(value sandboxes_held) $(value entries_evicted) $(value oldest_orphan_seconds)" \
    '1 3 0' 'S11: held, evicted, oldest orphan'
is "$(value sandboxes_kept 'reason="owner-alive"') $(value sandboxes_kept 'reason="held"') $(value sandboxes_kept 'reason="young"') $(value sandboxes_kept 'reason="foreign"')" \
    '1 1 1 1' 'S11: kept, by reason'
is "$(value sandboxes_kept | awk '{ n += $1 } END { print n }')" 4 \
    'S11: the reasons together are what was kept'
like "$(value sweep_duration_seconds)" '^[0-9]+\.[0-9]{3}$' 'S11: duration'
success=$(value sweep_last_success_timestamp_seconds)
check 'S11: last success' test "$success" -ge "$before"
like "$(read_strictly "$T/sk.prom" | head -n 1)" \
    "daemon=\"default\",state=\"$T/state\"" \
    'S11: states and daemons of one machine do not collide'
names=$(sed -n 's/^# TYPE //p' "$T/sk.prom")

# the same names whatever happens, or a rule of an alert never sees a value
sk sweep --metrics "$T/sk.prom" --grace 0 --set owner-grace=0
is "$(sed -n 's/^# TYPE //p' "$T/sk.prom")" "$names" 'S11: always the same names'

# a path may hold what the format gives a meaning
scene
odd="$T/we\"ird\\ {x},
dir"
mv "$T/state" "$odd"
sk sweep --state-dir "$odd" --metrics "$T/sk.prom"
check 'S11: an odd path as a label' read_strictly "$T/sk.prom"
is "$(value up)" 1 'S11: the value stands behind it'
success=$(value sweep_last_success_timestamp_seconds)
echo 1 >"$T/fake/down"
sk sweep --state-dir "$odd" --metrics "$T/sk.prom"
is "$(value sweep_last_success_timestamp_seconds)" "$success" \
    'S11: the last success is found behind it'

# --- docker in trouble

# S11: written also when docker is down
mixed
sk sweep --metrics "$T/sk.prom"
success=$(value sweep_last_success_timestamp_seconds)
echo 1 >"$T/fake/down"
sk sweep --metrics "$T/sk.prom"
is "$rc" 0 'docker is down: exit code'
check 'docker is down: the strict reader takes it' read_strictly "$T/sk.prom"
is "$(value up) $(value sandboxes_found) $(value sandboxes_removed) $(value sandboxes_held) $(value oldest_orphan_seconds)" \
    '0 NaN 0 NaN NaN' 'docker is down: what is not known is not a number'
is "$(value sweep_last_success_timestamp_seconds)" "$success" \
    'docker is down: the last success is that of the sweep before'
is "$(sed -n 's/^# TYPE //p' "$T/sk.prom")" "$names" \
    'docker is down: the same names'
sk --docker "$T/nowhere" sweep --metrics "$T/sk.prom"
is "$rc $(value up)" '0 0' 'no docker: written'
like "$(read_strictly "$T/sk.prom" | head -n 1)" 'daemon="default"' \
    'no docker: of the same daemon'
is "$(value sweep_last_success_timestamp_seconds)" "$success" \
    'no docker: the last success'
rm "$T/sk.prom"
sk sweep --metrics "$T/sk.prom"
is "$(value sweep_last_success_timestamp_seconds)" 0 'never a success: 0'

mixed
fake fault rm rc=1 'err=Error response from daemon: device or resource busy\n' \
    "when=$(id_of roboco-sandbox-pg-dead-1)"
sk sweep --metrics "$T/sk.prom"
is "$(value sandboxes_removed) $(value sandboxes_failed) $(value up)" '1 1 1' \
    'one that will not go'
check 'its age is the oldest orphan'\''s' \
    test "$(value oldest_orphan_seconds)" -ge 3600
is "$(value sweep_last_success_timestamp_seconds)" 0 'that is no success'

# --- where nothing is written

scene
echo old >"$T/sk.prom"
SANDKEEPER_ENABLED=0 sk sweep --metrics "$T/sk.prom"
is "$rc $(cat "$T/sk.prom")" '0 old' 'F2: switched off, nothing at all is done'
exec 8>"$T/state/sweep.lock"
flock 8
sk sweep --metrics "$T/sk.prom"
is "$rc $(cat "$T/sk.prom")" '0 old' 'S9: the sweep that is at work writes its own'
exec 8>&-
sk sweep --metrics "$T/sk.prom" --dry-run
is "$rc" 64 'a dry run has nothing to measure'
sk sweep --metrics "$T/"
is "$rc" 65 'a folder is no file'
calls_are '' 'all that without a docker call'
sk sweep --metrics "$T/no/sk.prom"
is "$rc" 0 'S11: that it cannot be written does not break the job'
like "$err" "warning: .*no/sk\.prom.*No such file" 'S11: a warning says so'
sk sweep --strict --metrics "$T/no/sk.prom"
is "$rc" 74 'S11: --strict tells'
cd "$T" || exit
sk sweep --metrics sk.prom
is "$(value up)" 1 'a path without a folder'
ln -sf "$T/other" "$T/link.prom"
sk sweep --metrics "$T/link.prom"
check_not 'S11: a link is replaced, not followed' test -e "$T/other"

# --- sweep --json: one record for each decision

mixed
sk sweep --json --metrics "$T/sk.prom"
is "$(jq '[.found,.removed,.kept,.failed,.evicted]|@csv' "$out_file")" \
    '"6,2,4,0,3"' '--json: the sums'
is "$(jq -r '.decisions[]|[.agent,.outcome,.verdict]|join(" ")' "$out_file" | LC_ALL=C sort)" \
    'alive kept owner-alive
dead-1 removed owner-stopped
dead-2 removed owner-stopped
gone forgotten lease-over
held kept held
theirs kept foreign
young kept young' '--json: one record for each decision'

done_testing
