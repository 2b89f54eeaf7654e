/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A main for a libFuzzer target: runs it over the files named on the command line and
 * over all files of the folders named there, in the order of their names.  Every input
 * lies in a heap block of exactly its size, so that a sanitizer sees the first byte read
 * past the end. A folder without a file is a failure: a test that runs nothing would pass
 * for ever.
 */
#define _GNU_SOURCE /* asprintf */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int read_exact(const char *name, uint8_t *data, size_t size)
{
	FILE *file = fopen(name, "rb");
	size_t got;

	if (!file)
		return -errno;
	got = fread(data, 1, size, file);
	fclose(file);
	return got == size ? 0 : -EIO;
}

/* Returns 0 after a run, or 1 when @name cannot be read.  A finding does not return. */
static int replay_file(const char *name, size_t size)
{
	/* malloc(0) may be NULL; a target must cope with a pointer it cannot read from.
	 */
	uint8_t *data = malloc(size);
	int r;

	if (!data && size) {
		fprintf(stderr, "%s: no memory for %zu bytes\n", name, size);
		return 1;
	}
	r = read_exact(name, data, size);
	if (r == 0)
		LLVMFuzzerTestOneInput(data, size);
	else
		fprintf(stderr, "%s: %s\n", name, strerror(-r));
	free(data);
	return r != 0;
}

static int not_hidden(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int replay(const char *name, unsigned int *n_run);

static int replay_folder(const char *folder, unsigned int *n_run)
{
	struct dirent **entries;
	int n = scandir(folder, &entries, not_hidden, alphasort);
	int failed = 0;

	if (n < 0) {
		fprintf(stderr, "%s: %s\n", folder, strerror(errno));
		return 1;
	}
	for (int i = 0; i < n; i++) {
		char *name;

		if (asprintf(&name, "%s/%s", folder, entries[i]->d_name) < 0)
			abort();
		failed |= replay(name, n_run);
		free(name);
		free(entries[i]);
	}
	free(entries);
	if (n == 0) {
		fprintf(stderr, "%s: the folder is empty, add a seed\n", folder);
		failed = 1;
	}
	return failed;
}

static int replay(const char *name, unsigned int *n_run)
{
	struct stat st;

	if (stat(name, &st) < 0) {
		fprintf(stderr, "%s: %s\n", name, strerror(errno));
		return 1;
	}
	if (S_ISDIR(st.st_mode))
		return replay_folder(name, n_run);
	++*n_run;
	return replay_file(name, (size_t)st.st_size);
}

int main(int argc, char **argv)
{
	unsigned int n_run = 0;
	int failed = 0;

	if (argc < 2) {
		fprintf(stderr, "usage: %s FILE|FOLDER...\n", argv[0]);
		return 2;
	}
	for (int i = 1; i < argc; i++)
		failed |= replay(argv[i], &n_run);
	printf("%u inputs run\n", n_run);
	return failed || n_run == 0;
}
