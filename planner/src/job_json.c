/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The document "fairlead.job.v1" (docs/schema/job.v1.json).
 */
#include "job_private.h"
#include <base/json.h>
#include <base/mem.h>
#include <base/str.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA "fairlead.job.v1"
#define TEXT_MAX 255u	      /* of a job's name and a group's kind */
#define COLLECTIVES_MAX 4096u /* of a job: each walks all groups of a kind */
#define PERIOD_MAX_NS UINT64_C(1000000000000000)

struct group {
	const char *kind; /* into the document */
	size_t first;	  /* into members */
	uint32_t n;
	uint32_t number; /* in the document */
};

/* One job being read. */
struct reader {
	struct planner_job_reading *reading;
	struct planner_problem *p;
	uint32_t job;
	uint32_t *ranks; /* [n_ranks] NICs */
	uint32_t n_ranks;
	struct group *groups; /* in the order of the document, then sorted by kind */
	uint32_t n_groups;
	uint32_t *members; /* NICs of all groups, one after the other */
	size_t n_members, cap_members;
	uint32_t *seen; /* [n_ranks] number + 1 of the last group with that rank */
	struct base_err *err;
};

static int no_memory(struct reader *r)
{
	return base_err_set(r->err, -ENOMEM, "no memory for a job");
}

/* Gives an error that knows no place the place of @v. */
static int fail_with(const struct base_json *v, const struct base_err *inner,
		     struct base_err *err)
{
	return base_json_fail(v, err, inner->code, "%s", inner->message);
}

/* A text of 1..TEXT_MAX bytes. */
static int read_text(const struct base_json *v, const char **ret_text,
		     struct base_err *err)
{
	const char *text;
	int r = base_json_string(v, &text, err);

	if (r < 0)
		return r;
	if (text[0] == '\0' || strnlen(text, TEXT_MAX + 1) > TEXT_MAX)
		return base_json_fail(v, err, -BASE_E_INVALID,
				      "expected a text of 1 to %u bytes", TEXT_MAX);
	*ret_text = text;
	return 0;
}

static int read_nic(struct reader *r, const struct base_json *v, uint32_t *ret_nic)
{
	struct base_err inner = { 0 };
	const char *text;
	int res = base_json_string(v, &text, r->err);

	if (res < 0)
		return res;
	if (topo_names_nic(r->reading->names, text, strlen(text), ret_nic, &inner) < 0)
		return fail_with(v, &inner, r->err);
	return 0;
}

static int read_rank(struct reader *r, const struct base_json *v, uint32_t *ret_nic)
{
	static const char *const keys[] = { "nic" };
	struct base_json nic;
	int res;

	if (!base_json_is_object(v))
		return read_nic(r, v, ret_nic);
	res = base_json_only(v, keys, BASE_COUNT(keys), r->err);
	if (res < 0)
		return res;
	nic = base_json_get(v, "nic");
	return read_nic(r, &nic, ret_nic);
}

static int read_ranks(struct reader *r, const struct base_json *job)
{
	struct base_json list = base_json_get(job, "ranks");
	size_t n = base_json_size(&list);
	int res;

	if (base_json_is_null(&list))
		return 0;
	res = base_json_need_array(&list, r->err);
	if (res < 0)
		return res;
	if (n > PLANNER_RANKS_MAX)
		return base_json_fail(&list, r->err, -BASE_E_TOO_LARGE,
				      "%zu ranks, the ceiling is %u", n,
				      PLANNER_RANKS_MAX);
	r->ranks = base_array_new(n, sizeof(*r->ranks));
	r->seen = base_array_new(n, sizeof(*r->seen));
	if (!r->ranks || !r->seen)
		return no_memory(r);
	for (size_t i = 0; i < n; i++) {
		struct base_json rank = base_json_at(&list, i);

		res = read_rank(r, &rank, &r->ranks[i]);
		if (res < 0)
			return res;
	}
	r->n_ranks = (uint32_t)n;
	return 0;
}

static int need_ranks(struct reader *r, const struct base_json *v)
{
	if (r->n_ranks > 0)
		return 0;
	return base_json_fail(v, r->err, -BASE_E_INVALID,
			      "this needs the job's \"ranks\"");
}

/* Groups. */

static int read_member(struct reader *r, const struct base_json *v)
{
	uint32_t rank;
	int res = base_json_u32(v, 0, r->n_ranks - 1, &rank, r->err);

	if (res < 0)
		return res;
	if (r->seen[rank] == r->n_groups + 1)
		return base_json_fail(v, r->err, -BASE_E_DUPLICATE,
				      "rank %u twice in one group", rank);
	r->seen[rank] = r->n_groups + 1;
	r->members[r->n_members++] = r->ranks[rank];
	return 0;
}

