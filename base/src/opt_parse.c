/* SPDX-License-Identifier: Apache-2.0 */
#include "opt_private.h"
#include "quote.h"
#include <base/mem.h>
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Most names that a suggestion is looked for among. */
#define CANDIDATES_MAX 256

struct parse {
	struct base_opt_values *values;
	int argc, next; /* next: index of the word to be read */
	char *const *argv;
	bool options_ended; /* "--" was seen */
	bool wants_help;
	struct base_err *err;
};

static const struct base_opt_scope *scope(const struct parse *p)
{
	return &p->values->scope;
}

static int fail_memory(const struct parse *p)
{
	return base_err_set(p->err, -ENOMEM, "no memory for the command line");
}

static int fail_unknown_option(const struct parse *p, const char *word, const char *name)
{
	const struct base_opt *tables[BASE_OPT_TABLES_MAX];
	const char *candidates[CANDIDATES_MAX], *nearest;
	char path[BASE_OPT_PATH_TEXT_MAX], quoted[BASE_QUOTE_MAX];
	unsigned n_tables = base_opt_scope_tables(scope(p), tables);
	size_t n = 0;

	for (unsigned i = 0; i < n_tables; i++)
		for (const struct base_opt *opt = tables[i];
		     opt->name && n < CANDIDATES_MAX; opt++)
			candidates[n++] = opt->name;
	nearest = base_str_nearest(name, candidates, n);
	base_opt_scope_text(scope(p), path);
	if (nearest)
		return base_err_set(p->err, -BASE_E_USAGE,
				    "unknown option %s of \"%s\": did you mean \"--%s\"?",
				    base_quote(word, quoted), path, nearest);
	return base_err_set(p->err, -BASE_E_USAGE,
			    "unknown option %s of \"%s\": see \"%s --help\"",
			    base_quote(word, quoted), path, path);
}

/* "show, check, paths": the children of @node that people may know of. */
static const char *list_children(const struct base_opt_command *node, char *buf,
				 size_t size)
{
	size_t at = 0;

	buf[0] = '\0';
	for (size_t i = 0, n = base_opt_n_children(node); i < n && at < size; i++)
		if (node->children[i].help)
			at += (size_t)snprintf(buf + at, size - at, "%s%s",
					       at > 0 ? ", " : "",
					       node->children[i].name);
	return buf;
}

static int fail_unknown_command(const struct parse *p, const char *word)
{
	const struct base_opt_command *node = base_opt_scope_node(scope(p));
	const char *candidates[CANDIDATES_MAX], *nearest;
	char path[BASE_OPT_PATH_TEXT_MAX], list[256], quoted[BASE_QUOTE_MAX];
	size_t n = 0;

	for (size_t i = 0; i < base_opt_n_children(node) && n < CANDIDATES_MAX; i++)
		if (node->children[i].help)
			candidates[n++] = node->children[i].name;
	nearest = base_str_nearest(word, candidates, n);
	base_opt_scope_text(scope(p), path);
	if (nearest)
		return base_err_set(p->err, -BASE_E_USAGE,
				    "unknown command %s of \"%s\": did you mean \"%s\"?",
				    base_quote(word, quoted), path, nearest);
	return base_err_set(
		p->err, -BASE_E_USAGE, "unknown command %s of \"%s\": it has %s",
		base_quote(word, quoted), path, list_children(node, list, sizeof(list)));
}

/* Records that @opt was given, with @text (NULL for a flag). */
static int give(struct parse *p, const struct base_opt *opt, const char *text)
{
	struct base_opt_values *v = p->values;
	struct base_opt_given *given;
	uint64_t number = 1;
	int r;

	if (text) {
		r = base_opt_convert(opt, text, &number, p->err);
		if (r < 0)
			return r;
	}
	for (size_t i = 0; i < v->n_given && !opt->many && text; i++)
		if (v->given[i].opt == opt)
			return base_err_set(p->err, -BASE_E_USAGE, "--%s is given twice",
					    opt->name);
	given = base_grow(v->given, &v->cap_given, v->n_given + 1, sizeof(*given));
	if (!given)
		return fail_memory(p);
	v->given = given;
	given[v->n_given++] = (struct base_opt_given){ opt, text, number };
	if (strcmp(opt->name, "help") == 0)
		p->wants_help = true;
	return 0;
}

/* Takes the word after the option as its value. */
static int give_next(struct parse *p, const struct base_opt *opt)
{
	const char *text = p->next < p->argc ? p->argv[p->next] : NULL;

	/* Another option stands there: the value was forgotten.  -5 is left to the
	 * conversion. */
	if (text && text[0] == '-' && text[1] != '\0' &&
	    !(text[1] >= '0' && text[1] <= '9'))
		text = NULL;
	if (!text)
		return base_err_set(p->err, -BASE_E_USAGE, "--%s needs a value: --%s %s",
				    opt->name, opt->name,
				    opt->value ? opt->value : "VALUE");
	p->next++;
	return give(p, opt, text);
}

