// A world: bodies, their state, the solver that steps them, snapshots, and the reconciling of a running world with a
// new description of it.
//
// A world is described by calls (add bodies, pin, choose a solver) and stepped. To change it, describe a new one with
// the old as `predecessor`, then tide_world_adopt the old one's state. A failure on the way leaves the old world
// unchanged.
//
//     tide_world *world;
//     status = tide_world_create(NULL, NULL, &world, error); // the default settings
//     status = tide_world_add_body(world, &def, &body, error); // def from tide_body_def_default
//     status = tide_world_pin(world, body, 0, TIDE_NOT_GIVEN, error);
//     status = tide_world_step(world, error);
//     tide_world_destroy(world);
//
// Units: m, s, kg, N, J; vertices, springs and bodies count from 0. Arrays of a body are (3 * vertex_count). Ownership:
// the world copies definitions and retains their meshes; arrays and texts that it returns are its own. Errors name the
// body, the field and the script's line; a failed call changes nothing. Threads: a world is used by one thread at a
// time, two worlds by two. Results are the same for any number of helper threads.
#ifndef TIDE_WORLD_WORLD_H
#define TIDE_WORLD_WORLD_H

#include "base/random.h"
#include "collision/collider.h"
#include "contact/contact_settings.h"
#include "mesh/mesh.h"
#include "solver/solver.h"

typedef struct tide_world tide_world;
typedef struct tide_snapshot tide_snapshot;

// --- settings
// -----------------------------------------------------------------------------------------------------------

typedef struct tide_world_settings {
    double timestep;   // s
    double gravity[3]; // m/s^2
    double drag;       // 1/s: v~ = exp(-drag h) v, so alpha of Liu 2013 sec. 4.1 is exp(-drag h)
    // 1/s: after that, each body's free particles' v~ approach its rigid motion, whose momentum and angular momentum
    // are theirs: what differs is multiplied by exp(-deformation_drag h) (Mueller et al. 2007, sec. 3.5)
    double deformation_drag;
    tide_contact_settings contact; // how touching is found and answered
} tide_world_settings;
extern const tide_field tide_world_fields[]; // timestep 1/30, gravity {0,-9.81,0}, both drags 0; without `contact`
tide_world_settings tide_world_settings_default(void);

// --- bodies
// -------------------------------------------------------------------------------------------------------------

typedef enum tide_bend_model { TIDE_BEND_AUTOMATIC, TIDE_BEND_SKIP, TIDE_BEND_HINGE } tide_bend_model;

typedef enum tide_collide { TIDE_COLLIDE_ALL, TIDE_COLLIDE_COLLIDERS, TIDE_COLLIDE_NONE } tide_collide;

typedef struct tide_extra_spring {
    uint32_t i, j;      // vertices of the body, from 0
    double stiffness;   // N/m
    double rest_length; // m; TIDE_NOT_GIVEN: as the mesh has it
} tide_extra_spring;

// Elements of one kind on a body. A scene writes { "area_spring", on = "triangles", stiffness = 50 }.
typedef enum tide_elements_on {
    TIDE_ON_VERTICES = -1, // on the listed vertices
    TIDE_ON_EDGES,
    TIDE_ON_TRIANGLES,
    TIDE_ON_TETRAHEDRA
} tide_elements_on;
extern const char *const tide_elements_on_names[]; // of those from TIDE_ON_EDGES on; ends with NULL

typedef struct tide_body_elements {
    const tide_element_kind *kind; // one with `fields`
    int on;                        // tide_elements_on: parts of the mesh with as many corners as the kind has vertices
    const uint32_t *vertices;      // (kind->vertex_count * count) of the body, from 0, with TIDE_ON_VERTICES
    uint32_t count;                // with TIDE_ON_VERTICES
    double parameters[TIDE_ELEMENT_MAX_PARAMETERS]; // the same for all; TIDE_NOT_GIVEN: from the body at rest
} tide_body_elements;

