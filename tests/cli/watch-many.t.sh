#!/bin/sh
# SPDX-License-Identifier: ISC
#
# watch and many of everything: 50 owners that die at once, 500 that live, and
# 100,000 events (rule W6, issue 6).

# shellcheck disable=SC2317 # functions are called by name

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/watch.sh
. "$TESTS_LIB/../cli/watch.sh"

# copies NAME N DIGIT: of the container NAME-dev-0, under other names and ids
copies()
{
	copies_from=$1-dev-0
	copies_file=$FAKE_DOCKER_DIR/containers/$(id_of "$copies_from").json
	copies_n=1
	while [ $copies_n -lt "$2" ]; do
		copies_id=$(printf '%s%08d%055d' "$3" $copies_n 0)
		sed "s/$(id_of "$copies_from")/$copies_id/g; s/dev-0/dev-$copies_n/g" \
		    "$copies_file" \
		    >"$FAKE_DOCKER_DIR/containers/$copies_id.json"
		ln -s "$copies_id" "$FAKE_DOCKER_DIR/names/$1-dev-$copies_n"
		copies_n=$((copies_n + 1))
	done
}

boxes()
{
	fake list -q | grep -c '^roboco-sandbox-' || :
}

boxes_are()
{
	[ "$(boxes)" = "$1" ]
}

# Is it the plain program, that can be measured?
plain()
{
	head -c 4 "$SANDKEEPER" | grep -q ELF &&
	    ! grep -q __asan_init "$SANDKEEPER"
}

# status KEY: kB, of the watch
status()
{
	sed -n "s/^$1:[^0-9]*\([0-9]*\) kB\$/\1/p" "/proc/$watch_pid/status"
}

heard_deaths()
{
	[ "$(grep -c '"owner-died","container":"roboco-agent-' \
	    "$T/watch.out")" -ge "$1" ]
}

# --- 50 owners die at once

world 1
agent dev-0
unkept dev-0 pg
copies roboco-agent 50 a
copies roboco-sandbox-pg 50 b
watch_up
# in one piece, so that it hears them at once
ids=$(fake list -q | grep '^roboco-agent-')
mv "$FAKE_DOCKER_DIR/events" "$T/before"
: >"$FAKE_DOCKER_DIR/events"
# shellcheck disable=SC2086 # words
act kill $ids
cat "$FAKE_DOCKER_DIR/events" >>"$T/before"
mv "$T/before" "$FAKE_DOCKER_DIR/events"
check 'issue 6: 50 owners die at once: all are heard' wait_for heard_deaths 50
check 'issue 6: and their sandboxes go' wait_for boxes_are 0
settled
is "$(fake count ps)" 0 'issue 6: without a listing'
is "$(fake count inspect)" 1 'issue 6: in one sweep, by one look'
is "$(calls rm | tr ' ' '\n' | grep -c '^[0-9a-f]\{64\}$')" 50 \
    'issue 6: each is removed'
is "$(calls rm | tr ' ' '\n' | grep '^[0-9a-f]\{64\}$' | sort -u | wc -l)" 50 \
    'issue 6: and once'
check 'issue 6: four to a call, of 50' test "$(fake count rm)" = 13
is "$(fake count)" $((1 + $(fake count rm))) 'issue 6: by no other call'
is "$(news removed | jq -r .container | sort -u | wc -l)" 50 \
    '--json: a line for each'
watch_down

# --- 500 that live

world 1
agent dev-0
unkept dev-0 pg
copies roboco-agent 500 a
copies roboco-sandbox-pg 500 b
watch_up
is "$(boxes)" 500 'issue 6: 500 living sandboxes'
settled
fake reset-calls
before=$(ticks)
switches=$(awk '/ctxt_switches/ { n += $2 } END { print n }' \
    "/proc/$watch_pid/status")
sleep 4
calls_are '' 'issue 6: idle, it makes no docker call'
# 0.1 % of 4 s are 0.4 ticks
check 'issue 6: and takes no time of a processor' \
    test $(($(ticks) - before)) -le 1
is "$(awk '/ctxt_switches/ { n += $2 } END { print n }' \
    "/proc/$watch_pid/status")" "$switches" 'issue 6: it does not even wake up'
watch_down

# --- 100,000 events

# Of the owners dev-1 to dev-100 each dies and starts 100 times, in turn, with
# the noise of strangers between, and of sandboxes that come and go.
storm()
{
	awk 'function line(action, name, more) {
		printf "{\"status\":\"%s\",\"id\":\"%064x\",\"Type\":" \
		    "\"container\",\"Action\":\"%s\",\"Actor\":{\"ID\":" \
		    "\"%064x\",\"Attributes\":{\"image\":\"x\",\"name\":" \
		    "\"%s\"%s}},\"scope\":\"local\",\"time\":1}\n",
		    action, NR, action, NR, name, more
		lines++
	}
	BEGIN {
		for (round = 1; round <= 100; round++) {
			for (i = 1; i <= 100; i++) {
				line("die", "roboco-agent-dev-" i)
				line("start", "roboco-agent-dev-" i)
			}
			for (i = 0; i < 750; i++) {
				line("start", "stranger-" round "-" i)
				if (i % 25 == 0)
					line("start", "box-" round "-" i,
					    ",\"roboco.sandbox\":\"1\"," \
					    "\"roboco.sandbox.owner\":" \
					    "\"roboco-agent-passing-" \
					    round "-" i "\"")
				else
					line("die", "stranger-" round "-" i)
			}
		}
		while (lines < 100000)
			line("die", "stranger")
	}'
}

