#!/bin/sh
# SPDX-License-Identifier: ISC
#
# The simulated docker, tested by itself: what the other tests take for
# granted has to be so.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"

D=${FAKE_DOCKER:?is to be the path of fake-docker}

# The call that the program makes for each agent and sandbox.
inspect_format='{"id":{{json .Id}},"name":{{json .Name}},"created":{{json .Created}},"state":{{json .State}},"image":{{json .Config.Image}},"labels":{{json .Config.Labels}},"mode":{{json .HostConfig.NetworkMode}},"networks":{{json .NetworkSettings.Networks}},"ports":{{json .NetworkSettings.Ports}}}'
ps_format='{"id":{{json .ID}},"names":{{json .Names}},"state":{{json .State}},"created":{{json .CreatedAt}},"label":{{json (.Label "roboco.sandbox")}},"owner":{{json (.Label "roboco.sandbox.owner")}}}'

d()
{
	run "$D" "$@"
}

status_of()
{
	"$D" fake-do inspect --type container --format '{{.State.Status}}' "$1"
}

# shellcheck disable=SC2317 # wait_for calls it
is_status()
{
	[ "$(status_of "$1")" = "$2" ]
}

# --- run, inspect

fixture
fake image pg:16 '{"ports":["5432/tcp"],"volumes":1,"logs":"one\ntwo\nthree\n"}'
fake network net >/dev/null
SECRET=hush-hush
export SECRET
d run -d --pull never --name sb --label roboco.sandbox=1 \
    -l 'roboco.sandbox.owner=a,b' --network=net -e SECRET -e UNSET_ONE \
    --tmpfs /x:size=1m --memory 64m --cpus=1 --pids-limit 50 --shm-size 8m \
    --security-opt no-new-privileges -p 127.0.0.1::5432 pg:16 postgres -c x=y
is "$rc" 0 'run: exit code'
like "$out" '^[0-9a-f]{64}$' 'run: prints the id'
is "$err" '' 'run: silent'
id=$out
d inspect --type container --format "$inspect_format" sb
is "$rc" 0 'inspect: exit code'
like "$out" "^\\{\"id\":\"$id\",\"name\":\"/sb\",\"created\":\"2" \
    'inspect: id, name, created'
like "$out" '"Status":"running","Running":true' 'inspect: state'
like "$out" '"labels":\{"roboco.sandbox":"1","roboco.sandbox.owner":"a,b"\}' \
    'inspect: labels'
like "$out" '"mode":"net","networks":\{"net":\{.*"IPAddress":"172\.' \
    'inspect: network and address'
like "$out" '"ports":\{"5432/tcp":\[\{"HostIp":"127.0.0.1","HostPort":"[0-9]+"\}\]\}\}$' \
    'inspect: the published port'
is "$(fake inspect sb Config.Env)" '[
  "SECRET=hush-hush"
]' 'run: -e NAME takes the value from the environment, or nothing'
is "$("$D" inspect --type container -f \
    '{{index .Config.Labels "none"}}|{{json (index .Config.Labels "none")}}' \
    sb)" '|""' 'inspect: a label that is not there is empty'
is "$("$D" inspect --type container -f \
    '{{if .State.Running}}up{{else}}down{{end}}{{if .State.Paused}}!{{end}}' \
    sb)" up 'inspect: if and else'
short=$(printf '%.8s' "$id")
for name in sb /sb "$id" "$short"; do
	is "$("$D" inspect --type container -f '{{.Id}}' "$name")" "$id" \
	    "inspect: finds $(printf '%.10s' "$name")"
done
d inspect --type container --format '{{.Name}}' s sb nope SB
is "$rc" 1 'inspect: some missing, exit code'
is "$out" /sb 'inspect: some missing, prints the one'
is "$err" 'Error response from daemon: No such container: s
Error response from daemon: No such container: nope
Error response from daemon: No such container: SB' \
    'inspect: a line for each missing one; names are whole'
