/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Logs of AICB (.csv): what one rank calls, row by row.
 *
 *	[rank0 ~ rank127]
 *	comm_type,comm_group,comm_group_size,msg_size,stage,dst,src,additional,...
 *	CommType.all_gather,CommGroup.tp_group,8,20971520,forward.MegatronColumnLinear,None,...
 *	CommType.epoch_end,None,None,0,,None,...
 *
 * Columns go by the names in the heading.  Some files have no comm_group_size; some have
 * no line before the heading.  Rows of epoch_end end parts of the file: what sets up and
 * warms up, then iterations.  Iterations are alike: the first counts, the rest is left
 * out and said so.
 */
#define _GNU_SOURCE /* memmem */
#include "job_workload.h"
#include <base/num.h>
#include <base/str.h>
#include <base/text.h>
#include <ctype.h>
#include <string.h>

#define COLUMNS_MAX 64u
#define LINES_BEFORE_HEADING 16u

enum column { TYPE, GROUP, GROUP_SIZE, MSG_SIZE, STAGE, ADDITIONAL, COLUMNS };

static const char *const column_words[COLUMNS] = {
	"comm_type", "comm_group", "comm_group_size", "msg_size", "stage", "additional",
};

/* Directions between stages, as seen from the rank that writes. */
enum { SEND_NEXT, SEND_PREV, RECV_NEXT, RECV_PREV, DIRECTIONS };

static const char *const direction_words[DIRECTIONS] = { "send_next", "send_prev",
							 "recv_next", "recv_prev" };

struct reader {
	struct base_text text;
	struct planner_workload w;
	uint32_t n_columns;
	int column[COLUMNS];   /* where it stands; -1: nowhere */
	uint32_t listed_ranks; /* before the heading; 0: none */
	bool is_stage;	       /* they are those of one stage */
	uint32_t group_size[PLANNER_WORKLOAD_GROUPS], group_line[PLANNER_WORKLOAD_GROUPS];
	uint64_t stage_bytes[DIRECTIONS];
	uint32_t first_line;	   /* of the iteration; 0: not yet */
	bool is_done;		   /* the iteration has ended */
	uint64_t n_setup, n_later; /* rows left out */
	struct base_err *err;
};

struct row {
	struct base_word fields[COLUMNS]; /* len 0 where the file has none */
	uint32_t line;
};

static bool has_prefix(const struct base_word *w, const char *prefix)
{
	size_t n = strlen(prefix);

	return w->len >= n && memcmp(w->text, prefix, n) == 0;
}

static void cut_prefix(struct base_word *w, const char *prefix)
{
	size_t n = strlen(prefix);

	if (!has_prefix(w, prefix))
		return;
	w->text += n;
	w->len -= n;
	w->column += (uint32_t)n;
}

static bool is_nothing(const struct base_word *w)
{
	return w->len == 0 || base_word_is(w, "None") || base_word_is(w, "-1");
}

/* Before the heading. */

/* "rank12" at @text: its number, and how long it is; 0: no such thing. */
static size_t read_rank(const char *text, size_t len, uint32_t *ret_rank)
{
	size_t n = 4;

	if (len < 5 || memcmp(text, "rank", 4) != 0)
		return 0;
	while (n < len && isdigit((unsigned char)text[n]))
		n++;
	return base_num_u32(text + 4, n - 4, ret_rank) == 0 ? n : 0;
}

/* "[rank0 ~ rank127]", or "[ pp_stage0: [rank0, rank1] ]" for the ranks of one stage. */
static int read_ranks(struct reader *r)
{
	const char *text = r->text.line_start;
	size_t len = (size_t)(r->text.line_end - text), i = 0;
	struct base_word word = { text, len, r->text.line, 1 };
	uint32_t n = 0, rank, first = 0, last = 0;

	while (i < len) {
		size_t step = read_rank(text + i, len - i, &rank);

		if (step > 0) {
			first = n == 0 ? rank : first;
			last = rank;
			n++;
		}
		i += step > 0 ? step : 1;
	}
	if (n == 2 && memchr(text, '~', len) && last >= first) {
		if (last - first >= PLANNER_RANKS_MAX)
			return base_text_fail(&r->text, &word, r->err, -BASE_E_TOO_LARGE,
					      "more than %u ranks", PLANNER_RANKS_MAX);
		n = last - first + 1;
	}
	if (n == 0 || r->listed_ranks != 0)
		return base_text_fail(&r->text, &word, r->err, -BASE_E_SYNTAX,
				      "expected the heading (comm_type,comm_group,...) "
				      "or one line of ranks, such as [rank0 ~ rank127]");
	r->listed_ranks = n;
	r->is_stage = memmem(text, len, "pp_stage", 8) != NULL;
	return 0;
}

