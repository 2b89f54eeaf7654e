/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a short form to connections.  NIC i of a host talks to NIC i of others: one ring
 * (tree, ...) for each number of NIC, as a library does that has a channel on each NIC
 * and keeps to its rail.
 */
#include "job_form.h"
#include <base/mem.h>
#include <base/num.h>
#include <base/rng.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define PPM 1000000u
#define NAME_ROOM 32u /* of a kind and a number */

/* One job being built. */
struct build {
	struct planner_problem *p;
	const struct planner_form *form;
	struct base_rng *rng;
	uint32_t job, n_hosts, n_nics; /* NICs of each host */
	uint32_t *nics;		       /* NIC i of host h is nics[i * n_hosts + h] */
	uint32_t *perm;		       /* scratch, as long */
	uint64_t bytes;
	struct base_err *err;
};

static int build_collective(struct build *b, enum planner_collective what,
			    enum planner_algorithm how)
{
	for (uint32_t i = 0; i < b->n_nics; i++) {
		int r = planner_job_expand(b->p, b->job, what, how,
					   b->nics + (size_t)i * b->n_hosts, b->n_hosts,
					   b->bytes, 0, NULL, b->err);

		if (r < 0)
			return r;
	}
	return 0;
}

static int build_all_to_all(struct build *b)
{
	if (!b->form->is_cross_rail)
		return build_collective(b, PLANNER_ALL_TO_ALL, PLANNER_PAIRS);
	return planner_job_expand(b->p, b->job, PLANNER_ALL_TO_ALL, PLANNER_PAIRS,
				  b->nics, b->n_nics * b->n_hosts, b->bytes, 0, NULL,
				  b->err);
}

/* A permutation in which as few NICs as can be stay on their host, and none on itself. */

static bool is_same_host(const struct build *b, uint32_t i, uint32_t j)
{
	return i % b->n_hosts == j % b->n_hosts;
}

static void swap_targets(struct build *b, uint32_t i, uint32_t j)
{
	uint32_t target = b->perm[i];

	b->perm[i] = b->perm[j];
	b->perm[j] = target;
}

/*
 * i sends to its own host.  Another j that neither is there nor sends there can take its
 * target.  With two hosts or more of equal size there is always one: of the NICs
 * elsewhere, fewer send to i's host than there are.
 */
static void repair_target(struct build *b, uint32_t i)
{
	uint32_t n = b->n_nics * b->n_hosts, from = base_rng_below(b->rng, n);

	for (uint32_t k = 0; k < n; k++) {
		uint32_t j = (from + k) % n;

		if (!is_same_host(b, i, j) && !is_same_host(b, i, b->perm[j])) {
			swap_targets(b, i, j);
			return;
		}
	}
}

static int build_permutation(struct build *b)
{
	uint32_t n = b->n_nics * b->n_hosts;
	int r = 0;

	for (uint32_t i = 0; i < n; i++)
		b->perm[i] = i;
	base_rng_shuffle_u32(b->rng, b->perm, n);
	for (uint32_t i = 0; i < n; i++)
		if (is_same_host(b, i, b->perm[i]))
			repair_target(b, i);
	for (uint32_t i = 0; r == 0 && i < n; i++)
		r = planner_job_send(b->p, b->job, b->nics[i], b->nics[b->perm[i]],
				     b->bytes, 0, b->err);
	return r;
}

/* The mix: stages of a pipeline, each a data-parallel group; experts are parts of it. */

struct mix {
	uint32_t stages, stage_hosts, experts;
};

static int fail_mix(const struct build *b, const char *key, uint32_t size, uint32_t of)
{
	return base_err_set(b->err, -BASE_E_INVALID,
			    "\"%s\" of %u does not divide %u hosts, in \"%s\"", key, size,
			    of, b->form->spec);
}

static bool is_fit(uint32_t n_hosts, const struct mix *m)
{
	uint32_t stage_hosts = n_hosts / m->stages;

	return n_hosts % m->stages == 0 && stage_hosts > 1 &&
	       (m->experts == 0 || stage_hosts % m->experts == 0);
}

