// For thread priorities
#define _GNU_SOURCE
#include "session/convergence_probe.h"

#include "base/clock.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/thread_local.h"
#include "world/step_measure.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static TIDE_THREAD_LOCAL bool measuring;

bool tide_convergence_is_measuring(void)
{
    return measuring;
}

// --- what can be measured --------------------------------------------------------------------------------------------

// Methods of order 1 with backward Euler's test equation minimise g, exactly or approximately. So do the position-based
// methods, whose amplification is unknown.
static bool aims_at_backward_euler(const tide_solver_kind *kind)
{
    const tide_solver_kind *newton = tide_solver_kind_find("newton", NULL);
    static const char *const others[] = { "pbd", "xpbd", "vbd" };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(kind->name, others[i]) == 0)
            return true;
    return newton && kind->amplification == newton->amplification && strcmp(kind->name, "imex") != 0;
}

static bool is_damped(const tide_solver *solver)
{
    const tide_field *fields = tide_solver_kind_of(solver)->fields;
    for (; fields->name; fields++)
        if (strcmp(fields->name, "damping") == 0 && fields->type == TIDE_FIELD_RECORD)
            return !tide_field_is_default(fields, tide_solver_options(solver));
    return false;
}

bool tide_convergence_can_measure(const tide_world *world, char *why, size_t size)
{
    const tide_solver *solver = tide_world_solver(world);
    const tide_solver_kind *kind = tide_solver_kind_of(solver);
    if (size)
        why[0] = 0;
    if (!tide_world_particle_count(world))
        snprintf(why, size, "there are no bodies");
    else if (!tide_solver_kind_is_own(kind))
        snprintf(why, size, "%.40s is the scene's own method", kind->name);
    else if (!aims_at_backward_euler(kind))
        snprintf(why, size, "%.40s does not minimise g", kind->name);
    else if (is_damped(solver))
        snprintf(why, size, "%.40s damps within its step", kind->name);
    else
        return true;
    return false;
}

// --- measuring -------------------------------------------------------------------------------------------------------

// The data of a measurement; arrays are (3 * particle_count).
typedef struct bench {
    tide_world *world;
    const tide_system *system;
    double h;
    size_t count; // of an array
    double *y, *reached, *best, *scaled, *gradient, *zeros;
    bool *touches; // (particle_count)
} bench;

static tide_status make_bench(bench *b, tide_world *world, tide_error *error)
{
    uint32_t particles = tide_world_particle_count(world);
    *b = (bench) { .world = world, .count = 3 * (size_t)particles };
    b->y = tide_allocate_zeroed(6 * b->count, sizeof *b->y); // owns the rest
    b->touches = tide_own_zeroed(b->y, particles, sizeof *b->touches);
    if (!b->touches) {
        tide_free(b->y);
        return tide_fail_memory(error, "convergence");
    }
    b->reached = b->y + b->count;
    b->best = b->reached + b->count;
    b->scaled = b->best + b->count;
    b->gradient = b->scaled + b->count;
    b->zeros = b->gradient + b->count;
    return TIDE_OK;
}

// Reduces the world to a single step of length h: with substeps, only the first one is measured.
static tide_status cut_to_substep(tide_world *world, tide_error *error)
{
    const tide_solver *solver = tide_world_solver(world);
    const tide_solver_kind *kind = tide_solver_kind_of(solver);
    int substeps = ((const tide_solver_common *)tide_solver_options(solver))->substeps;
    if (substeps <= 1)
        return TIDE_OK;
    tide_world_settings settings = *tide_world_get_settings(world);
    settings.timestep /= substeps;
    TIDE_SCOPED void *options = tide_copy_bytes(tide_solver_options(solver), kind->options_size);
    if (!options)
        return tide_fail_memory(error, "convergence");
    ((tide_solver_common *)options)->substeps = 1;
    TIDE_TRY(tide_world_set_settings(world, &settings, error));
    return tide_world_set_solver(world, kind, options, error);
}

static tide_status step_to(bench *b, double *x, tide_error *error)
{
    TIDE_TRY(tide_world_step(b->world, error));
    memcpy(x, tide_world_all_positions(b->world), b->count * sizeof *x);
    return TIDE_OK;
}

static tide_status take_reference(bench *b, int iterations, bool *reached, tide_error *error)
{
    TIDE_TRY(tide_step_measure_use_reference(b->world, iterations, 1e-6, error));
    TIDE_TRY(step_to(b, b->best, error));
    *reached = tide_world_report(b->world)->gradient_norm <= 1e-4 * tide_world_report(b->world)->initial_gradient_norm;
    return TIDE_OK;
}

