// Semi-implicit (linearly implicit) Euler: one Newton step of backward Euler from q (Baraff and Witkin 1998, eq. 6),
//
//     (M + h D + h^2 K) dv = h (f(q) + f_ext) - (h^2 K + h D) v,    x = q + h (v + dv)
//
// with K = d2E/dx2 at q. Pinned particles have the velocity that leads to their targets. h^2 K and the stiffness part
// of h D are one operator of 6 numbers for each spring (Kauppila, sec. 4.1), so that conjugate gradients read it once
// in an iteration; "springs" damping is Kauppila's kd = stiffness * k.
//
// Adaptive steps (Kauppila, sec. 3.2.3): a step in which an element's length changes by more than a fraction of its
// rest length is discarded and halved. After two successive good steps it is doubled again, up to the timestep, at the
// next multiple of the doubled one.
#include "base/clock.h"
#include "base/memory.h"
#include "base/stop.h"
#include "linear/iterative.h"
#include "solver/objective.h"

#include <stdio.h>
#include <string.h>

#define OBJECT "solver \"semi_implicit\""

enum { CG, CHOLESKY, CHOLMOD };
enum { PROJECTED, NONE };
enum {
    MAX_HALVINGS = 20, // an element that still deforms too much in a millionth of the timestep has diverged
    TICKS = 1 << MAX_HALVINGS,
    GOOD_STEPS = 2
};

typedef struct options {
    tide_solver_common common;
    int linear;
    double cg_tolerance;
    int cg_iterations;
    bool jacobi;
    int definite;
    bool adaptive;
    double max_deformation;
    tide_damping damping;
} options;

static const char *const linear_names[] = { "cg", "cholesky", "cholmod", NULL };
static const char *const definite_names[] = { "projected", "none", NULL };

static const tide_field fields[] = {
    TIDE_SOLVER_COMMON_FIELDS(options),
    { TIDE_MEMBER(options, linear), .type = TIDE_FIELD_CHOICE, .choices = linear_names,
      .help = "linear solver: conjugate gradients without a matrix, a sparse factorisation or, for comparison, that of "
              "CHOLMOD" },
    { TIDE_MEMBER(options, cg_tolerance), .type = TIDE_FIELD_REAL, .initial = { 1e-3 }, .minimum = 0, .positive = true,
      .maximum = 1,
      .help = "with \"cg\": the residual, relative to the right-hand side, at which conjugate gradients stop; with "
              "rigid bodies a 10,000th of it" },
    { TIDE_MEMBER(options, cg_iterations), .type = TIDE_FIELD_INTEGER, .initial = { 1000 }, .minimum = 1,
      .maximum = 1e6,
      .help = "with \"cg\": largest number of iterations; the step is then taken with the current solution" },
    { TIDE_MEMBER(options, jacobi), .type = TIDE_FIELD_BOOLEAN, .initial = { true },
      .help = "with \"cg\": precondition with the inverses of the diagonal's 3 x 3 blocks" },
    { TIDE_MEMBER(options, definite), .type = TIDE_FIELD_CHOICE, .choices = definite_names,
      .help = "how the matrix is made positive definite: \"projected\", spring by spring; or \"none\", as published, "
              "which fails where springs are compressed too much" },
    { TIDE_MEMBER(options, adaptive), .type = TIDE_FIELD_BOOLEAN, .initial = { false },
      .help =
          "repeat a step with half its length if a spring deforms too much; double the length after two good steps" },
    { TIDE_MEMBER(options, max_deformation), .type = TIDE_FIELD_REAL, .initial = { 0.1 }, .minimum = 0,
      .positive = true, .maximum = INFINITY,
      .help = "with \"adaptive\": largest change of a spring's length in a step, as a fraction of its rest length" },
    TIDE_DAMPING_FIELD(options, tide_damping_fields),
    { 0 },
};

// State that a step passes to the next, and that snapshots keep.
typedef struct history {
    uint32_t halvings;   // a step is the timestep / 2^halvings
    uint32_t good_steps; // successive good steps, at most 2
} history;

