#!/bin/sh
# SPDX-License-Identifier: ISC
#
# run with a real PostgreSQL: whatever becomes of the command and of us, nothing
# is left.  Then owners that only a real machine has: the container that we run
# in, a process that is hidden, a machine without /proc.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/lib/daemon.sh
. "$TESTS_LIB/daemon.sh"

command -v psql >/dev/null || skip_all 'needs psql: scripts/bootstrap --tests'

# What our keeper made and is still there: containers, entries, marks, locks.
left()
{
	left_keeper=$(cat "$SANDKEEPER_STATE_DIR/keeper" 2>/dev/null || echo none)
	dk ps -a --format '{{.Names}}' --filter "label=sandkeeper.keeper=$left_keeper"
	state_files
}

left_nothing()
{
	is "$(left)" '' "$1: nothing is left"
}

# shellcheck disable=SC2317 # wait_for and check call these
{
	has_any()
	{
		[ -n "$(dk ps -aq --filter "label=sandkeeper.agent=$1")" ]
	}

	ended()
	{
		! grep -qs '^State:[[:space:]]*[^ZX]' "/proc/$1/status"
	}
}

# pg ARG...
pg()
{
	# shellcheck disable=SC2086 # words
	run $in_net "$SANDKEEPER" run --services postgres "$@"
}

start_pg()
{
	# shellcheck disable=SC2086
	start $in_net "$SANDKEEPER" run --services postgres "$@"
}

# --- the command and its end

daemon_world
volumes_before=$(volumes)
# shellcheck disable=SC2016 # for the command
{
	pg -- sh -c 'psql -X "$DATABASE_URL" -Atc "select 1"'
	is "$rc $out $err" '0 1 ' 'run: psql, by its URL'
	left_nothing 'run: psql'
	pg -- psql -X -Atc 'select current_user, current_database()'
	is "$rc $out" '0 sandbox|sandbox' 'run: psql, by its variables'
	is "$(verbs)" 'inspect image run exec inspect inspect rm inspect image run exec inspect inspect rm' \
	    'run: the calls of an ensure and of a release'
	pg -- sh -c 'echo "$PGPASSWORD"'
	like "$out" '^[0-9a-f]{32}$' 'run: a password'
	unlike "$(cat "$T/argv")" "$out" 'E8: it is in no argv of docker'
	pg -- sh -c 'psql -X -Atc "select 1"; exit 3'
	is "$rc" 3 'run: exit 3'
	left_nothing 'run: exit 3'
	pg -- sh -c 'psql -X -Atc "select 1"; kill -9 $$'
	is "$rc" 137 'run: the command is killed'
	left_nothing 'run: the command is killed'
	begun=$(milliseconds)
	pg -- sh -c '(exec sleep 30) & echo $!'
	took=$(($(milliseconds) - begun))
	kill "$out"
	check "run: a grandchild that keeps stdout open ($took ms)" \
	    test "$rc" = 0 -a "$took" -lt 20000
	left_nothing 'run: a grandchild'
	# shellcheck disable=SC2086 # words
	run env $in_net "$SANDKEEPER" run --services postgres,redis -- bash -c '
		psql -X -Atc "select 1" &&
		exec 3<>"/dev/tcp/$ROBOCO_TEST_REDIS_HOST/$ROBOCO_TEST_REDIS_PORT" &&
		printf "AUTH %s\r\nPING\r\n" "$ROBOCO_TEST_REDIS_PASSWORD" >&3 &&
		head -n 2 <&3 | tr -d "\r"'
	is "$rc $(echo "$out" | tr '\n' ' ')" '0 1 +OK +PONG ' \
	    'run: two services, both are there when it starts'
	left_nothing 'run: two services'
}
is "$(volumes)" "$volumes_before" 'T3: no volume more'
printf 'create table t (n int);\ninsert into t values (42);\n' >"$T/1.sql"
pg --init "postgres=$T/1.sql" -- psql -X -Atc 'select n from t'
is "$rc $out" '0 42' 'run --init'
echo 'no such statement;' >"$T/2.sql"
pg --init "postgres=$T/2.sql" -- touch "$T/boom"
is "$rc" 125 'run --init: a failing statement: 125'
like "$err" 'ERROR:  syntax error at or near "no"' 'E7: the client'"'"'s message'
check_not 'run --init: the command is not started' test -e "$T/boom"
left_nothing 'E7: a failing statement'
echo 'NOSUCHCOMMAND 1' >"$T/redis"
# shellcheck disable=SC2086
run $in_net "$SANDKEEPER" run --services redis --init "redis=$T/redis" -- true
is "$rc" 125 'run --init: redis: a failing command: 125'
like "$err" "redis refused '$T/redis': ERR unknown command 'NOSUCHCOMMAND'" 'E7: redis: its message'
left_nothing 'E7: redis: a failing command'

# --- signals

