#!/bin/sh
# SPDX-License-Identifier: ISC
#
# State that is not as we left it (DESIGN 4): a directory that is somebody
# else's or no directory, entries, locks, marks and the keeper's id of every
# kind of file, damaged or huge.  Whatever it is: the code of DESIGN 2, one
# line, nothing waits for ever, and nothing alive is removed.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/ensure.sh
. "$TESTS_LIB/../cli/ensure.sh"
# shellcheck source=tests/cli/hostile.sh
. "$TESTS_LIB/../cli/hostile.sh"

RUN_TIMEOUT=20

# Every command that looks at the state.
all_refused()
{
	for all_command in 'list' 'env dev-1' 'release dev-1' 'sweep' \
	    "remove $AGENT-dev-1" 'why dev-1' 'ensure dev-1 --services redis' \
	    'renew dev-1 --ttl 1h' 'hold dev-1 --for 1h' 'sweep --drain --yes'; do
		# shellcheck disable=SC2086 # words
		refused "$1" "$2" "$3" $all_command
	done
	calls_are '' "$2: docker is never called"
}

# shellcheck disable=SC2317 # check calls it
make_socket()
{
	socat -u /dev/null "UNIX-LISTEN:$1" &
	make_socket_pid=$!
	wait_for test -S "$1"
	kill "$make_socket_pid"
	wait "$make_socket_pid" 2>/dev/null || :
	[ -S "$1" ]
}

# --- the state directory itself

hostile_world
mv "$T/state" "$T/real"
ln -s real "$T/state"
all_refused 77 'the state directory is a symbolic link' "'$T/state' is not"

hostile_world
rm -r "$T/state"
: >"$T/state"
all_refused 77 'the state directory is a file' "'$T/state' is not"

hostile_world
rm -r "$T/state"
mkfifo "$T/state"
all_refused 77 'the state directory is a FIFO' "'$T/state' is not"

hostile_world
chmod 777 "$T/state"
all_refused 77 'everybody may write it' "'$T/state' can be written by others"

hostile_world
chmod 720 "$T/state"
all_refused 77 'a group may write it' "'$T/state' can be written by others"

if [ "$(id -u)" = 0 ]; then
	hostile_world
	chown 65534 "$T/state"
	all_refused 77 'it is somebody else'\''s' \
	    "'$T/state' belongs to user 65534"
	SANDKEEPER_ENABLED=false sk remove "$AGENT-dev-1"
	is "$rc$err" 0 'F2: with the flag off, remove does not look at it'
fi

# --- the directories in it

for name in agents locks; do
	hostile_world
	mv "$T/state/$name" "$T/real"
	ln -s ../real "$T/state/$name"
	all_refused 77 "$name is a symbolic link" "'$T/state/$name' is not"
	hostile_world
	chmod 777 "$T/state/$name"
	all_refused 77 "everybody may write $name" \
	    "'$T/state/$name' can be written by others"
done
hostile_world
DOCKER_HOST=unix://$T/other.sock
export DOCKER_HOST
mkdir "$T/real"
ln -s ../real "$T/state/daemons"
refused 77 'daemons is a symbolic link' "'$T/state/daemons' is not" list
refused 77 'daemons is a symbolic link' "'$T/state/daemons' is not" \
    ensure dev-1 --services redis
is "$(ls "$T/real")" '' 'nothing is written through the link'
unset DOCKER_HOST

# --- the keeper's id

odd_keeper()
{
	all_refused 77 "$1" "'$T/state/keeper' does not hold a keeper's id"
	like "$err" '^sandkeeper: hint: .*sandkeeper.keeper' \
	    "$1: the hint says where the id is found"
}

hostile_world
: >"$T/state/keeper"
odd_keeper 'K1: an empty keeper file'
hostile_world
echo 'not an id' >"$T/state/keeper"
odd_keeper 'K1: a broken keeper file'
hostile_world
truncate -s 1G "$T/state/keeper"
odd_keeper 'K1: a keeper file of 1 GB'
hostile_world
mv "$T/state/keeper" "$T/keeper"
ln -s ../keeper "$T/state/keeper"
odd_keeper 'K1: the keeper file is a symbolic link'
hostile_world
rm "$T/state/keeper"
mkfifo "$T/state/keeper"
odd_keeper 'K1: the keeper file is a FIFO'

