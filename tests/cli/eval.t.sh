#!/bin/sh
# SPDX-License-Identifier: ISC
#
# set -e; eval "$(sandkeeper ensure ... --env)" stops a script where ensure
# fails, in every shell that is there.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/ensure.sh
. "$TESTS_LIB/../cli/ensure.sh"

# script COMMAND-LINE: what a user would write
script()
{
	cat >"$T/script" <<-EOF
		set -e
		eval "\$($1)"
		echo "went on with \${PGHOST:-nothing} \${PGPORT:-}"
	EOF
}

# stops DESC COMMAND-LINE: where it fails, the script does
stops()
{
	script "$2"
	for shell in $shells; do
		# shellcheck disable=SC2046 # words
		run $(echo "$shell" | tr _ ' ') "$T/script"
		check "$shell: $1: the script stops, with a failure" \
		    test "$rc" -ne 0 -a -z "$out"
	done
}

shells='dash bash busybox_sh'
for name in mksh ksh zsh yash; do
	! command -v "$name" >/dev/null || shells="$shells $name"
done

cold
owner a1
# shellcheck disable=SC2016 # for the script
script '"$SANDKEEPER" ensure a1 --services postgres --env'
for shell in $shells; do
	# shellcheck disable=SC2046 # words
	run $(echo "$shell" | tr _ ' ') "$T/script"
	is "$rc $out" "0 went on with roboco-sandbox-pg-a1 5432" \
	    "$shell: the variables are there"
done
# shellcheck disable=SC2016
script '"$SANDKEEPER" env a1'
for shell in $shells; do
	# shellcheck disable=SC2046 # words
	run $(echo "$shell" | tr _ ' ') "$T/script"
	is "$rc $out" "0 went on with roboco-sandbox-pg-a1 5432" \
	    "$shell: env: the variables are there"
done

# shellcheck disable=SC2016 # for the script
{
	stops 'a service that is not known' \
	    '"$SANDKEEPER" ensure a1 --services nope --env'
	stops 'usage' '"$SANDKEEPER" ensure --bogus a1 --services postgres --env'
	stops 'an option without its value' \
	    '"$SANDKEEPER" ensure a1 --env --services'
	stops 'a mistyped command' '"$SANDKEEPER" enshure a1 --env'
	stops 'no agent' '"$SANDKEEPER" ensure --services postgres --env'
	stops 'the owner is not there' \
	    '"$SANDKEEPER" ensure b1 --services postgres --env'
	stops 'switched off' \
	    '"$SANDKEEPER" --set enabled=false ensure a1 --services postgres --env'
	stops 'docker is not there' \
	    '"$SANDKEEPER" --docker /nowhere ensure b1 --services redis --env'
	stops 'env: no sandbox' '"$SANDKEEPER" env nobody'
	stops 'env: usage' '"$SANDKEEPER" env a1 --bogus'
	fake image postgres:16-alpine '{"run":"dies"}'
	owner c1
	stops 'the database dies' \
	    '"$SANDKEEPER" ensure c1 --services postgres --env'
	fake fault any rc=1 'err=Cannot connect to the Docker daemon at unix:///x. Is the docker daemon running?\n'
	stops 'the daemon is down' \
	    '"$SANDKEEPER" ensure d1 --services postgres --env'
	fake fault any
	# Signals, too: it answers before it ends.
	owner e1
	fake image postgres:16-alpine '{"ready_after_ms":20000}'
	for shell in $shells; do
		rm -f "$T/at"
		fake fault exec "hook=touch $T/at"
		script 'echo $$ >"$T/pid"; exec "$SANDKEEPER" ensure e1 --services postgres --env'
		sed -i 's/echo \$\$/sh -c '"'"'echo $PPID'"'"'/' "$T/script"
		# shellcheck disable=SC2046 # words
		start $(echo "$shell" | tr _ ' ') "$T/script"
		wait_for test -e "$T/at"
		kill -TERM "$(cat "$T/pid")"
		finish
		check "$shell: ended by a signal: the script stops" \
		    test "$rc" -ne 0 -a -z "$out"
	done
}

done_testing
