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
    bool both; // the loop over the gradients is serial and sums energies
} evaluation;

// --- sums of element contributions at particles ---------------------------------------------------------------------

// Serial: adds the contributions to the particles element by element, in blocks of elements. Particles are `stride`
// numbers apart.
static void scatter_parts(const tide_system *system, uint32_t g, tide_element_map *map, const void *context,
                          size_t stride, double *out)
{
    const tide_elements *group = &system->groups[g];
    double block[BLOCK * TIDE_ELEMENT_MAX_NUMBERS];
    uint32_t corners = group->kind->vertex_count;
    for (uint32_t begin = 0; begin < group->count; begin += BLOCK) {
        uint32_t end = group->count - begin < BLOCK ? group->count : begin + BLOCK;
        map(context, system, g, begin, end, block);
        const uint32_t *vertices = group->vertices + (size_t)corners * begin;
        for (uint32_t i = 0; i < corners * (end - begin); i++) {
            double *to = out + stride * vertices[i];
            to[0] += block[3 * i];
            to[1] += block[3 * i + 1];
            to[2] += block[3 * i + 2];
        }
    }
}

static void accumulate_serially(const tide_system *system, tide_element_map *map, const void *context, double *out)
{
    memset(out, 0, 3 * (size_t)system->particle_count * sizeof *out);
    const struct tide_system_plan *plan = system->plan;
    for (int last = 0; last < 2; last++) // groups in rows come last, as in the plan's slots
        for (uint32_t g = 0; g < system->group_count; g++)
            if ((plan && tide_plan_in_rows(plan, &system->groups[g])) == last)
                scatter_parts(system, g, map, context, 3, out);
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

static inline void gather_slots(const struct tide_system_plan *plan, uint32_t begin, uint32_t end, double sum[3])
{
    for (uint32_t s = begin; s < end; s++) {
        const double *from = plan->element_gradients + 3 * (size_t)plan->slots[s];
        sum[0] += from[0];
        sum[1] += from[1];
        sum[2] += from[2];
    }
}

static void gather_parts(void *context, uint32_t begin, uint32_t end)
{
    const accumulation *a = context;
    const struct tide_system_plan *plan = a->system->plan;
    for (uint32_t i = begin; i < end; i++) {
        double sum[3] = { 0, 0, 0 };
        if (a->system->rows[i] != TIDE_PINNED)
            gather_slots(plan, plan->slot_start[i], plan->slot_start[i + 1], sum);
        memcpy(a->out + 3 * (size_t)i, sum, sizeof sum);
    }
}

// As gather_parts, to quads and without the elements in rows.
static void gather_quads(void *context, uint32_t begin, uint32_t end)
{
    const accumulation *a = context;
    const struct tide_system_plan *plan = a->system->plan;
    for (uint32_t i = begin; i < end; i++) {
        double sum[4] = { 0, 0, 0, 0 };
        gather_slots(plan, plan->slot_start[i], plan->rows ? plan->slot_rows[i] : plan->slot_start[i + 1], sum);
        memcpy(a->out + 4 * (size_t)i, sum, sizeof sum);
    }
}

// Parallel: computes all contributions first. Each particle then adds its own in the order of the serial loop, so both
// give the same bits.
static void accumulate_in_parallel(const tide_system *system, tide_element_map *map, const void *context, bool quads,
                                   double *out)
{
    double *next = system->plan->element_gradients;
    for (uint32_t g = 0; g < system->group_count; g++) {
        const tide_elements *group = &system->groups[g];
        accumulation a = { system, map, context, g, next };
        if (!quads || !tide_plan_in_rows(system->plan, group))
            tide_parallel_for(group->count, ELEMENT_GRAIN, compute_parts, &a);
        next += 3 * (size_t)group->count * group->kind->vertex_count;
    }
    accumulation a = { .system = system, .out = out };
    tide_parallel_for(system->particle_count, PARTICLE_GRAIN, quads ? gather_quads : gather_parts, &a);
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
        accumulate_in_parallel(system, map, context, false, out);
}

const double *tide_system_accumulate_others(const tide_system *system, tide_element_map *map, const void *context)
{
    double *sums = system->plan->sums;
    if (!system->plan->others)
        return NULL;
    memset(sums, 0, 3 * (size_t)system->particle_count * sizeof *sums);
    for (uint32_t g = 0; g < system->group_count; g++)
        if (!system->groups[g].kind->in_slices)
            scatter_parts(system, g, map, context, 3, sums);
    return sums;
}

// --- sums of gradients in quads --------------------------------------------------------------------------------------

// Tells whether a loop over the gradients of a group sums its energies too.
static bool sums_energies(const tide_elements *group)
{
    return group->kind->accumulate && group->count <= (uint32_t)ELEMENT_GRAIN * TIDE_PARALLEL_MAX_CHUNKS;
}

static void map_gradient(const void *x, const tide_system *system, uint32_t g, uint32_t begin, uint32_t end,
                         double *out)
{
    const tide_elements *group = &system->groups[g];
    group->kind->gradient(group, x, begin, end, out);
}

// Adds the gradients of a group to the sums. With `both`, sums the energies too, in chunks of ELEMENT_GRAIN elements,
// as tide_parallel_sum does.
static void accumulate_group(const evaluation *v, uint32_t g)
{
    struct tide_system_plan *plan = v->system->plan;
    const tide_elements *group = &v->system->groups[g];
    bool both = v->both && sums_energies(group);
    plan->energies[g] = 0;
    for (uint32_t begin = 0; begin < group->count; begin += ELEMENT_GRAIN) {
        uint32_t end = group->count - begin < ELEMENT_GRAIN ? group->count : begin + ELEMENT_GRAIN;
        double energy = 0;
        group->kind->accumulate(group, plan->positions, begin, end, both ? &energy : NULL, plan->sums);
        plan->energies[g] += energy;
    }
}

static double add_constant_rows(void *context, uint32_t begin, uint32_t end)
{
    const evaluation *v = context;
    const struct tide_system_plan *plan = v->system->plan;
    return tide_constant_rows_add(plan->rows, plan->positions, begin, end, v->out ? plan->sums : NULL);
}

// Sums the gradients of all elements that are not in slices, or of all. The same bits for any number of threads.
static void sum_gradients(evaluation *v, bool springs_too)
{
    const tide_system *system = v->system;
    struct tide_system_plan *plan = system->plan;
    if (springs_too && !v->both && has_work_for_threads(system))
        accumulate_in_parallel(system, map_gradient, v->x, true, plan->sums);
    else {
        memset(plan->sums, 0, 4 * (size_t)system->particle_count * sizeof *plan->sums);
        for (uint32_t g = 0; g < system->group_count; g++) {
            const tide_element_kind *kind = system->groups[g].kind;
            if (tide_plan_in_rows(plan, &system->groups[g]) || (kind->in_slices && !springs_too))
                continue;
            if (kind->accumulate)
                accumulate_group(v, g);
            else
                scatter_parts(system, g, map_gradient, v->x, 4, plan->sums);
        }
    }
    if (plan->rows)
        plan->rows_energy = tide_parallel_sum(system->particle_count, TIDE_CONSTANT_GRAIN, add_constant_rows, v);
}

// Makes the gradient, or that of g with the inertia, of the sums. Returns the chunk's part of (x - y)' M (x - y).
static double finish_gradient(void *context, uint32_t begin, uint32_t end)
{
    const evaluation *v = context;
    double squared = v->h * v->h, total = 0;
    for (uint32_t row = begin; row < end; row++) {
        uint32_t particle = v->system->free_particles[row];
        const double *sum = v->system->plan->sums + 4 * (size_t)particle, *x = v->x + 3 * (size_t)particle;
        double *out = v->out + 3 * (size_t)particle, mass = v->system->masses[particle];
        if (!v->y) {
            memcpy(out, sum, 3 * sizeof *out);
            continue;
        }
        const double *y = v->y + 3 * (size_t)particle;
        double dx = x[0] - y[0], dy = x[1] - y[1], dz = x[2] - y[2];
        out[0] = mass * dx + squared * sum[0];
        out[1] = mass * dy + squared * sum[1];
        out[2] = mass * dz + squared * sum[2];
        total += mass * (dx * dx + dy * dy + dz * dz);
    }
    return total;
}

static void clear_pinned(const tide_system *system, double *out)
{
    if (system->free_count < system->particle_count)
        for (uint32_t i = 0; i < system->particle_count; i++)
            if (system->rows[i] == TIDE_PINNED)
                memset(out + 3 * (size_t)i, 0, 3 * sizeof *out);
}

// --- springs in slices -----------------------------------------------------------------------------------------------

typedef struct slice_loop {
    tide_spring_job job;
    const tide_spring_vectors *vectors;
} slice_loop;

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

static bool has_slices(const tide_system *system)
{
    return system->plan->slices && tide_spring_vectors_choose();
}

static void spread_positions(void *context, uint32_t begin, uint32_t end)
{
    const evaluation *v = context;
    const struct tide_system_plan *plan = v->system->plan;
    tide_spread_quads(v->x, begin, end, plan->positions);
}

// Prepares a sum at x. Returns whether springs are summed in slices.
static bool begin_sums(evaluation *v, slice_loop *loop)
{
    tide_system_couple(v->system, v->x);
    const struct tide_system_plan *plan = v->system->plan;
    *loop = (slice_loop) { .vectors = plan->slices ? tide_spring_vectors_choose() : NULL };
    if (loop->vectors || plan->others)
        tide_parallel_for(v->system->particle_count, SPREAD_GRAIN, spread_positions, v);
    if (!loop->vectors)
        return false;
    if (v->out && plan->others)
        sum_gradients(v, false);
    loop->job = (tide_spring_job) {
        .slices = plan->slices,
        .y = v->y,
        .squared = v->y ? v->h * v->h : 1,
        .others = v->out && plan->others ? plan->sums : NULL,
        .out = v->out,
    };
    return true;
}

// --- gradients and values --------------------------------------------------------------------------------------------

// Computes the same bits for any number of threads. Returns (x - y)' M (x - y) where springs are not in slices.
static double evaluate_gradient(evaluation *v)
{
    slice_loop loop;
    if (begin_sums(v, &loop)) {
        tide_parallel_for(loop.job.slices->count, TIDE_SLICE_GRAIN, slice_gradients, &loop);
        return 0;
    }
    sum_gradients(v, true);
    clear_pinned(v->system, v->out);
    return tide_parallel_sum(v->system->free_count, PARTICLE_GRAIN, finish_gradient, v);
}

static double group_energy(void *context, uint32_t begin, uint32_t end)
{
    const evaluation *v = context;
    return v->group->kind->energy(v->group, v->x, begin, end);
}

// Where the energy of the rows has lost its digits, it is summed over the elements.
static double energy_of_rows(evaluation *v)
{
    const tide_system *system = v->system;
    const struct tide_system_plan *plan = system->plan;
    double sum = v->out ? plan->rows_energy
                        : tide_parallel_sum(system->particle_count, TIDE_CONSTANT_GRAIN, add_constant_rows, v);
    if (!(sum < TIDE_CONSTANT_LEAST * plan->rows->stiffness))
        return sum;
    sum = 0;
    for (uint32_t g = 0; g < system->group_count; g++) {
        v->group = &system->groups[g];
        if (tide_plan_in_rows(plan, v->group))
            sum += tide_parallel_sum(v->group->count, ELEMENT_GRAIN, group_energy, v);
    }
    return sum;
}

static double energy_of_groups(evaluation *v, bool springs_too)
{
    const struct tide_system_plan *plan = v->system->plan;
    double sum = 0;
    for (uint32_t g = 0; g < v->system->group_count; g++) {
        v->group = &v->system->groups[g];
        if (v->group->kind->couple)
            sum += v->group->kind->couple(v->group, v->x);
        else if (v->both && sums_energies(v->group))
            sum += plan->energies[g];
        else if (!tide_plan_in_rows(plan, v->group) && (springs_too || !v->group->kind->in_slices))
            sum += tide_parallel_sum(v->group->count, ELEMENT_GRAIN, group_energy, v);
    }
    return plan->rows ? sum + energy_of_rows(v) : sum;
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
    double squared = v->y ? v->h * v->h : 1, moved = 0;
    slice_loop loop;
    v->both = v->out && (has_slices(v->system) || !has_work_for_threads(v->system));
    if (v->out && !has_slices(v->system))
        moved = evaluate_gradient(v);
    else if (begin_sums(v, &loop))
        return tide_parallel_sum(loop.job.slices->count, TIDE_SLICE_GRAIN,
                                 v->out ? slice_values_and_gradients : slice_values, &loop) +
               squared * energy_of_groups(v, false);
    else if (v->y)
        moved = tide_parallel_sum(v->system->free_count, PARTICLE_GRAIN, inertia, v);
    double value = squared * energy_of_groups(v, true);
    return v->y ? 0.5 * moved + value : value;
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
