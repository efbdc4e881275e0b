#!/bin/sh
# SPDX-License-Identifier: ISC
#
# watch: what its stream of events may do to it, and a daemon that goes away
# (rules W2 and W3, issue 6): the client dies, prints garbage, half lines and
# endless ones, or falls silent.

# shellcheck disable=SC2317 # functions are called by name

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/watch.sh
. "$TESTS_LIB/../cli/watch.sh"

# lines ERE: how many lines of its stderr match
lines()
{
	grep -Ec -e "$1" "$T/watch.err" || :
}

# die NAME: the line of its death
die()
{
	printf '{"Type":"container","Action":"die","Actor":{"ID":"%s",' \
	    "$(id_of "$1")"
	printf '"Attributes":{"name":"%s"}}}' "$1"
}

# The child that prints the events, alone.
events_child()
{
	ps -o pid=,args= --ppid "$watch_pid" | awk '$3 == "events" { print $1 }'
}

# --- the daemon goes away, and comes back

world 1
owned a1 a2 a3
watch_up
echo 1 >"$FAKE_DOCKER_DIR/down"
check 'W3: the daemon goes: it says so' \
    wait_for says 'the daemon is lost: .*unexpected EOF.*: trying again'
check 'W5: and tells the service manager' \
    wait_for told 'STATUS=waiting for the daemon'
fake set roboco-agent-a1 state=exited
rm "$FAKE_DOCKER_DIR/names/roboco-agent-a2" \
    "$FAKE_DOCKER_DIR/containers/$(id_of roboco-agent-a2).json"
# the first wait is from one to two seconds, the second from two to four
check 'W3: it tries again' wait_for counts events 1
check 'W3: and again' wait_for counts events 2
is "$(lines .)" 1 'issue 6: one line for the loss, and none for a try'
rm "$FAKE_DOCKER_DIR/down"
fake reset-calls
kill -USR1 "$watch_pid"
check 'W2: the daemon is back: what happened meanwhile is found: a death' \
    wait_for -t 20 gone "$(box a1)"
check 'W2: and a removal' wait_for gone "$(box a2)"
check 'issue 6: its return is a line' wait_for says 'the daemon answers again'
is "$(lines 'is lost') $(lines 'answers again')" '1 1' \
    'issue 6: one line for each change of state'
is "$(calls | sed 's/ .*//' | head -n 3 | sort | tr '\n' ' ')" \
    'events ps ps ' 'W2: by a full sweep'
check 'O1: what lives stays' has_container "$(box a3)"
act kill roboco-agent-a3
check 'W1: and its death is heard again' wait_for gone "$(box a3)"
watch_down

# --- the client dies

world 1
owned a1 a2
watch_up
kill -KILL "$(events_child)"
check 'issue 6: the client of the events is killed: it is lost' \
    wait_for says 'the daemon is lost: docker events ended'
act kill roboco-agent-a1
check 'issue 6: and started anew, with a full sweep' \
    wait_for gone "$(box a1)"
watch_down

# it dies at once, each time: that is no return of the daemon
world 1
owned a1
fake fault events rc=1 'err=Error response from daemon: not for you\n'
watch_start
check 'issue 6: it cannot be listened: it says why, once' \
    wait_for says 'docker events ended: .*not for you'
from=$(date +%s%N)
wait_for -t 30 counts events 4
took=$((($(date +%s%N) - from) / 1000000))
# from 1 to 2 s, then from 2 to 4, then from 4 to 8
check 'W3: the pauses grow' test "$took" -ge 6500 -a "$took" -le 25000
is "$(lines .)" 1 'issue 6: though every sweep succeeds, one line is all'
agent gone --state exited --finished "$OLD"
sandbox gone pg
entry gone pg
kill -USR1 "$watch_pid"
check 'W2: and each try is a full sweep' wait_for gone "$(box gone)"
fake fault events
kill -USR1 "$watch_pid"
check 'W3: once it is listened to, it says so' \
    wait_for -t 20 says 'the daemon answers again'
watch_down

# --- garbage

world 1
owned a1
watch_up
fake event 'This is not an event.'
check 'issue 6: garbage: that is not docker' \
    wait_for says 'the daemon is lost: docker events printed what is no event'
check 'W3: it is started anew' wait_for says 'answers again'
printf '\n{}\n' >>"$FAKE_DOCKER_DIR/events"
fake fault events "out=$(die roboco-agent-a1)" hang=1
fake reset-calls
kill -KILL "$(events_child)"
wait_for says 'events ended'
kill -USR1 "$watch_pid"
wait_for counts ps 2
kill -USR1 "$watch_pid"
wait_for counts ps 4
check 'issue 6: half a line is none: what it tells of is no death' has_container "$(box a1)"
check_not 'issue 6: it is not told' heard owner-died roboco-agent-a1
watch_down

# bytes without an end, and without a newline
world 1
owned a1
head -c 8000000 /dev/zero | tr '\0' x >"$T/x"
fake fault events.1 outfile="$T/x" hang=1
watch_start
wait_for counts events 1
wait_for told READY=1
check 'issue 6: a line without an end is left out; a sweep sees what it told' \
    wait_for -t 15 counts ps 4
