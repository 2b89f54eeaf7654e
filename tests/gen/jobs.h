/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A fabric with a problem on it, for tests that read jobs.  Out of memory ends the test.
 */
#pragma once
#include <base/str.h>
#include <planner/job.h>
#include <stdbool.h>
#include <topo/name.h>

BASE_BEGIN_DECLS

struct gen_job {
	struct topo_graph *graph;
	struct topo_names *names;
	struct planner_problem p;
	struct planner_job_options options;
	struct base_err err; /* of the last reading */
};

/* Two tiers, two spines; hosts h0, h1, ... with NICs nic0, nic1, ... */
void gen_job_init(struct gen_job *j, uint32_t leaves, uint32_t nics_per_leaf,
		  uint32_t nics_per_host);
/* On a fabric that becomes @j's. */
void gen_job_init_on(struct gen_job *j, struct topo_graph *graph);
void gen_job_fini(struct gen_job *j);

/* planner_job_read() of a short form, or of the file "f" with these bytes. */
int gen_job_form(struct gen_job *j, const char *form) BASE_MUST_CHECK;
int gen_job_text(struct gen_job *j, const char *text) BASE_MUST_CHECK;
int gen_job_bytes(struct gen_job *j, const char *data, size_t len) BASE_MUST_CHECK;

/* The value of the first assumption of that name, or NULL. */
const char *gen_job_assumed(const struct gen_job *j, const char *name);
/* A line for each connection in order: "h0.nic0>h1.nic0 100", then " phase 1" and " job
 * 1" where they are not 0, " plane 1" where there is one. */
void gen_job_print(const struct gen_job *j, struct base_str *into);
/*
 * What must hold after a reading that returned @r, whatever was read: a sound problem, or
 * an empty one with an error that says something.
 */
bool gen_job_is_sound(const struct gen_job *j, int r);
/* Whether conns, jobs, phases, local traffic and assumptions are all none. */
bool gen_job_is_empty(const struct gen_job *j);

BASE_END_DECLS
