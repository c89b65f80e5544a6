/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE		/* sched_getaffinity() */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pool.h"

/* Read at once, bytes. */
#define CHUNK 65536

/* A process at work. It writes '+' and its answer, or '-' and its error. */
typedef struct {
	pid_t pid;		/* 0: free */
	int fd;
	size_t index;
	pool_answer_t answer;
} worker_t;

typedef struct {
	const pool_t *pool;
	size_t count, next, done;
	worker_t *workers;
	struct pollfd *polls;
	uint32_t worker_count;
	pool_answer_t *answers;
	size_t failed;		/* the first piece that failed, else count */
	sb_err_t why;		/* of it */
} run_t;

extern uint32_t pool_cpus(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set))
		return 1;
	return CPU_COUNT(&set) > 0 ? (uint32_t)CPU_COUNT(&set) : 1;
}

extern void pool_free(pool_answer_t *answers, size_t count)
{
	for (size_t i = 0; answers && i < count; i++) {
		free(answers[i].data);
		answers[i].data = NULL;
	}
}

/* ---------------------------------------------------------------- a child */

static int write_all(int fd, const char *data, size_t size)
{
	while (size) {
		ssize_t wrote = write(fd, data, size);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote <= 0)
			return -1;
		data += wrote;
		size -= (size_t)wrote;
	}
	return 0;
}

static void work(const run_t *run, size_t index, int fd)
{
	pool_answer_t answer = { NULL, 0 };
	sb_err_t err = { "it says nothing" };
	int rc = run->pool->work(run->pool->arg, index, &answer, &err);

	if (!rc)
		rc = write_all(fd, "+", 1) ||
			write_all(fd, answer.data, answer.size);
	else
		rc = write_all(fd, "-", 1) ||
			write_all(fd, err.text, strlen(err.text));
	/* What the parent had not written yet is the parent's to write. */
	_exit(rc ? 1 : 0);
}

/* ---------------------------------------------------------------- parent */

static int start(run_t *run, worker_t *worker, sb_err_t *err)
{
	int fds[2];
	pid_t pid;

	if (pipe(fds))
		return sb_err_set(err, "no pipe: %s", strerror(errno));
	pid = fork();
	if (pid < 0) {
		close(fds[0]);
		close(fds[1]);
		return sb_err_set(err, "no process: %s", strerror(errno));
	}
	if (!pid) {
		close(fds[0]);
		signal(SIGPIPE, SIG_DFL);
		work(run, run->next, fds[1]);
	}
	close(fds[1]);
	*worker = (worker_t) { .pid = pid, .fd = fds[0], .index = run->next };
	run->next++;
	return 0;
}

/* Remember the earliest failure: which one is first must not be chance. */
static void fail(run_t *run, size_t index, const char *text, size_t size)
{
	if (index >= run->failed)
		return;
	run->failed = index;
	sb_err_set(&run->why, "%.*s", (int)size, text);
}

/* The answer of a process that has closed its pipe. */
static void settle(run_t *run, worker_t *worker)
{
	pool_answer_t *answer = &worker->answer;
	static const char died[] = "a worker process died";
	int status = -1;

	close(worker->fd);
	while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (status || !answer->size) {
		fail(run, worker->index, died, strlen(died));
	} else if (answer->data[0] == '-') {
		fail(run, worker->index, answer->data + 1, answer->size - 1);
	} else {
		answer->size--;
		memmove(answer->data, answer->data + 1, answer->size);
		run->answers[worker->index] = *answer;
		answer->data = NULL;
	}
	free(answer->data);
	memset(worker, 0, sizeof(*worker));
	run->done++;
	if (run->pool->tell)
		run->pool->tell(run->pool->arg, run->done, run->count);
}

/* RET: 1: there is more to come; 0: it has closed its pipe; -1 with err. */
static int read_some(worker_t *worker, sb_err_t *err)
{
	pool_answer_t *answer = &worker->answer;
	char *data = realloc(answer->data, answer->size + CHUNK);
	ssize_t got;

	if (!data)
		return sb_err_set(err, "no memory");
	answer->data = data;
	got = read(worker->fd, data + answer->size, CHUNK);
	if (got < 0)
		return errno == EINTR ? 1 :
			sb_err_set(err, "a pipe: %s", strerror(errno));
	answer->size += (size_t)got;
	if (answer->size > POOL_ANSWER_MAX)
		return sb_err_set(err, "an answer that is too long");
	return got > 0;
}

/* Wait for something to read, and read it. RET: 0, or -1 with err. */
static int attend(run_t *run, sb_err_t *err)
{
	for (uint32_t i = 0; i < run->worker_count; i++) {
		run->polls[i].fd = run->workers[i].pid ? run->workers[i].fd :
			-1;
		run->polls[i].events = POLLIN;
		run->polls[i].revents = 0;
	}
	if (poll(run->polls, run->worker_count, -1) < 0)
		return errno == EINTR ? 0 :
			sb_err_set(err, "poll: %s", strerror(errno));
	for (uint32_t i = 0; i < run->worker_count; i++) {
		int rc;

		if (!run->polls[i].revents)
			continue;
		rc = read_some(&run->workers[i], err);
		if (rc < 0)
			return -1;
		if (!rc)
			settle(run, &run->workers[i]);
	}
	return 0;
}

static int go(run_t *run, sb_err_t *err)
{
	while (run->done < run->next || run->next < run->count) {
		/* After a failure only those that run are waited for. */
		for (uint32_t i = 0; i < run->worker_count &&
		     run->next < run->count && run->failed == run->count;
		     i++) {
			if (!run->workers[i].pid &&
			    start(run, &run->workers[i], err))
				return -1;
		}
		if (run->done == run->next)
			break;
		if (attend(run, err))
			return -1;
	}
	return 0;
}

static void end_all(run_t *run)
{
	for (uint32_t i = 0; run->workers && i < run->worker_count; i++) {
		worker_t *worker = &run->workers[i];

		if (!worker->pid)
			continue;
		kill(worker->pid, SIGTERM);
		close(worker->fd);
		waitpid(worker->pid, NULL, 0);
		free(worker->answer.data);
	}
	free(run->workers);
	free(run->polls);
}

extern int pool_run(const pool_t *pool, size_t count, uint32_t workers,
		    pool_answer_t *answers, sb_err_t *err)
{
	run_t run = {
		.pool = pool, .count = count, .failed = count,
		.worker_count = workers ? workers : 1, .answers = answers,
	};
	int rc;

	memset(answers, 0, count * sizeof(*answers));
	run.workers = calloc(run.worker_count, sizeof(*run.workers));
	run.polls = calloc(run.worker_count, sizeof(*run.polls));
	fflush(NULL);
	rc = run.workers && run.polls ? go(&run, err) :
		sb_err_set(err, "no memory");
	end_all(&run);
	if (!rc && run.failed < count)
		rc = sb_err_set(err, "%s", run.why.text);
	if (rc)
		pool_free(answers, count);
	return rc;
}
