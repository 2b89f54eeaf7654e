/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One walk, both back ends; and what the writer refuses.
 */
#include <base/err.h>
#include <base/out.h>
#include <base/str.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static void walk(struct base_out *o)
{
	base_out_object_begin(o, NULL, "Fabric small");
	base_out_string(o, "schema", NULL, "fairlead.topo-show.v1");
	base_out_number(o, "nodes", "nodes", 16384, BASE_OUT_COUNT);
	base_out_number(o, "rate_bps", "rate", 400000000000, BASE_OUT_BPS);
	base_out_table_begin(o, "links", "Links");
	for (uint64_t i = 1; i <= 2; i++) {
		base_out_object_begin(o, NULL, NULL);
		base_out_string(o, "from", "from", i == 1 ? "leaf1" : "leaf10");
		base_out_number(o, "load_ppm", "load", i * 500000, BASE_OUT_RATIO_PPM);
		base_out_object_end(o);
	}
	base_out_table_end(o);
	base_out_text(o, "2 of %d links shown", 2);
	base_out_object_end(o);
}

struct walk_case {
	const char *name;
	enum base_out_format format;
	const char *want;
};

static struct walk_case walk_cases[] = {
	{ "as text", BASE_OUT_TEXT,
	  "Fabric small\n"
	  "nodes:  16,384\n"
	  "rate:   400 Gbit/s\n"
	  "\n"
	  "Links\n"
	  "  from     load\n"
	  "  leaf1   0.500\n"
	  "  leaf10  1.000\n"
	  "\n"
	  "2 of 2 links shown\n" },
	{ "as JSON", BASE_OUT_JSON,
	  "{\"schema\":\"fairlead.topo-show.v1\",\"nodes\":16384,\"rate_bps\":"
	  "400000000000,"
	  "\"links\":[{\"from\":\"leaf1\",\"load_ppm\":500000},"
	  "{\"from\":\"leaf10\",\"load_ppm\":1000000}]}\n" },
	{ "as JSON for reading", BASE_OUT_JSON_PRETTY,
	  "{\n"
	  "  \"schema\": \"fairlead.topo-show.v1\",\n"
	  "  \"nodes\": 16384,\n"
	  "  \"rate_bps\": 400000000000,\n"
	  "  \"links\": [\n"
	  "    {\"from\": \"leaf1\", \"load_ppm\": 500000},\n"
	  "    {\"from\": \"leaf10\", \"load_ppm\": 1000000}\n"
	  "  ]\n"
	  "}\n" },
};

static void test_walk(void **state)
{
	const struct walk_case *c = *state;
	struct base_str s;
	struct base_out *o;

	base_str_init(&s, 0);
	o = base_out_new(c->format, false, &s);
	assert_non_null(o);
	assert_int_equal(base_out_format(o), c->format);
	walk(o);
	assert_int_equal(base_out_finish(o), 0);
	assert_string_equal(base_str_text(&s), c->want);
	base_str_fini(&s);
}

/* Whatever the ceiling, the walk goes through and the error comes out at the end. */
static void test_ceiling(void **state)
{
	const struct walk_case *c = *state;
	struct base_str s;
	struct base_out *o;

	for (size_t max = 1; max < 100; max++) {
		base_str_init(&s, max);
		o = base_out_new(c->format, false, &s);
		assert_non_null(o);
		walk(o);
		assert_int_equal(base_out_finish(o), -BASE_E_TOO_LARGE);
		assert_true(s.len <= max);
		base_str_fini(&s);
	}
}

/* A text that is whole is shown; the first that is not makes the document fail. */
static void test_built_text(void **state)
{
	const struct walk_case *c = *state;
	struct base_str s, whole, cut;
	struct base_out *o;

	for (int with_cut = 0; with_cut < 2; with_cut++) {
		base_str_init(&s, 0);
		base_str_init(&whole, 0);
		base_str_init(&cut, 3);
		base_str_add(&whole, "leaf3");
		base_str_add(&cut, "leaf3");
		o = base_out_new(c->format, false, &s);
		assert_non_null(o);
		base_out_object_begin(o, NULL, NULL);
		if (with_cut)
			base_out_str(o, "cut", "cut", &cut);
		base_out_str(o, "leaf", "leaf", &whole);
		base_out_fail(o, 0);
		base_out_object_end(o);
		assert_int_equal(base_out_finish(o), with_cut ? -BASE_E_TOO_LARGE : 0);
		assert_true(with_cut || strstr(base_str_text(&s), "leaf3"));
		base_str_fini(&s);
		base_str_fini(&whole);
		base_str_fini(&cut);
	}
}

