// Coulomb friction of one contact, the same in all directions along the surface or not (README.md, section 6).
//
// The friction force is in an ellipse about the normal force N: with the coefficients `along` and `across`, and its
// parts f1 along the axis and f2 across it,
//
//     (f1 / along)^2 + (f2 / across)^2 <= N^2
//
// Where the sides slide, the force is the point of the ellipse that takes most energy out of the slip (maximum
// dissipation: Moreau 1970; Michalowski and Mroz 1978). The slip then points against the normal of the ellipse, not
// against the force. Equal coefficients make a circle, and Coulomb's law.
#ifndef TIDE_CONTACT_FRICTION_H
#define TIDE_CONTACT_FRICTION_H

#include "collision/surface.h"

typedef struct tide_friction {
    double along, across; // coefficients; equal: the same in all directions, and the axis is not used
    double axis[3];       // unit vector along the surface
} tide_friction;

// One side of a contact: what its material gives.
typedef struct tide_friction_side {
    double friction;   // coefficient along the axis; TIDE_NOT_GIVEN: that of the other side
    double ratio;      // of the coefficients across and along; 0: the same in all directions
    double axis[3];    // unit vector in the world, if there is a ratio; 0: the coefficient across in all directions
    uint32_t material; // of tide_contact_surface.pair_friction
} tide_friction_side;

static inline bool tide_friction_is_round(const tide_friction *f)
{
    return f->along == f->across;
}

// Finds unit vectors e, f across a unit vector n, with f = n x e.
void tide_contact_tangents(const double n[3], double e[3], double f[3]);
double tide_contact_friction(double a, double b); // of two sides, each a coefficient or TIDE_NOT_GIVEN
// Combines the sides of a contact with this unit normal. `surface` gives the coefficients of pairs of materials.
tide_friction tide_friction_combine(const tide_contact_surface *surface, const tide_friction_side *a,
                                    const tide_friction_side *b, const double normal[3]);

// Moves a vector along the surface to the nearest one of the ellipse for the normal force `push`. Not for round ones.
void tide_friction_clip(const tide_friction *f, double push, double drag[3]);
// Returns the size of a vector along the surface relative to the ellipse for push = 1: 1 on its border.
double tide_friction_size(const tide_friction *f, const double drag[3]);

// The border of the ellipse for push = 1, at the point nearest to a vector outside.
typedef struct tide_friction_border {
    double normal[3];       // outward unit vector along the surface
    double point, sideways; // of the point along that normal, and along the contact's normal x that normal
    double part;            // of a motion of the vector along the border that the nearest point makes
} tide_friction_border;
tide_friction_border tide_friction_nearest(const tide_friction *f, const double normal[3], const double drag[3]);

#endif
