/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The page of the demonstration.  It is read as it is: no script, nothing from elsewhere.
 */
#include "demo.h"
#include "demo_style.h"
#include <base/mem.h>
#include <base/num.h>
#include <topo/write.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct page {
	struct cli *cli;
	struct base_str *into;
	uint32_t seeds;
};

/* Adds @text with what HTML would take for itself written out. */
static void add_text(struct base_str *s, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '&':
			base_str_add(s, "&amp;");
			break;
		case '<':
			base_str_add(s, "&lt;");
			break;
		case '>':
			base_str_add(s, "&gt;");
			break;
		case '"':
			base_str_add(s, "&quot;");
			break;
		default:
			base_str_add_char(s, *text);
		}
	}
}

static void add_element(struct base_str *s, const char *tag, const char *text)
{
	base_str_addf(s, "<%s>", tag);
	add_text(s, text);
	base_str_addf(s, "</%s>\n", tag);
}

/* "25.3 %", as a person would write it. */
static void add_percent(struct base_str *s, uint64_t ppm)
{
	char text[BASE_NUM_TEXT_MAX];

	base_str_addf(s, "%s&#8239;%%",
		      base_num_format_ppm(base_num_mul_div(ppm, 100, 1), 1, text));
}

static void add_ratio(struct base_str *s, uint64_t ppm)
{
	char text[BASE_NUM_TEXT_MAX];

	base_str_add(s, base_num_format_ppm(ppm, 2, text));
}

/* Percent with a point for CSS, at most 100. */
static void add_css_percent(struct base_str *s, uint64_t ppm)
{
	char text[BASE_NUM_TEXT_MAX];

	if (ppm > 1000000)
		ppm = 1000000;
	base_str_addf(s, "%s%%",
		      base_num_format_ppm(base_num_mul_div(ppm, 100, 1), 2, text));
}

static void add_gain(struct base_str *s, uint64_t value_ppm, uint64_t base_ppm)
{
	base_str_add(s, value_ppm < base_ppm ? "&minus;" : "+");
	add_percent(s, value_ppm < base_ppm ? cli_loss_ppm(value_ppm, base_ppm)
					    : cli_gain_ppm(value_ppm, base_ppm));
}

static void add_head(const struct page *p)
{
	struct base_str *s = p->into;

	base_str_add(s,
		     "<!doctype html>\n<html lang=\"en\">\n<head>\n"
		     "<meta charset=\"utf-8\">\n"
		     "<meta name=\"viewport\" content=\"width=device-width, "
		     "initial-scale=1\">\n"
		     "<meta name=\"color-scheme\" content=\"light dark\">\n"
		     "<title>Fairlead: what planned paths are worth</title>\n<style>\n");
	base_str_add(s, demo_style);
	base_str_add(s, "</style>\n</head>\n<body>\n<main>\n"
			"<div class=\"mark\">fairlead</div>\n"
			"<h1>What planning every queue pair's path is worth</h1>\n");
	base_str_addf(
		s,
		"<p class=\"lead\">Training jobs send few, large, long flows. Switches "
		"spread them by a hash, so some uplinks carry several and others none, "
		"and every step waits for the slowest. Here are five situations, each "
		"with and without a plan; without one, %" PRIu32
		" random draws of every setting.</p>\n",
		p->seeds);
}

static void add_overview_row(const struct page *p, const struct demo_result *res)
{
	const struct cli_unplanned *u = &res->unplanned;
	const struct planner_setting *usual = &u->settings[u->usual],
				     *best = &u->settings[u->best];
	uint64_t planned_ppm = res->planned.busbw.mean_ppm;
	struct base_str *s = p->into;
	char text[CLI_SETTING_TEXT_MAX];

	base_str_addf(s, "<tr><td><a href=\"#%s\">", res->what->id);
	add_text(s, res->what->name);
	base_str_add(s, "</a></td><td>");
	add_percent(s, usual->busbw.mean_ppm);
	base_str_add(s, "</td><td>");
	add_percent(s, u->settings[u->usual_4].busbw.mean_ppm);
	base_str_add(s, "</td><td>");
	add_percent(s, best->busbw.mean_ppm);
	base_str_add(s, "<small>");
	add_text(s, cli_setting_text(best, false, text));
	base_str_add(s, "</small></td><td>");
	add_percent(s, res->greedy.busbw.mean_ppm);
	base_str_addf(s, "<small>%s</small></td><td class=\"plan\">",
		      cli_qps_text(res->greedy.qps, text));
	add_percent(s, planned_ppm);
	base_str_addf(s, "<small>%s</small></td><td>",
		      cli_qps_text(res->planned.qps, text));
	add_gain(s, planned_ppm, usual->busbw.mean_ppm);
	base_str_add(s, "</td><td>");
	add_gain(s, planned_ppm, best->busbw.mean_ppm);
	base_str_add(s, "</td></tr>\n");
}

