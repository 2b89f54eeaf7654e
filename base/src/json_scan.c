/* SPDX-License-Identifier: Apache-2.0 */
#include "json_private.h"
#include "quote.h"
#include "utf8.h"
#include <base/err.h>
#include <base/num.h>
#include <base/str.h>
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum want {
	WANT_VALUE,
	WANT_VALUE_OR_CLOSE, /* just after [ */
	WANT_KEY,
	WANT_KEY_OR_CLOSE, /* just after { */
	WANT_COLON,
	WANT_COMMA_OR_CLOSE,
	WANT_END,
};

struct scan {
	const char *file, *text;
	size_t len, pos;
	unsigned depth;
	size_t open_at[BASE_JSON_DEPTH_MAX]; /* offsets of the brackets that are open */
	json_t *open[BASE_JSON_DEPTH_MAX];   /* their values, owned by the one around */
	json_t *root;			     /* owned; NULL until the first value */
	struct base_str key;	 /* of the member whose value comes next, decoded */
	struct base_str decoded; /* of a string with escapes */
	struct base_err *err;
};

/* Room for what describe_found() writes. */
#define FOUND_MAX 48

static int fail(const struct scan *s, size_t offset, const char *fmt, ...)
	BASE_PRINTF(3, 4);

static int fail(const struct scan *s, size_t offset, const char *fmt, ...)
{
	va_list ap;

	base_json_err_at(s->err, s->file, s->text, s->len, offset);
	va_start(ap, fmt);
	base_err_setv(s->err, -BASE_E_SYNTAX, fmt, ap);
	va_end(ap);
	return -BASE_E_SYNTAX;
}

static int fail_memory(const struct scan *s)
{
	base_err_at(s->err, s->file, 0, 0);
	return base_err_set(s->err, -ENOMEM, "no memory for a document of %zu bytes",
			    s->len);
}

static bool is_word_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '+' || c == '-';
}

static bool is_digit_at(const struct scan *s, size_t pos)
{
	return pos < s->len && s->text[pos] >= '0' && s->text[pos] <= '9';
}

/* Bytes of the run of word bytes at @pos. */
static size_t word_len(const struct scan *s, size_t pos)
{
	size_t n = 0;

	while (pos + n < s->len && is_word_byte(s->text[pos + n]))
		n++;
	return n;
}

/* Says what stands at @pos, for "found ...". */
static const char *describe_found(const struct scan *s, size_t pos, char buf[FOUND_MAX])
{
	size_t n = word_len(s, pos);
	unsigned char c;

	if (pos >= s->len)
		return "the end of the file";
	c = (unsigned char)s->text[pos];
	if (n > 0)
		snprintf(buf, FOUND_MAX, n > 24 ? "\"%.*s...\"" : "\"%.*s\"",
			 (int)(n > 24 ? 24 : n), s->text + pos);
	else if (c == '"')
		snprintf(buf, FOUND_MAX, "a string");
	else if (c > 0x20 && c < 0x7F)
		snprintf(buf, FOUND_MAX, "\"%c\"", c);
	else
		snprintf(buf, FOUND_MAX, "byte 0x%02X", c);
	return buf;
}

static int fail_expected(const struct scan *s, const char *what)
{
	char found[FOUND_MAX];

	return fail(s, s->pos, "expected %s, found %s", what,
		    describe_found(s, s->pos, found));
}

static void skip_blanks(struct scan *s)
{
	while (s->pos < s->len) {
		char c = s->text[s->pos];

		if (c != ' ' && c != '\n' && c != '\t' && c != '\r')
			return;
		s->pos++;
	}
}

