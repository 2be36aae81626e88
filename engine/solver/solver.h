// Time integrators: from the state at the start of a step they compute the state at its end. All are behind one table.
// A method is one file with a const tide_solver_kind at its foot and a line in the list in solvers.c.
//
//     tide_solver *solver;
//     status = tide_solver_create(tide_solver_kind_find("newton", error), NULL, &solver, error); // NULL: the defaults
//     status = tide_solver_prepare(solver, system, h, x, &bad_particle, error);                  // may factor
//     tide_step step = { .system = system, .h = h, .q = q, .velocity = v, .force = f, .pinned = q, .x = x, .v = out };
//     status = tide_solver_step(solver, &step, &report, error);
//     tide_solver_destroy(solver);
//
// Shapes: arrays of a step are (3 * particle_count). Units: m, s, kg, N. Ownership: the caller owns the system and all
// arrays; the solver owns its factor and its memory, and copies its options. Errors: an unknown name or option is
// TIDE_ERROR_ARGUMENT, a matrix that is not positive definite TIDE_ERROR_NUMERIC. The step does not check that x is
// finite; the caller does. Threads: a solver is used by one thread at a time, two solvers on two systems by two;
// results are the same for any number of helper threads.
#ifndef TIDE_SOLVER_SOLVER_H
#define TIDE_SOLVER_SOLVER_H

#include "base/field.h"
#include "factor/cholesky.h"
#include "model/system.h"

#define TIDE_NO_PARTICLE UINT32_MAX

// What a step did (engine/README.md, "Numbers"). Times are seconds. Fields that do not apply to a method stay 0. Of a
// step cut into substeps, counts and times are sums and the others are of the last.
typedef struct tide_report {
    uint32_t iterations;          // also of a descent that is begun again (tide_objective_is_astray)
    double g;                     // g(x) at the result; NAN for methods that do not minimise g
    double gradient_norm;         // |grad g(x)| at the result, over free particles; NAN likewise
    double initial_gradient_norm; // |grad g(y)|
    bool converged;               // met its tolerance (a method without one: the step was taken)
    uint32_t line_searches, linear_iterations;
    uint32_t substeps, rejected; // substeps taken; and discarded, to be taken again with other ones
    double substep;              // s, the last that was taken
    double stable_substep;       // s, the longest stable one in theory; 0: the method knows none, or never_stable
    bool never_stable;           // in theory no substep is stable: the method gains energy without damping
    double largest_eigenvalue;   // k0, 1/s^2, that this rests on
    double local_seconds, global_seconds, step_seconds;
    double contact_seconds, contact_detect_seconds; // finding and answering; of these, finding
    bool touched;                                   // contacts have moved particles within the method
    bool accelerates;                               // the method accelerates the iteration of local_global
    uint32_t plain_iterations;                      // of those, not accelerated because contacts moved particles
    double contact_work; // J, a bound from above: what colliders and pins that move, and ways out of what was inside as
                         // the step began, have given by contact; of all substeps
    double energy_gain;  // J, what the step has added to the energy that it was given, see energy_gain.h; the world's
    uint32_t suspect;    // the particle where a step diverged, if the method saw it; TIDE_NO_PARTICLE
    char warning[192];   // what the user should know of this step, or ""
} tide_report;

typedef struct tide_step tide_step;

// How particles follow forces in a method that steps with one matrix A: moved = A^-1 force. Both are (3 *
// particle_count); force in kg m (times the square of the rule below), moved in m and 0 for pinned particles. False:
// nothing was moved.
typedef struct tide_yield {
    bool (*solve)(const struct tide_yield *yield, const double *force, double *moved);
    bool of_lines; // lines yield, too, to all that an answer changes: the method has no steps left to follow y by
    bool measured; // A^-1 has entries below 0: what a pass takes is measured, as rows' sums bound nothing
    bool renewed;  // A is another than the last time
    bool exact;    // contacts with colliders are solved for until their laws hold, however many solves that takes
    double moved;  // m: no coordinate of x has changed by more since the last nudge of the step; 0: not known
    // A's number, which no other matrix has, where the same is solved along each axis, and what comes of a force along
    // one is the same to the bit whatever there is along the others: single precision will do then. 0: not so.
    uint64_t serial;
    // Then: what entries of A^-1 are had by, NULL without memory, and the row of A that is a particle's, TIDE_PINNED:
    // none.
    struct tide_inverse_root *(*root)(const struct tide_yield *yield);
    uint32_t (*row)(const struct tide_yield *yield, uint32_t particle);
} tide_yield;

// When x is nudged: before the method's first step, between two, or after the last.
typedef enum tide_nudge_at { TIDE_NUDGE_FIRST, TIDE_NUDGE_BETWEEN, TIDE_NUDGE_LAST } tide_nudge_at;

