/* SPDX-License-Identifier: ISC */
/* The docker client that called us. */
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "base/unixaddr.h"
#include "process/caller.h"

/*
 * The kernel makes a signal of the hangup, so whoever waits for signals hears
 * of it, and nobody has to wait for one descriptor more.
 */
void
caller_heed(const char *address)
{
	struct sockaddr_un where;
	socklen_t len;
	int fd;

	if (unixaddr_parse(address, &where, &len) == -1)
		return;
	/* a caller that is too busy to accept is not waited for */
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd == -1)
		return;
	/* it stays open until we end */
	if (connect(fd, (const struct sockaddr *)&where, len) == -1 ||
	    fcntl(fd, F_SETOWN, getpid()) == -1 ||
	    fcntl(fd, F_SETSIG, SIGTERM) == -1 ||
	    fcntl(fd, F_SETFL, O_ASYNC) == -1)
		(void)close(fd);
}
