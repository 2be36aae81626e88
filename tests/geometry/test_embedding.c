// Embedding: affine motions exactly, the nearest tetrahedron against brute force, and what cannot be embedded.
#include "../mesh/mesh_tests.h"

#include <math.h>

#include "geometry/embedding.h"

static double between(tide_random *random, double low, double high)
{
    return low + (high - low) * tide_random_uniform(random);
}

static tide_embedding *embed(const tide_mesh *coarse, const double *fine, uint32_t count)
{
    tide_embedding *made = NULL;
    tide_error error;
    assert_ok(tide_embedding_create(coarse, fine, count, &made, &error), error);
    assert_int_equal(made->fine_count, count);
    assert_int_equal(made->coarse_count, coarse->vertex_count);
    return made;
}

// A box whose inner vertices are moved, so that its tetrahedra are all different.
static tide_mesh *odd_box(int cells, uint64_t seed, double by)
{
    tide_mesh *box = make_box(2, 1, 1.5, cells, cells, cells);
    tide_random random = tide_random_seed(seed);
    for (size_t i = 0; i < 3 * (size_t)box->vertex_count; i++)
        box->vertices[i] += between(&random, -by, by) / cells;
    tide_mesh *made = make_mesh(tide_mesh_view(box));
    tide_mesh_release(box);
    return made;
}

enum { COUNT = 400 };

// Some inside, some outside, some at vertices, some far away.
static void make_points(const tide_mesh *mesh, double *points, uint64_t seed)
{
    tide_random random = tide_random_seed(seed);
    for (uint32_t i = 0; i < COUNT; i++)
        for (uint32_t k = 0; k < 3; k++)
            points[3 * i + k] = i % 10 == 0   ? mesh->vertices[3 * (i % mesh->vertex_count) + k]
                                : i % 10 == 1 ? between(&random, -30, 30)
                                              : between(&random, -1.2, 1.2);
}

static void test_affine_motions_are_reproduced(void **state)
{
    (void)state;
    tide_mesh *mesh = odd_box(4, 1, 0.15);
    double fine[3 * COUNT], moved[3 * COUNT], *coarse = tide_allocate_array(mesh->vertex_count, 3 * sizeof *coarse);
    make_points(mesh, fine, 2);
    tide_embedding *embedding = embed(mesh, fine, COUNT);
    tide_random random = tide_random_seed(3);
    assert_true(embedding->outside_count > COUNT / 10 && embedding->outside_count < COUNT);
    for (int round = 0; round < 20; round++) {
        double matrix[9], shift[3];
        for (int i = 0; i < 9; i++)
            matrix[i] = round ? between(&random, -2, 2) : i % 4 == 0;
        for (int i = 0; i < 3; i++)
            shift[i] = round ? between(&random, -5, 5) : 0;
        for (uint32_t i = 0; i < 3 * mesh->vertex_count; i++) {
            const double *p = mesh->vertices + i - i % 3, *row = matrix + 3 * (i % 3);
            coarse[i] = row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + shift[i % 3];
        }
        tide_embedding_apply(embedding, coarse, moved);
        for (uint32_t i = 0; i < 3 * COUNT; i++) {
            const double *p = fine + i - i % 3, *row = matrix + 3 * (i % 3);
            double expected = row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + shift[i % 3];
            // Rounding error grows with the distance from the tetrahedron relative to its size.
            assert_near(moved[i], expected, (i / 3) % 10 == 1 ? 1e-9 : 1e-12);
        }
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        const double *w = embedding->weights + 4 * i;
        assert_near(w[0] + w[1] + w[2] + w[3], 1, (i % 10 == 1) ? 1e-11 : 1e-13);
    }
    tide_embedding_destroy(embedding);
    tide_free(coarse);
    tide_mesh_release(mesh);
}

