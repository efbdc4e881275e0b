#!/bin/sh
# SPDX-License-Identifier: ISC
#
# For callers that are no container, and clients that are real: ports on the
# host and how they are told, connect, --init and --into.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/lib/daemon.sh
. "$TESTS_LIB/daemon.sh"

command -v psql >/dev/null || skip_all 'needs psql: scripts/bootstrap --tests'

AGENT_IMAGE=agent:test
net=sk-publish-$$

# --- words

# value NAME: of the --dotenv that was printed last
value()
{
	sed -n "s/^$1=//p" "$out_file"
}

# field SERVICE KEY: of its entry
field()
{
	sed -n "/^\\[$2\\]\$/,/^\\[/s/^$3=//p" "$(entry_path "$1")"
}

# ports CONTAINER: where docker published it, a line for each binding
ports()
{
	dk port "$1" | sed 's/.* -> //; s/:\([0-9]*\)$/ \1/; s/[][]//g'
}

# on_host VARIABLES CMD...: a program of the host, with a file of variables
on_host()
{
	on_vars=$1
	shift
	# shellcheck disable=SC2016,SC2086 # for the other shell; words
	run $in_net sh -c 'set -a; . "$0"; set +a; exec "$@"' "$on_vars" "$@"
}

# redis_on_host VARIABLES ARG...: redis-cli in the host's own network
redis_on_host()
{
	redis_vars=$1
	shift
	run "$D" run --rm --label "sandkeeper-test=$T" \
	    --network host --env-file "$redis_vars" agent:test \
	    redis-cli "$@"
}

# secrets_of SLUG: its passwords, each a line, in $T/secrets
secrets_of()
{
	sed -n 's/^password=//p' "$(entry_path "$1")" | grep . >"$T/secrets"
}

# in_argv: is one of them in an argument of any process, of this machine or in
# a container?  The patterns are in a file, or grep would find itself.
# shellcheck disable=SC2317 # check calls it
in_argv()
{
	cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' '\n' |
	    grep -qF -f "$T/secrets"
}

# --- a random port of 127.0.0.1, in every output

daemon_world
make_network "$net"
pg=$(sandbox_of pg pub-1)
redis=$(sandbox_of redis pub-1)
sk ensure pub-1 --services postgres,redis --owner none --ttl 1h --dotenv
is "$rc" 0 'E10: a lease owner publishes by default'
cp "$out_file" "$T/vars"
word=$(value PGPASSWORD)
pg_port=$(value PGPORT)
redis_port=$(value ROBOCO_TEST_REDIS_PORT)
is "$(ports "$pg") $(ports "$redis")" \
    "127.0.0.1 $pg_port 127.0.0.1 $redis_port" \
    'E10: at 127.0.0.1 and nowhere else, and that port is told'
isnt "$pg_port" "$redis_port" 'E10: each service has a port of its own'
isnt "$pg_port" 5432 'E10: not the one inside'
is "$(value PGHOST) $(value ROBOCO_TEST_DB_HOST) $(value ROBOCO_TEST_DB_PORT) $(value ROBOCO_TEST_REDIS_HOST)" \
    "127.0.0.1 127.0.0.1 $pg_port 127.0.0.1" 'E10: --dotenv: host and port'
is "$(value DATABASE_URL)" \
    "postgresql://sandbox:$word@127.0.0.1:$pg_port/sandbox" 'E10: the URL'
is "$(field pub-1 postgres host):$(field pub-1 postgres port)" \
    "127.0.0.1:$pg_port" 'E10: the entry'

forget_calls
sk ensure pub-1 --services postgres,redis --owner none --ttl 1h
is "$rc $(verbs)" '0 inspect' 'E4: and it is a hit'
is "$(echo "$out" | awk '/^(postgres|redis)/ { print $2 }' | tr '\n' ' ')" \
    "127.0.0.1:$pg_port 127.0.0.1:$redis_port " 'E10: the summary'
sk env pub-1 --env
like "$out" "^export PGPORT='$pg_port'\$" 'E10: env --env'
sk env pub-1 --docker-args
like "$out" "-e PGHOST=127.0.0.1 -e PGPORT=$pg_port " 'E10: env --docker-args'
sk env pub-1 --json
is "$(jq -r '.postgres, .redis | "\(.host) \(.port)"' "$out_file" | tr '\n' ' ')" \
    "127.0.0.1 $pg_port 127.0.0.1 $redis_port " 'E10: env --json'

