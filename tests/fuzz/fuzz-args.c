/* SPDX-License-Identifier: ISC */
/*
 * Fuzz target: command lines.  Input: a byte for the command, then its words,
 * each ended by a NUL.
 */
#include "cmd/cmd.h"
#include "cmd/wanted.h"
#include "fuzz.h"

/* main.c's, which has a main of its own. */
const struct cmd *const cmd_table[] = { &cmd_connect, &cmd_ensure, &cmd_env,
	&cmd_hold, &cmd_list, &cmd_release, &cmd_remove, &cmd_renew, &cmd_run,
	&cmd_services, &cmd_sweep, &cmd_why, NULL };
const struct option_spec global_options[] = {
	{ 'c', "config", "FILE", "" },
	{ 256, "set", "KEY=VALUE", "" },
	{ 'q', "quiet", NULL, "" },
	{ 'v', "verbose", NULL, "" },
	{ 0, NULL, NULL, NULL },
};

/* Every word is an operand, an option, an option's value, or "--". */
static void
must_be_whole(const struct args *args, int argc)
{
	size_t i, words = args->operands.len;

	for (i = 0; i < args->option_count; i++) {
		must(args->options[i].spec != NULL);
		must(args_has(args, args->options[i].spec->id));
		if (args->options[i].spec->argument == NULL)
			must(args->options[i].value == NULL);
		else if (args->options[i].spec->argument[0] != '[')
			must(args->options[i].value != NULL);
	}
	must(words <= (size_t)argc);
	must(args->separator == SIZE_MAX || args->separator <= words);
}

static void
read_wanted(const struct args *args)
{
	struct ensure_request request = { 0 };
	struct error err = { 0 };

	if (wanted_read(args, &request, &err) == -1) {
		must_tell(&err);
		must(err.kind == ERROR_USAGE || err.kind == ERROR_VALUE);
	} else {
		must(request.services.len > 0 || request.project != NULL);
	}
	ensure_request_clear(&request);
}

static void
parse(const struct cmd *cmd, int argc, char *const argv[])
{
	struct args args = { 0 };
	struct error err = { 0 };
	int next = -1;

	if (args_parse(&args, argc, argv, cmd->options, global_options, false,
		&next, &err) == -1) {
		must_tell(&err);
		must(err.kind == ERROR_USAGE);
	} else {
		must(next == argc);
		must_be_whole(&args, argc);
		if (cmd == &cmd_ensure || cmd == &cmd_run)
			read_wanted(&args);
	}
	args_clear(&args);
	error_clear(&err);
	if (args_parse(&args, argc, argv, NULL, global_options, true, &next,
		&err) == 0)
		must(next >= 0 && next <= argc && args.operands.len == 0);
	args_clear(&args);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const size_t commands = sizeof(cmd_table) / sizeof(cmd_table[0]) - 1;
	struct input input = { data, size };
	const struct cmd *cmd = cmd_table[input_byte(&input) % commands];
	struct strvec words = { 0 };
	struct error err = { 0 };
	char *word;

	while (input.left > 0) {
		word = input_string(&input);
		strvec_add(&words, word);
		free(word);
	}
	if (words.len > 0 && cmd_find(words.items[0], &err) == NULL)
		must_tell(&err);
	parse(cmd, (int)words.len, words.items);
	strvec_clear(&words);
	return 0;
}
