# shellcheck shell=sh
# SPDX-License-Identifier: ISC
#
# The commands of the fault tier, each in a world that holds more than it has to
# do with: living agents, another keeper's, strangers, orphans of every sort.
# Sourced after tap.sh.
#
#   fault_setup              the folders
#   budget SMALL CHECK MOST  of how many cells one is run: in make check, in
#                            scripts/check and in make stress (FAULT_BUDGET)
#   fault_commands           the names of all commands
#   template NAME            makes the template of one, its path $template
#   each MODE RULES NAME...  the driver over each template, an assertion each

# shellcheck source=tests/cli/scene.sh
. "$TESTS_LIB/../cli/scene.sh"
# shellcheck source=tests/cli/ensure.sh
. "$TESTS_LIB/../cli/ensure.sh"

: "${FAULT_DRIVER:?is to be the path of fault-driver}"

fault_home=

# Where there is a file system in memory: it is written to a lot.
fault_setup()
{
	if [ -z "${TMPDIR:-}" ] && [ -d /dev/shm ] && [ -w /dev/shm ]; then
		TMPDIR=/dev/shm
		export TMPDIR
	fi
	fault_home=$(mktemp -d "${TMPDIR:-/tmp}/sandkeeper-fault.XXXXXX")
	mkdir "$fault_home/cells" "$fault_home/templates"
	FAULT_WORK=$fault_home/cells
	export FAULT_WORK
	# a wait for readiness that hangs has the engine's own limit
	mkdir "$fault_home/engines"
	for name in "$ENGINES_DIR"/*.conf; do
		sed 's/^  ready-timeout = .*/  ready-timeout = "1s"/' "$name" \
		    >"$fault_home/engines/${name##*/}"
	done
	ENGINES_DIR=$fault_home/engines
	trap fault_leave EXIT
}

# The exit trap, around that of tap.sh, which looks at the status.
fault_leave()
{
	fault_status=$?
	set +e
	[ "${KEEP:-}" = 1 ] || rm -rf "$fault_home"
	(exit "$fault_status")
	tap_leave
}

rule()
{
	printf '%s\n' "$@" >>"$T/rules"
}

# A sandbox that belongs to nothing but a lease.
leased()
{
	fake container "$BOX-redis-$1" --id "$(id_of "$BOX-redis-$1")" \
	    --created "$OLD" --label roboco.sandbox=1 \
	    --label "sandkeeper.keeper=$KEEPER" \
	    --label "sandkeeper.agent=$1" --label sandkeeper.service=redis \
	    --label sandkeeper.owner=none --label "sandkeeper.expires=$2" \
	    --label sandkeeper.version=1 >/dev/null
	entry "$1" owner=none "expires=$2" redis
}

# One whose owner is a process: real labels come from a real run.
of_processes()
{
	sk ensure living --services mongo --owner "pid:$$" --ttl 1d
	# shellcheck disable=SC2154 # sk sets them
	[ "$rc" = 0 ] || { note "$err"; return 1; }
	# shellcheck disable=SC2016 # the inner shell's parent
	sk run killed --services mongo -- sh -c 'kill -9 $PPID'
	[ "$rc" = 137 ] || { note "$rc: $err"; return 1; }
}

# Everything that no command here has anything to do with, but for the sweep.
others()
{
	cold
	rm "$T/fake/images/redis:8-alpine"
	fake remote redis:8-alpine '{"ports":["6379/tcp"],"volumes":1}'
	owner living-on
	sandbox living-on pg
	sandbox living-on redis
	entry living-on pg redis
	owner sleeping --state paused
	sandbox sleeping pg
	entry sleeping pg
	unkept sleeping mongo
	foreign other pg
	fake container "$BOX-pg-stranger" >/dev/null
	fake container copy-of-one --label roboco.sandbox=1 \
	    --label "roboco.sandbox.owner=$AGENT-gone" --created "$OLD" \
	    >/dev/null
	fake container web --network team >/dev/null
	sandbox held pg
	entry held hold=$(($(now) + 864000)) pg
	leased leased $(($(now) + 864000))
	of_processes
	for name in "$BOX-pg-living-on" "$BOX-redis-living-on" \
	    "$BOX-pg-sleeping" "$BOX-mongo-sleeping" "$BOX-pg-other" \
	    "$BOX-pg-stranger" "$BOX-pg-held" "$BOX-redis-leased" \
	    "$BOX-mongo-living" copy-of-one web "$AGENT-living-on"; do
		rule "stay=$name"
	done
}

