#include "solver/newton_minimiser.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/stop.h"
#include "linear/iterative.h"

#include <stdio.h>
#include <string.h>

#define FIRST_SHIFT 1.0  // of the Hessian's diagonal, against the masses
#define SHIFT_GROWTH 4.0 // from one attempt to the next
// Parts of the springs' negative eigenvalues that are taken out of the Hessian.
#define FIRST_PART (1.0 / 16) // this, when the Hessian is not definite; then twice as much, until all
#define SMALLEST_PART (1.0 / 64)
// Of a step: taken to less than the first, the next takes out more; to less than the other, as much.
#define SHORT_STEP 0.3
#define WHOLE_STEP 0.9
#define SUPPORT 4.0 // strength of a contact's support, relative to the particle's diagonal of A
enum { MAX_SHIFTS = 60, MAX_CG_ITERATIONS = 500 };
enum { FINAL_STEPS = 8 }; // steps of local/global at the end, at most, while contacts have not converged

const char *const tide_newton_linear[] = { "cholesky", "pcg", "cholmod", NULL };
const char *const tide_newton_definite[] = { "projected", "shifted", NULL };

// --- preparation ----------------------------------------------------------------------------------------------------

static tide_status make_arrays(tide_newton *newton, const tide_system *system, tide_error *error)
{
    if (!tide_renew_owner(&newton->memory, newton->particle_count == system->particle_count))
        return TIDE_OK;
    newton->direction = tide_own_zeroed(newton->memory, system->particle_count, 3 * sizeof *newton->direction);
    newton->work = tide_own_zeroed(newton->memory, system->particle_count, 5 * 3 * sizeof *newton->work);
    newton->trial = tide_own_zeroed(newton->memory, system->particle_count, 2 * 3 * sizeof *newton->trial);
    newton->particle_count = system->particle_count;
    return tide_owns_all(newton->memory) ? TIDE_OK : tide_fail_memory(error, "solver");
}

static tide_status prepare_coupling(tide_newton *newton, const tide_system *system, tide_error *error)
{
    TIDE_TRY(tide_coupling_prepare(&newton->coupling, system, error));
    tide_free(newton->coupled);
    newton->coupled = NULL;
    if (newton->coupling.count)
        newton->coupled =
            tide_allocate_zeroed(newton->coupling.count * (size_t)system->particle_count, 3 * sizeof *newton->coupled);
    return newton->coupled || !newton->coupling.count ? TIDE_OK : tide_fail_memory(error, "solver");
}

// Analyses the pattern and makes the factor's memory, with M + s^2 L, which is definite.
static tide_status prepare_cholesky(tide_newton *newton, const tide_newton_options *options,
                                    const tide_objective *objective, uint32_t *bad_particle, tide_error *error)
{
    const tide_system *system = objective->system;
    tide_status status = newton->cholesky ? TIDE_OK : tide_cholesky_create(&newton->cholesky, error);
    if (!status)
        status = tide_assembly_prepare(&newton->assembly, system, error);
    if (!status)
        status = prepare_coupling(newton, system, error);
    if (status)
        return status;
    bool reference = options->linear == TIDE_NEWTON_CHOLMOD;
    tide_cholesky_expect(newton->cholesky, 1);
    tide_cholesky_choose(newton->cholesky, reference ? TIDE_CHOLESKY_REFERENCE : TIDE_CHOLESKY_DOUBLE, 0);
    tide_assembly_fill(&newton->assembly, system, objective->y, true, 1, 0, objective->s * objective->s);
    uint32_t bad_row = 0;
    status = tide_cholesky_factor(newton->cholesky, &newton->assembly.matrix, &bad_row, error);
    if (status == TIDE_ERROR_NUMERIC && bad_particle && bad_row / 3 < objective->free_count)
        *bad_particle = system->free_particles[bad_row / 3];
    if (status)
        return status;
    // The first solve makes the factor's memory. What it leaves is 0, as a direction must be at pinned particles.
    memset(newton->direction, 0, 3 * (size_t)system->particle_count * sizeof *newton->direction);
    return tide_cholesky_solve(newton->cholesky, 1, newton->direction, newton->direction, error);
}

