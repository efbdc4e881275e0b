# shellcheck shell=sh
# SPDX-License-Identifier: ISC
#
# For the tests of run and of what is tied to a process, sourced after
# ensure.sh.
#
#   pg ARG...            run --services postgres ARG...
#   nothing_left         no sandbox container, no entry, no mark, no lock
#   left_nothing DESC    the same, as an assertion that says what is left
#   swept_at_once DESC   one sweep, without --grace, leaves nothing
#   start_pg ARG...      the same in the background (see start)
#   alive PID            is it there, and no zombie?
#   line_in FILE ERE     does a line of it match?

# shellcheck disable=SC2034 # for the tests
POSTGRES=$BOX-pg

pg()
{
	sk run --services postgres "$@"
}

start_pg()
{
	start "$SANDKEEPER" run --services postgres "$@"
}

what_is_left()
{
	fake list -q | grep "^$BOX-"
	find "$T/state/agents" "$T/state/locks" -type f
}

# shellcheck disable=SC2317 # check calls these
{
	nothing_left()
	{
		[ -z "$(what_is_left)" ]
	}

	alive()
	{
		grep -qs '^State:[[:space:]]*[^ZX]' "/proc/$1/status"
	}

	dead()
	{
		! alive "$1"
	}

	line_in()
	{
		grep -Eqs -e "$2" "$1"
	}
}

left_nothing()
{
	is "$(what_is_left)" '' "$1: nothing is left"
}

swept_at_once()
{
	sk sweep
	is "$rc" 0 "$1: the sweep's code"
	is "$(what_is_left)" '' "$1: one sweep takes everything, without a grace"
}
