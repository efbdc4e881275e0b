#!/bin/sh
# SPDX-License-Identifier: ISC
#
# remove: the log that it keeps (rule R2) and the history (rule R8).

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"

dumps()
{
	find "$T/log/agents/$1" -type f 2>/dev/null | LC_ALL=C sort
}

# remove_with LOGS OPTION...: an agent that has said this
remove_with()
{
	scene
	agent dev-1 --logs "$1"
	shift
	sk remove "$@" roboco-agent-dev-1
	is "$rc" 0 "R2: remove $*"
}

# --- where, and how

remove_with 'one
two
'
is "$(dumps dev-1 | wc -l)" 1 'R2: one dump'
dump=$(dumps dev-1)
like "$dump" "^$T/log/agents/dev-1/[0-9]{8}T[0-9]{6}Z\.log$" \
    'R2: LOGDIR/agents/SLUG/TIME.log'
is "$(stat -c %a "$dump")" 640 'R2: mode 0640'
is "$(cat "$dump")" 'one
two' 'R2: the whole log'

umask 077
remove_with 'one
'
is "$(stat -c %a "$(dumps dev-1)")" 640 'R2: mode 0640, whatever the umask'
umask 022

remove_with ''
is "$(dumps dev-1)" '' 'R2: an empty dump is deleted'

remove_with 'one
' --no-log
calls_are 'inspect rm inspect' 'R2: --no-log'
is "$(dumps dev-1)" '' 'R2: --no-log: no dump'

# --- bounded

remove_with 'one
two
three
' --set log-lines=2
is "$(cat "$(dumps dev-1)")" 'two
three' 'R2: --tail of log-lines'
like "$(calls logs)" '^logs --tail 2 ' 'R2: in these words'

scene
agent dev-1
fake fault logs bytes=300000
sk --set log-limit=1000 remove roboco-agent-dev-1
is "$rc" 0 'R2: a log beyond log-limit'
dump=$(dumps dev-1)
like "$(tail -n 1 "$dump")" 'cut here.*1000' 'R2: its last line says so'
is "$(head -n -1 "$dump" | head -c 1000 | wc -c)" 1000 'R2: cut there'
check 'R2: and not much later' test "$(wc -c <"$dump")" -lt 1200

scene
agent dev-1
fake fault logs 'out=all\n'
sk --set log-limit=4 remove roboco-agent-dev-1
is "$(cat "$(dumps dev-1)")" all 'R2: exactly log-limit is not cut'

# --- pruned

# Twenty-five dumps of a day each, and some other file.
old_dumps()
{
	scene
	agent dev-1 --logs 'new
'
	mkdir -p "$T/log/agents/dev-1" "$T/log/agents/dev-2"
	for day in 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 \
	    21 22 23 24 25; do
		echo old >"$T/log/agents/dev-1/202001${day}T000000Z.log"
	done
	echo note >"$T/log/agents/dev-1/note.txt"
	echo old >"$T/log/agents/dev-2/20200101T000000Z.log"
}

old_dumps
sk remove roboco-agent-dev-1
is "$(dumps dev-1 | grep -c '\.log$')" 20 'R2: the newest log-keep stay'
is "$(dumps dev-1 | head -n 1)" "$T/log/agents/dev-1/20200107T000000Z.log" \
    'R2: the newest by name'
check 'R2: what is no dump stays' test -e "$T/log/agents/dev-1/note.txt"
is "$(dumps dev-2 | wc -l)" 1 'R2: per agent'
old_dumps
sk --set log-keep=0 remove roboco-agent-dev-1
is "$(dumps dev-1 | grep -c '\.log$')" 26 'R2: log-keep 0 keeps all'
old_dumps
touch -d '31 days ago' "$T/log/agents/dev-1/20200125T000000Z.log"
touch -d '29 days ago' "$T/log/agents/dev-1/20200124T000000Z.log"
sk remove roboco-agent-dev-1
check_not 'R2: none older than log-max-age' \
    test -e "$T/log/agents/dev-1/20200125T000000Z.log"
check 'R2: a younger one stays' \
    test -e "$T/log/agents/dev-1/20200124T000000Z.log"

