// No mesh that a body is made of becomes NaN, under any solver: bad ones that pass the doctor, and random ones.
#include "solver/every_method.h"
#include "world/fixture.h"

#include "base/memory.h"
#include "base/random.h"
#include "quiet.h"

static tide_error error;

// Hangs by its first vertex for half a second; returns false when the mesh makes no body.
static bool hang(const tide_mesh *mesh, const tide_solver_kind *kind, const char *what, tide_mesh_report *report)
{
    tide_world *world = fixture_world(NULL, NULL);
    tide_world_settings settings = *tide_world_get_settings(world);
    settings.timestep = 1.0 / 60;
    assert_ok(tide_world_set_settings(world, &settings, &error), error);
    tide_body_def def = tide_body_def_default();
    def.name = what;
    def.mesh = mesh;
    def.mass = 0.1 * mesh->vertex_count;
    def.stiffness = 50;
    uint32_t *pairs, hinges = 0;
    assert_ok(tide_mesh_hinges(mesh, &pairs, &hinges, &error), error);
    tide_free(pairs);
    if (hinges)
        def.bend = 10;
    tide_body_id body;
    bool fatal = false;
    for (uint32_t i = 0; i < report->problem_count; i++)
        fatal = fatal || report->problems[i].fatal;
    tide_status status = tide_world_add_body(world, &def, &body, &error);
    assert_int_equal(status, fatal ? TIDE_ERROR_ARGUMENT : TIDE_OK);
    if (status == TIDE_OK) {
        assert_ok(tide_world_pin(world, body, 0, TIDE_NOT_GIVEN, &error), error);
        tide_solver *solver = stepping_solver(kind->name, "");
        assert_ok(tide_world_set_solver(world, kind, tide_solver_options(solver), &error), error);
        tide_solver_destroy(solver);
        double side = 0, lower[3], upper[3];
        tide_mesh_bounds(mesh, lower, upper);
        for (int k = 0; k < 3; k++)
            side = fmax(side, fmax(fabs(lower[k]), fabs(upper[k])));
        fixture_step(world, 30);
        const double *x = tide_world_all_positions(world), *v = tide_world_all_velocities(world);
        for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++)
            if (!(fabs(x[i]) <= 10 * side + 10) || !(fabs(v[i]) <= 100 * side + 100))
                fail_msg("%s under %s: %g m, %g m/s", what, kind->name, x[i], v[i]);
    }
    tide_world_destroy(world);
    return status == TIDE_OK;
}

static void hang_under_every_solver(tide_mesh_parts parts, const char *what, bool made)
{
    tide_mesh *mesh;
    tide_mesh_report report;
    assert_ok(tide_mesh_create(&parts, &mesh, &error), error);
    assert_ok(tide_mesh_check(mesh, &report, &error), error);
    const tide_solver_kind *kind;
    for (uint32_t i = 0; (kind = tide_solver_kind_at(i)); i++)
        assert_true(hang(mesh, kind, what, &report) == made);
    assert_true(report.problem_count > 0);
    tide_mesh_release(mesh);
}

#define COUNT(array, width) ((uint32_t)(sizeof(array) / sizeof(array)[0] / (width)))

