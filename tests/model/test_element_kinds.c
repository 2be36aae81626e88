// Every kind of element, by its table: a new kind in the list is tested here without a change. Its numbers are tested
// for random elements, if the kind has a shape at rest.
#include "../linear/dense.h"
#include "model/element.h"
#include "model/rod_bend.h"
#include "tests.h"

#include <float.h>
#include <string.h>

enum { ROUNDS = 100, NUMBERS = TIDE_ELEMENT_MAX_NUMBERS };
// Relative error of about 130 operations, as of the energy of a tetrahedron, each of which rounds by DBL_EPSILON / 2.
static const double DIGITS = 64 * DBL_EPSILON;

// One element of a kind. Its particles are in the order of its corners.
typedef struct single {
    tide_elements elements;
    uint32_t vertices[TIDE_ELEMENT_MAX_VERTICES];
    double parameters[TIDE_ELEMENT_MAX_PARAMETERS], x[NUMBERS];
} single;

// Fills in random numbers for what must be given: required fields, or what `rest` leaves. Returns whether the shape at
// rest is one.
static bool make_parameters(single *s, const tide_element_kind *kind, tide_random *random)
{
    for (uint32_t p = 0; p < kind->parameter_count; p++)
        s->parameters[p] = TIDE_NOT_GIVEN;
    if (kind->fields)
        tide_fields_default(kind->fields, s->parameters);
    for (const tide_field *field = kind->fields; field && field->name; field++)
        if (field->required)
            s->parameters[field->offset / sizeof(double)] = test_uniform(random, fmax(field->minimum, 1), 100);
    bool wrong = kind->rest && kind->rest(kind, s->x, s->vertices, s->parameters);
    for (uint32_t p = 0; p < kind->parameter_count; p++)
        if (!tide_given(s->parameters[p]))
            s->parameters[p] = test_uniform(random, 0, p == kind->stiffness_parameter ? 100 : 5);
    return !wrong;
}

// Tells whether no parameter is so large that the shape at rest must be nearly flat.
static bool is_regular(const single *s)
{
    bool regular = true;
    for (uint32_t p = 0; p < s->elements.kind->parameter_count; p++)
        regular = regular && fabs(s->parameters[p]) <= 100;
    return regular;
}

// An element at rest at random places.
static void make(single *s, const tide_element_kind *kind, tide_random *random)
{
    *s = (single) { .vertices = { 0, 1, 2, 3, 4 } };
    s->elements = (tide_elements) { kind, 1, s->vertices, s->parameters };
    do {
        for (uint32_t i = 0; i < 3 * kind->vertex_count; i++)
            s->x[i] = test_uniform(random, -1, 1);
    } while (!make_parameters(s, kind, random) || !is_regular(s));
}

// Ways to deform an element: scales of x, y and z, and random displacements of the corners.
static const struct {
    double scale[3], move;
} deformations[] = {
    { { 1, 1, 1 }, 0.5 },        // anyhow
    { { 1.8, 1.5, 2 }, 0.1 },    // stretched
    { { 0.3, 0.4, 0.2 }, 0.02 }, // compressed
    { { -0.5, 1, 0.8 }, 0.05 },  // inverted
    { { 1.2, 0.9, 0 }, 0 },      // flat
};
enum { DEFORMATIONS = sizeof deformations / sizeof deformations[0] };

static void deform(single *s, const double *x, int which, tide_random *random)
{
    for (int i = 0; i < NUMBERS; i++)
        s->x[i] = deformations[which].scale[i % 3] * x[i] +
                  test_uniform(random, -deformations[which].move, deformations[which].move);
}

static double energy_at(const single *s, const double *x)
{
    return s->elements.kind->energy(&s->elements, x, 0, 1);
}

static double largest(const double *values, uint32_t count)
{
    double most = 0;
    for (uint32_t i = 0; i < count; i++)
        most = fmax(most, fabs(values[i]));
    return most;
}

static void check_near(const single *s, const char *what, double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%s: %s: %.17g and %.17g differ by %.3g, more than %.3g", s->elements.kind->name, what, a, b,
                 fabs(a - b), tolerance);
}

// Sizes of what an element adds up: rounding errors are fractions of these. The entries of L and of the Hessian H are
// those of the second derivatives of the parts of an energy. A quadratic energy has |dE/dx|^2 <= 2 E |H|; this is the
// size of parts of the gradient that cancel.
typedef struct sizes {
    double x, energy, force, stiffness; // m, J, N, N/m
} sizes;

