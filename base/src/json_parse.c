/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jansson parses.  Around it stand our limits, its error found again in the text, and its
 * messages in our words.
 */
#include "json_private.h"
#include "quote.h"
#include <base/arena.h>
#include <base/err.h>
#include <assert.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <threads.h>

struct text {
	const char *file, *bytes;
	size_t len;
	struct base_err *err;
	/* Where the last look from the start came to: the string it is in or was in last,
	 * and the brackets that are open. */
	size_t string_at;
	bool in_string;
	unsigned depth;
	size_t open_at[BASE_JSON_DEPTH_MAX];
};

/* Room for what describe_found() writes. */
#define FOUND_MAX 48

/*
 * jansson does not survive that memory runs out inside a token: the byte is lost, and if
 * it was the closing quote, it reads and writes on behind its buffer.  So no allocation
 * that fails returns to it.  The parse is left with longjmp(), and the arena that all of
 * it came from goes with the document, tree and all.  jansson's allocator has no context:
 * what runs in this thread is found here.  Nothing else in a process may use jansson.
 */
struct parse {
	struct base_arena *memory;
	jmp_buf out_of_memory;
};

static thread_local struct parse *running;

static void *allocate(size_t size)
{
	void *block;

	assert(running);
	block = base_arena_alloc(running->memory, size, 1);
	if (!block)
		longjmp(running->out_of_memory, 1);
	return block;
}

static void release(void *block)
{
	(void)block; /* the arena frees it */
}

static void set_allocator(void)
{
	json_set_alloc_funcs(allocate, release);
}

/* False: no memory.  *ret_root is NULL if the text is wrong; @error says how. */
static bool load(const char *text, size_t len, struct base_arena *memory,
		 json_t **ret_root, json_error_t *error)
{
	static once_flag once = ONCE_FLAG_INIT;
	struct parse parse = { .memory = memory };

	call_once(&once, set_allocator);
	running = &parse;
	if (setjmp(parse.out_of_memory) != 0) {
		running = NULL;
		return false;
	}
	*ret_root =
		json_loadb(text, len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, error);
	running = NULL;
	return true;
}

static int fail(const struct text *t, size_t offset, const char *fmt, ...)
	BASE_PRINTF(3, 4);

static int fail(const struct text *t, size_t offset, const char *fmt, ...)
{
	va_list ap;

	base_json_err_at(t->err, t->file, t->bytes, t->len, offset);
	va_start(ap, fmt);
	base_err_setv(t->err, -BASE_E_SYNTAX, fmt, ap);
	va_end(ap);
	return -BASE_E_SYNTAX;
}

/*
 * Looks over the first @end bytes for what jansson does not refuse: deep nesting, and a
 * zero byte, which it skips behind a number.  Does not ask which bracket closes which.
 */
static int look(struct text *t, size_t end)
{
	t->depth = 0;
	t->in_string = false;
	for (size_t i = 0; i < end; i++) {
		char c = t->bytes[i];

		if (c == '\0')
			return fail(t, i, "byte 0x00 is not allowed in a JSON document");
		if (c == '"') {
			if (!t->in_string)
				t->string_at = i;
			t->in_string = !t->in_string;
		} else if (t->in_string) {
			if (c == '\\' && i + 1 < end && t->bytes[i + 1] != '\0')
				i++;
		} else if (c == '{' || c == '[') {
			if (t->depth == BASE_JSON_DEPTH_MAX)
				return fail(t, i, "nested more than %d deep",
					    BASE_JSON_DEPTH_MAX);
			t->open_at[t->depth++] = i;
		} else if ((c == '}' || c == ']') && t->depth > 0) {
			t->depth--;
		}
	}
	return 0;
}

static bool is_word_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '+' || c == '-';
}

static bool starts_number(const struct text *t, size_t at)
{
	return at < t->len &&
	       ((t->bytes[at] >= '0' && t->bytes[at] <= '9') || t->bytes[at] == '-');
}

/* Says what stands at @at, for "found ...". */
static const char *describe_found(const struct text *t, size_t at, char buf[FOUND_MAX])
{
	size_t n = 0;
	unsigned char c;

	if (at >= t->len)
		return "the end of the file";
	while (at + n < t->len && is_word_byte(t->bytes[at + n]))
		n++;
	c = (unsigned char)t->bytes[at];
	if (n > 0)
		snprintf(buf, FOUND_MAX, n > 24 ? "\"%.*s...\"" : "\"%.*s\"",
			 (int)(n > 24 ? 24 : n), t->bytes + at);
	else if (c == '"')
		snprintf(buf, FOUND_MAX, "a string");
	else if (c > 0x20 && c < 0x7F)
		snprintf(buf, FOUND_MAX, "\"%c\"", c);
	else
		snprintf(buf, FOUND_MAX, "byte 0x%02X", c);
	return buf;
}

static int fail_expected(const struct text *t, size_t at, const char *what)
{
	char found[FOUND_MAX];
	struct base_err open = { 0 };

	if (at < t->len || t->depth == 0)
		return fail(t, at, "expected %s, found %s", what,
			    describe_found(t, at, found));
	at = t->open_at[t->depth - 1];
	base_json_err_at(&open, t->file, t->bytes, t->len, at);
	return fail(t, t->len,
		    "expected %s, found the end of the file; the %c of line %u is open",
		    what, t->bytes[at], (unsigned)open.line);
}

