// Pairs against all pairs by brute force; gaps against finite differences and against what must be.
#include "contact/geometry.h"
#include "contact/proximity.h"
#include "contact/spatial_hash.h"
#include "surfaces.h"

#include <math.h>

static tide_random random_state;

static double uniform(double low, double high)
{
    return between(&random_state, low, high);
}

// --- all pairs

typedef struct scene {
    const tide_contact_surface *s;
    const double *from, *to;
    double margin;
    bool lines, *on_triangle;
    double drift[3]; // of the mean of the points that are not fixed
} scene;

static void find_drift(scene *q)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < q->s->point_count; i++)
        count += !q->s->parts[q->s->part_of[i]].fixed;
    for (int d = 0; d < 3; d++) {
        q->drift[d] = 0;
        for (uint32_t i = 0; i < q->s->point_count; i++)
            if (!q->s->parts[q->s->part_of[i]].fixed)
                q->drift[d] += (q->to[3 * i + (uint32_t)d] - q->from[3 * i + (uint32_t)d]) / count;
    }
}

static const tide_contact_part *part(const scene *q, uint32_t point)
{
    return &q->s->parts[q->s->part_of[point]];
}

static bool touching(const scene *q, uint32_t a, uint32_t b)
{
    const tide_contact_surface *s = q->s;
    uint32_t i = s->part_of[a], k = s->part_of[b];
    return s->touching[i * s->part_count + k] && !(s->parts[i].fixed && s->parts[k].fixed);
}

static double closest2(const double *x, uint32_t firsts, uint32_t seconds, const uint32_t *n)
{
    const double *p[4] = { NULL };
    double w[3], s, t;
    for (uint32_t k = 0; k < firsts + seconds; k++)
        p[k] = x + 3 * n[k];
    if (seconds == 3)
        return tide_closest_on_triangle(p[0], p[1], p[2], p[3], w);
    if (seconds == 2)
        return tide_closest_of_segments(p[0], p[1], p[2], p[3], &s, &t);
    return tide_closest_on_segment(p[0], p[1], p[1], &t);
}

// The rule of proximity.h as it stands there: whether moving boxes overlap, and whether the distance at the start less
// what they may come closer is within reach.
static bool expected(const scene *q, uint32_t firsts, uint32_t seconds, const uint32_t *n)
{
    if (!touching(q, n[0], n[firsts]))
        return false;
    for (uint32_t i = 0; i < firsts; i++)
        for (uint32_t k = firsts; k < firsts + seconds; k++)
            if (n[i] == n[k])
                return false;
    double boxes[2][6], motion = 0;
    for (int b = 0; b < 2; b++)
        for (int d = 0; d < 3; d++) {
            boxes[b][d] = INFINITY;
            boxes[b][3 + d] = -INFINITY;
            for (uint32_t k = b ? firsts : 0; k < (b ? firsts + seconds : firsts); k++) {
                double end = q->to[3 * n[k] + (uint32_t)d] - q->drift[d];
                double low = fmin(q->from[3 * n[k] + (uint32_t)d], end);
                double high = fmax(q->from[3 * n[k] + (uint32_t)d], end);
                double reach = part(q, n[k])->radius + q->margin;
                boxes[b][d] = fmin(boxes[b][d], low - reach);
                boxes[b][3 + d] = fmax(boxes[b][3 + d], high + reach);
            }
        }
    if (!tide_boxes_overlap(boxes[0], boxes[1]))
        return false;
    for (uint32_t i = 0; i < firsts; i++)
        for (uint32_t k = firsts; k < firsts + seconds; k++) {
            double u[3];
            for (uint32_t d = 0; d < 3; d++)
                u[d] = q->to[3 * n[i] + d] - q->from[3 * n[i] + d] - (q->to[3 * n[k] + d] - q->from[3 * n[k] + d]);
            motion = fmax(motion, sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]));
        }
    double distance = part(q, n[0])->radius + part(q, n[firsts])->radius;
    double rest = q->s->rest ? closest2(q->s->rest, firsts, seconds, n) : INFINITY;
    if (q->s->part_of[n[0]] == q->s->part_of[n[firsts]] && rest < 1.21 * distance * distance)
        return false;
    return sqrt(closest2(q->from, firsts, seconds, n)) <= distance + 2 * q->margin + motion + 1e-12;
}

