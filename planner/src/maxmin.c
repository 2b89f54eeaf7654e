/* SPDX-License-Identifier: Apache-2.0 */
#include <planner/evaluate.h>
#include "maxmin_private.h"
#include <base/mem.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*
 * The queue of links by share is a radix heap: bucket 0 holds keys equal to the last key
 * taken out, bucket b those that first differ from it in bit b - 1.  Shares only grow
 * while flows get their rates, so a key may be stale but never too high, and the order of
 * taking out is monotone, which is all that a radix heap asks for.  When all shares are
 * equal, every link goes straight to bucket 0.
 */
#define N_BUCKETS 65u
/* Hops are few below one in so many: sorting them is then less than looking at all. */
#define FEW 128u

struct queue {
	uint64_t last;
	uint32_t head[N_BUCKETS];
};

static unsigned bucket_of(uint64_t key, uint64_t last)
{
	return key == last ? 0 : 64u - (unsigned)__builtin_clzll(key ^ last);
}

static void push(struct maxmin *m, struct queue *q, uint32_t link, uint64_t key)
{
	unsigned bucket = bucket_of(key, q->last);

	m->link[link].next = q->head[bucket];
	q->head[bucket] = link;
}

/*
 * Takes the lowest bucket apart: brings its keys up to date, drops links without flows,
 * and spreads what still belongs there over the buckets below, by its least key.  False:
 * the queue is empty.
 */
static bool advance(struct maxmin *m, struct queue *q)
{
	for (unsigned bucket = 1; bucket < N_BUCKETS; bucket++) {
		uint32_t link = q->head[bucket], stay = TOPO_NONE, next;
		uint64_t least = UINT64_MAX;

		q->head[bucket] = TOPO_NONE;
		for (; link != TOPO_NONE; link = next) {
			const struct maxmin_link *l = &m->link[link];

			next = l->next;
			if (l->n_flows == 0)
				continue;
			m->key[link] = l->left / l->n_flows;
			if (bucket_of(m->key[link], q->last) != bucket) {
				push(m, q, link, m->key[link]);
				continue;
			}
			m->link[link].next = stay;
			stay = link;
			if (m->key[link] < least)
				least = m->key[link];
		}
		if (stay == TOPO_NONE)
			continue;
		q->last = least;
		for (; stay != TOPO_NONE; stay = next) {
			next = m->link[stay].next;
			push(m, q, stay, m->key[stay]);
		}
		return true;
	}
	return false;
}

/* Gives every flow of a link that has no rate yet the link's share. */
static void freeze(struct maxmin *m, uint32_t link, uint64_t share,
		   struct maxmin_watch *watch)
{
	for (uint32_t i = m->row_first[link]; m->link[link].n_flows > 0; i++) {
		uint32_t flow = m->rows[i];

		if (m->rate[flow] != MAXMIN_NO_RATE)
			continue;
		m->rate[flow] = share;
		for (uint32_t j = m->first[flow]; j < m->first[flow + 1]; j++) {
			m->link[m->links[j]].left -= share;
			m->link[m->links[j]].n_flows--;
		}
		if (watch && watch->slowest[watch->group[flow]] == MAXMIN_NO_RATE) {
			watch->slowest[watch->group[flow]] = share;
			watch->waiting--;
		}
	}
}

static void run(struct maxmin *m, struct queue *q, struct maxmin_watch *watch)
{
	do {
		while (q->head[0] != TOPO_NONE) {
			uint32_t link = q->head[0];
			const struct maxmin_link *l = &m->link[link];

			q->head[0] = l->next;
			if (l->n_flows == 0)
				continue;
			/* Its share is the last key exactly if the rest is under one
			 * each. */
			if (l->left - q->last * l->n_flows < l->n_flows)
				freeze(m, link, q->last, watch);
			else
				push(m, q, link, l->left / l->n_flows);
			if (watch && watch->waiting == 0)
				return;
		}
	} while (advance(m, q));
}

