/* SPDX-License-Identifier: ISC */
/* What the shells are told: each asks "sandkeeper completion -- WORD...". */
#ifndef CMD_COMPLETION_TEXT_H
#define CMD_COMPLETION_TEXT_H

/* The lines, ended by NULL; NULL for a shell that we do not know. */
const char *const *completion_text(const char *shell);

#endif
