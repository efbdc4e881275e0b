#!/bin/sh
# SPDX-License-Identifier: ISC
#
# make install puts exactly these files below the prefix, and make uninstall
# takes exactly them away.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/system/source.sh
. "$TESTS_LIB/../system/source.sh"

installed()
{
	cat <<-'END'
		bin/sandkeeper
		share/bash-completion/completions/sandkeeper
		share/fish/vendor_completions.d/sandkeeper.fish
		share/man/man5/sandkeeper-engines.5
		share/man/man5/sandkeeper.conf.5
		share/man/man8/sandkeeper.8
		share/sandkeeper/images/postgres/Dockerfile
		share/zsh/site-functions/_sandkeeper
	END
	for engine in clickhouse mariadb memcached minio mongo mysql nats \
	    opensearch postgres rabbitmq redis valkey; do
		echo "share/sandkeeper/engines.d/$engine.conf"
	done
}

fixture
mkdir -p "$T/root/usr/local/bin"
echo other >"$T/root/usr/local/bin/other"
files_below "$T/root" >"$T/before"

run make -s -C "$build" install DESTDIR="$T/root"
is "$rc" 0 'make install'
find "$T/root" -type f -printf '%P\n' | LC_ALL=C sort >"$T/files"
{ installed; echo bin/other; } | sed 's,^,usr/local/,' | LC_ALL=C sort \
    >"$T/want"
check 'exactly these files' diff -u "$T/want" "$T/files"
is "$(stat -c %a "$T/root/usr/local/bin/sandkeeper")" 755 'the program: mode'
is "$(find "$T/root" -type f ! -name sandkeeper ! -name other -perm /133)" '' \
    'nothing else can be run, or be changed by others'
run "$T/root/usr/local/bin/sandkeeper" --version
is "$rc $out" "0 $("$SANDKEEPER" --version)" 'it runs from there'

run make -s -C "$build" uninstall DESTDIR="$T/root"
is "$rc" 0 'make uninstall'
is "$(find "$T/root" -type f -printf '%P\n')" usr/local/bin/other \
    'nothing of it is left'

run make -s -C "$build" install DESTDIR="$T/two" prefix=/opt/x \
    sysconfdir=/opt/etc
is "$rc $(find "$T/two" -type f ! -path '*/opt/x/*')" '0 ' \
    'nothing outside the prefix'
done_testing
