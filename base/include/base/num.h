/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers with units, read and printed.  Inside the program every number is an integer in
 * its base unit: bits per second, bytes, nanoseconds, parts per million.
 *
 * Readers take exactly @len bytes (no terminator needed), accept no blanks before or
 * after and no sign, and return 0, -BASE_E_SYNTAX (no number, or no such unit) or -ERANGE
 * (does not fit, or a fraction that is no whole number of base units).  The output is
 * written on success only.
 */
#pragma once
#include <base/compiler.h>
#include <stddef.h>
#include <stdint.h>

BASE_BEGIN_DECLS

int base_num_u64(const char *text, size_t len, uint64_t *ret_n) BASE_MUST_CHECK;
int base_num_u32(const char *text, size_t len, uint32_t *ret_n) BASE_MUST_CHECK;

/*
 * "400G", "400Gbps", "400Gb/s", "400 Gbit/s", "0.5T", "25000000000": powers of 1000, up
 * to E.  The case of the unit is free, and one blank may stand before it; but "GBps" and
 * "GB/s" are bytes, and refused.
 */
int base_num_rate(const char *text, size_t len, uint64_t *ret_bps) BASE_MUST_CHECK;
/*
 * "4096", "16MB" (10^6), "16 MiB" (2^20), "1.5GiB", "3kB", in any case.  A bare K, M, G
 * is a power of 1000.
 */
int base_num_size(const char *text, size_t len, uint64_t *ret_bytes) BASE_MUST_CHECK;
/* "1000ns", "1.5 us", "20ms", "10s".  A number without a unit is refused, but for "0". */
int base_num_time(const char *text, size_t len, uint64_t *ret_ns) BASE_MUST_CHECK;
/* "12.5%", "0.125" (a share), "125000ppm" -> 125000. */
int base_num_share(const char *text, size_t len, uint64_t *ret_ppm) BASE_MUST_CHECK;

/* Room that every printer below needs at most. */
#define BASE_NUM_TEXT_MAX 40

/* All return @buf. */

/* "400 Gbit/s", "12.5 Gbit/s": exact when three decimals can say it, else rounded. */
const char *base_num_format_rate(uint64_t bps, char buf[BASE_NUM_TEXT_MAX]);
/* "16 MiB" when it is a whole number (below 10,000) of that unit, else "16.8 MB". */
const char *base_num_format_size(uint64_t bytes, char buf[BASE_NUM_TEXT_MAX]);
/* "1.5 us", "20 ms", "3 s". */
const char *base_num_format_time(uint64_t ns, char buf[BASE_NUM_TEXT_MAX]);
/* "1.067" for 1066667 with 3 decimals (0..6), rounded half up. */
const char *base_num_format_ppm(uint64_t ppm, unsigned decimals,
				char buf[BASE_NUM_TEXT_MAX]);
/* "16,384" */
const char *base_num_format_count(uint64_t n, char buf[BASE_NUM_TEXT_MAX]);

/* a + b; UINT64_MAX if too large. */
static inline uint64_t base_num_add(uint64_t a, uint64_t b)
{
	return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

/* a * b / c without overflow in between, rounded down; UINT64_MAX if too large.  c > 0.
 */
uint64_t base_num_mul_div(uint64_t a, uint64_t b, uint64_t c);
/* The same, rounded up. */
uint64_t base_num_mul_div_up(uint64_t a, uint64_t b, uint64_t c);

BASE_END_DECLS
