/* SPDX-License-Identifier: ISC */
/* A command line that is being typed. */
#include <string.h>

#include "base/text.h"
#include "cmd/typed.h"

/* Where the state, the settings and docker are, is not for us to guess. */
static void
take_option(struct app *app, const struct option_spec *spec, const char *value)
{
	if (spec->id == 'c' && strcmp(spec->name, "config") == 0)
		app->config = value;
	else if (strcmp(spec->name, "docker") == 0)
		app->docker_program = value;
	else if (strcmp(spec->name, "context") == 0)
		app->context = value;
	else if (strcmp(spec->name, "state-dir") == 0)
		app->state_dir_option = value;
	else if (strcmp(spec->name, "set") == 0)
		strvec_add(&app->sets, value);
}

/* An option that is typed; *option is set where the next word is its value. */
static void
read_option(struct typed *typed, struct app *app, const char *word)
{
	const struct option_spec *own =
	    typed->cmd != NULL ? typed->cmd->options : NULL;
	const struct option_spec *spec;
	const char *value;

	spec = args_option_of(word, own, global_options, &value);
	if (spec != NULL && value != NULL)
		take_option(app, spec, value);
	else if (spec != NULL && args_wants_word(spec))
		typed->option = spec;
}

static void
read_word(struct typed *typed, struct app *app, const char *word, size_t index)
{
	struct error ignored;

	if (typed->option != NULL) {
		take_option(app, typed->option, word);
		typed->option = NULL;
	} else if (strcmp(word, "--") == 0 && typed->own == 0) {
		typed->own = index;
	} else if (typed->own == 0 && word[0] == '-' && word[1] != '\0') {
		read_option(typed, app, word);
	} else if (typed->cmd == NULL) {
		typed->cmd = cmd_find(word, &ignored);
		typed->unknown |= typed->cmd == NULL;
	} else if (typed->own == 0) {
		strvec_add(&typed->before, word);
	}
}

/* "--services=re": the value is what is completed. */
static void
read_last(struct typed *typed, const char *word)
{
	const struct option_spec *own =
	    typed->cmd != NULL ? typed->cmd->options : NULL;
	const char *value;

	typed->last = typed->head = word;
	if (typed->option != NULL || typed->own > 0 ||
	    !text_has_prefix(word, "--") || strchr(word, '=') == NULL)
		return;
	typed->option = args_option_of(word, own, global_options, &value);
	if (typed->option == NULL || value == NULL) {
		typed->option = NULL;
		typed->unknown = true;
		return;
	}
	typed->head_len = (size_t)(value - word);
	typed->last = value;
}

void
typed_read(struct typed *typed, struct app *app, const struct strvec *words)
{
	size_t i;

	memset(typed, 0, sizeof(*typed));
	typed->last = typed->head = "";
	for (i = 1; i + 1 < words->len; i++)
		read_word(typed, app, words->items[i], i);
	if (words->len > 1)
		read_last(typed, words->items[words->len - 1]);
}

void
typed_clear(struct typed *typed)
{
	strvec_clear(&typed->before);
}

/* Copy a word of the table without "[", "]" and "..."; is it repeated? */
static bool
copy_word(char *word, size_t size, const char *from, size_t len)
{
	size_t i, used = 0;
	bool repeated = false;

	for (i = 0; i < len; i++)
		if (from[i] == '.')
			repeated = true;
		else if (from[i] != '[' && from[i] != ']' && used + 1 < size)
			word[used++] = from[i];
	word[used] = '\0';
	return repeated;
}

bool
typed_operand(const struct typed *typed, char *word, size_t size)
{
	const char *at = typed->cmd->args;
	size_t left = typed->before.len, len;
	bool behind = typed->own > 0, repeated;

	for (; *at != '\0'; at += len, at += *at == ' ') {
		len = strcspn(at, " ");
		repeated = copy_word(word, size, at, len);
		if (strcmp(word, "--") == 0) {
			if (!behind)
				return true;
			/* what follows is one command line */
			behind = false;
			left = 0;
			continue;
		}
		if (!behind && (left == 0 || repeated))
			return *at == '[';
		if (left > 0)
			left--;
	}
	*word = '\0';
	return false;
}
