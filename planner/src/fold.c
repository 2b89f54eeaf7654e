/* SPDX-License-Identifier: Apache-2.0 */
#include "fold.h"
#include <base/mem.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Steps of looking for the best slot of a colour before taking turns instead. */
#define WORK_MAX ((uint64_t)200 * 1000 * 1000)

struct fold {
	const struct planner_edge *edges;
	uint32_t n_edges, n_left, n_right, copies, n_slots;
	uint32_t n_colours;   /* of the edges; each stands for @copies colours */
	double *left, *right; /* loads */
	uint32_t *colours;    /* [edge] */
	uint32_t *first;      /* [colour] into members, n_colours + 1 */
	uint32_t *members;    /* edges by colour */
	uint32_t *order;      /* colours, largest matching first */
	uint32_t *used;	      /* [slot] colours it has */
	uint32_t *slot_of;    /* [colour * copies + copy] */
};

static int fold_alloc(struct fold *f)
{
	f->colours = base_array_new(f->n_edges, sizeof(uint32_t));
	f->members = base_array_new(f->n_edges, sizeof(uint32_t));
	f->first = base_array_new((size_t)f->n_colours + 2, sizeof(uint32_t));
	f->order = base_array_new(f->n_colours, sizeof(uint32_t));
	f->used = base_array_new(f->n_slots, sizeof(uint32_t));
	f->slot_of = base_array_new((size_t)f->n_colours * f->copies, sizeof(uint32_t));
	return f->colours && f->members && f->first && f->order && f->used && f->slot_of
		       ? 0
		       : -ENOMEM;
}

static void fold_free(struct fold *f)
{
	free(f->colours);
	free(f->members);
	free(f->first);
	free(f->order);
	free(f->used);
	free(f->slot_of);
}

/* Edges by colour, and colours by how many edges they have, both stable, by counting. */
static int sort_colours(struct fold *f)
{
	uint32_t most = 0, *start;

	for (uint32_t e = 0; e < f->n_edges; e++)
		f->first[f->colours[e] + 2]++;
	for (uint32_t c = 0; c < f->n_colours; c++) {
		if (f->first[c + 2] > most)
			most = f->first[c + 2];
		f->first[c + 2] += f->first[c + 1];
	}
	for (uint32_t e = 0; e < f->n_edges; e++)
		f->members[f->first[f->colours[e] + 1]++] = e;
	start = base_array_new((size_t)most + 2, sizeof(*start));
	if (!start)
		return -ENOMEM;
	for (uint32_t c = 0; c < f->n_colours; c++)
		start[most - (f->first[c + 1] - f->first[c]) + 1]++;
	for (uint32_t i = 0; i <= most; i++)
		start[i + 1] += start[i];
	for (uint32_t c = 0; c < f->n_colours; c++)
		f->order[start[most - (f->first[c + 1] - f->first[c])]++] = c;
	free(start);
	return 0;
}

static bool is_fresh(const struct fold *f)
{
	for (size_t i = 0; i < (size_t)f->n_left * f->n_slots; i++)
		if (f->left[i] > 0)
			return false;
	for (size_t i = 0; i < (size_t)f->n_right * f->n_slots; i++)
		if (f->right[i] > 0)
			return false;
	return true;
}

/* The largest load that a slot has at any end of the colour's edges. */
static double height(const struct fold *f, uint32_t colour, uint32_t slot)
{
	double most = 0;

	for (uint32_t i = f->first[colour]; i < f->first[colour + 1]; i++) {
		const struct planner_edge *e = &f->edges[f->members[i]];
		double l = f->left[(size_t)e->left * f->n_slots + slot];
		double r = f->right[(size_t)e->right * f->n_slots + slot];

		l = l > r ? l : r;
		most = l > most ? l : most;
	}
	return most;
}

static void add(struct fold *f, uint32_t colour, uint32_t slot, double load)
{
	for (uint32_t i = f->first[colour]; i < f->first[colour + 1]; i++) {
		const struct planner_edge *e = &f->edges[f->members[i]];

		f->left[(size_t)e->left * f->n_slots + slot] += load;
		f->right[(size_t)e->right * f->n_slots + slot] += load;
	}
	f->used[slot]++;
}

/* Slots in turn: right when all are empty, or when choosing would take too long. */
static void take_turns(struct fold *f, double load)
{
	for (uint32_t i = 0; i < f->n_colours; i++)
		for (uint32_t copy = 0; copy < f->copies; copy++) {
			uint32_t at = i * f->copies + copy;

			f->slot_of[f->order[i] * f->copies + copy] = at % f->n_slots;
			add(f, f->order[i], at % f->n_slots, load);
		}
}

/* Largest colour first, each to the slot where its edges meet the least load. */
static void choose(struct fold *f, double load)
{
	uint32_t n = f->n_colours * f->copies;
	uint32_t share = n / f->n_slots, extra = n % f->n_slots;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t colour = f->order[i / f->copies], best = 0;
		double least = -1;

		for (uint32_t slot = 0; slot < f->n_slots; slot++) {
			double h;

			if (f->used[slot] > share ||
			    (f->used[slot] == share && extra == 0))
				continue;
			h = height(f, colour, slot);
			if (least < 0 || h < least ||
			    (h <= least && f->used[slot] < f->used[best])) {
				least = h;
				best = slot;
			}
		}
		if (f->used[best] == share)
			extra--;
		f->slot_of[colour * f->copies + i % f->copies] = best;
		add(f, colour, best, load);
	}
}

int planner_fold(const struct planner_edge *edges, uint32_t n_edges, uint32_t n_left,
		 uint32_t n_right, uint32_t copies, uint32_t n_slots, double load,
		 double *left_load, double *right_load, uint32_t *slots)
{
	struct fold f = {
		.edges = edges,
		.n_edges = n_edges,
		.n_left = n_left,
		.n_right = n_right,
		.copies = copies,
		.n_slots = n_slots,
		.left = left_load,
		.right = right_load,
	};
	int r = planner_colour_degree(edges, n_edges, n_left, n_right, &f.n_colours);

	if (r < 0 || n_edges == 0)
		return r;
	r = fold_alloc(&f);
	if (r == 0)
		r = planner_colour(edges, n_edges, n_left, n_right, f.n_colours,
				   f.colours);
	if (r == 0)
		r = sort_colours(&f);
	if (r < 0)
		goto out;
	if (is_fresh(&f) || (uint64_t)n_edges * copies * n_slots > WORK_MAX)
		take_turns(&f, load);
	else
		choose(&f, load);
	for (uint32_t e = 0; e < n_edges; e++)
		for (uint32_t copy = 0; copy < copies; copy++)
			slots[(size_t)e * copies + copy] =
				f.slot_of[f.colours[e] * copies + copy];
out:
	fold_free(&f);
	return r;
}