static void mark_vertex(bench *b, tide_body_id id, uint32_t vertex)
{
    tide_body_info body;
    if (tide_world_body_info(b->world, id, &body) && vertex < body.vertex_count)
        b->touches[body.first_particle + vertex] = true;
}

// A contact between bodies lists only its nearest vertices; also marks the other vertices of the touching edges and
// triangles.
static tide_status mark_neighbours(bench *b, tide_error *error)
{
    TIDE_SCOPED bool *told = tide_copy_bytes(b->touches, b->count / 3 * sizeof *told);
    if (!told)
        return tide_fail_memory(error, "convergence");
    for (uint32_t i = 0; i < tide_world_body_count(b->world); i++) {
        tide_body_info body;
        if (!tide_world_body_info(b->world, tide_world_body_at(b->world, i), &body))
            continue;
        for (uint32_t e = 0; e < body.mesh->edge_count; e++) {
            uint32_t from = body.first_particle + body.mesh->edges[2 * (size_t)e];
            uint32_t to = body.first_particle + body.mesh->edges[2 * (size_t)e + 1];
            b->touches[from] = b->touches[from] || told[to];
            b->touches[to] = b->touches[to] || told[from];
        }
    }
    return TIDE_OK;
}

static tide_status mark_contacts(bench *b, tide_error *error)
{
    uint32_t count;
    bool between_bodies = false;
    const tide_contact *contacts = tide_world_contacts(b->world, &count);
    for (uint32_t i = 0; i < count; i++) {
        between_bodies = between_bodies || contacts[i].other.generation;
        mark_vertex(b, contacts[i].body, contacts[i].vertex);
        mark_vertex(b, contacts[i].other, contacts[i].other_vertex);
    }
    return between_bodies ? mark_neighbours(b, error) : TIDE_OK;
}

// Turns y into y* at contacts: the gradient that is left at x* is the contact forces.
static void add_contact_forces(bench *b)
{
    tide_system_objective_gradient(b->system, b->h, b->y, b->best, b->gradient);
    for (uint32_t p = 0; p < b->system->particle_count; p++)
        for (size_t i = 3 * (size_t)p; i < 3 * (size_t)p + 3 && b->touches[p] && b->system->rows[p] != TIDE_PINNED; i++)
            b->y[i] += b->gradient[i] / b->system->masses[p];
}

// --- how soft it is --------------------------------------------------------------------------------------------------

// Computes the minimum x*(c) of 1/2 (x - y*)' M (x - y*) + c h^2 E(x) in b->scaled. This is a step of length h sqrt(c)
// from y* at rest without forces, so no stiffness needs to change.
static tide_status solve_scaled(bench *b, double c, tide_error *error)
{
    tide_solver *solver;
    tide_report report = { 0 };
    uint32_t unread;
    double h = b->h * sqrt(c);
    tide_step step = { .system = b->system,
                       .h = h,
                       .q = b->y,
                       .velocity = b->zeros,
                       .force = b->zeros,
                       .pinned = b->best,
                       .x = b->scaled,
                       .v = b->gradient,
                       .to = 1 };
    const tide_solver *reference = tide_world_solver(b->world);
    TIDE_TRY(tide_solver_create(tide_solver_kind_of(reference), tide_solver_options(reference), &solver, error));
    tide_status status = tide_solver_prepare(solver, b->system, h, b->best, &unread, error);
    if (status == TIDE_OK)
        status = tide_solver_step(solver, &step, &report, error);
    tide_solver_destroy(solver);
    return status;
}

// Inner products of the differences x*(c) - x* and x_n - x*, over a body's free vertices without contact, weighted by
// M.
typedef struct likeness {
    double softer_softer, softer_reached, reached_reached;
} likeness;

static likeness compare(const bench *b, const tide_body_info *body)
{
    likeness sums = { 0 };
    for (uint32_t v = 0; v < body->vertex_count; v++) {
        uint32_t p = body->first_particle + v;
        if (b->system->rows[p] == TIDE_PINNED || b->touches[p])
            continue;
        for (size_t i = 3 * (size_t)p; i < 3 * (size_t)p + 3; i++) {
            double mass = b->system->masses[p], softer = b->scaled[i] - b->best[i];
            double reached = b->reached[i] - b->best[i];
            sums.softer_softer += mass * softer * softer;
            sums.softer_reached += mass * softer * reached;
            sums.reached_reached += mass * reached * reached;
        }
    }
    return sums;
}