d inspect --type container --format '{{.Name}}' nope
is "$(wc -c <"$out_file")" 1 'inspect: nothing found, one empty line'
d inspect --type=container nope
is "$out" '[]' 'inspect: nothing found without --format'
d inspect nope
is "$err" 'Error: No such object: nope' 'inspect: without --type, other words'
FAKE_DOCKER_CLIENT=old d inspect --type container nope
is "$err" 'Error: No such container: nope' 'inspect: the old client'
d inspect --type container -f '{{.Nope}}' sb
is "$rc $err" '1 template parsing error: template: :1:2: executing "" at <.Nope>: map has no entry for key "Nope"' \
    'inspect: unknown field'
d inspect --type container -f '{{.Id' sb
is "$rc" 64 'inspect: broken template'
fake container c1 --id aa11 >/dev/null
fake container c2 --id aa22 >/dev/null
d inspect --type container -f x aa
is "$rc $err" '1 Error response from daemon: Multiple IDs found with provided prefix: aa' \
    'inspect: ambiguous id'
is "$("$D" inspect --type container -f '{{.Name}}' aa1)" /c1 \
    'inspect: the prefix of one id'

# --- conflicts and failures of run

d run -d --name sb pg:16
is "$rc" 125 'run: name taken, exit code'
like "$err" "^docker: Error response from daemon: Conflict. The container name \"/sb\" is already in use by container \"$id\"" \
    'run: name taken, text'
is "$out" '' 'run: name taken, no id'
d create --name sb pg:16
is "$rc" 1 'create: name taken'
d run -d --pull never --name x1 nope:1
is "$rc" 125 'run: unknown image'
like "$err" 'No such image: nope:1$' 'run: unknown image, text'
d run -d --name x1 --network none-such pg:16
is "$rc" 125 'run: unknown network'
like "$out" '^[0-9a-f]{64}$' 'run: unknown network, the id is printed'
is "$(status_of x1)" created 'run: unknown network, the container stays'
d run -d --wrong pg:16
is "$rc" 125 'run: unknown option'
like "$err" '^unknown flag: --wrong$' 'run: unknown option, text'
fake image dies '{"run":"dies","exit":3,"logs":"oh no\n"}'
d run -d --name dead dies
is "$rc" 0 'run: an image that dies at once starts'
is "$("$D" inspect --type container -f \
    '{{.State.Status}} {{.State.ExitCode}}' dead)" 'exited 3' \
    'run: an image that dies at once'
fake image nostart '{"run":"fails-start"}'
d run -d --name ns nostart
is "$rc $(status_of ns)" '127 created' 'run: an image that cannot start'
"$D" run -d --rm --name gone dies >/dev/null
check_not 'run: --rm removes what has died' has_container gone
d run -d --cidfile "$T/cid" --name cf pg:16
is "$(cat "$T/cid")" "$out" 'run: cidfile'
d run -d --cidfile "$T/cid" --name cf2 pg:16
is "$rc" 125 'run: the cidfile is there already'

# --- ps

fixture
fake container roboco-agent-a --created 2026-11-30T15:00:45.123456789Z \
    >/dev/null
fake container roboco-agent-b --state exited >/dev/null
fake container xroboco-agent-c >/dev/null
fake container sb-1 --label roboco.sandbox=1 \
    --label 'roboco.sandbox.owner=x,y<z' --state created >/dev/null
fake container sb-2 --label roboco.sandbox=2 --state paused >/dev/null
is "$("$D" ps -a --no-trunc --filter label=roboco.sandbox=1 --format \
    "$ps_format" | sed 's/[0-9a-f]\{64\}/ID/; s/2[0-9-]* [0-9:]*/T/')" \
    '{"id":"ID","names":"sb-1","state":"created","created":"T +0000 UTC","label":"1","owner":"x,y<z"}' \
    'ps: label filter and fields'
