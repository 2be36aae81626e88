// Energies and gradients of a system, and sums over its free particles.
#include "base/parallel.h"
#include "model/plan.h"
#include "model/spring_vectors.h"

#include <math.h>
#include <string.h>

enum {
    ELEMENT_GRAIN = 32768, // of a chunk of a parallel loop: about 0.15 ms of work; waking a thread costs a part of that
    PARTICLE_GRAIN = 32768,
    THREADS_WORTH_PARTS = 4, // of springs in vectors
    BLOCK = 64               // elements whose gradients a serial loop holds on the stack
};

// What a loop over elements or particles works on.
typedef struct evaluation {
    const tide_system *system;
    const tide_elements *group;
    const double *x, *y;
    double h;
    double *out;
} evaluation;

// --- springs in vectors ----------------------------------------------------------------------------------------------

static bool has_springs_in_vectors(const tide_system *system)
{
    bool any = false;
    for (uint32_t g = 0; g < system->group_count; g++)
        any = any || system->groups[g].kind == &tide_spring;
    return any && system->plan && tide_spring_vectors();
}

static void spread_positions(void *context, uint32_t begin, uint32_t end)
{
    const evaluation *v = context;
    tide_spring_vectors_spread(v->x, begin, end, v->system->plan->positions);
}

// --- sums of what elements give their particles --------------------------------------------------------------------

// One thread: adds the parts to the particles element by element, a block of elements at a time.
static void scatter_parts(const tide_system *system, uint32_t g, tide_element_map *map, const void *context,
                          double *out)
{
    const tide_elements *group = &system->groups[g];
    double block[BLOCK * TIDE_ELEMENT_MAX_NUMBERS];
    uint32_t corners = group->kind->vertex_count;
    for (uint32_t begin = 0; begin < group->count; begin += BLOCK) {
        uint32_t end = group->count - begin < BLOCK ? group->count : begin + BLOCK;
        map(context, system, g, begin, end, block);
        const uint32_t *vertices = group->vertices + (size_t)corners * begin;
        for (uint32_t i = 0; i < corners * (end - begin); i++) {
            double *to = out + 3 * (size_t)vertices[i];
            to[0] += block[3 * i];
            to[1] += block[3 * i + 1];
            to[2] += block[3 * i + 2];
        }
    }
}

static void accumulate_serially(const tide_system *system, tide_element_map *map, const void *context, double *out)
{
    memset(out, 0, 3 * (size_t)system->particle_count * sizeof *out);
    for (uint32_t g = 0; g < system->group_count; g++)
        scatter_parts(system, g, map, context, out);
    if (system->free_count < system->particle_count)
        for (uint32_t i = 0; i < system->particle_count; i++)
            if (system->rows[i] == TIDE_PINNED)
                memset(out + 3 * (size_t)i, 0, 3 * sizeof *out);
}

typedef struct accumulation {
    const tide_system *system;
    tide_element_map *map;
    const void *context;
    uint32_t group;
    double *out;
} accumulation;

static void compute_parts(void *context, uint32_t begin, uint32_t end)
{
    const accumulation *a = context;
    uint32_t corners = a->system->groups[a->group].kind->vertex_count;
    a->map(a->context, a->system, a->group, begin, end, a->out + 3 * (size_t)corners * begin);
}

static void gather_parts(void *context, uint32_t begin, uint32_t end)
{
    const accumulation *a = context;
    const struct tide_system_plan *plan = a->system->plan;
    for (uint32_t i = begin; i < end; i++) {
        double sum[3] = { 0, 0, 0 };
        if (a->system->rows[i] != TIDE_PINNED)
            for (uint32_t s = plan->slot_start[i]; s < plan->slot_start[i + 1]; s++) {
                const double *from = plan->element_gradients + 3 * (size_t)plan->slots[s];
                sum[0] += from[0];
                sum[1] += from[1];
                sum[2] += from[2];
            }
        memcpy(a->out + 3 * (size_t)i, sum, sizeof sum);
    }
}

