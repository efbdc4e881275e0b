#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Nothing is left behind for good, not even the temporary file of a writer that
# was killed between two system calls.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"

scene
cd "$T/state/agents"
touch -d '2 hours ago' .be-dev-1.tmp.0123abcd .a.tmp.0123abcd.corrupt.x \
    .be-dev-1.tmp.short .be-dev-1.tmp.not-hexx
touch .be-dev-1.tmp.89abcdef
before=$(ls -A)
sk sweep --dry-run
is "$(ls -A)" "$before" 'section 4: a dry run removes no file'
exec 8>"$T/state/locks/be-dev-1"
flock 8
mv .be-dev-1.tmp.0123abcd .other.tmp.0123abcd
before=$(ls -A)
sk sweep
is "$rc" 0 'sweep: exit code'
check_not 'section 4: a sweep removes an old temporary file' \
    test -e .other.tmp.0123abcd
check 'section 4: one of a writer at work stays' test -e .be-dev-1.tmp.89abcdef
is "$(ls -A)" "$(echo "$before" | grep -v '0123abcd$')" \
    'section 4: nothing else goes'
exec 8>&-
sk sweep
check_not 'section 4: it goes when its writer has died' \
    test -e .be-dev-1.tmp.89abcdef

scene
cd "$T/state/agents"
entry b pg "handed=$(now)"
touch -d '2 hours ago' .a.release .b.release
touch .c.release
sk sweep
is "$(ls -A)" '' \
    'section 4: a release mark goes with its entry, or when that has gone'

done_testing
