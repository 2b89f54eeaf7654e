/* SPDX-License-Identifier: Apache-2.0 */
#include "gen_fabric.h"
#include <base/mem.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GBIT 1000000000u

/* What must not fail here, does not: ends the test if it does. */
static void must(int r, const struct base_err *err)
{
	if (r == 0)
		return;
	fprintf(stderr, "gen_fabric: %d: %s\n", r, err ? err->message : "");
	abort();
}

static void *array(size_t n, size_t elem_size)
{
	void *p = base_array_new(n, elem_size);

	if (!p)
		abort();
	return p;
}

static struct topo_graph *new_graph(void)
{
	struct topo_graph *g = topo_graph_new();

	if (!g)
		abort();
	return g;
}

static struct topo_graph *seal(struct topo_graph *g)
{
	struct base_err err = { 0 };

	must(topo_graph_seal(g, &err), &err);
	return g;
}

/* True once in @n times. */
static bool once_in(struct base_rng *rng, uint32_t n)
{
	return base_rng_below(rng, n) == 0;
}

static uint64_t random_rate(struct base_rng *rng)
{
	static const uint32_t gbits[] = { 400, 400, 400, 200, 100, 25 };

	return (uint64_t)gbits[base_rng_below(rng, BASE_COUNT(gbits))] * GBIT;
}

static void add_link(struct topo_graph *g, uint32_t a, uint32_t b, uint64_t rate_bps,
		     enum topo_state state)
{
	struct topo_link link = { .a = a,
				  .b = b,
				  .rate_bps = rate_bps,
				  .port_a = TOPO_NONE,
				  .port_b = TOPO_NONE,
				  .address = TOPO_NONE,
				  .state = (uint8_t)state };
	struct base_err err = { 0 };

	must(topo_graph_add_link(g, &link, NULL, &err), &err);
}

/* Clos */

struct clos {
	struct topo_graph *g;
	struct base_rng *rng;
	uint32_t planes, pods, leaves, spines, cores; /* cores 0: two tiers, one pod */
	uint64_t nic_rate_bps, up_rate_bps;
	uint32_t dead_in, missing_in; /* one link in so many */
};

static uint32_t add_switch(struct clos *c, const char *stem, uint32_t number,
			   uint32_t tier, uint32_t pod, uint32_t plane)
{
	char name[32];
	int n = snprintf(name, sizeof(name), "%s%" PRIu32, stem, number);
	struct base_err err = { 0 };
	uint32_t node;

	must(topo_graph_add_switch(c->g, TOPO_NONE, name, (size_t)n, tier, pod,
				   c->planes > 1 ? plane : TOPO_NONE, TOPO_NONE, &node,
				   &err),
	     &err);
	return node;
}

/* 0 to 3 parallel links, mostly one, some of them dead or of another rate. */
static void join(struct clos *c, uint32_t low, uint32_t high)
{
	uint32_t n = once_in(c->rng, 5) ? 2 + base_rng_below(c->rng, 2) : 1;

	if (once_in(c->rng, c->missing_in))
		return;
	for (uint32_t i = 0; i < n; i++) {
		bool swap = once_in(c->rng, 4);
		uint64_t rate_bps =
			once_in(c->rng, 6) ? random_rate(c->rng) : c->up_rate_bps;

		add_link(c->g, swap ? high : low, swap ? low : high, rate_bps,
			 once_in(c->rng, c->dead_in) ? TOPO_DOWN : TOPO_UP);
	}
}

/* Switches of one plane; writes the ids of its leaves to @leaves[pods * leaves]. */
static void add_plane(struct clos *c, uint32_t plane, uint32_t *leaves)
{
	uint32_t *cores = array(c->cores, sizeof(*cores));
	uint32_t *spines = array(c->spines, sizeof(*spines));

	for (uint32_t i = 0; i < c->cores; i++)
		cores[i] =
			add_switch(c, "core", plane * c->cores + i, 3, TOPO_NONE, plane);
	for (uint32_t pod = 0; pod < c->pods; pod++) {
		uint32_t first = plane * c->pods + pod;

		for (uint32_t i = 0; i < c->spines; i++)
			spines[i] = add_switch(c, "spine", first * c->spines + i, 2, pod,
					       plane);
		for (uint32_t i = 0; i < c->cores; i++)
			join(c, spines[i % c->spines], cores[i]);
		for (uint32_t i = 0; i < c->leaves; i++) {
			uint32_t leaf = add_switch(c, "leaf", first * c->leaves + i, 0,
						   pod, plane);

			leaves[pod * c->leaves + i] = leaf;
			for (uint32_t j = 0; j < c->spines; j++)
				join(c, leaf, spines[j]);
		}
	}
	free(spines);
	free(cores);
}

