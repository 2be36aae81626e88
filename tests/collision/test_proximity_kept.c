// Candidates that searches keep from step to step.
#include "base/parallel.h"
#include "proximity_tests.h"

static void assert_same_pairs(const tide_proximity *one, const tide_proximity *other)
{
    uint32_t count, others;
    const tide_near_pair *a = tide_proximity_pairs(one, &count), *b = tide_proximity_pairs(other, &others);
    assert_int_equal(count, others);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(a[i].key == b[i].key && a[i].kind == b[i].kind);
        assert_memory_equal(&a[i].clearance, &b[i].clearance, sizeof a[i].clearance);
        assert_true(a[i].reversed == b[i].reversed && a[i].inside == b[i].inside);
    }
}

// Sheets, strands and a box that hardly move, so that candidates are kept; one in `wild` points flies, and all do in
// some steps.
static void wander(const tide_contact_surface *s, uint32_t wild, int step, const double *from, double *to)
{
    double pace = step % 40 > 34 ? 0.05 : 0.0005;
    for (uint32_t i = 0; i < s->point_count; i++)
        for (uint32_t k = 0; k < 3; k++)
            to[3 * i + k] = from[3 * i + k] + uniform(-pace, pace) + (wild && i % wild == 5 ? uniform(-0.02, 0.02) : 0);
}

// Searches by kept candidates, and updates after them, find to the bit what searches without any find, on any number of
// threads.
static void test_kept_candidates(void **state)
{
    (void)state;
    random_state = tide_random_seed(29);
    static const uint32_t wilds[] = { 0, 200, 40, 8 };
    for (int round = 0; round < 8; round++) {
        sample m = { 0 };
        for (int i = 0; i < 3; i++)
            add_sheet(&m, 0.01, 9, 0.05, 0.01 * i, 0.018 * i, 0.02 * i);
        add_sheet(&m, 0.01, 3, 0.1, 0, -0.018, 0);
        for (int i = 0; i < 3; i++)
            add_strand(&m, 0.01, 6, 0.05, 0.1, 0.06 + 0.01 * i, 0.1 + 0.02 * i);
        m.parts[3].fixed = true;
        tide_contact_surface *s = close_sample(&m, true);
        size_t n = 3 * s->point_count;
        double *from = malloc(n * sizeof *from), *to = malloc(n * sizeof *to), skins[512];
        bool changed[512] = { false };
        tide_proximity *kept = NULL;
        tide_error error;
        uint64_t by_lists = 0;
        s->rest = m.x;
        assert_true(s->point_count <= 512);
        assert_ok(tide_proximity_create(s, round % 2, &kept, &error), error);
        memcpy(from, m.x, n * sizeof *from);
        for (int step = 0; step < 120; step++) {
            tide_proximity *fresh = NULL;
            tide_set_threads(1 + step % 3);
            wander(s, wilds[round / 2], step, from, to);
            for (uint32_t i = 0; i < s->point_count; i++)
                skins[i] = uniform(0.001, 0.003);
            assert_ok(tide_proximity_create(s, round % 2, &fresh, &error), error);
            assert_ok(tide_proximity_find(kept, from, to, skins, &error), error);
            assert_ok(tide_proximity_find(fresh, from, to, skins, &error), error);
            assert_same_pairs(kept, fresh);
            by_lists += tide_proximity_take_counts(kept).by_lists;
            assert_int_equal(tide_proximity_take_counts(fresh).by_lists, 0);
            for (uint32_t i = 0; i < s->point_count; i++) {
                changed[i] = uniform(0, 1) < (step % 2 ? 0.02 : 0.3);
                for (uint32_t k = 0; changed[i] && k < 3; k++)
                    to[3 * i + k] += uniform(-0.004, 0.004);
            }
            assert_ok(tide_proximity_update(kept, to, skins, changed, &error), error);
            assert_ok(tide_proximity_update(fresh, to, skins, changed, &error), error);
            assert_same_pairs(kept, fresh);
            tide_free(fresh);
            // The sheets stay near one another.
            for (size_t i = 0; i < n; i++)
                from[i] += (step % 40 > 34 ? 0.05 : 1) * (to[i] - from[i]) * 0.3;
        }
        tide_set_threads(1);
        assert_true(by_lists >= (wilds[round / 2] == 8 ? 5 : 60) && by_lists < 120);
        tide_free(kept);
        free(from);
        free(to);
        free_sample(&m);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_kept_candidates),
};
TIDE_TEST_SUITE(collision_proximity_kept, tests)
