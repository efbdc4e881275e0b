#!/bin/sh
# SPDX-License-Identifier: ISC
# scripts/check-docs sees it when documents and sources drift apart, on either
# side.  That ours do not is its own business, and scripts/check runs it.
set -eu

top=${TOP_SRCDIR-$(cd "$(dirname "$0")/../.." && pwd)}
: "${SANDKEEPER:?is to be the path of the program}"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
tree=$dir/tree
count=0

mkdir "$tree"
for name in .ci ARCHITECTURE HACKING LICENSE NEWS README dist engines man \
    scripts src tests; do
	cp -R "$top/$name" "$tree/"
done
chmod -R u+w "$tree"
"$top/scripts/check-docs" "$tree" >"$dir/before" 2>&1 || :

# expect NAME TEXT: the comparison that fails, and a line below it.
expect() {
	printf '%s\t%s\n' "$1" "$2" >>"$dir/expected"
}

# drift FILE SED: one change, which is one.
drift() {
	sed "$2" "$tree/$1" >"$dir/new"
	if cmp -s "$dir/new" "$tree/$1"; then
		echo "Bail out! $1 is as it was after: $2"
		exit 1
	fi
	cp "$dir/new" "$tree/$1"
}

page=man/sandkeeper.8

drift $page '/^\.Sh NAME/,/^\.Sh DESC/s/^\.Op Fl -fresh$/.Op Fl -stale/'
expect 'SYNOPSIS: ensure' 'in help alone: fresh -'
expect 'SYNOPSIS: ensure' "in $page alone: stale -"
drift $page 's/^\.It Fl -force$/.It Fl -farce/'
expect 'options: release' 'in help alone: - force -'
expect 'options: release' "in $page alone: - farce -"
drift $page 's/^\.Op Fl -stop Ar D$/.Op Fl -stop Ar SECONDS/'
expect 'SYNOPSIS: remove' 'in help alone: stop D'
drift $page 's/^\.Op Ar AGENT\.\.\.$/.Ar AGENT.../'
expect 'SYNOPSIS: list' 'in help alone: operands: [AGENT...]'
drift $page 's/^\.Cm why$/.Cm whence/'
expect 'commands: SYNOPSIS' 'in help alone: why'
expect 'commands: SYNOPSIS' "in $page alone: whence"
drift $page 's/^\.Ss services$/.Ss wares/'
expect 'commands: sections' 'in help alone: services'
expect 'commands: sections' "in $page alone: wares"
drift README '/^    services /d'
expect 'commands: README' 'in help alone: services'
drift $page 's/^\.It Fl q , Fl -quiet$/.It Fl s , Fl -quiet/'
expect 'options: global' 'in help alone: q quiet -'
expect 'options: global' "in $page alone: s quiet -"

drift src/cmd/failure.c 's/{ "busy", EX_TEMPFAIL/{ "busy", EX_IOERR/'
expect 'kinds of failures' 'in src/cmd/failure.c alone: busy 74 yes'
expect 'kinds of failures' "in $page alone: busy 75 yes"
drift $page 's/^\.It 126 , 127$/.It 126/'
expect 'exit codes' 'in src/cmd/failure.c alone: 127'
drift src/cmd/run.c 's/failure_code = 125,/failure_code = 124,/'
expect 'exit codes' 'in src/cmd/failure.c alone: 124'
expect 'exit codes' "in $page alone: 125"
drift $page 's/^\.Ql owner-back ,$/.Ql owner-returned ,/'
expect 'events of a watch' 'in src/core/watch_hear.c alone: owner-back'
expect 'events of a watch' "in $page alone: owner-returned"
drift $page '/^\.It 73$/d'
expect 'exit codes' 'in src/cmd/failure.c alone: 73'
drift src/core/judge.c 's/"leased"/"rented"/'
expect verdicts 'in src/core/judge.c alone: keep rented its lease'
expect verdicts "in $page alone: keep leased its lease"
drift src/core/sweep_report.c 's/"would-remove"/"may-remove"/'
expect 'outcomes of a sweep' 'in src/core/sweep_report.c alone: may-remove'
expect 'outcomes of a sweep' "in $page alone: would-remove"
drift src/cmd/list.c 's/"owner_state"/"owner_mood"/'
expect 'keys of JSON' 'in src alone: owner_mood'
expect 'keys of JSON' "in $page alone: owner_state"
drift src/core/scheme.h 's/"sandkeeper\.expires"/"sandkeeper.ends"/'
expect labels 'in src/core/scheme.h alone: sandkeeper.ends'
expect labels "in $page alone: sandkeeper.expires"

