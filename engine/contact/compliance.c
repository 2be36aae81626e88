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
enum { FEW = 64, LANES = TIDE_COMPLIANCE_LANES };
enum { ALONE = 16, GRAIN = 4 }; // blocks of W that one thread multiplies; of a piece of more
enum { MOVED = 4096 };          // particles that one task moves

// --- kernels --------------------------------------------------------------------------------------------------------

struct tide_compliance_kernel {
    void (*multiply)(const tide_compliance *k, const tide_compliance_part *part, uint32_t begin, uint32_t end);
    void (*gather)(const float *from, const uint32_t *indices, uint32_t count, float *to, size_t step);
};

// Multiplies blocks of W by the forces, in vectors of so many bits: compilers turn a longer vector than the processor
// has into moves of single numbers. Each number of a product is one sum, in ascending order, so that vectors of all
// widths give the same. Four vectors of rows at a time (two of 512 bits), whose sums do not wait for one another.
#define MULTIPLY(bits, most)                                                                                           \
    typedef float vector_##bits __attribute__((vector_size(bits / 8), may_alias));                                     \
    static inline __attribute__((always_inline)) void multiply_rows_##bits(                                            \
        const tide_compliance *k, const tide_compliance_part *part, uint32_t first, uint32_t many)                     \
    {                                                                                                                  \
        enum { WIDE = bits / 32 };                                                                                     \
        vector_##bits sums[most][3] = { 0 };                                                                           \
        const float *rows[most], *forces[3];                                                                           \
        for (int a = 0; a < 3; a++)                                                                                    \
            forces[a] = k->forces[a] + part->first_row;                                                                \
        for (uint32_t i = 0; i < many; i++) {                                                                          \
            uint32_t row = first + WIDE * i - part->first_row;                                                         \
            rows[i] = k->matrix + part->matrix + (size_t)(row / LANES) * LANES * part->count + row % LANES;            \
        }                                                                                                              \
        for (size_t j = 0; j < part->count; j++)                                                                       \
            for (uint32_t i = 0; i < many; i++)                                                                        \
                for (int a = 0; a < 3; a++)                                                                            \
                    sums[i][a] += *(const vector_##bits *)(rows[i] + LANES * j) * forces[a][j];                        \
        for (uint32_t i = 0; i < many; i++)                                                                            \
            for (int a = 0; a < 3; a++)                                                                                \
                *(vector_##bits *)(k->moves[a] + first + WIDE * i) = sums[i][a];                                       \
    }                                                                                                                  \
    static inline __attribute__((always_inline)) void multiply_part_##bits(                                            \
        const tide_compliance *k, const tide_compliance_part *part, uint32_t begin, uint32_t end)                      \
    {                                                                                                                  \
        enum { AT_ONCE = bits / 32 * most };                                                                           \
        uint32_t row = LANES * begin, last = LANES * end;                                                              \
        for (; row + AT_ONCE <= last; row += AT_ONCE)                                                                  \
            multiply_rows_##bits(k, part, row, most);                                                                  \
        for (; row < last; row += LANES)                                                                               \
            multiply_rows_##bits(k, part, row, 512 / bits);                                                            \
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
    target static void multiply_##bits(const tide_compliance *k, const tide_compliance_part *part, uint32_t begin,     \
                                       uint32_t end)                                                                   \
    {                                                                                                                  \
        multiply_part_##bits(k, part, begin, end);                                                                     \
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

// Multiplies some blocks, part by part.
static void multiply_blocks(void *context, uint32_t begin, uint32_t end)
{
    const tide_compliance *k = context;
    while (begin < end) {
        uint32_t part = k->part_of_block[begin], last = begin + 1;
        while (last < end && k->part_of_block[last] == part)
            last++;
        k->kernel->multiply(k, &k->parts[part], begin, last);
        begin = last;
    }
}

static void multiply_all(tide_compliance *k)
{
    tide_parallel_for(k->block_count, k->block_count <= ALONE ? k->block_count + 1 : GRAIN, multiply_blocks, k);
}

// --- life -----------------------------------------------------------------------------------------------------------

tide_compliance *tide_compliance_create(uint32_t particle_count)
{
    tide_compliance *k = tide_allocate_zeroed(1, sizeof *k);
    if (!k)
        return NULL;
    k->particle_count = particle_count;
    k->most = particle_count < TIDE_COMPLIANCE_MOST ? particle_count : TIDE_COMPLIANCE_MOST;
    size_t most = k->most;
    k->column_of = tide_own_array(k, particle_count, sizeof *k->column_of);
    k->slots = tide_own_array(k, particle_count, sizeof *k->slots);
    k->chunks = tide_own_zeroed(k, most / TIDE_COMPLIANCE_CHUNK + 1, sizeof *k->chunks);
    k->particle_of = tide_own_array(k, most, sizeof *k->particle_of);
    k->panel_of = tide_own_array(k, most, sizeof *k->panel_of);
    k->place_of = tide_own_array(k, most, sizeof *k->place_of);
    k->incoming = tide_own_array(k, most, sizeof *k->incoming);
    k->missing = tide_own_array(k, most, sizeof *k->missing);
    k->rows = tide_own_array(k, most, sizeof *k->rows);
    k->columns = tide_own_array(k, most, sizeof *k->columns);
    k->touched = tide_own_array(k, most, sizeof *k->touched);
    k->row_of = tide_own_array(k, most, sizeof *k->row_of);
    k->advanced = tide_own_array(k, most, 3 * sizeof *k->advanced);
    if (!tide_owns_all(k)) {
        tide_free(k);
        return NULL;
    }
    for (uint32_t p = 0; p < particle_count; p++)
        k->column_of[p] = k->slots[p] = TIDE_NOT_TOUCHED;
    k->kernel = choose();
    return k;
}

// --- parts ----------------------------------------------------------------------------------------------------------

// Makes room for `rows` rows of W, of which nothing is kept.
static bool has_rows(tide_compliance *k, size_t rows)
{
    if (rows <= k->row_capacity)
        return true;
    rows += rows / 2;
    tide_free(k->order);
    tide_free(k->part_of_block);
    k->order = tide_own_array(k, rows, sizeof *k->order);
    k->part_of_block = tide_own_array(k, rows / LANES + 1, sizeof *k->part_of_block);
    bool any = k->order && k->part_of_block;
    for (int a = 0; a < 3; a++) {
        tide_free(k->forces[a]);
        tide_free(k->moves[a]);
        k->forces[a] = tide_own_array(k, rows, sizeof **k->forces);
        k->moves[a] = tide_own_array(k, rows, sizeof **k->moves);
        any = any && k->forces[a] && k->moves[a];
    }
    k->row_capacity = any ? rows : 0;
    return any;
}

// Finds the part of each panel: the tree that it is in. Panels come before those above them.
static bool find_parts(tide_compliance *k, const tide_inverse_root *root)
{
    uint32_t panels = root->panels->panel_count, before = k->part_count;
    for (uint32_t i = 0; i < k->part_count; i++) {
        tide_free(k->parts[i].products);
        k->parts[i] = (tide_compliance_part) { 0 };
    }
    k->part_count = 0;
    if (!tide_grow_owned(k, &k->part_of, &k->panel_capacity, panels, sizeof *k->part_of))
        return false;
    for (uint32_t i = panels; i-- > 0;)
        k->part_of[i] = root->above[i] == TIDE_ROOT_END ? k->part_count++ : k->part_of[root->above[i]];
    if (!tide_grow_owned(k, &k->parts, &k->part_capacity, k->part_count, sizeof *k->parts)) {
        k->part_count = 0;
        return false;
    }
    for (uint32_t i = before; i < k->part_count; i++)
        k->parts[i] = (tide_compliance_part) { 0 };
    return true;
}

// The part of a column; NULL: pinned.
static tide_compliance_part *part_of_column(const tide_compliance *k, uint32_t column)
{
    return k->panel_of[column] == TIDE_ROOT_END ? NULL : &k->parts[k->part_of[k->panel_of[column]]];
}

// --- what is kept ---------------------------------------------------------------------------------------------------

static float *column_at(const tide_compliance *k, uint32_t column)
{
    return k->chunks[column / TIDE_COMPLIANCE_CHUNK] + (size_t)(column % TIDE_COMPLIANCE_CHUNK) * k->stride;
}

static float *products_of(const tide_compliance_part *part, uint32_t place)
{
    return part->products + (size_t)place * (part->capacity + 1);
}

// All is of another matrix: nothing is kept but room. Returns false when there is no memory.
static bool begin_anew(tide_compliance *k, const tide_inverse_root *root)
{
    for (uint32_t r = 0; r < k->column_count; r++)
        k->column_of[k->particle_of[r]] = TIDE_NOT_TOUCHED;
    k->column_count = 0;
    if (root->most > k->stride) {
        for (uint32_t i = 0; i <= k->most / TIDE_COMPLIANCE_CHUNK; i++) {
            tide_free(k->chunks[i]);
            k->chunks[i] = NULL;
        }
        k->stride = (root->most + LANES - 1) / LANES * LANES;
    }
    k->limit = (uint32_t)fmin((double)(TIDE_COMPLIANCE_BYTES / (k->stride * sizeof(float))), k->most);
    k->area = fmax(FEW * FEW, worth * (double)root->panels->value_count);
    return find_parts(k, root);
}

// Keeps those of the set alone.
static void make_room(tide_compliance *k, const uint64_t *set)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < k->part_count; i++)
        k->parts[i].column_count = 0;
    // Moves columns and the rows of products. Places ascend within a part, so nothing is overwritten before it moves.
    for (uint32_t r = 0; r < k->column_count; r++) {
        uint32_t p = k->particle_of[r];
        k->column_of[p] = TIDE_NOT_TOUCHED;
        if (!tide_bit_has(set, p))
            continue;
        tide_compliance_part *part = part_of_column(k, r);
        if (kept != r)
            memcpy(column_at(k, kept), column_at(k, r), k->stride * sizeof(float));
        k->column_of[p] = kept;
        k->particle_of[kept] = p;
        k->panel_of[kept] = k->panel_of[r];
        k->missing[kept][0] = k->place_of[r]; // until products have moved
        if (part)
            memmove(products_of(part, part->column_count), products_of(part, k->place_of[r]),
                    (part->capacity + 1) * sizeof(float));
        k->place_of[kept++] = part ? part->column_count++ : 0;
    }
    k->column_count = kept;
    for (uint32_t r = 0; r < kept; r++) { // within rows
        tide_compliance_part *part = part_of_column(k, r);
        for (uint32_t i = 0; part && i < part->column_count; i++)
            products_of(part, i)[k->place_of[r]] = products_of(part, i)[k->missing[r][0]];
    }
}

