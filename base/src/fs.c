/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* mkostemp */
#include "fs_temp.h"
#include <base/fs.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_READ_BYTES ((size_t)64 * 1024)
#define LINKS_MAX 40 /* followed one after another, as the kernel does */

static int fail(struct base_err *err, const char *name, int code, const char *what)
{
	base_err_at(err, name, 0, 0);
	return base_err_set(err, code, "%s: %s", what, base_err_text(code));
}

/* What the system would say of it names nothing. */
static int fail_no_name(struct base_err *err)
{
	base_err_at(err, "", 0, 0);
	return base_err_set(err, -BASE_E_INVALID,
			    "the name of a file is empty; with \"-\" it is standard "
			    "input or output");
}

/* Someone may have made standard input or output non-blocking: wait, do not give up. */
static bool is_try_again(int fd, short events)
{
	struct pollfd p = { .fd = fd, .events = events };

	if (errno == EAGAIN || errno == EWOULDBLOCK)
		return poll(&p, 1, -1) >= 0 || errno == EINTR;
	return errno == EINTR;
}

/* --- reading ---------------------------------------------------------------------------
 */

static int fail_too_large(struct base_err *err, const char *name, size_t max_bytes)
{
	base_err_at(err, name, 0, 0);
	return base_err_set(err, -BASE_E_TOO_LARGE,
			    "over %zu bytes, more than is read; is this the right file?",
			    max_bytes);
}

/* Room for the first read: a file's size and one byte that shows the end. */
static int first_room(const struct stat *st, const char *name, size_t max_bytes,
		      size_t *ret_cap, struct base_err *err)
{
	*ret_cap = max_bytes < FIRST_READ_BYTES ? max_bytes + 1 : FIRST_READ_BYTES;
	if (S_ISDIR(st->st_mode)) {
		base_err_at(err, name, 0, 0);
		return base_err_set(err, -EISDIR, "is a directory; a file is expected");
	}
	if (S_ISREG(st->st_mode) && st->st_size > 0) {
		if ((uintmax_t)st->st_size > max_bytes)
			return fail_too_large(err, name, max_bytes);
		*ret_cap = (size_t)st->st_size + 1;
	}
	return 0;
}

/* Reads to the end of the file.  *ret_data and *ret_len are set on success only. */
static int read_all(int fd, size_t max_bytes, size_t cap, char **ret_data,
		    size_t *ret_len)
{
	char *data = malloc(cap + 1), *grown; /* and the terminator */
	size_t len = 0;
	ssize_t n = 1;
	int r = data ? 0 : -ENOMEM;

	while (r == 0 && n != 0) {
		n = read(fd, data + len, cap - len);
		if (n < 0 && !is_try_again(fd, POLLIN))
			r = -errno;
		len += n > 0 ? (size_t)n : 0;
		if (len > max_bytes) {
			r = -BASE_E_TOO_LARGE;
		} else if (len == cap) { /* so cap <= max_bytes, and there may be more */
			cap = cap <= max_bytes / 2 ? cap * 2 : max_bytes + 1;
			grown = realloc(data, cap + 1);
			if (grown)
				data = grown;
			else
				r = -ENOMEM;
		}
	}
	if (r < 0) {
		free(data);
		return r;
	}
	data[len] = '\0';
	*ret_data = data;
	*ret_len = len;
	return 0;
}

static int read_fd(int fd, const char *name, size_t max_bytes, char **ret_data,
		   size_t *ret_len, struct base_err *err)
{
	struct stat st;
	size_t cap;
	int r;

	if (max_bytes > BASE_FS_FILE_MAX)
		max_bytes = BASE_FS_FILE_MAX;
	if (fstat(fd, &st) < 0)
		return fail(err, name, -errno, "cannot read");
	r = first_room(&st, name, max_bytes, &cap, err);
	if (r < 0)
		return r;
	r = read_all(fd, max_bytes, cap, ret_data, ret_len);
	if (r == -BASE_E_TOO_LARGE)
		return fail_too_large(err, name, max_bytes);
	return r < 0 ? fail(err, name, r, "cannot read") : 0;
}

int base_fs_read(const char *name, size_t max_bytes, char **ret_data, size_t *ret_len,
		 struct base_err *err)
{
	int fd, r;

	if (name[0] == '\0')
		return fail_no_name(err);
	if (strcmp(name, "-") == 0)
		return read_fd(STDIN_FILENO, "standard input", max_bytes, ret_data,
			       ret_len, err);
	fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return fail(err, name, -errno, "cannot open");
	r = read_fd(fd, name, max_bytes, ret_data, ret_len, err);
	close(fd); /* nothing was written: it has nothing to tell */
	return r;
}

/* --- writing ---------------------------------------------------------------------------
 */

