/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From names back to ids.  The graph itself finds nodes; here is an index of links by
 * their two ends, the reading of link and path names, and what to say when there is no
 * such thing.
 */
#define _GNU_SOURCE /* memrchr */
#include "name_private.h"
#include <base/mem.h>
#include <base/num.h>
#include <base/rng.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A mistyped name is compared with at most so many right ones. */
#define CANDIDATES_MAX 1000000u

struct topo_names {
	const struct topo_graph *g;
	uint32_t *slots; /* open hash by pair of ends: first link + 1, 0 free */
	uint32_t n_slots;
	uint32_t *next; /* link -> the next parallel one, TOPO_NONE: none */
};

/* Names among which the nearest is looked for. */
struct candidates {
	struct base_str text; /* the names, each terminated */
	size_t *starts;
	size_t n, cap;
};

/* The index of links. */

static uint32_t pair_slot(const struct topo_names *names, uint32_t a, uint32_t b)
{
	uint64_t pair = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;

	return (uint32_t)base_rng_mix(pair) & (names->n_slots - 1);
}

static bool joins(const struct topo_link *link, uint32_t a, uint32_t b)
{
	return (link->a == a && link->b == b) || (link->a == b && link->b == a);
}

/* The slot of the links between @a and @b, or the free one where it belongs. */
static uint32_t *find_pair(const struct topo_names *names, uint32_t a, uint32_t b)
{
	const struct topo_link *links = topo_graph_links(names->g);
	uint32_t s = pair_slot(names, a, b);

	while (names->slots[s] && !joins(&links[names->slots[s] - 1], a, b))
		s = (s + 1) & (names->n_slots - 1);
	return &names->slots[s];
}

static uint32_t first_link(const struct topo_names *names, uint32_t a, uint32_t b)
{
	return *find_pair(names, a, b) - 1; /* 0 - 1 is TOPO_NONE */
}

/* Backwards, so that each chain ends up in order of link id. */
static void index_links(struct topo_names *names)
{
	const struct topo_link *links = topo_graph_links(names->g);

	for (uint32_t i = topo_graph_n_links(names->g); i-- > 0;) {
		uint32_t *slot = find_pair(names, links[i].a, links[i].b);

		names->next[i] = *slot - 1;
		*slot = i + 1;
	}
}

int topo_names_new(const struct topo_graph *g, struct topo_names **ret_names)
{
	struct topo_names *names = calloc(1, sizeof(*names));
	uint32_t n_links = topo_graph_n_links(g);

	if (!names)
		return -ENOMEM;
	names->g = g;
	names->n_slots = 2;
	while (names->n_slots / 2 < n_links + 1)
		names->n_slots *= 2;
	names->slots = base_array_new(names->n_slots, sizeof(*names->slots));
	names->next = base_array_new(n_links, sizeof(*names->next));
	if (!names->slots || !names->next) {
		topo_names_free(names);
		return -ENOMEM;
	}
	index_links(names);
	*ret_names = names;
	return 0;
}

void topo_names_free(struct topo_names *names)
{
	if (!names)
		return;
	free(names->slots);
	free(names->next);
	free(names);
}

/* Suggestions. */

static void candidates_init(struct candidates *c)
{
	*c = (struct candidates){ 0 };
	base_str_init(&c->text, 0);
}

static void candidates_fini(struct candidates *c)
{
	base_str_fini(&c->text);
	free(c->starts);
}

/* Opens a candidate: its name is then added to c->text.  False: that is enough of them.
 */
static bool next_candidate(struct candidates *c)
{
	size_t *starts;

	if (c->n >= CANDIDATES_MAX)
		return false;
	starts = base_grow(c->starts, &c->cap, c->n + 1, sizeof(*starts));
	if (!starts)
		return false;
	c->starts = starts;
	if (c->n > 0)
		base_str_add_char(&c->text, '\0');
	starts[c->n++] = c->text.len;
	return true;
}

/* Borrowed from @c; NULL: none is near (or there is no memory to find out). */
static const char *nearest_of(const struct candidates *c, const char *text, size_t len)
{
	const char *all = base_str_text(&c->text), *nearest = NULL;
	const char **each = base_array_new(c->n, sizeof(*each));

	if (each && base_str_error(&c->text) == 0) {
		for (size_t i = 0; i < c->n; i++)
			each[i] = all + c->starts[i];
		nearest = base_str_nearest_len(text, len, each, c->n);
	}
	free(each);
	return nearest;
}

