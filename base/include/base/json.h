/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON documents as input.  Values are read through typed getters that record a full
 * error: file, line and column of the value (found again by walking the text, so that
 * good files pay nothing), its path ("links[3].rate_bps"), what was expected and what is
 * there.  jansson's only home.
 *
 * Limits: nesting 64 deep, no duplicate keys, no U+0000 in strings, integers only where
 * integers are asked for.  A document is read-only once parsed: any number of threads may
 * read.
 */
#pragma once
#include <base/compiler.h>
#include <base/err.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

BASE_BEGIN_DECLS

struct base_json_doc; /* owns text and tree */

/*
 * A place in a document, which must outlive it.  Every getter takes an absent one, too,
 * and then says which member is missing.
 */
struct base_json {
	const struct base_json_doc *doc;
	const void *value; /* NULL: absent */
	/* How this value was reached, for messages: the parents live in the caller's
	 * frames. */
	const struct base_json *parent;
	const char *key;
	uint32_t index;
};

/*
 * Parses @data (copied; need not be terminated).  @file is for messages and copied. Owned
 * by the caller, who frees it with base_json_free().  -BASE_E_SYNTAX with the line and
 * column of the first wrong byte, or -ENOMEM.
 */
int base_json_parse(const char *file, const char *data, size_t len,
		    struct base_json_doc **ret_doc, struct base_err *err) BASE_MUST_CHECK;
/* Reads and parses a file ("-": standard input).  Errors of base_fs_read() besides. */
int base_json_load(const char *name, struct base_json_doc **ret_doc,
		   struct base_err *err) BASE_MUST_CHECK;
void base_json_free(struct base_json_doc *doc); /* NULL is fine */
struct base_json base_json_root(const struct base_json_doc *doc);

/* The document's "schema" must be @want ("fairlead.fabric.v1"): else -BASE_E_SCHEMA,
 * which names both. */
int base_json_schema(const struct base_json *root, const char *want,
		     struct base_err *err) BASE_MUST_CHECK;

bool base_json_is_object(const struct base_json *v) BASE_MUST_CHECK;
bool base_json_is_array(const struct base_json *v) BASE_MUST_CHECK;
bool base_json_is_string(const struct base_json *v) BASE_MUST_CHECK;
bool base_json_is_integer(const struct base_json *v) BASE_MUST_CHECK;
/* Absent, or the literal null. */
bool base_json_is_null(const struct base_json *v) BASE_MUST_CHECK;

/*
 * Members and elements.  The result refers to @v (and @key), which must stay where they
 * are: do not write v = base_json_get(&v, ...).  Absent if there is none, or @v is of
 * another kind.
 */
struct base_json base_json_get(const struct base_json *v, const char *key);
struct base_json base_json_at(const struct base_json *v, size_t index);
/* Elements of an array, members of an object, 0 for others. */
size_t base_json_size(const struct base_json *v);

/*
 * Iterates the members of an object in file order: start with *iter = NULL; false at the
 * end. The key is borrowed from the document.  Others than objects have no members.
 */
bool base_json_next(const struct base_json *object, void **iter,
		    struct base_json *ret_member);

/*
 * Required values.  Each returns 0 or records and returns -BASE_E_INVALID; the place of a
 * missing member is that of the object that should have it.
 */
int base_json_need_object(const struct base_json *v,
			  struct base_err *err) BASE_MUST_CHECK;
int base_json_need_array(const struct base_json *v, struct base_err *err) BASE_MUST_CHECK;
/* Borrowed from the document. */
int base_json_string(const struct base_json *v, const char **ret_text,
		     struct base_err *err) BASE_MUST_CHECK;
/* @min <= value <= @max.  A u64 above 2^53 may stand as a string of digits, as base/out.h
 * writes it. */
int base_json_u64(const struct base_json *v, uint64_t min, uint64_t max, uint64_t *ret_n,
		  struct base_err *err) BASE_MUST_CHECK;
int base_json_u32(const struct base_json *v, uint32_t min, uint32_t max, uint32_t *ret_n,
		  struct base_err *err) BASE_MUST_CHECK;
int base_json_bool(const struct base_json *v, bool *ret_b,
		   struct base_err *err) BASE_MUST_CHECK;
/* The index of the string in @words; the message lists them, nearest first. */
int base_json_word(const struct base_json *v, const char *const *words, size_t n_words,
		   uint32_t *ret_index, struct base_err *err) BASE_MUST_CHECK;

/* Refuses members whose key is not in @keys, naming the nearest right key:
 * -BASE_E_UNKNOWN. */
int base_json_only(const struct base_json *object, const char *const *keys, size_t n_keys,
		   struct base_err *err) BASE_MUST_CHECK;

/* Records place and path of @v and the message; returns @code. */
int base_json_fail(const struct base_json *v, struct base_err *err, int code,
		   const char *fmt, ...) BASE_PRINTF(4, 5);

BASE_END_DECLS