TZ=UTC d ps -a --filter 'name=^roboco-agent-' --format \
    '{{.Names}} {{.State}} {{.CreatedAt}}'
like "$out" '^roboco-agent-a running 2026-11-30 15:00:45 \+0000 UTC$' \
    'ps: created'
is "$(printf '%s\n' "$out" | wc -l)" 2 'ps: name filter is anchored by ^'
is "$("$D" ps --format '{{.Names}}' | sort | tr '\n' ' ')" \
    'roboco-agent-a sb-2 xroboco-agent-c ' 'ps: without -a what runs'
is "$("$D" ps -a --filter 'name=^/sb-1$' --filter 'name=^sb-2$' \
    --format '{{.Names}}' | sort | tr '\n' ' ')" 'sb-1 sb-2 ' \
    'ps: name filters are alternatives, with the slash and without'
is "$("$D" ps -a --filter label=roboco.sandbox=1 \
    --filter label=roboco.sandbox=2 -q)" '' 'ps: label filters all count'
d ps -a --filter 'name=[' --format '{{.Names}}'
is "$rc$out$err" 0 'ps: a bad expression is silent'
d ps -a --filter 'label=roboco.sandbox=1' --format '{{json .}}'
like "$out" 'x,y\\u003cz' 'ps: a whole row is escaped'
like "$out" '"State":"created","Status":"Created"' 'ps: status'
d ps --filter bogus=1
is "$rc" 1 'ps: unknown filter'

# --- rm, and its volumes

fixture
fake image pg:16 '{"volumes":2}'
"$D" run -d --name v1 pg:16 >/dev/null
"$D" run -d --name v2 pg:16 >/dev/null
is "$("$D" volume ls -q | wc -l)" 4 'run: anonymous volumes'
d rm v1
is "$rc" 1 'rm: running, without -f'
like "$err" 'You cannot remove a running container [0-9a-f]{64}\. Stop' \
    'rm: running, text'
d rm -f v1 nope
is "$rc $out" '0 v1' 'rm -f: prints what it removed'
is "$err" 'Error response from daemon: No such container: nope' \
    'rm -f: a missing one is no failure'
is "$("$D" volume ls -q | wc -l)" 4 'rm -f: leaks volumes'
d rm -f -v v2
is "$("$D" volume ls -q | wc -l)" 2 'rm -f -v: does not'
containers_are '' 'rm: all gone'
d rm nope
is "$rc" 1 'rm: missing, without -f'
fake container slow --set rm-ms=300 >/dev/null
start "$D" rm -f slow
wait_for is_status slow removing
run "$D" rm -f slow
is "$rc" 1 'rm: two at once, the second fails'
is "$err" 'Error response from daemon: removal of container slow is already in progress' \
    'rm: two at once, text'
check 'rm: and it is still there' has_container slow
wait "$pid" && rc=0 || rc=$?
is "$rc" 0 'rm: two at once, the first succeeds'
fake container stuck --set 'rm-error=driver failed: busy' >/dev/null
d rm -f stuck
is "$rc $(status_of stuck)" '1 dead' 'rm: one that cannot be removed'

# --- exec

fixture
fake image pg:16 '{"ready_after_ms":300}'
id=$("$D" run -d --name db pg:16)
d exec "$id" pg_isready
is "$rc" 1 'exec: a probe, not ready'
start_ms=$(($(date +%s%N) / 1000000))
d exec -e SECRET "$id" sh -c 'until true; do :; done' sh x
is "$rc" 0 'exec: a loop of ours waits for readiness'
took=$(($(date +%s%N) / 1000000 - start_ms))
check 'exec: and not much longer' test "$took" -lt 2000
d exec "$id" pg_isready
is "$rc" 0 'exec: a probe, ready'
fake image never '{"ready-after-ms":-1}'
"$D" run -d --name nv never >/dev/null
start "$D" exec nv sh -c loop
wait_for sh -c "'$D' fake-calls exec | grep -q loop"
"$D" fake-do kill nv >/dev/null
finish
is "$rc" 137 'exec: the container is killed meanwhile'
d exec nv true
is "$rc" 1 'exec: not running'
like "$err" '^Error response from daemon: Container [0-9a-f]{64} is not running$' \
    'exec: not running, text'