# What a sweep takes, each for another reason; and what is too young for it.
orphans()
{
	sandbox gone pg
	sandbox gone redis --volumes 1
	entry gone pg redis
	owner ended --state exited --finished "$OLD"
	sandbox ended pg --state exited --exit 137 --finished "$OLD" \
	    --logs 'the end'
	entry ended pg
	unkept vanished redis
	leased over $(($(now) - 100))
	owner late
	sandbox late pg
	owner half
	sandbox half pg --state created
	entry half state=provisioning pg id=
	owner young --state exited
	sandbox young pg --created "$(ago 1)"
	entry young created="$(now)" handed="$(now)" pg
	sandbox marked pg
	owner marked
	entry marked pg
	: >"$T/state/agents/.marked.release"
}

orphan_names="$BOX-pg-gone $BOX-redis-gone $BOX-pg-ended $BOX-redis-vanished
    $BOX-redis-over $BOX-pg-late $BOX-pg-half $BOX-pg-marked
    $BOX-mongo-killed"

# The agent whose turn it is.
target()
{
	owner t
	sandbox t pg
	sandbox t redis --volumes 1
	entry t pg redis
	rule kind="$1" slug=t "owner=$AGENT-t"
}

# targets: its containers may be removed
targets()
{
	for name in "$BOX-pg-t" "$BOX-redis-t" "$@"; do
		rule "may=$name"
	done
}

argv()
{
	for word in "$@"; do
		rule "argv=$word"
	done
}

short_timeouts()
{
	for name in INSPECT PS RUN EXEC RM PULL LOGS INIT; do
		rule "hang=SANDKEEPER_TIMEOUTS_$name=1s"
	done
}

ensure_of()
{
	rule kind=ensure slug=t "owner=$AGENT-t" wanted=postgres
	argv -q ensure t --services "$@"
}

# Each makes one world and its rules.

make_cold()
{
	owner t
	ensure_of postgres,redis
	rule wanted=redis
}

# Every exec there is, and leftovers in the way.
make_full()
{
	owner t
	sandbox t pg --state exited --exit 1
	fake image roboco-sandbox-pg:latest \
	    '{"ports":["5432/tcp"],"exec":[{"when":"psql","out":"vector\n"}]}'
	echo 'select 1;' >"$fault_home/init.sql"
	ensure_of postgres --feature postgres:vector --into /run/env \
	    --init "postgres=$fault_home/init.sql"
	targets
}

make_dies()
{
	owner t
	fake image postgres:16-alpine '{"ports":["5432/tcp"],"run":"dies",
	    "exit":3,"dies_after_ms":60,"ready_after_ms":2000,"logs":"boom"}'
	ensure_of postgres
	rule code=75
}

# docker run fails behind the creation: everything of the undoing.
make_undo()
{
	owner t
	fake image postgres:16-alpine '{"ports":["5432/tcp"],
	    "run":"fails-start"}'
	ensure_of postgres,redis
	rule code=75
	fake image postgres:mended '{"ports":["5432/tcp"],"volumes":1}'
	rule next=--image next=postgres=postgres:mended
}

make_hit()
{
	target ensure
	rule wanted=postgres wanted=redis
	argv -q ensure t --services postgres,redis
}

make_paused()
{
	make_hit
	fake set "$BOX-pg-t" status=paused
}

# The owner was respawned: a hit that writes.
make_respawned()
{
	make_hit
	sed -i 's/^owner-id=.*/owner-id=0/' "$T/state/agents/t"
}

make_extend()
{
	owner t
	sandbox t pg
	entry t pg
	ensure_of redis
	rule wanted=redis
}

make_replace()
{
	target ensure
	rule wanted=postgres wanted=redis "may=$BOX-redis-t"
	fake set "$BOX-redis-t" status=exited exit=137
	argv -q ensure t --services postgres
}

