/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pieces that the answers about a plan share.  Private to planner/src.
 */
#pragma once
#include <base/out.h>
#include <planner/evaluate.h>
#include <planner/plan.h>

/* Members whose value is a name of the fabric. */
void explain_node(struct base_out *out, const char *key, const char *label,
		  const struct topo_graph *g, uint32_t node);
void explain_hop(struct base_out *out, const char *key, const char *label,
		 const struct topo_graph *g, uint32_t hop);
void explain_path(struct base_out *out, const char *key, const char *label,
		  const struct topo_graph *g, const uint32_t *hops, uint32_t n);
/* "from", "to", "job", "phase" of a connection. */
void explain_conn(struct base_out *out, const struct planner_problem *p, uint32_t conn);
/* "state": is the link up? */
void explain_state(struct base_out *out, const struct topo_graph *g, uint32_t link);
/* A section with largest load, bounds and bus bandwidth of a plan. */
void explain_quality(struct base_out *out, const char *key, const char *label,
		     const struct planner_certificate *c,
		     const struct planner_busbw *busbw);
