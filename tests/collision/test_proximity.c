// Pairs against all pairs by brute force.
#include "base/parallel.h"
#include "collision/box_tree.h"
#include "proximity_tests.h"

typedef struct scene {
    const tide_contact_surface *s;
    const double *from, *to;
    double skin;
    bool lines;
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

// Returns the smallest distance of two moving points.
static double closest_on_the_way(const scene *q, uint32_t a, uint32_t b)
{
    double first[3], last[3], t;
    static const double origin[3];
    for (uint32_t d = 0; d < 3; d++) {
        first[d] = q->from[3 * a + d] - q->from[3 * b + d];
        last[d] = q->to[3 * a + d] - q->to[3 * b + d];
    }
    return sqrt(tide_closest_on_segment(origin, first, last, &t));
}

// Returns the distance of the two sides at the start, along the direction of their shortest distance at the end.
static double separation(const scene *q, uint32_t firsts, uint32_t seconds, const uint32_t *n)
{
    const double *p[4];
    double w[4] = { 0 }, v[3] = { 0 }, low = INFINITY, high = -INFINITY;
    for (uint32_t k = 0; k < 4; k++)
        p[k] = q->to + 3 * n[k];
    if (seconds == 3) {
        tide_closest_on_triangle(p[0], p[1], p[2], p[3], w + 1);
        w[0] = -1;
    } else {
        tide_closest_of_segments(p[0], p[1], p[2], p[3], &w[1], &w[3]);
        w[0] = w[1] - 1;
        w[1] = -w[1];
        w[2] = 1 - w[3];
    }
    for (uint32_t k = 0; k < 4; k++)
        for (uint32_t d = 0; d < 3; d++)
            v[d] -= w[k] * p[k][d];
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (uint32_t k = 0; k < firsts + seconds; k++) {
        const double *x = q->from + 3 * n[k];
        double at = (x[0] * v[0] + x[1] * v[1] + x[2] * v[2]) / length;
        if (k < firsts)
            low = fmin(low, at);
        else
            high = fmax(high, at);
    }
    return length > 0 ? low - high : 0;
}

// The rule of proximity.h: whether moving boxes overlap, and whether the sides end within reach, or what separates them
// at the end did not at the start.
static bool expected(const scene *q, uint32_t firsts, uint32_t seconds, const uint32_t *n)
{
    if (!touching(q, n[0], n[firsts]))
        return false;
    for (uint32_t i = 0; i < firsts; i++)
        for (uint32_t k = firsts; k < firsts + seconds; k++)
            if (n[i] == n[k])
                return false;
    double boxes[2][6];
    for (int b = 0; b < 2; b++)
        for (int d = 0; d < 3; d++) {
            boxes[b][d] = INFINITY;
            boxes[b][3 + d] = -INFINITY;
            for (uint32_t k = b ? firsts : 0; k < (b ? firsts + seconds : firsts); k++) {
                double end = q->to[3 * n[k] + (uint32_t)d] - q->drift[d];
                double low = fmin(q->from[3 * n[k] + (uint32_t)d], end);
                double high = fmax(q->from[3 * n[k] + (uint32_t)d], end);
                double reach = part(q, n[k])->radius + q->skin;
                boxes[b][d] = fmin(boxes[b][d], low - reach);
                boxes[b][3 + d] = fmax(boxes[b][3 + d], high + reach);
            }
        }
    if (!tide_boxes_overlap(boxes[0], boxes[1]))
        return false;
    double distance = part(q, n[0])->radius + part(q, n[firsts])->radius, room = 2 * q->skin + 1e-12;
    double rest = q->s->rest ? closest2(q->s->rest, firsts, seconds, n) : INFINITY;
    if (q->s->part_of[n[0]] == q->s->part_of[n[firsts]] && rest < 1.21 * distance * distance)
        return false;
    if (firsts + seconds == 2)
        return closest_on_the_way(q, n[0], n[1]) <= distance + room;
    double end = sqrt(closest2(q->to, firsts, seconds, n));
    return end <= distance + room || separation(q, firsts, seconds, n) - 0.01 * distance <= room;
}

static bool joined(const scene *q, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < q->s->edge_count; i++)
        if ((q->s->edges[2 * i] == a && q->s->edges[2 * i + 1] == b) ||
            (q->s->edges[2 * i] == b && q->s->edges[2 * i + 1] == a))
            return true;
    return false;
}

