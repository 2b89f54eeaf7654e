/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Baselines on random fabrics: ECMP takes shortest paths, greedy takes the least loaded
 * one of all that there are, and what a plan is worth agrees with textbook filling.
 */
#include <gen/flows.h>
#include <gen/gen_fabric.h>
#include <gen/prop.h>
#include <gen/traffic.h>
#include <planner/baseline.h>
#include <topo/path.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PATHS_MAX 3000u

static void open_problem(struct planner_problem *p, struct topo_graph *g,
			 struct base_rng *rng, uint32_t size)
{
	planner_problem_init(p, g);
	gen_traffic_random(p, rng, 1 + base_rng_below(rng, 4 * size), 1 + size / 3,
			   1 + size / 4);
	for (uint32_t conn = 0; conn < p->n_conns; conn++) {
		if (base_rng_below(rng, 8) == 0)
			p->conns[conn].plane =
				base_rng_below(rng, topo_graph_n_planes(g));
	}
}

static void must(int r)
{
	prop_check(r == 0);
}

static uint32_t plane_of_path(const struct topo_graph *g, const uint32_t *hops)
{
	return topo_graph_link_plane(g, topo_hop_link(hops[0]));
}

/* Is the plane one of those in which the shortest of all paths are? */
static void check_shortest(const struct planner_problem *p, struct topo_paths *paths,
			   const struct planner_conn *conn, const struct planner_qp *qp,
			   const uint32_t *hops, enum planner_plane_rule rule)
{
	uint32_t plane = plane_of_path(p->graph, hops);
	uint64_t index;

	prop_check(conn->plane == TOPO_NONE || conn->plane == plane);
	must(topo_paths_aim(paths, conn->dst_nic, plane));
	must(topo_paths_index(paths, hops, qp->n_hops, &index));
	for (uint32_t other = 0;
	     conn->plane == TOPO_NONE && rule == PLANNER_PLANES_CROSSED &&
	     other < topo_graph_n_planes(p->graph);
	     other++) {
		if (topo_paths_aim(paths, conn->dst_nic, other) < 0)
			continue;
		prop_check(topo_paths_count(paths, conn->src_nic) == 0 ||
			   topo_paths_length(paths, conn->src_nic) >= qp->n_hops);
	}
}

static bool has_path(const struct planner_problem *p, struct topo_paths *paths,
		     const struct planner_conn *conn)
{
	for (uint32_t plane = 0; plane < topo_graph_n_planes(p->graph); plane++) {
		if ((conn->plane == TOPO_NONE || conn->plane == plane) &&
		    topo_paths_aim(paths, conn->dst_nic, plane) == 0 &&
		    topo_paths_count(paths, conn->src_nic) > 0)
			return true;
	}
	return false;
}

static void ecmp_is_shortest(struct base_rng *rng, uint32_t size)
{
	struct topo_graph *g = gen_fabric(rng, size);
	enum planner_plane_rule rule =
		base_rng_below(rng, 2) ? PLANNER_PLANES_KEPT : PLANNER_PLANES_CROSSED;
	uint32_t qps = 1 + base_rng_below(rng, 5);
	struct planner_problem p;
	struct planner_plan *plan;
	struct topo_paths *paths;

	open_problem(&p, g, rng, size);
	must(topo_paths_new(g, &paths));
	must(planner_ecmp(&p, qps, rule, rng, true, &plan));
	must(planner_plan_check(&p, plan, NULL));
	for (uint32_t conn = 0; conn < p.n_conns; conn++) {
		uint32_t n = plan->conn_first[conn + 1] - plan->conn_first[conn];

		prop_check(n == (has_path(&p, paths, &p.conns[conn]) ? qps : 0));
		for (uint32_t q = plan->conn_first[conn]; q < plan->conn_first[conn + 1];
		     q++)
			check_shortest(&p, paths, &p.conns[conn], &plan->qps[q],
				       plan->hops + plan->qps[q].first_hop, rule);
	}
	topo_paths_free(paths);
	planner_plan_free(plan);
	planner_problem_fini(&p);
	topo_graph_free(g);
}

struct cost {
	double peak, fabric, sum;
};

/* Bytes on a link, counted as often as it is slower than the fastest. */
static double weighted(const struct topo_graph *g, uint32_t hop, double bytes)
{
	const struct topo_link *links = topo_graph_links(g);
	uint64_t fastest_bps = 1;

	for (uint32_t link = 0; link < topo_graph_n_links(g); link++) {
		if (links[link].rate_bps > fastest_bps)
			fastest_bps = links[link].rate_bps;
	}
	return bytes * ((double)fastest_bps / (double)links[topo_hop_link(hop)].rate_bps);
}

