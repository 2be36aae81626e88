// Contact in a world: properties that hold under every solver.
#include "base/random.h"
#include "geometry/tetrahedralize.h"
#include "quiet.h"
#include "solver/every_method.h"
#include "world/fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static tide_error error;

static void use(tide_world *world, const char *name, const char *options)
{
    tide_solver *solver = stepping_solver(name, options);
    assert_ok(tide_world_set_solver(world, tide_solver_kind_of(solver), tide_solver_options(solver), &error), error);
    tide_solver_destroy(solver);
}

// --- scenes ---------------------------------------------------------------------------------------------------------

static tide_collider_id add_plane(tide_world *world, const char *name, double angle, double friction)
{
    tide_shape_plane_def plane;
    tide_shape_default(&tide_shape_plane, &plane);
    plane.normal[0] = sin(angle);
    plane.normal[1] = cos(angle);
    tide_collider_def def = tide_collider_def_default();
    def.name = name;
    def.shape = &tide_shape_plane;
    def.definition = &plane;
    def.friction = friction;
    tide_collider_id id;
    assert_ok(tide_world_add_collider(world, &def, &id, &error), error);
    return id;
}

static tide_collider_id add_sphere(tide_world *world, const char *name, const double at[3], double radius)
{
    tide_shape_sphere_def sphere;
    tide_shape_default(&tide_shape_sphere, &sphere);
    memcpy(sphere.position, at, sizeof sphere.position);
    sphere.radius = radius;
    tide_collider_def def = tide_collider_def_default();
    def.name = name;
    def.shape = &tide_shape_sphere;
    def.definition = &sphere;
    tide_collider_id id;
    assert_ok(tide_world_add_collider(world, &def, &id, &error), error);
    return id;
}

// Free particles, each 1 g.
static tide_body_id add_points(tide_world *world, const char *name, uint32_t count, const double *x)
{
    const tide_mesh *mesh = fixture_points(count, x);
    tide_body_def def = tide_body_def_default();
    def.name = name;
    def.mesh = mesh;
    def.mass = 0.001 * count;
    def.thickness = 0;
    tide_body_id id;
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    tide_mesh_release(mesh);
    return id;
}

static tide_mesh *make_block(bool stuffed)
{
    tide_mesh_box_def box = { .size = { 0.4, 0.2, 0.4 }, .cells = { 4, 2, 4 } };
    tide_mesh_tetrahedralize_def stuffing = { .cell = 0.1 };
    const tide_distance *distance;
    tide_mesh *block;
    if (!stuffed) {
        assert_ok(tide_mesh_box.build(&box, &block, &error), error);
        return block;
    }
    assert_ok(tide_distance_box(box.size, 0, &distance, &error), error);
    assert_ok(tide_mesh_tetrahedralize(distance, &stuffing, &block, &error), error);
    tide_distance_release(distance);
    return block;
}

// A block of 4 x 2 x 4 cells or of stuffed tetrahedra, 0.4 x 0.2 x 0.4 m, with its lower side on the plane through the
// origin at `angle`.
static tide_body_id add_block(tide_world *world, const char *name, bool stuffed, double angle, double above)
{
    tide_mesh *block = make_block(stuffed), *turned, *placed;
    assert_ok(tide_mesh_rotate(block, (double[3]) { 0, 0, 1 }, -angle, &turned, &error), error);
    double lift = 0.1 + above;
    assert_ok(tide_mesh_translate(turned, (double[3]) { lift * sin(angle), lift * cos(angle), 0 }, &placed, &error),
              error);
    tide_body_def def = tide_body_def_default();
    def.name = name;
    def.mesh = placed;
    def.mass = 1;
    def.stiffness = 2000;
    def.thickness = 0;
    tide_body_id id;
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    tide_mesh_release(block);
    tide_mesh_release(turned);
    tide_mesh_release(placed);
    return id;
}

static void centre_of(tide_world *world, tide_body_id id, double centre[3])
{
    tide_body_info info;
    tide_world_body_info(world, id, &info);
    const double *x = tide_world_positions(world, id);
    memset(centre, 0, 3 * sizeof *centre);
    for (uint32_t v = 0; v < info.vertex_count; v++)
        for (int k = 0; k < 3; k++)
            centre[k] += x[3 * v + (uint32_t)k] / info.vertex_count;
}

