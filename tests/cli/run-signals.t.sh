#!/bin/sh
# SPDX-License-Identifier: ISC
#
# run and signals: whatever it gets, at whatever moment, nothing is left; and
# where even SIGKILL ends it, the next sweep takes everything at once.
#
# RUN_MOMENTS is how many random moments each signal is tried at, 60 without
# it; below a slow tool they are fewer.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/ensure.sh
. "$TESTS_LIB/../cli/ensure.sh"
# shellcheck source=tests/cli/run.sh
. "$TESTS_LIB/../cli/run.sh"

# NUMBER NAME
signals='1 HUP
2 INT
3 QUIT
10 USR1
12 USR2
14 ALRM
15 TERM'

# at_hook VERB LINE...: the fault of that verb writes its process id, waits,
# and is what the signal finds at work.
at_hook()
{
	at_verb=$1
	shift
	rm -f "$T/at"
	fake fault "$at_verb" "hook=touch $T/at" "$@"
}

# --- before the command starts

# ends_at VERB DESC LINE...: a signal while docker is at that verb.
ends_at()
{
	ends_verb=$1
	ends_desc=$2
	shift 2
	echo "$signals" >"$T/../$$.signals"
	while read -r number name; do
		at_hook "$ends_verb" "$@"
		rm -f "$T/boom"
		start_pg a1 -- touch "$T/boom"
		wait_for test -e "$T/at"
		kill "-$number" "$pid"
		finish
		fake fault "$ends_verb"
		is "$rc" "$((128 + number))" "E7: SIG$name $ends_desc: 128 + N"
		left_nothing "E7: SIG$name $ends_desc"
		check_not "E7: SIG$name $ends_desc: the command is not started" \
		    test -e "$T/boom"
	done <"$T/../$$.signals"
	rm -f "$T/../$$.signals"
}

cold
ends_at inspect 'at the first look' delay=5000
like "$err" '^sandkeeper: a1: ended by SIGTERM$' 'E7: and it says by what'
ends_at run 'while docker run is at it' delay=5000
ends_at exec 'while the database is waited for' delay=5000

# The daemon makes the container after its client was killed.
signals='15 TERM'
fake reset-calls
created()
{
	grep -c '"Action":"create"' "$FAKE_DOCKER_DIR/events" || :
}
before=$(created)
ends_at run 'before a container that comes late' late=400 hang=1
is "$(calls rm | wc -l)" "$(($(created) - before))" 'E7: it is found by the second look, and removed'

# --- while the command runs

# Commands for run: one that says what it got, one that waits for a file.
commands()
{
	cat >"$T/cmd" <<-'EOF'
		for name in HUP INT QUIT USR1 USR2 ALRM TERM; do
			trap "echo got $name; exit 40" $name
		done
		echo $$ >"$1.new"
		mv "$1.new" "$1"
		while :; do
			sleep 0.02
		done
	EOF
	cat >"$T/hangs-on" <<-'EOF'
		touch "$1"
		until [ -e "$2" ]; do
			sleep 0.02
		done
		echo done
	EOF
}

cold
commands
for name in HUP INT QUIT USR1 USR2 ALRM TERM; do
	rm -f "$T/cmd.pid"
	start_pg a1 -- sh "$T/cmd" "$T/cmd.pid"
	wait_for test -e "$T/cmd.pid"
	kill "-$name" "$pid"
	finish
	is "$rc $out" "40 got $name" "run: SIG$name is passed on, the code is the command's"
	left_nothing "run: SIG$name is passed on"
done
for number in 1 2 3 15; do
	rm -f "$T/cmd.pid"
	# shellcheck disable=SC2016 # for the other shell
	start_pg a1 -- sh -c 'ulimit -c 0; echo $$ >"$1"; exec sleep 20' sh \
	    "$T/cmd.pid"
	wait_for test -s "$T/cmd.pid"
	kill "-$number" "$pid"
	finish
	is "$rc" "$((128 + number))" "run: one that ends it by signal $number: 128 + N"
	left_nothing "run: one that ends it by signal $number"
