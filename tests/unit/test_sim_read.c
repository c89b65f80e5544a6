/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_sim_read - traces, SWF files and sacct's output: good lines become
 * jobs, each kind of bad one is named by line, column and value, and lenient
 * reading leaves just those out.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "read.h"
#include "zone.h"

#include "suite.h"

#define COUNT(table) (int)(sizeof(table) / sizeof(*(table)))

typedef workload_t *(*read_t)(source_t *, tally_t *, sb_err_t *);

/* Clocks of central Europe, without a file of the system. */
static void set_zone(const char *zone)
{
	setenv("TZ", zone, 1);
	tzset();
}

static void in_berlin(void)
{
	set_zone("CET-1CEST,M3.5.0,M10.5.0/3");
}

static workload_t *read_text(read_t read, const char *text, tally_t *tally,
			     sb_err_t *err)
{
	source_t *source = source_of_text("FILE", text, strlen(text));
	workload_t *workload;

	ck_assert_ptr_nonnull(source);
	workload = read(source, tally, err);
	source_close(source);
	return workload;
}

static workload_t *read_good(read_t read, const char *text)
{
	tally_t tally = { .lenient = false };
	sb_err_t err = { "" };
	workload_t *workload = read_text(read, text, &tally, &err);

	ck_assert_msg(workload != NULL, "%s", err.text);
	ck_assert_uint_eq(workload->skipped, 0);
	return workload;
}

/* One job, one line, and a bad line behind it: the reason, or left out. */
static void refuse(read_t read, const char *head, const char *good,
		   const char *bad, const char *reason)
{
	tally_t tally = { .lenient = false };
	sb_err_t err = { "" };
	char text[4096];
	workload_t *workload;

	snprintf(text, sizeof(text), "%s%s%s\n", head, good, bad);
	workload = read_text(read, text, &tally, &err);
	ck_assert_msg(!workload, "taken: %s", bad);
	ck_assert_msg(!strcmp(err.text, reason), "%s\nsays \"%s\"\nnot  \"%s\"",
		      bad, err.text, reason);
	tally.lenient = true;
	workload = read_text(read, text, &tally, &err);
	ck_assert_msg(workload != NULL, "%s: %s", bad, err.text);
	ck_assert_uint_eq(workload->job_count, 1);
	ck_assert_uint_eq(workload->skipped, 1);
	ck_assert_uint_eq(tally.row_count, 1);
	ck_assert_uint_eq(tally.rows[0].count, 1);
	ck_assert_ptr_nonnull(strstr(reason, tally.rows[0].reason));
	workload_destroy(workload);
}

/* What ends the reading, lenient or not. */
static void stop(read_t read, const char *text, const char *reason)
{
	for (int lenient = 0; lenient < 2; lenient++) {
		tally_t tally = { .lenient = lenient };
		sb_err_t err = { "" };

		ck_assert_ptr_null(read_text(read, text, &tally, &err));
		ck_assert_str_eq(err.text, reason);
	}
}

/* ---------------------------------------------------------------- trace */

#define TRACE_HEAD "job_id,submit_s,wait_s,runtime_s,timelimit_s,gpus," \
	"nodes,account,user,state\n"
#define TRACE_GOOD "1,100,5,60,120,8,1,a,u,COMPLETED\n"

START_TEST(trace_good)
{
	workload_t *workload = read_good(read_trace, TRACE_HEAD
		"7,1000,,60,,16,,a,,\r\n"
		"\n"
		"5,900,30,0,120,1,1,,u,FAILED\n"
		"6,900,,60,,0,2,b,,COMPLETED\n"
		"4,900,,60,,1,,a,,COMPLETED");
	const workload_job_t *job = workload->jobs;

	ck_assert_uint_eq(workload->job_count, 3);
	ck_assert_int_eq(workload->origin, 900);
	ck_assert_uint_eq(job[0].id, 4);
	ck_assert_uint_eq(job[1].id, 5);
	ck_assert_int_eq(job[1].wait, 30);
	ck_assert_int_eq(job[1].limit, 120);
	ck_assert_int_eq(job[1].submit, 0);
	ck_assert_str_eq(workload->assocs[job[1].assoc].name, "u");
	ck_assert_int_eq(job[2].submit, 100);
	ck_assert_uint_eq(job[2].gpus, 16);
	ck_assert_uint_eq(job[2].nodes, 0);
	ck_assert_int_eq(job[2].limit, WORKLOAD_UNKNOWN);
	ck_assert_int_eq(job[2].min_runtime, WORKLOAD_UNKNOWN);
	ck_assert_str_eq(workload->assocs[job[2].assoc].name, WORKLOAD_NOBODY);
	/* The same user of the same account is one. */
	ck_assert_uint_eq(job[0].assoc, job[2].assoc);
	ck_assert_uint_eq(workload->note_count, 1);
	ck_assert_str_eq(workload->notes[0],
			 "1 job without GPUs was left out");
	workload_destroy(workload);
}
END_TEST

START_TEST(trace_columns)
{
	workload_t *workload = read_good(read_trace,
		"GPUS,runtime_s,submit_s,gpu_type,min_runtime_s,checkpoint_s\n"
		"8,60,0,h100,900,0\n8,60,0,b200,,\n8,60,0,h100,0,60\n");
	const workload_job_t *job = workload->jobs;

	ck_assert_uint_eq(workload->type_count, 2);
	ck_assert_str_eq(workload->types[1], "b200");
	ck_assert_int_eq(job[1].type, 1);
	ck_assert_int_eq(job[2].type, 0);
	ck_assert_uint_eq(job[2].id, 3);
	ck_assert_int_eq(job[0].min_runtime, 900);
	ck_assert_int_eq(job[0].checkpoint, 0);
	ck_assert_int_eq(job[1].checkpoint, WORKLOAD_UNKNOWN);
	ck_assert_int_eq(job[2].min_runtime, 0);
	workload_destroy(workload);
}
END_TEST

