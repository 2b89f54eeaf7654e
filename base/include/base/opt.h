/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command line, described once in const tables: from them come parsing, --help,
 * completion and the JSON dump of all commands.  No abbreviations, no aliases.  The
 * tables are ours: what is wrong with them is an assert.
 */
#pragma once
#include <base/compiler.h>
#include <base/err.h>
#include <base/str.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

BASE_BEGIN_DECLS

enum base_opt_kind {
	BASE_OPT_FLAG,	 /* no value */
	BASE_OPT_STRING, /* any text */
	BASE_OPT_FILE,	 /* a file name; completed by the shell */
	BASE_OPT_U64,	 /* a whole number within min..max */
	BASE_OPT_RATE,	 /* "400G" -> bits per second, within min..max */
	BASE_OPT_SIZE,	 /* "16MiB" -> bytes */
	BASE_OPT_TIME,	 /* "10us" -> nanoseconds */
	BASE_OPT_SHARE,	 /* "12.5%" -> parts per million */
	BASE_OPT_WORD,	 /* one of words[] */
};

struct base_opt {
	const char *name; /* "rate": given as --rate VALUE or --rate=VALUE */
	char short_name;  /* 'o', or 0 */
	enum base_opt_kind kind;
	bool required, many; /* many: may be given more than once, values kept in order */
	const char *value;   /* "RATE" in help; NULL for a flag */
	const char *help;    /* one line with the unit; --help adds fallback and words */
	uint64_t min, max;   /* numbers, in base units; max 0: no limit */
	const char *fallback;	  /* value when not given, as text; NULL: none */
	const char *const *words; /* BASE_OPT_WORD: NULL-terminated */
};

struct base_opt_arg {	  /* positional arguments */
	const char *name; /* "FABRIC" */
	const char *help;
	bool optional, many; /* only the last may be either */
	bool is_file;
};

struct base_opt_values; /* opaque: what was given */

/*
 * A node of the command tree, at most 8 deep: a group (children) or a command (run).  A
 * group that has run as well may be named alone.  Tables end with a row whose name is
 * NULL.
 */
struct base_opt_command {
	const char *name;	 /* "make" */
	const char *help;	 /* one line; NULL: works, but is shown nowhere */
	const char *description; /* paragraphs for --help, or NULL */
	const struct base_opt_command *children; /* NULL for a command */
	const struct base_opt *options;	 /* or NULL; may stand anywhere after the name */
	const struct base_opt_arg *args; /* of a command, or NULL */
	/* Called by the program, with a context of its own.  Returns the exit status. */
	int (*run)(const struct base_opt_values *values, void *context);
};

/* What base_opt_parse() found. */
struct base_opt_result {
	const struct base_opt_command *command; /* the deepest node that was named */
	const struct base_opt_command *path[8]; /* from the root to it */
	unsigned n_path;
	struct base_opt_values *values; /* owned by the result */
	bool wants_help;
};

/*
 * Parses argv[1..].  @common (ended by a NULL name) are options that every command has;
 * --help and -h need no row.  "--" ends the options.  0, or -BASE_E_USAGE with one
 * sentence that names the wrong word and the nearest right one, or -ENOMEM.  With
 * wants_help nothing is checked for being there. Values are borrowed from argv.  Free
 * with base_opt_result_fini().
 */
int base_opt_parse(const struct base_opt_command *root, const struct base_opt *common,
		   int argc, char *const *argv, struct base_opt_result *ret_result,
		   struct base_err *err) BASE_MUST_CHECK;
void base_opt_result_fini(struct base_opt_result *r);

/* Values, by name; asking for an option that the table does not have is our bug (assert).
 */
bool base_opt_is_given(const struct base_opt_values *v, const char *name) BASE_MUST_CHECK;
bool base_opt_flag(const struct base_opt_values *v, const char *name) BASE_MUST_CHECK;
/* Given or fallback; NULL when there is neither.  Borrowed from argv or the table. */
const char *base_opt_string(const struct base_opt_values *v, const char *name);
/* Given or fallback as a number in its base unit (WORD: the index; a flag given: 1); else
 * 0. */
uint64_t base_opt_number(const struct base_opt_values *v, const char *name);
/* How often an option was given (flags such as -v, too), and its values; NULL past the
 * end. */
size_t base_opt_count(const struct base_opt_values *v, const char *name);
const char *base_opt_nth(const struct base_opt_values *v, const char *name, size_t index);
/* Positional arguments, as given; NULL past the end. */
size_t base_opt_n_args(const struct base_opt_values *v);
const char *base_opt_arg(const struct base_opt_values *v, size_t index);

/* Help of the node that @r names, wrapped at @columns (at least 40). */
void base_opt_help(const struct base_opt_result *r, const struct base_opt *common,
		   unsigned columns, struct base_str *into);
/* All commands, options and arguments as one JSON document ("fairlead.commands.v1"). */
void base_opt_dump_json(const struct base_opt_command *root,
			const struct base_opt *common, struct base_str *into);
/*
 * Completion: @words are the words typed after the program's name, the last one possibly
 * empty or cut; adds one candidate a line, or the line ":file" where the shell should
 * complete file names.
 */
void base_opt_complete(const struct base_opt_command *root, const struct base_opt *common,
		       int n_words, char *const *words, struct base_str *into);

BASE_END_DECLS