for number in 1 2 3 15; do
	rm -f "$T/up"
	start_pg -- sh -c "touch $T/up; exec psql -X -Atc 'select pg_sleep(60)'"
	wait_for -t 60 test -e "$T/up"
	kill "-$number" "$pid"
	finish
	check "run: signal $number is the command's: not 0" test "$rc" -ne 0
	left_nothing "run: signal $number"
done

# On a terminal: Ctrl-C and Ctrl-Z.
if command -v script >/dev/null; then
	cat >"$T/job" <<-EOF
		$in_net "$SANDKEEPER" run --services postgres -- sh -c '
			trap "psql -X -Atc \"select 5\" >$T/last; exit 5" INT
			echo \$\$ >$T/job.new; mv $T/job.new $T/job.pid
			while :; do sleep 0.05; done'
	EOF
	mkfifo "$T/keys"
	script -qfec 'bash --norc --noediting -i' /dev/null <"$T/keys" >"$T/tty" 2>&1 &
	shell=$!
	exec 9>"$T/keys"
	echo "sh $T/job" >&9
	wait_for -t 60 test -e "$T/job.pid"
	job=$(cat "$T/job.pid")
	printf '\032' >&9
	check 'run: Ctrl-Z stops the command' \
	    wait_for grep -q '^State:[[:space:]]*T' "/proc/$job/status"
	wait_for grep -q '[Ss]topped' "$T/tty"
	echo "fg; echo \$? >$T/rc.new; mv $T/rc.new $T/rc" >&9
	check 'run: fg: it goes on' \
	    wait_for grep -q '^State:[[:space:]]*[SR]' "/proc/$job/status"
	printf '\003' >&9
	wait_for -t 30 test -e "$T/rc"
	is "$(cat "$T/rc" "$T/last" | tr '\n' ' ')" '5 5 ' \
	    'run: Ctrl-C is the command'"'"'s, which still has its database'
	left_nothing 'run: Ctrl-C'
	echo 'exit 0' >&9
	exec 9>&-
	wait "$shell" || :
fi

# --- SIGKILL, then a sweep

# killed_at VERB DESC: once that call is at work
killed_at()
{
	rm -f "$T/at"
	hook "$1" "touch $T/at"
	start_pg killed -- sleep 60
	wait_for -t 60 test -e "$T/at"
	kill -KILL "$pid"
	finish
	[ "$1" != run ] || wait_for has_any killed
	sk sweep
	is "$rc $(left)" '0 ' "SIGKILL at docker $1: one sweep, and nothing is left"
}

killed_at inspect
killed_at run
killed_at exec
start_pg killed -- sh -c "touch $T/up2; exec sleep 60"
wait_for -t 60 test -e "$T/up2"
sk sweep --grace 0
check 'O2: while it lives, its sandbox does' has_any killed
kill -KILL "$pid"
finish
sk sweep
is "$rc $(left)" '0 ' 'SIGKILL while the command runs: one sweep, and nothing is left'

# --- random moments; RUN_MOMENTS as in tests/cli/run-signals.t.sh

moments=$(((${RUN_MOMENTS:-60} + 14) / 15))
begun=$(milliseconds)
pg -- true
longest=$((($(milliseconds) - begun) * 6 / 5))
note "$moments moments within $longest ms"
wrong=
for number in 1 2 3 15 9; do
	n=0
	while [ "$n" -lt "$moments" ]; do
		n=$((n + 1))
		ms=$(($(od -An -N4 -tu4 /dev/urandom) % longest))
		start_pg moment -- sleep 0.1
		sleep "$((ms / 1000)).$(printf %03d $((ms % 1000)))"
		kill "-$number" "$pid" 2>/dev/null || :
		finish
		if [ "$number" = 9 ]; then
			# What docker was asked may be done a moment later.
			sleep 1
			sk sweep
		fi
		what=$(left)
		[ -z "$what" ] || wrong="$wrong signal $number at $ms ms: $what
"
		[ -z "$what" ] || sk release --force moment
	done
done
is "$wrong" '' 'run: signals at random moments: nothing is left'

# --- the container that we run in

