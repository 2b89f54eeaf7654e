/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Least-loaded greedy: loads, and the search of a path in a fabric that is no Clos.
 * Private to planner/src.
 *
 * Loads are bytes, in units of the fastest link: a slower link counts a byte as often as
 * it is slower.  As every connection is split into equally many QPs, the bytes of the
 * whole connection stand for those of a QP; with equal rates loads stay whole numbers.
 */
#pragma once
#include "choices.h"

struct greedy_hop {
	double load;
	double factor; /* the fastest link's rate over this one's */
};

/* What is least, the first of these first.  NIC links tell planes apart, nothing else. */
struct greedy_cost {
	double peak;   /* the largest load on the path */
	double fabric; /* the same between switches */
	double sum;
};

/* A hop that may be taken in the graph of shortest paths of one pair. */
struct greedy_edge {
	uint32_t from, to, hop;
};

struct greedy {
	struct choices c;
	struct greedy_hop *hops; /* [hop] */
	uint32_t n_hops;
	double least_factor;
	/*
	 * [plane][((pod * groups) + group) * 2 + down]: no link between that spine and
	 * its cores carries less.  Loads only grow, so that an old value stays true.
	 */
	double **floors;
	struct greedy_cost *bound; /* [group] scratch */
	/* For paths that are searched in the graph */
	struct greedy_edge *edges; /* by distance of their start from the source */
	size_t n_edges, cap_edges;
	uint32_t *next;	 /* hops of one node */
	uint32_t n_next; /* room there */
	uint32_t *nodes; /* that paths may visit, by distance from the source */
	uint32_t *via;	 /* [node] edge that its best value came over */
	double *best;	 /* [node] */
	bool *is_seen;	 /* [node] */
};

static inline double greedy_load_after(const struct greedy *g, uint32_t hop, double bytes)
{
	return g->hops[hop].load + bytes * g->hops[hop].factor;
}

static inline bool greedy_is_less(const struct greedy_cost *a,
				  const struct greedy_cost *b)
{
	if (a->peak != b->peak)
		return a->peak < b->peak;
	if (a->fabric != b->fabric)
		return a->fabric < b->fabric;
	return a->sum < b->sum;
}

/* 0 or -ENOMEM. */
int greedy_init_graph(struct greedy *g) BASE_MUST_CHECK;
void greedy_fini_graph(struct greedy *g);
/* The cheapest shortest path of a CHOICE_SEARCH: choice->n_hops hops.  0 or -ENOMEM. */
int greedy_search_graph(struct greedy *g, const struct planner_conn *conn,
			const struct choice *choice, uint32_t *hops,
			struct greedy_cost *ret_cost) BASE_MUST_CHECK;
