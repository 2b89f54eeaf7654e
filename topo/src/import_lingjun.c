/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host inventory of the Lingjun trace (topo.csv): a host a row with the names of its
 * leaf (ASW), its pod's spine group (PSW) and its core group (DSW).  An ASW's name is
 * unique only below its PSW, a PSW's only below its DSW, so that leaves get joined names.
 *
 * How many switches a group has and what the links are, the file does not say: the fewest
 * switches of SWITCH_PORTS ports with which the fullest leaf is not oversubscribed are
 * taken, and every such number is recorded.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <base/mem.h>
#include <base/num.h>
#include <base/str.h>
#include <base/table.h>
#include <base/text.h>
#include "importers_text.h"
#include "importers.h"

#define COLUMNS_MAX 64u
#define NAME_BYTES_MAX 80u /* so that three joined names are within TOPO_NAME_MAX */
#define SWITCH_PORTS 128u
#define NICS_PER_HOST 8u
#define RATE_BPS UINT64_C(200000000000)

enum column { COLUMN_IP, COLUMN_DSW, COLUMN_PSW, COLUMN_ASW, N_COLUMNS };

static const char *const column_names[N_COLUMNS] = { "ip", "DSW", "PSW", "ASW" };

/* One name of a tier; its parent is the entry of the tier above. */
struct place {
	uint32_t parent; /* leaves: a pod; pods: a core group */
	uint32_t n;	 /* leaves: hosts; pods: leaves; core groups: pods */
	uint32_t number; /* pods: in order of their names */
	uint32_t line;	 /* leaves: of the first host */
	uint32_t first;	 /* graph id of its first switch */
};

/* The places of one tier, with ids in the order of their first row. */
struct tier {
	struct base_table names; /* joined, so that they are unique */
	struct place *places;
	size_t cap;
};

struct host {
	const char *name; /* borrowed from the source */
	size_t len;
	uint32_t leaf;
	uint32_t line;
};

struct reader {
	struct base_text t;
	size_t columns[N_COLUMNS];
	size_t n_columns;
	struct tier cores, pods, leaves;
	struct base_table ips;
	struct host *hosts;
	size_t n_hosts, cap_hosts;
	struct topo_import_options options; /* with defaults filled in */
	/* Of every leaf to each spine, of every spine to each of its cores. */
	uint32_t uplinks, corelinks, cores_per_spine;
	struct topo_graph *g;
	struct base_err *err;
};

static int read_header(struct reader *r)
{
	struct base_word word;
	size_t pos = 0;
	int more = base_text_line(&r->t, r->err);

	if (more < 0)
		return more;
	for (int c = 0; c < N_COLUMNS; c++)
		r->columns[c] = COLUMNS_MAX;
	while (more && base_text_field(&r->t, ',', &pos, &word)) {
		base_word_unquote(&word);
		if (r->n_columns == COLUMNS_MAX)
			return base_text_fail(&r->t, &word, r->err, -BASE_E_TOO_LARGE,
					      "more than %u columns", COLUMNS_MAX);
		for (int c = 0; c < N_COLUMNS; c++) {
			if (!base_word_is_nocase(&word, column_names[c]))
				continue;
			if (r->columns[c] != COLUMNS_MAX)
				return base_text_fail(
					&r->t, &word, r->err, -BASE_E_DUPLICATE,
					"column \"%s\" is there twice", column_names[c]);
			r->columns[c] = r->n_columns;
		}
		r->n_columns++;
	}
	for (int c = 0; c < N_COLUMNS; c++) {
		if (r->columns[c] == COLUMNS_MAX)
			return base_text_fail(
				&r->t, NULL, r->err, -BASE_E_SYNTAX,
				"column \"%s\" is missing: the first line must "
				"name ip, DSW, PSW and ASW",
				column_names[c]);
	}
	return 0;
}

