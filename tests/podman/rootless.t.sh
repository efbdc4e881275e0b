#!/bin/sh
# SPDX-License-Identifier: ISC
#
# The scenes of the tier daemon in which it matters who calls podman, as an
# ordinary user; the others are played by root.
set -eu

TESTS_LIB=${TESTS_LIB:-$(cd "$(dirname "$0")/../lib" && pwd)}
# shellcheck source=tests/lib/podman.sh
. "$TESTS_LIB/podman.sh"

podman_enter rootless "$0"
for scene in ${PODMAN_SCENES:-life contract features network}; do
	podman_scene "daemon/$scene"
done
podman_done