// Returns the next guess of c. Displacements under a load are proportional to 1 / c, so 1 / c - 1 is scaled in
// proportion. NAN if x_n does not differ from x* like a softer or stiffer body.
static double guess(const likeness *sums, double c)
{
    double alike = sums->softer_reached * sums->softer_reached / (sums->softer_softer * sums->reached_reached);
    if (sums->softer_softer > 0 && sums->reached_reached < 1e-6 * sums->softer_softer)
        return 1;
    if (!(alike > 0.25))
        return NAN;
    double yielding = 1 + sums->softer_reached / sums->softer_softer * (1 / c - 1);
    return yielding > 0.01 && yielding < 100 ? 1 / yielding : NAN;
}

static void note_body(const tide_body_info *body, tide_body_id id, double c, tide_convergence *out)
{
    const tide_body_def *def = body->look;
    out->body = id;
    out->effective = c;
    snprintf(out->body_name, sizeof out->body_name, "%s", body->name);
    out->nominal_is_modulus = !def->stiffness_at && !tide_given(def->stiffness) && tide_given(def->modulus);
    out->nominal = def->stiffness_at || def->modulus_at ? TIDE_NOT_GIVEN
                   : out->nominal_is_modulus            ? def->modulus
                                                        : def->stiffness;
}

static tide_status find_softest(bench *b, tide_convergence *out, tide_error *error)
{
    enum { REFINEMENTS = 2 };
    const double first = 0.7;
    double most = -1;
    tide_body_info body;
    TIDE_TRY(solve_scaled(b, first, error));
    for (uint32_t i = 0; i < tide_world_body_count(b->world); i++) {
        tide_body_id id = tide_world_body_at(b->world, i);
        if (!tide_world_body_info(b->world, id, &body))
            continue;
        likeness sums = compare(b, &body);
        double c = guess(&sums, first);
        if (fabs(tide_ln(c)) > most) {
            most = fabs(tide_ln(c));
            note_body(&body, id, c, out);
        }
    }
    for (int i = 0; tide_world_body_info(b->world, out->body, &body) && i < REFINEMENTS; i++) {
        if (!(fabs(out->effective - 1) > 1e-3))
            break;
        TIDE_TRY(solve_scaled(b, out->effective, error));
        likeness sums = compare(b, &body);
        double c = guess(&sums, out->effective);
        if (!isnan(c))
            out->effective = c;
    }
    return TIDE_OK;
}

static const double least_iterations = 60; // of L-BFGS

static tide_status measure(bench *b, const double *forces, double seconds, tide_convergence *out, tide_error *error)
{
    tide_world *world = b->world;
    TIDE_TRY(cut_to_substep(world, error));
    TIDE_TRY(tide_step_measure_add_forces(world, forces, error));
    TIDE_TRY(tide_world_predict(world, b->y, error));
    TIDE_TRY(tide_world_keep(world, error));
    TIDE_TRY(step_to(b, b->reached, error));
    const tide_report *report = tide_world_report(world);
    out->iterations = report->iterations;
    TIDE_TRY(mark_contacts(b, error));
    // An L-BFGS iteration costs about two local and global steps
    double work = report->local_seconds + report->global_seconds;
    double each = 2 * (work > 0 ? work : report->step_seconds) / (report->iterations ? report->iterations : 10);
    int iterations = (int)fmin(fmax(seconds / fmax(each, 1e-7), least_iterations), 2000);
    tide_world_undo(world);
    TIDE_TRY(tide_step_measure_add_forces(world, forces, error));
    TIDE_TRY(take_reference(b, iterations, &out->reached, error));
    TIDE_TRY(tide_world_system(world, &b->system, error));
    tide_status status = mark_contacts(b, error);
    b->h = tide_world_get_settings(world)->timestep;
    if (status != TIDE_OK)
        return status;
    add_contact_forces(b);
    const tide_step_measure errors =
        tide_step_measure_begin(b->system, b->h, b->y, b->best, b->y, b->touches, b->scaled);
    out->error = tide_step_measure_left(&errors, b->reached);
    return find_softest(b, out, error);
}

tide_status tide_convergence_measure(tide_world *fork, const double *forces, double seconds, tide_convergence *out,
                                     tide_error *error)
{
    bench b;
    double start = tide_clock_seconds();
    TIDE_TRY(make_bench(&b, fork, error));
    tide_convergence found = { .frame = tide_world_frame(fork), .error = NAN, .effective = NAN, .nominal = NAN };
    tide_status status = measure(&b, forces, seconds, &found, error);
    tide_free(b.y);
    found.seconds = tide_clock_seconds() - start;
    if (status == TIDE_OK)
        *out = found;
    return status;
}

// --- words -----------------------------------------------------------------------------------------------------------

static void write_percent(double part, char text[24])
{
    double percent = 100 * part;
    if (percent < 0.01)
        snprintf(text, 24, "less than 0.01");
    else if (percent < 9.95)
        snprintf(text, 24, "%.2g", percent);
    else
        snprintf(text, 24, "%.0f", fmin(percent, 1e9));
}

