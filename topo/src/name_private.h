/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the reader of documents shares with the reader of names.
 */
#pragma once
#include <topo/name.h>

#define TOPO_KIND_BIT(kind) (1u << (kind))
#define TOPO_ANY_KIND                                                                    \
	(TOPO_KIND_BIT(TOPO_GROUP) | TOPO_KIND_BIT(TOPO_HOST) |                          \
	 TOPO_KIND_BIT(TOPO_NIC) | TOPO_KIND_BIT(TOPO_SWITCH))

/*
 * Records that there is no node (said as @what: "NIC") of that name, and the nearest name
 * among those of @kinds.  Returns -BASE_E_UNKNOWN.
 */
int topo_name_fail_unknown(const struct topo_graph *g, unsigned kinds, const char *what,
			   const char *text, size_t len, struct base_err *err);
