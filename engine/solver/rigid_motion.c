#include "solver/rigid_motion.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "mesh/doctor.h"

#include <string.h>

#define THIN 1e-9      // added to an inertia, relative to its trace: a straight strand has none about itself
#define INVARIANT 1e-9 // relative, for an element's part of L: a row with a smaller sum resists no translation

// --- sets -----------------------------------------------------------------------------------------------------------

void tide_rigid_sets_free(tide_rigid_sets *sets)
{
    tide_free(sets->start);
    tide_free(sets->particles);
    *sets = (tide_rigid_sets) { 0 };
}

static bool is_held_from_outside(const tide_elements *group, uint32_t element)
{
    double part[TIDE_ELEMENT_MAX_VERTICES * TIDE_ELEMENT_MAX_VERTICES];
    uint32_t n = group->kind->vertex_count;
    group->kind->laplacian(group, element, part);
    bool held = false;
    for (uint32_t i = 0; i < n; i++) {
        double sum = 0, size = 0;
        for (uint32_t k = 0; k < n; k++) {
            sum += part[n * i + k];
            size += fabs(part[n * i + k]);
        }
        held |= fabs(sum) > INVARIANT * size;
    }
    return held;
}

// Joins the particles of each element, and sets `held` for the root of each set that is held.
static void join_all(const tide_system *system, tide_sets *joined, bool *held)
{
    for (uint32_t g = 0; g < system->group_count; g++) {
        const tide_elements *group = &system->groups[g];
        for (uint32_t e = 0; e < group->count; e++)
            for (uint32_t i = 1; i < group->kind->vertex_count; i++)
                tide_sets_join(joined, group->vertices[group->kind->vertex_count * e],
                               group->vertices[group->kind->vertex_count * e + i], false);
    }
    for (uint32_t g = 0; g < system->group_count; g++) {
        const tide_elements *group = &system->groups[g];
        for (uint32_t e = 0; e < group->count; e++)
            if (is_held_from_outside(group, e))
                held[tide_sets_find(joined, group->vertices[group->kind->vertex_count * e], NULL)] = true;
    }
    for (uint32_t p = 0; p < system->particle_count; p++)
        if (system->rows[p] == TIDE_PINNED)
            held[tide_sets_find(joined, p, NULL)] = true;
}

// Lists the sets. `place` first counts the sizes of the sets at their roots, then holds the number of each root's set.
static void list_all(const tide_system *system, tide_sets *joined, const bool *held, uint32_t *place,
                     tide_rigid_sets *sets)
{
    for (uint32_t p = 0; p < system->particle_count; p++)
        place[tide_sets_find(joined, p, NULL)]++;
    for (uint32_t p = 0; p < system->particle_count; p++) {
        bool listed = joined->parents[p] == p && !held[p] && place[p] > 1;
        uint32_t size = place[p];
        place[p] = UINT32_MAX;
        if (!listed)
            continue;
        sets->start[sets->count + 1] = sets->start[sets->count] + size;
        place[p] = sets->count++;
    }
    uint32_t *next = sets->start;
    for (uint32_t p = 0; p < system->particle_count; p++) {
        uint32_t set = place[tide_sets_find(joined, p, NULL)];
        if (set != UINT32_MAX)
            sets->particles[next[set]++] = p;
    }
    for (uint32_t n = sets->count; n > 0; n--) // each has moved to the start of the next
        sets->start[n] = sets->start[n - 1];
    sets->start[0] = 0;
}

tide_status tide_rigid_sets_make(const tide_system *system, tide_rigid_sets *sets, tide_error *error)
{
    tide_rigid_sets_free(sets);
    uint32_t count = system->particle_count;
    TIDE_SCOPED_BY(tide_sets_destroy) tide_sets joined = { 0 };
    TIDE_SCOPED bool *held = tide_allocate_zeroed(count, sizeof *held);
    TIDE_SCOPED uint32_t *place = tide_allocate_zeroed(count, sizeof *place);
    sets->start = tide_allocate_zeroed(count + (size_t)1, sizeof *sets->start);
    sets->particles = tide_allocate_zeroed(count, sizeof *sets->particles);
    bool room = held && place && sets->start && sets->particles && tide_sets_create(&joined, count);
    if (room) {
        join_all(system, &joined, held);
        list_all(system, &joined, held, place, sets);
    } else
        tide_rigid_sets_free(sets);
    return room ? TIDE_OK : tide_fail_memory(error, "solver");
}

// --- motion ---------------------------------------------------------------------------------------------------------

typedef struct motion {
    tide_vec3 centre, shift, turn;
} motion;

// Solves I w = torque by I = L D L'. I is symmetric positive definite; `i` is its lower triangle: xx, yx, yy, zx, zy,
// zz.
static tide_vec3 solve_inertia(const double i[6], tide_vec3 torque)
{
    double l10 = i[1] / i[0], l20 = i[3] / i[0], d1 = i[2] - l10 * i[1];
    double l21 = (i[4] - l20 * i[1]) / d1, d2 = i[5] - l20 * i[3] - l21 * l21 * d1;
    double y = torque.y - l10 * torque.x, z = (torque.z - l20 * torque.x - l21 * y) / d2;
    y = y / d1 - l21 * z;
    return (tide_vec3) { torque.x / i[0] - l10 * y - l20 * z, y, z };
}

