#!/bin/sh
# SPDX-License-Identifier: ISC
#
# The engines that come with the program, each on its own: what docker is told
# is what its image's publisher documents, and no password is among it.
# PostgreSQL, Redis and MongoDB have tests of their own.

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/tap.sh
. "$TESTS_LIB/tap.sh"
# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/ensure.sh
. "$TESTS_LIB/../cli/ensure.sh"

# What is run: the words behind the limits, which all have.
words()
{
	calls run | sed -e 's/.*--name \([^ ]*\) .* --memory \([^ ]*\) .*no-new-privileges/\1 \2/' \
	    -e 's/<<EOF.*/<<EOF.../' -e "s/-c \\\$'set -- .*/-c START/"
}

# provided ENGINE MEMORY: hands one over; stdin is what is run, then the
# exported variables with %w for the password.
provided()
{
	provided_want=$(cat)
	cold
	owner a1
	fake image "$(SANDKEEPER_ENABLED='' "$SANDKEEPER" services --json |
	    jq -r ".[\"$1\"].image")" '{"ports":["7/tcp"]}'
	sk ensure a1 --services "$1" --dotenv
	is "$rc$err" 0 "$1: handed over"
	provided_password=$(password a1 "$1")
	is "$(words
	    sed "s/$provided_password/%w/g" "$out_file")" "$provided_want" \
	    "E9: $1: the words of docker run, and the variables"
	unlike "$(calls)" "${provided_password:-.}" \
	    "E8: $1: no password in any argv"
	calls_are 'inspect image run exec inspect' \
	    "E5: $1: one probe, and no call too many"
	sk release a1
	containers_are "$AGENT-a1" "T2: $1: release takes it down"
}

provided clickhouse <<'END'
roboco-sandbox-ch-a1 2g --tmpfs /var/lib/clickhouse:size=512m -e CLICKHOUSE_USER=sandbox -e CLICKHOUSE_DB=sandbox -e CLICKHOUSE_DEFAULT_ACCESS_MANAGEMENT=1 -e CLICKHOUSE_PASSWORD --ulimit nofile=262144:262144 clickhouse/clickhouse-server:24.8-alpine
CLICKHOUSE_HOST=roboco-sandbox-ch-a1
CLICKHOUSE_PORT=8123
CLICKHOUSE_USER=sandbox
CLICKHOUSE_PASSWORD=%w
CLICKHOUSE_DB=sandbox
CLICKHOUSE_URL=http://sandbox:%w@roboco-sandbox-ch-a1:8123/sandbox
END
provided mariadb <<'END'
roboco-sandbox-maria-a1 512m --tmpfs /var/lib/mysql:size=256m -e MARIADB_USER=sandbox -e MARIADB_DATABASE=sandbox -e MARIADB_PASSWORD -e MARIADB_ROOT_PASSWORD mariadb:11.4 mariadbd --innodb-buffer-pool-size=32M --innodb-log-file-size=8M --innodb-flush-log-at-trx-commit=0 --innodb-doublewrite=OFF
MARIADB_HOST=roboco-sandbox-maria-a1
MARIADB_PORT=3306
MARIADB_USER=sandbox
MARIADB_PASSWORD=%w
MARIADB_DATABASE=sandbox
MARIADB_URL=mysql://sandbox:%w@roboco-sandbox-maria-a1:3306/sandbox
END
provided memcached <<'END'
roboco-sandbox-mc-a1 512m memcached:1.6-alpine memcached -m 64
MEMCACHED_HOST=roboco-sandbox-mc-a1
MEMCACHED_PORT=11211
MEMCACHED_SERVERS=roboco-sandbox-mc-a1:11211
END
provided minio <<'END'
roboco-sandbox-minio-a1 512m --tmpfs /data:size=256m -e MINIO_ROOT_USER=sandbox -e MINIO_UPDATE=off -e MINIO_ROOT_PASSWORD minio/minio:latest server /data
S3_ENDPOINT=http://roboco-sandbox-minio-a1:9000
AWS_ENDPOINT_URL_S3=http://roboco-sandbox-minio-a1:9000
AWS_ACCESS_KEY_ID=sandbox
AWS_SECRET_ACCESS_KEY=%w
AWS_REGION=us-east-1
END
provided mysql <<'END'
roboco-sandbox-mysql-a1 512m --tmpfs /var/lib/mysql:size=288m -e MYSQL_USER=sandbox -e MYSQL_DATABASE=sandbox -e MYSQL_PASSWORD -e MYSQL_ROOT_PASSWORD mysql:8.4 mysqld --innodb-buffer-pool-size=32M --innodb-redo-log-capacity=8M --innodb-flush-log-at-trx-commit=0 --innodb-doublewrite=OFF --disable-log-bin --performance-schema=OFF --mysqlx=OFF
MYSQL_HOST=roboco-sandbox-mysql-a1
MYSQL_PORT=3306
MYSQL_USER=sandbox
MYSQL_PASSWORD=%w
MYSQL_DATABASE=sandbox
MYSQL_URL=mysql://sandbox:%w@roboco-sandbox-mysql-a1:3306/sandbox
END
provided nats <<'END'
roboco-sandbox-nats-a1 512m --tmpfs /data:size=128m --entrypoint sh -e NATS_USER=sandbox -e NATS_PASSWORD nats:2-alpine -c $'exec nats-server -c /dev/stdin <<EOF...
NATS_USER=sandbox
NATS_PASSWORD=%w
NATS_URL=nats://sandbox:%w@roboco-sandbox-nats-a1:4222
END
provided opensearch <<'END'
roboco-sandbox-os-a1 2g --tmpfs /usr/share/opensearch/data:size=512m,uid=1000,gid=1000,mode=0700 -e DISABLE_SECURITY_PLUGIN=true -e DISABLE_INSTALL_DEMO_CONFIG=true -e 'OPENSEARCH_JAVA_OPTS=-Xms512m -Xmx512m' --env discovery.type=single-node --env cluster.routing.allocation.disk.threshold_enabled=false opensearchproject/opensearch:2
OPENSEARCH_HOST=roboco-sandbox-os-a1
OPENSEARCH_PORT=9200
OPENSEARCH_URL=http://roboco-sandbox-os-a1:9200
END
provided rabbitmq <<'END'
roboco-sandbox-rmq-a1 512m --tmpfs /var/lib/rabbitmq:size=128m -e RABBITMQ_DEFAULT_USER=sandbox -e RABBITMQ_DEFAULT_VHOST=sandbox -e RABBITMQ_DEFAULT_PASS rabbitmq:4-alpine
RABBITMQ_HOST=roboco-sandbox-rmq-a1
RABBITMQ_PORT=5672
RABBITMQ_USER=sandbox
RABBITMQ_PASSWORD=%w
RABBITMQ_VHOST=sandbox
AMQP_URL=amqp://sandbox:%w@roboco-sandbox-rmq-a1:5672/sandbox
END
provided valkey <<'END'
roboco-sandbox-vk-a1 512m --tmpfs /data:size=128m --entrypoint sh -e REDISCLI_AUTH valkey/valkey:8-alpine -c START
VALKEY_HOST=roboco-sandbox-vk-a1
VALKEY_PORT=6379
VALKEY_PASSWORD=%w
VALKEY_URL=redis://default:%w@roboco-sandbox-vk-a1:6379/0
END

