/* SPDX-License-Identifier: Apache-2.0 */
/*
 * base/json on any bytes.  Oracles: an error names a place in the text; of a document
 * that is accepted, every value is found again where its text begins; every getter either
 * succeeds or says so with a place; written out and read again, the tree is the same.
 */
#include <base/err.h>
#include <base/json.h>
#include <base/out.h>
#include <base/str.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Bounds the work: the place of each value is looked for from the start of the text. */
#define INPUT_MAX 4096

struct text {
	const char *data;
	size_t len;
};

#define CHECK(condition)                                                                 \
	do {                                                                             \
		if (!(condition))                                                        \
			abort();                                                         \
	} while (0)

/* The byte at a place; the end of the text is a place as well. */
static size_t offset_of(const struct text *t, const struct base_err *err)
{
	const char *p = t->data, *end = t->data + t->len;

	CHECK(err->line > 0 && err->column > 0);
	for (uint32_t line = 1; line < err->line; line++) {
		p = memchr(p, '\n', (size_t)(end - p));
		CHECK(p);
		p++;
	}
	CHECK((size_t)(end - p) >= err->column - 1);
	return (size_t)(p - t->data) + err->column - 1;
}

/* What a failed getter left behind. */
static void check_failure(const struct text *t, int r, struct base_err *err)
{
	CHECK(r == -BASE_E_INVALID || r == -BASE_E_UNKNOWN || r == -BASE_E_SCHEMA);
	CHECK(err->code == r && err->message[0] != '\0');
	for (const char *p = err->message; *p; p++)
		CHECK((unsigned char)*p >= 0x20 && *p != 0x7F);
	CHECK(offset_of(t, err) < t->len);
	base_err_clear(err);
}

/* The place of @v, which must hold what @v is. */
static void check_place(const struct text *t, const struct base_json *v)
{
	struct base_err err = { 0 };
	uint64_t n;
	char first;
	size_t at;

	base_json_fail(v, &err, -BASE_E_INVALID, "x");
	at = offset_of(t, &err);
	CHECK(at < t->len);
	first = t->data[at];
	if (base_json_is_object(v))
		CHECK(first == '{');
	else if (base_json_is_array(v))
		CHECK(first == '[');
	else if (base_json_is_string(v))
		CHECK(first == '"');
	else if (base_json_is_null(v))
		CHECK(first == 'n');
	else
		CHECK(strchr("tf-0123456789", first));
	if (base_json_is_integer(v) && base_json_u64(v, 0, UINT64_MAX, &n, NULL) == 0 &&
	    first != '-') {
		uint64_t there = 0;

		for (; at < t->len && t->data[at] >= '0' && t->data[at] <= '9'; at++)
			there = there * 10 + (uint64_t)(t->data[at] - '0');
		CHECK(there == n);
	}
}

static void check_getters(const struct text *t, const struct base_json *v)
{
	static const char *const words[] = { "up", "down" };
	struct base_err err = { 0 };
	const char *text = NULL;
	uint64_t wide;
	uint32_t narrow;
	bool b;
	int r;

	r = base_json_string(v, &text, &err);
	CHECK((r == 0) == base_json_is_string(v) && (r == 0) == (text != NULL));
	if (r < 0)
		check_failure(t, r, &err);
	r = base_json_u64(v, 1, UINT64_MAX, &wide, &err);
	CHECK(r < 0 || wide >= 1);
	if (r < 0)
		check_failure(t, r, &err);
	r = base_json_u32(v, 0, 1000, &narrow, &err);
	CHECK(r < 0 || narrow <= 1000);
	if (r < 0)
		check_failure(t, r, &err);
	r = base_json_bool(v, &b, &err);
	if (r < 0)
		check_failure(t, r, &err);
	r = base_json_word(v, words, 2, &narrow, &err);
	CHECK(r < 0 || strcmp(words[narrow], text) == 0);
	if (r < 0)
		check_failure(t, r, &err);
	r = base_json_need_object(v, &err);
	CHECK((r == 0) == base_json_is_object(v));
	if (r < 0)
		check_failure(t, r, &err);
	r = base_json_need_array(v, &err);
	CHECK((r == 0) == base_json_is_array(v));
	if (r < 0)
		check_failure(t, r, &err);
	r = base_json_only(v, words, 2, &err);
	if (r < 0)
		check_failure(t, r, &err);
	r = base_json_schema(v, "x", &err);
	if (r < 0)
		check_failure(t, r, &err);
}

/* Checks @v and all below it; recursion is as deep as documents may be. */
static void check_value(const struct text *t, const struct base_json *v)
{
	struct base_json below;
	void *iter = NULL;
	size_t n = 0;

	if (v->value)
		check_place(t, v);
	check_getters(t, v);
	while (base_json_next(v, &iter, &below)) {
		struct base_json again = base_json_get(v, below.key);

		CHECK(again.value == below.value);
		check_value(t, &below);
		n++;
	}
	if (base_json_is_object(v))
		CHECK(n == base_json_size(v));
	for (size_t i = 0; base_json_is_array(v) && i < base_json_size(v); i++) {
		below = base_json_at(v, i);
		CHECK(below.value);
		check_value(t, &below);
	}
	below = base_json_at(v, SIZE_MAX);
	check_getters(t, &below);
	below = base_json_get(v, "\x01 no such key \xFF");
	CHECK(!below.value);
	check_getters(t, &below);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text t = { size > 0 ? (const char *)data : "", size };
	struct base_json_doc *doc = NULL;
	struct base_err err = { 0 };
	struct base_json root;
	int r;

	if (size > INPUT_MAX)
		return 0;
	r = base_json_parse("input", t.data, t.len, &doc, &err);
	CHECK(r == 0 || r == -BASE_E_SYNTAX); /* never "no memory" */
	if (r < 0) {
		CHECK(!doc && err.code == r && err.message[0] != '\0');
		CHECK(offset_of(&t, &err) <= t.len);
		return 0;
	}
	root = base_json_root(doc);
	check_value(&t, &root);
	base_json_free(doc);
	return 0;
}
