#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Issue 3, logging: what -q, -v and -vv show; priorities where stderr is the
# journal's; the setting syslog.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"

# janitor: something to remove, and something that fails
janitor()
{
	scene
	sweeps
	for slug in dev-1 dev-2; do
		agent "$slug" --state exited --finished "$OLD"
		sandbox "$slug" pg
		entry "$slug" pg
	done
	fake fault rm rc=1 'err=Error response from daemon: device or resource busy\n' \
	    "when=$(id_of roboco-sandbox-pg-dev-1)"
}

# starts: the beginnings of the lines on stderr, each once
starts()
{
	printf '%s\n' "$err" | sed 's/sandkeeper: \(warning: \)\{0,1\}.*/sandkeeper: \1/' |
	    LC_ALL=C sort -u | tr '\n' '|'
}

# --- levels

janitor
sk sweep
is "$(starts)" 'sandkeeper: |sandkeeper: warning: |' 'what was done, and warnings'
like "$err" 'dev-2: removed roboco-sandbox-pg-dev-2' 'what was done'
unlike "$err" 'entry is forgotten| ms$' 'no more'
janitor
sk sweep -q
is "$(starts)" 'sandkeeper: warning: |' '-q: warnings alone'
janitor
sk sweep -v
like "$err" 'dev-2: its entry is forgotten' '-v: why'
unlike "$err" ' ps -a .*exit code 0' '-v: no docker calls'
janitor
sk sweep -vv
like "$err" ' ps -a .*: exit code 0, [0-9]+ ms' '-vv: every docker call'
like "$err" ' rm -f -v .*: exit code 1, [0-9]+ ms' '-vv: with its exit code'
is "$(printf '%s\n' "$err" | grep -c ' ms$')" "$(calls | wc -l)" \
    '-vv: a line for each'

# --- the journal

# The file of stderr stays the same from run to run.
in_journal()
{
	JOURNAL_STREAM=$(stat -c %d:%i "$err_file") sk "$@"
}

janitor
in_journal sweep -vv
is "$(printf '%s\n' "$err" | grep -vc '^<[4-7]>sandkeeper: ')" 0 \
    'the journal: each line has its priority'
like "$err" '^<4>sandkeeper: warning: dev-1' 'a warning: 4'
like "$err" '^<6>sandkeeper: dev-2: removed' 'what was done: 6'
like "$err" '^<7>sandkeeper: .* ps -a' 'docker calls: 7'
in_journal release ../x
is "$(printf '%s\n' "$err" | sed 's/sandkeeper:.*//')" '<3>
<3>' 'a failure and its hint: 3'
JOURNAL_STREAM=1:1 sk release ../x
unlike "$err" '^<' 'not where stderr is another file than the journal'\''s'
JOURNAL_STREAM=x sk release ../x
unlike "$err" '^<' 'nor where the variable is none'

# --- syslog: the same on stderr, and no harm where nobody listens

janitor
sk sweep
before=$(printf '%s\n' "$err" | sed 's/([^)]*old)//')
janitor
sk sweep --set syslog=true
is "$rc" 0 'syslog: exit code'
is "$(printf '%s\n' "$err" | sed 's/([^)]*old)//')" "$before" \
    'syslog: stderr has all of it, too'
sk sweep --set syslog=maybe
is "$rc" 78 'syslog: true or false'

done_testing
