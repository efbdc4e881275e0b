/* SPDX-License-Identifier: ISC */
/* The error object. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

void
error_clear(struct error *err)
{
	memset(err, 0, sizeof(*err));
}

/* Foreign text may be in it, an argument above all. */
static void
make_plain(char *s)
{
	for (; *s != '\0'; s++)
		if (iscntrl((unsigned char)*s))
			*s = '?';
}

static void set_message(struct error *, enum error_kind, int, const char *,
    va_list) __attribute__((format(printf, 4, 0)));

static void
set_message(struct error *err, enum error_kind kind, int sys, const char *fmt,
    va_list ap)
{
	error_clear(err);
	err->kind = kind;
	err->sys = sys;
	(void)vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	make_plain(err->msg);
}

int
error_set(struct error *err, enum error_kind kind, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set_message(err, kind, 0, fmt, ap);
	va_end(ap);
	return -1;
}

int
error_errno(struct error *err, enum error_kind kind, const char *fmt, ...)
{
	int sys = errno;
	va_list ap;
	size_t len;

	va_start(ap, fmt);
	set_message(err, kind, sys, fmt, ap);
	va_end(ap);
	len = strlen(err->msg);
	(void)snprintf(err->msg + len, sizeof(err->msg) - len, ": %s",
	    strerror(sys));
	return -1;
}

int
error_wrap(struct error *err, const char *fmt, ...)
{
	char old[sizeof(err->msg)];
	va_list ap;
	size_t len;

	memcpy(old, err->msg, sizeof(old));
	va_start(ap, fmt);
	(void)vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	va_end(ap);
	len = strlen(err->msg);
	(void)snprintf(err->msg + len, sizeof(err->msg) - len, ": %s", old);
	make_plain(err->msg);
	return -1;
}

int
error_hint(struct error *err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(err->hint, sizeof(err->hint), fmt, ap);
	va_end(ap);
	make_plain(err->hint);
	return -1;
}

int
error_about(struct error *err, const char *agent, const char *service)
{
	if (agent != NULL)
		(void)snprintf(err->agent, sizeof(err->agent), "%s", agent);
	if (service != NULL)
		(void)snprintf(err->service, sizeof(err->service), "%s",
		    service);
	return -1;
}

void
error_keep_first(struct error *first, const struct error *next)
{
	if (first->kind == ERROR_NONE)
		*first = *next;
}
