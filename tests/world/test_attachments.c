// Attachments between bodies: what they pull, what they conserve, and that forks and reloads have them.
#include "solver/every_method.h"
#include "world/fixture.h"

#include "base/memory.h"
#include "model/system.h"
#include "quiet.h"

static tide_error error;

// A sheet from the origin to (1, 0, 1) and a sheet moved by `by`, of no weight.
static tide_world *two_sheets(const double by[3], tide_body_id *a, tide_body_id *b, const tide_world *predecessor)
{
    tide_world *plain = fixture_world(NULL, NULL);
    tide_world_settings settings = *tide_world_get_settings(plain);
    tide_world_destroy(plain);
    memset(settings.gravity, 0, sizeof settings.gravity);
    tide_world *world = fixture_world(&settings, predecessor);
    const tide_mesh *mesh = fixture_grid(4, 4);
    tide_mesh *moved;
    assert_ok(tide_mesh_translate(mesh, by, &moved, &error), error);
    tide_body_def def = fixture_cloth("a", mesh);
    def.collide = TIDE_COLLIDE_NONE; // contact has tests of its own
    assert_ok(tide_world_add_body(world, &def, a, &error), error);
    def = fixture_cloth("b", moved);
    def.collide = TIDE_COLLIDE_NONE;
    assert_ok(tide_world_add_body(world, &def, b, &error), error);
    tide_mesh_release(mesh);
    tide_mesh_release(moved);
    return world;
}

static double elastic(tide_world *world)
{
    tide_energy energy;
    assert_ok(tide_world_energy(world, &energy, &error), error);
    return energy.elastic;
}

static void test_energy_by_hand(void **state)
{
    (void)state;
    tide_body_id a, b;
    tide_world *world = two_sheets((double[3]) { 0, 0.5, 0 }, &a, &b, NULL);
    assert_near(elastic(world), 0, 1e-20);
    const tide_attach_def spring = { .stiffness = 10, .rest_length = 0.2 }, tie = { .stiffness = 8 };
    assert_ok(tide_world_attach(world, a, 0, b, 0, &spring, &error), error);
    assert_near(elastic(world), 0.5 * 10 * 0.3 * 0.3, 1e-14);
    assert_ok(tide_world_attach_nearest(world, a, (uint32_t[]) { 5 }, 1, b, &tie, &error), error);
    assert_near(elastic(world), 0.5 * 10 * 0.3 * 0.3 + 0.5 * 8 * 0.25, 1e-14);
    assert_int_equal(tide_world_attachment_count(world), 2);
    tide_world_destroy(world);
}

// The nearest point of a surface against a fine search over all its triangles.
static void test_nearest_against_brute_force(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(5);
    for (int round = 0; round < 60; round++) {
        const double by[3] = { test_uniform(&random, -1.5, 1.5), test_uniform(&random, -1, 1),
                               test_uniform(&random, -1.5, 1.5) };
        tide_body_id a, b;
        tide_world *world = two_sheets(by, &a, &b, NULL);
        uint32_t vertex = tide_random_next(&random) % 16;
        double *x = tide_world_positions(world, b);
        for (int i = 0; i < 48; i++)
            x[i] += test_uniform(&random, -0.2, 0.2);
        double before = elastic(world), least = INFINITY;
        const double *p = tide_world_positions(world, a) + 3 * vertex;
        tide_body_info info;
        assert_true(tide_world_body_info(world, b, &info));
        enum { FINE = 200 };
        for (uint32_t t = 0; t < info.mesh->triangle_count; t++) {
            const uint32_t *c = info.mesh->triangles + 3 * (size_t)t;
            for (int i = 0; i <= FINE; i++)
                for (int j = 0; i + j <= FINE; j++) {
                    double square = 0, u = (double)i / FINE, v = (double)j / FINE;
                    for (uint32_t k = 0; k < 3; k++) {
                        double q = (1 - u - v) * x[3 * c[0] + k] + u * x[3 * c[1] + k] + v * x[3 * c[2] + k] - p[k];
                        square += q * q;
                    }
                    least = fmin(least, square);
                }
        }
        const tide_attach_def tie = { .stiffness = 2 };
        assert_ok(tide_world_attach_nearest(world, a, (uint32_t[]) { vertex }, 1, b, &tie, &error), error);
        double square = elastic(world) - before;
        assert_true(square <= least + 1e-9);
        assert_near(sqrt(fmax(square, 0)), sqrt(least), 0.6 / FINE); // half of a step of the search
        tide_world_destroy(world);
    }
}

