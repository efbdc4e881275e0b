/* SPDX-License-Identifier: ISC */
/* Addresses of Unix sockets as variables tell them: a path, or "@NAME". */
#ifndef BASE_UNIXADDR_H
#define BASE_UNIXADDR_H

#include <sys/socket.h>
#include <sys/un.h>

/* -1 where the text, which may be NULL, is neither, or too long. */
int unixaddr_parse(const char *text, struct sockaddr_un *, socklen_t *len);

#endif
