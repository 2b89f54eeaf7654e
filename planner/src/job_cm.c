/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connection matrices of htsim (.cm):
 *
 *	Nodes 16
 *	Connections 2
 *	Triggers 1
 *	0->13 id 1 start 0 size 2000000 send_done_trigger 1
 *	13->0 id 2 trigger 1 size 2000000 prio 3
 *	trigger id 1 oneshot
 *
 * Node i is the i-th NIC of the fabric.  More forgiving than the simulator in what cannot
 * change the meaning (comments anywhere, blanks and CR at the end, sizes of 64 bits); as
 * strict in what shows a file cut short (counts, triggers without definition).
 */
#define _GNU_SOURCE /* memmem */
#include "job_cm.h"
#include <base/mem.h>
#include <base/num.h>
#include <base/str.h>
#include <base/table.h>
#include <base/text.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct count {
	const char *word;
	uint32_t declared, line; /* line 0: not declared */
};

enum { NODES, CONNECTIONS, TRIGGERS, FAILURES, COUNTS };

struct reader {
	struct base_text text;
	struct planner_cm cm;
	struct count counts[COUNTS];
	uint32_t n_lines, n_failures; /* of flows (those merged included); of failures */
	struct base_table messages;   /* ids of connections with several messages */
	uint32_t *message_flow;	      /* [messages.n] */
	size_t cap_messages;
	bool has_start_times, has_priorities, has_endless;
	struct base_err *err;
};

static int no_memory(struct reader *r)
{
	return base_err_set(r->err, -ENOMEM, "no memory for a connection matrix");
}

/* The word after @key in a line; its absence is an error. */
static int need_word(struct reader *r, size_t *pos, const struct base_word *key,
		     struct base_word *ret_value)
{
	if (base_text_word(&r->text, pos, ret_value))
		return 0;
	return base_text_fail(&r->text, key, r->err, -BASE_E_SYNTAX,
			      "\"%.*s\" needs a value after it", (int)key->len,
			      key->text);
}

/* Where the value of @key is a number. */
static int need_number(struct reader *r, size_t *pos, const struct base_word *key,
		       uint64_t max, uint64_t *ret_n)
{
	struct base_word value;
	char what[32];
	uint64_t n;
	int res = need_word(r, pos, key, &value);

	if (res < 0)
		return res;
	memcpy(what, key->text, key->len < sizeof(what) ? key->len : sizeof(what) - 1);
	what[key->len < sizeof(what) ? key->len : sizeof(what) - 1] = '\0';
	res = base_text_u64(&r->text, &value, what, &n, r->err);
	if (res < 0)
		return res;
	if (n > max)
		return base_text_fail(&r->text, &value, r->err, -BASE_E_TOO_LARGE,
				      "\"%s\" is %llu, the ceiling is %llu", what,
				      (unsigned long long)n, (unsigned long long)max);
	*ret_n = n;
	return 0;
}

static int need_end(struct reader *r, size_t *pos)
{
	struct base_word word;

	if (!base_text_word(&r->text, pos, &word))
		return 0;
	return base_text_fail(&r->text, &word, r->err, -BASE_E_SYNTAX,
			      "unexpected \"%.*s\" at the end of the line", (int)word.len,
			      word.text);
}

/* "Nodes 16" */
static int read_count(struct reader *r, struct count *count, const struct base_word *key,
		      size_t *pos)
{
	uint64_t n = 0;
	int res;

	if (count->line != 0)
		return base_text_fail(&r->text, key, r->err, -BASE_E_DUPLICATE,
				      "\"%s\" twice, first in line %u", count->word,
				      count->line);
	res = need_number(r, pos, key, PLANNER_CONNS_MAX, &n);
	if (res == 0)
		res = need_end(r, pos);
	if (res < 0)
		return res;
	count->declared = (uint32_t)n;
	count->line = key->line;
	return 0;
}

