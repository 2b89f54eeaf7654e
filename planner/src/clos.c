/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the Clos inside one plane of a fabric.  Pods and groups come from the wiring,
 * dead cables included, so that a failure changes which bundles are empty and nothing
 * else.
 */
#include <planner/clos.h>
#include "forest.h"
#include <base/mem.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Bundles of one level that are held at most: a fabric over it is planned path by path.
 */
#define BUNDLES_MAX ((size_t)64 * 1024 * 1024)

struct builder {
	struct planner_clos *c;
	const struct topo_node *nodes;
	const struct topo_link *links;
	uint32_t n_nodes, n_links;
	uint32_t *parent;     /* [node] union-find, of pods first, of core sets later */
	uint32_t *node_pod;   /* [node] of leaves and spines */
	uint32_t *node_group; /* [node] of spines */
	uint32_t *node_core;  /* [node] slot of a core within its set */
	/* [link] its ends when it joins switches of this plane, else TOPO_NONE */
	uint32_t *low, *high;
};

static bool is_switch_here(const struct builder *b, uint32_t node)
{
	const struct topo_node *n = &b->nodes[node];

	if (n->kind != TOPO_SWITCH)
		return false;
	return (n->plane == TOPO_NONE ? 0 : n->plane) == b->c->plane;
}

/* Lower and upper end of a link between switches of this plane; false: another kind of
 * link. */
static bool switch_link(const struct builder *b, uint32_t link, uint32_t *ret_low,
			uint32_t *ret_high)
{
	*ret_low = b->low[link];
	*ret_high = b->high[link];
	return *ret_low != TOPO_NONE;
}

static void find_ends(struct builder *b)
{
	for (uint32_t l = 0; l < b->n_links; l++) {
		uint32_t x = b->links[l].a, y = b->links[l].b;
		bool is_ours = is_switch_here(b, x) && is_switch_here(b, y);
		bool x_is_low = b->nodes[x].tier < b->nodes[y].tier;

		b->low[l] = !is_ours ? TOPO_NONE : x_is_low ? x : y;
		b->high[l] = !is_ours ? TOPO_NONE : x_is_low ? y : x;
	}
}

static int check_shape(const struct builder *b, struct base_err *err)
{
	for (uint32_t l = 0; l < b->n_links; l++) {
		uint32_t x = b->links[l].a, y = b->links[l].b, low, high;
		uint32_t sw = b->nodes[x].kind == TOPO_NIC ? y : x;

		if (switch_link(b, l, &low, &high)) {
			if (b->nodes[high].tier != b->nodes[low].tier + 1)
				return base_err_set(
					err, -BASE_E_INVALID,
					"link %u joins tiers %u and %u: no Clos", l,
					b->nodes[low].tier, b->nodes[high].tier);
			if (b->nodes[high].tier > 3)
				return base_err_set(err, -BASE_E_INVALID,
						    "more than three tiers of switches");
		} else if ((b->nodes[x].kind == TOPO_NIC ||
			    b->nodes[y].kind == TOPO_NIC) &&
			   is_switch_here(b, sw) && b->nodes[sw].tier != 1) {
			return base_err_set(err, -BASE_E_INVALID,
					    "link %u joins a NIC to a switch of tier %u",
					    l, b->nodes[sw].tier);
		} else if (b->nodes[x].kind == TOPO_SWITCH &&
			   b->nodes[y].kind == TOPO_SWITCH &&
			   is_switch_here(b, x) != is_switch_here(b, y)) {
			return base_err_set(err, -BASE_E_INVALID,
					    "link %u joins two planes", l);
		}
	}
	return 0;
}

static int add_leaves(struct builder *b)
{
	struct planner_clos *c = b->c;

	for (uint32_t n = 0; n < b->n_nodes; n++)
		if (is_switch_here(b, n) && b->nodes[n].tier == 1)
			c->n_leaves++;
	c->leaf_switch = base_array_new(c->n_leaves, sizeof(uint32_t));
	c->leaf_pod = base_array_new(c->n_leaves, sizeof(uint32_t));
	c->switch_leaf = base_array_new(b->n_nodes, sizeof(uint32_t));
	c->nic_leaf = base_array_new(b->n_nodes, sizeof(uint32_t));
	c->nic_hop = base_array_new(b->n_nodes, sizeof(uint32_t));
	if (!c->leaf_switch || !c->leaf_pod || !c->switch_leaf || !c->nic_leaf ||
	    !c->nic_hop)
		return -ENOMEM;
	memset(c->switch_leaf, 0xff, b->n_nodes * sizeof(uint32_t));
	memset(c->nic_leaf, 0xff, b->n_nodes * sizeof(uint32_t));
	memset(c->nic_hop, 0xff, b->n_nodes * sizeof(uint32_t));
	c->n_leaves = 0;
	for (uint32_t n = 0; n < b->n_nodes; n++)
		if (is_switch_here(b, n) && b->nodes[n].tier == 1) {
			c->switch_leaf[n] = c->n_leaves;
			c->leaf_switch[c->n_leaves++] = n;
		}
	return 0;
}