static const struct {
	const char *line, *reason;
} trace_bad[] = {
	{ "2,1", "FILE:3: fewer fields than the header has, \"2\"" },
	{ "2,1,,60,,8,1,a,u,,", "FILE:3: more fields than the header has, \"2\"" },
	{ "x,1,,60,,8,1,a,u,", "FILE:3: job_id: must be a whole number, \"x\"" },
	{ "1,1,,60,,8,1,a,u,", "FILE:3: job_id: a job before has this number" },
	{ "4294967296,1,,60,,8,1,a,u,", "FILE:3: job_id: is too large, \"4294967296\"" },
	{ "2,,,60,,8,1,a,u,", "FILE:3: submit_s: is empty, \"\"" },
	{ "2,-5,,60,,8,1,a,u,", "FILE:3: submit_s: must be a whole number without a sign, \"-5\"" },
	{ "2, 5,,60,,8,1,a,u,", "FILE:3: submit_s: must be a whole number, \" 5\"" },
	{ "2,1e3,,60,,8,1,a,u,", "FILE:3: submit_s: must be a whole number, \"1e3\"" },
	{ "2,99999999999999999999,,60,,8,1,a,u,", "FILE:3: submit_s: is too large, \"99999999999999999999\"" },
	{ "2,1,1.5,60,,8,1,a,u,", "FILE:3: wait_s: must be a whole number, \"1.5\"" },
	{ "2,1,,,,8,1,a,u,", "FILE:3: runtime_s: is empty, \"\"" },
	{ "2,1,,316224001,,8,1,a,u,", "FILE:3: runtime_s: is too large, \"316224001\"" },
	{ "2,1,,60,1:00,8,1,a,u,", "FILE:3: timelimit_s: must be a whole number, \"1:00\"" },
	{ "2,1,,60,,,1,a,u,", "FILE:3: gpus: is empty, \"\"" },
	{ "2,1,,60,,4194305,1,a,u,", "FILE:3: gpus: is too large, \"4194305\"" },
	{ "2,1,,60,,8,65537,a,u,", "FILE:3: nodes: is too large, \"65537\"" },
	{ "2,1,,60,,8,9,a,u,", "FILE:3: nodes: more nodes than GPUs" },
	{ "2,1,,60,,8,9,a,u,,16,1", "FILE:3: more fields than the header has, \"2\"" },
	{ "2,1,,60,,8,1,a\033[2J,u,", "FILE:3: account: has a control character, \"a\\x1b[2J\"" },
	{ "2,1,,60,,8,1,a,\177,", "FILE:3: user: has a control character, \"\\x7f\"" },
	{ "2,1,,60,,8,1,\"a\",u,", "FILE:3: quotes are not understood, \"2,1,,60,,8,1,\"a\",u,\"" },
};

START_TEST(trace_refused)
{
	refuse(read_trace, TRACE_HEAD, TRACE_GOOD, trace_bad[_i].line,
	       trace_bad[_i].reason);
}
END_TEST

#define HOST_HEAD "submit_s,runtime_s,gpus,nodes,cpus,mem_mb\n"

static const struct {
	const char *line, *reason;
} host_bad[] = {
	{ "1,60,8,1,-1,", "FILE:3: cpus: must be a whole number without a sign, \"-1\"" },
	{ "1,60,8,1,1.5,", "FILE:3: cpus: must be a whole number, \"1.5\"" },
	{ "1,60,8,1,134217729,", "FILE:3: cpus: is too large, \"134217729\"" },
	{ "1,60,8,1,99999999999999999999,", "FILE:3: cpus: is too large, \"99999999999999999999\"" },
	{ "1,60,8,2,1,", "FILE:3: nodes: more nodes than CPUs" },
	{ "1,60,8,1,1,2G", "FILE:3: mem_mb: must be a whole number, \"2G\"" },
	{ "1,60,8,1,1,17592186044417", "FILE:3: mem_mb: is too large, \"17592186044417\"" },
	{ "1,60,8,1,1", "FILE:3: fewer fields than the header has, \"1\"" },
};

START_TEST(host_refused)
{
	refuse(read_trace, HOST_HEAD, "0,60,8,1,16,100\n", host_bad[_i].line,
	       host_bad[_i].reason);
}
END_TEST

/* CPUs and memory, and jobs without GPUs, where they are asked for. */
START_TEST(host_columns)
{
	static const char text[] = HOST_HEAD
		"0,60,8,,134217728,17592186044416\n"
		"1,60,0,2,16,\n"
		"2,60,0,,,100\n"
		"3,60,1,,,\n";
	tally_t tally = { .cpu_jobs = true };
	sb_err_t err = { "" };
	workload_t *workload = read_text(read_trace, text, &tally, &err);
	const workload_job_t *job;

	ck_assert_msg(workload != NULL, "%s", err.text);
	job = workload->jobs;
	ck_assert_uint_eq(workload->job_count, 3);
	ck_assert_uint_eq(job[0].cpus, WORKLOAD_CPUS_MAX);
	ck_assert_uint_eq(job[0].mem_mb, WORKLOAD_MEM_MAX);
	ck_assert_uint_eq(job[1].gpus, 0);
	ck_assert_uint_eq(job[1].cpus, 16);
	ck_assert_uint_eq(job[1].nodes, 2);
	ck_assert_uint_eq(job[2].cpus, 0);
	ck_assert_str_eq(workload->notes[0],
			 "1 job without GPUs and CPUs was left out");
	workload_destroy(workload);
	workload = read_good(read_trace, text);
	ck_assert_uint_eq(workload->job_count, 2);
	ck_assert_str_eq(workload->notes[0],
			 "2 jobs without GPUs were left out");
	workload_destroy(workload);
	workload = read_text(read_trace, HOST_HEAD "1,1,0,,,\n", &tally,
			     &err);
	ck_assert_ptr_null(workload);
	ck_assert_str_eq(err.text, "FILE: no job with GPUs or CPUs in 2 lines");
}
END_TEST

START_TEST(trace_stopped)
{
	stop(read_trace, "", "FILE: is empty");
	stop(read_trace, TRACE_HEAD, "FILE: no job with GPUs in 1 lines");
	stop(read_trace, TRACE_HEAD "1,1,,60,,0,1,a,u,\n",
	     "FILE: no job with GPUs in 2 lines");
	stop(read_trace, "submit_s,runtime_s\n1,1\n",
	     "FILE:1: the header has no such column, \"gpus\"");
	stop(read_trace, "submit_s,submit_s,runtime_s,gpus\n",
	     "FILE:1: this column comes twice in the header, \"submit_s\"");
	stop(read_trace, "submit_s,runtime_s,gpus,limit\n",
	     "FILE:1: no column that is known, \"limit\"");
	stop(read_trace, "submit_s,runtime_s,gpus\n0,60,1\n400000000,60,1\n",
	     "FILE: more than ten years between the first and the last submit");
}
END_TEST

START_TEST(long_names)
{
	char text[512], name[140];

	memset(name, 'n', sizeof(name));
	snprintf(text, sizeof(text), "2,1,,60,,8,1,%.129s,u,", name);
	refuse(read_trace, TRACE_HEAD, TRACE_GOOD, text,
	       "FILE:3: account: is longer than any name, \"nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn...\"");
}
END_TEST

/* ---------------------------------------------------------------- source */

