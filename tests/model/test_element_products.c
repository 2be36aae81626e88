// Functions of element kinds beyond energy and derivatives, tested against these: compact Hessians, corners,
// constraints.
#include "../linear/dense.h"
#include "base/memory.h"
#include "model/element.h"
#include "tests.h"

enum { COUNT = 40, PARTICLES = 30, SIDE = TIDE_ELEMENT_MAX_NUMBERS };

typedef struct fixture {
    tide_elements elements;
    uint32_t vertices[COUNT * TIDE_ELEMENT_MAX_VERTICES];
    double parameters[COUNT * TIDE_ELEMENT_MAX_PARAMETERS], x[3 * PARTICLES], v[3 * PARTICLES];
} fixture;

// Elements of a kind between random particles. The stiffness has either sign, and is 0 for every seventh element.
static void make(fixture *f, const tide_element_kind *kind, uint64_t seed)
{
    tide_random random = tide_random_seed(seed);
    f->elements = (tide_elements) { kind, COUNT, f->vertices, f->parameters };
    double *stiffness = f->parameters + COUNT * (size_t)kind->stiffness_parameter;
    for (uint32_t e = 0; e < COUNT; e++) {
        for (uint32_t c = 0; c < kind->vertex_count; c++)
            f->vertices[kind->vertex_count * e + c] =
                (tide_random_next(&random) % (PARTICLES / kind->vertex_count)) * kind->vertex_count + c;
        for (uint32_t p = 0; p < kind->parameter_count; p++) {
            const tide_field *field =
                kind->fields && kind->fields[p].maximum > kind->fields[p].minimum ? &kind->fields[p] : NULL;
            f->parameters[p * COUNT + e] =
                test_uniform(&random, field ? fmax(field->minimum, 0) : 0, field ? fmin(field->maximum, 2) : 2);
        }
        stiffness[e] = e % 7 == 0 ? 0 : test_uniform(&random, e % 5 == 0 ? -50 : 1, 50);
    }
    for (int i = 0; i < 3 * PARTICLES; i++) {
        f->x[i] = test_uniform(&random, -1, 1);
        f->v[i] = test_uniform(&random, -1, 1);
    }
}

// a H + b L of one element from `hessian` and `laplacian`.
static void expected_matrix(const fixture *f, uint32_t e, bool project, double a, double b, double *out)
{
    const tide_element_kind *kind = f->elements.kind;
    uint32_t corners = kind->vertex_count, side = 3 * corners;
    double laplacian[TIDE_ELEMENT_MAX_VERTICES * TIDE_ELEMENT_MAX_VERTICES];
    kind->hessian(&f->elements, f->x, e, project, out);
    kind->laplacian(&f->elements, e, laplacian);
    for (uint32_t i = 0; i < side; i++)
        for (uint32_t j = 0; j < side; j++)
            out[side * i + j] = a * out[side * i + j] + (i % 3 == j % 3 ? b * laplacian[corners * (i / 3) + j / 3] : 0);
}

static void check_products(const fixture *f, uint32_t begin, uint32_t end, bool project, double a, double b)
{
    const tide_element_kind *kind = f->elements.kind;
    uint32_t corners = kind->vertex_count, side = 3 * corners, pairs = corners * (corners + 1) / 2;
    double compact[COUNT * TIDE_ELEMENT_MAX_COMPACT], product[COUNT * SIDE], blocks[COUNT * 9 * TIDE_ELEMENT_MAX_PAIRS];
    kind->compact(&f->elements, f->x, begin, end, project, a, b, compact);
    kind->multiply(&f->elements, compact, f->v, begin, end, product);
    kind->blocks(&f->elements, compact, begin, end, blocks);
    for (uint32_t e = begin; e < end; e++) {
        double matrix[SIDE * SIDE], scale = 1;
        expected_matrix(f, e, project, a, b, matrix);
        for (uint32_t i = 0; i < side * side; i++)
            scale = fmax(scale, fabs(matrix[i]) / 1000);
        for (uint32_t i = 0; i < side; i++) {
            double sum = 0;
            for (uint32_t j = 0; j < side; j++)
                sum += matrix[side * i + j] * f->v[3 * f->vertices[corners * e + j / 3] + j % 3];
            assert_near(product[side * (e - begin) + i], sum, 1e-10 * scale);
        }
        const double *block = blocks + 9 * pairs * (e - begin);
        for (uint32_t i = 0; i < corners; i++)
            for (uint32_t j = 0; j <= i; j++, block += 9)
                for (uint32_t k = 0; k < 9; k++)
                    assert_near(block[k], matrix[side * (3 * i + k / 3) + 3 * j + k % 3], 1e-10 * scale);
    }
}

