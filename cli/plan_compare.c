/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fairlead plan compare
 */
#include "commands.h"
#include "plan.h"
#include <planner/explain.h>
#include <errno.h>

const struct base_opt cli_plan_compare_options[] = {
	CLI_FABRIC_OPTION,
	CLI_DOWN_OPTION,
	{ .name = "limit",
	  .kind = BASE_OPT_U64,
	  .value = "N",
	  .help = "list at most so many differences",
	  .fallback = "20",
	  .max = UINT32_MAX },
	{ 0 },
};

struct comparison {
	struct cli *cli;
	struct cli_fabric fabric;
	struct planner_problem problems[2]; /* old and new */
	struct planner_plan *plans[2];
};

static int print(struct comparison *c, uint32_t limit)
{
	struct base_str text;
	struct base_out *o = cli_out_new(c->cli, &text);
	int n, r;

	if (!o)
		return -ENOMEM;
	base_out_object_begin(o, NULL, NULL);
	base_out_string(o, "schema", NULL, "fairlead.plan-compare.v1");
	base_out_bool(o, "fabric_matches", NULL, !c->fabric.has_other_plan);
	n = planner_compare(&c->problems[0], c->plans[0], &c->problems[1], c->plans[1],
			    limit, o);
	base_out_object_end(o);
	if (n < 0)
		cli_fail(c->cli, n, "comparing plans");
	r = cli_out_end(c->cli, o, &text, n);
	if (r < 0)
		return r;
	return n == 0 ? CLI_YES : CLI_NO;
}

int cli_plan_compare(const struct base_opt_values *v, void *context)
{
	struct comparison c = { .cli = context };
	int r = cli_fabric_open(c.cli, base_opt_string(v, "fabric"), &c.fabric);

	if (r < 0)
		return r;
	for (size_t i = 0; i < 2; i++)
		planner_problem_init(&c.problems[i], c.fabric.graph);
	r = cli_fabric_take_down(c.cli, &c.fabric, v);
	for (size_t i = 0; r == 0 && i < 2; i++)
		r = cli_plan_read(c.cli, &c.fabric, base_opt_arg(v, i), &c.problems[i],
				  &c.plans[i]);
	if (r == 0)
		r = print(&c, (uint32_t)base_opt_number(v, "limit"));
	for (size_t i = 0; i < 2; i++) {
		planner_plan_free(c.plans[i]);
		planner_problem_fini(&c.problems[i]);
	}
	cli_fabric_fini(&c.fabric);
	return r;
}
