/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of base/json share.  json_parse.c makes jansson's tree of the text and
 * says where that breaks; json_where.c finds the place of a value of the tree again.
 */
#pragma once
#include <base/arena.h>
#include <base/err.h>
#include <base/json.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define BASE_JSON_DEPTH_MAX 64

struct base_json_doc {
	char *file; /* for messages */
	char *text; /* as read: what places are found in */
	size_t len;
	struct base_arena
		memory; /* of the tree, which is never given back piece by piece */
	json_t *root;
};

/*
 * Reads the text of @doc by RFC 8259 and our limits: nesting, no U+0000, no key twice in
 * one object, integers of 64 bits with sign.  0 with the root set, or -BASE_E_SYNTAX with
 * the place of what is wrong, or -ENOMEM; the memory that was used is freed with @doc in
 * every case.
 */
int base_json_tree(struct base_json_doc *doc, struct base_err *err) BASE_MUST_CHECK;

/*
 * Decodes the byte or escape at *p, inside a string that was found right, and moves on;
 * returns how many bytes of @out it is.
 */
size_t base_json_take_char(const char **p, char out[4]);

/* Records file, line and column of the byte at @offset (@len: the end). */
void base_json_err_at(struct base_err *err, const char *file, const char *text,
		      size_t len, size_t offset);

/*
 * The offset in the text of @v's value, or of its key if @of_key and @v is a member.  For
 * an absent value: of the innermost value on the way to it that is there.
 */
size_t base_json_where(const struct base_json *v, bool of_key) BASE_MUST_CHECK;

static inline const json_t *base_json_value(const struct base_json *v)
{
	return v->value;
}
