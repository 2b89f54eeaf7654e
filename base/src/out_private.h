/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of base/out share: out.c keeps the stack of what is open and checks the
 * nesting, out_json.c and out_text.c are the two back ends.
 */
#pragma once
#include <base/out.h>
#include <base/str.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OUT_DEPTH_MAX 32

enum out_frame_kind { OUT_OBJECT, OUT_LIST, OUT_TABLE, OUT_ROW };

struct out_frame {
	enum out_frame_kind kind;
	size_t n;      /* members or elements so far */
	bool one_line; /* JSON: no line break inside */
	bool hidden;   /* text: nothing of it is shown */
	bool section;  /* text: is set off by blank lines */
	bool indented; /* text: stands below a heading */
};

enum out_value_kind { OUT_STRING, OUT_NUMBER, OUT_BOOL, OUT_NULL };

struct out_value {
	enum out_value_kind kind;
	const char *text;
	uint64_t number;
	enum base_out_unit unit;
	bool truth;
};

/* What the text back end keeps. */

/* A piece of the pool and the columns it takes on a terminal. */
struct span {
	size_t at, len, width;
};

/* A value as it will look. */
struct item {
	struct span text;
	enum base_out_colour colour;
	bool number;
};

/* label: item, item */
struct field {
	struct span label;
	size_t first_item, n_items;
};

struct column {
	struct span label;
	size_t width;
	bool numbers, others; /* what it holds */
};

struct cell {
	size_t row, column, item;
};

struct out_text {
	struct base_str pool;
	struct item *items;
	struct field *fields;
	struct column *columns;
	struct cell *cells;
	size_t n_items, cap_items, n_fields, cap_fields;
	size_t n_columns, cap_columns, n_cells, cap_cells;
	size_t n_rows, next_column; /* next_column: where the next cell of a row most
				       likely is */
	struct span list_label;	    /* of the list whose elements are being collected */
	size_t list_first_item, list_column;
	unsigned indent;
	/* What was written last decides where a blank line goes. */
	enum { AT_START, AFTER_HEADING, AFTER_LINE, AFTER_SECTION } last;
};

struct base_out {
	enum base_out_format format;
	bool colours;
	struct base_str *into;
	int error;		     /* sticky; that of @into counts as well */
	enum base_out_colour colour; /* of the next field */
	unsigned depth;
	bool done; /* the top level value is complete */
	struct out_frame frames[OUT_DEPTH_MAX];
	struct out_text *text; /* NULL in JSON */
};

static inline struct out_frame *base_out_top(struct base_out *o)
{
	return o->depth > 0 ? &o->frames[o->depth - 1] : NULL;
}

/* begin: frame is on the stack already; end: still on it. */
void base_out_json_begin(struct base_out *o, const char *key);
void base_out_json_end(struct base_out *o);
void base_out_json_value(struct base_out *o, const char *key,
			 const struct out_value *value);
void base_out_json_finish(struct base_out *o);

struct out_text *base_out_text_new(void);
void base_out_text_free(struct out_text *t);
void base_out_text_begin(struct base_out *o, const char *label);
void base_out_text_end(struct base_out *o);
void base_out_text_value(struct base_out *o, const char *label,
			 const struct out_value *value);
void base_out_text_line(struct base_out *o, const char *text);

/* Adds @text to the pool without what could steer a terminal. */
struct span base_out_text_add_span(struct base_out *o, const char *text, size_t len);
/* Before a line that is neither heading nor section: blank line and indentation. */
void base_out_text_start_line(struct base_out *o);
void base_out_text_pad(struct base_out *o, size_t columns);
void base_out_text_write_span(struct base_out *o, const struct span *span,
			      enum base_out_colour colour);

/* The column with that label, a new one if there is none.  Look at the error before its
 * use. */
size_t base_out_table_column(struct base_out *o, const char *label);
/* Makes the last item a cell of the current row. */
void base_out_table_add_cell(struct base_out *o, size_t column_index);
void base_out_table_write(struct base_out *o);
