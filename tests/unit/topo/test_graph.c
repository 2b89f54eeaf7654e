/* SPDX-License-Identifier: Apache-2.0 */
#include <unit/rows.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <topo/graph.h>

/* group "a" with host "h" with NIC "n" and switch "s"; host "h2" with NIC "n"; switch "t"
 */
enum { GROUP, HOST, NIC, SWITCH, HOST2, NIC2, SWITCH2, N_NODES };

static struct topo_graph *small_graph(void)
{
	struct topo_graph *g = topo_graph_new();
	uint32_t node;

	assert_non_null(g);
	assert_int_equal(topo_graph_add_group(g, "a", 1, &node, NULL), 0);
	assert_int_equal(node, GROUP);
	assert_int_equal(topo_graph_add_host(g, GROUP, "h", 1, 3, &node, NULL), 0);
	assert_int_equal(node, HOST);
	assert_int_equal(topo_graph_add_nic(g, HOST, "n", 1, 2, &node, NULL), 0);
	assert_int_equal(node, NIC);
	assert_int_equal(topo_graph_add_switch(g, GROUP, "s", 1, 1, 3, 1, 2, &node, NULL),
			 0);
	assert_int_equal(node, SWITCH);
	assert_int_equal(
		topo_graph_add_host(g, TOPO_NONE, "h2", 2, TOPO_NONE, &node, NULL), 0);
	assert_int_equal(topo_graph_add_nic(g, HOST2, "n", 1, TOPO_NONE, &node, NULL), 0);
	assert_int_equal(topo_graph_add_switch(g, TOPO_NONE, "t", 1, 0, TOPO_NONE,
					       TOPO_NONE, TOPO_NONE, &node, NULL),
			 0);
	assert_int_equal(node, SWITCH2);
	assert_int_equal(topo_graph_n_nodes(g), N_NODES);
	return g;
}

struct node_case {
	const char *name;
	enum topo_kind kind;
	uint32_t parent;
	const char *local_name;
	size_t len;	 /* 0: all of it */
	uint32_t number; /* plane of a switch, pod of a host, rail of a NIC */
	int want;
	const char *message;
};

static char long_name[TOPO_NAME_MAX + 2];

static struct node_case node_cases[] = {
	{ "a name may repeat below another parent", TOPO_SWITCH, TOPO_NONE, "s", 0, 0, 0,
	  "" },
	{ "a name may be UTF-8", TOPO_HOST, TOPO_NONE, "h\xC3\xA9", 0, 0, 0, "" },
	{ "a name may be 255 bytes", TOPO_HOST, TOPO_NONE, long_name, TOPO_NAME_MAX, 0, 0,
	  "" },
	{ "only @len bytes count", TOPO_HOST, TOPO_NONE, "h2 x", 1, 0, 0, "" },
	{ "a switch twice", TOPO_SWITCH, TOPO_NONE, "t", 0, 0, -BASE_E_DUPLICATE,
	  "there is already a switch \"t\"" },
	{ "two kinds of one name", TOPO_HOST, TOPO_NONE, "t", 0, 0, -BASE_E_DUPLICATE,
	  "there is already a switch \"t\"" },
	{ "a NIC twice in a host", TOPO_NIC, HOST, "n", 0, 0, -BASE_E_DUPLICATE,
	  "there is already a NIC \"a.h.n\"" },
	{ "a full name that is taken further down", TOPO_SWITCH, TOPO_NONE, "a.h.n", 0, 0,
	  -BASE_E_DUPLICATE, "there is already a NIC \"a.h.n\"" },
	{ "an empty name", TOPO_HOST, TOPO_NONE, "", 0, 0, -BASE_E_INVALID,
	  "the name of a host must not be empty" },
	{ "a name of 256 bytes", TOPO_HOST, TOPO_NONE, long_name, TOPO_NAME_MAX + 1, 0,
	  -BASE_E_INVALID, "the name of a host has 256 bytes; at most 255 are allowed" },
	{ "a blank in a name", TOPO_NIC, HOST, "nic 0", 0, 0, -BASE_E_INVALID,
	  "the name of a NIC must not hold blanks, control characters, '>' or ','; "
	  "found 0x20 after \"nic\"" },
	{ "a newline in a name", TOPO_GROUP, TOPO_NONE, "\n", 0, 0, -BASE_E_INVALID,
	  "the name of a group must not hold blanks, control characters, '>' or ','; "
	  "found 0x0A after \"\"" },
	{ "an arrow in a name", TOPO_SWITCH, TOPO_NONE, "x>y", 0, 0, -BASE_E_INVALID,
	  "the name of a switch must not hold blanks, control characters, '>' or ','; "
	  "found 0x3E after \"x\"" },
	{ "a name that is no UTF-8", TOPO_SWITCH, TOPO_NONE, "x\xC3", 0, 0,
	  -BASE_E_INVALID, "the name of a switch must be UTF-8" },
	{ "a NIC without a host", TOPO_NIC, TOPO_NONE, "x", 0, 0, -BASE_E_INVALID,
	  "the parent of a NIC is no node" },
	{ "a NIC in a switch", TOPO_NIC, SWITCH, "x", 0, 0, -BASE_E_INVALID,
	  "the parent of a NIC must be a host, not a switch" },
	{ "a host in a host", TOPO_HOST, HOST, "x", 0, 0, -BASE_E_INVALID,
	  "the parent of a host must be a group, not a host" },
	{ "a parent that is one past the end", TOPO_SWITCH, N_NODES, "x", 0, 0,
	  -BASE_E_INVALID, "the parent of a switch is no node" },
	{ "the largest plane", TOPO_SWITCH, TOPO_NONE, "x", 0, TOPO_PLANES_MAX - 1, 0,
	  "" },
	{ "a plane over the largest", TOPO_SWITCH, TOPO_NONE, "x", 0, TOPO_PLANES_MAX,
	  -BASE_E_INVALID, "plane 1024 is over the largest, 1023" },
	{ "a pod over the largest", TOPO_HOST, TOPO_NONE, "x", 0, TOPO_PODS_MAX,
	  -BASE_E_INVALID, "pod 1000000 is over the largest, 999999" },
	{ "a rail over the largest", TOPO_NIC, HOST, "x", 0, TOPO_RAILS_MAX,
	  -BASE_E_INVALID, "rail 1024 is over the largest, 1023" },
};

