/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include <base/rng.h>
#include <topo/load.h>
#include <topo/name.h>
#include <topo/path.h>

/*
 * Two hosts on leaves x and y (c too, beside b on y), two spines; x has two links to s0
 * and one to s1, y one to each: h0 to h1 has three paths.
 */
static const char fabric[] =
	"{\"schema\": \"fairlead.fabric.v1\", \"hosts\": [{\"name\": \"a\", \"nics\": "
	"[\"n\"]},"
	"{\"name\": \"b\", \"nics\": [\"n\"]}, {\"name\": \"c\", \"nics\": [\"n\"]},"
	"{\"name\": \"d\", \"nics\": [\"n\"]}],"
	"\"switches\": [{\"name\": \"x\"}, {\"name\": \"y\"}, {\"name\": \"s0\"}, "
	"{\"name\": \"s1\"},"
	"{\"name\": \"z\"}],"
	"\"links\": [[\"a.n\", \"x\", 1], [\"b.n\", \"y\", 1], [\"c.n\", \"y\", 1],"
	"[\"x\", \"s0\", 1], [\"s1\", \"x\", 1], [\"x\", \"s0\", 1],"
	"[\"y\", \"s1\", 1], [\"y\", \"s0\", 1], [\"d.n\", \"z\", 1]]}";

struct fixture {
	struct topo_graph *g;
	struct topo_paths *p;
	uint32_t a, b, c, d;
};

static int set_up(void **state)
{
	static struct fixture f;

	if (topo_load_json("test", fabric, strlen(fabric), &f.g, NULL) < 0 ||
	    topo_paths_new(f.g, &f.p) < 0)
		return -1;
	f.a = topo_graph_find(f.g, "a.n", 3);
	f.b = topo_graph_find(f.g, "b.n", 3);
	f.c = topo_graph_find(f.g, "c.n", 3);
	f.d = topo_graph_find(f.g, "d.n", 3);
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	topo_paths_free(f->p);
	topo_paths_free(NULL);
	topo_graph_free(f->g);
	return 0;
}

static void assert_path(const struct fixture *f, uint64_t index, const char *want)
{
	uint32_t hops[TOPO_PATH_HOPS_MAX];
	struct base_str text;
	int n = topo_paths_get(f->p, f->a, index, hops);

	assert_true(n > 0);
	base_str_init(&text, 0);
	topo_name_path(f->g, hops, (size_t)n, &text);
	assert_string_equal(base_str_text(&text), want);
	base_str_fini(&text);
}

/* By link ids, the first difference from the source decides. */
static void test_order(void **state)
{
	struct fixture *f = *state;
	uint32_t hops[TOPO_PATH_HOPS_MAX] = { 77 };

	assert_int_equal(topo_paths_aim(f->p, f->b, TOPO_NONE), 0);
	assert_int_equal(topo_paths_count(f->p, f->a), 3);
	assert_int_equal(topo_paths_length(f->p, f->a), 4);
	assert_path(f, 0, "a.n > x >#1 s0 > y > b.n");
	assert_path(f, 1, "a.n > x > s1 > y > b.n");
	assert_path(f, 2, "a.n > x >#2 s0 > y > b.n");
	assert_int_equal(topo_paths_get(f->p, f->a, 3, hops), -ENOENT);
	assert_int_equal(hops[0], 77);
}

static void test_same_leaf(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(topo_paths_aim(f->p, f->b, TOPO_NONE), 0);
	assert_int_equal(topo_paths_count(f->p, f->c), 1);
	assert_int_equal(topo_paths_length(f->p, f->c), 2);
}

static void test_no_path(void **state)
{
	struct fixture *f = *state;
	struct base_rng rng;
	uint32_t hops[TOPO_PATH_HOPS_MAX];

	base_rng_seed(&rng, 1);
	assert_int_equal(topo_paths_count(f->p, f->a), 0); /* no aim yet */
	assert_int_equal(topo_paths_length(f->p, f->a), 0);
	assert_int_equal(topo_paths_get(f->p, f->a, 0, hops), -ENOENT);
	assert_int_equal(topo_paths_random(f->p, f->a, &rng, hops), -ENOENT);
	assert_int_equal(topo_paths_aim(f->p, f->d, TOPO_NONE), 0); /* another island */
	assert_int_equal(topo_paths_count(f->p, f->a), 0);
	assert_int_equal(topo_paths_random(f->p, f->a, &rng, hops), -ENOENT);
	assert_int_equal(topo_paths_count(f->p, f->d), 0); /* itself */
	assert_int_equal(topo_paths_length(f->p, f->d), 0);
	assert_int_equal(topo_paths_get(f->p, f->d, 0, hops), -ENOENT);
}

