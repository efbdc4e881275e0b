# shellcheck shell=sh
# SPDX-License-Identifier: ISC
#
# What README and manual tell to type, taken out of them and run.  Sourced
# after ensure.sh.
#
#   world                     a cold scene; what the recipes call is in
#                             $T/bin, where they run is $T/work, and their
#                             /etc is $T/etc
#   readme_blocks TITLE       the indented blocks of a section of README, into
#   manual_blocks PAGE TITLE  $blocks/NN, with the words before in NN.intro;
#                             the literal blocks of a section of the manual
#   readme_sections           titles of the sections that hold a command
#   kind_of BLOCK             what it is: session, cron, make, gitlab, github,
#                             pytest, conf, stays, sh
#   play BLOCK                runs it as what it is
#   session BLOCK             its "# " lines, one by one, in one world; their
#                             output is to be as it is shown
#   has_run                   a command found its sandbox alive

README=$TOP_SRCDIR/README
blocks=$(mktemp -d)

# --- a world

tool()
{
	{
		printf '#!/bin/sh\n'
		cat
	} >"$T/bin/$1"
	chmod +x "$T/bin/$1"
}

# The variables are those of a sandbox that lives at this moment.
fill_bin()
{
	tool sandkeeper <<-'END'
		conf=$T/etc/sandkeeper/sandkeeper.conf
		[ ! -e "$conf" ] || set -- -c "$conf" "$@"
		exec "$SANDKEEPER" "$@"
	END
	tool docker <<-'END'
		exec "$FAKE_DOCKER" "$@"
	END
	tool psql <<-'END'
		set -eu
		: "${PGPASSWORD:?}" "${PGUSER:?}" "${PGDATABASE:?}"
		case $PGHOST in
		127.0.0.1) what={{.Ports}} where="$PGHOST:$PGPORT->5432/tcp" ;;
		*)	what={{.Names}} where=$PGHOST ;;
		esac
		"$FAKE_DOCKER" ps --format "$what" | grep -Fqx -e "$where"
		echo "psql $*" >>"$T/ran"
	END
	tool pytest <<-'END'
		exec psql from pytest
	END
	tool systemctl <<-'END'
		set -eu
		[ "$1 $2" = 'enable --now' ]
		[ -f "$T/etc/systemd/system/$3" ]
	END
}

fill_work()
{
	printf 'test nightly:\n\tpsql from make\n' >"$T/work/Makefile"
	printf '#!/bin/sh\nexec psql from run-tests\n' >"$T/work/run-tests"
	chmod +x "$T/work/run-tests"
	echo 'CREATE TABLE x ();' >"$T/work/schema.sql"
	ln -s "$TOP_SRCDIR/dist" "$T/work/dist"
	cp "$T/work/Makefile" "$HOME/"
}

world()
{
	cold
	fake image my-agent '{"exec":[{"when":"psql","out":"sandbox\n"}]}'
	fake image postgres:13-alpine '{"ports":["5432/tcp"]}'
	fake image axllent/mailpit:v1.20 '{"ports":["1025/tcp"]}'
	mkdir "$T/bin" "$T/work" "$T/etc" "$T/etc/cron.d"
	mkdir -p "$T/etc/systemd/system"
	fill_bin
	fill_work
	PATH=$T/bin:$plain_path
	cd "$T/work"
}
plain_path=$PATH

has_run()
{
	[ -s "$T/ran" ]
}

# --- taking out

# A heading stands behind two empty lines.
readme_section()
{
	awk -v title="$1" '
	    empty >= 2 && /^[^ ]/ { on = $0 == title; empty = 0; next }
	    { empty = $0 == "" ? empty + 1 : 0 }
	    on' "$README"
}

