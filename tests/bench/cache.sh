# shellcheck shell=sh
# SPDX-License-Identifier: ISC
#
# The cache with many entries: list beside "ls -l" of its folder, env beside
# cat of the entry.  The client says that there are no containers, so it is the
# cache alone that is measured.

# an_entry SLUG: by ensure, from the simulated docker, which makes no daemon.
an_entry()
{
	(
		FAKE_DOCKER_DIR=$work/fake
		export FAKE_DOCKER_DIR
		rm -rf "$FAKE_DOCKER_DIR"
		mkdir "$FAKE_DOCKER_DIR"
		"$FAKE_DOCKER" fake-init
		"$FAKE_DOCKER" fake-container \
		    "$SANDKEEPER_CONTAINER_PREFIX$1" --state running >/dev/null
		SANDKEEPER_DOCKER=$FAKE_DOCKER "$SANDKEEPER" -q ensure "$1" \
		    --services postgres,redis
	) >/dev/null
	entry=$(find "$SANDKEEPER_STATE_DIR" -path "*/agents/$1")
}

section_cache()
{
	no_daemon
	for cache_n in $CACHE; do
		rm -rf "$SANDKEEPER_STATE_DIR"
		an_entry template
		copy_entries "$entry" "$cache_n"
		cache_limit=
		[ "$cache_n" -lt 10000 ] || cache_limit='-k limit=25'
		# shellcheck disable=SC2086 # words
		pair cache list "$cache_n" -m -n "$rounds" $cache_limit \
		    -k "calls=$(calls_of list)" -A 'sandkeeper list' -B 'ls -l' \
		    "$SANDKEEPER list" "ls -l $(dirname "$entry")"
		pair cache env "$cache_n" -m -n "$((rounds * 5))" \
		    -k "calls=$(calls_of env template)" -A 'sandkeeper env' -B cat \
		    "$SANDKEEPER env template" "cat $entry"
	done
	rm -rf "$SANDKEEPER_STATE_DIR"
}
