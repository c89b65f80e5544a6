/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * submit - many jobs from a few processes, as root for others.
 *
 *	submit FIRST JOBS USERS ACCOUNTS EACH CLIENTS
 *
 * Jobs from FIRST on. Job i is of user u<i % USERS>, who has EACH accounts and
 * takes them in turn: each a job of its own, as an array is one record until its
 * tasks start. Prints jobs per second.
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

struct plan {
	long first, jobs, users, accounts, each, clients;
	uid_t *uid;	/* of u0 ... */
	gid_t gid;
};

/* All at once: a look-up of one of many users takes longer than to submit. */
static int find_users(struct plan *plan)
{
	struct passwd *entry;
	long found = 0, number;

	plan->uid = calloc(plan->users, sizeof(*plan->uid));
	if (!plan->uid)
		return -1;
	setpwent();
	while ((entry = getpwent())) {
		if (sscanf(entry->pw_name, "u%ld", &number) != 1 ||
		    number < 0 || number >= plan->users)
			continue;
		plan->uid[number] = entry->pw_uid;
		plan->gid = entry->pw_gid;
		found++;
	}
	endpwent();
	return found == plan->users ? 0 : -1;
}

static int submit(const struct plan *plan, long i)
{
	static char *environment[] = { "PATH=/bin", NULL };
	static const char *const comments[] = {
		"min-runtime=4h", "min-runtime=0", "min-runtime=1h", "none",
	};
	submit_response_msg_t *answer = NULL;
	long user = i % plan->users, turn = i / plan->users % plan->each;
	char account[32], comment[64];
	job_desc_msg_t job;

	snprintf(account, sizeof(account), "a%ld",
		 (user + turn) % plan->accounts);
	snprintf(comment, sizeof(comment), "%s;run-%ld", comments[i % 4], i);
	slurm_init_job_desc_msg(&job);
	job.account = account;
	job.comment = comment;
	job.user_id = plan->uid[user];
	job.group_id = plan->gid;
	job.script = "#!/bin/sh\nexec sleep 600\n";
	job.work_dir = "/";
	job.std_out = job.std_err = "/dev/null";
	job.environment = environment;
	job.env_size = 1;
	job.min_nodes = job.max_nodes = 1;
	job.time_limit = 1440;
	/* Without usage all would have one priority in Slurm, and a queue that is
	 * sorted already: so each association has another. */
	job.nice = NICE_OFFSET + (user * plan->each + turn) * 7919 % 1000;
	job.tres_per_node = "gres:gpu:1";
	if (slurm_submit_batch_job(&job, &answer) != SLURM_SUCCESS)
		return -1;
	slurm_free_submit_response_response_msg(answer);
	return 0;
}

/* Every clients-th job, from the client-th on. RET: how many failed. */
static long submit_share(const struct plan *plan, long client)
{
	long failed = 0;

	slurm_init(NULL);
	for (long i = client; i < plan->jobs; i += plan->clients) {
		if (submit(plan, plan->first + i) && !failed++)
			slurm_perror("submit");
	}
	return failed;
}

/* RET: whether any failed. */
static int submit_all(const struct plan *plan)
{
	int failed = 0, status;

	for (long i = 0; i < plan->clients; i++) {
		pid_t pid = fork();

		if (pid < 0)
			return 1;
		if (!pid)
			_exit(submit_share(plan, i) > 0);
	}
	while (wait(&status) > 0)
		failed |= status;
	return failed != 0;
}

int main(int argc, char **argv)
{
	struct plan plan;
	double begin;
	int failed;

	if (argc != 7)
		return 2;
	plan.first = atol(argv[1]);
	plan.jobs = atol(argv[2]);
	plan.users = atol(argv[3]);
	plan.accounts = atol(argv[4]);
	plan.each = atol(argv[5]);
	plan.clients = atol(argv[6]);
	if (find_users(&plan))
		return 1;
	begin = now();
	failed = submit_all(&plan);
	printf("%.1f\n", (double) plan.jobs / (now() - begin));
	free(plan.uid);
	return failed;
}
