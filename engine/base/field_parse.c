// Sets fields from text, as on a command line.
#include "base/field.h"

#include "base/decimal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *skip_space(const char *p)
{
    while (isspace((unsigned char)*p))
        p++;
    return p;
}

// Reads a number or a quotient of two ("1/30"). Returns the rest of the text, or NULL if there is no number.
static const char *read_number(const char *p, double *number)
{
    char *end;
    *number = tide_parse_decimal(p, &end);
    if (end == p)
        return NULL;
    p = skip_space(end);
    if (*p != '/')
        return p;
    double divisor = tide_parse_decimal(p + 1, &end);
    if (end == p + 1)
        return NULL;
    *number /= divisor;
    return skip_space(end);
}

static bool read_vector(const char *p, double *vector)
{
    p = skip_space(p);
    bool braces = *p == '{';
    p += braces;
    for (int i = 0; i < 3; i++) {
        p = read_number(p, &vector[i]);
        if (!p || (i < 2 && *p++ != ','))
            return false;
    }
    if (braces && *p++ != '}')
        return false;
    return *skip_space(p) == '\0';
}

tide_status tide_field_parse(const tide_field *field, const char *owner, void *object, const char *text,
                             tide_error *error)
{
    tide_value value = { .type = TIDE_VALUE_TEXT, .text = text };
    const char *end;
    tide_field first;
    char name[TIDE_FIELD_NAME_SIZE];
    switch (field->type) {
    case TIDE_FIELD_BOOLEAN:
        value.boolean = strcmp(text, "true") == 0;
        if (value.boolean || strcmp(text, "false") == 0)
            value.type = TIDE_VALUE_BOOLEAN;
        break;
    case TIDE_FIELD_INTEGER:
    case TIDE_FIELD_REAL:
        end = read_number(text, &value.number);
        if (end && *end == '\0' && !(field->word && strcmp(field->word, text) == 0))
            value.type = TIDE_VALUE_NUMBER;
        break;
    case TIDE_FIELD_VECTOR:
        if (read_vector(text, value.vector))
            value.type = TIDE_VALUE_VECTOR;
        break;
    case TIDE_FIELD_RECORD:
        first = tide_field_within(field, field->record, name);
        first.name = field->name;
        return tide_field_set(&first, owner, object, &value, error);
    case TIDE_FIELD_CHOICE:
    case TIDE_FIELD_TEXT:
    case TIDE_FIELD_OTHER:
        break;
    }
    return tide_field_set(field, owner, object, &value, error);
}

// Tells whether the first field of a record has the value that marks a record as not given; its own default is another
// one.
static bool is_not_given(const tide_field *record, const void *object)
{
    int model, initial = (int)record->initial[0];
    memcpy(&model, (const char *)object + record->offset + record->record->offset, sizeof model);
    return model == initial && (int)record->record->initial[0] != initial;
}

static tide_status parse_within(const tide_field *record, const char *owner, void *object, const char *name,
                                const char *text, tide_error *error)
{
    const tide_field *inner = tide_field_find(record->record, owner, name, error);
    if (!inner) {
        if (error)
            snprintf(error->field, sizeof error->field, "%s.%s", record->name, name);
        return TIDE_ERROR_ARGUMENT;
    }
    char full[TIDE_FIELD_NAME_SIZE];
    tide_field within = tide_field_within(record, inner, full);
    bool fresh = is_not_given(record, object);
    tide_status status = tide_field_parse(&within, owner, object, text, error);
    if (status || !fresh)
        return status;
    tide_fields_default(record->record, (char *)object + record->offset);
    return tide_field_parse(&within, owner, object, text, error);
}

tide_status tide_fields_parse(const tide_field *fields, const char *owner, void *object, const char *name,
                              const char *text, tide_error *error)
{
    const char *dot = strchr(name, '.');
    char outer[TIDE_FIELD_NAME_SIZE] = "";
    if (dot)
        snprintf(outer, sizeof outer, "%.*s", (int)(dot - name), name);
    const tide_field *field = tide_field_find(fields, owner, dot ? outer : name, error);
    if (!field)
        return TIDE_ERROR_ARGUMENT;
    if (!dot)
        return tide_field_parse(field, owner, object, text, error);
    if (field->type != TIDE_FIELD_RECORD)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, owner, name, NULL,
                         "unknown field; \"%s\" has no fields of its own", outer);
    return parse_within(field, owner, object, dot + 1, text, error);
}
