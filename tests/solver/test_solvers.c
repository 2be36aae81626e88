#include "stepping.h"

static void test_every_kind_is_complete(void **state)
{
    (void)state;
    uint32_t count = 0;
    for (const tide_solver_kind *kind; (kind = tide_solver_kind_at(count)); count++) {
        tide_error error;
        assert_true(kind->name && kind->help && kind->source && kind->fields);
        assert_true(strlen(kind->help) > 20 && strstr(kind->source, "20"));
        assert_ptr_equal(tide_solver_kind_find(kind->name, &error), kind);
        assert_true(kind->prepare && kind->step && kind->destroy);
        assert_true(!kind->history_size == !kind->save_history && !kind->history_size == !kind->load_history);
        for (const tide_field *field = kind->fields; field->name; field++) {
            assert_true(field->help && field->help[0]);
            assert_true(field->offset < kind->options_size);
        }
        for (uint32_t other = 0; other < count; other++)
            assert_string_not_equal(tide_solver_kind_at(other)->name, kind->name);
    }
    assert_string_equal(tide_solver_kind_at(0)->name, "local_global");
    assert_null(tide_solver_kind_at(UINT32_MAX));
}

static void test_unknown_names(void **state)
{
    (void)state;
    tide_error error;
    char text[1024];
    assert_null(tide_solver_kind_find("local_globl", &error));
    assert_int_equal(error.status, TIDE_ERROR_ARGUMENT);
    assert_string_equal(tide_error_text(&error, text, sizeof text),
                        "solver: name = \"local_globl\": unknown solver; did you mean \"local_global\"?");
    assert_null(tide_solver_kind_find("something else", &error));
    assert_non_null(strstr(tide_error_text(&error, text, sizeof text),
                           "solver: name = \"something else\": unknown solver; known are local_global, "));
    assert_null(tide_solver_kind_find("", NULL));
}

static int iterations_of(const tide_solver *solver)
{
    tide_error error;
    const tide_field *field = tide_field_find(tide_solver_kind_of(solver)->fields, "solver", "iterations", &error);
    assert_non_null(field);
    return *(const int *)((const char *)tide_solver_options(solver) + field->offset);
}

static void test_options(void **state)
{
    (void)state;
    tide_error error;
    const tide_solver_kind *kind = tide_solver_kind_find("nonlinear_cg", &error);
    assert_non_null(kind);
    struct {
        tide_solver_common common;
        int iterations;
        double tolerance;
        char more[256];
    } options;
    tide_solver *solver = NULL;
    assert_true(kind->options_size <= sizeof options);
    tide_fields_default(kind->fields, &options);
    options.iterations = 0;
    assert_fails(tide_solver_create(kind, &options, &solver, &error), error,
                 "solver \"nonlinear_cg\": iterations = 0: expected an integer from 1 to 1000000");
    options.iterations = 3;
    options.tolerance = -1;
    assert_fails(tide_solver_create(kind, &options, &solver, &error), error,
                 "solver \"nonlinear_cg\": tolerance = -1: expected a number of at least 0");
    options.tolerance = NAN;
    assert_fails(tide_solver_create(kind, &options, &solver, &error), error, "tolerance");
    options.tolerance = 0.5;
    assert_ok(tide_solver_create(kind, &options, &solver, &error), error);
    options.iterations = 99; // a copy was taken
    assert_int_equal(iterations_of(solver), 3);
    assert_ptr_equal(tide_solver_kind_of(solver), kind);
    tide_solver_set_options(solver, &options);
    assert_int_equal(iterations_of(solver), 99);

    sample s = sample_pair();
    tide_system *system = sample_system(&s);
    uint32_t bad;
    options.iterations = -5;
    tide_solver_set_options(solver, &options);
    assert_fails(tide_solver_prepare(solver, system, 0.1, s.x, &bad, &error), error, "iterations = -5");
    const double timesteps[] = { 0, -0.1, NAN, INFINITY };
    for (int i = 0; i < 4; i++)
        assert_fails(tide_solver_prepare(solver, system, timesteps[i], s.x, &bad, &error), error,
                     "expected a finite number above 0 s");
    tide_system_destroy(system);
    tide_solver_destroy(solver);

    assert_ok(tide_solver_create(kind, NULL, &solver, &error), error);
    assert_int_equal(iterations_of(solver), 10);
    tide_solver_destroy(solver);
    tide_solver_destroy(NULL);
}

// Histories are read after `prepare`, which there is none of here: a history of another length is refused by all.
static void test_histories_of_other_solvers(void **state)
{
    (void)state;
    tide_error error;
    for (uint32_t i = 0; tide_solver_kind_at(i); i++) {
        const tide_solver_kind *kind = tide_solver_kind_at(i);
        tide_solver *solver = NULL;
        assert_ok(tide_solver_create(kind, NULL, &solver, &error), error);
        assert_int_equal(!kind->history_size, !kind->load_history);
        assert_int_equal(!kind->history_size, !kind->save_history);
        if (!kind->history_size) {
            assert_int_equal(tide_solver_history_size(solver), 0);
            assert_ok(tide_solver_load_history(solver, NULL, 0, &error), error);
        }
        assert_fails(tide_solver_load_history(solver, "123", 3, &error), error, "history");
        tide_solver_destroy(solver);
    }
}

// The methods that scripts outside this repository use by name.
static void test_names(void **state)
{
    (void)state;
    static const char *const names[] = { "local_global",
                                         "newton",
                                         "lbfgs",
                                         "nonlinear_cg",
                                         "vbd",
                                         "semi_implicit",
                                         "imex",
                                         "bdf2",
                                         "implicit_midpoint",
                                         "pbd",
                                         "xpbd",
                                         "explicit_euler",
                                         "symplectic_euler",
                                         "verlet",
                                         "midpoint",
                                         "rk4",
                                         "linearized_explicit" };
    tide_error error;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_non_null(tide_solver_kind_find(names[i], &error));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_every_kind_is_complete),
    cmocka_unit_test(test_unknown_names),
    cmocka_unit_test(test_options),
    cmocka_unit_test(test_histories_of_other_solvers),
    cmocka_unit_test(test_names),
};
TIDE_TEST_SUITE(solver_solvers, tests)
