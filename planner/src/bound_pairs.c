/* SPDX-License-Identifier: Apache-2.0 */
#include "bound_pairs.h"
#include "forest.h"
#include <base/mem.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Entries of the table of core rates at most; over it pairs are bounded by their leaves
 * alone. */
#define CORE_RATES_MAX ((size_t)16 * 1024 * 1024)

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
			forest_unite(parent, m->nic_site[nic], sw);
		m->nic_site[nic] = sw;
		m->switch_site[sw] = 0;
	}
	for (uint32_t n = 0; n < n_nodes; n++)
		if (m->switch_site[n] != TOPO_NONE && forest_find(parent, n) == n)
			m->site_leaf[m->n_sites++] = n;
	for (uint32_t site = 0; site < m->n_sites; site++)
		m->switch_site[m->site_leaf[site]] = site;
	for (uint32_t n = 0; n < n_nodes; n++)
		if (m->switch_site[n] != TOPO_NONE)
			m->switch_site[n] = m->switch_site[forest_find(parent, n)];
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
				forest_unite(parent, seen[pod], site);
			seen[pod] = site;
		}
	}
	for (uint32_t site = 0; site < m->n_sites; site++) {
		uint32_t root = forest_find(parent, site);

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

/* Rates of one plane's bundles, and the totals that rule most pairs out without looking
 * at bundles. */
static int find_leaf_rates(struct plane_rates *r, const struct planner_clos *c)
{
	size_t n = (size_t)c->n_leaves * c->n_groups;

	r->bundle = base_array_new(n, sizeof(uint64_t));
	r->total = base_array_new(c->n_leaves, sizeof(uint64_t));
	if (!r->bundle || !r->total)
		return -ENOMEM;
	for (size_t b = 0; b < n; b++) {
		r->bundle[b] = bundle_rate(c, c->leaf_first, c->leaf_hops, b);
		r->total[b / c->n_groups] += r->bundle[b];
		if (r->bundle[b] > r->largest)
			r->largest = r->bundle[b];
	}
	return 0;
}

static size_t pod_pair(const struct planner_clos *c, uint32_t from, uint32_t to)
{
	return (size_t)from * c->n_pods + to;
}

static int find_meshed(struct plane_rates *r, const struct planner_clos *c)
{
	uint32_t n_nodes = topo_graph_n_nodes(c->graph);
	uint32_t *group_of = base_array_new(n_nodes, sizeof(*group_of));

	if (!group_of)
		return -ENOMEM;
	memset(group_of, 0xff, n_nodes * sizeof(*group_of));
	for (size_t i = 0; i < (size_t)c->n_groups * c->n_cores; i++) {
		uint32_t core = c->core_switch[i], group = (uint32_t)(i / c->n_cores);

		if (core == TOPO_NONE)
			continue;
		r->is_meshed |= group_of[core] != TOPO_NONE && group_of[core] != group;
		group_of[core] = group;
	}
	free(group_of);
	return 0;
}

/* What each group's cores can carry between two pods, and by how much that falls short of
 * leaf bundles. */
static int find_core_rates(struct plane_rates *r, const struct planner_clos *c)
{
	size_t n_spines = (size_t)c->n_pods * c->n_groups;
	uint64_t *rates;

	if (c->n_cores == 0 || n_spines * c->n_pods * c->n_cores > CORE_RATES_MAX)
		return 0;
	rates = base_array_new(n_spines * c->n_cores, sizeof(uint64_t));
	r->core = base_array_new(n_spines * c->n_pods, sizeof(uint64_t));
	r->core_loss = base_array_new((size_t)c->n_pods * c->n_pods, sizeof(uint64_t));
	if (!rates || !r->core || !r->core_loss) {
		free(rates);
		return -ENOMEM;
	}
	for (size_t b = 0; b < n_spines * c->n_cores; b++)
		rates[b] = bundle_rate(c, c->core_first, c->core_hops, b);
	for (size_t pair = 0; pair < (size_t)c->n_pods * c->n_pods; pair++)
		for (uint32_t group = 0; group < c->n_groups; group++) {
			size_t from = pair / c->n_pods, to = pair % c->n_pods;
			const uint64_t *a =
				&rates[(from * c->n_groups + group) * c->n_cores];
			const uint64_t *b =
				&rates[(to * c->n_groups + group) * c->n_cores];
			uint64_t sum = 0;

			for (uint32_t core = 0; core < c->n_cores; core++)
				sum += a[core] < b[core] ? a[core] : b[core];
			r->core[pair * c->n_groups + group] = sum;
			if (sum < r->largest)
				r->core_loss[pair] += r->largest - sum;
		}
	free(rates);
	return 0;
}

static int find_rates(struct site_map *m)
{
	int r = 0;

	m->rates = base_array_new(m->n_planes, sizeof(*m->rates));
	if (!m->rates)
		return -ENOMEM;
	for (uint32_t plane = 0; r == 0 && plane < m->n_planes; plane++) {
		r = find_leaf_rates(&m->rates[plane], m->clos[plane]);
		if (r == 0)
			r = find_meshed(&m->rates[plane], m->clos[plane]);
		if (r == 0)
			r = find_core_rates(&m->rates[plane], m->clos[plane]);
	}
	return r;
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
	if (r == 0 && m->is_irregular)
		r = find_rates(m);
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
	for (uint32_t plane = 0; m->rates && plane < m->n_planes; plane++) {
		free(m->rates[plane].bundle);
		free(m->rates[plane].total);
		free(m->rates[plane].core);
		free(m->rates[plane].core_loss);
	}
	free(m->rates);
}

/* At least what common spines and cores carry from one leaf to another: from totals
 * alone. */
static uint64_t leaf_pair_least(const struct plane_rates *r, const struct planner_clos *c,
				uint32_t from, uint32_t to)
{
	uint32_t p = c->leaf_pod[from], q = c->leaf_pod[to];
	uint64_t have = r->total[from] + r->total[to];
	uint64_t lost = r->largest * c->n_groups;

	if (p != q && r->core_loss)
		lost += r->core_loss[pod_pair(c, p, q)];
	return have > lost ? have - lost : 0;
}

/* Exactly that. */
static uint64_t leaf_pair_rate(const struct plane_rates *r, const struct planner_clos *c,
			       uint32_t from, uint32_t to)
{
	uint32_t p = c->leaf_pod[from], q = c->leaf_pod[to];
	const uint64_t *up = &r->bundle[(size_t)from * c->n_groups];
	const uint64_t *down = &r->bundle[(size_t)to * c->n_groups];
	const uint64_t *core =
		p != q && r->core ? &r->core[pod_pair(c, p, q) * c->n_groups] : NULL;
	uint64_t sum = 0;

	for (uint32_t group = 0; group < c->n_groups; group++) {
		uint64_t least = up[group] < down[group] ? up[group] : down[group];

		if (core && core[group] < least)
			least = core[group];
		sum += least;
	}
	return sum;
}

/* What leaves of two sites carry between them over all planes; @rate is one of the two
 * above. */
static double site_pair_rate(const struct site_map *m, uint32_t from, uint32_t to,
			     uint64_t (*rate)(const struct plane_rates *,
					      const struct planner_clos *, uint32_t,
					      uint32_t))
{
	double sum = 0;

	for (uint32_t i = m->site_first[from]; i < m->site_first[from + 1]; i++)
		for (uint32_t k = m->site_first[to]; k < m->site_first[to + 1]; k++)
			for (uint32_t plane = 0; plane < m->n_planes; plane++) {
				const struct planner_clos *c = m->clos[plane];
				uint32_t a = c->switch_leaf[m->site_switch[i]];
				uint32_t b = c->switch_leaf[m->site_switch[k]];

				if (a != TOPO_NONE && b != TOPO_NONE)
					sum += (double)rate(&m->rates[plane], c, a, b);
			}
	return sum;
}

/*
 * Whether two leaves of the sites may reach each other, but not over a spine (and core)
 * that they have in common: what goes such a way around crosses no cut of the pair.
 */
static bool may_go_around(const struct site_map *m, uint32_t from, uint32_t to)
{
	for (uint32_t i = m->site_first[from]; i < m->site_first[from + 1]; i++)
		for (uint32_t k = m->site_first[to]; k < m->site_first[to + 1]; k++)
			for (uint32_t plane = 0; plane < m->n_planes; plane++) {
				const struct planner_clos *c = m->clos[plane];
				const struct plane_rates *r = &m->rates[plane];
				uint32_t a = c->switch_leaf[m->site_switch[i]];
				uint32_t b = c->switch_leaf[m->site_switch[k]];

				if (a == TOPO_NONE || b == TOPO_NONE ||
				    r->total[a] == 0 || r->total[b] == 0)
					continue;
				if (leaf_pair_rate(r, c, a, b) == 0 ||
				    (r->is_meshed && c->leaf_pod[a] != c->leaf_pod[b]))
					return true;
			}
	return false;
}

/* Demands of one site to all others. */
struct demands {
	const struct site_map *m;
	struct pair_sink *sink;
	double *to_site; /* bytes */
	uint32_t *touched, n_touched;
};

static void add_demand(struct demands *d, uint32_t to, double bytes)
{
	if (d->to_site[to] == 0)
		d->touched[d->n_touched++] = to;
	d->to_site[to] += bytes;
}

static void take_sites(struct demands *d, uint32_t from)
{
	const struct site_map *m = d->m;

	for (uint32_t i = 0; i < d->n_touched; i++) {
		uint32_t to = d->touched[i];
		double bytes = d->to_site[to], rate;

		d->to_site[to] = 0;
		rate = site_pair_rate(m, from, to, leaf_pair_least);
		if (rate > 0 && pair_sink_is_below(d->sink, bytes, rate))
			continue;
		rate = site_pair_rate(m, from, to, leaf_pair_rate);
		if (rate > 0 && !may_go_around(m, from, to))
			d->sink->take(d->sink, PLANNER_CUT_LEAF_PAIR, m->site_leaf[from],
				      m->site_leaf[to], bytes, rate);
	}
	d->n_touched = 0;
}

/* Connections of the phase by the site they come from. */
static void sort_by_site(const struct site_map *m, const struct planner_problem *p,
			 const uint32_t *conns, uint32_t n, uint32_t *sorted,
			 uint32_t *first)
{
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < n; i++) {
			const struct planner_conn *c = &p->conns[conns[i]];
			uint32_t from = m->nic_site[c->src_nic],
				 to = m->nic_site[c->dst_nic];

			if (from == TOPO_NONE || to == TOPO_NONE || from == to)
				continue;
			if (pass == 0)
				first[from + 2]++;
			else
				sorted[first[from + 1]++] = conns[i];
		}
		for (uint32_t site = 0; pass == 0 && site < m->n_sites; site++)
			first[site + 2] += first[site + 1];
	}
}

