/* SPDX-License-Identifier: Apache-2.0 */
#include <unit/rows.h>
#include <base/err.h>
#include <base/str.h>
#include <stdio.h>
#include <string.h>

struct order_case {
	const char *name;
	const char *a, *b; /* a stands before b; the same: equal */
};

static struct order_case order_cases[] = {
	{ "digits by value", "leaf2", "leaf10" },
	{ "the shorter one first", "leaf", "leaf0" },
	{ "nothing before something", "", "a" },
	{ "a value in the middle", "pod2.leaf10", "pod10.leaf2" },
	{ "the second of two values", "pod2.leaf2", "pod2.leaf10" },
	{ "capitals by byte", "Leaf", "leaf" },
	{ "a digit against a letter by byte", "a1", "ab" },
	{ "a digit against a sign by byte", "a-", "a1" },
	{ "bytes are not signed", "az", "a\xC3\xA4" },
	{ "values far over 64 bits", "x99999999999999999999999",
	  "x100000000000000000000000" },
	{ "leading zeros do not count", "x007", "x8" },
	{ "but they do when all else is equal", "x007", "x7" },
	{ "and only then", "x007b", "x7c" },
	{ "zero against zeros", "x0", "x00" },
	{ "equal texts", "leaf2", "leaf2" },
	{ "empty texts", "", "" },
};

static int sign(int r)
{
	return (r > 0) - (r < 0);
}

static void test_order(void **state)
{
	const struct order_case *c = *state;
	int want = strcmp(c->a, c->b) == 0 ? 0 : -1;

	assert_int_equal(sign(base_str_natural_compare(c->a, c->b)), want);
	assert_int_equal(sign(base_str_natural_compare(c->b, c->a)), -want);
}

struct nearest_case {
	const char *name;
	const char *word, *want; /* NULL: none */
};

static struct nearest_case nearest_cases[] = {
	{ "the word itself", "paths", "paths" },
	{ "a letter left out", "chek", "check" },
	{ "a letter too many", "showw", "show" },
	{ "a wrong letter", "chock", "check" },
	{ "two letters swapped", "tpoo", "topo" },
	{ "two slips in a long word", "genrat", "generate" },
	{ "the nearer one, not the first", "shows", "show" },
	{ "ties go to the first", "sho", "show" },
	{ "nothing like it", "banana", NULL },
	{ "one letter is not enough in common", "x", NULL },
	{ "nothing typed", "", NULL },
	{ "half of a word is no slip", "gen", NULL },
	{ "a unit left out, though another is nearer", "rate", "rate_bps" },
	{ "a unit left out of a short word", "mtu", "mtu_bytes" },
};

static void test_nearest(void **state)
{
	static const char *const candidates[] = { "check",    "show",	  "shot", "paths",
						  "topo",     "generate", "y",	  "rates",
						  "rate_bps", "mtu_bytes" };
	const struct nearest_case *c = *state;
	const char *got = base_str_nearest(c->word, candidates, BASE_COUNT(candidates));

	if (c->want)
		assert_string_equal(got, c->want);
	else
		assert_null(got);
}

/* What stands behind the word is not looked at. */
static void test_nearest_of_a_part(void **state)
{
	static const char *const candidates[] = { "spines", "rate_bps" };

	(void)state;
	assert_ptr_equal(base_str_nearest_len("spinse,x", 6, candidates, 2),
			 candidates[0]);
	assert_ptr_equal(base_str_nearest_len("rate=9", 4, candidates, 2), candidates[1]);
	assert_null(base_str_nearest_len("spines", 0, candidates, 2));
}

static void test_nearest_of_long_words(void **state)
{
	char word[128], other[200];
	const char *candidates[2] = { other, word };

	(void)state;
	memset(word, 'w', sizeof(word) - 1);
	word[127] = '\0';
	memset(other, 'w', sizeof(other) - 1);
	other[199] = '\0';
	assert_ptr_equal(base_str_nearest(word, candidates, 2), word);
	other[128] = '\0'; /* as a word: a byte over what is looked at */
	assert_null(base_str_nearest(other, candidates, 2));
}

struct u64_case {
	const char *name;
	uint64_t n;
};

static struct u64_case u64_cases[] = {
	{ "0", 0 },
	{ "one digit", 9 },
	{ "two digits", 10 },
	{ "two nines", 99 },
	{ "three digits", 100 },
	{ "an odd count of digits", 12345 },
	{ "zeros inside", 1000001 },
	{ "the largest", UINT64_MAX },
};

static void test_add_u64(void **state)
{
	const struct u64_case *c = *state;
	struct base_str s;
	char want[32];

	snprintf(want, sizeof(want), "n=%llu", (unsigned long long)c->n);
	base_str_init(&s, 0);
	base_str_add(&s, "n=");
	base_str_add_u64(&s, c->n);
	assert_string_equal(base_str_text(&s), want);
	assert_int_equal(s.len, strlen(want));
	base_str_fini(&s);
}

