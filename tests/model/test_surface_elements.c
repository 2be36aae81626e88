// Membranes, shells, limits and volumes against differences of sixth order, rigid motions and closed formulas, in
// states from rest to collapse. test_element_kinds.c tests them at random states.
#include "../linear/dense.h"
#include "model/hinge.h"
#include "model/membrane.h"
#include "model/pressure.h"
#include "model/shell.h"
#include "model/strain_limit.h"
#include "tests.h"

#include <string.h>

extern const tide_element_kind tide_membrane_arap, tide_membrane_stvk, tide_membrane_neo_hookean,
    tide_membrane_orthotropic, tide_membrane_baraff_witkin, tide_volume_spring;

enum { MOST = TIDE_ELEMENT_MAX_NUMBERS };
#define STIFFNESS 2.0

static const tide_element_kind *const kinds[] = {
    &tide_membrane_arap,          &tide_membrane_stvk,  &tide_membrane_neo_hookean, &tide_membrane_orthotropic,
    &tide_membrane_baraff_witkin, &tide_shell_discrete, &tide_shell_quadratic,      &tide_limit_triangle,
    &tide_limit_spring,           &tide_volume_spring,
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

typedef struct single {
    tide_elements elements;
    uint32_t vertices[TIDE_ELEMENT_MAX_VERTICES];
    double parameters[TIDE_ELEMENT_MAX_PARAMETERS], x[MOST];
} single;

static void set(single *s, const tide_field *fields, const char *name, double value)
{
    for (; fields->name; fields++)
        if (!strcmp(fields->name, name))
            s->parameters[fields->offset / sizeof(double)] = value;
}

// An element at rest, with parameters that are not symmetric.
static void make(single *s, const tide_element_kind *kind)
{
    static const double x[MOST] = { 0.1, 0.2, -0.1, 1.2, 0.3, 0.1, 0.4, 1.1, 0.3, 0.5, -0.7, 1.1 };
    *s = (single) { .vertices = { 0, 1, 2, 3 } };
    s->elements = (tide_elements) { kind, 1, s->vertices, s->parameters };
    memcpy(s->x, x, sizeof x);
    if (kind == &tide_shell_quadratic) {
        tide_hinge_shape shape = tide_hinge_at_rest(x, s->vertices);
        s->parameters[TIDE_SHELL_QUADRATIC_STIFFNESS] = STIFFNESS;
        memcpy(s->parameters + TIDE_SHELL_QUADRATIC_WEIGHTS, shape.weights, sizeof shape.weights);
        return;
    }
    tide_fields_default(kind->fields, s->parameters);
    set(s, kind->fields, "stiffness", STIFFNESS);
    set(s, kind->fields, "weft_ratio", 0.6);
    set(s, kind->fields, "shear_ratio", 0.3);
    set(s, kind->fields, "tolerance", 0.5);
    set(s, kind->fields, "compression", 0.2);
    set(s, kind->fields, "poisson", 0.35);
    assert_null(kind->rest(kind, s->x, s->vertices, s->parameters));
}

// States: at rest, sheared, stretched, compressed, inverted, nearly collapsed to a line.
enum { STATES = 6 };
static void deform(single *s, int state)
{
    static const double maps[STATES][9] = {
        { 1, 0, 0, 0, 1, 0, 0, 0, 1 },         { 1, 0.4, -0.2, 0.1, 0.9, 0.3, 0.3, -0.1, 1.1 },
        { 2.1, 0, 0.2, 0, 1.6, 0, 0, 0.1, 2 }, { 0.4, 0.1, 0, 0, 0.5, 0, 0.1, 0, 0.45 },
        { -0.9, 0, 0, 0.1, 1.1, 0, 0, 0, 1 },  { 1.1, 0.05, 0, 0, 0.04, 0, 0, 0, 0.03 },
    };
    for (size_t c = 0; c < 4; c++) {
        double p[3];
        memcpy(p, s->x + 3 * c, sizeof p);
        for (size_t k = 0; k < 3; k++)
            s->x[3 * c + k] = maps[state][3 * k] * p[0] + maps[state][3 * k + 1] * p[1] + maps[state][3 * k + 2] * p[2];
    }
}

static uint32_t size_of(const single *s)
{
    return 3 * s->elements.kind->vertex_count;
}

// Central differences of sixth order along coordinate i: of the energy, and of the gradient.
static void differentiate(const single *s, uint32_t i, double step, double *slope, double slopes[MOST])
{
    static const double weights[3] = { 0.75, -0.15, 1.0 / 60 };
    double x[MOST];
    *slope = 0;
    memset(slopes, 0, MOST * sizeof *slopes);
    memcpy(x, s->x, sizeof x);
    for (int n = -3; n <= 3; n++) {
        double gradient[MOST], w = n ? (n < 0 ? -weights[-n - 1] : weights[n - 1]) / step : 0;
        x[i] = s->x[i] + n * step;
        s->elements.kind->gradient(&s->elements, x, 0, 1, gradient);
        *slope += w * s->elements.kind->energy(&s->elements, x, 0, 1);
        for (uint32_t j = 0; j < size_of(s); j++)
            slopes[j] += w * gradient[j];
    }
}

static double most(const double *a, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(a[i]));
    return largest;
}

