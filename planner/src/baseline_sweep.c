/* SPDX-License-Identifier: Apache-2.0 */
#include <planner/baseline.h>
#include "choices.h"
#include "evaluator.h"
#include "plan_private.h"
#include "reference.h"
#include <base/mem.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEEDS_USUAL 200u

static const uint32_t qps_usual[] = { 1, 2, 4, 8, 16, 32 };

/* One way to draw, and what its draws gave in both sharings. */
struct drawing {
	uint32_t qps;
	enum planner_plane_rule planes;
	struct planner_distribution busbw[2];
	uint64_t sum_ppm[2], sum_load_ppm;
};

struct sweep {
	const struct planner_problem *p;
	const struct planner_sweep_options *options;
	struct choices choices;
	struct evaluator evaluator;
	struct drawing *drawings;
	uint32_t n_drawings;
	uint64_t n_flows; /* evaluated so far */
	double *bytes;	  /* [hop] all 0 between draws; NULL: loads are not asked for */
	double reference_s;
};

static int open_drawings(struct sweep *s, const uint32_t *qps, uint32_t n_qps)
{
	uint32_t n_rules = s->choices.n_planes > 1 ? 2 : 1;

	s->drawings = base_array_new((size_t)n_qps * n_rules, sizeof(*s->drawings));
	if (!s->drawings)
		return -ENOMEM;
	for (uint32_t i = 0; i < n_qps; i++) {
		if (qps[i] == 0 || qps[i] > PLANNER_QPS_MAX)
			return -EINVAL;
		if ((uint64_t)s->p->n_conns * qps[i] > PLANNER_TOTAL_QPS_MAX)
			continue;
		for (uint32_t rule = 0; rule < n_rules; rule++) {
			struct drawing *d = &s->drawings[s->n_drawings++];

			d->qps = qps[i];
			d->planes = rule ? PLANNER_PLANES_KEPT : PLANNER_PLANES_CROSSED;
		}
	}
	return 0;
}

static void note(struct planner_distribution *d, const struct planner_busbw *busbw)
{
	if (d->n == 0 || busbw->mean_ppm < d->worst_ppm)
		d->worst_ppm = busbw->mean_ppm;
	if (d->n == 0 || busbw->mean_ppm > d->best_ppm)
		d->best_ppm = busbw->mean_ppm;
	if (d->n == 0 || busbw->worst_ppm < d->worst_job_ppm)
		d->worst_job_ppm = busbw->worst_ppm;
	d->n++;
}

static void add_load(const struct sweep *s, const struct planner_plan *plan, uint32_t c)
{
	for (uint32_t q = plan->conn_first[c]; q < plan->conn_first[c + 1]; q++) {
		const struct planner_qp *qp = &plan->qps[q];
		double bytes = (double)s->p->conns[c].bytes * qp->weight_ppm / 1e6;

		for (uint32_t h = 0; h < qp->n_hops; h++)
			s->bytes[plan->hops[qp->first_hop + h]] += bytes;
	}
}

/* The largest load on the paths of a connection, which are left empty. */
static double take_load(const struct sweep *s, const struct planner_plan *plan,
			uint32_t c)
{
	const struct topo_link *links = topo_graph_links(s->p->graph);
	double largest = 0;

	for (uint32_t q = plan->conn_first[c]; q < plan->conn_first[c + 1]; q++) {
		const struct planner_qp *qp = &plan->qps[q];

		for (uint32_t h = 0; h < qp->n_hops; h++) {
			uint32_t hop = plan->hops[qp->first_hop + h];
			double rate = (double)links[topo_hop_link(hop)].rate_bps;

			largest = fmax(largest,
				       s->bytes[hop] * 8 / (rate * s->reference_s));
			s->bytes[hop] = 0;
		}
	}
	return largest;
}

/*
 * The largest load of one phase's QPs: only these are looked at, and the links that they
 * cross, so that a small job costs little on a large fabric, and many phases no more than
 * one.
 */
static double largest_load(const struct sweep *s, const struct planner_plan *plan,
			   uint32_t phase)
{
	const struct evaluator *e = &s->evaluator;
	uint32_t begin, end;
	double largest = 0;

	if (e->phase_groups[phase] == e->phase_groups[phase + 1])
		return 0;
	begin = e->groups[e->phase_groups[phase]].begin;
	end = e->groups[e->phase_groups[phase + 1] - 1].end;
	for (uint32_t i = begin; i < end; i++)
		add_load(s, plan, e->order[i]);
	for (uint32_t i = begin; i < end; i++)
		largest = fmax(largest, take_load(s, plan, e->order[i]));
	return largest;
}

static void note_loads(struct sweep *s, const struct planner_plan *plan,
		       struct drawing *d)
{
	double largest = 0;