/* NICs with exactly one live link into the plane have a leaf; the others go path by path.
 */
static void place_nics(struct builder *b)
{
	struct planner_clos *c = b->c;

	for (uint32_t l = 0; l < b->n_links; l++) {
		bool a_is_nic = b->nodes[b->links[l].a].kind == TOPO_NIC;
		uint32_t nic = a_is_nic ? b->links[l].a : b->links[l].b;
		uint32_t leaf = c->switch_leaf[a_is_nic ? b->links[l].b : b->links[l].a];

		if (b->nodes[nic].kind != TOPO_NIC || leaf == TOPO_NONE ||
		    b->links[l].state != TOPO_UP)
			continue;
		if (c->nic_hop[nic] != TOPO_NONE) {
			c->nic_leaf[nic] = TOPO_NONE;
			continue;
		}
		c->nic_hop[nic] = 2 * l + (a_is_nic ? 0 : 1);
		c->nic_leaf[nic] = leaf;
	}
}

/* Pods: what leaves and spines reach without cores, numbered by their first leaf. */
static void find_pods(struct builder *b)
{
	struct planner_clos *c = b->c;
	uint32_t low, high;

	for (uint32_t n = 0; n < b->n_nodes; n++) {
		b->parent[n] = n;
		b->node_pod[n] = TOPO_NONE;
	}
	for (uint32_t l = 0; l < b->n_links; l++)
		if (switch_link(b, l, &low, &high) && b->nodes[low].tier == 1)
			forest_unite(b->parent, low, high);
	for (uint32_t leaf = 0; leaf < c->n_leaves; leaf++) {
		uint32_t root = forest_find(b->parent, c->leaf_switch[leaf]);

		if (b->node_pod[root] == TOPO_NONE)
			b->node_pod[root] = c->n_pods++;
		c->leaf_pod[leaf] = b->node_pod[root];
	}
	for (uint32_t n = 0; n < b->n_nodes; n++)
		if (is_switch_here(b, n) && b->nodes[n].tier <= 2)
			b->node_pod[n] = b->node_pod[forest_find(b->parent, n)];
}

struct spine_key {
	uint32_t set, pod, node;
};

