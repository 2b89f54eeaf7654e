/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <base/mem.h>
#include <gen/gen_fabric.h>
#include <topo/generate.h>
#include <topo/write.h>

#define GBIT UINT64_C(1000000000)
#define DEPTH_MAX 16
#define BOXES_MAX 1000

/* --- reading what was drawn
 * -------------------------------------------------------------- */

/*
 * Loops of our own where the text is long: under a sanitizer strstr() and strcspn() walk
 * to its end at each call.
 */
static size_t length_until(const char *p, char a, char b)
{
	size_t n = 0;

	while (p[n] && p[n] != a && p[n] != b)
		n++;
	return n;
}

static size_t count(const char *text, const char *what)
{
	size_t n = 0, len = strlen(what);

	for (const char *p = text; *p; p++)
		n += *p == *what && strncmp(p, what, len) == 0;
	return n;
}

/* Skips to the end of a tag; its attributes must be quoted.  Returns the '>'. */
static const char *check_tag(const char *p)
{
	for (; *p && *p != '>'; p++) {
		if (*p != '"')
			continue;
		p += 1 + length_until(p + 1, '"', '<');
		assert_int_equal(*p, '"');
	}
	assert_int_equal(*p, '>');
	return p;
}

/* Balanced elements, quoted attributes, and no bare '&' or '<': what XML asks for here.
 */
static void check_well_formed(const char *text)
{
	const char *open[DEPTH_MAX];
	size_t lengths[DEPTH_MAX], depth = 0;

	for (const char *p = text; *p; p++) {
		const char *end;

		if (*p == '&')
			assert_true(strncmp(p, "&amp;", 5) == 0 ||
				    strncmp(p, "&lt;", 4) == 0 ||
				    strncmp(p, "&gt;", 4) == 0 ||
				    strncmp(p, "&quot;", 6) == 0);
		if (*p != '<')
			continue;
		end = check_tag(p);
		if (p[1] == '/') {
			assert_true(depth > 0);
			depth--;
			assert_memory_equal(open[depth], p + 2, lengths[depth]);
			assert_int_equal(p[2 + lengths[depth]], '>');
		} else if (p[1] != '?' && end[-1] != '/') {
			assert_true(depth < DEPTH_MAX);
			open[depth] = p + 1;
			lengths[depth++] = length_until(p + 1, ' ', '>');
		}
		p = end;
	}
	assert_int_equal(depth, 0);
}

/* In tenths of a pixel, as they were computed. */
struct box {
	uint32_t x, y, w, h;
};

/* Goes past @before and reads the length behind it. */
static const char *read_length(const char *p, const char *before, uint32_t *ret_tenths)
{
	assert_int_equal(strncmp(p, before, strlen(before)), 0);
	p += strlen(before);
	assert_true(*p >= '0' && *p <= '9');
	for (*ret_tenths = 0; *p >= '0' && *p <= '9'; p++)
		*ret_tenths = *ret_tenths * 10 + (uint32_t)(*p - '0');
	*ret_tenths *= 10;
	if (*p == '.') {
		*ret_tenths += (uint32_t)(p[1] - '0');
		p += 2;
	}
	return p;
}

/* The boxes of switches and hosts. */
static size_t read_boxes(const char *text, struct box *boxes)
{
	size_t n = 0;

	for (const char *p = strstr(text, "<g><rect"); p; p = strstr(p, "<g><rect")) {
		struct box *b = &boxes[n++];

		assert_true(n <= BOXES_MAX);
		p = read_length(p, "<g><rect x=\"", &b->x);
		p = read_length(p, "\" y=\"", &b->y);
		p = read_length(p, "\" width=\"", &b->w);
		p = read_length(p, "\" height=\"", &b->h);
	}
	return n;
}

/* All inside the picture, none over another. */
static void check_boxes(const char *text, size_t want)
{
	static struct box boxes[BOXES_MAX];
	size_t n = read_boxes(text, boxes);
	uint32_t width, height;
	const char *p = read_length(strstr(text, "viewBox"), "viewBox=\"0 0 ", &width);

	read_length(p, " ", &height);
	assert_int_equal(n, want);
	for (size_t i = 0; i < n; i++) {
		const struct box *a = &boxes[i];

		assert_true(a->w > 0 && a->h > 0);
		assert_true(a->x + a->w <= width && a->y + a->h <= height);
		for (size_t j = 0; j < i; j++) {
			const struct box *b = &boxes[j];

			assert_true(a->x + a->w <= b->x || b->x + b->w <= a->x ||
				    a->y + a->h <= b->y || b->y + b->h <= a->y);
		}
	}
}

