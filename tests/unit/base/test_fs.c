/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* unshare */
#include <unit/rows.h>
#include <base/err.h>
#include <base/fs.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SKIPPED 77

/* Each test runs in an empty folder of its own, as its working directory. */
static char folder[64];

static int enter_folder(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/test_fs.XXXXXX");
	return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
	DIR *dir = opendir(".");
	struct dirent *entry;

	(void)state;
	while (dir && (entry = readdir(dir)))
		if (unlink(entry->d_name) < 0)
			rmdir(entry->d_name);
	if (dir)
		closedir(dir);
	return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

static unsigned count_files(void)
{
	DIR *dir = opendir(".");
	struct dirent *entry;
	unsigned n = 0;

	while (dir && (entry = readdir(dir)))
		n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
	if (dir)
		closedir(dir);
	return n;
}

/* Nothing in the folder but @n files: no temporary file was left. */
static void assert_files(unsigned n)
{
	assert_int_equal(count_files(), n);
}

static void put(const char *name, const char *text)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	assert_int_equal(close(fd), 0);
}

static void assert_content(const char *name, const char *want)
{
	struct base_err err = { 0 };
	char *data;
	size_t len;

	assert_int_equal(base_fs_read(name, 1000, &data, &len, &err), 0);
	assert_int_equal(len, strlen(want));
	assert_memory_equal(data, want, len + 1); /* with the NUL after it */
	free(data);
}

static void assert_write_fails(const char *name, int code, const char *message)
{
	struct base_err err = { 0 };

	assert_int_equal(base_fs_write(name, "new", 3, &err), code);
	assert_int_equal(err.code, code);
	assert_string_equal(err.file, name);
	assert_string_equal(err.message, message);
}

/* Runs @body in a child, for what would be left changed; its value is the exit status. */
static void in_child(int (*body)(void))
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (child == 0)
		_exit(body());
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == SKIPPED)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* --- reading ---------------------------------------------------------------------------
 */

struct read_case {
	const char *name;
	const char *file;
	size_t max_bytes;
	int want;
	const char *content; /* or the message */
};

static struct read_case read_cases[] = {
	{ "a file", "five", 100, 0, "12345" },
	{ "a file of just the ceiling", "five", 5, 0, "12345" },
	{ "a file a byte over the ceiling", "five", 4, -BASE_E_TOO_LARGE,
	  "over 4 bytes, more than is read; is this the right file?" },
	{ "an empty file", "empty", 100, 0, "" },
	{ "an empty file below a ceiling of nothing", "empty", 0, 0, "" },
	{ "a byte above a ceiling of nothing", "five", 0, -BASE_E_TOO_LARGE,
	  "over 0 bytes, more than is read; is this the right file?" },
	{ "no ceiling but the common one", "five", SIZE_MAX, 0, "12345" },
	{ "through a link", "link", 100, 0, "12345" },
	{ "no such file", "nothing", 100, -ENOENT,
	  "cannot open: No such file or directory" },
	{ "no name", "", 100, -BASE_E_INVALID,
	  "the name of a file is empty; with \"-\" it is standard input or output" },
	{ "a folder", "folder", 100, -EISDIR, "is a directory; a file is expected" },
	{ "a file that does not know its size", "/proc/self/comm", 3, -BASE_E_TOO_LARGE,
	  "over 3 bytes, more than is read; is this the right file?" },
	{ "a device without end", "/dev/zero", 1000000, -BASE_E_TOO_LARGE,
	  "over 1000000 bytes, more than is read; is this the right file?" },
	{ "a device without content", "/dev/null", 100, 0, "" },
};

static void test_read(void **state)
{
	const struct read_case *c = *state;
	struct base_err err = { 0 };
	char untouched, *data = &untouched;
	size_t len = 77;

	enter_folder(NULL);
	put("five", "12345");
	put("empty", "");
	assert_int_equal(symlink("five", "link"), 0);
	assert_int_equal(mkdir("folder", 0755), 0);
	assert_int_equal(base_fs_read(c->file, c->max_bytes, &data, &len, &err), c->want);
	if (c->want == 0) {
		assert_int_equal(len, strlen(c->content));
		assert_string_equal(data, c->content);
		free(data);
	} else {
		assert_ptr_equal(data, &untouched);
		assert_int_equal(len, 77);
		assert_int_equal(err.code, c->want);
		assert_string_equal(err.file, c->file);
		assert_string_equal(err.message, c->content);
	}
	leave_folder(NULL);
}

