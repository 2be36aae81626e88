// Isosurface stuffing: angles within the paper's bounds, conforming, manifold, of the right volume.
#include "../mesh/mesh_tests.h"
#include "geometry/tetrahedralize.h"
#include "mesh/connectivity.h"

#include "base/parallel.h"
#include "base/vec3.h"

#include <math.h>

static const double pi = 3.14159265358979323846, origin[3] = { 0 };

// --- shapes

// The maker's last two arguments are added.
#define MAKE(distance, maker, ...)                                                                                     \
    do {                                                                                                               \
        tide_error error_;                                                                                             \
        assert_ok(maker(__VA_ARGS__, &(distance), &error_), error_);                                                   \
    } while (0)

static double draw(tide_random *random, double scale)
{
    return scale * (2 * tide_random_uniform(random) - 1);
}

static const tide_distance *make_sphere(double x, double radius)
{
    const tide_distance *distance = NULL;
    MAKE(distance, tide_distance_sphere, (const double[3]) { x, 0, 0 }, radius);
    return distance;
}

static const tide_distance *join(const tide_distance **parts, uint32_t count, double blend)
{
    const tide_distance *distance = NULL;
    MAKE(distance, tide_distance_union, parts, count, blend);
    for (uint32_t i = 0; i < count; i++)
        tide_distance_release(parts[i]);
    return distance;
}

static const tide_distance *turned(const tide_distance *of, tide_random *random)
{
    const tide_distance *distance = NULL;
    const double axis[3] = { draw(random, 1), draw(random, 1), draw(random, 1) };
    MAKE(distance, tide_distance_rotate, of, axis, draw(random, 3));
    tide_distance_release(of);
    return distance;
}

static const tide_distance *draw_box(tide_random *random, double thickness)
{
    const tide_distance *box = NULL;
    const double size[3] = { 1 + draw(random, 0.5), 1 + draw(random, 0.5), thickness };
    MAKE(box, tide_distance_box, size, 0);
    return turned(box, random);
}

static const tide_distance *draw_torus(tide_random *random)
{
    const tide_distance *torus = NULL;
    const double axis[3] = { draw(random, 1), draw(random, 1), 0.3 };
    MAKE(torus, tide_distance_torus, origin, axis, 0.6, 0.2);
    return torus;
}

// Spheres, or bars from anywhere to anywhere that are thinner than the cell.
static const tide_distance *draw_blob(tide_random *random, double blend, double bar)
{
    const tide_distance *parts[10];
    for (int i = 0; i < 10; i++) {
        const double from[3] = { draw(random, 0.6), draw(random, 0.6), draw(random, 0.6) };
        const double to[3] = { draw(random, 0.6), draw(random, 0.6), draw(random, 0.6) };
        if (bar > 0)
            MAKE(parts[i], tide_distance_capsule, from, to, bar);
        else
            MAKE(parts[i], tide_distance_sphere, from, 0.1 + 0.2 * tide_random_uniform(random));
    }
    return join(parts, 10, blend);
}

// Waves about as long as the cell: no distance at all, but every case of the stencils and of touching parts.
typedef struct waves {
    tide_distance base;
    double wave[10][4];
} waves;

static double waves_at(const tide_distance *distance, const double p[3], double gradient[3])
{
    const waves *self = (const waves *)distance;
    double sum = 0, most = fmax(fabs(p[0]), fmax(fabs(p[1]), fabs(p[2])));
    (void)gradient;
    for (int i = 0; i < 10; i++) {
        const double *w = self->wave[i];
        sum += sin(w[0] * p[0] + w[1] * p[1] + w[2] * p[2] + w[3]);
    }
    return most > 0.45 ? fmax(sum, 1) : sum;
}

static const tide_distance_kind waves_kind = { .name = "waves", .at = waves_at };

static const tide_distance *draw_waves(tide_random *random, double most)
{
    waves *self = (waves *)tide_distance_allocate(&waves_kind, sizeof *self);
    double steepness = most * (0.2 + 0.8 * tide_random_uniform(random));
    for (int k = 0; k < 3; k++) {
        self->base.lower[k] = -0.5;
        self->base.upper[k] = 0.5;
    }
    self->base.steepest = 1e9;
    for (int i = 0; i < 10; i++)
        for (int k = 0; k < 4; k++)
            self->wave[i][k] = draw(random, k < 3 ? steepness : pi);
    return &self->base;
}

