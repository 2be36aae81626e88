#include "contact/compliance.h"

#include "base/bit_set.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/processor.h"
#include "factor/inverse_root.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// With more than `worth` entries of W for each entry of the factor, solves are faster than computing and multiplying W.
// For up to FEW particles W is computed in any case.
static const double worth = 2;
enum { FEW = 64, LANES = TIDE_COMPLIANCE_LANES, ROW = TIDE_COMPLIANCE_ROW };
enum { ALONE = 16, GRAIN = 4 }; // blocks of W that one thread multiplies; of a piece of more

// --- kernels --------------------------------------------------------------------------------------------------------

struct tide_compliance_kernel {
    void (*multiply)(tide_compliance *k, uint32_t begin, uint32_t end);
    void (*gather)(const float *from, const uint32_t *indices, uint32_t count, float *to, size_t step);
};

// Multiplies blocks of W by the forces, in vectors of so many bits: compilers turn a longer vector than the processor
// has into moves of single numbers. Each number of a product is one sum, in ascending order, so that vectors of all
// widths give the same. Four vectors of rows at a time (two of 512 bits), whose sums do not wait for one another.
#define MULTIPLY(bits, most)                                                                                           \
    typedef float vector_##bits __attribute__((vector_size(bits / 8), may_alias));                                     \
    static inline __attribute__((always_inline)) void multiply_some_##bits(const tide_compliance *k, uint32_t first,   \
                                                                           uint32_t many)                              \
    {                                                                                                                  \
        enum { WIDE = bits / 32 };                                                                                     \
        vector_##bits sums[most][3] = { 0 };                                                                           \
        const float *rows[most];                                                                                       \
        for (uint32_t i = 0; i < many; i++) {                                                                          \
            uint32_t row = first + WIDE * i;                                                                           \
            rows[i] = k->matrix + (size_t)(row / LANES) * LANES * k->count + row % LANES;                              \
        }                                                                                                              \
        for (size_t j = 0; j < k->count; j++)                                                                          \
            for (uint32_t i = 0; i < many; i++)                                                                        \
                for (int a = 0; a < 3; a++)                                                                            \
                    sums[i][a] += *(const vector_##bits *)(rows[i] + LANES * j) * k->forces[a][j];                     \
        for (uint32_t i = 0; i < many; i++)                                                                            \
            for (int a = 0; a < 3; a++)                                                                                \
                *(vector_##bits *)(k->moves[a] + first + WIDE * i) = sums[i][a];                                       \
    }                                                                                                                  \
    static inline                                                                                                      \
        __attribute__((always_inline)) void multiply_in_##bits(tide_compliance *k, uint32_t begin, uint32_t end)       \
    {                                                                                                                  \
        enum { AT_ONCE = bits / 32 * most };                                                                           \
        uint32_t row = LANES * begin, last = LANES * end;                                                              \
        for (; row + AT_ONCE <= last; row += AT_ONCE)                                                                  \
            multiply_some_##bits(k, row, most);                                                                        \
        for (; row < last; row += LANES)                                                                               \
            multiply_some_##bits(k, row, 512 / bits);                                                                  \
    }

// Each `step` numbers of `to`: LANES of those that the indices are of.
static inline __attribute__((always_inline)) void gather(const float *from, const uint32_t *indices, uint32_t count,
                                                         float *to, size_t step)
{
    for (uint32_t i = 0; i < count; i += LANES, to += step)
        for (uint32_t l = 0; l < LANES; l++)
            to[l] = from[indices[i + l]];
}

#define KERNEL(bits, target)                                                                                           \
    target static void multiply_##bits(tide_compliance *k, uint32_t begin, uint32_t end)                               \
    {                                                                                                                  \
        multiply_in_##bits(k, begin, end);                                                                             \
    }                                                                                                                  \
    target static void gather_##bits(const float *from, const uint32_t *indices, uint32_t count, float *to,            \
                                     size_t step)                                                                      \
    {                                                                                                                  \
        gather(from, indices, count, to, step);                                                                        \
    }                                                                                                                  \
    static const struct tide_compliance_kernel kernel_##bits = { multiply_##bits, gather_##bits };

MULTIPLY(128, 4)
KERNEL(128, )
#if defined(__x86_64__)
MULTIPLY(256, 4)
MULTIPLY(512, 2)
KERNEL(256, __attribute__((target("avx2"))))
KERNEL(512, __attribute__((target("avx512f"))))
#endif

static const struct tide_compliance_kernel *choose(void)
{
#if defined(__x86_64__)
    int bits = tide_vector_bits(0);
    return bits == 512 ? &kernel_512 : bits == 256 ? &kernel_256 : &kernel_128;
#else
    return &kernel_128;
#endif
}

static void multiply_blocks(void *context, uint32_t begin, uint32_t end)
{
    tide_compliance *k = context;
    k->kernel->multiply(k, begin, end);
}

static void multiply_all(tide_compliance *k)
{
    uint32_t blocks = (k->count + LANES - 1) / LANES;
    tide_parallel_for(blocks, blocks <= ALONE ? blocks + 1 : GRAIN, multiply_blocks, k);
}

// --- life -----------------------------------------------------------------------------------------------------------

tide_compliance *tide_compliance_create(uint32_t particle_count)
{
    tide_compliance *k = tide_allocate_zeroed(1, sizeof *k);
    if (!k)
        return NULL;
    k->particle_count = particle_count;
    k->column_of = tide_own_array(k, particle_count, sizeof *k->column_of);
    k->slots = tide_own_array(k, particle_count, sizeof *k->slots);
    if (!tide_owns_all(k)) {
        tide_free(k);
        return NULL;
    }
    for (uint32_t p = 0; p < particle_count; p++)
        k->column_of[p] = k->slots[p] = TIDE_NOT_TOUCHED;
    k->most = TIDE_COMPLIANCE_MOST;
    k->kernel = choose();
    return k;
}

// --- what is kept ---------------------------------------------------------------------------------------------------

static float *column_at(const tide_compliance *k, uint32_t column)
{
    return k->chunks[column / TIDE_COMPLIANCE_CHUNK].columns + (size_t)(column % TIDE_COMPLIANCE_CHUNK) * k->stride;
}

static float *products_at(const tide_compliance *k, uint32_t column)
{
    return k->chunks[column / TIDE_COMPLIANCE_CHUNK].products + (size_t)(column % TIDE_COMPLIANCE_CHUNK) * ROW;
}

// All is of another matrix: nothing is kept but room.
static void begin_anew(tide_compliance *k, const tide_inverse_root *root)
{
    for (uint32_t r = 0; r < k->column_count; r++)
        k->column_of[k->particle_of[r]] = TIDE_NOT_TOUCHED;
    k->column_count = 0;
    if (root->most > k->stride) {
        for (size_t i = 0; i < sizeof k->chunks / sizeof k->chunks[0]; i++) {
            tide_free(k->chunks[i].columns);
            tide_free(k->chunks[i].products);
            k->chunks[i] = (tide_compliance_chunk) { 0 };
        }
        k->stride = (root->most + LANES - 1) / LANES * LANES;
    }
    double fit = (double)(TIDE_COMPLIANCE_BYTES / ((k->stride + ROW) * sizeof(float)));
    double fast = fmax(FEW, sqrt(worth * (double)root->panels->value_count));
    k->limit = (uint32_t)fmin(fmin(fit, fast), k->most);
}

// Keeps those of the set alone.
static void make_room(tide_compliance *k, const uint64_t *set)
{
    uint32_t kept = 0, *from = k->order;
    for (uint32_t r = 0; r < k->column_count; r++) {
        uint32_t p = k->particle_of[r];
        k->column_of[p] = TIDE_NOT_TOUCHED;
        if (!tide_bit_has(set, p))
            continue;
        if (kept != r)
            memcpy(column_at(k, kept), column_at(k, r), k->stride * sizeof(float));
        k->column_of[p] = kept;
        k->particle_of[kept] = p;
        k->panel_of[kept] = k->panel_of[r];
        from[kept++] = r;
    }
    for (uint32_t r = 0; r < kept; r++) {
        const float *products = products_at(k, from[r]);
        float *to = products_at(k, r);
        for (uint32_t c = 0; c < kept; c++)
            to[c] = products[from[c]];
    }
    k->column_count = kept;
}

static bool has_room(tide_compliance *k, uint32_t columns)
{
    for (uint32_t i = 0; i * TIDE_COMPLIANCE_CHUNK < columns; i++) {
        tide_compliance_chunk *chunk = &k->chunks[i];
        if (!chunk->columns)
            chunk->columns = tide_own_array(k, (size_t)TIDE_COMPLIANCE_CHUNK * k->stride, sizeof *chunk->columns);
        if (!chunk->products)
            chunk->products = tide_own_zeroed(k, (size_t)TIDE_COMPLIANCE_CHUNK * ROW, sizeof *chunk->products);
        if (!chunk->columns || !chunk->products)
            return false;
    }
    return true;
}

typedef struct products_job {
    tide_compliance *compliance;
    const tide_inverse_root *root;
    uint32_t count; // columns listed in `order`
} products_job;

// Of those listed, four columns from `first` on; where there are fewer, the last again.
static void list_four(const tide_compliance *k, uint32_t first, uint32_t end, uint32_t list[4], const float *columns[4],
                      uint32_t panels[4])
{
    for (uint32_t i = 0; i < 4; i++) {
        list[i] = k->order[first + i < end ? first + i : end - 1];
        columns[i] = column_at(k, list[i]);
        panels[i] = k->panel_of[list[i]];
    }
}

// Whether all products of these columns, of which the second are no later ones, were made before.
static bool are_known(const tide_compliance *k, const uint32_t columns[4], const uint32_t others[4])
{
    float sum = 0;
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t j = 0; j < 4; j++)
            sum += products_at(k, columns[i])[others[j] < columns[i] ? others[j] : columns[i]];
    return !isnan(sum);
}

