#!/bin/sh
# SPDX-License-Identifier: ISC
#
# What dist/ has for systemd: systemd itself reads it without a complaint, the
# services have few rights, and none that would make the janitor blind.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
TOP_SRCDIR=${TOP_SRCDIR:-$(cd "$TESTS_LIB/../.." && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"

dist=$TOP_SRCDIR/dist
services='sandkeeper-sweep.service sandkeeper-watch.service'

# The units as they are installed, with the program that was built.
units()
{
	fixture
	mkdir "$T/units"
	for unit in "$dist"/*.service "$dist"/*.timer; do
		sed "s,=sandkeeper ,=$SANDKEEPER ," "$unit" \
		    >"$T/units/${unit##*/}"
	done
	cd "$T/units"
}

# The one complaint of a systemd before 253 is meant: it keeps Type=notify.
complaints()
{
	systemd-analyze --man=no verify ./* 2>&1 |
	    grep -v ': Failed to parse service type, ignoring: notify-reload$'
}

# value UNIT KEY: what it says last
value()
{
	sed -n "s/^$2=//p" "$dist/$1" | tail -n 1
}

units
run systemd-analyze --version
is "$rc" 0 'systemd-analyze is there'
is "$(complaints)" '' 'systemd reads the units without a complaint'
echo 'ProtectSystems=strict' >>sandkeeper-sweep.service
like "$(complaints)" ProtectSystems 'systemd: it would have complained'

units
is "$(grep -h '^Type=' sandkeeper-watch.service)" 'Type=notify
Type=notify-reload' 'watch: notify, and notify-reload where systemd knows it'
is "$(value sandkeeper-sweep.service Type)" oneshot 'sweep: ends by itself'

for service in $services; do
	run systemd-analyze security --offline=yes --threshold=40 "$service"
	is "$rc" 0 "$service: exposed by less than 4.0"
	like "$out" 'Overall exposure level .*: [0-3]\.[0-9] ' \
	    "$service: systemd says how much"
done
sed -i '/^Protect\|^Restrict\|^Cap\|^System\|^Private/d' "$service"
run systemd-analyze security --offline=yes --threshold=40 "$service"
isnt "$rc" 0 'exposed: without its limits it would be by more'

# Who does not see a process takes it for dead; and the socket is a file.
for service in $services; do
	is "$(grep -E '^(ProtectProc|ProcSubset|PrivatePIDs|PrivateUsers)=' \
	    "$dist/$service")" '' "O2: $service: sees every process"
	is "$(value "$service" RestrictAddressFamilies)" AF_UNIX \
	    "$service: reaches docker's socket, and nothing else"
	is "$(value "$service" StateDirectory) $(value "$service" \
	    StateDirectoryMode)" 'sandkeeper 0700' "$service: its state"
	is "$(value "$service" LogsDirectory)" sandkeeper "$service: its logs"
	words=$(value "$service" ExecStart)
	run "$SANDKEEPER" help "${words##* }"
	is "$rc" 0 "$service: runs a command that there is"
done

# The limits are the same in both.
limits()
{
	sed -n '/^# So that HOME/,/^$/p; /^CapabilityB/,/^SystemCallE/p' \
	    "$dist/$1"
}
isnt "$(limits sandkeeper-watch.service)" '' 'limits: there are some'
is "$(limits sandkeeper-watch.service)" "$(limits sandkeeper-sweep.service)" \
    'limits: the same for both'

mkdir "$T/root"
run systemd-tmpfiles --create "--root=$T/root" \
    "$dist/tmpfiles.d/sandkeeper.conf"
is "$rc$err" 0 'tmpfiles.d: systemd-tmpfiles makes what it says'
is "$(cd "$T/root" && find . -name sandkeeper -printf '%m %p\n' | sort)" \
    '700 ./var/lib/sandkeeper
750 ./var/log/sandkeeper' 'tmpfiles.d: state and logs, with their modes'

# cron leaves a file out whose name has a dot, and a last line without its end.
is "$(ls "$dist/cron.d")" sandkeeper 'cron.d: a name that cron reads'
is "$(tail -c 1 "$dist/cron.d/sandkeeper" | od -An -c | tr -d ' ')" '\n' \
    'cron.d: the last line has an end'
like "$(cat "$dist/cron.d/sandkeeper")" \
    '^\*/5 \* \* \* \* +root +sandkeeper -q sweep$' 'cron.d: what it runs'

cd /
done_testing
