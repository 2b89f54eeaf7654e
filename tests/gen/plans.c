/* SPDX-License-Identifier: Apache-2.0 */
#include "plans.h"
#include "traffic.h"
#include <base/mem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(int r, const struct base_err *err)
{
	if (r == 0)
		return;
	fprintf(stderr, "gen_plans: %s: %s\n", base_err_text(r), err ? err->message : "");
	abort();
}

static void *array(size_t n, size_t elem_size)
{
	void *p = base_array_new(n, elem_size);

	if (!p)
		abort();
	return p;
}

struct topo_graph *gen_plans_clos2(const struct topo_clos2 *shape)
{
	struct topo_graph *g = NULL;
	struct base_err err = { 0 };

	must(topo_generate_clos2(shape, &g, &err), &err);
	return g;
}

struct topo_graph *gen_plans_clos3(const struct topo_clos3 *shape)
{
	struct topo_graph *g = NULL;
	struct base_err err = { 0 };

	must(topo_generate_clos3(shape, &g, &err), &err);
	return g;
}

static uint32_t add_switch(struct topo_graph *g, const char *stem, uint32_t number,
			   uint32_t tier, uint32_t pod)
{
	char name[32];
	int n = snprintf(name, sizeof(name), "%s%u", stem, number);
	uint32_t node = TOPO_NONE;

	must(topo_graph_add_switch(g, TOPO_NONE, name, (size_t)n, tier, pod, TOPO_NONE,
				   TOPO_NONE, &node, NULL),
	     NULL);
	return node;
}

static void add_link(struct topo_graph *g, struct base_rng *rng, uint32_t a, uint32_t b)
{
	struct topo_link link = {
		.a = a,
		.b = b,
		.rate_bps = base_rng_below(rng, 6) ? 100000000000 : 200000000000,
		.port_a = TOPO_NONE,
		.port_b = TOPO_NONE,
		.address = TOPO_NONE,
		.state = base_rng_below(rng, 6) ? TOPO_UP : TOPO_DOWN,
	};

	must(topo_graph_add_link(g, &link, NULL, NULL), NULL);
}

static void add_host(struct topo_graph *g, uint32_t number, uint32_t leaf)
{
	struct topo_link link = { .b = leaf,
				  .rate_bps = 100000000000,
				  .port_a = TOPO_NONE,
				  .port_b = TOPO_NONE,
				  .address = TOPO_NONE };
	char name[32];
	int n = snprintf(name, sizeof(name), "h%u", number);
	uint32_t host = TOPO_NONE;

	must(topo_graph_add_host(g, TOPO_NONE, name, (size_t)n, TOPO_NONE, &host, NULL),
	     NULL);
	must(topo_graph_add_nic(g, host, "nic0", 4, TOPO_NONE, &link.a, NULL), NULL);
	must(topo_graph_add_link(g, &link, NULL, NULL), NULL);
}

struct topo_graph *gen_plans_meshed(struct base_rng *rng)
{
	struct topo_graph *g = topo_graph_new();
	uint32_t pods = 2 + base_rng_below(rng, 2), n_cores = 1 + base_rng_below(rng, 3);
	uint32_t n_leaves = 1 + base_rng_below(rng, 2), cores[3], n_hosts = 0;

	if (!g)
		abort();
	for (uint32_t c = 0; c < n_cores; c++)
		cores[c] = add_switch(g, "core", c, 3, TOPO_NONE);
	for (uint32_t pod = 0; pod < pods; pod++) {
		uint32_t spines[2];

		for (uint32_t s = 0; s < 2; s++) {
			spines[s] = add_switch(g, "spine", pod * 2 + s, 2, pod);
			for (uint32_t c = 0; c < n_cores; c++)
				add_link(g, rng, spines[s], cores[c]);
		}
		for (uint32_t l = 0; l < n_leaves; l++) {
			uint32_t leaf = add_switch(g, "leaf", pod * n_leaves + l, 1, pod);

			add_link(g, rng, leaf, spines[0]);
			add_link(g, rng, leaf, spines[1]);
			add_host(g, n_hosts++, leaf);
			add_host(g, n_hosts++, leaf);
		}
	}
	must(topo_graph_seal(g, NULL), NULL);
	return g;
}

bool gen_plans_is_fabric(const struct topo_graph *g, uint32_t link)
{
	const struct topo_node *nodes = topo_graph_nodes(g);
	const struct topo_link *l = &topo_graph_links(g)[link];

	return nodes[l->a].kind == TOPO_SWITCH && nodes[l->b].kind == TOPO_SWITCH;
}

void gen_plans_kill(struct topo_graph *g, struct base_rng *rng, uint32_t share_ppm)
{
	uint32_t n_links = topo_graph_n_links(g), n = 0;
	uint32_t *links = array(n_links, sizeof(*links));

	for (uint32_t l = 0; l < n_links; l++)
		if (gen_plans_is_fabric(g, l))
			links[n++] = l;
	base_rng_shuffle_u32(rng, links, n);
	n = (uint32_t)((uint64_t)n * share_ppm / 1000000);
	for (uint32_t i = 0; i < n; i++)
		topo_graph_set_state(g, links[i], TOPO_DOWN);
	free(links);
}

static int add_renamed(struct topo_graph *g, const struct topo_node *node,
		       const char *name, struct base_err *err)
{
	size_t len = strlen(name);

	switch ((enum topo_kind)node->kind) {
	case TOPO_GROUP:
		return topo_graph_add_group(g, name, len, NULL, err);
	case TOPO_HOST:
		return topo_graph_add_host(g, node->parent, name, len, node->pod, NULL,
					   err);
	case TOPO_NIC:
		return topo_graph_add_nic(g, node->parent, name, len, node->rail, NULL,
					  err);
	case TOPO_SWITCH:
		break;
	}
	return topo_graph_add_switch(g, node->parent, name, len, node->tier, node->pod,
				     node->plane, node->rail, NULL, err);
}

