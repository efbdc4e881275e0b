#!/bin/sh
# SPDX-License-Identifier: ISC
#
# --into: the variables as a file in the owner container.  What its shell makes
# of the script is tried here on a folder, and with a real docker elsewhere.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/ensure.sh
. "$TESTS_LIB/../cli/ensure.sh"
# shellcheck source=tests/cli/run.sh
. "$TESTS_LIB/../cli/run.sh"

# into PATH ARG...
into()
{
	into_path=$1
	shift
	sk --json ensure a1 --services postgres --into "$into_path" "$@"
}

fed()
{
	cat "$FAKE_DOCKER_DIR"/stdin.*
}

# What the shell in the container gets behind -c, by the last exec.
script()
{
	# shellcheck disable=SC2016 # for bash, whose quoting it is
	bash -c 'eval "set -- $1"
		while [ "$1" != -c ]; do shift; done
		printf "%s\n" "$2"' bash "$(calls exec | tail -n 1)"
}

# --- what is asked of docker

cold
owner a1
into /run/sandbox.env
is "$rc" 0 '--into: code'
calls_are 'inspect image run exec inspect exec' '--into: one call more, the last one'
like "$(asked | tail -n 1)" \
    '^exec -i <roboco-agent-a1> sh -c .* sh /run/sandbox.env$' \
    '--into: a shell in the owner, which is told the path'
sk env a1 --dotenv
is "$(fed)" "$out" '--into: the variables, through stdin'
unlike "$(calls)" "$(password a1 postgres)" 'E8: the password is in no argv'
script >"$T/script"
fake reset-calls
into /run/other.env
calls_are 'inspect exec' '--into: on a hit, too'
fake reset-calls
rm -f "$FAKE_DOCKER_DIR"/stdin.*
sk --json ensure a1 --services redis --into /run/redis.env
fed >"$T/fed"
is "$(cut -d = -f 1 "$T/fed" | tr '\n' ' ')" \
    'ROBOCO_TEST_REDIS_HOST ROBOCO_TEST_REDIS_PORT ROBOCO_TEST_REDIS_PASSWORD REDIS_URL ' \
    '--into: of the services asked for alone'
sk --json ensure b1 --services postgres --owner container:roboco-agent-a1 \
    --into /run/b1.env
is "$rc" 0 '--into: another container that owns it'
like "$(asked | tail -n 1)" '^exec -i <roboco-agent-a1> ' '--into: that one gets it'

# --- the script, with each shell that is there

# meddle WORD LINE...: that word of the script does something else, too.
meddle()
{
	mkdir -p "$T/own"
	{
		echo '#!/bin/sh'
		cat
	} >"$T/own/$1"
	chmod 755 "$T/own/$1"
}

# Somebody is at work in that folder at the same time; something fails.
meddled()
{
	meddle rm <<-EOF
		/bin/rm "\$@"
		ln -s victim "$T/in/new.new"
	EOF
	run env PATH="$T/own:$PATH" "$shell" "$T/script" "$T/in/new"
	check_not "$shell: a link put there at the last moment: refused" \
	    test "$rc" = 0
	is "$(cat "$T/in/victim")" untouched "$shell: and not followed"
	rm -r "$T/own" "$T/in/new.new"
	echo 'exit 1' | meddle mv
	run env PATH="$T/own:$PATH" "$shell" "$T/script" "$T/in/new"
	is "$rc $(find "$T/in" -name '*.new')" '1 ' \
	    "$shell: it cannot be put into place: nothing is left beside it"
	rm -r "$T/own"
}

