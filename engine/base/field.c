#include "base/field.h"

#include "base/decimal.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_SIZE = 96, RANGE_SIZE = 384 };

// Appends to a text that holds `*length` of `size` bytes; truncates what does not fit.
__attribute__((format(printf, 4, 5))) static void add(char *text, size_t size, size_t *length, const char *format, ...)
{
    if (*length + 1 >= size)
        return;
    va_list arguments;
    va_start(arguments, format);
    int added = tide_format_list(text + *length, size - *length, format, arguments);
    va_end(arguments);
    if (added > 0)
        *length += (size_t)added < size - *length ? (size_t)added : size - *length - 1;
}

static void add_number(char *text, size_t size, size_t *length, double number)
{
    if (isfinite(number))
        add(text, size, length, "%.10g", number == 0 ? 0.0 : number);
    else
        add(text, size, length, "%s", isnan(number) ? "nan" : number > 0 ? "inf" : "-inf");
}

static void add_vector(char *text, size_t size, size_t *length, const double *vector)
{
    for (int i = 0; i < 3; i++) {
        add(text, size, length, "%s", i ? ", " : "{");
        add_number(text, size, length, vector[i]);
    }
    add(text, size, length, "}");
}

// Appends in quotes, on one line, and shortened.
static void add_quoted(char *text, size_t size, size_t *length, const char *given)
{
    enum { LIMIT = 64 };
    char plain[LIMIT + 1];
    size_t count = 0;
    for (; given[count] && count < LIMIT; count++)
        plain[count] = iscntrl((unsigned char)given[count]) ? '?' : given[count];
    // Do not cut inside a UTF-8 sequence.
    while (given[count] && count && ((unsigned char)given[count] & 0xc0) == 0x80)
        count--;
    plain[count] = '\0';
    add(text, size, length, "\"%s%s\"", plain, given[count] ? "..." : "");
}

static char *value_text(const tide_value *value, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    switch (value->type) {
    case TIDE_VALUE_BOOLEAN:
        add(text, size, &length, value->boolean ? "true" : "false");
        break;
    case TIDE_VALUE_NUMBER:
        add_number(text, size, &length, value->number);
        break;
    case TIDE_VALUE_TEXT:
        add_quoted(text, size, &length, value->text ? value->text : "");
        break;
    case TIDE_VALUE_VECTOR:
        add_vector(text, size, &length, value->vector);
        break;
    case TIDE_VALUE_UNKNOWN:
        add(text, size, &length, "%s", value->shown ? value->shown : "a value of another type");
        break;
    }
    return text;
}

static bool has_range(const tide_field *field)
{
    return field->minimum < field->maximum || (field->minimum == field->maximum && field->minimum != 0);
}

static bool in_range(const tide_field *field, double number)
{
    if (!isfinite(number))
        return false;
    if (field->type == TIDE_FIELD_INTEGER && (number != floor(number) || number < INT_MIN || number > INT_MAX))
        return false;
    if (field->positive && field->minimum == 0 && number <= 0)
        return false;
    return !has_range(field) || (number >= field->minimum && number <= field->maximum);
}

// Appends the bounds with their unit: "at least 2", "greater than 0 kg", "0 to 1"; nothing without bounds. With
// `prepositions`, they can follow a noun: "of at least 2", "from 0 to 1".
static void add_bounds(char *text, size_t size, size_t *length, const tide_field *field, bool prepositions)
{
    bool above = field->positive && field->minimum == 0, ranged = has_range(field);
    bool lower = ranged && isfinite(field->minimum) && !above, upper = ranged && isfinite(field->maximum);
    if (!above && !lower && !upper)
        return;
    if (lower && upper)
        add(text, size, length, prepositions ? "from " : "");
    else if (!above)
        add(text, size, length, "%sat %s ", prepositions ? "of " : "", lower ? "least" : "most");
    else
        add(text, size, length, upper ? "greater than 0 and at most " : "greater than 0");
    if (lower)
        add_number(text, size, length, field->minimum);
    if (lower && upper)
        add(text, size, length, " to ");
    if (upper)
        add_number(text, size, length, field->maximum);
    if (field->unit)
        add(text, size, length, " %s", field->unit);
}

