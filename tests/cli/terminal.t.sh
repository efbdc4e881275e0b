#!/bin/sh
# SPDX-License-Identifier: ISC
#
# What is only for a terminal: colours, a table that fits, and a line that says
# what is waited for.  Elsewhere there is none of it.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/ensure.sh
. "$TESTS_LIB/../cli/ensure.sh"

command -v script >/dev/null || skip_all 'needs script(1)'

TERM=xterm
COLUMNS=80
export TERM COLUMNS
escape=$(printf '\033')

# tty COLUMNS ARG...: the program on a terminal of that width
tty()
{
	columns=$1
	shift
	: >"$T/words"
	for word in "$@"; do
		printf " '%s'" "$word" >>"$T/words"
	done
	run script -qec "stty cols $columns; exec '$SANDKEEPER'$(cat "$T/words")" \
	    /dev/null
	out=$(printf '%s' "$out" | tr -d '\r')
}

# The same without what erases a line and what was erased by it.
seen()
{
	sed -E 's/\r$//; s/.*\r\x1b\[K//' "$out_file"
}

plain()
{
	printf '%s\n' "$out" | sed -E 's/\x1b\[[0-9]*m//g'
}

longest()
{
	plain | awk 'length > n { n = length } END { print n + 0 }'
}

# --- list fits

scene
agent be-dev-1
sandbox be-dev-1 pg
entry be-dev-1 pg
agent be-dev-2 --state exited --finished "$OLD"
sandbox be-dev-2 redis
entry be-dev-2 redis
tty 100 list
like "$(plain)" '^AGENT +SERVICE +STATE +OWNER +AGE +LEASE +HOLD +CONTAINER$' \
    'list: where there is room, all columns'
tty 80 list
like "$(plain)" '^AGENT +SERVICE +STATE +OWNER +AGE +HOLD +CONTAINER$' \
    'list: at 80 columns without one in which nothing stands'
is "$([ "$(longest)" -le 80 ] && echo fits)" fits 'list: no line is longer than 80'
tty 75 list
like "$(plain)" '^AGENT +SERVICE +STATE +OWNER +AGE +CONTAINER$' \
    'list: and without the next one'
entry be-dev-1 "hold=$(($(now) + 600))" pg
tty 80 list
like "$(plain)" '^be-dev-1 +postgres +running +alive +60m +(9|10)m +robo' \
    'list: a hold keeps its column; times are such as 10m'
tty 60 list
like "$(plain)" '^AGENT +SERVICE +STATE +OWNER +AGE +HOLD$' \
    'list: narrower: without the name, which agent and service tell'
long=a$(printf 'b%.0s' $(seq 44))
agent "$long"
sandbox "$long" pg
entry "$long" pg
tty 60 list
is "$([ "$(longest)" -le 60 ] && echo fits)" fits 'list: a long name is cut'
like "$(plain)" '^ab+\.\.\. +postgres +running' 'list: and says so'
sk list
like "$out" "^$long +postgres +running +alive +60m +- +- +$BOX-pg-$long$" \
    'list: into a pipe everything, whatever the width'
unlike "$out" "$escape" 'and no colour'

# --- colours

tty 100 list
like "$out" "^$escape\[1mAGENT" 'colours: the head is bold'
like "$out" "$escape\[32malive$escape\[0m" 'colours: who is alive is green'
like "$out" "$escape\[31mstopped$escape\[0m" 'colours: who is not is red'
tty 100 env nosuch
like "$out" "^$escape\[31msandkeeper:$escape\[0m nosuch: it has no" \
    'colours: a failure stands out'
like "$out" "^sandkeeper: $escape\[36mhint:$escape\[0m " 'and its hint'
echo nonsense >"$T/state/agents/torn"
tty 100 list torn
like "$out" "^sandkeeper: $escape\[33mwarning: $escape\[0mtorn: " 'and a warning'
rm "$T/state/agents/torn"
NO_COLOR=1
export NO_COLOR
tty 100 list
unlike "$out" "$escape" 'NO_COLOR: none'
NO_COLOR=
tty 100 list
like "$out" "$escape" 'NO_COLOR that is empty forbids nothing'
unset NO_COLOR
TERM=dumb
tty 100 list
unlike "$out" "$escape" 'TERM=dumb: none'
unset TERM
tty 100 env nosuch
unlike "$out" "$escape" 'no TERM: none'
TERM=xterm
export TERM

