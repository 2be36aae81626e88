// A world: bodies, their state, the solver that steps them, snapshots, and reconciling a running world with a new
// description.
//
// Calls describe a world (add bodies, pin vertices, choose a solver); then it is stepped. To change the description,
// describe a new world with the old one as `predecessor`, then take over the old state with tide_world_reconcile. A
// failure on the way leaves the old world unchanged.
//
//     tide_world *world;
//     status = tide_world_create(NULL, NULL, &world, error); // the default settings
//     status = tide_world_add_body(world, &def, &body, error); // def from tide_body_def_default
//     status = tide_world_pin(world, body, 0, TIDE_NOT_GIVEN, error);
//     status = tide_world_step(world, error);
//     tide_world_destroy(world);
//
// Units: m, s, kg, N, J; vertices, springs and bodies count from 0. Arrays of a body are (3 * vertex_count). Ownership:
// the world copies definitions and retains their meshes; it owns the arrays and texts that it returns. Errors name the
// body, the field and the script's line; a failed call changes nothing. Threads: only one thread may use a world at a
// time; different threads may use different worlds. Results do not depend on the number of helper threads.
#ifndef TIDE_WORLD_WORLD_H
#define TIDE_WORLD_WORLD_H

#include "base/random.h"
#include "collision/collider.h"
#include "contact/contact_settings.h"
#include "mesh/mesh.h"
#include "solver/solver.h"

typedef struct tide_world tide_world;
typedef struct tide_snapshot tide_snapshot;

// --- settings --------------------------------------------------------------------------------------------------------

typedef struct tide_world_settings {
    double timestep;   // s
    double gravity[3]; // m/s^2
    double drag;       // 1/s: v~ = exp(-drag h) v, so alpha of Liu 2013 sec. 4.1 is exp(-drag h)
    // 1/s: then damps deformation. For each body, the difference of v~ from the rigid motion with the same linear and
    // angular momentum of its free particles is multiplied by exp(-deformation_drag h) (Mueller et al. 2007, sec. 3.5)
    double deformation_drag;
    tide_contact_settings contact; // how contacts are detected and solved
} tide_world_settings;
extern const tide_field tide_world_fields[]; // timestep 1/30, gravity {0,-9.81,0}, both drags 0; without `contact`
tide_world_settings tide_world_settings_default(void);

// --- bodies ----------------------------------------------------------------------------------------------------------

typedef enum tide_bend_model { TIDE_BEND_AUTOMATIC, TIDE_BEND_SKIP, TIDE_BEND_HINGE } tide_bend_model;

typedef enum tide_collide { TIDE_COLLIDE_ALL, TIDE_COLLIDE_COLLIDERS, TIDE_COLLIDE_NONE } tide_collide;

typedef struct tide_extra_spring {
    uint32_t i, j;      // vertices of the body, from 0
    double stiffness;   // N/m
    double rest_length; // m; TIDE_NOT_GIVEN: the distance in the mesh at rest
} tide_extra_spring;

// Where a group of elements is on a body. A scene writes { "area_spring", on = "triangles", stiffness = 50 }.
typedef enum tide_elements_on {
    TIDE_ON_VERTICES = -1, // on the listed vertices
    TIDE_ON_EDGES,
    TIDE_ON_TRIANGLES,
    TIDE_ON_TETRAHEDRA
} tide_elements_on;
extern const char *const tide_elements_on_names[]; // the names from TIDE_ON_EDGES on; ends with NULL

// A group of elements of one kind.
typedef struct tide_body_elements {
    const tide_element_kind *kind; // one with `fields`
    int on;                        // tide_elements_on: parts of the mesh with as many corners as the kind has vertices
    const uint32_t *vertices;      // (kind->vertex_count * count) of the body, from 0; for TIDE_ON_VERTICES only
    uint32_t count;                // for TIDE_ON_VERTICES only
    double parameters[TIDE_ELEMENT_MAX_PARAMETERS]; // the same for all; TIDE_NOT_GIVEN: from the body at rest
} tide_body_elements;

enum { TIDE_MOST_MATERIALS = 16 };

