/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of base/json share.  A document is read twice: json_scan.c checks the
 * grammar and says exactly where it breaks, then jansson builds the tree, of which
 * json_where.c finds a value's place again.
 */
#pragma once
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
	json_t *root;
};

/*
 * Checks @text against RFC 8259 and our limits (nesting, no U+0000).  0, or
 * -BASE_E_SYNTAX with the place of the first byte that is wrong.  Duplicate keys and the
 * range of numbers are left to jansson.
 */
int base_json_scan(const char *file, const char *text, size_t len,
		   struct base_err *err) BASE_MUST_CHECK;

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
