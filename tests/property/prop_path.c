/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Equal-cost paths against an enumeration that knows nothing but the graph: all simple
 * walks over live links and switches, the shortest of which are the paths.
 */
#include <gen/gen_fabric.h>
#include <gen/prop.h>
#include <topo/path.h>
#include <string.h>

#define PATHS_MAX 4096u

/* What the enumeration finds, in the order in which paths are numbered. */
struct naive {
	const struct topo_graph *g;
	uint32_t dst, plane;
	uint32_t hops[TOPO_PATH_HOPS_MAX]; /* of the walk under way */
	uint32_t limit;			   /* hops that it may have */
	uint32_t n;			   /* paths of exactly that many */
	uint32_t paths[PATHS_MAX][8];
};

static bool may_cross(const struct naive *s, uint32_t hop, uint32_t to)
{
	const struct topo_node *node = &topo_graph_nodes(s->g)[to];
	uint32_t plane = node->plane == TOPO_NONE ? 0 : node->plane;

	if (topo_graph_links(s->g)[topo_hop_link(hop)].state == TOPO_DOWN)
		return false;
	if (to == s->dst)
		return true;
	return node->kind == TOPO_SWITCH && (s->plane == TOPO_NONE || s->plane == plane);
}

/* Tries all ways on from @node after @n hops; each path of s->limit hops is counted. */
static void extend(struct naive *s, uint32_t node, uint32_t n)
{
	const struct topo_link *links = topo_graph_links(s->g);
	uint32_t n_hops;
	const uint32_t *hops = topo_graph_hops(s->g, node, &n_hops);

	for (uint32_t i = 0; i < n_hops && s->n < PATHS_MAX; i++) {
		uint32_t to = topo_hop_to(links, hops[i]);

		if (!may_cross(s, hops[i], to))
			continue;
		s->hops[n] = hops[i];
		if (to == s->dst && n + 1 == s->limit)
			memcpy(s->paths[s->n++], s->hops, s->limit * sizeof(*s->hops));
		else if (to != s->dst && n + 1 < s->limit)
			extend(s, to, n + 1);
	}
}

/* The plane of the first switch is the path's: it and the last are checked here. */
static void enumerate(struct naive *s, uint32_t src)
{
	s->n = 0;
	for (s->limit = 2; s->n == 0 && s->limit <= 7 && src != s->dst; s->limit++)
		extend(s, src, 0);
	s->limit--;
}

static void check_path(const struct topo_paths *p, const struct naive *s, uint32_t src,
		       uint32_t index)
{
	const struct topo_link *links = topo_graph_links(s->g);
	uint32_t hops[TOPO_PATH_HOPS_MAX];
	uint64_t number = UINT64_MAX;
	int n = topo_paths_get(p, src, index, hops);

	prop_check(n == (int)s->limit);
	prop_check(memcmp(hops, s->paths[index], (size_t)n * sizeof(*hops)) == 0);
	prop_check(topo_paths_index(p, hops, (size_t)n, &number) == 0 && number == index);
	prop_check(topo_hop_from(links, hops[0]) == src);
	prop_check(topo_hop_to(links, hops[n - 1]) == s->dst);
	for (int i = 0; i < n; i++)
		for (int j = 0; j < i; j++)
			prop_check(topo_hop_from(links, hops[i]) !=
				   topo_hop_from(links, hops[j]));
	number = UINT64_MAX;
	prop_check(topo_paths_index(p, hops, (size_t)n - 1, &number) < 0 &&
		   number == UINT64_MAX);
}

/* The next hops of the source are the first hops of its paths, each once and in order. */
static void check_next(const struct topo_paths *p, const struct naive *s, uint32_t src)
{
	uint32_t hops[64], n = topo_paths_next(p, src, hops, BASE_COUNT(hops)), seen = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		if (i > 0 && s->paths[i][0] == s->paths[i - 1][0])
			continue;
		prop_check(seen < n && hops[seen] == s->paths[i][0]);
		seen++;
	}
	prop_check(seen == n);
}

