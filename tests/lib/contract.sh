# shellcheck shell=sh
# SPDX-License-Identifier: ISC
#
# One scenario for the simulated docker and for a real one: played on both, it
# must leave the same record.  The record has, after each step, exit code,
# output, what docker was asked, the containers and the entries, without what
# differs by nature: ids, passwords, addresses, times.
#
# Sourced after tap.sh and daemon.sh, in a daemon_world; there are the images
# busybox:test, redis:8-alpine and dies:test, and the engine "nap".
#
#   contract_play WORDS...     play it with that docker client; the record is
#                              on stdout
#   contract_table FILE        what of a record is the same for every client,
#                              the docker of every version and podman: all but
#                              the entries' fields, hosts, and a client's words
#   contract_expected          contract.expected as that client must leave it
#   contract_step FILE N       that step of a record or table

# shellcheck disable=SC2317 # the steps are called by name

c_net=sk-contract

c_docker()
{
	# shellcheck disable=SC2086 # words
	$c_client "$@"
}

# c_run VERB ARG...: a container of the scene, in its network
c_run()
{
	c_verb=$1
	shift
	case $c_verb in run) c_verb='run -d' ;; esac
	# shellcheck disable=SC2086 # words
	c_docker $c_verb --label "sandkeeper-test=$T" --network "$c_net" \
	    "$@" >/dev/null
}

c_agent()
{
	c_run run --name "roboco-agent-$1" busybox:test sleep 86400
}

# Where it cannot be paused it runs on.
c_pause()
{
	! can_pause || c_docker pause "$1" >/dev/null
}

# c_orphan NAME OWNER VERB [ARG...]
c_orphan()
{
	c_name=$1
	c_owner=$2
	c_verb=$3
	shift 3
	c_run "$c_verb" --name "$c_name" --label roboco.sandbox=1 \
	    --label "roboco.sandbox.owner=$c_owner" "$@" busybox:test \
	    sleep 86400
}

# What differs by nature.
c_normal()
{
	sed -E -e 's/[0-9a-f]{64}/ID/g' -e 's/[0-9a-f]{32}/WORD/g' \
	    -e 's/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]*Z/TIME/g' \
	    -e 's/([^0-9])1[0-9]{9}([^0-9]|$)/\1SECONDS\2/g' \
	    -e 's/(10|172|192)\.[0-9]+\.[0-9]+\.[0-9]+/ADDRESS/g' \
	    -e 's,unix://[^ ]*sock\.?,SOCKET,g' \
	    -e 's/(^| )[0-9]+s( |$)/\1AGE\2/g' -e 's/\([0-9]+s old/(AGE old/g' \
	    -e 's/"age": [0-9]+/"age": AGE/g' -e 's/ +/ /g' \
	    -e "s,$T,DIR,g"
}

# name, state, exit code, networks
c_containers()
{
	c_ids=$(c_docker ps -aq --no-trunc)
	[ -n "$c_ids" ] || return 0
	# shellcheck disable=SC2086 # words
	c_docker inspect --type container --format \
	    '{{.Name}} {{.State.Status}} {{.State.ExitCode}} {{json .NetworkSettings.Networks}}' \
	    $c_ids | LC_ALL=C sort | while read -r c_name c_state c_code c_json; do
		c_nets=$(printf '%s' "$c_json" | grep -Eo '"[^"]+":\{"(IPAM|Endpoint)' |
		    cut -d '"' -f 2 | tr '\n' ' ')
		echo "$c_name $c_state $c_code $c_nets"
	done
}

# c_look: the containers and the entries
c_look()
{
	echo '-- containers'
	c_containers
	echo '-- entries'
	for c_file in $(find "$SANDKEEPER_STATE_DIR" -path '*/agents/*' -type f |
	    LC_ALL=C sort); do
		echo "entry ${c_file##*/agents/}"
		c_normal <"$c_file" | grep -v '^daemon='
	done
}

