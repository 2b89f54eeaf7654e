/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Paths in a Clos, class by class.  A class is the flows of one size; classes come
 * largest first, and each is coloured on its own with exactly its own degree, since one
 * colouring over unequal flows balances counts and not bytes.
 *
 * Two independent steps: leaves choose the group of spines (and the cable of the bundle),
 * then within each group pods choose the core.
 */
#include "solver.h"
#include "fold.h"
#include "rooms.h"
#include <base/mem.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Flows belong to one class when they differ by less than one part in this. */
#define CLASS_TOLERANCE 1024u

struct plane_work {
	struct solver *s;
	const struct planner_clos *c;
	/* What earlier classes left on the slots of regular levels: [vertex * slots +
	 * slot]. */
	uint32_t leaf_slots, core_slots;
	double *leaf_out, *leaf_in;
	double *core_out, *core_in; /* [(group * n_pods + pod) * core_slots + slot] */
	/* The class at hand: one entry for each QP that leaves its leaf. */
	uint32_t n;
	uint32_t copies; /* consecutive entries with the same ends */
	uint32_t *qps;
	struct planner_edge *edges;
	uint32_t *slot;
	uint32_t *group, *up, *down, *core_up, *core_down;
	/* Entries by group. */
	uint32_t *first, *members;
	struct planner_edge *group_edges;
	uint32_t *group_slot, *group_up, *group_down;
};

static int work_init(struct plane_work *w, uint32_t n)
{
	const struct planner_clos *c = w->c;
	uint32_t **arrays[] = { &w->qps,	&w->slot,     &w->group,     &w->up,
				&w->down,	&w->core_up,  &w->core_down, &w->members,
				&w->group_slot, &w->group_up, &w->group_down };
	size_t n_leaf, n_core;

	w->leaf_slots = c->is_regular_leaf ? c->n_groups * c->leaf_cables : 0;
	w->core_slots = c->is_regular_core ? c->n_cores * c->core_cables : 0;
	n_leaf = (size_t)c->n_leaves * w->leaf_slots;
	n_core = (size_t)c->n_groups * c->n_pods * w->core_slots;
	for (size_t i = 0; i < BASE_COUNT(arrays); i++) {
		*arrays[i] = base_array_new(n, sizeof(uint32_t));
		if (!*arrays[i])
			return -ENOMEM;
	}
	w->edges = base_array_new(n, sizeof(struct planner_edge));
	w->group_edges = base_array_new(n, sizeof(struct planner_edge));
	w->first = base_array_new((size_t)c->n_groups + 2, sizeof(uint32_t));
	w->leaf_out = base_array_new(n_leaf, sizeof(double));
	w->leaf_in = base_array_new(n_leaf, sizeof(double));
	w->core_out = base_array_new(n_core, sizeof(double));
	w->core_in = base_array_new(n_core, sizeof(double));
	return w->edges && w->group_edges && w->first && w->leaf_out && w->leaf_in &&
			       w->core_out && w->core_in
		       ? 0
		       : -ENOMEM;
}

static void work_fini(struct plane_work *w)
{
	free(w->qps);
	free(w->slot);
	free(w->group);
	free(w->up);
	free(w->down);
	free(w->core_up);
	free(w->core_down);
	free(w->members);
	free(w->group_slot);
	free(w->group_up);
	free(w->group_down);
	free(w->edges);
	free(w->group_edges);
	free(w->first);
	free(w->leaf_out);
	free(w->leaf_in);
	free(w->core_out);
	free(w->core_in);
}

/*
 * Collects the QPs of connections conns[from..to) in the plane.  Those within a leaf get
 * their path at once; those whose NIC has several leaves in the plane are left for
 * solver_route_rest().
 */
static void collect(struct plane_work *w, uint32_t plane, uint32_t from, uint32_t to)
{
	struct solver *s = w->s;
	const struct planner_clos *c = w->c;
	bool alike = true;

	w->n = w->copies = 0;
	for (uint32_t i = from; i < to; i++) {
		const struct planner_conn *conn = &s->p->conns[s->conns[i]];
		uint32_t src = c->nic_leaf[conn->src_nic],
			 dst = c->nic_leaf[conn->dst_nic];
		uint32_t before = w->n;

		if (src == TOPO_NONE || dst == TOPO_NONE)
			continue;
		for (uint32_t q = s->conns[i] * s->qps; q < (s->conns[i] + 1) * s->qps;
		     q++) {
			if (s->plane[q] != plane)
				continue;
			if (src == dst) {
				uint32_t hops[] = { c->nic_hop[conn->src_nic],
						    c->nic_hop[conn->dst_nic] ^ 1u };

				solver_set_path(s, q, hops, 2);
				continue;
			}
			w->qps[w->n] = q;
			w->edges[w->n++] = (struct planner_edge){ src, dst };
		}
		if (w->copies == 0)
			w->copies = w->n - before;
		alike &= w->n == before || w->n - before == w->copies;
	}
	if (!alike || w->copies == 0)
		w->copies = 1;
}