static tide_mesh *tetrahedralize(const tide_distance *distance, double cell, int vertices, int keep)
{
    const tide_mesh_tetrahedralize_def def = { cell, vertices, keep };
    tide_mesh *mesh = NULL;
    tide_error error;
    assert_ok(tide_mesh_tetrahedralize(distance, &def, &mesh, &error), error);
    return mesh;
}

// --- what must hold of every mesh

// Dihedral angles at all six edges of all tetrahedra, in degrees.
static void measure_angles(const tide_mesh *mesh, double *least, double *most)
{
    for (uint32_t t = 0; t < mesh->tetrahedron_count; t++)
        for (int i = 0; i < 4; i++)
            for (int j = i + 1; j < 4; j++) {
                tide_vec3 v[4], others[2];
                int found = 0;
                for (int k = 0; k < 4; k++)
                    v[k] = tide_vec3_load(mesh->vertices + 3 * (size_t)mesh->tetrahedra[4 * t + (uint32_t)k]);
                tide_vec3 edge = tide_vec3_normalize(tide_vec3_subtract(v[j], v[i]));
                for (int k = 0; k < 4; k++)
                    if (k != i && k != j) {
                        tide_vec3 d = tide_vec3_subtract(v[k], v[i]);
                        others[found++] = tide_vec3_subtract(d, tide_vec3_scale(edge, tide_vec3_dot(d, edge)));
                    }
                double angle =
                    180 / pi *
                    atan2(tide_vec3_length(tide_vec3_cross(others[0], others[1])), tide_vec3_dot(others[0], others[1]));
                *least = fmin(*least, angle);
                *most = fmax(*most, angle);
            }
}

// No face is of more than two tetrahedra.
static void assert_faces_shared_by_two(const tide_mesh *mesh)
{
    static const int sides[4][3] = { { 1, 2, 3 }, { 0, 2, 3 }, { 0, 1, 3 }, { 0, 1, 2 } };
    uint32_t count = 4 * mesh->tetrahedron_count;
    uint32_t *faces = tide_allocate_array(count, 3 * sizeof *faces);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < 3; k++)
            faces[3 * i + k] = mesh->tetrahedra[4 * (i / 4) + (uint32_t)sides[i % 4][k]];
    uint32_t *order = tide_mesh_order_tuples(faces, 3, count, mesh->vertex_count), alone = 0;
    for (uint32_t i = 0; i < count;) {
        uint32_t same = 1;
        while (i + same < count && tide_mesh_same_tuple(faces + 3 * order[i], faces + 3 * order[i + same], 3))
            same++;
        assert_true(same <= 2);
        alone += same == 1;
        i += same;
    }
    assert_int_equal(alone, mesh->triangle_count);
    tide_free(order);
    tide_free(faces);
}

// The triangles around each vertex are one ring: as many as one gets to from the first over edges at the vertex.
static void assert_one_ring_each(const tide_mesh *mesh)
{
    uint32_t *starts = tide_allocate_zeroed(mesh->vertex_count + 2, 4), *of = tide_allocate(12 * mesh->triangle_count);
    for (uint32_t i = 0; i < 3 * mesh->triangle_count; i++)
        starts[mesh->triangles[i] + 2]++;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        starts[v + 2] += starts[v + 1];
    for (uint32_t i = 0; i < 3 * mesh->triangle_count; i++)
        of[starts[mesh->triangles[i] + 1]++] = i;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t count = starts[v + 1] - starts[v], steps = 0, at = count ? of[starts[v]] : 0;
        if (count == 0)
            continue;
        const uint32_t first = at;
        do { // to the triangle whose corner after v is this one's corner before v
            uint32_t before = mesh->triangles[at - at % 3 + (at % 3 + 2) % 3], next = UINT32_MAX;
            for (uint32_t i = starts[v]; i < starts[v + 1]; i++)
                if (mesh->triangles[of[i] - of[i] % 3 + (of[i] % 3 + 1) % 3] == before)
                    next = of[i];
            assert_true(next != UINT32_MAX);
            at = next;
        } while (++steps < count && at != first);
        assert_true(steps == count && at == first);
    }
    tide_free(starts);
    tide_free(of);
}

