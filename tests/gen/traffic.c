/* SPDX-License-Identifier: Apache-2.0 */
#include "traffic.h"
#include <stdio.h>
#include <stdlib.h>

static void must(int r, const char *what)
{
	if (r == 0)
		return;
	fprintf(stderr, "gen_traffic: %s: %s\n", what, base_err_text(r));
	abort();
}

uint32_t gen_traffic_nic(const struct topo_graph *g, uint32_t host, uint32_t rail)
{
	const struct topo_node *nodes = topo_graph_nodes(g);

	for (uint32_t node = 0; node < topo_graph_n_nodes(g); node++) {
		if (nodes[node].kind == TOPO_HOST && host-- == 0) {
			uint32_t n;
			const uint32_t *nics = topo_graph_children(g, node, &n);

			must(rail < n ? 0 : -BASE_E_INVALID, "no such rail");
			return nics[rail];
		}
	}
	must(-BASE_E_INVALID, "no such host");
	return TOPO_NONE;
}

uint32_t gen_traffic_job(struct planner_problem *p)
{
	char name[16];
	uint32_t job;

	snprintf(name, sizeof(name), "job%u", p->n_jobs);
	must(planner_problem_add_job(p, name, &job), "job");
	return job;
}

void gen_traffic_conn(struct planner_problem *p, uint32_t src_nic, uint32_t dst_nic,
		      uint32_t job, uint32_t phase, uint64_t bytes)
{
	struct planner_conn conn = { src_nic, dst_nic, job, phase, bytes, TOPO_NONE };

	must(planner_problem_add_conn(p, &conn, NULL), "connection");
}

/* All NICs, host by host; *ret_per_host: NICs of each. */
static uint32_t *list_nics(const struct topo_graph *g, uint32_t *ret_n,
			   uint32_t *ret_per_host)
{
	const struct topo_node *nodes = topo_graph_nodes(g);
	uint32_t n = 0, n_nics = topo_graph_count(g, TOPO_NIC);
	uint32_t *nics = calloc(n_nics + 1, sizeof(*nics));

	must(nics ? 0 : -BASE_E_INTERNAL, "out of memory");
	for (uint32_t node = 0; node < topo_graph_n_nodes(g); node++) {
		uint32_t n_children = 0;
		const uint32_t *children;

		if (nodes[node].kind != TOPO_HOST)
			continue;
		children = topo_graph_children(g, node, &n_children);
		for (uint32_t i = 0; i < n_children; i++)
			nics[n++] = children[i];
	}
	*ret_n = n;
	*ret_per_host = n / topo_graph_count(g, TOPO_HOST);
	return nics;
}

void gen_traffic_rings(struct planner_problem *p, uint32_t hosts_per_job, uint64_t bytes)
{
	uint32_t n, rails, *nics = list_nics(p->graph, &n, &rails);
	uint32_t n_hosts = n / rails, n_jobs = n_hosts / hosts_per_job;

	for (uint32_t i = 0; i < n_jobs; i++)
		gen_traffic_job(p);
	for (uint32_t host = 0; host < n_jobs * hosts_per_job; host++) {
		uint32_t next = (host + n_jobs) % (n_jobs * hosts_per_job);

		for (uint32_t rail = 0; rail < rails; rail++)
			gen_traffic_conn(p, nics[host * rails + rail],
					 nics[next * rails + rail], host % n_jobs, 0,
					 bytes);
	}
	free(nics);
}

void gen_traffic_permutation(struct planner_problem *p, struct base_rng *rng,
			     uint64_t bytes)
{
	uint32_t n, rails, *nics = list_nics(p->graph, &n, &rails);
	uint32_t *to = calloc(n + 1, sizeof(*to)), job = gen_traffic_job(p);

	must(to ? 0 : -BASE_E_INTERNAL, "out of memory");
	for (uint32_t i = 0; i < n; i++)
		to[i] = i;
	base_rng_shuffle_u32(rng, to, n);
	for (uint32_t i = 0; i < n; i++) {
		if (to[i] != i)
			gen_traffic_conn(p, nics[i], nics[to[i]], job, 0, bytes);
	}
	free(to);
	free(nics);
}

void gen_traffic_random(struct planner_problem *p, struct base_rng *rng, uint32_t n_conns,
			uint32_t n_jobs, uint32_t n_phases)
{
	static const uint64_t sizes[] = { 1000000, 500000, 250000, 83333, 1 };
	uint32_t n, rails, *nics = list_nics(p->graph, &n, &rails);

	while (p->n_jobs < n_jobs)
		gen_traffic_job(p);
	for (uint32_t i = 0; i < n_conns && n > 1; i++) {
		uint32_t src = base_rng_below(rng, n);
		uint32_t dst = (src + 1 + base_rng_below(rng, n - 1)) % n;

		gen_traffic_conn(p, nics[src], nics[dst], base_rng_below(rng, n_jobs),
				 base_rng_below(rng, n_phases),
				 sizes[base_rng_below(rng, BASE_COUNT(sizes))]);
	}
	free(nics);
}
