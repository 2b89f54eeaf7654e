/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program: reads the command line, sets up the context, runs one command, and turns
 * how it ended into an exit status.
 */
#include "commands.h"
#include <base/fs.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define COLUMNS_FALLBACK 80
#define COLUMNS_MAX 100 /* wider lines are hard to read */

static void on_signal(int number)
{
	base_fs_cleanup_from_signal();
	_exit(128 + number);
}

/* A signal that whoever started us has us ignore (nohup, a background job) stays so. */
static void set_signals(void)
{
	static const int ending[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction ends = { .sa_handler = on_signal }, before;
	struct sigaction ignored = { .sa_handler = SIG_IGN };

	sigfillset(&ends.sa_mask);
	for (size_t i = 0; i < BASE_COUNT(ending); i++)
		if (sigaction(ending[i], NULL, &before) == 0 &&
		    before.sa_handler != SIG_IGN)
			sigaction(ending[i], &ends, NULL);
	sigaction(SIGPIPE, &ignored, NULL);
	sigaction(SIGXFSZ, &ignored, NULL);
}

/*
 * A standard stream that was closed would lend its number to the first file we open.  It
 * becomes one that fails when it is used.
 */
static void open_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
			abort(); /* no /dev/null: nothing can be promised */
}

/* Is the option there?  For what must be known even when the command line is wrong. */
static bool has_word(int argc, char *const *argv, const char *name, const char *letter)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], name) == 0 ||
		    (letter && strcmp(argv[i], letter) == 0))
			return true;
	return false;
}

static bool wants_colours(const struct base_opt_values *v, int fd)
{
	enum { AUTO, ALWAYS, NEVER };
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	switch (base_opt_number(v, "color")) {
	case ALWAYS:
		return true;
	case AUTO:
		return isatty(fd) && !(no_color && no_color[0]) &&
		       !(term && strcmp(term, "dumb") == 0);
	default:
		return false;
	}
}

static void apply_common(struct cli *cli, const struct base_opt_values *v)
{
	cli->colours = wants_colours(v, STDOUT_FILENO);
	cli->log.colours = wants_colours(v, STDERR_FILENO);
	if (base_opt_flag(v, "quiet"))
		cli->log.level = BASE_LOG_ERROR;
	else if (base_opt_flag(v, "verbose"))
		cli->log.level = BASE_LOG_DEBUG;
}

static unsigned terminal_columns(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col == 0)
		return COLUMNS_FALLBACK;
	return size.ws_col < COLUMNS_MAX ? size.ws_col : COLUMNS_MAX;
}

static int print_help(struct cli *cli, const struct base_opt_result *result)
{
	struct base_str text;

	base_str_init(&text, 0);
	base_opt_help(result, cli->common, terminal_columns(), &text);
	return cli_write(cli, "-", &text);
}

static int print_version(struct cli *cli)
{
	struct base_str text;

	base_str_init(&text, 0);
	base_str_add(&text, "fairlead " FAIRLEAD_VERSION "\n");
	return cli_write(cli, "-", &text);
}

static int dump_commands(struct cli *cli)
{
	struct base_str text;

	base_str_init(&text, 0);
	base_opt_dump_json(cli->root, cli->common, &text);
	return cli_write(cli, "-", &text);
}

static int run(struct cli *cli, int argc, char *const *argv)
{
	struct base_opt_result result;
	int r;

	if (has_word(argc, argv, "--version", "-V"))
		return print_version(cli);
	if (has_word(argc, argv, "--dump-commands", NULL))
		return dump_commands(cli);
	r = base_opt_parse(cli->root, cli->common, argc, argv, &result, &cli->err);
	if (r < 0)
		return r;
	apply_common(cli, result.values);
	if (result.wants_help)
		r = print_help(cli, &result);
	else
		r = result.command->run(result.values, cli);
	base_opt_result_fini(&result);
	return r;
}

/*
 * Memory that one step frees serves the next: giving it back to the kernel in between
 * costs a page fault for each page that is asked for again, up to half the time of a
 * replan on a large fabric.
 */
static void keep_memory(void)
{
	mallopt(M_MMAP_THRESHOLD, 1 << 30);
	mallopt(M_TRIM_THRESHOLD, INT_MAX);
}

int main(int argc, char **argv)
{
	struct cli cli = {
		.root = &cli_root,
		.common = cli_common_options,
		.clock = base_clock_system(),
		.json = has_word(argc, argv, "--json", NULL),
	};
	int r;

	keep_memory();
	open_standard_streams();
	set_signals();
	base_log_init(&cli.log, STDERR_FILENO, "fairlead", cli.clock);
	base_err_clear(&cli.err);
	r = run(&cli, argc, argv);
	if (r >= 0)
		return r;
	cli_report(&cli, r);
	return (int)cli_status_of(&cli, r);
}
