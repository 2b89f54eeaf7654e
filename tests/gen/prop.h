/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a property over rounds of growing size.  The seed of a run is printed; PROP_SEED=n
 * in the environment sets it, PROP_ROUNDS=n changes how many rounds there are.
 */
#pragma once
#include <base/compiler.h>
#include <base/rng.h>
#include <stdbool.h>
#include <stdint.h>

BASE_BEGIN_DECLS

struct prop {
	const char *name; /* a sentence */
	uint32_t rounds;
	/* @size goes from 1 to about 10 over the rounds.  Speaks through prop_check(). */
	void (*check)(struct base_rng *rng, uint32_t size);
};

/* Checks all; returns the exit status.  A property that fails ends the process. */
int prop_main(const struct prop *props, size_t n_props);

#define prop_check(condition) prop_check_at((condition), #condition, __FILE__, __LINE__)
/* Says seed, property, round and @what, and exits with 1, if @holds is false. */
void prop_check_at(bool holds, const char *what, const char *file, int line);

BASE_END_DECLS
