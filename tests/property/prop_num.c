/* SPDX-License-Identifier: Apache-2.0 */
/*
 * base/num: what is printed can be read again, fractions are exact, and products are.
 */
#include <base/err.h>
#include <base/num.h>
#include <errno.h>
#include <gen/prop.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Of any number of bits, and often a round number, as people write them. */
static uint64_t any_number(struct base_rng *rng)
{
	uint64_t n = base_rng_u64(rng) >> base_rng_below(rng, 64);

	for (uint32_t zeros = base_rng_below(rng, 20); zeros > 0 && n < UINT64_MAX / 10;
	     zeros--)
		n *= 10;
	return n;
}

/* The power of 1000 in which @n is printed, of 1, @largest at most. */
static uint64_t unit_of(uint64_t n, uint64_t largest)
{
	uint64_t unit = 1;

	while (unit < largest && n / 1000 >= unit)
		unit *= 1000;
	return unit;
}

/*
 * @n was printed in steps of @grain and read as @back, with the result @r: equal if it is
 * a whole number of steps, else not off by more than half a step.
 */
static void check_back(uint64_t n, uint64_t grain, int r, uint64_t back)
{
	uint64_t off = back > n ? back - n : n - back;

	if (r == -ERANGE) { /* rounded up above what 64 bits hold */
		prop_check(n % grain != 0 && n > UINT64_MAX - grain);
		return;
	}
	prop_check(r == 0);
	prop_check(n % grain == 0 ? off == 0 : off <= grain / 2);
}

static void check_print_and_read(struct base_rng *rng, uint32_t size)
{
	const uint64_t n = any_number(rng), exa = UINT64_C(1000000000000000000);
	uint64_t unit, back = 0;
	char buf[BASE_NUM_TEXT_MAX];
	int r;

	(void)size;
	base_num_format_rate(n, buf);
	r = base_num_rate(buf, strlen(buf), &back);
	unit = unit_of(n, exa);
	check_back(n, unit > 1 ? unit / 1000 : 1, r, back);

	base_num_format_time(n, buf);
	r = base_num_time(buf, strlen(buf), &back);
	unit = unit_of(n, 1000000000);
	check_back(n, unit > 1 ? unit / 1000 : 1, r, back);

	base_num_format_size(n, buf);
	r = base_num_size(buf, strlen(buf), &back);
	unit = unit_of(n, exa);
	if (strchr(buf, 'i') || unit == 1)
		prop_check(r == 0 && back == n);
	else if (r == 0 || n < UINT64_MAX - unit / 10)
		prop_check(r == 0 && (back > n ? back - n : n - back) <= unit / 20);

	base_num_format_ppm(n, 6, buf);
	prop_check(base_num_share(buf, strlen(buf), &back) == 0 && back == n);
}

static void check_count(struct base_rng *rng, uint32_t size)
{
	const uint64_t n = any_number(rng);
	char buf[BASE_NUM_TEXT_MAX], bare[BASE_NUM_TEXT_MAX];
	size_t len, n_bare = 0;
	uint64_t back;

	(void)size;
	len = strlen(base_num_format_count(n, buf));
	for (size_t i = 0; i < len; i++) {
		if ((len - i) % 4 == 0 && i > 0)
			prop_check(buf[i] == ',');
		else
			bare[n_bare++] = buf[i];
	}
	prop_check(base_num_u64(bare, n_bare, &back) == 0 && back == n);
}

struct unit {
	const char *name;
	uint64_t factor;
	int (*read)(const char *text, size_t len, uint64_t *ret_n);
};

static const struct unit units[] = {
	{ "", 1, base_num_rate },
	{ "Gbps", 1000000000, base_num_rate },
	{ " Ebit/s", UINT64_C(1000000000000000000), base_num_rate },
	{ "KiB", 1024, base_num_size },
	{ "TiB", UINT64_C(1) << 40, base_num_size },
	{ " EiB", UINT64_C(1) << 60, base_num_size },
	{ "us", 1000, base_num_time },
	{ "s", 1000000000, base_num_time },
	{ "%", 10000, base_num_share },
	{ "", 1000000, base_num_share },
};

/* With 128 bits a fraction of up to 18 digits can be worked out in one step. */
static void check_fraction(struct base_rng *rng, uint32_t size)
{
	const struct unit *unit = &units[base_rng_below(rng, BASE_COUNT(units))];
	uint64_t whole =
		base_rng_below(rng, 3) ? base_rng_below(rng, 100) : any_number(rng);
	uint32_t digits = 1 + base_rng_below(rng, size < 10 ? size * 2 : 18);
	unsigned __int128 tens = 1, value;
	uint64_t fraction, n = 77, step;
	char text[100];
	int len, r;

	for (uint32_t i = 0; i < digits; i++)
		tens *= 10;
	fraction = base_rng_u64(rng) % (uint64_t)tens;
	step = (uint64_t)(tens >> base_rng_below(rng, digits + 1));
	fraction -= fraction % (step > 0 ? step : 1); /* often one that comes out even */
	len = snprintf(text, sizeof(text), "%" PRIu64 ".%0*" PRIu64 "%s", whole,
		       (int)digits, fraction, unit->name);
	value = (unsigned __int128)fraction * unit->factor;
	r = value % tens != 0 ? -ERANGE : 0;
	value = value / tens + (unsigned __int128)whole * unit->factor;
	if (value > UINT64_MAX)
		r = -ERANGE;
	prop_check(unit->read(text, (size_t)len, &n) == r);
	prop_check(n == (r == 0 ? (uint64_t)value : 77));
}

static void check_mul_div(struct base_rng *rng, uint32_t size)
{
	uint64_t a = any_number(rng), b = any_number(rng), c = any_number(rng) | 1;
	unsigned __int128 product = (unsigned __int128)a * b, up;
	uint64_t q = base_num_mul_div(a, b, c), q_up = base_num_mul_div_up(a, b, c);

	(void)size;
	if (product / c > UINT64_MAX) {
		prop_check(q == UINT64_MAX && q_up == UINT64_MAX);
		return;
	}
	prop_check((unsigned __int128)q * c <= product);
	prop_check(product - (unsigned __int128)q * c < c);
	up = (unsigned __int128)q + ((unsigned __int128)q * c < product);
	prop_check(q_up == (up > UINT64_MAX ? UINT64_MAX : (uint64_t)up));
}

int main(void)
{
	static const struct prop props[] = {
		{ "what is printed can be read again", 100000, check_print_and_read },
		{ "a count has a comma at each third digit", 20000, check_count },
		{ "a fraction is exact or refused", 100000, check_fraction },
		{ "a * b / c is exact, rounded as asked", 100000, check_mul_div },
	};

	return prop_main(props, BASE_COUNT(props));
}
