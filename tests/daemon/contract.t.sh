#!/bin/sh
# SPDX-License-Identifier: ISC
#
# The simulated docker against a real one: the same scenario, played on both,
# must leave the same record.  So the tests with the simulated one count.

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

# step FILE N: the record of that step
step()
{
	awk -v want="$2" '/^== / { n++ } /^=== / { next } n == want' "$1"
}

daemon_world
contract_play "$D" >"$T/real"
records=$(mktemp -d)
mv "$T/real" "$records/real"
daemon_clean
T=

# The same client, as it was before 23 and as it is since.
case $("$D" --version) in
'Docker version '[12][0-2].*) words=old ;;
*) words=new ;;
esac
note "the real client: $("$D" --version)"
real=$D
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
rc=
for i in $(seq "$count"); do
	title=$(step "$records/real" "$i" | sed -n '1s/^== //p')
	is "$(step "$records/fake" "$i")" "$(step "$records/real" "$i")" \
	    "the same on both: $title"
done
rm -rf "$records"

done_testing
