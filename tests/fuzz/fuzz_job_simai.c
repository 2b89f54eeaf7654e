/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as workload text of SimAI.  What is accepted is refused without its last
 * word, and with one more.
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

static int read_text(struct gen_job *j, const char *data, size_t size)
{
	int r;

	gen_job_init(j, 4, 4, 2);
	j->options.gpus = 2; /* bounds the ranks */
	r = gen_job_bytes(j, data, size);
	check(gen_job_is_sound(j, r));
	return r;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void check_neighbours(const char *data, size_t size)
{
	size_t end = size;
	struct gen_job j;
	char *text = malloc(size + 2);

	check(text != NULL);
	memcpy(text, data, size);
	text[size] = '\n';
	text[size + 1] = '7';
	check(read_text(&j, text, size + 2) < 0);
	gen_job_fini(&j);
	while (end > 0 && is_blank(text[end - 1]))
		end--;
	while (end > 0 && !is_blank(text[end - 1]))
		end--;
	check(read_text(&j, text, end) < 0);
	gen_job_fini(&j);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct gen_job j;

	if (size > SIZE_MAX_BYTES || size == 0 || memchr(text, '{', size) ||
	    memchr(text, ',', size) || memmem(text, size, "Nodes", 5))
		return 0;
	if (read_text(&j, text, size) == 0)
		check_neighbours(text, size);
	gen_job_fini(&j);
	return 0;
}
