// Loops over membranes in vectors of each width against the laws of one triangle, and bending as one sparse matrix
// against its elements.
#include "../linear/dense.h"
#include "base/parallel.h"
#include "base/processor.h"
#include "model/hinge.h"
#include "model/membrane.h"
#include "model/shell.h"
#include "model/strain_limit.h"
#include "model/system.h"
#include "tests.h"

#include <string.h>

extern const tide_element_kind tide_membrane_arap, tide_membrane_stvk, tide_membrane_neo_hookean,
    tide_membrane_orthotropic, tide_membrane_baraff_witkin;

static const tide_element_kind *const kinds[] = { &tide_membrane_arap,          &tide_membrane_stvk,
                                                  &tide_membrane_neo_hookean,   &tide_membrane_orthotropic,
                                                  &tide_membrane_baraff_witkin, &tide_limit_triangle };
enum { KINDS = sizeof kinds / sizeof kinds[0], COUNT = 29 }; // not a multiple of the lanes

typedef struct fixture {
    tide_elements elements;
    uint32_t vertices[3 * COUNT];
    double parameters[TIDE_ELEMENT_MAX_PARAMETERS * COUNT], x[9 * COUNT], quads[12 * COUNT];
} fixture;

// Triangles at rest, stretched, compressed, turned over, flattened to a segment and to a point, of random shapes.
static void make(fixture *f, const tide_element_kind *kind)
{
    tide_random random = tide_random_seed(5);
    *f = (fixture) { .elements = { kind, COUNT, f->vertices, f->parameters } };
    for (uint32_t e = 0; e < COUNT; e++) {
        for (uint32_t c = 0; c < 3; c++)
            f->vertices[3 * e + c] = (3 * e + 2 * c) % (3 * COUNT); // triangles share corners
    }
    for (size_t i = 0; i < 9 * COUNT; i++)
        f->x[i] = test_uniform(&random, -1, 1);
    for (uint32_t e = 0; e < COUNT; e++) {
        double parameters[TIDE_ELEMENT_MAX_PARAMETERS];
        tide_fields_default(kind->fields, parameters);
        parameters[TIDE_MEMBRANE_STIFFNESS] = test_uniform(&random, 1, 10);
        assert_null(kind->rest(kind, f->x, f->vertices + 3 * e, parameters));
        for (size_t p = 0; p < kind->parameter_count; p++)
            f->parameters[p * COUNT + e] = parameters[p];
    }
    static const double factors[][3] = {
        { 1, 1, 1 }, { 2, 1.1, 3 }, { 0.3, 0.5, 0.4 }, { -1, 1, 1 }, { 1, 0, 0 }, { 0 }
    };
    for (uint32_t p = 0; p < 3 * COUNT; p++)
        for (size_t k = 0; k < 3; k++)
            f->x[3 * p + k] *= factors[p * 6 / (3 * COUNT)][k];
    for (size_t i = 0; i < 9 * COUNT; i++)
        f->quads[i / 3 * 4 + i % 3] = f->x[i];
}

// The gradient is w A (F - D) g with the local projection D.
static void find_expected(const fixture *f, uint32_t e, double out[9], double *energy)
{
    const tide_elements *elements = &f->elements;
    const tide_membrane_law *law = elements->kind->context;
    const double *p = f->parameters + e, *b = p + TIDE_MEMBRANE_INVERSE * COUNT;
    double projection[6], area = p[TIDE_MEMBRANE_AREA * COUNT], w = tide_membrane_bound(elements, e) * area;
    const double shape[3][2] = { { -b[0] - b[2 * COUNT], -b[COUNT] - b[3 * COUNT] },
                                 { b[0], b[COUNT] },
                                 { b[2 * COUNT], b[3 * COUNT] } };
    elements->kind->project(elements, f->x, e, e + 1, projection);
    *energy =
        area * law->energy(p[0], p + TIDE_MEMBRANE_LAW * COUNT, COUNT, tide_membrane_strain_at(elements, f->x, e));
    memset(out, 0, 9 * sizeof *out);
    for (size_t a = 0; a < 2; a++)
        for (size_t k = 0; k < 3; k++) {
            double f_ka = 0;
            for (size_t c = 0; c < 3; c++)
                f_ka += f->x[3 * f->vertices[3 * e + c] + k] * shape[c][a];
            for (size_t c = 0; c < 3; c++)
                out[3 * c + k] += w * (f_ka - projection[3 * a + k]) * shape[c][a];
        }
}

