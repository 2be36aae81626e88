#include "solver/solver_text.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 72, KEY_SIZE = 64, VALUE_SIZE = 256 };

// Returns the end of a name or of an "option=value".
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

// Parses an option; with `kind` and `options` NULL, checks only its form.
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
    while (*end) {
        const char *item = end + 1;
        end = end_of_item(item);
        TIDE_TRY(parse_option(item, (size_t)(end - item), name, kind, options, error));
    }
    return TIDE_OK;
}

// Copies the name and returns the text after it. A truncated name matches no solver.
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
    TIDE_TRY(tide_solver_text_parse(text, NULL, 0, &kind, &options, error));
    tide_free(options);
    return TIDE_OK;
}

static void write_value(const tide_field *field, const void *options, tide_text *text)
{
    const char *at = (const char *)options + field->offset;
    const double *numbers = (const double *)(const void *)at;
    switch (field->type) {
    case TIDE_FIELD_BOOLEAN:
        tide_text_format(text, "%s", *(const bool *)at ? "true" : "false");
        break;
    case TIDE_FIELD_INTEGER:
        tide_text_format(text, "%d", *(const int *)(const void *)at);
        break;
    case TIDE_FIELD_REAL:
        if (field->word && !tide_given(numbers[0]))
            tide_text_format(text, "%s", field->word);
        else
            tide_text_format(text, "%.17g", numbers[0]);
        break;
    case TIDE_FIELD_VECTOR:
        tide_text_format(text, "{%.17g,%.17g,%.17g}", numbers[0], numbers[1], numbers[2]);
        break;
    case TIDE_FIELD_CHOICE:
        tide_text_format(text, "%s", field->choices[*(const int *)(const void *)at]);
        break;
    case TIDE_FIELD_TEXT:
        tide_text_format(text, "%s", at);
        break;
    default:
        break;
    }
}

static void write_field(const tide_field *field, const void *options, tide_text *text)
{
    // A real field without a value and without a word for "not given" cannot be written
    const void *at = (const char *)options + field->offset;
    if (field->type == TIDE_FIELD_OTHER || tide_field_is_default(field, options) ||
        (field->type == TIDE_FIELD_REAL && !field->word && !tide_given(*(const double *)at)))
        return;
    tide_text_format(text, ",%s=", field->name);
    write_value(field, options, text);
}

void tide_solver_text_write(const tide_solver_kind *kind, const void *options, tide_text *text)
{
    char name[TIDE_FIELD_NAME_SIZE];
    tide_text_format(text, "%s", kind->name);
    for (const tide_field *field = kind->fields; field->name; field++) {
        if (field->type != TIDE_FIELD_RECORD) {
            write_field(field, options, text);
            continue;
        }
        if (tide_field_is_default(field, options))
            continue;
        // Writes the record's first field, its name, even if it is the default
        tide_field first = tide_field_within(field, field->record, name);
        tide_text_format(text, ",%s=", field->name);
        write_value(&first, options, text);
        for (const tide_field *inner = field->record + 1; inner->name; inner++) {
            tide_field whole = tide_field_within(field, inner, name);
            write_field(&whole, options, text);
        }
    }
}

bool tide_solver_has_option(const tide_solver_kind *kind, const char *option)
{
    return tide_field_find(kind->fields, "", option, NULL) != NULL;
}

double tide_solver_option_most(const tide_solver_kind *kind, const char *option)
{
    const tide_field *field = tide_field_find(kind->fields, "", option, NULL);
    return field && field->minimum < field->maximum ? field->maximum : INFINITY;
}
