/* SPDX-License-Identifier: Apache-2.0 */
#include <unit/rows.h>
#include <base/cursor.h>
#include <base/err.h>
#include <string.h>

static uint64_t read_u8(struct base_cursor *c)
{
	return base_cursor_u8(c);
}

static uint64_t read_be16(struct base_cursor *c)
{
	return base_cursor_be16(c);
}

static uint64_t read_be24(struct base_cursor *c)
{
	return base_cursor_be24(c);
}

static uint64_t read_be32(struct base_cursor *c)
{
	return base_cursor_be32(c);
}

static uint64_t read_le16(struct base_cursor *c)
{
	return base_cursor_le16(c);
}

static uint64_t read_le32(struct base_cursor *c)
{
	return base_cursor_le32(c);
}

struct read_case {
	const char *name;
	uint64_t (*read)(struct base_cursor *c);
	size_t bytes;
	uint64_t want;
};

/* Of the bytes F1 E2 D3 C4 B5 A6 97 88. */
static struct read_case read_cases[] = {
	{ "u8", read_u8, 1, 0xF1 },
	{ "be16", read_be16, 2, 0xF1E2 },
	{ "be24", read_be24, 3, 0xF1E2D3 },
	{ "be32", read_be32, 4, 0xF1E2D3C4 },
	{ "be64", base_cursor_be64, 8, 0xF1E2D3C4B5A69788 },
	{ "le16", read_le16, 2, 0xE2F1 },
	{ "le32", read_le32, 4, 0xC4D3E2F1 },
	{ "le64", base_cursor_le64, 8, 0x8897A6B5C4D3E2F1 },
};

static void test_read(void **state)
{
	static const uint8_t bytes[] = { 0xF1, 0xE2, 0xD3, 0xC4, 0xB5, 0xA6, 0x97, 0x88 };
	const struct read_case *c = *state;
	struct base_cursor cursor;

	/* Whole, then each truncation in a block of exactly that size. */
	for (size_t len = c->bytes; len + 1 > 0; len--) {
		int fits = len == c->bytes;
		uint8_t *exact = malloc(len + !len);

		assert_non_null(exact);
		memcpy(exact, bytes, len);
		base_cursor_init(&cursor, exact, len);
		assert_int_equal(c->read(&cursor), fits ? c->want : 0);
		assert_int_equal(base_cursor_error(&cursor), fits ? 0 : -BASE_E_SYNTAX);
		assert_int_equal(cursor.pos, fits ? len : 0);
		assert_int_equal(base_cursor_left(&cursor), 0);
		free(exact);
	}
}

static void test_sticky(void **state)
{
	static const uint8_t bytes[] = { 1, 2, 3 };
	struct base_cursor c;

	(void)state;
	base_cursor_init(&c, bytes, sizeof(bytes));
	assert_int_equal(base_cursor_u8(&c), 1);
	assert_int_equal(base_cursor_left(&c), 2);
	assert_int_equal(base_cursor_be32(&c), 0);
	assert_int_equal(base_cursor_u8(&c), 0); /* there would be one */
	assert_null(base_cursor_bytes(&c, 1));
	assert_null(base_cursor_bytes(&c, 0));
	base_cursor_skip(&c, 1);
	assert_int_equal(c.pos, 1);
	assert_int_equal(base_cursor_left(&c), 0);
	assert_int_equal(base_cursor_error(&c), -BASE_E_SYNTAX);
}

static void test_bytes_and_skip(void **state)
{
	static const uint8_t bytes[] = { 1, 2, 3, 4, 5 };
	struct base_cursor c;

	(void)state;
	base_cursor_init(&c, bytes, sizeof(bytes));
	assert_ptr_equal(base_cursor_bytes(&c, 2), bytes);
	base_cursor_skip(&c, 1);
	assert_ptr_equal(base_cursor_bytes(&c, 2), bytes + 3);
	assert_non_null(base_cursor_bytes(&c, 0)); /* nothing is there to be had */
	assert_int_equal(base_cursor_left(&c), 0);
	assert_int_equal(base_cursor_error(&c), 0);
	base_cursor_skip(&c, 1);
	assert_int_equal(base_cursor_error(&c), -BASE_E_SYNTAX);
}

static void test_huge_length(void **state)
{
	static const uint8_t bytes[] = { 1, 2, 3 };
	struct base_cursor c;

	(void)state;
	base_cursor_init(&c, bytes, sizeof(bytes));
	base_cursor_skip(&c, 2);
	assert_null(base_cursor_bytes(&c, SIZE_MAX)); /* 2 + SIZE_MAX is 1 */
	assert_int_equal(base_cursor_error(&c), -BASE_E_SYNTAX);
}

static void test_no_bytes(void **state)
{
	struct base_cursor c;

	(void)state;
	base_cursor_init(&c, NULL, 0);
	assert_non_null(base_cursor_bytes(&c, 0));
	assert_int_equal(base_cursor_error(&c), 0);
	assert_int_equal(base_cursor_u8(&c), 0);
	assert_int_equal(base_cursor_error(&c), -BASE_E_SYNTAX);
}

int main(void)
{
	struct rows rows = { 0 };

	ROWS_ADD(&rows, test_read, read_cases);
	rows_add_test(&rows, "the first error stays", test_sticky);
	rows_add_test(&rows, "bytes are borrowed, skipped ones passed over",
		      test_bytes_and_skip);
	rows_add_test(&rows, "a length that would wrap is refused", test_huge_length);
	rows_add_test(&rows, "no bytes at all", test_no_bytes);
	return rows_run(&rows, "base_cursor");
}