static int add_node(struct topo_graph *g, const struct node_case *c, uint32_t *ret_node,
		    struct base_err *err)
{
	size_t len = c->len ? c->len : strlen(c->local_name);

	switch (c->kind) {
	case TOPO_GROUP:
		return topo_graph_add_group(g, c->local_name, len, ret_node, err);
	case TOPO_HOST:
		return topo_graph_add_host(g, c->parent, c->local_name, len, c->number,
					   ret_node, err);
	case TOPO_NIC:
		return topo_graph_add_nic(g, c->parent, c->local_name, len, c->number,
					  ret_node, err);
	case TOPO_SWITCH:
		break;
	}
	return topo_graph_add_switch(g, c->parent, c->local_name, len, 1, 0, c->number, 0,
				     ret_node, err);
}

static void test_add_node(void **state)
{
	const struct node_case *c = *state;
	struct topo_graph *g = small_graph();
	uint64_t before = topo_graph_fingerprint(g);
	struct base_err err = { 0 };
	uint32_t node = 77;

	assert_int_equal(add_node(g, c, &node, &err), c->want);
	assert_string_equal(err.message, c->message);
	assert_int_equal(node, c->want == 0 ? N_NODES : 77);
	assert_int_equal(topo_graph_n_nodes(g), N_NODES + (c->want == 0));
	if (c->want < 0)
		assert_int_equal(topo_graph_fingerprint(g), before);
	else
		assert_int_not_equal(topo_graph_fingerprint(g), before);
	topo_graph_free(g);
}

struct link_case {
	const char *name;
	struct topo_link link;
	const char *port; /* of end a, NULL: none */
	int want;
	const char *message;
};

#define NO_TEXTS .port_a = TOPO_NONE, .port_b = TOPO_NONE, .address = TOPO_NONE