d exec nope true
is "$rc $err" '1 Error response from daemon: No such container: nope' \
    'exec: missing'
"$D" pause db >/dev/null
d exec db true
like "$err" 'is paused, unpause the container before exec' 'exec: paused'
d unpause db
is "$rc $(status_of db)" '0 running' 'unpause'
fake image noshell '{"shell":false}'
"$D" run -d --name nosh noshell >/dev/null
d exec nosh sh -c true
is "$rc" 126 'exec: no shell in the image'
like "$out" '^OCI runtime exec failed: ' 'exec: no shell, said on stdout'
printf 'select 1;\n' >"$T/in"
stdin=$T/in
d exec -i nosh psql
stdin=/dev/null
check 'exec: stdin is kept' cmp -s "$T/in" "$(ls "$FAKE_DOCKER_DIR"/stdin.*)"
fake image rules '{"exec":[{"when":"pg_ext","out":"vector\n"},{"when":"bad","rc":3,"err":"no\n"}]}'
"$D" run -d --name ru rules >/dev/null
d exec ru psql -c 'select from pg_ext'
is "$rc $out" '0 vector' 'exec: a rule with output'
d exec ru bad
is "$rc $err" '3 no' 'exec: a rule with an exit code'

# --- logs, images, the life of a container

fixture
fake image pg:16 '{"logs":"one\ntwo\nthree\n"}'
id=$("$D" run -d --name db pg:16)
is "$("$D" logs --tail 2 db)" 'two
three' 'logs: tail'
is "$("$D" logs db | wc -l)" 3 'logs: all'
d logs nope
is "$rc $err" '1 Error response from daemon: No such container: nope' \
    'logs: missing'
d image inspect --format '{{json .RepoTags}}' pg:16 nope
is "$rc $out" '1 ["pg:16"]' 'image inspect: one there, one missing'
is "$err" 'Error response from daemon: no such image: nope: No such image: nope:latest' \
    'image inspect: text'
d pull -q nope
is "$rc $out" '0 docker.io/library/nope:latest' 'pull'
d image inspect --format '{{json .RepoTags}}' nope
is "$rc" 0 'pull: the image is there'
fake fault pull pull-fails=manifest
d pull -q other:1
is "$rc $err" '1 Error response from daemon: manifest for other:1 not found: manifest unknown: manifest unknown' \
    'pull: fails as ordered'
d stop -t 5 db
is "$rc $out $(status_of db)" '0 db exited' 'stop'
d inspect --type container -f '{{frobnicate .Id}}' db
is "$rc $err" '64 template parsing error: template: :1: function "frobnicate" not defined' \
    'inspect: unknown function'
d start db
is "$(status_of db)" running 'start'
d kill db
is "$("$D" inspect --type container -f '{{.State.ExitCode}}' db)" 137 'kill'
d rename db db2
containers_are db2 'rename'
d frobnicate
is "$rc" 1 'an unknown verb fails'
like "$(cat "$FAKE_DOCKER_DIR/violations")" frobnicate \
    'an unknown verb is kept as a violation'

# --- the log of calls

fixture
"$D" ps -a --format '{{.Names}}' >/dev/null
"$D" exec nope sh -c 'a
b' "it's" 2>/dev/null || :
is "$(calls)" "ps -a --format '{{.Names}}'
exec nope sh -c \$'a\\nb' 'it'\\''s'" 'calls: quoted, a line for each'
calls_are 'ps exec' 'calls_are'
is "$(fake count) $(fake count ps)" '2 1' 'count'
SECRET=hush-hush "$D" ps >/dev/null
check 'log: names of the environment' grep -q '"SECRET"' \
    "$FAKE_DOCKER_DIR/calls.log"