static int compare_spines(const void *a, const void *b)
{
	const struct spine_key *x = a, *y = b;

	if (x->set != y->set)
		return x->set < y->set ? -1 : 1;
	if (x->pod != y->pod)
		return x->pod < y->pod ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

/* Unites spines and cores that hang together and numbers the cores of each set. */
static int find_core_sets(struct builder *b)
{
	struct planner_clos *c = b->c;
	uint32_t *count = base_array_new(b->n_nodes, sizeof(*count));
	uint32_t low, high;

	if (!count)
		return -ENOMEM;
	for (uint32_t n = 0; n < b->n_nodes; n++)
		b->parent[n] = n;
	for (uint32_t l = 0; l < b->n_links; l++)
		if (switch_link(b, l, &low, &high) && b->nodes[low].tier == 2)
			forest_unite(b->parent, low, high);
	for (uint32_t n = 0; n < b->n_nodes; n++) {
		b->node_group[n] = b->node_core[n] = TOPO_NONE;
		if (!is_switch_here(b, n) || b->nodes[n].tier != 3)
			continue;
		b->node_core[n] = count[forest_find(b->parent, n)]++;
		if (b->node_core[n] + 1 > c->n_cores)
			c->n_cores = b->node_core[n] + 1;
	}
	free(count);
	return 0;
}

/*
 * Groups: within a set of cores that hang together, the i-th spine of every pod.  In the
 * usual fabric each set has one spine of each pod; where every spine meets every core
 * there is one set with all of them.  Spines without cores are numbered within their pod.
 */
static int find_groups(struct builder *b)
{
	struct planner_clos *c = b->c;
	struct spine_key *keys = NULL;
	size_t cap = 0, n_keys = 0;
	uint32_t base = 0, most = 0, index = 0;
	int r = find_core_sets(b);

	for (uint32_t n = 0; r == 0 && n < b->n_nodes; n++) {
		if (!is_switch_here(b, n) || b->nodes[n].tier != 2 ||
		    b->node_pod[n] == TOPO_NONE)
			continue;
		struct spine_key *grown =
			base_grow(keys, &cap, n_keys + 1, sizeof(*keys));

		if (!grown) {
			r = -ENOMEM;
			break;
		}
		keys = grown;
		uint32_t set = forest_find(b->parent, n);

		/* A spine alone in its set has no core. */
		keys[n_keys++] = (struct spine_key){ set, b->node_pod[n], n };
	}
	if (r < 0)
		goto out;
	for (size_t i = 0; i < n_keys; i++) {
		uint32_t n_links;
		const uint32_t *hops = topo_graph_hops(c->graph, keys[i].node, &n_links);
		bool has_core = false;

		for (uint32_t h = 0; h < n_links; h++)
			has_core |=
				b->node_core[topo_hop_to(b->links, hops[h])] != TOPO_NONE;
		if (!has_core)
			keys[i].set = TOPO_NONE;
	}
	if (n_keys > 0)
		qsort(keys, n_keys, sizeof(*keys), compare_spines);
	for (size_t i = 0; i < n_keys; i++) {
		if (i > 0 && keys[i].set != keys[i - 1].set) {
			base += most;
			most = index = 0;
		} else if (i > 0 && keys[i].pod != keys[i - 1].pod) {
			index = 0;
		}
		b->node_group[keys[i].node] = base + index++;
		if (index > most)
			most = index;
	}
	c->n_groups = base + most;
out:
	free(keys);
	return r;
}

static size_t leaf_bundle(const struct builder *b, uint32_t low, uint32_t high)
{
	return (size_t)b->c->switch_leaf[low] * b->c->n_groups + b->node_group[high];
}

static size_t core_bundle(const struct builder *b, uint32_t low, uint32_t high)
{
	return ((size_t)b->node_pod[low] * b->c->n_groups + b->node_group[low]) *
		       b->c->n_cores +
	       b->node_core[high];
}

/* Puts the live cables of one level (the tier of their lower end) into bundles, by
 * counting. */
static int fill_bundles(struct builder *b, uint32_t tier, size_t n_bundles,
			uint32_t **ret_first, uint32_t **ret_hops)
{
	uint32_t *first = base_array_new(n_bundles + 1, sizeof(*first)), *hops = NULL;
	uint32_t low, high;

	*ret_first = first;
	if (!first)
		return -ENOMEM;
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t l = 0; l < b->n_links; l++) {
			if (b->links[l].state != TOPO_UP ||
			    !switch_link(b, l, &low, &high) ||
			    b->nodes[low].tier != tier || b->node_pod[low] == TOPO_NONE)
				continue;
			size_t at = tier == 1 ? leaf_bundle(b, low, high)
					      : core_bundle(b, low, high);

			if (pass == 0)
				first[at + 1]++;
			else
				hops[first[at]++] =
					2 * l + (b->links[l].a == low ? 0 : 1);
		}
		if (pass == 1)
			break;
		for (size_t i = 0; i < n_bundles; i++)
			first[i + 1] += first[i];
		*ret_hops = hops = base_array_new(first[n_bundles], sizeof(*hops));
		if (!hops)
			return -ENOMEM;
	}
	/* Filling moved every start to the next one's: move back. */
	memmove(first + 1, first, n_bundles * sizeof(*first));
	first[0] = 0;
	return 0;
}

/* All bundles alike: the same number of cables, at least one, of one rate. */
static bool is_uniform(const struct builder *b, const uint32_t *first,
		       const uint32_t *hops, size_t n_bundles, uint32_t *ret_cables)
{
	uint32_t cables = n_bundles ? first[1] - first[0] : 0;

	for (size_t i = 0; i < n_bundles; i++)
		if (first[i + 1] - first[i] != cables)
			return false;
	if (n_bundles && cables == 0)
		return false;
	for (uint32_t h = 0; n_bundles && h < first[n_bundles]; h++)
		if (b->links[topo_hop_link(hops[h])].rate_bps !=
		    b->links[topo_hop_link(hops[0])].rate_bps)
			return false;
	*ret_cables = cables;
	return true;
}

