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

/*
 * Copies the words.  Bash makes a word of its own of the "=" in --option=value: it is
 * left out, and the value completed like one that stands apart.
 */
static size_t copy_words(const struct base_opt_values *v, char **words)
{
	size_t n_given = base_opt_n_args(v), n = 0;

	for (size_t i = 0; i < n_given; i++) {
		const char *word = base_opt_arg(v, i);
		bool is_last = i + 1 == n_given;

		if (strcmp(word, "=") == 0 && !is_last)
			continue;
		if (strcmp(word, "=") == 0)
			word = "";
		words[n] = base_array_dup(word, strlen(word) + 1, 1);
		if (!words[n++])
			break; /* the caller finds the NULL */
	}
	return n;
}

int cli_complete(const struct base_opt_values *v, void *context)
{
	struct cli *cli = context;
	char **words = base_array_new(base_opt_n_args(v), sizeof(*words));
	struct base_str text;
	size_t n;

	if (!words)
		return cli_no_memory(cli);
	base_str_init(&text, 0);
	n = copy_words(v, words);
	if (n > 0 && !words[n - 1])
		text.error = -ENOMEM;
	else
		base_opt_complete(cli->root, cli->common, (int)n, words, &text);
	for (size_t i = 0; i < n; i++)
		free(words[i]);
	free(words);
	return cli_write(cli, "-", &text);
}
