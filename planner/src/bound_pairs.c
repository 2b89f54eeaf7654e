/* SPDX-License-Identifier: Apache-2.0 */
#include "bound_pairs.h"
#include <base/mem.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Entries of the table of core rates at most; over it pairs are bounded by their leaves
 * alone. */
#define CORE_RATES_MAX ((size_t)16 * 1024 * 1024)

static uint32_t find(uint32_t *parent, uint32_t x)
{
	while (parent[x] != x) {
		parent[x] = parent[parent[x]];
		x = parent[x];
	}
	return x;
}

static void unite(uint32_t *parent, uint32_t a, uint32_t b)
{
	a = find(parent, a);
	b = find(parent, b);
	if (a < b)
		parent[b] = a;
	else
		parent[a] = b;
}

/* Sites: switches that share a NIC, numbered by their first switch. */
static int find_sites(struct site_map *m, const struct topo_graph *g, uint32_t *parent)
{
	const struct topo_node *nodes = topo_graph_nodes(g);
	const struct topo_link *links = topo_graph_links(g);
	uint32_t n_nodes = topo_graph_n_nodes(g), n_links = topo_graph_n_links(g);

	for (uint32_t l = 0; l < n_links; l++) {
		bool a_is_nic = nodes[links[l].a].kind == TOPO_NIC;
		uint32_t nic = a_is_nic ? links[l].a : links[l].b;
		uint32_t sw = a_is_nic ? links[l].b : links[l].a;

		if (nodes[nic].kind != TOPO_NIC || links[l].state != TOPO_UP)
			continue;
		if (m->nic_site[nic] != TOPO_NONE)
			unite(parent, m->nic_site[nic], sw);
		m->nic_site[nic] = sw;
		m->switch_site[sw] = 0;
	}
	for (uint32_t n = 0; n < n_nodes; n++)
		if (m->switch_site[n] != TOPO_NONE && find(parent, n) == n)
			m->site_leaf[m->n_sites++] = n;
	for (uint32_t site = 0; site < m->n_sites; site++)
		m->switch_site[m->site_leaf[site]] = site;
	for (uint32_t n = 0; n < n_nodes; n++)
		if (m->switch_site[n] != TOPO_NONE)
			m->switch_site[n] = m->switch_site[find(parent, n)];
	for (uint32_t n = 0; n < n_nodes; n++)
		if (m->nic_site[n] != TOPO_NONE)
			m->nic_site[n] = m->switch_site[m->nic_site[n]];
	m->site_first = base_array_new((size_t)m->n_sites + 2, sizeof(uint32_t));
	m->site_switch = base_array_new(n_nodes, sizeof(uint32_t));
	if (!m->site_first || !m->site_switch)
		return -ENOMEM;
	for (uint32_t n = 0; n < n_nodes; n++)
		if (m->switch_site[n] != TOPO_NONE)
			m->site_first[m->switch_site[n] + 2]++;
	for (uint32_t site = 0; site < m->n_sites; site++)
		m->site_first[site + 2] += m->site_first[site + 1];
	for (uint32_t n = 0; n < n_nodes; n++)
		if (m->switch_site[n] != TOPO_NONE)
			m->site_switch[m->site_first[m->switch_site[n] + 1]++] = n;
	return 0;
}

/* Pods: sites whose leaves are in one pod in any plane. */
static int find_map_pods(struct site_map *m, const struct topo_graph *g, uint32_t *parent)
{
	uint32_t n_nodes = topo_graph_n_nodes(g);
	uint32_t *seen = base_array_new(n_nodes, sizeof(*seen));

	if (!seen)
		return -ENOMEM;
	for (uint32_t site = 0; site < m->n_sites; site++)
		parent[site] = site;
	for (uint32_t plane = 0; plane < m->n_planes; plane++) {
		const struct planner_clos *c = m->clos[plane];

		memset(seen, 0xff, n_nodes * sizeof(*seen));
		for (uint32_t leaf = 0; c && leaf < c->n_leaves; leaf++) {
			uint32_t site = m->switch_site[c->leaf_switch[leaf]];
			uint32_t pod = c->leaf_pod[leaf];

			if (site == TOPO_NONE)
				continue;
			if (seen[pod] != TOPO_NONE)
				unite(parent, seen[pod], site);
			seen[pod] = site;
		}
	}
	for (uint32_t site = 0; site < m->n_sites; site++) {
		uint32_t root = find(parent, site);

		if (root != site) {
			m->site_pod[site] = m->site_pod[root];
			continue;
		}
		uint32_t number = topo_graph_nodes(g)[m->site_leaf[site]].pod;

		m->pod_number[m->n_pods] = number != TOPO_NONE ? number : m->n_pods;
		m->site_pod[site] = m->n_pods++;
	}
	for (uint32_t plane = 0; plane < m->n_planes; plane++) {
		const struct planner_clos *c = m->clos[plane];

		for (uint32_t leaf = 0; c && leaf < c->n_leaves; leaf++) {
			uint32_t site = m->switch_site[c->leaf_switch[leaf]];

			for (uint32_t group = 0; site != TOPO_NONE && group < c->n_groups;
			     group++) {
				uint32_t spine =
					c->spine_switch[c->leaf_pod[leaf] * c->n_groups +
							group];

				if (spine != TOPO_NONE)
					m->spine_pod[spine] = m->site_pod[site];
			}
		}
	}
	free(seen);
	return 0;
}