static int check_cell(struct reader *r, const struct base_word *cell, enum column column)
{
	if (cell->len == 0)
		return base_text_fail(&r->t, cell, r->err, -BASE_E_INVALID,
				      "%s is empty: a host has one %s",
				      column_names[column], column_names[column]);
	if (cell->len > NAME_BYTES_MAX)
		return base_text_fail(&r->t, cell, r->err, -BASE_E_TOO_LARGE,
				      "%s of %zu bytes; the ceiling is %u",
				      column_names[column], cell->len, NAME_BYTES_MAX);
	for (size_t i = 0; i < cell->len; i++) {
		if (strchr(",;|/> \t\"", cell->text[i]))
			return base_text_fail(&r->t, cell, r->err, -BASE_E_INVALID,
					      "%s must be one name, not \"%.*s\"",
					      column_names[column], (int)cell->len,
					      cell->text);
	}
	return 0;
}

/* The cells that matter of the current line.  1, 0: the line is blank, negative. */
static int read_cells(struct reader *r, struct base_word cells[N_COLUMNS])
{
	struct base_word word;
	size_t pos = 0, n = 0;

	if (r->t.line_end == r->t.line_start)
		return 0;
	for (; base_text_field(&r->t, ',', &pos, &word); n++) {
		base_word_unquote(&word);
		for (int c = 0; c < N_COLUMNS; c++) {
			if (r->columns[c] == n)
				cells[c] = word;
		}
	}
	if (n != r->n_columns)
		return base_text_fail(&r->t, NULL, r->err, -BASE_E_SYNTAX,
				      "%zu fields where the first line names %zu columns",
				      n, r->n_columns);
	for (int c = 0; c < N_COLUMNS; c++) {
		int e = check_cell(r, &cells[c], (enum column)c);

		if (e < 0)
			return e;
	}
	return 1;
}

/*
 * The place below @parent (TOPO_NONE: at the top) of this name.  Its key is the parent's
 * number and the name, which no choice of names can make equal for two places.
 */
static int find_place(struct tier *tier, uint32_t parent, const struct base_word *word,
		      uint32_t *ret_id, bool *ret_is_new)
{
	uint32_t n = tier->names.n;
	struct base_str key;
	struct place *places =
		base_grow(tier->places, &tier->cap, n + 1u, sizeof(*places));
	int e;

	if (!places)
		return -ENOMEM;
	tier->places = places;
	base_str_init(&key, 0);
	base_str_add_u64(&key, parent);
	base_str_add_char(&key, ' ');
	base_str_add_len(&key, word->text, word->len);
	e = base_str_error(&key);
	if (e == 0)
		e = base_table_add(&tier->names, key.data, key.len, ret_id);
	base_str_fini(&key);
	if (e < 0)
		return e;
	*ret_is_new = tier->names.n > n;
	if (*ret_is_new)
		places[*ret_id] = (struct place){ .parent = parent };
	return 0;
}

static int find_leaf(struct reader *r, const struct base_word cells[N_COLUMNS],
		     uint32_t *ret_leaf)
{
	uint32_t core, pod;
	bool is_new;
	int e = find_place(&r->cores, TOPO_NONE, &cells[COLUMN_DSW], &core, &is_new);

	if (e == 0)
		e = find_place(&r->pods, core, &cells[COLUMN_PSW], &pod, &is_new);
	if (e < 0)
		return e;
	r->cores.places[core].n += is_new;
	e = find_place(&r->leaves, pod, &cells[COLUMN_ASW], ret_leaf, &is_new);
	if (e < 0)
		return e;
	r->pods.places[pod].n += is_new;
	if (r->leaves.places[*ret_leaf].n++ == 0)
		r->leaves.places[*ret_leaf].line = cells[COLUMN_ASW].line;
	return 0;
}

