/* SPDX-License-Identifier: Apache-2.0 */
#include <planner/problem.h>
#include "problem_private.h"
#include <base/mem.h>
#include <base/num.h>
#include <base/rng.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PPM 1000000u

void planner_problem_init(struct planner_problem *p, const struct topo_graph *graph)
{
	memset(p, 0, sizeof(*p));
	p->graph = graph;
}

void planner_problem_fini(struct planner_problem *p)
{
	const struct planner_problem_mark empty = { 0 };

	planner_problem_rewind(p, &empty);
	free(p->conns);
	free(p->job_names);
	free(p->assumptions);
	planner_problem_init(p, p->graph);
}

struct planner_problem_mark planner_problem_mark(const struct planner_problem *p)
{
	struct planner_problem_mark mark = {
		.n_conns = p->n_conns,
		.n_jobs = p->n_jobs,
		.n_phases = p->n_phases,
		.n_assumptions = p->n_assumptions,
		.local_conns = p->local_conns,
		.local_bytes = p->local_bytes,
	};

	return mark;
}

void planner_problem_rewind(struct planner_problem *p,
			    const struct planner_problem_mark *mark)
{
	while (p->n_jobs > mark->n_jobs)
		free(p->job_names[--p->n_jobs]);
	while (p->n_assumptions > mark->n_assumptions) {
		struct planner_assumption *a = &p->assumptions[--p->n_assumptions];

		free(a->name);
		free(a->value);
		free(a->reason);
	}
	p->n_conns = mark->n_conns;
	p->n_phases = mark->n_phases;
	p->local_conns = mark->local_conns;
	p->local_bytes = mark->local_bytes;
}

int planner_problem_add_job(struct planner_problem *p, const char *name,
			    uint32_t *ret_job)
{
	char **names;
	char *copy;

	if (p->n_jobs == UINT32_MAX)
		return -ENOMEM;
	names = base_grow(p->job_names, &p->cap_jobs, (size_t)p->n_jobs + 1,
			  sizeof(*names));
	if (!names)
		return -ENOMEM;
	p->job_names = names;
	copy = base_array_dup(name, strlen(name) + 1, 1);
	if (!copy)
		return -ENOMEM;
	names[p->n_jobs] = copy;
	if (ret_job)
		*ret_job = p->n_jobs;
	p->n_jobs++;
	return 0;
}

static bool is_nic(const struct topo_graph *g, uint32_t node)
{
	return node < topo_graph_n_nodes(g) && topo_graph_nodes(g)[node].kind == TOPO_NIC;
}

static int check_conn(const struct planner_problem *p, const struct planner_conn *conn,
		      struct base_err *err)
{
	const struct topo_graph *g = p->graph;

	if (!is_nic(g, conn->src_nic) || !is_nic(g, conn->dst_nic))
		return base_err_set(err, -BASE_E_INVALID,
				    "a connection joins two NICs, and node %u is none",
				    is_nic(g, conn->src_nic) ? conn->dst_nic
							     : conn->src_nic);
	if (conn->src_nic == conn->dst_nic)
		return base_err_set(err, -BASE_E_INVALID,
				    "a connection from a NIC to itself");
	if (conn->job >= p->n_jobs)
		return base_err_set(err, -BASE_E_INVALID,
				    "a connection of job %u, and there are %u", conn->job,
				    p->n_jobs);
	if (conn->phase >= PLANNER_PHASES_MAX)
		return base_err_set(err, -BASE_E_INVALID,
				    "phase %u is over the ceiling: phases are 0 to %u",
				    conn->phase, PLANNER_PHASES_MAX - 1);
	if (conn->bytes == 0 || conn->bytes > PLANNER_BYTES_MAX)
		return base_err_set(err, -BASE_E_INVALID,
				    "a connection carries 1 to %llu bytes, not %llu",
				    (unsigned long long)PLANNER_BYTES_MAX,
				    (unsigned long long)conn->bytes);
	if (conn->plane != TOPO_NONE && conn->plane >= topo_graph_n_planes(g))
		return base_err_set(err, -BASE_E_INVALID,
				    "plane %u, and the fabric's planes are 0 to %u",
				    conn->plane, topo_graph_n_planes(g) - 1);
	return 0;
}

int planner_problem_add_local(struct planner_problem *p, uint64_t bytes,
			      struct base_err *err)
{
	if (p->local_conns >= PLANNER_LOCAL_CONNS_MAX)
		return base_err_set(err, -BASE_E_TOO_LARGE,
				    "more than %u connections inside hosts",
				    PLANNER_LOCAL_CONNS_MAX);
	p->local_conns++;
	p->local_bytes = base_num_add(p->local_bytes, bytes);
	return 0;
}

