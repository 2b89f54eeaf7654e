/* SPDX-License-Identifier: Apache-2.0 */
#include <base/str.h>
#include <base/mem.h>
#include <errno.h>
#include <base/err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CAP_BYTES 64u
#define U64_DIGITS_MAX 20u
/* A word this long is no slip of the finger. */
#define NEAREST_LEN_MAX 127u

void base_str_init(struct base_str *s, size_t max_bytes)
{
	*s = (struct base_str){ .max = max_bytes };
}

void base_str_fini(struct base_str *s)
{
	free(s->data);
	base_str_init(s, s->max);
}

void base_str_clear(struct base_str *s)
{
	s->len = 0;
	s->error = 0;
	if (s->data)
		s->data[0] = '\0';
}

/* Where @n more bytes and a terminator can go, or NULL with the error recorded. */
static char *reserve(struct base_str *s, size_t n)
{
	size_t max = s->max > 0 ? s->max : PTRDIFF_MAX - 1, need;
	char *data;

	if (s->error < 0)
		return NULL;
	if (n > max || s->len > max - n) {
		s->error = -BASE_E_TOO_LARGE;
		return NULL;
	}
	need = s->len + n + 1;
	if (need > s->cap) {
		if (need < FIRST_CAP_BYTES)
			need = FIRST_CAP_BYTES;
		data = base_grow(s->data, &s->cap, need, 1);
		if (!data) {
			s->error = -ENOMEM;
			return NULL;
		}
		s->data = data;
	}
	return s->data + s->len;
}

void base_str_add_len(struct base_str *s, const char *text, size_t len)
{
	char *to = reserve(s, len);

	if (!to)
		return;
	if (len > 0)
		memcpy(to, text, len);
	to[len] = '\0';
	s->len += len;
}

void base_str_add(struct base_str *s, const char *text)
{
	base_str_add_len(s, text, strlen(text));
}

void base_str_add_char(struct base_str *s, char c)
{
	char *to = reserve(s, 1);

	if (!to)
		return;
	to[0] = c;
	to[1] = '\0';
	s->len++;
}

void base_str_add_u64(struct base_str *s, uint64_t n)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324"
				    "25262728293031323334353637383940414243444546474849"
				    "50515253545556575859606162636465666768697071727374"
				    "75767778798081828384858687888990919293949596979899";
	char digits[U64_DIGITS_MAX];
	size_t at = sizeof(digits);

	while (n >= 100) { /* two digits a division */
		at -= 2;
		memcpy(digits + at, pairs + n % 100 * 2, 2);
		n /= 100;
	}
	if (n >= 10) {
		at -= 2;
		memcpy(digits + at, pairs + n * 2, 2);
	} else {
		digits[--at] = (char)('0' + n);
	}
	base_str_add_len(s, digits + at, sizeof(digits) - at);
}

void base_str_addv(struct base_str *s, const char *fmt, va_list ap)
{
	va_list again;
	char *to = reserve(s, 0);
	int n;

	if (!to)
		return;
	va_copy(again, ap);
	n = vsnprintf(to, s->cap - s->len, fmt, ap);
	if (n < 0) {
		s->error = -errno;
	} else if ((size_t)n >= s->cap - s->len ||
		   (s->max > 0 && s->len + (size_t)n > s->max)) {
		to[0] = '\0'; /* what fitted is no part of the text */
		to = reserve(s, (size_t)n);
		if (to)
			n = vsnprintf(to, (size_t)n + 1, fmt, again);
	}
	if (s->error == 0)
		s->len += (size_t)n;
	else
		s->data[s->len] = '\0';
	va_end(again);
}

void base_str_addf(struct base_str *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	base_str_addv(s, fmt, ap);
	va_end(ap);
}

const char *base_str_text(const struct base_str *s)
{
	return s->data ? s->data : "";
}

int base_str_error(const struct base_str *s)
{
	return s->error;
}

