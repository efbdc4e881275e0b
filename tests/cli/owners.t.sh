#!/bin/sh
# SPDX-License-Identifier: ISC
#
# What a sandbox's life is tied to with --owner: a container of any name, a
# process, or nothing but a lease (rules O1 to O3), and how a sweep judges it.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/ensure.sh
. "$TESTS_LIB/../cli/ensure.sh"
# shellcheck source=tests/cli/run.sh
. "$TESTS_LIB/../cli/run.sh"

PG=$POSTGRES-a1

# ensure_owned OWNER [ARG...]
ensure_owned()
{
	owned=$1
	shift
	sk ensure a1 --services postgres --owner "$owned" "$@"
}

# A process that is there until end_process; its id is $owner_pid.
start_process()
{
	# not with our stdout, or a test that ends early would be waited for
	sleep 600 >/dev/null 2>&1 &
	owner_pid=$!
}

end_process()
{
	kill -KILL "$owner_pid"
	wait "$owner_pid" 2>/dev/null || :
}

owner_label()
{
	fake inspect $PG label.sandkeeper.owner
}

# owned_by TEXT: as if another one had made it for that owner.
owned_by()
{
	fake "set" $PG "label.sandkeeper.owner=$1"
	sed -i "s|^owner=.*|owner=$1|" "$(entry_path a1)"
}

# judged VERDICT GONE-OR-THERE DESC
judged()
{
	sk sweep --grace 0 --dry-run --json
	is "$(jq -r '.decisions[0].verdict' "$out_file")" "$1" "$3: $1"
	sk sweep --grace 0
	if [ "$2" = gone ]; then
		is "$(what_is_left)" '' "$3: it goes"
	else
		check "$3: it stays" has_container $PG
		check "$3: its entry stays" has_entry a1
	fi
}

# --- container:NAME

cold
fake container ci-runner-7 --network team >/dev/null
ensure_owned container:ci-runner-7 --dotenv
is "$rc" 0 'O1: container:NAME, without the prefix: code'
is "$(entry_value a1 - owner)" container:ci-runner-7 'O1: the entry names it'
is "$(owner_label)" container:ci-runner-7 'O1: and the label'
unlike "$(calls run)" ' roboco.sandbox.owner=' \
    'O1: no owner label of the orchestrator, who would take it for dead'
like "$out" "^PGHOST=$PG\$" 'E10: in its network'
judged owner-alive there 'O1: it runs'
sk ensure a1 --services postgres --owner container:ci-runner-7
is "$rc $(calls run | wc -l)" '0 1' 'E4: the same owner again: a hit'
sk ensure a1 --services postgres
is "$rc" 65 'E4: another owner than the recorded one: 65'
like "$err" 'the owner container:ci-runner-7, not container:roboco-agent-a1' \
    'E4: both are named'
ensure_owned container:ci-runner-8
is "$rc" 65 'E4: yet another one: 65'
fake "set" ci-runner-7 status=paused
judged owner-alive there 'O1: it is paused'
fake "set" ci-runner-7 status=restarting
judged owner-alive there 'O1: it is restarting'
fake "set" ci-runner-7 status=exited "finished=$(ago 60)"
judged owner-stopped gone 'O1: it has exited'

cold
owner b1
ensure_owned container:roboco-agent-b1
is "$rc" 0 'O1: another agent'"'"'s container: code'
like "$(calls run)" ' roboco.sandbox.owner=roboco-agent-b1 ' \
    'O1: one of the prefix: the orchestrator'"'"'s label says so'
judged owner-alive there 'O1: another agent'"'"'s container'

cold
fake container ci-runner-77 --network team >/dev/null
ensure_owned container:ci-runner-7
is "$rc" 75 'O1: the container is not there: 75'
like "$err" 'the container ci-runner-7, is not there' 'O1: it is named'
left_nothing 'O1: the container is not there'
ensure_owned container:ci-runner-7 --network team
is "$rc" 0 'O1: with a named network it may come later'
sweeps
judged owner-absent gone 'O1: it never came; names are whole'

# --- what is no owner

cold
no_owner()
{
	ensure_owned "$1"
	is "$rc" "$2" "--owner '$1': $2"
	calls_are '' "--owner '$1': no docker call"
	check_not "--owner '$1': no entry" has_entry a1
}
for text in container: container:../volumes/x 'container:a b' container container:-x \
    CONTAINER:x somebody '' pid: pid:0 pid:-1 pid:1x pid:99999999999 pid:1:2 pid; do
	no_owner "$text" 65
done
ensure_owned somebody
like "$err" 'hint: write container:NAME, self, pid:N or none' \
    '--owner: what may be written'
no_owner none 64
like "$err" 'none needs --ttl' 'O3: none needs --ttl'
start_process
end_process
ensure_owned "pid:$owner_pid" --json
is "$rc $(kind)" '75 owner-missing' 'O2: no such process: 75'
no_owner "pid:$owner_pid" 75