static void add_choices(char *text, size_t size, size_t *length, const tide_field *field, const char *quote)
{
    add(text, size, length, "one of ");
    for (size_t i = 0; field->choices && field->choices[i]; i++)
        add(text, size, length, "%s%s%s%s", i ? ", " : "", quote, field->choices[i], quote);
}

static void add_record(char *text, size_t size, size_t *length, const tide_field *field, const char *quote)
{
    add_choices(text, size, length, field->record, quote);
    add(text, size, length, ", or a table");
}

// Writes "expected ..." for a value of the wrong type or out of range.
static char *expectation(const tide_field *field, char *text, size_t size)
{
    static const char *const nouns[] = {
        [TIDE_FIELD_BOOLEAN] = "true or false",
        [TIDE_FIELD_INTEGER] = "an integer",
        [TIDE_FIELD_REAL] = "a number",
        [TIDE_FIELD_VECTOR] = "three numbers {x, y, z}",
        [TIDE_FIELD_CHOICE] = "",
        [TIDE_FIELD_TEXT] = "a string",
        [TIDE_FIELD_RECORD] = "",
        [TIDE_FIELD_OTHER] = "a value of type ",
    };
    size_t length = 0;
    text[0] = '\0';
    add(text, size, &length, "expected ");
    if (field->word)
        add(text, size, &length, "\"%s\" or ", field->word);
    add(text, size, &length, "%s", nouns[field->type]);
    if (field->type == TIDE_FIELD_CHOICE)
        add_choices(text, size, &length, field, "\"");
    if (field->type == TIDE_FIELD_RECORD)
        add_record(text, size, &length, field, "\"");
    if (field->type == TIDE_FIELD_OTHER)
        add(text, size, &length, "%s", field->lua_type ? field->lua_type : "any");
    if (field->type == TIDE_FIELD_INTEGER || field->type == TIDE_FIELD_REAL || field->type == TIDE_FIELD_VECTOR) {
        size_t before = length;
        add(text, size, &length, field->type == TIDE_FIELD_VECTOR ? ", each " : " ");
        size_t start = length;
        add_bounds(text, size, &length, field, field->type != TIDE_FIELD_VECTOR);
        if (length == start)
            text[length = before] = '\0';
    }
    return text;
}

static tide_status refuse(const tide_field *field, const char *owner, const tide_value *value, tide_error *error)
{
    char shown[SHOWN_SIZE], expected[RANGE_SIZE];
    return tide_fail(error, TIDE_ERROR_ARGUMENT, owner, field->name, value_text(value, shown, sizeof shown), "%s",
                     expectation(field, expected, sizeof expected));
}

static tide_status refuse_number(const tide_field *field, const char *owner, const tide_value *value, double number,
                                 tide_error *error)
{
    char shown[SHOWN_SIZE], expected[RANGE_SIZE];
    value_text(value, shown, sizeof shown);
    if (!isfinite(number))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, owner, field->name, shown, "expected %s, not %s",
                         field->type == TIDE_FIELD_VECTOR ? "finite numbers" : "a finite number",
                         isnan(number) ? "NaN" : "infinity");
    // If the shortened number would be in range, all digits are shown.
    if (value->type == TIDE_VALUE_NUMBER && in_range(field, tide_parse_decimal(shown, NULL)))
        tide_format(shown, sizeof shown, "%.17g", number);
    expectation(field, expected, sizeof expected);
    if (field->type == TIDE_FIELD_INTEGER && number == floor(number) && (number < INT_MIN || number > INT_MAX) &&
        !(isfinite(field->maximum) && has_range(field)))
        snprintf(expected, sizeof expected, "expected an integer from %d to %d",
                 field->minimum > INT_MIN && has_range(field) ? (int)field->minimum : INT_MIN, INT_MAX);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, owner, field->name, shown, "%s", expected);
}