// Keeps what one way of solving the linear systems needs, and nothing of the other.
static tide_status prepare_linear(tide_newton *newton, const tide_newton_options *options,
                                  const tide_objective *objective, uint32_t *bad_particle, tide_error *error)
{
    if (options->linear != TIDE_NEWTON_PCG) {
        tide_stiffness_free(&newton->stiffness);
        tide_stiffness_free(&newton->projected);
        return prepare_cholesky(newton, options, objective, bad_particle, error);
    }
    tide_assembly_free(&newton->assembly);
    tide_coupling_free(&newton->coupling);
    tide_cholesky_destroy(newton->cholesky);
    newton->cholesky = NULL;
    tide_status status = tide_stiffness_prepare(&newton->stiffness, objective->system, error);
    return status ? status : tide_stiffness_prepare(&newton->projected, objective->system, error);
}

tide_status tide_newton_prepare(tide_newton *newton, const tide_newton_options *options,
                                const tide_objective *objective, const char *object, uint32_t *bad_particle,
                                tide_error *error)
{
    TIDE_TRY(make_arrays(newton, objective->system, error));
    TIDE_TRY(tide_line_search_prepare(&newton->search, objective->system, error));
    TIDE_TRY(tide_global_step_prepare(&newton->global, objective, &options->solve, object, bad_particle, error));
    return prepare_linear(newton, options, objective, bad_particle, error);
}

void tide_newton_free(tide_newton *newton)
{
    tide_line_search_free(&newton->search);
    tide_assembly_free(&newton->assembly);
    tide_coupling_free(&newton->coupling);
    tide_free(newton->coupled);
    tide_cholesky_destroy(newton->cholesky);
    tide_stiffness_free(&newton->stiffness);
    tide_stiffness_free(&newton->projected);
    tide_global_step_free(&newton->global);
    tide_free(newton->memory);
    *newton = (tide_newton) { 0 };
}

tide_cholesky_info tide_newton_describe(const tide_newton *newton)
{
    return newton->cholesky ? tide_cholesky_describe(newton->cholesky) : tide_global_step_describe(&newton->global);
}

// --- directions -----------------------------------------------------------------------------------------------------

// What a minimisation works with.
typedef struct work {
    tide_newton *newton;
    const tide_newton_options *options;
    const tide_objective *objective;
    const tide_step *step;
    tide_report *report;
    tide_error *error;
    bool compliant;     // to contacts, in every step
    bool supported;     // contacts support the matrix of this step (contact/support.h)
    bool unsolved;      // contacts were not solved in the supported step, which is repeated without supports
    double touched;     // by contacts, in this iteration
    double part;        // of the projection, in conjugate gradients
    bool negative;      // they met a direction of negative curvature
    tide_status status; // of their preconditioner
} work;

// The Hessian with this part of the springs' negative eigenvalues taken out.
static void assemble(work *w, double part)
{
    tide_newton *n = w->newton;
    const tide_objective *o = w->objective;
    double start = tide_clock_seconds();
    tide_objective_hessian(o, n->search.x, part, &n->assembly);
    tide_coupling_evaluate(&n->coupling, o->system, n->search.x, o->s * o->s);
    w->report->local_seconds += tide_clock_seconds() - start;
}

// tide_support_add. The right side is in n->trial.
static double add_support(void *to, uint32_t particle, const double *normal, const double closing[3])
{
    const work *w = to;
    tide_sparse *matrix = &w->newton->assembly.matrix;
    uint32_t row = w->objective->system->rows[particle];
    if (row == TIDE_PINNED)
        return 0;
    double strength = SUPPORT * w->objective->diagonal[particle], *side = w->newton->trial + 3 * (size_t)particle;
    for (uint32_t k = 0; k < 3; k++) {
        double *column = matrix->value + matrix->column_start[3 * row + k];
        for (uint32_t j = k; j < 3; j++) {
            double part = strength * (normal ? normal[j] * normal[k] : j == k);
            column[j - k] += part;
            side[k] -= part * closing[j];
            side[j] -= j > k ? part * closing[k] : 0;
        }
    }
    return strength;
}

static void add_supports(work *w)
{
    const tide_contact_response *contact = w->step->contact;
    w->supported = w->compliant && !w->unsolved && contact->support &&
                   contact->support(contact->context, w->newton->search.x, add_support, w);
}