# --- what an engine needs at least

cold
owner a1
settings least <<'END'
	memory = "256m"
	engine "big" {
	  like   = "redis"
	  short  = "big"
	  memory = "1g"
	  tmpfs  = {"/data:size=768m"}
	  export = {"BIG=%h"}
	}
END
# limits ARG...: the limits of big and memcached
limits()
{
	fake image memcached:1.6-alpine '{"ports":["7/tcp"]}'
	sk -c "$conf" ensure a1 --services big,memcached --fresh --replace "$@"
	calls run | tail -n 2 |
	    sed -n 's/.*sandbox-\([a-z]*\)-a1 .*--memory \([^ ]*\).*/\1 \2/p' |
	    LC_ALL=C sort | tr '\n' ' '
}

is "$(limits)" 'big 1g mc 256m ' 'memory: what the engine needs at least'
is "$(entry_value a1 big memory)" 1g 'memory: the entry has it'
is "$(limits --memory 800m)" 'big 800m mc 800m ' 'memory: --memory counts'
is "$(limits --set memory=2g)" 'big 2g mc 2g ' 'memory: a setting that is more'
is "$(limits --set memory=0)" '' 'memory: no limit is no limit'
sk -c "$conf" ensure a1 --services big --memory 700m --fresh
is "$rc" 65 'memory: the data must fit into it'

# --- an image that is built here

cold
owner a1
fake fault pull pull-fails=manifest
sk ensure a1 --services postgres --feature postgres:vector
is "$rc" 75 'feature-recipe: the image is in no registry'
like "$err" 'hint: build it: docker build -t roboco-sandbox-pg:latest /.*/sandkeeper/images/postgres$' \
    'feature-recipe: the message names the recipe'
sk ensure a1 --services postgres --feature postgres:vector \
    --set pull-policy=never
like "$err" 'hint: build it: docker build -t ' \
    'feature-recipe: and where nothing is pulled'
fake fault pull pull-fails=manifest
sk ensure a1 --services postgres --image postgres=none:1
unlike "$err" 'build it' 'feature-recipe: not for another image'
check 'feature-recipe: is there' \
    test -f "$ENGINES_DIR/../dist/images/postgres/Dockerfile"

# --- what is wrong

settings wrong <<'END'
	engine "redis" { memory = "much" }
END
sk -c "$conf" services
is "$rc" 78 'memory: that is no size'
done_testing
