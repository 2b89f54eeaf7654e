/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as "fairlead.job.v1".  What is accepted makes a sound problem; read once more
 * on top of itself it makes the same connections again, all in one phase when there are
 * several jobs.
 */
#include <gen/jobs.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SIZE_MAX_BYTES 4096u /* bounds the pairs of an all-to-all */

static void check(bool holds)
{
	if (!holds)
		abort();
}

static void check_again(struct gen_job *j, const char *data, size_t size)
{
	uint32_t n_conns = j->p.n_conns, n_jobs = j->p.n_jobs;

	check(gen_job_bytes(j, data, size) == 0);
	check(gen_job_is_sound(j, 0));
	check(j->p.n_conns == 2 * n_conns && j->p.n_jobs == 2 * n_jobs);
	check(j->p.n_phases <= 1);
	for (uint32_t i = 0; i < n_conns; i++) {
		const struct planner_conn *a = &j->p.conns[i], *b = a + n_conns;

		check(a->src_nic == b->src_nic && a->dst_nic == b->dst_nic);
		check(a->bytes == b->bytes && a->plane == b->plane);
		check(a->job + n_jobs == b->job);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct gen_job j;
	int r;

	if (size > SIZE_MAX_BYTES)
		return 0;
	gen_job_init(&j, 4, 4, 2);
	r = gen_job_bytes(&j, (const char *)data, size);
	check(gen_job_is_sound(&j, r));
	if (r == 0)
		check_again(&j, (const char *)data, size);
	gen_job_fini(&j);
	return 0;
}