static uint64_t bundle_rate(const struct planner_clos *c, const uint32_t *first,
			    const uint32_t *hops, size_t b)
{
	const struct topo_link *links = topo_graph_links(c->graph);
	uint64_t sum = 0;

	for (uint32_t i = first[b]; i < first[b + 1]; i++)
		sum += links[topo_hop_link(hops[i])].rate_bps;
	return sum;
}

static size_t core_rate_index(const struct planner_clos *c, uint32_t from, uint32_t to,
			      uint32_t group)
{
	return ((size_t)from * c->n_pods + to) * c->n_groups + group;
}

/* What each group's cores can carry between two pods; of the one plane that is irregular
 * or of all. */
static int find_core_rates(struct site_map *m, const struct planner_clos *c)
{
	size_t n = (size_t)c->n_pods * c->n_pods * c->n_groups;

	if (n * c->n_cores > CORE_RATES_MAX)
		return 0;
	m->core_rate = base_array_new(n, sizeof(uint64_t));
	if (!m->core_rate)
		return -ENOMEM;
	for (uint32_t from = 0; from < c->n_pods; from++)
		for (uint32_t to = 0; to < c->n_pods; to++)
			for (uint32_t group = 0; group < c->n_groups; group++) {
				size_t a =
					((size_t)from * c->n_groups + group) * c->n_cores;
				size_t b =
					((size_t)to * c->n_groups + group) * c->n_cores;
				uint64_t sum = 0;

				for (uint32_t core = 0; core < c->n_cores; core++) {
					uint64_t x = bundle_rate(c, c->core_first,
								 c->core_hops, a + core);
					uint64_t y = bundle_rate(c, c->core_first,
								 c->core_hops, b + core);

					sum += x < y ? x : y;
				}
				m->core_rate[core_rate_index(c, from, to, group)] = sum;
			}
	return 0;
}

int site_map_init(struct site_map *m, const struct topo_graph *g,
		  struct planner_clos *const *clos, uint32_t n_planes)
{
	uint32_t n_nodes = topo_graph_n_nodes(g);
	uint32_t *parent = base_array_new(n_nodes, sizeof(*parent));
	uint32_t **arrays[] = { &m->nic_site, &m->switch_site, &m->site_leaf,
				&m->site_pod, &m->spine_pod,   &m->pod_number };
	int r = parent ? 0 : -ENOMEM;

	m->clos = clos;
	m->n_planes = n_planes;
	for (size_t i = 0; i < BASE_COUNT(arrays); i++) {
		*arrays[i] = base_array_new(n_nodes, sizeof(uint32_t));
		if (!*arrays[i])
			r = -ENOMEM;
		else
			memset(*arrays[i], 0xff, n_nodes * sizeof(uint32_t));
	}
	for (uint32_t n = 0; r == 0 && n < n_nodes; n++)
		parent[n] = n;
	if (r == 0)
		r = find_sites(m, g, parent);
	if (r == 0)
		r = find_map_pods(m, g, parent);
	for (uint32_t plane = 0; r == 0 && plane < n_planes; plane++)
		m->is_irregular |= !clos[plane] || !clos[plane]->is_regular_leaf ||
				   !clos[plane]->is_regular_core;
	/* Pair cuts need the Clos of every plane; with several planes cores are left out
	 * of them. */
	for (uint32_t plane = 0; plane < n_planes; plane++)
		m->is_irregular &= clos[plane] != NULL;
	if (r == 0 && m->is_irregular && n_planes == 1)
		r = find_core_rates(m, clos[0]);
	free(parent);
	return r;
}

void site_map_fini(struct site_map *m)
{
	free(m->nic_site);
	free(m->switch_site);
	free(m->site_leaf);
	free(m->site_pod);
	free(m->pod_number);
	free(m->spine_pod);
	free(m->site_first);
	free(m->site_switch);
	free(m->core_rate);
}

