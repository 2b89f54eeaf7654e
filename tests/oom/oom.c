/* SPDX-License-Identifier: Apache-2.0 */
#include "oom.h"
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUNS_MAX 100000u
#define LIVE_MAX (1u << 16) /* slots; a power of two */

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *block);
int __real_vasprintf(char **ret_text, const char *format, va_list args);
FILE *__real_open_memstream(char **ret_data, size_t *ret_size);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_reallocarray(void *old, size_t n, size_t size);
void __wrap_free(void *block);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t size);
int __wrap_vasprintf(char **ret_text, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));
int __wrap_asprintf(char **ret_text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
FILE *__wrap_open_memstream(char **ret_data, size_t *ret_size);

/* The allocator has no context to carry this in: it is the one global of the tests. */
static struct {
	bool armed;
	bool fired;
	bool overflow;		/* more blocks alive than LIVE_MAX can note */
	unsigned int countdown; /* the failure is the call that brings it to 0 */
	size_t n_live;
	uintptr_t live[LIVE_MAX]; /* open addressing; 0 is free, 1 a grave */
} sweep;

static size_t slot_of(uintptr_t block)
{
	return (size_t)((block >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 44) &
	       (LIVE_MAX - 1);
}

static void note_alive(const void *block)
{
	size_t i = slot_of((uintptr_t)block);

	if (!sweep.armed || !block)
		return;
	if (sweep.n_live >= LIVE_MAX / 2) {
		sweep.overflow = true;
		return;
	}
	while (sweep.live[i] > 1)
		i = (i + 1) & (LIVE_MAX - 1);
	sweep.live[i] = (uintptr_t)block;
	sweep.n_live++;
}

static void note_dead(const void *block)
{
	size_t i = slot_of((uintptr_t)block);

	if (!sweep.armed || !block)
		return;
	for (size_t n = 0; n < LIVE_MAX && sweep.live[i];
	     n++, i = (i + 1) & (LIVE_MAX - 1)) {
		if (sweep.live[i] != (uintptr_t)block)
			continue;
		sweep.live[i] = 1;
		sweep.n_live--;
		return;
	}
}

static bool must_fail(void)
{
	if (!sweep.armed || sweep.fired || --sweep.countdown > 0)
		return false;
	sweep.fired = true;
	errno = ENOMEM;
	return true;
}

void *__wrap_malloc(size_t size)
{
	void *block = must_fail() ? NULL : __real_malloc(size);

	note_alive(block);
	return block;
}

void *__wrap_calloc(size_t n, size_t size)
{
	void *block = must_fail() ? NULL : __real_calloc(n, size);

	note_alive(block);
	return block;
}

void *__wrap_realloc(void *old, size_t size)
{
	void *block;

	if (must_fail())
		return NULL;
	note_dead(old);
	block = __real_realloc(old, size);
	note_alive(block ? block : old);
	return block;
}

void *__wrap_reallocarray(void *old, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return __wrap_realloc(old, bytes);
}

void __wrap_free(void *block)
{
	note_dead(block);
	__real_free(block);
}

char *__wrap_strndup(const char *text, size_t size)
{
	size_t length = strnlen(text, size);
	char *copy = __wrap_malloc(length + 1);

	if (copy) {
		memcpy(copy, text, length);
		copy[length] = '\0';
	}
	return copy;
}

char *__wrap_strdup(const char *text)
{
	return __wrap_strndup(text, strlen(text));
}

int __wrap_vasprintf(char **ret_text, const char *format, va_list args)
{
	int r = must_fail() ? -1 : __real_vasprintf(ret_text, format, args);

	if (r >= 0)
		note_alive(*ret_text);
	return r;
}

int __wrap_asprintf(char **ret_text, const char *format, ...)
{
	va_list args;
	int r;

	va_start(args, format);
	r = __wrap_vasprintf(ret_text, format, args);
	va_end(args);
	return r;
}

FILE *__wrap_open_memstream(char **ret_data, size_t *ret_size)
{
	return must_fail() ? NULL : __real_open_memstream(ret_data, ret_size);
}

/* Runs @c with the allocation @nth failing. */
static int run_once(const struct oom_case *c, unsigned int nth)
{
	int r;

	memset(&sweep, 0, sizeof(sweep));
	sweep.countdown = nth;
	sweep.armed = true;
	r = c->run();
	sweep.armed = false;
	return r;
}

/* Returns what is wrong with a run that returned @r, or NULL. */
static const char *judge(int r)
{
	if (sweep.overflow)
		return "more blocks are alive than the harness can follow";
	if (sweep.n_live > 0)
		return "blocks were left behind";
	if (sweep.fired && r == 0)
		return "reported success although an allocation failed";
	if (sweep.fired && r != -ENOMEM)
		return "did not return -ENOMEM";
	if (!sweep.fired && r != 0)
		return "failed although no allocation did";
	return NULL;
}

static bool sweep_case(const struct oom_case *c)
{
	for (unsigned int nth = 1; nth <= RUNS_MAX; nth++) {
		int r = run_once(c, nth);
		const char *fault = judge(r);

		if (fault) {
			printf("FAILED %s: allocation %u: %s (returned %d, %zu blocks "
			       "left)\n",
			       c->name, nth, fault, r, sweep.n_live);
			return false;
		}
		if (!sweep.fired) {
			printf("ok     %s: %u allocations\n", c->name, nth - 1);
			return true;
		}
	}
	printf("FAILED %s: more than %u allocations, make the input smaller\n", c->name,
	       RUNS_MAX);
	return false;
}

int oom_main(const struct oom_case *cases, size_t n_cases)
{
	size_t n_failed = 0;

	for (size_t i = 0; i < n_cases; i++)
		n_failed += !sweep_case(&cases[i]);
	printf("%zu of %zu cases failed\n", n_failed, n_cases);
	fflush(stdout); /* a leak found at the end leaves without */
	return n_failed > 0 || n_cases == 0;
}
