# shellcheck shell=sh
# SPDX-License-Identifier: ISC
#
# For the tests of the system tier, after tap.sh.
#
#   source_copy DIR      the sources, without what was built and without git
#   build                the build folder that the program is from
#   files_below DIR      what is there, folders too, sorted; links with targets

# shellcheck disable=SC2034 # the tests use it
build=$(dirname "$SANDKEEPER")

source_copy()
{
	mkdir -p "$1"
	(cd "$TOP_SRCDIR" && tar -cf - --exclude=./build --exclude=./.git \
	    --exclude=./autom4te.cache .) | tar -xf - -C "$1"
}

files_below()
{
	(cd "$1" && find . -mindepth 1 \( -type l -printf '%P -> %l\n' \) -o \
	    -mindepth 1 -printf '%P\n') | LC_ALL=C sort
}
