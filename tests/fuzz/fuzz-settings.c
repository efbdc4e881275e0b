/* SPDX-License-Identifier: ISC */
/* Fuzz target: settings files. */
#include <ctype.h>

#include "config/settings.h"
#include "fuzz.h"

static void
must_be_usable(const struct settings *settings)
{
	const char *const texts[] = { settings->docker,
		settings->container_prefix, settings->sandbox_prefix,
		settings->label, settings->network, settings->compose,
		settings->engines_dir, settings->log_dir, settings->memory,
		settings->cpus, settings->pids_limit, settings->pull_policy,
		settings->image_prefix };
	const int64_t numbers[] = { settings->grace, settings->owner_grace,
		settings->foreign_grace, settings->lock_timeout,
		settings->stop_timeout, settings->log_max_age,
		settings->log_lines, settings->log_limit, settings->log_keep,
		settings->max_sandboxes, settings->timeout_inspect,
		settings->timeout_list, settings->timeout_run,
		settings->timeout_exec, settings->timeout_remove,
		settings->timeout_pull, settings->timeout_logs,
		settings->timeout_init };
	struct error err = { 0 };
	size_t i;

	/* no value can become an option of docker's, or two lines */
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		must(texts[i] != NULL);
		must(texts[i][0] != '-');
		must(strpbrk(texts[i], "\r\n") == NULL);
	}
	must(isalnum((unsigned char)settings->sandbox_prefix[0]));
	must(isalnum((unsigned char)settings->container_prefix[0]));
	must(isalnum((unsigned char)settings->label[0]));
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		must(numbers[i] >= 0);
	for (i = 0; i < settings->project_count; i++)
		must(settings_project(settings, settings->projects[i].name,
			 &err) == &settings->projects[i]);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct settings_source source = { NULL, NULL };
	struct settings settings;
	struct error err = { 0 };

	source.file = fuzz_file("settings", data, size);
	if (settings_load(&settings, &source, &err) == -1) {
		must_tell(&err);
		must(err.kind == ERROR_SETTINGS);
		must(settings.docker == NULL && settings.project_count == 0);
	} else {
		must_be_usable(&settings);
		settings_clear(&settings);
	}
	(void)unlink(source.file);
	return 0;
}
