#include "solver/momentum.h"

#include "base/disjoint_set.h"
#include "base/memory.h"
#include "base/parallel.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define HELD UINT32_MAX
enum { AT_ONCE = 12 }; // numbers of four particles, with independent sums
enum { GRAIN = 1024 }; // groups of AT_ONCE numbers in a chunk of a parallel loop
enum { PIECES = 64 };  // largest number of chunks of a subtraction

// --- parts -----------------------------------------------------------------------------------------------------------

// Returns true if an element resists a common translation of its free corners: an anchor, or an element with a pinned
// corner.
static bool holds(const tide_system *system, const tide_elements *group, const uint32_t *vertices, const double *block)
{
    uint32_t corners = group->kind->vertex_count;
    double sum = 0, size = 0;
    for (uint32_t i = 0; i < corners; i++)
        for (uint32_t j = 0; j < corners; j++)
            if (system->rows[vertices[i]] != TIDE_PINNED && system->rows[vertices[j]] != TIDE_PINNED) {
                sum += block[corners * i + j];
                size += fabs(block[corners * i + j]);
            }
    return fabs(sum) > 16 * DBL_EPSILON * size;
}

// Joins the free particles of each element. Sets held[particle] for one particle of each element that resists
// translations.
static void join_all(const tide_system *system, uint32_t *parent, bool *held)
{
    double block[TIDE_ELEMENT_MAX_VERTICES * TIDE_ELEMENT_MAX_VERTICES];
    for (uint32_t g = 0; g < system->group_count; g++) {
        const tide_elements *group = &system->groups[g];
        uint32_t corners = group->kind->vertex_count;
        for (uint32_t e = 0; e < group->count; e++) {
            const uint32_t *vertices = group->vertices + (size_t)corners * e;
            uint32_t first = TIDE_PINNED;
            group->kind->laplacian(group, e, block);
            for (uint32_t c = 0; c < corners; c++) {
                uint32_t p = vertices[c];
                if (system->rows[p] == TIDE_PINNED)
                    continue;
                if (first != TIDE_PINNED)
                    tide_disjoint_set_join(parent, first, p);
                else
                    first = p;
            }
            if (first != TIDE_PINNED && holds(system, group, vertices, block))
                held[first] = true;
        }
    }
}

// Sets `number` to each particle's part, or HELD. Returns the number of parts.
static uint32_t number_parts(uint32_t *parent, bool *held, uint32_t particles, uint32_t *number)
{
    uint32_t count = 0;
    for (uint32_t p = 0; p < particles; p++)
        if (held[p])
            held[tide_disjoint_set_root(parent, p)] = true;
    for (uint32_t p = 0; p < particles; p++) {
        uint32_t root = tide_disjoint_set_root(parent, p);
        number[p] = held[root] ? HELD : root == p ? count++ : number[root];
    }
    return count;
}

static uint32_t count_runs(const uint32_t *number, uint32_t particles)
{
    uint32_t runs = 0;
    for (uint32_t p = 0; p < particles; p++)
        runs += number[p] != HELD && (p == 0 || number[p] != number[p - 1]);
    return runs;
}

static void fill(tide_momentum *m, const tide_system *system, double factor, const uint32_t *number)
{
    m->run_count = 0;
    for (uint32_t p = 0; p < m->particle_count; p++) {
        double mass = factor * system->masses[p];
        if (number[p] == HELD)
            continue;
        if (p == 0 || number[p] != number[p - 1])
            m->runs[m->run_count++] = (tide_momentum_run) { .begin = p, .part = number[p], .mass = mass };
        tide_momentum_run *run = &m->runs[m->run_count - 1];
        run->end = p + 1;
        run->mass = run->mass == mass ? mass : NAN;
        m->parts[number[p]].mass += mass;
        for (size_t i = 3 * (size_t)p; i < 3 * (size_t)p + 3; i++)
            m->masses[i] = mass;
    }
}

