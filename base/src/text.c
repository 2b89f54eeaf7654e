/* SPDX-License-Identifier: Apache-2.0 */
#include "quote.h"
#include <base/text.h>
#include <base/num.h>
#include <errno.h>
#include <string.h>

static const char BYTE_ORDER_MARK[] =
	"\xEF\xBB\xBF"; /* UTF-8's, from some spreadsheets */

void base_text_init(struct base_text *t, const char *file, const char *data, size_t len)
{
	size_t mark = sizeof(BYTE_ORDER_MARK) - 1;

	if (len == 0) /* @data may be NULL, which nothing can be added to */
		data = "";
	if (len < mark || memcmp(data, BYTE_ORDER_MARK, mark) != 0)
		mark = 0;
	*t = (struct base_text){ .file = file, .data = data, .end = data + len };
	t->next = t->line_start = t->line_end = data + mark;
}

static int fail_at(const struct base_text *t, uint32_t line, uint32_t column,
		   struct base_err *err, int code, const char *message)
{
	base_err_at(err, t->file, line, column);
	return base_err_set(err, code, "%s", message);
}

int base_text_line(struct base_text *t, struct base_err *err)
{
	size_t left = (size_t)(t->end - t->next), len;
	const char *lf, *nul;

	if (left == 0) {
		t->line_start = t->line_end = t->end;
		return 0;
	}
	lf = memchr(t->next, '\n', left);
	len = lf ? (size_t)(lf - t->next) : left;
	nul = memchr(t->next, '\0', len);
	if (nul && (size_t)(nul - t->next) < BASE_TEXT_LINE_MAX)
		return fail_at(t, t->line + 1, (uint32_t)(nul - t->next) + 1, err,
			       -BASE_E_SYNTAX, "NUL byte; a text file is expected");
	if (len > 0 && t->next[len - 1] == '\r' && lf)
		len--;
	if (len > BASE_TEXT_LINE_MAX)
		return fail_at(
			t, t->line + 1, (uint32_t)BASE_TEXT_LINE_MAX + 1, err,
			-BASE_E_TOO_LARGE,
			"line of over 1 MiB; a text file with shorter lines is expected");
	t->line_start = t->next;
	t->line_end = t->next + len;
	t->next = lf ? lf + 1 : t->end;
	t->line++;
	return 1;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static size_t line_len(const struct base_text *t)
{
	return (size_t)(t->line_end - t->line_start);
}

static struct base_word word_at(const struct base_text *t, size_t from, size_t to)
{
	return (struct base_word){
		.text = t->line_start + from,
		.len = to - from,
		.line = t->line,
		.column = (uint32_t)from + 1,
	};
}

bool base_text_word(const struct base_text *t, size_t *pos, struct base_word *ret_word)
{
	size_t len = line_len(t), from = *pos, to;

	while (from < len && is_blank(t->line_start[from]))
		from++;
	for (to = from; to < len && !is_blank(t->line_start[to]);)
		to++;
	*pos = to;
	if (from >= len)
		return false;
	*ret_word = word_at(t, from, to);
	return true;
}

/* One past the quoted part that starts at @from; the end of the line if never closed. */
static size_t skip_quoted(const struct base_text *t, size_t from)
{
	size_t len = line_len(t);

	for (size_t i = from + 1; i < len; i++) {
		if (t->line_start[i] != '"')
			continue;
		if (i + 1 >= len || t->line_start[i + 1] != '"')
			return i + 1;
		i++; /* a doubled one stands for itself */
	}
	return len;
}

bool base_text_field(const struct base_text *t, char separator, size_t *pos,
		     struct base_word *ret_word)
{
	size_t len = line_len(t), from = *pos, to;

	/* One past the end: the field after a last separator is at the end. */
	if (from > len)
		return false;
	while (from < len && is_blank(t->line_start[from]) &&
	       t->line_start[from] != separator)
		from++;
	to = from < len && t->line_start[from] == '"' ? skip_quoted(t, from) : from;
	while (to < len && t->line_start[to] != separator)
		to++;
	*pos = to + 1;
	while (to > from && is_blank(t->line_start[to - 1]))
		to--;
	*ret_word = word_at(t, from, to);
	return true;
}

size_t base_text_words(const struct base_text *t, struct base_word *words, size_t max)
{
	struct base_word word;
	size_t n = 0, pos = 0;

	for (; base_text_word(t, &pos, &word); n++)
		if (n < max)
			words[n] = word;
	return n;
}

bool base_word_is(const struct base_word *w, const char *text)
{
	return strlen(text) == w->len && memcmp(w->text, text, w->len) == 0;
}

static char to_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool base_word_is_nocase(const struct base_word *w, const char *text)
{
	if (strlen(text) != w->len)
		return false;
	for (size_t i = 0; i < w->len; i++)
		if (to_lower(w->text[i]) != to_lower(text[i]))
			return false;
	return true;
}

void base_word_unquote(struct base_word *w)
{
	if (w->len < 2 || w->text[0] != '"' || w->text[w->len - 1] != '"')
		return;
	w->text++;
	w->len -= 2;
	w->column++;
}

int base_text_fail(const struct base_text *t, const struct base_word *w,
		   struct base_err *err, int code, const char *fmt, ...)
{
	va_list ap;

	base_err_at(err, t->file, w ? w->line : t->line, w ? w->column : 0);
	va_start(ap, fmt);
	base_err_setv(err, code, fmt, ap);
	va_end(ap);
	return code;
}

/* The readers know two faults; a person sees the word and what would do in its place. */
static int fail_number(const struct base_text *t, const struct base_word *w,
		       const char *what, const char *expected, int r,
		       struct base_err *err)
{
	char word[BASE_QUOTE_MAX + 1], quoted[BASE_QUOTE_MAX];
	size_t len = w->len < BASE_QUOTE_MAX ? w->len : BASE_QUOTE_MAX;

	memcpy(word, w->text, len);
	word[len] = '\0';
	base_quote(word, quoted);
	if (r == -ERANGE)
		return base_text_fail(t, w, err, -BASE_E_INVALID,
				      "%s is out of range or too finely divided: "
				      "it must be %s, not %s",
				      what, expected, quoted);
	return base_text_fail(t, w, err, -BASE_E_SYNTAX, "%s must be %s, not %s", what,
			      expected, quoted);
}

int base_text_u32(const struct base_text *t, const struct base_word *w, const char *what,
		  uint32_t *ret_n, struct base_err *err)
{
	int r = base_num_u32(w->text, w->len, ret_n);

	return r < 0 ? fail_number(t, w, what, "a whole number up to 4294967295", r, err)
		     : 0;
}

int base_text_u64(const struct base_text *t, const struct base_word *w, const char *what,
		  uint64_t *ret_n, struct base_err *err)
{
	int r = base_num_u64(w->text, w->len, ret_n);

	return r < 0 ? fail_number(t, w, what, "a whole number below 2^64", r, err) : 0;
}

int base_text_rate(const struct base_text *t, const struct base_word *w, const char *what,
		   uint64_t *ret_bps, struct base_err *err)
{
	int r = base_num_rate(w->text, w->len, ret_bps);

	if (r < 0)
		r = fail_number(t, w, what, "a number with a unit such as 100Gbps", r,
				err);
	return r;
}

int base_text_time(const struct base_text *t, const struct base_word *w, const char *what,
		   uint64_t *ret_ns, struct base_err *err)
{
	int r = base_num_time(w->text, w->len, ret_ns);

	if (r < 0)
		r = fail_number(t, w, what, "a time with a unit such as 1000ns or 1.5us",
				r, err);
	return r;
}
