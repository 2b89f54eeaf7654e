/* SPDX-License-Identifier: Apache-2.0 */
#include <unit/rows.h>
#include <base/mem.h>
#include <string.h>

struct grow_case {
	const char *name;
	size_t need, elem_size;
	int grows;
};

static struct grow_case grow_cases[] = {
	{ "one more than there is", 9, 4, 1 },
	{ "far more than double", 1000, 4, 1 },
	{ "as many as there are", 8, 4, 1 },
	{ "none at all", 0, 4, 1 },
	{ "a product that overflows", SIZE_MAX / 2, 4, 0 },
	{ "a product one above the largest object", (size_t)PTRDIFF_MAX / 4 + 1, 4, 0 },
	{ "the largest count", SIZE_MAX, 1, 0 },
};

static void test_grow(void **state)
{
	const struct grow_case *c = *state;
	size_t cap = 0;
	uint32_t *old = base_grow(NULL, &cap, 8, sizeof(*old)), *grown;

	assert_non_null(old);
	assert_true(cap >= 8);
	for (uint32_t i = 0; i < 8; i++)
		old[i] = i;
	grown = base_grow(old, &cap, c->need, c->elem_size);
	assert_int_equal(grown != NULL, c->grows);
	if (!grown)
		grown = old; /* still valid, and as large as it was */
	assert_true(!c->grows || cap >= c->need);
	assert_true(c->grows || cap == 8);
	for (uint32_t i = 0; i < 8; i++)
		assert_int_equal(grown[i], i);
	free(grown);
}

static void test_appending_is_linear(void **state)
{
	size_t cap = 0, moves = 0, before;
	uint64_t *a = NULL;

	(void)state;
	for (size_t n = 0; n < 100000; n++) {
		before = cap;
		a = base_grow(a, &cap, n + 1, sizeof(*a));
		assert_non_null(a);
		if (cap != before) {
			assert_true(cap >= 2 * before);
			moves++;
		}
		a[n] = n; /* the sanitizer watches that there is room */
	}
	assert_true(moves <= 17);
	free(a);
}

static void test_new_is_cleared(void **state)
{
	uint64_t *a = base_array_new(1000, sizeof(*a));
	char *none = base_array_new(0, 1);

	(void)state;
	assert_non_null(a);
	for (size_t i = 0; i < 1000; i++)
		assert_int_equal(a[i], 0);
	assert_non_null(none);
	assert_int_equal(none[0], 0);
	free(a);
	free(none);
}

static void test_overflow(void **state)
{
	char byte = 0;

	(void)state;
	assert_null(base_array_new(SIZE_MAX / 2, 4));
	assert_null(base_array_new(SIZE_MAX, 1));
	assert_null(base_array_dup(&byte, SIZE_MAX / 2, 4));
}

static void test_dup(void **state)
{
	const uint32_t source[] = { 1, 2, 3 };
	uint32_t *copy = base_array_dup(source, 3, sizeof(*source));
	void *none = base_array_dup(NULL, 0, 4);

	(void)state;
	assert_non_null(copy);
	assert_ptr_not_equal(copy, source);
	assert_memory_equal(copy, source, sizeof(source));
	assert_non_null(none);
	free(copy);
	free(none);
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_grow, grow_cases);
	rows_add_test(&rows, "appending doubles", test_appending_is_linear);
	rows_add_test(&rows, "a new array is cleared, and never of size 0",
		      test_new_is_cleared);
	rows_add_test(&rows, "sizes that overflow are refused", test_overflow);
	rows_add_test(&rows, "a copy is a copy, also of nothing", test_dup);
	return rows_run(&rows, "base_mem");
}
