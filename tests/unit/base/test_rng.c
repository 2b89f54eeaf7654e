/* SPDX-License-Identifier: Apache-2.0 */
#include <unit/rows.h>
#include <base/rng.h>

struct mix_case {
	const char *name;
	uint64_t x, want;
};

/* Published outputs of splitmix64: its states go up by the golden ratio's 64 bits. */
static struct mix_case mix_cases[] = {
	{ "splitmix64, seed 0, first", 0, 0xE220A8397B1DCDAF },
	{ "splitmix64, seed 0, second", 0x9E3779B97F4A7C15, 0x6E789E6AA1B965F4 },
	{ "splitmix64, seed 0, third", 0x3C6EF372FE94F82A, 0x06C45D188009454F },
};

static void test_mix(void **state)
{
	const struct mix_case *c = *state;

	assert_int_equal(base_rng_mix(c->x), c->want);
}

/* Published outputs of xoshiro256** from the state 1, 2, 3, 4. */
static void test_reference(void **state)
{
	static const uint64_t want[] = { 11520, 0, 1509978240, 1215971899390074240 };
	struct base_rng r = { .s = { 1, 2, 3, 4 } };

	(void)state;
	for (size_t i = 0; i < BASE_COUNT(want); i++)
		assert_int_equal(base_rng_u64(&r), want[i]);
}

static void test_seed(void **state)
{
	struct base_rng r, again, other;
	int same = 0;

	(void)state;
	base_rng_seed(&r, 0);
	assert_int_equal(r.s[0], 0xE220A8397B1DCDAF);
	assert_int_equal(r.s[1], 0x6E789E6AA1B965F4);
	assert_int_equal(r.s[2], 0x06C45D188009454F);
	base_rng_seed(&again, 0);
	base_rng_seed(&other, 1);
	for (int i = 0; i < 1000; i++) {
		uint64_t n = base_rng_u64(&r);

		assert_int_equal(n, base_rng_u64(&again));
		same += n == base_rng_u64(&other);
	}
	assert_int_equal(same, 0);
}

/*
 * Below 3 * 2^30 a plain multiply gives each third result twice the chance of its
 * neighbours: 1/2 of all draws instead of 1/3.
 */
static void test_below_is_unbiased(void **state)
{
	const uint32_t n = 3u << 30, rounds = 30000;
	uint32_t counts[3] = { 0 };
	struct base_rng r;

	(void)state;
	base_rng_seed(&r, 1);
	for (uint32_t i = 0; i < rounds; i++)
		counts[base_rng_below(&r, n) % 3]++;
	for (int i = 0; i < 3; i++) /* 6 standard deviations, of 82 */
		assert_in_range(counts[i], 10000 - 490, 10000 + 490);
}

static void test_below_edges(void **state)
{
	struct base_rng r;

	(void)state;
	base_rng_seed(&r, 1);
	for (int i = 0; i < 1000; i++) {
		assert_int_equal(base_rng_below(&r, 1), 0);
		assert_true(base_rng_below(&r, UINT32_MAX) < UINT32_MAX);
		assert_true(base_rng_below(&r, 7) < 7);
	}
}

/* All 24 orders of four, each about as often. */
static void test_shuffle_is_uniform(void **state)
{
	enum { ROUNDS = 24000 };
	uint32_t counts[256] = { 0 }, orders = 0;
	struct base_rng r;

	(void)state;
	base_rng_seed(&r, 1);
	for (int i = 0; i < ROUNDS; i++) {
		uint32_t a[4] = { 0, 1, 2, 3 };

		base_rng_shuffle_u32(&r, a, 4);
		counts[a[0] << 6 | a[1] << 4 | a[2] << 2 | a[3]]++;
	}
	for (size_t i = 0; i < BASE_COUNT(counts); i++) {
		if (counts[i] == 0)
			continue;
		orders++;
		assert_in_range(counts[i], 800, 1200); /* 6 standard deviations, of 31 */
	}
	assert_int_equal(orders, 24);
}

static void test_shuffle_of_little(void **state)
{
	uint32_t one[] = { 9 };
	struct base_rng r;

	(void)state;
	base_rng_seed(&r, 1);
	base_rng_shuffle_u32(&r, NULL, 0);
	base_rng_shuffle_u32(&r, one, 1);
	assert_int_equal(one[0], 9);
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_mix, mix_cases);
	rows_add_test(&rows, "the published numbers of xoshiro256**", test_reference);
	rows_add_test(&rows, "a seed always gives the same numbers", test_seed);
	rows_add_test(&rows, "no result is likelier than another",
		      test_below_is_unbiased);
	rows_add_test(&rows, "the smallest and the largest range", test_below_edges);
	rows_add_test(&rows, "no order is likelier than another",
		      test_shuffle_is_uniform);
	rows_add_test(&rows, "nothing and one stay as they are", test_shuffle_of_little);
	return rows_run(&rows, "base_rng");
}
