/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A reader over line-oriented text that always knows line and column: what the importers
 * of text formats are built on.  Lines end with LF or CRLF; a last line without end
 * counts.  A byte order mark in front is skipped.  A NUL byte, or a line over
 * BASE_TEXT_LINE_MAX bytes, is an error.  Borrows the bytes.
 */
#pragma once
#include <base/compiler.h>
#include <base/err.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

BASE_BEGIN_DECLS

#define BASE_TEXT_LINE_MAX ((size_t)1024 * 1024)

struct base_text {
	const char *file; /* for messages; borrowed */
	const char *data, *end;
	const char *next;	/* start of the line after this one */
	const char *line_start; /* of the current line */
	const char *line_end;	/* one past its last byte, without CR and LF */
	uint32_t line;		/* 1-based; 0 before the first base_text_line() */
};

/* A piece of the current line. */
struct base_word {
	const char *text; /* not terminated */
	size_t len;
	uint32_t line, column; /* 1-based */
};

void base_text_init(struct base_text *t, const char *file, const char *data, size_t len);

/*
 * Goes to the next line.  1: there is one, 0: end.  Errors are recorded in @err and stay:
 * -BASE_E_SYNTAX, a NUL byte; -BASE_E_TOO_LARGE, a line over the ceiling.
 */
int base_text_line(struct base_text *t, struct base_err *err) BASE_MUST_CHECK;

/*
 * Splits the current line at blanks and tabs.  @pos is where to go on, 0 at first.  It
 * returns false when no word is left.
 */
bool base_text_word(const struct base_text *t, size_t *pos, struct base_word *ret_word);
/*
 * Splits the current line at each @separator (',' or '\t'), blanks around a field
 * trimmed.  An empty field is a field: "a,,b" has three, and an empty line has one.  A
 * field may be "quoted", with "" for a quote inside; the quotes are then part of
 * ret_word, and base_word_unquote() takes them off.
 */
bool base_text_field(const struct base_text *t, char separator, size_t *pos,
		     struct base_word *ret_word);
/* Splits the line into up to @max words; returns how many there are, even above @max. */
size_t base_text_words(const struct base_text *t, struct base_word *words, size_t max);

bool base_word_is(const struct base_word *w, const char *text) BASE_MUST_CHECK;
bool base_word_is_nocase(const struct base_word *w, const char *text) BASE_MUST_CHECK;
/* Takes off a pair of double quotes around @w, if any; doubled ones inside stay so. */
void base_word_unquote(struct base_word *w);

/* Records the place of @w (NULL: the current line) and the message; returns @code. */
int base_text_fail(const struct base_text *t, const struct base_word *w,
		   struct base_err *err, int code, const char *fmt, ...)
	BASE_PRINTF(5, 6);

/*
 * Numbers out of a word, with a message that names @what and the word:
 * "link 3: rate must be a number with a unit such as 100Gbps, not \"fast\"".
 * 0, -BASE_E_SYNTAX (no such number) or -BASE_E_INVALID (it does not fit).
 */
int base_text_u32(const struct base_text *t, const struct base_word *w, const char *what,
		  uint32_t *ret_n, struct base_err *err) BASE_MUST_CHECK;
int base_text_u64(const struct base_text *t, const struct base_word *w, const char *what,
		  uint64_t *ret_n, struct base_err *err) BASE_MUST_CHECK;
int base_text_rate(const struct base_text *t, const struct base_word *w, const char *what,
		   uint64_t *ret_bps, struct base_err *err) BASE_MUST_CHECK;
int base_text_time(const struct base_text *t, const struct base_word *w, const char *what,
		   uint64_t *ret_ns, struct base_err *err) BASE_MUST_CHECK;

BASE_END_DECLS