static bool has_columns(tide_compliance *k, uint32_t columns)
{
    for (uint32_t i = 0; i * TIDE_COMPLIANCE_CHUNK < columns; i++) {
        if (!k->chunks[i])
            k->chunks[i] = tide_own_array(k, (size_t)TIDE_COMPLIANCE_CHUNK * k->stride, sizeof **k->chunks);
        if (!k->chunks[i])
            return false;
    }
    return true;
}

// Makes room for one more column among the products of a part.
static bool has_products(tide_compliance *k, tide_compliance_part *part)
{
    if (part->column_count < part->capacity)
        return true;
    uint32_t capacity = part->capacity ? 2 * part->capacity : LANES;
    float *products = tide_own_array(k, capacity, (capacity + (size_t)1) * sizeof *products);
    if (!products)
        return false;
    for (size_t i = 0; i < capacity; i++)
        products[i * (capacity + 1) + capacity] = 0;
    for (size_t i = 0; i < part->column_count; i++)
        memcpy(products + i * (capacity + 1), products_of(part, (uint32_t)i), part->column_count * sizeof *products);
    tide_free(part->products);
    part->products = products;
    part->capacity = capacity;
    return true;
}

// Four columns of a part, in `order`, whose products with those of the part before them are to be made.
typedef struct products_job {
    tide_compliance *compliance;
    const tide_inverse_root *root;
} products_job;

