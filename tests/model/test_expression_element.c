// Kinds made of expressions, against the kinds of the list that have the same energy.
#include "../linear/dense.h"
#include "base/memory.h"
#include "base/processor.h"
#include "expression_samples.h"

#include <string.h>

extern const tide_element_kind tide_area_spring;

enum { COUNT = 203, SIDE = TIDE_ELEMENT_MAX_NUMBERS, ROUNDS = 4 };

// Elements with their own particles. Parameters are in the order of both kinds.
typedef struct fixture {
    tide_elements elements;
    uint32_t vertices[COUNT * TIDE_ELEMENT_MAX_VERTICES];
    double parameters[COUNT * TIDE_ELEMENT_MAX_PARAMETERS], x[COUNT * SIDE];
} fixture;

// The same energy, as a kind of the list and as an expression.
typedef struct twin {
    const tide_element_kind *listed, *written;
    uint32_t given; // parameters of the expression
} twin;

enum { REST, STRETCHED, COMPRESSED, RANDOM, DEGENERATE, SHAPES };

static void make_twins(twin twins[4])
{
    twins[0] = (twin) { &tide_spring, sample_make("spring", 2, 2, sample_spring_energy), 2 };
    twins[1] = (twin) { &tide_anchor, sample_make("anchor", 1, 4, sample_anchor_energy), 4 };
    twins[2] = (twin) { &tide_area_spring, sample_make("area", 3, 2, sample_area_energy), 2 };
    twins[3] = (twin) { &tide_tie, sample_make("tie", 4, 4, sample_tie_energy), 4 };
}

static void release_twins(twin twins[4])
{
    for (int i = 0; i < 4; i++)
        tide_element_release(twins[i].written);
}

// Makes `count` elements of both kinds at random places with the same parameters, then gives them a shape.
static void fill(fixture *listed, fixture *written, const twin *twin, int shape, uint64_t seed)
{
    tide_random random = tide_random_seed(seed);
    uint32_t n = twin->listed->vertex_count;
    listed->elements = (tide_elements) { twin->listed, COUNT, listed->vertices, listed->parameters };
    written->elements = (tide_elements) { twin->written, COUNT, written->vertices, written->parameters };
    for (uint32_t i = 0; i < COUNT * n; i++)
        listed->vertices[i] = written->vertices[i] = COUNT * n - 1 - i;
    for (uint32_t i = 0; i < 3 * COUNT * n; i++)
        listed->x[i] = test_uniform(&random, -1, 1);
    for (uint32_t e = 0; e < COUNT; e++) {
        double of_listed[TIDE_ELEMENT_MAX_PARAMETERS], of_written[TIDE_ELEMENT_MAX_PARAMETERS];
        for (uint32_t p = 0; p < twin->listed->parameter_count; p++)
            of_listed[p] = p && twin->listed->rest ? TIDE_NOT_GIVEN : test_uniform(&random, 0.2, 5);
        if (twin->listed->rest)
            assert_null(twin->listed->rest(twin->listed, listed->x, listed->vertices + n * e, of_listed));
        memcpy(of_written, of_listed, twin->given * sizeof(double));
        assert_null(twin->written->rest(twin->written, listed->x, listed->vertices + n * e, of_written));
        for (uint32_t p = 0; p < twin->listed->parameter_count; p++)
            listed->parameters[COUNT * p + e] = of_listed[p];
        for (uint32_t p = 0; p < twin->written->parameter_count; p++)
            written->parameters[COUNT * p + e] = of_written[p];
    }
    for (uint32_t i = 0; i < 3 * COUNT * n; i++) {
        double *x = &listed->x[i];
        *x = shape == STRETCHED    ? 1.7 * *x
             : shape == COMPRESSED ? 0.3 * *x
             : shape == RANDOM     ? test_uniform(&random, -1, 1)
             : shape == DEGENERATE ? i % 3 - 1.0
                                   : *x;
    }
    memcpy(written->x, listed->x, sizeof listed->x);
}

static void assert_same(const double *a, const double *b, size_t count)
{
    double largest = 1e-3;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(a[i]));
    for (size_t i = 0; i < count; i++)
        assert_near(a[i], b[i], 1e-9 * largest);
}

