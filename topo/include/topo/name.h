/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names that people read and type.
 *
 *	node  h3.nic1		local names from the top down, joined with '.'
 *	link  leaf2-spine5	the two ends as the link was added
 *	      leaf2-spine5#2	one of parallel links, numbered in order of id
 *	hop   leaf2>spine5	one direction of a link; parallel: leaf2>spine5#2
 *	path  h3.nic1 > leaf2 >#2 spine5 > leaf9 > h12.nic1
 *
 * The readers take more than the writers make: a link from its other end, or with port
 * names (leaf2:et7-spine5:et2, one of them or both); a host that stands for its only NIC.
 * Node names are unique.  Link names are unless node names hold '-' or '#' in a way that
 * lets one text be the name of two links: such a name is refused as ambiguous.
 */
#pragma once
#include <base/err.h>
#include <base/str.h>
#include <topo/graph.h>

BASE_BEGIN_DECLS

/* Writers: add the name to @into.  Nodes also before the seal, all else after it. */
void topo_name_node(const struct topo_graph *g, uint32_t node, struct base_str *into);
void topo_name_link(const struct topo_graph *g, uint32_t link, struct base_str *into);
void topo_name_hop(const struct topo_graph *g, uint32_t hop, struct base_str *into);
/* @hops is a connected walk of @n >= 1 hops. */
void topo_name_path(const struct topo_graph *g, const uint32_t *hops, size_t n,
		    struct base_str *into);

/*
 * An index for look-ups by name.  Built in O(links) from a sealed graph, which it borrows
 * and which must outlive it; owned by the caller, who frees it.  Then only read: many
 * threads may share it.  -ENOMEM.
 */
struct topo_names;
int topo_names_new(const struct topo_graph *g,
		   struct topo_names **ret_names) BASE_MUST_CHECK;
void topo_names_free(struct topo_names *names); /* NULL is fine */

/*
 * Readers of the first @len bytes of @text, in O(len) but where that is said.  0, or with
 * outputs untouched and the reason in @err: -BASE_E_UNKNOWN, there is none, and which
 * name is nearest; -BASE_E_INVALID, it is of another kind, or may mean several; -ENOMEM.
 */

/* A node of any kind. */
int topo_names_node(const struct topo_names *names, const char *text, size_t len,
		    uint32_t *ret_node, struct base_err *err) BASE_MUST_CHECK;
/* A NIC, also given as its host when that has only one. */
int topo_names_nic(const struct topo_names *names, const char *text, size_t len,
		   uint32_t *ret_nic, struct base_err *err) BASE_MUST_CHECK;
/* A link.  O(len) for each '-' in it; with port names also for each link of an end. */
int topo_names_link(const struct topo_names *names, const char *text, size_t len,
		    uint32_t *ret_link, struct base_err *err) BASE_MUST_CHECK;
/*
 * What topo_name_path() or topo_name_hop() writes: any connected walk, dead links
 * included, of one hop at least (-BASE_E_SYNTAX: there is no '>').  *@ret_hops is owned
 * by the caller (free()).
 */
int topo_names_path(const struct topo_names *names, const char *text, size_t len,
		    uint32_t **ret_hops, size_t *ret_n,
		    struct base_err *err) BASE_MUST_CHECK;

BASE_END_DECLS
