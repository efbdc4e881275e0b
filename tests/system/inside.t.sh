#!/bin/sh
# SPDX-License-Identifier: ISC
#
# The program inside a container, with the daemon's socket mounted: the static
# one, in a Debian without anything more and beside busybox alone.  Its state
# and its logs are volumes, or they are lost with the container.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/lib/daemon.sh
. "$TESTS_LIB/daemon.sh"
# shellcheck source=tests/system/source.sh
. "$TESTS_LIB/../system/source.sh"
# shellcheck source=tests/system/static.sh
. "$TESTS_LIB/../system/static.sh"

RUN_TIMEOUT=300
AGENT_IMAGE=agent:test

# add_tools DIR: the docker client and its libraries, ours, and the engines.
# shellcheck disable=SC2317 # check calls its callers
add_tools()
{
	mkdir -p "$1/usr/local/bin" "$1/usr/local/share/sandkeeper/engines.d"
	cp "$D" "$1/usr/local/bin/docker"
	ldd "$D" 2>/dev/null | grep -o '/[^ ]*' | while read -r library; do
		[ -e "$1$library" ] || {
			mkdir -p "$1${library%/*}"
			cp -L "$library" "$1$library"
		}
	done
	cp "$program" "$1/usr/local/bin/sandkeeper"
	cp "$T"/engines/*.conf "$1/usr/local/share/sandkeeper/engines.d"
}

# Debian's packages of priority required, unpacked.
# shellcheck disable=SC2317 # check calls it
make_slim()
{
	# shellcheck disable=SC2016 # apt's words
	mirror=$(apt-get indextargets --format '$(SITE)' \
	    'Created-By: Packages' | sed -n '/\/debian\/*$/{p;q}')
	debootstrap --foreign --variant=minbase bookworm "$T/slim" \
	    "${mirror:-http://deb.debian.org/debian}" >"$T/debootstrap" 2>&1 ||
	    { note "$(tail -n 5 "$T/debootstrap")"; return 1; }
	rm -rf "$T/slim/debootstrap" "$T/slim/var/cache/apt" \
	    "$T/slim/usr/share/doc" "$T/slim/dev"
	add_tools "$T/slim"
	tar -C "$T/slim" -cf - . |
	    dk import -c "LABEL sandkeeper-test=$T" - slim:test >/dev/null
}

# shellcheck disable=SC2317 # check calls it
make_bare()
{
	mkdir "$T/bare"
	id=$(dk create --label "sandkeeper-test=$T" busybox:test)
	dk export "$id" | tar -C "$T/bare" -xf -
	add_tools "$T/bare"
	tar -C "$T/bare" -cf - . |
	    dk import -c "LABEL sandkeeper-test=$T" - bare:test >/dev/null
}

# within ARG...: docker run with what every container here has.
within()
{
	dk run --label "sandkeeper-test=$T" -e SANDKEEPER_ENABLED=true \
	    -v "${daemon_host#unix://}:/var/run/docker.sock" "$@"
}

# inside IMAGE ARG...: a container for each command, with one state.
inside()
{
	inside_image=$1
	shift
	run within --rm -v "$volume:/var/lib/sandkeeper" \
	    -v "$volume-log:/var/log/sandkeeper" "$inside_image" sandkeeper "$@"
}

daemon_world
check 'the static program' static_build native
check 'an image of a slim Debian' make_slim
check 'an image of busybox alone' make_bare
volume=sk-state-$$
make_network "net-$$"

for image in slim bare; do
	agent "$image" --network "net-$$"
	inside "$image:test" ensure "$image" --services redis,nap --json
	is "$rc" 0 "$image: ensure"
	password=$(jq -r .redis.password "$out_file")
	is "$(dk exec "roboco-agent-$image" env "REDISCLI_AUTH=$password" \
	    redis-cli -h "$(sandbox_of redis "$image")" ping 2>/dev/null)" \
	    PONG "$image: what it handed over works"
	box=$(id_of "$(sandbox_of redis "$image")")
	inside "$image:test" ensure "$image" --services redis,nap --json
	is "$rc $(jq -r .redis.password "$out_file")" "0 $password" \
	    "$image: another container finds it again"
	is "$(id_of "$(sandbox_of redis "$image")")" "$box" "E4: $image: a hit"
	inside "$image:test" list -q
	is "$out" "$(sandbox_of nap "$image")
$(sandbox_of redis "$image")" "$image: list"
	inside "$image:test" sweep --grace 0
	is "$rc $(state_of "$(sandbox_of redis "$image")")" '0 running' \
	    "$image: sweep leaves what lives"
	inside "$image:test" doctor
	like "$out" '^ok +daemon' "$image: doctor sees the daemon"
	dk kill "roboco-agent-$image" >/dev/null
	inside "$image:test" sweep --grace 0
	is "$rc" 0 "$image: sweep"
	check "$image: sweep removes what has lost its owner" \
	    is_gone "$(sandbox_of redis "$image")"
	inside "$image:test" why "$image"
	like "$out" 'sweep: owner-stopped' "$image: why"
done

# --- release, and a container that is its own sandboxes' owner

agent r1 --network "net-$$"
inside bare:test ensure r1 --services nap
inside bare:test release r1
is "$rc $(state_of "$(sandbox_of nap r1)")" '0 gone' 'release'

within -d --name "job-$$" --network "net-$$" \
    -v "$volume:/var/lib/sandkeeper" bare:test sleep 86400 >/dev/null
run dk exec "job-$$" sandkeeper ensure job --services nap --owner self
is "$rc" 0 'O1: owner self'
inside bare:test sweep --grace 0
is "$(state_of "$(sandbox_of nap job)")" running \
    'O1: self: kept while the container runs'
# shellcheck disable=SC2016 # for the container
run dk exec "job-$$" sandkeeper run --services nap -- sh -c 'echo "$NAP_PORT"'
like "$rc $out" '^0 [1-9][0-9]*$' 'run: of a process in the container'
dk rm -f "job-$$" >/dev/null
inside bare:test sweep --grace 0 --set owner-grace=0
check 'O1: self: gone after the container' is_gone "$(sandbox_of nap job)"

# --- the state is a volume, or it is lost

agent l1 --network "net-$$"
run within --rm bare:test sandkeeper ensure l1 --services nap
is "$rc" 0 'without a volume: ensure'
dk kill roboco-agent-l1 >/dev/null
inside bare:test sweep --grace 0
like "$err" "$(sandbox_of nap l1).* another keeper" \
    'K2: the next one says that it is of another keeper'
is "$(state_of "$(sandbox_of nap l1)")" running 'K2: and leaves it for a day'
inside bare:test sweep --grace 0 --set foreign-grace=1s
check 'K2: foreign-grace ends that' is_gone "$(sandbox_of nap l1)"

daemon_remove "sandkeeper-test=$T"
dk volume rm -f "$volume" "$volume-log" >/dev/null
done_testing
