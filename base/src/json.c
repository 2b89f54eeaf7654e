/* SPDX-License-Identifier: Apache-2.0 */
#include "json_private.h"
#include <base/fs.h>
#include <base/mem.h>
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Takes over @text, which is terminated, in every case. */
static int parse_take(const char *file, char *text, size_t len,
		      struct base_json_doc **ret_doc, struct base_err *err)
{
	struct base_json_doc *doc = calloc(1, sizeof(*doc));
	int r;

	if (!doc) {
		free(text);
		base_err_at(err, file, 0, 0);
		return base_err_set(err, -ENOMEM, "no memory for a document");
	}
	base_arena_init(&doc->memory, 0);
	doc->text = text;
	doc->len = len;
	doc->file = base_array_dup(file, strlen(file) + 1, 1);
	if (!doc->file) {
		base_err_at(err, file, 0, 0);
		r = base_err_set(err, -ENOMEM, "no memory for a document");
		goto fail;
	}
	r = base_json_tree(doc, err);
	if (r < 0)
		goto fail;
	*ret_doc = doc;
	return 0;
fail:
	base_json_free(doc);
	return r;
}

int base_json_parse(const char *file, const char *data, size_t len,
		    struct base_json_doc **ret_doc, struct base_err *err)
{
	char *text = base_array_new(len < SIZE_MAX ? len + 1 : len, 1);

	if (!text) {
		base_err_at(err, file, 0, 0);
		return base_err_set(err, -ENOMEM, "no memory for a document of %zu bytes",
				    len);
	}
	if (len > 0)
		memcpy(text, data, len);
	return parse_take(file, text, len, ret_doc, err);
}

int base_json_load(const char *name, struct base_json_doc **ret_doc, struct base_err *err)
{
	char *text;
	size_t len;
	int r = base_fs_read(name, BASE_FS_FILE_MAX, &text, &len, err);

	if (r < 0)
		return r;
	return parse_take(strcmp(name, "-") == 0 ? "standard input" : name, text, len,
			  ret_doc, err);
}

void base_json_free(struct base_json_doc *doc)
{
	if (!doc)
		return;
	base_arena_fini(&doc->memory);
	free(doc->text);
	free(doc->file);
	free(doc);
}

struct base_json base_json_root(const struct base_json_doc *doc)
{
	return (struct base_json){ .doc = doc, .value = doc->root };
}

bool base_json_is_object(const struct base_json *v)
{
	return json_is_object(base_json_value(v));
}

bool base_json_is_array(const struct base_json *v)
{
	return json_is_array(base_json_value(v));
}

bool base_json_is_string(const struct base_json *v)
{
	return json_is_string(base_json_value(v));
}

bool base_json_is_integer(const struct base_json *v)
{
	return json_is_integer(base_json_value(v));
}

bool base_json_is_null(const struct base_json *v)
{
	return !v->value || json_is_null(base_json_value(v));
}

struct base_json base_json_get(const struct base_json *v, const char *key)
{
	return (struct base_json){
		.doc = v->doc,
		.value = json_object_get(base_json_value(v),
					 key), /* NULL if v is no object */
		.parent = v,
		.key = key,
	};
}

size_t base_json_size(const struct base_json *v)
{
	const json_t *value = base_json_value(v);

	return json_is_object(value) ? json_object_size(value) : json_array_size(value);
}

struct base_json base_json_at(const struct base_json *v, size_t index)
{
	return (struct base_json){
		.doc = v->doc,
		.value = json_array_get(base_json_value(v),
					index), /* NULL if v is no array */
		.parent = v,
		.index = index < UINT32_MAX ? (uint32_t)index : UINT32_MAX,
	};
}

bool base_json_next(const struct base_json *object, void **iter,
		    struct base_json *ret_member)
{
	/* jansson's iterators want an object that may be changed, and change nothing. */
	json_t *value = (json_t *)(uintptr_t)object->value;

	*iter = *iter ? json_object_iter_next(value, *iter) : json_object_iter(value);
	if (!*iter)
		return false;
	*ret_member = (struct base_json){
		.doc = object->doc,
		.value = json_object_iter_value(*iter),
		.parent = object,
		.key = json_object_iter_key(*iter),
	};
	return true;
}
