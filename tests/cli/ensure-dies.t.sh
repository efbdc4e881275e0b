#!/bin/sh
# SPDX-License-Identifier: ISC
#
# ensure that cannot succeed: a container that fails to start, comes late or
# dies, a name that is taken, and an undoing that fails as well (rules E6, E7;
# cases 7, 18 and 19 from the field).

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/ensure.sh
. "$TESTS_LIB/../cli/ensure.sh"

PG=roboco-sandbox-pg-a1
REDIS=roboco-sandbox-redis-a1

# --- case 7: run fails after it has created

cold
owner a1
fake image postgres:16-alpine '{"run":"fails-start"}'
sk --json ensure a1 --services postgres,redis
is "$rc $(kind)" '75 docker' 'case 7: the start fails: code'
like "$err" 'docker run: exit code 127: .*executable file not found' \
    'case 7: the start fails: why'
left_clean a1 roboco-agent-a1 'case 7: the start fails'
cold
owner a1
sk --json ensure a1 --services postgres --network gone
is "$rc $(kind)" '75 network' 'case 7: no such network: code'
like "$(calls rm)" '^rm -f -v [0-9a-f]{64}$' \
    'case 7: no such network: what was created is removed'
left_clean a1 roboco-agent-a1 'case 7: no such network'

# --- case 19: it appears when its client is long dead

cold
owner a1
fake fault run hang=1 late=1600
sk --json ensure a1 --services postgres --set timeouts.run=1
is "$rc $(kind)" '75 timeout' 'case 19: appears 0.6 s late: code'
like "$(history)" "\"container\": *\"$PG\".*\"reason\": *\"rolled-back\"" \
    'case 19: appears 0.6 s late: it was there, and was removed'
left_clean a1 roboco-agent-a1 'case 19: appears 0.6 s late'
cold
owner a1
fake fault run hang=1 late=2800
sk --json ensure a1 --services postgres --set timeouts.run=1
is "$rc" 75 'case 19: appears later still: code'
check 'case 19: it does appear' wait_for has_container $PG
sk sweep --grace 0
containers_are roboco-agent-a1 'S4: a sweep finds what no entry records'

# --- a name that is still taken

conflict="err=docker: Error response from daemon: Conflict. The container name \"/$PG\" is already in use by container \"$(id_of x)\".\\n"
cold
owner a1
fake fault run rc=125 "$conflict" times=2 "when=--name $PG"
sk ensure a1 --services postgres,redis
is "$rc" 0 'E7: a name that is taken just after its removal is waited for'
calls_are 'inspect image run run run run exec exec inspect' \
    'E7: and nothing but that is tried again'
cold
owner a1
fake fault run rc=125 "$conflict" "when=--name $PG"
start_clock
sk --json ensure a1 --services postgres,redis
stop_clock
is "$rc $(kind)" '75 name-taken' 'E7: a name that stays taken: code'
is "$(calls run | grep -c "$PG")" 8 'E7: a name that stays taken: tried briefly'
check 'E7: a name that stays taken: no tight retry' \
    test "$clock_stopped" -ge 1500
left_clean a1 roboco-agent-a1 'a name that stays taken'
cold
owner a1
fake fault run rc=125 "$conflict" "when=--name $PG"
fake image redis:8-alpine '{"run":"fails-start"}'
sk --json ensure a1 --services postgres,redis
is "$rc $(kind) $(fake count run)" '75 docker 2' \
    'E7: another failure beside it: that one, at once'
like "$err" 'exit code 127' 'E7: another failure beside it is told'
left_clean a1 roboco-agent-a1 'another failure beside it'
cold
owner a1
fake fault image "posthook='$FAKE_DOCKER' fake-container $PG"
sk --json ensure a1 --services postgres
is "$rc $(kind)" '75 name-taken' 'K4: a stranger takes the name meanwhile: code'
like "$err" "$PG" 'E7: a stranger takes the name meanwhile: it is named'
left_clean a1 "roboco-agent-a1 $PG" 'a stranger takes the name meanwhile'
cold
owner a1
fake fault image "posthook='$FAKE_DOCKER' fake-container $PG --label roboco.sandbox=1 --label roboco.sandbox.owner=roboco-agent-a1 --label sandkeeper.agent=a1 --label sandkeeper.owner=container:roboco-agent-a1 --label sandkeeper.keeper=$OTHER"
sk --json ensure a1 --services postgres
is "$rc $(kind)" '75 name-taken' "K2: another keeper takes the name meanwhile"
left_clean a1 "roboco-agent-a1 $PG" 'another keeper takes the name meanwhile'

# What docker run told of is known by its id, whatever its labels say then.
cold
owner a1
fake fault exec rc=1 \
    "hook='$FAKE_DOCKER' fake-set $PG label.roboco.sandbox=2"