static void add_nic(struct clos *c, uint32_t host, uint32_t number,
		    const uint32_t *leaves, uint32_t n_leaves)
{
	struct base_err err = { 0 };
	char name[32];
	int n = snprintf(name, sizeof(name), "nic%" PRIu32, number);
	uint32_t nic;

	must(topo_graph_add_nic(c->g, host, name, (size_t)n, TOPO_NONE, &nic, &err),
	     &err);
	for (uint32_t plane = 0; plane < c->planes; plane++)
		add_link(c->g, nic, leaves[plane * n_leaves], c->nic_rate_bps,
			 once_in(c->rng, 4 * c->dead_in) ? TOPO_DOWN : TOPO_UP);
}

/* @leaves: [plane][pod][leaf] */
static void add_hosts(struct clos *c, const uint32_t *leaves)
{
	uint32_t n_leaves = c->pods * c->leaves, n_hosts = 0;
	uint32_t n_nics = 1 + base_rng_below(c->rng, 2);
	struct base_err err = { 0 };

	for (uint32_t leaf = 0; leaf < n_leaves; leaf++) {
		uint32_t here = 1 + base_rng_below(c->rng, 3), host;

		for (uint32_t i = 0; i < here; i++) {
			char name[32];
			int n = snprintf(name, sizeof(name), "h%" PRIu32, n_hosts++);

			must(topo_graph_add_host(c->g, TOPO_NONE, name, (size_t)n,
						 leaf / c->leaves, &host, &err),
			     &err);
			for (uint32_t nic = 0; nic < n_nics; nic++)
				add_nic(c, host, nic, leaves + leaf, n_leaves);
		}
	}
}

struct topo_graph *gen_fabric_clos(struct base_rng *rng, uint32_t size)
{
	struct clos c = { .g = new_graph(),
			  .rng = rng,
			  .planes = 1 + once_in(rng, 3),
			  .pods = 1,
			  .leaves = 1 + base_rng_below(rng, size),
			  .spines = 1 + base_rng_below(rng, size),
			  .nic_rate_bps = random_rate(rng),
			  .up_rate_bps = random_rate(rng),
			  .dead_in = 3 + base_rng_below(rng, 30),
			  .missing_in = 5 + base_rng_below(rng, 50) };
	uint32_t *leaves;

	if (once_in(rng, 2)) {
		c.pods = 1 + base_rng_below(rng, 3);
		c.cores = c.spines * (1 + base_rng_below(rng, 3));
	}
	leaves = array((size_t)c.planes * c.pods * c.leaves, sizeof(*leaves));
	for (uint32_t plane = 0; plane < c.planes; plane++)
		add_plane(&c, plane, leaves + (size_t)plane * c.pods * c.leaves);
	add_hosts(&c, leaves);
	free(leaves);
	return seal(c.g);
}

/* Odd */

struct odd {
	struct topo_graph *g;
	struct base_rng *rng;
	uint32_t n_named; /* makes names differ when chance does not */
};

/* A name of few letters, so that names often begin, end and look alike. */
static size_t random_name(struct odd *o, char *name)
{
	static const char *const pieces[] = { "a",  "b",	"a", "-", ".", "#",
					      "1",  "2",	":", "-", ".", "\"",
					      "\\", "\xC3\xA9", "/", "#1" };
	uint32_t n = 1 + base_rng_below(o->rng, 4);
	size_t len = 0;

	for (uint32_t i = 0; i < n; i++) {
		const char *piece = pieces[base_rng_below(o->rng, BASE_COUNT(pieces))];

		memcpy(name + len, piece, strlen(piece));
		len += strlen(piece);
	}
	if (once_in(o->rng, 2))
		len += (size_t)snprintf(name + len, 16, "%" PRIu32, o->n_named++);
	return len;
}

static uint32_t maybe(struct base_rng *rng, uint32_t end)
{
	return once_in(rng, 2) ? TOPO_NONE : base_rng_below(rng, end);
}

