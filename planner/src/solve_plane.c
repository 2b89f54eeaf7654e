/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Planes first: a QP's plane is the NIC port it leaves by, and planes share nothing.  QPs
 * of a connection go round the planes that both ends have; those that are left over go
 * where the two ports are least loaded.
 */
#include "solver.h"
#include <base/mem.h>
#include <errno.h>
#include <stdlib.h>

struct ports {
	uint32_t n_planes;
	uint64_t *alive;  /* [node] bit mask of planes with a live link */
	double *out, *in; /* [node * n_planes + plane] relative load of the port */
	double *per_byte; /* [node * n_planes + plane] of the port's links together */
};

static int ports_init(struct ports *t, const struct solver *s)
{
	const struct topo_graph *g = s->p->graph;
	const struct topo_node *nodes = topo_graph_nodes(g);
	uint32_t n_nodes = topo_graph_n_nodes(g), n_links = topo_graph_n_links(g);
	size_t n = (size_t)n_nodes * s->n_planes;

	t->n_planes = s->n_planes;
	t->alive = base_array_new(n_nodes, sizeof(uint64_t));
	t->out = base_array_new(n, sizeof(double));
	t->in = base_array_new(n, sizeof(double));
	t->per_byte = base_array_new(n, sizeof(double));
	if (!t->alive || !t->out || !t->in || !t->per_byte)
		return -ENOMEM;
	for (uint32_t l = 0; l < n_links; l++) {
		uint32_t nic = nodes[s->links[l].a].kind == TOPO_NIC ? s->links[l].a
								     : s->links[l].b;
		uint32_t plane = topo_graph_link_plane(g, l);
		double *per_byte = &t->per_byte[(size_t)nic * s->n_planes + plane];

		if (nodes[nic].kind != TOPO_NIC || s->links[l].state != TOPO_UP)
			continue;
		t->alive[nic] |= UINT64_C(1) << (plane % 64);
		/* Rates of parallel links add up. */
		*per_byte = *per_byte > 0 ? 1 / (1 / *per_byte + 1 / s->per_byte[l])
					  : s->per_byte[l];
	}
	return 0;
}

static void ports_fini(struct ports *t)
{
	free(t->alive);
	free(t->out);
	free(t->in);
	free(t->per_byte);
}

/* The allowed plane whose busier port would be least loaded; ties to the lighter sum,
 * then in turn from @start. */
static uint32_t lightest(const struct ports *t, const struct planner_conn *c,
			 uint64_t allowed, uint32_t start, double bytes)
{
	uint32_t best = 0;
	double best_max = 0, best_sum = 0;
	bool found = false;

	for (uint32_t i = 0; i < t->n_planes; i++) {
		uint32_t plane = (start + i) % t->n_planes;
		size_t out = (size_t)c->src_nic * t->n_planes + plane;
		size_t in = (size_t)c->dst_nic * t->n_planes + plane;
		double a, b, most;

		if (!(allowed >> (plane % 64) & 1))
			continue;
		a = t->out[out] + bytes * t->per_byte[out];
		b = t->in[in] + bytes * t->per_byte[in];
		most = a > b ? a : b;
		if (!found || most < best_max - LOAD_EPSILON ||
		    (most < best_max + LOAD_EPSILON && a + b < best_sum - LOAD_EPSILON)) {
			found = true;
			best = plane;
			best_max = most;
			best_sum = a + b;
		}
	}
	return best;
}

static void assign(struct solver *s, struct ports *t, uint32_t conn)
{
	const struct planner_conn *c = &s->p->conns[conn];
	uint64_t allowed = t->alive[c->src_nic] & t->alive[c->dst_nic];
	double bytes = (double)c->bytes / s->qps;

	if (c->plane != TOPO_NONE)
		allowed &= UINT64_C(1) << (c->plane % 64);
	for (uint32_t i = 0; i < s->qps; i++) {
		uint32_t plane = lightest(t, c, allowed, (conn + i) % t->n_planes, bytes);
		size_t out = (size_t)c->src_nic * t->n_planes + plane;
		size_t in = (size_t)c->dst_nic * t->n_planes + plane;

		s->plane[conn * s->qps + i] = (uint16_t)plane;
		t->out[out] += bytes * t->per_byte[out];
		t->in[in] += bytes * t->per_byte[in];
	}
}

int solver_assign_planes(struct solver *s)
{
	struct ports t = { 0 };
	int r;

	if (s->n_planes == 1)
		return 0; /* all zero already */
	r = ports_init(&t, s);
	for (uint32_t i = 0; r == 0 && i < s->n_conns; i++)
		assign(s, &t, s->conns[i]);
	ports_fini(&t);
	return r;
}
