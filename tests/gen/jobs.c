/* SPDX-License-Identifier: Apache-2.0 */
#include <gen/jobs.h>
#include <stdlib.h>
#include <string.h>
#include <topo/generate.h>

#define RATE_BPS 400000000000u

void gen_job_init_on(struct gen_job *j, struct topo_graph *graph)
{
	memset(j, 0, sizeof(*j));
	j->graph = graph;
	if (topo_names_new(graph, &j->names) < 0)
		abort();
	planner_problem_init(&j->p, graph);
	j->options.placement = PLANNER_PACKED;
}

void gen_job_init(struct gen_job *j, uint32_t leaves, uint32_t nics_per_leaf,
		  uint32_t nics_per_host)
{
	struct topo_clos2 shape = {
		.leaves = leaves,
		.nics_per_leaf = nics_per_leaf,
		.spines = 2,
		.nics_per_host = nics_per_host,
		.nic_rate_bps = RATE_BPS,
	};
	struct topo_graph *graph;

	if (topo_generate_clos2(&shape, &graph, NULL) < 0)
		abort();
	gen_job_init_on(j, graph);
}

void gen_job_fini(struct gen_job *j)
{
	planner_problem_fini(&j->p);
	topo_names_free(j->names);
	topo_graph_free(j->graph);
}

static int read_job(struct gen_job *j, const char *name, const char *data, size_t len)
{
	base_err_clear(&j->err);
	return planner_job_read(&j->p, j->names, name, data, len, &j->options, &j->err);
}

int gen_job_form(struct gen_job *j, const char *form)
{
	return read_job(j, form, NULL, 0);
}

int gen_job_text(struct gen_job *j, const char *text)
{
	return read_job(j, "f", text, strlen(text));
}

int gen_job_bytes(struct gen_job *j, const char *data, size_t len)
{
	return read_job(j, "f", data, len);
}

const char *gen_job_assumed(const struct gen_job *j, const char *name)
{
	for (uint32_t i = 0; i < j->p.n_assumptions; i++)
		if (strcmp(j->p.assumptions[i].name, name) == 0)
			return j->p.assumptions[i].value;
	return NULL;
}

void gen_job_print(const struct gen_job *j, struct base_str *into)
{
	for (uint32_t i = 0; i < j->p.n_conns; i++) {
		const struct planner_conn *c = &j->p.conns[i];

		topo_name_node(j->graph, c->src_nic, into);
		base_str_add_char(into, '>');
		topo_name_node(j->graph, c->dst_nic, into);
		base_str_add_char(into, ' ');
		base_str_add_u64(into, c->bytes);
		if (c->phase > 0)
			base_str_addf(into, " phase %u", c->phase);
		if (c->job > 0)
			base_str_addf(into, " job %u", c->job);
		if (c->plane != TOPO_NONE)
			base_str_addf(into, " plane %u", c->plane);
		base_str_add_char(into, '\n');
	}
}

bool gen_job_is_empty(const struct gen_job *j)
{
	const struct planner_problem *p = &j->p;

	return p->n_conns == 0 && p->n_jobs == 0 && p->n_phases == 0 &&
	       p->local_conns == 0 && p->local_bytes == 0 && p->n_assumptions == 0;
}

static bool is_sound_conn(const struct gen_job *j, const struct planner_conn *c)
{
	const struct topo_node *nodes = topo_graph_nodes(j->graph);
	uint32_t n = topo_graph_n_nodes(j->graph);

	return c->src_nic < n && c->dst_nic < n && nodes[c->src_nic].kind == TOPO_NIC &&
	       nodes[c->dst_nic].kind == TOPO_NIC &&
	       nodes[c->src_nic].parent != nodes[c->dst_nic].parent &&
	       c->job < j->p.n_jobs && c->phase < j->p.n_phases && c->bytes > 0 &&
	       c->bytes <= PLANNER_BYTES_MAX &&
	       (c->plane == TOPO_NONE || c->plane < topo_graph_n_planes(j->graph));
}

bool gen_job_is_sound(const struct gen_job *j, int r)
{
	if (r > 0 || j->p.n_phases > PLANNER_PHASES_MAX)
		return false;
	if (r < 0)
		return gen_job_is_empty(j) && j->err.code == r &&
		       j->err.message[0] != '\0';
	for (uint32_t i = 0; i < j->p.n_conns; i++)
		if (!is_sound_conn(j, &j->p.conns[i]))
			return false;
	return true;
}
