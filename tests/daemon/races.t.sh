#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Many at once on a real daemon: ensures of one agent, ensures beside releases
# and sweeps, a release during an ensure, owners that are late.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/lib/daemon.sh
. "$TESTS_LIB/daemon.sh"

net=sk-races-$$

# Every container that this test's keeper made.
kept()
{
	dk ps -a --no-trunc --format '{{.Names}}' --filter \
	    "label=sandkeeper.keeper=$(cat "$SANDKEEPER_STATE_DIR/keeper")"
}

# all_of PID...: waits for each; $failed counts those that failed
all_of()
{
	failed=0
	for one; do
		wait "$one" || failed=$((failed + 1))
	done
}

daemon_world
make_network "$net"
agent race-1 --network "$net"
agent race-2 --network "$net"

# --- twenty ensures of one agent

pids=
for i in $(seq 20); do
	"$SANDKEEPER" ensure race-1 --services redis,nap --env >"$T/env.$i" \
	    2>"$T/err.$i" &
	pids="$pids $!"
done
# shellcheck disable=SC2086 # words
all_of $pids
is "$failed" 0 'E3: twenty ensures of one agent at once all succeed'
is "$(cat "$T"/err.*)" '' 'E3: without a word'
is "$(sort -u "$T"/env.* | wc -l)" "$(wc -l <"$T/env.1")" \
    'E3: with equal answers'
is "$(grep -c '^run$' "$T/verbs")" 2 'E3: and one run for each service'
is "$(kept | sort | tr '\n' ' ')" \
    'roboco-sandbox-nap-race-1 roboco-sandbox-redis-race-1 ' \
    'E3: one set of containers'

# twenty, each with another service more or less
pids=
for i in $(seq 10); do
	"$SANDKEEPER" ensure race-2 --services nap --env >"$T/nap.$i" &
	pids="$pids $!"
	"$SANDKEEPER" ensure race-2 --services redis,nap --env \
	    >"$T/both.$i" &
	pids="$pids $!"
done
# shellcheck disable=SC2086
all_of $pids
is "$failed" 0 'E2: ensures of other services at once all succeed'
is "$(cat "$T"/nap.* "$T"/both.* | sort -u | wc -l)" \
    "$(wc -l <"$T/both.1")" 'E2: with equal answers'
"$SANDKEEPER" --quiet release race-1
"$SANDKEEPER" --quiet release race-2

# two releases at once, and a remove beside them
"$SANDKEEPER" ensure race-1 --services nap >/dev/null
pids=
for _ in 1 2 3; do
	"$SANDKEEPER" --quiet release race-1 &
	pids="$pids $!"
done
# shellcheck disable=SC2086
all_of $pids
is "$failed" 0 'T4: three releases at once all succeed'
is "$(kept)" '' 'T4: and nothing is left'

# --- ensure, release and sweep at once, on two agents

# as_told SLUG: an entry and a living container, or neither
as_told()
{
	if has_entry "$1"; then
		is_up "$(sandbox_of nap "$1")" &&
		    grep -qxF "id=$(id_of "$(sandbox_of nap "$1")")" \
			"$(entry_path "$1")"
	else
		is_gone "$(sandbox_of nap "$1")"
	fi
}

ROUNDS=${ROUNDS:-30}
wrong=0
odd=0
for i in $(seq "$ROUNDS"); do
	pids=
	for slug in race-1 race-2; do
		"$SANDKEEPER" ensure "$slug" --services nap \
		    >"$T/env.$slug" 2>"$T/err.$slug" &
		pids="$pids $!"
		"$SANDKEEPER" release "$slug" >"$T/released.$slug" 2>&1 &
		pids="$pids $!"
	done
	"$SANDKEEPER" sweep --grace 0 --strict >"$T/swept" 2>&1 &
	pids="$pids $!"
	for one in $pids; do
		wait "$one" && code=0 || code=$?
		# An ensure that was released meanwhile ends with 75.
		case $code in 0 | 75) ;; *) odd=$((odd + 1)) ;; esac
	done
	for slug in race-1 race-2; do
		as_told "$slug" && continue
		wrong=$((wrong + 1))
		note "round $i: $slug"
		note "$(cat "$T/err.$slug" "$T/released.$slug" "$T/swept")"
	done
