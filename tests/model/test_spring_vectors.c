// Springs in slices, in vectors of every width the processor has, against the springs' own functions.
#include "base/parallel.h"
#include "base/processor.h"
#include "bundles.h"
#include "model/plan.h"
#include "model/spring_vectors.h"

#include <math.h>

static const int widths[] = { 256, 512, 0, PORTABLE };
static const double h = 1.0 / 30;

// E(x) and dE/dx, or with `y` g(x) and its gradient, element by element. To `scale`, what the forces add up to without
// their signs, and k r of each spring, as l - r has the rounding of r: by this rounding is measured.
static double evaluate_plainly(const bundle *b, bool y, double *out, double *scale)
{
    double value = 0, squared = y ? h * h : 1, part[6];
    memset(out, 0, 3 * b->count * sizeof *out);
    memset(scale, 0, 3 * b->count * sizeof *scale);
    for (uint32_t g = 0; g < b->system->group_count; g++) {
        const tide_elements *group = &b->system->groups[g];
        value += squared * group->kind->energy(group, b->x, 0, group->count);
        for (uint32_t e = 0; e < group->count; e++) {
            group->kind->gradient(group, b->x, e, e + 1, part);
            double rounded =
                group->kind == &tide_spring ? group->parameters[e] * group->parameters[group->count + e] : 0;
            for (uint32_t c = 0; c < group->kind->vertex_count; c++)
                for (uint32_t k = 0; k < 3; k++) {
                    size_t at = 3 * group->vertices[group->kind->vertex_count * e + c] + k;
                    out[at] += squared * part[3 * c + k];
                    scale[at] += squared * (fabs(part[3 * c + k]) + rounded);
                }
        }
    }
    for (uint32_t i = 0; i < 3 * b->count; i++) {
        bool pinned = b->system->rows[i / 3] == TIDE_PINNED;
        double mass = y && !pinned ? b->system->masses[i / 3] : 0, away = b->x[i] - b->y[i];
        value += 0.5 * mass * away * away;
        out[i] = pinned ? 0 : out[i] + mass * away;
        scale[i] = pinned ? 0 : scale[i] + fabs(mass * away);
    }
    return value;
}

static double evaluate(const bundle *b, bool y, double *out)
{
    if (!y) {
        tide_system_gradient(b->system, b->x, out);
        return tide_system_energy(b->system, b->x);
    }
    double value = tide_system_objective_and_gradient(b->system, h, b->y, b->x, out);
    double *alone = array_of(b->count, 3 * sizeof *alone);
    tide_system_objective_gradient(b->system, h, b->y, b->x, alone);
    assert_memory_equal(alone, out, 3 * b->count * sizeof *alone);
    assert_true(tide_system_objective(b->system, h, b->y, b->x) == value);
    tide_free(alone);
    return value;
}

static void check(const bundle *b)
{
    double *out = array_of(b->count, 3 * sizeof *out), *expected = array_of(b->count, 3 * sizeof *out),
           *scale = array_of(b->count, 3 * sizeof *out);
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
        for (int y = 0; y < 2; y++) {
            use_width(widths[w]);
            double value = evaluate(b, y, out), plain = evaluate_plainly(b, y, expected, scale);
            assert_true(fabs(value - plain) <= 1e-14 * plain);
            for (uint32_t i = 0; i < 3 * b->count; i++)
                if (!(fabs(out[i] - expected[i]) <= 1e-14 * scale[i]))
                    fail_msg("width %d, number %u: %.17g, not %.17g", widths[w], i, out[i], expected[i]);
        }
    use_width(0);
    tide_free(out);
    tide_free(expected);
    tide_free(scale);
}

static void test_every_width_has_the_springs_own_forces(void **state)
{
    (void)state;
    check_many(check);
}

