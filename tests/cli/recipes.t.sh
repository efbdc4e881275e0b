#!/bin/sh
# SPDX-License-Identifier: ISC
#
# What README and manual tell to type is typed: the recipes, the examples, the
# first session.  It is taken out of them each time.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
TOP_SRCDIR=${TOP_SRCDIR:-$(cd "$TESTS_LIB/../.." && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/ensure.sh
. "$TESTS_LIB/../cli/ensure.sh"
# shellcheck source=tests/cli/recipes.sh
. "$TESTS_LIB/../cli/recipes.sh"

find_python

# What is run in a sandbox, and so must find one.
needs_sandbox()
{
	grep -Eq '(^| )(psql|pytest|make test|make nightly|\./run-tests)' "$1" ||
	    grep -q '^import pytest' "$1"
}

# recipe BLOCK NAME: it succeeds, its command finds a sandbox, nothing is left.
recipe()
{
	play "$1"
	is "$rc" 0 "$2"
	! needs_sandbox "$1" || check "$2: its command has a sandbox" has_run
	is "$(fake list -q | grep "^$BOX-")" '' "$2: no sandbox is left"
}

# --- the recipes of README

is "$(readme_sections)" 'Two commands
A first session
From scripts and CI jobs
What it promises
The janitor' 'README: the sections with commands are known here'

readme_blocks 'From scripts and CI jobs'
is "$(for block in "$blocks"/[0-9][0-9]; do kind_of "$block"; done)" 'sh
make
gitlab
github
pytest
cron' 'README: its recipes'
for block in "$blocks"/[0-9][0-9]; do
	world
	recipe "$block" "README: $(cut -d ' ' -f 1-3 "$block.intro")"
done

# Commands in its prose.
readme_section 'From scripts and CI jobs' | tr '`' '\n' |
    grep '^sandkeeper ' >"$blocks/prose"
check 'README: commands in the prose' test -s "$blocks/prose"
while read -r line; do
	world
	run sh -ec "$line"
	is "$rc" 0 "README: $line"
	check "README: $line: its command has a sandbox" has_run
done <"$blocks/prose"

# --- the sessions of README

# The settings file that it writes is what counts.
readme_blocks 'A first session'
world
unset SANDKEEPER_ENABLED
for block in "$blocks"/[0-9][0-9]; do
	is "$(kind_of "$block")" session 'README: a first session'
	session "$block"
done
for title in 'What it promises' 'The janitor'; do
	readme_blocks "$title"
	world
	for block in "$blocks"/[0-9][0-9]; do
		[ "$(kind_of "$block")" != session ] || session "$block"
	done
done
is "$(ls "$T/etc/cron.d")" sandkeeper 'README: the janitor is in cron.d'
world
sandbox gone-1 pg
sweeps 1
play_cron "$TOP_SRCDIR/dist/cron.d/sandkeeper"
is "$rc$out$err" 0 'dist/cron.d/sandkeeper: its line, and it is quiet'
check_not 'dist/cron.d/sandkeeper: it sweeps' \
    has_container "$BOX-pg-gone-1"

# --- the manual

manual_blocks sandkeeper.8 'FROM A SCRIPT'
check 'FROM A SCRIPT: has blocks' test -e "$blocks/05"
for block in "$blocks"/[0-9][0-9]; do
	world
	fake image IMAGE:latest '{"run":"dies","exit":0}' >/dev/null
	recipe "$block" "FROM A SCRIPT: $(head -n 1 "$block")"
	grep -q keep-on-failure "$block" || continue
	world
	printf 'test:\n\tpsql and fails\n\tfalse\n' >Makefile
	recipe "$block" 'FROM A SCRIPT: the same where the command fails'
	like "$(calls)" '^exec -i [0-9a-f]* psql ' 'FROM A SCRIPT: the client'
done

# An agent, but where the example makes it; and its sandbox, but where the
# example makes that.
manual_blocks sandkeeper.8 EXAMPLES
check 'EXAMPLES: has blocks' test -e "$blocks/10"
for block in "$blocks"/[0-9][0-9]; do
	world
	fake network ci >/dev/null
	grep -q 'docker run' "$block" || agent be-dev-1 --network ci
	grep -Eq 'ensure|docker run' "$block" || run sandkeeper ensure \
	    be-dev-1 --services postgres,redis
	play "$block"
	is "$rc" 0 "EXAMPLES: $(head -n 1 "$block")"
done

manual_blocks sandkeeper-engines.5 'ADD AN ENGINE IN ONE FILE'
world
owner be-dev-1
for block in "$blocks"/[0-9][0-9]; do
	play "$block"
	is "$rc" 0 "ADD AN ENGINE IN ONE FILE: $(head -n 1 "$block")"
done
run sandkeeper env be-dev-1 --dotenv
is "$out" "SMTP_HOST=$BOX-mail-be-dev-1
SMTP_PORT=1025" 'ADD AN ENGINE IN ONE FILE: its variables'

manual_blocks sandkeeper-engines.5 EXAMPLES
world
owner be-dev-1
for block in "$blocks"/[0-9][0-9]; do
	play "$block"
	is "$rc" 0 "sandkeeper-engines: EXAMPLES: $(head -n 1 "$block")"
done
for section in PROJECTS ENGINES EXAMPLES; do
	manual_blocks sandkeeper.conf.5 "$section"
	for block in "$blocks"/[0-9][0-9]; do
		world
		play "$block"
		is "$rc" 0 "sandkeeper.conf: $section: $(head -n 1 "$block")"
	done
done
# A setting in a file, in the environment, and as an option.
manual_blocks sandkeeper.conf.5 DESCRIPTION
world
sed 's/   .*//' "$blocks/01" >"$T/three"
sed -n 1p "$T/three" >"$T/one.conf"
run sh -ec "$(sed -n 2p "$T/three") sandkeeper -c '$T/one.conf' \
    $(sed -n 3p "$T/three") services"
is "$rc" 0 'sandkeeper.conf: DESCRIPTION: three places for a setting'

is "$(awk '/^\.Sh / { title = $0 } /^\.(Bd -literal|Dl|D1)/ {
	sub(/.*\//, "", FILENAME); print FILENAME ": " substr(title, 5) }' \
    "$TOP_SRCDIR"/man/*.[1-9] | LC_ALL=C sort -u)" \
    'sandkeeper-engines.5: ADD AN ENGINE IN ONE FILE
sandkeeper-engines.5: EXAMPLES
sandkeeper.8: EXAMPLES
sandkeeper.8: FROM A SCRIPT
sandkeeper.conf.5: DESCRIPTION
sandkeeper.conf.5: ENGINES
sandkeeper.conf.5: EXAMPLES
sandkeeper.conf.5: PROJECTS' 'the manuals: the sections with examples are known here'

cd /
rm -rf "$blocks"
done_testing
