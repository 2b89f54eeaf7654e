/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Background boxes, row names, switches, hosts and NICs.
 */
#include "write_svg_private.h"
#include <inttypes.h>
#include <base/num.h>
#include <topo/name.h>

#define PX(n) ((int32_t)(n)*SVG_PX)

static const char *const tier_names[] = { "hosts", "leaves", "spines", "cores" };
static const char *const tier_fills[] = { "#ffffff", "#e8f0f8", "#e9f4ee", "#f3eef9" };
static const char *const tier_strokes[] = { "#9aa9b8", "#6f94b8", "#6ea58a", "#9a83bd" };

void topo_svg_add_px(struct base_str *into, int32_t dpx)
{
	if (dpx < 0) {
		base_str_add_char(into, '-');
		dpx = -dpx;
	}
	base_str_add_u64(into, (uint64_t)dpx / SVG_PX);
	if (dpx % SVG_PX) {
		base_str_add_char(into, '.');
		base_str_add_u64(into, (uint64_t)dpx % SVG_PX);
	}
}

static void add_attribute(struct base_str *into, const char *name, int32_t dpx)
{
	base_str_add_char(into, ' ');
	base_str_add(into, name);
	base_str_add(into, "=\"");
	topo_svg_add_px(into, dpx);
	base_str_add_char(into, '"');
}

void topo_svg_add_box(struct base_str *into, struct svg_box box)
{
	add_attribute(into, "x", box.x);
	add_attribute(into, "y", box.y);
	add_attribute(into, "width", box.w);
	add_attribute(into, "height", box.h);
}

void topo_svg_add_text(struct base_str *into, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '&':
			base_str_add(into, "&amp;");
			break;
		case '<':
			base_str_add(into, "&lt;");
			break;
		case '>':
			base_str_add(into, "&gt;");
			break;
		case '"':
			base_str_add(into, "&quot;");
			break;
		default:
			base_str_add_char(into, *text);
		}
	}
}

/* Adds a text that was made aside, or its error. */
static void add_made(struct base_str *into, struct base_str *made)
{
	topo_svg_add_text(into, base_str_text(made));
	if (base_str_error(made) < 0 && into->error == 0)
		into->error = base_str_error(made);
	base_str_fini(made);
}

void topo_svg_add_node_name(struct base_str *into, const struct topo_graph *g,
			    uint32_t node)
{
	struct base_str name;

	base_str_init(&name, 0);
	topo_name_node(g, node, &name);
	add_made(into, &name);
}

void topo_svg_add_link_name(struct base_str *into, const struct topo_graph *g,
			    uint32_t link)
{
	struct base_str name;

	base_str_init(&name, 0);
	topo_name_link(g, link, &name);
	add_made(into, &name);
}

uint64_t topo_svg_link_load_ppm(const struct topo_svg_options *options, uint32_t link)
{
	const uint64_t *loads = options->hop_load_ppm;

	if (!loads)
		return 0;
	return loads[2 * (size_t)link] > loads[2 * (size_t)link + 1]
		       ? loads[2 * (size_t)link]
		       : loads[2 * (size_t)link + 1];
}

/* --- backgrounds and row names ---------------------------------------------------------
 */

static void add_label(struct base_str *into, int32_t x, int32_t y, int32_t size,
		      const char *attributes)
{
	base_str_add(into, "<text");
	add_attribute(into, "x", x);
	add_attribute(into, "y", y);
	add_attribute(into, "font-size", size);
	base_str_addf(into, " %s>", attributes);
}

static void draw_background(struct base_str *into, struct svg_box box,
			    const char *colours)
{
	base_str_add(into, "<rect");
	topo_svg_add_box(into, box);
	base_str_addf(into, " rx=\"10\" %s/>\n", colours);
}

static struct svg_box grow_box(struct svg_box box, int32_t side, int32_t above,
			       int32_t below)
{
	box.x -= side;
	box.w += 2 * side;
	box.y -= above;
	box.h += above + below;
	return box;
}

