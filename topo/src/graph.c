/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Building a graph: nodes, links, texts.  What follows from them is made by graph_seal.c.
 */
#include "graph_private.h"
#include <base/mem.h>
#include <base/str.h>
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HASH_START 0xCBF29CE484222325u /* FNV-1a, 64 bits */
#define HASH_FACTOR 0x100000001B3u

#define SLOTS_MIN 64u

struct topo_graph *topo_graph_new(void)
{
	struct topo_graph *g = calloc(1, sizeof(*g));

	if (!g)
		return NULL;
	base_table_init(&g->texts);
	g->n_planes = 1;
	return g;
}

void topo_graph_free(struct topo_graph *g)
{
	if (!g)
		return;
	base_table_fini(&g->texts);
	free(g->nodes);
	free(g->name_hashes);
	free(g->slots);
	free(g->links);
	free(g->assumptions);
	free(g->hop_starts);
	free(g->hops);
	free(g->child_starts);
	free(g->children);
	free(g->parallels);
	free(g);
}

const char *topo_kind_text(enum topo_kind kind)
{
	switch (kind) {
	case TOPO_GROUP:
		return "group";
	case TOPO_HOST:
		return "host";
	case TOPO_NIC:
		return "NIC";
	case TOPO_SWITCH:
		return "switch";
	}
	return "node";
}

/* The full name of @node in @buf, for messages. */
static const char *full_name(const struct topo_graph *g, uint32_t node,
			     char buf[TOPO_FULL_NAME_MAX + 1])
{
	const char *names[3] = { "", "", "" };
	uint32_t n = 0;

	for (; node != TOPO_NONE; node = g->nodes[node].parent)
		names[2 - n++] = topo_graph_text(g, g->nodes[node].name);
	snprintf(buf, TOPO_FULL_NAME_MAX + 1, "%s%s%s%s%s", names[0], n > 2 ? "." : "",
		 names[1], n > 1 ? "." : "", names[2]);
	return buf;
}

/* Names: what they may be, and which are taken. */

uint64_t topo_name_hash(uint64_t hash, const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)name[i]) * HASH_FACTOR;
	return hash;
}

static uint64_t child_hash(const struct topo_graph *g, uint32_t parent, const char *name,
			   size_t len)
{
	uint64_t hash = HASH_START;

	if (parent != TOPO_NONE)
		hash = topo_name_hash(g->name_hashes[parent], ".", 1);
	return topo_name_hash(hash, name, len);
}

static bool is_name_char(unsigned char c)
{
	return c > ' ' && c != 0x7F && c != '>' && c != ',';
}

static int check_name(const char *what, const char *name, size_t len,
		      struct base_err *err)
{
	if (len == 0)
		return base_err_set(err, -BASE_E_INVALID,
				    "the name of a %s must not be empty", what);
	if (len > TOPO_NAME_MAX)
		return base_err_set(
			err, -BASE_E_INVALID,
			"the name of a %s has %zu bytes; at most %u are allowed", what,
			len, TOPO_NAME_MAX);
	for (size_t i = 0; i < len; i++)
		if (!is_name_char((unsigned char)name[i]))
			return base_err_set(err, -BASE_E_INVALID,
					    "the name of a %s must not hold blanks, "
					    "control characters, "
					    "'>' or ','; found 0x%02X after \"%.*s\"",
					    what, (unsigned)(unsigned char)name[i],
					    (int)i, name);
	if (!base_str_is_utf8(name, len))
		return base_err_set(err, -BASE_E_INVALID,
				    "the name of a %s must be UTF-8", what);
	return 0;
}

/* Is @text the full name of @node?  Compares from the end, local name by local name. */
static bool full_name_is(const struct topo_graph *g, uint32_t node, const char *text,
			 size_t len)
{
	for (;;) {
		const char *name = topo_graph_text(g, g->nodes[node].name);
		size_t n = strlen(name);

		if (n > len || memcmp(text + len - n, name, n) != 0)
			return false;
		len -= n;
		node = g->nodes[node].parent;
		if (node == TOPO_NONE || len == 0)
			return node == TOPO_NONE && len == 0;
		if (text[--len] != '.')
			return false;
	}
}