/* What common spines (and cores) can carry from one leaf to another. */
static double leaf_pair_rate(const struct site_map *m, const struct planner_clos *c,
			     uint32_t from, uint32_t to)
{
	uint32_t p = c->leaf_pod[from], q = c->leaf_pod[to];
	double sum = 0;

	for (uint32_t group = 0; group < c->n_groups; group++) {
		uint64_t up = bundle_rate(c, c->leaf_first, c->leaf_hops,
					  (size_t)from * c->n_groups + group);
		uint64_t down = bundle_rate(c, c->leaf_first, c->leaf_hops,
					    (size_t)to * c->n_groups + group);
		uint64_t least = up < down ? up : down;

		if (p != q && m->core_rate) {
			uint64_t core = m->core_rate[core_rate_index(c, p, q, group)];

			least = least < core ? least : core;
		}
		sum += (double)least;
	}
	return sum;
}

static double site_pair_rate(const struct site_map *m, uint32_t from, uint32_t to)
{
	double sum = 0;

	for (uint32_t i = m->site_first[from]; i < m->site_first[from + 1]; i++)
		for (uint32_t k = m->site_first[to]; k < m->site_first[to + 1]; k++)
			for (uint32_t plane = 0; plane < m->n_planes; plane++) {
				const struct planner_clos *c = m->clos[plane];
				uint32_t a = c->switch_leaf[m->site_switch[i]];
				uint32_t b = c->switch_leaf[m->site_switch[k]];

				if (a != TOPO_NONE && b != TOPO_NONE)
					sum += leaf_pair_rate(m, c, a, b);
			}
	return sum;
}

static double pod_pair_rate(const struct site_map *m, uint32_t from_site,
			    uint32_t to_site)
{
	const struct planner_clos *c = m->clos[0];
	uint32_t p = c->leaf_pod[c->switch_leaf[m->site_leaf[from_site]]];
	uint32_t q = c->leaf_pod[c->switch_leaf[m->site_leaf[to_site]]];
	double sum = 0;

	for (uint32_t group = 0; group < c->n_groups; group++)
		sum += (double)m->core_rate[core_rate_index(c, p, q, group)];
	return sum;
}

struct demand {
	uint32_t from, to; /* sites or pods */
	uint32_t from_site, to_site;
	double bytes;
};

static int compare_demands(const void *a, const void *b)
{
	const struct demand *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

/* Adds up what goes the same way; returns how many ways are left. */
static uint32_t merge(struct demand *d, uint32_t n)
{
	uint32_t kept = 0;

	qsort(d, n, sizeof(*d), compare_demands);
	for (uint32_t i = 0; i < n; i++) {
		if (kept > 0 && compare_demands(&d[kept - 1], &d[i]) == 0)
			d[kept - 1].bytes += d[i].bytes;
		else
			d[kept++] = d[i];
	}
	return kept;
}

int site_map_pairs(const struct site_map *m, const struct planner_problem *p,
		   const uint32_t *conns, uint32_t n,
		   void (*take)(void *context, enum planner_cut_kind kind, uint32_t node,
				uint32_t peer, double bytes, double rate_bps),
		   void *context)
{
	struct demand *d = base_array_new(n, sizeof(*d));
	uint32_t k = 0;

	if (!d)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		const struct planner_conn *c = &p->conns[conns[i]];
		uint32_t from = m->nic_site[c->src_nic], to = m->nic_site[c->dst_nic];

		if (from != TOPO_NONE && to != TOPO_NONE && from != to)
			d[k++] = (struct demand){ from, to, from, to, (double)c->bytes };
	}
	k = merge(d, k);
	for (uint32_t i = 0; i < k; i++) {
		double rate = site_pair_rate(m, d[i].from, d[i].to);

		if (rate > 0)
			take(context, PLANNER_CUT_LEAF_PAIR, m->site_leaf[d[i].from],
			     m->site_leaf[d[i].to], d[i].bytes, rate);
		d[i].from = m->site_pod[d[i].from];
		d[i].to = m->site_pod[d[i].to];
	}
	k = m->core_rate ? merge(d, k) : 0;
	for (uint32_t i = 0; i < k; i++) {
		double rate = d[i].from == d[i].to
				      ? 0
				      : pod_pair_rate(m, d[i].from_site, d[i].to_site);

		if (rate > 0)
			take(context, PLANNER_CUT_POD_PAIR, m->pod_number[d[i].from],
			     m->pod_number[d[i].to], d[i].bytes, rate);
	}
	free(d);
	return 0;
}
