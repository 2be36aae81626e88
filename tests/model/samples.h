// Small systems for tests, as plain lists that an independent computation can use too, and the tide_system of them.
#ifndef TIDE_TESTS_SAMPLES_H
#define TIDE_TESTS_SAMPLES_H

#include "../linear/dense.h"
#include "model/system.h"
#include "tests.h"

enum { SAMPLE_PARTICLES = 64, SAMPLE_SPRINGS = 256, SAMPLE_ANCHORS = 8 };

typedef struct sample_spring {
    uint32_t i, j;
    double stiffness, rest_length;
} sample_spring;

typedef struct sample_anchor {
    uint32_t i;
    double stiffness, at[3];
} sample_anchor;

typedef struct sample {
    const char *name;
    uint32_t particle_count, spring_count, anchor_count;
    double masses[SAMPLE_PARTICLES], x[3 * SAMPLE_PARTICLES];
    bool pinned[SAMPLE_PARTICLES];
    sample_spring springs[SAMPLE_SPRINGS];
    sample_anchor anchors[SAMPLE_ANCHORS];
} sample;

static inline double sample_distance(const double *x, uint32_t i, uint32_t j)
{
    double sum = 0;
    for (size_t k = 0; k < 3; k++)
        sum += (x[3 * i + k] - x[3 * j + k]) * (x[3 * i + k] - x[3 * j + k]);
    return sqrt(sum);
}

// A particle of this mass; returns its index.
static inline uint32_t sample_particle(sample *s, double mass, double x, double y, double z)
{
    uint32_t i = s->particle_count++;
    s->masses[i] = mass;
    s->x[3 * i] = x;
    s->x[3 * i + 1] = y;
    s->x[3 * i + 2] = z;
    return i;
}

// A spring that is at rest as the particles stand.
static inline void sample_join(sample *s, uint32_t i, uint32_t j, double stiffness)
{
    s->springs[s->spring_count++] = (sample_spring) { i, j, stiffness, sample_distance(s->x, i, j) };
}

static inline sample sample_pair(void)
{
    sample s = { .name = "pair" };
    sample_particle(&s, 0.2, 0, 0, 0);
    sample_particle(&s, 0.3, 0.5, 0.1, -0.2);
    sample_join(&s, 0, 1, 50);
    return s;
}

static inline sample sample_chain(void)
{
    sample s = { .name = "chain" };
    for (uint32_t i = 0; i < 10; i++) {
        sample_particle(&s, 0.1 + 0.01 * i, 0.1 * i, 0, 0);
        if (i)
            sample_join(&s, i - 1, i, 100);
        if (i > 1)
            sample_join(&s, i - 2, i, 10);
    }
    s.pinned[0] = true;
    return s;
}

static inline sample sample_cloth(void)
{
    enum { SIDE = 6 };
    sample s = { .name = "cloth" };
    for (uint32_t r = 0; r < SIDE; r++)
        for (uint32_t c = 0; c < SIDE; c++)
            sample_particle(&s, 0.1, 0.2 * c, 0, 0.2 * r);
    for (uint32_t r = 0; r < SIDE; r++)
        for (uint32_t c = 0; c < SIDE; c++) {
            uint32_t i = r * SIDE + c;
            if (c + 1 < SIDE)
                sample_join(&s, i, i + 1, 80);
            if (r + 1 < SIDE)
                sample_join(&s, i, i + SIDE, 80);
            if (c + 1 < SIDE && r + 1 < SIDE)
                sample_join(&s, (r + c) % 2 ? i + 1 : i, (r + c) % 2 ? i + SIDE : i + SIDE + 1, 80);
            if (c + 2 < SIDE)
                sample_join(&s, i, i + 2, 20);
            if (r + 2 < SIDE)
                sample_join(&s, i, i + 2 * SIDE, 20);
        }
    s.pinned[0] = s.pinned[SIDE - 1] = true;
    return s;
}

// A connected random graph with random masses and stiffnesses, two pins and two anchors.
static inline sample sample_graph(uint64_t seed)
{
    sample s = { .name = "graph" };
    tide_random random = tide_random_seed(seed);
    for (uint32_t i = 0; i < 20; i++) {
        sample_particle(&s, test_uniform(&random, 0.1, 0.4), test_uniform(&random, -1, 1), test_uniform(&random, -1, 1),
                        test_uniform(&random, -1, 1));
        if (i)
            sample_join(&s, i, tide_random_next(&random) % i, test_uniform(&random, 10, 100));
    }
    for (uint32_t e = 0; e < 40; e++) {
        uint32_t i = tide_random_next(&random) % 20, j = tide_random_next(&random) % 20;
        if (i != j)
            sample_join(&s, i, j, test_uniform(&random, 10, 100));
    }
    s.pinned[3] = s.pinned[11] = true;
    for (uint32_t a = 0; a < 2; a++) {
        sample_anchor anchor = { .i = 5 + 7 * a, .stiffness = 30 + 10 * a };
        for (size_t k = 0; k < 3; k++)
            anchor.at[k] = s.x[3 * anchor.i + k] + test_uniform(&random, -0.1, 0.1);
        s.anchors[s.anchor_count++] = anchor;
    }
    return s;
}

// Moves every particle by up to `distance` along each axis.
static inline void sample_disturb(double *x, uint32_t particle_count, double distance, tide_random *random)
{
    for (size_t i = 0; i < 3 * (size_t)particle_count; i++)
        x[i] += test_uniform(random, -distance, distance);
}

static inline tide_status sample_add_elements(const sample *s, tide_system *system, tide_error *error)
{
    uint32_t vertices[2 * SAMPLE_SPRINGS];
    double parameters[2 * SAMPLE_SPRINGS];
    for (uint32_t e = 0; e < s->spring_count; e++) {
        vertices[2 * e] = s->springs[e].i;
        vertices[2 * e + 1] = s->springs[e].j;
        parameters[TIDE_SPRING_STIFFNESS * s->spring_count + e] = s->springs[e].stiffness;
        parameters[TIDE_SPRING_REST_LENGTH * s->spring_count + e] = s->springs[e].rest_length;
    }
    tide_status status = tide_system_add(system, &tide_spring, s->spring_count, vertices, parameters, error);
    if (status)
        return status;
    for (uint32_t a = 0; a < s->anchor_count; a++) {
        vertices[a] = s->anchors[a].i;
        parameters[TIDE_ANCHOR_STIFFNESS * s->anchor_count + a] = s->anchors[a].stiffness;
        for (size_t k = 0; k < 3; k++)
            parameters[(TIDE_ANCHOR_X + k) * s->anchor_count + a] = s->anchors[a].at[k];
    }
    return tide_system_add(system, &tide_anchor, s->anchor_count, vertices, parameters, error);
}

static inline tide_status sample_try_system(const sample *s, tide_system **out, tide_error *error)
{
    tide_system *system = NULL;
    tide_status status = tide_system_create(s->particle_count, &system, error);
    if (status)
        return status;
    memcpy(system->masses, s->masses, s->particle_count * sizeof *s->masses);
    status = sample_add_elements(s, system, error);
    if (!status)
        status = tide_system_set_pinned(system, s->pinned, error);
    if (!status)
        status = tide_system_finish(system, error);
    if (status)
        tide_system_destroy(system);
    else
        *out = system;
    return status;
}

static inline tide_system *sample_system(const sample *s)
{
    tide_system *system = NULL;
    tide_error error;
    assert_ok(sample_try_system(s, &system, &error), error);
    return system;
}

#endif
