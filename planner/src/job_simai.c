/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Workload text of SimAI and AICB: a header, a number of records, then the records, each
 * of twelve words wherever lines end:
 *
 *	HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8 ep: 1 pp: 1 ga: 8
 *	2
 *	mlp_column -1 1000 ALLGATHER 16777216 1000 NONE 0 1000 NONE 0 100
 *	grad_norm  -1 1 NONE 0 1 NONE 0 1 REDUCESCATTER 3058696192 100
 *
 * that is: name, dependency, then time, type and bytes of what is sent in the forward
 * pass, for input gradients and for weight gradients, then the time of the update.  The
 * column says in which groups it is sent (tensor parallel; tensor parallel; data
 * parallel), unless the type ends in _EP or _DP_EP.  Records are already repeated for
 * each micro-batch; only what goes from stage to stage (pp_comm) is not.
 */
#include "job_workload.h"
#include <base/num.h>
#include <base/str.h>
#include <base/text.h>
#include <ctype.h>
#include <string.h>

#define RECORDS_MAX 100000000u

struct reader {
	struct base_text text;
	size_t pos; /* in the current line */
	struct planner_workload w;
	bool is_flat;	      /* no parallel groups: all ranks are one */
	bool has_forward;     /* the policy sends in the forward and input columns */
	bool has_weights;     /* ... and in the weight column */
	bool has_stage_bytes; /* pp_comm was said */
	uint64_t stage_bytes, micro_batches;
	struct planner_problem *p;
	struct base_err *err;
};

/* The next word of the text, wherever lines end.  1, 0 at the end, or negative. */
static int next_word(struct reader *r, struct base_word *ret_word)
{
	while (!base_text_word(&r->text, &r->pos, ret_word)) {
		int res = base_text_line(&r->text, r->err);

		if (res <= 0)
			return res;
		r->pos = 0;
	}
	return 1;
}

/* "16777216"; "8388608.0" too: a whole number as some writers print it. */
static bool read_bytes(const struct base_word *w, uint64_t *ret_bytes)
{
	const char *dot = memchr(w->text, '.', w->len);
	size_t whole = dot ? (size_t)(dot - w->text) : w->len;

	for (size_t i = whole + 1; i < w->len; i++)
		if (w->text[i] != '0')
			return false;
	return base_num_u64(w->text, whole, ret_bytes) == 0;
}

/* Times and dependencies are not used; they must look like numbers. */
static bool is_number(const struct base_word *w)
{
	size_t i = w->len > 1 && w->text[0] == '-' ? 1 : 0;
	bool has_digit = false;

	for (; i < w->len; i++) {
		if (isdigit((unsigned char)w->text[i]))
			has_digit = true;
		else if (w->text[i] != '.')
			return false;
	}
	return has_digit;
}

/* The header. */

static const struct {
	const char *word;
	bool is_flat, has_forward, has_weights;
} policies[] = {
	{ "HYBRID_TRANSFORMER_FWD_IN_BCKWD", false, true, true },
	{ "HYBRID_TRANSFORMER", false, true, true },
	{ "MICRO", true, false, true },
	{ "DATA", true, false, true },
	{ "MODEL", true, true, false },
};

static bool is_policy(const struct base_word *w, size_t *ret_index)
{
	for (size_t i = 0; i < BASE_COUNT(policies); i++) {
		if (base_word_is(w, policies[i].word)) {
			*ret_index = i;
			return true;
		}
	}
	return false;
}

static int read_policy(struct reader *r)
{
	struct base_word word;
	size_t i;
	int res = next_word(r, &word);

	if (res < 0)
		return res;
	if (res == 0 || !is_policy(&word, &i)) {
		if (res == 0)
			word = (struct base_word){ "", 0, 1, 1 };
		return base_text_fail(&r->text, &word, r->err, -BASE_E_INVALID,
				      "policy \"%.*s\" is not known here: expected "
				      "HYBRID_TRANSFORMER_FWD_IN_BCKWD, "
				      "HYBRID_TRANSFORMER, MICRO, DATA or MODEL",
				      (int)word.len, word.text);
	}
	r->is_flat = policies[i].is_flat;
	r->has_forward = policies[i].has_forward;
	r->has_weights = policies[i].has_weights;
	return 0;
}

