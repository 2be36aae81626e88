// Products of springs' Hessians in vectors of every width the processor has, against the springs' own functions and
// against differences of forces.
#include "base/parallel.h"
#include "base/processor.h"
#include "bundles.h"
#include "model/plan.h"
#include "model/spring_vectors.h"
#include "model/stiffness.h"

#include <math.h>

static const int widths[] = { 256, 512, 0, PORTABLE };
enum { WIDTHS = sizeof widths / sizeof *widths };
static const double factors[][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0.01, 0.3, 2 }, { 2, 0, 0.5 } }; // a, b, m
enum { FACTORS = sizeof factors / sizeof *factors };

typedef struct answers {
    double *product, *diagonal;
} answers;

static answers answers_make(const bundle *b)
{
    return (answers) { array_of(b->count, 3 * sizeof(double)), array_of(b->count, 9 * sizeof(double)) };
}

static void answers_free(answers *a)
{
    tide_free(a->product);
    tide_free(a->diagonal);
}

// (m M + a H + b L) v with v = y, and the diagonal blocks. `bits` 128: one spring after another.
static void compute(const bundle *b, int bits, bool project, const double factor[3], answers *out)
{
    tide_stiffness stiffness = { 0 };
    use_width(bits);
    assert_int_equal(tide_stiffness_prepare(&stiffness, b->system, NULL), TIDE_OK);
    assert_true(!stiffness.springs.vectors == (bits == 128 || (bits != PORTABLE && tide_vector_bits(0) < 256)));
    tide_stiffness_evaluate(&stiffness, b->system, b->x, project, factor[0], factor[1]);
    tide_stiffness_apply(&stiffness, factor[2], b->y, out->product);
    tide_stiffness_diagonal(&stiffness, out->diagonal);
    tide_stiffness_free(&stiffness);
    use_width(0);
}

// To what each particle's elements have at most, without their signs: by this rounding is measured.
static void find_scales(const bundle *b, bool project, const double factor[3], double *scale)
{
    memset(scale, 0, b->count * sizeof *scale);
    for (uint32_t p = 0; p < b->count; p++)
        scale[p] = factor[2] * b->system->masses[p];
    for (uint32_t g = 0; g < b->system->group_count; g++) {
        const tide_elements *group = &b->system->groups[g];
        for (uint32_t e = 0; e < group->count; e++) {
            double compact[TIDE_ELEMENT_MAX_COMPACT], most = 0;
            group->kind->compact(group, b->x, e, e + 1, project, factor[0], factor[1], compact);
            for (uint32_t i = 0; i < group->kind->compact_size; i++)
                most = fmax(most, fabs(compact[i]));
            for (uint32_t c = 0; c < group->kind->vertex_count; c++)
                scale[group->vertices[group->kind->vertex_count * e + c]] += 10 * most;
        }
    }
}

static void compare(const bundle *b, const answers *out, const answers *expected, const double *scale)
{
    for (uint32_t i = 0; i < 3 * b->count; i++)
        if (!(fabs(out->product[i] - expected->product[i]) <= 1e-14 * scale[i / 3]))
            fail_msg("product %u: %.17g, not %.17g", i, out->product[i], expected->product[i]);
    for (uint32_t i = 0; i < 9 * b->count; i++)
        if (!(fabs(out->diagonal[i] - expected->diagonal[i]) <= 1e-14 * scale[i / 9]))
            fail_msg("diagonal %u: %.17g, not %.17g", i, out->diagonal[i], expected->diagonal[i]);
}

static void check(const bundle *b)
{
    answers out = answers_make(b), expected = answers_make(b), first = answers_make(b);
    double *scale = array_of(b->count, sizeof *scale);
    for (int f = 0; f < FACTORS; f++)
        for (int project = 0; project < 2; project++) {
            compute(b, 128, project, factors[f], &expected);
            find_scales(b, project, factors[f], scale);
            for (int w = 0; w < WIDTHS; w++) {
                compute(b, widths[w], project, factors[f], w ? &out : &first);
                compare(b, w ? &out : &first, &expected, scale);
                if (w == 0 || widths[w] == PORTABLE)
                    continue;
                assert_memory_equal(out.product, first.product, 3 * b->count * sizeof *out.product);
                assert_memory_equal(out.diagonal, first.diagonal, 9 * b->count * sizeof *out.diagonal);
            }
        }
    answers_free(&out);
    answers_free(&expected);
    answers_free(&first);
    tide_free(scale);
}

static void test_every_width_has_the_springs_own_products(void **state)
{
    (void)state;
    check_many(check);
}

// Ends in one place and nearly so, springs that push where they should pull, and rest lengths below 0.
static void test_what_is_at_the_edge(void **state)
{
    (void)state;
    bundle b = make(PARTICLES, SPRINGS, true, 5);
    for (uint32_t e = 0; e < 20; e++) {
        double *first = b.x + 3 * b.vertices[2 * e], *second = b.x + 3 * b.vertices[2 * e + 1];
        memcpy(second, first, 3 * sizeof *first);
        second[e % 3] += e % 2 ? 0 : 1e-160;
    }
    check(&b);
    for (uint32_t g = 0; g < 2; g++)
        for (uint32_t i = 0; i < b.system->groups[g].count; i += 3)
            b.system->groups[g].parameters[i] *= -1; // stiffnesses
    tide_system_refresh(b.system);
    check(&b);
    for (uint32_t g = 0; g < 2; g++)
        for (uint32_t i = 21; i < b.system->groups[g].count; i += 2)             // past those without a length
            b.system->groups[g].parameters[b.system->groups[g].count + i] *= -1; // rest lengths
    tide_system_refresh(b.system);
    check(&b);
    discard(&b);
}

