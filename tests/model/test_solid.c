// Solids: the vectors of each width against the singular values, energies with gradients, elements near to segments.
#include "../linear/dense.h"
#include "model/solid.h"
#include "tests.h"

#include <string.h>

enum { COUNT = 61, PARTICLES = 4 * COUNT }; // not a multiple of the lanes

static const tide_element_kind *const kinds[] = { &tide_solid_corotated, &tide_solid_stvk, &tide_solid_neo_hookean,
                                                  &tide_solid_volume };
enum { KINDS = sizeof kinds / sizeof kinds[0] };

typedef struct fixture {
    tide_elements elements;
    uint32_t vertices[4 * COUNT];
    double parameters[TIDE_SOLID_PARAMETERS * COUNT], x[3 * PARTICLES];
} fixture;

// Tetrahedra of random shapes at rest, deformed by random matrices; some of these have low rank, and one is 0.
static void make(fixture *f, const tide_element_kind *kind)
{
    tide_random random = tide_random_seed(17);
    f->elements = (tide_elements) { kind, COUNT, f->vertices, f->parameters };
    for (uint32_t e = 0; e < COUNT; e++) {
        double parameters[TIDE_SOLID_PARAMETERS], *x = f->x + 12 * e, matrix[9];
        for (uint32_t c = 0; c < 4; c++)
            f->vertices[4 * e + c] = 4 * e + c;
        do {
            for (int i = 0; i < 12; i++)
                x[i] = test_uniform(&random, -1, 1);
            for (int p = 0; p < TIDE_SOLID_PARAMETERS; p++)
                parameters[p] = TIDE_NOT_GIVEN;
        } while (kind->rest(kind, f->x, f->vertices + 4 * e, parameters) || parameters[TIDE_SOLID_VOLUME] < 0.1);
        parameters[TIDE_SOLID_STIFFNESS] = test_uniform(&random, 1, 10);
        parameters[TIDE_SOLID_RATIO] = test_uniform(&random, 0, 5);
        for (size_t p = 0; p < TIDE_SOLID_PARAMETERS; p++)
            f->parameters[p * COUNT + e] = parameters[p];
        int rank = e % 5 == 4 ? (int)(e / 5 % 3) : 3;
        for (int i = 0; i < 9; i++)
            matrix[i] = i / 3 < rank ? test_uniform(&random, -1.5, 1.5) : 0;
        for (int c = 0; c < 4; c++) {
            double moved[3];
            for (int k = 0; k < 3; k++)
                moved[k] = matrix[k] * x[3 * c] + matrix[3 + k] * x[3 * c + 1] + matrix[6 + k] * x[3 * c + 2];
            memcpy(x + 3 * c, moved, sizeof moved);
        }
    }
}

// The gradient is w V (F - D) g with the local projection D, which comes from the singular values.
static void find_expected(const fixture *f, uint32_t e, double out[12])
{
    const tide_elements *elements = &f->elements;
    double projection[9], gradients[4][3] = { { 0 } }, laplacian[16];
    elements->kind->project(elements, f->x, e, e + 1, projection);
    elements->kind->laplacian(elements, e, laplacian);
    for (size_t c = 1; c < 4; c++)
        for (size_t a = 0; a < 3; a++) {
            gradients[c][a] = f->parameters[(TIDE_SOLID_REST + 3 * (c - 1) + a) * COUNT + e];
            gradients[0][a] -= gradients[c][a];
        }
    const double *g = gradients[1];
    double factor = laplacian[5] / (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]); // w V
    for (size_t c = 0; c < 4; c++)
        for (size_t k = 0; k < 3; k++) {
            out[3 * c + k] = 0;
            for (size_t a = 0; a < 3; a++) {
                double f_ka = 0;
                for (size_t d = 0; d < 4; d++)
                    f_ka += f->x[3 * f->vertices[4 * e + d] + k] * gradients[d][a];
                out[3 * c + k] += factor * (f_ka - projection[3 * k + a]) * gradients[c][a];
            }
        }
}

