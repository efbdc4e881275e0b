#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Images: pulled only where they are missing, and before anything is cleared
# (rule E5; case 27 from the field).

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/ensure.sh
. "$TESTS_LIB/../cli/ensure.sh"

pulled()
{
	calls pull | LC_ALL=C sort
}

# --- what is pulled

for client in new old; do
	cold
	FAKE_DOCKER_CLIENT=$client
	export FAKE_DOCKER_CLIENT
	owner a1
	fake image pg:1-alpine
	sk ensure a1 --services postgres,redis
	is "$rc $(pulled)" '0 ' "case 27: present: no pull ($client)"
	sk ensure a1 --services mongo,postgres,redis --replace \
	    --image mongo=none:1 --image postgres=pg:1-alpine \
	    --image redis=pg:1
	is "$rc $(pulled)" "0 pull none:1
pull pg:1" "E5: those that are missing, and no others ($client)"
	like "$err" '^sandkeeper: a1: pulling none:1$' "E5: says so ($client)"
	sk ensure a1 --services postgres --image postgres=untagged --replace
	is "$(calls pull | tail -n 1)" 'pull untagged' \
	    "E5: a name without a tag ($client)"
	fake reset-calls
	sk ensure a1 --services postgres --image postgres=untagged --fresh
	is "$rc $(pulled)" '0 ' "case 27: then it is there ($client)"
done
cold
owner a1
sk ensure a1 --services postgres,redis --image postgres=one:1 \
    --image redis=one:1
is "$(pulled)" 'pull one:1' 'E5: one image for two services: one pull'
is "$(calls image | sed 's/.*}} *//')" "' one:1" 'E5: and one look'
like "$(calls run | head -n 1)" ' --pull never ' 'E5: run never pulls'

# --- a pull that is refused

for trouble in manifest denied refused dns ratelimit disk; do
	cold
	owner a1
	sandbox a1 pg --network team --state exited
	id=$(id_of roboco-sandbox-pg-a1)
	fake fault pull pull-fails=$trouble
	sk --json ensure a1 --services postgres --image postgres=none:1
	is "$rc $(kind)" '75 image-pull' "E7: pull, $trouble: code"
	is "$(fake count pull)" 1 "case 27: pull, $trouble: no retry"
	like "$err" '^sandkeeper: a1: pull none:1: ' \
	    "case 27: pull, $trouble: names the image"
	like "$err" "hint: .*'docker pull none:1'" \
	    "case 27: pull, $trouble: the remedy"
	is "$(grep -vc 'hint: \|pulling' "$err_file")" 1 \
	    "case 27: pull, $trouble: one line"
	calls_are 'inspect image pull' \
	    "E5: pull, $trouble: nothing is cleared, run or looked for"
	is "$(fake inspect roboco-sandbox-pg-a1 Id)" "$id" \
	    "E5: pull, $trouble: the leftover is still there"
	check_not "E7: pull, $trouble: no entry" has_entry a1
	check "E7: pull, $trouble: the lock is free" unlocked a1
done
cold
owner a1
fake fault pull hang=1
start_clock
sk --json ensure a1 --services postgres --image postgres=none:1 \
    --set timeouts.pull=1
stop_clock
is "$rc $(kind)" '75 image-pull' 'E5: a pull that hangs: code'
check 'E5: a pull has its own deadline' within 1000
like "$err" 'timed out after 1' 'E5: a pull that hangs: says so'
left_clean a1 roboco-agent-a1 'a pull that hangs'

# A live database outlives the failure of what was to replace it.
cold
owner a1
sk ensure a1 --services postgres
was="$(boxes) $(cat "$(entry_path a1)")"
fake fault pull pull-fails=denied
for word in --fresh --replace; do
	sk ensure a1 --services postgres --image postgres=none:1 $word
	is "$rc" 75 "E7: a refused pull, $word: code"
	is "$(boxes) $(cat "$(entry_path a1)")" "$was" \
	    "E7: a refused pull, $word: container and entry as they were"
done
sk ensure a1 --services redis --image redis=none:1
is "$rc $(boxes) $(cat "$(entry_path a1)")" "75 $was" \
    'E7: a refused pull for one more service: as they were'

# --- pull-policy = never

cold
owner a1
sk --json ensure a1 --services postgres --image postgres=none:1 \
    --set pull-policy=never
is "$rc $(kind)" '75 image-missing' 'pull-policy never: code'
like "$err" "image none:1 is not there.*'never'" 'pull-policy never: why'
check 'pull-policy never: one line' one_line
calls_are 'inspect image' 'pull-policy never: no pull'
left_clean a1 roboco-agent-a1 'pull-policy never'
sk ensure a1 --services postgres --set pull-policy=never
is "$rc" 0 'pull-policy never: what is there will do'

# --- a look at the images that fails is no proof that they are missing

for how in 'rc=1 err=boom\n' 'rc=1 err=' signal=KILL \
    'rc=1 err=Error\x20response\x20from\x20daemon:\x20no\x20such\x20image:\x20other:1\n'
do
	cold
	owner a1
	# shellcheck disable=SC2086 # words
	fake fault image $how
	sk --json ensure a1 --services postgres,redis
	is "$rc" 75 "E7: image inspect, $how: code"
	calls_are 'inspect image' "E5: image inspect, $how: no pull"
	check "E7: image inspect, $how: one line" one_line
	left_clean a1 roboco-agent-a1 "image inspect, $how"
done

done_testing
