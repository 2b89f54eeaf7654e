/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plans that replace others: little moves, what moves must or helps, nothing is lost.
 * Online insertion: the best of all paths, and removing undoes adding.
 */
#include <gen/brute.h>
#include <gen/gen_fabric.h>
#include <gen/plans.h>
#include <gen/prop.h>
#include <gen/traffic.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <topo/path.h>

struct drawn {
	struct topo_graph *g;
	struct planner_problem p;
	struct planner_plan *plan;
	uint32_t qps;
};

static void draw(struct drawn *d, struct base_rng *rng, uint32_t size)
{
	d->g = base_rng_below(rng, 4) ? gen_fabric_clos(rng, size)
				      : gen_fabric_odd(rng, size);
	d->qps = 1 + base_rng_below(rng, 3);
	planner_problem_init(&d->p, d->g);
	gen_traffic_random(&d->p, rng, 1 + base_rng_below(rng, 6 * size), 2,
			   1 + base_rng_below(rng, 2));
	d->plan = gen_plans_solve(&d->p, d->qps, base_rng_below(rng, 2));
}

static void discard(struct drawn *d)
{
	planner_plan_free(d->plan);
	planner_problem_fini(&d->p);
	topo_graph_free(d->g);
}

static struct planner_plan *replan(const struct planner_problem *p,
				   const struct drawn *old, uint32_t moves_max)
{
	struct planner_replan_options options = { .moves_max = moves_max };
	struct planner_plan *plan;

	prop_check(planner_replan(p, &old->p, old->plan, &options, &plan, NULL) == 0);
	prop_check(planner_plan_check(p, plan, NULL) == 0);
	prop_check(plan->moved_must <= plan->moved);
	prop_check(plan->moved - plan->moved_must <= moves_max);
	return plan;
}

static bool is_alive(const struct topo_graph *g, const struct planner_plan *plan,
		     uint32_t q)
{
	for (uint32_t h = 0; h < plan->qps[q].n_hops; h++) {
		uint32_t hop = plan->hops[plan->qps[q].first_hop + h];

		if (topo_graph_links(g)[topo_hop_link(hop)].state != TOPO_UP)
			return false;
	}
	return true;
}

static bool is_same_path(const struct planner_plan *a, uint32_t i,
			 const struct planner_plan *b, uint32_t k)
{
	return a->qps[i].n_hops == b->qps[k].n_hops &&
	       memcmp(&a->hops[a->qps[i].first_hop], &b->hops[b->qps[k].first_hop],
		      a->qps[i].n_hops * sizeof(*a->hops)) == 0;
}

static void nothing_died(struct base_rng *rng, uint32_t size)
{
	struct planner_plan *again;
	struct drawn d;

	draw(&d, rng, size);
	again = replan(&d.p, &d, 0);
	prop_check(again->moved == 0);
	prop_check(again->n_qps == d.plan->n_qps && again->n_hops == d.plan->n_hops);
	prop_check(again->n_hops == 0 ||
		   memcmp(again->hops, d.plan->hops,
			  again->n_hops * sizeof(*again->hops)) == 0);
	for (uint32_t q = 0; q < again->n_qps; q++)
		prop_check(labs((long)again->qps[q].weight_ppm -
				(long)d.plan->qps[q].weight_ppm) <= 1);
	planner_plan_free(again);
	discard(&d);
}

/* Kills a link that carries something, if any does. */
static void kill_one(struct drawn *d, struct base_rng *rng)
{
	if (d->plan->n_hops > 0)
		topo_graph_set_state(d->g,
				     topo_hop_link(d->plan->hops[base_rng_below(
					     rng, (uint32_t)d->plan->n_hops)]),
				     TOPO_DOWN);
}

static void only_what_must(struct base_rng *rng, uint32_t size)
{
	uint32_t crossing = 0, moved = 0, must = 0, moves_max = base_rng_below(rng, 4);
	struct planner_plan *still, *after;
	struct drawn d;

	draw(&d, rng, size);
	kill_one(&d, rng);
	for (uint32_t q = 0; q < d.plan->n_qps; q++)
		crossing += !is_alive(d.g, d.plan, q);
	still = replan(&d.p, &d, 0);
	after = replan(&d.p, &d, moves_max);
	prop_check(still->moved == still->moved_must);
	for (uint32_t c = 0; c < d.p.n_conns; c++) {
		uint32_t n_old = d.plan->conn_first[c + 1] - d.plan->conn_first[c];
		uint32_t n_new = after->conn_first[c + 1] - after->conn_first[c];

		prop_check(n_new == n_old || n_new == 0 || n_old == 0);
		for (uint32_t i = 0; i < n_new; i++) {
			uint32_t q = d.plan->conn_first[c] + i;
			bool same = n_old && is_same_path(d.plan, q, after,
							  after->conn_first[c] + i);

			moved += !same;
			must += !same && (n_old == 0 || !is_alive(d.g, d.plan, q));
		}
	}
	prop_check(after->moved == moved && after->moved_must == must);
	prop_check(after->moved_must <= crossing);
	/* Others move only for a reason.  (What weights make of the paths is another
	 * matter.)
	 */
	prop_check(after->moved == after->moved_must || d.qps > 1 ||
		   after->certificate.largest_load_ppm <=
			   still->certificate.largest_load_ppm);
	planner_plan_free(still);
	planner_plan_free(after);
	discard(&d);
}

