/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What commands read: fabrics, jobs and plans, with errors recorded in cli->err.
 */
#pragma once
#include "cli.h"
#include <planner/plan.h>
#include <planner/problem.h>
#include <topo/graph.h>
#include <topo/load.h>
#include <topo/name.h>

struct cli_fabric {
	struct topo_graph *graph;
	struct topo_names *names;
	const char *file;
	uint32_t n_down;      /* links taken down by --down */
	uint64_t fingerprint; /* as it was read, before --down */
	bool has_other_plan;  /* a plan was read that was made for something else */
};

/*
 * Reads the @n files of one fabric, by @format or by what they look like (NULL), and
 * indexes its names.  Free with cli_fabric_fini().
 */
int cli_fabric_read(struct cli *cli, const char *format, const char *const *files,
		    size_t n, const struct topo_import_options *options,
		    struct cli_fabric *ret_fabric) BASE_MUST_CHECK;
/* One file, no options. */
int cli_fabric_open(struct cli *cli, const char *file,
		    struct cli_fabric *ret_fabric) BASE_MUST_CHECK;
/* Indexes a graph that was made here; takes it even when it fails. */
int cli_fabric_take(struct cli *cli, struct topo_graph *graph,
		    struct cli_fabric *ret_fabric) BASE_MUST_CHECK;
void cli_fabric_fini(struct cli_fabric *f);

/* Takes down every link that --down names. */
int cli_fabric_take_down(struct cli *cli, struct cli_fabric *f,
			 const struct base_opt_values *v) BASE_MUST_CHECK;

/*
 * Rows for the tables of commands that read a fabric or jobs: what the functions below
 * ask for.
 */
#define CLI_FABRIC_OPTION                                                                \
	{                                                                                \
		.name = "fabric", .kind = BASE_OPT_FILE, .required = true,               \
		.value = "FABRIC",                                                       \
		.help = "the fabric: what \"topo import\" and \"topo generate\" write, " \
			"or a "                                                          \
			"file that they read"                                            \
	}
#define CLI_JOB_OPTIONS                                                                  \
	{ .name = "job",                                                                 \
	  .kind = BASE_OPT_FILE,                                                         \
	  .many = true,                                                                  \
	  .value = "JOB",                                                                \
	  .help = "a job: a file, or a short form such as ring:hosts=64" },              \
		{ .name = "hosts",                                                       \
		  .kind = BASE_OPT_U64,                                                  \
		  .value = "N",                                                          \
		  .help = "hosts of each job (default: as the job says, else all)",      \
		  .min = 1,                                                              \
		  .max = UINT32_MAX },                                                   \
		{ .name = "jobs",                                                        \
		  .kind = BASE_OPT_U64,                                                  \
		  .value = "N",                                                          \
		  .help = "copies of each job (default: as the job says, else 1)",       \
		  .min = 1,                                                              \
		  .max = UINT32_MAX },                                                   \
		{ .name = "placement",                                                   \
		  .kind = BASE_OPT_WORD,                                                 \
		  .value = "WHERE",                                                      \
		  .help = "hosts that a job gets",                                       \
		  .fallback = "random",                                                  \
		  .words = cli_placements },                                             \
		{ .name = "bytes",                                                       \
		  .kind = BASE_OPT_SIZE,                                                 \
		  .value = "SIZE",                                                       \
		  .help = "bytes of each collective where the job is silent (default: "  \
			  "1 GiB)",                                                      \
		  .min = 1,                                                              \
		  .max = PLANNER_BYTES_MAX },                                            \
		{ .name = "tp",                                                          \
		  .kind = BASE_OPT_U64,                                                  \
		  .value = "N",                                                          \
		  .help = "tensor-parallel group size where the job is silent",          \
		  .min = 1,                                                              \
		  .max = UINT32_MAX },                                                   \
		{ .name = "pp",                                                          \
		  .kind = BASE_OPT_U64,                                                  \
		  .value = "N",                                                          \
		  .help = "pipeline stages where the job is silent",                     \
		  .min = 1,                                                              \
		  .max = UINT32_MAX },                                                   \
		{ .name = "ep",                                                          \
		  .kind = BASE_OPT_U64,                                                  \
		  .value = "N",                                                          \
		  .help = "expert-parallel group size where the job is silent",          \
		  .min = 1,                                                              \
		  .max = UINT32_MAX },                                                   \
		{ .name = "gpus",                                                        \
		  .kind = BASE_OPT_U64,                                                  \
		  .value = "N",                                                          \
		  .help = "GPUs of each host, for workloads (default: one for each "     \
			  "NIC)",                                                        \
		  .min = 1,                                                              \
		  .max = UINT32_MAX },                                                   \
	{                                                                                \
		.name = "reverse", .kind = BASE_OPT_SHARE, .value = "SHARE",             \
		.help = "reverse traffic (ACKs, CNPs) as a share of the bytes, such as " \
			"2%",                                                            \
		.max = 1000000                                                           \
	}
#define CLI_SEED_OPTION                                                                  \
	{                                                                                \
		.name = "seed", .kind = BASE_OPT_U64, .value = "S",                      \
		.help = "of everything that is drawn", .fallback = "1"                   \
	}
#define CLI_DOWN_OPTION                                                                  \
	{                                                                                \
		.name = "down", .kind = BASE_OPT_STRING, .many = true, .value = "LINK",  \
		.help = "a link that is dead, such as leaf2-spine5"                      \
	}
extern const char *const cli_placements[];

/* Adds every --job, each with its --reverse traffic, to @p (initialised). */
int cli_jobs_read(struct cli *cli, const struct cli_fabric *f,
		  const struct base_opt_values *v,
		  struct planner_problem *p) BASE_MUST_CHECK;

/*
 * Reads a plan onto the fabric: fills @p (initialised, empty) too.  One that was made for
 * another fabric, or for states of links that are neither those now, those of the file
 * nor all up, gets a warning and is noted in @f.
 */
int cli_plan_read(struct cli *cli, struct cli_fabric *f, const char *file,
		  struct planner_problem *p,
		  struct planner_plan **ret_plan) BASE_MUST_CHECK;
/* Refuses a plan whose paths do not fit the fabric as it is now: over a dead link, say.
 */
int cli_plan_check_alive(struct cli *cli, const char *file,
			 const struct planner_problem *p,
			 const struct planner_plan *plan) BASE_MUST_CHECK;
/* Copies jobs, connections and assumptions of @from into @to (initialised, empty). */
int cli_problem_copy(struct cli *cli, const struct planner_problem *from,
		     struct planner_problem *to) BASE_MUST_CHECK;
