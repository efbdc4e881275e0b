/* SPDX-License-Identifier: ISC */
/*
 * completion - a shell's completion, and what it asks for.
 *
 * The answers come from the tables that the parser reads, so they cannot drift
 * from it, whatever the age of the script that a shell has loaded.
 */
#include <stdlib.h>

#include "base/text.h"
#include "cmd/answer.h"
#include "cmd/cmd.h"
#include "cmd/completion_text.h"
#include "cmd/output.h"

static int
print_script(const char *shell, struct error *err)
{
	const char *const *line = completion_text(shell);
	char *visible;

	for (; line != NULL && *line != NULL; line++)
		output_text("%s", *line);
	if (line != NULL)
		return 0;
	visible = text_visible(shell, 40);
	(void)error_set(err, ERROR_VALUE, "there is no completion for '%s'",
	    visible);
	free(visible);
	return error_hint(err, "there is one for bash, fish and zsh");
}

static int
completion_exec(struct app *app, const struct args *args, struct error *err)
{
	struct typed typed;

	if (args->separator == SIZE_MAX) {
		if (args_expect(args, 1, 1, "the shell (bash, fish or zsh)",
			err) == -1)
			return -1;
		return print_script(args->operands.items[0], err);
	}
	if (args->separator > 0)
		return error_set(err, ERROR_USAGE,
		    "either a shell is named, or words stand behind --");
	/* nobody wants to read of a mistake while a line is typed */
	app->json = false;
	typed_read(&typed, app, &args->operands);
	answer(app, &typed);
	typed_clear(&typed);
	return 0;
}

const struct cmd cmd_completion = {
	.name = "completion",
	.args = "[SHELL] [-- WORD...]",
	.help = "print a shell's completion: bash, fish or zsh",
	.exec = completion_exec,
};