	for (uint32_t phase = 0; s->bytes && phase < s->p->n_phases; phase++)
		largest = fmax(largest, largest_load(s, plan, phase));
	d->sum_load_ppm += plan_ppm(largest);
}

/* The draws of a seed depend on nothing but the setting: not on which others there are.
 */
static uint64_t key_of(const struct sweep *s, const struct drawing *d, uint32_t seed)
{
	uint64_t setting = (uint64_t)d->qps * 2 + (d->planes == PLANNER_PLANES_KEPT);

	return base_rng_mix(base_rng_mix(s->options->seed + seed) ^
			    base_rng_mix(setting));
}

static int run_one(struct sweep *s, struct drawing *d, uint32_t seed)
{
	struct planner_busbw busbw[2];
	struct planner_busbw *ret[2] = { &busbw[0], &busbw[1] };
	uint64_t *jobs_ppm[2] = { NULL, NULL };
	struct planner_plan *plan;
	int r = choices_draw_plan(&s->choices, d->qps, d->planes, key_of(s, d, seed),
				  &plan);

	if (r < 0)
		return r;
	r = evaluator_run(&s->evaluator, plan, ret, jobs_ppm);
	if (r == 0)
		note_loads(s, plan, d);
	s->n_flows += plan->n_qps;
	planner_plan_free(plan);
	for (int sharing = 0; r == 0 && sharing < 2; sharing++) {
		note(&d->busbw[sharing], &busbw[sharing]);
		d->sum_ppm[sharing] += busbw[sharing].mean_ppm;
	}
	return r;
}

/* Seed by seed, so that every setting has as many when the flows run out. */
static int run_all(struct sweep *s)
{
	const struct planner_sweep_options *o = s->options;
	uint32_t seeds = o->seeds ? o->seeds : SEEDS_USUAL;
	uint64_t done = 0, total = (uint64_t)seeds * s->n_drawings;

	for (uint32_t seed = 0; seed < seeds; seed++) {
		if (seed > 0 && o->flows_max > 0 && s->n_flows >= o->flows_max)
			break;
		for (uint32_t i = 0; i < s->n_drawings; i++) {
			int r = run_one(s, &s->drawings[i], seed);

			if (r < 0)
				return r;
			done++;
			if (o->progress && o->progress(o->context, done, total) != 0)
				return -ECANCELED;
		}
	}
	return 0;
}

static int write_settings(const struct sweep *s, struct planner_setting *settings,
			  uint32_t max)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < 2 * s->n_drawings && n < max; i++) {
		const struct drawing *d = &s->drawings[i / 2];
		struct planner_setting *to = &settings[n++];
		uint32_t seeds = d->busbw[i % 2].n;

		to->qps = d->qps;
		to->sharing = i % 2 ? PLANNER_BY_SPEED : PLANNER_BY_WEIGHT;
		to->planes = d->planes;
		to->busbw = d->busbw[to->sharing];
		to->busbw.mean_ppm = (d->sum_ppm[to->sharing] + seeds / 2) / seeds;
		to->busbw.largest_load_mean_ppm = (d->sum_load_ppm + seeds / 2) / seeds;
	}
	return (int)n;
}

static int open_sweep(struct sweep *s)
{
	const struct planner_sweep_options *o = s->options;
	int r = choices_init(&s->choices, s->p);

	if (r == 0)
		r = evaluator_init(&s->evaluator, s->p);
	if (r == 0)
		r = o->qps ? open_drawings(s, o->qps, o->n_qps)
			   : open_drawings(s, qps_usual, BASE_COUNT(qps_usual));
	if (r == 0 && o->loads) {
		s->bytes = base_array_new((size_t)topo_graph_n_links(s->p->graph) * 2,
					  sizeof(*s->bytes));
		s->reference_s = planner_reference_seconds(s->p);
		r = s->bytes && s->reference_s >= 0 ? 0 : -ENOMEM;
	}
	return r;
}

static void close_sweep(struct sweep *s)
{
	choices_fini(&s->choices);
	evaluator_fini(&s->evaluator);
	free(s->drawings);
	free(s->bytes);
}

int planner_sweep(const struct planner_problem *p,
		  const struct planner_sweep_options *options,
		  struct planner_setting *settings, uint32_t max)
{
	struct sweep s = { .p = p, .options = options };
	int r = open_sweep(&s);

	if (r == 0)
		r = run_all(&s);
	if (r == 0)
		r = write_settings(&s, settings, max);
	close_sweep(&s);
	return r;
}

uint32_t planner_sweep_best(const struct planner_setting *settings, uint32_t n)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i < n; i++) {
		uint64_t mean_ppm = settings[i].busbw.mean_ppm;
		uint64_t best_ppm = settings[best].busbw.mean_ppm;

		if (mean_ppm > best_ppm ||
		    (mean_ppm == best_ppm && settings[i].qps < settings[best].qps))
			best = i;
	}
	return best;
}
