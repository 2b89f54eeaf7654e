/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading a fabric from bytes.  Each source format is one file, topo/src/import_<name>.c,
 * that exports one const struct topo_importer and is listed in topo/src/importers.c:
 * adding a format is adding a file and a row.
 */
#pragma once
#include <base/err.h>
#include <topo/graph.h>

BASE_BEGIN_DECLS

/* One input file, already in memory.  All borrowed for the call. */
struct topo_source {
	const char *name; /* for messages */
	const char *data; /* not terminated */
	size_t len;
};

/*
 * What the user says where a source is silent; 0: not said, the importer takes its
 * default and records it as an assumption.
 */
struct topo_import_options {
	uint64_t rate_bps; /* of links without a rate */
	uint32_t nics_per_host;
	uint32_t spines_per_pod;
	uint32_t cores;
};

struct topo_importer {
	const char *name; /* "ns3": what --from takes */
	const char *help; /* one line */
	/*
	 * How sure it is, 0..100, that @source is of its kind, from its first kilobytes;
	 * pure.
	 */
	unsigned (*sniff)(const struct topo_source *source);
	/*
	 * Adds what @sources (one at least) say to @g (empty; not sealed here).  @options
	 * is not NULL.  Errors are recorded with file, line and column.
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
 * Reads a fabric from @sources (one at least): by @format, or when that is NULL by the
 * importer that is surest of the first source.  @options may be NULL.  The result is
 * sealed and owned by the caller.
 *
 * -BASE_E_UNKNOWN: no such format, or none is over 50 sure; else what the importer or the
 * seal found, recorded with the file and where possible line and column; -ENOMEM.
 */
int topo_import(const char *format, const struct topo_source *sources, size_t n_sources,
		const struct topo_import_options *options, struct topo_graph **ret_g,
		struct base_err *err) BASE_MUST_CHECK;

/*
 * Reads our own document, "fairlead.fabric.v1" (docs/schema/fabric.v1.json, fabric(5)).
 * The result is sealed and owned by the caller.  Errors as of topo_import().
 */
int topo_load_json(const char *name, const char *data, size_t len,
		   struct topo_graph **ret_g, struct base_err *err) BASE_MUST_CHECK;

BASE_END_DECLS