/* A time in picoseconds: only whether it is 0 matters. */
static bool is_time(const struct base_word *w, bool *ret_is_zero)
{
	size_t i = 0, digits = 0;
	bool is_zero = true;

	for (; i < w->len && (isdigit((unsigned char)w->text[i]) || w->text[i] == '.');
	     i++) {
		if (w->text[i] == '.') {
			if (memchr(w->text, '.', i))
				return false;
			continue;
		}
		digits++;
		if (w->text[i] != '0')
			is_zero = false;
	}
	if (digits == 0 || i != w->len)
		return false;
	*ret_is_zero = is_zero;
	return true;
}

/* What stands behind "src->dst". */
enum option { START, SIZE, ID, TRIGGER, SEND_DONE, RECV_DONE, PRIO, ADDON, MSG, OPTIONS };

static const char *const option_words[OPTIONS] = {
	[START] = "start",
	[SIZE] = "size",
	[ID] = "id",
	[TRIGGER] = "trigger",
	[SEND_DONE] = "send_done_trigger",
	[RECV_DONE] = "recv_done_trigger",
	[PRIO] = "prio",
	[ADDON] = "addon",
	[MSG] = "msg",
};

static int find_option(struct reader *r, const struct base_word *w, uint32_t seen)
{
	const char *nearest;

	for (int i = 0; i < OPTIONS; i++) {
		if (!base_word_is(w, option_words[i]))
			continue;
		if (seen >> i & 1u)
			return base_text_fail(&r->text, w, r->err, -BASE_E_DUPLICATE,
					      "\"%s\" twice in one connection",
					      option_words[i]);
		return i;
	}
	nearest = base_str_nearest_len(w->text, w->len, option_words, OPTIONS);
	if (nearest)
		return base_text_fail(&r->text, w, r->err, -BASE_E_UNKNOWN,
				      "unknown word \"%.*s\"; did you mean \"%s\"?",
				      (int)w->len, w->text, nearest);
	return base_text_fail(&r->text, w, r->err, -BASE_E_UNKNOWN,
			      "unknown word \"%.*s\" in a connection: expected start, "
			      "size, id, trigger or prio",
			      (int)w->len, w->text);
}

static int read_start(struct reader *r, const struct base_word *key, size_t *pos)
{
	struct base_word value;
	bool is_zero;
	int res = need_word(r, pos, key, &value);

	if (res < 0)
		return res;
	if (!is_time(&value, &is_zero))
		return base_text_fail(&r->text, &value, r->err, -BASE_E_SYNTAX,
				      "\"start\" must be a time in picoseconds, not "
				      "\"%.*s\"",
				      (int)value.len, value.text);
	r->has_start_times |= !is_zero;
	return 0;
}

/* "msg" may stand alone or before the number of the message. */
static void skip_message(struct reader *r, size_t *pos)
{
	struct base_word value;
	size_t next = *pos;
	uint64_t n;

	if (base_text_word(&r->text, &next, &value) &&
	    base_num_u64(value.text, value.len, &n) == 0)
		*pos = next;
}

static int read_option(struct reader *r, enum option option, const struct base_word *key,
		       size_t *pos, struct planner_cm_flow *flow, struct base_word *id)
{
	uint64_t unused;

	switch (option) {
	case START:
		return read_start(r, key, pos);
	case SIZE:
		return need_number(r, pos, key, PLANNER_BYTES_MAX, &flow->bytes);
	case ID:
		return need_word(r, pos, key, id);
	case TRIGGER:
		return need_number(r, pos, key, UINT64_MAX, &flow->starts_on);
	case SEND_DONE:
		return need_number(r, pos, key, UINT64_MAX, &flow->fires[0]);
	case RECV_DONE:
		return need_number(r, pos, key, UINT64_MAX, &flow->fires[1]);
	case PRIO:
		r->has_priorities = true;
		return need_number(r, pos, key, UINT64_MAX, &unused);
	case MSG:
		skip_message(r, pos);
		return 0;
	case ADDON:
	case OPTIONS:
		break;
	}
	return 0;
}