static int read_row(struct reader *r, const struct base_word cells[N_COLUMNS])
{
	const struct base_word *ip = &cells[COLUMN_IP];
	struct host *hosts =
		base_grow(r->hosts, &r->cap_hosts, r->n_hosts + 1, sizeof(*hosts));
	uint32_t id;
	int e;

	if (!hosts)
		return -ENOMEM;
	r->hosts = hosts;
	e = base_table_add(&r->ips, ip->text, ip->len, &id);
	if (e < 0)
		return e;
	if (id < r->n_hosts)
		return base_text_fail(
			&r->t, ip, r->err, -BASE_E_DUPLICATE,
			"host \"%.*s\" is listed twice; first in line %" PRIu32,
			(int)ip->len, ip->text, hosts[id].line);
	hosts[id] = (struct host){ .name = ip->text, .len = ip->len, .line = ip->line };
	e = find_leaf(r, cells, &hosts[id].leaf);
	if (e == 0)
		r->n_hosts++;
	return e;
}

static int read_rows(struct reader *r)
{
	for (;;) {
		struct base_word cells[N_COLUMNS] = { 0 };
		int e = base_text_line(&r->t, r->err);

		if (e < 0)
			return e;
		if (e == 0)
			break;
		e = read_cells(r, cells);
		if (e > 0)
			e = read_row(r, cells);
		if (e < 0)
			return e;
	}
	if (r->n_hosts == 0)
		return base_text_fail(
			&r->t, NULL, r->err, -BASE_E_INVALID,
			"there is no host: the first line is followed by none");
	return 0;
}

/* The name of a place alone: what follows the parent's number in its key. */
static const char *own_name(const struct tier *tier, uint32_t id)
{
	return strchr(base_table_name(&tier->names, id), ' ') + 1;
}

static uint32_t largest(const struct tier *tier)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < tier->names.n; i++) {
		if (tier->places[i].n > most)
			most = tier->places[i].n;
	}
	return most;
}

static uint64_t divide_up(uint64_t a, uint64_t b)
{
	return (a + b - 1) / b;
}

/*
 * Works out what was not said: on every tier as much goes up from the fullest switch as
 * comes from below.
 */
static int size_groups(struct reader *r)
{
	struct topo_import_options *o = &r->options;
	uint64_t leaves = largest(&r->pods), pods = largest(&r->cores);
	uint64_t nics, links, spines, up, cores;

	if (o->nics_per_host == 0)
		o->nics_per_host = NICS_PER_HOST;
	if (o->rate_bps == 0)
		o->rate_bps = RATE_BPS;
	nics = (uint64_t)largest(&r->leaves) * o->nics_per_host;
	if (nics > TOPO_NODES_MAX)
		return base_err_set(r->err, -BASE_E_TOO_LARGE,
				    "%" PRIu64
				    " NICs on one leaf; the ceiling is %u nodes",
				    nics, TOPO_NODES_MAX);
	links = SWITCH_PORTS / 2 / leaves; /* of a spine with every leaf */
	spines = o->spines_per_pod ? o->spines_per_pod
				   : divide_up(nics, links ? links : 1);
	links = divide_up(nics, spines);
	up = leaves * links; /* uplinks that a spine needs */
	cores = divide_up(pods * up, SWITCH_PORTS);
	if (o->cores && o->cores % spines)
		return base_err_set(r->err, -BASE_E_INVALID,
				    "%" PRIu32 " cores do not divide among the %" PRIu64
				    " spines of a pod: ask for a multiple of %" PRIu64,
				    o->cores, spines, spines);
	if (o->cores)
		cores = o->cores / spines;
	if (up > TOPO_LINKS_MAX || spines * cores > TOPO_NODES_MAX)
		return base_err_set(r->err, -BASE_E_TOO_LARGE,
				    "%" PRIu64
				    " NICs on one leaf ask for more switches and links "
				    "than the ceilings (%u, %u)",
				    nics, TOPO_NODES_MAX, TOPO_LINKS_MAX);
	r->uplinks = (uint32_t)links;
	r->corelinks = (uint32_t)divide_up(up, cores);
	r->cores_per_spine = (uint32_t)cores;
	o->spines_per_pod = (uint32_t)spines;
	o->cores = (uint32_t)(spines * cores);
	return 0;
}

