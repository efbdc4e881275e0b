# shellcheck shell=sh
# SPDX-License-Identifier: ISC
#
# No-ops beside /bin/true: wall time, instructions, system calls, page faults.

instructions()
{
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 \
	    >/dev/null </dev/null | sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

system_calls()
{
	strace -o "$work/strace" "$@" >/dev/null 2>&1 </dev/null || :
	grep -c '(' "$work/strace"
}

# noop CASE LIMIT ARG...
noop()
{
	noop_case=$1 noop_limit=$2
	shift 2
	pair noop "$noop_case" 0 -m -n "$((rounds * 10))" -k "limit=$noop_limit" \
	    -k "calls=$(calls_of "$@")" -A "sandkeeper $*" -B /bin/true \
	    "$SANDKEEPER $*" /bin/true
	figure noop "$noop_case" 0 instructions \
	    "$(instructions "$SANDKEEPER" "$@")" limit_value=600000
	figure noop "$noop_case" 0 'system calls' \
	    "$(system_calls "$SANDKEEPER" "$@")"
}

section_noop()
{
	no_daemon
	noop 'release of nothing' 1.5 release nobody
	SANDKEEPER_ENABLED=false
	noop 'sweep, switched off' 1.5 sweep
	SANDKEEPER_ENABLED=true
	an_entry one
	noop env 1.5 env one
	figure noop /bin/true 0 instructions "$(instructions /bin/true)"
	figure noop /bin/true 0 'system calls' "$(system_calls /bin/true)"
	rm -rf "$SANDKEEPER_STATE_DIR"
}
