/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON documents as input.  Values are read through typed getters that record a full error: file, line and
 * column of the value (found again by walking the text, so that good files pay nothing), its path
 * ("links[3].rate_bps"), what was expected and what is there.  jansson's only home.
 *
 * Limits: nesting 64 deep, no duplicate keys, integers only where integers are asked for.
 */
#pragma once
#include <base/compiler.h>
#include <base/err.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

BASE_BEGIN_DECLS

struct base_json_doc; /* owns text and tree */

/* A place in a document: cheap to copy, valid as long as its document. */
struct base_json {
	const struct base_json_doc *doc;
	const void *value; /* NULL: absent */
	/* How this value was reached, for messages: parent chain lives in the caller's frames. */
	const struct base_json *parent;
	const char *key;
	uint32_t index;
};

/*
 * Parses @data (copied; need not be terminated).  @file is for messages and copied.  Owned by the caller, who frees it with
 * base_json_free().  -BASE_E_SYNTAX with line and column, or -ENOMEM.
 */
int base_json_parse(const char *file, const char *data, size_t len,
		    struct base_json_doc **ret_doc, struct base_err *err) BASE_MUST_CHECK;
/* Reads and parses a file ("-": standard input). */
int base_json_load(const char *name, struct base_json_doc **ret_doc, struct base_err *err)
	BASE_MUST_CHECK;
void base_json_free(struct base_json_doc *doc); /* NULL is fine */
struct base_json base_json_root(const struct base_json_doc *doc);

/* The document's "schema" must be @want ("fairlead.fabric.v1"): else -BASE_E_SCHEMA, which names both. */
int base_json_schema(const struct base_json *root, const char *want, struct base_err *err)
	BASE_MUST_CHECK;

bool base_json_is_object(const struct base_json *v) BASE_MUST_CHECK;
bool base_json_is_array(const struct base_json *v) BASE_MUST_CHECK;
bool base_json_is_string(const struct base_json *v) BASE_MUST_CHECK;
bool base_json_is_integer(const struct base_json *v) BASE_MUST_CHECK;
/* Absent, or the literal null. */
bool base_json_is_null(const struct base_json *v) BASE_MUST_CHECK;

/* Members and elements.  The result refers to @v, which must stay where it is. */
struct base_json base_json_get(const struct base_json *v, const char *key); /* value NULL: absent */
size_t base_json_size(const struct base_json *v); /* elements of an array, members of an object */
struct base_json base_json_at(const struct base_json *v, size_t index);

/*
 * Iterates the members of an object in file order: start with *iter = NULL; false at the end.
 */
bool base_json_next(const struct base_json *object, void **iter, struct base_json *ret_member);

/* Required values.  Each returns 0 or records and returns -BASE_E_INVALID. */
int base_json_need_object(const struct base_json *v, struct base_err *err) BASE_MUST_CHECK;
int base_json_need_array(const struct base_json *v, struct base_err *err) BASE_MUST_CHECK;
/* Borrowed from the document. */
int base_json_string(const struct base_json *v, const char **ret_text, struct base_err *err)
	BASE_MUST_CHECK;
/* @min <= value <= @max */
int base_json_u64(const struct base_json *v, uint64_t min, uint64_t max, uint64_t *ret_n,
		  struct base_err *err) BASE_MUST_CHECK;
int base_json_u32(const struct base_json *v, uint32_t min, uint32_t max, uint32_t *ret_n,
		  struct base_err *err) BASE_MUST_CHECK;
int base_json_bool(const struct base_json *v, bool *ret_b, struct base_err *err) BASE_MUST_CHECK;
/* The index of the string in @words; the message lists them, nearest first. */
int base_json_word(const struct base_json *v, const char *const *words, size_t n_words,
		   uint32_t *ret_index, struct base_err *err) BASE_MUST_CHECK;

/* Refuses members whose key is not in @keys, naming the nearest right key. */
int base_json_only(const struct base_json *object, const char *const *keys, size_t n_keys,
		   struct base_err *err) BASE_MUST_CHECK;

/* Records place and path of @v and the message; returns @code. */
int base_json_fail(const struct base_json *v, struct base_err *err, int code, const char *fmt, ...)
	BASE_PRINTF(4, 5);

BASE_END_DECLS
