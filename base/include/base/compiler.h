/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compiler attributes, under names of our own so that a header says what it promises.
 */
#pragma once

#ifdef __cplusplus
#define BASE_BEGIN_DECLS extern "C" {
#define BASE_END_DECLS }
#else
#define BASE_BEGIN_DECLS
#define BASE_END_DECLS
#endif

/* The result must be looked at; the compiler warns when it is dropped. */
#define BASE_MUST_CHECK __attribute__((warn_unused_result))
/* Argument @fmt is a printf format for the arguments from @first on (0: a va_list). */
#define BASE_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#define BASE_NORETURN __attribute__((noreturn))

#define BASE_COUNT(array) (sizeof(array) / sizeof((array)[0]))
