/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an unplanned QP may choose from: for every connection the planes in which its ends
 * reach each other, with the length of their shortest paths there.  In a plane that is a
 * Clos, paths are then made of spine groups, cores and cables; elsewhere, or where
 * failures leave no path of the usual length, they are searched.  Private to planner/src.
 */
#pragma once
#include <base/rng.h>
#include <planner/baseline.h>
#include <planner/clos.h>
#include <planner/problem.h>
#include <topo/path.h>

enum choice_kind {
	CHOICE_LEAF,   /* both NICs on one leaf: one path */
	CHOICE_POD,    /* over a spine */
	CHOICE_CORE,   /* over a spine, a core, and the spine of the same group */
	CHOICE_SEARCH, /* whatever topo_paths finds */
};

struct choice {
	uint32_t plane;
	uint8_t kind; /* enum choice_kind */
	uint8_t n_hops;
};

struct choice_plane {
	struct planner_clos *clos; /* NULL: no Clos */
	uint32_t *cable_group;	   /* of each of clos->leaf_hops */
	uint32_t *cable_core;	   /* of each of clos->core_hops */
	uint64_t *live_cores;	   /* bits, n_words for each pod and group */
	uint32_t n_words;
	bool is_same_group; /* a core meets one group only, so that both ways use one */
};

struct choices {
	const struct planner_problem *p;
	uint32_t n_planes;
	struct choice_plane *planes;
	uint32_t *first; /* [conn] into list; n_conns + 1.  None: no path */
	struct choice *list;
	size_t cap_list;
	struct topo_paths *paths; /* for CHOICE_SEARCH */
	uint32_t *searched;	 /* of list, sorted by destination and plane; and their */
	uint32_t *searched_conn; /* connections */
	uint32_t n_searched;
};

/* 0 or -ENOMEM.  Borrows @p; link states must stay as they are. */
int choices_init(struct choices *c, const struct planner_problem *p) BASE_MUST_CHECK;
void choices_fini(struct choices *c);

/* The hops of a bundle of cables. */
struct choice_bundle {
	const uint32_t *hops;
	uint32_t n;
};

static inline struct choice_bundle choice_leaf_bundle(const struct planner_clos *clos,
						      uint32_t leaf, uint32_t group)
{
	size_t b = (size_t)leaf * clos->n_groups + group;
	uint32_t first = clos->leaf_first[b];

	return (struct choice_bundle){ clos->leaf_hops + first,
				       clos->leaf_first[b + 1] - first };
}

static inline struct choice_bundle choice_core_bundle(const struct planner_clos *clos,
						      uint32_t pod, uint32_t group,
						      uint32_t core)
{
	size_t b = ((size_t)pod * clos->n_groups + group) * clos->n_cores + core;
	uint32_t first = clos->core_first[b];

	return (struct choice_bundle){ clos->core_hops + first,
				       clos->core_first[b + 1] - first };
}

/* Is there a live path over @group from leaf @from to leaf @to of the same or another
 * pod? */
bool choice_has_group(const struct choice_plane *plane, uint32_t from, uint32_t to,
		      uint32_t group);

/*
 * A path as per-hop hashing draws it: at each node uniformly among the live cables that
 * begin a shortest path.  Not for CHOICE_SEARCH.  Writes choice->n_hops hops.
 */
void choice_draw(const struct choices *c, const struct planner_conn *conn,
		 const struct choice *choice, struct base_rng *rng, uint32_t *hops);

/*
 * A plan of @qps equally weighted QPs for every connection that has a choice, with room
 * for the longest of its paths and no path yet.  -EINVAL: no count that a plan may have;
 * -BASE_E_TOO_LARGE; -ENOMEM.
 */
int choices_open_plan(const struct choices *c, uint32_t qps,
		      struct planner_plan **ret_plan) BASE_MUST_CHECK;

/* ECMP with the draws of @key: equal keys draw equal paths.  Not certified. */
int choices_draw_plan(struct choices *c, uint32_t qps, enum planner_plane_rule rule,
		      uint64_t key, struct planner_plan **ret_plan) BASE_MUST_CHECK;
