/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading "fairlead.plan.v1" onto a fabric.  What can be worked out again (certificate,
 * loads) is not believed: the plan is certified anew.
 */
#include <planner/plan.h>
#include "problem_private.h"
#include <base/json.h>
#include <base/mem.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <topo/path.h>

#define SCHEMA "fairlead.plan.v1"

static const char *const keys[] = { "schema",	       "fabric_fingerprint",
				    "job_fingerprint", "unroutable",
				    "moved",	       "moved_must",
				    "certificate",     "busbw_ppm",
				    "assumptions",     "jobs",
				    "connections",     "loads" };
static const char *const conn_keys[] = { "from",  "to",	   "job", "phase",
					 "bytes", "plane", "qps" };
static const char *const qp_keys[] = { "path", "weight_ppm" };

struct reader {
	const struct topo_names *names;
	struct planner_problem *p;
	struct planner_plan *plan;
	struct base_err *err;
	struct base_err why; /* what a name or path was refused for, without a place */
	size_t cap_conns, cap_qps, cap_hops;
};

static int refuse(struct reader *r, const struct base_json *at, int code)
{
	uint64_t fingerprint = r->plan->graph_fingerprint;
	bool is_other = code == -BASE_E_UNKNOWN && fingerprint != 0 &&
			fingerprint != topo_graph_fingerprint(r->p->graph);

	return base_json_fail(at, r->err, code, "%s%s", r->why.message,
			      is_other ? " (the plan was made for another fabric, or for "
					 "other states of its links)"
				       : "");
}

static int read_nic(struct reader *r, const struct base_json *conn, const char *key,
		    uint32_t *ret_nic)
{
	struct base_json v = base_json_get(conn, key);
	const char *text;
	int e = base_json_string(&v, &text, r->err);

	if (e < 0)
		return e;
	e = topo_names_nic(r->names, text, strlen(text), ret_nic, &r->why);
	return e < 0 ? refuse(r, &v, e) : 0;
}

static int read_optional(struct reader *r, const struct base_json *conn, const char *key,
			 uint32_t max, uint32_t *ret_n)
{
	struct base_json v = base_json_get(conn, key);

	return v.value ? base_json_u32(&v, 0, max, ret_n, r->err) : 0;
}

/* The path of a QP: must join the ends of its connection. */
static int read_path(struct reader *r, const struct base_json *v,
		     const struct planner_conn *conn, struct planner_qp *qp)
{
	const struct topo_link *links = topo_graph_links(r->p->graph);
	uint32_t *hops = NULL, *grown;
	const char *text;
	size_t n = 0;
	int e = base_json_string(v, &text, r->err);

	if (e < 0)
		return e;
	e = topo_names_path(r->names, text, strlen(text), &hops, &n, &r->why);
	if (e < 0)
		return refuse(r, v, e);
	if (n < 2 || n > TOPO_PATH_HOPS_MAX ||
	    topo_hop_from(links, hops[0]) != conn->src_nic ||
	    topo_hop_to(links, hops[n - 1]) != conn->dst_nic) {
		free(hops);
		return base_json_fail(
			v, r->err, -BASE_E_INVALID,
			"must lead from the connection's \"from\" to its \"to\" in "
			"2 to %u hops",
			TOPO_PATH_HOPS_MAX);
	}
	grown = base_grow(r->plan->hops, &r->cap_hops, r->plan->n_hops + n,
			  sizeof(*grown));
	if (!grown) {
		free(hops);
		return -ENOMEM;
	}
	r->plan->hops = grown;
	memcpy(&grown[r->plan->n_hops], hops, n * sizeof(*hops));
	qp->first_hop = (uint32_t)r->plan->n_hops;
	qp->n_hops = (uint32_t)n;
	r->plan->n_hops += n;
	free(hops);
	return r->plan->n_hops > UINT32_MAX
		       ? base_json_fail(v, r->err, -BASE_E_TOO_LARGE, "too many paths")
		       : 0;
}

