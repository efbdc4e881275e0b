#!/bin/sh
# SPDX-License-Identifier: ISC
#
# The matrix: each docker call of each command goes wrong in each way that real
# clients and daemons were seen to go wrong in, and in some that they were not.
# One oracle judges every cell: no container is removed that the rules do not
# name, no entry is lost whose containers may still be there, nothing is left
# that two later sweeps do not find; exit code, message, secrets, litter, time.
#
# FAULT_ONLY='release | rm | empty' KEEP=1 runs one cell and keeps its world.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/fault/commands.sh
. "$TESTS_LIB/../fault/commands.sh"

fault_setup
budget 61 8 1
# shellcheck disable=SC2086 # words
each matrix 'T1, T5, E7, S2, S3, K2, K4' $fault_commands
done_testing
