/* SPDX-License-Identifier: Apache-2.0 */
#include "flows.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *must(void *p)
{
	if (!p) {
		fputs("gen_flows: out of memory\n", stderr);
		abort();
	}
	return p;
}

static void *array(size_t n, size_t elem_size)
{
	return must(calloc(n ? n : 1, elem_size));
}

static void open_flows(struct gen_flows *g, uint32_t n_flows, uint32_t hops_max,
		       uint32_t n_capacities)
{
	g->first = array((size_t)n_flows + 1, sizeof(*g->first));
	g->hops = array((size_t)n_flows * hops_max, sizeof(*g->hops));
	g->capacity_bps = array(n_capacities, sizeof(*g->capacity_bps));
	g->n_capacities = n_capacities;
	g->flows = (struct planner_flows){ n_flows, g->first, g->hops };
}

void gen_flows_fini(struct gen_flows *g)
{
	free(g->first);
	free(g->hops);
	free(g->capacity_bps);
	memset(g, 0, sizeof(*g));
}

static bool is_on(const uint32_t *hops, uint32_t n, uint32_t hop)
{
	for (uint32_t i = 0; i < n; i++) {
		if (hops[i] == hop)
			return true;
	}
	return false;
}

void gen_flows_random(struct gen_flows *g, struct base_rng *rng, uint32_t n_flows,
		      uint32_t n_links, uint32_t hops_max)
{
	static const uint64_t rates_bps[] = { 400000000000, 200000000000, 100000000000,
					      25000000000, 1000000007 };

	open_flows(g, n_flows, hops_max, n_links);
	for (uint32_t link = 0; link < n_links; link++)
		g->capacity_bps[link] = rates_bps[base_rng_below(rng, 5)];
	for (uint32_t flow = 0; flow < n_flows; flow++) {
		uint32_t n =
			1 + base_rng_below(rng, hops_max < n_links ? hops_max : n_links);
		uint32_t *hops = g->hops + g->first[flow];

		for (uint32_t i = 0; i < n;) {
			hops[i] = base_rng_below(rng, n_links);
			i += !is_on(hops, i, hops[i]);
		}
		g->first[flow + 1] = g->first[flow] + n;
	}
}

/* Numbers of hops: NICs in and out, leaf uplinks, spine uplinks, each up then down. */
struct layout {
	uint32_t n_nics, leaf, core, n;
};

static struct layout layout_of(const struct gen_clos3 *s)
{
	struct layout l = { .n_nics = s->pods * s->leaves * s->nics_per_leaf };

	l.leaf = 2 * l.n_nics;
	l.core = 2 * l.leaf;
	l.n = l.core + 2 * s->pods * s->nics_per_leaf * s->cores_per_spine;
	return l;
}

static void add_path(struct gen_flows *g, const struct gen_clos3 *s, uint32_t flow,
		     uint32_t from, uint32_t to, uint32_t spine, uint32_t core)
{
	struct layout l = layout_of(s);
	uint32_t src_leaf = from / s->nics_per_leaf, dst_leaf = to / s->nics_per_leaf;
	uint32_t src_spine = src_leaf / s->leaves * s->nics_per_leaf + spine;
	uint32_t dst_spine = dst_leaf / s->leaves * s->nics_per_leaf + spine;
	uint32_t *hops = g->hops + g->first[flow], n = 0;

	hops[n++] = 2 * from;
	if (src_leaf != dst_leaf)
		hops[n++] = l.leaf + 2 * (src_leaf * s->nics_per_leaf + spine);
	if (src_leaf / s->leaves != dst_leaf / s->leaves) {
		hops[n++] = l.core + 2 * (src_spine * s->cores_per_spine + core);
		hops[n++] = l.core + 2 * (dst_spine * s->cores_per_spine + core) + 1;
	}
	if (src_leaf != dst_leaf)
		hops[n++] = l.leaf + 2 * (dst_leaf * s->nics_per_leaf + spine) + 1;
	hops[n++] = 2 * to + 1;
	g->first[flow + 1] = g->first[flow] + n;
}

static void open_clos3(struct gen_flows *g, const struct gen_clos3 *s)
{
	struct layout l = layout_of(s);

	open_flows(g, l.n_nics * s->qps, 6, l.n);
	for (uint32_t i = 0; i < l.n; i++)
		g->capacity_bps[i] = s->rate_bps;
}

