#include "solver/objective.h"

#include "base/memory.h"

#include <float.h>
#include <string.h>

#define ROUNDING DBL_EPSILON // rounding of a gradient, relative to diag(A) times the positions
#define SLACK 0.05           // relative to the initial energy

const char *const tide_starts[] = { "lowest", "prediction", NULL };

static bool is_damped(const tide_objective *o)
{
    return o->damping.model != TIDE_DAMPING_NONE && (o->damping.mass > 0 || o->damping.stiffness > 0);
}

static bool make_arrays(tide_objective *o, uint32_t particle_count)
{
    double **arrays[] = { &o->y, &o->inertial, &o->origin, &o->drive, &o->offset, &o->product };
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        *arrays[i] = tide_own_zeroed(o->memory, particle_count, 3 * sizeof **arrays[i]);
    o->diagonal = tide_own_zeroed(o->memory, particle_count, sizeof *o->diagonal);
    return tide_owns_all(o->memory);
}

static double mass_factor(const tide_objective *o)
{
    return is_damped(o) ? 1 + o->s * o->damping.mass : 1;
}

// Returns the factor of L in A = m M + factor L, with m the mass factor.
static double laplacian_factor(const tide_objective *o)
{
    return o->s * o->s + (is_damped(o) ? o->s * o->damping.stiffness : 0);
}

static void sum_diagonal(tide_objective *o)
{
    const tide_system *system = o->system;
    double block[TIDE_ELEMENT_MAX_VERTICES * TIDE_ELEMENT_MAX_VERTICES], factor = laplacian_factor(o);
    for (uint32_t p = 0; p < o->particle_count; p++)
        o->diagonal[p] = mass_factor(o) * system->masses[p];
    for (uint32_t g = 0; g < system->group_count; g++) {
        const tide_elements *group = &system->groups[g];
        uint32_t corners = group->kind->vertex_count;
        for (uint32_t e = 0; e < group->count; e++) {
            group->kind->laplacian(group, e, block);
            for (uint32_t c = 0; c < corners; c++)
                o->diagonal[group->vertices[(size_t)corners * e + c]] += factor * block[(corners + 1) * c];
        }
    }
}

tide_status tide_objective_prepare(tide_objective *o, const tide_system *system, double s, const tide_damping *damping,
                                   tide_error *error)
{
    bool fits = o->particle_count == system->particle_count;
    o->system = NULL;
    o->particle_count = 0;
    if (tide_renew_owner(&o->memory, fits) && !make_arrays(o, system->particle_count))
        return tide_fail_memory(error, "solver");
    o->damping = damping ? *damping : (tide_damping) { 0 };
    if (is_damped(o)) {
        o->resistance.uncoupled = true;
        tide_status status = tide_stiffness_prepare(&o->resistance, system, error);
        if (status)
            return status;
    }
    o->system = system;
    o->particle_count = system->particle_count;
    o->free_count = system->free_count;
    o->s = s;
    sum_diagonal(o);
    return TIDE_OK;
}

bool tide_objective_is_for(const tide_objective *o, const tide_system *system, double s)
{
    return o->system && o->particle_count == system->particle_count && o->free_count == system->free_count && o->s == s;
}

void tide_objective_free(tide_objective *o)
{
    tide_free(o->memory);
    tide_stiffness_free(&o->resistance);
    *o = (tide_objective) { 0 };
}

// Computes the stiffness part of s D as a H + b L.
static void resistance_parts(const tide_objective *o, double *a, double *b)
{
    double part = o->s * o->damping.stiffness;
    *a = o->damping.model == TIDE_DAMPING_RAYLEIGH ? part : 0;
    *b = o->damping.model == TIDE_DAMPING_SPRINGS ? part : 0;
}

