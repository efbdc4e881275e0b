/* SPDX-License-Identifier: ISC */
/*
 * pair - two commands by turns, and what each of them costs
 *
 * usage: pair [-1mv] [-n rounds] [-p prepare] [-a prepare-a] [-b prepare-b]
 *	    [-A name-a] [-B name-b] [-k key=value] ... command-a command-b
 *
 * Each round runs a and b once, the first round a first, the next b first, for
 * the one that comes second may be the better for it.  One run of each before
 * them is not counted; -1 leaves it out, where each run is dear.  Before a run
 *its preparations are made, -p and then -a or -b; they are not counted either.
 *A command that fails ends it all.
 *
 * Commands are split at blanks and started directly, so that no shell is in the
 * figures, but for those that hold a character which only a shell understands.
 * Their output goes nowhere; -v shows what they say on stderr.
 *
 * Prints one line of JSON: the keys of -k, and of a and b the wall time in
 * milliseconds (median, min, max), the most memory and the minor page faults of
 * the command and its children (medians, by wait4), and with -m own_kb, the
 * most memory of the command alone, of one run more.  ratio is a's median by
 * b's; ratio_low and ratio_high are the quartiles of the rounds' own ratios.
 */
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "pair.h"

struct run {
	double ms;
	struct rusage usage;
};

static bool verbose;
static const char *keys[MOST_KEYS];
static size_t key_count;

static bool
needs_shell(const char *text)
{
	size_t word = strcspn(text, " ");

	return strpbrk(text, "|&;<>()$`\\\"'*?[]{}~#!\t\n") != NULL ||
	    memchr(text, '=', word) != NULL;
}

static char *
copy(const char *text)
{
	char *copied = strdup(text);

	if (copied == NULL)
		err(1, NULL);
	return copied;
}

static void
split(struct command *command)
{
	char *text, *word;
	size_t n = 0;

	if (needs_shell(command->text)) {
		command->words[0] = copy("/bin/sh");
		command->words[1] = copy("-c");
		command->words[2] = copy(command->text);
		return;
	}
	text = copy(command->text);
	while ((word = strsep(&text, " ")) != NULL) {
		if (*word == '\0')
			continue;
		if (n == MOST_WORDS)
			errx(64, "too many words: %s", command->text);
		command->words[n++] = word;
	}
	if (n == 0)
		errx(64, "an empty command");
}

static double
now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void
must_have_succeeded(const char *text, int status)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return;
	if (WIFSIGNALED(status))
		errx(1, "signal %d ended: %s", WTERMSIG(status), text);
	errx(1, "status %d%s: %s", WEXITSTATUS(status),
	    verbose ? "" : " (-v shows why)", text);
}

static void
start(const struct command *command, struct run *run)
{
	posix_spawn_file_actions_t actions;
	double began;
	int number, status;
	pid_t pid;

	(void)posix_spawn_file_actions_init(&actions);
	(void)posix_spawn_file_actions_addopen(&actions, 0, "/dev/null",
	    O_RDONLY, 0);
	(void)posix_spawn_file_actions_addopen(&actions, 1, "/dev/null",
	    O_WRONLY, 0);
	if (!verbose)
		(void)posix_spawn_file_actions_adddup2(&actions, 1, 2);
	began = now_ms();
	number = posix_spawnp(&pid, command->words[0], &actions, NULL,
	    command->words, environ);
	if (number != 0)
		errx(1, "%s: %s", command->words[0], strerror(number));
	while (wait4(pid, &status, 0, &run->usage) == -1)
		if (errno != EINTR)
			err(1, "wait4");
	run->ms = now_ms() - began;
	must_have_succeeded(command->text, status);
	(void)posix_spawn_file_actions_destroy(&actions);
}

static void
prepare(const char *text)
{
	struct command command = { .text = text };
	struct run ignored;

	if (text == NULL)
		return;
	split(&command);
	start(&command, &ignored);
}

/* In the child: as start() does it, and traced. */
static void
become(const struct command *command)
{
	int fd = open("/dev/null", O_RDWR);

	(void)dup2(fd, 0);
	(void)dup2(fd, 1);
	if (!verbose)
		(void)dup2(fd, 2);
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) == -1)
		_exit(126);
	(void)execvp(command->words[0], command->words);
	_exit(127);
}

/* The most memory that a stopped process had; 0: unknown. */
static long
high_water_kb(pid_t pid)
{
	char path[64], line[256];
	long kb = 0;
	FILE *file;

	(void)snprintf(path, sizeof(path), "/proc/%ld/status", (long)pid);
	file = fopen(path, "re");
	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
		if (strncmp(line, "VmHWM:", 6) == 0)
			kb = strtol(line + 6, NULL, 10);
	if (file != NULL)
		(void)fclose(file);
	return kb;
}

