/* SPDX-License-Identifier: Apache-2.0 */
#include <planner/evaluate.h>
#include "evaluator.h"
#include <base/mem.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define PPM 1000000u

/* Sorts connections by job, then, keeping that order, by phase: two passes of counting.
 */
static int sort_conns(struct evaluator *e)
{
	const struct planner_problem *p = e->p;
	uint32_t *by_job = base_array_new(p->n_conns, sizeof(*by_job));
	uint32_t *at_job = base_array_new((size_t)p->n_jobs + 1, sizeof(*at_job));
	uint32_t *at_phase = base_array_new((size_t)p->n_phases + 1, sizeof(*at_phase));
	int r = by_job && at_job && at_phase ? 0 : -ENOMEM;

	if (r < 0)
		goto out;
	for (uint32_t conn = 0; conn < p->n_conns; conn++) {
		at_job[p->conns[conn].job + 1]++;
		at_phase[p->conns[conn].phase + 1]++;
	}
	for (uint32_t job = 0; job < p->n_jobs; job++)
		at_job[job + 1] += at_job[job];
	for (uint32_t phase = 0; phase < p->n_phases; phase++)
		at_phase[phase + 1] += at_phase[phase];
	for (uint32_t conn = 0; conn < p->n_conns; conn++)
		by_job[at_job[p->conns[conn].job]++] = conn;
	for (uint32_t i = 0; i < p->n_conns; i++)
		e->order[at_phase[p->conns[by_job[i]].phase]++] = by_job[i];
out:
	free(by_job);
	free(at_job);
	free(at_phase);
	return r;
}

static int find_groups(struct evaluator *e)
{
	const struct planner_problem *p = e->p;
	size_t cap = 0;
	uint32_t phase = 0;

	for (uint32_t i = 0; i < p->n_conns; i++) {
		const struct planner_conn *conn = &p->conns[e->order[i]];
		struct evaluator_group *group =
			e->n_groups ? &e->groups[e->n_groups - 1] : NULL;

		if (group && group->job == conn->job && phase == conn->phase) {
			group->end = i + 1;
			continue;
		}
		group = base_grow(e->groups, &cap, (size_t)e->n_groups + 1,
				  sizeof(*group));
		if (!group)
			return -ENOMEM;
		e->groups = group;
		while (phase < conn->phase)
			e->phase_groups[++phase] = e->n_groups;
		e->groups[e->n_groups++] =
			(struct evaluator_group){ conn->job, i, i + 1, 0 };
	}
	while (phase < p->n_phases)
		e->phase_groups[++phase] = e->n_groups;
	return 0;
}

/* Adds a connection's bytes at one of its ends, and notes what that NIC then needs. */
static void add_at_nic(const struct evaluator *e, struct evaluator_group *group,
		       uint32_t nic, double *nic_bits, double bits)
{
	double seconds;

	nic_bits[nic] += bits;
	seconds = nic_bits[nic] / (double)topo_graph_nic_rate_bps(e->p->graph, nic);
	if (seconds > group->reference_s)
		group->reference_s = seconds;
}

static int find_references(struct evaluator *e)
{
	const struct planner_problem *p = e->p;
	uint32_t n_nodes = topo_graph_n_nodes(p->graph);
	double *sent_bits = base_array_new(n_nodes, sizeof(*sent_bits));
	double *received_bits = base_array_new(n_nodes, sizeof(*received_bits));
	int r = sent_bits && received_bits ? 0 : -ENOMEM;

	for (uint32_t g = 0; r == 0 && g < e->n_groups; g++) {
		struct evaluator_group *group = &e->groups[g];

		for (uint32_t i = group->begin; i < group->end; i++) {
			const struct planner_conn *conn = &p->conns[e->order[i]];
			double bits = (double)conn->bytes * 8;

			add_at_nic(e, group, conn->src_nic, sent_bits, bits);
			add_at_nic(e, group, conn->dst_nic, received_bits, bits);
		}
		for (uint32_t i = group->begin; i < group->end; i++) {
			sent_bits[p->conns[e->order[i]].src_nic] = 0;
			received_bits[p->conns[e->order[i]].dst_nic] = 0;
		}
	}
	free(sent_bits);
	free(received_bits);
	return r;
}