// Kinds whose energy has less than seven derivatives at the limits are compared more loosely there.
static void test_derivatives(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; k++)
        for (int d = 0; d < STATES; d++) {
            single s;
            make(&s, kinds[k]);
            deform(&s, d);
            uint32_t size = size_of(&s);
            double gradient[MOST], hessian[MOST * MOST], step = d == 5 ? 2e-5 : 1e-3;
            s.elements.kind->gradient(&s.elements, s.x, 0, 1, gradient);
            s.elements.kind->hessian(&s.elements, s.x, 0, false, hessian);
            double force = fmax(STIFFNESS, most(gradient, size)), stiff = fmax(STIFFNESS, most(hessian, size * size));
            for (uint32_t i = 0; i < size; i++) {
                double slope, slopes[MOST];
                differentiate(&s, i, step, &slope, slopes);
                if (!(fabs(gradient[i] - slope) <= (d == 5 ? 1e-8 : 1e-9) * force))
                    fail_msg("%s in state %d: dE/dx%u is %.12g; by differences %.12g", kinds[k]->name, d, i,
                             gradient[i], slope);
                for (uint32_t j = 0; j < size; j++)
                    if (!(fabs(hessian[size * i + j] - slopes[j]) <= (d == 5 ? 1e-7 : 1e-9) * stiff))
                        fail_msg("%s in state %d: d2E/dx%u dx%u is %.12g; by differences %.12g", kinds[k]->name, d, i,
                                 j, hessian[size * i + j], slopes[j]);
            }
        }
}

// A rotation about (1, 2, 3) by 1 rad, and a translation.
static void move_rigidly(double *x)
{
    const double n = sqrt(14), u[3] = { 1 / n, 2 / n, 3 / n }, c = cos(1), sn = sin(1);
    for (size_t v = 0; v < 4; v++) {
        double p[3], dot = 0;
        memcpy(p, x + 3 * v, sizeof p);
        for (int k = 0; k < 3; k++)
            dot += u[k] * p[k];
        for (int k = 0; k < 3; k++) {
            double cross = u[(k + 1) % 3] * p[(k + 2) % 3] - u[(k + 2) % 3] * p[(k + 1) % 3];
            x[3 * v + (size_t)k] = c * p[k] + sn * cross + (1 - c) * dot * u[k] + 0.3 * (k + 1);
        }
    }
}

static void test_rigid_motions_and_momentum(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; k++)
        for (int d = 0; d < STATES; d++) {
            single s;
            make(&s, kinds[k]);
            deform(&s, d);
            uint32_t corners = s.elements.kind->vertex_count;
            double before = kinds[k]->energy(&s.elements, s.x, 0, 1), gradient[MOST], sums[6] = { 0 };
            move_rigidly(s.x);
            assert_near(kinds[k]->energy(&s.elements, s.x, 0, 1), before, 1e-12 * fmax(1, before));
            kinds[k]->gradient(&s.elements, s.x, 0, 1, gradient);
            for (uint32_t c = 0; c < corners; c++)
                for (uint32_t a = 0; a < 3; a++) {
                    const double *f = gradient + 3 * c, *x = s.x + 3 * c;
                    sums[a] += f[a];
                    sums[3 + a] += x[(a + 1) % 3] * f[(a + 2) % 3] - x[(a + 2) % 3] * f[(a + 1) % 3];
                }
            for (int a = 0; a < 6; a++)
                assert_near(sums[a], 0, 1e-12 * fmax(1, most(gradient, MOST < 3 * corners ? MOST : 3 * corners)));
        }
}

