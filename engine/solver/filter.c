#include "solver/filter.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define SQRT_TWO_PI 2.5066282746310002
// Relative changes per iteration at which an eigenvalue counts as converged: of the largest component, which converges
// slowly, and of a quotient.
#define TOLERANCE 1e-8
#define QUOTIENT_TOLERANCE 1e-5

enum { GRAIN = 4096, MAX_ITERATIONS = 2000, RICHARDSON_STEPS = 8, MAX_QUOTIENTS = 300, ROUGH = 20 };

static const char *const kinds[] = { "none", "exponential", "gaussian", NULL };

const tide_field tide_filter_fields[] = {
    { TIDE_MEMBER(tide_filter, kind), .type = TIDE_FIELD_CHOICE, .initial = { TIDE_FILTER_EXPONENTIAL },
      .choices = kinds, .help = "how the weight of a neighbour decreases with its distance" },
    { TIDE_MEMBER(tide_filter, lambda), .type = TIDE_FIELD_REAL, .initial = { 2 }, .maximum = 1000, .positive = true,
      .help = "rate of that decrease per mean distance of neighbours: 1 damps all motion visibly, 10 hardly any" },
    { TIDE_MEMBER(tide_filter, symmetric), .type = TIDE_FIELD_BOOLEAN, .initial = { true },
      .help = "exchange momentum between neighbours, which conserves it, instead of averaging velocities" },
    { 0 },
};

// --- neighbours -----------------------------------------------------------------------------------------------------

static int ascending(const void *a, const void *b)
{
    uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    return (i > j) - (i < j);
}

// Visits every ordered pair of an element's corners: counts them in first[i + 1] or, with `neighbours`, writes j at
// first[i]++.
static void visit_pairs(const tide_system *system, uint32_t *first, uint32_t *neighbours)
{
    for (uint32_t g = 0; g < system->group_count; g++) {
        const tide_elements *group = &system->groups[g];
        uint32_t corners = group->kind->vertex_count;
        for (uint32_t e = 0; e < group->count; e++) {
            const uint32_t *vertices = group->vertices + (size_t)corners * e;
            for (uint32_t a = 0; a < corners; a++)
                for (uint32_t b = 0; b < corners; b++) {
                    if (a == b)
                        continue;
                    if (neighbours)
                        neighbours[first[vertices[a]]++] = vertices[b];
                    else
                        first[vertices[a] + 1]++;
                }
        }
    }
}

// Sorts each particle's list and removes duplicates.
static void tidy(tide_filter_graph *graph)
{
    uint32_t next = 0, begin = 0;
    for (uint32_t i = 0; i < graph->particle_count; i++) {
        uint32_t end = graph->first[i], *list = graph->neighbours + begin;
        qsort(list, end - begin, sizeof *list, ascending);
        graph->first[i] = next;
        for (uint32_t k = 0; k < end - begin; k++)
            if (k == 0 || list[k] != list[k - 1])
                graph->neighbours[next++] = list[k];
        begin = end;
    }
    graph->first[graph->particle_count] = next;
}

static double distance(const double *x, uint32_t i, uint32_t j)
{
    const double *p = x + 3 * (size_t)i, *q = x + 3 * (size_t)j;
    double dx = p[0] - q[0], dy = p[1] - q[1], dz = p[2] - q[2];
    return sqrt(dx * dx + dy * dy + dz * dz);
}

static double mean_distance(const tide_filter_graph *graph, const double *x)
{
    double sum = 0;
    uint32_t pairs = graph->first[graph->particle_count];
    for (uint32_t i = 0; i < graph->particle_count; i++)
        for (uint32_t k = graph->first[i]; k < graph->first[i + 1]; k++)
            sum += distance(x, i, graph->neighbours[k]);
    return pairs && sum > 0 && isfinite(sum) ? sum / pairs : 1;
}

tide_status tide_filter_prepare(tide_filter_graph *graph, const tide_system *system, const double *x, tide_error *error)
{
    tide_filter_free(graph);
    graph->memory = tide_allocate(0);
    size_t count = system->particle_count;
    graph->first = tide_own_zeroed(graph->memory, count + 1, sizeof *graph->first);
    if (!graph->first)
        return tide_fail_memory(error, "velocity filter");
    visit_pairs(system, graph->first, NULL);
    for (size_t i = 0; i < count; i++)
        graph->first[i + 1] += graph->first[i];
    size_t pairs = graph->first[count];
    graph->neighbours = tide_own_array(graph->memory, pairs, sizeof *graph->neighbours);
    graph->weights = tide_own_zeroed(graph->memory, pairs, sizeof *graph->weights);
    graph->sums = tide_own_zeroed(graph->memory, count, sizeof *graph->sums);
    graph->filtered = tide_own_array(graph->memory, count, 3 * sizeof *graph->filtered);
    if (!tide_owns_all(graph->memory))
        return tide_fail_memory(error, "velocity filter");
    graph->particle_count = system->particle_count;
    visit_pairs(system, graph->first, graph->neighbours);
    tidy(graph);
    graph->unit = mean_distance(graph, x);
    return TIDE_OK;
}