check_not 'log: no values' grep -q hush "$FAKE_DOCKER_DIR/calls.log"
SECRET=hush-hush FAKE_DOCKER_LOG_ENV=1 "$D" ps >/dev/null
check 'log: values on demand' grep -q hush "$FAKE_DOCKER_DIR/calls.log"
fake reset-calls
calls_are '' 'reset-calls'

# --- faults

fixture
fake container c >/dev/null
fake fault inspect rc=1 'err=so\tso\n' 'out=half'
d inspect --type container c
is "$rc $out $err" '1 half so	so' 'fault: rc, out, err'
fake fault inspect
d inspect --type container -f x c
is "$rc" 0 'fault: taken away'
fake reset-calls
fake fault rm.2 rc=125
"$D" rm -f nope 2>/dev/null
d rm -f nope
is "$rc" 125 'fault: the second call'
d rm -f nope
is "$rc" 0 'fault: not the third'
fake fault any rc=7 when=sb-x times=2
d ps -a
is "$rc" 0 'fault: when does not match'
for want in 7 7 0; do
	d rm -f sb-x
	is "$rc" "$want" "fault: twice only ($want)"
done
fake fault rm then=normal rc=1 'err=boom\n'
d rm -f c
is "$rc $err" '1 boom' 'fault: then=normal, its answer'
containers_are '' 'fault: then=normal, the effect'
fake fault rm signal=KILL
d rm -f c
is "$rc" 137 'fault: signal'
fake fault ps bytes=200000
d ps -a
is "$(wc -c <"$out_file")" 200000 'fault: bytes'
fake fault ps delay=200
start_ms=$(($(date +%s%N) / 1000000))
d ps -a --format x
took=$(($(date +%s%N) / 1000000 - start_ms))
is "$rc$out" 0 'fault: delay, then normal'
check 'fault: delay' test "$took" -ge 200
fake fault ps hang=1
start "$D" ps
wait_for sh -c "[ \$('$D' fake-count ps) -ge 4 ]"
kill -TERM "$pid"
finish
is "$rc" 143 'fault: a client that hangs ends by TERM'
fake fault inspect hang=1
start "$D" inspect --type container -f x c
wait_for sh -c "'$D' fake-calls inspect | grep -q -- '-f x c'"
sleep 0.1
kill -TERM "$pid"
finish
is "$rc" 1 'fault: inspect ends by TERM with 1, as for a missing one'
like "$err" '^error during connect' 'fault: inspect ends by TERM, text'
fake fault ps hang=term
fake reset-calls
start "$D" ps
wait_for sh -c "[ \$('$D' fake-count ps) -ge 1 ]"
sleep 0.1
kill -TERM "$pid"
sleep 0.1
check 'fault: a deaf client stays' kill -0 "$pid"
kill -KILL "$pid"
finish
fake fault ps hook="'$D' fake-container hooked"
d ps --format '{{.Names}}'
is "$out" hooked 'fault: hook comes before the effect'
fake fault ps posthook="'$D' fake-do rm -f hooked"
d ps --format '{{.Names}}'
is "$out" hooked 'fault: posthook comes after it'
containers_are '' 'fault: posthook has acted'
fake fault run late=300 hang=1
fake image pg:16
start "$D" run -d --name late pg:16
wait_for sh -c "[ \$('$D' fake-count run) -eq 1 ]"
kill -KILL "$pid"
finish
check_not 'fault: late, nothing there yet' has_container late
check 'fault: late, it comes after its client is gone' \
    wait_for has_container late