// The projection: semidefinite, at least the Hessian, and the Hessian itself where that is semidefinite.
static void test_projected_hessians(void **state)
{
    (void)state;
    int changed = 0;
    for (int k = 0; k < KINDS; k++)
        for (int d = 0; d < STATES; d++) {
            single s;
            make(&s, kinds[k]);
            deform(&s, d);
            uint32_t size = size_of(&s);
            double plain[MOST * MOST], projected[MOST * MOST], difference[MOST * MOST], vectors[MOST * MOST];
            kinds[k]->hessian(&s.elements, s.x, 0, false, plain);
            kinds[k]->hessian(&s.elements, s.x, 0, true, projected);
            double scale = fmax(STIFFNESS, most(plain, size * size)), least = 0;
            for (uint32_t i = 0; i < size * size; i++)
                difference[i] = projected[i] - plain[i];
            double away = most(difference, size * size);
            dense_eigen(size, plain, vectors);
            dense_eigen(size, projected, vectors);
            dense_eigen(size, difference, vectors);
            for (uint32_t i = 0; i < size; i++) {
                least = fmin(least, plain[i * size + i]);
                assert_true(projected[i * size + i] > -1e-12 * scale && difference[i * size + i] > -1e-12 * scale);
            }
            if (least > -1e-12 * scale)
                assert_near(away, 0, 1e-11 * scale);
            changed += away > 1e-3 * scale;
        }
    assert_true(changed > KINDS);
}

// Collapsed to a line and to a point: everything finite, and no net force.
static void test_collapse(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; k++)
        for (int point = 0; point < 2; point++)
            for (int project = 0; project < 2; project++) {
                single s;
                make(&s, kinds[k]);
                for (int i = 0; i < MOST; i++)
                    s.x[i] = point ? 0.5 : i % 3 == 1 ? 0.7 * i : 0.2;
                uint32_t size = size_of(&s);
                double gradient[MOST], hessian[MOST * MOST];
                kinds[k]->gradient(&s.elements, s.x, 0, 1, gradient);
                kinds[k]->hessian(&s.elements, s.x, 0, project, hessian);
                assert_true(isfinite(kinds[k]->energy(&s.elements, s.x, 0, 1)));
                for (uint32_t i = 0; i < size; i++)
                    assert_true(isfinite(gradient[i]));
                for (uint32_t i = 0; i < size * size; i++)
                    assert_true(isfinite(hessian[i]));
                for (int a = 0; a < 3; a++) {
                    double sum = 0;
                    for (uint32_t c = 0; c < kinds[k]->vertex_count; c++)
                        sum += gradient[3 * c + (uint32_t)a];
                    assert_near(sum, 0, 1e-12 * fmax(1, most(gradient, size)));
                }
            }
}

// --- membranes
// ----------------------------------------------------------------------------------------------------------

// dE/dx of a right triangle of 1 m legs under the stretches u along x and v along y is A [P1, P2] for corners 1 and 2.
static void pull(const tide_element_kind *kind, double u, double v, const char *name, double value, double p[2])
{
    single s = { .vertices = { 0, 1, 2 }, .x = { 0, 0, 0, 1, 0, 0, 0, 1, 0 } };
    double gradient[9];
    s.elements = (tide_elements) { kind, 1, s.vertices, s.parameters };
    tide_fields_default(kind->fields, s.parameters);
    set(&s, kind->fields, "stiffness", STIFFNESS);
    set(&s, kind->fields, "weft_ratio", 0.5);
    set(&s, kind->fields, name, value);
    assert_null(kind->rest(kind, s.x, s.vertices, s.parameters));
    s.x[3] = u;
    s.x[7] = v;
    kind->gradient(&s.elements, s.x, 0, 1, gradient);
    p[0] = 2 * gradient[3];
    p[1] = 2 * gradient[7];
}

