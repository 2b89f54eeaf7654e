/* SPDX-License-Identifier: Apache-2.0 */
#include <unit/rows.h>
#include <base/err.h>
#include <base/text.h>
#include <stdio.h>
#include <string.h>

#define TEXT(literal) literal, sizeof(literal) - 1

struct lines_case {
	const char *name;
	const char *data;
	size_t len;
	const char *want; /* each line in brackets */
	int end;	  /* 0, or the error after the last line */
	uint32_t line, column;
};

static struct lines_case lines_cases[] = {
	{ "no bytes, no line", TEXT(""), "", 0, 0, 0 },
	{ "a line", TEXT("a b\n"), "[a b]", 0, 0, 0 },
	{ "a last line without its end", TEXT("a\nb"), "[a][b]", 0, 0, 0 },
	{ "CRLF", TEXT("a\r\nb\r\n"), "[a][b]", 0, 0, 0 },
	{ "empty lines", TEXT("\n\r\n\n"), "[][][]", 0, 0, 0 },
	{ "a CR without its LF stays at the end too", TEXT("a\nb\r"), "[a][b\r]", 0, 0,
	  0 },
	{ "a CR inside stays", TEXT("a\rb\n"), "[a\rb]", 0, 0, 0 },
	{ "only one CR belongs to the end", TEXT("a\r\r\n"), "[a\r]", 0, 0, 0 },
	{ "a byte order mark is skipped", TEXT("\xEF\xBB\xBFid,rate\n"), "[id,rate]", 0,
	  0, 0 },
	{ "only at the start", TEXT("a\n\xEF\xBB\xBF\n"), "[a][\xEF\xBB\xBF]", 0, 0, 0 },
	{ "a NUL byte", TEXT("a\nbc\0d\n"), "[a]", -BASE_E_SYNTAX, 2, 3 },
	{ "a NUL byte at the very end", TEXT("a\n\0"), "[a]", -BASE_E_SYNTAX, 2, 1 },
};

static void test_lines(void **state)
{
	const struct lines_case *c = *state;
	char *exact = malloc(c->len + 1), got[100] = "";
	struct base_err err = { 0 };
	struct base_text t;
	uint32_t n = 0;
	int r;

	assert_non_null(exact); /* ends where the text ends: no byte after it is read */
	memcpy(exact + 1, c->data, c->len);
	base_text_init(&t, "file", exact + 1, c->len);
	while ((r = base_text_line(&t, &err)) > 0) {
		size_t at = strlen(got);

		snprintf(got + at, sizeof(got) - at, "[%.*s]",
			 (int)(t.line_end - t.line_start), t.line_start);
		assert_int_equal(t.line, ++n);
	}
	assert_string_equal(got, c->want);
	assert_int_equal(r, c->end);
	assert_int_equal(base_text_line(&t, NULL), c->end); /* and it stays so */
	assert_int_equal(err.code, c->end);
	assert_int_equal(err.line, c->line);
	assert_int_equal(err.column, c->column);
	assert_string_equal(err.file, c->end < 0 ? "file" : "");
	free(exact);
}

static void test_long_line(void **state)
{
	size_t max = BASE_TEXT_LINE_MAX;
	char *data = malloc(max + 3);
	struct base_err err = { 0 };
	struct base_text t;

	(void)state;
	assert_non_null(data);
	memset(data, 'x', max + 3);
	data[max] = '\r';
	data[max + 1] = '\n';
	base_text_init(&t, "file", data, max + 2);
	assert_int_equal(base_text_line(&t, &err), 1);
	assert_int_equal(t.line_end - t.line_start, max);
	assert_int_equal(base_text_line(&t, &err), 0);

	data[max] = 'x';
	base_text_init(&t, "file", data, max + 2);
	assert_int_equal(base_text_line(&t, &err), -BASE_E_TOO_LARGE);
	assert_int_equal(err.line, 1);
	free(data);
}

struct split_case {
	const char *name;
	char separator; /* 0: words */
	const char *line;
	const char *want;     /* each piece in brackets, its column before it */
	const char *unquoted; /* the same after base_word_unquote(); NULL: the same */
};

