// Fields with a word for "not given", and records.
#include "tests.h"

#include "base/field.h"

#include <stdio.h>
#include <string.h>

// A struct with records, as the options of a solver.
typedef struct stepper {
    double substep;
    struct {
        int model;
        double mass, limit;
    } damping;
    struct {
        int kind, passes;
        double lambda, axis[3];
        bool symmetric;
        char note[TIDE_FIELD_TEXT_SIZE];
    } filter;
    int after;
} stepper;

#define DAMPING(member) (offsetof(stepper, damping.member) - offsetof(stepper, damping))
#define FILTER(member) (offsetof(stepper, filter.member) - offsetof(stepper, filter))

static const char *const damping_models[] = { "none", "auto", "rayleigh", NULL };
static const char *const kinds[] = { "none", "exponential", "gaussian", NULL };

static const tide_field damping_fields[] = {
    { "model", TIDE_FIELD_CHOICE, DAMPING(model), .initial = { 2 }, .choices = damping_models },
    { "mass", TIDE_FIELD_REAL, DAMPING(mass), .initial = { 0.5 }, .maximum = INFINITY, .unit = "1/s" },
    { "limit", TIDE_FIELD_REAL, DAMPING(limit), .positive = true, .word = "off" },
    { 0 },
};

// The first field's default is that of a record which is not given.
static const tide_field filter_fields[] = {
    { "kind", TIDE_FIELD_CHOICE, FILTER(kind), .choices = kinds },
    { "passes", TIDE_FIELD_INTEGER, FILTER(passes), .initial = { 1 }, .minimum = 1, .maximum = 9 },
    { "lambda", TIDE_FIELD_REAL, FILTER(lambda), .initial = { 4 }, .maximum = 100 },
    { "axis", TIDE_FIELD_VECTOR, FILTER(axis), .initial = { 0, 1, 0 } },
    { "symmetric", TIDE_FIELD_BOOLEAN, FILTER(symmetric), .initial = { 1 } },
    { "note", TIDE_FIELD_TEXT, FILTER(note), .initial_text = "plain" },
    { 0 },
};

static const tide_field stepper_fields[] = {
    { "substep", TIDE_FIELD_REAL, offsetof(stepper, substep), .positive = true, .unit = "s", .word = "auto" },
    { "damping", TIDE_FIELD_RECORD, offsetof(stepper, damping), .record = damping_fields },
    { "filter", TIDE_FIELD_RECORD, offsetof(stepper, filter), .record = filter_fields },
    { 0 },
};

static const char *const solver = "solver \"rk4\"";

static tide_value number(double value)
{
    return (tide_value) { .type = TIDE_VALUE_NUMBER, .number = value };
}

static tide_value text(const char *value)
{
    return (tide_value) { .type = TIDE_VALUE_TEXT, .text = value };
}

static stepper new_stepper(void)
{
    stepper object;
    memset(&object, 0xff, sizeof object);
    object.after = 42;
    tide_fields_default(stepper_fields, &object);
    return object;
}

// After options like "filter=gaussian filter.lambda=2", as on a command line.
static stepper stepped(const char *options)
{
    stepper object = new_stepper();
    tide_error error = { 0 };
    char copy[200];
    snprintf(copy, sizeof copy, "%s", options);
    for (char *name = strtok(copy, " "); name; name = strtok(NULL, " ")) {
        char *value = strchr(name, '=');
        *value = '\0';
        assert_ok(tide_fields_parse(stepper_fields, solver, &object, name, value + 1, &error), error);
    }
    assert_int_equal(object.after, 42);
    assert_ok(tide_fields_check(stepper_fields, solver, &object, &error), error);
    return object;
}

static void not_stepped(const char *name, const char *value, const char *message)
{
    stepper object = new_stepper(), before = object;
    tide_error error = { 0 };
    assert_int_equal(tide_fields_parse(stepper_fields, solver, &object, name, value, &error), TIDE_ERROR_ARGUMENT);
    char whole[1200], expected[1200];
    snprintf(expected, sizeof expected, "%s: %s", solver, message);
    assert_string_equal(tide_error_text(&error, whole, sizeof whole), expected);
    assert_memory_equal(&object, &before, sizeof object);
    assert_int_equal(tide_fields_parse(stepper_fields, solver, &object, name, value, NULL), TIDE_ERROR_ARGUMENT);
}