/* Records that there is no @what of that name, with the nearest of @c.  Frees @c. */
static int fail_unknown(struct candidates *c, const char *what, const char *text,
			size_t len, struct base_err *err)
{
	const char *nearest = err ? nearest_of(c, text, len) : NULL;
	int shown = (int)(len < 200 ? len : 200);

	if (nearest)
		base_err_set(err, -BASE_E_UNKNOWN,
			     "no %s \"%.*s\" in the fabric; did you mean \"%s\"?", what,
			     shown, text, nearest);
	else
		base_err_set(err, -BASE_E_UNKNOWN, "no %s \"%.*s\" in the fabric", what,
			     shown, text);
	candidates_fini(c);
	return -BASE_E_UNKNOWN;
}

/* Nodes. */

int topo_name_fail_unknown(const struct topo_graph *g, unsigned kinds, const char *what,
			   const char *text, size_t len, struct base_err *err)
{
	const struct topo_node *nodes = topo_graph_nodes(g);
	struct candidates c;

	candidates_init(&c);
	for (uint32_t i = 0; err && i < topo_graph_n_nodes(g); i++) {
		if (!(kinds & TOPO_KIND_BIT(nodes[i].kind)))
			continue;
		if (!next_candidate(&c))
			break;
		topo_name_node(g, i, &c.text);
	}
	return fail_unknown(&c, what, text, len, err);
}

int topo_names_node(const struct topo_names *names, const char *text, size_t len,
		    uint32_t *ret_node, struct base_err *err)
{
	uint32_t node = topo_graph_find(names->g, text, len);

	if (node == TOPO_NONE)
		return topo_name_fail_unknown(names->g, TOPO_ANY_KIND, "node", text, len,
					      err);
	*ret_node = node;
	return 0;
}

/* A host stands for its NIC when it has only one. */
static int nic_of_host(const struct topo_graph *g, uint32_t host, const char *text,
		       size_t len, uint32_t *ret_nic, struct base_err *err)
{
	const struct topo_node *nodes = topo_graph_nodes(g);
	uint32_t n;
	const uint32_t *nics = topo_graph_children(g, host, &n);

	if (n == 0)
		return base_err_set(err, -BASE_E_INVALID, "host \"%.*s\" has no NIC",
				    (int)len, text);
	if (n > 1)
		return base_err_set(
			err, -BASE_E_INVALID,
			"host \"%.*s\" has %u NICs: say which one, such as %.*s.%s",
			(int)len, text, n, (int)len, text,
			topo_graph_text(g, nodes[nics[0]].name));
	*ret_nic = nics[0];
	return 0;
}

int topo_names_nic(const struct topo_names *names, const char *text, size_t len,
		   uint32_t *ret_nic, struct base_err *err)
{
	const struct topo_graph *g = names->g;
	uint32_t node = topo_graph_find(g, text, len);
	uint8_t kind;

	if (node == TOPO_NONE)
		return topo_name_fail_unknown(
			g, TOPO_KIND_BIT(TOPO_NIC) | TOPO_KIND_BIT(TOPO_HOST), "NIC",
			text, len, err);
	kind = topo_graph_nodes(g)[node].kind;
	if (kind == TOPO_HOST)
		return nic_of_host(g, node, text, len, ret_nic, err);
	if (kind != TOPO_NIC)
		return base_err_set(err, -BASE_E_INVALID, "\"%.*s\" is a %s, not a NIC",
				    (int)len, text, topo_kind_text((enum topo_kind)kind));
	*ret_nic = node;
	return 0;
}

/* Links. */

/* The links that a name may mean: those whose own name it is, and those it fits
 * otherwise. */
struct matches {
	const char *text;
	size_t len;
	uint32_t exact[2], loose[2]; /* the first two different ones; TOPO_NONE */
	uint32_t unnumbered;	     /* the first of parallel links that the name fits */
};

static void keep_match(uint32_t kept[2], uint32_t link)
{
	if (kept[0] == TOPO_NONE)
		kept[0] = link;
	else if (kept[0] != link && kept[1] == TOPO_NONE)
		kept[1] = link;
}

static int add_match(const struct topo_graph *g, struct matches *m, uint32_t link)
{
	struct base_str own;
	bool is_own;
	int r;

	base_str_init(&own, 0);
	topo_name_link(g, link, &own);
	r = base_str_error(&own);
	is_own = own.len == m->len && memcmp(base_str_text(&own), m->text, own.len) == 0;
	base_str_fini(&own);
	if (r == 0)
		keep_match(is_own ? m->exact : m->loose, link);
	return r;
}

