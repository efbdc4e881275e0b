/* SPDX-License-Identifier: ISC */
/*
 * A growing string of bytes.  A zeroed struct is an empty buffer; data is
 * NUL-terminated whenever it is not NULL.
 */
#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H

#include <stddef.h>

struct strbuf {
	char *data;
	size_t len;
	size_t cap;
};

/* Free what it holds and leave it empty and reusable. */
void strbuf_clear(struct strbuf *);
/* Forget the contents, keep the memory. */
void strbuf_reset(struct strbuf *);
/* Make room for extra more bytes and the NUL. */
void strbuf_reserve(struct strbuf *, size_t extra);

void strbuf_add(struct strbuf *, const void *, size_t len);
void strbuf_adds(struct strbuf *, const char *);
void strbuf_addc(struct strbuf *, char);
void strbuf_addf(struct strbuf *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* The contents as a string, never NULL; borrowed until the next change. */
const char *strbuf_str(const struct strbuf *);
/* Hand the string over; the caller frees it.  Never NULL. */
char *strbuf_detach(struct strbuf *);

#endif
