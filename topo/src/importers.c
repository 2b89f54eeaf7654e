/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The list of formats, and the way into all of them.
 */
#include "importers.h"
#include <base/str.h>
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define SURE_ENOUGH 50u

static const struct topo_importer *const importers[] = {
	&topo_import_json,
	&topo_import_ns3,
	&topo_import_htsim,
	&topo_import_lingjun,
	NULL,
};

#define N_IMPORTERS (BASE_COUNT(importers) - 1)

const struct topo_importer *const *topo_importers(void)
{
	return importers;
}

const struct topo_importer *topo_importer_find(const char *name)
{
	for (size_t i = 0; i < N_IMPORTERS; i++)
		if (strcmp(importers[i]->name, name) == 0)
			return importers[i];
	return NULL;
}

/* Records "text: json, ns3, ..." with the nearest to @name (NULL: none is looked for). */
static int fail_format(const char *text, const char *name, struct base_err *err)
{
	const char *names[N_IMPORTERS], *nearest;
	struct base_str list;

	base_str_init(&list, 0);
	for (size_t i = 0; i < N_IMPORTERS; i++) {
		names[i] = importers[i]->name;
		base_str_addf(&list, "%s%s", i > 0 ? ", " : "", names[i]);
	}
	nearest = name ? base_str_nearest(name, names, N_IMPORTERS) : NULL;
	if (nearest)
		base_err_set(err, -BASE_E_UNKNOWN, "%s; did you mean %s? (known are %s)",
			     text, nearest, base_str_text(&list));
	else
		base_err_set(err, -BASE_E_UNKNOWN, "%s; known are %s", text,
			     base_str_text(&list));
	base_str_fini(&list);
	return -BASE_E_UNKNOWN;
}

/* The surest for the first source, the first of those that are equally sure. */
static const struct topo_importer *sniff(const struct topo_source *source)
{
	const struct topo_importer *best = NULL;
	unsigned sureness = SURE_ENOUGH;

	for (size_t i = 0; i < N_IMPORTERS; i++) {
		unsigned its = importers[i]->sniff(source);

		if (its > sureness) {
			best = importers[i];
			sureness = its;
		}
	}
	return best;
}

static int choose(const char *format, const struct topo_source *source,
		  const struct topo_importer **ret_importer, struct base_err *err)
{
	const struct topo_importer *chosen;
	char text[100];

	if (format) {
		chosen = topo_importer_find(format);
		snprintf(text, sizeof(text), "no format is called \"%.40s\"", format);
	} else {
		chosen = sniff(source);
		snprintf(text, sizeof(text),
			 "the file is of no format that can be told: name it");
		base_err_at(err, source->name, 0, 0);
	}
	if (!chosen)
		return fail_format(text, format, err);
	*ret_importer = chosen;
	return 0;
}

int topo_import(const char *format, const struct topo_source *sources, size_t n_sources,
		const struct topo_import_options *options, struct topo_graph **ret_g,
		struct base_err *err)
{
	static const struct topo_import_options nothing_said = { 0 };
	const struct topo_importer *importer = NULL;
	struct topo_graph *g;
	int r;

	assert(n_sources > 0);
	r = choose(format, &sources[0], &importer, err);
	if (r < 0)
		return r;
	g = topo_graph_new();
	if (!g)
		return base_err_set(err, -ENOMEM, "out of memory");
	r = importer->import(sources, n_sources, options ? options : &nothing_said, g,
			     err);
	if (r == 0) {
		r = topo_graph_seal(g, err);
		if (r < 0)
			base_err_at(err, sources[0].name, 0, 0);
	}
	if (r < 0) {
		topo_graph_free(g);
		return r;
	}
	*ret_g = g;
	return 0;
}