static double lowest_of(tide_world *world)
{
    double lowest = INFINITY;
    for (uint32_t p = 0; p < tide_world_particle_count(world); p++)
        lowest = fmin(lowest, tide_world_all_positions(world)[3 * (size_t)p + 1]);
    return lowest;
}

static double fastest_of(tide_world *world)
{
    double fastest = 0;
    for (uint32_t i = 0; i < 3 * tide_world_particle_count(world); i++)
        fastest = fmax(fastest, fabs(tide_world_all_velocities(world)[i]));
    return fastest;
}

// --- against colliders ----------------------------------------------------------------------------------------------

static void test_a_particle_comes_to_rest_on_a_plane_under_every_solver(void **state)
{
    (void)state;
    const tide_solver_kind *kind;
    for (uint32_t i = 0; (kind = tide_solver_kind_at(i)); i++) {
        tide_world *world = fixture_world(NULL, NULL);
        tide_body_id id = add_points(world, "point", 1, (double[3]) { 0, 0.5, 0 });
        add_plane(world, "ground", 0, 0.3);
        fixture_use(world, kind->name, NULL, NULL);
        double lowest = INFINITY;
        for (int n = 0; n < 60; n++) {
            fixture_step(world, 1);
            lowest = fmin(lowest, lowest_of(world));
        }
        // Forward Euler moves by the speed before: it has the speed of a step's fall in every other one.
        double slow = strcmp(kind->name, "explicit_euler") == 0 ? 9.81 / 30 + 1e-9 : 1e-9;
        if (!(lowest >= -1e-12) || fabs(tide_world_positions(world, id)[1]) > 1e-12 || fastest_of(world) > slow)
            fail_msg("%s: lowest %g, at %g, speed %g", kind->name, lowest, tide_world_positions(world, id)[1],
                     fastest_of(world));
        uint32_t count;
        const tide_contact *contacts = tide_world_contacts(world, &count);
        if (slow > 1e-9)
            count = 0;
        else if (count != 1 || fabs(contacts[0].force - 0.001 * 9.81) > 1e-9)
            fail_msg("%s: %u contacts, the first of %g N", kind->name, count, count ? contacts[0].force : 0);
        if (count)
            assert_near(contacts[0].normal[1], 1, 1e-12);
        tide_world_destroy(world);
    }
}

typedef struct slide {
    const char *name, *options;
    bool stuffed;
    double friction; // of the tangent of the slope's angle
} slide;

// Along the slope, m/s.
static double speed_down(tide_world *world, tide_body_id id, double angle)
{
    tide_body_info info;
    tide_world_body_info(world, id, &info);
    const double *v = tide_world_velocities(world, id);
    double speed = 0;
    for (uint32_t i = 0; i < info.vertex_count; i++)
        speed += (v[3 * i] * cos(angle) - v[3 * i + 1] * sin(angle)) / info.vertex_count;
    return speed;
}

// Two seconds for the block to sag under its own weight, as anything of springs does, under `sags`; then ten to lie or
// one to slide.
static void check_slide(const slide *s, const char *sags, const char *sags_options)
{
    const double angle = 0.4, h = 1.0 / 60;
    double friction = s->friction * tan(angle), before[3], after[3];
    bool holds = s->friction > 1;
    tide_world_settings settings = { .timestep = h, .gravity = { 0, -9.81, 0 } };
    tide_world *world = fixture_world(&settings, NULL);
    tide_body_id id = add_block(world, "block", s->stuffed, angle, 0);
    add_plane(world, "slope", angle, friction);
    use(world, sags, sags_options);
    fixture_step(world, 120);
    use(world, s->name, s->options);
    centre_of(world, id, before);
    double speed = speed_down(world, id, angle), expected = 9.81 * (sin(angle) - friction * cos(angle));
    fixture_step(world, holds ? 600 : 60);
    centre_of(world, id, after);
    double moved = hypot(after[0] - before[0], after[1] - before[1]);
    double gained = (speed_down(world, id, angle) - speed) / (60 * h);
    if (holds && !(moved < 1e-3))
        fail_msg("%s%s: slid by %g m in 10 s", s->name, s->stuffed ? ", stuffed" : "", moved);
    if (!holds && !(fabs(gained / expected - 1) < 0.05))
        fail_msg("%s%s: slides at %g m/s^2, expected %g", s->name, s->stuffed ? ", stuffed" : "", gained, expected);
    tide_world_destroy(world);
}