/* The number after the last '#' of @text; *ret_len: what is before it.  0: there is none.
 */
static uint32_t take_number(const char *text, size_t len, size_t *ret_len)
{
	const char *mark = memrchr(text, '#', len);
	uint32_t number;

	if (!mark || base_num_u32(mark + 1, (size_t)(text + len - mark - 1), &number) < 0)
		return 0;
	*ret_len = (size_t)(mark - text);
	return number;
}

/* Link number @number (from 1) between @a and @b, or TOPO_NONE. */
static uint32_t numbered_link(const struct topo_names *names, uint32_t a, uint32_t b,
			      uint32_t number)
{
	uint32_t link = first_link(names, a, b);

	while (link != TOPO_NONE && --number > 0)
		link = names->next[link];
	return link;
}

/* Takes @text apart as "a-b" or "a-b#2" with the dash at @dash. */
static int match_ends(const struct topo_names *names, struct matches *m, size_t dash)
{
	const char *right = m->text + dash + 1;
	size_t len = m->len - dash - 1, short_len;
	uint32_t a = topo_graph_find(names->g, m->text, dash), b, link, number;
	int r = 0;

	if (a == TOPO_NONE)
		return 0;
	b = topo_graph_find(names->g, right, len);
	link = b == TOPO_NONE ? TOPO_NONE : first_link(names, a, b);
	if (link != TOPO_NONE && names->next[link] == TOPO_NONE)
		r = add_match(names->g, m, link);
	else if (link != TOPO_NONE && m->unnumbered == TOPO_NONE)
		m->unnumbered = link;
	number = take_number(right, len, &short_len);
	if (r < 0 || number == 0)
		return r;
	b = topo_graph_find(names->g, right, short_len);
	link = b == TOPO_NONE ? TOPO_NONE : numbered_link(names, a, b, number);
	return link == TOPO_NONE ? 0 : add_match(names->g, m, link);
}

/* Goes over @word at *@at if it stands there. */
static bool skip_word(const struct matches *m, size_t *at, const char *word)
{
	size_t n = strlen(word);

	if (n > m->len - *at || memcmp(m->text + *at, word, n) != 0)
		return false;
	*at += n;
	return true;
}

static bool skip_port(const struct topo_graph *g, const struct matches *m, size_t *at,
		      uint32_t port)
{
	size_t start = *at;

	if (port != TOPO_NONE && skip_word(m, at, ":") &&
	    skip_word(m, at, topo_graph_text(g, port)))
		return true;
	*at = start;
	return false;
}

/*
 * Is the rest of the name, from @at on, what follows the name of the end that @hop leaves
 * when ports are given: ":port-end:port", where either port may be left out?
 */
static bool ports_fit(const struct topo_graph *g, const struct matches *m, size_t at,
		      uint32_t hop, const char *far_end)
{
	const struct topo_link *link = &topo_graph_links(g)[topo_hop_link(hop)];
	uint32_t near_port = hop & 1u ? link->port_b : link->port_a;
	uint32_t far_port = hop & 1u ? link->port_a : link->port_b;

	skip_port(g, m, &at, near_port);
	if (!skip_word(m, &at, "-") || !skip_word(m, &at, far_end))
		return false;
	skip_port(g, m, &at, far_port);
	return at == m->len;
}

/* Tries the links of the node whose name is the first @at bytes. */
static int match_ports_at(const struct topo_graph *g, struct matches *m, size_t at)
{
	uint32_t node = topo_graph_find(g, m->text, at), n;
	const uint32_t *hops;
	struct base_str name;
	int r = 0;

	if (node == TOPO_NONE)
		return 0;
	hops = topo_graph_hops(g, node, &n);
	base_str_init(&name, 0);
	for (uint32_t i = 0; r == 0 && i < n; i++) {
		base_str_clear(&name);
		topo_name_node(g, topo_hop_to(topo_graph_links(g), hops[i]), &name);
		r = base_str_error(&name);
		if (r == 0 && ports_fit(g, m, at, hops[i], base_str_text(&name)))
			r = add_match(g, m, topo_hop_link(hops[i]));
	}
	base_str_fini(&name);
	return r;
}

static bool is_found(const struct matches *m)
{
	return m->exact[0] != TOPO_NONE || m->loose[0] != TOPO_NONE;
}