/* A failed aim leaves the earlier one. */
static void test_dead_destination(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(topo_paths_aim(f->p, f->b, TOPO_NONE), 0);
	topo_graph_set_state(f->g, 8, TOPO_DOWN);
	assert_int_equal(topo_paths_aim(f->p, f->d, TOPO_NONE), -ENOENT);
	assert_int_equal(topo_paths_aim(f->p, f->c, 1), -ENOENT); /* no such plane */
	assert_int_equal(topo_paths_count(f->p, f->a), 3);
}

/* Aims on one leaf share a search; a link that dies in between must be seen. */
static void test_state_changes(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(topo_paths_aim(f->p, f->b, TOPO_NONE), 0);
	topo_graph_set_state(f->g, 3, TOPO_DOWN);
	assert_int_equal(topo_paths_aim(f->p, f->c, TOPO_NONE), 0);
	assert_int_equal(topo_paths_count(f->p, f->a), 2);
	topo_graph_set_state(f->g, 3, TOPO_UP);
	assert_int_equal(topo_paths_aim(f->p, f->b, TOPO_NONE), 0);
	assert_int_equal(topo_paths_count(f->p, f->a), 3);
}

static void test_next(void **state)
{
	struct fixture *f = *state;
	uint32_t hops[2] = { 77, 77 };
	uint32_t x = topo_graph_find(f->g, "x", 1);

	assert_int_equal(topo_paths_aim(f->p, f->b, TOPO_NONE), 0);
	assert_int_equal(topo_paths_next(f->p, x, hops, 2), 3);
	assert_int_equal(hops[0], 6); /* x > s0 over link 3 */
	assert_int_equal(hops[1], 9); /* x > s1 over link 4, added the other way round */
	assert_int_equal(topo_paths_next(f->p, f->b, hops, 2), 0);
	assert_int_equal(topo_paths_next(f->p, topo_graph_find(f->g, "z", 1), hops, 2),
			 0);
	assert_int_equal(topo_paths_next(f->p, topo_graph_find(f->g, "a", 1), hops, 2),
			 0);
	assert_int_equal(topo_paths_next(f->p, f->a, NULL, 0), 1);
}

static void test_wrong_paths(void **state)
{
	struct fixture *f = *state;
	/* a.n > x > s0 > y > b.n, then: stops early, jumps, goes back, is no link, starts
	 * at x */
	static const uint32_t walks[][4] = {
		{ 0, 6, 15, 3 },  { 0, 6, 14, 3 }, { 0, 6, 7, 3 },
		{ 0, 6, 999, 3 }, { 6, 15, 3, 2 },
	};
	uint64_t index = 77;

	assert_int_equal(topo_paths_aim(f->p, f->b, TOPO_NONE), 0);
	assert_int_equal(topo_paths_index(f->p, walks[0], 3, &index), -ENOENT);
	assert_int_equal(topo_paths_index(f->p, walks[0], 0, &index), -ENOENT);
	for (size_t i = 1; i < BASE_COUNT(walks); i++)
		assert_int_equal(topo_paths_index(f->p, walks[i], 4, &index), -ENOENT);
	assert_int_equal(index, 77);
	assert_int_equal(topo_paths_index(f->p, walks[0], 4, &index), 0);
	assert_int_equal(index, 0);
}

/* Two of three next hops of x lead to s0: a third of the draws goes each way. */
static void test_random_is_fair(void **state)
{
	struct fixture *f = *state;
	uint32_t hops[TOPO_PATH_HOPS_MAX], seen[3] = { 0 };
	struct base_rng rng;

	base_rng_seed(&rng, 7);
	assert_int_equal(topo_paths_aim(f->p, f->b, TOPO_NONE), 0);
	for (unsigned i = 0; i < 3000; i++) {
		uint64_t index = 3;

		assert_int_equal(topo_paths_random(f->p, f->a, &rng, hops), 4);
		assert_int_equal(topo_paths_index(f->p, hops, 4, &index), 0);
		seen[index]++;
	}
	for (unsigned i = 0; i < 3; i++)
		assert_in_range(seen[i], 900, 1100);
}

static uint32_t add_chain_switch(struct topo_graph *g, uint32_t number)
{
	char name[16];
	uint32_t node;

	snprintf(name, sizeof(name), "s%u", number);
	assert_int_equal(topo_graph_add_switch(g, TOPO_NONE, name, strlen(name), 1,
					       TOPO_NONE, TOPO_NONE, TOPO_NONE, &node,
					       NULL),
			 0);
	return node;
}