// Of those listed, four columns from `first` on; where there are fewer, the last again.
static void list_four(const tide_compliance *k, uint32_t first, uint32_t end, uint32_t places[4],
                      const float *columns[4], uint32_t panels[4])
{
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t column = k->order[first + i < end ? first + i : end - 1];
        places[i] = k->place_of[column];
        columns[i] = column_at(k, column);
        panels[i] = k->panel_of[column];
    }
}

// Whether all products of these places, of which the second are no later ones, were made before.
static bool are_known(const tide_compliance_part *part, const uint32_t places[4], const uint32_t others[4])
{
    float sum = 0;
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t j = 0; j < 4; j++)
            sum += products_of(part, places[i])[others[j] < places[i] ? others[j] : places[i]];
    return !isnan(sum);
}

// Makes the products of four columns, listed from `r` on, with those listed before them from `first` on, and
// themselves.
static void multiply_four(const products_job *job, const tide_compliance_part *part, uint32_t first, uint32_t r,
                          uint32_t end)
{
    const tide_compliance *k = job->compliance;
    uint32_t last = r + 4 < end ? r + 4 : end, places[4], others[4], panels[4], other_panels[4];
    const float *columns[4], *other_columns[4];
    list_four(k, r, last, places, columns, panels);
    for (uint32_t c = first; c < last; c += 4) {
        float products[4][4];
        list_four(k, c, last, others, other_columns, other_panels);
        if (are_known(part, places, others))
            continue;
        tide_inverse_root_products(job->root, columns, panels, other_columns, other_panels, products);
        for (uint32_t i = 0; i < 4; i++)
            for (uint32_t j = 0; j < 4; j++)
                products_of(part, places[i])[others[j]] = products_of(part, others[j])[places[i]] = products[i][j];
    }
}

