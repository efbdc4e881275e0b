#!/bin/sh
# SPDX-License-Identifier: ISC
#
# An environment that wishes us ill: nothing in it, nonsense in it, descriptors
# closed, limits low, umasks and clocks odd, settings that others may write, a
# docker that talks too much.  Whatever it is: the code of DESIGN 2, one line,
# and nothing is lost or removed that should stay.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/ensure.sh
. "$TESTS_LIB/../cli/ensure.sh"
# shellcheck source=tests/cli/hostile.sh
. "$TESTS_LIB/../cli/hostile.sh"

RUN_TIMEOUT=60

# What the tests need of the environment, and nothing else.
# shellcheck disable=SC2317 # run calls it
bare()
{
	env -i "SANDKEEPER_DOCKER=$FAKE_DOCKER" "FAKE_DOCKER_DIR=$T/fake" \
	    "SANDKEEPER_STATE_DIR=$T/state" "SANDKEEPER_LOG_DIR=$T/log" \
	    SANDKEEPER_ENABLED=true "SANDKEEPER_ENGINES_DIR=$ENGINES_DIR" "$@"
}

# --- nothing, or nonsense, in the environment

hostile_world
run bare "$SANDKEEPER" env dev-1
is "$rc" 0 'env -i: env'
run bare "$SANDKEEPER" ensure dev-1 --services redis
is "$rc$err" 0 'env -i: ensure'
run bare "$SANDKEEPER" sweep
is "$rc" 0 'env -i: sweep'
check_not 'env -i: the orphan goes' has_container "$BOX-redis-gone"
run env -i "$SANDKEEPER" services
case $rc in
0 | 78) ok 0 'env -i alone: services' ;;
*) ok 1 'env -i alone: services' ;;
esac

for path in '' . relative:also /nowhere ::; do
	hostile_world
	run bare "PATH=$path" "$SANDKEEPER" sweep
	is "$rc" 0 "PATH='$path': sweep"
	check_not "PATH='$path': the orphan goes" \
	    has_container "$BOX-redis-gone"
done
hostile_world
mkdir "$T/bin"
printf '#!/bin/sh\ntouch %s/ran\n' "$T" >"$T/bin/docker"
chmod 755 "$T/bin/docker"
cd "$T/bin"
run bare PATH=. SANDKEEPER_DOCKER=docker "$SANDKEEPER" list
check_not 'PATH=.: a docker in the current folder is not run' test -e "$T/ran"
cd /
run bare SANDKEEPER_DOCKER=no-such-docker "$SANDKEEPER" release dev-1
is "$rc" 69 'docker is not there: 69'
check 'docker is not there: one line' one_line
check 'docker is not there: the entry stays' has_entry dev-1

hostile_world
before=$("$SANDKEEPER" env dev-1)
for locale in C POSIX C.UTF-8 de_DE.UTF-8 de_DE nonsense ../../etc; do
	LC_ALL=$locale
	LANG=$locale
	export LC_ALL LANG
	is "$("$SANDKEEPER" env dev-1)" "$before" "LC_ALL=$locale: env"
	sk ensure dev-1 --services redis --json
	is "$rc$(jq -r .redis.port "$out_file")" 05432 "LC_ALL=$locale: ensure"
done
unset LC_ALL LANG
LC_ALL=nonsense sk sweep
is "$rc" 0 'LC_ALL=nonsense: sweep'
fake fault ps hang=1
LC_ALL=de_DE.UTF-8 SANDKEEPER_TIMEOUTS_PS=1 sk sweep
like "$err" 'timed out after 1\.[0-9] s' 'a decimal point is one in each locale'

