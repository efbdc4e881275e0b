#!/bin/sh
# SPDX-License-Identifier: ISC
#
# completion: what a word could be, and that real shells make use of it.
# shellcheck disable=SC2016,SC2317 # text for shells; what check calls

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
TOP_SRCDIR=${TOP_SRCDIR:-$(cd "$TESTS_LIB/../.." && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/hostile.sh
. "$TESTS_LIB/../cli/hostile.sh"

# answers WORD...: what the last one could be, in one line, without help
answers()
{
	sk completion -- sandkeeper "$@"
	printf '%s\n' "$out" | cut -f 1 | tr '\n' ' ' | sed 's/ *$//'
}

# answers_are WANT WORD...
answers_are()
{
	want=$1
	shift
	is "$(answers "$@")" "$want" "sandkeeper $*<tab>"
}

scene
mkdir "$T/engines"
for name in mongo postgres redis; do
	cp "$SANDKEEPER_ENGINES_DIR/$name.conf" "$T/engines/"
done
SANDKEEPER_ENGINES_DIR=$T/engines
entry a1 pg redis
entry a2 pg
entry b.1 pg
agent a1
agent a2
fake container roboco-agent-a.3 >/dev/null
fake container stranger >/dev/null
sandbox a1 pg
cat >"$T/own.conf" <<'END'
project "api" { services = {"postgres"} }
project "web" { services = {"redis"} }
END

# --- commands and options, from the tables

sk help
help=$(printf '%s\n' "$out" |
    awk '/^commands:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }' |
    tr '\n' ' ' | sed 's/ $//')
answers_are "$help" ''
answers_are "$help" help ''
answers_are 'release remove renew' re
answers_are 'release remove renew' -v --config "$T/none" re
answers_are '' nosuch ''
answers_are '' nosuch --
answers_are '--config --set --docker --context --state-dir --timeout --json --quiet --verbose --help --version' --
answers_are '--dry-run --drain' sweep --dr
answers_are '--for --off --config --set --docker --context --state-dir --timeout --json --quiet --verbose --help --version' hold --
answers_are '--for --off --config --set --docker --context --state-dir --timeout --json --quiet --verbose --help --version' hold a1 ''
answers_are '' hold a1 --for ''
answers_are 'bash fish zsh --' completion ''
answers_are '' completion bash x
sk completion -- sandkeeper sweep --dry
like "$out" '^--dry-run	say what would go' 'an option comes with its help'

# --- agents and their services, from the cache

for command in connect ensure env hold list release renew why; do
	answers_are 'a1 a2' "$command" a
done
printf '{"agent":"%s"}\n' ago-1 a1 ago-2 ago-1 'a bad one' >"$T/log/history.jsonl"
echo '{"agent":' >>"$T/log/history.jsonl"
answers_are 'a1 a2 ago-1 ago-2' why a
answers_are 'a1 a2' release a
rm "$T/log/history.jsonl"
answers_are 'a1 a2 b.1' list b.1 a1 ''
answers_are '' hold a1 b
answers_are a1 hold --for 1h a1
answers_are 'postgres redis --' connect a1 ''
answers_are 'postgres --' connect a2 ''
answers_are redis connect a1 r
answers_are --  connect a1 redis ''
answers_are '' connect a1 redis -- ''
answers_are '--' env a1 ''
answers_are 'a1 a2 b.1 --' run --services postgres ''
answers_are ':command 4' env a1 -- ps
answers_are ':command 5' run --services redis -- make te
answers_are '' --state-dir "$T/nowhere" list a
mkdir -m 700 "$T/other" "$T/other/agents" "$T/other/locks"
cp "$T/state/agents/b.1" "$T/other/agents/elsewhere"
answers_are elsewhere "--state-dir=$T/other" env ''

# --- services, features, projects, settings

answers_are 'mongo postgres redis :nospace' ensure --services ''
answers_are 'postgres,mongo postgres,redis :nospace' ensure --services postgres,
answers_are '--services=redis,postgres :nospace' run --services=redis,p
answers_are 'redis :nospace' ensure --also r
answers_are 'postgres: :nospace' ensure --feature po
answers_are 'postgres:postgis postgres:pg_trgm' ensure --feature postgres:p
answers_are 'redis= :nospace' ensure --image r
answers_are 'redis= :nospace' ensure --init r
answers_are :files ensure --init postgres=sch
answers_are '' ensure --into ''	# it is inside a container
answers_are 'api web' -c "$T/own.conf" services --project ''
answers_are web "--config=$T/own.conf" ensure --project w
answers_are 'timeouts.ps= timeouts.pull= :nospace' --set timeouts.p
answers_are 'self' ensure --owner s
answers_are :files -c ''
answers_are :files --docker ''
answers_are :dirs --state-dir ''
calls_are '' 'no docker call for any of these'

# --- containers, from docker

answers_are 'roboco-agent-a.3 roboco-agent-a1 roboco-agent-a2' remove ''
answers_are roboco-agent-a2 remove x roboco-agent-a2
answers_are 'roboco-agent-a.3' remove roboco-agent-a.
answers_are stranger remove st
answers_are roboco-sandbox-pg-a1 why roboco-s
answers_are '' remove 'a;b'
calls_are 'ps ps ps ps ps' 'one docker call each, and none for a name that is none'

# --- whatever happens, it is silent

# silent DESC WORD...: it answers nothing, and says nothing
silent()
{
	desc=$1
	shift
	sk completion -- sandkeeper "$@"
	is "$rc$out$err" 0 "$desc: silent"
}

fake fault ps rc=1 'err=Cannot connect to the Docker daemon\n'
silent 'docker fails' remove ''
fake fault ps 'out={"id":\n'
silent 'half a line' remove ''
fake fault ps bytes=3000000
silent 'garbage' remove ''
fake fault ps
SANDKEEPER_DOCKER=/nowhere silent 'no docker' remove ''
echo 'grace = "soon"' >"$T/wrong.conf"
silent 'wrong settings' -c "$T/wrong.conf" ensure --services ''
silent 'wrong settings' -c "$T/wrong.conf" remove ''
chmod 777 "$T/other"
silent 'unsafe state' --state-dir "$T/other" list ''
echo nonsense >"$T/state/agents/a2"
answers_are 'mongo postgres redis --' connect a2 ''
entry a2 pg

sk completion tcsh
is "$rc" 65 'a shell that it does not know'
like "$err" 'bash, fish and zsh' 'it names those that it knows'
sk completion
is "$rc" 64 'no shell'

# --- how long it takes

# takes_at_most MS CMD...: the best of five, for the machine is not ours alone;
# below the sanitizers it may take longer
takes_at_most()
{
	most=$1
	shift
	plain_program || most=$((most * 10))
	for try in 1 2 3 4 5; do
		began=$(date +%s%N)
		"$@" >"$T/took" 2>&1 || return 1
		took=$((($(date +%s%N) - began) / 1000000))
		[ "$took" -gt "$most" ] || return 0
	done
	note "$took ms in try $try"
	return 1
}

for i in $(seq 1000); do
	sed "s/a2/n$i/" "$T/state/agents/a2" >"$T/state/agents/n$i"
done
answers_are "$(seq 1000 | sed 's/^/n/' | LC_ALL=C sort | tr '\n' ' ' |
    sed 's/ $//')" env n
check '1,000 entries: within half a second' takes_at_most 500 \
    "$SANDKEEPER" completion -- sandkeeper env n
rm "$T/state/agents"/n*

fake fault any hang=1
check 'the daemon hangs: containers within half a second' \
    takes_at_most 500 "$SANDKEEPER" completion -- sandkeeper remove ''
is "$(cat "$T/took")" '' 'and silent'
check 'the daemon hangs: the rest at once' takes_at_most 250 \
    "$SANDKEEPER" completion -- sandkeeper env ''
fake fault any

# --- the shells

mkdir "$T/bin" "$T/dir"
ln -s "$SANDKEEPER" "$T/bin/sandkeeper"
: >"$T/schema.sql"
PATH=$T/bin:$PATH
files=$TOP_SRCDIR/dist/completions

# What is typed, and the candidates that the last word becomes.
cat >"$T/typed" <<END
sandkeeper ens|ensure
sandkeeper sweep --ex|--explain
sandkeeper list a|a1 a2
sandkeeper -v list a2 b|b.1
sandkeeper ensure --services postgres,r|postgres,redis
sandkeeper ensure --services=postgres,r|--services=postgres,redis
sandkeeper ensure --feature postgres:pg|postgres:pg_trgm
sandkeeper ensure a --owner container:|container:
sandkeeper ensure --init postgres=$T/sch|postgres=$T/schema.sql
sandkeeper -c $T/own.conf services --project a|api
sandkeeper --state-dir $T/di|$T/dir
sandkeeper remove roboco-agent-a|roboco-agent-a.3 roboco-agent-a1 roboco-agent-a2
sandkeeper run -- mkfif|mkfifo
sandkeeper env a1 -- cat $T/sch|$T/schema.sql
sandkeeper -c $T/sch|$T/schema.sql
sandkeeper env nosuch|
END

# What is to become of the whole line, where all candidates are put into it.
whole()
{
	while IFS='|' read -r line candidates; do
		if [ -n "$candidates" ]; then
			echo "${line% *} $candidates"
		else
			echo "$line"
		fi
	done <"$T/typed"
}

# keys INSERT: types each line, has all candidates put into it, and makes a
# command of it that writes its words down
keys()
{
	while IFS='|' read -r line candidates; do
		printf '%s%b\001put \005\n' "$line" "$1"
	done <"$T/typed"
	echo exit
}

# on_terminal NAME SHELL...: the shell, and what it wrote down
on_terminal()
{
	shell_name=$1
	shift
	: >"$T/put"
	run script -qec "$*" /dev/null
	sed -e 's,\([^/]\)/*$,\1,' "$T/put" >"$T/got"
	is "$(cat "$T/got")" "$(whole)" "$shell_name: what is typed is completed"
	[ "$(cat "$T/got")" = "$(whole)" ] || note "$(cat -v "$out_file")"
}

put='put() { echo "$*" >>"$T/put"; }'
for name in bash fish zsh; do
	sk completion "$name"
	is "$rc" 0 "completion $name"
	cmp -s "$out_file" "$(ls "$files/$name"/*)" && same=yes || same=no
	is "$same" yes "completion $name: the file that is installed"
done

{
	echo ". '$files/bash/sandkeeper'"
	echo "$put"
} >"$T/rc.bash"
keys '\033*' >"$T/keys"
stdin=$T/keys
if command -v bash >/dev/null; then
	on_terminal bash "bash --noprofile --rcfile '$T/rc.bash' -i"
	echo ". /usr/share/bash-completion/bash_completion" >>"$T/rc.bash"
	if [ -r /usr/share/bash-completion/bash_completion ]; then
		on_terminal 'bash with bash-completion' \
		    "bash --noprofile --rcfile '$T/rc.bash' -i"
	fi
fi

mkdir "$T/zsh"
cat >"$T/zsh/.zshrc" <<END
fpath=('$files/zsh' \$fpath)
autoload -Uz compinit
compinit -u -d '$T/zsh/dump'
bindkey -e
unsetopt prompt_cr
zle -C all-matches complete-word _generic
bindkey '^Xa' all-matches
zstyle ':completion:all-matches:*' completer _all_matches _complete
zstyle ':completion:all-matches:*' insert yes
$put
END
keys '\030a' >"$T/keys"
if command -v zsh >/dev/null; then
	on_terminal zsh "ZDOTDIR='$T/zsh' zsh -d -i"
fi

stdin=/dev/null
if command -v fish >/dev/null; then
	while IFS='|' read -r line candidates; do
		run fish --no-config -c "
		    source '$files/fish/sandkeeper.fish'
		    complete -C '$line'"
		is "$(printf '%s\n' "$out" | cut -f 1 | sed 's,/$,,' |
		    LC_ALL=C sort | tr '\n' ' ' | sed 's/ $//')" \
		    "$candidates" "fish: $line<tab>"
	done <"$T/typed"
fi

done_testing
