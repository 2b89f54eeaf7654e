/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The topology text of the RDMA simulators on ns-3 (HPCC and those that grew out of it):
 *
 *	nodes switches links
 *	<ids of the switches>
 *	source destination rate delay error_rate	(as many lines as there are links)
 *
 * and its variant for GPU servers, whose first line is
 *
 *	nodes gpus_per_server nvswitches switches links gpu_type
 *
 * with the ids of the NVSwitches before those of the switches.  What follows the last
 * promised link is not read, as in the simulators.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <base/mem.h>
#include <base/num.h>
#include <base/text.h>
#include "importers_text.h"
#include "importers.h"

#define WORDS_MAX 8u

enum role { ROLE_HOST, ROLE_SWITCH, ROLE_NVSWITCH };

struct node {
	uint8_t role;	   /* enum role */
	bool linked;	   /* by a link of the fabric */
	uint32_t graph_id; /* of the NIC or switch once it was added */
	uint32_t server;   /* hosts: their server; NVSwitches: the one they serve; else
			      TOPO_NONE */
};

/* A link of the fabric, kept until it is known which nodes have one. */
struct link {
	uint32_t ends[2];
	uint64_t rate_bps, delay_ns;
	uint32_t line;
};

struct reader {
	struct base_text t;
	size_t len;
	uint32_t n_nodes, n_switches, n_nvswitches, n_links;
	uint32_t gpus_per_server; /* 0: the plain variant */
	struct node *nodes;
	struct link *links;
	size_t cap_links;
	uint32_t n_kept;    /* of links[] */
	uint32_t n_skipped; /* links inside hosts */
	uint32_t n_lossy;
	struct topo_graph *g;
	struct base_err *err;
};

static bool is_zero(const struct base_word *w)
{
	return base_word_is(w, "0");
}

/* The line after this one that is not blank.  1, 0 at the end, negative. */
static int next_line(struct reader *r, struct base_word *words, size_t *ret_n)
{
	int more;

	do {
		more = base_text_line(&r->t, r->err);
		if (more <= 0)
			return more;
		*ret_n = base_text_words(&r->t, words, WORDS_MAX);
	} while (*ret_n == 0);
	return 1;
}

static int read_header_numbers(struct reader *r, const struct base_word *words,
			       uint32_t *const *into, const char *const *what, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		int e = base_text_u32(&r->t, &words[i], what[i], into[i], r->err);

		if (e < 0)
			return e;
	}
	return 0;
}

/* The plain header may be padded with zeros. */
static bool is_plain_header(const struct base_word *words, size_t n)
{
	if (n < 3 || n > WORDS_MAX)
		return false;
	for (size_t i = 3; i < n; i++) {
		if (!is_zero(&words[i]))
			return false;
	}
	return true;
}

static int check_counts(struct reader *r, const struct base_word *words,
			const struct base_word *links)
{
	uint64_t switches = (uint64_t)r->n_switches + r->n_nvswitches;

	if (r->n_nodes > TOPO_NODES_MAX)
		return base_text_fail(&r->t, &words[0], r->err, -BASE_E_TOO_LARGE,
				      "%" PRIu32 " nodes are promised; the ceiling is %u",
				      r->n_nodes, TOPO_NODES_MAX);
	if (r->n_links > TOPO_LINKS_MAX)
		return base_text_fail(&r->t, links, r->err, -BASE_E_TOO_LARGE,
				      "%" PRIu32 " links are promised; the ceiling is %u",
				      r->n_links, TOPO_LINKS_MAX);
	if (r->n_nodes > r->len)
		return base_text_fail(&r->t, &words[0], r->err, -BASE_E_TOO_LARGE,
				      "%" PRIu32
				      " nodes are promised by a file of %zu bytes, "
				      "which has no room to join them",
				      r->n_nodes, r->len);
	if (switches > r->n_nodes)
		return base_text_fail(
			&r->t, &words[1], r->err, -BASE_E_INVALID,
			"%" PRIu64 " switches among %" PRIu32
			" nodes: the first number counts hosts and switches",
			switches, r->n_nodes);
	return 0;
}