# c_step TITLE ARG...: one call of the program, and all that it does.  What is
# started at once comes in any order.
c_step()
{
	echo "== $1"
	shift
	forget_calls
	sk "$@"
	echo "exit $rc"
	c_normal <"$out_file" | LC_ALL=C sort | sed 's/^/out: /'
	c_normal <"$err_file" | LC_ALL=C sort | sed 's/^/err: /'
	echo "docker: $(verbs)"
	c_look
}

# --- the scenes

scene_made()
{
	c_agent c-1
	c_step 'cold' ensure c-1 --services redis,nap --env
	c_step 'hit' ensure c-1 --services redis,nap --env
	c_step 'less' ensure c-1 --services nap
	c_step 'as JSON' ensure c-1 --services nap --json
	c_step 'list' list
	c_step 'why' why c-1
	c_pause roboco-sandbox-nap-c-1
	c_step 'paused' ensure c-1 --services nap
	c_docker kill roboco-sandbox-nap-c-1 >/dev/null
	c_step 'killed' ensure c-1 --services nap
	c_docker restart -t 0 roboco-sandbox-nap-c-1 >/dev/null
	c_step 'restarted' ensure c-1 --services nap
	c_docker rm -f roboco-sandbox-redis-c-1 >/dev/null
	c_step 'removed' ensure c-1 --services redis
	c_step 'fresh' ensure c-1 --services nap --fresh
	c_step 'release' release c-1
	c_step 'release again' release c-1
}

scene_refused()
{
	c_step 'no owner' ensure c-2 --services nap
	c_agent c-2
	c_step 'dies' ensure c-2 --services dies
	c_step 'dies beside another' ensure c-2 --services nap,dies
	c_step 'no such image' ensure c-2 --services nap \
	    --image nap=nowhere:test --set pull-policy=never
	c_step 'no such network' ensure c-2 --services nap --network c-nowhere
	c_run run --name roboco-sandbox-nap-c-2 busybox:test sleep 86400
	c_step 'the name is taken' ensure c-2 --services nap
	c_step 'a stranger is not released' release c-2
	c_docker rm -f roboco-sandbox-nap-c-2 >/dev/null
	c_orphan roboco-sandbox-nap-c-2 roboco-agent-c-2 run
	c_step 'somebody else made it' ensure c-2 --services nap
	c_step 'and it is replaced' ensure c-2 --services nap --replace
	c_docker network create --label "sandkeeper-test=$T" c-other >/dev/null
	c_docker network connect c-other roboco-agent-c-2
	c_docker network disconnect "$c_net" roboco-agent-c-2
	c_step 'the owner has moved' ensure c-2 --services nap
	c_step 'and is followed' ensure c-2 --services nap --replace
	c_step 'release' release c-2
	c_docker rm -f roboco-agent-c-2 >/dev/null
}

scene_removed()
{
	c_run run --name roboco-agent-c-3 busybox:test \
	    sh -c 'echo hello; exec sleep 86400'
	c_step 'ensure' ensure c-3 --services nap,redis
	c_step 'remove' remove roboco-agent-c-3
	echo "log: $(cat "$T"/log/agents/c-3/*.log)"
	c_step 'remove again' remove roboco-agent-c-3
	c_agent c-3
	c_step 'ensure' ensure c-3 --services nap
	c_step 'keep' remove roboco-agent-c-3 --keep-sandbox
	c_step 'flag off' remove roboco-agent-c-3 --set enabled=false
	c_step 'and sweep' sweep --grace 0
	c_step 'a stranger' remove some-container
}

