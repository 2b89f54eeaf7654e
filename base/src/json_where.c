/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a value back to its byte, along the chain of parents, and from a byte to line and
 * column.  Only for messages, so that files without mistakes pay nothing.  The text has
 * passed base_json_tree().
 */
#include "json_private.h"
#include <assert.h>
#include <stdint.h>
#include <string.h>

void base_json_err_at(struct base_err *err, const char *file, const char *text,
		      size_t len, size_t offset)
{
	const char *at = text + (offset < len ? offset : len), *start = text, *lf;
	uint32_t line = 1;

	while (start < at && (lf = memchr(start, '\n', (size_t)(at - start)))) {
		start = lf + 1;
		line++;
	}
	base_err_at(err, file, line, (uint32_t)(at - start) + 1);
}

static const char *skip_blanks(const char *p)
{
	while (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r')
		p++;
	return p;
}

/* From the opening quote to one past the closing one. */
static const char *skip_string(const char *p)
{
	for (p++; *p != '"'; p++)
		if (*p == '\\')
			p++;
	return p + 1;
}

/* From the first byte of a value to one past its last. */
static const char *skip_value(const char *p)
{
	unsigned depth = 0;

	do {
		if (*p == '"') {
			p = skip_string(p);
			continue;
		}
		if (*p == '{' || *p == '[') {
			depth++;
			p++;
		} else if (*p == '}' || *p == ']') {
			depth--;
			p++;
		} else if (depth > 0) {
			p++;
		} else {
			p += strcspn(p, ",]} \n\t\r");
		}
	} while (depth > 0);
	return p;
}

static uint32_t hex4(const char *p)
{
	uint32_t n = 0;

	for (int i = 0; i < 4; i++)
		n = n << 4 |
		    (uint32_t)(p[i] <= '9' ? p[i] - '0' : (p[i] | 0x20) - 'a' + 10);
	return n;
}

/* Writes code point @c as UTF-8; returns its bytes. */
static size_t put_utf8(uint32_t c, char out[4])
{
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (char)(0xC0 | c >> 6);
		out[1] = (char)(0x80 | (c & 0x3F));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (char)(0xE0 | c >> 12);
		out[1] = (char)(0x80 | (c >> 6 & 0x3F));
		out[2] = (char)(0x80 | (c & 0x3F));
		return 3;
	}
	out[0] = (char)(0xF0 | c >> 18);
	out[1] = (char)(0x80 | (c >> 12 & 0x3F));
	out[2] = (char)(0x80 | (c >> 6 & 0x3F));
	out[3] = (char)(0x80 | (c & 0x3F));
	return 4;
}

size_t base_json_take_char(const char **p, char out[4])
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	uint32_t c;

	if (**p != '\\') {
		out[0] = *(*p)++;
		return 1;
	}
	(*p)++;
	if (**p != 'u') {
		out[0] = to[strchr(from, **p) - from];
		(*p)++;
		return 1;
	}
	c = hex4(*p + 1);
	*p += 5;
	if (c >= 0xD800 && c <= 0xDBFF) { /* the parser has seen the second half */
		c = 0x10000 + ((c - 0xD800) << 10) + (hex4(*p + 2) - 0xDC00);
		*p += 6;
	}
	return put_utf8(c, out);
}

/* Is the string at @p (its opening quote) @key? */
static bool string_is(const char *p, const char *key)
{
	char c[4];
	size_t n;

	for (p++; *p != '"'; key += n) {
		n = base_json_take_char(&p, c);
		if (strncmp(key, c, n) != 0)
			return false;
	}
	return *key == '\0';
}

/* The key of member @key of the object at @p. */
static const char *find_member(const char *p, const char *key)
{
	assert(*p == '{');
	for (p = skip_blanks(p + 1); !string_is(p, key); p = skip_blanks(p + 1)) {
		p = skip_blanks(skip_string(p)) + 1; /* the colon */
		p = skip_blanks(skip_value(skip_blanks(p)));
		assert(*p == ',');
	}
	return p;
}

static const char *find_element(const char *p, uint32_t index)
{
	assert(*p == '[');
	for (p = skip_blanks(p + 1); index > 0; index--) {
		p = skip_blanks(skip_value(p));
		assert(*p == ',');
		p = skip_blanks(p + 1);
	}
	return p;
}

size_t base_json_where(const struct base_json *v, bool of_key)
{
	const struct base_json *steps[BASE_JSON_DEPTH_MAX + 1];
	const char *p = skip_blanks(v->doc->text), *key = NULL;
	size_t n = 0;

	for (; !v->value; v = v->parent)
		assert(v->parent && v->parent != v);
	for (; v->parent; v = v->parent) {
		assert(n < BASE_COUNT(steps) && v->parent != v);
		steps[n++] = v;
	}
	while (n > 0) {
		v = steps[--n];
		key = NULL;
		if (v->key) {
			key = find_member(p, v->key);
			p = skip_blanks(skip_blanks(skip_string(key)) + 1);
		} else {
			p = find_element(p, v->index);
		}
	}
	return (size_t)((of_key && key ? key : p) - v->doc->text);
}