/* Cost of a path if the connection's bytes are added to what is on its links. */
static struct cost cost_of(const struct topo_graph *g, const double *loads, double bytes,
			   const uint32_t *hops, uint32_t n)
{
	struct cost cost = { 0, 0, 0 };

	for (uint32_t i = 0; i < n; i++) {
		double load = loads[hops[i]] + weighted(g, hops[i], bytes);

		cost.peak = fmax(cost.peak, load);
		cost.sum += load;
		if (i > 0 && i + 1 < n)
			cost.fabric = fmax(cost.fabric, load);
	}
	return cost;
}

/* The order of adding may show in the last digits of the sum, and nowhere else. */
static bool is_less(const struct cost *a, const struct cost *b)
{
	if (a->peak != b->peak)
		return a->peak < b->peak;
	if (a->fabric != b->fabric)
		return a->fabric < b->fabric;
	return a->sum < b->sum * (1 - 1e-12);
}

/* No equal-cost path in any allowed plane is cheaper than the one taken. */
static void check_least(const struct planner_problem *p, struct topo_paths *paths,
			const struct planner_conn *conn, const double *loads,
			const struct cost *taken)
{
	for (uint32_t plane = 0; plane < topo_graph_n_planes(p->graph); plane++) {
		uint64_t n;

		if ((conn->plane != TOPO_NONE && conn->plane != plane) ||
		    topo_paths_aim(paths, conn->dst_nic, plane) < 0)
			continue;
		n = topo_paths_count(paths, conn->src_nic);
		for (uint64_t index = 0; index < n && index < PATHS_MAX; index++) {
			uint32_t hops[TOPO_PATH_HOPS_MAX];
			int n_hops = topo_paths_get(paths, conn->src_nic, index, hops);
			struct cost cost = cost_of(p->graph, loads, (double)conn->bytes,
						   hops, (uint32_t)n_hops);

			prop_check(!is_less(&cost, taken));
		}
	}
}

static void greedy_is_least_loaded(struct base_rng *rng, uint32_t size)
{
	struct topo_graph *g = gen_fabric(rng, size);
	uint32_t qps = 1 + base_rng_below(rng, 3), n_hops = 2 * topo_graph_n_links(g);
	double *loads = calloc(n_hops + 1, sizeof(*loads));
	struct planner_problem p;
	struct planner_plan *plan;
	struct topo_paths *paths;

	prop_check(loads != NULL);
	open_problem(&p, g, rng, size);
	must(topo_paths_new(g, &paths));
	must(planner_greedy(&p, qps, &plan));
	must(planner_plan_check(&p, plan, NULL));
	for (uint32_t i = 0; i < p.n_phases * p.n_conns; i++) {
		uint32_t conn = i % p.n_conns;

		if (conn == 0)
			memset(loads, 0, n_hops * sizeof(*loads));
		if (p.conns[conn].phase != i / p.n_conns)
			continue;
		for (uint32_t q = plan->conn_first[conn]; q < plan->conn_first[conn + 1];
		     q++) {
			const uint32_t *hops = plan->hops + plan->qps[q].first_hop;
			double bytes = (double)p.conns[conn].bytes;
			struct cost taken =
				cost_of(g, loads, bytes, hops, plan->qps[q].n_hops);

			check_least(&p, paths, &p.conns[conn], loads, &taken);
			for (uint32_t h = 0; h < plan->qps[q].n_hops; h++)
				loads[hops[h]] += weighted(g, hops[h], bytes);
		}
	}
	free(loads);
	topo_paths_free(paths);
	planner_plan_free(plan);
	planner_problem_fini(&p);
	topo_graph_free(g);
}

/* Seconds of each connection of a phase in both sharings, by textbook filling. */
static void naive_seconds(const struct planner_problem *p,
			  const struct planner_plan *plan, uint32_t phase,
			  double *seconds[2])
{
	struct gen_flows flows = { .n_capacities = 2 * topo_graph_n_links(p->graph) };
	uint32_t n = 0;
	double *rates_bps = calloc(plan->n_qps + 1, sizeof(*rates_bps));

	flows.first = calloc(plan->n_qps + 1, sizeof(*flows.first));
	flows.hops = calloc(plan->n_hops + 1, sizeof(*flows.hops));
	flows.capacity_bps = calloc(flows.n_capacities + 1, sizeof(*flows.capacity_bps));
	prop_check(rates_bps && flows.first && flows.hops && flows.capacity_bps);
	for (uint32_t hop = 0; hop < flows.n_capacities; hop++)
		flows.capacity_bps[hop] = topo_graph_links(p->graph)[hop / 2].rate_bps;
	for (uint32_t conn = 0; conn < p->n_conns; conn++) {
		for (uint32_t q = plan->conn_first[conn];
		     p->conns[conn].phase == phase && q < plan->conn_first[conn + 1];
		     q++, n++) {
			memcpy(flows.hops + flows.first[n],
			       plan->hops + plan->qps[q].first_hop,
			       plan->qps[q].n_hops * sizeof(*flows.hops));
			flows.first[n + 1] = flows.first[n] + plan->qps[q].n_hops;
		}
	}
	flows.flows = (struct planner_flows){ n, flows.first, flows.hops };
	gen_naive_maxmin(&flows, rates_bps);
	n = 0;
	for (uint32_t conn = 0; conn < p->n_conns; conn++) {
		double bits = 8 * (double)p->conns[conn].bytes, sum_bps = 0;

		for (uint32_t q = plan->conn_first[conn];
		     p->conns[conn].phase == phase && q < plan->conn_first[conn + 1];
		     q++, n++) {
			seconds[PLANNER_BY_WEIGHT][conn] =
				fmax(seconds[PLANNER_BY_WEIGHT][conn],
				     bits * plan->qps[q].weight_ppm / 1e6 / rates_bps[n]);
			sum_bps += rates_bps[n];
			seconds[PLANNER_BY_SPEED][conn] = bits / sum_bps;
		}
	}
	free(rates_bps);
	gen_flows_fini(&flows);
}