static int allocate(struct evaluator *e)
{
	const struct planner_problem *p = e->p;

	e->n_hops = 2 * topo_graph_n_links(p->graph);
	e->capacity_bps = base_array_new(e->n_hops, sizeof(*e->capacity_bps));
	e->order = base_array_new(p->n_conns, sizeof(*e->order));
	e->phase_groups =
		base_array_new((size_t)p->n_phases + 1, sizeof(*e->phase_groups));
	e->slowest = base_array_new(p->n_jobs, sizeof(*e->slowest));
	e->job_reference_s = base_array_new(p->n_jobs, sizeof(*e->job_reference_s));
	e->job_seconds[0] = base_array_new(p->n_jobs, sizeof(**e->job_seconds));
	e->job_seconds[1] = base_array_new(p->n_jobs, sizeof(**e->job_seconds));
	if (!e->capacity_bps || !e->order || !e->phase_groups || !e->slowest ||
	    !e->job_reference_s || !e->job_seconds[0] || !e->job_seconds[1])
		return -ENOMEM;
	for (uint32_t hop = 0; hop < e->n_hops; hop++) {
		const struct topo_link *link =
			&topo_graph_links(p->graph)[topo_hop_link(hop)];

		e->capacity_bps[hop] = link->rate_bps;
		e->has_dead_links |= link->state != TOPO_UP;
	}
	return 0;
}

int evaluator_init(struct evaluator *e, const struct planner_problem *p)
{
	int r;

	memset(e, 0, sizeof(*e));
	e->p = p;
	r = allocate(e);
	if (r == 0)
		r = sort_conns(e);
	if (r == 0)
		r = find_groups(e);
	if (r == 0)
		r = find_references(e);
	if (r < 0)
		evaluator_fini(e);
	return r;
}

void evaluator_fini(struct evaluator *e)
{
	maxmin_fini(&e->net);
	free(e->capacity_bps);
	free(e->order);
	free(e->groups);
	free(e->phase_groups);
	free(e->first);
	free(e->hops);
	free(e->flow_group);
	free(e->slowest);
	free(e->job_seconds[0]);
	free(e->job_seconds[1]);
	free(e->job_reference_s);
	memset(e, 0, sizeof(*e));
}

