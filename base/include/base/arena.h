/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An arena: memory for things that die together (one load, one solve).  Not locked.
 */
#pragma once
#include <base/compiler.h>
#include <stddef.h>

BASE_BEGIN_DECLS

struct base_arena_block;
struct base_arena {
	struct base_arena_block *blocks; /* newest first */
	size_t used, room;		 /* of the newest block, in bytes */
	size_t total_bytes;		 /* handed out so far, rounded up for alignment */
	size_t max_bytes;		 /* ceiling on total_bytes */
};

/* @max_bytes: ceiling; 0 means none but the machine's. */
void base_arena_init(struct base_arena *a, size_t max_bytes);
/* Frees everything that was handed out.  The arena may be used again. */
void base_arena_fini(struct base_arena *a);

/* Cleared, aligned for any type; lives until base_arena_fini().  NULL: no memory left. */
void *base_arena_alloc(struct base_arena *a, size_t n, size_t elem_size) BASE_MUST_CHECK;
/* A terminated copy of @len bytes. */
char *base_arena_strndup(struct base_arena *a, const char *s, size_t len) BASE_MUST_CHECK;

BASE_END_DECLS
