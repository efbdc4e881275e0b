#!/bin/sh
# SPDX-License-Identifier: ISC
#
# watch: signals, and the service manager (rules W4 and W5).

# shellcheck disable=SC2317 # functions are called by name

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/watch.sh
. "$TESTS_LIB/../cli/watch.sh"

# --- SIGTERM and SIGINT, whatever it is at

# ends SIGNAL DESC
ends()
{
	watch_down "$1"
	is "$rc" 0 "W4: SIG$1 $2: it ends with 0"
	check "W4: SIG$1 $2: within a second" test "$took" -lt 1000
	is "$left" '' "W4: SIG$1 $2: no child is left"
	check_not "W4: SIG$1 $2: no lock is left" \
	    sh -c "find '$T/state' -name '*.lock' | grep ."
	check "W5: SIG$1 $2: STOPPING is told" wait_for told STOPPING=1
}

world 1
owned a1
for signal in TERM INT; do
	watch_up
	ends "$signal" 'while it listens'
done
# a client that is deaf to all but KILL
fake fault events hang=term
watch_start
wait_for told READY=1
ends TERM 'with a client that hangs'
fake fault events
# a docker call that hangs: a listing, a look, a removal
for verb in ps inspect rm; do
	fake fault "$verb" hang=term "hook=touch '$T/at-$verb'"
	act kill roboco-agent-a1 2>/dev/null || :
	SANDKEEPER_OWNER_GRACE=0 watch_start
	wait_for test -e "$T/at-$verb"
	ends TERM "while $verb hangs"
	fake fault "$verb"
	check "W4: while $verb hangs: nothing is half done" has_entry a1
done
# while the daemon is waited for
echo 1 >"$FAKE_DOCKER_DIR/down"
watch_start
check 'W3: a daemon that is down: it waits' \
    wait_for told 'STATUS=waiting for the daemon'
check 'W5: and is ready all the same' told READY=1
ends TERM 'while the daemon is down'
rm "$FAKE_DOCKER_DIR/down"
# a writer that never stops
cat >"$T/endless" <<-END
	#!/bin/sh
	[ "\$1" != events ] || exec yes '{"Type":"network"}'
	exec '$FAKE_DOCKER' "\$@"
END
chmod 755 "$T/endless"
SANDKEEPER_DOCKER=$T/endless watch_start
wait_for told READY=1
ends TERM 'with a client that prints without end'

# --- SIGUSR1

world 1
owned a1
watch_up
entry a1 "hold=$(($(now) + 3600))" pg
rm "$T/state/agents/a1"
agent gone --state exited --finished "$OLD"
sandbox gone pg
entry gone pg
kill -USR1 "$watch_pid"
check 'issue 6: SIGUSR1 sweeps now' wait_for gone "$(box gone)"
settled
calls_are 'ps ps inspect rm' 'issue 6: once'
# while the daemon is down
echo 1 >"$FAKE_DOCKER_DIR/down"
wait_for says 'the daemon is lost'
sleep 3
rm "$FAKE_DOCKER_DIR/down"
fake reset-calls
kill -USR1 "$watch_pid"
check 'W3: SIGUSR1 ends the wait for the daemon' wait_for -t 1 counts ps 1
watch_down

# --- SIGHUP

world
unset SANDKEEPER_OWNER_GRACE SANDKEEPER_ENABLED SANDKEEPER_INTERVAL \
    SANDKEEPER_LOG_DIR SANDKEEPER_DOCKER
conf()
{
	{
		printf 'enabled = true\ninterval = "1h"\n'
		printf 'docker = "%s"\nlog-dir = "%s"\n' "$FAKE_DOCKER" "$T/log"
		printf '%s\n' "$@"
	} >"$T/conf"
	chmod 600 "$T/conf"
}

# reloads DESC: SIGHUP, until READY is told again
reloads()
{
	: >"$T/told"
	fake reset-calls
	kill -HUP "$watch_pid"
	check "$1" wait_for told READY=1
}

owned a1 a2 a3 a4 a5
conf 'owner-grace = "1h"'
watch_up -c "$T/conf"
usec=$(awk '{ printf "%.0f", $1 * 1000000 }' /proc/uptime)
reloads 'W4: SIGHUP: the settings are read anew'
is "$(sed -n -e 's/[0-9]\{4,\}$/N/' -e '/^RE/p' "$T/told" |
    tr '\n' ' ')" 'RELOADING=1 MONOTONIC_USEC=N READY=1 ' \
    'W5: RELOADING and READY are told, in this order'
told_usec=$(sed -n 's/.*MONOTONIC_USEC=//p' "$T/told")
check 'W5: with the monotonic time' test "$told_usec" -ge \
    $((usec - 20000)) -a "$told_usec" -le $((usec + 30000000))
check 'W4: it says so' says 'the settings were read anew'
check 'W4: and sweeps' wait_for counts ps 2
settled
# which of two that are started together comes first is the system's choice
is "$(calls | sed 's/ .*//' | LC_ALL=C sort | tr '\n' ' ')" 'events ps ps ' \
    'W4: the events are listened to anew, beside it'

