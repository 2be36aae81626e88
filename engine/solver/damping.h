// Rayleigh damping: the force -D v with D = mass M + stiffness K (Shinya 2005, eq. 28, where mass is d0 and stiffness
// alpha). With the model `springs`, K is the constant matrix L: every spring resists any relative motion of its ends,
// which damps rotations too (Kauppila sec. 2.2 with kd = stiffness * k).
#ifndef TIDE_SOLVER_DAMPING_H
#define TIDE_SOLVER_DAMPING_H

#include "base/field.h"

enum { TIDE_DAMPING_NONE, TIDE_DAMPING_RAYLEIGH, TIDE_DAMPING_SPRINGS, TIDE_DAMPING_AUTO };

typedef struct tide_damping {
    int model;
    double mass;      // d0, 1/s
    double stiffness; // alpha, s
} tide_damping;

extern const tide_field tide_damping_fields[];          // implicit methods: none, rayleigh, springs
extern const tide_field tide_explicit_damping_fields[]; // explicit methods: these and auto, by Shinya 2005, eq. 30 to
                                                        // 33

#define TIDE_DAMPING_FIELD(options_type, table)                                                                        \
    {                                                                                                                  \
        .name = "damping", .type = TIDE_FIELD_RECORD, .offset = offsetof(options_type, damping), .record = (table),    \
        .help = "Rayleigh damping, { mass = d0, stiffness = alpha }; the scene's `drag` comes before it"               \
    }

#endif