static int read_heading(struct reader *r)
{
	struct base_word field;
	size_t pos = 0;

	for (size_t c = 0; c < COLUMNS; c++)
		r->column[c] = -1;
	while (base_text_field(&r->text, ',', &pos, &field)) {
		if (r->n_columns == COLUMNS_MAX)
			return base_text_fail(&r->text, &field, r->err, -BASE_E_TOO_LARGE,
					      "more than %u columns", COLUMNS_MAX);
		for (size_t c = 0; c < COLUMNS; c++)
			if (base_word_is(&field, column_words[c]) && r->column[c] < 0)
				r->column[c] = (int)r->n_columns;
		r->n_columns++;
	}
	for (size_t c = 0; c < COLUMNS; c++) {
		if (r->column[c] >= 0 || c == GROUP_SIZE || c == ADDITIONAL)
			continue;
		base_err_at(r->err, r->text.file, r->text.line, 1);
		return base_err_set(r->err, -BASE_E_INVALID,
				    "the heading has no column \"%s\"", column_words[c]);
	}
	return 0;
}

static bool is_heading(const struct base_text *text)
{
	struct base_word field = { text->line_start,
				   (size_t)(text->line_end - text->line_start), 0, 0 };

	return has_prefix(&field, "comm_type,");
}

static bool is_blank(const struct base_text *text)
{
	struct base_word word;
	size_t pos = 0;

	return !base_text_word(text, &pos, &word);
}

static int read_until_heading(struct reader *r)
{
	int res;

	while ((res = base_text_line(&r->text, r->err)) > 0) {
		if (is_heading(&r->text))
			return read_heading(r);
		if (is_blank(&r->text))
			continue;
		res = read_ranks(r);
		if (res < 0)
			return res;
	}
	if (res == 0) {
		base_err_at(r->err, r->text.file, r->text.line, 0);
		res = base_err_set(r->err, -BASE_E_SYNTAX,
				   "no heading: expected comm_type,comm_group,...");
	}
	return res;
}

/* Rows. */

static size_t count_fields(const struct base_text *text)
{
	struct base_word field;
	size_t pos = 0, n = 0;

	while (base_text_field(text, ',', &pos, &field))
		n++;
	return n;
}

/*
 * The size of a computation is a pair of shapes, ((4096, 1, 5120), (5120, 1920)), with
 * commas of its own: the fields too many belong to it.
 */
static int split_row(struct reader *r, struct row *row)
{
	size_t pos = 0, n = count_fields(&r->text), extra, at = 0;
	struct base_word field = { r->text.line_start, 0, r->text.line, 1 };
	size_t wide = (size_t)r->column[MSG_SIZE];

	if (n < r->n_columns)
		return base_text_fail(&r->text, &field, r->err, -BASE_E_SYNTAX,
				      "%zu fields, and the heading has %u: is the file "
				      "cut short?",
				      n, r->n_columns);
	extra = n - r->n_columns;
	memset(row, 0, sizeof(*row));
	row->line = r->text.line;
	for (size_t i = 0; base_text_field(&r->text, ',', &pos, &field); i++) {
		at = i <= wide ? i : i <= wide + extra ? wide : i - extra;
		for (size_t c = 0; c < COLUMNS; c++)
			if (r->column[c] == (int)at && row->fields[c].text == NULL)
				row->fields[c] = field;
	}
	return 0;
}

/* The words of types and groups, which a log writes as CommType.x and CommGroup.x. */
enum action { COLLECTIVE, STAGE_SEND, IGNORED, END };