/* Puts all @n links (or those that @links names) at their start. */
static void start(struct maxmin *m, struct queue *q, const uint32_t *links, uint32_t n)
{
	q->last = UINT64_MAX;
	for (unsigned bucket = 0; bucket < N_BUCKETS; bucket++)
		q->head[bucket] = TOPO_NONE;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t link = links ? links[i] : i;
		struct maxmin_link *l = &m->link[link];

		l->left = m->capacity[link];
		l->n_flows = m->row_end[link] - m->row_first[link];
		m->key[link] = l->n_flows ? l->left / l->n_flows : UINT64_MAX;
		if (m->key[link] < q->last)
			q->last = m->key[link];
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t link = links ? links[i] : i;

		if (m->link[link].n_flows > 0)
			push(m, q, link, m->key[link]);
	}
}

void maxmin_fill(struct maxmin *m, struct maxmin_watch *watch)
{
	struct queue q;

	for (uint32_t flow = 0; flow < m->n_flows; flow++)
		m->rate[flow] = MAXMIN_NO_RATE;
	start(m, &q, NULL, m->n_links);
	run(m, &q, watch);
}

void maxmin_fill_some(struct maxmin *m, const uint32_t *links, uint32_t n)
{
	struct queue q;

	start(m, &q, links, n);
	run(m, &q, NULL);
}

/* The largest of a few scales with many divisors at which all capacities fit. */
static uint64_t scale_for(uint64_t largest_bps)
{
	static const uint64_t scales[] = { 720720, 5040, 60, 1 };
	size_t i = 0;

	while (scales[i] > 1 && largest_bps > UINT64_MAX / 2 / scales[i])
		i++;
	return scales[i];
}

/* Hands out the next part of a block; with a block of NULL it only adds up. */
static void *carve(char *block, size_t *used, size_t n, size_t elem_size)
{
	size_t at = *used;

	*used += (n * elem_size + 15) / 16 * 16;
	return block ? block + at : NULL;
}

static size_t lay_out(struct maxmin *m, char *block, size_t n_hops)
{
	size_t used = 0;

	m->capacity = carve(block, &used, m->n_links, sizeof(*m->capacity));
	m->key = carve(block, &used, m->n_links, sizeof(*m->key));
	m->link = carve(block, &used, m->n_links, sizeof(*m->link));
	m->rate = carve(block, &used, m->n_flows, sizeof(*m->rate));
	m->row_first = carve(block, &used, (size_t)m->n_links + 1, sizeof(*m->row_first));
	m->row_end = carve(block, &used, m->n_links, sizeof(*m->row_end));
	m->links = carve(block, &used, n_hops, sizeof(*m->links));
	m->rows = carve(block, &used, n_hops, sizeof(*m->rows));
	return used;
}