static struct split_case split_cases[] = {
	{ "words", 0, "a bb c", "1[a]3[bb]6[c]", NULL },
	{ "words between blanks and tabs", 0, " \t a\t\tb  ", "4[a]7[b]", NULL },
	{ "no word", 0, "  \t ", "", NULL },
	{ "no byte, no word", 0, "", "", NULL },
	{ "fields", ',', "a,bb,c", "1[a]3[bb]6[c]", NULL },
	{ "empty fields", ',', "a,,b", "1[a]3[]4[b]", NULL },
	{ "an empty field at the end", ',', "a,", "1[a]3[]", NULL },
	{ "nothing but separators", ',', ",,", "1[]2[]3[]", NULL },
	{ "an empty line has one field", ',', "", "1[]", NULL },
	{ "blanks around fields", ',', " a , b b\t,c ", "2[a]6[b b]11[c]", NULL },
	{ "fields between tabs", '\t', "a\t\t b \tc", "1[a]3[]5[b]8[c]", NULL },
	{ "quoted", ',', "\"a,b\",c", "1[\"a,b\"]7[c]", "2[a,b]7[c]" },
	{ "quoted, blanks around", ',', " \"a\" ,c", "2[\"a\"]7[c]", "3[a]7[c]" },
	{ "quoted, blanks inside", ',', "\" a \",c", "1[\" a \"]7[c]", "2[ a ]7[c]" },
	{ "a quote in a quoted field", ',', "\"a\"\",\"\"b\",c",
	  "1[\"a\"\",\"\"b\"]11[c]", "2[a\"\",\"\"b]11[c]" },
	{ "an empty quoted field", ',', "\"\",c", "1[\"\"]4[c]", "2[]4[c]" },
	{ "quotes never closed", ',', "\"a,b", "1[\"a,b]", NULL },
	{ "a lone quote", ',', "\"", "1[\"]", NULL },
	{ "a quote inside a field is a byte", ',', "a\"b,c\"d", "1[a\"b]5[c\"d]", NULL },
	{ "text after the quotes", ',', "\"a\"b,c", "1[\"a\"b]6[c]", NULL },
};

static void test_split(void **state)
{
	const struct split_case *c = *state;
	char got[100] = "", unquoted[100] = "";
	struct base_word w;
	struct base_text t;
	size_t pos = 0;

	base_text_init(&t, "file", c->line, strlen(c->line));
	assert_int_equal(base_text_line(&t, NULL), c->line[0] != '\0');
	while (c->separator ? base_text_field(&t, c->separator, &pos, &w)
			    : base_text_word(&t, &pos, &w)) {
		size_t at = strlen(got);

		snprintf(got + at, sizeof(got) - at, "%u[%.*s]", w.column, (int)w.len,
			 w.text);
		assert_int_equal(w.line, c->line[0] != '\0');
		base_word_unquote(&w);
		at = strlen(unquoted);
		snprintf(unquoted + at, sizeof(unquoted) - at, "%u[%.*s]", w.column,
			 (int)w.len, w.text);
	}
	assert_string_equal(got, c->want);
	assert_string_equal(unquoted, c->unquoted ? c->unquoted : c->want);
}

static void test_words(void **state)
{
	struct base_word words[2];
	struct base_text t;

	(void)state;
	base_text_init(&t, "file", TEXT("a bb ccc\n"));
	assert_int_equal(base_text_words(&t, words, 2), 0); /* no line yet */
	assert_int_equal(base_text_line(&t, NULL), 1);
	assert_int_equal(base_text_words(&t, words, 2), 3);
	assert_true(base_word_is(&words[0], "a"));
	assert_true(base_word_is(&words[1], "bb"));
	assert_int_equal(base_text_words(&t, NULL, 0), 3);
	assert_int_equal(base_text_line(&t, NULL), 0);
	assert_int_equal(base_text_words(&t, words, 2), 0); /* no line any more */
}

static void test_word_is(void **state)
{
	const struct base_word w = { .text = "Switch9", .len = 6 };

	(void)state;
	assert_true(base_word_is(&w, "Switch"));
	assert_false(base_word_is(&w, "switch"));
	assert_false(base_word_is(&w, "Switch9"));
	assert_false(base_word_is(&w, "Switc"));
	assert_true(base_word_is_nocase(&w, "sWITCH"));
	assert_false(base_word_is_nocase(&w, "switch9"));
	assert_false(base_word_is_nocase(&w, "switcz"));
}

static int number_u32(const struct base_text *t, const struct base_word *w,
		      uint64_t *ret_n, struct base_err *err)
{
	uint32_t n;
	int r = base_text_u32(t, w, "link 3: count", &n, err);

	if (r == 0)
		*ret_n = n;
	return r;
}

static int number_u64(const struct base_text *t, const struct base_word *w,
		      uint64_t *ret_n, struct base_err *err)
{
	return base_text_u64(t, w, "link 3: bytes", ret_n, err);
}

static int number_rate(const struct base_text *t, const struct base_word *w,
		       uint64_t *ret_n, struct base_err *err)
{
	return base_text_rate(t, w, "link 3: rate", ret_n, err);
}

