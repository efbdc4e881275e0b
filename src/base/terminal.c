/* SPDX-License-Identifier: ISC */
/* Terminals. */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/terminal.h"

static const size_t usual_width = 80;

bool
terminal_is(int fd)
{
	const char *name = getenv("TERM");

	return name != NULL && *name != '\0' && strcmp(name, "dumb") != 0 &&
	    isatty(fd);
}

bool
terminal_has_colour(int fd)
{
	const char *forbidden = getenv("NO_COLOR");

	return (forbidden == NULL || *forbidden == '\0') && terminal_is(fd);
}

size_t
terminal_width(int fd)
{
	struct winsize size;

	if (ioctl(fd, TIOCGWINSZ, &size) == -1 || size.ws_col == 0)
		return usual_width;
	return size.ws_col;
}