# podman has no socket that a container could be given
owner_is_self()
{
	daemon_world
	net=sk-self-$$
	make_network "$net"
	sock=${daemon_host#unix://}
	# start_inside NAME NETWORK: a container in which the program can be run.  The
	# image has no libraries of ours; its folders are links into /usr.
	start_inside()
	{
		dk run -d --label "sandkeeper-test=$T" --name "$1" --network "$2" \
		    -v /usr:/usr:ro -v "$T:$T" -v "$sock:$sock" \
		    -v "$(readlink -f "$SANDKEEPER"):/sandkeeper:ro" \
		    -e HOME=/root -e DOCKER_HOST="$daemon_host" \
		    -e SANDKEEPER_ENABLED=true \
		    -e SANDKEEPER_STATE_DIR="$SANDKEEPER_STATE_DIR" \
		    -e SANDKEEPER_LOG_DIR="$SANDKEEPER_LOG_DIR" \
		    -e SANDKEEPER_ENGINES_DIR="$SANDKEEPER_ENGINES_DIR" \
		    busybox:test sleep 86400 >/dev/null
	}
	start_inside "sk-self-$$" "$net"
	run "$D" -H "$daemon_host" exec "sk-self-$$" \
	    /sandkeeper --docker "$D" ensure a1 --services nap --owner self --dotenv
	is "$rc" 0 'O1: --owner self, from inside: code'
	like "$out" "^NAP_HOST=$(sandbox_of nap a1)\$" 'E10: in our own network'
	like "$(cat "$(entry_path a1)")" "^owner=container:sk-self-$$\$" \
	    'O1: self is our own container'
	sk sweep --grace 0
	check 'O1: it lives, and so does its sandbox' is_up "$(sandbox_of nap a1)"
	# Where the network is another container's, it is that one.
	start_inside "sk-inner-$$" "container:sk-self-$$"
	run "$D" -H "$daemon_host" exec "sk-inner-$$" \
	    /sandkeeper --docker "$D" ensure a2 --services nap --owner self
	is "$rc" 0 'O1: --owner self, with --network container:X: code'
	like "$(cat "$(entry_path a2)")" "^owner=container:sk-self-$$\$" \
	    'O1: self is X'
	dk rm -f "sk-self-$$" >/dev/null
	sk sweep --grace 0
	check 'O1: it is gone, and so is its sandbox' is_gone "$(sandbox_of nap a1)"
}
client_is podman || owner_is_self
sk ensure a1 --services nap --owner self
is "$rc" 75 'O1: --owner self, from outside: 75'

# --- a process that cannot be seen, with the simulated docker

# as_nobody COMMAND...: without any right of root's
as_nobody()
{
	run setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all \
	    "$@"
}

daemon_clean
fixture
"$FAKE_DOCKER" fake-image postgres:16-alpine '{"ports":["5432/tcp"]}'
chmod 755 "$T"
chown -R 65534:65534 "$T"
cp "$(readlink -f "$SANDKEEPER")" "$T/sandkeeper"
cp "$FAKE_DOCKER" "$T/fake-docker"
cp -R "$SANDKEEPER_ENGINES_DIR" "$T/engines.d"
chmod -R a+rX "$T/sandkeeper" "$T/fake-docker" "$T/engines.d"
export SANDKEEPER_DOCKER="$T/fake-docker" HOME="$T/home" \
    SANDKEEPER_ENGINES_DIR="$T/engines.d"
as_nobody "$T/sandkeeper" run --services postgres -- true
is "$rc $err" '0 ' 'run: not as root'
sleep 600 >/dev/null 2>&1 &
sleeper=$!
as_nobody "$T/sandkeeper" ensure a1 --services postgres --owner "pid:$sleeper"
is "$rc" 0 'O2: a process of another user'
state_word()
{
	sed -n 's/^ *"owner_state": "\(.*\)",$/\1/p' "$out_file"
}
as_nobody "$T/sandkeeper" list --json
is "$(state_word)" alive 'O2: it lives'
# shellcheck disable=SC2016 # for the other shell
in_hidden='mount -t proc -o hidepid=2 proc /proc && exec "$@"'
run unshare -m sh -c "$in_hidden" sh setpriv --reuid 65534 --regid 65534 \
    --clear-groups --inh-caps=-all "$T/sandkeeper" list --json
is "$(state_word)" unknown 'O2: one that /proc hides is not known to be dead'
# shellcheck disable=SC2016
in_empty='mount -t tmpfs tmpfs /proc && exec "$@"'
run unshare -m sh -c "$in_empty" sh setpriv --reuid 65534 --regid 65534 \
    --clear-groups --inh-caps=-all "$T/sandkeeper" list --json
is "$(state_word)" unknown 'O2: without /proc nothing is known'
# The numbers of that /proc are those of other processes.
run unshare -p -f setpriv --reuid 65534 --regid 65534 --clear-groups \
    --inh-caps=-all "$T/sandkeeper" list --json
is "$(state_word)" unknown 'O2: with the /proc of another pid namespace nothing is known'
run unshare -p -f setpriv --reuid 65534 --regid 65534 --clear-groups \
    --inh-caps=-all "$T/sandkeeper" run --services postgres -- touch "$T/boom"
is "$rc" 125 'O2: nor can a process be an owner there'
like "$err" '/proc does not tell boot and pid namespace' 'O2: and that is told'
check_not 'O2: the command is not started' test -e "$T/boom"
# shellcheck disable=SC2016
in_space='mount -t proc proc /proc && exec "$@"'
run unshare -p -f -m sh -c "$in_space" sh setpriv --reuid 65534 --regid 65534 \
    --clear-groups --inh-caps=-all "$T/sandkeeper" run --services postgres -- true
is "$rc" 0 'O2: with a /proc of its own it can'
kill "$sleeper"
wait "$sleeper" || :
as_nobody "$T/sandkeeper" list --json
is "$(state_word)" stopped 'O2: it has ended'

done_testing