// The squared distance of a point from a tetrahedron by alternating projections of its weights onto the simplex: slow,
// and with nothing in common with the engine's way (Frank and Wolfe 1956, with away steps replaced by exact search over
// pairs of corners).
static double square_by_descent(const tide_mesh *mesh, uint32_t tetrahedron, const double p[3])
{
    const uint32_t *v = mesh->tetrahedra + 4 * (size_t)tetrahedron;
    double w[4] = { 0.25, 0.25, 0.25, 0.25 }, d[3], square = 0;
    for (int round = 0; round < 400; round++)
        for (int a = 0; a < 4; a++)
            for (int b = 0; b < a; b++) { // the best exchange of weight between two corners
                double top = 0, bottom = 0;
                for (uint32_t k = 0; k < 3; k++) {
                    d[k] = -p[k];
                    for (int c = 0; c < 4; c++)
                        d[k] += w[c] * mesh->vertices[3 * v[c] + k];
                    double edge = mesh->vertices[3 * v[a] + k] - mesh->vertices[3 * v[b] + k];
                    top -= d[k] * edge;
                    bottom += edge * edge;
                }
                double step = fmax(-w[a], fmin(w[b], top / bottom));
                w[a] += step;
                w[b] -= step;
            }
    for (uint32_t k = 0; k < 3; k++) {
        d[k] = -p[k];
        for (int c = 0; c < 4; c++)
            d[k] += w[c] * mesh->vertices[3 * v[c] + k];
        square += d[k] * d[k];
    }
    return square;
}

static void test_nearest_against_brute_force(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 2; seed++) {
        tide_mesh *mesh = odd_box(2, seed, 0.2);
        double fine[3 * COUNT];
        make_points(mesh, fine, 7 + seed);
        tide_embedding *embedding = embed(mesh, fine, COUNT);
        uint32_t outside = 0;
        double farthest = 0;
        for (uint32_t i = 0; i < COUNT; i += 2) {
            double least = INFINITY, own = square_by_descent(mesh, embedding->tetrahedra[i], fine + 3 * i);
            for (uint32_t t = 0; t < mesh->tetrahedron_count; t++)
                least = fmin(least, square_by_descent(mesh, t, fine + 3 * i));
            assert_near(sqrt(own), sqrt(least), 1e-6);
            // Inside where all weights are at least 0, and only there.
            const double *w = embedding->weights + 4 * i;
            bool inside = w[0] >= 0 && w[1] >= 0 && w[2] >= 0 && w[3] >= 0;
            assert_true(!inside || sqrt(least) < 1e-6);
            assert_true(fmin(fmin(w[0], w[1]), fmin(w[2], w[3])) > -1e-5 || sqrt(least) > 1e-7);
        }
        for (uint32_t i = 0; i < COUNT; i++) {
            const double *w = embedding->weights + 4 * i;
            if (fmin(fmin(w[0], w[1]), fmin(w[2], w[3])) >= -1e-9)
                continue;
            outside++;
            farthest = fmax(farthest, sqrt(square_by_descent(mesh, embedding->tetrahedra[i], fine + 3 * i)));
        }
        assert_int_equal(embedding->outside_count, outside);
        assert_near(embedding->farthest, farthest, 1e-6);
        tide_embedding_destroy(embedding);
        tide_mesh_release(mesh);
    }
}

// A finer surface than the coarse mesh has: its own triangles subdivided lie on it, in tetrahedra.
static void test_surface_is_inside(void **state)
{
    (void)state;
    tide_mesh *box = make_box(1, 1, 1, 3, 3, 3), *fine;
    tide_error error;
    assert_ok(tide_mesh_subdivide(box, &fine, &error), error);
    tide_embedding *embedding = embed(box, fine->vertices, fine->vertex_count);
    assert_true(embedding->farthest < 1e-15);
    tide_embedding_destroy(embedding);
    tide_mesh_release(fine);
    tide_mesh_release(box);
}

static void test_many_are_found_fast(void **state)
{
    (void)state;
    tide_mesh *mesh = odd_box(20, 9, 0.1); // 40,000 tetrahedra
    enum { MANY = 100000 };
    double *fine = tide_allocate_array(MANY, 3 * sizeof *fine);
    tide_random random = tide_random_seed(1);
    for (uint32_t i = 0; i < 3 * MANY; i++)
        fine[i] = between(&random, -1, 1);
    tide_embedding *embedding = embed(mesh, fine, MANY);
    tide_embedding_destroy(embedding);
    tide_free(fine);
    tide_mesh_release(mesh);
}

