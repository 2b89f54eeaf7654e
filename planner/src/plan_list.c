/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plans for other programs: a plain list that any transport can read, and flows for ns-3.
 */
#include <planner/plan.h>
#include <base/mem.h>
#include <base/num.h>
#include <errno.h>
#include <stdlib.h>

/* RoCEv2's UDP port (IANA); the priority that the simulators use for data. */
#define ROCE_PORT 4791u
#define NS3_PRIORITY 3u

/* A job's name is whatever its author typed: a tab or line break in it must not make a
 * column or a line. */
static void add_job_name(const char *name, struct base_str *into)
{
	for (const char *c = name; *c; c++)
		base_str_add_char(into, (unsigned char)*c < ' ' ? ' ' : *c);
}

void planner_plan_write_list(const struct planner_problem *p,
			     const struct planner_plan *plan, struct base_str *into)
{
	base_str_add(into, "source\tdestination\tqp\tpath\tweight_ppm\t"
			   "connection\tjob\tphase\n");
	for (uint32_t c = 0; c < p->n_conns; c++)
		for (uint32_t q = plan->conn_first[c]; q < plan->conn_first[c + 1]; q++) {
			const struct planner_qp *qp = &plan->qps[q];

			topo_name_node(p->graph, p->conns[c].src_nic, into);
			base_str_add_char(into, '\t');
			topo_name_node(p->graph, p->conns[c].dst_nic, into);
			base_str_add_char(into, '\t');
			base_str_add_u64(into, q - plan->conn_first[c]);
			base_str_add_char(into, '\t');
			topo_name_path(p->graph, &plan->hops[qp->first_hop], qp->n_hops,
				       into);
			base_str_add_char(into, '\t');
			base_str_addf(into, "%u\t%u\t", qp->weight_ppm, c);
			add_job_name(p->job_names[p->conns[c].job], into);
			base_str_addf(into, "\t%u\n", p->conns[c].phase);
		}
}

void planner_plan_write_ns3(const struct planner_problem *p,
			    const struct planner_plan *plan, struct base_str *into)
{
	const struct topo_node *nodes = topo_graph_nodes(p->graph);
	uint32_t n_nodes = topo_graph_n_nodes(p->graph), n_nics = 0;
	uint32_t *number = base_array_new(n_nodes, sizeof(*number));

	if (!number) {
		into->error = into->error ? into->error : -ENOMEM;
		return;
	}
	for (uint32_t n = 0; n < n_nodes; n++)
		if (nodes[n].kind == TOPO_NIC)
			number[n] = n_nics++;
	base_str_add_u64(into, plan->n_qps);
	base_str_add_char(into, '\n');
	for (uint32_t c = 0; c < p->n_conns; c++)
		for (uint32_t q = plan->conn_first[c]; q < plan->conn_first[c + 1]; q++)
			base_str_addf(
				into, "%u %u %u %u %llu 0\n", number[p->conns[c].src_nic],
				number[p->conns[c].dst_nic], NS3_PRIORITY, ROCE_PORT,
				(unsigned long long)base_num_mul_div(
					p->conns[c].bytes, plan->qps[q].weight_ppm,
					1000000));
	free(number);
}