/* A name for a column: the fabric it belongs to, the pod, or both. */
static void add_column_name(const struct svg_layout *l, const struct svg_column *c,
			    struct base_str *into)
{
	if (c->parent != TOPO_NONE)
		topo_svg_add_text(into, topo_graph_text(l->g, l->nodes[c->parent].name));
	if (c->parent != TOPO_NONE && c->pod != TOPO_NONE)
		base_str_add(into, ", ");
	if (c->pod != TOPO_NONE)
		base_str_addf(into, "pod %" PRIu32, c->pod);
}

/* The name stands below the hosts, where no link runs. */
static void draw_columns(const struct svg_layout *l, struct base_str *into)
{
	int32_t side = l->n_columns > 16 ? PX(3) : PX(9), font = PX(12) / 10 * l->scale;

	if (l->n_columns < 2)
		return;
	for (size_t i = 0; i < l->n_columns; i++) {
		const struct svg_column *c = &l->columns[i];
		struct svg_box box = grow_box(c->box, side, PX(14), font + PX(18));

		draw_background(into, box, "fill=\"#f6f8fa\" stroke=\"#e1e7ed\"");
		add_label(into, box.x + box.w / 2, box.y + box.h - PX(9), font,
			  "fill=\"#5b6b7b\" font-weight=\"600\" text-anchor=\"middle\"");
		add_column_name(l, c, into);
		base_str_add(into, "</text>\n");
	}
}

/* The box around the rows of a plane within a column, given its leaves. */
static struct svg_box plane_box(const struct svg_layout *l, const struct svg_group *leaf)
{
	struct svg_box box = leaf->box;
	int32_t bottom = box.y + box.h, side = l->n_columns > 1 ? PX(3) : PX(8);

	for (size_t i = 0; i < l->n_groups; i++) {
		const struct svg_group *g = &l->groups[i];

		if (g->column == leaf->column && g->plane == leaf->plane &&
		    g->box.y < box.y)
			box.y = g->box.y;
	}
	box.h = bottom - box.y;
	return grow_box(box, side, l->n_columns > 1 ? PX(10) : PX(26), PX(10));
}

static bool is_plane(const struct svg_group *g)
{
	return g->tier == 1 && g->column != TOPO_NONE && g->plane != TOPO_NONE;
}

static void draw_planes(const struct svg_layout *l, struct base_str *into)
{
	for (size_t i = 0; i < l->n_groups; i++) {
		if (is_plane(&l->groups[i]))
			draw_background(into, plane_box(l, &l->groups[i]),
					"fill=\"#f0f4f8\" stroke=\"#dbe3eb\"");
	}
}

/* After the links, on a rim of the background's colour: links may run below. */
static void draw_plane_names(const struct svg_layout *l, struct base_str *into)
{
	for (size_t i = 0; i < l->n_groups; i++) {
		const struct svg_group *g = &l->groups[i];
		struct svg_box box;

		if (!is_plane(g))
			continue;
		box = plane_box(l, g);
		add_label(into, box.x + PX(10),
			  box.y + (l->n_columns > 1 ? -PX(3) : PX(17)), PX(12),
			  "fill=\"#5b6b7b\" font-weight=\"600\" stroke=\"#f4f7fa\" "
			  "stroke-width=\"4\" stroke-linejoin=\"round\" "
			  "paint-order=\"stroke\"");
		base_str_addf(into, "plane %" PRIu32 "</text>\n", g->plane);
	}
}

/* Hosts that share several leaves: a rail-optimised segment. */
static void draw_blocks(const struct svg_layout *l, struct base_str *into)
{
	for (size_t i = 0; i < l->n_blocks; i++) {
		const struct svg_block *b = &l->blocks[i];

		if (b->n_leaves < 2 || l->n_blocks < 2)
			continue;
		draw_background(into, grow_box(b->box, PX(4), PX(7), PX(6)),
				"fill=\"#f6f8fa\" stroke=\"#e1e7ed\"");
	}
}

