/* SPDX-License-Identifier: Apache-2.0 */
#include "opt_private.h"
#include <string.h>

/* What the words before the last one lead to. */
struct state {
	struct base_opt_scope scope;
	const struct base_opt *pending; /* the option whose value comes next, or NULL */
	size_t n_args;
	bool options_ended;
};

static void add_candidate(struct base_str *into, const char *before, const char *text)
{
	base_str_add(into, before);
	base_str_add(into, text);
	base_str_add_char(into, '\n');
}

static bool takes_value(const struct base_opt *opt)
{
	return opt && opt->kind != BASE_OPT_FLAG;
}

/* The option of a long or short word that still waits for its value, or NULL. */
static const struct base_opt *option_waiting(const struct base_opt_scope *s,
					     const char *word)
{
	const struct base_opt *opt;

	if (word[1] == '-') {
		opt = base_opt_scope_find(s, word + 2,
					  strlen(word + 2)); /* none if it has = */
		return takes_value(opt) ? opt : NULL;
	}
	for (const char *c = word + 1; *c; c++) {
		opt = base_opt_scope_find_short(s, *c);
		if (takes_value(opt))
			return c[1] ? NULL : opt;
	}
	return NULL;
}

static void read_word(struct state *st, const char *word)
{
	const struct base_opt_command *node = base_opt_scope_node(&st->scope), *child;

	if (st->pending) {
		st->pending = NULL;
		return;
	}
	if (!st->options_ended && word[0] == '-' && word[1] != '\0') {
		if (strcmp(word, "--") == 0)
			st->options_ended = true;
		else
			st->pending = option_waiting(&st->scope, word);
		return;
	}
	child = base_opt_child(node, word);
	if (child)
		base_opt_scope_enter(&st->scope, child);
	else
		st->n_args++;
}

/* @before: what stands in front of the value in the same word ("--format="). */
static void complete_value(const struct base_opt *opt, const char *before,
			   const char *text, struct base_str *into)
{
	if (opt->kind == BASE_OPT_FILE)
		base_str_add(into, ":file\n");
	if (opt->kind != BASE_OPT_WORD)
		return;
	for (size_t i = 0; opt->words[i]; i++)
		if (base_str_has_prefix(opt->words[i], text))
			add_candidate(into, before, opt->words[i]);
}

/* --name=VALUE */
static void complete_attached(const struct base_opt_scope *s, const char *word,
			      const char *equals, struct base_str *into)
{
	const struct base_opt *opt =
		base_opt_scope_find(s, word + 2, (size_t)(equals - word) - 2);
	struct base_str before;

	if (!takes_value(opt))
		return;
	base_str_init(&before, 0);
	base_str_add_len(&before, word, (size_t)(equals - word) + 1);
	if (base_str_error(&before) < 0)
		into->error = base_str_error(&before);
	complete_value(opt, base_str_text(&before), equals + 1, into);
	base_str_fini(&before);
}

static void complete_option(const struct base_opt_scope *s, const char *word,
			    struct base_str *into)
{
	const struct base_opt *tables[BASE_OPT_TABLES_MAX];
	unsigned n_tables = base_opt_scope_tables(s, tables);
	const char *start = strlen(word) > 2 ? word + 2 : "";

	for (unsigned i = 0; i < n_tables; i++)
		for (const struct base_opt *opt = tables[i]; opt->name; opt++)
			if (base_str_has_prefix(opt->name, start))
				add_candidate(into, "--", opt->name);
	if (!base_opt_scope_find(s, "help", 4) && base_str_has_prefix("help", start))
		add_candidate(into, "--", "help");
}

static void complete_argument(const struct state *st, const char *word,
			      struct base_str *into)
{
	const struct base_opt_command *node = base_opt_scope_node(&st->scope);
	size_t n = base_opt_n_positional(node->args);

	for (size_t i = 0, n_children = base_opt_n_children(node); i < n_children; i++)
		if (node->children[i].help &&
		    base_str_has_prefix(node->children[i].name, word))
			add_candidate(into, "", node->children[i].name);
	if (n == 0 || (st->n_args >= n && !node->args[n - 1].many))
		return;
	if (node->args[st->n_args < n ? st->n_args : n - 1].is_file)
		base_str_add(into, ":file\n");
}

void base_opt_complete(const struct base_opt_command *root, const struct base_opt *common,
		       int n_words, char *const *words, struct base_str *into)
{
	struct state st = { .n_args = 0 };
	const char *last = n_words > 0 ? words[n_words - 1] : "";
	const char *equals = strchr(last, '=');

	base_opt_scope_init(&st.scope, root, common);
	for (int i = 0; i < n_words - 1; i++)
		read_word(&st, words[i]);
	if (st.pending)
		complete_value(st.pending, "", last, into);
	else if (!st.options_ended && last[0] == '-' && last[1] == '-' && equals)
		complete_attached(&st.scope, last, equals, into);
	else if (!st.options_ended && last[0] == '-' &&
		 (last[1] == '-' || last[1] == '\0'))
		complete_option(&st.scope, last, into);
	else
		complete_argument(&st, last, into);
}
