/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * load_client LIBSLURMFULL PLUGIN SYMBOL... - load a plugin as a client like
 * sshare does, where slurmctld's own symbols do not exist, and look up what
 * Slurm's loader looks up.
 *
 * RET: 0, or 1 with the reason on stderr.
 */
#include <dlfcn.h>
#include <stdio.h>

static int lookup(void *plugin, char **names)
{
	int rc = 0;

	for (; *names; names++) {
		if (!dlsym(plugin, *names)) {
			fprintf(stderr, "%s\n", dlerror());
			rc = 1;
		}
	}
	return rc;
}

int main(int argc, char **argv)
{
	void *plugin;

	if (argc < 3) {
		fprintf(stderr, "usage: load_client LIBSLURMFULL PLUGIN "
				"SYMBOL...\n");
		return 2;
	}
	/* Clients are linked with it, so its symbols are global. */
	if (!dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL)) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	plugin = dlopen(argv[2], RTLD_LAZY);
	if (!plugin) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	return lookup(plugin, argv + 3);
}
