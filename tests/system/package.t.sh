#!/bin/sh
# SPDX-License-Identifier: ISC
#
# The Debian package on a clean machine: built, installed, one edit of the
# settings, a sandbox, its agent's death, and the next run of the janitor as the
# timer and as cron start it; then upgraded, removed and purged, with a look at
# every file before and after.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/system/source.sh
. "$TESTS_LIB/../system/source.sh"

RUN_TIMEOUT=400
D=${SANDKEEPER_TEST_DOCKER:-docker}
agent=roboco-agent-five
box=roboco-sandbox-redis-five

daemon=${DOCKER_HOST:?is to be a daemon for this test alone}
fixture
DOCKER_HOST=$daemon
export DOCKER_HOST
machine=$T/machine
version=$("$SANDKEEPER" --version | sed -n '1s/.* //p')

# Whatever happens, and before tap.sh removes the folder.
# shellcheck disable=SC2317 # the trap's
leave()
{
	leave_status=$?
	set +e
	"$D" ps -aq --filter "label=roboco.sandbox" --filter "name=^/$box\$" |
	    xargs -r "$D" rm -f -v >/dev/null 2>&1
	"$D" rm -f "$agent" >/dev/null 2>&1
	for leave_mount in run/docker.sock usr/bin/docker dev proc; do
		umount "$machine/$leave_mount" 2>/dev/null
	done
	(exit "$leave_status")
	tap_leave
}
trap leave EXIT

# inside COMMAND...: on the clean machine, as root who has just logged in
# shellcheck disable=SC2317 # run calls it
inside()
{
	env -i HOME=/root LOGNAME=root USER=root LC_ALL=C.UTF-8 \
	    DEBIAN_FRONTEND=noninteractive \
	    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
	    chroot "$machine" "$@"
}

# Every file but what dpkg, apt and the linker keep for themselves.
listing()
{
	(cd "$machine" && find . -xdev \( -path ./proc -o -path ./dev -o \
	    -path ./var/lib/dpkg -o -path ./var/lib/apt -o \
	    -path ./var/cache -o -path ./var/log -a ! -path '*sandkeeper*' -o \
	    -path ./tmp \) -prune -o -path ./etc/ld.so.cache -o -print) |
	    LC_ALL=C sort
}

# --- build

is "$(sed -n '1s/.*(\(.*\)).*/\1/p' "$TOP_SRCDIR/debian/changelog")" \
    "$version" 'the version is ours'
source_copy "$T/build/sandkeeper"
# scripts/check runs the unit tests, the package's own build would too
run env -C "$T/build/sandkeeper" DEB_BUILD_OPTIONS='nocheck parallel=2' \
    dpkg-buildpackage -us -uc -b
is "$rc" 0 'dpkg-buildpackage'
run lintian --fail-on error,warning --allow-root "$T"/build/*.changes
is "$rc $out" '0 ' 'lintian has nothing to say'
deb=$(echo "$T"/build/sandkeeper_*.deb)
dpkg-deb -e "$deb" "$T/control"
check 'an upgrade starts a watch again that runs' \
    grep -q "try-restart 'sandkeeper-watch.service'" "$T/control/postinst"
check_not 'and does not stop it before' \
    grep -qs 'stop .*sandkeeper-watch' "$T/control/preinst"
check 'removal stops it' \
    grep -q 'stop sandkeeper-watch.service' "$T/control/prerm"

# --- a clean machine

run debootstrap --variant=minbase bookworm "$machine"
is "$rc" 0 'debootstrap'
mount -t proc proc "$machine/proc"
mount --bind /dev "$machine/dev"
printf '#!/bin/sh\nexit 101\n' >"$machine/usr/sbin/policy-rc.d"
chmod 755 "$machine/usr/sbin/policy-rc.d"
: >"$machine/usr/bin/docker"
: >"$machine/run/docker.sock"
mount --bind "$(command -v "$D")" "$machine/usr/bin/docker"
mount --bind "${DOCKER_HOST#unix://}" "$machine/run/docker.sock"
cp "$deb" "$machine/tmp/"
# what it depends on is there before, so that the lists tell of it alone
depends=$(dpkg-deb -f "$deb" Depends | sed 's/([^)]*)//g; s/,/ /g; s/|[^ ]*//g')
# shellcheck disable=SC2086 # words
run inside apt-get -q install -y --no-install-recommends init-system-helpers \
    $depends
is "$rc" 0 'its dependencies'
listing >"$T/before"

# --- installed, and trusted

run inside apt-get -q install -y --no-install-recommends \
    "/tmp/${deb##*/}"
is "$rc" 0 'apt installs it'
listing >"$T/installed"
is "$(LC_ALL=C comm -23 "$T/before" "$T/installed")" '' \
    'and takes nothing away'
dpkg-deb --fsys-tarfile "$deb" | tar -tf - | sed 's,/$,,' |
    sed 's,^\./lib/,./usr/lib/,' >"$T/packed"
LC_ALL=C comm -13 "$T/before" "$T/installed" |
    grep -vxFf "$T/packed" >"$T/made" || :