static int read_group(struct reader *r, const struct base_json *v)
{
	static const char *const keys[] = { "kind", "members" };
	struct group *group = &r->groups[r->n_groups];
	struct base_json kind = base_json_get(v, "kind");
	struct base_json list = base_json_get(v, "members");
	uint32_t *members;
	size_t n;
	int res = base_json_only(v, keys, BASE_COUNT(keys), r->err);

	if (res == 0)
		res = read_text(&kind, &group->kind, r->err);
	if (res == 0)
		res = base_json_need_array(&list, r->err);
	if (res < 0)
		return res;
	n = base_json_size(&list);
	if (n > r->n_ranks)
		return base_json_fail(&list, r->err, -BASE_E_INVALID,
				      "%zu members, and the job has %u ranks", n,
				      r->n_ranks);
	members = base_grow(r->members, &r->cap_members, r->n_members + n,
			    sizeof(*members));
	if (!members)
		return no_memory(r);
	r->members = members;
	group->first = r->n_members;
	group->n = (uint32_t)n;
	group->number = r->n_groups;
	for (size_t i = 0; i < n; i++) {
		struct base_json member = base_json_at(&list, i);

		res = read_member(r, &member);
		if (res < 0)
			return res;
	}
	r->n_groups++;
	return 0;
}

/* By kind; those that send nothing come last; else as in the document. */
static int compare_groups(const void *a, const void *b)
{
	const struct group *g = a, *h = b;
	int by_kind = strcmp(g->kind, h->kind);

	if (by_kind != 0)
		return by_kind;
	if ((g->n < 2) != (h->n < 2))
		return g->n < 2 ? 1 : -1;
	return (g->number > h->number) - (g->number < h->number);
}

static int read_groups(struct reader *r, const struct base_json *job)
{
	struct base_json list = base_json_get(job, "groups");
	size_t n = base_json_size(&list);
	int res;

	if (base_json_is_null(&list))
		return 0;
	res = base_json_need_array(&list, r->err);
	if (res == 0)
		res = need_ranks(r, &list);
	if (res < 0)
		return res;
	if (n > PLANNER_RANKS_MAX)
		return base_json_fail(&list, r->err, -BASE_E_TOO_LARGE,
				      "%zu groups, the ceiling is %u", n,
				      PLANNER_RANKS_MAX);
	r->groups = base_array_new(n, sizeof(*r->groups));
	if (!r->groups)
		return no_memory(r);
	for (size_t i = 0; res == 0 && i < n; i++) {
		struct base_json group = base_json_at(&list, i);

		res = read_group(r, &group);
	}
	if (res == 0 && n > 0)
		qsort(r->groups, n, sizeof(*r->groups), compare_groups);
	return res;
}

/* Collectives. */

struct collective {
	uint32_t what, how, phase;
	uint64_t bytes;
};

static int expand(struct reader *r, const struct base_json *v, const struct collective *c,
		  const uint32_t *nics, uint32_t n)
{
	struct base_err inner = { 0 };

	if (planner_job_expand(r->p, r->job, (enum planner_collective)c->what,
			       (enum planner_algorithm)c->how, nics, n, c->bytes,
			       c->phase, NULL, &inner) < 0)
		return fail_with(v, &inner, r->err);
	return 0;
}

static int fail_kind(struct reader *r, const struct base_json *v, const char *kind)
{
	const char **kinds = base_array_new(r->n_groups, sizeof(*kinds));
	const char *nearest;
	int res;

	if (!kinds)
		return no_memory(r);
	for (uint32_t i = 0; i < r->n_groups; i++)
		kinds[i] = r->groups[i].kind;
	nearest = base_str_nearest(kind, kinds, r->n_groups);
	if (nearest)
		res = base_json_fail(v, r->err, -BASE_E_UNKNOWN,
				     "no group of kind \"%s\"; did you mean \"%s\"?",
				     kind, nearest);
	else
		res = base_json_fail(v, r->err, -BASE_E_UNKNOWN,
				     "no group of kind \"%s\" in this job", kind);
	free(kinds);
	return res;
}