static sizes sizes_of(const single *s)
{
    const tide_element_kind *kind = s->elements.kind;
    uint32_t corners = kind->vertex_count, size = 3 * corners;
    double gradient[NUMBERS], hessian[NUMBERS * NUMBERS],
        laplacian[TIDE_ELEMENT_MAX_VERTICES * TIDE_ELEMENT_MAX_VERTICES];
    kind->gradient(&s->elements, s->x, 0, 1, gradient);
    kind->hessian(&s->elements, s->x, 0, false, hessian);
    kind->laplacian(&s->elements, 0, laplacian);
    sizes of = { .x = largest(s->x, size), .energy = fabs(energy_at(s, s->x)) };
    of.stiffness = largest(hessian, size * size) + largest(laplacian, corners * corners);
    of.force = largest(gradient, size) + sqrt(2 * of.energy * of.stiffness);
    return of;
}

// Each kind has its own random numbers, so that they do not depend on the other kinds: the hash FNV-1a of its name.
static tide_random seed_of(const tide_element_kind *kind)
{
    uint64_t hash = 14695981039346656037u;
    for (const char *c = kind->name; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    return tide_random_seed(hash);
}

// Calls `check` for elements of each kind, at rest and deformed.
static void for_all(void (*check)(const single *s, bool at_rest, tide_random *random))
{
    const tide_element_kind *kind;
    uint32_t count = 0;
    for (uint32_t k = 0; (kind = tide_element_kind_at(k)); k++) {
        tide_random random = seed_of(kind);
        for (int round = 0; (kind->fields || kind->rest) && round < ROUNDS; round++, count++) {
            single s;
            double x[NUMBERS];
            make(&s, kind, &random);
            check(&s, true, &random);
            memcpy(x, s.x, sizeof x);
            for (int which = 0; which < DEFORMATIONS; which++) {
                deform(&s, x, which, &random);
                check(&s, false, &random);
            }
        }
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
    check_near(s, "energy at rest", energy_at(s, s->x), 0, 1e-20);
    check_near(s, "strain at rest", strain, 0, 1e-12);
}

static void test_energy_at_rest(void **state)
{
    (void)state;
    for_all(check_rest);
}

// Central differences by one coordinate: of the gradient, and then of the energy.
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

// Differences of the steps 2 h and h, which have errors of order h^2, and their Richardson extrapolation, of order h^4.
// The change by the extrapolation bounds the rest of its error where the function is smooth.
typedef struct differences {
    double slopes[NUMBERS + 1], changes[NUMBERS + 1];
} differences;

static const double STEP = 1e-5;

static differences extrapolate(const single *s, uint32_t i)
{
    differences d;
    double coarse[NUMBERS + 1] = { 0 }, fine[NUMBERS + 1] = { 0 };
    differentiate(s, i, 2 * STEP, coarse);
    differentiate(s, i, STEP, fine);
    for (uint32_t j = 0; j <= NUMBERS; j++) {
        d.changes[j] = (fine[j] - coarse[j]) / 3;
        d.slopes[j] = fine[j] + d.changes[j];
    }
    return d;
}

enum { MOST_KINDS = 64 };
static uint32_t compared[MOST_KINDS]; // numbers of comparisons with differences, by the index of the kind

static uint32_t index_of(const tide_element_kind *kind)
{
    uint32_t index = 0;
    while (tide_element_kind_at(index) != kind)
        index++;
    return index;
}

// Compares with differences, where these agree: they do not near a kink or where the third derivative is large. A
// difference of f has the rounding errors of f / h and, because x + h is rounded, of f' x / h; the
// extrapolation adds one half.
static void check_derivatives(const single *s, bool at_rest, tide_random *random)
{
    (void)random;
    const tide_element_kind *kind = s->elements.kind;
    uint32_t size = 3 * kind->vertex_count;
    double gradient[NUMBERS], hessian[NUMBERS * NUMBERS];
    kind->gradient(&s->elements, s->x, 0, 1, gradient);
    kind->hessian(&s->elements, s->x, 0, false, hessian);
    sizes of = sizes_of(s);
    double noise = 1.5 * DIGITS / STEP, force = of.force + of.stiffness * STEP; // force: also at the ends of a step
    double rounding[2] = { noise * (of.energy + force * of.x), noise * (force + of.stiffness * of.x) };
    differences all[NUMBERS];
    bool smooth[NUMBERS] = { false };
    double errors[2] = { 0 }; // the largest changes by the extrapolation
    for (uint32_t i = 0; i < size && !at_rest; i++) {
        all[i] = extrapolate(s, i);
        double bend = fabs(all[i].changes[NUMBERS]), change = largest(all[i].changes, size);
        smooth[i] = bend <= 1e-7 * of.force && change <= 1e-7 * of.stiffness;
        errors[0] = fmax(errors[0], smooth[i] ? bend : 0);
        errors[1] = fmax(errors[1], smooth[i] ? change : 0);
    }
    for (uint32_t i = 0; i < size; i++) {
        if (!smooth[i])
            continue;
        compared[index_of(kind)]++;
        check_near(s, "gradient and differences", gradient[i], all[i].slopes[NUMBERS], errors[0] + rounding[0]);
        for (uint32_t j = 0; j < size; j++) {
            check_near(s, "Hessian and differences", hessian[i * size + j], all[i].slopes[j], errors[1] + rounding[1]);
            check_near(s, "Hessian and its transpose", hessian[i * size + j], hessian[j * size + i], 0);
        }
    }
}

static void test_derivatives(void **state)
{
    (void)state;
    memset(compared, 0, sizeof compared);
    for_all(check_derivatives);
    const tide_element_kind *kind;
    for (uint32_t k = 0; (kind = tide_element_kind_at(k)); k++)
        if (kind->rest)
            if (compared[k] <= (DEFORMATIONS - 1) * ROUNDS * kind->vertex_count)
                fail_msg("%s: only %u comparisons with differences", kind->name, compared[k]);
}

// The projected Hessian is positive semidefinite and the Hessian plus a semidefinite matrix. L is symmetric, positive
// semidefinite and does not resist translation.
static void check_semidefinite(const single *s, bool at_rest, tide_random *random)
{
    (void)at_rest;
    const tide_element_kind *kind = s->elements.kind;
    uint32_t corners = kind->vertex_count, size = 3 * corners;
    double plain[NUMBERS * NUMBERS], projected[NUMBERS * NUMBERS],
        laplacian[TIDE_ELEMENT_MAX_VERTICES * TIDE_ELEMENT_MAX_VERTICES], v[NUMBERS];
    double sums[3] = { 0 };
    kind->hessian(&s->elements, s->x, 0, false, plain);
    kind->hessian(&s->elements, s->x, 0, true, projected);
    kind->laplacian(&s->elements, 0, laplacian);
    for (uint32_t i = 0; i < size; i++)
        v[i] = test_uniform(random, -1, 1);
    for (uint32_t i = 0; i < size; i++)
        for (uint32_t j = 0; j < size; j++) {
            double entry = i % 3 == j % 3 ? laplacian[i / 3 * corners + j / 3] : 0;
            sums[0] += v[i] * projected[i * size + j] * v[j];
            sums[1] += v[i] * (projected[i * size + j] - plain[i * size + j]) * v[j];
            sums[2] += v[i] * entry * v[j];
        }
    double most = fmax(largest(plain, size * size), largest(projected, size * size));
    double weight = largest(laplacian, corners * corners), bounds[3] = { 1e-13 * most, 1e-13 * most, 1e-13 * weight };
    for (int k = 0; k < 3; k++)
        check_near(s, "negative part of a semidefinite form", fmin(sums[k], 0), 0, bounds[k]);
    for (uint32_t i = 0; i < corners && corners > 1; i++) {
        double row = 0;
        for (uint32_t j = 0; j < corners; j++) {
            row += laplacian[i * corners + j];
            check_near(s, "L and its transpose", laplacian[i * corners + j], laplacian[j * corners + i],
                       DIGITS * weight);
        }
        check_near(s, "sum of a row of L", row, 0, DIGITS * weight);
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
    uint32_t size = 3 * kind->vertex_count;
    double gradient[NUMBERS], slope[NUMBERS], compliance;
    if (!kind->constraint)
        return;
    double c = kind->constraint(&s->elements, s->x, 0, slope, &compliance);
    kind->gradient(&s->elements, s->x, 0, 1, gradient);
    double energy = energy_at(s, s->x);
    sizes of = sizes_of(s);
    double force = of.force + of.stiffness * of.x; // the second term: x is rounded
    check_near(s, "energy of the constraint", c * c / (2 * compliance), energy,
               DIGITS * (energy + of.force * of.x + DIGITS * of.stiffness * of.x * of.x));
    for (uint32_t i = 0; i < size; i++)
        check_near(s, "gradient of the constraint", c / compliance * slope[i], gradient[i], DIGITS * force);
}

static void test_constraints(void **state)
{
    (void)state;
    for_all(check_constraint);
}

// Rotations and translations change no energy. Forces have no resultant and no torque.
static void check_rigid_motion(const single *s, bool at_rest, tide_random *random)
{
    (void)at_rest;
    const tide_element_kind *kind = s->elements.kind;
    double axis[4], turned[NUMBERS], move[3], length = 0, gradient[NUMBERS], sum[6] = { 0 };
    if (!kind->rest)
        return;
    for (int k = 0; k < 4; k++) {
        axis[k] = test_uniform(random, -1, 1);
        length += axis[k] * axis[k];
    }
    for (int k = 0; k < 3; k++)
        move[k] = test_uniform(random, -3, 3);
    double w = axis[3], q = 2 / length;
    for (size_t i = 0; i < NUMBERS; i += 3) {
        const double *p = s->x + i;
        double c[3] = { axis[1] * p[2] - axis[2] * p[1], axis[2] * p[0] - axis[0] * p[2],
                        axis[0] * p[1] - axis[1] * p[0] };
        double d[3] = { axis[1] * c[2] - axis[2] * c[1], axis[2] * c[0] - axis[0] * c[2],
                        axis[0] * c[1] - axis[1] * c[0] };
        for (size_t k = 0; k < 3; k++)
            turned[i + k] = p[k] + q * (w * c[k] + d[k]) + move[k];
    }
    kind->gradient(&s->elements, s->x, 0, 1, gradient);
    uint32_t size = 3 * kind->vertex_count;
    sizes of = sizes_of(s);
    double x = fmax(of.x, largest(turned, size)), force = of.force + DIGITS * of.stiffness * x; // after rounding of x
    check_near(s, "energy after a rigid motion", energy_at(s, turned), of.energy, 2 * DIGITS * (of.energy + force * x));
    for (size_t i = 0; i < size; i += 3) {
        const double *p = s->x + i, *f = gradient + i;
        for (size_t c = 0; c < 3; c++) {
            sum[c] += f[c];
            sum[3 + c] += p[(c + 1) % 3] * f[(c + 2) % 3] - p[(c + 2) % 3] * f[(c + 1) % 3];
        }
    }
    for (int c = 0; c < 6; c++)
        check_near(s, c < 3 ? "sum of the forces" : "sum of the torques", sum[c], 0,
                   DIGITS * (c < 3 ? of.force + of.stiffness * of.x : (of.force + of.stiffness * of.x) * of.x));
}

static void test_rigid_motion(void **state)
{
    (void)state;
    for_all(check_rigid_motion);
}

// A rod of two edges with an angle of pi - fold between them. 1 + u is about fold^2 / 2; the bound is 1e-6.
static void test_a_rod_folded_back(void **state)
{
    (void)state;
    const double folds[] = { 1e-2, 2e-3, 1.3e-3, 5e-4 };
    tide_random random = tide_random_seed(3);
    for (size_t i = 0; i < sizeof folds / sizeof folds[0]; i++) {
        single s = { .vertices = { 0, 1, 2 }, .x = { 0, 0, 0, 1, 0.1, 0, 1.5, 0.7, 0.2 } };
        s.elements = (tide_elements) { &tide_rod_bend, 1, s.vertices, s.parameters };
        assert_true(make_parameters(&s, &tide_rod_bend, &random));
        const double folded[9] = { 0, 0, 0, 1, 0, 0, 1 - 0.7 * cos(folds[i]), 0.7 * sin(folds[i]), 0 };
        memcpy(s.x, folded, sizeof folded);
        double gradient[9];
        tide_rod_bend.gradient(&s.elements, s.x, 0, 1, gradient);
        for (double step = 1e-7; step < 5e-7; step *= 2) { // in y of the last particle, which opens the rod
            double slopes[NUMBERS + 1], turn = step / (0.7 * folds[i]);
            differentiate(&s, 7, step, slopes);
            // E is about 1 / fold^2: the error of a central difference is 2 turn^2 and terms of higher order
            check_near(&s, "gradient of a folded rod", gradient[7], slopes[NUMBERS],
                       3 * turn * turn * fabs(gradient[7]) + DIGITS / step * energy_at(&s, s.x));
        }
        check_derivatives(&s, false, &random);
        check_rigid_motion(&s, false, &random);
    }
}

// One direction is stretched 1000 times, at constant volume: tr(G)^2 and tr(G^2) have twice the digits of E.
static void test_a_solid_at_large_stretch(void **state)
{
    (void)state;
    extern const tide_element_kind tide_solid_neo_hookean;
    tide_random random = tide_random_seed(4);
    single s = { .vertices = { 0, 1, 2, 3 }, .x = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 } };
    s.elements = (tide_elements) { &tide_solid_neo_hookean, 1, s.vertices, s.parameters };
    assert_true(make_parameters(&s, &tide_solid_neo_hookean, &random));
    s.x[3] = 1000;
    s.x[7] = s.x[11] = 1 / sqrt(1000);
    for (int round = 0; round < 10; round++)
        check_rigid_motion(&s, false, &random);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_kinds_are_complete), cmocka_unit_test(test_energy_at_rest),
    cmocka_unit_test(test_derivatives),        cmocka_unit_test(test_matrices),
    cmocka_unit_test(test_constraints),        cmocka_unit_test(test_rigid_motion),
    cmocka_unit_test(test_a_rod_folded_back),  cmocka_unit_test(test_a_solid_at_large_stretch),
};
TIDE_TEST_SUITE(model_element_kinds, tests)
