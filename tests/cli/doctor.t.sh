#!/bin/sh
# SPDX-License-Identifier: ISC
#
# doctor: each fault is made, doctor names it with its remedy and its exit code,
# the remedy is carried out, and doctor says no more of it.

# shellcheck disable=SC2317 # functions are called by name

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"

# healthy: nothing is wrong but that nobody sweeps
healthy()
{
	scene
	for image in postgres:16-alpine redis:8-alpine mongo:8; do
		fake image "$image"
	done
	sweeps
	# these three, whatever else is shipped
	mkdir "$T/three"
	cp "$ENGINES_DIR/postgres.conf" "$ENGINES_DIR/redis.conf" \
	    "$ENGINES_DIR/mongo.conf" "$T/three"
	SANDKEEPER_ENGINES_DIR=$T/three
	export SANDKEEPER_ENGINES_DIR
}

# taken: the document as lines "CHECK LEVEL MESSAGE REMEDY", with tabs between
taken()
{
	jq -r '.checks[]|[.check,.level,.message,.remedy]|@tsv' "$out_file" \
	    >"$T/findings"
}

# doctor ARG...: its document
doctor()
{
	sk doctor --json "$@"
	taken
}

# of CHECK KEY: of its findings, a line for each
of()
{
	case $2 in
	level)	of_column=2 ;;
	message) of_column=3 ;;
	*)	of_column=4 ;;
	esac
	awk -F '\t' -v check="$1" -v column="$of_column" \
	    '$1 == check { print $column }' "$T/findings"
}

# finds CHECK LEVEL CODE WHAT REMEDY DESC: what is wrong, told so
finds()
{
	is "$rc $(sed -n 's/^  "exit": //p' "$out_file")" "$3 $3" "$6: exit code"
	like "$(of "$1" level)" "^$2\$" "$6: $2"
	like "$(of "$1" message)" "$4" "$6: named"
	like "$(of "$1" remedy)" "$5" "$6: its remedy"
}

# silent CHECK DESC: the remedy has worked
silent()
{
	is "$(of "$1" level | sort -u)" ok "$2: the remedy works"
}

# --- nothing is wrong

healthy
before=$(state)
sk doctor
is "$rc$err" 0 'doctor: exit code, and nothing on stderr'
is "$(printf '%s\n' "$out" | awk '{ print $2 }' | tr '\n' ' ')" \
    'settings enabled engines client daemon socket limits clock state logs images networks entries leftovers janitor ' \
    'a line for each check'
is "$(printf '%s\n' "$out" | awk '$1 != "ok" && $1 != "skipped" { print $2 }')" \
    janitor 'what is well is well'
calls_are 'version info image ps' 'issue 3: no more than four docker calls'
check 'doctor changes nothing' same_state "$before"
rm -r "$T/state" "$T/log"
sk doctor
is "$rc" 0 'without state and logs'
check_not 'no state is made' test -e "$T/state"
check_not 'no log directory is made' test -e "$T/log"
sk doctor -q
is "$(printf '%s\n' "$out" | wc -l)" 1 '-q: warnings and problems alone'
sk doctor now
is "$rc" 64 'an argument: usage'

healthy
agent a
sandbox a pg
entry a pg
fake reset-calls
doctor --set network=ci
calls_are 'version info image network ps ps' \
    'issue 3: with sandboxes and a named network, six at most'
is "$(jq -c '[keys_unsorted,(.checks[0]|keys_unsorted)]' "$out_file")" \
    '[["checks","problems","warnings","exit"],["check","level","kind","message","remedy"]]' \
    '--json: one document with these keys'
is "$(jq '.problems == ([.checks[]|select(.level=="problem")]|length)
    and .warnings == ([.checks[]|select(.level=="warning")]|length)' "$out_file")" \
    true '--json: the sums'

# --- docker

healthy
mv "$FAKE_DOCKER_DIR" "$T/elsewhere"
doctor --docker "$T/no-docker"
finds client problem 69 "cannot run '.*/no-docker'" 'install docker' 'no docker'
is "$(of daemon level)$(of images level)$(of leftovers level)" \
    skippedskippedskipped 'no docker: what needs it is skipped'
mv "$T/elsewhere" "$FAKE_DOCKER_DIR"
doctor --docker "$FAKE_DOCKER"
silent client 'no docker'

