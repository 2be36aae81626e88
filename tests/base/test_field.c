#include "tests.h"

#include "base/field.h"
#include "base/memory.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

// A thing with a field of each type and each kind of range.
typedef struct thing {
    double mass, fraction, height, drag, angle;
    int columns, seed, levels, model;
    bool visible;
    double gravity[3], size[3];
    char title[TIDE_FIELD_TEXT_SIZE];
    int after;
} thing;

static const char *const models[] = { "skip", "hinge", "none", NULL };

static const tide_field fields[] = {
    { "mass", TIDE_FIELD_REAL, offsetof(thing, mass), .initial = { 1 }, .positive = true, .unit = "kg" },
    { "fraction", TIDE_FIELD_REAL, offsetof(thing, fraction), .initial = { 0.1 }, .maximum = 1 },
    { "height", TIDE_FIELD_REAL, offsetof(thing, height), .initial = { TIDE_NOT_GIVEN }, .unit = "m" },
    { "drag", TIDE_FIELD_REAL, offsetof(thing, drag), .maximum = INFINITY, .unit = "1/s", .initial_text = "still air" },
    { "angle", TIDE_FIELD_REAL, offsetof(thing, angle), .initial = { 1.0 / 3 }, .positive = true, .maximum = 3,
      .unit = "rad" },
    { "columns", TIDE_FIELD_INTEGER, offsetof(thing, columns), .initial = { 81 }, .minimum = 2, .maximum = 100000 },
    { "seed", TIDE_FIELD_INTEGER, offsetof(thing, seed), .initial = { 0 } },
    { "levels", TIDE_FIELD_INTEGER, offsetof(thing, levels), .initial = { 3 }, .minimum = 2, .maximum = INFINITY },
    { "model", TIDE_FIELD_CHOICE, offsetof(thing, model), .initial = { 1 }, .choices = models },
    { "visible", TIDE_FIELD_BOOLEAN, offsetof(thing, visible), .initial = { 1 } },
    { "gravity", TIDE_FIELD_VECTOR, offsetof(thing, gravity), .initial = { 0, -9.81, 0 }, .unit = "m/s^2" },
    { "size", TIDE_FIELD_VECTOR, offsetof(thing, size), .initial = { 1, 1, 1 }, .positive = true, .unit = "m" },
    { "title", TIDE_FIELD_TEXT, offsetof(thing, title), .initial_text = "untitled" },
    { "mesh", TIDE_FIELD_OTHER, .lua_type = "mesh", .required = true },
    { "stiffness", TIDE_FIELD_OTHER, .lua_type = "number" },
    { 0 },
};

static const char *const owner = "body \"curtain\"";

static tide_value number(double value)
{
    return (tide_value) { .type = TIDE_VALUE_NUMBER, .number = value };
}

static tide_value text(const char *value)
{
    return (tide_value) { .type = TIDE_VALUE_TEXT, .text = value };
}

static tide_value boolean(bool value)
{
    return (tide_value) { .type = TIDE_VALUE_BOOLEAN, .boolean = value };
}

static tide_value vector(double x, double y, double z)
{
    return (tide_value) { .type = TIDE_VALUE_VECTOR, .vector = { x, y, z } };
}

static tide_value shown(const char *what)
{
    return (tide_value) { .type = TIDE_VALUE_UNKNOWN, .shown = what };
}

static thing made(void)
{
    thing object;
    memset(&object, 0, sizeof object);
    object.after = 42;
    tide_fields_default(fields, &object);
    return object;
}

static thing take(const char *name, tide_value value)
{
    thing object = made();
    tide_error error = { 0 };
    const tide_field *field = tide_field_find(fields, owner, name, &error);
    assert_non_null(field);
    assert_ok(tide_field_set(field, owner, &object, &value, &error), error);
    assert_int_equal(object.after, 42);
    return object;
}

