/* SPDX-License-Identifier: ISC */
/* The options that say what is wanted. */
#include <stdlib.h>
#include <string.h>

#include "cmd/wanted.h"

/* "svc:a,b" is "svc:a" and "svc:b". */
static void
read_features(const struct args *args, struct strvec *features)
{
	struct strvec values = { 0 }, names = { 0 };
	const char *colon;
	size_t i, k;

	args_values(args, OPT_FEATURE, &values);
	for (i = 0; i < values.len; i++) {
		colon = strchr(values.items[i], ':');
		if (colon == NULL) {
			strvec_add(features, values.items[i]);
			continue;
		}
		strvec_split(&names, colon + 1, ',');
		for (k = 0; k < names.len; k++)
			strvec_addf(features, "%.*s%s",
			    (int)(colon + 1 - values.items[i]), values.items[i],
			    names.items[k]);
		if (names.len == 0)
			strvec_add(features, values.items[i]);
		strvec_clear(&names);
	}
	strvec_clear(&values);
}

int
wanted_read(const struct args *args, struct ensure_request *request,
    struct error *err)
{
	const char *fresh = getenv("SANDKEEPER_FRESH");

	request->project = args_value(args, OPT_PROJECT);
	request->memory = args_value(args, OPT_MEMORY);
	request->data_size = args_value(args, OPT_DATA_SIZE);
	request->network = args_value(args, OPT_NETWORK);
	request->replace = args_has(args, OPT_REPLACE);
	request->fresh = args_has(args, OPT_FRESH) ||
	    (fresh != NULL && *fresh != '\0' && strcmp(fresh, "0") != 0);
	if (args_has(args, OPT_PUBLISH))
		request->publish = args_value(args, OPT_PUBLISH) != NULL ?
		    args_value(args, OPT_PUBLISH) :
		    "";
	args_lists(args, OPT_SERVICES, &request->services);
	args_lists(args, OPT_ALSO, &request->also);
	args_values(args, OPT_IMAGE, &request->images);
	args_values(args, OPT_INIT, &request->inits);
	read_features(args, &request->features);
	if (args_duration(args, OPT_TTL, &request->ttl, err) == -1)
		return -1;
	if (args_has(args, OPT_TTL) && request->ttl == 0)
		return error_set(err, ERROR_VALUE,
		    "--ttl 0: a lease needs a length");
	if (request->services.len == 0 && request->project == NULL)
		return error_set(err, ERROR_USAGE,
		    "neither --services nor --project is given");
	return 0;
}
