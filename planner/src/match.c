/* SPDX-License-Identifier: Apache-2.0 */
#include "match.h"
#include <base/mem.h>
#include <base/table.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct key {
	uint32_t job, src, dst, phase, conn;
};

static int compare_same(const struct key *x, const struct key *y)
{
	const uint32_t a[] = { x->job, x->src, x->dst, x->phase };
	const uint32_t b[] = { y->job, y->src, y->dst, y->phase };

	for (size_t i = 0; i < BASE_COUNT(a); i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

static int compare_keys(const void *a, const void *b)
{
	const struct key *x = a, *y = b;
	int order = compare_same(x, y);

	return order ? order : (x->conn > y->conn) - (x->conn < y->conn);
}

/* Ids of job names that are equal in both problems; @names collects them. */
static int job_ids(const struct planner_problem *p, struct base_table *names,
		   uint32_t **ret_ids)
{
	uint32_t *ids = base_array_new(p->n_jobs, sizeof(*ids));

	if (!ids)
		return -ENOMEM;
	for (uint32_t j = 0; j < p->n_jobs; j++)
		if (base_table_add(names, p->job_names[j], strlen(p->job_names[j]),
				   &ids[j]) < 0) {
			free(ids);
			return -ENOMEM;
		}
	*ret_ids = ids;
	return 0;
}

static struct key key_of(const struct planner_problem *p, const uint32_t *jobs,
			 uint32_t c)
{
	const struct planner_conn *conn = &p->conns[c];

	return (struct key){ jobs[conn->job], conn->src_nic, conn->dst_nic, conn->phase,
			     c };
}

static struct key *sorted_keys(const struct planner_problem *p, const uint32_t *jobs)
{
	struct key *keys = base_array_new(p->n_conns, sizeof(*keys));

	for (uint32_t c = 0; keys && c < p->n_conns; c++)
		keys[c] = key_of(p, jobs, c);
	if (keys)
		qsort(keys, p->n_conns, sizeof(*keys), compare_keys);
	return keys;
}

static int match_sorted(const struct planner_problem *p,
			const struct planner_problem *old_p, const uint32_t *jobs,
			const uint32_t *old_jobs, uint32_t *match)
{
	struct key *keys = sorted_keys(p, jobs), *old = sorted_keys(old_p, old_jobs);
	uint32_t at = 0;
	int r = keys && old ? 0 : -ENOMEM;

	for (uint32_t i = 0; r == 0 && i < p->n_conns; i++) {
		while (at < old_p->n_conns && compare_same(&old[at], &keys[i]) < 0)
			at++;
		if (at < old_p->n_conns && compare_same(&old[at], &keys[i]) == 0)
			match[keys[i].conn] = old[at++].conn;
	}
	free(keys);
	free(old);
	return r;
}

int planner_match(const struct planner_problem *p, const struct planner_problem *old_p,
		  uint32_t **ret_match)
{
	struct base_table names;
	uint32_t *jobs = NULL, *old_jobs = NULL;
	uint32_t *match = base_array_new(p->n_conns, sizeof(*match));
	bool in_order = p->n_conns == old_p->n_conns;
	int r = match ? 0 : -ENOMEM;

	base_table_init(&names);
	if (r == 0)
		r = job_ids(p, &names, &jobs);
	if (r == 0)
		r = job_ids(old_p, &names, &old_jobs);
	/* The usual case, the same job again, needs no sorting. */
	for (uint32_t c = 0; r == 0 && in_order && c < p->n_conns; c++) {
		struct key now = key_of(p, jobs, c), then = key_of(old_p, old_jobs, c);

		in_order = compare_same(&now, &then) == 0;
		match[c] = c;
	}
	if (r == 0 && !in_order) {
		memset(match, 0xff, p->n_conns * sizeof(*match));
		r = match_sorted(p, old_p, jobs, old_jobs, match);
	}
	free(jobs);
	free(old_jobs);
	base_table_fini(&names);
	if (r < 0)
		free(match);
	else
		*ret_match = match;
	return r;
}
