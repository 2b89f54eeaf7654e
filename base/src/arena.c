/* SPDX-License-Identifier: Apache-2.0 */
#include <base/arena.h>
#include <assert.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Blocks double from the first size to the last; a request that is large beside them gets
 * a block of its own. */
#define FIRST_BLOCK_BYTES ((size_t)4096)
#define LAST_BLOCK_BYTES ((size_t)1024 * 1024)
#define ALIGN alignof(max_align_t)

struct base_arena_block {
	struct base_arena_block *next; /* older */
	alignas(max_align_t) unsigned char data[];
};

void base_arena_init(struct base_arena *a, size_t max_bytes)
{
	*a = (struct base_arena){ .max_bytes = max_bytes };
}

void base_arena_fini(struct base_arena *a)
{
	struct base_arena_block *block, *next;

	for (block = a->blocks; block; block = next) {
		next = block->next;
		free(block);
	}
	base_arena_init(a, a->max_bytes);
}

static struct base_arena_block *new_block(size_t bytes)
{
	if (bytes > PTRDIFF_MAX - sizeof(struct base_arena_block))
		return NULL;
	return calloc(1, sizeof(struct base_arena_block) + bytes);
}

/* A block for one large object, linked behind the newest, whose room stays in use. */
static void *alloc_alone(struct base_arena *a, size_t bytes)
{
	struct base_arena_block **link = a->blocks ? &a->blocks->next : &a->blocks;
	struct base_arena_block *block = new_block(bytes);

	if (!block)
		return NULL;
	block->next = *link;
	*link = block; /* as the first of all it has no room left: a->room is still 0 */
	return block->data;
}

static void *alloc_from_new_block(struct base_arena *a, size_t bytes)
{
	size_t room = FIRST_BLOCK_BYTES;
	struct base_arena_block *block;

	while (room < LAST_BLOCK_BYTES && room <= a->total_bytes / 2)
		room *= 2;
	if (bytes > room / 4)
		return alloc_alone(a, bytes);
	block = new_block(room);
	if (!block)
		return NULL;
	block->next = a->blocks;
	a->blocks = block;
	a->room = room;
	a->used = bytes;
	return block->data;
}

void *base_arena_alloc(struct base_arena *a, size_t n, size_t elem_size)
{
	size_t bytes, max = a->max_bytes > 0 ? a->max_bytes : PTRDIFF_MAX;
	void *data;

	assert(elem_size > 0);
	if (__builtin_mul_overflow(n, elem_size, &bytes) || bytes > PTRDIFF_MAX - ALIGN)
		return NULL;
	bytes = bytes > 0 ? (bytes + ALIGN - 1) / ALIGN * ALIGN : ALIGN;
	if (a->total_bytes > max || bytes > max - a->total_bytes)
		return NULL;
	if (bytes <= a->room - a->used) {
		data = a->blocks->data + a->used;
		a->used += bytes;
	} else {
		data = alloc_from_new_block(a, bytes);
	}
	if (data)
		a->total_bytes += bytes;
	return data;
}

char *base_arena_strndup(struct base_arena *a, const char *s, size_t len)
{
	char *copy = len < SIZE_MAX ? base_arena_alloc(a, len + 1, 1) : NULL;

	if (copy && len > 0)
		memcpy(copy, s, len); /* the terminator is there: memory comes cleared */
	return copy;
}
