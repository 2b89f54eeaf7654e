/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jobs become connections that send exactly what their collectives say, on fabrics of any
 * kind.
 */
#include <gen/gen_fabric.h>
#include <gen/jobs.h>
#include <gen/prop.h>
#include <stdlib.h>
#include <string.h>

#define MEMBERS_MAX 40u

/* A fabric of n hosts with one NIC each, one job, and its NICs. */
struct group {
	struct gen_job j;
	uint32_t n, nics[MEMBERS_MAX];
	uint64_t bytes;
};

static void group_init(struct group *g, struct base_rng *rng, uint32_t size)
{
	uint32_t node = 0;

	g->n = 2 + base_rng_below(rng, size * 3);
	prop_check(g->n <= MEMBERS_MAX);
	g->bytes = 1 + base_rng_u64(rng) % (size < 5 ? 100 : PLANNER_BYTES_MAX / 4);
	gen_job_init(&g->j, g->n, 1, 1);
	for (uint32_t i = 0; i < g->n; i++) {
		while (topo_graph_nodes(g->j.graph)[node].kind != TOPO_NIC)
			node++;
		g->nics[i] = node++;
	}
	base_rng_shuffle_u32(rng, g->nics, g->n);
	prop_check(planner_problem_add_job(&g->j.p, "a", NULL) == 0);
}

static void group_fini(struct group *g)
{
	gen_job_fini(&g->j);
}

static uint32_t expand(struct group *g, enum planner_collective what,
		       enum planner_algorithm how)
{
	uint32_t phases = 0;

	prop_check(planner_job_expand(&g->j.p, 0, what, how, g->nics, g->n, g->bytes, 0,
				      &phases, NULL) == 0);
	prop_check(phases == g->j.p.n_phases);
	return phases;
}

static uint32_t member_of(const struct group *g, uint32_t nic)
{
	for (uint32_t i = 0; i < g->n; i++)
		if (g->nics[i] == nic)
			return i;
	prop_check(false && "a NIC of the group");
	return 0;
}

/* The least whole number of bytes that is at least a / b of them. */
static bool is_rounded_up(uint64_t got, uint64_t bytes, uint64_t a, uint64_t b)
{
	unsigned __int128 exact = (unsigned __int128)bytes * a;

	return (unsigned __int128)got * b >= exact &&
	       (unsigned __int128)(got - 1) * b < exact;
}

static void ring(struct base_rng *rng, uint32_t size)
{
	struct group g;

	group_init(&g, rng, size);
	expand(&g, PLANNER_ALL_REDUCE, PLANNER_RING);
	prop_check(g.j.p.n_conns == g.n);
	for (uint32_t i = 0; i < g.n; i++) {
		const struct planner_conn *c = &g.j.p.conns[i];

		prop_check(c->src_nic == g.nics[i]);
		prop_check(c->dst_nic == g.nics[(i + 1) % g.n]);
		prop_check(is_rounded_up(c->bytes, g.bytes, 2 * (g.n - 1), g.n));
	}
	group_fini(&g);
}

static void all_to_all(struct base_rng *rng, uint32_t size)
{
	bool seen[MEMBERS_MAX][MEMBERS_MAX] = { { false } };
	struct group g;

	group_init(&g, rng, size);
	expand(&g, PLANNER_ALL_TO_ALL, PLANNER_AUTO);
	prop_check(g.j.p.n_conns == g.n * (g.n - 1));
	for (uint32_t i = 0; i < g.j.p.n_conns; i++) {
		const struct planner_conn *c = &g.j.p.conns[i];
		uint32_t from = member_of(&g, c->src_nic), to = member_of(&g, c->dst_nic);

		prop_check(from != to && !seen[from][to]);
		seen[from][to] = true;
		prop_check(is_rounded_up(c->bytes, g.bytes, 1, g.n));
	}
	group_fini(&g);
}

