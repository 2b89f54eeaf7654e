/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plan: for every connection its QPs, for every QP a path and a weight; and the
 * certificate that says how good it is.
 */
#pragma once
#include <stdbool.h>
#include <base/err.h>
#include <base/str.h>
#include <planner/problem.h>
#include <topo/name.h>

BASE_BEGIN_DECLS

#define PLANNER_QPS_MAX 128u /* per connection, as NCCL allows */

struct planner_qp {
	uint32_t first_hop;  /* into plan->hops */
	uint32_t n_hops;     /* 2 at least */
	uint32_t weight_ppm; /* of the connection's bytes; a connection's QPs add up to
				1,000,000 */
};

/* Where a lower bound comes from: anyone can add up what crosses the cut and divide by
 * its rate. */
enum planner_cut_kind {
	PLANNER_CUT_NONE,    /* no traffic */
	PLANNER_CUT_NIC_OUT, /* node: the NIC; its links of one plane, or of all */
	PLANNER_CUT_NIC_IN,
	PLANNER_CUT_LEAF_OUT, /* node: the leaf; all its live uplinks */
	PLANNER_CUT_LEAF_IN,
	PLANNER_CUT_POD_OUT, /* pod number; all its live links to cores */
	PLANNER_CUT_POD_IN,
	PLANNER_CUT_LEAF_PAIR, /* node to peer: what common live spines can carry */
	PLANNER_CUT_POD_PAIR,  /* pod to peer: what common live cores can carry */
};

struct planner_cut {
	enum planner_cut_kind kind;
	uint32_t node,
		peer; /* node ids, or pod numbers for POD kinds; TOPO_NONE when unused */
	uint32_t phase, plane; /* plane TOPO_NONE: over all planes */
	uint64_t bytes;	       /* that must cross, per iteration */
	uint64_t rate_bps;     /* that the cut can carry */
	uint64_t load_ppm;     /* bytes over rate, in units of the reference time */
};

/* Connections without any path count neither as load nor in a bound. */
struct planner_certificate {
	uint64_t largest_load_ppm; /* over all links and phases, NIC links included */
	uint32_t binding_hop;	   /* a hop that has it; TOPO_NONE: no traffic */
	uint32_t binding_phase;
	struct planner_cut cut;	  /* gives lower_bound_ppm */
	uint64_t lower_bound_ppm; /* no plan can be below, however finely bytes are split
				   */
	uint64_t integral_bound_ppm; /* no plan of equally weighted QPs (this many) can be
					below */
	uint64_t gap_ppm; /* largest load over integral bound, minus one; 0: proved
			     optimal */
	/* The same over links between switches only: what choosing paths can change. */
	uint64_t fabric_load_ppm, fabric_bound_ppm, fabric_integral_bound_ppm;
	uint32_t fabric_hop, fabric_phase;
	struct planner_cut fabric_cut;
	uint64_t qps_above_one; /* QPs that cross a switch link with load above 1,000,000
				   ppm */
	/* QPs with weight whose path crosses a link that is down; of a plan that was
	 * read, until it is replanned. */
	uint64_t qps_on_dead_links;
};

/* Bus bandwidths beside those of others, ppm of the NICs' line rate; see
 * planner/baseline.h. */
struct planner_gain {
	bool is_known;
	uint64_t planned_ppm, greedy_ppm, ecmp_mean_ppm, ecmp_worst_ppm,
		best_unplanned_ppm;
};

struct planner_plan {
	uint32_t n_conns, n_qps;
	uint32_t *conn_first; /* n_conns + 1: QPs of connection c are conn_first[c] ..
				 conn_first[c+1]-1 */
	struct planner_qp *qps;
	uint32_t *hops; /* hop ids of topo/graph.h */
	size_t n_hops;
	uint32_t unroutable; /* connections without any path; they have no QP */
	uint32_t moved;	     /* QPs on another path than in the plan this one replaced */
	uint32_t moved_must; /* of those: their old path was dead or they are new */
	struct planner_certificate certificate;
	struct planner_gain gain; /* filled by whoever ran the baselines */
	/* Of a plan that was read: what it was made for, as it says; 0: made here. */
	uint64_t graph_fingerprint, problem_fingerprint;
};

