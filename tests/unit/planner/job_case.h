/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks of the readers of jobs.  Include after <unit/rows.h>.
 */
#pragma once
#include <gen/jobs.h>
#include <string.h>

/* The whole problem as text. */
static inline void check_conns(const struct gen_job *j, const char *want)
{
	struct base_str text;

	base_str_init(&text, 0);
	gen_job_print(j, &text);
	assert_string_equal(base_str_text(&text), want);
	base_str_fini(&text);
}

/* The reading returned @r: with no error in @want, 0, else an error with its place. */
static inline void check_result(const struct gen_job *j, int r, const char *want)
{
	char text[1024];

	if (r < 0)
		base_err_format(&j->err, text, sizeof(text));
	if (!want && r < 0)
		fail_msg("refused: %s", text);
	if (!want)
		return;
	if (r >= 0)
		fail_msg("accepted, expected: %s", want);
	assert_string_equal(text, want);
	assert_int_equal(j->err.code, r);
	assert_true(gen_job_is_empty(j));
}
