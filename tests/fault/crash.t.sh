#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Crashes: each command is killed before every system call that changes
# something, after every child that it has started, and half way through every
# write; and it is asked to end at each docker call.  Afterwards entries are old
# or new, no lock is held, a sweep finds what is left and leaves the living
# alone, and the next ensure works.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/fault/commands.sh
. "$TESTS_LIB/../fault/commands.sh"

fault_setup
budget 13 1 1
each crash 'section 4, E7, S4' first cold full hit respawned extend replace \
    marked release stop remove sweep strict run renew hold
budget 31 2 1
each signal 'E7, case 19' cold full undo paused extend replace marked \
    release stop remove sweep strict list why run
done_testing