for shell in dash bash 'busybox sh'; do
	command -v "${shell%% *}" >/dev/null || continue
	rm -rf "$T/in"
	mkdir "$T/in"
	echo K=V >"$T/typed"
	stdin=$T/typed
	# shellcheck disable=SC2086 # words
	(umask 000; $shell "$T/script" "$T/in/new" <"$T/typed" && echo $? >"$T/rc")
	is "$(cat "$T/rc") $(cat "$T/in/new") $(stat -c %a "$T/in/new")" '0 K=V 600' \
	    "$shell: a new file, mode 600 whatever the umask"
	chmod 644 "$T/in/new"
	echo K=2 >"$T/typed"
	# shellcheck disable=SC2086
	run $shell "$T/script" "$T/in/new"
	is "$rc $(cat "$T/in/new") $(stat -c %a "$T/in/new")" '0 K=2 600' \
	    "$shell: one that is there is replaced"
	# Somebody else's link or file under the name of the new one.
	echo untouched >"$T/in/victim"
	ln -s victim "$T/in/new.new"
	# shellcheck disable=SC2086
	run $shell "$T/script" "$T/in/new"
	is "$rc $(cat "$T/in/victim")" '0 untouched' "$shell: a link is not followed"
	ln -s victim "$T/in/link"
	# shellcheck disable=SC2086
	run $shell "$T/script" "$T/in/link"
	is "$rc $(cat "$T/in/victim") $(cat "$T/in/link")" '0 untouched K=2' \
	    "$shell: a link at its place is replaced"
	mkdir "$T/in/folder"
	# shellcheck disable=SC2086
	run $shell "$T/script" "$T/in/folder"
	is "$rc" 1 "$shell: a folder: refused"
	like "$err" "$T/in/folder is a folder" "$shell: and told"
	# shellcheck disable=SC2086
	run $shell "$T/script" "$T/in/nowhere/x"
	check_not "$shell: no such folder: refused" test "$rc" = 0
	# shellcheck disable=SC2086
	run $shell "$T/script" "$T/in/a b'c"
	is "$rc $(cat "$T/in/a b'c")" '0 K=2' "$shell: whatever the path holds"
	is "$(find "$T/in" -name '*.new')" '' "$shell: nothing is left beside it"
	# busybox has these words itself
	[ "${shell%% *}" = busybox ] || meddled
	stdin=/dev/null
done

# --- what is refused before anything is made

# refused CODE KIND DESC
refused()
{
	is "$rc $(kind)" "$1 $2" "$3: $1"
	is "$(calls run)" '' "$3: nothing was started"
	left_nothing "$3"
}

cold
owner a1
for path in '' relative/x ./x /run/ /; do
	into "$path"
	refused 65 value "--into '$path'"
	calls_are '' "--into '$path': no docker call"
done
into /x --owner none --ttl 1h
refused 65 value '--into: the owner is a lease'
into /x --owner "pid:$$"
refused 65 value '--into: the owner is a process'
fake "set" roboco-agent-a1 status=exited "finished=$OLD"
into /x
refused 75 owner-missing '--into: the owner does not run'
like "$err" '--into: its owner, the container roboco-agent-a1, does not run' \
    '--into: it is named'
fake "set" roboco-agent-a1 status=paused
into /x
refused 75 owner-missing '--into: the owner is paused'
fake "do" rm -f roboco-agent-a1 >/dev/null
into /x --network team
refused 75 owner-missing '--into: the owner is not there'
sk run --services postgres --into /x -- true
is "$rc" 125 'run has no --into: its command gets the variables'

# --- what fails at the end is E7

cold
owner a1
fake fault exec when=roboco rc=1
fake fault exec 'when=sh /x' rc=1 out=x \
    "filter=sed -n '/^password=/s/.*=\\(.*\\)/sh: cannot write \\1/p' '$T/state/agents/a1'"
into /x
is "$rc $(kind)" '75 owner-missing' 'E7: the owner refuses the file: 75'
like "$err" '--into /x: the owner refused it: sh: cannot write \*+' \
    'E8: its message, the password masked'
left_nothing 'E7: the owner refuses the file'
fake fault exec
sk ensure a1 --services postgres
boxes_were=$(boxes)
before=$(cat "$(entry_path a1)")
fake fault exec 'when=sh /x' rc=126 'out=OCI runtime exec failed: no sh\r\n'
into /x
is "$rc $(kind)" '75 owner-missing' 'E7: an owner without a shell, on a hit: 75'
is "$(boxes)" "$boxes_were" 'E7: on a hit: what is there stays'
is "$(cat "$(entry_path a1)")" "$before" 'E7: on a hit: its entry, too'

done_testing
