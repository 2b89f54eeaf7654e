/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cuts, counted for every phase in one pass over its connections, largest first.  For
 *each cut (a NIC, a site, a pod, and where wiring is irregular a pair of sites or pods):
 *
 *	fractional	bytes that must cross, over the rates of its live links
 *	integral	n QPs of at least v bytes each over links of rates r_l: the least
 *T with sum of floor(T * r_l / v) >= n; for m equal links that is ceil(n / m) * v / r
 */
#include "bound.h"
#include "bound_pairs.h"
#include "order.h"
#include "plan_private.h"
#include <base/mem.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EPSILON 1e-9

/* The links that a set of NICs can leave by. */
struct cut_set {
	uint32_t first, n_links; /* into rates */
	double rate_sum;
	bool is_equal; /* all rates alike */
};

/* What crosses a set in one direction. */
struct crossing {
	double bytes;
	uint64_t n;	 /* QPs */
	double smallest; /* bytes of the smallest QP so far */
	double integral; /* relative load */
};

struct bounding {
	const struct planner_problem *p;
	struct site_map map;
	double reference_s;
	uint32_t qps;
	uint32_t n_nics, n_sets; /* sets: NICs in order of id, then sites, then pods */
	uint32_t *nic_set;	 /* [node] of NICs */
	struct cut_set *sets;
	uint64_t *rates;
	struct crossing *out, *in;
	uint32_t *order;	  /* connections by phase, largest first */
	uint64_t fabric_rate_bps; /* of all links between switches; 0: they differ */
};

static uint32_t site_set(const struct bounding *t, uint32_t site)
{
	return t->n_nics + site;
}

static uint32_t pod_set(const struct bounding *t, uint32_t pod)
{
	return t->n_nics + t->map.n_sites + pod;
}

/* The set that a link leaves at its end @node: the NIC, the site or the pod; TOPO_NONE:
 * none. */
static uint32_t set_of(const struct bounding *t, const struct topo_node *nodes,
		       uint32_t node, uint32_t peer)
{
	const struct site_map *m = &t->map;

	if (nodes[node].kind == TOPO_NIC)
		return t->nic_set[node];
	if (nodes[peer].kind == TOPO_NIC)
		return TOPO_NONE;
	if (m->switch_site[node] != TOPO_NONE)
		return m->switch_site[peer] != m->switch_site[node]
			       ? site_set(t, m->switch_site[node])
			       : TOPO_NONE;
	return m->spine_pod[node] != TOPO_NONE && m->spine_pod[peer] == TOPO_NONE &&
			       m->switch_site[peer] == TOPO_NONE
		       ? pod_set(t, m->spine_pod[node])
		       : TOPO_NONE;
}

/* The set of both ends of every live link; and the one rate of links between switches, if
 * there is one. */
static void find_sets(struct bounding *t, uint32_t *ends)
{
	const struct topo_node *nodes = topo_graph_nodes(t->p->graph);
	const struct topo_link *links = topo_graph_links(t->p->graph);
	uint32_t n_links = topo_graph_n_links(t->p->graph);

	for (uint32_t l = 0; l < n_links; l++) {
		uint32_t a = links[l].a, b = links[l].b;
		uint64_t rate = links[l].rate_bps;
		bool is_up = links[l].state == TOPO_UP;

		ends[2 * (size_t)l] = is_up ? set_of(t, nodes, a, b) : TOPO_NONE;
		ends[2 * (size_t)l + 1] = is_up ? set_of(t, nodes, b, a) : TOPO_NONE;
		if (!is_up || nodes[a].kind != TOPO_SWITCH ||
		    nodes[b].kind != TOPO_SWITCH)
			continue;
		if (t->fabric_rate_bps == UINT64_MAX)
			t->fabric_rate_bps = rate;
		else if (t->fabric_rate_bps != rate)
			t->fabric_rate_bps = 0;
	}
}

