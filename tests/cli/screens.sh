# shellcheck shell=sh
# SPDX-License-Identifier: ISC
#
# The screens of README: what its sessions print, made anew on the fake docker,
# at a time that stands still for each command.  Sourced after recipes.sh.
#
#   screens TITLE FILE     FILE, which is README or the like, goes to stdout;
#                          what is printed below the commands of the section
#                          is what they print now.  A command below which
#                          nothing is shown stays so.

# The first command is typed at this second, each of the others one later.
screens_began=1796061270

# What a step prints goes to $T/shown.
screens_step()
{
	sed "s,/etc/,$T/etc/,g" "$T/step" >"$T/steps"
	screens_now=$((screens_now + 1))
	TZ=UTC faketime --exclude-monotonic -f \
	    "$(TZ=UTC date -d "@$screens_now" '+%Y-%m-%d %H:%M:%S')" \
	    sh -e "$T/steps" >"$T/shown" 2>&1 </dev/null || {
		echo "screens: this failed:" >&2
		cat "$T/step" "$T/shown" >&2
		return 1
	}
}

# Below the command: anew, unless nothing was shown there; and the blank lines
# that were below it.
screens_put()
{
	if [ -s "$T/was" ]; then
		sed 's/^/    /; s/ *$//' "$T/shown"
	fi
	cat "$T/blank"
	: >"$T/was"
	: >"$T/blank"
}

# screens_line LINE: one line of the file
screens_line()
{
	case $screens_in,$1 in
	yes,'    # '*)
		screens_put
		printf '%s\n' "$1"
		printf '%s\n' "${1#    # }" >"$T/step" ;;
	yes,'    '*)
		case $(tail -n 1 "$T/step") in
		*\\)	printf '%s\n' "$1"
			printf '%s\n' "$1" >>"$T/step" ;;
		*)	cat "$T/blank" >>"$T/was"
			: >"$T/blank"
			printf '%s\n' "$1" >>"$T/was"
			return ;;
		esac ;;
	yes,'')	echo >>"$T/blank"
		return ;;
	*)	screens_put
		printf '%s\n' "$1"
		: >"$T/step"
		return ;;
	esac
	case $(tail -n 1 "$T/step") in
	*\\)	;;
	*)	screens_step ;;
	esac
}

screens()
{
	world
	unset SANDKEEPER_ENABLED
	: >"$T/was"
	: >"$T/blank"
	: >"$T/shown"
	: >"$T/step"
	screens_now=$((screens_began - 1))
	screens_in=no
	while IFS= read -r screens_text; do
		if [ "$screens_text" = "$1" ]; then
			screens_in=yes
		elif [ "$screens_in" = yes ] &&
		    [ "$(wc -l <"$T/blank")" -ge 2 ] &&
		    [ "${screens_text#[! ]}" != "$screens_text" ]; then
			# the next heading, behind two empty lines
			screens_put
			screens_in=no
		fi
		if [ "$screens_in" = yes ]; then
			screens_line "$screens_text" || return
		else
			printf '%s\n' "$screens_text"
		fi
	done <"$2"
}