/* The class's groups by folding: every copy of an edge is coloured once for all. */
static int groups_by_fold(struct plane_work *w, double load)
{
	const struct planner_clos *c = w->c;
	uint32_t n = w->n / w->copies, cables = c->leaf_cables;
	int r;

	for (uint32_t i = 0; i < n; i++)
		w->group_edges[i] = w->edges[(size_t)i * w->copies];
	r = planner_fold(w->group_edges, n, c->n_leaves, c->n_leaves, w->copies,
			 w->leaf_slots, load, w->leaf_out, w->leaf_in, w->slot);
	for (uint32_t i = 0; r == 0 && i < w->n; i++) {
		uint32_t group = w->slot[i] / cables, cable = w->slot[i] % cables;
		size_t out = (size_t)w->edges[i].left * c->n_groups + group;
		size_t in = (size_t)w->edges[i].right * c->n_groups + group;

		w->group[i] = group;
		w->up[i] = c->leaf_hops[c->leaf_first[out] + cable];
		w->down[i] = c->leaf_hops[c->leaf_first[in] + cable] ^ 1u;
	}
	return r;
}

/*
 * How many leaves of a pod may overload one group: as many more flows as the group's
 * cores can carry on top of its share of what leaves the fullest pod, one at least.  0 or
 * -ENOMEM.
 */
static int spare_for_hot(const struct plane_work *w, uint32_t *ret_spare)
{
	const struct planner_clos *c = w->c;
	uint32_t *leaving = base_array_new(c->n_pods, sizeof(*leaving));
	uint32_t most = 0, cables, share;

	if (!leaving)
		return -ENOMEM;
	for (uint32_t i = 0; i < w->n; i++)
		if (c->leaf_pod[w->edges[i].left] != c->leaf_pod[w->edges[i].right])
			leaving[c->leaf_pod[w->edges[i].left]]++;
	for (uint32_t pod = 0; pod < c->n_pods; pod++)
		if (leaving[pod] > most)
			most = leaving[pod];
	free(leaving);
	cables = c->core_first[(size_t)c->n_pods * c->n_groups * c->n_cores] /
		 (c->n_pods * c->n_groups);
	share = most / c->n_groups;
	*ret_spare = cables > share + 1 ? cables - share : 1;
	return 0;
}

static int choose_groups(struct plane_work *w, double bytes)
{
	const struct planner_clos *c = w->c;
	struct rooms_level level = {
		.n_vertices = c->n_leaves,
		.n_colours = c->n_groups,
		.factor = 1,
		.first = c->leaf_first,
		.hops = c->leaf_hops,
	};

	if (c->n_groups == 0) {
		memset(w->group, 0xff, w->n * sizeof(uint32_t));
		return 0;
	}
	if (c->is_regular_leaf)
		return groups_by_fold(w, solver_hop_load(w->s, c->leaf_hops[0], bytes));
	if (c->n_cores > 0) {
		level.pod = c->leaf_pod;
		level.n_pods = c->n_pods;
		if (spare_for_hot(w, &level.hot_per_pod) < 0)
			return -ENOMEM;
	}
	return solver_place_rooms(w->s, &level, w->edges, w->n, bytes, w->group, w->up,
				  w->down);
}

/* Entries that go to another pod, by group, in order. */
static void sort_by_group(struct plane_work *w)
{
	const struct planner_clos *c = w->c;

	memset(w->first, 0, ((size_t)c->n_groups + 2) * sizeof(uint32_t));
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < w->n; i++) {
			uint32_t group = w->group[i];

			if (group == PLANNER_COLOUR_NONE ||
			    c->leaf_pod[w->edges[i].left] ==
				    c->leaf_pod[w->edges[i].right])
				continue;
			if (pass == 0)
				w->first[group + 2]++;
			else
				w->members[w->first[group + 1]++] = i;
		}
		for (uint32_t g = 0; pass == 0 && g < c->n_groups; g++)
			w->first[g + 2] += w->first[g + 1];
	}
}

static int cores_by_fold(struct plane_work *w, uint32_t group, uint32_t n, double load)
{
	const struct planner_clos *c = w->c;
	size_t row = (size_t)group * c->n_pods * w->core_slots;
	int r = planner_fold(w->group_edges, n, c->n_pods, c->n_pods, 1, w->core_slots,
			     load, &w->core_out[row], &w->core_in[row], w->group_slot);

	for (uint32_t i = 0; r == 0 && i < n; i++) {
		uint32_t core = w->group_slot[i] / c->core_cables;
		uint32_t cable = w->group_slot[i] % c->core_cables;
		size_t out = ((size_t)w->group_edges[i].left * c->n_groups + group) *
			     c->n_cores;
		size_t in = ((size_t)w->group_edges[i].right * c->n_groups + group) *
			    c->n_cores;

		w->group_up[i] = c->core_hops[c->core_first[out + core] + cable];
		w->group_down[i] = c->core_hops[c->core_first[in + core] + cable] ^ 1u;
	}
	return r;
}

