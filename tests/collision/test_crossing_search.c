// The search for crossings: constructed ones, touching that is none, and random surfaces against brute force.
#include "../collision/surfaces.h"
#include "collision/crossing_search.h"
#include "collision/crossings.h"
#include "geometry/predicates.h"

#include <math.h>

static tide_collider *make_collider(const tide_shape_kind *kind, const void *definition)
{
    tide_error error;
    tide_collider *collider;
    tide_collider_def def = tide_collider_def_default();
    def.name = "shape", def.shape = kind, def.definition = definition;
    assert_ok(tide_collider_create(&def, &collider, &error), error);
    return collider;
}

static tide_crossings search_with(sample *m, tide_collider *const *colliders, uint32_t count, const uint32_t *held,
                                  tide_crossing *first)
{
    tide_error error;
    tide_crossing_search *search;
    tide_crossings found;
    double *rest = m->s.rest;
    m->s.rest = m->x;
    assert_ok(tide_crossing_search_create(&m->s, &search, &error), error);
    assert_ok(tide_crossing_search_run(search, m->x, colliders, count, held, &found, &error), error);
    assert_true(found.complete);
    assert_int_equal(found.count, found.of[0] + found.of[1] + found.of[2] + found.of[3]);
    assert_int_equal(found.listed, found.count < TIDE_CROSSINGS_LISTED ? found.count : TIDE_CROSSINGS_LISTED);
    if (found.count && first)
        *first = found.list[0];
    m->s.rest = rest;
    tide_crossing_search_destroy(search);
    return found;
}

static tide_crossings search(sample *m, tide_crossing *first)
{
    return search_with(m, NULL, 0, NULL, first);
}

static void add_one(sample *m, const double corners[3][3])
{
    add_part(m, 0);
    uint32_t p[3];
    for (int k = 0; k < 3; k++)
        p[k] = add_point(m, corners[k][0], corners[k][1], corners[k][2], 1);
    add_triangle(m, p[0], p[1], p[2]);
}

// --- pairs of triangles ----------------------------------------------------------------------------------------------

static uint64_t count_of(const double t[3][3], const double u[3][3], tide_crossing *first)
{
    sample m = { 0 };
    add_one(&m, t);
    add_one(&m, u);
    close_sample(&m, true);
    tide_crossings found = search(&m, first);
    free_sample(&m);
    return found.count;
}

static const double floor_triangle[3][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 0, 1 } };

static void test_found(void **state)
{
    (void)state;
    tide_crossing first;
    // A corner goes through the face; an edge goes over an edge; both at once.
    assert_int_equal(
        count_of(floor_triangle, (double[3][3]) { { 0.2, -0.1, 0.2 }, { 0.1, 1, 0.2 }, { 0.4, 1, 0.3 } }, &first), 1);
    assert_near(first.place[1], 0, 1e-12);
    assert_true(first.place[0] > 0.1 && first.place[0] < 0.3 && first.place[2] > 0.15 && first.place[2] < 0.3);
    assert_true(first.kind == TIDE_CROSSING_TRIANGLES && first.part == 0 && first.other_part == 1);
    assert_true(first.item == 0 && first.other_item == 1 && first.collider == TIDE_CROSSING_NONE && !first.let_pass);
    assert_int_equal(
        count_of(floor_triangle, (double[3][3]) { { 0.3, -1, -1 }, { 0.3, 1, -1 }, { 0.3, 0, 0.3 } }, NULL), 1);
    // By less than doubles can tell from their difference: 1e-300 m counts as 0, 1e-60 m does not.
    assert_int_equal(
        count_of(floor_triangle, (double[3][3]) { { 0.2, -1e-60, 0.2 }, { 0.1, 1, 0.2 }, { 0.4, 1, 0.3 } }, NULL), 1);
    assert_int_equal(
        count_of(floor_triangle, (double[3][3]) { { 0.2, -1e-300, 0.2 }, { 0.1, 1, 0.2 }, { 0.4, 1, 0.3 } }, NULL), 0);
    // An edge goes exactly through an edge, and a corner lies in the plane.
    assert_int_equal(count_of(floor_triangle, (double[3][3]) { { 0.5, -1, 0 }, { 0.5, 1, 0 }, { 0.5, 0, 0.3 } }, NULL),
                     1);
}

