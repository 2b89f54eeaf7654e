/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading "fairlead.fabric.v1".  Values are checked where they stand, so that whatever
 * the graph refuses is reported with the place of the value that made it.
 */
#include "importers.h"
#include "name_private.h"
#include <base/json.h>
#include <errno.h>
#include <string.h>

#define SCHEMA "fairlead.fabric.v1"

struct reader {
	struct topo_graph *g;
	struct base_err *err;
	struct base_err why; /* what the graph said, without a place */
};

/* Passes on, with the place of @at, why the graph refused it. */
static int refuse(struct reader *r, const struct base_json *at, int code)
{
	return base_json_fail(at, r->err, code, "%s", r->why.message);
}

/* Optional numbers and texts: absent leaves *@ret as it is. */

static int read_u32(struct reader *r, const struct base_json *object, const char *key,
		    uint32_t min, uint32_t max, uint32_t *ret_n)
{
	struct base_json v = base_json_get(object, key);

	return v.value ? base_json_u32(&v, min, max, ret_n, r->err) : 0;
}

static int read_text(struct reader *r, const struct base_json *object, const char *key,
		     uint32_t *ret_text)
{
	struct base_json v = base_json_get(object, key);
	const char *text;
	int e;

	if (!v.value)
		return 0;
	e = base_json_string(&v, &text, r->err);
	if (e < 0)
		return e;
	e = topo_graph_intern(r->g, text, strlen(text), ret_text);
	if (e < 0)
		return base_json_fail(
			&v, r->err, e,
			e == -ENOMEM ? "out of memory"
				     : "must be at most %u bytes without control "
				       "characters",
			TOPO_TEXT_MAX);
	return 0;
}

/* "group" of a host or switch. */
static int read_group(struct reader *r, const struct base_json *object,
		      uint32_t *ret_group)
{
	struct base_json v = base_json_get(object, "group");
	const char *name;
	uint32_t group;
	int e;

	if (!v.value)
		return 0;
	e = base_json_string(&v, &name, r->err);
	if (e < 0)
		return e;
	group = topo_graph_find(r->g, name, strlen(name));
	if (group == TOPO_NONE || topo_graph_nodes(r->g)[group].kind != TOPO_GROUP) {
		e = topo_name_fail_unknown(r->g, TOPO_KIND_BIT(TOPO_GROUP), "group", name,
					   strlen(name), &r->why);
		return refuse(r, &v, e);
	}
	*ret_group = group;
	return 0;
}

/* Nodes. */

static int read_group_name(struct reader *r, const struct base_json *v)
{
	const char *name;
	int e = base_json_string(v, &name, r->err);

	if (e < 0)
		return e;
	e = topo_graph_add_group(r->g, name, strlen(name), NULL, &r->why);
	return e < 0 ? refuse(r, v, e) : 0;
}

/* "nic0", or { "name": "nic0", "rail": 0 } */
static int read_nic(struct reader *r, const struct base_json *nic, uint32_t host)
{
	static const char *const keys[] = { "name", "rail" };
	struct base_json name_at = *nic;
	uint32_t rail = TOPO_NONE;
	const char *name;
	int e;

	if (!base_json_is_string(nic)) {
		if (!base_json_is_object(nic))
			return base_json_fail(
				nic, r->err, -BASE_E_INVALID,
				"a NIC is a name or an object, such as \"nic0\" or "
				"{\"name\": \"nic0\", \"rail\": 0}");
		e = base_json_only(nic, keys, BASE_COUNT(keys), r->err);
		if (e == 0)
			e = read_u32(r, nic, "rail", 0, TOPO_RAILS_MAX - 1, &rail);
		if (e < 0)
			return e;
		name_at = base_json_get(nic, "name");
	}
	e = base_json_string(&name_at, &name, r->err);
	if (e < 0)
		return e;
	e = topo_graph_add_nic(r->g, host, name, strlen(name), rail, NULL, &r->why);
	return e < 0 ? refuse(r, &name_at, e) : 0;
}

static int read_nics(struct reader *r, const struct base_json *host, uint32_t node)
{
	struct base_json nics = base_json_get(host, "nics");
	int e = base_json_need_array(&nics, r->err);

	for (size_t i = 0; e == 0 && i < base_json_size(&nics); i++) {
		struct base_json nic = base_json_at(&nics, i);

		e = read_nic(r, &nic, node);
	}
	return e;
}

static int read_host(struct reader *r, const struct base_json *host)
{
	static const char *const keys[] = { "name", "group", "pod", "nics" };
	uint32_t group = TOPO_NONE, pod = TOPO_NONE, node;
	struct base_json name_at = base_json_get(host, "name");
	const char *name;
	int e = base_json_need_object(host, r->err);

	if (e == 0)
		e = base_json_only(host, keys, BASE_COUNT(keys), r->err);
	if (e == 0)
		e = base_json_string(&name_at, &name, r->err);
	if (e == 0)
		e = read_group(r, host, &group);
	if (e == 0)
		e = read_u32(r, host, "pod", 0, TOPO_PODS_MAX - 1, &pod);
	if (e < 0)
		return e;
	e = topo_graph_add_host(r->g, group, name, strlen(name), pod, &node, &r->why);
	return e < 0 ? refuse(r, &name_at, e) : read_nics(r, host, node);
}

