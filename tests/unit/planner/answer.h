/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers about plans as documents: walked into JSON, read back, and looked into.
 */
#pragma once
#include "plan_case.h"
#include <base/json.h>
#include <base/out.h>
#include <planner/explain.h>
#include <errno.h>

struct answer {
	struct base_str text;
	struct base_out *out;
	struct base_json_doc *doc; /* of JSON, once closed */
	struct base_json root;
};

static inline void answer_open(struct answer *a, enum base_out_format format)
{
	*a = (struct answer){ 0 };
	base_str_init(&a->text, 0);
	a->out = base_out_new(format, false, &a->text);
	assert_non_null(a->out);
	base_out_object_begin(a->out, NULL, NULL);
}

static inline void answer_close(struct answer *a)
{
	enum base_out_format format = base_out_format(a->out);

	base_out_object_end(a->out);
	assert_int_equal(base_out_finish(a->out), 0);
	if (format == BASE_OUT_TEXT)
		return;
	assert_int_equal(base_json_parse("answer", base_str_text(&a->text), a->text.len,
					 &a->doc, NULL),
			 0);
	a->root = base_json_root(a->doc);
}

static inline void answer_fini(struct answer *a)
{
	base_json_free(a->doc);
	base_str_fini(&a->text);
}

static inline bool answer_says(const struct answer *a, const char *what)
{
	return strstr(base_str_text(&a->text), what) != NULL;
}

static inline uint64_t answer_number(const struct base_json *v, const char *key)
{
	struct base_json member = base_json_get(v, key);
	uint64_t n;

	assert_int_equal(base_json_u64(&member, 0, UINT64_MAX, &n, NULL), 0);
	return n;
}

/* Borrowed from the answer. */
static inline const char *answer_text(const struct base_json *v, const char *key)
{
	struct base_json member = base_json_get(v, key);
	const char *text;

	assert_int_equal(base_json_string(&member, &text, NULL), 0);
	return text;
}

/* A job over all hosts, every NIC to every other, in two phases. */
static inline void answer_all_to_all(struct plan_case *c)
{
	struct gen_hosts hosts;

	gen_hosts_init(&hosts, c->g, NULL);
	gen_plans_all_to_all(&c->p, &hosts, hosts.n, CASE_BYTES);
	gen_plans_rings(&c->p, &hosts, hosts.n, CASE_BYTES / 2);
	for (uint32_t i = c->p.n_conns - hosts.n; i < c->p.n_conns; i++)
		c->p.conns[i].phase = 1;
	c->p.n_phases = 2;
	gen_hosts_fini(&hosts);
}

static inline bool answer_crosses(const struct planner_plan *plan, uint32_t qp,
				  uint32_t hop)
{
	for (uint32_t h = 0; h < plan->qps[qp].n_hops; h++)
		if (plan->hops[plan->qps[qp].first_hop + h] == hop)
			return true;
	return false;
}

/* The connection that QP @qp of the plan belongs to. */
static inline uint32_t answer_conn_of(const struct planner_plan *plan, uint32_t qp)
{
	uint32_t c = 0;

	while (plan->conn_first[c + 1] <= qp)
		c++;
	return c;
}

static inline void answer_same_name(const struct topo_graph *g, uint32_t hop,
				    const char *name)
{
	struct base_str want;

	base_str_init(&want, 0);
	topo_name_hop(g, hop, &want);
	assert_string_equal(name, base_str_text(&want));
	base_str_fini(&want);
}
