/* SPDX-License-Identifier: Apache-2.0 */
#include "choices.h"
#include <base/mem.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Where every spine meets every core, a path may come down by another group than it went
 * up: bundles do not show such paths, so they are searched.
 */
static int find_same_group(struct choice_plane *plane, uint32_t n_nodes)
{
	const struct planner_clos *clos = plane->clos;
	uint32_t *group_of = base_array_new(n_nodes, sizeof(*group_of));

	if (!group_of)
		return -ENOMEM;
	plane->is_same_group = true;
	for (uint32_t g = 0; g < clos->n_groups; g++) {
		for (uint32_t core = 0; core < clos->n_cores; core++) {
			uint32_t node =
				clos->core_switch[(size_t)g * clos->n_cores + core];

			if (node == TOPO_NONE)
				continue;
			if (group_of[node] != 0 && group_of[node] != g + 1)
				plane->is_same_group = false;
			group_of[node] = g + 1;
		}
	}
	free(group_of);
	return 0;
}

/* Which group and core each cable leads to, and which cores of each pod and group are
 * live. */
static int index_cables(struct choice_plane *plane)
{
	const struct planner_clos *clos = plane->clos;
	size_t n_leaf = (size_t)clos->n_leaves * clos->n_groups;
	size_t n_spine = (size_t)clos->n_pods * clos->n_groups;
	size_t n_core = n_spine * clos->n_cores;

	plane->n_words = (clos->n_cores + 63) / 64;
	plane->cable_group = base_array_new(clos->leaf_first[n_leaf], sizeof(uint32_t));
	plane->cable_core = base_array_new(clos->core_first[n_core], sizeof(uint32_t));
	plane->live_cores = base_array_new(n_spine * plane->n_words, sizeof(uint64_t));
	if (!plane->cable_group || !plane->cable_core || !plane->live_cores)
		return -ENOMEM;
	for (size_t b = 0; b < n_leaf; b++) {
		for (uint32_t i = clos->leaf_first[b]; i < clos->leaf_first[b + 1]; i++)
			plane->cable_group[i] = (uint32_t)(b % clos->n_groups);
	}
	for (size_t b = 0; b < n_core; b++) {
		uint32_t core = (uint32_t)(b % clos->n_cores);

		for (uint32_t i = clos->core_first[b]; i < clos->core_first[b + 1]; i++) {
			plane->cable_core[i] = core;
			plane->live_cores[b / clos->n_cores * plane->n_words +
					  core / 64] |= (uint64_t)1 << (core % 64);
		}
	}
	return 0;
}

static int init_plane(struct choices *c, uint32_t number)
{
	struct choice_plane *plane = &c->planes[number];
	int r = planner_clos_new(c->p->graph, number, &plane->clos, NULL);

	if (r == -BASE_E_INVALID) {
		plane->clos = NULL;
		return 0;
	}
	if (r == 0)
		r = index_cables(plane);
	if (r == 0)
		r = find_same_group(plane, topo_graph_n_nodes(c->p->graph));
	return r;
}

bool choice_has_group(const struct choice_plane *plane, uint32_t from, uint32_t to,
		      uint32_t group)
{
	const struct planner_clos *clos = plane->clos;
	uint32_t from_pod = clos->leaf_pod[from], to_pod = clos->leaf_pod[to];
	const uint64_t *up, *down;

	if (choice_leaf_bundle(clos, from, group).n == 0 ||
	    choice_leaf_bundle(clos, to, group).n == 0)
		return false;
	if (from_pod == to_pod)
		return true;
	up = &plane->live_cores[((size_t)from_pod * clos->n_groups + group) *
				plane->n_words];
	down = &plane->live_cores[((size_t)to_pod * clos->n_groups + group) *
				  plane->n_words];
	for (uint32_t i = 0; i < plane->n_words; i++) {
		if (up[i] & down[i])
			return true;
	}
	return false;
}

static bool has_any_group(const struct choice_plane *plane, uint32_t from, uint32_t to)
{
	const struct planner_clos *clos = plane->clos;

	if (clos->is_regular_leaf &&
	    (clos->is_regular_core || clos->leaf_pod[from] == clos->leaf_pod[to]))
		return clos->n_groups > 0;
	for (uint32_t group = 0; group < clos->n_groups; group++) {
		if (choice_has_group(plane, from, to, group))
			return true;
	}
	return false;
}

