/* SPDX-License-Identifier: ISC */
/* Fuzz target: the history, read from its end. */
#include "base/json.h"
#include "fuzz.h"
#include "store/logdir.h"

struct seen {
	const char *text; /* the file's */
	size_t left;      /* lines lie before this */
	size_t lines;
};

/* Each is a line of the file, before the one that was told last. */
static bool
take_line(const char *line, void *arg)
{
	struct seen *seen = arg;
	json_t *doc = json_read(line, strlen(line));

	must(strchr(line, '\n') == NULL);
	must(strlen(line) <= seen->left);
	must(memmem(seen->text, seen->left, line, strlen(line)) != NULL);
	seen->left -= strlen(line);
	json_decref(doc);
	return ++seen->lines < 1000;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = fuzz_file("history.jsonl", data, size);
	struct seen seen = { (const char *)data, size, 0 };
	struct error err = { 0 };

	must(history_read(fuzz_folder, take_line, &seen, &err) == 0);
	must(seen.lines > 0 || size == 0 || data[0] == '\n');
	(void)unlink(path);
	return 0;
}
