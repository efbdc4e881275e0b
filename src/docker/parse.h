/* SPDX-License-Identifier: ISC */
/*
 * Reading what docker printed: pure functions, strict.  Each line must be one
 * JSON object of the form that docker/args.c asked for, and the last one must
 * end in a newline: half an answer is no answer.  They return 0, or -1 with
 * ERROR_DOCKER and the list as it was.
 */
#ifndef DOCKER_PARSE_H
#define DOCKER_PARSE_H

#include "base/error.h"
#include "base/strbuf.h"
#include "docker/container.h"

int parse_list(const struct strbuf *, struct container_list *, struct error *);
/* Blank lines are docker's word for "nothing found", and are passed over. */
int parse_inspect(const struct strbuf *, struct container_list *,
    struct error *);
/* The id that "docker run -d" prints; false where there is none. */
bool parse_id(const char *output, char id[65]);

#endif