static uint32_t first_slot(const struct topo_graph *g, uint64_t hash)
{
	return (uint32_t)(hash ^ hash >> 32) & (g->n_slots - 1);
}

static uint32_t find_hashed(const struct topo_graph *g, uint64_t hash, const char *text,
			    size_t len)
{
	if (g->n_slots == 0)
		return TOPO_NONE;
	for (uint32_t s = first_slot(g, hash); g->slots[s];
	     s = (s + 1) & (g->n_slots - 1)) {
		uint32_t node = g->slots[s] - 1;

		if (g->name_hashes[node] == hash && full_name_is(g, node, text, len))
			return node;
	}
	return TOPO_NONE;
}

uint32_t topo_graph_find(const struct topo_graph *g, const char *name, size_t len)
{
	return find_hashed(g, topo_name_hash(HASH_START, name, len), name, len);
}

static void take_slot(struct topo_graph *g, uint32_t node)
{
	uint32_t s = first_slot(g, g->name_hashes[node]);

	while (g->slots[s])
		s = (s + 1) & (g->n_slots - 1);
	g->slots[s] = node + 1;
}

/* Makes room for one more node: at most half of the slots are ever taken. */
static int grow_slots(struct topo_graph *g)
{
	uint32_t n = g->n_slots ? g->n_slots * 2 : SLOTS_MIN;
	uint32_t *slots;

	if (g->n_nodes < g->n_slots / 2)
		return 0;
	slots = base_array_new(n, sizeof(*slots));
	if (!slots)
		return -ENOMEM;
	free(g->slots);
	g->slots = slots;
	g->n_slots = n;
	for (uint32_t i = 0; i < g->n_nodes; i++)
		take_slot(g, i);
	return 0;
}

static int no_memory(struct base_err *err)
{
	return base_err_set(err, -ENOMEM, "out of memory");
}

/* Nodes. */

static int grow_nodes(struct topo_graph *g)
{
	uint64_t *hashes;
	struct topo_node *nodes;

	nodes = base_grow(g->nodes, &g->cap_nodes, g->n_nodes + 1u, sizeof(*nodes));
	if (!nodes)
		return -ENOMEM;
	g->nodes = nodes;
	hashes = base_grow(g->name_hashes, &g->cap_name_hashes, g->n_nodes + 1u,
			   sizeof(*hashes));
	if (!hashes)
		return -ENOMEM;
	g->name_hashes = hashes;
	return grow_slots(g);
}

static int check_parent(const struct topo_graph *g, const struct topo_node *node,
			struct base_err *err)
{
	const char *what = topo_kind_text((enum topo_kind)node->kind);
	uint8_t want = node->kind == TOPO_NIC ? TOPO_HOST : TOPO_GROUP;

	if (node->parent == TOPO_NONE && node->kind != TOPO_NIC)
		return 0;
	if (node->parent >= g->n_nodes)
		return base_err_set(err, -BASE_E_INVALID, "the parent of a %s is no node",
				    what);
	if (g->nodes[node->parent].kind != want)
		return base_err_set(
			err, -BASE_E_INVALID, "the parent of a %s must be a %s, not a %s",
			what, topo_kind_text((enum topo_kind)want),
			topo_kind_text((enum topo_kind)g->nodes[node->parent].kind));
	return 0;
}

static int check_number(const char *what, uint32_t n, uint32_t end, struct base_err *err)
{
	if (n < end || n == TOPO_NONE)
		return 0;
	return base_err_set(err, -BASE_E_INVALID, "%s %u is over the largest, %u", what,
			    n, end - 1);
}

