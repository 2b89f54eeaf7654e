/* SPDX-License-Identifier: Apache-2.0 */
/*
 * base/num on any bytes.  Oracle: a second reader, built the other way round (from whole
 * unit names and 128-bit arithmetic), must say the same of every text that it can hold;
 * and every number that was read is the same when it is printed in its base unit and read
 * again.
 */
#include <base/compiler.h>
#include <base/err.h>
#include <base/num.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNTOUCHED 77u
#define INPUT_MAX 4096u
#define WHOLE_DIGITS_MAX 20u	/* what the 128 bits of the oracle hold */
#define FRACTION_DIGITS_MAX 18u /* times 2^60 */

#define CHECK(condition)                                                                 \
	do {                                                                             \
		if (!(condition))                                                        \
			abort();                                                         \
	} while (0)

enum kind { PLAIN, RATE, SIZE, TIME, SHARE, N_KINDS };

static int (*const readers[N_KINDS])(const char *text, size_t len, uint64_t *ret_n) = {
	[PLAIN] = base_num_u64, [RATE] = base_num_rate,	  [SIZE] = base_num_size,
	[TIME] = base_num_time, [SHARE] = base_num_share,
};

static const char *const base_units[N_KINDS] = { "", "bps", "B", "ns", "ppm" };

/* Is @unit one of rates or sizes: a prefix, then a name of the thing, in any case? */
static bool prefixed_factor(const char *unit, bool is_rate, uint64_t *ret_factor)
{
	static const char *const rate_names[] = { "", "bps", "b/s", "bit/s" };
	static const char *const size_names[] = { "", "b" };
	static const char prefixes[] = "kmgtpe";
	const char *const *names = is_rate ? rate_names : size_names;
	size_t n_names = is_rate ? BASE_COUNT(rate_names) : BASE_COUNT(size_names);
	char name[16];

	for (size_t i = 0; i < n_names; i++) {
		uint64_t decimal = 1, binary = 1;

		*ret_factor = 1;
		if (strcmp(unit, names[i]) == 0)
			return true;
		for (size_t p = 0; p < sizeof(prefixes) - 1; p++) {
			decimal *= 1000;
			binary *= 1024;
			snprintf(name, sizeof(name), "%c%s", prefixes[p], names[i]);
			*ret_factor = decimal;
			if (strcmp(unit, name) == 0)
				return true;
			snprintf(name, sizeof(name), "%ci%s", prefixes[p], names[i]);
			*ret_factor = binary;
			if (!is_rate && strcmp(unit, name) == 0)
				return true;
		}
	}
	return false;
}

static bool listed_factor(const char *unit, enum kind kind, uint64_t *ret_factor)
{
	static const struct {
		enum kind kind;
		const char *unit;
		uint64_t factor;
	} list[] = {
		{ TIME, "ns", 1 },	 { TIME, "us", 1000 },
		{ TIME, "ms", 1000000 }, { TIME, "s", 1000000000 },
		{ SHARE, "", 1000000 },	 { SHARE, "%", 10000 },
		{ SHARE, "ppm", 1 },
	};

	for (size_t i = 0; i < BASE_COUNT(list); i++)
		if (list[i].kind == kind && strcmp(list[i].unit, unit) == 0) {
			*ret_factor = list[i].factor;
			return true;
		}
	return false;
}

static bool unit_factor(const char *unit, enum kind kind, uint64_t *ret_factor)
{
	char lower[16];
	size_t len = strlen(unit);

	if (kind == PLAIN) {
		*ret_factor = 1;
		return len == 0;
	}
	if (kind == TIME || kind == SHARE)
		return listed_factor(unit, kind, ret_factor);
	if (len >= sizeof(lower))
		return false;
	if (kind == RATE && len >= 3 &&
	    (strcmp(unit + len - 3, "Bps") == 0 || strcmp(unit + len - 3, "B/s") == 0))
		return false;
	for (size_t i = 0; i <= len; i++)
		lower[i] =
			(char)(unit[i] >= 'A' && unit[i] <= 'Z' ? unit[i] + 32 : unit[i]);
	return prefixed_factor(lower, kind == RATE, ret_factor);
}

/* What the reader must return; 1 when the text is more than this can hold. */
static int expected(const char *text, enum kind kind, uint64_t *ret_n)
{
	size_t whole = strspn(text, "0123456789"), fraction = 0, at = whole;
	unsigned __int128 value = 0, part = 0, tens = 1;
	uint64_t factor;

	if (kind == TIME && strcmp(text, "0") == 0) {
		*ret_n = 0;
		return 0;
	}
	if (text[at] == '.' && kind != PLAIN) {
		fraction = strspn(text + ++at, "0123456789");
		if (fraction == 0)
			return -BASE_E_SYNTAX;
	}
	at += fraction;
	if (text[at] == ' ' && text[at + 1] != '\0' && kind != PLAIN)
		at++;
	if (whole == 0 || !unit_factor(text + at, kind, &factor))
		return -BASE_E_SYNTAX;
	if (whole > WHOLE_DIGITS_MAX || fraction > FRACTION_DIGITS_MAX)
		return 1;
	for (size_t i = 0; i < whole; i++)
		value = value * 10 + (unsigned)(text[i] - '0');
	if (value > UINT64_MAX)
		return -ERANGE;
	for (size_t i = 0; i < fraction; i++, tens *= 10)
		part = part * 10 + (unsigned)(text[whole + 1 + i] - '0');
	part *= factor;
	if (part % tens != 0)
		return -ERANGE;
	value = value * factor + part / tens;
	if (value > UINT64_MAX)
		return -ERANGE;
	*ret_n = (uint64_t)value;
	return 0;
}

static void check_again(enum kind kind, uint64_t n)
{
	char text[BASE_NUM_TEXT_MAX];
	uint64_t back;
	int len = snprintf(text, sizeof(text), "%llu%s", (unsigned long long)n,
			   base_units[kind]);

	CHECK(readers[kind](text, (size_t)len, &back) == 0 && back == n);
}

static void check_u32(const char *text, size_t len, int r_u64, uint64_t n)
{
	uint32_t small = UNTOUCHED;
	int r = base_num_u32(text, len, &small);

	CHECK(r == (r_u64 == 0 && n > UINT32_MAX ? -ERANGE : r_u64));
	CHECK(small == (r == 0 ? n : UNTOUCHED));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	char *copy;

	if (size == 0 || size > INPUT_MAX)
		return 0;
	copy = calloc(size + 1, 1); /* terminated, for the oracle only */
	CHECK(copy);
	memcpy(copy, data, size);
	for (enum kind kind = 0; kind < N_KINDS; kind++) {
		uint64_t n = UNTOUCHED, want_n = UNTOUCHED;
		int r = readers[kind](text, size, &n), want = -BASE_E_SYNTAX;

		if (strlen(copy) == size)
			want = expected(copy, kind, &want_n);
		if (want == 1)
			CHECK(r == 0 || r == -ERANGE);
		else
			CHECK(r == want && n == want_n);
		CHECK(r == 0 || n == UNTOUCHED);
		if (r == 0)
			check_again(kind, n);
		if (kind == PLAIN)
			check_u32(text, size, r, n);
	}
	free(copy);
	return 0;
}