// What keeps particles out of one another and of obstacles: the world fills it (contact/), methods call it. Contacts
// act as displacements s = h^2 M^-1 f of the particles, kept from answer to answer, so that a minimum of g with y + s
// in place of y has their forces f in balance.
typedef struct tide_contact_response {
    void *context;
    bool any_solids; // bodies that have an inside are among what moves
    // A substep begins, from step->q. Called by tide_solver_step, and by methods that cut the timestep themselves.
    tide_status (*begin)(void *context, const tide_step *step, tide_error *error);
    // Within a method that minimises g, when it has its first x and after every iteration: changes y by what the
    // contacts' displacements change by, seeing x: more where things are too close, less where a contact would pull.
    // `rule` is the s of the method's objective: h but for BDF2. Returns the largest change of a coordinate, m; 0 when
    // nothing touches. x stays: methods whose iterations come near g's minimum follow y.
    double (*respond)(void *context, const double *x, double *y, double rule, tide_report *report);
    // The same for methods that step with one matrix A: x moves as `yield` tells, too, but of a first guess. Particles
    // of lines move by what they are pushed alone, as their springs hardly resist that, by no more than a part of the
    // edges' length; not the last time, as no step of the method would come after it.
    double (*nudge)(void *context, double *x, double *y, double rule, const tide_yield *yield, tide_nudge_at at,
                    tide_report *report);
    // The same for methods that move particles one after another: x moves with y, but where it is `ahead`, a guess of
    // the step's end, by nothing that contacts pushed in the step before, as it has that in it.
    double (*move)(void *context, double *x, double *y, double rule, bool ahead, tide_report *report);
    // The substep is over: x and v as the method left them are changed to what no contact objects to.
    tide_status (*settle)(void *context, double *x, double *v, tide_report *report, tide_error *error);
} tide_contact_response;

// One step from q to x. All arrays are (3 * particle_count); x and v come out.
struct tide_step {
    const tide_system *system;
    double h;               // s
    const double *q;        // positions at the start, m
    const double *velocity; // damped velocities v~ at the start, m/s
    const double *force;    // external forces f_ext with gravity, N
    const double *pinned;   // positions of pinned particles at the end of the step (entries of free ones are ignored)
    double *x;              // out: positions at the end
    double *v;              // out: velocities at the end
    const double *undamped; // velocities as the last step left them: for methods that look back; never NULL
    double from, to;        // the part of the world's timestep that this is: 0 and 1, but for substeps
    const tide_contact_response *contact; // NULL: nothing touches anything
};

// A largest change, m, at which contacts count as settled.
#define TIDE_CONTACT_SETTLED 1e-6
// How often a method that solves a linear system answers contacts and solves it again, at most.
enum { TIDE_CONTACT_SOLVES = 10 };
// For methods: the answer within an iteration; 0 without contact.
static inline double tide_step_respond(const tide_step *step, const double *x, double *y, double rule,
                                       tide_report *report)
{
    double moved = step->contact ? step->contact->respond(step->contact->context, x, y, rule, report) : 0;
    report->touched = report->touched || moved > 0;
    return moved;
}
static inline double tide_step_nudge(const tide_step *step, double *x, double *y, double rule, const tide_yield *yield,
                                     tide_nudge_at at, tide_report *report)
{
    double moved = step->contact ? step->contact->nudge(step->contact->context, x, y, rule, yield, at, report) : 0;
    report->touched = report->touched || moved > 0;
    return moved;
}
static inline double tide_step_move(const tide_step *step, double *x, double *y, bool ahead, tide_report *report)
{
    double moved = step->contact ? step->contact->move(step->contact->context, x, y, step->h, ahead, report) : 0;
    report->touched = report->touched || moved > 0;
    return moved;
}

typedef struct tide_solver_kind tide_solver_kind;

// A method with its options. Methods get the whole of it; others use the functions below.
typedef struct tide_solver {
    const tide_solver_kind *kind;
    void *options;   // the struct that kind->fields describes
    void *state;     // the method's own; zeros at first
    double *between; // positions, velocities and pins between substeps, (9 * particle_count); NULL without substeps
    uint32_t between_count;
    bool prepared; // for the options that it has
} tide_solver;

// Every method's options begin with these, and its field table with TIDE_SOLVER_COMMON_FIELDS(type of the options).
typedef struct tide_solver_common {
    int substeps;
} tide_solver_common;
#define TIDE_SOLVER_COMMON_FIELDS(options_type)                                                                        \
    {                                                                                                                  \
        .name = "substeps", .type = TIDE_FIELD_INTEGER, .offset = offsetof(options_type, common.substeps),             \
        .initial = { 1 }, .minimum = 1, .maximum = 1e6,                                                                \
        .help = "equal parts into which each timestep is cut, every one a step of this method"                         \
    }

// Fields that iterative methods share; `initial` is the default, `what` names one iteration.
#define TIDE_ITERATIONS_FIELD(options_type, member, initial_, what)                                                    \
    {                                                                                                                  \
        .name = "iterations", .type = TIDE_FIELD_INTEGER, .offset = offsetof(options_type, member),                    \
        .initial = { initial_ }, .minimum = 1, .maximum = 1e6, .help = what " in a timestep, at most"                  \
    }
