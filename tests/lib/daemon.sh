# shellcheck shell=sh
# SPDX-License-Identifier: ISC
#
# For tests with a real docker daemon, the one of DOCKER_HOST; scripts/check
# starts one for them.  A test sources tap.sh, then this.  Whatever it makes on
# the daemon goes at its end, and nothing else is touched.
#
#   daemon_world               a fresh world (see fixture) on the daemon
#   own_daemon NAME            the same on a daemon of the test's own, in the
#                              folder $place, for one that does harm to it; its
#                              daemon_clean calls own_daemon_gone
#   private ARG...             scripts/private-daemon
#   daemon_freeze, daemon_thaw it hangs, for the program alone where it is
#                              podman; $freeze is the same as words for a hook,
#                              and $away words that name one that is not there
#   dk ARG...                  the docker client
#   agent SLUG [ARG...]        starts the container of an agent; ARGs go to
#                              docker run, and the image (AGENT_IMAGE) last
#   make_network NAME          a user-defined network
#   sandbox_of SHORT SLUG      the name of a sandbox container
#   state_of NAME              running, paused, ...; "gone" where it is not
#   is_up NAME / is_gone NAME
#   has_no_entry SLUG
#   state_files                entries, marks and locks that are there
#   id_of NAME
#   volumes                    how many volumes there are
#   verbs / forget_calls       what the program asked docker since
#   hook VERB COMMAND          run by the client before its next VERB
#   milliseconds               a clock
#   client_is WORD             is the client podman, or "podman rootless"?
#   $in_net CMD...             CMD where published ports are reached: a private
#                              daemon has a network namespace of its own
#
# Beside the shipped engines there is "nap", a sleeping busybox, which is ready
# at once.  The program's client is a script around the real one that writes
# down each call.

# shellcheck disable=SC2034 # AGENT_IMAGE and others are for the tests

daemon_host=${DOCKER_HOST:-}
D=$(command -v "${SANDKEEPER_TEST_DOCKER:-docker}" || :)
# The cache of images, which a fixture would hide.
daemon_home=$HOME
daemon_images=${SANDKEEPER_TEST_IMAGES:-}
AGENT_IMAGE=busybox:test
in_net=
daemon_holder=${daemon_host#unix://}
daemon_holder=${daemon_holder%/*}/holder
[ ! -s "$daemon_holder" ] || in_net="nsenter -t $(cat "$daemon_holder") -n"

# The exit trap of tap.sh, after ours.
daemon_leave()
{
	daemon_status=$?
	trap '' HUP INT TERM
	set +e
	daemon_clean
	(exit "$daemon_status")
	tap_leave
}
trap daemon_leave EXIT

[ -n "$daemon_host" ] ||
    skip_all 'needs a docker daemon in DOCKER_HOST; scripts/check starts one'
[ -n "$D" ] || skip_all 'needs the docker client'

dk()
{
	DOCKER_HOST=$daemon_host "$D" "$@"
}

# client_is WORD: podman, or "podman rootless"
client_is()
{
	case "${D##*/} ${PODMAN_MODE:-}" in
	"$1" | "$1 "*) return 0 ;;
	esac
	return 1
}

# All that podman answers otherwise; sandkeeper(8) names each in its chapter on
# podman.
#   $lost_words                  what is told where an exec's words got lost
#   $exec_down, $exec_down_text  an exec in a container that is down
#   $list_state                  the state of a container, in a listing
#   $default_network             the name that inspect gives it
#   $local_image                 before the name of an image of ours
#   host_of NAME NETWORK         under which the owner knows a sandbox
#   has_limits, can_pause        not as an ordinary user where cgroups are
#                                of version 1
lost_words=
exec_down=1
exec_down_text='is not running'
local_image=
default_network=bridge
list_state=.State
rm_now='rm -f -v'
if client_is podman; then
	lost_words='|no word why'
	exec_down=255
	exec_down_text='container state improper'
	local_image=localhost/
	default_network=podman
	list_state=.ListContainer.State
	rm_now='rm -f -v -t 0'
fi

host_of()
{
	if client_is podman; then
		dk inspect --type container --format \
		    "{{(index .NetworkSettings.Networks \"$2\").IPAddress}}" "$1"
	else
		echo "$1"
	fi
}

has_limits()
{
	! client_is 'podman rootless' ||
	    [ "$(dk info --format '{{.Host.CgroupsVersion}}')" != v1 ]
}

can_pause()
{
	has_limits
}

# Everything with a label goes.  Twice: podman keeps one in whose network
# another one is.
daemon_remove()
{
	for daemon_time in 1 2; do
		daemon_ids=$(dk ps -aq --no-trunc --filter "label=$1" 2>/dev/null)
		# shellcheck disable=SC2086 # words
		[ -z "$daemon_ids" ] || dk $rm_now $daemon_ids >/dev/null 2>&1
	done
}

daemon_clean()
{
	[ -n "${T:-}" ] && [ -d "$T" ] || return 0
	daemon_remove "sandkeeper-test=$T"
	for daemon_file in $(find "$T" -name keeper -type f); do
		daemon_remove "sandkeeper.keeper=$(cat "$daemon_file")"
	done
	daemon_ids=$(dk network ls -q --filter "label=sandkeeper-test=$T")
	# shellcheck disable=SC2086
	[ -z "$daemon_ids" ] || dk network rm $daemon_ids >/dev/null 2>&1
	daemon_ids=$(dk image ls -q --filter "label=sandkeeper-test=$T")
	# shellcheck disable=SC2086
	[ -z "$daemon_ids" ] || dk image rm -f $daemon_ids >/dev/null 2>&1
	:
}

