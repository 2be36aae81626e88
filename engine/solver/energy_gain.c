#include "solver/energy_gain.h"

#include <math.h>
#include <string.h>

#define ROUNDING 1e-9 // relative to the energies in the balance
#define STILL 1e-12   // rounding of a displacement, as a fraction of the distance from the origin

enum { BLOCK = 64 }; // elements whose gradients are on the stack at once

// --- the work of pinned particles that move --------------------------------------------------------------------------

static bool pins_move(const tide_step *step)
{
    const tide_system *system = step->system;
    for (uint32_t p = 0; system->free_count < system->particle_count && p < system->particle_count; p++)
        if (system->rows[p] == TIDE_PINNED &&
            memcmp(step->pinned + 3 * (size_t)p, step->q + 3 * (size_t)p, 3 * sizeof(double)) != 0)
            return true;
    return false;
}

// Returns the work of the forces that move pinned particles against their elements, evaluated at x.
static double elastic_work(const tide_step *step, const double *x)
{
    double block[BLOCK * TIDE_ELEMENT_MAX_NUMBERS], work = 0;
    const tide_system *system = step->system;
    for (uint32_t g = 0; g < system->group_count; g++) {
        const tide_elements *group = &system->groups[g];
        uint32_t corners = group->kind->vertex_count;
        for (uint32_t begin = 0; begin < group->count; begin += BLOCK) {
            uint32_t end = group->count - begin < BLOCK ? group->count : begin + BLOCK;
            const uint32_t *vertices = group->vertices + (size_t)corners * begin;
            group->kind->gradient(group, x, begin, end, block);
            for (size_t i = 0; i < (size_t)corners * (end - begin); i++)
                for (size_t k = 0, n = 3 * (size_t)vertices[i]; k < 3 && system->rows[vertices[i]] == TIDE_PINNED;
                     k++, n++)
                    work += block[3 * i + k] * (step->pinned[n] - step->q[n]);
        }
    }
    return work;
}

static double length_between(const double *a, const double *b)
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

// Returns a bound of the work of the forces that move pinned particles against damping: for an element it is at most
// stiffness * |L_ij| times the speeds of its corners.
static double damping_work(const tide_step *step, double stiffness)
{
    double block[TIDE_ELEMENT_MAX_VERTICES * TIDE_ELEMENT_MAX_VERTICES], sum = 0;
    const tide_system *system = step->system;
    for (uint32_t g = 0; g < system->group_count; g++) {
        const tide_elements *group = &system->groups[g];
        uint32_t corners = group->kind->vertex_count;
        for (uint32_t e = 0; e < group->count; e++) {
            const uint32_t *vertices = group->vertices + (size_t)corners * e;
            bool filled = false;
            for (uint32_t i = 0; i < corners; i++) {
                if (system->rows[vertices[i]] != TIDE_PINNED)
                    continue;
                if (!filled)
                    group->kind->laplacian(group, e, block);
                filled = true;
                size_t p = 3 * (size_t)vertices[i];
                for (uint32_t j = 0; j < corners; j++) {
                    size_t other = 3 * (size_t)vertices[j];
                    sum += fabs(block[corners * i + j]) * length_between(step->pinned + p, step->q + p) *
                           length_between(step->x + other, step->q + other);
                }
            }
        }
    }
    return stiffness / step->h * sum;
}

static double pin_work(const tide_step *step, const tide_damping *damping)
{
    if (!pins_move(step))
        return 0;
    double work = fmax(0, fmax(elastic_work(step, step->q), elastic_work(step, step->x)));
    bool damped = damping && damping->model != TIDE_DAMPING_NONE && damping->stiffness > 0;
    return work + (damped ? damping_work(step, damping->stiffness) : 0);
}

// --- the balance -----------------------------------------------------------------------------------------------------

typedef struct sums {
    double before, after, work, size, impulse; // twice the kinetic energies; f' dx, and its terms' absolute values; f'
                                               // M^-1 f
    double place;                              // x' M x
} sums;

static sums sum_particles(const tide_step *step)
{
    const tide_system *system = step->system;
    sums s = { 0 };
    for (uint32_t row = 0; row < system->free_count; row++) {
        size_t p = system->free_particles[row];
        double mass = system->masses[p], before = 0, after = 0, work = 0, square = 0, place = 0;
        for (size_t i = 3 * p; i < 3 * p + 3; i++) {
            before += step->velocity[i] * step->velocity[i];
            after += step->v[i] * step->v[i];
            work += step->force[i] * (step->x[i] - step->q[i]);
            square += step->force[i] * step->force[i];
            place += step->x[i] * step->x[i];
        }
        s.before += mass * before;
        s.after += mass * after;
        s.work += work;
        s.size += fabs(work);
        s.impulse += square / mass;
        s.place += mass * place;
    }
    return s;
}

tide_energy_balance tide_energy_balance_of(const tide_step *step, double elastic, double elastic_after,
                                           const tide_damping *damping, double contact_work)
{
    sums s = sum_particles(step);
    double pins = pin_work(step, damping), given = contact_work + pins;
    tide_energy_balance balance = { .kinetic = 0.5 * s.before, .elastic = elastic, .work = s.work + given };
    double had = balance.kinetic + elastic, after = 0.5 * s.after + elastic_after;
    double gain = after - had - balance.work, rounding = ROUNDING * (had + after + s.size + given);
    rounding += 0.5 * s.place * (STILL / step->h) * (STILL / step->h);
    balance.gain = gain > rounding ? gain : 0;
    balance.material = balance.gain > TIDE_MATERIAL_GAIN * (had + fmax(0, balance.work)) &&
                       balance.gain > 0.5 * step->h * step->h * s.impulse;
    return balance;
}
