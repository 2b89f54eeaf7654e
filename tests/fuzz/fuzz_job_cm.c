/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a connection matrix of htsim.  What is accepted has a connection for no
 * more than each arrow in it, and is refused with a line behind it that is none.
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

static uint64_t count_arrows(const char *data, size_t size)
{
	uint64_t n = 0;

	for (size_t i = 0; i + 1 < size; i++)
		n += data[i] == '-' && data[i + 1] == '>';
	return n;
}

static void check_bad_line(const char *data, size_t size)
{
	static const char line[] = "\nno line\n";
	char *text = malloc(size + sizeof(line));
	struct gen_job j;
	int r;

	check(text != NULL);
	memcpy(text, data, size);
	memcpy(text + size, line, sizeof(line));
	gen_job_init(&j, 4, 4, 1);
	r = gen_job_bytes(&j, text, size + sizeof(line) - 1);
	check(r < 0 && gen_job_is_sound(&j, r));
	gen_job_fini(&j);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct gen_job j;
	int r;

	/* A document is the matter of another target. */
	if (size > SIZE_MAX_BYTES || size == 0 || memchr(text, '{', size))
		return 0;
	gen_job_init(&j, 4, 4, 1);
	r = gen_job_bytes(&j, text, size);
	check(gen_job_is_sound(&j, r));
	if (r == 0 && count_arrows(text, size) > 0 &&
	    !memmem(text, size, "comm_type", 9)) {
		check(j.p.n_conns + j.p.local_conns <= count_arrows(text, size));
		check_bad_line(text, size);
	}
	gen_job_fini(&j);
	return 0;
}
