// Energies and gradients of a system, and sums over its free particles.
#include "base/parallel.h"
#include "model/plan.h"
#include "model/spring_vectors.h"

#include <math.h>
#include <string.h>

enum {
    ELEMENT_GRAIN = 32768, // elements in a chunk of a parallel loop: about 0.15 ms of work; waking a thread costs less
    PARTICLE_GRAIN = 32768,
    SPREAD_GRAIN = 4096, // particles in a chunk when positions are spread, as in most loops over particles
    BLOCK = 64           // elements whose gradients a serial loop holds on the stack
};

// Arguments of a loop over elements or particles.
typedef struct evaluation {
    const tide_system *system;
    const tide_elements *group;
    const double *x, *y;
    double h;
    double *out;
} evaluation;

// --- sums of element contributions at particles ---------------------------------------------------------------------

// Serial: adds the contributions to the particles element by element, in blocks of elements.
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

// Parallel: computes all contributions first. Each particle then adds its own in the order of the serial loop, so both
// give the same bits.
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

const double *tide_system_accumulate_others(const tide_system *system, tide_element_map *map, const void *context)
{
    double *others = system->plan->others;
    if (!others)
        return NULL;
    memset(others, 0, 3 * (size_t)system->particle_count * sizeof *others);
    for (uint32_t g = 0; g < system->group_count; g++)
        if (!system->groups[g].kind->in_slices)
            scatter_parts(system, g, map, context, others);
    return others;
}

// --- contributions of one element after another ---------------------------------------------------------------------

