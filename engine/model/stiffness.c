// Compact Hessians, their products, and their largest eigenvalue.
#include "model/stiffness.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "linear/iterative.h"
#include "model/plan.h"

#include <math.h>
#include <string.h>

enum {
    ELEMENT_GRAIN = 16384, // about 0.15 ms of work
    BLOCK = 32             // elements whose blocks are on the stack at once
};

static bool in_vectors(const tide_stiffness *stiffness, const tide_elements *group)
{
    return stiffness->springs.vectors && group->kind->in_slices;
}

// Returns the index at which the compact Hessians of group g begin.
static size_t group_start(const tide_stiffness *stiffness, const tide_system *system, uint32_t g)
{
    size_t start = 0;
    for (uint32_t i = 0; i < g; i++) {
        const tide_elements *group = &system->groups[i];
        start += in_vectors(stiffness, group) ? 0 : (size_t)group->count * group->kind->compact_size;
    }
    return start;
}

tide_status tide_stiffness_prepare(tide_stiffness *stiffness, const tide_system *system, tide_error *error)
{
    stiffness->system = NULL;
    if (stiffness->one_by_one)
        tide_spring_products_free(&stiffness->springs);
    else if (tide_spring_products_prepare(&stiffness->springs, system, error))
        return TIDE_ERROR_MEMORY;
    TIDE_TRY(tide_coupling_prepare(&stiffness->coupling, system, error));
    size_t needed = group_start(stiffness, system, system->group_count);
    if (!stiffness->compact || needed > stiffness->capacity) {
        tide_free(stiffness->compact);
        stiffness->capacity = 0;
        stiffness->compact = tide_allocate_array(needed, sizeof *stiffness->compact);
        if (!stiffness->compact)
            return tide_fail_memory(error, "stiffness");
        stiffness->capacity = needed;
    }
    stiffness->system = system;
    return TIDE_OK;
}

void tide_stiffness_free(tide_stiffness *stiffness)
{
    tide_spring_products_free(&stiffness->springs);
    tide_free(stiffness->compact);
    tide_coupling_free(&stiffness->coupling);
    *stiffness = (tide_stiffness) { 0 };
}

typedef struct evaluation {
    const tide_elements *group;
    const double *x;
    bool project;
    double a, b;
    double *out;
} evaluation;

static void evaluate(void *context, uint32_t begin, uint32_t end)
{
    const evaluation *v = context;
    const tide_element_kind *kind = v->group->kind;
    kind->compact(v->group, v->x, begin, end, v->project, v->a, v->b, v->out + (size_t)kind->compact_size * begin);
}

void tide_stiffness_evaluate(tide_stiffness *stiffness, const tide_system *system, const double *x, bool project,
                             double a, double b)
{
    stiffness->system = system;
    tide_system_couple(system, x);
    tide_coupling_evaluate(&stiffness->coupling, system, x, stiffness->uncoupled ? 0 : a);
    if (stiffness->springs.vectors)
        tide_spring_products_linearise(&stiffness->springs, system, x, project, a, b);
    for (uint32_t g = 0; g < system->group_count; g++) {
        if (in_vectors(stiffness, &system->groups[g]))
            continue;
        evaluation v = { &system->groups[g], x, project, a, b, stiffness->compact + group_start(stiffness, system, g) };
        tide_parallel_for(v.group->count, ELEMENT_GRAIN, evaluate, &v);
    }
}

typedef struct product {
    const tide_stiffness *stiffness;
    const double *v;
} product;

static void map_product(const void *context, const tide_system *system, uint32_t g, uint32_t begin, uint32_t end,
                        double *out)
{
    const product *p = context;
    const tide_elements *group = &system->groups[g];
    const double *compact =
        p->stiffness->compact + group_start(p->stiffness, system, g) + (size_t)group->kind->compact_size * begin;
    group->kind->multiply(group, compact, p->v, begin, end, out);
}

void tide_stiffness_apply(const tide_stiffness *stiffness, double m, const double *v, double *out)
{
    const tide_system *system = stiffness->system;
    product p = { stiffness, v };
    if (stiffness->springs.vectors) {
        const double *others = tide_system_accumulate_others(system, map_product, &p);
        tide_spring_products_multiply(&stiffness->springs, system, m, v, others, out);
        tide_coupling_add_product(&stiffness->coupling, v, out);
        return;
    }
    tide_system_accumulate(system, map_product, &p, out);
    for (uint32_t row = 0; m != 0 && row < system->free_count; row++) {
        size_t particle = system->free_particles[row];
        for (size_t i = 3 * particle; i < 3 * particle + 3; i++)
            out[i] += m * system->masses[particle] * v[i];
    }
    tide_coupling_add_product(&stiffness->coupling, v, out);
}

