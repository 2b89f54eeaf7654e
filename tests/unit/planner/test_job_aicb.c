/* SPDX-License-Identifier: Apache-2.0 */
/* The log itself; what groups do is in test_job_workload.c.  Eight hosts of two NICs. */
#include <unit/rows.h>
#include "job_case.h"

#define HEADING                                                                          \
	"comm_type,comm_group,comm_group_size,msg_size,stage,dst,src,additional,"        \
	"_elapsed_time,algbw,busbw,count\n"
#define ROW(type, group, size, bytes, stage, additional)                                 \
	"CommType." type "," group "," size "," bytes "," stage ",None,None," additional \
	",None,None,None,1\n"
#define DP(bytes) ROW("all_reduce", "CommGroup.dp_group", "2", bytes, "step", "")
#define TP(bytes) ROW("all_reduce", "CommGroup.tp_group", "2", bytes, "forward.X", "")
#define INIT ROW("all_reduce", "CommGroup.dp_group", "2", "9", "init.model_setup", "")
#define END ROW("epoch_end", "None", "None", "0", "", "")
#define FOUR "[rank0 ~ rank3]\n"
#define RINGS                                                                            \
	"h0.nic0>h1.nic0 100\nh1.nic0>h0.nic0 100\n"                                     \
	"h0.nic1>h1.nic1 100\nh1.nic1>h0.nic1 100\n"

struct accepted {
	const char *name;
	const char *text;
	const char *want;
	const char *rows_left_out; /* the assumption, or NULL */
};

static struct accepted accepted_cases[] = {
	{ "one iteration", FOUR HEADING TP("50") DP("100") END, RINGS, NULL },
	{ "init is left out", FOUR HEADING INIT INIT END TP("50") DP("100") END, RINGS,
	  "2 of init and warmup" },
	{ "warm-up is left out",
	  FOUR HEADING ROW("all_reduce", "CommGroup.dp_group", "2", "9", "warmup", "")
		  END DP("100") TP("1") END,
	  RINGS, "1 of init and warmup" },
	{ "later iterations are left out",
	  FOUR HEADING TP("1") DP("100") END DP("100") TP("1") END DP("100"), RINGS,
	  "3 of later iterations" },
	{ "world and stages from the ranks of one stage",
	  "[ pp_stage0: [rank0, rank1] ]\n" HEADING ROW(
		  "all_reduce", "CommGroup.pp_group", "2", "8", "init.x", "")
		  END ROW("isend", "CommGroup.pp_group", "1", "60", "forward_step",
			  "send_next") ROW("irecv", "CommGroup.pp_group", "1", "40",
					   "backward_step", "recv_next") TP("1") END,
	  "h0.nic0>h1.nic0 60\nh1.nic0>h0.nic0 40\n"
	  "h0.nic1>h1.nic1 60\nh1.nic1>h0.nic1 40\n",
	  "1 of init and warmup" },
	{ "the view of a stage in the middle",
	  "[rank0 ~ rank3]\n" HEADING TP("1")
		  ROW("all_reduce", "CommGroup.pp_group", "2", "0", "forward_step", "")
			  ROW("irecv", "CommGroup.pp_group", "1", "70", "forward_step",
			      "recv_prev") ROW("isend", "CommGroup.pp_group", "1", "30",
					       "backward_step", "send_prev") END,
	  "h0.nic0>h1.nic0 70\nh1.nic0>h0.nic0 30\n"
	  "h0.nic1>h1.nic1 70\nh1.nic1>h0.nic1 30\n",
	  NULL },
	{ "no line of ranks: sizes of groups make the world",
	  HEADING TP("1") DP("100") END, RINGS, NULL },
	{ "a computation with commas of its own",
	  FOUR HEADING ROW("computation", "CommGroup.all", "1",
			   "((4096, 1, 5120), (5120, 1920))", "forward.X", "None") TP("1")
		  DP("100") END,
	  RINGS, NULL },
	{ "and the columns behind it are found",
	  FOUR HEADING ROW("computation", "CommGroup.all", "1",
			   "((4096, 1, 5120), (5120, 1920))", "init.x", "None")
		  END TP("1") DP("100") END,
	  RINGS, "1 of init and warmup" },
	{ "words without prefix, as other writers have them",
	  FOUR HEADING "all_reduce,tp_group,2,1,step,-1,-1,,,,,1\n"
		       "all_reduce,dp_group,2,100,step,-1,-1,,,,,1\n" END,
	  RINGS, NULL },
	{ "names of tensors",
	  FOUR HEADING TP("1") ROW("reduce_scatter_tensor", "CommGroup.dp_group", "2",
				   "100", "step", "")
		  ROW("all_gather_into_tensor", "CommGroup.dp_group", "2", "100", "step",
		      "") END,
	  RINGS, NULL },
	{ "a barrier sends nothing",
	  FOUR HEADING ROW("barrier", "CommGroup.all", "4", "0", "step", "") TP("1")
		  DP("100") END,
	  RINGS, NULL },
	{ "CR, and no end of the last line",
	  "comm_type,comm_group,comm_group_size,msg_size,stage\r\n"
	  "all_reduce,tp_group,2,1,step\r\nall_reduce,dp_group,2,100,step\r\n"
	  "epoch_end,None,None,0,",
	  RINGS, NULL },
};

