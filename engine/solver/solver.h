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

#include "base/clock.h"
#include "base/field.h"
#include "factor/cholesky.h"
#include "model/system.h"

#define TIDE_NO_PARTICLE UINT32_MAX

// The phases of contact in a step. Of detection, what is neither narrow nor continuous is the broad phase: trees of
// boxes, their queries, motion bounds, lists of pairs. Of the rest, what is not continuous is the response.
typedef struct tide_contact_phases {
    double narrow_seconds;     // part of detection: distances of the candidates, estimated from a sample
    double continuous_seconds; // continuous collision, detection included
    double continuous_detect_seconds;
    uint64_t searches;         // for pairs, those of a part of the points included
    uint64_t candidates;       // pairs of these searches whose boxes overlap, without neighbours on a mesh
    uint64_t swept_candidates; // the same of continuous collision
    uint64_t unresolved;       // impacts that the last sweep of a substep has left
    uint64_t pairs;            // that the last search has kept, because they may touch
} tide_contact_phases;

// What a step did (engine/README.md, "Numbers"). Times are seconds. Fields that do not apply to a method stay 0. For a
// step cut into substeps, counts and times are sums, and the other fields are those of the last substep.
typedef struct tide_report {
    uint32_t iterations;          // includes those of a restarted descent (tide_objective_raises_energy)
    double g;                     // g(x) at the result; NAN for methods that do not minimise g
    double gradient_norm;         // |grad g(x)| at the result, over free particles; NAN likewise
    double initial_gradient_norm; // |grad g(y)|
    bool converged;               // met its tolerance (a method without one: took the step)
    uint32_t line_searches, linear_iterations;
    uint32_t substeps, rejected;          // substeps taken; substeps discarded and repeated with others
    double substep;                       // s, the last one taken
    double stable_substep;                // s, longest stable one in theory; 0: not known, or never_stable
    bool never_stable;                    // in theory no substep is stable: the method gains energy without damping
    double largest_eigenvalue;            // k0, 1/s^2, from which these follow
    double local_seconds, global_seconds; // of the method without contact; newton's include the solves of contact
    double step_seconds;
    double contact_seconds, contact_detect_seconds; // detection and response; detection alone
    tide_contact_phases contact_phases;
    bool touched;              // contacts have moved particles during the step
    bool touched_singly;       // contacts have moved particles one after another, as if no elements held them
    bool accelerates;          // the method accelerates the iteration of local_global
    uint32_t plain_iterations; // of those, without acceleration because contacts moved particles
    double contact_work;       // J, an upper bound of what moving colliders and pins, and the correction of initial
                               // penetrations, have added through contacts; of all substeps
    double energy_gain;        // J, energy that the step has added by error, see energy_gain.h; filled by the world
    uint32_t suspect;          // particle at which a step diverged, if the method detected it; else TIDE_NO_PARTICLE
    char warning[192];         // a message to the user about this step, or ""
} tide_report;

// The clock (s) without the time of contact so far: the difference of two calls is the time of the method alone.
static inline double tide_method_seconds(const tide_report *report)
{
    return tide_clock_seconds() - report->contact_seconds;
}

typedef struct tide_step tide_step;

// The compliance of a method that steps with one matrix A: moved = A^-1 force. Both are (3 * particle_count); force is
// in kg m (times the square of `rule` below), moved in m and 0 for pinned particles. `solve` returns false when nothing
// was moved.
typedef struct tide_compliance_operator {
    bool (*solve)(const struct tide_compliance_operator *inverse, const double *force, double *moved);
    bool of_lines;  // lines (hair) move by A^-1 too: no later step of the method follows y
    bool measured;  // A^-1 has negative entries: row sums bound nothing, so each pass is measured
    bool renewed;   // A has changed since the last call
    bool supported; // A contains what `support` of the contacts added last, and x has moved by it since
    bool exact;     // contacts with colliders are iterated until their laws hold, for any number of solves
    double moved;   // m: bound of the change of x's coordinates since the last iteration of contacts; 0: unknown
    // A number that identifies A, if A acts on each axis alone and the result along one axis has the same bits whatever
    // the forces along the others are; single precision is then enough. 0: A is not such a matrix.
    uint64_t serial;
    // Used with a serial: return the object that computes entries of A^-1 (NULL when there is no memory), and the row
    // of A for a particle (TIDE_PINNED: none).
    struct tide_inverse_root *(*root)(const struct tide_compliance_operator *inverse);
    uint32_t (*row)(const struct tide_compliance_operator *inverse, uint32_t particle);
} tide_compliance_operator;

