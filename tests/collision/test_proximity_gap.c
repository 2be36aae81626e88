// Gaps of pairs against finite differences and against what must be.
#include "proximity_tests.h"

static double gap_at(const tide_contact_pair *pair, const double *x, tide_contact_gap *gap)
{
    tide_proximity_gap(pair, x, gap);
    return gap->near ? gap->gap : NAN;
}

static void test_gaps_against_finite_differences(void **state)
{
    (void)state;
    random_state = tide_random_seed(3);
    sample m = { 0 };
    make_crowd(&m);
    tide_contact_surface *s = close_sample(&m, true);
    size_t n = 3 * s->point_count;
    double *x = malloc(n * sizeof *x);
    int checked[3] = { 0 };
    for (int lines = 0; lines < 2; lines++) {
        tide_proximity *proximity = NULL;
        tide_error error;
        assert_ok(tide_proximity_create(s, lines, &proximity, &error), error);
        for (size_t i = 0; i < n; i++)
            x[i] = (m.x[i] += uniform(-0.1, 0.1)) + uniform(-0.05, 0.05);
        assert_ok(find_pairs(proximity, s, m.x, x, 0.1, &error), error);
        uint32_t count;
        const tide_contact_pair *pairs = whole_pairs(proximity, &count);
        for (uint32_t i = 0; i < count; i++) {
            tide_contact_gap gap, other;
            tide_proximity_gap(&pairs[i], x, &gap);
            if (!gap.near)
                continue;
            int points = pairs[i].kind == TIDE_PAIR_POINTS ? 2 : 4, firsts = pairs[i].kind == TIDE_PAIR_EDGES ? 2 : 1;
            double sum = -pairs[i].distance, first = 0, second = 0, worst = 0;
            for (int k = 0; k < points; k++) {
                *(k < firsts ? &first : &second) += gap.weights[k];
                assert_true(k < firsts ? gap.weights[k] >= 0 : gap.weights[k] <= 0);
                for (int d = 0; d < 3; d++)
                    sum += gap.normal[d] * gap.weights[k] * x[3 * pairs[i].points[k] + (uint32_t)d];
            }
            assert_near(first, 1, 1e-12);
            assert_near(second, -1, 1e-12);
            assert_near(sum, gap.gap, 1e-12);
            bool smooth = gap.gap > -pairs[i].distance + 1e-3; // apart, and so at their closest points
            for (int k = 0; k < points && smooth; k++)
                for (int d = 0; d < 3 && smooth; d++) {
                    double *at = &x[3 * pairs[i].points[k] + (uint32_t)d], kept = *at, e = 1e-7;
                    *at = kept + e;
                    double up = gap_at(&pairs[i], x, &other);
                    *at = kept - e;
                    double down = gap_at(&pairs[i], x, &other);
                    *at = kept;
                    smooth = isfinite(up) && isfinite(down);
                    worst = fmax(worst, fabs((up - down) / (2 * e) - gap.weights[k] * gap.normal[d]));
                }
            if (smooth) {
                assert_near(worst, 0, 1e-5);
                checked[pairs[i].kind]++;
            }
        }
        tide_free(proximity);
    }
    assert_true(checked[0] > 20 && checked[1] > 20 && checked[2] > 20);
    free(x);
    free_sample(&m);
}

typedef struct one_step {
    sample m;
    tide_proximity *proximity;
    const tide_contact_pair *pairs;
    uint32_t count;
} one_step;

static void find(one_step *o, const double *to, bool itself, bool lines)
{
    tide_error error;
    tide_contact_surface *s = close_sample(&o->m, itself);
    assert_ok(tide_proximity_create(s, lines, &o->proximity, &error), error);
    assert_ok(find_pairs(o->proximity, s, o->m.x, to, 0, &error), error);
    o->pairs = whole_pairs(o->proximity, &o->count);
}

static void close_step(one_step *o)
{
    tide_free(o->proximity);
    free_sample(&o->m);
}

// The deepest of the pairs of one point at x; how many are near.
static uint32_t deepest(const one_step *o, const double *x, tide_contact_gap *worst)
{
    uint32_t near = 0;
    worst->gap = INFINITY;
    for (uint32_t i = 0; i < o->count; i++) {
        tide_contact_gap gap;
        tide_proximity_gap(&o->pairs[i], x, &gap);
        if (!gap.near)
            continue;
        near++;
        if (gap.gap < worst->gap)
            *worst = gap;
    }
    return near;
}

