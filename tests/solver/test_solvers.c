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
    assert_int_equal(count, 2);
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
    assert_null(tide_solver_kind_find("newton", &error));
    assert_string_equal(tide_error_text(&error, text, sizeof text),
                        "solver: name = \"newton\": unknown solver; known are local_global, symplectic_euler");
    assert_null(tide_solver_kind_find("", NULL));
}

static void test_options(void **state)
{
    (void)state;
    tide_error error;
    struct {
        int iterations;
        double tolerance;
    } options = { 0, 0 };
    const tide_solver_kind *kind = tide_solver_kind_at(0);
    tide_solver *solver = NULL;
    assert_int_equal(kind->options_size, sizeof options);
    assert_fails(tide_solver_create(kind, &options, &solver, &error), error,
                 "solver \"local_global\": iterations = 0: expected an integer from 1 to 1000000");
    options.iterations = 3;
    options.tolerance = -1;
    assert_fails(tide_solver_create(kind, &options, &solver, &error), error,
                 "solver \"local_global\": tolerance = -1: expected a number of at least 0");
    options.tolerance = NAN;
    assert_fails(tide_solver_create(kind, &options, &solver, &error), error, "tolerance");
    options.tolerance = 0.5;
    assert_ok(tide_solver_create(kind, &options, &solver, &error), error);
    options.iterations = 99; // a copy was taken
    assert_int_equal(*(const int *)tide_solver_options(solver), 3);
    assert_ptr_equal(tide_solver_kind_of(solver), kind);
    tide_solver_set_options(solver, &options);
    assert_int_equal(*(const int *)tide_solver_options(solver), 99);

    sample s = sample_pair();
    tide_system *system = sample_system(&s);
    uint32_t bad;
    options.iterations = -5;
    tide_solver_set_options(solver, &options);
    assert_fails(tide_solver_prepare(solver, system, 0.1, &bad, &error), error, "iterations = -5");
    const double timesteps[] = { 0, -0.1, NAN, INFINITY };
    for (int i = 0; i < 4; i++)
        assert_fails(tide_solver_prepare(solver, system, timesteps[i], &bad, &error), error,
                     "expected a finite number above 0 s");
    tide_system_destroy(system);
    tide_solver_destroy(solver);

    assert_ok(tide_solver_create(kind, NULL, &solver, &error), error);
    assert_int_equal(*(const int *)tide_solver_options(solver), 10);
    tide_solver_destroy(solver);
    tide_solver_destroy(NULL);
}

static void test_history_of_solvers_without_one(void **state)
{
    (void)state;
    tide_error error;
    for (uint32_t i = 0; i < 2; i++) {
        tide_solver *solver = NULL;
        assert_ok(tide_solver_create(tide_solver_kind_at(i), NULL, &solver, &error), error);
        assert_int_equal(tide_solver_history_size(solver), 0);
        tide_solver_save_history(solver, NULL);
        assert_ok(tide_solver_load_history(solver, NULL, 0, &error), error);
        assert_fails(tide_solver_load_history(solver, "12345678", 8, &error), error,
                     "history = 8 bytes: this solver keeps no history");
        tide_solver_destroy(solver);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_every_kind_is_complete),
    cmocka_unit_test(test_unknown_names),
    cmocka_unit_test(test_options),
    cmocka_unit_test(test_history_of_solvers_without_one),
};
TIDE_TEST_SUITE(solver_solvers, tests)