static void test_bad_meshes_that_pass(void **state)
{
    (void)state;
    // Two triangles that share a flat one, of which a vertex has no mass by density.
    const double square[] = { 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0.5, 0, 0 };
    const uint32_t flat[] = { 0, 2, 1, 0, 3, 2, 0, 1, 4 }, turned[] = { 0, 2, 1, 0, 2, 3, 0, 2, 4 };
    const uint32_t copies[] = { 0, 2, 1, 0, 3, 2, 1, 2, 4, 0, 2, 1, 2, 1, 0 };
    const struct {
        const char *name;
        const uint32_t *triangles;
        uint32_t count;
    } sheets[] = { { "flat", flat, COUNT(flat, 3) },
                   { "turned, three on an edge", turned, COUNT(turned, 3) },
                   { "copies", copies, COUNT(copies, 3) } };
    for (size_t i = 0; i < COUNT(sheets, 1); i++)
        hang_under_every_solver((tide_mesh_parts) { .vertices = square,
                                                    .vertex_count = 5,
                                                    .triangles = sheets[i].triangles,
                                                    .triangle_count = sheets[i].count },
                                sheets[i].name, true);
    // A seam whose hinge joins two vertices at one place, and a fold flat on itself.
    const double seam[] = { 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1, 0, 0, 0, 1, 0, 1 };
    const uint32_t seams[] = { 0, 2, 1, 1, 2, 3, 4, 1, 2, 5, 2, 1 };
    hang_under_every_solver(
        (tide_mesh_parts) { .vertices = seam, .vertex_count = 6, .triangles = seams, .triangle_count = 4 }, "seam",
        true);
    // Slivers: needles, and a tetrahedron that is almost flat.
    const double needle[] = { 0, 0, 0, 1, 0, 0, 1, 1e-6, 0, 0, 1, 0 };
    const uint32_t needles[] = { 0, 1, 2, 0, 2, 3 };
    hang_under_every_solver(
        (tide_mesh_parts) { .vertices = needle, .vertex_count = 4, .triangles = needles, .triangle_count = 2 },
        "needles", true);
    const double pressed[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 1e-6 };
    const uint32_t tetrahedron[] = { 0, 1, 2, 3 };
    hang_under_every_solver(
        (tide_mesh_parts) { .vertices = pressed, .vertex_count = 4, .tetrahedra = tetrahedron, .tetrahedron_count = 1 },
        "sliver", true);
    // Sizes: a tenth of a millimetre, and ten kilometres.
    for (int large = 0; large < 2; large++) {
        double sized[15];
        for (int i = 0; i < 15; i++)
            sized[i] = square[i] * (large ? 1e4 : 1e-4);
        hang_under_every_solver(
            (tide_mesh_parts) { .vertices = sized, .vertex_count = 4, .triangles = flat, .triangle_count = 2 },
            large ? "large" : "small", true);
    }
}

static void test_bad_meshes_that_do_not(void **state)
{
    (void)state;
    const double points[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 1, 0, 0 };
    const uint32_t flat[] = { 0, 1, 2, 3, 0, 1, 2, 4 }, edges[] = { 0, 1, 1, 4, 4, 2, 2, 3 }, lonely[] = { 0, 1, 2 };
    hang_under_every_solver(
        (tide_mesh_parts) { .vertices = points, .vertex_count = 5, .tetrahedra = flat, .tetrahedron_count = 2 },
        "flat solid", false);
    hang_under_every_solver(
        (tide_mesh_parts) { .vertices = points, .vertex_count = 5, .edges = edges, .edge_count = 4 },
        "edge of no length", false);
    hang_under_every_solver(
        (tide_mesh_parts) { .vertices = points, .vertex_count = 5, .triangles = lonely, .triangle_count = 1 },
        "lone vertices", false);
}

// Random triangles between random points of a lattice, many at one place: those that the doctor lets pass.
static void test_random_meshes(void **state)
{
    (void)state;
    int made = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        tide_random random = tide_random_seed(seed);
        double vertices[3 * 9];
        uint32_t triangles[3 * 14], count = 0;
        for (int i = 0; i < 27; i++)
            vertices[i] = 0.5 * (tide_random_next(&random) % 4);
        for (int i = 0; i < 14; i++) {
            uint32_t *t = triangles + 3 * count;
            for (int k = 0; k < 3; k++)
                t[k] = tide_random_next(&random) % 9;
            count += t[0] != t[1] && t[1] != t[2] && t[2] != t[0];
        }
        const tide_mesh_parts parts = {
            .vertices = vertices, .vertex_count = 9, .triangles = triangles, .triangle_count = count
        };
        tide_mesh *mesh;
        tide_mesh_report report;
        assert_ok(tide_mesh_create(&parts, &mesh, &error), error);
        assert_ok(tide_mesh_check(mesh, &report, &error), error);
        const tide_solver_kind *kind;
        bool good = true;
        for (uint32_t i = 0; good && (kind = tide_solver_kind_at(i)); i++)
            good = hang(mesh, kind, "random", &report);
        made += good;
        tide_mesh_release(mesh);
    }
    assert_true(made > 15);
}

static const struct CMUnitTest tests[] = {
    quiet_test(test_bad_meshes_that_pass),
    quiet_test(test_bad_meshes_that_do_not),
    quiet_test(test_random_meshes),
};
TIDE_TEST_SUITE(world_bad_meshes, tests)