/* Owned by the caller, who frees it.  NULL: no memory.  Room for the counts; contents
 * zero. */
struct planner_plan *planner_plan_new(uint32_t n_conns, uint32_t n_qps,
				      size_t n_hops) BASE_MUST_CHECK;
void planner_plan_free(struct planner_plan *plan); /* NULL is fine */

/* The first hop of a QP's path whose link is down; TOPO_NONE: all are up. */
uint32_t planner_plan_dead_hop(const struct topo_graph *g,
			       const struct planner_plan *plan,
			       const struct planner_qp *qp);

/* The most QPs of any connection; 0: there is no QP. */
uint32_t planner_plan_qps_max(const struct planner_plan *plan);

/*
 * Relative load of every hop (2 * n_links values, ppm, rounded to nearest) in one phase,
 * or the largest over phases with TOPO_NONE.
 */
int planner_plan_loads(const struct planner_problem *p, const struct planner_plan *plan,
		       uint32_t phase, uint64_t *loads_ppm) BASE_MUST_CHECK;

/* Fills plan->certificate from the plan and the problem: adds up every load and every cut
 * anew. */
int planner_plan_certify(const struct planner_problem *p,
			 struct planner_plan *plan) BASE_MUST_CHECK;

/*
 * Checks a plan against its problem: every path joins its connection's ends over live
 * links without visiting a node twice, weights add up, counts agree.  0, or
 * -BASE_E_INVALID with what is wrong.
 */
int planner_plan_check(const struct planner_problem *p, const struct planner_plan *plan,
		       struct base_err *err) BASE_MUST_CHECK;

/* "largest load 1.000 on leaf3>spine5 in phase 0", the cut in words: "leaf leaf3 out". */
void planner_cut_text(const struct topo_graph *g, const struct planner_cut *cut,
		      struct base_str *into);

/*
 * The document "fairlead.plan.v1" (docs/schema/plan.v1.json).
 * It carries its connections, so that it can be read without its job.
 */
void planner_plan_write_json(const struct planner_problem *p,
			     const struct planner_plan *plan, struct base_str *into);
/*
 * Reads it back onto a fabric: fills @p (initialised, empty) with the connections and
 * jobs, and the plan (owned by the caller).  A path over a link that the fabric does not
 * have is an error; over a dead link is not (replanning is for that).
 *
 * With @p and *@ret_plan unchanged and the reason, with line and column, in @err: what
 * base_json_parse() returns; -BASE_E_SCHEMA, another document; -BASE_E_UNKNOWN, a name or
 * key that is not known; -BASE_E_INVALID; -BASE_E_TOO_LARGE, a ceiling; -ENOMEM.
 */
int planner_plan_read_json(const char *name, const char *data, size_t len,
			   const struct topo_names *names, struct planner_problem *p,
			   struct planner_plan **ret_plan,
			   struct base_err *err) BASE_MUST_CHECK;

/* A plain list, tab-separated with a heading: source, destination, QP, path, weight,
 * connection, job, phase. */
void planner_plan_write_list(const struct planner_problem *p,
			     const struct planner_plan *plan, struct base_str *into);
/*
 * HPCC / ns-3 flow text: a count, then "src dst priority port bytes start-seconds" for
 * each QP, with node numbers as topo_write numbers them for that format: hosts in order
 * of id.  Paths do not fit that format; the list says so in docs/formats.md.
 */
void planner_plan_write_ns3(const struct planner_problem *p,
			    const struct planner_plan *plan, struct base_str *into);

BASE_END_DECLS
