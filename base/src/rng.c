/* SPDX-License-Identifier: Apache-2.0 */
#include <base/rng.h>
#include <assert.h>

/* 2^64 divided by the golden ratio: steps of this size visit all words, evenly spread. */
#define GOLDEN UINT64_C(0x9E3779B97F4A7C15)

static uint64_t rotate_left(uint64_t x, unsigned n)
{
	return x << n | x >> (64 - n);
}

/* One step of splitmix64 from the state @x. */
uint64_t base_rng_mix(uint64_t x)
{
	x += GOLDEN;
	x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
	return x ^ x >> 31;
}

void base_rng_seed(struct base_rng *r, uint64_t seed)
{
	/* Four different words: never the all-zero state, from which no step leads out.
	 */
	for (size_t i = 0; i < BASE_COUNT(r->s); i++)
		r->s[i] = base_rng_mix(seed + i * GOLDEN);
}

uint64_t base_rng_u64(struct base_rng *r)
{
	uint64_t *s = r->s, result = rotate_left(s[1] * 5, 7) * 9, t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate_left(s[3], 45);
	return result;
}

uint32_t base_rng_below(struct base_rng *r, uint32_t n)
{
	uint64_t product;
	uint32_t surplus;

	assert(n > 0);
	/*
	 * The upper half of (32 random bits) * n.  Of the 2^32 words each result has the
	 * same number but for 2^32 mod n of them; those have the smallest lower halves.
	 */
	product = (base_rng_u64(r) >> 32) * n;
	if ((uint32_t)product < n) {
		surplus = -n % n;
		while ((uint32_t)product < surplus)
			product = (base_rng_u64(r) >> 32) * n;
	}
	return (uint32_t)(product >> 32);
}

void base_rng_shuffle_u32(struct base_rng *r, uint32_t *a, size_t n)
{
	assert(n <= UINT32_MAX);
	for (size_t i = n; i > 1; i--) {
		uint32_t j = base_rng_below(r, (uint32_t)i), last = a[i - 1];

		a[i - 1] = a[j];
		a[j] = last;
	}
}