// The whole message, which begins with the owner; and the object is as before.
static void refused(const char *name, tide_value value, const char *message)
{
    thing object = made(), before = object;
    tide_error error = { 0 };
    const tide_field *field = tide_field_find(fields, owner, name, &error);
    assert_non_null(field);
    assert_int_equal(tide_field_set(field, owner, &object, &value, &error), TIDE_ERROR_ARGUMENT);
    char whole[1200], expected[1200];
    snprintf(expected, sizeof expected, "%s: %s", owner, message);
    assert_string_equal(tide_error_text(&error, whole, sizeof whole), expected);
    assert_memory_equal(&object, &before, sizeof object);
    assert_int_equal(tide_field_set(field, owner, &object, &value, NULL), TIDE_ERROR_ARGUMENT);
}

static void test_defaults(void **state)
{
    (void)state;
    thing object = made();
    assert_true(object.mass == 1 && object.fraction == 0.1 && object.drag == 0 && object.angle == 1.0 / 3);
    assert_false(tide_given(object.height));
    assert_true(tide_given(object.mass));
    assert_int_equal(object.columns, 81);
    assert_int_equal(object.model, 1);
    assert_true(object.visible);
    assert_true(object.gravity[0] == 0 && object.gravity[1] == -9.81 && object.gravity[2] == 0);
    assert_string_equal(object.title, "untitled");
    assert_int_equal(object.after, 42);
}

static void test_each_type_is_stored(void **state)
{
    (void)state;
    assert_true(take("mass", number(0.25)).mass == 0.25);
    assert_true(take("height", number(-3)).height == -3);
    assert_int_equal(take("columns", number(5)).columns, 5);
    assert_int_equal(take("seed", number(-7)).seed, -7);
    assert_int_equal(take("model", text("none")).model, 2);
    assert_int_equal(take("model", text("skip")).model, 0);
    assert_false(take("visible", boolean(false)).visible);
    assert_true(take("gravity", vector(1, 2, 3)).gravity[2] == 3);
    assert_string_equal(take("title", text("A chain")).title, "A chain");
}

static void test_ranges_include_their_ends(void **state)
{
    (void)state;
    assert_true(take("fraction", number(0)).fraction == 0);
    assert_true(take("fraction", number(1)).fraction == 1);
    assert_true(take("drag", number(1e300)).drag == 1e300);
    assert_true(take("angle", number(3)).angle == 3);
    assert_int_equal(take("columns", number(2)).columns, 2);
    assert_int_equal(take("columns", number(100000)).columns, 100000);
    assert_int_equal(take("seed", number(INT_MAX)).seed, INT_MAX);
    assert_int_equal(take("seed", number(INT_MIN)).seed, INT_MIN);
    assert_int_equal(take("levels", number(INT_MAX)).levels, INT_MAX);
    assert_true(take("mass", number(5e-324)).mass > 0);
}

static void test_out_of_range(void **state)
{
    (void)state;
    refused("mass", number(-1), "mass = -1: expected a number greater than 0 kg");
    refused("mass", number(0), "mass = 0: expected a number greater than 0 kg");
    refused("mass", number(-0.0), "mass = 0: expected a number greater than 0 kg");
    refused("fraction", number(1.5), "fraction = 1.5: expected a number from 0 to 1");
    refused("drag", number(-0.5), "drag = -0.5: expected a number of at least 0 1/s");
    refused("angle", number(0), "angle = 0: expected a number greater than 0 and at most 3 rad");
    refused("angle", number(4), "angle = 4: expected a number greater than 0 and at most 3 rad");
    refused("columns", number(1), "columns = 1: expected an integer from 2 to 100000");
    refused("columns", number(1e300), "columns = 1e+300: expected an integer from 2 to 100000");
    refused("levels", number(1), "levels = 1: expected an integer of at least 2");
    refused("levels", number(3e9), "levels = 3000000000: expected an integer from 2 to 2147483647");
    refused("seed", number(3e9), "seed = 3000000000: expected an integer from -2147483648 to 2147483647");
    refused("seed", number(-3e9), "seed = -3000000000: expected an integer from -2147483648 to 2147483647");
    refused("size", vector(1, -2, 1), "size = {1, -2, 1}: expected three numbers {x, y, z}, each greater than 0 m");
}

