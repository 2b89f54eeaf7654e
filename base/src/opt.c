/* SPDX-License-Identifier: Apache-2.0 */
#include "opt_private.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void base_opt_scope_init(struct base_opt_scope *s, const struct base_opt_command *root,
			 const struct base_opt *common)
{
	*s = (struct base_opt_scope){ .path = { root }, .n_path = 1, .common = common };
}

const struct base_opt_command *base_opt_scope_node(const struct base_opt_scope *s)
{
	return s->path[s->n_path - 1];
}

void base_opt_scope_enter(struct base_opt_scope *s, const struct base_opt_command *child)
{
	assert(s->n_path < BASE_OPT_PATH_MAX); /* the command tree is ours */
	s->path[s->n_path++] = child;
}

unsigned base_opt_scope_tables(const struct base_opt_scope *s,
			       const struct base_opt *tables[BASE_OPT_TABLES_MAX])
{
	unsigned n = 0;

	for (unsigned i = s->n_path; i > 0; i--)
		if (s->path[i - 1]->options)
			tables[n++] = s->path[i - 1]->options;
	if (s->common)
		tables[n++] = s->common;
	return n;
}

const struct base_opt *base_opt_scope_find(const struct base_opt_scope *s,
					   const char *name, size_t len)
{
	const struct base_opt *tables[BASE_OPT_TABLES_MAX];
	unsigned n = base_opt_scope_tables(s, tables);

	for (unsigned i = 0; i < n; i++)
		for (const struct base_opt *opt = tables[i]; opt->name; opt++)
			if (strlen(opt->name) == len && memcmp(opt->name, name, len) == 0)
				return opt;
	return NULL;
}

const struct base_opt *base_opt_scope_find_short(const struct base_opt_scope *s,
						 char letter)
{
	const struct base_opt *tables[BASE_OPT_TABLES_MAX];
	unsigned n = base_opt_scope_tables(s, tables);

	for (unsigned i = 0; i < n; i++)
		for (const struct base_opt *opt = tables[i]; opt->name; opt++)
			if (opt->short_name != '\0' && opt->short_name == letter)
				return opt;
	return NULL;
}

const char *base_opt_scope_text(const struct base_opt_scope *s,
				char buf[BASE_OPT_PATH_TEXT_MAX])
{
	size_t at = 0;

	for (unsigned i = 0; i < s->n_path && at < BASE_OPT_PATH_TEXT_MAX; i++)
		at += (size_t)snprintf(buf + at, BASE_OPT_PATH_TEXT_MAX - at, "%s%s",
				       i > 0 ? " " : "", s->path[i]->name);
	return buf;
}

const struct base_opt_command *base_opt_child(const struct base_opt_command *node,
					      const char *name)
{
	for (size_t i = 0, n = base_opt_n_children(node); i < n; i++)
		if (strcmp(node->children[i].name, name) == 0)
			return &node->children[i];
	return NULL;
}

size_t base_opt_n_options(const struct base_opt *options)
{
	size_t n = 0;

	while (options && options[n].name)
		n++;
	return n;
}

size_t base_opt_n_children(const struct base_opt_command *node)
{
	size_t n = 0;

	while (node->children && node->children[n].name)
		n++;
	return n;
}

size_t base_opt_n_positional(const struct base_opt_arg *args)
{
	size_t n = 0;

	while (args && args[n].name)
		n++;
	return n;
}

/* What was given @index times before for @opt, or NULL. */
static const struct base_opt_given *find_given(const struct base_opt_values *v,
					       const struct base_opt *opt, size_t index)
{
	for (size_t i = 0; i < v->n_given; i++)
		if (v->given[i].opt == opt && index-- == 0)
			return &v->given[i];
	return NULL;
}

static const struct base_opt *known(const struct base_opt_values *v, const char *name)
{
	const struct base_opt *opt = base_opt_scope_find(&v->scope, name, strlen(name));

	assert(opt);
	return opt;
}

bool base_opt_is_given(const struct base_opt_values *v, const char *name)
{
	return find_given(v, known(v, name), 0) != NULL;
}

bool base_opt_flag(const struct base_opt_values *v, const char *name)
{
	assert(known(v, name)->kind == BASE_OPT_FLAG);
	return base_opt_is_given(v, name);
}

const char *base_opt_string(const struct base_opt_values *v, const char *name)
{
	const struct base_opt *opt = known(v, name);
	const struct base_opt_given *given = find_given(v, opt, 0);

	return given ? given->text : opt->fallback;
}

uint64_t base_opt_number(const struct base_opt_values *v, const char *name)
{
	const struct base_opt *opt = known(v, name);
	const struct base_opt_given *given = find_given(v, opt, 0);
	uint64_t n = 0;
	int r;

	if (given)
		return given->number;
	if (!opt->fallback)
		return 0;
	r = base_opt_convert(opt, opt->fallback, &n, NULL);
	assert(r == 0); /* the table is ours */
	(void)r;
	return n;
}

size_t base_opt_count(const struct base_opt_values *v, const char *name)
{
	const struct base_opt *opt = known(v, name);
	size_t n = 0;

	for (size_t i = 0; i < v->n_given; i++)
		n += v->given[i].opt == opt;
	return n;
}

const char *base_opt_nth(const struct base_opt_values *v, const char *name, size_t index)
{
	const struct base_opt_given *given = find_given(v, known(v, name), index);

	return given ? given->text : NULL;
}

size_t base_opt_n_args(const struct base_opt_values *v)
{
	return v->n_args;
}

const char *base_opt_arg(const struct base_opt_values *v, size_t index)
{
	return index < v->n_args ? v->args[index] : NULL;
}
