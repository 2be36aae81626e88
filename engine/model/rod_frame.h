// The material frame of an edge of a rod, for kinds of elements with particles beside the rod's vertices (Umetani et
// al. 2014, Position-based elastic rods): each edge has one more particle g, which turns with its cross-section. With
// the ends x0, x1, a = x1 - x0, l = |a| and p = g - (x0 + x1) / 2,
//
//     t = a / l,   z = p . t,   d = (p - z t) / r,   r = +-|p - z t|,   e = t x d
//
// so that p = r d + z t. The sign of r lets the particles of neighbouring edges be on opposite sides of a rod.
// When the points move, the frame turns by
//
//     w = t x da / l + t e . (dp - z da / l) / r,    dt = w x t,    dd = w x d,    de = w x e
#ifndef TIDE_MODEL_ROD_FRAME_H
#define TIDE_MODEL_ROD_FRAME_H

#include "base/vec3.h"

typedef struct tide_rod_frame {
    tide_vec3 p, t, d, e;
    double length, arm, z;              // m: l, r, z
    double inverse_length, inverse_arm; // 1/m; 0 where the length is 0
} tide_rod_frame;

// Derivatives of a frame in a direction da, dp.
typedef struct tide_rod_turn {
    tide_vec3 w, t, d, e;
    double length, arm, z;
} tide_rod_turn;

// `sign` is that of r. A particle on the axis has d = 0.
tide_rod_frame tide_rod_frame_of(const double *x0, const double *x1, const double *g, double sign);
tide_rod_turn tide_rod_frame_turn(const tide_rod_frame *frame, tide_vec3 da, tide_vec3 dp);

// Rotates v by the shortest rotation from the direction `from` to the direction `to`, both of length 1 (parallel
// transport). Opposite directions: v is returned.
tide_vec3 tide_rod_transport(tide_vec3 v, tide_vec3 from, tide_vec3 to);

#endif
