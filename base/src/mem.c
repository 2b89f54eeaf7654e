/* SPDX-License-Identifier: Apache-2.0 */
#include <base/mem.h>
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Growth by doubling starts here. */
#define FIRST_CAP 8u

/* No object may be larger than PTRDIFF_MAX: differences of pointers would overflow. */
static bool size_fits(size_t n, size_t elem_size, size_t *ret_bytes)
{
	return !__builtin_mul_overflow(n, elem_size, ret_bytes) &&
	       *ret_bytes <= PTRDIFF_MAX;
}

void *base_grow(void *old, size_t *cap, size_t need, size_t elem_size)
{
	size_t n = *cap < FIRST_CAP ? FIRST_CAP : *cap, bytes;
	void *grown;

	assert(elem_size > 0);
	if (old && need <= *cap)
		return old;
	if (old && n <= SIZE_MAX / 2)
		n *= 2;
	if (n < need || !size_fits(n, elem_size, &bytes))
		n = need;
	if (!size_fits(n, elem_size, &bytes))
		return NULL;
	grown = realloc(old, bytes);
	if (grown)
		*cap = n;
	return grown;
}

void *base_array_new(size_t n, size_t elem_size)
{
	size_t bytes;

	assert(elem_size > 0);
	if (n == 0)
		n = 1;
	return size_fits(n, elem_size, &bytes) ? calloc(n, elem_size) : NULL;
}

void *base_array_dup(const void *src, size_t n, size_t elem_size)
{
	size_t bytes;
	void *copy;

	assert(elem_size > 0 && (src || n == 0));
	if (!size_fits(n, elem_size, &bytes))
		return NULL;
	copy = malloc(bytes > 0 ? bytes : 1);
	if (copy && bytes > 0)
		memcpy(copy, src, bytes);
	return copy;
}
