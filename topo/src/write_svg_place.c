/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sizes and places: columns from left to right, tiers from top to bottom, hosts below.
 */
#include "write_svg_private.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <base/mem.h>

#define PX(n) ((int32_t)(n)*SVG_PX)

#define SWITCH_W_MAX PX(84)
#define SWITCH_PITCH_MIN PX(8) /* above the leaves; more of them go to a second line */
#define SWITCH_H PX(26)
#define CELL_H PX(14) /* of a switch without name */
#define LINE_GAP PX(4)
#define HOST_H PX(30) /* with a name */
#define HOST_LINES_NAMED 3u
#define MANY_HOSTS 2000u

static int32_t min_i32(int32_t a, int32_t b)
{
	return a < b ? a : b;
}

static int32_t max_i32(int32_t a, int32_t b)
{
	return a > b ? a : b;
}

static uint32_t max_u32(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static int32_t clamp_i32(int32_t n, int32_t low, int32_t high)
{
	return max_i32(low, min_i32(n, high));
}

static uint32_t divide_up(uint32_t a, uint32_t b)
{
	return (a + b - 1) / b;
}

/* @length scaled by the drawing's scale. */
static int32_t scaled(const struct svg_layout *l, int32_t length)
{
	return length / 10 * l->scale;
}

/* part * length / whole; parts of a row so have no gaps between them. */
static int32_t share(int32_t length, uint64_t part, uint64_t whole)
{
	return (int32_t)((uint64_t)length * part / whole);
}

/* What a text of @n characters needs, rather too much than too little. */
static int32_t text_width(uint32_t n, int32_t font)
{
	return (int32_t)(n < 200 ? n : 200) * font * 62 / 100;
}

/* --- names ------------------------------------------------------------------------- */

static uint32_t count_digits(const char *name, size_t len)
{
	uint32_t n = 0;

	while (n < len && name[len - n - 1] >= '0' && name[len - n - 1] <= '9')
		n++;
	return n;
}

static void note_name(struct svg_row *row, const char *name)
{
	size_t len = strlen(name);
	uint32_t digits = count_digits(name, len), stem = 0;

	if (!row->name) {
		row->name = name;
		row->stem = (uint32_t)len;
		row->digits = UINT32_MAX;
	}
	while (stem < row->stem && name[stem] == row->name[stem])
		stem++;
	row->stem = stem;
	row->longest = max_u32(row->longest, (uint32_t)len);
	/* Numbers alone tell nodes apart only when the rest is the same everywhere. */
	if (digits == 0)
		row->digits = 0;
	else if (row->digits)
		row->digits =
			row->digits == UINT32_MAX ? digits : max_u32(row->digits, digits);
}

static void measure_names(struct svg_layout *l)
{
	uint32_t n = topo_graph_n_nodes(l->g);

	for (uint32_t i = 0; i < n; i++) {
		const struct topo_node *node = &l->nodes[i];

		if (node->kind == TOPO_SWITCH || node->kind == TOPO_HOST)
			note_name(&l->rows[node->kind == TOPO_HOST ? 0 : node->tier],
				  topo_graph_text(l->g, node->name));
	}
	for (uint32_t i = 0; i <= l->n_tiers; i++) {
		struct svg_row *row = &l->rows[i];
		uint32_t end = row->stem;

		/* The stem must not reach into the numbers: "leaf1" of leaf10 and leaf11.
		 */
		while (end > 0 && row->name[end - 1] >= '0' && row->name[end - 1] <= '9')
			end--;
		row->stem = end;
		if (end + row->digits < row->longest)
			row->digits = 0;
	}
}

/* The largest font that lets @n characters into @room; 0: none that one can read. */
static int32_t font_for(uint32_t n, int32_t room)
{
	static const int32_t fonts[] = { PX(12), PX(11), PX(10), PX(9), PX(8) };

	for (size_t i = 0; i < BASE_COUNT(fonts); i++) {
		if (text_width(n, fonts[i]) + PX(4) <= room)
			return fonts[i];
	}
	return 0;
}

static void choose_label(struct svg_row *row)
{
	row->item_h = SWITCH_H;
	row->font = font_for(row->longest, row->item_w);
	if (row->font) {
		row->label = SVG_LABEL_FULL;
		return;
	}
	row->font = row->digits ? font_for(row->digits, row->item_w) : 0;
	if (row->font) {
		row->label = SVG_LABEL_NUMBER;
		return;
	}
	row->font = PX(9);
	if (row->n_lines == 1 && row->item_w >= PX(11) && row->longest <= 16) {
		row->label = SVG_LABEL_UPRIGHT;
		row->item_h = text_width(row->longest, row->font) + PX(10);
		return;
	}
	row->label = SVG_LABEL_NONE;
	row->item_h = CELL_H;
}

/* --- columns ----------------------------------------------------------------------- */

static uint32_t count_slots(struct svg_layout *l)
{
	uint32_t total = 0;

	for (size_t i = 0; i < l->n_groups; i++) {
		const struct svg_group *g = &l->groups[i];
		uint32_t n = g->n, j = (uint32_t)i;

		if (g->column == TOPO_NONE)
			continue;
		/* The planes of a row stand side by side. */
		while (j > 0 && l->groups[j - 1].tier == g->tier &&
		       l->groups[j - 1].column == g->column)
			n += l->groups[--j].n;
		if (g->tier > 1 && n > 64)
			n = 64;
		l->columns[g->column].n_slots = max_u32(l->columns[g->column].n_slots, n);
	}
	for (size_t i = 0; i < l->n_columns; i++) {
		l->columns[i].n_slots = max_u32(l->columns[i].n_slots, 1);
		total += l->columns[i].n_slots;
	}
	return total;
}

static void place_columns(struct svg_layout *l)
{
	uint32_t total = count_slots(l), before = 0;
	int32_t n = (int32_t)(total < 100000 ? total : 100000);
	int32_t gap = l->n_columns > 2000 ? 0
		      : l->n_columns > 16 ? PX(10)
					  : PX(24),
		usable;

	l->content_w = clamp_i32(PX(76) * n, PX(960), PX(1520));
	l->content_w = max_i32(l->content_w, min_i32(PX(10) * n, PX(2560)));
	l->content_w = max_i32(l->content_w, PX(4) * n);
	l->content_w += gap * ((int32_t)l->n_columns - 1);
	l->scale = max_i32(10, l->content_w / PX(160));
	l->left = scaled(l, PX(96));
	usable = l->content_w - gap * ((int32_t)l->n_columns - 1);
	for (size_t i = 0; i < l->n_columns; i++) {
		struct svg_column *c = &l->columns[i];
		int32_t x0 = share(usable, before, total);

		before += c->n_slots;
		c->box.x = l->left + x0 + gap * (int32_t)i;
		c->box.w = share(usable, before, total) - x0;
	}
	l->width = l->left + l->content_w + scaled(l, PX(32));
}

/* --- switches ---------------------------------------------------------------------- */

/* Gives each group its part of its column's width, or of the whole. */
static void divide_widths(struct svg_layout *l)
{
	for (size_t i = 0; i < l->n_groups;) {
		uint32_t column = l->groups[i].column;
		int32_t x = l->left, w = l->content_w, gap = 0;
		size_t end = i;

		while (end < l->n_groups && l->groups[end].tier == l->groups[i].tier &&
		       l->groups[end].column == column)
			end++;
		if (column != TOPO_NONE) {
			x = l->columns[column].box.x;
			w = l->columns[column].box.w;
		}
		if (end - i > 1)
			gap = min_i32(PX(28), w / (int32_t)(4 * (end - i)));
		for (size_t j = i; j < end; j++) {
			int32_t from = share(w + gap, j - i, end - i);

			l->groups[j].box.x = x + from;
			l->groups[j].box.w =
				share(w + gap, j - i + 1, end - i) - from - gap;
		}
		i = end;
	}
}

/* Lines and the narrowest box of the tier. */
static void measure_tier(struct svg_layout *l, uint32_t tier)
{
	struct svg_row *row = &l->rows[tier];
	int32_t pitch = INT32_MAX;

	row->n_lines = 1;
	for (size_t i = 0; i < l->n_groups; i++) {
		const struct svg_group *g = &l->groups[i];
		int32_t room = max_i32(1, g->box.w / SWITCH_PITCH_MIN);

		if (g->tier == tier && tier > 1)
			row->n_lines =
				max_u32(row->n_lines, divide_up(g->n, (uint32_t)room));
	}
	for (size_t i = 0; i < l->n_groups; i++) {
		const struct svg_group *g = &l->groups[i];

		if (g->tier == tier)
			pitch = min_i32(
				pitch, share(g->box.w, 1, divide_up(g->n, row->n_lines)));
	}
	row->item_w = min_i32(pitch - clamp_i32(pitch / 6, PX(1), PX(14)), SWITCH_W_MAX);
	row->item_w = max_i32(row->item_w, PX(2));
	choose_label(row);
	if (row->label == SVG_LABEL_FULL || row->label == SVG_LABEL_NONE)
		row->item_w = min_i32(
			row->item_w,
			max_i32(text_width(row->longest, row->font) + PX(24), PX(28)));
	row->h = (int32_t)row->n_lines * (row->item_h + LINE_GAP) - LINE_GAP;
}

static void place_group(struct svg_layout *l, struct svg_group *g)
{
	const struct svg_row *row = &l->rows[g->tier];
	uint32_t per_line = divide_up(g->n, row->n_lines);

	g->box.y = row->y;
	g->box.h = row->h;
	for (uint32_t i = 0; i < g->n; i++) {
		uint32_t at = i % per_line, line = i / per_line;
		int32_t middle = g->box.x + share(g->box.w, 2 * (uint64_t)at + 1,
						  2 * (uint64_t)per_line);

		l->boxes[l->switches[g->first + i].node] = (struct svg_box){
			.x = middle - row->item_w / 2,
			.y = row->y + (int32_t)line * (row->item_h + LINE_GAP),
			.w = row->item_w,
			.h = row->item_h,
		};
	}
}

static int32_t place_tiers(struct svg_layout *l, int32_t y)
{
	int32_t gap = clamp_i32(l->content_w / 10, PX(96), PX(200));

	for (uint32_t tier = l->n_tiers; tier > 0; tier--) {
		if (l->rows[tier].n == 0)
			continue;
		measure_tier(l, tier);
		l->rows[tier].y = y;
		y += l->rows[tier].h + gap;
	}
	for (size_t i = 0; i < l->n_groups; i++)
		place_group(l, &l->groups[i]);
	return y - gap;
}

/* --- hosts ------------------------------------------------------------------------- */

static uint32_t most_nics(const struct svg_layout *l)
{
	uint32_t n = topo_graph_n_nodes(l->g), most = 0, n_nics;

	for (uint32_t i = 0; i < n; i++) {
		if (l->nodes[i].kind != TOPO_HOST)
			continue;
		topo_graph_children(l->g, i, &n_nics);
		most = max_u32(most, n_nics);
	}
	return most;
}

/* Blocks share their column's width by their leaves, so that hosts stand below theirs. */
static int divide_blocks(struct svg_layout *l)
{
	uint64_t *totals = base_array_new(2 * l->n_columns, sizeof(*totals));
	uint64_t *before = totals ? totals + l->n_columns : NULL;

	if (!totals)
		return -ENOMEM;
	for (size_t i = 0; i < l->n_groups; i++) {
		const struct svg_group *g = &l->groups[i];

		if (g->tier == 1 && g->column != TOPO_NONE)
			totals[g->column] += g->n;
	}
	for (size_t i = 0; i < l->n_blocks; i++) {
		struct svg_block *b = &l->blocks[i];
		const struct svg_column *c = &l->columns[b->column];
		uint64_t whole = totals[b->column] ? totals[b->column] : 1, from, to;

		from = before[b->column];
		to = from + b->n_leaves;
		before[b->column] = to;
		/* Leaves of another column make a block wider than its own: keep it
		 * inside. */
		from = from < whole ? from : whole - 1;
		to = to <= whole ? to : whole;
		b->box.x = c->box.x + share(c->box.w, from, whole);
		b->box.w = c->box.x + share(c->box.w, to, whole) - b->box.x;
		b->box.w -= min_i32(b->box.w / 8, PX(14));
		b->box.x += min_i32(b->box.w / 14, PX(7));
	}
	free(totals);
	return 0;
}

static uint32_t lines_needed(const struct svg_layout *l, int32_t host_w)
{
	uint32_t lines = 1;

	for (size_t i = 0; i < l->n_blocks; i++) {
		int32_t room = max_i32(1, l->blocks[i].box.w / host_w);

		lines = max_u32(lines, divide_up(l->blocks[i].n_hosts, (uint32_t)room));
	}
	return lines;
}

static void choose_host_size(struct svg_layout *l, uint32_t n_nics)
{
	struct svg_row *row = &l->rows[0];
	int32_t nics = (int32_t)(n_nics < 64 ? n_nics : 64);
	int32_t named =
		max_i32(text_width(row->longest, PX(9)) + PX(6), PX(5) * nics + PX(6));
	int32_t bare = row->n > MANY_HOSTS ? PX(4) : PX(7);

	row->n_lines = lines_needed(l, named);
	row->label = SVG_LABEL_FULL;
	row->font = PX(9);
	row->item_h = HOST_H;
	row->item_w = max_i32(named + PX(16), PX(11) * nics);
	if (row->n_lines <= HOST_LINES_NAMED)
		return;
	if (nics > 1)
		bare = max_i32(bare, min_i32(PX(3) * nics + PX(2), PX(40)));
	row->n_lines = lines_needed(l, bare);
	row->label = SVG_LABEL_NONE;
	row->item_w = PX(11) * max_i32(nics, 1);
	row->item_h = row->n > MANY_HOSTS ? PX(5) : PX(9);
	if (row->n_lines > 2)
		l->nic_links =
			false; /* they would run through the boxes of other hosts */
}

/* NICs side by side in the upper part of their host. */
static void place_nics(struct svg_layout *l, uint32_t host)
{
	bool named = l->rows[0].label == SVG_LABEL_FULL;
	struct svg_box box = l->boxes[host];
	int32_t pad = named ? PX(3) : 0, room = box.w - 2 * pad, pitch, w;
	uint32_t n;
	const uint32_t *nics = topo_graph_children(l->g, host, &n);

	if (n == 0)
		return;
	pitch = share(room, 1, n);
	w = n == 1 && named ? min_i32(pitch, PX(18))
			    : pitch - clamp_i32(pitch / 5, 0, PX(2));
	if (w < PX(1))
		return;
	for (uint32_t i = 0; i < n; i++) {
		int32_t middle =
			box.x + pad + share(room, 2 * (uint64_t)i + 1, 2 * (uint64_t)n);

		l->boxes[nics[i]] = (struct svg_box){ middle - w / 2, box.y + pad, w,
						      named ? PX(8) : box.h };
	}
}

/* @at: how many hosts of each block are placed already. */
static void place_host(struct svg_layout *l, uint32_t host, uint32_t *at)
{
	const struct svg_row *row = &l->rows[0];
	uint32_t block = l->block_of[host], per_line, i;
	const struct svg_block *b;
	int32_t pitch, w;

	if (block == TOPO_NONE)
		return;
	b = &l->blocks[block];
	per_line = divide_up(b->n_hosts, row->n_lines);
	pitch = share(b->box.w, 1, per_line);
	w = clamp_i32(pitch - clamp_i32(pitch / 8, PX(1), PX(6)), PX(1), row->item_w);
	i = at[block]++;
	l->boxes[host] = (struct svg_box){
		.x = b->box.x +
		     share(b->box.w, 2 * (uint64_t)(i % per_line) + 1,
			   2 * (uint64_t)per_line) -
		     w / 2,
		.y = row->y + (int32_t)(i / per_line) * (row->item_h + LINE_GAP / 2),
		.w = w,
		.h = row->item_h,
	};
	place_nics(l, host);
}

static int place_hosts(struct svg_layout *l, int32_t y)
{
	struct svg_row *row = &l->rows[0];
	uint32_t *at = base_array_new(l->n_blocks, sizeof(*at));
	int r = at ? divide_blocks(l) : -ENOMEM;

	if (r < 0) {
		free(at);
		return r;
	}
	choose_host_size(l, most_nics(l));
	row->y = y +
		 (l->nic_links ? clamp_i32(l->content_w / 12, PX(84), PX(160)) : PX(44));
	row->h = (int32_t)row->n_lines * (row->item_h + LINE_GAP / 2);
	for (uint32_t i = 0; i < topo_graph_n_nodes(l->g); i++) {
		if (l->nodes[i].kind == TOPO_HOST)
			place_host(l, i, at);
	}
	for (size_t i = 0; i < l->n_blocks; i++) {
		l->blocks[i].box.y = row->y;
		l->blocks[i].box.h = row->h;
	}
	free(at);
	return 0;
}

/* From the highest row that has switches of the column down to the hosts. */
static void frame_columns(struct svg_layout *l)
{
	int32_t bottom = l->rows[0].y + l->rows[0].h;

	for (size_t i = 0; i < l->n_columns; i++) {
		l->columns[i].box.y = l->rows[0].y;
		l->columns[i].box.h = l->rows[0].h;
	}
	for (size_t i = 0; i < l->n_groups; i++) {
		const struct svg_group *g = &l->groups[i];
		struct svg_box *box;

		if (g->column == TOPO_NONE)
			continue;
		box = &l->columns[g->column].box;
		box->y = min_i32(box->y, g->box.y);
		box->h = bottom - box->y;
	}
}

int topo_svg_place(struct svg_layout *l, bool has_title)
{
	int32_t y;
	int r;

	measure_names(l);
	place_columns(l);
	divide_widths(l);
	y = place_tiers(l, scaled(l, has_title ? PX(140) : PX(110)));
	r = place_hosts(l, y);
	if (r < 0)
		return r;
	frame_columns(l);
	l->height = l->rows[0].y + l->rows[0].h +
		    scaled(l, l->n_columns > 1 ? PX(64) : PX(44));
	return 0;
}
