#!/bin/sh
# SPDX-License-Identifier: ISC
#
# run: the exit status, what the command is given, what is released after it,
# and what is not.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/ensure.sh
. "$TESTS_LIB/../cli/ensure.sh"
# shellcheck source=tests/cli/run.sh
. "$TESTS_LIB/../cli/run.sh"

# --- the calls, and the command's own exit status

cold
pg -- true
is "$rc $out $err" '0  ' 'run: exit 0, and not a word'
calls_are 'inspect image run exec inspect inspect rm' \
    'run: the calls of an ensure and of a release'
left_nothing 'run: exit 0'
like "$(calls run)" ' --name roboco-sandbox-pg-run-[0-9a-f]{8} ' \
    'run: without AGENT a slug is made'
like "$(calls run)" ' --label sandkeeper.owner=pid:' \
    'O2: the sandbox belongs to this process'
unlike "$(calls run)" ' roboco.sandbox.owner=' \
    'O2: and to no container: no owner label of the orchestrator'
expires=$(calls run | sed -n 's/.*sandkeeper.expires=\([0-9]*\) .*/\1/p')
check 'O2: with a lease, for where nobody can judge it' \
    test "$expires" -gt "$(($(now) + 3600))"
like "$(calls run)" ' -p 127\.0\.0\.1::5432 ' \
    'E10: a process owner publishes by default'
pg a1 -- true
like "$(calls run | tail -n 1)" " --name $POSTGRES-a1 " 'run AGENT: its name'
like "$(history | tail -n 1)" '"cause": ?"run"' 'R8: its end is in the history'

pg -- sh -c 'exit 3'
is "$rc $out $err" '3  ' "run: the command's own code"
left_nothing 'run: exit 3'
pg -- sh -c 'exit 125'
is "$rc" 125 'run: even one of ours'
for number in 1 2 3 9 15 11 10; do
	# shellcheck disable=SC2016 # for the other shell
	pg -- sh -c 'ulimit -c 0; kill "-$1" $$' sh "$number"
	is "$rc" "$((128 + number))" "run: killed by signal $number: 128 + N"
	left_nothing "run: killed by signal $number"
done

# --- the command is looked for first

cold
echo 'exit 7' >"$T/script"
fake reset-calls
pg -- "$T/nowhere"
is "$rc" 127 'run: a command that is not there: 127'
like "$err" "^sandkeeper: '$T/nowhere' is not there\$" 'run: and it is named'
pg -- sk-no-such-command
is "$rc" 127 'run: not in PATH: 127'
pg -- ''
is "$rc" 127 'run: an empty word: 127'
pg -- "$T/script"
is "$rc" 126 'run: it may not be executed: 126'
pg -- "$T"
is "$rc" 126 'run: a folder: 126'
# Fallbacks are for docker; the command is the caller's own affair.
# shellcheck disable=SC2016
run env PATH="$T" "$SANDKEEPER" run --services postgres -- ls
is "$rc" 127 "run: the caller's PATH alone"
mkdir "$T/bin"
cp "$T/script" "$T/bin/other"
run env PATH="$T/bin" "$SANDKEEPER" run --services postgres -- other
is "$rc" 126 'run: in PATH, not executable: 126'
calls_are '' 'run: all that without a docker call'
left_nothing 'run: a command that cannot be run'
chmod 755 "$T/script" "$T/bin/other"
pg -- "$T/script"
is "$rc" 7 'run: a script without a first line is one of sh, as in a shell'
left_nothing 'run: a script'
printf '#!%s/nowhere\n' "$T" >"$T/bin/unread"
chmod 755 "$T/bin/unread"
pg --keep-on-failure 1h -- "$T/bin/unread"
is "$rc" 127 'run: a script whose interpreter is not there: 127'
like "$err" "cannot run '$T/bin/unread': No such file" 'run: and that is told'
left_nothing 'run: what never ran has not failed: it is not kept'
PATH=$T/bin:$PATH
pg -- other
is "$rc" 7 'run: one that is in PATH'
ln -s /bin/sh "$T/bin/my sh"
# shellcheck disable=SC2016
pg -- "$T/bin/my sh" -c 'echo "$0"'
is "$rc $out" "0 $T/bin/my sh" 'run: its name is the one that was typed'

