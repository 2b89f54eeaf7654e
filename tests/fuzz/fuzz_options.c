/* SPDX-License-Identifier: Apache-2.0 */
/*
 * base/opt and base/out on any bytes.  The input is cut at its line ends into the words
 * of a command line.  Oracles: a parse that fails has a message and left its output
 * alone, one that succeeds can be asked for everything; help and completion are of
 * bounded size; the text comes back the same from JSON that it was written to.
 */
#include <base/err.h>
#include <base/json.h>
#include <base/opt.h>
#include <base/out.h>
#include <base/str.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define INPUT_MAX 4096
#define WORDS_MAX 64
#define REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */

#define CHECK(condition)                                                                 \
	do {                                                                             \
		if (!(condition))                                                        \
			abort();                                                         \
	} while (0)

static int run(const struct base_opt_values *values, void *context)
{
	(void)values;
	(void)context;
	return 0;
}

static const char *const words_of_color[] = { "auto", "always", "never", NULL };

static const struct base_opt common[] = {
	{ .name = "json", .help = "one JSON document" },
	{ .name = "verbose", .short_name = 'v', .many = true, .help = "say more" },
	{ .name = "color",
	  .kind = BASE_OPT_WORD,
	  .value = "WHEN",
	  .help = "colours",
	  .fallback = "auto",
	  .words = words_of_color },
	{ 0 },
};

static const struct base_opt make_options[] = {
	{ .name = "rate",
	  .kind = BASE_OPT_RATE,
	  .value = "RATE",
	  .help = "rate",
	  .max = 1000000 },
	{ .name = "qps",
	  .kind = BASE_OPT_U64,
	  .value = "N",
	  .help = "QPs",
	  .min = 1,
	  .max = 32 },
	{ .name = "size",
	  .kind = BASE_OPT_SIZE,
	  .value = "SIZE",
	  .help = "size",
	  .fallback = "1k" },
	{ .name = "time", .kind = BASE_OPT_TIME, .value = "TIME", .help = "time" },
	{ .name = "share",
	  .short_name = 's',
	  .kind = BASE_OPT_SHARE,
	  .value = "S",
	  .help = "share" },
	{ .name = "down",
	  .kind = BASE_OPT_STRING,
	  .many = true,
	  .value = "LINK",
	  .help = "dead" },
	{ .name = "out",
	  .short_name = 'o',
	  .kind = BASE_OPT_FILE,
	  .value = "FILE",
	  .help = "plan" },
	{ 0 },
};

static const struct base_opt_arg make_args[] = {
	{ .name = "FABRIC", .help = "a fabric file", .is_file = true },
	{ .name = "JOB", .help = "jobs", .optional = true, .many = true },
	{ 0 },
};

static const struct base_opt_command plan[] = {
	{ .name = "make",
	  .help = "plan",
	  .options = make_options,
	  .args = make_args,
	  .run = run },
	{ .name = "explain", .help = "why", .run = run },
	{ 0 },
};

static const struct base_opt_command top[] = {
	{ .name = "plan", .help = "plans", .children = plan },
	{ .name = "status", .help = "status", .run = run },
	{ 0 },
};

static const struct base_opt_command root = { .name = "fairlead",
					      .help = "x",
					      .children = top };

static void check_values(const struct base_opt_result *r, const struct base_opt *options)
{
	for (; options && options->name; options++) {
		size_t n = base_opt_count(r->values, options->name);
		uint64_t number = base_opt_number(r->values, options->name);

		CHECK(base_opt_is_given(r->values, options->name) == (n > 0));
		CHECK(n <= 1 || options->many || options->kind == BASE_OPT_FLAG);
		if (n > 0 && options->max > 0)
			CHECK(number >= options->min && number <= options->max);
		if (n > 0 && options->kind != BASE_OPT_FLAG)
			CHECK(base_opt_string(r->values, options->name) ==
			      base_opt_nth(r->values, options->name, 0));
		CHECK(!base_opt_nth(r->values, options->name, n));
	}
}

static void check_parse(int argc, char *const *argv, struct base_str *s)
{
	struct base_opt_result r = { .n_path = 77 };
	struct base_err err = { 0 };
	int code = base_opt_parse(&root, common, argc, argv, &r, &err);

	if (code < 0) {
		CHECK(code == -BASE_E_USAGE && err.code == code &&
		      err.message[0] != '\0');
		CHECK(r.n_path == 77 && !r.values);
		for (const char *p = err.message; *p; p++)
			CHECK(*p != '\n' && *p != '\033');
		return;
	}
	CHECK(err.code == 0 && r.command && r.n_path >= 1 &&
	      r.path[r.n_path - 1] == r.command);
	CHECK(r.wants_help || r.command->run);
	check_values(&r, common);
	check_values(&r, r.command->options);
	CHECK(base_opt_n_args(r.values) < (size_t)argc);
	CHECK(!base_opt_arg(r.values, base_opt_n_args(r.values)));
	base_opt_help(&r, common, (unsigned)argc, s);
	CHECK(base_str_error(s) == 0 && s->len > 0);
	base_opt_result_fini(&r);
}

/* Escaped and read again, the text is what it was; bytes that are no UTF-8 become U+FFFD.
 */
static void check_escape(const char *text, size_t len, struct base_str *s)
{
	struct base_json_doc *doc = NULL;
	struct base_json v;
	const char *back = NULL;
	int r;

	base_out_json_escape(s, text, len);
	CHECK(base_str_error(s) == 0);
	r = base_json_parse("text", s->data, s->len, &doc, NULL);
	if (memchr(text, '\0', len)) { /* written well, but not read by our own reader */
		CHECK(r == -BASE_E_SYNTAX);
		return;
	}
	CHECK(r == 0);
	v = base_json_root(doc);
	CHECK(base_json_string(&v, &back, NULL) == 0);
	for (size_t i = 0; i < len;) {
		bool replaced = strncmp(back, REPLACEMENT, 3) == 0 &&
				strncmp(text + i, REPLACEMENT, 3) != 0;

		CHECK(replaced ? ((uint8_t)text[i] & 0x80) != 0 : *back == text[i]);
		i++;
		back += replaced ? 3 : 1;
	}
	CHECK(*back == '\0');
	base_json_free(doc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char program[] = "fairlead";
	char *argv[WORDS_MAX + 1] = { program }, *copy, *next;
	struct base_str s;
	int argc = 1;

	if (size > INPUT_MAX)
		return 0;
	copy = calloc(size + 1, 1);
	CHECK(copy);
	if (size > 0)
		memcpy(copy, data, size);
	base_str_init(&s, 64 * INPUT_MAX);
	check_escape(copy, size, &s);
	for (char *word = copy; word && argc <= WORDS_MAX; word = next) {
		next = strchr(word, '\n');
		if (next)
			*next++ = '\0';
		argv[argc++] = word;
	}
	base_str_clear(&s);
	check_parse(argc, argv, &s);
	base_str_clear(&s);
	base_opt_complete(&root, common, argc - 1, argv + 1, &s);
	CHECK(base_str_error(&s) == 0);
	base_str_fini(&s);
	free(copy);
	return 0;
}