storm >"$T/storm"
is "$(head -n 100000 "$T/storm" | wc -l)" 100000 '100,000 events'
world_storm=$(mktemp)
mv "$T/storm" "$world_storm"
world 2
agent dev-0
unkept dev-0 pg
copies roboco-agent 101 a
copies roboco-sandbox-pg 101 b
watch_up
rss=$(status VmRSS)
from=$(date +%s%N)
cat "$world_storm" >>"$FAKE_DOCKER_DIR/events"
rm "$world_storm"
check 'W6: all of them are read' wait_for -t 60 heard_deaths 10000
wait_for settled
note "read within $((($(date +%s%N) - from) / 1000000)) ms"
dead=
n=1
while [ $n -le 99 ]; do
	dead="$dead roboco-agent-dev-$n"
	n=$((n + 2))
done
# shellcheck disable=SC2086 # words
act kill $dead
check 'W6: none is missed that matters: the dead go' wait_for boxes_are 51
settled
is "$(news owner-died | grep -c roboco-agent-dev-) $(news owner-back |
    grep -c roboco-agent-dev-)" '10050 10000' 'W6: each death, each return'
check 'W6: in their order' sh -c "jq -r 'select(.container != null and
    (.container | startswith(\"roboco-agent-dev-\"))) |
    .container + \" \" + .event' '$T/watch.out' | awk '
	\$2 == \"owner-died\" && dead[\$1]++ { exit 1 }
	\$2 == \"owner-back\" && !dead[\$1] { exit 1 }
	\$2 == \"owner-back\" { dead[\$1] = 0 }'"
is "$(fake list -q | sed -n 's/^roboco-sandbox-pg-dev-//p' | sort -n |
    awk '$1 % 2 { exit 1 }' && echo even)" even 'O1: the living stay'
peak=$(status VmHWM)
note "peak $peak kB, $rss kB before"
if plain; then
	check 'W6: the peak of its memory is below 12 MB' test "$peak" -lt 12288
	check 'W6: and flat' test "$(status VmRSS)" -lt $((rss + 2048))
else
	check 'W6: a peak was measured; this is no plain build' \
	    test "$peak" -gt 0
fi
watch_down
is "$rc" 0 'W4: the end'

done_testing
