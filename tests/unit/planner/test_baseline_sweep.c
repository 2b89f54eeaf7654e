/* SPDX-License-Identifier: Apache-2.0 */
#include <unit/rows.h>
#include <gen/traffic.h>
#include <planner/baseline.h>
#include <topo/generate.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

#define GBIT 1000000000ull
#define SETTINGS_MAX 32

/*
 * The testbed of the C4 paper: 16 hosts with 8 NICs on rail leaves in two segments, 8
 * spines; 8 jobs of two hosts, one in each segment.
 */
struct testbed {
	struct topo_graph *g;
	struct planner_problem p;
};

static void open_testbed(struct testbed *t, uint32_t planes, uint32_t spines)
{
	struct topo_clos2 shape = { .leaves = 16,
				    .nics_per_leaf = 8,
				    .spines = spines,
				    .rail = true,
				    .planes = planes,
				    .nic_rate_bps = 200 * GBIT };

	assert_int_equal(topo_generate_clos2(&shape, &t->g, NULL), 0);
	planner_problem_init(&t->p, t->g);
	gen_traffic_rings(&t->p, 2, 1000000);
	assert_int_equal(t->p.n_conns, 128);
}

static void close_testbed(struct testbed *t)
{
	planner_problem_fini(&t->p);
	topo_graph_free(t->g);
}

/*
 * What independent code found for the same setting: bus bandwidth by weight and by speed,
 * and the largest load, means of 200 seeds, in hundredths.
 */
struct table_case {
	const char *name;
	uint32_t spines;
	struct {
		uint32_t by_weight, by_speed, load;
	} want[4]; /* 1, 2, 4, 8 QPs */
};

static struct table_case table_cases[] = {
	{ "C4's testbed 1:1",
	  8,
	  { { 29, 29, 395 }, { 36, 45, 296 }, { 44, 64, 237 }, { 52, 81, 194 } } },
	{ "C4's testbed 2:1",
	  4,
	  { { 21, 21, 516 }, { 25, 28, 420 }, { 29, 37, 351 }, { 33, 43, 303 } } },
};

static void assert_near(uint64_t ppm, uint32_t want_percent, uint32_t off_percent)
{
	assert_in_range(ppm, (want_percent - off_percent) * 10000ul,
			(want_percent + off_percent) * 10000ul);
}

static void test_table(void **state)
{
	static const uint32_t qps[] = { 1, 2, 4, 8 };
	const struct table_case *c = *state;
	struct planner_sweep_options options = {
		.qps = qps, .n_qps = 4, .seed = 1, .loads = true
	};
	struct planner_setting settings[SETTINGS_MAX];
	struct testbed t;

	open_testbed(&t, 1, c->spines);
	assert_int_equal(planner_sweep(&t.p, &options, settings, SETTINGS_MAX), 8);
	for (size_t i = 0; i < 4; i++) {
		const struct planner_setting *weight = &settings[2 * i];
		const struct planner_setting *speed = &settings[2 * i + 1];

		assert_int_equal(weight->qps, qps[i]);
		assert_int_equal(weight->sharing, PLANNER_BY_WEIGHT);
		assert_int_equal(speed->sharing, PLANNER_BY_SPEED);
		assert_int_equal(weight->busbw.n, 200);
		assert_near(weight->busbw.mean_ppm, c->want[i].by_weight, 2);
		assert_near(speed->busbw.mean_ppm, c->want[i].by_speed, 2);
		assert_true(speed->busbw.worst_ppm >= weight->busbw.worst_ppm);
		assert_near(weight->busbw.largest_load_mean_ppm, c->want[i].load, 10);
	}
	/* Most QPs by speed. */
	assert_int_equal(planner_sweep_best(settings, 8), 7);
	close_testbed(&t);
}

