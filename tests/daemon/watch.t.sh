#!/bin/sh
# SPDX-License-Identifier: ISC
#
# watch and a real daemon: it hears the deaths, of one owner and of fifty; what
# is restarted keeps its sandbox; and the daemon itself may be restarted while
# owners come and go (rules W1 to W3, issue 6).
#
# WATCH_RESTARTS is how often an owner is restarted, and as often by its policy
# (5); WATCH_DAEMON_RESTARTS how often the daemon is (2); WATCH_DEATHS how many
# owners die at once (20).
#
# It has a daemon of its own, for it restarts it.

# shellcheck disable=SC2317 # functions are called by name

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/lib/daemon.sh
. "$TESTS_LIB/daemon.sh"

[ "$(id -u)" = 0 ] || skip_all 'needs root, to start a daemon'
restarts=${WATCH_RESTARTS:-5}
daemon_restarts=${WATCH_DAEMON_RESTARTS:-2}
deaths=${WATCH_DEATHS:-20}
watch_pid=

# Ours goes with all that it has.
daemon_clean()
{
	[ -z "$watch_pid" ] || kill -KILL "$watch_pid" 2>/dev/null || :
	own_daemon_gone
}

own_daemon watch

nap()
{
	sandbox_of nap "$1"
}

# foreign SLUG [ARG...]: a sandbox such as the orchestrator makes
foreign()
{
	foreign_slug=$1
	shift
	dk run -d --name "$(nap "$foreign_slug")" --network none \
	    --label roboco.sandbox=1 \
	    --label "roboco.sandbox.owner=roboco-agent-$foreign_slug" "$@" \
	    busybox:test sleep 86400 >/dev/null
}

# owned ARG SLUG...: agents, and a sandbox of each; four at a time
owned()
{
	owned_arg=$1
	shift
	owned_jobs=
	for slug; do
		{
			agent "$slug" --network none "$owned_arg"
			foreign "$slug" "$owned_arg"
		} &
		owned_jobs="$owned_jobs $!"
		[ "$(echo "$owned_jobs" | wc -w)" -lt 4 ] || owned_wait
	done
	owned_wait
}

# Not for the watch, which is a job, too.
owned_wait()
{
	for owned_job in $owned_jobs; do
		wait "$owned_job"
	done
	owned_jobs=
}

says()
{
	grep -Eq -e "$1" "$T/watch.err"
}

heard()
{
	grep -Fq "\"event\":\"$1\",\"container\":\"$2\"" "$T/watch.out"
}

hears()
{
	[ "$(grep -Fc "\"event\":\"$1\",\"container\":\"$2\"" "$T/watch.out")" \
	    -ge "$3" ]
}

swept()
{
	grep -q ps "$T/verbs"
}

# In the background; a shell's "wait" must not wait for it.
watch_up()
{
	forget_calls
	env --default-signal=INT,QUIT "$SANDKEEPER" watch --json \
	    </dev/null >"$T/watch.out" 2>"$T/watch.err" &
	watch_pid=$!
	wait_for swept
	# it hears: an owner that is not there yet
	agent "probe-$watch_pid" --network none
	foreign "probe-$watch_pid"
	dk rm -f "roboco-agent-probe-$watch_pid" >/dev/null
	wait_for -t 20 is_gone "$(nap "probe-$watch_pid")"
	forget_calls
}

watch_down()
{
	down_from=$(milliseconds)
	kill -TERM "$watch_pid"
	wait "$watch_pid" && rc=0 || rc=$?
	took=$(($(milliseconds) - down_from))
	watch_pid=
	cp "$T/watch.err" "$err_file"
}

# all gone: no labelled container but those of the arguments
left()
{
	dk ps -a --filter label=roboco.sandbox=1 --format '{{.Names}}' |
	    sed 's/^roboco-sandbox-nap-//' | sort | tr '\n' ' '
}

left_are()
{
	[ "$(left)" = "$1" ]
}

SANDKEEPER_GRACE=0
SANDKEEPER_OWNER_GRACE=0
export SANDKEEPER_GRACE SANDKEEPER_OWNER_GRACE

# --- one dies

owned --init a1 a2 a3
watch_up
dk kill roboco-agent-a1 >/dev/null
check 'W1: an owner is killed: its sandbox goes' wait_for is_gone "$(nap a1)"
check 'W1: at once' hears removed "$(nap a1)" 1
dk rm -f roboco-agent-a2 >/dev/null
check 'W1: an owner is removed: its sandbox goes' wait_for is_gone "$(nap a2)"
agent a4
sk ensure a4 --services nap
is "$rc" 0 'issue 6: a sandbox that is made while it watches'
dk stop -t 0 roboco-agent-a4 >/dev/null
check 'W1: goes when its owner stops' wait_for is_gone "$(nap a4)"
check 'T5: and its entry' wait_for has_no_entry a4
check 'O1: that of a living owner stays' is_up "$(nap a3)"
dk pause roboco-agent-a3 >/dev/null
dk unpause roboco-agent-a3 >/dev/null
dk rename roboco-agent-a3 other-name
check 'W1: a rename ends the name' wait_for is_gone "$(nap a3)"
dk rm -f other-name >/dev/null

