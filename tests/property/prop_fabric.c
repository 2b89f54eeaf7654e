/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fabrics, their documents and their names, over random fabrics.
 */
#include <gen/gen_fabric.h>
#include <gen/prop.h>
#include <topo/load.h>
#include <topo/name.h>
#include <topo/write.h>
#include <stdlib.h>
#include <string.h>

static void check_same_text(const struct base_str *a, const struct base_str *b)
{
	prop_check(base_str_error(a) == 0 && base_str_error(b) == 0);
	prop_check(a->len == b->len && memcmp(a->data, b->data, a->len) == 0);
}

static struct topo_graph *load(const struct base_str *text)
{
	struct topo_graph *g = NULL;

	prop_check(topo_load_json("generated", text->data, text->len, &g, NULL) == 0);
	return g;
}

static void check_document(struct base_rng *rng, uint32_t size)
{
	struct topo_graph *g = gen_fabric(rng, size), *again;
	struct base_str text, text_again;

	base_str_init(&text, 0);
	base_str_init(&text_again, 0);
	topo_write_json(g, &text);
	again = load(&text);
	prop_check(topo_graph_fingerprint(again) == topo_graph_fingerprint(g));
	topo_write_json(again, &text_again);
	check_same_text(&text, &text_again);
	base_str_fini(&text);
	base_str_fini(&text_again);
	topo_graph_free(again);
	topo_graph_free(g);
}

static void check_fingerprint(struct base_rng *rng, uint32_t size)
{
	struct topo_graph *g = gen_fabric(rng, size);
	uint64_t before = topo_graph_fingerprint(g);
	uint32_t n = topo_graph_n_links(g), link = n ? base_rng_below(rng, n) : 0;

	if (n > 0) {
		enum topo_state was = topo_graph_links(g)[link].state;

		topo_graph_set_state(g, link, was == TOPO_UP ? TOPO_DOWN : TOPO_UP);
		prop_check(topo_graph_fingerprint(g) != before);
		topo_graph_set_state(g, link, was);
	}
	prop_check(topo_graph_fingerprint(g) == before);
	topo_graph_free(g);
}

/* Each hop is in the list of its node, in order, and nowhere else; children likewise. */
static void check_adjacency(struct base_rng *rng, uint32_t size)
{
	struct topo_graph *g = gen_fabric(rng, size);
	const struct topo_link *links = topo_graph_links(g);
	const struct topo_node *nodes = topo_graph_nodes(g);
	uint64_t n_hops = 0, n_children = 0, n_parents = 0;

	for (uint32_t node = 0; node < topo_graph_n_nodes(g); node++) {
		uint32_t n;
		const uint32_t *hops = topo_graph_hops(g, node, &n), *children;

		for (uint32_t i = 0; i < n; i++) {
			prop_check(topo_hop_from(links, hops[i]) == node);
			prop_check(i == 0 ||
				   topo_hop_link(hops[i - 1]) < topo_hop_link(hops[i]));
		}
		n_hops += n;
		children = topo_graph_children(g, node, &n);
		for (uint32_t i = 0; i < n; i++) {
			prop_check(nodes[children[i]].parent == node);
			prop_check(i == 0 || children[i - 1] < children[i]);
		}
		n_children += n;
		n_parents += nodes[node].parent != TOPO_NONE;
	}
	prop_check(n_hops == 2 * (uint64_t)topo_graph_n_links(g));
	prop_check(n_children == n_parents);
	topo_graph_free(g);
}

/* Numbers among parallel links, counted the slow way. */
static void check_parallels(struct base_rng *rng, uint32_t size)
{
	struct topo_graph *g = gen_fabric(rng, size);
	const struct topo_link *links = topo_graph_links(g);

	for (uint32_t i = 0; i < topo_graph_n_links(g); i++) {
		uint32_t before = 0, all = 0;

		for (uint32_t j = 0; j < topo_graph_n_links(g); j++) {
			bool parallel =
				(links[i].a == links[j].a && links[i].b == links[j].b) ||
				(links[i].a == links[j].b && links[i].b == links[j].a);

			all += parallel;
			before += parallel && j < i;
		}
		prop_check(topo_graph_parallel(g, i) == (all > 1 ? before + 1 : 0));
	}
	topo_graph_free(g);
}