static int choose_cores(struct plane_work *w, double bytes)
{
	const struct planner_clos *c = w->c;
	int r = 0;

	sort_by_group(w);
	for (uint32_t group = 0; r == 0 && group < c->n_groups; group++) {
		const uint32_t *members = &w->members[w->first[group]];
		uint32_t n = w->first[group + 1] - w->first[group];
		struct rooms_level level = {
			.n_vertices = c->n_pods,
			.n_colours = c->n_cores,
			.factor = c->n_groups,
			.offset = group,
			.first = c->core_first,
			.hops = c->core_hops,
		};

		for (uint32_t i = 0; i < n; i++)
			w->group_edges[i] = (struct planner_edge){
				c->leaf_pod[w->edges[members[i]].left],
				c->leaf_pod[w->edges[members[i]].right],
			};
		if (n == 0 || c->n_cores == 0) {
			memset(w->group_slot, 0xff, n * sizeof(uint32_t));
		} else if (c->is_regular_core) {
			r = cores_by_fold(w, group, n,
					  solver_hop_load(w->s, c->core_hops[0], bytes));
		} else {
			r = solver_place_rooms(w->s, &level, w->group_edges, n, bytes,
					       w->group_slot, w->group_up, w->group_down);
		}
		for (uint32_t i = 0; r == 0 && i < n; i++) {
			w->core_up[members[i]] = w->group_up[i];
			w->core_down[members[i]] = w->group_down[i];
			if (w->group_slot[i] == PLANNER_COLOUR_NONE)
				w->core_up[members[i]] = TOPO_NONE;
		}
	}
	return r;
}

/* Placing by rooms has added its cables' loads to see them itself; committing a path adds
 * all of it. */
static void take_back(struct plane_work *w, uint32_t i, double bytes, bool between_pods)
{
	struct solver *s = w->s;

	if (!w->c->is_regular_leaf) {
		s->load[w->up[i]] -= solver_hop_load(s, w->up[i], bytes);
		s->load[w->down[i]] -= solver_hop_load(s, w->down[i], bytes);
	}
	if (between_pods && !w->c->is_regular_core && w->core_up[i] != TOPO_NONE) {
		s->load[w->core_up[i]] -= solver_hop_load(s, w->core_up[i], bytes);
		s->load[w->core_down[i]] -= solver_hop_load(s, w->core_down[i], bytes);
	}
}

static void commit(struct plane_work *w, double bytes)
{
	const struct planner_clos *c = w->c;
	struct solver *s = w->s;

	for (uint32_t i = 0; i < w->n; i++) {
		const struct planner_conn *conn = &s->p->conns[w->qps[i] / s->qps];
		bool between_pods =
			c->leaf_pod[w->edges[i].left] != c->leaf_pod[w->edges[i].right];
		uint32_t hops[6], n = 0;

		if (w->group[i] == PLANNER_COLOUR_NONE)
			continue;
		take_back(w, i, bytes, between_pods);
		if (between_pods && w->core_up[i] == TOPO_NONE)
			continue;
		hops[n++] = c->nic_hop[conn->src_nic];
		hops[n++] = w->up[i];
		if (between_pods) {
			hops[n++] = w->core_up[i];
			hops[n++] = w->core_down[i];
		}
		hops[n++] = w->down[i];
		hops[n++] = c->nic_hop[conn->dst_nic] ^ 1u;
		solver_set_path(s, w->qps[i], hops, n);
	}
}

int solver_colour_plane(struct solver *s, uint32_t plane)
{
	struct plane_work w = { .s = s, .c = s->clos[plane] };
	uint32_t from = 0;
	int r = work_init(&w, s->n_conns * s->qps);

	while (r == 0 && from < s->n_conns) {
		/* Sizes that differ by a rounding are one class. */
		uint64_t bytes = s->p->conns[s->conns[from]].bytes;
		uint64_t least = bytes - bytes / CLASS_TOLERANCE;
		double each = (double)bytes / s->qps;
		uint32_t to = from;

		while (to < s->n_conns && s->p->conns[s->conns[to]].bytes >= least)
			to++;
		collect(&w, plane, from, to);
		if (w.n > 0)
			r = choose_groups(&w, each);
		if (r == 0 && w.n > 0)
			r = choose_cores(&w, each);
		if (r == 0)
			commit(&w, each);
		from = to;
	}
	work_fini(&w);
	return r;
}
