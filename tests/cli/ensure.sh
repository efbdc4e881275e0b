# shellcheck shell=sh
# SPDX-License-Identifier: ISC
#
# For the tests of ensure, sourced after scene.sh.
#
#   cold                 a scene with the engines' images and the network team
#   owner SLUG [OPTION]  a living agent's container in team
#   settings NAME        stdin becomes a settings file, its path $conf
#   asked                the calls; ids as names, long words shortened
#   entry_value SLUG SERVICE KEY   from the entry; SERVICE - for its head
#   password SLUG SERVICE
#   boxes                the sandbox containers with their ids
#   unlocked SLUG        its lock is free, and no release is asked for
#   one_line             stderr is one line, and one more for a hint at most
#   kind                 the kind in the JSON of an error
#   start_clock, stop_clock        $clock_stopped is the time between, in ms
#   within MS            was it no more than that?
#   left_clean SLUG NAMES DESC

cold()
{
	scene
	fake image postgres:16-alpine '{"ports":["5432/tcp"]}'
	fake image redis:8-alpine '{"ports":["6379/tcp"],"volumes":1}'
	fake image mongo:8 '{"ports":["27017/tcp"],"volumes":2}'
	fake network team >/dev/null
}

owner()
{
	agent "$@" --network team
}

settings()
{
	conf=$T/$1
	cat >"$conf"
}

asked()
{
	asked_names=$(fake list -q | while read -r asked_name; do
		printf 's/%s/<%s>/g;' "$(fake inspect "$asked_name" Id)" \
		    "$asked_name"
	done)
	calls | sed -e "s/'{\"id\":[^']*}'/FORMAT/" \
	    -e "s/\\\$'end=.*done\\\\n'/LOOP/" \
	    -e "s/-c \\\$'set -- redis-server.*EOF\\\\n'/-c START/" \
	    -e "s/-c \\\$'test \"\\\$(redis-cli.*PONG'/-c PROBE/" \
	    -e "$asked_names"
}

entry_value()
{
	awk -F= -v part="$2" -v key="$3" '
	    BEGIN { here = part == "-" }
	    /^\[/ { here = $0 == "[" part "]" }
	    here && $1 == key { print substr($0, length(key) + 2) }
	' "$(entry_path "$1")"
}

password()
{
	entry_value "$1" "$2" password
}

boxes()
{
	fake list -q | grep "^$BOX-" | while read -r boxes_name; do
		printf '%s %s\n' "$boxes_name" "$(fake inspect "$boxes_name" Id)"
	done
}

unlocked()
{
	[ ! -e "$T/state/locks/$1" ] && [ ! -e "$T/state/agents/.$1.release" ]
}

# shellcheck disable=SC2154 # tap.sh sets them
one_line()
{
	one_line_count=$(grep -vc '^sandkeeper: hint: ' "$err_file") || :
	[ "$one_line_count" = 1 ] &&
	    [ "$(grep -c '^sandkeeper: hint: ' "$err_file")" -le 1 ]
}

# shellcheck disable=SC2154
kind()
{
	printf '%s\n' "$out" | sed -n 's/^ *"kind": "\(.*\)",$/\1/p'
}

start_clock()
{
	clock_started=$(date +%s%N)
}

stop_clock()
{
	clock_stopped=$((($(date +%s%N) - clock_started) / 1000000))
}

# within MS: took no more; what the program itself needs for its start, below
# valgrind for example, is allowed for.
within()
{
	[ "$clock_stopped" -le $(($1 + 500 + $(start_ms) * 10)) ]
}

start_ms()
{
	if [ -z "${start_ms:-}" ]; then
		start_before=$(date +%s%N)
		"$SANDKEEPER" --version >/dev/null
		start_ms=$((($(date +%s%N) - start_before) / 1000000))
	fi
	echo "$start_ms"
}

# left_clean SLUG NAMES DESC: these containers alone, no entry, no lock.
left_clean()
{
	containers_are "$2" "E7: $3: nothing of it stays"
	check_not "E7: $3: no entry" has_entry "$1"
	check "E7: $3: the lock is free, no mark" unlocked "$1"
}
