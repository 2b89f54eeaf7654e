/* SPDX-License-Identifier: Apache-2.0 */
#include <unit/rows.h>
#include <gen/traffic.h>
#include <planner/baseline.h>
#include <planner/evaluate.h>
#include <topo/generate.h>
#include <topo/path.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

#define CONNS_MAX 4
#define QPS_MAX 8
#define JOBS_MAX 4
#define RATE 100000000000

/* Two leaves of four NICs (hosts 0..3, 4..7), four spines: path s of a pair goes over
 * spine s. */
static struct topo_graph *graph;

struct qp_row {
	uint32_t conn, path, weight_ppm;
};

struct evaluate_case {
	const char *name;
	size_t n_jobs;
	uint32_t n_phases, n_conns;
	struct {
		uint32_t src, dst, job, phase; /* hosts */
		uint64_t bytes;
	} conns[CONNS_MAX];
	size_t n_qps;
	struct qp_row qps[QPS_MAX];
	uint64_t by_weight_ppm[JOBS_MAX], by_speed_ppm[JOBS_MAX];
};

#define ALL 1000000

static struct evaluate_case evaluate_cases[] = {
	{ "one connection alone has the line",
	  1,
	  1,
	  1,
	  { { 0, 4, 0, 0, 7 } },
	  1,
	  { { 0, 0, ALL } },
	  { 1000000 },
	  { 1000000 } },
	{ "two on different spines do not meet",
	  2,
	  1,
	  2,
	  { { 0, 4, 0, 0, 1000 }, { 1, 5, 1, 0, 1000 } },
	  2,
	  { { 0, 0, ALL }, { 1, 1, ALL } },
	  { 1000000, 1000000 },
	  { 1000000, 1000000 } },
	{ "two on one spine get half each",
	  2,
	  1,
	  2,
	  { { 0, 4, 0, 0, 1000 }, { 1, 5, 1, 0, 1000 } },
	  2,
	  { { 0, 3, ALL }, { 1, 3, ALL } },
	  { 500000, 500000 },
	  { 500000, 500000 } },
	{ "the slowest connection is the job's",
	  1,
	  1,
	  3,
	  { { 0, 4, 0, 0, 1000 }, { 1, 5, 0, 0, 1000 }, { 2, 6, 0, 0, 1000 } },
	  3,
	  { { 0, 3, ALL }, { 1, 3, ALL }, { 2, 0, ALL } },
	  { 500000 },
	  { 500000 } },
	{ "bytes that follow speed avoid the crowded spine",
	  3,
	  1,
	  3,
	  { { 0, 4, 0, 0, 1000 }, { 1, 5, 1, 0, 1000 }, { 2, 6, 2, 0, 1000 } },
	  4,
	  { { 0, 0, 500000 }, { 0, 1, 500000 }, { 1, 0, ALL }, { 2, 0, ALL } },
	  { 666667, 333333, 333333 },
	  { 1000000, 333333, 333333 } },
	{ "uneven weights count as they are",
	  3,
	  1,
	  3,
	  { { 0, 4, 0, 0, 1000 }, { 1, 5, 1, 0, 1000 }, { 2, 6, 2, 0, 1000 } },
	  4,
	  { { 0, 0, 250000 }, { 0, 1, 750000 }, { 1, 0, ALL }, { 2, 0, ALL } },
	  { 888889, 333333, 333333 },
	  { 1000000, 333333, 333333 } },
	{ "a QP without weight is not there",
	  2,
	  1,
	  2,
	  { { 0, 4, 0, 0, 1000 }, { 1, 5, 1, 0, 1000 } },
	  3,
	  { { 0, 3, 0 }, { 0, 0, ALL }, { 1, 3, ALL } },
	  { 1000000, 1000000 },
	  { 1000000, 1000000 } },
	{ "a phase that collides and one that does not add up",
	  1,
	  2,
	  3,
	  { { 0, 4, 0, 0, 1000 }, { 1, 5, 0, 0, 1000 }, { 0, 4, 0, 1, 1000 } },
	  3,
	  { { 0, 3, ALL }, { 1, 3, ALL }, { 2, 3, ALL } },
	  { 666667 },
	  { 666667 } },
	{ "jobs in different phases do not meet",
	  2,
	  2,
	  2,
	  { { 0, 4, 0, 0, 1000 }, { 1, 5, 1, 1, 1000 } },
	  2,
	  { { 0, 3, ALL }, { 1, 3, ALL } },
	  { 1000000, 1000000 },
	  { 1000000, 1000000 } },
	{ "a NIC that sends unequal volumes shares by count",
	  1,
	  1,
	  2,
	  { { 0, 4, 0, 0, 3000 }, { 0, 5, 0, 0, 1000 } },
	  2,
	  { { 0, 0, ALL }, { 1, 1, ALL } },
	  { 666667 },
	  { 666667 } },
	{ "a NIC that receives unequal volumes likewise",
	  1,
	  1,
	  2,
	  { { 0, 4, 0, 0, 3000 }, { 1, 4, 0, 0, 1000 } },
	  2,
	  { { 0, 0, ALL }, { 1, 1, ALL } },
	  { 666667 },
	  { 666667 } },
	{ "a connection without a path never ends",
	  2,
	  1,
	  3,
	  { { 0, 4, 0, 0, 1000 }, { 1, 5, 0, 0, 1000 }, { 2, 6, 1, 0, 1000 } },
	  2,
	  { { 0, 0, ALL }, { 2, 1, ALL } },
	  { 0, 1000000 },
	  { 0, 1000000 } },
	{ "a connection whose QPs have no weight never ends",
	  1,
	  1,
	  2,
	  { { 0, 4, 0, 0, 1000 }, { 1, 5, 0, 0, 1000 } },
	  2,
	  { { 0, 0, ALL }, { 1, 1, 0 } },
	  { 0 },
	  { 0 } },
	{ "a job without connections waits for nothing",
	  2,
	  1,
	  1,
	  { { 0, 4, 1, 0, 1000 } },
	  1,
	  { { 0, 0, ALL } },
	  { 1000000, 1000000 },
	  { 1000000, 1000000 } },
	{ "nothing at all", 0, 0, 0, { { 0 } }, 0, { { 0 } }, { 0 }, { 0 } },
};