// Applies the first `count` parts of the coupling to a solution of the assembled H: with each part, H becomes H + c s
// s' and its inverse loses c z z' / (1 + c s' z), z = H^-1 s (Sherman and Morrison 1950).
static void couple(const work *w, uint32_t count, double *solution)
{
    const tide_newton *n = w->newton;
    const tide_system *system = w->objective->system;
    size_t numbers = 3 * (size_t)n->particle_count;
    for (uint32_t g = 0; g < count; g++) {
        const double *s = n->coupling.slopes + g * numbers, *z = n->coupled + g * numbers;
        double c = n->coupling.curvatures[g];
        double part = c * tide_system_dot(system, s, solution) / (1 + c * tide_system_dot(system, s, z));
        for (uint32_t row = 0; row < system->free_count; row++)
            for (size_t k = 0, i = 3 * (size_t)system->free_particles[row]; k < 3; k++, i++)
                solution[i] -= part * z[i];
    }
}

// solution = H^-1 side of the assembled H; what is pinned stays as it is, 0.
static tide_status solve_assembled(work *w, const double *side, double *solution)
{
    tide_newton *n = w->newton;
    const tide_system *system = w->objective->system;
    tide_system_gather(system, side, n->work);
    tide_status status = tide_cholesky_solve(n->cholesky, 1, n->work, n->work, w->error);
    tide_system_scatter(system, n->work, solution);
    return status;
}

// TIDE_ERROR_NUMERIC: it is not definite.
static tide_status factor(work *w)
{
    double start = tide_clock_seconds();
    tide_newton *n = w->newton;
    tide_status status = tide_assembly_is_indefinite(&n->assembly)
                             ? TIDE_ERROR_NUMERIC
                             : tide_cholesky_factor(n->cholesky, &n->assembly.matrix, NULL, w->error);
    for (uint32_t g = 0; g < n->coupling.count && status == TIDE_OK; g++) {
        size_t first = 3 * (size_t)g * n->particle_count;
        status = solve_assembled(w, n->coupling.slopes + first, n->coupled + first);
        couple(w, g, n->coupled + first);
    }
    w->report->global_seconds += tide_clock_seconds() - start;
    return status;
}

// solution = H^-1 side; what is pinned stays as it is, 0.
static tide_status solve_directly(work *w, const double *side, double *solution)
{
    double start = tide_clock_seconds();
    tide_status status = solve_assembled(w, side, solution);
    couple(w, w->newton->coupling.count, solution);
    w->report->global_seconds += tide_clock_seconds() - start;
    return status;
}

static void apply_hessian(void *context, const double *x, double *y)
{
    work *w = context;
    tide_newton *n = w->newton;
    const tide_objective *o = w->objective;
    tide_objective_multiply(o, w->part == 1 ? &n->projected : &n->stiffness, x, y);
    if (w->part > 0 && w->part < 1) {
        double *other = n->work + 4 * 3 * (size_t)n->particle_count;
        tide_objective_multiply(o, &n->projected, x, other);
        for (size_t i = 0; i < 3 * (size_t)n->particle_count; i++)
            y[i] += w->part * (other[i] - y[i]);
    }
}

static void apply_preconditioner(void *context, const double *x, double *y)
{
    work *w = context;
    tide_status status = tide_global_step_solve(&w->newton->global, w->objective->system, x, y, w->error);
    if (status)
        w->status = status;
}

static void linearise(work *w)
{
    tide_newton *n = w->newton;
    double start = tide_clock_seconds();
    if (w->part < 1)
        tide_objective_linearise(w->objective, n->search.x, false, &n->stiffness);
    if (w->part > 0)
        tide_objective_linearise(w->objective, n->search.x, true, &n->projected);
    w->report->local_seconds += tide_clock_seconds() - start;
}

// Conjugate gradients end at the first direction of negative curvature: what they have by then descends.
static tide_status solve_iteratively(work *w, const double *side, double *solution)
{
    tide_newton *n = w->newton;
    size_t numbers = 3 * (size_t)n->particle_count;
    double start = tide_clock_seconds();
    memset(solution, 0, numbers * sizeof *solution);
    tide_iterative_result result =
        tide_conjugate_gradient(apply_hessian, apply_preconditioner, w, (uint32_t)numbers, side, solution,
                                w->options->cg_tolerance, MAX_CG_ITERATIONS, n->work);
    w->negative = result.negative;
    w->report->linear_iterations += result.iterations;
    w->report->global_seconds += tide_clock_seconds() - start;
    return w->status;
}

static tide_status solve_for_direction(work *w)
{
    linearise(w);
    return solve_iteratively(w, w->newton->search.gradient, w->newton->direction);
}