static char *draw(const struct topo_graph *g, const struct topo_svg_options *options)
{
	struct base_str text;

	base_str_init(&text, 0);
	topo_write_svg(g, options, &text);
	assert_int_equal(base_str_error(&text), 0);
	check_well_formed(base_str_text(&text));
	assert_null(strstr(base_str_text(&text), "<script"));
	assert_null(strstr(base_str_text(&text), "href"));
	assert_null(strstr(base_str_text(&text), "url("));
	return base_str_steal(&text);
}

/* --- tests
 * --------------------------------------------------------------------------------- */

static void test_dual_plane(void **state)
{
	struct topo_dual_plane shape = { .segments = 2,
					 .hosts_per_segment = 8,
					 .nics_per_host = 8,
					 .spines = 8,
					 .port_rate_bps = 200 * GBIT };
	struct topo_svg_options options = { .title = "Two planes & more" };
	struct topo_graph *g;
	char *text, *again;

	(void)state;
	assert_int_equal(topo_generate_dual_plane(&shape, &g, NULL), 0);
	text = draw(g, &options);
	assert_int_equal(strncmp(text, "<?xml ", 6), 0);
	assert_non_null(strstr(text, ">Two planes &amp; more</text>"));
	assert_non_null(strstr(
		text, "16 hosts \u00b7 128 NICs \u00b7 32 leaves \u00b7 16 spines"));
	assert_non_null(strstr(text, ">plane 0</text>"));
	assert_non_null(strstr(text, ">plane 1</text>"));
	assert_non_null(
		strstr(text, "<title>leaf17, tier 1, plane 1, rail 1: 16 links</title>"));
	assert_non_null(strstr(text, "<title>h3.nic5, rail 5: 2 links</title>"));
	assert_non_null(strstr(text, "<title>leaf2-spine5: 200 Gbit/s</title>"));
	assert_int_equal(count(text, "<path"), topo_graph_n_links(g));
	check_boxes(text, 16 + 32 + 16);
	again = draw(g, &options);
	assert_string_equal(text, again);
	free(again);
	free(text);
	topo_graph_free(g);
}

static void test_loads_and_a_dead_link(void **state)
{
	struct topo_clos2 shape = {
		.leaves = 4, .nics_per_leaf = 2, .spines = 2, .nic_rate_bps = 200 * GBIT
	};
	struct topo_svg_options options = { .embed = true };
	struct topo_graph *g;
	uint64_t *loads;
	char *text;

	(void)state;
	assert_int_equal(topo_generate_clos2(&shape, &g, NULL), 0);
	loads = base_array_new(2 * (size_t)topo_graph_n_links(g), sizeof(*loads));
	assert_non_null(loads);
	loads[2 * 8] = 500000; /* leaf0 to spine0, and back */
	loads[2 * 8 + 1] = 2000000;
	topo_graph_set_state(g, 9, TOPO_DOWN);
	options.hop_load_ppm = loads;
	text = draw(g, &options);
	assert_int_equal(strncmp(text, "<svg ", 5), 0);
	assert_non_null(strstr(text,
			       "<title>leaf0-spine0: 200 Gbit/s, load 0.500 to spine0, "
			       "2.000 to leaf0</title>"));
	assert_int_equal(count(text, "<g stroke=\"#d9541e\" stroke-width=\"2\">"), 1);
	assert_int_equal(count(text, "stroke-dasharray"),
			 2); /* the link and the legend */
	assert_non_null(strstr(text, "<title>leaf0-spine1: 200 Gbit/s, down, load"));
	assert_non_null(strstr(text, ">1 link down</text>"));
	assert_non_null(strstr(text,
			       "<title>leaf0, tier 1: 4 links, 1 down, busiest at load "
			       "2.000</title>"));
	check_boxes(text, 4 + 2 + 8);
	free(text);
	free(loads);
	topo_graph_free(g);
}

