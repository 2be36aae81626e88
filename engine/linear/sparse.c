#include "linear/sparse.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

void tide_triplets_add(tide_triplets *triplets, uint32_t row, uint32_t column, double value)
{
    if (triplets->failed ||
        !tide_grow(&triplets->items, &triplets->capacity, triplets->count + 1, sizeof *triplets->items)) {
        triplets->failed = true;
        return;
    }
    triplets->items[triplets->count++] = (tide_triplet) { row, column, value };
}

void tide_triplets_free(tide_triplets *triplets)
{
    tide_free(triplets->items);
    *triplets = (tide_triplets) { 0 };
}

// Turns counts of keys 0 ... count - 1 at starts[1] ... starts[count] into the start of each key; starts[count] is the
// total.
static void sum_counts(uint32_t *starts, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        starts[i + 1] += starts[i];
}

static bool kept(const tide_triplet *triplet, bool symmetric)
{
    return !symmetric || triplet->row >= triplet->column;
}

typedef struct sorting {
    void *memory;                       // owns the arrays
    uint32_t *row_start, *column_start; // (rows + 1), (columns + 1)
    uint32_t *by_row, *order;           // (triplets kept) triplet indices
} sorting;

// Orders the triplets by column, then row, then order of addition, by two stable counting sorts. Returns false when
// there is no memory.
static bool sort_triplets(const tide_triplets *triplets, uint32_t rows, uint32_t columns, bool symmetric, sorting *s)
{
    s->row_start = tide_own_zeroed(s->memory, (size_t)rows + 1, sizeof *s->row_start);
    s->column_start = tide_own_zeroed(s->memory, (size_t)columns + 1, sizeof *s->column_start);
    s->by_row = tide_own_array(s->memory, triplets->count, sizeof *s->by_row);
    s->order = tide_own_array(s->memory, triplets->count, sizeof *s->order);
    if (!tide_owns_all(s->memory))
        return false;
    for (size_t i = 0; i < triplets->count; i++)
        if (kept(&triplets->items[i], symmetric)) {
            s->row_start[triplets->items[i].row + 1]++;
            s->column_start[triplets->items[i].column + 1]++;
        }
    sum_counts(s->row_start, rows);
    sum_counts(s->column_start, columns);
    uint32_t total = s->row_start[rows];
    for (uint32_t i = 0; i < triplets->count; i++)
        if (kept(&triplets->items[i], symmetric))
            s->by_row[s->row_start[triplets->items[i].row]++] = i;
    for (uint32_t k = 0; k < total; k++)
        s->order[s->column_start[triplets->items[s->by_row[k]].column]++] = s->by_row[k];
    // Each start has moved to the start of the next key.
    memmove(s->column_start + 1, s->column_start, columns * sizeof *s->column_start);
    s->column_start[0] = 0;
    return true;
}

// Returns true if sorted triplet k is the first at its place.
static bool first_at_place(const tide_triplets *triplets, const sorting *s, uint32_t begin, uint32_t k)
{
    return k == begin || triplets->items[s->order[k]].row != triplets->items[s->order[k - 1]].row;
}

static bool allocate_matrix(tide_sparse *matrix, size_t nonzeros)
{
    matrix->column_start = tide_allocate_array((size_t)matrix->columns + 1, sizeof *matrix->column_start);
    matrix->row = tide_allocate_array(nonzeros, sizeof *matrix->row);
    matrix->value = tide_allocate_array(nonzeros, sizeof *matrix->value);
    return matrix->column_start && matrix->row && matrix->value;
}

// Builds the matrix from sorted triplets. Returns false when there is no memory.
static bool compress(const tide_triplets *triplets, const sorting *s, tide_sparse *matrix)
{
    size_t nonzeros = 0;
    for (uint32_t column = 0; column < matrix->columns; column++)
        for (uint32_t k = s->column_start[column]; k < s->column_start[column + 1]; k++)
            nonzeros += first_at_place(triplets, s, s->column_start[column], k);
    if (!allocate_matrix(matrix, nonzeros))
        return false;
    int32_t next = 0;
    for (uint32_t column = 0; column < matrix->columns; column++) {
        matrix->column_start[column] = next;
        for (uint32_t k = s->column_start[column]; k < s->column_start[column + 1]; k++) {
            const tide_triplet *triplet = &triplets->items[s->order[k]];
            if (first_at_place(triplets, s, s->column_start[column], k)) {
                matrix->row[next] = (int32_t)triplet->row;
                matrix->value[next++] = triplet->value;
            } else
                matrix->value[next - 1] += triplet->value;
        }
    }
    matrix->column_start[matrix->columns] = next;
    return true;
}