# Nothing of docker's is mounted where the tests run, or it is not the fake's.
ensure_owned self --json
is "$rc $(kind)" '75 owner-missing' 'O1: self, in no container: 75'
like "$err" 'hint: name one with --owner container:NAME|does not know the container' \
    'O1: self: what to do'
left_nothing 'O1: self, in no container'

# --- pid:N

cold
start_process
ensure_owned "pid:$owner_pid" --dotenv
is "$rc" 0 'O2: pid:N: code'
this=$(owner_label)
like "$this" "^pid:[0-9a-f]*:[0-9a-f-]{36}:[0-9]+:$owner_pid:[0-9]+\$" \
    'O2: machine, boot, namespace, pid and start time are in the label'
is "$(entry_value a1 - owner)" "$this" 'O2: and in the entry'
is "$(echo "$this" | cut -d : -f 3)" "$(cat /proc/sys/kernel/random/boot_id)" \
    'O2: this boot'
unlike "$(calls run)" ' roboco.sandbox.owner=' 'O2: no container'"'"'s label'
like "$(calls run)" ' -p 127\.0\.0\.1::5432 ' 'E10: it is published'
expires=$(entry_value a1 - expires)
check 'O2: it has a lease though none was asked for' \
    test "$expires" -gt "$(($(now) + 3600))"
label=$(fake inspect $PG label.sandkeeper.expires)
check 'O2: the label has the first end' \
    test "$label" -le "$expires" -a "$label" -gt "$((expires - 30))"
fake reset-calls
judged owner-alive there 'O2: it lives'
calls_are 'ps ps' 'O2: one listing for each sweep, and no other call'
ensure_owned "pid:$owner_pid"
calls_are 'ps ps inspect' 'E4: the same process again: a hit'
sk list --json
is "$(jq -r '.[0].owner_state' "$out_file")" alive 'O2: list knows'
end_process
sk list --json
is "$(jq -r '.[0].owner_state' "$out_file")" stopped 'O2: list knows that it is dead'
sk why a1
like "$out" 'its owner does not run any more; the next sweep removes it' \
    'O2: why knows'
swept_at_once 'O2: a process that has ended'

# The process is dead, and no sweep came yet: the next one need not wait.
start_process
ensure_owned "pid:$owner_pid"
old=$(fake inspect $PG Id)
sk hold a1 --for 1h
end_process
owner a1
sk ensure a1 --services postgres --owner container:roboco-agent-a1
is "$rc" 65 'E5: held: another owner is refused'
sk hold a1 --off
sk ensure a1 --services postgres --owner container:roboco-agent-a1
is "$rc" 0 'E5: the process has ended: another owner gets one'
isnt "$(fake inspect $PG Id)" "$old" 'E5: a new one'
is "$(owner_label)" container:roboco-agent-a1 'E5: of its own'
like "$(history | grep "$old")" '"cause": *"ensure".*"reason": *"owner-stopped"' \
    'R8: the old one is in the history'
sk release a1
"$FAKE_DOCKER" fake-do rm -f roboco-agent-a1 >/dev/null

# Everything that a process is told apart by.
machine=$(echo "$this" | cut -d : -f 2)
boot=$(echo "$this" | cut -d : -f 3)
space=$(echo "$this" | cut -d : -f 4)
other_boot=$(echo "$boot" | tr 0-9a-f 1-9a-f0)
start_process
start=$(sed 's/.*) //' "/proc/$owner_pid/stat" | cut -d ' ' -f 20)
crafted()
{
	sk release a1
	ensure_owned "pid:$owner_pid" --ttl 1h
	owned_by "pid:$1"
	judged "$2" "$3" "O2: $4"
}
crafted "$machine:$boot:$space:$owner_pid:$start" owner-alive there \
    'itself, written by hand'
crafted "$machine:$boot:$space:$owner_pid:$((start + 1))" owner-stopped gone \
    'another start time: another process of that number'
if [ -n "$machine" ]; then
	crafted "$machine:$other_boot:$space:$owner_pid:$start" \
	    owner-stopped gone 'another boot of this machine'
	crafted ":$boot:$space:$owner_pid:$((start + 1))" owner-unknown there \
	    'a machine without an id: unknown'
fi
crafted "0123456789abcdef0123456789abcdef:$boot:$space:$owner_pid:1" \
    owner-unknown there 'another machine may not be judged'
crafted "$machine:$boot:$((space + 1)):$owner_pid:1" owner-unknown there \
    'another namespace may not be judged'
for text in '' 1 x:x "$machine:$boot:$space:$owner_pid" \
    "$machine:$boot:$space:../1:1" "$machine:$boot:$space:$owner_pid:1:1"; do
	crafted "$text" owner-unknown there "pid:$text is no owner that can be judged"
done
fake "set" $PG "label.sandkeeper.expires=1000"
sed -i 's/^expires=.*/expires=1000/' "$(entry_path a1)"
judged lease-over gone 'O2: what cannot be judged ends with its lease'
end_process

