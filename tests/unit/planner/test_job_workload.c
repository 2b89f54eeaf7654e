/* SPDX-License-Identifier: Apache-2.0 */
/* Groups, placement of ranks and sizes, seen through SimAI's text. */
#include <unit/rows.h>
#include "job_case.h"

#define HEAD(keys) "HYBRID_TRANSFORMER_FWD_IN_BCKWD " keys "\n1\n"
#define FORWARD(type, bytes) "a -1 1 " type " " bytes " 1 NONE 0 1 NONE 0 1\n"
#define WEIGHT(type, bytes) "a -1 1 NONE 0 1 NONE 0 1 " type " " bytes " 1\n"

struct group {
	const char *name;
	uint32_t nics_per_host; /* of eight NICs on a leaf, two leaves */
	const char *text;
	const char *want;
	uint64_t local_bytes;
};

static struct group group_cases[] = {
	{ "tensor parallel stays in the host", 4,
	  HEAD("model_parallel_NPU_group: 4 ep: 1 pp: 1 all_gpus: 8")
		  FORWARD("ALLREDUCE", "100"),
	  "", 2 * 4 * 150 },
	{ "data parallel runs on each NIC of its own", 2,
	  HEAD("model_parallel_NPU_group: 2 ep: 1 pp: 1 all_gpus: 4")
		  WEIGHT("ALLREDUCE", "100"),
	  "h0.nic0>h1.nic0 100\nh1.nic0>h0.nic0 100\n"
	  "h0.nic1>h1.nic1 100\nh1.nic1>h0.nic1 100\n",
	  0 },
	/* 8 ranks, 4 of them on each host: 4 rings with a quarter of 7/8 of 800. */
	{ "a group with several members on a host: a ring for each", 4,
	  HEAD("model_parallel_NPU_group: 1 ep: 1 pp: 1 all_gpus: 8")
		  WEIGHT("ALLGATHER", "800"),
	  "h0.nic0>h1.nic0 175\nh1.nic0>h0.nic0 175\n"
	  "h0.nic1>h1.nic1 175\nh1.nic1>h0.nic1 175\n"
	  "h0.nic2>h1.nic2 175\nh1.nic2>h0.nic2 175\n"
	  "h0.nic3>h1.nic3 175\nh1.nic3>h0.nic3 175\n",
	  4 * 6 * 175 },
	{ "experts exchange in blocks of data parallel ranks", 1,
	  HEAD("model_parallel_NPU_group: 1 ep: 2 pp: 1 all_gpus: 4")
		  FORWARD("ALLTOALL_EP", "100"),
	  "h0.nic0>h1.nic0 50\nh1.nic0>h0.nic0 50\n"
	  "h2.nic0>h3.nic0 50\nh3.nic0>h2.nic0 50\n",
	  0 },
	{ "replicas of the same expert are ep apart", 1,
	  HEAD("model_parallel_NPU_group: 1 ep: 2 pp: 1 all_gpus: 4")
		  WEIGHT("ALLREDUCE_DP_EP", "100"),
	  "h0.nic0>h2.nic0 100\nh2.nic0>h0.nic0 100\n"
	  "h1.nic0>h3.nic0 100\nh3.nic0>h1.nic0 100\n",
	  0 },
	{ "stages are the slowest dimension, for each micro-batch there and back", 1,
	  HEAD("model_parallel_NPU_group: 1 ep: 1 pp: 2 ga: 3 all_gpus: 4 pp_comm: 10")
		  FORWARD("NONE", "0"),
	  "h0.nic0>h2.nic0 30\nh2.nic0>h0.nic0 30\n"
	  "h1.nic0>h3.nic0 30\nh3.nic0>h1.nic0 30\n",
	  0 },
	{ "collectives of one ring add up on its connections", 1,
	  "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 1 ep: 1 pp: 1 "
	  "all_gpus: 2\n3\n" WEIGHT("ALLREDUCE", "100") WEIGHT("ALLGATHER", "10")
		  WEIGHT("REDUCESCATTER", "20"),
	  "h0.nic0>h1.nic0 115\nh1.nic0>h0.nic0 115\n", 0 },
	{ "a broadcast goes down a chain", 1,
	  HEAD("model_parallel_NPU_group: 3 ep: 1 pp: 1 all_gpus: 3")
		  FORWARD("BROADCAST", "7"),
	  "h0.nic0>h1.nic0 7\nh1.nic0>h2.nic0 7\n", 0 },
};

static void test_group(void **state)
{
	const struct group *c = *state;
	struct gen_job j;

	gen_job_init(&j, 2, 8, c->nics_per_host);
	j.options.gpus = c->nics_per_host;
	check_result(&j, gen_job_text(&j, c->text), NULL);
	check_conns(&j, c->want);
	assert_int_equal(j.p.local_bytes, c->local_bytes);
	gen_job_fini(&j);
}

struct assumed {
	const char *name;
	const char *text;
	struct planner_job_options options;
	const char *what, *value;
	uint32_t n_conns;
};