static void test_a_near_miss_is_shown_in_full(void **state)
{
    (void)state;
    refused("fraction", number(1 + 1e-14), "fraction = 1.00000000000001: expected a number from 0 to 1");
    refused("columns", number(2 + 1e-13), "columns = 2.0000000000000999: expected an integer from 2 to 100000");
}

static void test_integers_refuse_fractions(void **state)
{
    (void)state;
    refused("columns", number(2.5), "columns = 2.5: expected an integer from 2 to 100000");
    refused("seed", number(0.5), "seed = 0.5: expected an integer");
}

static void test_not_finite(void **state)
{
    (void)state;
    refused("mass", number(NAN), "mass = nan: expected a finite number, not NaN");
    refused("mass", number(-NAN), "mass = nan: expected a finite number, not NaN");
    refused("height", number(INFINITY), "height = inf: expected a finite number, not infinity");
    refused("height", number(-INFINITY), "height = -inf: expected a finite number, not infinity");
    refused("drag", number(INFINITY), "drag = inf: expected a finite number, not infinity");
    refused("columns", number(NAN), "columns = nan: expected a finite number, not NaN");
    refused("gravity", vector(0, NAN, 0), "gravity = {0, nan, 0}: expected finite numbers, not NaN");
    refused("size", vector(1, 1, INFINITY), "size = {1, 1, inf}: expected finite numbers, not infinity");
}

static void test_wrong_types(void **state)
{
    (void)state;
    refused("mass", text("abc"), "mass = \"abc\": expected a number greater than 0 kg");
    refused("mass", text("1"), "mass = \"1\": expected a number greater than 0 kg");
    refused("mass", boolean(true), "mass = true: expected a number greater than 0 kg");
    refused("mass", vector(1, 2, 3), "mass = {1, 2, 3}: expected a number greater than 0 kg");
    refused("mass", shown("a function"), "mass = a function: expected a number greater than 0 kg");
    refused("mass", shown(NULL), "mass = a value of another type: expected a number greater than 0 kg");
    refused("height", boolean(false), "height = false: expected a number");
    refused("columns", text("many"), "columns = \"many\": expected an integer from 2 to 100000");
    refused("visible", number(1), "visible = 1: expected true or false");
    refused("gravity", number(-9.81), "gravity = -9.81: expected three numbers {x, y, z}");
    refused("title", number(3), "title = 3: expected a string");
    refused("model", number(1), "model = 1: expected one of \"skip\", \"hinge\", \"none\"");
    refused("mesh", number(1), "mesh = 1: expected a value of type mesh");
}

static void test_choices(void **state)
{
    (void)state;
    refused("model", text("plate"), "model = \"plate\": expected one of \"skip\", \"hinge\", \"none\"");
    refused("model", text("hinges"),
            "model = \"hinges\": expected one of \"skip\", \"hinge\", \"none\"; did you mean \"hinge\"?");
    refused("model", text("Hinge"),
            "model = \"Hinge\": expected one of \"skip\", \"hinge\", \"none\"; did you mean \"hinge\"?");
    refused("model", text(""), "model = \"\": expected one of \"skip\", \"hinge\", \"none\"");
}

static void test_text_must_fit(void **state)
{
    (void)state;
    char longest[TIDE_FIELD_TEXT_SIZE + 1];
    memset(longest, 'a', sizeof longest);
    longest[TIDE_FIELD_TEXT_SIZE - 1] = '\0';
    assert_string_equal(take("title", text(longest)).title, longest);
    longest[TIDE_FIELD_TEXT_SIZE - 1] = 'a';
    longest[TIDE_FIELD_TEXT_SIZE] = '\0';
    refused("title", text(longest),
            "title = \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...\": expected a string of at "
            "most 127 bytes");
}

