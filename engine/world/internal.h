// What the files of world/ share; not for others.
#ifndef TIDE_WORLD_INTERNAL_H
#define TIDE_WORLD_INTERNAL_H

#include "world/world.h"

typedef struct tide_body {
    char *name, *script_file;
    int script_line;
    tide_body_id id;
    const tide_mesh *mesh; // retained
    uint32_t first_particle;
    double *masses; // (mesh->vertex_count) kg
    uint32_t spring_count;
    uint32_t *spring_vertices; // (2 * spring_count) vertices of the body
    double *spring_parameters; // (TIDE_SPRING_PARAMETERS * spring_count), as in tide_elements
    tide_body_def look;        // for drawing; its pointers are not used
} tide_body;

// A slot of the id table. A slot with a name but no body is kept for the body of that name, which the predecessor had.
typedef struct tide_body_slot {
    uint32_t generation;
    uint32_t body; // index of the body that lives here; NO_BODY: none
    char *name;    // NULL: the slot is free
} tide_body_slot;
#define NO_BODY UINT32_MAX

// Pins are kept in ascending order of particle. Snapshots store them as they are, so there is no padding.
typedef struct tide_pin {
    uint64_t particle;
    double stiffness;    // N/m; TIDE_NOT_GIVEN: exact
    double described[3]; // where the vertex was when it was pinned
    double target[3];    // where it is to be
} tide_pin;

// The state before a step, in memory that is used again.
typedef struct tide_kept_state {
    double *arrays; // (6 * particle_count): positions, velocities
    tide_pin *pins;
    size_t number_capacity, pin_count, pin_capacity;
    double time;
    uint64_t frame;
    tide_random random;
} tide_kept_state;

struct tide_world {
    tide_world_settings settings;
    tide_random random;
    double time;
    uint64_t frame;

    tide_body **bodies;
    size_t body_count, body_capacity;
    tide_body_slot *slots;
    size_t slot_count, slot_capacity;

    uint32_t particle_count;
    double *positions, *velocities, *forces;                     // (3 * particle_count): the state
    double *next_positions, *next_velocities;                    // (3 * particle_count): a step's result
    double *damped_velocities, *total_forces, *pinned_positions; // (3 * particle_count): a step's inputs

    tide_pin *pins;
    size_t pin_count, pin_capacity;

    tide_system *system; // valid unless system_changed
    bool system_changed;
    tide_solver *solver; // prepared unless solver_changed
    bool solver_changed;
    tide_report report;

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

// pins.c: the pin of a particle, or NULL.
tide_pin *tide_world_pin_of(const tide_world *world, uint32_t particle);

// step.c: builds the system and prepares the solver if anything changed.
tide_status tide_world_update_system(tide_world *world, tide_error *error);
tide_status tide_world_update_solver(tide_world *world, tide_error *error);
tide_status tide_world_prepare(tide_world *world, tide_solver *solver, tide_error *error);

// snapshot.c
uint64_t tide_world_identity(const tide_world *world); // hash of the bodies' names and topologies

#endif