// What a body is made of. At most one of mass, masses and density; of stiffness and modulus; of bend and bend_modulus.
typedef struct tide_body_def {
    const char *name;
    const tide_mesh *mesh; // retained
    // A fine surface where `mesh` is at rest, whose tetrahedra carry it (geometry/embedding.h): it is drawn, and it
    // touches, in the place of the mesh's own. It has no mass: what touches it acts on what carries it. Of a solid,
    // only its triangles count. Retained; NULL: none.
    const tide_mesh *surface;
    const tide_mesh
        *rest;   // lengths, areas and volumes at rest are those of this one, of as many vertices; NULL: of `mesh`
    double mass; // kg, shared equally by the vertices; 1 when none of the three is given
    const double *masses; // (mesh->vertex_count) kg; copied
    uint32_t masses_count;
    double density;            // kg/m^3 for tetrahedra, else kg/m^2 for triangles, else kg/m for edges
    double stiffness, modulus; // N/m of every edge; N, k = modulus / rest length. Neither: edges make no springs
    double bend, bend_modulus; // N/m; N
    // The same for each vertex, (mesh->vertex_count), instead of the number; NULL: not given. A spring takes the mean
    // of its two ends, an element the mean density of its corners.
    const double *density_at, *stiffness_at, *modulus_at, *bend_at, *bend_modulus_at;
    int bend_model; // tide_bend_model; automatic: "skip" where the mesh has skips, else "hinge"
    const tide_extra_spring *springs;
    uint32_t spring_count;
    const tide_body_elements *elements; // beside the springs; copied
    uint32_t element_group_count;
    double colour[3],
        back_colour[3]; // sRGB, [0, 1]; how the body is drawn; back_colour may be TIDE_NOT_GIVEN: as colour, darker
    int pattern;        // tide_pattern of draw/: 0 plain, 1 checker
    double checkers;    // squares along a texture unit
    double radius;      // m, of the tubes that lines are drawn as
    double thickness;   // m: bodies stay apart by half of each one's, and from colliders by half; TIDE_NOT_GIVEN: twice
                        // `radius` of lines and points; of cloth 5 mm and of solids 2 mm, but at most a quarter of the
                        // mean edge
    double friction; // Coulomb's coefficient; TIDE_NOT_GIVEN: that of what it touches, between two bodies 0.3. Of two
                     // that have one, the geometric mean counts
    double restitution; // the part of the speed of approach that a bounce keeps; of two that touch, the larger counts
    int collide;        // tide_collide: what it touches
    bool self_collide;  // whether it touches itself
    const char *script_file; // where the body was made, for errors; may be NULL
    int script_line;
} tide_body_def;
extern const tide_field
    tide_body_fields[]; // of the numbers and choices above; mesh, masses, springs, elements are TIDE_FIELD_OTHER
tide_body_def tide_body_def_default(void);

// An id stays valid while its body lives, over reloads too (a body of the same name keeps its id); {0, 0} is never
// valid.
typedef struct tide_body_id {
    uint32_t index, generation;
} tide_body_id;

typedef struct tide_body_info {
    const char *name;
    const tide_mesh *mesh;
    uint32_t first_particle, vertex_count, spring_count, triangle_count; // vertices are particles first_particle ...
    const tide_elements *groups;                                         // (group_count) of vertices of the body,
    uint32_t group_count;      // from 0: the springs, of which there may be none, then `elements`. The world's own
    const tide_body_def *look; // for drawing: colours, pattern, radius
    const char *script_file;
    int script_line;
} tide_body_info;

// --- life
// ---------------------------------------------------------------------------------------------------------------

// `settings` NULL: the defaults. `predecessor` (may be NULL) is only read: bodies take the ids of its bodies of the
// same name.
tide_status tide_world_create(const tide_world_settings *settings, const tide_world *predecessor, tide_world **world,
                              tide_error *error);
void tide_world_destroy(tide_world *world); // NULL does nothing

const tide_world_settings *tide_world_get_settings(const tide_world *world);
// Checks ranges; keeps the state. What depends on them (the factor) is made anew at the next step.
tide_status tide_world_set_settings(tide_world *world, const tide_world_settings *settings, tide_error *error);
// The default is the first kind in the list. `options` as tide_solver_create.
tide_status tide_world_set_solver(tide_world *world, const tide_solver_kind *kind, const void *options,
                                  tide_error *error);
const tide_solver *tide_world_solver(const tide_world *world);
void tide_world_set_seed(tide_world *world, uint64_t seed); // of the world's random generator; 0 at first
tide_random *tide_world_random(tide_world *world);          // its state is part of snapshots and of the hash

