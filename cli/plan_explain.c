/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fairlead plan explain
 */
#include "commands.h"
#include "plan.h"
#include <base/num.h>
#include <planner/explain.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

const struct base_opt cli_plan_explain_options[] = {
	CLI_FABRIC_OPTION,
	{ .name = "plan",
	  .kind = BASE_OPT_FILE,
	  .required = true,
	  .value = "PLAN",
	  .help = "the plan" },
	CLI_DOWN_OPTION,
	{ .name = "qp",
	  .kind = BASE_OPT_STRING,
	  .value = "CONN[:QP]",
	  .help = "why this QP is on its path; CONN is a number of the plan or A>B, two "
		  "NICs" },
	{ .name = "link",
	  .kind = BASE_OPT_STRING,
	  .value = "LINK",
	  .help = "what crosses this link, in each direction" },
	{ .name = "dies",
	  .kind = BASE_OPT_STRING,
	  .value = "LINK",
	  .help = "what moves if this link dies, and what that costs" },
	{ .name = "alternatives",
	  .kind = BASE_OPT_U64,
	  .value = "N",
	  .help = "other paths that --qp shows at most",
	  .fallback = "8",
	  .max = 1000000 },
	{ 0 },
};

/* Connections between the same NICs that are listed in text. */
#define SAME_ENDS_SHOWN 10u

struct question {
	struct cli *cli;
	const struct base_opt_values *v;
	struct cli_fabric fabric;
	struct planner_problem problem;
	struct planner_plan *plan;
	bool is_by_name; /* --qp A>B, which several connections may fit */
};

static int check_options(struct question *q)
{
	int n = base_opt_is_given(q->v, "qp") + base_opt_is_given(q->v, "link") +
		base_opt_is_given(q->v, "dies");

	if (n != 1)
		return cli_usage(q->cli,
				 "\"fairlead plan explain\" answers one question: "
				 "give one of --qp, --link and --dies");
	return 0;
}

/* The first connection from @first on between those NICs; n_conns: none. */
static uint32_t next_between(const struct question *q, const uint32_t ends[2],
			     uint32_t first)
{
	const struct planner_conn *conns = q->problem.conns;

	while (first < q->problem.n_conns &&
	       (conns[first].src_nic != ends[0] || conns[first].dst_nic != ends[1]))
		first++;
	return first;
}

/* The connection called "A>B", or its number. */
static int find_connection(struct question *q, const char *text, size_t len,
			   uint32_t *ret_conn)
{
	const char *arrow = memchr(text, '>', len);
	uint32_t ends[2];
	int r;

	if (!arrow) {
		if (base_num_u32(text, len, ret_conn) < 0)
			return cli_usage(
				q->cli,
				"--qp: \"%.*s\" is neither a number nor two NICs "
				"such as h0.nic0>h1.nic0",
				(int)len, text);
		if (*ret_conn >= q->plan->n_conns)
			return cli_usage(q->cli,
					 "--qp: there is no connection %" PRIu32
					 "; the plan has %" PRIu32 ", counted from 0",
					 *ret_conn, q->plan->n_conns);
		return 0;
	}
	r = topo_names_nic(q->fabric.names, text, (size_t)(arrow - text), &ends[0],
			   &q->cli->err);
	if (r == 0)
		r = topo_names_nic(q->fabric.names, arrow + 1,
				   len - (size_t)(arrow - text) - 1, &ends[1],
				   &q->cli->err);
	if (r < 0)
		return base_err_set(&q->cli->err, r, "--qp: %s", q->cli->err.message);
	q->is_by_name = true;
	*ret_conn = next_between(q, ends, 0);
	if (*ret_conn < q->problem.n_conns)
		return 0;
	return cli_usage(q->cli, "--qp: the plan has no connection \"%.*s\"", (int)len,
			 text);
}

/* CONN[:QP]; names of NICs may hold colons, so what follows the last one must be a
 * number. */
static int parse_qp(struct question *q, uint32_t *ret_conn, uint32_t *ret_qp)
{
	const char *text = base_opt_string(q->v, "qp"), *colon = strrchr(text, ':');
	size_t len = strlen(text);
	uint32_t n_qps;
	int r;

	*ret_qp = 0;
	if (colon && base_num_u32(colon + 1, strlen(colon + 1), ret_qp) == 0)
		len = (size_t)(colon - text);
	r = find_connection(q, text, len, ret_conn);
	if (r < 0)
		return r;
	n_qps = q->plan->conn_first[*ret_conn + 1] - q->plan->conn_first[*ret_conn];
	if (n_qps == 0)
		return cli_usage(q->cli,
				 "--qp: connection %" PRIu32 " has no path, so no QP",
				 *ret_conn);
	if (*ret_qp >= n_qps)
		return cli_usage(q->cli,
				 "--qp: connection %" PRIu32 " has no QP %" PRIu32
				 "; it has %" PRIu32 ", counted from 0",
				 *ret_conn, *ret_qp, n_qps);
	return 0;
}

