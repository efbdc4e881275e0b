#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Full and broken disks: each call that writes to the state or to the log fails
# with ENOSPC, EIO, EROFS and EACCES, once or from then on; and once for real,
# on a small file system that fills up at each page in turn.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/fault/commands.sh
. "$TESTS_LIB/../fault/commands.sh"

fault_setup
budget 41 5 1
each disk 'exit codes 73 and 74, section 4' first cold full respawned extend \
    replace marked release remove sweep strict run renew hold

# --- for real: in a mount namespace of its own

# Root needs no other user namespace; others need to be allowed one.
if [ "$(id -u)" = 0 ]; then
	apart='unshare -m'
else
	apart='unshare -r -m'
fi
small=$TESTS_LIB/../fault/small-disk
# shellcheck disable=SC2086 # words
if ! $apart true 2>/dev/null; then
	note 'no mount namespace of its own can be had: as root it can'
	ok 1 'a small file system can be mounted'
	done_testing
fi
for name in cold extend release hold; do
	template "$name"
	# shellcheck disable=SC2086 # words
	run $apart sh "$small" "$template" "$fault_home/small"
	[ "$rc" = 0 ] || note "$out"
	sums=$(printf '%s\n' "$out" | tail -n 1)
	count "${sums%% *}" 'full disks'
	sums_head=${sums% violations}
	count "${sums_head##* }" violations
	is "$rc" 0 "section 4, exit code 74: $name on a full disk: \
$sums"
done
done_testing
