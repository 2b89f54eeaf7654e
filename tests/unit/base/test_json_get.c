/* SPDX-License-Identifier: Apache-2.0 */
#include <base/json.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

enum getter { OBJECT, ARRAY, STRING, U64, U32, BOOL, WORD };

/* What the member "v" of the text is read as. */
struct get_case {
	const char *name;
	const char *text;
	enum getter getter;
	uint64_t min, max;
	uint64_t want;	     /* the value (of a string: its length) */
	const char *message; /* NULL: it is fine */
	uint32_t line, column;
};

static const char *const words[] = { "up", "down", "drained" };

static struct get_case get_cases[] = {
	{ "an object", "{\"v\":{}}", OBJECT, 0, 0, 0, NULL, 0, 0 },
	{ "a list for an object", "{\"v\":[]}", OBJECT, 0, 0, 0,
	  "v: expected an object, not an array", 1, 6 },
	{ "an array", "{\"v\":[]}", ARRAY, 0, 0, 0, NULL, 0, 0 },
	{ "an object for an array", "{\"v\":{}}", ARRAY, 0, 0, 0,
	  "v: expected an array, not an object", 1, 6 },
	{ "a string", "{\"v\":\"abc\"}", STRING, 0, 0, 3, NULL, 0, 0 },
	{ "a number for a string", "{\"v\":-17}", STRING, 0, 0, 0,
	  "v: expected a string, not -17", 1, 6 },
	{ "null for a string", "{\"v\":null}", STRING, 0, 0, 0,
	  "v: expected a string, not null", 1, 6 },
	{ "nothing for a string", "\n {\"w\":1}", STRING, 0, 0, 0, "\"v\" is missing", 2,
	  2 },
	{ "a member of what is no object", "[1]", STRING, 0, 0, 0,
	  "expected an object, not an array", 1, 1 },
	{ "a number at its minimum", "{\"v\":1}", U64, 1, 5, 1, NULL, 0, 0 },
	{ "a number at its maximum", "{\"v\":5}", U64, 1, 5, 5, NULL, 0, 0 },
	{ "a number below its minimum", "{\"v\":0}", U64, 1, 5, 0,
	  "v: must be within 1..5, not 0", 1, 6 },
	{ "a number above its maximum", "{\"v\":6}", U64, 1, 5, 0,
	  "v: must be within 1..5, not 6", 1, 6 },
	{ "a negative number", "{\"v\":-1}", U64, 0, UINT64_MAX, 0,
	  "v: must be at least 0, not -1", 1, 6 },
	{ "zero with a minus", "{\"v\":-0}", U64, 0, 5, 0, NULL, 0, 0 },
	{ "the largest number as such", "{\"v\":9223372036854775807}", U64, 0, UINT64_MAX,
	  INT64_MAX, NULL, 0, 0 },
	{ "the largest number as a string", "{\"v\":\"18446744073709551615\"}", U64, 0,
	  UINT64_MAX, UINT64_MAX, NULL, 0, 0 },
	{ "one over 2^53 as a string", "{\"v\":\"9007199254740993\"}", U64, 0, UINT64_MAX,
	  9007199254740993, NULL, 0, 0 },
	{ "2^53 as a string", "{\"v\":\"9007199254740992\"}", U64, 0, UINT64_MAX, 0,
	  "v: expected a whole number, not \"9007199254740992\"", 1, 6 },
	{ "a large string out of range", "{\"v\":\"9007199254740993\"}", U64, 0, 7, 0,
	  "v: must be within 0..7, not \"9007199254740993\"", 1, 6 },
	{ "a string of digits", "{\"v\":\"5\"}", U64, 0, 5, 0,
	  "v: expected a whole number, not \"5\"", 1, 6 },
	{ "a string with a unit", "{\"v\":\"400G\"}", U64, 0, 5, 0,
	  "v: expected a whole number, not \"400G\"", 1, 6 },
	{ "a number with a fraction", "{\"v\":1.0}", U64, 0, 5, 0,
	  "v: expected a whole number, not a number with fraction or exponent", 1, 6 },
	{ "the largest of 32 bits", "{\"v\":4294967295}", U32, 0, UINT32_MAX, UINT32_MAX,
	  NULL, 0, 0 },
	{ "over 32 bits", "{\"v\":4294967296}", U32, 0, UINT32_MAX, 0,
	  "v: must be within 0..4294967295, not 4294967296", 1, 6 },
	{ "true", "{\"v\":true}", BOOL, 0, 0, 1, NULL, 0, 0 },
	{ "false", "{\"v\":false}", BOOL, 0, 0, 0, NULL, 0, 0 },
	{ "a number for true", "{\"v\":1}", BOOL, 0, 0, 0,
	  "v: expected true or false, not 1", 1, 6 },
	{ "true for a number", "{\"v\":true}", U64, 0, 1, 0,
	  "v: expected a whole number, not true", 1, 6 },
	{ "a word", "{\"v\":\"drained\"}", WORD, 0, 0, 2, NULL, 0, 0 },
	{ "a wrong word, the nearest first", "{\"v\":\"dwn\"}", WORD, 0, 0, 0,
	  "v: expected one of \"down\", \"up\", \"drained\", not \"dwn\"", 1, 6 },
	{ "a word like no other", "{\"v\":\"xyzzy123\"}", WORD, 0, 0, 0,
	  "v: expected one of \"up\", \"down\", \"drained\", not \"xyzzy123\"", 1, 6 },
	{ "an object for a word", "{\"v\":{}}", WORD, 0, 0, 0,
	  "v: expected one of \"up\", \"down\", \"drained\", not an object", 1, 6 },
	{ "nothing for a word", "{}", WORD, 0, 0, 0, "\"v\" is missing", 1, 1 },
	{ "text in a message is cut, and tame",
	  "{\"v\":\"\\u001b[31m"
	  "0123456789012345678901234567890123456789012345678901234567890123456789\"}",
	  U64, 0, 5, 0,
	  "v: expected a whole number, not "
	  "\"?[31m01234567890123456789012345678901234567890123456789012...\"",
	  1, 6 },
};