static const struct {
	const char *word;
	enum action action;
	enum planner_collective what;
} types[] = {
	{ "all_reduce", COLLECTIVE, PLANNER_ALL_REDUCE },
	{ "all_gather", COLLECTIVE, PLANNER_ALL_GATHER },
	{ "all_gather_into_tensor", COLLECTIVE, PLANNER_ALL_GATHER },
	{ "reduce_scatter", COLLECTIVE, PLANNER_REDUCE_SCATTER },
	{ "reduce_scatter_tensor", COLLECTIVE, PLANNER_REDUCE_SCATTER },
	{ "all_to_all", COLLECTIVE, PLANNER_ALL_TO_ALL },
	{ "broadcast", COLLECTIVE, PLANNER_BROADCAST },
	{ "reduce", COLLECTIVE, PLANNER_REDUCE },
	{ "isend", STAGE_SEND, PLANNER_SEND },
	{ "irecv", STAGE_SEND, PLANNER_SEND },
	{ "barrier", IGNORED, PLANNER_SEND },
	{ "computation", IGNORED, PLANNER_SEND },
	{ "epoch_end", END, PLANNER_SEND },
};

static const struct {
	const char *word;
	enum planner_workload_group group;
} groups[] = {
	{ "tp_group", PLANNER_WORKLOAD_TP },
	{ "dp_group", PLANNER_WORKLOAD_DP },
	{ "pp_group", PLANNER_WORKLOAD_PP },
	{ "ep_group", PLANNER_WORKLOAD_EP },
	{ "ep_dp_group", PLANNER_WORKLOAD_DP_EP },
	{ "ep_tp_group", PLANNER_WORKLOAD_EP_TP },
	{ "embedding_group", PLANNER_WORKLOAD_EMBEDDING },
	{ "all", PLANNER_WORKLOAD_ALL },
	{ "all_nodes", PLANNER_WORKLOAD_ALL },
};

static int fail_word(struct reader *r, const struct base_word *w, const char *what,
		     const char *const *words, size_t n)
{
	const char *nearest = base_str_nearest_len(w->text, w->len, words, n);

	if (nearest)
		return base_text_fail(&r->text, w, r->err, -BASE_E_UNKNOWN,
				      "unknown %s \"%.*s\"; did you mean \"%s\"?", what,
				      (int)w->len, w->text, nearest);
	return base_text_fail(&r->text, w, r->err, -BASE_E_UNKNOWN,
			      "unknown %s \"%.*s\": expected one such as \"%s\"", what,
			      (int)w->len, w->text, words[0]);
}

static int find_type(struct reader *r, const struct row *row, size_t *ret_index)
{
	const char *words[BASE_COUNT(types)];
	struct base_word w = row->fields[TYPE];

	cut_prefix(&w, "CommType.");
	for (size_t i = 0; i < BASE_COUNT(types); i++) {
		words[i] = types[i].word;
		if (base_word_is(&w, words[i])) {
			*ret_index = i;
			return 0;
		}
	}
	return fail_word(r, &w, "type", words, BASE_COUNT(words));
}

static int find_group(struct reader *r, const struct row *row,
		      enum planner_workload_group *ret_group)
{
	const char *words[BASE_COUNT(groups)];
	struct base_word w = row->fields[GROUP];

	cut_prefix(&w, "CommGroup.");
	for (size_t i = 0; i < BASE_COUNT(groups); i++) {
		words[i] = groups[i].word;
		if (base_word_is(&w, words[i])) {
			*ret_group = groups[i].group;
			return 0;
		}
	}
	return fail_word(r, &w, "group", words, BASE_COUNT(words));
}

/* Sizes of groups are the same in all rows; isend and irecv write 1. */
static int learn_group_size(struct reader *r, const struct row *row,
			    enum planner_workload_group group)
{
	const struct base_word *w = &row->fields[GROUP_SIZE];
	uint32_t n;
	int res;