on_host "$T/vars" psql -X -Atc 'select current_user'
is "$out" sandbox 'E10: psql on the host, by its variables'
# shellcheck disable=SC2016 # for the other shell
on_host "$T/vars" sh -c 'psql -X -Atc "select 6 * 7" "$DATABASE_URL"'
is "$out" 42 'E10: psql on the host, by its URL'
redis_on_host "$T/vars" -u "$(sed -n 's/^REDIS_URL=//p' "$T/vars")" ping
like "$out" '^PONG$' 'E10: redis-cli in the network of the host'
sk env pub-1 -- sh -c "exec $in_net psql -X -Atc 'select 43'"
is "$rc $out" '0 43' 'env -- CMD: psql on the host'

# --- connect

sk connect pub-1 postgres -- -X -Atc 'select current_user, current_database()'
is "$rc $out" '0 sandbox|sandbox' 'connect: psql is logged in'
echo 'select 7 * 6;' >"$T/typed"
stdin=$T/typed
sk connect pub-1 postgres -- -X -At
is "$rc $out" '0 42' 'connect: its stdin is ours'
echo 'set greeting hello' >"$T/typed"
sk connect pub-1 redis
is "$rc $out" '0 OK' 'connect: redis-cli is logged in'
stdin=/dev/null
sk connect pub-1 postgres -- -X -c 'select nonsense'
is "$rc" 1 "connect: the client's own exit code"
like "$err" 'column "nonsense" does not exist' "connect: the client's own message"

# While the clients are at work no process has a password in its arguments.
mkfifo "$T/keys"
"$SANDKEEPER" connect pub-1 postgres -- -X -At <"$T/keys" >"$T/got" 2>&1 &
pg_client=$!
exec 8>"$T/keys"
echo "select 'up', count(*) from pg_stat_activity where application_name = 'psql';" >&8
check 'connect: a client that stays' wait_for -t 30 grep -q '^up|1$' "$T/got"
mkfifo "$T/keys2"
"$SANDKEEPER" connect pub-1 redis <"$T/keys2" >"$T/got2" 2>&1 &
redis_client=$!
exec 9>"$T/keys2"
echo 'get greeting' >&9
check 'connect: and one of the other service' \
    wait_for -t 30 grep -q '^hello$' "$T/got2"
secrets_of pub-1
is "$(wc -l <"$T/secrets")" 2 'E8: two passwords are looked for'
sh -c 'while read -r line; do :; done' "$word" <"$T/keys" &
decoy=$!
check 'E8: they would be found' wait_for in_argv
kill "$decoy"
wait "$decoy" 2>/dev/null || :
check_not 'E8: connect: in no argument of any process' in_argv
exec 8>&- 9>&-
wait "$pg_client" && rc=0 || rc=$?
is "$rc" 0 'connect: it ends with its input'
wait "$redis_client" || :

if command -v script >/dev/null; then
	run script -qec "$SANDKEEPER connect pub-1 postgres -- -X -c '\\conninfo'" \
	    /dev/null
	like "$out" 'connected to database "sandbox" as user "sandbox"' \
	    'connect: on a terminal'
fi
dk kill "$redis" >/dev/null
sk connect pub-1 redis -- ping
is "$rc" "$exec_down" \
    'connect: a container that is dead: the code of docker exec'
like "$err" "$exec_down_text" 'connect: a container that is dead: it is told'
sk release pub-1
is "$(state_files)" '' 'L2: released: nothing is left'

# --- another address, and the owner's network beside it

