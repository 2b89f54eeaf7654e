/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A random source as an argument: a seed always gives the same numbers, on every machine.
 * xoshiro256** (Blackman and Vigna, 2018), seeded through splitmix64.  Not for secrets.
 */
#pragma once
#include <base/compiler.h>
#include <stddef.h>
#include <stdint.h>

BASE_BEGIN_DECLS

struct base_rng {
	uint64_t s[4];
};

void base_rng_seed(struct base_rng *r, uint64_t seed);
uint64_t base_rng_u64(struct base_rng *r);
/* Uniform in 0..n-1 without bias; n > 0. */
uint32_t base_rng_below(struct base_rng *r, uint32_t n);
/* A uniform permutation of @n elements. */
void base_rng_shuffle_u32(struct base_rng *r, uint32_t *a, size_t n);
/* One well-mixed 64-bit word of @x: a hash for small keys, the same on every machine. */
uint64_t base_rng_mix(uint64_t x);

BASE_END_DECLS