static void write_file(const char *path, const char *mode, const char *text,
		       size_t size)
{
	gzFile file = gzopen(path, mode);

	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(gzwrite(file, text, (unsigned)size), (int)size);
	ck_assert_int_eq(gzclose(file), Z_OK);
}

static workload_t *read_path(const char *path, sb_err_t *err)
{
	tally_t tally = { .lenient = false };
	source_t *source = source_open(path, err);
	workload_t *workload = source ? read_trace(source, &tally, err) : NULL;

	source_close(source);
	return workload;
}

START_TEST(files)
{
	static const char text[] = TRACE_HEAD TRACE_GOOD;
	char path[] = "/tmp/test_sim_read.XXXXXX";
	int fd = mkstemp(path);
	sb_err_t err = { "" };
	workload_t *workload;
	off_t size;

	ck_assert_int_ge(fd, 0);
	write_file(path, "wbT", text, strlen(text));
	workload = read_path(path, &err);
	ck_assert_msg(workload != NULL, "%s", err.text);
	workload_destroy(workload);
	write_file(path, "wb", text, strlen(text));
	workload = read_path(path, &err);
	ck_assert_msg(workload != NULL, "%s", err.text);
	workload_destroy(workload);
	/* cut off, and damaged */
	size = lseek(fd, 0, SEEK_END);
	ck_assert_int_eq(ftruncate(fd, size - 12), 0);
	ck_assert_ptr_null(read_path(path, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "compressed, and cut off"));
	write_file(path, "wb", text, strlen(text));
	ck_assert_int_eq(pwrite(fd, "\xff\xff", 2, 12), 2);
	ck_assert_ptr_null(read_path(path, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "cannot be read"));
	close(fd);
	unlink(path);
	ck_assert_ptr_null(read_path(path, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "No such file or directory"));
	ck_assert_ptr_null(read_path("/tmp", &err));
}
END_TEST

/* Lines of every length around the size that is read at once. */
START_TEST(chunks)
{
	enum { SIZE = 3 * 65536 };
	static char text[SIZE];
	sb_err_t err = { "" };
	char *line;
	size_t len;

	for (size_t step = 65533; step < 65540; step++) {
		source_t *source;
		size_t at = 0;

		memset(text, 'x', sizeof(text));
		for (size_t i = step; i < SIZE; i += step + 1)
			text[i] = '\n';
		source = source_of_text("FILE", text, sizeof(text));
		while (source_line(source, &line, &len, &err) > 0) {
			ck_assert_uint_eq(len, at + step < SIZE ? step :
					  SIZE - at);
			ck_assert_uint_eq(strlen(line), len);
			at += len + 1;
		}
		ck_assert_uint_ge(at, SIZE);
		source_close(source);
	}
}
END_TEST

/* ---------------------------------------------------------------- SWF */

#define SWF_GOOD "1 0 5 60 8 -1 -1 8 120 -1 1 3 2 -1 -1 -1 -1 -1\n"

START_TEST(swf_good)
{
	workload_t *workload = read_good(read_swf,
		"; Version: 2.2\n;  UnixStartTime: 1000000000\n;\n"
		"  1 10 5 60 8 59.25 -1 8 120 -1 1 3 2 -1 -1 -1 -1 -1\n"
		"2 20 -1 60 -1 -1 -1 4 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n"
		"3 20 9 -1 -1 -1 -1 4 60 -1 5 -1 -1 -1 -1 -1 -1 -1\n"
		"1 10 5 30 8 -1 -1 8 120 -1 2 3 2 -1 -1 -1 -1 -1\n"
		"4\t30 0 0 1 -1 -1 1 0 -1 0 3 2 -1 -1 -1 1 7\n");
	const workload_job_t *job = workload->jobs;

	ck_assert_uint_eq(workload->job_count, 3);
	ck_assert_int_eq(workload->origin, 1000000010);
	ck_assert_int_eq(job[0].wait, 5);
	ck_assert_int_eq(job[0].runtime, 60);
	ck_assert_int_eq(job[0].limit, 120);
	ck_assert_uint_eq(job[0].gpus, 8);
	ck_assert_str_eq(workload->assocs[job[0].assoc].name, "u3");
	ck_assert_str_eq(workload->assocs[workload->assocs[job[0].assoc]
			 .parent].name, "g2");
	ck_assert_int_eq(job[1].wait, WORKLOAD_UNKNOWN);
	ck_assert_uint_eq(job[1].gpus, 4);
	ck_assert_int_eq(job[2].limit, WORKLOAD_UNKNOWN);
	ck_assert_uint_eq(workload->note_count, 3);
	workload_destroy(workload);
}
END_TEST

static const struct {
	const char *line, *reason;
} swf_bad[] = {
	{ "2 0 5 60 8 -1 -1 8 120 -1 1 3 2 -1 -1 -1 -1", "FILE:2: fewer than 18 fields" },
	{ "2 0 5 60 8 -1 -1 8 120 -1 1 3 2 -1 -1 -1 -1 -1 -1", "FILE:2: more than 18 fields" },
	{ "1 0 5 60 8 -1 -1 8 120 -1 1 3 2 -1 -1 -1 -1 -1", "FILE:2: job number: a job before has this number" },
	{ "-1 0 5 60 8 -1 -1 8 120 -1 1 3 2 -1 -1 -1 -1 -1", "FILE:2: job number: must be known, \"-1\"" },
	{ "2 -1 5 60 8 -1 -1 8 120 -1 1 3 2 -1 -1 -1 -1 -1", "FILE:2: submit time: must be known, \"-1\"" },
	{ "2 0 -2 60 8 -1 -1 8 120 -1 1 3 2 -1 -1 -1 -1 -1", "FILE:2: wait time: must be a whole number without a sign, \"-2\"" },
	{ "2 0 5 6x 8 -1 -1 8 120 -1 1 3 2 -1 -1 -1 -1 -1", "FILE:2: run time: must be a whole number, \"6x\"" },
	{ "2 0 5 60.5 8 -1 -1 8 120 -1 1 3 2 -1 -1 -1 -1 -1", "FILE:2: run time: must be a whole number, \"60.5\"" },
	{ "2 0 5 60 -1 -1 -1 -1 120 -1 1 3 2 -1 -1 -1 -1 -1", "FILE:2: allocated processors: a job that ran on no processors" },
	{ "2 0 5 60 8 1.x -1 8 120 -1 1 3 2 -1 -1 -1 -1 -1", "FILE:2: average CPU time: must be a number, \"1.x\"" },
	{ "2 0 5 60 8 -1 -1 8 120 -1 6 3 2 -1 -1 -1 -1 -1", "FILE:2: status: is too large, \"6\"" },
	{ "2 0 5 60 8 -1 -1 8 120 -1 1 bob 2 -1 -1 -1 -1 -1", "FILE:2: user: must be a whole number, \"bob\"" },
	{ ";UnixStartTime: soon", "FILE:2: UnixStartTime: must be a whole number, \"soon\"" },
};