void tide_filter_free(tide_filter_graph *graph)
{
    tide_free(graph->memory);
    *graph = (tide_filter_graph) { 0 };
}

// --- weights and the filter -----------------------------------------------------------------------------------------

typedef struct filtering {
    tide_filter_graph *graph;
    const tide_filter *filter;
    const tide_system *system;
    const double *x;
    const double *v;
} filtering;

static double weight(const tide_filter *filter, double d)
{
    double s = filter->lambda * d;
    return filter->kind == TIDE_FILTER_GAUSSIAN ? filter->lambda / SQRT_TWO_PI * tide_exp(-0.5 * s * s)
                                                : filter->lambda * tide_exp(-s);
}

static void weigh_pairs(void *context, uint32_t begin, uint32_t end)
{
    const filtering *f = context;
    tide_filter_graph *graph = f->graph;
    for (uint32_t i = begin; i < end; i++) {
        graph->sums[i] = weight(f->filter, 0);
        for (uint32_t k = graph->first[i]; k < graph->first[i + 1]; k++) {
            graph->weights[k] = weight(f->filter, distance(f->x, i, graph->neighbours[k]) / graph->unit);
            graph->sums[i] += graph->weights[k];
        }
    }
}

// Turns b_ij into the fraction of v_j - v_i that is added to v_i. A pinned particle acts with the mass of the other
// one, since its own may be 0.
static void normalise(void *context, uint32_t begin, uint32_t end)
{
    const filtering *f = context;
    tide_filter_graph *graph = f->graph;
    const double *masses = f->system->masses, *sums = graph->sums;
    for (uint32_t i = begin; i < end; i++)
        for (uint32_t k = graph->first[i]; k < graph->first[i + 1]; k++) {
            uint32_t j = graph->neighbours[k];
            bool lighter = f->system->rows[j] != TIDE_PINNED && masses[j] < masses[i];
            if (f->filter->symmetric)
                graph->weights[k] *= (lighter ? masses[j] / masses[i] : 1) / (2 * fmax(sums[i], sums[j]));
            else
                graph->weights[k] /= sums[i];
        }
}

void tide_filter_weigh(tide_filter_graph *graph, const tide_filter *filter, const tide_system *system, const double *x)
{
    filtering f = { .graph = graph, .filter = filter, .system = system, .x = x };
    tide_parallel_for(graph->particle_count, GRAIN, weigh_pairs, &f);
    tide_parallel_for(graph->particle_count, GRAIN, normalise, &f);
}

static void filter_particles(void *context, uint32_t begin, uint32_t end)
{
    const filtering *f = context;
    const tide_filter_graph *graph = f->graph;
    for (uint32_t i = begin; i < end; i++) {
        const double *own = f->v + 3 * (size_t)i;
        double x = 0, y = 0, z = 0;
        if (f->system->rows[i] != TIDE_PINNED)
            for (uint32_t k = graph->first[i]; k < graph->first[i + 1]; k++) {
                const double *other = f->v + 3 * (size_t)graph->neighbours[k];
                double w = graph->weights[k];
                x += w * (other[0] - own[0]);
                y += w * (other[1] - own[1]);
                z += w * (other[2] - own[2]);
            }
        double *out = graph->filtered + 3 * (size_t)i;
        out[0] = own[0] + x;
        out[1] = own[1] + y;
        out[2] = own[2] + z;
    }
}

void tide_filter_apply(tide_filter_graph *graph, const tide_system *system, double *v)
{
    filtering f = { .graph = graph, .system = system, .v = v };
    tide_parallel_for(graph->particle_count, GRAIN, filter_particles, &f);
    memcpy(v, graph->filtered, 3 * (size_t)graph->particle_count * sizeof *v);
}

// --- eigenvalues ----------------------------------------------------------------------------------------------------

// Fills v with pseudorandom numbers from a fixed seed, 0 for pinned particles.
static void guess(const tide_system *system, double *v)
{
    tide_random random = tide_random_seed(2007);
    for (uint32_t p = 0; p < system->particle_count; p++)
        for (size_t i = 3 * (size_t)p; i < 3 * (size_t)p + 3; i++) {
            double number = 2 * tide_random_uniform(&random) - 1;
            v[i] = system->rows[p] == TIDE_PINNED ? 0 : number;
        }
}

static double largest(const tide_system *system, const double *v)
{
    double most = 0;
    for (size_t i = 0; i < 3 * (size_t)system->particle_count; i++)
        most = fmax(most, fabs(v[i]));
    return most;
}