// The definition of a body. Give at most one of mass, masses and densities; of stiffness and modulus; of bend and
// bend_modulus.
typedef struct tide_body_def {
    const char *name;
    const tide_mesh *mesh; // retained
    // A fine surface in the coordinates of `mesh`, embedded in its tetrahedra (geometry/embedding.h). It replaces the
    // surface of the mesh in drawing and in contact. It has no mass: contact forces act on the tetrahedra's vertices.
    // If it has tetrahedra, only its triangles are used. Retained; NULL: none.
    const tide_mesh *surface;
    // A mesh with as many vertices as `mesh`, which gives lengths, areas and volumes at rest. NULL: `mesh` itself
    const tide_mesh *rest;
    double mass;          // kg, shared equally by the vertices; 1 if none of mass, masses and density is given
    const double *masses; // (mesh->vertex_count) kg; copied
    uint32_t masses_count;
    double density; // kg/m^3 for materials; without materials kg/m^3 for tetrahedra, else kg/m^2 for triangles, else
                    // kg/m for edges
    double area_density; // kg/m^2 of the mesh's triangles, in place of density times thickness
    bool rigid;          // moves as a whole: four particles carry the mesh (body_rigid.c), and the body has no elements
    // N/m of each edge's spring; N, k = modulus / rest length. Neither: edges have no springs
    double stiffness, modulus;
    double bend, bend_modulus; // the same for bending springs
    // The same per vertex, (mesh->vertex_count), instead of one number; NULL: not given. A spring takes the mean of its
    // two ends, an element the mean density of its corners.
    const double *density_at, *stiffness_at, *modulus_at, *bend_at, *bend_modulus_at;
    int bend_model; // tide_bend_model; automatic: "skip" for a mesh with skips or with edges alone, else "hinge"
    const tide_extra_spring *springs;
    uint32_t spring_count;
    const tide_body_elements *elements; // in addition to the springs; copied
    uint32_t element_group_count;
    // Options of each material that the body has, at the material's index (material.h); copied. NULL: not of this one
    const void *materials[TIDE_MOST_MATERIALS];
    double colour[3],
        back_colour[3]; // sRGB, [0, 1], of front and back; back_colour TIDE_NOT_GIVEN: `colour`, darker
    int pattern;        // tide_pattern of draw/: 0 plain, 1 checker
    double checkers;    // squares along a texture unit
    double radius;      // m, of the tubes that lines are drawn as; TIDE_NOT_GIVEN: that of the body's rods, else 5 mm
    // m: two bodies stay apart by the mean of their thicknesses; a body stays off colliders by half of its own.
    // TIDE_NOT_GIVEN: twice `radius` for lines and points; 5 mm for cloth and 2 mm for solids, but at most a quarter of
    // the mean edge
    double thickness;
    double friction; // Coulomb's coefficient; the geometric mean applies to a contact. TIDE_NOT_GIVEN: the coefficient
                     // of the other side; 0.3 between two bodies without one
    tide_directed_friction directed;             // `direction` in the mesh's coordinates; none
    char contact_material[TIDE_FIELD_TEXT_SIZE]; // of tide_world_set_friction_pairs; "": none
    double rolling;          // m: coefficient of rolling friction of a rigid body; the larger one applies to a contact
    double restitution;      // Newton's coefficient of restitution; the larger one applies to a contact
    int collide;             // tide_collide: what the body can touch
    bool self_collide;       // the body can touch itself
    const char *script_file; // where the body was made, for errors; may be NULL
    int script_line;
} tide_body_def;
extern const tide_field tide_body_fields[]; // the numbers and choices above, without the materials; mesh, masses,
                                            // springs, elements are TIDE_FIELD_OTHER
tide_body_def tide_body_def_default(void);

// Names a body by value. An id is valid while its body exists, also across reloads: a body of the same name keeps its
// id. {0, 0} is never valid.
typedef struct tide_body_id {
    uint32_t index, generation;
} tide_body_id;

typedef struct tide_body_info {
    const char *name;
    const tide_mesh *mesh;
    uint32_t first_particle, vertex_count, spring_count, triangle_count; // vertex v is particle first_particle + v
    // (group_count), as described, owned by the world; vertices are of the body, from 0. The first group holds the
    // springs and may be empty; the others are those of materials and of `elements`
    const tide_elements *groups;
    uint32_t group_count;
    uint32_t element_count; // of all groups
    const tide_mesh
        *face; // the mesh whose vertices pins, forces and attachments name: `mesh`, or a rigid body's surface
    bool rigid;
    const tide_body_def *look; // for drawing: colours, pattern, radius
    const char *script_file;
    int script_line;
} tide_body_info;

