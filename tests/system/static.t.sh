#!/bin/sh
# SPDX-License-Identifier: ISC
#
# --enable-static: the program needs no library where it runs, on this machine's
# processor and, built by Debian's cross compiler and run by qemu, on arm64; it
# does there what the tests of the cli tier say.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/system/source.sh
. "$TESTS_LIB/../system/source.sh"
# shellcheck source=tests/system/static.sh
. "$TESTS_LIB/../system/static.sh"

plain=$SANDKEEPER

# A program that is linked with a library names the loader, and the library.
# shellcheck disable=SC2317 # check calls it
needs_nothing()
{
	readelf -lW "$program" >"$T/segments"
	readelf -dW "$program" >"$T/dynamic"
	! grep -Eq 'INTERP|program interpreter' "$T/segments" &&
	    ! grep -q NEEDED "$T/dynamic"
}

# cli_tests NAME TEST...: the tests of the cli tier with $SANDKEEPER
cli_tests()
{
	static_name=$1
	shift
	for test do
		RUN_TIMEOUT=300 run sh "$TESTS_LIB/../cli/$test.t.sh"
		is "$rc $(grep -c '^not ok' "$out_file")" '0 0' \
		    "$static_name: tests/cli/$test.t.sh"
		note "$(grep '^not ok' "$out_file" || :)"
		like "$(tail -n 1 "$out_file")" '^1\.\.[1-9][0-9]' \
		    "$static_name: $test: it was run"
	done
}

fixture
program=$plain
check_not 'the plain program needs libraries' needs_nothing

# --- this machine's

check 'static: it builds' static_build native
check 'static: it needs no library' needs_nothing
like "$(ldd "$program" 2>&1)" 'statically linked|not a dynamic executable' \
    'static: ldd says the same'
is "$("$program" --version)" "$("$plain" --version)" 'static: its version'
SANDKEEPER=$program
export SANDKEEPER
cli_tests static ensure sweep

# --- arm64

mkdir -p "$build/static-arm64"
variables=$(flock "$build/static-arm64" \
    "$TOP_SRCDIR/scripts/cross-libraries" arm64 "$build/static-arm64/libraries")
# shellcheck disable=SC2086 # one word for each variable
check 'arm64: it builds' static_build arm64 --host=aarch64-linux-gnu $variables
check 'arm64: it needs no library' needs_nothing
like "$(readelf -hW "$program")" 'Machine: *AArch64' 'arm64: for that processor'

# The kernel may know, or not know, how to run it.
cat >"$T/arm64" <<-END
	#!/bin/sh
	exec qemu-aarch64-static '$program' "\$@"
END
chmod 755 "$T/arm64"
SANDKEEPER=$T/arm64
is "$("$SANDKEEPER" --version)" "$("$plain" --version)" 'arm64: its version'
cli_tests arm64 ensure sweep env

# What one processor wrote the other one reads: there is one format.
fake container roboco-agent-a1 --state running
sk ensure a1 --services postgres,redis
is "$rc" 0 'arm64: ensure'
sk env a1 --json
cp "$out_file" "$T/env"
sk list --json
cp "$out_file" "$T/list"
SANDKEEPER=$plain
sk env a1 --json
check 'the plain program reads its entry' cmp "$out_file" "$T/env"
sk list --json
is "$(jq -S 'del(.. | .age?)' "$out_file")" \
    "$(jq -S 'del(.. | .age?)' "$T/list")" 'and lists the same'
sk release a1
is "$rc" 0 'and releases it'
check_not 'the entry is gone' has_entry a1
done_testing