static void expect(const scene *q, const tide_proximity *proximity, uint32_t *at, tide_pair_kind kind, uint64_t key,
                   uint32_t firsts, uint32_t seconds, const uint32_t *n)
{
    if (!expected(q, firsts, seconds, n))
        return;
    uint32_t count;
    const tide_near_pair *pairs = tide_proximity_pairs(proximity, &count);
    if (*at >= count || pairs[*at].kind != kind || pairs[*at].key != key)
        fail_msg("pair %u of %u: kind %d key %llx is missing", *at, count, (int)kind, (unsigned long long)key);
    tide_contact_pair pair = tide_proximity_pair(proximity, *at);
    assert_int_equal(pair.kind, kind);
    for (uint32_t k = 0; k < firsts + seconds; k++)
        assert_int_equal(pair.points[k], n[k]);
    assert_near(pair.distance, part(q, n[0])->radius + part(q, n[firsts])->radius, 0);
    ++*at;
}

static uint32_t compare(const scene *q, const tide_proximity *proximity)
{
    const tide_contact_surface *s = q->s;
    uint32_t count, at = 0;
    tide_proximity_pairs(proximity, &count);
    for (uint32_t i = 0; i < s->point_count; i++)
        for (uint32_t k = i + 1; k < s->point_count; k++) {
            uint32_t n[2] = { i, k };
            bool lines = part(q, i)->triangle_count == 0 && part(q, k)->triangle_count == 0 && !q->lines;
            if (lines && !joined(q, i, k))
                expect(q, proximity, &at, TIDE_PAIR_POINTS, (uint64_t)i << 32 | k, 1, 1, n);
        }
    for (uint32_t i = 0; i < s->point_count; i++)
        for (uint32_t t = 0; t < s->triangle_count; t++) {
            uint32_t n[4] = { i, s->triangles[3 * t], s->triangles[3 * t + 1], s->triangles[3 * t + 2] };
            expect(q, proximity, &at, TIDE_PAIR_TRIANGLE, (uint64_t)i << 32 | t, 1, 3, n);
        }
    for (uint32_t i = 0; i < s->edge_count; i++)
        for (uint32_t k = i + 1; k < s->edge_count; k++) {
            uint32_t n[4] = { s->edges[2 * i], s->edges[2 * i + 1], s->edges[2 * k], s->edges[2 * k + 1] };
            if (q->lines || (part(q, n[0])->triangle_count > 0 && part(q, n[2])->triangle_count > 0))
                expect(q, proximity, &at, TIDE_PAIR_EDGES, (uint64_t)i << 32 | k, 2, 2, n);
        }
    assert_int_equal(at, count);
    return count;
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
        scene q = { s, from, to, round % 3 * 0.01, lines, { 0 } };
        find_drift(&q);
        assert_ok(find_pairs(proximity, s, from, to, q.skin, &error), error);
        kinds += compare(&q, proximity) > 50;
        uint64_t before = tide_memory_count().allocations;
        assert_ok(find_pairs(proximity, s, from, to, q.skin, &error), error);
        assert_int_equal(tide_memory_count().allocations, before);
        tide_free(proximity);
        for (uint32_t k = 0; k < s->part_count; k++)
            s->touching[8 * s->part_count + k] = s->touching[k * s->part_count + 8] = true;
        s->touching[0 * s->part_count + 4] = s->touching[4 * s->part_count + 0] = false;
    }
    assert_true(kinds > 30);
    free(from);
    free(to);
    free_sample(&m);
}

