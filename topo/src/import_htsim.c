/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fat-tree description of htsim (files *.topo): a header (Nodes, Tiers, Podsize),
 * then a section "Tier n" for each tier of switches, 0 the leaves.  The file gives
 * radixes, speeds and oversubscription; the numbers of switches follow from them, and
 * every number that is given twice over is checked.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <base/mem.h>
#include <base/num.h>
#include <base/str.h>
#include <base/text.h>
#include "importers_text.h"
#include "importers.h"

#define TIERS_MAX 3u
#define GBIT_BPS UINT64_C(1000000000)

enum key {
	KEY_NODES,
	KEY_TIERS,
	KEY_PODSIZE,
	KEY_TIER,
	/* Of a tier from here on. */
	KEY_SPEED,
	KEY_RADIX_UP,
	KEY_RADIX_DOWN,
	KEY_OVERSUBSCRIBED,
	KEY_BUNDLE,
	KEY_SWITCH_LATENCY,
	KEY_LINK_LATENCY,
	KEY_QUEUE_UP,
	KEY_QUEUE_DOWN,
	N_KEYS,
};

static const char *const key_names[N_KEYS] = {
	[KEY_NODES] = "Nodes",
	[KEY_TIERS] = "Tiers",
	[KEY_PODSIZE] = "Podsize",
	[KEY_TIER] = "Tier",
	[KEY_SPEED] = "Downlink_speed_Gbps",
	[KEY_RADIX_UP] = "Radix_Up",
	[KEY_RADIX_DOWN] = "Radix_Down",
	[KEY_OVERSUBSCRIBED] = "Oversubscribed",
	[KEY_BUNDLE] = "Bundle",
	[KEY_SWITCH_LATENCY] = "Switch_Latency_ns",
	[KEY_LINK_LATENCY] = "Downlink_Latency_ns",
	[KEY_QUEUE_UP] = "Queue_Up",
	[KEY_QUEUE_DOWN] = "Queue_Down",
};

/* What a key was given, and where; line 0: not given. */
struct given {
	uint32_t value;
	struct base_word word;
};

struct reader {
	struct base_text t;
	struct given header[KEY_TIER];
	struct given tiers[TIERS_MAX][N_KEYS];
	uint32_t tier; /* section being read; TIERS_MAX: still in the header */
	uint32_t n_tiers;
	/* Worked out from the above. */
	uint32_t pods, leaves_per_pod, spines_per_pod, cores;
	struct topo_graph *g;
	struct base_err *err;
};

static uint32_t number(const struct reader *r, uint32_t tier, enum key key)
{
	return r->tiers[tier][key].value;
}

static bool is_given(const struct reader *r, uint32_t tier, enum key key)
{
	return r->tiers[tier][key].word.line > 0;
}

/* Refuses at the place where @given was read, or at the end of the file when it was not.
 */
static const struct base_word *place(const struct given *given)
{
	return given->word.line ? &given->word : NULL;
}

static enum key find_key(const struct base_word *w)
{
	for (unsigned key = 0; key < N_KEYS; key++) {
		if (base_word_is_nocase(w, key_names[key]))
			return (enum key)key;
	}
	return N_KEYS;
}

static int refuse_key(struct reader *r, const struct base_word *w)
{
	const char *nearest = base_str_nearest_len(w->text, w->len, key_names, N_KEYS);

	return base_text_fail(&r->t, w, r->err, -BASE_E_UNKNOWN,
			      "unknown key \"%.*s\"%s%s%s", (int)w->len, w->text,
			      nearest ? "; did you mean \"" : "", nearest ? nearest : "",
			      nearest ? "\"?" : "");
}

static int open_tier(struct reader *r, const struct base_word *words)
{
	uint32_t tier;
	int e = base_text_u32(&r->t, &words[1], "Tier", &tier, r->err);

	if (e < 0)
		return e;
	if (tier >= TIERS_MAX)
		return base_text_fail(&r->t, &words[1], r->err, -BASE_E_INVALID,
				      "Tier must be 0 (leaves), 1 or 2, not %" PRIu32,
				      tier);
	if (is_given(r, tier, KEY_TIER))
		return base_text_fail(&r->t, &words[0], r->err, -BASE_E_DUPLICATE,
				      "Tier %" PRIu32
				      " is described twice; first in line %" PRIu32,
				      tier, r->tiers[tier][KEY_TIER].word.line);
	r->tiers[tier][KEY_TIER] = (struct given){ tier, words[0] };
	r->tier = tier;
	return 0;
}

