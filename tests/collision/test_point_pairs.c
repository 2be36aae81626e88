// Points against points: all pairs by brute force, on random clouds and on strands that move.
#include "collision/point_pairs.h"
#include "surfaces.h"

#include <math.h>

static tide_random random_state;

static double uniform(double low, double high)
{
    return between(&random_state, low, high);
}

// A surface with its own search, and the queries made.
typedef struct trial {
    sample m;
    tide_contact_surface *s;
    uint32_t *points, *starts, *neighbours, count;
    double *from, *to, *skins, drift[3];
    bool *changed;
    tide_point_pairs *pairs;
} trial;

static void open_trial(trial *t, bool itself)
{
    tide_error error;
    t->s = close_sample(&t->m, itself);
    uint32_t n = t->s->point_count;
    t->count = 0;
    t->points = malloc(n * sizeof *t->points);
    t->starts = calloc(n + 1, sizeof *t->starts);
    t->neighbours = malloc(2 * (size_t)t->s->edge_count * sizeof *t->neighbours + 1);
    t->from = malloc(3 * n * sizeof *t->from);
    t->to = malloc(3 * n * sizeof *t->to);
    t->skins = malloc(n * sizeof *t->skins);
    t->changed = calloc(n, sizeof *t->changed);
    for (uint32_t i = 0; i < n; i++)
        if (t->s->parts[t->s->part_of[i]].triangle_count == 0)
            t->points[t->count++] = i;
    uint32_t filled = 0;
    for (uint32_t i = 0; i < n; i++) {
        t->starts[i] = filled;
        for (uint32_t e = 0; e < 2 * t->s->edge_count; e++)
            if (t->s->edges[e] == i)
                t->neighbours[filled++] = t->s->edges[e ^ 1];
    }
    t->starts[n] = filled;
    assert_ok(tide_point_pairs_create(t->s, t->points, t->count, t->starts, t->neighbours, &t->pairs, &error), error);
}

static void close_trial(trial *t)
{
    tide_free(t->pairs);
    free(t->points);
    free(t->starts);
    free(t->neighbours);
    free(t->from);
    free(t->to);
    free(t->skins);
    free(t->changed);
    free_sample(&t->m);
}

// Returns the smallest gap of two points along their paths. The square of their distance is a parabola in time.
static double clearance(const trial *t, uint32_t i, uint32_t j)
{
    double a = 0, b = 0, c = 0;
    for (uint32_t k = 0; k < 3; k++) {
        double d = t->from[3 * i + k] - t->from[3 * j + k], way = t->to[3 * i + k] - t->to[3 * j + k] - d;
        a += way * way;
        b += d * way;
        c += d * d;
    }
    double at = a > 0 ? fmin(fmax(-b / a, 0), 1) : 0, square = (a * at + 2 * b) * at + c;
    return sqrt(fmax(square, 0)) - t->s->parts[t->s->part_of[i]].radius - t->s->parts[t->s->part_of[j]].radius;
}

static bool left_out(const trial *t, uint32_t i, uint32_t j)
{
    const tide_contact_surface *s = t->s;
    uint32_t a = s->part_of[i], b = s->part_of[j];
    if (!s->touching[a * s->part_count + b] || (s->parts[a].fixed && s->parts[b].fixed))
        return true;
    for (uint32_t e = 0; e < s->edge_count; e++)
        if ((s->edges[2 * e] == i && s->edges[2 * e + 1] == j) || (s->edges[2 * e] == j && s->edges[2 * e + 1] == i))
            return true;
    for (uint32_t k = s->joined_starts ? s->joined_starts[i] : 0; s->joined_starts && k < s->joined_starts[i + 1]; k++)
        if (s->joined[k] == j)
            return true;
    double square = 0, near = 2.2 * s->parts[a].radius;
    for (uint32_t k = 0; s->rest && k < 3; k++)
        square += (s->rest[3 * i + k] - s->rest[3 * j + k]) * (s->rest[3 * i + k] - s->rest[3 * j + k]);
    return s->rest && a == b && square < near * near;
}

// Checks that all pairs are found, in order; returns their number. Pairs within rounding error of the limit may be
// missing or present.
static uint32_t compare(const trial *t)
{
    uint32_t count, at = 0;
    const tide_near_points *found = tide_point_pairs_found(t->pairs, &count);
    for (uint32_t a = 0; a < t->count; a++)
        for (uint32_t b = a + 1; b < t->count; b++) {
            uint32_t i = t->points[a], j = t->points[b];
            double clear = clearance(t, i, j), room = t->skins[i] + t->skins[j], unsure = 1e-12 * (1 + fabs(clear));
            if (clear > room + unsure || left_out(t, i, j))
                continue;
            bool here = at < count && found[at].first == i && found[at].second == j;
            if (!here && clear > room - unsure)
                continue;
            if (!here)
                fail_msg("points %u and %u, %g of %g m clear, are missing at %u of %u", i, j, clear, room, at, count);
            assert_near(found[at].clearance, clear, 1e-9 * (1 + fabs(clear)));
            at++;
        }
    assert_int_equal(at, count);
    return count;
}

