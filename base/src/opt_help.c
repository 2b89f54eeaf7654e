/* SPDX-License-Identifier: Apache-2.0 */
#include "opt_private.h"
#include "utf8.h"
#include <errno.h>
#include <string.h>

#define COLUMNS_MIN 40
#define LEFT_MAX 32 /* a longer left side puts its help on the next line */
#define MARGIN ((size_t)2)

struct help {
	struct base_str *into;
	size_t columns; /* of the terminal */
	size_t left;	/* where the right side begins */
	bool counting;	/* first pass: only find out how wide the left side is */
};

/* The columns that @text takes. */
static size_t width_of(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += ((unsigned char)*text & 0xC0) != 0x80;
	return n;
}

static void add_blanks(struct base_str *s, size_t n)
{
	while (n-- > 0)
		base_str_add_char(s, ' ');
}

/* Adds @text word by word; the cursor is in column @at, further lines begin in column
 * @indent. */
static void add_wrapped(const struct help *h, const char *text, size_t at, size_t indent)
{
	bool first = true;

	while (*text) {
		size_t len = strcspn(text, " \n"), width = 0;

		for (size_t i = 0; i < len; i++)
			width += ((unsigned char)text[i] & 0xC0) != 0x80;
		if (len > 0 && !first && at + 1 + width > h->columns) {
			base_str_add_char(h->into, '\n');
			add_blanks(h->into, indent);
			at = indent;
			first = true;
		}
		if (len > 0 && !first) {
			base_str_add_char(h->into, ' ');
			at++;
		}
		if (len > 0)
			first = false;
		base_str_add_len(h->into, text, len);
		at += width;
		text += len;
		if (*text == '\n') { /* a new paragraph begins where the author says */
			base_str_add_char(h->into, '\n');
			add_blanks(h->into, text[1] == '\n' ? 0 : indent);
			at = indent;
			first = true;
		}
		if (*text)
			text++;
	}
	base_str_add_char(h->into, '\n');
}

/* One line of a list: what it is on the left, what it is for on the right. */
static void add_row(struct help *h, const char *left, const char *right)
{
	size_t width = width_of(left);

	if (h->counting) {
		if (width <= LEFT_MAX && width > h->left)
			h->left = width;
		return;
	}
	add_blanks(h->into, MARGIN);
	base_str_add(h->into, left);
	if (width > h->left) {
		base_str_add_char(h->into, '\n');
		width = 0;
		add_blanks(h->into, MARGIN);
	}
	add_blanks(h->into, h->left - width + MARGIN);
	add_wrapped(h, right, h->left + 2 * MARGIN, h->left + 2 * MARGIN);
}

static void add_title(const struct help *h, const char *title)
{
	if (!h->counting)
		base_str_addf(h->into, "\n%s:\n", title);
}

/* Adds "; @what" or, as the first of the notes behind a help text, " (@what". */
static void add_note(struct base_str *s, size_t *n_notes, const char *what)
{
	base_str_add(s, (*n_notes)++ == 0 ? " (" : "; ");
	base_str_add(s, what);
}

/* The help of an option with what its row says besides. */
static void add_option_help(struct base_str *s, const struct base_opt *opt)
{
	size_t n_notes = 0;

	base_str_add(s, opt->help);
	if (opt->kind == BASE_OPT_WORD) {
		add_note(s, &n_notes, "one of ");
		for (size_t i = 0; opt->words[i]; i++)
			base_str_addf(s, "%s%s", i > 0 ? ", " : "", opt->words[i]);
	}
	/* Some help texts explain their default better than its value can. */
	if (opt->fallback && !strstr(opt->help, "default")) {
		add_note(s, &n_notes, "default ");
		base_str_add(s, opt->fallback);
	}
	if (opt->many && opt->kind != BASE_OPT_FLAG)
		add_note(s, &n_notes, "may be given more than once");
	if (opt->required)
		add_note(s, &n_notes, "required");
	if (n_notes > 0)
		base_str_add_char(s, ')');
}

