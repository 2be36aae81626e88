// Bodies that go on with another mesh.
#include "world/fixture.h"

#include "base/memory.h"
#include "base/vec3.h"
#include "geometry/bvh.h"
#include "linear/failing.h"
#include "world/reshape.h"

#include <math.h>
#include <string.h>

static tide_error error;

// --- meshes ----------------------------------------------------------------------------------------------------------

static const tide_mesh *strand(int points)
{
    tide_mesh_strand_def def = { .points = points, .from = { 0, 0, 0 }, .to = { 0.5, 0, 0.25 } };
    tide_mesh *mesh;
    assert_ok(tide_mesh_strand.build(&def, &mesh, &error), error);
    return mesh;
}

static const tide_mesh *box(int cells)
{
    tide_mesh_box_def def;
    tide_fields_default(tide_mesh_box.fields, &def);
    def.size[0] = 1;
    def.size[1] = 0.5;
    def.size[2] = 0.25;
    def.cells[0] = 4.0 * cells;
    def.cells[1] = 2.0 * cells;
    def.cells[2] = cells;
    tide_mesh *mesh;
    assert_ok(tide_mesh_box.build(&def, &mesh, &error), error);
    return mesh;
}

static const tide_mesh *sphere(int subdivisions)
{
    tide_mesh_sphere_def def;
    tide_fields_default(tide_mesh_sphere.fields, &def);
    def.subdivisions = subdivisions;
    def.radius = 0.5;
    tide_mesh *mesh;
    assert_ok(tide_mesh_sphere.build(&def, &mesh, &error), error);
    return mesh;
}

// --- motions whose result is known -----------------------------------------------------------------------------------

// x -> a x + b, and the velocity of it: a' x + b'.
typedef struct motion {
    double a[9], b[3], a_rate[9], b_rate[3];
} motion;

static void multiply(const double a[9], const double b[9], double out[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
}

// A turn that is far from none, spinning as it goes.
static motion rigid_motion(void)
{
    const double c = cos(2.0), s = sin(2.0), d = cos(-0.7), t = sin(-0.7);
    const double about_z[9] = { c, -s, 0, s, c, 0, 0, 0, 1 }, about_x[9] = { 1, 0, 0, 0, d, -t, 0, t, d };
    const double spin[9] = { 0, -3, 2, 3, 0, -1, -2, 1, 0 }; // (1, 2, 3) x
    motion m = { .b = { 5, -3, 0.5 }, .b_rate = { 0.25, 4, -1 } };
    multiply(about_z, about_x, m.a);
    multiply(spin, m.a, m.a_rate);
    return m;
}

static motion affine_motion(void)
{
    return (motion) { .a = { 1.2, 0.3, -0.1, 0.2, 0.8, 0.4, 0, -0.5, 1.5 },
                      .b = { 1, 2, 3 },
                      .a_rate = { 1, 2, -3, 0.5, 0, 1, 2, -2, 0 },
                      .b_rate = { -1, 0, 1 } };
}

static void move(const motion *m, const tide_mesh *mesh, double *positions, double *velocities)
{
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const double *x = mesh->vertices + 3 * i;
        for (size_t k = 0; k < 3; k++) {
            const double *a = m->a + 3 * k, *r = m->a_rate + 3 * k;
            positions[3 * i + k] = a[0] * x[0] + a[1] * x[1] + a[2] * x[2] + m->b[k];
            velocities[3 * i + k] = r[0] * x[0] + r[1] * x[1] + r[2] * x[2] + m->b_rate[k];
        }
    }
}

