/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory for arrays: the one place that multiplies counts by sizes.
 */
#pragma once
#include <base/compiler.h>
#include <stddef.h>

BASE_BEGIN_DECLS

/*
 * Makes room for @need elements of @elem_size bytes: returns @old or its grown
 * replacement (at least doubled, so that appending is linear), with @cap updated; new
 * room is not cleared. NULL: no memory or the product overflows; @old and @cap are then
 * still valid.
 */
void *base_grow(void *old, size_t *cap, size_t need, size_t elem_size) BASE_MUST_CHECK;

/* A cleared array owned by the caller (free()).  NULL: no memory or overflow.  0
 * elements: 1. */
void *base_array_new(size_t n, size_t elem_size) BASE_MUST_CHECK;

/* A copy owned by the caller (free()).  NULL: no memory or overflow.  @src may be NULL if
 * n is 0. */
void *base_array_dup(const void *src, size_t n, size_t elem_size) BASE_MUST_CHECK;

BASE_END_DECLS
