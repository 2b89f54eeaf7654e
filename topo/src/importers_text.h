/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the importers of text formats share.
 */
#pragma once
#include <base/compiler.h>
#include <base/err.h>
#include <topo/load.h>

/* Records an assumption whose value is made by @fmt.  0, -ENOMEM. */
int topo_import_assume(struct topo_graph *g, const char *name, const char *reason,
		       const char *fmt, ...) BASE_PRINTF(4, 5) BASE_MUST_CHECK;

/* Refuses anything but one source: @format ("ns3") is one file. */
int topo_import_one_file(const char *format, size_t n_sources,
			 struct base_err *err) BASE_MUST_CHECK;

/* An up link without port names and address. */
struct topo_link topo_import_link(uint32_t a, uint32_t b, uint64_t rate_bps,
				  uint64_t delay_ns);

/* Adds a host or a switch without parent whose name is @stem and @number: "h12". */
int topo_import_add_host(struct topo_graph *g, const char *stem, uint32_t number,
			 uint32_t pod, uint32_t *ret_node,
			 struct base_err *err) BASE_MUST_CHECK;
int topo_import_add_switch(struct topo_graph *g, const char *stem, uint32_t number,
			   uint32_t tier, uint32_t pod, uint32_t *ret_node,
			   struct base_err *err) BASE_MUST_CHECK;
/* Adds the NIC "nic<number>". */
int topo_import_add_nic(struct topo_graph *g, uint32_t host, uint32_t number,
			uint32_t *ret_node, struct base_err *err) BASE_MUST_CHECK;