static bool joined(const scene *q, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < q->s->edge_count; i++)
        if ((q->s->edges[2 * i] == a && q->s->edges[2 * i + 1] == b) ||
            (q->s->edges[2 * i] == b && q->s->edges[2 * i + 1] == a))
            return true;
    return false;
}

static void expect(const scene *q, const tide_contact_pair *pairs, uint32_t count, uint32_t *at, tide_pair_kind kind,
                   uint64_t key, uint32_t firsts, uint32_t seconds, const uint32_t *n)
{
    if (!expected(q, firsts, seconds, n))
        return;
    if (*at >= count || pairs[*at].kind != kind || pairs[*at].key != key)
        fail_msg("pair %u of %u: kind %d key %llx is missing", *at, count, (int)kind, (unsigned long long)key);
    for (uint32_t k = 0; k < firsts + seconds; k++)
        assert_int_equal(pairs[*at].points[k], n[k]);
    assert_near(pairs[*at].distance, part(q, n[0])->radius + part(q, n[firsts])->radius, 0);
    ++*at;
}

static uint32_t compare(const scene *q, const tide_proximity *proximity)
{
    const tide_contact_surface *s = q->s;
    uint32_t count, at = 0;
    const tide_contact_pair *pairs = tide_proximity_pairs(proximity, &count);
    for (uint32_t i = 0; i < s->point_count; i++)
        for (uint32_t k = i + 1; k < s->point_count; k++) {
            uint32_t n[2] = { i, k };
            bool lines = part(q, i)->triangle_count == 0 && part(q, k)->triangle_count == 0 && !q->lines;
            if (lines && !joined(q, i, k))
                expect(q, pairs, count, &at, TIDE_PAIR_POINTS, (uint64_t)i << 32 | k, 1, 1, n);
        }
    for (uint32_t i = 0; i < s->point_count; i++)
        for (uint32_t t = 0; t < s->triangle_count; t++) {
            uint32_t n[4] = { i, s->triangles[3 * t], s->triangles[3 * t + 1], s->triangles[3 * t + 2] };
            expect(q, pairs, count, &at, TIDE_PAIR_TRIANGLE, (uint64_t)i << 32 | t, 1, 3, n);
        }
    for (uint32_t i = 0; i < s->edge_count; i++)
        for (uint32_t k = i + 1; k < s->edge_count; k++) {
            uint32_t n[4] = { s->edges[2 * i], s->edges[2 * i + 1], s->edges[2 * k], s->edges[2 * k + 1] };
            if (q->lines || (part(q, n[0])->triangle_count > 0 && part(q, n[2])->triangle_count > 0))
                expect(q, pairs, count, &at, TIDE_PAIR_EDGES, (uint64_t)i << 32 | k, 2, 2, n);
        }
    assert_int_equal(at, count);
    return count;
}

static void make_crowd(sample *m)
{
    add_sheet(m, 0.03, 5, 0.2, 0, 0, 0);
    add_sheet(m, 0.02, 4, 0.25, 0.1, 0.1, 0.1);
    for (int i = 0; i < 6; i++)
        add_strand(m, 0.05, 6, 0.15, uniform(0, 1), uniform(-0.5, 0.3), uniform(0, 1));
    add_part(m, 0.04); // points alone
    for (int i = 0; i < 20; i++)
        add_point(m, uniform(0, 1), uniform(-0.5, 0.5), uniform(0, 1), 1);
    m->parts[1].fixed = m->parts[3].fixed = true;
}

