/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any text as the short form of a job.  What is accepted makes a sound problem, and the
 * same one a second time; what is refused changes nothing and says why.
 */
#include <gen/jobs.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SIZE_MAX_BYTES 8192u

static void check(bool holds)
{
	if (!holds)
		abort();
}

static int read_form(struct gen_job *j, const char *form)
{
	int r;

	gen_job_init(j, 4, 4, 2);
	r = gen_job_form(j, form);
	check(gen_job_is_sound(j, r));
	/* A form always sends something. */
	check(r < 0 || j->p.n_conns > 0 || j->p.local_conns > 0);
	return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct gen_job first, second;
	char *form;

	if (size > SIZE_MAX_BYTES)
		return 0;
	form = calloc(size + 1, 1);
	check(form != NULL);
	if (size > 0)
		memcpy(form, data, size);
	check(read_form(&first, form) == read_form(&second, form));
	check(planner_problem_fingerprint(&first.p) ==
	      planner_problem_fingerprint(&second.p));
	check(strcmp(first.err.message, second.err.message) == 0);
	gen_job_fini(&first);
	gen_job_fini(&second);
	free(form);
	return 0;
}