/* Where the value of @key goes in this section; NULL after a recorded error. */
static struct given *slot_for(struct reader *r, const struct base_word *w, enum key key)
{
	if (key < KEY_TIER)
		return &r->header[key];
	if (r->tier < TIERS_MAX)
		return &r->tiers[r->tier][key];
	base_text_fail(&r->t, w, r->err, -BASE_E_INVALID,
		       "\"%s\" belongs to a tier; write \"Tier 0\" above it",
		       key_names[key]);
	return NULL;
}

static int read_key(struct reader *r, const struct base_word *words)
{
	enum key key = find_key(&words[0]);
	bool may_be_zero = key == KEY_LINK_LATENCY || key == KEY_SWITCH_LATENCY;
	struct given *slot;
	uint32_t value;
	int e;

	if (key == N_KEYS)
		return refuse_key(r, &words[0]);
	if (key == KEY_TIER)
		return open_tier(r, words);
	slot = slot_for(r, &words[0], key);
	if (!slot)
		return -BASE_E_INVALID;
	if (slot->word.line)
		return base_text_fail(&r->t, &words[0], r->err, -BASE_E_DUPLICATE,
				      "\"%s\" is given twice; first in line %" PRIu32,
				      key_names[key], slot->word.line);
	e = base_text_u32(&r->t, &words[1], key_names[key], &value, r->err);
	if (e < 0)
		return e;
	if (value == 0 && !may_be_zero)
		return base_text_fail(&r->t, &words[1], r->err, -BASE_E_INVALID,
				      "%s must be above 0", key_names[key]);
	*slot = (struct given){ value, words[1] };
	return 0;
}

static int read_lines(struct reader *r)
{
	for (;;) {
		struct base_word words[3];
		size_t n;
		int more = base_text_line(&r->t, r->err), e;

		if (more <= 0)
			return more;
		n = base_text_words(&r->t, words, BASE_COUNT(words));
		if (n == 0 || words[0].text[0] == '#')
			continue;
		if (find_key(&words[0]) == N_KEYS)
			return refuse_key(r, &words[0]);
		if (n < 2)
			return base_text_fail(&r->t, &words[0], r->err, -BASE_E_SYNTAX,
					      "\"%.*s\" needs a number",
					      (int)words[0].len, words[0].text);
		if (n > 2 && words[2].text[0] != '#')
			return base_text_fail(
				&r->t, &words[2], r->err, -BASE_E_SYNTAX,
				"a line is a key and a number; \"%.*s\" is too "
				"much",
				(int)words[2].len, words[2].text);
		e = read_key(r, words);
		if (e < 0)
			return e;
	}
}

static int check_header(struct reader *r)
{
	for (unsigned key = 0; key < KEY_TIER; key++) {
		if (r->header[key].word.line == 0)
			return base_text_fail(&r->t, NULL, r->err, -BASE_E_INVALID,
					      "\"%s\" is missing in the header",
					      key_names[key]);
	}
	r->n_tiers = r->header[KEY_TIERS].value;
	if (r->n_tiers < 2 || r->n_tiers > TIERS_MAX)
		return base_text_fail(&r->t, &r->header[KEY_TIERS].word, r->err,
				      -BASE_E_INVALID,
				      "Tiers must be 2 or 3, not %" PRIu32, r->n_tiers);
	if (r->header[KEY_NODES].value > TOPO_NODES_MAX)
		return base_text_fail(&r->t, &r->header[KEY_NODES].word, r->err,
				      -BASE_E_TOO_LARGE,
				      "%" PRIu32 " Nodes; the ceiling is %u",
				      r->header[KEY_NODES].value, TOPO_NODES_MAX);
	return 0;
}

