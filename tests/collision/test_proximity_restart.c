// Pairs that go on from another start (tide_proximity_restart): they have the sides that a search from there gives
// them.
#include "base/parallel.h"
#include "proximity_tests.h"

enum { MOST = 512, STARTS = 40 };

static tide_error error;

// Sheets on one another and strands above them, none of which is solid.
static tide_contact_surface *make_layers(sample *m)
{
    for (int i = 0; i < 3; i++)
        add_sheet(m, 0.01, 9, 0.05, 0.01 * i, 0.018 * i, 0.02 * i);
    for (int i = 0; i < 3; i++)
        add_strand(m, 0.01, 6, 0.05, 0.1, 0.06 + 0.01 * i, 0.1 + 0.02 * i);
    return close_sample(m, true);
}

// Searches with skins of random thickness, with all points at their centres.
static tide_proximity *search_layers(sample *m, double thinnest, double thickest, double *skins)
{
    tide_contact_surface *s = make_layers(m);
    tide_proximity *known = NULL;
    assert_true(s->point_count <= MOST);
    s->rest = m->x;
    for (uint32_t i = 0; i < s->point_count; i++)
        skins[i] = uniform(thinnest, thickest);
    assert_ok(tide_proximity_create(s, true, &known, &error), error);
    assert_ok(tide_proximity_find(known, m->x, m->x, skins, &error), error);
    return known;
}

// Moves each point to a place within its skin.
static void place_within(const tide_contact_surface *s, const double *centres, const double *skins, double *x)
{
    for (uint32_t i = 0; i < s->point_count; i++) {
        double away[3], length = 0;
        for (int k = 0; k < 3; k++) {
            away[k] = uniform(-1, 1);
            length += away[k] * away[k];
        }
        double to = uniform(0, 0.999) * skins[i] / fmax(sqrt(length), 1e-9);
        for (uint32_t k = 0; k < 3; k++)
            x[3 * i + k] = centres[3 * i + k] + to * away[k];
    }
}

static bool has_pair(const tide_proximity *p, const tide_near_pair *pair, uint32_t *index)
{
    uint32_t count;
    const tide_near_pair *pairs = tide_proximity_pairs(p, &count);
    for (*index = 0; *index < count; (*index)++)
        if (pairs[*index].kind == pair->kind && pairs[*index].key == pair->key)
            return true;
    return false;
}

// Renews all sides, and tells how many are others.
static uint32_t renew_all(tide_proximity *p, const double *from)
{
    uint32_t count, others = 0;
    tide_proximity_pairs(p, &count);
    tide_proximity_restart(p, from);
    for (uint32_t i = 0; i < count; i++) {
        tide_side_change change = tide_proximity_renew_side(p, i);
        assert_true(change != TIDE_SIDE_LOST);
        others += change == TIDE_SIDE_OTHER;
    }
    return others;
}

// Compares with a search from `from` to `to`: pairs that touch there are known, and pairs of both have equal sides and
// gaps.
static uint32_t compare_with_search(const tide_proximity *known, const tide_contact_surface *s, const double *from,
                                    const double *to)
{
    tide_proximity *fresh = NULL;
    uint32_t count, index, touching = 0;
    assert_ok(tide_proximity_create(s, true, &fresh, &error), error);
    assert_ok(find_pairs(fresh, s, from, to, 0.001, &error), error);
    const tide_near_pair *pairs = tide_proximity_pairs(fresh, &count);
    for (uint32_t i = 0; i < count; i++) {
        tide_contact_pair pair = tide_proximity_pair(fresh, i), same;
        tide_contact_gap gap, other;
        tide_proximity_gap(&pair, to, &gap);
        bool has = has_pair(known, &pairs[i], &index);
        assert_true(has || !(gap.near && gap.gap < 0));
        if (!has)
            continue;
        same = tide_proximity_pair(known, index);
        assert_true(same.reversed == pair.reversed && same.inside == pair.inside);
        tide_proximity_gap(&same, to, &other);
        assert_true(gap.near == other.near && (!gap.near || gap.gap == other.gap));
        touching += gap.near && gap.gap < 0;
    }
    tide_free(fresh);
    return touching;
}

