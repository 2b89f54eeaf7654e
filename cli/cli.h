/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every command of the program shares: the context it runs in, how it ends, and the
 * exit statuses.
 *
 * A command returns an exit status (0 or 1), or a negative error that is recorded in
 * cli->err; main() prints that once and turns it into the status.
 */
#pragma once
#include <base/clock.h>
#include <base/err.h>
#include <base/log.h>
#include <base/opt.h>
#include <base/out.h>
#include <base/str.h>
#include <stdbool.h>

enum cli_status {
	CLI_YES = 0,	     /* done, and the answer is yes */
	CLI_NO = 1,	     /* done, and the answer is no */
	CLI_INPUT = 2,	     /* usage or input */
	CLI_ENVIRONMENT = 3, /* no right, no room, no memory */
	CLI_BUG = 4,	     /* an invariant of ours broke */
};

struct cli {
	const struct base_opt_command *root;
	const struct base_opt *common;
	struct base_clock clock;
	struct base_log log; /* standard error */
	struct base_err err; /* why the command failed */
	bool json;
	bool colours;	/* on standard output */
	bool is_output; /* err is about something that was to be written */
};

/* The exit status for cli->err and the error @r (negative). */
enum cli_status cli_status_of(const struct cli *cli, int r);
/* Prints cli->err: a line on standard error, or with --json a document on standard
 * output. */
void cli_report(struct cli *cli, int r);

/* Records what is wrong with an option or argument.  Returns -BASE_E_USAGE. */
int cli_usage(struct cli *cli, const char *fmt, ...) BASE_PRINTF(2, 3);
/* Records that memory ran out.  Returns -ENOMEM. */
int cli_no_memory(struct cli *cli);
/* Completes an error of a function that records nothing itself: @what it was about. */
int cli_fail(struct cli *cli, int r, const char *what);

/*
 * A document or an aligned text for standard output, built in @into (initialised here).
 * NULL: no memory, recorded.
 */
struct base_out *cli_out_new(struct cli *cli, struct base_str *into) BASE_MUST_CHECK;
/*
 * Ends the walk (which must be whole) and frees both.  @r is what the walk returned: when
 * it is negative nothing is printed and it is returned, else 0 or the error of writing,
 * recorded.
 */
int cli_out_end(struct cli *cli, struct base_out *o, struct base_str *into,
		int r) BASE_MUST_CHECK;
/* Writes @text to the file @name ("-": standard output) and frees it. */
int cli_write(struct cli *cli, const char *name, struct base_str *text) BASE_MUST_CHECK;

/* Is standard output taken by the file option @name of the command ("-o -", or absent)?
 */
bool cli_writes_stdout(const struct base_opt_values *v, const char *name);