static void find(trial *t)
{
    tide_error error;
    assert_ok(tide_point_pairs_find(t->pairs, t->from, t->to, t->skins, t->drift, &error), error);
}

static void scatter(trial *t, double size, double pace, double skin)
{
    for (uint32_t i = 0; i < t->s->point_count; i++) {
        double quick = uniform(0, 1) < 0.05 ? 20 : 1; // a few are far wider than most
        for (uint32_t k = 0; k < 3; k++) {
            t->from[3 * i + k] = uniform(-size, size);
            t->to[3 * i + k] = t->from[3 * i + k] + quick * uniform(-pace, pace);
        }
        t->skins[i] = uniform(0, skin);
    }
}

// Clouds of several parts of different radii, thin and thick, still and wild, far from the origin and with outliers.
static void test_clouds(void **state)
{
    (void)state;
    random_state = tide_random_seed(21);
    uint32_t total = 0, most = 0;
    for (int round = 0; round < 60; round++) {
        trial t = { 0 };
        uint32_t parts = 1 + (uint32_t)round % 4, of_each = round % 7 == 0 ? 3 : 150;
        for (uint32_t part = 0; part < parts; part++) {
            add_part(&t.m, 0.01 * (1 + part))->fixed = part == 2 || part == 3;
            for (uint32_t i = 0; i < of_each; i++)
                add_point(&t.m, 0, 0, 0, 1);
        }
        open_trial(&t, round % 3 > 0);
        if (parts > 1 && round % 5 == 0)
            t.s->touching[1] = t.s->touching[parts] = false;
        scatter(&t, 0.3, pow(10, uniform(-4, -0.5)), round % 2 ? 0.03 : 0);
        for (size_t n = 0; n < 3 * (size_t)t.s->point_count; n++) {
            double flat = n % 3 == 1 && round % 6 == 1 ? 0 : 1, away = round % 4 == 3 ? 1e5 : 0;
            t.from[n] = flat * t.from[n] + away;
            t.to[n] = flat * t.to[n] + away + (round % 8 > 4 ? 3 : 0); // all together
        }
        if (round % 9 == 4)
            t.from[3] = t.to[3] = 1e9;
        t.drift[0] = round % 8 > 4 ? 3 : 0.1;
        find(&t);
        uint32_t count = compare(&t);
        total += count > 20;
        most = count > most ? count : most;
        uint64_t before = tide_memory_count().allocations;
        find(&t);
        assert_int_equal(tide_memory_count().allocations, before);
        assert_int_equal(compare(&t), count);
        close_trial(&t);
    }
    assert_true(total > 30 && most > 2000);
}

// Strands sway step by step, and some points end elsewhere: an update finds the same pairs as a search.
static void test_strands_and_updates(void **state)
{
    (void)state;
    random_state = tide_random_seed(22);
    uint32_t updates = 0, large = 0;
    for (int round = 0; round < 6; round++) {
        trial t = { 0 };
        add_sheet(&t.m, 0.01, 3, 0.1, 0, -1, 0); // its points are no items
        for (uint32_t i = 0; i < 64; i++)
            add_strand(&t.m, 0.004, 12, 0.02, 0.02 * (i % 8), 0, 0.02 * (i / 8));
        open_trial(&t, true);
        t.s->rest = round % 2 ? t.m.x : NULL;
        size_t n = 3 * (size_t)t.s->point_count;
        memcpy(t.from, t.m.x, n * sizeof *t.from);
        for (int step = 0; step < 12; step++) {
            double pace = pow(10, uniform(-4, -1.5));
            for (size_t i = 0; i < n; i++)
                t.to[i] = t.from[i] + uniform(-pace, pace) + (i % 3 == 0 ? 0.02 : 0);
            for (uint32_t i = 0; i < t.s->point_count; i++)
                t.skins[i] = 0.002;
            t.drift[0] = 0.02;
            find(&t);
            updates += compare(&t) > 0;
            for (int update = 0; update < 5; update++) {
                double share = update == 3 ? 0.6 : update == 4 ? 0.1 : 0.01;
                uint32_t count = 0;
                for (uint32_t i = 0; i < t.s->point_count; i++) {
                    t.changed[i] = uniform(0, 1) < share;
                    count += t.changed[i];
                    for (uint32_t k = 0; t.changed[i] && k < 3; k++)
                        t.to[3 * i + k] += uniform(-0.03, 0.03);
                    t.skins[i] *= t.changed[i] ? 2 : 1;
                }
                tide_error error;
                assert_ok(tide_point_pairs_update(t.pairs, t.from, t.to, t.skins, t.changed, &error), error);
                compare(&t);
                large += count > t.count / 2;
            }
            memcpy(t.from, t.to, n * sizeof *t.from);
        }
        t.s->rest = NULL;
        close_trial(&t);
    }
    assert_true(updates > 60 && large > 60);
}