// Returns the largest difference between the motion of the new mesh and the reshaped motion of the old one.
static double reshape_error(const tide_mesh *from, const tide_mesh *to, const motion *m)
{
    size_t old = 3 * (size_t)from->vertex_count, new = 3 * (size_t)to->vertex_count;
    double *numbers = tide_allocate_zeroed(2 * old + 4 * new, sizeof *numbers), *expected = numbers + 2 * old;
    double *got = expected + 2 * new, largest = 0;
    tide_reshape *reshape;
    move(m, from, numbers, numbers + old);
    move(m, to, expected, expected + new);
    assert_ok(tide_reshape_create(from, to, &reshape, &error), error);
    assert_non_null(reshape);
    tide_reshape_apply(reshape, numbers, numbers + old, got, got + new);
    for (size_t i = 0; i < 2 * new; i++)
        largest = fmax(largest, fabs(got[i] - expected[i]));
    tide_reshape_destroy(reshape);
    tide_free(numbers);
    return largest;
}

static void test_rigid_motions_come_out_exactly(void **state)
{
    (void)state;
    const tide_mesh *meshes[][2] = { { fixture_grid(6, 6), fixture_grid(11, 9) },
                                     { fixture_grid(11, 9), fixture_grid(4, 4) },
                                     { strand(5), strand(14) },
                                     { box(1), box(2) },
                                     { sphere(2), sphere(3) }, // the new vertices are off the old triangles
                                     { sphere(3), sphere(1) } };
    motion m = rigid_motion();
    for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++) {
        assert_true(reshape_error(meshes[i][0], meshes[i][1], &m) < 1e-12);
        tide_mesh_release(meshes[i][0]);
        tide_mesh_release(meshes[i][1]);
    }
}

static void test_affine_motions_come_out_exactly_within(void **state)
{
    (void)state;
    const tide_mesh *meshes[][2] = { { fixture_grid(6, 6), fixture_grid(11, 9) },
                                     { strand(5), strand(14) },
                                     { box(1), box(2) } };
    motion m = affine_motion();
    for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++) {
        assert_true(reshape_error(meshes[i][0], meshes[i][1], &m) < 1e-12);
        tide_mesh_release(meshes[i][0]);
        tide_mesh_release(meshes[i][1]);
    }
}

// A sphere swells: points off the old surface keep their distance from it, so the error is that of the distances.
static void test_what_is_off_the_surface_keeps_its_distance(void **state)
{
    (void)state;
    const tide_mesh *from = sphere(2), *to = sphere(4);
    const motion m = { .a = { 1.2, 0, 0, 0, 1.2, 0, 0, 0, 1.2 } };
    double farthest = 0;
    tide_bvh bvh;
    assert_ok(tide_bvh_create(from->vertices, from->triangles, from->triangle_count, &bvh, &error), error);
    for (size_t i = 0; i < to->vertex_count; i++) {
        tide_bvh_point closest;
        assert_true(tide_bvh_closest(&bvh, to->vertices + 3 * i, INFINITY, &closest));
        farthest = fmax(farthest, sqrt(closest.squared));
    }
    tide_bvh_destroy(&bvh);
    assert_true(farthest > 1e-3);
    double off = reshape_error(from, to, &m);
    assert_true(off > 0.05 * farthest && off <= 0.2 * farthest + 1e-12);
    tide_mesh_release(from);
    tide_mesh_release(to);
}

static void test_velocities_are_the_derivatives_of_positions(void **state)
{
    (void)state;
    const tide_mesh *from = sphere(1), *to = sphere(3);
    size_t old = 3 * (size_t)from->vertex_count, new = 3 * (size_t)to->vertex_count;
    double *x = tide_allocate_zeroed(5 * old + 5 * new, sizeof *x), *v = x + old, *none = v + old, *ahead = none + old;
    double *behind = ahead + old, *got = behind + old, *rate = got + new, *after = rate + new, *before = after + new,
           *unread = before + new;
    const double h = 1e-5;
    uint64_t seed = 1;
    for (size_t i = 0; i < old; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        v[i] = (double)(seed >> 40) / (1 << 24) - 0.5;
        x[i] = from->vertices[i] + 0.1 * v[(i * 7) % (i + 1)];
        ahead[i] = x[i] + h * v[i];
        behind[i] = x[i] - h * v[i];
    }
    tide_reshape *reshape;
    assert_ok(tide_reshape_create(from, to, &reshape, &error), error);
    tide_reshape_apply(reshape, x, v, got, rate);
    tide_reshape_apply(reshape, ahead, none, after, unread);
    tide_reshape_apply(reshape, behind, none, before, unread);
    for (size_t i = 0; i < new; i++)
        assert_near(rate[i], (after[i] - before[i]) / (2 * h), 1e-8);
    tide_reshape_destroy(reshape);
    tide_free(x);
    tide_mesh_release(from);
    tide_mesh_release(to);
}

