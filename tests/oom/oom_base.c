/* SPDX-License-Identifier: Apache-2.0 */
#include "oom.h"
#include <base/arena.h>
#include <base/fs.h>
#include <base/json.h>
#include <base/mem.h>
#include <base/opt.h>
#include <base/out.h>
#include <base/str.h>
#include <base/table.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT(text) ((char[]){ text }) /* as in argv: not const */
#define OTHER_ERROR 1 /* what no function may return: the sweep reports it */

static int run_grow(void)
{
	size_t cap = 0;
	int *items = NULL;
	int r = 0;

	for (int i = 0; i < 1000 && r == 0; i++) {
		int *grown = base_grow(items, &cap, (size_t)i + 1, sizeof(*items));

		if (!grown) {
			/* What was there must still be there. */
			r = i == 0 || items[i - 1] == i - 1 ? -ENOMEM : OTHER_ERROR;
			break;
		}
		items = grown;
		items[i] = i;
	}
	free(items);
	return r;
}

static int run_arrays(void)
{
	static const uint32_t source[] = { 1, 2, 3 };
	uint32_t *fresh = base_array_new(3, sizeof(*fresh));
	uint32_t *copy = base_array_dup(source, 3, sizeof(*source));
	int r = fresh && copy ? 0 : -ENOMEM;

	if (copy && memcmp(copy, source, sizeof(source)) != 0)
		r = OTHER_ERROR;
	free(fresh);
	free(copy);
	return r;
}

static int run_arena(void)
{
	struct base_arena arena;
	int r = 0;

	base_arena_init(&arena, 0);
	for (size_t i = 1; i < 200 && r == 0; i++) {
		char *block = base_arena_alloc(&arena, i, 100);
		char *text = block ? base_arena_strndup(&arena, "some text", 4) : NULL;

		if (!text)
			r = -ENOMEM;
		else if (strcmp(text, "some") != 0)
			r = OTHER_ERROR;
	}
	base_arena_fini(&arena);
	return r;
}

static int run_str(void)
{
	struct base_str s;
	char *text;
	int r;

	base_str_init(&s, 0);
	for (unsigned int i = 0; i < 200; i++)
		base_str_addf(&s, "line %u of a text that grows\n", i);
	r = base_str_error(&s);
	text = base_str_steal(&s);
	if ((text != NULL) != (r == 0))
		r = OTHER_ERROR;
	free(text);
	base_str_fini(&s);
	return r;
}

static int run_table(void)
{
	struct base_table table;
	int r = 0;

	base_table_init(&table);
	for (uint32_t i = 0; i < 300 && r == 0; i++) {
		char name[16];
		uint32_t id = 12345;
		int len = snprintf(name, sizeof(name), "node%u", i);

		r = base_table_add(&table, name, (size_t)len, &id);
		if (r < 0 && (id != 12345 || table.n != i))
			r = OTHER_ERROR; /* a failed add has changed something */
		else if (r == 0 && id != i)
			r = OTHER_ERROR;
	}
	base_table_fini(&table);
	return r;
}

static const char document[] =
	"{ \"schema\": \"x.v1\",\n  \"list\": [ 1, 2, [ 3, 4 ], true ],\n"
	"  \"object\": { \"name\": \"a \\u00e9 b\", \"rate_bps\": 7 } }\n";

static int run_json_parse(void)
{
	static char nowhere;
	struct base_json_doc *const untouched = (struct base_json_doc *)(void *)&nowhere;
	struct base_json_doc *doc = untouched;
	struct base_err err = { 0 };
	int r = base_json_parse("a.json", document, sizeof(document) - 1, &doc, &err);

	if (r < 0)
		return doc == untouched ? r : OTHER_ERROR;
	base_json_free(doc);
	return 0;
}

/* Tokens so long that memory runs out inside them, once at their closing quotes. */
static int run_json_long_token(void)
{
	static char text[2 + 16384];
	struct base_json_doc *doc = NULL;
	int r = 0;

	memset(text, 'x', sizeof(text));
	text[0] = '[';
	text[1] = '"';
	for (size_t len = 4096; len <= 16384 && r == 0; len *= 2) {
		text[len] = '"'; /* byte number len of the token */
		text[len + 1] = ']';
		r = base_json_parse("a.json", text, len + 2, &doc, NULL);
		text[len] = text[len + 1] = 'x';
		if (r == 0)
			base_json_free(doc);
	}
	return r;
}

/* The place of a value is found by a second walk; where that has no memory, the error
 * stays. */
static int run_json_fail(void)
{
	struct base_json_doc *doc;
	struct base_err err = { 0 };
	int r = base_json_parse("a.json", document, sizeof(document) - 1, &doc, &err);

	if (r < 0)
		return r;
	{
		const struct base_json root = base_json_root(doc);
		const struct base_json object = base_json_get(&root, "object");
		const struct base_json name = base_json_get(&object, "name");
		uint64_t n = 77;

		r = base_json_u64(&name, 0, 9, &n, &err);
		if (n == 77 && r == -BASE_E_INVALID && err.code == r)
			r = 0;
		else if (r != -ENOMEM)
			r = OTHER_ERROR;
	}
	base_json_free(doc);
	return r;
}

