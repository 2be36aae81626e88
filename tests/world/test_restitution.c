// Bounces: of particles, of bodies as a whole, of bodies off one another, and that they gain nothing.
#include "world/collider_state.h"
#include "world/contact_scenes.h"

static tide_error error;

static const char *const compliant[] = { "local_global", "lbfgs", "newton", "semi_implicit", "imex", "bdf2" };
enum { COMPLIANT = sizeof compliant / sizeof compliant[0] };

static void set_bounce(tide_world *world, tide_collider_id id, double restitution)
{
    tide_collider_values values = { 0.3, restitution, 0 };
    assert_ok(tide_world_set_collider_values(world, id, &values, &error), error);
}

// 0.5 kg, 0.2 m wide.
static tide_body_id add_block(tide_world *world, const char *name, double stiffness, double restitution,
                              double friction, double turn, const double at[3])
{
    tide_body_def def = scene_body(0.5, stiffness, TIDE_NOT_GIVEN);
    def.restitution = restitution;
    def.friction = friction;
    def.thickness = 0.002;
    tide_mesh *mesh = scene_box_mesh((double[3]) { 0.2, 0.1, 0.2 }, (double[3]) { 3, 2, 3 });
    scene_turn_mesh(&mesh, (double[3]) { 0.6, 0, 0.8 }, turn);
    scene_move_mesh(&mesh, at);
    return scene_add(world, &def, name, mesh);
}

static double speed_of(tide_world *world, tide_body_id id, int axis)
{
    double mean[3];
    scene_mean(tide_world_velocities(world, id), scene_size(world, id), mean);
    return mean[axis];
}

static void test_a_particle_rises_to_the_square_of_restitution(void **state)
{
    (void)state;
    static const char *const solvers[] = { "local_global", "lbfgs", "newton", "semi_implicit",     "imex", "bdf2",
                                           "vbd",          "xpbd",  "pbd",    "implicit_midpoint", "rk4" };
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++)
        for (double e = 0.5; e <= 1; e += 0.25) {
            if (tide_test_skips(2))
                continue;
            double h = 1.0 / 240, top = 0;
            bool met = false;
            tide_world *world = scene_world(h, 9.81);
            tide_body_id id = scene_points(world, "point", 1, (double[3]) { 0, 0.6, 0 }, 0.1, 0);
            set_bounce(world, scene_plane(world, "ground", 0, 0.3), e);
            scene_use(world, solvers[s], "");
            for (int n = 0; n < 168; n++) {
                fixture_step(world, 1);
                met |= tide_world_velocities(world, id)[1] > 0;
                top = met ? fmax(top, tide_world_positions(world, id)[1]) : 0;
            }
            if (!(fabs(top / (0.6 * e * e) - 1) < 0.05))
                fail_msg("%s, restitution %g: rose to %g of %g", solvers[s], e, top, 0.6 * e * e);
            tide_world_destroy(world);
        }
}

// Returns the fraction of its energy that a body thrown at the ground, flat or tilted, keeps.
static void check_throw(const char *solver, double h, double stiffness, double e, double turn)
{
    tide_world *world = scene_world(h, 0);
    tide_body_id id = add_block(world, "block", stiffness, e, 0, turn, (double[3]) { 0, 0.25, 0 });
    set_bounce(world, scene_plane(world, "ground", 0, 0.3), e);
    scene_use(world, solver, "");
    scene_throw(world, id, (double[3]) { 0, -3, 0 });
    double before = scene_energy(world);
    fixture_step(world, (int)(0.25 / h));
    double after = scene_energy(world) / before, speed = speed_of(world, id, 1) / 3;
    if (!(after <= 1.02))
        fail_msg("%s, h %g, %g N/m, restitution %g, turned %g: energy goes to %g", solver, h, stiffness, e, turn,
                 after);
    if (stiffness > 1e6 && turn == 0 && !(fabs(speed - e) < 0.05))
        fail_msg("%s, h %g, restitution %g: leaves at %g of its speed", solver, h, e, speed);
    tide_world_destroy(world);
}

static void test_a_body_bounces_as_a_whole_and_gains_nothing(void **state)
{
    (void)state;
    for (size_t s = 0; s < COMPLIANT; s++)
        for (double e = 0.5; e <= 1; e += 0.25)
            for (int way = 0; way < 8; way++)
                if (!tide_test_skips(7))
                    check_throw(compliant[s], way % 2 ? 1.0 / 60 : 1.0 / 240, way / 2 % 2 ? 3e6 : 3e3, e,
                                way / 4 * 0.4);
}

