#!/bin/sh
# SPDX-License-Identifier: ISC
#
# --init: the caller's own statements, loaded through the stdin of the
# service's client once it is ready.

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

# What was fed to the clients, in the order of the calls.
fed()
{
	find "$FAKE_DOCKER_DIR" -name 'stdin.*' | sort -t . -k 3n |
	    xargs -r cat
}

new_scene()
{
	cold
	owner a1
	mkdir "$T/sql"
	echo 'create table one (n int);' >"$T/sql/10.sql"
	echo 'insert into one values (1);' >"$T/sql/9.sql"
	echo 'select 1;' >"$T/sql/B.sql"
	echo 'select 2;' >"$T/sql/a b.sql"
	echo 'not this one' >"$T/sql/.hidden.sql"
	mkdir "$T/sql/fixtures"
	echo 'nor this' >"$T/sql/fixtures/x.sql"
}

# refused CODE KIND DESC: nothing is made.
refused()
{
	is "$rc $(kind)" "$1 $2" "$3: $1"
	is "$(calls run)" '' "$3: nothing was started"
	left_nothing "$3"
}

# --- a file, a folder, several

new_scene
sk ensure a1 --services postgres --init "postgres=$T/sql/10.sql"
is "$rc" 0 '--init: a file: code'
calls_are 'inspect image run exec exec inspect' \
    '--init: one call more, after readiness'
is "$(asked | tail -n 2 | head -n 1)" \
    "exec -i <$PG> psql -X -q -A -t -v ON_ERROR_STOP=1 -U sandbox -d sandbox" \
    '--init: the service'"'"'s client, which stops at an error'
is "$(fed)" 'create table one (n int);' '--init: through its stdin'
unlike "$(calls)" 'create table' '--init: and in no argv'
sk ensure a1 --services postgres --init "postgres=$T/sql/10.sql"
is "$rc $(calls exec | wc -l)" '0 2' 'E4: a hit: it is not loaded again'
sk ensure a1 --services postgres,redis --init "postgres=$T/sql/10.sql"
is "$rc $(fed)" '0 create table one (n int);' \
    'E2: a service more: what is kept is not loaded again'
sk ensure a1 --services postgres --init "postgres=$T/gone.sql"
is "$rc" 0 'E4: a hit does not even look at the file'
sk ensure a1 --services postgres --fresh --init "postgres=$T/sql/B.sql"
is "$(fed)" 'create table one (n int);
select 1;' '--fresh: what is new is loaded'

new_scene
sk ensure a1 --services postgres --init "postgres=$T/sql"
is "$rc" 0 '--init: a folder: code'
is "$(fed)" 'create table one (n int);
insert into one values (1);
select 1;
select 2;' '--init: a folder: its files by name, as bytes, and no other'
is "$(calls exec | grep -c ON_ERROR_STOP)" 4 '--init: a call for each file'

new_scene
sk ensure a1 --services postgres,redis --also mongo \
    --init "redis=$T/sql/B.sql" --init "postgres=$T/sql/9.sql" \
    --init "postgres=$T/sql/10.sql"
is "$rc" 0 '--init: several: code'
is "$(fed)" 'select 1;
insert into one values (1);
create table one (n int);' '--init: several: in the order of the options'
like "$(calls exec)" " redis-cli --pipe --pipe-timeout 0\$" '--init: redis: its client tells failures'

# Nothing is shortened or changed on its way.
new_scene
awk 'BEGIN { for (i = 0; i < 200000; i++) printf "-- %d äöü \\ '"'"'\n", i }' >"$T/large"
sk ensure a1 --services postgres --init "postgres=$T/large"
is "$rc $(fed | cksum)" "0 $(cksum <"$T/large")" '--init: a file of 3 MB, whole'

new_scene
mkfifo "$T/fifo"
echo 'from a pipe;' >"$T/fifo" &
sk ensure a1 --services postgres --init "postgres=$T/fifo"
is "$rc $(fed)" '0 from a pipe;' '--init: a pipe, such as bash'"'"'s <(command)'

new_scene
pg --init "postgres=$T/sql/B.sql" -- true
is "$rc $(fed)" '0 select 1;' 'run --init'

new_scene
mkdir "$T/empty"
sk ensure a1 --services postgres --init "postgres=$T/empty"
is "$rc" 0 '--init: an empty folder: code'
like "$err" "warning: a1: --init: '$T/empty' holds no file" \
    '--init: an empty folder: a warning'

# --- what cannot be loaded is refused before anything is made