static void test_refusals(void **state)
{
    (void)state;
    tide_mesh *grid = make_grid(3, 3, 1, 1, TIDE_DIAGONALS_ALTERNATING), *box = make_box(1, 1, 1, 1, 1, 1);
    tide_embedding *embedding;
    tide_error error;
    double points[6] = { 0 };
    assert_int_equal(tide_embedding_create(grid, points, 2, &embedding, &error), TIDE_ERROR_ARGUMENT);
    assert_non_null(strstr(error.remedy, "no tetrahedron"));
    const double bad[] = { NAN, INFINITY, -INFINITY, 1e80 };
    for (int i = 0; i < 4; i++) {
        points[4] = bad[i];
        assert_int_equal(tide_embedding_create(box, points, 2, &embedding, &error), TIDE_ERROR_ARGUMENT);
        assert_string_equal(error.field, "vertex 2");
    }
    const double flat[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0 };
    const uint32_t corners[] = { 0, 1, 2, 3 };
    tide_mesh *sheet = make_mesh(PARTS(flat, .tetrahedra = corners, .tetrahedron_count = 1));
    assert_int_equal(tide_embedding_create(sheet, flat, 4, &embedding, &error), TIDE_ERROR_ARGUMENT);
    tide_embedding *none = embed(box, NULL, 0);
    tide_embedding_apply(none, box->vertices, NULL);
    tide_embedding_destroy(none);
    tide_embedding_destroy(NULL);
    tide_mesh_release(sheet);
    tide_mesh_release(grid);
    tide_mesh_release(box);
}

static void test_memory_failures(void **state)
{
    (void)state;
    tide_mesh *box = make_box(1, 1, 1, 2, 2, 2);
    tide_embedding *embedding;
    tide_error error;
    assert_survives_failures(tide_embedding_create(box, box->vertices, box->vertex_count, &embedding, &error),
                             tide_embedding_destroy(embedding), 6);
    tide_mesh_release(box);
}

static void test_the_farthest_vertex_is_named_and_copies_are_alike(void **state)
{
    (void)state;
    tide_mesh *mesh = make_box(2, 1, 1.5, 2, 2, 2);
    const double fine[] = { 0.1, 0.2, 0.3, 1.25, 0, 0, 0, -0.9, 0.1, 0, 0.9, 0.1, -1.3, 0.7, 0 };
    tide_embedding *inside = embed(mesh, fine, 1), *embedding = embed(mesh, fine, 5), *copy;
    assert_int_equal(inside->farthest_vertex, 0);
    assert_near(inside->farthest, 0, 0);
    assert_int_equal(embedding->outside_count, 4);
    assert_near(embedding->farthest, 0.4, 1e-15);
    assert_int_equal(embedding->farthest_vertex, 2); // as far as the one after it
    tide_error error;
    assert_ok(tide_embedding_copy(embedding, &copy, &error), error);
    assert_true(copy->weights != embedding->weights);
    assert_memory_equal(copy->weights, embedding->weights, 20 * sizeof(double));
    assert_memory_equal(copy->vertices, embedding->vertices, 20 * sizeof(uint32_t));
    assert_memory_equal(copy->tetrahedra, embedding->tetrahedra, 5 * sizeof(uint32_t));
    assert_int_equal(copy->fine_count, 5);
    assert_int_equal(copy->farthest_vertex, 2);
    tide_embedding_destroy(inside);
    tide_embedding_destroy(embedding);
    double again[15];
    tide_embedding_apply(copy, mesh->vertices, again); // it stands alone
    for (int i = 0; i < 15; i++)
        assert_near(again[i], fine[i], 1e-14);
    tide_embedding_destroy(copy);
    tide_mesh_release(mesh);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_affine_motions_are_reproduced),
    cmocka_unit_test(test_nearest_against_brute_force),
    cmocka_unit_test(test_surface_is_inside),
    cmocka_unit_test(test_many_are_found_fast),
    cmocka_unit_test(test_the_farthest_vertex_is_named_and_copies_are_alike),
    cmocka_unit_test(test_refusals),
    cmocka_unit_test(test_memory_failures),
};
TIDE_TEST_SUITE(geometry_embedding, tests)