// Of columns listed, four by four, with those before them, and themselves.
static void make_products(void *context, uint32_t begin, uint32_t end)
{
    const products_job *job = context;
    tide_compliance *k = job->compliance;
    for (uint32_t r = 4 * begin; r < job->count && r < 4 * end; r += 4) {
        uint32_t last = r + 4 < job->count ? r + 4 : job->count, rows[4], others[4], panels[4], other_panels[4];
        const float *columns[4], *other_columns[4];
        list_four(k, r, last, rows, columns, panels);
        for (uint32_t c = 0; c < last; c += 4) {
            float products[4][4];
            list_four(k, c, last, others, other_columns, other_panels);
            if (are_known(k, rows, others))
                continue;
            tide_inverse_root_products(job->root, columns, panels, other_columns, other_panels, products);
            for (uint32_t i = 0; i < 4; i++)
                for (uint32_t j = 0; j < 4; j++)
                    products_at(k, rows[i])[others[j]] = products_at(k, others[j])[rows[i]] = products[i][j];
        }
    }
}

// Of all listed, in the order in which their columns were made, which those that are near in the tree share.
static void multiply_columns(tide_compliance *k, const tide_inverse_root *root, const uint64_t *set)
{
    products_job job = { k, root, 0 };
    for (uint32_t r = 0; r < k->column_count; r++)
        if (tide_bit_has(set, k->particle_of[r]))
            k->order[job.count++] = r;
    tide_parallel_for((job.count + 3) / 4, GRAIN, make_products, &job);
}

