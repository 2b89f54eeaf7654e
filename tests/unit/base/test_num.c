/* SPDX-License-Identifier: Apache-2.0 */
#include <unit/rows.h>
#include <base/err.h>
#include <base/num.h>
#include <errno.h>
#include <string.h>

#define UNTOUCHED 77u

struct read_case {
	const char *name;
	int (*read)(const char *text, size_t len, uint64_t *ret_n);
	const char *text;
	int want;
	uint64_t n;
};

static struct read_case read_cases[] = {
	{ "a plain number", base_num_u64, "25", 0, 25 },
	{ "zero", base_num_u64, "0", 0, 0 },
	{ "leading zeros", base_num_u64, "000000000000000000000000007", 0, 7 },
	{ "the largest number", base_num_u64, "18446744073709551615", 0, UINT64_MAX },
	{ "one above the largest", base_num_u64, "18446744073709551616", -ERANGE, 0 },
	{ "ten times the largest", base_num_u64, "184467440737095516150", -ERANGE, 0 },
	{ "no number", base_num_u64, "", -BASE_E_SYNTAX, 0 },
	{ "a sign", base_num_u64, "+1", -BASE_E_SYNTAX, 0 },
	{ "a minus", base_num_u64, "-1", -BASE_E_SYNTAX, 0 },
	{ "a blank before", base_num_u64, " 1", -BASE_E_SYNTAX, 0 },
	{ "a blank after", base_num_u64, "1 ", -BASE_E_SYNTAX, 0 },
	{ "a fraction", base_num_u64, "1.0", -BASE_E_SYNTAX, 0 },
	{ "hexadecimal", base_num_u64, "0x10", -BASE_E_SYNTAX, 0 },
	{ "too large and followed by something else", base_num_u64,
	  "99999999999999999999x", -BASE_E_SYNTAX, 0 },

	{ "rate: G", base_num_rate, "400G", 0, 400000000000 },
	{ "rate: Gbps", base_num_rate, "400Gbps", 0, 400000000000 },
	{ "rate: Gb/s", base_num_rate, "400Gb/s", 0, 400000000000 },
	{ "rate: as it is printed", base_num_rate, "400 Gbit/s", 0, 400000000000 },
	{ "rate: small letters", base_num_rate, "400gbps", 0, 400000000000 },
	{ "rate: capitals", base_num_rate, "400GBPS", 0, 400000000000 },
	{ "rate: half a terabit", base_num_rate, "0.5T", 0, 500000000000 },
	{ "rate: bits", base_num_rate, "25000000000", 0, 25000000000 },
	{ "rate: bits by name", base_num_rate, "7bps", 0, 7 },
	{ "rate: M", base_num_rate, "100Mbps", 0, 100000000 },
	{ "rate: k", base_num_rate, "1.5k", 0, 1500 },
	{ "rate: the largest", base_num_rate, "18.446744073709551615E", 0, UINT64_MAX },
	{ "rate: one above the largest", base_num_rate, "18.446744073709551616E", -ERANGE,
	  0 },
	{ "rate: a tenth of a bit", base_num_rate, "0.1", -ERANGE, 0 },
	{ "rate: a fraction finer than a bit", base_num_rate, "0.0000000001G", -ERANGE,
	  0 },
	{ "rate: zeros after the point are no fraction", base_num_rate,
	  "3.00000000000000000000000000000000000000000", 0, 3 },
	{ "rate: bytes per second", base_num_rate, "50GB/s", -BASE_E_SYNTAX, 0 },
	{ "rate: bytes per second, the other way", base_num_rate, "50GBps",
	  -BASE_E_SYNTAX, 0 },
	{ "rate: two blanks", base_num_rate, "400  G", -BASE_E_SYNTAX, 0 },
	{ "rate: a blank and no unit", base_num_rate, "400 ", -BASE_E_SYNTAX, 0 },
	{ "rate: no digit before the point", base_num_rate, ".5G", -BASE_E_SYNTAX, 0 },
	{ "rate: no digit after the point", base_num_rate, "5.G", -BASE_E_SYNTAX, 0 },
	{ "rate: two points", base_num_rate, "1.2.3G", -BASE_E_SYNTAX, 0 },
	{ "rate: a unit alone", base_num_rate, "Gbps", -BASE_E_SYNTAX, 0 },
	{ "rate: no such unit", base_num_rate, "4Xbps", -BASE_E_SYNTAX, 0 },
	{ "rate: a binary unit", base_num_rate, "4Gibps", -BASE_E_SYNTAX, 0 },
	{ "rate: an exponent", base_num_rate, "1e9", -BASE_E_SYNTAX, 0 },
	{ "rate: a word", base_num_rate, "fast", -BASE_E_SYNTAX, 0 },
	{ "rate: nothing", base_num_rate, "", -BASE_E_SYNTAX, 0 },

