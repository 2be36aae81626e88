// One step of a scene as a problem that methods are given, and how far their results are from its solution:
//
//     error = (g(x) - g(x*)) / (g(y) - g(x*))    Liu et al. 2013, eq. 15
//
// g is that of a backward Euler step of the scene without the solvers' damping and without contact, y the start of all
// that minimise it and x* the lowest minimum that was found. All methods take the same step, from the same positions
// and velocities, and are given what the scene's `update` did.
#ifndef TIDE_SESSION_STEP_ERROR_H
#define TIDE_SESSION_STEP_ERROR_H

#include "script/script.h"

typedef struct tide_step_problem {
    tide_step step;                           // x and v are the arrays below
    double *y, *reference, *x, *v, *gradient; // (3 * particle_count); owned. reference: x*
    double g_start, g_reference;              // g(y); g(x*), INFINITY until one was found
    double start_norm, reference_norm;        // of their gradients
} tide_step_problem;

tide_status tide_step_problem_create(tide_script *script, tide_step_problem *problem, tide_error *error);
void tide_step_problem_free(tide_step_problem *problem); // zeros are freed, too
// The step that comes now: calls the scene's update, which moves pins and adds forces. Forgets x*.
tide_status tide_step_problem_begin(tide_step_problem *problem, tide_script *script, tide_error *error);
// Takes the step with a solver of the engine's ("newton,warm_start=100"). Where g is lower than what was found before,
// the result is x*.
tide_status tide_step_problem_seek(tide_step_problem *problem, const char *solver, tide_error *error);
double tide_step_problem_g(const tide_step_problem *problem, const double *x);
double tide_step_problem_gradient(const tide_step_problem *problem, const double *x); // its norm
double tide_step_problem_error(const tide_step_problem *problem, double g);

typedef struct tide_step_method {
    tide_solver *solver;
    void *options, *history;
    bool iterative;         // has `iterations`
    double prepare_seconds; // of the first preparation
} tide_step_method;

// `options` as tide_solver_create.
tide_status tide_step_method_create(tide_step_method *method, const tide_solver_kind *kind, const void *options,
                                    tide_error *error);
void tide_step_method_free(tide_step_method *method); // zeros are freed, too
// The step into problem->x as if it were the method's first, with at most so many iterations and no tolerance.
tide_status tide_step_method_take(tide_step_method *method, tide_step_problem *problem, uint32_t iterations,
                                  tide_report *report, tide_error *error);
// The same several times over; the report is that of the fastest, timed as tide_study_seconds does.
tide_status tide_step_method_time(tide_step_method *method, tide_step_problem *problem, uint32_t iterations,
                                  tide_report *best, tide_error *error);

#endif