static void test_all_pairs(void **state)
{
    (void)state;
    random_state = tide_random_seed(1);
    sample m = { 0 };
    make_crowd(&m);
    tide_contact_surface *s = close_sample(&m, true);
    s->touching[0 * s->part_count + 4] = s->touching[4 * s->part_count + 0] = false;
    size_t n = 3 * s->point_count;
    double *from = malloc(n * sizeof *from), *to = malloc(n * sizeof *to);
    uint32_t kinds = 0;
    for (int round = 0; round < 40; round++) {
        tide_proximity *proximity = NULL;
        tide_error error;
        bool lines = round % 2;
        s->rest = round % 4 < 2 ? NULL : m.x;
        double scale = pow(10, uniform(-3, 0)), fast = pow(10, uniform(-3, 0.5));
        for (size_t i = 0; i < n; i++) {
            from[i] = m.x[i] + uniform(-scale, scale);
            to[i] = from[i] + uniform(-1, 1) * scale + (i / 3 % 17 == 0 ? uniform(-fast, fast) : 0);
        }
        // Points without an edge stay points to all; this comparison's rule for them is simpler.
        if (lines)
            for (uint32_t k = 0; k < s->part_count; k++)
                s->touching[8 * s->part_count + k] = s->touching[k * s->part_count + 8] = false;
        assert_ok(tide_proximity_create(s, lines, &proximity, &error), error);
        scene q = { s, from, to, round % 3 * 0.01, lines, NULL, { 0 } };
        find_drift(&q);
        assert_ok(tide_proximity_find(proximity, from, to, q.margin, &error), error);
        kinds += compare(&q, proximity) > 100;
        uint64_t before = tide_memory_count().allocations;
        assert_ok(tide_proximity_find(proximity, from, to, q.margin, &error), error);
        assert_int_equal(tide_memory_count().allocations, before);
        tide_proximity_destroy(proximity);
        for (uint32_t k = 0; k < s->part_count; k++)
            s->touching[8 * s->part_count + k] = s->touching[k * s->part_count + 8] = true;
        s->touching[0 * s->part_count + 4] = s->touching[4 * s->part_count + 0] = false;
    }
    assert_true(kinds > 30);
    free(from);
    free(to);
    free_sample(&m);
}

// One search that goes on from step to step, as points wander, turn and fly: each time the pairs are all there are, and
// to the bit those of a search that begins there.
static void test_pairs_step_by_step(void **state)
{
    (void)state;
    random_state = tide_random_seed(7);
    for (int round = 0; round < 4; round++) {
        sample m = { 0 };
        make_crowd(&m);
        tide_contact_surface *s = close_sample(&m, true);
        size_t n = 3 * s->point_count;
        double *from = malloc(n * sizeof *from), *to = malloc(n * sizeof *to), *v = malloc(n * sizeof *v);
        double pace = pow(10, -3 + 0.7 * round);
        tide_proximity *kept = NULL;
        tide_error error;
        s->rest = NULL;
        assert_ok(tide_proximity_create(s, false, &kept, &error), error);
        memcpy(from, m.x, n * sizeof *from);
        for (size_t i = 0; i < n; i++)
            v[i] = uniform(-pace, pace) + (i % 3 == 0 ? 5 * pace : 0);
        for (int step = 0; step < 60; step++) {
            for (size_t i = 0; i < n; i++) {
                v[i] += uniform(-0.3, 0.3) * pace;
                to[i] = from[i] + v[i] + (step == 30 && i / 3 == 11 ? 1 : 0);
            }
            tide_proximity *fresh = NULL;
            assert_ok(tide_proximity_create(s, false, &fresh, &error), error);
            scene q = { s, from, to, step % 3 * 0.01, false, NULL, { 0 } };
            find_drift(&q);
            assert_ok(tide_proximity_find(kept, from, to, q.margin, &error), error);
            assert_ok(tide_proximity_find(fresh, from, to, q.margin, &error), error);
            compare(&q, kept);
            uint32_t count, others;
            const tide_contact_pair *a = tide_proximity_pairs(kept, &count), *b = tide_proximity_pairs(fresh, &others);
            assert_int_equal(count, others);
            for (uint32_t i = 0; i < count; i++) {
                assert_true(a[i].key == b[i].key && a[i].kind == b[i].kind);
                assert_memory_equal(a[i].side, b[i].side, sizeof a[i].side);
                assert_true(a[i].reversed == b[i].reversed && a[i].inside == b[i].inside && a[i].ends == b[i].ends);
            }
            tide_proximity_destroy(fresh);
            memcpy(from, to, n * sizeof *from);
        }
        tide_proximity_destroy(kept);
        free(from);
        free(to);
        free(v);
        free_sample(&m);
    }
}