# A release that nobody has carried out comes first.
make_marked()
{
	target ensure
	targets
	rule wanted=postgres
	: >"$T/state/agents/.t.release"
	argv -q ensure t --services postgres
}

make_release()
{
	target release
	targets
	argv -q release t
}

make_stop()
{
	make_release
	fake set "$BOX-pg-t" status=exited exit=137
	rule set=SANDKEEPER_STOP_TIMEOUT=1s
}

make_remove()
{
	target remove
	fake set "$AGENT-t" logs=last
	targets "$AGENT-t"
	argv -q remove --stop 1s "$AGENT-t"
}

swept()
{
	orphans
	target sweep
	for name in $orphan_names; do
		rule "may=$name"
	done
	rule "ageless=$BOX-pg-marked"
	rule set=SANDKEEPER_GRACE=50m set=SANDKEEPER_OWNER_GRACE=0
}

make_sweep()
{
	swept
	argv -q sweep
}

make_strict()
{
	swept
	rule set=SANDKEEPER_STOP_TIMEOUT=1s
	argv -q sweep --strict
}

make_list()
{
	orphans
	target look
	argv list --json
}

make_why()
{
	orphans
	target look
	argv why t
}

make_doctor()
{
	orphans
	target doctor
	argv doctor --json
}

make_run()
{
	rule kind=run slug=r
	argv -q run r --services postgres -- true
}

make_renew()
{
	leased t $(($(now) + 1000))
	rule kind=change slug=t "stay=$BOX-redis-t"
	rule wanted=redis next=--owner next=none next=--ttl next=10d
	argv -q renew t --ttl 10d
}

make_hold()
{
	target change
	rule "stay=$BOX-pg-t" "stay=$BOX-redis-t"
	argv -q hold t --for 10d
}

# The very first on its machine: not even a state directory.
make_first()
{
	rm -r "$T/state"
	owner t
	ensure_of postgres
}

# shellcheck disable=SC2034 # the tests use it
fault_commands='cold full dies undo hit paused respawned extend replace marked
    release stop remove sweep strict list why doctor run renew hold first'

# template NAME
template()
{
	template=$fault_home/templates/$1
	[ ! -d "$template" ] || return 0
	fixture
	: >"$T/rules"
	if [ "$1" = first ]; then
		cold
	else
		others
	fi
	"make_$1"
	short_timeouts
	fake reset-calls
	rm -f "$T/out" "$T/err"
	cp -a "$T" "$template"
}

# budget SMALL CHECK MOST
budget()
{
	case ${FAULT_BUDGET:-small} in
	small)	FAULT_STRIDE=$1 ;;
	check)	FAULT_STRIDE=$2 ;;
	stress)	FAULT_STRIDE=$3 ;;
	*)	FAULT_STRIDE=$FAULT_BUDGET ;;
	esac
	export FAULT_STRIDE
}

# each MODE RULES NAME...
each()
{
	each_mode=$1
	each_rules=$2
	each_templates=
	each_sum=0
	each_broken=0
	shift 2
	for each_name in "$@"; do
		template "$each_name"
		each_templates="$each_templates $template"
	done
	each_rc=0
	# shellcheck disable=SC2086 # words
	"$FAULT_DRIVER" "$each_mode" $each_templates \
	    >"$fault_home/report" 2>&1 || each_rc=$?
	grep -v '^= ' "$fault_home/report" | head -c 20000 |
	    awk '{ print "# " $0 }'
	check "$each_mode: the driver ends" test "$each_rc" -le 1
	for each_name in "$@"; do
		each_line=$(sed -n "s/^= $each_name //p" "$fault_home/report")
		: "${each_line:=0 -}"
		each_sum=$((each_sum + ${each_line% *}))
		[ "${each_line#* }" = - ] ||
		    each_broken=$((each_broken + ${each_line#* }))
		is "${each_line#* }" 0 "$each_rules: $each_mode: $each_name: \
${each_line% *} cells, no violation"
	done
	case $each_mode in
	matrix)	count "$each_sum" 'cells of the matrix' ;;
	crash)	count "$each_sum" 'crash points' ;;
	signal)	count "$each_sum" 'signals at docker calls' ;;
	disk)	count "$each_sum" 'disk faults' ;;
	esac
	count "$each_broken" violations
}