// --- life ------------------------------------------------------------------------------------------------------------

// Creates an empty world. `settings` NULL: the defaults. `predecessor` (may be NULL) is only read: bodies and colliders
// take the ids of those of the same name in it.
tide_status tide_world_create(const tide_world_settings *settings, const tide_world *predecessor, tide_world **world,
                              tide_error *error);
void tide_world_destroy(tide_world *world); // NULL does nothing

const tide_world_settings *tide_world_get_settings(const tide_world *world);
// Changes the settings after a check of their ranges; keeps the state. A factor that depends on them is recomputed at
// the next step.
tide_status tide_world_set_settings(tide_world *world, const tide_world_settings *settings, tide_error *error);
// Chooses the solver. The default is the first kind in the list. `options` as in tide_solver_create.
tide_status tide_world_set_solver(tide_world *world, const tide_solver_kind *kind, const void *options,
                                  tide_error *error);
const tide_solver *tide_world_solver(const tide_world *world);
void tide_world_set_seed(tide_world *world, uint64_t seed); // for the world's random generator; 0 at first
tide_random *tide_world_random(tide_world *world);          // its state is part of snapshots and of the hash

// Adds a body at rest. Fails on a name in use, a fatal finding of the mesh doctor, a number out of range, and a spring
// with a wrong vertex. Also fails on a surface without triangles, a surface on a mesh without tetrahedra, and a vertex
// of the surface that is farther from the tetrahedra than a quarter of the diagonal of the mesh's bounds, or whose
// tetrahedron is so flat that sum |weights| > 100.
tide_status tide_world_add_body(tide_world *world, const tide_body_def *def, tide_body_id *id, tide_error *error);
uint32_t tide_world_body_count(const tide_world *world);
tide_body_id tide_world_body_at(const tide_world *world, uint32_t index);     // in the order in which they were added
tide_body_id tide_world_find_body(const tide_world *world, const char *name); // {0, 0} when there is none
// Describes a body. Returns false for a stale id.
bool tide_world_body_info(const tide_world *world, tide_body_id id, tide_body_info *info);
// Describes a body as above, but fails with an error for a stale id.
tide_status tide_world_check_body(const tide_world *world, tide_body_id id, tide_body_info *info, tide_error *error);

// --- pins: vertices from 0 -------------------------------------------------------------------------------------------

// Pins a vertex at its present position: by a zero-length spring of this stiffness (N/m), or exactly with
// TIDE_NOT_GIVEN.
tide_status tide_world_pin(tide_world *world, tide_body_id body, uint32_t vertex, double stiffness, tide_error *error);
tide_status tide_world_unpin(tide_world *world, tide_body_id body, uint32_t vertex,
                             tide_error *error); // does nothing if the vertex is not pinned
// Sets the position of a pin at the end of the next step, m. Fails for a vertex that is not pinned and for non-finite
// numbers.
tide_status tide_world_move_pin(tide_world *world, tide_body_id body, uint32_t vertex, const double target[3],
                                tide_error *error);
// Turns the cross-section at the edge i-j of a rod that twists about the axis from i to j by `angle` (rad), by the end
// of the next step. Both ends must be pinned exactly; such an edge does not turn otherwise.
tide_status tide_world_turn(tide_world *world, tide_body_id body, uint32_t i, uint32_t j, double angle,
                            tide_error *error);
bool tide_world_is_pinned(const tide_world *world, tide_body_id body, uint32_t vertex);

// --- elements of a body, and muscles ---------------------------------------------------------------------------------
//
// The elements of a body count from 0: first its springs, of the edges, then those that bend, then `springs`; then the
// elements of each group of `elements`.

// Returns the groups of a body in the system, without empty ones: vertices are particles, stiffnesses and rest lengths
// are those at present. Fails as tide_world_system and is valid as long.
tide_status tide_world_groups(tide_world *world, tide_body_id body, const tide_elements **groups, uint32_t *count,
                              tide_error *error);
enum { TIDE_ELEMENT_NAME_SIZE = 160 };
// Writes the name of an element of the system, "spring 12-13" or "triangle 4-5-9", with the vertices of its bodies from
// 1. A vertex of another body than that of the particle `home` is named with its body: `12 of "cloth"`.
void tide_world_name_element(const tide_world *world, const tide_elements *group, uint32_t e, uint32_t home, char *text,
                             size_t size);