// Nor are there problems of other kinds.
static void assert_no_double_vertices(const tide_mesh *mesh)
{
    tide_mesh_report report;
    tide_error error;
    assert_ok(tide_mesh_check(mesh, &report, &error), error);
    for (uint32_t i = 0; i < report.problem_count; i++)
        fail_msg("%s", report.problems[i].text);
}

static void assert_sound(const tide_mesh *mesh, double cell)
{
    assert_no_double_vertices(mesh);
    double least = 180, most = 0;
    for (uint32_t t = 0; t < mesh->tetrahedron_count; t++)
        assert_true(tide_mesh_tetrahedron_volume(mesh->vertices, mesh->tetrahedra + 4 * (size_t)t) >
                    1e-4 * cell * cell * cell);
    measure_angles(mesh, &least, &most);
    assert_true(least >= 10.7 && most <= 164.8);
    assert_faces_shared_by_two(mesh);
    assert_closed(mesh);
    assert_one_ring_each(mesh);
    double volume = total_volume(mesh);
    assert_near(enclosed_volume(mesh), volume, 1e-12 * fmax(volume, 1));
}

// Largest value on the surface.
static double furthest(const tide_mesh *mesh, const tide_distance *distance)
{
    double most = 0;
    for (uint32_t i = 0; i < 3 * mesh->triangle_count; i++)
        most = fmax(most, fabs(tide_distance_at(distance, mesh->vertices + 3 * (size_t)mesh->triangles[i], NULL)));
    return most;
}

// Vertices - edges + faces - tetrahedra.
static int characteristic(const tide_mesh *mesh)
{
    uint32_t faces = (4 * mesh->tetrahedron_count + mesh->triangle_count) / 2;
    return (int)(mesh->vertex_count + faces) - (int)(mesh->edge_count + mesh->tetrahedron_count);
}

// --- tests

static const tide_distance *draw_shape(int kind, tide_random *random)
{
    switch (kind) {
    case 0:
        return make_sphere(draw(random, 1), 0.3 + 0.2 * tide_random_uniform(random));
    case 1:
        return draw_box(random, 0.8);
    case 2:
        return draw_torus(random);
    case 3:
        return draw_blob(random, 0.1, 0); // smooth
    case 4:
        return draw_blob(random, 0, 0); // with creases
    case 5:
        return draw_blob(random, 0, 0.03); // bars
    case 6:
        return draw_box(random, 0.05); // a sheet
    default:
        return draw_waves(random, 60);
    }
}

static void test_every_shape_is_sound(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(20);
    const int trials = (int)tide_test_count(8, 3);
    for (int kind = 0; kind < 8; kind++) {
        int meshes = 0;
        for (int trial = 0; trial < trials; trial++) {
            const tide_distance *distance = draw_shape(kind, &random);
            double cell = 0.04 + 0.06 * tide_random_uniform(&random);
            const tide_mesh_tetrahedralize_def def = { cell, 0, trial % 2 };
            tide_mesh *mesh = NULL;
            tide_error error;
            // Thin shapes may fall between all points.
            if (tide_mesh_tetrahedralize(distance, &def, &mesh, &error) == TIDE_OK) {
                meshes++;
                assert_sound(mesh, cell);
                if (kind <= 2)
                    assert_true(furthest(mesh, distance) < 1e-9);
                if (kind <= 1)
                    assert_int_equal(characteristic(mesh), 1);
                if (kind == 2)
                    assert_int_equal(characteristic(mesh), 0);
            } else
                assert_true(kind == 5 || kind == 6);
            tide_mesh_release(mesh);
            tide_distance_release(distance);
        }
        assert_true(meshes >= (kind == 5 || kind == 6 ? trials / 4 : trials));
    }
}

static double volume_error(const tide_distance *distance, double cell, double volume)
{
    tide_mesh *mesh = tetrahedralize(distance, cell, 0, TIDE_MESH_KEEP_ALL);
    double off = fabs(total_volume(mesh) / volume - 1);
    tide_mesh_release(mesh);
    return off;
}