static int check_numbers(const struct topo_node *node, struct base_err *err)
{
	int r = check_number("pod", node->pod, TOPO_PODS_MAX, err);

	if (r == 0)
		r = check_number("plane", node->plane, TOPO_PLANES_MAX, err);
	if (r == 0)
		r = check_number("rail", node->rail, TOPO_RAILS_MAX, err);
	return r;
}

static int check_free(const struct topo_graph *g, uint32_t parent, const char *name,
		      size_t len, struct base_err *err)
{
	char parent_text[TOPO_FULL_NAME_MAX + 1], text[2 * TOPO_FULL_NAME_MAX];
	uint64_t hash = child_hash(g, parent, name, len);
	uint32_t found;
	int n = 0;

	if (parent != TOPO_NONE)
		n = snprintf(text, sizeof(text), "%s.",
			     full_name(g, parent, parent_text));
	memcpy(text + n, name, len);
	found = find_hashed(g, hash, text, (size_t)n + len);
	if (found == TOPO_NONE)
		return 0;
	return base_err_set(err, -BASE_E_DUPLICATE, "there is already a %s \"%.*s\"",
			    topo_kind_text((enum topo_kind)g->nodes[found].kind),
			    n + (int)len, text);
}

/* @node lacks its name, which is @name. */
static int add_node(struct topo_graph *g, struct topo_node node, const char *name,
		    size_t len, uint32_t *ret_node, struct base_err *err)
{
	uint64_t hash;
	int r;

	assert(!g->sealed);
	if (g->n_nodes >= TOPO_NODES_MAX)
		return base_err_set(err, -BASE_E_TOO_LARGE, "more than %u nodes",
				    TOPO_NODES_MAX);
	r = check_name(topo_kind_text((enum topo_kind)node.kind), name, len, err);
	if (r == 0)
		r = check_parent(g, &node, err);
	if (r == 0)
		r = check_numbers(&node, err);
	if (r == 0)
		r = check_free(g, node.parent, name, len, err);
	if (r < 0)
		return r;
	if (grow_nodes(g) < 0 || base_table_add(&g->texts, name, len, &node.name) < 0)
		return no_memory(err);
	hash = child_hash(g, node.parent, name, len);
	g->nodes[g->n_nodes] = node;
	g->name_hashes[g->n_nodes] = hash;
	take_slot(g, g->n_nodes);
	g->counts[node.kind]++;
	if (node.plane != TOPO_NONE && node.plane >= g->n_planes)
		g->n_planes = node.plane + 1;
	if (ret_node)
		*ret_node = g->n_nodes;
	g->n_nodes++;
	return 0;
}

int topo_graph_add_group(struct topo_graph *g, const char *name, size_t len,
			 uint32_t *ret_node, struct base_err *err)
{
	struct topo_node node = { .parent = TOPO_NONE,
				  .kind = TOPO_GROUP,
				  .pod = TOPO_NONE,
				  .plane = TOPO_NONE,
				  .rail = TOPO_NONE };

	return add_node(g, node, name, len, ret_node, err);
}

int topo_graph_add_host(struct topo_graph *g, uint32_t parent, const char *name,
			size_t len, uint32_t pod, uint32_t *ret_node,
			struct base_err *err)
{
	struct topo_node node = { .parent = parent,
				  .kind = TOPO_HOST,
				  .pod = pod,
				  .plane = TOPO_NONE,
				  .rail = TOPO_NONE };

	return add_node(g, node, name, len, ret_node, err);
}

int topo_graph_add_nic(struct topo_graph *g, uint32_t host, const char *name, size_t len,
		       uint32_t rail, uint32_t *ret_node, struct base_err *err)
{
	struct topo_node node = { .parent = host,
				  .kind = TOPO_NIC,
				  .pod = TOPO_NONE,
				  .plane = TOPO_NONE,
				  .rail = rail };

	return add_node(g, node, name, len, ret_node, err);
}