readme_sections()
{
	awk 'empty >= 2 && /^[^ ]/ { title = $0 }
	    { empty = $0 == "" ? empty + 1 : 0 }
	    /^    (# |\.\/|.*sandkeeper (ensure|run|sweep))/ { print title }' \
	    "$README" | uniq
}

# Blocks of stdin, each behind "    "; a block may hold empty lines.
readme_blocks()
{
	rm -f "$blocks"/*
	readme_section "$1" | awk -v dir="$blocks" '
	    function close_block() {
		if (block != "") {
			name = sprintf("%s/%02d", dir, ++count)
			printf "%s", block >name
			close(name)
			print intro >(name ".intro")
			close(name ".intro")
		}
		block = gap = ""
	    }
	    /^    / { block = block gap substr($0, 5) "\n"; gap = ""; next }
	    /^$/ { gap = gap "\n"; if (block == "") fresh = 1; next }
	    { close_block(); intro = fresh ? $0 : intro " " $0; fresh = 0 }
	    END { close_block() }'
}

manual_blocks()
{
	rm -f "$blocks"/*
	awk -v title=".Sh $2" -v dir="$blocks" '
	    /^\.Sh / { on = $0 == title }
	    !on { next }
	    /^\.Ed/ { inside = 0; close(name) }
	    inside { gsub(/\\e/, "\\"); gsub(/\\\(dq/, "\""); print >name }
	    /^\.Bd -literal/ {
		inside = 1
		name = sprintf("%s/%02d", dir, ++count)
		print "" >(name ".intro")
	    }' "$TOP_SRCDIR/man/$1"
}

kind_of()
{
	case $(cat "$1.intro") in
	Makefile*)	echo make; return ;;
	.gitlab-ci.yml*) echo gitlab; return ;;
	.github/*)	echo github; return ;;
	conftest.py*)	echo pytest; return ;;
	esac
	case $(grep -v '^#[^ ]*$' "$1" | grep . | head -n 1) in
	'# '*)		echo session ;;
	[*0-9]*' '*)	echo cron ;;
	'engine "'* | 'project "'* | *' = '*) echo conf ;;
	*'sandkeeper watch'*) echo stays ;;
	*)		echo sh ;;
	esac
}

# --- running

# A python that knows pytest and YAML, which need not be the first one.
find_python()
{
	for python in python3 /usr/bin/python3; do
		"$python" -c 'import pytest, yaml' 2>/dev/null && return
	done
	python=/nowhere/python3-with-pytest-and-yaml
}
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE

# The steps of a workflow, each for a shell of its own.
read_workflow()
{
	"$python" -c 'if True:
	    import re, shlex, sys, yaml
	    for job in yaml.safe_load(open(sys.argv[1]))["jobs"].values():
	        for name, value in job.get("env", {}).items():
	            value = re.sub(r"\${{ *github\.\w+ *}}", "17", value)
	            print(f"export {name}={shlex.quote(value)}")
	        for step in job["steps"]:
	            if "run" in step:
	                print("sh -ec", shlex.quote(step["run"]))
	' "$1"
}

read_pipeline()
{
	"$python" -c 'if True:
	    import sys, yaml
	    for job in yaml.safe_load(open(sys.argv[1])).values():
	        print("\n".join(job["script"]))
	' "$1"
}

play_pytest()
{
	cp "$1" conftest.py
	printf 'import os\ndef test(postgres):\n    %s\n    %s\n' \
	    'assert postgres["port"] == int(os.environ["PGPORT"])' \
	    'assert os.system("psql from python") == 0' >test_it.py
	run "$python" -m pytest -q -p no:cacheprovider
}

# What is behind the five times and the user.
play_cron()
{
	sed -n 's/^[*0-9][^ ]*  *[^ ]*  *[^ ]*  *[^ ]*  *[^ ]*  *[a-z]*  *//p' \
	    "$1" | sed 's,/usr/local/bin/sandkeeper,sandkeeper,g' >steps
	run sh -e steps
}

# Until it is at work, and then its end.
play_stays()
{
	start sh -ec "exec $(cat "$1")"
	wait_for test -s "$T/state/watch.lock" && wait_for asked_twice
	kill -s TERM "$pid"
	finish
}

# Its first sweep is over: it has asked docker for more than events.
asked_twice()
{
	[ "$(calls | grep -c '^ps ')" -ge 1 ]
}

play()
{
	case $(kind_of "$1") in
	make)
		cp "$1" Makefile
		run sh -ec make ;;
	gitlab)
		read_pipeline "$1" >steps
		run sh -e steps ;;
	github)
		read_workflow "$1" >steps
		run sh -e steps ;;
	pytest)	play_pytest "$1" ;;
	cron)	play_cron "$1" ;;
	conf)
		mkdir -p "$T/etc/sandkeeper"
		cat "$1" >>"$T/etc/sandkeeper/sandkeeper.conf"
		run sh -ec 'sandkeeper services' ;;
	stays)	play_stays "$1" ;;
	*)	run sh -e "$1" ;;
	esac
}

# --- sessions

# "# " begins a command, "\" continues it; the rest is what it prints.
split_session()
{
	rm -rf "$T/session"
	mkdir "$T/session"
	awk -v dir="$T/session" '
	    /^# / {
		name = sprintf("%s/%02d", dir, ++count)
		printf "" >(name ".want")
		$0 = substr($0, 3)
		command = 1
	    }
	    command { print >name; command = /\\$/; next }
	    $0 != "" { print >(name ".want") }' "$1"
}

# Times, ages and ids differ; so does the order in which docker lists.
normal()
{
	sed -E -e 's/[0-9]{4}-[0-9-]+T[0-9:]+Z/TIME/g' \
	    -e 's/\b[0-9]+s\b/AGE/g' -e 's/ +/ /g' -e '/^ ?$/d' "$1" |
	    LC_ALL=C sort
}

session()
{
	split_session "$1"
	for step in "$T"/session/[0-9][0-9]; do
		shown=$(tr -d '\\\n' <"$step" | tr -s ' \t' ' ')
		sed "s,/etc/,$T/etc/,g" "$step" >steps
		case $shown in
		*' --drain')	# it asks, on a terminal
			echo yes >answer
			stdin=answer
			run script -qec 'sh -e steps' /dev/null
			stdin=/dev/null ;;
		*)	run sh -e steps ;;
		esac
		is "$rc" 0 "$shown"
		cat "$out_file" "$err_file" >both
		[ ! -s "$step.want" ] ||
		    is "$(normal both)" "$(normal "$step.want")" \
			"$shown: it prints what is shown"
	done
}
