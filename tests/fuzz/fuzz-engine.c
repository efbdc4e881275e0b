/* SPDX-License-Identifier: ISC */
/* Fuzz target: engine files. */
#include "base/text.h"
#include "config/engine.h"
#include "fuzz.h"

static const struct engine_values values = { .host = "fd00::1",
	.port = "5432",
	.user = "sandbox",
	.password = "0123456789abcdef0123456789abcdef",
	.database = "sandbox",
	.feature = "vector",
	.feature_value = "vector" };

static void
must_expand(const struct strvec *texts)
{
	struct strvec out = { 0 };

	engine_expand_all(texts, &values, &out);
	must(out.len == texts->len);
	strvec_clear(&out);
}

static void
must_be_usable(const struct engine_list *list, const struct engine *engine)
{
	must(text_only(engine->name, "abcdefghijklmnopqrstuvwxyz0123456789_-"));
	must(text_only(engine->short_name,
	    "abcdefghijklmnopqrstuvwxyz0123456789"));
	must(engine_list_find(list, engine->name) == engine);
	must(engine_list_find_short(list, engine->short_name) == engine);
	must(engine->image[0] != '\0' && engine->image[0] != '-');
	must(engine_port(engine) >= 1 && engine_port(engine) <= 65535);
	must(engine_ready_timeout(engine) >= 0);
	must(engine->ready.len > 0);
	must_expand(&engine->ready);
	must_expand(&engine->command);
	must_expand(&engine->client);
	must_expand(&engine->environment);
	must_expand(&engine->exports);
	must_expand(&engine->enable);
	must(engine_feature_word(&engine->feature_values, "vector") != NULL);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = fuzz_file("fuzz.conf", data, size);
	struct engine_list list = { 0 }, overrides = { 0 };
	struct error err = { 0 };
	char *names;
	size_t i;

	if (engine_list_load(&list, fuzz_folder, &overrides, &err) == -1) {
		must_tell(&err);
		must(err.kind == ERROR_SETTINGS);
		must(list.len == 0);
	}
	for (i = 0; i < list.len; i++)
		must_be_usable(&list, &list.items[i]);
	names = engine_list_names(&list);
	free(names);
	engine_list_clear(&list);
	(void)unlink(path);
	return 0;
}
