// Linearised forces: K and D are evaluated only occasionally. The many short substeps that stability requires compute
// the forces from products with them:
//
//     f = f0 - K (x - x0) - D (v - v0)          (Shinya 2005, eq. 34; f0 the force at x0 and v0)
//
// Substeps use forward-backward Euler, whose longest stable substep without damping is the paper's eq. 25. The paper
// writes forward Euler, which gains energy at every substep unless it is damped exactly right (eq. 31). K is projected,
// since k0 is that of the projected K: the lateral push of a compressed spring, which would grow without bound in the
// linear model, is then in f0 alone.
//
// The forces are linearised at the start of every timestep, after `relinearize`, and when a speed beyond `threshold`
// indicates divergence. That substep is discarded, unless it is the first after a linearisation. Reports count
// linearisations as iterations and discarded substeps as rejected.
#include "solver/explicit.h"

#include <string.h>

typedef struct options {
    tide_explicit_options explicit;
    double relinearize, threshold;
} options;

static const tide_field fields[] = {
    TIDE_EXPLICIT_FIELDS,
    { TIDE_MEMBER(options, relinearize), .type = TIDE_FIELD_REAL, .initial = { 0.01 }, .maximum = INFINITY,
      .positive = true, .unit = "s", .help = "time for which K and D are used before they are evaluated again" },
    { TIDE_MEMBER(options, threshold), .type = TIDE_FIELD_REAL, .maximum = INFINITY, .positive = true, .word = "auto",
      .unit = "m/s",
      .help = "speed at which a substep counts as diverged, is discarded, and K is evaluated again; \"auto\": twice "
              "the speed predicted from the velocities and accelerations at the last evaluation" },
    { 0 },
};

typedef struct state {
    tide_explicit explicit;
    options options;          // as prepared
    tide_stiffness stiffness; // K at x0
    double threshold_squared;
    uint32_t since; // substeps of the timestep at the last linearisation
} state;

enum { X0, FORCE0, OFFSET, NEW_V, STAGES }; // FORCE0: f_ext - grad E(x0)

// Smallest threshold: a system at rest reaches lower speeds by rounding.
#define SLOWEST 1e-6 // m/s

static double fastest_squared(const tide_explicit *run, const double *v, double factor, const double *a)
{
    double most = 0;
    for (uint32_t row = 0; row < run->free_count; row++) {
        size_t i = 3 * (size_t)run->system->free_particles[row];
        double sum = 0;
        for (size_t k = i; k < i + 3; k++) {
            double speed = fabs(v[k]) + (a ? factor * fabs(a[k]) : 0);
            sum += speed * speed;
        }
        if (!(sum <= most)) // returns NaN if a number is not finite
            most = sum;
        if (isnan(most))
            break;
    }
    return most;
}

static void linearise(state *s, const double *x, const double *v)
{
    tide_explicit *run = &s->explicit;
    size_t numbers = 3 * (size_t)run->particle_count;
    double *force = tide_explicit_stage(run, FORCE0), *a = tide_explicit_stage(run, NEW_V);
    memcpy(tide_explicit_stage(run, X0), x, numbers * sizeof *x);
    tide_explicit_acceleration(run, x, v, a);
    for (size_t i = 0; i < numbers; i++)
        force[i] = run->step->force[i] - run->gradient[i];
    tide_stiffness_evaluate(&s->stiffness, run->system, x, true, 1, 0);
    double most = s->options.threshold;
    s->threshold_squared = tide_given(most)
                               ? most * most
                               : fmax(SLOWEST * SLOWEST, 4 * fastest_squared(run, v, s->options.relinearize, a));
    s->since = run->taken;
    run->iterations++;
}

// Computes the velocities after a substep into NEW_V.
static void advance_velocities(state *s, double h, const double *x, const double *v)
{
    tide_explicit *run = &s->explicit;
    const tide_system *system = run->system;
    const double *x0 = tide_explicit_stage(run, X0), *force = tide_explicit_stage(run, FORCE0);
    double *offset = tide_explicit_stage(run, OFFSET), *next = tide_explicit_stage(run, NEW_V);
    bool of_springs = run->options.damping.model == TIDE_DAMPING_SPRINGS && run->damping_stiffness > 0;
    double alpha = of_springs ? 0 : run->damping_stiffness;
    for (size_t i = 0; i < 3 * (size_t)run->particle_count; i++)
        offset[i] = x[i] - x0[i] + alpha * v[i];
    tide_stiffness_multiply(&s->stiffness, offset, run->product);
    if (of_springs) { // the model `springs` has its own matrix
        tide_stiffness_multiply(&run->stiffness, v, offset);
        tide_explicit_add(run, 1, offset, run->product);
    }
    memcpy(next, v, 3 * (size_t)run->particle_count * sizeof *v);
    for (uint32_t row = 0; row < system->free_count; row++) {
        uint32_t p = system->free_particles[row];
        double factor = h / system->masses[p], keep = 1 - h * run->damping_mass;
        for (size_t i = 3 * (size_t)p; i < 3 * (size_t)p + 3; i++)
            next[i] = keep * v[i] + factor * (force[i] - run->product[i]);
    }
    tide_explicit_filter(run, next);
}

static void advance(tide_explicit *run, double h, double *x, double *v)
{
    state *s = (state *)run;
    const double *next = tide_explicit_stage(run, NEW_V);
    if (run->taken == 0 || (run->taken - s->since) * h >= s->options.relinearize * (1 - 1e-9))
        linearise(s, x, v);
    advance_velocities(s, h, x, v);
    if (run->taken != s->since && !(fastest_squared(run, next, 0, NULL) <= s->threshold_squared)) {
        run->rejected++;
        linearise(s, x, v);
        advance_velocities(s, h, x, v);
    }
    memcpy(v, next, 3 * (size_t)run->particle_count * sizeof *v);
    tide_explicit_add(run, h, v, x);
}

static tide_status prepare(tide_solver *solver, const tide_system *system, double h, const double *x,
                           uint32_t *bad_particle, tide_error *error)
{
    state *s = solver->state;
    tide_status status = tide_stiffness_prepare(&s->stiffness, system, error);
    s->options = *(const options *)solver->options;
    if (!status)
        return tide_explicit_prepare(solver, system, h, x, bad_particle, error);
    s->explicit.system = NULL;
    return status;
}

static void destroy(tide_solver *solver)
{
    state *s = solver->state;
    tide_stiffness_free(&s->stiffness);
    tide_explicit_destroy(solver);
}

// The same as that of symplectic_euler.
static double amplification(double X, double Y)
{
    return tide_spectral_radius(2 - X - Y, 1 - X);
}

static const tide_scheme scheme = {
    .y_max = 4, .x_max = 0, .stages = STAGES, .advance = advance, .filters_itself = true
};

const tide_solver_kind tide_linearized_explicit = {
    .name = "linearized_explicit",
    .help = "symplectic Euler on forces linearised every 0.01 s: many cheap substeps for few evaluations of forces",
    .source = "Shinya 2005: sec. 4, eq. 34; largest stable substep: eq. 25 and 27",
    .fields = fields,
    .options_size = sizeof(options),
    .state_size = sizeof(state),
    .context = &scheme,
    .order = 1,
    .amplification = amplification,
    .prepare = prepare,
    .step = tide_explicit_step,
    .cuts_timestep = true,
    .destroy = destroy,
    .history_size = tide_explicit_history_size,
    .save_history = tide_explicit_save_history,
    .load_history = tide_explicit_load_history,
};
