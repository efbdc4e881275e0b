# shellcheck shell=sh
# SPDX-License-Identifier: ISC
#
# For tests in sh: assertions in TAP, a world of its own for each test, and a
# look at what docker was asked.  A test sources this file, and ends with
# done_testing; a command that fails where nobody looks ends it as a failure.
#
#   fixture                    a fresh world; see there
#   check DESC CMD...          CMD succeeds          check_not DESC CMD...
#   ok RESULT DESC             RESULT is 0
#   is GOT WANT DESC           the same text         isnt GOT OTHER DESC
#   like GOT ERE DESC          a line matches        unlike GOT ERE DESC
#   run CMD...                 sets $rc, $out, $err; whole in $out_file,
#                              $err_file; stdin from $stdin, else empty;
#                              killed after $RUN_TIMEOUT s (120; 0: never)
#   sk ARG...                  run of the program
#   start CMD... / finish      the same in the background, its id in $pid
#   fake NAME ARG...           fake-NAME of the fake docker
#   calls                      what docker was asked, a line for each call
#   calls_are "VERB..." DESC   exactly these, in this order
#   has_container NAME         containers_are "NAME..." DESC
#   entry_path SLUG            has_entry SLUG
#   wait_for [-t S] CMD...     until CMD succeeds, at most S seconds (10)
#   note TEXT                  a comment in the output
#   count NUMBER WHAT          for the sums that scripts/check ends with
#   skip_all REASON            ends a test that cannot run here
#   done_testing               the plan; fails when nothing was asserted

tap_count=0
tap_failed=0
tap_done=0
tap_last='the start'
tap_home=
rc=
out=
err=
stdin=/dev/null
pid=

note()
{
	printf '%s\n' "$*" | sed 's/^/# /'
}

count()
{
	note "count: $1 $2"
}

# ok RESULT DESC
ok()
{
	tap_count=$((tap_count + 1))
	tap_last=$2
	# A number sign would begin a directive.
	tap_text=$(printf '%s' "$2" | tr '\n#' '  ')
	if [ "$1" = 0 ]; then
		printf 'ok %d - %s\n' "$tap_count" "$tap_text"
	else
		printf 'not ok %d - %s\n' "$tap_count" "$tap_text"
		tap_failed=$((tap_failed + 1))
	fi
}

# Says what the last command said, where something was not as it should be.
tap_explain()
{
	[ -n "$tap_home" ] || return 0
	[ -n "$rc" ] || return 0
	note "the last run: status $rc"
	sed 's/^/#   out: /' "$out_file" | head -n 20
	sed 's/^/#   err: /' "$err_file" | head -n 20
}

check()
{
	tap_desc=$1
	shift
	# the result is TAP: what the command prints does not belong into it
	if "$@" >/dev/null; then
		ok 0 "$tap_desc"
	else
		ok 1 "$tap_desc"
		note "failed: $*"
		tap_explain
	fi
}

check_not()
{
	tap_desc=$1
	shift
	if "$@" >/dev/null; then
		ok 1 "$tap_desc"
		note "succeeded: $*"
		tap_explain
	else
		ok 0 "$tap_desc"
	fi
}

# is GOT WANT DESC
is()
{
	if [ "$1" = "$2" ]; then
		ok 0 "$3"
		return 0
	fi
	ok 1 "$3"
	tap_tmp=$(mktemp -d)
	printf '%s\n' "$1" >"$tap_tmp/got"
	printf '%s\n' "$2" >"$tap_tmp/want"
	(cd "$tap_tmp" && diff -u want got) | sed 's/^/#   /'
	rm -rf "$tap_tmp"
	tap_explain
}

isnt()
{
	if [ "$1" != "$2" ]; then
		ok 0 "$3"
		return 0
	fi
	ok 1 "$3"
	note "got: $1"
	tap_explain
}

# like GOT ERE DESC
like()
{
	if printf '%s\n' "$1" | grep -Eq -e "$2"; then
		ok 0 "$3"
		return 0
	fi
	ok 1 "$3"
	note "no line matches $2 in:"
	printf '%s\n' "$1" | sed 's/^/#   /'
	tap_explain
}

unlike()
{
	if ! printf '%s\n' "$1" | grep -Eq -e "$2"; then
		ok 0 "$3"
		return 0
	fi
	ok 1 "$3"
	note "a line matches $2 in:"
	printf '%s\n' "$1" | sed 's/^/#   /'
	tap_explain
}

# The exit trap: a test that stops before its end has failed.
tap_leave()
{
	tap_status=$?
	trap - EXIT
	trap '' HUP INT TERM
	set +e
	if [ "$tap_done" = 0 ]; then
		ok 1 "the test ended early, status $tap_status, after: $tap_last"
		tap_explain
		printf '1..%d\n' "$tap_count"
		[ "$tap_status" != 0 ] || tap_status=1
	fi
	tap_remove
	exit "$tap_status"
}

done_testing()
{
	if [ "$tap_count" = 0 ]; then
		ok 1 'nothing was asserted'
	fi
	printf '1..%d\n' "$tap_count"
	tap_done=1
	if [ "$tap_failed" = 0 ]; then
		exit 0
	fi
	exit 1
}

skip_all()
{
	[ "$tap_count" = 0 ] || return 1
	printf '1..0 # SKIP %s\n' "$*"
	tap_done=1
	exit 0
}

