/* SPDX-License-Identifier: ISC */
/*
 * Commands.
 *
 * To add one: write src/cmd/NAME.c with its option table, its function and its
 * const struct cmd; declare that here; list it in the table in main.c; write
 * its section in man/sandkeeper.8; add tests/cli/NAME.t.sh.
 */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include "cmd/app.h"
#include "cmd/args.h"

struct cmd {
	const char *name;
	const char *args; /* "AGENT..." */
	const char *help; /* one line */
	const struct option_spec *options;
	int failure_code; /* of any failure of its own; 0: by its kind */
	int (*exec)(struct app *, const struct args *, struct error *);
};

extern const struct cmd cmd_completion;
extern const struct cmd cmd_connect;
extern const struct cmd cmd_doctor;
extern const struct cmd cmd_ensure;
extern const struct cmd cmd_env;
extern const struct cmd cmd_help;
extern const struct cmd cmd_hold;
extern const struct cmd cmd_list;
extern const struct cmd cmd_pull;
extern const struct cmd cmd_release;
extern const struct cmd cmd_remove;
extern const struct cmd cmd_renew;
extern const struct cmd cmd_run;
extern const struct cmd cmd_services;
extern const struct cmd cmd_sweep;
extern const struct cmd cmd_watch;
extern const struct cmd cmd_why;

/* The table in main.c, sorted by name, ended by NULL. */
extern const struct cmd *const cmd_table[];
extern const struct option_spec global_options[];

/* NULL with ERROR_USAGE and what was meant. */
const struct cmd *cmd_find(const char *name, struct error *);
/* Print the help of one command, or of the program. */
int cmd_print_help(const struct cmd *, struct error *);

#endif
