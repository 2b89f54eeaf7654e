/* SPDX-License-Identifier: Apache-2.0 */
#include <planner/evaluate.h>
#include "maxmin_private.h"
#include <base/mem.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/*
 * The flows that are still running fall into parts that share no link.  A part lives
 * until the first of its flows ends; then those that end at that moment leave, what
 * remains falls into parts again, and only these get new rates.  Each part has one entry
 * in the queue of events, and its flows are one range of the order array, so that no
 * entry is ever stale.
 */
struct part {
	double since_ns, until_ns; /* when its rates began; when its next flow ends */
	uint32_t begin, end;	   /* into order */
};

struct run {
	struct maxmin net;
	double *left_bits;   /* [flow] at its part's since_ns */
	uint32_t *order;     /* flows, part by part */
	uint32_t *found;     /* flows of the parts being split off */
	uint32_t *part_link; /* links of one such part */
	bool *seen_flow, *seen_link;
	struct part *heap; /* least until_ns first */
	uint32_t n_parts;
};

/* Ends closer together than this are one moment: far below the nanosecond that we report.
 */
static double moment_ns(double at_ns)
{
	return 1e-3 + at_ns * 1e-14;
}

static void push_part(struct run *run, const struct part *part)
{
	uint32_t i = run->n_parts++;

	while (i > 0 && run->heap[(i - 1) / 2].until_ns > part->until_ns) {
		run->heap[i] = run->heap[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	run->heap[i] = *part;
}

static struct part pop_part(struct run *run)
{
	struct part top = run->heap[0], last = run->heap[--run->n_parts];
	uint32_t i = 0, child;

	while ((child = 2 * i + 1) < run->n_parts) {
		if (child + 1 < run->n_parts &&
		    run->heap[child + 1].until_ns < run->heap[child].until_ns)
			child++;
		if (run->heap[child].until_ns >= last.until_ns)
			break;
		run->heap[i] = run->heap[child];
		i = child;
	}
	run->heap[i] = last;
	return top;
}

static double bits_per_ns(const struct run *run, uint32_t flow)
{
	return (double)run->net.rate[flow] / (double)run->net.scale / 1e9;
}

/* Drops flows that have ended from the row of a link, and notes the rest as found. */
static uint32_t visit_link(struct run *run, uint32_t link, uint32_t n_found)
{
	struct maxmin *m = &run->net;
	uint32_t kept = m->row_first[link];

	for (uint32_t i = kept; i < m->row_end[link]; i++) {
		uint32_t flow = m->rows[i];

		if (run->left_bits[flow] < 0)
			continue;
		m->rows[kept++] = flow;
		if (run->seen_flow[flow])
			continue;
		run->seen_flow[flow] = true;
		run->found[n_found++] = flow;
	}
	m->row_end[link] = kept;
	return n_found;
}

/*
 * Finds all that is joined to @flow by links: appends the flows to found, which has
 * @n_found, and the links to part_link.  Returns how many are found then.
 */
static uint32_t gather(struct run *run, uint32_t flow, uint32_t n_found,
		       uint32_t *ret_links)
{
	const struct maxmin *m = &run->net;
	uint32_t n_links = 0, i = n_found;

	run->seen_flow[flow] = true;
	run->found[n_found++] = flow;
	for (; i < n_found; i++) {
		uint32_t at = run->found[i];

		for (uint32_t j = m->first[at]; j < m->first[at + 1]; j++) {
			uint32_t link = m->links[j];

			if (run->seen_link[link])
				continue;
			run->seen_link[link] = true;
			run->part_link[n_links++] = link;
			n_found = visit_link(run, link, n_found);
		}
	}
	for (i = 0; i < n_links; i++)
		run->seen_link[run->part_link[i]] = false;
	*ret_links = n_links;
	return n_found;
}

/* Gives the @n flows of a part their rates, over @n_links of part_link, and queues it. */
static void start_part(struct run *run, uint32_t begin, const uint32_t *flows, uint32_t n,
		       uint32_t n_links, double now_ns)
{
	struct part part = { now_ns, INFINITY, begin, begin + n };

	for (uint32_t i = 0; i < n; i++)
		run->net.rate[flows[i]] = MAXMIN_NO_RATE;
	maxmin_fill_some(&run->net, run->part_link, n_links);
	for (uint32_t i = 0; i < n; i++) {
		double left_bits = run->left_bits[flows[i]], until_ns = now_ns;

		if (left_bits > 0)
			until_ns += left_bits / bits_per_ns(run, flows[i]);
		if (until_ns < part.until_ns)
			part.until_ns = until_ns;
	}
	push_part(run, &part);
}

/* Splits the running flows of order[begin..end) into parts that share no link. */
static void split(struct run *run, uint32_t begin, uint32_t end, double now_ns)
{
	uint32_t n = 0, n_links;

	for (uint32_t i = begin; i < end; i++) {
		uint32_t n_before = n;

		if (run->seen_flow[run->order[i]])
			continue;
		n = gather(run, run->order[i], n, &n_links);
		start_part(run, begin + n_before, run->found + n_before, n - n_before,
			   n_links, now_ns);
	}
	for (uint32_t i = 0; i < n; i++) {
		run->order[begin + i] = run->found[i];
		run->seen_flow[run->found[i]] = false;
	}
}

static uint64_t whole_ns(double at_ns)
{
	return at_ns >= 0x1p64 ? UINT64_MAX : (uint64_t)(at_ns + 0.5);
}

/* Moves a part to its next end.  The flows that end there leave; returns what is left. */
static uint32_t finish_first(struct run *run, const struct part *part, uint64_t *ends_ns)
{
	uint32_t kept = part->begin;
	double spent_ns = part->until_ns - part->since_ns;

	for (uint32_t i = part->begin; i < part->end; i++) {
		uint32_t flow = run->order[i];
		double speed = bits_per_ns(run, flow);
		double left = run->left_bits[flow] - spent_ns * speed;

		if (isinf(part->until_ns) || left <= moment_ns(part->until_ns) * speed ||
		    left <= 0) {
			ends_ns[flow] = whole_ns(part->until_ns);
			run->left_bits[flow] = -1;
			continue;
		}
		run->left_bits[flow] = left;
		run->order[kept++] = flow;
	}
	return kept;
}

static int open_run(struct run *run, const struct planner_flows *flows,
		    const uint64_t *bytes, const uint64_t *capacity_bps,
		    uint32_t n_capacities)
{
	int r = maxmin_load(&run->net, flows, capacity_bps, n_capacities);

	if (r < 0)
		return r;
	run->left_bits = base_array_new(flows->n, sizeof(*run->left_bits));
	run->order = base_array_new(flows->n, sizeof(*run->order));
	run->found = base_array_new(flows->n, sizeof(*run->found));
	run->part_link = base_array_new(run->net.n_links, sizeof(*run->part_link));
	run->seen_flow = base_array_new(flows->n, sizeof(*run->seen_flow));
	run->seen_link = base_array_new(run->net.n_links, sizeof(*run->seen_link));
	run->heap = base_array_new(flows->n, sizeof(*run->heap));
	if (!run->left_bits || !run->order || !run->found || !run->part_link ||
	    !run->seen_flow || !run->seen_link || !run->heap)
		return -ENOMEM;
	for (uint32_t flow = 0; flow < flows->n; flow++) {
		run->left_bits[flow] = (double)bytes[flow] * 8;
		run->order[flow] = flow;
	}
	return 0;
}

static void close_run(struct run *run)
{
	maxmin_fini(&run->net);
	free(run->left_bits);
	free(run->order);
	free(run->found);
	free(run->part_link);
	free(run->seen_flow);
	free(run->seen_link);
	free(run->heap);
}

int planner_completion(const struct planner_flows *flows, const uint64_t *bytes,
		       const uint64_t *capacity_bps, uint32_t n_capacities,
		       uint64_t *ret_ends_ns)
{
	struct run run = { 0 };
	int r = open_run(&run, flows, bytes, capacity_bps, n_capacities);

	if (r == 0) {
		split(&run, 0, flows->n, 0);
		while (run.n_parts > 0) {
			struct part part = pop_part(&run);
			uint32_t end = finish_first(&run, &part, ret_ends_ns);

			split(&run, part.begin, end, part.until_ns);
		}
	}
	close_run(&run);
	return r;
}