// Returns whether the direction d costs more than it can gain: the energy of springs is at least 0, so that g(x + d)
// exceeds g(x) if d'M d / 2 > 4 g(x). For contacts, which change y, g(x) is counted with the motion q -> y of the step.
// Such a direction means that the matrix is hardly definite.
static bool goes_too_far(const work *w)
{
    const tide_newton *n = w->newton;
    const tide_objective *o = w->objective;
    double square = 0, motion = 0;
    for (uint32_t p = 0; p < n->particle_count; p++)
        for (size_t i = 3 * (size_t)p; i < 3 * (size_t)p + 3 && o->system->rows[p] != TIDE_PINNED; i++) {
            double moved = o->y[i] - w->step->q[i];
            square += o->system->masses[p] * n->direction[i] * n->direction[i];
            motion += o->system->masses[p] * moved * moved;
        }
    return square > 8 * n->search.value + 4 * motion;
}

// The direction with this part of the projection; TIDE_ERROR_NUMERIC when that is too little.
static tide_status try_part(work *w, double part)
{
    if (w->options->linear == TIDE_NEWTON_PCG) {
        w->part = part;
        tide_status status = solve_for_direction(w);
        return status == TIDE_OK && w->negative ? TIDE_ERROR_NUMERIC : status;
    }
    double *side = w->newton->trial;
    memcpy(side, w->newton->search.gradient, 3 * (size_t)w->newton->particle_count * sizeof *side);
    assemble(w, part);
    add_supports(w);
    tide_status status = factor(w);
    if (!status)
        status = solve_directly(w, side, w->newton->direction);
    return status == TIDE_OK && w->supported && part < 1 && goes_too_far(w) ? TIDE_ERROR_NUMERIC : status;
}

// What to try first: half of what was needed, unless the last step had to be cut short, which shows that the Hessian
// was hardly definite. With supports, whole steps begin with none.
static double next_part(const tide_newton *n, bool supported)
{
    if (n->length < SHORT_STEP)
        return n->part == 0 ? FIRST_PART : fmin(1, 2 * n->part);
    if (n->length < WHOLE_STEP)
        return n->part;
    return n->part >= 2 * SMALLEST_PART && !supported ? n->part / 2 : 0;
}

// The whole projection slows the convergence to a linear one, as long as any spring is compressed, and a small part of
// it is mostly enough.
static tide_status solve_projected(work *w)
{
    tide_newton *n = w->newton;
    double part = w->unsolved ? 1 : next_part(n, w->supported);
    tide_status status = try_part(w, part);
    while (status == TIDE_ERROR_NUMERIC && part < 1) {
        part = part == 0 ? FIRST_PART : 2 * part;
        status = try_part(w, part);
    }
    n->part = part;
    return status;
}

static tide_status solve_shifted(work *w)
{
    tide_newton *n = w->newton;
    if (w->options->linear == TIDE_NEWTON_PCG) {
        w->part = 0;
        return solve_for_direction(w);
    }
    assemble(w, 0);
    tide_status status = factor(w);
    double shift = 0, next = n->shift > 0 ? n->shift / SHIFT_GROWTH : FIRST_SHIFT;
    for (int i = 0; i < MAX_SHIFTS && status == TIDE_ERROR_NUMERIC; i++, next *= SHIFT_GROWTH) {
        tide_assembly_shift(&n->assembly, w->objective->system, next - shift);
        n->shift = shift = next;
        status = factor(w);
    }
    return status ? status : solve_directly(w, w->newton->search.gradient, w->newton->direction);
}

// --- contacts -------------------------------------------------------------------------------------------------------

typedef struct hessian_compliance {
    tide_compliance_operator base;
    work *work;
} hessian_compliance;

static tide_status solve_globally(work *w, const double *side, double *solution)
{
    tide_newton *n = w->newton;
    double start = tide_clock_seconds();
    tide_status status = tide_global_step_solve(&n->global, w->objective->system, side, solution, w->error);
    w->report->global_seconds += tide_clock_seconds() - start;
    return status;
}

// By the Hessian of the step under way; where conjugate gradients find that it is not definite, by A.
static bool apply_inverse_hessian(const tide_compliance_operator *self, const double *force, double *moved)
{
    work *w = ((const hessian_compliance *)self)->work;
    const tide_system *system = w->objective->system;
    if (w->options->linear == TIDE_NEWTON_PCG) {
        double *side = w->newton->trial + 3 * (size_t)w->newton->particle_count;
        for (uint32_t p = 0; p < system->particle_count; p++)
            for (size_t i = 3 * (size_t)p; i < 3 * (size_t)p + 3; i++)
                side[i] = system->rows[p] == TIDE_PINNED ? 0 : force[i];
        tide_status status = solve_iteratively(w, side, moved);
        return (status == TIDE_OK && !w->negative) || solve_globally(w, side, moved) == TIDE_OK;
    }
    for (uint32_t p = 0; p < system->particle_count; p++)
        if (system->rows[p] == TIDE_PINNED)
            memset(moved + 3 * (size_t)p, 0, 3 * sizeof *moved);
    return solve_directly(w, force, moved) == TIDE_OK;
}

