/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many dead links: what finds no link of its own goes where links are overloaded already.
 */
#include "above_one.h"

static struct above_one spill_cases[] = {
	{ "5 % of 16x16x16", 16, 16, 50000, 1, 175 },
	{ "5 % of 32x32x32", 32, 32, 50000, 2, 125 },
	{ "5 % of 32x32x32, others", 32, 32, 50000, 3, 125 },
	{ "10 % of 32x32x32", 32, 32, 100000, 4, 125 },
	{ "5 % of 64x16x16", 64, 16, 50000, 5, 150 },
};

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_above_one, spill_cases);
	return rows_run(&rows, "planner_spill");
}