static void test_a_bullet_is_caught_where_it_passed(void **state)
{
    (void)state;
    for (int upwards = 0; upwards < 2; upwards++) {
        double sign = upwards ? 1 : -1;
        one_step o = { 0 };
        add_sheet(&o.m, 0.001, 11, 0.1, 0, 0, 0);
        add_part(&o.m, 0.002);
        uint32_t bullet = add_point(&o.m, 0.52, -5 * sign, 0.47, 1);
        double to[366];
        memcpy(to, o.m.x, sizeof(double) * 3 * o.m.s.point_count);
        to[3 * bullet] += 40; // far beyond the sheet's end; it passes at a tenth of its way
        to[3 * bullet + 1] += 50 * sign;
        o.m.x[3 * bullet] -= 4;
        to[3 * bullet] -= 4;
        find(&o, to, true, false);
        tide_contact_gap gap;
        assert_int_equal(deepest(&o, to, &gap), 1);
        assert_near(gap.gap, -45 - 0.003, 1e-9);
        assert_near(gap.normal[1], -sign, 1e-12);
        assert_near(gap.weights[0], 1, 0);
        // It passed at 0.52, 0.47: in the cell that has its corner at 0.5, 0.4.
        double place = 0;
        for (uint32_t i = 0; i < o.count; i++) {
            tide_proximity_gap(&o.pairs[i], to, &gap);
            for (int k = 1; k < 4 && gap.near; k++)
                place -= gap.weights[k] * o.m.x[3 * o.pairs[i].points[k]];
        }
        assert_near(place, 0.52, 1e-9);
        close_step(&o);
    }
}

static void test_what_passes_beside_is_left_alone(void **state)
{
    (void)state;
    one_step o = { 0 };
    add_sheet(&o.m, 0.001, 2, 1, 0, 0, 0);
    add_part(&o.m, 0.002);
    uint32_t point = add_point(&o.m, 1.2, 1, 0.5, 1);
    double to[15];
    memcpy(to, o.m.x, sizeof to);
    to[3 * point] -= 0.5; // ends below the sheet, having gone round its edge
    to[3 * point + 1] -= 6;
    find(&o, to, true, false);
    tide_contact_gap gap;
    assert_true(o.count > 0);
    assert_int_equal(deepest(&o, to, &gap), 0);
    close_step(&o);
}

static void test_edges_that_pass_through_each_other(void **state)
{
    (void)state;
    for (int lines = 0; lines < 2; lines++) {
        one_step o = { 0 };
        for (int i = 0; i < 2; i++) {
            add_part(&o.m, 0.01);
            uint32_t a = add_point(&o.m, i ? 0 : -1, i ? 0.5 : 0, i ? -1 : 0, 1);
            uint32_t b = add_point(&o.m, i ? 0 : 1, i ? 0.5 : 0, i ? 1 : 0, 1);
            uint32_t c = lines ? b : add_point(&o.m, i ? 0 : 0, i ? 9 : -9, i ? 1 : 0, 1);
            if (lines)
                add_edge(&o.m, a, b);
            else
                add_triangle(&o.m, a, b, c);
        }
        double to[18];
        memcpy(to, o.m.x, sizeof(double) * 3 * o.m.s.point_count);
        for (uint32_t i = o.m.parts[1].first_point; i < o.m.s.point_count; i++) {
            to[3 * i + 1] -= 3;
            to[3 * i] += 2; // beside one another at the end
        }
        find(&o, to, false, true);
        tide_contact_gap gap;
        assert_true(deepest(&o, to, &gap) > 0);
        uint32_t seen = 0, second = o.m.parts[1].first_point + 1;
        for (uint32_t i = 0; i < o.count; i++) {
            tide_proximity_gap(&o.pairs[i], to, &gap);
            if (o.pairs[i].kind != TIDE_PAIR_EDGES || o.pairs[i].points[1] != 1 || o.pairs[i].points[3] != second ||
                !gap.near)
                continue;
            assert_near(gap.gap, -2.5 - 0.02, 1e-9);
            assert_near(gap.normal[1], -1, 1e-9); // the first edge is to be below the second
            assert_near(gap.weights[1], (0.5 / 3 * 2 + 1) / 2, 1e-9);
            seen++;
        }
        assert_int_equal(seen, 1);
        close_step(&o);
    }
}