// Sheets in one place, where everything is near everything: the pairs are all there are, for any number of threads.
static void test_more_pairs_than_expected(void **state)
{
    (void)state;
    random_state = tide_random_seed(5);
    sample m = { 0 };
    for (int i = 0; i < 4; i++)
        add_sheet(&m, 0.03, 9, 0.001, 0, 0.001 * i, 0);
    tide_contact_surface *s = close_sample(&m, true);
    size_t n = 3 * s->point_count;
    double *to = malloc(n * sizeof *to);
    s->rest = NULL;
    for (size_t i = 0; i < n; i++)
        to[i] = m.x[i] + uniform(-0.001, 0.001);
    tide_proximity *proximity = NULL;
    tide_error error;
    assert_ok(tide_proximity_create(s, false, &proximity, &error), error);
    scene q = { s, m.x, to, 0.01, false, { 0 } };
    find_drift(&q);
    for (int threads = 1; threads <= 3; threads++) {
        tide_set_threads(threads);
        assert_ok(find_pairs(proximity, s, m.x, to, q.skin, &error), error);
        assert_true(compare(&q, proximity) > 100 * s->point_count);
    }
    tide_set_threads(1);
    tide_free(proximity);
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
            scene q = { s, from, to, step % 3 * 0.01, false, { 0 } };
            find_drift(&q);
            assert_ok(find_pairs(kept, s, from, to, q.skin, &error), error);
            assert_ok(find_pairs(fresh, s, from, to, q.skin, &error), error);
            compare(&q, kept);
            uint32_t count, others;
            const tide_near_pair *a = tide_proximity_pairs(kept, &count), *b = tide_proximity_pairs(fresh, &others);
            const tide_contact_pair *whole = whole_pairs(kept, &count), *anew = whole_pairs(fresh, &others);
            assert_int_equal(count, others);
            for (uint32_t i = 0; i < count; i++) {
                assert_true(a[i].key == b[i].key && a[i].kind == b[i].kind);
                assert_memory_equal(whole[i].side, anew[i].side, sizeof whole[i].side);
                assert_true(a[i].reversed == b[i].reversed && a[i].inside == b[i].inside &&
                            whole[i].ends == anew[i].ends);
            }
            tide_free(fresh);
            memcpy(from, to, n * sizeof *from);
        }
        tide_free(kept);
        free(from);
        free(to);
        free(v);
        free_sample(&m);
    }
}

static const tide_near_pair *pair_like(const tide_near_pair *pairs, uint32_t count, const tide_near_pair *one)
{
    for (uint32_t k = 0; k < count; k++)
        if (pairs[k].kind == one->kind && pairs[k].key == one->key)
            return &pairs[k];
    return NULL;
}

// Whether they end closer than their distance, or come as near as makes no difference at one of many moments. (Of a
// triangle that is drawn out to a line on its way, tide_proximity_gap cannot tell the side.)
static bool is_real(const tide_contact_pair *pair, uint32_t firsts, uint32_t seconds, const double *x)
{
    double at[12] = { 0 };
    static const uint32_t own[4] = { 0, 1, 2, 3 };
    for (int step = 400; step >= 0; step--) {
        for (uint32_t k = 0; k < 3 * (firsts + seconds); k++) {
            uint32_t n = 3 * pair->points[k / 3] + k % 3;
            at[k] = pair->from[n] + (x[n] - pair->from[n]) * step / 400;
        }
        if (sqrt(closest2(at, firsts, seconds, own)) < (step == 400 ? pair->distance : 0.01))
            return true;
    }
    return false;
}

