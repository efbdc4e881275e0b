/* SPDX-License-Identifier: ISC */
/*
 * Printing a sandbox's credentials in the forms that callers want: what ensure
 * and env have in common.
 */
#ifndef CMD_HANDED_H
#define CMD_HANDED_H

#include "cmd/app.h"
#include "cmd/args.h"

enum handed_form {
	HANDED_SUMMARY,
	HANDED_SHELL,
	HANDED_DOTENV,
	HANDED_DOCKER_ARGS,
	HANDED_JSON
};

/* The options that choose the form; ids from 512. */
enum { OPT_FORM_ENV = 512, OPT_FORM_DOTENV, OPT_FORM_DOCKER_ARGS };
#define HANDED_OPTIONS                                                     \
	{ OPT_FORM_ENV, "env", NULL, "print export lines for a shell" },   \
	    { OPT_FORM_DOTENV, "dotenv", NULL, "print NAME=VALUE lines" }, \
	{                                                                  \
		OPT_FORM_DOCKER_ARGS, "docker-args", NULL,                 \
		    "print -e NAME=VALUE words for docker run"             \
	}

/* ERROR_USAGE where two forms are asked for. */
int handed_form(const struct app *, const struct args *,
    enum handed_form otherwise, enum handed_form *, struct error *);

/* shown: the services to print; made: those that are new. */
void handed_print(const struct app *, enum handed_form,
    const struct agent_entry *, const struct strvec *shown,
    const struct strvec *made);

#endif
