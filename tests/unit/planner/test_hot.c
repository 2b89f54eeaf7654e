/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A few dead links: flows that must share a link at their source share one at their
 * destination too.
 */
#include "above_one.h"

static struct above_one hot_cases[] = {
	{ "nothing is dead", 16, 16, 0, 1, 100 },
	{ "1 % of 16x16x16", 16, 16, 10000, 1, 200 },
	{ "1 % of 32x32x32", 32, 32, 10000, 1, 130 },
	{ "1 % of 32x32x32, others", 32, 32, 10000, 2, 130 },
	{ "2 % of 32x32x32", 32, 32, 20000, 3, 130 },
	{ "1 % of 64x32x32", 64, 32, 10000, 4, 130 },
};

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_above_one, hot_cases);
	return rows_run(&rows, "planner_hot");
}
