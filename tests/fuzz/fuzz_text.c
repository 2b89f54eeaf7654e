/* SPDX-License-Identifier: Apache-2.0 */
/*
 * base/text on any bytes.  Oracle: lines are what lies between line feeds; words and
 * fields stand where their column says, hold no byte that separates them, and leave
 * nothing out; the only error there can be is a NUL byte, at the place of the first one.
 */
#include <base/err.h>
#include <base/text.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define INPUT_MAX 65536u /* below the longest line */

#define CHECK(condition)                                                                 \
	do {                                                                             \
		if (!(condition))                                                        \
			abort();                                                         \
	} while (0)

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool all_blank(const char *from, const char *to)
{
	for (; from < to; from++)
		if (!is_blank(*from))
			return false;
	return true;
}

/* In place, in its line, not touching blanks. */
static void check_word(const struct base_text *t, const struct base_word *w)
{
	CHECK(w->line == t->line && w->column >= 1);
	CHECK(w->text == t->line_start + w->column - 1);
	CHECK(w->text + w->len <= t->line_end);
	CHECK(w->len == 0 || (!is_blank(w->text[0]) && !is_blank(w->text[w->len - 1])));
}

static void check_words(const struct base_text *t)
{
	const char *done = t->line_start;
	struct base_word w, some[3];
	size_t pos = 0, n = 0;

	for (; base_text_word(t, &pos, &w); n++) {
		check_word(t, &w);
		CHECK(w.len > 0 && all_blank(done, w.text));
		CHECK(done == t->line_start || w.text > done); /* a blank between two */
		for (size_t i = 0; i < w.len; i++)
			CHECK(!is_blank(w.text[i]));
		done = w.text + w.len;
	}
	CHECK(all_blank(done, t->line_end));
	CHECK(base_text_words(t, some, 3) == n);
	CHECK(n < 3 || all_blank(some[1].text + some[1].len, some[2].text));
}

/* One past a field that begins at @at: a separator within quotes is none. */
static const char *field_end(const struct base_text *t, const char *at, char separator)
{
	bool in_quotes = false;

	while (at < t->line_end && is_blank(*at) && *at != separator)
		at++;
	if (at < t->line_end && *at == '"') {
		in_quotes = true;
		at++;
	}
	for (; at < t->line_end && (in_quotes || *at != separator); at++) {
		if (!in_quotes || *at != '"')
			continue;
		if (at + 1 < t->line_end && at[1] == '"')
			at++;
		else
			in_quotes = false;
	}
	return at;
}

static void check_fields(const struct base_text *t, char separator)
{
	const char *at = t->line_start, *end = at;
	struct base_word w, bare;
	size_t pos = 0, n = 0;

	for (; base_text_field(t, separator, &pos, &w); n++) {
		CHECK(n == 0 || (end < t->line_end && *end == separator));
		at = n == 0 ? at : end + 1;
		end = field_end(t, at, separator);
		check_word(t, &w);
		CHECK(w.text >= at && w.text + w.len <= end);
		CHECK(all_blank(at, w.text) && all_blank(w.text + w.len, end));
		bare = w;
		base_word_unquote(&bare);
		CHECK(bare.len == w.len || (bare.len + 2 == w.len && w.text[0] == '"'));
		CHECK(bare.text == t->line_start + bare.column - 1);
	}
	CHECK(n > 0 && end == t->line_end);
}

/* A message about any word is one line of text that cannot steer a terminal. */
static void check_number(const struct base_text *t)
{
	struct base_err err = { 0 };
	uint64_t n = 77;
	struct base_word w;
	size_t pos = 0;
	int r;

	if (!base_text_word(t, &pos, &w))
		return;
	r = base_text_rate(t, &w, "rate", &n, &err);
	CHECK(r == 0 || (n == 77 && err.code == r && err.line == t->line));
	CHECK(r == 0 || (r == -BASE_E_SYNTAX || r == -BASE_E_INVALID));
	for (const char *c = err.message; *c; c++)
		CHECK((unsigned char)*c >= 0x20 && *c != 0x7F);
}

static void check_line(const struct base_text *t)
{
	check_words(t);
	check_fields(t, ',');
	check_fields(t, '\t');
	check_number(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data, *at = text, *end = text + size, *lf, *stop;
	struct base_err err = { 0 };
	struct base_text t;
	uint32_t lines = 0;
	int r;

	if (size == 0 || size > INPUT_MAX)
		return 0;
	if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
		at += 3;
	base_text_init(&t, "input", text, size);
	while ((r = base_text_line(&t, &err)) > 0) {
		CHECK(at < end && t.line_start == at && t.line == ++lines);
		lf = memchr(at, '\n', (size_t)(end - at));
		stop = lf ? lf : end;
		CHECK(!memchr(at, '\0', (size_t)(stop - at)));
		CHECK(t.line_end == stop - (lf && stop > at && stop[-1] == '\r'));
		at = lf ? lf + 1 : end;
		check_line(&t);
	}
	if (r == 0) {
		CHECK(at == end && err.code == 0);
		return 0;
	}
	CHECK(r == -BASE_E_SYNTAX && err.code == r && err.line == lines + 1);
	CHECK(memchr(at, '\0', (size_t)(end - at)) == at + err.column - 1);
	return 0;
}