static int read_header(struct reader *r)
{
	static const char *const plain[] = { "number of nodes", "number of switches",
					     "number of links" };
	static const char *const servers[] = { "number of nodes", "GPUs per server",
					       "number of NVSwitches",
					       "number of switches", "number of links" };
	struct base_word words[WORDS_MAX];
	size_t n;
	int e = next_line(r, words, &n);

	if (e < 0)
		return e;
	if (e == 0)
		return base_text_fail(&r->t, NULL, r->err, -BASE_E_SYNTAX,
				      "the file is empty; its first line must be "
				      "\"nodes switches links\"");
	if (is_plain_header(words, n)) {
		uint32_t *const into[] = { &r->n_nodes, &r->n_switches, &r->n_links };

		e = read_header_numbers(r, words, into, plain, BASE_COUNT(plain));
		return e < 0 ? e : check_counts(r, words, &words[2]);
	}
	if (n == 6 || n == 7) {
		uint32_t *const into[] = { &r->n_nodes, &r->gpus_per_server,
					   &r->n_nvswitches, &r->n_switches,
					   &r->n_links };

		e = read_header_numbers(r, words, into, servers, BASE_COUNT(servers));
		if (e == 0 && r->gpus_per_server == 0)
			e = base_text_fail(&r->t, &words[1], r->err, -BASE_E_INVALID,
					   "GPUs per server must be above 0");
		return e < 0 ? e : check_counts(r, words, &words[4]);
	}
	return base_text_fail(
		&r->t, &words[0], r->err, -BASE_E_SYNTAX,
		"the first line must be \"nodes switches links\" or \"nodes "
		"gpus_per_server nvswitches switches links gpu_type\", not %zu word%s",
		n, n == 1 ? "" : "s");
}

static int read_switch_id(struct reader *r, const struct base_word *w, bool nvswitch)
{
	uint32_t id;
	int e = base_text_u32(&r->t, w, "id of a switch", &id, r->err);

	if (e < 0)
		return e;
	if (id >= r->n_nodes)
		return base_text_fail(&r->t, w, r->err, -BASE_E_INVALID,
				      "switch %" PRIu32 " is out of range: with %" PRIu32
				      " nodes the ids are 0 to %" PRIu32,
				      id, r->n_nodes, r->n_nodes - 1);
	if (r->nodes[id].role != ROLE_HOST)
		return base_text_fail(&r->t, w, r->err, -BASE_E_DUPLICATE,
				      "switch %" PRIu32 " is listed twice", id);
	r->nodes[id].role = nvswitch ? ROLE_NVSWITCH : ROLE_SWITCH;
	return 0;
}

/* The ids may go over several lines. */
static int read_switches(struct reader *r)
{
	uint32_t n = r->n_nvswitches + r->n_switches, done = 0;

	while (done < n) {
		struct base_word w;
		size_t pos = 0;
		int e = base_text_line(&r->t, r->err);

		if (e < 0)
			return e;
		if (e == 0)
			return base_text_fail(&r->t, NULL, r->err, -BASE_E_SYNTAX,
					      "the file ends after %" PRIu32
					      " of %" PRIu32 " switch ids",
					      done, n);
		for (; base_text_word(&r->t, &pos, &w); done++) {
			if (done == n)
				return base_text_fail(&r->t, &w, r->err, -BASE_E_SYNTAX,
						      "more switch ids than the %" PRIu32
						      " that the first line promises",
						      n);
			e = read_switch_id(r, &w, done < r->n_nvswitches);
			if (e < 0)
				return e;
		}
	}
	return 0;
}

static int read_end(struct reader *r, const struct base_word *w, uint32_t *ret_id)
{
	uint32_t id;
	int e = base_text_u32(&r->t, w, "node id", &id, r->err);

	if (e < 0)
		return e;
	if (id >= r->n_nodes)
		return base_text_fail(&r->t, w, r->err, -BASE_E_INVALID,
				      "node %" PRIu32 " is out of range: with %" PRIu32
				      " nodes the ids are 0 to %" PRIu32,
				      id, r->n_nodes, r->n_nodes - 1);
	*ret_id = id;
	return 0;
}

/* In ns-3 "Gbps" and "Gb/s" are bits, "GBps" and "GB/s" bytes, and a bare number is
 * refused here. */
static int read_rate(struct reader *r, const struct base_word *w, uint64_t *ret_bps)
{
	char last = w->text[w->len - 1];
	int e;

	if (memchr(w->text, 'B', w->len))
		return base_text_fail(
			&r->t, w, r->err, -BASE_E_INVALID,
			"rate \"%.*s\" counts bytes (capital B); write it in bits, "
			"such as 100Gbps",
			(int)w->len, w->text);
	if (last >= '0' && last <= '9' && !is_zero(w))
		return base_text_fail(
			&r->t, w, r->err, -BASE_E_SYNTAX,
			"rate \"%.*s\" has no unit; write it such as 100Gbps",
			(int)w->len, w->text);
	e = base_text_rate(&r->t, w, "rate", ret_bps, r->err);
	if (e == 0 && *ret_bps == 0)
		return base_text_fail(&r->t, w, r->err, -BASE_E_INVALID,
				      "a link with rate 0 carries nothing; leave it out");
	return e;
}