#define TIDE_TOLERANCE_FIELD(options_type, member, initial_)                                                           \
    {                                                                                                                  \
        .name = "tolerance", .type = TIDE_FIELD_REAL, .offset = offsetof(options_type, member),                        \
        .initial = { initial_ }, .minimum = 0, .maximum = INFINITY,                                                    \
        .help = "stop when |grad g(x)| <= tolerance * |grad g(y)|; 0 takes all iterations"                             \
    }

struct tide_solver_kind {
    const char *name, *help, *source; // source: paper and equation
    const tide_field *fields;
    size_t options_size, state_size;
    const void *context; // what tells methods of one family apart, or a script's method
    int order;           // of accuracy in h; 0 when it has none (it depends on the iterations)
    // The largest |eigenvalue| of one substep of x'' = -k x - d x' with X = h d and Y = h^2 k: stable below 1 (Shinya
    // 2005, eq. 15 to 19). NULL: not known in closed form.
    double (*amplification)(double X, double Y);
    // Gets ready for a system and timestep, with the particles at x (3 * particle_count): allocates, factors. Called
    // again whenever system, timestep or options changed; keeps what it can. On TIDE_ERROR_NUMERIC, *bad_particle is
    // the particle at fault.
    tide_status (*prepare)(tide_solver *solver, const tide_system *system, double h, const double *x,
                           uint32_t *bad_particle, tide_error *error);
    // Takes one step and fills the report. Allocates nothing. x need not be finite: the caller checks.
    tide_status (*step)(tide_solver *solver, const tide_step *step, tide_report *report, tide_error *error);
    void (*destroy)(tide_solver *solver);                      // frees what prepare made
    tide_cholesky_info (*describe)(const tide_solver *solver); // of the factor kept; NULL: the method keeps none
    // What the next step depends on besides positions and velocities (warm starts, earlier steps): its bytes, for
    // snapshots. NULL: none. It is loaded after prepare.
    size_t (*history_size)(const tide_solver *solver);
    void (*save_history)(const tide_solver *solver, void *bytes);
    tide_status (*load_history)(tide_solver *solver, const void *bytes, size_t size, tide_error *error);
    // Called when contacts have had the last word on step->x and step->v, for methods that look back. NULL: it does
    // not.
    void (*settled)(tide_solver *solver, const tide_step *step);
    bool cuts_timestep; // it begins and settles contact itself, in substeps of its own
    // Called for every solver that is made of the kind, and when that is destroyed: of a script's, which does not live
    // for ever. NULL: it does.
    void (*retain)(const tide_solver_kind *kind);
    void (*release)(const tide_solver_kind *kind);
};

const tide_solver_kind *tide_solver_kind_at(uint32_t index); // NULL past the last; the first is the default
bool tide_solver_kind_is_own(const tide_solver_kind *kind);  // one of these, not a script's
// By name, or NULL with an error that names the nearest.
const tide_solver_kind *tide_solver_kind_find(const char *name, tide_error *error);
// The same among these and `count` more, those of a script.
const tide_solver_kind *tide_solver_kind_find_among(const char *name, const tide_solver_kind *const *more, size_t count,
                                                    tide_error *error);

// A solver with its options (a copy of `options`, the struct that the kind's fields describe; NULL for the defaults).
tide_status tide_solver_create(const tide_solver_kind *kind, const void *options, tide_solver **solver,
                               tide_error *error);
void tide_solver_destroy(tide_solver *solver); // NULL does nothing
const tide_solver_kind *tide_solver_kind_of(const tide_solver *solver);
const void *tide_solver_options(const tide_solver *solver);
// One of them by the name of its field, as what that describes; NULL: the method has none of this name.
const void *tide_solver_option(const tide_solver *solver, const char *name);
// They are in force from the next preparation on, and no step is taken before.
void tide_solver_set_options(tide_solver *solver, const void *options);

tide_status tide_solver_prepare(tide_solver *solver, const tide_system *system, double h, const double *x,
                                uint32_t *bad_particle, tide_error *error);
// `step->undamped` may be NULL here: the same as `velocity`.
tide_status tide_solver_step(tide_solver *solver, const tide_step *step, tide_report *report, tide_error *error);
tide_cholesky_info tide_solver_describe(const tide_solver *solver); // zeros when the method keeps no factor
size_t tide_solver_history_size(const tide_solver *solver);
void tide_solver_save_history(const tide_solver *solver, void *bytes);
tide_status tide_solver_load_history(tide_solver *solver, const void *bytes, size_t size, tide_error *error);

// Adds to the refusal of an option that is unknown to a method which others have it; other errors stay as they are.
void tide_solver_explain(tide_error *error);

// For methods: the refusal of a system or timestep that `prepare` has not seen.
tide_status tide_solver_fail_unprepared(const tide_solver *solver, tide_error *error);
// For methods: makes `arrays` (count) of (3 * particle_count) zeros each, for the system; those that fit stay as they
// are. *particle_count is what they are made for; 0 when it fails.
tide_status tide_solver_arrays(double **arrays, int count, uint32_t *particle_count, const tide_system *system,
                               const char *object, tide_error *error);
// solver "NAME", for messages.
const char *tide_solver_object(const tide_solver_kind *kind, char text[96]);

#endif