/* A tier must say what the counts follow from; the rest has defaults that are recorded.
 */
static int check_tier(struct reader *r, uint32_t tier)
{
	static const enum key needed[] = { KEY_TIER, KEY_SPEED, KEY_RADIX_DOWN,
					   KEY_RADIX_UP };
	struct given *t = r->tiers[tier];
	bool top = tier + 1 == r->n_tiers;

	for (size_t i = 0; i < BASE_COUNT(needed); i++) {
		if (t[needed[i]].word.line || (top && needed[i] == KEY_RADIX_UP))
			continue;
		if (needed[i] == KEY_TIER)
			return base_text_fail(&r->t, NULL, r->err, -BASE_E_INVALID,
					      "there is no section \"Tier %" PRIu32 "\"",
					      tier);
		return base_text_fail(&r->t, &t[KEY_TIER].word, r->err, -BASE_E_INVALID,
				      "Tier %" PRIu32 " does not say its \"%s\"", tier,
				      key_names[needed[i]]);
	}
	if (top && t[KEY_RADIX_UP].word.line)
		return base_text_fail(
			&r->t, &t[KEY_RADIX_UP].word, r->err, -BASE_E_INVALID,
			"Tier %" PRIu32 " is the highest and has no uplinks; "
			"remove Radix_Up",
			tier);
	if (!t[KEY_OVERSUBSCRIBED].word.line)
		t[KEY_OVERSUBSCRIBED].value = 1;
	if (!t[KEY_BUNDLE].word.line)
		t[KEY_BUNDLE].value = 1;
	return 0;
}

static int check_sections(struct reader *r)
{
	int e = 0;

	for (uint32_t tier = 0; tier < r->n_tiers && e == 0; tier++)
		e = check_tier(r, tier);
	for (uint32_t tier = r->n_tiers; tier < TIERS_MAX && e == 0; tier++) {
		if (is_given(r, tier, KEY_TIER))
			e = base_text_fail(&r->t, &r->tiers[tier][KEY_TIER].word, r->err,
					   -BASE_E_INVALID,
					   "Tier %" PRIu32
					   " is described, but Tiers is %" PRIu32,
					   tier, r->n_tiers);
	}
	if (e == 0 && number(r, 0, KEY_BUNDLE) != 1)
		e = base_text_fail(&r->t, &r->tiers[0][KEY_BUNDLE].word, r->err,
				   -BASE_E_INVALID,
				   "Bundle of Tier 0 must be 1: a node has one link");
	return e;
}

/* Uplinks of @n_switches switches of a tier whose radix was checked. */
static int count_uplinks(struct reader *r, uint32_t tier, uint64_t n_switches,
			 uint64_t *ret_n)
{
	uint64_t n = n_switches * number(r, tier, KEY_RADIX_UP);

	if (n > TOPO_LINKS_MAX)
		return base_text_fail(&r->t, place(&r->tiers[tier][KEY_RADIX_UP]), r->err,
				      -BASE_E_TOO_LARGE,
				      "%" PRIu64 " uplinks of Tier %" PRIu32
				      " are more than the ceiling of %u links",
				      n, tier, TOPO_LINKS_MAX);
	*ret_n = n;
	return 0;
}

/* A switch's ports must give the ratio that is said: down * speed = ratio * up * speed.
 */
static int check_radix(struct reader *r, uint32_t tier)
{
	uint64_t down =
		(uint64_t)number(r, tier, KEY_RADIX_DOWN) * number(r, tier, KEY_SPEED);
	uint64_t up =
		(uint64_t)number(r, tier, KEY_RADIX_UP) * number(r, tier + 1, KEY_SPEED);
	uint32_t ratio = number(r, tier, KEY_OVERSUBSCRIBED);

	if (down / ratio == up && down % ratio == 0)
		return 0;
	return base_text_fail(
		&r->t, place(&r->tiers[tier][KEY_RADIX_UP]), r->err, -BASE_E_INVALID,
		"Tier %" PRIu32 " has %" PRIu64 " Gbit/s down and %" PRIu64
		" Gbit/s up for each switch, which is not Oversubscribed %" PRIu32 "%s",
		tier, down, up, ratio,
		is_given(r, tier, KEY_OVERSUBSCRIBED)
			? ""
			: " (the default, as it is not given)");
}