pg=$(sandbox_of pg pub-2)
agent pub-2 --network "$net"
cat >"$T/both" <<'END'
engine "postgres" { run-options = {"-p", "127.0.0.1::5432"} }
END
published_at_ipv6()
{
	sk -c "$T/both" ensure pub-2 --services postgres --publish=::1 --dotenv
	is "$rc" 0 'E10: --publish=::1'
	cp "$out_file" "$T/vars"
	is "$(ports "$pg" | sort | tr '\n' ' ')" \
	    "127.0.0.1 $(ports "$pg" | sed -n 's/^127.0.0.1 //p') ::1 $(value PGPORT) " \
	    'E10: published at both, and the port of IPv6 is the one that is told'
	isnt "$(ports "$pg" | sed -n 's/^127.0.0.1 //p')" "$(value PGPORT)" \
	    'E10: they are told apart: the ports differ'
	is "$(value PGHOST)" ::1 'E10: the host, without brackets'
	like "$(value DATABASE_URL)" "@\\[::1\\]:$(value PGPORT)/sandbox\$" \
	    'E10: with brackets in a URL'
	on_host "$T/vars" psql -X -Atc 'select 44'
	is "$out" 44 'E10: psql on the host, over IPv6'
	# shellcheck disable=SC2016
	on_host "$T/vars" sh -c 'psql -X -Atc "select 45" "$DATABASE_URL"'
	is "$out" 45 'E10: psql on the host, by a URL with IPv6'
}
if client_is podman && [ "$(id -u)" = 0 ]; then
	sk ensure pub-2 --services postgres --publish=::1 --json
	is "$rc $(jq -r .error.message "$out_file")" \
	    "75 $pg: its port 5432 was not published at ::1" \
	    'E10: root cannot publish at ::1 into a network without IPv6'
	check 'E7: nothing is left of it' is_gone "$pg"
	sk ensure pub-2 --services postgres --publish=127.0.0.2 --dotenv
	is "$rc $(value PGHOST)" '0 127.0.0.2' 'E10: --publish=127.0.0.2'
	cp "$out_file" "$T/vars"
	on_host "$T/vars" psql -X -Atc 'select 44'
	is "$out" 44 'E10: psql on the host, over another address'
else
	published_at_ipv6
fi
# shellcheck disable=SC2016 # docker's template
is "$(dk inspect --format '{{range $n, $x := .NetworkSettings.Networks}}{{$n}} {{end}}' "$pg")" \
    "$net " "E10: and it is in the owner's network, that one alone"
run "$D" exec -e "PGPASSWORD=$(sed -n 's/^PGPASSWORD=//p' "$T/vars")" roboco-agent-pub-2 \
    psql -X -h "$pg" -U sandbox -Atc 'select 46'
is "$out" 46 'E10: where the owner reaches it by its name'
sk ensure pub-2 --services postgres --publish=127.0.0.1 --json
is "$rc $(jq -r .error.kind "$out_file")" '65 live-container' \
    'E4: asked for at another address: 65'
sk release pub-2

sk ensure pub-3 --services redis --owner "pid:$$" --network "$net" --dotenv
is "$rc $(value ROBOCO_TEST_REDIS_HOST)" '0 127.0.0.1' \
    'E10: a process owner, and a network by name: published'
cp "$out_file" "$T/vars"
redis_on_host "$T/vars" -u "$(value REDIS_URL)" ping
like "$out" '^PONG$' 'E10: and reached from the host'
# shellcheck disable=SC2016
is "$(dk inspect --format '{{range $n, $x := .NetworkSettings.Networks}}{{$n}} {{end}}' \
    "$(sandbox_of redis pub-3)")" "$net " 'E10: in that network'
sk release pub-3
# An address that this machine does not have.
sk ensure pub-4 --services redis --owner none --ttl 1h --publish=203.0.113.9 --json
is "$rc" 75 'E10: an address that is not of this machine: 75'
check 'E7: nothing stays of it' is_gone "$(sandbox_of redis pub-4)"
check 'E7: and no entry' has_no_entry pub-4

# --- --init: a folder, and what fails

agent init-1 --network "$net"
pg=$(sandbox_of pg init-1)
mkdir "$T/sql"
cat >"$T/sql/10-table.sql" <<'END'
create table t (n int, text text);
create function f() returns int language sql as $$ select 1 $$;
END
# As pg_dump writes it: the data in the same file.
printf 'copy t from stdin;\n1\tone\n2\tzwei ä\n\\.\n' >"$T/sql/20-data.sql"
echo 'update t set n = n + 40 where n = 2;' >"$T/sql/30.sql"
echo 'set from init' >"$T/redis-init"
sk ensure init-1 --services postgres,redis --init "postgres=$T/sql" \
    --init "redis=$T/redis-init" --dotenv
is "$rc $err" '0 ' '--init: a folder, and a file of another service'
sk connect init-1 postgres -- -X -Atc 'select n, text from t order by n'
is "$out" '1|one
42|zwei ä' '--init: a folder: all of it, in the order of the names'
sk connect init-1 redis -- get from
is "$out" init '--init: redis'
forget_calls
sk ensure init-1 --services postgres --init "postgres=$T/sql"
is "$rc $(verbs)" '0 inspect' 'E4: a hit: it is not loaded again'