	{ "size: bytes", base_num_size, "4096", 0, 4096 },
	{ "size: bytes by name", base_num_size, "9 B", 0, 9 },
	{ "size: decimal", base_num_size, "16MB", 0, 16000000 },
	{ "size: binary", base_num_size, "16MiB", 0, 16777216 },
	{ "size: binary without B", base_num_size, "16Mi", 0, 16777216 },
	{ "size: a fraction of a binary unit", base_num_size, "1.5GiB", 0, 1610612736 },
	{ "size: small k", base_num_size, "3kB", 0, 3000 },
	{ "size: a bare letter is decimal", base_num_size, "2G", 0, 2000000000 },
	{ "size: 2^-60 of an exbibyte is a byte", base_num_size,
	  "0.000000000000000000867361737988403547205962240695953369140625EiB", 0, 1 },
	{ "size: 16 EiB is one too many", base_num_size, "16EiB", -ERANGE, 0 },
	{ "size: a third of a byte", base_num_size, "0.3B", -ERANGE, 0 },
	{ "size: bits", base_num_size, "3 bits", -BASE_E_SYNTAX, 0 },

	{ "time: ns", base_num_time, "1000ns", 0, 1000 },
	{ "time: us", base_num_time, "1.5us", 0, 1500 },
	{ "time: ms", base_num_time, "20ms", 0, 20000000 },
	{ "time: s", base_num_time, "10s", 0, 10000000000 },
	{ "time: a fraction that is whole", base_num_time, "0.001ms", 0, 1000 },
	{ "time: as it is printed", base_num_time, "1.5 us", 0, 1500 },
	{ "time: zero needs no unit", base_num_time, "0", 0, 0 },
	{ "time: a third of a nanosecond", base_num_time, "0.3ns", -ERANGE, 0 },
	{ "time: finer than a nanosecond", base_num_time, "0.0000000001s", -ERANGE, 0 },
	{ "time: the longest", base_num_time, "18446744073.709551615s", 0, UINT64_MAX },
	{ "time: too long", base_num_time, "18446744073.709551616s", -ERANGE, 0 },
	{ "time: no unit", base_num_time, "5", -BASE_E_SYNTAX, 0 },
	{ "time: two zeros", base_num_time, "00", -BASE_E_SYNTAX, 0 },
	{ "time: megaseconds", base_num_time, "5Ms", -BASE_E_SYNTAX, 0 },

	{ "share: per cent", base_num_share, "12.5%", 0, 125000 },
	{ "share: of one", base_num_share, "0.125", 0, 125000 },
	{ "share: ppm", base_num_share, "125000ppm", 0, 125000 },
	{ "share: the whole", base_num_share, "1", 0, 1000000 },
	{ "share: more than the whole", base_num_share, "150 %", 0, 1500000 },
	{ "share: finer than a millionth", base_num_share, "0.0000001", -ERANGE, 0 },
	{ "share: half a ppm", base_num_share, "0.5ppm", -ERANGE, 0 },
	{ "share: no such unit", base_num_share, "5 permille", -BASE_E_SYNTAX, 0 },
};