static void test_what_is_not_covered(void **state)
{
    (void)state;
    const tide_mesh *grid = fixture_grid(5, 5), *line = strand(5), *solid = box(1), *ball = sphere(2);
    tide_mesh *moved, *larger;
    tide_mesh_parts parts = tide_mesh_view(grid);
    double vertices[75];
    parts.vertices = vertices;
    for (int i = 0; i < 75; i++)
        vertices[i] = grid->vertices[i] + (i % 3 == 1);
    assert_ok(tide_mesh_create(&parts, &moved, &error), error);
    for (int i = 0; i < 75; i++)
        vertices[i] = 2 * grid->vertices[i];
    assert_ok(tide_mesh_create(&parts, &larger, &error), error);
    const tide_mesh *pairs[][2] = { { grid, moved }, { grid, larger }, { larger, grid }, { grid, line },
                                    { line, grid },  { solid, grid },  { ball, solid } };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        tide_reshape *reshape = (void *)&reshape;
        assert_ok(tide_reshape_create(pairs[i][0], pairs[i][1], &reshape, &error), error);
        assert_null(reshape);
    }
    tide_mesh_release(grid);
    tide_mesh_release(line);
    tide_mesh_release(solid);
    tide_mesh_release(ball);
    tide_mesh_release(moved);
    tide_mesh_release(larger);
}

static void test_lone_vertices_and_flat_triangles(void **state)
{
    (void)state;
    const double few[6] = { 0, 0, 0, 1, 0, 0 }, more[9] = { 0, 0, 0, 0.96, 0, 0.02, 1, 0, 0 };
    const tide_mesh *from = fixture_points(2, few), *to = fixture_points(3, more);
    tide_reshape *reshape;
    assert_ok(tide_reshape_create(from, to, &reshape, &error), error);
    const double x[6] = { 0, 1, 0, 3, 1, 0 }, v[6] = { 0, 0, 0, 0, 2, 0 };
    double got[9], rate[9];
    tide_reshape_apply(reshape, x, v, got, rate);
    const double expected[9] = { 0, 1, 0, 2.96, 1, 0.02, 3, 1, 0 }, expected_rate[9] = { 0, 0, 0, 0, 2, 0, 0, 2, 0 };
    for (int i = 0; i < 9; i++) {
        assert_near(got[i], expected[i], 1e-15);
        assert_near(rate[i], expected_rate[i], 1e-15);
    }
    tide_reshape_destroy(reshape);
    tide_mesh_release(from);
    tide_mesh_release(to);

    // A surface crushed into a point leaves finite numbers.
    const tide_mesh *coarse = sphere(1), *fine = sphere(2);
    double *crushed = tide_allocate_zeroed(6 * (size_t)coarse->vertex_count, sizeof *crushed);
    double *out = tide_allocate_zeroed(6 * (size_t)fine->vertex_count, sizeof *out);
    assert_ok(tide_reshape_create(coarse, fine, &reshape, &error), error);
    tide_reshape_apply(reshape, crushed, crushed + 3 * (size_t)coarse->vertex_count, out,
                       out + 3 * (size_t)fine->vertex_count);
    for (size_t i = 0; i < 6 * (size_t)fine->vertex_count; i++)
        assert_true(fabs(out[i]) < 0.2);
    tide_reshape_destroy(reshape);
    tide_free(crushed);
    tide_free(out);
    tide_mesh_release(coarse);
    tide_mesh_release(fine);
}