struct switch_numbers {
	uint32_t group, tier, pod, plane, rail;
};

static int read_switch_numbers(struct reader *r, const struct base_json *sw,
			       struct switch_numbers *n)
{
	int e = read_group(r, sw, &n->group);

	if (e == 0)
		e = read_u32(r, sw, "tier", 1, TOPO_TIERS_MAX, &n->tier);
	if (e == 0)
		e = read_u32(r, sw, "pod", 0, TOPO_PODS_MAX - 1, &n->pod);
	if (e == 0)
		e = read_u32(r, sw, "plane", 0, TOPO_PLANES_MAX - 1, &n->plane);
	if (e == 0)
		e = read_u32(r, sw, "rail", 0, TOPO_RAILS_MAX - 1, &n->rail);
	return e;
}

static int read_switch(struct reader *r, const struct base_json *sw)
{
	static const char *const keys[] = { "name", "group", "tier",
					    "pod",  "plane", "rail" };
	struct switch_numbers n = { .group = TOPO_NONE,
				    .pod = TOPO_NONE,
				    .plane = TOPO_NONE,
				    .rail = TOPO_NONE };
	struct base_json name_at = base_json_get(sw, "name");
	const char *name;
	int e = base_json_need_object(sw, r->err);

	if (e == 0)
		e = base_json_only(sw, keys, BASE_COUNT(keys), r->err);
	if (e == 0)
		e = base_json_string(&name_at, &name, r->err);
	if (e == 0)
		e = read_switch_numbers(r, sw, &n);
	if (e < 0)
		return e;
	e = topo_graph_add_switch(r->g, n.group, name, strlen(name), n.tier, n.pod,
				  n.plane, n.rail, NULL, &r->why);
	return e < 0 ? refuse(r, &name_at, e) : 0;
}

/* Links. */

static int read_end(struct reader *r, const struct base_json *v, uint32_t *ret_node)
{
	const char *name;
	int e = base_json_string(v, &name, r->err);
	uint32_t node;

	if (e < 0)
		return e;
	node = topo_graph_find(r->g, name, strlen(name));
	if (node == TOPO_NONE) {
		e = topo_name_fail_unknown(
			r->g, TOPO_KIND_BIT(TOPO_NIC) | TOPO_KIND_BIT(TOPO_SWITCH),
			"NIC or switch", name, strlen(name), &r->why);
		return refuse(r, v, e);
	}
	*ret_node = node;
	return 0;
}

/* What a link has beside ends and rate. */
static int read_extras(struct reader *r, const struct base_json *object,
		       struct topo_link *link)
{
	static const char *const states[] = { [TOPO_UP] = "up", [TOPO_DOWN] = "down" };
	struct base_json delay = base_json_get(object, "delay_ns");
	struct base_json state = base_json_get(object, "state");
	uint32_t word = TOPO_UP;
	int e = 0;

	if (delay.value)
		e = base_json_u64(&delay, 0, TOPO_DELAY_MAX_NS, &link->delay_ns, r->err);
	if (e == 0)
		e = read_text(r, object, "port_a", &link->port_a);
	if (e == 0)
		e = read_text(r, object, "port_b", &link->port_b);
	if (e == 0)
		e = read_text(r, object, "address", &link->address);
	if (e == 0 && state.value)
		e = base_json_word(&state, states, BASE_COUNT(states), &word, r->err);
	if (e == 0)
		link->state = (uint8_t)word;
	return e;
}

static int read_three(struct reader *r, const struct base_json *a,
		      const struct base_json *b, const struct base_json *rate,
		      struct topo_link *link)
{
	const char *text;
	int e = read_end(r, a, &link->a);

	if (e == 0)
		e = read_end(r, b, &link->b);
	if (e == 0)
		e = base_json_u64(rate, 1, TOPO_RATE_MAX_BPS, &link->rate_bps, r->err);
	if (e == -BASE_E_INVALID && base_json_is_string(rate) &&
	    base_json_string(rate, &text, NULL) == 0 &&
	    text[strspn(text, "0123456789")] != '\0')
		return base_json_fail(rate, r->err, e,
				      "expected a whole number of bits per second, for "
				      "example 400000000000, not \"%s\"",
				      text);
	return e;
}

/* ["h0.nic0", "leaf0", 400000000000], or with an object of extras behind */
static int read_link_row(struct reader *r, const struct base_json *row,
			 struct topo_link *link)
{
	static const char *const keys[] = { "delay_ns", "port_a", "port_b", "address",
					    "state" };
	struct base_json a = base_json_at(row, 0), b = base_json_at(row, 1);
	struct base_json rate = base_json_at(row, 2), extras = base_json_at(row, 3);
	size_t n = base_json_size(row);
	int e;