static int count_leaves(struct reader *r)
{
	uint32_t nodes = r->header[KEY_NODES].value,
		 podsize = r->header[KEY_PODSIZE].value;
	uint32_t down = number(r, 0, KEY_RADIX_DOWN);

	if (nodes % podsize)
		return base_text_fail(
			&r->t, &r->header[KEY_PODSIZE].word, r->err, -BASE_E_INVALID,
			"%" PRIu32 " Nodes do not divide into pods of %" PRIu32, nodes,
			podsize);
	if (podsize % down)
		return base_text_fail(
			&r->t, &r->tiers[0][KEY_RADIX_DOWN].word, r->err, -BASE_E_INVALID,
			"a pod of %" PRIu32 " nodes does not divide into leaves of "
			"%" PRIu32,
			podsize, down);
	r->pods = nodes / podsize;
	r->leaves_per_pod = podsize / down;
	if (r->n_tiers == 2 && r->pods > 1)
		return base_text_fail(&r->t, &r->header[KEY_PODSIZE].word, r->err,
				      -BASE_E_INVALID,
				      "two tiers have nothing that joins %" PRIu32
				      " pods: Podsize must equal Nodes (%" PRIu32
				      "), or a Tier 2 is missing",
				      r->pods, nodes);
	return check_radix(r, 0);
}

/* Every leaf of a pod must reach every spine of it with one bundle. */
static int count_spines(struct reader *r)
{
	uint32_t down = number(r, 1, KEY_RADIX_DOWN), bundle = number(r, 1, KEY_BUNDLE);
	uint32_t up = number(r, 0, KEY_RADIX_UP);
	uint64_t all = 0, per_pod;
	int e = count_uplinks(r, 0, (uint64_t)r->pods * r->leaves_per_pod, &all);

	if (e < 0)
		return e;
	per_pod = all / r->pods;
	if (per_pod % down)
		return base_text_fail(
			&r->t, &r->tiers[1][KEY_RADIX_DOWN].word, r->err, -BASE_E_INVALID,
			"the %" PRIu64 " leaf uplinks of a pod do not divide into "
			"spines with Radix_Down %" PRIu32,
			per_pod, down);
	r->spines_per_pod = (uint32_t)(per_pod / down);
	if ((uint64_t)r->spines_per_pod * bundle != up)
		return base_text_fail(
			&r->t, place(&r->tiers[0][KEY_RADIX_UP]), r->err, -BASE_E_INVALID,
			"Radix_Up of Tier 0 is %" PRIu32
			", but spines of a pod times Bundle of Tier 1 is %" PRIu32
			" x %" PRIu32,
			up, r->spines_per_pod, bundle);
	return 0;
}

static int count_cores(struct reader *r)
{
	uint32_t down = number(r, 2, KEY_RADIX_DOWN), bundle = number(r, 2, KEY_BUNDLE);
	uint32_t up = number(r, 1, KEY_RADIX_UP), group;
	uint64_t uplinks = 0;
	int e = check_radix(r, 1);

	if (e == 0)
		e = count_uplinks(r, 1, (uint64_t)r->pods * r->spines_per_pod, &uplinks);
	if (e < 0)
		return e;
	if (uplinks % down)
		return base_text_fail(
			&r->t, &r->tiers[2][KEY_RADIX_DOWN].word, r->err, -BASE_E_INVALID,
			"%" PRIu64 " uplinks of the spines do not divide into cores "
			"with Radix_Down %" PRIu32,
			uplinks, down);
	r->cores = (uint32_t)(uplinks / down);
	group = r->cores / r->spines_per_pod;
	if (r->cores % r->spines_per_pod)
		return base_text_fail(&r->t, &r->tiers[2][KEY_RADIX_DOWN].word, r->err,
				      -BASE_E_INVALID,
				      "%" PRIu32 " cores do not divide among the %" PRIu32
				      " spines of a pod",
				      r->cores, r->spines_per_pod);
	if ((uint64_t)group * bundle != up)
		return base_text_fail(
			&r->t, &r->tiers[1][KEY_RADIX_UP].word, r->err, -BASE_E_INVALID,
			"Radix_Up of Tier 1 is %" PRIu32
			", but cores above a spine times Bundle of Tier 2 is %" PRIu32
			" x %" PRIu32,
			up, group, bundle);
	return 0;
}