static void add_overview(const struct page *p, const struct demo_result *results)
{
	base_str_add(
		p->into,
		"<section class=\"card\">\n<h2>Bus bandwidth, as a share of line "
		"rate</h2>\n"
		"<div class=\"scroll\"><table "
		"class=\"overview\">\n<thead><tr><th>Situation"
		"</th><th>ECMP<small>1 QP</small></th><th>ECMP<small>4 QPs</small></th>"
		"<th>Best<small>unplanned</small></th><th>Greedy<small>least "
		"loaded</small>"
		"</th><th class=\"plan\">Planned</th><th>Gain over<small>ECMP, 1 "
		"QP</small>"
		"</th><th>Gain over<small>best "
		"unplanned</small></th></tr></thead>\n<tbody>\n");
	for (uint32_t i = 0; i < DEMO_CASES; i++)
		add_overview_row(p, &results[i]);
	base_str_add(p->into, "</tbody></table></div>\n</section>\n");
}

/* A row of a situation's table: mean as a bar, with the range over seeds on it. */
static void add_way(struct base_str *s, const char *way, const char *detail,
		    const struct planner_distribution *d, uint64_t load_ppm, bool planned)
{
	base_str_addf(s, "<tr%s><td>", planned ? " class=\"planned\"" : "");
	add_text(s, way);
	base_str_add(s, "<small>");
	add_text(s, detail);
	base_str_add(s, "</small></td><td class=\"wide\"><div class=\"bar\"><i "
			"style=\"width:");
	add_css_percent(s, d->mean_ppm);
	base_str_add(s, "\"></i>");
	if (d->best_ppm > d->worst_ppm) {
		base_str_add(s, "<b style=\"left:");
		add_css_percent(s, d->worst_ppm);
		base_str_add(s, ";width:");
		add_css_percent(s, d->best_ppm - d->worst_ppm);
		base_str_add(s, "\"></b>");
	}
	base_str_add(s, "</div></td><td>");
	add_percent(s, d->mean_ppm);
	base_str_add(s, "</td><td>");
	add_percent(s, d->worst_job_ppm);
	base_str_add(s, "</td><td>");
	add_ratio(s, load_ppm);
	base_str_add(s, "</td></tr>\n");
}

static void add_setting(const struct demo_result *res, const char *way, uint32_t index,
			struct base_str *s)
{
	const struct planner_setting *setting = &res->unplanned.settings[index];
	char text[CLI_SETTING_TEXT_MAX];

	add_way(s, way, cli_setting_text(setting, res->has_planes, text), &setting->busbw,
		setting->busbw.largest_load_mean_ppm, false);
}

static void add_worth(const char *way, const struct cli_worth *w, bool planned,
		      struct base_str *s)
{
	const struct planner_distribution d = {
		.mean_ppm = w->busbw.mean_ppm,
		.worst_job_ppm = w->busbw.worst_ppm,
	};
	char detail[CLI_QPS_TEXT_MAX];

	add_way(s, way, cli_qps_text(w->qps, detail), &d, w->largest_load_ppm, planned);
}

static void add_ways(const struct demo_result *res, struct base_str *s)
{
	base_str_add(s,
		     "<div class=\"scroll\"><table>\n<thead><tr><th>Paths chosen by</th>"
		     "<th class=\"wide\"></th><th>Bus bandwidth</th><th>Worst job</th>"
		     "<th>Largest load</th></tr></thead>\n<tbody>\n");
	add_setting(res, "ECMP, usual", res->unplanned.usual, s);
	if (res->has_planes)
		add_setting(res, "ECMP, a QP for each port",
			    cli_unplanned_find(&res->unplanned, 2, PLANNER_PLANES_KEPT),
			    s);
	add_setting(res, "ECMP, more QPs", res->unplanned.usual_4, s);
	add_setting(res, "Best unplanned setting", res->unplanned.best, s);
	add_worth("Least-loaded greedy", &res->greedy, false, s);
	add_worth("Planned", &res->planned, true, s);
	base_str_add(s, "</tbody></table></div>\n");
}

