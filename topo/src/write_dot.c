/* SPDX-License-Identifier: Apache-2.0 */
#include <topo/write.h>
#include <inttypes.h>
#include <base/num.h>
#include <topo/name.h>

/* A host stands for its NICs. */
static uint32_t drawn_as(const struct topo_node *nodes, uint32_t node)
{
	return nodes[node].kind == TOPO_NIC ? nodes[node].parent : node;
}

/*
 * A quoted identifier: in DOT only '"' and '\' are special inside quotes.  An error of
 * @from is passed on at once, for the next clear of it would forget it.
 */
static void add_quoted(struct base_str *into, const struct base_str *from)
{
	const char *text = base_str_text(from);

	if (base_str_error(from) < 0 && into->error == 0)
		into->error = base_str_error(from);
	base_str_add_char(into, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			base_str_add_char(into, '\\');
		base_str_add_char(into, *text);
	}
	base_str_add_char(into, '"');
}

static void add_node_id(const struct topo_graph *g, uint32_t node,
			struct base_str *scratch, struct base_str *into)
{
	base_str_clear(scratch);
	topo_name_node(g, node, scratch);
	add_quoted(into, scratch);
}

/* " [tooltip=\"pod 1, plane 0\"]" with what is known. */
static void add_place(const struct topo_node *node, struct base_str *into)
{
	base_str_add(into, " [tooltip=\"");
	if (node->pod != TOPO_NONE)
		base_str_addf(into, "pod %" PRIu32, node->pod);
	if (node->pod != TOPO_NONE && node->plane != TOPO_NONE)
		base_str_add(into, ", ");
	if (node->plane != TOPO_NONE)
		base_str_addf(into, "plane %" PRIu32, node->plane);
	base_str_add(into, "\"]");
}

/* The nodes of one rank: hosts for tier 0, else the switches of the tier. */
static void write_rank(const struct topo_graph *g, uint32_t tier,
		       struct base_str *scratch, struct base_str *into)
{
	const struct topo_node *nodes = topo_graph_nodes(g);
	uint8_t kind = tier == 0 ? TOPO_HOST : TOPO_SWITCH;
	uint32_t n = topo_graph_n_nodes(g);

	base_str_addf(
		into, "\tsubgraph tier%" PRIu32 " {\n\t\trank=same;\n\t\tnode [%s];\n",
		tier, tier == 0 ? "shape=box, style=rounded" : "shape=box, style=filled");
	for (uint32_t i = 0; i < n; i++) {
		if (nodes[i].kind != kind ||
		    (kind == TOPO_SWITCH && nodes[i].tier != tier))
			continue;
		base_str_add(into, "\t\t");
		add_node_id(g, i, scratch, into);
		if (nodes[i].pod != TOPO_NONE || nodes[i].plane != TOPO_NONE)
			add_place(&nodes[i], into);
		base_str_add(into, ";\n");
	}
	base_str_add(into, "\t}\n");
}

/* The upper end first, so that it is drawn above. */
static void write_link(const struct topo_graph *g, uint32_t id, struct base_str *scratch,
		       struct base_str *into)
{
	const struct topo_node *nodes = topo_graph_nodes(g);
	const struct topo_link *link = &topo_graph_links(g)[id];
	bool a_above = nodes[link->a].tier > nodes[link->b].tier;
	uint32_t upper = a_above ? link->a : link->b, lower = a_above ? link->b : link->a;
	char rate[BASE_NUM_TEXT_MAX];

	base_str_add_char(into, '\t');
	add_node_id(g, drawn_as(nodes, upper), scratch, into);
	base_str_add(into, " -- ");
	add_node_id(g, drawn_as(nodes, lower), scratch, into);
	base_str_add(into, " [tooltip=");
	base_str_clear(scratch);
	topo_name_link(g, id, scratch);
	base_str_addf(scratch, ", %s", base_num_format_rate(link->rate_bps, rate));
	add_quoted(into, scratch);
	if (nodes[upper].tier == nodes[lower].tier)
		base_str_add(into, ", constraint=false");
	if (link->state == TOPO_DOWN)
		base_str_add(into, ", style=dashed, color=gray");
	base_str_add(into, "];\n");
}

void topo_write_dot(const struct topo_graph *g, struct base_str *into)
{
	struct base_str scratch;

	base_str_init(&scratch, 0);
	base_str_add(into, "graph fabric {\n\tgraph [ranksep=2, newrank=true];\n"
			   "\tnode [fontname=\"Helvetica\", fillcolor=\"#e8f0f8\"];\n"
			   "\tedge [color=\"#7b8a98\"];\n");
	for (uint32_t tier = topo_graph_n_tiers(g) + 1; tier > 0; tier--)
		write_rank(g, tier - 1, &scratch, into);
	for (uint32_t i = 0; i < topo_graph_n_links(g); i++)
		write_link(g, i, &scratch, into);
	base_str_add(into, "}\n");
	base_str_fini(&scratch);
}
