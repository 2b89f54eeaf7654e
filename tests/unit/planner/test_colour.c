/* SPDX-License-Identifier: Apache-2.0 */
#include <unit/rows.h>
#include <errno.h>
#include <planner/colour.h>
#include <string.h>

#define NONE PLANNER_COLOUR_NONE

struct colour_case {
	const char *name;
	uint32_t n_edges, n_colours, degree;
	int want;
	struct planner_edge edges[8];
};

static struct colour_case colour_cases[] = {
	{ "no edges need no colour", 0, 0, 0, 0, { { 0, 0 } } },
	{ "one edge", 1, 1, 1, 0, { { 2, 1 } } },
	{ "parallel edges each have their own",
	  3,
	  3,
	  3,
	  0,
	  { { 0, 0 }, { 0, 0 }, { 0, 0 } } },
	{ "a star", 3, 3, 3, 0, { { 0, 0 }, { 0, 1 }, { 0, 2 } } },
	{ "a matching needs one", 3, 1, 1, 0, { { 0, 1 }, { 1, 2 }, { 2, 0 } } },
	{ "a chain is flipped",
	  5,
	  2,
	  2,
	  0,
	  { { 0, 0 }, { 1, 1 }, { 1, 0 }, { 2, 1 }, { 0, 2 } } },
	{ "a cycle of six edges",
	  6,
	  2,
	  2,
	  0,
	  { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 0, 1 }, { 1, 2 }, { 2, 0 } } },
	{ "more colours than needed", 2, 70, 2, 0, { { 0, 0 }, { 0, 1 } } },
	{ "fewer colours than needed", 2, 1, 2, -EINVAL, { { 0, 0 }, { 0, 1 } } },
};

static void test_colour(void **state)
{
	const struct colour_case *c = *state;
	uint32_t colours[8], degree;

	memset(colours, 0xff, sizeof(colours));
	assert_int_equal(planner_colour_degree(c->edges, c->n_edges, 3, 3, &degree), 0);
	assert_int_equal(degree, c->degree);
	assert_int_equal(
		planner_colour(c->edges, c->n_edges, 3, 3, c->n_colours, colours),
		c->want);
	for (uint32_t e = 0; e < c->n_edges; e++) {
		if (c->want < 0) {
			assert_int_equal(colours[e], NONE);
			continue;
		}
		assert_true(colours[e] < c->n_colours);
		for (uint32_t f = 0; f < e; f++)
			if (c->edges[e].left == c->edges[f].left ||
			    c->edges[e].right == c->edges[f].right)
				assert_int_not_equal(colours[e], colours[f]);
	}
}

/* Two vertices on each side, two colours. */
struct insert_case {
	const char *name;
	uint32_t n_edges;
	struct planner_edge edges[4];
	uint32_t colours[4]; /* on entry */
	uint16_t left[4], right[4];
	int want;
};

static struct insert_case insert_cases[] = {
	{ "all have room",
	  2,
	  { { 0, 0 }, { 0, 1 } },
	  { NONE, NONE },
	  { 1, 1, 1, 1 },
	  { 1, 1, 1, 1 },
	  0 },
	{ "a colour that is dead at one end",
	  1,
	  { { 0, 0 } },
	  { NONE },
	  { 1, 0, 0, 0 },
	  { 0, 1, 0, 0 },
	  1 },
	{ "room for two on one colour",
	  2,
	  { { 0, 0 }, { 0, 0 } },
	  { NONE, NONE },
	  { 2, 0, 0, 0 },
	  { 2, 0, 0, 0 },
	  0 },
	{ "room for one of two",
	  2,
	  { { 0, 0 }, { 0, 1 } },
	  { NONE, NONE },
	  { 1, 0, 0, 0 },
	  { 1, 0, 1, 0 },
	  1 },
	{ "a given edge makes way",
	  2,
	  { { 0, 0 }, { 0, 1 } },
	  { 0, NONE },
	  { 0, 1, 0, 0 }, /* colour 0 of left 0 is taken by the given edge */
	  { 0, 1, 1, 0 }, /* right 1 has colour 0 only */
	  0 },
	{ "no room at all", 1, { { 1, 1 } }, { NONE }, { 0 }, { 0 }, 1 },
};

static void test_insert(void **state)
{
	const struct insert_case *c = *state;
	struct insert_case t = *c;
	int missing = 0;

	assert_int_equal(planner_colour_insert(t.edges, t.n_edges, 2, 2, 2, t.left,
					       t.right, t.colours),
			 c->want);
	for (uint32_t e = 0; e < t.n_edges; e++) {
		missing += t.colours[e] == NONE;
		assert_true(c->colours[e] == NONE || t.colours[e] != NONE);
	}
	assert_int_equal(missing, c->want);
	/* Every edge that has a colour now holds a room that was free before. */
	for (uint32_t v = 0; v < 2; v++)
		for (uint32_t colour = 0; colour < 2; colour++) {
			int left = c->left[v * 2 + colour],
			    right = c->right[v * 2 + colour];

			for (uint32_t e = 0; e < t.n_edges; e++) {
				left += (c->edges[e].left == v) *
					((c->colours[e] == colour) -
					 (t.colours[e] == colour));
				right += (c->edges[e].right == v) *
					 ((c->colours[e] == colour) -
					  (t.colours[e] == colour));
			}
			assert_int_equal(t.left[v * 2 + colour], left);
			assert_int_equal(t.right[v * 2 + colour], right);
		}
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_colour, colour_cases);
	ROWS_ADD(&rows, test_insert, insert_cases);
	return rows_run(&rows, "planner_colour");
}
