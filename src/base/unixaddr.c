/* SPDX-License-Identifier: ISC */
/* Addresses of Unix sockets. */
#include <stddef.h>
#include <string.h>

#include "base/unixaddr.h"

int
unixaddr_parse(const char *text, struct sockaddr_un *address, socklen_t *len)
{
	size_t size;

	if (text == NULL || (*text != '/' && *text != '@'))
		return -1;
	size = strlen(text);
	if (size >= sizeof(address->sun_path))
		return -1;
	memset(address, 0, sizeof(*address));
	address->sun_family = AF_UNIX;
	memcpy(address->sun_path, text, size);
	if (*text == '@')
		address->sun_path[0] = '\0';
	*len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + size);
	return 0;
}