// A deformation of rank below 2 has many nearest rotations, and any of them is right.
static bool is_unique(uint32_t e)
{
    return e % 5 != 4 || e / 5 % 3 == 2;
}

// Adds the gradients at the particles, checks that they are the same bits as `gradient`, and returns the energy.
static double accumulate(const fixture *f, const double *gradient)
{
    double quads[16 * COUNT] = { 0 }, out[16 * COUNT] = { 0 }, sums[16 * COUNT] = { 0 }, energy = 0;
    for (size_t i = 0; i < 12 * COUNT; i++)
        quads[i / 3 * 4 + i % 3] = f->x[i];
    for (size_t i = 0; i < 12 * COUNT; i++)
        sums[4 * f->vertices[i / 3] + i % 3] += gradient[i];
    f->elements.kind->accumulate(&f->elements, quads, 0, COUNT, &energy, out);
    assert_memory_equal(out, sums, sizeof sums);
    return energy;
}

static void test_vectors_against_singular_values(void **state)
{
    (void)state;
    static const int widths[] = { 128, 256, 512 };
    fixture f;
    for (int k = 0; k < KINDS; k++) {
        make(&f, kinds[k]);
        for (int w = 0; w < 3; w++) {
            double gradient[12 * COUNT], part[12 * COUNT], expected[12], energy, sum = 0;
            tide_vector_bits_limit(widths[w]);
            kinds[k]->gradient(&f.elements, f.x, 0, COUNT, gradient);
            energy = kinds[k]->energy(&f.elements, f.x, 0, COUNT);
            assert_true(accumulate(&f, gradient) == energy);
            // in other parts: the same bits
            for (uint32_t begin = 0, end; begin < COUNT; begin = end) {
                end = begin + 3 < COUNT ? begin + 3 : COUNT;
                kinds[k]->gradient(&f.elements, f.x, begin, end, part);
                assert_memory_equal(part, gradient + 12 * begin, 12 * (end - begin) * sizeof *part);
                sum += kinds[k]->energy(&f.elements, f.x, begin, end);
            }
            assert_near(sum, energy, 1e-13 * energy);
            for (uint32_t e = 0; e < COUNT; e++) {
                find_expected(&f, e, expected);
                for (size_t i = 0; i < 12 && is_unique(e); i++)
                    assert_near(gradient[12 * e + i], expected[i], 1e-11 * (1 + fabs(expected[i])));
            }
        }
        tide_vector_bits_limit(0);
    }
}

// Energies near rest have errors that vanish with the strain: E / strain^2 stays the same.
static void test_energies_at_small_strain(void **state)
{
    (void)state;
    fixture f;
    for (int k = 0; k < KINDS; k++) {
        make(&f, kinds[k]);
        double last = 0;
        for (double strain = 1e-4; strain > 1e-9; strain /= 100) {
            double rest[12] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
            double parameters[TIDE_SOLID_PARAMETERS];
            for (int p = 0; p < TIDE_SOLID_PARAMETERS; p++)
                parameters[p] = TIDE_NOT_GIVEN;
            assert_null(kinds[k]->rest(kinds[k], rest, (uint32_t[]) { 0, 1, 2, 3 }, parameters));
            parameters[TIDE_SOLID_STIFFNESS] = 1;
            parameters[TIDE_SOLID_RATIO] = 1.5;
            for (size_t p = 0; p < TIDE_SOLID_PARAMETERS; p++)
                f.parameters[p * COUNT] = parameters[p];
            memcpy(f.x, rest, sizeof rest);
            f.x[3] += strain;
            f.x[6] += strain / 3;
            f.x[10] -= strain / 2;
            double scaled = kinds[k]->energy(&f.elements, f.x, 0, 1) / (strain * strain);
            if (last > 0)
                assert_near(scaled, last, 1e-3 * last);
            assert_true(scaled > 0);
            last = scaled;
        }
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_vectors_against_singular_values),
    cmocka_unit_test(test_energies_at_small_strain),
};
TIDE_TEST_SUITE(model_solid, tests)