typedef struct state {
    void *memory;             // owns the arrays
    tide_objective objective; // for the report, and for y of the timestep
    tide_stiffness stiffness; // h^2 K + the stiffness part of h D
    tide_assembly assembly;   // for "cholesky" and "cholmod"
    tide_cholesky *cholesky;
    // (3 * particle_count) each: the right-hand side; dv; v with the velocities of pinned particles; a product; x, v
    // and pins at the start of a part of the timestep; workspace of conjugate gradients (12 *).
    double *rhs, *change, *velocity, *product, *start, *start_velocity, *pinned, *work;
    double *blocks; // (9 * particle_count) inverse diagonal blocks; 0 for pinned particles
    uint32_t particle_count;
    history history;
    const options *options;
    double mass_factor; // 1 + h d0 of the current step
    double tolerance;   // of conjugate gradients
} state;

static tide_status make_arrays(state *s, const tide_system *system, tide_error *error)
{
    size_t numbers = 3 * (size_t)system->particle_count;
    if (!tide_renew_owner(&s->memory, s->particle_count == system->particle_count))
        return TIDE_OK;
    s->particle_count = system->particle_count;
    s->rhs = tide_own_zeroed(s->memory, numbers, 11 * sizeof *s->rhs);
    s->blocks = tide_own_zeroed(s->memory, numbers, 3 * sizeof *s->blocks);
    if (!tide_owns_all(s->memory))
        return tide_fail_memory(error, OBJECT);
    double **parts[] = { &s->change, &s->velocity, &s->product, &s->start, &s->start_velocity, &s->pinned, &s->work };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        *parts[i] = s->rhs + (i + 1) * numbers;
    return TIDE_OK;
}

// Computes h^2 K + h D without the mass part of D, as a K + b L.
static void operator_parts(const options *o, double h, double *a, double *b)
{
    *a = h * h + (o->damping.model == TIDE_DAMPING_RAYLEIGH ? h * o->damping.stiffness : 0);
    *b = o->damping.model == TIDE_DAMPING_SPRINGS ? h * o->damping.stiffness : 0;
}

static double mass_factor(const options *o, double h)
{
    return o->damping.model != TIDE_DAMPING_NONE ? 1 + h * o->damping.mass : 1;
}

static tide_status fail_indefinite(uint32_t particle, tide_error *error)
{
    char value[32];
    snprintf(value, sizeof value, "%u", particle);
    return tide_fail(error, TIDE_ERROR_NUMERIC, OBJECT, particle == TIDE_NO_PARTICLE ? NULL : "particle",
                     particle == TIDE_NO_PARTICLE ? NULL : value,
                     "the matrix M + h D + h^2 K is not positive definite: set definite = \"projected\" where springs "
                     "are compressed too much; otherwise lower the timestep or the stiffness, or raise the mass");
}

static tide_status factor(state *s, const tide_system *system, const double *x, double h, bool project,
                          uint32_t *bad_particle, tide_error *error)
{
    double a, b;
    operator_parts(s->options, h, &a, &b);
    tide_assembly_fill(&s->assembly, system, x, project, mass_factor(s->options, h), a, b);
    uint32_t bad_row = UINT32_MAX;
    tide_status status = tide_cholesky_factor(s->cholesky, &s->assembly.matrix, &bad_row, error);
    if (status != TIDE_ERROR_NUMERIC || bad_row / 3 >= system->free_count)
        return status;
    *bad_particle = system->free_particles[bad_row / 3];
    return fail_indefinite(*bad_particle, error);
}

// The first factorisation and solve allocate everything that later ones need.
static tide_status prepare_cholesky(state *s, const tide_system *system, double h, const double *x,
                                    uint32_t *bad_particle, tide_error *error)
{
    TIDE_TRY(s->cholesky ? TIDE_OK : tide_cholesky_create(&s->cholesky, error));
    tide_cholesky_expect(s->cholesky, 1);
    tide_cholesky_choose(s->cholesky, s->options->linear == CHOLMOD ? TIDE_CHOLESKY_REFERENCE : TIDE_CHOLESKY_DOUBLE,
                         0);
    TIDE_TRY(tide_assembly_prepare(&s->assembly, system, error));
    TIDE_TRY(factor(s, system, x, h, true, bad_particle, error));
    memset(s->work, 0, 3 * (size_t)system->particle_count * sizeof *s->work);
    return tide_cholesky_solve(s->cholesky, 1, s->work, s->work, error);
}

