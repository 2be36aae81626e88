#include "model/dense_element.h"

#include <math.h>
#include <string.h>

enum { SIDE = TIDE_ELEMENT_MAX_NUMBERS, MOST_SWEEPS = 30 };

// --- the nearest positive semidefinite matrix ------------------------------------------------------------------------

// Applies a Jacobi rotation to rows and columns p and q of `a` such that a[p][q] becomes 0, and to columns p and q of
// `vectors`.
static void rotate(double *a, double *vectors, uint32_t n, uint32_t p, uint32_t q)
{
    double theta = (a[n * q + q] - a[n * p + p]) / (2 * a[n * p + q]);
    double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (uint32_t k = 0; k < n; k++) {
        double kp = a[n * k + p], kq = a[n * k + q];
        a[n * k + p] = c * kp - s * kq;
        a[n * k + q] = s * kp + c * kq;
    }
    for (uint32_t k = 0; k < n; k++) {
        double pk = a[n * p + k], qk = a[n * q + k];
        a[n * p + k] = c * pk - s * qk;
        a[n * q + k] = s * pk + c * qk;
        double kp = vectors[n * k + p], kq = vectors[n * k + q];
        vectors[n * k + p] = c * kp - s * kq;
        vectors[n * k + q] = s * kp + c * kq;
    }
}

void tide_dense_diagonalise(double *a, double *vectors, uint32_t n)
{
    double total = 0, rest = INFINITY;
    memset(vectors, 0, (size_t)n * n * sizeof *vectors);
    for (uint32_t i = 0; i < n * n; i++)
        total += a[i] * a[i];
    for (uint32_t i = 0; i < n; i++)
        vectors[n * i + i] = 1;
    for (int sweep = 0; sweep < MOST_SWEEPS && rest > 1e-32 * total; sweep++) {
        rest = 0;
        for (uint32_t p = 0; p < n; p++)
            for (uint32_t q = p + 1; q < n; q++) {
                rest += a[n * p + q] * a[n * p + q];
                if (a[n * p + q] != 0)
                    rotate(a, vectors, n, p, q);
            }
    }
}

void tide_dense_make_semidefinite(double *matrix, uint32_t size)
{
    double a[SIDE * SIDE], vectors[SIDE * SIDE];
    bool negative = false;
    memcpy(a, matrix, (size_t)size * size * sizeof *a);
    tide_dense_diagonalise(a, vectors, size);
    for (uint32_t k = 0; k < size; k++)
        negative = negative || a[size * k + k] < 0;
    if (!negative)
        return;
    memset(matrix, 0, (size_t)size * size * sizeof *matrix);
    for (uint32_t k = 0; k < size; k++)
        for (uint32_t i = 0; i < size && a[size * k + k] > 0; i++)
            for (uint32_t j = 0; j < size; j++)
                matrix[size * i + j] += a[size * k + k] * (vectors[size * i + k] * vectors[size * j + k]);
}

// --- functions of kinds ----------------------------------------------------------------------------------------------

// Computes a H + b L of an element, row-major.
static void make_matrix(const tide_elements *elements, const double *x, uint32_t element, bool project, double a,
                        double b, double *out)
{
    const tide_element_kind *kind = elements->kind;
    uint32_t corners = kind->vertex_count, side = 3 * corners;
    double laplacian[TIDE_ELEMENT_MAX_VERTICES * TIDE_ELEMENT_MAX_VERTICES];
    if (a != 0)
        kind->hessian(elements, x, element, project, out);
    else
        memset(out, 0, (size_t)side * side * sizeof *out);
    kind->laplacian(elements, element, laplacian);
    for (uint32_t i = 0; i < side * side; i++)
        out[i] *= a;
    for (uint32_t i = 0; i < corners; i++)
        for (uint32_t j = 0; j < corners; j++)
            for (uint32_t k = 0; k < 3; k++)
                out[side * (3 * i + k) + 3 * j + k] += b * laplacian[corners * i + j];
}

