// Which points are clear of which colliders, and where those that are not have their contacts. A point is clear while
// it provably cannot touch: the proofs cost nothing but time, whatever they are made of, and change no result. Where a
// point was when its distance was last looked at is kept from step to step, in the collider's own frame: what goes
// along with a collider needs no other look.
#ifndef TIDE_CONTACT_COLLIDER_NEAR_H
#define TIDE_CONTACT_COLLIDER_NEAR_H

#include "contact/contacts_state.h"

// Of a collider, in the substep under way.
typedef struct tide_collider_way {
    tide_pose from, to;
    double box[6];       // of what is inside throughout, m; infinite where it has none
    double angle, shift; // by which it turns, and its origin moves, m
    double stir;         // m: as far as any vertex of its mesh goes in its frame
    uint64_t serial;     // of a mesh that deforms: which motion that was, and the fraction at its end
    double end;
} tide_collider_way;

// A point that is near a collider; see above. Lengths in m.
typedef struct tide_nearness {
    float own[3];  // where it was last looked at
    float free;    // so far from there it touches nothing at the least; -INFINITY: not looked at
    float before;  // likewise, from where the point is at the start of the substep
    float motion;  // the length of the way that where the point starts takes in the collider's frame, at most
    uint32_t hint; // see tide_distance_at_from
} tide_nearness;

// Arrays over points and colliders have a row for each point.
typedef struct tide_collider_near {
    tide_collider_way *ways; // (collider_count)
    bool *takes_part;        // (moving_count) against colliders, and can be moved
    float *radii;            // (moving_count) m
    float *clear;            // (moving_count * collider_count) m: while nearer to its start, a point cannot touch
    float *least;            // (moving_count) the least of a row
    // So near to where it was last looked at, or started, a point cannot touch.
    double *centres; // (3 * moving_count) m
    uint64_t *due;   // set of particles that the answer under way looks at
    // Where all that moves is known, how far any may have gone since the search began to count, and beyond how far in
    // all each word of 64 is to be searched again; infinite and 0 where it is not.
    double gone, *searched; // m; (words of particle_count) m
    double *limits;         // (moving_count) m^2; -1: to be looked at wherever it is, infinite: never
    uint32_t *slots;        // (moving_count * collider_count) the contact's index + 1, or 0
    uint32_t *slot_counts;  // (moving_count) of a row
    uint32_t *moved;        // (moved_count) points, by the last answer
    uint32_t moved_count;
    tide_nearness *pairs; // (moving_count * collider_count)
} tide_collider_near;

tide_status tide_collider_near_create(const tide_contacts *c, tide_collider_near **near, tide_error *error);
void tide_collider_near_destroy(tide_collider_near *near); // NULL does nothing
// Forgets all looks: distances that were evaluated after a limit of time was over are none.
void tide_collider_near_forget(const tide_contacts *c);
// Sets ways and what is clear for a substep from c->from on.
void tide_collider_near_begin(const tide_contacts *c);
// Where a point was looked at, it may go so far, m^2; see `limits`.
static inline void tide_collider_near_limit(tide_collider_near *near, uint32_t point, uint32_t particles, double limit)
{
    near->limits[point] = limit;
    if (point < particles)
        near->searched[point / 64] = 0;
}
// Searches begin to count how far particles go, or (not `known`) there is no telling.
void tide_collider_near_count(const tide_contacts *c, bool known);
// All particles have moved, no coordinate of any by more than `most`, m; NaN or infinite: nobody knows.
void tide_collider_near_move(tide_collider_near *near, double most);
// Whether a point that goes to `own`, m in the collider's frame at the end, and as far as `moved` (m) in the world, is
// clear.
bool tide_nearness_proves(const tide_nearness *n, const tide_collider_way *way, const double own[3], double moved);
// By how much less than it may the point may have moved for that, m; see collider_near.c.
double tide_nearness_spare(const tide_nearness *n, const tide_collider_way *way, const double own[3], double moved);
// Notes that the point has the distance `free` to where it touches (negative: inside) at `own`, and started the substep
// at `own_start`.
void tide_nearness_note(tide_nearness *n, const tide_collider_way *way, const double own[3], double free,
                        const double own_start[3]);

#endif
