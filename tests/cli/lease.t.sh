#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Leases and holds: --ttl, renew, hold, release of what is held, and what a
# sweep makes of them.

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

# near GOT SECONDS DESC: that many seconds from now, give or take a few.
near()
{
	near_off=$(($1 - $(now) - $2))
	check "$3" test "$near_off" -ge -30 -a "$near_off" -le 2
}

# set_entry KEY=VALUE
set_entry()
{
	sed -i "s|^${1%%=*}=.*|$1|" "$(entry_path a1)"
}

# swept GONE-OR-THERE DESC
swept()
{
	sk sweep --grace 0
	if [ "$1" = gone ]; then
		is "$(what_is_left)" '' "$2: it goes"
	else
		check "$2: it stays" has_container $PG
	fi
}

# leased TTL [OWNER]
leased()
{
	sk release --force a1
	sk ensure a1 --services postgres --owner "${2:-none}" --ttl "$1"
}

# --- durations

cold
owner a1
leased 1h
while read -r text seconds; do
	sk hold a1 --for "$text"
	near "$(entry_value a1 - hold)" "$seconds" "hold --for $text: $seconds s"
	sk hold a1 --off
	leased "$text"
	near "$(entry_value a1 - expires)" "$seconds" "ensure --ttl $text: $seconds s"
done <<'EOF'
90 90
90s 90
15m 900
2h 7200
1d 86400
1h30m 5400
1d12h 129600
36500d 3153600000
EOF
before=$(cat "$(entry_path a1)")
for text in '' s h 1x 1.5h -1 +1 '1 h' ' 1h' '1h ' 1h30 30m1h 0x10 1e3 soon 99999d \
    9223372036854775807 99999999999999999999; do
	sk hold a1 --for "$text"
	hold_code=$rc
	sk renew a1 --ttl "$text"
	renew_code=$rc
	sk ensure a1 --services postgres --owner none --ttl "$text"
	is "$hold_code $renew_code $rc" '65 65 65' "'$text' is no duration: 65"
done
is "$(cat "$(entry_path a1)")" "$before" 'and changes nothing'
sk hold a1 --for soon
like "$err" "'soon' is no duration, such as 90s, 15m or 1h30m" \
    'a bad duration: what a good one is'
sk renew a1 --ttl 0
is "$rc" 64 'renew --ttl 0 says nothing: usage'
sk ensure a1 --services postgres --owner none --ttl 0
is "$rc" 65 'ensure --ttl 0: 65'

# --- --ttl

cold
owner a1
sk ensure a1 --services postgres --ttl 1h
expires=$(entry_value a1 - expires)
near "$expires" 3600 'ensure --ttl: the entry has it'
label=$(fake inspect $PG label.sandkeeper.expires)
near "$label" 3600 'ensure --ttl: the label has the first end'
sk ensure a1 --services postgres
is "$(entry_value a1 - expires)" "$expires" 'a hit without --ttl changes nothing'
sk ensure a1 --services postgres --ttl 30m
is "$(entry_value a1 - expires)" "$expires" 'E4: --ttl on a hit: never earlier'
fake reset-calls
sk ensure a1 --services postgres --ttl 2h
near "$(entry_value a1 - expires)" 7200 'E4: --ttl on a hit renews'
calls_are inspect 'E4: and it is a hit'
is "$(fake inspect $PG label.sandkeeper.expires)" "$label" \
    'E4: the label keeps the first end'
sk ensure a1 --services postgres,redis --ttl 3h
near "$(entry_value a1 - expires)" 10800 'E2: a service more: the lease is renewed'
near "$(fake inspect "$BOX-redis-a1" label.sandkeeper.expires)" 10800 \
    'E2: the label of the new one says so'
sk list --json
near "$(jq '.[0].expires' "$out_file")" 10800 'list tells the end of the lease'

cold
owner a1
sk ensure a1 --services postgres
is "$(entry_value a1 - expires) $(fake inspect $PG label.sandkeeper.expires)" \
    '0 0' 'without --ttl there is no lease'
sk ensure a1 --services postgres --ttl 1s
is "$rc $(entry_value a1 - expires)" '0 0' \
    'E4: what lives with its owner does not end earlier by --ttl'
sk ensure a1 --services postgres,redis --ttl 1s
is "$rc $(entry_value a1 - expires)" '0 0' 'E2: nor with a service more'
sk ensure a1 --services postgres,redis --ttl 1h --fresh
near "$(entry_value a1 - expires)" 3600 '--fresh --ttl: a lease for what is new'
near "$(fake inspect $PG label.sandkeeper.expires)" 3600 '--fresh --ttl: its label'