static void test_a_word_stands_for_not_given(void **state)
{
    (void)state;
    assert_false(tide_given(new_stepper().substep)); // whatever `initial` says
    assert_true(stepped("substep=1/1000").substep == 1.0 / 1000);
    assert_false(tide_given(stepped("substep=0.5 substep=auto").substep));
    assert_false(tide_given(stepped("damping.limit=2 damping.limit=off").damping.limit));
    not_stepped("substep", "nan", "substep = nan: expected a finite number, not NaN");
    not_stepped("substep", "0/0", "substep = nan: expected a finite number, not NaN");
    not_stepped("substep", "inf", "substep = inf: expected a finite number, not infinity");
    not_stepped("substep", "0", "substep = 0: expected \"auto\" or a number greater than 0 s");
    not_stepped("substep", "never", "substep = \"never\": expected \"auto\" or a number greater than 0 s");
    not_stepped("substep", "Auto",
                "substep = \"Auto\": expected \"auto\" or a number greater than 0 s; did you mean \"auto\"?");
    not_stepped("damping.limit", "auto", "damping.limit = \"auto\": expected \"off\" or a number greater than 0");

    stepper object = new_stepper();
    tide_error error = { 0 };
    object.substep = 0.5;
    tide_value value = number(NAN);
    assert_fails(tide_field_set(stepper_fields, solver, &object, &value, &error), error, "finite number, not NaN");
    value = text(NULL);
    assert_fails(tide_field_set(stepper_fields, solver, &object, &value, &error), error, "expected \"auto\" or");
    assert_true(object.substep == 0.5);
    value = text("auto");
    assert_ok(tide_field_set(stepper_fields, solver, &object, &value, &error), error);
    assert_false(tide_given(object.substep));
    const tide_field endless = { "length", TIDE_FIELD_REAL, offsetof(stepper, substep), .word = "inf" };
    object.substep = 1;
    assert_ok(tide_field_parse(&endless, solver, &object, "inf", &error), error); // which reads as a number, too
    assert_false(tide_given(object.substep));
}

static void test_a_record_has_two_defaults(void **state)
{
    (void)state;
    stepper object = new_stepper();
    assert_int_equal(object.after, 42);
    assert_int_equal(object.damping.model, 0);
    assert_true(object.damping.mass == 0.5 && !tide_given(object.damping.limit));
    assert_true(object.filter.kind == 0 && object.filter.passes == 1 && object.filter.lambda == 4);
    assert_true(object.filter.axis[1] == 1 && object.filter.symmetric);
    assert_string_equal(object.filter.note, "plain");

    assert_int_equal(stepped("damping=auto").damping.model, 1);
    assert_int_equal(stepped("damping=rayleigh damping=none").damping.model, 0);
    object = stepped("damping.mass=0.1 damping.limit=3");
    assert_true(object.damping.model == 2 && object.damping.mass == 0.1 && object.damping.limit == 3);
    assert_int_equal(stepped("damping.model=auto").damping.model, 1);
    assert_int_equal(stepped("damping.model=none").damping.model, 0);
    object = stepped("damping=auto damping.mass=2");
    assert_true(object.damping.model == 1 && object.damping.mass == 2);
    object = stepped("damping.mass=2 damping.limit=7 damping=none damping.mass=3"); // given anew
    assert_true(object.damping.model == 2 && object.damping.mass == 3 && !tide_given(object.damping.limit));
    // In any order, and where the first field has one default only.
    object = stepped("filter=gaussian filter.lambda=2 filter.axis={1,0,0} filter.symmetric=false filter.note=a");
    stepper other = stepped("filter.note=a filter.symmetric=false filter.axis=1,0,0 filter.lambda=2 filter=gaussian");
    assert_memory_equal(&object, &other, sizeof object);
    assert_true(object.filter.kind == 2 && object.filter.lambda == 2 && object.filter.axis[0] == 1);
    assert_false(object.filter.symmetric);
    assert_int_equal(stepped("filter.lambda=2 filter.passes=3").filter.lambda, 2);
}

static void test_a_record_given_as_a_text(void **state)
{
    (void)state;
    stepper object = stepped("filter.lambda=2 filter.note=x filter.passes=3");
    tide_error error = { 0 };
    tide_value value = text("exponential");
    assert_ok(tide_field_set(&stepper_fields[2], solver, &object, &value, &error), error);
    assert_true(object.filter.kind == 1 && object.filter.lambda == 4 && object.filter.passes == 1);
    assert_string_equal(object.filter.note, "plain");
    stepper before = object;
    const tide_value wrong[] = { number(1),
                                 text("gausian"),
                                 text(NULL),
                                 { .type = TIDE_VALUE_VECTOR },
                                 { .type = TIDE_VALUE_UNKNOWN, .shown = "a function" } };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_fails(tide_field_set(&stepper_fields[2], solver, &object, &wrong[i], &error), error,
                     "expected one of \"none\", \"exponential\", \"gaussian\"");
        assert_string_equal(error.field, "filter");
        assert_memory_equal(&object, &before, sizeof object);
    }
}