/* Wrong walks. */

static void key_in_a_list(struct base_out *o)
{
	base_out_list_begin(o, NULL, "");
	base_out_string(o, "key", "label", "value");
}

static void no_key_in_an_object(struct base_out *o)
{
	base_out_object_begin(o, NULL, "");
	base_out_string(o, NULL, "label", "value");
}

static void end_of_another_kind(struct base_out *o)
{
	base_out_object_begin(o, NULL, "");
	base_out_list_end(o);
}

static void end_without_begin(struct base_out *o)
{
	base_out_object_end(o);
}

static void two_values_at_the_top(struct base_out *o)
{
	base_out_object_begin(o, NULL, "");
	base_out_object_end(o);
	base_out_object_begin(o, NULL, "");
}

static void scalar_at_the_top(struct base_out *o)
{
	base_out_bool(o, NULL, NULL, true);
}

static void scalar_as_a_row(struct base_out *o)
{
	base_out_table_begin(o, NULL, "");
	base_out_bool(o, NULL, NULL, true);
}

static void finish_too_early(struct base_out *o)
{
	base_out_object_begin(o, NULL, "");
	(void)!base_out_finish(o);
}

struct wrong_case {
	const char *name;
	void (*walk)(struct base_out *o);
};

static struct wrong_case wrong_cases[] = {
	{ "a key in a list", key_in_a_list },
	{ "no key in an object", no_key_in_an_object },
	{ "an end of another kind", end_of_another_kind },
	{ "an end without begin", end_without_begin },
	{ "two values at the top", two_values_at_the_top },
	{ "a scalar at the top", scalar_at_the_top },
	{ "a scalar as a row", scalar_as_a_row },
	{ "the finish before the end", finish_too_early },
};

/* Runs the walk in a child, which must not come out of it. */
static void test_wrong(void **state)
{
	const struct wrong_case *c = *state;
	int status = 0;
	pid_t child;

#ifdef NDEBUG
	skip();
#endif
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		const struct rlimit no_core = { 0, 0 };
		const struct sigaction by_default = { .sa_handler = SIG_DFL };
		struct base_str s;

		/* cmocka turns some signals into failures of the test. */
		sigaction(SIGABRT, &by_default, NULL);
		setrlimit(RLIMIT_CORE, &no_core);
		(void)!close(STDERR_FILENO);
		base_str_init(&s, 0);
		c->walk(base_out_new(BASE_OUT_JSON, false, &s));
		_Exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGABRT);
}

int main(void)
{
	enum {
		N_WALK = sizeof(walk_cases) / sizeof(walk_cases[0]),
		N_WRONG = sizeof(wrong_cases) / sizeof(wrong_cases[0]),
	};
	struct CMUnitTest tests[3 * N_WALK + N_WRONG];
	struct CMUnitTest *t = tests;

	for (size_t i = 0; i < N_WALK; i++) {
		*t++ = (struct CMUnitTest){ walk_cases[i].name, test_walk, NULL, NULL,
					    &walk_cases[i] };
		*t++ = (struct CMUnitTest){ "with every ceiling", test_ceiling, NULL,
					    NULL, &walk_cases[i] };
		*t++ = (struct CMUnitTest){ "a text that was built", test_built_text,
					    NULL, NULL, &walk_cases[i] };
	}
	for (size_t i = 0; i < N_WRONG; i++)
		*t++ = (struct CMUnitTest){ wrong_cases[i].name, test_wrong, NULL, NULL,
					    &wrong_cases[i] };
	return cmocka_run_group_tests_name("base_out", tests, NULL, NULL);
}
