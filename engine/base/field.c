#include "base/field.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_SIZE = 96, RANGE_SIZE = 384, NAME_LIMIT = 63 };

// Adds to a text that holds `*length` bytes of `size`; what does not fit is cut off.
__attribute__((format(printf, 4, 5))) static void add(char *text, size_t size, size_t *length, const char *format, ...)
{
    if (*length + 1 >= size)
        return;
    va_list arguments;
    va_start(arguments, format);
    int added = vsnprintf(text + *length, size - *length, format, arguments);
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

// In quotes, on one line, and short.
static void add_quoted(char *text, size_t size, size_t *length, const char *given)
{
    enum { LIMIT = 64 };
    char plain[LIMIT + 1];
    size_t count = 0;
    for (; given[count] && count < LIMIT; count++)
        plain[count] = iscntrl((unsigned char)given[count]) ? '?' : given[count];
    // A cut must not fall inside a UTF-8 sequence.
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

// The bounds with their unit: "at least 2", "greater than 0 kg", "0 to 1"; nothing when there are none. With
// `prepositions`, as they follow a noun: "of at least 2", "from 0 to 1".
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

// "expected ..." for a value that is of a wrong type or out of range.
static char *expectation(const tide_field *field, char *text, size_t size)
{
    static const char *const nouns[] = {
        [TIDE_FIELD_BOOLEAN] = "true or false",
        [TIDE_FIELD_INTEGER] = "an integer",
        [TIDE_FIELD_REAL] = "a number",
        [TIDE_FIELD_VECTOR] = "three numbers {x, y, z}",
        [TIDE_FIELD_CHOICE] = "",
        [TIDE_FIELD_TEXT] = "a string",
        [TIDE_FIELD_OTHER] = "a value of type ",
    };
    size_t length = 0;
    text[0] = '\0';
    add(text, size, &length, "expected %s", nouns[field->type]);
    if (field->type == TIDE_FIELD_CHOICE)
        add_choices(text, size, &length, field, "\"");
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
    // A number that is refused by less than the text shows is shown in full.
    if (value->type == TIDE_VALUE_NUMBER && in_range(field, strtod(shown, NULL)))
        snprintf(shown, sizeof shown, "%.17g", number);
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

void tide_fields_default(const tide_field *fields, void *object)
{
    for (const tide_field *field = fields; field->name; field++) {
        bool boolean = field->initial[0] != 0;
        int integer = isfinite(field->initial[0]) ? (int)field->initial[0] : 0;
        switch (field->type) {
        case TIDE_FIELD_BOOLEAN:
            store(field, object, &boolean, sizeof boolean);
            break;
        case TIDE_FIELD_INTEGER:
        case TIDE_FIELD_CHOICE:
            store(field, object, &integer, sizeof integer);
            break;
        case TIDE_FIELD_REAL:
            store(field, object, field->initial, sizeof(double));
            break;
        case TIDE_FIELD_VECTOR:
            store(field, object, field->initial, 3 * sizeof(double));
            break;
        case TIDE_FIELD_TEXT:
            store_text(field, object, field->initial_text);
            break;
        case TIDE_FIELD_OTHER:
            break;
        }
    }
}

// A change of a letter costs a little more than a letter too many or too few, to choose between equally near names:
// "sed" is rather "seed" than "set".
enum { EDIT = 64, CHANGE = EDIT + 1 };

// In EDITs. Letters are compared without regard to case.
static size_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t rows[3][NAME_LIMIT + 1]; // the distances of the last three prefixes of a to every prefix of b
    size_t *before = rows[0], *last = rows[1], *now = rows[2];
    for (size_t j = 0; j <= b_length; j++)
        last[j] = j * EDIT;
    for (size_t i = 1; i <= a_length; i++) {
        now[0] = i * EDIT;
        for (size_t j = 1; j <= b_length; j++) {
            int p = tolower((unsigned char)a[i - 1]), q = tolower((unsigned char)b[j - 1]);
            size_t best = last[j - 1] + (p != q ? CHANGE : 0);
            if (last[j] + EDIT < best)
                best = last[j] + EDIT;
            if (now[j - 1] + EDIT < best)
                best = now[j - 1] + EDIT;
            if (i > 1 && j > 1 && p == tolower((unsigned char)b[j - 2]) && q == tolower((unsigned char)a[i - 2]) &&
                before[j - 2] + EDIT < best)
                best = before[j - 2] + EDIT;
            now[j] = best;
        }
        size_t *oldest = before;
        before = last;
        last = now;
        now = oldest;
    }
    return last[b_length];
}

// The distance when `candidate` is near `name`: at most a third of the longer one differs. SIZE_MAX otherwise.
static size_t nearness(const char *name, const char *candidate)
{
    size_t a = strlen(name), b = strlen(candidate), longer = a > b ? a : b;
    if (longer > NAME_LIMIT || a == 0 || b == 0)
        return SIZE_MAX;
    size_t distance = edit_distance(name, a, candidate, b), limit = longer < 3 ? longer - 1 : (longer + 1) / 3;
    return distance / EDIT <= limit ? distance : SIZE_MAX;
}

const char *tide_nearest_name(const char *name, const char *const *candidates, size_t count)
{
    const char *nearest = NULL;
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        size_t distance = nearness(name, candidates[i]);
        if (distance < best) {
            best = distance;
            nearest = candidates[i];
        }
    }
    return nearest;
}

const tide_field *tide_field_find(const tide_field *fields, const char *owner, const char *name, tide_error *error)
{
    const char *nearest = NULL;
    size_t best = SIZE_MAX;
    for (const tide_field *field = fields; field->name; field++) {
        if (strcmp(field->name, name) == 0)
            return field;
        size_t distance = nearness(name, field->name);
        if (distance < best) {
            best = distance;
            nearest = field->name;
        }
    }
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

static tide_status set_number(const tide_field *field, const char *owner, void *object, const tide_value *value,
                              tide_error *error)
{
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
    const char *nearest = tide_nearest_name(value->text, field->choices, (size_t)count);
    if (!nearest)
        return refuse(field, owner, value, error);
    char shown[SHOWN_SIZE], expected[RANGE_SIZE];
    return tide_fail(error, TIDE_ERROR_ARGUMENT, owner, field->name, value_text(value, shown, sizeof shown),
                     "%s; did you mean \"%s\"?", expectation(field, expected, sizeof expected), nearest);
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
    case TIDE_FIELD_OTHER:
        break;
    }
    return refuse(field, owner, value, error);
}

// What a struct holds for a field; false when there is nothing to check.
static bool value_in(const tide_field *field, const void *object, tide_value *value)
{
    const char *at = (const char *)object + field->offset;
    int integer;
    switch (field->type) {
    case TIDE_FIELD_INTEGER:
    case TIDE_FIELD_CHOICE:
        memcpy(&integer, at, sizeof integer);
        *value = (tide_value) { .type = TIDE_VALUE_NUMBER, .number = integer };
        // An index into the choices; any other number is refused as a number is.
        for (int i = 0; field->type == TIDE_FIELD_CHOICE && field->choices[i]; i++)
            if (i == integer)
                return false;
        return true;
    case TIDE_FIELD_REAL:
        *value = (tide_value) { .type = TIDE_VALUE_NUMBER };
        memcpy(&value->number, at, sizeof value->number);
        return tide_given(value->number) || tide_given(field->initial[0]);
    case TIDE_FIELD_VECTOR:
        *value = (tide_value) { .type = TIDE_VALUE_VECTOR };
        memcpy(value->vector, at, sizeof value->vector);
        return tide_given(value->vector[0]) || tide_given(field->initial[0]);
    case TIDE_FIELD_BOOLEAN:
    case TIDE_FIELD_TEXT:
    case TIDE_FIELD_OTHER:
        break;
    }
    return false;
}

tide_status tide_fields_check(const tide_field *fields, const char *owner, const void *object, tide_error *error)
{
    tide_status status = TIDE_OK;
    for (const tide_field *field = fields; field->name && status == TIDE_OK; field++) {
        tide_value value;
        double checked[3];
        tide_field alone = *field;
        alone.offset = 0;
        if (value_in(field, object, &value))
            status = tide_field_set(&alone, owner, checked, &value, error);
    }
    return status;
}

static const char *skip_space(const char *p)
{
    while (isspace((unsigned char)*p))
        p++;
    return p;
}

// A number or a quotient of two ("1/30"); NULL when there is none, else what follows it.
static const char *read_number(const char *p, double *number)
{
    char *end;
    *number = strtod(p, &end);
    if (end == p)
        return NULL;
    p = skip_space(end);
    if (*p != '/')
        return p;
    double divisor = strtod(p + 1, &end);
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
    switch (field->type) {
    case TIDE_FIELD_BOOLEAN:
        value.boolean = strcmp(text, "true") == 0;
        if (value.boolean || strcmp(text, "false") == 0)
            value.type = TIDE_VALUE_BOOLEAN;
        break;
    case TIDE_FIELD_INTEGER:
    case TIDE_FIELD_REAL:
        end = read_number(text, &value.number);
        if (end && *end == '\0')
            value.type = TIDE_VALUE_NUMBER;
        break;
    case TIDE_FIELD_VECTOR:
        if (read_vector(text, value.vector))
            value.type = TIDE_VALUE_VECTOR;
        break;
    case TIDE_FIELD_CHOICE:
    case TIDE_FIELD_TEXT:
    case TIDE_FIELD_OTHER:
        break;
    }
    return tide_field_set(field, owner, object, &value, error);
}

char *tide_field_type_text(const tide_field *field, char *text, size_t size)
{
    static const char *const names[] = {
        [TIDE_FIELD_BOOLEAN] = "boolean", [TIDE_FIELD_INTEGER] = "integer", [TIDE_FIELD_REAL] = "number",
        [TIDE_FIELD_VECTOR] = "number[]", [TIDE_FIELD_CHOICE] = "string",   [TIDE_FIELD_TEXT] = "string",
        [TIDE_FIELD_OTHER] = "any",
    };
    bool own = field->type == TIDE_FIELD_OTHER && field->lua_type;
    snprintf(text, size, "%s", own ? field->lua_type : names[field->type]);
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
    else if (field->type == TIDE_FIELD_OTHER || isnan(initial))
        add(text, size, &length, "none");
    else if (field->type == TIDE_FIELD_BOOLEAN)
        add(text, size, &length, initial != 0 ? "true" : "false");
    else if (field->type == TIDE_FIELD_CHOICE)
        add(text, size, &length, "\"%s\"", field->choices[(int)initial]);
    else if (field->type == TIDE_FIELD_VECTOR)
        add_vector(text, size, &length, field->initial);
    else
        add_number(text, size, &length, initial);
    return text;
}

char *tide_field_range_text(const tide_field *field, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    switch (field->type) {
    case TIDE_FIELD_BOOLEAN:
        add(text, size, &length, "true or false");
        break;
    case TIDE_FIELD_INTEGER:
    case TIDE_FIELD_REAL:
    case TIDE_FIELD_VECTOR:
        add_bounds(text, size, &length, field, false);
        if (length == 0)
            add(text, size, &length, "any%s%s", field->unit ? ", in " : "", field->unit ? field->unit : "");
        break;
    case TIDE_FIELD_CHOICE:
        add_choices(text, size, &length, field, "");
        break;
    case TIDE_FIELD_TEXT:
        add(text, size, &length, "at most %d bytes", TIDE_FIELD_TEXT_SIZE - 1);
        break;
    case TIDE_FIELD_OTHER:
        break;
    }
    return text;
}