static tide_status check_triplets(const tide_triplets *triplets, uint32_t rows, uint32_t columns, bool symmetric,
                                  tide_error *error)
{
    char value[64];
    if (triplets->failed)
        return tide_fail_memory(error, "sparse matrix");
    snprintf(value, sizeof value, "%u x %u", rows, columns);
    if (rows > INT32_MAX - 1 || columns > INT32_MAX - 1)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "sparse matrix", "size", value, "expected less than 2^31 - 1");
    if (symmetric && rows != columns)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "sparse matrix", "size", value,
                         "expected as many rows as columns: a symmetric matrix is square");
    if (triplets->count > INT32_MAX)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "sparse matrix", "entries", NULL,
                         "expected less than 2^31; use a smaller mesh");
    for (size_t i = 0; i < triplets->count; i++) {
        const tide_triplet *triplet = &triplets->items[i];
        if (triplet->row >= rows || triplet->column >= columns) {
            snprintf(value, sizeof value, "(%u, %u)", triplet->row, triplet->column);
            return tide_fail(error, TIDE_ERROR_ARGUMENT, "sparse matrix", "place", value,
                             "expected a row below %u and a column below %u, counted from 0", rows, columns);
        }
    }
    return TIDE_OK;
}

tide_status tide_sparse_from_triplets(const tide_triplets *triplets, uint32_t rows, uint32_t columns, bool symmetric,
                                      tide_sparse *matrix, tide_error *error)
{
    TIDE_TRY(check_triplets(triplets, rows, columns, symmetric, error));
    TIDE_SCOPED void *memory = tide_allocate(0);
    sorting s = { .memory = memory };
    tide_sparse made = { .rows = rows, .columns = columns, .symmetric = symmetric };
    bool built = sort_triplets(triplets, rows, columns, symmetric, &s) && compress(triplets, &s, &made);
    if (!built) {
        tide_sparse_free(&made);
        return tide_fail_memory(error, "sparse matrix");
    }
    tide_sparse_find_blocks(&made);
    tide_sparse_free(matrix);
    *matrix = made;
    return TIDE_OK;
}

void tide_sparse_free(tide_sparse *matrix)
{
    tide_free(matrix->column_start);
    tide_free(matrix->row);
    tide_free(matrix->value);
    *matrix = (tide_sparse) { 0 };
}

// Returns true if the three columns from `column` on hold 3 x 3 blocks; the diagonal block stores its lower triangle.
static bool is_block_column(const tide_sparse *matrix, uint32_t column)
{
    const int32_t *start = matrix->column_start + column, *row = matrix->row;
    size_t count = (size_t)(start[1] - start[0]);
    if (count == 0 || count % 3 || row[start[0]] != (int32_t)column || (size_t)(start[2] - start[1]) != count - 1 ||
        (size_t)(start[3] - start[2]) != count - 2)
        return false;
    for (const int32_t *r = row + start[0]; r < row + start[1]; r += 3)
        if (r[0] % 3 || r[1] != r[0] + 1 || r[2] != r[0] + 2)
            return false;
    return memcmp(row + start[0] + 1, row + start[1], (count - 1) * sizeof *row) == 0 &&
           memcmp(row + start[0] + 2, row + start[2], (count - 2) * sizeof *row) == 0;
}

void tide_sparse_find_blocks(tide_sparse *matrix)
{
    matrix->block = 1;
    if (!matrix->symmetric || matrix->columns % 3)
        return;
    for (uint32_t column = 0; column < matrix->columns; column += 3)
        if (!is_block_column(matrix, column))
            return;
    matrix->block = 3;
}

static size_t nonzeros_of(const tide_sparse *matrix)
{
    return matrix->column_start ? (size_t)matrix->column_start[matrix->columns] : 0;
}

uint64_t tide_sparse_pattern_hash(const tide_sparse *matrix)
{
    uint32_t shape[3] = { matrix->rows, matrix->columns, matrix->symmetric };
    uint64_t hash = tide_hash_bytes(TIDE_HASH_START, shape, sizeof shape);
    if (matrix->columns)
        hash = tide_hash_bytes(hash, matrix->column_start + 1, matrix->columns * sizeof *matrix->column_start);
    return tide_hash_bytes(hash, matrix->row, nonzeros_of(matrix) * sizeof *matrix->row);
}