// Returns a spring with its present stiffness (0 for one that is cut) and rest length.
tide_status tide_world_spring(const tide_world *world, tide_body_id body, uint32_t spring, tide_extra_spring *out,
                              tide_error *error);
// Sets the rest lengths of these elements (for others than springs: their size at rest) to `factor`, in (0, 100], times
// the described ones, from the next step on until the next change; skips cut elements. Fails for a kind without a size
// at rest. The factors are part of the state: snapshots, reset and an undone step restore them. Needs no new
// factorisation.
tide_status tide_world_contract(tide_world *world, tide_body_id body, const uint32_t *elements, uint32_t count,
                                double factor, tide_error *error);

// --- colliders: shapes that bodies touch and cannot move -------------------------------------------------------------

typedef struct tide_collider_id {
    uint32_t index, generation;
} tide_collider_id; // as tide_body_id

// Adds a collider. Fails on a name in use and as tide_collider_create does. Particles inside it are pushed out when the
// next step begins, with a warning.
tide_status tide_world_add_collider(tide_world *world, const tide_collider_def *def, tide_collider_id *id,
                                    tide_error *error);
// Adds the plane with the unit normal `up` at this height along it (m) as the collider "ground" ("drawn ground" if that
// name is in use), which is not drawn. Of `surface` it takes friction, restitution, rolling and contact material. Call
// it at most once. Snapshots and hashes leave the ground out while it is
// unchanged and the last collider.
tide_status tide_world_add_ground(tide_world *world, const double up[3], double height,
                                  const tide_collider_def *surface, tide_error *error);
uint32_t tide_world_collider_count(const tide_world *world);
tide_collider_id tide_world_collider_at(const tide_world *world, uint32_t index);
tide_collider_id tide_world_find_collider(const tide_world *world, const char *name);   // {0, 0} when there is none
const tide_collider *tide_world_collider(const tide_world *world, tide_collider_id id); // NULL for a stale id
// Sets the pose at the end of the next step; on the way the collider drags what touches it. A collider with keyframes
// follows these instead. Fails for a pose that is not finite or beyond 1e9 m, and for a stale id.
tide_status tide_world_move_collider(tide_world *world, tide_collider_id id, const tide_pose *pose, tide_error *error);
// Places the collider at a pose at once, without a motion. Fails as tide_world_move_collider does.
tide_status tide_world_place_collider(tide_world *world, tide_collider_id id, const tide_pose *pose, tide_error *error);

// Allows or forbids contact between two bodies (between a body and itself if a and b are the same). Overrides their
// definitions.
tide_status tide_world_set_touching(tide_world *world, tide_body_id a, tide_body_id b, bool touching,
                                    tide_error *error);

// The friction of two contact materials, instead of what the rule makes of the coefficients of both sides.
typedef struct tide_friction_pair {
    char materials[2][TIDE_FIELD_TEXT_SIZE];
    double friction; // coefficient, the same in all directions
} tide_friction_pair;
// Sets all pairs (count; copied). Fails on an empty name, a pair that is given twice, a coefficient that is not from 0
// to 1000, and without a pair for the material of a body or collider.
tide_status tide_world_set_friction_pairs(tide_world *world, const tide_friction_pair *pairs, uint32_t count,
                                          tide_error *error);
const tide_friction_pair *tide_world_friction_pairs(const tide_world *world, uint32_t *count);

// A contact of the last step: a vertex of a body against a collider or another body.
typedef struct tide_contact {
    tide_body_id body;
    uint32_t vertex;           // for a point of a fine surface: the vertex with the largest weight
    tide_collider_id collider; // {0, 0}: the contact is with another body
    tide_body_id other;        // {0, 0}: the contact is with a collider
    uint32_t other_vertex;     // the nearest one
    double point[3];           // m
    double normal[3];          // towards the body
    double depth;              // m, at least 0: the penetration before the first solve
    double force;              // N, along the normal, the mean over the last step
    double friction[3];        // N, on the body, along the surface, the mean over the last step
} tide_contact;
// Returns the contacts that carried a force, in a fixed order; valid until the next step.
const tide_contact *tide_world_contacts(tide_world *world, uint32_t *count);
// Computes the total force of these contacts on a collider, friction included, N, and their torque about its position
// at the end of the step, N m. Both are 0 without contacts. Returns false for a stale id.
bool tide_world_collider_force(tide_world *world, tide_collider_id id, double force[3], double torque[3]);

