/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recursive halving and doubling.  In step s a member exchanges with the one whose number
 * differs in bit s, a 2^(s+1)-th part of the buffer each way: the nearest partner gets
 * the largest part.  Halving (reduce-scatter) takes the steps upwards, doubling
 * (all-gather) downwards; all-reduce is one after the other.  A step cannot begin before
 * the one before has ended, so each is a phase of its own.
 *
 * When n is no power of two, the members above the largest power first hand their buffer
 * to a partner below, who returns the result at the end.
 */
#include "job_private.h"

/* The exponent of the largest power of two that is not above n. */
static uint32_t log2_floor(uint32_t n)
{
	uint32_t log2 = 0;

	while (n >>= 1)
		log2++;
	return log2;
}

static uint64_t part_of(uint64_t bytes, uint32_t step)
{
	uint64_t mask = ((uint64_t)1 << (step + 1)) - 1;

	return (bytes >> (step + 1)) + ((bytes & mask) != 0);
}

static int exchange(const struct planner_expansion *e, uint32_t step, uint32_t phase)
{
	uint32_t n = 1u << log2_floor(e->n);
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < n; i++)
		r = planner_expansion_send(e, i, i ^ (1u << step),
					   part_of(e->bytes, step), phase);
	return r;
}

/* Members above the power of two to (or from) their partners below. */
static int fold(const struct planner_expansion *e, bool is_back, uint32_t phase)
{
	uint32_t n = 1u << log2_floor(e->n);
	int r = 0;

	for (uint32_t i = n; r == 0 && i < e->n; i++)
		r = planner_expansion_send(e, is_back ? i - n : i, is_back ? i : i - n,
					   e->bytes, phase);
	return r;
}

static int check_power_of_two(const struct planner_expansion *e)
{
	if ((e->n & (e->n - 1)) == 0)
		return 0;
	return base_err_set(e->err, -BASE_E_INVALID,
			    "\"halving-doubling\" of anything but all-reduce needs a "
			    "power of two members, not %u; use \"ring\"",
			    e->n);
}

int planner_expand_halving(const struct planner_expansion *e)
{
	uint32_t steps = log2_floor(e->n);
	int r = check_power_of_two(e);

	for (uint32_t s = 0; r == 0 && s < steps; s++)
		r = exchange(e, s, s);
	return r < 0 ? r : (int)steps;
}

int planner_expand_doubling(const struct planner_expansion *e)
{
	uint32_t steps = log2_floor(e->n);
	int r = check_power_of_two(e);

	for (uint32_t s = 0; r == 0 && s < steps; s++)
		r = exchange(e, steps - 1 - s, s);
	return r < 0 ? r : (int)steps;
}

int planner_expand_halving_doubling(const struct planner_expansion *e)
{
	uint32_t steps = log2_floor(e->n), phase = 0;
	bool is_folded = (e->n & (e->n - 1)) != 0;
	int r = 0;

	if (is_folded)
		r = fold(e, false, phase++);
	for (uint32_t s = 0; r == 0 && s < steps; s++)
		r = exchange(e, s, phase++);
	for (uint32_t s = steps; r == 0 && s-- > 0;)
		r = exchange(e, s, phase++);
	if (r == 0 && is_folded)
		r = fold(e, true, phase++);
	return r < 0 ? r : (int)phase;
}
