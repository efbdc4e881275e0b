#!/bin/sh
# SPDX-License-Identifier: ISC
#
# connect: the service's own client in its container, logged in, with no
# password in any argv.

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

cold
owner a1
sk ensure a1 --services postgres
fake reset-calls
echo 'select 1;' >"$T/typed"
stdin=$T/typed
sk connect a1
is "$rc" 0 'connect: code'
is "$(asked)" "exec -i <$PG> psql -U sandbox -d sandbox" \
    'connect: the one service that there is: its client, by full id'
is "$(cat "$FAKE_DOCKER_DIR"/stdin.*)" 'select 1;' 'connect: stdin is the client'"'"'s'
unlike "$(calls)" "$(password a1 postgres)" 'E8: the password is in no argv'
stdin=/dev/null
sk connect a1 -- -A -c 'select 1' --
is "$(calls | tail -n 1 | sed 's/.* psql/psql/')" \
    "psql -U sandbox -d sandbox -A -c 'select 1' --" \
    'connect: what stands behind -- is the client'"'"'s'
fake fault exec rc=7 'out=one\n' 'err=two\n'
sk connect a1 postgres
is "$rc $out $err" '7 one two' 'connect: the client'"'"'s own code and output'
fake fault exec signal=KILL
sk connect a1
is "$rc" 137 'connect: a client that is killed: 128 + N'
fake fault exec

sk ensure a1 --services postgres,redis
fake reset-calls
sk --json connect a1
is "$rc $(kind)" '64 usage' 'connect: several services: name one'
like "$err" 'hint: it has: postgres, redis' 'connect: several services: which'
is "$(jq -c '.error.allowed' "$out_file")" '["postgres","redis"]' \
    'connect: several services: for scripts'
calls_are '' 'connect: several services: no docker call'
sk connect a1 redis
is "$(asked)" "exec -i <$BOX-redis-a1> redis-cli" 'connect: redis'
sk --json connect a1 mongo
is "$rc $(kind)" '65 service' 'connect: a service that it lacks'
sk ensure a1 --services mongo
fake reset-calls
sk connect a1 mongo
like "$(asked)" "^exec -i <$BOX-mongo-a1> mongosh .*process\.env\.MONGO_INITDB_ROOT_PASSWORD" \
    'connect: mongo: its client reads the password in its container'
unlike "$(calls)" "$(password a1 mongo)" 'E8: mongo: the password is in no argv'

# With a terminal at both ends docker makes one in the container.
fake reset-calls
run script -qec "$SANDKEEPER connect a1 postgres" /dev/null
like "$(asked)" "^exec -i -t <$PG> psql" 'connect: on a terminal: -t'
fake reset-calls
run script -qec "$SANDKEEPER connect a1 postgres </dev/null" /dev/null
like "$(asked)" "^exec -i <$PG> psql" 'connect: stdin is no terminal: no -t'
fake reset-calls
run script -qec "$SANDKEEPER connect a1 postgres | cat" /dev/null
like "$(asked)" "^exec -i <$PG> psql" 'connect: stdout is no terminal: no -t'

# --- a signal is the client's

fake fault exec "hook=touch $T/at" hang=1
for number in 2 15; do
	rm -f "$T/at"
	start "$SANDKEEPER" connect a1 postgres
	wait_for test -e "$T/at"
	kill "-$number" "$pid"
	finish
	check "connect: signal $number is passed on" test "$rc" -ne 0
	check "connect: and ends it" dead "$pid"
done
fake fault exec
check 'connect: the sandbox stays' has_container "$PG"

# --- failures

fake reset-calls
sk --json connect b1
is "$rc $(kind)" '65 no-sandbox' 'connect: no sandbox'
sk connect
is "$rc" 64 'connect: no agent'
sk connect a1 postgres extra
is "$rc" 64 'connect: too many words'
like "$err" "behind '--'" 'connect: where the client'"'"'s go'
sk connect ../x
is "$rc" 65 'connect: no slug'
cat >"$T/conf" <<'EOF'
engine "postgres" { client = {} }
EOF
sk --json -c "$T/conf" connect a1 postgres
is "$rc $(kind)" '78 settings' 'connect: an engine without a client'
sk --json --docker "$T/nowhere" connect a1 postgres
is "$rc $(kind)" '69 docker-missing' 'connect: docker cannot be run'
printf '#!%s/nowhere\n' "$T" >"$T/unread"
chmod 755 "$T/unread"
sk --json --docker "$T/unread" connect a1 postgres
is "$rc $(kind)" '69 docker-missing' 'connect: a docker that does not start'
sed -i 's/^\[postgres\]$/&\nstate=provisioning/' "$(entry_path a1)"
sk --json connect a1 postgres
is "$rc $(kind)" '65 service' 'connect: one that is being made is not there yet'
calls_are '' 'connect: no docker call in any of these'

done_testing