// --- attachments: springs between bodies, part of the description ----------------------------------------------------

typedef struct tide_attach_def {
    double stiffness;   // N/m, above 0
    double rest_length; // m
    bool keep_distance; // uses the present distance of the two vertices as the rest length; rest_length must be 0
} tide_attach_def;
extern const tide_field tide_attach_fields[];

// Adds a spring between two vertices (from 0), of two bodies or of one. Fails on a stale id, a vertex out of range or
// joined to itself, and numbers out of range.
tide_status tide_world_attach(tide_world *world, tide_body_id a, uint32_t vertex_a, tide_body_id b, uint32_t vertex_b,
                              const tide_attach_def *def, tide_error *error);
// Ties vertices of a, all or none, by zero-length springs to the nearest points at present of b's triangles (to the
// nearest vertices if b has no triangles). The rest length must be 0. b may be a: triangles with the vertex as a corner
// are then excluded, and the search for each vertex visits all the others.
tide_status tide_world_attach_nearest(tide_world *world, tide_body_id a, const uint32_t *vertices, uint32_t count,
                                      tide_body_id b, const tide_attach_def *def, tide_error *error);
uint32_t tide_world_attachment_count(const tide_world *world);

// --- state -----------------------------------------------------------------------------------------------------------

// Return the body's slice of the world's positions (m) or velocities (m/s), (3 * vertex_count); NULL for a stale id.
// Valid until a body is added or the world is reconciled or destroyed. The caller may write to it between steps.
double *tide_world_positions(tide_world *world, tide_body_id body);
double *tide_world_velocities(tide_world *world, tide_body_id body);
// Computes the position (m) and the velocity (m/s; may be NULL) of a vertex of tide_body_info.face. Returns false for a
// stale id or a vertex out of range.
bool tide_world_vertex(const tide_world *world, tide_body_id body, uint32_t vertex, double position[3],
                       double velocity[3]);
// The motion of a body as a whole: the one of the rigid motions with its linear and angular momentum.
typedef struct tide_body_motion {
    double centre[3], velocity[3], spin[3]; // m, m/s, rad/s
} tide_body_motion;
tide_status tide_world_motion(tide_world *world, tide_body_id body, tide_body_motion *motion, tide_error *error);
// Gives all vertices the velocities of a rigid motion about the body's present centre; motion->centre is not used.
tide_status tide_world_set_motion(tide_world *world, tide_body_id body, const tide_body_motion *motion,
                                  tide_error *error);
// Adds a force on a vertex for the next step only, N.
tide_status tide_world_add_force(tide_world *world, tide_body_id body, uint32_t vertex, const double force[3],
                                 tide_error *error);
void tide_world_clear_forces(tide_world *world); // removes the forces added since the last step
// Returns the external forces of the last step that was taken or predicted, gravity included: (3 * particle_count) N;
// zeros before the first. Valid as long as the arrays above.
const double *tide_world_last_forces(const tide_world *world);
// Fails, naming `what`, while a step is under way, for instance when called by a solver written in Lua. Call it before
// such code may write to the arrays above. Functions that change the world call it themselves.
tide_status tide_world_check_idle(const tide_world *world, const char *what, tide_error *error);
// Returns the fine surface embedded in a body, at rest; NULL without one and for a stale id.
const tide_mesh *tide_world_surface(const tide_world *world, tide_body_id body);
// Computes the present positions of its vertices, (3 * surface->vertex_count) m. Returns false without a surface and
// for a stale id.
bool tide_world_surface_positions(const tide_world *world, tide_body_id body, double *out);
// Interpolates numbers at the body's vertices (vertex_count) to the vertices of its surface (surface->vertex_count), by
// the weights of the embedding. Returns false likewise.
bool tide_world_surface_numbers(const tide_world *world, tide_body_id body, const double *numbers, double *out);
// Positions and velocities of all particles, (3 * particle_count), in the order of the bodies.
uint32_t tide_world_particle_count(const tide_world *world);
const double *tide_world_all_positions(const tide_world *world);
const double *tide_world_all_velocities(const tide_world *world);
double tide_world_time(const tide_world *world);    // s
uint64_t tide_world_frame(const tide_world *world); // steps taken since the start

