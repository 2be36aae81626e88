// Bodies shot at thin cloth, and a brush pressed down: nothing comes through, and what lies comes to rest.
#include "collision/brute_force.h"
#include "collision/proximity_state.h"
#include "contact/contacts_state.h"
#include "world/contact_scenes.h"
#include "world/world_state.h"

static tide_error error;

static uint64_t crossings_of(tide_world *world)
{
    tide_contact_surface *surface;
    const tide_system *system;
    assert_ok(tide_world_system(world, &system, &error), error);
    assert_ok(tide_world_make_surface(world, false, &surface, &error), error);
    uint64_t count = brute_find_crossings(surface, tide_world_all_positions(world)).count;
    tide_free(surface);
    return count;
}

static void use_drags(tide_world *world, double drag, double deformation_drag)
{
    tide_world_settings settings = *tide_world_get_settings(world);
    settings.drag = drag;
    settings.deformation_drag = deformation_drag;
    assert_ok(tide_world_set_settings(world, &settings, &error), error);
}

// --- bullets at a thin cloth ----------------------------------------------------------------------------------------

enum { PARTICLE, STRAND, PATCH, CUBE, BULLETS };
static const char *const bullets[] = { "particle", "strand", "patch of cloth", "cube" };

// A cloth of 1 m in the x-z plane, held around its border.
static tide_body_id add_net(tide_world *world)
{
    enum { SIDE = 14 };
    tide_body_def def = scene_body(0.2, 500, 20);
    def.self_collide = true;
    tide_body_id id = scene_add(world, &def, "net", scene_cloth_mesh(SIDE, 1));
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        if (i / SIDE == 0 || i / SIDE == SIDE - 1 || i % SIDE == 0 || i % SIDE == SIDE - 1)
            assert_ok(tide_world_pin(world, id, i, TIDE_NOT_GIVEN, &error), error);
    return id;
}

static tide_body_id add_bullet(tide_world *world, int kind, const double at[3], double turn)
{
    if (kind == PARTICLE)
        return scene_points(world, "bullet", 1, at, 0.001, 0);
    tide_body_def def = scene_body(0.01, 500, kind == CUBE ? TIDE_NOT_GIVEN : 20);
    tide_mesh *mesh = kind == STRAND  ? scene_strand_mesh(5, (double[3]) { -0.05, 0, 0 }, (double[3]) { 0.05, 0, 0 })
                      : kind == PATCH ? scene_cloth_mesh(5, 0.1)
                                      : scene_box_mesh((double[3]) { 0.08, 0.08, 0.08 }, (double[3]) { 2, 2, 2 });
    if (kind == STRAND)
        def.thickness = 0.002;
    scene_turn_mesh(&mesh, (double[3]) { 0.3, 0.2, 1 }, turn);
    scene_move_mesh(&mesh, at);
    return scene_add(world, &def, "bullet", mesh);
}

// Returns how often a ray upwards from a point meets the net and, outside of it, the plane in which it hangs. Odd:
// below.
static int count_above(const tide_mesh *net, const double *x, const double *p)
{
    int count = p[1] < 0 && fmax(fabs(p[0]), fabs(p[2])) > 0.5;
    for (uint32_t t = 0; t < net->triangle_count; t++) {
        const uint32_t *v = net->triangles + 3 * (size_t)t;
        double area[3], sum = 0, height = 0;
        for (int k = 0; k < 3; k++) {
            const double *a = x + 3 * v[(k + 1) % 3], *b = x + 3 * v[(k + 2) % 3];
            area[k] = (a[2] - p[2]) * (b[0] - p[0]) - (a[0] - p[0]) * (b[2] - p[2]);
            sum += area[k];
        }
        if (sum == 0 || area[0] * sum < 0 || area[1] * sum < 0 || area[2] * sum < 0)
            continue;
        for (int k = 0; k < 3; k++)
            height += area[k] / sum * x[3 * v[k] + 1];
        count += height > p[1];
    }
    return count;
}

