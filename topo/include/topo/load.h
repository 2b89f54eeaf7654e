/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading a fabric from bytes.  Each source format is one file, topo/src/import_<name>.c, that exports one
 * const struct topo_importer and is listed in topo/src/importers.c: adding a format is adding a file and a row.
 */
#pragma once
#include <base/err.h>
#include <topo/graph.h>

BASE_BEGIN_DECLS

/* One input file, already in memory. */
struct topo_source {
	const char *name; /* for messages */
	const char *data;
	size_t len;
};

/*
 * What the user says where a source is silent; 0 or TOPO_NONE: not said, the importer takes its default and
 * records it as an assumption.
 */
struct topo_import_options {
	uint64_t rate_bps;	 /* of links without a rate */
	uint32_t nics_per_host;
	uint32_t spines_per_pod;
	uint32_t cores;
};

struct topo_importer {
	const char *name;	 /* "ns3": what --from takes */
	const char *help;	 /* one line */
	/* How sure it is, 0..100, that @source is of its kind, from its first kilobytes; pure. */
	unsigned (*sniff)(const struct topo_source *source);
	/*
	 * Adds what @sources say to @g (empty, not sealed).  Errors are recorded with file, line and column.
	 */
	int (*import)(const struct topo_source *sources, size_t n_sources,
		      const struct topo_import_options *options, struct topo_graph *g,
		      struct base_err *err);
};

/* All importers, ended by NULL. */
const struct topo_importer *const *topo_importers(void);
/* NULL: no such format. */
const struct topo_importer *topo_importer_find(const char *name);

/*
 * Reads a fabric: by @format, or when it is NULL by the most certain sniffer (-BASE_E_UNKNOWN: none is over 50).
 * The result is sealed and owned by the caller.
 */
int topo_import(const char *format, const struct topo_source *sources, size_t n_sources,
		const struct topo_import_options *options, struct topo_graph **ret_g,
		struct base_err *err) BASE_MUST_CHECK;

/* Reads our own document, "fairlead.fabric.v1" (docs/schema/fabric.v1.json). */
int topo_load_json(const char *name, const char *data, size_t len, struct topo_graph **ret_g,
		   struct base_err *err) BASE_MUST_CHECK;

BASE_END_DECLS