static int read_size(struct reader *r, const struct base_word *key,
		     const struct base_word *value, uint32_t *size)
{
	uint32_t n;
	int res;

	if (*size != 0)
		return base_text_fail(&r->text, key, r->err, -BASE_E_DUPLICATE,
				      "\"%.*s\" twice", (int)key->len, key->text);
	res = base_text_u32(&r->text, value, "the size of a group", &n, r->err);
	if (res < 0)
		return res;
	if (n == 0 || n > PLANNER_RANKS_MAX)
		return base_text_fail(&r->text, value, r->err, -BASE_E_INVALID,
				      "\"%.*s\" must be from 1 to %u", (int)key->len,
				      key->text, PLANNER_RANKS_MAX);
	*size = n;
	return 0;
}

static int read_stage_bytes(struct reader *r, const struct base_word *value)
{
	if (!read_bytes(value, &r->stage_bytes))
		return base_text_fail(&r->text, value, r->err, -BASE_E_SYNTAX,
				      "\"pp_comm\" must be a number of bytes, not "
				      "\"%.*s\"",
				      (int)value->len, value->text);
	r->has_stage_bytes = true;
	return 0;
}

/* "checkpoints: 2 3 5": a count and as many layers. */
static int skip_layers(struct reader *r, const struct base_word *count)
{
	struct base_word layer;
	uint64_t n;
	int res = base_text_u64(&r->text, count, "the number of layers", &n, r->err);

	if (res < 0)
		return res;
	for (; n > 0; n--)
		if (!base_text_word(&r->text, &r->pos, &layer))
			return base_text_fail(&r->text, count, r->err, -BASE_E_SYNTAX,
					      "fewer layers than \"%.*s\"",
					      (int)count->len, count->text);
	return 0;
}

static int read_key(struct reader *r, const struct base_word *key,
		    const struct base_word *value)
{
	const struct {
		const char *word;
		uint32_t *size;
	} sizes[] = {
		{ "model_parallel_NPU_group:", &r->w.tp },
		{ "ep:", &r->w.ep },
		{ "expert_parallel_npu_group:", &r->w.ep },
		{ "pp:", &r->w.pp },
		{ "all_gpus:", &r->w.world },
	};

	for (size_t i = 0; i < BASE_COUNT(sizes); i++)
		if (base_word_is(key, sizes[i].word))
			return read_size(r, key, value, sizes[i].size);
	if (base_word_is(key, "pp_comm") || base_word_is(key, "pp_comm:"))
		return read_stage_bytes(r, value);
	if (base_word_is(key, "ga:"))
		return base_text_u64(&r->text, value, "the number of micro-batches",
				     &r->micro_batches, r->err);
	if (base_word_is(key, "checkpoints:") ||
	    base_word_is(key, "checkpoint_initiates:"))
		return skip_layers(r, value);
	if (base_word_is(key, "vpp:")) /* layers of a stage: changes no sum */
		return 0;
	if (key->len == 0 || key->text[key->len - 1] != ':' || !is_number(value))
		return base_text_fail(&r->text, key, r->err, -BASE_E_SYNTAX,
				      "expected a key with a colon and a number, such as "
				      "\"ep: 4\", not \"%.*s\"",
				      (int)key->len, key->text);
	return planner_job_assume(r->p, r->err, "header_keys", "not known here",
				  "%.*s not used", (int)(key->len - 1), key->text);
}

static int read_header(struct reader *r)
{
	struct base_word key, value;
	int res = read_policy(r);

	while (res == 0 && base_text_word(&r->text, &r->pos, &key)) {
		if (!base_text_word(&r->text, &r->pos, &value))
			return base_text_fail(&r->text, &key, r->err, -BASE_E_SYNTAX,
					      "\"%.*s\" needs a value after it",
					      (int)key.len, key.text);
		res = read_key(r, &key, &value);
	}
	if (r->is_flat)
		r->w.tp = r->w.pp = r->w.ep = 1;
	return res;
}

/* Records. */

struct comm {
	bool is_none;
	enum planner_collective what;
	enum planner_workload_group group;
};

