/* SPDX-License-Identifier: Apache-2.0 */
#include <topo/write.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <base/num.h>
#include "write_svg_private.h"

#define PX(n) ((int32_t)(n)*SVG_PX)
#define RAMP_PPM_MAX 3000000u

/* Blue up to the line rate, then amber to dark red: also apart for eyes that do not tell
 * red from green. */
static const struct stop {
	uint32_t load_ppm;
	uint8_t red, green, blue;
} stops[] = {
	{ 0, 0xd3, 0xdc, 0xe5 },       { 500000, 0x86, 0xb5, 0xdc },
	{ 1000000, 0x23, 0x6f, 0xb3 }, { 1200000, 0xf2, 0xb6, 0x4b },
	{ 2000000, 0xd9, 0x54, 0x1e }, { RAMP_PPM_MAX, 0x7f, 0x12, 0x2b },
};

static uint8_t between(uint8_t low, uint8_t high, uint32_t part, uint32_t whole)
{
	int32_t step =
		((int32_t)high - low) * (int32_t)(part / 100) / (int32_t)(whole / 100);

	return (uint8_t)(low + step);
}

void topo_load_colour(uint64_t load_ppm, char ret_colour[8])
{
	uint32_t load = load_ppm < RAMP_PPM_MAX ? (uint32_t)load_ppm : RAMP_PPM_MAX;
	const struct stop *low = stops, *high;
	uint32_t part, whole;

	while (low + 2 < stops + BASE_COUNT(stops) && low[1].load_ppm <= load)
		low++;
	high = low + 1;
	part = load - low->load_ppm;
	whole = high->load_ppm - low->load_ppm;
	snprintf(ret_colour, 8, "#%02x%02x%02x",
		 between(low->red, high->red, part, whole),
		 between(low->green, high->green, part, whole),
		 between(low->blue, high->blue, part, whole));
}