/* The first group that is not before @kind; n_groups: there is none. */
static uint32_t first_of_kind(const struct reader *r, const char *kind)
{
	uint32_t from = 0, to = r->n_groups;

	while (from < to) {
		uint32_t middle = from + (to - from) / 2;

		if (strcmp(r->groups[middle].kind, kind) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/*
 * In all groups of the kind that is named; without one, among all ranks.  Each walks its
 * own groups only, and of those that send nothing just one, so that a short document
 * cannot ask for long work.
 */
static int expand_groups(struct reader *r, const struct base_json *v,
			 const struct collective *c)
{
	struct base_json name = base_json_get(v, "groups");
	const char *kind;
	uint32_t i;
	int res;

	if (base_json_is_null(&name))
		return expand(r, v, c, r->ranks, r->n_ranks);
	res = base_json_string(&name, &kind, r->err);
	if (res < 0)
		return res;
	i = first_of_kind(r, kind);
	if (i == r->n_groups || strcmp(r->groups[i].kind, kind) != 0)
		return fail_kind(r, &name, kind);
	for (; res == 0 && i < r->n_groups; i++) {
		const struct group *group = &r->groups[i];

		if (strcmp(group->kind, kind) != 0)
			break;
		res = expand(r, v, c, r->members + group->first, group->n);
		if (group->n < 2)
			break;
	}
	return res;
}

static int read_phase(const struct base_json *v, uint32_t *ret_phase,
		      struct base_err *err)
{
	struct base_json phase = base_json_get(v, "phase");

	if (base_json_is_null(&phase))
		return 0;
	return base_json_u32(&phase, 0, PLANNER_PHASES_MAX - 1, ret_phase, err);
}

static int read_collective(struct reader *r, const struct base_json *v)
{
	static const char *const keys[] = { "groups", "what", "algorithm", "bytes",
					    "phase" };
	struct base_json what = base_json_get(v, "what");
	struct base_json how = base_json_get(v, "algorithm");
	struct base_json bytes = base_json_get(v, "bytes");
	struct collective c = { .how = PLANNER_AUTO };
	int res = base_json_only(v, keys, BASE_COUNT(keys), r->err);

	if (res == 0)
		res = need_ranks(r, v);
	if (res == 0)
		res = base_json_word(&what, planner_collective_words, PLANNER_COLLECTIVES,
				     &c.what, r->err);
	if (res == 0 && !base_json_is_null(&how))
		res = base_json_word(&how, planner_algorithm_words, PLANNER_ALGORITHMS,
				     &c.how, r->err);
	if (res == 0 && base_json_is_null(&bytes))
		res = planner_job_default_bytes(r->reading, &c.bytes, r->err);
	else if (res == 0)
		res = base_json_u64(&bytes, 1, PLANNER_BYTES_MAX, &c.bytes, r->err);
	if (res == 0)
		res = read_phase(v, &c.phase, r->err);
	return res < 0 ? res : expand_groups(r, v, &c);
}

/* Connections. */

/* A NIC by name, or the NIC of a rank by its number. */
static int read_end(struct reader *r, const struct base_json *v, uint32_t *ret_nic)
{
	uint32_t rank;
	int res;

	if (!base_json_is_integer(v))
		return read_nic(r, v, ret_nic);
	res = need_ranks(r, v);
	if (res == 0)
		res = base_json_u32(v, 0, r->n_ranks - 1, &rank, r->err);
	if (res < 0)
		return res;
	*ret_nic = r->ranks[rank];
	return 0;
}

static int read_plane(struct reader *r, const struct base_json *v, uint32_t *ret_plane)
{
	struct base_json plane = base_json_get(v, "plane");

	if (base_json_is_null(&plane))
		return 0;
	return base_json_u32(&plane, 0, topo_graph_n_planes(r->p->graph) - 1, ret_plane,
			     r->err);
}

static int read_connection(struct reader *r, const struct base_json *v)
{
	static const char *const keys[] = { "from", "to", "bytes", "phase", "plane" };
	struct base_json from = base_json_get(v, "from");
	struct base_json to = base_json_get(v, "to");
	struct base_json bytes = base_json_get(v, "bytes");
	struct planner_conn conn = { .job = r->job, .plane = TOPO_NONE };
	struct base_err inner = { 0 };
	int res = base_json_only(v, keys, BASE_COUNT(keys), r->err);

	if (res == 0)
		res = read_end(r, &from, &conn.src_nic);
	if (res == 0)
		res = read_end(r, &to, &conn.dst_nic);
	if (res == 0 && base_json_is_null(&bytes))
		res = planner_job_default_bytes(r->reading, &conn.bytes, r->err);
	else if (res == 0)
		res = base_json_u64(&bytes, 1, PLANNER_BYTES_MAX, &conn.bytes, r->err);
	if (res == 0)
		res = read_phase(v, &conn.phase, r->err);
	if (res == 0)
		res = read_plane(r, v, &conn.plane);
	if (res < 0)
		return res;
	if (planner_problem_add_conn(r->p, &conn, &inner) < 0)
		return fail_with(v, &inner, r->err);
	return 0;
}

/* Jobs. */

static int read_list(struct reader *r, const struct base_json *job, const char *key,
		     size_t max, int (*read)(struct reader *r, const struct base_json *v))
{
	struct base_json list = base_json_get(job, key);
	size_t n = base_json_size(&list);
	int res;

	if (base_json_is_null(&list))
		return 0;
	res = base_json_need_array(&list, r->err);
	if (res == 0 && n > max)
		res = base_json_fail(&list, r->err, -BASE_E_TOO_LARGE,
				     "%zu elements, the ceiling is %zu", n, max);
	for (size_t i = 0; res == 0 && i < n; i++) {
		struct base_json element = base_json_at(&list, i);

		res = base_json_need_object(&element, r->err);
		if (res == 0)
			res = read(r, &element);
	}
	return res;
}

static int add_job(struct reader *r, const struct base_json *job, size_t index)
{
	struct base_json name = base_json_get(job, "name");
	struct base_str made;
	const char *text = NULL;
	int res = 0;

	base_str_init(&made, 0);
	if (base_json_is_null(&name)) {
		base_str_addf(&made, "job%zu", index);
		res = base_str_error(&made);
		text = base_str_text(&made);
	} else {
		res = read_text(&name, &text, r->err);
		if (res < 0)
			goto out;
	}
	if (res == 0)
		res = planner_problem_add_job(r->p, text, &r->job);
	if (res < 0)
		res = no_memory(r);
out:
	base_str_fini(&made);
	return res;
}

static int read_job(struct planner_job_reading *reading, const struct base_json *job,
		    size_t index, struct base_err *err)
{
	static const char *const keys[] = { "name",	   "ranks",	  "groups",
					    "collectives", "connections", "period_ns" };
	struct reader r = { .reading = reading, .p = reading->p, .err = err };
	struct base_json period = base_json_get(job, "period_ns");
	uint64_t period_ns;
	int res = base_json_need_object(job, err);

	if (res == 0)
		res = base_json_only(job, keys, BASE_COUNT(keys), err);
	if (res == 0 && !base_json_is_null(&period))
		res = base_json_u64(&period, 1, PERIOD_MAX_NS, &period_ns, err);
	if (res == 0)
		res = add_job(&r, job, index);
	if (res == 0)
		res = read_ranks(&r, job);
	if (res == 0)
		res = read_groups(&r, job);
	if (res == 0)
		res = read_list(&r, job, "collectives", COLLECTIVES_MAX, read_collective);
	if (res == 0)
		res = read_list(&r, job, "connections", PLANNER_CONNS_MAX,
				read_connection);
	free(r.seen);
	free(r.members);
	free(r.groups);
	free(r.ranks);
	return res;
}

static int read_document(struct planner_job_reading *reading,
			 const struct base_json *root, struct base_err *err)
{
	static const char *const keys[] = { "schema", "jobs", "synchronised" };
	struct base_json jobs = base_json_get(root, "jobs");
	struct base_json synchronised = base_json_get(root, "synchronised");
	size_t n = base_json_size(&jobs);
	int res = base_json_schema(root, SCHEMA, err);

	if (res == 0)
		res = base_json_only(root, keys, BASE_COUNT(keys), err);
	if (res == 0 && !base_json_is_null(&synchronised))
		res = base_json_bool(&synchronised, &reading->is_synchronised, err);
	if (res == 0)
		res = base_json_need_array(&jobs, err);
	for (size_t i = 0; res == 0 && i < n; i++) {
		struct base_json job = base_json_at(&jobs, i);

		res = read_job(reading, &job, i, err);
	}
	return res;
}

static int read_json(struct planner_job_reading *reading, struct base_err *err)
{
	struct base_json_doc *doc;
	struct base_json root;
	int res = planner_job_refuse_hosts(reading, "a job document", err);

	if (res == 0)
		res = base_json_parse(reading->name, reading->data, reading->len, &doc,
				      err);
	if (res < 0)
		return res;
	root = base_json_root(doc);
	res = read_document(reading, &root, err);
	base_json_free(doc);
	return res;
}

static bool is_json(const char *data, size_t len)
{
	size_t at = 0;

	while (at < len && strchr(" \t\r\n", data[at]) && data[at] != '\0')
		at++;
	return at < len && data[at] == '{';
}

const struct planner_job_source planner_job_source_json = {
	.what = "a document \"" SCHEMA "\"",
	.is_mine = is_json,
	.read = read_json,
};
