#!/bin/sh
# SPDX-License-Identifier: ISC
#
# sweep of many: 200 orphans in batches (rule S7), and what 5,000 containers cost
# in memory.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"

# Copies of one container, under other names and ids: NAME, its rest NAME-N.
copies()
{
	copies_file=$FAKE_DOCKER_DIR/containers/$(id_of "$1-0").json
	copies_n=1
	while [ $copies_n -lt "$2" ]; do
		copies_id=$(printf '%s%08d%s' "$3" $copies_n \
		    11111111111111111111111111111111111111111111111111111111 |
		    cut -c 1-64)
		sed "s/$(id_of "$1-0")/$copies_id/g; s/dev-0/dev-$copies_n/g" \
		    "$copies_file" \
		    >"$FAKE_DOCKER_DIR/containers/$copies_id.json"
		ln -s "$copies_id" "$FAKE_DOCKER_DIR/names/$1-$copies_n"
		copies_n=$((copies_n + 1))
	done
}

boxes()
{
	fake list -q | grep -c '^roboco-sandbox-' || :
}

# --- 200 orphans of 100 agents

scene
agent dev-0 --state exited --finished "$OLD"
unkept dev-0 pg
unkept dev-0 redis
copies roboco-agent-dev 100 a
copies roboco-sandbox-pg-dev 100 b
copies roboco-sandbox-redis-dev 100 c
is "$(boxes)" 200 '200 orphans'
sk sweep --strict --json
is "$rc" 0 'S7: 200 orphans'
is "$(boxes)" 0 'S7: none stays'
is "$(jq -c '[.found,.removed,.kept,.failed,(.decisions|length)]' "$out_file")" \
    '[200,200,0,0,200]' 'S10: each is counted once'
is "$(fake count ps)" 2 'S7: two listings'
is "$(fake count inspect)" 4 'S7: a second look for each of four even batches'
is "$(fake count rm)" 50 'S7: four ids for each rm'
is "$(calls rm | grep -Ecv '^rm -f -v( [0-9a-f]{64}){4}$' || :)" 0 \
    'S7: in these words'
is "$(calls rm | tr ' ' '\n' | grep -c '^[0-9a-f]\{64\}$')" 200 \
    'S7: each id once'
is "$(calls rm | tr ' ' '\n' | grep '^[0-9a-f]\{64\}$' | sort -u | wc -l)" 200 \
    'S7: and no id twice'
is "$(fake count)" 56 'S7: no other call'
is "$(history | wc -l)" 200 'R8: 200 lines in the history'
check 'R8: each of them JSON' jq -e . "$T/log/history.jsonl"
is "$(printf '%s\n' "$err" | grep -c ': removed roboco-sandbox-')" 200 \
    'S10: a log line for each'

# --- agents whose containers fall into different batches

# 30 agents of two containers, whose owners are dead: 32 rows and 28.
thirty()
{
	scene
	n=0
	while [ $n -lt 30 ]; do
		n=$((n + 1))
		agent dev-$n --state exited --finished "$OLD"
		sandbox dev-$n pg
		sandbox dev-$n redis
		entry dev-$n pg redis
	done
}

thirty
sk sweep --dry-run --json
is "$(jq -c '[.found,.removed,.kept,.failed,(.decisions|length)]' "$out_file")" \
    '[60,60,0,0,60]' 'S10: a dry run counts each of 60 once'
fake reset-calls
fake fault inspect.2 rc=1 'err=something else\n'
sk sweep
is "$rc $(boxes)" '0 28' 'S2: the look at the second batch fails: it stays'
like "$err" 'swept: 60 found, 32 removed, 0 kept, 0 failed' \
    'S10: what was done is summed up'
fake fault inspect.2
n=0
while [ $n -lt 30 ]; do
	n=$((n + 1))
	has_entry dev-$n && continue
	sandbox dev-$n pg
	sandbox dev-$n redis
	entry dev-$n pg redis
done
rm "$T/log/history.jsonl"
sk sweep --strict --json
is "$rc $(boxes)" '0 0' 'S7: 60 recorded ones of 30 agents'
is "$(jq -c '[.found,.removed,.kept,.failed,(.decisions|length)]' "$out_file")" \
    '[60,60,0,0,60]' 'S10: each is counted once'
is "$(history | wc -l)" 60 'R8: 60 lines in the history'
is "$(find "$T/state/agents" -type f | wc -l)" 0 'S8: no entry stays'

# --- the second look of one batch beside the removals of the batch before

# For a hook: wait for the second look of the second batch.
looked_twice="i=0; while [ \$i -lt 100 ] && [ \"\$('$FAKE_DOCKER' fake-count inspect)\" -lt 2 ]; do i=\$((i + 1)); sleep 0.1; done"

thirty
fake fault rm.8 hook="$looked_twice; echo \$i >'$T/waited'" then=normal
sk sweep --strict
is "$rc $(boxes)" '0 0' 'S7: 60 in two batches'
check 'S7: the next batch is looked at before the last removal ends' \
    test "$(cat "$T/waited")" -lt 100
is "$(fake count inspect)" 2 'S6: one second look for each batch'