START_TEST(swf_refused)
{
	refuse(read_swf, "", SWF_GOOD, swf_bad[_i].line, swf_bad[_i].reason);
}
END_TEST

/* ---------------------------------------------------------------- sacct */

#define SACCT_HEAD "JobIDRaw|JobID|Account|User|Submit|Eligible|Start|End|" \
	"Elapsed|Timelimit|State|AllocTRES|ReqTRES|NNodes|Comment|Cluster\n"
#define T0 "2026-11-02T00:00:00"
#define T1 "2026-11-02T01:00:00"
#define T2 "2026-11-02T03:00:00"
#define SACCT_TIMES T0 "|" T0 "|" T1 "|" T2 "|02:00:00|04:00:00|"
#define SACCT_GOOD "1|1|a|u|" SACCT_TIMES "COMPLETED|gres/gpu=8|||x|c\n"

START_TEST(sacct_good)
{
	workload_t *workload;
	const workload_job_t *job;

	in_berlin();
	workload = read_good(read_sacct, SACCT_HEAD
		"7|7|a|u|" SACCT_TIMES "COMPLETED|billing=64,cpu=64,"
		"gres/gpu:h100=8,gres/gpu=8,mem=1.5T,node=1||1|"
		"x min-runtime=15m|c\n"
		"7.batch|7.batch|a||" SACCT_TIMES "COMPLETED||||x|c\n"
		"7.extern|7.extern|||||||rubbish||||||x|c\n"
		"8|5_7|a|v|" SACCT_TIMES "CANCELLED by 1000|gres/gpu:h100=4,"
		"gres/gpu:b200=4|||min-runtime=|c\n"
		"9|6+0|b|u|" SACCT_TIMES "TIMEOUT|gres/gpu:b200=16|||min-runtime=0|c\n"
		"10|10|a|u|" T0 "|Unknown|Unknown|Unknown|00:00:00|UNLIMITED|"
		"PENDING||gres/gpu=8|||c\n"
		"11|11_[3-9%2]|a|u|" T0 "|Unknown|None|None|00:00:00|UNLIMITED|"
		"PENDING||gres/gpu=8|||c\n"
		"12|12|a|u|" T0 "|" T0 "|Unknown|" T2 "|00:00:00|UNLIMITED|"
		"CANCELLED by 0||gres/gpu=8|||c\n"
		"15|15|a|u|" T0 "|" T0 "|" T2 "|" T2 "|00:00:00|UNLIMITED|"
		"CANCELLED by 0||gres/gpu=8|||c\n"
		"13|13|a|u|" T0 "|" T1 "|" T2 "|Unknown|1-02:03:04|Partition_Limit|"
		"RUNNING|gres/gpu=8||2||c\n"
		"14|14|a|u|" SACCT_TIMES "COMPLETED|cpu=8,mem=4000Mn|||x|c\n");
	job = workload->jobs;
	ck_assert_uint_eq(workload->job_count, 4);
	/* 2026-11-01T23:00:00Z */
	ck_assert_int_eq(workload->origin, 1793574000);
	ck_assert_uint_eq(job[0].id, 7);
	ck_assert_uint_eq(job[0].gpus, 8);
	ck_assert_uint_eq(job[0].nodes, 1);
	ck_assert_uint_eq(job[0].cpus, 64);
	ck_assert_uint_eq(job[0].mem_mb, 1536 * 1024);
	ck_assert_str_eq(workload->types[job[0].type], "h100");
	ck_assert_int_eq(job[0].runtime, 7200);
	ck_assert_int_eq(job[0].limit, 4 * 3600);
	ck_assert_int_eq(job[0].wait, 3600);
	ck_assert_int_eq(job[0].min_runtime, 900);
	ck_assert(job[0].requeueable && !job[0].interactive);
	ck_assert_uint_eq(job[1].gpus, 8);
	ck_assert_int_eq(job[1].type, -1);
	ck_assert_int_eq(job[1].min_runtime, WORKLOAD_UNKNOWN);
	ck_assert_int_eq(job[2].min_runtime, 0);
	ck_assert_uint_eq(job[3].id, 13);
	/* It counts from when it could have run. */
	ck_assert_int_eq(job[3].submit, 3600);
	ck_assert_int_eq(job[3].wait, 7200);
	ck_assert_int_eq(job[3].limit, WORKLOAD_UNKNOWN);
	ck_assert_int_eq(job[3].runtime, 93784);
	ck_assert_uint_eq(job[3].nodes, 2);
	workload_destroy(workload);
}
END_TEST

/* Requeued twice, as -D shows it, in any order. */
START_TEST(sacct_attempts)
{
	static const char *const lines[] = {
		"1|1|a|u|" T0 "|" T0 "|" T1 "|" T2 "|02:00:00|1-00:00:00|PREEMPTED|gres/gpu=8||||c\n",
		"1|1|a|u|" T2 "|" T2 "|2026-11-02T04:00:00|2026-11-02T04:30:00|00:30:00|1-00:00:00|NODE_FAIL|gres/gpu=8|||min-runtime=5m|c\n",
		"1|1|a|u|2026-11-02T04:30:00|2026-11-02T04:32:00|2026-11-02T05:00:00|2026-11-02T05:00:01|00:00:01|1-00:00:00|COMPLETED|gres/gpu=8||||c\n",
	};

	in_berlin();
	for (int i = 0; i < 3; i++) {
		char text[2048];
		workload_t *workload;

		snprintf(text, sizeof(text), "%s%s%s%s", SACCT_HEAD, lines[i],
			 lines[(i + 1) % 3], lines[(i + 2) % 3]);
		workload = read_good(read_sacct, text);
		ck_assert_uint_eq(workload->job_count, 1);
		ck_assert_int_eq(workload->origin, 1793574000);
		ck_assert_int_eq(workload->jobs->runtime, 9001);
		ck_assert_int_eq(workload->jobs->wait, 3600);
		ck_assert_int_eq(workload->jobs->min_runtime, 300);
		workload_destroy(workload);
	}
}
END_TEST

