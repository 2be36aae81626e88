// Damping of a body's deformation, which leaves its rigid motion; and what a step is given.
#include "world/fixture.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/vec3.h"

#include <math.h>
#include <string.h>

static tide_error error;

typedef struct momenta {
    tide_vec3 linear, angular; // about the origin
    double kinetic;
} momenta;

static momenta momenta_of(const tide_system *system, const double *x, const double *v)
{
    momenta sum = { 0 };
    for (uint32_t row = 0; row < system->free_count; row++) {
        uint32_t p = system->free_particles[row];
        tide_vec3 at = tide_vec3_load(x + 3 * p), speed = tide_vec3_load(v + 3 * p);
        sum.linear = tide_vec3_add(sum.linear, tide_vec3_scale(speed, system->masses[p]));
        sum.angular = tide_vec3_add(sum.angular, tide_vec3_scale(tide_vec3_cross(at, speed), system->masses[p]));
        sum.kinetic += 0.5 * system->masses[p] * tide_vec3_dot(speed, speed);
    }
    return sum;
}

static void assert_same_momenta(momenta a, momenta b, double tolerance)
{
    assert_near(a.linear.x, b.linear.x, tolerance);
    assert_near(a.linear.y, b.linear.y, tolerance);
    assert_near(a.linear.z, b.linear.z, tolerance);
    assert_near(a.angular.x, b.angular.x, tolerance);
    assert_near(a.angular.y, b.angular.y, tolerance);
    assert_near(a.angular.z, b.angular.z, tolerance);
}

static double spread(tide_random *random)
{
    return 2 * tide_random_uniform(random) - 1;
}

// A body of points at random, or on a line, or all in one place.
enum { CLOUD, LINE, ONE_PLACE, SHAPES };

static void hear_nothing(tide_log_level level, const char *message, void *context)
{
    (void)level, (void)message, (void)context;
}

static tide_world *cloud(int shape, uint32_t count, double deformation_drag, tide_body_id *id)
{
    double vertices[3 * 40], masses[40];
    tide_random random = tide_random_seed(7);
    for (uint32_t p = 0; p < count; p++) {
        double along = spread(&random);
        for (uint32_t k = 0; k < 3; k++)
            vertices[3 * p + k] = 2 + (shape == CLOUD ? spread(&random) : shape == LINE ? along * (k + 1) : 0);
        masses[p] = 0.5 + tide_random_uniform(&random);
    }
    const tide_mesh *mesh = fixture_points(count, vertices);
    tide_world_settings settings = { .timestep = 0.1, .deformation_drag = deformation_drag };
    tide_world *world = fixture_world(&settings, NULL);
    tide_body_def def = tide_body_def_default();
    def.name = "cloud";
    def.mesh = mesh;
    def.masses = masses;
    def.masses_count = count;
    tide_log_set_sink(hear_nothing, NULL); // the mesh doctor on vertices in one place
    assert_ok(tide_world_add_body(world, &def, id, &error), error);
    tide_log_set_sink(NULL, NULL);
    tide_mesh_release(mesh);
    return world;
}

static void shake(tide_world *world, tide_body_id id, uint32_t count)
{
    tide_random random = tide_random_seed(11);
    for (uint32_t i = 0; i < 3 * count; i++)
        tide_world_velocities(world, id)[i] = 3 * spread(&random);
}

static tide_step inputs_of(tide_world *world)
{
    tide_step step;
    assert_ok(tide_world_inputs(world, &step, &error), error);
    return step;
}

static void test_momenta_stay_and_energy_falls(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPES; shape++)
        for (uint32_t count = 1; count <= 40; count += count < 4 ? 1 : 12) {
            tide_body_id id;
            tide_world *world = cloud(shape, count, 6, &id);
            shake(world, id, count);
            tide_step step = inputs_of(world);
            momenta before = momenta_of(step.system, step.q, tide_world_velocities(world, id));
            momenta after = momenta_of(step.system, step.q, step.velocity);
            assert_same_momenta(before, after, 1e-12);
            assert_true(after.kinetic <= before.kinetic * (1 + 1e-14));
            assert_true(count < 3 || after.kinetic < 0.9 * before.kinetic);
            assert_true(step.undamped == tide_world_all_velocities(world));
            tide_world_destroy(world);
        }
}