/* Bytes over rate of a job's busiest NIC in a phase, in seconds. */
static double naive_reference(const struct planner_problem *p, uint32_t job,
			      uint32_t phase)
{
	double most_s = 0;

	for (uint32_t nic = 0; nic < topo_graph_n_nodes(p->graph); nic++) {
		double out = 0, in = 0;

		if (topo_graph_nodes(p->graph)[nic].kind != TOPO_NIC)
			continue;
		for (uint32_t conn = 0; conn < p->n_conns; conn++) {
			const struct planner_conn *c = &p->conns[conn];

			if (c->job != job || c->phase != phase)
				continue;
			out += c->src_nic == nic ? (double)c->bytes : 0;
			in += c->dst_nic == nic ? (double)c->bytes : 0;
		}
		if (fmax(out, in) > 0)
			most_s = fmax(most_s, 8 * fmax(out, in) /
						      (double)topo_graph_nic_rate_bps(
							      p->graph, nic));
	}
	return most_s;
}

static void check_jobs(const struct planner_problem *p, const struct planner_plan *plan,
		       double *const seconds[2])
{
	for (int sharing = 0; sharing < 2; sharing++) {
		uint64_t *jobs_ppm = calloc(p->n_jobs + 1, sizeof(*jobs_ppm));
		struct planner_busbw busbw;

		prop_check(jobs_ppm != NULL);
		must(planner_evaluate(p, plan, (enum planner_sharing)sharing, &busbw,
				      jobs_ppm));
		for (uint32_t job = 0; job < p->n_jobs; job++) {
			double reference_s = 0, sum_s = 0, ppm;
			bool is_cut_off = false;

			for (uint32_t phase = 0; phase < p->n_phases; phase++) {
				double slowest_s = 0;

				for (uint32_t c = 0; c < p->n_conns; c++) {
					if (p->conns[c].job != job ||
					    p->conns[c].phase != phase)
						continue;
					slowest_s = fmax(slowest_s, seconds[sharing][c]);
					is_cut_off |= plan->conn_first[c] ==
						      plan->conn_first[c + 1];
				}
				sum_s += slowest_s;
				reference_s += naive_reference(p, job, phase);
			}
			ppm = is_cut_off  ? 0
			      : sum_s > 0 ? reference_s / sum_s * 1e6
					  : 1e6;
			prop_check(fabs(ppm - (double)jobs_ppm[job]) <= 1);
			prop_check(jobs_ppm[job] <= 1000000);
		}
		free(jobs_ppm);
	}
}

static void evaluation_is_textbook(struct base_rng *rng, uint32_t size)
{
	struct topo_graph *g = gen_fabric(rng, size);
	uint32_t qps = 1 + base_rng_below(rng, 4);
	struct planner_problem p;
	struct planner_plan *plan;
	double *seconds[2];

	open_problem(&p, g, rng, size);
	if (base_rng_below(rng, 2)) {
		for (uint32_t conn = 0; conn < p.n_conns; conn++)
			p.conns[conn].bytes = 1000;
	}
	must(planner_ecmp(&p, qps, PLANNER_PLANES_CROSSED, rng, false, &plan));
	for (int sharing = 0; sharing < 2; sharing++) {
		seconds[sharing] = calloc(p.n_conns + 1, sizeof(double));
		prop_check(seconds[sharing] != NULL);
	}
	for (uint32_t phase = 0; phase < p.n_phases; phase++)
		naive_seconds(&p, plan, phase, seconds);
	check_jobs(&p, plan, seconds);
	free(seconds[0]);
	free(seconds[1]);
	planner_plan_free(plan);
	planner_problem_fini(&p);
	topo_graph_free(g);
}

int main(void)
{
	static const struct prop props[] = {
		{ "ECMP takes equal-cost paths and gives up only where none is", 1500,
		  ecmp_is_shortest },
		{ "greedy takes the least loaded of all equal-cost paths", 1500,
		  greedy_is_least_loaded },
		{ "bus bandwidth is that of textbook filling", 1500,
		  evaluation_is_textbook },
	};

	return prop_main(props, BASE_COUNT(props));
}