static int shape_mix(const struct build *b, struct mix *ret_mix)
{
	const struct planner_form *form = b->form;
	struct mix m = { 1, 0, 0 };

	if (form->ep_ppm > 0)
		m.experts = form->ep_size ? form->ep_size : 4;
	if (form->pp_ppm > 0) {
		m.stages = form->pp_size ? form->pp_size : 4;
		/* Unless it was said: two, where four do not fit. */
		if (!form->pp_size && !is_fit(b->n_hosts, &m))
			m.stages = 2;
	}
	if (b->n_hosts % m.stages != 0)
		return fail_mix(b, "pp-size", m.stages, b->n_hosts);
	m.stage_hosts = b->n_hosts / m.stages;
	if (m.experts && m.stage_hosts % m.experts != 0)
		return fail_mix(b, "ep-size", m.experts, m.stage_hosts);
	*ret_mix = m;
	return 0;
}

/* A share of the NIC's bytes; at least one byte. */
static uint64_t share_of(const struct build *b, uint64_t ppm, uint32_t peers)
{
	uint64_t bytes = base_num_mul_div(b->bytes, ppm, (uint64_t)PPM * peers);

	return bytes ? bytes : 1;
}

static int build_experts(struct build *b, const uint32_t *nics, const struct mix *m)
{
	uint64_t bytes = share_of(b, b->form->ep_ppm, m->experts - 1);
	int r = 0;

	for (uint32_t i = 0; i < m->experts; i++)
		for (uint32_t d = 1; r == 0 && d < m->experts; d++)
			r = planner_job_send(b->p, b->job, nics[i],
					     nics[(i + d) % m->experts], bytes, 0,
					     b->err);
	return r;
}

/* What one stage sends on one rail; @nics are those of the stage. */
static int build_stage(struct build *b, const struct mix *m, const uint32_t *nics,
		       bool is_last)
{
	const struct planner_form *form = b->form;
	int r = 0;

	if (form->dp_ppm > 0 && m->stage_hosts > 1)
		r = planner_job_ring(b->p, b->job, nics, m->stage_hosts,
				     share_of(b, form->dp_ppm, 1), 0, b->err);
	if (form->pp_ppm > 0 && !is_last)
		for (uint32_t i = 0; r == 0 && i < m->stage_hosts; i++)
			r = planner_job_send(b->p, b->job, nics[i],
					     nics[i + m->stage_hosts],
					     share_of(b, form->pp_ppm, 1), 0, b->err);
	if (form->ep_ppm > 0)
		for (uint32_t i = 0; r == 0 && i < m->stage_hosts; i += m->experts)
			r = build_experts(b, nics + i, m);
	return r;
}

static int build_mix(struct build *b)
{
	struct mix m = { 1, 0, 0 };
	int r = shape_mix(b, &m);

	for (uint32_t i = 0; r == 0 && i < b->n_nics; i++)
		for (uint32_t s = 0; r == 0 && s < m.stages; s++)
			r = build_stage(b, &m,
					b->nics + (size_t)i * b->n_hosts +
						(size_t)s * m.stage_hosts,
					s + 1 == m.stages);
	return r;
}

static int build_job(struct build *b)
{
	const struct planner_form *form = b->form;

	switch (form->kind) {
	case PLANNER_FORM_RING:
		return build_collective(b, form->collective, PLANNER_RING);
	case PLANNER_FORM_TREE:
		return build_collective(b, form->collective, PLANNER_TREE);
	case PLANNER_FORM_HALVING_DOUBLING:
		return build_collective(b, form->collective, PLANNER_HALVING_DOUBLING);
	case PLANNER_FORM_ALL_TO_ALL:
		return build_all_to_all(b);
	case PLANNER_FORM_PERMUTATION:
		return build_permutation(b);
	case PLANNER_FORM_MIX:
		return build_mix(b);
	case PLANNER_FORM_P2P:
	case PLANNER_FORM_KINDS:
		break;
	}
	return base_err_set(b->err, -BASE_E_INTERNAL, "a kind of job without hosts");
}

/* How many hosts and jobs, and on which hosts. */

struct shape {
	struct planner_job_hosts hosts;
	uint32_t *order; /* hosts of job j are order[j * n_hosts] and on */
	uint32_t n_jobs, n_hosts, n_nics;
};

