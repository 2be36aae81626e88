// Mending: repairs and their counts, parts that are left alone, and no findings of the doctor afterwards.
#include "mesh_tests.h"

#include "base/random.h"
#include "geometry/distance.h"

#include <math.h>

static const tide_mesh *mend(const tide_mesh *mesh, tide_mesh_mend_def def, tide_mesh_mending *did)
{
    const tide_mesh *mended = NULL;
    tide_error error;
    assert_ok(tide_mesh_mend(mesh, &def, &mended, did, &error), error);
    return mended;
}

static const tide_mesh_mend_def fix = { .scale = 1, .weld = TIDE_NOT_GIVEN, .fix = true };

static tide_mesh_report check(const tide_mesh *mesh)
{
    tide_mesh_report report;
    tide_error error;
    assert_ok(tide_mesh_check(mesh, &report, &error), error);
    return report;
}

static bool has(const tide_mesh_report *report, tide_mesh_problem_kind kind)
{
    for (uint32_t i = 0; i < report->problem_count; i++)
        if (report->problems[i].kind == kind)
            return true;
    return false;
}

static uint32_t below(tide_random *random, uint32_t bound)
{
    return tide_random_next(random) % bound;
}

static void turn(uint32_t *triangle)
{
    uint32_t second = triangle[1];
    triangle[1] = triangle[2];
    triangle[2] = second;
}

static void test_good_meshes_stay(void **state)
{
    (void)state;
    tide_mesh *meshes[] = { make_grid(6, 5, 1, 1, TIDE_DIAGONALS_BOTH), make_strand(5), make_box(1, 1, 1, 2, 3, 1) };
    for (int i = 0; i < 3; i++) {
        tide_mesh_mending did;
        const tide_mesh *mended = mend(meshes[i], fix, &did);
        assert_ptr_equal(mended, meshes[i]);
        const tide_mesh_mending nothing = { 0 };
        assert_memory_equal(&did, &nothing, sizeof did);
        tide_mesh_release(mended);
        tide_mesh_release(meshes[i]);
    }
}

static void test_scale_and_weld(void **state)
{
    (void)state;
    tide_mesh *strand = make_strand(3);
    tide_mesh_mending did;
    const tide_mesh *mended = mend(strand, (tide_mesh_mend_def) { .scale = 0.5, .weld = TIDE_NOT_GIVEN }, &did);
    for (int i = 0; i < 9; i++)
        assert_true(mended->vertices[i] == 0.5 * strand->vertices[i]);
    tide_mesh_release(mended);
    const double vertices[] = { 0, 0, 0, 1, 0, 0, 1.001, 0, 0, 2, 0, 0 };
    const uint32_t edges[] = { 0, 1, 1, 2, 2, 3 };
    tide_mesh *line = make_mesh(PARTS(vertices, .edges = edges, .edge_count = 3));
    mended = mend(line, (tide_mesh_mend_def) { .scale = 10, .weld = 0.02 }, &did);
    assert_int_equal(mended->vertex_count, 3);
    assert_int_equal(mended->edge_count, 2);
    assert_int_equal(did.joined_vertices, 1);
    assert_int_equal(did.joined_elements, 1);
    tide_mesh_release(mended);
    tide_error error;
    tide_mesh_mend_def bad = { .scale = -1, .weld = TIDE_NOT_GIVEN };
    assert_int_equal(tide_mesh_mend(line, &bad, &mended, NULL, &error), TIDE_ERROR_ARGUMENT);
    assert_string_equal(error.field, "scale");
    bad = (tide_mesh_mend_def) { .scale = 1, .weld = 1e3 };
    assert_int_equal(tide_mesh_mend(line, &bad, &mended, NULL, &error), TIDE_ERROR_ARGUMENT);
    tide_mesh_release(line);
    tide_mesh_release(strand);
}

