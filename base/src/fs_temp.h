/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A temporary file beside its target, which a signal handler can remove.
 */
#pragma once
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct base_fs_temp {
	int fd;
	int slot; /* in the registry; -1: it was full */
	char path[PATH_MAX];
};

/* Length of the part of @path up to and with the last '/'; 0 when there is none. */
size_t base_fs_folder_len(const char *path);

/* Creates "@path.XXXXXX", readable for its owner only.  0, or a negative errno. */
int base_fs_temp_open(struct base_fs_temp *temp, const char *path);

/* Forgets the file, and unlinks it unless it @is_renamed.  The caller has closed
 * temp->fd. */
void base_fs_temp_close(struct base_fs_temp *temp, bool is_renamed);

/* Makes a rename within the folder of @path last through a loss of power, where it can.
 */
void base_fs_sync_folder(const char *path);
