/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time as an argument: code that measures or waits takes a clock, so that tests can
 * hand in a fake one.
 */
#pragma once
#include <base/compiler.h>
#include <stdint.h>

BASE_BEGIN_DECLS

struct base_clock {
	/* Monotonic, nanoseconds from an arbitrary start. */
	uint64_t (*now_ns)(void *context);
	void *context;
};

/* The machine's monotonic clock. */
struct base_clock base_clock_system(void);
uint64_t base_clock_now_ns(const struct base_clock *clock);

BASE_END_DECLS
