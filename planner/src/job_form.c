/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The short form of a job: KIND[:key=value,...].
 */
#include "job_form.h"
#include <base/num.h>
#include <base/str.h>
#include <stdio.h>
#include <string.h>

#define SPEC_MAX 4096u

#define KEY(name) (1u << PLANNER_FORM_##name)
#define KEYS_OF_HOSTS                                                                    \
	(KEY(HOSTS) | KEY(JOBS) | KEY(BYTES) | KEY(PLACEMENT) | KEY(SEED) | KEY(NICS))

static const struct {
	const char *word;
	uint32_t keys; /* that go with it */
} kinds[PLANNER_FORM_KINDS] = {
	[PLANNER_FORM_RING] = { "ring", KEYS_OF_HOSTS | KEY(COLLECTIVE) },
	[PLANNER_FORM_TREE] = { "tree", KEYS_OF_HOSTS | KEY(COLLECTIVE) },
	[PLANNER_FORM_HALVING_DOUBLING] = { "halving-doubling",
					    KEYS_OF_HOSTS | KEY(COLLECTIVE) },
	[PLANNER_FORM_ALL_TO_ALL] = { "all-to-all", KEYS_OF_HOSTS | KEY(CROSS_RAIL) },
	[PLANNER_FORM_PERMUTATION] = { "permutation", KEYS_OF_HOSTS },
	[PLANNER_FORM_P2P] = { "p2p", KEY(BYTES) | KEY(FROM) | KEY(TO) },
	[PLANNER_FORM_MIX] = { "mix", KEYS_OF_HOSTS | KEY(DP) | KEY(PP) | KEY(EP) |
					      KEY(PP_SIZE) | KEY(EP_SIZE) },
};

static const char *const keys[PLANNER_FORM_KEYS] = {
	[PLANNER_FORM_HOSTS] = "hosts",
	[PLANNER_FORM_JOBS] = "jobs",
	[PLANNER_FORM_BYTES] = "bytes",
	[PLANNER_FORM_PLACEMENT] = "placement",
	[PLANNER_FORM_SEED] = "seed",
	[PLANNER_FORM_NICS] = "nics",
	[PLANNER_FORM_FROM] = "from",
	[PLANNER_FORM_TO] = "to",
	[PLANNER_FORM_COLLECTIVE] = "collective",
	[PLANNER_FORM_CROSS_RAIL] = "cross-rail",
	[PLANNER_FORM_DP] = "dp",
	[PLANNER_FORM_PP] = "pp",
	[PLANNER_FORM_EP] = "ep",
	[PLANNER_FORM_PP_SIZE] = "pp-size",
	[PLANNER_FORM_EP_SIZE] = "ep-size",
};

static const char *const yes_no[] = { "no", "yes" };

const char *planner_form_kind_text(enum planner_form_kind kind)
{
	return kinds[kind].word;
}

/* Finds @text among @words.  -1: not there, and *ret_nearest is the nearest or NULL. */
static int find_word(const struct planner_form_text *text, const char *const *words,
		     size_t n_words, const char **ret_nearest)
{
	*ret_nearest = NULL;
	for (size_t i = 0; i < n_words; i++)
		if (strlen(words[i]) == text->len &&
		    memcmp(text->text, words[i], text->len) == 0)
			return (int)i;
	*ret_nearest = base_str_nearest_len(text->text, text->len, words, n_words);
	return -1;
}

/* "a, b or c" */
static void list_words(struct base_str *into, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			base_str_add(into, i + 1 < n ? ", " : " or ");
		base_str_add(into, words[i]);
	}
}

static int fail_unknown(const struct planner_form *form, const char *what,
			const struct planner_form_text *text, const char *const *words,
			size_t n_words, const char *nearest, struct base_err *err)
{
	struct base_str list;
	int r;

	if (nearest)
		return base_err_set(err, -BASE_E_UNKNOWN,
				    "unknown %s \"%.*s\" in \"%s\"; did you mean \"%s\"?",
				    what, (int)text->len, text->text, form->spec,
				    nearest);
	base_str_init(&list, 0);
	list_words(&list, words, n_words);
	r = base_err_set(err, -BASE_E_UNKNOWN,
			 "unknown %s \"%.*s\" in \"%s\": expected %s", what,
			 (int)text->len, text->text, form->spec, base_str_text(&list));
	base_str_fini(&list);
	return r;
}

static int fail_value(const struct planner_form *form, enum planner_form_key key,
		      const struct planner_form_text *value, const char *expected,
		      struct base_err *err)
{
	return base_err_set(err, -BASE_E_INVALID,
			    "\"%s\" must be %s, not \"%.*s\", in \"%s\"", keys[key],
			    expected, (int)value->len, value->text, form->spec);
}

static int read_word(const struct planner_form *form, enum planner_form_key key,
		     const struct planner_form_text *value, const char *const *words,
		     size_t n_words, uint32_t *ret_index, struct base_err *err)
{
	const char *nearest;
	int i = find_word(value, words, n_words, &nearest);

	if (i < 0)
		return fail_unknown(form, keys[key], value, words, n_words, nearest, err);
	*ret_index = (uint32_t)i;
	return 0;
}