static void compare(const fixture *listed, const fixture *written, int shape)
{
    static double a[COUNT * SIDE], b[COUNT * SIDE];
    const tide_element_kind *kind = listed->elements.kind, *own = written->elements.kind;
    uint32_t n = kind->vertex_count, side = 3 * n;
    double energy = kind->energy(&listed->elements, listed->x, 0, COUNT);
    assert_near(own->energy(&written->elements, written->x, 0, COUNT), energy, 1e-9 * (1 + energy));
    kind->gradient(&listed->elements, listed->x, 0, COUNT, a);
    own->gradient(&written->elements, written->x, 0, COUNT, b);
    assert_same(a, b, COUNT * side);
    for (uint32_t e = 0; e < COUNT; e++) {
        // Where two ends coincide, the spring's own Hessian is that of a length of 1e-8 r: compare the projected ones.
        bool whole = shape != DEGENERATE || kind != &tide_spring;
        for (int project = !whole; project < 2; project++) {
            kind->hessian(&listed->elements, listed->x, e, project, a);
            own->hessian(&written->elements, written->x, e, project, b);
            assert_same(a, b, side * side);
        }
        kind->laplacian(&listed->elements, e, a);
        own->laplacian(&written->elements, e, b);
        if (kind != &tide_area_spring)
            assert_same(a, b, n * n);
        for (uint32_t c = 0; c < n; c++) {
            kind->corner(&listed->elements, listed->x, e, c, a, NULL);
            own->corner(&written->elements, written->x, e, c, b, NULL);
            assert_same(a, b, 3);
        }
    }
}

static void test_twins_agree(void **state)
{
    (void)state;
    static fixture listed, written;
    twin twins[4];
    make_twins(twins);
    for (int t = 0; t < 4; t++)
        for (int shape = 0; shape < SHAPES; shape++)
            for (uint64_t round = 0; round < ROUNDS; round++) {
                fill(&listed, &written, &twins[t], shape, 10 * round + (uint64_t)shape);
                compare(&listed, &written, shape);
            }
    release_twins(twins);
}

// Products and blocks of the compact Hessian against `hessian` and `laplacian`, a corner's block against the Hessian's.
static void check_compact(const fixture *f, bool project, double a, double b)
{
    static double compact[COUNT * TIDE_ELEMENT_MAX_COMPACT], product[COUNT * SIDE],
        blocks[COUNT * 9 * TIDE_ELEMENT_MAX_PAIRS];
    const tide_element_kind *kind = f->elements.kind;
    uint32_t n = kind->vertex_count, side = 3 * n, pairs = n * (n + 1) / 2;
    kind->compact(&f->elements, f->x, 0, COUNT, project, a, b, compact);
    kind->multiply(&f->elements, compact, f->x, 0, COUNT, product);
    kind->blocks(&f->elements, compact, 0, COUNT, blocks);
    for (uint32_t e = 0; e < COUNT; e++) {
        double matrix[SIDE * SIDE], laplacian[16], sums[SIDE] = { 0 };
        kind->hessian(&f->elements, f->x, e, project, matrix);
        kind->laplacian(&f->elements, e, laplacian);
        for (uint32_t i = 0; i < side; i++)
            for (uint32_t j = 0; j < side; j++) {
                matrix[side * i + j] =
                    a * matrix[side * i + j] + (i % 3 == j % 3 ? b * laplacian[n * (i / 3) + j / 3] : 0);
                sums[i] += matrix[side * i + j] * f->x[3 * f->vertices[n * e + j / 3] + j % 3];
            }
        assert_same(sums, product + side * e, side);
        const double *block = blocks + 9 * pairs * e;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j <= i; j++, block += 9)
                for (uint32_t k = 0; k < 9; k++)
                    assert_near(block[k], matrix[side * (3 * i + k / 3) + 3 * j + k % 3], 1e-9);
    }
}

static void test_compact_forms(void **state)
{
    (void)state;
    static fixture listed, written;
    twin twins[4];
    make_twins(twins);
    for (int t = 0; t < 4; t++) {
        fill(&listed, &written, &twins[t], RANDOM, 5);
        check_compact(&written, false, 1, 0);
        check_compact(&written, true, 1, 0);
        check_compact(&written, true, 0.3, 0.7);
        check_compact(&written, false, 0, 2);
    }
    release_twins(twins);
}

