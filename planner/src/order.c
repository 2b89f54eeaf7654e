/* SPDX-License-Identifier: Apache-2.0 */
#include "order.h"
#include <base/mem.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

struct order_key {
	uint64_t bytes;
	uint32_t phase, conn;
};

static int compare_keys(const void *a, const void *b)
{
	const struct order_key *x = a, *y = b;

	if (x->phase != y->phase)
		return x->phase < y->phase ? -1 : 1;
	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	return x->conn < y->conn ? -1 : x->conn > y->conn;
}

/* Most problems have few sizes and come sorted: look before sorting. */
static bool is_ordered(const struct planner_problem *p)
{
	for (uint32_t c = 1; c < p->n_conns; c++)
		if (p->conns[c].phase < p->conns[c - 1].phase ||
		    (p->conns[c].phase == p->conns[c - 1].phase &&
		     p->conns[c].bytes > p->conns[c - 1].bytes))
			return false;
	return true;
}

int planner_order_conns(const struct planner_problem *p, uint32_t *order, uint32_t *first)
{
	struct order_key *keys = NULL;
	uint32_t at = 0;

	if (!is_ordered(p)) {
		keys = base_array_new(p->n_conns, sizeof(*keys));
		if (!keys)
			return -ENOMEM;
		for (uint32_t c = 0; c < p->n_conns; c++)
			keys[c] = (struct order_key){ p->conns[c].bytes,
						      p->conns[c].phase, c };
		qsort(keys, p->n_conns, sizeof(*keys), compare_keys);
	}
	for (uint32_t c = 0; c < p->n_conns; c++)
		order[c] = keys ? keys[c].conn : c;
	for (uint32_t phase = 0; phase < p->n_phases; phase++) {
		first[phase] = at;
		while (at < p->n_conns && p->conns[order[at]].phase == phase)
			at++;
	}
	first[p->n_phases] = at;
	free(keys);
	return 0;
}
