// The next step of a world as a minimisation problem, to compare methods: g(x) of a backward Euler step (Liu et al.
// 2013, eq. 8) without the solver's damping and without contact. All methods take the same step, from the same
// positions, velocities and forces. The state of the world does not change.
#ifndef TIDE_WORLD_STEP_PROBLEM_H
#define TIDE_WORLD_STEP_PROBLEM_H

#include "world/world.h"

typedef struct tide_step_problem {
    tide_step step;               // x and v are the arrays below
    double *y, *x, *v, *gradient; // (3 * particle_count); owned. y: the start of methods that minimise g
    uint32_t particle_count;
} tide_step_problem;

// Creates the problem of the next step, with the forces and pins that the scene's update has set. The caller frees the
// problem, also on failure.
tide_status tide_step_problem_create(tide_world *world, tide_step_problem *problem, tide_error *error);
void tide_step_problem_free(tide_step_problem *problem); // may be zeroed
// Gathers the inputs of the same step again, after other calls to the world; keeps y.
tide_status tide_step_problem_renew(tide_step_problem *problem, tide_world *world, tide_error *error);
// Takes the step with a new solver; the result is in problem->x and problem->v. `options` as in tide_solver_create.
tide_status tide_step_problem_solve(tide_step_problem *problem, const tide_solver_kind *kind, const void *options,
                                    tide_report *report, tide_error *error);
double tide_step_problem_g(const tide_step_problem *problem, const double *x);
// Computes the gradient of g at x into problem->gradient and returns its norm over the free particles.
double tide_step_problem_gradient(const tide_step_problem *problem, const double *x);

// A method to time. Its history is that after the first preparation.
typedef struct tide_step_method {
    tide_solver *solver;
    void *options, *history;
    bool iterative;         // has the option `iterations`
    double prepare_seconds; // of the first preparation
} tide_step_method;

// Creates a method; `options` as in tide_solver_create. The caller frees it, also on failure.
tide_status tide_step_method_create(tide_step_method *method, const tide_solver_kind *kind, const void *options,
                                    tide_error *error);
void tide_step_method_free(tide_step_method *method); // may be zeroed
// Takes the step, up to four times, as if it were the method's first, with at most so many iterations and tolerance 0.
// The result is in problem->x. The report is that of the fastest run, in seconds of tide_computing_seconds.
tide_status tide_step_method_time(tide_step_method *method, tide_step_problem *problem, uint32_t iterations,
                                  tide_report *best, tide_error *error);

#endif
