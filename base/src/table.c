/* SPDX-License-Identifier: Apache-2.0 */
#include <base/table.h>
#include <base/mem.h>
#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 16u
/* The index of a slot comes from the 32 bits of hash that the slot keeps. */
#define SLOTS_MAX (UINT32_C(1) << 31)

void base_table_init(struct base_table *t)
{
	*t = (struct base_table){ 0 };
}

void base_table_fini(struct base_table *t)
{
	free(t->bytes);
	free(t->offsets);
	free(t->slots);
	base_table_init(t);
}

/* Both halves of the 128-bit product, folded: each bit hangs on all bits of @a and @b. */
static uint64_t fold(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t load(const char *bytes, size_t n)
{
	uint64_t word = 0;

	if (n > 0)
		memcpy(&word, bytes, n);
	return word;
}

static uint32_t hash_name(const char *name, size_t len)
{
	/* Fractions of the square roots of 2, 3 and 5: odd, and nobody chose them. */
	const uint64_t root2 = UINT64_C(0x6A09E667F3BCC909),
		       root3 = UINT64_C(0xBB67AE8584CAA73B),
		       root5 = UINT64_C(0x3C6EF372FE94F82B);
	uint64_t hash = root2 ^ len, word;

	for (; len > 8; name += 8, len -= 8) {
		word = load(name, 8);
		hash = fold(hash ^ word, root3);
	}
	word = load(name, len);
	return (uint32_t)(fold(fold(hash ^ word, root3) ^ root5, root2) >> 32);
}

static size_t name_len(const struct base_table *t, uint32_t id)
{
	size_t end = id + 1 < t->n ? t->offsets[id + 1] : t->n_bytes;

	return end - t->offsets[id] - 1;
}

static bool name_is(const struct base_table *t, uint32_t id, const char *name, size_t len)
{
	return name_len(t, id) == len &&
	       (len == 0 || memcmp(t->bytes + t->offsets[id], name, len) == 0);
}

static uint32_t find_hashed(const struct base_table *t, uint32_t hash, const char *name,
			    size_t len)
{
	uint32_t mask = t->n_slots - 1;

	if (t->n_slots == 0)
		return BASE_TABLE_NONE;
	for (uint32_t i = hash & mask; t->slots[i]; i = (i + 1) & mask) {
		uint32_t id = (uint32_t)t->slots[i] - 1;

		if (t->slots[i] >> 32 == hash && name_is(t, id, name, len))
			return id;
	}
	return BASE_TABLE_NONE;
}

static void fill_slot(uint64_t *slots, uint32_t n_slots, uint64_t slot)
{
	uint32_t mask = n_slots - 1, i = (uint32_t)(slot >> 32) & mask;

	while (slots[i])
		i = (i + 1) & mask;
	slots[i] = slot;
}

/* Keeps at least half of the slots free with one more name. */
static int reserve_slot(struct base_table *t)
{
	uint32_t n_slots = t->n_slots > 0 ? t->n_slots * 2 : FIRST_SLOTS;
	uint64_t *slots;

	if (t->n < t->n_slots / 2)
		return 0;
	if (t->n_slots == SLOTS_MAX)
		return -ENOMEM;
	slots = base_array_new(n_slots, sizeof(*slots));
	if (!slots)
		return -ENOMEM;
	for (uint32_t i = 0; i < t->n_slots; i++)
		if (t->slots[i])
			fill_slot(slots, n_slots, t->slots[i]);
	free(t->slots);
	t->slots = slots;
	t->n_slots = n_slots;
	return 0;
}

static int reserve_name(struct base_table *t, size_t len)
{
	uint32_t *offsets;
	char *bytes;

	if (len >= UINT32_MAX - t->n_bytes) /* offsets have 32 bits */
		return -ENOMEM;
	offsets = base_grow(t->offsets, &t->cap_offsets, (size_t)t->n + 1,
			    sizeof(*offsets));
	if (!offsets)
		return -ENOMEM;
	t->offsets = offsets;
	bytes = base_grow(t->bytes, &t->cap_bytes, t->n_bytes + len + 1, 1);
	if (!bytes)
		return -ENOMEM;
	t->bytes = bytes;
	return 0;
}

int base_table_add(struct base_table *t, const char *name, size_t len, uint32_t *ret_id)
{
	uint32_t hash = hash_name(name, len), id = find_hashed(t, hash, name, len);

	if (id == BASE_TABLE_NONE) {
		if (reserve_slot(t) < 0 || reserve_name(t, len) < 0)
			return -ENOMEM;
		id = t->n++;
		t->offsets[id] = (uint32_t)t->n_bytes;
		if (len > 0)
			memcpy(t->bytes + t->n_bytes, name, len);
		t->bytes[t->n_bytes + len] = '\0';
		t->n_bytes += len + 1;
		fill_slot(t->slots, t->n_slots, (uint64_t)hash << 32 | (id + 1));
	}
	*ret_id = id;
	return 0;
}

uint32_t base_table_find(const struct base_table *t, const char *name, size_t len)
{
	return find_hashed(t, hash_name(name, len), name, len);
}

const char *base_table_name(const struct base_table *t, uint32_t id)
{
	assert(id < t->n);
	return t->bytes + t->offsets[id];
}