static void test_records_refuse(void **state)
{
    (void)state;
    not_stepped("filter", "foo", "filter = \"foo\": expected one of \"none\", \"exponential\", \"gaussian\"");
    not_stepped("filter", "gausian",
                "filter = \"gausian\": expected one of \"none\", \"exponential\", \"gaussian\"; did you mean "
                "\"gaussian\"?");
    not_stepped("filter.kind", "1", "filter.kind = \"1\": expected one of \"none\", \"exponential\", \"gaussian\"");
    not_stepped("filter.lambda", "-1", "filter.lambda = -1: expected a number from 0 to 100");
    not_stepped("filter.lambda", "nan", "filter.lambda = nan: expected a finite number, not NaN");
    not_stepped("damping.mass", "-1", "damping.mass = -1: expected a number of at least 0 1/s");
    not_stepped("filter.lamda", "1", "filter.lamda: unknown field; did you mean \"lambda\"?");
    not_stepped("filter.", "1", "filter.: unknown field; known are kind, passes, lambda, axis, symmetric, note");
    not_stepped("filter.a.b", "1", "filter.a.b: unknown field; known are kind, passes, lambda, axis, symmetric, note");
    not_stepped("filtr.lambda", "1", "filtr: unknown field; did you mean \"filter\"?");
    not_stepped("substeps", "1", "substeps: unknown field; did you mean \"substep\"?");
    not_stepped("substep.size", "1", "substep.size: unknown field; \"substep\" has no fields of its own");
    not_stepped(".lambda", "1", "unknown field; known are substep, damping, filter");
}

static void test_records_are_checked(void **state)
{
    (void)state;
    tide_error error = { 0 };
    stepper bad = new_stepper();
    assert_ok(tide_fields_check(stepper_fields, solver, &bad, &error), error);
    bad.filter.lambda = -1;
    assert_fails(tide_fields_check(stepper_fields, solver, &bad, &error), error,
                 "filter.lambda = -1: expected a number from 0 to 100");
    bad = new_stepper();
    bad.damping.model = 3;
    assert_fails(tide_fields_check(stepper_fields, solver, &bad, &error), error, "damping.model = 3: expected one of");
    bad = new_stepper();
    bad.damping.mass = NAN; // which has no word
    assert_fails(tide_fields_check(stepper_fields, solver, &bad, &error), error, "damping.mass = nan");
    bad = new_stepper();
    bad.substep = 0;
    assert_fails(tide_fields_check(stepper_fields, solver, &bad, &error), error, "substep = 0");
}

static void test_defaults_are_known_again(void **state)
{
    (void)state;
    stepper object = new_stepper();
    for (size_t i = 0; i < 3; i++)
        assert_true(tide_field_is_default(&stepper_fields[i], &object));
    static const char *const others[] = { "substep=1",          "damping=auto",         "damping.mass=0.5",
                                          "damping.limit=2",    "filter.kind=gaussian", "filter.passes=2",
                                          "filter.lambda=3",    "filter.axis=0,1,1",    "filter.symmetric=false",
                                          "filter.note=plainer" };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        object = stepped(others[i]);
        int changed = 0;
        for (size_t k = 0; k < 3; k++)
            changed += !tide_field_is_default(&stepper_fields[k], &object);
        assert_int_equal(changed, 1);
    }
}

static void described_as(const tide_field *field, const char *type, const char *initial, const char *range)
{
    char buffer[200];
    assert_string_equal(tide_field_type_text(field, buffer, sizeof buffer), type);
    assert_string_equal(tide_field_default_text(field, buffer, sizeof buffer), initial);
    assert_string_equal(tide_field_range_text(field, buffer, sizeof buffer), range);
}

static void test_words_and_records_are_described(void **state)
{
    (void)state;
    char name[TIDE_FIELD_NAME_SIZE];
    described_as(&stepper_fields[0], "number|\"auto\"", "\"auto\"", "auto or greater than 0 s");
    described_as(&stepper_fields[1], "string|table", "\"none\"", "one of none, auto, rayleigh, or a table");
    tide_field model = tide_field_within(&stepper_fields[1], &damping_fields[0], name);
    assert_string_equal(model.name, "damping.model");
    described_as(&model, "string", "\"rayleigh\"", "one of none, auto, rayleigh");
    tide_field lambda = tide_field_within(&stepper_fields[2], &filter_fields[2], name);
    assert_string_equal(lambda.name, "filter.lambda");
    assert_int_equal(lambda.offset, offsetof(stepper, filter.lambda));
    tide_field anything = { "length", TIDE_FIELD_REAL, .unit = "m", .word = "auto" };
    described_as(&anything, "number|\"auto\"", "\"auto\"", "auto or any, in m");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_word_stands_for_not_given),
    cmocka_unit_test(test_a_record_has_two_defaults),
    cmocka_unit_test(test_a_record_given_as_a_text),
    cmocka_unit_test(test_records_refuse),
    cmocka_unit_test(test_records_are_checked),
    cmocka_unit_test(test_defaults_are_known_again),
    cmocka_unit_test(test_words_and_records_are_described),
};
TIDE_TEST_SUITE(base_field_records, tests)
