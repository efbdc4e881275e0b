/* SPDX-License-Identifier: ISC */
/* Making foreign text safe to show, and small questions about text. */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <vis.h>

#include "base/alloc.h"
#include "base/strvec.h"
#include "base/text.h"

static const char blanks[] = " \t\r\n";

static void
trim(const char **start, size_t *len)
{
	while (*len > 0 && strchr(blanks, **start) != NULL) {
		(*start)++;
		(*len)--;
	}
	while (*len > 0 && strchr(blanks, (*start)[*len - 1]) != NULL)
		(*len)--;
}

static char *
visible_part(const char *start, size_t len, size_t max)
{
	char *part, *visible;

	trim(&start, &len);
	/* one byte more than fits: a cut must be seen to be shown */
	part = xstrndup(start, len <= max ? len : max + 1);
	/* no slash of its own: a message may hold what is visible already */
	visible = xstravis(part,
	    VIS_CSTYLE | VIS_NL | VIS_TAB | VIS_OCTAL | VIS_NOSLASH);
	free(part);
	if (strlen(visible) > max && max > 3)
		(void)strlcpy(visible + max - 3, "...", 4);
	return visible;
}

bool
text_is_plain(const char *s)
{
	for (; *s != '\0'; s++)
		if (*s < ' ' || *s > '~')
			return false;
	return true;
}

char *
text_visible(const char *s, size_t max)
{
	return visible_part(s, strlen(s), max);
}

char *
text_telling_line(const char *s, size_t max)
{
	struct strvec lines = { 0 };
	const char *line;
	char *visible;
	size_t i;

	strvec_split(&lines, s, '\n');
	line = lines.len > 0 ? lines.items[0] : "";
	for (i = 0; i < lines.len; i++)
		if (strcasestr(lines.items[i], "error") != NULL ||
		    strcasestr(lines.items[i], "fatal") != NULL) {
			line = lines.items[i];
			break;
		}
	visible = text_visible(line, max);
	strvec_clear(&lines);
	return visible;
}

char *
text_last_line(const char *s, size_t max)
{
	size_t len = strlen(s);
	const char *newline;

	trim(&s, &len);
	newline = memrchr(s, '\n', len);
	if (newline != NULL) {
		len -= (size_t)(newline + 1 - s);
		s = newline + 1;
	}
	return visible_part(s, len, max);
}

void
text_tail(struct strbuf *out, const char *text, size_t lines, size_t max)
{
	size_t len = strlen(text), start, seen = 0;

	while (len > 0 && text[len - 1] == '\n')
		len--;
	for (start = len; start > 0 && len - start < max; start--)
		if (text[start - 1] == '\n' && ++seen >= lines)
			break;
	strbuf_add(out, text + start, len - start);
}

void
text_mask(struct strbuf *sb, const char *secret)
{
	struct strbuf masked = { 0 };
	const char *from = strbuf_str(sb), *end = from + sb->len, *hit;
	size_t len = strlen(secret);

	/* not strstr(3): a log may hold NUL bytes */
	if (len == 0 || memmem(from, sb->len, secret, len) == NULL)
		return;
	while ((hit = memmem(from, (size_t)(end - from), secret, len)) !=
	    NULL) {
		strbuf_add(&masked, from, (size_t)(hit - from));
		strbuf_adds(&masked, "********");
		from = hit + len;
	}
	strbuf_add(&masked, from, (size_t)(end - from));
	strbuf_clear(sb);
	*sb = masked;
}

bool
text_has_prefix(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

bool
text_has_suffix(const char *s, const char *suffix)
{
	size_t len = strlen(s), want = strlen(suffix);

	return len >= want && strcmp(s + len - want, suffix) == 0;
}

bool
text_only(const char *s, const char *set)
{
	return *s != '\0' && s[strspn(s, set)] == '\0';
}

bool
text_address(const char *text, char buf[ADDRESS_TEXT])
{
	unsigned char address[16];
	char inner[ADDRESS_TEXT];
	size_t len = strlen(text);
	int family;

	if (len > 2 && *text == '[' && text[len - 1] == ']') {
		text++;
		len -= 2;
	}
	if (len >= sizeof(inner))
		return false;
	memcpy(inner, text, len);
	inner[len] = '\0';
	family = strchr(inner, ':') != NULL ? AF_INET6 : AF_INET;
	return inet_pton(family, inner, address) == 1 &&
	    inet_ntop(family, address, buf, ADDRESS_TEXT) != NULL;
}

void
text_random_hex(char *buf, size_t count)
{
	static const char hex[] = "0123456789abcdef";
	unsigned char byte;
	size_t i;

	for (i = 0; i + 1 < count; i += 2) {
		arc4random_buf(&byte, sizeof(byte));
		buf[i] = hex[byte >> 4];
		buf[i + 1] = hex[byte & 15];
	}
	buf[count] = '\0';
}

#define WORD_MAX 64

static size_t
smallest(size_t a, size_t b, size_t c)
{
	size_t least = a < b ? a : b;

	return least < c ? least : c;
}

/* Damerau and Levenshtein's distance, of neighbours swapped once. */
size_t
text_distance(const char *a, const char *b)
{
	size_t rows[3][WORD_MAX + 1], n = strlen(a), m = strlen(b), i, j;
	size_t *row, *above, *second;

	if (n > WORD_MAX || m > WORD_MAX)
		return WORD_MAX;
	for (j = 0; j <= m; j++)
		rows[0][j] = j;
	for (i = 1; i <= n; i++) {
		row = rows[i % 3];
		above = rows[(i + 2) % 3];
		second = rows[(i + 1) % 3];
		row[0] = i;
		for (j = 1; j <= m; j++) {
			row[j] = smallest(above[j] + 1, row[j - 1] + 1,
			    above[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1] && second[j - 2] + 1 < row[j])
				row[j] = second[j - 2] + 1;
		}
	}
	return rows[n % 3][m];
}
