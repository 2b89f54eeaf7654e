/* SPDX-License-Identifier: Apache-2.0 */
#include "out_private.h"
#include "utf8.h"
#include <assert.h>
#include <string.h>

/* The largest integer that JSON readers agree on; larger ones are written as strings. */
#define EXACT_MAX (UINT64_C(1) << 53)

static void add_number(struct base_str *s, uint64_t n)
{
	if (n > EXACT_MAX)
		base_str_add_char(s, '"');
	base_str_add_u64(s, n);
	if (n > EXACT_MAX)
		base_str_add_char(s, '"');
}

/* The escape of byte @c, or NULL if it stands for itself. */
static const char *escape_of(unsigned char c, char buf[8])
{
	static const char hex[] = "0123456789abcdef";
	static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
	const char *short_form = c ? strchr(from, c) : NULL;

	if (short_form) {
		memcpy(buf, (char[]){ '\\', to[short_form - from], '\0' }, 3);
		return buf;
	}
	if (c >= 0x20 && c != 0x7F)
		return NULL;
	memcpy(buf, (char[]){ '\\', 'u', '0', '0', hex[c >> 4], hex[c & 15], '\0' }, 7);
	return buf;
}

void base_out_json_escape(struct base_str *s, const char *text, size_t len)
{
	size_t start = 0, i = 0, n; /* start: of the run that needs no escape */
	const char *instead;
	char buf[8];

	base_str_add_char(s, '"');
	while (i < len) {
		n = base_utf8_char(text + i, len - i);
		instead = n == 0   ? BASE_UTF8_REPLACEMENT
			  : n == 1 ? escape_of((unsigned char)text[i], buf)
				   : NULL;
		n = n > 0 ? n : 1;
		if (instead) {
			base_str_add_len(s, text + start, i - start);
			base_str_add(s, instead);
			start = i + n;
		}
		i += n;
	}
	base_str_add_len(s, text + start, len - start);
	base_str_add_char(s, '"');
}

static void new_line(struct base_out *o, unsigned depth)
{
	base_str_add_char(o->into, '\n');
	for (unsigned i = 0; i < depth; i++)
		base_str_add_len(o->into, "  ", 2);
}

/* Comma, line break and key in front of an element of @top, the frame around it (NULL:
 * none). */
static void lead_in(struct base_out *o, const struct out_frame *top, unsigned depth,
		    const char *key)
{
	bool pretty = o->format == BASE_OUT_JSON_PRETTY;

	if (top && top->n > 0)
		base_str_add_char(o->into, ',');
	if (pretty && top && !top->one_line)
		new_line(o, depth);
	else if (pretty && top && top->n > 0)
		base_str_add_char(o->into, ' ');
	if (!key)
		return;
	base_out_json_escape(o->into, key, strlen(key));
	base_str_add_len(o->into, ": ", pretty ? 2 : 1);
}

/* A list whose first element is a number, or a list of them, stays on its line. */
static void note_number(struct out_frame *top)
{
	if (top->kind == OUT_LIST && top->n == 0)
		top->one_line = true;
}

void base_out_json_begin(struct base_out *o, const char *key)
{
	struct out_frame *frame = base_out_top(o);
	const struct out_frame *parent = o->depth > 1 ? frame - 1 : NULL;

	lead_in(o, parent, o->depth - 1, key);
	frame->one_line = frame->kind == OUT_ROW || (parent && parent->one_line);
	base_str_add_char(
		o->into, frame->kind == OUT_OBJECT || frame->kind == OUT_ROW ? '{' : '[');
}

void base_out_json_end(struct base_out *o)
{
	const struct out_frame *frame = base_out_top(o);

	if (o->format == BASE_OUT_JSON_PRETTY && frame->n > 0 && !frame->one_line)
		new_line(o, o->depth - 1);
	base_str_add_char(
		o->into, frame->kind == OUT_OBJECT || frame->kind == OUT_ROW ? '}' : ']');
}

void base_out_json_value(struct base_out *o, const char *key,
			 const struct out_value *value)
{
	struct out_frame *top = base_out_top(o);

	if (value->kind == OUT_NUMBER)
		note_number(top);
	lead_in(o, top, o->depth, key);
	switch (value->kind) {
	case OUT_STRING:
		base_out_json_escape(o->into, value->text, strlen(value->text));
		break;
	case OUT_NUMBER:
		add_number(o->into, value->number);
		break;
	case OUT_BOOL:
		base_str_add(o->into, value->truth ? "true" : "false");
		break;
	case OUT_NULL:
		base_str_add(o->into, "null");
		break;
	}
}

void base_out_json_finish(struct base_out *o)
{
	if (o->done)
		base_str_add_char(o->into, '\n');
}

/* Both list functions: exactly one of @wide and @narrow is not NULL, unless @n is 0. */
static void put_numbers(struct base_out *o, const char *key, const uint64_t *wide,
			const uint32_t *narrow, size_t n)
{
	struct out_frame *top = base_out_top(o);
	size_t gap = o->format == BASE_OUT_JSON_PRETTY ? 2 : 1;

	assert(top && (top->kind == OUT_LIST) == (key == NULL) && top->kind != OUT_TABLE);
	if (o->format == BASE_OUT_TEXT)
		return;
	note_number(top);
	lead_in(o, top, o->depth, key);
	base_str_add_char(o->into, '[');
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			base_str_add_len(o->into, ", ", gap);
		add_number(o->into, wide ? wide[i] : narrow[i]);
	}
	base_str_add_char(o->into, ']');
	top->n++;
}

void base_out_u64_list(struct base_out *o, const char *key, const uint64_t *values,
		       size_t n)
{
	put_numbers(o, key, values, NULL, n);
}

void base_out_u32_list(struct base_out *o, const char *key, const uint32_t *values,
		       size_t n)
{
	put_numbers(o, key, NULL, values, n);
}