/* Fits a choice to the Clos of its plane; false: it does not fit. */
static bool choose_in_clos(const struct choice_plane *plane,
			   const struct planner_conn *conn, struct choice *choice)
{
	const struct planner_clos *clos = plane->clos;
	uint32_t from, to;

	if (!clos)
		return false;
	from = clos->nic_leaf[conn->src_nic];
	to = clos->nic_leaf[conn->dst_nic];
	if (from == TOPO_NONE || to == TOPO_NONE)
		return false;
	if (from == to) {
		choice->kind = CHOICE_LEAF;
		choice->n_hops = 2;
	} else if (clos->leaf_pod[from] == clos->leaf_pod[to]) {
		choice->kind = CHOICE_POD;
		choice->n_hops = 4;
	} else if (clos->n_cores > 0 && plane->is_same_group) {
		choice->kind = CHOICE_CORE;
		choice->n_hops = 6;
	} else {
		return false;
	}
	return from == to || has_any_group(plane, from, to);
}

/* In a Clos, does one of the ends have no live link? */
static bool is_cut_off(const struct choice_plane *plane, const struct planner_conn *conn)
{
	const struct planner_clos *clos = plane->clos;

	return clos && (clos->nic_hop[conn->src_nic] == TOPO_NONE ||
			clos->nic_hop[conn->dst_nic] == TOPO_NONE);
}

static int add_choices(struct choices *c, uint32_t conn, uint32_t *n)
{
	const struct planner_conn *at = &c->p->conns[conn];
	uint32_t begin = at->plane == TOPO_NONE ? 0 : at->plane;
	uint32_t end = at->plane == TOPO_NONE ? c->n_planes : at->plane + 1;
	struct choice *list = base_grow(c->list, &c->cap_list, (size_t)*n + (end - begin),
					sizeof(*list));

	if (!list)
		return -ENOMEM;
	c->list = list;
	for (uint32_t plane = begin; plane < end && plane < c->n_planes; plane++) {
		struct choice choice = { plane, CHOICE_SEARCH, 0 };

		if (is_cut_off(&c->planes[plane], at))
			continue;
		if (!choose_in_clos(&c->planes[plane], at, &choice)) {
			choice.kind = CHOICE_SEARCH;
			c->n_searched++;
		}
		list[(*n)++] = choice;
	}
	return 0;
}

struct search_key {
	uint32_t dst_nic, plane, index, conn;
};

