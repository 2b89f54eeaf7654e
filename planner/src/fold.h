/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One class of equal flows onto equal slots: colour with exactly the class's own degree,
 * then fold the colours onto the slots, each slot floor or ceil of colours / slots.
 * Private to planner/src.
 */
#pragma once
#include <planner/colour.h>

/*
 * Each edge stands for @copies flows.  left_load and right_load, [vertex * n_slots +
 * slot], are what the slots carry from classes before this one, and are updated: @load is
 * what one flow adds.  Writes slots[edge * copies + copy].  0 or -ENOMEM.
 */
int planner_fold(const struct planner_edge *edges, uint32_t n_edges, uint32_t n_left,
		 uint32_t n_right, uint32_t copies, uint32_t n_slots, double load,
		 double *left_load, double *right_load, uint32_t *slots);