# Without it, what is there is another keeper's: reported, never touched.
hostile_world
rm "$T/state/keeper"
sk sweep
is "$rc" 0 'K2: the keeper file is gone: exit 0'
containers_are "$AGENT-dev-1 $AGENT-gone $BOX-redis-dev-1 $BOX-redis-gone" \
    'K2: nothing of the old keeper is removed'
like "$err" "$BOX-redis-gone: kept: .*$KEEPER" 'K2: it is reported with its id'

# --- an entry that is no file

# What dev-1 has for an entry is neither read nor touched; the others' work.
no_entry()
{
	refused 77 "$1" "'$E' is not a regular file" env dev-1
	refused 77 "$1" "'$E' is not a regular file" ensure dev-1 \
	    --services redis
	refused 77 "$1" "'$E' is not a regular file" renew dev-1 --ttl 1h
	sk release dev-1
	is "$rc" 77 "$1: release: 77"
	check "$1: release: one line" one_line
	check "$1: release: the sandbox is there" has_container "$BOX-redis-dev-1"
	rm -f "$T/state/agents/.dev-1.release"
	sk list
	is "$rc" 0 "$1: list: 0"
	like "$err" "warning: dev-1: .*'$E' is not a regular file" \
	    "$1: list: a warning"
	swept "$1"
	like "$err" "warning: dev-1: .*'$E' is not a regular file" \
	    "$1: sweep: a warning"
	check "$1: it is still there" test -e "$E" -o -L "$E"
}

hostile_world
mv "$E" "$T/good"
ln -s "$T/good" "$E"
no_entry 'an entry that is a link to a good one'
check 'and that is as it was' grep -q '^agent=dev-1$' "$T/good"

hostile_world
before=$(cksum /etc/passwd)
ln -sf /etc/passwd "$E"
no_entry 'an entry that is a link to /etc/passwd'
is "$(cksum /etc/passwd)" "$before" 'and that is as it was'

hostile_world
ln -sf nowhere "$E"
no_entry 'an entry that is a link to nothing'

hostile_world
rm "$E"
mkfifo "$E"
no_entry 'an entry that is a FIFO: nobody waits'

hostile_world
rm "$E"
mkdir "$E"
no_entry 'an entry that is a directory'

if command -v socat >/dev/null; then
	hostile_world
	rm "$E"
	check 'a socket is there' make_socket "$E"
	no_entry 'an entry that is a socket'
fi

# --- an entry that is damaged: it counts as none, and what lives is kept

# damaged WHAT: by now the entry of dev-1 is.
damaged()
{
	inode=$(stat -c '%i %s' "$E")
	sk list
	is "$rc" 0 "$1: list: 0"
	like "$err" 'warning: dev-1: the entry is damaged' "$1: list: a warning"
	check "$1: list: it is left where it is" test -f "$E"
	swept "$1"
	like "$err" 'warning: dev-1: the entry was damaged' \
	    "$1: sweep: a warning says where it is now"
	aside=$(find "$T/state/agents" -name '.dev-1.corrupt.*')
	is "$(stat -c '%i %s' "$aside")" "$inode" "$1: it is set aside as it was"
	sk sweep --strict
	is "$rc" 0 "$1: the next sweep: 0"
	check "$1: the next sweep: what lives is kept" \
	    has_container "$BOX-redis-dev-1"
	unlike "$err" warning "$1: the next sweep: no warning"
	fake set "$AGENT-dev-1" status=exited "finished=$OLD"
	sk sweep
	check_not "$1: once its owner is dead, it goes" \
	    has_container "$BOX-redis-dev-1"
}

hostile_world
truncate -s 1G "$E"
damaged 'an entry of 1 GB'
hostile_world
head -c 5000 /dev/urandom >"$E"
damaged 'a binary entry'
hostile_world
sed -i '$d' "$E"
damaged 'a torn entry'
hostile_world
: >"$E"
damaged 'an empty entry'
hostile_world
sed -i 's/^agent=dev-1$/agent=dev-2/' "$E"
damaged "another agent's entry"

