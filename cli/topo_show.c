/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fairlead topo show, and the description of a fabric that other verbs print as well.
 */
#include "commands.h"
#include "topo.h"
#include <base/mem.h>
#include <base/num.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOW_BPS 1000000u

/* What one tier of one plane has. */
struct level {
	uint32_t switches, links_down;
	uint64_t lower_bps, upper_bps; /* live links to below and to above */
};

/* What one pod has. */
struct pod {
	uint32_t hosts, nics, switches;
};

/* Links that look the same: between which tiers (0: NICs), and how fast. */
struct link_class {
	uint64_t rate_bps;
	uint32_t plane;
	uint8_t lower, upper; /* tiers */
	uint32_t links, down;
};

static const char *tier_text(uint32_t tier, char buf[24])
{
	static const char *const names[] = { "NIC", "leaf", "spine", "core" };

	if (tier < BASE_COUNT(names))
		return names[tier];
	snprintf(buf, 24, "tier %" PRIu32, tier);
	return buf;
}

static uint32_t plane_of(const struct topo_node *node)
{
	return node->plane == TOPO_NONE ? 0 : node->plane;
}

/* levels[tier * n_planes + plane]; tier 0 stays empty. */
static void count_levels(const struct topo_graph *g, struct level *levels)
{
	const struct topo_node *nodes = topo_graph_nodes(g);
	const struct topo_link *links = topo_graph_links(g);
	uint32_t n_planes = topo_graph_n_planes(g);

	for (uint32_t i = 0; i < topo_graph_n_nodes(g); i++)
		if (nodes[i].kind == TOPO_SWITCH)
			levels[nodes[i].tier * n_planes + plane_of(&nodes[i])].switches++;
	for (uint32_t i = 0; i < topo_graph_n_links(g); i++) {
		const struct topo_link *l = &links[i];
		const struct topo_node *ends[] = { &nodes[l->a], &nodes[l->b] };

		for (unsigned e = 0; e < 2; e++) {
			const struct topo_node *here = ends[e], *there = ends[1 - e];
			struct level *level =
				&levels[here->tier * n_planes + plane_of(here)];

			if (here->kind != TOPO_SWITCH)
				continue;
			if (l->state == TOPO_DOWN)
				level->links_down++;
			else if (there->tier < here->tier)
				level->lower_bps =
					base_num_add(level->lower_bps, l->rate_bps);
			else if (there->tier > here->tier)
				level->upper_bps =
					base_num_add(level->upper_bps, l->rate_bps);
		}
	}
}

/* The highest tier has nothing above it. */
static void show_upper(const struct level *l, struct base_out *o)
{
	if (l->upper_bps == 0) {
		base_out_null(o, "upper_rate_bps", "rate up");
		base_out_null(o, "oversubscription_ppm", "oversubscription");
		return;
	}
	base_out_number(o, "upper_rate_bps", "rate up", l->upper_bps, BASE_OUT_BPS);
	base_out_number(o, "oversubscription_ppm", "oversubscription",
			base_num_mul_div(l->lower_bps, 1000000, l->upper_bps),
			BASE_OUT_RATIO_PPM);
}

static void show_levels(const struct topo_graph *g, const struct level *levels,
			struct base_out *o)
{
	uint32_t n_planes = topo_graph_n_planes(g), n_tiers = topo_graph_n_tiers(g);
	char buf[24];

	base_out_table_begin(o, "switches_by_tier", "switches by tier");
	for (uint32_t i = 0; i < (n_tiers + 1) * n_planes; i++) {
		const struct level *l = &levels[i];

		if (l->switches == 0)
			continue;
		base_out_object_begin(o, NULL, NULL);
		base_out_string(o, "name", "tier", tier_text(i / n_planes, buf));
		base_out_number(o, "tier", NULL, i / n_planes, BASE_OUT_ID);
		base_out_number(o, "plane", n_planes > 1 ? "plane" : NULL, i % n_planes,
				BASE_OUT_ID);
		base_out_number(o, "switches", "switches", l->switches, BASE_OUT_COUNT);
		base_out_number(o, "lower_rate_bps", "rate down", l->lower_bps,
				BASE_OUT_BPS);
		show_upper(l, o);
		base_out_number(o, "links_down", "dead links", l->links_down,
				BASE_OUT_COUNT);
		base_out_object_end(o);
	}
	base_out_table_end(o);
}