// Finds all pairs that can touch when points end anywhere within their skins; their clearance says when.
static void test_nothing_that_touches_is_missed(void **state)
{
    (void)state;
    random_state = tide_random_seed(2);
    uint32_t touched = 0, left_out = 0;
    for (int round = 0; round < 24; round++) {
        sample m = { 0 };
        add_sheet(&m, 0.03, 3, 0.3, 0, 0, 0);
        add_sheet(&m, 0.03, 3, 0.3, 0, 0.3, 0);
        add_strand(&m, 0.05, 6, 0.15, 0.2, -0.3, 0.3);
        add_strand(&m, 0.05, 6, 0.15, 0.25, -0.3, 0.3);
        tide_contact_surface *s = close_sample(&m, true);
        size_t n = 3 * s->point_count;
        double *to = malloc(n * sizeof *to), *x = malloc(n * sizeof *x), skin = round % 3 * 0.02;
        for (size_t i = 0; i < n; i++)
            to[i] = m.x[i] + uniform(-1, 1) * (round % 2 ? 1 : 0.2);
        tide_proximity *some = NULL, *all = NULL;
        tide_error error;
        assert_ok(tide_proximity_create(s, round % 4 > 1, &some, &error), error);
        assert_ok(tide_proximity_create(s, round % 4 > 1, &all, &error), error);
        assert_ok(find_pairs(some, s, m.x, to, skin, &error), error);
        assert_ok(find_pairs(all, s, m.x, to, 10, &error), error);
        uint32_t count, total;
        const tide_near_pair *found = tide_proximity_pairs(some, &count), *near = tide_proximity_pairs(all, &total);
        const tide_contact_pair *pairs = whole_pairs(all, &total);
        left_out += total > count;
        for (int go = 0; go < 20; go++) {
            for (size_t i = 0; i < n; i += 3) {
                double angle = uniform(0, 6.28), by = uniform(0, 1) * skin;
                x[i] = to[i] + by * cos(angle);
                x[i + 1] = to[i + 1] + by * sin(angle);
                x[i + 2] = to[i + 2];
            }
            for (uint32_t i = 0; i < total; i++) {
                tide_contact_gap gap;
                tide_proximity_gap(&pairs[i], x, &gap);
                uint32_t firsts = pairs[i].kind == TIDE_PAIR_EDGES ? 2 : 1;
                uint32_t seconds = pairs[i].kind == TIDE_PAIR_POINTS ? 1 : 4 - firsts;
                bool touches = gap.near && gap.gap < 0 && is_real(&pairs[i], firsts, seconds, x);
                touched += touches;
                if (!touches)
                    continue;
                assert_non_null(pair_like(found, count, &near[i]));
                assert_true(near[i].clearance <= 2 * skin);
                assert_true(tide_proximity_clearance(&pairs[i], x, NULL) <= 0);
            }
        }
        tide_free(some);
        tide_free(all);
        free(to);
        free(x);
        free_sample(&m);
    }
    assert_true(touched > 1000 && left_out > 20);
}

static void move_points(const tide_contact_pair *pair, uint32_t points, double by, double *x)
{
    for (uint32_t k = 0; k < points; k++) {
        double d[3] = { uniform(-1, 1), uniform(-1, 1), uniform(-1, 1) };
        double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        for (uint32_t c = 0; c < 3; c++)
            x[3 * pair->points[k] + c] += by / points / length * d[c];
    }
}

static bool touches_at(const tide_contact_pair *pair, const double *x)
{
    tide_contact_gap gap;
    tide_proximity_gap(pair, x, &gap);
    uint32_t firsts = pair->kind == TIDE_PAIR_EDGES ? 2 : 1, points = pair->kind == TIDE_PAIR_POINTS ? 2 : 4;
    return gap.near && gap.gap < 0 && is_real(pair, firsts, points - firsts, x);
}

// A plane that was between the sides of a pair bounds their motion elsewhere too: points that go less than that do not
// make it touch. At the place where it was found, its bound is the clearance.
static void test_planes_bound_the_motion(void **state)
{
    (void)state;
    random_state = tide_random_seed(19);
    sample m = { 0 };
    make_crowd(&m);
    tide_contact_surface *s = close_sample(&m, true);
    size_t n = 3 * s->point_count;
    double *to = malloc(n * sizeof *to), *x = malloc(n * sizeof *x);
    uint32_t holds[3] = { 0 }, fails = 0;
    for (int round = 0; round < 12; round++) {
        double fast = pow(10, uniform(-2, 0));
        for (size_t i = 0; i < n; i++)
            to[i] = x[i] = m.x[i] + uniform(-fast, fast);
        tide_proximity *proximity = NULL;
        tide_error error;
        assert_ok(tide_proximity_create(s, false, &proximity, &error), error);
        assert_ok(find_pairs(proximity, s, m.x, to, 0.1, &error), error);
        uint32_t count;
        const tide_contact_pair *pairs = whole_pairs(proximity, &count);
        for (uint32_t i = 0; i < count; i++) {
            const tide_contact_pair *pair = &pairs[i];
            tide_separation plane;
            double clearance = tide_proximity_clearance(pair, to, &plane);
            if (plane.kind == TIDE_PAIR_POINTS) {
                assert_true(tide_separation_clearance(&plane, pair->points, to) < 0);
                continue;
            }
            double bound = tide_separation_clearance(&plane, pair->points, to);
            assert_near(bound, clearance, 1e-5);
            for (int go = 0; go < 6; go++) {
                move_points(pair, 4, 4 * fabs(clearance) + 0.01, x);
                bound = tide_separation_clearance(&plane, pair->points, x);
                fails += bound < 0;
                if (bound > 0) {
                    assert_false(touches_at(pair, x));
                    move_points(pair, 4, bound, x);
                    assert_false(touches_at(pair, x));
                    holds[pair->kind]++;
                }
                for (uint32_t k = 0; k < 12; k++)
                    x[3 * pair->points[k / 3] + k % 3] = to[3 * pair->points[k / 3] + k % 3];
            }
        }
        tide_free(proximity);
    }
    assert_true(holds[TIDE_PAIR_TRIANGLE] > 100 && holds[TIDE_PAIR_EDGES] > 100 && fails > 100);
    free(to);
    free(x);
    free_sample(&m);
}