static int open_graph(void **state)
{
	struct topo_clos2 shape = {
		.leaves = 2, .nics_per_leaf = 4, .spines = 4, .nic_rate_bps = RATE
	};

	(void)state;
	return topo_generate_clos2(&shape, &graph, NULL);
}

static int close_graph(void **state)
{
	(void)state;
	topo_graph_free(graph);
	return 0;
}

static void add_qp(const struct planner_problem *p, struct planner_plan *plan,
		   const struct qp_row *row)
{
	const struct planner_conn *conn = &p->conns[row->conn];
	struct planner_qp *qp = &plan->qps[plan->n_qps++];
	struct topo_paths *paths;
	int n;

	assert_int_equal(topo_paths_new(p->graph, &paths), 0);
	assert_int_equal(topo_paths_aim(paths, conn->dst_nic, TOPO_NONE), 0);
	n = topo_paths_get(paths, conn->src_nic, row->path, plan->hops + plan->n_hops);
	assert_int_equal(n, 4);
	*qp = (struct planner_qp){ (uint32_t)plan->n_hops, 4, row->weight_ppm };
	plan->n_hops += 4;
	plan->conn_first[row->conn + 1] = plan->n_qps;
	topo_paths_free(paths);
}

static struct planner_plan *build_plan(const struct planner_problem *p,
				       const struct qp_row *qps, size_t n_qps)
{
	struct planner_plan *plan =
		planner_plan_new(p->n_conns, (uint32_t)n_qps, n_qps * TOPO_PATH_HOPS_MAX);
	size_t q = 0;

	assert_non_null(plan);
	plan->n_qps = 0;
	plan->n_hops = 0;
	for (uint32_t conn = 0; conn < p->n_conns; conn++) {
		plan->conn_first[conn + 1] = plan->conn_first[conn];
		for (; q < n_qps && qps[q].conn == conn; q++)
			add_qp(p, plan, &qps[q]);
	}
	return plan;
}