/* Who is whose parent, from what goes up; checks one tree of the pair. */
static void check_tree(const struct group *g, const struct planner_conn *conns,
		       uint32_t n_children[MEMBERS_MAX], uint64_t bytes)
{
	uint32_t parent[MEMBERS_MAX], roots = 0;

	memset(parent, 0xff, sizeof(parent));
	for (uint32_t i = 0; i < 2 * (g->n - 1); i += 2) {
		const struct planner_conn *up = &conns[i], *down = &conns[i + 1];
		uint32_t child = member_of(g, up->src_nic);

		prop_check(up->src_nic == down->dst_nic && up->dst_nic == down->src_nic);
		prop_check(up->bytes == bytes && down->bytes == bytes);
		prop_check(parent[child] == UINT32_MAX);
		parent[child] = member_of(g, up->dst_nic);
		n_children[parent[child]]++;
	}
	for (uint32_t i = 0; i < g->n; i++) {
		uint32_t at = i, steps = 0;

		roots += parent[i] == UINT32_MAX;
		prop_check(n_children[i] <= 2);
		while (parent[at] != UINT32_MAX && steps <= g->n) {
			at = parent[at];
			steps++;
		}
		/* Joined to the root, which is no further than the log of n. */
		prop_check(steps <= g->n && (1u << steps) <= 2 * g->n);
	}
	prop_check(roots == 1);
}

static void double_tree(struct base_rng *rng, uint32_t size)
{
	uint32_t first[MEMBERS_MAX] = { 0 }, second[MEMBERS_MAX] = { 0 }, both = 0;
	struct group g;

	group_init(&g, rng, size);
	g.bytes++; /* two halves at least */
	expand(&g, PLANNER_ALL_REDUCE, PLANNER_TREE);
	prop_check(g.j.p.n_conns == 4 * (g.n - 1));
	check_tree(&g, g.j.p.conns, first, g.bytes - g.bytes / 2);
	check_tree(&g, g.j.p.conns + 2 * (g.n - 1), second, g.bytes / 2);
	for (uint32_t i = 0; i < g.n; i++)
		both += first[i] > 0 && second[i] > 0;
	/* Inner in one tree, leaf in the other: but for one member of an odd number. */
	prop_check(both <= g.n % 2);
	group_fini(&g);
}

/* In each phase a member sends to one and receives from one, and the steps halve. */
static void halving_doubling(struct base_rng *rng, uint32_t size)
{
	uint32_t phases, log2 = 0;
	struct group g;

	group_init(&g, rng, size);
	phases = expand(&g, PLANNER_ALL_REDUCE, PLANNER_HALVING_DOUBLING);
	while (g.n >> (log2 + 1))
		log2++;
	prop_check(phases == 2 * log2 + ((g.n & (g.n - 1)) != 0 ? 2 : 0));
	for (uint32_t f = 0; f < phases; f++) {
		bool sends[MEMBERS_MAX] = { false }, receives[MEMBERS_MAX] = { false };
		uint64_t bytes = 0;

		for (uint32_t i = 0; i < g.j.p.n_conns; i++) {
			const struct planner_conn *c = &g.j.p.conns[i];

			if (c->phase != f)
				continue;
			prop_check(!sends[member_of(&g, c->src_nic)]);
			prop_check(!receives[member_of(&g, c->dst_nic)]);
			sends[member_of(&g, c->src_nic)] = true;
			receives[member_of(&g, c->dst_nic)] = true;
			prop_check(bytes == 0 || bytes == c->bytes);
			bytes = c->bytes;
		}
		prop_check(bytes > 0);
	}
	group_fini(&g);
}

