/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random small fabrics, sealed, owned by the caller.  @size is 1 (a handful of nodes) to
 * about 10. Out of memory ends the test.
 */
#pragma once
#include <base/rng.h>
#include <topo/graph.h>

BASE_BEGIN_DECLS

/* One of the two below. */
struct topo_graph *gen_fabric(struct base_rng *rng, uint32_t size) BASE_MUST_CHECK;

/*
 * Two or three tiers in one or two planes, with unequal rates, parallel links, links that
 * are missing and links that are dead.  Plain names.
 */
struct topo_graph *gen_fabric_clos(struct base_rng *rng, uint32_t size) BASE_MUST_CHECK;

/*
 * No structure: several groups, names of any allowed sort, switches joined at random,
 * NICs without a link, ports, addresses, all that a fabric can say.
 */
struct topo_graph *gen_fabric_odd(struct base_rng *rng, uint32_t size) BASE_MUST_CHECK;

/* A NIC of @g at random. */
uint32_t gen_fabric_nic(const struct topo_graph *g, struct base_rng *rng);

BASE_END_DECLS
