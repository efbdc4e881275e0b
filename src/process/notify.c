/* SPDX-License-Identifier: ISC */
/* Telling the service manager how we are. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/unixaddr.h"
#include "process/notify.h"

static void
send_text(const char *text)
{
	struct sockaddr_un address;
	socklen_t len;
	int fd;

	if (unixaddr_parse(getenv("NOTIFY_SOCKET"), &address, &len) == -1)
		return;
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd == -1)
		return;
	(void)sendto(fd, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT,
	    (const struct sockaddr *)&address, len);
	(void)close(fd);
}

void
notify_ready(void)
{
	send_text("READY=1");
}

void
notify_reloading(void)
{
	struct timespec now;
	char text[80];

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	(void)snprintf(text, sizeof(text), "RELOADING=1\nMONOTONIC_USEC=%lld",
	    (long long)now.tv_sec * 1000000 + now.tv_nsec / 1000);
	send_text(text);
}

void
notify_stopping(void)
{
	send_text("STOPPING=1");
}

void
notify_status(const char *fmt, ...)
{
	char status[200], text[220];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(status, sizeof(status), fmt, ap);
	va_end(ap);
	(void)snprintf(text, sizeof(text), "STATUS=%s", status);
	send_text(text);
}

void
notify_watchdog(void)
{
	send_text("WATCHDOG=1");
}

int64_t
notify_watchdog_ms(void)
{
	const char *usec = getenv("WATCHDOG_USEC");
	const char *pid = getenv("WATCHDOG_PID"), *problem;
	int64_t n;

	if (usec == NULL)
		return 0;
	/* meant for another process of the service */
	if (pid != NULL && strtonum(pid, 1, INT32_MAX, &problem) != getpid())
		return 0;
	n = strtonum(usec, 1, INT64_MAX, &problem);
	if (problem != NULL)
		return 0;
	/* twice within the time, as sd_watchdog_enabled(3) advises */
	return n / 2000 > 0 ? n / 2000 : 1;
}
