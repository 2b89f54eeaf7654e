/* SPDX-License-Identifier: Apache-2.0 */
#include "input.h"
#include <base/fs.h>
#include <base/mem.h>
#include <planner/job.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const cli_placements[] = { "random", "packed", "spread", NULL };

/* Reads all files into @sources (cleared); the caller frees what is there in any case. */
static int read_sources(struct cli *cli, const char *const *files, size_t n,
			struct topo_source *sources, char **data)
{
	for (size_t i = 0; i < n; i++) {
		int r = base_fs_read(files[i], BASE_FS_FILE_MAX, &data[i],
				     &sources[i].len, &cli->err);

		if (r < 0)
			return r;
		sources[i].name = files[i];
		sources[i].data = data[i];
	}
	return 0;
}

int cli_fabric_read(struct cli *cli, const char *format, const char *const *files,
		    size_t n, const struct topo_import_options *options,
		    struct cli_fabric *ret_fabric)
{
	struct topo_source *sources = base_array_new(n, sizeof(*sources));
	char **data = base_array_new(n, sizeof(*data));
	struct topo_graph *g = NULL;
	int r;

	if (!sources || !data)
		r = cli_no_memory(cli);
	else
		r = read_sources(cli, files, n, sources, data);
	if (r == 0)
		r = topo_import(format, sources, n, options, &g, &cli->err);
	for (size_t i = 0; data && i < n; i++)
		free(data[i]);
	free(data);
	free(sources);
	if (r < 0)
		return r;
	base_err_clear(&cli->err); /* readers leave the place they have come to */
	r = cli_fabric_take(cli, g, ret_fabric);
	if (r == 0)
		ret_fabric->file = files[0];
	return r;
}

int cli_fabric_open(struct cli *cli, const char *file, struct cli_fabric *ret_fabric)
{
	return cli_fabric_read(cli, NULL, &file, 1, NULL, ret_fabric);
}

int cli_fabric_take(struct cli *cli, struct topo_graph *graph,
		    struct cli_fabric *ret_fabric)
{
	struct topo_names *names;
	int r = topo_names_new(graph, &names);

	if (r < 0) {
		topo_graph_free(graph);
		return cli_fail(cli, r, "names of the fabric");
	}
	*ret_fabric = (struct cli_fabric){
		.graph = graph,
		.names = names,
		.fingerprint = topo_graph_fingerprint(graph),
	};
	return 0;
}

void cli_fabric_fini(struct cli_fabric *f)
{
	topo_names_free(f->names);
	topo_graph_free(f->graph);
	*f = (struct cli_fabric){ 0 };
}

int cli_fabric_take_down(struct cli *cli, struct cli_fabric *f,
			 const struct base_opt_values *v)
{
	const char *name;

	for (size_t i = 0; (name = base_opt_nth(v, "down", i)); i++) {
		uint32_t link;
		int r = topo_names_link(f->names, name, strlen(name), &link, &cli->err);

		if (r < 0)
			return base_err_set(&cli->err, r, "--down: %s", cli->err.message);
		f->n_down += topo_graph_links(f->graph)[link].state == TOPO_UP;
		topo_graph_set_state(f->graph, link, TOPO_DOWN);
	}
	return 0;
}

/* "ring", "ring:hosts=64": no file is called like that by accident. */
static bool looks_like_form(const char *spec)
{
	size_t len = strspn(spec, "abcdefghijklmnopqrstuvwxyz0123456789-");

	return spec[0] >= 'a' && spec[0] <= 'z' &&
	       (spec[len] == '\0' || spec[len] == ':');
}

static int read_job(struct cli *cli, const struct cli_fabric *f, const char *spec,
		    const struct planner_job_options *options, struct planner_problem *p)
{
	char *data = NULL;
	size_t len = 0;
	int r;

	if (!looks_like_form(spec) || access(spec, F_OK) == 0) {
		r = base_fs_read(spec, BASE_FS_FILE_MAX, &data, &len, &cli->err);
		if (r < 0)
			return r;
	}
	r = planner_job_read(p, f->names, spec, data, len, options, &cli->err);
	free(data);
	if (r < 0)
		return cli_fail(cli, r, spec);
	base_err_clear(&cli->err);
	return 0;
}