static void test_read(void **state)
{
	const struct read_case *c = *state;
	size_t len = strlen(c->text);
	uint64_t n = UNTOUCHED;
	char *exact = malloc(len + 1);

	/* Ends where the text ends, so that the sanitizer sees a byte read past it. */
	assert_non_null(exact);
	memcpy(exact + 1, c->text, len);
	assert_int_equal(c->read(exact + 1, len, &n), c->want);
	assert_int_equal(n, c->want == 0 ? c->n : UNTOUCHED);
	free(exact);
}

struct u32_case {
	const char *name;
	const char *text;
	int want;
	uint32_t n;
};

static struct u32_case u32_cases[] = {
	{ "u32: the largest", "4294967295", 0, UINT32_MAX },
	{ "u32: one above it", "4294967296", -ERANGE, 0 },
	{ "u32: one above 64 bits", "18446744073709551616", -ERANGE, 0 },
	{ "u32: a letter", "12a", -BASE_E_SYNTAX, 0 },
};

static void test_u32(void **state)
{
	const struct u32_case *c = *state;
	uint32_t n = UNTOUCHED;

	assert_int_equal(base_num_u32(c->text, strlen(c->text), &n), c->want);
	assert_int_equal(n, c->want == 0 ? c->n : UNTOUCHED);
}

struct format_case {
	const char *name;
	const char *(*format)(uint64_t n, char buf[BASE_NUM_TEXT_MAX]);
	uint64_t n;
	const char *want;
};

static struct format_case format_cases[] = {
	{ "400 Gbit/s", base_num_format_rate, 400000000000, "400 Gbit/s" },
	{ "12.5 Gbit/s", base_num_format_rate, 12500000000, "12.5 Gbit/s" },
	{ "three decimals", base_num_format_rate, 1234000000, "1.234 Gbit/s" },
	{ "a zero among the decimals", base_num_format_rate, 1005000000, "1.005 Gbit/s" },
	{ "rounded down", base_num_format_rate, 1234499999, "1.234 Gbit/s" },
	{ "rounded half up", base_num_format_rate, 1234500000, "1.235 Gbit/s" },
	{ "rounded into the next unit", base_num_format_rate, 999999500, "1 Gbit/s" },
	{ "just not rounded into it", base_num_format_rate, 999999499, "999.999 Mbit/s" },
	{ "no rate", base_num_format_rate, 0, "0 bit/s" },
	{ "single bits", base_num_format_rate, 999, "999 bit/s" },
	{ "k", base_num_format_rate, 1001, "1.001 kbit/s" },
	{ "T", base_num_format_rate, 51200000000000, "51.2 Tbit/s" },
	{ "the largest rate", base_num_format_rate, UINT64_MAX, "18.447 Ebit/s" },

	{ "16 MiB", base_num_format_size, 16777216, "16 MiB" },
	{ "16.8 MB", base_num_format_size, 16777217, "16.8 MB" },
	{ "a whole number of a smaller binary unit", base_num_format_size, 1610612736,
	  "1536 MiB" },
	{ "too many of a smaller one", base_num_format_size, 1073740800, "1.1 GB" },
	{ "single bytes", base_num_format_size, 1023, "1023 B" },
	{ "just above a KiB", base_num_format_size, 1025, "1 kB" },
	{ "no bytes", base_num_format_size, 0, "0 B" },
	{ "rounded to a tenth", base_num_format_size, 1949999, "1.9 MB" },
	{ "rounded half up to a tenth", base_num_format_size, 1950000, "2 MB" },
	{ "bytes rounded into the next unit", base_num_format_size, 999999, "1 MB" },
	{ "1 EiB", base_num_format_size, UINT64_C(1) << 60, "1 EiB" },
	{ "the largest size", base_num_format_size, UINT64_MAX, "18.4 EB" },