// Whatever comes near at any of many moments is among the pairs.
static void test_nothing_that_comes_near_is_missed(void **state)
{
    (void)state;
    random_state = tide_random_seed(2);
    for (int round = 0; round < 20; round++) {
        sample m = { 0 };
        add_sheet(&m, 0.03, 3, 0.3, 0, 0, 0);
        add_sheet(&m, 0.03, 3, 0.3, 0, 0.3, 0);
        tide_contact_surface *s = close_sample(&m, true);
        size_t n = 3 * s->point_count;
        double *to = malloc(n * sizeof *to), *x = malloc(n * sizeof *x);
        for (size_t i = 0; i < n; i++)
            to[i] = m.x[i] + uniform(-1, 1) * (round % 2 ? 1 : 0.2);
        tide_proximity *proximity = NULL;
        tide_error error;
        assert_ok(tide_proximity_create(s, false, &proximity, &error), error);
        assert_ok(tide_proximity_find(proximity, m.x, to, 0, &error), error);
        uint32_t count;
        const tide_contact_pair *pairs = tide_proximity_pairs(proximity, &count);
        for (int step = 0; step <= 40; step++) {
            for (size_t i = 0; i < n; i++)
                x[i] = m.x[i] + (to[i] - m.x[i]) * step / 40;
            for (uint32_t i = 0; i < s->point_count; i++)
                for (uint32_t t = 0; t < s->triangle_count; t++) {
                    uint32_t q[4] = { i, s->triangles[3 * t], s->triangles[3 * t + 1], s->triangles[3 * t + 2] };
                    bool own = q[1] == i || q[2] == i || q[3] == i, known = false;
                    if (own || closest2(x, 1, 3, q) > 0.06 * 0.06)
                        continue;
                    for (uint32_t k = 0; k < count && !known; k++)
                        known = pairs[k].kind == TIDE_PAIR_TRIANGLE && pairs[k].key == ((uint64_t)i << 32 | t);
                    assert_true(known);
                }
        }
        tide_proximity_destroy(proximity);
        free(to);
        free(x);
        free_sample(&m);
    }
}

// --- gaps

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
        assert_ok(tide_proximity_find(proximity, m.x, x, 0.1, &error), error);
        uint32_t count;
        const tide_contact_pair *pairs = tide_proximity_pairs(proximity, &count);
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
        tide_proximity_destroy(proximity);
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
    assert_ok(tide_proximity_find(o->proximity, o->m.x, to, 0, &error), error);
    o->pairs = tide_proximity_pairs(o->proximity, &o->count);
}

static void close_step(one_step *o)
{
    tide_proximity_destroy(o->proximity);
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
                assert_true(gap.near);
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

static void test_a_thick_cloth_does_not_push_itself(void **state)
{
    (void)state;
    one_step o = { 0 };
    add_sheet(&o.m, 0.15, 6, 0.1, 0, 0, 0);
    o.m.s.rest = malloc(sizeof(double) * 3 * o.m.s.point_count);
    memcpy(o.m.s.rest, o.m.x, sizeof(double) * 3 * o.m.s.point_count);
    find(&o, o.m.x, true, false);
    tide_contact_gap gap;
    deepest(&o, o.m.x, &gap);
    assert_true(gap.gap > 0);
    // Folded onto itself, far parts meet.
    double *x = malloc(sizeof(double) * 3 * o.m.s.point_count);
    for (uint32_t i = 0; i < o.m.s.point_count; i++) {
        x[3 * i] = o.m.x[3 * i] > 0.25 ? 0.5 - o.m.x[3 * i] : o.m.x[3 * i];
        x[3 * i + 1] = o.m.x[3 * i] > 0.25 ? 0.1 : 0;
        x[3 * i + 2] = o.m.x[3 * i + 2];
    }
    tide_error error;
    assert_ok(tide_proximity_find(o.proximity, x, x, 0, &error), error);
    o.pairs = tide_proximity_pairs(o.proximity, &o.count);
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
    assert_fails(tide_proximity_find(o.proximity, o.m.x, to, 0, &error), error, "finite");
    tide_proximity_pairs(o.proximity, &o.count);
    assert_int_equal(o.count, 0);
    close_step(&o);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_all_pairs),
    cmocka_unit_test(test_pairs_step_by_step),
    cmocka_unit_test(test_nothing_that_comes_near_is_missed),
    cmocka_unit_test(test_gaps_against_finite_differences),
    cmocka_unit_test(test_a_bullet_is_caught_where_it_passed),
    cmocka_unit_test(test_what_passes_beside_is_left_alone),
    cmocka_unit_test(test_edges_that_pass_through_each_other),
    cmocka_unit_test(test_edges_that_turn_past_parallel),
    cmocka_unit_test(test_points_that_pass),
    cmocka_unit_test(test_a_solid_is_left_by_its_nearest_side),
    cmocka_unit_test(test_a_thick_cloth_does_not_push_itself),
    cmocka_unit_test(test_what_it_refuses),
};
TIDE_TEST_SUITE(contact_proximity, tests)
