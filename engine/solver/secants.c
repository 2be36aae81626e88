#include "solver/secants.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "linear/long_vectors.h"

#include <math.h>
#include <string.h>

#define CURVATURE 1e-10     // a pair with s'y below this fraction of |s| |y| is not kept
enum { GRAIN = 64 * 1024 }; // numbers in a chunk of a parallel loop

_Static_assert(2 * TIDE_SECANTS_MAX + 1 <= TIDE_LONG_VECTORS_MAX, "all moves and changes and a solution at once");

tide_status tide_secants_prepare(tide_secants *s, uint32_t capacity, uint32_t particle_count, tide_error *error)
{
    size_t numbers = 3 * (size_t)particle_count;
    if (!tide_renew_owner(&s->memory, s->capacity == capacity && s->numbers == numbers))
        return TIDE_OK;
    *s = (tide_secants) { .memory = s->memory };
    s->moves = tide_own_zeroed(s->memory, numbers, capacity * sizeof *s->moves);
    s->changes = tide_own_zeroed(s->memory, numbers, capacity * sizeof *s->changes);
    s->pairs = tide_own_zeroed(s->memory, capacity, sizeof *s->pairs);
    if (!tide_owns_all(s->memory))
        return tide_fail_memory(error, "solver");
    s->numbers = numbers;
    s->capacity = capacity;
    return TIDE_OK;
}

void tide_secants_free(tide_secants *s)
{
    tide_free(s->memory);
    *s = (tide_secants) { 0 };
}

void tide_secants_forget(tide_secants *s)
{
    s->count = s->next = 0;
    s->current = false;
}

void tide_secants_renew(tide_secants *s)
{
    s->current = false;
}

// Returns the slot of the nth pair, from the oldest on; for n = count, that of the next pair.
static uint32_t slot_of(const tide_secants *s, uint32_t n)
{
    return (s->next + s->capacity - s->count + n) % s->capacity;
}

static tide_secant *pair_of(const tide_secants *s, uint32_t n)
{
    return &s->pairs[slot_of(s, n)];
}

// Computes s'g and z'g of the first `count` pairs, pair by pair.
static void multiply(const tide_secants *s, uint32_t count, const double *g, double *products)
{
    const double *vectors[2 * TIDE_SECANTS_MAX];
    for (uint32_t n = 0; n < count; n++) {
        vectors[2 * n] = s->moves + s->numbers * slot_of(s, n);
        vectors[2 * n + 1] = s->changes + s->numbers * slot_of(s, n);
    }
    tide_long_vectors_multiply(vectors, 2 * count, g, s->numbers, products);
}

static void keep_products(tide_secants *s, uint32_t count, const double *products)
{
    for (uint32_t n = 0; n < count; n++) {
        pair_of(s, n)->along = products[2 * n];
        pair_of(s, n)->across = products[2 * n + 1];
    }
    s->current = true;
}

typedef struct difference {
    double length;
    const double *direction, *gradient, *solution, *before;
    double *y, *move, *change;
} difference;

static void differ(void *context, uint32_t begin, uint32_t end)
{
    const difference *d = context;
    for (size_t i = begin; i < end; i++) {
        d->move[i] = d->length * d->direction[i];
        d->change[i] = d->solution[i] - d->before[i];
        d->y[i] = d->gradient[i] - d->y[i];
    }
}

void tide_secants_add(tide_secants *s, double length, const double *direction, const double *gradient, double *y,
                      const double *solution, const double *before)
{
    uint32_t slot = s->next;
    s->count -= s->count == s->capacity; // the slot belonged to the oldest pair
    double *move = s->moves + s->numbers * slot, *change = s->changes + s->numbers * slot;
    difference d = { length, direction, gradient, solution, before, y, move, change };
    tide_parallel_for((uint32_t)s->numbers, GRAIN, differ, &d);
    const double *of_y[] = { move, change, y }, *of_move[] = { move };
    double with_y[3], square, products[2 * TIDE_SECANTS_MAX];
    tide_long_vectors_multiply(of_y, 3, y, s->numbers, with_y);
    tide_long_vectors_multiply(of_move, 1, move, s->numbers, &square);
    bool convex = with_y[0] > CURVATURE * sqrt(square) * sqrt(with_y[2]);
    multiply(s, s->count + convex, gradient, products);
    if (convex) {
        for (uint32_t n = 0; n < s->count; n++) {
            tide_secant *pair = pair_of(s, n);
            pair->curvatures[slot] = products[2 * n] - pair->along;
            pair->squares[slot] = products[2 * n + 1] - pair->across;
        }
        s->pairs[slot].curvatures[slot] = with_y[0];
        s->pairs[slot].squares[slot] = with_y[1];
        s->next = (slot + 1) % s->capacity;
        s->count++;
    }
    keep_products(s, s->count, products);
}

// Computes p and u of the pairs, from the oldest on.
static void find_factors(const tide_secants *s, double *p, double *u)
{
    uint32_t count = s->count;
    for (uint32_t i = count; i-- > 0;) {
        const tide_secant *pair = pair_of(s, i);
        u[i] = pair->along;
        for (uint32_t j = i + 1; j < count; j++)
            u[i] -= pair->curvatures[slot_of(s, j)] * u[j];
        u[i] /= pair->curvatures[slot_of(s, i)];
    }
    for (uint32_t i = 0; i < count; i++) {
        const tide_secant *pair = pair_of(s, i);
        double curvature = pair->curvatures[slot_of(s, i)];
        p[i] = curvature * u[i] - pair->across;
        for (uint32_t j = 0; j < count; j++) // Y'Z is symmetric, so the product with the newer one's y is used
            p[i] += u[j] * (j < i ? pair_of(s, j)->squares[slot_of(s, i)] : pair->squares[slot_of(s, j)]);
        for (uint32_t j = 0; j < i; j++)
            p[i] -= pair_of(s, j)->curvatures[slot_of(s, i)] * p[j];
        p[i] /= curvature;
    }
}

void tide_secants_direct(tide_secants *s, const double *gradient, const double *solution, double *direction)
{
    double products[2 * TIDE_SECANTS_MAX], p[TIDE_SECANTS_MAX], u[TIDE_SECANTS_MAX];
    if (!s->current) {
        multiply(s, s->count, gradient, products);
        keep_products(s, s->count, products);
    }
    find_factors(s, p, u);
    const double *vectors[2 * TIDE_SECANTS_MAX + 1] = { solution };
    double factors[2 * TIDE_SECANTS_MAX + 1] = { -1 };
    for (uint32_t n = 0; n < s->count; n++) {
        vectors[2 * n + 1] = s->moves + s->numbers * slot_of(s, n);
        vectors[2 * n + 2] = s->changes + s->numbers * slot_of(s, n);
        factors[2 * n + 1] = -p[n];
        factors[2 * n + 2] = u[n];
    }
    tide_long_vectors_combine(vectors, factors, 2 * s->count + 1, s->numbers, direction);
}