// Adds R = strength * n n^T, or R = strength times the identity without a normal n (NULL), to the block of a particle
// in the matrix of the next step, and R times `closing` (m) to the right side. Returns the strength in kg, 0 for a
// pinned particle.
typedef double tide_support_add(void *to, uint32_t particle, const double *normal, const double closing[3]);

// Where the method calls iterate_compliant: before its first step, between two steps, or after the last.
typedef enum tide_iteration_place {
    TIDE_ITERATION_FIRST,
    TIDE_ITERATION_BETWEEN,
    TIDE_ITERATION_LAST
} tide_iteration_place;

// The contacts, which keep particles out of one another and of obstacles. The world fills the table (contact/); methods
// call it. Contacts act as displacements s = h^2 M^-1 f of the particles, which accumulate from call to call. At a
// minimum of g with y + s in place of y, their forces f are in balance.
typedef struct tide_contact_response {
    void *context;
    bool any_solids; // solid bodies are among those that move
    // Begins a substep at step->q. Called by tide_solver_step, and by methods that cut the timestep themselves.
    tide_status (*pre_step)(void *context, const tide_step *step, tide_error *error);
    // For methods that minimise g, with the first x and after every iteration: solves contacts at x and changes y by
    // the change of their displacements, which grow where the gap is too small and shrink where a contact would pull.
    // `rule` is the s of the method's objective: h except for BDF2. Returns the largest change of a coordinate, m; 0
    // when nothing touches. x stays: methods whose iterations come near g's minimum follow y.
    double (*iterate_target)(void *context, const double *x, double *y, double rule, tide_report *report);
    // For methods that step with one matrix A: as `iterate_target`, but x also moves by the operator `inverse`, except
    // at a first guess. Particles of lines move only by their own displacements, because their springs hardly resist
    // these, and by at most a fraction of the edges' length; not at the last call, since no step of the method follows.
    // Returns -1 when A has supports and contacts are not solved with it: contacts are then as before, and x and y are
    // of no use.
    double (*iterate_compliant)(void *context, double *x, double *y, double rule,
                                const tide_compliance_operator *inverse, tide_iteration_place at, tide_report *report);
    // Adds supports of contacts to the matrix of a step from x (contact/support.h). Returns whether it added any.
    bool (*support)(void *context, const double *x, tide_support_add *add, void *to);
    // For methods that move particles one after another: as `iterate_target`, but x moves with y. When x is `ahead`, a
    // guess of the step's end, it does not move by the displacements kept from the step before, which the guess already
    // contains.
    double (*iterate_particles)(void *context, double *x, double *y, double rule, bool ahead, tide_report *report);
    // Ends the substep: changes x and v, as the method left them, until no contact is violated.
    tide_status (*post_step)(void *context, double *x, double *v, tide_report *report, tide_error *error);
} tide_contact_response;

// One step from q to x. All arrays are (3 * particle_count); x and v are outputs.
struct tide_step {
    const tide_system *system;
    double h;               // s
    const double *q;        // positions at the start, m
    const double *velocity; // damped velocities v~ at the start, m/s
    const double *force;    // external forces f_ext including gravity, N
    const double *pinned;   // positions of pinned particles at the end of the step (entries of free ones are ignored)
    double *x;              // out: positions at the end
    double *v;              // out: velocities at the end
    const double *undamped; // velocities at the end of the last step, for multistep methods; never NULL
    double from, to;        // the part of the world's timestep: 0 and 1 except for substeps
    const tide_contact_response *contact; // NULL: no contacts
};

