/* SPDX-License-Identifier: Apache-2.0 */
#include "prop.h"
#include <base/num.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZES 10u

/* What a failing check tells to make it happen again. */
static uint64_t seed;
static const char *property;
static uint32_t round_now;

void prop_check_at(bool holds, const char *what, const char *file, int line)
{
	if (holds)
		return;
	printf("%s:%d: \"%s\" does not hold in round %" PRIu32 ": %s\n"
	       "run again with PROP_SEED=%" PRIu64 "\n",
	       file, line, property, round_now, what, seed);
	exit(1);
}

static uint64_t number_of(const char *variable, uint64_t fallback)
{
	const char *text = getenv(variable);
	uint64_t n = fallback;

	if (text && base_num_u64(text, strlen(text), &n) < 0) {
		printf("%s must be a whole number, not \"%s\"\n", variable, text);
		exit(2);
	}
	return n;
}

int prop_main(const struct prop *props, size_t n_props)
{
	struct base_rng rng;

	seed = number_of("PROP_SEED", 1);
	for (size_t i = 0; i < n_props; i++) {
		uint64_t rounds = number_of("PROP_ROUNDS", props[i].rounds);

		property = props[i].name;
		printf("%s: %" PRIu64 " rounds, PROP_SEED=%" PRIu64 "\n", property,
		       rounds, seed);
		for (round_now = 0; round_now < rounds; round_now++) {
			base_rng_seed(&rng, base_rng_mix(seed) + round_now);
			props[i].check(&rng, 1 + (uint32_t)(round_now * SIZES / rounds));
		}
	}
	return 0;
}