	if (n < 3 || n > 4)
		return base_json_fail(
			row, r->err, -BASE_E_INVALID,
			"a link is [\"end\", \"end\", rate_bps], optionally with an "
			"object behind; found %zu elements",
			n);
	e = read_three(r, &a, &b, &rate, link);
	if (e < 0 || n == 3)
		return e;
	e = base_json_need_object(&extras, r->err);
	if (e == 0)
		e = base_json_only(&extras, keys, BASE_COUNT(keys), r->err);
	return e < 0 ? e : read_extras(r, &extras, link);
}

/* { "a": "h0.nic0", "b": "leaf0", "rate_bps": 400000000000 } and extras */
static int read_link_object(struct reader *r, const struct base_json *object,
			    struct topo_link *link)
{
	static const char *const keys[] = { "a",      "b",	"rate_bps", "delay_ns",
					    "port_a", "port_b", "address",  "state" };
	struct base_json a = base_json_get(object, "a"), b = base_json_get(object, "b");
	struct base_json rate = base_json_get(object, "rate_bps");
	int e = base_json_only(object, keys, BASE_COUNT(keys), r->err);

	if (e == 0)
		e = read_three(r, &a, &b, &rate, link);
	return e < 0 ? e : read_extras(r, object, link);
}

static int read_link(struct reader *r, const struct base_json *v)
{
	struct topo_link link = { .port_a = TOPO_NONE,
				  .port_b = TOPO_NONE,
				  .address = TOPO_NONE,
				  .state = TOPO_UP };
	int e;

	if (base_json_is_array(v))
		e = read_link_row(r, v, &link);
	else if (base_json_is_object(v))
		e = read_link_object(r, v, &link);
	else
		e = base_json_fail(v, r->err, -BASE_E_INVALID,
				   "a link is an array or an object, such as "
				   "[\"h0.nic0\", \"leaf0\", 400000000000]");
	if (e < 0)
		return e;
	e = topo_graph_add_link(r->g, &link, NULL, &r->why);
	return e < 0 ? refuse(r, v, e) : 0;
}

/* The document. */

static int read_assumption(struct reader *r, const struct base_json *v)
{
	static const char *const keys[] = { "name", "value", "reason" };
	struct base_json members[BASE_COUNT(keys)];
	const char *texts[BASE_COUNT(keys)];
	int e = base_json_need_object(v, r->err);

	if (e == 0)
		e = base_json_only(v, keys, BASE_COUNT(keys), r->err);
	for (size_t i = 0; e == 0 && i < BASE_COUNT(keys); i++) {
		members[i] = base_json_get(v, keys[i]);
		e = base_json_string(&members[i], &texts[i], r->err);
	}
	if (e < 0)
		return e;
	e = topo_graph_assume(r->g, texts[0], texts[1], texts[2]);
	if (e == -ENOMEM)
		return base_json_fail(v, r->err, e, "out of memory");
	if (e < 0)
		return base_json_fail(
			v, r->err, e,
			"at most %u assumptions, with texts of at most %u bytes without "
			"control characters, are allowed",
			TOPO_ASSUMPTIONS_MAX, TOPO_TEXT_MAX);
	return 0;
}

static int read_array(struct reader *r, const struct base_json *root, const char *key,
		      bool optional,
		      int (*read)(struct reader *r, const struct base_json *element))
{
	struct base_json array = base_json_get(root, key);
	int e;

	if (!array.value && optional)
		return 0;
	e = base_json_need_array(&array, r->err);
	for (size_t i = 0, n = base_json_size(&array); e == 0 && i < n; i++) {
		struct base_json element = base_json_at(&array, i);

		e = read(r, &element);
	}
	return e;
}

static int read_document(struct reader *r, const struct base_json *root)
{
	static const char *const keys[] = { "schema", "assumptions", "groups",
					    "hosts",  "switches",    "links" };
	int e = base_json_schema(root, SCHEMA, r->err);

	if (e == 0)
		e = base_json_only(root, keys, BASE_COUNT(keys), r->err);
	if (e == 0)
		e = read_array(r, root, "assumptions", true, read_assumption);
	if (e == 0)
		e = read_array(r, root, "groups", true, read_group_name);
	if (e == 0)
		e = read_array(r, root, "hosts", false, read_host);
	if (e == 0)
		e = read_array(r, root, "switches", false, read_switch);
	if (e == 0)
		e = read_array(r, root, "links", false, read_link);
	return e;
}

int topo_load_json_into(const struct topo_source *source, struct topo_graph *g,
			struct base_err *err)
{
	struct reader r = { .g = g, .err = err };
	struct base_json_doc *doc;
	struct base_json root;
	int e = base_json_parse(source->name, source->data, source->len, &doc, err);

	if (e < 0)
		return e;
	root = base_json_root(doc);
	e = read_document(&r, &root);
	base_json_free(doc);
	return e;
}

int topo_load_json(const char *name, const char *data, size_t len,
		   struct topo_graph **ret_g, struct base_err *err)
{
	const struct topo_source source = { .name = name, .data = data, .len = len };

	return topo_import("json", &source, 1, NULL, ret_g, err);
}
