#!/bin/sh
# SPDX-License-Identifier: ISC
#
# The rpm package: the spec is accepted, builds, and holds what make install
# does, with units, settings and the link for docker's client.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/system/source.sh
. "$TESTS_LIB/../system/source.sh"

RUN_TIMEOUT=300
spec=$TOP_SRCDIR/dist/rpm/sandkeeper.spec

beside()
{
	cat <<-'END'
		etc/sandkeeper/sandkeeper.conf
		usr/lib/systemd/system/sandkeeper-sweep.service
		usr/lib/systemd/system/sandkeeper-sweep.timer
		usr/lib/systemd/system/sandkeeper-watch.service
		usr/lib/tmpfiles.d/sandkeeper.conf
		usr/libexec/docker/cli-plugins/docker-sandkeeper
		usr/share/doc/ARCHITECTURE
		usr/share/doc/NEWS
		usr/share/doc/README
		usr/share/doc/SECURITY
		usr/share/licenses/LICENSE
	END
}

fixture
version=$("$SANDKEEPER" --version | sed -n '1s/.* //p')
is "$(sed -n 's/^Version: *//p' "$spec")" "$version" 'the version is ours'
run rpmlint -c "$TOP_SRCDIR/dist/rpm/rpmlint.toml" "$spec"
is "$rc" 0 'rpmlint accepts it'
like "$out" ' 0 errors, 0 warnings' 'without a warning'

source_copy "$T/sandkeeper-$version"
mkdir "$T/rpm" "$T/rpm/SOURCES"
tar -C "$T" -caf "$T/rpm/SOURCES/sandkeeper-$version.tar.xz" \
    "sandkeeper-$version"
# Debian has neither the packages that it needs, nor the macros of systemd.
HOME=$T run rpmbuild -ta --quiet --nodeps --define "_topdir $T/rpm" \
    --define '_unitdir /usr/lib/systemd/system' \
    --define '_tmpfilesdir /usr/lib/tmpfiles.d' \
    --define 'systemd_post() :' --define 'systemd_preun() :' \
    --define 'systemd_postun_with_restart() :' \
    "$T/rpm/SOURCES/sandkeeper-$version.tar.xz"
is "$rc" 0 'rpmbuild -ta builds it'
check 'a source package' test -s "$T/rpm/SRPMS/sandkeeper-$version-1.src.rpm"
set -- "$T"/rpm/RPMS/*/"sandkeeper-$version-1".*.rpm
check 'a package' test -s "$1"

run make -s -C "$build" install DESTDIR="$T/root" prefix=/usr
{ (cd "$T/root" && find . -type f -printf '%P\n'); beside; } |
    LC_ALL=C sort >"$T/want"
# without folders, and what the distribution decides: a compressed manual, a
# version in the name of the folder
HOME=$T rpm -qp --nosignature --qf '[%{FILEMODES:perms} %{FILENAMES}\n]' \
    "$1" 2>/dev/null | sed -n '/^d/d; /\/\.build-id/d
	s,^[^ ]* /,,; s,\.gz$,,; s,/sandkeeper\(-[0-9.]*\)\{0\,1\}/\([A-Z]*\)$,/\2,; p' |
    LC_ALL=C sort >"$T/files"
check 'what make install makes, and these beside it' \
    diff -u "$T/want" "$T/files"
is "$(HOME=$T rpm -qp --nosignature --configfiles "$1" 2>/dev/null)" \
    /etc/sandkeeper/sandkeeper.conf 'the settings are kept by an upgrade'
done_testing