static void test_values_are_shown_on_one_line(void **state)
{
    (void)state;
    refused("mass", text("a\nb\tc"), "mass = \"a?b?c\": expected a number greater than 0 kg");
    // 31 times two bytes, one more byte, and then a character of two bytes that does not fit whole: it is left out.
    char accents[100] = "x";
    for (int i = 0; i < 40; i++)
        strcat(accents, "\xc3\xa9");
    char expected[200] = "mass = \"x";
    for (int i = 0; i < 31; i++)
        strcat(expected, "\xc3\xa9");
    strcat(expected, "...\": expected a number greater than 0 kg");
    refused("mass", text(accents), expected);
}

static void unknown(const tide_field *table, const char *name, const char *message)
{
    tide_error error = { 0 };
    assert_null(tide_field_find(table, owner, name, &error));
    assert_int_equal(error.status, TIDE_ERROR_ARGUMENT);
    char whole[1200];
    assert_string_equal(tide_error_text(&error, whole, sizeof whole), message);
    assert_null(tide_field_find(table, owner, name, NULL));
}

static void test_unknown_fields(void **state)
{
    (void)state;
    unknown(fields, "stifness", "body \"curtain\": stifness: unknown field; did you mean \"stiffness\"?");
    unknown(fields, "Mass", "body \"curtain\": Mass: unknown field; did you mean \"mass\"?");
    unknown(fields, "colour",
            "body \"curtain\": colour: unknown field; known are mass, fraction, height, drag, angle, columns, seed, "
            "levels, model, visible, gravity, size, title, mesh, stiffness");
    unknown(fields + 13, "", "body \"curtain\": unknown field; known are mesh, stiffness");
    const tide_field none[] = { { 0 } };
    unknown(none, "mass", "body \"curtain\": mass: unknown field; there are none");
}

static void test_a_long_list_of_known_fields_is_cut(void **state)
{
    (void)state;
    tide_field many[101] = { 0 };
    for (int i = 0; i < 100; i++)
        many[i].name = "alternation";
    tide_error error = { 0 };
    assert_null(tide_field_find(many, owner, "x", &error));
    assert_non_null(strstr(error.remedy, "known are alternation, alternation"));
}

static const char *nearest(const char *name)
{
    static const char *const known[] = { "stiffness", "mass", "masses", "bend", "bend_model", "k", "dt", "ab" };
    const char *found = tide_nearest_name(name, known, sizeof known / sizeof known[0]);
    return found ? found : "(none)";
}