/*
 * wait4 counts a command's children in, and the docker client is ten times our
 * size; so this one run is stopped at its exit, when its memory is still there.
 */
static long
own_memory_kb(const struct command *command)
{
	int status, number;
	bool begun = false;
	long kb = 0;
	pid_t pid = fork();

	if (pid == -1)
		err(1, "fork");
	if (pid == 0)
		become(command);
	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
		number = WSTOPSIG(status);
		if (number == SIGTRAP) {
			if (status >> 8 == (SIGTRAP | (PTRACE_EVENT_EXIT << 8)))
				kb = high_water_kb(pid);
			if (!begun)
				(void)ptrace(PTRACE_SETOPTIONS, pid, NULL,
				    (void *)(long)(PTRACE_O_TRACEEXIT |
					PTRACE_O_EXITKILL));
			begun = true;
			number = 0;
		}
		(void)ptrace(PTRACE_CONT, pid, NULL, (void *)(long)number);
	}
	must_have_succeeded(command->text, status);
	return kb;
}

/* round -1 is the one that does not count. */
static void
turn(struct command *command, const char *common, long round)
{
	struct run run;

	prepare(common);
	prepare(command->prepare);
	start(command, &run);
	if (round < 0)
		return;
	command->ms[round] = run.ms;
	command->rss_kb[round] = (double)run.usage.ru_maxrss;
	command->minflt[round] = (double)run.usage.ru_minflt;
}

static void
use(struct command *command, const char *text, size_t rounds)
{
	command->text = text;
	if (command->name == NULL)
		command->name = text;
	command->ms = calloc(rounds, sizeof(double));
	command->rss_kb = calloc(rounds, sizeof(double));
	command->minflt = calloc(rounds, sizeof(double));
	if (command->ms == NULL || command->rss_kb == NULL ||
	    command->minflt == NULL)
		err(1, NULL);
	split(command);
}

static void
measure(struct command command[2], const char *common, long first, long rounds,
    bool own)
{
	long i;
	int which;

	for (i = first; i < rounds; i++)
		for (which = 0; which < 2; which++)
			turn(&command[i < 0 ? which : (which ^ (i & 1))],
			    common, i);
	for (which = 0; own && which < 2; which++) {
		prepare(common);
		prepare(command[which].prepare);
		if (strcmp(command[which].words[0], "/bin/sh") == 0)
			start(&command[which], &(struct run){ 0 });
		else
			command[which].own_kb = own_memory_kb(&command[which]);
	}
}

static void
usage(void)
{
	(void)
	    fputs("usage: pair [-1mv] [-n rounds] [-p prepare] [-a prepare-a] "
		  "[-b prepare-b]\n"
		  "            [-A name-a] [-B name-b] [-k key=value] ... "
		  "command-a command-b\n",
		stderr);
	exit(64);
}

static long
rounds_of(const char *text)
{
	char *end;
	long rounds = strtol(text, &end, 10);

	if (*text == '\0' || *end != '\0' || rounds < 1 || rounds > MOST_ROUNDS)
		errx(64, "no number of rounds: %s", text);
	return rounds;
}

static void
add_key(const char *key)
{
	if (key_count == MOST_KEYS || strchr(key, '=') == NULL)
		errx(64, "not key=value, or too many: %s", key);
	keys[key_count++] = key;
}

int
main(int argc, char *argv[])
{
	static struct command command[2];
	const char *common = NULL;
	long first = -1, rounds = 11;
	bool own = false;
	int c;

	while ((c = getopt(argc, argv, "1mvn:p:a:b:A:B:k:")) != -1) {
		switch (c) {
		case '1':
			first = 0;
			break;
		case 'm':
			own = true;
			break;
		case 'v':
			verbose = true;
			break;
		case 'n':
			rounds = rounds_of(optarg);
			break;
		case 'p':
			common = optarg;
			break;
		case 'a':
		case 'b':
			command[c - 'a'].prepare = optarg;
			break;
		case 'A':
		case 'B':
			command[c - 'A'].name = optarg;
			break;
		case 'k':
			add_key(optarg);
			break;
		default:
			usage();
		}
	}
	if (argc - optind != 2)
		usage();
	use(&command[0], argv[optind], (size_t)rounds);
	use(&command[1], argv[optind + 1], (size_t)rounds);
	measure(command, common, first, rounds, own);
	pair_print(command, (size_t)rounds, keys, key_count);
	return fflush(stdout) == 0 ? 0 : 1;
}