// Makes a pair of random edges with a distance of 1, which start a little away from x. Returns whether they are apart
// at x.
static bool make_edges_apart(tide_contact_pair *pair, double from[12], double x[12])
{
    for (int k = 0; k < 12; k++)
        x[k] = uniform(-1, 1);
    for (int k = 0; k < 12; k++)
        from[k] = x[k] + uniform(-0.05, 0.05);
    double u[3], v[3], w[3];
    for (int k = 0; k < 3; k++) {
        u[k] = from[3 + k] - from[k];
        v[k] = from[9 + k] - from[6 + k];
        w[k] = from[k] - from[6 + k];
    }
    double above =
        (u[1] * v[2] - u[2] * v[1]) * w[0] + (u[2] * v[0] - u[0] * v[2]) * w[1] + (u[0] * v[1] - u[1] * v[0]) * w[2];
    *pair = (tide_contact_pair) { .kind = TIDE_PAIR_EDGES, .points = { 0, 1, 2, 3 }, .distance = 1, .from = from };
    pair->reversed = above < 0;
    return !touches_at(pair, x);
}

// Edges that are nearer than their distance but do not touch, because a closest point lies at an end, do not touch
// after motions within the bound either. Single points and whole edges move, along the edges and in random directions.
static void test_edges_stay_at_their_ends(void **state)
{
    (void)state;
    random_state = tide_random_seed(31);
    double from[12], x[12], moved[12];
    uint32_t holds = 0, touched = 0;
    for (int round = 0; round < 4000; round++) {
        tide_contact_pair pair;
        tide_separation plane;
        if (!make_edges_apart(&pair, from, x) || tide_proximity_clearance(&pair, x, NULL) > 0)
            continue;
        double bound = tide_proximity_motion_before_touch(&pair, x, &plane);
        for (uint32_t go = 0; go < 60 && bound > 0; go++) {
            uint32_t first = go % 6 < 4 ? go % 6 : go % 6 == 4 ? 0 : 2, points = go % 6 < 4 ? 1 : 2, edge = go / 6 % 5;
            double d[3], length = 0, sign = go % 2 ? 1 : -1;
            for (uint32_t k = 0; k < 3; k++) {
                d[k] = edge < 2 ? sign * (x[6 * edge + 3 + k] - x[6 * edge + k]) : uniform(-1, 1);
                length += d[k] * d[k];
            }
            for (int times = 1; times <= 8; times += 7) { // eight times the bound is too far for some
                memcpy(moved, x, sizeof x);
                for (uint32_t k = 3 * first; k < 3 * (first + points); k++)
                    moved[k] += times * bound / points / sqrt(length) * d[k % 3];
                assert_true(times > 1 || !touches_at(&pair, moved));
                touched += touches_at(&pair, moved);
            }
        }
        holds += bound > 0;
    }
    assert_true(holds > 500 && touched > 500);
}