void tide_objective_predict(tide_objective *o, const tide_step *step)
{
    const tide_system *system = step->system;
    o->system = system;
    memcpy(o->origin, step->q, 3 * (size_t)system->particle_count * sizeof *o->origin);
    for (uint32_t p = 0; p < system->particle_count; p++) {
        size_t i = 3 * (size_t)p;
        if (system->rows[p] == TIDE_PINNED) {
            memcpy(o->y + i, step->pinned + i, 3 * sizeof *o->y);
            continue;
        }
        double factor = step->h * step->h / system->masses[p];
        for (size_t end = i + 3; i < end; i++)
            o->y[i] = step->q[i] + step->h * step->velocity[i] + factor * step->force[i];
    }
}

void tide_objective_set_inertial(tide_objective *o)
{
    memcpy(o->inertial, o->y, 3 * (size_t)o->particle_count * sizeof *o->y);
}

void tide_objective_begin(tide_objective *o, const double *q)
{
    o->at = q;
    tide_objective_set_inertial(o);
    if (!is_damped(o))
        return;
    double a, b;
    resistance_parts(o, &a, &b);
    tide_stiffness_evaluate(&o->resistance, o->system, q, true, a, b);
    for (uint32_t p = 0; p < o->particle_count; p++)
        for (size_t i = 3 * (size_t)p; i < 3 * (size_t)p + 3; i++)
            o->offset[i] = o->system->rows[p] == TIDE_PINNED ? o->y[i] - o->origin[i] : 0;
    tide_stiffness_multiply(&o->resistance, o->offset, o->drive);
}

void tide_objective_resistance(const tide_objective *o, const double *v, double *out)
{
    memset(out, 0, 3 * (size_t)o->particle_count * sizeof *out);
    if (!is_damped(o))
        return;
    tide_stiffness_apply(&o->resistance, o->s * o->damping.mass, v, out);
    for (size_t i = 0; i < 3 * (size_t)o->particle_count; i++)
        out[i] /= o->s;
}

// Computes offset = x - origin for free particles, and product = s D offset.
static void resist(const tide_objective *o, const double *x)
{
    const tide_system *system = o->system;
    memset(o->offset, 0, 3 * (size_t)o->particle_count * sizeof *o->offset);
    for (uint32_t row = 0; row < system->free_count; row++)
        for (size_t p = system->free_particles[row], i = 3 * p; i < 3 * p + 3; i++)
            o->offset[i] = x[i] - o->origin[i];
    tide_stiffness_apply(&o->resistance, o->s * o->damping.mass, o->offset, o->product);
}

// Returns the damping term of g, after resist.
static double resisted_value(const tide_objective *o)
{
    return 0.5 * tide_system_dot(o->system, o->offset, o->product) + tide_system_dot(o->system, o->offset, o->drive);
}

static void add_resistance(const tide_objective *o, double *gradient)
{
    for (size_t i = 0; i < 3 * (size_t)o->particle_count; i++)
        gradient[i] += o->product[i] + o->drive[i];
}

double tide_objective_value(const tide_objective *o, const double *x)
{
    double value = tide_system_objective(o->system, o->s, o->y, x);
    if (!is_damped(o))
        return value;
    resist(o, x);
    return value + resisted_value(o);
}

void tide_objective_find_gradient(const tide_objective *o, const double *x, double *gradient)
{
    tide_system_objective_gradient(o->system, o->s, o->y, x, gradient);
    if (is_damped(o)) {
        resist(o, x);
        add_resistance(o, gradient);
    }
}

double tide_objective_gradient(const tide_objective *o, const double *x, double *gradient)
{
    tide_objective_find_gradient(o, x, gradient);
    return tide_system_norm(o->system, gradient);
}

double tide_objective_evaluate(const tide_objective *o, const double *x, double *gradient, double *norm)
{
    double value = tide_system_objective_and_gradient(o->system, o->s, o->y, x, gradient);
    if (is_damped(o)) {
        resist(o, x);
        value += resisted_value(o);
        add_resistance(o, gradient);
    }
    *norm = tide_system_norm(o->system, gradient);
    return value;
}

// Returns 1/2 (x - y)' M (x - y). `away` (3 * particle_count) is workspace.
static double inertia(const tide_objective *o, const double *x, double *away)
{
    for (size_t i = 0; i < 3 * (size_t)o->particle_count; i++)
        away[i] = x[i] - o->y[i];
    return 0.5 * tide_system_mass_dot(o->system, away, away);
}

