/* SPDX-License-Identifier: ISC */
/* A growing string of bytes. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"

void
strbuf_clear(struct strbuf *sb)
{
	free(sb->data);
	memset(sb, 0, sizeof(*sb));
}

void
strbuf_reset(struct strbuf *sb)
{
	sb->len = 0;
	if (sb->data != NULL)
		sb->data[0] = '\0';
}

void
strbuf_reserve(struct strbuf *sb, size_t extra)
{
	size_t cap = sb->cap > 0 ? sb->cap : 64;

	while (cap - sb->len <= extra)
		cap *= 2;
	if (cap == sb->cap)
		return;
	sb->data = xreallocarray(sb->data, cap, 1);
	sb->cap = cap;
}

void
strbuf_add(struct strbuf *sb, const void *data, size_t len)
{
	strbuf_reserve(sb, len);
	if (len > 0)
		memcpy(sb->data + sb->len, data, len);
	sb->len += len;
	sb->data[sb->len] = '\0';
}

void
strbuf_adds(struct strbuf *sb, const char *s)
{
	strbuf_add(sb, s, strlen(s));
}

void
strbuf_addc(struct strbuf *sb, char c)
{
	strbuf_add(sb, &c, 1);
}

void
strbuf_addf(struct strbuf *sb, const char *fmt, ...)
{
	va_list ap, again;
	int len;

	va_start(ap, fmt);
	va_copy(again, ap);
	len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (len > 0) {
		strbuf_reserve(sb, (size_t)len);
		(void)vsnprintf(sb->data + sb->len, (size_t)len + 1, fmt,
		    again);
		sb->len += (size_t)len;
	}
	va_end(again);
}

const char *
strbuf_str(const struct strbuf *sb)
{
	return sb->data != NULL ? sb->data : "";
}

char *
strbuf_detach(struct strbuf *sb)
{
	char *s = sb->data != NULL ? sb->data : xstrdup("");

	memset(sb, 0, sizeof(*sb));
	return s;
}
