/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the sums of a workload to connections.
 *
 * All kinds of traffic are one phase.  The files say what is sent, not when relative to
 * what else; gradients go while the backward pass still computes and sends, and a plan
 * that holds when kinds overlap holds when they do not.  The reverse is not true.
 */
#include "job_workload.h"
#include <base/mem.h>
#include <base/num.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* Rings add up to four sums, one of them twice. */
#define SUM_MAX (PLANNER_BYTES_MAX / 8)
#define NAME_ROOM 32u
#define GPUS_MAX 1024u /* of a host, where that is a guess */

int planner_workload_add_to(uint64_t *sum_bytes, uint64_t bytes)
{
	if (bytes > SUM_MAX - *sum_bytes)
		return -BASE_E_TOO_LARGE;
	*sum_bytes += bytes;
	return 0;
}

int planner_workload_add(struct planner_workload *w, enum planner_workload_group group,
			 enum planner_collective what, uint64_t bytes)
{
	return planner_workload_add_to(&w->bytes[group][what], bytes);
}

/* The dimensions of ranks, fastest first; their sizes multiply to the world. */
enum { T, E, X, S, DIMENSIONS };

#define DIM(d) (1u << (d))

/* Which dimensions a group runs over. */
static const uint32_t group_dims[PLANNER_WORKLOAD_GROUPS] = {
	[PLANNER_WORKLOAD_TP] = DIM(T),
	[PLANNER_WORKLOAD_DP] = DIM(E) | DIM(X),
	[PLANNER_WORKLOAD_PP] = DIM(S),
	[PLANNER_WORKLOAD_EP] = DIM(E),
	[PLANNER_WORKLOAD_DP_EP] = DIM(X),
	[PLANNER_WORKLOAD_EP_TP] = DIM(T) | DIM(E),
	[PLANNER_WORKLOAD_EMBEDDING] = DIM(S),
	[PLANNER_WORKLOAD_ALL] = DIM(T) | DIM(E) | DIM(X) | DIM(S),
};

static const char *const group_words[PLANNER_WORKLOAD_GROUPS] = {
	[PLANNER_WORKLOAD_TP] = "tensor parallel",
	[PLANNER_WORKLOAD_DP] = "data parallel",
	[PLANNER_WORKLOAD_PP] = "pipeline parallel",
	[PLANNER_WORKLOAD_EP] = "expert parallel",
	[PLANNER_WORKLOAD_DP_EP] = "expert data parallel",
	[PLANNER_WORKLOAD_EP_TP] = "expert tensor parallel",
	[PLANNER_WORKLOAD_EMBEDDING] = "embedding",
	[PLANNER_WORKLOAD_ALL] = "all ranks",
};

struct layout {
	uint32_t size[DIMENSIONS], world;
	uint32_t gpus;	  /* of each host */
	uint32_t n_hosts; /* of each job */
	uint32_t n_jobs;
};

struct builder {
	const struct planner_job_reading *reading;
	struct planner_problem *p;
	const struct planner_workload *w;
	struct layout layout;
	struct planner_job_hosts hosts;
	uint32_t *order;	/* hosts as ranks take them */
	const uint32_t *placed; /* those of the job at hand */
	uint32_t *nics;		/* scratch: members of a group */
	uint32_t *ring;		/* scratch: a part of them */
	uint32_t job;
	struct base_err *err;
};

static int no_memory(const struct builder *b)
{
	return base_err_set(b->err, -ENOMEM, "no memory for a workload");
}

/* Sizes. */

static int pick_size(struct builder *b, const char *what, uint32_t said, uint32_t option,
		     uint32_t *ret_size)
{
	*ret_size = said ? said : option ? option : 1;
	if (said || option)
		return 0;
	return planner_job_assume(b->p, b->err, what,
				  "the workload does not say the size of these groups",
				  "1");
}

static uint32_t most_nics(const struct planner_job_hosts *hosts)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < hosts->n; i++)
		if (planner_job_hosts_nics(hosts, i) > most)
			most = planner_job_hosts_nics(hosts, i);
	return most;
}

