/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Output for people.  Fields of an object wait until something else follows, so that
 * their labels can be aligned; a table waits for its end.  What waits lies in one pool.
 */
#include "out_private.h"
#include "utf8.h"
#include <base/mem.h>
#include <base/num.h>
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIST_WIDTH_MAX 64 /* a longer list goes on several lines */

struct out_text *base_out_text_new(void)
{
	struct out_text *t = calloc(1, sizeof(*t));

	if (t)
		base_str_init(&t->pool, 0);
	return t;
}

void base_out_text_free(struct out_text *t)
{
	if (!t)
		return;
	base_str_fini(&t->pool);
	free(t->items);
	free(t->fields);
	free(t->columns);
	free(t->cells);
	free(t);
}

/* Adds @text to the pool without what could steer a terminal; counts columns by code
 * points. */
struct span base_out_text_add_span(struct base_out *o, const char *text, size_t len)
{
	struct base_str *pool = &o->text->pool;
	struct span span = { .at = pool->len };
	size_t i = 0, n;

	while (i < len) {
		n = base_utf8_char(text + i, len - i);
		if (n == 0)
			base_str_add(pool, BASE_UTF8_REPLACEMENT);
		else if (base_utf8_is_control(text + i))
			base_str_add_char(pool, '?');
		else
			base_str_add_len(pool, text + i, n);
		i += n > 0 ? n : 1;
		span.width++;
	}
	span.len = pool->len - span.at;
	if (base_str_error(pool) < 0)
		o->error = base_str_error(pool);
	return span;
}

static void add_item(struct base_out *o, const char *text, bool number)
{
	struct out_text *t = o->text;
	struct item *items =
		base_grow(t->items, &t->cap_items, t->n_items + 1, sizeof(*items));

	if (!items) {
		o->error = -ENOMEM;
		return;
	}
	t->items = items;
	items[t->n_items++] = (struct item){
		.text = base_out_text_add_span(o, text, strlen(text)),
		.colour = o->colour,
		.number = number,
	};
}

static const char *format_number(const struct out_value *value,
				 char buf[BASE_NUM_TEXT_MAX])
{
	switch (value->unit) {
	case BASE_OUT_COUNT:
		return base_num_format_count(value->number, buf);
	case BASE_OUT_BPS:
		return base_num_format_rate(value->number, buf);
	case BASE_OUT_BYTES:
		return base_num_format_size(value->number, buf);
	case BASE_OUT_NS:
		return base_num_format_time(value->number, buf);
	case BASE_OUT_RATIO_PPM:
		return base_num_format_ppm(value->number, 3, buf);
	case BASE_OUT_PERCENT_PPM:
		base_num_format_ppm(base_num_mul_div(value->number, 100, 1), 1, buf);
		memcpy(buf + strlen(buf), " %", 3);
		return buf;
	case BASE_OUT_ID:
		break;
	}
	snprintf(buf, BASE_NUM_TEXT_MAX, "%" PRIu64, value->number);
	return buf;
}

static void add_value(struct base_out *o, const struct out_value *value)
{
	char buf[BASE_NUM_TEXT_MAX];

	switch (value->kind) {
	case OUT_STRING:
		add_item(o, value->text, false);
		break;
	case OUT_NUMBER:
		add_item(o, format_number(value, buf), true);
		break;
	case OUT_BOOL:
		add_item(o, value->truth ? "yes" : "no", false);
		break;
	case OUT_NULL:
		add_item(o, "-", true); /* stands in a column of numbers like one */
		break;
	}
}

void base_out_text_pad(struct base_out *o, size_t columns)
{
	while (columns-- > 0)
		base_str_add_char(o->into, ' ');
}

void base_out_text_write_span(struct base_out *o, const struct span *span,
			      enum base_out_colour colour)
{
	static const char *const codes[] = {
		[BASE_OUT_PLAIN] = "",	      [BASE_OUT_BOLD] = "\033[1m",
		[BASE_OUT_DIM] = "\033[2m",   [BASE_OUT_GOOD] = "\033[32m",
		[BASE_OUT_WARN] = "\033[33m", [BASE_OUT_BAD] = "\033[31m",
	};
	bool coloured = o->colours && colour != BASE_OUT_PLAIN && span->len > 0;

	if (coloured)
		base_str_add(o->into, codes[colour]);
	base_str_add_len(o->into, base_str_text(&o->text->pool) + span->at, span->len);
	if (coloured)
		base_str_add(o->into, "\033[0m");
}