/* "12->7" */
static int read_ends(struct reader *r, const struct base_word *w,
		     struct planner_cm_flow *flow)
{
	const char *arrow = memmem(w->text, w->len, "->", 2);
	size_t left = (size_t)(arrow - w->text);
	uint32_t *nodes[2] = { &flow->src, &flow->dst };
	struct base_word ends[2] = {
		{ w->text, left, w->line, w->column },
		{ arrow + 2, w->len - left - 2, w->line, w->column + (uint32_t)left + 2 },
	};

	for (int i = 0; i < 2; i++) {
		int res;

		if (ends[i].len == 0)
			return base_text_fail(&r->text, w, r->err, -BASE_E_SYNTAX,
					      "a connection has a node on both sides: "
					      "expected 0->13, not \"%.*s\"",
					      (int)w->len, w->text);
		res = base_text_u32(&r->text, &ends[i], "node", nodes[i], r->err);
		if (res < 0)
			return res;
		if (r->counts[NODES].line != 0 && *nodes[i] >= r->counts[NODES].declared)
			return base_text_fail(
				&r->text, &ends[i], r->err, -BASE_E_INVALID,
				"node %u, and line %u says \"Nodes %u\"; they "
				"count from 0",
				*nodes[i], r->counts[NODES].line,
				r->counts[NODES].declared);
	}
	return 0;
}

/* Several messages on one connection: their bytes add up.  1: it was one of them. */
static int merge_message(struct reader *r, const struct base_word *id,
			 const struct planner_cm_flow *flow)
{
	struct planner_cm_flow *first;
	uint32_t *flows, message, n = r->messages.n;

	if (flow->starts_on || flow->fires[0] || flow->fires[1])
		return 0;
	if (base_table_add(&r->messages, id->text, id->len, &message) < 0)
		return no_memory(r);
	flows = base_grow(r->message_flow, &r->cap_messages, r->messages.n,
			  sizeof(*flows));
	if (!flows)
		return no_memory(r);
	r->message_flow = flows;
	if (message == n) {
		flows[message] = r->cm.n_flows; /* where it will stand */
		return 0;
	}
	first = &r->cm.flows[flows[message]];
	if (flow->bytes > PLANNER_BYTES_MAX - first->bytes)
		return base_text_fail(&r->text, id, r->err, -BASE_E_TOO_LARGE,
				      "connection %.*s has more than %llu bytes in all",
				      (int)id->len, id->text,
				      (unsigned long long)PLANNER_BYTES_MAX);
	if (first->src != flow->src || first->dst != flow->dst)
		return base_text_fail(&r->text, id, r->err, -BASE_E_DUPLICATE,
				      "connection %.*s of line %u has other ends",
				      (int)id->len, id->text, first->line);
	first->bytes += flow->bytes;
	return 1;
}

static int add_flow(struct reader *r, const struct planner_cm_flow *flow)
{
	struct planner_cm_flow *flows;

	if (r->cm.n_flows >= PLANNER_CONNS_MAX)
		return base_err_set(r->err, -BASE_E_TOO_LARGE, "more than %u connections",
				    PLANNER_CONNS_MAX);
	flows = base_grow(r->cm.flows, &r->cm.cap_flows, (size_t)r->cm.n_flows + 1,
			  sizeof(*flows));
	if (!flows)
		return no_memory(r);
	r->cm.flows = flows;
	flows[r->cm.n_flows++] = *flow;
	return 0;
}