# docker's own words with the daemon down, and a socket that is not there
healthy
DOCKER_HOST=unix://$T/docker.sock
export DOCKER_HOST
echo 1 >"$T/fake/down"
doctor
finds daemon problem 69 'Cannot connect to the Docker daemon' \
    "there is no socket at $T/docker.sock: start docker" 'the daemon is down'
like "$(of client message)" 'version 28.2.2' 'the client tells its version'
calls_are 'version' 'a daemon that is down is asked once'
rm "$T/fake/down"
doctor
silent daemon 'the daemon is down'
unset DOCKER_HOST

healthy
echo permission >"$T/fake/down"
doctor
finds daemon problem 77 'permission denied' '(usermod -aG|run it as|chgrp)' \
    'the socket refuses us'
rm "$T/fake/down"
doctor
silent daemon 'the socket refuses us'

healthy
echo hang >"$T/fake/down"
doctor --set timeouts.inspect=1s
finds daemon problem 75 'timed out after 1\.' 'the daemon hangs' \
    'the daemon hangs'
calls_are 'version' 'a daemon that hangs is asked once'

healthy
fake fault version rc=1 'out={"Client":{"Version":"28.2.2","DefaultAPIVersion":"1.50"},"Server":null}\n' \
    'err=Error response from daemon: client version 1.99 is too new. Maximum supported API version is 1.41\n'
doctor
finds daemon problem 69 'is too new' 'set DOCKER_API_VERSION=1.41' \
    'the API is too new'
DOCKER_API_VERSION=1.99 doctor
like "$(of daemon remedy)" '^unset DOCKER_API_VERSION$' 'set by a variable'
fake fault version rc=1 'out={"Client":{"Version":"28.2.2","DefaultAPIVersion":"1.50"},"Server":null}\n' \
    'err=Error response from daemon: client version 1.10 is too old. Minimum supported API version is 1.12, please upgrade your client to a newer version\n'
doctor
finds daemon problem 69 'is too old' 'install a newer docker client' \
    'the API is too old'
fake fault version
doctor
silent daemon 'the API'
fake fault version 'out={"Client":{"Version":"19.03.1","DefaultAPIVersion":"1.40"},"Server":{"Version":"19.03.1","ApiVersion":"1.40"}}\n'
doctor
finds client problem 75 '19\.03\.1, too old' 'docker 20.10 or later' \
    'an old client'

healthy
fake fault version out=garbage
doctor
finds daemon problem 75 'cannot be understood' "try 'docker version'" \
    'an answer that is none'

healthy
fake fault info 'out={"SecurityOptions":["name=seccomp","name=rootless"],"MemoryLimit":false,"CpuCfsQuota":true,"PidsLimit":false,"SystemTime":"2020-01-01T00:00:00.5Z"}\n'
doctor
finds limits warning 0 'memory, pids-limit$' 'Delegate=' 'limits that are not enforced'
like "$(of daemon message)" ', rootless$' 'rootless'
finds clock warning 0 'clock is [0-9]{8,} s behind ours' 'set-ntp' \
    'the daemon'\''s clock is another'
doctor --set memory=0 --set pids-limit=0
silent limits 'limits that are not wanted'
fake fault info
doctor
silent clock 'clock'
like "$(of daemon message)" ', not rootless$' 'not rootless'

# --- settings

healthy
unset SANDKEEPER_ENABLED
: >"$T/conf"
doctor -c "$T/conf"
finds enabled warning 0 'switched off' "write 'enabled = true' into $T/conf" \
    'switched off'
echo 'enabled = true' >"$T/conf"
doctor -c "$T/conf"
silent enabled 'switched off'
SANDKEEPER_ENABLED=off doctor -c "$T/conf"
like "$(of enabled remedy)" '^set SANDKEEPER_ENABLED=true$' \
    'switched off by a variable: that is to be set'

healthy
printf 'grace = "soon"\nmemory = "much"\nproject "p" { services = {"redis"} }\n' \
    >"$T/conf"
SANDKEEPER_INTERVAL=often doctor -c "$T/conf" --set cpus=-1
finds settings problem 78 "conf:1: grace: 'soon' is no duration" \
    'sandkeeper.conf\(5\)' 'broken settings'
is "$(of settings message | wc -l)" 4 'four mistakes in three places at once'
like "$(of settings message)" "conf:2: memory: 'much' is no size" \
    'broken settings: the second of the file'
like "$(of settings message)" "SANDKEEPER_INTERVAL: 'often' is no" \
    'broken settings: that of the environment'
