/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A workload: what one iteration of a training job sends in each kind of group, as AICB
 * and SimAI describe it; and how it becomes connections.
 */
#pragma once
#include "job_private.h"

/*
 * Ranks are numbered as Megatron does: tensor parallel fastest, then expert and data
 * parallel, pipeline slowest.
 */
enum planner_workload_group {
	PLANNER_WORKLOAD_TP,
	PLANNER_WORKLOAD_DP,
	PLANNER_WORKLOAD_PP,
	PLANNER_WORKLOAD_EP,
	PLANNER_WORKLOAD_DP_EP, /* replicas of the same experts */
	PLANNER_WORKLOAD_EP_TP,
	PLANNER_WORKLOAD_EMBEDDING, /* first and last stage */
	PLANNER_WORKLOAD_ALL,
	PLANNER_WORKLOAD_GROUPS
};

struct planner_workload {
	uint32_t tp, pp, ep, world; /* 0: not said */
	/* Sums over an iteration, for each rank. */
	uint64_t bytes[PLANNER_WORKLOAD_GROUPS][PLANNER_COLLECTIVES];
	uint64_t forward_bytes, backward_bytes; /* from stage to stage */
};

/* -BASE_E_TOO_LARGE: the sum is beyond any training job; nothing was added. */
int planner_workload_add(struct planner_workload *w, enum planner_workload_group group,
			 enum planner_collective what, uint64_t bytes) BASE_MUST_CHECK;
int planner_workload_add_to(uint64_t *sum_bytes, uint64_t bytes) BASE_MUST_CHECK;

/*
 * Places the ranks and adds a job (or reading->options->jobs of them).  Errors name the
 * file, without line.
 */
int planner_workload_build(const struct planner_job_reading *reading,
			   const struct planner_workload *w,
			   struct base_err *err) BASE_MUST_CHECK;