static void check_meeting(const char *solver, double h, double stiffness, double e)
{
    tide_world *world = scene_world(h, 0);
    tide_body_id a = add_block(world, "a", stiffness, e, 0, 0.4, (double[3]) { 0, 0, 0 });
    tide_body_id b = add_block(world, "b", stiffness, e, 0, 1, (double[3]) { 0.02, 0.3, 0.01 });
    scene_use(world, solver, "");
    scene_throw(world, a, (double[3]) { 0, 1.5, 0 });
    scene_throw(world, b, (double[3]) { 0, -1.5, 0 });
    double before = scene_energy(world);
    fixture_step(world, (int)(0.25 / h));
    double after = scene_energy(world) / before;
    if (!(after <= 1.02))
        fail_msg("%s, h %g, %g N/m, restitution %g: energy goes to %g", solver, h, stiffness, e, after);
    tide_world_destroy(world);
}

static void test_bodies_that_meet_gain_nothing(void **state)
{
    (void)state;
    for (size_t s = 0; s + 1 < COMPLIANT; s++) // bdf2 takes more iterations than its 20 where what is stiff tumbles
        for (double e = 0.5; e <= 1; e += 0.25)
            for (int way = 0; way < 4; way++)
                if (!tide_test_skips(7))
                    check_meeting(compliant[s], way % 2 ? 1.0 / 60 : 1.0 / 240, way / 2 ? 3e6 : 3e3, e);
}

// Newton's law for all impacts at once: the first goes back at 3/5 of its speed, the others on together at 2/5.
static void test_a_row_of_balls_passes_the_push_on(void **state)
{
    (void)state;
    for (size_t s = 0; s < COMPLIANT; s++) {
        tide_world *world = scene_world(1.0 / 240, 0);
        tide_body_id balls[5];
        for (int i = 0; i < 5; i++) {
            const char *const names[] = { "a", "b", "c", "d", "e" };
            tide_body_def def = scene_body(0.1, TIDE_NOT_GIVEN, TIDE_NOT_GIVEN);
            double x = i ? 0.1 * i : -0.05;
            tide_mesh_parts parts = { .vertex_count = 1, .vertices = (double[3]) { x, 0, 0 } };
            tide_mesh *mesh;
            assert_ok(tide_mesh_create(&parts, &mesh, &error), error);
            def.thickness = 0.1;
            def.restitution = 1;
            balls[i] = scene_add(world, &def, names[i], mesh);
        }
        scene_use(world, compliant[s], "");
        scene_throw(world, balls[0], (double[3]) { 1, 0, 0 });
        fixture_step(world, 72);
        double energy = scene_energy(world) / 0.05;
        for (int i = 0; i < 5; i++)
            if (fabs(speed_of(world, balls[i], 0) - (i ? 0.4 : -0.6)) > 0.02)
                fail_msg("%s: ball %d leaves at %g m/s", compliant[s], i, speed_of(world, balls[i], 0));
        if (!(energy > 0.97 && energy < 1.0001))
            fail_msg("%s: %g of the energy is left", compliant[s], energy);
        tide_world_destroy(world);
    }
}

// Eight tetrahedra about a middle, corners towards one another along x.
static tide_body_id add_octahedron(tide_world *world, const char *name, double restitution, double x)
{
    static const uint32_t tetrahedra[] = { 0, 1, 3, 5, 0, 3, 2, 5, 0, 2, 4, 5, 0, 4, 1, 5,
                                           0, 3, 1, 6, 0, 2, 3, 6, 0, 4, 2, 6, 0, 1, 4, 6 };
    double vertices[21] = { 0 };
    for (uint32_t i = 1; i < 7; i++)
        vertices[3 * i + (i - 1) / 2] = i % 2 ? 0.1 : -0.1;
    tide_mesh_parts parts = {
        .vertex_count = 7, .vertices = vertices, .tetrahedron_count = 8, .tetrahedra = tetrahedra
    };
    tide_mesh *mesh;
    assert_ok(tide_mesh_create(&parts, &mesh, &error), error);
    scene_move_mesh(&mesh, (double[3]) { x, 0, 0 });
    tide_body_def def = scene_body(0.1, 1e5, TIDE_NOT_GIVEN);
    def.friction = 0;
    def.restitution = restitution;
    return scene_add(world, &def, name, mesh);
}