static void test_usual(void **state)
{
	struct planner_sweep_options options = { .seeds = 2, .seed = 7 };
	struct planner_setting settings[SETTINGS_MAX];
	struct testbed t;
	int n;

	(void)state;
	open_testbed(&t, 2, 8);
	n = planner_sweep(&t.p, &options, settings, SETTINGS_MAX);
	assert_int_equal(n, 24);
	for (int i = 0; i < n; i++) {
		const struct planner_distribution *d = &settings[i].busbw;

		assert_int_equal(settings[i].qps, 1u << (i / 4));
		assert_int_equal(settings[i].planes, i / 2 % 2 ? PLANNER_PLANES_KEPT
							       : PLANNER_PLANES_CROSSED);
		assert_int_equal(d->n, 2);
		assert_true(d->worst_job_ppm <= d->worst_ppm &&
			    d->worst_ppm <= d->mean_ppm);
		assert_true(d->mean_ppm <= d->best_ppm && d->best_ppm <= 1000000);
		assert_int_equal(d->mean_ppm, (d->worst_ppm + d->best_ppm + 1) / 2);
		assert_int_equal(d->largest_load_mean_ppm, 0);
	}
	assert_int_equal(planner_sweep(&t.p, &options, settings, 5), 5);
	close_testbed(&t);
}

static void test_determinism(void **state)
{
	static const uint32_t four[] = { 4 }, some[] = { 1, 4 };
	struct planner_sweep_options options = {
		.qps = four, .n_qps = 1, .seeds = 3, .seed = 5
	};
	struct planner_setting alone[SETTINGS_MAX], again[SETTINGS_MAX],
		among[SETTINGS_MAX];
	struct testbed t;

	(void)state;
	memset(alone, 0, sizeof(alone));
	memset(again, 0, sizeof(again));
	open_testbed(&t, 1, 8);
	assert_int_equal(planner_sweep(&t.p, &options, alone, SETTINGS_MAX), 2);
	assert_int_equal(planner_sweep(&t.p, &options, again, SETTINGS_MAX), 2);
	assert_memory_equal(alone, again, sizeof(alone));
	options.qps = some;
	options.n_qps = 2;
	assert_int_equal(planner_sweep(&t.p, &options, among, SETTINGS_MAX), 4);
	assert_int_equal(among[2].busbw.mean_ppm, alone[0].busbw.mean_ppm);
	options.seed = 6;
	assert_int_equal(planner_sweep(&t.p, &options, among, SETTINGS_MAX), 4);
	assert_int_not_equal(among[2].busbw.mean_ppm, alone[0].busbw.mean_ppm);
	close_testbed(&t);
}

static void test_flows_max(void **state)
{
	static const uint32_t qps[] = { 1, 2 };
	struct planner_sweep_options options = { .qps = qps, .n_qps = 2, .seeds = 50 };
	struct planner_setting settings[SETTINGS_MAX];
	struct testbed t;

	(void)state;
	open_testbed(&t, 1, 8);
	options.flows_max = 1; /* one seed each, whatever it costs */
	assert_int_equal(planner_sweep(&t.p, &options, settings, SETTINGS_MAX), 4);
	assert_int_equal(settings[0].busbw.n, 1);
	options.flows_max = (uint64_t)10 * 128 * 3; /* of ten seeds */
	assert_int_equal(planner_sweep(&t.p, &options, settings, SETTINGS_MAX), 4);
	assert_int_equal(settings[0].busbw.n, 10);
	assert_int_equal(settings[3].busbw.n, 10);
	close_testbed(&t);
}

struct meter {
	uint64_t calls, done, total, stop_at;
};

static int count_call(void *context, uint64_t done, uint64_t total)
{
	struct meter *m = context;

	m->calls++;
	m->done = done;
	m->total = total;
	return done == m->stop_at;
}

static void test_progress(void **state)
{
	static const uint32_t qps[] = { 1, 2 };
	struct meter m = { 0, 0, 0, 0 };
	struct planner_sweep_options options = {
		.qps = qps, .n_qps = 2, .seeds = 3, .progress = count_call, .context = &m
	};
	struct planner_setting settings[SETTINGS_MAX], before[SETTINGS_MAX];
	struct testbed t;

	(void)state;
	open_testbed(&t, 1, 8);
	assert_int_equal(planner_sweep(&t.p, &options, settings, SETTINGS_MAX), 4);
	assert_int_equal(m.calls, 6);
	assert_int_equal(m.done, 6);
	assert_int_equal(m.total, 6);
	m.stop_at = 4;
	memset(settings, 0x5a, sizeof(settings));
	memcpy(before, settings, sizeof(settings));
	assert_int_equal(planner_sweep(&t.p, &options, settings, SETTINGS_MAX),
			 -ECANCELED);
	assert_int_equal(m.done, 4);
	assert_memory_equal(settings, before, sizeof(settings));
	close_testbed(&t);
}