	if (is_nothing(w))
		return 0;
	res = base_text_u32(&r->text, w, "comm_group_size", &n, r->err);
	if (res < 0)
		return res;
	if (n == 0 || n > PLANNER_RANKS_MAX)
		return base_text_fail(&r->text, w, r->err, -BASE_E_INVALID,
				      "a group has from 1 to %u ranks",
				      PLANNER_RANKS_MAX);
	if (r->group_line[group] != 0 && r->group_size[group] != n)
		return base_text_fail(&r->text, w, r->err, -BASE_E_INVALID,
				      "a group of %u ranks, and it had %u in line %u", n,
				      r->group_size[group], r->group_line[group]);
	r->group_size[group] = n;
	if (r->group_line[group] == 0)
		r->group_line[group] = row->line;
	return 0;
}

static int read_bytes(struct reader *r, const struct row *row, uint64_t *ret_bytes)
{
	return base_text_u64(&r->text, &row->fields[MSG_SIZE], "msg_size", ret_bytes,
			     r->err);
}

static int fail_sum(struct reader *r, const struct row *row)
{
	return base_text_fail(&r->text, &row->fields[MSG_SIZE], r->err, -BASE_E_TOO_LARGE,
			      "more bytes in an iteration than can be");
}

static int read_collective(struct reader *r, const struct row *row,
			   enum planner_collective what, bool is_counted)
{
	enum planner_workload_group group = PLANNER_WORKLOAD_ALL;
	uint64_t bytes;
	int res = find_group(r, row, &group);

	if (res == 0)
		res = learn_group_size(r, row, group);
	if (res == 0)
		res = read_bytes(r, row, &bytes);
	if (res < 0 || !is_counted)
		return res;
	if (planner_workload_add(&r->w, group, what, bytes) < 0)
		return fail_sum(r, row);
	return 0;
}

/* Ends that have no other stage before or behind them do nothing in the real run. */
static int read_stage_send(struct reader *r, const struct row *row, bool is_counted)
{
	const struct base_word *w = &row->fields[ADDITIONAL];
	size_t d = SEND_NEXT;
	uint64_t bytes;
	int res;

	if (!is_nothing(w))
		while (d < DIRECTIONS && !base_word_is(w, direction_words[d]))
			d++;
	if (d == DIRECTIONS)
		return fail_word(r, w, "direction", direction_words, DIRECTIONS);
	res = read_bytes(r, row, &bytes);
	if (res < 0 || !is_counted)
		return res;
	if (planner_workload_add_to(&r->stage_bytes[d], bytes) < 0)
		return fail_sum(r, row);
	return 0;
}

static bool is_setup(const struct row *row)
{
	const struct base_word *stage = &row->fields[STAGE];

	return has_prefix(stage, "init") || has_prefix(stage, "warmup");
}

static int read_row(struct reader *r)
{
	struct row row;
	bool is_counted;
	size_t type = 0;
	int res = split_row(r, &row);

	if (res == 0)
		res = find_type(r, &row, &type);
	if (res < 0)
		return res;
	if (types[type].action == END) {
		r->is_done = r->first_line != 0;
		return 0;
	}
	is_counted = !r->is_done && !is_setup(&row);
	if (is_counted && r->first_line == 0)
		r->first_line = row.line;
	if (r->is_done)
		r->n_later++;
	else if (!is_counted)
		r->n_setup++;
	switch (types[type].action) {
	case COLLECTIVE:
		return read_collective(r, &row, types[type].what, is_counted);
	case STAGE_SEND:
		return read_stage_send(r, &row, is_counted);
	case IGNORED:
	case END:
		break;
	}
	return 0;
}

static int read_rows(struct reader *r)
{
	int res;

	while ((res = base_text_line(&r->text, r->err)) > 0) {
		if (is_blank(&r->text))
			continue;
		res = read_row(r);
		if (res < 0)
			return res;
	}
	if (res < 0 || r->is_done)
		return res;
	base_err_at(r->err, r->text.file, r->text.line, 0);
	if (r->first_line == 0)
		return base_err_set(r->err, -BASE_E_INVALID,
				    "no iteration: all rows set up or warm up");
	return base_err_set(r->err, -BASE_E_SYNTAX,
			    "the iteration that begins in line %u has no epoch_end: is "
			    "the file cut short?",
			    r->first_line);
}

