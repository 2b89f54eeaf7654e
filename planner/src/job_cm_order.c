/* SPDX-License-Identifier: Apache-2.0 */
#include "job_cm.h"
#include <base/mem.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NO_TRIGGER UINT32_MAX

/* What is known of a trigger, at its place in cm->triggers. */
struct firing {
	uint32_t fired;		       /* by how many flows so far */
	uint32_t min_depth, max_depth; /* of those flows */
};

struct order {
	struct planner_cm *cm;
	const char *file;
	struct firing *firings; /* [n_triggers] */
	uint32_t *first;	/* [n_triggers + 1] into waiting */
	uint32_t *waiting;	/* flows by the trigger that starts them */
	uint32_t *waits;	/* [flow] that trigger, NO_TRIGGER: starts by itself */
	uint32_t *fires;	/* [2 * flow + i] triggers that its end fires */
	uint32_t *queue;	/* flows in the order in which they start */
	uint32_t n_queue;
	struct base_err *err;
};

static int compare_triggers(const void *a, const void *b)
{
	const struct planner_cm_trigger *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

static int sort_triggers(const struct order *o)
{
	struct planner_cm_trigger *t = o->cm->triggers;

	if (o->cm->n_triggers == 0)
		return 0;
	qsort(t, o->cm->n_triggers, sizeof(*t), compare_triggers);
	for (uint32_t i = 1; i < o->cm->n_triggers; i++) {
		if (t[i].id != t[i - 1].id)
			continue;
		base_err_at(o->err, o->file, t[i].line, 0);
		return base_err_set(o->err, -BASE_E_DUPLICATE,
				    "trigger %llu is defined in line %u too",
				    (unsigned long long)t[i].id, t[i - 1].line);
	}
	return 0;
}

static int find_trigger(const struct order *o, uint32_t line, uint64_t id,
			uint32_t *ret_trigger)
{
	struct planner_cm_trigger key = { .id = id }, *found = NULL;

	*ret_trigger = NO_TRIGGER;
	if (id == 0)
		return 0;
	if (o->cm->n_triggers > 0)
		found = bsearch(&key, o->cm->triggers, o->cm->n_triggers, sizeof(key),
				compare_triggers);
	if (!found) {
		base_err_at(o->err, o->file, line, 0);
		return base_err_set(o->err, -BASE_E_UNKNOWN,
				    "trigger %llu is not defined: expected a line "
				    "\"trigger id %llu oneshot\"",
				    (unsigned long long)id, (unsigned long long)id);
	}
	*ret_trigger = (uint32_t)(found - o->cm->triggers);
	return 0;
}

static int resolve(struct order *o)
{
	const struct planner_cm *cm = o->cm;

	for (uint32_t i = 0; i < cm->n_flows; i++) {
		const struct planner_cm_flow *f = &cm->flows[i];
		uint32_t *fires = &o->fires[2 * (size_t)i];
		int r = find_trigger(o, f->line, f->starts_on, &o->waits[i]);

		for (uint32_t k = 0; r == 0 && k < 2; k++)
			r = find_trigger(o, f->line, f->fires[k], &fires[k]);
		if (r < 0)
			return r;
		/* Sent and received are one end here. */
		if (fires[0] == fires[1])
			fires[1] = NO_TRIGGER;
	}
	return 0;
}

static void sort_waiting(struct order *o)
{
	const struct planner_cm *cm = o->cm;

	for (uint32_t i = 0; i < cm->n_flows; i++)
		if (o->waits[i] != NO_TRIGGER)
			o->first[o->waits[i] + 1]++;
	for (uint32_t t = 0; t < cm->n_triggers; t++)
		o->first[t + 1] += o->first[t];
	for (uint32_t i = 0, t; i < cm->n_flows; i++) {
		t = o->waits[i];
		/* fired counts how many are in place, and is cleared below. */
		if (t != NO_TRIGGER)
			o->waiting[o->first[t] + o->firings[t].fired++] = i;
	}
	for (uint32_t t = 0; t < cm->n_triggers; t++)
		o->firings[t].fired = 0;
}

static void start(struct order *o, uint32_t flow, uint32_t depth)
{
	o->cm->flows[flow].depth = depth;
	o->queue[o->n_queue++] = flow;
}

static void fire(struct order *o, uint32_t trigger, uint32_t depth)
{
	struct firing *f = &o->firings[trigger];

	if (f->fired == 0)
		f->min_depth = depth;
	f->max_depth = depth; /* flows end here in order of depth */
	if (++f->fired != o->cm->triggers[trigger].needs)
		return;
	for (uint32_t i = o->first[trigger]; i < o->first[trigger + 1]; i++)
		start(o, o->waiting[i], depth + 1);
}

static int run(struct order *o)
{
	const struct planner_cm *cm = o->cm;

	for (uint32_t i = 0; i < cm->n_flows; i++)
		if (o->waits[i] == NO_TRIGGER)
			start(o, i, 0);
	for (uint32_t i = 0; i < o->n_queue; i++)
		for (uint32_t k = 0; k < 2; k++)
			if (o->fires[2 * o->queue[i] + k] != NO_TRIGGER)
				fire(o, o->fires[2 * o->queue[i] + k],
				     cm->flows[o->queue[i]].depth);
	if (o->n_queue == cm->n_flows)
		return 0;
	for (uint32_t i = 0; i < cm->n_flows; i++) {
		uint32_t t = o->waits[i];

		if (t == NO_TRIGGER || o->firings[t].fired >= cm->triggers[t].needs)
			continue;
		base_err_at(o->err, o->file, cm->flows[i].line, 0);
		return base_err_set(o->err, -BASE_E_INVALID,
				    "this connection never starts: trigger %llu is fired "
				    "%u times and needs %u",
				    (unsigned long long)cm->triggers[t].id,
				    o->firings[t].fired, cm->triggers[t].needs);
	}
	return base_err_set(o->err, -BASE_E_INTERNAL, "a connection was left out");
}

/* Whether @flow waits for all @n flows of the depth before its own, and for no other. */
static bool starts_after_all(const struct order *o, uint32_t flow, uint32_t n)
{
	uint32_t t = o->waits[flow], before = o->cm->flows[flow].depth - 1;
	const struct firing *f = &o->firings[t];

	return f->fired == n && o->cm->triggers[t].needs == n && f->min_depth == before &&
	       f->max_depth == before;
}

static bool is_ordered(const struct order *o)
{
	uint32_t before = 0, here = 0; /* flows of the depth before, and of this one */

	for (uint32_t i = 0; i < o->n_queue; i++) {
		const struct planner_cm_flow *f = &o->cm->flows[o->queue[i]];

		if (i > 0 && f->depth != o->cm->flows[o->queue[i - 1]].depth) {
			before = here;
			here = 0;
		}
		here++;
		if (f->depth >= PLANNER_PHASES_MAX ||
		    (f->depth > 0 && !starts_after_all(o, o->queue[i], before)))
			return false;
	}
	return true;
}

static int allocate(struct order *o)
{
	size_t n_flows = o->cm->n_flows, n_triggers = o->cm->n_triggers;

	o->firings = base_array_new(n_triggers, sizeof(*o->firings));
	o->first = base_array_new(n_triggers + 1, sizeof(*o->first));
	o->waiting = base_array_new(n_flows, sizeof(*o->waiting));
	o->waits = base_array_new(n_flows, sizeof(*o->waits));
	o->fires = base_array_new(2 * n_flows, sizeof(*o->fires));
	o->queue = base_array_new(n_flows, sizeof(*o->queue));
	if (o->firings && o->first && o->waiting && o->waits && o->fires && o->queue)
		return 0;
	return base_err_set(o->err, -ENOMEM, "no memory for triggers");
}

int planner_cm_order(struct planner_cm *cm, const char *file, bool *ret_is_ordered,
		     struct base_err *err)
{
	struct order o = { .cm = cm, .file = file, .err = err };
	int r = allocate(&o);

	if (r == 0)
		r = sort_triggers(&o);
	if (r == 0)
		r = resolve(&o);
	if (r == 0) {
		sort_waiting(&o);
		r = run(&o);
	}
	if (r == 0)
		*ret_is_ordered = is_ordered(&o);
	free(o.firings);
	free(o.first);
	free(o.waiting);
	free(o.waits);
	free(o.fires);
	free(o.queue);
	return r;
}