static int too_many(struct base_err *err)
{
	return base_err_set(err, -BASE_E_TOO_LARGE, "more than %u connections",
			    PLANNER_CONNS_MAX);
}

/* Room for @n more connections. */
static int reserve(struct planner_problem *p, uint32_t n, struct base_err *err)
{
	struct planner_conn *conns;

	if (n > PLANNER_CONNS_MAX - p->n_conns)
		return too_many(err);
	conns = base_grow(p->conns, &p->cap_conns, (size_t)p->n_conns + n,
			  sizeof(*conns));
	if (!conns)
		return base_err_set(err, -ENOMEM, "no memory for %u connections",
				    p->n_conns + n);
	p->conns = conns;
	return 0;
}

int planner_problem_add_conn(struct planner_problem *p, const struct planner_conn *conn,
			     struct base_err *err)
{
	const struct topo_node *nodes = topo_graph_nodes(p->graph);
	int r = check_conn(p, conn, err);

	if (r < 0)
		return r;
	if (nodes[conn->src_nic].parent == nodes[conn->dst_nic].parent)
		return planner_problem_add_local(p, conn->bytes, err);
	r = reserve(p, 1, err);
	if (r < 0)
		return r;
	p->conns[p->n_conns++] = *conn;
	if (conn->phase >= p->n_phases)
		p->n_phases = conn->phase + 1;
	return 0;
}