static int check_flow(struct reader *r, const struct base_word *ends, uint32_t seen,
		      const struct planner_cm_flow *flow)
{
	bool has_start = seen >> START & 1u, has_trigger = seen >> TRIGGER & 1u;

	if (!(seen >> SIZE & 1u))
		return base_text_fail(&r->text, ends, r->err, -BASE_E_INVALID,
				      "a connection needs its \"size\" in bytes");
	if (has_start == has_trigger)
		return base_text_fail(&r->text, ends, r->err, -BASE_E_INVALID,
				      "a connection has one of \"start\" and "
				      "\"trigger\", and this has %s",
				      has_start ? "both" : "neither");
	for (int i = 0; i < 2; i++)
		if (seen >> (SEND_DONE + i) & 1u && flow->fires[i] == 0)
			return base_text_fail(&r->text, ends, r->err, -BASE_E_INVALID,
					      "triggers are numbered from 1");
	if (has_trigger && flow->starts_on == 0)
		return base_text_fail(&r->text, ends, r->err, -BASE_E_INVALID,
				      "triggers are numbered from 1");
	return 0;
}

static int read_flow(struct reader *r, const struct base_word *ends, size_t *pos)
{
	struct planner_cm_flow flow = { .line = ends->line };
	struct base_word key, id = { 0 };
	uint32_t seen = 0;
	int res = read_ends(r, ends, &flow);

	while (res == 0 && base_text_word(&r->text, pos, &key)) {
		int option = find_option(r, &key, seen);

		if (option < 0)
			return option;
		seen |= 1u << option;
		res = read_option(r, (enum option)option, &key, pos, &flow, &id);
	}
	if (res == 0)
		res = check_flow(r, ends, seen, &flow);
	if (res < 0)
		return res;
	r->n_lines++;
	r->has_endless |= flow.bytes == 0;
	if (seen >> MSG & 1u && id.len > 0 && flow.bytes > 0) {
		res = merge_message(r, &id, &flow);
		if (res != 0)
			return res < 0 ? res : 0;
	}
	return add_flow(r, &flow);
}

/* "trigger id 1 barrier count 3" */
static int read_trigger_words(struct reader *r, size_t *pos,
			      struct planner_cm_trigger *trigger, uint32_t *ret_kinds)
{
	struct base_word key;
	bool is_barrier = false;
	uint64_t count = 1;
	uint32_t kinds = 0;
	int res = 0;

	while (res == 0 && base_text_word(&r->text, pos, &key)) {
		if (base_word_is(&key, "id")) {
			res = need_number(r, pos, &key, UINT64_MAX, &trigger->id);
		} else if (base_word_is(&key, "count")) {
			res = need_number(r, pos, &key, PLANNER_CONNS_MAX, &count);
		} else if (base_word_is(&key, "oneshot") ||
			   base_word_is(&key, "multishot") ||
			   base_word_is(&key, "barrier")) {
			kinds++;
			is_barrier = base_word_is(&key, "barrier");
		} else {
			res = base_text_fail(&r->text, &key, r->err, -BASE_E_UNKNOWN,
					     "unknown word \"%.*s\" in a trigger: "
					     "expected id, oneshot, multishot, barrier "
					     "or count",
					     (int)key.len, key.text);
		}
	}
	trigger->needs = is_barrier ? (uint32_t)count : 1;
	*ret_kinds = kinds;
	return res;
}

static int read_trigger(struct reader *r, const struct base_word *word, size_t *pos)
{
	struct planner_cm_trigger trigger = { .line = word->line }, *triggers;
	uint32_t kinds;
	int res = read_trigger_words(r, pos, &trigger, &kinds);

	if (res < 0)
		return res;
	if (trigger.id == 0 || kinds != 1 || trigger.needs == 0)
		return base_text_fail(&r->text, word, r->err, -BASE_E_INVALID,
				      "a trigger has an id above 0 and is one of "
				      "oneshot, multishot and barrier: expected "
				      "trigger id 1 oneshot");
	triggers = base_grow(r->cm.triggers, &r->cm.cap_triggers,
			     (size_t)r->cm.n_triggers + 1, sizeof(*triggers));
	if (!triggers)
		return no_memory(r);
	r->cm.triggers = triggers;
	triggers[r->cm.n_triggers++] = trigger;
	return 0;
}