static void shoot(int kind, bool from_below, const char *solver, double speed, double turn)
{
    tide_world *world = scene_world(1.0 / 60, 0);
    tide_body_id net = add_net(world);
    double up = from_below ? -1 : 1;
    tide_body_id bullet = add_bullet(world, kind, (double[3]) { 0.113, up * 0.9, -0.0871 }, turn);
    tide_body_info info, shot;
    tide_world_body_info(world, net, &info);
    tide_world_body_info(world, bullet, &shot);
    scene_continuous(world);
    scene_use(world, solver, "");
    scene_throw(world, bullet, (double[3]) { 0.05 * speed, -up * speed, 0.02 * speed });
    for (int n = 0; n < 6; n++) {
        fixture_step(world, 1);
        const double *x = tide_world_positions(world, net), *b = tide_world_positions(world, bullet);
        for (uint32_t i = 0; i < shot.vertex_count; i++) {
            bool inner = kind == CUBE && i == 13; // in the middle of the cube: it touches nothing
            bool beside =
                fmax(fabs(b[3 * i]), fabs(b[3 * i + 2])) > 0.5; // thrown past the border, which is no way through
            if (!inner && !beside && count_above(info.mesh, x, b + 3 * i) % 2 != from_below)
                fail_msg("%s: a %s of %g m/s, turned by %g, went through the net (vertex %u, step %d)", solver,
                         bullets[kind], speed, turn, i, n);
        }
        uint64_t crossings = crossings_of(world);
        if (crossings)
            fail_msg("%s: a %s of %g m/s, turned by %g: %llu crossings in step %d", solver, bullets[kind], speed, turn,
                     (unsigned long long)crossings, n);
    }
    tide_world_destroy(world);
}

static void test_thin_cloth_stops_what_is_shot_at_it(void **state)
{
    (void)state;
    static const char *const solvers[] = { "local_global", "xpbd", "semi_implicit" };
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++)
        for (int kind = 0; kind < BULLETS; kind++)
            for (int way = 0; way < 2; way++)
                if (!tide_test_skips(5))
                    shoot(kind, (way + (int)s) % 2, solvers[s], way ? 300 : 30, kind * 0.7 + way);
}

// --- rest -----------------------------------------------------------------------------------------------------------

typedef struct rest {
    double kinetic, moved,
        gap;       // at the end; how far anything went in the last second; the least gap of all frames
    double energy; // the most above the start, as a part of it
} rest;

static rest settle(tide_world *world, int steps, int last)
{
    rest r = { .gap = INFINITY, .energy = -INFINITY };
    double *before = NULL, start = scene_energy(world);
    for (int n = 0; n < steps; n++) {
        if (n == steps - last)
            before =
                tide_copy_bytes(tide_world_all_positions(world), 3 * tide_world_particle_count(world) * sizeof(double));
        fixture_step(world, 1);
        r.gap = fmin(r.gap, scene_least_gap(world));
        r.energy = fmax(r.energy, scene_energy(world) / start - 1);
    }
    for (uint32_t i = 0; i < 3 * tide_world_particle_count(world); i++)
        r.moved = fmax(r.moved, fabs(tide_world_all_positions(world)[i] - before[i]));
    r.kinetic = scene_kinetic(world);
    tide_free(before);
    return r;
}

static const char *const resting[] = { "local_global", "xpbd", "semi_implicit" };