void tide_stiffness_multiply(const tide_stiffness *stiffness, const double *v, double *out)
{
    tide_stiffness_apply(stiffness, 0, v, out);
}

// Adds the diagonal blocks of elements begin ... end - 1.
static void add_diagonal(const tide_system *system, const tide_elements *group, const double *compact, uint32_t begin,
                         uint32_t end, double *out)
{
    double blocks[BLOCK * 9 * TIDE_ELEMENT_MAX_PAIRS];
    uint32_t corners = group->kind->vertex_count;
    group->kind->blocks(group, compact, begin, end, blocks);
    const uint32_t *vertex = group->vertices + (size_t)corners * begin;
    const double *block = blocks;
    for (uint32_t e = begin; e < end; e++)
        for (uint32_t c = 0; c < corners; c++, vertex++, block += 9) {
            block += 9 * (size_t)c; // skips the blocks of pairs with earlier corners
            if (system->rows[*vertex] == TIDE_PINNED)
                continue;
            double *to = out + 9 * (size_t)*vertex;
            for (size_t i = 0; i < 9; i++)
                to[i] += block[i];
        }
}

static void add_coupled_diagonal(const tide_coupling *c, double *out)
{
    for (uint32_t g = 0; g < c->count; g++)
        for (uint32_t row = 0; row < c->system->free_count; row++) {
            size_t p = c->system->free_particles[row];
            const double *s = c->slopes + 3 * (g * (size_t)c->particle_count + p);
            for (size_t i = 0; i < 9; i++)
                out[9 * p + i] += c->curvatures[g] * s[i / 3] * s[i % 3];
        }
}

void tide_stiffness_diagonal(const tide_stiffness *stiffness, double *out)
{
    const tide_system *system = stiffness->system;
    if (stiffness->springs.vectors)
        tide_spring_products_diagonal(&stiffness->springs, system, out);
    else
        memset(out, 0, 9 * (size_t)system->particle_count * sizeof *out);
    for (uint32_t g = 0; g < system->group_count; g++) {
        const tide_elements *group = &system->groups[g];
        const double *compact = stiffness->compact + group_start(stiffness, system, g);
        if (in_vectors(stiffness, group))
            continue;
        for (uint32_t begin = 0; begin < group->count; begin += BLOCK) {
            uint32_t end = group->count - begin < BLOCK ? group->count : begin + BLOCK;
            add_diagonal(system, group, compact + (size_t)group->kind->compact_size * begin, begin, end, out);
        }
    }
    add_coupled_diagonal(&stiffness->coupling, out);
}

// --- the largest eigenvalue -----------------------------------------------------------------------------------------

typedef struct scaled {
    const tide_stiffness *stiffness;
    double *full, *result; // (3 * particle_count)
} scaled;

// Updates mass and scale. The root is computed only when the mass changes; most neighbours have the same mass.
static inline void follow_mass(double next, double *mass, double *scale)
{
    if (next == *mass)
        return;
    *mass = next;
    *scale = 1 / sqrt(next);
}

// Computes y = M^-1/2 K M^-1/2 x over free particles.
static void apply_scaled(void *context, const double *x, double *y)
{
    const scaled *s = context;
    const tide_system *system = s->stiffness->system;
    double mass = 1, scale = 1;
    for (uint32_t row = 0; row < system->free_count; row++) {
        size_t p = system->free_particles[row];
        follow_mass(system->masses[p], &mass, &scale);
        for (size_t k = 0; k < 3; k++)
            s->full[3 * p + k] = scale * x[3 * (size_t)row + k];
    }
    tide_stiffness_multiply(s->stiffness, s->full, s->result);
    for (uint32_t row = 0; row < system->free_count; row++) {
        size_t p = system->free_particles[row];
        follow_mass(system->masses[p], &mass, &scale);
        for (size_t k = 0; k < 3; k++)
            y[3 * (size_t)row + k] = scale * s->result[3 * p + k];
    }
}

tide_eigenvalue tide_stiffness_largest_eigenvalue(const tide_stiffness *stiffness, double tolerance,
                                                  uint32_t max_iterations, double *vector, double *work)
{
    const tide_system *system = stiffness->system;
    size_t numbers = 3 * (size_t)system->particle_count;
    double *full = work + 6 * (size_t)system->free_count;
    scaled s = { stiffness, full, full + numbers };
    memset(s.full, 0, numbers * sizeof *s.full); // pinned particles do not move
    memset(vector, 0, 3 * (size_t)system->free_count * sizeof *vector);
    tide_eigenvalue found = { 0 };
    tide_iterative_result result = tide_largest_eigenvalue_momentum(apply_scaled, &s, 3 * system->free_count, vector,
                                                                    tolerance, max_iterations, &found.value, work);
    found.iterations = result.iterations;
    found.converged = result.converged;
    return found;
}
