/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The demonstration: situations that are planned, and the page that shows them.
 */
#pragma once
#include "plan.h"

/* One situation: a fabric, jobs, and what the reader should know about them. */
struct demo_case {
	const char *id; /* of the section in the page */
	const char *name;
	const char *about;	/* one paragraph */
	const char *finding;	/* what to see in the numbers, one paragraph */
	const char *generate;	/* the command that makes the fabric */
	const char *job, *down; /* as for "plan make"; @down NULL: no link is dead */
	uint32_t qps;
	int (*make)(struct topo_graph **ret_g, struct base_err *err);
};

/* All situations: the well-known ones, then the harder ones. */
#define DEMO_CASES 5u
#define DEMO_CASES_KNOWN 3u
extern const struct demo_case cli_demo_cases[DEMO_CASES];

/* What came out of one. */
struct demo_result {
	const struct demo_case *what;
	struct cli_fabric fabric;
	struct planner_problem problem;
	struct planner_plan *plan, *ecmp; /* @ecmp: one draw of the usual setting */
	struct cli_unplanned unplanned;
	struct cli_worth planned, greedy;
	bool has_planes;
};

/* Free with cli_demo_fini(), also after a failure (recorded in cli->err). */
int cli_demo_run_case(struct cli *cli, const struct demo_case *what, uint32_t seeds,
		      uint64_t seed, struct demo_result *ret_result) BASE_MUST_CHECK;
void cli_demo_fini(struct demo_result *result);

/* The page about @results[DEMO_CASES]: HTML that needs nothing else. */
int cli_demo_page(struct cli *cli, const struct demo_result *results, uint32_t seeds,
		  struct base_str *into) BASE_MUST_CHECK;