/* The unit of the \uXXXX at @pos, or -1. */
static int32_t utf16_unit(const struct scan *s, size_t pos)
{
	uint32_t unit = 0;

	if (s->len - pos < 6 || s->text[pos] != '\\' || s->text[pos + 1] != 'u')
		return -1;
	for (size_t i = pos + 2; i < pos + 6; i++) {
		char c = s->text[i];

		if (!isxdigit((unsigned char)c))
			return -1;
		unit = unit << 4 | (uint32_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
	}
	return (int32_t)unit;
}

static int scan_unicode_escape(struct scan *s)
{
	int32_t unit = utf16_unit(s, s->pos), low;

	if (unit < 0)
		return fail(s, s->pos, "expected four hexadecimal digits after \\u");
	if (unit == 0)
		return fail(s, s->pos, "\\u0000 is not allowed in a string");
	if (unit >= 0xD800 && unit <= 0xDBFF) {
		low = utf16_unit(s, s->pos + 6);
		if (low < 0xDC00 || low > 0xDFFF)
			return fail(s, s->pos,
				    "the first half of a surrogate pair stands alone");
		s->pos += 6;
	} else if (unit >= 0xDC00 && unit <= 0xDFFF) {
		return fail(s, s->pos,
			    "the second half of a surrogate pair stands alone");
	}
	s->pos += 6;
	return 0;
}

static int scan_escape(struct scan *s)
{
	char found[FOUND_MAX];
	char c = s->pos + 1 < s->len ? s->text[s->pos + 1] : '\0';

	if (c == 'u')
		return scan_unicode_escape(s);
	if (c == '\0' || !strchr("\"\\/bfnrt", c))
		return fail(s, s->pos,
			    "expected one of \" \\ / b f n r t u after the backslash, "
			    "found %s",
			    describe_found(s, s->pos + 1, found));
	s->pos += 2;
	return 0;
}

static int scan_string(struct scan *s)
{
	size_t start = s->pos++, n;
	int r;

	while (s->pos < s->len) {
		unsigned char c = (unsigned char)s->text[s->pos];

		if (c == '"') {
			s->pos++;
			return 0;
		}
		if (c == '\\') {
			r = scan_escape(s);
			if (r < 0)
				return r;
		} else if (c == '\n') {
			return fail(s, start, "the string does not end on its line");
		} else if (c < 0x20) {
			return fail(s, s->pos, "byte 0x%02X must be written as \\u%04X",
				    c, c);
		} else if (c < 0x80) {
			s->pos++;
		} else {
			n = base_utf8_char(s->text + s->pos, s->len - s->pos);
			if (n == 0)
				return fail(s, s->pos, "byte 0x%02X is not valid UTF-8",
					    c);
			s->pos += n;
		}
	}
	return fail(s, start, "the string does not end before the end of the file");
}

/* Puts @value (owned; NULL: no memory) where the document has it. */
static int put_value(struct scan *s, json_t *value)
{
	json_t *around = s->depth > 0 ? s->open[s->depth - 1] : NULL;
	int r = 0;

	if (!value)
		return fail_memory(s);
	if (!around)
		s->root = value;
	else if (json_is_array(around))
		r = json_array_append_new(around, value);
	else
		r = json_object_set_new_nocheck(around, base_str_text(&s->key), value);
	return r < 0 ? fail_memory(s) : 0;
}

/* Decodes the string from its opening quote at @start to @end, one past its closing
 * quote. */
static int decode(struct scan *s, size_t start, size_t end, struct base_str *into)
{
	const char *p = s->text + start + 1, *last = s->text + end - 1, *plain;
	char c[4];

	base_str_clear(into);
	while (p < last) {
		plain = memchr(p, '\\', (size_t)(last - p));
		if (!plain)
			plain = last;
		base_str_add_len(into, p, (size_t)(plain - p));
		p = plain;
		if (p < last)
			base_str_add_len(into, c, base_json_take_char(&p, c));
	}
	return base_str_error(into) < 0 ? fail_memory(s) : 0;
}

static int scan_string_value(struct scan *s)
{
	size_t start = s->pos, len;
	int r = scan_string(s);

	if (r < 0)
		return r;
	len = s->pos - start - 2;
	if (!memchr(s->text + start + 1, '\\', len))
		return put_value(s, json_stringn_nocheck(s->text + start + 1, len));
	r = decode(s, start, s->pos, &s->decoded);
	return r < 0 ? r : put_value(s, json_string_nocheck(base_str_text(&s->decoded)));
}

static int fail_number(const struct scan *s, size_t start)
{
	char found[FOUND_MAX];

	return fail(s, start, "expected a number such as 12, -3 or 1.5e9, found %s",
		    describe_found(s, start, found));
}

/* The integer from @start to the current position. */
static int put_integer(struct scan *s, size_t start)
{
	bool negative = s->text[start] == '-';
	size_t digits = start + negative;
	uint64_t n;

	if (base_num_u64(s->text + digits, s->pos - digits, &n) < 0 ||
	    n > (uint64_t)INT64_MAX + negative)
		return fail(s, start,
			    "integer out of range: write those above 2^53 as strings");
	if (!negative)
		return put_value(s, json_integer((json_int_t)n));
	return put_value(s, json_integer(n > 0 ? -(json_int_t)(n - 1) - 1 : 0));
}

static int scan_number(struct scan *s)
{
	size_t start = s->pos, p = s->pos;
	bool whole = true;

	if (s->text[p] == '-')
		p++;
	if (!is_digit_at(s, p))
		return fail_number(s, start);
	if (s->text[p] == '0')
		p++;
	else
		while (is_digit_at(s, p))
			p++;
	if (p < s->len && s->text[p] == '.') {
		whole = false;
		if (!is_digit_at(s, ++p))
			return fail_number(s, start);
		while (is_digit_at(s, p))
			p++;
	}
	if (p < s->len && (s->text[p] | 0x20) == 'e') {
		whole = false;
		p++;
		if (p < s->len && (s->text[p] == '+' || s->text[p] == '-'))
			p++;
		if (!is_digit_at(s, p))
			return fail_number(s, start);
		while (is_digit_at(s, p))
			p++;
	}
	if (p < s->len && is_word_byte(s->text[p])) /* 007, 1.2.3, 400G */
		return fail_number(s, start);
	s->pos = p;
	/* Of a number with fraction or exponent only the kind is ever asked for. */
	return whole ? put_integer(s, start) : put_value(s, json_real(0.0));
}

static enum want want_after_value(const struct scan *s)
{
	return s->depth > 0 ? WANT_COMMA_OR_CLOSE : WANT_END;
}

static int open_bracket(struct scan *s, enum want *want)
{
	bool is_object = s->text[s->pos] == '{';
	json_t *value;
	int r;

	if (s->depth == BASE_JSON_DEPTH_MAX)
		return fail(s, s->pos, "nested more than %d deep", BASE_JSON_DEPTH_MAX);
	value = is_object ? json_object() : json_array();
	r = put_value(s, value);
	if (r < 0)
		return r;
	*want = is_object ? WANT_KEY_OR_CLOSE : WANT_VALUE_OR_CLOSE;
	s->open[s->depth] = value;
	s->open_at[s->depth++] = s->pos++;
	return 0;
}

static int scan_literal(struct scan *s)
{
	size_t n = word_len(s, s->pos), at = s->pos;
	const char *word = s->text + at;

	s->pos += n;
	if (n == 4 && memcmp(word, "true", n) == 0)
		return put_value(s, json_true());
	if (n == 5 && memcmp(word, "false", n) == 0)
		return put_value(s, json_false());
	if (n == 4 && memcmp(word, "null", n) == 0)
		return put_value(s, json_null());
	s->pos = at;
	if (at < s->len && *word == '\'')
		return fail(s, at, "a string is written in \"double quotes\"");
	if (at == 0 && s->len >= 3 && memcmp(word, "\xEF\xBB\xBF", 3) == 0)
		return fail(s, 0,
			    "a byte order mark is not allowed: save as plain UTF-8");
	return fail_expected(s, "a value");
}

static int scan_value(struct scan *s, enum want *want)
{
	char c = s->pos < s->len ? s->text[s->pos] : '\0';
	int r;

	if (c == '{' || c == '[')
		return open_bracket(s, want);
	if (c == '"')
		r = scan_string_value(s);
	else if (c == '-' || (c >= '0' && c <= '9'))
		r = scan_number(s);
	else
		r = scan_literal(s);
	*want = want_after_value(s);
	return r;
}

static int scan_key(struct scan *s, enum want *want)
{
	char quoted[BASE_QUOTE_MAX];
	size_t start = s->pos;
	int r;

	if (s->pos >= s->len || s->text[s->pos] != '"')
		return fail_expected(s, *want == WANT_KEY ? "a \"key\" after the comma"
							  : "a \"key\" or }");
	r = scan_string(s);
	if (r == 0)
		r = decode(s, start, s->pos, &s->key);
	if (r < 0)
		return r;
	if (json_object_get(s->open[s->depth - 1], base_str_text(&s->key)))
		return fail(s, start, "key %s stands twice in one object",
			    base_quote(base_str_text(&s->key), quoted));
	*want = WANT_COLON;
	return 0;
}

static int scan_colon(struct scan *s, enum want *want)
{
	if (s->pos >= s->len || s->text[s->pos] != ':')
		return fail_expected(s, ": after the key");
	s->pos++;
	*want = WANT_VALUE;
	return 0;
}

static char closing_bracket(const struct scan *s)
{
	return s->text[s->open_at[s->depth - 1]] == '{' ? '}' : ']';
}

static int fail_unclosed(const struct scan *s)
{
	struct base_err open = { 0 };
	size_t at = s->open_at[s->depth - 1];

	base_json_err_at(&open, s->file, s->text, s->len, at);
	return fail(s, s->pos,
		    "expected , or %c after a value, found the end of the file; the %c "
		    "of line %u is open",
		    closing_bracket(s), s->text[at], (unsigned)open.line);
}

static int scan_comma(struct scan *s, enum want *want)
{
	char close = closing_bracket(s);

	if (s->pos >= s->len)
		return fail_unclosed(s);
	if (s->text[s->pos] != ',')
		return fail_expected(s, close == '}' ? ", or } after a value"
						     : ", or ] after a value");
	s->pos++;
	*want = close == '}' ? WANT_KEY : WANT_VALUE;
	return 0;
}

/* Takes the closing bracket if it may stand here and does. */
static bool take_close(struct scan *s, enum want *want)
{
	if (*want != WANT_VALUE_OR_CLOSE && *want != WANT_KEY_OR_CLOSE &&
	    *want != WANT_COMMA_OR_CLOSE)
		return false;
	if (s->pos >= s->len || s->text[s->pos] != closing_bracket(s))
		return false;
	s->pos++;
	s->depth--;
	*want = want_after_value(s);
	return true;
}

static int scan_next(struct scan *s, enum want *want)
{
	if (take_close(s, want))
		return 0;
	switch (*want) {
	case WANT_VALUE:
	case WANT_VALUE_OR_CLOSE:
		return scan_value(s, want);
	case WANT_KEY:
	case WANT_KEY_OR_CLOSE:
		return scan_key(s, want);
	case WANT_COLON:
		return scan_colon(s, want);
	case WANT_COMMA_OR_CLOSE:
		return scan_comma(s, want);
	case WANT_END:
		break;
	}
	return fail_expected(s, "the end of the file after the document");
}

static int scan_document(struct scan *s)
{
	enum want want = WANT_VALUE;
	int r;

	for (;;) {
		skip_blanks(s);
		if (want == WANT_END && s->pos == s->len)
			return 0;
		r = scan_next(s, &want);
		if (r < 0)
			return r;
	}
}

int base_json_scan(const char *file, const char *text, size_t len, json_t **ret_root,
		   struct base_err *err)
{
	struct scan s = { .file = file, .text = text, .len = len, .err = err };
	int r;

	base_str_init(&s.key, 0);
	base_str_init(&s.decoded, 0);
	r = scan_document(&s);
	base_str_fini(&s.key);
	base_str_fini(&s.decoded);
	if (r == 0)
		*ret_root = s.root;
	else
		json_decref(s.root); /* NULL is fine */
	return r;
}