/* Pods of a single plane: what its cores carry from one to another. */
static void take_pods(const struct site_map *m, const struct planner_problem *p,
		      const uint32_t *conns, uint32_t n, double *between,
		      struct pair_sink *sink)
{
	const struct planner_clos *c = m->clos[0];

	for (uint32_t i = 0; i < n; i++) {
		const struct planner_conn *conn = &p->conns[conns[i]];
		uint32_t a = c->nic_leaf[conn->src_nic], b = c->nic_leaf[conn->dst_nic];

		/* What goes around a pair of leaves may go around the pods. */
		if (a != TOPO_NONE && b != TOPO_NONE &&
		    (leaf_pair_least(&m->rates[0], c, a, b) > 0 ||
		     leaf_pair_rate(&m->rates[0], c, a, b) > 0))
			between[pod_pair(c, c->leaf_pod[a], c->leaf_pod[b])] +=
				(double)conn->bytes;
	}
	for (size_t pair = 0; pair < (size_t)c->n_pods * c->n_pods; pair++) {
		uint32_t from = (uint32_t)(pair / c->n_pods),
			 to = (uint32_t)(pair % c->n_pods);
		uint64_t rate = 0;

		if (from == to || between[pair] <= 0)
			continue;
		for (uint32_t group = 0; group < c->n_groups; group++)
			rate += m->rates[0].core[pair * c->n_groups + group];
		if (rate > 0)
			sink->take(sink, PLANNER_CUT_POD_PAIR, m->pod_number[from],
				   m->pod_number[to], between[pair], (double)rate);
	}
}

