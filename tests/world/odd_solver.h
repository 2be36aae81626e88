// A solver for the tests of world/ that fails, warns or reports a suspect on request. Otherwise a step moves every free
// particle by h v + n c, where c is 1 mm along each axis and n is its history: the number of steps that it has begun.
#ifndef TIDE_TESTS_WORLD_ODD_SOLVER_H
#define TIDE_TESTS_WORLD_ODD_SOLVER_H

#include "solver/solver.h"

typedef struct odd_behaviour {
    bool diverges;    // no number of the result is finite
    bool gives_up;    // fails with TIDE_ERROR_NUMERIC
    uint32_t suspect; // the particle that it reports
    double substep, stable_substep;
    const char *warning; // may be NULL
    // Called within a step, when it is not NULL.
    void (*within)(void *context);
    void *context;
} odd_behaviour;
extern odd_behaviour odd;

extern const tide_solver_kind odd_solver;

#endif