static void test_pods(void **state)
{
	struct topo_graph *g;
	char *text;

	(void)state;
	assert_int_equal(topo_generate_fat_tree(8, 100 * GBIT, &g, NULL), 0);
	text = draw(g, NULL);
	assert_non_null(strstr(text, ">pod 0</text>"));
	assert_non_null(strstr(text, ">pod 7</text>"));
	assert_int_equal(count(text, "<path"), topo_graph_n_links(g));
	/* Hosts are too narrow for names and are their NIC: no box of their own. */
	check_boxes(text, 32 + 32 + 16);
	free(text);
	topo_graph_free(g);
}

/* 32,768 links between switches: one stroke for each switch instead. */
static void test_bundles(void **state)
{
	struct topo_clos3 shape = { .pods = 8,
				    .leaves = 32,
				    .nics_per_leaf = 64,
				    .spines = 64,
				    .cores_per_spine = 32,
				    .rail = true,
				    .nic_rate_bps = 400 * GBIT };
	struct topo_graph *g;
	char *text;

	(void)state;
	assert_int_equal(topo_generate_clos3(&shape, &g, NULL), 0);
	topo_graph_set_state(g, 16384, TOPO_DOWN);
	text = draw(g, NULL);
	/* Each leaf and spine once, and the legend of the dead link. */
	assert_int_equal(count(text, "<path"), 8 * 32 + 8 * 64 + 1);
	assert_non_null(
		strstr(text, "<title>leaf0: 64 links up, 1 of them dead</title>"));
	assert_int_equal(count(text, "<title>h"), 2048 + 16384);
	free(text);
	topo_graph_free(g);
}

/* Whatever a fabric may look like, the picture is whole. */
static void test_odd_fabrics(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct base_rng rng;
		struct topo_graph *g;

		base_rng_seed(&rng, seed);
		g = gen_fabric_odd(&rng, 1 + (uint32_t)seed % 10);
		free(draw(g, NULL));
		topo_graph_free(g);
	}
}

static void test_no_room(void **state)
{
	struct topo_graph *g;
	struct base_str text;

	(void)state;
	assert_int_equal(topo_generate_fat_tree(4, GBIT, &g, NULL), 0);
	base_str_init(&text, 1000);
	topo_write_svg(g, NULL, &text);
	assert_int_equal(base_str_error(&text), -BASE_E_TOO_LARGE);
	base_str_fini(&text);
	topo_graph_free(g);
}

static unsigned hex(const char *digits)
{
	static const char all[] = "0123456789abcdef";
	const char *high = strchr(all, digits[0]), *low = strchr(all, digits[1]);

	assert_true(digits[0] && digits[1] && high && low);
	return (unsigned)(high - all) * 16 + (unsigned)(low - all);
}

/* How bright the colour of a load looks, 0 to 1000 * 255. */
static unsigned brightness(uint64_t load_ppm)
{
	char colour[8];

	topo_load_colour(load_ppm, colour);
	assert_int_equal(strlen(colour), 7);
	assert_int_equal(colour[0], '#');
	return 299 * hex(colour + 1) + 587 * hex(colour + 3) + 114 * hex(colour + 5);
}

static void test_colours(void **state)
{
	char colour[8];

	(void)state;
	topo_load_colour(0, colour);
	assert_string_equal(colour, "#d3dce5");
	topo_load_colour(1000000, colour);
	assert_string_equal(colour, "#236fb3");
	topo_load_colour(3000000, colour);
	assert_string_equal(colour, "#7f122b");
	topo_load_colour(UINT64_MAX, colour);
	assert_string_equal(colour, "#7f122b");
	/* Both halves darken with the load, so that they can be read without colours too.
	 */
	for (uint64_t ppm = 0; ppm < 1000000; ppm += 50000)
		assert_true(brightness(ppm) > brightness(ppm + 50000));
	for (uint64_t ppm = 1200000; ppm < 3000000; ppm += 50000)
		assert_true(brightness(ppm) > brightness(ppm + 50000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dual_plane),
		cmocka_unit_test(test_loads_and_a_dead_link),
		cmocka_unit_test(test_pods),
		cmocka_unit_test(test_bundles),
		cmocka_unit_test(test_odd_fabrics),
		cmocka_unit_test(test_no_room),
		cmocka_unit_test(test_colours),
	};

	return cmocka_run_group_tests_name("topo_write_svg", tests, NULL, NULL);
}
