/* SPDX-License-Identifier: ISC */
/* What the tests of settings and engines share: loading them from a file. */
#ifndef CONFS_H
#define CONFS_H

#include "base/text.h"
#include "config/settings.h"
#include "scratch.h"

extern char **environ;

/* Settings of the environment that the test itself did not make. */
static inline void
confs_clear_environment(void)
{
	char name[200];
	size_t i = 0, len;

	while (environ[i] != NULL) {
		len = strcspn(environ[i], "=");
		if ((text_has_prefix(environ[i], "SANDKEEPER_") ||
			text_has_prefix(environ[i], "ROBOCO_")) &&
		    len < sizeof(name)) {
			memcpy(name, environ[i], len);
			name[len] = '\0';
			(void)unsetenv(name);
			i = 0;
		} else {
			i++;
		}
	}
}

static inline void
confs_make(void)
{
	scratch_make();
	confs_clear_environment();
}

static inline void
confs_add(Suite *suite, const char *sentence, const TTest *test, size_t count)
{
	unit_add_with(suite, sentence, test, confs_make, scratch_remove, count);
}

/* Load them from that text and those words of --set (may be NULL). */
static inline int
confs_load(struct settings *settings, const char *text,
    const struct strvec *sets, struct error *err)
{
	struct settings_source source = { scratch_path("conf"), sets };

	scratch_write("conf", text);
	memset(err, 0, sizeof(*err));
	return settings_load(settings, &source, err);
}

/* ERROR_SETTINGS, whose message holds each of the parts up to NULL. */
static inline void
confs_refuse(const char *text, const char *const parts[])
{
	struct settings settings;
	struct error err;
	int rc = confs_load(&settings, text, NULL, &err);

	ck_assert_msg(rc == -1, "accepted: %s", text);
	ck_assert_int_eq(err.kind, ERROR_SETTINGS);
	for (; *parts != NULL; parts++)
		ck_assert_msg(strstr(err.msg, *parts) != NULL,
		    "'%s' is not in: %s", *parts, err.msg);
	ck_assert_ptr_null(strchr(err.msg, '\n'));
	ck_assert_ptr_null(settings.docker);
}

#endif