static void store(const tide_field *field, void *object, const void *value, size_t size)
{
    memcpy((char *)object + field->offset, value, size);
}

static void store_text(const tide_field *field, void *object, const char *given)
{
    char text[TIDE_FIELD_TEXT_SIZE] = { 0 };
    snprintf(text, sizeof text, "%s", given ? given : "");
    store(field, object, text, sizeof text);
}

static double initial_real(const tide_field *field)
{
    return field->word ? TIDE_NOT_GIVEN : field->initial[0];
}

static void set_default(const tide_field *field, void *object)
{
    bool boolean = field->initial[0] != 0;
    int integer = isfinite(field->initial[0]) ? (int)field->initial[0] : 0;
    double real = initial_real(field);
    char *at = (char *)object + field->offset;
    switch (field->type) {
    case TIDE_FIELD_BOOLEAN:
        store(field, object, &boolean, sizeof boolean);
        break;
    case TIDE_FIELD_INTEGER:
    case TIDE_FIELD_CHOICE:
        store(field, object, &integer, sizeof integer);
        break;
    case TIDE_FIELD_REAL:
        store(field, object, &real, sizeof real);
        break;
    case TIDE_FIELD_VECTOR:
        store(field, object, field->initial, 3 * sizeof(double));
        break;
    case TIDE_FIELD_TEXT:
        store_text(field, object, field->initial_text);
        break;
    case TIDE_FIELD_RECORD:
        tide_fields_default(field->record, at);
        store(field->record, at, &integer, sizeof integer);
        break;
    case TIDE_FIELD_OTHER:
        break;
    }
}

void tide_fields_default(const tide_field *fields, void *object)
{
    for (; fields->name; fields++)
        set_default(fields, object);
}

static bool same_reals(const double *a, const double *b, int count)
{
    bool same = true;
    for (int i = 0; i < count; i++)
        same = same && (a[i] == b[i] || (isnan(a[i]) && isnan(b[i])));
    return same;
}

static bool record_is_default(const tide_field *field, const void *record)
{
    tide_field first = field->record[0];
    first.initial[0] = field->initial[0];
    bool same = tide_field_is_default(&first, record);
    for (const tide_field *inner = field->record + 1; same && inner->name; inner++)
        same = tide_field_is_default(inner, record);
    return same;
}

bool tide_field_is_default(const tide_field *field, const void *object)
{
    const char *at = (const char *)object + field->offset;
    if (field->type == TIDE_FIELD_RECORD)
        return record_is_default(field, at);
    union {
        bool boolean;
        int integer;
        double reals[3];
        char text[TIDE_FIELD_TEXT_SIZE];
    } initial, held = { .text = "" };
    tide_field alone = *field;
    alone.offset = 0;
    set_default(&alone, &initial);
    switch (field->type) {
    case TIDE_FIELD_BOOLEAN:
        return *(const bool *)at == initial.boolean;
    case TIDE_FIELD_INTEGER:
    case TIDE_FIELD_CHOICE:
        memcpy(&held, at, sizeof held.integer);
        return held.integer == initial.integer;
    case TIDE_FIELD_REAL:
    case TIDE_FIELD_VECTOR:
        memcpy(&held, at, field->type == TIDE_FIELD_REAL ? sizeof(double) : sizeof held.reals);
        return same_reals(held.reals, initial.reals, field->type == TIDE_FIELD_REAL ? 1 : 3);
    case TIDE_FIELD_TEXT:
        return strncmp(at, initial.text, sizeof initial.text) == 0;
    case TIDE_FIELD_RECORD:
    case TIDE_FIELD_OTHER:
        break;
    }
    return true;
}

