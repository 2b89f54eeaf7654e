/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fabric as data: hosts, their NICs, switches, and the cables between NICs and
 * switches.
 *
 * Nodes and links have dense ids, 0..count-1 in order of creation, never reused.  A link
 * is a full-duplex cable; its two directions are "hops", and hop ids are what paths and
 * loads are made of:
 *
 *	hop 2 * link	 from links[link].a to links[link].b
 *	hop 2 * link + 1 from links[link].b to links[link].a
 *
 * Parallel links between the same two nodes stay apart.  Several separate fabrics in one
 * graph are normal.  A NIC with several ports (one on each plane) is one node with
 * several links.
 *
 * Building: add groups, hosts, switches, NICs and links, then topo_graph_seal(), after
 * which only link states change.  Not locked: one writer, or many readers.
 */
#pragma once
#include <base/compiler.h>
#include <base/err.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

BASE_BEGIN_DECLS

#define TOPO_NONE UINT32_MAX /* no node, link, name, pod, plane or rail */

/* Ceilings for input of any kind: counts ... */
#define TOPO_NODES_MAX 16000000u
#define TOPO_LINKS_MAX 64000000u
#define TOPO_ASSUMPTIONS_MAX 1000u
/* ... numbers (pods, planes and rails count from 0, tiers from 1) ... */
#define TOPO_TIERS_MAX 255u
#define TOPO_PODS_MAX 1000000u
#define TOPO_PLANES_MAX 1024u
#define TOPO_RAILS_MAX 1024u
#define TOPO_RATE_MAX_BPS 1000000000000000u /* 1 Pbit/s */
#define TOPO_DELAY_MAX_NS 1000000000000u    /* 1000 s */
/* ... and bytes: of a local name, of a full name (group.host.nic), of any other text. */
#define TOPO_NAME_MAX 255u
#define TOPO_FULL_NAME_MAX 767u
#define TOPO_TEXT_MAX 4096u

enum topo_kind {
	TOPO_GROUP,  /* a name space of its own (one of several fabrics); no links */
	TOPO_HOST,   /* no links of its own: its NICs have them */
	TOPO_NIC,    /* parent is a host */
	TOPO_SWITCH, /* parent is a group or nothing */
};

struct topo_node {
	uint32_t name;	 /* text id of the local name */
	uint32_t parent; /* node id, or TOPO_NONE at the top */
	uint8_t kind;	 /* enum topo_kind */
	uint8_t tier;	 /* switches: 1 leaf, 2 spine, 3 core, ...; others 0 */
	uint32_t pod;	 /* switches and hosts; TOPO_NONE: none or not known */
	uint32_t plane; /* switches: which of the disjoint planes; TOPO_NONE: there is one
			 */
	uint32_t rail;	/* leaves and NICs; TOPO_NONE: not rail-optimised or not known */
};

enum topo_state { TOPO_UP, TOPO_DOWN };

struct topo_link {
	uint32_t a, b;		 /* node ids: NIC or switch; never the same node */
	uint64_t rate_bps;	 /* each direction; never 0 */
	uint64_t delay_ns;	 /* one way, propagation only; 0: not known */
	uint32_t port_a, port_b; /* text ids of port names, TOPO_NONE: not known */
	uint32_t address; /* text id of the NIC end's address (GID or IP), TOPO_NONE */
	uint8_t state;	  /* enum topo_state */
};

/* What a source did not say and the reader filled in: shown with every result. */
struct topo_assumption {
	const char *name;   /* "link_rate": stable, lower-case words */
	const char *value;  /* "100 Gbit/s" */
	const char *reason; /* one sentence */
};

struct topo_graph; /* opaque */

/* "group", "host", "NIC", "switch": for messages. */
const char *topo_kind_text(enum topo_kind kind);

/* Owned by the caller, who frees it.  NULL: no memory. */
struct topo_graph *topo_graph_new(void) BASE_MUST_CHECK;
void topo_graph_free(struct topo_graph *g); /* NULL is fine */

/*
 * Adds a node.  @name (of @len bytes, copied) is UTF-8 of 1..TOPO_NAME_MAX bytes without
 * control characters, blanks, '>' and ','.  Full names, that is local names from the top
 * down joined with '.', are unique in the graph, so that a name is enough to find a
 * node.  @parent is TOPO_NONE or a group; that of a NIC is a host.  O(length of the
 * name).
 *
 * Returns 0, or with @g and *@ret_node unchanged and the reason in @err:
 * -BASE_E_DUPLICATE, the full name is taken; -BASE_E_INVALID, a name, parent or number
 * that may not be; -BASE_E_TOO_LARGE, a ceiling; -ENOMEM.  @ret_node may be NULL.
 */
int topo_graph_add_group(struct topo_graph *g, const char *name, size_t len,
			 uint32_t *ret_node, struct base_err *err) BASE_MUST_CHECK;
int topo_graph_add_host(struct topo_graph *g, uint32_t parent, const char *name,
			size_t len, uint32_t pod, uint32_t *ret_node,
			struct base_err *err) BASE_MUST_CHECK;
int topo_graph_add_nic(struct topo_graph *g, uint32_t host, const char *name, size_t len,
		       uint32_t rail, uint32_t *ret_node,
		       struct base_err *err) BASE_MUST_CHECK;
/* @tier 0: not known; topo_graph_seal() works it out from the distance to NICs. */
int topo_graph_add_switch(struct topo_graph *g, uint32_t parent, const char *name,
			  size_t len, uint32_t tier, uint32_t pod, uint32_t plane,
			  uint32_t rail, uint32_t *ret_node,
			  struct base_err *err) BASE_MUST_CHECK;