static int compare_panels(const void *a, const void *b)
{
    const uint32_t *one = a, *other = b; // panel, particle
    return one[0] != other[0] ? (one[0] > other[0] ? 1 : -1) : one[1] > other[1] ? 1 : one[1] < other[1] ? -1 : 0;
}

// Finds the particles listed that have no column; how many.
static uint32_t find_missing(tide_compliance *k, const tide_compliance_operator *inverse, const tide_inverse_root *root)
{
    uint32_t missing = 0;
    for (uint32_t i = 0; i < k->incoming_count; i++) {
        uint32_t p = k->incoming[i], row = inverse->row(inverse, p);
        if (k->column_of[p] != TIDE_NOT_TOUCHED)
            continue;
        k->missing[missing][0] = row == TIDE_PINNED ? TIDE_ROOT_END : tide_inverse_root_panel(root, row);
        k->missing[missing++][1] = p;
    }
    qsort(k->missing, missing, sizeof *k->missing, compare_panels);
    return missing;
}

static bool make_columns(tide_compliance *k, const tide_compliance_operator *inverse, tide_inverse_root *root,
                         const uint64_t *set)
{
    uint32_t missing = find_missing(k, inverse, root), free_count = 0;
    if (missing == 0)
        return true;
    if (k->column_count + missing > k->limit)
        make_room(k, set);
    uint32_t first = k->column_count;
    if (!has_room(k, first + missing))
        return false;
    for (uint32_t i = 0; i < missing; i++) {
        uint32_t panel = k->missing[i][0], p = k->missing[i][1];
        k->particle_of[first + i] = p;
        k->panel_of[first + i] = panel;
        if (panel == TIDE_ROOT_END)
            continue;
        k->order[free_count] = inverse->row(inverse, p);
        k->columns[free_count++] = column_at(k, first + i);
    }
    if (!tide_inverse_root_columns(root, k->order, free_count, k->columns))
        return false;
    for (uint32_t r = first; r < first + missing; r++) {
        k->column_of[k->particle_of[r]] = r;
        for (uint32_t c = 0; c <= r; c++)
            products_at(k, r)[c] = NAN;
    }
    k->column_count = first + missing;
    return true;
}