/* Refuses what is over the graph's ceilings before anything is built. */
static int check_size(struct reader *r)
{
	const struct topo_import_options *o = &r->options;
	uint64_t spines = (uint64_t)r->pods.names.n * o->spines_per_pod;
	uint64_t cores = (uint64_t)r->cores.names.n * o->cores;
	uint64_t nics = r->n_hosts * (uint64_t)o->nics_per_host;
	uint64_t nodes = r->n_hosts + nics + r->leaves.names.n + spines + cores;
	uint64_t per_leaf = (uint64_t)o->spines_per_pod * r->uplinks;
	uint64_t per_spine = (uint64_t)r->cores_per_spine * r->corelinks;
	uint64_t links = nics + r->leaves.names.n * per_leaf + spines * per_spine;

	if (nodes <= TOPO_NODES_MAX && links <= TOPO_LINKS_MAX)
		return 0;
	return base_err_set(r->err, -BASE_E_TOO_LARGE,
			    "the fabric would have %" PRIu64 " nodes and %" PRIu64
			    " links; the ceilings are %u and %u",
			    nodes, links, TOPO_NODES_MAX, TOPO_LINKS_MAX);
}

/* A leaf with the names that order it. */
struct ordered {
	const char *names[3]; /* of its core group, its pod and itself */
	uint32_t leaf;
};

static int compare_leaves(const void *a, const void *b)
{
	const struct ordered *x = a, *y = b;

	for (int i = 0; i < 3; i++) {
		int order = base_str_natural_compare(x->names[i], y->names[i]);

		if (order == 0)
			order = strcmp(x->names[i], y->names[i]);
		if (order)
			return order;
	}
	return 0;
}

static int order_leaves(struct reader *r, struct ordered **ret_leaves)
{
	uint32_t n = r->leaves.names.n, n_pods = 0;
	struct ordered *leaves = base_array_new(n, sizeof(*leaves));

	if (!leaves)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t pod = r->leaves.places[i].parent,
			 core = r->pods.places[pod].parent;

		leaves[i] = (struct ordered){ { own_name(&r->cores, core),
						own_name(&r->pods, pod),
						own_name(&r->leaves, i) },
					      i };
	}
	qsort(leaves, n, sizeof(*leaves), compare_leaves);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t pod = r->leaves.places[leaves[i].leaf].parent;

		if (i == 0 || pod != r->leaves.places[leaves[i - 1].leaf].parent)
			r->pods.places[pod].number = n_pods++;
	}
	*ret_leaves = leaves;
	return 0;
}

/* "P10-S14", or "G6-P10-S14" when there are several core groups; "G6" for one name. */
static void join_names(const struct reader *r, const struct ordered *o, unsigned n_names,
		       struct base_str *into)
{
	unsigned first = r->cores.names.n > 1 || n_names == 1 ? 0 : 1;

	base_str_clear(into);
	for (unsigned i = first; i < n_names; i++) {
		if (into->len)
			base_str_add_char(into, '-');
		base_str_add(into, o->names[i]);
	}
}

static int add_switch(struct reader *r, struct base_str *name, uint32_t tier,
		      uint32_t pod, uint32_t *ret_node)
{
	int e = base_str_error(name);

	if (e < 0)
		return e;
	return topo_graph_add_switch(r->g, TOPO_NONE, name->data, name->len, tier, pod,
				     TOPO_NONE, TOPO_NONE, ret_node, r->err);
}

/* @n switches "<name>-<stem><i>"; *@ret_first is the first one's id. */
static int add_group(struct reader *r, const struct base_str *name, const char *stem,
		     uint32_t tier, uint32_t pod, uint32_t n, uint32_t *ret_first)
{
	struct base_str full;
	int e = 0;

	base_str_init(&full, 0);
	for (uint32_t i = 0; i < n && e == 0; i++) {
		uint32_t node;

		base_str_clear(&full);
		base_str_add_len(&full, name->data, name->len);
		base_str_addf(&full, "-%s%" PRIu32, stem, i);
		e = add_switch(r, &full, tier, pod, &node);
		if (e == 0 && i == 0)
			*ret_first = node;
	}
	base_str_fini(&full);
	return e;
}