int site_map_pairs(const struct site_map *m, const struct planner_problem *p,
		   const uint32_t *conns, uint32_t n, struct pair_sink *sink)
{
	struct demands d = { .m = m, .sink = sink };
	uint32_t *sorted = base_array_new(n, sizeof(*sorted));
	uint32_t *first = base_array_new((size_t)m->n_sites + 2, sizeof(*first));
	double *between = NULL;
	int r = -ENOMEM;

	d.to_site = base_array_new(m->n_sites, sizeof(double));
	d.touched = base_array_new(m->n_sites, sizeof(uint32_t));
	if (!sorted || !first || !d.to_site || !d.touched)
		goto out;
	sort_by_site(m, p, conns, n, sorted, first);
	for (uint32_t site = 0; site < m->n_sites; site++) {
		for (uint32_t i = first[site]; i < first[site + 1]; i++)
			add_demand(&d, m->nic_site[p->conns[sorted[i]].dst_nic],
				   (double)p->conns[sorted[i]].bytes);
		take_sites(&d, site);
	}
	r = 0;
	if (m->n_planes == 1 && m->rates[0].core && !m->rates[0].is_meshed) {
		between = base_array_new((size_t)m->clos[0]->n_pods * m->clos[0]->n_pods,
					 sizeof(double));
		if (between)
			take_pods(m, p, conns, n, between, sink);
		else
			r = -ENOMEM;
	}
out:
	free(sorted);
	free(first);
	free(d.to_site);
	free(d.touched);
	free(between);
	return r;
}
