/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_case.h"

static void write_plan(const struct planner_problem *p, const struct planner_plan *plan,
		       struct base_str *text)
{
	base_str_init(text, 0);
	planner_plan_write_json(p, plan, text);
	assert_int_equal(base_str_error(text), 0);
}

/* Fabrics and plans of every sort come back as they were. */
struct round_case {
	const char *name;
	uint32_t planes, qps;
	bool equal_weights;
	const char *dead;
	bool unroutable;
};

static struct round_case round_cases[] = {
	{ "one QP each", 1, 1, true, NULL, false },
	{ "QPs of uneven weights", 1, 3, false, "leaf0-spine0", false },
	{ "two planes", 2, 2, true, NULL, false },
	{ "a connection without a path", 1, 2, true, "h0.nic0-leaf0", true },
};

static void test_round_trip(void **state)
{
	const struct round_case *r = *state;
	struct planner_plan *plan, *again;
	struct base_str first, second;
	struct planner_problem p;
	struct base_err err = { 0 };
	struct plan_case c;

	plan_case_init(&c, 2, 3, 3, r->planes);
	if (r->dead)
		plan_case_kill(&c, r->dead);
	for (uint32_t i = 0; i < 3; i++) {
		char from[16], to[16];

		snprintf(from, sizeof(from), "h%u", i);
		snprintf(to, sizeof(to), "h%u", i + 3);
		plan_case_conn(&c, from, to, CASE_BYTES * (i + 1), i);
	}
	plan = gen_plans_solve(&c.p, r->qps, r->equal_weights);
	assert_int_equal(plan->unroutable, r->unroutable);
	write_plan(&c.p, plan, &first);
	planner_problem_init(&p, c.g);
	assert_int_equal(planner_plan_read_json("p", first.data, first.len, c.names, &p,
						&again, &err),
			 0);
	assert_int_equal(planner_plan_check(&p, again, NULL), 0);
	assert_int_equal(again->graph_fingerprint, topo_graph_fingerprint(c.g));
	assert_int_equal(again->problem_fingerprint, planner_problem_fingerprint(&c.p));
	assert_int_equal(planner_problem_fingerprint(&p),
			 planner_problem_fingerprint(&c.p));
	assert_memory_equal(&again->certificate, &plan->certificate,
			    sizeof(plan->certificate));
	write_plan(&p, again, &second);
	assert_string_equal(second.data, first.data);
	base_str_fini(&first);
	base_str_fini(&second);
	planner_plan_free(plan);
	planner_plan_free(again);
	planner_problem_fini(&p);
	plan_case_fini(&c);
}

#define HEAD "{\"schema\": \"fairlead.plan.v1\", \"jobs\": [\"a\"],\n\"connections\": [\n"
#define FROM_TO "\"from\": \"h0\", \"to\": \"h1\", \"bytes\": 5"
#define PATH "\"h0.nic0 > leaf0 > h1.nic0\""
#define QP "{\"path\": " PATH ", \"weight_ppm\": 1000000}"

struct bad_case {
	const char *name, *text;
	int code;
	uint32_t line, column;
	const char *message;
};

/* h0 and h1 on leaf0, h2 and h3 on leaf1, one spine. */
static struct bad_case bad_cases[] = {
	{ "nothing", "", -BASE_E_SYNTAX, 1, 1, NULL },
	{ "cut off", HEAD "{" FROM_TO ", \"qps\": [", -BASE_E_SYNTAX, 3, 0, NULL },
	{ "a list", "[]", -BASE_E_SCHEMA, 1, 1, NULL },
	{ "another document", "{\"schema\": \"fairlead.fabric.v1\"}", -BASE_E_SCHEMA, 1,
	  12, NULL },
	{ "a later version", "{\"schema\": \"fairlead.plan.v2\"}", -BASE_E_SCHEMA, 1, 12,
	  NULL },
	{ "a word that is none",
	  "{\"schema\": \"fairlead.plan.v1\",\n\"connection\": []}", 0, 2, 1,
	  "connections" },
	{ "no jobs", "{\"schema\": \"fairlead.plan.v1\", \"connections\": []}", 0, 0, 0,
	  "jobs" },
	{ "no connections", "{\"schema\": \"fairlead.plan.v1\", \"jobs\": []}", 0, 0, 0,
	  "connections" },
	{ "connections of no job",
	  "{\"schema\": \"fairlead.plan.v1\", \"jobs\": [],\n\"connections\": [{}]}",
	  -BASE_E_INVALID, 2, 16, "needs at least one job" },
	{ "a fingerprint that is too short",
	  "{\"schema\": \"fairlead.plan.v1\", \"fabric_fingerprint\":\n\"12\"}",
	  -BASE_E_INVALID, 2, 1, "must be 16 hexadecimal digits" },
	{ "a connection that is a number", HEAD "5]}", 0, 3, 1, NULL },
	{ "a host that is not there",
	  HEAD "{\"from\": \"h9\", \"to\": \"h1\", \"bytes\": 5, \"qps\": []}]}",
	  -BASE_E_UNKNOWN, 3, 10, "h9" },
	{ "a job that is not there", HEAD "{" FROM_TO ", \"qps\": [], \"job\": 1}]}", 0,
	  3, 58, NULL },
	{ "no bytes",
	  HEAD "{\"from\": \"h0\", \"to\": \"h1\", \"bytes\": 0, \"qps\": []}]}", 0, 3,
	  37, NULL },
	{ "both ends the same",
	  HEAD "{\"from\": \"h0\", \"to\": \"h0\", \"bytes\": 5, \"qps\": []}]}",
	  -BASE_E_INVALID, 3, 1, "from a NIC to itself" },
	{ "a plane that is not there", HEAD "{" FROM_TO ", \"qps\": [], \"plane\": 1}]}",
	  0, 3, 60, NULL },
	{ "no QPs", HEAD "{" FROM_TO "}]}", 0, 3, 0, "qps" },
	{ "a QP that is a path", HEAD "{" FROM_TO ", \"qps\": [" PATH "]}]}", 0, 3, 48,
	  NULL },
	{ "a weight over all",
	  HEAD "{" FROM_TO ", \"qps\": [{\"path\": " PATH
	       ", \"weight_ppm\": 1000001}]}]}",
	  0, 3, 100, NULL },
	{ "weights that do not add up", HEAD "{" FROM_TO ", \"qps\": [" QP ", " QP "]}]}",
	  -BASE_E_INVALID, 3, 47, "weights must add up to 1000000 ppm, not 2000000" },
	{ "a path of one NIC",
	  HEAD "{" FROM_TO ", \"qps\": [{\"path\": \"h0.nic0\", \"weight_ppm\": 5}]}]}",
	  -BASE_E_SYNTAX, 3, 57, NULL },
	{ "a link that is not there",
	  HEAD "{" FROM_TO ", \"qps\": [{\"path\": \"h0.nic0 > leaf1 > h1.nic0\", "
	       "\"weight_ppm\": 5}]}]}",
	  -BASE_E_UNKNOWN, 3, 57, NULL },
	{ "a path from elsewhere",
	  HEAD "{" FROM_TO ", \"qps\": [{\"path\": \"h1.nic0 > leaf0 > h0.nic0\", "
	       "\"weight_ppm\": 1000000}]}]}",
	  -BASE_E_INVALID, 3, 57,
	  "must lead from the connection's \"from\" to its \"to\"" },
};

