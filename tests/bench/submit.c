/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * submit - many jobs from one process, as root for others.
 *
 *	submit JOBS USERS ACCOUNTS
 *
 * Job i is of user u<i % USERS> and account a<i % USERS % ACCOUNTS>. Prints
 * jobs per second.
 */
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

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

int main(int argc, char **argv)
{
	double begin = now();
	long failed = 0, jobs;

	if (argc != 4)
		return 2;
	slurm_init(NULL);
	jobs = atol(argv[1]);
	for (long i = 0; i < jobs; i++) {
		if (submit(i, atol(argv[2]), atol(argv[3])) && !failed++)
			slurm_perror("submit");
	}
	printf("%.1f\n", (double) (jobs - failed) / (now() - begin));
	return failed > 0;
}
