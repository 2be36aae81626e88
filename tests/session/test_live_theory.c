// The explanation of a failed step: one mass on one spring, whose theory takes two lines.
#include "live_scenes.h"

#include <math.h>

static const char *write_mass(const char *name, const char *solver)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", tide_test_folder(), name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    // k = 10 kN/m, m = 1 kg: k0 = 1e4 1/s^2, a period of 2 pi / 100 s
    fprintf(
        file,
        "local tide = require 'springtide'\n"
        "local scene = tide.scene { timestep = 1/30, solver = { %s } }\n"
        "local rope = scene:body('rope', { mesh = tide.mesh.strand { points = 2, from = { 0, 0, 0 }, to = { 0, -1, 0 "
        "} }, mass = 2, stiffness = 1e4 })\n"
        "rope:pin { 1 }\n"
        "rope:set_velocity(2, 0, -3, 0)\n"
        "return scene\n",
        solver);
    assert_int_equal(fclose(file), 0);
    return path;
}

static void test_limits(void **state)
{
    (void)state;
    // Shinya 2005: h_max = sqrt(4 / k0) of verlet and symplectic_euler, sqrt(8 / k0) of rk4
    static const struct {
        const char *solver, *told;
    } known[] = {
        { "'verlet', substep = 1/30", "verlet is stable below 20 ms. Its steps are 33.3 ms." },
        { "'symplectic_euler', substep = 1/30", "symplectic_euler is stable below 20 ms. Its steps are 33.3 ms." },
        { "'rk4', substep = 1/30", "rk4 is stable below 28.3 ms. Its steps are 33.3 ms." },
        { "'explicit_euler', substep = 1/30", "without damping explicit_euler is stable at no timestep. Its steps are "
                                              "33.3 ms." },
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        tide_error error;
        tide_live *live = open_scene(write_mass("mass.lua", known[i].solver), 1 << 20);
        tide_status status = TIDE_OK;
        for (int f = 0; f < 200 && status == TIDE_OK; f++)
            status = tide_live_step(live, &error);
        const tide_failure *failure = tide_live_failure(live);
        assert_int_equal(failure->kind, TIDE_FAILURE_STEP);
        if (!strstr(failure->theory, known[i].told))
            fail_msg("%s", failure->theory);
        double period = 0;
        assert_int_equal(sscanf(strstr(failure->theory, "period of"), "period of %lf ms", &period), 1);
        assert_near(period, 2000 * 3.14159265358979 / 100, 0.2);
        assert_true(failure->has_vertex && failure->has_other);
        assert_int_equal(failure->vertex + failure->other, 1); // the spring
        tide_live_close(live);
    }
}

static void test_what_is_no_failure_of_numbers(void **state)
{
    (void)state;
    tide_error error;
    tide_live *live = open_scene(write_scene("stops.lua", "function scene.update() error('stop') end"), 1 << 20);
    assert_int_equal(tide_live_step(live, &error), TIDE_ERROR_SCRIPT);
    assert_string_equal(tide_live_failure(live)->theory, "");
    assert_false(tide_live_failure(live)->has_other);
    tide_live_close(live);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_limits),
    cmocka_unit_test(test_what_is_no_failure_of_numbers),
};
TIDE_TEST_SUITE(session_live_theory, tests)