// Solves contacts at the end of the whole step, which they change. Returns false, with y as before, when they are not
// solved in a supported step.
static bool touch(work *w, const tide_compliance_operator *compliance)
{
    tide_newton *n = w->newton;
    size_t numbers = 3 * (size_t)n->particle_count;
    for (size_t i = 0; i < numbers; i++)
        n->trial[i] = n->search.x[i] + n->direction[i];
    double *kept = n->trial + numbers;
    if (compliance->supported)
        memcpy(kept, w->objective->y, numbers * sizeof *kept);
    double moved = tide_step_iterate_compliant(w->step, n->trial, w->objective->y, w->objective->s, compliance,
                                               TIDE_ITERATION_LAST, w->report);
    if (moved < 0) {
        memcpy(w->objective->y, kept, numbers * sizeof *kept);
        return false;
    }
    w->touched = fmax(w->touched, moved);
    if (!(moved > 0) && !compliance->supported)
        return true;
    for (size_t i = 0; i < numbers; i++)
        n->direction[i] = n->trial[i] - n->search.x[i];
    tide_line_search_begin(&n->search, w->objective, n->search.x);
    return true;
}

// Without compliance: y changes, and the next step follows it.
static void follow(work *w)
{
    tide_newton *n = w->newton;
    w->touched = tide_step_iterate_target(w->step, n->search.x, w->objective->y, w->objective->s, w->report);
    if (w->touched > 0)
        tide_line_search_begin(&n->search, w->objective, n->search.x);
}

// --- one step -------------------------------------------------------------------------------------------------------

// d'R d for the supports R, from the factored H + R and the gradient, which is -H d. H alone need not be definite, so
// that g need not decrease along d. The augmented Lagrangian g + (1 - a)^2 d'R d / 2 does: it has the same slope as g
// at the end of the step, and the slope -d'(H + R) d at its start.
static double find_held(work *w)
{
    tide_newton *n = w->newton;
    const tide_system *system = w->objective->system;
    size_t numbers = 3 * (size_t)w->objective->free_count;
    double *d = n->work, *product = n->work + 3 * (size_t)n->particle_count, sum = 0;
    tide_system_gather(system, n->direction, d);
    tide_sparse_multiply(&n->assembly.matrix, 1, d, product);
    for (size_t i = 0; i < numbers; i++)
        sum += d[i] * product[i];
    for (uint32_t g = 0; g < n->coupling.count; g++) {
        double along = tide_system_dot(system, n->coupling.slopes + 3 * (size_t)g * n->particle_count, n->direction);
        sum += n->coupling.curvatures[g] * along * along;
    }
    sum += tide_system_dot(system, n->search.gradient, n->direction);
    return fmax(sum, 0);
}

// Searches along minus the direction, after contacts have changed it through the compliance.
static bool search_along(work *w, const tide_compliance_operator *compliance)
{
    tide_newton *n = w->newton;
    for (size_t i = 0; i < 3 * (size_t)n->particle_count; i++)
        n->direction[i] = -n->direction[i];
    if (w->compliant && !touch(w, compliance)) {
        w->unsolved = true;
        return false;
    }
    double start = tide_clock_seconds();
    n->search.held = compliance->supported ? find_held(w) : 0;
    bool moved = tide_line_search_move(&n->search, w->objective, n->direction, 1);
    w->report->line_searches += n->search.trials > 1 ? n->search.trials - 1 : 0;
    w->report->local_seconds += tide_clock_seconds() - start;
    return moved;
}

// One step of local/global, which always descends.
static tide_status improve_globally(work *w, bool *moved)
{
    tide_status status = solve_globally(w, w->newton->search.gradient, w->newton->direction);
    tide_global_compliance compliance = tide_global_step_compliance(&w->newton->global, w->objective->system);
    compliance.base.of_lines = compliance.base.renewed = true;
    if (!status)
        *moved = search_along(w, &compliance.base);
    return status;
}