static void check_width(const fixture *f)
{
    const tide_element_kind *kind = f->elements.kind;
    double gradient[9 * COUNT], sums[12 * COUNT] = { 0 }, out[12 * COUNT] = { 0 }, energy, both = 0, total = 0,
                                          least = 0;
    kind->gradient(&f->elements, f->x, 0, COUNT, gradient);
    energy = kind->energy(&f->elements, f->x, 0, COUNT);
    kind->accumulate(&f->elements, f->quads, 0, COUNT, &both, out);
    for (size_t i = 0; i < 9 * COUNT; i++)
        sums[4 * f->vertices[i / 3] + i % 3] += gradient[i];
    assert_memory_equal(out, sums, sizeof sums);
    assert_true(both == energy);
    for (uint32_t e = 0; e < COUNT; e++) {
        double expected[9], one[9], part, scale = 1;
        find_expected(f, e, expected, &part);
        for (size_t i = 0; i < 9; i++)
            scale = fmax(scale, fabs(expected[i]));
        // A triangle without area has many nearest isometries, and any of them is right.
        bool unique = kind != &tide_membrane_arap || tide_membrane_strain_at(&f->elements, f->x, e).det > 0;
        for (size_t i = 0; i < 9 && unique; i++)
            assert_near(gradient[9 * e + i], expected[i], 1e-11 * scale);
        kind->gradient(&f->elements, f->x, e, e + 1, one); // in other parts: the same bits
        assert_memory_equal(one, gradient + 9 * e, sizeof one);
        total += part;
        least += fabs(part);
    }
    assert_near(energy, total, 1e-12 * least);
}

static void test_membranes_against_one_triangle(void **state)
{
    (void)state;
    static const int widths[] = { 128, 256, 512 };
    for (int k = 0; k < KINDS; k++)
        for (int w = 0; w < 3; w++) {
            fixture f;
            make(&f, kinds[k]);
            tide_vector_bits_limit(widths[w]);
            check_width(&f);
            tide_vector_bits_limit(0);
        }
}

enum { SIDE = 120, PARTICLES = SIDE * SIDE, HINGES = 3 * (SIDE - 1) * (SIDE - 1) };

// Adds a hinge of the corners if they are in the grid.
static void add_hinge(const double *x, uint32_t *vertices, double *parameters, uint32_t *count,
                      const uint32_t corners[4])
{
    tide_hinge_shape shape = tide_hinge_at_rest(x, corners);
    memcpy(vertices + 4 * (size_t)*count, corners, 4 * sizeof *corners);
    parameters[*count] = 0.5 + 0.001 * *count;
    for (size_t c = 0; c < 4; c++)
        parameters[(1 + c) * HINGES + *count] = shape.weights[c];
    ++*count;
}

static uint32_t make_hinges(const double *x, uint32_t *vertices, double *parameters)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r + 1 < SIDE; r++)
        for (uint32_t c = 0; c + 1 < SIDE; c++) {
            uint32_t a = SIDE * r + c, b = a + 1, d = a + SIDE, e = d + 1;
            add_hinge(x, vertices, parameters, &count, (uint32_t[]) { a, e, b, d });
            add_hinge(x, vertices, parameters, &count, (uint32_t[]) { a, d, e, c ? a - 1 : b });
            add_hinge(x, vertices, parameters, &count, (uint32_t[]) { b, a, e, r ? a - SIDE : d });
        }
    return count;
}

static void check_bending(const tide_system *system, const double *x)
{
    static double gradients[12 * HINGES], expected[3 * PARTICLES], out[3 * PARTICLES], again[3 * PARTICLES];
    const tide_elements *group = &system->groups[0];
    double energy = group->kind->energy(group, x, 0, HINGES);
    group->kind->gradient(group, x, 0, HINGES, gradients);
    memset(expected, 0, sizeof expected);
    for (size_t i = 0; i < 12 * HINGES; i++)
        expected[3 * group->vertices[i / 3] + i % 3] += gradients[i];
    assert_near(tide_system_energy(system, x), energy, 1e-12 * energy);
    assert_true(tide_system_objective_and_gradient(system, 1, x, x, out) == tide_system_energy(system, x));
    for (size_t i = 0; i < 3 * PARTICLES; i++)
        assert_near(out[i], expected[i], 1e-9 * (1 + fabs(expected[i])));
    tide_set_threads(4);
    tide_system_gradient(system, x, again);
    tide_set_threads(1);
    assert_memory_equal(again, out, sizeof out);
}