# While it is loaded: the arguments again, and the failure at the end.
id=$(id_of "$pg")
rm "$T/sql/30.sql"
cat >"$T/sql/30-stops.sql" <<'END'
do $$ begin
	while not exists (select from pg_ls_dir('/tmp') d where d = 'go') loop
		perform pg_sleep(0.05);
	end loop;
end $$;
select 'the data is in', count(*) from t;
insert into no_such_table values (1);
END
start "$SANDKEEPER" ensure init-1 --services postgres --fresh \
    --init "postgres=$T/sql" --json
# shellcheck disable=SC2317 # wait_for calls it
is_loading()
{
	dk exec "$pg" psql -U sandbox -XAtc "select 'at it' from pg_stat_activity
	    where query like '%pg_ls_dir%' and pid <> pg_backend_pid()" \
	    2>/dev/null | grep -q 'at it'
}
check '--init: it is at work' wait_for -t 60 is_loading
secrets_of init-1
check_not 'E8: --init: in no argument of any process' in_argv
dk exec "$pg" touch /tmp/go
finish
is "$rc $(jq -r '"\(.error.kind) \(.error.service)"' "$out_file")" \
    '75 init postgres' 'E7: a failing statement: 75'
like "$err" "postgres refused '$T/sql/30-stops.sql': .*ERROR:  relation \"no_such_table\" does not exist" \
    'E7: its file and the message of the client'
check 'E7: what it made is gone' is_gone "$pg"
check 'E7: and so is what --fresh replaced' is_gone "$id"
check 'E7: the other service stays' is_up "$(sandbox_of redis init-1)"
sk release init-1

# --- --into: a file in the owner, which runs

agent into-1 --network "$net" --user 1000
sk ensure into-1 --services redis
is "$rc" 0 '--into: a sandbox first'
# The call is kept from ending, so that the arguments can be looked at.
cat >"$T/slowly" <<END
{ cat; until [ -e "$T/go" ]; do sleep 0.05; done; } | '$D' "\$@"
exit
END
hook exec ". $T/slowly"
start "$SANDKEEPER" ensure into-1 --services redis --into /tmp/sandbox.env
# shellcheck disable=SC2317
is_writing()
{
	dk exec roboco-agent-into-1 test -s /tmp/sandbox.env.new
}
check '--into: it is at work' wait_for -t 60 is_writing
secrets_of into-1
check_not 'E8: --into: in no argument of any process' in_argv
check_not 'E8: nor in what docker was asked' grep -qF -f "$T/secrets" "$T/argv"
is "$(dk exec roboco-agent-into-1 stat -c '%a %u' /tmp/sandbox.env.new)" '600 1000' \
    '--into: private from the first byte on'
touch "$T/go"
finish
is "$rc" 0 '--into: code'
sk env into-1 --dotenv
is "$(dk exec roboco-agent-into-1 cat /tmp/sandbox.env)" "$out" \
    '--into: the variables'
is "$(dk exec roboco-agent-into-1 stat -c '%a %u' /tmp/sandbox.env)" '600 1000' \
    "--into: mode 0600, the owner's own user"
# shellcheck disable=SC2016 # for the shell inside
is "$(dk exec roboco-agent-into-1 sh -c 'set -a; . /tmp/sandbox.env
    redis-cli -u "$REDIS_URL" ping 2>/dev/null')" PONG \
    '--into: a shell in the owner logs in with it'
is "$(dk exec roboco-agent-into-1 ls /tmp)" sandbox.env \
    '--into: nothing else is left there'
sk ensure into-1 --services redis --into /etc/sandbox.env --json
is "$rc $(jq -r .error.kind "$out_file")" '75 owner-missing' \
    '--into: a place where it may not write: 75'
like "$err" "/etc/sandbox.env.*([Pp]ermission denied$lost_words)" \
    "--into: the owner's own words"
check 'E7: on a hit: the sandbox stays' is_up "$(sandbox_of redis into-1)"

dk run -d --label "sandkeeper-test=$T" --network "$net" \
    --name roboco-agent-into-2 noshell:test >/dev/null
sk ensure into-2 --services nap --into /sandbox.env --json
is "$rc $(jq -r .error.kind "$out_file")" '75 owner-missing' \
    '--into: an owner without a shell: 75'
check 'E7: nothing is left of it' is_gone "$(sandbox_of nap into-2)"
check 'E7: and no entry' has_no_entry into-2

done_testing
