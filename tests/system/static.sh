# shellcheck shell=sh
# SPDX-License-Identifier: ISC
#
# For the tests of the system tier, after source.sh: programs that need no
# library where they run.  They are built below the build folder, and stay.
#
#   static_build NAME [ARG...]   configures, with ARGs, and builds; the program
#                                is in $program

static_build()
{
	static_dir=${build:?}/static-$1
	shift
	mkdir -p "$static_dir"
	(
		flock 9
		cd "$static_dir"
		[ -f Makefile ] || "$TOP_SRCDIR/configure" -q --enable-static \
		    --enable-werror "$@"
		make -s sandkeeper
	) 9>"$static_dir/lock" >"$T/static.log" 2>&1 ||
	    { note "$(tail -n 20 "$T/static.log")"; return 1; }
	# shellcheck disable=SC2034 # it is for the tests
	program=$static_dir/sandkeeper
}