# A lease that is over is no hit.
set_entry expires=1000
id=$(fake inspect $PG Id)
sk ensure a1 --services postgres
isnt "$(fake inspect $PG Id)" "$id" 'E4: a lease that has passed: made anew'
is "$(entry_value a1 - expires)" 0 'E4: what is new does not begin with it'

# --- renew

cold
leased 1h
expires=$(entry_value a1 - expires)
sk renew a1 --ttl 30m
is "$rc $(entry_value a1 - expires)" "0 $expires" 'renew: never earlier'
like "$err" 'a1: its lease ends at 20' 'renew: says where it is now'
fake reset-calls
sk renew a1 --ttl 5h
is "$rc" 0 'renew: code'
near "$(entry_value a1 - expires)" 18000 'renew: later'
calls_are '' 'renew: no docker call'
is "$(stat -c %a "$(entry_path a1)")" 600 'renew: the entry stays private'
check 'renew: the lock is free' unlocked a1
sk renew a1 --ttl 6h --json
is "$(jq -c 'keys_unsorted' "$out_file")" '["agent","expires"]' 'renew --json: its keys'
near "$(jq .expires "$out_file")" 21600 'renew --json: the end'
set_entry expires=1000
sk renew a1 --ttl 1m
near "$(entry_value a1 - expires)" 60 'renew: one that is over, while it is there'
sk renew a1
is "$rc" 64 'renew: without --ttl: usage'
sk renew --ttl 1h
is "$rc" 64 'renew: without an agent: usage'
sk renew b1 --ttl 1h
is "$rc" 65 'renew: no sandbox: 65'
like "$err" 'b1: it has no sandbox' 'renew: no sandbox: it says so'
sk renew ../x --ttl 1h
is "$rc" 65 'renew: no slug: 65'
touch "$T/state/agents/.a1.release"
sk renew a1 --ttl 1h
is "$rc" 65 'renew: its release was asked for: it has none any more'
rm "$T/state/agents/.a1.release"
owner a1
sk release a1
sk ensure a1 --services postgres
sk renew a1 --ttl 1h
is "$rc" 65 'renew: no lease: 65'
like "$err" 'a1: its sandbox has no lease: it lives as long as container:roboco-agent-a1' \
    'renew: no lease: what it lives by'
is "$(entry_value a1 - expires)" 0 'renew: no lease: nothing changes'
rm -r "$T/state"
sk renew a1 --ttl 1h
is "$rc" 65 'renew: no state at all: 65'

# A lock is waited for.
cold
leased 1h
flock "$T/state/locks/a1" \
    sh -c "touch $T/locked; sleep 0.4; touch $T/almost-free" &
locker=$!
wait_for test -e "$T/locked"
sk renew a1 --ttl 2h
is "$rc" 0 'renew: the lock is taken: code'
check 'renew: the lock is waited for' test -e "$T/almost-free"
wait "$locker"
near "$(entry_value a1 - expires)" 7200 'renew: and then it is done'

# --- leases and the sweep: the entry's end wins over the label's

cold
leased 1h
swept there 'S4: a lease that has not passed'
set_entry expires=1000
sk sweep
check 'S5: younger than grace: kept, whatever its lease' has_container $PG
swept gone 'S4: a lease that has passed'
leased 1h
fake "set" $PG label.sandkeeper.expires=1000
swept there 'the entry wins: the label'"'"'s is over, the entry'"'"'s is not'
set_entry expires=1000
fake "set" $PG "label.sandkeeper.expires=$(($(now) + 3600))"
swept gone 'the entry wins: the entry'"'"'s is over, the label'"'"'s is not'

# The entry is lost: what the labels say.  Another keeper's is judged by them
# alone, too, once it is old enough; ours is then one that nobody records.
leased 1h
rm "$(entry_path a1)"
fake "set" $PG label.sandkeeper.expires=1000
sk sweep --grace 0 --dry-run --json
is "$(jq -r '.decisions[0].verdict' "$out_file")" lease-over \
    'the entry is lost: the label'"'"'s end counts'
swept gone 'the entry is lost, the label'"'"'s end has passed'
foreign a1 pg --created "$(ago 100000)" --label sandkeeper.owner=none \
    --label "sandkeeper.expires=$(($(now) + 3600))"
