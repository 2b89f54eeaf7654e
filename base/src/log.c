/* SPDX-License-Identifier: Apache-2.0 */
#include "utf8.h"
#include <base/log.h>
#include <base/num.h>
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/*
 * A line is put together on the stack and leaves in one write(2): it can still say that
 * memory ran out, and lines of two programs on one terminal do not mix.
 */
#define MESSAGE_MAX 2048u
#define LINE_MAX_BYTES                                                                   \
	(MESSAGE_MAX * 4 + 256) /* each byte as \xNN, and what is around it */
#define PROGRAM_MAX 64

#define NS_PER_S UINT64_C(1000000000)
#define TERMINAL_DELAY_NS NS_PER_S /* what is done by then needs no progress */
#define TERMINAL_EVERY_NS (NS_PER_S / 10)
#define LINE_EVERY_NS (10 * NS_PER_S)
#define TERMINAL_COLUMNS 79 /* fits the narrowest terminal: a line that wraps stays */

#define ERASE_LINE "\r\033[K"

struct line {
	size_t len;
	char data[LINE_MAX_BYTES];
};

void base_log_init(struct base_log *log, int fd, const char *program,
		   struct base_clock clock)
{
	bool is_terminal = isatty(fd);

	*log = (struct base_log){
		.fd = fd,
		.level = BASE_LOG_INFO,
		.program = program,
		.colours = is_terminal,
		.is_terminal = is_terminal,
		.clock = clock,
	};
}

static void add_len(struct line *line, const char *text, size_t len)
{
	size_t room = sizeof(line->data) - line->len;

	if (len > room)
		len = room;
	memcpy(line->data + line->len, text, len);
	line->len += len;
}

static void add(struct line *line, const char *text)
{
	add_len(line, text, strlen(text));
}

/* Does the character at @text, @n bytes of UTF-8 (0: malformed), steer a terminal? */
static bool is_control(const char *text, size_t n)
{
	const unsigned char *c = (const unsigned char *)text;

	if (n == 1)
		return c[0] < 0x20 || c[0] == 0x7F;
	return n == 0 || (n == 2 && c[0] == 0xC2 && c[1] < 0xA0); /* U+0080..U+009F */
}

static void add_escaped(struct line *line, const char *text, size_t len)
{
	char escaped[5];
	size_t n;

	for (size_t i = 0; i < len; i += n) {
		n = base_utf8_char(text + i, len - i);
		if (!is_control(text + i, n)) {
			add_len(line, text + i, n);
			continue;
		}
		if (n == 0)
			n = 1;
		for (size_t j = i; j < i + n; j++) {
			snprintf(escaped, sizeof(escaped), "\\x%02X",
				 (unsigned)(unsigned char)text[j]);
			add(line, escaped);
		}
	}
}

/* A message that cannot be written has no place to complain: errors are dropped. */
static void write_line(const struct base_log *log, const struct line *line)
{
	struct pollfd p = { .fd = log->fd, .events = POLLOUT };
	size_t done = 0;
	ssize_t n = 1;

	while (done < line->len && n != 0) {
		n = write(log->fd, line->data + done, line->len - done);
		if (n > 0)
			done += (size_t)n;
		else if (n < 0 && errno == EAGAIN)
			n = poll(&p, 1, -1); /* somebody made it non-blocking */
		else if (n < 0 && errno != EINTR)
			n = 0;
	}
}

static void erase_progress(struct base_log *log, struct line *line)
{
	if (log->progress_shown)
		add(line, ERASE_LINE);
	log->progress_shown = false;
}

void base_log(struct base_log *log, enum base_log_level level, const char *fmt, ...)
{
	static const struct {
		const char *word, *colour;
	} levels[] = {
		[BASE_LOG_ERROR] = { "error: ", "\033[1;31m" },
		[BASE_LOG_WARNING] = { "warning: ", "\033[1;33m" },
		[BASE_LOG_INFO] = { "", "" },
		[BASE_LOG_DEBUG] = { "debug: ", "\033[2m" },
	};
	char message[MESSAGE_MAX];
	struct line line = { .len = 0 };
	bool colours = log->colours && levels[level].colour[0];
	va_list ap;
	int n;

	if (level > log->level)
		return;
	va_start(ap, fmt);
	n = vsnprintf(message, sizeof(message), fmt, ap);
	va_end(ap);
	if (n < 0)
		return;

	erase_progress(log, &line);
	add_len(&line, log->program, strnlen(log->program, PROGRAM_MAX));
	add(&line, ": ");
	add(&line, colours ? levels[level].colour : "");
	add(&line, levels[level].word);
	add(&line, colours ? "\033[0m" : "");
	add_escaped(&line, message, strlen(message));
	if ((size_t)n >= sizeof(message))
		add(&line, "...");
	add(&line, "\n");
	write_line(log, &line);
}

void base_log_progress_begin(struct base_log *log)
{
	log->started_ns = log->drawn_ns = base_clock_now_ns(&log->clock);
}

/* "what: 45 % (1,234 of 2,742)", or "what: 1,234" when the end is not known. */
static void describe_progress(char *buf, size_t size, const char *what, uint64_t done,
			      uint64_t total)
{
	char n_done[BASE_NUM_TEXT_MAX], n_total[BASE_NUM_TEXT_MAX];

	base_num_format_count(done, n_done);
	if (total == 0) {
		snprintf(buf, size, "%s: %s", what, n_done);
		return;
	}
	base_num_format_count(total, n_total);
	snprintf(buf, size, "%s: %llu %% (%s of %s)", what,
		 (unsigned long long)(done < total ? base_num_mul_div(done, 100, total)
						   : 100),
		 n_done, n_total);
}

/* In place of the last one; the line is left open, so that the next can replace it. */
static void draw_in_place(struct base_log *log, const char *text)
{
	struct line line = { .len = 0 };
	size_t len = strlen(text), shown = 0, n, columns = 0;

	for (; shown < len && columns < TERMINAL_COLUMNS; columns++) {
		n = base_utf8_char(text + shown, len - shown);
		shown += n > 0 ? n : 1;
	}
	add(&line, ERASE_LINE);
	add_escaped(&line, text, shown);
	write_line(log, &line);
	log->progress_shown = true;
}

void base_log_progress(struct base_log *log, const char *what, uint64_t done,
		       uint64_t total)
{
	uint64_t now_ns = base_clock_now_ns(&log->clock);
	char text[256];

	if (log->level < BASE_LOG_INFO)
		return;
	if (log->is_terminal && now_ns - log->started_ns < TERMINAL_DELAY_NS)
		return;
	if (now_ns - log->drawn_ns <
	    (log->is_terminal ? TERMINAL_EVERY_NS : LINE_EVERY_NS))
		return;
	log->drawn_ns = now_ns;
	describe_progress(text, sizeof(text), what, done, total);
	if (log->is_terminal)
		draw_in_place(log, text);
	else
		base_log(log, BASE_LOG_INFO, "%s", text);
}

void base_log_progress_end(struct base_log *log)
{
	struct line line = { .len = 0 };

	erase_progress(log, &line);
	write_line(log, &line);
}