// Points that go less than a pair's clearance, all together, do not make it touch.
static void test_nothing_touches_within_its_clearance(void **state)
{
    (void)state;
    random_state = tide_random_seed(9);
    sample m = { 0 };
    make_crowd(&m);
    tide_contact_surface *s = close_sample(&m, true);
    size_t n = 3 * s->point_count;
    double *to = malloc(n * sizeof *to), *x = malloc(n * sizeof *x);
    uint32_t checked[3] = { 0 };
    for (int round = 0; round < 12; round++) {
        double fast = pow(10, uniform(-2, 0));
        for (size_t i = 0; i < n; i++)
            to[i] = x[i] = m.x[i] + uniform(-fast, fast);
        tide_proximity *proximity = NULL;
        tide_error error;
        assert_ok(tide_proximity_create(s, round % 2, &proximity, &error), error);
        assert_ok(find_pairs(proximity, s, m.x, to, 0.1, &error), error);
        uint32_t count;
        const tide_near_pair *near = tide_proximity_pairs(proximity, &count);
        const tide_contact_pair *pairs = whole_pairs(proximity, &count);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t points = pairs[i].kind == TIDE_PAIR_POINTS ? 2 : 4;
            assert_near(tide_proximity_clearance(&pairs[i], to, NULL), near[i].clearance, 1e-15);
            for (int go = 0; go < 6 && near[i].clearance > 0; go++) {
                move_points(&pairs[i], points, near[i].clearance, x);
                assert_false(touches_at(&pairs[i], x));
                checked[pairs[i].kind]++;
                for (uint32_t k = 0; k < 3 * points; k++)
                    x[3 * pairs[i].points[k / 3] + k % 3] = to[3 * pairs[i].points[k / 3] + k % 3];
            }
        }
        tide_free(proximity);
    }
    assert_true(checked[0] > 100 && checked[1] > 100 && checked[2] > 100);
    free(to);
    free(x);
    free_sample(&m);
}

// Repeated searches from the same start, for a few points at a time: no touching pair is missed, and known pairs stay.
static void test_updates(void **state)
{
    (void)state;
    random_state = tide_random_seed(11);
    sample m = { 0 };
    make_crowd(&m);
    tide_contact_surface *s = close_sample(&m, true);
    size_t n = 3 * s->point_count;
    double *to = malloc(n * sizeof *to), skins[MAX_PARTS];
    bool changed[MAX_PARTS];
    uint32_t added = 0, agreed = 0, total = 0;
    assert_true(s->point_count <= MAX_PARTS);
    for (int round = 0; round < 12; round++) {
        double fast = pow(10, uniform(-2, -0.5));
        for (size_t i = 0; i < n; i++)
            to[i] = m.x[i] + uniform(-fast, fast);
        tide_proximity *kept = NULL, *fresh = NULL;
        tide_error error;
        assert_ok(tide_proximity_create(s, round % 2, &kept, &error), error);
        assert_ok(tide_proximity_create(s, round % 2, &fresh, &error), error);
        for (uint32_t i = 0; i < s->point_count; i++)
            skins[i] = 0.01;
        assert_ok(tide_proximity_find(kept, m.x, to, skins, &error), error);
        for (int update = 0; update < 8; update++) {
            uint32_t count, others, before = 0;
            const tide_near_pair *pairs = tide_proximity_pairs(kept, &before);
            tide_near_pair *earlier = malloc((before + 1) * sizeof *earlier);
            memcpy(earlier, pairs, before * sizeof *earlier);
            for (uint32_t i = 0; i < s->point_count; i++) {
                changed[i] = uniform(0, 1) < 0.1;
                for (uint32_t d = 0; d < 3 && changed[i]; d++)
                    to[3 * i + d] += uniform(-fast, fast);
                skins[i] = changed[i] ? 0.02 : skins[i];
            }
            assert_ok(tide_proximity_update(kept, to, skins, changed, &error), error);
            assert_ok(tide_proximity_find(fresh, m.x, to, skins, &error), error);
            pairs = tide_proximity_pairs(kept, &count);
            const tide_near_pair *all = tide_proximity_pairs(fresh, &others);
            const tide_contact_pair *whole = whole_pairs(fresh, &others);
            for (uint32_t i = 0; i < count; i++) {
                const tide_near_pair *was = pair_like(earlier, before, &pairs[i]);
                assert_int_equal(pairs[i].before, was ? (uint32_t)(was - earlier) : TIDE_NO_PAIR);
                added += !was;
                agreed += pair_like(all, others, &pairs[i]) != NULL;
            }
            total += others;
            for (uint32_t i = 0; i < others; i++) {
                tide_contact_gap gap;
                tide_proximity_gap(&whole[i], to, &gap);
                if (gap.near && gap.gap < 0)
                    assert_non_null(pair_like(pairs, count, &all[i]));
            }
            free(earlier);
        }
        tide_free(kept);
        tide_free(fresh);
    }
    assert_true(added > 100 && agreed > 0.9 * total);
    free(to);
    free_sample(&m);
}

