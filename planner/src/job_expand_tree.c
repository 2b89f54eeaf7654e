/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Binary trees over members.  In a tree over places 0..n-1, place 0 is the root; the
 * parent of another place is found by moving its lowest set bit one up, or, where that is
 * past the end, by taking it away.  All odd places are leaves.
 *
 * The second tree of the pair (Sanders, Speck, Traeff: "Two-tree algorithms for full
 * bandwidth broadcast, reduction and scan", 2009) puts the members at other places, so
 * that the leaves of one tree are the inner places of the other: mirrored when n is even,
 * shifted by one when it is odd.  Each tree carries one half of the buffer.
 */
#include "job_private.h"

static uint32_t parent_of(uint32_t place, uint32_t n)
{
	uint32_t low = place & (0u - place);
	uint64_t up = (uint64_t)(place - low) | (uint64_t)low << 1;

	return up < n ? (uint32_t)up : place - low;
}

/* Who stands at a place of the second tree. */
static uint32_t member_of(uint32_t place, uint32_t n)
{
	return n % 2 == 0 ? n - 1 - place : (place + 1) % n;
}

struct tree {
	bool is_second;
	bool goes_up, goes_down;
	uint64_t bytes;
};

static int expand_tree(const struct planner_expansion *e, const struct tree *tree)
{
	int r = 0;

	for (uint32_t place = 1; r == 0 && place < e->n; place++) {
		uint32_t child = place, parent = parent_of(place, e->n);

		if (tree->is_second) {
			child = member_of(child, e->n);
			parent = member_of(parent, e->n);
		}
		if (tree->goes_up)
			r = planner_expansion_send(e, child, parent, tree->bytes, 0);
		if (r == 0 && tree->goes_down)
			r = planner_expansion_send(e, parent, child, tree->bytes, 0);
	}
	return r < 0 ? r : 1;
}

int planner_expand_double_tree(const struct planner_expansion *e)
{
	struct tree first = { false, true, true, e->bytes - e->bytes / 2 };
	struct tree second = { true, true, true, e->bytes / 2 };
	int r = expand_tree(e, &first);

	if (r < 0 || second.bytes == 0)
		return r;
	return expand_tree(e, &second);
}

int planner_expand_tree_down(const struct planner_expansion *e)
{
	struct tree tree = { false, false, true, e->bytes };

	return expand_tree(e, &tree);
}

int planner_expand_tree_up(const struct planner_expansion *e)
{
	struct tree tree = { false, true, false, e->bytes };

	return expand_tree(e, &tree);
}