/* The whole. */

/* a / b when it is known and whole, else 0 */
static uint32_t quotient(uint64_t a, uint64_t b)
{
	return b != 0 && a % b == 0 ? (uint32_t)(a / b) : 0;
}

/* Sizes that the file says, and those that follow from them. */
static int find_sizes(struct reader *r)
{
	const uint32_t *size = r->group_size;
	uint64_t tp = size[PLANNER_WORKLOAD_TP], dp = size[PLANNER_WORKLOAD_DP];
	uint64_t pp = size[PLANNER_WORKLOAD_PP];
	uint64_t world = r->is_stage ? r->listed_ranks * pp : r->listed_ranks;

	if (world != 0 && tp == 0)
		tp = quotient(world, dp * pp);
	if (world != 0 && pp == 0)
		pp = quotient(world, tp * dp);
	if (tp * dp > PLANNER_RANKS_MAX || tp * dp * pp > PLANNER_RANKS_MAX ||
	    world > PLANNER_RANKS_MAX) {
		base_err_at(r->err, r->text.file, 0, 0);
		return base_err_set(r->err, -BASE_E_TOO_LARGE, "more than %u ranks",
				    PLANNER_RANKS_MAX);
	}
	if (world != 0 && tp * dp * pp != 0 && tp * dp * pp != world) {
		base_err_at(r->err, r->text.file, 0, 0);
		return base_err_set(r->err, -BASE_E_INVALID,
				    "groups of %u, %u and %u ranks (tensor, data, "
				    "pipeline parallel) do not make the %u ranks listed",
				    (uint32_t)tp, (uint32_t)dp, (uint32_t)pp,
				    (uint32_t)world);
	}
	if (world == 0)
		world = tp * dp * (pp ? pp : 1);
	r->w.tp = (uint32_t)tp;
	r->w.pp = (uint32_t)pp;
	r->w.ep = size[PLANNER_WORKLOAD_EP];
	r->w.world = (uint32_t)world;
	return 0;
}

static void find_stage_bytes(struct reader *r)
{
	const uint64_t *b = r->stage_bytes;

	r->w.forward_bytes = b[SEND_NEXT] > b[RECV_PREV] ? b[SEND_NEXT] : b[RECV_PREV];
	r->w.backward_bytes = b[SEND_PREV] > b[RECV_NEXT] ? b[SEND_PREV] : b[RECV_NEXT];
}

static int assume_rows(struct reader *r, struct planner_problem *p)
{
	int res = 0;

	if (r->n_setup > 0)
		res = planner_job_assume(p, r->err, "rows_left_out",
					 "they set up or warm up, once, before the first "
					 "iteration",
					 "%llu of init and warmup",
					 (unsigned long long)r->n_setup);
	if (res == 0 && r->n_later > 0)
		res = planner_job_assume(p, r->err, "rows_left_out",
					 "one iteration counts, and the first is taken",
					 "%llu of later iterations",
					 (unsigned long long)r->n_later);
	return res;
}

static int read_aicb(struct planner_job_reading *reading, struct base_err *err)
{
	struct reader r = { .err = err };
	int res;

	base_text_init(&r.text, reading->name, reading->data, reading->len);
	res = read_until_heading(&r);
	if (res == 0)
		res = read_rows(&r);
	if (res < 0)
		return res;
	res = find_sizes(&r);
	if (res < 0)
		return res;
	find_stage_bytes(&r);
	res = planner_workload_build(reading, &r.w, err);
	return res < 0 ? res : assume_rows(&r, reading->p);
}

static bool is_aicb(const char *data, size_t len)
{
	struct base_text text;

	base_text_init(&text, "", data, len);
	for (uint32_t i = 0; i < LINES_BEFORE_HEADING; i++) {
		if (base_text_line(&text, NULL) <= 0)
			return false;
		if (is_heading(&text))
			return true;
	}
	return false;
}

const struct planner_job_source planner_job_source_aicb = {
	.what = "a log of AICB",
	.is_mine = is_aicb,
	.read = read_aicb,
};
