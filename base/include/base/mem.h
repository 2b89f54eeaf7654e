/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory for arrays: the one place that multiplies counts by sizes.
 */
#pragma once
#include <base/compiler.h>
#include <stddef.h>

BASE_BEGIN_DECLS

/*
 * Makes room for @need elements of @elem_size bytes (above 0): returns @old or its grown
 * replacement (at least doubled, so that appending is linear), with @cap updated; new
 * room is not cleared.  NULL: no memory or the product overflows; @old and @cap are then
 * still valid.
 */
void *base_grow(void *old, size_t *cap, size_t need, size_t elem_size) BASE_MUST_CHECK;

/* A cleared array owned by the caller (free()), of 1 for 0.  NULL: no memory, overflow.
 */
void *base_array_new(size_t n, size_t elem_size) BASE_MUST_CHECK;

/* A copy owned by the caller (free()).  NULL as above.  @src may be NULL if @n is 0. */
void *base_array_dup(const void *src, size_t n, size_t elem_size) BASE_MUST_CHECK;

BASE_END_DECLS