bool tide_momentum_find(tide_momentum *m, const tide_system *system, double factor)
{
    uint32_t particles = system->particle_count;
    tide_momentum_free(m);
    TIDE_SCOPED uint32_t *parent = tide_allocate_array(particles, sizeof *parent),
                         *number = tide_allocate_array(particles, sizeof *number);
    TIDE_SCOPED bool *held = tide_allocate_zeroed(particles, sizeof *held);
    bool found = parent && number && held;
    if (found) {
        for (uint32_t p = 0; p < particles; p++) {
            parent[p] = p;
            held[p] = system->rows[p] == TIDE_PINNED;
        }
        join_all(system, parent, held);
        m->part_count = number_parts(parent, held, particles, number);
        m->particle_count = particles;
    }
    if (m->part_count) {
        m->memory = tide_allocate(0);
        m->parts = tide_own_zeroed(m->memory, m->part_count, sizeof *m->parts);
        m->runs = tide_own_array(m->memory, count_runs(number, particles), sizeof *m->runs);
        m->masses = tide_own_array(m->memory, particles, 3 * sizeof *m->masses);
        found = tide_owns_all(m->memory);
        if (found)
            fill(m, system, factor, number);
        else
            tide_momentum_free(m);
    }
    return found;
}

void tide_momentum_free(tide_momentum *m)
{
    tide_free(m->memory);
    *m = (tide_momentum) { 0 };
}

// --- sums ------------------------------------------------------------------------------------------------------------

static void add_up(double sum[3], const double numbers[AT_ONCE])
{
    for (uint32_t i = 0; i < 3; i++)
        sum[i] += (numbers[i] + numbers[i + 3]) + (numbers[i + 6] + numbers[i + 9]);
}

void tide_momentum_take(tide_momentum *m, const double *g)
{
    for (uint32_t p = 0; p < m->part_count; p++)
        memset(m->parts[p].wanted, 0, sizeof m->parts[p].wanted);
    for (uint32_t r = 0; r < m->run_count; r++) {
        size_t i = 3 * (size_t)m->runs[r].begin, end = 3 * (size_t)m->runs[r].end;
        double sums[AT_ONCE] = { 0 };
        for (; i + AT_ONCE <= end; i += AT_ONCE)
            for (size_t k = 0; k < AT_ONCE; k++)
                sums[k] += g[i + k];
        for (size_t k = 0; i < end; i++, k++)
            sums[k] += g[i];
        add_up(m->parts[m->runs[r].part].wanted, sums);
    }
}

static void find_momentum(tide_momentum *m, const double *d)
{
    for (uint32_t p = 0; p < m->part_count; p++)
        memset(m->parts[p].found, 0, sizeof m->parts[p].found);
    for (uint32_t r = 0; r < m->run_count; r++) {
        size_t i = 3 * (size_t)m->runs[r].begin, end = 3 * (size_t)m->runs[r].end;
        double sums[AT_ONCE] = { 0 }, mass = m->runs[r].mass;
        for (; mass > 0 && i + AT_ONCE <= end; i += AT_ONCE)
            for (size_t k = 0; k < AT_ONCE; k++)
                sums[k] += mass * d[i + k];
        for (; i + AT_ONCE <= end; i += AT_ONCE)
            for (size_t k = 0; k < AT_ONCE; k++)
                sums[k] += m->masses[i + k] * d[i + k];
        for (size_t k = 0; i < end; i++, k++)
            sums[k] += m->masses[i] * d[i];
        add_up(m->parts[m->runs[r].part].found, sums);
    }
}

typedef struct shift {
    double by[AT_ONCE];
    double *d;
    size_t end; // count of numbers from d on
} shift;

// Shifts groups of AT_ONCE numbers; the last one may be shorter.
static void shift_some(void *context, uint32_t begin, uint32_t end)
{
    const shift *s = context;
    size_t i = AT_ONCE * (size_t)begin, last = AT_ONCE * (size_t)end < s->end ? AT_ONCE * (size_t)end : s->end;
    for (; i + AT_ONCE <= last; i += AT_ONCE)
        for (size_t k = 0; k < AT_ONCE; k++)
            s->d[i + k] += s->by[k];
    for (size_t k = 0; i < last; i++, k++)
        s->d[i] += s->by[k];
}