/* Without JobIDRaw tasks of an array have no number, and are told apart. */
START_TEST(sacct_job_id_only)
{
	workload_t *workload = read_good(read_sacct,
		"JobID|Account|Submit|Start|ElapsedRaw|TimelimitRaw|State|AllocTRES|\n"
		"5_1|a|1793574000|1793574060|60|30|REQUEUED|gres/gpu=1|\n"
		"5_2|a|1793574000|1793574060|61|30|COMPLETED|gres/gpu=1|\n"
		"5_1|a|1793574000|1793574120|59|30|COMPLETED|gres/gpu=1|\n"
		"5_1.0|a|||0||COMPLETED||\n"
		"6|a|1793574000|1793574060|60|UNLIMITED|COMPLETED|gres/gpu=1|\n");

	ck_assert_uint_eq(workload->job_count, 3);
	ck_assert_uint_eq(workload->note_count, 1);
	ck_assert_str_eq(workload->notes[0], "1 attempt was added to the first of its job, which needs what both of them ran");
	ck_assert_uint_eq(workload->jobs[0].id, 6);
	ck_assert_int_eq(workload->jobs[0].limit, WORKLOAD_TIME_MAX);
	ck_assert_int_eq(workload->jobs[1].runtime, 119);
	ck_assert_int_eq(workload->jobs[1].limit, 1800);
	ck_assert_int_eq(workload->jobs[2].runtime, 61);
	ck_assert_int_eq(workload->origin, 1793574000);
	workload_destroy(workload);
}
END_TEST

/* Clocks of the night to 2026-10-25 showed 02:00 to 02:59 twice. */
static const struct {
	const char *submit, *start, *end, *elapsed;
	int64_t origin, wait;
} nights[] = {
	/* before, through, and behind: 00:00Z is 02:00 the first time */
	{ "2026-10-25T01:59:59", "2026-10-25T02:30:00", "2026-10-25T02:40:00", "00:10:00", 1792886399, 1801 },
	{ "2026-10-25T02:30:00", "2026-10-25T02:30:00", "2026-10-25T02:10:00", "00:40:00", 1792888200, 0 },
	{ "2026-10-25T02:50:00", "2026-10-25T02:10:00", "2026-10-25T03:10:00", "01:00:00", 1792889400, 1200 },
	{ "2026-10-25T02:50:00", "2026-10-25T02:55:00", "2026-10-25T03:10:00", "01:15:00", 1792889400, 300 },
	{ "2026-10-25T02:50:00", "2026-10-25T03:55:00", "2026-10-25T04:10:00", "00:15:00", 1792889400, 7500 },
	/* spring: 02:00 was 03:00 */
	{ "2026-03-29T01:59:59", "2026-03-29T03:00:00", "2026-03-29T03:00:10", "00:00:10", 1774745999, 1 },
	/* a zone of its own, and seconds */
	{ "2026-10-25T02:30:00+0100", "2026-10-25T02:30:00+01:00", "2026-10-25T01:40:00Z", "00:10:00", 1792891800, 0 },
	{ "1792891800", "1792891801", "1792891811", "00:00:10", 1792891800, 1 },
};

START_TEST(sacct_nights)
{
	char text[1024];
	workload_t *workload;

	in_berlin();
	snprintf(text, sizeof(text), "%s1|1|a|u|%s|%s|%s|%s|%s|1:00:00|"
		 "COMPLETED|gres/gpu=1||||c\n", SACCT_HEAD, nights[_i].submit,
		 nights[_i].submit, nights[_i].start, nights[_i].end,
		 nights[_i].elapsed);
	workload = read_good(read_sacct, text);
	ck_assert_int_eq(workload->origin, nights[_i].origin);
	ck_assert_int_eq(workload->jobs->wait, nights[_i].wait);
	workload_destroy(workload);
}
END_TEST

/* Every hour of two years, in zones with and without their oddities. */
START_TEST(sacct_hours)
{
	static const char *const zones[] = {
		"UTC0", "CET-1CEST,M3.5.0,M10.5.0/3", "EST5EDT,M3.2.0,M11.1.0",
		"LHST-10:30LHDT-11,M10.1.0,M4.1.0", "NPT-5:45", "AAA12",
	};

	set_zone(zones[_i]);
	for (time_t when = 1735689600; when < 1798761600; when += 1800) {
		static zone_t zone;
		zone_time_t time;
		struct tm tm;
		char text[64];

		if (when == 1735689600)
			memset(&zone, 0, sizeof(zone));
		ck_assert_ptr_nonnull(localtime_r(&when, &tm));
		strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
		ck_assert_ptr_null(zone_parse(&zone, text, &time));
		ck_assert_msg(time.count && (time.when[0] == when ||
			      time.when[time.count - 1] == when), "%s", text);
		ck_assert(time.count == 1 || time.when[0] < time.when[1]);
	}
}
END_TEST

#define LINE(id, times, rest) id "|a|u|" times rest
#define AT(submit, start, end, elapsed) \
	submit "|" submit "|" start "|" end "|" elapsed "|1:00:00|"
#define ODD(what) AT(what, T1, T2, "02:00:00")
#define NOT_TIME " is no time like 2026-11-29T17:00:00 (SLURM_TIME_FORMAT must be standard or %s), "
#define TRES(what) "COMPLETED|" what "|||x|c"
#define GPU TRES("gres/gpu=8")