// The error of the volume goes down with the square of the cell.
static void test_volume_of_round_shapes(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(21);
    const tide_distance *sphere = make_sphere(0.123, 0.7), *torus = draw_torus(&random);
    double coarse = volume_error(sphere, 0.12, 4 * pi / 3 * 0.343),
           fine = volume_error(sphere, 0.03, 4 * pi / 3 * 0.343);
    assert_true(fine < 1e-3);
    assert_near(log2(coarse / fine) / 2, 2, 0.3);
    coarse = volume_error(torus, 0.08, 2 * pi * pi * 0.6 * 0.04);
    fine = volume_error(torus, 0.02, 2 * pi * pi * 0.6 * 0.04);
    assert_true(fine < 5e-3);
    assert_near(log2(coarse / fine) / 2, 2, 0.3);
    tide_distance_release(sphere);
    tide_distance_release(torus);
}

// A box of whole cells is met exactly, edges and corners included.
static void test_box_of_whole_cells(void **state)
{
    (void)state;
    const tide_distance *box = NULL;
    const double size[3] = { 1, 0.6, 0.8 };
    MAKE(box, tide_distance_box, size, 0);
    tide_mesh *mesh = tetrahedralize(box, 0.1, 0, TIDE_MESH_KEEP_ALL);
    assert_near(total_volume(mesh), 0.48, 1e-12);
    double lower[3], upper[3];
    tide_mesh_bounds(mesh, lower, upper);
    for (int k = 0; k < 3; k++) {
        assert_near(upper[k], 0.5 * size[k], 1e-12);
        assert_near(lower[k], -0.5 * size[k], 1e-12);
    }
    assert_sound(mesh, 0.1);
    tide_mesh_release(mesh);
    tide_distance_release(box);
}

static void test_from_a_closed_surface(void **state)
{
    (void)state;
    tide_mesh *box = make_box(1, 0.5, 0.7, 2, 2, 2);
    const tide_distance *distance = NULL;
    tide_error error;
    assert_ok(tide_distance_mesh(box, &distance, &error), error);
    tide_mesh *mesh = tetrahedralize(distance, TIDE_NOT_GIVEN, 0, TIDE_MESH_KEEP_ALL);
    assert_sound(mesh, 0.05);
    assert_true(furthest(mesh, distance) < 1e-9);
    assert_near(total_volume(mesh), 0.35, 0.005);
    tide_mesh *same = NULL;
    assert_ok(tide_mesh_tetrahedralize(distance, NULL, &same, &error), error); // the defaults
    assert_same_mesh(mesh, same);
    tide_mesh_release(same);
    tide_mesh_release(mesh);
    tide_distance_release(distance);
    tide_mesh_release(box);
}

// The conclusion drawn from the centre of a block agrees with the value at each of its points.
static double slow_sphere_at(const tide_distance *distance, const double p[3], double gradient[3])
{
    (void)distance;
    (void)gradient;
    return sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) - 0.5;
}

static const tide_distance_kind slow_kind = { .name = "sphere", .at = slow_sphere_at };

static void test_skipping_changes_nothing(void **state)
{
    (void)state;
    const tide_distance *sphere = make_sphere(0, 0.5);
    tide_distance *slow = tide_distance_allocate(&slow_kind, sizeof *slow);
    memcpy(slow->lower, sphere->lower, sizeof slow->lower);
    memcpy(slow->upper, sphere->upper, sizeof slow->upper);
    slow->steepest = 1e9; // then no block is far from the surface
    tide_mesh *a = tetrahedralize(sphere, 0.043, 0, TIDE_MESH_KEEP_ALL);
    tide_mesh *b = tetrahedralize(slow, 0.043, 0, TIDE_MESH_KEEP_ALL);
    assert_true(a->topology_hash == b->topology_hash);
    for (uint32_t i = 0; i < 3 * a->vertex_count; i++)
        assert_near(a->vertices[i], b->vertices[i], 1e-10);
    tide_mesh_release(a);
    tide_mesh_release(b);
    tide_distance_release(sphere);
    tide_distance_release(slow);
}

