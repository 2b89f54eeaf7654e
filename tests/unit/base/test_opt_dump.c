/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The dump is read back with base/json and compared with the tables, row by row.
 */
#include "opt_tree.h"
#include <base/err.h>
#include <base/json.h>
#include <base/opt.h>
#include <base/str.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

/* The member is that string, or absent if @want is NULL. */
static void check_string(const struct base_json *object, const char *key,
			 const char *want)
{
	struct base_json v = base_json_get(object, key);
	const char *text = NULL;

	if (!want) {
		assert_null(v.value);
		return;
	}
	assert_int_equal(base_json_string(&v, &text, NULL), 0);
	assert_string_equal(text, want);
}

static void check_bool(const struct base_json *object, const char *key, bool want)
{
	struct base_json v = base_json_get(object, key);
	bool b = !want;

	assert_int_equal(base_json_bool(&v, &b, NULL), 0);
	assert_int_equal(b, want);
}

static void check_option(const struct base_json *o, const struct base_opt *opt)
{
	static const char *const kinds[] = { "flag", "string", "file",	"integer", "rate",
					     "size", "time",   "share", "word" };
	struct base_json words = base_json_get(o, "words"), max = base_json_get(o, "max");
	char letter[2] = { opt->short_name, '\0' };
	uint64_t n = 0;

	check_string(o, "name", opt->name);
	check_string(o, "short", opt->short_name ? letter : NULL);
	check_string(o, "kind", kinds[opt->kind]);
	check_string(o, "value", opt->value);
	check_string(o, "help", opt->help);
	check_string(o, "default", opt->fallback);
	check_bool(o, "required", opt->required);
	check_bool(o, "many", opt->many);
	if (opt->max > 0)
		assert_int_equal(base_json_u64(&max, opt->max, opt->max, &n, NULL), 0);
	else
		assert_null(max.value);
	for (size_t i = 0; opt->words && opt->words[i]; i++) {
		struct base_json word = base_json_at(&words, i);
		const char *text = NULL;

		assert_int_equal(base_json_string(&word, &text, NULL), 0);
		assert_string_equal(text, opt->words[i]);
		n = i + 1;
	}
	assert_int_equal(base_json_size(&words), opt->words ? n : 0);
}

static void check_options(const struct base_json *list, const struct base_opt *options)
{
	size_t n = 0;

	assert_true(base_json_is_array(list));
	for (; options && options[n].name; n++) {
		struct base_json o = base_json_at(list, n);

		check_option(&o, &options[n]);
	}
	assert_int_equal(base_json_size(list), n);
}

static void check_arguments(const struct base_json *list, const struct base_opt_arg *args)
{
	size_t n = 0;

	assert_true(base_json_is_array(list));
	for (; args && args[n].name; n++) {
		struct base_json a = base_json_at(list, n);

		check_string(&a, "name", args[n].name);
		check_string(&a, "help", args[n].help);
		check_bool(&a, "optional", args[n].optional);
		check_bool(&a, "many", args[n].many);
		check_bool(&a, "file", args[n].is_file);
	}
	assert_int_equal(base_json_size(list), n);
}

static void check_command(const struct base_json *o, const struct base_opt_command *c)
{
	struct base_json options = base_json_get(o, "options");
	struct base_json arguments = base_json_get(o, "arguments");
	struct base_json commands = base_json_get(o, "commands");
	size_t shown = 0;

	check_string(o, "name", c->name);
	check_string(o, "help", c->help);
	check_string(o, "description", c->description);
	check_options(&options, c->options);
	check_arguments(&arguments, c->args);
	assert_true(base_json_is_array(&commands));
	for (size_t i = 0; c->children && c->children[i].name; i++) {
		struct base_json child = base_json_at(&commands, shown);

		if (!c->children[i].help)
			continue;
		check_command(&child, &c->children[i]);
		shown++;
	}
	assert_int_equal(base_json_size(&commands), shown);
}

static void test_dump(void **state)
{
	struct base_json_doc *doc = NULL;
	struct base_json root, command, common;
	struct base_err err = { 0 };
	struct base_str s;

	(void)state;
	base_str_init(&s, 0);
	base_opt_dump_json(&tree, tree_common, &s);
	assert_int_equal(base_str_error(&s), 0);
	assert_int_equal(base_json_parse("dump", s.data, s.len, &doc, &err), 0);
	root = base_json_root(doc);
	assert_int_equal(base_json_schema(&root, "fairlead.commands.v1", &err), 0);
	common = base_json_get(&root, "common_options");
	check_options(&common, tree_common);
	command = base_json_get(&root, "command");
	check_command(&command, &tree);
	base_json_free(doc);
	base_str_fini(&s);
}

/* The error of the writer comes out of the text that was written into. */
static void test_dump_over_the_ceiling(void **state)
{
	struct base_str s;

	(void)state;
	base_str_init(&s, 100);
	base_opt_dump_json(&tree, tree_common, &s);
	assert_int_equal(base_str_error(&s), -BASE_E_TOO_LARGE);
	base_str_fini(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dump),
		cmocka_unit_test(test_dump_over_the_ceiling),
	};

	return cmocka_run_group_tests_name("base_opt_dump_json", tests, NULL, NULL);
}
