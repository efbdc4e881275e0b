/* SPDX-License-Identifier: ISC */
/*
 * A main for fuzz targets where there is no libFuzzer: it runs each file of
 * the target's corpus, or those named on the command line, and says so in TAP.
 * What does not hold ends the program, and with it the test.
 */
#include <dirent.h>

#include "base/strbuf.h"
#include "base/strvec.h"
#include "base/text.h"
#include "fuzz.h"

static const size_t largest_seed = (size_t)1024 * 1024;

/* tests/fuzz/corpus/NAME of tests/fuzz/fuzz-NAME */
static char *
corpus_folder(const char *program)
{
	const char *slash = strrchr(program, '/');
	const char *name = slash != NULL ? slash + 1 : program;
	const char *top = getenv("TOP_SRCDIR");

	if (text_has_prefix(name, "fuzz-"))
		name += strlen("fuzz-");
	return xasprintf("%s/tests/fuzz/corpus/%s", top != NULL ? top : ".",
	    name);
}

static void
list_folder(const char *folder, struct strvec *paths)
{
	DIR *dir = opendir(folder);
	struct dirent *item;

	while (dir != NULL && (item = readdir(dir)) != NULL)
		if (item->d_name[0] != '.')
			strvec_addf(paths, "%s/%s", folder, item->d_name);
	if (dir != NULL)
		(void)closedir(dir);
	strvec_sort(paths);
}

/* A copy of the exact size, so that a sanitizer sees a read beyond it. */
static void
run_text(const struct strbuf *text)
{
	uint8_t *copy = text->len > 0 ? malloc(text->len) : NULL;

	if (copy != NULL)
		memcpy(copy, text->data, text->len);
	(void)LLVMFuzzerTestOneInput(copy, copy != NULL ? text->len : 0);
	free(copy);
}

static bool
run_file(const char *path)
{
	struct strbuf text = { 0 };
	bool is_read = fd_read_file(AT_FDCWD, path, largest_seed, &text) == 0;

	if (is_read)
		run_text(&text);
	strbuf_clear(&text);
	return is_read;
}

int
main(int argc, char *argv[])
{
	struct strvec paths = { 0 };
	struct strbuf nothing = { 0 };
	char *folder = corpus_folder(argv[0]);
	size_t i;
	int k;

	for (k = 1; k < argc; k++)
		strvec_add(&paths, argv[k]);
	if (argc == 1)
		list_folder(folder, &paths);
	(void)printf("TAP version 13\n1..%zu\n", paths.len + 2);
	(void)printf("%sok 1 - there are seeds\n", paths.len > 0 ? "" : "not ");
	run_text(&nothing);
	(void)printf("ok 2 - nothing at all\n");
	for (i = 0; i < paths.len; i++) {
		(void)printf("%sok %zu - %s\n",
		    run_file(paths.items[i]) ? "" : "not ", i + 3,
		    strrchr(paths.items[i], '/') != NULL ?
			strrchr(paths.items[i], '/') + 1 :
			paths.items[i]);
		(void)fflush(stdout);
	}
	strvec_clear(&paths);
	free(folder);
	return 0;
}