static tide_status take_newton_step(work *w, bool *moved)
{
    hessian_compliance compliance = { { apply_inverse_hessian, .of_lines = true, .measured = true, .renewed = true,
                                        .exact = w->options->linear != TIDE_NEWTON_PCG },
                                      w };
    tide_status status = w->options->definite == TIDE_NEWTON_PROJECTED ? solve_projected(w) : solve_shifted(w);
    compliance.base.supported = w->supported;
    if (status == TIDE_OK)
        *moved = search_along(w, &compliance.base);
    return status;
}

// One Newton step. Where contacts are not solved with supports it is taken without; where it finds no decrease, a step
// of local/global is taken instead.
static tide_status improve(work *w, bool *moved)
{
    tide_newton *n = w->newton;
    double part = n->part;
    w->touched = 0;
    w->unsolved = *moved = false;
    tide_status status = take_newton_step(w, moved);
    if (w->unsolved) {
        status = take_newton_step(w, moved);
        n->part = part;
    }
    if (status && status != TIDE_ERROR_NUMERIC)
        return status;
    n->length = *moved ? n->search.length : 0;
    return *moved ? TIDE_OK : improve_globally(w, moved);
}

// --- the minimisation -----------------------------------------------------------------------------------------------

// Not at the tolerance, nor, within what rounding leaves, at the end of what Newton steps gain.
static bool goes_on(const work *w, double initial, double before)
{
    double norm = w->newton->search.norm, tolerance = w->options->tolerance;
    double target = tide_objective_target(w->objective, tolerance, initial);
    if (!isfinite(norm) || norm <= tolerance * initial)
        return false;
    return norm > target || (!w->report->touched && norm < 0.5 * before);
}

static tide_status descend(work *w, double initial)
{
    tide_newton *n = w->newton;
    const tide_newton_options *options = w->options;
    double before = n->search.norm;
    n->shift = n->part = 0;
    n->length = 1;
    bool moved = true;
    for (int i = 0; i < options->warm_start && moved && !tide_stop_requested() && goes_on(w, initial, initial); i++) {
        tide_status status = improve_globally(w, &moved);
        if (status)
            return status;
    }
    moved = true;
    for (int i = 0; i < options->iterations && isfinite(n->search.norm) && !tide_stop_requested() &&
                    ((moved && goes_on(w, initial, before)) || w->touched > TIDE_CONTACT_TOLERANCE);
         i++) {
        before = n->search.norm;
        tide_status status = improve(w, &moved);
        if (status)
            return status;
        w->report->iterations++;
        if (!w->compliant)
            follow(w);
    }
    for (int i = 0; i < FINAL_STEPS && w->compliant && w->touched > TIDE_CONTACT_TOLERANCE &&
                    isfinite(n->search.norm) && !tide_stop_requested();
         i++) {
        w->touched = 0;
        tide_status status = improve_globally(w, &moved);
        if (status)
            return status;
    }
    return TIDE_OK;
}

tide_status tide_newton_minimise(tide_newton *newton, const tide_newton_options *options,
                                 const tide_objective *objective, const tide_step *step, double *x, tide_report *report,
                                 tide_error *error)
{
    work w = {
        .newton = newton, .options = options, .objective = objective, .step = step, .report = report, .error = error
    };
    tide_global_compliance compliance = tide_global_step_compliance(&newton->global, objective->system);
    double start = tide_method_seconds(report);
    w.compliant = step->contact && step->contact->iterate_compliant;
    w.touched = w.compliant ? tide_step_iterate_compliant(step, x, objective->y, objective->s, &compliance.base,
                                                          TIDE_ITERATION_FIRST, report)
                            : tide_step_iterate_target(step, x, objective->y, objective->s, report);
    tide_line_search_begin(&newton->search, objective, x);
    report->local_seconds += tide_method_seconds(report) - start;
    double initial = newton->search.norm;
    TIDE_TRY(descend(&w, initial));
    if (tide_objective_raises_energy(objective, step, report, newton->search.x, newton->search.value, newton->trial)) {
        tide_line_search_begin(&newton->search, objective, newton->trial);
        TIDE_TRY(descend(&w, initial));
    }
    memcpy(x, newton->search.x, 3 * (size_t)newton->particle_count * sizeof *x);
    tide_objective_report(objective, newton->search.value, initial, newton->search.norm, options->tolerance, report);
    report->converged &= w.touched <= TIDE_CONTACT_TOLERANCE;
    if (options->linear == TIDE_NEWTON_PCG || options->warm_start > 0)
        tide_global_step_tell(&newton->global, report);
    return TIDE_OK;
}