daemon_engines()
{
	mkdir "$T/engines"
	cp "${ENGINES_DIR:?is to be the folder of engines}"/*.conf "$T/engines"
	cat >"$T/engines/nap.conf" <<-'END'
		engine "nap" {
		  short   = "nap"
		  image   = "busybox:test"
		  port    = 7
		  command = {"sleep", "86400"}
		  ready   = {"true"}
		  export  = {"NAP_HOST=%h", "NAP_PORT=%p", "NAP_WORD=%w"}
		}
	END
	SANDKEEPER_ENGINES_DIR=$T/engines
	export SANDKEEPER_ENGINES_DIR
}

# The hook is run once, for the verb that it was set for.
daemon_client()
{
	daemon_program=$T/${D##*/}
	cat >"$daemon_program" <<-END
		#!/bin/sh
		printf '%s\n' "\$1" >>'$T/verbs'
		printf '%s\n' "\$*" >>'$T/argv'
		if mv "$T/hook.\$1" "$T/hook.\$\$" 2>/dev/null; then
			. "$T/hook.\$\$"
		fi
		while [ -e '$T/frozen' ]; do
			sleep 0.05
		done
		exec '$D' "\$@"
	END
	chmod 755 "$daemon_program"
	: >"$T/verbs"
	: >"$T/argv"
}

daemon_world()
{
	daemon_clean
	daemon_open
}

daemon_open()
{
	fixture
	DOCKER_HOST=$daemon_host
	export DOCKER_HOST
	daemon_client
	daemon_engines
	SANDKEEPER_DOCKER=$daemon_program
	export SANDKEEPER_DOCKER
}

place=
daemon_scripts=${TOP_SRCDIR:-$(cd "$(dirname "$0")/../.." && pwd)}/scripts

# shellcheck disable=SC2317 # tests call these
{
	private()
	{
		SANDKEEPER_TEST_DOCKER=$D "$daemon_scripts/private-daemon" "$@"
	}

	daemon_freeze()
	{
		sh -c "$freeze"
	}

	daemon_thaw()
	{
		rm -f "$T/frozen"
		client_is podman || private thaw "$place"
	}

	# podman has no daemon: the client itself hangs.
	own_podman()
	{
		daemon_open
		freeze=": >'$T/frozen'"
		away='export CONTAINER_HOST=unix:///nowhere/podman.sock'
	}

	own_daemon()
	{
		if client_is podman; then
			own_podman
			return
		fi
		daemon_other=$daemon_host
		place=$(mktemp -d "/tmp/sk-$1.XXXXXX")
		private start "$place"
		daemon_host=unix://$place/docker.sock
		DOCKER_HOST=$daemon_other "$D" save busybox:test |
		    dk load -q >/dev/null
		daemon_open
		freeze="'$daemon_scripts/private-daemon' freeze '$place'"
		away='DOCKER_HOST=unix:///nowhere/docker.sock'
	}

	# It goes with all that it has.
	own_daemon_gone()
	{
		[ -z "$place" ] || private stop "$place"
		place=
		# only in podman.sh's namespaces is all that is there ours
		[ -z "${PODMAN_MODE:-}" ] || dk rm -f -t 0 -a >/dev/null 2>&1
	}

	agent()
	{
		daemon_slug=$1
		shift
		dk run -d --label "sandkeeper-test=$T" \
		    --name "roboco-agent-$daemon_slug" "$@" "$AGENT_IMAGE" \
		    sleep 86400 >/dev/null
	}

	make_network()
	{
		dk network create --label "sandkeeper-test=$T" "$1" >/dev/null
	}

	sandbox_of()
	{
		printf 'roboco-sandbox-%s-%s\n' "$1" "$2"
	}

	state_of()
	{
		dk inspect --type container --format '{{.State.Status}}' "$1" \
		    2>/dev/null | grep . || echo gone
	}

	is_up()
	{
		[ "$(state_of "$1")" = running ]
	}

	is_gone()
	{
		[ "$(state_of "$1")" = gone ]
	}

	# State is kept for each daemon; ours is not the default one.
	entry_path()
	{
		echo "$SANDKEEPER_STATE_DIR"/daemons/*/agents/"$1"
	}

	has_entry()
	{
		[ -f "$(entry_path "$1")" ]
	}

	has_no_entry()
	{
		! has_entry "$1"
	}

	# Every file of the state but the keeper's id: entries, marks, locks.
	state_files()
	{
		find "$SANDKEEPER_STATE_DIR" -type f ! -name keeper \
		    ! -name sweep.lock | sort
	}

	id_of()
	{
		dk inspect --type container --format '{{.Id}}' "$1"
	}

	volumes()
	{
		dk volume ls -q | wc -l
	}

	verbs()
	{
		tr '\n' ' ' <"$T/verbs" | sed 's/ $//'
	}

	forget_calls()
	{
		: >"$T/verbs"
		: >"$T/argv"
	}

	hook()
	{
		printf '%s\n' "$2" >"$T/hook.$1"
	}

	milliseconds()
	{
		echo "$(($(date +%s%N) / 1000000))"
	}
}