static void test_a_block_is_held_by_friction_above_the_tangent_and_slides_below(void **state)
{
    (void)state;
    // Dropped, an undamped method's block trembles without end, and what trembles creeps. explicit_euler's always does,
    // as it moves by the speed before.
    static const char *const solvers[][2] = {
        { "local_global", "" },
        { "newton", "" },
        { "lbfgs", "" },
        { "nonlinear_cg", "" },
        { "vbd", "" },
        { "pbd", "" },
        { "xpbd", "" },
        { "semi_implicit", "" },
        { "imex", "" },
        { "bdf2", "" },
        { "implicit_midpoint", "damping=rayleigh,damping.stiffness=1e-3" },
        { "linearized_explicit", "damping=rayleigh,damping.stiffness=1e-3" },
        { "symplectic_euler", "damping=rayleigh,damping.stiffness=1e-3" },
        { "verlet", "damping=auto" },
        { "midpoint", "damping=auto" },
        { "rk4", "damping=auto" },
    };
    for (size_t i = 0; i < sizeof solvers / sizeof solvers[0]; i++)
        for (int way = 0; way < 4; way++)
            if (!tide_test_skips(7))
                check_slide(&(slide) { solvers[i][0], solvers[i][1], way / 2, way % 2 ? 1.1 : 0.5 }, solvers[i][0],
                            solvers[i][1]);
}

// Once it lies still it needs no damping: those that have none of their own hold it, too.
static void test_a_block_at_rest_is_held_without_damping(void **state)
{
    (void)state;
    static const char *const solvers[] = { "bdf2", "implicit_midpoint", "symplectic_euler", "verlet", "rk4" };
    for (size_t i = 0; i < sizeof solvers / sizeof solvers[0]; i++)
        for (int way = 0; way < 4; way++)
            if (!tide_test_skips(7))
                check_slide(&(slide) { solvers[i], "", way / 2, way % 2 ? 1.1 : 0.5 }, "newton", "");
}

static void test_restitution_keeps_its_part_of_the_speed(void **state)
{
    (void)state;
    const tide_solver_kind *kind;
    for (uint32_t i = 0; (kind = tide_solver_kind_at(i)); i++) {
        tide_world_settings settings = { .timestep = 0.01 };
        tide_world *world = fixture_world(&settings, NULL); // without gravity
        tide_body_id id = add_points(world, "point", 1, (double[3]) { 0, 0.055, 0 });
        tide_collider_id ground = add_plane(world, "ground", 0, 0);
        ((tide_collider *)tide_world_collider(world, ground))->restitution = 0.5;
        fixture_use(world, kind->name, NULL, NULL);
        tide_world_velocities(world, id)[1] = -1;
        fixture_step(world, 20);
        if (fabs(tide_world_velocities(world, id)[1] - 0.5) > 1e-6)
            fail_msg("%s: left at %g m/s", kind->name, tide_world_velocities(world, id)[1]);
        tide_world_destroy(world);
    }
}

static void test_a_moving_collider_drags_what_touches_it(void **state)
{
    (void)state;
    tide_world *world = fixture_world(NULL, NULL);
    tide_body_id id = add_points(world, "point", 1, (double[3]) { 0, 0, 0 });
    tide_collider_id belt = add_plane(world, "belt", 0, 1);
    for (int n = 1; n <= 90; n++) {
        tide_pose pose = tide_pose_identity();
        pose.position[0] = n / 30.0;
        assert_ok(tide_world_move_collider(world, belt, &pose, &error), error);
        fixture_step(world, 1);
    }
    assert_near(tide_world_velocities(world, id)[0], 1, 1e-9);
    assert_near(tide_world_positions(world, id)[1], 0, 1e-12);
    tide_world_destroy(world);
}

static void test_an_initial_penetration_is_pushed_out_without_a_speed(void **state)
{
    (void)state;
    const tide_solver_kind *kind;
    for (uint32_t i = 0; (kind = tide_solver_kind_at(i)); i++) {
        tide_world_settings settings = { .timestep = 1.0 / 30 };
        tide_world *world = fixture_world(&settings, NULL);
        tide_body_id id = add_points(world, "point", 1, (double[3]) { 0.3, 0, 0 });
        add_sphere(world, "ball", (double[3]) { 0 }, 0.5);
        fixture_use(world, kind->name, NULL, NULL);
        fixture_step(world, 1);
        assert_near(tide_world_positions(world, id)[0], 0.5, 1e-9);
        if (fastest_of(world) > 1e-9)
            fail_msg("%s: leaves at %g m/s", kind->name, fastest_of(world));
        tide_world_destroy(world);
    }
}

