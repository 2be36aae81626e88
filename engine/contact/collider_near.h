// Bounds that prove points clear of colliders, and the contacts of the other points. A point is clear while it provably
// cannot touch. The proofs save time and change no result. The last place where the distance of a point was evaluated
// is kept from step to step in the collider's own frame: a point that moves with a collider needs no new evaluation.
#ifndef TIDE_CONTACT_COLLIDER_NEAR_H
#define TIDE_CONTACT_COLLIDER_NEAR_H

#include "contact/contacts_state.h"

#define TIDE_DEEP 1e-4 // m, beyond the radius: a point that begins deeper in a collider is told, and brought out slowly

// The motion of a collider in the present substep.
typedef struct tide_collider_path {
    tide_pose from, to;
    double box[6];       // m, bounds of the inside at all times; infinite if unbounded
    double angle, shift; // rad and m: by which it turns, and its origin moves
    double displacement; // m: largest motion of a vertex of its mesh in its frame
    uint64_t serial;     // of a mesh that deforms: number of the motion, and the fraction at its end
    double end;
} tide_collider_path;

// The clearance of a point from a collider. Lengths are m.
typedef struct tide_nearness {
    float own[3];  // where the distance was last evaluated
    float free;    // within this distance of `own` it cannot touch; -INFINITY: not evaluated
    float before;  // the same, about its place at the start of the substep
    float motion;  // bound on the path of its starting place in the collider's frame
    uint32_t hint; // see tide_distance_at_from
} tide_nearness;

// The part of a contact of a point with a collider that few passes read. The rest is in the list of contacts.
typedef struct tide_collider_contact {
    uint32_t point, collider;
    uint32_t contact;                // its index in the list of contacts
    double plane[3], plane_point[3]; // of a swept contact: normal, and a point of the plane at the end of the substep
    tide_support support;            // support.h
} tide_collider_contact;

// How far the solve of one point with all colliders has come.
typedef struct tide_collider_row {
    uint32_t point, next;      // next: the collider to go on with
    double most;               // largest change
    double spare, least_clear; // m: how far it may move on before it can touch those evaluated, and those not
} tide_collider_row;

// Arrays over points and colliders have one row for each point.
typedef struct tide_collider_near {
    tide_collider_path *paths; // (collider_count)
    bool *takes_part;          // (moving_count) collides with colliders, and is not pinned
    float *radii;              // (moving_count) m
    float *clear;              // (moving_count * collider_count) m: nearer to its start than this, a point cannot touch
    float *least;              // (moving_count) the least of each row
    // Centres of the balls in which points cannot touch: where they were last evaluated, or started.
    double *centres; // (3 * moving_count) m
    uint64_t *due;   // set of particles to evaluate in the present solve
    // A bound on the motion of all particles since counting began, and for each word of 64 particles the bound from
    // which on it is searched again; infinite and 0 where unknown.
    double gone, *searched;          // m; (words of particle_count) m
    double *limits;                  // (moving_count) m^2, squared radii; -1: always evaluate, infinite: never
    tide_collider_contact *contacts; // (contact_count) in the order of the list of contacts
    size_t contact_count, contact_capacity;
    uint32_t *slots;       // (moving_count * collider_count) the contact's index in the list + 1, or 0
    uint32_t *slot_counts; // (moving_count) contacts of each row
    uint32_t *moved;       // (moved_count) points that the last solve moved
    uint32_t moved_count;
    bool *has_moved, *deferred; // (moving_count) in a parallel solve: moved; to go on alone, from its `rows`
    tide_collider_row *rows;    // (moving_count)
    tide_nearness *pairs;       // (moving_count * collider_count)
} tide_collider_near;

// Adds a contact of a point with a collider (constraint_list.c). NULL: no memory.
tide_contact_constraint *tide_collider_contacts_add(tide_contacts *c, uint32_t collider, uint32_t point);
static inline tide_contact_constraint *tide_contact_of(const tide_contacts *c, const tide_collider_contact *own)
{
    return &c->list.items[own->contact];
}
static inline tide_collider_contact *tide_collider_contact_of(const tide_contacts *c, const tide_contact_constraint *t)
{
    return &c->near->contacts[t->found];
}
// The contact of a point with a collider; NULL: they have none.
static inline tide_contact_constraint *tide_contact_with(const tide_contacts *c, uint32_t collider, uint32_t point)
{
    uint32_t slot = c->near->slots[(size_t)point * c->collider_count + collider];
    return slot ? &c->list.items[slot - 1] : NULL;
}

// collider_squeeze.c
// Sets the allowed depth of a contact as the substep begins: a point deep inside a collider comes out at a bounded
// speed, and a point without room between two colliders may be as deep in one as in the other.
void tide_collider_contacts_allow_depth(tide_contacts *c, tide_contact_constraint *t);

tide_status tide_collider_near_create(const tide_contacts *c, tide_collider_near **near, tide_error *error);
// Forgets all evaluations. Needed after a time limit: distances evaluated then are not valid.
void tide_collider_near_forget(const tide_contacts *c);
// Sets motions and clearances for a substep that starts at c->from.
void tide_collider_near_begin(const tide_contacts *c);
// Sets the squared radius, m^2, of the ball in which a point cannot touch; see `limits`.
static inline void tide_collider_near_limit(tide_collider_near *near, uint32_t point, uint32_t particles, double limit)
{
    near->limits[point] = limit;
    if (point < particles)
        near->searched[point / 64] = 0;
}
// Begins to bound the motion of particles; with `known` false, the bound is infinite.
void tide_collider_near_count(const tide_contacts *c, bool known);
// Adds a motion of all particles, in which no coordinate changed by more than `most`, m; NaN or infinite: unknown.
void tide_collider_near_move(tide_collider_near *near, double most);
// Returns whether a point is clear that ends at `own` (m, in the collider's frame at the end) and moves by `moved` (m)
// in the world.
bool tide_nearness_proves(const tide_nearness *n, const tide_collider_path *path, const double own[3], double moved);
// Returns how much farther the point may move before that proof fails, m; see collider_near.c.
double tide_nearness_spare(const tide_nearness *n, const tide_collider_path *path, const double own[3], double moved);
// Records that the point at `own` has the distance `free` to a touch (negative: inside), and started the substep at
// `own_start`.
void tide_nearness_note(tide_nearness *n, const tide_collider_path *path, const double own[3], double free,
                        const double own_start[3]);

#endif
