/* SPDX-License-Identifier: ISC */
/*
 * Functions that no source of ours may call.  The build includes this file
 * ahead of every source, so a call does not compile, and the name in the
 * compiler's message says what to use instead.  The headers that declare the
 * functions come first, because the macros would break their declarations.
 */
#ifndef BASE_BANNED_H
#define BASE_BANNED_H

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Unbounded copies. */
#undef gets
#undef sprintf
#undef strcat
#undef strcpy
#undef strncat
#undef strncpy
#undef vsprintf
#define gets(...) BANNED_gets_use_getline
#define sprintf(...) BANNED_sprintf_use_snprintf
#define strcat(...) BANNED_strcat_use_strlcat
#define strcpy(...) BANNED_strcpy_use_strlcpy
#define strncat(...) BANNED_strncat_use_strlcat
#define strncpy(...) BANNED_strncpy_use_strlcpy
#define vsprintf(...) BANNED_vsprintf_use_vsnprintf

/* Numbers without errors. */
#undef atoi
#undef atol
#define atoi(...) BANNED_atoi_use_strtonum
#define atol(...) BANNED_atol_use_strtonum

/* Hidden static state. */
#undef asctime
#undef ctime
#undef gmtime
#undef localtime
#undef strtok
#define asctime(...) BANNED_asctime_use_strftime
#define ctime(...) BANNED_ctime_use_strftime
#define gmtime(...) BANNED_gmtime_use_gmtime_r
#define localtime(...) BANNED_localtime_use_localtime_r
#define strtok(...) BANNED_strtok_use_strsep

/* Shells, races, and semantics that differ from system to system. */
#undef mktemp
#undef popen
#undef signal
#undef system
#undef tmpnam
#define mktemp(...) BANNED_mktemp_use_mkostemp
#define popen(...) BANNED_popen_use_process_run
#define signal(...) BANNED_signal_use_sigaction
#define system(...) BANNED_system_use_process_run
#define tmpnam(...) BANNED_tmpnam_use_mkostemp

#endif