/* Jobs of a short form: no host is in two of them, each has as many as it should. */
static void placement(struct base_rng *rng, uint32_t size)
{
	static const char *const words[] = { "random", "packed", "spread" };
	uint32_t per_job = 2 + base_rng_below(rng, 3), n_hosts = per_job * size;
	uint32_t *job_of, *hosts_of;
	struct base_str form;
	struct gen_job j;

	gen_job_init(&j, n_hosts + base_rng_below(rng, per_job), 2, 2);
	base_str_init(&form, 0);
	base_str_addf(&form, "ring:hosts=%u,jobs=all,placement=%s,seed=%u", per_job,
		      words[base_rng_below(rng, 3)], base_rng_below(rng, 1000));
	prop_check(gen_job_form(&j, base_str_text(&form)) == 0);
	prop_check(j.p.n_jobs == size);
	job_of = calloc(topo_graph_n_nodes(j.graph), sizeof(*job_of));
	hosts_of = calloc(j.p.n_jobs, sizeof(*hosts_of));
	prop_check(job_of && hosts_of);
	for (uint32_t i = 0; i < j.p.n_conns; i++) {
		const struct planner_conn *c = &j.p.conns[i];
		uint32_t host = topo_graph_nodes(j.graph)[c->src_nic].parent;

		prop_check(job_of[host] == 0 || job_of[host] == c->job + 1);
		if (job_of[host] == 0)
			hosts_of[c->job]++;
		job_of[host] = c->job + 1;
	}
	for (uint32_t i = 0; i < j.p.n_jobs; i++)
		prop_check(hosts_of[i] == per_job);
	free(job_of);
	free(hosts_of);
	base_str_fini(&form);
	gen_job_fini(&j);
}

/* Every NIC of the job sends once, receives once, and not to its own host. */
static void permutation(struct base_rng *rng, uint32_t size)
{
	uint8_t *sends, *receives;
	struct gen_job j;

	gen_job_init(&j, 1 + size, 8, 1u << base_rng_below(rng, 4));
	j.options.seed = base_rng_u64(rng);
	prop_check(gen_job_form(&j, "permutation") == 0);
	prop_check(j.p.n_conns == topo_graph_count(j.graph, TOPO_NIC));
	prop_check(j.p.local_conns == 0);
	sends = calloc(topo_graph_n_nodes(j.graph), 1);
	receives = calloc(topo_graph_n_nodes(j.graph), 1);
	prop_check(sends && receives);
	for (uint32_t i = 0; i < j.p.n_conns; i++) {
		prop_check(sends[j.p.conns[i].src_nic]++ == 0);
		prop_check(receives[j.p.conns[i].dst_nic]++ == 0);
	}
	free(sends);
	free(receives);
	gen_job_fini(&j);
}

/*
 * The same fabric under other names: the same connections between the nodes of the same
 * number, hence under the other names.
 */
static void add_renamed(struct topo_graph *copy, const struct topo_graph *g,
			uint32_t node)
{
	const struct topo_node *n = &topo_graph_nodes(g)[node];
	struct base_str name;
	uint32_t id = TOPO_NONE;
	int r = -1;

	base_str_init(&name, 0);
	base_str_addf(&name, "other%u", node);
	if (n->kind == TOPO_HOST)
		r = topo_graph_add_host(copy, TOPO_NONE, name.data, name.len, n->pod, &id,
					NULL);
	else if (n->kind == TOPO_NIC)
		r = topo_graph_add_nic(copy, n->parent, name.data, name.len, n->rail, &id,
				       NULL);
	else if (n->kind == TOPO_SWITCH)
		r = topo_graph_add_switch(copy, TOPO_NONE, name.data, name.len, n->tier,
					  n->pod, n->plane, n->rail, &id, NULL);
	prop_check(r == 0 && id == node);
	base_str_fini(&name);
}

static struct topo_graph *rename_all(const struct topo_graph *g)
{
	struct topo_graph *copy = topo_graph_new();

	prop_check(copy != NULL);
	for (uint32_t i = 0; i < topo_graph_n_nodes(g); i++)
		add_renamed(copy, g, i);
	for (uint32_t i = 0; i < topo_graph_n_links(g); i++) {
		struct topo_link link = topo_graph_links(g)[i];

		link.port_a = link.port_b = link.address = TOPO_NONE;
		prop_check(topo_graph_add_link(copy, &link, NULL, NULL) == 0);
	}
	prop_check(topo_graph_seal(copy, NULL) == 0);
	return copy;
}

static const char *const forms[] = {
	"ring:nics=1",
	"tree:nics=1",
	"halving-doubling:nics=1",
	"all-to-all:nics=1,cross-rail=yes",
	"permutation:nics=1",
	"ring:nics=1,placement=spread",
	"mix:nics=1,dp=0.5,ep=0.5,ep-size=2,hosts=2",
};

