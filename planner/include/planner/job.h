/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A training job: ranks on NICs, parallel groups, collectives; and how it becomes
 * connections.  Sources: our own document, the short form of the command line, htsim
 * connection matrices, AICB / SimAI workloads.  Each source is one file,
 * planner/src/job_<name>.c, with a row in planner/src/jobs.c.
 */
#pragma once
#include <base/err.h>
#include <planner/problem.h>
#include <topo/name.h>

BASE_BEGIN_DECLS

#define PLANNER_RANKS_MAX 4000000u

enum planner_collective {
	PLANNER_ALL_REDUCE,
	PLANNER_ALL_GATHER,
	PLANNER_REDUCE_SCATTER,
	PLANNER_ALL_TO_ALL,
	PLANNER_BROADCAST,
	PLANNER_REDUCE,
	PLANNER_SEND, /* member i to member i + 1: pipeline stages */
};

enum planner_algorithm {
	PLANNER_AUTO, /* ring; pairs for all-to-all; chain for send */
	PLANNER_RING,
	PLANNER_TREE,		  /* double binary tree */
	PLANNER_HALVING_DOUBLING, /* each step is a phase of its own */
	PLANNER_PAIRS,		  /* every member to every other, equal parts */
	PLANNER_CHAIN,
};

/* Where the ranks of a short form or a workload go. */
enum planner_placement {
	PLANNER_RANDOM, /* hosts drawn with the seed */
	PLANNER_PACKED, /* hosts in order of the fabric */
	PLANNER_SPREAD, /* hosts round robin over leaves (pods first) */
};

/* What the caller wants of a job, or fills in where its source is silent. */
struct planner_job_options {
	uint64_t seed; /* of random placement and permutations */
	enum planner_placement placement;
	/*
	 * Of each job, and copies of it: not 0, they go before what the source says; a
	 * source that names its NICs itself refuses them.  0: as the source says, else
	 * all hosts and one job.
	 */
	uint32_t hosts, jobs;
	uint64_t bytes;	     /* of each collective where the source is silent; 0: 1 GiB */
	uint32_t tp, pp, ep; /* sizes of groups where the source is silent; 0: not said */
	uint32_t gpus; /* of each host, for workloads; 0: one for each NIC, or a whole
			  tensor-parallel group where that is more */
	uint32_t reverse_ppm; /* planner_problem_add_reverse() of what is read */
};

/*
 * Collectives -> connections: the part that all sources share.  @nics are the members of
 * one group in rank order, @bytes is the size of the collective's buffer at each rank, as
 * nccl-tests counts it.  Adds the connections of @job to @p, beginning at @phase;
 * @ret_phases (or NULL) says how many phases it took: 0 when there are fewer than two
 * members, who have nothing to send.  Bytes of a connection are rounded up once.
 *
 * Ring: from each member to the next and from the last to the first; all-reduce sends
 * 2 (n-1)/n of the buffer on each connection, all-gather and reduce-scatter (n-1)/n.
 *
 * Chain: the buffer; broadcast and send from each member to the next, reduce from the
 * last towards the first.
 *
 * Tree: all-reduce sends halves of the buffer up and down two trees; broadcast and reduce
 * the buffer on one tree, whose root is the first member.
 *
 * Halving and doubling: a 2^s-th of the buffer in step s, each step a phase.
 *
 * Pairs: an n-th of the buffer to each other member; all-reduce twice that.
 *
 * On failure @p is unchanged: -BASE_E_INVALID, a collective that does not run that way
 * (the message says which ways there are), no bytes or too many, a phase over the
 * ceiling; -BASE_E_TOO_LARGE; -ENOMEM.
 */
int planner_job_expand(struct planner_problem *p, uint32_t job,
		       enum planner_collective what, enum planner_algorithm how,
		       const uint32_t *nics, uint32_t n, uint64_t bytes, uint32_t phase,
		       uint32_t *ret_phases, struct base_err *err) BASE_MUST_CHECK;

/*
 * Reads a job and adds it to @p, which is initialised with its graph; jobs may be added
 * one after the other.  With @data (not terminated) @name is the file that it came from,
 * and what it is shows in its contents; without, @name is a short form:
 *
 *	ring:hosts=64			ring:hosts=64,jobs=32,placement=random
 *	tree:hosts=64,bytes=1GiB	halving-doubling:hosts=32
 *	all-to-all:hosts=16		permutation
 *	p2p:from=h0.nic0,to=h9.nic0	mix:hosts=64,dp=0.5,pp=0.25,ep=0.25,ep-size=4
 *
 * docs/man/fairlead-job.5.rst has all of it.  When there are then several jobs, and any
 * has more than one phase, all phases of @p become one, unless they all come from one
 * document that says that its jobs are synchronised.
 *
 * On failure @p is unchanged, and @err has file, line and column, or the word of the
 * short form.
 */
int planner_job_read(struct planner_problem *p, const struct topo_names *names,
		     const char *name, const char *data, size_t len,
		     const struct planner_job_options *options,
		     struct base_err *err) BASE_MUST_CHECK;

/* One line for each short form, for help: ended by NULL. */
const char *const *planner_job_forms(void);

BASE_END_DECLS