static void draw_row_name(const struct svg_layout *l, uint32_t tier,
			  struct base_str *into)
{
	const struct svg_row *row = &l->rows[tier];
	int32_t font = PX(13) / 10 * l->scale;
	char count[BASE_NUM_TEXT_MAX];

	add_label(into, PX(24) / 10 * l->scale, row->y + row->h / 2, font,
		  "fill=\"#33424f\" font-weight=\"600\"");
	if (tier < BASE_COUNT(tier_names))
		base_str_add(into, tier_names[tier]);
	else
		base_str_addf(into, "tier %" PRIu32, tier);
	base_str_add(into, "</text>\n");
	add_label(into, PX(24) / 10 * l->scale, row->y + row->h / 2 + font * 5 / 4,
		  font * 6 / 7, "fill=\"#7b8a98\"");
	base_str_addf(into, "%s</text>\n", base_num_format_count(row->n, count));
}

/* --- nodes
 * ------------------------------------------------------------------------------ */

struct node_state {
	uint32_t n_links, n_dead;
	uint64_t load_ppm; /* of the busiest link */
};

static struct node_state look_at(const struct svg_layout *l,
				 const struct topo_svg_options *options, uint32_t node)
{
	struct node_state s = { 0 };
	const uint32_t *hops = topo_graph_hops(l->g, node, &s.n_links);

	for (uint32_t i = 0; i < s.n_links; i++) {
		uint32_t link = topo_hop_link(hops[i]);
		uint64_t load_ppm = topo_svg_link_load_ppm(options, link);

		s.n_dead += l->links[link].state == TOPO_DOWN;
		if (load_ppm > s.load_ppm)
			s.load_ppm = load_ppm;
	}
	return s;
}

static void add_place(struct base_str *into, const char *what, uint32_t number)
{
	if (number != TOPO_NONE)
		base_str_addf(into, ", %s %" PRIu32, what, number);
}

static void add_node_title(const struct svg_layout *l,
			   const struct topo_svg_options *options, uint32_t node,
			   const struct node_state *s, struct base_str *into)
{
	const struct topo_node *n = &l->nodes[node];
	char load[BASE_NUM_TEXT_MAX];

	base_str_add(into, "<title>");
	topo_svg_add_node_name(into, l->g, node);
	if (n->kind == TOPO_SWITCH)
		add_place(into, "tier", n->tier);
	add_place(into, "pod", n->pod);
	add_place(into, "plane", n->plane);
	add_place(into, "rail", n->rail);
	if (n->kind != TOPO_HOST)
		base_str_addf(into, ": %" PRIu32 " link%s", s->n_links,
			      s->n_links == 1 ? "" : "s");
	if (s->n_dead)
		base_str_addf(into, ", %" PRIu32 " down", s->n_dead);
	if (options->hop_load_ppm && n->kind != TOPO_HOST)
		base_str_addf(into, ", busiest at load %s",
			      base_num_format_ppm(s->load_ppm, 3, load));
	base_str_add(into, "</title>");
}

/* The name inside @box, as the row has it. */
static void draw_name(const struct svg_row *row, struct svg_box box, const char *name,
		      int32_t y, struct base_str *into)
{
	int32_t x = box.x + box.w / 2;

	if (row->label == SVG_LABEL_NONE)
		return;
	if (row->label == SVG_LABEL_NUMBER)
		name += row->stem;
	base_str_add(into, "<text");
	add_attribute(into, "x", x);
	add_attribute(into, "y", y);
	add_attribute(into, "font-size", row->font);
	base_str_add(into, " text-anchor=\"middle\"");
	if (row->label == SVG_LABEL_UPRIGHT) {
		base_str_add(into, " transform=\"rotate(-90 ");
		topo_svg_add_px(into, x);
		base_str_add_char(into, ' ');
		topo_svg_add_px(into, box.y + box.h / 2);
		base_str_add(into, ")\"");
	}
	base_str_add_char(into, '>');
	topo_svg_add_text(into, name);
	base_str_add(into, "</text>");
}

