/* SPDX-License-Identifier: Apache-2.0 */
#include "out_private.h"
#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

struct base_out *base_out_new(enum base_out_format format, bool colours,
			      struct base_str *into)
{
	struct base_out *o = calloc(1, sizeof(*o));

	if (!o)
		return NULL;
	o->format = format;
	o->colours = colours;
	o->into = into;
	if (format == BASE_OUT_TEXT) {
		o->text = base_out_text_new();
		if (!o->text) {
			free(o);
			return NULL;
		}
	}
	return o;
}

int base_out_finish(struct base_out *o)
{
	int r;

	assert(o->depth == 0);
	if (o->format != BASE_OUT_TEXT)
		base_out_json_finish(o);
	r = o->error < 0 ? o->error : base_str_error(o->into);
	base_out_text_free(o->text);
	free(o);
	return r;
}

void base_out_fail(struct base_out *o, int error)
{
	if (o->error == 0)
		o->error = error;
}

enum base_out_format base_out_format(const struct base_out *o)
{
	return o->format;
}

/* What comes now must have a key in an object, and none elsewhere; the top level is one
 * value. */
static void check_place(const struct base_out *o, const char *key)
{
	const struct out_frame *top = o->depth > 0 ? &o->frames[o->depth - 1] : NULL;
	bool in_object = top && (top->kind == OUT_OBJECT || top->kind == OUT_ROW);

	assert(in_object == (key != NULL));
	assert(top || !o->done);
	(void)in_object;
	(void)key;
}

static void begin(struct base_out *o, enum out_frame_kind kind, const char *key,
		  const char *label)
{
	struct out_frame *parent = base_out_top(o);

	check_place(o, key);
	assert(!parent || parent->kind != OUT_TABLE || kind == OUT_OBJECT);
	assert(o->depth < OUT_DEPTH_MAX);
	if (parent && parent->kind == OUT_TABLE)
		kind = OUT_ROW;
	o->frames[o->depth++] = (struct out_frame){ .kind = kind };
	if (o->format == BASE_OUT_TEXT)
		base_out_text_begin(o, label);
	else
		base_out_json_begin(o, key);
	o->colour = BASE_OUT_PLAIN;
}

static void end(struct base_out *o, enum out_frame_kind kind)
{
	const struct out_frame *top = base_out_top(o);

	assert(top &&
	       (top->kind == kind || (kind == OUT_OBJECT && top->kind == OUT_ROW)));
	(void)top;
	(void)kind;
	if (o->format == BASE_OUT_TEXT)
		base_out_text_end(o);
	else
		base_out_json_end(o);
	o->depth--;
	if (o->depth > 0)
		base_out_top(o)->n++;
	else
		o->done = true;
	o->colour = BASE_OUT_PLAIN;
}

static void put_value(struct base_out *o, const char *key, const char *label,
		      const struct out_value *value)
{
	struct out_frame *top = base_out_top(o);

	check_place(o, key);
	assert(top && top->kind != OUT_TABLE);
	if (o->format == BASE_OUT_TEXT)
		base_out_text_value(o, label, value);
	else
		base_out_json_value(o, key, value);
	top->n++;
	o->colour = BASE_OUT_PLAIN;
}

void base_out_object_begin(struct base_out *o, const char *key, const char *label)
{
	begin(o, OUT_OBJECT, key, label);
}

void base_out_object_end(struct base_out *o)
{
	end(o, OUT_OBJECT);
}

void base_out_list_begin(struct base_out *o, const char *key, const char *label)
{
	begin(o, OUT_LIST, key, label);
}

void base_out_list_end(struct base_out *o)
{
	end(o, OUT_LIST);
}

void base_out_table_begin(struct base_out *o, const char *key, const char *label)
{
	begin(o, OUT_TABLE, key, label);
}

void base_out_table_end(struct base_out *o)
{
	end(o, OUT_TABLE);
}

void base_out_string(struct base_out *o, const char *key, const char *label,
		     const char *value)
{
	put_value(o, key, label,
		  &(struct out_value){ .kind = OUT_STRING, .text = value });
}

void base_out_str(struct base_out *o, const char *key, const char *label,
		  const struct base_str *value)
{
	base_out_fail(o, base_str_error(value));
	base_out_string(o, key, label, base_str_text(value));
}

void base_out_number(struct base_out *o, const char *key, const char *label,
		     uint64_t value, enum base_out_unit unit)
{
	put_value(
		o, key, label,
		&(struct out_value){ .kind = OUT_NUMBER, .number = value, .unit = unit });
}

void base_out_bool(struct base_out *o, const char *key, const char *label, bool value)
{
	put_value(o, key, label, &(struct out_value){ .kind = OUT_BOOL, .truth = value });
}

void base_out_null(struct base_out *o, const char *key, const char *label)
{
	put_value(o, key, label, &(struct out_value){ .kind = OUT_NULL });
}

void base_out_colour(struct base_out *o, enum base_out_colour colour)
{
	o->colour = colour;
}

void base_out_text(struct base_out *o, const char *fmt, ...)
{
	struct base_str line;
	va_list ap;

	if (o->format != BASE_OUT_TEXT)
		return;
	base_str_init(&line, 0);
	va_start(ap, fmt);
	base_str_addv(&line, fmt, ap);
	va_end(ap);
	base_out_fail(o, base_str_error(&line));
	if (base_str_error(&line) == 0)
		base_out_text_line(o, base_str_text(&line));
	base_str_fini(&line);
	o->colour = BASE_OUT_PLAIN;
}