static void test_rigid_motion_stays(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPES; shape++) {
        tide_body_id id;
        tide_world *world = cloud(shape, 30, 6, &id);
        double *v = tide_world_velocities(world, id), *x = tide_world_positions(world, id);
        for (uint32_t p = 0; p < 30; p++)
            tide_vec3_store(v + 3 * p,
                            tide_vec3_add((tide_vec3) { 1, -2, 3 },
                                          tide_vec3_cross((tide_vec3) { 0.3, 0.7, -0.4 }, tide_vec3_load(x + 3 * p))));
        tide_step step = inputs_of(world);
        for (uint32_t i = 0; i < 90; i++)
            assert_near(step.velocity[i], v[i], 4e-14);
        tide_world_destroy(world);
    }
}

// The fading depends on the time alone, and is that of the formula; drag comes before it.
static void test_two_ends_of_a_line_fade_as_they_should(void **state)
{
    (void)state;
    const tide_mesh *mesh = fixture_points(2, (double[6]) { 0, 0, 0, 1, 0, 0 });
    tide_world_settings settings = { .timestep = 0.25, .drag = 2, .deformation_drag = 3 };
    tide_world *world = fixture_world(&settings, NULL);
    tide_body_def def = tide_body_def_default();
    def.name = "pair";
    def.mesh = mesh;
    tide_body_id id;
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    tide_mesh_release(mesh);
    double *v = tide_world_velocities(world, id);
    v[0] = -1; // apart
    v[3] = 1;
    v[1] = -5; // turning
    v[4] = 5;
    tide_step step = inputs_of(world);
    assert_near(step.velocity[3], exp(-2 * 0.25) * exp(-3 * 0.25), 1e-15);
    assert_near(step.velocity[4], exp(-2 * 0.25) * 5, 1e-14);
    tide_world_destroy(world);
}

static void test_pinned_particles_are_left_out(void **state)
{
    (void)state;
    tide_body_id id;
    tide_world *world = cloud(CLOUD, 20, 6, &id);
    shake(world, id, 20);
    for (uint32_t p = 0; p < 20; p += 3)
        assert_ok(tide_world_pin(world, id, p, TIDE_NOT_GIVEN, &error), error);
    tide_step step = inputs_of(world);
    const double *v = tide_world_velocities(world, id);
    assert_same_momenta(momenta_of(step.system, step.q, v), momenta_of(step.system, step.q, step.velocity), 1e-12);
    for (uint32_t p = 0; p < 20; p += 3)
        assert_memory_equal(step.velocity + 3 * p, v + 3 * p, 3 * sizeof *v);
    for (uint32_t p = 0; p < 20; p++)
        assert_ok(tide_world_pin(world, id, p, TIDE_NOT_GIVEN, &error), error);
    step = inputs_of(world);
    assert_memory_equal(step.velocity, v, 60 * sizeof *v);
    tide_world_destroy(world);
}

static void test_bodies_are_damped_each_for_itself(void **state)
{
    (void)state;
    tide_body_id first, second;
    tide_world *world = cloud(CLOUD, 20, 50, &first);
    const tide_mesh *mesh = fixture_points(1, (double[3]) { 9, 9, 9 });
    tide_body_def def = tide_body_def_default();
    def.name = "grain";
    def.mesh = mesh;
    assert_ok(tide_world_add_body(world, &def, &second, &error), error);
    tide_mesh_release(mesh);
    shake(world, first, 20);
    tide_world_velocities(world, second)[1] = 8;
    tide_step step = inputs_of(world);
    assert_near(step.velocity[61], 8, 0);
    assert_near(step.velocity[60], 0, 0);
    tide_world_destroy(world);
}

static void test_no_deformation_drag_changes_no_bit(void **state)
{
    (void)state;
    tide_body_id id;
    tide_world *world = cloud(CLOUD, 20, 0, &id);
    shake(world, id, 20);
    tide_step step = inputs_of(world);
    assert_memory_equal(step.velocity, tide_world_velocities(world, id), 60 * sizeof(double));
    tide_world_destroy(world);
}

