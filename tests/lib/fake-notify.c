/* SPDX-License-Identifier: ISC */
/* fake-notify SOCKET: a service manager, as sd_notify(3) talks to it. */

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include <stdio.h>
#include <string.h>

#include "fake.h"

/* Prints each message as a line, until the state directory goes. */
int
helper_notify(int argc, char *argv[])
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct timeval wait = { 0, 200000 };
	char text[2048], *newline;
	ssize_t len;
	int fd;

	if (argc != 2 || strlen(argv[1]) >= sizeof(address.sun_path))
		return scene_complain("usage: fake-notify SOCKET");
	strcpy(address.sun_path, argv[1]);
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd == -1 ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait)) ==
		-1 ||
	    bind(fd, (struct sockaddr *)&address, sizeof(address)) == -1)
		return scene_complain("fake-notify: no socket");
	state_unlock();
	while (!state_gone()) {
		len = recv(fd, text, sizeof(text) - 1, 0);
		if (len <= 0)
			continue;
		text[len] = '\0';
		while ((newline = strchr(text, '\n')) != NULL)
			*newline = ' ';
		printf("%s\n", text);
		fflush(stdout);
	}
	state_lock();
	return 0;
}