static int build_sets(struct bounding *t)
{
	const struct topo_link *links = topo_graph_links(t->p->graph);
	uint32_t n_ends = 2 * topo_graph_n_links(t->p->graph), total = 0;
	uint32_t *ends = base_array_new(n_ends, sizeof(*ends));

	if (!ends)
		return -ENOMEM;
	find_sets(t, ends);
	for (uint32_t e = 0; e < n_ends; e++)
		if (ends[e] != TOPO_NONE)
			t->sets[ends[e]].n_links++;
	for (uint32_t s = 0; s < t->n_sets; s++) {
		t->sets[s].first = total;
		total += t->sets[s].n_links;
		t->sets[s].n_links = 0;
		t->sets[s].is_equal = true;
	}
	t->rates = base_array_new(total, sizeof(uint64_t));
	for (uint32_t e = 0; t->rates && e < n_ends; e++) {
		uint64_t rate = links[topo_hop_link(e)].rate_bps;
		struct cut_set *s;

		if (ends[e] == TOPO_NONE)
			continue;
		s = &t->sets[ends[e]];
		t->rates[s->first + s->n_links++] = rate;
		s->rate_sum += (double)rate;
		s->is_equal &= rate == t->rates[s->first];
	}
	free(ends);
	return t->rates ? 0 : -ENOMEM;
}

/* Relative load of @bytes over @rate_bps. */
static double relative(const struct bounding *t, double bytes, double rate_bps)
{
	return bytes * 8 / (rate_bps * t->reference_s);
}

/* The least T for @n flows of @bytes over the set's links of different rates, by
 * bisection on T. */
static double unequal_integral(const struct bounding *t, const struct cut_set *s,
			       double bytes, uint64_t n)
{
	double low = 0, high = relative(t, bytes, s->rate_sum) * (double)n;

	for (uint32_t i = 0; i < s->n_links; i++)
		high = fmax(high, relative(t, bytes, (double)t->rates[s->first + i]) *
					  (double)n);
	for (int step = 0; step < 60; step++) {
		double middle = (low + high) / 2, room = 0;

		for (uint32_t i = 0; i < s->n_links; i++)
			room += floor(middle / relative(t, bytes,
							(double)t->rates[s->first + i]) +
				      EPSILON);
		if (room >= (double)n)
			high = middle;
		else
			low = middle;
	}
	return high;
}

/* Called when all QPs of one size are in, and at the end. */
static void close_class(const struct bounding *t, const struct cut_set *s,
			struct crossing *x)
{
	uint64_t deepest; /* QPs on the link that has most */
	double integral;

	if (x->n == 0 || s->n_links == 0)
		return;
	deepest = (x->n + s->n_links - 1) / s->n_links;
	if (s->is_equal)
		integral = (double)deepest *
			   relative(t, x->smallest, (double)t->rates[s->first]);
	else
		integral = unequal_integral(t, s, x->smallest, x->n);
	x->integral = fmax(x->integral, integral);
}

static void cross(const struct bounding *t, uint32_t set, struct crossing *x,
		  double bytes)
{
	double each = bytes / t->qps;

	if (x->n > 0 && each < x->smallest)
		close_class(t, &t->sets[set], x);
	x->bytes += bytes;
	x->n += t->qps;
	x->smallest = each;
}

/* To the nearest whole number; UINT64_MAX: beyond 64 bits. */
static uint64_t whole(double x)
{
	return x < 0x1p63 ? (uint64_t)llround(x) : UINT64_MAX;
}

static void set_cut(struct planner_cut *cut, enum planner_cut_kind kind, uint32_t node,
		    uint32_t peer, uint32_t phase, double bytes, double rate_bps,
		    double load)
{
	*cut = (struct planner_cut){
		.kind = kind,
		.node = node,
		.peer = peer,
		.phase = phase,
		.plane = TOPO_NONE,
		.bytes = whole(bytes),
		.rate_bps = whole(rate_bps),
		.load_ppm = plan_ppm(load),
	};
}

static void take_set(const struct bounding *t, uint32_t set, const struct crossing *x,
		     enum planner_cut_kind kind, uint32_t node, uint32_t phase,
		     bool is_fabric, struct planner_phase_bound *b)
{
	struct crossing closed = *x;
	double load;

	if (x->n == 0 || t->sets[set].n_links == 0)
		return;
	close_class(t, &t->sets[set], &closed);
	load = relative(t, x->bytes, t->sets[set].rate_sum);
	if (is_fabric) {
		if (load > b->fabric_fractional + EPSILON) {
			b->fabric_fractional = load;
			set_cut(&b->fabric_cut, kind, node, TOPO_NONE, phase, x->bytes,
				t->sets[set].rate_sum, load);
		}
		b->fabric_integral =
			fmax(b->fabric_integral, fmax(load, closed.integral));
	}
	if (load > b->fractional + EPSILON) {
		b->fractional = load;
		set_cut(&b->cut, kind, node, TOPO_NONE, phase, x->bytes,
			t->sets[set].rate_sum, load);
	}
	b->integral = fmax(b->integral, fmax(load, closed.integral));
}