check 'issue 6: and takes little memory' \
    test "$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB$/\1/p' \
	"/proc/$watch_pid/status")" -lt "${SK_PEAK:-12000}" -o \
    -n "${LD_PRELOAD:-}" -o "$(grep -c __asan_init "$SANDKEEPER")" -gt 0
is "$(lines .)" 0 'issue 6: it is not the end of the connection'
watch_down

# one with labels of 100 kB is an event
world 1
owned a1
watch_up
{
	printf '{"Type":"container","Action":"die","Actor":{"ID":"%s",' \
	    "$(id_of roboco-agent-a1)"
	printf '"Attributes":{"big":"'
	head -c 100000 /dev/zero | tr '\0' y
	printf '","name":"roboco-agent-a1"}}}\n'
} >>"$FAKE_DOCKER_DIR/events"
check 'issue 6: a line of 100 kB is heard' \
    wait_for heard owner-died roboco-agent-a1
# in two halves
act kill roboco-agent-a1
wait_for gone "$(box a1)"
watch_down
world 1
owned a1
watch_up
act kill roboco-agent-a1
watch_down
whole=$(tail -n 1 "$FAKE_DOCKER_DIR/events")
act start roboco-agent-a1
cat >"$T/halves" <<-END
	#!/bin/sh
	[ "\$1" = events ] || exec '$FAKE_DOCKER' "\$@"
	while [ ! -e '$T/first' ]; do sleep 0.02; done
	printf %s '$(printf %s "$whole" | cut -c 1-60)'
	while [ ! -e '$T/second' ]; do sleep 0.02; done
	printf '%s\\n' '$(printf %s "$whole" | cut -c 61-)'
	exec sleep 1000
END
chmod 755 "$T/halves"
SANDKEEPER_DOCKER=$T/halves watch_start
wait_for told READY=1
touch "$T/first"
act kill roboco-agent-a1
sleep 0.3
check_not 'issue 6: half a line is waited for' heard owner-died roboco-agent-a1
touch "$T/second"
check 'issue 6: and whole, it is heard' \
    wait_for heard owner-died roboco-agent-a1
check 'issue 6: and acted upon' wait_for gone "$(box a1)"
watch_down

# --- silence

world 1
owned a1 a2 a3
SANDKEEPER_INTERVAL=2s
fake fault events.1 hang=1
watch_start
wait_for told READY=1
act kill roboco-agent-a1
check 'issue 6: the stream is silent: the interval finds the death' \
    wait_for gone "$(box a1)"
check 'issue 6: and opens another stream' counts events 2
SANDKEEPER_OWNER_GRACE=0
wait_for -t 20 hears
act kill roboco-agent-a2
check 'issue 6: which is heard' wait_for heard owner-died roboco-agent-a2
check 'issue 6: and acted upon' wait_for gone "$(box a2)"
is "$(lines 'is lost')" 0 'issue 6: no loss is told'
is "$(children "$watch_pid" | wc -w)" 1 'issue 6: one client at a time'
fake reset-calls
wait_for -t 20 counts events 2
wait_for -t 20 counts ps 4
is "$(calls | sed 's/ .*//' | head -n 6 | sort | uniq -c | tr -s ' \n' ' ')" \
    ' 2 events 4 ps ' \
    'W2: each interval is a full sweep, and nothing else'
watch_down

# --- docker is not there any more

world 1
owned a1
mkdir "$T/bin"
ln -s "$FAKE_DOCKER" "$T/bin/docker"
SANDKEEPER_DOCKER=$T/bin/docker watch_start
wait_for told READY=1
wait_for -t 20 hears
rm "$T/bin/docker"
kill -KILL "$(events_child)"
check 'W3: docker is gone from the disk: it waits' \
    wait_for says 'the daemon is lost: docker events ended'
act kill roboco-agent-a1
ln -s "$FAKE_DOCKER" "$T/bin/docker"
check 'W3: it is back, and all goes on' wait_for -t 20 gone "$(box a1)"
is "$(lines 'is lost')" 1 'issue 6: one line for it'
watch_down

# --- a listing that cannot be trusted

world 1
owned a1
watch_up
act kill roboco-agent-a1
fake fault ps.2 'out={"id":\n' times=1
kill -USR1 "$watch_pid"
check 'S2: a listing that cannot be read is no knowledge' \
    wait_for says 'nothing is removed on partial knowledge'
check 'W3: the next one is' wait_for gone "$(box a1)"
watch_down

# --- the daemon that it was started for

world 1
mkdir -p "$HOME/.docker/contexts/meta/x"
echo '{"currentContext":"one"}' >"$HOME/.docker/config.json"
echo '{"Name":"one","Endpoints":{"docker":{"Host":"unix:///one.sock"}}}' \
    >"$HOME/.docker/contexts/meta/x/meta.json"
cat >"$T/client" <<-END
	#!/bin/sh
	echo "\$1 \${DOCKER_CONTEXT:-none}" >>'$T/contexts'
	exec '$FAKE_DOCKER' "\$@"
END
chmod 755 "$T/client"
SANDKEEPER_DOCKER=$T/client watch_start
wait_for told READY=1
echo '{"currentContext":"two"}' >"$HOME/.docker/config.json"
kill -USR1 "$watch_pid"
wait_for counts ps 2
is "$(cut -d ' ' -f 2 "$T/contexts" | sort -u)" one \
    "K3: its daemon stays the same, whatever docker's context becomes"
watch_down

done_testing
