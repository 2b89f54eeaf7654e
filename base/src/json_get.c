/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Typed getters: each either succeeds or says where the value stands, what was expected
 * and what is there.
 */
#include "json_private.h"
#include "quote.h"
#include <base/mem.h>
#include <base/num.h>
#include <base/str.h>
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_MAX_BYTES 200 /* of a path in a message; a longer one loses its front */

/* The largest integer that JSON readers agree on; above it documents hold strings. */
#define EXACT_MAX (UINT64_C(1) << 53)

static bool is_plain_key(const char *key)
{
	for (const char *p = key; *p; p++)
		if (!((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
		      (*p >= '0' && *p <= '9') || *p == '_' || *p == '-'))
			return false;
	return *key != '\0';
}

/* One step as it looks in a path: ".rate_bps", "[3]", "["odd key"]". */
static size_t format_step(const struct base_json *v, char buf[BASE_QUOTE_MAX + 2])
{
	char quoted[BASE_QUOTE_MAX];
	int n;

	if (!v->key)
		n = snprintf(buf, BASE_QUOTE_MAX + 2, "[%" PRIu32 "]", v->index);
	else if (is_plain_key(v->key) && strlen(v->key) < BASE_QUOTE_MAX)
		n = snprintf(buf, BASE_QUOTE_MAX + 2, ".%s", v->key);
	else
		n = snprintf(buf, BASE_QUOTE_MAX + 2, "[%s]", base_quote(v->key, quoted));
	return (size_t)n;
}

/* "links[3].rate_bps", "" for the root; built from its end. */
static const char *format_path(const struct base_json *v, char buf[PATH_MAX_BYTES])
{
	char step[BASE_QUOTE_MAX + 2];
	char *p = buf + PATH_MAX_BYTES - 1;
	size_t n;

	*p = '\0';
	for (; v->parent; v = v->parent) {
		assert(v->parent != v);
		n = format_step(v, step);
		if ((size_t)(p - buf) < n + 3) {
			p -= 3;
			memcpy(p, "...", 3);
			return p;
		}
		p -= n;
		memcpy(p, step, n);
	}
	return *p == '.' ? p + 1 : p;
}

static void fail_at(const struct base_json *v, size_t offset, struct base_err *err,
		    int code, const char *fmt, va_list ap) BASE_PRINTF(5, 0);

static void fail_at(const struct base_json *v, size_t offset, struct base_err *err,
		    int code, const char *fmt, va_list ap)
{
	const struct base_json_doc *doc = v->doc;
	char path[PATH_MAX_BYTES], message[sizeof(err->message)];
	const char *where = format_path(v, path);

	vsnprintf(message, sizeof(message), fmt, ap);
	base_json_err_at(err, doc->file, doc->text, doc->len, offset);
	base_err_set(err, code, "%s%s%s", where, *where ? ": " : "", message);
}

int base_json_fail(const struct base_json *v, struct base_err *err, int code,
		   const char *fmt, ...)
{
	va_list ap;

	if (err) {
		va_start(ap, fmt);
		fail_at(v, base_json_where(v, false), err, code, fmt, ap);
		va_end(ap);
	}
	return code;
}

/* The same at the key of a member, for what is wrong with the key itself. */
static int fail_at_key(const struct base_json *v, struct base_err *err, int code,
		       const char *fmt, ...) BASE_PRINTF(4, 5);

static int fail_at_key(const struct base_json *v, struct base_err *err, int code,
		       const char *fmt, ...)
{
	va_list ap;

	if (err) {
		va_start(ap, fmt);
		fail_at(v->parent, base_json_where(v, true), err, code, fmt, ap);
		va_end(ap);
	}
	return code;
}

/* Says what kind of value stands there, short values in full. */
static const char *describe(const json_t *value, char buf[BASE_QUOTE_MAX])
{
	if (!value)
		return "nothing";
	switch (json_typeof(value)) {
	case JSON_OBJECT:
		return "an object";
	case JSON_ARRAY:
		return "an array";
	case JSON_STRING:
		return base_quote(json_string_value(value), buf);
	case JSON_INTEGER:
		snprintf(buf, BASE_QUOTE_MAX, "%" JSON_INTEGER_FORMAT,
			 json_integer_value(value));
		return buf;
	case JSON_REAL:
		return "a number with fraction or exponent";
	case JSON_TRUE:
		return "true";
	case JSON_FALSE:
		return "false";
	case JSON_NULL:
		break;
	}
	return "null";
}

static int fail_kind(const struct base_json *v, struct base_err *err, const char *want)
{
	const struct base_json *parent = v->parent;
	char buf[BASE_QUOTE_MAX];

	if (v->value)
		return base_json_fail(v, err, -BASE_E_INVALID, "expected %s, not %s",
				      want, describe(base_json_value(v), buf));
	if (!parent->value)
		return fail_kind(parent, err, v->key ? "an object" : "an array");
	if (v->key && !base_json_is_object(parent))
		return fail_kind(parent, err, "an object");
	if (!v->key && !base_json_is_array(parent))
		return fail_kind(parent, err, "an array");
	if (v->key)
		return base_json_fail(parent, err, -BASE_E_INVALID, "%s is missing",
				      base_quote(v->key, buf));
	return base_json_fail(parent, err, -BASE_E_INVALID,
			      "element %" PRIu32 " is missing", v->index);
}

int base_json_need_object(const struct base_json *v, struct base_err *err)
{
	return base_json_is_object(v) ? 0 : fail_kind(v, err, "an object");
}

int base_json_need_array(const struct base_json *v, struct base_err *err)
{
	return base_json_is_array(v) ? 0 : fail_kind(v, err, "an array");
}

int base_json_string(const struct base_json *v, const char **ret_text,
		     struct base_err *err)
{
	if (!base_json_is_string(v))
		return fail_kind(v, err, "a string");
	*ret_text = json_string_value(base_json_value(v));
	return 0;
}

/* Reads an integer, or the string that stands for one that is above 2^53. */
static bool read_u64(const json_t *value, uint64_t *ret_n)
{
	const char *text = json_string_value(value); /* NULL if it is none */
	uint64_t n;

	if (json_is_integer(value) && json_integer_value(value) >= 0) {
		*ret_n = (uint64_t)json_integer_value(value);
		return true;
	}
	if (!text || base_num_u64(text, strlen(text), &n) < 0 || n <= EXACT_MAX)
		return false;
	*ret_n = n;
	return true;
}

int base_json_u64(const struct base_json *v, uint64_t min, uint64_t max, uint64_t *ret_n,
		  struct base_err *err)
{
	char buf[BASE_QUOTE_MAX];
	uint64_t n;

	if (!v->value || !read_u64(base_json_value(v), &n)) {
		if (!base_json_is_integer(v))
			return fail_kind(v, err, "a whole number");
	} else if (n >= min && n <= max) {
		*ret_n = n;
		return 0;
	}
	if (max == UINT64_MAX)
		return base_json_fail(v, err, -BASE_E_INVALID,
				      "must be at least %" PRIu64 ", not %s", min,
				      describe(base_json_value(v), buf));
	return base_json_fail(v, err, -BASE_E_INVALID,
			      "must be within %" PRIu64 "..%" PRIu64 ", not %s", min, max,
			      describe(base_json_value(v), buf));
}

int base_json_u32(const struct base_json *v, uint32_t min, uint32_t max, uint32_t *ret_n,
		  struct base_err *err)
{
	uint64_t n;
	int r = base_json_u64(v, min, max, &n, err);

	if (r == 0)
		*ret_n = (uint32_t)n;
	return r;
}

int base_json_bool(const struct base_json *v, bool *ret_b, struct base_err *err)
{
	const json_t *value = base_json_value(v);

	if (!json_is_boolean(value))
		return fail_kind(v, err, "true or false");
	*ret_b = json_is_true(value);
	return 0;
}

/* Lists @words as: one of "a", "b"; the one at @first in front. */
static void list_words(const char *const *words, size_t n_words, size_t first, char *buf,
		       size_t size)
{
	size_t at = (size_t)snprintf(buf, size, "one of"), start = at;

	for (size_t i = 0; i <= n_words && at < size; i++) {
		size_t word = i == 0 ? first : i - 1;

		if (word >= n_words || (i > 0 && word == first))
			continue;
		at += (size_t)snprintf(buf + at, size - at, "%s\"%s\"",
				       at > start ? ", " : " ", words[word]);
	}
}

int base_json_word(const struct base_json *v, const char *const *words, size_t n_words,
		   uint32_t *ret_index, struct base_err *err)
{
	const char *text = json_string_value(base_json_value(v)); /* NULL if it is none */
	const char *nearest;
	size_t first = 0;
	char list[300];

	for (size_t i = 0; text && i < n_words; i++)
		if (strcmp(words[i], text) == 0) {
			*ret_index = (uint32_t)i;
			return 0;
		}
	nearest = text ? base_str_nearest(text, words, n_words) : NULL;
	while (first < n_words && words[first] != nearest)
		first++;
	list_words(words, n_words, first, list, sizeof(list));
	return fail_kind(v, err, list);
}

int base_json_only(const struct base_json *object, const char *const *keys, size_t n_keys,
		   struct base_err *err)
{
	struct base_json member;
	char buf[BASE_QUOTE_MAX];
	void *iter = NULL;

	while (base_json_next(object, &iter, &member)) {
		const char *nearest;
		size_t i = 0;

		while (i < n_keys && strcmp(keys[i], member.key) != 0)
			i++;
		if (i < n_keys)
			continue;
		nearest = base_str_nearest(member.key, keys, n_keys);
		if (nearest)
			return fail_at_key(&member, err, -BASE_E_UNKNOWN,
					   "unknown key %s: did you mean \"%s\"?",
					   base_quote(member.key, buf), nearest);
		return fail_at_key(&member, err, -BASE_E_UNKNOWN, "unknown key %s",
				   base_quote(member.key, buf));
	}
	return 0;
}

int base_json_schema(const struct base_json *root, const char *want, struct base_err *err)
{
	struct base_json schema = base_json_get(root, "schema");
	const char *text = json_string_value(base_json_value(&schema));
	char buf[BASE_QUOTE_MAX];

	if (text && strcmp(text, want) == 0)
		return 0;
	if (schema.value)
		return base_json_fail(&schema, err, -BASE_E_SCHEMA,
				      "expected \"%s\", not %s", want,
				      describe(base_json_value(&schema), buf));
	if (!base_json_is_object(root))
		return base_json_fail(
			root, err, -BASE_E_SCHEMA,
			"expected an object with \"schema\": \"%s\", not %s", want,
			describe(base_json_value(root), buf));
	return base_json_fail(root, err, -BASE_E_SCHEMA,
			      "\"schema\" is missing: expected \"%s\"", want);
}