static tide_status prepare(tide_solver *solver, const tide_system *system, double h, const double *x,
                           uint32_t *bad_particle, tide_error *error)
{
    state *s = solver->state;
    s->options = solver->options;
    s->history = (history) { 0 };
    tide_status status = make_arrays(s, system, error);
    if (!status)
        status = tide_objective_prepare(&s->objective, system, h, &s->options->damping, error);
    if (!status)
        status = tide_stiffness_prepare(&s->stiffness, system, error);
    if (!status && s->options->linear != CG)
        status = prepare_cholesky(s, system, h, x, bad_particle, error);
    if (status)
        s->objective.system = NULL;
    return status;
}

// Inverts a symmetric matrix in place. Returns false when it is not positive definite.
static bool invert(double m[9])
{
    double c0 = m[4] * m[8] - m[5] * m[5], c1 = m[5] * m[2] - m[1] * m[8], c2 = m[1] * m[5] - m[4] * m[2];
    double d = m[0] * c0 + m[1] * c1 + m[2] * c2;
    if (!(m[0] > 0 && m[0] * m[4] - m[1] * m[1] > 0 && d > 0))
        return false;
    double c3 = m[0] * m[8] - m[2] * m[2], c4 = m[1] * m[2] - m[0] * m[5], c5 = m[0] * m[4] - m[1] * m[1];
    const double inverse[9] = { c0, c1, c2, c1, c3, c4, c2, c4, c5 };
    for (int k = 0; k < 9; k++)
        m[k] = inverse[k] / d;
    return true;
}

// Inverts the diagonal blocks. The matrix is not positive definite if one of them is not.
static tide_status invert_diagonal(state *s, const tide_system *system, uint32_t *suspect, tide_error *error)
{
    tide_stiffness_diagonal(&s->stiffness, s->blocks);
    for (uint32_t row = 0; row < system->free_count; row++) {
        uint32_t p = system->free_particles[row];
        double *block = s->blocks + 9 * (size_t)p, m = s->mass_factor * system->masses[p];
        block[0] += m;
        block[4] += m;
        block[8] += m;
        if (!invert(block)) {
            *suspect = p;
            return fail_indefinite(p, error);
        }
    }
    return TIDE_OK;
}

// Applies the operator. Conjugate gradients work on arrays of all particles; the entries of pinned ones stay 0.
static void apply(void *context, const double *in, double *out)
{
    state *s = context;
    tide_stiffness_apply(&s->stiffness, s->mass_factor, in, out);
}

static void precondition(void *context, const double *restrict in, double *restrict out)
{
    const state *s = context;
    for (size_t p = 0; p < s->particle_count; p++) {
        double *to = out + 3 * p;
        const double *b = s->blocks + 9 * p, x = in[3 * p], y = in[3 * p + 1], z = in[3 * p + 2];
        to[0] = b[0] * x + b[1] * y + b[2] * z;
        to[1] = b[1] * x + b[4] * y + b[5] * z;
        to[2] = b[2] * x + b[5] * y + b[8] * z;
    }
}

// Starts from solution = 0.
static tide_status iterate(state *s, const double *side, double *solution, tide_report *report,
                           tide_iterative_result *result, tide_error *error)
{
    const options *o = s->options;
    *result = tide_conjugate_gradient(apply, o->jacobi ? precondition : NULL, s, 3 * s->particle_count, side, solution,
                                      s->tolerance, (uint32_t)o->cg_iterations, s->work);
    report->linear_iterations += result->iterations;
    return o->definite == NONE && result->negative ? fail_indefinite(TIDE_NO_PARTICLE, error) : TIDE_OK;
}

static tide_status solve_by_cg(state *s, const tide_system *system, tide_report *report, tide_error *error)
{
    tide_iterative_result result;
    TIDE_TRY(s->options->jacobi ? invert_diagonal(s, system, &report->suspect, error) : TIDE_OK);
    TIDE_TRY(iterate(s, s->rhs, s->change, report, &result, error));
    report->converged = report->converged && result.converged;
    if (isnan(result.residual)) // the right-hand side is not finite and nothing was solved: x becomes NaN
        for (size_t i = 0; i < 3 * (size_t)s->particle_count; i++)
            s->change[i] = NAN;
    else if (!result.converged)
        snprintf(report->warning, sizeof report->warning,
                 "conjugate gradients stopped after %u iterations at a residual of %.2g; raise cg_iterations or "
                 "cg_tolerance",
                 result.iterations, result.residual);
    return TIDE_OK;
}