for config in /nowhere "$T/broken" "$T/file" ''; do
	hostile_world
	mkdir -p "$T/broken/contexts/meta/x"
	echo '{"currentContext": ' >"$T/broken/config.json"
	echo '[' >"$T/broken/contexts/meta/x/meta.json"
	: >"$T/file"
	DOCKER_CONFIG=$config
	export DOCKER_CONFIG
	sk ensure dev-1 --services redis
	is "$rc$err" 0 "DOCKER_CONFIG=${config##*/} (broken): ensure"
	unset DOCKER_CONFIG
	refused 69 "DOCKER_CONFIG=${config##*/}, a context that is not there" \
	    'context' --context nope list
done

hostile_world
HOME=$T/none/such
sk ensure dev-1 --services redis
is "$rc$err" 0 'HOME is not there: ensure'
unset HOME
sk ensure dev-1 --services redis
is "$rc$err" 0 'no HOME: ensure'

for name in '' - '  ' "$(printf '\033[31m')" --help; do
	hostile_world
	run bash -c 'exec -a "$0" "$@"' "$name" "$SANDKEEPER" release dev-9
	is "$rc$out$err" 0 "argv[0] is odd: $(printf %s "$name" | tr -d '\033')"
done

# --- descriptors

closed()
{
	# with all of them closed, what is wrong cannot be told
	closed_how=$1
	shift
	case $closed_how in
	stdin) "$@" <&- ;;
	stdout) "$@" >&- ;;
	stderr) "$@" 2>&- ;;
	all) "$@" <&- >&- 2>&- ;;
	esac
}

for which in stdin stdout stderr all; do
	hostile_world
	closed $which "$SANDKEEPER" sweep 2>"$T/err1" && rc=0 || rc=$?
	is "$rc" 0 "$which closed: sweep: 0"
	containers_are "$AGENT-dev-1 $AGENT-gone $BOX-redis-dev-1" \
	    "$which closed: sweep does its work"
	sandbox dev-1 pg
	closed $which "$SANDKEEPER" release dev-1 2>"$T/err1" && rc=0 || rc=$?
	is "$rc" 0 "$which closed: release: 0"
	containers_are "$AGENT-dev-1 $AGENT-gone" \
	    "$which closed: release does its work"
	closed $which "$SANDKEEPER" ensure dev-1 --services redis \
	    >"$T/out1" 2>"$T/err1" && rc=0 || rc=$?
	case $which in
	stdout | all)
		is "$rc" 74 "$which closed: ensure: 74, for nobody got it" ;;
	*)	is "$rc" 0 "$which closed: ensure: 0" ;;
	esac
	check "$which closed: the entry is whole" \
	    grep -q '^end$' "$(entry_path dev-1)"
	is "$(head -c 12 "$(entry_path dev-1)")" 'sandkeeper 1' \
	    "$which closed: no output is in the entry"
	is "$(find "$T/state" "$T/log" -type f -exec grep -l 'SERVICE' {} + || :)" \
	    '' "$which closed: nor in another file"
done
hostile_world
"$SANDKEEPER" env dev-1 >&- 2>"$err_file" && rc=0 || rc=$?
is "$rc" 74 'stdout closed: env: 74'
check 'stdout closed: env: one line' one_line
"$SANDKEEPER" env dev-1 >/dev/full 2>"$err_file" && rc=0 || rc=$?
is "$rc" 74 'stdout is full: env: 74'

hostile_world
mkdir "$T/here"
cd "$T/here"
rmdir "$T/here"
sk sweep
is "$rc" 0 'the working directory is gone: sweep'
check_not 'the working directory is gone: the orphan goes' \
    has_container "$BOX-redis-gone"
sk ensure dev-1 --services redis
is "$rc$err" 0 'the working directory is gone: ensure'
sk --state-dir relative ensure dev-1 --services redis
is "$rc" 73 'the working directory is gone: a relative state directory: 73'
sk -c relative.conf list
is "$rc" 78 'the working directory is gone: relative settings: 78'
cd /

# --- signals that our caller ignores