static void test_nearest_names(void **state)
{
    (void)state;
    assert_string_equal(nearest("stifness"), "stiffness");   // left out
    assert_string_equal(nearest("stifffness"), "stiffness"); // put in
    assert_string_equal(nearest("stiffnesz"), "stiffness");  // changed
    assert_string_equal(nearest("stiffnses"), "stiffness");  // swapped
    assert_string_equal(nearest("STIFFNESS"), "stiffness");
    assert_string_equal(nearest("mass"), "mass"); // the same wins over a near one
    assert_string_equal(nearest("masse"), "mass");
    assert_string_equal(nearest("msas"), "mass"); // one swap, where two changes would be too many
    assert_string_equal(nearest("bendmodel"), "bend_model");
    assert_string_equal(nearest("ba"), "ab");
    const char *const alike[] = { "set", "seed", "sew" };
    assert_string_equal(tide_nearest_name("sed", alike, 3), "seed"); // a letter left out rather than a wrong one
    assert_string_equal(tide_nearest_name("sex", alike, 3), "set");  // the first of the equally near
    assert_string_equal(nearest("gravity"), "(none)");
    assert_string_equal(nearest("mesh"), "(none)");
    assert_string_equal(nearest("j"), "(none)"); // a single letter is near nothing
    assert_string_equal(nearest(""), "(none)");
    char longer[300];
    memset(longer, 'a', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    assert_string_equal(nearest(longer), "(none)");
    const char *const long_names[] = { longer };
    assert_null(tide_nearest_name("mass", long_names, 1));
    assert_null(tide_nearest_name(longer, long_names, 1));
    assert_null(tide_nearest_name("mass", NULL, 0));
}

static thing parsed(const char *name, const char *given)
{
    thing object = made();
    tide_error error = { 0 };
    assert_ok(tide_field_parse(tide_field_find(fields, owner, name, NULL), owner, &object, given, &error), error);
    return object;
}

static void not_parsed(const char *name, const char *given, const char *message)
{
    thing object = made(), before = object;
    tide_error error = { 0 };
    const tide_field *field = tide_field_find(fields, owner, name, NULL);
    assert_fails(tide_field_parse(field, owner, &object, given, &error), error, message);
    assert_int_equal(error.status, TIDE_ERROR_ARGUMENT);
    assert_memory_equal(&object, &before, sizeof object);
}

static void test_parse(void **state)
{
    (void)state;
    assert_true(parsed("mass", "0.5").mass == 0.5);
    assert_true(parsed("mass", " 1e-3 ").mass == 1e-3);
    assert_true(parsed("mass", "1/30").mass == 1.0 / 30);
    assert_int_equal(parsed("columns", "12").columns, 12);
    assert_true(parsed("visible", "true").visible);
    assert_false(parsed("visible", "false").visible);
    assert_int_equal(parsed("model", "none").model, 2);
    assert_string_equal(parsed("title", "a b").title, "a b");
    assert_true(parsed("gravity", "{0, -1.62,0.5}").gravity[1] == -1.62);
    assert_true(parsed("gravity", "0,-1.62,0.5").gravity[2] == 0.5);
    assert_true(parsed("gravity", " 1/2 , 0 , 3 ").gravity[0] == 0.5);
}

static void test_parse_refuses(void **state)
{
    (void)state;
    not_parsed("mass", "abc", "mass = \"abc\": expected a number greater than 0 kg");
    not_parsed("mass", "", "mass = \"\": expected a number greater than 0 kg");
    not_parsed("mass", "1kg", "mass = \"1kg\": expected a number greater than 0 kg");
    not_parsed("mass", "1/", "mass = \"1/\": expected a number greater than 0 kg");
    not_parsed("mass", "1/0", "mass = inf: expected a finite number, not infinity");
    not_parsed("mass", "nan", "mass = nan: expected a finite number, not NaN");
    not_parsed("mass", "1e999", "mass = inf: expected a finite number, not infinity");
    not_parsed("mass", "-2", "mass = -2: expected a number greater than 0 kg");
    not_parsed("columns", "2.5", "columns = 2.5: expected an integer from 2 to 100000");
    not_parsed("visible", "yes", "visible = \"yes\": expected true or false");
    not_parsed("model", "hing", "did you mean \"hinge\"?");
    not_parsed("gravity", "0,1", "gravity = \"0,1\": expected three numbers {x, y, z}");
    not_parsed("gravity", "0,1,2,3", "expected three numbers {x, y, z}");
    not_parsed("gravity", "{0,1,2", "expected three numbers {x, y, z}");
    not_parsed("gravity", "0,1,2}", "expected three numbers {x, y, z}");
    not_parsed("gravity", "0,nan,2", "gravity = {0, nan, 2}: expected finite numbers, not NaN");
    not_parsed("height", "auto", "height = \"auto\": expected a number");
    not_parsed("mesh", "grid", "mesh = \"grid\": expected a value of type mesh");
}

static void described(const char *name, const char *type, const char *initial, const char *range)
{
    char buffer[200];
    const tide_field *field = tide_field_find(fields, owner, name, NULL);
    assert_string_equal(tide_field_type_text(field, buffer, sizeof buffer), type);
    assert_string_equal(tide_field_default_text(field, buffer, sizeof buffer), initial);
    assert_string_equal(tide_field_range_text(field, buffer, sizeof buffer), range);
}

static void test_descriptions(void **state)
{
    (void)state;
    described("mass", "number", "1", "greater than 0 kg");
    described("fraction", "number", "0.1", "0 to 1");
    described("height", "number", "none", "any, in m");
    described("drag", "number", "still air", "at least 0 1/s");
    described("angle", "number", "0.3333333333", "greater than 0 and at most 3 rad");
    described("columns", "integer", "81", "2 to 100000");
    described("seed", "integer", "0", "any");
    described("levels", "integer", "3", "at least 2");
    described("model", "string", "\"hinge\"", "one of skip, hinge, none");
    described("visible", "boolean", "true", "true or false");
    described("gravity", "number[]", "{0, -9.81, 0}", "any, in m/s^2");
    described("size", "number[]", "{1, 1, 1}", "greater than 0 m");
    described("title", "string", "\"untitled\"", "at most 127 bytes");
    described("mesh", "mesh", "required", "");
    described("stiffness", "number", "none", "");
    char small[6];
    assert_string_equal(tide_field_range_text(&fields[0], small, sizeof small), "great");
}

static void test_defaults_are_known_again(void **state)
{
    (void)state;
    thing object = made();
    for (const tide_field *field = fields; field->name; field++)
        assert_true(tide_field_is_default(field, &object));
    object.title[0] = 'U';
    object.size[2] = 2;
    object.height = 1;
    object.visible = false;
    object.model = 0;
    for (const tide_field *field = fields; field->name; field++) {
        bool changed = strstr("title size height visible model", field->name) != NULL;
        assert_true(tide_field_is_default(field, &object) != changed);
    }
}

static void test_nothing_is_allocated(void **state)
{
    (void)state;
    uint64_t before = tide_memory_count().allocations;
    refused("model", text("hinges"),
            "model = \"hinges\": expected one of \"skip\", \"hinge\", \"none\"; did you mean \"hinge\"?");
    assert_true(parsed("mass", "0.5").mass == 0.5);
    assert_true(tide_memory_count().allocations == before);
}

static void test_a_struct_is_checked(void **state)
{
    (void)state;
    thing good, bad;
    tide_error error;
    tide_fields_default(fields, &good);
    assert_ok(tide_fields_check(fields, owner, &good, &error), error); // a height that is not given is fine
    good.height = -2;
    good.model = 2;
    assert_ok(tide_fields_check(fields, owner, &good, &error), error);

    bad = good;
    bad.mass = NAN;
    assert_fails(tide_fields_check(fields, owner, &bad, &error), error,
                 "mass = nan: expected a finite number, not NaN");
    bad = good;
    bad.fraction = 1.5;
    assert_fails(tide_fields_check(fields, owner, &bad, &error), error,
                 "fraction = 1.5: expected a number from 0 to 1");
    bad = good;
    bad.columns = 1;
    assert_fails(tide_fields_check(fields, owner, &bad, &error), error, "columns = 1: expected an integer from 2");
    for (bad = good, bad.model = -1; bad.model <= 3; bad.model += 4)
        assert_fails(tide_fields_check(fields, owner, &bad, &error), error, "expected one of \"skip\", \"hinge\"");
    bad = good;
    bad.size[2] = 0;
    assert_fails(tide_fields_check(fields, owner, &bad, &error), error, "size = {1, 1, 0}");
    bad = good;
    bad.gravity[0] = NAN;
    assert_fails(tide_fields_check(fields, owner, &bad, &error), error, "gravity = {nan, -9.81, 0}");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_struct_is_checked),
    cmocka_unit_test(test_defaults),
    cmocka_unit_test(test_each_type_is_stored),
    cmocka_unit_test(test_ranges_include_their_ends),
    cmocka_unit_test(test_out_of_range),
    cmocka_unit_test(test_a_near_miss_is_shown_in_full),
    cmocka_unit_test(test_integers_refuse_fractions),
    cmocka_unit_test(test_not_finite),
    cmocka_unit_test(test_wrong_types),
    cmocka_unit_test(test_choices),
    cmocka_unit_test(test_text_must_fit),
    cmocka_unit_test(test_values_are_shown_on_one_line),
    cmocka_unit_test(test_unknown_fields),
    cmocka_unit_test(test_a_long_list_of_known_fields_is_cut),
    cmocka_unit_test(test_nearest_names),
    cmocka_unit_test(test_parse),
    cmocka_unit_test(test_parse_refuses),
    cmocka_unit_test(test_descriptions),
    cmocka_unit_test(test_defaults_are_known_again),
    cmocka_unit_test(test_nothing_is_allocated),
};
TIDE_TEST_SUITE(base_field, tests)
