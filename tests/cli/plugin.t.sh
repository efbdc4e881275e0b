#!/bin/sh
# SPDX-License-Identifier: ISC
#
# As a plugin of the docker client: what it is told, whom docker's own options
# choose, and the real client, where there is one; no daemon is asked.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"

# The real client; not the one of the tests.
client=$(command -v "${SANDKEEPER_TEST_DOCKER:-docker}" || :)

# What our docker calls get is in $T/chosen.
plugin_scene()
{
	scene
	agent dev-1
	sandbox dev-1 pg
	entry dev-1 pg
	mkdir -p "$HOME/.docker/cli-plugins"
	plugin=$HOME/.docker/cli-plugins/docker-sandkeeper
	ln -s "$SANDKEEPER" "$plugin"
	cat >"$T/docker" <<-'END'
		#!/bin/sh
		echo "host=${DOCKER_HOST:-} context=${DOCKER_CONTEXT:-}" \
		    "config=${DOCKER_CONFIG:-} tls=${DOCKER_TLS_VERIFY:-}" \
		    >"$T/chosen"
		exec "$FAKE_DOCKER" "$@"
	END
	chmod +x "$T/docker"
	SANDKEEPER_DOCKER=$T/docker
}

# chooses WORDS WANT: docker's words before ours, and what becomes of them.
chooses()
{
	rm -f "$T/chosen"
	# shellcheck disable=SC2086 # words
	run "$plugin" $1 sandkeeper why dev-1
	is "$(cat "$T/chosen" 2>&1)" "$2" "plugin: $1: our calls follow it"
}

# refuses WORDS WHY
refuses()
{
	rm -f "$T/chosen"
	# shellcheck disable=SC2086
	run "$plugin" $1 sandkeeper --json why dev-1
	is "$rc $(jq -r .error.kind "$out_file")" '64 usage' "plugin: $1: 64"
	like "$err" "$2" "plugin: $1: says why"
	check_not "plugin: $1: no docker call" test -e "$T/chosen"
}

# --- what the client asks

plugin_scene
rm -r "$T/state"
run "$plugin" docker-cli-plugin-metadata
is "$rc$err" 0 'plugin: metadata: 0, and nothing else is said'
is "$(jq -r '.SchemaVersion, (.Vendor | length > 0), .Version' "$out_file")" \
    "0.1.0
true
$("$SANDKEEPER" --version | cut -d ' ' -f 2)" \
    'plugin: metadata: what the client must find'
sk docker-cli-plugin-metadata
is "$rc$out" 64 'plugin: under our own name there is no such command'
calls_are '' 'plugin: metadata: no docker call'
check_not 'plugin: metadata: no state is made' test -e "$T/state"

# --- our words

plugin_scene
sk --json list
own=$(jq -c 'map(del(.age))' "$out_file")
run "$plugin" sandkeeper --json list
is "$rc $(jq -c 'map(del(.age))' "$out_file")" "0 $own" \
    'plugin: sandkeeper list is our list'
run "$plugin" -D -l debug sandkeeper list --json
is "$rc $(jq -c 'map(del(.age))' "$out_file")" "0 $own" \
    'plugin: with options of docker before it'
run "$plugin" list --json
is "$rc $(jq -c 'map(del(.age))' "$out_file")" "0 $own" \
    'plugin: without our name among the words it is a call of our own'
run "$plugin" --state-dir "$T/state" list --json
is "$rc $(jq -c 'map(del(.age))' "$out_file")" "0 $own" \
    'plugin: with our options, too'
run "$plugin" sandkeeper -c /nonexistent list
is "$rc" 78 'plugin: after our name -c is our settings file'
run "$plugin" sandkeeper env nosuch --env
is "$rc $out" '65 false' 'plugin: a failure is told as ever'
run "$plugin" -D sandkeeper env nosuch
is "$rc $out" '65 false' 'plugin: and so for env without options'
sk help hold
own=$out
run "$plugin" help sandkeeper hold
is "$rc $out" "0 $own" 'plugin: docker help sandkeeper COMMAND'
run "$plugin" sandkeeper hold --help
is "$rc $out" "0 $own" 'plugin: docker sandkeeper COMMAND --help'
run "$plugin" sandkeeper nosuch
like "$err" "^sandkeeper: hint: 'sandkeeper help' lists them" \
    'plugin: our messages name us sandkeeper'
