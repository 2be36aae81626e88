#include "solver/explicit.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/stop.h"

#include <stdio.h>
#include <string.h>

#define FARTHEST 1e9              // m: a particle beyond this has diverged
#define EIGENVALUE_TOLERANCE 1e-3 // relative, for k0
#define GROWN 1.001               // a k0 that is larger by less than this factor counts as unchanged
#define ENERGY_FACTOR 1.5         // a larger growth of energy in a timestep is divergence

enum { MAX_SUBSTEPS = 1000000, MAX_POWER_ITERATIONS = 2000 };

const tide_field tide_explicit_fields[] = { TIDE_EXPLICIT_FIELDS, { 0 } };

// The history in snapshots: everything that depends on the positions at preparation.
typedef struct history {
    double k0, filtered_k0, unit;
} history;

static const tide_scheme *scheme_of(const tide_solver_kind *kind)
{
    return kind->context;
}

// --- the number of substeps, from k0 --------------------------------------------------------------------------------

static bool is_automatic(const tide_explicit *run)
{
    return !tide_given(run->options.substep);
}

static bool is_undamped(const tide_explicit *run)
{
    const tide_damping *damping = &run->options.damping;
    return damping->model == TIDE_DAMPING_NONE ||
           (damping->model != TIDE_DAMPING_AUTO && damping->mass == 0 && damping->stiffness == 0);
}

static bool has_filter(const tide_explicit *run)
{
    return run->options.filter.kind != TIDE_FILTER_NONE;
}

// Returns the number of substeps; 0: too many. A substep that divides the timestep up to rounding gives the exact
// quotient.
static uint32_t substep_count(double h, double longest)
{
    double count = ceil(h / longest * (1 - 1e-12));
    return count <= 1 ? 1 : count <= MAX_SUBSTEPS ? (uint32_t)count : 0;
}

static tide_status fail_count(const tide_explicit *run, tide_error *error)
{
    char object[96], value[48];
    tide_solver_object(run->kind, object);
    if (is_automatic(run))
        return tide_fail(
            error, TIDE_ERROR_ARGUMENT, object, "substep", "\"auto\"",
            "the longest stable substep is %g s (largest eigenvalue %g 1/s^2), less than a millionth of the timestep "
            "of %g s; lower the stiffness or damping, raise the mass, or choose an implicit solver",
            run->stable_substep, run->filtered_k0, run->h);
    snprintf(value, sizeof value, "%g", run->options.substep);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "substep", value,
                     "expected at least a millionth of the timestep of %g s", run->h);
}

// Returns the longest stable substep; for a method that gains energy without damping, the longest one with damping.
static double longest_substep(const tide_explicit *run)
{
    return run->stable_substep > 0 ? run->stable_substep : tide_explicit_damped_substep(run->kind, run->filtered_k0);
}

static void warn(tide_explicit *run, const char *text)
{
    size_t length = strlen(run->warning);
    snprintf(run->warning + length, sizeof run->warning - length, "%s%s", length ? "; " : "", text);
}

static void write_warning(tide_explicit *run)
{
    const tide_scheme *scheme = scheme_of(run->kind);
    double substep = run->h / run->count;
    char text[128];
    run->warning[0] = '\0';
    double longest = longest_substep(run);
    if (substep > longest * (1 + 1e-9)) {
        snprintf(text, sizeof text, "the substep of %.4g s is longer than the longest stable one, %.4g s%s", substep,
                 longest, run->stable_substep > 0 ? "" : " with damping");
        warn(run, text);
    }
    if (scheme->grows_undamped && is_undamped(run)) {
        snprintf(text, sizeof text, "%s gains energy without damping; set damping = \"auto\"", run->kind->name);
        warn(run, text);
    }
    if (run->lowest_gain < 0 && (scheme->filters_itself || scheme->grows_undamped))
        warn(run, "the filter reverses velocities, so that no substep is stable; raise lambda or set symmetric = true");
}

// Derives from k0: the longest stable substep, the number of substeps, the damping and the warning.
static tide_status choose_substeps(tide_explicit *run, tide_error *error)
{
    const tide_damping *damping = &run->options.damping;
    const tide_scheme *scheme = scheme_of(run->kind);
    bool automatic = damping->model == TIDE_DAMPING_AUTO;
    double d0 = damping->model == TIDE_DAMPING_NONE ? 0 : damping->mass;
    double alpha = damping->model == TIDE_DAMPING_NONE || automatic ? 0 : damping->stiffness;
    run->stable_substep =
        tide_explicit_stable_substep(run->kind, run->filtered_k0, d0, alpha, automatic, run->resistance);
    double longest = longest_substep(run);
    run->count = substep_count(run->h, is_automatic(run) ? longest / sqrt(run->options.safety) : run->options.substep);
    if (run->count == 0)
        return fail_count(run, error);
    run->damping_mass = d0;
    run->damping_stiffness = automatic ? tide_explicit_automatic_alpha(scheme, run->h / run->count, d0) : alpha;
    write_warning(run);
    return TIDE_OK;
}

