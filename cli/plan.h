/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the verbs of "fairlead plan", and the demo, share: what a problem gets without a
 * plan, and what a plan is worth, in numbers and in words.
 */
#pragma once
#include "input.h"
#include <planner/baseline.h>
#include <planner/evaluate.h>

/* {1, 2, 4, 8, 16, 32} QPs x sharing x planes. */
#define CLI_SETTINGS_MAX 24u

enum cli_effort {
	CLI_AUTO,  /* all settings, many seeds; fewer of both for large problems */
	CLI_FULL,  /* all settings and seeds, however long it takes */
	CLI_QUICK, /* 1, 4 and 8 QPs, few seeds */
	CLI_NONE,
};
extern const char *const cli_efforts[]; /* the words for them, ended by NULL */

struct cli_unplanned {
	struct planner_setting settings[CLI_SETTINGS_MAX];
	uint32_t n;
	/* Indices: 1 QP and 4 QPs by weight with planes left to the hash, and the best.
	 */
	uint32_t usual, usual_4, best;
};

/* What one plan is worth. */
struct cli_worth {
	struct planner_busbw busbw;
	uint64_t largest_load_ppm, fabric_load_ppm;
	uint32_t qps; /* most of any connection */
};

/* Sweeps the unplanned settings; n is 0 with CLI_NONE.  @seeds 0: as @effort says. */
int cli_unplanned_run(struct cli *cli, const struct planner_problem *p,
		      enum cli_effort effort, uint32_t seeds, uint64_t seed,
		      struct cli_unplanned *ret_u) BASE_MUST_CHECK;
/* The index of a setting that was swept; 0 if it was not. */
uint32_t cli_unplanned_find(const struct cli_unplanned *u, uint32_t qps,
			    enum planner_plane_rule planes);
/* Evaluates a certified plan, by weight. */
int cli_worth_of(struct cli *cli, const struct planner_problem *p,
		 const struct planner_plan *plan,
		 struct cli_worth *ret_worth) BASE_MUST_CHECK;
/* The same of least-loaded greedy with @qps QPs. */
int cli_worth_of_greedy(struct cli *cli, const struct planner_problem *p, uint32_t qps,
			struct cli_worth *ret_worth) BASE_MUST_CHECK;

/* "8 QPs by speed, planes kept": @several_planes adds the rule for planes.  Returns @buf.
 */
#define CLI_SETTING_TEXT_MAX 64
const char *cli_setting_text(const struct planner_setting *s, bool several_planes,
			     char buf[CLI_SETTING_TEXT_MAX]);
/* "1 QP", "8 QPs".  Returns @buf. */
#define CLI_QPS_TEXT_MAX 16
const char *cli_qps_text(uint32_t qps, char buf[CLI_QPS_TEXT_MAX]);
/* By how much of @base the value is above it, in ppm; 0 when it is not. */
uint64_t cli_gain_ppm(uint64_t value, uint64_t base);
/* By how much of @base the value is below it, in ppm; 0 when it is not. */
uint64_t cli_loss_ppm(uint64_t value, uint64_t base);

/* One table with each way to choose paths: ECMP as usual, the best unplanned, greedy,
 * planned. @greedy or @planned NULL: no such row. */
void cli_show_ways(const struct cli_unplanned *u, const struct cli_worth *greedy,
		   const struct cli_worth *planned, bool several_planes,
		   struct base_out *o);
/* "settings": every unplanned setting with its seeds; @label NULL: in JSON only. */
void cli_show_settings(const struct cli_unplanned *u, const char *label,
		       bool several_planes, struct base_out *o);
/* "gains": what may be said of the gain over each other way; in JSON only. */
void cli_show_gains(const struct cli_unplanned *u, const struct cli_worth *greedy,
		    const struct cli_worth *planned, bool several_planes,
		    struct base_out *o);

/* The same as a sentence; in text only.  @greedy NULL: it was not evaluated. */
void cli_tell_gains(const struct cli_unplanned *u, const struct cli_worth *greedy,
		    const struct cli_worth *planned, struct base_out *o);

/* "certificate": the numbers in JSON, the proof in words in text. */
int cli_show_certificate(const struct topo_graph *g, const struct planner_plan *plan,
			 struct base_out *o) BASE_MUST_CHECK;
/* Is the largest load the least possible, for bytes split finely or for whole QPs? */
bool cli_is_proved(const struct planner_plan *plan) BASE_MUST_CHECK;
/* The proof as sentences, one a line: what the numbers of the certificate mean. */
void cli_certificate_text(const struct topo_graph *g, const struct planner_plan *plan,
			  struct base_str *into);
/* "assumptions": of the fabric and of the jobs. */
void cli_show_assumptions(const struct planner_problem *p, struct base_out *o);
