#!/bin/sh
# SPDX-License-Identifier: ISC
#
# The engine rabbitmq with the server that Debian packages, unpacked into an
# image: who has the variables can log in at once, who has not cannot, and no
# password is an argument of a process.  The other engines whose servers are
# packaged are in tests/daemon/engines.t.sh.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/lib/daemon.sh
. "$TESTS_LIB/daemon.sh"

image=rabbitmq:4-alpine

# The server and all that it depends on, as if nothing were installed.
# shellcheck disable=SC2317 # unpack calls it
packages()
{
	apt-get install -s -o Debug::NoLocking=1 \
	    -o Dir::State::status=/dev/null --no-install-recommends \
	    rabbitmq-server busybox-static 2>/dev/null |
	    sed -n 's/^Inst \([^ ]*\) (\([^ ]*\) .*/\1=\2/p' |
	    grep -E '^(erlang-|rabbitmq-server=|busybox-static=|lib|zlib1g=)'
}

# shellcheck disable=SC2317 # make_image calls it
unpack()
{
	root=$T/root
	mkdir -p "$T/debs" "$root/usr/bin" "$root/usr/sbin" "$root/usr/lib" \
	    "$root/usr/lib64"
	for link in bin sbin lib lib64; do
		ln -s "usr/$link" "$root/$link"
	done
	packages >"$T/packages"
	# shellcheck disable=SC2046 # one word for each package
	(cd "$T/debs" && apt-get download -qq -o APT::Sandbox::User=root \
	    $(cat "$T/packages")) >&2
	for deb in "$T"/debs/*.deb; do
		dpkg-deb --fsys-tarfile "$deb" |
		    tar -x --keep-directory-symlink --no-same-owner -C "$root" \
			--exclude './usr/share/*'
	done
	"$root/bin/busybox" --list | while read -r applet; do
		[ -e "$root/usr/bin/$applet" ] ||
		    ln -s busybox "$root/usr/bin/$applet"
	done
}

# With the settings of the publisher's image that matter here.
# shellcheck disable=SC2317 # check calls it
make_image()
{
	unpack || return
	mkdir -p "$root/etc" "$root/var/log/rabbitmq" "$root/var/lib/rabbitmq" \
	    "$root/tmp"
	chmod 1777 "$root/tmp"
	echo 'root:x:0:0:root:/root:/bin/sh' >"$root/etc/passwd"
	echo 'hosts: files dns' >"$root/etc/nsswitch.conf"
	# They find the rest by their own place, so links to them do not do.
	for name in rabbitmq-server rabbitmqctl; do
		rm -f "$root/usr/sbin/$name"
		printf '#!/bin/sh\nexec /usr/lib/rabbitmq/lib/*/sbin/%s "$@"\n' \
		    "$name" >"$root/usr/bin/$name"
		chmod 755 "$root/usr/bin/$name"
	done
	tar -C "$root" -c . | dk import \
	    -c "LABEL sandkeeper-test=$T" \
	    -c 'ENV PATH=/usr/sbin:/usr/bin LANG=C.UTF-8' \
	    -c 'ENV HOME=/var/lib/rabbitmq' -c 'EXPOSE 5672' \
	    -c 'VOLUME /var/lib/rabbitmq' -c 'CMD ["rabbitmq-server"]' \
	    - "$image" >/dev/null
}

# amqp PASSWORD: the server's method after a login from the agent's container;
# 000a001e is Connection.Tune, which only a right one gets.
amqp()
{
	# shellcheck disable=SC2016 # for the container
	dk exec roboco-agent-q1 sh -c '
		byte() { printf "%b" "\0$(printf "%o" "$1")"; }
		login=$((9 + ${#1}))
		{
			printf "AMQP\000\000\011\001\001\000\000\000\000\000"
			byte $((login + 24))
			printf "\000\012\000\013\000\000\000\000\005PLAIN"
			printf "\000\000\000"
			byte $login
			printf "\000sandbox\000%s\005en_US\316" "$1"
		} | timeout 5 nc "$2" 5672 | od -A n -t x1 | tr -d " \n"' \
	    sh "$1" "$(sandbox_of rmq q1)"
}

daemon_world
check 'an image of what Debian packages' make_image
volumes_before=$(volumes)
make_network "net-$$"
agent q1 --network "net-$$"
sk --json ensure q1 --services rabbitmq
is "$rc" 0 'E6: rabbitmq is handed over'
password=$(jq -r .rabbitmq.password "$out_file")
like "$password" '^[0-9a-f]{32}$' 'E8: 32 hex digits'
like "$(amqp "$password")" 000a001e 'E6: at once: the login works'
unlike "$(amqp "$(echo "$password" | tr 0-9a-f a-f0-9)")" 000a001e \
    'a wrong password'
like "$(dk exec "$(sandbox_of rmq q1)" rabbitmqctl -q list_vhosts)" \
    '^sandbox$' 'its virtual host'
processes=$(dk top "$(sandbox_of rmq q1)" -eo pid,args)
like "$processes" 'beam' 'its processes'
unlike "$processes" "$password" 'E8: in no argument of a process'
unlike "$(cat "$T/argv")" "$password" 'E8: in no argument of docker'
sk connect q1 rabbitmq -- -q list_users
like "$rc $out" '^0 ' 'connect: its own client'
like "$out" '^sandbox' 'connect: its user'
sk release q1
is "$rc $(state_of "$(sandbox_of rmq q1)")" '0 gone' 'T2: release'
dk rm -f -v roboco-agent-q1 >/dev/null
is "$(volumes)" "$volumes_before" 'case 15: no volume is left'
done_testing
