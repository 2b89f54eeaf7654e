/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plans with four weighted QPs beside the optimum of a linear program (CLP) in which the
 * traffic of each pair of leaves may spread over all of its equal-cost paths in any
 * shares.  Its optimum is below every plan, and no lower bound may be above it.
 */
#include <coin/Clp_C_Interface.h>
#include <gen/plans.h>
#include <gen/traffic.h>
#include <base/mem.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <topo/path.h>

#define RATE_BPS 400000000000u
#define BYTES 12000000000u
#define QPS 4u

static void must(bool holds, const char *what)
{
	if (holds)
		return;
	printf("%s\n", what);
	exit(1);
}

/* Columns of the program, one after the other; rows: hops, then pairs of leaves. */
struct program {
	uint32_t n_columns;
	size_t n_entries, cap_columns, cap_values, cap_at;
	CoinBigIndex *first;
	int *at; /* row of each entry */
	double *value;
};

static void *grow(void *old, size_t *cap, size_t need, size_t size)
{
	void *p = base_grow(old, cap, need, size);

	must(p != NULL, "out of memory");
	return p;
}

static void add_entry(struct program *lp, uint32_t row, double value)
{
	lp->at = grow(lp->at, &lp->cap_at, lp->n_entries + 1, sizeof(int));
	lp->value = grow(lp->value, &lp->cap_values, lp->n_entries + 1, sizeof(double));
	lp->at[lp->n_entries] = (int)row;
	lp->value[lp->n_entries++] = value;
}

static void end_column(struct program *lp)
{
	lp->first = grow(lp->first, &lp->cap_columns, (size_t)lp->n_columns + 2,
			 sizeof(CoinBigIndex));
	lp->first[0] = 0;
	lp->first[++lp->n_columns] = (CoinBigIndex)lp->n_entries;
}

/* What one leaf sends to another. */
struct pair {
	uint32_t src_nic, dst_nic; /* one of its connections */
	double bytes;
};

static uint32_t leaf_of(const struct topo_graph *g, uint32_t nic)
{
	uint32_t n;
	const uint32_t *hops = topo_graph_hops(g, nic, &n);

	must(n == 1, "a NIC with several links");
	return topo_hop_to(topo_graph_links(g), hops[0]);
}

/* Pairs of leaves with traffic between them, in order of first appearance. */
static struct pair *find_pairs(const struct planner_problem *p, uint32_t *ret_n)
{
	uint32_t n_nodes = topo_graph_n_nodes(p->graph), n = 0;
	uint32_t *index = base_array_new((size_t)n_nodes * n_nodes, sizeof(*index));
	struct pair *pairs = base_array_new(p->n_conns, sizeof(*pairs));

	must(index && pairs, "out of memory");
	for (uint32_t c = 0; c < p->n_conns; c++) {
		const struct planner_conn *conn = &p->conns[c];
		uint32_t from = leaf_of(p->graph, conn->src_nic),
			 to = leaf_of(p->graph, conn->dst_nic);
		uint32_t *at = &index[(size_t)from * n_nodes + to];

		if (from == to)
			continue;
		if (*at == 0) {
			pairs[n++] = (struct pair){ conn->src_nic, conn->dst_nic, 0 };
			*at = n;
		}
		pairs[*at - 1].bytes += (double)conn->bytes;
	}
	free(index);
	*ret_n = n;
	return pairs;
}

/* A column for each path of the pair: its share of the pair's bytes. */
static void add_pair(struct program *lp, const struct planner_problem *p,
		     struct topo_paths *paths, const struct pair *pair, uint32_t number)
{
	const struct topo_link *links = topo_graph_links(p->graph);
	uint32_t n_hops = 2 * topo_graph_n_links(p->graph);
	double reference_s = gen_plans_reference_s(p);
	uint64_t n;

	must(topo_paths_aim(paths, pair->dst_nic, TOPO_NONE) == 0, "no way to a NIC");
	n = topo_paths_count(paths, pair->src_nic);
	must(n > 0 && n < 100000, "no path, or too many");
	for (uint64_t i = 0; i < n; i++) {
		uint32_t hops[TOPO_PATH_HOPS_MAX];
		int length = topo_paths_get(paths, pair->src_nic, i, hops);

		for (int h = 1; h + 1 < length; h++)
			add_entry(
				lp, hops[h],
				pair->bytes * 8 /
					((double)links[topo_hop_link(hops[h])].rate_bps *
					 reference_s));
		add_entry(lp, n_hops + number, 1);
		end_column(lp);
	}
}

