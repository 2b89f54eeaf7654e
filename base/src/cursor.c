/* SPDX-License-Identifier: Apache-2.0 */
#include <base/cursor.h>
#include <base/err.h>
#include <assert.h>

void base_cursor_init(struct base_cursor *c, const void *data, size_t len)
{
	assert(data || len == 0);
	*c = (struct base_cursor){ .data = data, .len = len };
}

/* The next @n bytes, or NULL once and for all. */
static const uint8_t *take(struct base_cursor *c, size_t n)
{
	const uint8_t *bytes;

	if (c->error < 0)
		return NULL;
	if (n > c->len - c->pos) {
		c->error = -BASE_E_SYNTAX;
		return NULL;
	}
	bytes = c->data ? c->data + c->pos : (const uint8_t *)"";
	c->pos += n;
	return bytes;
}

static uint64_t take_big_endian(struct base_cursor *c, size_t n)
{
	const uint8_t *bytes = take(c, n);
	uint64_t value = 0;

	for (size_t i = 0; bytes && i < n; i++)
		value = value << 8 | bytes[i];
	return value;
}

static uint64_t take_little_endian(struct base_cursor *c, size_t n)
{
	const uint8_t *bytes = take(c, n);
	uint64_t value = 0;

	for (size_t i = n; bytes && i > 0; i--)
		value = value << 8 | bytes[i - 1];
	return value;
}

uint8_t base_cursor_u8(struct base_cursor *c)
{
	return (uint8_t)take_big_endian(c, 1);
}

uint16_t base_cursor_be16(struct base_cursor *c)
{
	return (uint16_t)take_big_endian(c, 2);
}

uint32_t base_cursor_be24(struct base_cursor *c)
{
	return (uint32_t)take_big_endian(c, 3);
}

uint32_t base_cursor_be32(struct base_cursor *c)
{
	return (uint32_t)take_big_endian(c, 4);
}

uint64_t base_cursor_be64(struct base_cursor *c)
{
	return take_big_endian(c, 8);
}

uint16_t base_cursor_le16(struct base_cursor *c)
{
	return (uint16_t)take_little_endian(c, 2);
}

uint32_t base_cursor_le32(struct base_cursor *c)
{
	return (uint32_t)take_little_endian(c, 4);
}

uint64_t base_cursor_le64(struct base_cursor *c)
{
	return take_little_endian(c, 8);
}

const uint8_t *base_cursor_bytes(struct base_cursor *c, size_t n)
{
	return take(c, n);
}

void base_cursor_skip(struct base_cursor *c, size_t n)
{
	take(c, n);
}

size_t base_cursor_left(const struct base_cursor *c)
{
	return c->error < 0 ? 0 : c->len - c->pos;
}

int base_cursor_error(const struct base_cursor *c)
{
	return c->error;
}
