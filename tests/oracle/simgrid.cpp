// SPDX-License-Identifier: Apache-2.0
//
// Rates and completion times against SimGrid's flow model, an independent solver of
// max-min sharing.  In this setting it is the plain fluid model: no latency, no bandwidth
// factor, no window, no traffic in the other direction.  Each instance runs in a child of
// its own, because a process can hold one engine.
//
#include <simgrid/s4u.hpp>
#include <base/rng.h>
#include <gen/flows.h>
#include <planner/evaluate.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmath>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <csetjmp>
#include <string>
#include <vector>
extern "C" {
#include <cmocka.h>
}

namespace sg4 = simgrid::s4u;

enum shape { RANDOM, PLANNED, ECMP };

struct instance {
	const char *name;
	enum shape shape;
	uint32_t n_flows, n_links, hops_max; // RANDOM
	struct gen_clos3 clos;		     // the others
	uint64_t bytes_least, bytes_spread;  // bytes: least + below(spread)
};

// What the child finds out, in memory that it shares with its parent.
struct answer {
	double rate_bps, end_s;
};

static const uint64_t RATE = 400000000000;

static struct instance instances[] = {
	{ "one flow", RANDOM, 1, 1, 1, {}, 1000000, 1 },
	{ "two links, five flows", RANDOM, 5, 2, 2, {}, 1000000, 1 },
	{ "five links, ten flows, one size", RANDOM, 10, 5, 3, {}, 50000000, 1 },
	{ "five links, ten flows, many sizes", RANDOM, 10, 5, 3, {}, 1, 50000000 },
	{ "ten links, thirty flows, one size", RANDOM, 30, 10, 4, {}, 50000000, 1 },
	{ "ten links, thirty flows, many sizes", RANDOM, 30, 10, 4, {}, 1, 50000000 },
	{ "few links, sixty flows", RANDOM, 60, 4, 2, {}, 1000000, 9000000 },
	{ "as many links as flows", RANDOM, 60, 60, 5, {}, 1000000, 9000000 },
	{ "more links than flows", RANDOM, 60, 200, 5, {}, 1000000, 9000000 },
	{ "120 flows over up to six links", RANDOM, 120, 40, 6, {}, 1000000, 99000000 },
	{ "120 flows over up to ten links", RANDOM, 120, 50, 10, {}, 1000000, 99000000 },
	{ "250 flows, one size", RANDOM, 250, 100, 6, {}, 10000000, 1 },
	{ "250 flows, many sizes", RANDOM, 250, 100, 6, {}, 1000000, 99000000 },
	{ "single links shared by 200 flows", RANDOM, 200, 20, 1, {}, 1000000, 99000000 },
	{ "planned, one size", PLANNED, 0, 0, 0, { 2, 4, 8, 4, 1, RATE }, 10000000, 1 },
	{ "planned, 4 QPs", PLANNED, 0, 0, 0, { 2, 4, 8, 4, 4, RATE }, 10000000, 1 },
	{ "planned, many sizes",
	  PLANNED,
	  0,
	  0,
	  0,
	  { 2, 4, 8, 4, 2, RATE },
	  1000000,
	  9000000 },
	{ "ECMP, one pod", ECMP, 0, 0, 0, { 1, 8, 8, 1, 1, RATE }, 10000000, 1 },
	{ "ECMP, one pod, 4 QPs", ECMP, 0, 0, 0, { 1, 8, 8, 1, 4, RATE }, 10000000, 1 },
	{ "ECMP, 2 pods", ECMP, 0, 0, 0, { 2, 4, 8, 4, 1, RATE }, 10000000, 1 },
	{ "ECMP, 2 pods, 2 QPs", ECMP, 0, 0, 0, { 2, 4, 8, 4, 2, RATE }, 10000000, 1 },
	{ "ECMP, 2 pods, many sizes",
	  ECMP,
	  0,
	  0,
	  0,
	  { 2, 4, 8, 4, 2, RATE },
	  1000000,
	  9000000 },
	{ "ECMP, 4 pods, 256 flows",
	  ECMP,
	  0,
	  0,
	  0,
	  { 4, 4, 8, 8, 2, RATE },
	  10000000,
	  1 },
	{ "ECMP, 4 pods, 512 flows",
	  ECMP,
	  0,
	  0,
	  0,
	  { 4, 4, 8, 8, 4, RATE },
	  10000000,
	  1 },
	{ "ECMP, odd rate",
	  ECMP,
	  0,
	  0,
	  0,
	  { 2, 3, 7, 5, 3, 99999999977 },
	  999983,
	  1000003 },
};

// Two hosts of its own for each flow, and the flow's links as the route between them.
static void build(sg4::NetZone *zone, const struct gen_flows *g,
		  std::vector<sg4::Host *> &hosts)
{
	std::vector<const sg4::Link *> links;

	for (uint32_t i = 0; i < g->n_capacities; i++)
		links.push_back(
			zone->create_link("l" + std::to_string(i),
					  static_cast<double>(g->capacity_bps[i]) / 8)
				->set_latency(0.0)
				->seal());
	for (uint32_t i = 0; i < 2 * g->flows.n; i++)
		hosts.push_back(zone->create_host("h" + std::to_string(i), 1e9)->seal());
	for (uint32_t flow = 0; flow < g->flows.n; flow++) {
		std::vector<sg4::LinkInRoute> route;

		for (uint32_t i = g->first[flow]; i < g->first[flow + 1]; i++)
			route.emplace_back(links[g->hops[i]]);
		zone->add_route(hosts[2 * flow]->get_netpoint(),
				hosts[2 * flow + 1]->get_netpoint(), nullptr, nullptr,
				route, false);
	}
	zone->seal();
}