static double solve(struct program *lp, uint32_t n_hops, uint32_t n_pairs)
{
	uint32_t n_rows = n_hops + n_pairs, largest = lp->n_columns - 1;
	double *low = base_array_new(n_rows, sizeof(double));
	double *high = base_array_new(n_rows, sizeof(double));
	double *zero = base_array_new(lp->n_columns, sizeof(double));
	double *most = base_array_new(lp->n_columns, sizeof(double));
	double *cost = base_array_new(lp->n_columns, sizeof(double));
	Clp_Simplex *clp = Clp_newModel();
	double optimum;

	must(low && high && zero && most && cost && clp, "out of memory");
	for (uint32_t row = 0; row < n_rows; row++) {
		low[row] = row < n_hops ? -INFINITY : 1;
		high[row] = row < n_hops ? 0 : 1;
	}
	for (uint32_t column = 0; column < lp->n_columns; column++)
		most[column] = INFINITY;
	cost[largest] = 1;
	Clp_setLogLevel(clp, 0);
	Clp_loadProblem(clp, (int)lp->n_columns, (int)n_rows, lp->first, lp->at,
			lp->value, zero, most, cost, low, high);
	must(Clp_initialDualSolve(clp) == 0 && Clp_status(clp) == 0, "CLP gave up");
	optimum = Clp_objectiveValue(clp);
	Clp_deleteModel(clp);
	free(low);
	free(high);
	free(zero);
	free(most);
	free(cost);
	return optimum;
}

/* The least largest load of any link between switches. */
static double optimum_of(const struct planner_problem *p)
{
	uint32_t n_hops = 2 * topo_graph_n_links(p->graph), n_pairs;
	struct pair *pairs = find_pairs(p, &n_pairs);
	struct program lp = { 0 };
	struct topo_paths *paths;
	double optimum;

	must(topo_paths_new(p->graph, &paths) == 0, "out of memory");
	for (uint32_t i = 0; i < n_pairs; i++)
		add_pair(&lp, p, paths, &pairs[i], i);
	/* The last column is the largest load: every link is at or below it. */
	for (uint32_t hop = 0; hop < n_hops; hop++)
		add_entry(&lp, hop, -1);
	end_column(&lp);
	optimum = solve(&lp, n_hops, n_pairs);
	topo_paths_free(paths);
	free(pairs);
	free(lp.first);
	free(lp.at);
	free(lp.value);
	return optimum;
}

struct oracle_case {
	const char *name;
	struct topo_clos3 shape; /* pods 0: two tiers */
	uint32_t dead_ppm;
	bool has_slow_spines;
	uint32_t traffic; /* 0 permutation, 1 mix */
	uint64_t seed;
};

#define CLOS(p, l, n, s, c)                                                              \
	{                                                                                \
		.pods = (p), .leaves = (l), .nics_per_leaf = (n), .spines = (s),         \
		.cores_per_spine = (c), .nic_rate_bps = RATE_BPS                         \
	}

static const struct oracle_case cases[] = {
	{ "two tiers 16x16x16, 1 % dead", CLOS(0, 16, 16, 16, 0), 10000, false, 0, 1 },
	{ "two tiers 16x16x16, 5 % dead", CLOS(0, 16, 16, 16, 0), 50000, false, 0, 2 },
	{ "two tiers 24x24x24, 1 % dead", CLOS(0, 24, 24, 24, 0), 10000, false, 0, 3 },
	{ "two tiers 24x24x24, 5 % dead", CLOS(0, 24, 24, 24, 0), 50000, false, 0, 4 },
	{ "two tiers 16x16x16, mix", CLOS(0, 16, 16, 16, 0), 10000, false, 1, 5 },
	{ "two tiers 16x16x16, slow spines", CLOS(0, 16, 16, 16, 0), 0, true, 0, 6 },
	{ "two tiers 16x16x16, slow spines, 3 % dead", CLOS(0, 16, 16, 16, 0), 30000,
	  true, 0, 7 },
	{ "three tiers 4x4x8, 1 % dead", CLOS(4, 4, 8, 8, 4), 10000, false, 0, 8 },
	{ "three tiers 4x4x8, 5 % dead", CLOS(4, 4, 8, 8, 4), 50000, false, 0, 9 },
	{ "three tiers 4x4x8, mix", CLOS(4, 4, 8, 8, 4), 10000, false, 1, 11 },
};