// An energy f s^2 has the constraint s, as the kind of the list: with its sign.
static void check_listed_constraint(const fixture *listed, const fixture *written)
{
    double a[SIDE], b[SIDE], of_listed, of_written;
    for (uint32_t e = 0; e < COUNT; e++) {
        double c = listed->elements.kind->constraint(&listed->elements, listed->x, e, a, &of_listed);
        assert_near(written->elements.kind->constraint(&written->elements, written->x, e, b, &of_written), c, 1e-12);
        assert_near(of_written, of_listed, 1e-12 * of_listed);
        assert_same(a, b, 3 * listed->elements.kind->vertex_count);
    }
}

// The constraint has E = C^2 / (2 compliance), the local projection is that of the gradient, and a cut element does
// nothing.
static void test_constraint_projection_and_cut(void **state)
{
    (void)state;
    static fixture listed, written;
    twin twins[4];
    make_twins(twins);
    for (int t = 0; t < 4; t++) {
        fill(&listed, &written, &twins[t], RANDOM, 6);
        const tide_element_kind *kind = written.elements.kind;
        uint32_t n = kind->vertex_count, side = 3 * n;
        for (uint32_t e = 0; e < COUNT; e++) {
            double slope[SIDE], gradient[SIDE], d[SIDE], laplacian[16], compliance;
            double c = kind->constraint(&written.elements, written.x, e, slope, &compliance);
            kind->gradient(&written.elements, written.x, e, e + 1, gradient);
            kind->project(&written.elements, written.x, e, e + 1, d);
            kind->laplacian(&written.elements, e, laplacian);
            assert_near(c * c / (2 * compliance), kind->energy(&written.elements, written.x, e, e + 1), 1e-12);
            for (uint32_t i = 0; i < side; i++) {
                double sum = 0;
                for (uint32_t j = 0; j < n; j++)
                    sum += laplacian[n * (i / 3) + j] * written.x[3 * written.vertices[n * e + j] + i % 3];
                assert_near(c * slope[i] / compliance, gradient[i], 1e-10);
                assert_near(sum - d[i], gradient[i], 1e-9);
            }
        }
        if (kind->vertex_count == 2 || kind->vertex_count == 3)
            check_listed_constraint(&listed, &written);
        double *scale = written.parameters + kind->stiffness_parameter * (size_t)COUNT, unused, slope[SIDE];
        for (uint32_t e = 0; e < COUNT; e++)
            scale[e] = 0;
        assert_true(kind->energy(&written.elements, written.x, 0, COUNT) == 0);
        kind->constraint(&written.elements, written.x, 3, slope, &unused);
        assert_true(isinf(unused));
    }
    release_twins(twins);
}

// L bounds the Hessian at rest and within a quarter of it, and is singular for translations alone.
static void test_constant_matrix_is_a_bound(void **state)
{
    (void)state;
    static fixture listed, written;
    const double sizes[] = { 1, 0.8, 0.9, 1.1, 1.25 };
    twin twins[4];
    make_twins(twins);
    for (int t = 0; t < 4; t++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            fill(&listed, &written, &twins[t], REST, 7);
            const tide_element_kind *kind = written.elements.kind;
            uint32_t n = kind->vertex_count, side = 3 * n;
            for (uint32_t i = 0; i < side * COUNT; i++)
                written.x[i] *= sizes[s];
            for (uint32_t e = 0; e < COUNT; e++) {
                double hessian[SIDE * SIDE], laplacian[16], least = 0, size = 1e-9;
                kind->hessian(&written.elements, written.x, e, true, hessian);
                kind->laplacian(&written.elements, e, laplacian);
                for (uint32_t i = 0; i < side; i++)
                    for (uint32_t j = 0; j < side; j++)
                        hessian[side * i + j] -= i % 3 == j % 3 ? laplacian[n * (i / 3) + j / 3] : 0;
                for (uint32_t i = 0; i < n * n; i++)
                    size = fmax(size, fabs(laplacian[i]));
                least = dense_largest_eigenvalue(side, hessian); // of H - L
                assert_true(least <= 1e-9 * size);
                if (t == 0 || t == 2)
                    for (uint32_t i = 0; i < n; i++) {
                        double sum = 0;
                        for (uint32_t j = 0; j < n; j++)
                            sum += laplacian[n * i + j];
                        assert_near(sum, 0, 1e-15 * size);
                    }
            }
        }
    release_twins(twins);
}