// Largest change, m, at which contacts count as converged.
#define TIDE_CONTACT_TOLERANCE 1e-6
// Most solves of a method that solves one linear system and repeats it for contacts.
enum { TIDE_CONTACT_SOLVES = 10 };
// For methods: call the contacts within an iteration; return the largest change, m, 0 without contacts.
static inline double tide_step_iterate_target(const tide_step *step, const double *x, double *y, double rule,
                                              tide_report *report)
{
    double moved = step->contact ? step->contact->iterate_target(step->contact->context, x, y, rule, report) : 0;
    report->touched = report->touched || moved > 0;
    return moved;
}
static inline double tide_step_iterate_compliant(const tide_step *step, double *x, double *y, double rule,
                                                 const tide_compliance_operator *inverse, tide_iteration_place at,
                                                 tide_report *report)
{
    double moved =
        step->contact ? step->contact->iterate_compliant(step->contact->context, x, y, rule, inverse, at, report) : 0;
    report->touched = report->touched || moved > 0;
    return moved;
}
static inline double tide_step_iterate_particles(const tide_step *step, double *x, double *y, bool ahead,
                                                 tide_report *report)
{
    double moved =
        step->contact ? step->contact->iterate_particles(step->contact->context, x, y, step->h, ahead, report) : 0;
    report->touched = report->touched || moved > 0;
    report->touched_singly = report->touched_singly || moved > 0;
    return moved;
}

typedef struct tide_solver_kind tide_solver_kind;

// A method with its options. Methods use its members; others use the functions below.
typedef struct tide_solver {
    const tide_solver_kind *kind;
    void *options;   // the struct that kind->fields describes
    void *state;     // the method's own; initially zeros
    double *between; // positions, velocities and pins between substeps, (9 * particle_count); NULL without substeps
    struct tide_rigid_bodies *rigid; // rigid_bodies.h; NULL: the system has none
    uint32_t between_count;
    bool prepared; // with the current options
} tide_solver;

// The options of every method begin with these, and its field table with TIDE_SOLVER_COMMON_FIELDS(type of the
// options).
typedef struct tide_solver_common {
    int substeps;
} tide_solver_common;
#define TIDE_SOLVER_COMMON_FIELDS(options_type)                                                                        \
    {                                                                                                                  \
        .name = "substeps", .type = TIDE_FIELD_INTEGER, .offset = offsetof(options_type, common.substeps),             \
        .initial = { 1 }, .minimum = 1, .maximum = 1e6,                                                                \
        .help = "number of equal substeps of each timestep, each of them a step of this method"                        \
    }

// Fields of iterative methods; `initial` is the default, `what` names one iteration.
#define TIDE_ITERATIONS_FIELD(options_type, member, initial_, what)                                                    \
    {                                                                                                                  \
        .name = "iterations", .type = TIDE_FIELD_INTEGER, .offset = offsetof(options_type, member),                    \
        .initial = { initial_ }, .minimum = 1, .maximum = 1e6, .help = what " in a timestep, at most"                  \
    }
#define TIDE_TOLERANCE_FIELD(options_type, member, initial_)                                                           \
    {                                                                                                                  \
        .name = "tolerance", .type = TIDE_FIELD_REAL, .offset = offsetof(options_type, member),                        \
        .initial = { initial_ }, .minimum = 0, .maximum = INFINITY,                                                    \
        .help = "stop when |grad g(x)| <= tolerance * |grad g(y)|; 0: take all iterations"                             \
    }

struct tide_solver_kind {
    const char *name, *help, *source; // source: paper and equation
    const tide_field *fields;
    size_t options_size, state_size;
    const void *context; // distinguishes the methods of a family; or a script's method
    int order;           // order of accuracy in h; 0 when it has none (it depends on the iterations)
    // Rigid bodies (rigid_bodies.h): the stiffness k of their elements that the method works well with, as k h^2 / m;
    // 0: the method refuses systems with rigid bodies. And where in the step the method evaluates the forces of
    // elements: 1 at the end, 0 at the start.
    double rigid_stiffness, rigid_place;
    // Returns the spectral radius of one substep of x'' = -k x - d x' with X = h d and Y = h^2 k: stable below 1
    // (Shinya 2005, eq. 15 to 19). NULL: not known in closed form.
    double (*amplification)(double X, double Y);
    // Prepares for a system and timestep, with the particles at x (3 * particle_count): allocates and factors. Called
    // again whenever system, timestep or options have changed; keeps what it can. On TIDE_ERROR_NUMERIC, *bad_particle
    // is the particle at fault.
    tide_status (*prepare)(tide_solver *solver, const tide_system *system, double h, const double *x,
                           uint32_t *bad_particle, tide_error *error);
    // Takes one step and fills the report. Allocates nothing. x need not be finite: the caller checks.
    tide_status (*step)(tide_solver *solver, const tide_step *step, tide_report *report, tide_error *error);
    void (*destroy)(tide_solver *solver);                      // frees what prepare made
    tide_cholesky_info (*describe)(const tide_solver *solver); // the factor that is kept; NULL: there is none
    // The state, besides positions and velocities, on which the next step depends (warm starts, earlier steps), as
    // bytes for snapshots. NULL: none. It is loaded after prepare.
    size_t (*history_size)(const tide_solver *solver);
    void (*save_history)(const tide_solver *solver, void *bytes);
    tide_status (*load_history)(tide_solver *solver, const void *bytes, size_t size, tide_error *error);
    // Called when contacts have changed step->x and step->v for the last time; for multistep methods. May be NULL.
    void (*after_contacts)(tide_solver *solver, const tide_step *step);
    bool cuts_timestep; // calls pre_step and post_step of contacts itself, in substeps of its own
    // Called when a solver of the kind is created, and when it is destroyed; for kinds of scripts, which are freed when
    // unused. NULL: the kind is static.
    void (*retain)(const tide_solver_kind *kind);
    void (*release)(const tide_solver_kind *kind);
};