static struct assumed assumed_cases[] = {
	{ "the world is the fabric when nothing is said",
	  "MICRO\n1\n" WEIGHT("ALLREDUCE", "8"),
	  { .placement = PLANNER_PACKED },
	  "world_size",
	  "16",
	  16 },
	{ "the number of hosts is chosen",
	  "MICRO\n1\n" WEIGHT("ALLREDUCE", "8"),
	  { .placement = PLANNER_PACKED, .hosts = 2 },
	  "world_size",
	  "4",
	  4 },
	{ "chosen hosts go before what the file says",
	  HEAD("model_parallel_NPU_group: 2 ep: 1 pp: 1 all_gpus: 16")
		  WEIGHT("ALLREDUCE", "8"),
	  { .placement = PLANNER_PACKED, .hosts = 2 },
	  "world_size",
	  "4",
	  4 },
	{ "ranks that no group can use are left out",
	  HEAD("model_parallel_NPU_group: 2 ep: 1 pp: 3") WEIGHT("ALLREDUCE", "8"),
	  { .placement = PLANNER_PACKED },
	  "world_size",
	  "12",
	  12 },
	{ "a GPU for each NIC",
	  "MICRO\n1\n" WEIGHT("ALLREDUCE", "8"),
	  { .placement = PLANNER_PACKED },
	  "gpus_per_host",
	  "2",
	  16 },
	{ "a tensor-parallel group is in one host",
	  HEAD("model_parallel_NPU_group: 4 ep: 1 pp: 1 all_gpus: 8")
		  WEIGHT("ALLREDUCE", "8"),
	  { .placement = PLANNER_PACKED },
	  "gpus_per_host",
	  "4",
	  8 },
	{ "groups of one rank send nothing",
	  HEAD("model_parallel_NPU_group: 1 ep: 1 pp: 1 all_gpus: 4")
		  FORWARD("ALLREDUCE", "8"),
	  { .placement = PLANNER_PACKED },
	  "traffic_left_out",
	  "tensor parallel",
	  0 },
	{ "options fill in sizes",
	  "HYBRID_TRANSFORMER ep: 1\n1\n" WEIGHT("ALLREDUCE", "8"),
	  { .placement = PLANNER_PACKED, .tp = 8, .pp = 2, .gpus = 8, .hosts = 4 },
	  "world_size",
	  "32",
	  32 },
	{ "phases are one",
	  "MICRO\n1\n" WEIGHT("ALLREDUCE", "8"),
	  { .placement = PLANNER_PACKED },
	  "phases",
	  "all taken as one",
	  16 },
};

static void test_assumed(void **state)
{
	const struct assumed *c = *state;
	struct gen_job j;

	gen_job_init(&j, 2, 8, 2);
	j.options = c->options;
	check_result(&j, gen_job_text(&j, c->text), NULL);
	assert_non_null(gen_job_assumed(&j, c->what));
	assert_string_equal(gen_job_assumed(&j, c->what), c->value);
	assert_int_equal(j.p.n_conns, c->n_conns);
	gen_job_fini(&j);
}

struct refused {
	const char *name;
	const char *text;
	const char *error;
};

static struct refused refused_cases[] = {
	{ "more ranks than the fabric has GPUs",
	  HEAD("model_parallel_NPU_group: 2 ep: 1 pp: 1 all_gpus: 32")
		  WEIGHT("ALLREDUCE", "8"),
	  "f: 32 ranks need 16 hosts of 2 GPUs (1 jobs in all), and the fabric has 8" },
	{ "ranks that do not divide into stages",
	  HEAD("model_parallel_NPU_group: 2 ep: 1 pp: 3 all_gpus: 16")
		  WEIGHT("ALLREDUCE", "8"),
	  "f: 16 ranks (8 hosts of 2) are no multiple of 6: tensor parallel 2, expert "
	  "1, pipeline 3" },
	{ "a tensor-parallel group beyond any host",
	  HEAD("model_parallel_NPU_group: 1025 ep: 1 pp: 1") WEIGHT("ALLREDUCE", "8"),
	  "f: a tensor-parallel group of 1025 ranks does not fit a host: say how many "
	  "GPUs a host has" },
	{ "groups beyond any cluster",
	  HEAD("model_parallel_NPU_group: 8 ep: 4000000 pp: 4000000")
		  WEIGHT("ALLREDUCE", "8"),
	  "f: tensor parallel 8, expert 4000000, pipeline 4000000: that is more "
	  "than 4000000 ranks" },
};

static void test_refused(void **state)
{
	const struct refused *c = *state;
	struct gen_job j;

	gen_job_init(&j, 2, 8, 2);
	check_result(&j, gen_job_text(&j, c->text), c->error);
	gen_job_fini(&j);
}

static void test_jobs(void **state)
{
	struct gen_job j;

	(void)state;
	gen_job_init(&j, 2, 8, 2);
	j.options.jobs = 2;
	check_result(&j,
		     gen_job_text(&j, HEAD("model_parallel_NPU_group: 2 ep: 1 pp: 1 "
					   "all_gpus: 4") WEIGHT("ALLREDUCE", "8")),
		     NULL);
	check_conns(&j, "h0.nic0>h1.nic0 8\nh1.nic0>h0.nic0 8\n"
			"h0.nic1>h1.nic1 8\nh1.nic1>h0.nic1 8\n"
			"h2.nic0>h3.nic0 8 job 1\nh3.nic0>h2.nic0 8 job 1\n"
			"h2.nic1>h3.nic1 8 job 1\nh3.nic1>h2.nic1 8 job 1\n");
	assert_string_equal(j.p.job_names[1], "workload1");
	gen_job_fini(&j);
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_group, group_cases);
	ROWS_ADD(&rows, test_assumed, assumed_cases);
	ROWS_ADD(&rows, test_refused, refused_cases);
	rows_add_test(&rows, "several copies of a workload", test_jobs);
	return rows_run(&rows, "planner_job_workload");
}