static const struct {
	const char *line, *reason;
} sacct_bad[] = {
	{ "2|2|a", "FILE:3: fewer fields than the header has, \"2\"" },
	{ "2|2|a|u|" SACCT_TIMES GPU "|y|z", "FILE:3: more fields than the header has (a '|' in a free text?), \"2\"" },
	{ LINE("|2", SACCT_TIMES, GPU), "FILE:3: JobIDRaw: is empty, \"\"" },
	{ LINE("2|", SACCT_TIMES, GPU), "FILE:3: JobID: is empty, \"\"" },
	{ LINE("2|x2", SACCT_TIMES, GPU), "FILE:3: JobID: is no job id, \"x2\"" },
	{ LINE("2|2_", SACCT_TIMES, GPU), "FILE:3: JobID: is no job id, \"2_\"" },
	{ LINE("2|2_x", SACCT_TIMES, GPU), "FILE:3: JobID: is no job id, \"2_x\"" },
	{ LINE("2|2*3", SACCT_TIMES, GPU), "FILE:3: JobID: is no job id, \"2*3\"" },
	{ LINE("2|2_[1-3", SACCT_TIMES, GPU), "FILE:3: JobID: is an array without its closing bracket, \"2_[1-3\"" },
	{ LINE("0|2", SACCT_TIMES, GPU), "FILE:3: JobIDRaw: must not be 0, \"0\"" },
	{ LINE("4294967296|2", SACCT_TIMES, GPU), "FILE:3: JobIDRaw: is too large, \"4294967296\"" },
	{ LINE("99999999999999999999999999|2", SACCT_TIMES, GPU), "FILE:3: JobIDRaw: is too large, \"99999999999999999999999999\"" },
	{ LINE("2|2", SACCT_TIMES, "DONE|gres/gpu=8|||x|c"), "FILE:3: State: is no state of a job, \"DONE\"" },
	{ LINE("2|2", SACCT_TIMES, "|gres/gpu=8|||x|c"), "FILE:3: State: is empty, \"\"" },
	{ LINE("2|2", AT(T0, T1, T2, ""), GPU), "FILE:3: Elapsed: is empty, \"\"" },
	{ LINE("2|2", AT(T0, T1, T2, "INVALID"), GPU), "FILE:3: Elapsed: is no time like 1-02:03:04, \"INVALID\"" },
	{ LINE("2|2", AT(T0, T1, T2, "120"), GPU), "FILE:3: Elapsed: is no time like 1-02:03:04, \"120\"" },
	{ LINE("2|2", AT(T0, T1, T2, "02:60:00"), GPU), "FILE:3: Elapsed: is no time like 1-02:03:04, \"02:60:00\"" },
	{ "2|2|a|u|" T0 "|" T0 "|" T1 "|" T2 "|02:00:00|60|" GPU, "FILE:3: Timelimit: is no time limit, \"60\"" },
	{ "2|2|a|u|" T0 "|" T0 "|" T1 "|" T2 "|02:00:00|4h|" GPU, "FILE:3: Timelimit: is no time limit, \"4h\"" },
	{ "2|2|a|u|" T0 "|" T0 "|" T1 "|" T2 "|02:00:00|INVALID|" GPU, "FILE:3: Timelimit: is no time limit, \"INVALID\"" },
	{ LINE("2|2", ODD("Unknown"), GPU), "FILE:3: Submit: is not known, \"Unknown\"" },
	{ LINE("2|2", ODD("2026-11-02"), GPU), "FILE:3: Submit:" NOT_TIME "\"2026-11-02\"" },
	{ LINE("2|2", ODD("2026-11-02 00:00:00"), GPU), "FILE:3: Submit:" NOT_TIME "\"2026-11-02 00:00:00\"" },
	{ LINE("2|2", ODD("11/02-00:00:00"), GPU), "FILE:3: Submit:" NOT_TIME "\"11/02-00:00:00\"" },
	{ LINE("2|2", ODD(T0 "+1"), GPU), "FILE:3: Submit:" NOT_TIME "\"" T0 "+1\"" },
	{ LINE("2|2", ODD("2026-02-29T00:00:00"), GPU), "FILE:3: Submit: is no date of the calendar, \"2026-02-29T00:00:00\"" },
	{ LINE("2|2", ODD("2026-13-01T00:00:00"), GPU), "FILE:3: Submit: is no date of the calendar, \"2026-13-01T00:00:00\"" },
	{ LINE("2|2", ODD("2026-11-02T24:00:00"), GPU), "FILE:3: Submit: is no time of a day, \"2026-11-02T24:00:00\"" },
	{ LINE("2|2", ODD("1969-12-31T00:00:00"), GPU), "FILE:3: Submit: is not between 1970 and 2105, \"1969-12-31T00:00:00\"" },
	{ LINE("2|2", ODD("4294967296"), GPU), "FILE:3: Submit: is too far in the future, \"4294967296\"" },
	{ LINE("2|2", ODD("2026-03-29T02:30:00"), GPU), "FILE:3: Submit: never was in this time zone: clocks went forward (see --tz), \"2026-03-29T02:30:00\"" },
	{ LINE("2|2", AT(T0, T2, T1, "02:00:00"), GPU), "FILE:3: End: is before Start, \"" T1 "\"" },
	{ LINE("2|2", AT(T0, "Unknown", T1, "02:00:00"), GPU), "FILE:3: Start: is not known, yet it ran, \"Unknown\"" },
	{ LINE("2|2", SACCT_TIMES, TRES("gres/gpu")), "FILE:3: AllocTRES: a resource that is not NAME=COUNT, \"gres/gpu\"" },
	{ LINE("2|2", SACCT_TIMES, TRES("=8")), "FILE:3: AllocTRES: a resource that is not NAME=COUNT, \"=8\"" },
	{ LINE("2|2", SACCT_TIMES, TRES("cpu=8,,mem=1G")), "FILE:3: AllocTRES: a resource that is not NAME=COUNT, \"\"" },
	{ LINE("2|2", SACCT_TIMES, TRES("cpu=8,gres/gpu=x")), "FILE:3: AllocTRES: a resource without a whole number, \"gres/gpu=x\"" },
	{ LINE("2|2", SACCT_TIMES, TRES("gres/gpu=-8")), "FILE:3: AllocTRES: a resource without a whole number, \"gres/gpu=-8\"" },
	{ LINE("2|2", SACCT_TIMES, TRES("mem=8Q")), "FILE:3: AllocTRES: a resource with an unknown unit, \"mem=8Q\"" },
	{ LINE("2|2", SACCT_TIMES, TRES("gres/gpu=5000000")), "FILE:3: AllocTRES: more GPUs than any job has, \"gres/gpu=5000000\"" },
	{ LINE("2|2", SACCT_TIMES, TRES("gres/gpu:h100=8,gres/gpu:b200=4G")), "FILE:3: AllocTRES: more GPUs than any job has, \"gres/gpu:b200=4G\"" },
	{ LINE("2|2", SACCT_TIMES, TRES("gres/gpu:=8")), "FILE:3: AllocTRES: a type of GPU without a name, or with too long a one, \"gres/gpu:=8\"" },
	{ LINE("2|2", SACCT_TIMES, TRES("gres/gpu:h 1=8")), "FILE:3: AllocTRES: a type of GPU with an odd character, \"gres/gpu:h 1=8\"" },
	{ LINE("2|2", SACCT_TIMES, TRES("node=65537")), "FILE:3: AllocTRES: more nodes than Slurm knows, \"node=65537\"" },
	{ LINE("2|2", SACCT_TIMES, TRES("gres/gpu=1,mem=17592186044417M")), "FILE:3: AllocTRES: more memory than any job has, \"mem=17592186044417M\"" },
	{ LINE("2|2", SACCT_TIMES, TRES("gres/gpu=1,mem=999999999999999P")), "FILE:3: AllocTRES: more memory than any job has, \"mem=999999999999999P\"" },
	{ LINE("2|2", SACCT_TIMES, TRES("cpu=134217729")), "FILE:3: AllocTRES: more CPUs than any job has, \"cpu=134217729\"" },
	{ LINE("2|2", SACCT_TIMES, TRES("cpu=5G")), "FILE:3: AllocTRES: more CPUs than any job has, \"cpu=5G\"" },
	{ LINE("2|2", SACCT_TIMES, TRES("cpu=99999999999999999999")), "FILE:3: AllocTRES: a count that is too large, \"cpu=99999999999999999999\"" },
	{ LINE("2|2", SACCT_TIMES, "PENDING||gres/gpu=x||x|c"), "FILE:3: ReqTRES: a resource without a whole number, \"gres/gpu=x\"" },
	{ LINE("2|2", SACCT_TIMES, "COMPLETED|gres/gpu=8||n1|x|c"), "FILE:3: NNodes: must be a whole number, \"n1\"" },
	{ LINE("2|2", SACCT_TIMES, "COMPLETED|gres/gpu=8|||x|d"), "FILE:3: Cluster: not the cluster of the lines before, \"d\"" },
	{ "2|2|a\x01|u|" SACCT_TIMES GPU, "FILE:3: Account: has a control character, \"a\\x01\"" },
	{ "1|1|b|u|" SACCT_TIMES GPU, "FILE:3: JobID: another job had this number (read what is between two resets of job ids at a time)" },
};