static struct link_case link_cases[] = {
	{ "a NIC and a switch", { NIC, SWITCH, 1, 0, NO_TEXTS }, NULL, 0, "" },
	{ "a switch and a NIC", { SWITCH, NIC, 1, 0, NO_TEXTS }, NULL, 0, "" },
	{ "two switches", { SWITCH, SWITCH2, 1, 5, NO_TEXTS }, "et-0/0/1", 0, "" },
	{ "the largest rate",
	  { SWITCH, SWITCH2, TOPO_RATE_MAX_BPS, 0, NO_TEXTS },
	  NULL,
	  0,
	  "" },
	{ "an end that is one past the last node",
	  { NIC, N_NODES, 1, 0, NO_TEXTS },
	  NULL,
	  -ENOENT,
	  "an end of the link is no node" },
	{ "no end",
	  { TOPO_NONE, NIC, 1, 0, NO_TEXTS },
	  NULL,
	  -ENOENT,
	  "an end of the link is no node" },
	{ "no rate",
	  { NIC, SWITCH, 0, 0, NO_TEXTS },
	  NULL,
	  -BASE_E_INVALID,
	  "the rate of a link must be above 0" },
	{ "a rate over the ceiling",
	  { NIC, SWITCH, TOPO_RATE_MAX_BPS + 1, 0, NO_TEXTS },
	  NULL,
	  -BASE_E_TOO_LARGE,
	  "the rate of a link is at most 1 Pbit/s" },
	{ "a delay over the ceiling",
	  { NIC, SWITCH, 1, TOPO_DELAY_MAX_NS + 1, NO_TEXTS },
	  NULL,
	  -BASE_E_TOO_LARGE,
	  "the delay of a link is at most 1000 s" },
	{ "a self loop",
	  { SWITCH, SWITCH, 1, 0, NO_TEXTS },
	  NULL,
	  -BASE_E_INVALID,
	  "the link joins \"a.s\" to itself" },
	{ "two NICs",
	  { NIC, NIC2, 1, 0, NO_TEXTS },
	  NULL,
	  -BASE_E_INVALID,
	  "the link joins two NICs, \"a.h.n\" and \"h2.n\"; one end must be a switch" },
	{ "a host",
	  { HOST2, SWITCH, 1, 0, NO_TEXTS },
	  NULL,
	  -BASE_E_INVALID,
	  "a link joins NICs and switches; \"h2\" is a host" },
	{ "a group",
	  { SWITCH, GROUP, 1, 0, NO_TEXTS },
	  NULL,
	  -BASE_E_INVALID,
	  "a link joins NICs and switches; \"a\" is a group" },
	{ "a port name that a path could not show",
	  { SWITCH, SWITCH2, 1, 0, NO_TEXTS },
	  "port 1",
	  -BASE_E_INVALID,
	  "the name of a port must not hold blanks, control characters, '>' or ','; "
	  "found 0x20 after \"port\"" },
	{ "an address where no NIC is",
	  { SWITCH, SWITCH2, 1, 0, .port_a = TOPO_NONE, .port_b = TOPO_NONE,
	    .address = 0 },
	  NULL,
	  -BASE_E_INVALID,
	  "only the NIC end of a link has an address" },
};

static void test_add_link(void **state)
{
	const struct link_case *c = *state;
	struct topo_graph *g = small_graph();
	struct topo_link link = c->link;
	struct base_err err = { 0 };
	uint32_t id = 77;

	if (c->port)
		assert_int_equal(
			topo_graph_intern(g, c->port, strlen(c->port), &link.port_a), 0);
	assert_int_equal(topo_graph_add_link(g, &link, &id, &err), c->want);
	assert_string_equal(err.message, c->message);
	assert_int_equal(id, c->want == 0 ? 0 : 77);
	assert_int_equal(topo_graph_n_links(g), c->want == 0);
	topo_graph_free(g);
}

static void test_nodes_are_kept(void **state)
{
	struct topo_graph *g = small_graph();
	const struct topo_node *nodes = topo_graph_nodes(g);

	(void)state;
	assert_int_equal(nodes[NIC].parent, HOST);
	assert_int_equal(nodes[NIC].kind, TOPO_NIC);
	assert_int_equal(nodes[NIC].rail, 2);
	assert_int_equal(nodes[NIC].pod, TOPO_NONE);
	assert_string_equal(topo_graph_text(g, nodes[NIC].name), "n");
	assert_int_equal(nodes[NIC].name, nodes[NIC2].name); /* stored once */
	assert_int_equal(nodes[SWITCH].tier, 1);
	assert_int_equal(nodes[SWITCH].pod, 3);
	assert_int_equal(nodes[SWITCH].plane, 1);
	assert_int_equal(nodes[SWITCH].rail, 2);
	assert_int_equal(nodes[HOST].pod, 3);
	assert_int_equal(topo_graph_count(g, TOPO_GROUP), 1);
	assert_int_equal(topo_graph_count(g, TOPO_HOST), 2);
	assert_int_equal(topo_graph_count(g, TOPO_NIC), 2);
	assert_int_equal(topo_graph_count(g, TOPO_SWITCH), 2);
	assert_int_equal(topo_graph_n_planes(g), 2);
	topo_graph_free(g);
}

