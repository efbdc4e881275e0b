#!/bin/sh
# SPDX-License-Identifier: ISC
#
# ensure whose every docker call fails in turn: the right code, one clear line,
# and nothing of it stays (rule E7).

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/ensure.sh
. "$TESTS_LIB/../cli/ensure.sh"

DOWN='rc=1 err=Cannot\x20connect\x20to\x20the\x20Docker\x20daemon.\n'

# fails CODE KIND FAULT ANSWER: from nothing, and beside a redis that lives.
fails()
{
	# What takes its time is tried once.
	case $4 in
	hang*then*) fails_tries=redis ;;
	hang*)	fails_tries=nothing ;;
	*)	fails_tries='nothing redis' ;;
	esac
	for fails_beside in $fails_tries; do
		cold
		owner a1
		if [ "$fails_beside" = redis ]; then
			sk ensure a1 --services redis
			fails_redis="$(boxes) $(cat "$(entry_path a1)")"
			fake reset-calls
		fi
		# shellcheck disable=SC2086 # words
		fake fault "$3" $4
		sk --json ensure a1 --services postgres --set timeouts.run=1 \
		    --set timeouts.inspect=1
		fails_desc="$3, $4, beside $fails_beside"
		is "$rc $(kind)" "$1 $2" "E7: $fails_desc: code"
		check "E7: $fails_desc: one line" one_line
		fake fault "$3"
		if [ "$fails_beside" = redis ]; then
			is "$(boxes) $(cat "$(entry_path a1)")" \
			    "$fails_redis" \
			    "E7: $fails_desc: container and entry as before"
			check "E7: $fails_desc: the lock is free" unlocked a1
		else
			left_clean a1 roboco-agent-a1 "$fails_desc"
		fi
	done
}

fails 75 docker inspect.1 'rc=1 err=boom\n'
fails 75 docker inspect.1 'signal=KILL'
fails 75 docker inspect.1 'rc=0 out=garbage\n'
fails 75 timeout inspect.1 'hang=1'
fails 69 daemon-unreachable inspect.1 "$DOWN"
fails 69 daemon-unreachable image "$DOWN"
fails 75 timeout image 'hang=1'
fails 75 docker run.1 'rc=125 err=docker:\x20boom\n'
fails 75 network run.1 'then=normal rc=125 err=docker:\x20network\x20x\x20not\x20found.\n'
fails 75 docker run.1 'then=normal rc=126 err=docker:\x20denied\n'
fails 75 docker run.1 'then=normal rc=127 err=docker:\x20nothing\n'
fails 75 docker run.1 'signal=KILL then=normal'
fails 75 docker run.1 'rc=0'
fails 69 daemon-unreachable run.1 'rc=125 err=docker:\x20Cannot\x20connect\x20to\x20the\x20Docker\x20daemon.\n'
fails 75 timeout run.1 'hang=1'
fails 75 timeout run.1 'hang=1 then=normal'
fails 75 not-ready exec.1 'rc=75 out=refused\n'
fails 75 docker exec.1 'rc=1 err=Error\x20response\x20from\x20daemon:\x20boom\n'
fails 75 docker exec.1 'signal=KILL'
fails 75 died exec.1 'rc=137'
fails 69 daemon-unreachable exec.1 'rc=1 err=Error:\x20Cannot\x20connect\x20to\x20the\x20Docker\x20daemon.\n'
fails 75 docker inspect.2 'rc=1 err=boom\n'
fails 75 timeout inspect.2 'hang=1'

done_testing
