#!/bin/sh
# SPDX-License-Identifier: ISC
#
# run as a job of a shell with a terminal: Ctrl-C and Ctrl-Z reach the command,
# it goes on in the foreground, and what it leaves is cleaned up all the same.
# shellcheck disable=SC2016 # what is typed is expanded by the shell on the pty

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/ensure.sh
. "$TESTS_LIB/../cli/ensure.sh"
# shellcheck source=tests/cli/run.sh
. "$TESTS_LIB/../cli/run.sh"

command -v script >/dev/null || skip_all 'needs script(1)'

# The commands that are typed, in files, so that little is left to quoting.
scripts()
{
	# Ends by itself only when it is told to.
	cat >"$T/waits" <<-'EOF'
		trap 'echo INT >>"$T/got"; exit 7' INT
		trap 'echo QUIT >>"$T/got"; exit 8' QUIT
		echo $$ >"$T/cmd.new"
		mv "$T/cmd.new" "$T/cmd"
		until [ -e "$T/enough" ]; do
			sleep 0.02
		done
		echo enough >>"$T/got"
	EOF
	# Never sleeps: a second signal is not lost behind the first one.
	cat >"$T/counts" <<-'EOF'
		trap 'echo INT >>"$T/got"' INT
		trap 'echo USR1 >>"$T/got"' USR1
		echo $$ >"$T/cmd.new"
		mv "$T/cmd.new" "$T/cmd"
		until [ -e "$T/enough" ]; do
			:
		done
	EOF
	# The shell with the terminal does not see that run is stopped.
	cat >"$T/between" <<-'EOF'
		trap : INT
		sh "$T/go" sh "$T/counts"
		echo $? >"$T/rc.new"
		mv "$T/rc.new" "$T/rc"
	EOF
	cat >"$T/go" <<-'EOF'
		echo $$ >"$T/run.pid"
		exec "$SANDKEEPER" run --services postgres a1 -- "$@"
	EOF
	export SANDKEEPER
}

# A shell at work on a terminal.
shell_start()
{
	rm -f "$T/keys" "$T/cmd" "$T/run.pid" "$T/rc" "$T/got" "$T/enough"
	mkfifo "$T/keys"
	script -qfec "$1" /dev/null <"$T/keys" >"$T/tty" 2>&1 &
	shell_pid=$!
	exec 9>"$T/keys"
}

keys()
{
	printf '%b' "$1" >&9
}

shell_end()
{
	keys 'exit 0\n'
	wait_for dead "$shell_pid" || :
	exec 9>&-
	kill "$shell_pid" 2>/dev/null || :
	wait "$shell_pid" || :
}

# shellcheck disable=SC2317 # check calls it
in_state()
{
	grep -qs "^State:[[:space:]]*$1" "/proc/$2/status"
}

