// Points that a state has inside colliders, and where to they leave (README.md of this folder, section 12). Private to
// contact/.
#ifndef TIDE_CONTACT_TANGLE_INSIDE_H
#define TIDE_CONTACT_TANGLE_INSIDE_H

#include "base/vec3.h"
#include "contact/contacts_state.h"

// Points inside one collider that edges connect. It is at the root of its points.
typedef struct tide_inside_region {
    uint32_t count;
    bool held;       // one of them is
    bool leaves;     // in one direction
    tide_vec3 mean;  // sum of the collider's normals
    tide_vec3 sheet; // twice the vector area of its triangles, m^2
    double area;     // twice their area
    tide_vec3 way;   // unit vector, if it leaves in one direction
} tide_inside_region;

typedef struct tide_inside {
    uint32_t count;              // of points inside that are free and not of a strand that is held inside
    uint32_t first;              // of these
    uint32_t *exit_of;           // (moving_count) 1 + the collider that the point leaves along its way; 0: none
    double *ways;                // (3 * moving_count) unit vectors
    double *normals;             // (3 * moving_count) buffers
    double *depths;              // (moving_count) m
    uint32_t *roots;             // (moving_count)
    tide_inside_region *regions; // (moving_count)
} tide_inside;

// Searches at x (3 * particle_count), with colliders where they stand. Returns false without memory.
bool tide_inside_find(tide_contacts *c, const double *x);
void tide_inside_release(tide_contacts *c); // no point has a way
static inline const double *tide_inside_way(const tide_contacts *c, uint32_t point, uint32_t collider) // NULL: none
{
    return c->inside && c->inside->exit_of[point] == collider + 1 ? c->inside->ways + 3 * (size_t)point : NULL;
}

#endif