static void test_widths_are_those_that_were_asked_for(void **state)
{
    (void)state;
    tide_spring_vectors_limit(128);
    assert_null(tide_spring_vectors_choose());
    use_width(PORTABLE);
    assert_ptr_equal(tide_spring_vectors_choose(), tide_spring_vectors_128());
    use_width(256);
    const tide_spring_vectors *of_256 = tide_spring_vectors_choose();
    tide_spring_vectors_limit(0);
    const tide_spring_vectors *widest = tide_spring_vectors_choose();
    assert_true((of_256 != NULL) == (tide_vector_bits(0) >= 256));
    assert_true((widest != of_256) == (tide_vector_bits(0) == 512));
}

// Ends in one place push along the first axis, and those that nearly coincide do so, too.
static void test_ends_that_coincide(void **state)
{
    (void)state;
    bundle b = make(PARTICLES, SPRINGS, true, 5);
    for (uint32_t e = 0; e < 20; e++) {
        double *first = b.x + 3 * b.vertices[2 * e], *second = b.x + 3 * b.vertices[2 * e + 1];
        memcpy(second, first, 3 * sizeof *first);
        second[e % 3] += e % 2 ? 0 : 1e-160;
    }
    check(&b);
    discard(&b);
}

static void test_what_is_not_a_number_stays_so(void **state)
{
    (void)state;
    bundle b = make(PARTICLES, SPRINGS, false, 6);
    b.x[3 * 7 + 1] = NAN;
    b.x[3 * 9] = INFINITY;
    double out[3 * PARTICLES], expected[3 * PARTICLES], scale[3 * PARTICLES];
    evaluate_plainly(&b, false, expected, scale);
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        use_width(widths[w]);
        assert_true(!isfinite(evaluate(&b, false, out)));
        for (uint32_t i = 0; i < 3 * PARTICLES; i += 3) // in which of its numbers does not matter
            assert_true(isfinite(expected[i] + expected[i + 1] + expected[i + 2]) ==
                        isfinite(out[i] + out[i + 1] + out[i + 2]));
    }
    use_width(0);
    discard(&b);
}

static void test_gradients_are_those_of_values(void **state)
{
    (void)state;
    bundle b = make(PARTICLES, SPRINGS, true, 7);
    double out[3 * PARTICLES];
    evaluate(&b, true, out);
    for (uint32_t i = 0; i < 3 * PARTICLES; i++) {
        double at = b.x[i], step = 1e-6;
        b.x[i] = at + step;
        double above = tide_system_objective(b.system, h, b.y, b.x);
        b.x[i] = at - step;
        double below = tide_system_objective(b.system, h, b.y, b.x);
        b.x[i] = at;
        if (b.system->rows[i / 3] != TIDE_PINNED)
            assert_true(fabs((above - below) / (2 * step) - out[i]) < 1e-7);
    }
    discard(&b);
}

static void test_changed_springs_are_taken_up(void **state)
{
    (void)state;
    bundle b = make(PARTICLES, SPRINGS, true, 8);
    for (uint32_t g = 0; g < 2; g++)
        for (uint32_t i = 0; i < TIDE_SPRING_PARAMETERS * b.system->groups[g].count; i++)
            b.system->groups[g].parameters[i] *= 1.5;
    tide_system_refresh(b.system);
    check(&b);
    bool pinned[PARTICLES] = { [2] = true };
    b.system->masses[4] = 3;
    assert_int_equal(tide_system_set_pinned(b.system, pinned, NULL), TIDE_OK);
    assert_int_equal(tide_system_finish(b.system, NULL), TIDE_OK);
    check(&b);
    discard(&b);
}

