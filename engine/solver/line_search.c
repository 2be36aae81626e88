#include "solver/line_search.h"

#include "base/memory.h"

#include <string.h>

#define DECREASE 1e-4     // required fraction of the decrease that the slope predicts (Armijo)
#define ROUNDING 1e-10    // relative to g: smaller differences are rounding
#define MOST_SHORTENED 10 // largest factor by which one trial shortens the length
enum { MAX_TRIALS = 40 };

tide_status tide_line_search_prepare(tide_line_search *search, const tide_system *system, tide_error *error)
{
    if (!tide_renew_owner(&search->memory, search->particle_count == system->particle_count))
        return TIDE_OK;
    search->particle_count = system->particle_count;
    double **arrays[] = { &search->x, &search->gradient, &search->trial_x, &search->trial_gradient };
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        *arrays[i] = tide_own_zeroed(search->memory, system->particle_count, 3 * sizeof **arrays[i]);
    return tide_owns_all(search->memory) ? TIDE_OK : tide_fail_memory(error, "solver");
}

void tide_line_search_free(tide_line_search *search)
{
    tide_free(search->memory);
    *search = (tide_line_search) { 0 };
}

void tide_line_search_begin(tide_line_search *search, const tide_objective *objective, const double *x)
{
    memmove(search->x, x, 3 * (size_t)search->particle_count * sizeof *x); // x may be search->x
    search->value = tide_objective_evaluate(objective, search->x, search->gradient, &search->norm);
    search->length = 0;
    search->trials = 0;
}

// Values of phi(a) = g(x + a d) at one length a.
typedef struct trial {
    double length, value, slope, norm;
    bool has_slope;
} trial;

static void find_slope(tide_line_search *search, const tide_objective *objective, const double *direction, trial *t)
{
    t->slope = tide_system_dot(objective->system, search->trial_gradient, direction) - (1 - t->length) * search->held;
    t->has_slope = true;
}

static bool accepts(tide_line_search *search, const tide_objective *objective, const double *direction, double slope,
                    trial *t)
{
    double change = t->value - search->value - 0.5 * search->held, rounding = ROUNDING * fabs(search->value);
    if (fabs(change) <= rounding) {
        find_slope(search, objective, direction, t);
        if ((2 * DECREASE - 1) * slope >= t->slope)
            return true;
    }
    if (!(change <= DECREASE * t->length * slope))
        return false;
    return isfinite(t->norm);
}

// Returns the minimum of the parabola through the known values, within bounds.
static double shorter(const trial *t, double value, double slope)
{
    double best = t->has_slope ? slope * t->length / (slope - t->slope)
                               : -0.5 * slope * t->length * t->length / (t->value - value - slope * t->length);
    if (!(best >= t->length / MOST_SHORTENED))
        return t->length / MOST_SHORTENED;
    return fmin(best, 0.5 * t->length);
}

void tide_line_search_exchange(tide_line_search *search)
{
    double *x = search->x, *gradient = search->gradient;
    search->x = search->trial_x;
    search->gradient = search->trial_gradient;
    search->trial_x = x;
    search->trial_gradient = gradient;
}

static void take(tide_line_search *search, const trial *t)
{
    tide_line_search_exchange(search);
    search->value = t->value - 0.5 * (1 - t->length) * (1 - t->length) * search->held;
    search->norm = t->norm;
    search->length = t->length;
}

bool tide_line_search_move(tide_line_search *search, const tide_objective *objective, const double *direction,
                           double first)
{
    search->trials = 0;
    double slope = tide_system_dot(objective->system, search->gradient, direction) - search->held;
    if (!(slope < 0) || !isfinite(slope))
        return false;
    for (double length = first; search->trials < MAX_TRIALS;) {
        trial t = { .length = length };
        for (size_t i = 0; i < 3 * (size_t)search->particle_count; i++)
            search->trial_x[i] = search->x[i] + length * direction[i];
        // Most first trials are accepted, so the gradient is computed too.
        t.value = tide_objective_evaluate(objective, search->trial_x, search->trial_gradient, &t.norm) +
                  0.5 * (1 - length) * (1 - length) * search->held;
        search->trials++;
        if (accepts(search, objective, direction, slope, &t)) {
            take(search, &t);
            return true;
        }
        length = shorter(&t, search->value + 0.5 * search->held, slope);
    }
    return false;
}