/* Refuses what is over the graph's ceiling before anything is built. */
static int check_size(struct reader *r)
{
	uint64_t hosts = r->header[KEY_NODES].value;
	uint64_t per_pod = (uint64_t)r->leaves_per_pod + r->spines_per_pod;
	uint64_t nodes = 2 * hosts + r->pods * per_pod + r->cores;

	if (nodes <= TOPO_NODES_MAX)
		return 0;
	return base_text_fail(&r->t, &r->header[KEY_NODES].word, r->err,
			      -BASE_E_TOO_LARGE,
			      "the fabric would have %" PRIu64
			      " hosts, NICs and switches; the ceiling is %u",
			      nodes, TOPO_NODES_MAX);
}

static int count_all(struct reader *r)
{
	int e = count_leaves(r);

	if (e == 0)
		e = count_spines(r);
	if (e == 0 && r->n_tiers == 3)
		e = count_cores(r);
	return e < 0 ? e : check_size(r);
}

/* @n links between @lower and @upper; they are downlinks of the file's tier @tier.
 */
static int connect(struct reader *r, uint32_t tier, uint32_t lower, uint32_t upper)
{
	struct topo_link link =
		topo_import_link(lower, upper, number(r, tier, KEY_SPEED) * GBIT_BPS,
				 number(r, tier, KEY_LINK_LATENCY));
	int e = 0;

	for (uint32_t i = 0; i < number(r, tier, KEY_BUNDLE) && e == 0; i++) {
		uint32_t ignored;

		e = topo_graph_add_link(r->g, &link, &ignored, r->err);
	}
	return e;
}

/* Switches of one kind, @per_pod of each of @pods pods; their node ids are *@ret_first
 * and on. */
static int add_switches(struct reader *r, const char *stem, uint32_t tier, uint32_t pods,
			uint32_t per_pod, uint32_t *ret_first)
{
	uint32_t n = pods * per_pod;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t pod = r->n_tiers == 3 && tier < 3 ? i / per_pod : TOPO_NONE,
			 node;
		int e = topo_import_add_switch(r->g, stem, i, tier, pod, &node, r->err);

		if (e < 0)
			return e;
		if (i == 0)
			*ret_first = node;
	}
	return 0;
}

static int add_hosts(struct reader *r, uint32_t first_leaf)
{
	uint32_t n = r->header[KEY_NODES].value, per_leaf = number(r, 0, KEY_RADIX_DOWN);
	uint32_t podsize = r->header[KEY_PODSIZE].value;
	int e = 0;

	for (uint32_t i = 0; i < n && e == 0; i++) {
		uint32_t pod = r->n_tiers == 3 ? i / podsize : TOPO_NONE, host, nic;

		e = topo_import_add_host(r->g, "h", i, pod, &host, r->err);
		if (e == 0)
			e = topo_import_add_nic(r->g, host, 0, &nic, r->err);
		if (e == 0)
			e = connect(r, 0, nic, first_leaf + i / per_leaf);
	}
	return e;
}

static int connect_switches(struct reader *r, uint32_t leaf, uint32_t spine,
			    uint32_t core)
{
	uint32_t per_pod = r->spines_per_pod;
	int e = 0;

	for (uint32_t i = 0; i < r->pods * r->leaves_per_pod; i++) {
		uint32_t first = i / r->leaves_per_pod * per_pod;

		for (uint32_t j = 0; j < per_pod && e == 0; j++)
			e = connect(r, 1, leaf + i, spine + first + j);
	}
	/* Spine s of every pod goes to the cores s, s + per_pod, s + 2 * per_pod, ... */
	for (uint32_t i = 0; r->n_tiers == 3 && i < r->pods * per_pod; i++) {
		for (uint32_t c = i % per_pod; c < r->cores && e == 0; c += per_pod)
			e = connect(r, 2, spine + i, core + c);
	}
	return e;
}

