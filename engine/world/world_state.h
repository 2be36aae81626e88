// What the files of world/ share; not for others.
#ifndef TIDE_WORLD_WORLD_STATE_H
#define TIDE_WORLD_WORLD_STATE_H

#include "contact/contacts.h"
#include "geometry/embedding.h"
#include "world/attachments.h"
#include "world/holds.h"
#include "world/slots.h"
#include "world/world.h"

typedef struct tide_body {
    char *name, *script_file;
    int script_line;
    tide_body_id id;
    const tide_mesh *mesh;     // retained
    const tide_mesh *surface;  // retained: the fine one, or NULL
    tide_embedding *embedding; // of `surface` in `mesh`, or NULL
    bool surface_closed;       // it has an inside
    uint32_t first_particle;
    double *masses; // (mesh->vertex_count) kg
    // Elements of vertices of the body, owned. The first group are the springs, of which there may be none: those are
    // cut, and are muscles. The others hold an element at least.
    tide_elements *groups;
    uint32_t group_count;
    tide_body_def look; // for drawing; its pointers are not used
} tide_body;

static inline const tide_elements *tide_body_springs(const tide_body *body)
{
    return &body->groups[0];
}

// Whether two bodies may touch.
typedef struct tide_world_body_pair {
    uint64_t bodies[2]; // indices, ascending
    bool touching;
} tide_world_body_pair;

// Pins are kept in ascending order of particle. Snapshots store them as they are, so there is no padding.
typedef struct tide_pin {
    uint64_t particle;
    double stiffness;    // N/m; TIDE_NOT_GIVEN: exact
    double described[3]; // where the vertex was when it was pinned
    double target[3];    // where it is to be
} tide_pin;

// A solver's history as bytes, in memory that is used again.
typedef struct tide_history {
    unsigned char *bytes;
    size_t size, capacity;
    uint64_t solver; // tide_world_solver_identity
} tide_history;

// The state before a step, in memory that is used again.
typedef struct tide_kept_state {
    double *arrays; // (6 * particle_count): positions, velocities
    tide_pin *pins;
    size_t number_capacity, pin_count, pin_capacity;
    double time;
    uint64_t frame;
    tide_random random;
    tide_history history, contacts, deforms; // deforms: vertices of colliders
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
    uint32_t touchable_count;                 // colliders that `contacts` is made with: the first of them
    tide_collider *ground;                    // of tide_world_add_ground: one of the colliders; NULL: none
    struct tide_collider_state *ground_state; // its state as it was added; owned
    tide_world_body_pair *body_pairs;         // what tide_world_set_touching said
    size_t body_pair_count, body_pair_capacity;

    // Factors of rest lengths, of all springs of all bodies in their order; those beyond the count are 1.
    double *contractions;
    size_t contraction_count, contraction_capacity;

    tide_attachment *attachments;
    size_t attachment_count, attachment_capacity;
    size_t described_attachments; // those that there were when `initial` was made; the others came later

    tide_hold *holds; // vertices attached to colliders
    size_t hold_count, hold_capacity;

    uint32_t particle_count;
    double *positions, *velocities, *forces;                     // (3 * particle_count): the state
    double *next_positions, *next_velocities;                    // (3 * particle_count): a step's result
    double *damped_velocities, *total_forces, *pinned_positions; // (3 * particle_count): a step's inputs
    double *last_positions; // (3 * particle_count): where the last step began, once `stepped`
    bool stepped;           // and the inputs are still those of that step

    tide_pin *pins;
    size_t pin_count, pin_capacity;

    tide_system *system; // valid unless system_changed
    bool system_changed;
    tide_solver *solver; // prepared unless solver_changed
    bool solver_changed;
    bool solver_prepared; // at least once: before, it has no history
    bool stepping;        // the solver has the world's arrays: nothing may change
    tide_report report;
    double elastic_after;                              // J, at next_positions
    const tide_system *elastic_of;                     // that it is of; NULL: not known
    char warned[sizeof((tide_report *)NULL)->warning]; // the warning last logged

    // What the solver's history is to be when the next step begins (no bytes: that of a new solver), once it awaits.
    tide_history awaited;
    bool awaits_history;
    tide_history before_step;

    tide_contacts *contacts; // valid unless contacts_changed
    bool contacts_changed;
    tide_history contact_history; // of the contacts after the last step (`solver` is not used)
    bool contact_history_awaits;  // the contacts are to have it before the next step
    double initial_penetration;   // m, of the warning last logged
    bool told_of_squeeze;         // that colliders leave a body no room
    tide_contact *contact_list;   // of tide_world_contacts
    size_t contact_capacity;

    tide_snapshot *initial; // where reset goes; NULL before the first step
    tide_kept_state kept;   // of tide_world_keep
    tide_world_extra_state extra;
};

// body.c: masses and springs from a definition; the body has no id and no particles yet.
tide_status tide_body_create(const tide_body_def *def, tide_body **body, tide_error *error);
tide_status tide_body_copy(const tide_body *body, tide_body **copy, tide_error *error);
void tide_body_destroy(tide_body *body);
void tide_body_object(const char *name, char text[96]); // body "NAME", for messages

// world.c: takes a body over, with its rest shape as state; on failure it is destroyed.
tide_status tide_world_insert_body(tide_world *world, tide_body *body, tide_error *error);
tide_body *tide_world_lookup(const tide_world *world, tide_body_id id); // NULL when stale
const tide_body *tide_world_body_of_particle(const tide_world *world, uint32_t particle);