// Sheets that are apart in the search, and that updates bring near: the pairs are those of a new search.
static void test_updates_after_parts_were_far(void **state)
{
    (void)state;
    random_state = tide_random_seed(29);
    sample m = { 0 };
    add_sheet(&m, 0.02, 8, 0.1, 0, 0, 0);
    add_sheet(&m, 0.02, 8, 0.1, 0.03, 0.3, 0.01);
    add_sheet(&m, 0.02, 8, 0.1, 0.02, -0.3, 0.05);
    tide_contact_surface *s = close_sample(&m, false);
    size_t n = 3 * s->point_count;
    double *to = malloc(n * sizeof *to), skins[MAX_PARTS];
    bool changed[MAX_PARTS];
    assert_true(s->point_count == 192 && s->point_count <= MAX_PARTS);
    for (uint32_t i = 0; i < s->point_count; i++)
        skins[i] = 0.01;
    for (int order = 0; order < 2; order++) {
        tide_proximity *kept = NULL, *fresh = NULL;
        tide_error error;
        uint32_t count, others;
        memcpy(to, m.x, n * sizeof *to);
        assert_ok(tide_proximity_create(s, false, &kept, &error), error);
        assert_ok(tide_proximity_create(s, false, &fresh, &error), error);
        assert_ok(tide_proximity_find(kept, m.x, to, skins, &error), error);
        tide_proximity_pairs(kept, &count);
        assert_int_equal(count, 0);
        // Half of one sheet comes to the first one; later half of the other.
        for (uint32_t moved = 1; moved < 3; moved++) {
            uint32_t part = order ? 3 - moved : moved;
            for (uint32_t i = 0; i < s->point_count; i++) {
                changed[i] = s->part_of[i] == part && i % 8 < 4;
                double gap = part == 1 ? uniform(0.03, 0.06) : -uniform(0.03, 0.06);
                to[3 * i + 1] = changed[i] ? gap : to[3 * i + 1];
            }
            assert_ok(tide_proximity_update(kept, to, skins, changed, &error), error);
            assert_ok(tide_proximity_find(fresh, m.x, to, skins, &error), error);
            const tide_near_pair *pairs = tide_proximity_pairs(kept, &count);
            const tide_near_pair *all = tide_proximity_pairs(fresh, &others);
            assert_true(others > 50 * moved);
            assert_int_equal(count, others);
            for (uint32_t i = 0; i < count; i++)
                assert_true(pairs[i].kind == all[i].kind && pairs[i].key == all[i].key);
        }
        // All back: nothing is near, and what is not finite is refused.
        for (uint32_t i = 0; i < s->point_count; i++)
            changed[i] = true;
        assert_ok(tide_proximity_update(kept, m.x, skins, changed, &error), error);
        tide_proximity_pairs(kept, &count);
        assert_int_equal(count, 0);
        to[7] = NAN;
        assert_int_equal(tide_proximity_find(kept, m.x, to, skins, &error), TIDE_ERROR_NUMERIC);
        tide_free(kept);
        tide_free(fresh);
    }
    free(to);
    free_sample(&m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_all_pairs),
    cmocka_unit_test(test_more_pairs_than_expected),
    cmocka_unit_test(test_pairs_step_by_step),
    cmocka_unit_test(test_nothing_that_touches_is_missed),
    cmocka_unit_test(test_planes_bound_the_motion),
    cmocka_unit_test(test_edges_stay_at_their_ends),
    cmocka_unit_test(test_nothing_touches_within_its_clearance),
    cmocka_unit_test(test_updates),
    cmocka_unit_test(test_updates_after_parts_were_far),
};
TIDE_TEST_SUITE(collision_proximity, tests)
