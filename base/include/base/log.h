/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages for people, to a stream that the program chose (stderr).  Only cli/ and
 * daemons log; library code returns errors.  Not locked: one thread.  Allocates nothing.
 */
#pragma once
#include <base/compiler.h>
#include <base/clock.h>
#include <stdbool.h>
#include <stdint.h>

BASE_BEGIN_DECLS

enum base_log_level { BASE_LOG_ERROR, BASE_LOG_WARNING, BASE_LOG_INFO, BASE_LOG_DEBUG };

struct base_log {
	int fd;
	enum base_log_level level; /* messages above it are dropped */
	const char *program;	   /* prefix; borrowed */
	bool colours;		   /* at first: where @fd is a terminal */
	bool is_terminal;	   /* progress is drawn in place */
	struct base_clock clock;
	uint64_t started_ns, drawn_ns;
	bool progress_shown;
};

/* The level is BASE_LOG_INFO at first; the program sets it and the colours afterwards. */
void base_log_init(struct base_log *log, int fd, const char *program,
		   struct base_clock clock);
/*
 * One line: "program: error: ..." (no such word at BASE_LOG_INFO).  Control characters
 * and malformed UTF-8 in the message are shown as \xNN; over 2,047 bytes it is cut.
 */
void base_log(struct base_log *log, enum base_log_level level, const char *fmt, ...)
	BASE_PRINTF(3, 4);

/*
 * Progress of something that may take long: shown in place on a terminal, at most ten
 * times a second and only once it has taken over a second; elsewhere a line every ten
 * seconds.  @total 0: unknown.  Nothing is shown below BASE_LOG_INFO.
 */
void base_log_progress_begin(struct base_log *log);
void base_log_progress(struct base_log *log, const char *what, uint64_t done,
		       uint64_t total);
void base_log_progress_end(struct base_log *log);

BASE_END_DECLS