char *base_str_steal(struct base_str *s)
{
	char *text = NULL;

	if (reserve(s, 0)) { /* an empty text is a text */
		s->data[s->len] = '\0';
		text = s->data;
		s->data = NULL;
	}
	base_str_fini(s);
	return text;
}

bool base_str_has_prefix(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool base_str_has_suffix(const char *text, const char *suffix)
{
	size_t len = strlen(text), suffix_len = strlen(suffix);

	return len >= suffix_len &&
	       memcmp(text + len - suffix_len, suffix, suffix_len) == 0;
}

static bool is_digit(unsigned char c)
{
	return c >= '0' && c <= '9';
}

/* Compares the runs of digits at *a and *b by value and moves both past them. */
static int compare_runs(const unsigned char **a, const unsigned char **b)
{
	const unsigned char *x = *a, *y = *b;
	size_t x_len = 0, y_len = 0;

	while (*x == '0')
		x++;
	while (*y == '0')
		y++;
	while (is_digit(x[x_len]))
		x_len++;
	while (is_digit(y[y_len]))
		y_len++;
	*a = x + x_len;
	*b = y + y_len;
	if (x_len != y_len)
		return x_len < y_len ? -1 : 1;
	return memcmp(x, y, x_len);
}

int base_str_natural_compare(const char *a, const char *b)
{
	const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
	int r;

	while (*x || *y) {
		if (is_digit(*x) && is_digit(*y)) {
			r = compare_runs(&x, &y);
			if (r != 0)
				return r;
		} else if (*x != *y) {
			return *x < *y ? -1 : 1;
		} else {
			x++;
			y++;
		}
	}
	return strcmp(a, b); /* "a01" and "a1" differ: only equal texts compare equal */
}

/*
 * Edit distance in which a swap of neighbours costs one and no part is edited twice. Both
 * lengths are at most NEAREST_LEN_MAX.  Three rows of the table are enough.
 */
static size_t edit_distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
	size_t rows[3][NEAREST_LEN_MAX + 1];

	for (size_t j = 0; j <= b_len; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= a_len; i++) {
		size_t *row = rows[i % 3], *above = rows[(i + 2) % 3];
		const size_t *above2 = rows[(i + 1) % 3];

		row[0] = i;
		for (size_t j = 1; j <= b_len; j++) {
			size_t best = above[j - 1] + (a[i - 1] != b[j - 1]);

			if (above[j] + 1 < best)
				best = above[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1] && above2[j - 2] + 1 < best)
				best = above2[j - 2] + 1;
			row[j] = best;
		}
	}
	return rows[a_len % 3][b_len];
}

/* The candidate that is @word and a unit, "rate_bps" for "rate": a unit is soon
 * forgotten. */
static const char *find_with_unit(const char *word, size_t len,
				  const char *const *candidates, size_t n)
{
	for (size_t i = 0; len > 0 && i < n; i++)
		if (strlen(candidates[i]) > len &&
		    memcmp(candidates[i], word, len) == 0 && candidates[i][len] == '_')
			return candidates[i];
	return NULL;
}

const char *base_str_nearest(const char *word, const char *const *candidates, size_t n)
{
	return base_str_nearest_len(word, strlen(word), candidates, n);
}

const char *base_str_nearest_len(const char *word, size_t len,
				 const char *const *candidates, size_t n)
{
	size_t limit = (len + 2) / 3, distance;
	const char *best = find_with_unit(word, len, candidates, n);

	if (best || len > NEAREST_LEN_MAX)
		return best;
	for (size_t i = 0; i < n; i++) {
		size_t other = strlen(candidates[i]);
		size_t longer = other > len ? other : len;

		/* A difference in length is a distance already. */
		if (other > NEAREST_LEN_MAX ||
		    longer - (other > len ? len : other) > limit)
			continue;
		distance = edit_distance(word, len, candidates[i], other);
		/* Nearer than all before, and not a word with nothing in common. */
		if (distance <= limit && distance < longer) {
			best = candidates[i];
			if (distance == 0)
				break;
			limit = distance - 1;
		}
	}
	return best;
}