START_TEST(sacct_refused)
{
	in_berlin();
	refuse(read_sacct, SACCT_HEAD, SACCT_GOOD, sacct_bad[_i].line,
	       sacct_bad[_i].reason);
}
END_TEST

/* Attempts: the most of each; a job without GPUs where it is asked for. */
START_TEST(sacct_hosts)
{
	static const char text[] = SACCT_HEAD
		LINE("1|1", SACCT_TIMES, TRES("cpu=4,mem=64G,node=1")) "\n"
		LINE("2|2", SACCT_TIMES, TRES("cpu=4,gres/gpu=1,mem=1T")) "\n"
		LINE("2|2", SACCT_TIMES, TRES("cpu=8,gres/gpu=1,mem=1G")) "\n"
		LINE("3|3", SACCT_TIMES, TRES("billing=1,node=1")) "\n";
	tally_t tally = { .cpu_jobs = true };
	sb_err_t err = { "" };
	workload_t *workload;

	in_berlin();
	workload = read_text(read_sacct, text, &tally, &err);
	ck_assert_msg(workload != NULL, "%s", err.text);
	ck_assert_uint_eq(workload->job_count, 2);
	ck_assert_uint_eq(workload->jobs[0].gpus, 0);
	ck_assert_uint_eq(workload->jobs[0].cpus, 4);
	ck_assert_uint_eq(workload->jobs[0].mem_mb, 64 * 1024);
	ck_assert_uint_eq(workload->jobs[1].cpus, 8);
	ck_assert_uint_eq(workload->jobs[1].mem_mb, 1024 * 1024);
	workload_destroy(workload);
	workload = read_good(read_sacct, text);
	ck_assert_uint_eq(workload->job_count, 1);
	workload_destroy(workload);
}
END_TEST

/* KB of a processor: what was asked for, else what was used, and of two that
 * nobody knows none. What no job has is cut off. */
START_TEST(swf_memory)
{
	workload_t *workload = read_good(read_swf,
		"1 0 5 60 8 -1 512 8 120 1024 1 3 2 -1 -1 -1 -1 -1\n"
		"2 1 5 60 8 -1 512 8 120 -1 1 3 2 -1 -1 -1 -1 -1\n"
		"3 2 5 60 8 -1 -1 8 120 -1 1 3 2 -1 -1 -1 -1 -1\n"
		"4 3 5 60 8 -1 -1 8 120 4000000000000000000 1 3 2 -1 -1 -1 -1 -1\n");

	ck_assert_uint_eq(workload->jobs[0].mem_mb, 8);
	ck_assert_uint_eq(workload->jobs[1].mem_mb, 4);
	ck_assert_uint_eq(workload->jobs[2].mem_mb, 0);
	ck_assert_uint_eq(workload->jobs[3].mem_mb, WORKLOAD_MEM_MAX);
	workload_destroy(workload);
}
END_TEST

START_TEST(sacct_stopped)
{
	stop(read_sacct, "", "FILE: is empty");
	stop(read_sacct, SACCT_HEAD, "FILE: no job with GPUs in 1 lines");
	stop(read_sacct, SACCT_GOOD,
	     "FILE:1: the header has no such column, \"Account\"");
	stop(read_sacct, "Account|Submit|Start|State|AllocTRES|Elapsed\n",
	     "FILE:1: the header has no such column, \"JobIDRaw\"");
	stop(read_sacct, "JobID|Account|Submit|Start|State|AllocTRES\n",
	     "FILE:1: the header has no such column, \"Elapsed\"");
	stop(read_sacct, "JobID|JobID|Account|Submit|Start|State|AllocTRES\n",
	     "FILE:1: this column comes twice in the header, \"JobID\"");
}
END_TEST

/* IN bad: of a line behind a good one; its text can hold anything. */
static workload_t *read_odd(read_t read, const char *head, const char *good,
			    const char *bad, size_t size, tally_t *tally,
			    sb_err_t *err)
{
	size_t before = strlen(head) + strlen(good);
	char *text = malloc(before + size + 1);
	workload_t *workload;
	source_t *source;

	ck_assert_ptr_nonnull(text);
	snprintf(text, before + 1, "%s%s", head, good);
	memcpy(text + before, bad, size);
	text[before + size] = '\n';
	source = source_of_text("FILE", text, before + size + 1);
	ck_assert_ptr_nonnull(source);
	workload = read(source, tally, err);
	source_close(source);
	free(text);
	return workload;
}

static void refuse_odd(read_t read, const char *head, const char *good,
		       const char *bad, size_t size, const char *reason)
{
	tally_t tally = { .lenient = false };
	sb_err_t err = { "" };
	workload_t *workload;
	char all[128];

	snprintf(all, sizeof(all), "FILE:%d: %s", *head ? 3 : 2, reason);
	ck_assert_ptr_null(read_odd(read, head, good, bad, size, &tally,
				    &err));
	ck_assert_str_eq(err.text, all);
	tally.lenient = true;
	workload = read_odd(read, head, good, bad, size, &tally, &err);
	ck_assert_msg(workload != NULL, "%s", err.text);
	ck_assert_uint_eq(workload->job_count, 1);
	ck_assert_uint_eq(tally.total, 1);
	ck_assert_str_eq(tally.rows[0].reason, reason);
	workload_destroy(workload);
	/* There is no second try for a header. */
	if (*head) {
		snprintf(all, sizeof(all), "FILE:1: %s", reason);
		ck_assert_ptr_null(read_odd(read, "", "", bad, size, &tally,
					    &err));
		ck_assert_str_eq(err.text, all);
	}
}