done

# It is stopped and goes on, and so are we.
rm -f "$T/cmd.pid"
start_pg a1 -- sh "$T/cmd" "$T/cmd.pid"
wait_for test -e "$T/cmd.pid"
kill -STOP "$(cat "$T/cmd.pid")"
check 'run: the command is stopped: run goes on waiting' alive "$pid"
kill -CONT "$(cat "$T/cmd.pid")"
kill -STOP "$pid"
kill -TERM "$pid"
kill -CONT "$pid"
finish
is "$rc $out" '40 got TERM' 'run: stopped and continued: the code is the command'"'"'s'
left_nothing 'run: stopped and continued'
rm -f "$T/cmd.pid"

# nohup: a hangup is for neither of us.
(
	trap '' HUP
	exec "$SANDKEEPER" run --services postgres a1 -- sh "$T/hangs-on" \
	    "$T/up" "$T/enough" >"$T/nohup.out"
) &
pid=$!
wait_for test -e "$T/up"
kill -HUP "$pid"
touch "$T/enough"
wait "$pid" && rc=0 || rc=$?
is "$rc $(cat "$T/nohup.out")" '0 done' 'run: below nohup it hangs on'
left_nothing 'run: below nohup'

# --- while it cleans up

signals='2 INT
3 QUIT
15 TERM'
echo "$signals" >"$T/signals"
while read -r number name; do
	at_hook rm delay=300 then=normal
	start_pg a1 -- sh -c 'exit 3'
	wait_for test -e "$T/at"
	kill "-$number" "$pid"
	kill "-$number" "$pid"
	finish
	fake fault rm
	is "$rc" 3 "run: SIG$name while it cleans up: the command's code"
	left_nothing "run: SIG$name while it cleans up"
done <"$T/signals"

# --- SIGKILL, after which a sweep comes

# killed_at VERB DESC LINE...: then everything that docker was asked is done.
killed_at()
{
	killed_verb=$1
	killed_desc=$2
	shift 2
	at_hook "$killed_verb" "$@"
	start_pg a1 -- sleep 20
	wait_for test -e "$T/at"
	kill -KILL "$pid"
	finish
	is "$rc" 137 "SIGKILL $killed_desc: it is dead"
	wait_for quiet
	fake fault "$killed_verb"
	check "SIGKILL $killed_desc: the entry is there" has_entry a1
	swept_at_once "SIGKILL $killed_desc"
}

# No call of ours is at work any more.
# shellcheck disable=SC2317 # wait_for calls it
quiet()
{
	# shellcheck disable=SC2013 # words
	for quiet_file in $(grep -lsz -e "^FAKE_DOCKER_DIR=$FAKE_DOCKER_DIR\$" \
	    /proc/[0-9]*/environ); do
		case $(tr '\0' ' ' <"${quiet_file%environ}cmdline") in
		"$FAKE_DOCKER "*) return 1 ;;
		esac
	done 2>/dev/null
}

cold
commands
killed_at inspect 'at the first look' delay=300 then=normal
killed_at image-inspect 'before the images are looked at' delay=300 then=normal
killed_at run 'before docker run has done anything' delay=300 then=normal
killed_at run 'after docker run, before its answer' after=300 then=normal
killed_at exec 'while the database is waited for' delay=300 then=normal
killed_at 'inspect' 'again at the first look' delay=300 then=normal times=1

# Too early a sweep: the container comes afterwards.
at_hook run delay=1500 then=normal
start_pg a1 -- sleep 20
wait_for test -e "$T/at"
kill -KILL "$pid"
finish
sk sweep
is "$rc $(what_is_left)" '0 ' 'SIGKILL: a sweep before the container is there'
wait_for has_container "$POSTGRES-a1"
fake fault run
swept_at_once 'SIGKILL: the container came after a sweep'

