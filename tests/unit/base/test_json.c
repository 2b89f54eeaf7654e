/* SPDX-License-Identifier: Apache-2.0 */
#include <base/json.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static struct base_json_doc *parse(const char *text)
{
	struct base_json_doc *doc = NULL;

	assert_int_equal(base_json_parse("f.json", text, strlen(text), &doc, NULL), 0);
	assert_non_null(doc);
	return doc;
}

/* What the grammar allows and the tree does not. */
struct refuse_case {
	const char *name, *text;
	uint32_t line, column;
	const char *message;
};

static struct refuse_case refuse_cases[] = {
	{ "a key twice", "{\"a\": 1,\n  \"b\": 2,  \"a\": 3}", 2, 12,
	  "key \"a\" stands twice in one object" },
	{ "a key twice, once escaped", "{\"\\u0061\": 1, \"a\": 3}", 1, 15,
	  "key \"a\" stands twice in one object" },
	{ "a key with quotes twice",
	  "[{\"a\\\"b\\\\\":0},\n{\"a\\\"b\\\\\":0,\"a\\\"b\\\\\":1}]", 2, 13,
	  "key \"a\"b\\\" stands twice in one object" },
	{ "an empty key twice", "{\"\":0,\"\":1}", 1, 7,
	  "key \"\" stands twice in one object" },
	{ "an integer over 63 bits", "{\"n\":\n 9223372036854775808}", 2, 2,
	  "integer out of range: write those above 2^53 as strings" },
	{ "an integer below 63 bits", "[-9223372036854775809]", 1, 2,
	  "integer out of range: write those above 2^53 as strings" },
};

static void test_refuse(void **state)
{
	const struct refuse_case *c = *state;
	struct base_json_doc *doc = NULL;
	struct base_err err = { 0 };

	assert_int_equal(base_json_parse("f.json", c->text, strlen(c->text), &doc, &err),
			 -BASE_E_SYNTAX);
	assert_null(doc);
	assert_string_equal(err.message, c->message);
	assert_int_equal(err.line, c->line);
	assert_int_equal(err.column, c->column);
	assert_string_equal(err.file, "f.json");
}

static void test_same_key_in_two_objects(void **state)
{
	(void)state;
	base_json_free(parse("[{\"a\":1},{\"a\":{\"a\":2}}]"));
}

static void test_kinds(void **state)
{
	struct base_json_doc *doc =
		parse("{\"o\":{},\"a\":[],\"s\":\"\",\"i\":-1,\"r\":1.0,\"n\":null}");
	struct base_json root = base_json_root(doc), v;

	(void)state;
	v = base_json_get(&root, "o");
	assert_true(base_json_is_object(&v) && !base_json_is_array(&v) &&
		    !base_json_is_null(&v));
	v = base_json_get(&root, "a");
	assert_true(base_json_is_array(&v) && !base_json_is_object(&v));
	v = base_json_get(&root, "s");
	assert_true(base_json_is_string(&v) && !base_json_is_integer(&v));
	v = base_json_get(&root, "i");
	assert_true(base_json_is_integer(&v) && !base_json_is_string(&v));
	v = base_json_get(&root, "r");
	assert_false(base_json_is_integer(&v));
	v = base_json_get(&root, "n");
	assert_true(v.value && base_json_is_null(&v));
	v = base_json_get(&root, "none");
	assert_true(!v.value && base_json_is_null(&v));
	base_json_free(doc);
}

/* Asking further below what is absent, or of another kind, is absent and never a crash.
 */
static void test_absent_below_absent(void **state)
{
	struct base_json_doc *doc = parse("{\"a\":[1]}");
	struct base_json root = base_json_root(doc), a = base_json_get(&root, "a");
	struct base_json none = base_json_get(&root, "none"), v;

	(void)state;
	v = base_json_get(&none, "x");
	assert_null(v.value);
	v = base_json_at(&none, 0);
	assert_null(v.value);
	v = base_json_get(&a, "x");
	assert_null(v.value);
	v = base_json_at(&root, 0);
	assert_null(v.value);
	v = base_json_at(&a, 1);
	assert_null(v.value);
	v = base_json_at(&a, SIZE_MAX);
	assert_null(v.value);
	assert_int_equal(base_json_size(&none), 0);
	v = base_json_at(&a, 0);
	assert_int_equal(base_json_size(&v), 0);
	base_json_free(doc);
}

static void test_members_in_file_order(void **state)
{
	struct base_json_doc *doc = parse("{\"z\":0,\"a\":1,\"m\":2}");
	struct base_json root = base_json_root(doc), member;
	char keys[4] = "";
	void *iter = NULL;
	uint32_t n = 0, value = 0;

	(void)state;
	assert_int_equal(base_json_size(&root), 3);
	while (base_json_next(&root, &iter, &member)) {
		assert_int_equal(base_json_u32(&member, 0, 9, &value, NULL), 0);
		assert_int_equal(value, n);
		keys[n++] = member.key[0];
	}
	assert_string_equal(keys, "zam");
	member = base_json_get(&root, "z");
	iter = NULL;
	assert_false(base_json_next(&member, &iter, &root));
	base_json_free(doc);
}

static void test_the_text_is_copied(void **state)
{
	char text[] = "{\"a\": 5}", name[] = "f.json";
	struct base_json_doc *doc = NULL;
	struct base_json root, a;
	struct base_err err = { 0 };
	bool b;

	(void)state;
	assert_int_equal(base_json_parse(name, text, strlen(text), &doc, NULL), 0);
	memset(text, 'x', sizeof(text));
	memset(name, 'x', sizeof(name) - 1);
	root = base_json_root(doc);
	a = base_json_get(&root, "a");
	assert_int_equal(base_json_bool(&a, &b, &err), -BASE_E_INVALID);
	assert_string_equal(err.file, "f.json");
	assert_int_equal(err.column, 7);
	base_json_free(doc);
	base_json_free(NULL);
}

static void test_load(void **state)
{
	char name[] = "/tmp/test_json_XXXXXX";
	int fd = mkstemp(name);
	struct base_json_doc *doc = NULL;
	struct base_err err = { 0 };
	FILE *f;

	(void)state;
	assert_true(fd >= 0);
	f = fdopen(fd, "w");
	assert_non_null(f);
	assert_true(fputs("{\"schema\": \"fairlead.job.v1\"}\n", f) >= 0);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(base_json_load(name, &doc, &err), 0);
	struct base_json root = base_json_root(doc);

	assert_int_equal(base_json_schema(&root, "fairlead.job.v1", &err), 0);
	base_json_free(doc);
	doc = NULL;
	assert_int_equal(unlink(name), 0);
	assert_true(base_json_load(name, &doc, &err) < 0);
	assert_null(doc);
	assert_string_equal(err.file, name);
	assert_true(err.message[0] != '\0');
}

int main(void)
{
	enum { N_PLAIN = 6, N_REFUSE = sizeof(refuse_cases) / sizeof(refuse_cases[0]) };
	struct CMUnitTest tests[N_PLAIN + N_REFUSE] = {
		cmocka_unit_test(test_same_key_in_two_objects),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_absent_below_absent),
		cmocka_unit_test(test_members_in_file_order),
		cmocka_unit_test(test_the_text_is_copied),
		cmocka_unit_test(test_load),
	};

	for (size_t i = 0; i < N_REFUSE; i++) {
		tests[N_PLAIN + i].name = refuse_cases[i].name;
		tests[N_PLAIN + i].test_func = test_refuse;
		tests[N_PLAIN + i].initial_state = &refuse_cases[i];
	}
	return cmocka_run_group_tests_name("base_json", tests, NULL, NULL);
}