static motion motion_of(const uint32_t *particles, uint32_t count, const tide_objective *o, const double *gradient,
                        const double *x)
{
    double mass = 0, factor = tide_objective_mass_factor(o), inertia[6] = { 0 };
    tide_vec3 sum = { 0 }, force = { 0 }, torque = { 0 };
    for (uint32_t n = 0; n < count; n++) {
        size_t p = particles[n];
        mass += o->system->masses[p];
        sum = tide_vec3_add(sum, tide_vec3_scale(tide_vec3_load(x + 3 * p), o->system->masses[p]));
        force = tide_vec3_subtract(force, tide_vec3_load(gradient + 3 * p));
    }
    motion m = { .centre = tide_vec3_scale(sum, 1 / mass), .shift = tide_vec3_scale(force, 1 / (factor * mass)) };
    for (uint32_t n = 0; n < count; n++) {
        size_t p = particles[n];
        tide_vec3 r = tide_vec3_subtract(tide_vec3_load(x + 3 * p), m.centre);
        double w = factor * o->system->masses[p], square = tide_vec3_dot(r, r);
        torque = tide_vec3_subtract(torque, tide_vec3_cross(r, tide_vec3_load(gradient + 3 * p)));
        inertia[0] += w * (square - r.x * r.x);
        inertia[1] -= w * r.y * r.x;
        inertia[2] += w * (square - r.y * r.y);
        inertia[3] -= w * r.z * r.x;
        inertia[4] -= w * r.z * r.y;
        inertia[5] += w * (square - r.z * r.z);
    }
    double trace = inertia[0] + inertia[2] + inertia[5];
    for (int k = 0; k < 6; k += k == 0 ? 2 : 3)
        inertia[k] += THIN * trace;
    if (trace > 0)
        m.turn = solve_inertia(inertia, torque);
    return m;
}

tide_vec3 tide_rigid_turned(tide_vec3 r, tide_vec3 turn)
{
    double square = tide_vec3_dot(turn, turn), angle = sqrt(square);
    double a = angle > 1e-8 ? tide_sin(angle) / angle : 1, b = angle > 1e-4 ? (1 - tide_cos(angle)) / square : 0.5;
    tide_vec3 across = tide_vec3_cross(turn, r);
    tide_vec3 more = tide_vec3_add(tide_vec3_scale(across, a), tide_vec3_scale(tide_vec3_cross(turn, across), b));
    return tide_vec3_add(r, more);
}

// Factors the matrix as L D L' in place, within its envelope: row i of L has no entries before its first one. Returns
// false if it is not positive definite.
static bool factor(size_t side, double *matrix, uint32_t *nonzero)
{
    for (size_t i = 0; i < side; i++) {
        double *row = matrix + side * i;
        nonzero[i] = 0;
        while (nonzero[i] < i && row[nonzero[i]] == 0)
            nonzero[i]++;
        for (size_t j = nonzero[i]; j < i; j++) // row[j] becomes L_ij D_j
            for (size_t k = nonzero[i] > nonzero[j] ? nonzero[i] : nonzero[j]; k < j; k++)
                row[j] -= row[k] * matrix[side * j + k];
        for (size_t j = nonzero[i]; j < i; j++) {
            double above = row[j];
            row[j] /= matrix[side * j + j];
            row[i] -= above * row[j];
        }
        if (!(row[i] > 0))
            return false;
    }
    return true;
}

bool tide_rigid_solve(size_t side, double *hessian, uint32_t *nonzero, const double *gradient, double *motion)
{
    if (!factor(side, hessian, nonzero))
        return false;
    for (size_t i = 0; i < side; i++) {
        motion[i] = -gradient[i];
        for (size_t k = nonzero[i]; k < i; k++)
            motion[i] -= hessian[side * i + k] * motion[k];
    }
    for (size_t i = 0; i < side; i++)
        motion[i] /= hessian[side * i + i];
    for (size_t i = side; i-- > 0;)
        for (size_t k = nonzero[i]; k < i; k++)
            motion[k] -= hessian[side * i + k] * motion[i];
    return true;
}

void tide_rigid_sets_move(const tide_rigid_sets *sets, const tide_objective *objective, const double *gradient,
                          double *x)
{
    for (uint32_t s = 0; s < sets->count; s++) {
        const uint32_t *particles = sets->particles + sets->start[s];
        uint32_t count = sets->start[s + 1] - sets->start[s];
        motion m = motion_of(particles, count, objective, gradient, x);
        tide_vec3 to = tide_vec3_add(m.centre, m.shift);
        for (uint32_t n = 0; n < count; n++) {
            double *at = x + 3 * (size_t)particles[n];
            tide_vec3_store(
                at, tide_vec3_add(to, tide_rigid_turned(tide_vec3_subtract(tide_vec3_load(at), m.centre), m.turn)));
        }
    }
}
