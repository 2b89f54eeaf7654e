/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names that people read and type.
 *
 *	node	h3			local names joined with '.': h3.nic1, fabricB.leaf2
 *	link	leaf2-spine5		the two ends; parallel links get #1, #2, ... in order of id: leaf2-spine5#2
 *		leaf2:et7-spine5:et2	(also accepted: with port names)
 *	hop	leaf2>spine5		one direction of a link; parallel: leaf2>spine5#2
 *	path	h3.nic1 > leaf2 > spine5 > leaf9 > h12.nic1	(a parallel link shows as "spine5 >#2 leaf9")
 *
 * Where local names contain '-' or '.', the reader tries every split; a name that fits two links is refused as ambiguous.
 */
#pragma once
#include <base/err.h>
#include <base/str.h>
#include <topo/graph.h>

BASE_BEGIN_DECLS

void topo_name_node(const struct topo_graph *g, uint32_t node, struct base_str *into);
void topo_name_link(const struct topo_graph *g, uint32_t link, struct base_str *into);
void topo_name_hop(const struct topo_graph *g, uint32_t hop, struct base_str *into);
/* @hops is a connected walk of n >= 1 hops. */
void topo_name_path(const struct topo_graph *g, const uint32_t *hops, size_t n,
		    struct base_str *into);

/* An index for look-ups by name; built once, O(nodes). */
struct topo_names;
int topo_names_new(const struct topo_graph *g, struct topo_names **ret_names) BASE_MUST_CHECK;
void topo_names_free(struct topo_names *names); /* NULL is fine */

/*
 * Finds by full name.  -BASE_E_UNKNOWN records the nearest right name; -BASE_E_INVALID: ambiguous or of another kind.
 * A NIC may also be given as its host when the host has one NIC.
 */
int topo_names_node(const struct topo_names *names, const char *text, size_t len,
		    uint32_t *ret_node, struct base_err *err) BASE_MUST_CHECK;
int topo_names_nic(const struct topo_names *names, const char *text, size_t len, uint32_t *ret_nic,
		   struct base_err *err) BASE_MUST_CHECK;
int topo_names_link(const struct topo_names *names, const char *text, size_t len,
		    uint32_t *ret_link, struct base_err *err) BASE_MUST_CHECK;
/* Reads what topo_name_path() writes; *ret_hops owned by the caller (free()). */
int topo_names_path(const struct topo_names *names, const char *text, size_t len,
		    uint32_t **ret_hops, size_t *ret_n, struct base_err *err) BASE_MUST_CHECK;

BASE_END_DECLS
