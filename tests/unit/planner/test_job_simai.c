/* SPDX-License-Identifier: Apache-2.0 */
/* The text itself; what groups do is in test_job_workload.c.  Eight hosts of one NIC. */
#include <unit/rows.h>
#include "job_case.h"

#define TWO "h0.nic0>h1.nic0 100\nh1.nic0>h0.nic0 100\n"
#define RECORD "a -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 100 1\n"
#define KEYS "model_parallel_NPU_group: 1 ep: 1 pp: 1 "

struct accepted {
	const char *name;
	const char *text;
	const char *want;
};

static struct accepted accepted_cases[] = {
	{ "header of tabs, as old writers have it",
	  "HYBRID_TRANSFORMER_FWD_IN_BCKWD\tmodel_parallel_NPU_group: 1 checkpoints: 0 "
	  "checkpoint_initiates: 0\n1\n" RECORD,
	  TWO },
	{ "without vpp and pp_comm",
	  "HYBRID_TRANSFORMER_FWD_IN_BCKWD " KEYS "ga: 1 all_gpus: 2 checkpoints: 0 "
	  "checkpoint_initiates: 0\n1\n" RECORD,
	  TWO },
	{ "pp_comm without colon",
	  "HYBRID_TRANSFORMER_FWD_IN_BCKWD " KEYS "vpp: 8 ga: 24 all_gpus: 2 "
	  "checkpoints: 0 checkpoint_initiates: 0 pp_comm 251658240\n1\n" RECORD,
	  TWO },
	{ "pp_comm with a fraction of nothing",
	  "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 1 ep: 1 pp: 2 vpp: "
	  "1 ga: 2 all_gpus: 2 checkpoints: 0 checkpoint_initiates: 0 pp_comm: 50.0\n1\n"
	  "a -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n",
	  TWO },
	{ "expert groups by their other name, and long runs of blanks",
	  "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 1       "
	  "expert_parallel_npu_group: 1 pp: 1      ga: 1 all_gpus: 2 checkpoints: 0 "
	  "checkpoint_initiates: 0\n1\n" RECORD,
	  TWO },
	{ "checkpoints with layers",
	  "HYBRID_TRANSFORMER " KEYS "checkpoints: 2 3 5 all_gpus: 2\n1\n" RECORD, TWO },
	{ "a header with one word", "MICRO\n1\n" RECORD, TWO },
	{ "only weights count in MICRO",
	  "MICRO\n1\na -1 1 ALLREDUCE 7 1 ALLREDUCE 7 1 ALLREDUCE 100 1\n", TWO },
	{ "only weights count in DATA",
	  "DATA\n1\na -1 1 ALLREDUCE 7 1 ALLREDUCE 7 1 ALLREDUCE 100 1\n", TWO },
	{ "weights do not count in MODEL",
	  "MODEL\n1\na -1 1 ALLREDUCE 60 1 ALLREDUCE 40 1 ALLREDUCE 7 1\n", TWO },
	{ "words wherever lines end",
	  "MICRO\n1\na\n-1\t1 NONE   0\n\n1 NONE\t0 1 ALLREDUCE\t  100 \n 1", TWO },
	{ "CR at the end of lines",
	  "MICRO\r\n1\r\na -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 100 1\r\n", TWO },
	{ "records add up, names may repeat",
	  "MICRO\n2\na -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 60 1\n"
	  "a 0 1 NONE 0 1 NONE 0 1 ALLREDUCE 40 1\n",
	  TWO },
	{ "NONE with a size is nothing",
	  "MICRO\n1\na -1 1 NONE 16777216 1 NONE 0 1 NONE 16777216 1\n", "" },
	{ "as the simulator reads it",
	  "MICRO\n1\na -1 1 NONE 0 1 NONE 0 1 ALLREDUCEALLTOALL 100 1\n", TWO },
	{ "sizes over 32 bits",
	  "MICRO\n1\na -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 38654705664 1\n",
	  "h0.nic0>h1.nic0 38654705664\nh1.nic0>h0.nic0 38654705664\n" },
	{ "no record", "MICRO\n0\n", "" },
};

static void test_accepted(void **state)
{
	const struct accepted *c = *state;
	struct gen_job j;

	gen_job_init(&j, 2, 4, 1);
	j.options.hosts = 2;
	check_result(&j, gen_job_text(&j, c->text), NULL);
	check_conns(&j, c->want);
	gen_job_fini(&j);
}

struct refused {
	const char *name;
	const char *text;
	const char *error;
};

