#include "linear/iterative.h"

#include "base/random.h"

#include <math.h>
#include <string.h>

static double dot(uint32_t size, const double *a, const double *b)
{
    double sum = 0;
    for (uint32_t i = 0; i < size; i++)
        sum += a[i] * b[i];
    return sum;
}

static double norm(uint32_t size, const double *a)
{
    return sqrt(dot(size, a, a));
}

static bool all_zero(uint32_t size, const double *a)
{
    for (uint32_t i = 0; i < size; i++)
        if (a[i] != 0)
            return false;
    return true;
}

// r = b - A x; returns its norm.
static double true_residual(tide_operator *apply, void *context, uint32_t size, const double *b, const double *x,
                            double *r)
{
    apply(context, x, r);
    for (uint32_t i = 0; i < size; i++)
        r[i] = b[i] - r[i];
    return norm(size, r);
}

tide_iterative_result tide_conjugate_gradient(tide_operator *apply, tide_operator *precondition, void *context,
                                              uint32_t size, const double *b, double *x, double tolerance,
                                              uint32_t max_iterations, double *work)
{
    double *r = work, *p = work + size, *q = work + 2 * (size_t)size;
    double *z = precondition ? work + 3 * (size_t)size : r;
    tide_iterative_result result = { 0 };
    double scale = norm(size, b);
    if (all_zero(size, b)) { // the solution is 0, and no residual is small relative to b
        if (size)
            memset(x, 0, size * sizeof *x);
        result.converged = true;
        return result;
    }
    if (!(scale > 0) || !isfinite(scale)) { // squares vanish or overflow
        result.residual = NAN;
        return result;
    }
    double residual = true_residual(apply, context, size, b, x, r), last_checked = INFINITY, rz = 0;
    bool restart = true, checked = true; // checked: `residual` is the norm of b - A x itself, not of its recurrence
    for (;;) {
        if (residual <= tolerance * scale && !checked) {
            // The recurrence drifts from b - A x; go on from the latter while that helps.
            residual = true_residual(apply, context, size, b, x, r);
            checked = restart = true;
            if (residual > tolerance * scale && residual > 0.5 * last_checked)
                break;
            last_checked = residual;
        }
        if (residual <= tolerance * scale || result.iterations == max_iterations)
            break;
        if (precondition)
            precondition(context, r, z);
        double rz_before = rz;
        rz = dot(size, r, z);
        double beta = restart ? 0 : rz / rz_before;
        for (uint32_t i = 0; i < size; i++)
            p[i] = restart ? z[i] : z[i] + beta * p[i];
        apply(context, p, q);
        double curvature = dot(size, p, q);
        if (!(curvature > 0) || !isfinite(curvature)) // not positive definite, or nothing left to improve
            break;
        double alpha = rz / curvature;
        for (uint32_t i = 0; i < size; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        residual = norm(size, r);
        restart = checked = false;
        result.iterations++;
    }
    if (!checked)
        residual = true_residual(apply, context, size, b, x, r);
    result.residual = residual / scale;
    result.converged = residual <= tolerance * scale;
    return result;
}

static void start_at_random(uint32_t size, double *vector)
{
    tide_random random = tide_random_seed(1);
    for (uint32_t i = 0; i < size; i++)
        vector[i] = tide_random_uniform(&random) - 0.5;
}

tide_iterative_result tide_largest_eigenvalue(tide_operator *apply, void *context, uint32_t size, double *vector,
                                              double tolerance, uint32_t max_iterations, double *eigenvalue,
                                              double *work)
{
    tide_iterative_result result = { 0 };
    *eigenvalue = 0;
    bool given = norm(size, vector) > 0;
    if (!given)
        start_at_random(size, vector);
    double length = norm(size, vector);
    for (uint32_t i = 0; i < size; i++)
        vector[i] /= length;
    result.converged = size == 0;
    while (!result.converged && result.iterations < max_iterations) {
        apply(context, vector, work);
        double before = *eigenvalue, grown = norm(size, work);
        *eigenvalue = dot(size, vector, work);
        if (grown == 0 && !given) { // a vector at random is in the null space because A is 0
            result.residual = 0;
            result.converged = true;
            break;
        }
        if (grown == 0) { // the start was in the null space, where there is nothing to be found
            given = false;
            start_at_random(size, work);
            grown = norm(size, work);
        }
        for (uint32_t i = 0; i < size; i++)
            vector[i] = work[i] / grown;
        double change = fabs(*eigenvalue - before);
        result.residual = change == 0 ? 0 : change / fabs(*eigenvalue);
        result.converged = result.iterations > 0 && result.residual <= tolerance;
        result.iterations++;
    }
    return result;
}