/* Room to count on @n hops, all at 0: what a load counts, it takes back. */
static int grow_counts(struct maxmin *m, uint32_t n)
{
	size_t before = m->cap_count;
	uint32_t *grown = base_grow(m->count, &m->cap_count, n, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	m->count = grown;
	if (m->cap_count > before)
		memset(&grown[before], 0, (m->cap_count - before) * sizeof(*grown));
	grown = base_grow(m->hop, &m->cap_hop, n, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	m->hop = grown;
	return 0;
}

static void clear_counts(struct maxmin *m)
{
	for (uint32_t link = 0; link < m->n_links; link++)
		m->count[m->hop[link]] = 0;
}

/*
 * Counts what crosses each hop, and lists those hops as they come.  -EINVAL: a flow over
 * no hop, a hop without capacity.
 */
static int count_hops(struct maxmin *m, const struct planner_flows *flows,
		      const uint64_t *capacity_bps, uint32_t n_capacities)
{
	m->n_links = 0;
	for (uint32_t flow = 0; flow < flows->n; flow++) {
		if (flows->first[flow + 1] <= flows->first[flow])
			return -EINVAL;
		for (uint32_t i = flows->first[flow]; i < flows->first[flow + 1]; i++) {
			uint32_t hop = flows->hops[i];

			if (hop >= n_capacities || capacity_bps[hop] == 0)
				return -EINVAL;
			if (m->count[hop]++ == 0)
				m->hop[m->n_links++] = hop;
		}
	}
	return 0;
}

static int compare_hops(const void *a, const void *b)
{
	uint32_t g = *(const uint32_t *)a, h = *(const uint32_t *)b;

	return (g > h) - (g < h);
}

/*
 * Brings the listed hops in order: a few by sorting, so that a small load costs little on
 * a large fabric, many by looking at all.
 */
static void sort_hops(struct maxmin *m, uint32_t n_capacities)
{
	uint32_t n = 0;

	if (m->n_links < n_capacities / FEW) {
		if (m->n_links > 0)
			qsort(m->hop, m->n_links, sizeof(*m->hop), compare_hops);
		return;
	}
	for (uint32_t hop = 0; n < m->n_links; hop++)
		if (m->count[hop] > 0)
			m->hop[n++] = hop;
}

/*
 * Fills rows by counting.  count[hop], how many flows cross it, becomes its link's
 * number: links are numbered in order of hops, so that the order of flows decides
 * nothing.
 */
static void build_rows(struct maxmin *m, const struct planner_flows *flows,
		       const uint64_t *capacity_bps)
{
	uint32_t link, at = 0;

	for (link = 0; link < m->n_links; link++) {
		uint32_t *count = &m->count[m->hop[link]];

		m->capacity[link] = capacity_bps[m->hop[link]] * m->scale;
		m->row_first[link] = m->row_end[link] = at;
		at += *count;
		*count = link;
	}
	m->row_first[link] = at;
	for (uint32_t flow = 0; flow < flows->n; flow++) {
		for (uint32_t i = flows->first[flow]; i < flows->first[flow + 1]; i++) {
			link = m->count[flows->hops[i]];
			m->links[i] = link;
			m->rows[m->row_end[link]++] = flow;
		}
	}
}

int maxmin_load(struct maxmin *m, const struct planner_flows *flows,
		const uint64_t *capacity_bps, uint32_t n_capacities)
{
	uint64_t largest_bps = 1;
	size_t n_hops = flows->n ? flows->first[flows->n] : 0;
	char *block;
	int r = grow_counts(m, n_capacities);

	if (r < 0)
		return r;
	r = count_hops(m, flows, capacity_bps, n_capacities);
	if (r < 0)
		goto out;
	sort_hops(m, n_capacities);
	m->n_flows = flows->n;
	m->first = flows->first;
	for (uint32_t link = 0; link < m->n_links; link++)
		if (capacity_bps[m->hop[link]] > largest_bps)
			largest_bps = capacity_bps[m->hop[link]];
	m->scale = scale_for(largest_bps);
	block = base_grow(m->block, &m->cap_block, lay_out(m, NULL, n_hops), 1);
	if (!block) {
		r = -ENOMEM;
		goto out;
	}
	m->block = block;
	lay_out(m, block, n_hops);
	build_rows(m, flows, capacity_bps);
out:
	clear_counts(m);
	if (r < 0)
		m->n_flows = m->n_links = 0;
	return r;
}

void maxmin_fini(struct maxmin *m)
{
	free(m->count);
	free(m->hop);
	free(m->block);
	memset(m, 0, sizeof(*m));
}

/*
 * What divisions dropped adds up to a few units, far less than a thousandth of a bit per
 * second; a share that is whole must not lose a whole bit to that.
 */
static uint64_t whole_bps(const struct maxmin *m, uint64_t rate)
{
	return (rate + m->scale / 1024) / m->scale;
}

int planner_maxmin(const struct planner_flows *flows, const uint64_t *capacity_bps,
		   uint32_t n_capacities, uint64_t *ret_rates_bps)
{
	struct maxmin m = { 0 };
	int r = maxmin_load(&m, flows, capacity_bps, n_capacities);

	if (r == 0) {
		maxmin_fill(&m, NULL);
		for (uint32_t flow = 0; flow < flows->n; flow++)
			ret_rates_bps[flow] = whole_bps(&m, m.rate[flow]);
	}
	maxmin_fini(&m);
	return r;
}
