// The members of a world, and functions that the files of world/ share. Private to world/.
#ifndef TIDE_WORLD_WORLD_STATE_H
#define TIDE_WORLD_WORLD_STATE_H

#include "contact/contacts.h"
#include "geometry/embedding.h"
#include "world/attachments.h"
#include "world/collider_attachments.h"
#include "world/slots.h"
#include "world/world.h"

typedef struct tide_body {
    char *name, *script_file;
    int script_line;
    tide_body_id id;
    const tide_mesh *mesh;     // retained
    const tide_mesh *surface;  // retained: the fine surface, or NULL
    tide_embedding *embedding; // of `surface` in `mesh`, or NULL
    bool surface_closed;       // `surface` is closed and so has an inside
    uint32_t first_particle;
    double *masses; // (mesh->vertex_count) kg
    // Elements over the body's own vertices, owned. The first group holds the springs; it may be empty. The other
    // groups have at least one element.
    tide_elements *groups;
    uint32_t group_count;
    tide_body_def look; // for drawing; its pointers are not used
} tide_body;

static inline const tide_elements *tide_body_springs(const tide_body *body)
{
    return &body->groups[0];
}

// Whether two bodies may touch, as set by tide_world_set_touching.
typedef struct tide_world_body_pair {
    uint64_t bodies[2]; // indices, ascending
    bool touching;
} tide_world_body_pair;

// A pin. Pins are sorted by particle. Snapshots store these bytes, so there is no padding.
typedef struct tide_pin {
    uint64_t particle;
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
    size_t number_capacity, pin_count, pin_capacity;
    double time;
    uint64_t frame;
    tide_random random;
    tide_history history, contacts, deforms; // deforms: vertices of mesh colliders (deform_state.h)
    struct tide_collider_state *colliders;   // (collider_count)
    size_t collider_count;
    size_t collider_capacity;
    double *contractions;
    size_t contraction_count, contraction_capacity;
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

    // Factors of the rest lengths of all elements, in the order of the bodies; those beyond the count are 1.
    double *contractions;
    size_t contraction_count, contraction_capacity;

    tide_attachment *attachments;
    size_t attachment_count, attachment_capacity;
    size_t described_attachments; // their number when `initial` was made; the others were added later

    tide_collider_attachment *collider_attachments; // vertices attached to colliders
    size_t collider_attachment_count, collider_attachment_capacity;

    uint32_t particle_count;
    double *positions, *velocities, *forces;                     // (3 * particle_count): the state
    double *next_positions, *next_velocities;                    // (3 * particle_count): a step's result
    double *damped_velocities, *total_forces, *pinned_positions; // (3 * particle_count): a step's inputs
    double *last_positions; // (3 * particle_count): the start of the last step; valid if `stepped`
    bool stepped;           // a step was taken, and the inputs above are still those of the last one

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
    tide_history contact_history; // of the contacts after the last step (`solver` is not used)
    bool contact_history_awaits;  // the contacts must load contact_history before the next step
    double initial_penetration;   // m, in the last step; a warning is logged only for a deeper one
    bool told_of_squeeze;         // the warning that colliders squeeze or press a body was logged
    tide_contact *contact_list;   // result of tide_world_contacts
    size_t contact_capacity;

    tide_snapshot *initial; // the state that reset restores; NULL before the first step
    tide_kept_state kept;   // of tide_world_keep
    tide_world_extra_state extra;
};

// world_state.c
void tide_body_object(const char *name, char text[96]);                 // writes `body "NAME"`, for messages
tide_body *tide_world_lookup(const tide_world *world, tide_body_id id); // NULL when stale
tide_collider *tide_world_lookup_collider(const tide_world *world, tide_collider_id id); // NULL when stale
const tide_body *tide_world_body_of_particle(const tide_world *world, uint32_t particle);
uint32_t tide_body_element_count(const tide_body *body);

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
void tide_body_destroy(tide_body *body);

// world.c
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
void tide_world_undo_contacts(tide_world *world);                          // restores that history: the step failed
tide_status tide_world_set_contact_history(tide_world *world, const void *bytes, size_t size, tide_error *error);

// contractions.c
// Makes room for `count` factors, so that setting as many cannot fail.
tide_status tide_world_reserve_contractions(tide_world *world, size_t count, tide_error *error);
size_t tide_world_contraction_count(const tide_world *world); // up to the last factor that is not 1
void tide_world_set_contractions(tide_world *world, const double *factors, size_t count); // sets 1 beyond `count`
size_t tide_world_element_total(const tide_world *world);                                 // of all bodies
// Reconciling: carries over the factors of the groups that still have the same kind and number of elements.
void tide_world_carry_contractions(tide_world *world, const tide_body *body, const tide_world *old,
                                   const tide_body *before);
void tide_world_apply_contractions(tide_world *world); // to the rest lengths of the system
#define TIDE_CUT 0.0                                   // the factor of an element that is cut
// Returns the index of a body's first element among the elements of all bodies.
size_t tide_world_first_element(const tide_world *world, const tide_body *body);
// Fails if the body does not have these elements or a step is under way. Sets *first as tide_world_first_element does.
// With count 0, *body is NULL.
tide_status tide_world_check_elements(const tide_world *world, tide_body_id id, const uint32_t *elements,
                                      uint32_t count, const char *field, const tide_body **body, size_t *first,
                                      tide_error *error);
// Sets the stiffness of cut elements to 0 in a group of the system, whose first element has the index `first`.
void tide_world_cut_stiffnesses(const tide_world *world, size_t first, tide_elements *elements);

// contact_surface.c
// Builds the surface of bodies and colliders for contact detection.
tide_status tide_world_make_surface(const tide_world *world, tide_contact_surface **surface, tide_error *error);
// Returns whether a collider's mesh is a part of that surface. It is with continuous detection, for meshes and boxes: a
// test of vertices against the distance alone would miss their edges.
bool tide_world_has_fixed_part(const tide_world *world, const tide_collider *collider);

// pins.c
// Returns the pin of a particle, or NULL.
tide_pin *tide_world_pin_of(const tide_world *world, uint32_t particle);
bool tide_world_has_anchors(const tide_world *world); // pins with a stiffness

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
