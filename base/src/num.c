/* SPDX-License-Identifier: Apache-2.0 */
#include <base/num.h>
#include <base/err.h>
#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Largest factor of a unit: ten times it still fits 64 bits, which the fraction needs. */
#define FACTOR_MAX UINT64_C(1152921504606846976) /* 2^60 */

/* One way to write a unit, and how many base units it is. */
struct unit {
	const char *name;
	uint64_t factor;
};

#define KILO UINT64_C(1000)
#define MEGA (KILO * KILO)
#define GIGA (MEGA * KILO)
#define TERA (GIGA * KILO)
#define PETA (TERA * KILO)
#define EXA (PETA * KILO)

#define KIBI UINT64_C(1024)
#define MEBI (KIBI * KIBI)
#define GIBI (MEBI * KIBI)
#define TEBI (GIBI * KIBI)
#define PEBI (TEBI * KIBI)
#define EXBI (PEBI * KIBI)

/* Lower case: the case of rates and sizes is free. */
static const struct unit decimal_prefixes[] = {
	{ "k", KILO }, { "m", MEGA }, { "g", GIGA },
	{ "t", TERA }, { "p", PETA }, { "e", EXA },
};
static const struct unit binary_prefixes[] = {
	{ "ki", KIBI }, { "mi", MEBI }, { "gi", GIBI },
	{ "ti", TEBI }, { "pi", PEBI }, { "ei", EXBI },
};
static const char *const rate_names[] = { "bps", "b/s", "bit/s", "" };
static const char *const size_names[] = { "b", "" };
static const struct unit time_units[] = {
	{ "ns", 1 },
	{ "us", KILO },
	{ "ms", MEGA },
	{ "s", GIGA },
};
static const struct unit share_units[] = { { "", MEGA },
					   { "%", MEGA / 100 },
					   { "ppm", 1 } };

/* What is still to be read. */
struct input {
	const char *at, *end;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static char to_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_rest(const struct input *in, const char *name)
{
	size_t len = strlen(name);

	return (size_t)(in->end - in->at) == len && memcmp(in->at, name, len) == 0;
}

static bool is_rest_nocase(const struct input *in, const char *name)
{
	size_t len = strlen(name);

	if ((size_t)(in->end - in->at) != len)
		return false;
	for (size_t i = 0; i < len; i++)
		if (to_lower(in->at[i]) != name[i])
			return false;
	return true;
}

/* Takes the digits at the front.  They go on to be judged after the unit is known. */
static struct input take_digits(struct input *in)
{
	struct input digits = { in->at, in->at };