static int try_node(struct odd *o, enum topo_kind kind, uint32_t parent,
		    uint32_t *ret_node, struct base_err *err)
{
	char name[64];
	size_t len = random_name(o, name);

	switch (kind) {
	case TOPO_GROUP:
		return topo_graph_add_group(o->g, name, len, ret_node, err);
	case TOPO_HOST:
		return topo_graph_add_host(o->g, parent, name, len, maybe(o->rng, 4),
					   ret_node, err);
	case TOPO_NIC:
		return topo_graph_add_nic(o->g, parent, name, len, maybe(o->rng, 4),
					  ret_node, err);
	case TOPO_SWITCH:
		break;
	}
	return topo_graph_add_switch(o->g, parent, name, len,
				     1 + base_rng_below(o->rng, 4), maybe(o->rng, 4),
				     maybe(o->rng, 3), maybe(o->rng, 4), ret_node, err);
}

static uint32_t add_odd(struct odd *o, enum topo_kind kind, uint32_t parent)
{
	struct base_err err = { 0 };
	uint32_t node = 0;
	int r;

	do {
		r = try_node(o, kind, parent, &node, &err);
	} while (r == -BASE_E_DUPLICATE);
	must(r, &err);
	return node;
}

static uint32_t maybe_text(struct odd *o)
{
	char text[64];
	size_t len = random_name(o, text);
	uint32_t id;

	if (!once_in(o->rng, 3))
		return TOPO_NONE;
	must(topo_graph_intern(o->g, text, len, &id), NULL);
	return id;
}

static void add_odd_link(struct odd *o, const uint32_t *ends, uint32_t n_switches,
			 uint32_t n)
{
	uint32_t a = base_rng_below(o->rng, n), b = base_rng_below(o->rng, n_switches);
	struct topo_link link = {
		.rate_bps = random_rate(o->rng) + base_rng_below(o->rng, 2),
		.delay_ns = once_in(o->rng, 2) ? base_rng_below(o->rng, 9) : 0,
		.port_a = maybe_text(o),
		.port_b = maybe_text(o),
		.address = a < n_switches ? TOPO_NONE : maybe_text(o),
		.state = once_in(o->rng, 6) ? TOPO_DOWN : TOPO_UP
	};
	struct base_err err = { 0 };
	bool swap = once_in(o->rng, 2);

	if (a == b)
		return;
	link.a = ends[swap ? b : a];
	link.b = ends[swap ? a : b];
	must(topo_graph_add_link(o->g, &link, NULL, &err), &err);
}

struct topo_graph *gen_fabric_odd(struct base_rng *rng, uint32_t size)
{
	struct odd o = { .g = new_graph(), .rng = rng };
	uint32_t n_groups = base_rng_below(rng, 3),
		 n_switches = 1 + base_rng_below(rng, 2 * size);
	uint32_t n_nics = 1 + base_rng_below(rng, 2 * size),
		 n_links = base_rng_below(rng, 8 * size);
	uint32_t groups[3] = { TOPO_NONE, TOPO_NONE, TOPO_NONE }, host = TOPO_NONE;
	uint32_t *ends =
		array((size_t)n_switches + n_nics, sizeof(*ends)); /* switches first */

	for (uint32_t i = 0; i < n_groups; i++)
		groups[i] = add_odd(&o, TOPO_GROUP, TOPO_NONE);
	for (uint32_t i = 0; i < n_switches; i++)
		ends[i] = add_odd(&o, TOPO_SWITCH, groups[base_rng_below(rng, 3)]);
	for (uint32_t i = 0; i < n_nics; i++) {
		if (i == 0 || once_in(rng, 2))
			host = add_odd(&o, TOPO_HOST, groups[base_rng_below(rng, 3)]);
		ends[n_switches + i] = add_odd(&o, TOPO_NIC, host);
	}
	for (uint32_t i = 0; i < n_links; i++)
		add_odd_link(&o, ends, n_switches, n_switches + n_nics);
	if (once_in(rng, 2))
		must(topo_graph_assume(o.g, "link_rate", "100 Gbit/s", "it is \"usual\""),
		     NULL);
	free(ends);
	return seal(o.g);
}

struct topo_graph *gen_fabric(struct base_rng *rng, uint32_t size)
{
	return once_in(rng, 2) ? gen_fabric_clos(rng, size) : gen_fabric_odd(rng, size);
}

uint32_t gen_fabric_nic(const struct topo_graph *g, struct base_rng *rng)
{
	uint32_t nth = base_rng_below(rng, topo_graph_count(g, TOPO_NIC)), node = 0;

	for (;; node++)
		if (topo_graph_nodes(g)[node].kind == TOPO_NIC && nth-- == 0)
			return node;
}
