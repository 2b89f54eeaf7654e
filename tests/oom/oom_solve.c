/* SPDX-License-Identifier: Apache-2.0 */
/* Plans made, changed, read, certified and explained while memory runs out. */
#include "oom.h"
#include <base/compiler.h>
#include <base/out.h>
#include <gen/plans.h>
#include <gen/traffic.h>
#include <planner/explain.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <topo/path.h>

#define OTHER_ERROR 1 /* what no function may return: the sweep reports it */
#define RATE 100000000000
#define BYTES 1000000

/* A fabric with a job on it and a plan for that, built before the sweep begins. */
struct scene {
	struct topo_graph *g;
	struct topo_names *names;
	struct planner_problem p;
	struct planner_plan *plan;
	struct base_str document; /* of the plan */
};

static struct scene regular; /* three tiers, all links alive */
static struct scene hurt;    /* its plan is older than the death of one link */
static struct scene planes;  /* two tiers in two planes */
static struct scene odd;     /* no Clos */
static struct planner_plan *hurt_replanned;

/* Hands a plan back, or checks that there is none. */
static int drop(int r, struct planner_plan *made)
{
	if (r < 0)
		return made ? OTHER_ERROR : r;
	planner_plan_free(made);
	return r;
}

static int run_solve(const struct scene *s, const struct planner_solve_options *options)
{
	struct planner_plan *made = NULL;
	struct base_err err = { 0 };
	int r = planner_solve(&s->p, options, &made, &err);

	return drop(r, made);
}

static int run_solve_regular(void)
{
	return run_solve(&regular, &(struct planner_solve_options){ .qps = 1 });
}

static int run_solve_auto(void)
{
	return run_solve(&regular, &(struct planner_solve_options){ .qps = 0 });
}

static int run_solve_dead_link(void)
{
	return run_solve(&hurt, &(struct planner_solve_options){ .qps = 1 });
}

static int run_solve_weighted(void)
{
	return run_solve(&hurt, &(struct planner_solve_options){ .qps = 4 });
}

static int run_solve_planes(void)
{
	return run_solve(&planes, &(struct planner_solve_options){
					  .qps = 2, .equal_weights = true });
}

static int run_solve_odd(void)
{
	return run_solve(&odd, &(struct planner_solve_options){ .qps = 2 });
}

static int run_replan(void)
{
	const struct planner_replan_options options = { .moves_max = UINT32_MAX };
	struct planner_plan *made = NULL;
	struct base_err err = { 0 };
	int r = planner_replan(&hurt.p, &hurt.p, hurt.plan, &options, &made, &err);

	return drop(r, made);
}

/* A path is added and taken away again. */
static int run_online(const struct scene *s, const struct planner_plan *plan)
{
	uint32_t hops[TOPO_PATH_HOPS_MAX] = { TOPO_NONE };
	struct planner_online *online = NULL;
	int r = planner_online_new(&s->p, plan, &online);

	if (r < 0)
		return online ? OTHER_ERROR : r;
	for (uint32_t c = 0; c < s->p.n_conns && r >= 0; c += 3) {
		const struct planner_conn *conn = &s->p.conns[c];

		r = planner_online_add(online, conn, BYTES, hops);
		if (r == -ENOENT) /* so many links of the odd fabric are dead */
			r = 0;
		if (r > 0)
			planner_online_remove(online, conn, BYTES, hops, (uint32_t)r);
	}
	planner_online_free(online);
	return r < 0 ? r : 0;
}

static int run_online_plan(void)
{
	return run_online(&regular, regular.plan);
}

static int run_online_empty(void)
{
	return run_online(&hurt, NULL);
}

static int run_online_odd(void)
{
	return run_online(&odd, odd.plan);
}

static int run_read(void)
{
	struct planner_plan *made = NULL;
	struct planner_problem p;
	struct base_err err = { 0 };
	int r;

	planner_problem_init(&p, planes.g);
	r = planner_plan_read_json("plan.json", base_str_text(&planes.document),
				   planes.document.len, planes.names, &p, &made, &err);
	if (r < 0 && (p.n_conns > 0 || p.n_jobs > 0 || err.code != r))
		r = OTHER_ERROR;
	if (r == 0 && made->n_qps != planes.plan->n_qps)
		r = OTHER_ERROR;
	planner_problem_fini(&p);
	return drop(r, made);
}

static int run_write(void)
{
	struct base_str text;
	int r;

	base_str_init(&text, 0);
	planner_plan_write_json(&planes.p, planes.plan, &text);
	planner_plan_write_list(&planes.p, planes.plan, &text);
	planner_plan_write_ns3(&planes.p, planes.plan, &text);
	r = base_str_error(&text);
	base_str_fini(&text);
	return r;
}

static int run_certify(const struct scene *s)
{
	uint64_t largest_ppm = s->plan->certificate.largest_load_ppm;
	int r = planner_plan_certify(&s->p, s->plan);

	return s->plan->certificate.largest_load_ppm == largest_ppm ? r : OTHER_ERROR;
}

static int run_certify_regular(void)
{
	return run_certify(&regular);
}

static int run_certify_planes(void)
{
	return run_certify(&planes);
}

static int run_loads(void)
{
	uint64_t loads_ppm[256];
	uint32_t n_hops = 2 * topo_graph_n_links(planes.g);

	return n_hops > BASE_COUNT(loads_ppm)
		       ? OTHER_ERROR
		       : planner_plan_loads(&planes.p, planes.plan, TOPO_NONE, loads_ppm);
}

