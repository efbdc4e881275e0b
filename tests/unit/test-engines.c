/* SPDX-License-Identifier: ISC */
/* engines/: the shipped definitions, as DESIGN 5 gives them. */
#include "confs.h"

static struct engine_list engines;

static void
load_shipped(void)
{
	const char *dir = getenv("ENGINES_DIR");
	struct engine_list none = { 0 };
	struct error err = { 0 };

	confs_clear_environment();
	ck_assert_msg(dir != NULL, "ENGINES_DIR is not set");
	ck_assert_msg(engine_list_load(&engines, dir, &none, &err) == 0, "%s",
	    err.msg);
}

static void
clear_shipped(void)
{
	engine_list_clear(&engines);
}

static const struct engine *
engine_of(const char *name)
{
	const struct engine *engine = engine_list_find(&engines, name);

	ck_assert_msg(engine != NULL, "%s is not shipped", name);
	return engine;
}

static void
check_list(const struct strvec *list, const char *expected)
{
	char *joined = strvec_join(list, "|");

	ck_assert_str_eq(joined, expected);
	free(joined);
}

START_TEST(postgres)
{
	const struct engine *e = engine_of("postgres");

	ck_assert_str_eq(e->short_name, "pg");
	ck_assert_str_eq(e->image, "postgres:16-alpine");
	ck_assert_str_eq(e->feature_image, "roboco-sandbox-pg:latest");
	ck_assert_int_eq(engine_port(e), 5432);
	ck_assert_str_eq(e->user, "sandbox");
	ck_assert_str_eq(e->database, "sandbox");
	ck_assert_str_eq(e->shm_size, "128m");
	ck_assert_int_eq(engine_ready_timeout(e), 60);
	check_list(&e->tmpfs, "/sandbox:size=256m");
	check_list(&e->environment,
	    "POSTGRES_USER=%u|POSTGRES_DB=%d|PGDATA=/sandbox/data");
	check_list(&e->secret_environment, "POSTGRES_PASSWORD");
	check_list(&e->command,
	    "postgres|-c|fsync=off|-c|full_page_writes=off|-c|"
	    "synchronous_commit=off|-c|max_wal_size=32MB|-c|min_wal_size=32MB|"
	    "-c|wal_level=minimal|-c|max_wal_senders=0");
	check_list(&e->ready, "pg_isready|-h|127.0.0.1|-U|%u");
	check_list(&e->client, "psql|-U|%u|-d|%d");
	check_list(&e->features, "vector|postgis|pg_trgm|citext|uuid-ossp");
	check_list(&e->exports,
	    "ROBOCO_TEST_DB_HOST=%h|ROBOCO_TEST_DB_PORT=%p|"
	    "ROBOCO_TEST_DB_USER=%u|ROBOCO_TEST_DB_PASSWORD=%w|"
	    "ROBOCO_TEST_DB_ADMIN_DB=%d|PGHOST=%h|PGPORT=%p|PGUSER=%u|"
	    "PGPASSWORD=%w|PGDATABASE=%d|"
	    "DATABASE_URL=postgresql://%u:%w@%h:%p/%d");
}
END_TEST

START_TEST(redis)
{
	const struct engine *e = engine_of("redis");

	ck_assert_str_eq(e->short_name, "redis");
	ck_assert_str_eq(e->image, "redis:8-alpine");
	ck_assert_str_eq(e->feature_image, "redis/redis-stack-server:latest");
	ck_assert_int_eq(engine_port(e), 6379);
	ck_assert_str_eq(e->user, "");
	ck_assert_str_eq(e->database, "");
	ck_assert_int_eq(engine_ready_timeout(e), 15);
	check_list(&e->features, "search|json|bloom");
	ck_assert_str_eq(engine_feature_word(&e->feature_values, "search"),
	    "/opt/redis-stack/lib/redisearch.so");
	ck_assert_str_eq(engine_feature_word(&e->feature_values, "json"),
	    "/opt/redis-stack/lib/rejson.so");
	ck_assert_str_eq(engine_feature_word(&e->feature_values, "bloom"),
	    "/opt/redis-stack/lib/redisbloom.so");
	ck_assert_str_eq(engine_feature_word(&e->feature_listed, "search"),
	    "search");
	ck_assert_str_eq(engine_feature_word(&e->feature_listed, "json"),
	    "ReJSON");
	ck_assert_str_eq(engine_feature_word(&e->feature_listed, "bloom"),
	    "bf");
	ck_assert_str_eq(e->available, "available_modules");
	ck_assert_uint_eq(e->exports.len, 4);
	ck_assert_str_eq(e->exports.items[0], "ROBOCO_TEST_REDIS_HOST=%h");
	ck_assert_str_eq(e->exports.items[1], "ROBOCO_TEST_REDIS_PORT=%p");
	ck_assert_str_eq(e->exports.items[2], "ROBOCO_TEST_REDIS_PASSWORD=%w");
	ck_assert(text_has_prefix(e->exports.items[3], "REDIS_URL=redis://"));
}
END_TEST