/* Before a line that is neither heading nor section. */
void base_out_text_start_line(struct base_out *o)
{
	if (o->text->last == AFTER_SECTION)
		base_str_add_char(o->into, '\n');
	o->text->last = AFTER_LINE;
	base_out_text_pad(o, o->text->indent);
}

static void write_field(struct base_out *o, const struct field *f, size_t label_width)
{
	const struct item *items = o->text->items + f->first_item;
	size_t value_column = label_width > 0 ? label_width + 3 : 0, total = 0;
	bool one_line;

	for (size_t i = 0; i < f->n_items; i++)
		total += items[i].text.width + 2;
	one_line = f->n_items == 1 || (total <= LIST_WIDTH_MAX + 2 && label_width > 0);
	base_out_text_start_line(o);
	base_out_text_write_span(o, &f->label, BASE_OUT_PLAIN);
	if (f->label.width > 0)
		base_str_add_char(o->into, ':');
	if (items[0].text.len > 0 || f->n_items > 1)
		base_out_text_pad(o,
				  value_column - f->label.width - (f->label.width > 0));
	for (size_t i = 0; i < f->n_items; i++) {
		if (i > 0 && one_line)
			base_str_add_len(o->into, ", ", 2);
		if (i > 0 && !one_line) {
			base_str_add_char(o->into, '\n');
			base_out_text_pad(o, o->text->indent + value_column);
		}
		base_out_text_write_span(o, &items[i].text, items[i].colour);
	}
	base_str_add_char(o->into, '\n');
}

/* Nothing waits any more. */
static void forget(struct out_text *t)
{
	base_str_clear(&t->pool);
	t->n_items = t->n_fields = t->n_columns = t->n_cells = t->n_rows = 0;
}

/* Writes the fields that wait; the pool is still valid after. */
static void write_fields(struct base_out *o)
{
	struct out_text *t = o->text;
	size_t label_width = 0;

	for (size_t i = 0; i < t->n_fields; i++)
		if (t->fields[i].label.width > label_width)
			label_width = t->fields[i].label.width;
	for (size_t i = 0; i < t->n_fields && o->error == 0; i++)
		write_field(o, &t->fields[i], label_width);
	t->n_fields = 0;
}

/* Begins a part that blank lines set off, below a heading unless @label is empty. */
static void open_section(struct base_out *o, struct out_frame *frame,
			 const struct span *label)
{
	struct out_text *t = o->text;

	write_fields(o);
	if ((t->last == AFTER_LINE || t->last == AFTER_SECTION) && o->error == 0)
		base_str_add_char(o->into, '\n');
	if (label->len > 0 && o->error == 0) {
		base_out_text_pad(o, t->indent);
		base_out_text_write_span(o, label, BASE_OUT_BOLD);
		base_str_add_char(o->into, '\n');
		/* The heading of the whole output stands over it, not beside it. */
		frame->indented = frame != o->frames || frame->kind == OUT_TABLE;
	}
	t->last = AFTER_HEADING;
	frame->section = true;
	if (frame->indented)
		t->indent += 2;
	forget(t);
}

static void close_section(struct base_out *o, const struct out_frame *frame)
{
	write_fields(o);
	forget(o->text);
	if (frame->indented)
		o->text->indent -= 2;
	o->text->last = AFTER_SECTION;
}

/* Gives the items from @first on to a field. */
static void add_field(struct base_out *o, const struct span *label, size_t first)
{
	struct out_text *t = o->text;
	struct field *fields =
		base_grow(t->fields, &t->cap_fields, t->n_fields + 1, sizeof(*fields));

	if (!fields) {
		o->error = -ENOMEM;
		return;
	}
	t->fields = fields;
	fields[t->n_fields++] = (struct field){ *label, first, t->n_items - first };
}

static bool is_hidden(const struct out_frame *frame, const struct out_frame *parent,
		      const char *label)
{
	bool in_object =
		parent && (parent->kind == OUT_OBJECT || parent->kind == OUT_ROW);

	if (!parent)
		return false;
	/* Lists of lists are for JSON. */
	return parent->hidden || (in_object && !label) ||
	       (parent->kind == OUT_LIST && frame->kind == OUT_LIST);
}

/* The first element of a list tells that it is one of objects or tables: then it is a
 * section. */
static void settle_list(struct base_out *o, struct out_frame *list)
{
	if (list->section)
		return;
	assert(o->text->n_items ==
	       o->text->list_first_item); /* scalars and objects in one list */
	open_section(o, list, &o->text->list_label);
}