static int compare_classes(const void *a, const void *b)
{
	const struct link_class *x = a, *y = b;

	if (x->upper != y->upper)
		return x->upper < y->upper ? -1 : 1;
	if (x->lower != y->lower)
		return x->lower < y->lower ? -1 : 1;
	if (x->plane != y->plane)
		return x->plane < y->plane ? -1 : 1;
	return (x->rate_bps > y->rate_bps) - (x->rate_bps < y->rate_bps);
}

/* Sorts one entry for each link and folds equal ones; returns how many are left. */
static size_t fold_classes(struct link_class *classes, size_t n)
{
	size_t n_out = 0;

	qsort(classes, n, sizeof(*classes), compare_classes);
	for (size_t i = 0; i < n; i++) {
		if (n_out > 0 && compare_classes(&classes[n_out - 1], &classes[i]) == 0) {
			classes[n_out - 1].links++;
			classes[n_out - 1].down += classes[i].down;
		} else {
			classes[n_out++] = classes[i];
		}
	}
	return n_out;
}

static int show_links(const struct topo_graph *g, struct base_out *o)
{
	const struct topo_node *nodes = topo_graph_nodes(g);
	const struct topo_link *links = topo_graph_links(g);
	uint32_t n_links = topo_graph_n_links(g);
	struct link_class *classes = base_array_new(n_links, sizeof(*classes));
	char buf[24], text[64];
	size_t n;

	if (!classes)
		return -ENOMEM;
	for (uint32_t i = 0; i < n_links; i++) {
		uint8_t a = nodes[links[i].a].tier, b = nodes[links[i].b].tier;

		classes[i] = (struct link_class){
			.rate_bps = links[i].rate_bps,
			.plane = topo_graph_link_plane(g, i),
			.lower = a < b ? a : b,
			.upper = a < b ? b : a,
			.links = 1,
			.down = links[i].state == TOPO_DOWN,
		};
	}
	n = fold_classes(classes, n_links);
	base_out_table_begin(o, "links_by_kind", "links");
	for (size_t i = 0; i < n; i++) {
		const struct link_class *c = &classes[i];

		snprintf(text, sizeof(text), "%s - ", tier_text(c->lower, buf));
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s",
			 tier_text(c->upper, buf));
		base_out_object_begin(o, NULL, NULL);
		base_out_string(o, "between", "between", text);
		base_out_number(o, "plane", topo_graph_n_planes(g) > 1 ? "plane" : NULL,
				c->plane, BASE_OUT_ID);
		base_out_number(o, "rate_bps", "rate", c->rate_bps, BASE_OUT_BPS);
		base_out_number(o, "links", "links", c->links, BASE_OUT_COUNT);
		base_out_number(o, "down", "dead", c->down, BASE_OUT_COUNT);
		base_out_object_end(o);
	}
	base_out_table_end(o);
	free(classes);
	return 0;
}

/* One more than the largest pod number. */
static uint32_t count_pods(const struct topo_graph *g)
{
	const struct topo_node *nodes = topo_graph_nodes(g);
	uint32_t n = 0;

	for (uint32_t i = 0; i < topo_graph_n_nodes(g); i++)
		if (nodes[i].pod != TOPO_NONE && nodes[i].pod >= n)
			n = nodes[i].pod + 1;
	return n;
}

static void fill_pods(const struct topo_graph *g, struct pod *pods)
{
	const struct topo_node *nodes = topo_graph_nodes(g);
	uint32_t n_nics;

	for (uint32_t i = 0; i < topo_graph_n_nodes(g); i++) {
		if (nodes[i].pod == TOPO_NONE)
			continue;
		if (nodes[i].kind == TOPO_SWITCH)
			pods[nodes[i].pod].switches++;
		if (nodes[i].kind == TOPO_HOST) {
			topo_graph_children(g, i, &n_nics);
			pods[nodes[i].pod].hosts++;
			pods[nodes[i].pod].nics += n_nics;
		}
	}
}