static void test_same_for_any_threads(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(22);
    const tide_distance *blob = draw_blob(&random, 0.05, 0);
    tide_mesh *one = tetrahedralize(blob, 0.04, 0, TIDE_MESH_KEEP_ALL);
    for (int threads = 1; threads <= 4; threads++) {
        tide_set_threads(threads);
        tide_mesh *other = tetrahedralize(blob, 0.04, 0, TIDE_MESH_KEEP_ALL);
        assert_same_mesh(one, other);
        tide_mesh_release(other);
    }
    tide_set_threads(1);
    tide_mesh_release(one);
    tide_distance_release(blob);
}

static void test_wanted_size(void **state)
{
    (void)state;
    const int sizes[] = { 300, 2387, 6834, 28390 };
    tide_random random = tide_random_seed(23);
    const uint32_t count = tide_test_count(sizeof sizes / sizeof sizes[0], 2);
    for (uint32_t i = 0; i < count; i++)
        for (int kind = 0; kind < 4; kind++) {
            const tide_distance *distance = draw_shape(kind, &random);
            tide_mesh *mesh = tetrahedralize(distance, TIDE_NOT_GIVEN, sizes[i], TIDE_MESH_KEEP_ALL);
            assert_near(mesh->vertex_count, sizes[i], 0.03 * sizes[i]);
            tide_mesh_release(mesh);
            tide_distance_release(distance);
        }
}

static void test_keep_largest(void **state)
{
    (void)state;
    const tide_distance *parts[3] = { make_sphere(0, 0.3), make_sphere(1, 0.4), make_sphere(2, 0.2) };
    const tide_distance *all = join(parts, 3, 0);
    tide_mesh *three = tetrahedralize(all, 0.08, 0, TIDE_MESH_KEEP_ALL);
    tide_mesh *one = tetrahedralize(all, 0.08, 0, TIDE_MESH_KEEP_LARGEST);
    assert_int_equal(characteristic(three), 3);
    assert_int_equal(characteristic(one), 1);
    double lower[3], upper[3];
    tide_mesh_bounds(one, lower, upper);
    assert_true(lower[0] > 0.5 && upper[0] < 1.5);
    assert_near(total_volume(one), 4 * pi / 3 * 0.064, 0.01);
    tide_mesh_release(three);
    tide_mesh_release(one);
    tide_distance_release(all);
}

// Two cubes that touch along an edge: each gets vertices of its own there.
static void test_parts_that_touch(void **state)
{
    (void)state;
    const tide_distance *box = NULL, *parts[2] = { NULL, NULL };
    MAKE(box, tide_distance_box, (const double[3]) { 1, 1, 1 }, 0);
    MAKE(parts[0], tide_distance_translate, box, (const double[3]) { 0.5, 0.5, 0 });
    MAKE(parts[1], tide_distance_translate, box, (const double[3]) { -0.5, -0.5, 0 });
    tide_distance_release(box);
    const tide_distance *both = join(parts, 2, 0);
    tide_mesh *mesh = tetrahedralize(both, 0.25, 0, TIDE_MESH_KEEP_ALL);
    assert_sound(mesh, 0.25);
    assert_near(total_volume(mesh), 2, 1e-4);
    assert_int_equal(characteristic(mesh), 2);
    uint32_t on_edge = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const double *p = mesh->vertices + 3 * v;
        bool near = fabs(p[0]) + fabs(p[1]) < 1e-3;
        on_edge += near;
        assert_true(!near || (p[0] * p[1] > 0 && fabs(p[0] + p[1]) > 1e-5)); // in its own box
    }
    assert_int_equal(on_edge, 10);
    tide_mesh_release(mesh);
    tide_distance_release(both);
}

static double nowhere_at(const tide_distance *distance, const double p[3], double gradient[3])
{
    (void)distance;
    (void)gradient;
    return p[0] > 0.1 ? (double)NAN : p[1] - 0.2;
}

static const tide_distance_kind nowhere_kind = { .name = "nowhere", .at = nowhere_at };

static void assert_refused(const tide_distance *distance, tide_mesh_tetrahedralize_def def, const char *part)
{
    tide_mesh *mesh = NULL;
    tide_error error;
    assert_fails(tide_mesh_tetrahedralize(distance, &def, &mesh, &error), error, part);
    assert_null(mesh);
}