static int find_matches(const struct topo_names *names, struct matches *m)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < m->len; i++)
		if (m->text[i] == '-')
			r = match_ends(names, m, i);
	if (r < 0 || is_found(m) || !memchr(m->text, ':', m->len))
		return r;
	for (size_t i = 0; r == 0 && i < m->len; i++)
		if (m->text[i] == ':' || m->text[i] == '-')
			r = match_ports_at(names->g, m, i);
	return r;
}

static void add_links_of(const struct topo_graph *g, uint32_t node, struct candidates *c)
{
	uint32_t n;
	const uint32_t *hops = topo_graph_hops(g, node, &n);

	for (uint32_t i = 0; i < n && next_candidate(c); i++)
		topo_name_link(g, topo_hop_link(hops[i]), &c->text);
}

/* Suggests among the links of the nodes that the name holds, or else among all. */
static int fail_unknown_link(const struct topo_graph *g, const struct matches *m,
			     struct base_err *err)
{
	struct candidates c;
	uint32_t node;
	bool any;

	candidates_init(&c);
	for (size_t i = 0; err && i < m->len; i++) {
		if (m->text[i] != '-')
			continue;
		node = topo_graph_find(g, m->text, i);
		if (node != TOPO_NONE)
			add_links_of(g, node, &c);
		node = topo_graph_find(g, m->text + i + 1, m->len - i - 1);
		if (node != TOPO_NONE)
			add_links_of(g, node, &c);
	}
	any = c.n > 0;
	for (uint32_t i = 0; err && !any && i < topo_graph_n_nodes(g); i++)
		if (topo_graph_nodes(g)[i].kind == TOPO_SWITCH)
			add_links_of(g, i, &c);
	return fail_unknown(&c, "link", m->text, m->len, err);
}

/* Names the two links @a and @b that a name may mean. */
static int fail_ambiguous(const struct topo_graph *g, const struct matches *m, uint32_t a,
			  uint32_t b, struct base_err *err)
{
	struct base_str one, other;

	base_str_init(&one, 0);
	base_str_init(&other, 0);
	topo_name_link(g, a, &one);
	topo_name_link(g, b, &other);
	base_err_set(err, -BASE_E_INVALID,
		     "\"%.*s\" may mean link %u, %s, or link %u, %s: rename a node so "
		     "that it cannot",
		     (int)m->len, m->text, a, base_str_text(&one), b,
		     base_str_text(&other));
	base_str_fini(&one);
	base_str_fini(&other);
	return -BASE_E_INVALID;
}

static int choose_match(const struct topo_names *names, const struct matches *m,
			uint32_t *ret_link, struct base_err *err)
{
	const uint32_t *found = m->exact[0] != TOPO_NONE ? m->exact : m->loose;
	uint32_t n = 0;

	if (found[0] == TOPO_NONE && m->unnumbered != TOPO_NONE) {
		for (uint32_t i = m->unnumbered; i != TOPO_NONE; i = names->next[i])
			n++;
		return base_err_set(err, -BASE_E_INVALID,
				    "\"%.*s\" stands for %u parallel links: say which "
				    "one, \"%.*s#1\" "
				    "to \"%.*s#%u\"",
				    (int)m->len, m->text, n, (int)m->len, m->text,
				    (int)m->len, m->text, n);
	}
	if (found[0] == TOPO_NONE)
		return fail_unknown_link(names->g, m, err);
	if (found[1] != TOPO_NONE)
		return fail_ambiguous(names->g, m, found[0], found[1], err);
	*ret_link = found[0];
	return 0;
}

int topo_names_link(const struct topo_names *names, const char *text, size_t len,
		    uint32_t *ret_link, struct base_err *err)
{
	struct matches m = { .text = text,
			     .len = len,
			     .exact = { TOPO_NONE, TOPO_NONE },
			     .loose = { TOPO_NONE, TOPO_NONE },
			     .unnumbered = TOPO_NONE };
	int r = find_matches(names, &m);

	if (r < 0)
		return base_err_set(err, r, "out of memory");
	return choose_match(names, &m, ret_link, err);
}

/* Paths. */

struct walk {
	const struct topo_names *names;
	uint32_t *hops;
	size_t n, cap;
	uint32_t node; /* where it has come to; TOPO_NONE before the first */
};

/* One node of a written path, with the number of the link that leads to it (0: none
 * given). */