// --- k0 -------------------------------------------------------------------------------------------------------------

static double largest_eigenvalue(tide_explicit *run)
{
    if (run->free_count == 0)
        return 0;
    return tide_stiffness_largest_eigenvalue(&run->stiffness, EIGENVALUE_TOLERANCE, MAX_POWER_ITERATIONS, run->vector,
                                             run->work)
        .value;
}

// Computes k0 at x, and its filtered value. With `constant`, it is that of L, which bounds every K.
static void measure(tide_explicit *run, const double *x, bool constant)
{
    run->stiffness.uncoupled = false;
    tide_stiffness_evaluate(&run->stiffness, run->system, x, true, constant ? 0 : 1, constant ? 1 : 0);
    run->k0 = run->filtered_k0 = largest_eigenvalue(run);
    run->lowest_gain = 1;
    if (!has_filter(run) || run->free_count == 0)
        return;
    tide_filter_weigh(&run->graph, &run->options.filter, run->system, x);
    if (!run->options.filter.symmetric)
        run->lowest_gain = tide_filter_lowest_gain(&run->graph, run->system, run->vector);
    if (scheme_of(run->kind)->filters_itself && run->lowest_gain >= 0)
        run->filtered_k0 =
            fmin(run->k0, tide_filter_stable_eigenvalue(&run->graph, &run->stiffness, run->vector, run->work));
}

static void measure_at_start(tide_explicit *run, const double *x)
{
    run->resistance = 0;
    if (run->options.damping.model == TIDE_DAMPING_SPRINGS) {
        measure(run, x, true);
        run->resistance = run->k0;
    }
    measure(run, x, false);
    if (!isfinite(run->k0) || !isfinite(run->filtered_k0))
        measure(run, x, true); // positions are not finite; the caller detects it
}

// --- preparation ----------------------------------------------------------------------------------------------------

static tide_status make_arrays(tide_explicit *run, uint32_t particle_count, tide_error *error)
{
    size_t numbers = 3 * (size_t)particle_count, size = sizeof(double);
    if (!tide_renew_owner(&run->memory, run->particle_count == particle_count))
        return TIDE_OK;
    run->gradient = tide_own_zeroed(run->memory, numbers, size);
    run->product = tide_own_zeroed(run->memory, numbers, size);
    run->stages = tide_own_zeroed(run->memory, numbers, scheme_of(run->kind)->stages * size);
    run->vector = tide_own_zeroed(run->memory, numbers, size);
    run->work = tide_own_zeroed(run->memory, numbers, 5 * size);
    run->particle_count = particle_count;
    if (tide_owns_all(run->memory))
        return TIDE_OK;
    char object[96];
    return tide_fail_memory(error, tide_solver_object(run->kind, object));
}

tide_status tide_explicit_prepare(tide_solver *solver, const tide_system *system, double h, const double *x,
                                  uint32_t *bad_particle, tide_error *error)
{
    tide_explicit *run = solver->state;
    (void)bad_particle;
    run->kind = solver->kind;
    run->system = NULL;
    tide_status status = make_arrays(run, system->particle_count, error);
    if (!status)
        status = tide_stiffness_prepare(&run->stiffness, system, error);
    run->options = *(const tide_explicit_options *)solver->options;
    if (!status && has_filter(run))
        status = tide_filter_prepare(&run->graph, system, x, error);
    if (status)
        return status;
    run->free_count = system->free_count;
    run->h = h;
    run->system = system;
    measure_at_start(run, x);
    status = choose_substeps(run, error);
    if (status)
        run->system = NULL;
    return status;
}

void tide_explicit_destroy(tide_solver *solver)
{
    tide_explicit *run = solver->state;
    tide_free(run->memory);
    tide_stiffness_free(&run->stiffness);
    tide_filter_free(&run->graph);
}

size_t tide_explicit_history_size(const tide_solver *solver)
{
    (void)solver;
    return sizeof(history);
}

void tide_explicit_save_history(const tide_solver *solver, void *bytes)
{
    const tide_explicit *run = solver->state;
    history kept = { run->k0, run->filtered_k0, run->graph.unit };
    memcpy(bytes, &kept, sizeof kept);
}

