// Continuous collision that tests known pairs in place of a search.
#include "base/parallel.h"
#include "collision/proximity_tests.h"
#include "contact/continuous.h"

enum { POINTS = 512, STEPS = 40 };

typedef struct motion {
    sample m;
    tide_contact_surface *s;
    tide_proximity *proximity;
    tide_continuous *by_pairs, *by_search;
    double from[3 * POINTS], to[3 * POINTS], other[3 * POINTS], centres[3 * POINTS], skins[POINTS];
} motion;

// Coarse sheets, a fine one whose neighbours are near at rest, strands and a fixed sheet.
static void make(motion *t)
{
    tide_error error;
    *t = (motion) { 0 };
    for (int i = 0; i < 3; i++)
        add_sheet(&t->m, 0.01, 7, 0.05, 0.01 * i, 0.022 * i, 0.02 * i);
    add_sheet(&t->m, 0.01, 9, 0.025, 0.02, 0.066, 0.02);
    add_sheet(&t->m, 0.01, 3, 0.1, 0, -0.022, 0);
    for (int i = 0; i < 2; i++)
        add_strand(&t->m, 0.01, 6, 0.05, 0.1, 0.12 + 0.03 * i, 0.1 + 0.02 * i);
    t->m.parts[4].fixed = true;
    t->s = close_sample(&t->m, true);
    assert_true(t->s->point_count <= POINTS);
    t->s->rest = t->m.x;
    for (uint32_t i = t->s->parts[4].first_point; i < t->s->parts[5].first_point; i++)
        t->s->inverse_masses[i] = 0;
    assert_ok(tide_proximity_create(t->s, false, &t->proximity, &error), error);
    assert_ok(tide_continuous_create(t->s, &t->by_pairs, &error), error);
    assert_ok(tide_continuous_create(t->s, &t->by_search, &error), error);
    assert_ok(tide_continuous_use_pairs(t->by_pairs, t->proximity, &error), error);
    memcpy(t->from, t->m.x, 3 * t->s->point_count * sizeof *t->from);
}

static void end(motion *t)
{
    tide_free(t->proximity);
    tide_free(t->by_pairs);
    tide_free(t->by_search);
    free_sample(&t->m);
}

// Moves the sheets toward each other, and each point a little. One in `wild` points leaves its skin.
static void move(motion *t, uint32_t wild, double pace)
{
    for (uint32_t i = 0; i < t->s->point_count; i++) {
        bool fixed = t->s->parts[t->s->part_of[i]].fixed;
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t n = 3 * i + k;
            double toward = k == 1 ? 0.1 * (0.03 - t->from[n]) : 0;
            t->to[n] = t->from[n] + (fixed ? 0 : toward + uniform(-pace, pace));
            t->centres[n] = t->to[n] + (fixed ? 0 : uniform(-0.001, 0.001));
            if (wild && i % wild == 3 && !fixed)
                t->centres[n] += 0.01;
        }
        t->skins[i] = fixed ? 0 : 0.002;
    }
}

static void assert_same(const tide_continuous_report *a, const tide_continuous_report *b)
{
    assert_int_equal(a->impacts, b->impacts);
    assert_int_equal(a->rounds, b->rounds);
    assert_int_equal(a->zones, b->zones);
    assert_int_equal(a->rigid_zones, b->rigid_zones);
    assert_int_equal(a->parts, b->parts);
    assert_int_equal(a->unresolved, b->unresolved);
}

// Resolves the same motion with known pairs and by search. The results are the same to the bit, on any number of
// threads.
static void test_known_pairs(void **state)
{
    (void)state;
    random_state = tide_random_seed(31);
    static const uint32_t wilds[] = { 0, 100, 9, 2 };
    static const double paces[] = { 0.002, 0.012 };
    static motion t;
    for (int round = 0; round < 8; round++) {
        tide_error error;
        uint64_t by_pairs = 0, by_search = 0, impacts = 0;
        make(&t);
        size_t bytes = 3 * t.s->point_count * sizeof *t.to;
        for (int step = 0; step < STEPS; step++) {
            tide_continuous_report one, two;
            tide_set_threads(1 + step % 3);
            move(&t, wilds[round / 2], paces[round % 2]);
            memcpy(t.other, t.to, bytes);
            assert_ok(tide_proximity_find(t.proximity, t.from, t.centres, t.skins, &error), error);
            tide_continuous_know(t.by_pairs, t.centres, t.skins);
            assert_ok(tide_continuous_resolve(t.by_pairs, t.from, t.to, &one, &error), error);
            assert_ok(tide_continuous_resolve(t.by_search, t.from, t.other, &two, &error), error);
            assert_same(&one, &two);
            assert_memory_equal(t.to, t.other, bytes);
            by_pairs += one.candidates;
            by_search += two.candidates;
            impacts += one.impacts;
            memcpy(t.from, t.to, bytes);
        }
        tide_set_threads(1);
        assert_true(impacts > 100);
        assert_true(round % 2 ||
                    (double)by_pairs <
                        0.8 * (double)by_search); // with the large pace, many points leave their skins in later rounds
        end(&t);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_known_pairs),
};
TIDE_TEST_SUITE(contact_known_pairs, tests)