printf 'rc=1\nwhen=a\n---\nrc=2\nwhen=b\n' >"$FAKE_DOCKER_DIR/faults/rm"
d rm -f xb
is "$rc" 2 'fault: the second of two in a file'
fake fault rm grandchild=1
start_ms=$(($(date +%s%N) / 1000000))
run sh -c "'$D' rm -f nope; true"
took=$(($(date +%s%N) / 1000000 - start_ms))
check 'fault: a grandchild does not keep its parent' test "$took" -lt 5000

# --- modes

fixture
FAKE_DOCKER_STRICT='inspect rm' d ps
is "$rc $err" '99 unexpected docker args' 'strict: another verb'
is "$(cat "$FAKE_DOCKER_DIR/violations")" ps 'strict: kept as a violation'
FAKE_DOCKER_STRICT='inspect rm' d rm -f x
is "$rc" 0 'strict: a verb of the list'
FAKE_DOCKER_SEED=1 d inspect x
is "$rc$out$err" 1 'seed: inspect'
FAKE_DOCKER_SEED=1 d rm -f x
is "$rc$out$err" 0 'seed: rm'
FAKE_DOCKER_SEED=1 d ps
is "$rc" 99 'seed: anything else'
for down in 1 permission 500; do
	FAKE_DOCKER_DOWN=$down d inspect --type container -f x a
	is "$rc$out" 1 "down: inspect ($down)"
	unlike "$err" 'No such' "down: is not missing ($down)"
done
FAKE_DOCKER_DOWN=1 d run -d x
is "$rc" 125 'down: run'
FAKE_DOCKER_DOWN=permission d run -d x
is "$rc" 126 'down: run, permission'
echo 1 >"$FAKE_DOCKER_DIR/down"
d rm -f a b
is "$rc" 1 'down: by file'
is "$(printf '%s\n' "$err" | grep -c 'Cannot connect to the Docker daemon')" \
    2 'down: a line for each'

# --- events

fixture
start "$D" events --filter type=container --format '{{json .}}'
wait_for sh -c "[ \$('$D' fake-count events) -eq 1 ]"
sleep 0.1
fake image pg:16
"$D" run -d --label k=v --name ev pg:16 >/dev/null
"$D" rm -f ev >/dev/null
wait_for grep -q destroy "$out_file"
kill -TERM "$pid"
finish
is "$(sed 's/.*"Action":"\([a-z]*\)".*/\1/' "$out_file" | tr '\n' ' ')" \
    'create start kill die destroy ' 'events: in order'
like "$out" '"Action":"die",.*"exitCode":"137","k":"v","image":"pg:16","name":"ev"' \
    'events: attributes'

# --- many at once

fixture
fake image pg:16
i=0
pids=
while [ "$i" -lt 30 ]; do
	"$D" run -d --name one pg:16 >"$T/o.$i" 2>/dev/null &
	pids="$pids $!"
	i=$((i + 1))
done
won=0
lost=0
for p in $pids; do
	wait "$p" && won=$((won + 1)) || lost=$((lost + 1))
done
is "$won $lost" '1 29' '30 runs of one name: exactly one wins'
containers_are one '30 runs of one name: one container'
is "$(wc -l <"$FAKE_DOCKER_DIR/calls.log") $(fake count run)" '30 30' \
    '30 runs of one name: all written down'
is "$(sed 's/.*"n":\([0-9]*\),.*/\1/' "$FAKE_DOCKER_DIR/calls.log" |
    sort -n | uniq | wc -l)" 30 '30 runs of one name: each with its number'
i=0
pids=
while [ "$i" -lt 30 ]; do
	"$D" run -d --name "n-$i" pg:16 >/dev/null &
	pids="$pids $!"
	i=$((i + 1))
done
for p in $pids; do
	wait "$p"
done
is "$(fake list -q | wc -l)" 31 '30 runs of 30 names'
is "$("$D" ps -a --format '{{.ID}}' | sort -u | wc -l)" 31 \
    '30 runs of 30 names: ids of their own'

done_testing
