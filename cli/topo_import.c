/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fairlead topo import
 */
#include "commands.h"
#include "topo.h"
#include <base/mem.h>
#include <stdlib.h>

const struct base_opt cli_topo_import_options[] = {
	{ .name = "from",
	  .kind = BASE_OPT_STRING,
	  .value = "FORMAT",
	  .help = "json, ns3, htsim or lingjun (default: what the file looks like)" },
	{ .name = "rate",
	  .kind = BASE_OPT_RATE,
	  .value = "RATE",
	  .help = "of links without one in the source",
	  .min = 1,
	  .max = TOPO_RATE_MAX_BPS },
	{ .name = "nics-per-host",
	  .kind = BASE_OPT_U64,
	  .value = "N",
	  .help = "NICs of a host, where the source does not say",
	  .min = 1,
	  .max = UINT32_MAX },
	{ .name = "spines-per-pod",
	  .kind = BASE_OPT_U64,
	  .value = "N",
	  .help = "spines of a pod, where the source does not say",
	  .min = 1,
	  .max = UINT32_MAX },
	{ .name = "cores",
	  .kind = BASE_OPT_U64,
	  .value = "N",
	  .help = "core switches, where the source does not say",
	  .min = 1,
	  .max = UINT32_MAX },
	CLI_TOPO_OUT_OPTION,
	{ 0 },
};

int cli_topo_import(const struct base_opt_values *v, void *context)
{
	struct cli *cli = context;
	struct topo_import_options options = {
		.rate_bps = base_opt_number(v, "rate"),
		.nics_per_host = (uint32_t)base_opt_number(v, "nics-per-host"),
		.spines_per_pod = (uint32_t)base_opt_number(v, "spines-per-pod"),
		.cores = (uint32_t)base_opt_number(v, "cores"),
	};
	size_t n = base_opt_n_args(v);
	const char **files = base_array_new(n, sizeof(*files));
	struct cli_fabric f;
	int r;

	if (!files)
		return cli_no_memory(cli);
	for (size_t i = 0; i < n; i++)
		files[i] = base_opt_arg(v, i);
	r = cli_fabric_read(cli, base_opt_string(v, "from"), files, n, &options, &f);
	free(files);
	if (r < 0)
		return r;
	r = cli_topo_deliver(cli, v, f.graph);
	cli_fabric_fini(&f);
	return r;
}