/* Room for the flows of connections order[begin..end). */
static int grow_flows(struct evaluator *e, const struct planner_plan *plan,
		      uint32_t begin, uint32_t end)
{
	size_t n_flows = 0, n_hops = 0;
	uint32_t *grown;

	for (uint32_t i = begin; i < end; i++) {
		uint32_t conn = e->order[i];

		for (uint32_t q = plan->conn_first[conn]; q < plan->conn_first[conn + 1];
		     q++) {
			n_flows++;
			n_hops += plan->qps[q].n_hops;
		}
	}
	grown = base_grow(e->first, &e->cap_first, n_flows + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	e->first = grown;
	grown = base_grow(e->flow_group, &e->cap_flow_group, n_flows, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	e->flow_group = grown;
	grown = base_grow(e->hops, &e->cap_hops, n_hops, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	e->hops = grown;
	return 0;
}

/* Does the QP cross a link that is down?  Then it is no flow, and never ends. */
static bool is_dead(const struct evaluator *e, const struct planner_plan *plan,
		    const struct planner_qp *qp)
{
	return e->has_dead_links &&
	       planner_plan_dead_hop(e->p->graph, plan, qp) != TOPO_NONE;
}

/* Writes the hops of a path that can limit it; returns how many. */
static uint32_t list_hops(const struct evaluator *e, const uint32_t *path, uint32_t n,
			  uint32_t *hops)
{
	if (!e->nic_links_only) {
		memcpy(hops, path, n * sizeof(*hops));
		return n;
	}
	hops[0] = path[0];
	hops[1] = path[n - 1];
	return 2;
}

/* Appends the flows of a connection to the first @n of the phase; returns how many then.
 */
static uint32_t list_conn(struct evaluator *e, const struct planner_plan *plan,
			  uint32_t conn, uint32_t group, uint32_t n)
{
	for (uint32_t q = plan->conn_first[conn]; q < plan->conn_first[conn + 1]; q++) {
		const struct planner_qp *qp = &plan->qps[q];

		if (qp->weight_ppm == 0 || is_dead(e, plan, qp))
			continue;
		e->first[n + 1] =
			e->first[n] + list_hops(e, plan->hops + qp->first_hop, qp->n_hops,
						e->hops + e->first[n]);
		e->flow_group[n] = group;
		n++;
	}
	return n;
}

/*
 * The weight that all QPs in use have; 0: it is not one, or there is no such QP, or one
 * of them is dead.
 */
static uint32_t common_weight(const struct evaluator *e, const struct planner_plan *plan,
			      uint32_t conn)
{
	uint32_t weight = 0;

	for (uint32_t q = plan->conn_first[conn]; q < plan->conn_first[conn + 1]; q++) {
		if (plan->qps[q].weight_ppm == 0)
			continue;
		if ((weight != 0 && weight != plan->qps[q].weight_ppm) ||
		    is_dead(e, plan, &plan->qps[q]))
			return 0;
		weight = plan->qps[q].weight_ppm;
	}
	return weight;
}

/*
 * Do all QPs of the group carry the same?  Then it ends with its first flow to get a
 * rate, and the others need not be known.
 */
static bool is_alike(const struct evaluator *e, const struct planner_plan *plan,
		     const struct evaluator_group *group)
{
	uint64_t bytes = e->p->conns[e->order[group->begin]].bytes;
	uint32_t weight = common_weight(e, plan, e->order[group->begin]);

	for (uint32_t i = group->begin; weight > 0 && i < group->end; i++) {
		uint32_t conn = e->order[i];

		if (e->p->conns[conn].bytes != bytes ||
		    common_weight(e, plan, conn) != weight)
			return false;
	}
	return weight > 0;
}

static bool are_all_alike(const struct evaluator *e, const struct planner_plan *plan,
			  const struct evaluator_group *groups, uint32_t n_groups)
{
	for (uint32_t g = 0; g < n_groups; g++) {
		if (!is_alike(e, plan, &groups[g]))
			return false;
	}
	return true;
}

static void list_flows(struct evaluator *e, const struct planner_plan *plan,
		       const struct evaluator_group *groups, uint32_t n_groups,
		       struct planner_flows *flows)
{
	uint32_t n = 0;

	e->first[0] = 0;
	for (uint32_t g = 0; g < n_groups; g++) {
		for (uint32_t i = groups[g].begin; i < groups[g].end; i++)
			n = list_conn(e, plan, e->order[i], g, n);
	}
	*flows = (struct planner_flows){ n, e->first, e->hops };
}

/* Seconds that a connection needs in both sharings; *@flow is its first, and moves on. */
static void time_conn(const struct evaluator *e, const struct planner_plan *plan,
		      uint32_t conn, uint32_t *flow, double seconds[2])
{
	double bits = (double)e->p->conns[conn].bytes * 8, slowest = 0, sum_bps = 0;
	bool has_qp = false, has_dead = false;

	for (uint32_t q = plan->conn_first[conn]; q < plan->conn_first[conn + 1]; q++) {
		double part_bits = bits * plan->qps[q].weight_ppm / PPM, rate_bps;

		if (plan->qps[q].weight_ppm == 0)
			continue;
		has_qp = true;
		if (is_dead(e, plan, &plan->qps[q])) {
			has_dead = true;
			continue;
		}
		rate_bps = (double)e->net.rate[(*flow)++] / (double)e->net.scale;
		slowest = fmax(slowest, part_bits / rate_bps);
		sum_bps += rate_bps;
	}
	seconds[PLANNER_BY_WEIGHT] = has_qp && !has_dead ? slowest : INFINITY;
	seconds[PLANNER_BY_SPEED] = has_dead ? INFINITY : bits / sum_bps;
}

static void time_groups(struct evaluator *e, const struct planner_plan *plan,
			const struct evaluator_group *groups, uint32_t n_groups)
{
	uint32_t flow = 0;

	for (uint32_t g = 0; g < n_groups; g++) {
		double longest[2] = { 0, 0 }, seconds[2];

		for (uint32_t i = groups[g].begin; i < groups[g].end; i++) {
			time_conn(e, plan, e->order[i], &flow, seconds);
			for (int s = 0; s < 2; s++)
				longest[s] = fmax(longest[s], seconds[s]);
		}
		for (int s = 0; s < 2; s++)
			e->job_seconds[s][groups[g].job] += longest[s];
	}
}

/* The short way: by weight only, and the QPs of each group are alike. */
static void time_alike_groups(struct evaluator *e, const struct planner_plan *plan,
			      const struct evaluator_group *groups, uint32_t n_groups)
{
	struct maxmin_watch watch = { e->flow_group, e->slowest, n_groups };

	for (uint32_t g = 0; g < n_groups; g++)
		e->slowest[g] = MAXMIN_NO_RATE;
	maxmin_fill(&e->net, &watch);
	for (uint32_t g = 0; g < n_groups; g++) {
		uint32_t conn = e->order[groups[g].begin];
		double bits = (double)e->p->conns[conn].bytes * 8;
		double rate_bps = (double)e->slowest[g] / (double)e->net.scale;

		e->job_seconds[PLANNER_BY_WEIGHT][groups[g].job] +=
			bits * common_weight(e, plan, conn) / PPM / rate_bps;
	}
}

static int run_phase(struct evaluator *e, const struct planner_plan *plan, uint32_t phase,
		     bool want_speed)
{
	uint32_t begin = e->phase_groups[phase], n = e->phase_groups[phase + 1] - begin;
	const struct evaluator_group *groups = e->groups + begin;
	struct planner_flows flows;
	int r;

	if (n == 0)
		return 0;
	r = grow_flows(e, plan, groups[0].begin, groups[n - 1].end);
	if (r < 0)
		return r;
	list_flows(e, plan, groups, n, &flows);
	r = maxmin_load(&e->net, &flows, e->capacity_bps, e->n_hops);
	if (r < 0)
		return r;
	for (uint32_t g = 0; g < n; g++)
		e->job_reference_s[groups[g].job] += groups[g].reference_s;
	if (!want_speed && are_all_alike(e, plan, groups, n)) {
		time_alike_groups(e, plan, groups, n);
	} else {
		maxmin_fill(&e->net, NULL);
		time_groups(e, plan, groups, n);
	}
	return 0;
}

/* A job without connections waits for nothing; one with a connection without a path, for
 * ever. */
static uint64_t job_ppm(double reference_s, double seconds)
{
	if (isinf(seconds))
		return 0;
	if (seconds <= reference_s)
		return PPM;
	return (uint64_t)(reference_s / seconds * PPM + 0.5);
}

static void sum_up(const struct evaluator *e, int sharing, struct planner_busbw *busbw,
		   uint64_t *jobs_ppm)
{
	uint32_t n = e->p->n_jobs;
	uint64_t sum_ppm = 0;

	*busbw = (struct planner_busbw){ PPM, PPM, 0, 0 };
	for (uint32_t job = 0; job < n; job++) {
		uint64_t ppm =
			job_ppm(e->job_reference_s[job], e->job_seconds[sharing][job]);

		sum_ppm += ppm;
		if (ppm < busbw->worst_ppm)
			busbw->worst_ppm = ppm;
		if (ppm > busbw->best_ppm)
			busbw->best_ppm = ppm;
		if (jobs_ppm)
			jobs_ppm[job] = ppm;
	}
	if (n == 0)
		busbw->best_ppm = PPM;
	else
		busbw->mean_ppm = (sum_ppm + n / 2) / n;
	if (busbw->best_ppm > 0)
		busbw->spread_ppm =
			(busbw->best_ppm - busbw->worst_ppm) * PPM / busbw->best_ppm;
}

int evaluator_run(struct evaluator *e, const struct planner_plan *plan,
		  struct planner_busbw *const ret[2], uint64_t *const jobs_ppm[2])
{
	size_t size = e->p->n_jobs * sizeof(double);

	if (plan->n_conns != e->p->n_conns)
		return -EINVAL;
	memset(e->job_reference_s, 0, size);
	memset(e->job_seconds[0], 0, size);
	memset(e->job_seconds[1], 0, size);
	for (uint32_t phase = 0; phase < e->p->n_phases; phase++) {
		int r = run_phase(e, plan, phase, ret[PLANNER_BY_SPEED] != NULL);

		if (r < 0)
			return r;
	}
	for (int s = 0; s < 2; s++) {
		if (ret[s])
			sum_up(e, s, ret[s], jobs_ppm[s]);
	}
	return 0;
}

int planner_evaluate(const struct planner_problem *p, const struct planner_plan *plan,
		     enum planner_sharing sharing, struct planner_busbw *ret_busbw,
		     uint64_t *jobs_ppm)
{
	struct evaluator e;
	struct planner_busbw *ret[2] = { NULL, NULL };
	uint64_t *jobs[2] = { NULL, NULL };
	int r = evaluator_init(&e, p);

	if (r < 0)
		return r;
	ret[sharing] = ret_busbw;
	jobs[sharing] = jobs_ppm;
	r = evaluator_run(&e, plan, ret, jobs);
	evaluator_fini(&e);
	return r;
}

int planner_ceiling(const struct planner_problem *p, const struct planner_plan *plan,
		    struct planner_busbw *ret_busbw)
{
	struct planner_busbw *const ret[2] = { [PLANNER_BY_WEIGHT] = ret_busbw };
	uint64_t *const jobs_ppm[2] = { NULL, NULL };
	struct evaluator e;
	int r = evaluator_init(&e, p);

	if (r < 0)
		return r;
	e.nic_links_only = true;
	r = evaluator_run(&e, plan, ret, jobs_ppm);
	evaluator_fini(&e);
	return r;
}
