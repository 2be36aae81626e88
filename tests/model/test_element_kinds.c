// Every kind of element, by its table: a new kind in the list is tested here without a change. Its numbers are tested
// for random elements, if scenes can make them.
#include "../linear/dense.h"
#include "model/element.h"
#include "tests.h"

#include <string.h>

enum { ROUNDS = 100, NUMBERS = TIDE_ELEMENT_MAX_NUMBERS };

// One element of a kind. Its particles are in the order of its corners.
typedef struct single {
    tide_elements elements;
    uint32_t vertices[TIDE_ELEMENT_MAX_VERTICES];
    double parameters[TIDE_ELEMENT_MAX_PARAMETERS], x[NUMBERS];
} single;

// An element at rest at random places, with random numbers for the fields that must be given.
static void make(single *s, const tide_element_kind *kind, tide_random *random)
{
    *s = (single) { .vertices = { 0, 1, 2, 3 } };
    s->elements = (tide_elements) { kind, 1, s->vertices, s->parameters };
    tide_fields_default(kind->fields, s->parameters);
    for (const tide_field *field = kind->fields; field->name; field++)
        if (field->required)
            s->parameters[field->offset / sizeof(double)] = test_uniform(random, fmax(field->minimum, 1), 100);
    for (int i = 0; i < NUMBERS; i++)
        s->x[i] = test_uniform(random, -1, 1);
    if (kind->rest)
        kind->rest(s->x, s->vertices, s->parameters);
}

// Moves the corners by random vectors.
static void deform(single *s, tide_random *random)
{
    for (int i = 0; i < NUMBERS; i++)
        s->x[i] += test_uniform(random, -0.5, 0.5);
}

static double energy_at(const single *s, const double *x)
{
    return s->elements.kind->energy(&s->elements, x, 0, 1);
}

// Calls `check` for elements of each kind, at rest and deformed.
static void for_all(void (*check)(const single *s, bool at_rest, tide_random *random))
{
    tide_random random = tide_random_seed(11);
    const tide_element_kind *kind;
    uint32_t count = 0;
    for (uint32_t k = 0; (kind = tide_element_kind_at(k)); k++)
        for (int round = 0; kind->fields && round < ROUNDS; round++, count++) {
            single s;
            make(&s, kind, &random);
            check(&s, true, &random);
            deform(&s, &random);
            check(&s, false, &random);
        }
    assert_true(count >= 2 * ROUNDS);
}

static void test_kinds_are_complete(void **state)
{
    (void)state;
    uint32_t count = 0;
    for (const tide_element_kind *kind; (kind = tide_element_kind_at(count)); count++) {
        assert_true(kind->name && kind->name[0] && kind->help && kind->help[0]);
        assert_in_range(kind->vertex_count, 1, TIDE_ELEMENT_MAX_VERTICES);
        assert_in_range(kind->compact_size, 1, TIDE_ELEMENT_MAX_COMPACT);
        assert_true(kind->energy && kind->gradient && kind->hessian && kind->laplacian && kind->project &&
                    kind->compact && kind->multiply && kind->blocks && kind->corner && kind->strain);
        assert_in_range(kind->parameter_count, 1, TIDE_ELEMENT_MAX_PARAMETERS);
        assert_true(kind->stiffness_parameter < kind->parameter_count);
        assert_true(!tide_element_has_rest(kind) || kind->rest_parameter < kind->parameter_count);
        assert_true(!kind->noun == !kind->size);
        for (uint32_t e = 0; e < 2 * kind->edge_count; e++)
            assert_true(kind->edges[e] < kind->vertex_count);
        uint32_t fields = 0;
        for (; kind->fields && kind->fields[fields].name; fields++) {
            assert_true(kind->fields[fields].type == TIDE_FIELD_REAL && kind->fields[fields].help);
            assert_int_equal(kind->fields[fields].offset, fields * sizeof(double));
        }
        assert_true(!kind->fields || fields == kind->parameter_count);
    }
    assert_true(count > 3);
    assert_ptr_equal(tide_element_kind_at(0), &tide_spring);
    assert_null(tide_element_kind_at(UINT32_MAX));
}

static void check_rest(const single *s, bool at_rest, tide_random *random)
{
    (void)random;
    double strain;
    if (!at_rest || !s->elements.kind->rest)
        return;
    s->elements.kind->strain(&s->elements, s->x, 0, 1, &strain);
    assert_near(energy_at(s, s->x), 0, 1e-20);
    assert_near(strain, 0, 1e-12);
}

static void test_energy_at_rest(void **state)
{
    (void)state;
    for_all(check_rest);
}

// Returns whether central differences of two steps agree. They do not where the energy has a kink or a large third
// derivative.
static bool is_smooth(const double *coarse, const double *fine, uint32_t size, double scale)
{
    for (uint32_t i = 0; i < size; i++)
        if (fabs(coarse[i] - fine[i]) > 1e-7 * scale)
            return false;
    return true;
}