static void find_shift(const tide_momentum *m, uint32_t run, double by[AT_ONCE])
{
    const tide_momentum_part *part = &m->parts[m->runs[run].part];
    for (uint32_t k = 0; k < AT_ONCE; k++)
        by[k] = (part->wanted[k % 3] - part->found[k % 3]) / part->mass;
}

void tide_momentum_give(tide_momentum *m, double *d)
{
    find_momentum(m, d);
    for (uint32_t r = 0; r < m->run_count; r++) {
        shift s = { .d = d + 3 * (size_t)m->runs[r].begin, .end = 3 * (size_t)(m->runs[r].end - m->runs[r].begin) };
        find_shift(m, r, s.by);
        tide_parallel_for((uint32_t)((s.end + AT_ONCE - 1) / AT_ONCE), GRAIN, shift_some, &s);
    }
}

typedef struct subtraction {
    double by[AT_ONCE];
    const double *d;
    double *x;
    size_t end; // count of numbers from d on
    uint32_t grain;
    double most[PIECES];
} subtraction;

// The largest magnitudes subtracted; `unsound` is 0 while all numbers are finite and becomes NaN otherwise.
typedef struct extremes {
    double largest[AT_ONCE], unsound[AT_ONCE];
} extremes;

static inline void subtract_one(double d, double by, double *x, extremes *e, size_t k)
{
    double change = d + by, size = fabs(change);
    *x -= change;
    e->largest[k] = size > e->largest[k] ? size : e->largest[k];
    e->unsound[k] += 0 * change;
}

static void subtract_some(void *context, uint32_t begin, uint32_t end)
{
    subtraction *s = context;
    size_t i = AT_ONCE * (size_t)begin, last = AT_ONCE * (size_t)end < s->end ? AT_ONCE * (size_t)end : s->end;
    const double *restrict d = s->d;
    double *restrict x = s->x;
    double most = 0, unsound = 0;
    extremes e = { 0 };
    for (; i + AT_ONCE <= last; i += AT_ONCE)
        for (size_t k = 0; k < AT_ONCE; k++)
            subtract_one(d[i + k], s->by[k], x + i + k, &e, k);
    for (size_t k = 0; i < last; i++, k++)
        subtract_one(d[i], s->by[k], x + i, &e, k);
    for (size_t k = 0; k < AT_ONCE; k++) {
        most = fmax(most, e.largest[k]);
        unsound += e.unsound[k];
    }
    s->most[begin / s->grain] = most + unsound;
}

static double larger(double a, double b) // NaN where either is
{
    return isnan(a) || a > b ? a : b;
}

// Subtracts for particles `first` to `end`, which all belong to the same run or none to any. Returns the largest
// change.
static double subtract_run(subtraction *s, const double *d, uint32_t first, uint32_t end, double *x)
{
    double most = 0;
    s->d = d + 3 * (size_t)first;
    s->x = x + 3 * (size_t)first;
    s->end = 3 * (size_t)(end - first);
    uint32_t pieces = (uint32_t)((s->end + AT_ONCE - 1) / AT_ONCE), grain = (pieces + PIECES - 1) / PIECES;
    s->grain = grain < GRAIN ? GRAIN : grain;
    tide_parallel_for(pieces, s->grain, subtract_some, s);
    for (uint32_t i = 0; i * s->grain < pieces; i++)
        most = larger(s->most[i], most);
    return most;
}

double tide_momentum_subtract(tide_momentum *m, const double *d, uint32_t particles, double *x)
{
    subtraction s;
    double most = 0;
    uint32_t first = 0;
    if (m)
        find_momentum(m, d);
    for (uint32_t r = 0, runs = m ? m->run_count : 0; r <= runs; r++) {
        uint32_t begin = r < runs ? m->runs[r].begin : particles;
        for (uint32_t k = 0; k < AT_ONCE; k++)
            s.by[k] = -0.0; // adding -0.0 leaves every number unchanged
        most = larger(subtract_run(&s, d, first, begin, x), most);
        if (r == runs)
            break;
        find_shift(m, r, s.by);
        first = m->runs[r].end;
        most = larger(subtract_run(&s, d, begin, first, x), most);
    }
    return most;
}