like "$(of settings message)" "cpus: --set: '-1'" 'broken settings: that of --set'
is "$(of daemon level)" ok 'broken settings: the rest is looked at all the same'
printf 'grace = "3m"\nmemory = "1g"\nproject "p" { services = {"redis"} }\n' \
    >"$T/conf"
doctor -c "$T/conf"
silent settings 'broken settings'
like "$(of images message)" 'all 1 are here' 'only what projects want counts'

healthy
printf 'gace = "3m"\nmemory = "1g"\nlogs = {"a"}\ngrace = "x"\n' >"$T/conf"
doctor -c "$T/conf"
is "$(of settings message | sed 's/.*conf:/conf:/')" \
    "conf:1: no such option 'gace'
conf:3: no such option 'logs'
conf:4: grace: 'x' is no duration, such as 90s, 15m or 1h30m" \
    'a name that is none hides no other mistake'

healthy
doctor -c "$T/nowhere"
finds settings problem 78 "no settings file '.*/nowhere'" 'conf' \
    'a settings file that is not there'

healthy
mkdir "$T/engines"
cp "$ENGINES_DIR"/redis.conf "$T/engines"
printf 'engine "a" {\n  port = "1\n' >"$T/engines/a.conf"
printf 'engine "b" {\n  prt = "1"\n}\n' >"$T/engines/b.conf"
SANDKEEPER_ENGINES_DIR=$T/engines doctor
finds engines problem 78 'engines/a\.conf:' 'sandkeeper-engines\(5\)' \
    'an engine that cannot be read'
like "$(of engines message)" 'engines/b\.conf:2: .*prt' 'and the other one'
rm "$T/engines/a.conf"
printf 'engine "b" {\n  short = "redis"\n}\n' >"$T/engines/b.conf"
SANDKEEPER_ENGINES_DIR=$T/engines doctor
finds engines problem 78 "engine 'b': 'image' must be there" 'engines\(5\)' \
    'an engine that cannot be'
rm "$T/engines/b.conf"
SANDKEEPER_ENGINES_DIR=$T/engines doctor
silent engines 'an engine'

# --- images and networks

healthy
fake 'do' image rm redis:8-alpine
doctor
silent images 'one that nothing says is wanted'
like "$(of images message)" '^2 of 3 are here; not here: redis:8-alpine$' \
    'one that nothing says is wanted: named all the same'
doctor --set pull-policy=never
silent images 'one that nothing says is wanted, and that is never pulled'
echo 'project "p" { services = {"redis"} }' >"$T/conf"
doctor -c "$T/conf"
finds images warning 0 'redis:8-alpine$' '^docker pull redis:8-alpine$' \
    'a missing image'
doctor -c "$T/conf" --set pull-policy=never
finds images problem 75 'pull-policy is never: redis:8-alpine$' \
    '^docker pull redis:8-alpine$' 'a missing image that is never pulled'
fake 'do' image rm mongo:8
fake 'do' image rm postgres:16-alpine
doctor
finds images warning 0 'mongo:8, postgres:16-alpine, redis:8-alpine$' \
    'name the services that count in a project' 'none is here'
fake image postgres:16-alpine
echo 'project "p" { services = {"postgres"} }' >"$T/conf"
doctor -c "$T/conf"
silent images 'several, and a project that wants none of them'
echo 'project "p" { services = {"mongo", "redis"} }' >"$T/conf"
doctor -c "$T/conf"
like "$(of images remedy)" '^docker pull mongo:8 && docker pull redis:8-alpine$' \
    'several that a project wants'
fake image mongo:8
doctor -c "$T/conf" --set pull-policy=never
fake remote redis:8-alpine
# the remedy, with our docker
sh -c "docker() { '$FAKE_DOCKER' \"\$@\"; }; $(of images remedy)" >"$T/pulled"
doctor -c "$T/conf" --set pull-policy=never
silent images 'a missing image'

healthy
doctor --set network=ci
finds networks problem 75 "no network 'ci'" '^docker network create ci$' \
    'a missing network'
sh -c "docker() { '$FAKE_DOCKER' \"\$@\"; }; $(of networks remedy)" >"$T/made"
doctor --set network=ci
silent networks 'a missing network'
calls_are 'version info image network ps network version info image network ps' \
    'one call for networks'

# --- state and logs