is "$(grep -v -e /etc/systemd/ -e /var/lib/systemd/ "$T/made")" '' \
    'its files are all that comes'
wants=$machine/etc/systemd/system
check 'the timer is on' \
    test -L "$wants/timers.target.wants/sandkeeper-sweep.timer"
check_not 'watch is for who asks' \
    test -L "$wants/multi-user.target.wants/sandkeeper-watch.service"

run inside sandkeeper -v sweep
is "$rc" 0 'before any edit nothing happens'
sed -i 's/^#enabled = .*/enabled = "true"/; s/^#grace = .*/grace = "0s"/
    s/^#owner-grace = .*/owner-grace = "0s"/' \
    "$machine/etc/sandkeeper/sandkeeper.conf"
run inside docker sandkeeper --version
is "$rc $out" "0 sandkeeper $version" 'docker finds its plugin'

# alive: an agent with a sandbox
alive()
{
	"$D" run -d --name "$agent" agent:test sleep 86400 >/dev/null
	run inside sandkeeper ensure five --services redis
	is "$rc" 0 "$1: ensure"
	is "$("$D" inspect -f '{{.State.Running}}' "$box")" true \
	    "$1: the sandbox runs"
}

# died JANITOR...: the agent dies, and the janitor runs
died()
{
	case_name=$1
	shift
	run inside "$@"
	is "$rc" 0 "$case_name: a run while it lives"
	is "$("$D" inspect -f '{{.State.Running}}' "$box")" true \
	    "$case_name: S4: the living stay"
	"$D" rm -f "$agent" >/dev/null
	run inside "$@"
	is "$rc" 0 "$case_name: the next run"
	check_not "$case_name: it has cleaned up" "$D" inspect "$box"
	is "$(find "$machine/var/lib/sandkeeper/agents" -type f)" '' \
	    "$case_name: no entry is left"
}

unit_command=$(sed -n 's/^ExecStart=//p' \
    "$machine/usr/lib/systemd/system/sandkeeper-sweep.service")
is "$(sed -n 's/^Unit=//p; s/^OnUnitActiveSec=//p' \
    "$machine/usr/lib/systemd/system/sandkeeper-sweep.timer")" 5min \
    'the timer starts the service of its name, every five minutes'
alive timer
# shellcheck disable=SC2086 # as systemd splits it
died timer $unit_command

cron_command=$(sed -n 's/^\*.*  root  //p' "$machine/etc/cron.d/sandkeeper")
alive cron
died cron env -i HOME=/root LOGNAME=root SHELL=/bin/sh PATH=/usr/bin:/bin \
    /bin/sh -c "$cron_command"

# --- upgraded

alive upgrade
entry=$machine/var/lib/sandkeeper/agents/five
cp "$entry" "$T/entry"
dpkg-deb -R "$deb" "$T/next"
sed -i "s/^Version: .*/Version: $version+next/" "$T/next/DEBIAN/control"
dpkg-deb -b "$T/next" "$machine/tmp/next.deb" >/dev/null
listing >"$T/used"
run inside apt-get -q install -y /tmp/next.deb
is "$rc" 0 'upgrade'
listing >"$T/upgraded"
check 'upgrade: the same files' diff -u "$T/used" "$T/upgraded"
check 'upgrade: the entry is as it was' cmp "$entry" "$T/entry"
check 'upgrade: the settings are as they were' \
    grep -q '^enabled = "true"' "$machine/etc/sandkeeper/sandkeeper.conf"
run inside sandkeeper list --quiet
is "$rc $out" "0 $box" 'upgrade: it goes on'

# --- removed, then purged

run inside apt-get -q remove -y sandkeeper
is "$rc" 0 'remove'
like "$out$err" "^    $box\$" 'remove: names the sandbox that runs'
listing >"$T/removed"
LC_ALL=C comm -13 "$T/before" "$T/removed" |
    grep -v -e /etc/systemd -e /var/lib/systemd >"$T/left"
is "$(grep -v -e ./var/lib/sandkeeper -e ./var/log/sandkeeper "$T/left" |
    tr '\n' ' ')" \
    './etc/cron.d/sandkeeper ./etc/sandkeeper ./etc/sandkeeper/sandkeeper.conf ' \
    'remove: settings stay'
check 'remove: so does the state' cmp "$entry" "$T/entry"
# shellcheck disable=SC2016 # for that shell
run inside sh -c "$cron_command"
is "$rc $out$err" '0 ' 'remove: the crontab that stays is silent'

run inside apt-get -q purge -y sandkeeper
is "$rc" 0 'purge'
like "$out$err" "^    $box\$" 'purge: names it again'
password=$(sed -n 's/^password=//p' "$T/entry")
unlike "$out$err" "$password" 'purge: and tells no secret'
is "$("$D" inspect -f '{{.State.Running}}' "$box")" true \
    'purge: the sandbox still runs'
listing >"$T/purged"
check 'purge: nothing is left' diff -u "$T/before" "$T/purged"
done_testing
