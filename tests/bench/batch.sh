# shellcheck shell=sh
# SPDX-License-Identifier: ISC
#
# The batch size and the parallelism of "docker rm": how many ids a call, how
# many calls at once, beside all in one call.  What sweep does is 4 and 3.  Not
# among the sections that run unasked.

section_batch()
{
	daemon
	orphan_script
	for batch in $BATCH; do
		ids=${batch%x*} at_once=${batch#*x}
		pair batch "$ids ids, $at_once calls" "$BATCH_OF" -1 \
		    -n "$few" -p "$work/orphans $BATCH_OF" \
		    -A "docker rm -fv of $ids, $at_once at once" \
		    -B 'docker rm -fv of all' \
		    "$docker ps -aq $orphans | xargs -r -n $ids -P $at_once $docker rm -fv" \
		    "$pipeline"
	done
	clean_daemon
}
