/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Links of a drawing: curves from the upper edge of one box to the lower edge of another,
 * each from its own place on the edge so that they fan out; or, in large fabrics, one
 * stroke for all links from a switch to a group.
 */
#include "write_svg_private.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <base/mem.h>
#include <base/num.h>

#define PX(n) ((int32_t)(n)*SVG_PX)
#define PLAIN "#a9b8c6"
#define MANY_LINKS 800u
#define DEAD "#8b97a3"
#define RATE_REACHED_PPM 1010000u /* above it a link is drawn thicker */

/* One end of a link that is drawn. */
struct end {
	uint32_t node; /* whose box it is on */
	bool above;    /* on the upper edge */
	bool is_b;
	int32_t other_x; /* middle of the box at the other end */
	uint32_t link;
};

/* A link to draw, and where. */
struct curve {
	uint32_t link;
	uint64_t load_ppm;
	bool dead;
	bool nic;
	struct {
		int32_t x, y;
	} ends[2];
	bool arc; /* both ends on the upper edge: same row */
};

struct drawing {
	const struct svg_layout *l;
	const struct topo_svg_options *options;
	struct curve *curves;
	struct end *ends;
	size_t n; /* of curves; of ends twice as many */
};

/* A NIC that is too small to see is drawn at its host. */
static uint32_t visible_node(const struct svg_layout *l, uint32_t node)
{
	if (l->boxes[node].w == 0 && l->nodes[node].kind == TOPO_NIC)
		return l->nodes[node].parent;
	return node;
}

static bool is_nic_link(const struct svg_layout *l, uint32_t link)
{
	return l->nodes[l->links[link].a].kind == TOPO_NIC ||
	       l->nodes[l->links[link].b].kind == TOPO_NIC;
}

static bool is_drawn(const struct svg_layout *l, uint32_t link)
{
	uint32_t a = l->links[link].a, b = l->links[link].b;

	if (is_nic_link(l, link) ? !l->nic_links : l->bundles)
		return false;
	return l->boxes[visible_node(l, a)].w > 0 && l->boxes[visible_node(l, b)].w > 0;
}

static void add_curve(struct drawing *d, uint32_t link)
{
	const struct svg_layout *l = d->l;
	uint32_t nodes[2] = { visible_node(l, l->links[link].a),
			      visible_node(l, l->links[link].b) };
	const struct svg_box *boxes[2] = { &l->boxes[nodes[0]], &l->boxes[nodes[1]] };
	struct curve *c = &d->curves[d->n];

	*c = (struct curve){ .link = link,
			     .load_ppm = topo_svg_link_load_ppm(d->options, link),
			     .dead = l->links[link].state == TOPO_DOWN,
			     .nic = is_nic_link(l, link),
			     .arc = boxes[0]->y == boxes[1]->y };
	for (int i = 0; i < 2; i++) {
		bool above = boxes[i]->y >= boxes[!i]->y;

		c->ends[i].y = above ? boxes[i]->y : boxes[i]->y + boxes[i]->h;
		d->ends[2 * d->n + (size_t)i] = (struct end){
			.node = nodes[i],
			.above = above,
			.is_b = i == 1,
			.other_x = boxes[!i]->x + boxes[!i]->w / 2,
			.link = (uint32_t)d->n,
		};
	}
	d->n++;
}

static int compare_ends(const void *a, const void *b)
{
	const struct end *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (x->above != y->above)
		return x->above ? -1 : 1;
	if (x->other_x != y->other_x)
		return x->other_x < y->other_x ? -1 : 1;
	return x->link < y->link ? -1 : x->link > y->link;
}

/* Spreads the ends over each edge in the order of what they lead to. */
static void spread_ends(struct drawing *d)
{
	size_t n = 2 * d->n;

	qsort(d->ends, n, sizeof(*d->ends), compare_ends);
	for (size_t first = 0; first < n;) {
		const struct svg_box *box = &d->l->boxes[d->ends[first].node];
		int32_t pad = box->w / 10;
		size_t last = first;

		while (last < n && d->ends[last].node == d->ends[first].node &&
		       d->ends[last].above == d->ends[first].above)
			last++;
		for (size_t i = first; i < last; i++) {
			int64_t at = (int64_t)(box->w - 2 * pad) *
				     (2 * (int64_t)(i - first) + 1) /
				     (2 * (int64_t)(last - first));

			d->curves[d->ends[i].link].ends[d->ends[i].is_b].x =
				box->x + pad + (int32_t)at;
		}
		first = last;
	}
}