int cli_jobs_read(struct cli *cli, const struct cli_fabric *f,
		  const struct base_opt_values *v, struct planner_problem *p)
{
	struct planner_job_options options = {
		.seed = base_opt_number(v, "seed"),
		.placement = (enum planner_placement)base_opt_number(v, "placement"),
		.hosts = (uint32_t)base_opt_number(v, "hosts"),
		.jobs = (uint32_t)base_opt_number(v, "jobs"),
		.bytes = base_opt_number(v, "bytes"),
		.tp = (uint32_t)base_opt_number(v, "tp"),
		.pp = (uint32_t)base_opt_number(v, "pp"),
		.ep = (uint32_t)base_opt_number(v, "ep"),
		.gpus = (uint32_t)base_opt_number(v, "gpus"),
		.reverse_ppm = (uint32_t)base_opt_number(v, "reverse"),
	};
	const char *spec;
	int r = 0;

	for (size_t i = 0; r == 0 && (spec = base_opt_nth(v, "job", i)); i++)
		r = read_job(cli, f, spec, &options, p);
	return r < 0 ? cli_fail(cli, r, "jobs") : 0;
}

/* What the fabric's fingerprint would be with all links up; 0: no memory. */
static uint64_t fingerprint_all_up(struct topo_graph *g)
{
	uint32_t n_links = topo_graph_n_links(g);
	enum topo_state *states = base_array_new(n_links, sizeof(*states));
	uint64_t fingerprint;

	if (!states)
		return 0;
	for (uint32_t i = 0; i < n_links; i++) {
		states[i] = topo_graph_links(g)[i].state;
		topo_graph_set_state(g, i, TOPO_UP);
	}
	fingerprint = topo_graph_fingerprint(g);
	for (uint32_t i = 0; i < n_links; i++)
		topo_graph_set_state(g, i, states[i]);
	free(states);
	return fingerprint;
}

static void note_other_plan(struct cli *cli, const char *file, uint64_t made_for,
			    struct cli_fabric *f)
{
	if (made_for == 0 || made_for == f->fingerprint ||
	    made_for == topo_graph_fingerprint(f->graph) ||
	    made_for == fingerprint_all_up(f->graph))
		return;
	f->has_other_plan = true;
	base_log(&cli->log, BASE_LOG_WARNING,
		 "%s: the plan was made for another fabric, or for other states of its "
		 "links",
		 file);
}

int cli_plan_read(struct cli *cli, struct cli_fabric *f, const char *file,
		  struct planner_problem *p, struct planner_plan **ret_plan)
{
	char *data;
	size_t len;
	int r = base_fs_read(file, BASE_FS_FILE_MAX, &data, &len, &cli->err);

	if (r < 0)
		return r;
	r = planner_plan_read_json(file, data, len, f->names, p, ret_plan, &cli->err);
	free(data);
	if (r < 0)
		return cli_fail(cli, r, file);
	base_err_clear(&cli->err);
	note_other_plan(cli, file, (*ret_plan)->graph_fingerprint, f);
	return 0;
}

int cli_plan_check_alive(struct cli *cli, const char *file,
			 const struct planner_problem *p, const struct planner_plan *plan)
{
	int r = planner_plan_check(p, plan, &cli->err);

	if (r == 0)
		return 0;
	base_err_at(&cli->err, file, 0, 0);
	if (cli->err.message[0] == '\0')
		return cli_fail(cli, r, file);
	return base_err_set(&cli->err, r,
			    "%s; replan with \"fairlead plan make --replan-from %s\"",
			    cli->err.message, file);
}

int cli_problem_copy(struct cli *cli, const struct planner_problem *from,
		     struct planner_problem *to)
{
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < from->n_jobs; i++)
		r = planner_problem_add_job(to, from->job_names[i], NULL);
	for (uint32_t i = 0; r == 0 && i < from->n_conns; i++)
		r = planner_problem_add_conn(to, &from->conns[i], &cli->err);
	for (uint32_t i = 0; r == 0 && i < from->n_assumptions; i++)
		r = planner_problem_assume(to, from->assumptions[i].name,
					   from->assumptions[i].value,
					   from->assumptions[i].reason);
	to->local_conns = from->local_conns;
	to->local_bytes = from->local_bytes;
	return r < 0 ? cli_fail(cli, r, "jobs of the plan") : 0;
}
