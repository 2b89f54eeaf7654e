/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* memfd_create */
#include <unit/rows.h>
#include <base/log.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MS UINT64_C(1000000)

struct sink {
	int fd;
	uint64_t now_ns;
	struct base_log log;
	char text[20000];
};

static uint64_t fake_now(void *context)
{
	return *(uint64_t *)context;
}

static void open_sink(struct sink *s, bool is_terminal)
{
	*s = (struct sink){ .fd = memfd_create("log", MFD_CLOEXEC), .now_ns = 5000 * MS };
	assert_true(s->fd >= 0);
	base_log_init(&s->log, s->fd, "fairlead",
		      (struct base_clock){ .now_ns = fake_now, .context = &s->now_ns });
	assert_false(s->log.is_terminal);
	assert_false(s->log.colours);
	s->log.is_terminal = is_terminal;
}

/* What has been written since the last call. */
static const char *written(struct sink *s)
{
	ssize_t n = pread(s->fd, s->text, sizeof(s->text) - 1, 0);

	assert_true(n >= 0);
	s->text[n] = '\0';
	assert_int_equal(ftruncate(s->fd, 0), 0);
	assert_int_equal(lseek(s->fd, 0, SEEK_SET), 0);
	return s->text;
}

struct line_case {
	const char *name;
	enum base_log_level level, at;
	bool colours;
	const char *message, *want;
};

static struct line_case line_cases[] = {
	{ "an error", BASE_LOG_ERROR, BASE_LOG_INFO, false, "no rate",
	  "fairlead: error: no rate\n" },
	{ "a warning", BASE_LOG_WARNING, BASE_LOG_INFO, false, "old",
	  "fairlead: warning: old\n" },
	{ "information", BASE_LOG_INFO, BASE_LOG_INFO, false, "done",
	  "fairlead: done\n" },
	{ "what is finer than asked for is dropped", BASE_LOG_DEBUG, BASE_LOG_INFO, false,
	  "x", "" },
	{ "quiet still shows errors", BASE_LOG_ERROR, BASE_LOG_ERROR, false, "x",
	  "fairlead: error: x\n" },
	{ "quiet drops warnings", BASE_LOG_WARNING, BASE_LOG_ERROR, false, "x", "" },
	{ "debugging shows all", BASE_LOG_DEBUG, BASE_LOG_DEBUG, false, "x",
	  "fairlead: debug: x\n" },
	{ "an error in colour", BASE_LOG_ERROR, BASE_LOG_INFO, true, "x",
	  "fairlead: \033[1;31merror: \033[0mx\n" },
	{ "information has no colour", BASE_LOG_INFO, BASE_LOG_INFO, true, "x",
	  "fairlead: x\n" },
	{ "a message stays one line", BASE_LOG_INFO, BASE_LOG_INFO, false, "a\nb\tc",
	  "fairlead: a\\x0Ab\\x09c\n" },
	{ "a message cannot steer the terminal", BASE_LOG_INFO, BASE_LOG_INFO, true,
	  "\033[2J\x7F", "fairlead: \\x1B[2J\\x7F\n" },
	{ "nor by control characters of eight bits", BASE_LOG_INFO, BASE_LOG_INFO, true,
	  "\xC2\x9B"
	  "2J\x9B",
	  "fairlead: \\xC2\\x9B2J\\x9B\n" },
	{ "other letters are themselves", BASE_LOG_INFO, BASE_LOG_INFO, false,
	  "\xC2\xB5s \xE2\x82\xAC", "fairlead: \xC2\xB5s \xE2\x82\xAC\n" },
	{ "malformed text is shown", BASE_LOG_INFO, BASE_LOG_INFO, false, "\xFF\xE2\x82",
	  "fairlead: \\xFF\\xE2\\x82\n" },
};

static void test_line(void **state)
{
	const struct line_case *c = *state;
	static struct sink s;

	open_sink(&s, false);
	s.log.level = c->at;
	s.log.colours = c->colours;
	base_log(&s.log, c->level, "%s", c->message);
	assert_string_equal(written(&s), c->want);
	close(s.fd);
}

static void test_long_message(void **state)
{
	static struct sink s;
	char message[5000];
	size_t len;

	(void)state;
	open_sink(&s, false);
	memset(message, '\033', sizeof(message) - 1); /* the longest when shown */
	message[sizeof(message) - 1] = '\0';
	base_log(&s.log, BASE_LOG_ERROR, "%s", message);
	len = strlen(written(&s));
	assert_int_equal(len, strlen("fairlead: error: ...\n") + 2047 * 4);
	assert_string_equal(s.text + len - 8, "\\x1B...\n");
	close(s.fd);
}

