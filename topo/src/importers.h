/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of the list in importers.c: one for each file import_<name>.c.
 */
#pragma once
#include <topo/load.h>

extern const struct topo_importer topo_import_json;
extern const struct topo_importer topo_import_ns3;
extern const struct topo_importer topo_import_htsim;
extern const struct topo_importer topo_import_lingjun;

/* Adds what a document "fairlead.fabric.v1" says to @g (empty); does not seal it. */
int topo_load_json_into(const struct topo_source *source, struct topo_graph *g,
			struct base_err *err) BASE_MUST_CHECK;
