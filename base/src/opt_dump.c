/* SPDX-License-Identifier: Apache-2.0 */
#include "opt_private.h"
#include <base/out.h>
#include <errno.h>

static const char *kind_name(enum base_opt_kind kind)
{
	switch (kind) {
	case BASE_OPT_FLAG:
		return "flag";
	case BASE_OPT_STRING:
		return "string";
	case BASE_OPT_FILE:
		return "file";
	case BASE_OPT_U64:
		return "integer";
	case BASE_OPT_RATE:
		return "rate";
	case BASE_OPT_SIZE:
		return "size";
	case BASE_OPT_TIME:
		return "time";
	case BASE_OPT_SHARE:
		return "share";
	case BASE_OPT_WORD:
		break;
	}
	return "word";
}

static bool is_number(enum base_opt_kind kind)
{
	return kind == BASE_OPT_U64 || kind == BASE_OPT_RATE || kind == BASE_OPT_SIZE ||
	       kind == BASE_OPT_TIME || kind == BASE_OPT_SHARE;
}

static void dump_option(struct base_out *o, const struct base_opt *opt)
{
	base_out_object_begin(o, NULL, NULL);
	base_out_string(o, "name", NULL, opt->name);
	if (opt->short_name)
		base_out_string(o, "short", NULL, (char[]){ opt->short_name, '\0' });
	base_out_string(o, "kind", NULL, kind_name(opt->kind));
	if (opt->kind != BASE_OPT_FLAG)
		base_out_string(o, "value", NULL, opt->value);
	base_out_string(o, "help", NULL, opt->help);
	base_out_bool(o, "required", NULL, opt->required);
	base_out_bool(o, "many", NULL, opt->many);
	if (is_number(opt->kind)) {
		base_out_number(o, "min", NULL, opt->min, BASE_OUT_ID);
		if (opt->max > 0)
			base_out_number(o, "max", NULL, opt->max, BASE_OUT_ID);
	}
	if (opt->fallback)
		base_out_string(o, "default", NULL, opt->fallback);
	if (opt->kind == BASE_OPT_WORD) {
		base_out_list_begin(o, "words", NULL);
		for (size_t i = 0; opt->words[i]; i++)
			base_out_string(o, NULL, NULL, opt->words[i]);
		base_out_list_end(o);
	}
	base_out_object_end(o);
}

static void dump_options(struct base_out *o, const char *key,
			 const struct base_opt *options)
{
	base_out_table_begin(o, key, NULL);
	for (size_t i = 0, n = base_opt_n_options(options); i < n; i++)
		dump_option(o, &options[i]);
	base_out_table_end(o);
}

static void dump_arguments(struct base_out *o, const struct base_opt_arg *args)
{
	base_out_table_begin(o, "arguments", NULL);
	for (; args && args->name; args++) {
		base_out_object_begin(o, NULL, NULL);
		base_out_string(o, "name", NULL, args->name);
		base_out_string(o, "help", NULL, args->help);
		base_out_bool(o, "optional", NULL, args->optional);
		base_out_bool(o, "many", NULL, args->many);
		base_out_bool(o, "file", NULL, args->is_file);
		base_out_object_end(o);
	}
	base_out_table_end(o);
}

/* The tree is ours and at most BASE_OPT_PATH_MAX deep. */
static void dump_command(struct base_out *o, const char *key,
			 const struct base_opt_command *c)
{
	base_out_object_begin(o, key, NULL);
	base_out_string(o, "name", NULL, c->name);
	if (c->help)
		base_out_string(o, "help", NULL, c->help);
	if (c->description)
		base_out_string(o, "description", NULL, c->description);
	dump_options(o, "options", c->options);
	dump_arguments(o, c->args);
	base_out_list_begin(o, "commands", NULL);
	for (size_t i = 0, n = base_opt_n_children(c); i < n; i++)
		if (c->children[i].help)
			dump_command(o, NULL, &c->children[i]);
	base_out_list_end(o);
	base_out_object_end(o);
}

void base_opt_dump_json(const struct base_opt_command *root,
			const struct base_opt *common, struct base_str *into)
{
	struct base_out *o = base_out_new(BASE_OUT_JSON_PRETTY, false, into);
	int r = -ENOMEM;

	if (o) {
		base_out_object_begin(o, NULL, NULL);
		base_out_string(o, "schema", NULL, "fairlead.commands.v1");
		dump_options(o, "common_options", common);
		dump_command(o, "command", root);
		base_out_object_end(o);
		r = base_out_finish(o);
	}
	if (r < 0)
		into->error = r; /* sticky, like every other failure to write */
}