char *tide_convergence_text(const tide_convergence *c, char *text, size_t size, bool *notable)
{
    char left[24], most[200] = "", of[48] = "";
    double off = c->effective - 1;
    bool soft = !isnan(c->effective) && fabs(off) > 0.02;
    if (notable)
        *notable = c->error > 0.01 || soft;
    if (tide_given(c->nominal))
        snprintf(of, sizeof of, " than %.4g %s", c->nominal, c->nominal_is_modulus ? "N" : "N/m");
    if (soft)
        snprintf(most, sizeof most, "; \"%s\" acts %.0f %% %s%s", c->body_name, 100 * fmin(fabs(off), 1e4),
                 off < 0 ? "softer" : "stiffer", of);
    if (isnan(c->error)) {
        snprintf(text, size, "nothing to solve in this step");
        return text;
    }
    write_percent(c->error, left);
    snprintf(text, size, "%" PRIu32 " iteration%s: %s%s %% of this step's error left%s", c->iterations,
             c->iterations == 1 ? "" : "s", c->reached || c->error < 1e-4 ? "" : "at least ", left, most);
    return text;
}

// --- the thread ------------------------------------------------------------------------------------------------------

struct tide_convergence_probe {
    pthread_t thread;
    bool started; // started and not joined
    atomic_bool done;
    tide_world *fork;
    double *forces;
    tide_status status;
    tide_convergence measured, result; // by the thread; last reported
    bool has_result, unwanted;         // `unwanted`: discard the running measurement
    double began;
};

tide_status tide_convergence_probe_create(tide_convergence_probe **out, tide_error *error)
{
    tide_convergence_probe *probe = tide_allocate_zeroed(1, sizeof *probe);
    if (!probe)
        return tide_fail_memory(error, "convergence");
    probe->began = -1e9;
    *out = probe;
    return TIDE_OK;
}

static const double least_pause = 1, most_seconds = 0.5;

static void *run(void *context)
{
    tide_convergence_probe *probe = context;
    measuring = true;
#ifdef __linux__ // Linux has a priority per thread
    setpriority(PRIO_PROCESS, (id_t)gettid(), 10);
#endif
    tide_error unread;
    probe->status = tide_convergence_measure(probe->fork, probe->forces, most_seconds, &probe->measured, &unread);
    atomic_store(&probe->done, true);
    return NULL;
}

static void finish(tide_convergence_probe *probe)
{
    pthread_join(probe->thread, NULL);
    probe->started = false;
    tide_world_destroy(probe->fork);
    tide_free(probe->forces);
    probe->fork = NULL;
    probe->forces = NULL;
    if (probe->status == TIDE_OK && !probe->unwanted) {
        probe->result = probe->measured;
        probe->has_result = true;
    }
}

void tide_convergence_probe_destroy(tide_convergence_probe *probe)
{
    if (probe && probe->started)
        finish(probe);
    tide_free(probe);
}

static tide_status begin(tide_convergence_probe *probe, tide_world *world, tide_error *error)
{
    tide_status status = tide_step_measure_forces(world, &probe->forces, error);
    if (status == TIDE_OK)
        status = tide_world_fork(world, &probe->fork, error);
    atomic_store(&probe->done, false);
    probe->unwanted = false;
    if (status == TIDE_OK && pthread_create(&probe->thread, NULL, run, probe) != 0) {
        tide_world_destroy(probe->fork);
        probe->fork = NULL;
        status = tide_fail(error, TIDE_ERROR_STATE, "convergence", NULL, NULL, "the system has no more threads");
    }
    probe->started = status == TIDE_OK;
    if (!probe->started) {
        tide_free(probe->forces);
        probe->forces = NULL;
    }
    return status;
}

tide_status tide_convergence_probe_ask(tide_convergence_probe *probe, tide_world *world, double now, tide_error *error)
{
    if (probe->started && atomic_load(&probe->done))
        finish(probe);
    double pause = fmax(least_pause, 5 * probe->measured.seconds);
    if (probe->started || now - probe->began < pause || !tide_convergence_can_measure(world, NULL, 0))
        return TIDE_OK;
    probe->began = now;
    return begin(probe, world, error);
}

bool tide_convergence_probe_is_busy(const tide_convergence_probe *probe)
{
    return probe->started && !atomic_load(&probe->done);
}

bool tide_convergence_probe_result(tide_convergence_probe *probe, tide_convergence *out)
{
    if (probe->started && atomic_load(&probe->done))
        finish(probe);
    if (probe->has_result)
        *out = probe->result;
    return probe->has_result;
}

void tide_convergence_probe_forget(tide_convergence_probe *probe)
{
    probe->has_result = false;
    probe->unwanted = true;
}