/* Leaves, spines and cores of the place of one leaf, as far as they are not there yet. */
static int add_tier(struct reader *r, const struct ordered *leaves, uint32_t tier)
{
	struct base_str name;
	int e = 0;

	base_str_init(&name, 0);
	for (uint32_t i = 0; i < r->leaves.names.n && e == 0; i++) {
		const struct ordered *o = &leaves[i];
		struct place *leaf = &r->leaves.places[o->leaf];
		struct place *pod = &r->pods.places[leaf->parent];
		struct place *core = &r->cores.places[pod->parent];

		join_names(r, o, 4 - tier, &name);
		e = base_str_error(&name);
		if (e < 0)
			break;
		if (tier == 1) {
			e = add_switch(r, &name, 1, pod->number, &leaf->first);
			if (e < 0)
				base_err_at(r->err, r->t.file, leaf->line, 0);
		} else if (tier == 2 && pod->first == TOPO_NONE) {
			e = add_group(r, &name, "spine", 2, pod->number,
				      r->options.spines_per_pod, &pod->first);
		} else if (tier == 3 && core->first == TOPO_NONE) {
			e = add_group(r, &name, "core", 3, TOPO_NONE, r->options.cores,
				      &core->first);
		}
	}
	base_str_fini(&name);
	return e;
}

static int connect(struct reader *r, uint32_t lower, uint32_t upper, uint32_t n)
{
	struct topo_link link = topo_import_link(lower, upper, r->options.rate_bps, 0);
	int e = 0;

	for (uint32_t i = 0; i < n && e == 0; i++) {
		uint32_t ignored;

		e = topo_graph_add_link(r->g, &link, &ignored, r->err);
	}
	return e;
}

static int add_host(struct reader *r, const struct host *h)
{
	const struct place *leaf = &r->leaves.places[h->leaf];
	uint32_t pod = r->pods.places[leaf->parent].number, host;
	int e = topo_graph_add_host(r->g, TOPO_NONE, h->name, h->len, pod, &host, r->err);

	if (e < 0) {
		base_err_at(r->err, r->t.file, h->line, 0);
		return e;
	}
	for (uint32_t i = 0; i < r->options.nics_per_host && e == 0; i++) {
		uint32_t nic;

		e = topo_import_add_nic(r->g, host, i, &nic, r->err);
		if (e == 0)
			e = connect(r, nic, leaf->first, 1);
	}
	return e;
}

static int connect_leaves(struct reader *r, const struct ordered *leaves)
{
	int e = 0;

	for (uint32_t i = 0; i < r->leaves.names.n; i++) {
		const struct place *leaf = &r->leaves.places[leaves[i].leaf];
		uint32_t spine = r->pods.places[leaf->parent].first;

		for (uint32_t s = 0; s < r->options.spines_per_pod && e == 0; s++)
			e = connect(r, leaf->first, spine + s, r->uplinks);
	}
	return e;
}

/* Spine s of each pod to the same cores_per_spine cores of its group. */
static int connect_spines(struct reader *r, const struct ordered *leaves)
{
	uint32_t last = TOPO_NONE;
	int e = 0;

	for (uint32_t i = 0; i < r->leaves.names.n; i++) {
		uint32_t pod = r->leaves.places[leaves[i].leaf].parent;
		const struct place *p = &r->pods.places[pod];
		uint32_t core = r->cores.places[p->parent].first;

		if (pod == last)
			continue;
		last = pod;
		for (uint32_t c = 0; c < r->options.cores && e == 0; c++)
			e = connect(r, p->first + c / r->cores_per_spine, core + c,
				    r->corelinks);
	}
	return e;
}

static int build(struct reader *r)
{
	struct ordered *leaves = NULL;
	int e = order_leaves(r, &leaves);

	for (uint32_t i = 0; i < r->pods.names.n; i++)
		r->pods.places[i].first = TOPO_NONE;
	for (uint32_t i = 0; i < r->cores.names.n; i++)
		r->cores.places[i].first = TOPO_NONE;
	for (uint32_t tier = 1; tier <= 3 && e == 0; tier++)
		e = add_tier(r, leaves, tier);
	for (size_t i = 0; i < r->n_hosts && e == 0; i++)
		e = add_host(r, &r->hosts[i]);
	if (e == 0)
		e = connect_leaves(r, leaves);
	if (e == 0)
		e = connect_spines(r, leaves);
	free(leaves);
	return e;
}