act kill roboco-agent-a1
settled
conf 'owner-grace = "0s"'
reloads 'W4: SIGHUP with another owner-grace'
check 'W4: it counts for who has died before' wait_for gone "$(box a1)"
act kill roboco-agent-a2
check 'W4: and for who dies then' wait_for gone "$(box a2)"

conf 'owner-grace = "soon"'
reloads 'W4: SIGHUP with a mistake in the settings'
check 'W4: it says where the mistake is' \
    says 'the settings are as they were: .*conf:5: .*owner-grace'
act kill roboco-agent-a3
check 'W4: the old settings stay' wait_for gone "$(box a3)"
conf 'docker = "/nowhere/docker"'
sed -i 3d "$T/conf"
reloads 'W4: SIGHUP with a client that is not there'
check 'W4: it says so' says 'as they were: cannot run ./nowhere/docker'
conf 'engine "postgres" { port = "many" }'
reloads 'W4: SIGHUP with a mistake in an engine'
is "$(grep -c 'as they were' "$T/watch.err")" 3 'W4: it says so'

mkdir "$T/log2"
cat >"$T/client" <<-END
	#!/bin/sh
	echo "\$1" >>'$T/client.calls'
	exec '$FAKE_DOCKER' "\$@"
END
chmod 755 "$T/client"
conf 'owner-grace = "0s"'
sed -i -e "s,^docker = .*,docker = \"$T/client\"," \
    -e "s,^log-dir = .*,log-dir = \"$T/log2\"," "$T/conf"
reloads 'W4: SIGHUP with another docker and log-dir'
wait_for counts ps 2
settled
act kill roboco-agent-a4
check 'W4: SIGHUP: and it goes on' wait_for gone "$(box a4)"
is "$(sort -u "$T/client.calls" | tr '\n' ' ')" 'events inspect ps rm ' \
    'W4: with the other client, for the events, too'
check 'W4: and the history in the other folder' \
    grep -q '"a4"' "$T/log2/history.jsonl"

# the daemon is down
echo 1 >"$FAKE_DOCKER_DIR/down"
wait_for says 'the daemon is lost'
reloads 'W4: SIGHUP while the daemon is down'
rm "$FAKE_DOCKER_DIR/down"
check 'W4: it is not the end' lives "$watch_pid"
check 'W3: and it comes back' wait_for -t 20 says 'the daemon answers again'

sed -i s/true/false/ "$T/conf"
kill -HUP "$watch_pid"
watch_wait
is "$rc" 0 'F2: SIGHUP after which sandboxes are switched off ends it, with 0'
like "$err" 'switched off: nothing to watch' 'F2: it says so'
check 'F2: what is there stays' has_container "$(box a5)"

# --- the service manager

SANDKEEPER_ENABLED=true
SANDKEEPER_DOCKER=$FAKE_DOCKER
SANDKEEPER_LOG_DIR=$T/log
export SANDKEEPER_ENABLED SANDKEEPER_DOCKER SANDKEEPER_LOG_DIR
world 1
owned a1 a2
fake fault ps.1 hook="while [ ! -e '$T/go' ]; do sleep 0.02; done"
watch_start
wait_for counts ps 1
check_not 'W5: it is not ready' told READY=1
touch "$T/go"
check 'W5: before its first sweep is done' wait_for told READY=1
check 'W5: how many are kept is its status' \
    told 'STATUS=2 sandbox containers kept'
act kill roboco-agent-a1
check 'W5: as it changes' wait_for told 'STATUS=1 sandbox containers kept'
watch_down
is "$(sort "$T/told" | uniq -c | sort -n | awk '{ print $1, $2 }' |
    grep -v STATUS | tr '\n' ' ')" '1 READY=1 1 STOPPING=1 ' \
    'W5: READY and STOPPING once; no watchdog that was not asked for'

# the watchdog: told twice within its time, whatever docker does
pings()
{
	[ "$(grep -cx WATCHDOG=1 "$T/told")" -ge "$1" ]
}
WATCHDOG_USEC=400000
export WATCHDOG_USEC
watch_up
: >"$T/told"
check 'W5: the watchdog is told while nothing happens' wait_for -t 3 pings 4
fake fault ps hang=1
kill -USR1 "$watch_pid"
wait_for counts ps 1
: >"$T/told"
check 'W5: and while docker hangs' wait_for -t 3 pings 4
fake fault ps
echo 1 >"$FAKE_DOCKER_DIR/down"
pkill_ps=$(children "$watch_pid")
for child in $pkill_ps; do
	kill -KILL "$child" 2>/dev/null || :
done
wait_for says 'the daemon is lost'
: >"$T/told"
check 'W5: and while the daemon is waited for' wait_for -t 4 pings 5
rm "$FAKE_DOCKER_DIR/down"
watch_down
WATCHDOG_PID=1
export WATCHDOG_PID
: >"$T/told"
watch_up
settled
is "$(grep -c WATCHDOG "$T/told")" 0 \
    "W5: another process's watchdog is not ours"
watch_down
unset WATCHDOG_PID WATCHDOG_USEC

# a socket that nobody reads, or that is not there
NOTIFY_SOCKET=$T/nobody
export NOTIFY_SOCKET
watch_start
wait_for counts ps 1
watch_down
is "$rc" 0 'W5: a service manager that does not listen is no failure'

done_testing
