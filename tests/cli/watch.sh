# shellcheck shell=sh
# SPDX-License-Identifier: ISC
#
# For the tests of watch: one that runs, and what it says.  Sourced after tap.sh
# and scene.sh; a watch that is still there at the end is ended.
#
#   world [GRACE]              a scene with the socket of a service manager and
#                              an owner's grace of so many seconds (1)
#   owned SLUG...              agents that live, each with a recorded sandbox
#   watch_up [ARG...]          starts it, with --json, and waits until it is
#                              ready and hears
#   watch_down [SIGNAL]        ends it (TERM), sets $rc, $out, $err; no child
#                              may be left
#   act VERB ARG...            what somebody does with docker meanwhile
#   ticks                      hundredths of a second that it had a processor
#   told LINE                  did the service manager hear that line?
#   says ERE                   does a line of its stderr match?
#   news EVENT [NAME]          the lines of that event, of that container
#   heard EVENT NAME           is there one?
#   box SLUG                   the name of its PostgreSQL
#   counts VERB N              has docker been asked for that so often?
#   gone NAME                  is that container gone?
#   settled                    waits until it has heard all events until now
#   $watch_pid, $left, $took   see watch_down

# shellcheck disable=SC2034,SC2154,SC2317 # what is set or called is for tests

watch_pid=
notify_pid=

box()
{
	echo "roboco-sandbox-pg-$1"
}

counts()
{
	[ "$(fake count "$1")" -ge "$2" ]
}

watch_leave()
{
	watch_status=$?
	set +e
	[ -z "$watch_pid" ] || kill -KILL "$watch_pid" 2>/dev/null || :
	[ -z "$notify_pid" ] || kill -KILL "$notify_pid" 2>/dev/null || :
	(exit "$watch_status")
	tap_leave
}
trap watch_leave EXIT

world()
{
	scene
	sweeps "${1:-1}"
	SANDKEEPER_INTERVAL=1h
	NOTIFY_SOCKET=$T/notify.socket
	export SANDKEEPER_INTERVAL NOTIFY_SOCKET
	: >"$T/told"
	[ -z "$notify_pid" ] || kill -KILL "$notify_pid" 2>/dev/null || :
	"$FAKE_DOCKER" fake-notify "$NOTIFY_SOCKET" >>"$T/told" &
	notify_pid=$!
	wait_for test -S "$NOTIFY_SOCKET"
}

owned()
{
	for owned_slug; do
		agent "$owned_slug"
		sandbox "$owned_slug" pg
		entry "$owned_slug" pg
	done
}

act()
{
	"$FAKE_DOCKER" fake-do "$@" >/dev/null
}

ticks()
{
	sed 's/.*) //' "/proc/$watch_pid/stat" | awk '{ print $12 + $13 }'
}

told()
{
	grep -qx -e "$1" "$T/told"
}

says()
{
	grep -Eq -e "$1" "$T/watch.err"
}

watch_start()
{
	: >"$T/watch.out"
	: >"$T/watch.err"
	: >"$T/told"
	env --default-signal=INT,QUIT,HUP,USR1 "$SANDKEEPER" watch --json \
	    "$@" </dev/null >"$T/watch.out" 2>"$T/watch.err" &
	watch_pid=$!
}

# An owner that nobody has dies and is back: has all been heard until then?
settled()
{
	settled_n=$((${settled_n:-0} + 1))
	settled_head='{"Type":"container","Action":"%s","Actor":{"ID":"0",'
	settled_head="$settled_head\"Attributes\":{\"name\":\"%s\"%s}}}\n"
	# shellcheck disable=SC2059 # it is a format
	printf "$settled_head" start "box-$settled_n" \
	    ",\"roboco.sandbox\":\"1\",\"sandkeeper.owner\":\"container:probe-$settled_n\"" \
	    die "probe-$settled_n" '' start "probe-$settled_n" '' \
	    >>"$FAKE_DOCKER_DIR/events"
	wait_for -t "${1:-10}" heard owner-back "probe-$settled_n"
}

# The client may still be on its way to the daemon.
hears()
{
	settled 1
}

# shellcheck disable=SC2120 # options are few
watch_up()
{
	watch_start "$@"
	wait_for -t 20 told READY=1
	wait_for -t 20 hears
	fake reset-calls
}

children()
{
	ps -o pid= --ppid "$1" 2>/dev/null | tr -d ' ' | tr '\n' ' '
}

lives()
{
	kill -0 "$1" 2>/dev/null
}

watch_wait()
{
	wait "$watch_pid" && rc=0 || rc=$?
	watch_pid=
	out=$(cat "$T/watch.out")
	err=$(cat "$T/watch.err")
	cp "$T/watch.out" "$out_file"
	cp "$T/watch.err" "$err_file"
}

# shellcheck disable=SC2120 # TERM is the usual
# Sets $took, milliseconds, and $left, the children that are still there.
watch_down()
{
	down_children=$(children "$watch_pid")
	down_from=$(date +%s%N)
	kill "-${1:-TERM}" "$watch_pid"
	watch_wait
	took=$((($(date +%s%N) - down_from) / 1000000))
	left=
	for down_child in $down_children; do
		! lives "$down_child" || left="$left $down_child"
	done
}

# news EVENT [NAME]
news()
{
	jq -c --arg event "$1" --arg name "${2:-}" \
	    'select(.event == $event and
		($name == "" or .container == $name))' "$T/watch.out"
}

heard()
{
	news "$1" "$2" 2>/dev/null | grep -q .
}

gone()
{
	! has_container "$1"
}
