# shellcheck shell=sh
# SPDX-License-Identifier: ISC
#
# The docker client alone, with the two variables of its Go runtime that
# src/docker/docker.c sets, beside it as it is.

# client CASE COMMAND
client()
{
	for client_set in 'GOMAXPROCS=1' 'GOGC=400' 'GOMAXPROCS=1 GOGC=400'; do
		pair client "$1, $client_set" 0 -n "$((rounds * 3))" \
		    -A "with $client_set" -B 'docker as it is' \
		    "env $client_set $2" "env BENCH_NONE=1 $2"
	done
}

section_client()
{
	daemon
	"$docker" network create --label "$bench_tag=1" "$network" >/dev/null
	owner one
	client 'docker inspect' \
	    "$docker inspect --type container ${SANDKEEPER_CONTAINER_PREFIX}one"
	client 'docker ps' "$docker ps -a --no-trunc"
	clean_daemon
}