static tide_status solve_by_cholesky(state *s, const tide_step *step, tide_report *report, tide_error *error)
{
    TIDE_TRY(factor(s, step->system, step->q, step->h, s->options->definite == PROJECTED, &report->suspect, error));
    tide_system_gather(step->system, s->rhs, s->work);
    TIDE_TRY(tide_cholesky_solve(s->cholesky, 1, s->work, s->work, error));
    tide_system_scatter(step->system, s->work, s->change);
    return TIDE_OK;
}

// Computes the operator at q, v with the velocities of pinned particles, and the right-hand side.
static void linearise(state *s, const tide_step *step)
{
    const tide_system *system = step->system;
    double a, b, h = step->h, drag = mass_factor(s->options, h) - 1;
    operator_parts(s->options, h, &a, &b);
    s->mass_factor = 1 + drag;
    tide_stiffness_evaluate(&s->stiffness, system, step->q, s->options->definite == PROJECTED, a, b);
    for (uint32_t p = 0; p < system->particle_count; p++)
        for (size_t i = 3 * (size_t)p; i < 3 * (size_t)p + 3; i++)
            s->velocity[i] = system->rows[p] == TIDE_PINNED ? (step->pinned[i] - step->q[i]) / h : step->velocity[i];
    tide_stiffness_multiply(&s->stiffness, s->velocity, s->product);
    tide_system_gradient(system, step->q, s->rhs);
    for (uint32_t row = 0; row < system->free_count; row++) {
        uint32_t p = system->free_particles[row];
        for (size_t i = 3 * (size_t)p; i < 3 * (size_t)p + 3; i++)
            s->rhs[i] = h * (step->force[i] - s->rhs[i]) - s->product[i] - drag * system->masses[p] * s->velocity[i];
    }
}

static void move(const state *s, const tide_step *step)
{
    const tide_system *system = step->system;
    for (uint32_t p = 0; p < system->particle_count; p++)
        for (size_t i = 3 * (size_t)p; i < 3 * (size_t)p + 3; i++) {
            bool pinned = system->rows[p] == TIDE_PINNED;
            step->v[i] = s->velocity[i] + (pinned ? 0 : s->change[i]);
            step->x[i] = pinned ? step->pinned[i] : step->q[i] + step->h * step->v[i];
        }
}

static tide_status take_part(state *s, const tide_step *step, tide_report *report, tide_error *error)
{
    double start = tide_clock_seconds();
    linearise(s, step);
    memset(s->change, 0, 3 * (size_t)step->system->particle_count * sizeof *s->change);
    double solving = tide_clock_seconds();
    report->local_seconds += solving - start;
    tide_status status = s->options->linear == CG ? solve_by_cg(s, step->system, report, error)
                                                  : solve_by_cholesky(s, step, report, error);
    report->global_seconds += tide_clock_seconds() - solving;
    if (!status)
        move(s, step);
    return status;
}

typedef struct matrix_compliance {
    tide_compliance_operator base;
    state *state;
    tide_report *report;
} matrix_compliance;

static bool apply_inverse_matrix(const tide_compliance_operator *self, const double *force, double *moved)
{
    const matrix_compliance *y = (const matrix_compliance *)self;
    state *s = y->state;
    const tide_system *system = s->objective.system;
    tide_iterative_result result;
    memset(moved, 0, 3 * (size_t)s->particle_count * sizeof *moved);
    if (s->options->linear != CG) {
        tide_system_gather(system, force, s->work);
        if (tide_cholesky_solve(s->cholesky, 1, s->work, s->work, NULL) != TIDE_OK)
            return false;
        tide_system_scatter(system, s->work, moved);
        return true;
    }
    for (uint32_t p = 0; p < s->particle_count; p++)
        for (size_t i = 3 * (size_t)p; i < 3 * (size_t)p + 3; i++)
            s->product[i] = system->rows[p] == TIDE_PINNED ? 0 : force[i];
    return iterate(s, s->product, moved, y->report, &result, NULL) == TIDE_OK && !isnan(result.residual);
}

