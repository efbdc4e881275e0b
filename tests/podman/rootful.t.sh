#!/bin/sh
# SPDX-License-Identifier: ISC
#
# The scenes of the tier daemon, with podman, as root.  Not played: doctor,
# races and watch, which are about a daemon, quickstart, which starts one, and
# engines, whose images say nothing new of the client.
set -eu

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/podman.sh
. "$TESTS_LIB/podman.sh"

# Fewer rounds of what the tier daemon plays often.
READY_ROUNDS=${READY_ROUNDS:-2}
RUN_MOMENTS=${RUN_MOMENTS:-15}
export READY_ROUNDS RUN_MOMENTS

podman_enter rootful "$0"
for scene in ${PODMAN_SCENES:-life contract features network ready sweep \
    trouble volumes run publish}; do
	podman_scene "daemon/$scene"
done
podman_done