static const struct {
	const char *word;
	bool is_none;
	enum planner_collective what;
} types[] = {
	{ "NONE", true, PLANNER_ALL_REDUCE },
	{ "ALLREDUCE", false, PLANNER_ALL_REDUCE },
	{ "ALLGATHER", false, PLANNER_ALL_GATHER },
	{ "REDUCESCATTER", false, PLANNER_REDUCE_SCATTER },
	{ "ALLTOALL", false, PLANNER_ALL_TO_ALL },
	{ "BROADCAST", false, PLANNER_BROADCAST },
	/* The simulator tests for ALLREDUCE first, and so does as if it read that. */
	{ "ALLREDUCEALLTOALL", false, PLANNER_ALL_REDUCE },
};

static int fail_type(struct reader *r, const struct base_word *w)
{
	const char *words[BASE_COUNT(types)], *nearest;

	for (size_t i = 0; i < BASE_COUNT(types); i++)
		words[i] = types[i].word;
	nearest = base_str_nearest_len(w->text, w->len, words, BASE_COUNT(words));
	if (nearest)
		return base_text_fail(&r->text, w, r->err, -BASE_E_UNKNOWN,
				      "unknown type \"%.*s\"; did you mean \"%s\"?",
				      (int)w->len, w->text, nearest);
	return base_text_fail(
		&r->text, w, r->err, -BASE_E_UNKNOWN,
		"unknown type \"%.*s\": expected NONE, ALLREDUCE, ALLGATHER, "
		"REDUCESCATTER, ALLTOALL or BROADCAST, with _EP or _DP_EP "
		"after it or not",
		(int)w->len, w->text);
}

static bool cut_suffix(struct base_word *w, const char *suffix)
{
	size_t n = strlen(suffix);

	if (w->len <= n || memcmp(w->text + w->len - n, suffix, n) != 0)
		return false;
	w->len -= n;
	return true;
}

static int read_type(struct reader *r, const struct base_word *w,
		     enum planner_workload_group group, struct comm *ret_comm)
{
	struct base_word bare = *w;

	if (cut_suffix(&bare, "_DP_EP"))
		group = PLANNER_WORKLOAD_DP_EP;
	else if (cut_suffix(&bare, "_EP"))
		group = PLANNER_WORKLOAD_EP;
	for (size_t i = 0; i < BASE_COUNT(types); i++) {
		if (!base_word_is(&bare, types[i].word))
			continue;
		ret_comm->is_none = types[i].is_none;
		ret_comm->what = types[i].what;
		ret_comm->group = r->is_flat ? PLANNER_WORKLOAD_ALL : group;
		return 0;
	}
	return fail_type(r, w);
}

/* The columns of a record, in order. */
#define COLUMNS 12u
enum column { NAME, NUMBER, TYPE_FORWARD, TYPE_WEIGHT, BYTES };

static const enum column columns[COLUMNS] = {
	NAME,	      NUMBER, NUMBER, TYPE_FORWARD, BYTES, NUMBER,
	TYPE_FORWARD, BYTES,  NUMBER, TYPE_WEIGHT,  BYTES, NUMBER,
};

static int add_bytes(struct reader *r, const struct base_word *w, const struct comm *comm,
		     bool is_weight)
{
	uint64_t bytes;

	if (!read_bytes(w, &bytes))
		return base_text_fail(&r->text, w, r->err, -BASE_E_SYNTAX,
				      "expected a number of bytes, not \"%.*s\"",
				      (int)w->len, w->text);
	if (comm->is_none || !(is_weight ? r->has_weights : r->has_forward))
		return 0;
	if (planner_workload_add(&r->w, comm->group, comm->what, bytes) < 0)
		return base_text_fail(&r->text, w, r->err, -BASE_E_TOO_LARGE,
				      "more bytes in an iteration than can be");
	return 0;
}

static int read_column(struct reader *r, enum column column, const struct base_word *w,
		       struct comm *comm, bool *is_weight)
{
	switch (column) {
	case NAME:
		return 0;
	case NUMBER:
		if (is_number(w))
			return 0;
		return base_text_fail(&r->text, w, r->err, -BASE_E_SYNTAX,
				      "expected a number, not \"%.*s\"", (int)w->len,
				      w->text);
	case TYPE_FORWARD:
	case TYPE_WEIGHT:
		*is_weight = column == TYPE_WEIGHT;
		return read_type(r, w,
				 *is_weight ? PLANNER_WORKLOAD_DP : PLANNER_WORKLOAD_TP,
				 comm);
	case BYTES:
		return add_bytes(r, w, comm, *is_weight);
	}
	return 0;
}