/* A copy in which the links of every other spine carry a quarter. */
static struct topo_graph *with_slow_spines(const struct topo_graph *g)
{
	struct topo_graph *copy = topo_graph_new();
	const struct topo_node *nodes = topo_graph_nodes(g);
	int r = copy ? 0 : -1;

	for (uint32_t n = 0; r == 0 && n < topo_graph_n_nodes(g); n++) {
		const char *name = topo_graph_text(g, nodes[n].name);
		struct base_str text;

		base_str_init(&text, 0);
		base_str_add(&text, name);
		if (nodes[n].kind == TOPO_HOST)
			r = topo_graph_add_host(copy, nodes[n].parent, text.data,
						text.len, nodes[n].pod, NULL, NULL);
		else if (nodes[n].kind == TOPO_NIC)
			r = topo_graph_add_nic(copy, nodes[n].parent, text.data, text.len,
					       nodes[n].rail, NULL, NULL);
		else
			r = topo_graph_add_switch(
				copy, nodes[n].parent, text.data, text.len, nodes[n].tier,
				nodes[n].pod, nodes[n].plane, nodes[n].rail, NULL, NULL);
		base_str_fini(&text);
	}
	for (uint32_t l = 0; r == 0 && l < topo_graph_n_links(g); l++) {
		struct topo_link link = topo_graph_links(g)[l];

		if (gen_plans_is_fabric(g, l) && link.b % 2)
			link.rate_bps /= 4;
		r = topo_graph_add_link(copy, &link, NULL, NULL);
	}
	must(r == 0 && topo_graph_seal(copy, NULL) == 0, "no copy");
	return copy;
}

static struct topo_graph *build(const struct oracle_case *c, struct base_rng *rng)
{
	struct topo_clos3 three = c->shape;
	struct topo_clos2 two = { .leaves = three.leaves,
				  .nics_per_leaf = three.nics_per_leaf,
				  .spines = three.spines,
				  .nic_rate_bps = RATE_BPS };
	struct topo_graph *g, *slow;

	three.nic_rate_bps = RATE_BPS;
	g = three.pods ? gen_plans_clos3(&three) : gen_plans_clos2(&two);
	if (c->has_slow_spines) {
		slow = with_slow_spines(g);
		topo_graph_free(g);
		g = slow;
	}
	gen_plans_kill(g, rng, c->dead_ppm);
	return g;
}

static bool run(const struct oracle_case *c)
{
	struct planner_problem p;
	struct planner_plan *plan;
	struct topo_graph *g;
	struct base_rng rng;
	struct gen_hosts h;
	double load, bound, optimum;
	bool good;

	base_rng_seed(&rng, c->seed);
	g = build(c, &rng);
	planner_problem_init(&p, g);
	gen_hosts_init(&h, g, &rng);
	if (c->traffic)
		gen_plans_mix(&p, &h, 32, BYTES);
	else
		gen_traffic_permutation(&p, &rng, BYTES);
	plan = gen_plans_solve(&p, QPS, false);
	load = (double)plan->certificate.fabric_load_ppm / 1e6;
	bound = (double)plan->certificate.fabric_bound_ppm / 1e6;
	optimum = optimum_of(&p);
	good = load <= optimum * 1.05 && load >= optimum - 1e-5 &&
	       bound <= optimum + 1e-5;
	printf("%-40s %10.6f %10.6f %10.6f %8.4f %s\n", c->name, bound, optimum, load,
	       load / optimum, good ? "" : "MISSED");
	planner_plan_free(plan);
	gen_hosts_fini(&h);
	planner_problem_fini(&p);
	topo_graph_free(g);
	return good;
}

int main(void)
{
	bool good = true;

	printf("%-40s %10s %10s %10s %8s\n", "four weighted QPs", "cut bound", "LP",
	       "plan", "plan/LP");
	for (size_t i = 0; i < BASE_COUNT(cases); i++)
		good &= run(&cases[i]);
	return good ? 0 : 1;
}