/* Digits with an optional fraction and exponent: @ret_zero tells whether the number is 0.
 */
static bool scan_decimal(const struct base_word *w, bool *ret_zero)
{
	size_t i = 0, digits = 0;

	*ret_zero = true;
	for (bool point = false; i < w->len; i++) {
		if (w->text[i] == '.' && !point) {
			point = true;
			continue;
		}
		if (w->text[i] < '0' || w->text[i] > '9')
			break;
		digits++;
		if (w->text[i] != '0')
			*ret_zero = false;
	}
	if (digits == 0 || i == w->len)
		return digits > 0;
	if (w->text[i] != 'e' && w->text[i] != 'E')
		return false;
	if (++i < w->len && (w->text[i] == '+' || w->text[i] == '-'))
		i++;
	for (digits = 0; i < w->len && w->text[i] >= '0' && w->text[i] <= '9'; i++)
		digits++;
	return digits > 0 && i == w->len;
}

static int read_error_rate(struct reader *r, const struct base_word *w)
{
	bool zero;

	if (!scan_decimal(w, &zero))
		return base_text_fail(
			&r->t, w, r->err, -BASE_E_SYNTAX,
			"error rate must be a number such as 0 or 0.001, not "
			"\"%.*s\"",
			(int)w->len, w->text);
	r->n_lossy += !zero;
	return 0;
}

/* A link of an NVSwitch stays inside one host and is no part of the fabric. */
static int skip_nvlink(struct reader *r, const struct base_word *words,
		       const uint32_t ends[2])
{
	struct node *nodes = r->nodes;
	bool first = nodes[ends[0]].role == ROLE_NVSWITCH;
	uint32_t nv = first ? ends[0] : ends[1], gpu = first ? ends[1] : ends[0];

	if (nodes[gpu].role != ROLE_HOST)
		return base_text_fail(
			&r->t, &words[first], r->err, -BASE_E_INVALID,
			"NVSwitch %" PRIu32
			" is joined to a switch; it may be joined to GPUs of one "
			"server only",
			nv);
	if (nodes[nv].server == TOPO_NONE)
		nodes[nv].server = nodes[gpu].server;
	if (nodes[nv].server != nodes[gpu].server)
		return base_text_fail(&r->t, &words[first], r->err, -BASE_E_INVALID,
				      "GPU %" PRIu32 " is in server %" PRIu32
				      ", but its NVSwitch %" PRIu32
				      " is in server %" PRIu32
				      ": GPUs per server must be wrong",
				      gpu, nodes[gpu].server, nv, nodes[nv].server);
	r->n_skipped++;
	return 0;
}

static int join(struct reader *r, const struct base_word *words, const struct link *link)
{
	struct node *a = &r->nodes[link->ends[0]], *b = &r->nodes[link->ends[1]];
	struct link *links;

	if (a == b)
		return base_text_fail(&r->t, &words[1], r->err, -BASE_E_INVALID,
				      "node %" PRIu32 " is joined to itself",
				      link->ends[0]);
	if (a->role == ROLE_NVSWITCH || b->role == ROLE_NVSWITCH)
		return skip_nvlink(r, words, link->ends);
	if (a->role == ROLE_HOST && b->role == ROLE_HOST)
		return base_text_fail(
			&r->t, &words[0], r->err, -BASE_E_INVALID,
			"%" PRIu32 " and %" PRIu32
			" are both hosts: a cable between hosts leaves no path to "
			"choose (is one of them missing in the list of switches?)",
			link->ends[0], link->ends[1]);
	links = base_grow(r->links, &r->cap_links, r->n_kept + 1u, sizeof(*links));
	if (!links)
		return -ENOMEM;
	r->links = links;
	links[r->n_kept++] = *link;
	a->linked = b->linked = true;
	return 0;
}

static int read_link(struct reader *r, const struct base_word *words, size_t n)
{
	struct link link = { .line = words[0].line };
	int e;

	if (n != 5)
		return base_text_fail(
			&r->t, &words[0], r->err, -BASE_E_SYNTAX,
			"a link is \"source destination rate delay error_rate\", "
			"not %zu word%s",
			n, n == 1 ? "" : "s");
	e = read_end(r, &words[0], &link.ends[0]);
	if (e == 0)
		e = read_end(r, &words[1], &link.ends[1]);
	if (e == 0)
		e = read_rate(r, &words[2], &link.rate_bps);
	if (e == 0)
		e = base_text_time(&r->t, &words[3], "delay", &link.delay_ns, r->err);
	if (e == 0)
		e = read_error_rate(r, &words[4]);
	return e < 0 ? e : join(r, words, &link);
}