static int choose_counts(const struct planner_job_reading *reading,
			 const struct planner_form *form, struct shape *s,
			 struct base_err *err)
{
	const struct planner_job_options *o = reading->options;
	uint32_t hosts = o->hosts ? o->hosts : form->hosts;
	uint32_t jobs = o->jobs ? o->jobs : form->jobs;

	if (!o->jobs && jobs == PLANNER_FORM_ALL_JOBS)
		jobs = hosts && hosts <= s->hosts.n ? s->hosts.n / hosts : 1;
	if (jobs == 0)
		jobs = 1;
	if (hosts == 0)
		hosts = s->hosts.n / jobs; /* 0 when there are more jobs than hosts */
	if (hosts < 2)
		return base_err_set(err, -BASE_E_INFEASIBLE,
				    "each job of \"%s\" needs at least 2 hosts: %u jobs, "
				    "and the fabric has %u hosts with a linked NIC",
				    form->spec, jobs, s->hosts.n);
	if (jobs == 1 && hosts > s->hosts.n)
		return base_err_set(err, -BASE_E_INFEASIBLE,
				    "\"%s\" needs %u hosts, and the fabric has %u",
				    form->spec, hosts, s->hosts.n);
	if ((uint64_t)hosts * jobs > s->hosts.n)
		return base_err_set(err, -BASE_E_INFEASIBLE,
				    "\"%s\" needs %llu hosts (%u for each of %u jobs), "
				    "and the fabric has %u",
				    form->spec, (unsigned long long)hosts * jobs, hosts,
				    jobs, s->hosts.n);
	s->n_hosts = hosts;
	s->n_jobs = jobs;
	return 0;
}

/* NICs of each host that take part: the same number everywhere. */
static int choose_nics(const struct planner_job_reading *reading,
		       const struct planner_form *form, struct shape *s,
		       struct base_err *err)
{
	const struct topo_graph *g = reading->p->graph;
	uint32_t least = UINT32_MAX, most = 0, poorest = 0;

	for (uint32_t i = 0; i < s->n_jobs * s->n_hosts; i++) {
		uint32_t n = planner_job_hosts_nics(&s->hosts, s->order[i]);

		most = n > most ? n : most;
		if (n < least) {
			least = n;
			poorest = s->hosts.host[s->order[i]];
		}
	}
	if (form->nics > least)
		return base_err_set(
			err, -BASE_E_INFEASIBLE,
			"\"nics\" is %u in \"%s\", and host \"%s\" has %u linked NICs",
			form->nics, form->spec,
			topo_graph_text(g, topo_graph_nodes(g)[poorest].name), least);
	s->n_nics = form->nics ? form->nics : least;
	if (!form->nics && most > least)
		return planner_job_assume(reading->p, err, "nics",
					  "some hosts have more NICs than others", "%u",
					  least);
	return 0;
}

/* Pairs grow with the square: better to know before than after a while. */
static int check_pairs(const struct shape *s, const struct planner_form *form,
		       struct base_err *err)
{
	uint64_t members = (uint64_t)s->n_hosts * (form->is_cross_rail ? s->n_nics : 1);
	uint64_t groups = (uint64_t)s->n_jobs * (form->is_cross_rail ? 1 : s->n_nics);
	uint64_t pairs = members * (members - 1);

	if (form->kind != PLANNER_FORM_ALL_TO_ALL || pairs <= PLANNER_CONNS_MAX / groups)
		return 0;
	return base_err_set(
		err, -BASE_E_TOO_LARGE,
		"\"%s\" makes %llu groups of %llu NICs, each %llu pairs: more "
		"than %u connections",
		form->spec, (unsigned long long)groups, (unsigned long long)members,
		(unsigned long long)pairs, PLANNER_CONNS_MAX);
}

static int build_jobs(const struct planner_job_reading *reading, const struct shape *s,
		      struct build *b)
{
	char name[NAME_ROOM];
	int r = 0;