static int fail_short(struct reader *r, uint32_t record, uint32_t n)
{
	base_err_at(r->err, r->text.file, r->text.line, 0);
	return base_err_set(r->err, -BASE_E_SYNTAX,
			    "the file ends in record %u of %u: is it cut short?",
			    record + 1, n);
}

static int read_records(struct reader *r, uint32_t n)
{
	struct base_word word;
	struct comm comm = { .is_none = true };
	bool is_weight = false;
	int res;

	for (uint32_t i = 0; i < n; i++) {
		for (size_t c = 0; c < COLUMNS; c++) {
			res = next_word(r, &word);
			if (res == 0)
				return fail_short(r, i, n);
			if (res > 0)
				res = read_column(r, columns[c], &word, &comm,
						  &is_weight);
			if (res < 0)
				return res;
		}
	}
	res = next_word(r, &word);
	if (res > 0)
		return base_text_fail(&r->text, &word, r->err, -BASE_E_SYNTAX,
				      "expected the end of the file after %u records, as "
				      "its second line says",
				      n);
	return res;
}

static int read_count(struct reader *r, uint32_t *ret_n)
{
	struct base_word word;
	int res = next_word(r, &word);

	if (res < 0)
		return res;
	if (res == 0) {
		base_err_at(r->err, r->text.file, r->text.line, 0);
		return base_err_set(r->err, -BASE_E_SYNTAX,
				    "the file ends before the number of records");
	}
	res = base_text_u32(&r->text, &word, "the number of records", ret_n, r->err);
	if (res == 0 && *ret_n > RECORDS_MAX)
		return base_text_fail(&r->text, &word, r->err, -BASE_E_TOO_LARGE,
				      "the ceiling is %u records", RECORDS_MAX);
	return res;
}

/* What goes from stage to stage is said for one micro-batch and one direction. */
static int add_stages(struct reader *r)
{
	uint64_t batches = r->micro_batches ? r->micro_batches : 1;
	uint64_t bytes = base_num_mul_div(r->stage_bytes, batches, 1);

	if (r->w.pp > 1 && !r->has_stage_bytes)
		return planner_job_assume(r->p, r->err, "pp_comm",
					  "the header does not say what stages send",
					  "0");
	if (planner_workload_add_to(&r->w.forward_bytes, bytes) < 0 ||
	    planner_workload_add_to(&r->w.backward_bytes, bytes) < 0) {
		base_err_at(r->err, r->text.file, 1, 0);
		return base_err_set(r->err, -BASE_E_TOO_LARGE,
				    "\"pp_comm\" times \"ga\" is more than can be");
	}
	return 0;
}

static int read_simai(struct planner_job_reading *reading, struct base_err *err)
{
	struct reader r = { .p = reading->p, .err = err };
	uint32_t n = 0;
	int res;

	base_text_init(&r.text, reading->name, reading->data, reading->len);
	res = read_header(&r);
	if (res == 0)
		res = read_count(&r, &n);
	if (res == 0)
		res = read_records(&r, n);
	if (res == 0)
		res = add_stages(&r);
	return res < 0 ? res : planner_workload_build(reading, &r.w, err);
}

static bool is_simai(const char *data, size_t len)
{
	/* Those that are refused are ours to refuse. */
	static const char *const others[] = {
		"HYBRID_DLRM",	     "HYBRID_DLRM_ENHANCED", "HYBRID_DATA_MODEL",
		"HYBRID_MODEL_DATA", "HYBRID_CUSTOMIZED",    "DISTRIBUTED_INFERENCE"
	};
	struct base_text text;
	struct base_word word;
	size_t pos = 0, i;

	base_text_init(&text, "", data, len);
	if (base_text_line(&text, NULL) <= 0 || !base_text_word(&text, &pos, &word))
		return false;
	if (is_policy(&word, &i))
		return true;
	for (i = 0; i < BASE_COUNT(others); i++)
		if (base_word_is(&word, others[i]))
			return true;
	return false;
}

const struct planner_job_source planner_job_source_simai = {
	.what = "a workload of SimAI",
	.is_mine = is_simai,
	.read = read_simai,
};