tide_field tide_field_within(const tide_field *record, const tide_field *field, char name[TIDE_FIELD_NAME_SIZE])
{
    tide_field inner = *field;
    snprintf(name, TIDE_FIELD_NAME_SIZE, "%s.%s", record->name, field->name);
    inner.name = name;
    inner.offset += record->offset;
    return inner;
}

const tide_field *tide_field_find(const tide_field *fields, const char *owner, const char *name, tide_error *error)
{
    const char *pair[2] = { NULL };
    for (const tide_field *field = fields; field->name; field++) {
        if (strcmp(field->name, name) == 0)
            return field;
        pair[pair[0] != NULL] = field->name;
        pair[0] = tide_nearest_name(name, pair, pair[1] ? 2 : 1);
        pair[1] = NULL;
    }
    const char *nearest = pair[0];
    char known[RANGE_SIZE];
    size_t length = 0;
    if (nearest)
        add(known, sizeof known, &length, "did you mean \"%s\"?", nearest);
    else if (fields->name) {
        add(known, sizeof known, &length, "known are %s", fields->name);
        for (const tide_field *field = fields + 1; field->name; field++)
            add(known, sizeof known, &length, ", %s", field->name);
    } else
        add(known, sizeof known, &length, "there are none");
    tide_error_set(error, TIDE_ERROR_ARGUMENT, owner, name, NULL, "unknown field; %s", known);
    return NULL;
}

// `nearest` may be NULL.
static tide_status refuse_text(const tide_field *field, const char *owner, const tide_value *value, const char *nearest,
                               tide_error *error)
{
    if (!nearest)
        return refuse(field, owner, value, error);
    char shown[SHOWN_SIZE], expected[RANGE_SIZE];
    return tide_fail(error, TIDE_ERROR_ARGUMENT, owner, field->name, value_text(value, shown, sizeof shown),
                     "%s; did you mean \"%s\"?", expectation(field, expected, sizeof expected), nearest);
}

static tide_status set_word(const tide_field *field, const char *owner, void *object, const tide_value *value,
                            tide_error *error)
{
    const double not_given = TIDE_NOT_GIVEN;
    if (!value->text || strcmp(value->text, field->word) != 0)
        return refuse_text(field, owner, value, value->text ? tide_nearest_name(value->text, &field->word, 1) : NULL,
                           error);
    store(field, object, &not_given, sizeof not_given);
    return TIDE_OK;
}

static tide_status set_number(const tide_field *field, const char *owner, void *object, const tide_value *value,
                              tide_error *error)
{
    if (field->word && value->type == TIDE_VALUE_TEXT)
        return set_word(field, owner, object, value, error);
    if (value->type != TIDE_VALUE_NUMBER)
        return refuse(field, owner, value, error);
    double number = value->number;
    if (!in_range(field, number))
        return refuse_number(field, owner, value, number, error);
    int integer = field->type == TIDE_FIELD_INTEGER ? (int)number : 0;
    if (field->type == TIDE_FIELD_INTEGER)
        store(field, object, &integer, sizeof integer);
    else
        store(field, object, &number, sizeof number);
    return TIDE_OK;
}

static tide_status set_vector(const tide_field *field, const char *owner, void *object, const tide_value *value,
                              tide_error *error)
{
    if (value->type != TIDE_VALUE_VECTOR)
        return refuse(field, owner, value, error);
    for (int i = 0; i < 3; i++)
        if (!in_range(field, value->vector[i]))
            return refuse_number(field, owner, value, value->vector[i], error);
    store(field, object, value->vector, sizeof value->vector);
    return TIDE_OK;
}

static tide_status set_choice(const tide_field *field, const char *owner, void *object, const tide_value *value,
                              tide_error *error)
{
    if (value->type != TIDE_VALUE_TEXT || !value->text)
        return refuse(field, owner, value, error);
    int count = 0;
    for (; field->choices[count]; count++)
        if (strcmp(field->choices[count], value->text) == 0) {
            store(field, object, &count, sizeof count);
            return TIDE_OK;
        }
    return refuse_text(field, owner, value, tide_nearest_name(value->text, field->choices, (size_t)count), error);
}