# --- its own failures are 125

cold
boom="touch $T/boom"
own_failure()
{
	is "$rc" 125 "$1: 125"
	check_not "$1: the command is not started" test -e "$T/boom"
	left_nothing "$1"
}
# shellcheck disable=SC2086 # words
{
	sk run --services postgres
	own_failure 'run: no command'
	like "$err" "write it behind '--'" 'run: no command: what to do'
	sk run --services postgres --
	own_failure 'run: no command behind --'
	sk run --bogus --services postgres -- $boom
	own_failure 'run: an unknown option'
	sk run --services
	own_failure 'run: an option without its value'
	sk run -- $boom
	own_failure 'run: neither services nor project'
	pg a1 b1 -- $boom
	own_failure 'run: two agents'
	pg ../x -- $boom
	own_failure 'run: a bad slug'
	pg --ttl soon -- $boom
	own_failure 'run: a bad duration'
	pg --keep-on-failure soon -- $boom
	own_failure 'run: --keep-on-failure: a bad duration'
	pg --ttl 0 -- $boom
	own_failure 'run: --ttl 0'
	pg --set enabled=false -- $boom
	own_failure 'F2: sandboxes are switched off'
	like "$err" 'hint: .*SANDKEEPER_ENABLED' 'F2: the switch is named'
	calls_are '' 'run: all that without a docker call'
	pg --docker "$T/no-docker" -- $boom
	own_failure 'run: docker cannot be run'
	fake fault any rc=1 \
	    'err=Cannot connect to the Docker daemon at unix:///x. Is the docker daemon running?\n'
	pg -- $boom
	own_failure 'run: the daemon is down'
	fake fault any
	fake fault pull pull-fails=manifest
	pg --image postgres=nowhere:1 -- $boom
	own_failure 'run: the image is not there'
	fake fault pull
	fake image postgres:16-alpine '{"run":"dies","exit":1,"logs":"bang"}'
	pg -- $boom
	own_failure 'run: the database dies'
}
sk --json run --services postgres -- true
is "$rc $(printf '%s\n' "$out" | sed -n 's/^ *"exit": \(.*\),$/\1/p')" \
    '125 125' 'run: the JSON of a failure tells the same code'
sk run --help
is "$rc" 0 'run: help is no failure'

# --- what the command is given

cold
# shellcheck disable=SC2016 # for the other shell
{
	pg -- sh -c 'echo "$DATABASE_URL $PGHOST $PGPORT $PGPASSWORD"'
	word=$(echo "$out" | sed 's/.* //')
	like "$word" '^[0-9a-f]{32}$' 'run: a password'
	port=$(echo "$out" | cut -d ' ' -f 3)
	is "$out" "postgresql://sandbox:$word@127.0.0.1:$port/sandbox 127.0.0.1 $port $word" \
	    'run: the variables, with the published port'
	unlike "$(calls)" "$word" 'E8: the password is in no argv'
	PGUSER=me MINE=1 export PGUSER MINE
	pg -- sh -c 'echo "$PGUSER $MINE"; env | grep -c ^PGUSER='
	is "$out" "sandbox 1
1" "run: ours over the caller's, the rest as it was"
	unset PGUSER MINE
	echo 'engine "postgres" { user = "me" database = "data" }' >"$T/conf"
	pg -c "$T/conf" -- sh -c 'echo "$PGUSER $PGDATABASE ${DATABASE_URL%:*:*}@${DATABASE_URL##*/}"'
	is "$out" 'me data postgresql://me@data' \
	    "run: the engine's user and database, each in its place"
	sk run --services postgres --also redis -- sh -c \
	    'echo "${PGHOST:-none} ${REDIS_URL:-none}"'
	is "$out" '127.0.0.1 none' 'run --also: provisioned, not exported'
}
echo 'what was typed' >"$T/typed"
stdin=$T/typed
# shellcheck disable=SC2016
pg -- sh -c 'read -r line; echo "got $line"; echo oops >&2'
is "$out" 'got what was typed' 'run: stdin and stdout are the caller'"'"'s'
is "$err" oops 'run: stderr, too'
stdin=/dev/null
pg -- printf '[%s]\n' a 'b c' '' -x --env --
is "$out" '[a]
[b c]
[]
[-x]
[--env]
[--]' 'run: the words behind -- as they are'

