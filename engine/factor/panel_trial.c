#include "factor/panel_solve.h"

#include "base/random.h"

#include <math.h>

double tide_panel_solve_try_one(tide_panel_solve *solve, const tide_sparse *matrix, double *work)
{
    size_t rows = matrix->rows;
    double *b = work, *x = work + rows, *product = x + rows, side = 0, size = 0, left = 0;
    tide_random random = tide_random_seed(1);
    for (size_t i = 0; i < rows; i++)
        b[i] = sqrt(matrix->value[matrix->column_start[i]]) * ((double)tide_random_next(&random) / UINT32_MAX * 2 - 1);
    tide_panel_solve_run(solve, b, x);
    tide_sparse_multiply(matrix, 1, x, product);
    for (size_t i = 0; i < rows; i++) {
        double diagonal = matrix->value[matrix->column_start[i]], r = b[i] - product[i];
        side += b[i] * b[i] / diagonal;
        size += x[i] * x[i] * diagonal;
        left += r * r / diagonal;
    }
    return sqrt(left) / (sqrt(side) + sqrt(size));
}

// Makes a smooth right-hand side, a random one, and their sum.
static void make_trial(double *b, size_t rows)
{
    tide_random random = tide_random_seed(1);
    for (size_t i = 0; i < rows; i++) {
        double number = (double)tide_random_next(&random) / UINT32_MAX * 2 - 1;
        b[3 * i] = 1;
        b[3 * i + 1] = number;
        b[3 * i + 2] = 1 + number;
    }
}

// Returns the larger, or NAN.
static double worse(double a, double b)
{
    return isnan(a) || a > b ? a : b;
}

// A second solve computes e from r, and e' A e / x' A x = e' r / x' b.
void tide_panel_solve_try_three(tide_panel_solve *solve, const tide_sparse *matrix, double *work, double *error,
                                double *energy)
{
    size_t rows = matrix->rows, numbers = 3 * rows;
    double *x = work, *r = x + numbers, *e = r + numbers;
    double all[3] = { 0 }, wrong[3] = { 0 }, size[3] = { 0 }, left[3] = { 0 };
    make_trial(r, rows);
    tide_panel_solve_run(solve, r, x);
    tide_sparse_multiply(matrix, 3, x, e);
    for (size_t i = 0; i < numbers; i += 3)
        for (size_t k = 0; k < 3; k++) {
            all[k] += x[i + k] * r[i + k];
            r[i + k] -= e[i + k];
        }
    tide_panel_solve_run(solve, r, e);
    for (size_t i = 0; i < numbers; i += 3)
        for (size_t k = 0; k < 3; k++) {
            wrong[k] += e[i + k] * e[i + k];
            size[k] += x[i + k] * x[i + k];
            left[k] += e[i + k] * r[i + k];
        }
    *error = *energy = 0;
    for (size_t k = 0; k < 3; k++) {
        *error = worse(*error, sqrt(wrong[k] / size[k]));
        *energy = worse(*energy, sqrt(fabs(left[k] / all[k])));
    }
}
