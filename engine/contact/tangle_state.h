// What the files of untangling share. Private to them.
#ifndef TIDE_CONTACT_TANGLE_STATE_H
#define TIDE_CONTACT_TANGLE_STATE_H

#include "base/disjoint_set.h"
#include "base/vec3.h"
#include "collision/box_tree.h"
#include "contact/tangle.h"

// Which end of an edge that goes through a triangle is on the wrong side.
typedef enum tide_wrong_end { TIDE_WRONG_UNKNOWN = -1, TIDE_WRONG_FIRST, TIDE_WRONG_SECOND } tide_wrong_end;

// An edge that goes through a triangle.
typedef struct tide_tangle_crossing {
    uint32_t edge, triangle;
    uint32_t parts[2]; // of the edge, of the triangle
    double at;         // of the edge, from its first end
    double weights[3]; // barycentric, of the triangle
    double normal[3];  // of the triangle, unit, from the first end to the second
    tide_wrong_end wrong;
    uint32_t region; // of the wrong end: its root, then, if it is chosen, its index among the regions
    bool rooted;     // of a strand that is held inside the other part: it is left
    bool chosen;     // its wrong end is pulled back
    bool leaves;     // its body leaves the collider's mesh along ways
    bool open;       // nothing of its contour is chosen: the contour is shortened
    bool chord;      // the edge goes in here and out again, or the other way round: it is moved along `out`
    double out[3];   // unit
} tide_tangle_crossing;

// A region on the wrong side that is pulled back as a whole.
typedef struct tide_tangle_region {
    uint32_t parts[2], count; // its own, and that through which it goes; of crossings
    double normal[3];         // unit, mean of its crossings' normals towards the right side; 0: they point anywhere
    double speed;             // m/s, mean of the triangles' along the normal
    double mass, momentum;    // of its free particles, kg, and along the normal, kg m/s
    double force;             // on them along the normal, N
    double pull;              // N, added
    bool leaves;              // the collider along ways: not pulled
} tide_tangle_region;

// A piece of a contour, with one crossing at its end.
typedef struct tide_tangle_segment {
    uint64_t triangles; // that cross: the lower in the upper half
    uint32_t crossing;
} tide_tangle_segment;

struct tide_tangle { // owns its arrays
    tide_contact_surface *surface;
    uint32_t particle_count;
    const double *x; // of the last search
    tide_box_tree *tree;
    double *boxes;            // (6 * triangle_count)
    uint32_t *found;          // (triangle_count)
    uint32_t *edge_triangles; // (2 * edge_count) TIDE_TANGLE_NONE: none
    uint32_t *edge_parts;     // (edge_count)
    bool *attached;           // (part_count * part_count) points of the two are held together: they may cross
    uint64_t tests, most_tests;
    bool stopped; // the last search, at most_tests

    tide_tangle_crossing *items;
    size_t count, capacity;

    // Regions of one pair of parts.
    bool *cut;           // (edge_count) goes through a triangle of the other part
    uint32_t *roots;     // (point_count) union-find of points
    uint32_t *sizes;     // (point_count) of regions, at their roots
    unsigned char *side; // (point_count) of regions, at their roots: 0 unknown, 1 right, 2 wrong
    double *sums;        // (3 * point_count) of the normals at regions, at their roots
    tide_tangle_segment *segments;
    uint32_t *contours; // (count) union-find of crossings
    size_t segment_capacity, contour_capacity;

    uint32_t *tangled; // (point_count) the surface's marks
    uint32_t *pull_of; // (point_count) region that is pulled; TIDE_TANGLE_NONE: none
    tide_tangle_region *regions;
    size_t region_count, region_capacity;
    double *v;               // (3 * point_count) velocities, with the impulses so far
    const double *gain;      // (3 * point_count) see tide_tangle_pull
    double *shares;          // (particle_count) of a particle in its region, 0 to 1
    uint32_t *particle_pull; // (particle_count)
    const struct tide_inside *inside;
    double insistence; // of the present pull
    bool failed;       // out of memory
};
enum { TIDE_TANGLE_NONE = UINT32_MAX };

// Sets the particles that a point is or is carried by. Returns their number, 0 for points of colliders.
static inline int tide_tangle_bearers(const tide_tangle *t, uint32_t point, uint32_t particles[4], double weights[4])
{
    const tide_contact_surface *s = t->surface;
    if (point < t->particle_count) {
        particles[0] = point;
        weights[0] = 1;
        return 1;
    }
    size_t carried = point - t->particle_count;
    for (size_t i = 0; i < 4 && carried < s->carried_count; i++) {
        particles[i] = s->carriers[4 * carried + i];
        weights[i] = s->carrier_weights[4 * carried + i];
    }
    return carried < s->carried_count ? 4 : 0;
}

// tangle_regions.c: decides which ends are wrong, which crossings pull, and marks points.
void tide_tangle_decide(tide_tangle *t);
// tangle_forces.c
tide_vec3 tide_tangle_gradient(const tide_tangle *t, const tide_tangle_crossing *c);

#endif
