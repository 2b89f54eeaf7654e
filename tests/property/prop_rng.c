/* SPDX-License-Identifier: Apache-2.0 */
/*
 * base/rng: ranges are kept and evenly used, and a shuffle loses nothing.
 */
#include <gen/prop.h>
#include <base/rng.h>
#include <math.h>
#include <string.h>

#define BINS_MAX 64u
#define DRAWS_PER_BIN 200u

/* Pearson's test over up to 64 equal parts of the range. */
static void check_below(struct base_rng *rng, uint32_t size)
{
	uint32_t bins = 2 + base_rng_below(rng, BINS_MAX - 1);
	uint32_t width = 1 + base_rng_below(rng, size < 10 ? 1u << (2 * size) : 1u << 26);
	uint32_t counts[BINS_MAX] = { 0 }, n;
	double sum = 0, free_bins = bins - 1;

	if (width > UINT32_MAX / bins)
		width = UINT32_MAX / bins;
	n = bins * width;
	for (uint32_t i = 0; i < bins * DRAWS_PER_BIN; i++) {
		uint32_t draw = base_rng_below(rng, n);

		prop_check(draw < n);
		counts[draw / width]++;
	}
	for (uint32_t i = 0; i < bins; i++) {
		double off = (double)counts[i] - DRAWS_PER_BIN;

		sum += off * off / DRAWS_PER_BIN;
	}
	/* Mean free_bins, variance 2 * free_bins; the tail of few bins is longer. */
	prop_check(sum < free_bins + 6 * sqrt(2 * free_bins) + 20);
}

static void check_shuffle(struct base_rng *rng, uint32_t size)
{
	uint32_t a[1024], b[1024], n = base_rng_below(rng, size * 100 + 1);
	struct base_rng again = *rng;
	bool seen[1024] = { false };

	for (uint32_t i = 0; i < n; i++)
		a[i] = b[i] = i;
	base_rng_shuffle_u32(rng, a, n);
	for (uint32_t i = 0; i < n; i++) {
		prop_check(a[i] < n && !seen[a[i]]);
		seen[a[i]] = true;
	}
	base_rng_shuffle_u32(&again, b, n);
	prop_check(memcmp(a, b, n * sizeof(*a)) == 0);
}

int main(void)
{
	static const struct prop props[] = {
		{ "a draw stays below its bound, and all are as likely", 1000,
		  check_below },
		{ "a shuffle is a permutation, the same for the same source", 5000,
		  check_shuffle },
	};

	return prop_main(props, BASE_COUNT(props));
}