static int read_links(struct reader *r)
{
	for (uint32_t i = 0; i < r->n_links; i++) {
		struct base_word words[WORDS_MAX];
		size_t n;
		int e = next_line(r, words, &n);

		if (e == 0)
			return base_text_fail(&r->t, NULL, r->err, -BASE_E_SYNTAX,
					      "the file ends after %" PRIu32
					      " of %" PRIu32 " links",
					      i, r->n_links);
		if (e > 0)
			e = read_link(r, words, n);
		if (e < 0)
			return e;
	}
	return 0;
}

/* Numbers the servers: GPUs in order of their ids, gpus_per_server together. */
static int number_servers(struct reader *r)
{
	uint32_t n = 0, per = r->gpus_per_server;

	for (uint32_t i = 0; i < r->n_nodes; i++) {
		r->nodes[i].server = TOPO_NONE;
		if (r->nodes[i].role == ROLE_HOST)
			r->nodes[i].server = per ? n++ / per : i;
	}
	if (per && n % per)
		return base_text_fail(&r->t, NULL, r->err, -BASE_E_INVALID,
				      "%" PRIu32
				      " GPUs do not divide into servers of %" PRIu32,
				      n, per);
	return 0;
}

/* A host for each server that has a link; its NICs keep the number of their GPU. */
static int add_hosts(struct reader *r)
{
	uint32_t host = TOPO_NONE, of_server = TOPO_NONE, gpu = 0;

	for (uint32_t i = 0; i < r->n_nodes; i++) {
		struct node *node = &r->nodes[i];
		uint32_t nic;
		int e = 0;

		if (node->role != ROLE_HOST)
			continue;
		nic = r->gpus_per_server ? gpu++ % r->gpus_per_server : 0;
		if (!node->linked)
			continue;
		if (node->server != of_server)
			e = topo_import_add_host(r->g, "h", node->server, TOPO_NONE,
						 &host, r->err);
		if (e == 0)
			e = topo_import_add_nic(r->g, host, nic, &node->graph_id, r->err);
		if (e < 0)
			return e;
		of_server = node->server;
	}
	return 0;
}

static int add_switches(struct reader *r)
{
	for (uint32_t i = 0; i < r->n_nodes; i++) {
		struct node *node = &r->nodes[i];
		int e;

		if (node->role != ROLE_SWITCH || !node->linked)
			continue;
		e = topo_import_add_switch(r->g, "s", i, 0, TOPO_NONE, &node->graph_id,
					   r->err);
		if (e < 0)
			return e;
	}
	return 0;
}

static int add_links(struct reader *r)
{
	for (uint32_t i = 0; i < r->n_kept; i++) {
		const struct link *from = &r->links[i];
		struct topo_link link = topo_import_link(r->nodes[from->ends[0]].graph_id,
							 r->nodes[from->ends[1]].graph_id,
							 from->rate_bps, from->delay_ns);
		uint32_t ignored;
		int e = topo_graph_add_link(r->g, &link, &ignored, r->err);

		if (e < 0) {
			base_err_at(r->err, r->t.file, from->line, 1);
			return e;
		}
	}
	return 0;
}

static uint32_t count_unlinked(const struct reader *r)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->n_nodes; i++)
		n += r->nodes[i].role != ROLE_NVSWITCH && !r->nodes[i].linked;
	return n;
}

static bool has_trailing_text(const struct reader *r)
{
	for (const char *p = r->t.next; p < r->t.end; p++) {
		if (*p != ' ' && *p != '\t' && *p != '\r' && *p != '\n')
			return true;
	}
	return false;
}

static int compare_ends(const void *a, const void *b)
{
	const struct link *x = a, *y = b;
	uint32_t x_low = x->ends[0] < x->ends[1] ? x->ends[0] : x->ends[1];
	uint32_t y_low = y->ends[0] < y->ends[1] ? y->ends[0] : y->ends[1];
	uint32_t x_high = x->ends[0] ^ x->ends[1] ^ x_low;
	uint32_t y_high = y->ends[0] ^ y->ends[1] ^ y_low;

	if (x_low != y_low)
		return x_low < y_low ? -1 : 1;
	return x_high < y_high ? -1 : x_high > y_high;
}

