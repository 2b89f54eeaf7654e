/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a command's result, and its failure, reach the user.
 */
#include "cli.h"
#include <base/fs.h>
#include <errno.h>
#include <string.h>

static enum cli_status status_of_own(int code)
{
	switch ((enum base_error)code) {
	case BASE_E_SYNTAX:
	case BASE_E_SCHEMA:
	case BASE_E_INVALID:
	case BASE_E_DUPLICATE:
	case BASE_E_UNKNOWN:
	case BASE_E_TOO_LARGE:
	case BASE_E_USAGE:
		return CLI_INPUT;
	case BASE_E_INFEASIBLE:
		return CLI_NO;
	case BASE_E_INTERNAL:
		break;
	}
	return CLI_BUG;
}

enum cli_status cli_status_of(const struct cli *cli, int r)
{
	if (r <= -BASE_E_SYNTAX)
		return status_of_own(-r);
	/* A name that leads to no file is a slip of the pen, but only where it is read.
	 */
	if (!cli->is_output &&
	    (r == -ENOENT || r == -ENOTDIR || r == -EISDIR || r == -ENAMETOOLONG))
		return CLI_INPUT;
	return CLI_ENVIRONMENT;
}

/* "USAGE", "TOO_LARGE", ...: in lower case, these are the stable words for scripts. */
static const char *code_word(int r)
{
	switch (-r) {
#define CODE_WORD(name, number, text)                                                    \
	case BASE_E_##name:                                                              \
		return #name;
		BASE_ERRORS(CODE_WORD)
#undef CODE_WORD
	default:
		return "SYSTEM";
	}
}

static void to_lower(const char *word, char buf[32])
{
	size_t i = 0;

	for (; word[i] && i < 31; i++)
		buf[i] = (char)(word[i] >= 'A' && word[i] <= 'Z' ? word[i] | 0x20
								 : word[i]);
	buf[i] = '\0';
}

/* A line or column; 0: none applies. */
static void report_place(struct base_out *o, const char *key, uint32_t number)
{
	if (number > 0)
		base_out_number(o, key, NULL, number, BASE_OUT_ID);
	else
		base_out_null(o, key, NULL);
}

static void report_json(struct cli *cli, int r)
{
	struct base_err nowhere;
	struct base_str text;
	struct base_out *o;
	char code[32], line[sizeof(nowhere.message) + sizeof(nowhere.file) + 32];

	base_str_init(&text, 0);
	o = base_out_new(BASE_OUT_JSON_PRETTY, false, &text);
	if (!o)
		return;
	to_lower(code_word(r), code);
	base_out_object_begin(o, NULL, NULL);
	base_out_string(o, "schema", NULL, "fairlead.error.v1");
	base_out_object_begin(o, "error", NULL);
	base_out_string(o, "code", NULL, code);
	if (cli->err.file[0])
		base_out_string(o, "file", NULL, cli->err.file);
	else
		base_out_null(o, "file", NULL);
	report_place(o, "line", cli->err.line);
	report_place(o, "column", cli->err.column);
	base_out_string(o, "message", NULL, cli->err.message);
	base_out_object_end(o);
	base_out_object_end(o);
	base_err_clear(&nowhere); /* if this cannot be written, there is no second way */
	if (base_out_finish(o) == 0 &&
	    base_fs_write("-", base_str_text(&text), text.len, &nowhere) < 0)
		base_log(&cli->log, BASE_LOG_INFO, "%s",
			 base_err_format(&nowhere, line, sizeof(line)));
	base_str_fini(&text);
}

void cli_report(struct cli *cli, int r)
{
	char text[sizeof(cli->err.message) + sizeof(cli->err.file) + 32];

	if (r == -EPIPE && cli->is_output)
		return; /* whoever read has seen enough */
	if (cli->err.message[0] == '\0')
		base_err_set(&cli->err, r, "%s", base_err_text(r));
	if (cli->log.level < BASE_LOG_INFO)
		cli->log.level = BASE_LOG_INFO; /* --quiet is not silent about this */
	if (cli->json)
		report_json(cli, r);
	else
		base_log(&cli->log, BASE_LOG_INFO, "%s",
			 base_err_format(&cli->err, text, sizeof(text)));
	if (cli_status_of(cli, r) == CLI_BUG)
		base_log(&cli->log, BASE_LOG_INFO,
			 "this is a fault of the program: please report it with the "
			 "input");
}

int cli_usage(struct cli *cli, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	base_err_setv(&cli->err, -BASE_E_USAGE, fmt, ap);
	va_end(ap);
	return -BASE_E_USAGE;
}

int cli_no_memory(struct cli *cli)
{
	base_err_clear(&cli->err);
	return base_err_set(&cli->err, -ENOMEM, "out of memory");
}

int cli_fail(struct cli *cli, int r, const char *what)
{
	if (r == -ENOMEM)
		return cli_no_memory(cli);
	if (cli->err.message[0] == '\0')
		base_err_set(&cli->err, r, "%s: %s", what, base_err_text(r));
	return r;
}

struct base_out *cli_out_new(struct cli *cli, struct base_str *into)
{
	struct base_out *o;

	base_str_init(into, 0);
	o = base_out_new(cli->json ? BASE_OUT_JSON_PRETTY : BASE_OUT_TEXT, cli->colours,
			 into);
	if (!o)
		cli_no_memory(cli);
	return o;
}

int cli_out_end(struct cli *cli, struct base_out *o, struct base_str *into, int r)
{
	int finished = base_out_finish(o);

	if (r >= 0 && finished < 0)
		r = cli_fail(cli, finished, "output");
	if (r >= 0)
		return cli_write(cli, "-", into);
	base_str_fini(into);
	return r;
}

int cli_write(struct cli *cli, const char *name, struct base_str *text)
{
	int r = base_str_error(text);

	if (r < 0) {
		cli_fail(cli, r, "output");
	} else {
		r = base_fs_write(name, base_str_text(text), text->len, &cli->err);
		cli->is_output = r < 0;
	}
	base_str_fini(text);
	return r;
}

bool cli_writes_stdout(const struct base_opt_values *v, const char *name)
{
	const char *file = base_opt_string(v, name);

	return file && strcmp(file, "-") == 0;
}