new_scene
# refused_init CODE KIND DESC VALUE
refused_init()
{
	refused_code=$1
	refused_kind=$2
	refused_desc=$3
	shift 3
	sk --json ensure a1 --services postgres,redis --init "$@"
	refused "$refused_code" "$refused_kind" "$refused_desc"
}
refused_init 65 value '--init: a file that is not there' "postgres=$T/gone.sql"
like "$err" "cannot read '$T/gone.sql': No such file" '--init: it is named'
ln -s "$T/gone.sql" "$T/sql/dangling.sql"
refused_init 65 value '--init: a folder with a link to nothing' "postgres=$T/sql"
refused_init 65 value '--init: a service that is not asked for' "mongo=$T/sql/B.sql"
like "$err" 'write SERVICE=PATH, with a service that is asked for' \
    '--init: what to write'
for text in postgres postgres= "=$T/sql" "$T/sql" ''; do
	refused_init 65 value "--init: '$text'" "$text"
done
sk --json ensure a1 --services mongo --init "mongo=$T/sql/B.sql"
refused 65 value '--init: an engine without a client for scripts'
like "$err" "the engine 'mongo' names no init-client" '--init: that is told'

# --- what fails while it is loaded is E7

new_scene
fake fault exec when=ON_ERROR_STOP rc=3 out=x \
    "filter=sed -n '/^password=/s/.*=\\(.*\\)/psql:<stdin>:1: ERROR:  the word \\1 is wrong/p' '$T/state/agents/a1'"
sk --json ensure a1 --services postgres,redis --init "postgres=$T/sql"
is "$rc $(kind)" '75 init' 'E7: a failing statement: 75'
like "$err" "postgres refused '$T/sql/10.sql': psql:<stdin>:1: ERROR:  the word \*+ is wrong" \
    'E8: the client'"'"'s message, the password masked'
is "$(calls exec | grep -c ON_ERROR_STOP)" 1 'E7: nothing is loaded after it'
check 'E7: a failing statement: one line' one_line
left_nothing 'E7: a failing statement'
fake fault exec
sk ensure a1 --services postgres
is "$rc" 0 'E7: and then all begins anew'

new_scene
fake fault exec when=ON_ERROR_STOP rc=3 'out=ERROR:  is what a row says\n' \
    'err=psql:<stdin>:2: ERROR:  is what happened\n'
sk ensure a1 --services postgres --init "postgres=$T/sql/10.sql"
like "$err" "refused '$T/sql/10.sql': psql:<stdin>:2: ERROR:  is what happened" \
    'E7: what it printed before is not its complaint'
left_nothing 'E7: a failing statement after a result'

new_scene
sk ensure a1 --services postgres
boxes_were=$(boxes)
before=$(cat "$(entry_path a1)")
fake fault exec when=redis-cli\ --pipe rc=1 'err=ERR unknown command\n'
sk --json ensure a1 --services redis --init "redis=$T/sql/B.sql"
is "$rc $(kind)" '75 init' 'E7: a failing statement for a service more: 75'
like "$err" "redis refused '$T/sql/B.sql': ERR unknown command" 'E7: it is named'
is "$(boxes)" "$boxes_were" 'E7: what was there before stays'
is "$(cat "$(entry_path a1)")" "$before" 'E7: and so does its entry'

new_scene
printf 'select 1;\0select 2;\n' >"$T/nul"
sk --json ensure a1 --services postgres --init "postgres=$T/nul"
is "$rc $(kind)" '65 value' 'a NUL byte: 65'
left_nothing 'E7: a NUL byte'

new_scene
fake fault exec when=ON_ERROR_STOP hang=1
start_clock
sk --json ensure a1 --services postgres --init "postgres=$T/sql/B.sql" \
    --set timeouts.init=1s
stop_clock
is "$rc $(kind)" '75 timeout' 'E7: a statement that never ends: 75'
check 'E7: it has a limit of time of its own' within 4000
left_nothing 'E7: a statement that never ends'
fake fault exec when=ON_ERROR_STOP "hook=touch $T/at" hang=1
start "$SANDKEEPER" ensure a1 --services postgres --init "postgres=$T/sql/B.sql"
wait_for test -e "$T/at"
kill -INT "$pid"
finish
is "$rc" 130 'E7: interrupted while it is loaded: 130'
left_nothing 'E7: interrupted while it is loaded'
rm "$T/at"
start "$SANDKEEPER" ensure a1 --services postgres --init "postgres=$T/sql/B.sql"
wait_for test -e "$T/at"
sk release a1
is "$rc" 0 'L2: released while it is loaded'
finish
is "$rc" 75 'L2: and the ensure ends'
left_nothing 'L2: released while it is loaded'

done_testing