// Points that are joined by an edge or otherwise, or are near at rest, do not touch.
static void test_what_is_left_out(void **state)
{
    (void)state;
    trial t = { 0 };
    add_strand(&t.m, 0.01, 4, 0.015, 0, 0, 0); // 0 to 3, each near the next but one too
    add_strand(&t.m, 0.01, 2, 1, 0.012, 0, 0); // 4 beside 0, 5 far off
    uint32_t starts[] = { 0, 1, 1, 1, 1, 2, 2 }, joined[] = { 4, 0 };
    open_trial(&t, true);
    memcpy(t.from, t.m.x, 18 * sizeof *t.from);
    memcpy(t.to, t.m.x, 18 * sizeof *t.to);
    memset(t.skins, 0, 6 * sizeof *t.skins);
    for (uint32_t i = 0; i < 6; i++)
        t.skins[i] = 0.006;
    find(&t);
    uint32_t count;
    const tide_near_points *found = tide_point_pairs_found(t.pairs, &count);
    assert_int_equal(count, compare(&t));
    assert_true(count == 4 && found[0].first == 0 && found[0].second == 2 && found[1].first == 0 &&
                found[1].second == 4);
    t.s->joined_starts = starts;
    t.s->joined = joined;
    find(&t);
    assert_int_equal(compare(&t), 3);
    t.s->rest = t.m.x;
    t.s->parts[0].radius = 0.014; // 0 and 2 are 0.03 m apart at rest, less than 2.2 of that
    find(&t);
    assert_int_equal(compare(&t), 2);
    t.s->joined_starts = t.s->joined = NULL;
    t.s->rest = NULL;
    close_trial(&t);
}

static void test_what_it_refuses(void **state)
{
    (void)state;
    trial t = { 0 };
    tide_error error;
    add_strand(&t.m, 0.01, 5, 0.02, 0, 0, 0);
    open_trial(&t, true);
    random_state = tide_random_seed(3);
    static const double bad[] = { NAN, INFINITY, -INFINITY, 1e308 };
    for (int i = 0; i < 4; i++) {
        scatter(&t, 0.1, 0.01, 0.01);
        t.to[7] = bad[i];
        t.from[7] = i == 3 ? -1e308 : t.from[7];
        assert_fails(tide_point_pairs_find(t.pairs, t.from, t.to, t.skins, t.drift, &error), error, "not finite");
        scatter(&t, 0.1, 0.01, 0.01);
        find(&t);
        compare(&t);
        t.changed[2] = true;
        t.to[7] = bad[i];
        if (i < 3)
            assert_fails(tide_point_pairs_update(t.pairs, t.from, t.to, t.skins, t.changed, &error), error,
                         "not finite");
    }
    close_trial(&t);
}

// 300 points in one place: all pairs, in order; or no more than the work that there is for them.
static void test_a_crowd(void **state)
{
    (void)state;
    trial t = { 0 };
    tide_error error;
    uint32_t count;
    random_state = tide_random_seed(5);
    add_part(&t.m, 0.01);
    for (uint32_t i = 0; i < 300; i++)
        add_point(&t.m, 0, 0, 0, 1);
    open_trial(&t, true);
    scatter(&t, 1e-3, 1e-4, 1e-3);
    find(&t);
    assert_int_equal(compare(&t), 300 * 299 / 2);
    t.changed[7] = t.changed[250] = true;
    assert_ok(tide_point_pairs_update(t.pairs, t.from, t.to, t.skins, t.changed, &error), error);
    assert_int_equal(compare(&t), 300 * 299 / 2);
    tide_contact_work work = { .left = 1 << 17 };
    tide_point_pairs_limit(t.pairs, &work);
    assert_int_equal(tide_point_pairs_find(t.pairs, t.from, t.to, t.skins, t.drift, &error), TIDE_ERROR_MEMORY);
    assert_true(work.exhausted && !work.stopped);
    assert_true(tide_point_pairs_found(t.pairs, &count) && count == 0);
    close_trial(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_crowd),
    cmocka_unit_test(test_clouds),
    cmocka_unit_test(test_strands_and_updates),
    cmocka_unit_test(test_what_is_left_out),
    cmocka_unit_test(test_what_it_refuses),
};
TIDE_TEST_SUITE(collision_point_pairs, tests)