tide_status tide_explicit_load_history(tide_solver *solver, const void *bytes, size_t size, tide_error *error)
{
    tide_explicit *run = solver->state;
    history loaded = { 0 }, kept = { run->k0, run->filtered_k0, run->graph.unit };
    if (size == sizeof loaded)
        memcpy(&loaded, bytes, size);
    bool sound = loaded.k0 >= loaded.filtered_k0 && loaded.filtered_k0 >= 0 && isfinite(loaded.k0) &&
                 loaded.unit >= 0 && isfinite(loaded.unit);
    if (size != sizeof loaded || !sound || !run->system) {
        char object[96], value[48];
        snprintf(value, sizeof value, "%zu bytes", size);
        return tide_fail(error, TIDE_ERROR_STATE, tide_solver_object(solver->kind, object), "history", value,
                         "expected %zu bytes: the eigenvalues of this solver after its preparation", sizeof loaded);
    }
    run->k0 = loaded.k0;
    run->filtered_k0 = loaded.filtered_k0;
    run->graph.unit = has_filter(run) ? loaded.unit : run->graph.unit;
    tide_status status = choose_substeps(run, error);
    if (status) {
        run->k0 = kept.k0;
        run->filtered_k0 = kept.filtered_k0;
        run->graph.unit = kept.unit;
        choose_substeps(run, NULL);
    }
    return status;
}

// --- functions for methods -----------------------------------------------------------------------------------------

double *tide_explicit_stage(const tide_explicit *run, uint32_t index)
{
    return run->stages + 3 * (size_t)run->particle_count * index;
}

void tide_explicit_add(const tide_explicit *run, double factor, const double *a, double *y)
{
    for (size_t i = 0; i < 3 * (size_t)run->particle_count; i++)
        y[i] += factor * a[i];
}

void tide_explicit_evaluate(tide_explicit *run, const double *x)
{
    double start = tide_clock_seconds();
    tide_system_gradient(run->system, x, run->gradient);
    run->stiffness.uncoupled = true;
    if (run->damping_stiffness > 0 && run->options.damping.model != TIDE_DAMPING_SPRINGS)
        tide_stiffness_evaluate(&run->stiffness, run->system, x, true, run->damping_stiffness, 0);
    run->evaluated = true;
    run->force_seconds += tide_clock_seconds() - start;
}

void tide_explicit_accelerate(tide_explicit *run, const double *v, double *a)
{
    const tide_system *system = run->system;
    const double *force = run->step->force, *gradient = run->gradient, *product = run->product;
    bool damped = run->damping_stiffness > 0;
    double start = tide_clock_seconds();
    if (damped)
        tide_stiffness_multiply(&run->stiffness, v, run->product);
    for (uint32_t p = 0; p < system->particle_count; p++) {
        double inverse = system->rows[p] == TIDE_PINNED ? 0 : 1 / system->masses[p];
        double d0 = system->rows[p] == TIDE_PINNED ? 0 : run->damping_mass;
        for (size_t i = 3 * (size_t)p; i < 3 * (size_t)p + 3; i++)
            a[i] = inverse == 0 ? 0 : inverse * (force[i] - gradient[i] - (damped ? product[i] : 0)) - d0 * v[i];
    }
    run->force_seconds += tide_clock_seconds() - start;
}

void tide_explicit_acceleration(tide_explicit *run, const double *x, const double *v, double *a)
{
    tide_explicit_evaluate(run, x);
    tide_explicit_accelerate(run, v, a);
}

void tide_explicit_filter(tide_explicit *run, double *v)
{
    if (has_filter(run))
        tide_filter_apply(&run->graph, run->system, v);
}

// --- the timestep ---------------------------------------------------------------------------------------------------

// Starts the timestep. Pinned particles move to their targets at a constant velocity.
static void begin(tide_explicit *run)
{
    const tide_step *step = run->step;
    const tide_system *system = run->system;
    size_t size = 3 * (size_t)run->particle_count * sizeof *step->x;
    memcpy(step->x, step->q, size);
    memcpy(step->v, step->velocity, size);
    for (uint32_t p = 0; p < system->particle_count; p++)
        if (system->rows[p] == TIDE_PINNED)
            for (size_t i = 3 * (size_t)p; i < 3 * (size_t)p + 3; i++)
                step->v[i] = (step->pinned[i] - step->q[i]) / step->h;
    if (has_filter(run))
        tide_filter_weigh(&run->graph, &run->options.filter, system, step->q);
    if (run->options.damping.model == TIDE_DAMPING_SPRINGS && run->damping_stiffness > 0)
        tide_stiffness_evaluate(&run->stiffness, system, step->q, true, 0, run->damping_stiffness);
    run->evaluated = false;
}