// Strands on a handle that goes down by 0.3 of their length onto a table, and stays there for 3 s.
static void test_a_brush_pressed_on_a_table_rests(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof resting / sizeof resting[0]; s++) {
        enum { SIDE = 5, POINTS = 12 };
        const double length = 0.1, h = 1.0 / 60;
        tide_world *world = scene_world(h, 9.81);
        use_drags(world, 1, 0);
        tide_body_def def = scene_body(0.05, 300, 150);
        def.thickness = 0.0024;
        def.self_collide = true;
        def.friction = 0.3;
        tide_mesh *mesh = scene_brush_mesh(SIDE, 0.03, POINTS, length);
        scene_turn_mesh(&mesh, (double[3]) { 1, 0, 0.1 }, 3.05); // hanging, a little askew
        scene_move_mesh(&mesh, (double[3]) { 0, length + 0.005, 0 });
        tide_body_id brush = scene_add(world, &def, "brush", mesh);
        // as a brush is: its roots, and the next vertex, are in the handle
        double roots[3 * 2 * SIDE * SIDE];
        const double *x = tide_world_positions(world, brush);
        for (uint32_t i = 0; i < 2 * SIDE * SIDE; i++) {
            uint32_t v = i / 2 * POINTS + i % 2;
            memcpy(roots + 3 * i, x + 3 * v, 3 * sizeof *roots);
            assert_ok(tide_world_pin(world, brush, v, TIDE_NOT_GIVEN, &error), error);
        }
        scene_plane(world, "table", 0, 0.4);
        scene_use(world, resting[s], "");
        double least = INFINITY;
        for (int n = 1; n <= 60; n++) {
            for (uint32_t i = 0; i < 2 * SIDE * SIDE; i++) {
                double to[3] = { roots[3 * i], roots[3 * i + 1] - 0.3 * length * n / 60.0, roots[3 * i + 2] };
                assert_ok(tide_world_move_pin(world, brush, i / 2 * POINTS + i % 2, to, &error), error);
            }
            fixture_step(world, 1);
            least = fmin(least, scene_least_gap(world));
        }
        rest r = settle(world, 180, 60);
        r.gap = fmin(r.gap, least);
        if (!(r.kinetic < 1e-6) || !(r.moved < 2e-3) || !(r.gap > 0.0012 - 1e-6))
            fail_msg("%s: kinetic energy %g J, moved by %g m in the last second, least gap %g m", resting[s], r.kinetic,
                     r.moved, r.gap);
        tide_world_destroy(world);
    }
}

// Boxes on one another, each turned a little against the next.
static tide_world *make_stack(int count)
{
    tide_world *world = scene_world(1.0 / 60, 9.81);
    use_drags(world, 1, 2);
    scene_plane(world, "ground", 0, 0.5);
    for (int i = 0; i < count; i++) {
        char name[16];
        snprintf(name, sizeof name, "box %d", i);
        tide_body_def def = scene_body(1, 3000, TIDE_NOT_GIVEN);
        tide_mesh *mesh = scene_box_mesh((double[3]) { 0.24, 0.24, 0.24 }, (double[3]) { 3, 3, 3 });
        scene_turn_mesh(&mesh, (double[3]) { 0, 1, 0 }, 0.3 * i);
        scene_move_mesh(&mesh, (double[3]) { 0.005 * (i % 2), 0.122 + 0.244 * i, 0.004 * (i % 3) });
        scene_add(world, &def, name, mesh);
    }
    return world;
}

static void check_stack(int count, const char *solver, double kinetic, double moved)
{
    tide_world *world = make_stack(count);
    scene_use(world, solver, "");
    rest r = settle(world, 300, 60);
    if (!(r.kinetic < kinetic) || !(r.moved < moved) || !(r.energy <= 3e-3))
        fail_msg("%d boxes, %s: kinetic energy %g J, moved by %g m in the last second, energy up by a part of %g",
                 count, solver, r.kinetic, r.moved, r.energy);
    tide_world_destroy(world);
}

static void test_a_stack_of_soft_boxes_rests(void **state)
{
    (void)state;
    static const char *const solvers[] = { "local_global", "newton", "lbfgs", "nonlinear_cg", "semi_implicit", "imex" };
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++)
        if (!tide_test_skips(3))
            check_stack(2, solvers[s], 1e-8, 2e-4);
    if (!tide_test_skips(2))
        check_stack(5, "local_global", 1e-4, 2e-3);
    if (!tide_test_skips(2))
        check_stack(5, "newton", 1e-5, 1e-3);
}