static int number_time(const struct base_text *t, const struct base_word *w,
		       uint64_t *ret_n, struct base_err *err)
{
	return base_text_time(t, w, "link 3: delay", ret_n, err);
}

struct number_case {
	const char *name;
	int (*read)(const struct base_text *t, const struct base_word *w, uint64_t *ret_n,
		    struct base_err *err);
	const char *word;
	int want;
	uint64_t n;
	const char *message;
};

static struct number_case number_cases[] = {
	{ "a count", number_u32, "12", 0, 12, "" },
	{ "a count in words", number_u32, "twelve", -BASE_E_SYNTAX, 0,
	  "link 3: count must be a whole number up to 4294967295, not \"twelve\"" },
	{ "a count too large", number_u32, "4294967296", -BASE_E_INVALID, 0,
	  "link 3: count is out of range or too finely divided: it must be a whole "
	  "number up to 4294967295, not \"4294967296\"" },
	{ "bytes", number_u64, "18446744073709551615", 0, UINT64_MAX, "" },
	{ "bytes with a sign", number_u64, "-1", -BASE_E_SYNTAX, 0,
	  "link 3: bytes must be a whole number below 2^64, not \"-1\"" },
	{ "a rate", number_rate, "100Gbps", 0, 100000000000, "" },
	{ "no rate", number_rate, "fast", -BASE_E_SYNTAX, 0,
	  "link 3: rate must be a number with a unit such as 100Gbps, not \"fast\"" },
	{ "a delay", number_time, "1.5us", 0, 1500, "" },
	{ "a delay without unit", number_time, "1000", -BASE_E_SYNTAX, 0,
	  "link 3: delay must be a time with a unit such as 1000ns or 1.5us, "
	  "not \"1000\"" },
	{ "a word that would steer a terminal", number_u32, "\033[2J", -BASE_E_SYNTAX, 0,
	  "link 3: count must be a whole number up to 4294967295, not \"?[2J\"" },
};

static void test_number(void **state)
{
	const struct number_case *c = *state;
	struct base_err err = { 0 };
	struct base_word w;
	struct base_text t;
	uint64_t n = 77;
	size_t pos = 5;
	char line[100];

	snprintf(line, sizeof(line), "link %s", c->word);
	base_text_init(&t, "fabric.txt", line, strlen(line));
	assert_int_equal(base_text_line(&t, NULL), 1);
	assert_true(base_text_word(&t, &pos, &w));
	assert_int_equal(c->read(&t, &w, &n, &err), c->want);
	assert_int_equal(n, c->want == 0 ? c->n : 77);
	assert_string_equal(err.message, c->message);
	if (c->want < 0) {
		assert_string_equal(err.file, "fabric.txt");
		assert_int_equal(err.line, 1);
		assert_int_equal(err.column, 6);
	}
}

static void test_long_word_in_message(void **state)
{
	struct base_err err = { 0 };
	char line[5000];
	struct base_word w;
	struct base_text t;
	uint32_t n = 77;
	size_t pos = 0;

	(void)state;
	memset(line, 'w', sizeof(line));
	base_text_init(&t, "file", line, sizeof(line));
	assert_int_equal(base_text_line(&t, NULL), 1);
	assert_true(base_text_word(&t, &pos, &w));
	assert_int_equal(base_text_u32(&t, &w, "count", &n, &err), -BASE_E_SYNTAX);
	assert_true(strlen(err.message) < 200);
	assert_non_null(strstr(err.message, "www...\""));
}

static void test_fail_without_word(void **state)
{
	struct base_err err = { 0 };
	struct base_text t;

	(void)state;
	base_text_init(&t, "file", TEXT("a\nb\n"));
	assert_int_equal(base_text_line(&t, NULL), 1);
	assert_int_equal(base_text_line(&t, NULL), 1);
	assert_int_equal(base_text_fail(&t, NULL, &err, -BASE_E_INVALID, "%d links", 3),
			 -BASE_E_INVALID);
	assert_int_equal(err.line, 2);
	assert_int_equal(err.column, 0);
	assert_string_equal(err.message, "3 links");
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_lines, lines_cases);
	ROWS_ADD(&rows, test_split, split_cases);
	ROWS_ADD(&rows, test_number, number_cases);
	rows_add_test(&rows, "a line may be of 1 MiB and no longer", test_long_line);
	rows_add_test(&rows, "words are counted beyond the room for them", test_words);
	rows_add_test(&rows, "a word is compared as a whole", test_word_is);
	rows_add_test(&rows, "a long word is cut in a message",
		      test_long_word_in_message);
	rows_add_test(&rows, "a message about a whole line", test_fail_without_word);
	return rows_run(&rows, "base_text");
}
