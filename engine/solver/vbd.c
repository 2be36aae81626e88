// Vertex block descent: minimises g by moving one particle at a time, colour by colour,
//
//     x_i <- x_i - H_i^-1 dg/dx_i,    H_i = M_i + h^2 sum of the elements' d2E/dx_i2, made definite  (Chen 2024)
//
// starting from x = q + h v~, changed by contacts. For a body at rest this start is the end of the step, and a body in
// free fall is moved to its end as a whole. The paper's step may overshoot: across a compressed spring the true
// curvature is negative, H_i has none, and yet g rises where the spring has turned. A sweep that increases g is
// therefore undone and repeated with a test of each single step d; later sweeps of the timestep use the test too. d is
// taken when b |d|^2 / 2 <= d' H_i d with b = M_i + h^2 L_ii, which bounds d2g/dx_i2 from above, or else when the
// elements' energies show that g decreases. Otherwise the step is -dg/dx_i / b, which decreases g.
//
// After each sweep, unless `rigid` is false (as published), each free set of joined particles moves and turns as a
// whole to where g is least (rigid_motion.h), and each rigid body as a block (rigid_blocks.h). Single particles find
// this motion most slowly of all: without it a block that slides down a slope under 20 sweeps gained a quarter of its
// acceleration, and momentum is conserved only as far as sweeps converge.
//
// The acceleration, as in the paper, is Chebyshev's semi-iteration (Wang 2015, eq. 9 to 11) with an estimate rho of the
// factor by which a sweep reduces the error:
//
//     w_1 = 1, w_2 = 2 / (2 - rho^2), w_n = 4 / (4 - rho^2 w_{n-1}),    x_n <- w_n (x_n - x_{n-2}) + x_{n-2}
//
// It restarts wherever it would increase g.
//
// A few sweeps hardly change the smooth part of x - y in bodies that are held: momentum that springs should have
// stopped continues, and energy is gained although g decreases. The hippopotamus of scenes/table1/hippo.lua (13,135
// springs, 1/30 s, feet pinned, 23.3 J at first, no contact) reaches 44 J with 20 sweeps, 29 J with 100, 28 J with 20
// and rho 0.99, and 24 J with 20 in steps of 1/150 s. The same happens to a body that falls on one that is held: a soft
// cube of 0.4 kg on a cloth of 0.04 kg, 0.8 J at first, reaches 460 J with 20 sweeps and 0.83 J with 100. It also
// happens to a stiff body that stops: contacts push single particles, and the force that stops the whole body takes
// many sweeps to emerge. A ball of 3e6 N/m that falls on a floor at 1/60 s with 2 J reaches 15,000 J with 20 sweeps,
// 57 J with 500 and 1.98 J, as under newton, with 5,000; a ball of 3,000 N/m reaches 10 J with 20 and 1.98 J with 500.
#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/stop.h"
#include "base/vec3.h"
#include "model/colouring.h"
#include "solver/objective.h"
#include "solver/rigid_blocks.h"
#include "solver/rigid_motion.h"

#include <string.h>

#define OBJECT "solver \"vbd\""

enum { GRAIN = 64 }; // particles in a chunk of a parallel loop: about 0.01 ms of work

typedef struct options {
    tide_solver_common common;
    int iterations;
    double tolerance;
    double rho; // of the acceleration
    bool rigid;
    tide_damping damping;
} options;

static const tide_field fields[] = {
    TIDE_SOLVER_COMMON_FIELDS(options),
    TIDE_ITERATIONS_FIELD(options, iterations, 20, "sweeps over all particles"),
    TIDE_TOLERANCE_FIELD(options, tolerance, 0),
    { TIDE_MEMBER(options, rho), .type = TIDE_FIELD_REAL, .initial = { 0 }, .minimum = 0, .maximum = 0.9999,
      .help = "spectral radius for Chebyshev acceleration: the factor by which a sweep reduces the error, 0.999 on a "
              "fine cloth; 0: no acceleration" },
    { TIDE_MEMBER(options, rigid), .type = TIDE_FIELD_BOOLEAN, .initial = { true },
      .help = "after each sweep, move and turn each free body rigidly to minimise g; false: move single particles "
              "only, as published" },
    TIDE_DAMPING_FIELD(options, tide_damping_fields),
    { 0 },
};