static void map_gradient(const void *x, const tide_system *system, uint32_t g, uint32_t begin, uint32_t end,
                         double *out)
{
    const tide_elements *group = &system->groups[g];
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

// --- springs in slices -----------------------------------------------------------------------------------------------

typedef struct slice_loop {
    tide_spring_job job;
    const tide_spring_vectors *vectors;
    const double *x;
} slice_loop;

static void spread_positions(void *context, uint32_t begin, uint32_t end)
{
    const slice_loop *loop = context;
    tide_spread_quads(loop->x, begin, end, loop->job.slices->positions);
}

static void slice_gradients(void *context, uint32_t begin, uint32_t end)
{
    const slice_loop *loop = context;
    loop->vectors->gradient(&loop->job, begin, end);
}

static double slice_values(void *context, uint32_t begin, uint32_t end)
{
    const slice_loop *loop = context;
    return loop->vectors->value(&loop->job, begin, end);
}

static double slice_values_and_gradients(void *context, uint32_t begin, uint32_t end)
{
    const slice_loop *loop = context;
    return loop->vectors->both(&loop->job, begin, end);
}

static bool begin_slices(const evaluation *v, slice_loop *loop)
{
    const struct tide_system_plan *plan = v->system->plan;
    *loop = (slice_loop) { .vectors = plan && plan->slices ? tide_spring_vectors_choose() : NULL, .x = v->x };
    if (!loop->vectors)
        return false;
    loop->job = (tide_spring_job) {
        .slices = plan->slices,
        .y = v->y,
        .squared = v->y ? v->h * v->h : 1,
        .others = v->out ? tide_system_accumulate_others(v->system, map_gradient, v->x) : NULL,
        .out = v->out,
    };
    tide_parallel_for(v->system->particle_count, SPREAD_GRAIN, spread_positions, loop);
    return true;
}

// --- gradients and values --------------------------------------------------------------------------------------------

// Computes the same bits for any number of threads.
static void evaluate_gradient(evaluation *v)
{
    slice_loop loop;
    if (begin_slices(v, &loop)) {
        tide_parallel_for(loop.job.slices->count, TIDE_SLICE_GRAIN, slice_gradients, &loop);
        return;
    }
    tide_system_accumulate(v->system, map_gradient, v->x, v->out);
    if (v->y)
        tide_parallel_for(v->system->free_count, PARTICLE_GRAIN, add_inertia, v);
}

static double group_energy(void *context, uint32_t begin, uint32_t end)
{
    const evaluation *v = context;
    return v->group->kind->energy(v->group, v->x, begin, end);
}

static double energy_of_groups(evaluation *v, bool springs_too)
{
    double sum = 0;
    for (uint32_t g = 0; g < v->system->group_count; g++) {
        v->group = &v->system->groups[g];
        if (springs_too || !v->group->kind->in_slices)
            sum += tide_parallel_sum(v->group->count, ELEMENT_GRAIN, group_energy, v);
    }
    return sum;
}

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

// Returns E(x) or, with y not NULL, g(x). With out not NULL, computes the gradient too.
static double evaluate_value(evaluation *v)
{
    double squared = v->y ? v->h * v->h : 1;
    slice_loop loop;
    if (begin_slices(v, &loop))
        return tide_parallel_sum(loop.job.slices->count, TIDE_SLICE_GRAIN,
                                 v->out ? slice_values_and_gradients : slice_values, &loop) +
               squared * energy_of_groups(v, false);
    if (v->out)
        evaluate_gradient(v);
    double value = squared * energy_of_groups(v, true);
    return v->y ? 0.5 * tide_parallel_sum(v->system->free_count, PARTICLE_GRAIN, inertia, v) + value : value;
}

void tide_system_gradient(const tide_system *system, const double *x, double *out)
{
    evaluate_gradient(&(evaluation) { .system = system, .x = x, .out = out });
}

void tide_system_objective_gradient(const tide_system *system, double h, const double *y, const double *x, double *out)
{
    evaluate_gradient(&(evaluation) { .system = system, .x = x, .y = y, .h = h, .out = out });
}

double tide_system_energy(const tide_system *system, const double *x)
{
    return evaluate_value(&(evaluation) { .system = system, .x = x });
}

double tide_system_objective(const tide_system *system, double h, const double *y, const double *x)
{
    return evaluate_value(&(evaluation) { .system = system, .x = x, .y = y, .h = h });
}

double tide_system_objective_and_gradient(const tide_system *system, double h, const double *y, const double *x,
                                          double *out)
{
    return evaluate_value(&(evaluation) { .system = system, .x = x, .y = y, .h = h, .out = out });
}

// --- sums over particles ---------------------------------------------------------------------------------------------

typedef double pair __attribute__((vector_size(16), aligned(8), may_alias));

// Uses four sums of pairs, so that no addition waits for the previous one.
static double dot(const double *a, const double *b, size_t count)
{
    pair sums[4] = { { 0 } };
    size_t i = 0;
    for (; i + 8 <= count; i += 8)
        for (size_t k = 0; k < 4; k++)
            sums[k] += *(const pair *)(a + i + 2 * k) * *(const pair *)(b + i + 2 * k);
    pair sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    double total = sum[0] + sum[1];
    for (; i < count; i++)
        total += a[i] * b[i];
    return total;
}

// Returns how many rows from `row` on, before `end`, belong to consecutive particles; usually all of them.
static uint32_t count_run(const tide_system *system, uint32_t row, uint32_t end)
{
    const uint32_t *particles = system->free_particles + row;
    uint32_t count = 1;
    if (particles[end - 1 - row] - particles[0] == end - 1 - row)
        return end - row;
    while (row + count < end && particles[count] - particles[0] == count)
        count++;
    return count;
}

static double products(void *context, uint32_t begin, uint32_t end)
{
    const evaluation *v = context;
    double sum = 0;
    for (uint32_t row = begin, count; row < end; row += count) {
        size_t first = 3 * (size_t)v->system->free_particles[row];
        count = count_run(v->system, row, end);
        sum += dot(v->x + first, v->y + first, 3 * (size_t)count);
    }
    return sum;
}

double tide_system_dot(const tide_system *system, const double *a, const double *b)
{
    evaluation v = { .system = system, .x = a, .y = b };
    return tide_parallel_sum(system->free_count, PARTICLE_GRAIN, products, &v);
}

double tide_system_mass_dot(const tide_system *system, const double *a, const double *b)
{
    double sum = 0;
    for (uint32_t row = 0; row < system->free_count; row++) {
        uint32_t p = system->free_particles[row];
        size_t i = 3 * (size_t)p;
        sum += system->masses[p] * (a[i] * b[i] + a[i + 1] * b[i + 1] + a[i + 2] * b[i + 2]);
    }
    return sum;
}

double tide_system_norm(const tide_system *system, const double *a)
{
    return sqrt(tide_system_dot(system, a, a));
}

void tide_system_gather(const tide_system *system, const double *full, double *free_only)
{
    for (uint32_t row = 0, count; row < system->free_count; row += count) {
        count = count_run(system, row, system->free_count);
        memcpy(free_only + 3 * (size_t)row, full + 3 * (size_t)system->free_particles[row], count * 3 * sizeof *full);
    }
}

void tide_system_scatter(const tide_system *system, const double *free_only, double *full)
{
    for (uint32_t row = 0, count; row < system->free_count; row += count) {
        count = count_run(system, row, system->free_count);
        memcpy(full + 3 * (size_t)system->free_particles[row], free_only + 3 * (size_t)row, count * 3 * sizeof *full);
    }
}