static int find_link(struct question *q, const char *option, uint32_t *ret_link)
{
	const char *name = base_opt_string(q->v, option);
	int r = topo_names_link(q->fabric.names, name, strlen(name), ret_link,
				&q->cli->err);

	if (r < 0)
		return base_err_set(&q->cli->err, r, "--%s: %s", option,
				    q->cli->err.message);
	return 0;
}

static int read_inputs(struct question *q)
{
	const char *plan = base_opt_string(q->v, "plan");
	int r = cli_fabric_open(q->cli, base_opt_string(q->v, "fabric"), &q->fabric);

	if (r < 0)
		return r;
	planner_problem_init(&q->problem, q->fabric.graph);
	r = cli_fabric_take_down(q->cli, &q->fabric, q->v);
	if (r == 0)
		r = cli_plan_read(q->cli, &q->fabric, plan, &q->problem, &q->plan);
	return r;
}

/* Which connections besides the first, @conn, "A>B" fits. */
static void show_same_ends(const struct question *q, uint32_t conn, struct base_out *o)
{
	const struct planner_conn *first = &q->problem.conns[conn];
	const uint32_t ends[] = { first->src_nic, first->dst_nic };
	struct base_str text;
	uint32_t n = 0;

	base_str_init(&text, 0);
	base_out_table_begin(o, "same_ends", NULL);
	for (uint32_t c = conn; (c = next_between(q, ends, c + 1)) < q->problem.n_conns;
	     n++) {
		base_out_object_begin(o, NULL, NULL);
		base_out_number(o, "connection", NULL, c, BASE_OUT_ID);
		base_out_object_end(o);
		if (n < SAME_ENDS_SHOWN)
			base_str_addf(&text, "%s%" PRIu32, n > 0 ? ", " : "", c);
	}
	base_out_table_end(o);
	if (n > SAME_ENDS_SHOWN)
		base_str_addf(&text, " and %" PRIu32 " more", n - SAME_ENDS_SHOWN);
	if (n > 0)
		base_out_text(o,
			      "%" PRIu32 " connections go from the one NIC to the other; "
			      "this is the first, number %" PRIu32 "; the other%s: %s\n",
			      n + 1, conn, n > 1 ? "s" : "", base_str_text(&text));
	base_str_fini(&text);
}

static int answer(struct question *q)
{
	uint32_t conn = 0, qp = 0, link = 0;
	struct base_str text;
	struct base_out *o;
	int r;

	if (base_opt_is_given(q->v, "qp"))
		r = parse_qp(q, &conn, &qp);
	else
		r = find_link(q, base_opt_is_given(q->v, "link") ? "link" : "dies",
			      &link);
	if (r < 0)
		return r;
	o = cli_out_new(q->cli, &text);
	if (!o)
		return -ENOMEM;
	base_out_object_begin(o, NULL, NULL);
	base_out_string(o, "schema", NULL, "fairlead.plan-explain.v1");
	base_out_bool(o, "fabric_matches", NULL, !q->fabric.has_other_plan);
	if (q->is_by_name)
		show_same_ends(q, conn, o);
	if (base_opt_is_given(q->v, "qp"))
		r = planner_explain_qp(&q->problem, q->plan, conn, qp,
				       (uint32_t)base_opt_number(q->v, "alternatives"),
				       o);
	else if (base_opt_is_given(q->v, "link"))
		r = planner_explain_link(&q->problem, q->plan, link, o);
	else
		r = planner_explain_death(&q->problem, q->plan, q->fabric.graph, link, o);
	base_out_object_end(o);
	if (r < 0)
		cli_fail(q->cli, r, "explaining the plan");
	return cli_out_end(q->cli, o, &text, r);
}

int cli_plan_explain(const struct base_opt_values *v, void *context)
{
	struct question q = { .cli = context, .v = v };
	int r = check_options(&q);

	if (r < 0)
		return r;
	r = read_inputs(&q);
	if (r == 0)
		r = answer(&q);
	planner_plan_free(q.plan);
	planner_problem_fini(&q.problem);
	cli_fabric_fini(&q.fabric);
	return r;
}