bool pair_sink_is_below(const struct pair_sink *sink, double bytes, double rate_bps)
{
	return bytes * 8 / (rate_bps * sink->reference_s) <=
	       sink->bound->fabric_fractional + EPSILON;
}

/* Pair cuts carry no list of links: only the fractional bound. */
static void take_pair(struct pair_sink *sink, enum planner_cut_kind kind, uint32_t node,
		      uint32_t peer, double bytes, double rate_bps)
{
	struct planner_phase_bound *b = sink->bound;
	double load = bytes * 8 / (rate_bps * sink->reference_s);

	if (load > b->fabric_fractional + EPSILON) {
		b->fabric_fractional = load;
		set_cut(&b->fabric_cut, kind, node, peer, sink->phase, bytes, rate_bps,
			load);
	}
	if (load > b->fractional + EPSILON) {
		b->fractional = load;
		set_cut(&b->cut, kind, node, peer, sink->phase, bytes, rate_bps, load);
	}
}

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Where all links between switches have one rate, every load is a whole number of the
 * smallest piece. */
static void round_up(const struct bounding *t, const uint32_t *conns, uint32_t n,
		     struct planner_phase_bound *b)
{
	uint64_t piece = 0;
	double unit;

	for (uint32_t i = 0; i < n; i++)
		piece = greatest_common_divisor(t->p->conns[conns[i]].bytes, piece);
	b->fabric_integral = fmax(b->fabric_integral, b->fabric_fractional);
	if (t->fabric_rate_bps != 0 && t->fabric_rate_bps != UINT64_MAX) {
		unit = relative(t, (double)piece / t->qps, (double)t->fabric_rate_bps);
		if (unit > 1e-6)
			b->fabric_integral =
				fmax(b->fabric_integral,
				     ceil(b->fabric_fractional / unit - EPSILON) * unit);
	}
	b->integral = fmax(b->integral, fmax(b->fractional, b->fabric_integral));
}

static int bound_phase(struct bounding *t, const uint32_t *conns, uint32_t n,
		       uint32_t phase, struct planner_phase_bound *b)
{
	struct pair_sink sink = { .bound = b,
				  .reference_s = t->reference_s,
				  .phase = phase,
				  .take = take_pair };

	if (phase > 0) {
		memset(t->out, 0, t->n_sets * sizeof(*t->out));
		memset(t->in, 0, t->n_sets * sizeof(*t->in));
	}
	for (uint32_t i = 0; i < n; i++) {
		const struct planner_conn *c = &t->p->conns[conns[i]];
		uint32_t from = t->map.nic_site[c->src_nic],
			 to = t->map.nic_site[c->dst_nic];
		double bytes = (double)c->bytes;

		cross(t, t->nic_set[c->src_nic], &t->out[t->nic_set[c->src_nic]], bytes);
		cross(t, t->nic_set[c->dst_nic], &t->in[t->nic_set[c->dst_nic]], bytes);
		if (from == TOPO_NONE || to == TOPO_NONE || from == to)
			continue;
		cross(t, site_set(t, from), &t->out[site_set(t, from)], bytes);
		cross(t, site_set(t, to), &t->in[site_set(t, to)], bytes);
		from = t->map.site_pod[from];
		to = t->map.site_pod[to];
		if (from == to)
			continue;
		cross(t, pod_set(t, from), &t->out[pod_set(t, from)], bytes);
		cross(t, pod_set(t, to), &t->in[pod_set(t, to)], bytes);
	}
	/* The fabric first: where a NIC is no tighter, the cut that people can act on is
	 * named. */
	for (uint32_t pod = 0; pod < t->map.n_pods; pod++) {
		uint32_t set = pod_set(t, pod), number = t->map.pod_number[pod];

		take_set(t, set, &t->out[set], PLANNER_CUT_POD_OUT, number, phase, true,
			 b);
		take_set(t, set, &t->in[set], PLANNER_CUT_POD_IN, number, phase, true, b);
	}
	for (uint32_t site = 0; site < t->map.n_sites; site++) {
		uint32_t set = site_set(t, site), leaf = t->map.site_leaf[site];

		take_set(t, set, &t->out[set], PLANNER_CUT_LEAF_OUT, leaf, phase, true,
			 b);
		take_set(t, set, &t->in[set], PLANNER_CUT_LEAF_IN, leaf, phase, true, b);
	}
	for (uint32_t nic = 0; nic < topo_graph_n_nodes(t->p->graph); nic++) {
		uint32_t set = t->nic_set[nic];

		if (set == TOPO_NONE)
			continue;
		take_set(t, set, &t->out[set], PLANNER_CUT_NIC_OUT, nic, phase, false, b);
		take_set(t, set, &t->in[set], PLANNER_CUT_NIC_IN, nic, phase, false, b);
	}
	if (t->map.is_irregular) {
		int r = site_map_pairs(&t->map, t->p, conns, n, &sink);

		if (r < 0)
			return r;
	}
	round_up(t, conns, n, b);
	return 0;
}

