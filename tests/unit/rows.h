/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Table-driven tests: a row is a case and cmocka reports each by its name.  A row is a
 * struct that begins with `const char *name`; its test finds it in *state.
 *
 *	struct rows rows = { 0 };
 *
 *	ROWS_ADD(&rows, test_add, add_cases);
 *	rows_add_test(&rows, "frees nothing twice", test_free);
 *	return rows_run(&rows, "topo_graph");
 */
#pragma once
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#define ROWS_MAX 512

struct rows {
	size_t n;
	struct CMUnitTest tests[ROWS_MAX];
};

static inline void rows_add(struct rows *rows, const char *name, CMUnitTestFunction test,
			    void *row)
{
	if (rows->n == ROWS_MAX)
		abort(); /* never a test that silently does not run */
	rows->tests[rows->n++] = (struct CMUnitTest){
		.name = name,
		.test_func = test,
		.initial_state = row,
	};
}

static inline void rows_add_test(struct rows *rows, const char *name,
				 CMUnitTestFunction test)
{
	rows_add(rows, name, test, NULL);
}

#define ROWS_ADD(rows, test, cases)                                                      \
	do {                                                                             \
		for (size_t row_ = 0; row_ < sizeof(cases) / sizeof((cases)[0]); row_++) \
			rows_add(rows, (cases)[row_].name, test, &(cases)[row_]);        \
	} while (0)

/* With what is set up before the first test and torn down after the last.  Returns the
 * exit status of the test binary. */
static inline int rows_run_in(const struct rows *rows, const char *group,
			      CMFixtureFunction setup, CMFixtureFunction teardown)
{
	/* What the macro cmocka_run_group_tests_name() calls, with our count. */
	return _cmocka_run_group_tests(group, rows->tests, rows->n, setup, teardown);
}

static inline int rows_run(const struct rows *rows, const char *group)
{
	return rows_run_in(rows, group, NULL, NULL);
}