static void divide(const tide_system *system, double *v, double by)
{
    for (size_t i = 0; i < 3 * (size_t)system->particle_count; i++)
        v[i] /= by;
}

// Computes out = M^-1 K v.
static void accelerate(const tide_stiffness *stiffness, const double *v, double *out)
{
    const tide_system *system = stiffness->system;
    tide_stiffness_multiply(stiffness, v, out);
    for (uint32_t row = 0; row < system->free_count; row++) {
        uint32_t p = system->free_particles[row];
        for (size_t i = 3 * (size_t)p; i < 3 * (size_t)p + 3; i++)
            out[i] /= system->masses[p];
    }
}

double tide_filter_eigenvalue(tide_filter_graph *graph, const tide_stiffness *stiffness, double *vector, double *work)
{
    const tide_system *system = stiffness->system;
    double before = 0;
    guess(system, vector);
    for (int n = 0; n < MAX_ITERATIONS; n++) {
        accelerate(stiffness, vector, work);
        double alpha = largest(system, work);
        if (!(alpha > 0) || !isfinite(alpha))
            return alpha;
        divide(system, work, alpha);
        memcpy(vector, work, 3 * (size_t)system->particle_count * sizeof *vector);
        tide_filter_apply(graph, system, vector);
        if (n > 0 && fabs(alpha - before) <= TOLERANCE * alpha)
            return alpha;
        before = alpha;
    }
    return before;
}

// Computes w = (I + F)^-1 b by Richardson iteration. The eigenvalues of I + F are in (1, 2], so each iteration divides
// the error by at least 3.
static void halve(tide_filter_graph *graph, const tide_system *system, const double *b, double *w, double *scratch)
{
    size_t numbers = 3 * (size_t)system->particle_count;
    for (size_t i = 0; i < numbers; i++)
        w[i] = 2.0 / 3 * b[i];
    for (int n = 0; n < RICHARDSON_STEPS; n++) {
        memcpy(scratch, w, numbers * sizeof *w);
        tide_filter_apply(graph, system, scratch);
        for (size_t i = 0; i < numbers; i++)
            w[i] += 2.0 / 3 * (b[i] - w[i] - scratch[i]);
    }
}

// The power method on A = 2 (I + F)^-1 F M^-1 K. A is symmetric in an inner product in which (A x, A x) / (x, A x), a
// quotient with an error of second order, can be computed from the mass inner product. Once this is roughly known,
// momentum (subtracting a multiple of the vector before the last) gives all modes below 0.99 of it the same rate of
// growth.
double tide_filter_stable_eigenvalue(tide_filter_graph *graph, const tide_stiffness *stiffness, double *vector,
                                     double *work)
{
    const tide_system *system = stiffness->system;
    size_t numbers = 3 * (size_t)system->particle_count;
    double *y = work, *fy = y + numbers, *w = fy + numbers, *scratch = w + numbers, *last = scratch + numbers;
    double before = 0, value = 0;
    guess(system, vector);
    memset(last, 0, numbers * sizeof *last);
    for (int n = 0; n < MAX_QUOTIENTS; n++) {
        accelerate(stiffness, vector, y);
        memcpy(fy, y, numbers * sizeof *y);
        tide_filter_apply(graph, system, fy);
        halve(graph, system, fy, w, scratch);
        double energy = tide_system_mass_dot(system, vector, y);
        value = energy > 0 ? 2 * tide_system_mass_dot(system, y, w) / energy : energy;
        if (!(value > 0) || !isfinite(value) || (n > ROUGH && fabs(value - before) <= QUOTIENT_TOLERANCE * value))
            return value;
        before = value;
        double root = n < ROUGH ? 0 : 0.99 * value / 4; // w is half of A x
        for (size_t i = 0; i < numbers; i++) {
            double next = w[i] - root * root * last[i];
            last[i] = vector[i];
            vector[i] = next;
        }
        double size = largest(system, vector);
        divide(system, vector, size);
        divide(system, last, size);
    }
    return value;
}

double tide_filter_lowest_gain(tide_filter_graph *graph, const tide_system *system, double *vector)
{
    double before = 0;
    size_t numbers = 3 * (size_t)system->particle_count;
    guess(system, vector);
    for (int n = 0; n < MAX_ITERATIONS; n++) {
        filtering f = { .graph = graph, .system = system, .v = vector };
        tide_parallel_for(graph->particle_count, GRAIN, filter_particles, &f);
        for (size_t i = 0; i < numbers; i++)
            vector[i] -= graph->filtered[i];
        double size = largest(system, vector);
        if (!(size > 0) || !isfinite(size))
            return 1;
        divide(system, vector, size);
        if (n > 0 && fabs(size - before) <= TOLERANCE * size)
            return 1 - size;
        before = size;
    }
    return 1 - before;
}
