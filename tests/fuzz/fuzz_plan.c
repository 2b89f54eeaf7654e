/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as "fairlead.plan.v1" on a small fabric of two planes.  What is accepted must
 * be written, read again as the same plan and written as the same bytes; every path must
 * join its ends; what is refused must say why.
 */
#include <planner/plan.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <topo/generate.h>

static void check(bool holds)
{
	if (!holds)
		abort();
}

/* Two hosts on each of two leaves, two spines, two planes; one link is dead. */
static struct topo_graph *make_fabric(void)
{
	struct topo_clos2 shape = { .leaves = 2,
				    .nics_per_leaf = 2,
				    .spines = 2,
				    .planes = 2,
				    .nic_rate_bps = 100000000000 };
	struct topo_graph *g;

	check(topo_generate_clos2(&shape, &g, NULL) == 0);
	topo_graph_set_state(g, topo_graph_n_links(g) - 1, TOPO_DOWN);
	return g;
}

static void write_plan(const struct planner_problem *p, const struct planner_plan *plan,
		       struct base_str *text)
{
	base_str_init(text, 0);
	planner_plan_write_json(p, plan, text);
	check(base_str_error(text) == 0);
}

static void check_paths(const struct planner_problem *p, const struct planner_plan *plan)
{
	const struct topo_link *links = topo_graph_links(p->graph);

	check(plan->n_conns == p->n_conns && plan->conn_first[0] == 0 &&
	      plan->conn_first[plan->n_conns] == plan->n_qps);
	for (uint32_t c = 0; c < plan->n_conns; c++)
		for (uint32_t q = plan->conn_first[c]; q < plan->conn_first[c + 1]; q++) {
			const struct planner_qp *qp = &plan->qps[q];
			const uint32_t *hops = &plan->hops[qp->first_hop];
			uint32_t at = p->conns[c].src_nic;

			check((size_t)qp->first_hop + qp->n_hops <= plan->n_hops);
			for (uint32_t h = 0; h < qp->n_hops; h++) {
				check(topo_hop_from(links, hops[h]) == at);
				at = topo_hop_to(links, hops[h]);
			}
			check(at == p->conns[c].dst_nic);
		}
}

static void check_round_trip(const struct topo_names *names,
			     const struct planner_problem *p,
			     const struct planner_plan *plan)
{
	struct base_str first, second;
	struct planner_problem copy;
	struct planner_plan *again;

	write_plan(p, plan, &first);
	planner_problem_init(&copy, p->graph);
	check(planner_plan_read_json("again", first.data, first.len, names, &copy, &again,
				     NULL) == 0);
	check(planner_problem_fingerprint(&copy) == planner_problem_fingerprint(p));
	check(memcmp(&again->certificate, &plan->certificate,
		     sizeof(plan->certificate)) == 0);
	write_plan(&copy, again, &second);
	check(first.len == second.len && memcmp(first.data, second.data, first.len) == 0);
	base_str_fini(&first);
	base_str_fini(&second);
	planner_plan_free(again);
	planner_problem_fini(&copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct topo_graph *g = make_fabric();
	struct planner_plan *plan = NULL;
	struct base_err err = { 0 };
	struct planner_problem p;
	struct topo_names *names;
	int r;

	check(topo_names_new(g, &names) == 0);
	planner_problem_init(&p, g);
	r = planner_plan_read_json("fuzz", (const char *)data, size, names, &p, &plan,
				   &err);
	if (r == 0) {
		check_paths(&p, plan);
		check_round_trip(names, &p, plan);
		planner_plan_free(plan);
	} else {
		check(r < 0 && err.code == r && err.message[0] && !plan);
		check(strcmp(err.file, "fuzz") == 0);
		check(p.n_conns == 0 && p.n_jobs == 0);
	}
	planner_problem_fini(&p);
	topo_names_free(names);
	topo_graph_free(g);
	return 0;
}