static int get(const struct get_case *c, const struct base_json *v, uint64_t *ret_n,
	       struct base_err *err)
{
	const char *text = NULL;
	uint32_t n = 0;
	bool b = false;
	int r = 0;

	switch (c->getter) {
	case OBJECT:
		return base_json_need_object(v, err);
	case ARRAY:
		return base_json_need_array(v, err);
	case U64:
		return base_json_u64(v, c->min, c->max, ret_n, err);
	case U32:
		r = base_json_u32(v, (uint32_t)c->min, (uint32_t)c->max, &n, err);
		break;
	case BOOL:
		r = base_json_bool(v, &b, err);
		n = b;
		break;
	case WORD:
		r = base_json_word(v, words, 3, &n, err);
		break;
	case STRING:
		r = base_json_string(v, &text, err);
		n = text ? (uint32_t)strlen(text) : 0;
		break;
	}
	if (r == 0)
		*ret_n = n;
	else /* untouched on failure */
		assert_true(n == 0 && !text && !b);
	return r;
}

static void test_get(void **state)
{
	const struct get_case *c = *state;
	struct base_json_doc *doc = NULL;
	struct base_json root, v;
	struct base_err err = { 0 };
	uint64_t n = 77;

	assert_int_equal(base_json_parse("f", c->text, strlen(c->text), &doc, NULL), 0);
	root = base_json_root(doc);
	v = base_json_get(&root, "v");
	if (c->message) {
		assert_int_equal(get(c, &v, &n, &err), -BASE_E_INVALID);
		assert_string_equal(err.message, c->message);
		assert_int_equal(err.line, c->line);
		assert_int_equal(err.column, c->column);
		assert_int_equal(n, 77);
		assert_int_equal(get(c, &v, &n, NULL), -BASE_E_INVALID);
	} else {
		assert_int_equal(get(c, &v, &n, &err), 0);
		assert_int_equal(err.code, 0);
		assert_true(n ==
			    (c->getter == OBJECT || c->getter == ARRAY ? 77 : c->want));
	}
	base_json_free(doc);
}

/* The first thing that is missing on the way is what is reported. */
static void test_missing_on_the_way(void **state)
{
	static const char text[] = "{\"links\": [\n {\"a\": 1}]}";
	struct base_json_doc *doc = NULL;
	struct base_err err = { 0 };
	uint64_t n = 77;

	(void)state;
	assert_int_equal(base_json_parse("f", text, strlen(text), &doc, NULL), 0);
	struct base_json root = base_json_root(doc),
			 links = base_json_get(&root, "links");
	struct base_json first = base_json_at(&links, 0),
			 second = base_json_at(&links, 1);
	struct base_json rate = base_json_get(&first, "rate_bps");
	struct base_json below = base_json_get(&rate, "x"),
			 lost = base_json_get(&second, "a");
	struct base_json a = base_json_get(&first, "a"), of_a = base_json_at(&a, 0);

	assert_int_equal(base_json_u64(&rate, 0, 9, &n, &err), -BASE_E_INVALID);
	assert_string_equal(err.message, "links[0]: \"rate_bps\" is missing");
	assert_int_equal(err.line, 2);
	assert_int_equal(err.column, 2);
	assert_int_equal(base_json_u64(&below, 0, 9, &n, &err), -BASE_E_INVALID);
	assert_string_equal(err.message, "links[0]: \"rate_bps\" is missing");
	assert_int_equal(base_json_u64(&lost, 0, 9, &n, &err), -BASE_E_INVALID);
	assert_string_equal(err.message, "links: element 1 is missing");
	assert_int_equal(err.line, 1);
	assert_int_equal(err.column, 11);
	assert_int_equal(base_json_u64(&of_a, 0, 9, &n, &err), -BASE_E_INVALID);
	assert_string_equal(err.message, "links[0].a: expected an array, not 1");
	assert_int_equal(n, 77);
	base_json_free(doc);
}

