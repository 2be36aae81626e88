// The members of a world, and functions that the files of world/ share. Private to world/.
#ifndef TIDE_WORLD_WORLD_STATE_H
#define TIDE_WORLD_WORLD_STATE_H

#include "contact/contacts.h"
#include "geometry/embedding.h"
#include "world/attachments.h"
#include "world/collider_attachments.h"
#include "world/joints.h"
#include "world/links.h"
#include "world/slots.h"
#include "world/untangle.h"
#include "world/world.h"

// What was split in a body (split.h), other than in its mesh and groups.
typedef struct tide_body_split {
    struct tide_body *described; // retained
    uint32_t *origins;           // of each vertex after the described ones: the vertex that it is a copy of
    uint32_t *opened;            // faces between cells that are still joined at a vertex; ascending
    uint32_t opened_count;
    uint32_t *sources; // of each group after the described ones: the described group
    uint32_t *twins;   // of each element of these groups: its element in that group
} tide_body_split;

typedef struct tide_body {
    char *name, *script_file;
    int script_line;
    tide_body_id id;
    const tide_mesh *mesh;     // retained
    const tide_mesh *surface;  // retained: the fine surface, or NULL
    tide_embedding *embedding; // of `surface` in `mesh`, or NULL
    bool surface_closed;       // `surface` is closed and so has an inside
    double friction_axis[3];   // unit vector of friction in the mesh at rest; TIDE_NOT_GIVEN: along the texture
    bool rigid;                // `mesh` is the tetrahedron of its four particles, and `surface` the mesh as given
    double shape[12];          // m: places of a rigid body's particles at rest, relative to their centre
    uint32_t first_particle;
    double *masses; // (mesh->vertex_count + frame_count) kg
    // Rods that twist have one more particle for each edge of the mesh, in their order, behind those of the vertices:
    // it turns with the rod's cross-section (rod_frames.h). They are not shown to users.
    uint32_t frame_count;
    double *frames;  // (3 * frame_count) m, their positions in the shape of the mesh
    double *couples; // (3 * frame_count) N m, of the last tide_world_reactions
    double *seen;    // (6 * vertex_count) positions and velocities of the vertices that the frames have followed
    // Elements over the body's own vertices, owned. The first group holds the springs; it may be empty. The other
    // groups have at least one element.
    tide_elements *groups;
    uint32_t group_count;
    void *materials[TIDE_MOST_MATERIALS]; // options of each material, owned; NULL: not of this one
    tide_body_def look;                   // for drawing; its pointers are not used
    tide_body_split *split;               // what was split; NULL: it is as described
    uint32_t more_uses;                   // owners beyond the first
} tide_body;

static inline const tide_elements *tide_body_springs(const tide_body *body)
{
    return &body->groups[0];
}

static inline uint32_t tide_body_particle_count(const tide_body *body)
{
    return body->mesh->vertex_count + body->frame_count;
}

// Returns the mesh that was given for the body, whose vertices scripts name.
static inline const tide_mesh *tide_body_face(const tide_body *body)
{
    return body->rigid ? body->surface : body->mesh;
}

// Returns how many of an element's corners, the first ones, are vertices of the mesh.
static inline uint32_t tide_shown_corners(const tide_element_kind *kind)
{
    return kind->vertex_count - kind->hidden_count;
}

// Whether two bodies may touch, as set by tide_world_set_touching.
typedef struct tide_world_body_pair {
    uint64_t bodies[2]; // indices, ascending
    bool touching;
} tide_world_body_pair;

// A pin. Pins are sorted by particle. Snapshots store these bytes, so there is no padding.
typedef struct tide_pin {
    uint64_t particle;   // or tide_world_rigid_pin (links.h)
    double stiffness;    // N/m; TIDE_NOT_GIVEN: exact
    double described[3]; // m, the position of the vertex when it was pinned
    double target[3];    // m, the position at the end of the next step
} tide_pin;

// The bytes of a snapshot; snapshot.c has their layout.
struct tide_snapshot {
    size_t size;
    unsigned char *bytes;
};

// A solver's history as bytes, in a buffer that is reused.
typedef struct tide_history {
    unsigned char *bytes;
    size_t size, capacity;
    uint64_t solver; // tide_world_solver_identity
} tide_history;