for signal in CHLD PIPE; do
	hostile_world
	run env --ignore-signal=$signal "$SANDKEEPER" sweep
	is "$rc" 0 "SIG$signal is ignored: sweep: 0"
	check_not "SIG$signal is ignored: sweep: the orphan goes" \
	    has_container "$BOX-redis-gone"
	run env --ignore-signal=$signal "$SANDKEEPER" release dev-1
	is "$rc" 0 "SIG$signal is ignored: release: 0"
	run env --ignore-signal=$signal "$SANDKEEPER" ensure dev-1 \
	    --services redis --env
	is "$rc" 0 "SIG$signal is ignored: ensure: 0"
	fake fault inspect rc=1 'err=other\n'
	run env --ignore-signal=$signal "$SANDKEEPER" release dev-1
	is "$rc" 75 "SIG$signal is ignored: a failure is seen"
	check "SIG$signal is ignored: the entry stays" has_entry dev-1
done
hostile_world
run env --block-signal=CHLD,TERM,INT,ALRM "$SANDKEEPER" sweep
is "$rc" 0 'signals are blocked: sweep: 0'
"$SANDKEEPER" list | : && rc=0 || rc=$?
is "$rc" 0 'a reader that goes away: no harm'

# --- umask

masked()
{
	masked_umask=$1
	shift
	run sh -c "umask $masked_umask; exec \"\$@\"" sh "$@"
}

for mask in 0 0777 0277; do
	cold
	owner dev-1
	rm -r "$T/state" "$T/log"
	masked $mask "$SANDKEEPER" ensure dev-1 --services redis
	is "$rc" 0 "umask $mask: ensure"
	masked $mask "$SANDKEEPER" ensure dev-1 --services redis
	is "$rc" 0 "umask $mask: and again"
	is "$(cd "$T/state" && find . -type d -printf '%m %p\n' | sort)" \
	    "$(printf '700 .\n700 ./agents\n700 ./locks')" \
	    "umask $mask: the state's directories are ours alone"
	is "$(find "$T/state" -type f ! -perm 600)" '' \
	    "umask $mask: so are its files"
	fake set "$AGENT-dev-1" 'logs=a line'
	masked $mask "$SANDKEEPER" remove "$AGENT-dev-1"
	is "$rc" 0 "umask $mask: remove"
	unlike "$err" warning "umask $mask: remove: no warning"
	is "$(find "$T/log" -type f | wc -l)" 2 \
	    "umask $mask: a dump and the history"
	is "$(find "$T/log" -perm /027)" '' \
	    "umask $mask: which others neither read nor write"
done

# --- a docker that talks too much

hostile_world
fake fault any 'hook=echo WARNING: Error loading config file >&2' then=normal
sk ensure dev-1 --services redis
is "$rc" 0 'docker warns on stderr: ensure'
sk sweep
is "$rc" 0 'docker warns on stderr: sweep'
check_not 'docker warns on stderr: the orphan goes' \
    has_container "$BOX-redis-gone"
sk release dev-1
is "$rc" 0 'docker warns on stderr: release'

hostile_world
fake fault ps 'filter=echo WARNING: no swap limit support; cat' then=normal
before=$(fake list -q)
sk sweep
is "$rc" 0 'S2: a warning before the listing: 0'
like "$err" "warning: .*from 'WARNING: no swap" 'S2: it is told'
is "$(fake list -q)" "$before" 'S2: nothing is removed'
sk sweep --strict
is "$rc" 75 'S2: a warning before the listing, --strict: 75'

# --- ten thousand operands