struct topo_graph *gen_plans_renamed(const struct topo_graph *g, const char *prefix)
{
	struct topo_graph *copy = topo_graph_new();
	struct base_err err = { 0 };
	struct base_str name;

	if (!copy)
		abort();
	base_str_init(&name, 0);
	for (uint32_t n = 0; n < topo_graph_n_nodes(g); n++) {
		const struct topo_node *node = &topo_graph_nodes(g)[n];

		base_str_clear(&name);
		base_str_add(&name, prefix);
		base_str_add(&name, topo_graph_text(g, node->name));
		must(add_renamed(copy, node, base_str_text(&name), &err), &err);
	}
	for (uint32_t l = 0; l < topo_graph_n_links(g); l++) {
		struct topo_link link = topo_graph_links(g)[l];

		link.port_a = link.port_b = link.address = TOPO_NONE;
		must(topo_graph_add_link(copy, &link, NULL, &err), &err);
	}
	must(topo_graph_seal(copy, &err), &err);
	base_str_fini(&name);
	return copy;
}

void gen_hosts_init(struct gen_hosts *h, const struct topo_graph *g, struct base_rng *rng)
{
	const struct topo_node *nodes = topo_graph_nodes(g);
	uint32_t *hosts, n = 0;

	h->n = topo_graph_count(g, TOPO_HOST);
	h->n_rails = topo_graph_count(g, TOPO_NIC) / h->n;
	h->nics = array((size_t)h->n * h->n_rails, sizeof(*h->nics));
	hosts = array(h->n, sizeof(*hosts));
	for (uint32_t node = 0; node < topo_graph_n_nodes(g); node++)
		if (nodes[node].kind == TOPO_HOST)
			hosts[n++] = node;
	if (rng)
		base_rng_shuffle_u32(rng, hosts, n);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t n_nics;
		const uint32_t *nics = topo_graph_children(g, hosts[i], &n_nics);

		must(n_nics == h->n_rails ? 0 : -BASE_E_INVALID, NULL);
		memcpy(&h->nics[(size_t)i * h->n_rails], nics, n_nics * sizeof(*nics));
	}
	free(hosts);
}

void gen_hosts_fini(struct gen_hosts *h)
{
	free(h->nics);
	h->nics = NULL;
}

/* One flow from host to host on every rail. */
static void add_flows(struct planner_problem *p, const struct gen_hosts *h, uint32_t from,
		      uint32_t to, uint32_t job, uint64_t bytes)
{
	for (uint32_t rail = 0; from != to && rail < h->n_rails; rail++)
		gen_traffic_conn(p, h->nics[(size_t)from * h->n_rails + rail],
				 h->nics[(size_t)to * h->n_rails + rail], job, 0, bytes);
}

static void add_ring(struct planner_problem *p, const struct gen_hosts *h, uint32_t first,
		     uint32_t n, uint32_t job, uint64_t bytes)
{
	for (uint32_t i = 0; i < n; i++)
		add_flows(p, h, first + i, first + (i + 1) % n, job, bytes);
}

static void add_pairs(struct planner_problem *p, const struct gen_hosts *h,
		      uint32_t first, uint32_t n, uint32_t job, uint64_t bytes)
{
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 1; k < n; k++)
			add_flows(p, h, first + i, first + (i + k) % n, job, bytes);
}

void gen_plans_rings(struct planner_problem *p, const struct gen_hosts *h,
		     uint32_t per_job, uint64_t bytes)
{
	for (uint32_t first = 0; first + per_job <= h->n; first += per_job)
		add_ring(p, h, first, per_job, gen_traffic_job(p), bytes);
}

void gen_plans_all_to_all(struct planner_problem *p, const struct gen_hosts *h,
			  uint32_t per_job, uint64_t bytes)
{
	for (uint32_t first = 0; first + per_job <= h->n; first += per_job)
		add_pairs(p, h, first, per_job, gen_traffic_job(p),
			  bytes / (per_job - 1));
}

void gen_plans_mix(struct planner_problem *p, const struct gen_hosts *h, uint32_t per_job,
		   uint64_t bytes)
{
	for (uint32_t first = 0; first + per_job <= h->n; first += per_job) {
		uint32_t job = gen_traffic_job(p), half = per_job / 2;

		add_ring(p, h, first, per_job, job, bytes / 2);
		for (uint32_t i = 0; i < half; i++)
			add_flows(p, h, first + i, first + half + i, job, bytes / 4);
		for (uint32_t i = 0; i + 4 <= per_job; i += 4)
			add_pairs(p, h, first + i, 4, job, bytes / 12);
	}
}

struct planner_plan *gen_plans_solve(const struct planner_problem *p, uint32_t qps,
				     bool equal_weights)
{
	struct planner_solve_options options = { .qps = qps,
						 .equal_weights = equal_weights };
	struct planner_plan *plan = NULL;
	struct base_err err = { 0 };

	must(planner_solve(p, &options, &plan, &err), &err);
	must(planner_plan_check(p, plan, &err), &err);
	return plan;
}

double gen_plans_reference_s(const struct planner_problem *p)
{
	uint64_t bytes, rate_bps;

	must(planner_problem_reference(p, &bytes, &rate_bps), NULL);
	return 8.0 * (double)bytes / (double)rate_bps;
}
