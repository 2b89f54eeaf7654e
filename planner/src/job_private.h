/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the sources of jobs share.  A source is a file job_<name>.c with a row in jobs.c.
 */
#pragma once
#include <base/err.h>
#include <planner/job.h>
#include <planner/problem.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <topo/name.h>

/* One call of planner_job_read(). */
struct planner_job_reading {
	struct planner_problem *p;
	const struct topo_names *names;
	const char *name; /* the file, or the short form itself */
	const char *data; /* NULL: a short form */
	size_t len;
	const struct planner_job_options *options;
	bool is_synchronised; /* set by the source: its jobs' phases are common to them */
};

struct planner_job_source {
	const char *what; /* for messages */
	/* A cheap look at the beginning; sources are asked in order. */
	bool (*is_mine)(const char *data, size_t len);
	/* Adds to reading->p; on failure the caller takes away what was added. */
	int (*read)(struct planner_job_reading *reading, struct base_err *err);
};

extern const struct planner_job_source planner_job_source_json;	 /* job_json.c */
extern const struct planner_job_source planner_job_source_cm;	 /* job_cm.c */
extern const struct planner_job_source planner_job_source_simai; /* job_simai.c */
extern const struct planner_job_source planner_job_source_aicb;	 /* job_aicb.c */
int planner_job_form_read(struct planner_job_reading *reading,
			  struct base_err *err) BASE_MUST_CHECK; /* job_form.c */

/* Records an assumption, its value printed; -ENOMEM goes to @err too. */
int planner_job_assume(struct planner_problem *p, struct base_err *err, const char *name,
		       const char *reason, const char *fmt, ...)
	BASE_PRINTF(5, 6) BASE_MUST_CHECK;
/* For sources that name their NICs: refuses options that would choose them.  @what: "a
 * job document". */
int planner_job_refuse_hosts(const struct planner_job_reading *reading, const char *what,
			     struct base_err *err) BASE_MUST_CHECK;
/* The size of a collective that its source leaves open; records the assumption. */
int planner_job_default_bytes(const struct planner_job_reading *reading,
			      uint64_t *ret_bytes, struct base_err *err) BASE_MUST_CHECK;

/* Words of enum planner_collective, planner_algorithm, planner_placement; no NULL. */
#define PLANNER_COLLECTIVES 7u
#define PLANNER_ALGORITHMS 6u
#define PLANNER_PLACEMENTS 3u
extern const char *const planner_collective_words[PLANNER_COLLECTIVES];
extern const char *const planner_algorithm_words[PLANNER_ALGORITHMS];
extern const char *const planner_placement_words[PLANNER_PLACEMENTS];

/* Expansion (job_expand*.c). */

struct planner_expansion {
	struct planner_problem *p;
	uint32_t job;
	const uint32_t *nics; /* members in rank order */
	uint32_t n;	      /* 2 at least */
	uint64_t bytes;
	uint32_t phase; /* the first */
	struct base_err *err;
};

/* One connection; NICs of one host, or the same NIC, are counted as local. */
int planner_job_send(struct planner_problem *p, uint32_t job, uint32_t src_nic,
		     uint32_t dst_nic, uint64_t bytes, uint32_t phase,
		     struct base_err *err) BASE_MUST_CHECK;
/* From member to member, @step phases after the first. */
int planner_expansion_send(const struct planner_expansion *e, uint32_t from, uint32_t to,
			   uint64_t bytes, uint32_t step) BASE_MUST_CHECK;
/* Each member to the next and the last to the first: @bytes on each connection. */
int planner_job_ring(struct planner_problem *p, uint32_t job, const uint32_t *nics,
		     uint32_t n, uint64_t bytes, uint32_t phase,
		     struct base_err *err) BASE_MUST_CHECK;

/* job_expand_tree.c; each returns the number of phases, or negative. */
int planner_expand_double_tree(const struct planner_expansion *e) BASE_MUST_CHECK;
int planner_expand_tree_down(const struct planner_expansion *e) BASE_MUST_CHECK;
int planner_expand_tree_up(const struct planner_expansion *e) BASE_MUST_CHECK;
/* job_expand_halving.c, likewise */
int planner_expand_halving_doubling(const struct planner_expansion *e) BASE_MUST_CHECK;
int planner_expand_halving(const struct planner_expansion *e) BASE_MUST_CHECK;
int planner_expand_doubling(const struct planner_expansion *e) BASE_MUST_CHECK;

/* Hosts and placement (job_place.c). */

/* Hosts with at least one NIC that has a link, in order of the fabric. */
struct planner_job_hosts {
	uint32_t n, n_nics;
	uint32_t *host;	 /* [n] node ids */
	uint32_t *first; /* [n + 1] into nics */
	uint32_t *nics;	 /* NICs with a link, by rail where that is known */
};

int planner_job_hosts_init(struct planner_job_hosts *hosts,
			   const struct topo_graph *g) BASE_MUST_CHECK;
void planner_job_hosts_fini(struct planner_job_hosts *hosts);
static inline uint32_t planner_job_hosts_nics(const struct planner_job_hosts *hosts,
					      uint32_t host)
{
	return hosts->first[host + 1] - hosts->first[host];
}

/* All hosts (numbers into hosts->host) in the order in which ranks take them. */
int planner_job_place(const struct topo_graph *g, const struct planner_job_hosts *hosts,
		      enum planner_placement placement, uint64_t seed,
		      uint32_t *ret_order) BASE_MUST_CHECK;
