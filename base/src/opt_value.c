/* SPDX-License-Identifier: Apache-2.0 */
#include "opt_private.h"
#include "quote.h"
#include <base/num.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define PPM_PERCENT 10000u /* parts per million in a percent */

/* What a kind of number is called, and how it is read. */
static const struct {
	const char *what, *example, *unit;
	int (*read)(const char *text, size_t len, uint64_t *ret_n);
} numbers[] = {
	[BASE_OPT_U64] = { "whole number", "4", "numbers", base_num_u64 },
	[BASE_OPT_RATE] = { "rate", "400G", "bits per second", base_num_rate },
	[BASE_OPT_SIZE] = { "size", "16MiB", "bytes", base_num_size },
	[BASE_OPT_TIME] = { "time", "10us", "nanoseconds", base_num_time },
	[BASE_OPT_SHARE] = { "share", "12.5%", "parts per million", base_num_share },
};

static const char *format_limit(enum base_opt_kind kind, uint64_t n,
				char buf[BASE_NUM_TEXT_MAX])
{
	if (kind == BASE_OPT_RATE)
		return base_num_format_rate(n, buf);
	if (kind == BASE_OPT_SIZE)
		return base_num_format_size(n, buf);
	if (kind == BASE_OPT_TIME)
		return base_num_format_time(n, buf);
	if (kind == BASE_OPT_SHARE && n % PPM_PERCENT == 0)
		snprintf(buf, BASE_NUM_TEXT_MAX, "%" PRIu64 "%%", n / PPM_PERCENT);
	else
		snprintf(buf, BASE_NUM_TEXT_MAX, "%" PRIu64 "%s", n,
			 kind == BASE_OPT_SHARE ? "ppm" : "");
	return buf;
}

static int convert_number(const struct base_opt *opt, const char *text,
			  uint64_t *ret_number, struct base_err *err)
{
	char limit[BASE_NUM_TEXT_MAX], quoted[BASE_QUOTE_MAX];
	uint64_t n;
	int r = numbers[opt->kind].read(text, strlen(text), &n);

	if (r == -ERANGE)
		return base_err_set(err, -BASE_E_USAGE,
				    "--%s: %s cannot be held in whole %s (64 bits)",
				    opt->name, base_quote(text, quoted),
				    numbers[opt->kind].unit);
	if (r < 0)
		return base_err_set(err, -BASE_E_USAGE,
				    "--%s: %s is not a %s; write for example %s",
				    opt->name, base_quote(text, quoted),
				    numbers[opt->kind].what, numbers[opt->kind].example);
	if (n < opt->min)
		return base_err_set(err, -BASE_E_USAGE, "--%s: %s is below %s", opt->name,
				    text, format_limit(opt->kind, opt->min, limit));
	if (opt->max > 0 && n > opt->max)
		return base_err_set(err, -BASE_E_USAGE, "--%s: %s is above %s", opt->name,
				    text, format_limit(opt->kind, opt->max, limit));
	*ret_number = n;
	return 0;
}

static int convert_word(const struct base_opt *opt, const char *text,
			uint64_t *ret_number, struct base_err *err)
{
	char list[256] = "", quoted[BASE_QUOTE_MAX];
	const char *nearest;
	size_t n = 0, at = 0;

	for (; opt->words[n]; n++) {
		if (strcmp(opt->words[n], text) == 0) {
			*ret_number = n;
			return 0;
		}
		if (at < sizeof(list))
			at += (size_t)snprintf(list + at, sizeof(list) - at, "%s%s",
					       n > 0 ? ", " : "", opt->words[n]);
	}
	nearest = base_str_nearest(text, opt->words, n);
	return base_err_set(err, -BASE_E_USAGE, "--%s: %s is not one of %s%s%s%s",
			    opt->name, base_quote(text, quoted), list,
			    nearest ? ": did you mean \"" : "", nearest ? nearest : "",
			    nearest ? "\"?" : "");
}

int base_opt_convert(const struct base_opt *opt, const char *text, uint64_t *ret_number,
		     struct base_err *err)
{
	switch (opt->kind) {
	case BASE_OPT_U64:
	case BASE_OPT_RATE:
	case BASE_OPT_SIZE:
	case BASE_OPT_TIME:
	case BASE_OPT_SHARE:
		return convert_number(opt, text, ret_number, err);
	case BASE_OPT_WORD:
		return convert_word(opt, text, ret_number, err);
	case BASE_OPT_FLAG:
	case BASE_OPT_STRING:
	case BASE_OPT_FILE:
		break;
	}
	*ret_number = 0;
	return 0;
}
