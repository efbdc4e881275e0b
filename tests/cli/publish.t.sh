#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Ports on the host (rule E10): where they are published, and how that is told
# in every form of the output.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/ensure.sh
. "$TESTS_LIB/../cli/ensure.sh"
# shellcheck source=tests/cli/run.sh
. "$TESTS_LIB/../cli/run.sh"

PG=$POSTGRES-a1

# asked_for: the words of -p
asked_for()
{
	calls run | sed -n 's/.* -p \([^ ]*\) .*/\1/p'
}

# port_of NAME INSIDE: the port on the host, as docker tells it
port_of()
{
	fake "do" port "$1" "$2" | sed 's/.*://'
}

# told ADDRESS IN-A-URL DESC: every form tells host and port
told()
{
	told_port=$(port_of $PG 5432)
	told_word=$(password a1 postgres)
	like "$told_port" '^3[0-9]{4}$' "$3: a random port"
	sk ensure a1 --services postgres --publish="$1"
	is "$(echo "$out" | awk '$1 == "postgres" { print $2 }')" "$2:$told_port" \
	    "$3: the summary"
	sk ensure a1 --services postgres --publish="$1" --dotenv
	is "$(echo "$out" | grep -E '^(PGHOST|PGPORT|ROBOCO_TEST_DB_HOST|ROBOCO_TEST_DB_PORT|DATABASE_URL)=')" \
	    "ROBOCO_TEST_DB_HOST=$1
ROBOCO_TEST_DB_PORT=$told_port
PGHOST=$1
PGPORT=$told_port
DATABASE_URL=postgresql://sandbox:$told_word@$2:$told_port/sandbox" "$3: --dotenv"
	sk ensure a1 --services postgres --publish="$1" --env
	like "$out" "^export PGHOST='$1'\$" "$3: --env: host"
	like "$out" "^export PGPORT='$told_port'\$" "$3: --env: port"
	sk ensure a1 --services postgres --publish="$1" --docker-args
	like "$out" "-e PGHOST=$1 -e PGPORT=$told_port " "$3: --docker-args"
	sk ensure a1 --services postgres --publish="$1" --json
	is "$(jq -r '.postgres|"\(.host) \(.port) \(.env.PGHOST) \(.env.PGPORT)"' \
	    "$out_file")" "$1 $told_port $1 $told_port" "$3: --json"
	sk env a1 --dotenv
	is "$(echo "$out" | sed -n 's/^DATABASE_URL=.*@\(.*\)\/sandbox$/\1/p')" \
	    "$2:$told_port" "$3: env"
	is "$(entry_value a1 postgres host) $(entry_value a1 postgres port)" \
	    "$1 $told_port" "$3: the entry"
	is "$(calls run | wc -l)" 1 "$3: all that is one sandbox"
}

cold
owner a1
sk ensure a1 --services postgres --publish
is "$rc $(asked_for)" '0 127.0.0.1::5432' 'E10: --publish: loopback, a random port'
like "$(calls run)" ' --network team ' 'E10: --publish: still one network, the owner'"'"'s'
told 127.0.0.1 127.0.0.1 'E10: --publish'

cold
owner a1
sk ensure a1 --services postgres --publish=10.1.2.3
is "$rc $(asked_for)" '0 10.1.2.3::5432' 'E10: --publish=ADDR'
told 10.1.2.3 10.1.2.3 'E10: --publish=ADDR'

cold
owner a1
sk ensure a1 --services postgres --publish=::1
is "$rc $(asked_for)" "0 '[::1]::5432'" 'E10: --publish=IPv6: in brackets'
told ::1 '[::1]' 'E10: --publish=IPv6'

cold
owner a1
sk ensure a1 --services postgres,redis --publish '[0:0::0:1]'
is "$rc" 64 '--publish takes its value behind an equals sign alone'
sk ensure a1 --services postgres,redis '--publish=[0:0::0:1]'
is "$rc $(entry_value a1 postgres host)" '0 ::1' \
    'E10: an address in brackets, and in another form, is the same address'
isnt "$(entry_value a1 postgres port)" "$(entry_value a1 redis port)" \
    'E10: each service has a port of its own'
is "$(entry_value a1 redis port)" "$(port_of "$BOX-redis-a1" 6379)" \
    'E10: the one that docker gave it'
sk env a1 --services redis --dotenv
like "$out" '^REDIS_URL=redis://default:[0-9a-f]+@\[::1\]:[0-9]+/0$' \
    'E10: brackets in every URL'
like "$out" '^ROBOCO_TEST_REDIS_HOST=::1$' 'E10: and in nothing else'
fake reset-calls
sk ensure a1 --services postgres --publish=0:0:0:0:0:0:0:1
calls_are inspect 'E4: the same address in yet another form: a hit'

