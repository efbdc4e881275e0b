/* SPDX-License-Identifier: ISC */
/*
 * The name of an entry that is set aside because it cannot be read.  Only
 * store/cache.c includes this; the rest of it is in store/store.h.
 */
#ifndef STORE_DAMAGED_H
#define STORE_DAMAGED_H

/* ".SLUG.corrupt.20261130T150045Z", as of now; the caller frees it. */
char *damaged_name(const char *slug);

#endif