static void test_refusals(void **state)
{
    (void)state;
    const tide_mesh_tetrahedralize_def initial = { TIDE_NOT_GIVEN, 0, 0 };
    const tide_distance *sphere = make_sphere(0, 1), *plane = NULL, *empty = NULL;
    assert_refused(sphere, (tide_mesh_tetrahedralize_def) { 0, 0, 0 }, "mesh tetrahedralize: cell = 0");
    assert_refused(sphere, (tide_mesh_tetrahedralize_def) { -1, 0, 0 }, "cell = -1");
    assert_refused(sphere, (tide_mesh_tetrahedralize_def) { INFINITY, 0, 0 }, "cell = inf");
    assert_refused(sphere, (tide_mesh_tetrahedralize_def) { 5, 0, 0 }, "use a smaller cell");
    assert_refused(sphere, (tide_mesh_tetrahedralize_def) { 1e-4, 0, 0 },
                   "the lattice has 1.6e+13 points; expected at most 20000000: use a cell of 0.009");
    assert_refused(sphere, (tide_mesh_tetrahedralize_def) { 1e-9, 0, 0 }, "expected at most 20000000");
    assert_refused(sphere, (tide_mesh_tetrahedralize_def) { TIDE_NOT_GIVEN, -3, 0 }, "vertices = -3");
    assert_refused(sphere, (tide_mesh_tetrahedralize_def) { TIDE_NOT_GIVEN, 10000000, 0 },
                   "vertices = 10000000: this needs a lattice of more than");
    assert_refused(sphere, (tide_mesh_tetrahedralize_def) { 0.1, 1000, 0 }, "the cell is given as well");
    assert_refused(sphere, (tide_mesh_tetrahedralize_def) { TIDE_NOT_GIVEN, 0, 2 }, "keep");
    MAKE(plane, tide_distance_plane, (const double[3]) { 0, 1, 0 }, 0);
    assert_refused(plane, initial, "the inside is unbounded along x; intersect it");
    const tide_distance *apart[2] = { sphere, make_sphere(3, 1) };
    MAKE(empty, tide_distance_intersection, apart, 2, 0);
    assert_refused(empty, initial, "nothing is inside");
    tide_distance *nowhere = tide_distance_allocate(&nowhere_kind, sizeof *nowhere);
    for (int k = 0; k < 3; k++)
        nowhere->upper[k] = 1;
    assert_refused(nowhere, initial, "expected finite numbers");
    tide_distance_release(sphere);
    tide_distance_release(plane);
    tide_distance_release(empty);
    tide_distance_release(apart[1]);
    tide_distance_release(nowhere);
}

static void test_memory_failures(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(24);
    const tide_distance *rough = draw_waves(&random, 20);
    const tide_mesh_tetrahedralize_def by_cell = { 0.2, 0, TIDE_MESH_KEEP_LARGEST };
    const tide_mesh_tetrahedralize_def by_size = { TIDE_NOT_GIVEN, 100, 0 };
    tide_mesh *mesh = NULL;
    tide_error error;
    assert_survives_failures(tide_mesh_tetrahedralize(rough, &by_cell, &mesh, &error), tide_mesh_release(mesh), 20);
    assert_survives_failures(tide_mesh_tetrahedralize(rough, &by_size, &mesh, &error), tide_mesh_release(mesh), 20);
    tide_distance_release(rough);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_every_shape_is_sound),
    cmocka_unit_test(test_volume_of_round_shapes),
    cmocka_unit_test(test_box_of_whole_cells),
    cmocka_unit_test(test_from_a_closed_surface),
    cmocka_unit_test(test_skipping_changes_nothing),
    cmocka_unit_test(test_same_for_any_threads),
    cmocka_unit_test(test_wanted_size),
    cmocka_unit_test(test_keep_largest),
    cmocka_unit_test(test_parts_that_touch),
    cmocka_unit_test(test_refusals),
    cmocka_unit_test(test_memory_failures),
};
TIDE_TEST_SUITE(geometry_tetrahedralize, tests)