static void test_what_is_not_a_number_stays_so(void **state)
{
    (void)state;
    bundle b = make(PARTICLES, SPRINGS, false, 6);
    answers out = answers_make(&b), expected = answers_make(&b);
    for (int in_x = 0; in_x < 2; in_x++) {
        double *bad = in_x ? b.x : b.y, kept = bad[22];
        bad[22] = in_x ? NAN : INFINITY;
        for (int f = 0; f < FACTORS; f++) {
            compute(&b, 128, true, factors[f], &expected);
            for (int w = 0; w < WIDTHS; w++) {
                compute(&b, widths[w], true, factors[f], &out);
                for (uint32_t i = 0; i < 3 * PARTICLES; i += 3) // in which of its numbers does not matter
                    assert_true(isfinite(expected.product[i] + expected.product[i + 1] + expected.product[i + 2]) ==
                                isfinite(out.product[i] + out.product[i + 1] + out.product[i + 2]));
            }
        }
        bad[22] = kept;
    }
    answers_free(&out);
    answers_free(&expected);
    discard(&b);
}

// (f(x + e v) - f(x - e v)) / 2 e -> H v.
static void test_products_are_those_of_differences_of_forces(void **state)
{
    (void)state;
    static const double whole[3] = { 1, 0, 0 }, step = 1e-6;
    bundle b = make(PARTICLES, SPRINGS, true, 7);
    answers out = answers_make(&b);
    double x[3 * PARTICLES], above[3 * PARTICLES], below[3 * PARTICLES];
    for (uint32_t i = 0; i < 3 * PARTICLES; i++)
        b.y[i] = sin(i);
    memcpy(x, b.x, sizeof x);
    for (int w = 0; w < WIDTHS; w++) {
        compute(&b, widths[w], false, whole, &out);
        for (uint32_t i = 0; i < 3 * PARTICLES; i++)
            b.x[i] = x[i] + step * b.y[i];
        tide_system_gradient(b.system, b.x, above);
        for (uint32_t i = 0; i < 3 * PARTICLES; i++)
            b.x[i] = x[i] - step * b.y[i];
        tide_system_gradient(b.system, b.x, below);
        memcpy(b.x, x, sizeof x);
        for (uint32_t i = 0; i < 3 * PARTICLES; i++)
            assert_true(fabs((above[i] - below[i]) / (2 * step) - out.product[i]) < 1e-5);
    }
    answers_free(&out);
    discard(&b);
}

// Without anything that holds: the products add up to 0, and u' H v = v' H u.
static void test_products_are_symmetric_and_conserve_momentum(void **state)
{
    (void)state;
    static const double whole[3] = { 1, 0.1, 0 };
    bundle b = make(PARTICLES, SPRINGS, false, 8);
    answers first = answers_make(&b), second = answers_make(&b);
    double v[3 * PARTICLES], across = 0, back = 0, size = 0;
    memcpy(v, b.y, sizeof v);
    compute(&b, 0, false, whole, &first);
    for (uint32_t i = 0; i < 3 * PARTICLES; i++)
        b.y[i] = cos(3 * i + 1.0);
    compute(&b, 0, false, whole, &second);
    double sum[3] = { 0 };
    for (uint32_t i = 0; i < 3 * PARTICLES; i++) {
        across += b.y[i] * first.product[i];
        back += v[i] * second.product[i];
        size += fabs(v[i] * second.product[i]);
        sum[i % 3] += first.product[i];
    }
    assert_true(fabs(across - back) < 1e-13 * size && size > 0);
    for (int k = 0; k < 3; k++)
        assert_true(fabs(sum[k]) < 1e-12 * size);
    answers_free(&first);
    answers_free(&second);
    discard(&b);
}

static void test_threads_change_no_bit_and_nothing_is_allocated(void **state)
{
    (void)state;
    static const int threads[] = { 1, 2, 3, 4, 8 };
    bundle b = make(LARGE, LARGE_SPRINGS, true, 10);
    answers out = answers_make(&b), first = answers_make(&b);
    for (int w = 0; w < WIDTHS; w++) {
        use_width(widths[w]);
        tide_stiffness stiffness = { 0 };
        assert_int_equal(tide_stiffness_prepare(&stiffness, b.system, NULL), TIDE_OK);
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
            tide_set_threads(threads[t]);
            uint64_t allocations = tide_memory_count().allocations;
            answers *to = t || (w && widths[w] != PORTABLE) ? &out : &first;
            assert_int_equal(tide_stiffness_prepare(&stiffness, b.system, NULL), TIDE_OK);
            tide_stiffness_evaluate(&stiffness, b.system, b.x, true, 1, 0.1);
            tide_stiffness_apply(&stiffness, 0.5, b.y, to->product);
            tide_stiffness_diagonal(&stiffness, to->diagonal);
            assert_int_equal(tide_memory_count().allocations, allocations);
            if (to == &first)
                continue;
            assert_memory_equal(out.product, first.product, 3 * LARGE * sizeof *out.product);
            assert_memory_equal(out.diagonal, first.diagonal, 9 * LARGE * sizeof *out.diagonal);
        }
        tide_stiffness_free(&stiffness);
    }
    tide_set_threads(1);
    use_width(0);
    answers_free(&out);
    answers_free(&first);
    discard(&b);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_every_width_has_the_springs_own_products),
    cmocka_unit_test(test_what_is_at_the_edge),
    cmocka_unit_test(test_what_is_not_a_number_stays_so),
    cmocka_unit_test(test_products_are_those_of_differences_of_forces),
    cmocka_unit_test(test_products_are_symmetric_and_conserve_momentum),
    cmocka_unit_test(test_threads_change_no_bit_and_nothing_is_allocated),
};
TIDE_TEST_SUITE(model_spring_products, tests)