# The same, once from us and once through us.
as_without_us()
{
	as_desc=$1
	shift
	run "$@"
	as_want=$out
	pg -- "$@"
	is "$out" "$as_want" "run: as without us: $as_desc"
}
# shellcheck disable=SC2016
{
	# The first 28: the C library has some of its own after 31.
	as_without_us 'signals: none blocked, ignored or caught' \
	    sed -n 's/^\(Sig[BIC][lg][kn]\).*\(.\{7\}\)$/\1 \2/p' \
	    /proc/self/status
	# shellcheck disable=SC3045 # every sh that we meet has these limits
	for limits in '-S -c 0' '-S -c 10' '-S -n 123'; do
		# A hard limit may be lower.
		# shellcheck disable=SC2086 # words
		ulimit $limits 2>/dev/null || :
		as_without_us "ulimit $limits" sh -c 'ulimit -c; ulimit -n'
	done
	as_without_us 'descriptors' sh -c 'cd /proc/$$/fd && ls'
	exec 8<"$T/typed"
	as_without_us "a descriptor that the caller opened for it" \
	    sh -c 'cat /dev/fd/8; cd /proc/$$/fd && ls'
	exec 8<&-
	(
		umask 027
		pg -- sh -c umask
		echo "$out" >"$T/umask"
	)
	is "$(cat "$T/umask")" 0027 'run: our umask'
	(
		trap '' HUP PIPE
		RUN_TIMEOUT=0
		pg -- grep -E '^SigIgn' /proc/self/status
		echo "$out" >"$T/ignored"
	)
	is "$(($(sed 's/.*\(.\{8\}\)$/0x\1/' "$T/ignored") & 0x1001))" \
	    "$((0x1001))" 'run: what the caller ignores stays ignored, as nohup wants'
}
pg -- sh -c 'cd / && pwd && exec >/dev/full'
is "$rc" 0 'run: what becomes of its stdout is its own affair'

# --- when it starts

cold
fake image redis:8-alpine '{"ready_after_ms":500,"ports":["6379/tcp"]}'
start_clock
sk run --services postgres,redis -- sh -c "date +%s%N >$T/began"
is "$rc" 0 'run: two services: code'
clock_stopped=$((($(cat "$T/began") - clock_started) / 1000000))
check 'run: the command starts when all are ready' \
    test "$clock_stopped" -ge 500
is "$(calls | grep -c '^exec ')" 2 'run: both are waited for'
left_nothing 'run: two services'
fake image redis:8-alpine '{"run":"dies","ports":["6379/tcp"]}'
sk run --services postgres,redis -- touch "$T/boom"
own_failure 'run: one of two does not come up'

# --- the limit of time is for us, not for the command

cold
pg --timeout 1s -- sleep 1.3
is "$rc" 0 'run --timeout: not for the command'
left_nothing 'run --timeout'
fake fault run delay=5000 then=normal
start_clock
pg --timeout 1s -- touch "$T/boom"
stop_clock
own_failure 'run --timeout: provisioning takes too long'
check 'run --timeout: it is kept' within 2500

# --- a grandchild that stays

cold
cat >"$T/daemonise" <<'EOF'
(exec sleep 20) &
echo $!
EOF
start_clock
pg -- sh "$T/daemonise"
stop_clock
is "$rc" 0 'run: a grandchild that keeps stdout open: code'
grandchild=$out
check 'run: it is not waited for' within 5000
check 'run: and not killed' alive "$grandchild"
kill "$grandchild"
left_nothing 'run: a grandchild that stays'

# --- what run did not make stays

cold
owner a1
sk ensure a1 --services postgres
before=$(cat "$(entry_path a1)")
boxes_were=$(boxes)
fake reset-calls
pg a1 -- touch "$T/boom"
is "$rc" 125 'run: an agent that has an entry is refused'
like "$err" 'a1: it has a sandbox already' 'run: and is told why'
check_not 'run: the command is not started' test -e "$T/boom"
calls_are '' 'run: no docker call'
is "$(boxes)" "$boxes_were" 'run: its sandbox is left'
is "$(cat "$(entry_path a1)")" "$before" 'run: its entry, too'
check 'run: its lock is free' unlocked a1
rm "$(entry_path a1)"
pg a1 -- touch "$T/boom"
is "$rc" 125 'run: the entry is lost, and its sandbox lives: refused'
like "$err" 'a1: .*-a1 runs for the owner container:roboco-agent-a1, and no entry' \
    'run: and is told whose it is'