// A sheet cut into triangles that share nothing, some turned, with copies, flat ones and lone vertices: mended, it is
// the sheet.
static void test_shattered_sheet(void **state)
{
    (void)state;
    tide_mesh *sheet = make_grid(7, 6, 6, 5, TIDE_DIAGONALS_ALTERNATING);
    uint32_t count = sheet->triangle_count, turned = 0, copies = 0;
    double *vertices = tide_allocate_array(3 * (size_t)count + 5, 3 * sizeof(double));
    uint32_t *triangles = tide_allocate_array(2 * (size_t)count + 1, 3 * sizeof(uint32_t));
    tide_random random = tide_random_seed(7);
    for (uint32_t i = 0; i < 3 * count; i++) {
        memcpy(vertices + 3 * i, sheet->vertices + 3 * sheet->triangles[i], 3 * sizeof(double));
        triangles[i] = i;
    }
    uint32_t total = count;
    for (uint32_t i = 0; i < count; i++) {
        if (below(&random, 3) == 0) {
            turn(triangles + 3 * i);
            turned++;
        }
        if (below(&random, 4) == 0) {
            memcpy(triangles + 3 * total++, triangles + 3 * i, 3 * sizeof(uint32_t));
            copies++;
        }
    }
    for (uint32_t i = 0; i < 5; i++) {
        const double p[3] = { 0.5 + i, 1, 0.25 };
        memcpy(vertices + 3 * (3 * count + i), p, sizeof p);
    }
    // Three of the five on a line, and two that nothing uses.
    const uint32_t flat[3] = { 3 * count, 3 * count + 1, 3 * count + 2 };
    memcpy(triangles + 3 * total++, flat, sizeof flat);
    tide_mesh *bad = make_mesh((tide_mesh_parts) {
        .vertices = vertices, .vertex_count = 3 * count + 5, .triangles = triangles, .triangle_count = total });
    tide_mesh_mending did;
    const tide_mesh *mended = mend(bad, fix, &did);
    assert_int_equal(mended->vertex_count, sheet->vertex_count);
    assert_int_equal(mended->edge_count, sheet->edge_count);
    assert_int_equal(mended->triangle_count, count);
    assert_int_equal(did.joined_vertices, 3 * count - sheet->vertex_count);
    assert_int_equal(did.dropped_vertices, 5);
    assert_int_equal(did.duplicate_elements, copies);
    assert_int_equal(did.flat_elements, 1);
    assert_int_equal(did.turned_triangles, turned); // fewer than half
    tide_mesh_report report = check(mended);
    assert_int_equal(report.problem_count, 0);
    for (uint32_t i = 0; i < count; i++) { // all up, as the sheet's
        const uint32_t *t = mended->triangles + 3 * i;
        const double *a = mended->vertices + 3 * t[0], *b = mended->vertices + 3 * t[1],
                     *c = mended->vertices + 3 * t[2];
        assert_true((b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]) > 0);
    }
    tide_mesh_release(mended);
    tide_mesh_release(bad);
    tide_mesh_release(sheet);
    tide_free(vertices);
    tide_free(triangles);
}

// Closed surfaces in random disorder end outward; a hollow within keeps facing into the hollow.
static void test_outward(void **state)
{
    (void)state;
    tide_mesh *outer = make_box(3, 3, 3, 3, 3, 3), *inner = make_box(1, 1, 1, 2, 2, 2);
    uint32_t first = outer->vertex_count, count = outer->triangle_count + inner->triangle_count;
    double vertices[3 * 200];
    uint32_t triangles[3 * 400];
    assert_true(first + inner->vertex_count < 200 && count < 400);
    memcpy(vertices, outer->vertices, 24 * first);
    memcpy(vertices + 3 * first, inner->vertices, 24 * inner->vertex_count);
    for (int hollow = 0; hollow < 2; hollow++) {
        memcpy(triangles, outer->triangles, 12 * outer->triangle_count);
        for (uint32_t i = 0; i < 3 * inner->triangle_count; i++)
            triangles[3 * outer->triangle_count + i] = inner->triangles[i] + first;
        tide_random random = tide_random_seed(3);
        for (uint32_t i = 0; i < count; i++) {
            bool inward = i >= outer->triangle_count && hollow;
            if (inward != (below(&random, i < outer->triangle_count ? 2 : 5) == 0))
                turn(triangles + 3 * i);
        }
        tide_mesh *bad = make_mesh((tide_mesh_parts) { .vertices = vertices,
                                                       .vertex_count = first + inner->vertex_count,
                                                       .triangles = triangles,
                                                       .triangle_count = count });
        tide_mesh_report report = check(bad);
        assert_true(has(&report, TIDE_MESH_MIXED_ORIENTATION));
        const tide_mesh *mended = mend(bad, fix, NULL);
        report = check(mended);
        for (uint32_t i = 0; i < report.problem_count; i++) // the inner vertices of the boxes
            assert_int_equal(report.problems[i].kind, TIDE_MESH_ISOLATED_VERTEX);
        assert_near(enclosed_volume(mended), hollow ? 26 : 28, 1e-12);
        tide_mesh_release(mended);
        tide_mesh_release(bad);
    }
    tide_mesh_release(outer);
    tide_mesh_release(inner);
}

