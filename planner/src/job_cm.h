/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A connection matrix as read, and when its connections run.
 */
#pragma once
#include "job_private.h"

struct planner_cm_flow {
	uint32_t src, dst; /* node numbers of the file */
	uint32_t line;
	uint32_t depth;	    /* triggers on the way from a start */
	uint64_t bytes;	    /* 0: without end */
	uint64_t starts_on; /* trigger; 0: by itself */
	uint64_t fires[2];  /* triggers, when sent and when received; 0: none */
};

struct planner_cm_trigger {
	uint64_t id;
	uint32_t line;
	uint32_t needs; /* how often it must be fired: the count of a barrier, else 1 */
};

struct planner_cm {
	struct planner_cm_flow *flows;
	uint32_t n_flows;
	size_t cap_flows;
	struct planner_cm_trigger *triggers; /* by id once planner_cm_order() has run */
	uint32_t n_triggers;
	size_t cap_triggers;
};

/*
 * Follows the triggers: gives each flow its depth.  *ret_is_ordered: each depth begins
 * only when all flows of the one before have ended, so that depths are phases.
 *
 * -BASE_E_UNKNOWN: a trigger that is not defined; -BASE_E_DUPLICATE: defined twice;
 * -BASE_E_INVALID: a flow that never starts.  @file is for messages.
 */
int planner_cm_order(struct planner_cm *cm, const char *file, bool *ret_is_ordered,
		     struct base_err *err) BASE_MUST_CHECK;
