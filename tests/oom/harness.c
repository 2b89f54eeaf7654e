/* SPDX-License-Identifier: Apache-2.0 */
/* The sweep itself, on functions that are wrong in each way that it must notice. */
#include "oom.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *kept; /* reachable, so that only the sweep can call it left behind */

static int right(void)
{
	char *first = malloc(3);
	char *second = first ? strdup("text") : NULL;
	char *third = second ? realloc(second, 100) : NULL;

	free(third ? third : second);
	free(first);
	return third ? 0 : -ENOMEM;
}

static int leaks_on_failure(void)
{
	void *first = malloc(3);
	void *second = first ? malloc(3) : NULL;

	if (!second) {
		kept = first;
		return -ENOMEM;
	}
	free(first);
	free(second);
	return 0;
}

static int leaks_on_success(void)
{
	kept = malloc(3);
	return kept ? 0 : -ENOMEM;
}

static int hides_a_failure(void)
{
	free(malloc(3));
	return 0;
}

static int returns_another_error(void)
{
	void *block = malloc(3);

	free(block);
	return block ? 0 : -EINVAL;
}

static int fails_always(void)
{
	free(malloc(3));
	return -ENOMEM;
}

static const struct oom_case good = { "right", right };
static const struct oom_case bad[] = {
	{ "leaks on failure", leaks_on_failure },
	{ "leaks on success", leaks_on_success },
	{ "hides a failure", hides_a_failure },
	{ "returns another error", returns_another_error },
	{ "fails always", fails_always },
};

int main(void)
{
	int failed = oom_main(&good, 1) != 0 || oom_main(&good, 0) == 0;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (oom_main(&bad[i], 1) == 0) {
			printf("the sweep does not notice that a function %s\n",
			       bad[i].name);
			failed = 1;
		}
		free(kept);
		kept = NULL;
	}
	return failed;
}