// Systems sum bending by rows of L, with the same bits for any number of threads.
static void test_bending_against_its_elements(void **state)
{
    (void)state;
    static double x[3 * PARTICLES], parameters[5 * HINGES];
    static uint32_t vertices[4 * HINGES];
    tide_random random = tide_random_seed(3);
    tide_system *system;
    tide_error error;
    for (uint32_t p = 0; p < PARTICLES; p++) {
        x[3 * p] = p % SIDE + test_uniform(&random, -0.2, 0.2);
        x[3 * p + 1] = p / SIDE + test_uniform(&random, -0.2, 0.2);
    }
    assert_int_equal(make_hinges(x, vertices, parameters), HINGES);
    for (size_t i = 0; i < 3 * PARTICLES; i++)
        x[i] += test_uniform(&random, -0.3, 0.3);
    assert_ok(tide_system_create(PARTICLES, &system, &error), error);
    assert_ok(tide_system_add(system, &tide_shell_quadratic, HINGES, vertices, parameters, &error), error);
    assert_ok(tide_system_finish(system, &error), error);
    check_bending(system, x);
    for (uint32_t e = 0; e < HINGES; e++) // new stiffnesses, which a second call takes over
        system->groups[0].parameters[e] = 2;
    assert_ok(tide_system_finish(system, &error), error);
    check_bending(system, x);
    tide_system_destroy(system);
}

// However little a sheet is bent out of its plane, its energy is that of the shape times the square of the size.
static void test_energy_of_a_nearly_flat_sheet(void **state)
{
    (void)state;
    static double flat[3 * PARTICLES], x[3 * PARTICLES], heights[PARTICLES], parameters[5 * HINGES], out[3 * PARTICLES];
    static uint32_t vertices[4 * HINGES];
    const double normal[3] = { 0.48, -0.6, 0.64 }, across[3] = { 0.8, 0, -0.6 }, along[3] = { 0.36, 0.8, 0.48 };
    tide_random random = tide_random_seed(5);
    tide_system *system;
    tide_error error;
    for (uint32_t p = 0; p < PARTICLES; p++) {
        double u = p % SIDE + test_uniform(&random, -0.2, 0.2), v = p / SIDE + test_uniform(&random, -0.2, 0.2);
        for (size_t k = 0; k < 3; k++)
            flat[3 * p + k] = across[k] * u + along[k] * v;
        heights[p] = test_uniform(&random, -1, 1);
    }
    assert_int_equal(make_hinges(flat, vertices, parameters), HINGES);
    for (uint32_t cell = 0; cell < HINGES / 3; cell++) { // those at the rim are folded
        parameters[3 * cell + 1] *= cell % (SIDE - 1) > 0;
        parameters[3 * cell + 2] *= cell >= SIDE - 1;
    }
    assert_ok(tide_system_create(PARTICLES, &system, &error), error);
    assert_ok(tide_system_add(system, &tide_shell_quadratic, HINGES, vertices, parameters, &error), error);
    assert_ok(tide_system_finish(system, &error), error);
    double expected = 0;
    for (double size = 1; size > 1e-7; size /= 10) {
        for (size_t i = 0; i < 3 * PARTICLES; i++)
            x[i] = flat[i] + size * heights[i / 3] * normal[i % 3];
        double energy = tide_system_energy(system, x) / (size * size);
        expected = expected > 0 ? expected : energy;
        assert_near(energy / expected, 1, 1e-6);
        assert_true(tide_system_objective_and_gradient(system, 1, x, x, out) == tide_system_energy(system, x));
    }
    tide_system_destroy(system);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_membranes_against_one_triangle),
    cmocka_unit_test(test_bending_against_its_elements),
    cmocka_unit_test(test_energy_of_a_nearly_flat_sheet),
};
TIDE_TEST_SUITE(model_membrane_vectors, tests)