run "$plugin" sandkeeper
is "$rc" 64 'plugin: without a command'
run "$plugin"
is "$rc" 64 'plugin: without a word'

# --- whom docker's options choose

mkdir -p "$HOME/.docker/contexts/meta/x" "$T/conf"
echo '{"Name":"far","Endpoints":{"docker":{"Host":"tcp://far:1"}}}' \
    >"$HOME/.docker/contexts/meta/x/meta.json"
cp -R "$HOME/.docker/contexts" "$T/conf/"
chooses '' 'host= context= config= tls='
for words in '-H tcp://h:1' '-Htcp://h:1' '-H=tcp://h:1' '--host tcp://h:1' \
    '--host=tcp://h:1' '-DH tcp://h:1' '--debug=true --host tcp://h:1'; do
	chooses "$words" 'host=tcp://h:1 context= config= tls='
done
for words in '-c far' '-cfar' '-c=far' '--context far' '--context=far'; do
	chooses "$words" 'host= context=far config= tls='
done
chooses "--config $T/conf -c far" "host= context=far config=$T/conf tls="
chooses '--tlsverify -H tcp://h:1' 'host=tcp://h:1 context= config= tls=1'
chooses '--tlsverify=false --tls=0' 'host= context= config= tls='
DOCKER_HOST=tcp://env:1
export DOCKER_HOST
chooses '' 'host=tcp://env:1 context= config= tls='
chooses '-H tcp://h:1' 'host=tcp://h:1 context= config= tls='
chooses '-c far' 'host= context=far config= tls='
chooses '-c default' 'host=tcp://env:1 context=default config= tls='
unset DOCKER_HOST
run "$plugin" -H tcp://h:1 sandkeeper release dev-1
check 'K3: plugin: another daemon has entries of its own' has_entry dev-1
run "$plugin" sandkeeper release dev-1
check_not 'K3: plugin: the default one' has_entry dev-1
refuses '-H a -H b' '-H is there twice'
refuses '-H a -c far' '-H and --context exclude each other'
for word in tls tlscacert=f tlscert=f tlskey=f; do
	refuses "--$word" "docker's option --${word%=*} cannot be handed on"
done

# --- the real client

case $client in
'' | "$FAKE_DOCKER")
	note 'no docker client is here'
	done_testing ;;
esac

# shellcheck disable=SC2317 # wait_for calls it
has_begun()
{
	[ -s "$T/begun" ]
}

plugin_scene
PATH=$(dirname "$client"):$PATH
run "$client" --help
like "$out" '^ *sandkeeper\*? +Throwaway service sandboxes' \
    'plugin: the client lists us'
run "$client" sandkeeper --version
is "$rc $out" "0 $("$SANDKEEPER" --version)" 'plugin: docker sandkeeper'
sk help ensure
own=$out
run "$client" help sandkeeper ensure
is "$rc $out" "0 $own" 'plugin: docker help sandkeeper ensure'
run "$client" sandkeeper ensure --help
is "$rc $out" "0 $own" 'plugin: docker sandkeeper ensure --help'
sk --json list
own=$(jq -c 'map(del(.age))' "$out_file")
run "$client" --log-level error sandkeeper list --json
is "$rc $(jq -c 'map(del(.age))' "$out_file")" "0 $own" \
    'plugin: docker sandkeeper list'
run "$client" sandkeeper ensure 'No!' --services postgres
is "$rc" 65 'plugin: the exit code is ours'

# A client with such a socket passes no signal on.
cat >"$T/agent" <<-'END'
	#!/bin/sh
	env | grep '^DOCKER_CLI_PLUGIN_SOCKET=' >"$T/socket"
	echo >"$T/begun"
	exec sleep "$1"
END
chmod +x "$T/agent"
fake image redis:8-alpine '{"ports":["6379/tcp"]}'
run "$client" sandkeeper run --services redis -- "$T/agent" 0.2
is "$rc" 0 'plugin: docker sandkeeper run'
rm -f "$T/begun"
start "$client" sandkeeper run --services redis -- "$T/agent" 100
wait_for has_begun || :
if [ -s "$T/socket" ]; then
	kill -TERM "$pid"
	finish
	is "$rc" 143 'plugin: run ends with the client that called it'
else
	note 'an old client: it passes no signal on, and nobody hears of it'
	pkill -TERM -P "$pid"
	finish
fi
containers_are "$AGENT-dev-1 $BOX-pg-dev-1" 'plugin: and nothing is left of it'
done_testing