// --- W --------------------------------------------------------------------------------------------------------------

static void leave_slots(tide_compliance *k)
{
    for (uint32_t i = 0; i < k->count; i++)
        k->slots[k->touched[i]] = TIDE_NOT_TOUCHED;
    k->count = 0;
}

// The set, if all of it may be in C.
static bool list_set(tide_compliance *k, const uint64_t *set)
{
    k->incoming_count = 0;
    for (size_t w = 0; w < tide_bit_words(k->particle_count); w++)
        for (uint64_t rest = set[w]; rest;) {
            if (k->incoming_count == k->limit)
                return false;
            k->incoming[k->incoming_count++] = tide_bit_take(&rest, w);
        }
    return true;
}

static bool is_listed(const tide_compliance *k)
{
    return k->count == k->incoming_count && memcmp(k->touched, k->incoming, k->count * sizeof *k->touched) == 0;
}

// C becomes what is listed, which has all of it in it; moves stay.
static void join_listed(tide_compliance *k)
{
    uint32_t from = k->count;
    for (uint32_t i = k->incoming_count; i-- > 0;) {
        uint32_t p = k->incoming[i];
        bool moved = from > 0 && k->touched[from - 1] == p;
        from -= moved;
        for (uint32_t a = 0; a < 3; a++)
            k->advanced[3 * i + a] = moved ? k->advanced[3 * from + a] : 0;
        k->slots[p] = i;
    }
    memcpy(k->touched, k->incoming, k->incoming_count * sizeof *k->touched);
    k->count = k->incoming_count;
}

static bool has_matrix(tide_compliance *k, uint32_t count)
{
    size_t rows = (count + LANES - 1) / LANES * LANES;
    return tide_grow_owned(k, &k->matrix, &k->matrix_capacity, rows * count, sizeof *k->matrix);
}

static void fill_columns(void *context, uint32_t begin, uint32_t end)
{
    tide_compliance *k = context;
    for (uint32_t j = begin; j < end; j++)
        k->kernel->gather(products_at(k, k->order[j]), k->order, k->count, k->matrix + (size_t)j * LANES,
                          (size_t)LANES * k->count);
}

static void fill_matrix(tide_compliance *k)
{
    for (uint32_t i = 0; i < ROW && (i < k->count || i % LANES > 0); i++) // beyond the last: one of the zeros
        k->order[i] = i < k->count ? k->column_of[k->touched[i]] : TIDE_COMPLIANCE_MOST;
    tide_parallel_for(k->count, GRAIN * LANES, fill_columns, k);
}

bool tide_compliance_take(tide_compliance *k, const tide_compliance_operator *inverse, const uint64_t *set, bool stays)
{
    bool renewed = k->serial != inverse->serial;
    tide_inverse_root *root = inverse->root(inverse);
    if (root && renewed)
        begin_anew(k, root);
    bool fits = root && list_set(k, set), changed = fits && (renewed || !is_listed(k));
    if (!fits || (changed && !(make_columns(k, inverse, root, set) && has_matrix(k, k->incoming_count)))) {
        if (!stays)
            leave_slots(k);
        return false;
    }
    k->serial = inverse->serial;
    if (!stays)
        leave_slots(k);
    join_listed(k);
    if (changed) {
        multiply_columns(k, root, set);
        fill_matrix(k);
    }
    return true;
}

void tide_compliance_sum(tide_compliance *k, const double *weights, double *sums)
{
    for (uint32_t j = 0; j < k->count; j++) {
        k->forces[0][j] = (float)weights[3 * (size_t)k->touched[j]];
        k->forces[1][j] = k->forces[2][j] = 0;
    }
    multiply_all(k);
    for (uint32_t i = 0; i < k->count; i++)
        sums[3 * (size_t)k->touched[i]] = (double)k->moves[0][i];
}

double tide_compliance_move(tide_compliance *k, const double *force, double *x, double *also)
{
    double most = 0;
    for (uint32_t j = 0; j < k->count; j++)
        for (size_t a = 0, n = 3 * (size_t)k->touched[j]; a < 3; a++)
            k->forces[a][j] = (float)force[n + a];
    multiply_all(k);
    for (uint32_t i = 0; i < k->count; i++)
        for (size_t a = 0, n = 3 * (size_t)k->touched[i]; a < 3; a++) {
            double *advanced = &k->advanced[3 * (size_t)i + a], by = (double)k->moves[a][i] - *advanced;
            *advanced = (double)k->moves[a][i];
            x[n + a] += by;
            if (also)
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
            if (also)
                also[n + a] -= *advanced;
            *advanced = 0;
        }
}
