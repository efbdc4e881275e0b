#!/bin/sh
# SPDX-License-Identifier: ISC
#
# No anonymous volume is ever left (case 15): every engine, every way in which
# a sandbox ends, and images whose VOLUME lies beside the tmpfs of the data.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/lib/daemon.sh
. "$TESTS_LIB/daemon.sh"

net=sk-volumes-$$

# image NAME VOLUME...: busybox with those volumes
image()
{
	name=$1
	shift
	set -- --change "LABEL sandkeeper-test=$T" \
	    --change "VOLUME $*" --change 'CMD ["sleep", "86400"]'
	dk create --name "sk-volumes-$$" --label "sandkeeper-test=$T" \
	    busybox:test >/dev/null
	dk commit "$@" "sk-volumes-$$" "$name" >/dev/null
	dk rm "sk-volumes-$$" >/dev/null
}

made_anew()
{
	"$SANDKEEPER" ensure vol-1 --services "$service" "$@" >/dev/null
}

# ends_clean SERVICE SHORT: the ways in which its sandbox ends, one after the other
ends_clean()
{
	before=$(volumes)
	service=$1
	made_anew
	made=$(($(volumes) - before))
	note "$1: $made volumes"
	case $1 in
	redis) is "$made" 0 "$1: a tmpfs is in the place of its volume" ;;
	*) check "$1: its image has volumes" [ "$made" -gt 0 ] ;;
	esac
	made_anew --fresh
	is "$(volumes)" "$((before + made))" "$1: T3: replaced, not one more"
	"$SANDKEEPER" --quiet release vol-1
	is "$(volumes)" "$before" "$1: T3: released, none is left"
	made_anew
	dk kill "$(sandbox_of "$2" vol-1)" >/dev/null
	made_anew
	is "$(volumes)" "$((before + made))" "$1: T3: died and made anew"
	"$SANDKEEPER" --quiet remove roboco-agent-vol-1
	is "$(volumes)" "$before" "$1: T3: its agent removed, none is left"
	agent vol-1 --network "$net"
	made_anew
	dk rm -f roboco-agent-vol-1 >/dev/null
	"$SANDKEEPER" --quiet sweep --grace 0
	is "$(volumes)" "$before" "$1: T3: swept, none is left"
	agent vol-1 --network "$net"
}

daemon_world
make_network "$net"
agent vol-1 --network "$net"
image "sk-mongo-$$:test" /data/db /data/configdb
image "sk-beside-$$:test" /beside /data
cat >"$T/engines/test.conf" <<END
engine "mongo" {
  image   = "sk-mongo-$$:test"
  command = {"sleep", "86400"}
  ready   = {"true"}
}
engine "beside" {
  short  = "beside"
  image  = "sk-beside-$$:test"
  port   = 1
  tmpfs  = {"/data:size=16m"}
  ready  = {"true"}
  export = {"BESIDE=%h"}
}
engine "broken" {
  like  = "beside"
  short = "broken"
  ready = {"false"}
  ready-timeout = "1s"
  export = {"BROKEN=%h"}
}
END

ends_clean postgres pg
ends_clean redis redis
ends_clean mongo mongo
ends_clean beside beside

# an ensure that fails, and one that docker creates and cannot start
before=$(volumes)
sk ensure vol-1 --services broken,beside
is "$rc $(volumes)" "75 $before" 'E7: a failed ensure leaves no volume'
sk ensure vol-1 --services beside --network "sk-nowhere-$$"
is "$rc $(volumes)" "75 $before" 'E7: nor one whose container did not start'

# a named volume is the user's
dk volume create --label "sandkeeper-test=$T" "sk-named-$$" >/dev/null
cat >>"$T/engines/test.conf" <<END
engine "named" {
  like  = "beside"
  short = "named"
  run-options = {"-v", "sk-named-$$:/named"}
  export = {"NAMED=%h"}
}
END
before=$(volumes)
sk ensure vol-1 --services named
is "$rc $(dk inspect --format '{{range .Mounts}}{{.Destination}} {{end}}' \
    "$(sandbox_of named vol-1)" | tr ' ' '\n' | sort | tr '\n' ' ')" \
    '0  /beside /named ' 'T3: one with a named volume and another'
sk release vol-1
is "$(volumes)" "$before" 'T3: the named one stays, the other goes'
dk volume rm "sk-named-$$" >/dev/null

done_testing