int topo_graph_add_switch(struct topo_graph *g, uint32_t parent, const char *name,
			  size_t len, uint32_t tier, uint32_t pod, uint32_t plane,
			  uint32_t rail, uint32_t *ret_node, struct base_err *err)
{
	struct topo_node node = { .parent = parent,
				  .kind = TOPO_SWITCH,
				  .tier = (uint8_t)tier,
				  .pod = pod,
				  .plane = plane,
				  .rail = rail };

	if (tier > TOPO_TIERS_MAX)
		return base_err_set(err, -BASE_E_INVALID,
				    "tier %u is over the largest, %u", tier,
				    TOPO_TIERS_MAX);
	return add_node(g, node, name, len, ret_node, err);
}

/* Links. */

static int check_end(const struct topo_graph *g, uint32_t node, struct base_err *err)
{
	char text[TOPO_FULL_NAME_MAX + 1];

	if (node >= g->n_nodes)
		return base_err_set(err, -ENOENT, "an end of the link is no node");
	if (!topo_kind_has_links(g->nodes[node].kind))
		return base_err_set(err, -BASE_E_INVALID,
				    "a link joins NICs and switches; \"%s\" is a %s",
				    full_name(g, node, text),
				    topo_kind_text((enum topo_kind)g->nodes[node].kind));
	return 0;
}

static int check_ends(const struct topo_graph *g, const struct topo_link *link,
		      struct base_err *err)
{
	char text[TOPO_FULL_NAME_MAX + 1], other[TOPO_FULL_NAME_MAX + 1];
	int r = check_end(g, link->a, err);

	if (r == 0)
		r = check_end(g, link->b, err);
	if (r < 0)
		return r;
	if (link->a == link->b)
		return base_err_set(err, -BASE_E_INVALID,
				    "the link joins \"%s\" to itself",
				    full_name(g, link->a, text));
	if (g->nodes[link->a].kind == TOPO_NIC && g->nodes[link->b].kind == TOPO_NIC)
		return base_err_set(err, -BASE_E_INVALID,
				    "the link joins two NICs, \"%s\" and \"%s\"; one end "
				    "must be a switch",
				    full_name(g, link->a, text),
				    full_name(g, link->b, other));
	return 0;
}

static int check_port(const struct topo_graph *g, uint32_t port, struct base_err *err)
{
	const char *text;

	if (port == TOPO_NONE)
		return 0;
	assert(port < g->texts.n);
	text = topo_graph_text(g, port);
	return check_name("port", text, strlen(text), err);
}

static int check_link(const struct topo_graph *g, const struct topo_link *link,
		      struct base_err *err)
{
	int r = check_ends(g, link, err);

	if (r == 0)
		r = check_port(g, link->port_a, err);
	if (r == 0)
		r = check_port(g, link->port_b, err);
	if (r < 0)
		return r;
	if (link->rate_bps == 0)
		return base_err_set(err, -BASE_E_INVALID,
				    "the rate of a link must be above 0");
	if (link->rate_bps > TOPO_RATE_MAX_BPS)
		return base_err_set(err, -BASE_E_TOO_LARGE,
				    "the rate of a link is at most 1 Pbit/s");
	if (link->delay_ns > TOPO_DELAY_MAX_NS)
		return base_err_set(err, -BASE_E_TOO_LARGE,
				    "the delay of a link is at most 1000 s");
	assert(link->address == TOPO_NONE || link->address < g->texts.n);
	if (link->address != TOPO_NONE && g->nodes[link->a].kind != TOPO_NIC &&
	    g->nodes[link->b].kind != TOPO_NIC)
		return base_err_set(err, -BASE_E_INVALID,
				    "only the NIC end of a link has an address");
	return 0;
}