void tide_dense_compact(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, bool project,
                        double a, double b, double *out)
{
    uint32_t side = 3 * elements->kind->vertex_count;
    double matrix[SIDE * SIDE];
    for (uint32_t e = begin; e < end; e++) {
        make_matrix(elements, x, e, project, a, b, matrix);
        for (uint32_t i = 0; i < side; i++, out += i)
            memcpy(out, matrix + side * i, (i + 1) * sizeof *out);
    }
}

// Returns entry (i, j) of a compact Hessian.
static inline double entry(const double *compact, uint32_t i, uint32_t j)
{
    return i < j ? compact[j * (j + 1) / 2 + i] : compact[i * (i + 1) / 2 + j];
}

void tide_dense_multiply(const tide_elements *elements, const double *compact, const double *v, uint32_t begin,
                         uint32_t end, double *out)
{
    uint32_t corners = elements->kind->vertex_count, side = 3 * corners;
    for (uint32_t e = begin; e < end; e++, compact += elements->kind->compact_size, out += side) {
        const uint32_t *vertices = elements->vertices + (size_t)corners * e;
        memset(out, 0, side * sizeof *out);
        for (uint32_t j = 0; j < side; j++)
            for (uint32_t i = 0; i < side; i++)
                out[i] += entry(compact, i, j) * v[3 * (size_t)vertices[j / 3] + j % 3];
    }
}

void tide_dense_blocks(const tide_elements *elements, const double *compact, uint32_t begin, uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++, compact += elements->kind->compact_size)
        for (uint32_t i = 0; i < elements->kind->vertex_count; i++)
            for (uint32_t j = 0; j <= i; j++)
                for (uint32_t k = 0; k < 9; k++)
                    *out++ = entry(compact, 3 * i + k / 3, 3 * j + k % 3);
}

void tide_dense_corner(const tide_elements *elements, const double *x, uint32_t element, uint32_t corner,
                       double gradient[3], double hessian[9])
{
    uint32_t side = 3 * elements->kind->vertex_count;
    double gradients[SIDE], matrix[SIDE * SIDE];
    elements->kind->gradient(elements, x, element, element + 1, gradients);
    memcpy(gradient, gradients + 3 * corner, 3 * sizeof *gradient);
    if (!hessian)
        return;
    elements->kind->hessian(elements, x, element, true, matrix);
    for (uint32_t row = 0; row < 3; row++)
        memcpy(hessian + 3 * row, matrix + side * (3 * corner + row) + 3 * corner, 3 * sizeof *hessian);
}

void tide_dense_project(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    uint32_t corners = elements->kind->vertex_count, side = 3 * corners;
    double laplacian[TIDE_ELEMENT_MAX_VERTICES * TIDE_ELEMENT_MAX_VERTICES];
    elements->kind->gradient(elements, x, begin, end, out);
    for (uint32_t e = begin; e < end; e++, out += side) {
        const uint32_t *vertices = elements->vertices + (size_t)corners * e;
        elements->kind->laplacian(elements, e, laplacian);
        for (uint32_t i = 0; i < side; i++) {
            double sum = 0;
            for (uint32_t j = 0; j < corners; j++)
                sum += laplacian[corners * (i / 3) + j] * x[3 * (size_t)vertices[j] + i % 3];
            out[i] = sum - out[i];
        }
    }
}

double tide_dense_constraint(const tide_elements *elements, const double *x, uint32_t element, double *gradient,
                             double *compliance)
{
    uint32_t side = 3 * elements->kind->vertex_count;
    double k = tide_element_stiffness(elements, element);
    double c = k == 0 ? 0 : sqrt(fmax(2 * elements->kind->energy(elements, x, element, element + 1) / k, 0));
    *compliance = k == 0 ? INFINITY : 1 / k;
    elements->kind->gradient(elements, x, element, element + 1, gradient);
    for (uint32_t i = 0; i < side; i++)
        gradient[i] = c > 0 ? gradient[i] / (k * c) : 0;
    return c;
}
