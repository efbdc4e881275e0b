#!/bin/sh
# SPDX-License-Identifier: ISC
#
# What all commands have in common: help, global options, what goes to stdout
# and what to stderr, signals, and odd surroundings.  Failures are in
# failure.t.sh.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"

one=roboco-sandbox-pg-dev-1

orphan()
{
	scene
	agent dev-1 --state exited --finished "$OLD"
	sandbox dev-1 pg
	entry dev-1 pg
}

# --- help and version

scene
rm -r "$T/state"
sk help
is "$rc$err" 0 'help'
help=$out
sk --help
is "$rc $out" "0 $help" '--help is the same'
sk -h
is "$rc $out" "0 $help" '-h is the same'
commands=$(printf '%s\n' "$help" | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
like "$commands" '^sweep$' 'help lists the commands'
for command in $commands; do
	sk help "$command"
	is "$rc $(printf '%s\n' "$out" | grep -c "^usage: sandkeeper $command")" \
	    '0 1' "help $command"
	told=$out
	sk "$command" --help
	is "$rc $out" "0 $told" "$command --help is the same"
done
sk help nosuch
is "$rc$out" 64 'help for what is not there'
sk --version
like "$out" '^sandkeeper [0-9]' '--version'
version=$out
for words in -V 'list -V' 'release --version'; do
	# shellcheck disable=SC2086 # words
	sk $words
	is "$rc $out" "0 $version" "$words is the same"
done
calls_are '' 'no docker call'
check_not 'no state is made' test -e "$T/state"

# --- suggestions

# suggests WORDS WHAT
suggests()
{
	# shellcheck disable=SC2086 # words
	sk $1
	is "$rc$out" 64 "$1: usage"
	like "$err" "did you mean '?$2'?\?" "$1: means $2"
}
suggests relase release
suggests sweeep sweep
suggests lsit list
suggests 'sweep --dryrun' --dry-run
suggests '--jsn list' --json
sk frobnicate
is "$rc" 64 'something else: usage'
like "$err" "'sandkeeper help' lists them" 'something else: where to look'
sk
is "$rc$out" 64 'no command: usage'
sk -x list
is "$rc" 64 'an unknown letter: usage'
sk --state-dir
is "$rc" 64 'an option without its value: usage'
sk --json=yes list
is "$rc" 64 'a value that no option takes: usage'

# --- global options, before and after the command

orphan
echo 'enabled = false' >"$T/off.conf"
unset SANDKEEPER_ENABLED
sk -c "$T/off.conf" sweep
calls_are '' '-c before the command'
sk sweep --config="$T/off.conf"
calls_are '' '--config= after it'
sk -c "$T/off.conf" --set enabled=true sweep --dry-run
is "$(fake count)" 3 '--set before it'
fake reset-calls
sk sweep --dry-run --set enabled=false --set enabled=true
is "$(fake count)" 3 '--set after it; the last counts'
fake reset-calls
sk --set enabled=true sweep --set enabled=false
calls_are '' '--set: after overrides before'
SANDKEEPER_DOCKER=/nowhere sk --docker "$FAKE_DOCKER" list
calls_are 'ps ps' '--docker before'
fake reset-calls
SANDKEEPER_DOCKER=/nowhere sk list --docker "$FAKE_DOCKER"
calls_are 'ps ps' '--docker after'
for place in before after; do
	other=$T/other-$place
	mkdir -m 700 "$other" "$other/agents"
	cp "$T/state/keeper" "$other/keeper"
	cp "$T/state/agents/dev-1" "$other/agents/dev-1"
done
sk --state-dir "$T/other-before" release dev-1
check_not '--state-dir before' test -e "$T/other-before/agents/dev-1"
sk release dev-1 --state-dir="$T/other-after"
check_not '--state-dir after' test -e "$T/other-after/agents/dev-1"
check 'and no other' has_entry dev-1
sk --json list
before=$(jq -c 'map(del(.age))' "$out_file")
sk list --json
is "$(jq -c 'map(del(.age))' "$out_file")" "$before" '--json before and after'
sk -q --set enabled=true sweep --dry-run
is "$err" '' '-q before'
sk --set enabled=true sweep --dry-run --quiet
is "$err" '' '--quiet after'
sk --context nosuch list
is "$rc" 69 '--context: that is not there'
mkdir -p "$HOME/.docker/contexts/meta/x"
echo '{"Name":"far","Endpoints":{"docker":{"Host":"tcp://far:1"}}}' \
    >"$HOME/.docker/contexts/meta/x/meta.json"
sk release dev-1 --context far
check 'K3: --context: another daemon has entries of its own' has_entry dev-1
DOCKER_CONTEXT=far sk release dev-1
check 'K3: DOCKER_CONTEXT' has_entry dev-1
DOCKER_CONTEXT=far sk --context default release dev-1
check_not 'K3: --context overrides it' has_entry dev-1

# --- how much is said

orphan
sk -v sweep
is "$out" '' '-v: nothing on stdout'
like "$err" 'dev-1: its entry is forgotten' '-v: says why'
unlike "$err" 'exit code 0' '-v: no docker calls'
orphan
sk -vv list
is "$(printf '%s\n' "$err" | grep -c "ps -a .*: exit code 0, [0-9]* ms$")" 2 \
    '-vv: every docker call, with exit code and duration'
sk -v list -v
like "$err" 'exit code 0' '-v before and after makes two'
is "$(printf '%s\n' "$err" | grep -vc '^sandkeeper: ' || :)" 0 \
    'every line begins with the program'\''s name'
like "$out" '^dev-1 ' '-vv: stdout is the result alone'

scene
agent dev-1 --network team
fake image postgres:16-alpine '{"logs":"ready\n"}'
sk -vv ensure dev-1 --services postgres --env
is "$rc" 0 'ensure -vv'
password=$(sed -n 's/^password=//p' "$T/state/agents/dev-1")
like "$password" '^[0-9a-f]{32}$' 'E8: (a password)'
unlike "$err" "$password" 'E8: no password on stderr, not even with -vv'
unlike "$(calls)" "$password" 'E8: none in an argv'
sk -vv release dev-1
unlike "$err$(history)" "$password" 'E8: none when it goes'

# --- signals

for signal in 'HUP 129' 'INT 130' 'TERM 143'; do
	orphan
	before=$(state | grep -v sweep.lock)
	fake fault ps.1 hang=term
	start "$SANDKEEPER" sweep
	wait_for sh -c "[ \$('$FAKE_DOCKER' fake-count ps) = 1 ]"
	kill "-${signal% *}" "$pid"
	finish
	is "$rc" "${signal#* }" "ended by SIG${signal% *}: ${signal#* }"
	is "$(state)" "$before" 'nothing changed, no lock is left'
done

# --- odd surroundings

for closed in '<&-' '>&-' '2>&-' '<&- >&- 2>&-'; do
	orphan
	fake set roboco-agent-dev-1 'logs=a line
'
	sh -c "exec '$SANDKEEPER' remove roboco-agent-dev-1 $closed" \
	    >/dev/null 2>&1 && rc=0 || rc=$?
	is "$rc" 0 "remove $closed"
	is "$(cat "$T"/log/agents/dev-1/*)" 'a line' 'the dump is the log alone'
	check 'and the history history alone' \
	    jq -e .cause "$T/log/history.jsonl"
done

orphan
env -i FAKE_DOCKER_DIR="$FAKE_DOCKER_DIR" "$SANDKEEPER" --docker "$FAKE_DOCKER" \
    --state-dir "$T/state" --set enabled=true --set log-dir="$T/log" \
    --set engines-dir="$SANDKEEPER_ENGINES_DIR" sweep 2>/dev/null &&
    rc=0 || rc=$?
is "$rc" 0 'without any environment'
check_not 'it sweeps' has_container $one

done_testing