int topo_graph_add_link(struct topo_graph *g, const struct topo_link *link,
			uint32_t *ret_link, struct base_err *err)
{
	struct topo_link *links;
	int r;

	assert(!g->sealed);
	assert(link->state == TOPO_UP || link->state == TOPO_DOWN);
	if (g->n_links >= TOPO_LINKS_MAX)
		return base_err_set(err, -BASE_E_TOO_LARGE, "more than %u links",
				    TOPO_LINKS_MAX);
	r = check_link(g, link, err);
	if (r < 0)
		return r;
	links = base_grow(g->links, &g->cap_links, g->n_links + 1u, sizeof(*links));
	if (!links)
		return no_memory(err);
	g->links = links;
	links[g->n_links] = *link;
	if (ret_link)
		*ret_link = g->n_links;
	g->n_links++;
	return 0;
}

void topo_graph_set_state(struct topo_graph *g, uint32_t link, enum topo_state state)
{
	assert(link < g->n_links);
	if (g->links[link].state == state)
		return;
	g->links[link].state = (uint8_t)state;
	g->state_version++;
}

/* Texts. */

int topo_graph_intern(struct topo_graph *g, const char *text, size_t len,
		      uint32_t *ret_text)
{
	if (len > TOPO_TEXT_MAX)
		return -BASE_E_TOO_LARGE;
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == 0x7F)
			return -BASE_E_INVALID;
	if (!base_str_is_utf8(text, len))
		return -BASE_E_INVALID;
	return base_table_add(&g->texts, text, len, ret_text);
}

const char *topo_graph_text(const struct topo_graph *g, uint32_t text)
{
	return text == TOPO_NONE ? "" : base_table_name(&g->texts, text);
}

int topo_graph_assume(struct topo_graph *g, const char *name, const char *value,
		      const char *reason)
{
	struct topo_assumption_ids ids, *all;
	int r = topo_graph_intern(g, name, strlen(name), &ids.name);

	if (r == 0)
		r = topo_graph_intern(g, value, strlen(value), &ids.value);
	if (r == 0)
		r = topo_graph_intern(g, reason, strlen(reason), &ids.reason);
	if (r < 0)
		return r;
	for (size_t i = 0; i < g->n_assumptions; i++)
		if (g->assumptions[i].name == ids.name &&
		    g->assumptions[i].value == ids.value)
			return 0;
	if (g->n_assumptions >= TOPO_ASSUMPTIONS_MAX)
		return -BASE_E_TOO_LARGE;
	all = base_grow(g->assumptions, &g->cap_assumptions, g->n_assumptions + 1,
			sizeof(*all));
	if (!all)
		return -ENOMEM;
	g->assumptions = all;
	all[g->n_assumptions++] = ids;
	return 0;
}

size_t topo_graph_n_assumptions(const struct topo_graph *g)
{
	return g->n_assumptions;
}

struct topo_assumption topo_graph_assumption(const struct topo_graph *g, size_t index)
{
	const struct topo_assumption_ids *ids = &g->assumptions[index];

	assert(index < g->n_assumptions);
	return (struct topo_assumption){ .name = topo_graph_text(g, ids->name),
					 .value = topo_graph_text(g, ids->value),
					 .reason = topo_graph_text(g, ids->reason) };
}

/* What was added. */

const struct topo_node *topo_graph_nodes(const struct topo_graph *g)
{
	return g->nodes;
}

const struct topo_link *topo_graph_links(const struct topo_graph *g)
{
	return g->links;
}

uint32_t topo_graph_n_nodes(const struct topo_graph *g)
{
	return g->n_nodes;
}

uint32_t topo_graph_n_links(const struct topo_graph *g)
{
	return g->n_links;
}

uint32_t topo_graph_count(const struct topo_graph *g, enum topo_kind kind)
{
	return g->counts[kind];
}

uint32_t topo_graph_n_planes(const struct topo_graph *g)
{
	return g->n_planes;
}

uint32_t topo_graph_link_plane(const struct topo_graph *g, uint32_t link)
{
	uint32_t plane;

	assert(link < g->n_links);
	plane = g->nodes[g->links[link].a].plane;
	if (plane == TOPO_NONE)
		plane = g->nodes[g->links[link].b].plane;
	return plane == TOPO_NONE ? 0 : plane;
}
