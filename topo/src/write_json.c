/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing "fairlead.fabric.v1": one node or link a line, what is not known left out.
 */
#include <topo/name.h>
#include <topo/write.h>
#include <base/out.h>
#include <string.h>

struct writer {
	const struct topo_graph *g;
	const struct topo_node *nodes;
	struct base_str *into;
	struct base_str name; /* scratch */
	bool first;	      /* of the list that is being written */
	bool fresh;	      /* the object that is being written has no key yet */
};

static void add_string(struct base_str *into, const char *text)
{
	base_out_json_escape(into, text, strlen(text));
}

static void add_full_name(struct writer *w, uint32_t node)
{
	base_str_clear(&w->name);
	topo_name_node(w->g, node, &w->name);
	if (base_str_error(&w->name) < 0 && base_str_error(w->into) == 0)
		w->into->error = base_str_error(&w->name);
	base_out_json_escape(w->into, base_str_text(&w->name), w->name.len);
}

static void begin_list(struct writer *w, const char *key)
{
	base_str_add(w->into, ",\n");
	add_string(w->into, key);
	base_str_add(w->into, ": [");
	w->first = true;
}

/* Starts the line of one element. */
static void next_row(struct writer *w)
{
	base_str_add(w->into, w->first ? "\n" : ",\n");
	w->first = false;
}

static void end_list(struct writer *w)
{
	base_str_add(w->into, w->first ? "]" : "\n]");
}

static void begin_object(struct writer *w)
{
	base_str_add_char(w->into, '{');
	w->fresh = true;
}

static void add_key(struct writer *w, const char *key)
{
	base_str_add(w->into, w->fresh ? "\"" : ", \"");
	w->fresh = false;
	base_str_add(w->into, key);
	base_str_add(w->into, "\": ");
}

static void add_number(struct writer *w, const char *key, uint32_t number)
{
	if (number == TOPO_NONE)
		return;
	add_key(w, key);
	base_str_add_u64(w->into, number);
}

static void add_text(struct writer *w, const char *key, uint32_t text)
{
	if (text == TOPO_NONE)
		return;
	add_key(w, key);
	add_string(w->into, topo_graph_text(w->g, text));
}

/* The object of a node up to its group. */
static void begin_node(struct writer *w, uint32_t node)
{
	uint32_t parent = w->nodes[node].parent;

	begin_object(w);
	add_text(w, "name", w->nodes[node].name);
	if (parent != TOPO_NONE && w->nodes[parent].kind == TOPO_GROUP)
		add_text(w, "group", w->nodes[parent].name);
}

static void write_assumptions(struct writer *w)
{
	size_t n = topo_graph_n_assumptions(w->g);

	if (n == 0)
		return;
	begin_list(w, "assumptions");
	for (size_t i = 0; i < n; i++) {
		struct topo_assumption a = topo_graph_assumption(w->g, i);

		next_row(w);
		begin_object(w);
		add_key(w, "name");
		add_string(w->into, a.name);
		add_key(w, "value");
		add_string(w->into, a.value);
		add_key(w, "reason");
		add_string(w->into, a.reason);
		base_str_add_char(w->into, '}');
	}
	end_list(w);
}

static void write_groups(struct writer *w)
{
	if (topo_graph_count(w->g, TOPO_GROUP) == 0)
		return;
	begin_list(w, "groups");
	for (uint32_t i = 0; i < topo_graph_n_nodes(w->g); i++) {
		if (w->nodes[i].kind != TOPO_GROUP)
			continue;
		next_row(w);
		add_string(w->into, topo_graph_text(w->g, w->nodes[i].name));
	}
	end_list(w);
}

static void write_nic(struct writer *w, uint32_t nic)
{
	if (w->nodes[nic].rail == TOPO_NONE) {
		add_string(w->into, topo_graph_text(w->g, w->nodes[nic].name));
		return;
	}
	begin_node(w, nic);
	add_number(w, "rail", w->nodes[nic].rail);
	base_str_add_char(w->into, '}');
}

static void write_host(struct writer *w, uint32_t host)
{
	uint32_t n;
	const uint32_t *nics = topo_graph_children(w->g, host, &n);

	begin_node(w, host);
	add_number(w, "pod", w->nodes[host].pod);
	add_key(w, "nics");
	for (uint32_t i = 0; i < n; i++) {
		base_str_add(w->into, i == 0 ? "[" : ", ");
		write_nic(w, nics[i]);
	}
	base_str_add(w->into, n == 0 ? "[]}" : "]}");
}

static void write_switch(struct writer *w, uint32_t node)
{
	const struct topo_node *n = &w->nodes[node];

	begin_node(w, node);
	add_number(w, "tier", n->tier);
	add_number(w, "pod", n->pod);
	add_number(w, "plane", n->plane);
	add_number(w, "rail", n->rail);
	base_str_add_char(w->into, '}');
}

static void write_nodes(struct writer *w, const char *key, enum topo_kind kind,
			void (*write)(struct writer *w, uint32_t node))
{
	begin_list(w, key);
	for (uint32_t i = 0; i < topo_graph_n_nodes(w->g); i++) {
		if (w->nodes[i].kind != kind)
			continue;
		next_row(w);
		write(w, i);
	}
	end_list(w);
}

static bool has_extras(const struct topo_link *link)
{
	return link->delay_ns > 0 || link->port_a != TOPO_NONE ||
	       link->port_b != TOPO_NONE || link->address != TOPO_NONE ||
	       link->state == TOPO_DOWN;
}

static void write_extras(struct writer *w, const struct topo_link *link)
{
	begin_object(w);
	if (link->delay_ns > 0) {
		add_key(w, "delay_ns");
		base_str_add_u64(w->into, link->delay_ns);
	}
	add_text(w, "port_a", link->port_a);
	add_text(w, "port_b", link->port_b);
	add_text(w, "address", link->address);
	if (link->state == TOPO_DOWN) {
		add_key(w, "state");
		add_string(w->into, "down");
	}
	base_str_add_char(w->into, '}');
}

static void write_links(struct writer *w)
{
	const struct topo_link *links = topo_graph_links(w->g);

	begin_list(w, "links");
	for (uint32_t i = 0; i < topo_graph_n_links(w->g); i++) {
		next_row(w);
		base_str_add_char(w->into, '[');
		add_full_name(w, links[i].a);
		base_str_add(w->into, ", ");
		add_full_name(w, links[i].b);
		base_str_add(w->into, ", ");
		base_str_add_u64(w->into, links[i].rate_bps);
		if (has_extras(&links[i])) {
			base_str_add(w->into, ", ");
			write_extras(w, &links[i]);
		}
		base_str_add_char(w->into, ']');
	}
	end_list(w);
}

void topo_write_json(const struct topo_graph *g, struct base_str *into)
{
	struct writer w = { .g = g, .nodes = topo_graph_nodes(g), .into = into };

	base_str_init(&w.name, 0);
	base_str_add(into, "{\"schema\": \"fairlead.fabric.v1\"");
	write_assumptions(&w);
	write_groups(&w);
	write_nodes(&w, "hosts", TOPO_HOST, write_host);
	write_nodes(&w, "switches", TOPO_SWITCH, write_switch);
	write_links(&w);
	base_str_add(into, "}\n");
	base_str_fini(&w.name);
}