# as_nobody ARG...: doctor without any right of root's
as_nobody()
{
	if [ "$(id -u)" != 0 ]; then
		doctor "$@"
		return
	fi
	run setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all \
	    "$T/sandkeeper" doctor --json "$@"
	taken
}

# Everything becomes his.
give_away()
{
	cp "$SANDKEEPER" "$T/sandkeeper"
	cp "$FAKE_DOCKER" "$T/docker"
	SANDKEEPER_DOCKER=$T/docker
	export SANDKEEPER_DOCKER
	[ "$(id -u)" != 0 ] || chown -R 65534:65534 "$T"
}

healthy
give_away
chmod 500 "$T/state"
as_nobody
finds state problem 77 "state: it cannot be written: Permission denied" \
    "^chmod u\+rwx $T/state\$" 'a state that cannot be written'
sh -c "$(of state remedy)"
chmod 500 "$T/state/agents"
as_nobody
finds state problem 77 "state/agents: it cannot be written" \
    "^chmod u\+rwx $T/state/agents\$" 'entries that cannot be written'
sh -c "$(of state remedy)"
as_nobody
silent state 'a state that cannot be written'
chmod 500 "$T/log"
as_nobody
finds logs warning 0 "log: it cannot be written" "^chmod u\+rwx $T/log\$" \
    'logs that cannot be written'
sh -c "$(of logs remedy)"
as_nobody
silent logs 'logs that cannot be written'
mkdir "$T/closed"
[ "$(id -u)" != 0 ] || chown 65534 "$T/closed"
chmod 500 "$T/closed"
as_nobody --state-dir "$T/closed/sub/state"
finds state problem 73 'is not there and cannot be made' \
    "install -d -o [^ ]+ -m 0700 $T/closed/sub/state; or choose another with --state-dir" \
    'a state that cannot be made'
chmod 700 "$T/closed"

# One that can never be made is none that is not there yet.
healthy
: >"$T/plain"
ln -s "$T/nowhere" "$T/link"
for never in "plain=it is no directory" "plain/log=a part of its path" \
    "link=a link to what is not there" "link/log=a link to what is not there"; do
	SANDKEEPER_LOG_DIR=$T/${never%%=*} doctor
	finds logs warning 0 "$T/${never%%=*}: .*${never#*=}" \
	    'move what is there away, or choose another with the setting log-dir' \
	    "a log-dir that can never be made: ${never%%=*}"
done
SANDKEEPER_LOG_DIR=/proc/sandkeeper/log doctor
finds logs warning 0 'is not there and cannot be made' \
    '^choose another with the setting log-dir$' 'a log-dir below /proc'
SANDKEEPER_LOG_DIR=$T/far/away/log doctor
silent logs 'a log-dir below folders that are not there yet'
agent z1
SANDKEEPER_LOG_DIR=$T/far/away/log sk remove roboco-agent-z1
is "$rc $err" '0 ' 'R2: which is made then'
check 'R8: with the history' test -s "$T/far/away/log/history.jsonl"
healthy
chmod 755 "$T/state"
doctor
finds state warning 0 'others may look into it' "^chmod 0700 $T/state\$" \
    'a state that others can read'
sh -c "$(of state remedy)"
chmod 777 "$T/log"
doctor
silent state 'a state that others can read'
finds logs warning 0 'everybody may change' "^chmod o-w $T/log\$" \
    'logs that everybody can write'
sh -c "$(of logs remedy)"
chmod 770 "$T/state"
doctor
silent logs 'logs that everybody can write'
finds state problem 77 'can be written by others' 'chmod go-w' \
    'a state that others can write'
is "$(of entries level)" skipped 'its entries are not looked at'
is "$(of janitor level)" skipped 'nor who sweeps'

# --- entries, and what was left over

healthy
entry gone pg
doctor
finds entries warning 0 'the entry of gone is stale' \
    '^sandkeeper release gone$' 'a stale entry'
# whoever holds it lives: below a pid namespace others' locks are not told
mkfifo "$T/go"
flock "$T/state/locks/gone" sh -c "echo >'$T/at-work'; read -r _ <'$T/go'" &
locker=$!
wait_for test -s "$T/at-work"
doctor
silent entries 'one that somebody is at work on'
echo >"$T/go"
wait "$locker"
doctor
like "$(of entries message)" 'gone is stale' 'when that has ended, it is'
sh -c "sandkeeper() { '$SANDKEEPER' \"\$@\"; }; $(of entries remedy)"
doctor
silent entries 'a stale entry'
for name in a b c d e f g h i j k l; do
	entry "$name" pg "hold=$(($(now) + 600))"