/* Dead links over busy ones over calm ones over those of NICs. */
static int compare_curves(const void *a, const void *b)
{
	const struct curve *x = a, *y = b;

	if (x->dead != y->dead)
		return x->dead ? 1 : -1;
	if (x->nic != y->nic)
		return x->nic ? -1 : 1;
	if (x->load_ppm != y->load_ppm)
		return x->load_ppm < y->load_ppm ? -1 : 1;
	return x->link < y->link ? -1 : x->link > y->link;
}

static void add_point(struct base_str *into, int32_t x, int32_t y)
{
	topo_svg_add_px(into, x);
	base_str_add_char(into, ' ');
	topo_svg_add_px(into, y);
}

static void add_path(const struct curve *c, struct base_str *into)
{
	int32_t middle = (c->ends[0].y + c->ends[1].y) / 2;

	if (c->arc)
		middle = c->ends[0].y - PX(36);
	base_str_add(into, "<path d=\"M");
	add_point(into, c->ends[0].x, c->ends[0].y);
	base_str_add_char(into, 'C');
	add_point(into, c->ends[0].x, middle);
	base_str_add_char(into, ' ');
	add_point(into, c->ends[1].x, middle);
	base_str_add_char(into, ' ');
	add_point(into, c->ends[1].x, c->ends[1].y);
	base_str_add(into, "\">");
}

static void add_hop_load(const struct drawing *d, uint32_t hop, struct base_str *into)
{
	char text[BASE_NUM_TEXT_MAX];

	base_str_addf(into, "%s to ",
		      base_num_format_ppm(d->options->hop_load_ppm[hop], 3, text));
	topo_svg_add_node_name(into, d->l->g, topo_hop_to(d->l->links, hop));
}

static void add_link_title(const struct drawing *d, const struct curve *c,
			   struct base_str *into)
{
	char rate[BASE_NUM_TEXT_MAX];

	base_str_add(into, "<title>");
	topo_svg_add_link_name(into, d->l->g, c->link);
	base_str_addf(into, ": %s",
		      base_num_format_rate(d->l->links[c->link].rate_bps, rate));
	if (c->dead)
		base_str_add(into, ", down");
	if (d->options->hop_load_ppm) {
		base_str_add(into, ", load ");
		add_hop_load(d, 2 * c->link, into);
		base_str_add(into, ", ");
		add_hop_load(d, 2 * c->link + 1, into);
	}
	base_str_add(into, "</title></path>\n");
}

/* Where lines are many they are thin. */
static const char *stroke_width(const struct drawing *d, const struct curve *c)
{
	bool many = d->n > MANY_LINKS;

	if (c->load_ppm > RATE_REACHED_PPM)
		return many ? "1.3" : "2";
	if (c->load_ppm > 0)
		return many ? "0.7" : "1.2";
	return many ? "0.5" : "0.9";
}

/* Opens a group for strokes that look like @c. */
static void open_look(const struct drawing *d, const struct curve *c,
		      struct base_str *into)
{
	char colour[8] = PLAIN;

	if (c->dead) {
		base_str_add(into, "<g stroke=\"" DEAD "\" stroke-width=\"1.6\" "
				   "stroke-dasharray=\"5 4\">\n");
		return;
	}
	if (d->options->hop_load_ppm)
		topo_load_colour(c->load_ppm, colour);
	base_str_addf(into, "<g stroke=\"%s\" stroke-width=\"%s\"%s>\n", colour,
		      stroke_width(d, c), c->nic ? " stroke-opacity=\"0.5\"" : "");
}

static bool looks_alike(const struct curve *x, const struct curve *y)
{
	if (x->dead || y->dead)
		return x->dead == y->dead;
	return x->nic == y->nic && x->load_ppm == y->load_ppm;
}

static void draw_curves(const struct drawing *d, struct base_str *into)
{
	for (size_t i = 0; i < d->n; i++) {
		const struct curve *c = &d->curves[i], *last = i ? c - 1 : NULL;

		if (!last || !looks_alike(last, c)) {
			if (last)
				base_str_add(into, "</g>\n");
			open_look(d, c, into);
		}
		add_path(c, into);
		add_link_title(d, c, into);
	}
	if (d->n)
		base_str_add(into, "</g>\n");
}

/* --- bundles
 * ---------------------------------------------------------------------------- */

struct bundle {
	uint32_t n_links, n_dead;
	uint32_t busiest; /* link */
	uint64_t load_ppm;
};

/* Straight up where the group stands above the switch, else to the same part of it. */
static int32_t bundle_x(const struct svg_layout *l, uint32_t node,
			const struct svg_group *to)
{
	const struct svg_group *from = &l->groups[l->group_of[node]];
	int32_t x = l->boxes[node].x + l->boxes[node].w / 2;

	if (x >= to->box.x && x <= to->box.x + to->box.w)
		return x;
	return to->box.x + (int32_t)((int64_t)(x - from->box.x) * to->box.w /
				     (from->box.w ? from->box.w : 1));
}