// Edges of two layers that turn past parallel have not passed through one another.
static void test_edges_that_turn_past_parallel(void **state)
{
    (void)state;
    one_step o = { 0 };
    for (int i = 0; i < 2; i++) {
        add_part(&o.m, 0.05);
        uint32_t a = add_point(&o.m, -1, 0.08 * i, i ? -0.1 : 0, 1), b = add_point(&o.m, 1, 0.08 * i, i ? 0.1 : 0, 1);
        add_triangle(&o.m, a, b, add_point(&o.m, 0, 0.08 * i, -2, 1));
    }
    double to[18];
    memcpy(to, o.m.x, sizeof to);
    to[3 * 3 + 2] = 0.1;
    to[3 * 4 + 2] = -0.1;
    find(&o, to, false, false);
    int seen = 0;
    for (uint32_t i = 0; i < o.count; i++)
        if (o.pairs[i].kind == TIDE_PAIR_EDGES && o.pairs[i].points[0] == 0 && o.pairs[i].points[1] == 1 &&
            o.pairs[i].points[2] == 3 && o.pairs[i].points[3] == 4)
            for (int step = 0; step <= 10; step++) {
                double x[18];
                tide_contact_gap gap;
                for (int k = 0; k < 18; k++)
                    x[k] = o.m.x[k] + (to[k] - o.m.x[k]) * step / 10;
                tide_proximity_gap(&o.pairs[i], x, &gap);
                assert_int_equal(gap.near, step != 5);
                if (step == 5) // parallel: their ends tell
                    assert_true(deepest(&o, x, &gap) > 0);
                assert_near(gap.gap, 0.08 - 0.1, 1e-9);
                assert_near(gap.normal[1], -1, 1e-9);
                seen++;
            }
    assert_int_equal(seen, 11);
    close_step(&o);
}

static void test_points_that_pass(void **state)
{
    (void)state;
    for (int aside = 0; aside < 3; aside++) {
        one_step o = { 0 };
        add_part(&o.m, 0.1);
        add_point(&o.m, 0, 0, 0, 1);
        add_part(&o.m, 0.1);
        add_point(&o.m, 1, aside ? 0.12 : 0, aside == 2 ? 0.18 : 0, 1);
        double to[6];
        memcpy(to, o.m.x, sizeof to);
        to[3] = -1;
        find(&o, to, false, false);
        tide_contact_gap gap;
        assert_int_equal(o.count, aside < 2);
        tide_error error;
        assert_ok(find_pairs(o.proximity, &o.m.s, o.m.x, to, 0.1, &error), error);
        o.pairs = whole_pairs(o.proximity, &o.count);
        assert_int_equal(o.count, 1);
        tide_proximity_gap(&o.pairs[0], to, &gap);
        assert_true(gap.near);
        if (aside == 0)
            assert_near(gap.gap, -1.2, 1e-12);
        else if (aside == 1) // touched where they were 0.12 apart across and 0.16 along
            assert_near(gap.gap, (0.12 * 0.12 - 0.16) / 0.2 - 0.2, 1e-12);
        else // went past
            assert_near(gap.gap, sqrt(1 + 0.12 * 0.12 + 0.18 * 0.18) - 0.2, 1e-12);
        close_step(&o);
    }
}

static void test_a_solid_is_left_by_its_nearest_side(void **state)
{
    (void)state;
    static const double lower[3] = { 0, 0, 0 }, thick[3] = { 1, 1, 1 }, thin[3] = { 1, 0.015, 1 };
    for (int flat = 0; flat < 2; flat++) {
        one_step o = { 0 };
        add_box(&o.m, 0.01, lower, flat ? thin : thick)->solid = true;
        double top = flat ? 0.015 : 1;
        add_part(&o.m, 0.01);
        add_point(&o.m, 0.3, top - 0.005, 0.4, 1); // just within
        add_part(&o.m, 0.01);
        add_point(&o.m, 0.7, top + 0.01, 0.6, 1); // above: not to be pulled in by the lower side
        tide_contact_surface *s = close_sample(&o.m, false);
        find(&o, o.m.x, false, false);
        uint32_t seen = 0;
        for (uint32_t i = 0; i < o.count; i++) {
            tide_contact_gap gap;
            tide_proximity_gap(&o.pairs[i], o.m.x, &gap);
            if (!gap.near || o.pairs[i].points[0] < 8)
                continue;
            bool within = o.pairs[i].points[0] == 8;
            assert_near(gap.gap, (within ? -0.005 : 0.01) - 0.02, 1e-12);
            assert_near(gap.normal[1], 1, 1e-12);
            seen |= within ? 1 : 2;
        }
        assert_int_equal(seen, 3);
        (void)s;
        close_step(&o);
    }
}

