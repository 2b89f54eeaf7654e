/* SPDX-License-Identifier: Apache-2.0 */
#include <unit/rows.h>
#include <base/arena.h>
#include <stdalign.h>
#include <string.h>

struct alloc_case {
	const char *name;
	size_t n, elem_size;
	int fits; /* below a ceiling of 64 KiB */
};

static struct alloc_case alloc_cases[] = {
	{ "a byte", 1, 1, 1 },
	{ "nothing is still an address", 0, 8, 1 },
	{ "a whole first block", 4096, 1, 1 },
	{ "more than a block", 3, 10000, 1 },
	{ "all that there is", 65536, 1, 1 },
	{ "a byte over the ceiling", 65537, 1, 0 },
	{ "a product over the ceiling", 1025, 64, 0 },
	{ "a product that overflows to something small", SIZE_MAX / 2 + 2, 2, 0 },
	{ "a size that overflows when rounded up", SIZE_MAX, 1, 0 },
};

static void test_alloc(void **state)
{
	const struct alloc_case *c = *state;
	struct base_arena a;
	unsigned char *data;

	base_arena_init(&a, 65536);
	data = base_arena_alloc(&a, c->n, c->elem_size);
	assert_int_equal(data != NULL, c->fits);
	if (!data) {
		assert_int_equal(a.total_bytes, 0); /* nothing has changed */
		assert_non_null(base_arena_alloc(&a, 65536, 1));
	} else {
		assert_int_equal((uintptr_t)data % alignof(max_align_t), 0);
		for (size_t i = 0; i < c->n * c->elem_size; i++)
			assert_int_equal(data[i], 0);
		assert_true(a.total_bytes >= c->n * c->elem_size);
	}
	base_arena_fini(&a);
}

/* Objects of many sizes, large ones in between: each keeps its bytes to the end. */
static void test_objects_do_not_overlap(void **state)
{
	enum { N = 2000 };
	static unsigned char *objects[N];
	static size_t sizes[N];
	struct base_arena a;

	(void)state;
	base_arena_init(&a, 0);
	for (size_t i = 0; i < N; i++) {
		sizes[i] = i % 97 == 0 ? 5000 + i : i % 131;
		objects[i] = base_arena_alloc(&a, sizes[i], 1);
		assert_non_null(objects[i]);
		assert_int_equal((uintptr_t)objects[i] % alignof(max_align_t), 0);
		for (size_t j = 0; j < sizes[i]; j++)
			assert_int_equal(objects[i][j], 0);
		memset(objects[i], (int)(i % 251 + 1), sizes[i]);
	}
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < sizes[i]; j++)
			assert_int_equal(objects[i][j], i % 251 + 1);
	base_arena_fini(&a);
}

static void test_large_object_keeps_room(void **state)
{
	struct base_arena a;
	char *first, *second;

	(void)state;
	base_arena_init(&a, 0);
	first = base_arena_alloc(&a, 16, 1);
	assert_non_null(base_arena_alloc(&a, 100000, 1));
	second = base_arena_alloc(&a, 16, 1);
	assert_ptr_equal(second, first + 16); /* the block goes on where it was */
	base_arena_fini(&a);
}

static void test_strndup(void **state)
{
	struct base_arena a;
	char *text;

	(void)state;
	base_arena_init(&a, 64);
	text = base_arena_strndup(&a, "leaf12", 4);
	assert_string_equal(text, "leaf");
	text = base_arena_strndup(&a, NULL, 0);
	assert_string_equal(text, "");
	assert_null(base_arena_strndup(&a, "x", SIZE_MAX));
	base_arena_fini(&a);
}

static void test_reuse(void **state)
{
	struct base_arena a;

	(void)state;
	base_arena_init(&a, 32);
	assert_non_null(base_arena_alloc(&a, 32, 1));
	assert_null(base_arena_alloc(&a, 1, 1));
	base_arena_fini(&a);
	assert_non_null(base_arena_alloc(&a, 32, 1));
	assert_null(base_arena_alloc(&a, 1, 1)); /* the ceiling is the same */
	base_arena_fini(&a);
	base_arena_fini(&a);
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_alloc, alloc_cases);
	rows_add_test(&rows, "objects do not overlap", test_objects_do_not_overlap);
	rows_add_test(&rows, "a large object leaves the open block open",
		      test_large_object_keeps_room);
	rows_add_test(&rows, "texts are copied and terminated", test_strndup);
	rows_add_test(&rows, "an arena can be used again", test_reuse);
	return rows_run(&rows, "base_arena");
}
