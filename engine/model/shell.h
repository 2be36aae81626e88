// Shells: hinges that resist bending, made by the world for each edge between two triangles (hinge.h).
#ifndef TIDE_MODEL_SHELL_H
#define TIDE_MODEL_SHELL_H

#include "model/element.h"

// E = B/2 |sum c_i p_i|^2.
enum {
    TIDE_SHELL_QUADRATIC_STIFFNESS, // N m
    TIDE_SHELL_QUADRATIC_WEIGHTS,   // 1/m, c_0 ... c_3
    TIDE_SHELL_QUADRATIC_PARAMETERS = TIDE_SHELL_QUADRATIC_WEIGHTS + 4
};

// E = B/2 f (t - t0)^2. Parameters that follow are made by `rest`.
enum {
    TIDE_SHELL_DISCRETE_STIFFNESS,  // N m
    TIDE_SHELL_DISCRETE_REST_ANGLE, // rad; TIDE_NOT_GIVEN: that of the shape at rest
    TIDE_SHELL_DISCRETE_STRAIN      // 1/rad: strain of the faces of the sheet, relative to t - t0; 0: it does not flow
};
extern const tide_element_kind tide_shell_quadratic, tide_shell_discrete;

#endif