hostile_world
: >"$E"
sk release dev-1
is "$rc" 0 'release of a damaged entry: 0'
check_not 'release of a damaged entry: its containers go' \
    has_container "$BOX-redis-dev-1"
hostile_world
: >"$E"
sk ensure dev-1 --services redis
is "$rc" 0 'ensure with a damaged entry: 0'
check 'ensure with a damaged entry: a good one' grep -q '^end$' "$E"

hostile_world
echo 'sandkeeper 2' >"$E"
refused 78 'an entry of a newer version' 'version 2' env dev-1
refused 78 'an entry of a newer version' 'version 2' ensure dev-1 \
    --services redis
swept 'an entry of a newer version'
check 'an entry of a newer version is left' grep -q 'sandkeeper 2' "$E"

# --- names that are nobody's

hostile_world
cd "$T/state/agents"
mkdir .x .dev-1.tmp.01234567 lost+found
ln -s /etc/passwd .link
mkfifo .fifo .gone.corrupt.1
: >.dev-9.release
: >...
cp dev-1 dev-1.bak
cp dev-1 'dev 1'
cp dev-1 "dev$(printf '\n')1"
cd /
swept 'junk in agents/'
like "$err" "warning: dev-1.bak: the entry .*another agent" \
    'junk in agents/: a copy is set aside'
like "$err" "warning: lost\+found: .* is not a regular file" \
    'junk in agents/: a folder is named'
check 'junk in agents/: what begins with a dot is left' \
    test -d "$T/state/agents/.x" -a -L "$T/state/agents/.link" -a \
    -p "$T/state/agents/.fifo"
sk list -q
is "$rc$out" "0$BOX-redis-dev-1" 'junk in agents/: list'
sk release dev-1
is "$rc" 0 'junk in agents/: release'

# --- locks

hostile_world
mkdir "$T/state/locks/junk" "$T/state/locks/.x"
: >"$T/state/locks/dev-1"
: >"$T/state/locks/gone"
ln -s nowhere "$T/state/locks/link"
sk ensure dev-1 --services redis
is "$rc$err" 0 'locks/: a file alone means nothing'
check_not 'locks/: and is gone afterwards' test -e "$T/state/locks/dev-1"
swept 'junk in locks/'

hostile_lock()
{
	refused 77 "$1" 'not a regular file' ensure dev-1 --services redis
	refused 77 "$1" 'not a regular file' renew dev-1 --ttl 1h
	sk sweep
	is "$rc" 0 "$1: sweep: 0"
	check "$1: sweep: what lives is kept" has_container "$BOX-redis-dev-1"
}

hostile_world
echo text >"$T/outside"
ln -s "$T/outside" "$T/state/locks/dev-1"
hostile_lock 'a lock that is a symbolic link'
is "$(cat "$T/outside")" text 'nothing is written through it'
hostile_world
mkdir "$T/state/locks/dev-1"
hostile_lock 'a lock that is a directory'
hostile_world
rm -f "$T/state/locks/gone"
mkdir "$T/state/locks/gone"
sk sweep
is "$rc" 0 'the lock of an orphan is a directory: 0'
check 'what cannot be locked is kept' has_container "$BOX-redis-gone"
like "$err" 'warning: cannot lock gone: .*kept' 'and a warning says so'

hostile_world
mkfifo "$T/state/locks/dev-1"
sk ensure dev-1 --services redis
is "$rc" 0 'a lock that is a FIFO: nobody waits'

hostile_world
mkdir "$T/state/sweep.lock"
sk sweep
is "$rc" 77 'sweep.lock is a directory: 77'
check 'sweep.lock is a directory: one line' one_line
check 'sweep.lock is a directory: nothing is removed' \
    has_container "$BOX-redis-gone"

# --- marks

hostile_world
mkdir "$T/state/agents/.dev-1.release"
sk release dev-1
isnt "$rc" 0 'a mark that is a directory: release says so'
check 'a mark that is a directory: one line' one_line