typedef struct state {
    void *memory; // owns the arrays
    tide_objective objective;
    tide_colouring colouring;
    tide_incidence incidence;
    tide_rigid_sets rigid;
    tide_rigid_blocks bodies;
    double *gradient; // (3 * particle_count)
    double *kept;     // (3 * particle_count)
    double *last[2];  // (3 * particle_count) x before the last sweep, and before the one before that
    // With damping: x - q, the 3 x 3 diagonal blocks of h D, and the index at which each group's compact parts of h D
    // begin.
    double *offset; // (3 * particle_count)
    double *blocks; // (9 * particle_count)
    size_t *compact_start;
    // The current step.
    double *x;
    double value;  // g(x)
    bool weighed;  // single steps are tested
    double weight; // w_n; 1 where the acceleration starts
} state;

static bool is_damped(const tide_damping *damping)
{
    return damping->model != TIDE_DAMPING_NONE && (damping->mass > 0 || damping->stiffness > 0);
}

static tide_status make_arrays(state *s, const tide_system *system, bool damped, tide_error *error)
{
    tide_renew_owner(&s->memory, false);
    s->gradient = tide_own_zeroed(s->memory, system->particle_count, 3 * sizeof *s->gradient);
    s->kept = tide_own_zeroed(s->memory, system->particle_count, 3 * sizeof *s->kept);
    for (int i = 0; i < 2; i++)
        s->last[i] = tide_own_zeroed(s->memory, system->particle_count, 3 * sizeof *s->last[i]);
    if (damped) {
        s->offset = tide_own_zeroed(s->memory, system->particle_count, 3 * sizeof *s->offset);
        s->blocks = tide_own_zeroed(s->memory, system->particle_count, 9 * sizeof *s->blocks);
        s->compact_start = tide_own_zeroed(s->memory, system->group_count + (size_t)1, sizeof *s->compact_start);
    }
    if (!tide_owns_all(s->memory))
        return tide_fail_memory(error, OBJECT);
    for (uint32_t g = 0; damped && g < system->group_count; g++)
        s->compact_start[g + 1] =
            s->compact_start[g] + (size_t)system->groups[g].kind->compact_size * system->groups[g].count;
    return TIDE_OK;
}

static tide_status prepare(tide_solver *solver, const tide_system *system, double h, const double *x,
                           uint32_t *bad_particle, tide_error *error)
{
    state *s = solver->state;
    const options *o = solver->options;
    (void)x, (void)bad_particle;
    s->objective.resistance.one_by_one = true; // see resist
    tide_status status = tide_solver_refuse_coupled(solver, system, error);
    if (!status)
        status = tide_objective_prepare(&s->objective, system, h, &o->damping, error);
    if (!status)
        status = tide_colour_particles(system, &s->colouring, error);
    if (!status)
        status = tide_incidence_make(system, &s->incidence, error);
    if (!status)
        status = tide_rigid_blocks_make(system, &s->incidence, &s->bodies, error);
    tide_rigid_sets_free(&s->rigid);
    if (!status && o->rigid)
        status = tide_rigid_sets_make(system, &s->rigid, error);
    if (!status)
        status = make_arrays(s, system, is_damped(&o->damping), error);
    if (status)
        s->objective.system = NULL;
    return status;
}

// Gradient and Hessian of g, or of a part of g, for one particle.
typedef struct derivatives {
    double gradient[3], hessian[9];
} derivatives;

// Adds those of damping, h/2 (x - q)' D (x - q).
static void resist(const state *s, uint32_t p, derivatives *d)
{
    const tide_objective *o = &s->objective;
    double factor = o->s * o->damping.mass * o->system->masses[p];
    for (uint32_t k = 0; k < 9; k++)
        d->hessian[k] += s->blocks[9 * (size_t)p + k];
    for (uint32_t k = 0; k < 3; k++) {
        d->hessian[4 * k] += factor;
        d->gradient[k] += factor * s->offset[3 * (size_t)p + k];
    }
    for (uint32_t c = s->incidence.first[p]; c < s->incidence.first[p + 1]; c++) {
        const tide_corner *corner = &s->incidence.corners[c];
        const tide_elements *group = &o->system->groups[corner->group];
        const double *compact = o->resistance.compact + s->compact_start[corner->group] +
                                (size_t)group->kind->compact_size * corner->element;
        double product[TIDE_ELEMENT_MAX_NUMBERS];
        group->kind->multiply(group, compact, s->offset, corner->element, corner->element + 1, product);
        for (uint32_t k = 0; k < 3; k++)
            d->gradient[k] += product[3 * corner->corner + k];
    }
}

