#!/bin/sh
# SPDX-License-Identifier: ISC
#
# pull: images ahead of need (DESIGN 2 and 5; case 27 from the field).

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/ensure.sh
. "$TESTS_LIB/../cli/ensure.sh"

# asks WORDS PULLS DESC: exit 0, and these images are pulled, in this order.
asks()
{
	fake reset-calls
	# shellcheck disable=SC2086 # words
	sk --json pull $1
	is "$rc $(calls pull | sed 's/^pull //' | tr '\n' ' ')" "0 $2" "$3"
}

cold
rm -r "$T/state"
asks 'redis mongo postgres' '' 'case 27: what is here is not pulled'
is "$(jq -c . "$out_file")" \
    '{"pulled":[],"here":["redis:8-alpine","mongo:8","postgres:16-alpine"]}' \
    'pull: --json'
calls_are image 'case 27: one look for all'
check_not 'pull: no state is made' test -e "$T/state"
asks '--again redis redis' 'redis:8-alpine ' 'pull: --again, once'
asks 'nats redis' 'nats:2-alpine ' 'pull: what is missing'
is "$(jq -c .pulled "$out_file")" '["nats:2-alpine"]' 'pull: --json: pulled'
asks nats '' 'pull: then it is here'
asks '--features redis' 'redis/redis-stack-server:latest ' 'pull: --features'
asks 'valkey --set image-prefix=reg.local/hub/' \
    'reg.local/hub/valkey/valkey:8-alpine ' 'pull: image-prefix'
sk pull redis mysql
is "$rc $out" '0 IMAGE           OUTCOME
mysql:8.4       pulled
redis:8-alpine  here' 'pull: for people'
is "$err" 'sandkeeper: pulling mysql:8.4' 'pull: says what it does'
SANDKEEPER_ENABLED=false sk pull redis
is "$rc" 0 'F2: the flag does not matter'

# --- which, where none is named

fake reset-calls
sk --json pull
is "$rc $(kind)" '64 usage' 'pull: without a service or a project'
calls_are '' 'pull: nothing is asked'
sk --json pull redis nosuch
is "$rc $(kind)" '65 service' 'pull: no such service'
is "$(jq -c '.error | [.service, (.allowed | length)]' "$out_file")" \
    "[\"nosuch\",$(find "$ENGINES_DIR" -name '*.conf' | wc -l)]" \
    'pull: no such service: allowed'
calls_are '' 'pull: no such service: nothing is asked'
settings projects <<'END'
	project "one" { services = {"rabbitmq", "postgres"} }
	project "two" { services = {"postgres", "redis"}
	                features = {"postgres:vector"} }
END
asks "-c $conf" 'rabbitmq:4-alpine roboco-sandbox-pg:latest ' \
    'pull: those of the projects, and for the features that they have'

# --- failures

cold
fake fault pull pull-fails=manifest when=mysql
sk --json pull mysql memcached
is "$rc $(kind)" '75 image-pull' 'pull: one fails: the first one counts'
is "$(fake count pull)" 2 'pull: one fails: the others are fetched'
is "$(jq -s length "$out_file")" 1 'pull: one fails: one document'
cold
fake fault pull pull-fails=ratelimit
sk pull mysql
is "$rc $(fake count pull)" '75 1' 'case 27: no retry'
like "$err" "hint: .*'docker pull mysql:8.4'" 'pull: fails: the remedy'
cold
sk --json pull redis mysql --set pull-policy=never
is "$rc $(kind) $(fake count pull)" '75 image-missing 0' \
    'pull: pull-policy is never'
sk pull redis --set pull-policy=never
is "$rc" 0 'pull: pull-policy is never, and all are here'
cold
fake fault pull hang=1
start_clock
sk --json pull mysql memcached --set timeouts.pull=1
stop_clock
is "$rc $(kind)" '75 image-pull' 'pull: a registry that is silent'
check 'pull: a registry that is silent: the deadline of each' within 4000
cold
fake fault image rc=1 \
    'err=Cannot connect to the Docker daemon at unix:///x. Is the docker daemon running?\n'
sk pull mysql
is "$rc $(fake count pull)" '69 0' 'pull: no daemon'
done_testing