// Several threads: all elements' parts first, then each particle adds its own in the order of the serial loop, so that
// both give the same bits.
static void accumulate_in_parallel(const tide_system *system, tide_element_map *map, const void *context, double *out)
{
    double *next = system->plan->element_gradients;
    for (uint32_t g = 0; g < system->group_count; g++) {
        const tide_elements *group = &system->groups[g];
        accumulation a = { system, map, context, g, next };
        tide_parallel_for(group->count, ELEMENT_GRAIN, compute_parts, &a);
        next += 3 * (size_t)group->count * group->kind->vertex_count;
    }
    accumulation a = { .system = system, .out = out };
    tide_parallel_for(system->particle_count, PARTICLE_GRAIN, gather_parts, &a);
}

static bool has_work_for_threads(const tide_system *system)
{
    uint64_t elements = 0;
    for (uint32_t g = 0; g < system->group_count; g++)
        elements += system->groups[g].count;
    return system->plan && tide_threads() > 1 && elements > ELEMENT_GRAIN;
}

void tide_system_accumulate(const tide_system *system, tide_element_map *map, const void *context, double *out)
{
    if (!has_work_for_threads(system))
        accumulate_serially(system, map, context, out);
    else
        accumulate_in_parallel(system, map, context, out);
}

// --- gradients -------------------------------------------------------------------------------------------------------

static void map_gradient(const void *x, const tide_system *system, uint32_t g, uint32_t begin, uint32_t end,
                         double *out)
{
    const tide_elements *group = &system->groups[g];
    group->kind->gradient(group, x, begin, end, out);
}

// The same in vectors, from the plan's positions.
static void map_gradient_in_vectors(const void *x, const tide_system *system, uint32_t g, uint32_t begin, uint32_t end,
                                    double *out)
{
    const tide_elements *group = &system->groups[g];
    if (group->kind == &tide_spring)
        tide_spring_vectors_gradient(group, system->plan->positions, begin, end, out);
    else
        group->kind->gradient(group, x, begin, end, out);
}

static void add_inertia(void *context, uint32_t begin, uint32_t end)
{
    const evaluation *v = context;
    for (uint32_t row = begin; row < end; row++) {
        uint32_t particle = v->system->free_particles[row];
        double mass = v->system->masses[particle];
        for (size_t i = 3 * (size_t)particle; i < 3 * (size_t)particle + 3; i++)
            v->out[i] = mass * (v->x[i] - v->y[i]) + v->h * v->h * v->out[i];
    }
}

// One thread: adds the elements' parts to sums of four numbers a particle.
static void add_up_in_vectors(const evaluation *v)
{
    const tide_system *system = v->system;
    double *sums = system->plan->sums, block[BLOCK * TIDE_ELEMENT_MAX_NUMBERS];
    const uint32_t *ends = system->plan->ends;
    memset(sums, 0, 4 * (size_t)system->particle_count * sizeof *sums);
    for (uint32_t g = 0; g < system->group_count; g++) {
        const tide_elements *group = &system->groups[g];
        uint32_t corners = group->kind->vertex_count;
        if (group->kind == &tide_spring) {
            tide_spring_vectors_add(group, ends, system->plan->positions, sums);
            ends += 2 * (size_t)group->count;
            continue;
        }
        for (uint32_t begin = 0; begin < group->count; begin += BLOCK) {
            uint32_t end = group->count - begin < BLOCK ? group->count : begin + BLOCK;
            const uint32_t *vertices = group->vertices + (size_t)corners * begin;
            group->kind->gradient(group, v->x, begin, end, block);
            for (uint32_t i = 0; i < corners * (end - begin); i++)
                for (size_t k = 0; k < 3; k++)
                    sums[4 * (size_t)vertices[i] + k] += block[3 * i + k];
        }
    }
}

// The same bits by every way: sums are in the order of the elements.
static void evaluate_gradient(evaluation *v)
{
    const tide_system *system = v->system;
    // One thread with vectors is as fast as two or three that write all parts and gather them again.
    bool vectors = has_springs_in_vectors(system);
    bool threads = has_work_for_threads(system) && (!vectors || tide_threads() >= THREADS_WORTH_PARTS);
    if (vectors)
        tide_parallel_for(system->particle_count, PARTICLE_GRAIN, spread_positions, v);
    if (vectors && !threads) {
        add_up_in_vectors(v);
        tide_spring_vectors_collect(system, v->h, v->y, v->x, v->out);
        return;
    }
    tide_system_accumulate(system, vectors ? map_gradient_in_vectors : map_gradient, v->x, v->out);
    if (v->y)
        tide_parallel_for(system->free_count, PARTICLE_GRAIN, add_inertia, v);
}