// Tension along x without stress along y, by the formula of each model.
static void test_membranes_in_tension(void **state)
{
    (void)state;
    double p[2];
    for (double u = 0.8; u < 1.5; u += 0.2) {
        double e = (u * u - 1) / 2, v = 0.3;
        pull(&tide_membrane_stvk, u, sqrt(1 - 2 * v * e), "poisson", v, p);
        assert_near(p[0], STIFFNESS * e * u, 1e-14);
        assert_near(p[1], 0, 1e-14);
        pull(&tide_membrane_orthotropic, u, sqrt(1 - 2 * v / sqrt(0.5) * e), "poisson", v, p);
        assert_near(p[0], STIFFNESS * e * u, 1e-14);
        assert_near(p[1], 0, 1e-14);
        pull(&tide_membrane_arap, u, 1, "", 0, p);
        assert_near(p[0], STIFFNESS * (u - 1), 1e-14);
        assert_near(p[1], 0, 1e-14);
        pull(&tide_membrane_baraff_witkin, u, 1, "", 0, p);
        assert_near(p[0], STIFFNESS * (u - 1), 1e-14);
        // Incompressible rubber: mu (u - 1 / u^2), mu = k / 3.
        pull(&tide_membrane_neo_hookean, u, 1 / sqrt(u), "poisson", 0.5, p);
        assert_near(p[0], STIFFNESS / 3 * (u - 1 / (u * u)), 1e-14);
        assert_near(p[1], 0, 1e-14);
        // Equal stretches: 2 mu (u - u^-5) by the sum over both directions.
        pull(&tide_membrane_neo_hookean, u, u, "poisson", 0.5, p);
        assert_near(p[0], STIFFNESS / 3 * (u - pow(u, -5)), 1e-14);
        assert_near(p[1], p[0], 1e-14);
    }
}

// Small strain is Hooke's law under plane stress for each isotropic model that has a Poisson's ratio.
static void test_membranes_at_small_strain(void **state)
{
    (void)state;
    const tide_element_kind *const models[] = { &tide_membrane_stvk, &tide_membrane_neo_hookean };
    for (int m = 0; m < 2; m++)
        for (double v = 0.1; v < 0.5; v += 0.15) {
            double p[2], e = 1e-7;
            pull(models[m], 1 + e, 1, "poisson", v, p);
            assert_near(p[0] / e, STIFFNESS / (1 - v * v), 1e-5);
            assert_near(p[1] / e, STIFFNESS * v / (1 - v * v), 1e-5);
        }
}

static void test_singular_values(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(3);
    for (int round = 0; round < 200; round++) {
        double f[6], c[4], vectors[4], s[2], small = round % 4 ? 1 : 1e-6;
        for (int i = 0; i < 6; i++)
            f[i] = test_uniform(&random, -1, 1);
        for (int i = 3; i < 6; i++)
            f[i] = f[i - 3] * 0.5 + small * f[i];
        double n[3];
        for (int i = 0; i < 3; i++)
            n[i] = f[(i + 1) % 3] * f[3 + (i + 2) % 3] - f[(i + 2) % 3] * f[3 + (i + 1) % 3];
        tide_membrane_strain strain = { f[0] * f[0] + f[1] * f[1] + f[2] * f[2],
                                        f[3] * f[3] + f[4] * f[4] + f[5] * f[5],
                                        f[0] * f[3] + f[1] * f[4] + f[2] * f[5],
                                        n[0] * n[0] + n[1] * n[1] + n[2] * n[2] };
        tide_membrane_singular_values(strain, s);
        c[0] = strain.c11, c[1] = c[2] = strain.c12, c[3] = strain.c22;
        dense_eigen(2, c, vectors);
        assert_near(s[0], sqrt(fmax(c[0], c[3])), 1e-14);
        assert_near(s[0] * s[1], sqrt(strain.det), 1e-15 * s[0]); // exact where s[1] is small, too
    }
}

// --- shells
// -------------------------------------------------------------------------------------------------------------