static char nth_byte(size_t i)
{
	return (char)('a' + i % 23);
}

/* Fills the pipe @fd from a child, in pieces of which none is a power of two. */
static pid_t feed(const int fds[2], size_t len)
{
	pid_t child = fork();
	char piece[777];

	assert_true(child >= 0);
	if (child > 0)
		return child;
	close(fds[0]);
	for (size_t done = 0; done < len;) {
		size_t n = len - done < sizeof(piece) ? len - done : sizeof(piece);

		for (size_t i = 0; i < n; i++)
			piece[i] = nth_byte(done + i);
		if (write(fds[1], piece, n) != (ssize_t)n)
			_exit(1);
		done += n;
	}
	_exit(0);
}

struct pipe_case {
	const char *name;
	const char *file;
	size_t len;
	int flags; /* of the end that is read */
};

static struct pipe_case pipe_cases[] = {
	{ "a pipe by its name", "/dev/stdin", 300000, 0 },
	{ "standard input", "-", 300000, 0 },
	{ "standard input that does not block", "-", 300000, O_NONBLOCK },
	{ "standard input of the first room exactly", "-", 65536, 0 },
	{ "standard input without a byte", "-", 0, 0 },
};

static void test_pipe(void **state)
{
	const struct pipe_case *c = *state;
	int fds[2], saved = dup(STDIN_FILENO), status, r;
	struct base_err err = { 0 };
	pid_t child;
	char *data;
	size_t len;

	assert_int_equal(pipe(fds), 0);
	assert_int_equal(fcntl(fds[0], F_SETFL, c->flags), 0);
	child = feed(fds, c->len);
	close(fds[1]);
	assert_int_equal(dup2(fds[0], STDIN_FILENO), STDIN_FILENO);
	close(fds[0]);
	r = base_fs_read(c->file, 1000000, &data, &len, &err);
	assert_int_equal(dup2(saved, STDIN_FILENO), STDIN_FILENO);
	close(saved);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(r, 0);
	assert_int_equal(len, c->len);
	for (size_t i = 0; i < len; i++)
		assert_int_equal(data[i], nth_byte(i));
	free(data);
}

/* --- writing ---------------------------------------------------------------------------
 */