# While the command runs: it goes on, and loses its database.
start_pg a1 -- sh "$T/cmd" "$T/cmd.pid"
wait_for test -e "$T/cmd.pid"
sk sweep --grace 0
check 'O2: as long as run lives, its sandbox does' has_container "$POSTGRES-a1"
kill -KILL "$pid"
finish
check 'SIGKILL while the command runs: the command lives' \
    alive "$(cat "$T/cmd.pid")"
sk sweep --explain --dry-run
like "$out" "$POSTGRES-a1.*owner does not run any more" \
    'SIGKILL: --explain tells why it goes'
swept_at_once 'SIGKILL while the command runs'
kill -KILL "$(cat "$T/cmd.pid")"

# What is not passed on ends run alone; the command goes on for a while.
for pair in 24:XCPU 26:VTALRM 27:PROF; do
	name=${pair#*:}
	rm -f "$T/cmd.pid"
	# shellcheck disable=SC2016 # for the other shell
	start sh -c 'ulimit -c 0; exec "$@"' sh "$SANDKEEPER" run --services \
	    postgres a1 -- sh "$T/cmd" "$T/cmd.pid"
	wait_for test -e "$T/cmd.pid"
	kill "-$name" "$pid"
	finish
	is "$rc" "$((128 + ${pair%:*}))" "run: SIG$name ends it"
	check "run: SIG$name: the command goes on" alive "$(cat "$T/cmd.pid")"
	check "run: SIG$name: so does its sandbox" has_container "$POSTGRES-a1"
	swept_at_once "O2: SIG$name"
	kill -KILL "$(cat "$T/cmd.pid")"
done

at_hook rm delay=300 rc=1
start_pg a1 -- true
wait_for test -e "$T/at"
kill -KILL "$pid"
finish
wait_for quiet
fake fault rm
check 'SIGKILL while it cleans up: the release mark is there' \
    test -e "$T/state/agents/.a1.release"
swept_at_once 'SIGKILL while it cleans up'

# The same for what it kept, and for more than one service.
start "$SANDKEEPER" run --services postgres,redis,mongo a1 -- \
    sh "$T/hangs-on" "$T/up2" "$T/never"
wait_for test -e "$T/up2"
kill -KILL "$pid"
finish
touch "$T/never"
swept_at_once 'SIGKILL with three services'

# --- random moments

# A number below $1, never the same sequence twice.
random()
{
	echo $(($(od -An -N4 -tu4 /dev/urandom) % $1))
}

# How long does one take?  The moments go a little beyond.  Docker is slowed
# down, so that they hit its calls more often than the command.
cold
fake fault any delay=8
start_clock
pg a1 -- sleep 0.03
stop_clock
longest=$((clock_stopped * 6 / 5))
moments=${RUN_MOMENTS:-60}
if [ "$longest" -gt 1500 ]; then
	moments=$(((moments + 9) / 10))
fi
note "$moments moments within $longest ms"

# One moment of a signal; says what is wrong, if anything is.
moment()
{
	moment_ms=$(random "$longest")
	start_pg a1 -- sleep 0.03
	sleep "$((moment_ms / 1000)).$(printf %03d "$((moment_ms % 1000))")"
	kill "-$1" "$pid" 2>/dev/null || :
	finish
	case $rc in
	0 | $((128 + $1))) ;;
	*)	echo "at $moment_ms ms: code $rc: $err" ;;
	esac
	[ "$1" != 9 ] || killed_by_force
	if ! nothing_left; then
		echo "at $moment_ms ms: left: $(what_is_left | tr '\n' ' ')"
		killed_by_force
	fi
}

# What docker was asked is done; then one sweep.
killed_by_force()
{
	wait_for quiet
	sk sweep
}

for number in 1 2 3 15; do
	wrong=$(
		n=0
		while [ "$n" -lt "$moments" ]; do
			moment "$number"
			n=$((n + 1))
		done
	)
	is "$wrong" '' "run: signal $number at $moments random moments: nothing is left"
done
wrong=$(
	n=0
	while [ "$n" -lt "$moments" ]; do
		moment 9
		n=$((n + 1))
	done
)
is "$wrong" '' "run: SIGKILL at $moments random moments: one sweep takes everything"

done_testing