static int fill(struct builder *b, struct base_err *err)
{
	struct planner_clos *c = b->c;
	size_t n_leaf = (size_t)c->n_leaves * c->n_groups;
	size_t n_spine = (size_t)c->n_pods * c->n_groups, n_core = n_spine * c->n_cores;
	int r;

	if (n_leaf > BUNDLES_MAX || n_spine > BUNDLES_MAX || n_core > BUNDLES_MAX)
		return base_err_set(err, -BASE_E_INVALID,
				    "too irregular: too many bundles");
	c->spine_switch = base_array_new(n_spine, sizeof(uint32_t));
	c->core_switch =
		base_array_new((size_t)c->n_groups * c->n_cores, sizeof(uint32_t));
	if (!c->spine_switch || !c->core_switch)
		return -ENOMEM;
	memset(c->spine_switch, 0xff, n_spine * sizeof(uint32_t));
	memset(c->core_switch, 0xff, (size_t)c->n_groups * c->n_cores * sizeof(uint32_t));
	for (uint32_t n = 0; n < b->n_nodes; n++)
		if (b->node_group[n] != TOPO_NONE && b->node_pod[n] != TOPO_NONE)
			c->spine_switch[(size_t)b->node_pod[n] * c->n_groups +
					b->node_group[n]] = n;
	for (uint32_t l = 0; l < b->n_links; l++) {
		uint32_t low, high;

		if (switch_link(b, l, &low, &high) && b->nodes[low].tier == 2 &&
		    b->node_pod[low] != TOPO_NONE)
			c->core_switch[(size_t)b->node_group[low] * c->n_cores +
				       b->node_core[high]] = high;
	}
	r = fill_bundles(b, 1, n_leaf, &c->leaf_first, &c->leaf_hops);
	if (r == 0)
		r = fill_bundles(b, 2, n_core, &c->core_first, &c->core_hops);
	if (r < 0)
		return r;
	c->is_regular_leaf =
		is_uniform(b, c->leaf_first, c->leaf_hops, n_leaf, &c->leaf_cables);
	c->is_regular_core =
		is_uniform(b, c->core_first, c->core_hops, n_core, &c->core_cables);
	return 0;
}

int planner_clos_new(const struct topo_graph *g, uint32_t plane,
		     struct planner_clos **ret_clos, struct base_err *err)
{
	struct planner_clos *c = calloc(1, sizeof(*c));
	struct builder b = {
		.c = c,
		.nodes = topo_graph_nodes(g),
		.links = topo_graph_links(g),
		.n_nodes = topo_graph_n_nodes(g),
		.n_links = topo_graph_n_links(g),
	};
	int r = -ENOMEM;

	b.parent = base_array_new(b.n_nodes, sizeof(uint32_t));
	b.node_pod = base_array_new(b.n_nodes, sizeof(uint32_t));
	b.node_group = base_array_new(b.n_nodes, sizeof(uint32_t));
	b.node_core = base_array_new(b.n_nodes, sizeof(uint32_t));
	b.low = base_array_new(b.n_links, sizeof(uint32_t));
	b.high = base_array_new(b.n_links, sizeof(uint32_t));
	if (!c || !b.parent || !b.node_pod || !b.node_group || !b.node_core || !b.low ||
	    !b.high)
		goto out;
	c->graph = g;
	c->plane = plane;
	find_ends(&b);
	r = check_shape(&b, err);
	if (r == 0)
		r = add_leaves(&b);
	if (r < 0)
		goto out;
	place_nics(&b);
	find_pods(&b);
	r = find_groups(&b);
	if (r == 0)
		r = fill(&b, err);
out:
	free(b.parent);
	free(b.node_pod);
	free(b.node_group);
	free(b.node_core);
	free(b.low);
	free(b.high);
	if (r < 0)
		planner_clos_free(c);
	else
		*ret_clos = c;
	return r;
}

void planner_clos_free(struct planner_clos *c)
{
	if (!c)
		return;
	free(c->leaf_switch);
	free(c->leaf_pod);
	free(c->switch_leaf);
	free(c->nic_leaf);
	free(c->nic_hop);
	free(c->spine_switch);
	free(c->core_switch);
	free(c->leaf_first);
	free(c->leaf_hops);
	free(c->core_first);
	free(c->core_hops);
	free(c);
}
