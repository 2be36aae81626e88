// The remaining error of a step and the softness of an unconverged body: against the definition by another method, and
// against a body of the reported softness.
#include "session/convergence_probe.h"

#include "base/memory.h"
#include "tests.h"
#include "world/fixture.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

static tide_error error;

static tide_convergence measured(tide_world *world)
{
    tide_world *fork;
    tide_convergence found;
    assert_ok(tide_world_fork(world, &fork, &error), error);
    assert_ok(tide_convergence_measure(fork, NULL, 3600, &found, &error), error);
    tide_world_destroy(fork);
    return found;
}

// The world's positions after a step by Newton's method to the end of it, or by its own (NULL)
static double *stepped(tide_world *world, const char *solver, const char *iterations)
{
    tide_world *fork;
    assert_ok(tide_world_fork(world, &fork, &error), error);
    if (solver)
        fixture_use(fork, solver, "iterations", iterations);
    fixture_step(fork, 1);
    size_t size = 3 * (size_t)tide_world_particle_count(fork) * sizeof(double);
    double *x = tide_copy_bytes(tide_world_all_positions(fork), size);
    assert_non_null(x);
    tide_world_destroy(fork);
    return x;
}

// Liu et al. 2013, eq. 15, by its definition
static double relative_error(tide_world *world, const double *reached, const double *best)
{
    double *y = tide_allocate_array(3 * (size_t)tide_world_particle_count(world), sizeof *y);
    const tide_system *system;
    assert_ok(tide_world_predict(world, y, &error), error);
    assert_ok(tide_world_system(world, &system, &error), error);
    double h = tide_world_get_settings(world)->timestep, lowest = tide_system_objective(system, h, y, best);
    double left = tide_system_objective(system, h, y, reached) - lowest;
    double all = tide_system_objective(system, h, y, y) - lowest;
    tide_free(y);
    return left / all;
}

static void test_error_is_that_of_the_paper(void **state)
{
    (void)state;
    tide_world *world = fixture_curtain(9, NULL);
    fixture_use(world, "local_global", "iterations", "3");
    fixture_step(world, 6);
    double *reached = stepped(world, NULL, NULL), *best = stepped(world, "newton", "60");
    double expected = relative_error(world, reached, best);
    tide_convergence found = measured(world);
    assert_true(expected > 0.005 && expected < 1);
    assert_near(found.error, expected, 1e-4 * expected);
    assert_true(found.reached);
    assert_int_equal(found.iterations, 3);
    tide_free(reached);
    tide_free(best);
    tide_world_destroy(world);
}

// On a stiff cloth the reference method has too little time to converge: the probe reports slightly too small an error
// and says so.
static void test_stiff_cloth(void **state)
{
    (void)state;
    tide_world *world = fixture_world(NULL, NULL);
    const tide_mesh *mesh = fixture_grid(25, 25);
    tide_body_def def = fixture_cloth("cloth", mesh);
    tide_body_id id;
    def.stiffness = 2e5;
    def.bend = 5e4;
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    tide_mesh_release(mesh);
    assert_ok(tide_world_pin(world, id, 0, TIDE_NOT_GIVEN, &error), error);
    assert_ok(tide_world_pin(world, id, 24, TIDE_NOT_GIVEN, &error), error);
    fixture_use(world, "local_global", "iterations", "2");
    fixture_step(world, 10);
    double *reached = stepped(world, NULL, NULL), *best = stepped(world, "newton", "25");
    double expected = relative_error(world, reached, best);
    tide_world *fork;
    tide_convergence found;
    assert_ok(tide_world_fork(world, &fork, &error), error);
    assert_ok(tide_convergence_measure(fork, NULL, 0, &found, &error), error);
    print_message("# error %.4f of %.4f, acts as %.3f\n", found.error, expected, found.effective);
    assert_true(expected > 0.02);
    assert_true(found.error > 0.5 * expected && found.error < 1.02 * expected);
    assert_false(found.reached);
    char text[256];
    assert_non_null(strstr(tide_convergence_text(&found, text, sizeof text, NULL), "2 iterations: at least "));
    tide_world_destroy(fork);
    tide_free(reached);
    tide_free(best);
    tide_world_destroy(world);
}

static void test_more_iterations_leave_less(void **state)
{
    (void)state;
    static const char *const iterations[] = { "1", "3", "10", "30", "1000" };
    tide_world *world = fixture_curtain(11, NULL);
    fixture_step(world, 8);
    double before = INFINITY;
    bool notable = false;
    char text[256];
    for (size_t i = 0; i < sizeof iterations / sizeof iterations[0]; i++) {
        fixture_use(world, "local_global", "iterations", iterations[i]);
        tide_convergence found = measured(world);
        assert_true(found.error < before);
        before = found.error;
        tide_convergence_text(&found, text, sizeof text, &notable);
        assert_true(notable == (i < 4) || i == 3);
    }
    assert_true(before < 1e-4 && !notable);
    assert_non_null(strstr(text, "% of this step's error left"));
    fixture_use(world, "newton", "iterations", "50");
    assert_true(measured(world).error < 1e-9);
    tide_world_destroy(world);
}

static double height_of(const tide_world *world)
{
    double sum = 0;
    for (uint32_t p = 0; p < tide_world_particle_count(world); p++)
        sum += tide_world_all_positions(world)[3 * p + 1];
    return sum / tide_world_particle_count(world);
}