static void test_touching_is_none(void **state)
{
    (void)state;
    static const double others[][3][3] = {
        { { 0.2, 0, 0.2 }, { 0.1, 1, 0.2 }, { 0.4, 1, 0.3 } },    // a corner on the face
        { { 0.1, 0, 0.2 }, { 0.3, 0, 0.2 }, { 0.4, 1, 0.3 } },    // an edge on the face
        { { 0.1, 0, 0.2 }, { 0.3, 0, 0.2 }, { 0.2, 0, 0.4 } },    // in the plane
        { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 0, 1 } },                // the same triangle
        { { 0.3, -1, 0 }, { 0.3, 1, 0 }, { 0.3, 0, -1 } },        // an edge on an edge
        { { 0, -1, 0 }, { 0, 1, 0 }, { -1, 0, -1 } },             // an edge through a corner
        { { 1, 0, 0 }, { 2, 1, 0 }, { 2, -1, 0 } },               // corner on corner
        { { 0.2, 1e-9, 0.2 }, { 0.1, 1, 0.2 }, { 0.4, 1, 0.3 } }, // above it
        { { 0.6, -1, 0.6 }, { 0.6, 1, 0.6 }, { 0.8, 0, 0.8 } },   // beside it
        { { 0.2, -1, 0.2 }, { 0.2, 0, 0.2 }, { 0.2, 1, 0.2 } },   // no area
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_int_equal(count_of(floor_triangle, others[i], NULL), 0);
        assert_int_equal(count_of(others[i], floor_triangle, NULL), 0);
    }
}

// A sheet whose fold lies in the plane of another: it passes through, or it touches with both sides above.
static void test_folds(void **state)
{
    (void)state;
    for (int below = -1; below < 2; below += 2)
        for (int swapped = 0; swapped < 2; swapped++) {
            sample m = { 0 };
            if (!swapped)
                add_one(&m, floor_triangle);
            add_part(&m, 0);
            uint32_t a = add_point(&m, 0.2, 0, 0.2, 1), b = add_point(&m, 0.4, 0, 0.3, 1);
            uint32_t c = add_point(&m, 0.3, 1, 0.2, 1), d = add_point(&m, 0.3, below, 0.25, 1);
            add_triangle(&m, a, b, c);
            add_triangle(&m, b, a, d);
            if (swapped)
                add_one(&m, floor_triangle);
            close_sample(&m, true);
            assert_int_equal(search(&m, NULL).count, below < 0);
            free_sample(&m);
        }
}

// --- own body, shared corners, strands -------------------------------------------------------------------------------

static void test_own_body(void **state)
{
    (void)state;
    sample m = { 0 };
    add_sheet(&m, 0.01, 4, 1, 0, 0, 0);
    close_sample(&m, false);
    assert_int_equal(search(&m, NULL).count, 0);
    m.x[3 * 0 + 0] = 2.4; // the first corner is folded over, and through the sheet
    m.x[3 * 0 + 1] = -0.5;
    m.x[3 * 0 + 2] = 2.4;
    m.x[3 * 1 + 1] = m.x[3 * 4 + 1] = 0.5;
    tide_crossing first;
    tide_crossings found = search(&m, &first);
    assert_true(found.count > 0);
    assert_int_equal(found.let_pass, found.count); // it may not touch itself
    assert_true(first.part == 0 && first.other_part == 0 && first.item == 0);
    m.touching[0] = true;
    assert_int_equal(search(&m, NULL).let_pass, 0);
    free_sample(&m);
}

// Two triangles at one corner: beyond it they may cross, or not.
static void test_shared_corner(void **state)
{
    (void)state;
    for (int across = 0; across < 2; across++) {
        sample m = { 0 };
        add_part(&m, 0);
        uint32_t o = add_point(&m, 0, 0, 0, 1), a = add_point(&m, 1, 0, 0, 1), b = add_point(&m, 0, 0, 1, 1);
        uint32_t c = add_point(&m, 0.3, -0.3, across ? 0.3 : -0.3, 1),
                 d = add_point(&m, 0.3, 0.3, across ? 0.3 : -0.3, 1);
        add_triangle(&m, o, a, b);
        add_triangle(&m, o, c, d);
        close_sample(&m, true);
        assert_int_equal(search(&m, NULL).count, across);
        free_sample(&m);
    }
}