// Fails on a name in use, a bad mesh (the mesh doctor's fatal findings), a bad number, springs out of range; a surface
// without triangles, on a mesh without tetrahedra, or with a vertex farther from them than a quarter of the mesh's size
// (its diagonal) or that rests on one so flat that it would move over 100 times as far.
tide_status tide_world_add_body(tide_world *world, const tide_body_def *def, tide_body_id *id, tide_error *error);
uint32_t tide_world_body_count(const tide_world *world);
tide_body_id tide_world_body_at(const tide_world *world, uint32_t index);     // in the order in which they were added
tide_body_id tide_world_find_body(const tide_world *world, const char *name); // {0, 0} when there is none
// False for a stale id.
bool tide_world_body_info(const tide_world *world, tide_body_id id, tide_body_info *info);
// The id's body or an error that says that it is gone (object `what`).
tide_status tide_world_check_body(const tide_world *world, tide_body_id id, tide_body_info *info, tide_error *error);

// --- pins: vertices from 0
// ------------------------------------------------------------------------------------------------

// Pins a vertex where it is now, exactly, or with a stiffness (N/m, TIDE_NOT_GIVEN: exactly) as a zero-length spring.
tide_status tide_world_pin(tide_world *world, tide_body_id body, uint32_t vertex, double stiffness, tide_error *error);
tide_status tide_world_unpin(tide_world *world, tide_body_id body, uint32_t vertex,
                             tide_error *error); // not pinned: does nothing
// Where the pin is to be at the end of the next step. Fails for a vertex that is not pinned and for non-finite numbers.
tide_status tide_world_move_pin(tide_world *world, tide_body_id body, uint32_t vertex, const double target[3],
                                tide_error *error);
bool tide_world_is_pinned(const tide_world *world, tide_body_id body, uint32_t vertex);

// --- muscles: springs from 0, those of the edges first, in their order, then those that bend, then `springs`
// ------------------------------------------------------------------------------------------------

// What spring it is; its rest length as it is now.
tide_status tide_world_spring(const tide_world *world, tide_body_id body, uint32_t spring, tide_extra_spring *out,
                              tide_error *error);
// The rest lengths of these springs are their own times `factor`, from (0, 100], from the next step on and until they
// are changed again. State, as positions are: snapshots, reset and an undone step bring it back. No new factorisation.
tide_status tide_world_contract(tide_world *world, tide_body_id body, const uint32_t *springs, uint32_t count,
                                double factor, tide_error *error);

// --- colliders: what bodies touch and cannot move
// ----------------------------------------------------------------------------------------------------------------

typedef struct tide_collider_id {
    uint32_t index, generation;
} tide_collider_id; // as tide_body_id

// Fails on a name in use and as tide_collider_create does. Bodies that are inside are pushed out before the next step,
// with a warning.
tide_status tide_world_add_collider(tide_world *world, const tide_collider_def *def, tide_collider_id *id,
                                    tide_error *error);
// Adds the plane across the unit vector `up` at this height along it (m) as the collider "ground" (or "drawn ground"
// where that name is taken), which is not drawn. Once. Snapshots and hashes do not have it unless it is changed or
// other colliders are added after it.
tide_status tide_world_add_ground(tide_world *world, const double up[3], double height, double friction,
                                  double restitution, tide_error *error);
uint32_t tide_world_collider_count(const tide_world *world);
tide_collider_id tide_world_collider_at(const tide_world *world, uint32_t index);
tide_collider_id tide_world_find_collider(const tide_world *world, const char *name);   // {0, 0} when there is none
const tide_collider *tide_world_collider(const tide_world *world, tide_collider_id id); // NULL for a stale id
// Where it is to be at the end of the next step; on the way it drags what touches it. A collider with keyframes goes
// where they say instead. Fails for a pose that is not finite or beyond 1e9 m, and for a stale id.
tide_status tide_world_move_collider(tide_world *world, tide_collider_id id, const tide_pose *pose, tide_error *error);
// Puts it there now, without a motion.
tide_status tide_world_place_collider(tide_world *world, tide_collider_id id, const tide_pose *pose, tide_error *error);

// Whether two bodies may touch each other (or, the same one twice, one itself), whatever their definitions say.
tide_status tide_world_set_touching(tide_world *world, tide_body_id a, tide_body_id b, bool touching,
                                    tide_error *error);

