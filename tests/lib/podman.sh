# shellcheck shell=sh
# SPDX-License-Identifier: ISC
#
# For tests with podman in place of docker: a podman of the test's own, as root
# or as an ordinary user, that nobody else sees.
#
# The test starts itself again in namespaces of its own, for mounts, network
# and processes, with storage and settings of its own: so nothing outside the
# folder $place is touched, and all that runs ends with the test, by SIGKILL if
# it must.  The ordinary user is in a copy of /etc/passwd, /etc/subuid and
# /etc/subgid, which only the test's namespace has.
#
#   podman_enter MODE "$0"     MODE is rootful or rootless.  Returns in the
#                              namespaces, as that user, in $place, with
#                              podman's environment and the images loaded; the
#                              lib, the tests of the tier daemon, the engines
#                              and the program are copies that the user reads
#   podman_scene FOLDER/NAME   plays tests/FOLDER/NAME.t.sh with podman; its
#                              results become ours
#   podman_done                the plan
#
# Needs root, podman, runc, conmon, netavark, slirp4netns, newuidmap (uidmap),
# iptables and ip.

podman_user=skpodman
podman_id=52000
# Longer than all scenes take; then everything is killed.
podman_seconds=${PODMAN_SECONDS:-1500}

podman_die()
{
	printf '1..1\nnot ok 1 - %s\n' "$*"
	exit 1
}

# --- outside

podman_cgroups()
{
	find /sys/fs/cgroup -maxdepth 3 -type d -path '*libpod*' 2>/dev/null |
	    LC_ALL=C sort
}

# What was not there before, without its processes; they are dead.
podman_leave()
{
	podman_status=$?
	trap '' HUP INT TERM
	podman_cgroups >"$place/cgroups.after"
	# An ordinary user makes none; these are of another test, beside us.
	[ "$podman_mode" = rootful ] || : >"$place/cgroups.after"
	LC_ALL=C comm -13 "$place/cgroups" "$place/cgroups.after" | sort -r |
	while read -r podman_dir; do
		find "$podman_dir" -depth -type d -exec rmdir {} + \
		    2>/dev/null || :
	done
	[ "${KEEP:-}" = 1 ] || rm -rf "$place"
	exit "$podman_status"
}

podman_copies()
{
	mkdir "$place/tests"
	cp -R "$TESTS_LIB" "$place/tests/lib"
	cp -R "$TESTS_LIB/../daemon" "$TESTS_LIB/../podman" "$place/tests"
	cp -R "${ENGINES_DIR:?}" "$place/engines"
	cp "${SANDKEEPER:?}" "$place/sandkeeper"
	cp "${FAKE_DOCKER:?}" "$place/fake-docker"
	chmod -R a+rX "$place"
}

# podman_images DIR: the archive of the images, linked into $place
podman_images()
{
	DOCKER_HOST='' SANDKEEPER_TEST_DOCKER=true \
	    "$TESTS_LIB/../../scripts/test-images" "$1" >&2 ||
	    podman_die 'the images cannot be made'
	set -- "$1"/images-*.tar
	ln "$1" "$place/images.tar" 2>/dev/null || cp "$1" "$place/images.tar"
}

podman_outside()
{
	for podman_need in podman runc slirp4netns newuidmap iptables ip; do
		command -v "$podman_need" >/dev/null ||
		    podman_die "needs $podman_need; scripts/bootstrap installs it"
	done
	[ "$(id -u)" = 0 ] || podman_die 'needs root'
	podman_mode=$1
	place=$(mktemp -d /tmp/sk-podman.XXXXXX)
	chmod 755 "$place"
	podman_cgroups >"$place/cgroups"
	trap podman_leave EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
	podman_copies
	podman_images "${SANDKEEPER_TEST_IMAGES:-${XDG_CACHE_HOME:-$HOME/.cache}/sandkeeper-test-images}"
	PODMAN_PLACE=$place
	export PODMAN_PLACE
	timeout --foreground -k 5 "$podman_seconds" \
	    unshare --mount --net --pid --ipc --fork --kill-child=KILL \
	    --mount-proc sh "$place/tests/podman/${2##*/}"
	exit
}

# --- inside, still root

# Where nobody has mounted them: this machine may be a container.
podman_mount_cgroups()
{
	[ "$(stat -f -c %T /sys/fs/cgroup)" != cgroup2fs ] || return 0
	grep -q '^[^ ]* /sys/fs/cgroup ' /proc/self/mounts ||
	    mount -t tmpfs -o mode=755 cgroup /sys/fs/cgroup
	mount -o remount,rw /sys/fs/cgroup 2>/dev/null || :
	awk '$4 == 1 { print $1 }' /proc/cgroups | while read -r podman_one; do
		! grep -q "^[^ ]* [^ ]* cgroup [^ ]*\\b$podman_one\\b" \
		    /proc/self/mounts || continue
		mkdir -p "/sys/fs/cgroup/$podman_one" &&
		    mount -t cgroup -o "$podman_one" cgroup \
			"/sys/fs/cgroup/$podman_one" 2>/dev/null ||
		    rmdir "/sys/fs/cgroup/$podman_one" 2>/dev/null || :
	done
}

