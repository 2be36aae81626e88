// Symplectic Euler, also called semi-implicit or forward-backward Euler: the new velocity moves the positions.
// Explicit: nothing is factored, and it is stable only while a substep is below 2 / sqrt(largest eigenvalue of M^-1
// d2E/dx2).
#include "base/clock.h"
#include "base/memory.h"
#include "solver/solver.h"

#include <stdio.h>
#include <string.h>

#define OBJECT "solver \"symplectic_euler\""

enum { MAX_SUBSTEPS = 1000000 };

typedef struct options {
    double substep;
} options;

static const tide_field fields[] = {
    { .name = "substep",
      .type = TIDE_FIELD_REAL,
      .offset = offsetof(options, substep),
      .initial = { 0 },
      .minimum = 0,
      .maximum = INFINITY,
      .unit = "s",
      .initial_text = "the whole timestep",
      .help = "longest substep; the timestep is cut into as few equal substeps as that allows; 0 does not cut it" },
    { 0 },
};

typedef struct state {
    uint32_t particle_count;
    double *gradient; // (3 * particle_count) dE/dx
} state;

// 0 when there would be more than MAX_SUBSTEPS. A substep that divides the timestep but for rounding gives the
// quotient.
static uint32_t substeps(const options *o, double h)
{
    if (o->substep == 0)
        return 1;
    double count = ceil(h / o->substep * (1 - 1e-12));
    return count <= 1 ? 1 : count <= MAX_SUBSTEPS ? (uint32_t)count : 0;
}

static tide_status check_substep(const options *o, double h, tide_error *error)
{
    if (substeps(o, h))
        return TIDE_OK;
    char value[48];
    snprintf(value, sizeof value, "%g", o->substep);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, OBJECT, "substep", value,
                     "expected at least a millionth of the timestep of %g s, or 0 for all of it", h);
}

static tide_status prepare(void *state_, const void *options_, const tide_system *system, double h,
                           uint32_t *bad_particle, tide_error *error)
{
    state *s = state_;
    (void)bad_particle;
    tide_status status = check_substep(options_, h, error);
    if (status || (s->gradient && s->particle_count == system->particle_count))
        return status;
    double *gradient = tide_allocate_array(system->particle_count, 3 * sizeof *gradient);
    if (!gradient)
        return tide_fail_memory(error, OBJECT);
    tide_free(s->gradient);
    s->gradient = gradient;
    s->particle_count = system->particle_count;
    return TIDE_OK;
}

// Pinned particles go to their targets at a constant velocity.
static void start(const tide_step *step)
{
    const tide_system *system = step->system;
    memcpy(step->x, step->q, 3 * (size_t)system->particle_count * sizeof *step->x);
    memcpy(step->v, step->velocity, 3 * (size_t)system->particle_count * sizeof *step->v);
    for (uint32_t p = 0; p < system->particle_count; p++)
        if (system->rows[p] == TIDE_PINNED)
            for (size_t i = 3 * (size_t)p; i < 3 * (size_t)p + 3; i++)
                step->v[i] = (step->pinned[i] - step->q[i]) / step->h;
}

static void advance(const tide_step *step, const double *gradient, uint32_t taken, uint32_t count)
{
    const tide_system *system = step->system;
    double substep = step->h / count, fraction = (double)(taken + 1) / count;
    for (uint32_t p = 0; p < system->particle_count; p++) {
        size_t i = 3 * (size_t)p, end = i + 3;
        if (system->rows[p] == TIDE_PINNED) {
            for (; i < end; i++)
                step->x[i] =
                    taken + 1 == count ? step->pinned[i] : step->q[i] + fraction * (step->pinned[i] - step->q[i]);
            continue;
        }
        double factor = substep / system->masses[p];
        for (; i < end; i++) {
            step->v[i] += factor * (step->force[i] - gradient[i]);
            step->x[i] += substep * step->v[i];
        }
    }
}

static tide_status take_step(void *state_, const void *options_, const tide_step *step, tide_report *report,
                             tide_error *error)
{
    state *s = state_;
    tide_status status = check_substep(options_, step->h, error);
    if (status)
        return status;
    if (!s->gradient || s->particle_count != step->system->particle_count)
        return tide_fail(error, TIDE_ERROR_STATE, OBJECT, NULL, NULL,
                         "it was not prepared for this system; prepare it after every change");
    uint32_t count = substeps(options_, step->h);
    start(step);
    for (uint32_t taken = 0; taken < count; taken++) {
        double before = tide_clock_seconds();
        tide_system_gradient(step->system, step->x, s->gradient);
        report->local_seconds += tide_clock_seconds() - before;
        advance(step, s->gradient, taken, count);
    }
    report->substeps = count;
    report->g = report->gradient_norm = NAN;
    report->converged = true;
    return TIDE_OK;
}

static void destroy(void *state_)
{
    state *s = state_;
    tide_free(s->gradient);
}

const tide_solver_kind tide_symplectic_euler = {
    .name = "symplectic_euler",
    .help = "explicit and of order 1; cheap, keeps energy well, and diverges when the substep is too long",
    .source = "Ahmad et al. 2007: eq. 3 with the new velocity (forward-backward Euler); largest stable substep: "
              "Shinya 2005, eq. 27",
    .fields = fields,
    .options_size = sizeof(options),
    .state_size = sizeof(state),
    .prepare = prepare,
    .step = take_step,
    .destroy = destroy,
};