/* Neighbouring pods that are alike share a row. */
static int show_pods(const struct topo_graph *g, struct base_out *o)
{
	uint32_t n = count_pods(g);
	struct pod *pods = base_array_new(n, sizeof(*pods));
	char text[32];

	if (!pods)
		return -ENOMEM;
	fill_pods(g, pods);
	base_out_table_begin(o, "pods", n > 0 ? "pods" : NULL);
	for (uint32_t first = 0, last; first < n; first = last + 1) {
		for (last = first; last + 1 < n && memcmp(&pods[first], &pods[last + 1],
							  sizeof(*pods)) == 0;)
			last++;
		if (first == last)
			snprintf(text, sizeof(text), "%" PRIu32, first);
		else
			snprintf(text, sizeof(text), "%" PRIu32 " to %" PRIu32, first,
				 last);
		base_out_object_begin(o, NULL, NULL);
		base_out_string(o, "numbers", "pod", text);
		base_out_number(o, "first_pod", NULL, first, BASE_OUT_ID);
		base_out_number(o, "last_pod", NULL, last, BASE_OUT_ID);
		base_out_number(o, "hosts", last > first ? "hosts of each" : "hosts",
				pods[first].hosts, BASE_OUT_COUNT);
		base_out_number(o, "nics", last > first ? "NICs of each" : "NICs",
				pods[first].nics, BASE_OUT_COUNT);
		base_out_number(o, "switches",
				last > first ? "switches of each" : "switches",
				pods[first].switches, BASE_OUT_COUNT);
		base_out_object_end(o);
	}
	base_out_table_end(o);
	free(pods);
	return 0;
}

static uint32_t count_rails(const struct topo_graph *g)
{
	const struct topo_node *nodes = topo_graph_nodes(g);
	uint32_t n = 0;

	for (uint32_t i = 0; i < topo_graph_n_nodes(g); i++)
		if (nodes[i].rail != TOPO_NONE && nodes[i].rail >= n)
			n = nodes[i].rail + 1;
	return n;
}

static uint32_t count_down(const struct topo_graph *g)
{
	const struct topo_link *links = topo_graph_links(g);
	uint32_t n = 0;

	for (uint32_t i = 0; i < topo_graph_n_links(g); i++)
		n += links[i].state == TOPO_DOWN;
	return n;
}

static void show_counts(const struct topo_graph *g, const char *file, struct base_out *o)
{
	uint32_t n_groups = topo_graph_count(g, TOPO_GROUP), n_rails = count_rails(g);
	char fingerprint[17];

	snprintf(fingerprint, sizeof(fingerprint), "%016" PRIx64,
		 topo_graph_fingerprint(g));
	base_out_string(o, "file", "fabric", file);
	base_out_number(o, "groups", n_groups > 0 ? "separate fabrics" : NULL, n_groups,
			BASE_OUT_COUNT);
	base_out_number(o, "hosts", "hosts", topo_graph_count(g, TOPO_HOST),
			BASE_OUT_COUNT);
	base_out_number(o, "nics", "NICs", topo_graph_count(g, TOPO_NIC), BASE_OUT_COUNT);
	base_out_number(o, "switches", "switches", topo_graph_count(g, TOPO_SWITCH),
			BASE_OUT_COUNT);
	base_out_number(o, "links", "links", topo_graph_n_links(g), BASE_OUT_COUNT);
	base_out_number(o, "links_down", "dead links", count_down(g), BASE_OUT_COUNT);
	base_out_number(o, "tiers", "tiers", topo_graph_n_tiers(g), BASE_OUT_COUNT);
	base_out_number(o, "planes", "planes", topo_graph_n_planes(g), BASE_OUT_COUNT);
	base_out_number(o, "rails", n_rails > 0 ? "rails" : NULL, n_rails,
			BASE_OUT_COUNT);
	base_out_string(o, "fingerprint", "fingerprint", fingerprint);
}

static void tell_odd(uint32_t n, const char *what, const char *such_as,
		     struct base_out *o)
{
	if (n == 0)
		return;
	base_out_colour(o, BASE_OUT_WARN);
	base_out_text(o, "%s: %" PRIu32 ", such as %s", what, n, such_as);
}

