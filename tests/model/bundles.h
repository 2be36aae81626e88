// Systems of springs at random, in two groups, with anchors and pins if wanted.
#ifndef TIDE_TESTS_BUNDLES_H
#define TIDE_TESTS_BUNDLES_H

#include "base/memory.h"
#include "base/portable.h"
#include "base/random.h"
#include "model/spring_vectors.h"
#include "model/system.h"
#include "tests.h"

#include <string.h>

enum { PARTICLES = 61, SPRINGS = 301, LARGE = 20000, LARGE_SPRINGS = 70000 };

enum { PORTABLE = 1 }; // the width of the portable mode: 128 bits with other sums

// Springs use vectors of at most so many bits: 0 for the widest of the processor.
static inline void use_width(int bits)
{
    tide_set_portable(bits == PORTABLE);
    tide_spring_vectors_limit(bits == PORTABLE ? 0 : bits);
}

typedef struct bundle {
    tide_system *system;
    uint32_t count, spring_count;
    uint32_t *vertices;
    double *parameters, *x, *y;
} bundle;

static inline double uniform(tide_random *random, double low, double high)
{
    return low + (high - low) * tide_random_uniform(random);
}

static inline void *array_of(size_t count, size_t size)
{
    void *made = tide_allocate_zeroed(count, size);
    assert_non_null(made);
    return made;
}

static inline bundle allocate(uint32_t count, uint32_t spring_count)
{
    return (bundle) { .count = count,
                      .spring_count = spring_count,
                      .vertices = array_of(spring_count, 2 * sizeof(uint32_t)),
                      .parameters = array_of(spring_count, TIDE_SPRING_PARAMETERS * sizeof(double)),
                      .x = array_of(count, 3 * sizeof(double)),
                      .y = array_of(count, 3 * sizeof(double)) };
}

static inline void discard(bundle *b)
{
    tide_system_destroy(b->system);
    tide_free(b->vertices);
    tide_free(b->parameters);
    tide_free(b->x);
    tide_free(b->y);
}

// Springs in two groups and, with `others`, two anchors.
static inline void finish(bundle *b, bool others)
{
    assert_int_equal(tide_system_create(b->count, &b->system, NULL), TIDE_OK);
    uint32_t half = b->spring_count / 2;
    for (uint32_t part = 0; part < 2; part++) {
        uint32_t first = part * half, count = part ? b->spring_count - half : half;
        double *own = array_of(count, TIDE_SPRING_PARAMETERS * sizeof *own);
        for (uint32_t p = 0; p < TIDE_SPRING_PARAMETERS; p++)
            memcpy(own + p * (size_t)count, b->parameters + p * (size_t)b->spring_count + first, count * sizeof *own);
        assert_int_equal(tide_system_add(b->system, &tide_spring, count, b->vertices + 2 * first, own, NULL), TIDE_OK);
        tide_free(own);
    }
    if (others) {
        const uint32_t at[2] = { 0, b->count - 1 };
        const double parameters[2 * TIDE_ANCHOR_PARAMETERS] = { 30, 40, 1, -1, 0.5, 0, 2, 1 };
        assert_int_equal(tide_system_add(b->system, &tide_anchor, 2, at, parameters, NULL), TIDE_OK);
        bool *pinned = array_of(b->count, sizeof *pinned);
        for (uint32_t p = 3; p < b->count; p += 11)
            pinned[p] = true;
        assert_int_equal(tide_system_set_pinned(b->system, pinned, NULL), TIDE_OK);
        tide_free(pinned);
    }
    for (uint32_t p = 0; p < b->count; p++)
        b->system->masses[p] = 0.1 + 0.01 * (p % 7);
    assert_int_equal(tide_system_finish(b->system, NULL), TIDE_OK);
}

// The last particle has no springs, the first has many.
static inline bundle make(uint32_t count, uint32_t spring_count, bool others, uint64_t seed)
{
    bundle b = allocate(count, spring_count);
    tide_random random = tide_random_seed(seed);
    for (uint32_t i = 0; i < 3 * count; i++) {
        b.x[i] = uniform(&random, -1, 1);
        b.y[i] = b.x[i] + uniform(&random, -0.1, 0.1);
    }
    for (uint32_t e = 0; e < spring_count; e++) {
        b.vertices[2 * e] = e % 10 == 0 ? 0 : tide_random_next(&random) % (count - 1);
        b.vertices[2 * e + 1] = (b.vertices[2 * e] + 1 + tide_random_next(&random) % (count - 2)) % (count - 1);
        b.parameters[TIDE_SPRING_STIFFNESS * spring_count + e] = uniform(&random, 0, 100);
        b.parameters[TIDE_SPRING_REST_LENGTH * spring_count + e] = e % 5 ? uniform(&random, 0.01, 1) : 0;
    }
    finish(&b, others);
    return b;
}

// Checks many: of few springs and of many, on few particles and on many, with others and without.
static inline void check_many(void (*check)(const bundle *b))
{
    for (uint32_t springs = 2; springs <= SPRINGS; springs += 1 + springs / 4)
        for (uint32_t count = 5; count <= PARTICLES; count += 7)
            for (int others = 0; others < 2; others++) {
                bundle b = make(count, springs, others, springs + count);
                check(&b);
                discard(&b);
            }
}

#endif
