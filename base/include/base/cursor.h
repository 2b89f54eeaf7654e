/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A bounded reader over bytes with a sticky error: the first read past the end and all
 * that follow yield 0 and move nothing, and base_cursor_error() says so once at the end.
 * All wire and binary reads go through it.  Borrows the bytes; they must outlive it.
 */
#pragma once
#include <base/compiler.h>
#include <stddef.h>
#include <stdint.h>

BASE_BEGIN_DECLS

struct base_cursor {
	const uint8_t *data;
	size_t len, pos;
	int error; /* 0, or -BASE_E_SYNTAX once something did not fit */
};

void base_cursor_init(struct base_cursor *c, const void *data, size_t len);
uint8_t base_cursor_u8(struct base_cursor *c);
uint16_t base_cursor_be16(struct base_cursor *c);
uint32_t base_cursor_be24(struct base_cursor *c);
uint32_t base_cursor_be32(struct base_cursor *c);
uint64_t base_cursor_be64(struct base_cursor *c);
uint16_t base_cursor_le16(struct base_cursor *c);
uint32_t base_cursor_le32(struct base_cursor *c);
uint64_t base_cursor_le64(struct base_cursor *c);
/* Borrowed from the bytes.  NULL: fewer than @n are left, which is an error like any. */
const uint8_t *base_cursor_bytes(struct base_cursor *c, size_t n);
void base_cursor_skip(struct base_cursor *c, size_t n);
size_t base_cursor_left(const struct base_cursor *c); /* 0 after an error */
int base_cursor_error(const struct base_cursor *c);

BASE_END_DECLS
