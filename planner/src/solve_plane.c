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
	double *out, *in; /* [node * n_planes + plane] relative load of the port */
	double *per_byte; /* [node * n_planes + plane] of the port's live links together;
			     0: none */
	uint32_t *leaf;	  /* [node * n_planes + plane] the switch that the port is on */
	/* The same for leaves, over their live uplinks: [node]. */
	double *leaf_out, *leaf_in, *leaf_per_byte;
};

/* Rates of parallel links add up. */
static void add_link(double *per_byte, double more)
{
	*per_byte = *per_byte > 0 ? 1 / (1 / *per_byte + 1 / more) : more;
}

static int ports_init(struct ports *t, const struct solver *s)
{
	const struct topo_graph *g = s->p->graph;
	const struct topo_node *nodes = topo_graph_nodes(g);
	uint32_t n_nodes = topo_graph_n_nodes(g), n_links = topo_graph_n_links(g);
	size_t n = (size_t)n_nodes * s->n_planes;

	t->n_planes = s->n_planes;
	t->out = base_array_new(n, sizeof(double));
	t->in = base_array_new(n, sizeof(double));
	t->per_byte = base_array_new(n, sizeof(double));
	t->leaf = base_array_new(n, sizeof(uint32_t));
	t->leaf_out = base_array_new(n_nodes, sizeof(double));
	t->leaf_in = base_array_new(n_nodes, sizeof(double));
	t->leaf_per_byte = base_array_new(n_nodes, sizeof(double));
	if (!t->out || !t->in || !t->per_byte || !t->leaf || !t->leaf_out ||
	    !t->leaf_in || !t->leaf_per_byte)
		return -ENOMEM;
	for (uint32_t l = 0; l < n_links; l++) {
		bool a_is_nic = nodes[s->links[l].a].kind == TOPO_NIC;
		uint32_t low = a_is_nic ? s->links[l].a : s->links[l].b;
		uint32_t high = a_is_nic ? s->links[l].b : s->links[l].a;
		size_t port = (size_t)low * s->n_planes + topo_graph_link_plane(g, l);

		if (s->links[l].state != TOPO_UP)
			continue;
		if (nodes[low].kind == TOPO_NIC) {
			add_link(&t->per_byte[port], s->per_byte[l]);
			t->leaf[port] = high;
		} else {
			low = nodes[low].tier < nodes[high].tier ? low : high;
			add_link(&t->leaf_per_byte[low], s->per_byte[l]);
		}
	}
	return 0;
}

static void ports_fini(struct ports *t)
{
	free(t->out);
	free(t->in);
	free(t->per_byte);
	free(t->leaf);
	free(t->leaf_out);
	free(t->leaf_in);
	free(t->leaf_per_byte);
}

static double larger(double a, double b)
{
	return a > b ? a : b;
}

/* Adds a QP's bytes to the ports, and to the uplinks of the leaves unless it stays within
 * one. */
static void add_qp(struct ports *t, const struct planner_conn *c, uint32_t plane,
		   double bytes)
{
	size_t out = (size_t)c->src_nic * t->n_planes + plane;
	size_t in = (size_t)c->dst_nic * t->n_planes + plane;
	uint32_t from = t->leaf[out], to = t->leaf[in];

	t->out[out] += bytes * t->per_byte[out];
	t->in[in] += bytes * t->per_byte[in];
	if (from != to) {
		t->leaf_out[from] += bytes * t->leaf_per_byte[from];
		t->leaf_in[to] += bytes * t->leaf_per_byte[to];
	}
}

/* The largest load that the QP's ports and leaves would have in the plane; *ret_sum: of
 * all four. */
static double height(const struct ports *t, const struct planner_conn *c, uint32_t plane,
		     double bytes, double *ret_sum)
{
	size_t out = (size_t)c->src_nic * t->n_planes + plane;
	size_t in = (size_t)c->dst_nic * t->n_planes + plane;
	uint32_t from = t->leaf[out], to = t->leaf[in];
	double a = t->out[out] + bytes * t->per_byte[out];
	double b = t->in[in] + bytes * t->per_byte[in];
	double up = 0, down = 0;

	if (from != to) {
		up = t->leaf_out[from] + bytes * t->leaf_per_byte[from];
		down = t->leaf_in[to] + bytes * t->leaf_per_byte[to];
	}
	*ret_sum = a + b + up + down;
	return larger(larger(a, b), larger(up, down));
}

/* Whether both ends are on the plane, and the connection may use it. */
static bool is_allowed(const struct ports *t, const struct planner_conn *c,
		       uint32_t plane)
{
	return (c->plane == TOPO_NONE || c->plane == plane) &&
	       t->per_byte[(size_t)c->src_nic * t->n_planes + plane] > 0 &&
	       t->per_byte[(size_t)c->dst_nic * t->n_planes + plane] > 0;
}

/*
 * The allowed plane with the least height, @otherwise when none is; ties to the lighter
 * sum, then in turn from @start.
 */
static uint32_t lightest(const struct ports *t, const struct planner_conn *c,
			 uint32_t otherwise, uint32_t start, double bytes)
{
	uint32_t best = otherwise;
	double best_max = 0, best_sum = 0;
	bool found = false;

	for (uint32_t i = 0; i < t->n_planes; i++) {
		uint32_t plane = (start + i) % t->n_planes;
		double sum, most;

		if (!is_allowed(t, c, plane))
			continue;
		most = height(t, c, plane, bytes, &sum);
		if (!found || most < best_max - LOAD_EPSILON ||
		    (most < best_max + LOAD_EPSILON && sum < best_sum - LOAD_EPSILON)) {
			found = true;
			best = plane;
			best_max = most;
			best_sum = sum;
		}
	}
	return best;
}

/* Whether more than one plane is allowed. */
static bool has_choice_of_planes(const struct ports *t, const struct planner_conn *c)
{
	uint32_t n = 0;

	for (uint32_t plane = 0; plane < t->n_planes && n < 2; plane++)
		n += is_allowed(t, c, plane);
	return n > 1;
}

static void assign(struct solver *s, struct ports *t, uint32_t conn)
{
	const struct planner_conn *c = &s->p->conns[conn];
	uint32_t otherwise = c->plane == TOPO_NONE ? 0 : c->plane;
	double bytes = (double)c->bytes / s->qps;

	for (uint32_t i = 0; i < s->qps; i++) {
		uint32_t plane =
			lightest(t, c, otherwise, (conn + i) % t->n_planes, bytes);

		s->plane[conn * s->qps + i] = (uint16_t)plane;
		add_qp(t, c, plane, bytes);
	}
}

int solver_assign_planes(struct solver *s)
{
	struct ports t = { 0 };
	int r;

	if (s->n_planes == 1)
		return 0; /* all zero already */
	r = ports_init(&t, s);
	/* Those without a choice first: the others can keep out of their way. */
	for (int has_choice = 0; r == 0 && has_choice < 2; has_choice++)
		for (uint32_t i = 0; i < s->n_conns; i++)
			if (has_choice_of_planes(&t, &s->p->conns[s->conns[i]]) ==
			    has_choice)
				assign(s, &t, s->conns[i]);
	ports_fini(&t);
	return r;
}