// Returns those of g without the elements' energy, which are exact as this part is quadratic.
static derivatives inertia(const state *s, uint32_t p)
{
    const double *x = s->x + 3 * (size_t)p, *y = s->objective.y + 3 * (size_t)p;
    double m = s->objective.system->masses[p];
    derivatives d = { .hessian = { [0] = m, [4] = m, [8] = m } };
    for (uint32_t k = 0; k < 3; k++)
        d.gradient[k] = m * (x[k] - y[k]);
    if (s->offset)
        resist(s, p, &d);
    return d;
}

static void add_corner(const tide_elements *group, const double *x, const tide_corner *corner, double scale,
                       derivatives *d)
{
    double gradient[3], hessian[9];
    group->kind->corner(group, x, corner->element, corner->corner, gradient, hessian);
    for (uint32_t k = 0; k < 3; k++)
        d->gradient[k] += scale * gradient[k];
    for (uint32_t k = 0; k < 9; k++)
        d->hessian[k] += scale * hessian[k];
}

static void add_elements(const state *s, uint32_t p, derivatives *d)
{
    double hh = s->objective.s * s->objective.s;
    const tide_corner *corners = s->incidence.corners;
    for (uint32_t c = s->incidence.first[p], end = s->incidence.first[p + 1]; c < end;) {
        const tide_elements *group = &s->objective.system->groups[corners[c].group];
        uint32_t first = c++;
        while (group->kind->corners && c < end && corners[c].group == corners[first].group)
            c++;
        if (group->kind->corners)
            group->kind->corners(group, s->x, &corners[first], c - first, hh, d->gradient, d->hessian);
        else
            add_corner(group, s->x, &corners[first], hh, d);
    }
}

// Returns -H^-1 gradient by H = L D L'.
static tide_vec3 newton_step(const derivatives *d)
{
    const double *h = d->hessian, *g = d->gradient;
    double l10 = h[3] / h[0], l20 = h[6] / h[0];
    double d1 = h[4] - l10 * h[3], e = h[7] - l20 * h[3], l21 = e / d1;
    double d2 = h[8] - l20 * h[6] - l21 * e;
    double b0 = -g[0], b1 = -g[1] - l10 * b0, b2 = -g[2] - l20 * b0 - l21 * b1;
    double z = b2 / d2, y = b1 / d1 - l21 * z;
    return (tide_vec3) { b0 / h[0] - l10 * y - l20 * z, y, z };
}

static double slope(const derivatives *d, tide_vec3 step)
{
    return tide_vec3_dot(tide_vec3_load(d->gradient), step);
}

// Returns step' H step.
static double curvature(const derivatives *d, tide_vec3 step)
{
    const double *h = d->hessian;
    tide_vec3 product = { tide_vec3_dot(tide_vec3_load(h), step), tide_vec3_dot(tide_vec3_load(h + 3), step),
                          tide_vec3_dot(tide_vec3_load(h + 6), step) };
    return tide_vec3_dot(product, step);
}

static double energy_around(const state *s, uint32_t p)
{
    double sum = 0;
    for (uint32_t c = s->incidence.first[p]; c < s->incidence.first[p + 1]; c++) {
        const tide_corner *corner = &s->incidence.corners[c];
        const tide_elements *group = &s->objective.system->groups[corner->group];
        sum += group->kind->energy(group, s->x, corner->element, corner->element + 1);
    }
    return sum;
}

static void move_particle(const state *s, uint32_t p)
{
    double *at = s->x + 3 * (size_t)p, b = s->objective.diagonal[p];
    tide_vec3 from = tide_vec3_load(at);
    derivatives quadratic = inertia(s, p), all = quadratic;
    add_elements(s, p, &all);
    tide_vec3 step = newton_step(&all), to = tide_vec3_add(from, step);
    if (!s->weighed || 0.5 * b * tide_vec3_dot(step, step) <= -slope(&all, step)) {
        tide_vec3_store(at, to);
    } else {
        double before = energy_around(s, p), hh = s->objective.s * s->objective.s;
        tide_vec3_store(at, to);
        double change =
            hh * (energy_around(s, p) - before) + slope(&quadratic, step) + 0.5 * curvature(&quadratic, step);
        if (!(change <= 0)) {
            to = tide_vec3_subtract(from, tide_vec3_scale(tide_vec3_load(all.gradient), 1 / b));
            tide_vec3_store(at, to);
        }
    }
    if (s->offset)
        tide_vec3_store(s->offset + 3 * (size_t)p,
                        tide_vec3_subtract(to, tide_vec3_load(s->objective.origin + 3 * (size_t)p)));
}