static void test_flat_tetrahedra(void **state)
{
    (void)state;
    // A flat tetrahedron on a face of a good one, and a triangle that belongs to neither.
    const double vertices[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0, 5, 0, 0 };
    const uint32_t tetrahedra[] = { 0, 1, 2, 3, 1, 2, 4, 0 },
                   edges[] = { 0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3, 1, 4, 2, 4, 0, 4, 4, 5 };
    const uint32_t triangles[] = { 0, 1, 3, 0, 3, 2, 1, 2, 3, 1, 4, 2, 0, 4, 1, 0, 2, 4, 1, 5, 4 };
    tide_mesh *mesh = make_mesh(PARTS(vertices, .tetrahedra = tetrahedra, .tetrahedron_count = 2, .edges = edges,
                                      .edge_count = 10, .triangles = triangles, .triangle_count = 7));
    tide_mesh_mending did;
    const tide_mesh *mended = mend(mesh, fix, &did);
    assert_int_equal(did.flat_elements, 1);
    assert_int_equal(did.dropped_vertices, 0);
    assert_int_equal(mended->tetrahedron_count, 1);
    assert_int_equal(mended->triangle_count, 5);
    assert_int_equal(mended->edge_count,
                     8); // without those of the flat one alone, (3, 5) and (1, 5); (2, 5) is a triangle's
    assert_near(total_volume(mended), 1.0 / 6, 1e-15);
    tide_mesh_release(mended);
    tide_mesh_release(mesh);
    const uint32_t flat[] = { 1, 2, 4, 0 };
    const double four[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0 };
    mesh = make_mesh(PARTS(four, .tetrahedra = flat, .tetrahedron_count = 1));
    tide_error error;
    assert_int_equal(tide_mesh_mend(mesh, &fix, &mended, NULL, &error), TIDE_ERROR_ARGUMENT);
    assert_string_equal(error.field, "fix");
    tide_mesh_release(mesh);
}

// A one-sided strip is not turned, and this is reported.
static void test_one_sided(void **state)
{
    (void)state;
    double strip[18];
    uint32_t sides[18];
    for (uint32_t i = 0; i < 3; i++) {
        double angle = 2 * 3.14159265358979 * i / 3;
        for (uint32_t k = 0; k < 2; k++) {
            double across = k ? 0.3 : -0.3, radius = 1 + across * cos(angle / 2);
            double *p = strip + 3 * (2 * i + k);
            p[0] = radius * cos(angle), p[1] = across * sin(angle / 2), p[2] = radius * sin(angle);
        }
        uint32_t a = 2 * i, b = 2 * i + 1, c = i < 2 ? a + 2 : 1, d = i < 2 ? a + 3 : 0;
        const uint32_t both[] = { a, b, c, b, d, c };
        memcpy(sides + 6 * i, both, sizeof both);
    }
    tide_mesh *mesh = make_mesh(PARTS(strip, .triangles = sides, .triangle_count = 6));
    tide_mesh_mending did;
    const tide_mesh *mended = mend(mesh, fix, &did);
    assert_ptr_equal(mended, mesh);
    assert_int_equal(did.unorientable_pieces, 1);
    tide_mesh_release(mended);
    tide_mesh_release(mesh);
}