// A sheet of n x n cells with alternating diagonals on the cylinder of radius 1, 1 m wide and 1 m along the arc.
// Vertices of four and eight edges part as they would by themselves (hinge.h), so that the bending energy is B / 2.
static double cylinder_energy(const tide_element_kind *kind, int n)
{
    double sum = 0, a = 1.0 / n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int e = 0; e < 3; e++) {
                // Hinges of the cell: its diagonal, its edges to the next cells along the arc and across.
                bool even = (i + j) % 2 == 0;
                if ((e == 1 && i + 1 == n) || (e == 2 && j + 1 == n))
                    continue;
                int p[4][2] = { { i, j + !even }, { i + 1, j + even }, { i, j + even }, { i + 1, j + !even } };
                int along[4][2] = { { i + 1, j }, { i + 1, j + 1 }, { i, j + !even }, { i + 2, j + !even } };
                int across[4][2] = { { i, j + 1 }, { i + 1, j + 1 }, { i + even, j }, { i + even, j + 2 } };
                single s = { .vertices = { 0, 1, 2, 3 } };
                double flat[12];
                for (int c = 0; c < 4; c++) {
                    const int *at = e == 0 ? p[c] : e == 1 ? along[c] : across[c];
                    flat[3 * c] = at[0] * a;
                    flat[3 * c + 1] = 0;
                    flat[3 * c + 2] = s.x[3 * c + 2] = at[1] * a;
                    double radius = 1 + ((at[0] + at[1]) % 2 ? -1 : 1) * a * a / 24;
                    s.x[3 * c] = radius * sin(at[0] * a);
                    s.x[3 * c + 1] = 1 - radius * cos(at[0] * a);
                }
                s.elements = (tide_elements) { kind, 1, s.vertices, s.parameters };
                tide_hinge_shape shape = tide_hinge_at_rest(flat, s.vertices);
                if (kind == &tide_shell_quadratic) {
                    memcpy(s.parameters + 1, shape.weights, sizeof shape.weights);
                } else {
                    tide_fields_default(kind->fields, s.parameters);
                    assert_null(kind->rest(kind, flat, s.vertices, s.parameters));
                }
                s.parameters[0] = STIFFNESS;
                sum += kind->energy(&s.elements, s.x, 0, 1);
            }
    return sum * n / (n - 1.0); // the edges at the ends of the arc are no hinges
}

static void test_a_cylinder_stores_half_the_bending_stiffness(void **state)
{
    (void)state;
    const tide_element_kind *const models[] = { &tide_shell_discrete, &tide_shell_quadratic };
    for (int m = 0; m < 2; m++) {
        double coarse = cylinder_energy(models[m], 8) - STIFFNESS / 2,
               fine = cylinder_energy(models[m], 16) - STIFFNESS / 2;
        assert_near(fine, 0, 1e-2);
        assert_near(coarse / fine, 2, 0.2); // the edges of the sheet part differently
    }
}

static void test_angles(void **state)
{
    (void)state;
    const uint32_t vertices[4] = { 0, 1, 2, 3 };
    for (double t = -3; t < 3.1; t += 0.5) {
        const double x[12] = { 0, 0, 0, 1, 0, 0, 0.3, cos(t / 2), sin(t / 2), 0.6, -cos(t / 2), sin(t / 2) };
        assert_near(tide_hinge_angle(x, vertices), t, 1e-14);
    }
}

// --- pressure
// -----------------------------------------------------------------------------------------------------------