static int pick_gpus(struct builder *b)
{
	struct layout *l = &b->layout;
	uint32_t nics = most_nics(&b->hosts);

	l->gpus = b->reading->options->gpus;
	if (l->gpus != 0)
		return 0;
	if (nics < l->size[T] && l->size[T] > GPUS_MAX)
		return base_err_set(b->err, -BASE_E_INVALID,
				    "a tensor-parallel group of %u ranks does not fit a "
				    "host: say how many GPUs a host has",
				    l->size[T]);
	l->gpus = nics > l->size[T] ? nics : l->size[T];
	return planner_job_assume(
		b->p, b->err, "gpus_per_host",
		nics >= l->size[T] ? "one GPU for each NIC"
				   : "a tensor-parallel group is taken to be in one host",
		"%u", l->gpus);
}

/* The number of ranks, and of hosts for them. */
static int pick_world(struct builder *b)
{
	const struct planner_job_options *o = b->reading->options;
	struct layout *l = &b->layout;
	uint64_t unit = (uint64_t)l->size[T] * l->size[S], world = b->w->world;

	if (unit <= PLANNER_RANKS_MAX)
		unit *= l->size[E];
	if (unit > PLANNER_RANKS_MAX)
		return base_err_set(b->err, -BASE_E_TOO_LARGE,
				    "tensor parallel %u, expert %u, pipeline %u: that "
				    "is more than %u ranks",
				    l->size[T], l->size[E], l->size[S],
				    PLANNER_RANKS_MAX);
	l->n_jobs = o->jobs ? o->jobs : 1;
	if (o->hosts || world == 0) {
		l->n_hosts = o->hosts ? o->hosts : b->hosts.n / l->n_jobs;
		world = (uint64_t)l->n_hosts * l->gpus;
		world -= world % unit;
	} else {
		l->n_hosts = (uint32_t)((world + l->gpus - 1) / l->gpus);
	}
	if (world > PLANNER_RANKS_MAX)
		return base_err_set(b->err, -BASE_E_TOO_LARGE,
				    "%llu ranks, the ceiling is %u",
				    (unsigned long long)world, PLANNER_RANKS_MAX);
	if (world == 0 || world % unit != 0)
		return base_err_set(b->err, -BASE_E_INVALID,
				    "%llu ranks (%u hosts of %u) are no multiple of "
				    "%llu: tensor parallel %u, expert %u, pipeline %u",
				    (unsigned long long)world, l->n_hosts, l->gpus,
				    (unsigned long long)unit, l->size[T], l->size[E],
				    l->size[S]);
	if ((uint64_t)l->n_hosts * l->n_jobs > b->hosts.n)
		return base_err_set(b->err, -BASE_E_INFEASIBLE,
				    "%u ranks need %u hosts of %u GPUs (%u jobs in all), "
				    "and the fabric has %u",
				    (uint32_t)world, l->n_hosts, l->gpus, l->n_jobs,
				    b->hosts.n);
	l->world = (uint32_t)world;
	l->size[X] = (uint32_t)(world / unit);
	return 0;
}

static int pick_layout(struct builder *b)
{
	const struct planner_job_options *o = b->reading->options;
	struct layout *l = &b->layout;
	int r;

	r = pick_size(b, "tensor_parallel", b->w->tp, o->tp, &l->size[T]);
	if (r == 0)
		r = pick_size(b, "pipeline_parallel", b->w->pp, o->pp, &l->size[S]);
	if (r == 0)
		r = pick_size(b, "expert_parallel", b->w->ep, o->ep, &l->size[E]);
	if (r == 0)
		r = pick_gpus(b);
	if (r == 0)
		r = pick_world(b);
	if (r == 0 && b->w->world != l->world)
		r = planner_job_assume(b->p, b->err, "world_size",
				       o->hosts ? "the number of hosts was chosen"
						: "the workload does not say how many "
						  "ranks there are",
				       "%u", l->world);
	return r;
}

/* Groups. */

static uint32_t nic_of(const struct builder *b, uint32_t rank)
{
	uint32_t host = b->placed[rank / b->layout.gpus];
	uint32_t n = planner_job_hosts_nics(&b->hosts, host);
	uint64_t nic = (uint64_t)(rank % b->layout.gpus) * n / b->layout.gpus;

	return b->hosts.nics[b->hosts.first[host] + nic];
}