static void test_tier_ceiling(void **state)
{
	struct topo_graph *g = small_graph();
	struct base_err err = { 0 };

	(void)state;
	assert_int_equal(topo_graph_add_switch(g, TOPO_NONE, "x", 1, TOPO_TIERS_MAX + 1,
					       0, 0, 0, NULL, &err),
			 -BASE_E_INVALID);
	assert_string_equal(err.message, "tier 256 is over the largest, 255");
	topo_graph_free(g);
}

static uint32_t find(const struct topo_graph *g, const char *name)
{
	return topo_graph_find(g, name, strlen(name));
}

static void test_find(void **state)
{
	struct topo_graph *g = small_graph();

	(void)state;
	assert_int_equal(find(g, "a"), GROUP);
	assert_int_equal(find(g, "a.h"), HOST);
	assert_int_equal(find(g, "a.h.n"), NIC);
	assert_int_equal(find(g, "h2.n"), NIC2);
	assert_int_equal(find(g, "a.h.nn"), TOPO_NONE);
	assert_int_equal(find(g, "h.n"), TOPO_NONE);
	assert_int_equal(find(g, ".t"), TOPO_NONE);
	assert_int_equal(find(g, ""), TOPO_NONE);
	assert_int_equal(topo_graph_find(g, "a.h.n", 3), HOST);
	topo_graph_free(g);
}

static void test_find_in_empty(void **state)
{
	struct topo_graph *g = topo_graph_new();

	(void)state;
	assert_int_equal(find(g, "a"), TOPO_NONE);
	topo_graph_free(g);
	topo_graph_free(NULL);
}

/* Dots in local names make full names that could be taken apart in two ways. */
static void test_dots(void **state)
{
	struct topo_graph *g = small_graph();
	uint32_t host, nic;

	(void)state;
	assert_int_equal(topo_graph_add_host(g, TOPO_NONE, "x.y", 3, 0, &host, NULL), 0);
	assert_int_equal(topo_graph_add_nic(g, host, "z", 1, 0, &nic, NULL), 0);
	assert_int_equal(topo_graph_add_host(g, TOPO_NONE, "x", 1, 0, &host, NULL), 0);
	assert_int_equal(topo_graph_add_nic(g, host, "y.z", 3, 0, NULL, NULL),
			 -BASE_E_DUPLICATE);
	assert_int_equal(topo_graph_add_nic(g, host, "y", 1, 0, NULL, NULL),
			 -BASE_E_DUPLICATE);
	assert_int_equal(find(g, "x.y.z"), nic);
	topo_graph_free(g);
}

struct text_case {
	const char *name;
	const char *text;
	size_t len;
	int want;
};

static char long_text[TOPO_TEXT_MAX + 1];

static struct text_case text_cases[] = {
	{ "an address is a text", "fe80::1", 7, 0 },
	{ "a text may be empty", "", 0, 0 },
	{ "a text may hold blanks", "a b", 3, 0 },
	{ "a text of the largest size", long_text, TOPO_TEXT_MAX, 0 },
	{ "a text over the largest size", long_text, TOPO_TEXT_MAX + 1,
	  -BASE_E_TOO_LARGE },
	{ "a control character in a text", "a\tb", 3, -BASE_E_INVALID },
	{ "a NUL in a text", "a\0b", 3, -BASE_E_INVALID },
	{ "a DEL in a text", "\x7F", 1, -BASE_E_INVALID },
	{ "a text that is no UTF-8", "\xFF", 1, -BASE_E_INVALID },
};

static void test_intern(void **state)
{
	const struct text_case *c = *state;
	struct topo_graph *g = small_graph();
	uint32_t text = 77, again = 78;

	assert_int_equal(topo_graph_intern(g, c->text, c->len, &text), c->want);
	if (c->want < 0) {
		assert_int_equal(text, 77);
	} else {
		assert_int_equal(strlen(topo_graph_text(g, text)), c->len);
		assert_memory_equal(topo_graph_text(g, text), c->text, c->len);
		assert_int_equal(topo_graph_intern(g, c->text, c->len, &again), 0);
		assert_int_equal(again, text);
	}
	assert_string_equal(topo_graph_text(g, TOPO_NONE), "");
	topo_graph_free(g);
}

