/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which leaf a NIC is at, which leaves share NICs, which pods they form; and cuts between
 * pairs of them.  Private to planner/src.
 */
#pragma once
#include "bound.h"

struct site_map {
	uint32_t n_sites, n_pods;
	uint32_t *nic_site;    /* [node] of NICs with a live link, else TOPO_NONE */
	uint32_t *switch_site; /* [node] of switches with NICs, else TOPO_NONE */
	uint32_t *site_leaf;   /* [site] its first switch */
	uint32_t *site_pod;    /* [site] */
	uint32_t *pod_number;  /* [pod] what the fabric calls it, or its index */
	uint32_t *spine_pod;   /* [node] of switches between leaves and cores, else
				  TOPO_NONE */
	/* Leaves of a site, each with its plane. */
	uint32_t *site_first, *site_switch;
	struct planner_clos *const *clos;
	uint32_t n_planes;
	bool is_irregular;   /* pair cuts can be tighter than those of leaves */
	uint64_t *core_rate; /* [((plane * n_pods + from) * n_pods + to) * groups +
				group], or NULL */
};

int site_map_init(struct site_map *m, const struct topo_graph *g,
		  struct planner_clos *const *clos, uint32_t n_planes);
void site_map_fini(struct site_map *m);

struct pair_sink {
	struct planner_phase_bound *bound;
	double reference_s;
	uint32_t phase;
};

/* Calls @take for every pair of sites, and of pods, with traffic between them. */
int site_map_pairs(const struct site_map *m, const struct planner_problem *p,
		   const uint32_t *conns, uint32_t n,
		   void (*take)(void *context, enum planner_cut_kind kind, uint32_t node,
				uint32_t peer, double bytes, double rate_bps),
		   void *context);
