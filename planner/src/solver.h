/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the parts of the solver share: the QPs of all connections (QP i of connection c is
 * c * qps + i), their paths, and the relative loads of the phase that is being solved.
 * Private to planner/src.
 */
#pragma once
#include <planner/clos.h>
#include <planner/plan.h>
#include <planner/problem.h>
#include <topo/path.h>
#include <base/rng.h>
#include "bound.h"

/* Loads that differ by less are the same: far above rounding, far below one ppm. */
#define LOAD_EPSILON 1e-9

struct walk_node;

struct solver {
	const struct planner_problem *p;
	const struct topo_link *links;
	uint32_t n_hops; /* of the graph */
	uint32_t qps;	 /* per connection */
	bool equal_weights;
	uint32_t stride; /* room for hops of one QP */
	double reference_s;
	double *per_byte; /* [link] relative load of one byte */
	uint32_t n_planes;
	struct planner_clos **clos; /* [plane], NULL: no Clos there */
	/* For everything that is no Clos; made when first needed: solver_need_paths(). */
	struct topo_paths *paths;
	const struct planner_bounds *bounds;
	/* QPs */
	uint32_t n_qps;
	uint32_t *hops;	 /* [qp * stride] */
	uint8_t *n_path; /* [qp] hops in use; 0: no path */
	uint16_t *plane; /* [qp] */
	double *bytes;	 /* [qp] that it carries */
	/* The phase at hand */
	uint32_t phase;
	uint32_t *conns; /* connections of the phase, largest first */
	uint32_t n_conns;
	double *load; /* [hop] */
	/* Replanning: QPs that must move, and how many others may; NULL: all may, freely.
	 */
	uint8_t *must_move; /* [qp] */
	uint32_t moves_left;
	struct base_rng rng;
	/* route.c */
	struct walk_node *walk; /* [node] */
	uint32_t walk_stamp;
	uint64_t work; /* links looked at so far: the measure of effort, the same on every
			  machine */
};

static inline uint32_t *solver_path(const struct solver *s, uint32_t qp)
{
	return &s->hops[(size_t)qp * s->stride];
}

static inline double solver_hop_load(const struct solver *s, uint32_t hop, double bytes)
{
	return bytes * s->per_byte[topo_hop_link(hop)];
}

/* solver.c: everything that does not depend on a phase.  0; -BASE_E_TOO_LARGE: hops of
 * all QPs could be more than 2^32; -ENOMEM.  Call solver_fini() in any case. */
int solver_init(struct solver *s, const struct planner_problem *p, uint32_t qps,
		uint64_t seed);
void solver_fini(struct solver *s);
/* No QP has a path; bytes in equal parts. */
void solver_start(struct solver *s);
/* Makes s->paths if it is not there yet.  0 or -ENOMEM. */
int solver_need_paths(struct solver *s);
/* Makes loads relative to another time; all loads must be 0. */
void solver_set_reference(struct solver *s, double reference_s);
/* Gives @qp the path (n hops, n <= stride) and adds its load; its old path's load is
 * taken away first. */
void solver_set_path(struct solver *s, uint32_t qp, const uint32_t *hops, uint32_t n);
void solver_clear_path(struct solver *s, uint32_t qp);
/* Runs every phase that has connections, with these in s->conns.  0 or the first error of
 * @run; -ENOMEM. */
int solver_phases(struct solver *s, int (*run)(void *context), void *context);
/* The largest load of any hop. */
double solver_largest(const struct solver *s);
/* A connection of which a QP with bytes has no path gets none at all: its bytes would not
 * add up. */
void solver_drop_partial(struct solver *s);
/* Records in @err why a plan could not be made, and returns @r: an error of the solver.
 */
int solver_fail(const struct planner_problem *p, uint32_t qps, int r,
		struct base_err *err);
/* Turns the QPs into a plan (not certified).  A QP without bytes and path is no QP. */
int solver_to_plan(const struct solver *s, struct planner_plan **ret_plan);

/* solve_plane.c: which plane each QP of the phase takes. */
int solver_assign_planes(struct solver *s);

/* solve_clos.c: paths for all QPs of the phase in one plane by colouring; leaves what
 * finds no place without a path. */
int solver_colour_plane(struct solver *s, uint32_t plane);

/*
 * route.c: the path of least largest load for a QP of @bytes between two NICs in a plane,
 * as loads stand (ties: least sum, then first).  Loads of NIC links do not count.  Writes
 * hops; returns how many, or -ENOENT: no path.
 */
struct route_cost {
	double largest, sum;
};
int solver_best_path(struct solver *s, uint32_t src_nic, uint32_t dst_nic, uint32_t plane,
		     double bytes, uint32_t *hops, struct route_cost *ret_cost);
bool solver_is_better(const struct route_cost *a, const struct route_cost *b);
/* Adds the loads of the two NIC links of a path, with one more flow. */
void solver_add_ends(const struct solver *s, const uint32_t *hops, uint32_t n,
		     double bytes, struct route_cost *cost);
/* Paths for all QPs of the phase that have none. */
int solver_route_rest(struct solver *s);

/*
 * The best path over all planes that the QP's connection may use, counting the loads of
 * NIC links too; its own path must have been cleared.  Sets its plane; writes hops;
 * returns how many, or -ENOENT.
 */
int solver_best_plane(struct solver *s, uint32_t qp, uint32_t *hops);

/*
 * search.c: moves QPs off links between switches that are loaded above @limit, and off
 * NIC links above @nic_limit (one QP on one port can be more than the port's share).
 */
int solver_search(struct solver *s, double limit, double nic_limit);

/* exact.c: where the phase is small and its largest load above @limit, the best
 * assignment there is. */
int solver_exact(struct solver *s, double limit);

/* weight.c: splits bytes unevenly over QPs where that lowers the largest load. */
int solver_weigh(struct solver *s);
