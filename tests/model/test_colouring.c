#include "../linear/failing.h"
#include "model/colouring.h"
#include "samples.h"

static sample some_sample(int index)
{
    return index == 0 ? sample_pair() : index == 1 ? sample_chain() : index == 2 ? sample_cloth() : sample_graph(2);
}

// Every item once, colours contiguous and ascending within. Fills the colour of each item.
static void check_order(const tide_colouring *colouring, uint32_t *colour)
{
    uint32_t seen = 0;
    assert_int_equal(colouring->start[0], 0);
    assert_int_equal(colouring->start[colouring->colours], colouring->count);
    for (uint32_t c = 0; c < colouring->colours; c++) {
        assert_true(colouring->start[c] < colouring->start[c + 1]); // no colour is empty
        for (uint32_t k = colouring->start[c]; k < colouring->start[c + 1]; k++, seen++) {
            if (k > colouring->start[c])
                assert_true(colouring->items[k] > colouring->items[k - 1]);
            assert_int_equal(colour[colouring->items[k]], UINT32_MAX);
            colour[colouring->items[k]] = c;
        }
    }
    assert_int_equal(seen, colouring->count);
}

static void test_particles(void **state)
{
    (void)state;
    tide_error error;
    tide_colouring colouring = { 0 };
    for (int index = 0; index < 4; index++) {
        sample s = some_sample(index);
        tide_system *system = sample_system(&s);
        assert_ok(tide_colour_particles(system, &colouring, &error), error);
        assert_int_equal(colouring.count, system->free_count);
        uint32_t colour[SAMPLE_PARTICLES], degree[SAMPLE_PARTICLES] = { 0 }, most = 0;
        memset(colour, 0xff, sizeof colour);
        check_order(&colouring, colour);
        for (uint32_t p = 0; p < s.particle_count; p++)
            assert_true((colour[p] == UINT32_MAX) == s.pinned[p]);
        for (uint32_t e = 0; e < s.spring_count; e++) {
            uint32_t i = s.springs[e].i, j = s.springs[e].j;
            if (!s.pinned[i] && !s.pinned[j])
                assert_true(colour[i] != colour[j]);
            degree[i]++;
            degree[j]++;
        }
        for (uint32_t p = 0; p < s.particle_count; p++)
            most = degree[p] > most ? degree[p] : most;
        assert_true(colouring.colours <= most + 1); // greedy
        tide_system_destroy(system);
    }
    tide_colouring_free(&colouring);
    assert_true(!colouring.start && !colouring.items && colouring.count == 0);
}

static void test_elements(void **state)
{
    (void)state;
    tide_error error;
    tide_colouring colouring = { 0 };
    for (int index = 0; index < 4; index++) {
        sample s = some_sample(index);
        tide_system *system = sample_system(&s);
        assert_ok(tide_colour_elements(system, &colouring, &error), error);
        uint32_t count = s.spring_count + s.anchor_count;
        assert_int_equal(colouring.count, count);
        uint32_t colour[SAMPLE_SPRINGS + SAMPLE_ANCHORS], ends[SAMPLE_SPRINGS + SAMPLE_ANCHORS][2];
        memset(colour, 0xff, sizeof colour);
        check_order(&colouring, colour);
        for (uint32_t e = 0; e < count; e++) { // anchors follow the springs
            bool spring = e < s.spring_count;
            ends[e][0] = spring ? s.springs[e].i : s.anchors[e - s.spring_count].i;
            ends[e][1] = spring ? s.springs[e].j : ends[e][0];
            for (uint32_t d = 0; d < e; d++)
                for (int k = 0; k < 4; k++)
                    if (ends[e][k / 2] == ends[d][k % 2] && !s.pinned[ends[e][k / 2]])
                        assert_true(colour[e] != colour[d]);
        }
        tide_system_destroy(system);
    }
    tide_colouring_free(&colouring);
}

