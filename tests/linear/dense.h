// Dense linear algebra for tests, written plainly: what sparse results are compared with. Matrices are row-major.
#ifndef TIDE_TESTS_DENSE_H
#define TIDE_TESTS_DENSE_H

#include "base/random.h"
#include "linear/sparse.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline double test_uniform(tide_random *random, double low, double high)
{
    return low + (high - low) * tide_random_uniform(random);
}

// Gaussian elimination with partial pivoting: solves A x = b, destroying `a`; x replaces b. False when A is singular.
static inline bool dense_solve(size_t n, double *a, double *b)
{
    for (size_t k = 0; k < n; k++) {
        size_t pivot = k;
        for (size_t i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[pivot * n + k]))
                pivot = i;
        if (a[pivot * n + k] == 0)
            return false;
        for (size_t j = 0; j < n; j++) {
            double swap = a[k * n + j];
            a[k * n + j] = a[pivot * n + j];
            a[pivot * n + j] = swap;
        }
        double swap = b[k];
        b[k] = b[pivot];
        b[pivot] = swap;
        for (size_t i = k + 1; i < n; i++) {
            double factor = a[i * n + k] / a[k * n + k];
            for (size_t j = k; j < n; j++)
                a[i * n + j] -= factor * a[k * n + j];
            b[i] -= factor * b[k];
        }
    }
    for (size_t k = n; k-- > 0;) {
        for (size_t j = k + 1; j < n; j++)
            b[k] -= a[k * n + j] * b[j];
        b[k] /= a[k * n + k];
    }
    return true;
}

// Cholesky of the lower triangle in place, then A x = b; x replaces b. False when A is not positive definite.
static inline bool dense_cholesky_solve(size_t n, double *a, double *b)
{
    for (size_t j = 0; j < n; j++) {
        for (size_t k = 0; k < j; k++)
            for (size_t i = j; i < n; i++)
                a[i * n + j] -= a[i * n + k] * a[j * n + k];
        if (!(a[j * n + j] > 0))
            return false;
        double root = sqrt(a[j * n + j]);
        for (size_t i = j; i < n; i++)
            a[i * n + j] /= root;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++)
            b[i] -= a[i * n + j] * b[j];
        b[i] /= a[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t j = i + 1; j < n; j++)
            b[i] -= a[j * n + i] * b[j];
        b[i] /= a[i * n + i];
    }
    return true;
}

// Jacobi rotations: `a` (symmetric) becomes diagonal; column j of `vectors` is the eigenvector of a[j * n + j].
static inline void dense_eigen(size_t n, double *a, double *vectors)
{
    memset(vectors, 0, n * n * sizeof *vectors);
    for (size_t i = 0; i < n; i++)
        vectors[i * n + i] = 1;
    for (int sweep = 0; sweep < 60; sweep++)
        for (size_t p = 0; p < n; p++)
            for (size_t q = p + 1; q < n; q++) {
                if (a[p * n + q] == 0)
                    continue;
                double angle = 0.5 * atan2(2 * a[p * n + q], a[q * n + q] - a[p * n + p]);
                double c = cos(angle), s = sin(angle);
                for (size_t k = 0; k < n; k++) {
                    double x = a[k * n + p], y = a[k * n + q];
                    a[k * n + p] = c * x - s * y;
                    a[k * n + q] = s * x + c * y;
                }
                for (size_t k = 0; k < n; k++) {
                    double x = a[p * n + k], y = a[q * n + k];
                    a[p * n + k] = c * x - s * y;
                    a[q * n + k] = s * x + c * y;
                }
                for (size_t k = 0; k < n; k++) {
                    double x = vectors[k * n + p], y = vectors[k * n + q];
                    vectors[k * n + p] = c * x - s * y;
                    vectors[k * n + q] = s * x + c * y;
                }
            }
}

// Computes the largest eigenvalue of `a` (symmetric, destroyed) by Jacobi rotations until off-diagonal entries are
// rounding errors.
static inline double dense_largest_eigenvalue(size_t n, double *a)
{
    for (double off = INFINITY, all = 0; off > 1e-26 * all;) {
        off = all = 0;
        for (size_t p = 0; p < n; p++)
            for (size_t q = 0; q < n; q++) {
                all += a[p * n + q] * a[p * n + q];
                off += p == q ? 0 : a[p * n + q] * a[p * n + q];
            }
        for (size_t p = 0; p < n; p++)
            for (size_t q = p + 1; q < n; q++) {
                if (fabs(a[p * n + q]) <= 1e-17 * (fabs(a[p * n + p]) + fabs(a[q * n + q])))
                    continue;
                double angle = 0.5 * atan2(2 * a[p * n + q], a[q * n + q] - a[p * n + p]);
                double c = cos(angle), s = sin(angle);
                for (size_t k = 0; k < n; k++) {
                    double x = a[p * n + k], y = a[q * n + k];
                    a[p * n + k] = c * x - s * y;
                    a[q * n + k] = s * x + c * y;
                }
                for (size_t k = 0; k < n; k++) {
                    double x = a[k * n + p], y = a[k * n + q];
                    a[k * n + p] = c * x - s * y;
                    a[k * n + q] = s * x + c * y;
                }
            }
    }
    double largest = -INFINITY;
    for (size_t p = 0; p < n; p++)
        largest = fmax(largest, a[p * n + p]);
    return largest;
}

// All of a sparse matrix, both triangles of a symmetric one.
static inline void dense_from_sparse(const tide_sparse *matrix, double *dense)
{
    memset(dense, 0, (size_t)matrix->rows * matrix->columns * sizeof *dense);
    for (uint32_t column = 0; column < matrix->columns; column++)
        for (int32_t k = matrix->column_start[column]; k < matrix->column_start[column + 1]; k++) {
            dense[(size_t)matrix->row[k] * matrix->columns + column] = matrix->value[k];
            if (matrix->symmetric)
                dense[(size_t)column * matrix->columns + (size_t)matrix->row[k]] = matrix->value[k];
        }
}

#endif
