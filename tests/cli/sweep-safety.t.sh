#!/bin/sh
# SPDX-License-Identifier: ISC
#
# sweep: nothing alive is ever removed, and what is not known is kept (rules S3,
# S5, S6, K2, K4 and O1).

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"

# An agent that ended long ago, so that nobody waits for its return.
ended()
{
	agent "$1" --state exited --finished "$OLD"
}

boxes()
{
	fake list -q | sed -n 's/^roboco-sandbox-pg-//p' | tr '\n' ' '
}

# kept_by VERDICT SLUG: is that why it is kept?
# shellcheck disable=SC2317 # check calls it
kept_by()
{
	jq -e --arg name "roboco-sandbox-pg-$2" --arg verdict "$1" \
	    '.decisions[] | select(.container == $name) |
	    .outcome == "kept" and .verdict == $verdict' "$out_file" >/dev/null
}

# --- O1: the states of an owner

scene
for state in running paused restarting; do
	agent $state --state $state
	unkept $state pg
done
for state in exited dead removing; do
	agent $state --state $state --finished "$OLD"
	unkept $state pg
done
agent created-now --state created --created "$(ago 60)"
unkept created-now pg
agent created-long-ago --state created
unkept created-long-ago pg
agent created-some-day --state created --created 0001-01-01T00:00:00Z
unkept created-some-day pg
agent ended-now --state exited --finished "$(ago 5)"
unkept ended-now pg
agent ended-some-day --state exited --finished 0001-01-01T00:00:00Z
unkept ended-some-day pg
agent ends-some-day --state exited --finished "$(ago -3600)"
unkept ends-some-day pg
sk sweep
is "$rc" 0 'O1: owners in every state'
is "$(boxes)" 'created-now created-some-day ended-now ended-some-day ends-some-day paused restarting running ' \
    'O1, S5: alive, just made, just ended, or unknown: kept; others go'

# --- S3: names are matched whole

scene
agent dev-1x
agent dev-1.x
fake container xroboco-agent-dev-1 >/dev/null
fake container roboco-agent-devx2 >/dev/null
fake container Roboco-agent-dev-1 >/dev/null
unkept dev-1 pg
unkept dev.2 pg
unkept dev-1.x pg
sk sweep --grace 0
is "$rc $(boxes)" '0 dev-1.x ' \
    'S3: an owner is a container of exactly that name'

# --- the owner by the id that was recorded

scene
sweeps 1
sandbox dev-1 pg
entry dev-1 "owner-id=$(id_of renamed)" pg
fake container renamed --id "$(id_of renamed)" >/dev/null
sk sweep
is "$rc $(boxes)" '0 dev-1 ' 'O1: an owner that was renamed is found by its id'
fake set renamed state=exited "finished=$OLD"
sk sweep
is "$(boxes)" '' 'O1: until it ends'

# --- K2: other keepers

scene
agent alive
foreign alive pg --created "$(ago 90000)"
ended old
foreign old pg --created "$(ago 90000)"
ended young
foreign young pg
sk sweep --json
is "$rc $(boxes)" '0 alive young ' \
    'K2: another keeper'\''s: judged by its labels, after foreign-grace only'
check 'K2: the young one is kept as foreign' kept_by foreign young
like "$err" "roboco-sandbox-pg-young.*$OTHER" \
    'K2: it is reported with the id of its keeper'
is "$(jq -r '.decisions[]|select(.agent=="young").keeper' "$out_file")" \
    "$OTHER" 'K2: in the document, too'
sk sweep --set foreign-grace=1h
is "$(boxes)" 'alive ' 'K2: foreign-grace'
scene
ended old
foreign old pg --created "$(ago 900000)"
sk sweep --set foreign-grace=0
is "$(boxes)" 'old ' 'K2: foreign-grace 0: never'

# --- K4: what only looks like ours

scene
for slug in a b c d e f; do
	ended $slug
done
# labels as a committed image hands them on
unkept a pg
fake set roboco-sandbox-pg-a name=some-service
# the label with another value
unkept b pg
fake set roboco-sandbox-pg-b label.roboco.sandbox=2
# the name alone
fake container roboco-sandbox-pg-c --created "$OLD" >/dev/null
# another agent's labels
unkept d pg
fake set roboco-sandbox-pg-d label.roboco.sandbox.owner=roboco-agent-e
# no owner, no agent
unkept e pg
fake unset roboco-sandbox-pg-e label.roboco.sandbox.owner
# two owners
unkept f pg --label sandkeeper.owner=container:someone
# an engine that nobody has could still be one that somebody had
ended g
unkept g nosuch
# a part of a name, and a part of an engine that no engine has
ended h
unkept h pg
fake set roboco-sandbox-pg-h name=roboco-sandbox-h
ended i
unkept i pg
fake set roboco-sandbox-pg-i name=xroboco-sandbox-pg-i
ended j
unkept j pg
fake set roboco-sandbox-pg-j name=roboco-sandbox-p_g-j
before=$(fake list -q | grep -v nosuch)
sk sweep --grace 0
is "$rc" 0 'K4: containers that only look like ours'
is "$(fake list -q)" "$before" 'K4: are left, every one'
for name in some-service roboco-sandbox-pg-d roboco-sandbox-pg-e; do
	like "$err" "$name" "K4: $name is reported"
