#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Docker in trouble: hanging, refusing us, not installed, stopped.  Each
# command ends by its deadline with the right code and one clear line, nothing
# is removed, evicted or lost, and afterwards all works.
#
# It has a daemon of its own, for it does harm to it.

# shellcheck disable=SC2317 # functions are called by name

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/lib/daemon.sh
. "$TESTS_LIB/daemon.sh"

[ "$(id -u)" = 0 ] || skip_all 'needs root, to start a daemon'

daemon_clean()
{
	own_daemon_gone
}

own_daemon trouble

as=
program=$SANDKEEPER
with=
limit=5000
pattern=

# ends CODE TROUBLE ARG...: the program ends with that code, by its deadline.
ends()
{
	code=$1
	trouble=$2
	shift 2
	before=$(milliseconds)
	# shellcheck disable=SC2086 # words
	run $as "$program" $with "$@"
	took=$(($(milliseconds) - before))
	is "$rc" "$code" "$trouble: $1: its code"
	check "$trouble: $1: by its deadline" [ "$took" -lt "$limit" ]
	lines=$(printf '%s\n' "$err" | grep -v '^sandkeeper: hint: ' || :)
}

# expect CODE TROUBLE ARG...: and says one line.
expect()
{
	ends "$@"
	if [ -z "$pattern" ]; then
		is "$lines" '' "$2: $3: has nothing to say"
		return
	fi
	like "$lines" "^sandkeeper: .*($pattern)" "$2: $3: says why"
	is "$(printf '%s\n' "$lines" | wc -l)" 1 "$2: $3: in one line"
}

# all_commands TROUBLE CODE SWEEPS: every command that asks docker, with the
# code that it is to end with, and that of a sweep that is not strict.
all_commands()
{
	expect "$2" "$1" ensure t-live --services nap
	expect "$2" "$1" ensure t-new --services nap
	expect "$2" "$1" release t-live
	expect "$2" "$1" remove roboco-agent-t-live
	expect "$3" "$1" sweep --grace 0
	expect "$2" "$1" sweep --grace 0 --strict
	expect 0 "$1" list
	like "$out" '^t-live +nap +unknown ' "$1: list: shows what is recorded"
	like "$out" '^t-dead +nap +unknown ' "$1: list: of every agent"
	expect 0 "$1" why t-live
	was=$pattern
	pattern=
	expect 0 "$1" env t-live --env
	like "$out" '^export NAP_WORD=.' "$1: env: has the credentials"
	expect 0 "$1" release nobody
	expect 0 "$1" services
	pattern=$was
	# The release is asked for, and is not what this is about.
	find "$SANDKEEPER_STATE_DIR" -name '.t-live.release' -delete
}

entries()
{
	find "$SANDKEEPER_STATE_DIR" -path '*/agents/*' -type f \
	    -exec sha256sum {} +
}

containers()
{
	dk ps -a --no-trunc --format "{{.ID}} {{.Names}} {{$list_state}}" | sort
}

# nothing_lost TROUBLE
nothing_lost()
{
	is "$(containers)" "$all_containers" "$1: afterwards no container is lost"
	is "$(entries)" "$all_entries" "$1: and no entry"
	sk ensure t-live --services nap
	is "$rc" 0 "$1: and all works again"
	like "$out" 'as it was' "$1: with the sandbox as it was"
	all_entries=$(entries)
}

agent t-live --restart always
agent t-dead
for slug in t-live t-dead; do
	"$SANDKEEPER" ensure "$slug" --services nap >/dev/null
done
dk kill roboco-agent-t-dead >/dev/null
all_containers=$(containers)
all_entries=$(entries)

# --- it hangs

with='--set timeouts.inspect=1s --set timeouts.ps=1s --set timeouts.run=1s
    --set timeouts.exec=1s --set timeouts.rm=1s --set timeouts.logs=1s'
pattern='timed out'
daemon_freeze
all_commands 'hanging' 75 0
with='--timeout 1s'
all_commands 'hanging, --timeout' 75 0
daemon_thaw
nothing_lost 'hanging'

# at the second of the two listings, at the second look, at the removal
with='--set timeouts.inspect=1s --set timeouts.ps=1s --set timeouts.rm=1s'
hook ps "echo \"$freeze\" >'$T/hook.ps'"
expect 75 'hanging at the second listing' sweep --grace 0 --strict
daemon_thaw
nothing_lost 'S2: hanging at the second listing'
hook inspect "$freeze"
ends 75 'hanging at the second look' sweep --grace 0 --strict
like "$lines" '^sandkeeper: docker inspect: timed out' \
    'hanging at the second look: sweep: says why'
daemon_thaw
nothing_lost 'S6: hanging at the second look'

# in the middle of an ensure
agent t-late
late=$(sandbox_of nap t-late)
hook run "$freeze"
with='--set timeouts.run=1s --set timeouts.inspect=1s --set timeouts.rm=1s'
limit=8000
ends 75 'hanging at run' ensure t-late --services nap
like "$lines" '^sandkeeper: t-late: docker run: timed out' 'E7: says why'
like "$lines" 'warning: t-late: .*the next sweep finishes it' \
    'E7: and that cleaning up could not be confirmed'
daemon_thaw
sk sweep --grace 0
check 'E7: the next sweep finishes it' has_no_entry t-late
check 'E7: nothing is left of it' is_gone "$late"
check 'S4: that sweep took the orphan, too' is_gone "$(sandbox_of nap t-dead)"
limit=5000

# --- a container that comes after its client was killed

