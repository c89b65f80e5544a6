/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * submit - many jobs from a few processes, as root for others.
 *
 *	submit JOBS USERS ACCOUNTS CLIENTS
 *
 * Job i is of user u<i % USERS> and account a<i % USERS % ACCOUNTS>: each a
 * job of its own, as an array is one record until its tasks start. Prints jobs
 * per second.
 */
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static int submit(long i, long users, long accounts)
{
	static char *environment[] = { "PATH=/bin", NULL };
	static const char *const comments[] = {
		"min-runtime=4h", "min-runtime=0", "min-runtime=1h", "none",
	};
	submit_response_msg_t *answer = NULL;
	job_desc_msg_t job;
	char account[32], user[32], comment[64];
	struct passwd *entry;

	snprintf(account, sizeof(account), "a%ld", i % users % accounts);
	snprintf(user, sizeof(user), "u%ld", i % users);
	snprintf(comment, sizeof(comment), "%s;run-%ld", comments[i % 4], i);
	entry = getpwnam(user);
	if (!entry)
		return -1;
	slurm_init_job_desc_msg(&job);
	job.account = account;
	job.comment = comment;
	job.user_id = entry->pw_uid;
	job.group_id = entry->pw_gid;
	job.script = "#!/bin/sh\nexec sleep 600\n";
	job.work_dir = "/";
	job.std_out = job.std_err = "/dev/null";
	job.environment = environment;
	job.env_size = 1;
	job.min_nodes = job.max_nodes = 1;
	job.time_limit = 1440;
	job.tres_per_node = "gres:gpu:1";
	if (slurm_submit_batch_job(&job, &answer) != SLURM_SUCCESS)
		return -1;
	slurm_free_submit_response_response_msg(answer);
	return 0;
}

/* Every CLIENTS-th job, from the first-th on. RET: how many failed. */
static long submit_share(char **argv, long first)
{
	long jobs = atol(argv[1]), clients = atol(argv[4]), failed = 0;

	slurm_init(NULL);
	for (long i = first; i < jobs; i += clients) {
		if (submit(i, atol(argv[2]), atol(argv[3])) && !failed++)
			slurm_perror("submit");
	}
	return failed;
}

int main(int argc, char **argv)
{
	double begin = now();
	int failed = 0, status;
	long clients;

	if (argc != 5)
		return 2;
	clients = atol(argv[4]);
	for (long i = 0; i < clients; i++) {
		pid_t pid = fork();

		if (pid < 0)
			return 1;
		if (!pid)
			_exit(submit_share(argv, i) > 0);
	}
	while (wait(&status) > 0)
		failed |= status;
	printf("%.1f\n", (double) atol(argv[1]) / (now() - begin));
	return failed != 0;
}