typedef struct sweep {
    const state *s;
    const uint32_t *particles;
} sweep;

static void move_some(void *context, uint32_t begin, uint32_t end)
{
    const sweep *w = context;
    for (uint32_t i = begin; i < end; i++)
        if (!w->s->bodies.count || w->s->bodies.body_of[w->particles[i]] == UINT32_MAX)
            move_particle(w->s, w->particles[i]);
}

static void move_all(const state *s)
{
    for (uint32_t c = 0; c < s->colouring.colours; c++) {
        uint32_t begin = s->colouring.start[c];
        sweep w = { .s = s, .particles = s->colouring.items + begin };
        tide_parallel_for(s->colouring.start[c + 1] - begin, GRAIN, move_some, &w);
    }
}

static size_t numbers(const state *s)
{
    return 3 * (size_t)s->objective.particle_count;
}

// Recomputes the offset after x has changed.
static void renew_offset(state *s)
{
    for (size_t i = 0; s->offset && i < numbers(s); i++)
        s->offset[i] = s->x[i] - s->objective.origin[i];
}

static void put_back(state *s, const double *x)
{
    memcpy(s->x, x, numbers(s) * sizeof *x);
    renew_offset(s);
}

// Returns true if `value` is no increase of g up to rounding; s->value then becomes it.
static bool falls_to(state *s, double value)
{
    if (!(value <= s->value + 1e-13 * fabs(s->value)))
        return false;
    s->value = value;
    return true;
}

static bool has_fallen(state *s)
{
    return falls_to(s, tide_objective_value(&s->objective, s->x));
}

static void sweep_once(state *s)
{
    move_all(s);
    if (has_fallen(s) || s->weighed)
        return;
    put_back(s, s->last[0]);
    s->weighed = true;
    move_all(s);
    has_fallen(s);
}

// Writes m (x - y) of the particles in rigid sets to the gradient. Returns their part of g, 1/2 (x - y)' m (x - y).
static double inertia_of_sets(const state *s)
{
    const tide_objective *o = &s->objective;
    double sum = 0;
    for (uint32_t n = 0; n < s->rigid.start[s->rigid.count]; n++) {
        size_t p = s->rigid.particles[n];
        for (size_t i = 3 * p; i < 3 * p + 3; i++) {
            double away = s->x[i] - o->y[i];
            s->gradient[i] = o->system->masses[p] * away;
            sum += away * s->gradient[i];
        }
    }
    return 0.5 * sum;
}

// Applies rigid motions after a sweep. If g increases, x stays. Without damping only inertia changes g: a rigid motion
// changes no elastic energy.
static void move_rigidly(state *s)
{
    if (s->rigid.count == 0)
        return;
    const tide_objective *o = &s->objective;
    double before = s->offset ? 0 : inertia_of_sets(s);
    if (s->offset)
        tide_objective_gradient(o, s->x, s->gradient);
    memcpy(s->kept, s->x, numbers(s) * sizeof *s->x);
    tide_rigid_sets_move(&s->rigid, o, s->gradient, s->x);
    renew_offset(s);
    if (!(s->offset ? has_fallen(s) : falls_to(s, s->value - before + inertia_of_sets(s))))
        put_back(s, s->kept);
}

// Moves rigid bodies as blocks after a sweep. If g increases, which damping can cause, x stays.
static void move_blocks(state *s)
{
    if (s->bodies.count == 0)
        return;
    memcpy(s->kept, s->x, numbers(s) * sizeof *s->x);
    tide_rigid_blocks_move(&s->bodies, &s->objective, s->x);
    renew_offset(s);
    if (!has_fallen(s))
        put_back(s, s->kept);
}

// Accelerates after a sweep. If g increases, x stays. The gradient array holds x meanwhile.
static void accelerate(state *s, double rho)
{
    double weight = s->weight == 1 ? 2 / (2 - rho * rho) : 4 / (4 - rho * rho * s->weight);
    memcpy(s->gradient, s->x, numbers(s) * sizeof *s->x);
    for (size_t i = 0; i < numbers(s); i++)
        s->x[i] = weight * (s->x[i] - s->last[1][i]) + s->last[1][i];
    renew_offset(s);
    s->weight = weight;
    if (has_fallen(s))
        return;
    put_back(s, s->gradient);
    s->weight = 1;
}