static int fail_value(const struct text *t, size_t at)
{
	if (at < t->len && t->bytes[at] == '\'')
		return fail(t, at, "a string is written in \"double quotes\"");
	if (at == 0 && t->len >= 3 && memcmp(t->bytes, "\xEF\xBB\xBF", 3) == 0)
		return fail(t, at,
			    "a byte order mark is not allowed: save as plain UTF-8");
	return fail_expected(t, at,
			     starts_number(t, at) ? "a number such as 12, -3 or 1.5e9"
						  : "a value");
}

/* The key that begins at string_at stands in its object already. */
static int fail_duplicate(const struct text *t)
{
	const char *p = t->bytes + t->string_at + 1;
	char key[BASE_QUOTE_MAX + 4], quoted[BASE_QUOTE_MAX];
	size_t n = 0;

	while (*p != '"' && n < BASE_QUOTE_MAX) /* more would not be shown */
		n += base_json_take_char(&p, key + n);
	key[n] = '\0';
	return fail(t, t->string_at, "key %s stands twice in one object",
		    base_quote(key, quoted));
}

/*
 * The first byte of the token that ends before @end.  jansson quotes a short token at the
 * end of its message, but does not say where it begins.
 */
static size_t token_start(const struct text *t, const char *message, size_t end)
{
	static const char before[] = " near '";
	const char *near = strstr(message, before);
	size_t at = end;

	if (strstr(message, " near end of file") && end == t->len)
		return end;
	if (at > 0 && t->bytes[at - 1] == '"')
		return t->string_at;
	if (near && strlen(near) > sizeof(before)) /* and the closing quote */
		return end - (strlen(near) - sizeof(before));
	while (at > 0 && is_word_byte(t->bytes[at - 1]))
		at--;
	return at;
}

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* A mistake in the string that begins at string_at; jansson stopped before @end. */
static int fail_string(const struct text *t, const char *message, size_t end)
{
	unsigned char c = end < t->len ? (unsigned char)t->bytes[end] : '\0';
	size_t at = end - 1;

	if (begins(message, "invalid Unicode")) /* said at the end of the string */
		return fail(t, t->string_at,
			    "a \\u escape in this string is half a surrogate pair");
	if (end == t->len && t->in_string)
		return fail(t, t->string_at,
			    "the string does not end before the end of the file");
	if (begins(message, "unexpected newline"))
		return fail(t, t->string_at, "the string does not end on its line");
	if (begins(message, "control character"))
		return fail(t, end, "byte 0x%02X must be written as \\u%04X", c, c);
	while (t->bytes[at - 1] != '\\') /* invalid escape */
		at--;
	return fail(
		t, at - 1,
		"expected one of \" \\ / b f n r t, or u and four hexadecimal digits, "
		"after the backslash");
}

static int fail_syntax(const struct text *t, const char *message, size_t end)
{
	static const struct {
		const char *message, *want; /* jansson's beginning, our words */
	} wants[] = {
		{ "string or '}' expected", "a \"key\"" },
		{ "':' expected", ": after the key" },
		{ "'}' expected", ", or } after a value" },
		{ "']' expected", ", or ] after a value" },
		{ "end of file expected", "the end of the file after the document" },
	};
	static const char *const values[] = { "invalid token", "unexpected token" };
	static const char *const strings[] = { "premature end of input",
					       "unexpected newline", "control character",
					       "invalid escape", "invalid Unicode" };

	for (size_t i = 0; i < BASE_COUNT(wants); i++)
		if (begins(message, wants[i].message))
			return fail_expected(t, token_start(t, message, end),
					     wants[i].want);
	for (size_t i = 0; i < BASE_COUNT(values); i++)
		if (begins(message, values[i]))
			return fail_value(t, token_start(t, message, end));
	for (size_t i = 0; i < BASE_COUNT(strings); i++)
		if (begins(message, strings[i]))
			return fail_string(t, message, end);
	return fail(t, end, "malformed JSON: %s", message);
}

/* Says in our words what jansson found, at the byte that is wrong. */
static int fail_as(struct text *t, const json_error_t *error)
{
	size_t end = error->position > 0 ? (size_t)error->position : 0;

	if (end > t->len)
		end = t->len;
	if (look(t, end) < 0)
		return -BASE_E_SYNTAX; /* not reached: the whole was looked over */
	switch (json_error_code(error)) {
	case json_error_invalid_utf8:
		return fail(t, end, "byte 0x%02X is not valid UTF-8",
			    (unsigned char)t->bytes[end]);
	case json_error_null_character:
	case json_error_null_byte_in_key:
		return fail(t, t->string_at, "\\u0000 is not allowed in a string");
	case json_error_duplicate_key:
		return fail_duplicate(t);
	case json_error_numeric_overflow:
		return fail(t, token_start(t, error->text, end),
			    begins(error->text, "real")
				    ? "number out of range"
				    : "integer out of range: write those above 2^53 as "
				      "strings");
	default:
		return fail_syntax(t, error->text, end);
	}
}

static int fail_memory(const struct text *t)
{
	base_err_at(t->err, t->file, 0, 0);
	return base_err_set(t->err, -ENOMEM, "no memory for a document of %zu bytes",
			    t->len);
}

int base_json_tree(struct base_json_doc *doc, struct base_err *err)
{
	struct text t = {
		.file = doc->file, .bytes = doc->text, .len = doc->len, .err = err
	};
	json_error_t error;
	json_t *root;
	int r = look(&t, t.len);

	if (r < 0)
		return r;
	if (!load(t.bytes, t.len, &doc->memory, &root, &error))
		return fail_memory(&t);
	if (!root)
		return fail_as(&t, &error);
	doc->root = root;
	return 0;
}