// A contact of the last step: a vertex of a body against a collider or another body.
typedef struct tide_contact {
    tide_body_id body;
    uint32_t vertex;           // of a point of a fine surface: the one that carries most of it
    tide_collider_id collider; // {0, 0}: it touches another body
    tide_body_id other;        // {0, 0}: it touches a collider
    uint32_t other_vertex;     // the nearest
    double point[3];           // m
    double normal[3];          // towards the body
    double depth;              // m, how deep it was before the contact was answered, at least 0
    double force;              // N, along the normal; mean over the step that ended last
    double friction[3];        // N, on the body, along the surface; likewise
} tide_contact;
// Those that carried a force, in a fixed order; valid until the next step.
const tide_contact *tide_world_contacts(tide_world *world, uint32_t *count);
// The sum of the forces of these contacts on a collider, with friction, N, and their torque about its position as the
// step ended, N m. Both 0 where nothing touches it; false for a stale id.
bool tide_world_collider_force(tide_world *world, tide_collider_id id, double force[3], double torque[3]);

// --- attachments: springs between bodies, part of the description
// ----------------------------------------------------------------------------------------------------------------

typedef struct tide_attach_def {
    double stiffness;   // N/m, above 0
    double rest_length; // m
    bool keep_distance; // the rest length is the distance of the two vertices now; rest_length must be 0
} tide_attach_def;
extern const tide_field tide_attach_fields[];

// A spring between vertices (from 0) of two bodies or of one. Fails on a stale id, a vertex out of range or joined to
// itself, and numbers out of range.
tide_status tide_world_attach(tide_world *world, tide_body_id a, uint32_t vertex_a, tide_body_id b, uint32_t vertex_b,
                              const tide_attach_def *def, tide_error *error);
// Ties vertices of a, all or none, to the points of b's triangles (without triangles: to its vertices) that are nearest
// to them now, by springs of no length: the rest length must be 0. b may be a: triangles of which a vertex is a corner
// do not count for it, and all are searched for each.
tide_status tide_world_attach_nearest(tide_world *world, tide_body_id a, const uint32_t *vertices, uint32_t count,
                                      tide_body_id b, const tide_attach_def *def, tide_error *error);
uint32_t tide_world_attachment_count(const tide_world *world);

// --- state
// ----------------------------------------------------------------------------------------------------------------

// A body's slice of the world's arrays, (3 * vertex_count); NULL for a stale id. Valid until a body is added, the world
// is adopted or destroyed. Writing is allowed between steps.
double *tide_world_positions(tide_world *world, tide_body_id body);
double *tide_world_velocities(tide_world *world, tide_body_id body);
// Adds a force on a vertex for the next step only, N.
tide_status tide_world_add_force(tide_world *world, tide_body_id body, uint32_t vertex, const double force[3],
                                 tide_error *error);
void tide_world_clear_forces(tide_world *world); // those added since the last step
// What acted from outside in the last step that was taken or predicted, gravity included: (3 * particle_count) N; zeros
// before the first. Valid as the arrays above are.
const double *tide_world_last_forces(const tide_world *world);
// Fails, naming `what`, while a step is under way, as it is for what a solver written in Lua calls: who lets such code
// write to the arrays above asks first. Functions that change the world ask for themselves.
tide_status tide_world_check_idle(const tide_world *world, const char *what, tide_error *error);
// The fine surface that a body carries, at rest, and where its vertices are now (3 * its vertex_count), m. NULL and
// false without one and for a stale id.
const tide_mesh *tide_world_surface(const tide_world *world, tide_body_id body);
bool tide_world_surface_positions(const tide_world *world, tide_body_id body, double *out);
// Numbers of the body's vertices (vertex_count), as the surface's vertices are carried by them (its vertex_count).
// False likewise.
bool tide_world_surface_numbers(const tide_world *world, tide_body_id body, const double *numbers, double *out);
// All particles, (3 * particle_count), in the order of the bodies.
uint32_t tide_world_particle_count(const tide_world *world);
const double *tide_world_all_positions(const tide_world *world);
const double *tide_world_all_velocities(const tide_world *world);
double tide_world_time(const tide_world *world);    // s
uint64_t tide_world_frame(const tide_world *world); // steps taken since the start

typedef struct tide_energy {
    double kinetic, elastic, gravity, total; // J; gravity's zero is at the origin
} tide_energy;
tide_status tide_world_energy(tide_world *world, tide_energy *energy, tide_error *error);
const tide_report *tide_world_report(const tide_world *world); // of the last step; zeros before it
// What the last step leaves out of balance: grad g(x) / h^2 = M (x - y) / h^2 + dE/dx of its result x, N, y with the
// contacts' forces; (3 * particle_count), 0 for pinned particles. g is that of implicit Euler over the whole timestep,
// whatever the solver. Zeros, and not known, where nothing was stepped or the state was changed since. Allocates.
tide_status tide_world_residual(tide_world *world, double *out, bool *known, tide_error *error);

