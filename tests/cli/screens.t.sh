#!/bin/sh
# SPDX-License-Identifier: ISC
#
# The screens of README are what the program prints, to the letter; and none of
# them is wider than 80 columns.  scripts/update-screens makes them.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
TOP_SRCDIR=${TOP_SRCDIR:-$(cd "$TESTS_LIB/../.." && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/hostile.sh
. "$TESTS_LIB/../cli/hostile.sh"

# Where the time cannot be told, tests/cli/recipes.t.sh has compared the rest.
fixture
if plain_program; then
	run "$TOP_SRCDIR/scripts/update-screens" --check
	is "$rc$out$err" 0 'README: its screens are what is printed'
	mkdir "$T/tree"
	for name in README engines scripts tests; do
		cp -R "$TOP_SRCDIR/$name" "$T/tree/"
	done
	chmod -R u+w "$T/tree"
	sed -i 's/running  alive/running  well/; s/swept: 2 found/swept: 3 found/' "$T/tree/README"
	run "$T/tree/scripts/update-screens" --check
	is "$rc" 1 'a screen that is not what is printed is seen'
	like "$out" '^-.*well' 'and shown'
	run "$T/tree/scripts/update-screens"
	is "$rc" 0 'and mended'
	check 'as it was' cmp "$T/tree/README" "$TOP_SRCDIR/README"
fi
is "$(awk 'length > 110' "$TOP_SRCDIR/README")" '' 'README: no line is too long'

done_testing