drift src/config/setting.c 's/AT(owner_grace), "30s"/AT(owner_grace), "31s"/'
expect settings 'in src/config/setting.c alone: owner-grace duration (31s)'
expect settings 'in man/sandkeeper.conf.5 alone: owner-grace duration (30s)'
drift src/config/setting.c 's/"log-keep", SETTING_COUNT/"log-keep", SETTING_SIZE/'
expect settings 'in src/config/setting.c alone: log-keep size (20)'
drift dist/sandkeeper.conf.example '/^#cpus = /d'
expect 'settings: example' 'in src/config/setting.c alone: cpus (1)'
drift dist/sandkeeper.conf.example 's/^#memory = .*/#memory = "much"/'
expect 'settings: example' \
    'in dist/sandkeeper.conf.example alone: memory (much)'
expect 'the example with everything in it is accepted' 'all.conf is refused'
drift src/config/engine.c 's/TEXT("shm-size"/LIST("shm-size"/'
expect 'keys of engines' 'in src/config/engine.c alone: shm-size list'
drift man/sandkeeper-engines.5 's/^\.It Ic run-as /.It Ic walk-as /'
expect 'keys of engines' 'in src/config/engine.c alone: run-as text'
expect 'keys of engines' 'in man/sandkeeper-engines.5 alone: walk-as text'
drift src/config/engine.c "s/case 'v':/case 'x':/"
expect placeholders 'in src/config/engine.c alone: %x'
expect placeholders 'in man/sandkeeper-engines.5 alone: %v'
echo 'engine "zebra" { like = "redis" short = "z" }' >"$tree/engines/z.conf"
expect 'every engine is in the manual' zebra

: >"$tree/src/base/novel.c"
expect 'source files' 'in src alone: base/novel.c'
rm "$tree/src/core/ready.c"
expect 'source files' 'in ARCHITECTURE alone: core/ready.c'
expect 'sources that the texts speak of' 'ARCHITECTURE names core/ready.c'
echo 'See tests/lib/nothing.sh and src/nowhere/NAME.c.' >>"$tree/HACKING"
expect paths 'HACKING names tests/lib/nothing.sh, which is not there'
expect paths 'HACKING names src/nowhere/NAME.c, which is not there'
rm "$tree/LICENSE"
expect paths 'README names LICENSE, which is not there'
drift src/store/entry_text.c 's/{ "handed", /{ "bestowed", /'
expect 'keys of an entry' 'ARCHITECTURE lacks the key bestowed of an entry'
drift dist/completions/fish/sandkeeper.fish 's/-ct/-co/'
expect 'completions: as the program prints them' 'set -l word (commandline -co)'
drift NEWS 's/^[0-9][0-9.]*$/9.9/'
expect 'the version' 'in NEWS alone: 9.9'

status=0
"$top/scripts/check-docs" "$tree" >"$dir/after" 2>&1 || status=$?

# The lines below "not ok - NAME".
below() {
	awk -v title="not ok - $1" '/^(not )?ok - / { on = $0 == title; next }
		on' "$2"
}

while IFS='	' read -r name text; do
	count=$((count + 1))
	if below "$name" "$dir/before" | grep -qF "$text" ||
	    ! below "$name" "$dir/after" | grep -qF "$text"; then
		echo "not ok $count - $name: $text"
		below "$name" "$dir/after" | sed 's/^/# after: /'
	else
		echo "ok $count - $name: $text"
	fi
done <"$dir/expected"
count=$(($(wc -l <"$dir/expected") + 1))
if [ "$status" -eq 1 ]; then
	echo "ok $count - the exit code tells of it"
else
	echo "not ok $count - the exit code tells of it: $status"
fi
echo "1..$count"