// On a closed surface: the volume, its gradient and second derivatives by differences, no net force and torque.
static void test_pressure_on_a_closed_surface(void **state)
{
    (void)state;
    enum { FACES = 4 };
    uint32_t vertices[3 * FACES] = { 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3 };
    double parameters[TIDE_PRESSURE_PARAMETERS * FACES],
        x[12] = { 10, 2, -1, 11.2, 2.3, -1, 10.4, 3.1, -0.7, 10.5, 1.3, 0.1 };
    tide_elements faces = { &tide_pressure, FACES, vertices, parameters };
    for (int f = 0; f < FACES; f++)
        for (int p = 0; p < TIDE_PRESSURE_PARAMETERS; p++)
            parameters[p * FACES + f] = p == 0 ? 3 : p == 1 ? 9.5 : p == 2 ? 2 : 0.5;
    double volume = 0, total[12] = { 0 }, hessian[144] = { 0 };
    for (int k = 0; k < 3; k++) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        volume +=
            (x[3 + k] - x[k]) * ((x[6 + a] - x[a]) * (x[9 + b] - x[b]) - (x[6 + b] - x[b]) * (x[9 + a] - x[a])) / 6;
    }
    assert_near(tide_pressure_volume(&faces, x, 0, FACES), volume, 1e-15);
    assert_near(tide_pressure.energy(&faces, x, 0, FACES), -3 * volume, 1e-14);
    double slopes[9 * FACES];
    tide_pressure.gradient(&faces, x, 0, FACES, slopes);
    for (uint32_t f = 0; f < FACES; f++) {
        double part[81];
        tide_pressure.hessian(&faces, x, f, false, part);
        for (uint32_t i = 0; i < 9; i++) {
            total[3 * vertices[3 * f + i / 3] + i % 3] += slopes[9 * f + i];
            for (uint32_t j = 0; j < 9; j++)
                hessian[12 * (3 * vertices[3 * f + i / 3] + i % 3) + 3 * vertices[3 * f + j / 3] + j % 3] +=
                    part[9 * i + j];
        }
    }
    for (int i = 0; i < 12; i++) {
        double here = x[i], step = 1e-3, energy[2], after[9 * FACES], before[9 * FACES], difference[12] = { 0 };
        x[i] = here + step;
        energy[0] = tide_pressure.energy(&faces, x, 0, FACES);
        tide_pressure.gradient(&faces, x, 0, FACES, after);
        x[i] = here - step;
        energy[1] = tide_pressure.energy(&faces, x, 0, FACES);
        tide_pressure.gradient(&faces, x, 0, FACES, before);
        x[i] = here;
        for (uint32_t n = 0; n < 9 * FACES; n++)
            difference[3 * vertices[n / 3] + n % 3] += (after[n] - before[n]) / (2 * step);
        assert_near(total[i], (energy[0] - energy[1]) / (2 * step), 1e-11);
        for (int j = 0; j < 12; j++)
            assert_near(hessian[12 * i + j], difference[j], 1e-11);
    }
    for (int k = 0; k < 3; k++) {
        double force = 0, torque = 0;
        for (int v = 0; v < 4; v++) {
            int a = (k + 1) % 3, b = (k + 2) % 3;
            force += total[3 * v + k];
            torque += x[3 * v + a] * total[3 * v + b] - x[3 * v + b] * total[3 * v + a];
        }
        assert_near(force, 0, 1e-14);
        assert_near(torque, 0, 1e-13);
    }
}

// --- limits
// -------------------------------------------------------------------------------------------------------------

static void test_limits_by_hand(void **state)
{
    (void)state;
    tide_limit limit = { .stretch = 0.1, .compression = 0.2, .tolerance = 0.01 };
    for (double s = 0.8; s <= 1.1; s += 0.05)
        assert_true(tide_limit_at(&limit, s).value == 0 && tide_limit_at(&limit, s).slope == 0);
    assert_near(tide_limit_at(&limit, 1.105).curvature, TIDE_LIMIT_BOUND, 0.02);
    assert_true(tide_limit_at(&limit, 1.1098).slope > 55 * 0.01); // the load that the tolerance holds
    assert_true(tide_limit_at(&limit, 0.7902).slope < -55 * 0.01);
    assert_true(tide_limit_at(&limit, 1.2).curvature > 2600);
    limit.compression = 1;
    assert_true(tide_limit_at(&limit, 0).value == 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_derivatives),
    cmocka_unit_test(test_rigid_motions_and_momentum),
    cmocka_unit_test(test_projected_hessians),
    cmocka_unit_test(test_collapse),
    cmocka_unit_test(test_membranes_in_tension),
    cmocka_unit_test(test_membranes_at_small_strain),
    cmocka_unit_test(test_singular_values),
    cmocka_unit_test(test_a_cylinder_stores_half_the_bending_stiffness),
    cmocka_unit_test(test_angles),
    cmocka_unit_test(test_pressure_on_a_closed_surface),
    cmocka_unit_test(test_limits_by_hand),
};
TIDE_TEST_SUITE(model_surface_elements, tests)
