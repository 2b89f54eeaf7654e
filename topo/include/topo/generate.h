/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fabrics made to measure: the shapes that training clusters have.  Every result is
 * sealed, owned by the caller, with names h0.nic0, leaf0, spine0, core0 (numbered
 * through: plane by plane, pod by pod), and says pods (three tiers), planes (when there
 * are several) and rails.  Links are in the order NICs, leaf to spine, spine to core;
 * delays are not known.
 */
#pragma once
#include <base/err.h>
#include <topo/graph.h>

BASE_BEGIN_DECLS

/* Two tiers: every leaf has @links parallel links to every spine. */
struct topo_clos2 {
	uint32_t leaves, nics_per_leaf, spines;
	uint32_t links;		/* parallel links of each leaf-spine pair; 0: 1 */
	uint32_t nics_per_host; /* 0: 1, or 8 with @rail.  Without rails a host's NICs
				   share its leaf */
	uint32_t planes; /* 0: 1.  Each plane is a copy of leaves and spines; a NIC has a
			    link to each */
	bool rail;	 /* rail-optimised: NIC r of a host is on leaf r of its segment */
	uint64_t nic_rate_bps;	  /* of one NIC link (one plane) */
	uint64_t uplink_rate_bps; /* 0: as nic_rate_bps */
};
/* -BASE_E_INVALID: a zero, or numbers that do not divide (recorded); -BASE_E_TOO_LARGE;
 * -ENOMEM. */
int topo_generate_clos2(const struct topo_clos2 *shape, struct topo_graph **ret_g,
			struct base_err *err) BASE_MUST_CHECK;

/*
 * Three tiers: @pods pods of @leaves leaves and @spines spines; spine s of every pod is
 * joined to the same
 * @cores_per_spine cores.
 */
struct topo_clos3 {
	uint32_t pods, leaves, nics_per_leaf, spines, cores_per_spine;
	uint32_t nics_per_host; /* 0: 1, or the number of rails (8) with @rail */
	uint32_t planes;
	bool rail;
	uint64_t nic_rate_bps, uplink_rate_bps,
		core_rate_bps; /* the last two 0: as nic_rate_bps */
};
int topo_generate_clos3(const struct topo_clos3 *shape, struct topo_graph **ret_g,
			struct base_err *err) BASE_MUST_CHECK;

/* The k-ary fat tree (Al-Fares, SIGCOMM 2008): k pods, k^3/4 hosts; k even. */
int topo_generate_fat_tree(uint32_t k, uint64_t rate_bps, struct topo_graph **ret_g,
			   struct base_err *err) BASE_MUST_CHECK;

/*
 * Dual-plane dual-ToR, as the C4 and HPN papers describe it: each NIC has two ports, one
 * on a leaf of each plane; segments of @hosts_per_segment hosts with @nics_per_host NICs;
 * rail-optimised: rail r has its own leaf in each plane and segment.
 */
struct topo_dual_plane {
	uint32_t segments, hosts_per_segment, nics_per_host,
		spines; /* spines: of each plane */
	uint64_t port_rate_bps, uplink_rate_bps;
	uint32_t uplinks; /* of a leaf to each spine; 0: 1 */
};
int topo_generate_dual_plane(const struct topo_dual_plane *shape,
			     struct topo_graph **ret_g,
			     struct base_err *err) BASE_MUST_CHECK;

BASE_END_DECLS