// A sheet with a thread at its corner and a lone vertex beside it.
static const tide_mesh *mixed(int side, uint32_t thread)
{
    const tide_mesh *grid = fixture_grid(side, side);
    tide_mesh_parts parts = tide_mesh_view(grid);
    double vertices[3 * 200];
    uint32_t edges[2 * 1000], corner = grid->vertex_count - 1;
    memcpy(vertices, grid->vertices, 3 * (size_t)grid->vertex_count * sizeof *vertices);
    memcpy(edges, grid->edges, 2 * (size_t)grid->edge_count * sizeof *edges);
    for (uint32_t i = 0; i < thread; i++) {
        double *end = vertices + 3 * (size_t)(corner + 1 + i);
        end[0] = 1;
        end[1] = -0.5 * (i + 1) / thread;
        end[2] = 1;
        edges[2 * (grid->edge_count + i)] = corner + i;
        edges[2 * (grid->edge_count + i) + 1] = corner + i + 1;
    }
    memcpy(vertices + 3 * (size_t)(corner + 1 + thread), (double[3]) { -0.5, 0, 0 }, 3 * sizeof *vertices);
    parts.vertex_count += thread + 1;
    parts.edge_count += thread;
    parts.vertices = vertices;
    parts.edges = edges;
    parts.texture = NULL;
    tide_mesh *mesh;
    assert_ok(tide_mesh_create(&parts, &mesh, &error), error);
    tide_mesh_release(grid);
    return mesh;
}

static void test_sheets_with_threads(void **state)
{
    (void)state;
    const tide_mesh *from = mixed(5, 4), *to = mixed(9, 10);
    const motion rigid = rigid_motion(), affine = affine_motion();
    assert_true(reshape_error(from, to, &rigid) < 1e-12);
    assert_true(reshape_error(from, to, &affine) < 1e-12);
    tide_mesh_release(from);
    tide_mesh_release(to);
}

// --- in a world ------------------------------------------------------------------------------------------------------

static tide_body_id add(tide_world *world, const tide_mesh *mesh)
{
    tide_body_def def = fixture_cloth("body", mesh);
    if (!mesh->triangle_count && !mesh->skip_count)
        def.bend = TIDE_NOT_GIVEN;
    tide_body_id id;
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    return id;
}

static void mean_motion(tide_world *world, tide_body_id id, double velocity[3])
{
    tide_body_info info;
    assert_true(tide_world_body_info(world, id, &info));
    const double *v = tide_world_velocities(world, id);
    memset(velocity, 0, 3 * sizeof *velocity);
    for (size_t i = 0; i < 3 * (size_t)info.vertex_count; i++)
        velocity[i % 3] += v[i] / info.vertex_count; // all masses are equal
}

