/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is to be planned: connections between NICs, with bytes per iteration and a phase,
 * on a fabric.
 *
 * Phases are common to all jobs of a problem: connections of one phase may send at the
 * same time and add up on a link; connections of different phases never do.
 */
#pragma once
#include <base/compiler.h>
#include <base/err.h>
#include <topo/graph.h>

BASE_BEGIN_DECLS

#define PLANNER_CONNS_MAX 16000000u
#define PLANNER_LOCAL_CONNS_MAX 256000000u /* inside hosts: counted, not kept */
#define PLANNER_TOTAL_QPS_MAX 64000000u	   /* of all connections of a plan */
#define PLANNER_PHASES_MAX 1024u
#define PLANNER_BYTES_MAX ((uint64_t)1 << 60) /* of one connection */

struct planner_conn {
	uint32_t src_nic, dst_nic; /* node ids of two different NICs */
	uint32_t job;		   /* 0..n_jobs-1 */
	uint32_t phase;		   /* 0..n_phases-1 */
	uint64_t bytes; /* per iteration, from source to destination; above 0 */
	uint32_t plane; /* the only plane allowed, or TOPO_NONE: any */
};

struct planner_problem {
	const struct topo_graph *graph; /* borrowed, sealed; must outlive the problem */
	struct planner_conn *conns;
	uint32_t n_conns;
	size_t cap_conns;
	char **job_names; /* owned */
	uint32_t n_jobs;
	size_t cap_jobs;
	uint32_t n_phases;
	/* Traffic inside a host never enters the fabric: left out and counted. */
	uint64_t local_conns, local_bytes;
	/* What the input did not say, as in topo/graph.h. */
	struct planner_assumption {
		char *name, *value, *reason;
	} * assumptions;
	uint32_t n_assumptions;
	size_t cap_assumptions;
};

void planner_problem_init(struct planner_problem *p, const struct topo_graph *graph);
/* Frees what @p owns and leaves it empty, on the same graph. */
void planner_problem_fini(struct planner_problem *p);

/* A new job; names (copied) need not be unique.  -ENOMEM.  @ret_job may be NULL. */
int planner_problem_add_job(struct planner_problem *p, const char *name,
			    uint32_t *ret_job) BASE_MUST_CHECK;
/*
 * Adds a connection (copied).  Ends on the same host are counted as local and not added.
 * On failure @p is unchanged: -BASE_E_INVALID, not two different NICs, no such job or
 * plane, no bytes or too many, phase over the ceiling; -BASE_E_TOO_LARGE,
 * PLANNER_CONNS_MAX or PLANNER_LOCAL_CONNS_MAX reached; -ENOMEM.
 */
int planner_problem_add_conn(struct planner_problem *p, const struct planner_conn *conn,
			     struct base_err *err) BASE_MUST_CHECK;
/* Records an assumption once: the same name and value again changes nothing.  -ENOMEM. */
int planner_problem_assume(struct planner_problem *p, const char *name, const char *value,
			   const char *reason) BASE_MUST_CHECK;
/*
 * Adds for every connection its reverse traffic (ACKs, CNPs, credits): a connection from
 * destination to source with @share_ppm of its bytes (at least one), in the same phase
 * and job and on the same plane, after all others.  A share of 0 adds nothing.  On
 * failure
 * @p is unchanged: -BASE_E_INVALID, a share over 1,000,000 ppm; -BASE_E_TOO_LARGE;
 * -ENOMEM.
 */
int planner_problem_add_reverse(struct planner_problem *p, uint32_t share_ppm,
				struct base_err *err) BASE_MUST_CHECK;

/*
 * The unit of every relative load: the time that the busiest NIC needs, in the phase that
 * is longest for it, to send or receive its bytes at line rate (that of all its links,
 * dead ones included).  Load 1,000,000 ppm: the link carries exactly its rate during that
 * time.  Exact: *ret_bytes over *ret_rate_bps; 0 over 1 without connections, 1 over 1
 * when none of the NICs has a link.  -ENOMEM.
 */
int planner_problem_reference(const struct planner_problem *p, uint64_t *ret_bytes,
			      uint64_t *ret_rate_bps) BASE_MUST_CHECK;

/* A hash of connections, jobs and phases (names of NICs included). */
uint64_t planner_problem_fingerprint(const struct planner_problem *p);

BASE_END_DECLS
