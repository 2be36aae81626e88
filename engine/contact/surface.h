// What may touch: points, and the edges and triangles between them. The points are the particles of all bodies, then
// the vertices of fine surfaces that bodies carry, then those of moving mesh colliders, which nothing moves. Arrays of
// positions are (3 * point_count), interleaved, m.
#ifndef TIDE_CONTACT_SURFACE_H
#define TIDE_CONTACT_SURFACE_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

// What points have in common: a body, or a collider's mesh.
typedef struct tide_contact_part {
    uint32_t first_point, point_count;
    uint32_t first_edge, edge_count;         // of the triangles, or of the lines where there are none
    uint32_t first_triangle, triangle_count; // 0: lines (bristles, hair) or points
    double radius;                           // m, half of the thickness: two parts stay apart by the sum of their radii
    double reach;                            // m: how far an answer may move a point within an iteration
    double friction, restitution;            // friction may be TIDE_NOT_GIVEN: that of what it touches
    bool against_colliders;
    bool solid;        // triangles have an inside: their outer side is the one to be on
    bool fixed;        // its points have no inverse mass: two fixed parts never touch
    uint32_t collider; // of a fixed part: whose mesh it is; `rest` is then in the collider's own frame
} tide_contact_part;

typedef struct tide_contact_surface {
    uint32_t point_count, edge_count, triangle_count, part_count;
    tide_contact_part *parts; // (part_count), ranges ascending and without gaps
    uint32_t *part_of;        // (point_count)
    uint32_t *edges;          // (2 * edge_count) points
    uint32_t *triangles;      // (3 * triangle_count) points
    uint32_t carried_count;   // points after the particles, each carried by four of them
    uint32_t *carriers;       // (4 * carried_count) particles
    double *carrier_weights;  // (4 * carried_count) that add up to 1
    double *inverse_masses;   // (point_count) 1/kg; 0: held or fixed
    double *rest;   // (3 * point_count) m: where a part is undeformed; what is near there does not touch itself
    bool *touching; // (part_count * part_count) symmetric: whether two parts may; on the diagonal, one itself
} tide_contact_surface;

#endif