done

# --- S3: neither owner nor lease

scene
sandbox nobody pg --label sandkeeper.owner=none
fake unset roboco-sandbox-pg-nobody label.roboco.sandbox.owner
entry nobody owner=none pg
sk sweep --json --grace 0
is "$(boxes)" 'nobody ' 'S3: neither owner nor lease: never removed'
check 'S3: and that is why' kept_by no-owner nobody

# --- case 9: dates

scene
n=0
for date in 0001-01-01T00:00:00Z '' 1969-12-31T23:00:00Z \
    "$(ago -3600)" 2999-01-01T00:00:00.5Z; do
	n=$((n + 1))
	ended odd-$n
	unkept odd-$n pg
	fake set roboco-sandbox-pg-odd-$n "created=$date"
done
base=$(ago 3600)
for fraction in '' .1 .12345678 .123456789; do
	n=$((n + 1))
	ended plain-$n
	unkept plain-$n pg
	fake set roboco-sandbox-pg-plain-$n "created=${base%Z}${fraction}Z"
done
sk sweep --json
is "$rc $(boxes)" '0 odd-1 odd-2 odd-3 odd-4 odd-5 ' \
    'S3: an age that is unknown or in the future is kept'
for n in 1 2 3 4 5; do
	check "S3: odd-$n: that is why" kept_by age-unknown odd-$n
	like "$err" "roboco-sandbox-pg-odd-$n" "S3: odd-$n is reported"
done
scene
ended dev-1
sandbox dev-1 pg
entry dev-1 "handed=$(($(now) + 3600))" pg
sk sweep
is "$(boxes)" 'dev-1 ' 'S3: handed over in the future: kept'
scene
ended dev-1
sandbox dev-1 pg
sandbox dev-1 redis
fake set roboco-sandbox-redis-dev-1 created=0001-01-01T00:00:00Z
entry dev-1 pg redis
sk sweep
is "$rc $(fake list -q | grep sandbox)" '0 roboco-sandbox-redis-dev-1' \
    'S3: one of two has no age: that one is kept'
check 'S8: and the entry, which records it' has_entry dev-1

# --- an entry that cannot be read keeps everything of its agent

scene
ended dev-1
sandbox dev-1 pg
entry dev-1 pg
sed -i '1s/1/2/' "$T/state/agents/dev-1"
sk sweep --json --grace 0
is "$rc $(boxes)" '0 dev-1 ' 'an entry of a newer version: kept'
check 'and that is why' kept_by unreadable dev-1
check 'and the entry is left as it is' grep -q 'sandkeeper 2' \
    "$T/state/agents/dev-1"

# --- K3: one daemon may have several names, and each has its entries

scene
agent dev-1
sandbox dev-1 pg
sandbox dev-1 redis
entry dev-1 pg
DOCKER_HOST=tcp://localhost:2375 sk sweep --json --grace 0
check 'K3: its entry is kept under another name of the daemon: kept' \
    has_container roboco-sandbox-pg-dev-1
check 'K3: and that is why' kept_by elsewhere dev-1
check 'K3: that entry is not touched' has_entry dev-1
check_not 'K3: one that no entry has goes' \
    has_container roboco-sandbox-redis-dev-1
mkdir -p "$T/state/daemons/tcp%3A%2F%2Ffar%3A1/agents"
mv "$T/state/agents/dev-1" "$T/state/daemons/tcp%3A%2F%2Ffar%3A1/agents"
chmod -R go-rwx "$T/state"
sk sweep --grace 0
check 'K3: seen from the default, too' has_container roboco-sandbox-pg-dev-1
rm "$T/state/daemons/tcp%3A%2F%2Ffar%3A1/agents/dev-1"
sk sweep --grace 0
check_not 'K3: and gone with that entry' has_container roboco-sandbox-pg-dev-1

# --- labels that forge

scene
agent dev-1
unkept dev-1 pg
ended dev-2
unkept dev-2 pg
fake set roboco-sandbox-pg-dev-2 "label.roboco.sandbox.owner=roboco-agent-dev-2
{\"id\":\"$(id_of roboco-sandbox-pg-dev-1)\",\"names\":\"roboco-sandbox-pg-dev-1\"}"
sk sweep --grace 0
is "$rc $(boxes)" '0 dev-1 dev-2 ' 'a label with a newline is one label'

done_testing
