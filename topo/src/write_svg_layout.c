/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who stands with whom: columns (pods), groups (tier, column, plane) and blocks (hosts
 * that share leaves).
 */
#include "write_svg_private.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <base/mem.h>

#define HAS_HOSTS (TOPO_NONE - 1) /* a block that has no number yet */

static uint32_t find_column(const struct svg_layout *l, uint32_t parent, uint32_t pod,
			    uint32_t *hint)
{
	const struct svg_column *c = l->columns;

	if (*hint < l->n_columns && c[*hint].parent == parent && c[*hint].pod == pod)
		return *hint;
	for (uint32_t i = 0; i < l->n_columns; i++) {
		if (c[i].parent == parent && c[i].pod == pod)
			return *hint = i;
	}
	return TOPO_NONE;
}

static int add_column(struct svg_layout *l, uint32_t parent, uint32_t pod)
{
	struct svg_column *columns = base_grow(l->columns, &l->cap_columns,
					       l->n_columns + 1, sizeof(*columns));

	if (!columns)
		return -ENOMEM;
	l->columns = columns;
	columns[l->n_columns++] = (struct svg_column){ .parent = parent, .pod = pod };
	return 0;
}

static int compare_columns(const void *a, const void *b)
{
	const struct svg_column *x = a, *y = b;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	return x->pod < y->pod ? -1 : x->pod > y->pod;
}

/* Hosts and leaves make the columns; switches above belong to one or stand over all. */
static int find_columns(struct svg_layout *l)
{
	uint32_t n = topo_graph_n_nodes(l->g), hint = 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct topo_node *node = &l->nodes[i];

		if (node->kind != TOPO_HOST &&
		    (node->kind != TOPO_SWITCH || node->tier > 1))
			continue;
		if (find_column(l, node->parent, node->pod, &hint) == TOPO_NONE &&
		    add_column(l, node->parent, node->pod) < 0)
			return -ENOMEM;
	}
	qsort(l->columns, l->n_columns, sizeof(*l->columns), compare_columns);
	for (uint32_t i = 0; i < n; i++) {
		const struct topo_node *node = &l->nodes[i];

		if (node->kind == TOPO_HOST || node->kind == TOPO_SWITCH)
			l->column_of[i] = find_column(l, node->parent, node->pod, &hint);
	}
	return 0;
}

static uint32_t find_root(uint32_t *parents, uint32_t i)
{
	while (parents[i] != i) {
		parents[i] = parents[parents[i]];
		i = parents[i];
	}
	return i;
}

/* Joins all switches that a host's NICs have links to; returns one of them or TOPO_NONE.
 */
static uint32_t join_leaves(const struct svg_layout *l, uint32_t *parents, uint32_t host)
{
	uint32_t n_nics, any = TOPO_NONE;
	const uint32_t *nics = topo_graph_children(l->g, host, &n_nics);

	for (uint32_t i = 0; i < n_nics; i++) {
		uint32_t n_hops;
		const uint32_t *hops = topo_graph_hops(l->g, nics[i], &n_hops);

		for (uint32_t j = 0; j < n_hops; j++) {
			uint32_t leaf = topo_hop_to(l->links, hops[j]);

			if (any == TOPO_NONE)
				any = leaf;
			parents[find_root(parents, leaf)] = find_root(parents, any);
		}
	}
	return any;
}

/*
 * Numbers the blocks in the order of their first leaf; @roots maps a root to its block,
 * at first TOPO_NONE for all.
 */
static void number_blocks(struct svg_layout *l, uint32_t *parents, uint32_t *roots)
{
	uint32_t n = topo_graph_n_nodes(l->g);

	for (uint32_t i = 0; i < n; i++) {
		if (l->nodes[i].kind == TOPO_HOST && l->block_of[i] != TOPO_NONE)
			roots[find_root(parents, l->block_of[i])] = HAS_HOSTS;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t root;

		if (l->nodes[i].kind != TOPO_SWITCH)
			continue;
		root = find_root(parents, i);
		if (roots[root] == HAS_HOSTS)
			roots[root] = (uint32_t)l->n_blocks++;
		l->block_of[i] = roots[root];
		if (l->block_of[i] != TOPO_NONE)
			l->blocks[l->block_of[i]].n_leaves++;
	}
	for (uint32_t i = 0; i < n; i++) {
		struct svg_block *block;

		if (l->nodes[i].kind != TOPO_HOST || l->block_of[i] == TOPO_NONE)
			continue;
		l->block_of[i] = roots[find_root(parents, l->block_of[i])];
		block = &l->blocks[l->block_of[i]];
		block->column = l->column_of[i];
		block->n_hosts++;
	}
}

