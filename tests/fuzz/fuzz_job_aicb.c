/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a log of AICB.  What is accepted is refused with a row behind it that is
 * cut short.
 */
#define _GNU_SOURCE /* memmem */
#include <gen/jobs.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SIZE_MAX_BYTES 65536u

static void check(bool holds)
{
	if (!holds)
		abort();
}

static int read_log(struct gen_job *j, const char *data, size_t size)
{
	int r;

	gen_job_init(j, 4, 4, 2);
	j->options.gpus = 2; /* bounds the ranks */
	r = gen_job_bytes(j, data, size);
	check(gen_job_is_sound(j, r));
	return r;
}

static void check_cut_row(const char *data, size_t size)
{
	static const char row[] = "\nCommType.all_reduce,CommGroup.dp_group";
	char *text = malloc(size + sizeof(row));
	struct gen_job j;

	check(text != NULL);
	memcpy(text, data, size);
	memcpy(text + size, row, sizeof(row));
	check(read_log(&j, text, size + sizeof(row) - 1) < 0);
	gen_job_fini(&j);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char heading[] = "comm_type,";
	const char *text = (const char *)data;
	struct gen_job j;

	if (size > SIZE_MAX_BYTES || !memmem(text, size, heading, sizeof(heading) - 1))
		return 0;
	if (read_log(&j, text, size) == 0)
		check_cut_row(text, size);
	gen_job_fini(&j);
	return 0;
}
