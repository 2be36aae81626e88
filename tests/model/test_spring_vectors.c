// Springs in vectors against the springs' own functions, bit by bit.
#include "base/memory.h"
#include "base/random.h"
#include "model/spring_vectors.h"
#include "tests.h"

#include <math.h>
#include <string.h>

enum { PARTICLES = 23, SPRINGS = 41 };

typedef struct bundle {
    uint32_t vertices[2 * SPRINGS];
    double parameters[TIDE_SPRING_PARAMETERS * SPRINGS];
    double x[3 * PARTICLES];
    _Alignas(64) double positions[4 * PARTICLES];
    tide_elements elements;
} bundle;

static double uniform(tide_random *random, double low, double high)
{
    return low + (high - low) * tide_random_uniform(random);
}

// `odd`: some ends coincide, some particles are not a number or far away.
static void make(bundle *b, uint32_t count, bool odd, uint64_t seed)
{
    tide_random random = tide_random_seed(seed);
    memset(b, 0, sizeof *b);
    for (uint32_t i = 0; i < 3 * PARTICLES; i++)
        b->x[i] = uniform(&random, -1, 1);
    for (uint32_t e = 0; e < count; e++) {
        b->vertices[2 * e] = tide_random_next(&random) % PARTICLES;
        b->vertices[2 * e + 1] = (b->vertices[2 * e] + 1 + tide_random_next(&random) % (PARTICLES - 1)) % PARTICLES;
        b->parameters[TIDE_SPRING_STIFFNESS * count + e] = uniform(&random, 0, 100);
        b->parameters[TIDE_SPRING_REST_LENGTH * count + e] = e % 5 ? uniform(&random, 0.01, 1) : 0;
    }
    if (odd) {
        memcpy(b->x + 3, b->x, 3 * sizeof *b->x);
        memcpy(b->x + 9, b->x, 3 * sizeof *b->x);
        b->x[3 * 4] += 1e-160;
        b->x[3 * 7 + 1] = NAN;
        b->x[3 * 9] = INFINITY;
        b->x[3 * 11] = 1e200;
    }
    for (uint32_t p = 0; p < PARTICLES; p++)
        memcpy(b->positions + 4 * p, b->x + 3 * p, 3 * sizeof *b->x);
    _Alignas(64) double positions[4 * PARTICLES] = { 0 };
    for (uint32_t p = 0; p < PARTICLES && tide_spring_vectors(); p += 5) // in parts
        tide_spring_vectors_spread(b->x, p, p + 5 < PARTICLES ? p + 5 : PARTICLES, positions);
    if (tide_spring_vectors())
        assert_memory_equal(positions, b->positions, sizeof positions);
    b->elements = (tide_elements) { &tide_spring, count, b->vertices, b->parameters };
}

// The same bits; which NaN it is does not matter.
static void assert_same(const double *a, const double *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!(isnan(a[i]) && isnan(b[i])) && memcmp(a + i, b + i, sizeof *a) != 0)
            fail_msg("number %zu: %.17g and %.17g", i, a[i], b[i]);
}

static void check_gradients(const bundle *b)
{
    uint32_t count = b->elements.count;
    double expected[6 * SPRINGS], found[6 * SPRINGS + 1];
    for (uint32_t begin = 0; begin < count; begin += 1 + begin / 2)
        for (uint32_t end = begin + 1; end <= count; end++) {
            uint32_t numbers = 6 * (end - begin);
            tide_spring.gradient(&b->elements, b->x, begin, end, expected);
            found[numbers] = 7;
            tide_spring_vectors_gradient(&b->elements, b->positions, begin, end, found);
            assert_same(found, expected, numbers);
            assert_true(found[numbers] == 7);
        }
}

static void check_sums(const bundle *b)
{
    uint32_t count = b->elements.count;
    double parts[6 * SPRINGS], expected[4 * PARTICLES] = { 0 };
    _Alignas(64) double sums[4 * PARTICLES];
    for (uint32_t p = 0; p < PARTICLES; p++)
        expected[4 * p] = expected[4 * p + 1] = 0.1 * p;
    memcpy(sums, expected, sizeof sums);
    tide_spring.gradient(&b->elements, b->x, 0, count, parts);
    for (uint32_t i = 0; i < 2 * count; i++)
        for (uint32_t k = 0; k < 3; k++)
            expected[4 * b->vertices[i] + k] += parts[3 * i + k];
    uint32_t ends[2 * SPRINGS];
    for (uint32_t i = 0; i < 2 * count; i++)
        ends[i] = 4 * b->vertices[i];
    tide_spring_vectors_add(&b->elements, ends, b->positions, sums);
    for (uint32_t p = 0; p < PARTICLES; p++)
        assert_same(sums + 4 * p, expected + 4 * p, 3);
}

static void check_energies(const bundle *b)
{
    uint32_t count = b->elements.count;
    for (uint32_t begin = 0; begin < count; begin += 1 + begin / 2)
        for (uint32_t end = begin + 1; end <= count; end++) {
            double expected = tide_spring.energy(&b->elements, b->x, begin, end);
            double found = tide_spring_vectors_energy(&b->elements, b->positions, begin, end);
            assert_same(&found, &expected, 1);
        }
}

static void test_they_are_those_of_springs(void **state)
{
    (void)state;
    static bundle b;
    for (uint32_t count = 1; count <= SPRINGS && tide_spring_vectors(); count++)
        for (int odd = 0; odd < 2; odd++) {
            make(&b, count, odd, count);
            check_gradients(&b);
            check_sums(&b);
            check_energies(&b);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_they_are_those_of_springs),
};
TIDE_TEST_SUITE(model_spring_vectors, tests)