bool tide_objective_raises_energy(const tide_objective *o, const tide_step *step, const tide_report *report,
                                  const double *x, double value, double *start)
{
    const tide_system *system = o->system;
    if (report->touched)
        return false;
    // Elastic energies are not negative, so inertia alone may already account for the energy.
    double elastic = value - inertia(o, x, start);
    if (!is_damped(o) && !(elastic > (1 + SLACK) * inertia(o, step->q, start)))
        return false;
    memcpy(start, step->q, 3 * (size_t)o->particle_count * sizeof *start);
    for (uint32_t p = 0; system->free_count < o->particle_count && p < o->particle_count; p++)
        if (system->rows[p] == TIDE_PINNED)
            memcpy(start + 3 * (size_t)p, o->y + 3 * (size_t)p, 3 * sizeof *start);
    double there = tide_objective_value(o, start);
    return elastic > there + SLACK * fabs(there);
}

double tide_objective_mass_factor(const tide_objective *o)
{
    return mass_factor(o);
}

tide_status tide_objective_matrix(const tide_objective *o, tide_step_matrix *out, tide_error *error)
{
    return tide_step_matrix_fill(out, o->system, mass_factor(o), laplacian_factor(o), error);
}

void tide_objective_hessian(const tide_objective *o, const double *x, double part, tide_assembly *assembly)
{
    double a = o->s * o->s;
    tide_assembly_fill(assembly, o->system, x, part == 1, mass_factor(o), part < 1 ? (1 - part) * a : a, 0);
    if (part > 0 && part < 1)
        tide_assembly_add(assembly, o->system, x, true, part * a, 0);
    if (is_damped(o)) {
        double a, b;
        resistance_parts(o, &a, &b);
        tide_assembly_add(assembly, o->system, o->at, true, a, b);
    }
}

void tide_objective_linearise(const tide_objective *o, const double *x, bool project, tide_stiffness *stiffness)
{
    tide_stiffness_evaluate(stiffness, o->system, x, project, o->s * o->s, 0);
}

void tide_objective_multiply(const tide_objective *o, const tide_stiffness *stiffness, const double *v, double *out)
{
    tide_stiffness_apply(stiffness, mass_factor(o), v, out);
    if (!is_damped(o))
        return;
    tide_stiffness_multiply(&o->resistance, v, o->product);
    for (size_t i = 0; i < 3 * (size_t)o->particle_count; i++)
        out[i] += o->product[i];
}

double tide_objective_target(const tide_objective *o, double tolerance, double initial_norm)
{
    if (tolerance == 0)
        return 0;
    double sum = 0, pushed = 0;
    for (uint32_t row = 0; row < o->free_count; row++) {
        uint32_t p = o->system->free_particles[row];
        double mass = o->system->masses[p], diagonal = o->diagonal[p];
        for (size_t i = 3 * (size_t)p; i < 3 * (size_t)p + 3; i++) {
            double push = mass * (o->y[i] - o->inertial[i]), scale = diagonal * o->y[i];
            pushed += push * push;
            sum += scale * scale;
        }
    }
    return fmax(tolerance * fmax(initial_norm, sqrt(pushed)), ROUNDING * sqrt(sum));
}

void tide_step_finish_velocities(const tide_step *step)
{
    for (size_t i = 0; i < 3 * (size_t)step->system->particle_count; i++)
        step->v[i] = (step->x[i] - step->q[i]) / step->h;
}

void tide_objective_report(const tide_objective *o, double g, double initial_norm, double norm, double tolerance,
                           tide_report *report)
{
    report->g = g;
    report->initial_gradient_norm = initial_norm;
    report->gradient_norm = norm;
    report->converged = norm <= tide_objective_target(o, tolerance, initial_norm);
}

double tide_backward_euler_amplification(double X, double Y)
{
    double a = 1 + X + Y, b = 2 + X, discriminant = b * b - 4 * a; // a z^2 - b z + 1 = 0
    return discriminant < 0 ? sqrt(1 / a) : (b + sqrt(discriminant)) / (2 * a);
}
