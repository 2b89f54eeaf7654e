/* SPDX-License-Identifier: Apache-2.0 */
#include <unit/rows.h>
#include <base/clock.h>

static void test_system_never_goes_back(void **state)
{
	struct base_clock clock = base_clock_system();
	uint64_t before = base_clock_now_ns(&clock), first = before, now;
	unsigned long rounds = 0;

	(void)state;
	/* Until a microsecond has passed: a clock that stands still never gets here. */
	do {
		now = base_clock_now_ns(&clock);
		assert_true(now >= before);
		before = now;
		rounds++;
	} while (now - first < 1000 && rounds < 100000000);
	assert_true(now - first >= 1000);
}

static uint64_t count_calls(void *context)
{
	uint64_t *calls = context;

	return ++*calls * 1000;
}

static void test_fake(void **state)
{
	uint64_t calls = 0;
	struct base_clock clock = { .now_ns = count_calls, .context = &calls };

	(void)state;
	assert_int_equal(base_clock_now_ns(&clock), 1000);
	assert_int_equal(base_clock_now_ns(&clock), 2000);
	assert_int_equal(calls, 2);
}

int main(void)
{
	struct rows rows = { 0 };

	rows_add_test(&rows, "the machine's clock runs, and never back",
		      test_system_never_goes_back);
	rows_add_test(&rows, "a clock of the caller is asked with its context",
		      test_fake);
	return rows_run(&rows, "base_clock");
}
