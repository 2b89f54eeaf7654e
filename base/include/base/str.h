/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A growing text with a ceiling and a sticky error, and small questions about texts.
 */
#pragma once
#include <base/compiler.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

BASE_BEGIN_DECLS

/*
 * Always terminated once anything was written.  The call that fails (-ENOMEM, or
 * -BASE_E_TOO_LARGE over the ceiling) and all that follow add nothing: write a whole
 * text, then look at base_str_error() once.
 */
struct base_str {
	char *data; /* NULL until the first byte; base_str_text() never is */
	size_t len, cap, max;
	int error;
};

/* @max_bytes: ceiling on len; 0 means none but the machine's. */
void base_str_init(struct base_str *s, size_t max_bytes);
void base_str_fini(struct base_str *s);
void base_str_clear(struct base_str *s); /* keeps the memory, forgets the error */

void base_str_add(struct base_str *s, const char *text);
void base_str_add_len(struct base_str *s, const char *text, size_t len);
void base_str_add_char(struct base_str *s, char c);
/* Decimal; much faster than printf. */
void base_str_add_u64(struct base_str *s, uint64_t n);
void base_str_addf(struct base_str *s, const char *fmt, ...) BASE_PRINTF(2, 3);
void base_str_addv(struct base_str *s, const char *fmt, va_list ap) BASE_PRINTF(2, 0);

/* Borrowed until the next call that writes.  "" when empty. */
const char *base_str_text(const struct base_str *s);
int base_str_error(const struct base_str *s);
/* Passes the text to the caller, who frees it; @s is empty after.  NULL: an error. */
char *base_str_steal(struct base_str *s) BASE_MUST_CHECK;

bool base_str_has_prefix(const char *text, const char *prefix) BASE_MUST_CHECK;
bool base_str_has_suffix(const char *text, const char *suffix) BASE_MUST_CHECK;
/* Well-formed UTF-8 (RFC 3629)?  True when @len is 0. */
bool base_str_is_utf8(const char *text, size_t len) BASE_MUST_CHECK;
/*
 * Orders "leaf2" before "leaf10": runs of digits by value, the rest by byte.  <0, 0, >0;
 * 0 only for equal texts ("leaf02" stands before "leaf2").
 */
int base_str_natural_compare(const char *a, const char *b);

/*
 * The candidate that @word is most likely meant to be: the first that goes on with '_'
 * and a unit, else the nearest by edit distance (insert, delete, replace, swap; ties go
 * to the first), or NULL when none is near enough.
 */
const char *base_str_nearest(const char *word, const char *const *candidates, size_t n);
/* The same of the first @len bytes at @word. */
const char *base_str_nearest_len(const char *word, size_t len,
				 const char *const *candidates, size_t n);

BASE_END_DECLS