hostile_world
# shellcheck disable=SC2046 # words
sk release $(seq -f 'a%.0f' 10000)
is "$rc$err" 0 'release of 10,000 that have nothing: 0'
calls_are '' 'and no docker call'
# shellcheck disable=SC2046
sk release $(seq -f 'a%.0f' 5000) dev-1 $(seq -f 'b%.0f' 5000)
is "$rc" 0 'release of 10,000 and one that has something'
check_not 'which is released' has_container "$BOX-redis-dev-1"
# shellcheck disable=SC2046
sk sweep $(seq 10000)
is "$rc" 64 'sweep with 10,000 operands: 64'
check 'sweep with 10,000 operands: one line' one_line
sk release "$(head -c 100000 /dev/zero | tr '\0' a)"
is "$rc" 65 'release of a name of 100,000 letters: 65'
check 'release of a name of 100,000 letters: one line' one_line
is "$(wc -c <"$err_file" | awk '{ print ($1 < 1000) }')" 1 'and a short one'

# --- limits, which valgrind and the sanitizers would not live with

low_descriptors()
{
	run sh -c "ulimit -n $1; shift; exec \"\$@\"" sh "$@"
}

if plain_program; then
	scene
	n=0
	while [ $n -lt 60 ]; do
		n=$((n + 1))
		agent dev-$n --state exited --finished "$OLD"
		sandbox dev-$n redis
		entry dev-$n redis
	done
	low_descriptors 16 "$SANDKEEPER" sweep --strict
	is "$rc" 0 'RLIMIT_NOFILE 16: sweep of 60 agents: 0'
	is "$(fake list -q | grep -c "^$BOX" || :)" 0 \
	    'RLIMIT_NOFILE 16: no orphan stays'
	is "$(ls "$T/state/agents")" '' 'RLIMIT_NOFILE 16: no entry stays'
	is "$(ls "$T/state/locks")" '' 'RLIMIT_NOFILE 16: no lock stays'
	hostile_world
	low_descriptors 16 "$SANDKEEPER" ensure dev-1 \
	    --services postgres,redis,mongo
	is "$rc" 0 'RLIMIT_NOFILE 16: ensure of three services'
	for limit in 3 4 5 6 7 8 9 10 11 12 13 14 15; do
		hostile_world
		low_descriptors $limit "$SANDKEEPER" sweep --strict
		check "RLIMIT_NOFILE $limit: what lives is kept" \
		    has_container "$BOX-redis-dev-1"
		check "RLIMIT_NOFILE $limit: its entry, too" has_entry dev-1
		if has_container "$BOX-redis-gone"; then
			isnt "$rc" 0 "RLIMIT_NOFILE $limit: it says so: $rc"
			like "$err" 'Too many open files|shared librar' \
			    "RLIMIT_NOFILE $limit: and why"
			check "RLIMIT_NOFILE $limit: no entry is lost" \
			    has_entry gone
		fi
	done

	for megabytes in 2 4 6 8 10 12 16 24; do
		hostile_world
		run prlimit --as=$((megabytes * 1048576)) "$SANDKEEPER" ensure \
		    dev-1 --services redis --json
		case $rc in
		0 | 71 | 127 | 7[4578])
			ok 0 "RLIMIT_AS $megabytes MB: ensure: $rc" ;;
		*)	ok 1 "RLIMIT_AS $megabytes MB: ensure: $rc"
			tap_explain ;;
		esac
		run prlimit --as=$((megabytes * 1048576)) "$SANDKEEPER" sweep
		case $rc in
		0 | 71 | 127 | 78)
			ok 0 "RLIMIT_AS $megabytes MB: sweep: $rc" ;;
		*)	ok 1 "RLIMIT_AS $megabytes MB: sweep: $rc"
			tap_explain ;;
		esac
		check "RLIMIT_AS $megabytes MB: what lives is kept" \
		    has_container "$BOX-redis-dev-1"
		check "RLIMIT_AS $megabytes MB: its entry is whole" \
		    grep -q '^end$' "$E"
		sk ensure dev-1 --services redis
		is "$rc" 0 "RLIMIT_AS $megabytes MB: the next ensure works"
	done

	hostile_world
	run prlimit --nproc=1:1 true
	run prlimit --fsize=10 "$SANDKEEPER" renew dev-1 --ttl 1h
	isnt "$rc" 0 'RLIMIT_FSIZE 10: renew fails'
	check 'RLIMIT_FSIZE 10: the entry is as it was' grep -q '^end$' "$E"
