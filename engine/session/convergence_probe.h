// How far a world's solver is from the step that it is to take, measured now and then on a fork.
//
// From the state as it is now a fork takes one step as the world would (with the forces of its last step), and the same
// step again by L-BFGS with as many iterations as it takes: x_n and x*, the minimum of g (Liu et al. 2013, eq. 8). At
// vertices that touch something, x* leaves a gradient, which the contacts' forces balance: there let y* = y + M^-1 grad
// g(x*), elsewhere y* = y, and g*(x) the g of y*, of which x* is the minimum.
//
//     error     (g*(x_n) - g*(x*)) / (g*(x_0) - g*(x*))    Liu et al. 2013, eq. 15: the part of the step's error left.
//               x_0 is y, but x* at vertices that touch something
//     stiffness the c for which x*(c), the same step to its end with c times the elastic forces, comes nearest to x_n,
//               over a body's vertices that are free and touch nothing, in the metric of the masses. At rest under a
//               solver that stops too soon x_n = q: such a body hangs about as one with c times its stiffness would.
//
// With substeps, of the first of them. Methods that aim at another step than backward Euler's, or damp within it, are
// not measured; nor are methods of a script, which no other thread may call.
#ifndef TIDE_SESSION_CONVERGENCE_PROBE_H
#define TIDE_SESSION_CONVERGENCE_PROBE_H

#include "world/world.h"

typedef struct tide_convergence {
    uint64_t frame;          // of the world when it was measured
    uint32_t iterations;     // that the step took
    double error;            // [0, 1] and more; NAN: not known, as of a step that has nothing to do
    bool reached;            // L-BFGS came to the minimum; otherwise more is left than `error` says
    double seconds;          // of the measuring thread
    tide_body_id body;       // the one whose stiffness deviates most; {0, 0}: of none it can be told
    double effective;        // c of it
    char body_name[64];      // of it
    double nominal;          // its stiffness, N/m, or modulus, N; NAN: it differs over the body or has another
    bool nominal_is_modulus; // N
} tide_convergence;

// Whether it can be measured; otherwise why not, in words ("rk4 does not minimise g").
bool tide_convergence_can_measure(const tide_world *world, char *why, size_t size);

// Measures, spending the fork: it is only to be destroyed then. `forces` (3 * particle_count, N; may be NULL) are
// added. At most `seconds` or so are taken by L-BFGS.
tide_status tide_convergence_measure(tide_world *fork, const double *forces, double seconds, tide_convergence *out,
                                     tide_error *error);

// "10 iterations: 19 % of this step's error left; "cloth" acts 14 % softer than 80 N/m". Returns `text`. `notable`
// (may be NULL): the step is not converged, by more than 1 % of its error or 2 % of a stiffness.
char *tide_convergence_text(const tide_convergence *convergence, char *text, size_t size, bool *notable);

// Measures in a thread of its own, of low priority.
typedef struct tide_convergence_probe tide_convergence_probe;
tide_status tide_convergence_probe_create(tide_convergence_probe **probe, tide_error *error);
void tide_convergence_probe_destroy(tide_convergence_probe *probe); // waits for a measurement under way; NULL: nothing
// Begins to measure if none is under way and the last began a second ago or longer, and five times as long as it took:
// forks the world, which is only read. Call it once a picture, between steps.
tide_status tide_convergence_probe_ask(tide_convergence_probe *probe, tide_world *world, double now, tide_error *error);
bool tide_convergence_probe_is_busy(const tide_convergence_probe *probe);
// The last result; false: there is none (any more).
bool tide_convergence_probe_result(tide_convergence_probe *probe, tide_convergence *out);
void tide_convergence_probe_forget(tide_convergence_probe *probe); // the result, and that of a measurement under way
// Whether the calling thread is a probe's: what is logged from there is not about the world that is seen.
bool tide_convergence_is_measuring(void);

#endif