// Random meshes: mending ends, no defect that it repairs is left, and mending again changes nothing.
static void test_random_rubbish(void **state)
{
    (void)state;
    uint32_t mended_count = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        tide_random random = tide_random_seed(seed);
        double vertices[3 * 12];
        uint32_t triangles[3 * 20], tetrahedra[4 * 6], triangle_count = 0, tetrahedron_count = 0;
        for (int i = 0; i < 36; i++)
            vertices[i] = (double)below(&random, 3);
        for (int i = 0; i < 20; i++) {
            uint32_t *t = triangles + 3 * triangle_count;
            for (int k = 0; k < 3; k++)
                t[k] = below(&random, 12);
            triangle_count += t[0] != t[1] && t[1] != t[2] && t[2] != t[0];
        }
        for (int i = 0; i < 6 && seed % 2; i++) {
            uint32_t *t = tetrahedra + 4 * tetrahedron_count;
            bool different = true;
            for (int k = 0; k < 4; k++) {
                t[k] = below(&random, 12);
                for (int j = 0; j < k; j++)
                    different = different && t[j] != t[k];
            }
            tetrahedron_count += different;
        }
        tide_mesh *mesh = make_mesh((tide_mesh_parts) { .vertices = vertices,
                                                        .vertex_count = 12,
                                                        .triangles = triangles,
                                                        .triangle_count = triangle_count,
                                                        .tetrahedra = tetrahedra,
                                                        .tetrahedron_count = tetrahedron_count });
        const tide_mesh *mended, *again;
        tide_error error;
        if (tide_mesh_mend(mesh, &fix, &mended, NULL, &error) == TIDE_OK) {
            tide_mesh_mending did;
            tide_mesh_report report = check(mended);
            mended_count++;
            assert_false(has(&report, TIDE_MESH_SEAM) || has(&report, TIDE_MESH_DUPLICATE_VERTEX) ||
                         has(&report, TIDE_MESH_ISOLATED_VERTEX) || has(&report, TIDE_MESH_ZERO_EDGE) ||
                         has(&report, TIDE_MESH_DUPLICATE_ELEMENT) || has(&report, TIDE_MESH_DEGENERATE_TETRAHEDRON) ||
                         has(&report, TIDE_MESH_INSIDE_OUT));
            assert_false(has(&report, TIDE_MESH_DEGENERATE_TRIANGLE));
            assert_ok(tide_mesh_mend(mended, &fix, &again, &did, &error), error);
            assert_ptr_equal(again, mended);
            tide_mesh_release(again);
            tide_mesh_release(mended);
        }
        tide_mesh_release(mesh);
    }
    assert_true(mended_count > 390);
}

// --- flat triangles of closed surfaces

typedef struct soup {
    double vertices[3 * 800];
    uint32_t triangles[3 * 1600];
    uint32_t vertex_count, triangle_count;
} soup;

// A new vertex on an edge of a triangle, which is split there; its neighbour is not, so that a flat triangle is
// between.
static void add_flat(soup *s, tide_random *random)
{
    uint32_t chosen = below(random, s->triangle_count), side = below(random, 3), v = s->vertex_count++;
    uint32_t *t = s->triangles + 3 * chosen, a = t[side], b = t[(side + 1) % 3], c = t[(side + 2) % 3];
    const double parts[5] = { 0.5, 0.25, 0.9, 1e-7, 0.333 };
    double part = parts[below(random, 5)];
    for (uint32_t k = 0; k < 3; k++)
        s->vertices[3 * v + k] = (1 - part) * s->vertices[3 * a + k] + part * s->vertices[3 * b + k];
    const uint32_t both[9] = { a, v, c, v, b, c, a, b, v };
    memcpy(t, both, 12);
    memcpy(s->triangles + 3 * s->triangle_count, both + 3, 24);
    s->triangle_count += 2;
}

static void take(soup *s, const tide_mesh *mesh)
{
    uint32_t *places = tide_allocate_array(mesh->vertex_count, sizeof *places);
    memset(places, 255, sizeof *places * mesh->vertex_count);
    s->vertex_count = 0;
    s->triangle_count = mesh->triangle_count;
    for (uint32_t i = 0; i < 3 * mesh->triangle_count; i++) { // without the inner vertices of boxes
        uint32_t v = mesh->triangles[i];
        if (places[v] == UINT32_MAX) {
            places[v] = s->vertex_count;
            memcpy(s->vertices + 3 * s->vertex_count++, mesh->vertices + 3 * v, 24);
        }
        s->triangles[i] = places[v];
    }
    tide_free(places);
}

static tide_mesh *make_of(const soup *s)
{
    return make_mesh((tide_mesh_parts) { .vertices = s->vertices,
                                         .vertex_count = s->vertex_count,
                                         .triangles = s->triangles,
                                         .triangle_count = s->triangle_count });
}