	for (uint32_t j = 0; r == 0 && j < s->n_jobs; j++) {
		const uint32_t *order = s->order + (size_t)j * s->n_hosts;

		for (uint32_t h = 0; h < s->n_hosts; h++)
			for (uint32_t i = 0; i < s->n_nics; i++)
				b->nics[(size_t)i * s->n_hosts + h] =
					s->hosts.nics[s->hosts.first[order[h]] + i];
		if (s->n_jobs > 1)
			snprintf(name, sizeof(name), "%s%u",
				 planner_form_kind_text(b->form->kind), j);
		else
			snprintf(name, sizeof(name), "%s",
				 planner_form_kind_text(b->form->kind));
		r = planner_problem_add_job(reading->p, name, &b->job);
		if (r < 0)
			return base_err_set(b->err, r, "no memory for a job");
		r = build_job(b);
	}
	return r;
}

static int build_on_hosts(const struct planner_job_reading *reading,
			  const struct planner_form *form, uint64_t bytes,
			  struct shape *s, struct base_err *err)
{
	uint64_t seed = planner_form_has(form, PLANNER_FORM_SEED)
				? form->seed
				: reading->options->seed;
	enum planner_placement placement = planner_form_has(form, PLANNER_FORM_PLACEMENT)
						   ? form->placement
						   : reading->options->placement;
	const struct topo_graph *g = reading->p->graph;
	struct base_rng rng;
	struct build b = { reading->p, form, &rng, .bytes = bytes, .err = err };
	int r;

	r = planner_job_place(g, &s->hosts, placement, seed, s->order);
	if (r < 0)
		return base_err_set(err, r, "no memory to place jobs");
	r = choose_nics(reading, form, s, err);
	if (r == 0)
		r = check_pairs(s, form, err);
	if (r < 0)
		return r;
	/* Not the numbers that placed the hosts again. */
	base_rng_seed(&rng, base_rng_mix(seed));
	b.n_hosts = s->n_hosts;
	b.n_nics = s->n_nics;
	b.nics = base_array_new((size_t)b.n_hosts * b.n_nics, sizeof(*b.nics));
	b.perm = base_array_new((size_t)b.n_hosts * b.n_nics, sizeof(*b.perm));
	if (b.nics && b.perm)
		r = build_jobs(reading, s, &b);
	else
		r = base_err_set(err, -ENOMEM, "no memory for the NICs of a job");
	free(b.perm);
	free(b.nics);
	return r;
}

static int build_p2p(const struct planner_job_reading *reading,
		     const struct planner_form *form, uint64_t bytes,
		     struct base_err *err)
{
	uint32_t from, to, job;
	int r;

	r = planner_job_refuse_hosts(reading, "\"p2p\"", err);
	if (r == 0)
		r = topo_names_nic(reading->names, form->from.text, form->from.len, &from,
				   err);
	if (r == 0)
		r = topo_names_nic(reading->names, form->to.text, form->to.len, &to, err);
	if (r < 0)
		return r;
	if (from == to)
		return base_err_set(err, -BASE_E_INVALID,
				    "\"%s\" goes from a NIC to itself", form->spec);
	r = planner_problem_add_job(reading->p, planner_form_kind_text(form->kind), &job);
	if (r < 0)
		return base_err_set(err, r, "no memory for a job");
	return planner_job_send(reading->p, job, from, to, bytes, 0, err);
}

int planner_form_build(const struct planner_job_reading *reading,
		       const struct planner_form *form, struct base_err *err)
{
	struct shape s = { 0 };
	uint64_t bytes = form->bytes;
	int r = 0;

	if (bytes == 0)
		r = planner_job_default_bytes(reading, &bytes, err);
	if (r < 0)
		return r;
	if (form->kind == PLANNER_FORM_P2P)
		return build_p2p(reading, form, bytes, err);
	r = planner_job_hosts_init(&s.hosts, reading->p->graph);
	if (r < 0)
		return base_err_set(err, r, "no memory for the hosts of the fabric");
	s.order = base_array_new(s.hosts.n, sizeof(*s.order));
	if (!s.order)
		r = base_err_set(err, -ENOMEM, "no memory to place jobs");
	if (r == 0)
		r = choose_counts(reading, form, &s, err);
	if (r == 0)
		r = build_on_hosts(reading, form, bytes, &s, err);
	free(s.order);
	planner_job_hosts_fini(&s.hosts);
	return r;
}