static void draw_bundle(const struct drawing *d, uint32_t node, uint32_t group,
			const struct bundle *b, struct base_str *into)
{
	const struct svg_layout *l = d->l;
	const struct svg_group *to = &l->groups[group];
	struct svg_box box = l->boxes[node];
	struct curve c = { .ends = { { box.x + box.w / 2, box.y },
				     { bundle_x(l, node, to), to->box.y + to->box.h } } };
	char colour[8] = PLAIN, load[BASE_NUM_TEXT_MAX];

	if (d->options->hop_load_ppm)
		topo_load_colour(b->load_ppm, colour);
	base_str_addf(into, "<g stroke=\"%s\" stroke-width=\"", colour);
	topo_svg_add_px(into, box.w < PX(2) ? PX(1) : box.w < PX(9) ? box.w / 2 : PX(5));
	base_str_add(into, "\">");
	add_path(&c, into);
	base_str_add(into, "<title>");
	topo_svg_add_node_name(into, l->g, node);
	base_str_addf(into, ": %" PRIu32 " links up", b->n_links);
	if (b->n_dead)
		base_str_addf(into, ", %" PRIu32 " of them dead", b->n_dead);
	if (d->options->hop_load_ppm) {
		base_str_addf(into, ", load of the busiest %s, ",
			      base_num_format_ppm(b->load_ppm, 3, load));
		topo_svg_add_node_name(into, l->g, l->links[b->busiest].a);
		base_str_add_char(into, '-');
		topo_svg_add_node_name(into, l->g, l->links[b->busiest].b);
	}
	base_str_add(into, "</title></path></g>\n");
}

/* All links that go up from @node, one bundle for each group above. */
static void draw_bundles_of(const struct drawing *d, uint32_t node,
			    struct bundle *by_group, struct base_str *into)
{
	const struct svg_layout *l = d->l;
	uint32_t n;
	const uint32_t *hops = topo_graph_hops(l->g, node, &n);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t link = topo_hop_link(hops[i]),
			 to = topo_hop_to(l->links, hops[i]);
		uint64_t load_ppm = topo_svg_link_load_ppm(d->options, link);
		struct bundle *b;

		if (l->nodes[to].kind != TOPO_SWITCH ||
		    l->nodes[to].tier <= l->nodes[node].tier)
			continue;
		b = &by_group[l->group_of[to]];
		if (b->n_links++ == 0 || load_ppm > b->load_ppm) {
			b->load_ppm = load_ppm;
			b->busiest = link;
		}
		b->n_dead += l->links[link].state == TOPO_DOWN;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t to = topo_hop_to(l->links, hops[i]), group = l->group_of[to];

		if (l->nodes[to].kind != TOPO_SWITCH || by_group[group].n_links == 0)
			continue;
		draw_bundle(d, node, group, &by_group[group], into);
		by_group[group] = (struct bundle){ 0 };
	}
}

static int draw_bundles(const struct drawing *d, struct base_str *into)
{
	const struct svg_layout *l = d->l;
	struct bundle *by_group = base_array_new(l->n_groups, sizeof(*by_group));

	if (!by_group)
		return -ENOMEM;
	for (size_t i = 0; i < l->n_switches; i++)
		draw_bundles_of(d, l->switches[i].node, by_group, into);
	free(by_group);
	return 0;
}

int topo_svg_draw_links(const struct svg_layout *l,
			const struct topo_svg_options *options, struct base_str *into)
{
	struct drawing d = { .l = l, .options = options };
	uint32_t n_links = topo_graph_n_links(l->g), n = 0;
	int r = 0;

	for (uint32_t i = 0; i < n_links; i++)
		n += is_drawn(l, i);
	d.curves = base_array_new(n, sizeof(*d.curves));
	d.ends = base_array_new(2 * (size_t)n, sizeof(*d.ends));
	if (!d.curves || !d.ends) {
		r = -ENOMEM;
		goto out;
	}
	for (uint32_t i = 0; i < n_links; i++) {
		if (is_drawn(l, i))
			add_curve(&d, i);
	}
	spread_ends(&d);
	qsort(d.curves, d.n, sizeof(*d.curves), compare_curves);
	base_str_add(into, "<g fill=\"none\" stroke-opacity=\"0.85\">\n");
	if (l->bundles)
		r = draw_bundles(&d, into);
	draw_curves(&d, into);
	base_str_add(into, "</g>\n");
out:
	free(d.curves);
	free(d.ends);
	return r;
}