	{ "1.5 us", base_num_format_time, 1500, "1.5 us" },
	{ "20 ms", base_num_format_time, 20000000, "20 ms" },
	{ "3 s", base_num_format_time, 3000000000, "3 s" },
	{ "999 ns", base_num_format_time, 999, "999 ns" },
	{ "long times stay seconds", base_num_format_time, 86400000000000, "86400 s" },
	{ "nanoseconds in a second", base_num_format_time, 999999999, "1 s" },
	{ "the longest time", base_num_format_time, UINT64_MAX, "18446744073.71 s" },

	{ "a count below a thousand", base_num_format_count, 999, "999" },
	{ "a count of a thousand", base_num_format_count, 1000, "1,000" },
	{ "16,384", base_num_format_count, 16384, "16,384" },
	{ "no count", base_num_format_count, 0, "0" },
	{ "the largest count", base_num_format_count, UINT64_MAX,
	  "18,446,744,073,709,551,615" },
};

static void test_format(void **state)
{
	const struct format_case *c = *state;
	char buf[BASE_NUM_TEXT_MAX];

	assert_ptr_equal(c->format(c->n, buf), buf);
	assert_string_equal(buf, c->want);
}

struct ppm_case {
	const char *name;
	uint64_t ppm;
	unsigned decimals;
	const char *want;
};

static struct ppm_case ppm_cases[] = {
	{ "1.067 with three decimals", 1066667, 3, "1.067" },
	{ "zeros at the end stay", 1000000, 3, "1.000" },
	{ "all six", 1066667, 6, "1.066667" },
	{ "none, rounded half up", 500000, 0, "1" },
	{ "none, rounded down", 499999, 0, "0" },
	{ "nines that carry", 999500, 3, "1.000" },
	{ "nothing", 0, 2, "0.00" },
	{ "one millionth", 1, 6, "0.000001" },
	{ "the largest", UINT64_MAX, 6, "18446744073709.551615" },
	{ "the largest, rounded", UINT64_MAX, 3, "18446744073709.552" },
};

static void test_ppm(void **state)
{
	const struct ppm_case *c = *state;
	char buf[BASE_NUM_TEXT_MAX];

	assert_ptr_equal(base_num_format_ppm(c->ppm, c->decimals, buf), buf);
	assert_string_equal(buf, c->want);
}

struct mul_div_case {
	const char *name;
	uint64_t a, b, c, down, up;
};

static struct mul_div_case mul_div_cases[] = {
	{ "exact", 6, 7, 3, 14, 14 },
	{ "rounded", 7, 7, 3, 16, 17 },
	{ "nothing", 0, UINT64_MAX, 3, 0, 0 },
	{ "a product of 128 bits", UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX,
	  UINT64_MAX },
	{ "just what fits", UINT64_MAX, 2, 2, UINT64_MAX, UINT64_MAX },
	{ "rounded up to what does not fit", UINT64_MAX, 3, 2, UINT64_MAX, UINT64_MAX },
	{ "far too large", UINT64_MAX, UINT64_MAX, 1, UINT64_MAX, UINT64_MAX },
	{ "less than one", 1, 1, UINT64_MAX, 0, 1 },
};

static void test_mul_div(void **state)
{
	const struct mul_div_case *c = *state;

	assert_int_equal(base_num_mul_div(c->a, c->b, c->c), c->down);
	assert_int_equal(base_num_mul_div_up(c->a, c->b, c->c), c->up);
}

static void test_add(void **state)
{
	(void)state;
	assert_int_equal(base_num_add(2, 3), 5);
	assert_true(base_num_add(UINT64_MAX - 1, 1) == UINT64_MAX);
	assert_true(base_num_add(UINT64_MAX, 1) == UINT64_MAX);
	assert_true(base_num_add(UINT64_MAX, UINT64_MAX) == UINT64_MAX);
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_read, read_cases);
	ROWS_ADD(&rows, test_u32, u32_cases);
	ROWS_ADD(&rows, test_format, format_cases);
	ROWS_ADD(&rows, test_ppm, ppm_cases);
	ROWS_ADD(&rows, test_mul_div, mul_div_cases);
	rows_add_test(&rows, "sums that do not fit", test_add);
	return rows_run(&rows, "base_num");
}