struct step {
	const char *text;
	size_t len;
	uint32_t number;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static void trim(const char **text, size_t *len)
{
	while (*len > 0 && is_blank(**text)) {
		(*text)++;
		(*len)--;
	}
	while (*len > 0 && is_blank((*text)[*len - 1]))
		(*len)--;
}

/* Reads "leaf9", "#2 leaf9" or "leaf9#2", whatever is between two '>'. */
static struct step read_step(const struct topo_graph *g, const char *text, size_t len)
{
	struct step s = { 0 };
	size_t n = 0, short_len;
	uint32_t number;

	trim(&text, &len);
	while (n < len && !is_blank(text[n]))
		n++;
	if (n < len && text[0] == '#' && base_num_u32(text + 1, n - 1, &s.number) == 0) {
		text += n;
		len -= n;
		trim(&text, &len);
	} else if (topo_graph_find(g, text, len) == TOPO_NONE) {
		number = take_number(text, len, &short_len);
		if (number > 0) {
			s.number = number;
			len = short_len;
		}
	}
	s.text = text;
	s.len = len;
	return s;
}

static int fail_no_hop(const struct walk *w, uint32_t to, uint32_t number,
		       struct base_err *err)
{
	const struct topo_graph *g = w->names->g;
	uint32_t n = 0;
	struct base_str from_text, to_text;

	base_str_init(&from_text, 0);
	base_str_init(&to_text, 0);
	topo_name_node(g, w->node, &from_text);
	topo_name_node(g, to, &to_text);
	for (uint32_t i = first_link(w->names, w->node, to); i != TOPO_NONE;
	     i = w->names->next[i])
		n++;
	if (n == 0)
		base_err_set(err, -BASE_E_UNKNOWN, "no link joins \"%s\" and \"%s\"",
			     base_str_text(&from_text), base_str_text(&to_text));
	else if (number > 0)
		base_err_set(err, -BASE_E_UNKNOWN,
			     "no link #%u joins \"%s\" and \"%s\"; there %s %u", number,
			     base_str_text(&from_text), base_str_text(&to_text),
			     n == 1 ? "is" : "are", n);
	else
		base_err_set(err, -BASE_E_INVALID,
			     "%u parallel links join \"%s\" and \"%s\": say which one, "
			     "\">#1 %s\" to "
			     "\">#%u %s\"",
			     n, base_str_text(&from_text), base_str_text(&to_text),
			     base_str_text(&to_text), n, base_str_text(&to_text));
	base_str_fini(&from_text);
	base_str_fini(&to_text);
	return n > 0 && number == 0 ? -BASE_E_INVALID : -BASE_E_UNKNOWN;
}

static int take_step(struct walk *w, const struct step *s, struct base_err *err)
{
	const struct topo_graph *g = w->names->g;
	uint32_t to = TOPO_NONE, link, *hops;
	int r = topo_names_node(w->names, s->text, s->len, &to, err);

	if (r < 0)
		return r;
	link = numbered_link(w->names, w->node, to, s->number > 0 ? s->number : 1);
	if (link == TOPO_NONE || (s->number == 0 && topo_graph_parallel(g, link) > 0))
		return fail_no_hop(w, to, s->number, err);
	hops = base_grow(w->hops, &w->cap, w->n + 1, sizeof(*hops));
	if (!hops)
		return base_err_set(err, -ENOMEM, "out of memory");
	w->hops = hops;
	hops[w->n++] = 2 * link + (topo_graph_links(g)[link].a == w->node ? 0 : 1);
	w->node = to;
	return 0;
}

static int read_walk(struct walk *w, const char *text, size_t len, struct base_err *err)
{
	const char *end = text + len, *mark = memchr(text, '>', len);
	size_t first_len = mark ? (size_t)(mark - text) : len;
	int r;

	trim(&text, &first_len);
	r = topo_names_node(w->names, text, first_len, &w->node, err);
	if (r == 0 && !mark)
		return base_err_set(
			err, -BASE_E_SYNTAX,
			"a path has at least two nodes, such as h0.nic0 > leaf0");
	while (r == 0 && mark) {
		const char *start = mark + 1;
		struct step s;

		mark = memchr(start, '>', (size_t)(end - start));
		s = read_step(w->names->g, start, (size_t)((mark ? mark : end) - start));
		r = take_step(w, &s, err);
	}
	return r;
}

int topo_names_path(const struct topo_names *names, const char *text, size_t len,
		    uint32_t **ret_hops, size_t *ret_n, struct base_err *err)
{
	struct walk w = { .names = names, .node = TOPO_NONE };
	int r = read_walk(&w, text, len, err);

	if (r < 0) {
		free(w.hops);
		return r;
	}
	*ret_hops = w.hops;
	*ret_n = w.n;
	return 0;
}