	while (digits.end < in->end && is_digit(*digits.end))
		digits.end++;
	in->at = digits.end;
	return digits;
}

/* digits, or digits '.' digits, then at most one blank in front of a unit. */
static int take_number(struct input *in, struct input *ret_whole,
		       struct input *ret_fraction)
{
	*ret_whole = take_digits(in);
	*ret_fraction = (struct input){ in->at, in->at };
	if (ret_whole->at == ret_whole->end)
		return -BASE_E_SYNTAX;
	if (in->at < in->end && *in->at == '.') {
		in->at++;
		*ret_fraction = take_digits(in);
		if (ret_fraction->at == ret_fraction->end)
			return -BASE_E_SYNTAX;
	}
	if (in->end - in->at > 1 && *in->at == ' ')
		in->at++;
	return 0;
}

static int whole_value(struct input digits, uint64_t *ret_n)
{
	uint64_t n = 0;

	for (; digits.at < digits.end; digits.at++)
		if (__builtin_mul_overflow(n, 10, &n) ||
		    __builtin_add_overflow(n, (uint64_t)(*digits.at - '0'), &n))
			return -ERANGE;
	*ret_n = n;
	return 0;
}

/*
 * 0.d1d2..dk * factor, from the last digit to the first: v = (d * factor + v) / 10.  v
 * stays below the factor, and the result is whole just when every division is exact.
 */
static int fraction_value(struct input digits, uint64_t factor, uint64_t *ret_n)
{
	uint64_t v = 0;

	assert(factor <= FACTOR_MAX);
	while (digits.end > digits.at) {
		v += (uint64_t)(*--digits.end - '0') * factor;
		if (v % 10 != 0)
			return -ERANGE;
		v /= 10;
	}
	*ret_n = v;
	return 0;
}

static int scale(struct input whole, struct input fraction, uint64_t factor,
		 uint64_t *ret_n)
{
	uint64_t n, part;
	int r = whole_value(whole, &n);

	if (r == 0)
		r = fraction_value(fraction, factor, &part);
	if (r < 0)
		return r;
	if (__builtin_mul_overflow(n, factor, &n) || __builtin_add_overflow(n, part, &n))
		return -ERANGE;
	*ret_n = n;
	return 0;
}

int base_num_u64(const char *text, size_t len, uint64_t *ret_n)
{
	struct input in = { text, text + len }, digits = take_digits(&in);
	uint64_t n;

	if (len == 0 || in.at != in.end)
		return -BASE_E_SYNTAX;
	if (whole_value(digits, &n) < 0)
		return -ERANGE;
	*ret_n = n;
	return 0;
}

int base_num_u32(const char *text, size_t len, uint32_t *ret_n)
{
	uint64_t n;
	int r = base_num_u64(text, len, &n);

	if (r < 0)
		return r;
	if (n > UINT32_MAX)
		return -ERANGE;
	*ret_n = (uint32_t)n;
	return 0;
}

/* Takes a prefix off @in if @in is that prefix and one of @names, and says its factor. */
static bool take_prefix(struct input *in, const struct unit *prefixes, size_t n_prefixes,
			uint64_t *ret_factor)
{
	for (size_t i = 0; i < n_prefixes; i++) {
		size_t len = strlen(prefixes[i].name);
		struct input front = { in->at, in->at + len };

		if ((size_t)(in->end - in->at) < len ||
		    !is_rest_nocase(&front, prefixes[i].name))
			continue;
		in->at += len;
		*ret_factor = prefixes[i].factor;
		return true;
	}
	return false;
}

static bool is_one_of_nocase(const struct input *in, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (is_rest_nocase(in, names[i]))
			return true;
	return false;
}

int base_num_rate(const char *text, size_t len, uint64_t *ret_bps)
{
	struct input in = { text, text + len }, whole, fraction;
	uint64_t factor = 1;
	int r = take_number(&in, &whole, &fraction);

	if (r < 0)
		return r;
	take_prefix(&in, decimal_prefixes, BASE_COUNT(decimal_prefixes), &factor);
	/* Bytes per second, eight times what would be read. */
	if (is_rest(&in, "Bps") || is_rest(&in, "B/s"))
		return -BASE_E_SYNTAX;
	if (!is_one_of_nocase(&in, rate_names, BASE_COUNT(rate_names)))
		return -BASE_E_SYNTAX;
	return scale(whole, fraction, factor, ret_bps);
}

int base_num_size(const char *text, size_t len, uint64_t *ret_bytes)
{
	struct input in = { text, text + len }, whole, fraction;
	uint64_t factor = 1;
	int r = take_number(&in, &whole, &fraction);

	if (r < 0)
		return r;
	/* The binary ones first: they begin like the others. */
	if (!take_prefix(&in, binary_prefixes, BASE_COUNT(binary_prefixes), &factor))
		take_prefix(&in, decimal_prefixes, BASE_COUNT(decimal_prefixes), &factor);
	if (!is_one_of_nocase(&in, size_names, BASE_COUNT(size_names)))
		return -BASE_E_SYNTAX;
	return scale(whole, fraction, factor, ret_bytes);
}

static int read_with_unit(const char *text, size_t len, const struct unit *units,
			  size_t n_units, uint64_t *ret_n)
{
	struct input in = { text, text + len }, whole, fraction;
	int r = take_number(&in, &whole, &fraction);

	for (size_t i = 0; r == 0 && i < n_units; i++)
		if (is_rest(&in, units[i].name))
			return scale(whole, fraction, units[i].factor, ret_n);
	return -BASE_E_SYNTAX;
}

int base_num_time(const char *text, size_t len, uint64_t *ret_ns)
{
	if (len == 1 && text[0] == '0') {
		*ret_ns = 0;
		return 0;
	}
	return read_with_unit(text, len, time_units, BASE_COUNT(time_units), ret_ns);
}

int base_num_share(const char *text, size_t len, uint64_t *ret_ppm)
{
	return read_with_unit(text, len, share_units, BASE_COUNT(share_units), ret_ppm);
}

/* "WHOLE.MILLI UNIT" without the zeros at the end. */
static void print_milli(uint64_t whole, uint64_t milli, const char *unit,
			char buf[BASE_NUM_TEXT_MAX])
{
	int digits = 3;

	for (; digits > 0 && milli % 10 == 0; digits--)
		milli /= 10;
	if (digits == 0)
		snprintf(buf, BASE_NUM_TEXT_MAX, "%llu %s", (unsigned long long)whole,
			 unit);
	else
		snprintf(buf, BASE_NUM_TEXT_MAX, "%llu.%0*llu %s",
			 (unsigned long long)whole, digits, (unsigned long long)milli,
			 unit);
}

/*
 * In the largest of @units (powers of 1000, ascending from 1) that leaves a whole part,
 * rounded half up to @step thousandths.  999,999,999 is "1 G", not "1000 M".
 */
static void print_decimal(uint64_t n, const struct unit *units, size_t n_units,
			  unsigned step, char buf[BASE_NUM_TEXT_MAX])
{
	size_t i = n_units - 1;
	uint64_t grain, whole, rest, steps;

	while (i > 0 && n < units[i].factor)
		i--;
	if (i == 0) {
		print_milli(n, 0, units[i].name, buf);
		return;
	}
	grain = units[i].factor / 1000 * step; /* what one step is */
	whole = n / units[i].factor;
	rest = n % units[i].factor;
	steps = rest / grain + (rest % grain >= grain - rest % grain);
	if (steps == 1000 / step) {
		whole++;
		steps = 0;
	}
	if (whole == 1000 && i + 1 < n_units) {
		whole = 1;
		i++;
	}
	print_milli(whole, steps * step, units[i].name, buf);
}

const char *base_num_format_rate(uint64_t bps, char buf[BASE_NUM_TEXT_MAX])
{
	static const struct unit units[] = {
		{ "bit/s", 1 },	    { "kbit/s", KILO }, { "Mbit/s", MEGA },
		{ "Gbit/s", GIGA }, { "Tbit/s", TERA }, { "Pbit/s", PETA },
		{ "Ebit/s", EXA },
	};

	print_decimal(bps, units, BASE_COUNT(units), 1, buf);
	return buf;
}

const char *base_num_format_size(uint64_t bytes, char buf[BASE_NUM_TEXT_MAX])
{
	static const struct unit binary[] = {
		{ "B", 1 },	 { "KiB", KIBI }, { "MiB", MEBI }, { "GiB", GIBI },
		{ "TiB", TEBI }, { "PiB", PEBI }, { "EiB", EXBI },
	};
	static const struct unit decimal[] = {
		{ "B", 1 },	{ "kB", KILO }, { "MB", MEGA }, { "GB", GIGA },
		{ "TB", TERA }, { "PB", PETA }, { "EB", EXA },
	};
	size_t i = BASE_COUNT(binary) - 1;

	while (i > 0 && (bytes < binary[i].factor || bytes % binary[i].factor != 0))
		i--;
	/* "1536 MiB" is better than "1.6 GB", "1048575 KiB" is not. */
	if (bytes / binary[i].factor < (i > 0 ? 10000 : 1024))
		print_milli(bytes / binary[i].factor, 0, binary[i].name, buf);
	else
		print_decimal(bytes, decimal, BASE_COUNT(decimal), 100, buf);
	return buf;
}

const char *base_num_format_time(uint64_t ns, char buf[BASE_NUM_TEXT_MAX])
{
	print_decimal(ns, time_units, BASE_COUNT(time_units), 1, buf);
	return buf;
}

const char *base_num_format_ppm(uint64_t ppm, unsigned decimals,
				char buf[BASE_NUM_TEXT_MAX])
{
	uint64_t grain = 1, one = 1, steps;

	assert(decimals <= 6);
	for (unsigned i = decimals; i < 6; i++)
		grain *= 10;
	for (unsigned i = 0; i < decimals; i++)
		one *= 10;
	steps = ppm / grain + (grain > 1 && ppm % grain >= grain / 2);
	if (decimals == 0)
		snprintf(buf, BASE_NUM_TEXT_MAX, "%llu", (unsigned long long)steps);
	else
		snprintf(buf, BASE_NUM_TEXT_MAX, "%llu.%0*llu",
			 (unsigned long long)(steps / one), (int)decimals,
			 (unsigned long long)(steps % one));
	return buf;
}

const char *base_num_format_count(uint64_t n, char buf[BASE_NUM_TEXT_MAX])
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)n);
	size_t at = 0;

	for (int i = 0; i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0)
			buf[at++] = ',';
		buf[at++] = digits[i];
	}
	buf[at] = '\0';
	return buf;
}

static uint64_t clamp(unsigned __int128 n)
{
	return n > UINT64_MAX ? UINT64_MAX : (uint64_t)n;
}

uint64_t base_num_mul_div(uint64_t a, uint64_t b, uint64_t c)
{
	assert(c > 0);
	return clamp((unsigned __int128)a * b / c);
}

uint64_t base_num_mul_div_up(uint64_t a, uint64_t b, uint64_t c)
{
	assert(c > 0);
	return clamp(((unsigned __int128)a * b + (c - 1)) / c);
}