/* Dead links of the simulator's own fabric, by its own numbers: counted, not applied. */
static int read_failure(struct reader *r, size_t *pos)
{
	static const char *const words[] = { "switch_type", "switch_id", "link_id" };
	struct base_word key, value;

	while (base_text_word(&r->text, pos, &key)) {
		size_t i = 0;
		int res;

		while (i < BASE_COUNT(words) && !base_word_is(&key, words[i]))
			i++;
		if (i == BASE_COUNT(words))
			return base_text_fail(&r->text, &key, r->err, -BASE_E_UNKNOWN,
					      "unknown word \"%.*s\" in a failure: "
					      "expected switch_type, switch_id or "
					      "link_id",
					      (int)key.len, key.text);
		res = need_word(r, pos, &key, &value);
		if (res < 0)
			return res;
	}
	r->n_failures++;
	return 0;
}

static bool has_arrow(const struct base_word *w)
{
	return memmem(w->text, w->len, "->", 2) != NULL;
}

static int read_line(struct reader *r)
{
	struct base_word word;
	size_t pos = 0;

	if (!base_text_word(&r->text, &pos, &word) || word.text[0] == '#')
		return 0;
	if (has_arrow(&word))
		return read_flow(r, &word, &pos);
	if (base_word_is(&word, "trigger"))
		return read_trigger(r, &word, &pos);
	if (base_word_is(&word, "failure"))
		return read_failure(r, &pos);
	for (size_t i = 0; i < COUNTS; i++)
		if (base_word_is(&word, r->counts[i].word))
			return read_count(r, &r->counts[i], &word, &pos);
	return base_text_fail(&r->text, &word, r->err, -BASE_E_SYNTAX,
			      "expected Nodes, Connections, Triggers, a connection "
			      "(0->13 start 0 size 2000000) or a trigger, not \"%.*s\"",
			      (int)word.len, word.text);
}

static int check_count(struct reader *r, const struct count *count, uint32_t found)
{
	if (count->line == 0 || count->declared == found)
		return 0;
	base_err_at(r->err, r->text.file, count->line, 0);
	return base_err_set(r->err, -BASE_E_INVALID,
			    "\"%s %u\", and the file has %u: is it cut short?",
			    count->word, count->declared, found);
}

static int read_lines(struct reader *r)
{
	int res;

	while ((res = base_text_line(&r->text, r->err)) > 0) {
		res = read_line(r);
		if (res < 0)
			return res;
	}
	if (res == 0 && r->counts[NODES].line == 0) {
		base_err_at(r->err, r->text.file, 0, 0);
		res = base_err_set(r->err, -BASE_E_INVALID,
				   "no line \"Nodes N\" in a connection matrix");
	}
	if (res == 0)
		res = check_count(r, &r->counts[CONNECTIONS], r->n_lines);
	if (res == 0)
		res = check_count(r, &r->counts[TRIGGERS], r->cm.n_triggers);
	if (res == 0)
		res = check_count(r, &r->counts[FAILURES], r->n_failures);
	return res;
}

/* From nodes to NICs. */

static int assume(struct reader *r, struct planner_problem *p, bool is_ordered)
{
	uint32_t max_depth = 0;
	int res = 0;

	for (uint32_t i = 0; i < r->cm.n_flows; i++)
		if (r->cm.flows[i].depth > max_depth)
			max_depth = r->cm.flows[i].depth;
	if (max_depth > 0 && !is_ordered)
		res = planner_job_assume(p, r->err, "phases",
					 "triggers order some connections, not all of "
					 "them: others may meet",
					 "all taken as one");
	if (res == 0 && r->has_start_times)
		res = planner_job_assume(p, r->err, "start_times",
					 "a plan holds for every order of starts",
					 "not used");
	if (res == 0 && r->has_priorities)
		res = planner_job_assume(p, r->err, "priorities",
					 "load is the same at every priority",
					 "not used");
	if (res == 0 && r->n_failures > 0)
		res = planner_job_assume(p, r->err, "failures",
					 "they name switches of the simulator's own "
					 "fabric; give dead links as links of this one",
					 "%u not applied", r->n_failures);
	return res;
}