static void open_document(const struct svg_layout *l, bool embed, struct base_str *into)
{
	if (!embed)
		base_str_add(into, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	base_str_add(into, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ");
	topo_svg_add_px(into, l->width);
	base_str_add_char(into, ' ');
	topo_svg_add_px(into, l->height);
	base_str_add(into, "\" font-family=\"Inter, 'Segoe UI', 'Helvetica Neue', Arial, "
			   "'Liberation Sans', sans-serif\" role=\"img\">\n<rect");
	topo_svg_add_box(into, (struct svg_box){ 0, 0, l->width, l->height });
	base_str_add(into, " fill=\"#ffffff\"/>\n");
}

static int32_t scaled(const struct svg_layout *l, int32_t pixels)
{
	return pixels * l->scale;
}

static void open_text(const struct svg_layout *l, int32_t x, int32_t y, int32_t size,
		      const char *attributes, struct base_str *into)
{
	base_str_add(into, "<text x=\"");
	topo_svg_add_px(into, x);
	base_str_add(into, "\" y=\"");
	topo_svg_add_px(into, scaled(l, y));
	base_str_add(into, "\" font-size=\"");
	topo_svg_add_px(into, scaled(l, size));
	base_str_addf(into, "\" %s>", attributes);
}

static void add_count(struct base_str *into, uint64_t n, const char *one,
		      const char *many)
{
	char text[BASE_NUM_TEXT_MAX];

	base_str_addf(into, "%s %s", base_num_format_count(n, text), n == 1 ? one : many);
}

static void draw_title(const struct svg_layout *l, const char *title,
		       struct base_str *into)
{
	static const char *const names[][2] = { { "host", "hosts" },
						{ "leaf", "leaves" },
						{ "spine", "spines" },
						{ "core", "cores" } };
	uint32_t n_planes = topo_graph_n_planes(l->g);

	if (title) {
		open_text(l, scaled(l, 24), 42, 22,
			  "fill=\"#1b2733\" font-weight=\"600\"", into);
		topo_svg_add_text(into, title);
		base_str_add(into, "</text>\n");
	}
	open_text(l, scaled(l, 24), title ? 66 : 42, 13, "fill=\"#5b6b7b\"", into);
	add_count(into, l->rows[0].n, names[0][0], names[0][1]);
	base_str_add(into, " \u00b7 ");
	add_count(into, topo_graph_count(l->g, TOPO_NIC), "NIC", "NICs");
	for (uint32_t tier = 1; tier <= l->n_tiers && tier < BASE_COUNT(names); tier++) {
		base_str_add(into, " \u00b7 ");
		add_count(into, l->rows[tier].n, names[tier][0], names[tier][1]);
	}
	base_str_add(into, " \u00b7 ");
	add_count(into, topo_graph_n_links(l->g), "link", "links");
	if (n_planes > 1)
		base_str_addf(into, " \u00b7 %" PRIu32 " planes", n_planes);
	base_str_add(into, "</text>\n");
}

static uint32_t count_dead(const struct topo_graph *g)
{
	const struct topo_link *links = topo_graph_links(g);
	uint32_t n = 0;

	for (uint32_t i = 0; i < topo_graph_n_links(g); i++)
		n += links[i].state == TOPO_DOWN;
	return n;
}

/* The ramp in small steps, so that no gradient with an id of its own is needed. */
static void draw_ramp(const struct svg_layout *l, int32_t x, struct base_str *into)
{
	const int32_t n_steps = 60, step = scaled(l, 4);

	base_str_add(into, "<g shape-rendering=\"crispEdges\">");
	for (int32_t i = 0; i < n_steps; i++) {
		char colour[8];

		topo_load_colour((uint64_t)RAMP_PPM_MAX / 60 * (uint64_t)i, colour);
		base_str_add(into, "<rect");
		topo_svg_add_box(into, (struct svg_box){ x + i * step, scaled(l, 46),
							 step, scaled(l, 10) });
		base_str_addf(into, " fill=\"%s\"/>", colour);
	}
	base_str_add(into, "</g>\n");
	for (int32_t half = 0; half <= 6; half++) {
		open_text(l, x + half * 10 * step, 71, 11,
			  "fill=\"#5b6b7b\" text-anchor=\"middle\"", into);
		base_str_addf(into, "%" PRId32 "%s%s</text>\n", half / 2,
			      half % 2 ? ".5" : "", half == 6 ? "+" : "");
	}
}

static void draw_legend(const struct svg_layout *l,
			const struct topo_svg_options *options, struct base_str *into)
{
	int32_t x = l->left + l->content_w - scaled(l, 240);
	uint32_t n_dead = count_dead(l->g);

	if (options->hop_load_ppm) {
		open_text(l, x, 37, 12, "fill=\"#33424f\"", into);
		base_str_add(into,
			     "Load of a link, busier direction (1 = line rate)</text>\n");
		draw_ramp(l, x, into);
		x -= scaled(l, 150);
	}
	if (n_dead) {
		base_str_add(into, "<path d=\"M");
		topo_svg_add_px(into, x);
		base_str_add_char(into, ' ');
		topo_svg_add_px(into, scaled(l, 51));
		base_str_add_char(into, 'h');
		topo_svg_add_px(into, scaled(l, 34));
		base_str_add(into, "\" stroke=\"#8b97a3\" stroke-width=\"1.6\" "
				   "stroke-dasharray=\"5 4\"/>\n");
		open_text(l, x + scaled(l, 42), 55, 12, "fill=\"#33424f\"", into);
		add_count(into, n_dead, "link down", "links down");
		base_str_add(into, "</text>\n");
	}
}

void topo_write_svg(const struct topo_graph *g, const struct topo_svg_options *options,
		    struct base_str *into)
{
	const struct topo_svg_options plain = { 0 };
	struct svg_layout l;
	int r;

	if (!options)
		options = &plain;
	r = topo_svg_layout_init(&l, g, options->title != NULL);
	if (r == 0) {
		open_document(&l, options->embed, into);
		draw_title(&l, options->title, into);
		draw_legend(&l, options, into);
		r = topo_svg_draw(&l, options, into);
		base_str_add(into, "</svg>\n");
	}
	topo_svg_layout_fini(&l);
	if (r < 0 && into->error == 0)
		into->error = r;
}
