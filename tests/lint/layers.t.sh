#!/bin/sh
# SPDX-License-Identifier: ISC
# Our sources keep the rules of scripts/check-layers, and the script sees it
# when one does not.
set -eu

top=${TOP_SRCDIR-$(cd "$(dirname "$0")/../.." && pwd)}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
count=0

result() {
	count=$((count + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $count - $2"
	else
		echo "not ok $count - $2"
		sed 's/^/# /' "$dir/out"
	fi
}

# One more source in a tree of one; its lines are the arguments.
tree() {
	file=$1
	shift
	rm -rf "$dir/src"
	mkdir -p "$dir/src/core" "$(dirname "$dir/$file")"
	echo '/* SPDX-License-Identifier: ISC */' >"$dir/src/core/good.c"
	echo '/* SPDX-License-Identifier: ISC */' >"$dir/$file"
	printf '%s\n' "$@" >>"$dir/$file"
	printf '\t%s \\\n' src/core/good.c "$file" >"$dir/src/Makefile.inc"
}

# accepted NAME, refused NAME LINE TEXT: of the tree that was made last.
accepted() {
	status=0
	"$top/scripts/check-layers" "$dir" >"$dir/out" 2>&1 || status=$?
	result "$status" "$1"
}

refused() {
	status=0
	"$top/scripts/check-layers" "$dir" >"$dir/out" 2>&1 || status=$?
	failed=1
	if [ "$status" -eq 1 ] && [ "$(wc -l <"$dir/out")" -eq 1 ] &&
	    grep -qF "$file:$2: $3" "$dir/out"; then
		failed=0
	fi
	result "$failed" "$1"
}

long_function() {
	echo 'void'
	echo 'long_one(int a)'
	echo '{'
	yes '	;' | head -n "$1"
	echo '}'
}

tree src/docker/a.c '#include "base/error.h"' '#include "docker/args.h"' \
    '#include "process/process.h"' '#include <stdio.h>'
accepted 'own and lower layers may be included'
tree src/base/a.c '/* #include "cmd/cmd.h" */' '/*' ' * printf("x");' ' */' \
    'a = "printf( // exit(";' "b = '\"'; /* exit(1) */" \
    '__attribute__((format(printf, 1, 2)));' 'snprintf(a, 1, "x");' \
    'on_exit(a);'
accepted 'comments, strings and longer names are no calls'
tree src/base/a.c '#include "process/process.h"'
refused 'base may not include process' 2 'base includes'
tree src/docker/a.c '' '#include "store/store.h"'
refused 'docker may not include store' 3 'docker includes'
tree src/core/a.h '#  include "cmd/cmd.h"'
refused 'a header of core may not include cmd' 2 'core includes'
tree src/cmd/a.c '#include "cmd.h"'
refused 'an include without its layer is refused' 2 'includes "cmd.h"'
tree src/cmd/list.c '	printf("x");'
refused 'printf outside cmd/output.c is refused' 2 'only cmd/output.c'
tree src/core/a.c '' '	if (fputs("x", stdout) == EOF)'
refused 'stdout outside cmd/output.c is refused' 3 'only cmd/output.c'
tree src/cmd/output.c '	printf("x");'
accepted 'cmd/output.c may print'
tree src/core/a.c '	exit(1);'
refused 'exit below main is refused' 2 'only main.c'
tree src/core/a.c '	errx(1, "x");'
refused 'errx below main is refused' 2 'only main.c'
tree src/main.c '	exit(1);'
accepted 'main.c may exit'
tree src/base/alloc.c '	exit(71);'
accepted 'base/alloc.c may exit'
tree src/main.c '	(void)system("ls");'
refused 'system is refused' 2 'starts a shell'
tree src/base/a.c '	popen("ls", "r");'
refused 'popen is refused' 2 'starts a shell'
tree src/base/a.c 'int a; // no'
refused 'a // comment is refused' 2 'a // comment'
tree src/base/a.c
sed -i 1d "$dir/src/base/a.c"
echo 'int a;' >"$dir/src/base/a.c"
refused 'a file without the licence line is refused' 1 'does not begin'
tree src/base/a.c "$(long_function 57)"
accepted 'a function of 60 lines is accepted'
tree src/base/a.c "$(long_function 58)"
refused 'a function of 61 lines is refused' 3 'long_one has 61 lines'
tree src/base/a.c "$(yes '' | head -n 398; echo 'int a;')"
accepted 'a file of 400 lines is accepted'
tree src/base/a.c "$(yes '' | head -n 399; echo 'int a;')"
refused 'a file of 401 lines is refused' 401 'has 401 lines'
tree src/other/a.c
refused 'a file of no layer is refused' 1 'is in no layer'
tree src/base/a.c
sed -i /good/d "$dir/src/Makefile.inc"
file=src/core/good.c
refused 'a file that is not listed is refused' 1 'is not listed'
tree src/base/a.c
rm "$dir/src/base/a.c"
file=src/Makefile.inc
refused 'a listed file that does not exist is refused' 1 'lists src/base/a.c'

status=0
"$top/scripts/check-layers" "$top" >"$dir/out" 2>&1 || status=$?
result "$status" 'our sources keep the rules'
echo "1..$count"
