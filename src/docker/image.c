/* SPDX-License-Identifier: ISC */
/* docker image inspect, docker pull. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "docker/args.h"
#include "docker/call.h"
#include "docker/fault.h"

/* Is it named there as a whole?  "pg:1" is no word of "pg:1-alpine". */
static bool
names_image(const char *line, const char *image)
{
	static const char inside[] = "abcdefghijklmnopqrstuvwxyz"
				     "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				     "_.-/@:";
	size_t len = strlen(image);
	const char *hit, *rest;

	for (hit = line; (hit = strstr(hit, image)) != NULL; hit++) {
		rest = hit + len;
		/* "no such image: X: No such image: X:latest" */
		rest += *rest == ':' && (rest[1] == ' ' || rest[1] == '\0');
		if ((hit == line || strchr(inside, hit[-1]) == NULL) &&
		    (*rest == '\0' || strchr(inside, *rest) == NULL))
			return true;
	}
	return false;
}

/* Does a line of stderr that tells of a missing image name this one? */
static bool
told_missing(const char *text, const char *image)
{
	const char *end;
	char *line;
	bool says = false;

	for (; *text != '\0' && !says; text = *end != '\0' ? end + 1 : end) {
		end = strchrnul(text, '\n');
		line = xstrndup(text, (size_t)(end - text));
		says = fault_kind(line) == ERROR_IMAGE_MISSING &&
		    names_image(line, image);
		free(line);
	}
	return says;
}

int
docker_images_missing(struct docker *docker, const struct strvec *images,
    struct strvec *missing, struct error *err)
{
	struct docker_call call;
	size_t i, before = missing->len;
	int rc;

	call_init(&call, docker, docker->timeouts.inspect);
	args_image_inspect(&call.argv, images);
	call_make(docker, &call);
	rc = call_check(&call, err);
	if (rc == -1 && err->kind == ERROR_IMAGE_MISSING) {
		for (i = 0; i < images->len; i++)
			if (told_missing(strbuf_str(&call.result.err),
				images->items[i]))
				strvec_add(missing, images->items[i]);
		if (missing->len > before)
			rc = 0;
	}
	call_clear(&call);
	return rc;
}

static int
pull_error(const struct docker_call *call, const char *image, struct error *err)
{
	(void)fault_error("pull", &call->result, err);
	if (err->kind == ERROR_DOCKER || err->kind == ERROR_IMAGE_MISSING ||
	    err->kind == ERROR_GONE || err->kind == ERROR_TIMEOUT)
		err->kind = ERROR_IMAGE_PULL;
	if (err->kind == ERROR_IMAGE_PULL)
		(void)error_hint(err,
		    "check the image's name and the "
		    "registry, log in, or load it with 'docker load'; then "
		    "try 'docker pull %s'",
		    image);
	return error_wrap(err, "pull %s", image);
}

int
docker_pull(struct docker *docker, const struct strvec *images,
    struct error *err)
{
	struct docker_call *calls = xcalloc(images->len, sizeof(*calls));
	size_t i;
	int rc = 0;

	for (i = 0; i < images->len; i++) {
		call_init(&calls[i], docker, docker->timeouts.pull);
		args_pull(&calls[i].argv, images->items[i]);
	}
	call_make_many(docker, calls, images->len, images->len);
	for (i = 0; i < images->len; i++) {
		if (rc == 0 && !call_succeeded(&calls[i]))
			rc = pull_error(&calls[i], images->items[i], err);
		call_clear(&calls[i]);
	}
	free(calls);
	return rc;
}