// A curtain that hangs and swings goes on with four times as many vertices, all of them on the old surface.
static void test_a_curtain_becomes_finer(void **state)
{
    (void)state;
    tide_world *old = fixture_curtain(21, NULL);
    fixture_step(old, 30);
    tide_body_id id = tide_world_find_body(old, "curtain");
    const tide_mesh *mesh = fixture_grid(21, 21);
    double positions[3 * 441], before[3], after[3];
    memcpy(positions, tide_world_positions(old, id), sizeof positions);
    mean_motion(old, id, before);

    tide_world *world = fixture_curtain(41, old);
    tide_reconciliation reconciliation;
    assert_ok(tide_world_reconcile(world, old, &reconciliation, &error), error);
    tide_world_destroy(old);
    assert_int_equal(reconciliation.rebuilt, 1);
    assert_int_equal(tide_world_frame(world), 30);

    tide_bvh bvh;
    assert_ok(tide_bvh_create(positions, mesh->triangles, mesh->triangle_count, &bvh, &error), error);
    const double *now = tide_world_positions(world, id);
    double lowest = 0;
    for (size_t i = 0; i < 41 * 41; i++) {
        tide_bvh_point closest;
        assert_true(tide_bvh_closest(&bvh, now + 3 * i, INFINITY, &closest));
        assert_true(closest.squared < 1e-24);
        lowest = fmin(lowest, now[3 * i + 1]);
    }
    assert_true(lowest < -0.5);
    for (size_t row = 0; row < 21; row++) // every second vertex is one of the old
        for (size_t column = 0; column < 21; column++)
            for (size_t k = 0; k < 3; k++)
                assert_near(now[3 * (82 * row + 2 * column) + k], positions[3 * (21 * row + column) + k], 1e-14);
    mean_motion(world, id, after);
    double speed = sqrt(before[0] * before[0] + before[1] * before[1] + before[2] * before[2]);
    assert_true(speed > 0.05);
    for (int k = 0; k < 3; k++)
        assert_near(after[k], before[k], 0.05 * speed);

    // It goes on without a jump: in the next step nothing moves farther than it would have.
    double start[3 * 41 * 41], farthest = 0;
    memcpy(start, now, sizeof start);
    fixture_step(world, 1);
    now = tide_world_positions(world, id);
    for (size_t i = 0; i < 3 * 41 * 41; i++)
        farthest = fmax(farthest, fabs(now[i] - start[i]));
    assert_true(farthest < 0.25);
    // And reset goes to the description.
    assert_ok(tide_world_reset(world, &error), error);
    now = tide_world_positions(world, id);
    for (size_t i = 0; i < 41 * 41; i++)
        assert_near(now[3 * i + 1], 0, 0);
    tide_bvh_destroy(&bvh);
    tide_mesh_release(mesh);
    tide_world_destroy(world);
}

static void test_pins_take_their_places(void **state)
{
    (void)state;
    const double aside[3] = { -0.2, 0.1, 0 };
    tide_world *old = fixture_curtain(5, NULL);
    tide_body_id id = tide_world_find_body(old, "curtain");
    assert_ok(tide_world_move_pin(old, id, 0, aside, &error), error);
    fixture_step(old, 10);
    double side[3]; // between two vertices of the free edge
    const double *x = tide_world_positions(old, id);
    for (size_t k = 0; k < 3; k++)
        side[k] = 0.5 * (x[3 * 20 + k] + x[3 * 21 + k]);
    double third[3] = { 7, 7, 7 };

    tide_world *world = fixture_curtain(9, old);
    assert_ok(tide_world_pin(world, id, 73, TIDE_NOT_GIVEN, &error), error);
    assert_ok(tide_world_pin(world, id, 80, TIDE_NOT_GIVEN, &error), error);
    assert_ok(tide_world_move_pin(world, id, 80, third, &error), error); // by the new script itself
    tide_reconciliation reconciliation;
    assert_ok(tide_world_reconcile(world, old, &reconciliation, &error), error);
    tide_world_destroy(old);
    fixture_step(world, 1);
    const double *now = tide_world_positions(world, id), corner[3] = { 1, 0, 0 };
    for (size_t k = 0; k < 3; k++) {
        assert_near(now[k], aside[k], 0);              // where it was moved to
        assert_near(now[3 * 8 + k], corner[k], 1e-15); // where it was
        assert_near(now[3 * 73 + k], side[k], 1e-14);  // new: where its vertex is
        assert_near(now[3 * 80 + k], third[k], 0);
    }
    tide_world_destroy(world);
}