START_TEST(mongo)
{
	const struct engine *e = engine_of("mongo");

	ck_assert_str_eq(e->short_name, "mongo");
	ck_assert_str_eq(e->image, "mongo:8");
	ck_assert_int_eq(engine_port(e), 27017);
	ck_assert_str_eq(e->user, "sandbox");
	ck_assert_str_eq(e->database, "admin");
	ck_assert_int_eq(engine_ready_timeout(e), 60);
	ck_assert_uint_eq(e->tmpfs.len, 1);
	ck_assert(text_has_prefix(e->tmpfs.items[0], "/data/db:size="));
	ck_assert_uint_eq(e->exports.len, 6);
	ck_assert_str_eq(e->exports.items[0], "ROBOCO_TEST_MONGO_HOST=%h");
	ck_assert_str_eq(e->exports.items[1], "ROBOCO_TEST_MONGO_PORT=%p");
	ck_assert_str_eq(e->exports.items[2], "ROBOCO_TEST_MONGO_USER=%u");
	ck_assert_str_eq(e->exports.items[3], "ROBOCO_TEST_MONGO_PASSWORD=%w");
	ck_assert_str_eq(e->exports.items[4], "ROBOCO_TEST_MONGO_AUTH_DB=%d");
	ck_assert(text_has_prefix(e->exports.items[5],
	    "MONGODB_URI=mongodb://"));
}
END_TEST

/* What only the container or the client may hold, never their argv. */
static void
check_no_password(const struct strvec *words)
{
	size_t i;

	for (i = 0; i < words->len; i++)
		ck_assert_ptr_null(strstr(words->items[i], "%w"));
}

START_TEST(no_password_in_words)
{
	const struct engine *e;
	size_t i;

	ck_assert_uint_ge(engines.len, 12);
	for (i = 0; i < engines.len; i++) {
		e = &engines.items[i];
		check_no_password(&e->command);
		check_no_password(&e->ready);
		check_no_password(&e->client);
		check_no_password(&e->script_client);
		check_no_password(&e->environment);
		check_no_password(&e->run_options);
		check_no_password(&e->tmpfs);
		ck_assert_ptr_null(strstr(e->entrypoint, "%w"));
		/* these two know no user that every client could name */
		ck_assert_uint_eq(e->secret_environment.len == 0,
		    strcmp(e->name, "memcached") == 0 ||
			strcmp(e->name, "opensearch") == 0);
	}
}
END_TEST

/* Whatever ships: untrusted languages are an escape from the database. */
static const char *const never[] = { "plpython3u", "plpythonu", "plperlu",
	"pltclu", "file_fdw", "dblink", "postgres_fdw", "adminpack" };

START_TEST(features_that_never_ship)
{
	size_t i;

	for (i = 0; i < engines.len; i++)
		ck_assert(!strvec_has(&engines.items[i].features, never[_i]));
}
END_TEST

/* Every tmpfs has a size, or it would grow to the machine's memory. */
START_TEST(tmpfs_has_a_size)
{
	size_t i, k;

	for (i = 0; i < engines.len; i++)
		for (k = 0; k < engines.items[i].tmpfs.len; k++)
			ck_assert_ptr_nonnull(strstr(engines.items[i]
							 .tmpfs.items[k],
			    ":size="));
}
END_TEST

START_TEST(names)
{
	const char *const shorts[] = { "pg", "redis", "mongo" };
	const char *const services[] = { "postgres", "redis", "mongo" };
	char *all = engine_list_names(&engines);
	size_t i;

	for (i = 0; i < ROWS(shorts); i++)
		ck_assert_ptr_eq(engine_list_find_short(&engines, shorts[i]),
		    engine_of(services[i]));
	ck_assert_ptr_null(engine_list_find_short(&engines, "postgres"));
	ck_assert_ptr_null(engine_list_find(&engines, "pg"));
	ck_assert_ptr_null(engine_list_find(&engines, ""));
	ck_assert_ptr_nonnull(strstr(all, "mongo, mysql, nats"));
	ck_assert_ptr_nonnull(strstr(all, "postgres, rabbitmq, redis"));
	free(all);
}
END_TEST

static bool
exports_name(const struct engine *engine, const char *text)
{
	size_t len = strcspn(text, "=") + 1, i;

	for (i = 0; i < engine->exports.len; i++)
		if (strncmp(engine->exports.items[i], text, len) == 0)
			return true;
	return false;
}

START_TEST(exports_differ)
{
	const struct engine *one;
	size_t i, k, n;

	for (i = 0; i < engines.len; i++) {
		one = &engines.items[i];
		ck_assert_uint_gt(one->exports.len, 0);
		for (k = 0; k < engines.len; k++)
			for (n = 0; n < one->exports.len; n++)
				ck_assert_msg(k == i ||
					!exports_name(&engines.items[k],
					    one->exports.items[n]),
				    "%s and %s export %s", one->name,
				    engines.items[k].name,
				    one->exports.items[n]);
	}
}
END_TEST

/* A name of 63 characters holds the longest agent with any of them. */
START_TEST(shorts_are_short)
{
	size_t i;

	for (i = 0; i < engines.len; i++)
		ck_assert_uint_le(strlen(engines.items[i].short_name), 5);
}
END_TEST

static void
add(Suite *suite, const char *sentence, const TTest *test, size_t count)
{
	unit_add_with(suite, sentence, test, load_shipped, clear_shipped,
	    count);
}

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("engines");

	add(suite, "postgres is exactly that of DESIGN 5", postgres, 1);
	add(suite, "redis has its image, modules and variables", redis, 1);
	add(suite, "mongo has its image, database and variables", mongo, 1);
	add(suite, "E8: a password is in no word of a command",
	    no_password_in_words, 1);
	add(suite, "E11: what is no trusted extension never ships",
	    features_that_never_ship, ROWS(never));
	add(suite, "E9: every tmpfs has a size", tmpfs_has_a_size, 1);
	add(suite, "services and short names are two things", names, 1);
	add(suite, "E1: any two can be asked for together", exports_differ, 1);
	add(suite, "case 23: no engine makes agents' names shorter",
	    shorts_are_short, 1);
	return suite;
}

UNIT_MAIN(make_suite)
