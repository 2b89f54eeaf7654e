/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Adds a cmocka test for each row of a table: the row's title is its name, the row its
 * state.
 * @tests is an array of struct CMUnitTest with room, @n how many it holds.  Include after
 * cmocka.h.
 */
#pragma once
#include <base/compiler.h>

#define GEN_ROWS(tests, n, table, function)                                              \
	for (size_t row_ = 0; row_ < BASE_COUNT(table); row_++)                          \
		(tests)[(n)++] = (struct CMUnitTest)                                     \
		{                                                                        \
			.name = (table)[row_].title, .test_func = (function),            \
			.initial_state = &(table)[row_]                                  \
		}