void gen_flows_planned(struct gen_flows *g, const struct gen_clos3 *s)
{
	uint32_t per_pod = s->leaves * s->nics_per_leaf;

	open_clos3(g, s);
	for (uint32_t flow = 0; flow < g->flows.n; flow++) {
		uint32_t nic = flow / s->qps, leaf = nic / s->nics_per_leaf;
		uint32_t to = (nic + per_pod) % (s->pods * per_pod);

		add_path(g, s, flow, nic, to, (nic + flow % s->qps) % s->nics_per_leaf,
			 leaf % s->leaves % s->cores_per_spine);
	}
}

void gen_flows_ecmp(struct gen_flows *g, const struct gen_clos3 *s, struct base_rng *rng)
{
	struct layout l = layout_of(s);
	uint32_t *to = array(l.n_nics, sizeof(*to));

	open_clos3(g, s);
	for (uint32_t nic = 0; nic < l.n_nics; nic++)
		to[nic] = nic;
	base_rng_shuffle_u32(rng, to, l.n_nics);
	for (uint32_t flow = 0; flow < g->flows.n; flow++) {
		uint32_t spine = base_rng_below(rng, s->nics_per_leaf);
		uint32_t core = base_rng_below(rng, s->cores_per_spine);

		add_path(g, s, flow, flow / s->qps, to[flow / s->qps], spine, core);
	}
	free(to);
}

struct naive {
	uint32_t *row_first, *row; /* flows of each hop */
	uint32_t *n_left;	   /* flows of each hop that have no rate */
	double *left_bps;
};

static void open_naive(struct naive *naive, const struct gen_flows *g)
{
	uint32_t n_hops = g->first[g->flows.n], n = g->n_capacities;

	naive->row_first = array((size_t)n + 2, sizeof(uint32_t));
	naive->row = array(n_hops, sizeof(uint32_t));
	naive->n_left = array(n, sizeof(uint32_t));
	naive->left_bps = array(n, sizeof(double));
	for (uint32_t i = 0; i < n_hops; i++)
		naive->row_first[g->hops[i] + 2]++;
	for (uint32_t hop = 0; hop < n; hop++) {
		naive->n_left[hop] = naive->row_first[hop + 2];
		naive->left_bps[hop] = (double)g->capacity_bps[hop];
		naive->row_first[hop + 2] += naive->row_first[hop + 1];
	}
	for (uint32_t flow = 0; flow < g->flows.n; flow++) {
		for (uint32_t i = g->first[flow]; i < g->first[flow + 1]; i++)
			naive->row[naive->row_first[g->hops[i] + 1]++] = flow;
	}
}

static uint32_t least_share(const struct naive *naive, uint32_t n)
{
	uint32_t best = TOPO_NONE;
	double least = 0;

	for (uint32_t hop = 0; hop < n; hop++) {
		double share;

		if (naive->n_left[hop] == 0)
			continue;
		share = naive->left_bps[hop] / naive->n_left[hop];
		if (best == TOPO_NONE || share < least) {
			best = hop;
			least = share;
		}
	}
	return best;
}

void gen_naive_maxmin(const struct gen_flows *g, double *rates_bps)
{
	struct naive naive;
	uint32_t hop;

	open_naive(&naive, g);
	for (uint32_t flow = 0; flow < g->flows.n; flow++)
		rates_bps[flow] = -1;
	while ((hop = least_share(&naive, g->n_capacities)) != TOPO_NONE) {
		double share = naive.left_bps[hop] / naive.n_left[hop];

		for (uint32_t i = naive.row_first[hop]; i < naive.row_first[hop + 1];
		     i++) {
			uint32_t flow = naive.row[i];

			if (rates_bps[flow] >= 0)
				continue;
			rates_bps[flow] = share;
			for (uint32_t j = g->first[flow]; j < g->first[flow + 1]; j++) {
				naive.n_left[g->hops[j]]--;
				naive.left_bps[g->hops[j]] -= share;
			}
		}
	}
	free(naive.row_first);
	free(naive.row);
	free(naive.n_left);
	free(naive.left_bps);
}