void base_out_text_begin(struct base_out *o, const char *label)
{
	struct out_frame *frame = base_out_top(o),
			 *parent = o->depth > 1 ? frame - 1 : NULL;
	struct out_text *t = o->text;
	struct span heading;

	frame->hidden = is_hidden(frame, parent, label);
	if (frame->hidden)
		return;
	if (frame->kind == OUT_ROW) {
		t->n_rows++;
		t->next_column = 0;
		return;
	}
	if (parent && parent->kind == OUT_LIST)
		settle_list(o, parent);
	if (parent && parent->kind == OUT_ROW) {
		assert(frame->kind ==
		       OUT_LIST); /* a cell is a scalar or a list of scalars */
		t->list_column = base_out_table_column(o, label);
		t->list_first_item = t->n_items;
		return;
	}
	heading =
		base_out_text_add_span(o, label ? label : "", label ? strlen(label) : 0);
	if (frame->kind == OUT_LIST) {
		t->list_label = heading;
		t->list_first_item = t->n_items;
		return;
	}
	open_section(o, frame, &heading);
}

/* Joins the items from @first on to one, for a cell. */
static void join_items(struct base_out *o, size_t first)
{
	struct out_text *t = o->text;
	struct span all = { .at = t->pool.len };

	for (size_t i = first; i < t->n_items && base_str_error(&t->pool) == 0; i++) {
		struct span one = t->items[i].text;

		/* Copied out first: adding may move the pool. */
		if (i > first)
			base_str_add_len(&t->pool, ", ", 2);
		for (size_t b = 0; b < one.len; b++)
			base_str_add_char(&t->pool, base_str_text(&t->pool)[one.at + b]);
		all.width += one.width + (i > first ? 2 : 0);
	}
	if (base_str_error(&t->pool) < 0) {
		o->error = base_str_error(&t->pool);
		return;
	}
	all.len = t->pool.len - all.at;
	t->items[first] = (struct item){ .text = all };
	t->n_items = first + 1;
}

static void end_list(struct base_out *o, struct out_frame *list)
{
	struct out_frame *parent = o->depth > 1 ? list - 1 : NULL;
	struct out_text *t = o->text;

	if (list->section) {
		close_section(o, list);
		return;
	}
	if (t->n_items == t->list_first_item)
		add_item(o, "none", false);
	if (o->error < 0)
		return;
	if (parent && parent->kind == OUT_ROW) {
		join_items(o, t->list_first_item);
		base_out_table_add_cell(o, t->list_column);
		return;
	}
	add_field(o, &t->list_label, t->list_first_item);
	if (!parent) {
		write_fields(o);
		forget(t);
	}
}

void base_out_text_end(struct base_out *o)
{
	struct out_frame *frame = base_out_top(o);

	if (frame->hidden || frame->kind == OUT_ROW)
		return;
	if (frame->kind == OUT_LIST) {
		end_list(o, frame);
		return;
	}
	if (frame->kind == OUT_TABLE && o->error == 0)
		base_out_table_write(o);
	close_section(o, frame);
}

void base_out_text_value(struct base_out *o, const char *label,
			 const struct out_value *value)
{
	struct out_frame *top = base_out_top(o);
	struct out_text *t = o->text;
	struct span span;

	if (top->hidden || (top->kind != OUT_LIST && !label) || o->error < 0)
		return;
	assert(top->kind != OUT_LIST ||
	       !top->section); /* scalars and objects in one list */
	add_value(o, value);
	if (o->error < 0 || top->kind == OUT_LIST)
		return;
	if (top->kind == OUT_ROW) {
		base_out_table_add_cell(o, base_out_table_column(o, label));
		return;
	}
	span = base_out_text_add_span(o, label, strlen(label));
	add_field(o, &span, t->n_items - 1);
}

void base_out_text_line(struct base_out *o, const char *text)
{
	const struct out_frame *top = base_out_top(o);
	const char *end;

	if ((top && top->hidden) || o->error < 0)
		return;
	assert(!top || top->kind == OUT_OBJECT ||
	       (top->kind == OUT_LIST && top->section));
	write_fields(o);
	forget(o->text);
	for (; text; text = end ? end + 1 : NULL) {
		struct span line;

		end = strchr(text, '\n');
		line = base_out_text_add_span(o, text,
					      end ? (size_t)(end - text) : strlen(text));
		if (o->error < 0)
			return;
		if (line.len > 0)
			base_out_text_start_line(o);
		base_out_text_write_span(o, &line, o->colour);
		base_str_add_char(o->into, '\n');
	}
}