# --- what is waited for

# waits TEXT DESC: it was shown, and nothing of it is left
waits()
{
	like "$out" "sandkeeper: $1 \([0-9]+s\)" "$2: it is shown"
	unlike "$(seen)" "sandkeeper: $1 \([0-9]+s\)" "$2: it is erased"
}

cold
owner a1
fake fault exec delay=1200
tty 80 ensure a1 --services postgres,redis
is "$rc" 0 'ensure on a terminal'
waits 'a1: waiting for postgres, redis' 'readiness'
like "$out" 'redis \(1s\)' 'readiness: it goes on'
like "$(seen)" '^postgres  ' 'the result stands by itself'
cold
owner a1
fake fault pull delay=700
tty 80 ensure a1 --services postgres --image postgres=pg:1
is "$rc" 0 'a pull on a terminal'
waits 'a1: pulling pg:1' 'a pull'
for quiet in -q --json; do
	cold
	owner a1
	fake fault exec delay=700
	tty 80 ensure "$quiet" a1 --services redis
	unlike "$out" 'waiting for' "$quiet: no line"
	unlike "$out" "$escape\[K" "$quiet: nothing is erased"
done
cold
owner a1
fake fault exec delay=700
sk ensure a1 --services redis
is "$rc$err" 0 'no terminal: no line'
TERM=dumb
cold
owner a1
fake fault exec delay=700
tty 80 ensure a1 --services redis
unlike "$out" 'waiting for' 'TERM=dumb: no line'
TERM=xterm

cold
owner a1
fake fault exec delay=700 rc=1 err=no
tty 80 ensure a1 --services redis
is "$rc" 75 'a failure on a terminal'
waits 'a1: waiting for redis' 'a failure'
like "$(seen)" 'a1: ' 'a failure: its line stands by itself'

cold
owner a1
fake fault exec delay=700
tty 30 ensure a1 --services postgres,redis,mongo
like "$out" "$escape\[Ksandkeeper: a1: waiting  \(0s\)$escape" \
    'a narrow terminal: it is cut, for what wraps cannot be erased'

scene
unkept gone-1 pg
sweeps 1
tty 80 sweep
waits 'waiting for owners that may be on their way back' 'a sweep that waits'
scene
sandbox gone-1 pg
agent gone-1 --state exited --finished "$OLD"
fake fault rm delay=700
tty 80 sweep
waits 'sweeping: 0 removed, 1 at work' 'a sweep that removes'
like "$(seen)" 'swept: 1 found, 1 removed' 'the sum stands by itself'

scene
entry a1 pg
mkfifo "$T/go"
flock "$T/state/locks/a1" cat "$T/go" &
holder=$!
wait_for test -e "$T/state/locks/a1"
exec 9>"$T/go"
SANDKEEPER_LOCK_TIMEOUT=1s tty 80 renew a1 --ttl 1h
exec 9>&-
wait "$holder"
is "$rc" 75 'an agent that is locked'
waits 'a1: another process is at work on it' 'a lock'

# --- a sweep that does nothing, since it may not

scene
agent dev-1 --state exited --finished "$OLD"
sandbox dev-1 pg
entry dev-1 pg
export SANDKEEPER_ENABLED=false
tty 80 sweep
is "$rc $(plain | tr -d '\r')" '0 sandkeeper: sandboxes are switched off (enabled = false): nothing is swept' \
    'F2: off: who types sweep is told'
calls_are '' 'F2: off: no docker call'
tty 80 -q sweep
is "$rc$out" 0 'F2: off: -q is quiet'
sk -v sweep
is "$rc $err" '0 sandkeeper: sandboxes are switched off (enabled = false): nothing is swept' \
    'F2: off: -v tells everywhere'
export SANDKEEPER_ENABLED=true

done_testing
