/* SPDX-License-Identifier: Apache-2.0 */
#include "job_private.h"
#include "problem_private.h"
#include <base/num.h>
#include <base/str.h>
#include <errno.h>
#include <string.h>

#define BYTES_DEFAULT ((uint64_t)1 << 30)

/* Asked in this order. */
static const struct planner_job_source *const sources[] = {
	&planner_job_source_json,
	&planner_job_source_simai,
	&planner_job_source_aicb,
	&planner_job_source_cm,
};

int planner_job_assume(struct planner_problem *p, struct base_err *err, const char *name,
		       const char *reason, const char *fmt, ...)
{
	struct base_str value;
	va_list ap;
	int r;

	base_str_init(&value, 0);
	va_start(ap, fmt);
	base_str_addv(&value, fmt, ap);
	va_end(ap);
	r = base_str_error(&value);
	if (r == 0)
		r = planner_problem_assume(p, name, base_str_text(&value), reason);
	base_str_fini(&value);
	return r < 0 ? base_err_set(err, r, "no memory for an assumption") : 0;
}

int planner_job_refuse_hosts(const struct planner_job_reading *reading, const char *what,
			     struct base_err *err)
{
	if (reading->options->hosts == 0 && reading->options->jobs <= 1)
		return 0;
	if (reading->data)
		base_err_at(err, reading->name, 0, 0);
	return base_err_set(
		err, -BASE_E_INVALID,
		"%s names its NICs itself: hosts and jobs cannot be chosen for "
		"it",
		what);
}

int planner_job_default_bytes(const struct planner_job_reading *reading,
			      uint64_t *ret_bytes, struct base_err *err)
{
	uint64_t bytes = reading->options->bytes;
	char text[BASE_NUM_TEXT_MAX];
	int r;

	if (bytes == 0)
		bytes = BYTES_DEFAULT;
	r = planner_job_assume(reading->p, err, "bytes",
			       "the job does not say how much is sent; relative loads do "
			       "not depend on it",
			       "%s", base_num_format_size(bytes, text));
	if (r == 0)
		*ret_bytes = bytes;
	return r;
}

/* NULL: nobody's, recorded in @err. */
static const struct planner_job_source *
find_source(const struct planner_job_reading *reading, struct base_err *err)
{
	for (size_t i = 0; i < BASE_COUNT(sources); i++)
		if (sources[i]->is_mine(reading->data, reading->len))
			return sources[i];
	base_err_at(err, reading->name, 1, 1);
	base_err_set(err, -BASE_E_SYNTAX, "not a job: expected %s, %s, %s or %s",
		     sources[0]->what, sources[1]->what, sources[2]->what,
		     sources[3]->what);
	return NULL;
}

/*
 * Phases are common to all jobs of a problem, and jobs do not wait for one another: when
 * any of several jobs has more than one phase, nothing is known about which phases meet.
 * What holds when all traffic is there at once holds at any shift.
 */
static int collapse_phases(struct planner_problem *p, struct base_err *err)
{
	int r;

	r = planner_job_assume(
		p, err, "phases",
		"the jobs are not synchronised, so any of their phases may "
		"meet",
		"all %u taken as one", p->n_phases);
	if (r < 0)
		return r;
	for (uint32_t i = 0; i < p->n_conns; i++)
		p->conns[i].phase = 0;
	p->n_phases = 1;
	return 0;
}

static int read_source(struct planner_job_reading *reading, struct base_err *err)
{
	const struct planner_job_source *source;

	if (!reading->data)
		return planner_job_form_read(reading, err);
	source = find_source(reading, err);
	return source ? source->read(reading, err) : -BASE_E_SYNTAX;
}

int planner_job_read(struct planner_problem *p, const struct topo_names *names,
		     const char *name, const char *data, size_t len,
		     const struct planner_job_options *options, struct base_err *err)
{
	struct planner_problem_mark mark = planner_problem_mark(p);
	struct planner_job_reading reading = {
		p, names, name, data, len, options, false
	};
	int r = read_source(&reading, err);

	if (r == 0)
		r = planner_problem_add_reverse_from(p, mark.n_conns,
						     options->reverse_ppm, err);
	if (r == 0 && p->n_jobs > 1 && p->n_phases > 1 &&
	    !(reading.is_synchronised && mark.n_jobs == 0))
		r = collapse_phases(p, err);
	if (r < 0)
		planner_problem_rewind(p, &mark);
	return r;
}

const char *const *planner_job_forms(void)
{
	static const char *const forms[] = {
		"ring:hosts=N              all-reduce on a ring over N hosts",
		"tree:hosts=N              all-reduce on a double binary tree",
		"halving-doubling:hosts=N  all-reduce in steps, each a phase",
		"all-to-all:hosts=N        every host to every other",
		"permutation:hosts=N       every NIC to one other",
		"p2p:from=NIC,to=NIC       one connection",
		"mix:hosts=N               a ring, a pipeline and experts at once",
		NULL,
	};

	return forms;
}