static void add_links(struct topo_graph *g, uint32_t a, uint32_t b, uint32_t n)
{
	struct topo_link link = { .a = a,
				  .b = b,
				  .rate_bps = 1,
				  .port_a = TOPO_NONE,
				  .port_b = TOPO_NONE,
				  .address = TOPO_NONE };

	while (n-- > 0)
		assert_int_equal(topo_graph_add_link(g, &link, NULL, NULL), 0);
}

/* a - s0 = s1 = ... = b with @width links between neighbours: @n_switches + 1 hops. */
static struct topo_graph *chain(uint32_t n_switches, uint32_t width, uint32_t *ret_a,
				uint32_t *ret_b)
{
	struct topo_graph *g = topo_graph_new();
	uint32_t host, last;

	assert_int_equal(topo_graph_add_host(g, TOPO_NONE, "a", 1, 0, &host, NULL), 0);
	assert_int_equal(topo_graph_add_nic(g, host, "n", 1, 0, ret_a, NULL), 0);
	assert_int_equal(topo_graph_add_host(g, TOPO_NONE, "b", 1, 0, &host, NULL), 0);
	assert_int_equal(topo_graph_add_nic(g, host, "n", 1, 0, ret_b, NULL), 0);
	last = add_chain_switch(g, 0);
	add_links(g, *ret_a, last, 1);
	for (uint32_t i = 1; i < n_switches; i++) {
		uint32_t next = add_chain_switch(g, i);

		add_links(g, last, next, width);
		last = next;
	}
	add_links(g, last, *ret_b, 1);
	assert_int_equal(topo_graph_seal(g, NULL), 0);
	return g;
}

static void test_longest(void **state)
{
	uint32_t hops[TOPO_PATH_HOPS_MAX], a, b;
	struct topo_paths *p;
	struct topo_graph *g = chain(TOPO_PATH_HOPS_MAX - 1, 1, &a, &b);

	(void)state;
	assert_int_equal(topo_paths_new(g, &p), 0);
	assert_int_equal(topo_paths_aim(p, b, TOPO_NONE), 0);
	assert_int_equal(topo_paths_length(p, a), TOPO_PATH_HOPS_MAX);
	assert_int_equal(topo_paths_get(p, a, 0, hops), TOPO_PATH_HOPS_MAX);
	topo_paths_free(p);
	topo_graph_free(g);
	g = chain(TOPO_PATH_HOPS_MAX, 1, &a, &b);
	assert_int_equal(topo_paths_new(g, &p), 0);
	assert_int_equal(topo_paths_aim(p, b, TOPO_NONE), 0);
	assert_int_equal(topo_paths_length(p, a), 0);
	assert_int_equal(topo_paths_count(p, a), 0);
	topo_paths_free(p);
	topo_graph_free(g);
}

/* 10 ^ 20 paths are more than a number can hold; those that it can say are still there.
 */
static void test_saturation(void **state)
{
	uint32_t hops[TOPO_PATH_HOPS_MAX], a, b;
	uint64_t index = 0;
	struct topo_paths *p;
	struct topo_graph *g = chain(21, 10, &a, &b);

	(void)state;
	assert_int_equal(topo_paths_new(g, &p), 0);
	assert_int_equal(topo_paths_aim(p, b, TOPO_NONE), 0);
	assert_true(topo_paths_count(p, a) == UINT64_MAX);
	assert_int_equal(topo_paths_get(p, a, UINT64_MAX - 1, hops), 22);
	assert_int_equal(topo_paths_index(p, hops, 22, &index), 0);
	assert_true(index == UINT64_MAX - 1);
	hops[1] = 2 * 10; /* the last of the first ten: 9 * 10 ^ 19 paths before it */
	assert_int_equal(topo_paths_index(p, hops, 22, &index), -ERANGE);
	assert_true(index == UINT64_MAX - 1);
	topo_paths_free(p);
	topo_graph_free(g);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_order),
		TEST(test_same_leaf),
		TEST(test_no_path),
		TEST(test_dead_destination),
		TEST(test_state_changes),
		TEST(test_next),
		TEST(test_wrong_paths),
		TEST(test_random_is_fair),
		cmocka_unit_test(test_longest),
		cmocka_unit_test(test_saturation),
	};

	return cmocka_run_group_tests_name("topo/path", tests, NULL, NULL);
}