/* Lines that are no text, in each format. */
START_TEST(odd_bytes)
{
	static const struct {
		read_t read;
		const char *head, *good;
	} formats[] = {
		{ read_trace, TRACE_HEAD, TRACE_GOOD },
		{ read_swf, "", SWF_GOOD },
		{ read_sacct, SACCT_HEAD, SACCT_GOOD },
	};
	size_t size = SOURCE_LINE_MAX * 2 + 10;
	char *text = malloc(size);

	ck_assert_ptr_nonnull(text);
	memset(text, '1', size);
	for (int i = 0; i < COUNT(formats); i++) {
		refuse_odd(formats[i].read, formats[i].head, formats[i].good,
			   "1,\0,,", 5, "a NUL byte: this is no text");
		refuse_odd(formats[i].read, formats[i].head, formats[i].good,
			   text, size, "a line of more than 1048576 bytes");
		refuse_odd(formats[i].read, formats[i].head, formats[i].good,
			   text, SOURCE_LINE_MAX + 1,
			   "a line of more than 1048576 bytes");
	}
	free(text);
}
END_TEST

/* Bad lines of many kinds: each is counted, and good ones are all taken. */
START_TEST(lenient_counts)
{
	enum { KINDS = sizeof(sacct_bad) / sizeof(*sacct_bad), ROUNDS = 3 };
	tally_t tally = { .lenient = true };
	sb_err_t err = { "" };
	char *text = malloc(1 << 20), row[512];
	size_t at = 0, total = 0;
	workload_t *workload;

	in_berlin();
	ck_assert_ptr_nonnull(text);
	at = (size_t)sprintf(text, "%s%s", SACCT_HEAD, SACCT_GOOD);
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < KINDS; i++)
			at += (size_t)sprintf(text + at, "%s\n",
					      sacct_bad[i].line);
		at += (size_t)sprintf(text + at, "10%d|1|a|u|" SACCT_TIMES
				      "COMPLETED|gres/gpu=8|||x|c\n", round);
	}
	workload = read_text(read_sacct, text, &tally, &err);
	ck_assert_msg(workload != NULL, "%s", err.text);
	ck_assert_uint_eq(workload->job_count, 1 + ROUNDS);
	ck_assert_uint_eq(workload->skipped, KINDS * ROUNDS);
	for (size_t i = 0; i < tally.row_count; i++) {
		total += tally.rows[i].count;
		ck_assert_uint_eq(tally.rows[i].count % ROUNDS, 0);
		ck_assert_ptr_nonnull(strstr(tally_text(&tally.rows[i], row,
							sizeof(row)),
					     tally.rows[i].reason));
	}
	ck_assert_uint_eq(total, KINDS * ROUNDS);
	workload_destroy(workload);
	free(text);
}
END_TEST

/* ---------------------------------------------------------------- workload */

START_TEST(workload_bounds)
{
	workload_t *workload = workload_create();
	workload_job_t job = { .id = 1 };
	sb_err_t err = { "" };
	int32_t account, user;

	workload_destroy(NULL);
	ck_assert_int_eq(workload_assoc(workload, 0, "", false, &err), -1);
	ck_assert_int_eq(workload_assoc(workload, 0, NULL, false, &err), -1);
	ck_assert_int_eq(workload_assoc(workload, 7, "a", false, &err), -1);
	ck_assert_int_eq(workload_assoc(workload, -1, "a", false, &err), -1);
	account = workload_assoc(workload, 0, "a", false, &err);
	user = workload_assoc(workload, account, "u", true, &err);
	ck_assert_int_eq(user, 2);
	ck_assert_int_eq(workload_assoc(workload, user, "x", true, &err), -1);
	ck_assert_int_eq(workload_assoc(workload, account, "u", false, &err),
			 -1);
	ck_assert_int_eq(workload_assoc(workload, account, "u", true, &err),
			 user);
	/* jobs belong to users */
	job.assoc = (uint32_t)account;
	ck_assert_int_eq(workload_add(workload, &job, &err), -1);
	job.assoc = 99;
	ck_assert_int_eq(workload_add(workload, &job, &err), -1);
	job.assoc = (uint32_t)user;
	ck_assert_int_eq(workload_add(workload, &job, &err), 0);
	for (int i = 0; i < WORKLOAD_TYPES_MAX; i++) {
		char name[16];

		snprintf(name, sizeof(name), "t%d", i);
		ck_assert_int_eq(workload_type(workload, name, &err), i);
		ck_assert_int_eq(workload_type(workload, name, &err), i);
	}
	ck_assert_int_eq(workload_type(workload, "more", &err), -1);
	workload_destroy(workload);
}
END_TEST

/* Thousands of names, found again, each below its own parent. */
START_TEST(workload_names)
{
	workload_t *workload = workload_create();
	sb_err_t err = { "" };
	char name[16];

	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < 3000; i++) {
			int32_t account, user;

			snprintf(name, sizeof(name), "n%d", i % 50);
			account = workload_assoc(workload, 0, name, false,
						 &err);
			snprintf(name, sizeof(name), "n%d", i / 50);
			user = workload_assoc(workload, account, name, true,
					      &err);
			ck_assert_int_eq(workload->assocs[user].parent,
					 account);
			ck_assert_str_eq(workload->assocs[user].name, name);
		}
		ck_assert_uint_eq(workload->assoc_count, 1 + 50 + 3000);
	}
	workload_destroy(workload);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("sim_read");
	TCase *tc = tcase_create("all");

	tcase_add_test(tc, workload_bounds);
	tcase_add_test(tc, workload_names);
	tcase_add_test(tc, trace_good);
	tcase_add_test(tc, trace_columns);
	tcase_add_loop_test(tc, trace_refused, 0, COUNT(trace_bad));
	tcase_add_test(tc, trace_stopped);
	tcase_add_loop_test(tc, host_refused, 0, COUNT(host_bad));
	tcase_add_test(tc, host_columns);
	tcase_add_test(tc, sacct_hosts);
	tcase_add_test(tc, swf_memory);
	tcase_add_test(tc, long_names);
	tcase_add_test(tc, files);
	tcase_add_test(tc, odd_bytes);
	tcase_add_test(tc, chunks);
	tcase_add_test(tc, swf_good);
	tcase_add_loop_test(tc, swf_refused, 0, COUNT(swf_bad));
	tcase_add_test(tc, sacct_good);
	tcase_add_test(tc, sacct_attempts);
	tcase_add_test(tc, sacct_job_id_only);
	tcase_add_loop_test(tc, sacct_nights, 0, COUNT(nights));
	tcase_add_loop_test(tc, sacct_hours, 0, 6);
	tcase_add_loop_test(tc, sacct_refused, 0, COUNT(sacct_bad));
	tcase_add_test(tc, sacct_stopped);
	tcase_add_test(tc, lenient_counts);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return suite_run(suite());
}
