/* SPDX-License-Identifier: Apache-2.0 */
#include <unit/rows.h>
#include <base/table.h>
#include <stdio.h>
#include <string.h>

struct add_case {
	const char *name;
	const char *text;
	size_t len;
	uint32_t want; /* id after "leaf1", "leaf2", "spine1" */
};

static struct add_case add_cases[] = {
	{ "a new name gets the next id", "leaf3", 5, 3 },
	{ "a known name keeps its id", "leaf2", 5, 1 },
	{ "the first one too", "leaf1", 5, 0 },
	{ "a beginning is another name", "leaf", 4, 3 },
	{ "a continuation is another name", "leaf12", 6, 3 },
	{ "only @len bytes are the name", "spine12", 6, 2 },
	{ "the empty name is a name", "", 0, 3 },
	{ "capitals differ", "Leaf1", 5, 3 },
	{ "a name of eight bytes", "leaf1234", 8, 3 },
	{ "a NUL byte is part of a name", "leaf1\0", 6, 3 },
};

static void fill(struct base_table *t)
{
	uint32_t id;

	base_table_init(t);
	assert_int_equal(base_table_add(t, "leaf1", 5, &id), 0);
	assert_int_equal(base_table_add(t, "leaf2", 5, &id), 0);
	assert_int_equal(base_table_add(t, "spine1", 6, &id), 0);
	assert_int_equal(id, 2);
}

static void test_add(void **state)
{
	const struct add_case *c = *state;
	int is_new = c->want == 3;
	struct base_table t;
	uint32_t id = 77;

	fill(&t);
	assert_int_equal(base_table_find(&t, c->text, c->len),
			 is_new ? BASE_TABLE_NONE : c->want);
	assert_int_equal(base_table_add(&t, c->text, c->len, &id), 0);
	assert_int_equal(id, c->want);
	assert_int_equal(t.n, is_new ? 4 : 3);
	assert_int_equal(base_table_find(&t, c->text, c->len), c->want);
	assert_memory_equal(base_table_name(&t, id), c->text, c->len);
	assert_int_equal(base_table_name(&t, id)[c->len], '\0');
	assert_string_equal(base_table_name(&t, 0), "leaf1");
	base_table_fini(&t);
}

static void test_empty(void **state)
{
	struct base_table t;
	uint32_t id;

	(void)state;
	base_table_init(&t);
	assert_int_equal(base_table_find(&t, "leaf1", 5), BASE_TABLE_NONE);
	assert_int_equal(base_table_add(&t, NULL, 0, &id), 0);
	assert_int_equal(id, 0);
	assert_string_equal(base_table_name(&t, 0), "");
	base_table_fini(&t);
	assert_int_equal(t.n, 0); /* fit for use again */
	assert_int_equal(base_table_find(&t, "", 0), BASE_TABLE_NONE);
	base_table_fini(&t);
}

static size_t nth_name(char name[40], uint32_t i)
{
	return (size_t)snprintf(name, 40, "pod%u.leaf%u.host%u.nic%u", i % 7, i % 61,
				i / 8, i % 8);
}

static void test_many(void **state)
{
	const uint32_t n = 100000;
	struct base_table t;
	char name[40];
	uint32_t id;

	(void)state;
	base_table_init(&t);
	for (uint32_t i = 0; i < n; i++) {
		size_t len = nth_name(name, i);

		assert_int_equal(base_table_add(&t, name, len, &id), 0);
		assert_int_equal(id, i);
	}
	assert_int_equal(t.n, n);
	assert_true(t.n <= t.n_slots / 2);
	for (uint32_t i = 0; i < n; i++) {
		size_t len = nth_name(name, i);

		assert_int_equal(base_table_find(&t, name, len), i);
		assert_string_equal(base_table_name(&t, i), name);
		name[0] = 'q';
		assert_int_equal(base_table_find(&t, name, len), BASE_TABLE_NONE);
	}
	base_table_fini(&t);
}

/* How far a look-up walks, on names that differ in little: a weak hash would crowd them.
 */
static void test_hash_spreads(void **state)
{
	struct base_table t;
	uint64_t steps = 0;
	char name[40];
	uint32_t id;

	(void)state;
	base_table_init(&t);
	for (uint32_t i = 0; i < 65536; i++)
		assert_int_equal(base_table_add(&t, name, nth_name(name, i), &id), 0);
	for (uint32_t i = 0, run = 0; i < t.n_slots; i++) {
		run = t.slots[i] ? run + 1 : 0;
		steps += run; /* a miss that starts in a run of r walks 1..r */
	}
	/* Linear probing at a load of 1/2 expects 2.5 probes a miss, 1.5 beside the free
	 * slot. */
	assert_int_equal(t.n_slots, 131072);
	assert_in_range(steps * 100 / t.n_slots, 130, 170);
	base_table_fini(&t);
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_add, add_cases);
	rows_add_test(&rows, "an empty table, and one used again", test_empty);
	rows_add_test(&rows, "a hundred thousand names", test_many);
	rows_add_test(&rows, "similar names do not crowd", test_hash_spreads);
	return rows_run(&rows, "base_table");
}
