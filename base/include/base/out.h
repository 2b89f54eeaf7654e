/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One writer, walked once by the command that shows something; text and JSON are two back
 * ends of it. Produces into a base_str owned by the caller, so that nothing is printed
 * before it is whole.
 *
 * A walk: object begin, fields, lists (each element an object or a scalar), tables, end.
 *
 * JSON: every call gives what its key says.  PRETTY indents by two blanks, but keeps a
 * row of a table, and a list of numbers (or of lists of them), on one line. Text: a field
 * is "label:  value", values aligned within their object; a list of scalars is a field,
 * too, on several lines when it is long; an object, table or list of objects is a
 * section: indented below its label and set off by a blank line.  Characters that could
 * steer a terminal show as "?".
 *
 * Errors (memory, the ceiling of the base_str) are sticky: look at base_out_finish().  A
 * walk that is not well nested is our bug (assert).
 */
#pragma once
#include <base/compiler.h>
#include <base/str.h>
#include <stdbool.h>
#include <stdint.h>

BASE_BEGIN_DECLS

enum base_out_format { BASE_OUT_TEXT, BASE_OUT_JSON, BASE_OUT_JSON_PRETTY };

/* Colours are used in text only, and only if the caller found that they are wanted. */
enum base_out_colour {
	BASE_OUT_PLAIN,
	BASE_OUT_BOLD,
	BASE_OUT_DIM,
	BASE_OUT_GOOD, /* green */
	BASE_OUT_WARN, /* yellow */
	BASE_OUT_BAD,  /* red */
};

/* What a number is, so that text can show it for people; JSON always has the integer. */
enum base_out_unit {
	BASE_OUT_COUNT,	      /* 16,384 */
	BASE_OUT_ID,	      /* 16384 */
	BASE_OUT_BPS,	      /* 400 Gbit/s */
	BASE_OUT_BYTES,	      /* 16 MiB */
	BASE_OUT_NS,	      /* 1.5 ms */
	BASE_OUT_RATIO_PPM,   /* 1.067 */
	BASE_OUT_PERCENT_PPM, /* 6.7 % */
};

struct base_out; /* opaque */

/* @into is borrowed until base_out_finish().  NULL: no memory. */
struct base_out *base_out_new(enum base_out_format format, bool colours,
			      struct base_str *into) BASE_MUST_CHECK;
/* Ends the document, checks that every begin had its end (assert), frees @o.  0 or the
 * sticky error. */
int base_out_finish(struct base_out *o) BASE_MUST_CHECK;
enum base_out_format base_out_format(const struct base_out *o);
/* Makes @error (negative; 0 is none) the sticky one, if it is the first: of a text that
 * became part of the document. */
void base_out_fail(struct base_out *o, int error);

/*
 * @key is the JSON key, NULL exactly for elements of a list, rows of a table and the top
 * level.
 * @label is for people.  In an object NULL means: not shown in text, with all that is
 * inside; "" makes a section without heading, or a list without label.  Elements, rows
 * and the top level are shown without label as well (but lists inside lists are for JSON
 * only).
 */
void base_out_object_begin(struct base_out *o, const char *key, const char *label);
void base_out_object_end(struct base_out *o);
void base_out_list_begin(struct base_out *o, const char *key, const char *label);
void base_out_list_end(struct base_out *o);
/*
 * A list of objects that text shows as a table: the columns are the fields of its rows,
 * in the order of the first row; their labels are the headings.  Numbers are
 * right-aligned.  Every row must be opened with base_out_object_begin(o, NULL, NULL) and
 * holds scalars and lists of them; what else JSON has in it needs the label NULL.
 */
void base_out_table_begin(struct base_out *o, const char *key, const char *label);
void base_out_table_end(struct base_out *o);

/*
 * Scalars.  JSON has integers up to 2^53 as numbers and larger ones as strings of digits;
 * text has "yes" and "no" for booleans and "-" for null.
 */
void base_out_string(struct base_out *o, const char *key, const char *label,
		     const char *value);
/* The same of a text that was built for this; an error of it becomes the document's. */
void base_out_str(struct base_out *o, const char *key, const char *label,
		  const struct base_str *value);
void base_out_number(struct base_out *o, const char *key, const char *label,
		     uint64_t value, enum base_out_unit unit);
void base_out_bool(struct base_out *o, const char *key, const char *label, bool value);
void base_out_null(struct base_out *o, const char *key, const char *label);
/* The next field's value (or the next free line) in text gets this colour, in tables as
 * well. */
void base_out_colour(struct base_out *o, enum base_out_colour colour);

/* Text only: a free line, or several with \n between them; not inside a table. */
void base_out_text(struct base_out *o, const char *fmt, ...) BASE_PRINTF(2, 3);
/* JSON only, for large documents: a list of numbers on one line, fast.  @values NULL if
 * @n is 0. */
void base_out_u64_list(struct base_out *o, const char *key, const uint64_t *values,
		       size_t n);
void base_out_u32_list(struct base_out *o, const char *key, const uint32_t *values,
		       size_t n);

/* Adds @text as a JSON string with quotes and escapes; invalid UTF-8 becomes U+FFFD. */
void base_out_json_escape(struct base_str *s, const char *text, size_t len);

BASE_END_DECLS