done
doctor
is "$(of entries level | sort | uniq -c | tr -s ' ')" ' 11 warning' \
    'a dozen stale entries: ten of them, and that there are more'
like "$(of entries remedy)" '^sandkeeper release --force a$' 'a held one'

healthy
entry dev-1 pg
sed -i 's/^sandkeeper 1/sandkeeper 9/' "$T/state/agents/dev-1"
echo rubbish >"$T/state/agents/dev-2"
doctor
finds entries problem 78 'dev-1' 'install the newer sandkeeper again' \
    'an entry of a later version'
check 'a damaged entry is left as it is' test -f "$T/state/agents/dev-2"
healthy
echo rubbish >"$T/state/agents/dev-2"
sandbox dev-2 pg
doctor
finds entries warning 0 'the entry of dev-2 is damaged' \
    'any more: sandkeeper release dev-2$' 'a damaged entry'
sh -c "sandkeeper() { '$SANDKEEPER' -q \"\$@\"; }; $(of entries remedy | sed 's/.*: //')" \
    2>"$T/said"
doctor
silent entries 'a damaged entry'
containers_are '' 'a damaged entry: its containers have gone with it'

healthy
agent old --state exited --finished "$(ago 180000)"
sandbox old pg --created "$(ago 180000)"
entry old pg created=1 handed=1
agent new --state exited --finished "$OLD"
sandbox new pg
entry new pg
doctor
finds leftovers problem 75 '^1 orphans are older than a day.*-pg-old \(2d\)' \
    '^sandkeeper sweep$' 'an orphan older than a day'
sh -c "sandkeeper() { '$SANDKEEPER' -q \"\$@\"; }; $(of leftovers remedy)"
doctor
silent leftovers 'an orphan older than a day'
unset SANDKEEPER_ENABLED
sandbox old pg --created "$(ago 180000)"
doctor
like "$(of leftovers remedy)" '^sandkeeper sweep --set enabled=true$' \
    'with the flag off, sweep has to be told'
sh -c "sandkeeper() { '$SANDKEEPER' -q \"\$@\"; }; $(of leftovers remedy)"
doctor
silent leftovers 'an orphan, and the flag off'

healthy
fake fault ps rc=1 'err=Error response from daemon: something\n'
doctor
finds entries problem 75 'docker ps' 'docker ps -a' 'a list that fails'
is "$(of leftovers level)" skipped 'a list that fails: nothing is concluded'

# --- nobody sweeps

healthy
doctor
finds janitor warning 0 'nothing was found that runs sweep' \
    "sandkeeper watch.*sandkeeper --state-dir $T/state --set enabled=true -q sweep'" \
    'nothing that runs sweep'
unset SANDKEEPER_ENABLED
echo 'enabled = true' >"$T/conf"
cd "$T" || exit
doctor -c conf
like "$(of janitor remedy)" "sandkeeper --state-dir $T/state -c $T/conf -q sweep'" \
    'cron has neither our environment nor our folder'
# what cron would do, and so sweeps
orphan=$BOX-pg-orphan
agent orphan --state exited --finished "$OLD"
sandbox orphan pg
entry orphan pg
line=$(of janitor remedy | sed "s/.*\* root \(.*\)'/\1/")
(cd / && sh -c "sandkeeper() { '$SANDKEEPER' \"\$@\"; }; $line")
check_not 'nothing that runs sweep: the line for cron sweeps' has_container "$orphan"
SANDKEEPER_ENABLED=true
export SANDKEEPER_ENABLED
start "$SANDKEEPER" watch
watch_found()
{
	"$SANDKEEPER" doctor --json >"$T/doctor"
	jq -e '.checks[]|select(.check=="janitor")|.level == "ok"' "$T/doctor"
}
check 'nothing that runs sweep: the remedy works' wait_for watch_found
kill "$pid"
finish
doctor
is "$(of janitor level)" warning 'when the watch has ended, so again'
touch "$T/state/watch.lock"
echo $$ >"$T/state/watch.lock"
doctor
is "$(of janitor level)" warning 'a lock that nobody holds is no watch'

# --- a signal

healthy
echo hang >"$T/fake/down"
start "$SANDKEEPER" doctor
wait_for test -s "$T/fake/calls.log"
kill -INT "$pid"
finish
is "$rc" 130 'a signal ends it'

done_testing