// A vertex's particle, and the check of three numbers from outside; errors name the body and `field`.
tide_status tide_world_find_vertex(const tide_world *world, tide_body_id id, uint32_t vertex, const char *field,
                                   uint32_t *particle, tide_error *error);
tide_status tide_world_check_vector(const tide_world *world, tide_body_id id, const char *field, const double vector[3],
                                    tide_error *error);

// colliders.c
void tide_world_destroy_colliders(tide_world *world);
// Makes a collider of the world its ground, as it is now.
tide_status tide_world_note_ground(tide_world *world, tide_collider *ground, tide_error *error);
tide_status tide_world_copy_colliders(tide_world *fork, const tide_world *world, tide_error *error);
void tide_world_carry_colliders(tide_world *world, const tide_world *old); // poses, where the description is the same

// touching.c: contact in the step. Builds what finds and answers contacts if anything changed.
tide_status tide_world_update_contacts(tide_world *world, tide_error *error);
void tide_world_begin_contacts(tide_world *world);                         // colliders set out on their ways
tide_status tide_world_end_contacts(tide_world *world, tide_error *error); // and have arrived
void tide_world_undo_contacts(tide_world *world);                          // or the step failed
tide_status tide_world_set_contact_history(tide_world *world, const void *bytes, size_t size, tide_error *error);

// muscles.c. There is room for `count` factors after reserving them, so that setting as many cannot fail.
tide_status tide_world_reserve_contractions(tide_world *world, size_t count, tide_error *error);
size_t tide_world_contraction_count(const tide_world *world); // up to the last that is not 1
void tide_world_set_contractions(tide_world *world, const double *factors, size_t count); // beyond them 1
size_t tide_world_spring_total(const tide_world *world);                                  // of all bodies
void tide_world_carry_contractions(tide_world *world, const tide_body *body, const tide_world *old,
                                   const tide_body *before);
void tide_world_apply_contractions(tide_world *world);                          // to the rest lengths of the system
#define TIDE_CUT 0.0                                                            // the factor of a spring that is cut
size_t tide_world_first_spring(const tide_world *world, const tide_body *body); // of those of all bodies
// That a body has these springs, and that no step is under way; which springs of all bodies its own begin with. Without
// any spring *body is NULL.
tide_status tide_world_check_springs(const tide_world *world, tide_body_id id, const uint32_t *springs, uint32_t count,
                                     const char *field, const tide_body **body, size_t *first, tide_error *error);
// Takes the stiffness of those that are cut out of a body's springs in the system.
void tide_world_cut_stiffnesses(const tide_world *world, const tide_body *body, tide_elements *springs);

// contact_surface.c: what of the bodies and colliders may touch.
tide_status tide_world_make_surface(const tide_world *world, tide_contact_surface **surface, tide_error *error);
// Whether a collider's mesh takes part in swept tests: its edges, which vertices alone would not notice.
bool tide_world_has_fixed_part(const tide_world *world, const tide_collider *collider);

// pins.c: the pin of a particle, or NULL.
tide_pin *tide_world_pin_of(const tide_world *world, uint32_t particle);

// step.c: builds the system and prepares the solver if anything changed.
tide_status tide_world_update_system(tide_world *world, tide_error *error);
tide_status tide_world_update_solver(tide_world *world, tide_error *error);
tide_status tide_world_prepare(tide_world *world, tide_solver *solver, tide_error *error);
// Makes an error be about a particle: object the body, value the vertex, where the script line that made the body.
tide_status tide_world_blame(const tide_world *world, uint32_t particle, const char *remedy, tide_error *error);

#define TIDE_LARGEST 1e300 // m/s, N
// The first particle of which one of `numbers` (3 * particle_count) is not finite or beyond the limit; the particle
// count when all are sound.
uint32_t tide_world_find_unsound(const tide_world *world, const double *numbers, double limit);

// balance.c: E at the start of the step, whose inputs are gathered; and the gain of a step that was taken.
double tide_world_elastic_before(const tide_world *world);
void tide_world_balance_energy(tide_world *world, const tide_step *step, double elastic, tide_report *report);

// drag.c: v~ of the step to come, from the velocities.
void tide_world_damp_velocities(tide_world *world);

// divergence.c: the error of a step that came out unsound, or that its method gave up with TIDE_ERROR_NUMERIC
// (`failure`, else NULL). Uses the arrays of the step's inputs and results up.
tide_status tide_world_fail_diverged(const tide_world *world, const tide_report *report, const tide_error *failure,
                                     tide_error *error);

// solver_history.c
uint64_t tide_world_solver_identity(const tide_world *world); // hash of the solver's name
size_t tide_world_history_size(const tide_world *world);      // of the history as it is to be at the next step
void tide_world_save_history(const tide_world *world, void *bytes);
tide_status tide_world_keep_history(const tide_world *world, tide_history *kept, tide_error *error);
// The next step is to begin with this history, or without any where it is another solver's. The first makes room, so
// that the second cannot fail.
tide_status tide_world_reserve_history(tide_world *world, size_t size, tide_error *error);
void tide_world_await_history(tide_world *world, uint64_t solver, const void *bytes, size_t size);
tide_status tide_world_load_history(tide_world *world, tide_error *error); // gives the solver what it awaits

// snapshot.c
uint64_t tide_world_identity(const tide_world *world); // hash of the bodies' names and topologies

#endif
