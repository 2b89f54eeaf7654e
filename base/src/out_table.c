/* SPDX-License-Identifier: Apache-2.0 */
#include "out_private.h"
#include <base/mem.h>
#include <errno.h>
#include <string.h>

#define GUTTER 2

size_t base_out_table_column(struct base_out *o, const char *label)
{
	struct out_text *t = o->text;
	size_t len = strlen(label), i;
	struct column *columns;

	/* Rows mostly come in the same order. */
	for (size_t tried = 0; tried < t->n_columns; tried++) {
		i = (t->next_column + tried) % t->n_columns;
		if (t->columns[i].label.len == len &&
		    memcmp(base_str_text(&t->pool) + t->columns[i].label.at, label,
			   len) == 0)
			return i;
	}
	columns = base_grow(t->columns, &t->cap_columns, t->n_columns + 1,
			    sizeof(*columns));
	if (!columns) {
		o->error = -ENOMEM;
		return 0;
	}
	t->columns = columns;
	i = t->n_columns++;
	columns[i] = (struct column){ .label = base_out_text_add_span(o, label, len) };
	columns[i].width = columns[i].label.width;
	return i;
}

void base_out_table_add_cell(struct base_out *o, size_t column_index)
{
	struct out_text *t = o->text;
	const struct item *item = &t->items[t->n_items - 1];
	struct column *column;
	struct cell *cells;

	if (o->error < 0)
		return;
	cells = base_grow(t->cells, &t->cap_cells, t->n_cells + 1, sizeof(*cells));
	if (!cells) {
		o->error = -ENOMEM;
		return;
	}
	t->cells = cells;
	cells[t->n_cells++] =
		(struct cell){ t->n_rows - 1, column_index, t->n_items - 1 };
	t->next_column = column_index + 1;
	column = &t->columns[column_index];
	if (item->text.width > column->width)
		column->width = item->text.width;
	if (item->number)
		column->numbers = true;
	else
		column->others = true;
}

/* @owed: blanks that are only written when something follows, so that no line ends in
 * them. */
static void write_cell(struct base_out *o, const struct column *column,
		       const struct span *text, enum base_out_colour colour, size_t *owed)
{
	bool right = column->numbers && !column->others;
	size_t room = column->width - text->width;

	if (text->len == 0) {
		*owed += column->width + GUTTER;
		return;
	}
	base_out_text_pad(o, *owed + (right ? room : 0));
	base_out_text_write_span(o, text, colour);
	*owed = (right ? 0 : room) + GUTTER;
}

static void write_heading(struct base_out *o)
{
	const struct out_text *t = o->text;
	size_t owed = 0;

	base_out_text_start_line(o);
	for (size_t i = 0; i < t->n_columns; i++)
		write_cell(o, &t->columns[i], &t->columns[i].label, BASE_OUT_BOLD, &owed);
	base_str_add_char(o->into, '\n');
}

/* Writes a row from its @n cells, which come in any order. */
static void write_row(struct base_out *o, const struct cell *cells, size_t n)
{
	static const struct item blank;
	const struct out_text *t = o->text;
	size_t owed = 0;

	base_out_text_start_line(o);
	for (size_t i = 0; i < t->n_columns; i++) {
		const struct item *item = &blank;

		for (size_t c = 0; c < n; c++)
			if (cells[c].column == i)
				item = &t->items[cells[c].item];
		write_cell(o, &t->columns[i], &item->text, item->colour, &owed);
	}
	base_str_add_char(o->into, '\n');
}

void base_out_table_write(struct base_out *o)
{
	const struct out_text *t = o->text;
	size_t first = 0, end;

	if (t->n_columns == 0) {
		base_out_text_start_line(o);
		base_str_add(o->into, "none\n");
		return;
	}
	write_heading(o);
	for (size_t row = 0; row < t->n_rows; row++) {
		for (end = first; end < t->n_cells && t->cells[end].row == row;)
			end++;
		write_row(o, t->cells + first, end - first);
		first = end;
	}
}