fi

# --- a clock that is wrong

# The daemon's clock is right; and one that is set does not move the monotonic
# one.
clock()
{
	clock_shift=$1
	shift
	printf '#!/bin/sh\nunset LD_PRELOAD\nexec "%s" "$@"\n' "$FAKE_DOCKER" \
	    >"$T/docker"
	chmod 755 "$T/docker"
	SANDKEEPER_DOCKER=$T/docker
	run faketime --exclude-monotonic -f "$clock_shift" "$@"
}

hostile_world
for key in created handed; do
	sed -i "s/^$key=.*/$key=$(($(now) + 3600))/" "$E" "$(entry_path gone)"
done
sk sweep
is "$rc" 0 'S5: entries of the future: 0'
check 'S5: an entry of the future: its sandbox is kept' \
    has_container "$BOX-redis-gone"
sk list
is "$rc" 0 'S5: list with entries of the future'

if plain_program && command -v faketime >/dev/null; then
	hostile_world
	clock +1h "$SANDKEEPER" sweep
	is "$rc" 0 'an hour ahead: sweep: 0'
	containers_are "$AGENT-dev-1 $AGENT-gone $BOX-redis-dev-1" \
	    'an hour ahead: what lives is kept'
	hostile_world
	clock -2h "$SANDKEEPER" sweep
	is "$rc" 0 'two hours behind: sweep: 0'
	check 'S5: two hours behind: all ages are in the future: kept' \
	    has_container "$BOX-redis-gone"
	like "$err" "$BOX-redis-gone: kept: .*future" 'S5: and reported'
	sk sweep
	check_not 'once it is right, the orphan goes' \
	    has_container "$BOX-redis-gone"
	clock -2h "$SANDKEEPER" ensure dev-1 --services redis
	is "$rc" 0 'two hours behind: ensure'
	sk ensure dev-1 --services redis
	is "$rc" 0 'and again with the right clock'

	# Stepping back by a minute at each look at the clock.
	hostile_world
	clock '+0 x-60' "$SANDKEEPER" ensure dev-1 --services redis,postgres
	is "$rc" 0 'a clock that runs backwards: ensure'
	clock '+0 x-60' "$SANDKEEPER" sweep
	is "$rc" 0 'a clock that runs backwards: sweep'
	check 'a clock that runs backwards: what lives is kept' \
	    has_container "$BOX-redis-dev-1"
	clock '+0 x-60' "$SANDKEEPER" release dev-1
	is "$rc" 0 'a clock that runs backwards: release'

	hostile_world
	fake set "$AGENT-gone" 'logs=old'
	clock +1h "$SANDKEEPER" --set log-keep=1 remove --keep-sandbox \
	    "$AGENT-gone"
	agent gone --state exited --finished "$OLD"
	fake set "$AGENT-gone" 'logs=new'
	sk --set log-keep=1 remove --keep-sandbox "$AGENT-gone"
	is "$(cat "$T/log/agents/gone/"*)" new \
	    'R2: a clock that was set back: the newest dump is the one kept'
fi

# --- as a user without rights

