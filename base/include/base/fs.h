/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole files.  A file is read whole up to a stated ceiling, and appears whole or not at
 * all: written to a temporary name beside its target, synced, renamed.
 *
 * Threads: any may read; write in one at a time (the umask is asked for by setting it).
 * The program ignores SIGPIPE and SIGXFSZ, and gets -EPIPE and -EFBIG here.
 */
#pragma once
#include <base/compiler.h>
#include <base/err.h>
#include <stdbool.h>
#include <stddef.h>

BASE_BEGIN_DECLS

/* The largest input file that is read: 2 GiB. */
#define BASE_FS_FILE_MAX ((size_t)2048 * 1024 * 1024)

/*
 * Reads @name ("-": standard input) whole.  *ret_data is terminated by a NUL that is not
 * counted, owned by the caller (free()).  Errors are recorded with the name: those of
 * open(2) and read(2), -EISDIR, -BASE_E_INVALID (an empty name), -BASE_E_TOO_LARGE (over
 * @max_bytes or BASE_FS_FILE_MAX), -ENOMEM.
 */
int base_fs_read(const char *name, size_t max_bytes, char **ret_data, size_t *ret_len,
		 struct base_err *err) BASE_MUST_CHECK;

/*
 * Replaces @name by @data in one step ("-": writes to standard output).  A symbolic link
 * is followed and its target replaced; permission bits of an existing file are kept, and
 * its owner where that is allowed; a device or pipe is written directly.  Errors are
 * recorded with the name: those of the system calls, -EISDIR, -BASE_E_INVALID (an empty
 * name).  On failure no file has
 * changed and no temporary file is left.
 */
int base_fs_write(const char *name, const char *data, size_t len,
		  struct base_err *err) BASE_MUST_CHECK;

/*
 * Removes temporary files of writes under way: async-signal-safe, for the program's
 * handler of SIGINT and SIGTERM.
 */
void base_fs_cleanup_from_signal(void);

BASE_END_DECLS
