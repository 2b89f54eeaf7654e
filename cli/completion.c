/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fairlead completion: the file that makes a shell ask the program itself, and the hidden
 * command that answers.  So completion cannot drift from the commands.
 */
#include "commands.h"
#include <base/mem.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char bash_file[] =
	"# bash completion for fairlead: eval \"$(fairlead completion bash)\"\n"
	"_fairlead() {\n"
	"\tlocal IFS=$'\\n' words\n"
	"\twords=$(\"$1\" __complete -- \"${COMP_WORDS[@]:1:COMP_CWORD}\" 2>/dev/null)\n"
	"\tCOMPREPLY=()\n"
	"\t[ \"$words\" != :file ] || { compopt -o filenames; words=$(compgen -f -- "
	"\"$2\"); }\n"
	"\t[ -z \"$words\" ] || COMPREPLY=($words)\n"
	"}\n"
	"complete -F _fairlead fairlead\n";

static int run_bash(const struct base_opt_values *v, void *context)
{
	struct base_str text;

	(void)v;
	base_str_init(&text, 0);
	base_str_add(&text, bash_file);
	return cli_write(context, "-", &text);
}

const struct base_opt_command cli_completion_commands[] = {
	{ .name = "bash",
	  .help = "for bash: eval \"$(fairlead completion bash)\"",
	  .run = run_bash },
	{ 0 },
};

int cli_complete(const struct base_opt_values *v, void *context)
{
	struct cli *cli = context;
	size_t n = base_opt_n_args(v);
	char **words = base_array_new(n, sizeof(*words));
	struct base_str text;

	if (!words)
		return cli_no_memory(cli);
	base_str_init(&text, 0);
	for (size_t i = 0; i < n; i++) {
		const char *word = base_opt_arg(v, i);

		words[i] = base_array_dup(word, strlen(word) + 1, 1);
		if (!words[i])
			text.error = -ENOMEM;
	}
	if (base_str_error(&text) == 0)
		base_opt_complete(cli->root, cli->common, (int)n, words, &text);
	for (size_t i = 0; i < n; i++)
		free(words[i]);
	free(words);
	return cli_write(cli, "-", &text);
}