is "$(boxes)" "$boxes_were" 'run: its sandbox is left'
check_not 'E7: no entry is left' has_entry a1
sk ensure a1 --services postgres --owner none --ttl 1h --json
is "$rc $(kind)" '65 live-container' 'E2: nor does an ensure for another owner take it'
sk ensure a1 --services postgres
is "$rc $(entry_value a1 - owner)" '0 container:roboco-agent-a1' \
    'E5: for its own owner it is a leftover, and made anew'
# shellcheck disable=SC2016 # for the other shell
pg b1 -- sh -c '"$1" release b1 && "$1" ensure b1 --services postgres \
    --owner none --ttl 1h --env >/dev/null && exit 5' sh "$SANDKEEPER"
is "$rc" 5 'run: the command put another sandbox in its place: code'
check 'run: only what it made is released' has_container "$POSTGRES-b1"
check 'run: the entry of the other one stays' has_entry b1
check 'run: no mark, no lock' unlocked b1
# shellcheck disable=SC2016
pg --keep-on-failure 1h b2 -- sh -c '"$1" -q release b2 && "$1" -q ensure b2 \
    --services postgres --owner none --ttl 1h --env >/dev/null; exit 5' sh \
    "$SANDKEEPER"
is "$rc $(entry_value b2 - hold)" '5 0' \
    '--keep-on-failure: what another one put in its place is not held'
like "$err" 'warning: b2: it cannot be held: its sandbox is another owner' \
    '--keep-on-failure: and that is told'
check '--keep-on-failure: nor released' has_container "$POSTGRES-b2"
cat >"$T/replaced" <<'EOF'
"$1" -q release b3
"$1" -q ensure b3 --services postgres --owner none --ttl 2s --env >/dev/null
was=$(grep ^expires= "$2")
end=$(($(date +%s) + 10))
until grep -q 'b3: its lease is not renewed: its sandbox is another' "$3"; do
	[ "$(date +%s)" -lt "$end" ] || exit 1
	sleep 0.05
done
[ "$(grep ^expires= "$2")" = "$was" ]
EOF
pg --ttl 3s b3 -- sh "$T/replaced" "$SANDKEEPER" "$T/state/agents/b3" "$err_file"
is "$rc" 0 'run: the lease of what another one put in its place is not renewed'
# shellcheck disable=SC2016
pg c1 -- sh -c '"$1" release c1; exit 4' sh "$SANDKEEPER"
is "$rc $err" '4 sandkeeper: c1: released' \
    'L3: the command has released it itself: nothing more is said'
# shellcheck disable=SC2016
pg d1 -- sh -c '"$1" -q ensure d1 --services postgres; exit 4' sh "$SANDKEEPER"
is "$rc" 4 "run: ensure of the same agent from within: code"
like "$err" 'd1: it has a sandbox with the owner pid:' \
    'run: ensure of the same agent: it has another owner'
check_not 'run: it is released' has_entry d1

# --- while the command runs

cold
# shellcheck disable=SC2016
{
	pg a1 -- sh -c '"$1" sweep --grace 0 --explain' sh \
	    "$SANDKEEPER"
	like "$out" 'owner is alive' 'S4: a sweep meanwhile: its owner is alive'
	check_not 'run: then it is released' has_entry a1
	pg a1 -- sh -c '"$1" hold a1 --for 1h; exit 1' sh "$SANDKEEPER"
	is "$rc" 1 'run: held meanwhile: code'
	like "$err" 'a1: its sandbox is held and stays' 'run: it stays, and that is told'
	check 'run: held meanwhile: it is there' has_container "$POSTGRES-a1"
	sk sweep
	check 'S4: a hold keeps, though its process is dead' \
	    has_container "$POSTGRES-a1"
	sk hold a1 --off
	swept_at_once 'run: held no more'
}

# --- a release that fails

cold
pg a1 -- sh -c "'$FAKE_DOCKER' fake-fault rm rc=1 'err=Error response from daemon: device busy\n'; exit 6"
is "$rc" 6 "run: the release fails: the command's own code"
like "$err" '^sandkeeper: warning: a1: it is not released .*: the next sweep does it' \
    'run: the release fails: a warning'