// The state that tide_world_keep stores, in buffers that are reused.
typedef struct tide_kept_state {
    double *arrays; // (6 * particle_count): positions, velocities
    tide_pin *pins;
    size_t array_capacity, pin_count, pin_capacity;
    double time;
    uint64_t frame;
    tide_random random;
    tide_history history, contacts, deforms; // deforms: vertices of mesh colliders (deform_state.h)
    struct tide_collider_state *colliders;   // (collider_count)
    size_t collider_count;
    size_t collider_capacity;
    tide_joint_state *joints; // (joint_count)
    size_t joint_capacity;
    double *numbers; // element_numbers.h
    size_t number_count, number_capacity;
    tide_body **bodies; // (body_count) retained
    size_t body_count, body_capacity;
} tide_kept_state;

struct tide_world {
    tide_world_settings settings;
    tide_random random;
    double time;
    uint64_t frame;

    tide_body **bodies;
    size_t body_count, body_capacity;
    tide_slots body_slots;
    tide_collider **colliders;
    size_t collider_count, collider_capacity;
    tide_slots collider_slots;
    uint32_t touchable_count;                 // `contacts` uses the first so many colliders
    tide_collider *ground;                    // one of the colliders, from tide_world_add_ground; NULL: none
    struct tide_collider_state *ground_state; // its state when it was added; owned
    tide_world_body_pair *body_pairs;         // from tide_world_set_touching
    size_t body_pair_count, body_pair_capacity;
    tide_friction_pair *friction_pairs; // (friction_pair_count)
    uint32_t friction_pair_count;

    size_t element_total; // elements of all bodies
    double *numbers;      // of elements, see element_numbers.h
    size_t number_count, number_capacity;

    tide_attachment *attachments;
    size_t attachment_count, attachment_capacity;
    tide_link *links;                 // attachments of rigid bodies
    size_t link_count, link_capacity; // those of joints included
    tide_joint *joints;
    size_t joint_count, joint_capacity;
    uint32_t joint_generation;    // of tide_joint_id
    size_t described_attachments; // their number when `initial` was made; the others were added later

    tide_collider_attachment *collider_attachments; // vertices attached to colliders
    size_t collider_attachment_count, collider_attachment_capacity;

    uint32_t particle_count;
    uint32_t particle_capacity;                                  // of the arrays
    double *positions, *velocities, *forces;                     // (3 * particle_count): the state
    double *next_positions, *next_velocities;                    // (3 * particle_count): a step's result
    double *damped_velocities, *total_forces, *pinned_positions; // (3 * particle_count): a step's inputs
    double *last_positions;  // (3 * particle_count): the start of the last step; valid if `stepped`
    double *known_positions; // (3 * particle_count): those that the last step or restore left, see untangle.h
    bool stepped;            // a step was taken, and the inputs above are still those of the last one

    tide_pin *pins;
    size_t pin_count, pin_capacity;

    tide_system *system; // valid unless system_changed
    bool system_changed;
    tide_solver *solver; // prepared unless solver_changed
    bool solver_changed;
    bool solver_prepared; // at least once; before that the solver has no history
    bool stepping;        // the solver uses the world's arrays: nothing may change
    tide_report report;
    double elastic_after;                              // J, at next_positions
    const tide_system *elastic_of;                     // the system of elastic_after; NULL: not known
    char warned[sizeof((tide_report *)NULL)->warning]; // the warning last logged

    // If awaits_history: the history that the solver loads when the next step begins (no bytes: that of a new solver).
    tide_history awaited;
    bool awaits_history;
    tide_history before_step; // the history before the last step, to undo it

    tide_contacts *contacts; // valid unless contacts_changed
    bool contacts_changed;
    uint64_t contacts_serial;         // counts the contacts that were made
    struct tide_certifier *certifier; // certificate.c: owns all its blocks; NULL before the first
    tide_history contact_history;     // of the contacts after the last step (`solver` is not used)
    bool contact_history_awaits;      // the contacts must load contact_history before the next step
    double initial_penetration;       // m, told; 0 after a step without one. A warning is logged for a deeper one
    tide_untangling untangling;
    bool was_edited;         // untangle.h: the state was edited before the step under way
    bool told_of_squeeze;    // the warning that colliders squeeze or press a body was logged
    bool told_of_unresolved; // so was the one that impacts are left, which is logged again once none are
    bool told_of_stop;       // so was the one that a search for crossings stopped, until one is complete
    struct {                 // hints on contact (contact_hints.c): when the last check was, and what was told
        size_t body_count, pin_count;
        bool thickness, pins;
    } hinted;
    tide_contact *contact_list; // result of tide_world_contacts
    bool contacts_listed;       // it is that of the last step, whose contacts are no longer valid: a body tore
    uint32_t contact_count;     // then: its length
    size_t contact_capacity;