static int find_nics(struct reader *r, const struct planner_problem *p,
		     struct planner_job_hosts *hosts)
{
	uint32_t nodes = r->counts[NODES].declared;
	int res = planner_job_hosts_init(hosts, p->graph);

	if (res < 0)
		return no_memory(r);
	if (nodes <= hosts->n_nics)
		return 0;
	base_err_at(r->err, r->text.file, r->counts[NODES].line, 0);
	return base_err_set(r->err, -BASE_E_INFEASIBLE,
			    "%u nodes, and the fabric has %u NICs with a link", nodes,
			    hosts->n_nics);
}

static int add_flows(struct reader *r, const struct planner_job_reading *reading,
		     const struct planner_job_hosts *hosts, bool is_ordered)
{
	uint32_t nodes = r->counts[NODES].declared, job;
	uint64_t endless_bytes = 0;
	int res = planner_problem_add_job(reading->p, "matrix", &job);

	if (res < 0)
		return no_memory(r);
	if (r->has_endless)
		res = planner_job_default_bytes(reading, &endless_bytes, r->err);
	for (uint32_t i = 0; res == 0 && i < r->cm.n_flows; i++) {
		const struct planner_cm_flow *f = &r->cm.flows[i];

		base_err_at(r->err, r->text.file, f->line, 0);
		if (f->src >= nodes || f->dst >= nodes)
			return base_err_set(r->err, -BASE_E_INVALID,
					    "a node that \"Nodes\" does not have");
		res = planner_job_send(reading->p, job, hosts->nics[f->src],
				       hosts->nics[f->dst],
				       f->bytes ? f->bytes : endless_bytes,
				       is_ordered ? f->depth : 0, r->err);
	}
	return res;
}

static int read_cm(struct planner_job_reading *reading, struct base_err *err)
{
	struct reader r = {
		.counts = { { "Nodes", 0, 0 },
			    { "Connections", 0, 0 },
			    { "Triggers", 0, 0 },
			    { "Failures", 0, 0 } },
		.err = err,
	};
	struct planner_job_hosts hosts = { 0 };
	bool is_ordered = false;
	int res;

	base_text_init(&r.text, reading->name, reading->data, reading->len);
	base_table_init(&r.messages);
	res = planner_job_refuse_hosts(reading, "a connection matrix", err);
	if (res == 0)
		res = read_lines(&r);
	if (res == 0)
		res = planner_cm_order(&r.cm, reading->name, &is_ordered, err);
	if (res == 0)
		res = find_nics(&r, reading->p, &hosts);
	if (res == 0)
		res = add_flows(&r, reading, &hosts, is_ordered);
	if (res == 0)
		res = assume(&r, reading->p, is_ordered);
	planner_job_hosts_fini(&hosts);
	base_table_fini(&r.messages);
	free(r.message_flow);
	free(r.cm.flows);
	free(r.cm.triggers);
	return res;
}

static bool is_cm(const char *data, size_t len)
{
	static const char *const words[] = { "Nodes", "Connections", "Triggers",
					     "Failures", "trigger" };
	struct base_text text;
	struct base_word word;
	size_t pos = 0;

	base_text_init(&text, "", data, len);
	while (base_text_line(&text, NULL) > 0) {
		pos = 0;
		if (!base_text_word(&text, &pos, &word) || word.text[0] == '#')
			continue;
		for (size_t i = 0; i < BASE_COUNT(words); i++)
			if (base_word_is(&word, words[i]))
				return true;
		return has_arrow(&word);
	}
	return false;
}

const struct planner_job_source planner_job_source_cm = {
	.what = "a connection matrix of htsim",
	.is_mine = is_cm,
	.read = read_cm,
};