static int read_count(const struct planner_form *form, enum planner_form_key key,
		      const struct planner_form_text *value, uint32_t min, uint32_t *ret,
		      struct base_err *err)
{
	uint32_t n;
	char expected[64];

	if (base_num_u32(value->text, value->len, &n) == 0 && n >= min &&
	    n <= PLANNER_RANKS_MAX) {
		*ret = n;
		return 0;
	}
	snprintf(expected, sizeof(expected), "a number from %u to %u", min,
		 PLANNER_RANKS_MAX);
	return fail_value(form, key, value, expected, err);
}

static int read_share(const struct planner_form *form, enum planner_form_key key,
		      const struct planner_form_text *value, uint64_t *ret_ppm,
		      struct base_err *err)
{
	uint64_t ppm;

	if (base_num_share(value->text, value->len, &ppm) == 0 && ppm <= 1000000) {
		*ret_ppm = ppm;
		return 0;
	}
	return fail_value(form, key, value, "a share from 0 to 1, such as 0.25 or 25%",
			  err);
}

static int read_bytes(const struct planner_form *form,
		      const struct planner_form_text *value, uint64_t *ret_bytes,
		      struct base_err *err)
{
	uint64_t bytes;

	if (base_num_size(value->text, value->len, &bytes) == 0 && bytes > 0 &&
	    bytes <= PLANNER_BYTES_MAX) {
		*ret_bytes = bytes;
		return 0;
	}
	return fail_value(form, PLANNER_FORM_BYTES, value,
			  "a size above 0, such as 64MiB or 1GB", err);
}

static int read_jobs(const struct planner_form *form,
		     const struct planner_form_text *value, uint32_t *ret_jobs,
		     struct base_err *err)
{
	uint32_t n;

	if (value->len == 3 && memcmp(value->text, "all", 3) == 0) {
		*ret_jobs = PLANNER_FORM_ALL_JOBS;
		return 0;
	}
	if (base_num_u32(value->text, value->len, &n) == 0 && n > 0 &&
	    n <= PLANNER_RANKS_MAX) {
		*ret_jobs = n;
		return 0;
	}
	return fail_value(form, PLANNER_FORM_JOBS, value, "a number above 0, or \"all\"",
			  err);
}

static int read_seed(const struct planner_form *form,
		     const struct planner_form_text *value, uint64_t *ret_seed,
		     struct base_err *err)
{
	if (base_num_u64(value->text, value->len, ret_seed) == 0)
		return 0;
	return fail_value(form, PLANNER_FORM_SEED, value, "a number of 64 bits", err);
}

static int read_choice(struct planner_form *form, enum planner_form_key key,
		       const struct planner_form_text *value, struct base_err *err)
{
	uint32_t i = 0;
	int r;

	if (key == PLANNER_FORM_PLACEMENT) {
		r = read_word(form, key, value, planner_placement_words,
			      PLANNER_PLACEMENTS, &i, err);
		form->placement = (enum planner_placement)i;
	} else if (key == PLANNER_FORM_COLLECTIVE) {
		r = read_word(form, key, value, planner_collective_words,
			      PLANNER_COLLECTIVES, &i, err);
		form->collective = (enum planner_collective)i;
	} else {
		r = read_word(form, key, value, yes_no, BASE_COUNT(yes_no), &i, err);
		form->is_cross_rail = i != 0;
	}
	return r;
}

static int read_value(struct planner_form *form, enum planner_form_key key,
		      const struct planner_form_text *value, struct base_err *err)
{
	switch (key) {
	case PLANNER_FORM_HOSTS:
		return read_count(form, key, value, 2, &form->hosts, err);
	case PLANNER_FORM_NICS:
		return read_count(form, key, value, 1, &form->nics, err);
	case PLANNER_FORM_PP_SIZE:
		return read_count(form, key, value, 1, &form->pp_size, err);
	case PLANNER_FORM_EP_SIZE:
		return read_count(form, key, value, 2, &form->ep_size, err);
	case PLANNER_FORM_JOBS:
		return read_jobs(form, value, &form->jobs, err);
	case PLANNER_FORM_BYTES:
		return read_bytes(form, value, &form->bytes, err);
	case PLANNER_FORM_SEED:
		return read_seed(form, value, &form->seed, err);
	case PLANNER_FORM_DP:
		return read_share(form, key, value, &form->dp_ppm, err);
	case PLANNER_FORM_PP:
		return read_share(form, key, value, &form->pp_ppm, err);
	case PLANNER_FORM_EP:
		return read_share(form, key, value, &form->ep_ppm, err);
	case PLANNER_FORM_PLACEMENT:
	case PLANNER_FORM_COLLECTIVE:
	case PLANNER_FORM_CROSS_RAIL:
		return read_choice(form, key, value, err);
	case PLANNER_FORM_FROM:
		form->from = *value;
		return 0;
	case PLANNER_FORM_TO:
		form->to = *value;
		return 0;
	case PLANNER_FORM_KEYS:
		break;
	}
	return base_err_set(err, -BASE_E_INTERNAL, "a key without a reader");
}

