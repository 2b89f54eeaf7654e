/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command tree, a file for each noun or verb.  Adding a command is adding a file and
 * a row.
 */
#pragma once
#include "cli.h"

extern const struct base_opt_command cli_root;
extern const struct base_opt cli_common_options[];

/* Rows of cli_root. */
extern const struct base_opt_command cli_topo_commands[];
extern const struct base_opt_command cli_plan_commands[];
extern const struct base_opt cli_demo_options[];
extern const struct base_opt_command cli_completion_commands[];

/* Options and arguments of the rows above, each beside the function it belongs to. */
extern const struct base_opt cli_topo_generate_options[];
extern const struct base_opt_command cli_topo_shapes[];
extern const struct base_opt cli_topo_import_options[];
extern const struct base_opt cli_topo_paths_options[];
extern const struct base_opt cli_topo_export_options[];
extern const struct base_opt cli_plan_make_options[];
extern const struct base_opt cli_plan_evaluate_options[];
extern const struct base_opt cli_plan_explain_options[];
extern const struct base_opt cli_plan_compare_options[];

/* What runs them: @context is a struct cli. */
int cli_topo_import(const struct base_opt_values *v, void *context);
int cli_topo_show(const struct base_opt_values *v, void *context);
int cli_topo_paths(const struct base_opt_values *v, void *context);
int cli_topo_export(const struct base_opt_values *v, void *context);
int cli_plan_make(const struct base_opt_values *v, void *context);
int cli_plan_evaluate(const struct base_opt_values *v, void *context);
int cli_plan_explain(const struct base_opt_values *v, void *context);
int cli_plan_compare(const struct base_opt_values *v, void *context);
int cli_demo(const struct base_opt_values *v, void *context);
int cli_complete(const struct base_opt_values *v, void *context);