static void test_assumptions(void **state)
{
	struct topo_graph *g = small_graph();
	struct topo_assumption a;
	char value[16];

	(void)state;
	assert_int_equal(topo_graph_assume(g, "rate", "1", "because"), 0);
	assert_int_equal(topo_graph_assume(g, "rate", "2", "because"), 0);
	assert_int_equal(topo_graph_assume(g, "rate", "1", "for another reason"), 0);
	assert_int_equal(topo_graph_n_assumptions(g), 2);
	a = topo_graph_assumption(g, 0);
	assert_string_equal(a.name, "rate");
	assert_string_equal(a.value, "1");
	assert_string_equal(a.reason, "because");
	assert_string_equal(topo_graph_assumption(g, 1).value, "2");
	assert_int_equal(topo_graph_assume(g, "rate", "\n", "x"), -BASE_E_INVALID);
	for (unsigned i = 2; i < TOPO_ASSUMPTIONS_MAX; i++) {
		snprintf(value, sizeof(value), "v%u", i);
		assert_int_equal(topo_graph_assume(g, "rate", value, "x"), 0);
	}
	assert_int_equal(topo_graph_assume(g, "rate", "more", "x"), -BASE_E_TOO_LARGE);
	assert_int_equal(topo_graph_n_assumptions(g), TOPO_ASSUMPTIONS_MAX);
	topo_graph_free(g);
}

static uint32_t add_plain_link(struct topo_graph *g, uint32_t a, uint32_t b)
{
	struct topo_link link = { .a = a, .b = b, .rate_bps = 1, NO_TEXTS };
	uint32_t id;

	assert_int_equal(topo_graph_add_link(g, &link, &id, NULL), 0);
	return id;
}

static void test_link_plane(void **state)
{
	struct topo_graph *g = small_graph();
	uint32_t to_plane = add_plain_link(g, NIC, SWITCH);
	uint32_t plain = add_plain_link(g, NIC2, SWITCH2);
	uint32_t mixed = add_plain_link(g, SWITCH2, SWITCH);

	(void)state;
	assert_int_equal(topo_graph_link_plane(g, to_plane), 1);
	assert_int_equal(topo_graph_link_plane(g, plain), 0);
	assert_int_equal(topo_graph_link_plane(g, mixed), 1);
	topo_graph_free(g);
}

static void test_many_nodes(void **state)
{
	struct topo_graph *g = topo_graph_new();
	char name[16];

	(void)state;
	for (uint32_t i = 0; i < 5000; i++) {
		int n = snprintf(name, sizeof(name), "h%u", i);

		assert_int_equal(
			topo_graph_add_host(g, TOPO_NONE, name, (size_t)n, 0, NULL, NULL),
			0);
	}
	for (uint32_t i = 0; i < 5000; i++) {
		snprintf(name, sizeof(name), "h%u", i);
		assert_int_equal(find(g, name), i);
	}
	assert_int_equal(find(g, "h5000"), TOPO_NONE);
	topo_graph_free(g);
}

static void test_kind_text(void **state)
{
	(void)state;
	assert_string_equal(topo_kind_text(TOPO_GROUP), "group");
	assert_string_equal(topo_kind_text(TOPO_HOST), "host");
	assert_string_equal(topo_kind_text(TOPO_NIC), "NIC");
	assert_string_equal(topo_kind_text(TOPO_SWITCH), "switch");
}

int main(void)
{
	struct rows rows = { 0 };

	memset(long_name, 'x', TOPO_NAME_MAX + 1);
	memset(long_text, 'x', TOPO_TEXT_MAX + 1);
	rows_add_test(&rows, "nodes are kept as they were added", test_nodes_are_kept);
	rows_add_test(&rows, "a tier has a ceiling", test_tier_ceiling);
	rows_add_test(&rows, "a node is found by its full name only", test_find);
	rows_add_test(&rows, "an empty graph has no names", test_find_in_empty);
	rows_add_test(&rows, "full names are unique with dots in local names too",
		      test_dots);
	rows_add_test(&rows, "an assumption is recorded once", test_assumptions);
	rows_add_test(&rows, "the plane of a link is that of its switch",
		      test_link_plane);
	rows_add_test(&rows, "many names are all found", test_many_nodes);
	rows_add_test(&rows, "kinds have names", test_kind_text);
	ROWS_ADD(&rows, test_add_node, node_cases);
	ROWS_ADD(&rows, test_add_link, link_cases);
	ROWS_ADD(&rows, test_intern, text_cases);
	return rows_run(&rows, "topo/graph");
}
