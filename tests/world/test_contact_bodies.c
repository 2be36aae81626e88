// Contact between bodies: momentum, bullets, bodies in one another, stacks.
#include "world/contact_scenes.h"

static tide_error error;

// --- momentum -------------------------------------------------------------------------------------------------------

enum { POINTS, CLOTH, SOLID, STRANDS, KINDS };
static const char *const kinds[] = { "points", "cloth", "solid", "strands" };

typedef struct collision {
    int first, second;
    bool rough; // with friction and restitution
    bool heavy; // the second 1000 times as heavy as the first
    bool grazing;
} collision;

static tide_mesh *mesh_of(int kind)
{
    double x[3 * 25] = { 0 };
    for (int i = 0; i < 25; i++) {
        x[3 * i] = 0.1 * (i % 5) - 0.2;
        x[3 * i + 2] = 0.1 * (i / 5) - 0.2;
    }
    tide_mesh *mesh;
    if (kind == POINTS) {
        tide_mesh_parts parts = { .vertex_count = 25, .vertices = x };
        assert_ok(tide_mesh_create(&parts, &mesh, &error), error);
        return mesh;
    }
    return kind == CLOTH   ? scene_cloth_mesh(6, 0.4)
           : kind == SOLID ? scene_box_mesh((double[3]) { 0.4, 0.1, 0.4 }, (double[3]) { 3, 1, 3 })
                           : scene_brush_mesh(4, 0.4, 4, 0.15);
}

// A body 0.4 m wide.
static tide_body_id add(tide_world *world, const char *name, int kind, const double at[3], double turn, double mass,
                        bool rough)
{
    tide_body_def def = scene_body(mass, 500 * mass, kind == SOLID || kind == POINTS ? TIDE_NOT_GIVEN : 20 * mass);
    tide_mesh *mesh = mesh_of(kind);
    if (kind == POINTS)
        def.stiffness = TIDE_NOT_GIVEN;
    if (kind == POINTS || kind == STRANDS)
        def.thickness = 0.07;
    scene_turn_mesh(&mesh, (double[3]) { 0, 1, 0 }, turn);
    scene_move_mesh(&mesh, at);
    def.friction = rough ? 0.5 : 0;
    def.restitution = rough ? 0.7 : 0;
    return scene_add(world, &def, name, mesh);
}

static void check_momentum(const char *solver, const char *options, const collision *c)
{
    tide_world *world = scene_world(1.0 / 120, 0);
    tide_body_id a = add(world, "a", c->first, (double[3]) { 0.013, 0, 0.007 }, 0.1, 1, c->rough);
    tide_body_id b =
        add(world, "b", c->second, (double[3]) { c->grazing ? -0.21 : 0, 0.3, 0 }, 0.4, c->heavy ? 1000 : 1, c->rough);
    scene_use(world, solver, options);
    scene_throw(world, a, (double[3]) { 0, 2, 0 });
    scene_throw(world, b, (double[3]) { c->grazing ? 2 : 0, -2, 0.1 });
    scene_momentum before = scene_momentum_of(world);
    uint32_t touches = 0;
    for (int n = 0; n < 20; n++) {
        uint32_t count;
        fixture_step(world, 1);
        tide_world_contacts(world, &count);
        touches += count;
        scene_momentum now = scene_momentum_of(world);
        // L-BFGS keeps what its global step keeps only as far as it converges.
        double limit = strcmp(solver, "lbfgs") == 0 ? 1e-6 : 1e-9;
        if (scene_apart(now.linear, before.linear) > limit * before.all)
            fail_msg("%s: %s on %s, rough %d, heavy %d, grazing %d: step %d changes %g of the momentum", solver,
                     kinds[c->first], kinds[c->second], c->rough, c->heavy, c->grazing, n,
                     scene_apart(now.linear, before.linear) / before.all);
    }
    if (touches == 0)
        fail_msg("%s: %s on %s never touched", solver, kinds[c->first], kinds[c->second]);
    tide_world_destroy(world);
}

// Without methods that gain energy unless damped, since damping changes momentum.
static void test_collisions_keep_the_momentum(void **state)
{
    (void)state;
    static const char *const solvers[][2] = { { "local_global", "" },
                                              { "newton", "" },
                                              { "lbfgs", "iterations=60" },
                                              { "nonlinear_cg", "iterations=60" },
                                              { "semi_implicit", "linear=cholesky" },
                                              { "imex", "" },
                                              { "bdf2", "" },
                                              { "implicit_midpoint", "" },
                                              { "vbd", "" },
                                              { "pbd", "" },
                                              { "xpbd", "" },
                                              { "symplectic_euler", "" },
                                              { "verlet", "" },
                                              { "rk4", "" },
                                              { "linearized_explicit", "" } };
    static const bool ways[][3] = { { false, false, false }, { true, false, true }, { true, true, false } };
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++)
        for (int a = 0; a < KINDS; a++)
            for (int b = a; b < KINDS; b++)
                for (int w = 0; w < 3; w++)
                    if (!tide_test_skips(7))
                        check_momentum(solvers[s][0], solvers[s][1],
                                       &(collision) { a, b, ways[w][0], ways[w][1], ways[w][2] });
}