static void test_products_against_hessians(void **state)
{
    (void)state;
    const double factors[][2] = { { 1, 0 }, { 0, 1 }, { 0.3, 0.7 }, { -2, 0.5 }, { 0, 0 } };
    fixture f;
    const tide_element_kind *kind;
    for (uint32_t index = 0; (kind = tide_element_kind_at(index)); index++)
        for (uint64_t seed = 1; seed < 6; seed++) {
            make(&f, kind, seed);
            for (size_t k = 0; k < sizeof factors / sizeof factors[0]; k++)
                for (int project = 0; project < 2; project++) {
                    check_products(&f, 0, COUNT, project, factors[k][0], factors[k][1]);
                    check_products(&f, 7, 24, project, factors[k][0], factors[k][1]);
                }
        }
}

// Without a part of the Hessian the state is of no account, even one that is not finite.
static void test_the_constant_part_needs_no_state(void **state)
{
    (void)state;
    fixture f;
    const tide_element_kind *kind;
    for (uint32_t index = 0; (kind = tide_element_kind_at(index)); index++) {
        make(&f, kind, 3);
        double compact[COUNT * TIDE_ELEMENT_MAX_COMPACT];
        for (int i = 0; i < 3 * PARTICLES; i++)
            f.x[i] = NAN;
        kind->compact(&f.elements, f.x, 0, COUNT, true, 0, 2, compact);
        for (uint32_t i = 0; i < COUNT * kind->compact_size; i++)
            assert_true(isfinite(compact[i]));
    }
}

static void test_projected_blocks_are_positive_semidefinite(void **state)
{
    (void)state;
    fixture f;
    const tide_element_kind *kind;
    for (uint32_t index = 0; (kind = tide_element_kind_at(index)); index++) {
        make(&f, kind, 5);
        uint32_t pairs = kind->vertex_count * (kind->vertex_count + 1) / 2;
        double least[2] = { 0 }, largest = 0;
        for (int project = 0; project < 2; project++) {
            double compact[COUNT * TIDE_ELEMENT_MAX_COMPACT], blocks[COUNT * 9 * TIDE_ELEMENT_MAX_PAIRS], vectors[9];
            kind->compact(&f.elements, f.x, 0, COUNT, project, 1, 0, compact);
            kind->blocks(&f.elements, compact, 0, COUNT, blocks);
            for (uint32_t e = 0; e < COUNT; e++) {
                double *block = blocks + 9 * pairs * e; // of corners (0, 0)
                for (int k = 0; k < 9 && !project; k++)
                    largest = fmax(largest, fabs(block[k]));
                dense_eigen(3, block, vectors);
                for (int k = 0; k < 9; k += 4)
                    least[project] = fmin(least[project], block[k]);
            }
        }
        if (largest > 0 && !(least[0] < -1 && least[1] > -1e-12)) // 0: the kind has no such blocks
            fail_msg("%s: the least eigenvalue is %g, with `project` %g", kind->name, least[0], least[1]);
    }
}

static void test_corners_against_gradients_and_hessians(void **state)
{
    (void)state;
    fixture f;
    const tide_element_kind *kind;
    for (uint32_t index = 0; (kind = tide_element_kind_at(index)); index++)
        for (uint64_t seed = 1; seed < 6; seed++) {
            make(&f, kind, seed);
            uint32_t corners = kind->vertex_count, side = 3 * corners;
            for (uint32_t e = 0; e < COUNT; e++) {
                double gradients[SIDE], matrix[SIDE * SIDE], gradient[3], again[3], hessian[9];
                kind->gradient(&f.elements, f.x, e, e + 1, gradients);
                kind->hessian(&f.elements, f.x, e, true, matrix);
                for (uint32_t c = 0; c < corners; c++) {
                    kind->corner(&f.elements, f.x, e, c, gradient, hessian);
                    kind->corner(&f.elements, f.x, e, c, again, NULL);
                    assert_memory_equal(gradient, again, sizeof again);
                    for (uint32_t k = 0; k < 3; k++)
                        assert_near(gradient[k], gradients[3 * c + k], 1e-12);
                    for (uint32_t k = 0; k < 9; k++)
                        assert_near(hessian[k], matrix[side * (3 * c + k / 3) + 3 * c + k % 3], 1e-12);
                }
            }
        }
}

// Several corners in one call are, to the bit, the sums of calls for each; also where points coincide.
static void test_several_corners(void **state)
{
    (void)state;
    fixture f;
    const tide_element_kind *kind;
    uint32_t tested = 0;
    for (uint32_t index = 0; (kind = tide_element_kind_at(index)); index++)
        for (uint32_t count = 0; count < 12 && kind->corners; count++, tested++) {
            make(&f, kind, count);
            memcpy(f.x + 3 * f.vertices[1], f.x + 3 * f.vertices[0], 3 * sizeof *f.x);
            tide_corner list[12] = { { 0 } };
            double gradient[3] = { 1, -2, 3 }, hessian[9] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
            double expected[3], matrix[9];
            memcpy(expected, gradient, sizeof expected);
            memcpy(matrix, hessian, sizeof matrix);
            for (uint32_t i = 0; i < count; i++) {
                double g[3], h[9];
                list[i] = (tide_corner) { 0, 3 * i, i % kind->vertex_count };
                kind->corner(&f.elements, f.x, list[i].element, list[i].corner, g, h);
                for (int k = 0; k < 3; k++)
                    expected[k] += 0.3 * g[k];
                for (int k = 0; k < 9; k++)
                    matrix[k] += 0.3 * h[k];
            }
            kind->corners(&f.elements, f.x, list, count, 0.3, gradient, hessian);
            assert_memory_equal(gradient, expected, sizeof expected);
            assert_memory_equal(hessian, matrix, sizeof matrix);
        }
    assert_true(tested > 0);
}

