/* SPDX-License-Identifier: ISC */
/*
 * help - what the program or one command takes.
 *
 * Everything is printed from the tables, so it cannot drift from the parser.
 */
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "cmd/cmd.h"
#include "cmd/output.h"

static void
print_options(const struct option_spec *table)
{
	const char *argument;
	char left[64], letter[8];

	for (; table != NULL && table->name != NULL; table++) {
		argument = table->argument != NULL ? table->argument : "";
		(void)snprintf(letter, sizeof(letter), "-%c, ", table->id);
		(void)snprintf(left, sizeof(left), "%s--%s%s%s",
		    table->id <= OPTION_LETTER_MAX ? letter : "    ",
		    table->name,
		    *argument != '\0' && *argument != '[' ? " " : "", argument);
		output_text("  %-26s %s\n", left, table->help);
	}
}

static void
print_program(void)
{
	size_t i;

	output_text("usage: sandkeeper [options] COMMAND [options] "
		    "[arguments]\n\nThrowaway service sandboxes for agent and "
		    "CI "
		    "containers.\n\ncommands:\n");
	for (i = 0; cmd_table[i] != NULL; i++)
		output_text("  %-26s %s\n", cmd_table[i]->name,
		    cmd_table[i]->help);
	output_text("\noptions, before or after the command:\n");
	print_options(global_options);
	output_text("\n'sandkeeper help COMMAND' tells more; the manual is "
		    "sandkeeper(8).\n");
}

int
cmd_print_help(const struct cmd *cmd, struct error *err)
{
	if (cmd == NULL) {
		print_program();
		return output_finish(err);
	}
	output_text("usage: sandkeeper %s%s%s%s\n\n%s\n", cmd->name,
	    cmd->options != NULL ? " [options]" : "",
	    *cmd->args != '\0' ? " " : "", cmd->args, cmd->help);
	if (cmd->options != NULL) {
		output_text("\noptions:\n");
		print_options(cmd->options);
	}
	return output_finish(err);
}

const struct cmd *
cmd_find(const char *name, struct error *err)
{
	struct strvec names = { 0 };
	const char *nearest;
	size_t i;

	for (i = 0; cmd_table[i] != NULL; i++) {
		if (strcmp(cmd_table[i]->name, name) == 0) {
			strvec_clear(&names);
			return cmd_table[i];
		}
		strvec_add(&names, cmd_table[i]->name);
	}
	nearest = suggest_nearest(name, &names);
	(void)error_set(err, ERROR_USAGE, "there is no command '%s'", name);
	if (nearest != NULL)
		(void)error_hint(err, "did you mean '%s'?", nearest);
	else
		(void)error_hint(err, "'sandkeeper help' lists them");
	strvec_clear(&names);
	return NULL;
}

static int
help_exec(struct app *app, const struct args *args, struct error *err)
{
	const struct cmd *cmd = NULL;

	(void)app;
	if (args_expect(args, 0, 1, "", err) == -1)
		return -1;
	if (args->operands.len == 1) {
		cmd = cmd_find(args->operands.items[0], err);
		if (cmd == NULL)
			return -1;
	}
	return cmd_print_help(cmd, err);
}

const struct cmd cmd_help = {
	.name = "help",
	.args = "[COMMAND]",
	.help = "show what the program or a command takes",
	.exec = help_exec,
};