static void simulate(const struct gen_flows *g, const uint64_t *bytes, double first_end_s,
		     struct answer *answers)
{
	std::vector<std::string> words = {
		"oracle",
		"--cfg=network/model:CM02",
		"--cfg=network/TCP-gamma:0",
		"--cfg=network/crosstraffic:0",
		"--cfg=network/bandwidth-factor:1",
		"--cfg=surf/precision:1e-12",
		"--cfg=maxmin/precision:1e-9",
		"--log=root.threshold:error",
	};
	std::vector<char *> argv;
	std::vector<sg4::Host *> hosts;

	for (auto &word : words)
		argv.push_back(word.data());
	argv.push_back(nullptr);
	int argc = static_cast<int>(words.size());
	sg4::Engine engine(&argc, argv.data());
	build(sg4::create_full_zone("fabric"), g, hosts);
	sg4::Actor::create("sender", hosts[0], [&]() {
		std::vector<sg4::CommPtr> comms;
		double pause_s = first_end_s / 2;

		for (uint32_t flow = 0; flow < g->flows.n; flow++)
			comms.push_back(sg4::Comm::sendto_async(
				hosts[2 * flow], hosts[2 * flow + 1], bytes[flow]));
		sg4::this_actor::sleep_for(pause_s);
		for (uint32_t flow = 0; flow < g->flows.n; flow++) {
			double sent = static_cast<double>(bytes[flow]) -
				      comms[flow]->get_remaining();

			answers[flow].rate_bps = sent * 8 / pause_s;
		}
		sg4::Comm::wait_all(comms);
		for (uint32_t flow = 0; flow < g->flows.n; flow++)
			answers[flow].end_s = comms[flow]->get_finish_time();
	});
	engine.run();
}

static bool run_in_child(const struct gen_flows *g, const uint64_t *bytes,
			 double first_end_s, struct answer *answers)
{
	pid_t child = fork();
	int status = 0;

	if (child == 0) {
		simulate(g, bytes, first_end_s, answers);
		_exit(0);
	}
	return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
	       WEXITSTATUS(status) == 0;
}

static void generate(const struct instance *c, struct base_rng *rng, struct gen_flows *g)
{
	switch (c->shape) {
	case RANDOM:
		gen_flows_random(g, rng, c->n_flows, c->n_links, c->hops_max);
		break;
	case PLANNED:
		gen_flows_planned(g, &c->clos);
		break;
	case ECMP:
		gen_flows_ecmp(g, &c->clos, rng);
		break;
	}
}

// Equal to six digits, a nanosecond or a bit per second aside: the results are whole
// numbers.
static void assert_equal(double ours, double theirs, double whole, const char *what,
			 uint32_t flow)
{
	if (std::fabs(ours - theirs) <= 5e-7 * std::fabs(theirs) + whole)
		return;
	fail_msg("flow %u: %s %.12g, SimGrid says %.12g", flow, what, ours, theirs);
}

static void test_instance(void **state)
{
	const struct instance *c = static_cast<const struct instance *>(*state);
	struct gen_flows g = {};
	struct base_rng rng;

	base_rng_seed(&rng, static_cast<uint64_t>(c - instances));
	generate(c, &rng, &g);
	uint32_t n = g.flows.n;
	std::vector<uint64_t> bytes(n), rates_bps(n), ends_ns(n);
	size_t size = n * sizeof(struct answer);
	double first_end_s = INFINITY;
	void *shared = mmap(nullptr, size, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct answer *answers = static_cast<struct answer *>(shared);

	assert_true(shared != MAP_FAILED);
	for (uint32_t flow = 0; flow < n; flow++)
		bytes[flow] =
			c->bytes_least +
			base_rng_below(&rng, static_cast<uint32_t>(c->bytes_spread));
	assert_int_equal(planner_maxmin(&g.flows, g.capacity_bps, g.n_capacities,
					rates_bps.data()),
			 0);
	assert_int_equal(planner_completion(&g.flows, bytes.data(), g.capacity_bps,
					    g.n_capacities, ends_ns.data()),
			 0);
	for (uint32_t flow = 0; flow < n; flow++)
		first_end_s =
			std::fmin(first_end_s, static_cast<double>(ends_ns[flow]) / 1e9);
	assert_true(run_in_child(&g, bytes.data(), first_end_s, answers));
	for (uint32_t flow = 0; flow < n; flow++) {
		assert_equal(static_cast<double>(rates_bps[flow]), answers[flow].rate_bps,
			     1, "rate in bit/s", flow);
		assert_equal(static_cast<double>(ends_ns[flow]) / 1e9,
			     answers[flow].end_s, 1e-9, "end in s", flow);
	}
	munmap(shared, size);
	gen_flows_fini(&g);
}

int main()
{
	std::vector<CMUnitTest> tests;

	for (auto &instance : instances)
		tests.push_back(
			{ instance.name, test_instance, nullptr, nullptr, &instance });
	return _cmocka_run_group_tests("SimGrid", tests.data(), tests.size(), nullptr,
				       nullptr);
}