    struct tide_torn *torn; // (torn_count) the elements that tore in the last step, lasting.h
    size_t torn_count, torn_capacity;

    tide_snapshot *initial; // the state that reset restores; NULL before the first step
    tide_kept_state kept;   // of tide_world_keep
    tide_world_extra_state extra;
};

// world_state.c
void tide_body_object(const char *name, char text[96]);                 // writes `body "NAME"`, for messages
tide_body *tide_world_lookup(const tide_world *world, tide_body_id id); // NULL when stale
tide_collider *tide_world_lookup_collider(const tide_world *world, tide_collider_id id); // NULL when stale
tide_status tide_world_refuse_stale_collider(tide_error *error);
const tide_body *tide_world_body_of_particle(const tide_world *world, uint32_t particle);
uint32_t tide_body_element_count(const tide_body *body);
uint64_t tide_body_identity(const tide_body *body, uint64_t hash); // continues a hash by the name and the topology

// Find the particle of a vertex, and check that three numbers from outside are finite. Errors name the body and
// `field`.
tide_status tide_world_find_vertex(const tide_world *world, tide_body_id id, uint32_t vertex, const char *field,
                                   uint32_t *particle, tide_error *error);
tide_status tide_world_check_vector(const tide_world *world, tide_body_id id, const char *field, const double vector[3],
                                    tide_error *error);

// body.c
// Creates a body with masses and elements from a definition. It has no id and no particles yet.
tide_status tide_body_create(const tide_body_def *def, tide_body **body, tide_error *error);
tide_status tide_body_copy(const tide_body *body, tide_body **copy, tide_error *error);
tide_body *tide_body_retain(const tide_body *body);          // returns it, with one more owner
void tide_body_destroy(tide_body *body);                     // ends one use; NULL does nothing
const tide_body *tide_body_described(const tide_body *body); // as described: `body` itself if it is whole
uint32_t tide_body_copies(const tide_body *body);            // vertices after the described ones

// world.c
void tide_world_drop_kept_bodies(tide_world *world); // of tide_world_keep
enum { TIDE_PARTICLE_ARRAYS = 10 };
void tide_world_list_arrays(tide_world *world, double **arrays[TIDE_PARTICLE_ARRAYS]); // all (3 * particle_count)
// Makes room for so many particles in every array. Returns false without memory.
bool tide_world_reserve_particles(tide_world *world, uint32_t count);
// Adds a body to the world, which owns it from then on, at rest. Destroys it on failure.
tide_status tide_world_insert_body(tide_world *world, tide_body *body, tide_error *error);

// colliders.c
void tide_world_destroy_colliders(tide_world *world);
// Makes a collider the ground of the world, and records its present state: a later change is told from it.
tide_status tide_world_note_ground(tide_world *world, tide_collider *ground, tide_error *error);
tide_status tide_world_copy_colliders(tide_world *fork, const tide_world *world, tide_error *error);
// Reconciling: carries over poses and vertices of colliders whose description is the same.
void tide_world_carry_colliders(tide_world *world, const tide_world *old);

// touching.c: contact in the step.
// Rebuilds the contacts if anything changed, and loads their history.
tide_status tide_world_update_contacts(tide_world *world, tide_error *error);
void tide_world_begin_contacts(tide_world *world);                         // starts the motion of the colliders
tide_status tide_world_end_contacts(tide_world *world, tide_error *error); // ends it and saves the contact history
void tide_world_warn_of_unresolved(tide_world *world);                     // by the report of the step
void tide_world_undo_contacts(tide_world *world);                          // restores that history: the step failed
tide_status tide_world_set_contact_history(tide_world *world, const void *bytes, size_t size, tide_error *error);

// contractions.c
void tide_world_apply_contractions(tide_world *world); // to the rest lengths of the system
// Fails if the body does not have these elements or a step is under way. Sets *first as tide_world_first_element does.
// With count 0, *body is NULL.
tide_status tide_world_check_elements(const tide_world *world, tide_body_id id, const uint32_t *elements,
                                      uint32_t count, const char *field, const tide_body **body, size_t *first,
                                      tide_error *error);
double tide_body_stiffness(const tide_body *body, uint32_t element); // as described
// Applies factors of stiffnesses (0 for cut elements) and plastic deformations of solids to a group of the system,
// which is as described. Its first element has the index `first` among the elements of all bodies.
void tide_world_apply_lasting(const tide_world *world, size_t first, tide_elements *elements);