// Sets a record. A text is the value of the first field, and the others get their defaults; tables are read field by
// field.
static tide_status set_record(const tide_field *field, const char *owner, void *object, const tide_value *value,
                              tide_error *error)
{
    if (value->type != TIDE_VALUE_TEXT)
        return refuse(field, owner, value, error);
    char name[TIDE_FIELD_NAME_SIZE];
    tide_field first = tide_field_within(field, field->record, name);
    first.name = field->name;
    tide_status status = set_choice(&first, owner, object, value, error);
    for (const tide_field *inner = field->record + 1; status == TIDE_OK && inner->name; inner++)
        set_default(inner, (char *)object + field->offset);
    return status;
}

static tide_status set_text(const tide_field *field, const char *owner, void *object, const tide_value *value,
                            tide_error *error)
{
    if (value->type != TIDE_VALUE_TEXT || !value->text)
        return refuse(field, owner, value, error);
    char shown[SHOWN_SIZE];
    if (strlen(value->text) >= TIDE_FIELD_TEXT_SIZE)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, owner, field->name, value_text(value, shown, sizeof shown),
                         "expected a string of at most %d bytes", TIDE_FIELD_TEXT_SIZE - 1);
    store_text(field, object, value->text);
    return TIDE_OK;
}

tide_status tide_field_set(const tide_field *field, const char *owner, void *object, const tide_value *value,
                           tide_error *error)
{
    switch (field->type) {
    case TIDE_FIELD_BOOLEAN:
        if (value->type != TIDE_VALUE_BOOLEAN)
            break;
        store(field, object, &value->boolean, sizeof value->boolean);
        return TIDE_OK;
    case TIDE_FIELD_INTEGER:
    case TIDE_FIELD_REAL:
        return set_number(field, owner, object, value, error);
    case TIDE_FIELD_VECTOR:
        return set_vector(field, owner, object, value, error);
    case TIDE_FIELD_CHOICE:
        return set_choice(field, owner, object, value, error);
    case TIDE_FIELD_TEXT:
        return set_text(field, owner, object, value, error);
    case TIDE_FIELD_RECORD:
        return set_record(field, owner, object, value, error);
    case TIDE_FIELD_OTHER:
        break;
    }
    return refuse(field, owner, value, error);
}

// Gets the value of a field from a struct. Returns false when there is nothing to check.
static bool value_in(const tide_field *field, const void *object, tide_value *value)
{
    const char *at = (const char *)object + field->offset;
    int integer;
    switch (field->type) {
    case TIDE_FIELD_INTEGER:
    case TIDE_FIELD_CHOICE:
        memcpy(&integer, at, sizeof integer);
        *value = (tide_value) { .type = TIDE_VALUE_NUMBER, .number = integer };
        // A valid index into the choices; any other number is refused as a number.
        for (int i = 0; field->type == TIDE_FIELD_CHOICE && field->choices[i]; i++)
            if (i == integer)
                return false;
        return true;
    case TIDE_FIELD_REAL:
        *value = (tide_value) { .type = TIDE_VALUE_NUMBER };
        memcpy(&value->number, at, sizeof value->number);
        return tide_given(value->number) || tide_given(initial_real(field));
    case TIDE_FIELD_VECTOR:
        *value = (tide_value) { .type = TIDE_VALUE_VECTOR };
        memcpy(value->vector, at, sizeof value->vector);
        return tide_given(value->vector[0]) || tide_given(field->initial[0]);
    case TIDE_FIELD_BOOLEAN:
    case TIDE_FIELD_TEXT:
    case TIDE_FIELD_RECORD:
    case TIDE_FIELD_OTHER:
        break;
    }
    return false;
}

static tide_status check_field(const tide_field *field, const char *owner, const void *object, tide_error *error)
{
    tide_value value;
    double checked[3];
    tide_field alone = *field;
    alone.offset = 0;
    return value_in(field, object, &value) ? tide_field_set(&alone, owner, checked, &value, error) : TIDE_OK;
}

