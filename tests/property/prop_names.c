/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names: the natural order is an order, and a table is a list that is found fast.
 */
#include <base/str.h>
#include <base/table.h>
#include <gen/prop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_BYTES 24u
#define PADDED_DIGITS 32

/* Few letters, so that names are often equal or nearly so. */
static size_t any_name(struct base_rng *rng, uint32_t size, char name[NAME_MAX_BYTES])
{
	static const char letters[] = "0019a.\xC3-";
	uint32_t max = size * 2 < NAME_MAX_BYTES - 1 ? size * 2 : NAME_MAX_BYTES - 1;
	size_t len = base_rng_below(rng, max + 1);

	for (size_t i = 0; i < len; i++)
		name[i] = letters[base_rng_below(rng, sizeof(letters) - 1)];
	name[len] = '\0';
	return len;
}

static int sign(int r)
{
	return (r > 0) - (r < 0);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* All runs of digits at the same width: then bytes say what values say. */
static void pad(const char *name, char padded[NAME_MAX_BYTES * (PADDED_DIGITS + 1)])
{
	size_t at = 0;

	while (*name) {
		size_t run = 0;

		while (is_digit(name[run]))
			run++;
		if (run > 0) {
			memset(padded + at, '0', PADDED_DIGITS - run);
			memcpy(padded + at + PADDED_DIGITS - run, name, run);
			at += PADDED_DIGITS;
			name += run;
		} else {
			padded[at++] = *name++;
		}
	}
	padded[at] = '\0';
}

static int padded_compare(const char *a, const char *b)
{
	char x[NAME_MAX_BYTES * (PADDED_DIGITS + 1)], y[sizeof(x)];
	int r;

	pad(a, x);
	pad(b, y);
	r = strcmp(x, y);
	return sign(r != 0 ? r : strcmp(a, b));
}

static void check_order(struct base_rng *rng, uint32_t size)
{
	char a[NAME_MAX_BYTES], b[NAME_MAX_BYTES], c[NAME_MAX_BYTES];
	int ab, bc, ac;

	any_name(rng, size, a);
	any_name(rng, size, b);
	any_name(rng, size, c);
	ab = sign(base_str_natural_compare(a, b));
	bc = sign(base_str_natural_compare(b, c));
	ac = sign(base_str_natural_compare(a, c));
	prop_check(base_str_natural_compare(a, a) == 0);
	prop_check(sign(base_str_natural_compare(b, a)) == -ab);
	prop_check((ab == 0) == (strcmp(a, b) == 0));
	if (ab == bc)
		prop_check(ac == ab);
	prop_check(ab == padded_compare(a, b));
}

struct list {
	uint32_t n;
	struct {
		char name[NAME_MAX_BYTES];
		size_t len;
	} entries[512];
};

static uint32_t list_find(const struct list *list, const char *name, size_t len)
{
	for (uint32_t i = 0; i < list->n; i++)
		if (list->entries[i].len == len &&
		    memcmp(list->entries[i].name, name, len) == 0)
			return i;
	return BASE_TABLE_NONE;
}

static void check_table(struct base_rng *rng, uint32_t size)
{
	static struct list list;
	char name[NAME_MAX_BYTES];
	struct base_table t;
	uint32_t id, want;
	size_t len;

	list.n = 0;
	base_table_init(&t);
	for (uint32_t i = 0; i < BASE_COUNT(list.entries); i++) {
		len = any_name(rng, size, name);
		want = list_find(&list, name, len);
		prop_check(base_table_find(&t, name, len) == want);
		if (base_rng_below(rng, 3) == 0)
			continue; /* asked for only */
		if (want == BASE_TABLE_NONE) {
			want = list.n++;
			memcpy(list.entries[want].name, name, sizeof(name));
			list.entries[want].len = len;
		}
		prop_check(base_table_add(&t, name, len, &id) == 0);
		prop_check(id == want && t.n == list.n);
	}
	for (uint32_t i = 0; i < list.n; i++)
		prop_check(strcmp(base_table_name(&t, i), list.entries[i].name) == 0);
	base_table_fini(&t);
}

int main(void)
{
	static const struct prop props[] = {
		{ "the natural order is total, and by value", 200000, check_order },
		{ "a table answers as a list does", 300, check_table },
	};

	return prop_main(props, BASE_COUNT(props));
}