sk --json ensure a1 --services postgres
is "$rc $(kind)" '75 not-ready' 'T5: its labels change while it is made'
check 'T5: it is not removed' has_container $PG
is "$(entry_value a1 - state)" provisioning 'T5: its entry stays'

# --- case 18: it dies at once, or never gets ready

# dead JSON CODE-WORDS: the image's containers die.
dead()
{
	cold
	owner a1
	fake image postgres:16-alpine "$1"
	# The other one would be waited for for long.
	fake image redis:8-alpine '{"ready_after_ms":-1}'
	start_clock
	sk --json ensure a1 --services postgres,redis
	stop_clock
	is "$rc $(kind)" '75 died' "case 18: $2: code"
	check "case 18: $2: within 2 s" within 2000
	like "$err" "^sandkeeper: a1: $PG died while it was waited for: $2" \
	    "case 18: $2: why"
	check "case 18: $2: one line" one_line
	left_clean a1 roboco-agent-a1 "case 18: $2"
}

dead '{"run":"dies","exit":3,"logs":"one\nFATAL: no config\n"}' \
    'exit code 3; its last lines: one.nFATAL: no config'
dead '{"run":"dies","exit":137,"oom":true}' 'exit code 137, out of memory'
like "$err" 'hint: raise --memory' 'E6: out of memory: the remedy'
dead '{"run":"dies","exit":137}' 'exit code 137$'
like "$err" 'hint: it may have been out of memory: raise --memory, or try ' \
    'E6: killed, and docker does not know why: the remedy'
dead '{"ready_after_ms":-1,"dies_after_ms":300,"exit":1}' 'exit code 1'
like "$(history)" "\"container\": *\"$PG\".*\"exit_code\": *1" \
    'R8: the dead one is in the history'
cold
owner a1
fake image postgres:16-alpine '{"ready_after_ms":-1,"probe_gives_up_ms":100,"probe_exit":75}'
sk --json ensure a1 --services postgres,redis
is "$rc $(kind)" '75 not-ready' 'E6: never ready: code'
like "$err" "$PG was not ready after 60 s" 'E6: never ready: says so'
left_clean a1 roboco-agent-a1 'never ready'
cold
owner a1
fake image postgres:16-alpine '{"ready_after_ms":-1,"shell":false}'
settings quick.conf <<'EOF'
engine "postgres" { ready-timeout = "1s" }
EOF
sk --json ensure a1 --services postgres -c "$conf"
is "$rc $(kind)" '75 not-ready' 'E6: never ready, without a shell'
left_clean a1 roboco-agent-a1 'never ready, without a shell'
fake image postgres:16-alpine '{"ready_after_ms":-1}'
sk --json ensure a1 --services postgres --timeout 1s
is "$rc $(kind)" '75 timeout' "E7: --timeout: code"
left_clean a1 roboco-agent-a1 '--timeout ends the work, not its undoing'
cold
owner a1
fake fault inspect.2 "hook='$FAKE_DOCKER' fake-do kill $REDIS"
sk --json ensure a1 --services postgres,redis
is "$rc $(kind)" '75 died' 'E7: dead at the last look: no success'
left_clean a1 roboco-agent-a1 'dead at the last look'

# --- what cannot be confirmed stays on record, and a sweep finishes it

# unconfirmed DESC FAULT ANSWER...: the undoing fails, too.
unconfirmed()
{
	unconfirmed_desc=$1
	unconfirmed_fault=$2
	shift 2
	cold
	owner a1
	fake fault exec "hook='$FAKE_DOCKER' fake-fault $unconfirmed_fault $*" \
	    rc=75
	sk ensure a1 --services postgres
	is "$rc" 75 "E7: $unconfirmed_desc: code"
	like "$err" '^sandkeeper: warning: a1: cleaning up is not confirmed' \
	    "E7: $unconfirmed_desc: a warning"
	is "$(sed -n 3p "$(entry_path a1)") $(boxes | wc -l)" \
	    'state=provisioning 1' "E7: $unconfirmed_desc: it stays on record"
	check "E7: $unconfirmed_desc: the lock is free" unlocked a1
	fake fault "$unconfirmed_fault"
	sk sweep --grace 0
	is "$rc" 0 "S4: $unconfirmed_desc: a sweep: code"
	left_clean a1 roboco-agent-a1 "$unconfirmed_desc: a sweep finishes it"
}

unconfirmed 'the undoing sees nothing' inspect rc=1 err=boom
unconfirmed 'the undoing finds no daemon' inspect rc=1 \
    "'err=Cannot connect to the Docker daemon'"
unconfirmed 'rm fails' rm rc=1 \
    "'err=Error response from daemon: container x: driver failed to remove root filesystem: device or resource busy'"

done_testing
