/* SPDX-License-Identifier: ISC */
/* core/self: the container that we run in, by table. */
#include <string.h>

#include "core/self.h"
#include "unit.h"

#define A "aaaaaaaabbbbbbbbccccccccddddddddaaaaaaaabbbbbbbbccccccccdddddddd"
#define B "1111111122222222333333334444444411111111222222223333333344444444"
#define LINE(root, point)                                      \
	"692 671 254:0 " root " " point " rw,relatime - ext4 " \
	"/dev/vda rw\n"
#define DOCKER "/var/lib/docker/containers/"

static const struct {
	const char *what;
	const char *mountinfo;
	const char *id; /* NULL: we run in none */
} rows[] = {
	{ "docker",
	    LINE("/", "/") LINE(DOCKER A "/resolv.conf", "/etc/resolv.conf")
		LINE(DOCKER A "/hostname", "/etc/hostname")
		    LINE(DOCKER A "/hosts", "/etc/hosts"),
	    A },
	{ "a data root that is a file system of its own",
	    LINE("/containers/" A "/hosts", "/etc/hosts"), A },
	{ "podman",
	    LINE("/containers/storage/overlay-containers/" A
		 "/userdata/hostname",
		"/etc/hostname"),
	    A },
	{ "the user's own hosts, docker's hostname",
	    LINE("/home/me/hosts", "/etc/hosts")
		LINE(DOCKER A "/hostname", "/etc/hostname"),
	    A },
	{ "no last newline",
	    "1 2 0:1 " DOCKER A "/hostname /etc/hostname rw - ext4 /dev/vda rw",
	    A },
	{ "optional fields",
	    "1 2 0:1 " DOCKER A "/hosts /etc/hosts rw shared:7 master:8 - "
	    "ext4 /dev/vda rw\n",
	    A },
	/* what the host sees of others */
	{ "the host, with the containers' shared memory",
	    LINE("/", "/") LINE("/", DOCKER A "/mounts/shm"), NULL },
	{ "a container that reads the others' logs",
	    LINE(DOCKER B, "/logs/containers/" B)
		LINE(DOCKER A "/hostname", "/etc/hostname"),
	    A },
	{ "the same, on the host", LINE(DOCKER B "/logs", "/logs"), NULL },
	{ "another's hosts, somewhere else",
	    LINE(DOCKER B "/hosts", "/mnt/etc/hosts"), NULL },
	/* what is no id */
	{ "no container", LINE("/", "/") LINE("/", "/proc"), NULL },
	{ "a short id", LINE(DOCKER "abc/hosts", "/etc/hosts"), NULL },
	{ "a long id", LINE(DOCKER A "a/hosts", "/etc/hosts"), NULL },
	{ "capitals", LINE(DOCKER "A" A "/hosts", "/etc/hosts"), NULL },
	{ "nothing behind the id", LINE(DOCKER A, "/etc/hosts"), NULL },
	{ "kubernetes", LINE("/var/lib/kubelet/pods/x/etc-hosts", "/etc/hosts"),
	    NULL },
	{ "nothing", "", NULL },
	{ "half a line", "692 671 254:0 " DOCKER A "/hosts", NULL },
	{ "blanks", "     \n   \n", NULL },
};

START_TEST(id_of)
{
	char id[65] = "";
	bool found = self_id(rows[_i].mountinfo, id);

	ck_assert_msg(found == (rows[_i].id != NULL), "%s: found %s",
	    rows[_i].what, found ? id : "none");
	if (found)
		ck_assert_str_eq(id, rows[_i].id);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("self");

	unit_add_each(suite,
	    "O1: our own container's id is in the mounts of its own files",
	    id_of, ROWS(rows));
	return suite;
}

UNIT_MAIN(make_suite)
