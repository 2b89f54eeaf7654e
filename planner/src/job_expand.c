/* SPDX-License-Identifier: Apache-2.0 */
#include "job_private.h"
#include "problem_private.h"
#include <base/num.h>
#include <base/str.h>

const char *const planner_collective_words[PLANNER_COLLECTIVES] = {
	"all-reduce", "all-gather", "reduce-scatter", "all-to-all",
	"broadcast",  "reduce",	    "send",
};
const char *const planner_algorithm_words[PLANNER_ALGORITHMS] = {
	"auto", "ring", "tree", "halving-doubling", "pairs", "chain",
};

int planner_job_send(struct planner_problem *p, uint32_t job, uint32_t src_nic,
		     uint32_t dst_nic, uint64_t bytes, uint32_t phase,
		     struct base_err *err)
{
	struct planner_conn conn = {
		.src_nic = src_nic,
		.dst_nic = dst_nic,
		.job = job,
		.phase = phase,
		.bytes = bytes,
		.plane = TOPO_NONE,
	};

	if (src_nic == dst_nic && bytes <= PLANNER_BYTES_MAX)
		return planner_problem_add_local(p, bytes, err);
	return planner_problem_add_conn(p, &conn, err);
}

int planner_expansion_send(const struct planner_expansion *e, uint32_t from, uint32_t to,
			   uint64_t bytes, uint32_t step)
{
	return planner_job_send(e->p, e->job, e->nics[from], e->nics[to], bytes,
				e->phase + step, e->err);
}

int planner_job_ring(struct planner_problem *p, uint32_t job, const uint32_t *nics,
		     uint32_t n, uint64_t bytes, uint32_t phase, struct base_err *err)
{
	for (uint32_t i = 0; i < n; i++) {
		int r = planner_job_send(p, job, nics[i], nics[(i + 1) % n], bytes, phase,
					 err);

		if (r < 0)
			return r;
	}
	return 0;
}

/* Each function below returns the number of phases, or negative. */

/* Every part goes round all but one of the connections, @rounds times. */
static int expand_ring(const struct planner_expansion *e, uint32_t rounds)
{
	uint64_t bytes =
		base_num_mul_div_up(e->bytes, (uint64_t)rounds * (e->n - 1), e->n);
	int r = planner_job_ring(e->p, e->job, e->nics, e->n, bytes, e->phase, e->err);

	return r < 0 ? r : 1;
}

static int expand_ring_once(const struct planner_expansion *e)
{
	return expand_ring(e, 1);
}

static int expand_ring_twice(const struct planner_expansion *e)
{
	return expand_ring(e, 2);
}

static int expand_chain_down(const struct planner_expansion *e)
{
	int r = 0;

	for (uint32_t i = 0; r == 0 && i + 1 < e->n; i++)
		r = planner_expansion_send(e, i, i + 1, e->bytes, 0);
	return r < 0 ? r : 1;
}

static int expand_chain_up(const struct planner_expansion *e)
{
	int r = 0;

	for (uint32_t i = e->n - 1; r == 0 && i > 0; i--)
		r = planner_expansion_send(e, i, i - 1, e->bytes, 0);
	return r < 0 ? r : 1;
}

static int expand_star_down(const struct planner_expansion *e)
{
	int r = 0;

	for (uint32_t i = 1; r == 0 && i < e->n; i++)
		r = planner_expansion_send(e, 0, i, e->bytes, 0);
	return r < 0 ? r : 1;
}

static int expand_star_up(const struct planner_expansion *e)
{
	int r = 0;

	for (uint32_t i = 1; r == 0 && i < e->n; i++)
		r = planner_expansion_send(e, i, 0, e->bytes, 0);
	return r < 0 ? r : 1;
}

/* Parts are rounded up alike: equal volumes are what colouring is good at. */
static int expand_pairs(const struct planner_expansion *e, uint32_t rounds)
{
	uint64_t bytes = base_num_mul_div_up(e->bytes, rounds, e->n);

	if ((uint64_t)e->n * (e->n - 1) > PLANNER_CONNS_MAX)
		return base_err_set(e->err, -BASE_E_TOO_LARGE,
				    "%u members are %llu pairs, the ceiling is %u", e->n,
				    (unsigned long long)e->n * (e->n - 1),
				    PLANNER_CONNS_MAX);
	for (uint32_t i = 0; i < e->n; i++) {
		/* Member i begins with its neighbour, so that no one is everybody's
		 * first. */
		for (uint32_t d = 1; d < e->n; d++) {
			int r = planner_expansion_send(e, i, (i + d) % e->n, bytes, 0);

			if (r < 0)
				return r;
		}
	}
	return 1;
}

static int expand_pairs_once(const struct planner_expansion *e)
{
	return expand_pairs(e, 1);
}