static int run_out(enum base_out_format format)
{
	static const uint64_t numbers[] = { 1, 2, 3 };
	struct base_str text;
	struct base_out *o;
	int r = -ENOMEM;

	base_str_init(&text, 0);
	o = base_out_new(format, true, &text);
	if (o) {
		base_out_object_begin(o, NULL, NULL);
		base_out_string(o, "schema", NULL, "x.v1");
		base_out_number(o, "rate_bps", "rate", 400000000000, BASE_OUT_BPS);
		base_out_table_begin(o, "links", "links");
		for (uint64_t i = 0; i < 20; i++) {
			base_out_object_begin(o, NULL, NULL);
			base_out_number(o, "link", "link", i, BASE_OUT_ID);
			base_out_colour(o, BASE_OUT_BAD);
			base_out_string(o, "state", "state", i % 2 ? "up" : "down");
			base_out_object_end(o);
		}
		base_out_table_end(o);
		base_out_u64_list(o, "numbers", numbers, 3);
		base_out_text(o, "%u links\n", 20u);
		base_out_object_end(o);
		r = base_out_finish(o);
	}
	base_str_fini(&text);
	return r;
}

static int run_out_json(void)
{
	return run_out(BASE_OUT_JSON_PRETTY);
}

static int run_out_text(void)
{
	return run_out(BASE_OUT_TEXT);
}

static int run_nothing(const struct base_opt_values *values, void *context)
{
	(void)values;
	(void)context;
	return 0;
}

static const struct base_opt common[] = {
	{ .name = "json", .kind = BASE_OPT_FLAG, .help = "print one JSON document" },
	{ .name = NULL },
};
static const struct base_opt show_options[] = {
	{ .name = "rate",
	  .kind = BASE_OPT_RATE,
	  .value = "RATE",
	  .help = "of every link" },
	{ .name = "down",
	  .kind = BASE_OPT_STRING,
	  .many = true,
	  .value = "LINK",
	  .help = "taken out" },
	{ .name = NULL },
};
static const struct base_opt_arg show_args[] = {
	{ .name = "FABRIC", .help = "the fabric", .is_file = true },
	{ .name = NULL },
};
static const struct base_opt_command topo_commands[] = {
	{ .name = "show",
	  .help = "show a fabric",
	  .options = show_options,
	  .args = show_args,
	  .run = run_nothing },
	{ .name = NULL },
};
static const struct base_opt_command commands[] = {
	{ .name = "topo", .help = "fabrics", .children = topo_commands },
	{ .name = NULL },
};
static const struct base_opt_command program = { .name = "fairlead",
						 .help = "plans paths",
						 .children = commands };

static int run_opt_parse(void)
{
	char *const argv[] = { TEXT("fairlead"), TEXT("topo"),	 TEXT("show"),
			       TEXT("--rate"),	 TEXT("400G"),	 TEXT("--down"),
			       TEXT("a"),	 TEXT("--down"), TEXT("b"),
			       TEXT("x.json") };
	struct base_opt_result result;
	struct base_err err = { 0 };
	int r = base_opt_parse(&program, common, 10, argv, &result, &err);

	if (r < 0)
		return r;
	if (base_opt_number(result.values, "rate") != 400000000000 ||
	    base_opt_count(result.values, "down") != 2)
		r = OTHER_ERROR;
	base_opt_result_fini(&result);
	return r;
}

static int run_opt_texts(void)
{
	char *const words[] = { TEXT("topo"), TEXT("show"), TEXT("--r") };
	struct base_str dump, candidates;
	int r;

	base_str_init(&dump, 0);
	base_str_init(&candidates, 0);
	base_opt_dump_json(&program, common, &dump);
	base_opt_complete(&program, common, 3, words, &candidates);
	r = base_str_error(&dump) < 0 ? base_str_error(&dump)
				      : base_str_error(&candidates);
	base_str_fini(&dump);
	base_str_fini(&candidates);
	return r;
}

static int run_fs_read(void)
{
	char *data = NULL;
	size_t len = 77;
	struct base_err err = { 0 };
	int r = base_fs_read(FAIRLEAD_SOURCE_DIR "/LICENSE", 1 << 20, &data, &len, &err);

	if (r < 0 && (data || len != 77))
		r = OTHER_ERROR;
	free(data);
	return r;
}

static const struct oom_case cases[] = {
	{ "an array that grows", run_grow },
	{ "an array and a copy", run_arrays },
	{ "an arena of several blocks", run_arena },
	{ "a text that grows and is passed on", run_str },
	{ "a table of names", run_table },
	{ "a JSON document", run_json_parse },
	{ "a JSON document with long texts", run_json_long_token },
	{ "the place of a wrong JSON value", run_json_fail },
	{ "a JSON output", run_out_json },
	{ "a text output with a table", run_out_text },
	{ "a command line", run_opt_parse },
	{ "the dump and the completion of all commands", run_opt_texts },
	{ "a file that is read whole", run_fs_read },
};

int main(void)
{
	return oom_main(cases, sizeof(cases) / sizeof(cases[0]));
}
