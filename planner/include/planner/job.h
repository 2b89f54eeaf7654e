/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A training job: ranks on NICs, parallel groups, collectives; and how it becomes
 * connections. Sources: our own document, the short form of the command line, htsim
 * connection matrices, AICB / SimAI workloads. Each source is one file,
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

struct planner_job_options {
	uint64_t seed;
	enum planner_placement placement;
	uint32_t hosts;	     /* of each job; 0: as the source says, else all */
	uint32_t jobs;	     /* copies; 0: as the source says, else 1 */
	uint64_t bytes;	     /* of each collective where the source is silent; 0: 1 GiB */
	uint32_t tp, pp, ep; /* sizes of groups where the source is silent; 0: not said */
	uint32_t gpus; /* of each host, for workloads; 0: one for each NIC, or a whole
			  tensor-parallel group where that is more */
	uint32_t reverse_ppm;
};

/*
 * Collectives -> connections: the part that everything shares.  @nics are the members of
 * one group in rank order;
 * @bytes is the size of the collective's buffer per rank, as nccl-tests counts it.  Adds
 * the connections of @job to @p, beginning at @phase; @ret_phases (or NULL) says how many
 * phases it took. Bytes per connection follow the algorithm: a ring all-reduce over n
 * members sends 2 (n-1)/n times the buffer on each of its n connections.
 */
int planner_job_expand(struct planner_problem *p, uint32_t job,
		       enum planner_collective what, enum planner_algorithm how,
		       const uint32_t *nics, uint32_t n, uint64_t bytes, uint32_t phase,
		       uint32_t *ret_phases, struct base_err *err) BASE_MUST_CHECK;

/*
 * Reads a job and adds it to @p (initialised with its graph; jobs may be added one after
 *the other).
 * @spec is a file's contents when @data is not NULL (of @name), else the short form, for
 *example ring:hosts=64	tree:hosts=64,bytes=1GiB	all-to-all:hosts=16
 *permutation halving-doubling:hosts=32	p2p:from=h0.nic0,to=h9.nic0
 *ring:hosts=64,jobs=32,placement=random and the mixed form:
 *mix:hosts=64,dp=0.5,pp=0.25,ep=0.25,ep-size=4. Errors name file, line and column, or the
 *word of the short form.
 */
int planner_job_read(struct planner_problem *p, const struct topo_names *names,
		     const char *name, const char *data, size_t len,
		     const struct planner_job_options *options,
		     struct base_err *err) BASE_MUST_CHECK;

/* One line for each short form, for help: ended by NULL. */
const char *const *planner_job_forms(void);

BASE_END_DECLS