fake "set" $PG label.sandkeeper.owner=none
swept there 'K2: another keeper'"'"'s, old enough: kept by its label'"'"'s lease'
fake "set" $PG label.sandkeeper.expires=1000
swept gone 'K2: another keeper'"'"'s, old enough: its label'"'"'s lease has passed'

cold
owner a1
sk ensure a1 --services postgres --ttl 1h
swept there 'a living owner and a lease'
set_entry expires=1000
swept gone 'S4: a lease that has passed ends it, though its owner lives'
sk ensure a1 --services postgres --ttl 1h
fake "set" roboco-agent-a1 status=exited "finished=$OLD"
swept gone 'S4: a dead owner ends it, though its lease has not passed'

# --- hold

cold
owner a1
sk ensure a1 --services postgres
fake reset-calls
sk hold a1 --for 2h
is "$rc" 0 'hold: code'
near "$(entry_value a1 - hold)" 7200 'hold: the entry has it'
like "$err" 'a1: held until 20' 'hold: says until when'
calls_are '' 'hold: no docker call'
is "$(stat -c %a "$(entry_path a1)")" 600 'hold: the entry stays private'
sk list --json
near "$(jq '.[0].hold' "$out_file")" 7200 'list tells the hold'
sk why a1
like "$out" "$PG .*held for debugging; until 20" 'why tells the hold'
fake "set" roboco-agent-a1 status=exited "finished=$OLD"
swept there 'a hold keeps against a dead owner'
set_entry expires=1000
swept there 'a hold keeps against a lease that has passed'
set_entry state=provisioning
swept there 'a hold keeps what was cut off'
set_entry state=ready
fake "do" rm -f roboco-agent-a1 >/dev/null
sweeps 0
swept there 'a hold keeps against an owner that is gone'
sk sweep --explain --grace 0
like "$out" "$PG.*held for debugging" 'sweep --explain tells the hold'
before=$(cat "$(entry_path a1)")
fake reset-calls
sk release a1 --json
is "$rc $(kind)" '75 held' 'release: held: 75'
like "$err" "hint: 'sandkeeper release --force a1'" 'release: held: the remedy'
calls_are '' 'release: held: no docker call'
is "$(cat "$(entry_path a1)")" "$before" 'release: held: the entry is as it was'
check 'release: held: no mark, no lock' unlocked a1
sk hold a1 --off
is "$rc $(entry_value a1 - hold)" '0 0' 'hold --off'
flock "$T/state/locks/a1" sh -c ": >'$T/locked'
    until [ -e '$T/state/agents/.a1.release' ]; do sleep 0.01; done
    sed -i 's/^hold=.*/hold=$(($(now) + 3600))/' '$T/state/agents/a1'" &
locker=$!
wait_for test -e "$T/locked"
sk release a1 --json
wait "$locker"
is "$rc $(kind)" '75 held' 'L2: held while release waits for the lock: 75'
calls_are '' 'L2: held meanwhile: no docker call'
check 'L2: held meanwhile: no mark, no lock' unlocked a1
sk hold a1 --off
like "$err" 'a1: held no more' 'hold --off: says so'
swept gone 'held no more'

owner a1
sk ensure a1 --services postgres
sk hold a1 --for 1h --json
is "$(jq -c 'keys_unsorted' "$out_file")" '["agent","hold"]' 'hold --json: its keys'
near "$(jq .hold "$out_file")" 3600 'hold --json: the end'
sk hold a1 --for 10m
near "$(entry_value a1 - hold)" 600 'hold again: the last word counts'
sk release --force a1
is "$rc" 0 'release --force: code'
left_nothing 'release --force'
sk ensure a1 --services postgres
sk hold a1 --for 1h
set_entry "hold=$(($(now) - 1))"
sk release a1
is "$rc" 0 'a hold that is over does not keep from release'
sk ensure a1 --services postgres
set_entry "hold=$(($(now) - 1))"
fake "set" roboco-agent-a1 status=exited "finished=$OLD"
swept gone 'a hold that is over'

sk hold b1 --for 1h
is "$rc" 65 'hold: no sandbox: 65'
sk hold a1
is "$rc" 64 'hold: neither --for nor --off: usage'
sk hold a1 --for 1h --off
is "$rc" 64 'hold: both: usage'
sk hold a1 --for 0
is "$rc" 64 'hold --for 0: usage'
sk hold --off
is "$rc" 64 'hold: no agent: usage'

done_testing
