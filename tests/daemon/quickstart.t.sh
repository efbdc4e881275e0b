#!/bin/sh
# SPDX-License-Identifier: ISC
#
# scripts/quickstart shows what it says, on each kind of docker, and leaves
# nothing behind.

# shellcheck disable=SC2317 # functions are called by name

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/lib/daemon.sh
. "$TESTS_LIB/daemon.sh"

top=${TOP_SRCDIR:-$(cd "$(dirname "$0")/../.." && pwd)}

# What is on the daemon, but for the sizes and the times.
everything()
{
	dk ps -aq --no-trunc
	dk network ls -q --no-trunc
	dk volume ls -q
	dk image ls -q --no-trunc | sort -u
}

# private daemons of quickstart, and its own directory
# shellcheck disable=SC2012 # names of ours
leavings()
{
	ls -d /tmp/sandkeeper-demo.* "$T"/tmp/* 2>/dev/null || :
}

quickstart()
{
	run env HOME="$daemon_home" TMPDIR="$T/tmp" \
	    SANDKEEPER_TEST_IMAGES="$daemon_images" \
	    "$top/scripts/quickstart" "$@"
}

# shows WHERE: the life of a sandbox, as it should look
shows()
{
	is "$rc" 0 "$1: it works"
	is "$err" '' "$1: without complaints"
	for line in '\$ docker run -d --name roboco-agent-demo-[0-9]+ ' \
	    '\$ sandkeeper ensure demo-[0-9]+ --services postgres$' \
	    'postgres +roboco-sandbox-pg-demo-[0-9]+:5432 +fresh$' \
	    'psql -Atc "select ' '^ +sandbox\|5050' \
	    '\$ docker rm -f -v roboco-agent-demo-[0-9]+$' \
	    '\$ sandkeeper sweep --grace 0$' \
	    'swept: 1 found, 1 removed, 0 kept, 0 failed$' \
	    '^-- What happened' '^-- Next'; do
		like "$out" "$line" "$1: shows $line"
	done
	is "$(printf '%s\n' "$out" | sed '1,/^-- Next/d' |
	    grep -cE '^  (build/|\./)')" 3 "$1: ends with three commands to try"
	check "$1: fits two screens" [ "$(wc -l <"$out_file")" -le 60 ]
	is "$(leavings)" "$leavings_before" "$1: leaves no files"
	is "$(everything)" "$everything_before" "$1: leaves nothing on the daemon"
}

daemon_world
mkdir "$T/tmp"
leavings_before=$(leavings)
everything_before=$(everything)
RUN_TIMEOUT=300

quickstart
shows 'the daemon that is there'
like "$out" '^docker: the daemon of this machine, unix://' 'it says which it is'
for command in 'services' 'help ensure'; do
	# shellcheck disable=SC2086 # words
	run env -i PATH="$PATH" HOME="$T" \
	    "$top/build/quickstart/root/bin/sandkeeper" $command
	is "$rc" 0 "the command that it names works: $command"
done

DOCKER_HOST=unix:///nowhere/docker.sock quickstart simulated
shows 'the simulated docker'
like "$out" 'NO CONTAINER IS REAL' 'it says that nothing is real'

if [ "$(id -u)" = 0 ]; then
	DOCKER_HOST=unix:///nowhere/docker.sock quickstart private
	shows 'a daemon of its own'
	like "$out" '^docker: a daemon of our own' 'it says which it is'
fi

# --- interrupted

start env HOME="$daemon_home" TMPDIR="$T/tmp" "$top/scripts/quickstart" machine
demo_is_up()
{
	dk ps --format '{{.Names}}' | grep -q '^roboco-sandbox-pg-demo-'
}
wait_for -t 60 demo_is_up
kill -TERM "$pid"
finish
is "$rc" 143 'interrupted: its code'
is "$(leavings)" "$leavings_before" 'interrupted: no files are left'
is "$(everything)" "$everything_before" \
    'interrupted: nothing is left on the daemon'

quickstart elsewhere
is "$rc" 64 'a word that it does not know'

done_testing