// Moves x by the compliance of the step's own matrix until contacts have converged.
static void touch(state *s, const tide_step *step, tide_report *report)
{
    double start = tide_method_seconds(report);
    matrix_compliance compliance = { { apply_inverse_matrix, .of_lines = true, .measured = true, .renewed = true },
                                     s,
                                     report };
    double moved = INFINITY;
    for (int round = 0; step->contact && round < TIDE_CONTACT_SOLVES && moved > TIDE_CONTACT_TOLERANCE; round++) {
        moved =
            tide_step_iterate_compliant(step, step->x, NULL, step->h, &compliance.base, TIDE_ITERATION_LAST, report);
        compliance.base.renewed = false;
    }
    for (size_t i = 0; step->contact && i < 3 * (size_t)s->particle_count; i++)
        step->v[i] = (step->x[i] - step->q[i]) / step->h;
    report->global_seconds += tide_method_seconds(report) - start;
}

// Returns the largest change of an element's relative deformation from q to x; NaN if one is. *particle is one of that
// element's particles.
static double deformation(const tide_step *step, uint32_t *particle)
{
    enum { BLOCK = 64 };
    double before[BLOCK], after[BLOCK], largest = 0;
    for (uint32_t g = 0; g < step->system->group_count; g++) {
        const tide_elements *group = &step->system->groups[g];
        for (uint32_t begin = 0; begin < group->count; begin += BLOCK) {
            uint32_t end = group->count - begin < BLOCK ? group->count : begin + BLOCK;
            group->kind->strain(group, step->q, begin, end, before);
            group->kind->strain(group, step->x, begin, end, after);
            for (uint32_t e = begin; e < end; e++) {
                double change = fabs(after[e - begin] - before[e - begin]);
                if (change <= largest)
                    continue;
                largest = change;
                *particle = group->vertices[(size_t)group->kind->vertex_count * e];
                if (isnan(change))
                    return change;
            }
        }
    }
    return largest;
}

// Updates the history after a good step. `taken` is the number of ticks completed.
static void lengthen(history *past, uint32_t taken)
{
    if (past->good_steps < GOOD_STEPS)
        past->good_steps++;
    uint32_t doubled = (uint32_t)TICKS >> (past->halvings - (past->halvings > 0));
    if (past->good_steps < GOOD_STEPS || past->halvings == 0 || taken % doubled)
        return;
    past->halvings--;
    past->good_steps = 0;
}

static tide_status fail_deformation(const state *s, double share, double h, tide_error *error)
{
    char value[32];
    snprintf(value, sizeof value, "%g", s->options->max_deformation);
    return tide_fail(error, TIDE_ERROR_NUMERIC, OBJECT, "max_deformation", value,
                     "a spring changes its length by %.3g of its rest length even in a step of %.2g s, a millionth of "
                     "the timestep; lower the velocities or the forces, or raise max_deformation",
                     share, h);
}

// Takes the timestep in parts, each repeated until it is good. A timestep is TICKS.
static tide_status take_parts(state *s, const tide_step *step, tide_step *part, tide_report *report, tide_error *error)
{
    size_t numbers = 3 * (size_t)step->system->particle_count, size = numbers * sizeof(double);
    memcpy(s->start, step->q, size);
    memcpy(s->start_velocity, step->velocity, size);
    part->q = s->start;
    part->velocity = part->undamped = s->start_velocity;
    part->pinned = s->pinned;
    for (uint32_t taken = 0; taken < TICKS;) {
        uint32_t ticks = (uint32_t)TICKS >> s->history.halvings, next = taken + ticks;
        part->h = step->h * ticks / TICKS;
        for (size_t i = 0; i < numbers; i++)
            s->pinned[i] =
                next == TICKS ? step->pinned[i] : step->q[i] + (double)next / TICKS * (step->pinned[i] - step->q[i]);
        tide_status status = tide_stop_check("solver", error);
        if (status == TIDE_OK)
            status = take_part(s, part, report, error);
        bool shorter = s->history.halvings < MAX_HALVINGS;
        if (status && !(status == TIDE_ERROR_NUMERIC && shorter)) // a shorter step's matrix may be definite
            return status;
        uint32_t particle = TIDE_NO_PARTICLE;
        double share = status ? INFINITY : deformation(part, &particle);
        if (share <= s->options->max_deformation) {
            taken = next;
            report->substeps++;
            report->suspect = TIDE_NO_PARTICLE;
            lengthen(&s->history, taken);
            if (taken < TICKS) {
                memcpy(s->start, part->x, size);
                memcpy(s->start_velocity, part->v, size);
            }
            continue;
        }
        report->rejected++;
        s->history.good_steps = 0;
        if (!shorter) {
            report->suspect = particle;
            return fail_deformation(s, share, part->h, error);
        }
        s->history.halvings++;
    }
    return TIDE_OK;
}