/* What the user said is no assumption. */
static int record_assumptions(struct reader *r, const struct topo_import_options *said)
{
	const struct topo_import_options *o = &r->options;
	char rate[BASE_NUM_TEXT_MAX];
	int e = 0;

	if (!said->rate_bps)
		e = topo_import_assume(r->g, "link_rate",
				       "The file does not say link rates.", "%s",
				       base_num_format_rate(o->rate_bps, rate));
	if (e == 0 && !said->nics_per_host)
		e = topo_import_assume(
			r->g, "nics_per_host",
			"The file does not say how many NICs a host has; all of "
			"them are on its one leaf.",
			"%" PRIu32, o->nics_per_host);
	if (e == 0 && !said->spines_per_pod)
		e = topo_import_assume(
			r->g, "spines_per_pod",
			"The file does not say how many switches a PSW group has; "
			"so many let the fullest leaf send all that its NICs can.",
			"%" PRIu32, o->spines_per_pod);
	if (e == 0)
		e = topo_import_assume(
			r->g, "links_per_leaf_and_spine",
			"The file does not say how leaves are joined to the spines "
			"of their pod; all are joined alike.",
			"%" PRIu32, r->uplinks);
	if (e == 0 && !said->cores)
		e = topo_import_assume(
			r->g, "cores_per_group",
			"The file does not say how many switches a DSW group has; "
			"so many carry all that the fullest pod can send.",
			"%" PRIu32, o->cores);
	if (e == 0)
		e = topo_import_assume(
			r->g, "links_per_spine_and_core",
			"The file does not say how pods are joined to the cores; "
			"spine s of every pod is joined to the same cores.",
			"%" PRIu32, r->corelinks);
	if (e == 0 && (!said->spines_per_pod || !said->cores))
		e = topo_import_assume(
			r->g, "switch_ports",
			"Numbers of spines and cores are the fewest with so many "
			"ports each.",
			"%u", SWITCH_PORTS);
	return e;
}

static int read_all(struct reader *r)
{
	int e = read_header(r);

	if (e == 0)
		e = read_rows(r);
	if (e == 0)
		e = size_groups(r);
	if (e == 0)
		e = check_size(r);
	if (e == 0)
		e = build(r);
	if (e < 0 && r->err && r->err->file[0] == '\0')
		base_err_at(r->err, r->t.file, 0, 0);
	return e;
}

static void fini_tier(struct tier *tier)
{
	base_table_fini(&tier->names);
	free(tier->places);
}

static int import(const struct topo_source *sources, size_t n_sources,
		  const struct topo_import_options *options, struct topo_graph *g,
		  struct base_err *err)
{
	struct reader r = { .g = g, .err = err, .options = *options };
	int e = topo_import_one_file("lingjun", n_sources, err);

	if (e < 0)
		return e;
	base_text_init(&r.t, sources[0].name, sources[0].data, sources[0].len);
	base_table_init(&r.cores.names);
	base_table_init(&r.pods.names);
	base_table_init(&r.leaves.names);
	base_table_init(&r.ips);
	e = read_all(&r);
	if (e == 0)
		e = record_assumptions(&r, options);
	fini_tier(&r.cores);
	fini_tier(&r.pods);
	fini_tier(&r.leaves);
	base_table_fini(&r.ips);
	free(r.hosts);
	return e;
}

static unsigned sniff(const struct topo_source *source)
{
	struct reader r = { .n_columns = 0 };

	base_text_init(&r.t, source->name, source->data, source->len);
	return read_header(&r) == 0 ? 95 : 0;
}

const struct topo_importer topo_import_lingjun = {
	.name = "lingjun",
	.help = "host inventory of the Lingjun trace (topo.csv: ip, DSW, PSW, ASW)",
	.sniff = sniff,
	.import = import,
};
