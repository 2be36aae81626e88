#include "solver/solver_text.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 72, KEY_SIZE = 64, VALUE_SIZE = 256 };

// The end of a name or of one "option=value".
static const char *end_of_item(const char *p)
{
    for (int depth = 0; *p && (*p != ',' || depth > 0); p++)
        depth += *p == '{' ? 1 : *p == '}' ? -1 : 0;
    return p;
}

static void copy(char *to, size_t size, const char *from, size_t length)
{
    snprintf(to, size, "%.*s", (int)(length < size ? length : size), from);
}

// `kind` and `options` NULL: only the form.
static tide_status parse_option(const char *item, size_t length, const char *name, const tide_solver_kind *kind,
                                void *options, tide_error *error)
{
    char owner[96], key[KEY_SIZE], value[VALUE_SIZE];
    const char *equals = memchr(item, '=', length);
    size_t key_length = equals ? (size_t)(equals - item) : 0, value_length = equals ? length - key_length - 1 : 0;
    snprintf(owner, sizeof owner, "solver \"%.64s\"", name);
    if (key_length == 0 || key_length >= KEY_SIZE || value_length >= VALUE_SIZE) {
        copy(value, sizeof value, item, length);
        return tide_fail(error, TIDE_ERROR_ARGUMENT, owner, NULL, value,
                         "expected option=value after the comma, like %s,option=value", name);
    }
    if (!kind)
        return TIDE_OK;
    copy(key, sizeof key, item, key_length);
    copy(value, sizeof value, equals + 1, value_length);
    tide_status status = tide_fields_parse(kind->fields, owner, options, key, value, error);
    if (status != TIDE_OK && error)
        tide_solver_explain(error);
    return status;
}

static tide_status parse_options(const char *end, const char *name, const tide_solver_kind *kind, void *options,
                                 tide_error *error)
{
    tide_status status = TIDE_OK;
    while (*end && status == TIDE_OK) {
        const char *item = end + 1;
        end = end_of_item(item);
        status = parse_option(item, (size_t)(end - item), name, kind, options, error);
    }
    return status;
}

// Copies the name and returns what follows it. One that is cut off is none that any solver has.
static const char *read_name(const char *text, char name[NAME_SIZE])
{
    const char *end = end_of_item(text);
    copy(name, NAME_SIZE, text, (size_t)(end - text));
    return end;
}

tide_status tide_solver_text_parse(const char *text, const tide_solver_kind *const *more, size_t count,
                                   const tide_solver_kind **kind, void **options, tide_error *error)
{
    char name[NAME_SIZE];
    const char *end = read_name(text, name);
    const tide_solver_kind *found = tide_solver_kind_find_among(name, more, count, error);
    if (!found)
        return TIDE_ERROR_ARGUMENT;
    void *made = tide_allocate_zeroed(1, found->options_size);
    if (!made)
        return tide_fail_memory(error, "solver");
    tide_fields_default(found->fields, made);
    tide_status status = parse_options(end, name, found, made, error);
    if (status != TIDE_OK) {
        tide_free(made);
        return status;
    }
    *kind = found;
    *options = made;
    return TIDE_OK;
}

tide_status tide_solver_text_check(const char *text, tide_error *error)
{
    char name[NAME_SIZE];
    const char *end = read_name(text, name);
    if (!name[0])
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "solver", "name", "\"\"",
                         "expected NAME or NAME,option=value,..., like newton,iterations=5");
    const tide_solver_kind *kind = tide_solver_kind_find(name, NULL);
    if (!kind)
        return parse_options(end, name, NULL, NULL, error);
    void *options;
    tide_status status = tide_solver_text_parse(text, NULL, 0, &kind, &options, error);
    if (status == TIDE_OK)
        tide_free(options);
    return status;
}