static void test_sides(void **state)
{
    (void)state;
    random_state = tide_random_seed(41);
    sample m = { 0 };
    static double from[3 * MOST], to[3 * MOST], skins[MOST];
    tide_proximity *known = search_layers(&m, 0.004, 0.012, skins);
    const tide_contact_surface *s = &m.s;
    uint32_t others = 0, touching = 0;
    for (int start = 0; start < STARTS; start++) {
        place_within(s, m.x, skins, from);
        place_within(s, m.x, skins, to);
        others += renew_all(known, from);
        touching += compare_with_search(known, s, from, to);
    }
    assert_true(others > 100 && touching > 1000);
    tide_free(known);
    free_sample(&m);
}

// The clearance by a plane from another start is a lower bound of the pair's clearance from that start.
static void test_planes(void **state)
{
    (void)state;
    random_state = tide_random_seed(43);
    sample m = { 0 };
    static double from[3 * MOST], to[3 * MOST], skins[MOST];
    tide_proximity *known = search_layers(&m, 0.01, 0.03, skins);
    const tide_contact_surface *s = &m.s;
    uint32_t count, separated = 0, passed = 0;
    tide_proximity_pairs(known, &count);
    tide_separation *planes = calloc(count, sizeof *planes);
    for (uint32_t i = 0; i < count; i++) {
        tide_contact_pair pair = tide_proximity_pair(known, i);
        tide_proximity_clearance(&pair, m.x, &planes[i]);
    }
    for (int start = 0; start < STARTS; start++) {
        place_within(s, m.x, skins, from);
        place_within(s, m.x, skins, to);
        renew_all(known, from);
        for (uint32_t i = 0; i < count; i++) {
            tide_contact_pair pair = tide_proximity_pair(known, i);
            tide_separation plane = planes[i];
            tide_separation_restart(&plane, pair.points, from);
            double bound = tide_separation_clearance(&plane, pair.points, to);
            tide_contact_gap gap;
            tide_proximity_gap(&pair, to, &gap);
            separated += bound > 0;
            passed += plane.kind != TIDE_PAIR_POINTS && plane.passing < 0;
            assert_true(!(bound > 0) || !gap.near || gap.gap >= bound * 0.999999);
        }
    }
    assert_true(separated > 1000 && passed > 100);
    free(planes);
    tide_free(known);
    free_sample(&m);
}

// A triangle that has become a line has no side.
static void test_no_area(void **state)
{
    (void)state;
    sample m = { 0 };
    tide_contact_surface *s = make_layers(&m);
    static double from[3 * MOST];
    tide_proximity *known = NULL;
    uint32_t count, lost = 0;
    s->rest = m.x;
    assert_ok(tide_proximity_create(s, true, &known, &error), error);
    assert_ok(find_pairs(known, s, m.x, m.x, 0.01, &error), error);
    memcpy(from, m.x, 3 * s->point_count * sizeof *from);
    const uint32_t *corners = s->triangles;
    memcpy(from + 3 * corners[1], from + 3 * corners[0], 3 * sizeof *from);
    tide_proximity_restart(known, from);
    const tide_near_pair *pairs = tide_proximity_pairs(known, &count);
    for (uint32_t i = 0; i < count; i++) {
        bool of_line = pairs[i].kind == TIDE_PAIR_TRIANGLE && (uint32_t)pairs[i].key == 0;
        bool is_lost = tide_proximity_renew_side(known, i) == TIDE_SIDE_LOST;
        assert_true(is_lost || !of_line);
        lost += is_lost;
    }
    assert_true(lost > 0);
    tide_free(known);
    free_sample(&m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_sides),
    cmocka_unit_test(test_planes),
    cmocka_unit_test(test_no_area),
};
TIDE_TEST_SUITE(collision_proximity_restart, tests)