static int write_all(int fd, const char *data, size_t len)
{
	ssize_t n;

	while (len > 0) {
		n = write(fd, data, len);
		if (n < 0 && !is_try_again(fd, POLLOUT))
			return -errno;
		if (n == 0)
			return -EIO; /* no progress and no reason */
		if (n > 0) {
			data += n;
			len -= (size_t)n;
		}
	}
	return 0;
}

/* Closes in any case.  On NFS it is close() that says that the disk is full. */
static int write_and_close(int fd, const char *data, size_t len, bool sync)
{
	int r = write_all(fd, data, len);

	if (r == 0 && sync && fsync(fd) < 0)
		r = -errno;
	if (close(fd) < 0 && r == 0 && errno != EINTR)
		r = -errno;
	return r;
}

/* A device or pipe: there is nothing to replace. */
static int write_direct(const char *name, const char *data, size_t len,
			struct base_err *err)
{
	int fd = open(name, O_WRONLY | O_CLOEXEC | O_NOCTTY), r;

	if (fd < 0)
		return fail(err, name, -errno, "cannot open for writing");
	r = write_and_close(fd, data, len, false);
	return r < 0 ? fail(err, name, r, "cannot write") : 0;
}

/* Follows @name, whose target need not exist, to the place where the file is or will be.
 */
static int resolve(const char *name, char path[PATH_MAX])
{
	char target[PATH_MAX];
	size_t len = strlen(name), folder_len;
	ssize_t n;

	if (len >= PATH_MAX)
		return -ENAMETOOLONG;
	memcpy(path, name, len + 1);
	for (int i = 0; i < LINKS_MAX; i++) {
		n = readlink(path, target, sizeof(target));
		if (n < 0)
			return errno == EINVAL || errno == ENOENT ? 0 : -errno;
		folder_len = target[0] == '/' ? 0 : base_fs_folder_len(path);
		if (folder_len + (size_t)n >= PATH_MAX)
			return -ENAMETOOLONG;
		memcpy(path + folder_len, target, (size_t)n);
		path[folder_len + (size_t)n] = '\0';
	}
	return -ELOOP;
}

/* The temporary file gets what its target has, or what open(2) would give a new file. */
static int set_owner_and_mode(int fd, const struct stat *old)
{
	mode_t mode, mask;

	if (old) {
		mode = old->st_mode & 0777;
		/* Only root may give a file away; others own what they write. */
		if (fchown(fd, old->st_uid, old->st_gid) < 0 && errno != EPERM)
			return -errno;
	} else {
		mask = umask(077); /* the one way to ask for it */
		umask(mask);
		mode = 0666 & ~mask;
	}
	return fchmod(fd, mode) < 0 ? -errno : 0;
}

/* @old: what stands there now, or NULL. */
static int replace(const char *name, const char *path, const struct stat *old,
		   const char *data, size_t len, struct base_err *err)
{
	struct base_fs_temp temp;
	int r;

	if (old && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) < 0)
		return fail(err, name, -errno, "cannot replace");
	r = base_fs_temp_open(&temp, path);
	if (r < 0)
		return fail(err, name, r, "cannot create a temporary file beside it");
	r = set_owner_and_mode(temp.fd, old);
	if (r < 0) {
		close(temp.fd);
		fail(err, name, r, "cannot set the permissions of its new content");
	} else {
		r = write_and_close(temp.fd, data, len, true);
		if (r < 0)
			fail(err, name, r, "cannot write");
	}
	if (r == 0 && rename(temp.path, path) < 0)
		r = fail(err, name, -errno, "cannot put the new content in place");
	base_fs_temp_close(&temp, r == 0);
	if (r == 0)
		base_fs_sync_folder(path);
	return r;
}

int base_fs_write(const char *name, const char *data, size_t len, struct base_err *err)
{
	char path[PATH_MAX];
	struct stat st;
	bool exists;
	int r;

	if (name[0] == '\0')
		return fail_no_name(err);
	if (strcmp(name, "-") == 0) {
		r = write_all(STDOUT_FILENO, data, len);
		return r < 0 ? fail(err, "standard output", r, "cannot write") : 0;
	}
	exists = stat(name, &st) == 0;
	if (!exists && errno != ENOENT)
		return fail(err, name, -errno, "cannot write");
	if (exists && S_ISDIR(st.st_mode)) {
		base_err_at(err, name, 0, 0);
		return base_err_set(err, -EISDIR, "is a directory; a file is expected");
	}
	if (exists && !S_ISREG(st.st_mode))
		return write_direct(name, data, len, err);
	r = resolve(name, path);
	if (r < 0)
		return fail(err, name, r, "cannot write");
	return replace(name, path, exists ? &st : NULL, data, len, err);
}
