#!/bin/sh
# SPDX-License-Identifier: ISC
#
# release where something goes wrong: what is unknown is kept (rules T1, T4, T5,
# L2 and L5), and what stands in the state directory.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/ensure.sh
. "$TESTS_LIB/../cli/ensure.sh"

pg=roboco-sandbox-pg-dev-1

single()
{
	scene
	sandbox dev-1 pg
	entry dev-1 pg
	SANDKEEPER_TIMEOUTS_INSPECT=1s
	SANDKEEPER_TIMEOUTS_RM=1s
	export SANDKEEPER_TIMEOUTS_INSPECT SANDKEEPER_TIMEOUTS_RM
}

# unknown WHAT CODE FAULT...: nothing may be concluded from this inspect
unknown()
{
	what=$1
	code=$2
	shift 2
	single
	fake fault inspect "$@"
	sk release dev-1
	is "$rc" "$code" "T1: $what: exit $code"
	calls_are inspect "T1: $what: nothing is removed"
	check "L5: $what: the entry stays" has_entry dev-1
	is "$(history)" '' "R8: $what: no end is recorded"
}

# --- T1

unknown 'exit 1 and another text' 75 rc=1 'out=\n' \
    'err=Error response from daemon: something else\n'
unknown 'exit 1 and an ambiguous id' 75 rc=1 'out=\n' \
    'err=Error response from daemon: Multiple IDs found with provided prefix: 0\n'
unknown 'exit 1, and another name is gone' 75 rc=1 'out=\n' \
    'err=Error: No such container: roboco-sandbox-pg-dev-10\n'
unknown 'exit 1, and one name of several is gone' 75 rc=1 'out=\n' \
    "err=Error: No such container: $pg\\n"
unknown 'exit 1, and half a line' 75 rc=1 'out={"id":"12' 'err='
unknown 'exit 0 without an answer' 75 rc=0 'out=\n' 'err='
unknown 'exit 125' 75 rc=125 'out=\n' "err=Error: No such container: $pg\\n"
unknown 'a signal' 75 signal=KILL
unknown 'a signal after an answer' 75 signal=KILL then=normal
unknown 'garbage' 75 rc=0 bytes=10000
unknown 'a hang' 75 hang=1
unknown 'a hang that is deaf to TERM' 75 hang=term
unknown 'a daemon that hangs up' 69 rc=1 'out=\n' \
    'err=error during connect: Get "http://x/containers/json": EOF\n'

single
fake fault inspect rc=1 out= err=
sk release dev-1
is "$rc" 0 'T1: exit 1 without a word: gone, as the seed says it'
check_not 'T1: the entry goes' has_entry dev-1

for client in new old; do
	scene
	entry dev-1 pg redis
	FAKE_DOCKER_CLIENT=$client sk release dev-1
	is "$rc" 0 "T1: gone in the words of the $client client"
	check_not 'T5: the entry goes' has_entry dev-1
done

for down in '1 69' 'permission 77'; do
	single
	before=$(state | grep -v '\.release ')
	FAKE_DOCKER_DOWN=${down% *} sk release dev-1
	is "$rc" "${down#* }" "L5: the daemon does not answer (${down% *})"
	is "$(state | grep -v '\.release ')" "$before" 'L5: nothing is lost'
	sk release dev-1
	is "$rc" 0 'L5: the next release does it'
	containers_are '' 'L5: and nothing is left'
done

single
SANDKEEPER_DOCKER=/nowhere/docker sk release dev-1
is "$rc" 69 'L5: docker is not installed'
check 'L5: the entry stays' has_entry dev-1

# --- T4

single
fake fault rm.1 rc=1 posthook="'$FAKE_DOCKER' fake-do rm -f $pg" \
    "err=Error response from daemon: removal of container $pg is already in progress\\n"
sk release dev-1
is "$rc" 0 'T4: somebody else removed it meanwhile: success'
calls_are 'inspect rm inspect' 'T4: once it is looked at and gone'
check_not 'T5: the entry goes' has_entry dev-1

single
fake fault inspect.2 hook="'$FAKE_DOCKER' fake-do rm -f $pg" then=normal
fake fault rm.1 rc=1 "err=Error response from daemon: removal of container $pg is already in progress\\n"
sk release dev-1
is "$rc" 0 'T4: gone a little later'

single
sandbox dev-1 redis
entry dev-1 pg redis
fake set "$pg" 'rm-error=driver "overlay2" failed to remove root filesystem: busy'
sk release dev-1
is "$rc" 75 'T4: a container that stays: 75'
like "$err" "$pg stays: .*busy" 'T4: it is named, with the reason'
check 'T4: it was tried again' test "$(fake count rm)" -ge 2
containers_are "$pg" 'T4: the other one is gone'
check 'T5: the entry stays' has_entry dev-1
is "$(history | jq -r .service)" redis 'R8: what did not end is not recorded'

single
fake fault rm.1 hang=1
sk release dev-1
is "$rc" 75 'T1: an rm that hangs: 75'
check 'T5: the entry stays with its container' has_entry dev-1
containers_are "$pg" 'T5: which is there'

