/* SPDX-License-Identifier: Apache-2.0 */
#include <topo/generate.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <base/mem.h>
#include <base/num.h>

#define RAILS_DEFAULT 8u

/*
 * Every shape of the header as one: pods of leaves and spines, in planes, with cores
 * above them or (two tiers) without.  All counts are of one pod and one plane.
 */
struct shape {
	uint32_t pods, leaves, nics_per_leaf, spines;
	uint32_t links;		  /* parallel links of a leaf-spine pair */
	uint32_t cores_per_spine; /* 0: two tiers, and then there is one pod */
	uint32_t nics_per_host;
	uint32_t planes;
	bool rail;
	uint64_t nic_rate_bps, uplink_rate_bps, core_rate_bps;
};

struct builder {
	const struct shape *s;
	struct topo_graph *g;
	uint32_t *leaves; /* node ids: [plane][pod][leaf] */
	uint32_t *spines; /* [plane][pod][spine] */
	uint32_t *cores;  /* [plane][spine][core] */
	struct base_err *err;
};

/* The product, or UINT64_MAX when it does not fit. */
static uint64_t multiply(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static uint32_t or_default(uint32_t value, uint32_t otherwise)
{
	return value ? value : otherwise;
}

static uint64_t rate_or(uint64_t rate_bps, uint64_t otherwise_bps)
{
	return rate_bps ? rate_bps : otherwise_bps;
}

static int check_divisible(const struct shape *s, struct base_err *err)
{
	if (s->rail && s->leaves % s->nics_per_host)
		return base_err_set(
			err, -BASE_E_INVALID,
			"%" PRIu32 " leaves do not divide into segments of %" PRIu32
			" rail leaves: the number of leaves must be a multiple of the "
			"NICs per host",
			s->leaves, s->nics_per_host);
	if (!s->rail && s->nics_per_leaf % s->nics_per_host)
		return base_err_set(err, -BASE_E_INVALID,
				    "%" PRIu32
				    " NICs per leaf do not divide into hosts of %" PRIu32
				    " NICs: the first must be a multiple of the second",
				    s->nics_per_leaf, s->nics_per_host);
	return 0;
}

static int check_zeros(const struct shape *s, struct base_err *err)
{
	const struct {
		const char *what;
		uint64_t value;
	} numbers[] = {
		{ "pods", s->pods },
		{ "leaves", s->leaves },
		{ "NICs per leaf", s->nics_per_leaf },
		{ "spines", s->spines },
		{ "rate of a NIC link", s->nic_rate_bps },
	};

	for (size_t i = 0; i < BASE_COUNT(numbers); i++) {
		if (numbers[i].value == 0)
			return base_err_set(err, -BASE_E_INVALID,
					    "the number for \"%s\" must be above 0",
					    numbers[i].what);
	}
	return 0;
}

static uint64_t count_hosts(const struct shape *s)
{
	uint64_t nics = multiply(multiply(s->pods, s->leaves), s->nics_per_leaf);

	return nics == UINT64_MAX ? nics : nics / s->nics_per_host;
}

/* Refuses what is over the graph's ceilings before anything is allocated. */
static int check_size(const struct shape *s, struct base_err *err)
{
	uint64_t nics = multiply(multiply(s->pods, s->leaves), s->nics_per_leaf);
	uint64_t leaves = multiply(s->pods, s->leaves);
	uint64_t spines = multiply(s->pods, s->spines);
	uint64_t cores = multiply(s->spines, s->cores_per_spine);
	uint64_t switches =
		multiply(s->planes, base_num_add(base_num_add(leaves, spines), cores));
	uint64_t nodes = base_num_add(base_num_add(nics, count_hosts(s)), switches);
	uint64_t uplinks = multiply(multiply(leaves, s->spines), s->links);
	uint64_t corelinks = multiply(spines, s->cores_per_spine);
	uint64_t links =
		multiply(s->planes, base_num_add(base_num_add(nics, uplinks), corelinks));

	if (nodes > TOPO_NODES_MAX)
		return base_err_set(
			err, -BASE_E_TOO_LARGE,
			"the fabric would have %" PRIu64
			" or more nodes (hosts, NICs, switches); the ceiling is %u",
			nodes, TOPO_NODES_MAX);
	if (links > TOPO_LINKS_MAX)
		return base_err_set(err, -BASE_E_TOO_LARGE,
				    "the fabric would have %" PRIu64
				    " or more links; the ceiling is %u",
				    links, TOPO_LINKS_MAX);
	return 0;
}

static uint32_t pod_id(const struct shape *s, uint32_t pod)
{
	return s->cores_per_spine ? pod : TOPO_NONE;
}

/* Adds @n switches named @stem<n>, numbered on from *@next. */
static int add_switches(struct builder *b, const char *stem, struct topo_node like,
			uint32_t n, uint32_t *next, uint32_t *nodes)
{
	for (uint32_t i = 0; i < n; i++) {
		char name[32];
		int len = snprintf(name, sizeof(name), "%s%" PRIu32, stem, *next);
		uint32_t rail = TOPO_NONE;
		int r;

		if (like.tier == 1 && b->s->rail)
			rail = i % b->s->nics_per_host;
		r = topo_graph_add_switch(b->g, TOPO_NONE, name, (size_t)len, like.tier,
					  like.pod, like.plane, rail, &nodes[*next],
					  b->err);
		if (r < 0)
			return r;
		++*next;
	}
	return 0;
}

static int add_all_switches(struct builder *b)
{
	const struct shape *s = b->s;
	uint32_t n_leaves = 0, n_spines = 0, n_cores = 0;
	int r = 0;

	for (uint32_t plane = 0; plane < s->planes && r == 0; plane++) {
		struct topo_node like = { .plane = s->planes > 1 ? plane : TOPO_NONE };

		for (uint32_t pod = 0; pod < s->pods && r == 0; pod++) {
			like.pod = pod_id(s, pod);
			like.tier = 1;
			r = add_switches(b, "leaf", like, s->leaves, &n_leaves,
					 b->leaves);
		}
		for (uint32_t pod = 0; pod < s->pods && r == 0; pod++) {
			like.pod = pod_id(s, pod);
			like.tier = 2;
			r = add_switches(b, "spine", like, s->spines, &n_spines,
					 b->spines);
		}
		like.pod = TOPO_NONE;
		like.tier = 3;
		if (r == 0)
			r = add_switches(b, "core", like, s->spines * s->cores_per_spine,
					 &n_cores, b->cores);
	}
	return r;
}

static int connect(struct builder *b, uint32_t lower, uint32_t upper, uint64_t rate_bps,
		   uint32_t n)
{
	struct topo_link link = {
		.a = lower,
		.b = upper,
		.rate_bps = rate_bps,
		.port_a = TOPO_NONE,
		.port_b = TOPO_NONE,
		.address = TOPO_NONE,
		.state = TOPO_UP,
	};
	uint32_t ignored;

	for (uint32_t i = 0; i < n; i++) {
		int r = topo_graph_add_link(b->g, &link, &ignored, b->err);

		if (r < 0)
			return r;
	}
	return 0;
}

/* The leaf (within its pod) of NIC @nic of host @host of a pod. */
static uint32_t leaf_of(const struct shape *s, uint32_t host, uint32_t nic)
{
	if (s->rail)
		return host / s->nics_per_leaf * s->nics_per_host + nic;
	return host / (s->nics_per_leaf / s->nics_per_host);
}

static int add_host(struct builder *b, uint32_t pod, uint32_t host, uint32_t number)
{
	const struct shape *s = b->s;
	char name[32];
	int len = snprintf(name, sizeof(name), "h%" PRIu32, number);
	uint32_t host_node, nic_node;
	int r = topo_graph_add_host(b->g, TOPO_NONE, name, (size_t)len, pod_id(s, pod),
				    &host_node, b->err);

	for (uint32_t nic = 0; nic < s->nics_per_host && r == 0; nic++) {
		uint32_t leaf = leaf_of(s, host, nic);

		len = snprintf(name, sizeof(name), "nic%" PRIu32, nic);
		r = topo_graph_add_nic(b->g, host_node, name, (size_t)len,
				       s->rail ? nic : TOPO_NONE, &nic_node, b->err);
		for (uint32_t plane = 0; plane < s->planes && r == 0; plane++) {
			uint32_t at = (plane * s->pods + pod) * s->leaves + leaf;

			r = connect(b, nic_node, b->leaves[at], s->nic_rate_bps, 1);
		}
	}
	return r;
}

static int add_all_hosts(struct builder *b)
{
	const struct shape *s = b->s;
	uint32_t hosts_per_pod = (uint32_t)(count_hosts(s) / s->pods);
	int r = 0;

	for (uint32_t pod = 0; pod < s->pods && r == 0; pod++) {
		for (uint32_t host = 0; host < hosts_per_pod && r == 0; host++)
			r = add_host(b, pod, host, pod * hosts_per_pod + host);
	}
	return r;
}

/* Leaf to spine within each pod and plane. */
static int connect_leaves(struct builder *b)
{
	const struct shape *s = b->s;
	int r = 0;

	for (uint32_t block = 0; block < s->planes * s->pods; block++) {
		for (uint32_t i = 0; i < s->leaves * s->spines && r == 0; i++) {
			uint32_t leaf = block * s->leaves + i / s->spines;
			uint32_t spine = block * s->spines + i % s->spines;

			r = connect(b, b->leaves[leaf], b->spines[spine],
				    s->uplink_rate_bps, s->links);
		}
	}
	return r;
}

/* Spine s of every pod to the cores of group s of its plane. */
static int connect_spines(struct builder *b)
{
	const struct shape *s = b->s;
	int r = 0;

	for (uint32_t spine = 0; spine < s->planes * s->pods * s->spines; spine++) {
		uint32_t plane = spine / (s->pods * s->spines);
		uint32_t group = plane * s->spines + spine % s->spines;

		for (uint32_t c = 0; c < s->cores_per_spine && r == 0; c++)
			r = connect(b, b->spines[spine],
				    b->cores[group * s->cores_per_spine + c],
				    s->core_rate_bps, 1);
	}
	return r;
}

static int build(struct builder *b)
{
	const struct shape *s = b->s;
	size_t blocks = (size_t)s->planes * s->pods;
	int r;

	b->g = topo_graph_new();
	b->leaves = base_array_new(blocks * s->leaves, sizeof(*b->leaves));
	b->spines = base_array_new(blocks * s->spines, sizeof(*b->spines));
	b->cores = base_array_new((size_t)s->planes * s->spines * s->cores_per_spine,
				  sizeof(*b->cores));
	if (!b->g || !b->leaves || !b->spines || !b->cores)
		return -ENOMEM;
	r = add_all_switches(b);
	if (r == 0)
		r = add_all_hosts(b);
	if (r == 0)
		r = connect_leaves(b);
	if (r == 0)
		r = connect_spines(b);
	if (r == 0)
		r = topo_graph_seal(b->g, b->err);
	return r;
}

static int generate(const struct shape *s, struct topo_graph **ret_g,
		    struct base_err *err)
{
	struct builder b = { .s = s, .err = err };
	int r = check_zeros(s, err);

	if (r == 0)
		r = check_divisible(s, err);
	if (r == 0)
		r = check_size(s, err);
	if (r < 0)
		return r;
	r = build(&b);
	free(b.leaves);
	free(b.spines);
	free(b.cores);
	if (r < 0)
		topo_graph_free(b.g);
	else
		*ret_g = b.g;
	return r;
}

int topo_generate_clos2(const struct topo_clos2 *shape, struct topo_graph **ret_g,
			struct base_err *err)
{
	struct shape s = {
		.pods = 1,
		.leaves = shape->leaves,
		.nics_per_leaf = shape->nics_per_leaf,
		.spines = shape->spines,
		.links = or_default(shape->links, 1),
		.nics_per_host =
			or_default(shape->nics_per_host, shape->rail ? RAILS_DEFAULT : 1),
		.planes = or_default(shape->planes, 1),
		.rail = shape->rail,
		.nic_rate_bps = shape->nic_rate_bps,
		.uplink_rate_bps = rate_or(shape->uplink_rate_bps, shape->nic_rate_bps),
	};

	return generate(&s, ret_g, err);
}

int topo_generate_clos3(const struct topo_clos3 *shape, struct topo_graph **ret_g,
			struct base_err *err)
{
	struct shape s = {
		.pods = shape->pods,
		.leaves = shape->leaves,
		.nics_per_leaf = shape->nics_per_leaf,
		.spines = shape->spines,
		.links = 1,
		.cores_per_spine = shape->cores_per_spine,
		.nics_per_host =
			or_default(shape->nics_per_host, shape->rail ? RAILS_DEFAULT : 1),
		.planes = or_default(shape->planes, 1),
		.rail = shape->rail,
		.nic_rate_bps = shape->nic_rate_bps,
		.uplink_rate_bps = rate_or(shape->uplink_rate_bps, shape->nic_rate_bps),
		.core_rate_bps = rate_or(shape->core_rate_bps, shape->nic_rate_bps),
	};

	if (s.cores_per_spine == 0)
		return base_err_set(err, -BASE_E_INVALID,
				    "the number for \"cores per spine\" must be above 0: "
				    "a fabric without cores is a clos2");
	return generate(&s, ret_g, err);
}

int topo_generate_fat_tree(uint32_t k, uint64_t rate_bps, struct topo_graph **ret_g,
			   struct base_err *err)
{
	struct topo_clos3 shape = {
		.pods = k,
		.leaves = k / 2,
		.nics_per_leaf = k / 2,
		.spines = k / 2,
		.cores_per_spine = k / 2,
		.nic_rate_bps = rate_bps,
	};

	if (k < 2 || k % 2)
		return base_err_set(
			err, -BASE_E_INVALID,
			"a fat tree needs an even k of at least 2, not %" PRIu32
			": half of a switch's ports point up, half down",
			k);
	return topo_generate_clos3(&shape, ret_g, err);
}

int topo_generate_dual_plane(const struct topo_dual_plane *shape,
			     struct topo_graph **ret_g, struct base_err *err)
{
	uint64_t leaves = multiply(shape->segments, shape->nics_per_host);
	struct topo_clos2 clos = {
		.leaves = (uint32_t)leaves,
		.nics_per_leaf = shape->hosts_per_segment,
		.spines = shape->spines,
		.links = shape->uplinks,
		.nics_per_host = shape->nics_per_host,
		.planes = 2,
		.rail = true,
		.nic_rate_bps = shape->port_rate_bps,
		.uplink_rate_bps = shape->uplink_rate_bps,
	};

	if (leaves == 0)
		return base_err_set(
			err, -BASE_E_INVALID,
			"the numbers for \"segments\" and \"NICs per host\" must "
			"be above 0");
	if (leaves > UINT32_MAX)
		return base_err_set(
			err, -BASE_E_TOO_LARGE,
			"%" PRIu32 " segments of %" PRIu32
			" rails are more leaves than the ceiling of %u nodes allows",
			shape->segments, shape->nics_per_host, TOPO_NODES_MAX);
	if (shape->hosts_per_segment == 0)
		return base_err_set(
			err, -BASE_E_INVALID,
			"the number for \"hosts per segment\" must be above 0");
	return topo_generate_clos2(&clos, ret_g, err);
}
