// The next step of a world as a minimisation problem for several methods:
//
//     error = (g(x) - g(x*)) / (g(y) - g(x*))    Liu et al. 2013, eq. 15
//
// g belongs to a backward Euler step without the solver's damping and without contact. y is the start of all methods
// that minimise g, and x* the lowest minimum found so far. All methods take the same step, from the same positions,
// velocities and forces. The world itself does not change.
#ifndef TIDE_WORLD_STEP_PROBLEM_H
#define TIDE_WORLD_STEP_PROBLEM_H

#include "world/world.h"

typedef struct tide_step_problem {
    tide_step step;                           // x and v are the arrays below
    double *y, *reference, *x, *v, *gradient; // (3 * particle_count); owned. reference: x*
    uint32_t particle_count;
    double g_start, g_reference;       // g(y); g(x*), INFINITY until a minimum was found
    double start_norm, reference_norm; // of their gradients
} tide_step_problem;

// Allocates for the world's particles. On failure the caller frees it too.
tide_status tide_step_problem_create(const tide_world *world, tide_step_problem *problem, tide_error *error);
void tide_step_problem_free(tide_step_problem *problem); // a zeroed one is fine
// Reads the step that comes now, with the forces and pins that the scene's update has set. Forgets x*.
tide_status tide_step_problem_begin(tide_step_problem *problem, tide_world *world, tide_error *error);
// Reads the same step again, after other calls to the world; y stays.
tide_status tide_step_problem_renew(tide_step_problem *problem, tide_world *world, tide_error *error);
// Takes the step into problem->x and problem->v with a new solver; `options` as tide_solver_create.
tide_status tide_step_problem_solve(tide_step_problem *problem, const tide_solver_kind *kind, const void *options,
                                    tide_report *report, tide_error *error);
// Takes it with one of the engine's solvers ("newton,warm_start=100"). Where g is lower than before, the result becomes
// x*.
tide_status tide_step_problem_seek(tide_step_problem *problem, const char *solver, tide_error *error);
double tide_step_problem_g(const tide_step_problem *problem, const double *x);
double tide_step_problem_gradient(const tide_step_problem *problem, const double *x); // its norm
double tide_step_problem_error(const tide_step_problem *problem, double g);

typedef struct tide_step_method {
    tide_solver *solver;
    void *options, *history;
    bool iterative;         // has the option `iterations`
    double prepare_seconds; // of the first preparation
} tide_step_method;

// `options` as tide_solver_create. On failure the caller frees it too.
tide_status tide_step_method_create(tide_step_method *method, const tide_solver_kind *kind, const void *options,
                                    tide_error *error);
void tide_step_method_free(tide_step_method *method); // a zeroed one is fine
// Takes the step into problem->x as if it were the method's first, with at most so many iterations and no tolerance.
tide_status tide_step_method_take(tide_step_method *method, tide_step_problem *problem, uint32_t iterations,
                                  tide_report *report, tide_error *error);
// Takes it several times. The report is of the fastest run, in seconds of tide_clock_computing.
tide_status tide_step_method_time(tide_step_method *method, tide_step_problem *problem, uint32_t iterations,
                                  tide_report *best, tide_error *error);

#endif