# A zombie has ended, though its number is still taken.
cat >"$T/zombie" <<'EOF'
(
	until [ -e "$1.go" ]; do
		sleep 0.02
	done
) &
echo $! >"$1"
exec sleep 600
EOF
sh "$T/zombie" "$T/z" >/dev/null 2>&1 &
owner_pid=$!
wait_for test -s "$T/z"
ensure_owned "pid:$(cat "$T/z")"
judged owner-alive there 'O2: before it is a zombie'
touch "$T/z.go"
wait_for grep -qs '^State:[[:space:]]*Z' "/proc/$(cat "$T/z")/status"
swept_at_once 'O2: a zombie has ended'
ensure_owned "pid:$(cat "$T/z")"
is "$rc" 75 'O2: and is no owner'
end_process

# No grace: neither for its age, nor where its making was cut off.
start_process
ensure_owned "pid:$owner_pid"
sed -i 's/^state=.*/state=provisioning/' "$(entry_path a1)"
end_process
swept_at_once 'O2: cut off while it was made'
start_process
ensure_owned "pid:$owner_pid"
rm "$(entry_path a1)"
end_process
swept_at_once 'O2: its entry is lost'
start_process
ensure_owned "pid:$owner_pid"
rm "$(entry_path a1)"
pg a1 -- true
is "$rc" 125 'E2: its entry is lost, its process lives: it is not cleared'
check 'E2: and it is left' has_container $PG
end_process
pg a1 -- true
is "$rc" 0 'E5: its process has ended: it is a leftover'
left_nothing 'E5: its process has ended'
start_process
ensure_owned "pid:$owner_pid"
rm "$(entry_path a1)"
fake "set" $PG status=exited "finished=$OLD"
pg a1 -- true
is "$rc" 0 'E5: it has ended itself: it is a leftover'
left_nothing 'E5: it has ended itself'
end_process
start_process
ensure_owned "pid:$owner_pid"
fake "do" rm -f -v $PG >/dev/null
end_process
swept_at_once 'O2: its container is gone'

# Another keeper's is left, even if its process could be judged.
start_process
ensure_owned "pid:$owner_pid"
fake "set" $PG label.sandkeeper.keeper=$OTHER
rm "$(entry_path a1)"
end_process
sk sweep --grace 0
check 'K2: another keeper'"'"'s sandbox of a dead process is left' has_container $PG
fake "do" rm -f -v $PG >/dev/null

# --- none

cold
ensure_owned none --ttl 1h --dotenv
is "$rc" 0 'O3: none, with a lease: code'
is "$(owner_label) $(entry_value a1 - owner)" 'none none' 'O3: label and entry'
like "$out" '^PGHOST=127.0.0.1$' 'E10: it is published'
sk sweep --grace 0
check 'O3: its lease keeps it' has_container $PG
sk list --json
is "$(jq -r '.[0]|.owner+" "+.verdict' "$out_file")" 'none leased' 'O3: list knows'
sed -i "s/^expires=.*/expires=$(($(now) - 1))/" "$(entry_path a1)"
sk sweep
check 'S5: a lease that is over: the grace for its age' has_container $PG
sk sweep --grace 0
is "$(what_is_left)" '' 'O3: a lease that is over'

# --- a thousand of them

# Each would cost a call if it were asked for by itself.
cold
start_process
ensure_owned "pid:$owner_pid"
this=$(owner_label)
start=$(date -u +%Y-%m-%dT%H:%M:%SZ)
awk -v count=1000 'BEGIN { for (i = 1; i <= count; i++) print i }' |
    while read -r i; do
	fake container "$BOX-pg-p$i" --id "$(printf '%064x' "$i")" \
	    --created "$OLD" --label roboco.sandbox=1 \
	    --label "sandkeeper.keeper=$KEEPER" --label "sandkeeper.agent=p$i" \
	    --label sandkeeper.service=postgres \
	    --label "sandkeeper.owner=$this" --label sandkeeper.version=1 \
	    >/dev/null
	sed -e "s/^agent=.*/agent=p$i/" -e "s/^container=.*/container=$BOX-pg-p$i/" \
	    -e "s/^id=.*/id=$(printf '%064x' "$i")/" "$T/state/agents/a1" \
	    >"$T/state/agents/p$i"
done
fake reset-calls
sk sweep --grace 0
is "$rc" 0 'O2: 1,000 process owners: code'
like "$err" '1001 found, 0 removed, 1001 kept, 0 failed' \
    'O2: 1,000 process owners: all are judged'
calls_are ps 'O2: 1,000 process owners: one listing, and no call for each'
owned_by "${this%:*}:1"
sed -i "s/^owner=.*/owner=${this%:*}:1/" "$T/state/agents/p500"
fake "set" "$BOX-pg-p500" "label.sandkeeper.owner=${this%:*}:1"
fake reset-calls
sk sweep
like "$err" '1001 found, 2 removed, 999 kept, 0 failed' \
    'O2: two of them have ended: they go, without a grace'
calls_are 'ps inspect rm' 'O2: one more look at those, and one removal'
end_process

done_testing