int planner_problem_assume(struct planner_problem *p, const char *name, const char *value,
			   const char *reason)
{
	struct planner_assumption *grown, new;

	for (uint32_t i = 0; i < p->n_assumptions; i++)
		if (strcmp(p->assumptions[i].name, name) == 0 &&
		    strcmp(p->assumptions[i].value, value) == 0)
			return 0;
	if (p->n_assumptions == UINT32_MAX)
		return -ENOMEM;
	grown = base_grow(p->assumptions, &p->cap_assumptions,
			  (size_t)p->n_assumptions + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	p->assumptions = grown;
	new.name = base_array_dup(name, strlen(name) + 1, 1);
	new.value = base_array_dup(value, strlen(value) + 1, 1);
	new.reason = base_array_dup(reason, strlen(reason) + 1, 1);
	if (!new.name || !new.value || !new.reason) {
		free(new.name);
		free(new.value);
		free(new.reason);
		return -ENOMEM;
	}
	grown[p->n_assumptions++] = new;
	return 0;
}

int planner_problem_add_reverse(struct planner_problem *p, uint32_t share_ppm,
				struct base_err *err)
{
	return planner_problem_add_reverse_from(p, 0, share_ppm, err);
}

int planner_problem_add_reverse_from(struct planner_problem *p, uint32_t first,
				     uint32_t share_ppm, struct base_err *err)
{
	uint32_t n = p->n_conns;
	int r;

	if (share_ppm > PPM)
		return base_err_set(
			err, -BASE_E_INVALID,
			"reverse traffic of %u ppm is more than what it answers",
			share_ppm);
	if (share_ppm == 0)
		return 0;
	r = reserve(p, n - first, err);
	if (r < 0)
		return r;
	for (uint32_t i = first; i < n; i++) {
		struct planner_conn reverse = p->conns[i];

		reverse.src_nic = p->conns[i].dst_nic;
		reverse.dst_nic = p->conns[i].src_nic;
		reverse.bytes = base_num_mul_div(reverse.bytes, share_ppm, PPM);
		if (reverse.bytes == 0)
			reverse.bytes = 1;
		p->conns[p->n_conns++] = reverse;
	}
	return 0;
}

/* The reference time. */

struct busiest {
	uint64_t bytes, rate_bps; /* the greatest bytes over rate so far */
};

/* What each NIC sends and receives in the phase at hand, by node; 0 between phases. */
struct nic_sums {
	uint64_t *out, *in;
};

static void look_at(struct busiest *b, uint64_t bytes, uint64_t rate_bps)
{
	if (rate_bps != 0 && (unsigned __int128)bytes * b->rate_bps >
				     (unsigned __int128)b->bytes * rate_bps)
		*b = (struct busiest){ bytes, rate_bps };
}

/* order[first..last-1] are the connections of one phase; NULL: their own numbers. */
static void add_phase(const struct planner_problem *p, struct nic_sums *sums,
		      const uint32_t *order, uint32_t first, uint32_t last,
		      struct busiest *b)
{
	for (uint32_t i = first; i < last; i++) {
		const struct planner_conn *c = &p->conns[order ? order[i] : i];

		sums->out[c->src_nic] = base_num_add(sums->out[c->src_nic], c->bytes);
		sums->in[c->dst_nic] = base_num_add(sums->in[c->dst_nic], c->bytes);
	}
	for (uint32_t i = first; i < last; i++) {
		const struct planner_conn *c = &p->conns[order ? order[i] : i];

		if (sums->out[c->src_nic] != 0)
			look_at(b, sums->out[c->src_nic],
				topo_graph_nic_rate_bps(p->graph, c->src_nic));
		if (sums->in[c->dst_nic] != 0)
			look_at(b, sums->in[c->dst_nic],
				topo_graph_nic_rate_bps(p->graph, c->dst_nic));
		sums->out[c->src_nic] = sums->in[c->dst_nic] = 0;
	}
}

/* Connections by phase, those of phase f at first[f] .. first[f + 1] - 1. */
static void sort_by_phase(const struct planner_problem *p, uint32_t *first,
			  uint32_t *order)
{
	for (uint32_t i = 0; i < p->n_conns; i++)
		first[p->conns[i].phase + 1]++;
	for (uint32_t f = 0; f < p->n_phases; f++)
		first[f + 1] += first[f];
	for (uint32_t i = p->n_conns; i-- > 0;)
		order[--first[p->conns[i].phase + 1]] = i;
	/* The loop left the start of phase f in first[f + 1]. */
	memmove(first, first + 1, p->n_phases * sizeof(*first));
	first[p->n_phases] = p->n_conns;
}

int planner_problem_reference(const struct planner_problem *p, uint64_t *ret_bytes,
			      uint64_t *ret_rate_bps)
{
	struct busiest b = { 0, 1 };
	struct nic_sums sums;
	uint32_t *order = NULL, *first = NULL;
	uint32_t n_nodes = topo_graph_n_nodes(p->graph);
	bool has_phases = p->n_phases > 1;
	int r = -ENOMEM;

	sums.out = base_array_new(n_nodes, sizeof(*sums.out));
	sums.in = base_array_new(n_nodes, sizeof(*sums.in));
	if (!sums.out || !sums.in)
		goto out;
	if (has_phases) {
		first = base_array_new((size_t)p->n_phases + 1, sizeof(*first));
		order = base_array_new(p->n_conns, sizeof(*order));
		if (!first || !order)
			goto out;
		sort_by_phase(p, first, order);
		for (uint32_t f = 0; f < p->n_phases; f++)
			add_phase(p, &sums, order, first[f], first[f + 1], &b);
	} else {
		add_phase(p, &sums, NULL, 0, p->n_conns, &b);
	}
	if (b.bytes == 0 && p->n_conns != 0)
		b = (struct busiest){ 1, 1 }; /* no NIC has a link */
	*ret_bytes = b.bytes;
	*ret_rate_bps = b.rate_bps;
	r = 0;
out:
	free(order);
	free(first);
	free(sums.in);
	free(sums.out);
	return r;
}

/* The fingerprint. */

static uint64_t hash_text(uint64_t hash, const char *text)
{
	/* FNV-1a, then mixed: short names differ in all bits of the result. */
	uint64_t h = hash ^ 0xcbf29ce484222325u;

	for (; *text; text++)
		h = (h ^ (uint8_t)*text) * 0x100000001b3u;
	return base_rng_mix(h);
}

/* Of the full name: local names from the node up. */
static uint64_t hash_node(const struct topo_graph *g, uint64_t hash, uint32_t node)
{
	const struct topo_node *nodes = topo_graph_nodes(g);

	for (; node != TOPO_NONE; node = nodes[node].parent)
		hash = hash_text(hash, topo_graph_text(g, nodes[node].name));
	return hash;
}

uint64_t planner_problem_fingerprint(const struct planner_problem *p)
{
	uint64_t hash = base_rng_mix(p->n_conns);

	hash = base_rng_mix(hash ^ p->n_jobs);
	hash = base_rng_mix(hash ^ p->n_phases);
	for (uint32_t i = 0; i < p->n_jobs; i++)
		hash = hash_text(hash, p->job_names[i]);
	for (uint32_t i = 0; i < p->n_conns; i++) {
		const struct planner_conn *c = &p->conns[i];

		hash = hash_node(p->graph, hash, c->src_nic);
		hash = hash_node(p->graph, hash, c->dst_nic);
		hash = base_rng_mix(hash ^ c->bytes);
		hash = base_rng_mix(hash ^ ((uint64_t)c->job << 32 | c->phase));
		hash = base_rng_mix(hash ^ c->plane);
	}
	return hash;
}