tide_status tide_fields_check(const tide_field *fields, const char *owner, const void *object, tide_error *error)
{
    tide_status status = TIDE_OK;
    for (const tide_field *field = fields; field->name && status == TIDE_OK; field++) {
        status = check_field(field, owner, object, error);
        const tide_field *inner = field->type == TIDE_FIELD_RECORD ? field->record : NULL;
        for (; inner && inner->name && status == TIDE_OK; inner++) {
            char name[TIDE_FIELD_NAME_SIZE];
            tide_field within = tide_field_within(field, inner, name);
            status = check_field(&within, owner, object, error);
        }
    }
    return status;
}

char *tide_field_type_text(const tide_field *field, char *text, size_t size)
{
    static const char *const names[] = {
        [TIDE_FIELD_BOOLEAN] = "boolean",     [TIDE_FIELD_INTEGER] = "integer", [TIDE_FIELD_REAL] = "number",
        [TIDE_FIELD_VECTOR] = "number[]",     [TIDE_FIELD_CHOICE] = "string",   [TIDE_FIELD_TEXT] = "string",
        [TIDE_FIELD_RECORD] = "string|table", [TIDE_FIELD_OTHER] = "any",
    };
    bool own = field->lua_type != NULL;
    size_t length = 0;
    text[0] = '\0';
    add(text, size, &length, "%s", own ? field->lua_type : names[field->type]);
    if (field->word)
        add(text, size, &length, "|\"%s\"", field->word);
    return text;
}

char *tide_field_default_text(const tide_field *field, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    double initial = field->initial[0];
    if (field->required)
        add(text, size, &length, "required");
    else if (field->type == TIDE_FIELD_TEXT)
        add(text, size, &length, "\"%s\"", field->initial_text ? field->initial_text : "");
    else if (field->initial_text)
        add(text, size, &length, "%s", field->initial_text);
    else if (field->word)
        add(text, size, &length, "\"%s\"", field->word);
    else if (field->type == TIDE_FIELD_OTHER || isnan(initial))
        add(text, size, &length, "none");
    else if (field->type == TIDE_FIELD_BOOLEAN)
        add(text, size, &length, initial != 0 ? "true" : "false");
    else if (field->type == TIDE_FIELD_CHOICE)
        add(text, size, &length, "\"%s\"", field->choices[(int)initial]);
    else if (field->type == TIDE_FIELD_RECORD)
        add(text, size, &length, "\"%s\"", field->record->choices[(int)initial]);
    else if (field->type == TIDE_FIELD_VECTOR)
        add_vector(text, size, &length, field->initial);
    else
        add_number(text, size, &length, initial);
    return text;
}

char *tide_field_range_text(const tide_field *field, char *text, size_t size)
{
    size_t length = 0, start;
    text[0] = '\0';
    switch (field->type) {
    case TIDE_FIELD_BOOLEAN:
        add(text, size, &length, "true or false");
        break;
    case TIDE_FIELD_INTEGER:
    case TIDE_FIELD_REAL:
    case TIDE_FIELD_VECTOR:
        if (field->word)
            add(text, size, &length, "%s or ", field->word);
        start = length;
        add_bounds(text, size, &length, field, false);
        if (length == start)
            add(text, size, &length, "any%s%s", field->unit ? ", in " : "", field->unit ? field->unit : "");
        break;
    case TIDE_FIELD_CHOICE:
        add_choices(text, size, &length, field, "");
        break;
    case TIDE_FIELD_TEXT:
        add(text, size, &length, "at most %d bytes", TIDE_FIELD_TEXT_SIZE - 1);
        break;
    case TIDE_FIELD_RECORD:
        add_record(text, size, &length, field, "");
        break;
    case TIDE_FIELD_OTHER:
        break;
    }
    return text;
}