# --- who publishes

cold
sk ensure a1 --services postgres --owner none --ttl 1h
is "$rc $(asked_for)" '0 127.0.0.1::5432' 'E10: a lease owner publishes by default'
is "$(calls run | sed -n 's/.* --network \([^ ]*\) .*/\1/p')" bridge \
    'E10: in the default bridge'
sk ensure b1 --services postgres --owner none --ttl 1h --publish=10.0.0.1 \
    --network team
like "$(calls run)" ' --network team -p 10\.0\.0\.1::5432 ' \
    'E10: with a network by name, and another address'
is "$(entry_value b1 postgres host)" 10.0.0.1 'E10: that is where it is reached'
owner c1
sk ensure c1 --services postgres
is "$(entry_value c1 postgres host)" "$POSTGRES-c1" \
    'E10: a container owner in a network of its own does not'
is "$(asked_for | wc -l)" 2 'E10: it is not asked for'

# --- what is recorded and what is asked

cold
owner a1
sk ensure a1 --services postgres
sk ensure a1 --services postgres --publish --json
is "$rc $(kind)" '65 live-container' 'E4: --publish of what is not published: 65'
like "$err" 'a1: --publish: the live postgres is not published' 'E4: it is named'
sk ensure a1 --services postgres --publish --replace
is "$rc $(entry_value a1 postgres host)" '0 127.0.0.1' 'E2: --replace publishes it'
sk ensure a1 --services postgres --publish=10.0.0.1
is "$rc" 65 'E4: published elsewhere: 65'
like "$err" 'the live postgres is published at 127.0.0.1' 'E4: where it is'
sk ensure a1 --services postgres
is "$rc $(entry_value a1 postgres host)" '0 127.0.0.1' \
    'E4: not asked for: what is there is handed over'
sk ensure a1 --services postgres,redis --publish
is "$rc $(entry_value a1 redis host)" '0 127.0.0.1' 'E2: a service more'

cold
owner a1
for address in localhost 1.2.3 1.2.3.4.5 256.1.1.1 ::g '[::1' 10.0.0.1:5432 'a b' \
    1.2.3.4/24 ::1/64 fe80::1%eth0; do
	sk ensure a1 --services postgres "--publish=$address"
	is "$rc" 65 "--publish=$address is no address: 65"
done
like "$err" "hint: write an address of this machine, such as 127.0.0.1 or ::1" \
    '--publish: what is one'
calls_are '' '--publish: no docker call'
left_nothing '--publish: what is no address'

# --- a port that is published elsewhere, too

cold
cat >"$T/conf" <<'EOF'
engine "postgres" { run-options = {"-p", "10.9.9.9:15432:5432", "-p", "15433:5432"} }
EOF
sk -c "$T/conf" ensure a1 --services postgres --owner none --ttl 1h
is "$rc $(fake "do" port $PG 5432 | wc -l)" '0 4' \
    'E10: the engine publishes it elsewhere as well: code'
is "$(entry_value a1 postgres host):$(entry_value a1 postgres port)" \
    "$(fake "do" port $PG 5432 | grep ^127)" 'E10: ours is told, not another one'
fake fault inspect 'filter=sed s/127.0.0.1/10.9.9.8/'
sk -c "$T/conf" ensure b1 --services postgres --owner none --ttl 1h --json
is "$rc $(kind)" '75 network' 'E10: it is not published where it was asked for: 75'
like "$err" 'its port 5432 was not published at 127.0.0.1' 'E10: and that is told'
fake fault inspect
check_not 'E7: not published: nothing stays' has_container "$POSTGRES-b1"

# --- a daemon on another machine

cold
DOCKER_HOST=tcp://10.7.7.7:2375
export DOCKER_HOST
sk ensure a1 --services postgres --owner none --ttl 1h --dotenv
is "$rc" 0 'E10: a daemon on another machine: code'
like "$out" '^PGHOST=10\.7\.7\.7$' 'E10: its host is where the port is'
sk ensure a1 --services postgres --owner none --ttl 1h --publish --dotenv
is "$rc $(calls run | wc -l)" '0 1' 'E4: and that is a hit'
DOCKER_HOST='tcp://[fd00::7]:2375'
sk ensure b1 --services postgres --owner none --ttl 1h --publish=:: --dotenv
like "$out" '^PGHOST=fd00::7$' 'E10: an IPv6 daemon: its address'
like "$out" '^DATABASE_URL=.*@\[fd00::7\]:[0-9]+/' 'E10: in brackets in a URL'
unset DOCKER_HOST

done_testing
