/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sets of numbers that grow together: a forest in parent[], each number at first its own
 * root (parent[x] = x).  The lowest of a set is its root, so that roots come in order.
 * Private to planner/src.
 */
#pragma once
#include <stdint.h>

static inline uint32_t forest_find(uint32_t *parent, uint32_t x)
{
	while (parent[x] != x) {
		parent[x] = parent[parent[x]];
		x = parent[x];
	}
	return x;
}

static inline void forest_unite(uint32_t *parent, uint32_t a, uint32_t b)
{
	a = forest_find(parent, a);
	b = forest_find(parent, b);
	if (a < b)
		parent[b] = a;
	else
		parent[a] = b;
}