/* Number @index of the ranks that vary in @dims only, counted from @base. */
static uint32_t rank_of(const struct layout *l, uint32_t dims, uint32_t base,
			uint32_t index)
{
	uint32_t stride = 1, rank = base;

	for (uint32_t d = 0; d < DIMENSIONS; d++) {
		if (dims & DIM(d)) {
			rank += index % l->size[d] * stride;
			index /= l->size[d];
		}
		stride *= l->size[d];
	}
	return rank;
}

static uint32_t count_of(const struct layout *l, uint32_t dims)
{
	uint32_t n = 1;

	for (uint32_t d = 0; d < DIMENSIONS; d++)
		if (dims & DIM(d))
			n *= l->size[d];
	return n;
}

/* How many of the first @n in b->nics each host has; 0: not the same number for all. */
static uint32_t members_per_host(const struct builder *b, uint32_t n)
{
	const struct topo_node *nodes = topo_graph_nodes(b->p->graph);
	uint32_t run = 1, per_host = 0;

	for (uint32_t i = 1; i <= n; i++) {
		if (i < n && nodes[b->nics[i]].parent == nodes[b->nics[i - 1]].parent) {
			run++;
			continue;
		}
		if (per_host != 0 && run != per_host)
			return 0;
		per_host = run;
		run = 1;
	}
	return per_host;
}

/*
 * A ring over GPUs of several hosts enters and leaves each host once.  A library with
 * several NICs makes a ring for each of them, which enters and leaves by that NIC and
 * carries its part of the buffer: so here with as many rings as a host has members.
 */
static int build_ring(const struct builder *b, uint32_t n, uint64_t bytes)
{
	uint32_t per_host = members_per_host(b, n);
	uint32_t n_hosts = per_host ? n / per_host : n;
	uint32_t rings = per_host ? per_host : 1;
	uint64_t part = base_num_mul_div_up(bytes, n - 1, (uint64_t)n * rings);
	int r = 0;

	if (n_hosts == 1) {
		for (uint32_t i = 0; r == 0 && i < n; i++)
			r = planner_job_send(
				b->p, b->job, b->nics[i], b->nics[(i + 1) % n],
				base_num_mul_div_up(bytes, n - 1, n), 0, b->err);
		return r;
	}
	for (uint32_t k = 0; r == 0 && k < rings; k++) {
		for (uint32_t h = 0; h < n_hosts; h++)
			b->ring[h] = b->nics[h * rings + k];
		r = planner_job_ring(b->p, b->job, b->ring, n_hosts, part, 0, b->err);
		/* From member to member inside each host. */
		for (uint32_t i = 0; r == 0 && i < n_hosts * (rings - 1); i++)
			r = planner_job_send(b->p, b->job, b->ring[0], b->ring[0], part,
					     0, b->err);
	}
	return r;
}

static int build_other(const struct builder *b, uint32_t n, enum planner_collective what,
		       uint64_t bytes)
{
	if (bytes == 0)
		return 0;
	return planner_job_expand(b->p, b->job, what, PLANNER_AUTO, b->nics, n, bytes, 0,
				  NULL, b->err);
}

/* Activations go forward along the stages, gradients back. */
static int build_stages(const struct builder *b, uint32_t n)
{
	int r = build_other(b, n, PLANNER_SEND, b->w->forward_bytes);

	for (uint32_t i = 0; i < n; i++)
		b->ring[i] = b->nics[n - 1 - i];
	if (r < 0 || b->w->backward_bytes == 0)
		return r;
	return planner_job_expand(b->p, b->job, PLANNER_SEND, PLANNER_CHAIN, b->ring, n,
				  b->w->backward_bytes, 0, NULL, b->err);
}

