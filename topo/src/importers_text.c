/* SPDX-License-Identifier: Apache-2.0 */
#include "importers_text.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <base/str.h>

#define VALUE_BYTES_MAX 256u

int topo_import_assume(struct topo_graph *g, const char *name, const char *reason,
		       const char *fmt, ...)
{
	struct base_str value;
	va_list ap;
	int r;

	base_str_init(&value, VALUE_BYTES_MAX);
	va_start(ap, fmt);
	base_str_addv(&value, fmt, ap);
	va_end(ap);
	r = base_str_error(&value);
	if (r == 0)
		r = topo_graph_assume(g, name, base_str_text(&value), reason);
	base_str_fini(&value);
	return r;
}

int topo_import_one_file(const char *format, size_t n_sources, struct base_err *err)
{
	if (n_sources == 1)
		return 0;
	return base_err_set(err, -BASE_E_USAGE,
			    "a fabric of format \"%s\" is one file, not %zu", format,
			    n_sources);
}

struct topo_link topo_import_link(uint32_t a, uint32_t b, uint64_t rate_bps,
				  uint64_t delay_ns)
{
	return (struct topo_link){
		.a = a,
		.b = b,
		.rate_bps = rate_bps,
		.delay_ns = delay_ns,
		.port_a = TOPO_NONE,
		.port_b = TOPO_NONE,
		.address = TOPO_NONE,
		.state = TOPO_UP,
	};
}

/* Writes @stem and @number; both callers' stems are short. */
static size_t make_name(char name[32], const char *stem, uint32_t number)
{
	return (size_t)snprintf(name, 32, "%s%" PRIu32, stem, number);
}

int topo_import_add_host(struct topo_graph *g, const char *stem, uint32_t number,
			 uint32_t pod, uint32_t *ret_node, struct base_err *err)
{
	char name[32];
	size_t len = make_name(name, stem, number);

	return topo_graph_add_host(g, TOPO_NONE, name, len, pod, ret_node, err);
}

int topo_import_add_switch(struct topo_graph *g, const char *stem, uint32_t number,
			   uint32_t tier, uint32_t pod, uint32_t *ret_node,
			   struct base_err *err)
{
	char name[32];
	size_t len = make_name(name, stem, number);

	return topo_graph_add_switch(g, TOPO_NONE, name, len, tier, pod, TOPO_NONE,
				     TOPO_NONE, ret_node, err);
}

int topo_import_add_nic(struct topo_graph *g, uint32_t host, uint32_t number,
			uint32_t *ret_node, struct base_err *err)
{
	char name[32];
	size_t len = make_name(name, "nic", number);

	return topo_graph_add_nic(g, host, name, len, TOPO_NONE, ret_node, err);
}