// E = C^2 / (2 compliance), dE/dx = C dC/dx / compliance, and dC/dx is the slope of C.
static void check_constraint(fixture *f, uint32_t e)
{
    const tide_element_kind *kind = f->elements.kind;
    double gradient[SIDE], expected[SIDE], unused[SIDE], compliance;
    double value = kind->constraint(&f->elements, f->x, e, gradient, &compliance);
    kind->gradient(&f->elements, f->x, e, e + 1, expected);
    double energy = kind->energy(&f->elements, f->x, e, e + 1);
    assert_near(value * value / (2 * compliance), energy, 1e-12 * fmax(1, fabs(energy)));
    for (uint32_t i = 0; i < 3 * kind->vertex_count; i++) {
        assert_near(value * gradient[i] / compliance, expected[i], 1e-12 * fmax(1, fabs(expected[i])));
        double *at = &f->x[3 * f->vertices[kind->vertex_count * e + i / 3] + i % 3], here = *at;
        *at = here + 1e-6;
        double slope = kind->constraint(&f->elements, f->x, e, unused, &compliance);
        *at = here - 1e-6;
        slope -= kind->constraint(&f->elements, f->x, e, unused, &compliance);
        *at = here;
        if (!(fabs(gradient[i] - slope / 2e-6) <= 1e-6 * fmax(1, fabs(gradient[i]))))
            fail_msg("%s: dC/dx is %g; by differences %g", kind->name, gradient[i], slope / 2e-6);
    }
    assert_true(isinf(compliance) == (tide_element_stiffness(&f->elements, e) == 0));
}

static void test_constraints_against_energies(void **state)
{
    (void)state;
    fixture f;
    const tide_element_kind *kind;
    for (uint32_t index = 0; (kind = tide_element_kind_at(index)); index++) {
        if (!kind->constraint)
            continue;
        make(&f, kind, 4);
        for (uint32_t e = 0; e < COUNT; e++)
            check_constraint(&f, e);
    }
}

static void test_constraints_where_points_coincide(void **state)
{
    (void)state;
    const double lengths[] = { 0, 1e-320, 1e-200 };
    for (int l = 0; l < 3; l++)
        for (int stiff = 0; stiff < 2; stiff++) {
            double x[6] = { 0, lengths[l], 0, 0, 0, 0 }, gradient[6], expected[6], compliance, k = stiff ? 8 : 0;
            double parameters[4] = { k, 0.5 };
            uint32_t vertices[2] = { 0, 1 };
            tide_elements spring = { &tide_spring, 1, vertices, parameters };
            double value = tide_spring.constraint(&spring, x, 0, gradient, &compliance);
            tide_spring.gradient(&spring, x, 0, 1, expected);
            assert_near(value, -0.5, 1e-15);
            assert_true(stiff ? compliance == 0.125 : isinf(compliance) && compliance > 0);
            for (int i = 0; i < 6; i++)
                assert_near(k * value * gradient[i], expected[i], 1e-15);
            assert_true(gradient[0] == 1 && gradient[3] == -1 && gradient[1] == 0);
            double blocks[9], corner[3];
            tide_spring.corner(&spring, x, 0, 1, corner, blocks);
            for (int i = 0; i < 9; i++)
                assert_true(isfinite(blocks[i]));
            assert_near(corner[0], expected[3], 1e-15);

            parameters[1] = 0;
            tide_elements anchor = { &tide_anchor, 1, vertices, parameters };
            assert_true(tide_anchor.constraint(&anchor, x, 0, gradient, &compliance) == 0);
            assert_true(gradient[0] == 0 && gradient[1] == 0 && gradient[2] == 0);
            assert_true(stiff ? compliance == 0.125 : isinf(compliance) && compliance > 0);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_products_against_hessians),
    cmocka_unit_test(test_the_constant_part_needs_no_state),
    cmocka_unit_test(test_projected_blocks_are_positive_semidefinite),
    cmocka_unit_test(test_corners_against_gradients_and_hessians),
    cmocka_unit_test(test_several_corners),
    cmocka_unit_test(test_constraints_against_energies),
    cmocka_unit_test(test_constraints_where_points_coincide),
};
TIDE_TEST_SUITE(model_element_products, tests)
