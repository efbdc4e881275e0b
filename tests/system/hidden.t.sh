#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Owners that are processes, where /proc hides those of other users, and on a
# machine without an id: what cannot be told is unknown, and is kept (rule O2).
# The test runs itself as nobody, in a mount namespace of its own.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
if [ -z "${HIDDEN_PID:-}" ]; then
	work=$(mktemp -d /tmp/sandkeeper-hidden.XXXXXX) || exit 1
	trap 'rm -rf "$work"' EXIT
	chmod 755 "$work"
	cp "$SANDKEEPER" "$work/sandkeeper"
	cp -R "$(dirname "$FAKE_DOCKER")" "$work/fake"
	cp -R "$ENGINES_DIR" "$work/engines"
	cp -R "$TESTS_LIB/.." "$work/tests"
	chmod -R go+rX "$work"
	# shellcheck disable=SC2016 # the inner sh expands
	unshare -m sh -c 'mount -t proc -o hidepid=2 proc /proc &&
	    mount --bind "$2" /etc/machine-id || exit
	    work=$1
	    sleep 600 &
	    hidden=$!
	    start=$(sed "s/.*) //" "/proc/$hidden/stat" | cut -d " " -f 20)
	    env HIDDEN_PID="$hidden" HIDDEN_START="$start" TMPDIR=/tmp \
		SANDKEEPER="$work/sandkeeper" ENGINES_DIR="$work/engines" \
		FAKE_DOCKER="$work/fake/fake-docker" \
		TESTS_LIB="$work/tests/lib" \
		setpriv --reuid 65534 --regid 65534 --clear-groups \
		sh "$work/tests/system/hidden.t.sh"
	    rc=$?
	    kill "$hidden"
	    exit $rc' sh "$work" /dev/null
	exit
fi
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"

box=$BOX-pg-dev-1
boot=$(cat /proc/sys/kernel/random/boot_id)
other_boot=$(echo "$boot" | tr 0-9a-f 1-9a-f0)
space=$(readlink /proc/self/ns/pid | tr -dc 0-9)

# judged OWNER VERDICT DESC
judged()
{
	scene
	sandbox dev-1 pg --label "sandkeeper.owner=$1"
	fake unset $box label.roboco.sandbox.owner
	entry dev-1 "owner=$1" pg
	sk sweep --grace 0 --dry-run --json
	is "$(jq -r '.decisions[0].verdict' "$out_file")" "$2" "$3: $2"
	sk sweep --grace 0
	is "$rc" 0 "$3: sweep"
	if [ "$2" = owner-stopped ]; then
		check_not "$3: it goes" has_container $box
	else
		check "$3: it stays" has_container $box
		check "$3: and its entry" has_entry dev-1
	fi
}

check_not 'the process is hidden from us' test -e "/proc/$HIDDEN_PID"
is "$(wc -c </etc/machine-id)" 0 'the machine has no id'
judged "pid::$boot:$space:$HIDDEN_PID:$HIDDEN_START" owner-unknown \
    'O2: a process that /proc hides'
judged "pid::$boot:$space:99999999:1" owner-stopped \
    'O2: one that is not there'
judged "pid::$boot:$space:$$:1" owner-stopped \
    'O2: another start time'
judged "pid::$other_boot:$space:99999999:1" owner-unknown \
    'O2: another boot, where no machine has an id'
done_testing
