/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Progressive filling on links and flows that are numbered without gaps, for those who
 * run it many times on one set of paths.
 *
 * Rates are whole numbers of a unit of 1/scale bit/s.  The scale has many divisors, so
 * that nearly every share of real links (a rate over a small count) is exact, compares
 * equal where it is equal, and stays so when it is subtracted from other links.  A
 * division that leaves a rest rounds down: what is left of a link is never less than what
 * its flows will get, so that no order of work can overfill one.
 */
#pragma once
#include <planner/evaluate.h>

#define MAXMIN_NO_RATE UINT64_MAX

struct maxmin_link {
	uint64_t left;	  /* of its capacity, in units */
	uint32_t n_flows; /* that have no rate yet */
	uint32_t next;	  /* in its bucket of the queue */
};

struct maxmin {
	uint32_t n_flows, n_links;
	uint64_t scale;		  /* units in one bit per second */
	const uint32_t *first;	  /* borrowed from the flows: [flow] into links */
	uint32_t *links;	  /* of each flow */
	uint32_t *row_first;	  /* [link] into rows; n_links + 1 */
	uint32_t *row_end;	  /* [link] may be drawn in by the caller */
	uint32_t *rows;		  /* flows of each link */
	uint64_t *capacity;	  /* [link] in units */
	uint64_t *key;		  /* [link] scratch of the queue */
	struct maxmin_link *link; /* [link] */
	uint64_t *rate;		  /* [flow] in units */
	char *block;		  /* all of these arrays */
	size_t cap_block;
	uint32_t *hop;	 /* [link] its hop */
	uint32_t *count; /* [hop] scratch of loading, all 0 between loads */
	size_t cap_hop, cap_count;
};

/* Stops a filling early: as soon as each group has one flow with a rate, its slowest. */
struct maxmin_watch {
	const uint32_t *group; /* [flow] */
	uint64_t *slowest;     /* [group] MAXMIN_NO_RATE on entry; in units */
	uint32_t waiting;      /* groups with flows but without a rate yet */
};

/* An all-zero struct is ready to load; a loaded one may be loaded again and keeps its
 * memory. */
void maxmin_fini(struct maxmin *m);

/* Errors of planner_maxmin().  @flows is borrowed until the next load. */
int maxmin_load(struct maxmin *m, const struct planner_flows *flows,
		const uint64_t *capacity_bps, uint32_t n_capacities) BASE_MUST_CHECK;

/* Fills all links.  @watch may be NULL. */
void maxmin_fill(struct maxmin *m, struct maxmin_watch *watch);

/*
 * Fills @n links, which must hold all the links of all flows in their rows; those flows
 * must have MAXMIN_NO_RATE.  Rates of other flows stay.
 */
void maxmin_fill_some(struct maxmin *m, const uint32_t *links, uint32_t n);