check 'L5: the entry stays' has_entry a1
fake fault rm
swept_at_once 'run: the release failed'

# --- --keep-on-failure

cold
pg --keep-on-failure 1h a1 -- sh -c 'exit 0'
left_nothing '--keep-on-failure: the command does not fail'
pg --keep-on-failure 1h a1 -- sh -c 'exit 9'
is "$rc" 9 '--keep-on-failure: code'
check '--keep-on-failure: the sandbox stays' has_container "$POSTGRES-a1"
like "$err" 'the command failed: the sandbox is held until 2' \
    '--keep-on-failure: until when'
like "$err" 'sandkeeper connect a1.*sandkeeper env a1.*release --force a1' \
    '--keep-on-failure: how it is reached, and ended'
hold=$(entry_value a1 - hold)
check '--keep-on-failure: for that long' \
    test "$hold" -ge "$(($(now) + 3500))" -a "$hold" -le "$(($(now) + 3600))"
sk sweep
check '--keep-on-failure: a sweep keeps it' has_container "$POSTGRES-a1"
sk env a1 -- sh -c "exec >$T/env; env"
like "$(cat "$T/env")" '^PGPASSWORD=[0-9a-f]{32}$' \
    '--keep-on-failure: env gives the credentials'
sk release a1
is "$rc" 75 '--keep-on-failure: release: held'
sk release --force a1
is "$rc" 0 '--keep-on-failure: release --force'
left_nothing '--keep-on-failure: release --force'
pg --keep-on-failure 1h a1 -- sh -c "'$FAKE_DOCKER' fake-fault any 'hook=chmod 500 $T/state/agents' rc=1; kill -9 \$\$"
fake fault any
is "$rc" 137 '--keep-on-failure: killed by a signal counts as failed'
check '--keep-on-failure: killed: it stays' has_container "$POSTGRES-a1"
sk release --force a1
pg --keep-on-failure 1h a1 -- sh -c "rm -f '$T/state/agents/a1'; exit 2"
is "$rc" 2 '--keep-on-failure: it cannot be held: code'
like "$err" 'warning: a1: it cannot be held' '--keep-on-failure: it cannot be held: a warning'
left_nothing '--keep-on-failure: what cannot be held is released'

# --- the lease is renewed

cold
cat >"$T/watch-lease" <<'EOF'
lease() { grep ^expires= "$1"; }
was=$(lease "$1")
end=$(($(date +%s) + 10))
while [ "$(lease "$1")" = "$was" ]; do
	[ "$(date +%s)" -lt "$end" ] || exit 1
	sleep 0.05
done
EOF
pg --ttl 3s a1 -- sh "$T/watch-lease" "$T/state/agents/a1"
is "$rc $err" '0 ' 'run --ttl: the lease is renewed while the command runs'
left_nothing 'run --ttl'
# A lock that somebody holds must not keep us from seeing the command's end.
# It is held until run has found it so.
cat >"$T/locked" <<'EOF'
flock -n "$1" sh -c 'echo $$ >"$1"; exec sleep 20' sh "$2" &
end=$(($(date +%s) + 10))
rc=1
while [ "$(date +%s)" -lt "$end" ] && [ "$rc" != 0 ]; do
	grep -q 'a1.* is locked by' "$3" && rc=0 || sleep 0.05
done
kill "$(cat "$2")"
exit "$rc"
EOF
start_clock
sk -v run --services postgres --ttl 3s a1 -- sh "$T/locked" \
    "$T/state/locks/a1" "$T/locker" "$err_file"
stop_clock
is "$rc" 0 'run --ttl: the lock is taken meanwhile: it is not waited for'
check 'run --ttl: nor after it is free' within 8000
left_nothing 'run --ttl: the lock is taken meanwhile'
# shellcheck disable=SC2016
pg --ttl 2s a1 -- sh -c '"$1" -q release a1; sleep 2; exit 8' sh "$SANDKEEPER"
is "$rc" 8 'run --ttl: released by somebody else: code'
is "$(grep -c 'its lease is not renewed' "$err_file")" 1 \
    'run --ttl: which is told once'

done_testing