thirty
last=$(printf 'dev-%s\n' $(seq 30) | LC_ALL=C sort | tail -n 1)
fake fault rm.8 then=normal hook="$looked_twice; sleep 2; '$FAKE_DOCKER' fake-set $AGENT-$last state=running"
sk sweep --strict
is "$(fake count inspect)" 3 'S6: a look that is stale is made again'
is "$rc $(boxes)" '0 2' 'S6: an owner that came back meanwhile keeps its two'
check 'S6: and its entry' has_entry "$last"

thirty
fake fault rm.8 then=normal hook="$looked_twice; \
read -r _ _ _ parent _ </proc/\$PPID/stat; kill -TERM \$parent"
sk sweep --strict
is "$rc" 143 'a signal while the next batch is looked at'
check 'nothing of the next batch is removed' test "$(boxes)" -ge 28
is "$(find "$T/state/locks" -name 'dev-*' | wc -l)" 0 'its locks are free'

# --- what the exit code tells

for strict in --strict ''; do
	scene
	agent one --state exited --finished "$OLD"
	sandbox one pg
	fake fault stop hang=term hook="\
read -r _ _ _ parent _ </proc/\$PPID/stat; kill -HUP \$parent"
	# shellcheck disable=SC2086 # one word or none
	SANDKEEPER_STOP_TIMEOUT=1s sk sweep $strict
	is "$rc $(boxes)" '129 1' \
	    "what fails because of a signal is the signal's: sweep $strict"

	scene
	agent one --state exited --finished "$OLD"
	sandbox one pg
	entry one pg
	fake fault rm then=normal hook="\
rm '$T/state/agents/one'; mkdir '$T/state/agents/one'"
	# shellcheck disable=SC2086 # one word or none
	sk sweep $strict
	is "$rc $(boxes)" "$([ "$strict" ] && echo 74 || echo 0) 0" \
	    "exit code 74: an entry that stays: sweep $strict"
	like "$err" 'warning: one: its entry stays: ' 'and it is named'
	is "$(printf '%s\n' "$err" | grep -c 'one')" \
	    "$([ "$strict" ] && echo 3 || echo 2)" 'once, but for the error'
done

# --- an agent of more containers than a batch has rows

scene
agent big --state exited --finished "$OLD"
sandbox big s0 --label sandkeeper.service=s0
n=0
while [ $n -lt 59 ]; do
	n=$((n + 1))
	sandbox big s$n
done
sk sweep --strict
is "$rc $(boxes)" '0 0' 'S7: 60 containers of one agent, under one lock'

# --- memory

# Rows of a list as docker prints them for the sweep.
rows()
{
	awk -v n="$1" -v name="$2" -v label="$3" 'BEGIN {
	    for (i = 1; i <= n; i++) {
		own = label
		gsub(/@/, i, own)
		printf "{\"id\":\"%064x\",\"names\":\"%s%d\"," \
		    "\"state\":\"running\",\"created\":" \
		    "\"2020-01-01 00:00:00 +0000 UTC\",\"labels\":{%s}}\n",
		    i + (label != "" ? 1048576 : 0), name, i, own
	    } }'
}

scene
agent last --state exited --finished "$OLD"
unkept last pg
sk sweep --dry-run
eval "fake do $(jq -r '.argv|@sh' "$FAKE_DOCKER_DIR/calls.log" | sed -n 1p)" \
    >"$T/list.1"
eval "fake do $(jq -r '.argv|@sh' "$FAKE_DOCKER_DIR/calls.log" | sed -n 2p)" \
    >"$T/list.2"
# another keeper's, whose owners live: with all labels, and kept
rows 4999 roboco-sandbox-pg-dev- \
    "\"\":\"\",\"roboco.sandbox\":\"1\",\"roboco.sandbox.owner\":\"roboco-agent-dev-@\",\"sandkeeper.keeper\":\"$OTHER\",\"sandkeeper.agent\":\"dev-@\",\"sandkeeper.service\":\"postgres\",\"sandkeeper.owner\":\"container:roboco-agent-dev-@\",\"sandkeeper.expires\":\"0\"" \
    >>"$T/list.1"
rows 4999 roboco-agent-dev- '' | sed 's/{}/{"":""}/' >>"$T/list.2"
fake reset-calls
fake fault ps.1 outfile="$T/list.1"
fake fault ps.2 outfile="$T/list.2"
# the caller of the last docker call is the program, its peak behind it
fake fault rm then=normal posthook="read -r _ _ _ parent _ \
</proc/\$PPID/stat; grep VmHWM /proc/\$parent/status >'$T/peak'"
sk sweep --strict
is "$rc" 0 '5,000 listed containers'
like "$err" 'swept: 5000 found, 1 removed, 4999 kept, 0 failed' 'all were read'
peak=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB$/\1/p' "$T/peak")
note "peak: $peak kB"
if head -c 4 "$SANDKEEPER" | grep -q ELF &&
    ! grep -q __asan_init "$SANDKEEPER"; then
	check 'section 9: the peak of a sweep over 5,000 is below 16 MB' \
	    test "$peak" -lt 16384
else
	check 'section 9: a peak was measured; this is no plain build' \
	    test "$peak" -gt 0
fi

done_testing