struct whole_case {
	const char *name;
	const char *text;
	int code;
	const char *message;
	uint32_t line, column;
};

static struct whole_case only_cases[] = {
	{ "all keys are known", "{\"x\":{\"rate_bps\": 1, \"state\": 2}}", 0, NULL, 0,
	  0 },
	{ "not all keys are there", "{\"x\":{}}", 0, NULL, 0, 0 },
	{ "a key with a slip", "{\"x\":{\"state\": 1,\n  \"rate_bsp\" :1}}",
	  -BASE_E_UNKNOWN, "x: unknown key \"rate_bsp\": did you mean \"rate_bps\"?", 2,
	  3 },
	{ "a key of another world", "{\"x\":{\"colour\": 1}}", -BASE_E_UNKNOWN,
	  "x: unknown key \"colour\"", 1, 7 },
	{ "what is no object has no keys", "{\"x\":[]}", 0, NULL, 0, 0 },
};

static void check_whole(const struct whole_case *c, int r, const struct base_err *err)
{
	assert_int_equal(r, c->code);
	assert_int_equal(err->code, c->code);
	assert_string_equal(err->message, c->message ? c->message : "");
	assert_int_equal(err->line, c->line);
	assert_int_equal(err->column, c->column);
}

static void test_only(void **state)
{
	static const char *const keys[] = { "rate_bps", "state" };
	const struct whole_case *c = *state;
	struct base_json_doc *doc = NULL;
	struct base_json root, x;
	struct base_err err = { 0 };

	assert_int_equal(base_json_parse("f", c->text, strlen(c->text), &doc, NULL), 0);
	root = base_json_root(doc);
	x = base_json_get(&root, "x");
	check_whole(c, base_json_only(&x, keys, 2, &err), &err);
	base_json_free(doc);
}

static struct whole_case schema_cases[] = {
	{ "the right schema", "{\"schema\": \"fairlead.fabric.v1\"}", 0, NULL, 0, 0 },
	{ "another document", "{\"schema\":\n \"fairlead.plan.v1\"}", -BASE_E_SCHEMA,
	  "schema: expected \"fairlead.fabric.v1\", not \"fairlead.plan.v1\"", 2, 2 },
	{ "no schema", " {}", -BASE_E_SCHEMA,
	  "\"schema\" is missing: expected \"fairlead.fabric.v1\"", 1, 2 },
	{ "a schema that is no string", "{\"schema\": 1}", -BASE_E_SCHEMA,
	  "schema: expected \"fairlead.fabric.v1\", not 1", 1, 12 },
	{ "a document that is no object", "[]", -BASE_E_SCHEMA,
	  "expected an object with \"schema\": \"fairlead.fabric.v1\", not an array", 1,
	  1 },
};

static void test_schema(void **state)
{
	const struct whole_case *c = *state;
	struct base_json_doc *doc = NULL;
	struct base_json root;
	struct base_err err = { 0 };

	assert_int_equal(base_json_parse("f", c->text, strlen(c->text), &doc, NULL), 0);
	root = base_json_root(doc);
	check_whole(c, base_json_schema(&root, "fairlead.fabric.v1", &err), &err);
	base_json_free(doc);
}

int main(void)
{
	enum {
		N_GET = sizeof(get_cases) / sizeof(get_cases[0]),
		N_ONLY = sizeof(only_cases) / sizeof(only_cases[0]),
		N_SCHEMA = sizeof(schema_cases) / sizeof(schema_cases[0]),
	};
	struct CMUnitTest tests[N_GET + N_ONLY + N_SCHEMA + 1] = {
		cmocka_unit_test(test_missing_on_the_way),
	};
	struct CMUnitTest *t = tests + 1;

	for (size_t i = 0; i < N_GET; i++)
		*t++ = (struct CMUnitTest){ get_cases[i].name, test_get, NULL, NULL,
					    &get_cases[i] };
	for (size_t i = 0; i < N_ONLY; i++)
		*t++ = (struct CMUnitTest){ only_cases[i].name, test_only, NULL, NULL,
					    &only_cases[i] };
	for (size_t i = 0; i < N_SCHEMA; i++)
		*t++ = (struct CMUnitTest){ schema_cases[i].name, test_schema, NULL, NULL,
					    &schema_cases[i] };
	return cmocka_run_group_tests_name("base_json getters", tests, NULL, NULL);
}