static void test_a_bullet_does_not_pass_through_a_small_ball(void **state)
{
    (void)state;
    tide_world_settings settings = { .timestep = 1.0 / 30 };
    tide_world *world = fixture_world(&settings, NULL);
    tide_body_id id = add_points(world, "bullet", 1, (double[3]) { -5, 0.001, 0 });
    add_sphere(world, "ball", (double[3]) { 0 }, 0.02);
    tide_world_velocities(world, id)[0] = 1000;
    fixture_step(world, 1);
    assert_true(tide_world_positions(world, id)[0] <= 0);
    tide_world_destroy(world);
}

// Planes that close over a point like the blades of scissors: at half this angle, their friction (1) would hold it.
static void test_what_a_narrow_wedge_closes_over_goes_out_of_it(void **state)
{
    (void)state;
    const double half = 0.2, up = acos(0) - half;
    const tide_solver_kind *kind;
    for (uint32_t i = 0; (kind = tide_solver_kind_at(i)); i++) {
        tide_world_settings settings = { .timestep = 1.0 / 60 };
        tide_world *world = fixture_world(&settings, NULL);
        tide_body_id id = add_points(world, "point", 1, (double[3]) { 0.001, 0.05, 0 });
        tide_collider_id left = add_plane(world, "left", up, 1), right = add_plane(world, "right", -up, 1);
        fixture_use(world, kind->name, NULL, NULL);
        for (int n = 1; n <= 60; n++) {
            tide_pose to = tide_pose_identity();
            to.position[0] = 0.0005 * n;
            assert_ok(tide_world_move_collider(world, left, &to, &error), error);
            to.position[0] = -0.0005 * n;
            assert_ok(tide_world_move_collider(world, right, &to, &error), error);
            fixture_step(world, 1);
            const double *x = tide_world_positions(world, id);
            double gap = fmin(tide_collider_gap(tide_world_collider(world, left), 1, x, NULL),
                              tide_collider_gap(tide_world_collider(world, right), 1, x, NULL));
            if (gap < -1e-8)
                fail_msg("%s: step %d, %g m inside", kind->name, n, -gap);
        }
        tide_world_destroy(world);
    }
}

// Between planes that have gone past one another nothing is free.
static void test_what_has_no_room_is_as_deep_in_the_one_as_in_the_other(void **state)
{
    (void)state;
    tide_world_settings settings = { .timestep = 1.0 / 60 };
    tide_world *world = fixture_world(&settings, NULL);
    tide_body_id id = add_points(world, "point", 1, (double[3]) { 0.1, 0.004, 0.2 });
    tide_collider_id below = add_plane(world, "below", 0, 0.5), above = add_plane(world, "above", acos(-1), 0.5);
    tide_pose to = tide_pose_identity();
    for (int n = -10; n <= 10; n++) {
        to.position[1] = 0.001 * n;
        assert_ok(tide_world_move_collider(world, below, &to, &error), error);
        to.position[1] = n < 0 ? 0.01 : 0.01 - 0.001 * n;
        assert_ok(tide_world_move_collider(world, above, &to, &error), error);
        fixture_step(world, 1);
    }
    const double *x = tide_world_positions(world, id);
    double in_below = -tide_collider_gap(tide_world_collider(world, below), 1, x, NULL);
    double in_above = -tide_collider_gap(tide_world_collider(world, above), 1, x, NULL);
    assert_near(in_below, 0.005, 2e-5);
    assert_near(in_above, 0.005, 2e-5);
    assert_true(fastest_of(world) < 1);
    tide_world_destroy(world);
}

// --- state ----------------------------------------------------------------------------------------------------------

