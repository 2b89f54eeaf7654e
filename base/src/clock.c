/* SPDX-License-Identifier: Apache-2.0 */
#include <base/clock.h>
#include <assert.h>
#include <stddef.h>
#include <time.h>

#define NS_PER_S 1000000000u

static uint64_t monotonic_ns(void *context)
{
	struct timespec now;
	int r = clock_gettime(CLOCK_MONOTONIC, &now);

	(void)context;
	assert(r == 0); /* the clock exists on every Linux */
	(void)r;
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

struct base_clock base_clock_system(void)
{
	return (struct base_clock){ .now_ns = monotonic_ns, .context = NULL };
}

uint64_t base_clock_now_ns(const struct base_clock *clock)
{
	return clock->now_ns(clock->context);
}