# Does the terminal belong to its process group?
# shellcheck disable=SC2317 # wait_for calls it
in_foreground()
{
	# shellcheck disable=SC2046 # its fields
	set -- $(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null)
	[ $# -gt 6 ] && [ "$3" = "$6" ]
}

# ended CODE DESC: by the shell's word
ended()
{
	wait_for test -s "$T/rc" || :
	is "$(cat "$T/rc" 2>/dev/null)" "$1" "$2: the code"
	left_nothing "$2"
}

go='sh $T/go sh $T/waits; echo $? >$T/rc.new; mv $T/rc.new $T/rc\n'

for shell in 'bash --norc --noediting -i' 'dash -i'; do
	name=${shell%% *}
	cold
	scripts

	shell_start "$shell"
	keys "$go"
	wait_for test -e "$T/cmd"
	keys '\003'
	ended 7 "$name: Ctrl-C"
	is "$(cat "$T/got")" INT "$name: Ctrl-C reaches the command, once"
	shell_end

	# run gets it, too, once the command is done with it, and says nothing;
	# a later signal is passed on after it.
	shell_start "$shell"
	keys 'sh $T/between\n'
	wait_for test -e "$T/cmd"
	run_pid=$(cat "$T/run.pid")
	kill -STOP "$run_pid"
	wait_for in_state T "$run_pid"
	keys '\003'
	wait_for grep -qs INT "$T/got"
	kill -USR1 "$run_pid"
	kill -CONT "$run_pid"
	wait_for grep -qs USR1 "$T/got"
	touch "$T/enough"
	ended 0 "$name: Ctrl-C for a command that goes on"
	is "$(tr '\n' ' ' <"$T/got")" 'INT USR1 ' \
	    "$name: Ctrl-C is not passed on a second time"
	shell_end

	shell_start "$shell"
	keys "$go"
	wait_for test -e "$T/cmd"
	keys '\034'
	ended 8 "$name: Ctrl-\\"
	is "$(cat "$T/got")" QUIT "$name: Ctrl-\\ reaches the command, once"
	shell_end

	# Stopped, and on again.
	shell_start "$shell"
	keys "sh \$T/go sh \$T/waits; echo stopped\n"
	wait_for test -e "$T/cmd"
	run_pid=$(cat "$T/run.pid")
	cmd_pid=$(cat "$T/cmd")
	keys '\032'
	check "$name: Ctrl-Z stops the command" wait_for in_state T "$cmd_pid"
	check "$name: and run" wait_for in_state T "$run_pid"
	wait_for grep -q '[Ss]topped' "$T/tty"
	sk sweep --grace 0
	check "O2: $name: a process that is stopped is alive" \
	    has_container "$POSTGRES-a1"
	keys 'fg; echo $? >$T/rc.new; mv $T/rc.new $T/rc\n'
	check "$name: fg: the command goes on" wait_for in_state '[SR]' "$cmd_pid"
	touch "$T/enough"
	ended 0 "$name: stopped and continued"
	is "$(cat "$T/got")" enough "$name: it came to its own end"
	shell_end

	# In the background and back.
	shell_start "$shell"
	keys "sh \$T/go sh \$T/waits &\n"
	wait_for test -e "$T/cmd"
	keys 'fg; echo $? >$T/rc.new; mv $T/rc.new $T/rc\n'
	wait_for grep -q 'go sh' "$T/tty"
	run_pid=$(cat "$T/run.pid")
	wait_for in_foreground "$run_pid"
	keys '\003'
	ended 7 "$name: from the background to the foreground, then Ctrl-C"
	shell_end

	# The command reads what is typed.
	shell_start "$shell"
	keys "sh \$T/go sh -c 'read x; echo \"typed \$x\" >\$T/got; test -t 0 -a -t 1 -a -t 2'; echo \$? >\$T/rc.new; mv \$T/rc.new \$T/rc\n"
	wait_for test -e "$T/run.pid"
	keys 'hello\n'
	ended 0 "$name: the terminal is the command's"
	is "$(cat "$T/got")" 'typed hello' "$name: and so is what is typed"
	shell_end

	# Before the command starts it is ours.
	fake image postgres:16-alpine '{"ready_after_ms":20000}'
	fake fault exec "hook=touch $T/at"
	shell_start "$shell"
	rm -f "$T/at"
	keys "$go"
	wait_for test -e "$T/at"
	keys '\003'
	ended 130 "$name: Ctrl-C before the command starts"
	check_not "$name: it was not started" test -e "$T/cmd"
	shell_end

	# While it cleans up it does not help any more.
	cold
	scripts
	fake fault rm delay=400 "hook=touch $T/at"
	shell_start "$shell"
	rm -f "$T/at"
	keys 'sh $T/go sh -c "exit 3"; echo $? >$T/rc.new; mv $T/rc.new $T/rc\n'
	wait_for test -e "$T/at"
	keys '\003\003'
	ended 3 "$name: Ctrl-C while it cleans up"
	shell_end

	# The terminal is gone: a hangup for all of them.
	cold
	scripts
	shell_start "$shell"
	keys "$go"
	wait_for test -e "$T/cmd"
	run_pid=$(cat "$T/run.pid")
	cmd_pid=$(cat "$T/cmd")
	kill -KILL "$shell_pid"
	wait "$shell_pid" || :
	exec 9>&-
	check "$name: the terminal is gone: run ends" wait_for dead "$run_pid"
	check "$name: and the command" wait_for dead "$cmd_pid"
	left_nothing "$name: the terminal is gone"
done

# A shell as the command: it has jobs of its own, and gives the terminal back.
cold
scripts
shell_start 'bash --norc --noediting -i'
keys 'sh $T/go bash --norc --noediting -i; echo $? >$T/rc.new; mv $T/rc.new $T/rc\n'
wait_for test -e "$T/run.pid"
keys 'sh $T/waits; echo "in $? $PGUSER" >>$T/got\n'
wait_for test -e "$T/cmd"
keys '\003'
wait_for grep -q 'in 7 sandbox' "$T/got"
is "$(tr '\n' ' ' <"$T/got")" 'INT in 7 sandbox ' \
    'a shell as the command: Ctrl-C is for its own job'
keys 'exit 5\n'
ended 5 'a shell as the command'
keys 'echo still here >$T/got\n'
check 'the terminal is given back' wait_for grep -q 'still here' "$T/got"
shell_end

done_testing