static void test_strands(void **state)
{
    (void)state;
    static const struct {
        double x, y;
        int points, count;
    } cases[] = {
        { 0.2, -0.5, 2, 1 }, // from -0.5 to 0.5
        { 0.2, -1, 3, 1 },   // a vertex on the face
        { 0.2, -1, 2, 0 },   // ends on the face
        { 0.2, 0, 2, 0 },    // begins on it
        { 0.2, 0.01, 2, 0 }, // above
        { -0.01, -1, 3, 0 }, // beside
        { 0, -0.5, 2, 0 },   // through an edge
        { 0.2, -2.5, 6, 1 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sample m = { 0 };
        tide_crossing first;
        add_one(&m, floor_triangle);
        add_strand(&m, 0.01, (uint32_t)cases[i].points, 1, cases[i].x, cases[i].y, 0.2);
        close_sample(&m, true);
        tide_crossings found = search(&m, &first);
        assert_int_equal(found.count, cases[i].count);
        assert_int_equal(found.of[TIDE_CROSSING_EDGE], cases[i].count);
        if (found.count) {
            assert_true(first.is_edge && first.part == 1 && first.other_part == 0 && first.other_item == 0);
            assert_near(first.place[1], 0, 1e-12);
        }
        free_sample(&m);
    }
}

// --- left out --------------------------------------------------------------------------------------------------------

static void test_joined(void **state)
{
    (void)state;
    sample m = { 0 };
    add_one(&m, floor_triangle);
    add_one(&m, (double[3][3]) { { 0.2, -0.1, 0.2 }, { 0.1, 1, 0.2 }, { 0.4, 1, 0.3 } });
    close_sample(&m, true);
    assert_int_equal(search(&m, NULL).count, 1);
    uint32_t starts[] = { 0, 1, 1, 1, 2, 2, 2 }, joined[] = { 3, 0 };
    m.s.joined_starts = starts;
    m.s.joined = joined;
    assert_int_equal(search(&m, NULL).count, 0);
    free_sample(&m);
}

// --- colliders with meshes -------------------------------------------------------------------------------------------

static tide_contact_part *fix(tide_contact_part *part)
{
    part->fixed = part->solid = true;
    part->collider = 0;
    return part;
}

static void add_points(sample *m, uint32_t count, const double places[][3])
{
    add_part(m, 0);
    for (uint32_t i = 0; i < count; i++)
        add_point(m, places[i][0], places[i][1], places[i][2], 1);
}

// Points of a lattice, on and about a unit box whose faces, edges and corners rays along x meet. `turned`: it faces
// inward. `twice`: two overlapping boxes.
static void test_inside_box(void **state)
{
    (void)state;
    static const double corner[3] = { 0, 0, 0 }, size[3] = { 1, 1, 1 }, second[3] = { 0.5, 0, 0 };
    tide_shape_box_def box;
    tide_shape_default(&tide_shape_box, &box);
    tide_collider *collider = make_collider(&tide_shape_box, &box);
    for (int round = 0; round < 3; round++) {
        sample m = { 0 };
        fix(add_box(&m, 0, corner, size));
        if (round == 2) { // one part of two boxes
            add_box(&m, 0, second, size);
            m.parts[0].point_count += 8, m.parts[0].edge_count += m.parts[1].edge_count;
            m.parts[0].triangle_count += 12;
            m.s.part_count = 1;
            for (int i = 8; i < 16; i++)
                m.s.part_of[i] = 0;
        }
        for (uint32_t t = 0; t < m.s.triangle_count && round == 1; t++) {
            uint32_t swap = m.s.triangles[3 * t];
            m.s.triangles[3 * t] = m.s.triangles[3 * t + 1];
            m.s.triangles[3 * t + 1] = swap;
        }
        double places[9 * 9 * 9][3];
        uint32_t count = 0, inside = 0;
        for (int i = 0; i < 729; i++) {
            double p[3] = { (i % 9 - 2) * 0.25, (i / 9 % 9 - 2) * 0.25, (i / 81 - 2) * 0.25 };
            memcpy(places[count++], p, sizeof p);
            inside += p[0] > 0 && p[0] < (round == 2 ? 1.5 : 1) && p[1] > 0 && p[1] < 1 && p[2] > 0 && p[2] < 1;
        }
        add_points(&m, count, (const double(*)[3])places);
        close_sample(&m, false);
        tide_crossing first;
        tide_crossings found = search_with(&m, &collider, 1, NULL, &first);
        // Of two boxes, points on a hidden face are inside the other.
        assert_int_equal(found.of[TIDE_CROSSING_VERTEX], found.count);
        if (round == 2)
            assert_true(found.count <= inside && found.count + 2 * 9 >= inside);
        else
            assert_int_equal(found.count, inside);
        assert_true(first.collider == 0 && first.part == 1 && first.other_part == TIDE_CROSSING_NONE);
        free_sample(&m);
    }
    tide_collider_destroy(collider);
}

// A triangle through the mesh of a collider, with all corners outside.
static void test_mesh_triangles(void **state)
{
    (void)state;
    tide_shape_box_def box;
    tide_shape_default(&tide_shape_box, &box);
    tide_collider *collider = make_collider(&tide_shape_box, &box);
    sample m = { 0 };
    fix(add_box(&m, 0, (double[3]) { -0.5, -0.5, -0.5 }, (double[3]) { 1, 1, 1 }));
    add_one(&m, (double[3][3]) { { -2, 0.1, 0 }, { 2, 0.1, 0.3 }, { 0, 3, 0.1 } });
    close_sample(&m, false);
    tide_crossing first;
    tide_crossings found = search_with(&m, &collider, 1, NULL, &first);
    assert_true(found.of[TIDE_CROSSING_TRIANGLES] >= 3 && found.of[TIDE_CROSSING_TRIANGLES] == found.count);
    assert_true(first.part == 1 && first.item == 12 && first.other_part == 0 && first.collider == 0);
    uint32_t held[11];
    memset(held, 0xff, sizeof held);
    held[9] = 0; // a corner is attached to the collider
    assert_int_equal(search_with(&m, &collider, 1, held, NULL).count, 0);
    free_sample(&m);
    tide_collider_destroy(collider);
}

// --- other colliders -------------------------------------------------------------------------------------------------

typedef struct shape_case {
    const tide_shape_kind *kind;
    const void *definition;
    double inside[3], outside[3];
    double corners[3][3]; // of a triangle that enters it with all corners outside
} shape_case;

static void count_in(const shape_case *c, int kind, uint64_t expected)
{
    tide_collider *collider = make_collider(c->kind, c->definition);
    sample m = { 0 };
    if (kind == TIDE_CROSSING_VERTEX)
        add_points(&m, 2,
                   (const double[2][3]) { { c->inside[0], c->inside[1], c->inside[2] },
                                          { c->outside[0], c->outside[1], c->outside[2] } });
    else
        add_one(&m, c->corners);
    m.parts[0].against_colliders = true;
    close_sample(&m, true);
    tide_crossing first;
    tide_crossings found = search_with(&m, &collider, 1, NULL, &first);
    assert_int_equal(found.count, expected);
    assert_int_equal(found.of[kind], expected);
    assert_int_equal(found.let_pass, 0);
    assert_true(!expected || (first.item == 0 && first.collider == 0 && first.part == 0));
    free_sample(&m);
    tide_collider_destroy(collider);
}

static void test_shapes(void **state)
{
    (void)state;
    tide_shape_sphere_def sphere = { { 1, 2, 3 }, 0.5 };
    tide_shape_capsule_def capsule = { { 0, -1, 0 }, { 0, 1, 0 }, 0.5 };
    tide_shape_torus_def torus = { { 0, 0, 0 }, { 0, 1, 0 }, 1, 0.25 };
    tide_shape_plane_def plane = { { 0, 1, 0 }, 0.25 };
    const shape_case cases[] = {
        { &tide_shape_sphere,
          &sphere,
          { 1.2, 2.3, 3.1 },
          { 1.5, 2, 3 },
          { { 0, 2.4, 3 }, { 2, 2.4, 2 }, { 2, 2.4, 4 } } },
        { &tide_shape_capsule,
          &capsule,
          { 0.4, 0.9, 0.1 },
          { 0, 1.6, 0 },
          { { -2, 1.3, 0 }, { 2, 1.3, 1 }, { 2, 1.3, -1 } } },
        { &tide_shape_torus, &torus, { 1.1, 0.1, 0 }, { 0, 0, 0 }, { { 1, 1, -0.2 }, { 1, 1, 0.4 }, { 1, -2, 0 } } },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        count_in(&cases[i], TIDE_CROSSING_VERTEX, 1);
        count_in(&cases[i], TIDE_CROSSING_ENTRY, 1);
        shape_case off = cases[i];
        for (int k = 0; k < 3; k++)
            off.corners[k][1] += 3.5;
        count_in(&off, TIDE_CROSSING_ENTRY, 0);
    }
    // The triangle lies on the plane, and the sphere touches it.
    const shape_case on_plane = {
        &tide_shape_plane, &plane, { 0, 0.2, 0 }, { 0, 0.25, 0 }, { { -1, 0.25, 0 }, { 1, 0.25, 0 }, { 0, 0.25, 1 } }
    };
    count_in(&on_plane, TIDE_CROSSING_VERTEX, 1);
    count_in(&on_plane, TIDE_CROSSING_ENTRY, 0);
    shape_case on_sphere = cases[0];
    for (int by = -1; by < 2; by++) {
        for (int k = 0; k < 3; k++)
            on_sphere.corners[k][1] = 2.5 + 1e-9 * by;
        count_in(&on_sphere, TIDE_CROSSING_ENTRY, by < 0);
    }
}

// --- many ------------------------------------------------------------------------------------------------------------

// Random sheets and boxes, some on a coarse grid where most positions are degenerate, against all pairs.
static void test_brute_force(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(8);
    uint64_t total = 0, clean = 0;
    for (int round = 0; round < 120; round++) {
        sample m = { 0 };
        double apart = round % 8 == 1 ? 6 : 1, bent = round % 8 == 1 ? 0.05 : 0.2;
        for (int part = 0; part < 4; part++)
            add_sheet(&m, 0, 5, 0.3, between(&random, 0, 1), between(&random, 0, apart), between(&random, 0, 1));
        for (uint32_t i = 0; i < 3 * m.s.point_count; i++) {
            m.x[i] += between(&random, -bent, bent);
            m.x[i] = round % 2 ? m.x[i] : 0.25 * floor(4 * m.x[i]);
        }
        close_sample(&m, true);
        uint64_t cross = 0;
        for (uint32_t t = 0; t < m.s.triangle_count; t++)
            for (uint32_t u = 0; u < t; u++) {
                const double *a[3], *b[3];
                int shared = 0;
                for (uint32_t k = 0; k < 9; k++) {
                    uint32_t p = m.s.triangles[3 * t + k / 3], q = m.s.triangles[3 * u + k % 3];
                    a[k / 3] = m.x + 3 * p;
                    b[k % 3] = m.x + 3 * q;
                    shared += p == q;
                }
                cross += shared < 2 && tide_triangles_meet(a, b).cross;
            }
        tide_crossings found = search(&m, NULL);
        if (round % 2) {
            assert_int_equal(found.count, cross);
            bool any = tide_contact_count_crossings(&m.s, m.x, NULL, NULL) > 0; // by edges and triangles
            assert_int_equal(any, cross > 0);
            clean += !any;
        } else // on the grid, folds in planes add some
            assert_true(found.count >= cross);
        total += cross;
        free_sample(&m);
    }
    assert_true(total > 1000 && clean > 3);
}

static void test_allocates_once(void **state)
{
    (void)state;
    sample m = { 0 };
    add_sheet(&m, 0.01, 8, 0.1, 0, 0, 0);
    add_sheet(&m, 0.01, 8, 0.1, 0, 0.01, 0);
    m.x[3 * 70 + 1] = -0.1;
    close_sample(&m, true);
    m.s.rest = m.x;
    tide_error error;
    tide_crossing_search *search;
    tide_crossings found;
    assert_ok(tide_crossing_search_create(&m.s, &search, &error), error);
    assert_ok(tide_crossing_search_run(search, m.x, NULL, 0, NULL, &found, &error), error);
    assert_true(found.count > 0);
    uint64_t before = tide_memory_count().allocations;
    assert_ok(tide_crossing_search_run(search, m.x, NULL, 0, NULL, &found, &error), error);
    assert_int_equal(tide_memory_count().allocations, before);
    m.x[0] = NAN;
    assert_fails(tide_crossing_search_run(search, m.x, NULL, 0, NULL, &found, &error), error, "finite");
    tide_crossing_search_destroy(search);
    m.s.rest = NULL;
    free_sample(&m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_found),    cmocka_unit_test(test_touching_is_none), cmocka_unit_test(test_folds),
    cmocka_unit_test(test_own_body), cmocka_unit_test(test_shared_corner),    cmocka_unit_test(test_strands),
    cmocka_unit_test(test_joined),   cmocka_unit_test(test_inside_box),       cmocka_unit_test(test_mesh_triangles),
    cmocka_unit_test(test_shapes),   cmocka_unit_test(test_brute_force),      cmocka_unit_test(test_allocates_once),
};
TIDE_TEST_SUITE(collision_crossing_search, tests)