static void draw_switch(const struct svg_layout *l,
			const struct topo_svg_options *options, uint32_t node,
			struct base_str *into)
{
	const struct topo_node *n = &l->nodes[node];
	const struct svg_row *row = &l->rows[n->tier];
	struct node_state s = look_at(l, options, node);
	uint32_t look = n->tier < BASE_COUNT(tier_fills) ? n->tier : 3;
	struct svg_box box = l->boxes[node];
	char fill[8];

	if (row->label == SVG_LABEL_NONE && options->hop_load_ppm)
		topo_load_colour(s.load_ppm, fill);
	base_str_add(into, "<g><rect");
	topo_svg_add_box(into, box);
	base_str_addf(into, " rx=\"%s\" fill=\"%s\" stroke=\"%s\"/>",
		      box.w > PX(16) ? "4" : "1.5",
		      row->label == SVG_LABEL_NONE && options->hop_load_ppm
			      ? fill
			      : tier_fills[look],
		      tier_strokes[look]);
	draw_name(row, box, topo_graph_text(l->g, n->name),
		  box.y + box.h / 2 + row->font * 36 / 100, into);
	add_node_title(l, options, node, &s, into);
	base_str_add(into, "</g>\n");
}

static void draw_nic(const struct svg_layout *l, const struct topo_svg_options *options,
		     uint32_t nic, struct base_str *into)
{
	struct node_state s = look_at(l, options, nic);
	char fill[8] = "#b4c3d2";

	if (l->boxes[nic].w == 0)
		return;
	if (options->hop_load_ppm)
		topo_load_colour(s.load_ppm, fill);
	base_str_add(into, "<rect");
	topo_svg_add_box(into, l->boxes[nic]);
	base_str_addf(into, " rx=\"1\" fill=\"%s\">", fill);
	add_node_title(l, options, nic, &s, into);
	base_str_add(into, "</rect>");
}

static void draw_host(const struct svg_layout *l, const struct topo_svg_options *options,
		      uint32_t host, struct base_str *into)
{
	const struct svg_row *row = &l->rows[0];
	const struct node_state nothing = { 0 };
	struct svg_box box = l->boxes[host];
	uint32_t n_nics;
	const uint32_t *nics = topo_graph_children(l->g, host, &n_nics);

	base_str_add(into, "<g>");
	if (row->label != SVG_LABEL_NONE) {
		base_str_add(into, "<rect");
		topo_svg_add_box(into, box);
		base_str_addf(into, " rx=\"4\" fill=\"%s\" stroke=\"%s\"/>",
			      tier_fills[0], tier_strokes[0]);
	}
	draw_name(row, box, topo_graph_text(l->g, l->nodes[host].name),
		  box.y + box.h - PX(7), into);
	add_node_title(l, options, host, &nothing, into);
	for (uint32_t i = 0; i < n_nics; i++)
		draw_nic(l, options, nics[i], into);
	base_str_add(into, "</g>\n");
}

int topo_svg_draw(const struct svg_layout *l, const struct topo_svg_options *options,
		  struct base_str *into)
{
	bool has_planes = topo_graph_n_planes(l->g) > 1;
	uint32_t n = topo_graph_n_nodes(l->g);
	int r;

	draw_columns(l, into);
	if (has_planes)
		draw_planes(l, into);
	draw_blocks(l, into);
	for (uint32_t tier = 0; tier <= l->n_tiers; tier++) {
		if (l->rows[tier].n > 0)
			draw_row_name(l, tier, into);
	}
	r = topo_svg_draw_links(l, options, into);
	if (r < 0)
		return r;
	if (has_planes)
		draw_plane_names(l, into);
	base_str_add(into, "<g fill=\"#22303c\">\n");
	for (size_t i = 0; i < l->n_switches; i++)
		draw_switch(l, options, l->switches[i].node, into);
	for (uint32_t i = 0; i < n; i++) {
		if (l->nodes[i].kind == TOPO_HOST && l->boxes[i].w > 0)
			draw_host(l, options, i, into);
	}
	base_str_add(into, "</g>\n");
	return 0;
}