static int expand_pairs_twice(const struct planner_expansion *e)
{
	return expand_pairs(e, 2);
}

static const struct way {
	enum planner_collective what;
	enum planner_algorithm how;
	int (*expand)(const struct planner_expansion *e);
} ways[] = {
	/* The first of a collective is what PLANNER_AUTO means. */
	{ PLANNER_ALL_REDUCE, PLANNER_RING, expand_ring_twice },
	{ PLANNER_ALL_REDUCE, PLANNER_TREE, planner_expand_double_tree },
	{ PLANNER_ALL_REDUCE, PLANNER_HALVING_DOUBLING, planner_expand_halving_doubling },
	{ PLANNER_ALL_REDUCE, PLANNER_PAIRS, expand_pairs_twice },
	{ PLANNER_ALL_GATHER, PLANNER_RING, expand_ring_once },
	{ PLANNER_ALL_GATHER, PLANNER_HALVING_DOUBLING, planner_expand_doubling },
	{ PLANNER_ALL_GATHER, PLANNER_PAIRS, expand_pairs_once },
	{ PLANNER_REDUCE_SCATTER, PLANNER_RING, expand_ring_once },
	{ PLANNER_REDUCE_SCATTER, PLANNER_HALVING_DOUBLING, planner_expand_halving },
	{ PLANNER_REDUCE_SCATTER, PLANNER_PAIRS, expand_pairs_once },
	{ PLANNER_ALL_TO_ALL, PLANNER_PAIRS, expand_pairs_once },
	{ PLANNER_BROADCAST, PLANNER_RING, expand_chain_down },
	{ PLANNER_BROADCAST, PLANNER_CHAIN, expand_chain_down },
	{ PLANNER_BROADCAST, PLANNER_TREE, planner_expand_tree_down },
	{ PLANNER_BROADCAST, PLANNER_PAIRS, expand_star_down },
	{ PLANNER_REDUCE, PLANNER_RING, expand_chain_up },
	{ PLANNER_REDUCE, PLANNER_CHAIN, expand_chain_up },
	{ PLANNER_REDUCE, PLANNER_TREE, planner_expand_tree_up },
	{ PLANNER_REDUCE, PLANNER_PAIRS, expand_star_up },
	{ PLANNER_SEND, PLANNER_CHAIN, expand_chain_down },
};

static const struct way *find_way(enum planner_collective what,
				  enum planner_algorithm how)
{
	for (size_t i = 0; i < BASE_COUNT(ways); i++)
		if (ways[i].what == what && (how == PLANNER_AUTO || ways[i].how == how))
			return &ways[i];
	return NULL;
}

static int fail_way(enum planner_collective what, enum planner_algorithm how,
		    struct base_err *err)
{
	struct base_str list;
	int r;

	if ((uint32_t)what >= PLANNER_COLLECTIVES || (uint32_t)how >= PLANNER_ALGORITHMS)
		return base_err_set(err, -BASE_E_INVALID, "no such collective");
	base_str_init(&list, 0);
	for (size_t i = 0; i < BASE_COUNT(ways); i++)
		if (ways[i].what == what)
			base_str_addf(&list, "%s%s", list.len > 0 ? ", " : "",
				      planner_algorithm_words[ways[i].how]);
	r = base_err_set(err, -BASE_E_INVALID,
			 "\"%s\" cannot run as \"%s\"; it can as %s",
			 planner_collective_words[what], planner_algorithm_words[how],
			 base_str_text(&list));
	base_str_fini(&list);
	return r;
}

int planner_job_expand(struct planner_problem *p, uint32_t job,
		       enum planner_collective what, enum planner_algorithm how,
		       const uint32_t *nics, uint32_t n, uint64_t bytes, uint32_t phase,
		       uint32_t *ret_phases, struct base_err *err)
{
	struct planner_problem_mark mark = planner_problem_mark(p);
	struct planner_expansion e = { p, job, nics, n, bytes, phase, err };
	const struct way *way = find_way(what, how);
	int r = 0;

	if (!way)
		return fail_way(what, how, err);
	if (bytes == 0 || bytes > PLANNER_BYTES_MAX)
		return base_err_set(err, -BASE_E_INVALID,
				    "a collective has 1 to %llu bytes, not %llu",
				    (unsigned long long)PLANNER_BYTES_MAX,
				    (unsigned long long)bytes);
	if (phase >= PLANNER_PHASES_MAX)
		return base_err_set(err, -BASE_E_INVALID,
				    "phase %u is over the ceiling: phases are 0 to %u",
				    phase, PLANNER_PHASES_MAX - 1);
	if (n >= 2)
		r = way->expand(&e);
	if (r < 0) {
		planner_problem_rewind(p, &mark);
		return r;
	}
	if (ret_phases)
		*ret_phases = (uint32_t)r;
	return 0;
}