/* A job comes, another goes: what stays does not move. */
static void jobs_come_and_go(struct base_rng *rng, uint32_t size)
{
	struct planner_problem p;
	struct planner_plan *after;
	uint32_t kept = 0, n_kept_qps = 0;
	struct drawn d;

	draw(&d, rng, size);
	planner_problem_init(&p, d.g);
	prop_check(planner_problem_add_job(&p, "job1", NULL) == 0);
	for (uint32_t c = 0; c < d.p.n_conns; c++) {
		struct planner_conn conn = d.p.conns[c];

		if (conn.job != 1)
			continue;
		conn.job = 0;
		prop_check(planner_problem_add_conn(&p, &conn, NULL) == 0);
		kept++;
		n_kept_qps += d.plan->conn_first[c + 1] - d.plan->conn_first[c];
	}
	prop_check(planner_problem_add_job(&p, "job7", NULL) == 0);
	gen_traffic_random(&p, rng, base_rng_below(rng, 2 * size), 2, 1);
	for (uint32_t c = kept; c < p.n_conns; c++)
		p.conns[c].job = 1;
	after = replan(&p, &d, 0);
	prop_check(after->conn_first[kept] == n_kept_qps);
	prop_check(after->moved == after->n_qps - n_kept_qps);
	planner_plan_free(after);
	planner_problem_fini(&p);
	discard(&d);
}

#define ROUNDING_PPM 20

static void online_is_best(struct base_rng *rng, uint32_t size)
{
	uint32_t hops[8][TOPO_PATH_HOPS_MAX], n_hops;
	uint64_t *loads, most;
	int n[8] = { 0 };
	struct planner_online *online;
	struct drawn d;

	draw(&d, rng, 1 + size / 2);
	n_hops = 2 * topo_graph_n_links(d.g);
	loads = calloc(n_hops + 1, sizeof(*loads));
	prop_check(loads != NULL && planner_online_new(&d.p, d.plan, &online) == 0);
	prop_check(planner_plan_loads(&d.p, d.plan, 0, loads) == 0);
	for (uint32_t i = 0; i < 8 && d.p.n_conns > 0; i++) {
		struct planner_conn conn = d.p.conns[i % d.p.n_conns];
		uint64_t best;

		conn.phase = 0;
		best = gen_brute_best_path(&d.p, &conn, conn.bytes, loads);
		n[i] = planner_online_add(online, &conn, conn.bytes, hops[i]);
		prop_check(n[i] > 0 || n[i] == -ENOENT);
		if (n[i] < 0) {
			prop_check(best == UINT64_MAX);
			continue;
		}
		most = 0;
		for (int h = 0; h < n[i]; h++) {
			uint32_t hop = hops[i][h];
			double rate_bps = (double)topo_graph_links(d.g)[hop / 2].rate_bps;

			loads[hop] += (uint64_t)llround(
				(double)conn.bytes * 8e6 /
				(rate_bps * gen_plans_reference_s(&d.p)));
			most = loads[hop] > most ? loads[hop] : most;
		}
		prop_check(best == UINT64_MAX ||
			   most <= best + ROUNDING_PPM + best / 100000);
	}
	planner_online_free(online);
	free(loads);
	discard(&d);
}

/* Adds some, removes them in any order: what comes then is as if they had never been. */
static void removing_undoes(struct base_rng *rng, uint32_t size)
{
	uint32_t hops[8][TOPO_PATH_HOPS_MAX], order[8], first[TOPO_PATH_HOPS_MAX],
		again[TOPO_PATH_HOPS_MAX];
	struct planner_online *online, *fresh;
	struct planner_conn conn;
	int n[8];
	struct drawn d;

	draw(&d, rng, size);
	prop_check(planner_online_new(&d.p, d.plan, &online) == 0);
	prop_check(planner_online_new(&d.p, d.plan, &fresh) == 0);
	for (uint32_t i = 0; i < 8 && d.p.n_conns > 0; i++) {
		order[i] = i;
		n[i] = planner_online_add(online, &d.p.conns[i % d.p.n_conns],
					  d.p.conns[i % d.p.n_conns].bytes, hops[i]);
	}
	if (d.p.n_conns > 0)
		base_rng_shuffle_u32(rng, order, 8);
	for (uint32_t i = 0; i < 8 && d.p.n_conns > 0; i++) {
		uint32_t k = order[i];

		if (n[k] > 0)
			planner_online_remove(online, &d.p.conns[k % d.p.n_conns],
					      d.p.conns[k % d.p.n_conns].bytes, hops[k],
					      (uint32_t)n[k]);
	}
	for (uint32_t c = 0; c < d.p.n_conns && c < 5; c++) {
		int a, b;

		conn = d.p.conns[c];
		a = planner_online_add(online, &conn, conn.bytes, again);
		b = planner_online_add(fresh, &conn, conn.bytes, first);
		prop_check(a == b);
		prop_check(a <= 0 ||
			   memcmp(first, again, (size_t)a * sizeof(*first)) == 0);
	}
	planner_online_free(online);
	planner_online_free(fresh);
	discard(&d);
}

int main(void)
{
	static const struct prop props[] = {
		{ "when nothing has died nothing moves", 250, nothing_died },
		{ "only what must moves, and as many others as may", 250,
		  only_what_must },
		{ "what stays of a problem stays where it is", 250, jobs_come_and_go },
		{ "a connection gets the path that raises the largest load least", 250,
		  online_is_best },
		{ "removing undoes adding", 250, removing_undoes },
	};

	return prop_main(props, BASE_COUNT(props));
}
