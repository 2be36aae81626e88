#include "linear/sparse_product.h"

#include "linear/coarsening.h"

#include <stdio.h>

// Makes the rows of A^T, which are the columns of A. Returns false when there is no memory.
static bool rows_of_transpose(const tide_sparse *a, tide_rows *rows)
{
    if (a->symmetric)
        return tide_rows_from_symmetric(a, rows);
    size_t entries = a->columns ? (size_t)a->column_start[a->columns] : 0;
    if (!tide_rows_make(rows, a->columns, a->rows, entries))
        return false;
    for (uint32_t column = 0; column < a->columns; column++)
        rows->start[column + 1] = (size_t)a->column_start[column + 1];
    for (size_t k = 0; k < entries; k++) {
        rows->column[k] = (uint32_t)a->row[k];
        rows->value[k] = a->value[k];
    }
    return true;
}

static void add_transposed(tide_triplets *triplets, const tide_rows *rows)
{
    for (uint32_t row = 0; row < rows->count; row++)
        for (size_t k = rows->start[row]; k < rows->start[row + 1]; k++)
            tide_triplets_add(triplets, rows->column[k], row, rows->value[k]);
}

tide_status tide_sparse_product(const tide_sparse *a, const tide_sparse *b, tide_sparse *product, tide_error *error)
{
    char sizes[96];
    snprintf(sizes, sizeof sizes, "%u x %u times %u x %u", a->rows, a->columns, b->rows, b->columns);
    if (a->columns != b->rows)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "product of matrices", "sizes", sizes,
                         "expected as many columns of the first as rows of the second");
    // (A B)^T = B^T A^T
    tide_rows left = { 0 }, right = { 0 }, transposed = { 0 };
    tide_triplets triplets = { 0 };
    bool made =
        rows_of_transpose(b, &left) && rows_of_transpose(a, &right) && tide_rows_multiply(&left, &right, &transposed);
    if (made)
        add_transposed(&triplets, &transposed);
    tide_rows_free(&left);
    tide_rows_free(&right);
    tide_rows_free(&transposed);
    tide_status status = made ? tide_sparse_from_triplets(&triplets, a->rows, b->columns, false, product, error)
                              : tide_fail_memory(error, "product of matrices");
    tide_triplets_free(&triplets);
    return status;
}