# --- the log directory

log_works()
{
	fake set "$AGENT-dev-1" 'logs=a line'
	sk remove "$AGENT-dev-1"
	is "$rc" 0 "$1: remove: the code is not changed"
	containers_are "$AGENT-gone $BOX-redis-gone" "$1: remove: all is removed"
}

log_refused()
{
	log_works "$1"
	like "$err" 'warning: .*log' "$1: a warning says so"
}

hostile_world
mv "$T/log" "$T/real"
ln -s real "$T/log"
log_works 'the log directory is a symbolic link'
check 'and is followed' test -d "$T/real/agents/dev-1"

hostile_world
rmdir "$T/log"
: >"$T/log"
log_refused 'the log directory is a file'

hostile_world
mkdir "$T/outside"
ln -s "$T/outside" "$T/log/agents"
log_refused 'R2: its folder of agents is a symbolic link'
is "$(ls "$T/outside")" '' 'R2: nothing is written through it'

hostile_world
mkdir "$T/outside" "$T/log/agents"
ln -s "$T/outside" "$T/log/agents/dev-1"
log_refused 'R2: the agent'\''s folder is a symbolic link'
is "$(ls "$T/outside")" '' 'R2: nothing is written through it'

hostile_world
echo text >"$T/outside"
ln -s "$T/outside" "$T/log/history.jsonl"
log_refused 'R8: the history is a symbolic link'
is "$(cat "$T/outside")" text 'R8: nothing is written through it'

hostile_world
mkfifo "$T/log/history.jsonl"
log_refused 'R8: the history is a FIFO: nobody waits'
sk why gone
is "$rc" 74 'R8: why with a history that is a FIFO: 74'
like "$err" "^sandkeeper: cannot read '.*': it is not a regular file\$" \
    'R8: why with a history that is a FIFO: it says so'

hostile_world
mkdir "$T/log/history.jsonl"
log_refused 'R8: the history is a directory'

hostile_world
head -c 100000 /dev/urandom >"$T/log/history.jsonl"
log_works 'R8: the history is binary'
sk why dev-1
is "$rc" 0 'R8: why with a binary history: 0'

# --- as a user without rights

if plain_program; then
	hostile_world
	chmod 0 "$E"
	give_away
	SANDKEEPER="$T/bin/sandkeeper"
	# stdin closed by setpriv's caller would be another test
	run ordinary "$SANDKEEPER" env dev-1
	is "$rc" 77 'an unreadable entry: env: 77'
	check 'an unreadable entry: env: one line' one_line
	like "$err" "cannot read '$E': Permission denied" \
	    'an unreadable entry: env: it is named'
	run ordinary "$SANDKEEPER" sweep
	is "$rc" 0 'an unreadable entry: sweep: 0'
	check 'an unreadable entry: sweep: what lives is kept' \
	    has_container "$BOX-redis-dev-1"
	check 'an unreadable entry: it is left' test -e "$E"
	chmod 0 "$T/state"
	run ordinary "$SANDKEEPER" list
	is "$rc" 77 'an unreadable state directory: list: 77'
	run ordinary "$SANDKEEPER" ensure dev-1 --services redis
	is "$rc" 77 'an unreadable state directory: ensure: 77'
	check 'an unreadable state directory: one line' one_line
	chmod 700 "$T/state"
	chmod 500 "$T/log"
	fake set "$AGENT-dev-1" 'logs=a line'
	run ordinary "$SANDKEEPER" remove --keep-sandbox "$AGENT-dev-1"
	is "$rc" 0 'a log directory that is not writable: 0'
	like "$err" 'warning: .*log is not kept.*Permission denied' \
	    'a log directory that is not writable: a warning'
	check_not 'a log directory that is not writable: removed all the same' \
	    has_container "$AGENT-dev-1"
	chmod 500 "$T"
	SANDKEEPER_STATE_DIR=$T/new/state
	run ordinary "$SANDKEEPER" ensure dev-1 --services redis
	is "$rc" 73 'a state directory that cannot be made: 73'
	check 'a state directory that cannot be made: one line' one_line
fi

done_testing