static void check_sharing(const struct evaluate_case *c, const struct planner_problem *p,
			  const struct planner_plan *plan, enum planner_sharing sharing,
			  const uint64_t *want_ppm)
{
	struct planner_busbw busbw = { 0 };
	uint64_t jobs_ppm[JOBS_MAX] = { 0 }, best_ppm = 0, worst_ppm = ALL, sum_ppm = 0;

	assert_int_equal(planner_evaluate(p, plan, sharing, &busbw, jobs_ppm), 0);
	for (uint32_t job = 0; job < c->n_jobs; job++) {
		assert_int_equal(jobs_ppm[job], want_ppm[job]);
		best_ppm = want_ppm[job] > best_ppm ? want_ppm[job] : best_ppm;
		worst_ppm = want_ppm[job] < worst_ppm ? want_ppm[job] : worst_ppm;
		sum_ppm += want_ppm[job];
	}
	if (c->n_jobs == 0)
		sum_ppm = best_ppm = ALL;
	assert_int_equal(busbw.best_ppm, best_ppm);
	assert_int_equal(busbw.worst_ppm, worst_ppm);
	assert_in_range(busbw.mean_ppm, sum_ppm / (c->n_jobs ? c->n_jobs : 1),
			sum_ppm / (c->n_jobs ? c->n_jobs : 1) + 1);
	assert_int_equal(busbw.spread_ppm,
			 best_ppm ? (best_ppm - worst_ppm) * ALL / best_ppm : 0);
}

static void test_evaluate(void **state)
{
	const struct evaluate_case *c = *state;
	struct planner_problem p;
	struct planner_plan *plan;

	planner_problem_init(&p, graph);
	while (p.n_jobs < c->n_jobs)
		gen_traffic_job(&p);
	for (uint32_t i = 0; i < c->n_conns; i++)
		gen_traffic_conn(&p, gen_traffic_nic(graph, c->conns[i].src, 0),
				 gen_traffic_nic(graph, c->conns[i].dst, 0),
				 c->conns[i].job, c->conns[i].phase, c->conns[i].bytes);
	assert_int_equal(p.n_phases, c->n_phases);
	plan = build_plan(&p, c->qps, c->n_qps);
	check_sharing(c, &p, plan, PLANNER_BY_WEIGHT, c->by_weight_ppm);
	check_sharing(c, &p, plan, PLANNER_BY_SPEED, c->by_speed_ppm);
	planner_plan_free(plan);
	planner_problem_fini(&p);
}

/*
 * Data-parallel ring, pipeline, and expert all-to-all in groups of four, half, a quarter
 * and a quarter of a NIC's bytes: five flows share the NIC by count, the ring needs 0.5 /
 * 0.2.
 */
static void test_mixed_volumes(void **state)
{
	struct topo_clos2 shape = {
		.leaves = 1, .nics_per_leaf = 8, .spines = 1, .nic_rate_bps = RATE
	};
	struct topo_graph *g;
	struct planner_problem p;
	struct planner_plan *plan;
	struct planner_busbw busbw;
	struct base_rng rng;

	(void)state;
	base_rng_seed(&rng, 1);
	assert_int_equal(topo_generate_clos2(&shape, &g, NULL), 0);
	planner_problem_init(&p, g);
	gen_traffic_job(&p);
	for (uint32_t i = 0; i < 8; i++) {
		uint32_t nic = gen_traffic_nic(g, i, 0);

		gen_traffic_conn(&p, nic, gen_traffic_nic(g, (i + 1) % 8, 0), 0, 0, 600);
		gen_traffic_conn(&p, nic, gen_traffic_nic(g, (i + 4) % 8, 0), 0, 0, 300);
		for (uint32_t j = 1; j < 4; j++)
			gen_traffic_conn(&p, nic,
					 gen_traffic_nic(g, i / 4 * 4 + (i + j) % 4, 0),
					 0, 0, 100);
	}
	for (uint32_t qps = 1; qps <= 4; qps *= 4) {
		assert_int_equal(
			planner_ecmp(&p, qps, PLANNER_PLANES_CROSSED, &rng, false, &plan),
			0);
		assert_int_equal(
			planner_evaluate(&p, plan, PLANNER_BY_WEIGHT, &busbw, NULL), 0);
		assert_int_equal(busbw.mean_ppm, 400000);
		assert_int_equal(planner_ceiling(&p, plan, &busbw), 0);
		assert_int_equal(busbw.mean_ppm, 400000);
		planner_plan_free(plan);
	}
	planner_problem_fini(&p);
	topo_graph_free(g);
}

/*
 * Three QPs share a NIC, two of the first job.  One of those dies: its job has nothing
 * then, and what it had of the NIC is shared by the others.
 */