// The mean height of a heavily damped curtain at rest
static double height_at_rest(double stiffness, const char *solver, const char *iterations, tide_convergence *found)
{
    tide_world_settings settings = tide_world_settings_default();
    settings.drag = 8;
    tide_world *world = fixture_world(&settings, NULL);
    const tide_mesh *mesh = fixture_grid(9, 9);
    tide_body_def def = fixture_cloth("curtain", mesh);
    tide_body_id id;
    def.stiffness = stiffness;
    def.bend = stiffness / 4;
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    tide_mesh_release(mesh);
    for (uint32_t v = 0; v < 9; v++)
        assert_ok(tide_world_pin(world, id, v, TIDE_NOT_GIVEN, &error), error);
    fixture_use(world, solver, "iterations", iterations);
    fixture_step(world, 1500);
    double high = height_of(world);
    fixture_step(world, 1);
    assert_near(height_of(world), high, 1e-7); // it is at rest
    if (found)
        *found = measured(world);
    tide_world_destroy(world);
    return high;
}

// Stopped too soon, it hangs lower; the softness that is told, given to a cloth that is stepped to the end, has that
// one hang as low.
static void test_softness_is_what_is_seen(void **state)
{
    (void)state;
    tide_convergence found, exact;
    double stiff = height_at_rest(80, "newton", "30", &exact), soft = height_at_rest(80, "local_global", "1", &found);
    printf("# 80 N/m: %.6f m, after one iteration %.6f m: acts as %.4f of it, error %.3f\n", stiff, soft,
           found.effective, found.error);
    assert_near(exact.effective, 1, 1e-3);
    assert_true(found.effective > 0.2 && found.effective < 0.97);
    assert_true(soft < stiff - 1e-3);
    double same = height_at_rest(80 * found.effective, "newton", "30", NULL);
    assert_near(same, soft, 0.1 * (stiff - soft));
    char text[256], expected[64];
    bool notable;
    tide_convergence_text(&found, text, sizeof text, &notable);
    snprintf(expected, sizeof expected, "\"curtain\" acts %.0f %% softer than 80 N/m", 100 * (1 - found.effective));
    assert_true(notable);
    assert_non_null(strstr(text, expected));
    assert_non_null(strstr(text, "1 iteration: "));
}

static void test_what_is_not_measured(void **state)
{
    (void)state;
    static const char *const yes[] = { "local_global", "newton", "lbfgs", "nonlinear_cg", "vbd", "pbd", "xpbd" };
    static const char *const no[] = { "rk4", "verlet", "bdf2", "imex", "implicit_midpoint", "explicit_euler" };
    char why[128];
    tide_world *world = fixture_curtain(4, NULL);
    for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++) {
        fixture_use(world, yes[i], NULL, NULL);
        assert_true(tide_convergence_can_measure(world, why, sizeof why));
        fixture_use(world, yes[i], "substeps", "3");
        fixture_step(world, 2);
        tide_convergence found = measured(world);
        assert_true(found.error >= 0 && isfinite(found.error));
    }
    for (size_t i = 0; i < sizeof no / sizeof no[0]; i++) {
        fixture_use(world, no[i], NULL, NULL);
        assert_false(tide_convergence_can_measure(world, why, sizeof why));
        assert_non_null(strstr(why, no[i]));
    }
    fixture_use(world, "local_global", "damping.stiffness", "0.01");
    assert_false(tide_convergence_can_measure(world, why, sizeof why));
    tide_world_destroy(world);
}

// The probe in its thread comes to the same, and the world it looks at does not know of it.
static void test_probe_leaves_the_world_alone(void **state)
{
    (void)state;
    tide_world *world = fixture_curtain(9, NULL), *twin = fixture_curtain(9, NULL);
    fixture_use(world, "local_global", "iterations", "2");
    fixture_use(twin, "local_global", "iterations", "2");
    fixture_step(world, 5);
    fixture_step(twin, 5);
    tide_convergence expected = measured(twin), found;
    tide_convergence_probe *probe;
    assert_ok(tide_convergence_probe_create(&probe, &error), error);
    assert_false(tide_convergence_probe_result(probe, &found));
    assert_ok(tide_convergence_probe_ask(probe, world, 10, &error), error);
    for (int i = 0; i < 40; i++) { // it steps on meanwhile
        fixture_step(world, 1);
        fixture_step(twin, 1);
        assert_ok(tide_convergence_probe_ask(probe, world, 10.5, &error), error); // too soon: none begins
    }
    while (!tide_convergence_probe_result(probe, &found))
        sched_yield();
    assert_false(tide_convergence_probe_is_busy(probe));
    if (found.reached) // its time is limited
        assert_near(found.error, expected.error, 1e-6);
    else
        assert_true(found.error < expected.error + 1e-6);
    assert_true(isnan(found.effective) == isnan(expected.effective));
    assert_int_equal(found.frame, 5);
    assert_int_equal(fixture_hash(world), fixture_hash(twin));
    assert_ok(tide_convergence_probe_ask(probe, world, 20, &error), error);
    tide_convergence_probe_forget(probe);
    assert_false(tide_convergence_probe_result(probe, &found));
    tide_convergence_probe_destroy(probe); // while it measures
    tide_world_destroy(world);
    tide_world_destroy(twin);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_error_is_that_of_the_paper),
    cmocka_unit_test(test_more_iterations_leave_less),
    cmocka_unit_test(test_softness_is_what_is_seen),
    cmocka_unit_test(test_what_is_not_measured),
    cmocka_unit_test(test_stiff_cloth),
    cmocka_unit_test(test_probe_leaves_the_world_alone),
};
TIDE_TEST_SUITE(session_convergence_probe, tests)