static void test_lines_and_own_surface(void **state)
{
    (void)state;
    tide_body_id a, b;
    tide_world *world = two_sheets((double[3]) { 0, 5, 0 }, &a, &b, NULL);
    // To its own surface: not to a triangle that the vertex is a corner of.
    const tide_attach_def tie = { .stiffness = 2 };
    assert_ok(tide_world_attach_nearest(world, a, (uint32_t[]) { 0 }, 1, a, &tie, &error), error);
    assert_true(elastic(world) > 0.01);
    // To a strand: its nearest vertex.
    const double points[] = { 0, 1, 0, 0, 2, 0, 0, 3, 0 };
    const uint32_t edges[] = { 0, 1, 1, 2 };
    const tide_mesh_parts parts = { .vertices = points, .vertex_count = 3, .edges = edges, .edge_count = 2 };
    tide_mesh *strand;
    assert_ok(tide_mesh_create(&parts, &strand, &error), error);
    tide_body_def def = tide_body_def_default();
    def.name = "strand";
    def.mesh = strand;
    def.stiffness = 10;
    tide_body_id c;
    assert_ok(tide_world_add_body(world, &def, &c, &error), error);
    double before = elastic(world);
    assert_ok(tide_world_attach_nearest(world, a, (uint32_t[]) { 0 }, 1, c, &tie, &error), error);
    assert_near(elastic(world) - before, 1, 1e-14);
    tide_mesh_release(strand);
    tide_world_destroy(world);
}

// Conjugate gradients are loose, and some explicit methods gain energy, unless told.
static const char *options_of(const char *solver)
{
    bool gains = fixture_gains_energy(solver);
    return strcmp(solver, "semi_implicit") == 0 ? "cg_tolerance=1e-12" : gains ? "damping=auto" : "";
}

// Under every solver momentum stays (block descent moves particles one by one, and keeps it as far as it has
// converged), and bodies that are apart come together.
static void test_every_solver_pulls_and_keeps_momentum(void **state)
{
    (void)state;
    const tide_solver_kind *kind;
    for (uint32_t index = 0; (kind = tide_solver_kind_at(index)); index++) {
        tide_body_id a, b;
        tide_world *world = two_sheets((double[3]) { 0.1, 0.3, 0 }, &a, &b, NULL);
        const tide_attach_def strong = { .stiffness = 40 };
        const uint32_t even[] = { 0, 2, 4, 6, 8, 10, 12, 14 };
        assert_ok(tide_world_attach_nearest(world, a, even, 8, b, &strong, &error), error);
        assert_ok(tide_world_attach(world, a, 15, b, 15, &strong, &error), error);
        tide_solver *solver = stepping_solver(kind->name, options_of(kind->name));
        assert_ok(tide_world_set_solver(world, kind, tide_solver_options(solver), &error), error);
        tide_solver_destroy(solver);
        double start = elastic(world), least = start;
        for (int step = 0; step < 60; step++) {
            fixture_step(world, 1);
            least = fmin(least, elastic(world));
        }
        const double *v = tide_world_all_velocities(world);
        const tide_system *system;
        assert_ok(tide_world_system(world, &system, &error), error);
        double momentum[3] = { 0 }, all = 1e-300;
        for (size_t i = 0; i < 3 * (size_t)tide_world_particle_count(world); i++) {
            assert_true(isfinite(v[i]) && fabs(v[i]) < 100);
            momentum[i % 3] += system->masses[i / 3] * v[i];
            all += system->masses[i / 3] * fabs(v[i]);
        }
        for (int k = 0; k < 3; k++)
            if (fabs(momentum[k]) > 1e-9 * all)
                fail_msg("%s: momentum %g of %g", kind->name, momentum[k], all);
        if (!(least < 0.5 * start))
            fail_msg("%s: the energy goes from %g to no less than %g", kind->name, start, least);
        tide_world_destroy(world);
    }
}