// Cloths one over another fall on a table: what one hands on to the next all hand on to the table. Each is shifted
// against the one below; by nothing, each vertex meets the triangles about the next cloth's vertex in turn.
static rest drop_cloths(const char *solver, int count, double shift, bool continuous, int steps)
{
    enum { SIDE = 8 };
    tide_world *world = scene_world(1.0 / 60, 9.81);
    use_drags(world, 1, 1);
    if (continuous)
        scene_continuous(world);
    scene_plane(world, "table", 0, 0.5);
    for (int i = 0; i < count; i++) {
        char name[24];
        snprintf(name, sizeof name, "cloth %d", i);
        tide_body_def def = scene_body(0.2, 200, 5);
        tide_mesh *mesh = scene_cloth_mesh(SIDE, 0.6);
        scene_move_mesh(&mesh, (double[3]) { shift * i, 0.006 * (i + 1), 0.7 * shift * i });
        scene_add(world, &def, name, mesh);
    }
    scene_use(world, solver, "");
    rest r = settle(world, steps, steps < 60 ? steps : 60);
    uint64_t crossings = crossings_of(world);
    if (!(r.gap > 0.0025 - 1e-6) || !(r.energy < 0.2) || crossings > 0)
        fail_msg("%s, %d by %g m, %s: least gap %g m, energy up by a part of %g, %llu crossings", solver, count, shift,
                 continuous ? "continuous" : "not continuous", r.gap, r.energy, (unsigned long long)crossings);
    tide_world_destroy(world);
    return r;
}

static void test_cloths_come_to_rest_on_a_table(void **state)
{
    (void)state;
    static const struct {
        const char *solver;
        int count, steps;
        double shift, kinetic; // m, J
        bool continuous;
    } stacks[] = {
        { "local_global", 5, 300, 0, 1e-9, false },     { "local_global", 5, 300, 0, 1e-9, true },
        { "local_global", 3, 150, 0.022, 1e-9, false }, { "local_global", 5, 300, 0.004, 1e-8, false },
        { "lbfgs", 3, 300, 0.022, 1e-7, false },        { "nonlinear_cg", 3, 150, 0.022, 1e-9, false },
    };
    const int most = (int)tide_test_count(300, 20); // after 20 steps the cloths touch, and are not yet at rest
    for (size_t n = 0; n < sizeof stacks / sizeof stacks[0]; n++) {
        if (tide_test_skips(5))
            continue;
        int steps = stacks[n].steps < most ? stacks[n].steps : most;
        rest r = drop_cloths(stacks[n].solver, stacks[n].count, stacks[n].shift, stacks[n].continuous, steps);
        if (steps == stacks[n].steps && (!(r.kinetic < stacks[n].kinetic) || !(r.moved < 2e-3)))
            fail_msg("%s, %d by %g m, %s: kinetic energy %g J, moved by %g m in the last second", stacks[n].solver,
                     stacks[n].count, stacks[n].shift, stacks[n].continuous ? "continuous" : "not continuous",
                     r.kinetic, r.moved);
    }
}

// The force of a grain on a sheet on the floor passes through the light vertices of the sheet in a few sweeps.
static void test_a_grain_rests_on_a_sheet(void **state)
{
    (void)state;
    static const char *const solvers[] = { "local_global", "lbfgs", "imex" };
    const double masses[] = { 0.01, 0.05 }, at[3] = { 0, 0.05, -0.01 };
    for (size_t n = 0; n < 6; n++) {
        tide_world *world = scene_world(1.0 / 60, 9.81);
        scene_plane(world, "floor", 0, 0.3);
        tide_body_def def = scene_body(0.2, 100, TIDE_NOT_GIVEN);
        def.thickness = 0.01;
        tide_mesh *mesh = scene_cloth_mesh(4, 0.3);
        scene_move_mesh(&mesh, (double[3]) { 0, 0.01, 0 });
        scene_add(world, &def, "sheet", mesh);
        fixture_step(world, 60);
        tide_body_id grain = scene_points(world, "grain", 1, at, masses[n / 3], 0.01);
        scene_use(world, solvers[n % 3], "");
        rest r = settle(world, 120, 60);
        if (!(r.kinetic < 1e-6) || !(tide_world_positions(world, grain)[1] > 0.005))
            fail_msg("%g kg, %s: kinetic energy %g J, at a height of %g m", masses[n / 3], solvers[n % 3], r.kinetic,
                     tide_world_positions(world, grain)[1]);
        tide_world_destroy(world);
    }
}