static void differentiate(const single *s, uint32_t i, double step, double *slopes)
{
    const tide_element_kind *kind = s->elements.kind;
    double x[NUMBERS], before[NUMBERS];
    memcpy(x, s->x, sizeof x);
    x[i] = s->x[i] - step;
    slopes[NUMBERS] = -energy_at(s, x) / (2 * step);
    kind->gradient(&s->elements, x, 0, 1, before);
    x[i] = s->x[i] + step;
    slopes[NUMBERS] += energy_at(s, x) / (2 * step);
    kind->gradient(&s->elements, x, 0, 1, slopes);
    for (uint32_t j = 0; j < 3 * kind->vertex_count; j++)
        slopes[j] = (slopes[j] - before[j]) / (2 * step);
}

static uint32_t compared;

static void check_derivatives(const single *s, bool at_rest, tide_random *random)
{
    (void)random;
    const tide_element_kind *kind = s->elements.kind;
    uint32_t size = 3 * kind->vertex_count;
    double gradient[NUMBERS], hessian[NUMBERS * NUMBERS], scale = 10 * s->parameters[kind->stiffness_parameter];
    kind->gradient(&s->elements, s->x, 0, 1, gradient);
    kind->hessian(&s->elements, s->x, 0, false, hessian);
    for (uint32_t i = 0; i < size && !at_rest; i++) {
        double coarse[NUMBERS + 1] = { 0 }, fine[NUMBERS + 1] = { 0 };
        differentiate(s, i, 2e-5, coarse);
        differentiate(s, i, 1e-5, fine);
        if (!is_smooth(coarse, fine, NUMBERS + 1, scale))
            continue;
        compared++;
        assert_near(gradient[i], fine[NUMBERS], 1e-6 * scale);
        for (uint32_t j = 0; j < size; j++) {
            assert_near(hessian[i * size + j], fine[j], 1e-6 * scale);
            assert_true(hessian[i * size + j] == hessian[j * size + i]);
        }
    }
}

static void test_derivatives(void **state)
{
    (void)state;
    compared = 0;
    for_all(check_derivatives);
    assert_true(compared > 2 * ROUNDS * 3);
}

// The projected Hessian is positive semidefinite and the Hessian plus a semidefinite matrix. L is symmetric, positive
// semidefinite and does not resist translation.
static void check_semidefinite(const single *s, bool at_rest, tide_random *random)
{
    (void)at_rest;
    const tide_element_kind *kind = s->elements.kind;
    uint32_t corners = kind->vertex_count, size = 3 * corners;
    double plain[NUMBERS * NUMBERS], projected[NUMBERS * NUMBERS], laplacian[16], v[NUMBERS];
    double sums[3] = { 0 }, scale = 10 * s->parameters[kind->stiffness_parameter];
    kind->hessian(&s->elements, s->x, 0, false, plain);
    kind->hessian(&s->elements, s->x, 0, true, projected);
    kind->laplacian(&s->elements, 0, laplacian);
    for (uint32_t i = 0; i < size; i++)
        v[i] = test_uniform(random, -1, 1);
    for (uint32_t i = 0; i < size; i++)
        for (uint32_t j = 0; j < size; j++) {
            double weight = i % 3 == j % 3 ? laplacian[i / 3 * corners + j / 3] : 0;
            sums[0] += v[i] * projected[i * size + j] * v[j];
            sums[1] += v[i] * (projected[i * size + j] - plain[i * size + j]) * v[j];
            sums[2] += v[i] * weight * v[j];
        }
    for (int k = 0; k < 3; k++)
        assert_true(sums[k] >= -1e-10 * scale);
    for (uint32_t i = 0; i < corners && corners > 1; i++) {
        double row = 0;
        for (uint32_t j = 0; j < corners; j++) {
            row += laplacian[i * corners + j];
            assert_near(laplacian[i * corners + j], laplacian[j * corners + i], 1e-12 * scale);
        }
        assert_near(row, 0, 1e-11 * scale);
    }
}

static void test_matrices(void **state)
{
    (void)state;
    for_all(check_semidefinite);
}

// E = C^2 / (2 compliance), and its gradient is C / compliance dC.
static void check_constraint(const single *s, bool at_rest, tide_random *random)
{
    (void)at_rest;
    (void)random;
    const tide_element_kind *kind = s->elements.kind;
    double gradient[NUMBERS], slope[NUMBERS], compliance, scale = 10 * s->parameters[kind->stiffness_parameter];
    if (!kind->constraint)
        return;
    double c = kind->constraint(&s->elements, s->x, 0, slope, &compliance);
    kind->gradient(&s->elements, s->x, 0, 1, gradient);
    assert_near(c * c / (2 * compliance), energy_at(s, s->x), 1e-12 * scale);
    for (uint32_t i = 0; i < 3 * kind->vertex_count; i++)
        assert_near(c / compliance * slope[i], gradient[i], 1e-12 * scale);
}

static void test_constraints(void **state)
{
    (void)state;
    for_all(check_constraint);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_kinds_are_complete), cmocka_unit_test(test_energy_at_rest),
    cmocka_unit_test(test_derivatives),        cmocka_unit_test(test_matrices),
    cmocka_unit_test(test_constraints),
};
TIDE_TEST_SUITE(model_element_kinds, tests)