static void add_options(struct help *h, const struct base_opt *options)
{
	struct base_str left, right;

	base_str_init(&left, 0);
	base_str_init(&right, 0);
	for (const struct base_opt *opt = options; opt && opt->name; opt++) {
		base_str_clear(&left);
		base_str_clear(&right);
		if (opt->short_name)
			base_str_addf(&left, "-%c, --%s", opt->short_name, opt->name);
		else
			base_str_addf(&left, "    --%s", opt->name);
		if (opt->kind != BASE_OPT_FLAG)
			base_str_addf(&left, " %s", opt->value);
		add_option_help(&right, opt);
		if (base_str_error(&left) < 0 || base_str_error(&right) < 0)
			h->into->error = -ENOMEM; /* sticky: nothing half is shown */
		add_row(h, base_str_text(&left), base_str_text(&right));
	}
	base_str_fini(&left);
	base_str_fini(&right);
}

/* What every command has; the parser knows --help without a row. */
static void add_common_options(struct help *h, const struct base_opt *common)
{
	struct base_opt_scope only_common = { .n_path = 0, .common = common };

	add_title(h, "Common options");
	add_options(h, common);
	if (!base_opt_scope_find(&only_common, "help", 4))
		add_row(h, "-h, --help", "print this help");
}

static void add_commands(struct help *h, const struct base_opt_command *node)
{
	if (base_opt_n_children(node) == 0)
		return;
	add_title(h, "Commands");
	for (const struct base_opt_command *c = node->children; c->name; c++)
		if (c->help)
			add_row(h, c->name, c->help);
}

static void add_arguments(struct help *h, const struct base_opt_arg *args)
{
	if (base_opt_n_positional(args) == 0)
		return;
	add_title(h, "Arguments");
	for (; args->name; args++)
		add_row(h, args->name, args->help);
}

static void add_lists(struct help *h, const struct base_opt_result *r,
		      const struct base_opt *common)
{
	add_commands(h, r->command);
	add_arguments(h, r->command->args);
	for (unsigned i = r->n_path; i > 0; i--)
		if (base_opt_n_options(r->path[i - 1]->options) > 0) {
			add_title(h, "Options");
			add_options(h, r->path[i - 1]->options);
		}
	add_common_options(h, common);
}

/* "usage: fairlead topo show [options] --rate RATE FABRIC [FILE...]" */
static void add_usage(const struct help *h, const struct base_opt_result *r)
{
	const struct base_opt_command *node = r->command;
	struct base_str line;

	base_str_init(&line, 0);
	for (unsigned i = 0; i < r->n_path; i++)
		base_str_addf(&line, "%s ", r->path[i]->name);
	base_str_add(&line, "[options]");
	for (unsigned i = r->n_path; i > 0; i--)
		for (const struct base_opt *o = r->path[i - 1]->options; o && o->name;
		     o++)
			if (o->required)
				base_str_addf(&line, " --%s %s", o->name, o->value);
	if (node->children)
		base_str_add(&line, node->run ? " [COMMAND ...]" : " COMMAND ...");
	for (const struct base_opt_arg *a = node->args; a && a->name; a++)
		base_str_addf(&line, " %s%s%s%s", a->optional ? "[" : "", a->name,
			      a->many ? "..." : "", a->optional ? "]" : "");
	base_str_add(h->into, "usage: ");
	add_wrapped(h, base_str_text(&line), strlen("usage: "),
		    strlen("usage: ") + MARGIN);
	if (base_str_error(&line) < 0)
		h->into->error = base_str_error(&line);
	base_str_fini(&line);
}

void base_opt_help(const struct base_opt_result *r, const struct base_opt *common,
		   unsigned columns, struct base_str *into)
{
	struct help h = { .into = into, .counting = true };
	const char *about =
		r->command->description ? r->command->description : r->command->help;

	h.columns = columns > COLUMNS_MIN ? columns : COLUMNS_MIN;
	add_usage(&h, r);
	if (about) {
		base_str_add_char(into, '\n');
		add_wrapped(&h, about, 0, 0);
	}
	add_lists(&h, r, common);
	h.counting = false;
	add_lists(&h, r, common);
}