static void test_strands_and_solids_go_on(void **state)
{
    (void)state;
    const tide_mesh *meshes[][2] = { { strand(12), strand(45) }, { box(2), box(3) }, { box(3), box(1) } };
    for (size_t m = 0; m < 3; m++) {
        tide_world *old = fixture_world(NULL, NULL);
        tide_body_id id = add(old, meshes[m][0]);
        assert_ok(tide_world_pin(old, id, 0, TIDE_NOT_GIVEN, &error), error);
        fixture_step(old, 20);
        double before[3], after[3], lower[2] = { 0, 0 };
        mean_motion(old, id, before);
        const double *x = tide_world_positions(old, id);
        for (size_t i = 0; i < meshes[m][0]->vertex_count; i++)
            lower[0] = fmin(lower[0], x[3 * i + 1]);
        tide_world *world = fixture_world(NULL, old);
        add(world, meshes[m][1]);
        assert_ok(tide_world_pin(world, id, 0, TIDE_NOT_GIVEN, &error), error);
        tide_reconciliation reconciliation;
        assert_ok(tide_world_reconcile(world, old, &reconciliation, &error), error);
        tide_world_destroy(old);
        mean_motion(world, id, after);
        x = tide_world_positions(world, id);
        for (size_t i = 0; i < meshes[m][1]->vertex_count; i++)
            lower[1] = fmin(lower[1], x[3 * i + 1]);
        assert_true(lower[0] < -0.3);
        assert_near(lower[1], lower[0], 1e-12);
        double speed = sqrt(before[0] * before[0] + before[1] * before[1] + before[2] * before[2]);
        print_message("          %u -> %u vertices: mean velocity %.4f m/s, changed by %.2g\n",
                      meshes[m][0]->vertex_count, meshes[m][1]->vertex_count, speed,
                      sqrt(pow(after[0] - before[0], 2) + pow(after[1] - before[1], 2) + pow(after[2] - before[2], 2)));
        for (int k = 0; k < 3; k++)
            assert_near(after[k], before[k], 0.1 * speed);
        fixture_step(world, 5);
        tide_world_destroy(world);
        tide_mesh_release(meshes[m][0]);
        tide_mesh_release(meshes[m][1]);
    }
}

// --- failing ---------------------------------------------------------------------------------------------------------

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    const tide_mesh *meshes[][2] = { { fixture_grid(3, 3), fixture_grid(5, 5) },
                                     { strand(3), strand(5) },
                                     { box(1), box(2) } };
    for (size_t m = 0; m < 3; m++) {
        uint64_t blocks = tide_memory_count().blocks;
        tide_status status = TIDE_ERROR_MEMORY;
        uint64_t n = 0;
        while (status != TIDE_OK) {
            tide_reshape *reshape = NULL;
            failing_allocation failing = { .left = n++ };
            tide_memory_set_failure_hook(fail_in_turn, &failing);
            status = tide_reshape_create(meshes[m][0], meshes[m][1], &reshape, &error);
            tide_memory_set_failure_hook(NULL, NULL);
            assert_true(status == TIDE_OK || status == TIDE_ERROR_MEMORY);
            assert_true((reshape != NULL) == (status == TIDE_OK));
            tide_reshape_destroy(reshape);
            assert_int_equal(tide_memory_count().blocks, blocks);
        }
        assert_true(n > 4);
        tide_mesh_release(meshes[m][0]);
        tide_mesh_release(meshes[m][1]);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_rigid_motions_come_out_exactly),
    cmocka_unit_test(test_affine_motions_come_out_exactly_within),
    cmocka_unit_test(test_what_is_off_the_surface_keeps_its_distance),
    cmocka_unit_test(test_velocities_are_the_derivatives_of_positions),
    cmocka_unit_test(test_what_is_not_covered),
    cmocka_unit_test(test_lone_vertices_and_flat_triangles),
    cmocka_unit_test(test_sheets_with_threads),
    cmocka_unit_test(test_a_curtain_becomes_finer),
    cmocka_unit_test(test_pins_take_their_places),
    cmocka_unit_test(test_strands_and_solids_go_on),
    cmocka_unit_test(test_every_allocation_may_fail),
};
TIDE_TEST_SUITE(world_reshape, tests)