static void place_pins(tide_explicit *run, double fraction, double *x)
{
    const tide_step *step = run->step;
    if (run->free_count == run->particle_count)
        return;
    for (uint32_t p = 0; p < run->particle_count; p++)
        if (run->system->rows[p] == TIDE_PINNED)
            for (size_t i = 3 * (size_t)p; i < 3 * (size_t)p + 3; i++)
                x[i] = fraction == 1 ? step->pinned[i] : step->q[i] + fraction * (step->pinned[i] - step->q[i]);
}

static bool within(const double *numbers, size_t count, double limit)
{
    int beyond = 0;
    for (size_t i = 0; i < count; i++)
        beyond |= !(fabs(numbers[i]) <= limit);
    return !beyond;
}

// Returns the first particle that is not finite, or else the fastest one.
static uint32_t find_suspect(const tide_explicit *run)
{
    uint32_t fastest = TIDE_NO_PARTICLE;
    double most = -1;
    for (uint32_t row = 0; row < run->free_count; row++) {
        uint32_t p = run->system->free_particles[row];
        const double *x = run->step->x + 3 * (size_t)p, *v = run->step->v + 3 * (size_t)p;
        double speed = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        if (!isfinite(speed) || !isfinite(x[0] + x[1] + x[2]))
            return p;
        if (speed > most) {
            most = speed;
            fastest = p;
        }
    }
    return fastest;
}

static void advance(tide_explicit *run)
{
    const tide_step *step = run->step;
    scheme_of(run->kind)->advance(run, step->h / run->count, step->x, step->v);
    run->taken++;
    place_pins(run, run->taken == run->count ? 1 : (double)run->taken / run->count, step->x);
    if (!scheme_of(run->kind)->filters_itself)
        tide_explicit_filter(run, step->v);
}

// Takes a substep with contacts at its end. It starts from copies in the arrays of the power method, which are unused
// meanwhile.
static void advance_and_touch(tide_explicit *run)
{
    const tide_contact_response *contact = run->step->contact;
    size_t numbers = 3 * (size_t)run->particle_count;
    tide_step part = *run->step;
    part.h = run->step->h / run->count;
    part.from = run->step->from + (run->step->to - run->step->from) * run->taken / run->count;
    part.to = run->step->from + (run->step->to - run->step->from) * (run->taken + 1) / run->count;
    part.q = memcpy(run->work, run->step->x, numbers * sizeof *run->work);
    part.velocity = part.undamped = memcpy(run->work + numbers, run->step->v, numbers * sizeof *run->work);
    run->status = contact->pre_step(contact->context, &part, run->error);
    if (run->status)
        return;
    advance(run);
    if (!within(part.x, numbers, FARTHEST))
        return;
    run->status = contact->post_step(contact->context, part.x, part.v, run->report, run->error);
    run->evaluated = false; // contacts have changed x
}

// Takes all substeps, or stops at the first that diverges. Returns the suspect particle, TIDE_NO_PARTICLE if there is
// none.
static uint32_t attempt(tide_explicit *run)
{
    const tide_step *step = run->step;
    size_t numbers = 3 * (size_t)run->particle_count;
    begin(run);
    for (run->taken = 0; run->taken < run->count && run->status == TIDE_OK;) {
        if (step->contact)
            advance_and_touch(run);
        else
            advance(run);
        if (!within(step->x, numbers, FARTHEST))
            return find_suspect(run);
        if (run->status == TIDE_OK)
            run->status = tide_stop_check("solver", run->error);
    }
    return within(step->v, numbers, 1e300) ? TIDE_NO_PARTICLE : find_suspect(run);
}

// --- divergence -----------------------------------------------------------------------------------------------------

static double kinetic_energy(const tide_system *system, const double *v)
{
    return 0.5 * tide_system_mass_dot(system, v, v);
}

static double free_mass(const tide_system *system)
{
    double sum = 0;
    for (uint32_t row = 0; row < system->free_count; row++)
        sum += system->masses[system->free_particles[row]];
    return sum;
}

