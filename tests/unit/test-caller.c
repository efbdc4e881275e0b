/* SPDX-License-Identifier: ISC */
/* process/caller and base/unixaddr: the docker client that called us. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/unixaddr.h"
#include "process/caller.h"
#include "unit.h"

static const char *const no_addresses[] = { NULL, "", "relative", "unix:/x" };

START_TEST(refuses)
{
	struct sockaddr_un address;
	socklen_t len;

	ck_assert_int_eq(unixaddr_parse(no_addresses[_i], &address, &len), -1);
}
END_TEST

START_TEST(bounds)
{
	struct sockaddr_un address;
	char text[sizeof(address.sun_path) + 1];
	socklen_t len;

	memset(text, '/', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	ck_assert_int_eq(unixaddr_parse(text, &address, &len), -1);
	text[sizeof(text) - 2] = '\0';
	ck_assert_int_eq(unixaddr_parse(text, &address, &len), 0);
	ck_assert_uint_eq(len, sizeof(address) - 1);
	ck_assert_int_eq(unixaddr_parse("@ab", &address, &len), 0);
	ck_assert_int_eq(memcmp(address.sun_path, "\0ab", 3), 0);
}
END_TEST

static volatile sig_atomic_t seen;

static void
note(int number)
{
	seen = number;
}

static void
catch_term(void)
{
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_handler = note;
	ck_assert_int_eq(sigaction(SIGTERM, &action, NULL), 0);
}

/* A socket that listens at a name of our own; the name goes to text. */
static int
listen_at(char text[64])
{
	struct sockaddr_un address;
	socklen_t len;
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	(void)snprintf(text, 64, "@sandkeeper-test-%d", (int)getpid());
	ck_assert_int_eq(unixaddr_parse(text, &address, &len), 0);
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&address, len), 0);
	ck_assert_int_eq(listen(fd, 1), 0);
	return fd;
}

START_TEST(hangup)
{
	char text[64];
	int fd = listen_at(text), client;

	catch_term();
	caller_heed(text);
	client = accept(fd, NULL, NULL);
	ck_assert_int_ne(client, -1);
	ck_assert_int_eq(seen, 0);
	(void)close(client);
	ck_assert_int_eq(seen, SIGTERM);
	(void)close(fd);
}
END_TEST

START_TEST(nobody)
{
	catch_term();
	caller_heed(NULL);
	caller_heed("@sandkeeper-test-nobody-listens");
	ck_assert_int_eq(seen, 0);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("caller");

	unit_add_each(suite, "what is no address", refuses, ROWS(no_addresses));
	unit_add(suite, "an address fits, or is refused", bounds);
	unit_add(suite, "the caller's hangup is a SIGTERM, its start none",
	    hangup);
	unit_add(suite, "without a socket there is no caller", nobody);
	return suite;
}

UNIT_MAIN(make_suite)