static int build_group(const struct builder *b, enum planner_workload_group group,
		       uint32_t n)
{
	const uint64_t *bytes = b->w->bytes[group];
	/* These run over the same connections, one after the other. */
	uint64_t ring = 2 * bytes[PLANNER_ALL_REDUCE] + bytes[PLANNER_ALL_GATHER] +
			bytes[PLANNER_REDUCE_SCATTER];
	int r = 0;

	if (ring > 0)
		r = build_ring(b, n, ring);
	if (r == 0)
		r = build_other(b, n, PLANNER_ALL_TO_ALL, bytes[PLANNER_ALL_TO_ALL]);
	if (r == 0)
		r = build_other(b, n, PLANNER_BROADCAST, bytes[PLANNER_BROADCAST]);
	if (r == 0)
		r = build_other(b, n, PLANNER_REDUCE, bytes[PLANNER_REDUCE]);
	if (r == 0 && group == PLANNER_WORKLOAD_PP)
		r = build_stages(b, n);
	return r;
}

static bool has_traffic(const struct planner_workload *w,
			enum planner_workload_group group)
{
	for (uint32_t c = 0; c < PLANNER_COLLECTIVES; c++)
		if (w->bytes[group][c] > 0)
			return true;
	return group == PLANNER_WORKLOAD_PP &&
	       (w->forward_bytes > 0 || w->backward_bytes > 0);
}

static int build_groups(struct builder *b, enum planner_workload_group group)
{
	const struct layout *l = &b->layout;
	uint32_t dims = group_dims[group];
	uint32_t others = group_dims[PLANNER_WORKLOAD_ALL] & ~dims;
	uint32_t size = count_of(l, dims), n_groups = count_of(l, others);
	int r = 0;

	if (!has_traffic(b->w, group))
		return 0;
	if (size < 2)
		return planner_job_assume(b->p, b->err, "traffic_left_out",
					  "groups of one rank send nothing", "%s",
					  group_words[group]);
	for (uint32_t g = 0; r == 0 && g < n_groups; g++) {
		uint32_t base = rank_of(l, others, 0, g);

		for (uint32_t i = 0; i < size; i++)
			b->nics[i] = nic_of(b, rank_of(l, dims, base, i));
		if (group == PLANNER_WORKLOAD_EMBEDDING)
			b->nics[1] = b->nics[size - 1];
		r = build_group(b, group, group == PLANNER_WORKLOAD_EMBEDDING ? 2 : size);
	}
	return r;
}

static int build_job(struct builder *b, uint32_t number)
{
	char name[NAME_ROOM] = "workload";
	int r;

	if (b->layout.n_jobs > 1)
		snprintf(name, sizeof(name), "workload%u", number);
	r = planner_problem_add_job(b->p, name, &b->job);
	if (r < 0)
		return no_memory(b);
	b->placed = b->order + (size_t)number * b->layout.n_hosts;
	for (uint32_t g = 0; r == 0 && g < PLANNER_WORKLOAD_GROUPS; g++)
		r = build_groups(b, (enum planner_workload_group)g);
	return r;
}

static int build(struct builder *b)
{
	const struct planner_job_options *o = b->reading->options;
	int r = pick_layout(b);

	if (r < 0)
		return r;
	b->order = base_array_new(b->hosts.n, sizeof(*b->order));
	b->nics = base_array_new(b->layout.world, sizeof(*b->nics));
	b->ring = base_array_new(b->layout.world, sizeof(*b->ring));
	if (!b->order || !b->nics || !b->ring)
		return no_memory(b);
	if (planner_job_place(b->p->graph, &b->hosts, o->placement, o->seed, b->order) <
	    0)
		return no_memory(b);
	for (uint32_t j = 0; r == 0 && j < b->layout.n_jobs; j++)
		r = build_job(b, j);
	if (r < 0)
		return r;
	return planner_job_assume(b->p, b->err, "phases",
				  "the workload does not say which of its kinds of "
				  "traffic overlap",
				  "all taken as one");
}

int planner_workload_build(const struct planner_job_reading *reading,
			   const struct planner_workload *w, struct base_err *err)
{
	struct builder b = { .reading = reading, .p = reading->p, .w = w, .err = err };
	int r;

	base_err_at(err, reading->name, 0, 0);
	r = planner_job_hosts_init(&b.hosts, reading->p->graph);
	if (r == 0)
		r = build(&b);
	else
		r = no_memory(&b);
	planner_job_hosts_fini(&b.hosts);
	free(b.order);
	free(b.nics);
	free(b.ring);
	return r;
}