// Distances of points from a box of edge length 1, also beside its corners and edges.
static void test_a_solid_is_round_about_its_corners(void **state)
{
    (void)state;
    static const double lower[3] = { 0, 0, 0 }, upper[3] = { 1, 1, 1 };
    uint32_t beside[4] = { 0 };
    one_step o = { 0 };
    add_box(&o.m, 0.01, lower, upper)->solid = true;
    add_part(&o.m, 0.01);
    enum { TRIED = 400 };
    double distance[TRIED], least[TRIED];
    for (uint32_t n = 0; n < TRIED; n++) {
        double at[3], square = 0;
        uint32_t out = 0;
        for (int k = 0; k < 3; k++) {
            at[k] = uniform(0, 1) < 0.6 ? uniform(1, 1.015) : uniform(0, 1);
            out += at[k] > 1;
            square += fmax(0, at[k] - 1) * fmax(0, at[k] - 1);
        }
        at[0] += out ? 0 : 1;
        distance[n] = out ? sqrt(square) : at[0] - 1;
        least[n] = HUGE_VAL;
        beside[out ? out : 1] += distance[n] < 0.02;
        add_point(&o.m, at[0], at[1], at[2], 1);
    }
    find(&o, o.m.x, false, false);
    for (uint32_t i = 0; i < o.count; i++) {
        tide_contact_gap gap;
        tide_proximity_gap(&o.pairs[i], o.m.x, &gap);
        if (gap.near && o.pairs[i].points[0] >= 8)
            least[o.pairs[i].points[0] - 8] = fmin(least[o.pairs[i].points[0] - 8], gap.gap);
    }
    assert_true(beside[1] > 40 && beside[2] > 40 && beside[3] > 20);
    for (uint32_t n = 0; n < TRIED; n++)
        if (distance[n] < 0.02)
            assert_near(least[n], distance[n] - 0.02, 1e-12);
    close_step(&o);
}

static void test_a_thick_cloth_does_not_push_itself(void **state)
{
    (void)state;
    one_step o = { 0 };
    add_sheet(&o.m, 0.15, 8, 0.1, 0, 0, 0);
    o.m.s.rest = malloc(sizeof(double) * 3 * o.m.s.point_count);
    memcpy(o.m.s.rest, o.m.x, sizeof(double) * 3 * o.m.s.point_count);
    find(&o, o.m.x, true, false);
    tide_contact_gap gap;
    deepest(&o, o.m.x, &gap);
    assert_true(gap.gap > 0);
    // Folded onto itself, parts meet that are farther from one another than half of the fold's circumference.
    double *x = malloc(sizeof(double) * 3 * o.m.s.point_count);
    for (uint32_t i = 0; i < o.m.s.point_count; i++) {
        x[3 * i] = o.m.x[3 * i] > 0.35 ? 0.7 - o.m.x[3 * i] : o.m.x[3 * i];
        x[3 * i + 1] = o.m.x[3 * i] > 0.35 ? 0.1 : 0;
        x[3 * i + 2] = o.m.x[3 * i + 2];
    }
    tide_error error;
    assert_ok(find_pairs(o.proximity, &o.m.s, x, x, 0, &error), error);
    o.pairs = whole_pairs(o.proximity, &o.count);
    assert_true(deepest(&o, x, &gap) > 0);
    assert_near(gap.gap, 0.1 - 0.3, 1e-9);
    free(x);
    free(o.m.s.rest);
    close_step(&o);
}

static void test_what_it_refuses(void **state)
{
    (void)state;
    one_step o = { 0 };
    add_sheet(&o.m, 0.01, 3, 0.1, 0, 0, 0);
    find(&o, o.m.x, true, false);
    double to[27];
    memcpy(to, o.m.x, sizeof to);
    to[13] = NAN;
    tide_error error;
    assert_fails(find_pairs(o.proximity, &o.m.s, o.m.x, to, 0, &error), error, "finite");
    tide_proximity_pairs(o.proximity, &o.count);
    assert_int_equal(o.count, 0);
    close_step(&o);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_gaps_against_finite_differences),
    cmocka_unit_test(test_a_bullet_is_caught_where_it_passed),
    cmocka_unit_test(test_what_passes_beside_is_left_alone),
    cmocka_unit_test(test_edges_that_pass_through_each_other),
    cmocka_unit_test(test_edges_that_turn_past_parallel),
    cmocka_unit_test(test_points_that_pass),
    cmocka_unit_test(test_a_solid_is_left_by_its_nearest_side),
    cmocka_unit_test(test_a_solid_is_round_about_its_corners),
    cmocka_unit_test(test_a_thick_cloth_does_not_push_itself),
    cmocka_unit_test(test_what_it_refuses),
};
TIDE_TEST_SUITE(collision_proximity_gap, tests)
