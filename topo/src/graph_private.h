/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The graph from inside: shared by the graph_*.c files, and by path.c for the state
 * version.
 */
#pragma once
#include <base/table.h>
#include <topo/graph.h>

#define TOPO_KINDS 4u

struct topo_assumption_ids {
	uint32_t name, value, reason; /* text ids */
};

struct topo_graph {
	struct base_table texts; /* local names, port names, addresses, assumptions */

	struct topo_node *nodes;
	uint64_t *
		name_hashes; /* by node: of its full name; its children's go on from it */
	size_t cap_nodes, cap_name_hashes;
	uint32_t n_nodes;
	uint32_t counts[TOPO_KINDS]; /* nodes of each kind */
	uint32_t *slots;	     /* open hash by full name: node + 1, 0 free */
	uint32_t n_slots;	     /* a power of two, or 0 */
	uint32_t n_planes;

	struct topo_link *links;
	size_t cap_links;
	uint32_t n_links;
	uint64_t state_version; /* changes whenever the state of a link does */

	struct topo_assumption_ids *assumptions;
	size_t n_assumptions, cap_assumptions;

	/* From here on only once sealed. */
	bool sealed;
	uint32_t n_tiers;
	uint32_t *hop_starts; /* node -> its first place in hops[]; n_nodes + 1 of them */
	uint32_t *hops;	      /* 2 * n_links hop ids */
	uint32_t *child_starts; /* node -> its first place in children[]; as many */
	uint32_t *children;
	uint32_t
		*parallels; /* link -> its number among parallel ones, from 1; 0: alone */
};

/*
 * Goes on with a hash by the bytes of @name.  By design the hash of a full name is that
 * of its bytes, so that it can be had from the parent's and from the text alike.
 */
uint64_t topo_name_hash(uint64_t hash, const char *name, size_t len);

static inline bool topo_kind_has_links(uint8_t kind)
{
	return kind == TOPO_NIC || kind == TOPO_SWITCH;
}
