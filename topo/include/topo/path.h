/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Equal-cost paths without enumerating them: for one destination and plane, the distance of every
 * switch gives the next hops of shortest-path (ECMP) routing, and the number of shortest paths from any switch.  Paths
 * of a pair are numbered 0..count-1 in a stable order (by link ids, first difference from the source decides), so that
 * "path 5" means the same thing to everybody who holds the same fabric.
 *
 * Only switches forward; dead links do not exist.  A path has at least two hops (NIC, leaf, NIC).
 * Distances are hop counts, as BGP in a Clos sees them.
 */
#pragma once
#include <base/err.h>
#include <base/rng.h>
#include <topo/graph.h>

BASE_BEGIN_DECLS

#define TOPO_PATH_HOPS_MAX 32u

struct topo_paths; /* opaque: state for one destination at a time, reusable */

/* Borrows @g (sealed), which must outlive it; link states may change between aims. */
int topo_paths_new(const struct topo_graph *g, struct topo_paths **ret_paths) BASE_MUST_CHECK;
void topo_paths_free(struct topo_paths *p); /* NULL is fine */

/*
 * Aims at a destination NIC in one plane (TOPO_NONE: over any of its links, the shortest).  O(links).
 * -ENOENT: the NIC has no live link there.
 */
int topo_paths_aim(struct topo_paths *p, uint32_t dst_nic, uint32_t plane) BASE_MUST_CHECK;

/* Number of equal-cost paths from @src_nic to the aim (in the aim's plane), saturating; 0: none. */
uint64_t topo_paths_count(const struct topo_paths *p, uint32_t src_nic);
/* Number of hops of each of them; 0: none. */
uint32_t topo_paths_length(const struct topo_paths *p, uint32_t src_nic);

/*
 * Path number @index (< count): writes its hops to @hops[TOPO_PATH_HOPS_MAX], returns how many; -ENOENT.
 */
int topo_paths_get(const struct topo_paths *p, uint32_t src_nic, uint64_t index, uint32_t *hops)
	BASE_MUST_CHECK;
/* The number of a path of @n hops that ends at the aim.  -ENOENT: it is no equal-cost path. */
int topo_paths_index(const struct topo_paths *p, const uint32_t *hops, size_t n,
		     uint64_t *ret_index) BASE_MUST_CHECK;
/*
 * What per-hop hashing does: at each node one of the equal-cost next hops, uniformly.  Returns the number of hops, or -ENOENT.
 */
int topo_paths_random(const struct topo_paths *p, uint32_t src_nic, struct base_rng *rng,
		      uint32_t *hops) BASE_MUST_CHECK;

/*
 * Next hops of @node toward the aim: writes up to @max to @hops, in order of link id, returns how many there are.
 */
uint32_t topo_paths_next(const struct topo_paths *p, uint32_t node, uint32_t *hops, uint32_t max);

BASE_END_DECLS