/*
 * The node of that full name, in O(length); TOPO_NONE: there is none.  Also before the
 * seal.
 */
uint32_t topo_graph_find(const struct topo_graph *g, const char *full_name, size_t len);

/*
 * Copies @link.  Returns 0, or with @g and *@ret_link unchanged and the reason in @err:
 * -ENOENT, an end is no node; -BASE_E_INVALID, no rate, a self loop, an end that is a
 * host or group, two NICs, a port name that no node could have, an address without a
 * NIC; -BASE_E_TOO_LARGE, a ceiling; -ENOMEM.  @ret_link may be NULL.
 */
int topo_graph_add_link(struct topo_graph *g, const struct topo_link *link,
			uint32_t *ret_link, struct base_err *err) BASE_MUST_CHECK;

/*
 * Records an assumption once (the same name and value again changes nothing).  Texts are
 * copied.  -BASE_E_TOO_LARGE, -BASE_E_INVALID and -ENOMEM as of topo_graph_intern().
 */
int topo_graph_assume(struct topo_graph *g, const char *name, const char *value,
		      const char *reason) BASE_MUST_CHECK;
size_t topo_graph_n_assumptions(const struct topo_graph *g);
/* In order of recording.  Texts are borrowed until the next add or intern. */
struct topo_assumption topo_graph_assumption(const struct topo_graph *g, size_t index);

/*
 * A text (port name, address) -> its id, stored once.  -BASE_E_INVALID: not UTF-8, or a
 * control character; -BASE_E_TOO_LARGE: over TOPO_TEXT_MAX; -ENOMEM.
 */
int topo_graph_intern(struct topo_graph *g, const char *text, size_t len,
		      uint32_t *ret_text) BASE_MUST_CHECK;
/* "" for TOPO_NONE.  Borrowed until the next intern or add. */
const char *topo_graph_text(const struct topo_graph *g, uint32_t text);

/*
 * Ends building: builds the adjacency, and gives each switch of tier 0 its distance in
 * hops from the nearest NIC as tier.  Must be called once, before anything below but
 * where that is said.  On failure @g is as before, with the reason in @err:
 * -BASE_E_INVALID, no NIC, or a switch whose tier cannot be told (no NIC reaches it);
 * -ENOMEM.
 */
int topo_graph_seal(struct topo_graph *g, struct base_err *err) BASE_MUST_CHECK;

/*
 * What was added; also before the seal, but for the number of tiers.  The arrays are
 * borrowed: until the next add, and once sealed until the graph is freed.
 */
const struct topo_node *topo_graph_nodes(const struct topo_graph *g);
const struct topo_link *topo_graph_links(const struct topo_graph *g);
uint32_t topo_graph_n_nodes(const struct topo_graph *g);
uint32_t topo_graph_n_links(const struct topo_graph *g);
uint32_t topo_graph_count(const struct topo_graph *g, enum topo_kind kind);
uint32_t topo_graph_n_tiers(const struct topo_graph *g); /* the highest tier */

/*
 * Hops that leave @node, ordered by link id, dead links included.  Borrowed as the
 * arrays are.
 */
const uint32_t *topo_graph_hops(const struct topo_graph *g, uint32_t node,
				uint32_t *ret_n);
/* Children of a host (its NICs) or of a group, in order of creation.  Borrowed likewise.
 */
const uint32_t *topo_graph_children(const struct topo_graph *g, uint32_t node,
				    uint32_t *ret_n);

static inline uint32_t topo_hop_link(uint32_t hop)
{
	return hop >> 1;
}
static inline uint32_t topo_hop_reverse(uint32_t hop)
{
	return hop ^ 1u;
}
static inline uint32_t topo_hop_from(const struct topo_link *links, uint32_t hop)
{
	return hop & 1u ? links[hop >> 1].b : links[hop >> 1].a;
}
static inline uint32_t topo_hop_to(const struct topo_link *links, uint32_t hop)
{
	return hop & 1u ? links[hop >> 1].a : links[hop >> 1].b;
}

/*
 * Plane of a link: that of its switch, 0 when the switch has none.  Of a link between
 * switches: that of the end that has one, @a first.  Also before the seal.
 */
uint32_t topo_graph_link_plane(const struct topo_graph *g, uint32_t link);
/* 1 + the largest plane of any switch; 1 when none is set.  Also before the seal. */
uint32_t topo_graph_n_planes(const struct topo_graph *g);
/*
 * Number of a link among the parallel ones between its two nodes, in order of id from 1,
 * whichever way round each was added; 0: it has no parallel.
 */
uint32_t topo_graph_parallel(const struct topo_graph *g, uint32_t link);
/* Sum over the NIC's links, dead ones included: its rate when all is well.  Saturates. */
uint64_t topo_graph_nic_rate_bps(const struct topo_graph *g, uint32_t nic);

/* Also before the seal. */
void topo_graph_set_state(struct topo_graph *g, uint32_t link, enum topo_state state);

/*
 * A hash of nodes (full name, kind, tier, pod, plane, rail) and links (ends, rate,
 * delay, ports, address, state).  The order of links counts, since paths are numbered by
 * it; that of nodes does not, since they go by name.  Assumptions do not count.  The
 * same on every machine.
 */
uint64_t topo_graph_fingerprint(const struct topo_graph *g);

BASE_END_DECLS
