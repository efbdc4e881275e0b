# shellcheck shell=sh
# SPDX-License-Identifier: ISC
#
# Scenes for the tests of the commands: sandboxes, entries and owners, put
# straight into the fake docker and the state directory, as old as a test wants
# them.  Sourced after tap.sh.  What has no age given is an hour old.
#
#   scene                          a fixture and the state of a keeper
#   agent SLUG [OPTION...]         an agent's container; options are those of
#   sandbox SLUG SHORT [OPTION...] fake-container.  A sandbox of this keeper
#   unkept SLUG SHORT [OPTION...]  the orchestrator's: no keeper's id
#   foreign SLUG SHORT [OPTION...] another keeper's
#   entry SLUG [KEY=VALUE...] [SHORT...]
#                                  records the containers of these services,
#                                  whether they are there or not
#   id_of NAME                     the id that a container of that name gets
#   ago SECONDS                    that long ago, as docker writes it
#   now                            seconds since the epoch
#   sweeps [SECONDS]               the owner's grace in what follows; else 1
#   history                        the history's lines
#   same_state BEFORE              nothing changed since $(state)

KEEPER=0123456789abcdef0123456789abcdef
OTHER=ffffffffffffffffffffffffffffffff
AGENT=roboco-agent
BOX=roboco-sandbox

now()
{
	date +%s
}

ago()
{
	date -u -d "@$(($(date +%s) - $1))" +%Y-%m-%dT%H:%M:%SZ
}

id_of()
{
	printf %s "$1" | sha256sum | cut -c 1-64
}

scene()
{
	fixture
	mkdir -m 700 "$T/state" "$T/state/agents" "$T/state/locks"
	echo "$KEEPER" >"$T/state/keeper"
	OLD=$(ago 3600)
}

agent()
{
	scene_slug=$1
	shift
	fake container "$AGENT-$scene_slug" --id "$(id_of "$AGENT-$scene_slug")" \
	    --created "$OLD" "$@" >/dev/null
}

service_of()
{
	case $1 in
	pg)	echo postgres ;;
	*)	echo "$1" ;;
	esac
}

unkept()
{
	scene_slug=$1
	scene_name=$BOX-$2-$1
	shift 2
	fake container "$scene_name" --id "$(id_of "$scene_name")" \
	    --created "$OLD" --label roboco.sandbox=1 \
	    --label "roboco.sandbox.owner=$AGENT-$scene_slug" "$@" >/dev/null
}

# kept KEEPER SLUG SHORT [OPTION...]
kept()
{
	scene_keeper=$1
	scene_box=$3
	scene_agent=$2
	shift 3
	unkept "$scene_agent" "$scene_box" \
	    --label "sandkeeper.keeper=$scene_keeper" \
	    --label "sandkeeper.agent=$scene_agent" \
	    --label "sandkeeper.service=$(service_of "$scene_box")" \
	    --label "sandkeeper.owner=container:$AGENT-$scene_agent" \
	    --label sandkeeper.version=1 "$@"
}

sandbox()
{
	kept "$KEEPER" "$@"
}

foreign()
{
	kept "$OTHER" "$@"
}

entry_service()
{
	scene_name=$BOX-$2-$1
	printf '[%s]\ncontainer=%s\nid=%s\nstarted=%s\nimage=%s\n' \
	    "$(service_of "$2")" "$scene_name" "$(id_of "$scene_name")" \
	    "$OLD" "$2:test"
	case $2 in
	redis)	scene_user= ;;
	*)	scene_user=sandbox ;;
	esac
	printf 'host=%s\nport=5432\nuser=%s\npassword=%s\n' \
	    "$scene_name" "$scene_user" "secret-$2-$1"
	printf 'database=%s\nfeatures=\n' "$scene_user"
}

# A later KEY=VALUE counts.
entry()
{
	scene_slug=$1
	shift
	scene_file=$T/state/agents/$scene_slug
	scene_then=$(($(date +%s) - 3600))
	{
		printf 'sandkeeper 1\nagent=%s\nstate=ready\n' "$scene_slug"
		printf 'owner=container:%s\nowner-id=\n' "$AGENT-$scene_slug"
		printf 'daemon=default\nnetwork=\ncreated=%s\nhanded=%s\n' \
		    "$scene_then" "$scene_then"
		printf 'expires=0\nhold=0\n'
		for scene_word in "$@"; do
			case $scene_word in
			*=*)	printf '%s\n' "$scene_word" ;;
			esac
		done
		for scene_word in "$@"; do
			case $scene_word in
			*=*)	;;
			*)	entry_service "$scene_slug" "$scene_word" ;;
			esac
		done
		echo end
	} >"$scene_file"
	chmod 600 "$scene_file"
}

# So long a sweep waits for an owner's return.
# shellcheck disable=SC2120 # a second is the usual
sweeps()
{
	SANDKEEPER_OWNER_GRACE=${1:-1}
	export SANDKEEPER_OWNER_GRACE
}

history()
{
	cat "$SANDKEEPER_LOG_DIR/history.jsonl" 2>/dev/null || :
}

# Everything that a command may change: state, logs and containers.
state()
{
	(cd "$T" && find state log -printf '%p %y %m %s\n' | LC_ALL=C sort)
	fake list
}

same_state()
{
	[ "$(state)" = "$1" ]
}