tap_remove()
{
	if [ -n "$tap_home" ]; then
		if [ "${KEEP:-}" = 1 ]; then
			note "kept: $tap_home"
		else
			cd /
			chmod -R u+rwx "$tap_home" 2>/dev/null || :
			rm -rf "$tap_home"
		fi
	fi
	tap_home=
}

# A fresh world: nothing of the caller's docker or settings gets into it.
# T is its directory; the one before, if any, goes.
fixture()
{
	: "${FAKE_DOCKER:?is to be the path of fake-docker}"
	tap_remove
	tap_home=$(mktemp -d "${TMPDIR:-/tmp}/sandkeeper-test.XXXXXX")
	T=$tap_home
	mkdir "$T/home" "$T/log" "$T/fake"
	for tap_name in $(env | sed -n -e 's/^\(SANDKEEPER_[A-Z0-9_]*\)=.*/\1/p' \
	    -e 's/^\(DOCKER_[A-Z0-9_]*\)=.*/\1/p' \
	    -e 's/^\(FAKE_DOCKER_[A-Z0-9_]*\)=.*/\1/p' \
	    -e 's/^\(XDG_[A-Z0-9_]*\)=.*/\1/p'); do
		unset "$tap_name"
	done
	unset ROBOCO_SANDBOX_DB_ENABLED NOTIFY_SOCKET WATCHDOG_USEC NO_COLOR \
	    JOURNAL_STREAM
	HOME=$T/home
	FAKE_DOCKER_DIR=$T/fake
	SANDKEEPER_DOCKER=$FAKE_DOCKER
	SANDKEEPER_STATE_DIR=$T/state
	SANDKEEPER_LOG_DIR=$T/log
	SANDKEEPER_ENABLED=true
	export T HOME FAKE_DOCKER FAKE_DOCKER_DIR SANDKEEPER_DOCKER \
	    SANDKEEPER_STATE_DIR SANDKEEPER_LOG_DIR SANDKEEPER_ENABLED
	if [ -n "${ENGINES_DIR:-}" ]; then
		SANDKEEPER_ENGINES_DIR=$ENGINES_DIR
		export SANDKEEPER_ENGINES_DIR
	fi
	out_file=$T/out
	err_file=$T/err
	: >"$out_file"
	: >"$err_file"
	stdin=/dev/null
	rc=
	out=
	err=
	"$FAKE_DOCKER" fake-init
}

# Takes what a command printed; a trailing newline is not in $out and $err.
# shellcheck disable=SC2034 # they are for the tests
tap_take()
{
	out=$(cat "$out_file")
	err=$(cat "$err_file")
}

run()
{
	case ${RUN_TIMEOUT:-120}$(command -v "$1" || :) in
	[1-9]*/*)
		# Nothing may hang for ever, not even what is tested.
		timeout --foreground -k 1 "${RUN_TIMEOUT:-120}" "$@" \
		    <"$stdin" >"$out_file" 2>"$err_file" && rc=0 || rc=$?
		;;
	*)	"$@" <"$stdin" >"$out_file" 2>"$err_file" && rc=0 || rc=$?
		;;
	esac
	tap_take
}

sk()
{
	run "${SANDKEEPER:?is to be the path of the program}" "$@"
}

# A shell's background job ignores INT; here it must not.
start()
{
	env --default-signal=INT,QUIT "$@" <"$stdin" >"$out_file" \
	    2>"$err_file" &
	pid=$!
}

finish()
{
	wait "$pid" && rc=0 || rc=$?
	tap_take
}

fake()
{
	tap_verb=$1
	shift
	"$FAKE_DOCKER" "fake-$tap_verb" "$@"
}

# shellcheck disable=SC2120 # tests may name a verb
calls()
{
	"$FAKE_DOCKER" fake-calls "$@"
}

# calls_are "VERB VERB" DESC
calls_are()
{
	tap_got=$("$FAKE_DOCKER" fake-verbs | tr '\n' ' ')
	# shellcheck disable=SC2086
	tap_want=$(printf '%s ' $1)
	[ -n "$1" ] || tap_want=
	if [ "${tap_got% }" = "${tap_want% }" ]; then
		ok 0 "$2"
		return 0
	fi
	ok 1 "$2"
	note "want: ${tap_want% }"
	note "got:  ${tap_got% }"
	"$FAKE_DOCKER" fake-calls | sed 's/^/#   /'
	tap_explain
}

has_container()
{
	"$FAKE_DOCKER" fake-list -q | grep -Fqx -e "$1"
}

# containers_are "NAME NAME" DESC, in any order
containers_are()
{
	# shellcheck disable=SC2086
	is "$("$FAKE_DOCKER" fake-list -q)" \
	    "$([ -z "$1" ] || printf '%s\n' $1 | LC_ALL=C sort)" "$2"
}

entry_path()
{
	printf '%s\n' "$SANDKEEPER_STATE_DIR/agents/$1"
}

has_entry()
{
	[ -f "$SANDKEEPER_STATE_DIR/agents/$1" ]
}

wait_for()
{
	tap_bound=10
	if [ "$1" = -t ]; then
		tap_bound=$2
		shift 2
	fi
	tap_end=$(($(date +%s%N) / 1000000 + tap_bound * 1000))
	while :; do
		if "$@"; then
			return 0
		fi
		[ "$(($(date +%s%N) / 1000000))" -lt "$tap_end" ] || return 1
		sleep 0.02
	done
}

printf 'TAP version 13\n'
trap tap_leave EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
set -eu
