#include "contact/compliance.h"

#include "base/memory.h"
#include "base/processor.h"
#include "contact/bit_set.h"

#include <math.h>
#include <string.h>

// Numbers of W a particle, beyond which solves are quicker than making and multiplying it; and how few particles W is
// always had for.
enum { WORTH = 8, FEW = 64 };

// --- the product ----------------------------------------------------------------------------------------------------

typedef float lanes __attribute__((vector_size(4 * TIDE_COMPLIANCE_LANES), may_alias));

// Each number of a product is one sum, in ascending order, so that vectors of all widths give the same.
static inline __attribute__((always_inline)) void multiply(const tide_compliance *k,
                                                           float moves[3][TIDE_COMPLIANCE_MOST])
{
    const lanes *column = (const lanes *)k->matrix;
    for (uint32_t block = 0; block * TIDE_COMPLIANCE_LANES < k->count; block++) {
        lanes x = { 0 }, y = { 0 }, z = { 0 };
        for (uint32_t j = 0; j < k->count; j++) {
            lanes w = *column++;
            x += w * k->forces[0][j];
            y += w * k->forces[1][j];
            z += w * k->forces[2][j];
        }
        ((lanes *)moves[0])[block] = x;
        ((lanes *)moves[1])[block] = y;
        ((lanes *)moves[2])[block] = z;
    }
}

static void multiply_128(const tide_compliance *k, float moves[3][TIDE_COMPLIANCE_MOST])
{
    multiply(k, moves);
}
#if defined(__x86_64__)
__attribute__((target("avx2"))) static void multiply_256(const tide_compliance *k, float moves[3][TIDE_COMPLIANCE_MOST])
{
    multiply(k, moves);
}
__attribute__((target("avx512f"))) static void multiply_512(const tide_compliance *k,
                                                            float moves[3][TIDE_COMPLIANCE_MOST])
{
    multiply(k, moves);
}
#endif

static void choose_multiply(tide_compliance *k)
{
    k->multiply = multiply_128;
#if defined(__x86_64__)
    int bits = tide_vector_bits(0);
    k->multiply = bits == 512 ? multiply_512 : bits == 256 ? multiply_256 : multiply_128;
#endif
}

// --- life -----------------------------------------------------------------------------------------------------------

tide_compliance *tide_compliance_create(uint32_t particle_count)
{
    tide_compliance *k = tide_allocate_zeroed(1, sizeof *k);
    if (!k)
        return NULL;
    k->particle_count = particle_count;
    k->column_of = tide_allocate_array(particle_count, sizeof *k->column_of);
    k->slots = tide_allocate_array(particle_count, sizeof *k->slots);
    k->force = tide_allocate_zeroed(particle_count, 3 * sizeof *k->force);
    k->moved = tide_allocate_array(particle_count, 3 * sizeof *k->moved);
    if (!k->column_of || !k->slots || !k->force || !k->moved) {
        tide_compliance_destroy(k);
        return NULL;
    }
    for (uint32_t p = 0; p < particle_count; p++)
        k->column_of[p] = k->slots[p] = TIDE_NOT_TOUCHED;
    size_t fit = TIDE_COMPLIANCE_BYTES / (particle_count * sizeof **k->chunks + 1);
    k->limit = (uint32_t)fmin(fmin((double)fit, TIDE_COMPLIANCE_MOST), fmax(FEW, sqrt((double)WORTH * particle_count)));
    choose_multiply(k);
    return k;
}

void tide_compliance_destroy(tide_compliance *k)
{
    if (!k)
        return;
    for (size_t i = 0; i < sizeof k->chunks / sizeof k->chunks[0]; i++)
        tide_free(k->chunks[i]);
    tide_free(k->column_of);
    tide_free(k->slots);
    tide_free(k->force);
    tide_free(k->moved);
    tide_free(k->matrix);
    tide_free(k);
}

// --- columns of A^-1 -----------------------------------------------------------------------------------------------

static float *column_at(const tide_compliance *k, uint32_t column)
{
    return k->chunks[column / TIDE_COMPLIANCE_CHUNK] + (size_t)(column % TIDE_COMPLIANCE_CHUNK) * k->particle_count;
}

static void forget_columns(tide_compliance *k)
{
    for (uint32_t r = 0; r < k->column_count; r++)
        k->column_of[k->particle_of[r]] = TIDE_NOT_TOUCHED;
    k->column_count = 0;
}

// Keeps those of C alone.
static void make_room(tide_compliance *k)
{
    uint32_t kept = 0;
    for (uint32_t r = 0; r < k->column_count; r++) {
        uint32_t p = k->particle_of[r];
        k->column_of[p] = TIDE_NOT_TOUCHED;
        if (k->slots[p] == TIDE_NOT_TOUCHED)
            continue;
        if (kept != r)
            memcpy(column_at(k, kept), column_at(k, r), k->particle_count * sizeof **k->chunks);
        k->column_of[p] = kept;
        k->particle_of[kept++] = p;
    }
    k->column_count = kept;
}

static bool has_room(tide_compliance *k, uint32_t columns)
{
    size_t floats = (size_t)TIDE_COMPLIANCE_CHUNK * k->particle_count;
    for (uint32_t chunk = 0; chunk * TIDE_COMPLIANCE_CHUNK < columns; chunk++) {
        if (!k->chunks[chunk])
            k->chunks[chunk] = tide_allocate_array(floats, sizeof **k->chunks);
        if (!k->chunks[chunk])
            return false;
    }
    return true;
}

