/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Our own document among the formats that can be imported.
 */
#define _GNU_SOURCE /* memmem */
#include "importers.h"
#include <string.h>

#define SCHEMA_STEM "\"fairlead.fabric."
#define SNIFFED_BYTES 4096u

/* Any version counts: the loader says better than "format not known" what is wrong with
 * it. */
static unsigned sniff_json(const struct topo_source *source)
{
	size_t len = source->len < SNIFFED_BYTES ? source->len : SNIFFED_BYTES, i = 0;

	while (i < len && (source->data[i] == ' ' || source->data[i] == '\t' ||
			   source->data[i] == '\r' || source->data[i] == '\n'))
		i++;
	if (i == len || source->data[i] != '{')
		return 0;
	return memmem(source->data, len, SCHEMA_STEM, strlen(SCHEMA_STEM)) ? 100 : 60;
}

static int import_json(const struct topo_source *sources, size_t n_sources,
		       const struct topo_import_options *options, struct topo_graph *g,
		       struct base_err *err)
{
	(void)options; /* the document is never silent */
	if (n_sources != 1)
		return base_err_set(err, -BASE_E_INVALID,
				    "a fabric in JSON is one file; %zu were given",
				    n_sources);
	return topo_load_json_into(&sources[0], g, err);
}

const struct topo_importer topo_import_json = {
	.name = "json",
	.help = "Fairlead's own fabric document, fairlead.fabric.v1",
	.sniff = sniff_json,
	.import = import_json,
};