static void test_three_bodies_keep_the_momentum(void **state)
{
    (void)state;
    static const char *const solvers[] = { "local_global", "newton", "xpbd", "symplectic_euler" };
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++) {
        tide_world *world = scene_world(1.0 / 120, 0);
        tide_body_id low = add(world, "low", SOLID, (double[3]) { 0 }, 0.1, 1, true);
        add(world, "middle", CLOTH, (double[3]) { 0.01, 0.1, 0.02 }, 0.3, 0.2, true);
        tide_body_id high = add(world, "high", STRANDS, (double[3]) { -0.1, 0.2, 0 }, 0.7, 3, true);
        scene_use(world, solvers[s], "");
        scene_throw(world, low, (double[3]) { 0, 3, 0 });
        scene_throw(world, high, (double[3]) { 1, -2, 0 });
        scene_momentum before = scene_momentum_of(world);
        fixture_step(world, 30);
        scene_momentum after = scene_momentum_of(world);
        assert_true(scene_apart(after.linear, before.linear) < 1e-9 * before.all);
        tide_world_destroy(world);
    }
}

// --- bullets --------------------------------------------------------------------------------------------------------

static void test_a_cloth_stops_a_bullet(void **state)
{
    (void)state;
    static const char *const solvers[] = { "local_global", "newton", "xpbd", "semi_implicit" };
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++) {
        tide_world *world = scene_world(1.0 / 30, 0);
        tide_body_def def = scene_body(20, 80, 5);
        tide_body_id cloth = scene_add(world, &def, "cloth", scene_cloth_mesh(20, 1));
        for (uint32_t i = 0; i < 4; i++)
            assert_ok(tide_world_pin(world, cloth, (uint32_t[]) { 0, 19, 380, 399 }[i], TIDE_NOT_GIVEN, &error), error);
        tide_body_id bullet = scene_points(world, "bullet", 1, (double[3]) { -0.216, 2, -0.2946 }, 0.001, 0);
        scene_use(world, solvers[s], "");
        scene_throw(world, bullet, (double[3]) { 0, -1000, 0 });
        fixture_step(world, 1);
        double at = tide_world_positions(world, bullet)[1], speed = tide_world_velocities(world, bullet)[1];
        if (!(at > -1 && fabs(speed) < 50))
            fail_msg("%s: the bullet is at %g m and goes on with %g m/s", solvers[s], at, speed);
        tide_world_destroy(world);
    }
}

// --- bodies in one another ------------------------------------------------------------------------------------------

static void part_and_check(tide_world *world, const char *solver, const char *what, double fastest)
{
    scene_use(world, solver, strcmp(solver, "semi_implicit") == 0 ? "linear=cholesky" : "");
    double most = 0; // of momentum, on the way: at the end nothing but rounding may move
    for (int n = 0; n < 30; n++) {
        fixture_step(world, 1);
        most = fmax(most, scene_momentum_of(world).all);
        if (!(scene_fastest(world) < fastest))
            fail_msg("%s: %s: %g m/s in step %d", solver, what, scene_fastest(world), n);
    }
    scene_momentum after = scene_momentum_of(world);
    double drift = hypot(hypot(after.linear[0], after.linear[1]), after.linear[2]);
    if (!(drift < 1e-9 * most))
        fail_msg("%s: %s: momentum %g of %g", solver, what, drift, most);
    tide_world_destroy(world);
}

static void test_bodies_that_overlap_at_first_separate_slowly(void **state)
{
    (void)state;
    static const char *const solvers[] = { "local_global", "newton", "xpbd", "semi_implicit" };
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++)
        for (int apart = 0; apart < 2; apart++) {
            tide_world *world = scene_world(1.0 / 30, 0);
            for (int i = 0; i < 2; i++) {
                tide_body_def def = scene_body(1, 80, 20);
                tide_mesh *mesh = scene_cloth_mesh(8, 1);
                scene_move_mesh(&mesh, (double[3]) { 0, 0.0005 * i, 0 });
                scene_add(world, &def, i ? "b" : "a", mesh);
            }
            part_and_check(world, solvers[s], "two cloths", 1);
            world = scene_world(1.0 / 30, 0);
            scene_points(world, "p", 2, (double[6]) { 0, 0, 0, 0.003 * apart, 0, 0 }, 2, 0.01);
            scene_points(world, "q", 1, (double[3]) { 0 }, 1, 0.01);
            part_and_check(world, solvers[s], "points", 1);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_collisions_keep_the_momentum),
    cmocka_unit_test(test_three_bodies_keep_the_momentum),
    cmocka_unit_test(test_a_cloth_stops_a_bullet),
    cmocka_unit_test(test_bodies_that_overlap_at_first_separate_slowly),
};
TIDE_TEST_SUITE(world_contact_bodies, tests)
