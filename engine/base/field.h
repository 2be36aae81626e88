// Field tables: the one description of every option that a user can set (a solver's, a material's, a builder's, a
// scene's). The same table reads a Lua table or a command line, refuses unknown names, fills defaults, answers
// `springtide solvers`, and writes the reference page and the editors' annotation file.
#ifndef TIDE_BASE_FIELD_H
#define TIDE_BASE_FIELD_H

#include "base/error.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum tide_field_type {
    TIDE_FIELD_BOOLEAN, // bool
    TIDE_FIELD_INTEGER, // int
    TIDE_FIELD_REAL,    // double
    TIDE_FIELD_VECTOR,  // double[3]
    TIDE_FIELD_CHOICE,  // int: an index into `choices`
    TIDE_FIELD_TEXT,    // char[TIDE_FIELD_TEXT_SIZE]
    TIDE_FIELD_RECORD,  // a struct of its own, which the table `record` describes
    TIDE_FIELD_OTHER    // read by the code that owns it (a mesh, a list, a function); `lua_type` tells what it is
} tide_field_type;

enum { TIDE_FIELD_TEXT_SIZE = 128 }; // bytes of a text field with its terminating zero
enum { TIDE_FIELD_NAME_SIZE = 64 };  // bytes of a dotted name, "filter.lambda", likewise

typedef struct tide_field {
    const char *name;
    tide_field_type type;
    size_t offset;           // of the value in the struct that the table describes; unused for TIDE_FIELD_OTHER
    double initial[3];       // the default: a number, true as 1, an index into `choices`, or a vector
    double minimum, maximum; // both inclusive, for numbers and each component of a vector; equal (0, 0) = any finite
    bool positive;           // refuse 0 too, where `minimum` is 0
    bool required;           // there is no default
    const char
        *initial_text; // the default of a text field, and of any field how its default is shown if not as a value
    const char *unit;  // "N/m"; NULL for none
    const char *const *choices; // NULL-terminated, for TIDE_FIELD_CHOICE
    const char *word;           // of a real field: a text that stands for TIDE_NOT_GIVEN, its default then: "auto"
    // Of a record: the table of its fields, of which the first is a choice and none is a record or TIDE_FIELD_OTHER. A
    // record that is not given has the defaults of its fields, but for the first, which is initial[0]. Given as a text,
    // that is the first; as a table, its fields by name and the first also at [1]: damping = "none", damping = { mass =
    // 1 }, filter = { "gaussian", lambda = 2 }. On a command line: filter=gaussian,filter.lambda=2.
    const struct tide_field *record;
    // For TIDE_FIELD_OTHER: "mesh", "number[]", "function". Of another field: "number|function", where a function may
    // be given in its place, which the code that owns the field reads.
    const char *lua_type;
    const char *help; // one line
} tide_field;         // tables end with a field whose name is NULL

// A real field that may be left out: its default is TIDE_NOT_GIVEN, which no value from outside can be.
#define TIDE_NOT_GIVEN ((double)NAN)
static inline bool tide_given(double value)
{
    return !isnan(value);
}

// A value from outside, before it is checked.
typedef struct tide_value {
    enum { TIDE_VALUE_BOOLEAN, TIDE_VALUE_NUMBER, TIDE_VALUE_TEXT, TIDE_VALUE_VECTOR, TIDE_VALUE_UNKNOWN } type;
    bool boolean;
    double number;
    const char *text;
    double vector[3];
    const char *shown; // for messages, when the value is of none of these types: "a table", "a function"
} tide_value;

// Fills `object` (the struct that the table describes) with every field's default.
void tide_fields_default(const tide_field *fields, void *object);

// The field of this name, or NULL with an error that names `owner` and the nearest known name.
const tide_field *tide_field_find(const tide_field *fields, const char *owner, const char *name, tide_error *error);

// Checks a value and stores it in `object`. `owner` is what the message calls the thing: `body "curtain"`.
tide_status tide_field_set(const tide_field *field, const char *owner, void *object, const tide_value *value,
                           tide_error *error);

// Whether `object` holds the field's default.
bool tide_field_is_default(const tide_field *field, const void *object);

// A record's field as one of the struct that holds the record: with its offset there and its dotted name,
// "filter.lambda", which is written to `name`.
tide_field tide_field_within(const tide_field *record, const tide_field *field, char name[TIDE_FIELD_NAME_SIZE]);

// Checks the numbers, vectors and choices in a struct that C code filled; a field without a default may be
// TIDE_NOT_GIVEN.
tide_status tide_fields_check(const tide_field *fields, const char *owner, const void *object, tide_error *error);

// tide_field_set from text, as on a command line: "true", "0.5", "1/30", "{0,-9.81,0}" or "0,-9.81,0", a choice, a
// text. A record's text sets its first field and leaves the others, so that filter.lambda=2,filter=gaussian is
// filter=gaussian,filter.lambda=2.
tide_status tide_field_parse(const tide_field *field, const char *owner, void *object, const char *text,
                             tide_error *error);

// The same for the field of this name, which may be a dotted one. That gives a record that is not given yet: it gets
// the defaults of all its fields first.
tide_status tide_fields_parse(const tide_field *fields, const char *owner, void *object, const char *name,
                              const char *text, tide_error *error);

// One line each, into a buffer; they return it. The type as Lua knows it ("integer", "number", "string"), the default,
// and the permitted range with its unit ("at least 1", "0 to 1", "one of a, b").
char *tide_field_type_text(const tide_field *field, char *text, size_t size);
char *tide_field_default_text(const tide_field *field, char *text, size_t size);
char *tide_field_range_text(const tide_field *field, char *text, size_t size);

// The candidate nearest to `name` by edit distance (transpositions count one, letters match in either case), or NULL
// when none is near: when more than a third of the longer name differs.
const char *tide_nearest_name(const char *name, const char *const *candidates, size_t count);

// The index of the candidate that is `text`. When none is, fails for `object` and `name` with the nearest or with all
// of them, as those of a `kind` ("map"; may be NULL).
tide_status tide_find_name(const char *text, const char *const *candidates, size_t count, const char *kind,
                           const char *object, const char *name, size_t *index, tide_error *error);

#endif