# --- many die at once

slugs=$(seq -f 'm%g' "$deaths")
# shellcheck disable=SC2086 # words
owned --init $slugs
forget_calls
# shellcheck disable=SC2046 # words
dk kill $(seq -f 'roboco-agent-m%g' "$deaths") >/dev/null
check "issue 6: $deaths owners are killed: all of theirs go" \
    wait_for -t 30 left_are ''
sweeps=$(grep -c '^inspect ' "$T/argv" || :)
removals=$(grep -c '^rm ' "$T/argv" || :)
note "$deaths deaths: $sweeps looks, $removals calls of docker rm"
check 'issue 6: in batches, not one by one' \
    test "$sweeps" -le $((deaths / 2)) -a "$removals" -lt "$deaths"
watch_down
is "$rc" 0 'W4: SIGTERM: it ends with 0'
check 'W4: within a second' test "$took" -lt 1000

# --- restarts

SANDKEEPER_OWNER_GRACE=3s
agent r1 --network none
foreign r1
# one that its policy starts again: a file that goes makes it end
dk run -d --name roboco-agent-r2 --network none --restart always \
    -v "$T:/t" busybox:test sh -c 'while [ ! -e /t/end-r2 ]; do sleep 0.05
    done; rm /t/end-r2' >/dev/null
foreign r2
watch_up
first=$(id_of "$(nap r1)") second=$(id_of "$(nap r2)")
kept=0
ended()
{
	[ ! -e "$T/end-r2" ]
}
for n in $(seq "$restarts"); do
	dk restart -t 0 roboco-agent-r1 >/dev/null
	touch "$T/end-r2"
	wait_for -t 70 ended
	wait_for -t 70 hears owner-back roboco-agent-r2 "$n"
	[ "$(id_of "$(nap r1)") $(id_of "$(nap r2)")" != "$first $second" ] ||
	    kept=$((kept + 1))
	# docker waits for longer and longer, unless it had run for 10 s
	[ $((n % 4)) -ne 0 ] || {
		dk restart -t 0 roboco-agent-r2 >/dev/null
		wait_for is_up roboco-agent-r2
	}
done
is "$kept" "$restarts" \
    "issue 6: an owner that is restarted, by hand or policy, keeps its sandbox"
check 'issue 6: each was heard' hears owner-back roboco-agent-r1 "$restarts"
# past the grace of the last
agent probe --network none
foreign probe
dk rm -f roboco-agent-probe >/dev/null
wait_for -t 20 is_gone "$(nap probe)"
is "$(id_of "$(nap r1)") $(id_of "$(nap r2)")" "$first $second" \
    'issue 6: for good'
dk rm -f roboco-agent-r1 roboco-agent-r2 >/dev/null
check 'W1: until it is removed' wait_for -t 20 left_are ''
watch_down

# --- the daemon is restarted, while owners come and go

SANDKEEPER_OWNER_GRACE=2s
owned --restart=always live1 live2
watch_up
made=
n=0
while [ "$n" -lt "$daemon_restarts" ]; do
	n=$((n + 1))
	owned --restart=always "old$n" "stay$n"
	owned --init "gone$n"
	# one dies before, one while the daemon is away or comes back
	dk kill "roboco-agent-old$n" >/dev/null
	private restart "$place" &
	restarting=$!
	while kill -0 "$restarting" 2>/dev/null; do
		dk rm -f "roboco-agent-gone$n" >/dev/null 2>&1 || :
		sleep 0.2
	done
	wait "$restarting"
	dk rm -f "roboco-agent-gone$n" "roboco-agent-old$n" >/dev/null 2>&1 || :
	for slug in live1 live2 "stay$n"; do
		wait_for -t 30 is_up "roboco-agent-$slug"
		check "W3: restart $n: the sandbox of $slug, who lives, stays" \
		    is_up "$(nap "$slug")"
	done
	# who stayed goes in the next one
	[ "$n" -eq 1 ] || dk rm -f "roboco-agent-stay$((n - 1))" >/dev/null
	made="stay$n"
done
check 'W3: at the end nothing dead is left, and nothing alive removed' \
    wait_for -t 90 left_are "live1 live2 $made "
note "left: $(left)"
is "$(grep -c 'is lost' "$T/watch.err")" "$daemon_restarts" \
    'issue 6: one line for each loss'
check 'issue 6: and one for each return' wait_for -t 10 sh -c \
    "[ \$(grep -c 'answers again' '$T/watch.err') -eq $daemon_restarts ]"
dk rm -f roboco-agent-live1 >/dev/null
check 'W1: and it hears as before' wait_for -t 10 is_gone "$(nap live1)"
watch_down
is "$rc" 0 'W4: the end'

done_testing
