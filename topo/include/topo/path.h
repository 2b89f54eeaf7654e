/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Equal-cost paths without enumerating them: for one destination and plane, the distance
 * of every switch gives the next hops of shortest-path (ECMP) routing, and the number of
 * shortest paths from any switch.  Paths of a pair are numbered 0..count-1 in a stable
 * order (by link ids, first difference from the source decides), so that "path 5" means
 * the same thing to everybody who holds the same fabric.
 *
 * Only switches forward; dead links do not exist.  A path has at least two hops (NIC,
 * leaf, NIC) and at most TOPO_PATH_HOPS_MAX; a NIC has no path to itself.  Distances are
 * hop counts, as BGP in a Clos sees them.  A switch without a plane is in plane 0.
 *
 * After the state of a link has changed, aim again before asking anything else.
 */
#pragma once
#include <base/err.h>
#include <base/rng.h>
#include <topo/graph.h>

BASE_BEGIN_DECLS

#define TOPO_PATH_HOPS_MAX 32u

struct topo_paths; /* opaque: state for one destination at a time, reusable */

/*
 * Borrows @g (sealed), which must outlive it.  Owned by the caller, who frees it; one
 * for each thread.  O(links) of time and memory.  -ENOMEM.
 */
int topo_paths_new(const struct topo_graph *g,
		   struct topo_paths **ret_paths) BASE_MUST_CHECK;
void topo_paths_free(struct topo_paths *p); /* NULL is fine */

/*
 * Aims at a destination NIC in one plane (TOPO_NONE: over any of its links, the
 * shortest).  O(links), but O(links of the NIC) when the last aim was at a NIC on the
 * same leaves in the same plane and no link has changed: go through destinations leaf by
 * leaf.  With the earlier aim kept: -ENOENT, the NIC has no live link there; -ENOMEM.
 */
int topo_paths_aim(struct topo_paths *p, uint32_t dst_nic,
		   uint32_t plane) BASE_MUST_CHECK;

/* The rest is about the paths from @src_nic to the aim, in the aim's plane. */

/* How many there are, saturating; 0: none, or no aim yet. */
uint64_t topo_paths_count(const struct topo_paths *p, uint32_t src_nic);
/* Number of hops of each of them; 0: none. */
uint32_t topo_paths_length(const struct topo_paths *p, uint32_t src_nic);

/*
 * Path number @index: writes its hops to @hops[TOPO_PATH_HOPS_MAX] and returns how many.
 * -ENOENT: @index is not below the count.
 */
int topo_paths_get(const struct topo_paths *p, uint32_t src_nic, uint64_t index,
		   uint32_t *hops) BASE_MUST_CHECK;
/*
 * The number of the path of @n @hops from a NIC to the aim.  -ENOENT: it is no equal-cost
 * path; -ERANGE: the count saturates and the number is not below it.
 */
int topo_paths_index(const struct topo_paths *p, const uint32_t *hops, size_t n,
		     uint64_t *ret_index) BASE_MUST_CHECK;
/*
 * What per-hop hashing does: at each node one of the equal-cost next hops, uniformly.
 * Writes to @hops[TOPO_PATH_HOPS_MAX] and returns how many; -ENOENT: there is no path.
 */
int topo_paths_random(const struct topo_paths *p, uint32_t src_nic, struct base_rng *rng,
		      uint32_t *hops) BASE_MUST_CHECK;

/*
 * Next hops of @node (a switch, or a source NIC) toward the aim: writes the first @max of
 * them to @hops, in order of link id, and returns how many there are in all.
 */
uint32_t topo_paths_next(const struct topo_paths *p, uint32_t node, uint32_t *hops,
			 uint32_t max);

BASE_END_DECLS
