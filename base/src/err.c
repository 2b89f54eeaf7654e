/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* strerrordesc_np: static, never translated, safe in threads */
#include <base/err.h>
#include <assert.h>
#include <stdio.h>
#include <string.h>

static const char CUT[] = "...";

/* Own codes only; NULL for others. */
static const char *own_text(int code)
{
	switch (code) {
#define BASE_ERROR_TEXT(name, number, text)                                              \
	case -BASE_E_##name:                                                             \
		return text;
		BASE_ERRORS(BASE_ERROR_TEXT)
#undef BASE_ERROR_TEXT
	}
	return NULL;
}

const char *base_err_text(int code)
{
	const char *text = NULL;

	if (code < 0 && code > -BASE_E_SYNTAX)
		text = strerrordesc_np(-code);
	else if (code < 0)
		text = own_text(code);
	return text ? text : "unknown error";
}

/* Makes the end of a full @buf say that it was cut, never in the middle of a character.
 */
static void mark_cut(char *buf, size_t size)
{
	size_t end;

	if (size < sizeof(CUT))
		return;
	end = size - sizeof(CUT);
	while (end > 0 &&
	       ((unsigned char)buf[end] & 0xC0) == 0x80) /* UTF-8 continuation */
		end--;
	memcpy(buf + end, CUT, sizeof(CUT));
}

int base_err_setv(struct base_err *err, int code, const char *fmt, va_list ap)
{
	/* Not straight into err->message: it may be among the arguments. */
	char message[sizeof(err->message)];
	int n;

	assert(code < 0);
	if (!err)
		return code;
	n = vsnprintf(message, sizeof(message), fmt, ap);
	if (n < 0)
		message[0] = '\0';
	else if ((size_t)n >= sizeof(message))
		mark_cut(message, sizeof(message));
	err->code = code;
	memcpy(err->message, message, sizeof(message));
	return code;
}

int base_err_set(struct base_err *err, int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	base_err_setv(err, code, fmt, ap);
	va_end(ap);
	return code;
}

void base_err_at(struct base_err *err, const char *file, uint32_t line, uint32_t column)
{
	if (!err)
		return;
	if (file && file != err->file) {
		size_t len = strlen(file), room = sizeof(err->file);

		memcpy(err->file, file, len < room ? len + 1 : room);
		if (len >= room)
			mark_cut(err->file, room);
	}
	err->line = line;
	err->column = column;
}

void base_err_clear(struct base_err *err)
{
	err->code = 0;
	err->line = err->column = 0;
	err->file[0] = err->message[0] = '\0';
}

const char *base_err_format(const struct base_err *err, char *buf, size_t size)
{
	const char *message = err->message[0] ? err->message : base_err_text(err->code);
	char place[sizeof(err->file) + 32];
	int n = 0;

	if (err->file[0])
		n += snprintf(place, sizeof(place), "%s:", err->file);
	if (err->line > 0)
		n += snprintf(place + n, sizeof(place) - (size_t)n, "%u:", err->line);
	if (err->line > 0 && err->column > 0)
		n += snprintf(place + n, sizeof(place) - (size_t)n, "%u:", err->column);
	n = snprintf(buf, size, "%.*s%s%s", n, place, n > 0 ? " " : "", message);
	if (n >= 0 && (size_t)n >= size && size > 0)
		mark_cut(buf, size);
	return buf;
}