static int find_blocks(struct svg_layout *l)
{
	uint32_t n = topo_graph_n_nodes(l->g);
	uint32_t *parents = base_array_new(n, sizeof(*parents));
	uint32_t *roots = base_array_new(n, sizeof(*roots));

	l->blocks = base_array_new(topo_graph_count(l->g, TOPO_HOST), sizeof(*l->blocks));
	if (!parents || !roots || !l->blocks) {
		free(parents);
		free(roots);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < n; i++) {
		parents[i] = i;
		roots[i] = TOPO_NONE;
	}
	for (uint32_t i = 0; i < n; i++) {
		l->block_of[i] = TOPO_NONE;
		if (l->nodes[i].kind == TOPO_HOST)
			l->block_of[i] = join_leaves(l, parents, i);
	}
	number_blocks(l, parents, roots);
	free(parents);
	free(roots);
	return 0;
}

static int compare_u32(uint32_t a, uint32_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_switches(const void *a, const void *b)
{
	const struct svg_switch *x = a, *y = b;
	int order = compare_u32(y->tier, x->tier);

	if (order == 0)
		order = compare_u32(x->column, y->column);
	if (order == 0)
		order = compare_u32(x->plane, y->plane);
	if (order == 0 && x->tier == 1)
		order = compare_u32(x->block, y->block);
	return order ? order : compare_u32(x->node, y->node);
}

static int add_group(struct svg_layout *l, uint32_t first)
{
	struct svg_group *groups =
		base_grow(l->groups, &l->cap_groups, l->n_groups + 1, sizeof(*groups));
	const struct svg_switch *s = &l->switches[first];

	if (!groups)
		return -ENOMEM;
	l->groups = groups;
	groups[l->n_groups++] = (struct svg_group){
		.first = first, .tier = s->tier, .column = s->column, .plane = s->plane
	};
	return 0;
}

static int group_switches(struct svg_layout *l)
{
	uint32_t n = topo_graph_n_nodes(l->g);

	l->switches =
		base_array_new(topo_graph_count(l->g, TOPO_SWITCH), sizeof(*l->switches));
	if (!l->switches)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		const struct topo_node *node = &l->nodes[i];

		if (node->kind == TOPO_SWITCH)
			l->switches[l->n_switches++] =
				(struct svg_switch){ i, node->tier, l->column_of[i],
						     node->plane, l->block_of[i] };
	}
	qsort(l->switches, l->n_switches, sizeof(*l->switches), compare_switches);
	for (uint32_t i = 0; i < l->n_switches; i++) {
		const struct svg_switch *s = &l->switches[i];
		const struct svg_group *last =
			l->n_groups ? &l->groups[l->n_groups - 1] : NULL;

		if ((!last || last->tier != s->tier || last->column != s->column ||
		     last->plane != s->plane) &&
		    add_group(l, i) < 0)
			return -ENOMEM;
		l->groups[l->n_groups - 1].n++;
		l->group_of[s->node] = (uint32_t)l->n_groups - 1;
		l->rows[s->tier].n++;
	}
	return 0;
}

/* Decides what is drawn one by one. */
static void choose_detail(struct svg_layout *l)
{
	uint32_t n_links = topo_graph_n_links(l->g), n_nic = 0;

	for (uint32_t i = 0; i < n_links; i++)
		n_nic += l->nodes[l->links[i].a].kind == TOPO_NIC ||
			 l->nodes[l->links[i].b].kind == TOPO_NIC;
	l->nic_links = n_nic <= SVG_NIC_LINKS_MAX;
	l->bundles = n_links - n_nic > SVG_LINKS_MAX;
	l->rows[0].n = topo_graph_count(l->g, TOPO_HOST);
}

int topo_svg_layout_init(struct svg_layout *l, const struct topo_graph *g, bool has_title)
{
	uint32_t n = topo_graph_n_nodes(g);
	int r;

	memset(l, 0, sizeof(*l));
	l->g = g;
	l->nodes = topo_graph_nodes(g);
	l->links = topo_graph_links(g);
	l->n_tiers = topo_graph_n_tiers(g);
	l->boxes = base_array_new(n, sizeof(*l->boxes));
	l->column_of = base_array_new(n, sizeof(*l->column_of));
	l->block_of = base_array_new(n, sizeof(*l->block_of));
	l->group_of = base_array_new(n, sizeof(*l->group_of));
	if (!l->boxes || !l->column_of || !l->block_of || !l->group_of)
		return -ENOMEM;
	r = find_columns(l);
	if (r == 0)
		r = find_blocks(l);
	if (r == 0)
		r = group_switches(l);
	if (r < 0)
		return r;
	choose_detail(l);
	return topo_svg_place(l, has_title);
}

void topo_svg_layout_fini(struct svg_layout *l)
{
	free(l->boxes);
	free(l->column_of);
	free(l->block_of);
	free(l->group_of);
	free(l->columns);
	free(l->switches);
	free(l->groups);
	free(l->blocks);
}