static void test_forks_and_resets_have_them(void **state)
{
    (void)state;
    tide_body_id a, b;
    tide_world *world = two_sheets((double[3]) { 0.1, 0.3, 0 }, &a, &b, NULL), *fork;
    const tide_attach_def spring = { .stiffness = 40 };
    assert_ok(tide_world_attach(world, a, 1, b, 2, &spring, &error), error);
    assert_ok(tide_world_attach_nearest(world, a, (uint32_t[]) { 7 }, 1, b, &spring, &error), error);
    fixture_step(world, 5);
    assert_ok(tide_world_fork(world, &fork, &error), error);
    assert_int_equal(tide_world_attachment_count(fork), 2);
    fixture_step(world, 5);
    fixture_step(fork, 5);
    assert_true(fixture_hash(world) == fixture_hash(fork));
    uint64_t after = fixture_hash(world);
    assert_ok(tide_world_reset(world, &error), error);
    fixture_step(world, 10);
    assert_true(fixture_hash(world) == after);
    tide_world_destroy(fork);
    // A reload describes them again; one that does not has none.
    tide_reconciliation reconciliation;
    for (int with = 1; with >= 0; with--) {
        tide_world *next = two_sheets((double[3]) { 0.1, 0.3, 0 }, &a, &b, world);
        if (with) {
            assert_ok(tide_world_attach(next, a, 1, b, 2, &spring, &error), error);
            assert_ok(tide_world_attach_nearest(next, a, (uint32_t[]) { 7 }, 1, b, &spring, &error), error);
            assert_ok(tide_world_fork(world, &fork, &error), error);
        }
        assert_ok(tide_world_reconcile(next, world, &reconciliation, &error), error);
        assert_int_equal(reconciliation.kept, 2);
        assert_true(reconciliation.refactored == !with);
        tide_world_destroy(world);
        world = next;
        if (with) {
            fixture_step(world, 3);
            fixture_step(fork, 3);
            assert_true(fixture_hash(world) == fixture_hash(fork));
            tide_world_destroy(fork);
        }
    }
    assert_int_equal(tide_world_attachment_count(world), 0);
    tide_world_destroy(world);
}

static void refuse(tide_status status, const char *text)
{
    char got[1200];
    assert_int_not_equal(status, TIDE_OK);
    if (!strstr(tide_error_text(&error, got, sizeof got), text))
        fail_msg("\"%s\" does not contain \"%s\"", got, text);
}

static void test_refusals(void **state)
{
    (void)state;
    tide_body_id a, b, none = { 0, 0 };
    tide_world *world = two_sheets((double[3]) { 0, 1, 0 }, &a, &b, NULL);
    tide_attach_def def = { .stiffness = 1 };
    refuse(tide_world_attach(world, a, 16, b, 0, &def, &error), "body \"a\"");
    refuse(tide_world_attach(world, a, 0, b, 99, &def, &error), "body \"b\"");
    refuse(tide_world_attach(world, a, 3, a, 3, &def, &error), "body \"a\": attach: joins vertex 4 to itself");
    refuse(tide_world_attach(world, none, 3, a, 3, &def, &error), "");
    refuse(tide_world_attach_nearest(world, a, (uint32_t[]) { 3 }, 1, none, &def, &error), "");
    def.rest_length = 1;
    refuse(tide_world_attach_nearest(world, a, (uint32_t[]) { 3 }, 1, b, &def, &error), "have no rest length");
    const tide_attach_def bad[] = { { -1, 0, false },  { 0, 0, false },        { NAN, 0, false }, { 1, -1, false },
                                    { 1, NAN, false }, { INFINITY, 0, false }, { 1, 1, true } };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        refuse(tide_world_attach(world, a, 0, b, 0, &bad[i], &error), "attach: ");
    // All or none.
    def.rest_length = 0;
    refuse(tide_world_attach_nearest(world, a, (uint32_t[]) { 3, 5, 16 }, 3, b, &def, &error), "body \"a\"");
    tide_world_positions(world, b)[7] = NAN;
    refuse(tide_world_attach_nearest(world, a, (uint32_t[]) { 3 }, 1, b, &def, &error),
           "the position of vertex 3 is not finite");
    refuse(tide_world_attach_nearest(world, b, (uint32_t[]) { 2 }, 1, a, &def, &error),
           "the position of vertex 3 is not finite");
    // The body has no other place to attach to.
    const double point[3] = { 1, 2, 3 };
    const tide_mesh *mesh = fixture_points(1, point);
    tide_body_def lone = tide_body_def_default();
    lone.name = "lone";
    lone.mesh = mesh;
    tide_body_id c;
    assert_ok(tide_world_add_body(world, &lone, &c, &error), error);
    refuse(tide_world_attach_nearest(world, c, (uint32_t[]) { 0 }, 1, c, &def, &error), "no other place");
    assert_int_equal(tide_world_attachment_count(world), 0);
    tide_mesh_release(mesh);
    tide_world_destroy(world);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_energy_by_hand),
    cmocka_unit_test(test_nearest_against_brute_force),
    cmocka_unit_test(test_lines_and_own_surface),
    quiet_test(test_every_solver_pulls_and_keeps_momentum),
    cmocka_unit_test(test_forks_and_resets_have_them),
    cmocka_unit_test(test_refusals),
};
TIDE_TEST_SUITE(world_attachments, tests)
