/* SPDX-License-Identifier: Apache-2.0 */
#include "job_private.h"
#include <base/mem.h>
#include <base/rng.h>
#include <errno.h>
#include <stdlib.h>

const char *const planner_placement_words[PLANNER_PLACEMENTS] = { "random", "packed",
								  "spread" };

/* Hosts. */

static bool has_link(const struct topo_graph *g, uint32_t nic)
{
	uint32_t n;

	topo_graph_hops(g, nic, &n);
	return n > 0;
}

/* Rail above, node below: sorts by rail, then in order of creation. */
static uint64_t nic_key(const struct topo_graph *g, uint32_t nic)
{
	return (uint64_t)topo_graph_nodes(g)[nic].rail << 32 | nic;
}

static int compare_keys(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Appends the host's NICs that have a link.  @keys has room for them. */
static void add_nics(struct planner_job_hosts *hosts, const struct topo_graph *g,
		     uint32_t host, uint64_t *keys)
{
	uint32_t n_children, n = 0;
	const uint32_t *children = topo_graph_children(g, host, &n_children);

	for (uint32_t i = 0; i < n_children; i++)
		if (has_link(g, children[i]))
			keys[n++] = nic_key(g, children[i]);
	qsort(keys, n, sizeof(*keys), compare_keys);
	for (uint32_t i = 0; i < n; i++)
		hosts->nics[hosts->n_nics++] = (uint32_t)keys[i];
}

int planner_job_hosts_init(struct planner_job_hosts *hosts, const struct topo_graph *g)
{
	const struct topo_node *nodes = topo_graph_nodes(g);
	uint32_t n_nodes = topo_graph_n_nodes(g);
	struct planner_job_hosts h = { 0 };
	uint32_t max = topo_graph_count(g, TOPO_HOST);
	uint64_t *keys = base_array_new(topo_graph_count(g, TOPO_NIC), sizeof(*keys));
	int r = -ENOMEM;

	h.host = base_array_new(max, sizeof(*h.host));
	h.first = base_array_new((size_t)max + 1, sizeof(*h.first));
	h.nics = base_array_new(topo_graph_count(g, TOPO_NIC), sizeof(*h.nics));
	if (!keys || !h.host || !h.first || !h.nics) {
		planner_job_hosts_fini(&h);
		goto out;
	}
	for (uint32_t node = 0; node < n_nodes; node++) {
		if (nodes[node].kind != TOPO_HOST)
			continue;
		add_nics(&h, g, node, keys);
		if (h.n_nics == h.first[h.n])
			continue;
		h.host[h.n++] = node;
		h.first[h.n] = h.n_nics;
	}
	*hosts = h;
	r = 0;
out:
	free(keys);
	return r;
}

void planner_job_hosts_fini(struct planner_job_hosts *hosts)
{
	free(hosts->host);
	free(hosts->first);
	free(hosts->nics);
	*hosts = (struct planner_job_hosts){ 0 };
}

/* Placement. */

/* A host and where it stands: sorted by turn, then place, then number. */
struct seat {
	uint32_t host, leaf, pod;
	uint32_t turn, place;
};

static int compare_seats(const void *a, const void *b)
{
	const struct seat *x = a, *y = b;

	if (x->turn != y->turn)
		return x->turn < y->turn ? -1 : 1;
	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return x->host < y->host ? -1 : x->host > y->host;
}

static void find_seat(const struct topo_graph *g, const struct planner_job_hosts *hosts,
		      struct seat *seat)
{
	const struct topo_node *nodes = topo_graph_nodes(g);
	uint32_t nic = hosts->nics[hosts->first[seat->host]], n;
	const uint32_t *hops = topo_graph_hops(g, nic, &n);

	seat->leaf = topo_hop_to(topo_graph_links(g), hops[0]);
	seat->pod = nodes[hosts->host[seat->host]].pod;
	if (seat->pod == TOPO_NONE)
		seat->pod = nodes[seat->leaf].pod;
	if (seat->pod == TOPO_NONE)
		seat->pod = TOPO_PODS_MAX; /* one more pod for all that have none */
}

/*
 * Round robin: the k-th host of each leaf takes turn k among the hosts of its pod; the
 * k-th host of each pod in that order takes turn k among all.
 */
static int spread(const struct topo_graph *g, const struct planner_job_hosts *hosts,
		  uint32_t *order)
{
	uint32_t *leaf_turns = base_array_new(topo_graph_n_nodes(g), sizeof(*leaf_turns));
	uint32_t *pod_turns = base_array_new(TOPO_PODS_MAX + 1, sizeof(*pod_turns));
	struct seat *seats = base_array_new(hosts->n, sizeof(*seats));
	int r = -ENOMEM;

	if (!seats || !leaf_turns || !pod_turns)
		goto out;
	for (uint32_t i = 0; i < hosts->n; i++) {
		seats[i].host = i;
		find_seat(g, hosts, &seats[i]);
		seats[i].turn = leaf_turns[seats[i].leaf]++;
		seats[i].place = seats[i].leaf;
	}
	qsort(seats, hosts->n, sizeof(*seats), compare_seats);
	for (uint32_t i = 0; i < hosts->n; i++) {
		seats[i].turn = pod_turns[seats[i].pod]++;
		seats[i].place = seats[i].pod;
	}
	qsort(seats, hosts->n, sizeof(*seats), compare_seats);
	for (uint32_t i = 0; i < hosts->n; i++)
		order[i] = seats[i].host;
	r = 0;
out:
	free(pod_turns);
	free(leaf_turns);
	free(seats);
	return r;
}

int planner_job_place(const struct topo_graph *g, const struct planner_job_hosts *hosts,
		      enum planner_placement placement, uint64_t seed,
		      uint32_t *ret_order)
{
	struct base_rng rng;

	if (placement == PLANNER_SPREAD)
		return spread(g, hosts, ret_order);
	for (uint32_t i = 0; i < hosts->n; i++)
		ret_order[i] = i;
	if (placement == PLANNER_RANDOM) {
		base_rng_seed(&rng, seed);
		base_rng_shuffle_u32(&rng, ret_order, hosts->n);
	}
	return 0;
}