static void check_random(const struct topo_paths *p, uint32_t src, uint64_t count,
			 struct base_rng *rng)
{
	uint32_t hops[TOPO_PATH_HOPS_MAX];
	uint64_t index = 0;
	int n = topo_paths_random(p, src, rng, hops);

	prop_check(n > 0 && topo_paths_index(p, hops, (size_t)n, &index) == 0 &&
		   index < count);
}

static void check_source(const struct topo_paths *p, struct naive *s, uint32_t src,
			 struct base_rng *rng)
{
	uint32_t hops[TOPO_PATH_HOPS_MAX];

	enumerate(s, src);
	if (s->n == 0 && topo_paths_length(p, src) > 7)
		return; /* further than the enumeration looks */
	if (s->n == PATHS_MAX)
		return; /* more than it counts */
	prop_check(topo_paths_count(p, src) == s->n);
	prop_check(topo_paths_length(p, src) == (s->n ? s->limit : 0));
	for (uint32_t i = 0; i < s->n; i += 1 + s->n / 50)
		check_path(p, s, src, i);
	prop_check(topo_paths_get(p, src, s->n, hops) < 0);
	check_next(p, s, src);
	if (s->n > 0)
		check_random(p, src, s->n, rng);
}

static void check_paths(struct base_rng *rng, uint32_t size)
{
	static struct naive s;
	struct topo_graph *g = gen_fabric(rng, size);
	struct topo_paths *p = NULL;

	prop_check(topo_paths_new(g, &p) == 0);
	s.g = g;
	for (uint32_t aim = 0; aim < 10; aim++) {
		uint32_t dst = gen_fabric_nic(g, rng);
		uint32_t plane = base_rng_below(rng, topo_graph_n_planes(g) + 1);

		if (plane == topo_graph_n_planes(g))
			plane = TOPO_NONE;
		/* Between aims links may die and return. */
		if (topo_graph_n_links(g) > 0 && base_rng_below(rng, 3) == 0)
			topo_graph_set_state(
				g, base_rng_below(rng, topo_graph_n_links(g)),
				base_rng_below(rng, 2) ? TOPO_UP : TOPO_DOWN);
		if (topo_paths_aim(p, dst, plane) < 0)
			continue;
		s.dst = dst;
		s.plane = plane;
		for (uint32_t i = 0; i < 6; i++)
			check_source(p, &s, gen_fabric_nic(g, rng), rng);
	}
	topo_paths_free(p);
	topo_graph_free(g);
}

/* However many aims came before, the answers are those of a fresh start. */
static void check_reuse(struct base_rng *rng, uint32_t size)
{
	struct topo_graph *g = gen_fabric_clos(rng, size);
	struct topo_paths *used = NULL, *fresh = NULL;

	prop_check(topo_paths_new(g, &used) == 0);
	for (uint32_t i = 0; i < 8; i++) {
		uint32_t dst = gen_fabric_nic(g, rng), src = gen_fabric_nic(g, rng);
		int r = topo_paths_aim(used, dst, TOPO_NONE);

		prop_check(topo_paths_new(g, &fresh) == 0);
		prop_check(topo_paths_aim(fresh, dst, TOPO_NONE) == r);
		if (r == 0) {
			prop_check(topo_paths_count(used, src) ==
				   topo_paths_count(fresh, src));
			prop_check(topo_paths_length(used, src) ==
				   topo_paths_length(fresh, src));
		}
		topo_paths_free(fresh);
	}
	topo_paths_free(used);
	topo_graph_free(g);
}

int main(void)
{
	static const struct prop props[] = {
		{ "paths are those that an enumeration finds, in its order", 400,
		  check_paths },
		{ "an aim forgets all earlier ones", 400, check_reuse },
	};

	return prop_main(props, BASE_COUNT(props));
}
