/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The out-of-memory sweep.  A row names a function that builds something and takes it
 * down again; it is run with the first allocation failing, then with the second, and so
 * on, until it gets through without a failure.
 *
 * Every run that met a failure must return -ENOMEM and leave no block behind; the last
 * must return 0.  What a function hands out only on success it checks itself: see
 * oom_base.c.
 *
 * Counted and failed are the calls of our own code and of jansson, which allocates
 * through base/json; what libc allocates for itself (stdio buffers, locales) is not.
 */
#pragma once
#include <stddef.h>

struct oom_case {
	const char *name; /* a sentence, as in the unit tests */
	int (*run)(
		void); /* 0, or -ENOMEM with nothing left over; all else is a finding */
};

/* Sweeps all cases and prints a line for each.  Returns the exit status of the test. */
int oom_main(const struct oom_case *cases, size_t n_cases);