// Closed surfaces stay closed, of the same volume, and a distance takes them as before.
static void test_flat_triangles_of_closed_surfaces(void **state)
{
    (void)state;
    static soup s;
    for (uint64_t seed = 0; seed < 300; seed++) {
        tide_random random = tide_random_seed(seed);
        const tide_mesh_sphere_def def = { 1, 1 + (int)below(&random, 2) };
        tide_mesh *whole = NULL;
        tide_error error;
        if (seed % 2)
            whole = make_box(1, 1.5, 2, 1 + (int)below(&random, 3), 2, 1);
        else
            assert_ok(tide_mesh_sphere.build(&def, &whole, &error), error);
        take(&s, whole);
        double volume = enclosed_volume(whole);
        for (uint32_t i = 0, count = 1 + below(&random, 60); i < count; i++)
            add_flat(&s, &random);
        tide_mesh *bad = make_of(&s);
        assert_closed(bad);
        tide_mesh_report report = check(bad);
        assert_true(has(&report, TIDE_MESH_DEGENERATE_TRIANGLE));
        tide_mesh_mending did;
        const tide_mesh *mended = mend(bad, fix, &did);
        assert_true(did.flat_elements > 0);
        assert_closed(mended);
        report = check(mended);
        assert_false(has(&report, TIDE_MESH_DEGENERATE_TRIANGLE) || has(&report, TIDE_MESH_OPEN_SURFACE));
        assert_near(enclosed_volume(mended), volume, 1e-5);
        const tide_distance *distance = NULL;
        assert_ok(tide_distance_mesh(mended, &distance, &error), error);
        tide_distance_release(distance);
        tide_mesh_release(mended);
        tide_mesh_release(bad);
        tide_mesh_release(whole);
    }
}

// Vertices that were moved onto an edge across from them, or next to a neighbour: some folds cancel, and every edge
// keeps an even number of triangles.
static void test_collapsed_corners(void **state)
{
    (void)state;
    static soup s;
    uint32_t closed = 0, runs = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        tide_random random = tide_random_seed(1000 + seed);
        tide_mesh *whole = make_box(2, 2, 2, 3, 3, 3);
        take(&s, whole);
        for (uint32_t i = 0, count = 1 + below(&random, 4); i < count; i++) {
            const uint32_t *t = s.triangles + 3 * below(&random, s.triangle_count);
            double part = below(&random, 2) ? 0.5 : 1e-8;
            for (uint32_t k = 0; k < 3; k++)
                s.vertices[3 * t[0] + k] = (1 - part) * s.vertices[3 * t[1] + k] + part * s.vertices[3 * t[2] + k];
        }
        tide_mesh *bad = make_of(&s);
        tide_mesh_mending did;
        const tide_mesh *mended = mend(bad, fix, &did);
        tide_mesh_report report = check(mended);
        assert_false(has(&report, TIDE_MESH_DEGENERATE_TRIANGLE));
        assert_near(enclosed_volume(mended), enclosed_volume(bad), 1e-6);
        const tide_distance *distance = NULL;
        tide_error error;
        runs++;
        if (tide_distance_mesh(mended, &distance, &error) == TIDE_OK) {
            closed++;
            tide_distance_release(distance);
        }
        tide_mesh_release(mended);
        tide_mesh_release(bad);
        tide_mesh_release(whole);
    }
    assert_int_equal(closed, runs);
}

static void test_memory_failures(void **state)
{
    (void)state;
    const double vertices[] = {
        0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0, 5, 0, 0, 0, 0, 0, 5, 5, 5, 6, 5, 5, 6, 6, 5
    };
    const uint32_t tetrahedra[] = { 6, 1, 2, 3, 1, 2, 4, 0 },
                   triangles[] = { 1, 5, 4, 0, 4, 1, 1, 4, 5, 7, 8, 9, 7, 8, 5 };
    tide_mesh *mesh = make_mesh(
        PARTS(vertices, .tetrahedra = tetrahedra, .tetrahedron_count = 2, .triangles = triangles, .triangle_count = 5));
    const tide_mesh *mended;
    tide_error error;
    const tide_mesh_mend_def all = { .scale = 2, .weld = TIDE_NOT_GIVEN, .fix = true };
    assert_survives_failures(tide_mesh_mend(mesh, &all, &mended, NULL, &error), tide_mesh_release(mended), 60);
    tide_mesh_release(mesh);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_good_meshes_stay),  cmocka_unit_test(test_scale_and_weld),
    cmocka_unit_test(test_shattered_sheet),   cmocka_unit_test(test_outward),
    cmocka_unit_test(test_flat_tetrahedra),   cmocka_unit_test(test_one_sided),
    cmocka_unit_test(test_random_rubbish),    cmocka_unit_test(test_flat_triangles_of_closed_surfaces),
    cmocka_unit_test(test_collapsed_corners), cmocka_unit_test(test_memory_failures),
};
TIDE_TEST_SUITE(mesh_mend, tests)
