#!/bin/sh
# SPDX-License-Identifier: ISC
#
# The engines whose servers the distribution packages, on a real daemon: who
# has the variables can log in at once, who has not cannot, and no password is
# an argument of a process.  PostgreSQL and Redis are in the other tests.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/lib/daemon.sh
. "$TESTS_LIB/daemon.sh"

AGENT_IMAGE=agent:test

# nats USER PASSWORD: what the server says to a login from the agent.
nats()
{
	# shellcheck disable=SC2016 # for the container
	dk exec roboco-agent-e1 sh -c 'printf "CONNECT {\"user\":\"%s\",\"pass\":\"%s\",\"verbose\":false}\r\nPING\r\n" "$1" "$2" |
	    nc "$3" 4222' sh "$1" "$2" "$(sandbox_of nats e1)" 2>&1
}

# maria PASSWORD SQL: by TCP and name; the agent's image has no client.
maria()
{
	dk exec -e MYSQL_PWD="$1" "$(sandbox_of maria e1)" mariadb \
	    --no-defaults -h "$(sandbox_of maria e1)" -u sandbox -N -B \
	    -e "$2" sandbox 2>&1
}

value()
{
	jq -r ".$1" "$T/env"
}

daemon_world
volumes_before=$(volumes)
make_network "net-$$"
agent e1 --network "net-$$"
sk --json ensure e1 --services mariadb,memcached,nats
is "$rc" 0 'E6: all three are handed over at once'
jq 'map(.env) | add' "$out_file" >"$T/env"

# --- at once, without waiting: ready means that a client can log in

is "$(maria "$(value MARIADB_PASSWORD)" 'SELECT CURRENT_USER(), DATABASE()')" \
    'sandbox@%	sandbox' \
    'E6, case 16: mariadb: the login works, and no temporary server answered'
like "$(nats sandbox "$(value NATS_PASSWORD)")" '^PONG' \
    'E6: nats: the login works'
like "$(dk exec roboco-agent-e1 sh -c \
    "printf 'set a 0 0 1\r\nb\r\nget a\r\nquit\r\n' |
    nc $(value MEMCACHED_HOST) $(value MEMCACHED_PORT)")" 'VALUE a 0 1' \
    'E6: memcached: keeps what it is given'
is "$(maria "$(value MARIADB_PASSWORD)" \
    'CREATE TABLE t (a INT) ENGINE=InnoDB; INSERT INTO t VALUES (7); SELECT a FROM t')" \
    7 'mariadb: its user may make tables in its database'

# --- who does not know the password

like "$(maria wrong 'SELECT 1')" 'Access denied' 'mariadb: a wrong password'
like "$(nats sandbox wrong)" 'Authorization Violation' \
    'nats: a wrong password'
like "$(nats '' '')" 'Authorization Violation' 'nats: none'

# --- where the passwords are

for password in "$(value MARIADB_PASSWORD)" "$(value NATS_PASSWORD)"; do
	like "$password" '^[0-9a-f]{32}$' 'E8: 32 hex digits'
	unlike "$(cat "$T/argv")" "$password" 'E8: in no argument of docker'
	for box in maria nats mc; do
		processes=$(dk top "$(sandbox_of "$box" e1)" -eo pid,args)
		like "$processes" '^ *[0-9]' "$box: its processes"
		unlike "$processes" "$password" \
		    "E8: in no argument of a process in $box"
	done
done

# --- the client, --init, and the end

echo 'SELECT a + 1 FROM t' >"$T/in"
stdin=$T/in
sk connect e1 mariadb -- -N -B
is "$rc $out" '0 8' 'connect: its own client, logged in'
printf 'version\r\nquit\r\n' >"$T/in"
sk connect e1 memcached
like "$out" '^VERSION' 'connect: memcached'
stdin=/dev/null
echo 'CREATE TABLE seeded (a INT); INSERT INTO seeded VALUES (5);' >"$T/a.sql"
sk ensure e1 --services mariadb --fresh --replace --init "mariadb=$T/a.sql" \
    --dotenv
is "$rc" 0 'init: loaded into mariadb'
is "$(maria "$(sed -n 's/^MARIADB_PASSWORD=//p' "$out_file")" \
    'SELECT a FROM seeded')" 5 'init: the data is there'
echo 'CREATE TABLE; nonsense' >"$T/a.sql"
sk ensure e1 --services mariadb --fresh --replace --init "mariadb=$T/a.sql"
is "$rc" 75 'E7: init: a statement that fails is a failure'
sk release e1
for box in maria nats mc; do
	check "T2: $box is gone" is_gone "$(sandbox_of "$box" e1)"
done
dk rm -f -v roboco-agent-e1 >/dev/null
is "$(volumes)" "$volumes_before" 'case 15: no volume is left'
done_testing