// Those of up to three particles, by one solve.
static bool solve_columns(tide_compliance *k, const tide_yield *yield, const uint32_t *particles, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        k->force[3 * (size_t)particles[i] + i] = 1;
    bool solved = yield->solve(yield, k->force, k->moved);
    for (uint32_t i = 0; i < count; i++)
        k->force[3 * (size_t)particles[i] + i] = 0;
    for (uint32_t i = 0; i < count && solved; i++) {
        float *column = column_at(k, k->column_count);
        for (uint32_t p = 0; p < k->particle_count; p++)
            column[p] = (float)k->moved[3 * (size_t)p + i];
        k->column_of[particles[i]] = k->column_count;
        k->particle_of[k->column_count++] = particles[i];
    }
    return solved;
}

static bool make_columns(tide_compliance *k, const tide_yield *yield)
{
    uint32_t missing = 0, waiting[3], wait = 0;
    for (uint32_t i = 0; i < k->count; i++)
        missing += k->column_of[k->touched[i]] == TIDE_NOT_TOUCHED;
    if (missing > 0 && k->column_count + missing > k->limit)
        make_room(k);
    if (missing > 0 && !has_room(k, k->column_count + missing))
        return false;
    for (uint32_t i = 0; i < k->count && missing > 0; i++) {
        if (k->column_of[k->touched[i]] != TIDE_NOT_TOUCHED)
            continue;
        waiting[wait++] = k->touched[i];
        missing--;
        if (wait < 3 && missing > 0)
            continue;
        if (!solve_columns(k, yield, waiting, wait))
            return false;
        wait = 0;
    }
    return true;
}

// --- W --------------------------------------------------------------------------------------------------------------

static void leave_slots(tide_compliance *k)
{
    for (uint32_t i = 0; i < k->count; i++)
        k->slots[k->touched[i]] = TIDE_NOT_TOUCHED;
    k->count = 0;
}

// C becomes the set, if all may be in it; *changed: it is another than before.
static bool take_set(tide_compliance *k, const uint64_t *set, bool *changed)
{
    uint32_t before = k->count;
    leave_slots(k);
    *changed = false;
    for (size_t w = 0; w < tide_bit_words(k->particle_count); w++)
        for (uint64_t rest = set[w]; rest;) {
            uint32_t p = tide_bit_take(&rest, w);
            if (k->count == k->limit)
                return false;
            *changed |= k->count >= before || k->touched[k->count] != p;
            k->touched[k->count] = p;
            k->slots[p] = k->count++;
        }
    *changed |= k->count != before;
    return true;
}

static bool fill_matrix(tide_compliance *k)
{
    uint32_t blocks = (k->count + TIDE_COMPLIANCE_LANES - 1) / TIDE_COMPLIANCE_LANES;
    if (!tide_grow(&k->matrix, &k->matrix_capacity, (size_t)blocks * TIDE_COMPLIANCE_LANES * k->count,
                   sizeof *k->matrix))
        return false;
    for (uint32_t j = 0; j < k->count; j++) {
        const float *column = column_at(k, k->column_of[k->touched[j]]);
        float *to = k->matrix + (size_t)j * TIDE_COMPLIANCE_LANES;
        for (uint32_t i = 0; i < blocks * TIDE_COMPLIANCE_LANES; i++) {
            size_t at = (size_t)(i / TIDE_COMPLIANCE_LANES) * k->count * TIDE_COMPLIANCE_LANES;
            to[at + i % TIDE_COMPLIANCE_LANES] = i < k->count ? column[k->touched[i]] : 0;
        }
    }
    return true;
}

bool tide_compliance_take(tide_compliance *k, const tide_yield *yield, const uint64_t *set)
{
    bool changed, renewed = k->serial != yield->serial;
    bool fits = take_set(k, set, &changed);
    if (renewed)
        forget_columns(k);
    k->serial = yield->serial;
    memset(k->advanced, 0, 3 * (size_t)k->count * sizeof *k->advanced);
    if (fits && (!(changed || renewed) || (make_columns(k, yield) && fill_matrix(k))))
        return true;
    leave_slots(k);
    return false;
}

void tide_compliance_sum(tide_compliance *k, const double *weights, double *sums)
{
    for (uint32_t j = 0; j < k->count; j++) {
        k->forces[0][j] = (float)weights[3 * (size_t)k->touched[j]];
        k->forces[1][j] = k->forces[2][j] = 0;
    }
    k->multiply(k, k->moves);
    for (uint32_t i = 0; i < k->count; i++)
        sums[3 * (size_t)k->touched[i]] = (double)k->moves[0][i];
}

double tide_compliance_move(tide_compliance *k, const double *force, double *x, double *also)
{
    double most = 0;
    for (uint32_t j = 0; j < k->count; j++)
        for (size_t a = 0, n = 3 * (size_t)k->touched[j]; a < 3; a++)
            k->forces[a][j] = (float)force[n + a];
    k->multiply(k, k->moves);
    for (uint32_t i = 0; i < k->count; i++)
        for (size_t a = 0, n = 3 * (size_t)k->touched[i]; a < 3; a++) {
            double *advanced = &k->advanced[3 * (size_t)i + a], by = (double)k->moves[a][i] - *advanced;
            *advanced = (double)k->moves[a][i];
            x[n + a] += by;
            also[n + a] += by;
            most = fabs(by) > most ? fabs(by) : most;
        }
    return most;
}

void tide_compliance_take_back(tide_compliance *k, double *x, double *also)
{
    for (uint32_t i = 0; i < k->count; i++)
        for (size_t a = 0, n = 3 * (size_t)k->touched[i]; a < 3; a++) {
            double *advanced = &k->advanced[3 * (size_t)i + a];
            x[n + a] -= *advanced;
            also[n + a] -= *advanced;
            *advanced = 0;
        }
}
