/* SPDX-License-Identifier: ISC */
/*
 * The docker client that called us as its plugin.  A signal that asks it to
 * end it does not pass on: it closes a socket, and waits for us to end.
 */
#ifndef PROCESS_CALLER_H
#define PROCESS_CALLER_H

/*
 * From now on the caller's end, or its wish that we end, is a SIGTERM to us.
 * The address is what it says in a variable; NULL, and a socket that cannot be
 * reached, are an older client, which passes signals on.
 */
void caller_heed(const char *address);

#endif