static struct refused refused_cases[] = {
	{ "nothing after the header", "MICRO\n",
	  "f:1: the file ends before the number of records" },
	{ "a number of records that is none", "MICRO\nmany\n", NULL },
	{ "more records than there can be", "MICRO\n100000001\n",
	  "f:2:1: the ceiling is 100000000 records" },
	{ "fewer records than declared", "MICRO\n3\n" RECORD RECORD,
	  "f:4: the file ends in record 3 of 3: is it cut short?" },
	{ "half a record", "MICRO\n1\na -1 1 NONE 0 1\n",
	  "f:3: the file ends in record 1 of 1: is it cut short?" },
	{ "more records than declared", "MICRO\n1\n" RECORD RECORD,
	  "f:4:1: expected the end of the file after 1 records, as its second line "
	  "says" },
	{ "a type with a slip", "MICRO\n1\na -1 1 NONE 0 1 NONE 0 1 ALREDUCE 1 1\n",
	  "f:3:26: unknown type \"ALREDUCE\"; did you mean \"ALLREDUCE\"?" },
	{ "a suffix that is none",
	  "MICRO\n1\na -1 1 NONE 0 1 NONE 0 1 ALLREDUCE_XY 1 1\n", NULL },
	{ "a type from nowhere", "MICRO\n1\na -1 1 NONE 0 1 NONE 0 1 7 1 1\n",
	  "f:3:26: unknown type \"7\": expected NONE, ALLREDUCE, ALLGATHER, "
	  "REDUCESCATTER, ALLTOALL or BROADCAST, with _EP or _DP_EP after it or not" },
	{ "a time that is none", "MICRO\n1\na -1 fast NONE 0 1 NONE 0 1 NONE 1 1\n",
	  "f:3:6: expected a number, not \"fast\"" },
	{ "bytes that are none", "MICRO\n1\na -1 1 NONE x 1 NONE 0 1 NONE 1 1\n",
	  "f:3:13: expected a number of bytes, not \"x\"" },
	{ "bytes with a part of one", "MICRO\n1\na -1 1 NONE 1.5 1 NONE 0 1 NONE 1 1\n",
	  "f:3:13: expected a number of bytes, not \"1.5\"" },
	{ "negative bytes", "MICRO\n1\na -1 1 NONE -1 1 NONE 0 1 NONE 1 1\n",
	  "f:3:13: expected a number of bytes, not \"-1\"" },
	{ "more bytes than can be",
	  "MICRO\n2\na 0 1 NONE 0 1 NONE 0 1 ALLREDUCE 144115188075855872 1\n"
	  "a 0 1 NONE 0 1 NONE 0 1 ALLREDUCE 1 1\n",
	  "f:4:35: more bytes in an iteration than can be" },
	{ "a key without a value", "HYBRID_TRANSFORMER ep:\n0\n",
	  "f:1:20: \"ep:\" needs a value after it" },
	{ "a size that is none", "HYBRID_TRANSFORMER ep: two\n0\n", NULL },
	{ "a size of 0", "HYBRID_TRANSFORMER ep: 0\n0\n",
	  "f:1:24: \"ep:\" must be from 1 to 4000000" },
	{ "a size twice", "HYBRID_TRANSFORMER ep: 1 ep: 1\n0\n",
	  "f:1:26: \"ep:\" twice" },
	{ "a size under both its names",
	  "HYBRID_TRANSFORMER ep: 1 expert_parallel_npu_group: 1\n0\n",
	  "f:1:26: \"expert_parallel_npu_group:\" twice" },
	{ "words without a key", "HYBRID_TRANSFORMER hello world\n0\n",
	  "f:1:20: expected a key with a colon and a number, such as \"ep: 4\", not "
	  "\"hello\"" },
	{ "fewer layers than said", "HYBRID_TRANSFORMER checkpoints: 2 3\n0\n",
	  "f:1:33: fewer layers than \"2\"" },
	{ "stages that send what is no number", "HYBRID_TRANSFORMER pp_comm: x\n0\n",
	  "f:1:29: \"pp_comm\" must be a number of bytes, not \"x\"" },
	{ "stages that send too much",
	  "HYBRID_TRANSFORMER pp_comm: 18446744073709551615 ga: 18446744073709551615\n"
	  "0\n",
	  "f:1: \"pp_comm\" times \"ga\" is more than can be" },
};

static void test_refused(void **state)
{
	const struct refused *c = *state;
	struct gen_job j;
	int r;

	gen_job_init(&j, 2, 4, 1);
	r = gen_job_text(&j, c->text);
	if (c->error) {
		check_result(&j, r, c->error);
	} else {
		assert_true(r < 0);
		assert_int_not_equal(j.err.line, 0);
		assert_true(gen_job_is_empty(&j));
	}
	gen_job_fini(&j);
}

static void test_assumed(void **state)
{
	struct gen_job j;

	(void)state;
	gen_job_init(&j, 2, 4, 1);
	check_result(&j,
		     gen_job_text(&j, "HYBRID_TRANSFORMER model_parallel_NPU_group: 1 "
				      "ep: 1 pp: 2 cp: 4 all_gpus: 2\n1\n" RECORD),
		     NULL);
	assert_string_equal(gen_job_assumed(&j, "header_keys"), "cp not used");
	assert_string_equal(gen_job_assumed(&j, "pp_comm"), "0");
	gen_job_fini(&j);
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_accepted, accepted_cases);
	ROWS_ADD(&rows, test_refused, refused_cases);
	rows_add_test(&rows, "what is not known or not said", test_assumed);
	return rows_run(&rows, "planner_job_simai");
}