static void test_new_file(void **state)
{
	mode_t mask = umask(027);
	struct stat st;

	(void)state;
	assert_int_equal(base_fs_write("new", "one", 3, NULL), 0);
	assert_int_equal(umask(mask), 027); /* as it was */
	assert_content("new", "one");
	assert_int_equal(stat("new", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
	assert_files(1);
}

static void test_replace(void **state)
{
	struct stat before, after;

	(void)state;
	put("old", "something longer");
	assert_int_equal(chmod("old", 0604), 0);
	assert_int_equal(stat("old", &before), 0);
	assert_int_equal(base_fs_write("old", "", 0, NULL), 0);
	assert_content("old", "");
	assert_int_equal(stat("old", &after), 0);
	assert_int_equal(after.st_mode & 07777, 0604);
	assert_int_equal(after.st_uid, before.st_uid);
	assert_true(after.st_ino !=
		    before.st_ino); /* never half of one, half of the other */
	assert_files(1);
}

static void test_link(void **state)
{
	char target[16];
	struct stat st;

	(void)state;
	assert_int_equal(mkdir("folder", 0755), 0);
	put("folder/real", "old");
	assert_int_equal(symlink("real", "folder/second"), 0);
	assert_int_equal(symlink("folder/second", "first"), 0);
	assert_int_equal(base_fs_write("first", "new", 3, NULL), 0);
	assert_content("folder/real", "new");
	assert_int_equal(readlink("first", target, sizeof(target)), 13);
	assert_int_equal(readlink("folder/second", target, sizeof(target)), 4);

	assert_int_equal(symlink("made", "dangling"), 0);
	assert_int_equal(base_fs_write("dangling", "new", 3, NULL), 0);
	assert_content("made", "new");
	assert_int_equal(lstat("dangling", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(unlink("folder/real"), 0);
	assert_int_equal(unlink("folder/second"), 0);
}

static void test_link_circle(void **state)
{
	(void)state;
	assert_int_equal(symlink("b", "a"), 0);
	assert_int_equal(symlink("a", "b"), 0);
	assert_write_fails("a", -ELOOP,
			   "cannot write: Too many levels of symbolic links");
	assert_files(2);
}

static void test_longest_name(void **state)
{
	char name[NAME_MAX + 2];

	(void)state;
	memset(name, 'n', sizeof(name));
	name[NAME_MAX] = '\0'; /* no room for the suffix of the temporary name */
	assert_int_equal(base_fs_write(name, "new", 3, NULL), 0);
	assert_content(name, "new");
	assert_files(1);
}

struct refused_case {
	const char *name;
	const char *file;
	int code;
	const char *message;
};

static struct refused_case refused_cases[] = {
	{ "a folder is not replaced", "folder", -EISDIR,
	  "is a directory; a file is expected" },
	{ "a folder that is not there", "nothing/new", -ENOENT,
	  "cannot create a temporary file beside it: No such file or directory" },
	{ "a file is no folder", "file/new", -ENOTDIR, "cannot write: Not a directory" },
	{ "no name", "", -BASE_E_INVALID,
	  "the name of a file is empty; with \"-\" it is standard input or output" },
	{ "a full device", "/dev/full", -ENOSPC,
	  "cannot write: No space left on device" },
};

static void test_refused(void **state)
{
	const struct refused_case *c = *state;

	enter_folder(NULL);
	assert_int_equal(mkdir("folder", 0755), 0);
	put("file", "old");
	assert_write_fails(c->file, c->code, c->message);
	assert_content("file", "old");
	assert_files(2);
	leave_folder(NULL);
}

static int write_without_rights(void)
{
	struct base_err err = { 0 };

	/* Root may write to everything: become somebody else. */
	if (geteuid() == 0 && (setgid(65534) < 0 || setuid(65534) < 0))
		return SKIPPED;
	if (base_fs_write("read-only", "new", 3, &err) != -EACCES ||
	    strcmp(err.message, "cannot replace: Permission denied") != 0)
		return 1;
	if (base_fs_write("locked/new", "new", 3, &err) != -EACCES)
		return 2;
	return 0;
}

static void test_no_right(void **state)
{
	(void)state;
	assert_int_equal(chmod(".", 0777), 0);
	assert_int_equal(mkdir("locked", 0555), 0);
	put("read-only", "old");
	assert_int_equal(chmod("read-only", 0444), 0);
	in_child(write_without_rights);
	assert_content("read-only", "old");
	assert_files(2);
}

static char large[1 << 20];

/* The file grows to 64 KiB, then write(2) falls short, then it fails. */
static int write_over_limit(void)
{
	const struct rlimit limit = { 65536, 65536 };
	const struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct base_err err = { 0 };

	sigaction(SIGXFSZ, &ignore, NULL);
	setrlimit(RLIMIT_FSIZE, &limit);
	if (base_fs_write("old", large, sizeof(large), &err) != -EFBIG)
		return 1;
	if (base_fs_write("new", large, sizeof(large), &err) != -EFBIG)
		return 2;
	return base_fs_write("fits", large, 65536, &err) == 0 ? 0 : 3;
}

static void test_short_write(void **state)
{
	struct stat st;

	(void)state;
	put("old", "old");
	in_child(write_over_limit);
	assert_content("old", "old");
	assert_int_equal(stat("fits", &st), 0);
	assert_int_equal(st.st_size, 65536);
	assert_files(2);
}

/* A disk of 64 KiB in a mount namespace of the child's own. */
static int write_to_full_disk(void)
{
	struct base_err err = { 0 };
	char *data;
	size_t len;

	if (unshare(CLONE_NEWNS) < 0 ||
	    mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("tmpfs", "disk", "tmpfs", 0, "size=64k") < 0)
		return SKIPPED;
	if (chdir("disk") < 0)
		return 1;
	if (base_fs_write("old", "old", 3, NULL) < 0)
		return 2;
	if (base_fs_write("old", large, sizeof(large), &err) != -ENOSPC)
		return 3;
	if (strcmp(err.message, "cannot write: No space left on device") != 0)
		return 4;
	/* A temporary file would fill the disk still. */
	if (count_files() != 1 || base_fs_write("new", large, 32768, NULL) < 0)
		return 5;
	if (base_fs_read("old", 3, &data, &len, NULL) < 0 || strcmp(data, "old") != 0)
		return 6;
	free(data);
	return 0;
}

static void test_full_disk(void **state)
{
	(void)state;
	assert_int_equal(mkdir("disk", 0755), 0);
	in_child(write_to_full_disk);
}

static void clean_up_and_leave(int signal_number)
{
	errno = 42;
	base_fs_cleanup_from_signal();
	_exit(signal_number == SIGXFSZ && errno == 42 ? 0 : 1);
}

/* The signal arrives within write(2), with the temporary file half written. */
static int write_and_be_stopped(void)
{
	const struct rlimit limit = { 65536, 65536 };
	const struct sigaction action = { .sa_handler = clean_up_and_leave };

	sigaction(SIGXFSZ, &action, NULL);
	setrlimit(RLIMIT_FSIZE, &limit);
	return base_fs_write("old", large, sizeof(large), NULL) == 0 ? 2 : 3;
}

static void test_signal(void **state)
{
	(void)state;
	put("old", "old");
	in_child(write_and_be_stopped);
	assert_content("old", "old");
	assert_files(1);
}

static void test_signal_without_write(void **state)
{
	(void)state;
	put("old", "old");
	assert_int_equal(base_fs_write("old", "new", 3, NULL), 0);
	base_fs_cleanup_from_signal();
	assert_content("old", "new");
	assert_files(1);
}

static int write_to_standard_output(void)
{
	int fd = open("out", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0)
		return 1;
	if (base_fs_write("-", "one ", 4, NULL) < 0)
		return 2;
	return base_fs_write("-", "two", 3, NULL) < 0 ? 3 : 0;
}

static void test_standard_output(void **state)
{
	(void)state;
	in_child(write_to_standard_output);
	assert_content("out", "one two");
}

static int write_to_broken_pipe(void)
{
	const struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct base_err err = { 0 };
	char got[512];
	int fds[2];

	sigaction(SIGPIPE, &ignore, NULL);
	if (pipe(fds) < 0 || dup2(fds[1], STDOUT_FILENO) < 0)
		return 1;
	close(fds[0]);
	if (base_fs_write("-", "new", 3, &err) != -EPIPE)
		return 2;
	base_err_format(&err, got, sizeof(got));
	return strcmp(got, "standard output: cannot write: Broken pipe") == 0 ? 0 : 3;
}

static void test_broken_pipe(void **state)
{
	(void)state;
	in_child(write_to_broken_pipe);
}

/* A reader in a child, and more than a pipe holds: the writer has to wait. */
static void test_named_pipe(void **state)
{
	pid_t child;
	int status;

	(void)state;
	assert_int_equal(mkfifo("fifo", 0600), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		char *data;
		size_t len;

		if (base_fs_read("fifo", sizeof(large), &data, &len, NULL) < 0)
			_exit(1);
		_exit(len == sizeof(large) && memcmp(data, large, len) == 0 ? 0 : 2);
	}
	assert_int_equal(base_fs_write("fifo", large, sizeof(large), NULL), 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_files(1); /* still a pipe */
}

static void add_in_folder(struct rows *rows, const char *name, CMUnitTestFunction test)
{
	rows_add_test(rows, name, test);
	rows->tests[rows->n - 1].setup_func = enter_folder;
	rows->tests[rows->n - 1].teardown_func = leave_folder;
}

int main(void)
{
	struct rows rows = { 0 };

	for (size_t i = 0; i < sizeof(large); i++)
		large[i] = nth_byte(i);
	ROWS_ADD(&rows, test_read, read_cases);
	ROWS_ADD(&rows, test_pipe, pipe_cases);
	ROWS_ADD(&rows, test_refused, refused_cases);
	add_in_folder(&rows, "a new file gets the common permissions", test_new_file);
	add_in_folder(&rows, "a file is replaced and keeps its permissions",
		      test_replace);
	add_in_folder(&rows, "links are followed, also to nothing", test_link);
	add_in_folder(&rows, "links in a circle are refused", test_link_circle);
	add_in_folder(&rows, "the longest name there can be", test_longest_name);
	add_in_folder(&rows, "no right to write", test_no_right);
	add_in_folder(&rows, "a short write leaves no trace", test_short_write);
	add_in_folder(&rows, "a full disk leaves no trace", test_full_disk);
	add_in_folder(&rows, "a signal leaves no trace", test_signal);
	add_in_folder(&rows, "a signal after a write removes nothing",
		      test_signal_without_write);
	add_in_folder(&rows, "standard output is added to", test_standard_output);
	add_in_folder(&rows, "a broken pipe is an error", test_broken_pipe);
	add_in_folder(&rows, "a named pipe is written to", test_named_pipe);
	return rows_run(&rows, "base_fs");
}