static int bounding_init(struct bounding *t)
{
	const struct topo_node *nodes = topo_graph_nodes(t->p->graph);
	uint32_t n_nodes = topo_graph_n_nodes(t->p->graph);

	t->nic_set = base_array_new(n_nodes, sizeof(*t->nic_set));
	for (uint32_t n = 0; t->nic_set && n < n_nodes; n++)
		t->nic_set[n] = nodes[n].kind == TOPO_NIC ? t->n_nics++ : TOPO_NONE;
	t->n_sets = t->n_nics + t->map.n_sites + t->map.n_pods;
	t->fabric_rate_bps = UINT64_MAX;
	t->sets = base_array_new(t->n_sets, sizeof(*t->sets));
	t->out = base_array_new(t->n_sets, sizeof(*t->out));
	t->in = base_array_new(t->n_sets, sizeof(*t->in));
	if (!t->nic_set || !t->sets || !t->out || !t->in)
		return -ENOMEM;
	return build_sets(t);
}

/* Takes connections without a QP out of the order. */
static void leave_out(const struct planner_plan *plan, uint32_t n_phases, uint32_t *order,
		      uint32_t *first)
{
	uint32_t from = 0, at = 0;

	for (uint32_t phase = 0; phase < n_phases; phase++) {
		uint32_t end = first[phase + 1];

		first[phase] = at;
		for (; from < end; from++)
			if (plan->conn_first[order[from] + 1] >
			    plan->conn_first[order[from]])
				order[at++] = order[from];
	}
	first[n_phases] = at;
}

int planner_bounds_new(const struct planner_problem *p, const struct planner_plan *plan,
		       double reference_s, uint32_t qps, struct planner_clos *const *clos,
		       uint32_t n_planes, struct planner_bounds **ret_bounds)
{
	struct bounding t = { .p = p, .reference_s = reference_s, .qps = qps };
	struct planner_bounds *b = calloc(1, sizeof(*b));
	uint32_t *first = NULL;
	int r = -ENOMEM;

	if (!b)
		return -ENOMEM;
	b->n_phases = p->n_phases;
	b->phases = base_array_new(p->n_phases, sizeof(*b->phases));
	first = base_array_new((size_t)p->n_phases + 1, sizeof(*first));
	t.order = base_array_new(p->n_conns, sizeof(uint32_t));
	if (b->phases && first && t.order)
		r = site_map_init(&t.map, p->graph, clos, n_planes);
	if (r == 0)
		r = bounding_init(&t);
	if (r == 0)
		r = planner_order_conns(p, t.order, first);
	if (r == 0 && plan)
		leave_out(plan, p->n_phases, t.order, first);
	for (uint32_t phase = 0; r == 0 && phase < p->n_phases; phase++)
		r = bound_phase(&t, &t.order[first[phase]],
				first[phase + 1] - first[phase], phase,
				&b->phases[phase]);
	site_map_fini(&t.map);
	free(t.sets);
	free(t.nic_set);
	free(t.rates);
	free(t.out);
	free(t.in);
	free(t.order);
	free(first);
	if (r < 0)
		planner_bounds_free(b);
	else
		*ret_bounds = b;
	return r;
}

void planner_bounds_free(struct planner_bounds *b)
{
	if (b)
		free(b->phases);
	free(b);
}