# --- a dump that fails is a warning

for fault in 'rc=1 err=no\040driver\n' signal=KILL hang=1; do
	scene
	agent dev-1 --logs 'one
'
	# shellcheck disable=SC2086 # words
	fake fault logs $fault
	SANDKEEPER_TIMEOUTS_LOGS=1s sk remove roboco-agent-dev-1
	is "$rc" 0 "R2: a dump that fails ($fault)"
	like "$err" '^sandkeeper: warning: roboco-agent-dev-1: its log' \
	    'R2: is a warning'
	containers_are '' 'R2: and the container goes'
done

scene
agent dev-1 --logs 'one
'
rm -r "$T/log"
: >"$T/log"
sk remove roboco-agent-dev-1
is "$rc" 0 'R2: a log directory that is none'
like "$err" 'warning: roboco-agent-dev-1: its log is not kept' \
    'R2: is a warning'
like "$err" 'warning: .*: this end is not in the history' 'R8: so is the history'
containers_are '' 'R2: and the container goes'

# --- no name leads outside

for name in plain.one roboco-agent-.. roboco-agent-..x roboco-agent-UPPER \
    roboco-agent- agents..; do
	scene
	fake container "$name" --logs 'one
' >/dev/null
	before=$(cd "$T" && find . -path ./log -prune -o -path ./fake -prune \
	    -o -print | LC_ALL=C sort)
	sk remove "$name"
	is "$rc" 0 "R2: a container named $name"
	is "$(cd "$T/log" && find . -name '*.log' | cut -d / -f 2- |
	    sed 's,/[0-9TZ]*\.log$,,')" "agents/$name" 'R2: has its own folder'
	is "$(cd "$T" && find . -path ./log -prune -o -path ./fake -prune \
	    -o -print | LC_ALL=C sort)" "$before" 'R2: nothing outside'
done

scene
agent dev-1 --logs 'one
'
mkdir -p "$T/log/agents" "$T/elsewhere"
ln -s "$T/elsewhere" "$T/log/agents/dev-1"
sk remove roboco-agent-dev-1
is "$rc" 0 'R2: a symbolic link in the place of the folder'
is "$(ls "$T/elsewhere")" '' 'R2: is not followed'

# --- R8

scene
agent dev-1 --state exited --exit 3
sandbox dev-1 pg
fake set roboco-sandbox-pg-dev-1 status=exited exit=137 oom=true
fake set roboco-sandbox-pg-dev-1 'logs=start
password is secret-pg-dev-1!
'
entry dev-1 pg
sk remove --reason 'it was "done"' roboco-agent-dev-1
is "$rc" 0 'R8: a dead agent with a dead sandbox'
is "$(history | wc -l)" 2 'R8: a line for each end'
is "$(history | jq -r '[.agent,.container,.cause,.reason,.exit_code,.oom_killed] |
    join(" ")')" \
    'dev-1 roboco-agent-dev-1 remove it was "done" 3 false
dev-1 roboco-sandbox-pg-dev-1 remove it was "done" 137 true' \
    'R8: agent, container, cause, reason, and how it died'
is "$(history | jq -r .id)" "$(id_of roboco-agent-dev-1)
$(id_of roboco-sandbox-pg-dev-1)" 'R8: their ids'
like "$(history | jq -r .time | head -n 1)" \
    '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z$' 'R8: the time'
like "$(history | jq -r .last_lines)" '^password is ' 'R8: its last log lines'
unlike "$(history)" secret-pg-dev-1 'R8: secrets are masked'

scene
agent dev-1
head -c 8388608 /dev/zero | tr '\0' '\n' >"$T/log/history.jsonl"
echo older >"$T/log/history.jsonl.1"
sk remove roboco-agent-dev-1
sk remove roboco-agent-dev-1
agent dev-1
sk remove roboco-agent-dev-1
is "$(history | wc -l)" 1 'R8: at 8 MB a new file is begun'
check 'R8: one old file is kept' test "$(wc -c <"$T/log/history.jsonl.1")" \
    -gt 8388608

done_testing
