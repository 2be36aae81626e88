#include "linear/iterative.h"

#include "base/parallel.h"
#include "base/random.h"
#include "base/stop.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    SUMS = 8,     // partial sums at once, since a single sum waits for each addition
    GRAIN = 16384 // numbers in a chunk of a parallel loop
};
// For tolerances from this one on, the rounding errors that the recurrence of residuals accumulates do not matter.
static const double trusted = 1e-4;

static double dot(uint32_t size, const double *a, const double *b)
{
    double sums[SUMS] = { 0 }, sum = 0;
    uint32_t i = 0;
    for (; i + SUMS <= size; i += SUMS)
        for (uint32_t k = 0; k < SUMS; k++)
            sums[k] += a[i + k] * b[i + k];
    for (; i < size; i++)
        sum += a[i] * b[i];
    for (uint32_t k = 0; k < SUMS; k++)
        sum += sums[k];
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

// --- conjugate gradients ---------------------------------------------------------------------------------------------

typedef struct iterates {
    const double *b;
    double *x, *r, *p, *q, *z; // solution, residual r, direction p, A p, preconditioned residual
    double alpha, beta;
} iterates;

typedef struct pair {
    const double *a, *b;
} pair;

static double dot_chunk(void *context, uint32_t begin, uint32_t end)
{
    const pair *v = context;
    return dot(end - begin, v->a + begin, v->b + begin);
}

static double dot_in_parallel(uint32_t size, const double *a, const double *b)
{
    pair v = { a, b };
    return tide_parallel_sum(size, GRAIN, dot_chunk, &v);
}

static void turn(void *context, uint32_t begin, uint32_t end)
{
    const iterates *v = context;
    const double *restrict z = v->z;
    double *restrict p = v->p, beta = v->beta;
    for (uint32_t i = begin; i < end; i++)
        p[i] = beta == 0 ? z[i] : z[i] + beta * p[i];
}

// Computes x += alpha p and r -= alpha q; returns |r|^2, summed in the same order as dot(r, r).
static double advance_solution(void *context, uint32_t begin, uint32_t end)
{
    const iterates *v = context;
    const double *restrict p = v->p + begin, *restrict q = v->q + begin;
    double *restrict x = v->x + begin, *restrict r = v->r + begin, alpha = v->alpha;
    double sums[SUMS] = { 0 }, sum = 0;
    uint32_t i = 0, size = end - begin;
    for (; i + SUMS <= size; i += SUMS)
        for (uint32_t k = 0; k < SUMS; k++) {
            x[i + k] += alpha * p[i + k];
            r[i + k] -= alpha * q[i + k];
            sums[k] += r[i + k] * r[i + k];
        }
    for (; i < size; i++) {
        x[i] += alpha * p[i];
        r[i] -= alpha * q[i];
        sum += r[i] * r[i];
    }
    for (uint32_t k = 0; k < SUMS; k++)
        sum += sums[k];
    return sum;
}

// Computes r = b - r; returns |r|^2.
static double subtract(void *context, uint32_t begin, uint32_t end)
{
    const iterates *v = context;
    for (uint32_t i = begin; i < end; i++)
        v->r[i] = v->b[i] - v->r[i];
    return dot(end - begin, v->r + begin, v->r + begin);
}

// Computes r = b - A x; returns its norm.
static double true_residual(tide_operator *apply, void *context, uint32_t size, iterates *v)
{
    if (all_zero(size, v->x)) {
        memcpy(v->r, v->b, size * sizeof *v->r);
        return sqrt(dot_in_parallel(size, v->r, v->r));
    }
    apply(context, v->x, v->r);
    return sqrt(tide_parallel_sum(size, GRAIN, subtract, v));
}

// Runs conjugate gradients. With `trusts`, the residual of the recurrence decides, and b - A x is not computed again.
static tide_iterative_result iterate(tide_operator *apply, tide_operator *precondition, void *context, uint32_t size,
                                     const double *b, double *x, double tolerance, bool trusts, uint32_t max_iterations,
                                     double *work)
{
    iterates v = { .b = b, .x = x, .r = work, .p = work + size, .q = work + 2 * (size_t)size };
    v.z = precondition ? work + 3 * (size_t)size : v.r;
    tide_iterative_result result = { 0 };
    double scale = sqrt(dot_in_parallel(size, b, b));
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
    double residual = true_residual(apply, context, size, &v), last_checked = INFINITY, rz = 0;
    bool restart = true, checked = true; // checked: `residual` is the true norm of b - A x
    for (;;) {
        if (residual <= tolerance * scale && !checked) {
            // The recurrence drifts from b - A x. Restart from the true residual while that helps.
            residual = true_residual(apply, context, size, &v);
            checked = restart = true;
            if (residual > tolerance * scale && residual > 0.5 * last_checked)
                break;
            last_checked = residual;
        }
        if (residual <= tolerance * scale || result.iterations == max_iterations || tide_stop_requested())
            break;
        if (precondition)
            precondition(context, v.r, v.z);
        double rz_before = rz;
        rz = dot_in_parallel(size, v.r, v.z);
        result.negative = rz < 0;
        if (result.negative)
            break;
        v.beta = restart ? 0 : rz / rz_before;
        tide_parallel_for(size, GRAIN, turn, &v);
        apply(context, v.p, v.q);
        double curvature = dot_in_parallel(size, v.p, v.q);
        result.negative = curvature < 0;
        if (!(curvature > 0) || !isfinite(curvature)) // not positive definite, or no further improvement possible
            break;
        v.alpha = rz / curvature;
        residual = sqrt(tide_parallel_sum(size, GRAIN, advance_solution, &v));
        restart = false;
        checked = trusts;
        result.iterations++;
    }
    if (!checked)
        residual = true_residual(apply, context, size, &v);
    result.residual = residual / scale;
    result.converged = residual <= tolerance * scale;
    return result;
}

tide_iterative_result tide_conjugate_gradient(tide_operator *apply, tide_operator *precondition, void *context,
                                              uint32_t size, const double *b, double *x, double tolerance,
                                              uint32_t max_iterations, double *work)
{
    return iterate(apply, precondition, context, size, b, x, tolerance, tolerance >= trusted, max_iterations, work);
}

tide_iterative_result tide_conjugate_gradient_by_recurrence(tide_operator *apply, tide_operator *precondition,
                                                            void *context, uint32_t size, const double *b, double *x,
                                                            double tolerance, uint32_t max_iterations, double *work)
{
    return iterate(apply, precondition, context, size, b, x, tolerance, true, max_iterations, work);
}

// --- the largest eigenvalue ------------------------------------------------------------------------------------------

static void start_at_random(uint32_t size, double *vector)
{
    tide_random random = tide_random_seed(1);
    for (uint32_t i = 0; i < size; i++)
        vector[i] = tide_random_uniform(&random) - 0.5;
}

// Estimates the sum of the remaining changes of an eigenvalue from its last two. For a geometric series it is ratio /
// (1 - ratio) times the last. For clustered eigenvalues the k-th change falls as 1 / k^2, and the sum is twice that.
// The factor of 3 covers the scatter of single changes.
static double changes_to_come(double before, double last)
{
    if (last == 0)
        return 0;
    double ratio = last / before;
    return ratio < 1 ? 3 * last * fmax(1, ratio / (1 - ratio)) : INFINITY;
}

// Normalises the vector; a zero vector becomes pseudorandom. Returns true if it was not zero.
static bool begin(uint32_t size, double *vector)
{
    bool given = norm(size, vector) > 0;
    if (!given)
        start_at_random(size, vector);
    double length = norm(size, vector);
    for (uint32_t i = 0; i < size; i++)
        vector[i] /= length;
    return given;
}

tide_iterative_result tide_largest_eigenvalue(tide_operator *apply, void *context, uint32_t size, double *vector,
                                              double tolerance, uint32_t max_iterations, double *eigenvalue,
                                              double *work)
{
    tide_iterative_result result = { .converged = size == 0 };
    double last = INFINITY;
    bool given = begin(size, vector);
    *eigenvalue = 0;
    while (!result.converged && result.iterations < max_iterations && !tide_stop_requested()) {
        apply(context, vector, work);
        double before = *eigenvalue, grown = norm(size, work), change_before = last;
        *eigenvalue = dot(size, vector, work);
        if (grown == 0 && !given) { // a random vector is in the null space only if A is 0
            result.residual = 0;
            result.converged = true;
            break;
        }
        if (grown == 0) { // the start was in the null space: take a random one
            given = false;
            start_at_random(size, work);
            grown = norm(size, work);
        }
        for (uint32_t i = 0; i < size; i++)
            vector[i] = work[i] / grown;
        double scale = fabs(*eigenvalue);
        last = fabs(*eigenvalue - before);
        bool rounding = last <= 4 * DBL_EPSILON * scale; // the ratio of changes at rounding level means nothing
        double to_come = rounding ? last : changes_to_come(change_before, last);
        result.residual = to_come == 0 ? 0 : to_come / scale;
        result.converged = result.iterations > 0 && (to_come <= tolerance * scale || rounding);
        result.iterations++;
    }
    return result;
}

// State of the momentum.
typedef struct momentum {
    double floor;     // s: components with smaller eigenvalues do not grow
    double beta;      // (s / 2)^2
    uint32_t held;    // iterations since s was raised
    uint32_t check;   // iterations until the next check of s
    uint32_t to_hold; // iterations without raising s after which it is final
} momentum;

static uint32_t held_long_enough(double tolerance)
{
    double steps = 4 / sqrt(fmax(tolerance, 1e-16));
    return steps < 8 ? 8 : (uint32_t)steps;
}

// At a check: raises s if the growth exceeds it, which restarts the recurrence. Returns true if it did.
static bool raise_floor(momentum *m, double growth, double residual, double tolerance)
{
    // A component whose eigenvalue exceeds s by a fraction d takes about 1 / sqrt(d) iterations to emerge.
    double steps = 1.5 / sqrt(fmax(residual, 1e-16));
    m->check = steps < 4 ? 4 : steps < m->to_hold ? (uint32_t)steps : m->to_hold;
    if (growth <= m->floor * (1 + 0.5 * tolerance))
        return false;
    m->floor = growth;
    m->beta = 0.25 * growth * growth;
    m->held = 0;
    return true;
}

// Computes |product|^2 and x . product in one pass, with four partial sums each, which processors add in parallel.
static void measure(uint32_t size, const double *x, const double *product, double *squared, double *across)
{
    double square[4] = { 0 }, cross[4] = { 0 };
    uint32_t i = 0;
    for (; i + 4 <= size; i += 4)
        for (uint32_t k = 0; k < 4; k++) {
            square[k] += product[i + k] * product[i + k];
            cross[k] += x[i + k] * product[i + k];
        }
    for (; i < size; i++) {
        square[0] += product[i] * product[i];
        cross[0] += x[i] * product[i];
    }
    *squared = square[0] + square[1] + square[2] + square[3];
    *across = cross[0] + cross[1] + cross[2] + cross[3];
}

// Computes x <- (A x - beta x_before) / scale and x_before <- x / scale. `product` is A x.
static void advance(uint32_t size, double beta, double scale, const double *restrict product, double *restrict x,
                    double *restrict before)
{
    double factor = 1 / scale;
    for (uint32_t i = 0; i < size; i++) {
        double next = factor * (product[i] - beta * before[i]);
        before[i] = factor * x[i];
        x[i] = next;
    }
}

tide_iterative_result tide_largest_eigenvalue_momentum(tide_operator *apply, void *context, uint32_t size,
                                                       double *vector, double tolerance, uint32_t max_iterations,
                                                       double *eigenvalue, double *work)
{
    double *product = work, *before = work + size, squared, across;
    tide_iterative_result result = { .converged = size == 0 };
    momentum m = { .check = 4, .to_hold = held_long_enough(tolerance) };
    bool given = begin(size, vector);
    *eigenvalue = 0;
    if (size)
        memset(before, 0, size * sizeof *before);
    while (!result.converged && result.iterations < max_iterations && !tide_stop_requested()) {
        apply(context, vector, product);
        result.iterations++;
        m.held++;
        m.check--;
        double grown;
        measure(size, vector, vector, &squared, &across);
        measure(size, vector, product, &grown, &across);
        double growth = sqrt(grown / squared);
        if (growth == 0 && given) { // the start was in the null space: take a random one
            memset(vector, 0, size * sizeof *vector);
            given = begin(size, vector);
            m.check++;
            continue;
        }
        *eigenvalue = across / squared;
        if (!(growth > 0) || !isfinite(growth)) {
            result.converged = growth == 0; // A is 0
            break;
        }
        double spread = sqrt(fmax(growth * growth - *eigenvalue * *eigenvalue, 0));
        result.residual = spread == 0 ? 0 : spread / fabs(*eigenvalue);
        if (m.check == 0 && raise_floor(&m, growth, result.residual, tolerance))
            memset(before, 0, size * sizeof *before);
        // Opposite eigenvalues leave a residual as large as themselves.
        result.converged = m.floor > 0 && m.held >= m.to_hold && growth <= m.floor * (1 + 0.5 * tolerance) &&
                           result.residual <= sqrt(tolerance);
        if (!result.converged)
            advance(size, m.beta, sqrt(grown), product, vector, before); // normalises roughly
    }
    begin(size, vector);
    return result;
}

double tide_iterative_scale(const double *b, size_t count)
{
    double most = 0, sizes[SUMS] = { 0 }, none[SUMS] = { 0 }; // `none` becomes NaN where a number is not finite
    size_t i = 0;
    for (; i + SUMS <= count; i += SUMS)
        for (size_t k = 0; k < SUMS; k++) {
            double size = fabs(b[i + k]);
            sizes[k] = size > sizes[k] ? size : sizes[k];
            none[k] += 0 * b[i + k];
        }
    for (; i < count; i++) {
        most = fmax(most, fabs(b[i]));
        none[0] += 0 * b[i];
    }
    for (size_t k = 0; k < SUMS; k++)
        most = fmax(most, sizes[k]);
    for (size_t k = 1; k < SUMS; k++)
        none[0] += none[k];
    int exponent;
    frexp(most, &exponent);
    return none[0] != 0 ? NAN : most == 0 ? 0 : ldexp(1, exponent < -1000 ? 1000 : -exponent);
}