const tide_solver_kind *tide_solver_kind_at(uint32_t index); // NULL past the last; the first is the default
bool tide_solver_kind_is_own(const tide_solver_kind *kind);  // an engine's kind, not a script's
// Returns the kind of this name, or NULL with an error that names the nearest.
const tide_solver_kind *tide_solver_kind_find(const char *name, tide_error *error);
// Also searches the `count` kinds in `more`, those of a script.
const tide_solver_kind *tide_solver_kind_find_among(const char *name, const tide_solver_kind *const *more, size_t count,
                                                    tide_error *error);

// Creates a solver with a copy of `options`, the struct that the kind's fields describe; NULL for the defaults.
tide_status tide_solver_create(const tide_solver_kind *kind, const void *options, tide_solver **solver,
                               tide_error *error);
void tide_solver_destroy(tide_solver *solver); // NULL does nothing
const tide_solver_kind *tide_solver_kind_of(const tide_solver *solver);
const void *tide_solver_options(const tide_solver *solver);
// Returns the option with this field name, in the type that the field describes; NULL: the method has no such option.
const void *tide_solver_option(const tide_solver *solver, const char *name);
// Sets the options. They take effect at the next preparation; until then no step can be taken.
void tide_solver_set_options(tide_solver *solver, const void *options);

// Prepares for steps of h seconds of a system with the particles at x (3 * particle_count). Call it again whenever the
// system, the timestep or the options have changed. On TIDE_ERROR_NUMERIC, *bad_particle is the particle at fault.
tide_status tide_solver_prepare(tide_solver *solver, const tide_system *system, double h, const double *x,
                                uint32_t *bad_particle, tide_error *error);
// Takes a step. `step->undamped` may be NULL here: it is then `velocity`.
tide_status tide_solver_step(tide_solver *solver, const tide_step *step, tide_report *report, tide_error *error);
tide_cholesky_info tide_solver_describe(const tide_solver *solver); // zeros when the method keeps no factor
// Save and load the history (tide_solver_kind); it is loaded after preparing.
size_t tide_solver_history_size(const tide_solver *solver);
void tide_solver_save_history(const tide_solver *solver, void *bytes);
tide_status tide_solver_load_history(tide_solver *solver, const void *bytes, size_t size, tide_error *error);

// If the error refuses an option that the method does not have, adds which other methods have it. Leaves other errors
// unchanged.
void tide_solver_explain(tide_error *error);

// For methods: fails because `prepare` has not seen this system or timestep.
tide_status tide_solver_fail_unprepared(const tide_solver *solver, tide_error *error);
// Fails for a system with coupled groups (element.h): for methods that evaluate elements one by one.
tide_status tide_solver_refuse_coupled(const tide_solver *solver, const tide_system *system, tide_error *error);
// For methods: allocates `arrays` (count) of (3 * particle_count) zeros each for the system, which `owner`, the
// state, owns; keeps those that fit.
// *particle_count is the size they have; 0 on failure.
tide_status tide_solver_arrays(void *owner, double **arrays, int count, uint32_t *particle_count,
                               const tide_system *system, const char *object, tide_error *error);
// Writes solver "NAME" for messages; returns `text`.
const char *tide_solver_object(const tide_solver_kind *kind, char text[96]);

#endif