static int build(struct reader *r)
{
	uint32_t leaf = 0, spine = 0, core = 0;
	int e = add_switches(r, "leaf", 1, r->pods, r->leaves_per_pod, &leaf);

	if (e == 0)
		e = add_switches(r, "spine", 2, r->pods, r->spines_per_pod, &spine);
	if (e == 0 && r->n_tiers == 3)
		e = add_switches(r, "core", 3, 1, r->cores, &core);
	if (e == 0)
		e = add_hosts(r, leaf);
	if (e == 0)
		e = connect_switches(r, leaf, spine, core);
	if (e < 0 && r->err)
		base_err_at(r->err, r->t.file, 0, 0);
	return e;
}

static int record_assumptions(struct reader *r)
{
	int e = 0;

	for (uint32_t tier = 0; tier < r->n_tiers && e == 0; tier++) {
		bool top = tier + 1 == r->n_tiers;

		if (!top && !is_given(r, tier, KEY_OVERSUBSCRIBED))
			e = topo_import_assume(
				r->g, "oversubscription",
				"The file does not say Oversubscribed for this tier.",
				"1 to 1 in tier %" PRIu32, tier);
		if (e == 0 && tier > 0 && !is_given(r, tier, KEY_BUNDLE))
			e = topo_import_assume(
				r->g, "links_per_pair",
				"The file does not say Bundle for this tier.",
				"1 below tier %" PRIu32, tier);
		if (e == 0 && !is_given(r, tier, KEY_LINK_LATENCY))
			e = topo_import_assume(
				r->g, "link_delay",
				"The file does not say Downlink_Latency_ns for "
				"this tier.",
				"not known below tier %" PRIu32, tier);
		if (e == 0 && number(r, tier, KEY_SWITCH_LATENCY))
			e = topo_import_assume(r->g, "switch_latency",
					       "A fabric holds delays of links only.",
					       "%" PRIu32 " ns of tier %" PRIu32
					       " left out",
					       number(r, tier, KEY_SWITCH_LATENCY), tier);
	}
	return e;
}

static int import(const struct topo_source *sources, size_t n_sources,
		  const struct topo_import_options *options, struct topo_graph *g,
		  struct base_err *err)
{
	struct reader r = { .tier = TIERS_MAX, .g = g, .err = err };
	int e = topo_import_one_file("htsim", n_sources, err);

	(void)options; /* this format leaves no rate and no count open */
	if (e < 0)
		return e;
	base_text_init(&r.t, sources[0].name, sources[0].data, sources[0].len);
	e = read_lines(&r);
	if (e == 0)
		e = check_header(&r);
	if (e == 0)
		e = check_sections(&r);
	if (e == 0)
		e = count_all(&r);
	if (e == 0)
		e = build(&r);
	return e < 0 ? e : record_assumptions(&r);
}

/* "Nodes" alone also opens a connection matrix, so the other keys decide. */
static unsigned sniff(const struct topo_source *source)
{
	struct base_text t;
	bool nodes = false, shape = false;

	base_text_init(&t, source->name, source->data, source->len);
	for (unsigned line = 0; line < 40 && base_text_line(&t, NULL) > 0; line++) {
		struct base_word word;
		size_t pos = 0;
		enum key key;

		if (!base_text_word(&t, &pos, &word) || word.text[0] == '#')
			continue;
		key = find_key(&word);
		if (key == N_KEYS && !nodes && !shape)
			return 0;
		nodes |= key == KEY_NODES;
		shape |= key == KEY_TIERS || key == KEY_PODSIZE || key == KEY_TIER;
	}
	if (nodes && shape)
		return 90;
	return nodes ? 30 : shape ? 60 : 0;
}

const struct topo_importer topo_import_htsim = {
	.name = "htsim",
	.help = "fat-tree description of htsim (.topo)",
	.sniff = sniff,
	.import = import,
};