static void make_products(void *context, uint32_t begin, uint32_t end)
{
    const products_job *job = context;
    const tide_compliance *k = job->compliance;
    for (uint32_t r = 4 * begin; r < 4 * end; r += 4) {
        const tide_compliance_part *part = &k->parts[k->part_of_block[r / LANES]];
        if (r < part->first_row + part->count)
            multiply_four(job, part, part->first_row, r, part->first_row + part->count);
    }
}

// Makes the products of all columns of C, listed by part in the order in which they were made, in which columns that
// are near in the tree are together.
static void multiply_columns(tide_compliance *k, const tide_inverse_root *root)
{
    products_job job = { k, root };
    for (uint32_t i = 0; i < k->part_count; i++)
        k->parts[i].tally = 0;
    for (uint32_t r = 0; r < k->column_count; r++) {
        tide_compliance_part *part = part_of_column(k, r);
        if (part && k->slots[k->particle_of[r]] != TIDE_NOT_TOUCHED)
            k->order[part->first_row + part->tally++] = r;
    }
    tide_parallel_for(k->block_count * (LANES / 4), GRAIN, make_products, &job);
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

// Returns the number of products that all columns have when those missing are made.
static double area_with(tide_compliance *k, uint32_t missing)
{
    double area = 0;
    for (uint32_t i = 0; i < k->part_count; i++)
        k->parts[i].tally = k->parts[i].column_count;
    for (uint32_t i = 0; i < missing; i++)
        if (k->missing[i][0] != TIDE_ROOT_END)
            k->parts[k->part_of[k->missing[i][0]]].tally++;
    for (uint32_t i = 0; i < k->part_count; i++)
        area += (double)k->parts[i].tally * k->parts[i].tally;
    return area;
}

static bool make_columns(tide_compliance *k, const tide_compliance_operator *inverse, tide_inverse_root *root,
                         const uint64_t *set)
{
    uint32_t missing = find_missing(k, inverse, root), free_count = 0;
    if (missing == 0)
        return true;
    if (k->column_count + missing > k->limit || area_with(k, missing) > k->area) {
        make_room(k, set);
        find_missing(k, inverse, root); // make_room used the list
    }
    uint32_t first = k->column_count;
    if (!has_columns(k, first + missing))
        return false;
    for (uint32_t i = 0; i < missing; i++) {
        uint32_t panel = k->missing[i][0], p = k->missing[i][1];
        k->particle_of[first + i] = p;
        k->panel_of[first + i] = panel;
        if (panel == TIDE_ROOT_END)
            continue;
        k->rows[free_count] = inverse->row(inverse, p);
        k->columns[free_count++] = column_at(k, first + i);
    }
    if (!tide_inverse_root_columns(root, k->rows, free_count, k->columns))
        return false;
    for (uint32_t r = first; r < first + missing; r++) {
        tide_compliance_part *part = part_of_column(k, r);
        if (part && !has_products(k, part))
            return false;
        k->column_of[k->particle_of[r]] = r;
        k->place_of[r] = part ? part->column_count++ : 0;
        for (uint32_t c = 0; part && c <= k->place_of[r]; c++)
            products_of(part, k->place_of[r])[c] = NAN;
        k->column_count = r + 1;
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

// Lists the set. Returns false where it is too large: solves are then faster.
static bool list_set(tide_compliance *k, const tide_compliance_operator *inverse, const tide_inverse_root *root,
                     const uint64_t *set)
{
    double area = 0;
    k->incoming_count = 0;
    for (uint32_t i = 0; i < k->part_count; i++)
        k->parts[i].tally = 0;
    for (size_t w = 0; w < tide_bit_words(k->particle_count); w++)
        for (uint64_t rest = set[w]; rest;) {
            uint32_t p = tide_bit_take(&rest, w), row = inverse->row(inverse, p);
            if (k->incoming_count == k->limit)
                return false;
            k->incoming[k->incoming_count++] = p;
            if (row == TIDE_PINNED)
                continue;
            tide_compliance_part *part = &k->parts[k->part_of[tide_inverse_root_panel(root, row)]];
            area += 2.0 * part->tally++ + 1;
            if (area > k->area)
                return false;
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

// Lays out the rows of what is listed. Returns false when there is no memory.
static bool lay_out(tide_compliance *k)
{
    size_t rows = 0, numbers = 0;
    for (uint32_t i = 0; i < k->part_count; i++)
        k->parts[i].count = 0;
    for (uint32_t i = 0; i < k->incoming_count; i++) {
        tide_compliance_part *part = part_of_column(k, k->column_of[k->incoming[i]]);
        if (part)
            part->count++;
    }
    for (uint32_t i = 0; i < k->part_count; i++)
        rows += (k->parts[i].count + LANES - 1) / LANES * LANES;
    if (!has_rows(k, rows + k->incoming_count)) // those that are pinned come last
        return false;
    k->block_count = 0;
    for (uint32_t i = 0; i < k->part_count; i++) {
        tide_compliance_part *part = &k->parts[i];
        part->first_row = LANES * k->block_count;
        part->matrix = numbers;
        for (uint32_t b = 0; b < part->count; b += LANES)
            k->part_of_block[k->block_count++] = i;
        numbers += (size_t)(LANES * k->block_count - part->first_row) * part->count;
    }
    return tide_grow_owned(k, &k->matrix, &k->matrix_capacity, numbers, sizeof *k->matrix);
}

// Gives each particle of C its row, and lists the places of its column among those of its part.
static void place_rows(tide_compliance *k)
{
    uint32_t last = LANES * k->block_count;
    for (uint32_t i = 0; i < k->part_count; i++)
        k->parts[i].tally = 0;
    for (uint32_t i = 0; i < k->count; i++) {
        uint32_t column = k->column_of[k->touched[i]];
        tide_compliance_part *part = part_of_column(k, column);
        k->row_of[i] = part ? part->first_row + part->tally++ : last++;
        if (part)
            k->order[k->row_of[i]] = k->place_of[column];
    }
    for (uint32_t b = 0; b < k->block_count; b++) {
        const tide_compliance_part *part = &k->parts[k->part_of_block[b]];
        for (uint32_t row = LANES * b; row < LANES * (b + 1); row++)
            if (row >= part->first_row + part->count)
                k->order[row] = part->capacity; // of a 0
    }
    for (int a = 0; a < 3 && last > 0; a++) {
        memset(k->forces[a], 0, last * sizeof **k->forces);
        memset(k->moves[a], 0, last * sizeof **k->moves);
    }
}

static void fill_columns(void *context, uint32_t begin, uint32_t end)
{
    const tide_compliance *k = context;
    for (uint32_t b = begin; b < end; b++) {
        const tide_compliance_part *part = &k->parts[k->part_of_block[b]];
        const uint32_t *order = k->order + part->first_row;
        uint32_t first = LANES * b - part->first_row;
        for (uint32_t j = first; j < first + LANES && j < part->count; j++)
            k->kernel->gather(products_of(part, order[j]), order, part->count,
                              k->matrix + part->matrix + (size_t)j * LANES, (size_t)LANES * part->count);
    }
}

bool tide_compliance_take(tide_compliance *k, const tide_compliance_operator *inverse, const uint64_t *set, bool stays)
{
    bool renewed = k->serial != inverse->serial;
    tide_inverse_root *root = inverse->root(inverse);
    bool fits = root && (!renewed || begin_anew(k, root)) && list_set(k, inverse, root, set);
    bool changed = fits && (renewed || !is_listed(k));
    if (renewed)
        k->serial = 0; // until all is of it
    if (!fits || (changed && !(make_columns(k, inverse, root, set) && lay_out(k)))) {
        if (!stays)
            leave_slots(k);
        return false;
    }
    k->serial = inverse->serial;
    if (!stays)
        leave_slots(k);
    join_listed(k);
    if (changed) {
        multiply_columns(k, root);
        place_rows(k);
        tide_parallel_for(k->block_count, GRAIN, fill_columns, k);
    }
    return true;
}

void tide_compliance_sum(tide_compliance *k, const double *weights, double *sums)
{
    for (uint32_t j = 0; j < k->count; j++) {
        k->forces[0][k->row_of[j]] = (float)weights[3 * (size_t)k->touched[j]];
        k->forces[1][k->row_of[j]] = k->forces[2][k->row_of[j]] = 0;
    }
    multiply_all(k);
    for (uint32_t i = 0; i < k->count; i++)
        sums[3 * (size_t)k->touched[i]] = (double)k->moves[0][k->row_of[i]];
}

typedef struct move_job {
    tide_compliance *compliance;
    const double *force;
    double *x, *also;
} move_job;

static void take_forces(void *context, uint32_t begin, uint32_t end)
{
    const move_job *job = context;
    const tide_compliance *k = job->compliance;
    for (uint32_t i = begin; i < end; i++)
        for (size_t a = 0, n = 3 * (size_t)k->touched[i]; a < 3; a++)
            k->forces[a][k->row_of[i]] = (float)job->force[n + a];
}

static double make_moves(void *context, uint32_t begin, uint32_t end)
{
    const move_job *job = context;
    const tide_compliance *k = job->compliance;
    double most = 0;
    for (uint32_t i = begin; i < end; i++)
        for (size_t a = 0, n = 3 * (size_t)k->touched[i]; a < 3; a++) {
            double *advanced = &k->advanced[3 * (size_t)i + a], to = (double)k->moves[a][k->row_of[i]],
                   by = to - *advanced;
            *advanced = to;
            job->x[n + a] += by;
            if (job->also)
                job->also[n + a] += by;
            most = fabs(by) > most ? fabs(by) : most;
        }
    return most;
}

double tide_compliance_move(tide_compliance *k, const double *force, double *x, double *also)
{
    move_job job = { k, force, x, also };
    tide_parallel_for(k->count, MOVED, take_forces, &job);
    multiply_all(k);
    return tide_parallel_most(k->count, MOVED, make_moves, &job);
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