/* The keys that go with a kind, for messages. */
static size_t keys_of(enum planner_form_kind kind, const char **words)
{
	size_t n = 0;

	for (uint32_t k = 0; k < PLANNER_FORM_KEYS; k++)
		if (kinds[kind].keys >> k & 1u)
			words[n++] = keys[k];
	return n;
}

/* One "key=value". */
static int read_setting(struct planner_form *form, const char *text, size_t len,
			struct base_err *err)
{
	const char *equals = memchr(text, '=', len);
	const char *own[PLANNER_FORM_KEYS], *nearest;
	struct planner_form_text key = { text, equals ? (size_t)(equals - text) : len };
	struct planner_form_text value = { text + key.len, 0 };
	size_t n_own = keys_of(form->kind, own);
	int k = find_word(&key, keys, PLANNER_FORM_KEYS, &nearest);

	if (k < 0) {
		find_word(&key, own, n_own, &nearest);
		return fail_unknown(form, "key", &key, own, n_own, nearest, err);
	}
	if (!(kinds[form->kind].keys >> k & 1u))
		return base_err_set(err, -BASE_E_INVALID,
				    "\"%s\" does not go with \"%s\", in \"%s\"", keys[k],
				    kinds[form->kind].word, form->spec);
	if (planner_form_has(form, (enum planner_form_key)k))
		return base_err_set(err, -BASE_E_DUPLICATE, "\"%s\" twice in \"%s\"",
				    keys[k], form->spec);
	if (!equals || equals + 1 == text + len)
		return base_err_set(err, -BASE_E_SYNTAX,
				    "\"%s\" has no value in \"%s\": expected %s=VALUE",
				    keys[k], form->spec, keys[k]);
	value.text = equals + 1;
	value.len = (size_t)(text + len - value.text);
	form->has_keys |= 1u << k;
	return read_value(form, (enum planner_form_key)k, &value, err);
}

static int read_kind(struct planner_form *form, size_t len, struct base_err *err)
{
	const char *words[PLANNER_FORM_KINDS], *nearest;
	struct planner_form_text text = { form->spec, len };
	int kind;

	for (size_t i = 0; i < PLANNER_FORM_KINDS; i++)
		words[i] = kinds[i].word;
	kind = find_word(&text, words, PLANNER_FORM_KINDS, &nearest);
	if (kind < 0)
		return fail_unknown(form, "kind of job", &text, words, PLANNER_FORM_KINDS,
				    nearest, err);
	form->kind = (enum planner_form_kind)kind;
	return 0;
}

/* What only the whole form can tell. */
static int check_form(const struct planner_form *form, struct base_err *err)
{
	if (form->kind == PLANNER_FORM_P2P && (!form->from.text || !form->to.text))
		return base_err_set(err, -BASE_E_INVALID,
				    "\"%s\" needs both ends: p2p:from=NIC,to=NIC",
				    form->spec);
	if (form->dp_ppm + form->pp_ppm + form->ep_ppm > 1000000)
		return base_err_set(err, -BASE_E_INVALID,
				    "\"dp\", \"pp\" and \"ep\" of \"%s\" add up to more "
				    "than 1",
				    form->spec);
	if (form->kind == PLANNER_FORM_MIX &&
	    form->dp_ppm + form->pp_ppm + form->ep_ppm == 0)
		return base_err_set(err, -BASE_E_INVALID,
				    "\"dp\", \"pp\" and \"ep\" of \"%s\" are all 0",
				    form->spec);
	return 0;
}

static void default_shares(struct planner_form *form)
{
	uint32_t said = KEY(DP) | KEY(PP) | KEY(EP);

	if (form->kind != PLANNER_FORM_MIX || (form->has_keys & said) != 0)
		return;
	form->dp_ppm = 500000;
	form->pp_ppm = 250000;
	form->ep_ppm = 250000;
}

int planner_form_parse(const char *spec, struct planner_form *ret_form,
		       struct base_err *err)
{
	struct planner_form form = { .spec = spec };
	size_t len = strnlen(spec, SPEC_MAX + 1), at = strcspn(spec, ":");
	int r;

	if (len > SPEC_MAX)
		return base_err_set(err, -BASE_E_TOO_LARGE,
				    "a short form of a job has at most %u bytes",
				    SPEC_MAX);
	r = read_kind(&form, at, err);
	while (r == 0 && at < len) {
		size_t piece = strcspn(spec + at + 1, ",");

		r = read_setting(&form, spec + at + 1, piece, err);
		at += 1 + piece;
	}
	if (r < 0)
		return r;
	default_shares(&form);
	r = check_form(&form, err);
	if (r < 0)
		return r;
	*ret_form = form;
	return 0;
}

int planner_job_form_read(struct planner_job_reading *reading, struct base_err *err)
{
	struct planner_form form;
	int r = planner_form_parse(reading->name, &form, err);

	return r < 0 ? r : planner_form_build(reading, &form, err);
}
