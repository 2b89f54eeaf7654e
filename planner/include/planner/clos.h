/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Clos inside a fabric, one plane at a time: leaves (switches with NICs), pods
 *(leaves that reach each other over spines), groups (spine g of every pod; spines of one
 *group meet at cores), cores.  A path is then two small numbers:
 *
 *	same leaf	nothing to choose
 *	same pod	leaf > spine(pod, group) > leaf		(or spines only, in two
 *tiers) other pod	leaf > spine(pod, group) > core > spine(other pod, group) > leaf
 *
 * Cables of one pair of switches form a bundle; a path takes one cable of each bundle it
 *crosses.  Only live cables are in here. Where wiring is irregular (a leaf not joined to
 *a spine, a dead cable) its bundle is empty.  Fabrics that do not fit (more than three
 *tiers, links that skip a tier) are not a Clos: -BASE_E_INVALID.
 */
#pragma once
#include <base/err.h>
#include <stdbool.h>
#include <topo/graph.h>

BASE_BEGIN_DECLS

struct planner_clos {
	const struct topo_graph *graph; /* borrowed */
	uint32_t plane;
	uint32_t n_leaves, n_pods, n_groups;
	uint32_t n_cores;	/* slots for cores in each group: core c of group g */
	uint32_t *leaf_switch;	/* [leaf] node */
	uint32_t *leaf_pod;	/* [leaf] */
	uint32_t *switch_leaf;	/* [node] leaf, or TOPO_NONE */
	uint32_t *nic_leaf;	/* [node] leaf of a NIC in this plane, TOPO_NONE: none, or
				   several */
	uint32_t *nic_hop;	/* [node] hop from that NIC to its leaf */
	uint32_t *spine_switch; /* [pod * n_groups + group] node, or TOPO_NONE */
	uint32_t *core_switch;	/* [group * n_cores + core] node, or TOPO_NONE */
	/*
	 * Bundles in CSR form: hops from the lower switch to the upper one.  leaf bundle
	 * b = leaf * n_groups + group is leaf_hops[leaf_first[b] .. leaf_first[b + 1] -
	 * 1]; core bundle b = (pod * n_groups + group) * n_cores + core.
	 */
	uint32_t *leaf_first, *leaf_hops;
	uint32_t *core_first, *core_hops;
	/* All non-empty bundles are alike (number of cables, rates) and none is empty. */
	bool is_regular_leaf, is_regular_core;
	uint32_t leaf_cables, core_cables; /* per bundle, when regular */
};

/* Owned by the caller.  -BASE_E_INVALID: no Clos, with the reason; -ENOMEM. */
int planner_clos_new(const struct topo_graph *g, uint32_t plane,
		     struct planner_clos **ret_clos,
		     struct base_err *err) BASE_MUST_CHECK;
void planner_clos_free(struct planner_clos *c); /* NULL is fine */

BASE_END_DECLS