static void test_refused(void **state)
{
	static const uint32_t qps[] = { 1, 0 };
	struct planner_sweep_options options = { .qps = qps, .n_qps = 2, .seeds = 1 };
	struct planner_setting settings[SETTINGS_MAX];
	struct testbed t;

	(void)state;
	open_testbed(&t, 1, 8);
	assert_int_equal(planner_sweep(&t.p, &options, settings, SETTINGS_MAX), -EINVAL);
	close_testbed(&t);
}

/* Loads of different phases never add up; a phase may be empty. */
static void test_phases(void **state)
{
	static const uint32_t qps[] = { 4 };
	struct planner_sweep_options options = {
		.qps = qps, .n_qps = 1, .seeds = 2, .loads = true
	};
	struct planner_setting settings[SETTINGS_MAX];
	struct planner_conn conn;
	struct testbed t;

	(void)state;
	open_testbed(&t, 1, 8);
	conn = t.p.conns[0];
	t.p.n_conns = t.p.n_phases = 0;
	for (conn.phase = 0; conn.phase <= 6; conn.phase += 2)
		assert_int_equal(planner_problem_add_conn(&t.p, &conn, NULL), 0);
	assert_int_equal(planner_sweep(&t.p, &options, settings, SETTINGS_MAX), 2);
	assert_int_equal(settings[0].busbw.largest_load_mean_ppm, 1000000);
	assert_int_equal(settings[0].busbw.mean_ppm, 1000000);
	close_testbed(&t);
}

/* A count is left out when it makes more QPs than a plan has, and no other is. */
static void test_too_many_qps(void **state)
{
	static const uint32_t qps[] = { 1, 128 };
	struct planner_sweep_options options = { .qps = qps, .n_qps = 2, .seeds = 1 };
	struct planner_setting settings[SETTINGS_MAX];
	struct planner_conn conn;
	struct testbed t;

	(void)state;
	open_testbed(&t, 1, 8);
	conn = t.p.conns[0];
	while (t.p.n_conns <= PLANNER_TOTAL_QPS_MAX / 128)
		assert_int_equal(planner_problem_add_conn(&t.p, &conn, NULL), 0);
	assert_int_equal(planner_sweep(&t.p, &options, settings, SETTINGS_MAX), 2);
	assert_int_equal(settings[0].qps, 1);
	assert_int_equal(settings[1].qps, 1);
	close_testbed(&t);
}

static void test_best(void **state)
{
	struct planner_setting s[4] = {
		{ .qps = 8, .busbw.mean_ppm = 500 },
		{ .qps = 4, .busbw.mean_ppm = 700 },
		{ .qps = 2, .busbw.mean_ppm = 700 },
		{ .qps = 1, .busbw.mean_ppm = 600 },
	};

	(void)state;
	assert_int_equal(planner_sweep_best(s, 4), 2);
	assert_int_equal(planner_sweep_best(s, 2), 1);
	assert_int_equal(planner_sweep_best(s, 1), 0);
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_table, table_cases);
	rows_add_test(&rows, "the usual settings in their order", test_usual);
	rows_add_test(&rows, "a setting's draws depend on it and the seed alone",
		      test_determinism);
	rows_add_test(&rows, "enough flows end it", test_flows_max);
	rows_add_test(&rows, "progress is told, and can stop it", test_progress);
	rows_add_test(&rows, "a count of QPs that no plan has", test_refused);
	rows_add_test(&rows, "phases do not add up", test_phases);
	rows_add_test(&rows, "a count that makes too many QPs", test_too_many_qps);
	rows_add_test(&rows, "the best mean, ties to fewer QPs", test_best);
	return rows_run(&rows, "planner_sweep");
}