if plain_program; then
	hostile_world
	give_away
	SANDKEEPER=$T/bin/sandkeeper
	mkdir -p "$T/home/.config/sandkeeper" "$T/xdg/sandkeeper"
	home=$T/home/.config/sandkeeper/sandkeeper.conf
	xdg=$T/xdg/sandkeeper/sandkeeper.conf
	echo 'max-sandboxes = 7' >"$home"
	chmod -R o+rX "$T/home" "$T/xdg"

	run ordinary "$SANDKEEPER" list -q
	is "$rc$err" 0 'settings of root in the home directory: read'
	chmod 666 "$home"
	run ordinary "$SANDKEEPER" list
	is "$rc" 77 'settings that others may write: 77'
	check 'settings that others may write: one line' one_line
	like "$err" "'$home' can be written by others" \
	    'settings that others may write: they are named'
	chmod 660 "$home"
	run ordinary "$SANDKEEPER" list
	is "$rc" 77 'settings that a group may write: 77'
	run ordinary "$SANDKEEPER" sweep
	is "$rc" 77 'settings that a group may write: sweep: 77'
	check 'settings that a group may write: nothing is removed' \
	    has_container "$BOX-redis-gone"
	run ordinary "$SANDKEEPER" release dev-9
	is "$rc$err" 0 'L1: release of nothing needs no settings'
	run ordinary "$SANDKEEPER" -c "$home" list -q
	[ "$(id -u)" != 0 ] ||
	    is "$rc" 77 'but root'\''s, which it cannot read: 77'
	chmod 644 "$home"
	run ordinary "$SANDKEEPER" -c "$home" list -q
	is "$rc$err" 0 '-c: neither owner nor mode is asked'
	chmod 666 "$home"
	run ordinary "$SANDKEEPER" -c "$home" list -q
	is "$rc$err" 0 '-c: not even of what others may write'
	if [ "$(id -u)" = 0 ]; then
		chmod 600 "$home"
		run ordinary "$SANDKEEPER" list
		is "$rc" 77 'settings that cannot be read: 77'
		like "$err" "cannot read '$home': Permission denied" \
		    'settings that cannot be read: they are named'
		chmod 644 "$home"
		chown 65533 "$home"
		run ordinary "$SANDKEEPER" list
		is "$rc" 77 'settings of somebody else: 77'
		like "$err" "'$home' belongs to user 65533" \
		    'settings of somebody else: they are named'
		chown 0 "$home"
	fi
	echo 'max-sandboxes = x' >"$xdg"
	export XDG_CONFIG_HOME="$T/xdg"
	run ordinary "$SANDKEEPER" list
	is "$rc" 78 'XDG_CONFIG_HOME comes first'
	like "$err" "^sandkeeper: $xdg:1: " 'and is named'
	export XDG_CONFIG_HOME=relative
	run ordinary "$SANDKEEPER" list -q
	is "$rc$err" 0 'XDG_CONFIG_HOME that is relative: not used'
	unset XDG_CONFIG_HOME

	chmod 500 "$T/home"
	run ordinary "$SANDKEEPER" ensure dev-1 --services redis
	is "$rc$err" 0 'HOME cannot be written: ensure'
	unset SANDKEEPER_STATE_DIR SANDKEEPER_LOG_DIR
	run ordinary "$SANDKEEPER" ensure dev-2 --services redis
	is "$rc" 73 'the state would be in it: 73'
	check 'the state would be in it: one line' one_line
	run ordinary "$SANDKEEPER" list -q
	is "$rc" 0 'the state would be in it: list needs none'
	SANDKEEPER_STATE_DIR=$T/state
	for mask in 0777 0; do
		SANDKEEPER_STATE_DIR=$T/state-$mask
		export SANDKEEPER_STATE_DIR
		run ordinary sh -c "umask $mask; exec \"\$@\"" sh \
		    "$SANDKEEPER" renew dev-1 --ttl 1h
		run ordinary sh -c "umask $mask; exec \"\$@\"" sh \
		    "$SANDKEEPER" ensure dev-1 --services postgres
		case $rc in
		0 | 75) ok 0 "umask $mask as a user: ensure" ;;
		*) ok 1 "umask $mask as a user: ensure" ; tap_explain ;;
		esac
		is "$(stat -c %a "$T/state-$mask" "$T/state-$mask/agents" |
		    tr '\n' ' ')" '700 700 ' \
		    "umask $mask as a user: we can open what we made"
	done
fi

done_testing
