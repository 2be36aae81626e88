#include "solver/anderson.h"

#include "base/memory.h"
#include "linear/long_vectors.h"

#include <math.h>
#include <string.h>

// A difference is dependent when the square of its part orthogonal to the newer ones is below this fraction.
#define DEPENDENT 1e-12

tide_status tide_anderson_prepare(tide_anderson *anderson, uint32_t window, const tide_system *system,
                                  tide_error *error)
{
    bool fits = anderson->window == window && anderson->particle_count == system->particle_count;
    if (!tide_renew_owner(&anderson->memory, fits))
        return TIDE_OK;
    *anderson = (tide_anderson) { .memory = anderson->memory };
    size_t numbers = 3 * (size_t)system->particle_count;
    struct {
        double **array;
        size_t count;
    } arrays[] = { { &anderson->corrections, window },
                   { &anderson->correction, 1 },
                   { &anderson->result, 1 },
                   { &anderson->gradient, 1 },
                   { &anderson->results, window } };
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        *arrays[i].array = tide_own_zeroed(anderson->memory, numbers, arrays[i].count * sizeof(double));
    if (!tide_owns_all(anderson->memory))
        return tide_fail_memory(error, "solver");
    anderson->window = window;
    anderson->particle_count = system->particle_count;
    return TIDE_OK;
}

void tide_anderson_free(tide_anderson *anderson)
{
    tide_free(anderson->memory);
    *anderson = (tide_anderson) { 0 };
}

void tide_anderson_begin(tide_anderson *anderson)
{
    anderson->started = false;
    anderson->count = 0;
    anderson->newest = anderson->window - 1;
}

static double *difference(const tide_anderson *anderson, double *array, uint32_t slot)
{
    return array + 3 * (size_t)anderson->particle_count * slot;
}

// Returns the slot of the difference that is `age` older than the newest.
static uint32_t slot_of(const tide_anderson *anderson, uint32_t age)
{
    return (anderson->newest + anderson->window - age) % anderson->window;
}

// Computes the products of x with the differences of corrections, from the newest on.
static void multiply(const tide_anderson *anderson, const double *x, double *products)
{
    const double *vectors[TIDE_ANDERSON_MAX_WINDOW];
    for (uint32_t age = 0; age < anderson->count; age++)
        vectors[age] = difference(anderson, anderson->corrections, slot_of(anderson, age));
    tide_long_vectors_multiply(vectors, anderson->count, x, 3 * (size_t)anderson->particle_count, products);
}

// Stores the current iterate. With `differ`, also stores its differences from the last one in the next slot.
static void keep(tide_anderson *anderson, const double *x, const double *gradient, const double *correction,
                 bool differ)
{
    if (differ) {
        anderson->newest = (anderson->newest + 1) % anderson->window;
        anderson->count += anderson->count < anderson->window;
    }
    double *df = difference(anderson, anderson->corrections, anderson->newest);
    double *dg = difference(anderson, anderson->results, anderson->newest);
    for (size_t i = 0; i < 3 * (size_t)anderson->particle_count; i++) {
        double result = x[i] - correction[i], change = gradient[i] - anderson->gradient[i];
        if (differ) {
            df[i] = anderson->correction[i] - correction[i];
            dg[i] = result - anderson->result[i];
        }
        anderson->correction[i] = correction[i];
        anderson->result[i] = result;
        anderson->gradient[i] = differ ? change : gradient[i];
    }
    if (!differ)
        return;
    // A df is the change of -grad g, so products in the norm of A cost no more than plain ones.
    double products[TIDE_ANDERSON_MAX_WINDOW];
    multiply(anderson, anderson->gradient, products);
    for (uint32_t age = 0; age < anderson->count; age++) {
        uint32_t slot = slot_of(anderson, age);
        anderson->products[slot * TIDE_ANDERSON_MAX_WINDOW + anderson->newest] = -products[age];
        anderson->products[anderson->newest * TIDE_ANDERSON_MAX_WINDOW + slot] = -products[age];
    }
    memcpy(anderson->gradient, gradient, 3 * (size_t)anderson->particle_count * sizeof *gradient);
}

// Solves the least-squares problem by the normal equations, in place, from the newest difference to the oldest.
// Differences that depend on newer ones get 0. `rhs` (count) is ordered by age.
static void solve_products(const tide_anderson *anderson, double *rhs)
{
    enum { MAX = TIDE_ANDERSON_MAX_WINDOW };
    double factor[MAX][MAX];
    uint32_t count = anderson->count;
    for (uint32_t i = 0; i < count; i++) {
        const double *row = anderson->products + (size_t)slot_of(anderson, i) * MAX;
        double square = row[slot_of(anderson, i)], left = square;
        for (uint32_t j = 0; j < i; j++) {
            double sum = row[slot_of(anderson, j)];
            for (uint32_t k = 0; k < j; k++)
                sum -= factor[i][k] * factor[j][k];
            factor[i][j] = factor[j][j] > 0 ? sum / factor[j][j] : 0;
            left -= factor[i][j] * factor[i][j];
        }
        factor[i][i] = left > DEPENDENT * square ? sqrt(left) : 0;
        for (uint32_t j = 0; j < i; j++)
            rhs[i] -= factor[i][j] * rhs[j];
        rhs[i] = factor[i][i] > 0 ? rhs[i] / factor[i][i] : 0;
    }
    for (uint32_t i = count; i-- > 0;) {
        for (uint32_t j = i + 1; j < count; j++)
            rhs[i] -= factor[j][i] * rhs[j];
        rhs[i] = factor[i][i] > 0 ? rhs[i] / factor[i][i] : 0;
    }
}

void tide_anderson_propose(tide_anderson *anderson, const double *x, const double *gradient, const double *correction,
                           double *next)
{
    keep(anderson, x, gradient, correction, anderson->started);
    anderson->started = true;
    const double *vectors[TIDE_ANDERSON_MAX_WINDOW + 1] = { anderson->result };
    double weights[TIDE_ANDERSON_MAX_WINDOW], factors[TIDE_ANDERSON_MAX_WINDOW + 1] = { 1 };
    multiply(anderson, gradient, weights);
    for (uint32_t age = 0; age < anderson->count; age++)
        weights[age] = -weights[age];
    solve_products(anderson, weights);
    for (uint32_t age = 0; age < anderson->count; age++) {
        vectors[age + 1] = difference(anderson, anderson->results, slot_of(anderson, age));
        factors[age + 1] = -weights[age];
    }
    tide_long_vectors_combine(vectors, factors, anderson->count + 1, 3 * (size_t)anderson->particle_count, next);
}
