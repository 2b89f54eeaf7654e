/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* mkostemp */
#include "fs_temp.h"
#include <base/compiler.h>
#include <base/fs.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * The one piece of process-wide state in this library, for a reason: a signal handler
 * takes no context, and a temporary file that outlives the program is litter in
 * somebody's folder.  It is of fixed size, so that the handler need neither allocate nor
 * lock; it holds nothing that a result could depend on; and a write that finds it full
 * goes on without its protection.
 */
enum slot_state { SLOT_FREE, SLOT_CLAIMED, SLOT_ACTIVE };

static struct slot {
	atomic_int state; /* enum slot_state */
	char path[PATH_MAX];
} registry[8];

size_t base_fs_folder_len(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}

static int register_path(const char *path)
{
	for (size_t i = 0; i < BASE_COUNT(registry); i++) {
		int expected = SLOT_FREE;

		if (!atomic_compare_exchange_strong(&registry[i].state, &expected,
						    SLOT_CLAIMED))
			continue;
		memcpy(registry[i].path, path, strlen(path) + 1);
		atomic_store(&registry[i].state, SLOT_ACTIVE);
		return (int)i;
	}
	return -1;
}

int base_fs_temp_open(struct base_fs_temp *temp, const char *path)
{
	static const char suffix[] = ".XXXXXX";
	size_t folder_len = base_fs_folder_len(path), len = strlen(path);
	sigset_t all, old;
	int r = 0;

	/* A name so long that the suffix does not fit is cut: it is only passing. */
	if (len - folder_len > NAME_MAX - (sizeof(suffix) - 1))
		len = folder_len + NAME_MAX - (sizeof(suffix) - 1);
	if (len + sizeof(suffix) > sizeof(temp->path))
		return -ENAMETOOLONG;
	memcpy(temp->path, path, len);
	memcpy(temp->path + len, suffix, sizeof(suffix));

	/* No signal between the birth of the file and its entry in the registry. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	temp->fd = mkostemp(temp->path, O_CLOEXEC);
	if (temp->fd < 0)
		r = -errno;
	else
		temp->slot = register_path(temp->path);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return r;
}

void base_fs_temp_close(struct base_fs_temp *temp, bool is_renamed)
{
	if (!is_renamed)
		unlink(temp->path); /* if that fails, nothing else could be done */
	if (temp->slot >= 0)
		atomic_store(&registry[temp->slot].state, SLOT_FREE);
}

void base_fs_sync_folder(const char *path)
{
	char folder[PATH_MAX] = ".";
	size_t len = base_fs_folder_len(path);
	int fd;

	if (len > 0) {
		memcpy(folder, path, len);
		folder[len] = '\0';
	}
	/*
	 * No error comes out of here: the new content is in place already and cannot be
	 * taken back, and a folder that one may write to but not read cannot be opened.
	 */
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}

void base_fs_cleanup_from_signal(void)
{
	int saved = errno;

	for (size_t i = 0; i < BASE_COUNT(registry); i++)
		if (atomic_load(&registry[i].state) == SLOT_ACTIVE)
			unlink(registry[i].path);
	errno = saved;
}
