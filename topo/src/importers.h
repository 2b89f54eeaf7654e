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
