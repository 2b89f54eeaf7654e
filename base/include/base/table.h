/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A set of names with dense ids: name -> id in O(1), id -> name by index, ids in order of
 * insertion.  Names are copied into one block.  Results never depend on the order of the
 * hash.  Many may look up at once, one may add.
 */
#pragma once
#include <base/compiler.h>
#include <stddef.h>
#include <stdint.h>

BASE_BEGIN_DECLS

#define BASE_TABLE_NONE UINT32_MAX

struct base_table {
	char *bytes; /* all names, each terminated */
	size_t n_bytes, cap_bytes;
	uint32_t *offsets; /* id -> offset into bytes */
	size_t cap_offsets;
	uint32_t n;
	uint64_t *slots; /* hash in the upper half, id + 1 in the lower; 0: free */
	uint32_t n_slots;
};

void base_table_init(struct base_table *t);
void base_table_fini(struct base_table *t);

/*
 * The id of the name; a new one if it was not there.  0, or -ENOMEM (also when the names
 * come to 4 GiB) with @t unchanged.  @name must not lie in @t.
 */
int base_table_add(struct base_table *t, const char *name, size_t len,
		   uint32_t *ret_id) BASE_MUST_CHECK;
/* BASE_TABLE_NONE: not there. */
uint32_t base_table_find(const struct base_table *t, const char *name, size_t len);
/* Borrowed until the next add.  @id < t->n. */
const char *base_table_name(const struct base_table *t, uint32_t id);

BASE_END_DECLS
