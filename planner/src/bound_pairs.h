/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which leaf a NIC is at, which leaves share NICs, which pods they form; and cuts between
 * pairs of them.  Private to planner/src.
 */
#pragma once
#include "bound.h"

/* What the bundles of one plane can carry, bits per second. */
struct plane_rates {
	uint64_t *bundle; /* [leaf * n_groups + group] */
	uint64_t *total;  /* [leaf] */
	uint64_t largest; /* bundle */
	uint64_t *core;	  /* [(from pod * n_pods + to pod) * n_groups + group], or NULL */
	bool is_meshed;	  /* a core joins several groups: paths may change group there */
	uint64_t *core_loss; /* [from pod * n_pods + to pod]: sum of largest - core where
				less */
};

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
	bool is_irregular;	   /* pair cuts can be tighter than those of leaves */
	struct plane_rates *rates; /* [plane]; NULL when regular */
};

int site_map_init(struct site_map *m, const struct topo_graph *g,
		  struct planner_clos *const *clos, uint32_t n_planes);
void site_map_fini(struct site_map *m);

/* Where the loads of pairs go. */
struct pair_sink {
	struct planner_phase_bound *bound;
	double reference_s;
	uint32_t phase;
	void (*take)(struct pair_sink *sink, enum planner_cut_kind kind, uint32_t node,
		     uint32_t peer, double bytes, double rate_bps);
};

/* True: such a pair cannot raise the bound. */
bool pair_sink_is_below(const struct pair_sink *sink, double bytes, double rate_bps);

/* Takes every pair of sites, and of pods, that can raise the bound.  0 or -ENOMEM. */
int site_map_pairs(const struct site_map *m, const struct planner_problem *p,
		   const uint32_t *conns, uint32_t n, struct pair_sink *sink);