single
fake fault rm.1 hang=1 late=1200
sk release dev-1
is "$rc" 0 'T1: an rm whose client hung while the daemon went on'
check_not 'T5: the entry goes with the container' has_entry dev-1

# --- T6

single
sk --set stop-timeout=2s release dev-1
is "$rc" 0 'T6: stop-timeout'
is "$(calls stop)" "stop -t 2 $(id_of $pg)" 'T6: docker stop comes first'
calls_are 'inspect stop rm' 'T6: and rm after it'

# --- two at once

single
fake fault rm.1 hook="while [ ! -e '$T/go' ]; do sleep 0.02; done"
start "$SANDKEEPER" release dev-1
wait_for sh -c "[ \$('$FAKE_DOCKER' fake-count rm) = 1 ]"
"$SANDKEEPER" release dev-1 2>/dev/null & other=$!
: >"$T/go"
wait "$other" && second=0 || second=$?
finish
is "$rc $second" '0 0' 'L3: two releases at once: both succeed'
calls_are 'inspect rm' 'L3: and one has done the work'
containers_are '' 'L3: nothing is left'

# --- L2: the lock and the mark

single
start flock "$T/state/locks/dev-1" sh -c "echo 4711 >'$T/state/locks/dev-1'
    : >'$T/locked'; while [ ! -e '$T/done' ]; do sleep 0.02; done"
holder=$pid
wait_for test -e "$T/locked"
run "$SANDKEEPER" release --timeout 1s dev-1
is "$rc" 75 'L2: the agent is locked: 75 after the time given'
like "$err" 'dev-1 is locked by process 4711' 'L2: the holder is named'
calls_are '' 'L2: nothing is done without the lock'
check 'L2: the mark stays for the next sweep' \
    test -e "$T/state/agents/.dev-1.release"

# The holder carries the release out, as an ensure does that finds the mark.
"$SANDKEEPER" release dev-1 2>"$T/err2" & waiter=$!
wait_for sh -c "grep -q State:.S /proc/$waiter/status"
rm "$T/state/agents/dev-1" "$T/state/agents/.dev-1.release"
: >"$T/done"
wait "$waiter" && rc=0 || rc=$?
is "$rc" 0 'L2: it looks again under the lock'
calls_are '' 'L2: and there was nothing left to do'
wait "$holder" || :

single
start flock "$T/state/locks/dev-1" sh -c ": >'$T/locked'
    while [ ! -e '$T/done' ]; do sleep 0.02; done"
holder=$pid
wait_for test -e "$T/locked"
start "$SANDKEEPER" release dev-1
wait_for test -e "$T/state/agents/.dev-1.release"
kill -TERM "$pid"
finish
is "$rc" 143 'SIGTERM while waiting for the lock: 143'
check 'the entry stays' has_entry dev-1
: >"$T/done"
wait "$holder" || :

single
echo 1 >"$T/state/locks/dev-1"
sk release dev-1
is "$rc" 0 'a lock file that nobody holds means nothing'

# --- what stands in the state directory

single
entry dev-1 pg
sed -i '$d' "$T/state/agents/dev-1"
sk release dev-1
is "$rc" 0 'a torn entry counts as none'
like "$err" 'warning: dev-1: the entry .*damaged' 'and is reported'
is "$(find "$T/state/agents" -type f)" '' 'T5: and goes with its sandbox'

single
sed -i '1s/1/2/' "$T/state/agents/dev-1"
before=$(state)
sk release dev-1
is "$rc" 78 'an entry of a newer version: 78'
check 'is left as it is' same_state "$before"
calls_are '' 'and docker is not asked'

single
mv "$T/state/agents/dev-1" "$T/elsewhere"
ln -s "$T/elsewhere" "$T/state/agents/dev-1"
sk release dev-1
is "$rc" 77 'an entry that is a symbolic link: 77'
calls_are '' 'and docker is not asked'

single
mv "$T/state" "$T/real"
ln -s "$T/real" "$T/state"
sk release dev-1
is "$rc" 77 'a state directory that is a symbolic link: 77'
check 'nothing is touched' test -e "$T/real/agents/dev-1"

single
chmod 770 "$T/state/agents"
sk release dev-1
is "$rc" 77 'a state directory that others may write: 77'

# --- a damaged entry that was set aside by somebody else

cold
owner a1
sk ensure a1 --services postgres,redis
echo junk >"$T/state/agents/a1"
sk sweep
check 'a damaged entry, its owner alive: its containers stay' \
    has_container "$BOX-pg-a1"
check_not 'and it is no entry any more' has_entry a1
sk release a1
is "$rc" 0 'T2: set aside: release'
containers_are roboco-agent-a1 'T2: set aside: its containers are found by their names'
is "$(find "$T/state/agents" -type f)" '' 'T5: and nothing stays of the entry'
fake reset-calls
sk release a1
is "$rc $(fake count)" '0 0' 'once more: nothing to do, no call'
cold
owner a1
sk ensure a1 --services redis
echo junk >"$T/state/agents/a1"
sk sweep
sk ensure a1 --services redis --replace
fake "set" roboco-agent-a1 status=exited "finished=$OLD"
sk sweep --grace 0
is "$rc $(find "$T/state/agents" -type f)" '0 ' \
    'S8: what was set aside goes with the entry that followed'

done_testing