/* NICs without a link, and leaves without one up: nothing leads there. */
static int show_cut_off(const struct topo_graph *g, struct base_out *o)
{
	const struct topo_node *nodes = topo_graph_nodes(g);
	const struct topo_link *links = topo_graph_links(g);
	uint32_t n_nodes = topo_graph_n_nodes(g), n_nics = 0, n_leaves = 0;
	uint8_t *highest =
		base_array_new(n_nodes, sizeof(*highest)); /* tier next to it */
	struct base_str nic, leaf;

	if (!highest)
		return -ENOMEM;
	for (uint32_t i = 0; i < topo_graph_n_links(g); i++) {
		const uint32_t ends[] = { links[i].a, links[i].b };

		for (unsigned e = 0; e < 2; e++)
			if (nodes[ends[1 - e]].tier > highest[ends[e]])
				highest[ends[e]] = nodes[ends[1 - e]].tier;
	}
	base_str_init(&nic, 0);
	base_str_init(&leaf, 0);
	for (uint32_t i = 0; i < n_nodes; i++) {
		if (nodes[i].kind == TOPO_NIC && highest[i] == 0 && n_nics++ == 0)
			topo_name_node(g, i, &nic);
		if (nodes[i].kind == TOPO_SWITCH && nodes[i].tier == 1 &&
		    highest[i] <= 1 && topo_graph_n_tiers(g) > 1 && n_leaves++ == 0)
			topo_name_node(g, i, &leaf);
	}
	base_out_number(o, "nics_without_link", NULL, n_nics, BASE_OUT_COUNT);
	base_out_number(o, "leaves_without_uplink", NULL, n_leaves, BASE_OUT_COUNT);
	tell_odd(n_nics, "NICs without a link", base_str_text(&nic), o);
	tell_odd(n_leaves, "leaves without an uplink", base_str_text(&leaf), o);
	base_str_fini(&nic);
	base_str_fini(&leaf);
	free(highest);
	return 0;
}

/* Rates that nobody builds: most likely not in bits per second. */
static void show_slow(const struct topo_graph *g, struct base_out *o)
{
	const struct topo_link *links = topo_graph_links(g);
	struct base_str first;
	uint32_t n = 0;

	base_str_init(&first, 0);
	for (uint32_t i = 0; i < topo_graph_n_links(g); i++)
		if (links[i].rate_bps < SLOW_BPS && n++ == 0) {
			topo_name_link(g, i, &first);
			base_str_addf(&first, " with %" PRIu64 " bit/s",
				      links[i].rate_bps);
		}
	base_out_number(o, "links_below_1_mbps", NULL, n, BASE_OUT_COUNT);
	tell_odd(n, "links under 1 Mbit/s", base_str_text(&first), o);
	base_str_fini(&first);
}

int cli_topo_describe(struct cli *cli, const struct topo_graph *g, const char *file,
		      struct base_out *o)
{
	size_t n_levels = ((size_t)topo_graph_n_tiers(g) + 1) * topo_graph_n_planes(g);
	struct level *levels = base_array_new(n_levels, sizeof(*levels));
	int r;

	if (!levels)
		return cli_no_memory(cli);
	count_levels(g, levels);
	base_out_object_begin(o, NULL, NULL);
	base_out_string(o, "schema", NULL, "fairlead.topo-show.v1");
	show_counts(g, file, o);
	show_levels(g, levels, o);
	r = show_links(g, o);
	if (r == 0)
		r = show_pods(g, o);
	if (r == 0)
		r = show_cut_off(g, o);
	if (r == 0)
		show_slow(g, o);
	cli_topo_show_assumptions(g, o);
	base_out_object_end(o);
	free(levels);
	return r < 0 ? cli_no_memory(cli) : 0;
}

int cli_topo_print(struct cli *cli, const struct topo_graph *g, const char *file)
{
	struct base_str text;
	struct base_out *o = cli_out_new(cli, &text);

	if (!o)
		return -ENOMEM;
	return cli_out_end(cli, o, &text, cli_topo_describe(cli, g, file, o));
}

int cli_topo_show(const struct base_opt_values *v, void *context)
{
	struct cli *cli = context;
	struct cli_fabric f;
	int r = cli_fabric_open(cli, base_opt_arg(v, 0), &f);

	if (r < 0)
		return r;
	r = cli_topo_print(cli, f.graph, f.file);
	cli_fabric_fini(&f);
	return r;
}
