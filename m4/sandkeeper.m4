dnl Flags of the compiler and the linker, each probed before it is used.

dnl SK_ARG_ENABLE(NAME, HELP): --enable-NAME, off unless it is given.
AC_DEFUN([SK_ARG_ENABLE], [
AC_ARG_ENABLE([$1], [AS_HELP_STRING([--enable-$1], [$2])],
    [], [AS_VAR_SET([enable_$1], [no])])
])

dnl SK_PROBE(VARIABLE, FLAG, COMPILE|LINK): append FLAG where it gives no
dnl warning with the flags that the user chose.
AC_DEFUN([SK_PROBE], [
AS_VAR_PUSHDEF([sk_cache], [sk_cv_$3_$2])dnl
AC_CACHE_CHECK([whether $CC accepts $2], [sk_cache], [
    sk_save_CFLAGS=$CFLAGS
    CFLAGS="$CFLAGS -Werror $2"
    AC_$3_IFELSE([AC_LANG_PROGRAM([[#include <stdio.h>]],
            [[return (puts("") == EOF);]])],
        [AS_VAR_SET([sk_cache], [yes])],
        [AS_VAR_SET([sk_cache], [no])])
    CFLAGS=$sk_save_CFLAGS])
AS_VAR_IF([sk_cache], [yes], [AS_VAR_APPEND([$1], [" $2"])])
AS_VAR_POPDEF([sk_cache])dnl
])

dnl SK_PROBE_EACH(VARIABLE, FLAGS): flags of the compiler without commas.
AC_DEFUN([SK_PROBE_EACH],
    [m4_foreach_w([sk_flag], [$2], [SK_PROBE([$1], sk_flag, [COMPILE])])])

AC_DEFUN([SK_WARNINGS], [
AC_SUBST([WARN_CFLAGS])
SK_PROBE_EACH([WARN_CFLAGS], [
    -Wall
    -Wextra
    -Wpedantic
    -Wshadow
    -Wstrict-prototypes
    -Wold-style-definition
    -Wmissing-prototypes
    -Wmissing-declarations
    -Wwrite-strings
    -Wpointer-arith
    -Wcast-qual
    -Wcast-align
    -Wformat=2
    -Wundef
    -Wvla
    -Walloca
    -Wnull-dereference
    -Wduplicated-cond
    -Wduplicated-branches
    -Wlogical-op
    -Wimplicit-fallthrough
    -Wswitch-enum
    -Wconversion
    -Wno-sign-conversion
])
])

AC_DEFUN([SK_HARDENING], [
AC_SUBST([HARDEN_CPPFLAGS])
AC_SUBST([HARDEN_CFLAGS])
AC_SUBST([HARDEN_LDFLAGS])
SK_PROBE_EACH([HARDEN_CFLAGS], [
    -fstack-protector-strong
    -fstack-clash-protection
    -fcf-protection=full
    -fno-common
])
SK_PROBE([HARDEN_CFLAGS], [-fPIE], [COMPILE])
AS_CASE([$HARDEN_CFLAGS],
    [*-fPIE*], [SK_PROBE([HARDEN_LDFLAGS], [-pie], [LINK])])
SK_PROBE([HARDEN_LDFLAGS], [-Wl,-z,relro,-z,now,-z,noexecstack], [LINK])
SK_PROBE([HARDEN_LDFLAGS], [-Wl,--as-needed], [LINK])
dnl The sanitizers have their own checks; without optimization the C library
dnl warns, so the probe fails; a level that the user chose is left alone.
AS_CASE(["$enable_sanitizers $CPPFLAGS $CFLAGS"],
    [yes*|*_FORTIFY_SOURCE*], [],
    [SK_PROBE([HARDEN_CPPFLAGS], [-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3],
        [COMPILE])
     AS_IF([test -z "$HARDEN_CPPFLAGS"],
        [SK_PROBE([HARDEN_CPPFLAGS],
            [-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2], [COMPILE])])])
])

dnl What the program is linked with.  Most of the time that it takes to do
dnl nothing goes into the loader: libbsd, which is small, is taken from its
dnl archive where there is one, and the C library, which has most of the
dnl symbols, is searched first.
AC_DEFUN([SK_PROGRAM_LIBS], [
AC_SUBST([PROGRAM_LIBS])
AC_SUBST([PROGRAM_LDFLAGS])
sk_archive='-Wl,-Bstatic -lbsd -lmd -Wl,-Bdynamic'
AC_CACHE_CHECK([whether libbsd has an archive], [sk_cv_libbsd_archive], [
    sk_save_LIBS=$LIBS
    LIBS="$sk_archive $LIBS"
    AC_LINK_IFELSE([AC_LANG_PROGRAM([[extern int closefrom(int);]],
            [[return closefrom(3);]])],
        [sk_cv_libbsd_archive=yes], [sk_cv_libbsd_archive=no])
    LIBS=$sk_save_LIBS])
AS_IF([test "x$enable_static" = xyes], [
    PROGRAM_LIBS=`$PKG_CONFIG --static --libs \
        libconfuse jansson libbsd-overlay` ||
        AC_MSG_ERROR([pkg-config knows no static libraries])
    SK_PROBE([PROGRAM_LDFLAGS], [-static-pie], [LINK])
    AS_IF([test -z "$PROGRAM_LDFLAGS"], [PROGRAM_LDFLAGS=-static])],
    [test "x$enable_sanitizers$sk_cv_libbsd_archive" = xnoyes],
    [PROGRAM_LIBS="-lc $CONFUSE_LIBS $JANSSON_LIBS $sk_archive"],
    [PROGRAM_LIBS="$CONFUSE_LIBS $JANSSON_LIBS $LIBBSD_LIBS"])
])

dnl With gcc the runtime of UBSan obeys its log_path only where it is static.
AC_DEFUN([SK_INSTRUMENTATION], [
AC_SUBST([INSTRUMENT_CFLAGS])
AC_SUBST([INSTRUMENT_LDFLAGS])
AS_IF([test "x$enable_sanitizers" = xyes], [
    SK_PROBE([INSTRUMENT_CFLAGS],
        [-fsanitize=address,undefined -fno-sanitize-recover=all], [LINK])
    AS_IF([test -z "$INSTRUMENT_CFLAGS"],
        [AC_MSG_ERROR([this compiler cannot link with ASan and UBSan])])
    SK_PROBE([INSTRUMENT_LDFLAGS],
        [-fsanitize=address,undefined -static-libasan -static-libubsan],
        [LINK])
    AS_VAR_APPEND([INSTRUMENT_CFLAGS], [" -fno-omit-frame-pointer"])])
AS_IF([test "x$enable_coverage" = xyes],
    [SK_PROBE([INSTRUMENT_CFLAGS], [--coverage], [LINK])])
AS_IF([test "x$enable_fuzzing" = xyes], [
    SK_PROBE([INSTRUMENT_CFLAGS], [-fsanitize=fuzzer-no-link], [COMPILE])
    AS_CASE([$INSTRUMENT_CFLAGS], [*fuzzer-no-link*], [],
        [AC_MSG_ERROR([--enable-fuzzing needs clang: configure CC=clang])])])
])