static void test_bad(void **state)
{
	const struct bad_case *b = *state;
	struct planner_plan *plan = NULL;
	struct base_err err = { 0 };
	struct planner_problem p;
	struct plan_case c;
	int r;

	plan_case_init(&c, 2, 2, 1, 1);
	planner_problem_init(&p, c.g);
	r = planner_plan_read_json("bad.json", b->text, strlen(b->text), c.names, &p,
				   &plan, &err);
	assert_true(r < 0);
	assert_null(plan);
	assert_int_equal(p.n_conns, 0);
	assert_int_equal(p.n_jobs, 0);
	assert_int_equal(p.n_phases, 0);
	if (b->code)
		assert_int_equal(r, b->code);
	assert_int_equal(err.code, r);
	assert_string_equal(err.file, "bad.json");
	if (b->line)
		assert_int_equal(err.line, b->line);
	if (b->column)
		assert_int_equal(err.column, b->column);
	if (b->message)
		assert_non_null(strstr(err.message, b->message));
	planner_problem_fini(&p);
	plan_case_fini(&c);
}

/* A path over a dead link is read: replanning is for that. */
static void test_dead_link(void **state)
{
	static const char text[] = HEAD "{" FROM_TO ", \"qps\": [" QP "]}]}";
	struct planner_plan *plan = NULL;
	struct base_err err = { 0 };
	struct planner_problem p;
	struct plan_case c;

	(void)state;
	plan_case_init(&c, 2, 2, 1, 1);
	plan_case_kill(&c, "h0.nic0-leaf0");
	planner_problem_init(&p, c.g);
	assert_int_equal(
		planner_plan_read_json("p", text, strlen(text), c.names, &p, &plan, NULL),
		0);
	assert_int_equal(plan->n_qps, 1);
	assert_int_equal(planner_plan_check(&p, plan, &err), -BASE_E_INVALID);
	planner_plan_free(plan);
	planner_problem_fini(&p);
	plan_case_fini(&c);
}

/* One QP more than a connection may have. */
static void test_too_many(void **state)
{
	struct planner_plan *plan = NULL;
	struct base_err err = { 0 };
	struct planner_problem p;
	struct base_str text;
	struct plan_case c;

	(void)state;
	plan_case_init(&c, 2, 2, 1, 1);
	planner_problem_init(&p, c.g);
	base_str_init(&text, 0);
	base_str_add(&text, HEAD "{" FROM_TO ", \"qps\": [");
	for (uint32_t i = 0; i <= PLANNER_QPS_MAX; i++)
		base_str_add(&text, i ? ", " QP : QP);
	base_str_add(&text, "]}]}");
	assert_int_equal(planner_plan_read_json("p", text.data, text.len, c.names, &p,
						&plan, &err),
			 -BASE_E_TOO_LARGE);
	assert_non_null(strstr(err.message, "has 129 QPs; a connection has at most 128"));
	base_str_fini(&text);
	planner_problem_fini(&p);
	plan_case_fini(&c);
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_round_trip, round_cases);
	ROWS_ADD(&rows, test_bad, bad_cases);
	rows_add_test(&rows, "a path over a dead link", test_dead_link);
	rows_add_test(&rows, "too many QPs", test_too_many);
	return rows_run(&rows, "planner_plan_read_json");
}
