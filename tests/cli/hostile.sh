# shellcheck shell=sh
# SPDX-License-Identifier: ISC
#
# For the tests of a hostile world, sourced after ensure.sh.
#
#   hostile_world        a scene: dev-1, whose owner lives, and gone, whose owner
#                        ended long ago, each with redis and an entry; images and
#                        network as for ensure
#   refused CODE WHAT WORD CMD...
#                        CMD ends with CODE, in one line that holds WORD, and has
#                        changed nothing
#   swept WHAT           a sweep exits 0, removes what gone had, and nothing else
#   plain_program        the program is run as it was built, without valgrind,
#                        sanitizers or counters, so that limits can be set
#   ordinary CMD...      CMD as a user without rights, who owns the world
#   give_away            the world to that user, with copies of the programs

hostile_world()
{
	cold
	owner dev-1
	sandbox dev-1 redis --network team
	entry dev-1 redis network=team
	agent gone --state exited --finished "$OLD"
	sandbox gone redis
	entry gone redis
	E=$(entry_path dev-1)
}

refused()
{
	refused_code=$1
	refused_what=$2
	refused_word=$3
	shift 3
	refused_before=$(state)
	sk "$@"
	if [ "$rc" = "$refused_code" ] && one_line &&
	    grep -qF -e "$refused_word" "$err_file" &&
	    same_state "$refused_before"; then
		ok 0 "$refused_what: $1: $refused_code, one line, nothing changed"
		return
	fi
	ok 1 "$refused_what: $1: $refused_code, one line, nothing changed"
	note "the line should hold: $refused_word"
	tap_explain
	printf '%s\n' "$refused_before" >"$T/before"
	state | diff "$T/before" - | sed 's/^/#   /'
}

swept()
{
	sk sweep
	is "$rc" 0 "$1: sweep: exit 0"
	containers_are "$AGENT-dev-1 $AGENT-gone $BOX-redis-dev-1" \
	    "$1: sweep: what lives is kept, the orphan goes"
	check_not "$1: sweep: so does its entry" has_entry gone
}

plain_program()
{
	[ "$(head -c 4 "$SANDKEEPER" | tail -c 3)" = ELF ] &&
	    ! grep -q -e __asan_init -e __gcov_init "$SANDKEEPER"
}

ordinary()
{
	if [ "$(id -u)" = 0 ]; then
		setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
	else
		"$@"
	fi
}

give_away()
{
	mkdir "$T/bin"
	cp "$SANDKEEPER" "$FAKE_DOCKER" "$T/bin"
	cp -R "$ENGINES_DIR" "$T/engines"
	SANDKEEPER_ENGINES_DIR=$T/engines
	SANDKEEPER_DOCKER=$T/bin/fake-docker
	chmod 755 "$T"
	[ "$(id -u)" != 0 ] || chown -R 65534:65534 "$T"
}
