// Field tables: the only description of each option that a user can set (of a solver, a material, a builder, a scene).
// The same table serves to read a Lua table or a command line, refuse unknown names, fill defaults, print `springtide
// solvers`, and write the reference page and the annotation file for editors.
//
//     tide_mesh_grid_def def;
//     tide_fields_default(tide_mesh_grid.fields, &def);
//     status = tide_fields_parse(tide_mesh_grid.fields, "grid", &def, "columns", "21", error);
//
// Ownership: tables are constant and never freed; a described struct is the caller's. Threads: any. Errors:
// TIDE_ERROR_ARGUMENT with the object, the field, the value and the nearest known name.
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
    TIDE_FIELD_RECORD,  // a nested struct, which the table `record` describes
    TIDE_FIELD_OTHER    // read by the code that owns it (a mesh, a list, a function); `lua_type` gives its type
} tide_field_type;

enum { TIDE_FIELD_TEXT_SIZE = 128 }; // bytes of a text field, including its terminating zero
enum { TIDE_FIELD_NAME_SIZE = 64 };  // bytes of a dotted name, "filter.lambda", likewise

typedef struct tide_field {
    const char *name;
    tide_field_type type;
    size_t offset;            // of the value in the described struct; unused for TIDE_FIELD_OTHER
    double initial[3];        // the default: a number, true as 1, an index into `choices`, or a vector
    double minimum, maximum;  // inclusive, for numbers and each component of a vector; equal (0, 0): any finite number
    bool positive;            // also refuse 0, where `minimum` is 0
    bool required;            // there is no default
    const char *initial_text; // default of a text field; for other fields, the text that shows the default, if it is
                              // not the value
    const char *unit;         // "N/m"; NULL for none
    const char *const *choices; // NULL-terminated, for TIDE_FIELD_CHOICE
    const char *word; // for a real field: a text that stands for TIDE_NOT_GIVEN, which is then the default: "auto"
    // For a record: the table of its fields. The first is a choice; none is a record or TIDE_FIELD_OTHER. A record that
    // is not given has the defaults of its fields, except for the first, which is initial[0]. A text gives the first
    // field; a table gives fields by name, and the first also as [1]: damping = "none", damping = { mass = 1 }, filter
    // = { "gaussian", lambda = 2 }. On a command line: filter=gaussian,filter.lambda=2.
    const struct tide_field *record;
    // For TIDE_FIELD_OTHER: "mesh", "number[]", "function". For another field: "number|function", where the code that
    // owns the field also accepts a function; "number | tide.Friction", where it also accepts a table.
    const char *lua_type;
    const char *help; // one line
} tide_field;         // tables end with a field whose name is NULL

// The name and the offset of a field that is called as its member of the struct: { TIDE_MEMBER(options, rho), ... }.
#define TIDE_MEMBER(object, member) .name = #member, .offset = offsetof(object, member)
// Numbers that recur: one above 0 that must be given, and one that may be omitted, with the text that shows its
// default.
#define TIDE_POSITIVE_FIELD(object, member, most, unit_, help_)                                                        \
    {                                                                                                                  \
        TIDE_MEMBER(object, member), .type = TIDE_FIELD_REAL, .maximum = most, .positive = true, .required = true,     \
                                     .unit = unit_, .help = help_                                                      \
    }
#define TIDE_OMITTED_FIELD(object, member, default_, most, unit_, help_)                                               \
    {                                                                                                                  \
        TIDE_MEMBER(object, member), .type = TIDE_FIELD_REAL, .initial = { TIDE_NOT_GIVEN }, .initial_text = default_, \
                                     .maximum = most, .unit = unit_, .help = help_                                     \
    }

// A real field that may be omitted has the default TIDE_NOT_GIVEN, which no value from outside can equal.
#define TIDE_NOT_GIVEN ((double)NAN)
static inline bool tide_given(double value)
{
    return !isnan(value);
}

// A value from outside, not checked yet.
typedef struct tide_value {
    enum { TIDE_VALUE_BOOLEAN, TIDE_VALUE_NUMBER, TIDE_VALUE_TEXT, TIDE_VALUE_VECTOR, TIDE_VALUE_UNKNOWN } type;
    bool boolean;
    double number;
    const char *text;
    double vector[3];
    const char *shown; // for messages, when the value has none of these types: "a table", "a function"
} tide_value;

// Sets every field of `object` (the described struct) to its default.
void tide_fields_default(const tide_field *fields, void *object);

// Finds a field by name. Returns NULL if there is none; the error names `owner` and the nearest known name.
const tide_field *tide_field_find(const tide_field *fields, const char *owner, const char *name, tide_error *error);

// Checks a value and stores it in `object`. `owner` is the name of the thing in messages: `body "curtain"`.
tide_status tide_field_set(const tide_field *field, const char *owner, void *object, const tide_value *value,
                           tide_error *error);

// Tells whether `object` holds the field's default.
bool tide_field_is_default(const tide_field *field, const void *object);

// Returns a field of a record as a field of the struct that holds the record: with its offset there and its dotted
// name, "filter.lambda", which is written to `name`.
tide_field tide_field_within(const tide_field *record, const tide_field *field, char name[TIDE_FIELD_NAME_SIZE]);

// Checks the numbers, vectors and choices in a struct that C code filled. A field without a default may be
// TIDE_NOT_GIVEN.
tide_status tide_fields_check(const tide_field *fields, const char *owner, const void *object, tide_error *error);

// Sets a field from text, as on a command line: "true", "0.5", "1/30", "{0,-9.81,0}" or "0,-9.81,0", a choice, a text.
// The text of a record sets its first field and leaves the others, so that filter.lambda=2,filter=gaussian equals
// filter=gaussian,filter.lambda=2.
tide_status tide_field_parse(const tide_field *field, const char *owner, void *object, const char *text,
                             tide_error *error);

// Sets the field of this name from text. A dotted name sets a field of a record. If the record was not given yet, all
// its fields first get their defaults.
tide_status tide_fields_parse(const tide_field *fields, const char *owner, void *object, const char *name,
                              const char *text, tide_error *error);

// Write one line each into a buffer and return it: the type in Lua's terms ("integer", "number", "string"), the
// default, and the permitted range with its unit ("at least 1", "0 to 1", "one of a, b").
char *tide_field_type_text(const tide_field *field, char *text, size_t size);
char *tide_field_default_text(const tide_field *field, char *text, size_t size);
char *tide_field_range_text(const tide_field *field, char *text, size_t size);

// Returns the candidate nearest to `name` by edit distance (a transposition counts as one edit; case is ignored), or
// NULL when more than a third of the longer name differs for each.
const char *tide_nearest_name(const char *name, const char *const *candidates, size_t count);

// Finds the index of the candidate that equals `text`. If there is none, fails for `object` and `name`, and names the
// nearest candidate or all of them, as those of a `kind` ("map"; may be NULL).
tide_status tide_find_name(const char *text, const char *const *candidates, size_t count, const char *kind,
                           const char *object, const char *name, size_t *index, tide_error *error);

#endif