// Solves contacts. If they moved x, which changes g, evaluates g again and restarts the acceleration.
static double touch(state *s, const tide_step *step, tide_report *report)
{
    double moved = tide_step_iterate_particles(step, s->x, s->objective.y, true, report);
    if (moved > 0) {
        renew_offset(s);
        s->value = tide_objective_value(&s->objective, s->x);
        s->weight = 1;
    }
    return moved;
}

// Initialises the iteration for a new s->x.
static void begin(state *s)
{
    renew_offset(s);
    s->value = tide_objective_value(&s->objective, s->x);
    s->weighed = false;
    s->weight = 1;
}

static void start(state *s, const tide_step *step)
{
    tide_objective_predict(&s->objective, step);
    tide_objective_begin(&s->objective, step->q);
    s->x = step->x;
    for (size_t i = 0; i < numbers(s); i++)
        s->x[i] =
            step->system->rows[i / 3] == TIDE_PINNED ? s->objective.y[i] : step->q[i] + step->h * step->velocity[i];
    begin(s);
    if (s->offset)
        tide_stiffness_diagonal(&s->objective.resistance, s->blocks);
}

static void iterate(state *s, double rho, uint32_t done)
{
    double *oldest = s->last[1];
    s->last[1] = s->last[0];
    s->last[0] = oldest;
    memcpy(s->last[0], s->x, numbers(s) * sizeof *s->x);
    sweep_once(s);
    move_rigidly(s);
    move_blocks(s);
    if (rho > 0 && done > 0)
        accelerate(s, rho);
}

// Iterates from a gradient of norm `norm` and returns the final norm. `touched` is the displacement of x by contacts.
static double descend(state *s, const options *o, const tide_step *step, double target, double norm, double touched,
                      tide_report *report)
{
    for (int i = 0; i < o->iterations && !(o->tolerance > 0 && norm <= target && touched <= TIDE_CONTACT_TOLERANCE) &&
                    !tide_stop_requested();
         i++) {
        iterate(s, o->rho, (uint32_t)i);
        touched = touch(s, step, report);
        report->iterations++;
        if (o->tolerance > 0 || i + 1 == o->iterations)
            norm = tide_objective_gradient(&s->objective, step->x, s->gradient);
    }
    return norm;
}

static tide_status take_step(tide_solver *solver, const tide_step *step, tide_report *report, tide_error *error)
{
    state *s = solver->state;
    const options *o = solver->options;
    if (!tide_objective_is_for(&s->objective, step->system, step->h))
        return tide_solver_fail_unprepared(solver, error);
    double begun = tide_method_seconds(report);
    start(s, step);
    double touched = touch(s, step, report),
           initial = tide_objective_gradient(&s->objective, s->objective.y, s->gradient);
    double norm = tide_objective_gradient(&s->objective, step->x, s->gradient);
    double target = tide_objective_target(&s->objective, o->tolerance, initial);
    norm = descend(s, o, step, target, norm, touched, report);
    double g = tide_objective_value(&s->objective, step->x);
    if (tide_objective_raises_energy(&s->objective, step, report, step->x, g, s->kept)) {
        memcpy(step->x, s->kept, numbers(s) * sizeof *step->x);
        begin(s);
        norm = tide_objective_gradient(&s->objective, step->x, s->gradient);
        norm = descend(s, o, step, target, norm, 0, report);
        g = tide_objective_value(&s->objective, step->x);
    }
    tide_step_finish_velocities(step);
    tide_objective_report(&s->objective, g, initial, norm, o->tolerance, report);
    report->local_seconds += tide_method_seconds(report) - begun;
    return TIDE_OK;
}

static void destroy(tide_solver *solver)
{
    state *s = solver->state;
    tide_objective_free(&s->objective);
    tide_colouring_free(&s->colouring);
    tide_incidence_free(&s->incidence);
    tide_rigid_blocks_free(&s->bodies);
    tide_rigid_sets_free(&s->rigid);
    tide_free(s->memory);
}

const tide_solver_kind tide_vbd = {
    .name = "vbd",
    .help = "vertex block descent: implicit Euler by moving one particle at a time; iterations are cheap and never "
            "increase g, but many are needed",
    .source = "Chen et al. 2024, Vertex block descent; its acceleration: Wang 2015, eq. 9 to 11",
    .fields = fields,
    .options_size = sizeof(options),
    .state_size = sizeof(state),
    .rigid_stiffness = 1e4,
    .rigid_place = 1,
    .prepare = prepare,
    .step = take_step,
    .destroy = destroy,
};
