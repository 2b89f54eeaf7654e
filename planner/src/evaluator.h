/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Evaluation of many plans of one problem: what does not depend on the plan is worked out
 * once, and memory is kept.  Private to planner/src.
 */
#pragma once
#include "maxmin_private.h"
#include <planner/evaluate.h>
#include <stdbool.h>

/* Connections of one job and phase. */
struct evaluator_group {
	uint32_t job;
	uint32_t begin, end; /* into order */
	double reference_s;  /* what its busiest NIC needs at line rate */
};

struct evaluator {
	const struct planner_problem *p;
	uint64_t *capacity_bps; /* [hop] */
	uint32_t n_hops;	/* of the graph */
	bool has_dead_links;
	bool nic_links_only; /* set by the caller: switch links limit nothing */
	uint32_t *order;     /* connections by phase, job, id */
	struct evaluator_group *groups; /* by phase, job */
	uint32_t n_groups;
	uint32_t *phase_groups; /* [phase] first of its groups; n_phases + 1 */
	struct maxmin net;
	/* The flows of the phase at hand, in order */
	uint32_t *first, *hops;
	uint32_t *flow_group; /* [flow] group within the phase */
	size_t cap_first, cap_hops, cap_flow_group;
	uint64_t *slowest;			  /* [group within the phase] */
	double *job_seconds[2], *job_reference_s; /* [sharing][job], [job] */
};

int evaluator_init(struct evaluator *e, const struct planner_problem *p) BASE_MUST_CHECK;
void evaluator_fini(struct evaluator *e);

/*
 * Evaluates a plan in those sharings (enum planner_sharing) whose @ret is not NULL, out
 * of one filling.  @jobs_ppm[sharing] may be NULL.  -EINVAL: not a plan of this problem.
 */
int evaluator_run(struct evaluator *e, const struct planner_plan *plan,
		  struct planner_busbw *const ret[2],
		  uint64_t *const jobs_ppm[2]) BASE_MUST_CHECK;
