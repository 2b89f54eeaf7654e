/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A short form, parsed.  Zero: not said, but where a bit of has_keys tells.
 */
#pragma once
#include "job_private.h"

enum planner_form_kind {
	PLANNER_FORM_RING,
	PLANNER_FORM_TREE,
	PLANNER_FORM_HALVING_DOUBLING,
	PLANNER_FORM_ALL_TO_ALL,
	PLANNER_FORM_PERMUTATION,
	PLANNER_FORM_P2P,
	PLANNER_FORM_MIX,
	PLANNER_FORM_KINDS
};

enum planner_form_key {
	PLANNER_FORM_HOSTS,
	PLANNER_FORM_JOBS,
	PLANNER_FORM_BYTES,
	PLANNER_FORM_PLACEMENT,
	PLANNER_FORM_SEED,
	PLANNER_FORM_NICS,
	PLANNER_FORM_FROM,
	PLANNER_FORM_TO,
	PLANNER_FORM_COLLECTIVE,
	PLANNER_FORM_CROSS_RAIL,
	PLANNER_FORM_DP,
	PLANNER_FORM_PP,
	PLANNER_FORM_EP,
	PLANNER_FORM_PP_SIZE,
	PLANNER_FORM_EP_SIZE,
	PLANNER_FORM_KEYS
};

#define PLANNER_FORM_ALL_JOBS UINT32_MAX

struct planner_form_text {
	const char *text; /* into the short form; not terminated */
	size_t len;
};

struct planner_form {
	const char *spec; /* the whole of it, for messages; borrowed */
	enum planner_form_kind kind;
	uint32_t has_keys; /* bit k: key k was said */
	uint32_t hosts, jobs, nics, pp_size, ep_size;
	uint64_t bytes, seed;
	uint64_t dp_ppm, pp_ppm, ep_ppm;
	enum planner_placement placement;
	enum planner_collective collective;
	bool is_cross_rail;
	struct planner_form_text from, to;
};

static inline bool planner_form_has(const struct planner_form *form,
				    enum planner_form_key key)
{
	return form->has_keys >> key & 1u;
}

/* job_form.c.  @spec must outlive @ret_form. */
int planner_form_parse(const char *spec, struct planner_form *ret_form,
		       struct base_err *err) BASE_MUST_CHECK;
/* The word of a kind, as it is typed. */
const char *planner_form_kind_text(enum planner_form_kind kind);
/* job_form_build.c: adds its jobs to reading->p. */
int planner_form_build(const struct planner_job_reading *reading,
		       const struct planner_form *form,
		       struct base_err *err) BASE_MUST_CHECK;