/* An answer about the plan; @ask adds it to the document. */
static int run_answer(enum base_out_format format, int (*ask)(struct base_out *out))
{
	struct base_str text;
	struct base_out *out;
	int r = -ENOMEM, finished;

	base_str_init(&text, 0);
	out = base_out_new(format, false, &text);
	if (out) {
		base_out_object_begin(out, NULL, NULL);
		r = ask(out);
		base_out_object_end(out);
		finished = base_out_finish(out);
		r = r < 0 ? r : finished;
	}
	base_str_fini(&text);
	return r;
}

/* A QP that goes over a spine. */
static int ask_qp(struct base_out *out)
{
	uint32_t c = 0;

	while (regular.plan->qps[regular.plan->conn_first[c]].n_hops == 2)
		c++;
	return planner_explain_qp(&regular.p, regular.plan, c, 0, 8, out);
}

static int ask_link(struct base_out *out)
{
	uint32_t hop = regular.plan->certificate.fabric_hop;

	return planner_explain_link(&regular.p, regular.plan, topo_hop_link(hop), out);
}

static int ask_death(struct base_out *out)
{
	uint32_t link = topo_hop_link(regular.plan->certificate.fabric_hop);
	int r = planner_explain_death(&regular.p, regular.plan, regular.g, link, out);

	return topo_graph_links(regular.g)[link].state == TOPO_UP ? r : OTHER_ERROR;
}

static int ask_compare(struct base_out *out)
{
	int n = planner_compare(&hurt.p, hurt.plan, &hurt.p, hurt_replanned, 9, out);

	return n == 0 ? OTHER_ERROR : n < 0 ? n : 0;
}

static int run_explain_qp(void)
{
	return run_answer(BASE_OUT_TEXT, ask_qp);
}

static int run_explain_link(void)
{
	return run_answer(BASE_OUT_TEXT, ask_link);
}

static int run_explain_death(void)
{
	return run_answer(BASE_OUT_JSON, ask_death);
}

static int run_compare(void)
{
	return run_answer(BASE_OUT_JSON, ask_compare);
}

static const struct oom_case cases[] = {
	{ "a plan on a regular fabric", run_solve_regular },
	{ "a plan with as many QPs as it takes", run_solve_auto },
	{ "a plan around a dead link", run_solve_dead_link },
	{ "a plan of four weighted QPs", run_solve_weighted },
	{ "a plan over two planes", run_solve_planes },
	{ "a plan on no Clos", run_solve_odd },
	{ "a plan changed after a death", run_replan },
	{ "connections added to a plan", run_online_plan },
	{ "connections added to nothing", run_online_empty },
	{ "connections added on no Clos", run_online_odd },
	{ "a plan that is read", run_read },
	{ "a plan that is written", run_write },
	{ "a certificate", run_certify_regular },
	{ "a certificate over two planes", run_certify_planes },
	{ "loads of a plan", run_loads },
	{ "why a QP is where it is", run_explain_qp },
	{ "what crosses a link", run_explain_link },
	{ "what moves if a link dies", run_explain_death },
	{ "two plans side by side", run_compare },
};

/* Takes over @g. */
static void set(struct scene *s, struct topo_graph *g)
{
	struct gen_hosts hosts;

	s->g = g;
	planner_problem_init(&s->p, g);
	gen_hosts_init(&hosts, g, NULL);
	gen_plans_mix(&s->p, &hosts, hosts.n, BYTES);
	gen_hosts_fini(&hosts);
	s->plan = gen_plans_solve(&s->p, 2, false);
	base_str_init(&s->document, 0);
	planner_plan_write_json(&s->p, s->plan, &s->document);
}

static int build(void)
{
	const struct topo_clos3 three = { 2, 2, 2, 2, 2, .nic_rate_bps = RATE };
	const struct topo_clos2 two = { .leaves = 2,
					.nics_per_leaf = 2,
					.spines = 2,
					.planes = 2,
					.nic_rate_bps = RATE };
	struct base_rng rng;
	int r;

	set(&regular, gen_plans_clos3(&three));
	set(&hurt, gen_plans_clos3(&three));
	topo_graph_set_state(hurt.g, topo_hop_link(hurt.plan->certificate.fabric_hop),
			     TOPO_DOWN);
	set(&planes, gen_plans_clos2(&two));
	base_rng_seed(&rng, 1);
	set(&odd, gen_plans_meshed(&rng));
	r = planner_replan(&hurt.p, &hurt.p, hurt.plan,
			   &(struct planner_replan_options){ 0 }, &hurt_replanned, NULL);
	return r < 0 ? r : topo_names_new(planes.g, &planes.names);
}

static void unset(struct scene *s)
{
	base_str_fini(&s->document);
	planner_plan_free(s->plan);
	planner_problem_fini(&s->p);
	topo_names_free(s->names);
	topo_graph_free(s->g);
}

int main(void)
{
	int status;

	if (build() < 0) {
		puts("cannot build what the sweep works on");
		return 1;
	}
	status = oom_main(cases, BASE_COUNT(cases));
	planner_plan_free(hurt_replanned);
	unset(&regular);
	unset(&hurt);
	unset(&planes);
	unset(&odd);
	return status;
}