scene_swept()
{
	c_step 'nothing' sweep --grace 0
	for c_slug in c-4 c-5 c-6 c-7; do
		c_agent "$c_slug"
		"$SANDKEEPER" ensure "$c_slug" --services nap >/dev/null
	done
	c_pause roboco-agent-c-5
	c_docker kill roboco-agent-c-6 >/dev/null
	c_docker rename roboco-agent-c-7 roboco-agent-c-7b
	c_orphan roboco-sandbox-pg-c-8 roboco-agent-c-8 run
	c_orphan roboco-sandbox-gone-c-9 roboco-agent-c-9 create
	c_orphan roboco-sandbox-pg-c-10 roboco-agent-c-10 run
	c_pause roboco-sandbox-pg-c-10
	c_orphan roboco-sandbox-pg-c-11 roboco-agent-c-11 run
	c_docker kill roboco-sandbox-pg-c-11 >/dev/null
	c_orphan my-database roboco-agent-c-12 run
	c_orphan roboco-sandbox-pg-c-13 xroboco-agent-c-13 run
	c_orphan roboco-sandbox-pg-c-14 roboco-agent-c-14 run \
	    --label sandkeeper.keeper=ffffffffffffffffffffffffffffffff \
	    --label sandkeeper.agent=c-14
	c_step 'explained' sweep --grace 0 --dry-run
	c_step 'with a grace' sweep --set grace=1h --set owner-grace=0
	c_step 'swept' sweep --grace 0
	c_step 'and again' sweep --grace 0
	c_step 'list' list
	c_step 'drained' sweep --drain --yes
}

scene_unreachable()
{
	c_agent c-15
	"$SANDKEEPER" ensure c-15 --services nap >/dev/null
	c_away='export DOCKER_HOST=unix:///nowhere.sock FAKE_DOCKER_DOWN=1'
	! client_is podman ||
	    c_away='export CONTAINER_HOST=unix:///nowhere.sock'
	for c_words in 'ensure c-15 --services nap' 'ensure c-16 --services nap' \
	    'remove roboco-agent-c-15' 'sweep --grace 0' \
	    'sweep --grace 0 --strict' list 'why c-15'; do
		hook inspect "$c_away"
		hook ps "$c_away"
		# shellcheck disable=SC2086 # words
		c_step "out of reach: $c_words" $c_words
		rm -f "$T"/hook.*
	done
	hook ps "echo '$c_away' >'$T/hook.ps'"
	c_step 'no second listing' sweep --grace 0 --strict
	c_step 'back' ensure c-15 --services nap
	c_step 'over' remove roboco-agent-c-15
}

contract_play()
{
	c_client=$*
	cat >"$T/engines/dies.conf" <<-'END'
		engine "dies" {
		  short  = "dies"
		  image  = "dies:test"
		  port   = 1
		  ready  = {"true"}
		  export = {"DIES=%h"}
		}
	END
	c_docker network create --label "sandkeeper-test=$T" "$c_net" >/dev/null
	for c_scene in made refused removed swept unreachable; do
		echo "=== $c_scene"
		"scene_$c_scene"
	done
}

contract_table()
{
	awk '/^-- entries/ { entries = 1 } /^==/ { entries = 0 }
	    /^-- / || (entries && !/^entry /) { next } { print }' "$1" |
	    sed -E -e 's,^/(roboco|my-),\1,' \
	    -e 's/(roboco-sandbox-[a-z0-9-]+|ADDRESS):([0-9]+)/HOST:\2/' \
	    -e 's/(_HOST(=|": )["'\'']?)[^"'\'',]*/\1HOST/' \
	    -e 's/("host": ")[^"]*/\1HOST/' \
	    -e 's/(docker [a-z]+: exit code) .*/\1/' -e 's/ +$//'
}

# podman makes no container for a network that is not there; a container that
# cannot be paused runs on.
contract_expected()
{
	c_podman=0
	! client_is podman || c_podman=1
	c_pauses=0
	! can_pause || c_pauses=1
	awk -v podman="$c_podman" -v pauses="$c_pauses" '
	    /^== / { none = podman && /no such network/ }
	    none && /^docker: / { sub(/ rm$/, "") }
	    !pauses { sub(/ paused /, " running "); sub(/ unpause$/, "") }
	    { print }' "$TESTS_LIB/contract.expected"
}

contract_step()
{
	awk -v want="$2" '/^== / { n++ } /^=== / { next } n == want' "$1"
}
