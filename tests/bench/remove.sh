# shellcheck shell=sh
# SPDX-License-Identifier: ISC
#
# release and remove of a sandbox with some containers, beside "docker stop"
# and "docker rm" of the same in a row, and beside one "docker rm -fv".

# The agent's container, and a sandbox of the services that are named.
scene_script()
{
	cat >"$work/scene" <<-END_SCRIPT
		#!/bin/sh
		set -eu
		'$docker' inspect '${SANDKEEPER_CONTAINER_PREFIX}one' >/dev/null 2>&1 ||
		    '$docker' run -d --network '$network' --label '$bench_tag=1' \\
		        --stop-signal TERM \\
		        --name '${SANDKEEPER_CONTAINER_PREFIX}one' busybox:test \\
		        sh -c 'trap "exit 0" TERM; sleep 86400 & wait' >/dev/null
		[ -z "\${1-}" ] || '$SANDKEEPER' -q ensure one --services "\$1"
	END_SCRIPT
	chmod 755 "$work/scene"
}

# in_a_row NAME...
in_a_row()
{
	row=
	for row_name do
		row="$row$docker stop -t 5 $row_name; $docker rm -v $row_name; "
	done
	printf '%s\n' "$row"
}

# removal CASE N ARG... : with $services and $names
removal()
{
	removal_case=$1 removal_n=$2
	shift 2
	"$work/scene" "$services"
	removal_calls=$(calls_of "$@")
	if [ -z "$names" ]; then
		pair remove "$removal_case" 0 -m -n "$rounds" \
		    -k "calls=$removal_calls" -A "sandkeeper $*" -B /bin/true \
		    "$SANDKEEPER $*" /bin/true
		return
	fi
	# shellcheck disable=SC2086 # words
	pair remove "$removal_case, one rm -fv" "$removal_n" -1 -m -n "$few" \
	    -k "calls=$removal_calls" -p "$work/scene $services" \
	    -A "sandkeeper ${1}" -B 'docker rm -fv' \
	    "$SANDKEEPER -q $*" "$docker rm -fv $names"
	# shellcheck disable=SC2086
	pair remove "$removal_case, stop and rm" "$removal_n" -1 -n "$few" \
	    -k "calls=$removal_calls" -p "$work/scene $services" \
	    -A "sandkeeper ${1}" -B 'docker stop, docker rm in a row' \
	    "$SANDKEEPER -q $*" "$(in_a_row $names)"
}

section_remove()
{
	daemon
	"$docker" network create --label "$bench_tag=1" "$network" >/dev/null
	scene_script
	agent=${SANDKEEPER_CONTAINER_PREFIX}one
	sandbox=$SANDKEEPER_SANDBOX_PREFIX
	services='' names=''
	removal release 0 release one
	names=$agent
	removal remove 0 remove "$agent"
	services=nap1 names="${sandbox}nap1-one"
	removal release 1 release one
	names="$agent $names"
	removal remove 1 remove "$agent"
	services=nap1,nap2,nap3
	names="${sandbox}nap1-one ${sandbox}nap2-one ${sandbox}nap3-one"
	removal release 3 release one
	names="$agent $names"
	removal remove 3 remove "$agent"
	clean_daemon
	rm -rf "$SANDKEEPER_STATE_DIR"
}