/* Links beside another one of the same two nodes.  Sorts links[], which is in use no
 * more. */
static uint32_t count_parallel(struct reader *r)
{
	uint32_t n = 0;

	qsort(r->links, r->n_kept, sizeof(*r->links), compare_ends);
	for (uint32_t i = 1; i < r->n_kept; i++)
		n += compare_ends(&r->links[i - 1], &r->links[i]) == 0;
	return n;
}

/* Says what was left out or read in one of several possible ways. */
static int record_assumptions(struct reader *r)
{
	uint32_t n_unlinked = count_unlinked(r), n_parallel = count_parallel(r);
	int e = 0;

	if (r->gpus_per_server)
		e = topo_import_assume(
			r->g, "gpus_per_host",
			"GPUs with successive ids are one host, as the first line "
			"says; a GPU's fabric links are those of one NIC.",
			"%" PRIu32, r->gpus_per_server);
	if (e == 0 && r->n_skipped)
		e = topo_import_assume(
			r->g, "nvswitch_links",
			"NVSwitch links stay inside a host and are left out.",
			"%" PRIu32 " left out", r->n_skipped);
	if (e == 0 && n_parallel)
		e = topo_import_assume(
			r->g, "parallel_links",
			"Lines with the same two nodes are links side by side; "
			"some simulators use the last of them only.",
			"%" PRIu32 " beside another", n_parallel);
	if (e == 0 && n_unlinked)
		e = topo_import_assume(r->g, "unlinked_nodes",
				       "Nodes without a fabric link are left out.",
				       "%" PRIu32 " left out", n_unlinked);
	if (e == 0 && r->n_lossy)
		e = topo_import_assume(
			r->g, "error_rate",
			"A fabric has no error rates; these links count as good.",
			"%" PRIu32 " of %" PRIu32 " links", r->n_lossy, r->n_links);
	if (e == 0 && has_trailing_text(r))
		e = topo_import_assume(
			r->g, "trailing_text",
			"Lines after the number of links in the first line are "
			"not read.",
			"after line %" PRIu32, r->t.line);
	return e;
}

static int read_all(struct reader *r)
{
	int e = read_header(r);

	if (e < 0)
		return e;
	r->nodes = base_array_new(r->n_nodes, sizeof(*r->nodes));
	if (!r->nodes)
		return -ENOMEM;
	e = read_switches(r);
	if (e == 0)
		e = number_servers(r);
	if (e == 0)
		e = read_links(r);
	if (e == 0 && r->n_kept == 0)
		e = base_text_fail(
			&r->t, NULL, r->err, -BASE_E_INVALID,
			"no link joins a host to a switch: there is no fabric to "
			"read%s",
			r->n_skipped ? " (NVSwitch links stay inside hosts)" : "");
	if (e == 0)
		e = add_hosts(r);
	if (e == 0)
		e = add_switches(r);
	if (e == 0)
		e = add_links(r);
	return e < 0 ? e : record_assumptions(r);
}

static int import(const struct topo_source *sources, size_t n_sources,
		  const struct topo_import_options *options, struct topo_graph *g,
		  struct base_err *err)
{
	struct reader r = { .g = g, .err = err };
	int e = topo_import_one_file("ns3", n_sources, err);

	(void)options; /* this format leaves nothing open */
	if (e < 0)
		return e;
	base_text_init(&r.t, sources[0].name, sources[0].data, sources[0].len);
	r.len = sources[0].len;
	e = read_all(&r);
	free(r.nodes);
	free(r.links);
	return e;
}

static bool is_number(const struct base_word *w)
{
	uint32_t ignored;

	return base_num_u32(w->text, w->len, &ignored) == 0;
}

static unsigned sniff(const struct topo_source *source)
{
	struct base_word words[WORDS_MAX];
	struct base_text t;
	size_t n, n_numbers = 0;

	base_text_init(&t, source->name, source->data, source->len);
	do {
		if (base_text_line(&t, NULL) <= 0)
			return 0;
		n = base_text_words(&t, words, WORDS_MAX);
	} while (n == 0);
	while (n_numbers < n && n_numbers < WORDS_MAX && is_number(&words[n_numbers]))
		n_numbers++;
	if (is_plain_header(words, n) && n_numbers == n)
		return 80;
	return (n == 6 || n == 7) && n_numbers >= 5 ? 80 : 0;
}

const struct topo_importer topo_import_ns3 = {
	.name = "ns3",
	.help = "topology text of HPCC, ConWeave, SimAI and other simulators on ns-3",
	.sniff = sniff,
	.import = import,
};