static void test_dead_link(void **state)
{
	const struct qp_row qps[] = { { 0, 0, 500000 }, { 0, 1, 500000 }, { 1, 2, ALL } };
	uint64_t live_ppm[2], dead_ppm[2];
	struct planner_busbw busbw;
	struct planner_problem p;
	struct planner_plan *plan;

	(void)state;
	planner_problem_init(&p, graph);
	gen_traffic_job(&p);
	gen_traffic_job(&p);
	for (uint32_t i = 0; i < 2; i++)
		gen_traffic_conn(&p, gen_traffic_nic(graph, 0, 0),
				 gen_traffic_nic(graph, 4 + i, 0), i, 0, 1000);
	plan = build_plan(&p, qps, BASE_COUNT(qps));
	for (int sharing = 0; sharing < 2; sharing++) {
		uint32_t link = topo_hop_link(plan->hops[plan->qps[1].first_hop + 1]);

		assert_int_equal(planner_evaluate(&p, plan, (enum planner_sharing)sharing,
						  &busbw, live_ppm),
				 0);
		assert_int_equal(planner_plan_dead_hop(graph, plan, &plan->qps[1]),
				 TOPO_NONE);
		topo_graph_set_state(graph, link, TOPO_DOWN);
		assert_int_equal(planner_evaluate(&p, plan, (enum planner_sharing)sharing,
						  &busbw, dead_ppm),
				 0);
		assert_int_equal(
			topo_hop_link(planner_plan_dead_hop(graph, plan, &plan->qps[1])),
			link);
		assert_int_equal(planner_plan_certify(&p, plan), 0);
		topo_graph_set_state(graph, link, TOPO_UP);
		assert_int_equal(plan->certificate.qps_on_dead_links, 1);
		assert_int_equal(live_ppm[0], 666667);
		assert_int_equal(live_ppm[1], 333333);
		assert_int_equal(dead_ppm[0], 0);
		assert_int_equal(dead_ppm[1], 500000);
		assert_int_equal(busbw.mean_ppm, 250000);
	}
	planner_plan_free(plan);
	planner_problem_fini(&p);
}

/* Two jobs meet on a spine, and one of them, with unequal bytes, on its NIC as well. */
static void test_ceiling(void **state)
{
	const struct qp_row qps[] = { { 0, 0, ALL }, { 1, 0, ALL }, { 2, 0, ALL } };
	struct planner_problem p;
	struct planner_plan *plan;
	struct planner_busbw busbw;

	(void)state;
	planner_problem_init(&p, graph);
	gen_traffic_job(&p);
	gen_traffic_job(&p);
	gen_traffic_conn(&p, gen_traffic_nic(graph, 0, 0), gen_traffic_nic(graph, 4, 0),
			 0, 0, 3000);
	gen_traffic_conn(&p, gen_traffic_nic(graph, 0, 0), gen_traffic_nic(graph, 5, 0),
			 0, 0, 1000);
	gen_traffic_conn(&p, gen_traffic_nic(graph, 1, 0), gen_traffic_nic(graph, 6, 0),
			 1, 0, 1000);
	plan = build_plan(&p, qps, BASE_COUNT(qps));
	assert_int_equal(planner_evaluate(&p, plan, PLANNER_BY_WEIGHT, &busbw, NULL), 0);
	assert_int_equal(busbw.worst_ppm, 333333);
	assert_int_equal(busbw.best_ppm, 444444);
	assert_int_equal(planner_ceiling(&p, plan, &busbw), 0);
	assert_int_equal(busbw.worst_ppm, 666667);
	assert_int_equal(busbw.best_ppm, 1000000);
	planner_plan_free(plan);
	planner_problem_fini(&p);
}

static void test_other_problem(void **state)
{
	struct planner_problem p;
	struct planner_plan *plan = planner_plan_new(3, 0, 0);
	struct planner_busbw busbw = { 1, 2, 3, 4 }, before = busbw;

	(void)state;
	assert_non_null(plan);
	planner_problem_init(&p, graph);
	assert_int_equal(planner_evaluate(&p, plan, PLANNER_BY_WEIGHT, &busbw, NULL),
			 -EINVAL);
	assert_memory_equal(&busbw, &before, sizeof(busbw));
	planner_plan_free(plan);
	planner_problem_fini(&p);
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_evaluate, evaluate_cases);
	rows_add_test(&rows, "mixed volumes reach what the NIC shares",
		      test_mixed_volumes);
	rows_add_test(&rows, "a QP over a dead link carries nothing", test_dead_link);
	rows_add_test(&rows, "the ceiling is what NIC links allow", test_ceiling);
	rows_add_test(&rows, "a plan of another problem", test_other_problem);
	return rows_run_in(&rows, "planner_evaluate", open_graph, close_graph);
}