// Returns a bound of the energy that moving pins add: the elastic energy if they jumped, and the kinetic energy if
// everything moved at the speed of the fastest pin.
static double pin_energy(tide_explicit *run, double elastic)
{
    const tide_step *step = run->step;
    double fastest = 0;
    for (uint32_t p = 0; p < run->particle_count; p++)
        if (run->system->rows[p] == TIDE_PINNED) {
            const double *from = step->q + 3 * (size_t)p, *to = step->pinned + 3 * (size_t)p;
            double dx = to[0] - from[0], dy = to[1] - from[1], dz = to[2] - from[2];
            fastest = fmax(fastest, dx * dx + dy * dy + dz * dz);
        }
    if (fastest == 0)
        return 0;
    memcpy(run->vector, step->q, 3 * (size_t)run->particle_count * sizeof *run->vector);
    place_pins(run, 1, run->vector);
    double jumped = tide_system_energy(run->system, run->vector);
    return fmax(0, jumped - elastic) + free_mass(run->system) * fastest / (step->h * step->h);
}

// Returns the largest energy at the end of the timestep that does not count as divergence, without the work of forces.
static double allowed_energy(tide_explicit *run)
{
    double elastic = tide_system_energy(run->system, run->step->q);
    return ENERGY_FACTOR * (elastic + kinetic_energy(run->system, run->step->velocity)) + 2 * pin_energy(run, elastic);
}

static bool gained_energy(const tide_explicit *run, double allowed)
{
    const tide_step *step = run->step;
    double work = 0, size = 0;
    for (uint32_t row = 0; row < run->free_count; row++)
        for (size_t i = 3 * (size_t)run->system->free_particles[row], k = 0; k < 3; k++, i++) {
            work += step->force[i] * (step->x[i] - step->q[i]);
            size = fmax(size, fabs(step->x[i]));
        }
    double energy = kinetic_energy(run->system, step->v) + tide_system_energy(run->system, step->x);
    if (energy <= allowed + 2 * fmax(0, work))
        return false;
    // Rounding of positions alone gives resting springs some energy.
    size *= 1e-9;
    return !(energy <= free_mass(run->system) * run->k0 * size * size);
}

// Recomputes k0 where the timestep ended, or where it began if it diverged. Returns true if the timestep needs more
// substeps. If the start has no larger k0 either, uses the bound of all K.
static bool raise_count(tide_explicit *run, bool ended)
{
    double k0 = run->k0, filtered_k0 = run->filtered_k0;
    uint32_t count = run->count;
    measure(run, ended ? run->step->x : run->step->q, false);
    if (!ended && !(run->filtered_k0 > GROWN * filtered_k0))
        measure(run, run->step->q, true);
    bool larger = run->filtered_k0 > GROWN * filtered_k0 && isfinite(run->k0);
    if (larger && choose_substeps(run, NULL) == TIDE_OK && run->count > count)
        return true;
    if (!larger || run->count == 0) {
        run->k0 = k0;
        run->filtered_k0 = filtered_k0;
    }
    choose_substeps(run, NULL);
    return false;
}

static bool may_watch(const tide_explicit *run)
{
    return is_automatic(run) && !(scheme_of(run->kind)->grows_undamped && is_undamped(run));
}

static void fill_report(tide_explicit *run, uint32_t suspect, tide_report *report)
{
    report->iterations = run->iterations;
    report->substeps = run->taken;
    report->rejected = run->rejected;
    report->substep = run->h / run->count;
    report->stable_substep = isfinite(run->stable_substep) ? run->stable_substep : 0;
    report->never_stable = run->stable_substep == 0;
    report->largest_eigenvalue = run->filtered_k0;
    report->local_seconds = run->force_seconds;
    report->g = report->gradient_norm = NAN;
    report->converged = true;
    report->suspect = suspect;
    memcpy(report->warning, run->warning, sizeof report->warning);
}

tide_status tide_explicit_step(tide_solver *solver, const tide_step *step, tide_report *report, tide_error *error)
{
    tide_explicit *run = solver->state;
    if (!run->system || run->system != step->system || run->h != step->h ||
        run->particle_count != step->system->particle_count || run->free_count != step->system->free_count)
        return tide_solver_fail_unprepared(solver, error);
    run->step = step;
    run->rejected = run->iterations = 0;
    run->force_seconds = 0;
    run->report = report;
    run->error = error;
    run->status = TIDE_OK;
    bool watch = may_watch(run);
    double allowed = watch ? allowed_energy(run) : 0;
    uint32_t suspect = attempt(run);
    while (watch && run->status == TIDE_OK && (suspect != TIDE_NO_PARTICLE || gained_energy(run, allowed)) &&
           raise_count(run, suspect == TIDE_NO_PARTICLE)) {
        run->rejected++;
        suspect = attempt(run);
    }
    fill_report(run, suspect, report);
    run->step = NULL;
    return run->status;
}