// contact_surface.c
// Builds the surface of bodies and colliders for contact detection; with `all`, with the meshes of all colliders that
// have exact ones.
tide_status tide_world_make_surface(const tide_world *world, bool all, tide_contact_surface **surface,
                                    tide_error *error);
// Returns whether a collider's mesh is a part of that surface. It is with continuous detection, for meshes and boxes: a
// test of vertices against the distance alone would miss their edges.
bool tide_world_has_fixed_part(const tide_world *world, const tide_collider *collider);

// body_rigid.c
bool tide_world_has_rigid(const tide_world *world);
// Adds the elements of all rigid bodies to a system, as one group.
tide_status tide_world_add_rigid(const tide_world *world, tide_system *system, tide_error *error);

// pin_list.c
// Returns the pin of a particle (tide_pin.particle), or NULL.
tide_pin *tide_world_pin_of(const tide_world *world, uint64_t particle);
bool tide_world_has_anchors(const tide_world *world); // pins of particles with a stiffness
// Pin a particle at its present place, and unpin it. tide_world_pin_particle fails if memory runs out.
tide_status tide_world_pin_particle(tide_world *world, uint64_t particle, const double place[3], double stiffness,
                                    tide_error *error);
void tide_world_unpin_particle(tide_world *world, uint64_t particle);

// world_system.c
tide_status tide_world_update_system(tide_world *world, tide_error *error); // builds the system if anything changed
void tide_world_refresh_system(tide_world *world); // sets the targets of pins and the contractions in the system
tide_status tide_world_prepare(tide_world *world, tide_solver *solver, tide_error *error); // prepares it for the system
// Fails with an error about a particle: its object is the body, its value the vertex, its place the script line that
// made the body. Returns TIDE_ERROR_NUMERIC.
tide_status tide_world_attribute_error(const tide_world *world, uint32_t particle, const char *remedy,
                                       tide_error *error);

#define TIDE_LARGEST 1e300 // m/s, N
// Returns the first particle with one of `numbers` (3 * particle_count) not finite or beyond the limit in magnitude;
// the particle count if there is none.
uint32_t tide_world_find_invalid(const tide_world *world, const double *numbers, double limit);

// Returns the index of the first group of pins and attachments in the system. It follows the groups of all bodies.
uint32_t tide_world_held_groups(const tide_world *world);

// residual.c: returns whether the velocities are those of the last step: nothing was set, restored or reconciled since.
bool tide_world_is_of_last_step(const tide_world *world);

// step.c: builds the system and prepares the solver if anything changed.
tide_status tide_world_update_solver(tide_world *world, tide_error *error);

// balance.c
// Returns E at the start of the step, J. The inputs of the step must be gathered.
double tide_world_elastic_before(const tide_world *world);
// Computes the energy that the step gained into the report, with a warning if it is material. `elastic` is E before it.
void tide_world_balance_energy(tide_world *world, const tide_step *step, double elastic, tide_report *report);

// drag.c
// Computes v~ of the next step, damped_velocities, from the velocities.
void tide_world_damp_velocities(tide_world *world);

// divergence.c
// Fails with the error of a step whose result is not finite, or whose method failed with TIDE_ERROR_NUMERIC (`failure`,
// else NULL). Overwrites the arrays of the step's inputs and results.
tide_status tide_world_fail_diverged(const tide_world *world, const tide_report *report, const tide_error *failure,
                                     tide_error *error);

// solver_history.c
uint64_t tide_world_solver_identity(const tide_world *world); // hash of the solver's name
size_t tide_world_history_size(const tide_world *world);      // bytes of the history that the next step begins with
void tide_world_save_history(const tide_world *world, void *bytes);
tide_status tide_world_keep_history(const tide_world *world, tide_history *kept, tide_error *error);
// tide_world_await_history makes the next step begin with this history, or without any if it is another solver's. It
// cannot fail after tide_world_reserve_history has made room.
tide_status tide_world_reserve_history(tide_world *world, size_t size, tide_error *error);
void tide_world_await_history(tide_world *world, uint64_t solver, const void *bytes, size_t size);
tide_status tide_world_load_history(tide_world *world, tide_error *error); // loads the awaited history into the solver

// snapshot.c
uint64_t tide_world_identity(const tide_world *world); // hash of the bodies' names and topologies

#endif
