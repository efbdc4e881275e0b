/* SPDX-License-Identifier: ISC */
/* JSON by dotted path, and the times that docker writes. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fake.h"

/* Length of the well formed UTF-8 sequence at s, 0 where it is not one. */
static size_t
utf8_length(const unsigned char *s)
{
	size_t i,
	    len = s[0] < 0x80 ? 1 :
	    s[0] < 0xc2       ? 0 :
	    s[0] < 0xe0       ? 2 :
	    s[0] < 0xf0       ? 3 :
	    s[0] < 0xf5       ? 4 :
				0;

	for (i = 1; i < len; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return len;
}

/* Bytes that are not UTF-8 become U+FFFD, as they do in the daemon. */
json_t *
jstring(const char *s)
{
	json_t *v = json_string(s);
	char *clean, *p;
	size_t len;

	if (v != NULL)
		return v;
	clean = p = xmalloc(strlen(s) * 3 + 1);
	while (*s != '\0') {
		len = utf8_length((const unsigned char *)s);
		if (len == 0) {
			p = stpcpy(p, "\xef\xbf\xbd");
			s++;
		} else {
			p = mempcpy(p, s, len);
			s += len;
		}
	}
	*p = '\0';
	v = json_string(clean);
	free(clean);
	if (v == NULL)
		die("out of memory");
	return v;
}

/* "State.Status" and the like; NULL where a part is missing. */
json_t *
jget(const json_t *doc, const char *path)
{
	char key[128];
	size_t len;

	for (; doc != NULL; path += len + 1) {
		len = strcspn(path, ".");
		if (len >= sizeof(key))
			return NULL;
		memcpy(key, path, len);
		key[len] = '\0';
		doc = json_object_get(doc, key);
		if (path[len] == '\0')
			break;
	}
	return (json_t *)(uintptr_t)doc;
}

const char *
jstr(const json_t *doc, const char *path)
{
	const char *s = json_string_value(jget(doc, path));

	return s == NULL ? "" : s;
}

int64_t
jint(const json_t *doc, const char *path, int64_t fallback)
{
	json_t *v = jget(doc, path);

	return json_is_integer(v) ? json_integer_value(v) : fallback;
}

int
jtrue(const json_t *doc, const char *path)
{
	return json_is_true(jget(doc, path));
}

/* Sets what a path names; the objects on the way are made.  Takes value. */
void
jset(json_t *doc, const char *path, json_t *value)
{
	char key[128];
	size_t len;
	json_t *next;

	for (;; path += len + 1, doc = next) {
		len = strcspn(path, ".");
		if (len >= sizeof(key))
			die("path too long: %s", path);
		memcpy(key, path, len);
		key[len] = '\0';
		if (path[len] == '\0')
			break;
		next = json_object_get(doc, key);
		if (!json_is_object(next)) {
			next = json_object();
			json_object_set_new(doc, key, next);
		}
	}
	if (json_object_set_new(doc, key, value) == -1)
		die("cannot set %s", key);
}

static int
compare_keys(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sets a key of a map and keeps the map in order, as Go prints it. */
void
jset_sorted(json_t *map, const char *key, json_t *value)
{
	json_t *old, *v, *k = jstring(key);
	const char **keys, *name;
	size_t i = 0;

	json_object_set_new(map, json_string_value(k), value);
	json_decref(k);
	old = json_copy(map);
	keys = xmalloc(json_object_size(old) * sizeof(*keys));
	json_object_foreach (old, name, v)
		keys[i++] = name;
	qsort(keys, i, sizeof(*keys), compare_keys);
	json_object_clear(map);
	for (size_t j = 0; j < i; j++)
		json_object_set(map, keys[j], json_object_get(old, keys[j]));
	free(keys);
	json_decref(old);
}

int64_t
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

void
sleep_ms(int64_t ms)
{
	struct timespec ts = { ms / 1000, ms % 1000 * 1000000 };

	while (ms > 0 && nanosleep(&ts, &ts) == -1 && errno == EINTR)
		continue;
}

/* RFC 3339 with as many digits as are not zeros, as Go's RFC3339Nano. */
char *
time_text(int64_t ns, char buf[static 40])
{
	time_t t = (time_t)(ns / 1000000000);
	long frac = (long)(ns % 1000000000);
	struct tm tm;
	size_t len;

	gmtime_r(&t, &tm);
	len = strftime(buf, 40, "%Y-%m-%dT%H:%M:%S", &tm);
	if (frac > 0) {
		len += (size_t)sprintf(buf + len, ".%09ld", frac);
		while (buf[len - 1] == '0')
			len--;
	}
	strcpy(buf + len, "Z");
	return buf;
}

/* Nanoseconds since 1970; INT64_MIN for what is no time. */
int64_t
time_parse(const char *s)
{
	struct tm tm = { 0 };
	int64_t frac = 0, scale = 100000000;
	const char *p = strptime(s, "%Y-%m-%dT%H:%M:%S", &tm);
	time_t t = p == NULL ? 0 : timegm(&tm);

	/* The year 1, which docker writes for never, is out of range too. */
	if (p == NULL || t < -9000000000 || t > 9000000000)
		return INT64_MIN;
	if (*p == '.')
		for (p++; *p >= '0' && *p <= '9'; p++, scale /= 10)
			frac += (*p - '0') * scale;
	return (int64_t)t * 1000000000 + frac;
}