uint64_t tide_sparse_value_hash(const tide_sparse *matrix)
{
    return tide_hash_bytes(TIDE_HASH_START, matrix->value, nonzeros_of(matrix) * sizeof *matrix->value);
}

int32_t tide_sparse_find(const tide_sparse *matrix, uint32_t row, uint32_t column)
{
    int32_t low = matrix->column_start[column], high = matrix->column_start[column + 1];
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (matrix->row[middle] < (int32_t)row)
            low = middle + 1;
        else
            high = middle;
    }
    return low < matrix->column_start[column + 1] && matrix->row[low] == (int32_t)row ? low : -1;
}

double tide_sparse_get(const tide_sparse *matrix, uint32_t row, uint32_t column)
{
    if (row >= matrix->rows || column >= matrix->columns)
        return 0;
    bool above = matrix->symmetric && row < column;
    int32_t at = tide_sparse_find(matrix, above ? column : row, above ? row : column);
    return at < 0 ? 0 : matrix->value[at];
}

// Adds to y the product with one column of 3 x 3 blocks of a symmetric matrix, stored as three columns.
static void multiply_block_column(const tide_sparse *matrix, uint32_t column, const double *restrict x,
                                  double *restrict y)
{
    const int32_t *start = matrix->column_start + column;
    const double *restrict a = matrix->value + start[0], *restrict b = matrix->value + start[1] - 1,
                           *restrict c = matrix->value + start[2] - 2; // a[k], b[k] and c[k] are in the same row
    double x0 = x[column], x1 = x[column + 1], x2 = x[column + 2];
    double y0 = a[0] * x0 + a[1] * x1 + a[2] * x2, y1 = a[1] * x0 + b[1] * x1 + b[2] * x2,
           y2 = a[2] * x0 + b[2] * x1 + c[2] * x2;
    for (int32_t k = 3; k < start[1] - start[0]; k += 3) {
        int32_t row = matrix->row[start[0] + k];
        const double *down = x + row;
        double *out = y + row;
        y0 += a[k] * down[0] + a[k + 1] * down[1] + a[k + 2] * down[2];
        y1 += b[k] * down[0] + b[k + 1] * down[1] + b[k + 2] * down[2];
        y2 += c[k] * down[0] + c[k + 1] * down[1] + c[k + 2] * down[2];
        out[0] += a[k] * x0 + b[k] * x1 + c[k] * x2;
        out[1] += a[k + 1] * x0 + b[k + 1] * x1 + c[k + 1] * x2;
        out[2] += a[k + 2] * x0 + b[k + 2] * x1 + c[k + 2] * x2;
    }
    y[column] += y0;
    y[column + 1] += y1;
    y[column + 2] += y2;
}

// Inlined for the most frequent widths, so that its inner loops unroll.
static inline void multiply_columns(const tide_sparse *matrix, uint32_t width, const double *restrict x,
                                    double *restrict y)
{
    bool mirror = matrix->symmetric;
    for (uint32_t column = 0; column < matrix->columns; column++) {
        const double *across = x + (size_t)width * column;
        for (int32_t k = matrix->column_start[column]; k < matrix->column_start[column + 1]; k++) {
            uint32_t row = (uint32_t)matrix->row[k];
            double value = matrix->value[k];
            double *out = y + (size_t)width * row;
            for (uint32_t i = 0; i < width; i++)
                out[i] += value * across[i];
            if (mirror && row != column)
                for (uint32_t i = 0; i < width; i++)
                    y[(size_t)width * column + i] += value * x[(size_t)width * row + i];
        }
    }
}

void tide_sparse_multiply(const tide_sparse *matrix, uint32_t width, const double *x, double *y)
{
    if (width && matrix->rows)
        memset(y, 0, (size_t)width * matrix->rows * sizeof *y);
    if (width == 1 && matrix->block == 3)
        for (uint32_t column = 0; column < matrix->columns; column += 3)
            multiply_block_column(matrix, column, x, y);
    else if (width == 1)
        multiply_columns(matrix, 1, x, y);
    else if (width == 3)
        multiply_columns(matrix, 3, x, y);
    else
        multiply_columns(matrix, width, x, y);
}