void tide_system_gradient(const tide_system *system, const double *x, double *out)
{
    evaluate_gradient(&(evaluation) { .system = system, .x = x, .out = out });
}

void tide_system_objective_gradient(const tide_system *system, double h, const double *y, const double *x, double *out)
{
    evaluate_gradient(&(evaluation) { .system = system, .x = x, .y = y, .h = h, .out = out });
}

// --- energies --------------------------------------------------------------------------------------------------------

static double group_energy(void *context, uint32_t begin, uint32_t end)
{
    const evaluation *v = context;
    return v->group->kind->energy(v->group, v->x, begin, end);
}

static double group_energy_in_vectors(void *context, uint32_t begin, uint32_t end)
{
    const evaluation *v = context;
    return tide_spring_vectors_energy(v->group, v->system->plan->positions, begin, end);
}

double tide_system_energy(const tide_system *system, const double *x)
{
    evaluation v = { .system = system, .x = x };
    bool vectors = has_springs_in_vectors(system);
    double sum = 0;
    if (vectors)
        tide_parallel_for(system->particle_count, PARTICLE_GRAIN, spread_positions, &v);
    for (uint32_t g = 0; g < system->group_count; g++) {
        v.group = &system->groups[g];
        bool springs = vectors && v.group->kind == &tide_spring;
        sum += tide_parallel_sum(v.group->count, ELEMENT_GRAIN, springs ? group_energy_in_vectors : group_energy, &v);
    }
    return sum;
}

// --- objectives and sums ---------------------------------------------------------------------------------------------

static double inertia(void *context, uint32_t begin, uint32_t end)
{
    const evaluation *v = context;
    double sum = 0;
    for (uint32_t row = begin; row < end; row++) {
        uint32_t i = v->system->free_particles[row];
        const double *x = v->x + 3 * (size_t)i, *y = v->y + 3 * (size_t)i;
        double dx = x[0] - y[0], dy = x[1] - y[1], dz = x[2] - y[2];
        sum += v->system->masses[i] * (dx * dx + dy * dy + dz * dz);
    }
    return sum;
}

double tide_system_objective(const tide_system *system, double h, const double *y, const double *x)
{
    evaluation v = { .system = system, .x = x, .y = y };
    return 0.5 * tide_parallel_sum(system->free_count, PARTICLE_GRAIN, inertia, &v) +
           h * h * tide_system_energy(system, x);
}

static double products(void *context, uint32_t begin, uint32_t end)
{
    const evaluation *v = context;
    double sum = 0;
    for (uint32_t row = begin; row < end; row++) {
        size_t i = 3 * (size_t)v->system->free_particles[row];
        sum += v->x[i] * v->y[i] + v->x[i + 1] * v->y[i + 1] + v->x[i + 2] * v->y[i + 2];
    }
    return sum;
}

double tide_system_dot(const tide_system *system, const double *a, const double *b)
{
    evaluation v = { .system = system, .x = a, .y = b };
    return tide_parallel_sum(system->free_count, PARTICLE_GRAIN, products, &v);
}

double tide_system_norm(const tide_system *system, const double *a)
{
    return sqrt(tide_system_dot(system, a, a));
}

void tide_system_gather(const tide_system *system, const double *full, double *free_only)
{
    for (uint32_t row = 0; row < system->free_count; row++)
        memcpy(free_only + 3 * (size_t)row, full + 3 * (size_t)system->free_particles[row], 3 * sizeof *full);
}

void tide_system_scatter(const tide_system *system, const double *free_only, double *full)
{
    for (uint32_t row = 0; row < system->free_count; row++)
        memcpy(full + 3 * (size_t)system->free_particles[row], free_only + 3 * (size_t)row, 3 * sizeof *full);
}