static bool is_same(const struct planner_conn *a, const struct planner_conn *b)
{
	return a->src_nic == b->src_nic && a->dst_nic == b->dst_nic && a->job == b->job &&
	       a->phase == b->phase && a->bytes == b->bytes && a->plane == b->plane;
}

static void renaming(struct base_rng *rng, uint32_t size)
{
	const char *form = forms[base_rng_below(rng, BASE_COUNT(forms))];
	struct gen_job a, b;
	int r;

	gen_job_init_on(&a, gen_fabric_clos(rng, size));
	gen_job_init_on(&b, rename_all(a.graph));
	a.options.placement = b.options.placement = PLANNER_RANDOM;
	a.options.seed = b.options.seed = base_rng_u64(rng);
	r = gen_job_form(&a, form);
	prop_check(gen_job_form(&b, form) == r);
	prop_check(r == 0 || r == -BASE_E_INFEASIBLE);
	prop_check(a.p.n_conns == b.p.n_conns && a.p.n_phases == b.p.n_phases);
	for (uint32_t i = 0; i < a.p.n_conns; i++)
		prop_check(is_same(&a.p.conns[i], &b.p.conns[i]));
	gen_job_fini(&a);
	gen_job_fini(&b);
}

/*
 * However the ranks lie on hosts, the members of a data-parallel group send 2(n-1) times
 * the buffer together, over the fabric or inside a host, and each connection is rounded
 * up by less than a byte.
 */
static void workload(struct base_rng *rng, uint32_t size)
{
	uint32_t tp = 1u << base_rng_below(rng, 3), pp = 1u << base_rng_below(rng, 3);
	uint32_t dp = 1 + base_rng_below(rng, size), world = tp * pp * dp;
	uint64_t bytes = 1 + base_rng_u64(rng) % 1000000, exact, total;
	struct base_str text;
	struct gen_job j;

	gen_job_init(&j, world, 8, 1u << base_rng_below(rng, 4));
	j.options.placement = PLANNER_RANDOM;
	j.options.gpus = 1 + base_rng_below(rng, 8);
	base_str_init(&text, 0);
	base_str_addf(&text,
		      "HYBRID_TRANSFORMER model_parallel_NPU_group: %u ep: 1 pp: %u "
		      "all_gpus: %u\n1\na -1 1 NONE 0 1 NONE 0 1 ALLREDUCE %llu 1\n",
		      tp, pp, world, (unsigned long long)bytes);
	prop_check(gen_job_text(&j, base_str_text(&text)) == 0);
	exact = (uint64_t)tp * pp * 2 * (dp - 1) * bytes;
	total = j.p.local_bytes;
	for (uint32_t i = 0; i < j.p.n_conns; i++)
		total += j.p.conns[i].bytes;
	prop_check(total >= exact);
	prop_check(total == exact || total < exact + j.p.n_conns + j.p.local_conns);
	base_str_fini(&text);
	gen_job_fini(&j);
}

/* On any fabric whatever, a form is read whole or changes nothing. */
static void any_fabric(struct base_rng *rng, uint32_t size)
{
	struct gen_job j;
	int r;

	gen_job_init_on(&j, gen_fabric_odd(rng, size));
	j.options.placement = (enum planner_placement)base_rng_below(rng, 3);
	r = gen_job_form(&j, forms[base_rng_below(rng, BASE_COUNT(forms))]);
	prop_check(r == 0 || (gen_job_is_empty(&j) && j.err.code == r));
	prop_check(r != 0 || j.p.n_conns > 0);
	gen_job_fini(&j);
}

int main(void)
{
	static const struct prop props[] = {
		{ "a ring sends 2(n-1)/n of its buffer on each connection", 200, ring },
		{ "all-to-all sends a part to each other", 100, all_to_all },
		{ "a double tree has two children at most and inner places once", 200,
		  double_tree },
		{ "halving and doubling sends once in each phase", 100,
		  halving_doubling },
		{ "a host is in one job", 100, placement },
		{ "a permutation has no fixed point and stays in no host", 100,
		  permutation },
		{ "renaming hosts renames the problem", 100, renaming },
		{ "a workload sends what its groups say", 200, workload },
		{ "a form is read whole or not at all", 200, any_fabric },
	};

	return prop_main(props, BASE_COUNT(props));
}