static void test_damped_steps_allocate_nothing_and_lose_energy(void **state)
{
    (void)state;
    double kept[2];
    for (int damped = 0; damped < 2; damped++) {
        tide_world *world = fixture_curtain(9, NULL);
        tide_world_settings settings = *tide_world_get_settings(world);
        settings.deformation_drag = damped ? 4 : 0;
        assert_ok(tide_world_set_settings(world, &settings, &error), error);
        fixture_step(world, 2);
        uint64_t before = tide_memory_count().allocations;
        fixture_step(world, 60);
        assert_int_equal(tide_memory_count().allocations, before);
        tide_energy energy;
        assert_ok(tide_world_energy(world, &energy, &error), error);
        kept[damped] = energy.total;
        tide_world_destroy(world);
    }
    assert_true(kept[1] < kept[0]);
}

static void test_nonsense_is_refused(void **state)
{
    (void)state;
    tide_world *world = fixture_world(NULL, NULL);
    tide_world_settings settings = *tide_world_get_settings(world);
    settings.deformation_drag = -1;
    assert_fails(tide_world_set_settings(world, &settings, &error), error, "deformation_drag = -1");
    settings.deformation_drag = NAN;
    assert_fails(tide_world_set_settings(world, &settings, &error), error, "deformation_drag");
    tide_world_destroy(world);
}

// --- what a step is given --------------------------------------------------------------------------------------------

static void test_the_prediction_is_what_a_step_minimises_from(void **state)
{
    (void)state;
    tide_world *world = fixture_curtain(9, NULL);
    tide_body_id id = tide_world_find_body(world, "curtain");
    tide_world_settings settings = *tide_world_get_settings(world);
    settings.drag = 0.5;
    settings.deformation_drag = 0.5;
    assert_ok(tide_world_set_settings(world, &settings, &error), error);
    fixture_step(world, 5);
    assert_ok(tide_world_move_pin(world, id, 0, (double[3]) { 0.1, 0.2, 0.3 }, &error), error);
    assert_ok(tide_world_add_force(world, id, 40, (double[3]) { 1, 2, 3 }, &error), error);
    uint64_t before = fixture_hash(world);
    double y[243], gradient[243], h = settings.timestep;
    assert_ok(tide_world_predict(world, y, &error), error);
    tide_step step = inputs_of(world);
    assert_int_equal(fixture_hash(world), before);
    assert_null(step.x);
    assert_near(step.h, h, 0);
    for (uint32_t i = 0; i < 3; i++) {
        assert_near(y[i], 0.1 * (i + 1), 1e-15);
        size_t j = 3 * 40 + i;
        double force = i + 1.0 + step.system->masses[40] * settings.gravity[i];
        assert_near(y[j], step.q[j] + h * step.velocity[j] + h * h * force / step.system->masses[40], 1e-15);
    }
    // The step from there, iterated to its end, is where the gradient of g is 0.
    fixture_use(world, "local_global", "iterations", "5000");
    tide_system_objective_gradient(step.system, h, y, step.q, gradient);
    double initial = tide_system_norm(step.system, gradient);
    const tide_system *system;
    fixture_step(world, 1);
    assert_ok(tide_world_system(world, &system, &error), error);
    tide_system_objective_gradient(system, h, y, tide_world_all_positions(world), gradient);
    assert_true(tide_system_norm(system, gradient) < 1e-9 * initial);
    assert_near(tide_system_objective(system, h, y, tide_world_all_positions(world)), tide_world_report(world)->g,
                1e-12);
    tide_world_destroy(world);
}

static void test_inputs_of_a_bad_state_are_refused(void **state)
{
    (void)state;
    tide_world *world = fixture_curtain(5, NULL);
    tide_body_id id = tide_world_find_body(world, "curtain");
    double y[75];
    tide_world_positions(world, id)[3 * 6 + 1] = NAN;
    assert_fails(tide_world_predict(world, y, &error), error, "vertex = 7: its position is not within 1e9 m");
    tide_world_destroy(world);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_momenta_stay_and_energy_falls),
    cmocka_unit_test(test_rigid_motion_stays),
    cmocka_unit_test(test_two_ends_of_a_line_fade_as_they_should),
    cmocka_unit_test(test_pinned_particles_are_left_out),
    cmocka_unit_test(test_bodies_are_damped_each_for_itself),
    cmocka_unit_test(test_no_deformation_drag_changes_no_bit),
    cmocka_unit_test(test_damped_steps_allocate_nothing_and_lose_energy),
    cmocka_unit_test(test_nonsense_is_refused),
    cmocka_unit_test(test_the_prediction_is_what_a_step_minimises_from),
    cmocka_unit_test(test_inputs_of_a_bad_state_are_refused),
};
TIDE_TEST_SUITE(world_drag, tests)