// Reports g and its gradients for the last part of the timestep.
static void report_objective(state *s, const tide_step *part, double h, tide_report *report)
{
    double start = tide_clock_seconds();
    tide_objective *o = &s->objective;
    bool converged = report->converged;
    o->s = part->h;
    tide_objective_predict(o, part);
    tide_objective_begin(o, part->q);
    double initial = tide_objective_gradient(o, o->y, s->product);
    double norm, g = tide_objective_evaluate(o, part->x, s->product, &norm);
    tide_objective_report(o, g, initial, norm, 0, report);
    o->s = h;
    report->converged = converged;
    report->local_seconds += tide_clock_seconds() - start;
}

static tide_status take_step(tide_solver *solver, const tide_step *step, tide_report *report, tide_error *error)
{
    state *s = solver->state;
    if (!tide_objective_is_for(&s->objective, step->system, step->h))
        return tide_solver_fail_unprepared(solver, error);
    // The residual of what the rigid shapes resist must not hide that of the motion, which is so many times smaller.
    s->tolerance = s->options->cg_tolerance / (solver->rigid ? solver->kind->rigid_stiffness : 1);
    s->objective.system = step->system;
    report->converged = true;
    tide_step part = *step;
    history past = s->history;
    tide_status status =
        s->options->adaptive ? take_parts(s, step, &part, report, error) : take_part(s, &part, report, error);
    if (!status && !s->options->adaptive)
        touch(s, &part, report);
    if (status) {
        s->history = past;
        return status;
    }
    report->substeps = s->options->adaptive ? report->substeps : 1;
    report->iterations = report->substeps + report->rejected;
    report->substep = part.h;
    report_objective(s, &part, step->h, report);
    return TIDE_OK;
}

static void destroy(tide_solver *solver)
{
    state *s = solver->state;
    tide_objective_free(&s->objective);
    tide_stiffness_free(&s->stiffness);
    tide_assembly_free(&s->assembly);
    tide_cholesky_destroy(s->cholesky);
    tide_free(s->memory);
}

static tide_cholesky_info describe(const tide_solver *solver)
{
    const state *s = solver->state;
    return s->cholesky ? tide_cholesky_describe(s->cholesky) : (tide_cholesky_info) { 0 };
}

static size_t history_size(const tide_solver *solver)
{
    (void)solver;
    return sizeof(history);
}

static void save_history(const tide_solver *solver, void *bytes)
{
    const state *s = solver->state;
    memcpy(bytes, &s->history, sizeof s->history);
}

static tide_status load_history(tide_solver *solver, const void *bytes, size_t size, tide_error *error)
{
    state *s = solver->state;
    history loaded = { .halvings = UINT32_MAX };
    if (size == sizeof loaded)
        memcpy(&loaded, bytes, size);
    if (loaded.halvings > MAX_HALVINGS || loaded.good_steps > GOOD_STEPS) {
        char value[48];
        snprintf(value, sizeof value, "%zu bytes", size);
        return tide_fail(error, TIDE_ERROR_STATE, OBJECT, "history", value,
                         "is not of this solver; the snapshot is of another one");
    }
    s->history = loaded;
    return TIDE_OK;
}

const tide_solver_kind tide_semi_implicit = {
    .name = "semi_implicit",
    .help =
        "linearised backward Euler: one Newton step from the last positions, by conjugate gradients without a matrix",
    .source =
        "Baraff and Witkin 1998, Large steps in cloth simulation: eq. 6; its springs: Choi and Ko 2002; Kauppila, "
        "sec. 2 to 4",
    .fields = fields,
    .options_size = sizeof(options),
    .state_size = sizeof(state),
    .order = 1,
    .rigid_stiffness = 1e4,
    .amplification = tide_backward_euler_amplification,
    .prepare = prepare,
    .step = take_step,
    .destroy = destroy,
    .describe = describe,
    .history_size = history_size,
    .save_history = save_history,
    .load_history = load_history,
};