static int compare_keys(const void *a, const void *b)
{
	const struct search_key *x = a, *y = b;

	if (x->dst_nic != y->dst_nic)
		return x->dst_nic < y->dst_nic ? -1 : 1;
	if (x->plane != y->plane)
		return x->plane < y->plane ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

/* Sorts what must be searched so that one search serves all that go to one place. */
static int sort_searched(struct choices *c)
{
	struct search_key *keys = base_array_new(c->n_searched, sizeof(*keys));
	uint32_t n = 0;

	c->searched = base_array_new(c->n_searched, sizeof(*c->searched));
	c->searched_conn = base_array_new(c->n_searched, sizeof(*c->searched_conn));
	if (!keys || !c->searched || !c->searched_conn) {
		free(keys);
		return -ENOMEM;
	}
	for (uint32_t conn = 0; conn < c->p->n_conns; conn++) {
		for (uint32_t i = c->first[conn]; i < c->first[conn + 1]; i++) {
			if (c->list[i].kind == CHOICE_SEARCH)
				keys[n++] =
					(struct search_key){ c->p->conns[conn].dst_nic,
							     c->list[i].plane, i, conn };
		}
	}
	qsort(keys, n, sizeof(*keys), compare_keys);
	for (uint32_t i = 0; i < n; i++) {
		c->searched[i] = keys[i].index;
		c->searched_conn[i] = keys[i].conn;
	}
	free(keys);
	return 0;
}

/* Learns the lengths of what must be searched; 0: no path. */
static int measure_searched(struct choices *c)
{
	int r = topo_paths_new(c->p->graph, &c->paths);

	for (uint32_t i = 0; r == 0 && i < c->n_searched; i++) {
		const struct planner_conn *conn = &c->p->conns[c->searched_conn[i]];
		struct choice *choice = &c->list[c->searched[i]];

		r = topo_paths_aim(c->paths, conn->dst_nic, choice->plane);
		if (r == 0)
			choice->n_hops =
				(uint8_t)topo_paths_length(c->paths, conn->src_nic);
		else if (r == -ENOENT)
			r = 0;
	}
	return r;
}

/* Drops the choices without a path, and what pointed to them. */
static void drop_unreachable(struct choices *c, uint32_t *moved_to)
{
	uint32_t n = 0, n_searched = 0, begin = 0;

	for (uint32_t conn = 0; conn < c->p->n_conns; conn++) {
		uint32_t end = c->first[conn + 1];

		for (uint32_t i = begin; i < end; i++) {
			moved_to[i] = c->list[i].n_hops ? n : TOPO_NONE;
			if (c->list[i].n_hops)
				c->list[n++] = c->list[i];
		}
		begin = end;
		c->first[conn + 1] = n;
	}
	for (uint32_t i = 0; i < c->n_searched; i++) {
		if (moved_to[c->searched[i]] == TOPO_NONE)
			continue;
		c->searched[n_searched] = moved_to[c->searched[i]];
		c->searched_conn[n_searched++] = c->searched_conn[i];
	}
	c->n_searched = n_searched;
}

static int search_the_rest(struct choices *c)
{
	uint32_t *moved_to = base_array_new(c->first[c->p->n_conns], sizeof(*moved_to));
	int r = moved_to ? sort_searched(c) : -ENOMEM;

	if (r == 0)
		r = measure_searched(c);
	if (r == 0)
		drop_unreachable(c, moved_to);
	free(moved_to);
	return r;
}

int choices_init(struct choices *c, const struct planner_problem *p)
{
	uint32_t n = 0;
	int r = 0;

	memset(c, 0, sizeof(*c));
	c->p = p;
	c->n_planes = topo_graph_n_planes(p->graph);
	c->planes = base_array_new(c->n_planes, sizeof(*c->planes));
	c->first = base_array_new((size_t)p->n_conns + 1, sizeof(*c->first));
	if (!c->planes || !c->first)
		r = -ENOMEM;
	for (uint32_t plane = 0; r == 0 && plane < c->n_planes; plane++)
		r = init_plane(c, plane);
	for (uint32_t conn = 0; r == 0 && conn < p->n_conns; conn++) {
		r = add_choices(c, conn, &n);
		c->first[conn + 1] = n;
	}
	if (r == 0 && c->n_searched > 0)
		r = search_the_rest(c);
	if (r < 0)
		choices_fini(c);
	return r;
}

void choices_fini(struct choices *c)
{
	for (uint32_t plane = 0; c->planes && plane < c->n_planes; plane++) {
		planner_clos_free(c->planes[plane].clos);
		free(c->planes[plane].cable_group);
		free(c->planes[plane].cable_core);
		free(c->planes[plane].live_cores);
	}
	free(c->planes);
	free(c->first);
	free(c->list);
	topo_paths_free(c->paths);
	free(c->searched);
	free(c->searched_conn);
	memset(c, 0, sizeof(*c));
}

/*
 * A uniform cable among those that @fits accepts: draw from all until one does, which
 * costs one draw in a healthy fabric; after a few misses, count them instead.
 */
#define DRAWS_MAX 8

struct draw {
	const struct choice_plane *plane;
	struct base_rng *rng;
	uint32_t from, to;	   /* leaves */
	uint32_t from_pod, to_pod; /* their pods */
	uint32_t group, core;	   /* chosen so far */
};

static bool fits(const struct draw *d, uint32_t cable, bool is_core)
{
	if (is_core)
		return choice_core_bundle(d->plane->clos, d->to_pod, d->group,
					  d->plane->cable_core[cable])
			       .n > 0;
	return choice_has_group(d->plane, d->from, d->to, d->plane->cable_group[cable]);
}

static uint32_t draw_cable(const struct draw *d, uint32_t first, uint32_t end,
			   bool is_core)
{
	uint32_t n = 0, nth;

	for (int i = 0; i < DRAWS_MAX; i++) {
		uint32_t cable = first + base_rng_below(d->rng, end - first);

		if (fits(d, cable, is_core))
			return cable;
	}
	for (uint32_t cable = first; cable < end; cable++)
		n += fits(d, cable, is_core);
	nth = base_rng_below(d->rng, n);
	for (uint32_t cable = first;; cable++) {
		if (fits(d, cable, is_core) && nth-- == 0)
			return cable;
	}
}

static uint32_t draw_down(struct base_rng *rng, struct choice_bundle bundle)
{
	uint32_t cable = bundle.n > 1 ? base_rng_below(rng, bundle.n) : 0;

	return topo_hop_reverse(bundle.hops[cable]);
}

void choice_draw(const struct choices *c, const struct planner_conn *conn,
		 const struct choice *choice, struct base_rng *rng, uint32_t *hops)
{
	const struct choice_plane *plane = &c->planes[choice->plane];
	const struct planner_clos *clos = plane->clos;
	struct draw d = { .plane = plane, .rng = rng };
	uint32_t n = 0, cable;

	hops[n++] = clos->nic_hop[conn->src_nic];
	if (choice->kind != CHOICE_LEAF) {
		const uint32_t *first = clos->leaf_first;

		d.from = clos->nic_leaf[conn->src_nic];
		d.to = clos->nic_leaf[conn->dst_nic];
		d.from_pod = clos->leaf_pod[d.from];
		d.to_pod = clos->leaf_pod[d.to];
		cable = draw_cable(&d, first[(size_t)d.from * clos->n_groups],
				   first[(size_t)(d.from + 1) * clos->n_groups], false);
		hops[n++] = clos->leaf_hops[cable];
		d.group = plane->cable_group[cable];
	}
	if (choice->kind == CHOICE_CORE) {
		size_t spine = (size_t)d.from_pod * clos->n_groups + d.group;

		cable = draw_cable(&d, clos->core_first[spine * clos->n_cores],
				   clos->core_first[(spine + 1) * clos->n_cores], true);
		hops[n++] = clos->core_hops[cable];
		d.core = plane->cable_core[cable];
		hops[n++] = draw_down(
			rng, choice_core_bundle(clos, d.to_pod, d.group, d.core));
	}
	if (choice->kind != CHOICE_LEAF)
		hops[n++] = draw_down(rng, choice_leaf_bundle(clos, d.to, d.group));
	hops[n] = topo_hop_reverse(clos->nic_hop[conn->dst_nic]);
}

static uint32_t longest_of(const struct choices *c, uint32_t conn)
{
	uint32_t longest = 0;

	for (uint32_t i = c->first[conn]; i < c->first[conn + 1]; i++) {
		if (c->list[i].n_hops > longest)
			longest = c->list[i].n_hops;
	}
	return longest;
}

int choices_open_plan(const struct choices *c, uint32_t qps,
		      struct planner_plan **ret_plan)
{
	uint32_t n_conns = c->p->n_conns, n_qps = 0, at = 0;
	uint64_t n_hops = 0;
	struct planner_plan *plan;

	if (qps == 0 || qps > PLANNER_QPS_MAX)
		return -EINVAL;
	for (uint32_t conn = 0; conn < n_conns; conn++) {
		n_qps += c->first[conn] < c->first[conn + 1] ? qps : 0;
		n_hops += (uint64_t)qps * longest_of(c, conn);
	}
	if (n_qps > PLANNER_TOTAL_QPS_MAX || n_hops > UINT32_MAX)
		return -BASE_E_TOO_LARGE;
	plan = planner_plan_new(n_conns, n_qps, n_hops);
	if (!plan)
		return -ENOMEM;
	n_qps = 0;
	for (uint32_t conn = 0; conn < n_conns; conn++) {
		uint32_t longest = longest_of(c, conn);

		plan->unroutable += longest == 0;
		for (uint32_t q = 0; longest > 0 && q < qps; q++, at += longest)
			plan->qps[n_qps++] = (struct planner_qp){
				at, 0, 1000000 / qps + (q < 1000000 % qps)
			};
		plan->conn_first[conn + 1] = n_qps;
	}
	*ret_plan = plan;
	return 0;
}