# late_run FILE: docker run waits for that file, out of our reach, and makes
# the container then.
late_run()
{
	hook run "setsid sh -c 'until [ -e \"$1\" ]; do sleep 0.02; done
exec \"\$0\" \"\$@\"' '$D' \"\$@\" </dev/null >'$T/late' 2>&1 &
exec sleep 60"
}
made()
{
	[ -s "$T/late" ]
}

: >"$T/late"
late_run "$T/go-1"
# The second inspect is the rollback's look; then it comes.
hook inspect "echo \"(sleep 0.4; touch '$T/go-1') >/dev/null 2>&1 &\" \
    >'$T/hook.inspect'"
sk ensure t-late --services nap --set timeouts.run=1s
is "$rc" 75 'E7: a client that was killed'
check 'E7: a container that comes half a second later' wait_for made
check 'E7: is gone, too' is_gone "$late"
check 'E7: with its entry' has_no_entry t-late

: >"$T/late"
late_run "$T/go-2"
sk ensure t-late --services nap --set timeouts.run=1s
is "$rc" 75 'E7: a client that was killed'
touch "$T/go-2"
check 'E7: a container that comes when all is over' wait_for made
wait_for is_up "$late"
sk sweep --grace 0
check 'S4: goes with the next sweep, though its agent lives' is_gone "$late"
sk ensure t-late --services nap
is "$rc" 0 'E7: and the agent gets a sandbox'
sk remove roboco-agent-t-late
dk start roboco-agent-t-dead >/dev/null
sk ensure t-dead --services nap
dk kill roboco-agent-t-dead >/dev/null
all_containers=$(containers)
all_entries=$(entries)
with=

# --- a listing that fails (with another daemon, which is not there)

pattern='cannot connect|Cannot connect|unable to connect to Podman'
hook ps "$away"
expect 69 'no first listing' sweep --grace 0 --strict
nothing_lost 'S2: no first listing'
hook ps "echo '$away' >'$T/hook.ps'"
expect 69 'no second listing' sweep --grace 0 --strict
nothing_lost 'S2: no second listing'
hook inspect "$away"
ends 69 'no second look' sweep --grace 0 --strict
like "$lines" "^sandkeeper: docker inspect: .*($pattern)" \
    'no second look: sweep: says why'
nothing_lost 'S6: no second look'
hook rm "$away"
ends 75 'no removal' sweep --grace 0 --strict
like "$lines" "t-dead: .* stays, and the next sweep tries again: .*($pattern)" \
    'T4: no removal: says why'
check 'T5: where the removal fails, the entry stays' has_entry t-dead
nothing_lost 'T5: no removal'

# --- the socket is not for us

# Each user has a podman, and no socket.
socket_is_not_ours()
{
	chmod 711 "$T"
	cp "$SANDKEEPER" "$T/sandkeeper"
	cp -R "$SANDKEEPER_STATE_DIR" "$T/state-nobody"
	mkdir "$T/log-nobody"
	chown -R 65534:65534 "$T/state-nobody" "$T/log-nobody"
	ours=$SANDKEEPER_STATE_DIR
	SANDKEEPER_STATE_DIR=$T/state-nobody
	SANDKEEPER_LOG_DIR=$T/log-nobody
	SANDKEEPER_DOCKER=$D
	as='setpriv --reuid=65534 --regid=65534 --clear-groups'
	program=$T/sandkeeper
	pattern='permission denied'
	all_commands 'socket unreadable' 77 77
	as=
	program=$SANDKEEPER
	SANDKEEPER_STATE_DIR=$ours
	SANDKEEPER_LOG_DIR=$T/log
	SANDKEEPER_DOCKER=$daemon_program
	nothing_lost 'socket unreadable'
}
client_is podman || socket_is_not_ours

# --- docker is not installed

pattern="cannot be run|not found|No such file"
with='--docker /nowhere/docker'
all_commands 'not installed' 69 0
with='--docker sandkeeper-test-no-docker'
as='env PATH=/nowhere'
all_commands 'not in PATH' 69 0
as=
with=
nothing_lost 'not installed'

# --- it is stopped

# There is nothing of podman's that could be.
daemon_is_stopped()
{
	engine=$(cat "$place/pid")
	kill -TERM "$engine"
	ended()
	{
		! grep -q '^State:[[:space:]]*[^ZX]' "/proc/$engine/status" 2>/dev/null
	}
	wait_for -t 60 ended
	pattern='[Cc]annot connect'
	all_commands 'stopped' 69 0
	private start "$place"
	is "$(containers | cut -d ' ' -f 1,2)" \
	    "$(printf '%s\n' "$all_containers" | cut -d ' ' -f 1,2)" \
	    'stopped: afterwards no container is lost'
	is "$(entries)" "$all_entries" 'stopped: and no entry'
	# It stopped its containers, and the agent is started again.
	wait_for -t 20 is_up roboco-agent-t-live
	sk sweep --grace 0
	check 'S4: the sandbox of an agent that is back stays' [ "$(state_of \
	    "$(sandbox_of nap t-live)")" = exited ]
	check 'S4: the orphan goes' is_gone "$(sandbox_of nap t-dead)"
	sk ensure t-live --services nap
	is "$rc" 0 'E2: a sandbox that the daemon stopped is made anew'
	like "$out" ' fresh$' 'E2: as a fresh one'
	check 'E2: and runs' is_up "$(sandbox_of nap t-live)"
}
if client_is podman; then
	sk sweep --grace 0
else
	daemon_is_stopped
fi
sk remove roboco-agent-t-live
is "$(containers)" "$(containers | grep agent-t-dead)" \
    'at the end nothing is left'

done_testing
