// Measures how far a world's solver is from the exact minimiser of its step, from time to time and on a fork.
//
// A fork takes one step from the current state as the world would (with the forces of its last step); the result is
// x_n. L-BFGS takes the same step until it converges; the result is x*, the minimum of g (Liu et al. 2013, eq. 8). At
// vertices in contact the gradient at x* is not zero: the contact forces balance it. Let y* = y + M^-1 grad g(x*) there
// and y* = y elsewhere, and let g*(x) be g with y* in place of y. Then x* minimises g*.
//
//     error     (g*(x_n) - g*(x*)) / (g*(x_0) - g*(x*))    Liu et al. 2013, eq. 15: the fraction of the step's error
//               that is left. x_0 is y, but x* at vertices in contact
//     stiffness the factor c for which x*(c), the converged step with elastic forces times c, is nearest to x_n, over
//               the vertices of a body that are free and not in contact, in the norm of the masses. At rest under a
//               solver that stops too soon, x_n = q: the body sags about as one with c times its stiffness would
//
// With substeps, the first of them is measured. Methods that do not approximate backward Euler's step, or that damp
// within it, are not measured. Neither are methods written in a script: no other thread may call them.
#ifndef TIDE_SESSION_CONVERGENCE_PROBE_H
#define TIDE_SESSION_CONVERGENCE_PROBE_H

#include "world/world.h"

typedef struct tide_convergence {
    uint64_t frame;      // of the world at the measurement
    uint32_t iterations; // of the measured step
    double error;        // usually in [0, 1], may be larger; NAN: not known, for example if the step has nothing to do
    bool reached;        // L-BFGS converged; otherwise the true error is larger than `error`
    double seconds;      // time that the measuring thread took
    tide_body_id body;   // the body whose stiffness deviates most; {0, 0}: unknown
    double effective;    // its factor c
    char body_name[64];  // its name
    double nominal;      // its stiffness, N/m, or modulus, N; NAN: not uniform over the body, or of another kind
    bool nominal_is_modulus; // `nominal` is a modulus
} tide_convergence;

// Returns whether the world's step can be measured. If not, writes why ("rk4 does not minimise g").
bool tide_convergence_can_measure(const tide_world *world, char *why, size_t size);

// Measures. The fork may only be destroyed afterwards. `forces` (3 * particle_count, N; may be NULL) are added. L-BFGS
// takes about `seconds` at most.
tide_status tide_convergence_measure(tide_world *fork, const double *forces, double seconds, tide_convergence *out,
                                     tide_error *error);

// Writes "10 iterations: 19 % of this step's error left; "cloth" acts 14 % softer than 80 N/m". Returns `text`.
// *notable (may be NULL): the step has not converged, with more than 1 % of its error left or a stiffness off by more
// than 2 %.
char *tide_convergence_text(const tide_convergence *convergence, char *text, size_t size, bool *notable);

// Measures in its own thread, of low priority.
typedef struct tide_convergence_probe tide_convergence_probe;
tide_status tide_convergence_probe_create(tide_convergence_probe **probe, tide_error *error);
void tide_convergence_probe_destroy(tide_convergence_probe *probe); // waits for its measurement; NULL does nothing
// Starts a measurement, unless one is running or the last one began less than a second ago, or less than five times its
// duration ago. Forks the world, which it only reads. To be called once per picture, between steps.
tide_status tide_convergence_probe_ask(tide_convergence_probe *probe, tide_world *world, double now, tide_error *error);
bool tide_convergence_probe_is_busy(const tide_convergence_probe *probe);
// Returns the last result in *out; false: there is none.
bool tide_convergence_probe_result(tide_convergence_probe *probe, tide_convergence *out);
void tide_convergence_probe_forget(tide_convergence_probe *probe); // the result, and that of a running measurement
// Returns whether the calling thread is a probe's. Its log messages are not about the world that the user sees.
bool tide_convergence_is_measuring(void);

#endif