static void test_springs_that_are_as_stiff(void **state)
{
    (void)state;
    bundle b = make(PARTICLES, SPRINGS, true, 11);
    for (uint32_t g = 0; g < 2; g++)
        for (uint32_t e = 0; e < b.system->groups[g].count; e++)
            b.system->groups[g].parameters[TIDE_SPRING_STIFFNESS * (size_t)b.system->groups[g].count + e] = 7.5;
    tide_system_refresh(b.system);
    tide_spring_slices *slices = b.system->plan->slices;
    for (uint32_t i = 0; i < slices->count; i++)
        assert_true(slices->alike[i]);
    check(&b);
    double out[3 * PARTICLES], one_by_one[3 * PARTICLES], value = evaluate(&b, true, out);
    memset(slices->alike, 0, slices->count * sizeof *slices->alike);
    assert_true(evaluate(&b, true, one_by_one) == value);
    assert_memory_equal(out, one_by_one, sizeof out);
    b.system->groups[1].parameters[TIDE_SPRING_STIFFNESS * (size_t)b.system->groups[1].count + 5] = 3;
    tide_system_refresh(b.system);
    uint32_t alike = 0;
    for (uint32_t i = 0; i < slices->count; i++)
        alike += slices->alike[i];
    assert_true(alike > 0 && alike < slices->count);
    check(&b);
    discard(&b);
}

// One particle with all springs leaves most lanes empty: those are done one by one.
static void test_a_hub_goes_without_slices(void **state)
{
    (void)state;
    bundle b = allocate(LARGE, LARGE - 1);
    tide_random random = tide_random_seed(9);
    for (uint32_t i = 0; i < 3 * LARGE; i++) {
        b.x[i] = uniform(&random, -1, 1);
        b.y[i] = uniform(&random, -1, 1);
    }
    for (uint32_t e = 0; e < LARGE - 1; e++) {
        b.vertices[2 * e + 1] = e + 1;
        b.parameters[TIDE_SPRING_STIFFNESS * (LARGE - 1) + e] = 10;
        b.parameters[TIDE_SPRING_REST_LENGTH * (LARGE - 1) + e] = 0.5;
    }
    finish(&b, false);
    assert_null(b.system->plan->slices);
    double *out = array_of(LARGE, 3 * sizeof *out), *expected = array_of(LARGE, 3 * sizeof *out),
           *scale = array_of(LARGE, 3 * sizeof *out);
    evaluate(&b, true, out);
    evaluate_plainly(&b, true, expected, scale);
    for (uint32_t i = 0; i < 3 * LARGE; i++)
        assert_true(fabs(out[i] - expected[i]) <= 1e-12 * scale[i]);
    tide_free(out);
    tide_free(expected);
    tide_free(scale);
    discard(&b);
}

static void test_threads_change_no_bit_and_nothing_is_allocated(void **state)
{
    (void)state;
    static const int threads[] = { 1, 2, 3, 4, 8 };
    bundle b = make(LARGE, LARGE_SPRINGS, true, 10);
    double *out = array_of(LARGE, 3 * sizeof *out), *first = array_of(LARGE, 3 * sizeof *out), values[5];
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        use_width(widths[w]);
        for (size_t t = 0; t < 5; t++) {
            tide_set_threads(threads[t]);
            uint64_t allocations = tide_memory_count().allocations;
            values[t] = tide_system_objective_and_gradient(b.system, h, b.y, b.x, t ? out : first);
            assert_int_equal(tide_memory_count().allocations, allocations);
            assert_true(values[t] == values[0]);
            if (t)
                assert_memory_equal(out, first, 3 * LARGE * sizeof *out);
        }
    }
    tide_set_threads(1);
    use_width(0);
    tide_free(out);
    tide_free(first);
    discard(&b);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_every_width_has_the_springs_own_forces),
    cmocka_unit_test(test_widths_are_those_that_were_asked_for),
    cmocka_unit_test(test_ends_that_coincide),
    cmocka_unit_test(test_what_is_not_a_number_stays_so),
    cmocka_unit_test(test_gradients_are_those_of_values),
    cmocka_unit_test(test_changed_springs_are_taken_up),
    cmocka_unit_test(test_springs_that_are_as_stiff),
    cmocka_unit_test(test_a_hub_goes_without_slices),
    cmocka_unit_test(test_threads_change_no_bit_and_nothing_is_allocated),
};
TIDE_TEST_SUITE(model_spring_vectors, tests)
