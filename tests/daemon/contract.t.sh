#!/bin/sh
# SPDX-License-Identifier: ISC
#
# The simulated docker against a real one: the same scenario, played on both,
# must leave the same record.  So the tests with the simulated one count.  And
# each client against one table, tests/lib/contract.expected: docker's of both
# ages, podman for root and for an ordinary user.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/lib/daemon.sh
. "$TESTS_LIB/daemon.sh"
# shellcheck source=tests/lib/contract.sh
. "$TESTS_LIB/contract.sh"

# What the images of the real daemon do.
fake_images()
{
	fake image busybox:test '{"entrypoint":[],"logs":"hello\n"}'
	fake image redis:8-alpine '{"ports":["6379/tcp"],"volumes":["/data"]}'
	fake image dies:test \
	    '{"run":"dies","exit":1,"logs":"boom: no licence\n"}'
}

# like_all RECORD CLIENT: each step of that client, by the table of all clients
like_all()
{
	contract_table "$1" >"$records/table"
	contract_expected >"$records/expected"
	is "$(grep -c '^== ' "$records/table")" \
	    "$(grep -c '^== ' "$records/expected")" "$2: every step was played"
	for i in $(seq "$(grep -c '^== ' "$records/expected")"); do
		title=$(contract_step "$records/expected" "$i" |
		    sed -n '1s/^== //p')
		rc=
		is "$(contract_step "$records/table" "$i")" \
		    "$(contract_step "$records/expected" "$i")" \
		    "$2: as with every client: $title"
	done
}

# like_real: the simulated docker, with the words of that client
like_real()
{
	# The same client, as it was before 23 and as it is since.
	case $("$real" --version) in
	'Docker version '[12][0-2].*) words=old ;;
	*) words=new ;;
	esac
	D=$FAKE_DOCKER
	daemon_world
	FAKE_DOCKER_CLIENT=$words
	export FAKE_DOCKER_CLIENT
	fake_images
	contract_play "$FAKE_DOCKER" fake-do >"$records/fake"
	is "$(cat "$FAKE_DOCKER_DIR/violations" 2>/dev/null)" '' \
	    'the simulated docker knew every call'
	D=$real
	count=$(grep -c '^== ' "$records/real")
	is "$(grep -c '^== ' "$records/fake")" "$count" "both played $count steps"
	for i in $(seq "$count"); do
		title=$(contract_step "$records/real" "$i" | sed -n '1s/^== //p')
		rc=
		is "$(contract_step "$records/fake" "$i")" \
		    "$(contract_step "$records/real" "$i")" \
		    "the same on both: $title"
	done
}

# play: with the client $D
play()
{
	daemon_world
	contract_play "$D" >"$records/real"
	daemon_clean
	T=
	note "the client: $("$D" --version)"
}

records=$(mktemp -d)
real=$D
play
like_all "$records/real" "$("$D" --version)"
client_is podman || like_real

# The distribution's client, where another one comes before it.
second=/usr/bin/docker
if ! client_is podman && [ -x "$second" ] &&
    [ "$(readlink -f "$second")" != "$(readlink -f "$real")" ]; then
	daemon_clean
	D=$second
	play
	like_all "$records/real" "$("$D" --version)"
fi
rm -rf "$records"

done_testing