static void test_snapshots_and_forks_go_on_as_the_world_does(void **state)
{
    (void)state;
    static const char *const solvers[] = { "local_global", "newton", "xpbd", "verlet" };
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++) {
        tide_world *world = fixture_world(NULL, NULL), *fork;
        add_block(world, "block", false, 0.2, 0.05);
        tide_collider_id ball = add_sphere(world, "ball", (double[3]) { 0.1, -0.3, 0 }, 0.2);
        add_plane(world, "ground", 0.2, 0.4);
        fixture_use(world, solvers[s], NULL, NULL);
        fixture_step(world, 20);
        tide_pose pose = tide_world_collider(world, ball)->end;
        pose.position[1] += 0.02;
        assert_ok(tide_world_move_collider(world, ball, &pose, &error), error);
        tide_snapshot *snapshot;
        assert_ok(tide_world_snapshot(world, &snapshot, &error), error);
        assert_ok(tide_world_fork(world, &fork, &error), error);
        fixture_step(world, 20);
        fixture_step(fork, 20);
        uint64_t hash = fixture_hash(world);
        assert_int_equal(fixture_hash(fork), hash);
        assert_ok(tide_world_restore(world, snapshot, &error), error);
        fixture_step(world, 20);
        assert_int_equal(fixture_hash(world), hash);
        tide_snapshot_destroy(snapshot);
        tide_world_destroy(fork);
        tide_world_destroy(world);
    }
}

// --- warnings -------------------------------------------------------------------------------------------------------

typedef struct told {
    int count;
    char text[512];
} told;

static void note_squeeze(tide_log_level level, const char *message, void *context)
{
    told *t = context;
    (void)level;
    if (!strstr(message, "leave it no room"))
        return;
    t->count++;
    snprintf(t->text, sizeof t->text, "%s", message);
}

// A cloth between two colliders that are nearer than it is thick: told once, with their names.
static void test_squeezed_cloth_is_told(void **state)
{
    (void)state;
    for (int room = 0; room < 2; room++) {
        tide_world *world = fixture_world(&(tide_world_settings) { .timestep = 0.01 }, NULL);
        const tide_mesh *mesh = fixture_grid(6, 6);
        tide_body_def def = fixture_cloth("cloth", mesh);
        def.thickness = 0.01;
        tide_body_id id;
        assert_ok(tide_world_add_body(world, &def, &id, &error), error);
        add_plane(world, "floor", 0, 0.5);
        tide_shape_plane_def plane;
        tide_shape_default(&tide_shape_plane, &plane);
        plane.normal[1] = -1;
        plane.offset = room ? -0.03 : -0.004;
        tide_collider_def press = tide_collider_def_default();
        press.name = "press";
        press.shape = &tide_shape_plane;
        press.definition = &plane;
        tide_collider_id press_id;
        assert_ok(tide_world_add_collider(world, &press, &press_id, &error), error);
        double *x = tide_world_positions(world, id);
        for (uint32_t v = 0; v < mesh->vertex_count; v++)
            x[3 * v + 1] = room ? 0.015 : 0.002;
        told t = { 0 };
        tide_log_set_sink(note_squeeze, &t);
        for (int i = 0; i < 5; i++)
            assert_ok(tide_world_step(world, &error), error);
        tide_log_set_sink(quiet_sink, NULL);
        assert_int_equal(t.count, !room);
        if (!room) {
            assert_non_null(strstr(t.text, "body \"cloth\": colliders "));
            assert_true(strstr(t.text, "\"floor\"") && strstr(t.text, "\"press\""));
        }
        tide_mesh_release(mesh);
        tide_world_destroy(world);
    }
}

static const struct CMUnitTest tests[] = {
    quiet_test(test_squeezed_cloth_is_told),
    cmocka_unit_test(test_a_particle_comes_to_rest_on_a_plane_under_every_solver),
    cmocka_unit_test(test_a_block_is_held_by_friction_above_the_tangent_and_slides_below),
    cmocka_unit_test(test_a_block_at_rest_is_held_without_damping),
    cmocka_unit_test(test_restitution_keeps_its_part_of_the_speed),
    cmocka_unit_test(test_a_moving_collider_drags_what_touches_it),
    quiet_test(test_an_initial_penetration_is_pushed_out_without_a_speed),
    cmocka_unit_test(test_a_bullet_does_not_pass_through_a_small_ball),
    cmocka_unit_test(test_what_a_narrow_wedge_closes_over_goes_out_of_it),
    quiet_test(test_what_has_no_room_is_as_deep_in_the_one_as_in_the_other),
    cmocka_unit_test(test_snapshots_and_forks_go_on_as_the_world_does),
};
TIDE_TEST_SUITE(world_contact, tests)