// The mathematics of the scene as it stands (valid until the world changes), for teaching, tests and solvers in Lua.
tide_status tide_world_system(tide_world *world, const tide_system **system, tide_error *error);

// What a step taken now is given, for measuring it and its results from outside: x and v are NULL. Valid until the
// world changes or steps. Fails for a state that no step can be taken from.
tide_status tide_world_inputs(tide_world *world, tide_step *step, tide_error *error);
// y of that step into `y` (3 * particle_count): q + h v~ + h^2 M^-1 f_ext (Liu 2013, eq. 8), pinned particles at their
// targets. With tide_world_system, tide_system_objective(system, h, y, x) is then the g(x) of any result x.
tide_status tide_world_predict(tide_world *world, double *y, tide_error *error);

// Advances by one timestep. On failure (non-finite numbers in the state or the result, a matrix that is not positive
// definite) the world is as it was before the call, the solver's history too, and the error names body, vertex and
// script line. A step that diverged is TIDE_ERROR_NUMERIC, and the error also tells frame, solver, the spring where it
// began and what would help. A warning of the solver's is logged, when it is another than the last.
tide_status tide_world_step(tide_world *world, tide_error *error);

// --- snapshots: the complete state as one value
// -----------------------------------------------------------------------------

// What the script layer adds to the state (scene.state). `save` returns bytes allocated with tide_allocate.
typedef struct tide_world_extra_state {
    tide_status (*save)(void *context, void **bytes, size_t *size, tide_error *error);
    tide_status (*load)(void *context, const void *bytes, size_t size, tide_error *error);
    void *context;
} tide_world_extra_state;
void tide_world_set_extra_state(tide_world *world, const tide_world_extra_state *extra); // NULL: none

tide_status tide_world_snapshot(tide_world *world, tide_snapshot **snapshot, tide_error *error);
void tide_snapshot_destroy(tide_snapshot *snapshot); // NULL does nothing
uint64_t tide_snapshot_hash(const tide_snapshot *snapshot);
uint64_t tide_snapshot_frame(const tide_snapshot *snapshot);
double tide_snapshot_time(const tide_snapshot *snapshot);
size_t tide_snapshot_size(const tide_snapshot *snapshot); // bytes
// Fails, changing nothing, when the snapshot's bodies (names, topology) are not the world's.
tide_status tide_world_restore(tide_world *world, const tide_snapshot *snapshot, tide_error *error);
tide_status tide_world_hash(tide_world *world, uint64_t *hash, tide_error *error); // of a snapshot taken now
// A world of its own in the same state (without the extra state's callbacks). Body ids are the same.
tide_status tide_world_fork(tide_world *world, tide_world **fork, tide_error *error);
// Takes the state now as the one that reset goes to, unless there is one already. A step does so by itself; one who
// changes the state for a step, as a script's `update` does, calls it before.
tide_status tide_world_mark_initial(tide_world *world, tide_error *error);
// Remembers the state, but for forces and the extra state; and goes back to it, without forces, which cannot fail. For
// one who changes the state for a step that may then fail. No body may be added in between.
tide_status tide_world_keep(tide_world *world, tide_error *error);
void tide_world_undo(tide_world *world);
// To the state at the first step (or adoption): as the description left it.
tide_status tide_world_reset(tide_world *world, tide_error *error);

// --- reconciling
// --------------------------------------------------------------------------------------------------------------

typedef struct tide_adoption {
    uint32_t kept, rebuilt, added, removed; // bodies: same topology; same name only; new; gone
    bool refactored;                        // the solver had to factor again
    double seconds;
} tide_adoption;

// Makes `world` (described with `old` as its predecessor) go on where `old` is: time, frame, random generator; of
// bodies with the same name and topology positions, velocities and pins moved since (where the description of the pin
// is the same); the solver's factor and history where they still fit. A body of the same name on another mesh takes
// the old one's shape where that covers it (reshape.h). On success `old` is spent and only to be
// destroyed; on failure both are as they were.
tide_status tide_world_adopt(tide_world *world, tide_world *old, tide_adoption *adoption, tide_error *error);

#endif