done
count "$ROUNDS" 'rounds of races with a daemon'
count $((odd + wrong)) violations
is "$odd" 0 'E3: rounds of ensure, release and sweep at once: no failure'
is "$wrong" 0 'E3: and never an entry without its container, or the reverse'

# an ensure beside sweeps alone must succeed, with a living sandbox
wrong=0
for i in $(seq 10); do
	"$SANDKEEPER" --quiet release race-1
	pids=
	for _ in 1 2 3; do
		"$SANDKEEPER" --quiet sweep --grace 0 &
		pids="$pids $!"
	done
	"$SANDKEEPER" ensure race-1 --services nap >/dev/null ||
	    wrong=$((wrong + 1))
	is_up "$(sandbox_of nap race-1)" || wrong=$((wrong + 1))
	# shellcheck disable=SC2086
	all_of $pids
	is_up "$(sandbox_of nap race-1)" || wrong=$((wrong + 1))
done
is "$wrong" 0 'E7: beside sweeps, never success with a dead sandbox'

# --- an owner that is late, and a run that is slow

hook run 'sleep 2'
start "$SANDKEEPER" ensure race-late --services nap --network "$net"
wait_for grep -qx run "$T/verbs"
"$SANDKEEPER" --quiet sweep --grace 0
"$SANDKEEPER" --quiet sweep --grace 0
agent race-late --network "$net"
finish
is "$rc" 0 'S6: an ensure whose owner comes while it is being made'
"$SANDKEEPER" --quiet sweep --grace 0
check 'S6: no sweep took it' is_up "$(sandbox_of nap race-late)"
"$SANDKEEPER" --quiet release race-late

# --- a release during an ensure

# ends_soon DESC: the ensure that was started and a release both end within two
# seconds, and nothing is left.
ends_soon()
{
	before=$(milliseconds)
	"$SANDKEEPER" release race-2 >/dev/null 2>&1 && released=0 ||
	    released=$?
	finish
	took=$(($(milliseconds) - before))
	is "$rc $released" '75 0' "L2: a release during $1 ends it"
	check "L2: $1: both within two seconds" [ "$took" -lt 2000 ]
	note "$took ms"
	like "$err" 'race-2: .*released' "L2: $1: it says why"
	is "$(kept)" '' "L2: $1: nothing is left"
	check "L2: $1: no entry" has_no_entry race-2
	is "$(state_files)" '' "L2: $1: and no mark"
}

"$SANDKEEPER" --quiet release race-1
start "$SANDKEEPER" ensure race-2 --services postgres \
    --image postgres=slow-postgres:test
wait_for is_up "$(sandbox_of pg race-2)"
ends_soon 'the wait'

: >"$T/verbs"
hook pull 'exec sleep 60'
start "$SANDKEEPER" ensure race-2 --services nap --image nap=not-there:test
wait_for grep -qx pull "$T/verbs"
ends_soon 'a pull'

# --- signals

for signal in INT TERM HUP; do
	start "$SANDKEEPER" ensure race-2 --services postgres \
	    --image postgres=slow-postgres:test
	wait_for is_up "$(sandbox_of pg race-2)"
	kill "-$signal" "$pid"
	finish
	case $signal in INT) want=130 ;; TERM) want=143 ;; HUP) want=129 ;; esac
	is "$rc $(kept) $(state_files)" "$want  " \
	    "E7: SIG$signal ends an ensure, and nothing is left"
done

# SIGKILL leaves work for the janitor
start "$SANDKEEPER" ensure race-2 --services postgres \
    --image postgres=slow-postgres:test
wait_for is_up "$(sandbox_of pg race-2)"
kill -KILL "$pid"
finish 2>/dev/null
check 'S4: one that was killed leaves its container' \
    is_up "$(sandbox_of pg race-2)"
sk sweep --grace 0
is "$(kept) $(state_files)" ' ' 'S4: the next sweep finishes it'
sk ensure race-2 --services nap
is "$rc" 0 'S4: and the agent gets a sandbox'

# --- the end

"$SANDKEEPER" --quiet release race-1 race-2 race-late
is "$(kept)" '' 'at the end no container is left'
is "$(state_files)" '' 'no entry, mark or lock'

done_testing