static void check_row_of_solids(const char *solver, const char *options, double h, double e)
{
    static const char *const names[] = { "a", "b", "c", "d", "e" };
    tide_world *world = scene_world(h, 0);
    tide_body_id solids[5];
    double momentum = 0;
    for (int i = 0; i < 5; i++)
        solids[i] = add_octahedron(world, names[i], e, i ? 0.235 * i : -0.05);
    scene_use(world, solver, options);
    scene_throw(world, solids[0], (double[3]) { 1, 0, 0 });
    fixture_step(world, (int)(0.5 / h));
    for (int i = 0; i < 5; i++)
        momentum += speed_of(world, solids[i], 0);
    double energy = scene_energy(world) / 0.05, last = speed_of(world, solids[4], 0);
    if (!(energy < 1.001 && fabs(momentum - 1) < 1e-3 && last > 0.15))
        fail_msg("%s %s, h %g, restitution %g: energy goes to %g, momentum to %g, the last to %g m/s", solver, options,
                 h, e, energy, momentum, last);
    tide_world_destroy(world);
}

// Corners that come head on to corners, between which no face is.
static void test_a_row_of_solids_gains_nothing(void **state)
{
    (void)state;
    static const char *const solvers[][2] = { { "local_global", "" }, { "local_global", "acceleration=anderson" },
                                              { "lbfgs", "" },        { "newton", "" },
                                              { "nonlinear_cg", "" }, { "semi_implicit", "" },
                                              { "imex", "" },         { "bdf2", "" } };
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++)
        for (int way = 0; way < 12; way++)
            if (!tide_test_skips(5))
                check_row_of_solids(solvers[s][0], solvers[s][1], 1 / (60 * pow(4, way % 3)),
                                    (double[4]) { 0, 0.5, 0.8, 1 }[way / 3]);
}

static void test_what_bounces_comes_to_rest(void **state)
{
    (void)state;
    static const char *const names[] = { "lower", "middle", "upper" };
    tide_world *world = scene_world(1.0 / 60, 9.81);
    for (int i = 0; i < 3; i++) {
        tide_body_def def = scene_body(0.1, 100, TIDE_NOT_GIVEN);
        def.restitution = 0.5;
        def.thickness = 0.01;
        tide_mesh *mesh = scene_cloth_mesh(8, 0.4);
        scene_move_mesh(&mesh, (double[3]) { 0, 0.07 + 0.05 * i, 0 });
        scene_add(world, &def, names[i], mesh);
    }
    set_bounce(world, scene_plane(world, "ground", 0, 0.3), 0.5);
    scene_use(world, "local_global", "");
    const uint32_t steps = tide_test_count(180, 40); // after 40 steps all have bounced, and none is at rest
    fixture_step(world, (int)steps);
    if (steps == 180 && !(scene_kinetic(world) < 1e-6))
        fail_msg("%g J are left", scene_kinetic(world));
    tide_world_destroy(world);
}

static void test_a_bounce_is_the_same_for_threads_forks_and_going_back(void **state)
{
    (void)state;
    for (size_t s = 0; s < 3; s++) {
        uint64_t hash[2];
        for (int way = 0; way < 2; way++) {
            tide_set_threads(way ? 3 : 1);
            tide_world *world = scene_world(1.0 / 120, 9.81), *fork;
            add_block(world, "block", 3e4, 0.8, 0.5, 0.3, (double[3]) { 0, 0.2, 0 });
            add_block(world, "upper", 3e3, 0.8, 0.5, 0.2, (double[3]) { 0.01, 0.4, 0 });
            set_bounce(world, scene_plane(world, "ground", 0, 0.3), 0.8);
            scene_use(world, compliant[s], "");
            fixture_step(world, 15); // the lower one has just left the ground, and meets the upper
            tide_snapshot *snapshot;
            assert_ok(tide_world_snapshot(world, &snapshot, &error), error);
            assert_ok(tide_world_fork(world, &fork, &error), error);
            fixture_step(world, 40);
            hash[way] = fixture_hash(world);
            fixture_step(fork, 40);
            assert_int_equal(fixture_hash(fork), hash[way]);
            assert_ok(tide_world_restore(world, snapshot, &error), error);
            fixture_step(world, 40);
            assert_int_equal(fixture_hash(world), hash[way]);
            tide_snapshot_destroy(snapshot);
            tide_world_destroy(fork);
            tide_world_destroy(world);
        }
        tide_set_threads(1);
        assert_int_equal(hash[0], hash[1]);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_particle_rises_to_the_square_of_restitution),
    cmocka_unit_test(test_a_body_bounces_as_a_whole_and_gains_nothing),
    cmocka_unit_test(test_bodies_that_meet_gain_nothing),
    cmocka_unit_test(test_a_row_of_balls_passes_the_push_on),
    cmocka_unit_test(test_a_row_of_solids_gains_nothing),
    cmocka_unit_test(test_what_bounces_comes_to_rest),
    cmocka_unit_test(test_a_bounce_is_the_same_for_threads_forks_and_going_back),
};
TIDE_TEST_SUITE(restitution, tests)