static void test_all_ways_to_add(void **state)
{
	struct base_str s;

	(void)state;
	base_str_init(&s, 0);
	assert_string_equal(base_str_text(&s), "");
	base_str_add(&s, "leaf");
	base_str_add_char(&s, '1');
	base_str_add_len(&s, "2 3", 1);
	base_str_addf(&s, " %s %d", "port", -4);
	base_str_add_len(&s, NULL, 0);
	assert_string_equal(base_str_text(&s), "leaf12 port -4");
	assert_int_equal(s.len, 14);
	assert_int_equal(base_str_error(&s), 0);
	base_str_clear(&s);
	assert_string_equal(base_str_text(&s), "");
	base_str_fini(&s);
}

static void test_grows(void **state)
{
	struct base_str s;
	char *text;

	(void)state;
	base_str_init(&s, 0);
	for (unsigned i = 0; i < 1000; i++) /* formats meet every amount of room left */
		base_str_addf(&s, "%0*u", (int)(i % 150 + 1), i);
	assert_int_equal(base_str_error(&s), 0);
	assert_int_equal(strlen(base_str_text(&s)), s.len);
	assert_true(base_str_has_suffix(base_str_text(&s), "0999"));
	text = base_str_steal(&s);
	assert_non_null(text);
	assert_string_equal(base_str_text(&s), "");
	free(text);
	base_str_fini(&s);
}

static void add_by_text(struct base_str *s)
{
	base_str_add(s, "12345");
}

static void add_by_char(struct base_str *s)
{
	for (int i = 0; i < 5; i++)
		base_str_add_char(s, (char)('1' + i));
}

static void add_by_number(struct base_str *s)
{
	base_str_add_u64(s, 12345);
}

static void add_by_format(struct base_str *s)
{
	base_str_addf(s, "%s", "12345");
}

struct ceiling_case {
	const char *name;
	void (*add)(struct base_str *s);
	const char *left; /* of it, when only four bytes fit */
};

static struct ceiling_case ceiling_cases[] = {
	{ "a text over the ceiling adds nothing", add_by_text, "abc" },
	{ "bytes stop at the ceiling", add_by_char, "abc1234" },
	{ "a number over the ceiling adds nothing", add_by_number, "abc" },
	{ "a format over the ceiling adds nothing", add_by_format, "abc" },
};

static void test_ceiling(void **state)
{
	const struct ceiling_case *c = *state;
	struct base_str s;

	base_str_init(&s, 8);
	base_str_add(&s, "abc");
	c->add(&s);
	assert_string_equal(base_str_text(&s), "abc12345"); /* just fits */
	assert_int_equal(base_str_error(&s), 0);
	base_str_fini(&s);

	base_str_init(&s, 7);
	base_str_add(&s, "abc");
	c->add(&s);
	assert_string_equal(base_str_text(&s), c->left);
	assert_int_equal(base_str_error(&s), -BASE_E_TOO_LARGE);
	base_str_add(&s, ""); /* sticky */
	base_str_addf(&s, "%d", 1);
	assert_string_equal(base_str_text(&s), c->left);
	assert_null(base_str_steal(&s));
	assert_int_equal(base_str_error(&s), 0); /* fit for use again */
	base_str_fini(&s);
}

static void test_steal_nothing(void **state)
{
	struct base_str s;
	char *text;

	(void)state;
	base_str_init(&s, 0);
	text = base_str_steal(&s);
	assert_string_equal(text, "");
	free(text);
	base_str_fini(&s);
}

static void test_prefix_and_suffix(void **state)
{
	(void)state;
	assert_true(base_str_has_prefix("leaf12", "leaf"));
	assert_true(base_str_has_prefix("leaf", ""));
	assert_false(base_str_has_prefix("lea", "leaf"));
	assert_true(base_str_has_suffix("a.json", ".json"));
	assert_true(base_str_has_suffix("a.json", ""));
	assert_false(base_str_has_suffix("json", ".json"));
	assert_false(base_str_has_suffix("a.jsonl", ".json"));
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_order, order_cases);
	ROWS_ADD(&rows, test_nearest, nearest_cases);
	ROWS_ADD(&rows, test_add_u64, u64_cases);
	ROWS_ADD(&rows, test_ceiling, ceiling_cases);
	rows_add_test(&rows, "long words are looked at up to a limit",
		      test_nearest_of_long_words);
	rows_add_test(&rows, "a part of a text", test_nearest_of_a_part);
	rows_add_test(&rows, "all ways to add", test_all_ways_to_add);
	rows_add_test(&rows, "a text grows under formats", test_grows);
	rows_add_test(&rows, "the empty text can be taken", test_steal_nothing);
	rows_add_test(&rows, "prefix and suffix", test_prefix_and_suffix);
	return rows_run(&rows, "base_str");
}