static void check_node_names(struct base_rng *rng, uint32_t size)
{
	struct topo_graph *g = gen_fabric(rng, size);
	struct topo_names *names = NULL;
	struct base_str name;

	base_str_init(&name, 0);
	prop_check(topo_names_new(g, &names) == 0);
	for (uint32_t node = 0; node < topo_graph_n_nodes(g); node++) {
		bool is_nic = topo_graph_nodes(g)[node].kind == TOPO_NIC;
		uint32_t found = TOPO_NONE;

		base_str_clear(&name);
		topo_name_node(g, node, &name);
		prop_check(topo_names_node(names, name.data, name.len, &found, NULL) ==
			   0);
		prop_check(found == node);
		prop_check(!is_nic || (topo_names_nic(names, name.data, name.len, &found,
						      NULL) == 0 &&
				       found == node));
	}
	base_str_fini(&name);
	topo_names_free(names);
	topo_graph_free(g);
}

/* How many links have that name. */
static uint32_t count_links_named(const struct topo_graph *g, const struct base_str *name)
{
	struct base_str other;
	uint32_t n = 0;

	base_str_init(&other, 0);
	for (uint32_t i = 0; i < topo_graph_n_links(g); i++) {
		base_str_clear(&other);
		topo_name_link(g, i, &other);
		n += other.len == name->len &&
		     memcmp(other.data, name->data, name->len) == 0;
	}
	base_str_fini(&other);
	return n;
}

/* A link is found by its name, or there is another of that name and both are refused. */
static void check_link_names(struct base_rng *rng, uint32_t size)
{
	struct topo_graph *g = gen_fabric(rng, size);
	struct topo_names *names = NULL;
	struct base_str name;

	base_str_init(&name, 0);
	prop_check(topo_names_new(g, &names) == 0);
	for (uint32_t link = 0; link < topo_graph_n_links(g); link++) {
		uint32_t found = TOPO_NONE;
		int r;

		base_str_clear(&name);
		topo_name_link(g, link, &name);
		r = topo_names_link(names, name.data, name.len, &found, NULL);
		prop_check((r == 0) == (count_links_named(g, &name) == 1));
		prop_check(r == 0 ? found == link : r == -BASE_E_INVALID);
	}
	base_str_fini(&name);
	topo_names_free(names);
	topo_graph_free(g);
}

/* A walk of up to @max hops from a random link on; returns how many. */
static size_t random_walk(const struct topo_graph *g, struct base_rng *rng,
			  uint32_t *hops, size_t max)
{
	size_t n = 0, len = 1 + base_rng_below(rng, (uint32_t)max);

	hops[n++] = base_rng_below(rng, 2 * topo_graph_n_links(g));
	while (n < len) {
		uint32_t k;
		const uint32_t *next = topo_graph_hops(
			g, topo_hop_to(topo_graph_links(g), hops[n - 1]), &k);

		hops[n++] = next[base_rng_below(rng, k)];
	}
	return n;
}

static void check_path_text(const struct topo_names *names, const struct base_str *text,
			    const uint32_t *hops, size_t n)
{
	uint32_t *found = NULL;
	size_t n_found = 0;

	prop_check(topo_names_path(names, text->data, text->len, &found, &n_found,
				   NULL) == 0);
	prop_check(n_found == n && memcmp(found, hops, n * sizeof(*hops)) == 0);
	free(found);
}

static void check_path_names(struct base_rng *rng, uint32_t size)
{
	struct topo_graph *g = gen_fabric(rng, size);
	struct topo_names *names = NULL;
	uint32_t hops[8];
	struct base_str name;

	base_str_init(&name, 0);
	prop_check(topo_names_new(g, &names) == 0);
	for (uint32_t i = 0; topo_graph_n_links(g) > 0 && i < 20; i++) {
		size_t n = random_walk(g, rng, hops, BASE_COUNT(hops));

		base_str_clear(&name);
		topo_name_path(g, hops, n, &name);
		check_path_text(names, &name, hops, n);
	}
	base_str_fini(&name);
	topo_names_free(names);
	topo_graph_free(g);
}

int main(void)
{
	static const struct prop props[] = {
		{ "a document that is loaded again is the same fabric and the same bytes",
		  1500, check_document },
		{ "a fingerprint follows the state of a link and back", 500,
		  check_fingerprint },
		{ "each hop and each child is listed once, in order", 500,
		  check_adjacency },
		{ "parallel links are numbered by id", 300, check_parallels },
		{ "a node is found by its name", 500, check_node_names },
		{ "a link is found by its name unless another has it too", 800,
		  check_link_names },
		{ "a path is found by its name", 500, check_path_names },
	};

	return prop_main(props, BASE_COUNT(props));
}
