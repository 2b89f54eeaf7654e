/* SPDX-License-Identifier: Apache-2.0 */
#include "brute.h"
#include "plans.h"
#include <base/mem.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <topo/path.h>

#define PATHS_MAX 64u
#define STEPS_MAX 2000000u
#define EPSILON 1e-9

struct path {
	uint32_t n;
	uint32_t hops[TOPO_PATH_HOPS_MAX];
};

/* A QP and the paths that it may take. */
struct choice {
	uint32_t conn;
	double bytes;
	uint32_t first, n; /* into paths */
};

struct brute {
	const struct planner_problem *p;
	double reference_s;
	struct path *paths;
	size_t n_paths, cap_paths;
	struct choice *choices;
	uint32_t n_choices;
	uint32_t *taken; /* [choice] */
	double *load;	 /* [hop] */
	bool fabric_only;
	double best;
	uint32_t steps;
};

static void *array(size_t n, size_t elem_size)
{
	void *p = base_array_new(n, elem_size);

	if (!p)
		abort();
	return p;
}

static bool counts(const struct brute *t, uint32_t hop)
{
	const struct topo_node *nodes = topo_graph_nodes(t->p->graph);
	const struct topo_link *l = &topo_graph_links(t->p->graph)[topo_hop_link(hop)];

	return !t->fabric_only ||
	       (nodes[l->a].kind == TOPO_SWITCH && nodes[l->b].kind == TOPO_SWITCH);
}

static double hop_load(const struct brute *t, uint32_t hop, double bytes)
{
	return bytes * 8 /
	       ((double)topo_graph_links(t->p->graph)[topo_hop_link(hop)].rate_bps *
		t->reference_s);
}

/* All equal-cost paths of a connection, plane by plane.  False: too many. */
static bool add_paths(struct brute *t, struct topo_paths *paths,
		      const struct planner_conn *conn, uint32_t *ret_n)
{
	uint32_t n = 0;

	for (uint32_t plane = 0; plane < topo_graph_n_planes(t->p->graph); plane++) {
		uint64_t count;

		if ((conn->plane != TOPO_NONE && conn->plane != plane) ||
		    topo_paths_aim(paths, conn->dst_nic, plane) < 0)
			continue;
		count = topo_paths_count(paths, conn->src_nic);
		if (n + count > PATHS_MAX)
			return false;
		for (uint64_t i = 0; i < count; i++) {
			struct path *grown = base_grow(t->paths, &t->cap_paths,
						       t->n_paths + 1, sizeof(*grown));
			int hops;

			if (!grown)
				abort();
			t->paths = grown;
			hops = topo_paths_get(paths, conn->src_nic, i,
					      grown[t->n_paths].hops);
			if (hops <= 0)
				abort();
			grown[t->n_paths++].n = (uint32_t)hops;
			n++;
		}
	}
	*ret_n = n;
	return true;
}

/* Tries every path of choice @at and all after it. */
static void descend(struct brute *t, uint32_t at, double largest)
{
	const struct choice *c = &t->choices[at];
	uint32_t from = 0;

	if (at == t->n_choices) {
		t->best = largest;
		return;
	}
	/* QPs of one connection are alike: their paths in rising order. */
	if (at > 0 && t->choices[at - 1].conn == c->conn)
		from = t->taken[at - 1];
	for (uint32_t i = from; i < c->n && t->steps < STEPS_MAX; i++) {
		const struct path *path = &t->paths[c->first + i];
		double most = largest;

		t->steps++;
		for (uint32_t h = 0; h < path->n; h++) {
			t->load[path->hops[h]] += hop_load(t, path->hops[h], c->bytes);
			if (counts(t, path->hops[h]))
				most = fmax(most, t->load[path->hops[h]]);
		}
		t->taken[at] = i;
		if (most < t->best - EPSILON)
			descend(t, at + 1, most);
		for (uint32_t h = 0; h < path->n; h++)
			t->load[path->hops[h]] -= hop_load(t, path->hops[h], c->bytes);
	}
}

/* Choices of all connections of a phase. */
static bool collect(struct brute *t, struct topo_paths *paths, uint32_t phase,
		    uint32_t qps, uint32_t *unroutable)
{
	t->n_choices = 0;
	t->n_paths = 0;
	for (uint32_t c = 0; c < t->p->n_conns; c++) {
		uint32_t first = (uint32_t)t->n_paths, n;

		if (t->p->conns[c].phase != phase)
			continue;
		if (!add_paths(t, paths, &t->p->conns[c], &n))
			return false;
		*unroutable += n == 0;
		for (uint32_t q = 0; n > 0 && q < qps; q++)
			t->choices[t->n_choices++] =
				(struct choice){ c, (double)t->p->conns[c].bytes / qps,
						 first, n };
	}
	return true;
}

bool gen_brute_solve(const struct planner_problem *p, uint32_t qps, struct gen_brute *ret)
{
	uint32_t n_hops = 2 * topo_graph_n_links(p->graph);
	struct brute t = {
		.p = p,
		.reference_s = gen_plans_reference_s(p),
		.choices = array((size_t)p->n_conns * qps, sizeof(struct choice)),
		.taken = array((size_t)p->n_conns * qps, sizeof(uint32_t)),
		.load = array(n_hops, sizeof(double)),
	};
	double largest[2] = { 0, 0 };
	struct topo_paths *paths;
	uint32_t unroutable = 0;
	bool done = true;

	if (topo_paths_new(p->graph, &paths) < 0)
		abort();
	for (uint32_t phase = 0; done && phase < p->n_phases; phase++) {
		done = collect(&t, paths, phase, qps, &unroutable);
		for (int fabric = 0; done && fabric < 2; fabric++) {
			memset(t.load, 0, n_hops * sizeof(double));
			t.fabric_only = fabric == 1;
			t.best = INFINITY;
			t.steps = 0;
			descend(&t, 0, 0);
			done = t.steps < STEPS_MAX;
			largest[fabric] = fmax(largest[fabric], t.best);
		}
	}
	if (done)
		*ret = (struct gen_brute){ (uint64_t)llround(largest[0] * 1e6),
					   (uint64_t)llround(largest[1] * 1e6),
					   unroutable };
	topo_paths_free(paths);
	free(t.paths);
	free(t.choices);
	free(t.taken);
	free(t.load);
	return done;
}

uint64_t gen_brute_best_path(const struct planner_problem *p,
			     const struct planner_conn *conn, uint64_t bytes,
			     const uint64_t *loads_ppm)
{
	struct brute t = { .p = p, .reference_s = gen_plans_reference_s(p) };
	struct topo_paths *paths;
	double best = INFINITY;
	uint32_t n = 0;

	if (topo_paths_new(p->graph, &paths) < 0)
		abort();
	if (!add_paths(&t, paths, conn, &n))
		n = 0;
	for (uint32_t i = 0; i < n; i++) {
		double most = 0;

		for (uint32_t h = 0; h < t.paths[i].n; h++) {
			uint32_t hop = t.paths[i].hops[h];

			most = fmax(most, (double)loads_ppm[hop] +
						  hop_load(&t, hop, (double)bytes) * 1e6);
		}
		best = fmin(best, most);
	}
	topo_paths_free(paths);
	free(t.paths);
	return n ? (uint64_t)llround(best) : UINT64_MAX;
}