/* --name, --name VALUE, --name=VALUE */
static int parse_long(struct parse *p, const char *word)
{
	const char *name = word + 2, *equals = strchr(name, '=');
	size_t len = equals ? (size_t)(equals - name) : strlen(name);
	const struct base_opt *opt = base_opt_scope_find(scope(p), name, len);
	char cut[BASE_QUOTE_MAX];

	if (!opt && len == 4 && memcmp(name, "help", 4) == 0 && !equals) {
		p->wants_help = true;
		return 0;
	}
	if (!opt) {
		snprintf(cut, sizeof(cut), "--%.*s", (int)(len < 50 ? len : 50), name);
		return fail_unknown_option(p, cut, cut + 2);
	}
	if (opt->kind == BASE_OPT_FLAG && equals)
		return base_err_set(p->err, -BASE_E_USAGE, "--%s takes no value",
				    opt->name);
	if (opt->kind == BASE_OPT_FLAG)
		return give(p, opt, NULL);
	return equals ? give(p, opt, equals + 1) : give_next(p, opt);
}

/* -v, -vq (flags), -o VALUE, -oVALUE */
static int parse_short(struct parse *p, const char *word)
{
	int r = 0;

	for (const char *c = word + 1; *c && r == 0; c++) {
		const struct base_opt *opt = base_opt_scope_find_short(scope(p), *c);

		if (!opt && *c == 'h')
			p->wants_help = true;
		else if (!opt)
			return fail_unknown_option(p, word, word + 1);
		else if (opt->kind == BASE_OPT_FLAG)
			r = give(p, opt, NULL);
		else
			return c[1] ? give(p, opt, c + 1) : give_next(p, opt);
	}
	return r;
}

static int parse_argument(struct parse *p, const char *word)
{
	struct base_opt_values *v = p->values;
	const struct base_opt_arg *args = base_opt_scope_node(scope(p))->args;
	size_t n = base_opt_n_positional(args);
	char path[BASE_OPT_PATH_TEXT_MAX], quoted[BASE_QUOTE_MAX];
	const char **grown;

	if (v->n_args >= n && !(n > 0 && args[n - 1].many))
		return base_err_set(
			p->err, -BASE_E_USAGE, "%s is one argument too many for \"%s\"",
			base_quote(word, quoted), base_opt_scope_text(scope(p), path));
	grown = base_grow(v->args, &v->cap_args, v->n_args + 1, sizeof(*grown));
	if (!grown)
		return fail_memory(p);
	v->args = grown;
	grown[v->n_args++] = word;
	return 0;
}

static int parse_word(struct parse *p, const char *word)
{
	const struct base_opt_command *node = base_opt_scope_node(scope(p)), *child;

	if (!p->options_ended && word[0] == '-' && word[1] != '\0') {
		if (word[1] != '-')
			return parse_short(p, word);
		if (word[2] != '\0')
			return parse_long(p, word);
		p->options_ended = true;
		return 0;
	}
	if (!node->children)
		return parse_argument(p, word);
	child = base_opt_child(node, word);
	if (!child)
		return fail_unknown_command(p, word);
	base_opt_scope_enter(&p->values->scope, child);
	return 0;
}

/* Is all there that the command cannot do without? */
static int check_complete(const struct parse *p)
{
	const struct base_opt_values *v = p->values;
	const struct base_opt_command *node = base_opt_scope_node(scope(p));
	const struct base_opt *tables[BASE_OPT_TABLES_MAX];
	char path[BASE_OPT_PATH_TEXT_MAX], list[256];
	unsigned n_tables = base_opt_scope_tables(scope(p), tables);

	base_opt_scope_text(scope(p), path);
	if (node->children && !node->run)
		return base_err_set(p->err, -BASE_E_USAGE, "\"%s\" needs one of: %s",
				    path, list_children(node, list, sizeof(list)));
	if (v->n_args < base_opt_n_positional(node->args) &&
	    !node->args[v->n_args].optional)
		return base_err_set(p->err, -BASE_E_USAGE, "\"%s\" needs %s (%s)", path,
				    node->args[v->n_args].name,
				    node->args[v->n_args].help);
	for (unsigned i = 0; i < n_tables; i++)
		for (const struct base_opt *opt = tables[i]; opt->name; opt++)
			if (opt->required && !base_opt_is_given(v, opt->name))
				return base_err_set(
					p->err, -BASE_E_USAGE, "\"%s\" needs --%s %s",
					path, opt->name, opt->value ? opt->value : "");
	return 0;
}

static void free_values(struct base_opt_values *v)
{
	if (!v)
		return;
	free(v->given);
	free(v->args);
	free(v);
}

int base_opt_parse(const struct base_opt_command *root, const struct base_opt *common,
		   int argc, char *const *argv, struct base_opt_result *ret_result,
		   struct base_err *err)
{
	struct parse p = { .argc = argc, .argv = argv, .next = 1, .err = err };
	int r = 0;

	p.values = calloc(1, sizeof(*p.values));
	if (!p.values)
		return fail_memory(&p);
	base_opt_scope_init(&p.values->scope, root, common);
	while (p.next < argc && r == 0) {
		const char *word = argv[p.next++];

		r = parse_word(&p, word);
	}
	if (r == 0 && !p.wants_help)
		r = check_complete(&p);
	if (r < 0) {
		free_values(p.values);
		return r;
	}
	*ret_result = (struct base_opt_result){
		.command = base_opt_scope_node(scope(&p)),
		.n_path = scope(&p)->n_path,
		.values = p.values,
		.wants_help = p.wants_help,
	};
	memcpy(ret_result->path, scope(&p)->path, sizeof(ret_result->path));
	return 0;
}

void base_opt_result_fini(struct base_opt_result *r)
{
	free_values(r->values);
	r->values = NULL;
}
