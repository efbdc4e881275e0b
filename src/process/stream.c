/* SPDX-License-Identifier: ISC */
/* A child whose lines are read as they come. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "process/child.h"
#include "process/stream.h"

/* An event holds all labels of a container, and one may have 100 kB. */
enum { LINE_MAX_BYTES = 256 * 1024, COMPLAINT_MAX_BYTES = 1024 };
/* A fast writer must not keep us from a signal: so many reads at most. */
enum { READS_AT_ONCE = 16 };

struct stream {
	struct process_spec spec;
	struct process_result result;
	struct child child;
	bool skipping; /* the rest of a line that is too long */
	bool left_out; /* there was one, and nobody has asked yet */
	size_t len;
	char line[LINE_MAX_BYTES];
};

struct stream *
stream_open(const char *path, char *const argv[], char *const envp[],
    int *number)
{
	struct stream *stream = xcalloc(1, sizeof(*stream));

	stream->spec.path = path;
	stream->spec.argv = argv;
	stream->spec.envp = envp;
	stream->spec.output_fd = -1;
	stream->spec.max_output = COMPLAINT_MAX_BYTES;
	/* it ends when it is told to */
	stream->spec.timeout_ms = INT64_MAX / 4;
	if (child_start(&stream->child, &stream->spec, &stream->result) == 0)
		return stream;
	*number = stream->result.spawn_errno;
	free(stream);
	return NULL;
}

size_t
stream_poll(const struct stream *stream, struct pollfd fds[2])
{
	size_t count = 0;
	int i;

	for (i = CHILD_OUT; i <= CHILD_ERR; i++) {
		if (stream->child.pipes[i] == -1)
			continue;
		fds[count].fd = stream->child.pipes[i];
		fds[count].events = POLLIN;
		fds[count++].revents = 0;
	}
	return count;
}

/* Returns the bytes read; 0 for none now, -1 at the end. */
static ssize_t
read_some(struct stream *stream, int which, char *buf, size_t size)
{
	ssize_t n;

	if (stream->child.pipes[which] == -1)
		return -1;
	do
		n = read(stream->child.pipes[which], buf, size);
	while (n == -1 && errno == EINTR);
	if (n == -1 && errno == EAGAIN)
		return 0;
	if (n > 0)
		return n;
	fd_close(stream->child.pipes[which]);
	stream->child.pipes[which] = -1;
	return -1;
}

static void
take_lines(struct stream *stream, void (*fn)(char *, void *), void *arg)
{
	char *start = stream->line, *newline;
	size_t left = stream->len;

	while ((newline = memchr(start, '\n', left)) != NULL) {
		*newline = '\0';
		if (!stream->skipping)
			fn(start, arg);
		stream->skipping = false;
		left -= (size_t)(newline + 1 - start);
		start = newline + 1;
	}
	if (left == sizeof(stream->line)) {
		stream->skipping = true;
		stream->left_out = true;
		left = 0;
	}
	memmove(stream->line, start, left);
	stream->len = left;
}

/* The last bytes alone are kept. */
static void
take_complaint(struct stream *stream)
{
	struct strbuf *err = &stream->result.err;
	char buf[COMPLAINT_MAX_BYTES];
	int reads = READS_AT_ONCE;
	ssize_t n;

	while (reads-- > 0 &&
	    (n = read_some(stream, CHILD_ERR, buf, sizeof(buf))) > 0) {
		strbuf_reset(err);
		strbuf_add(err, buf, (size_t)n);
	}
}

bool
stream_read(struct stream *stream, void (*fn)(char *, void *), void *arg)
{
	int reads = READS_AT_ONCE;
	ssize_t n = 0;

	take_complaint(stream);
	while (reads-- > 0 &&
	    (n = read_some(stream, CHILD_OUT, stream->line + stream->len,
		 sizeof(stream->line) - stream->len)) > 0) {
		stream->len += (size_t)n;
		take_lines(stream, fn, arg);
	}
	if (n >= 0)
		return true;
	/* what it said at its end may have come since */
	take_complaint(stream);
	return false;
}

bool
stream_left_out(struct stream *stream)
{
	bool left_out = stream->left_out;

	stream->left_out = false;
	return left_out;
}

const char *
stream_complaint(const struct stream *stream)
{
	return strbuf_str(&stream->result.err);
}

void
stream_close(struct stream *stream)
{
	if (stream == NULL)
		return;
	if (!child_reap(&stream->child))
		child_kill(&stream->child, PROCESS_STOPPED);
	process_result_clear(&stream->result);
	free(stream);
}