typedef struct tide_energy {
    double kinetic, elastic, gravity, total; // J; gravity's zero is at the origin
} tide_energy;
tide_status tide_world_energy(tide_world *world, tide_energy *energy, tide_error *error);
const tide_report *tide_world_report(const tide_world *world); // of the last step; zeros before the first
// Computes the residual of the last step, (3 * particle_count) N: grad g(x) / h^2 = M (x - y) / h^2 + dE/dx at its
// result x, where y includes the contact forces; 0 for pinned particles. g is that of implicit Euler over the whole
// timestep, for any solver. Sets zeros and *known = false before the first step and after a change of the state.
// Allocates.
tide_status tide_world_residual(tide_world *world, double *out, bool *known, tide_error *error);

// Returns the masses, pins and elements of the scene at present, for teaching, tests and solvers in Lua. Valid until
// the world changes.
tide_status tide_world_system(tide_world *world, const tide_system **system, tide_error *error);

// Returns the inputs of a step taken now, to measure the step and its results from outside; x and v are NULL. Valid
// until the world changes or steps. Fails for a state from which no step can be taken.
tide_status tide_world_inputs(tide_world *world, tide_step *step, tide_error *error);
// Computes y of that step, (3 * particle_count): q + h v~ + h^2 M^-1 f_ext (Liu 2013, eq. 8), with pinned particles at
// their targets. With tide_world_system, tide_system_objective(system, h, y, x) is then g(x) for any x.
tide_status tide_world_predict(tide_world *world, double *y, tide_error *error);

// Advances by one timestep. On failure (non-finite numbers in the state or the result, a matrix that is not positive
// definite) the world and the solver's history are as before the call, and the error names body, vertex and script
// line. A step that diverges fails with TIDE_ERROR_NUMERIC; the error also names the frame, the solver, the spring
// where it began and a remedy. A warning of the solver is logged if it differs from the last one.
tide_status tide_world_step(tide_world *world, tide_error *error);

// --- snapshots: the complete state as one value ----------------------------------------------------------------------

// State that the script layer adds to snapshots (scene.state). `save` returns bytes allocated with tide_allocate.
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
// Restores the state of a snapshot. Fails, changing nothing, if its bodies (names, topology) are not the world's.
tide_status tide_world_restore(tide_world *world, const tide_snapshot *snapshot, tide_error *error);
tide_status tide_world_hash(tide_world *world, uint64_t *hash, tide_error *error); // of a snapshot taken now
// Creates an independent world in the same state, without the callbacks of the extra state. Body ids are the same.
tide_status tide_world_fork(tide_world *world, tide_world **fork, tide_error *error);
// Stores the present state as the one that reset restores, unless there is one already. A step does this itself; code
// that changes the state before a step, such as a script's `update`, must call it first.
tide_status tide_world_mark_initial(tide_world *world, tide_error *error);
// tide_world_keep stores the state without forces and extra state; tide_world_undo restores it, clears the forces and
// cannot fail. For code that changes the state before a step that may fail. No body may be added in between.
tide_status tide_world_keep(tide_world *world, tide_error *error);
void tide_world_undo(tide_world *world);
// Restores the state before the first step (or reconciliation), as described. Does nothing if there was none.
tide_status tide_world_reset(tide_world *world, tide_error *error);

// --- reconciling -----------------------------------------------------------------------------------------------------

typedef struct tide_reconciliation {
    uint32_t kept, rebuilt, added, removed; // numbers of bodies: same topology; same name only; new; gone
    bool refactored;                        // the solver had to factor again
    double seconds;
} tide_reconciliation;

// Makes `world` (described with `old` as its predecessor) continue from the state of `old`. It takes over time, frame
// and random generator; for bodies with the same name and topology, positions, velocities, and the targets of moved
// pins whose description is the same; the solver's factor and history where they still fit. A body of the same name on
// another mesh takes over the old shape if the old mesh covers it (reshape.h). After success `old` can only be
// destroyed; after failure both worlds are unchanged.
tide_status tide_world_reconcile(tide_world *world, tide_world *old, tide_reconciliation *reconciliation,
                                 tide_error *error);

#endif
