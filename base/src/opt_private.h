/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of base/opt share.  A scope is what may be said at one point of the
 * command line: the options of the nodes named so far and the common ones.
 */
#pragma once
#include <base/err.h>
#include <base/opt.h>
#include <base/str.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BASE_OPT_PATH_MAX BASE_COUNT(((struct base_opt_result *)0)->path)
#define BASE_OPT_TABLES_MAX (BASE_OPT_PATH_MAX + 1)
#define BASE_OPT_PATH_TEXT_MAX 160

struct base_opt_scope {
	const struct base_opt_command *path[BASE_OPT_PATH_MAX]; /* from the root */
	unsigned n_path;
	const struct base_opt *common;
};

struct base_opt_given {
	const struct base_opt *opt;
	const char *text; /* NULL for a flag */
	uint64_t number;
};

struct base_opt_values {
	struct base_opt_scope scope;
	struct base_opt_given *given; /* in the order of the command line */
	const char **args;
	size_t n_given, cap_given, n_args, cap_args;
};

void base_opt_scope_init(struct base_opt_scope *s, const struct base_opt_command *root,
			 const struct base_opt *common);
const struct base_opt_command *base_opt_scope_node(const struct base_opt_scope *s);
void base_opt_scope_enter(struct base_opt_scope *s, const struct base_opt_command *child);
/* The option tables of the scope, the deepest node's first; returns how many. */
unsigned base_opt_scope_tables(const struct base_opt_scope *s,
			       const struct base_opt *tables[BASE_OPT_TABLES_MAX]);
/* By the @len bytes of @name, or by letter.  NULL: there is none. */
const struct base_opt *base_opt_scope_find(const struct base_opt_scope *s,
					   const char *name, size_t len);
const struct base_opt *base_opt_scope_find_short(const struct base_opt_scope *s,
						 char letter);
/* "fairlead topo show"; cut when too long.  Returns @buf. */
const char *base_opt_scope_text(const struct base_opt_scope *s,
				char buf[BASE_OPT_PATH_TEXT_MAX]);

/* The child of @node with that name (NULL: none); @node may be a command. */
const struct base_opt_command *base_opt_child(const struct base_opt_command *node,
					      const char *name);
/* How many rows a table has; NULL has none. */
size_t base_opt_n_options(const struct base_opt *options);
size_t base_opt_n_children(const struct base_opt_command *node);
size_t base_opt_n_positional(const struct base_opt_arg *args);

/* Reads @text as a value of @opt.  0, or -BASE_E_USAGE recorded. */
int base_opt_convert(const struct base_opt *opt, const char *text, uint64_t *ret_number,
		     struct base_err *err) BASE_MUST_CHECK;