static void test_accepted(void **state)
{
	const struct accepted *c = *state;
	struct gen_job j;

	gen_job_init(&j, 2, 8, 2);
	check_result(&j, gen_job_text(&j, c->text), NULL);
	check_conns(&j, c->want);
	if (c->rows_left_out)
		assert_string_equal(gen_job_assumed(&j, "rows_left_out"),
				    c->rows_left_out);
	else
		assert_null(gen_job_assumed(&j, "rows_left_out"));
	gen_job_fini(&j);
}

static void test_without_sizes(void **state)
{
	struct gen_job j;

	(void)state;
	gen_job_init(&j, 2, 8, 2);
	j.options.hosts = 2;
	check_result(&j,
		     gen_job_text(&j, "comm_type,comm_group,msg_size,stage\n"
				      "CommType.all_to_all,CommGroup.dp_group,4,warmup\n"
				      "CommType.epoch_end,None,0,\n"
				      "CommType.all_to_all,CommGroup.dp_group,4,test_step"
				      "\nCommType.epoch_end,None,0,\n"),
		     NULL);
	/* Four ranks, of the twelve pairs four are inside a host. */
	assert_int_equal(j.p.n_conns, 8);
	assert_int_equal(j.p.local_conns, 4);
	assert_string_equal(gen_job_assumed(&j, "tensor_parallel"), "1");
	gen_job_fini(&j);
}

struct refused {
	const char *name;
	const char *text;
	const char *error;
};

static struct refused refused_cases[] = {
	{ "no rows", FOUR HEADING, "f:2: no iteration: all rows set up or warm up" },
	{ "only init", FOUR HEADING INIT END,
	  "f:4: no iteration: all rows set up or warm up" },
	{ "an iteration without end", FOUR HEADING INIT END DP("1"),
	  "f:5: the iteration that begins in line 5 has no epoch_end: is the file cut "
	  "short?" },
	{ "a row cut short", FOUR HEADING "CommType.all_reduce,CommGroup.dp_group,2\n",
	  "f:3:1: 3 fields, and the heading has 12: is the file cut short?" },
	{ "two lines of ranks", FOUR FOUR HEADING,
	  "f:2:1: expected the heading (comm_type,comm_group,...) or one line of ranks, "
	  "such as [rank0 ~ rank127]" },
	{ "something before the heading", "hello\n" HEADING,
	  "f:1:1: expected the heading (comm_type,comm_group,...) or one line of ranks, "
	  "such as [rank0 ~ rank127]" },
	{ "more ranks than can be", "[rank0 ~ rank4000000]\n" HEADING,
	  "f:1:1: more than 4000000 ranks" },
	{ "a heading without sizes", "comm_type,comm_group,stage\n",
	  "f:1:1: the heading has no column \"msg_size\"" },
	{ "a type with a slip",
	  FOUR HEADING ROW("all_reduse", "CommGroup.dp_group", "2", "1", "step", "") END,
	  "f:3:10: unknown type \"all_reduse\"; did you mean \"all_reduce\"?" },
	{ "a type from nowhere",
	  FOUR HEADING ROW("think", "CommGroup.dp_group", "2", "1", "step", "") END,
	  "f:3:10: unknown type \"think\": expected one such as \"all_reduce\"" },
	{ "a group with a slip",
	  FOUR HEADING ROW("all_reduce", "CommGroup.dq_group", "2", "1", "step", "") END,
	  NULL },
	{ "a direction from nowhere",
	  FOUR HEADING ROW("isend", "CommGroup.pp_group", "1", "1", "step", "upwards")
		  END,
	  NULL },
	{ "bytes that are none", FOUR HEADING DP("x") END, NULL },
	{ "a group that changes its size",
	  FOUR HEADING DP("1")
		  ROW("all_reduce", "CommGroup.dp_group", "4", "1", "step", "") END,
	  "f:4:40: a group of 4 ranks, and it had 2 in line 3" },
	{ "a group of nobody",
	  FOUR HEADING ROW("all_reduce", "CommGroup.dp_group", "0", "1", "step", "") END,
	  "f:3:40: a group has from 1 to 4000000 ranks" },
	{ "groups that do not make the ranks",
	  "[rank0 ~ rank7]\n" HEADING TP("1") DP("1")
		  ROW("all_reduce", "CommGroup.pp_group", "1", "1", "step", "") END,
	  "f: groups of 2, 2 and 1 ranks (tensor, data, pipeline parallel) do not make "
	  "the 8 ranks listed" },
	{ "more bytes than can be", FOUR HEADING DP("144115188075855872") DP("1") END,
	  "f:4:42: more bytes in an iteration than can be" },
};

static void test_refused(void **state)
{
	const struct refused *c = *state;
	struct gen_job j;
	int r;

	gen_job_init(&j, 2, 8, 2);
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

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_accepted, accepted_cases);
	ROWS_ADD(&rows, test_refused, refused_cases);
	rows_add_test(&rows, "a log without sizes of groups", test_without_sizes);
	return rows_run(&rows, "planner_job_aicb");
}