/* Steps of 50 ms; says when something was drawn. */
static void test_on_terminal(void **state)
{
	static struct sink s;
	unsigned drawn = 0;

	(void)state;
	open_sink(&s, true);
	base_log_progress_begin(&s.log);
	for (uint64_t ms = 0; ms < 1000; ms += 50) {
		base_log_progress(&s.log, "reading", ms, 2000);
		assert_string_equal(written(&s), ""); /* not worth a line yet */
		s.now_ns += 50 * MS;
	}
	base_log_progress(&s.log, "reading", 1000, 2000);
	assert_string_equal(written(&s), "\r\033[Kreading: 50 % (1,000 of 2,000)");
	for (uint64_t ms = 1050; ms <= 1500; ms += 50) {
		s.now_ns += 50 * MS;
		base_log_progress(&s.log, "reading", ms, 2000);
		drawn += written(&s)[0] != '\0';
	}
	assert_int_equal(drawn, 5);
	base_log(&s.log, BASE_LOG_WARNING, "slow");
	assert_string_equal(written(&s), "\r\033[Kfairlead: warning: slow\n");
	base_log_progress_end(&s.log); /* is gone already */
	assert_string_equal(written(&s), "");
	close(s.fd);
}

static void test_end_erases(void **state)
{
	static struct sink s;

	(void)state;
	open_sink(&s, true);
	base_log_progress_begin(&s.log);
	s.now_ns += 1000 * MS;
	base_log_progress(&s.log, "reading", 7, 0);
	assert_string_equal(written(&s), "\r\033[Kreading: 7");
	base_log_progress_end(&s.log);
	assert_string_equal(written(&s), "\r\033[K");
	base_log_progress_end(&s.log);
	assert_string_equal(written(&s), "");
	close(s.fd);
}

static void test_off_terminal(void **state)
{
	static struct sink s;

	(void)state;
	open_sink(&s, false);
	base_log_progress_begin(&s.log);
	s.now_ns += 9999 * MS;
	base_log_progress(&s.log, "solving", 1, 3);
	assert_string_equal(written(&s), "");
	s.now_ns += MS;
	base_log_progress(&s.log, "solving", 2, 3);
	assert_string_equal(written(&s), "fairlead: solving: 66 % (2 of 3)\n");
	s.now_ns += 9999 * MS;
	base_log_progress(&s.log, "solving", 3, 3);
	assert_string_equal(written(&s), "");
	base_log_progress_end(&s.log);
	assert_string_equal(written(&s), "");
	close(s.fd);
}

static void test_quiet(void **state)
{
	static struct sink s;

	(void)state;
	open_sink(&s, true);
	s.log.level = BASE_LOG_WARNING;
	base_log_progress_begin(&s.log);
	s.now_ns += 60000 * MS;
	base_log_progress(&s.log, "solving", 1, 3);
	assert_string_equal(written(&s), "");
	close(s.fd);
}

static void test_line_fits_terminal(void **state)
{
	static struct sink s;
	char what[200];

	(void)state;
	memset(what, 'w', sizeof(what) - 1);
	what[sizeof(what) - 1] = '\0';
	open_sink(&s, true);
	base_log_progress_begin(&s.log);
	s.now_ns += 1000 * MS;
	base_log_progress(&s.log, what, 9, 3); /* more than all is all */
	assert_int_equal(strlen(written(&s)), strlen("\r\033[K") + 79);
	close(s.fd);
}

static void test_closed_stream(void **state)
{
	struct base_log log;

	(void)state;
	base_log_init(&log, -1, "fairlead", base_clock_system());
	base_log(&log, BASE_LOG_ERROR, "nobody hears this"); /* and nothing happens */
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_line, line_cases);
	rows_add_test(&rows, "a long message is cut and says so", test_long_message);
	rows_add_test(&rows, "on a terminal: after a second, ten times a second",
		      test_on_terminal);
	rows_add_test(&rows, "the end takes progress off the terminal", test_end_erases);
	rows_add_test(&rows, "elsewhere: a line every ten seconds", test_off_terminal);
	rows_add_test(&rows, "quiet shows no progress", test_quiet);
	rows_add_test(&rows, "progress never wraps", test_line_fits_terminal);
	rows_add_test(&rows, "a stream that is closed does no harm", test_closed_stream);
	return rows_run(&rows, "base_log");
}