static char upper(char c)
{
	return (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
}

static void add_proof(const struct demo_result *res, struct base_str *s)
{
	bool proved = cli_is_proved(res->plan);
	struct base_str text;
	const char *line;

	base_str_init(&text, 0);
	cli_certificate_text(res->fabric.graph, res->plan, &text);
	base_str_addf(s, "<div class=\"proof%s\"><h3>%s</h3>\n", proved ? "" : " open",
		      proved ? "&#10003; Proved optimal" : "Certificate");
	for (line = base_str_text(&text); *line;) {
		size_t len = strcspn(line, "\n");
		struct base_str one;

		base_str_init(&one, 0);
		base_str_add_char(&one, upper(line[0]));
		base_str_add_len(&one, line + 1, len - 1);
		add_element(s, "p", base_str_text(&one));
		base_str_fini(&one);
		line += len + (line[len] == '\n');
	}
	base_str_add(s, "</div>\n");
	if (base_str_error(&text) < 0)
		s->error = base_str_error(&text);
	base_str_fini(&text);
}

static int add_figure(const struct page *p, const struct demo_result *res,
		      const struct planner_plan *plan, const char *caption)
{
	size_t n = 2 * (size_t)topo_graph_n_links(res->fabric.graph);
	uint64_t *loads = base_array_new(n, sizeof(*loads));
	struct topo_svg_options options = { .hop_load_ppm = loads, .embed = true };
	char ratio[BASE_NUM_TEXT_MAX];
	int r;

	if (!loads)
		return cli_no_memory(p->cli);
	r = planner_plan_loads(&res->problem, plan, TOPO_NONE, loads);
	if (r == 0) {
		base_str_addf(
			p->into,
			"<figure><figcaption><strong>%s</strong> <small>largest load "
			"%s</small></figcaption>\n",
			caption,
			base_num_format_ppm(plan->certificate.largest_load_ppm, 2,
					    ratio));
		topo_write_svg(res->fabric.graph, &options, p->into);
		base_str_add(p->into, "</figure>\n");
	}
	free(loads);
	return r < 0 ? cli_fail(p->cli, r, "loads") : 0;
}

static void add_commands(const struct page *p, const struct demo_case *what)
{
	struct base_str *s = p->into;

	base_str_add(s, "<pre>fairlead ");
	add_text(s, what->generate);
	base_str_add(s,
		     " -o fabric.json\nfairlead plan make --fabric fabric.json --job ");
	add_text(s, what->job);
	base_str_addf(s, " --qps %" PRIu32, what->qps);
	if (what->down)
		base_str_addf(s, " --down %s", what->down);
	base_str_add(s, " -o plan.json</pre>\n");
}

static int add_case(const struct page *p, const struct demo_result *res)
{
	struct base_str *s = p->into;
	int r;

	base_str_addf(s, "<section class=\"card\" id=\"%s\">\n", res->what->id);
	add_element(s, "h2", res->what->name);
	base_str_add(s, "<div class=\"two\">\n<div>\n");
	add_element(s, "p", res->what->about);
	add_element(s, "p", res->what->finding);
	base_str_add(s, "</div>\n");
	add_proof(res, s);
	base_str_add(s, "</div>\n");
	add_ways(res, s);
	base_str_add(s, "<div class=\"figures\">\n");
	r = add_figure(p, res, res->ecmp, "One draw of ECMP, 1 QP");
	if (r == 0)
		r = add_figure(p, res, res->plan, "Planned");
	base_str_add(s, "</div>\n");
	add_commands(p, res->what);
	base_str_add(s, "</section>\n");
	return r;
}

static void add_glossary(const struct page *p)
{
	base_str_addf(p->into,
		      "<section class=\"card\">\n<h2>How to read this</h2>\n<dl "
		      "style=\"margin-top:"
		      "16px\">\n"
		      "<dt>Bus bandwidth</dt><dd>The time a job's busiest NIC needs at "
		      "line rate over "
		      "the time its slowest connection needs, with all flows active and "
		      "rates shared "
		      "max-min fairly; mean over jobs. 100&#8239;%% is the ceiling. A "
		      "fluid model: no "
		      "packets, no congestion control.</dd>\n"
		      "<dt>Load</dt><dd>Bytes over rate of a link, in units of the time "
		      "the busiest "
		      "NIC needs: at 1 a link is exactly as busy as that NIC.</dd>\n"
		      "<dt>ECMP</dt><dd>Every switch picks one of its equal-cost links "
		      "by a hash. The "
		      "usual setting is one queue pair for each connection; the mean "
		      "and, as a dark "
		      "mark on the bar, the range over %" PRIu32 " draws.</dd>\n"
		      "<dt>Best unplanned</dt><dd>The best of 1, 2, 4, 8, 16 and 32 "
		      "queue pairs, with "
		      "bytes spread evenly or by speed, planes crossed or kept. It asks "
		      "senders for "
		      "many queue pairs and for moving bytes between them while they "
		      "run.</dd>\n"
		      "<dt>Greedy</dt><dd>Flows in order, each on the path whose fullest "
		      "link stays "
		      "emptiest, with all links in view. Beating ECMP alone would prove "
		      "little.</dd>\n"
		      "</dl>\n</section>\n",
		      p->seeds);
}

int cli_demo_page(struct cli *cli, const struct demo_result *results, uint32_t seeds,
		  struct base_str *into)
{
	const struct page p = { cli, into, seeds };
	int r = 0;

	add_head(&p);
	add_overview(&p, results);
	base_str_add(into,
		     "<div class=\"part\"><h2>A well-known situation</h2>\n"
		     "<p>It separates planning from hashing, but not planners from each "
		     "other: its leaf pairs are so regular that any sane planner, greedy "
		     "included, finds the best paths.</p></div>\n");
	for (uint32_t i = 0; r == 0 && i < DEMO_CASES; i++) {
		if (i == DEMO_CASES_KNOWN)
			base_str_add(
				into,
				"<div class=\"part\"><h2>Where planners differ</h2>\n"
				"<p>Random pairs and scattered hosts: placing one flow "
				"after the other no longer reaches what the fabric can "
				"carry.</p></div>\n");
		r = add_case(&p, &results[i]);
	}
	add_glossary(&p);
	base_str_add(into, "<footer>Made by fairlead " FAIRLEAD_VERSION
			   " demo. The same seed gives the same page.</footer>\n"
			   "</main>\n</body>\n</html>\n");
	return r;
}