static int read_qp(struct reader *r, const struct base_json *v,
		   const struct planner_conn *conn)
{
	struct planner_qp qp = { 0 }, *grown;
	struct base_json path = base_json_get(v, "path");
	struct base_json weight = base_json_get(v, "weight_ppm");
	int e = base_json_only(v, qp_keys, BASE_COUNT(qp_keys), r->err);

	if (e == 0)
		e = base_json_u32(&weight, 0, 1000000, &qp.weight_ppm, r->err);
	if (e == 0)
		e = read_path(r, &path, conn, &qp);
	if (e < 0)
		return e;
	grown = base_grow(r->plan->qps, &r->cap_qps, (size_t)r->plan->n_qps + 1,
			  sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	r->plan->qps = grown;
	grown[r->plan->n_qps++] = qp;
	return 0;
}

static int read_qps(struct reader *r, const struct base_json *list,
		    const struct planner_conn *conn)
{
	size_t n = base_json_size(list);
	uint64_t weights = 0;
	uint32_t first = r->plan->n_qps;
	int e = base_json_need_array(list, r->err);

	if (e < 0)
		return e;
	if (n > PLANNER_QPS_MAX)
		return base_json_fail(list, r->err, -BASE_E_TOO_LARGE,
				      "has %zu QPs; a connection has at most %u", n,
				      PLANNER_QPS_MAX);
	for (size_t i = 0; e == 0 && i < n; i++) {
		struct base_json v = base_json_at(list, i);

		e = base_json_need_object(&v, r->err);
		if (e == 0)
			e = read_qp(r, &v, conn);
	}
	for (uint32_t q = first; q < r->plan->n_qps; q++)
		weights += r->plan->qps[q].weight_ppm;
	if (e == 0 && n > 0 && weights != 1000000)
		return base_json_fail(list, r->err, -BASE_E_INVALID,
				      "weights must add up to 1000000 ppm, not %llu",
				      (unsigned long long)weights);
	r->plan->unroutable += e == 0 && n == 0;
	return e;
}

static int read_connection(struct reader *r, const struct base_json *v)
{
	struct planner_conn conn = { .plane = TOPO_NONE };
	struct base_json bytes = base_json_get(v, "bytes"), qps = base_json_get(v, "qps");
	uint32_t before = r->p->n_conns;
	int e = base_json_need_object(v, r->err);

	if (e == 0)
		e = base_json_only(v, conn_keys, BASE_COUNT(conn_keys), r->err);
	if (e == 0)
		e = read_nic(r, v, "from", &conn.src_nic);
	if (e == 0)
		e = read_nic(r, v, "to", &conn.dst_nic);
	if (e == 0)
		e = read_optional(r, v, "job", r->p->n_jobs - 1, &conn.job);
	if (e == 0)
		e = read_optional(r, v, "phase", PLANNER_PHASES_MAX - 1, &conn.phase);
	if (e == 0)
		e = read_optional(r, v, "plane", topo_graph_n_planes(r->p->graph) - 1,
				  &conn.plane);
	if (e == 0)
		e = base_json_u64(&bytes, 1, PLANNER_BYTES_MAX, &conn.bytes, r->err);
	if (e < 0)
		return e;
	e = planner_problem_add_conn(r->p, &conn, &r->why);
	if (e < 0)
		return refuse(r, v, e);
	if (r->p->n_conns == before)
		return base_json_fail(v, r->err, -BASE_E_INVALID,
				      "both ends are on one host: nothing to plan");
	return read_qps(r, &qps, &conn);
}

static int read_connections(struct reader *r, const struct base_json *list)
{
	size_t n = base_json_size(list);
	int e = base_json_need_array(list, r->err);

	if (e == 0 && n > PLANNER_CONNS_MAX)
		return base_json_fail(list, r->err, -BASE_E_TOO_LARGE,
				      "has %zu connections, above the limit of %u", n,
				      PLANNER_CONNS_MAX);
	if (e == 0 && n > 0 && r->p->n_jobs == 0)
		return base_json_fail(list, r->err, -BASE_E_INVALID,
				      "needs at least one job in \"jobs\"");
	r->plan->n_conns = (uint32_t)n;
	free(r->plan->conn_first);
	r->plan->conn_first = base_array_new(n + 1, sizeof(uint32_t));
	if (!r->plan->conn_first)
		return -ENOMEM;
	for (size_t i = 0; e == 0 && i < n; i++) {
		struct base_json v = base_json_at(list, i);

		r->plan->conn_first[i] = r->plan->n_qps;
		e = read_connection(r, &v);
	}
	r->plan->conn_first[n] = r->plan->n_qps;
	return e;
}

static int read_jobs(struct reader *r, const struct base_json *list)
{
	int e = base_json_need_array(list, r->err);

	for (size_t i = 0; e == 0 && i < base_json_size(list); i++) {
		struct base_json v = base_json_at(list, i);
		const char *name;
		uint32_t job;

		e = base_json_string(&v, &name, r->err);
		if (e == 0)
			e = planner_problem_add_job(r->p, name, &job);
	}
	return e;
}

static int read_fingerprint(struct reader *r, const struct base_json *root,
			    const char *key, uint64_t *ret_hash)
{
	struct base_json v = base_json_get(root, key);
	static const char digits[] = "0123456789abcdef";
	const char *text;
	uint64_t hash = 0;
	int e;

	if (!v.value)
		return 0;
	e = base_json_string(&v, &text, r->err);
	if (e < 0)
		return e;
	if (strlen(text) != 16 || strspn(text, digits) != 16)
		return base_json_fail(&v, r->err, -BASE_E_INVALID,
				      "must be 16 hexadecimal digits");
	for (size_t i = 0; i < 16; i++)
		hash = hash << 4 | (uint64_t)(strchr(digits, text[i]) - digits);
	*ret_hash = hash;
	return 0;
}

static int read_root(struct reader *r, const struct base_json *root)
{
	struct base_json jobs = base_json_get(root, "jobs");
	struct base_json connections = base_json_get(root, "connections");
	int e = base_json_schema(root, SCHEMA, r->err);

	if (e == 0)
		e = base_json_only(root, keys, BASE_COUNT(keys), r->err);
	if (e == 0)
		e = read_fingerprint(r, root, "fabric_fingerprint",
				     &r->plan->graph_fingerprint);
	if (e == 0)
		e = read_fingerprint(r, root, "job_fingerprint",
				     &r->plan->problem_fingerprint);
	if (e == 0)
		e = read_jobs(r, &jobs);
	if (e == 0)
		e = read_connections(r, &connections);
	return e;
}

int planner_plan_read_json(const char *name, const char *data, size_t len,
			   const struct topo_names *names, struct planner_problem *p,
			   struct planner_plan **ret_plan, struct base_err *err)
{
	struct reader r = { .names = names, .p = p, .err = err };
	const struct planner_problem_mark mark = planner_problem_mark(p);
	struct base_json_doc *doc = NULL;
	struct base_json root;
	int e = base_json_parse(name, data, len, &doc, err);

	if (e < 0)
		return e;
	root = base_json_root(doc);
	r.plan = planner_plan_new(0, 0, 0);
	e = r.plan ? read_root(&r, &root) : -ENOMEM;
	if (e == 0)
		e = planner_plan_certify(p, r.plan);
	if (e == -ENOMEM)
		base_err_set(err, e, "no memory for this plan");
	base_json_free(doc);
	if (e < 0) {
		planner_problem_rewind(p, &mark);
		planner_plan_free(r.plan);
	} else {
		*ret_plan = r.plan;
	}
	return e;
}