// A chain alternates; a star's leaves share a colour, its springs do not, unless its centre is pinned.
static void test_by_hand(void **state)
{
    (void)state;
    tide_error error;
    tide_colouring colouring = { 0 };
    sample star = { .name = "star" };
    for (uint32_t i = 0; i < 9; i++) {
        sample_particle(&star, 1, i, i * i, 0);
        if (i)
            sample_join(&star, 0, i, 1);
    }
    tide_system *system = sample_system(&star);
    assert_ok(tide_colour_particles(system, &colouring, &error), error);
    assert_int_equal(colouring.colours, 2);
    assert_int_equal(colouring.start[1], 1);
    assert_ok(tide_colour_elements(system, &colouring, &error), error);
    assert_int_equal(colouring.colours, 8);
    bool pinned[9] = { true };
    assert_ok(tide_system_set_pinned(system, pinned, &error), error);
    assert_ok(tide_system_finish(system, &error), error);
    assert_ok(tide_colour_elements(system, &colouring, &error), error);
    assert_int_equal(colouring.colours, 1);
    assert_ok(tide_colour_particles(system, &colouring, &error), error);
    assert_int_equal(colouring.colours, 1);
    memset(pinned, 1, sizeof pinned);
    assert_ok(tide_system_set_pinned(system, pinned, &error), error);
    assert_ok(tide_system_finish(system, &error), error);
    assert_ok(tide_colour_particles(system, &colouring, &error), error);
    assert_true(colouring.colours == 0 && colouring.count == 0 && colouring.start[0] == 0);
    tide_system_destroy(system);
    assert_ok(tide_system_create(0, &system, &error), error);
    assert_ok(tide_system_finish(system, &error), error);
    assert_ok(tide_colour_elements(system, &colouring, &error), error);
    assert_true(colouring.colours == 0 && colouring.count == 0 && colouring.start[0] == 0);
    tide_colouring_free(&colouring);
    tide_system_destroy(system);
}

static void test_incidence(void **state)
{
    (void)state;
    tide_error error;
    tide_incidence incidence = { 0 };
    for (int index = 0; index < 4; index++) {
        sample s = some_sample(index);
        tide_system *system = sample_system(&s);
        assert_ok(tide_incidence_make(system, &incidence, &error), error);
        assert_int_equal(incidence.first[0], 0);
        assert_int_equal(incidence.first[s.particle_count], 2 * s.spring_count + s.anchor_count);
        for (uint32_t p = 0; p < s.particle_count; p++) {
            assert_true(incidence.first[p] <= incidence.first[p + 1]);
            for (uint32_t k = incidence.first[p]; k < incidence.first[p + 1]; k++) {
                tide_corner c = incidence.corners[k], before = incidence.corners[k ? k - 1 : 0];
                const tide_elements *group = &system->groups[c.group];
                assert_true(c.group < system->group_count && c.element < group->count);
                assert_int_equal(group->vertices[group->kind->vertex_count * c.element + c.corner], p);
                if (k > incidence.first[p])
                    assert_true(before.group < c.group || (before.group == c.group && before.element < c.element));
            }
        }
        tide_system_destroy(system);
    }
    tide_incidence_free(&incidence);
    assert_true(!incidence.first && !incidence.corners);
}

static tide_status make_and_free(void *context, tide_error *error)
{
    tide_colouring particles = { 0 }, elements = { 0 };
    tide_status status = tide_colour_particles(context, &particles, error);
    if (!status)
        status = tide_colour_elements(context, &elements, error);
    tide_colouring_free(&particles);
    tide_colouring_free(&elements);
    return status;
}

static void test_allocation_failures(void **state)
{
    (void)state;
    sample s = some_sample(3);
    tide_system *system = sample_system(&s);
    assert_true(fail_each_allocation(make_and_free, system) >= 12);
    tide_system_destroy(system);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_particles),
    cmocka_unit_test(test_elements),
    cmocka_unit_test(test_by_hand),
    cmocka_unit_test(test_incidence),
    cmocka_unit_test(test_allocation_failures),
};
TIDE_TEST_SUITE(model_colouring, tests)
