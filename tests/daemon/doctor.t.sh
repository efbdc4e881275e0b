#!/bin/sh
# SPDX-License-Identifier: ISC
#
# doctor against a real daemon: what it tells is true, and its remedies work;
# and the setting syslog, with somebody who listens.

# shellcheck disable=SC2317 # functions are called by name

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/lib/daemon.sh
. "$TESTS_LIB/daemon.sh"

socket=${daemon_host#unix://}

# of CHECK KEY: of its findings
of()
{
	jq -r --arg check "$1" ".checks[]|select(.check==\$check)|.$2" \
	    "$out_file"
}

# finds CHECK LEVEL CODE WHAT REMEDY DESC
finds()
{
	is "$rc $(of "$1" level | head -n 1)" "$3 $2" "$6: $2, exit code $3"
	like "$(of "$1" message)" "$4" "$6: named"
	like "$(of "$1" remedy)" "$5" "$6: its remedy"
}

# silent CHECK DESC
silent()
{
	is "$(of "$1" level | sort -u)" ok "$2: the remedy works"
}

daemon_world
cat >"$T/conf" <<'END'
enabled = true
project "p" { services = {"nap"} }
END
make_network "net-$$"
agent a1 --network "net-$$"
sk -c "$T/conf" ensure a1 --services nap
before=$(state_files; dk ps -aq)
forget_calls
sk -c "$T/conf" doctor --json
is "$rc" 0 'doctor: exit code'
is "$(jq -r '.checks[]|select(.level!="ok")|.check' "$out_file")" janitor \
    'all is well but that nobody sweeps'
like "$(of daemon message)" \
    "version $(dk version --format '{{.Server.Version}}' | sed 's/[+.]/\\&/g'), API $(dk version --format '{{.Server.APIVersion}}'), not rootless\$" \
    'the daemon: its version'
like "$(of client message)" \
    "version $(dk version --format '{{.Client.Version}}' | sed 's/[+.]/\\&/g')," \
    'the client: its version'
is "$(verbs)" 'version info image ps ps' 'issue 3: five docker calls'
is "$(state_files; dk ps -aq)" "$before" 'nothing changed'

# --- docker

run env DOCKER_HOST="unix://$T/none.sock" "$SANDKEEPER" -c "$T/conf" doctor --json
finds daemon problem 69 'Cannot connect' "no socket at $T/none.sock: start docker" \
    'the daemon is down'
sk -c "$T/conf" doctor --json
silent daemon 'the daemon is down'
run env DOCKER_API_VERSION=1.99 "$SANDKEEPER" -c "$T/conf" doctor --json
finds daemon problem 69 'too new' '^unset DOCKER_API_VERSION$' 'the API is too new'
run env DOCKER_API_VERSION=1.10 "$SANDKEEPER" -c "$T/conf" doctor --json
finds daemon problem 69 'too old' '^unset DOCKER_API_VERSION$' 'the API is too old'

# --- an image, a network

printf 'engine "nap" { image = "sk-missing-%s:1" }\n' "$$" >>"$T/conf"
sk -c "$T/conf" doctor --json
finds images warning 0 "sk-missing-$$:1" "^docker pull sk-missing-$$:1\$" \
    'a missing image'
# no registry has it; this is how else it comes
dk tag busybox:test "sk-missing-$$:1"
sk -c "$T/conf" doctor --json
silent images 'a missing image'
dk rmi "sk-missing-$$:1" >/dev/null
sk -c "$T/conf" doctor --json --set "network=sk-doctor-$$"
finds networks problem 75 "sk-doctor-$$" "^docker network create sk-doctor-$$\$" \
    'a missing network'
sh -c "docker() { '$D' \"\$@\"; }; $(of networks remedy)" >/dev/null
sk -c "$T/conf" doctor --json --set "network=sk-doctor-$$"
silent networks 'a missing network'
dk network rm "sk-doctor-$$" >/dev/null

# --- a stale entry

dk rm -f "$(sandbox_of nap a1)" >/dev/null
sk -c "$T/conf" doctor --json --set grace=0
finds entries warning 0 'entry of a1 is stale' '^sandkeeper release a1$' \
    'a stale entry'
sh -c "sandkeeper() { '$SANDKEEPER' -q \"\$@\"; }; $(of entries remedy)"
sk -c "$T/conf" doctor --json --set grace=0
silent entries 'a stale entry'

# --- cron and watch

cat >"$T/look" <<'END'
set -e
mount -t tmpfs none /etc/cron.d
printf '%s\n' "$1" | sed "s/.*the line '\(.*\)'/\1/" >/etc/cron.d/sandkeeper
shift
exec "$@"
END
[ -d /etc/cron.d ] || mkdir /etc/cron.d
sk -c "$T/conf" doctor --json
finds janitor warning 0 'nothing was found' "DOCKER_HOST=$daemon_host" 'nobody sweeps'
run unshare -m sh "$T/look" "$(of janitor remedy)" "$SANDKEEPER" -c "$T/conf" \
    doctor --json
silent janitor 'nobody sweeps, cron'
like "$(of janitor message)" '^/etc/cron.d/sandkeeper runs it' 'cron: named'
start "$SANDKEEPER" -c "$T/conf" watch
watch_found()
{
	"$SANDKEEPER" -c "$T/conf" doctor --json >"$T/doctor"
	jq -e '.checks[]|select(.check=="janitor")|.level == "ok"' "$T/doctor"
}
check 'nobody sweeps, watch: the remedy works' wait_for watch_found
kill "$pid"
finish

# --- a socket that refuses us

give_away()
{
	chmod 755 "$T"
	cp "$(readlink -f "$SANDKEEPER")" "$T/sandkeeper"
	chmod 755 "$T/sandkeeper"
	chown -R 65534:65534 "$T"
}

# as_nobody GROUP-OPTION: doctor without any right of root's
as_nobody()
{
	run setpriv --reuid 65534 --regid 65534 "$@" --inh-caps=-all \
	    env HOME="$T/home" DOCKER_CONFIG="$T/home" \
	    "$T/sandkeeper" -c "$T/conf" doctor --json
}

give_away
mode=$(stat -c %a "$socket")
group=$(stat -c %G "$socket")
gid=$(stat -c %g "$socket")
chmod 660 "$socket"
as_nobody --clear-groups
finds daemon problem 77 'permission denied' "^usermod -aG $group nobody, and log in again" \
    'a socket that refuses us'
# the group that usermod would give at the next login
as_nobody --groups "$gid"
silent daemon 'a socket that refuses us'
chmod 666 "$socket"
as_nobody --clear-groups
is "$(of socket level)" warning 'a socket for everybody'
like "$(of socket remedy)" "^chmod o-rwx $socket\$" 'a socket for everybody: its remedy'
sh -c "$(of socket remedy)"
as_nobody --groups "$gid"
silent socket 'a socket for everybody'
chmod "$mode" "$socket"

# --- syslog

chown -R 0:0 "$T"
echo 'enabled = true' >"$T/conf"
cat >"$T/listen.pl" <<'END'
use Socket;
socket(my $s, PF_UNIX, SOCK_DGRAM, 0) or die;
bind($s, pack_sockaddr_un($ARGV[0])) or die;
while (1) {
	recv($s, my $line, 8192, 0);
	last if $line =~ /the end/;
	syswrite(STDOUT, "$line\n");
}
END
# a /dev of our own, whose log is ours
cat >"$T/in-dev" <<'END'
set -e
mkdir "$1/dev"
mknod -m 666 "$1/dev/null" c 1 3
perl "$1/listen.pl" "$1/dev/log" >"$1/syslog" &
while [ ! -S "$1/dev/log" ]; do sleep 0.02; done
mount --bind "$1/dev" /dev
shift
"$@"
echo 'the end' | perl -MSocket -e 'socket(S, PF_UNIX, SOCK_DGRAM, 0);
    send(S, "the end", 0, pack_sockaddr_un("/dev/log")) or die'
wait
END
sk -c "$T/conf" ensure a1 --services nap
dk rm -f roboco-agent-a1 >/dev/null
run unshare -m sh "$T/in-dev" "$T" "$SANDKEEPER" -c "$T/conf" \
    --set syslog=true --set owner-grace=0 sweep --grace 0
is "$rc" 0 'syslog = true: exit code'
like "$(cat "$T/syslog")" \
    '^<30>.* sandkeeper\[[0-9]+\]: a1: removed roboco-sandbox-nap-a1' \
    'syslog = true: facility daemon, priority info, our name and process'
like "$err" 'a1: removed roboco-sandbox-nap-a1' 'and stderr has it, too'
unlike "$(cat "$T/syslog")" 'sandkeeper: sandkeeper' 'without our name twice'
rm -r "${T:?}/dev"
printf 'syslog = true\ngrace = soon\n' >"$T/conf"
run unshare -m sh "$T/in-dev" "$T" sh -c '"$@" || :' sh "$SANDKEEPER" \
    -c "$T/conf" sweep
like "$(cat "$T/syslog")" \
    "^<27>.* sandkeeper\\[[0-9]+\\]: $T/conf:2: grace: 'soon' is no duration" \
    'syslog = true: mistakes in the settings, priority error'

done_testing