// A soft cube falls on a cloth of a tenth of its mass that is held at its corners.
static void test_heavy_on_light_gains_no_energy(void **state)
{
    (void)state;
    static const char *const solvers[] = { "local_global", "imex" };
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++) {
        tide_world *world = scene_world(1.0 / 60, 9.81);
        use_drags(world, 0.5, 0.5);
        scene_continuous(world);
        tide_body_def def = scene_body(0.04, 200, 5);
        tide_body_id cloth = scene_add(world, &def, "cloth", scene_cloth_mesh(20, 0.6));
        for (uint32_t i = 0; i < 4; i++)
            assert_ok(tide_world_pin(world, cloth, (uint32_t[]) { 0, 19, 380, 399 }[i], TIDE_NOT_GIVEN, &error), error);
        def = scene_body(0.4, 1000, TIDE_NOT_GIVEN);
        tide_mesh *mesh = scene_box_mesh((double[3]) { 0.12, 0.12, 0.12 }, (double[3]) { 3, 3, 3 });
        scene_turn_mesh(&mesh, (double[3]) { 1, 0.3, 0.2 }, 0.4);
        scene_move_mesh(&mesh, (double[3]) { 0.01, 0.2, 0.02 });
        scene_add(world, &def, "cube", mesh);
        scene_use(world, solvers[s], "");
        rest r = settle(world, 120, 60);
        if (!(r.energy <= 1e-3))
            fail_msg("%s: energy up by a part of %g", solvers[s], r.energy);
        tide_world_destroy(world);
    }
}

// --- thick sheets ---------------------------------------------------------------------------------------------------

// Neighbours of a sheet make no pairs while it falls flat, however thick it is against its spacing of 5 cm.
static void test_neighbours_of_a_thick_sheet_make_no_pairs(void **state)
{
    (void)state;
    static const double thicknesses[] = { 0.8, 1.5, 3 };
    for (size_t i = 0; i < sizeof thicknesses / sizeof *thicknesses; i++) {
        tide_world *world = scene_world(1.0 / 30, 9.81);
        tide_body_def def = scene_body(0.5, 100, 20);
        def.self_collide = true;
        def.thickness = 0.05 * thicknesses[i];
        tide_body_id id = scene_add(world, &def, "cloth", scene_cloth_mesh(21, 1));
        scene_throw(world, id, (double[3]) { 0, -3, 1 });
        for (int frame = 0; frame < 3; frame++) {
            assert_ok(tide_world_step(world, &error), error);
            assert_int_equal(world->contacts->search.proximity->pair_count, 0);
        }
        tide_world_destroy(world);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_thin_cloth_stops_what_is_shot_at_it),
    cmocka_unit_test(test_a_brush_pressed_on_a_table_rests),
    cmocka_unit_test(test_a_stack_of_soft_boxes_rests),
    cmocka_unit_test(test_cloths_come_to_rest_on_a_table),
    cmocka_unit_test(test_a_grain_rests_on_a_sheet),
    cmocka_unit_test(test_heavy_on_light_gains_no_energy),
    cmocka_unit_test(test_neighbours_of_a_thick_sheet_make_no_pairs),
};
TIDE_TEST_SUITE(world_contact_storms, tests)
