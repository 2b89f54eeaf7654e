/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Errors.  A function returns 0 (or a count) or a negative number: a negated errno of the
 * system, or one of our own from -1000 down.  Where a person must mend something, it also
 * fills a struct base_err with the place and one sentence: what was wrong, what was
 * expected.  Library code never prints; the program prints base_err_format() once.
 */
#pragma once
#include <base/compiler.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

BASE_BEGIN_DECLS

/* name, number, text */
#define BASE_ERRORS(X)                                                                   \
	X(SYNTAX, 1000, "malformed input")                                               \
	X(SCHEMA, 1001, "document of another kind or version")                           \
	X(INVALID, 1002, "value not allowed")                                            \
	X(DUPLICATE, 1003, "defined twice")                                              \
	X(UNKNOWN, 1004, "unknown name")                                                 \
	X(TOO_LARGE, 1005, "larger than the stated ceiling")                             \
	X(INFEASIBLE, 1006, "no solution exists")                                        \
	X(USAGE, 1007, "wrong use of the command line")                                  \
	X(INTERNAL, 1008, "an invariant of this program broke")

enum base_error {
#define BASE_ERROR_ENUM(name, number, text) BASE_E_##name = (number),
	BASE_ERRORS(BASE_ERROR_ENUM)
#undef BASE_ERROR_ENUM
};

/* Sizes hold the usual case; a longer text is cut at the end with "...". */
struct base_err {
	int code;	 /* negative, as returned; 0: nothing was recorded */
	uint32_t line;	 /* 1-based; 0: no line applies */
	uint32_t column; /* 1-based, in bytes; 0: no column applies */
	char file[256];	 /* as the user named it; "" when there is none */
	char message[512];
};

/* Static text for a code of either range, "unknown error" for others.  Never NULL. */
const char *base_err_text(int code);

/*
 * Records @code (negative) and the message in @err (NULL: nothing) and returns @code, so
 * that a caller can write: return base_err_set(err, -BASE_E_INVALID, "no rate").  Keeps
 * file, line and column as they are: set them with base_err_at() before or after.  The
 * old message may be an argument of the new one.
 */
int base_err_set(struct base_err *err, int code, const char *fmt, ...) BASE_PRINTF(3, 4);
int base_err_setv(struct base_err *err, int code, const char *fmt, va_list ap)
	BASE_PRINTF(3, 0);

/* Records the place.  @file may be NULL (unchanged).  @err may be NULL. */
void base_err_at(struct base_err *err, const char *file, uint32_t line, uint32_t column);

void base_err_clear(struct base_err *err);

/*
 * Writes "file:line:column: message" (parts that are absent are left out) into @buf,
 * always terminated, cut if needed.  Returns @buf.
 */
const char *base_err_format(const struct base_err *err, char *buf, size_t size);

BASE_END_DECLS