# hide FILE LINE...: a copy of that file with more lines, in our namespace
podman_hide()
{
	podman_file=$1
	shift
	podman_copy=$place/etc/${podman_file##*/}
	{ cat "$podman_file" 2>/dev/null || :; printf '%s\n' "$@"; } \
	    >"$podman_copy"
	[ -e "$podman_file" ] || podman_die "there is no $podman_file"
	mount --bind "$podman_copy" "$podman_file"
}

# Every user may open them where udev is at work.
podman_devices()
{
	mkdir "$place/dev"
	mount -t tmpfs -o mode=755 dev "$place/dev"
	mknod -m 666 "$place/dev/tun" c 10 200
	mkdir -p /dev/net
	[ -e /dev/net/tun ] || : >/dev/net/tun
	mount --bind "$place/dev/tun" /dev/net/tun
}

podman_settings()
{
	cat >"$home/containers.conf" <<-'END2'
		[containers]
		default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
		log_driver = "k8s-file"
		[engine]
		cgroup_manager = "cgroupfs"
		events_logger = "file"
		runtime = "runc"
		[network]
		network_backend = "netavark"
	END2
	cat >"$home/storage.conf" <<-END2
		[storage]
		driver = "overlay"
		graphroot = "$home/graph"
		runroot = "$home/run"
	END2
}

podman_inside()
{
	mount --make-rprivate /
	ip link set lo up
	mkdir -p "$place/etc" "$place/runtime"
	# its own networks, locks and pause process
	mount -t tmpfs -o mode=755 run /run
	mkdir -p /run/lock /run/user
	podman_mount_cgroups
	podman_devices
	home=$place/home
	mkdir "$home" "$home/tmp" "$home/xdg"
	mkdir -p /etc/containers/networks 2>/dev/null || :
	[ ! -d /etc/containers/networks ] ||
	    mount -t tmpfs -o mode=755 networks /etc/containers/networks
	podman_settings
	PODMAN_MODE=$1
	HOME=$home
	CONTAINERS_CONF=$home/containers.conf
	CONTAINERS_STORAGE_CONF=$home/storage.conf
	XDG_RUNTIME_DIR=$home/xdg
	TMPDIR=$home/tmp
	# the sources may be in a folder of root's alone
	TESTS_LIB=$place/tests/lib
	export PODMAN_MODE HOME CONTAINERS_CONF CONTAINERS_STORAGE_CONF \
	    XDG_RUNTIME_DIR TMPDIR TESTS_LIB
	set -- "$place/tests/podman/${2##*/}"
	if [ "$PODMAN_MODE" = rootful ]; then
		exec sh "$1"
	fi
	podman_hide /etc/passwd \
	    "$podman_user:x:$podman_id:$podman_id::$home:/bin/sh"
	podman_hide /etc/group "$podman_user:x:$podman_id:"
	podman_hide /etc/subuid "$podman_user:600000:65536"
	podman_hide /etc/subgid "$podman_user:600000:65536"
	chown -R "$podman_id:$podman_id" "$home"
	chmod 700 "$home/xdg"
	exec setpriv --reuid "$podman_id" --regid "$podman_id" --clear-groups \
	    sh "$1"
}

# --- inside, as the user

# A fixture hides all of this.
podman_client()
{
	mkdir -p "$HOME/bin"
	cat >"$HOME/bin/podman" <<-END2
		#!/bin/sh
		HOME='$HOME'
		CONTAINERS_CONF='$CONTAINERS_CONF'
		CONTAINERS_STORAGE_CONF='$CONTAINERS_STORAGE_CONF'
		XDG_RUNTIME_DIR='$XDG_RUNTIME_DIR'
		export HOME CONTAINERS_CONF CONTAINERS_STORAGE_CONF XDG_RUNTIME_DIR
		exec /usr/bin/podman "\$@"
	END2
	chmod 755 "$HOME/bin/podman"
}

podman_enter()
{
	place=${PODMAN_PLACE:-}
	[ -n "$place" ] || podman_outside "$@"
	[ -n "${PODMAN_MODE:-}" ] || podman_inside "$@"
	cd "$place/home" || exit
	TESTS_LIB=$place/tests/lib
	ENGINES_DIR=$place/engines
	SANDKEEPER=$place/sandkeeper
	FAKE_DOCKER=$place/fake-docker
	SANDKEEPER_TEST_DOCKER=$place/home/bin/podman
	# podman does not look at it; it only says where the state is
	DOCKER_HOST=unix://$place/podman
	export TESTS_LIB ENGINES_DIR SANDKEEPER FAKE_DOCKER \
	    SANDKEEPER_TEST_DOCKER DOCKER_HOST
	podman_client
	timeout -k 1 120 podman load -q -i "$place/images.tar" >/dev/null ||
	    podman_die 'podman does not load the images'
}

podman_count=0
podman_failed=0

# podman_scene NAME: its lines of TAP, numbered as ours
podman_scene()
{
	podman_out=$place/home/${1##*/}.tap
	(trap - EXIT; timeout -k 5 "${PODMAN_SCENE_SECONDS:-400}" \
	    sh "$place/tests/$1.t.sh") >"$podman_out" 2>"$podman_out.err" \
	    </dev/null && podman_rc=0 || podman_rc=$?
	grep -Eq '^1\.\.[1-9]' "$podman_out" ||
	    echo "not ok 0 - the scene ended early, status $podman_rc" \
	    >>"$podman_out"
	while IFS= read -r podman_line; do
		case $podman_line in
		'ok '* | 'not ok '*)
			podman_count=$((podman_count + 1))
			printf '%s %d - %s: %s\n' "${podman_line%% [0-9]*}" \
			    "$podman_count" "${1##*/}" "${podman_line#* - }"
			;;
		'1..0 # SKIP'*) echo "Bail out! $1: ${podman_line#*#}" ;;
		'# '*) printf '%s\n' "$podman_line" ;;
		esac
	done <"$podman_out"
	podman_failed=$((podman_failed + $(grep -c '^not ok' "$podman_out" || :)))
	[ "$podman_rc" = 0 ] || sed 's/^/# /' "$podman_out.err" | tail -n 20
}

podman_done()
{
	printf '1..%d\n' "$podman_count"
	[ "$podman_failed" = 0 ] || exit 1
	exit 0
}