// The same bits with vectors of every length, and for every part of a block.
static void test_bits_do_not_depend_on_vectors(void **state)
{
    (void)state;
    static fixture listed, written;
    static double all[3][COUNT * SIDE], part[SIDE * 5];
    twin twins[4];
    make_twins(twins);
    for (int t = 0; t < 4; t++) {
        fill(&listed, &written, &twins[t], RANDOM, 8);
        const tide_element_kind *kind = written.elements.kind;
        size_t numbers = 3 * (size_t)kind->vertex_count;
        for (int w = 0; w < 3; w++) {
            tide_vector_bits_limit(128 << w);
            kind->gradient(&written.elements, written.x, 0, COUNT, all[w]);
        }
        tide_vector_bits_limit(0);
        assert_memory_equal(all[0], all[1], numbers * COUNT * sizeof(double));
        assert_memory_equal(all[0], all[2], numbers * COUNT * sizeof(double));
        kind->gradient(&written.elements, written.x, 77, 82, part);
        assert_memory_equal(all[0] + 77 * numbers, part, 5 * numbers * sizeof(double));
    }
    release_twins(twins);
}

static void test_wrong_elements_are_refused(void **state)
{
    (void)state;
    tide_expression *e;
    tide_error error;
    const tide_element_kind *kind = NULL;
    assert_ok(tide_expression_create(&e, &error), error);
    assert_fails(sample_kind(e, "still", 2, 1, sample_parameter(e, 2, 0), &kind, &error), error,
                 "element \"still\": energy: does not depend on the positions");
    // 1 / |x0 - x1 - (1, 0, 0)| is not finite at rest.
    sample_vector d = sample_subtract(e, sample_corner(e, 0), sample_corner(e, 1));
    d.x = sample_apply(e, TIDE_OP_SUBTRACT, d.x, sample_constant(e, 1));
    assert_ok(sample_kind(e, "pole", 2, 0, sample_apply(e, TIDE_OP_DIVIDE, sample_constant(e, 1), sample_length(e, d)),
                          &kind, &error),
              error);
    double parameters[TIDE_ELEMENT_MAX_PARAMETERS];
    const char *wrong = kind->rest(kind, (double[]) { 1, 0, 0, 0, 0, 0 }, (uint32_t[]) { 0, 1 }, parameters);
    assert_non_null(wrong);
    assert_non_null(strstr(wrong, "its energy at rest is not finite (sample.lua:1)"));
    assert_null(kind->rest(kind, (double[]) { 2, 0, 0, 0, 0, 0 }, (uint32_t[]) { 0, 1 }, parameters));
    tide_element_release(kind);
    tide_node sum = sample_corner(e, 0).x;
    for (uint32_t i = 0; i < TIDE_EXPRESSION_MAX_NODES; i++)
        sum = sample_apply(e, TIDE_OP_MULTIPLY, sum, sample_apply(e, TIDE_OP_ADD, sum, sample_constant(e, i)));
    assert_fails(sample_kind(e, "giant", 1, 0, sum, &kind, &error), error, "energy: is too large");
    tide_expression_destroy(e);
}

static uint32_t allocations_left;

static bool fail_later(size_t size, void *context)
{
    (void)size, (void)context;
    return allocations_left-- == 0;
}

static void test_failing_memory(void **state)
{
    (void)state;
    tide_memory_counts before = tide_memory_count();
    bool made = false;
    for (uint32_t allowed = 0; !made; allowed++) {
        tide_expression *e = NULL;
        tide_error error;
        const tide_element_kind *kind = NULL;
        allocations_left = allowed;
        tide_memory_set_failure_hook(fail_later, NULL);
        if (tide_expression_create(&e, &error) == TIDE_OK)
            made = sample_kind(e, "area", 3, 2, sample_area_energy(e), &kind, &error) == TIDE_OK;
        tide_memory_set_failure_hook(NULL, NULL);
        tide_expression_destroy(e);
        if (made)
            tide_element_release(kind);
        assert_true(allowed < 1000);
    }
    assert_true(tide_memory_count().blocks == before.blocks);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_twins_agree),
    cmocka_unit_test(test_compact_forms),
    cmocka_unit_test(test_constraint_projection_and_cut),
    cmocka_unit_test(test_constant_matrix_is_a_bound),
    cmocka_unit_test(test_bits_do_not_depend_on_vectors),
    cmocka_unit_test(test_wrong_elements_are_refused),
    cmocka_unit_test(test_failing_memory),
};
TIDE_TEST_SUITE(expression_element, tests)
