// The constant matrix of an element made of an expression: an n x n matrix L with L x I3 >= H, the Hessian, at rest and
// at shapes around it. Samples are the shape at rest, compressed to 0.8 and stretched to 1.25 as a whole and along
// axes, and with its corners moved.
//
// With H_ij the 3 x 3 blocks of H made positive semidefinite, S_ij is the sum of tr H_ij over the samples, and L = c S
// with the smallest c such that c S x I3 >= H in every sample. S transforms as a scalar under rotations and has the
// null space of H. For E = q(x) x I3 with a quadratic form q, L = q is exact; for a spring it is k (1, -1; -1, 1), for
// an area spring k times the mean squared slope. An element without stiffness near its rest shape, such as a string
// that is slack there, is sampled at larger sizes.
#include "model/dense_element.h"
#include "model/expression_state.h"

#include <math.h>

enum { SAMPLES = 8, MOVED = 6, SIDE = TIDE_ELEMENT_MAX_NUMBERS, CORNERS = TIDE_ELEMENT_MAX_VERTICES };

#define MOVE 0.15      // of the element's size
#define LONE 0.1       // m, the move of a single corner
#define INVARIANT 1e-9 // relative: rows with a smaller sum resist no translation
#define RANK 1e-9      // relative: smaller eigenvalues of S are 0

typedef struct samples {
    double x[SAMPLES * SIDE], parameters[SAMPLES * TIDE_ELEMENT_MAX_PARAMETERS];
    double hessians[SAMPLES * TIDE_ELEMENT_MAX_COMPACT];
    uint32_t vertices[SAMPLES * CORNERS];
    bool sound[SAMPLES]; // its Hessian is finite
} samples;

static const double stretches[SAMPLES][3] = { { 1, 1, 1 },      { 0.8, 0.8, 0.8 }, { 1.25, 1.25, 1.25 },
                                              { 1.25, 0.8, 1 }, { 1, 1.25, 0.8 },  { 0.8, 1, 1.25 },
                                              { 1, 1, 1 },      { 1.1, 1.1, 1.1 } };

// Returns the next of a sequence of numbers in [-1, 1].
static double next_number(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed / 2147483648.0 - 1;
}

static void place(const tide_expression_kind *kind, const double *rest, double size, bool large, samples *s)
{
    uint32_t n = kind->kind.vertex_count, seed = 1;
    double centre[3] = { 0 }, move = size > 0 ? MOVE * size : LONE;
    for (uint32_t i = 0; i < 3 * n; i++)
        centre[i % 3] += rest[i] / n;
    for (uint32_t k = 0; k < SAMPLES; k++)
        for (uint32_t i = 0; i < 3 * n; i++) {
            double stretch = large ? ldexp(1, (int)k + 1) : stretches[k][i % 3], shift = next_number(&seed) * move;
            double *to = &s->x[3 * n * k + i];
            *to = centre[i % 3] + stretch * (rest[i] - centre[i % 3]);
            if (k >= MOVED || (n == 1 && k > 0))
                *to += large ? ldexp(shift, (int)k + 1) : shift;
            if (k == 0 && !large)
                *to = rest[i];
        }
}

static bool is_finite(const double *numbers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!isfinite(numbers[i]))
            return false;
    return true;
}

// Evaluates the Hessians of the samples.
static tide_elements evaluate(const tide_expression_kind *kind, const double *parameters, samples *s)
{
    tide_elements all = { &kind->kind, SAMPLES, s->vertices, s->parameters };
    uint32_t outputs = kind->hessian.outputs;
    for (uint32_t i = 0; i < SAMPLES * kind->kind.vertex_count; i++)
        s->vertices[i] = i;
    for (uint32_t p = 0; p < kind->kind.parameter_count; p++)
        for (uint32_t k = 0; k < SAMPLES; k++)
            s->parameters[SAMPLES * p + k] = parameters[p];
    tide_program_run(&kind->hessian, &all, s->x, 0, SAMPLES, s->hessians);
    for (uint32_t k = 0; k < SAMPLES; k++)
        s->sound[k] = is_finite(s->hessians + outputs * k, outputs);
    return all;
}

double tide_expression_largest(const double triangle[6])
{
    double matrix[9], vectors[9];
    tide_expand_triangle(triangle, 3, matrix);
    tide_dense_diagonalise(matrix, vectors, 3);
    return fmax(fmax(matrix[0], 0), fmax(matrix[4], matrix[8]));
}

// Writes L of one corner or of a pair. Returns whether it is not 0.
static bool bound_pair(const tide_expression_kind *kind, const samples *s, double *matrix)
{
    double most = 0;
    for (uint32_t k = 0; k < SAMPLES; k++)
        if (s->sound[k])
            most = fmax(most, tide_expression_largest(s->hessians + 6 * k));
    matrix[0] = most;
    if (kind->kind.vertex_count == 2) {
        matrix[1] = -most;
        matrix[2] = most;
    }
    return most > 0;
}

// Computes roots U D^-1/2 of the pseudo-inverse of S (n x n), in columns. Returns their number, the rank of S.
static uint32_t inverse_roots(const double *sum, uint32_t n, double *roots)
{
    double values[CORNERS * CORNERS], vectors[CORNERS * CORNERS], largest = 0;
    uint32_t rank = 0;
    memcpy(values, sum, n * n * sizeof *values);
    tide_dense_diagonalise(values, vectors, n);
    for (uint32_t k = 0; k < n; k++)
        largest = fmax(largest, values[n * k + k]);
    for (uint32_t k = 0; k < n; k++)
        if (values[n * k + k] > RANK * largest) {
            for (uint32_t i = 0; i < n; i++)
                roots[n * i + rank] = vectors[n * i + k] / sqrt(values[n * k + k]);
            rank++;
        }
    return rank;
}

// Returns the largest eigenvalue of (R' x I3) H (R x I3), the smallest c with c S x I3 >= H.
static double factor_of(const double *hessian, const double *roots, uint32_t n, uint32_t rank)
{
    double half[SIDE * SIDE], small[SIDE * SIDE], vectors[SIDE * SIDE], most = 0;
    uint32_t side = 3 * n, reduced = 3 * rank;
    for (uint32_t i = 0; i < side; i++)
        for (uint32_t j = 0; j < reduced; j++) {
            half[reduced * i + j] = 0;
            for (uint32_t c = 0; c < n; c++)
                half[reduced * i + j] += hessian[side * i + 3 * c + j % 3] * roots[n * c + j / 3];
        }
    for (uint32_t i = 0; i < reduced; i++)
        for (uint32_t j = 0; j < reduced; j++) {
            small[reduced * i + j] = 0;
            for (uint32_t c = 0; c < n; c++)
                small[reduced * i + j] += half[reduced * (3 * c + i % 3) + j] * roots[n * c + i / 3];
        }
    for (uint32_t i = 0; i < reduced; i++)
        for (uint32_t j = 0; j < i; j++) // rounding
            small[reduced * i + j] = small[reduced * j + i];
    tide_dense_diagonalise(small, vectors, reduced);
    for (uint32_t i = 0; i < reduced; i++)
        most = fmax(most, small[reduced * i + i]);
    return most;
}

// Makes the rows of L sum to exactly 0 where they do but for rounding.
static void balance(double *matrix, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        double others = 0, sum = matrix[n * i + i];
        for (uint32_t j = 0; j < n; j++)
            others += i == j ? 0 : matrix[n * i + j];
        sum += others;
        if (fabs(sum) <= INVARIANT * matrix[n * i + i])
            matrix[n * i + i] = -others;
    }
}

static bool bound_dense(const tide_expression_kind *kind, const samples *s, double *triangle)
{
    uint32_t n = kind->kind.vertex_count, side = 3 * n;
    double sum[CORNERS * CORNERS] = { 0 }, roots[CORNERS * CORNERS], c = 0, most = 0;
    double matrices[SAMPLES][SIDE * SIDE];
    for (uint32_t k = 0; k < SAMPLES; k++) {
        if (!s->sound[k])
            continue;
        tide_expand_triangle(s->hessians + kind->hessian.outputs * k, side, matrices[k]);
        tide_dense_make_semidefinite(matrices[k], side);
        for (uint32_t i = 0; i < side; i++)
            for (uint32_t j = i % 3; j < side; j += 3)
                sum[n * (i / 3) + j / 3] += matrices[k][side * i + j];
    }
    for (uint32_t i = 0; i < n; i++)
        most = fmax(most, sum[n * i + i]);
    if (most > 0) {
        uint32_t rank = inverse_roots(sum, n, roots);
        for (uint32_t k = 0; k < SAMPLES; k++)
            if (s->sound[k])
                c = fmax(c, factor_of(matrices[k], roots, n, rank));
        balance(sum, n);
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j <= i; j++)
            *triangle++ = c * sum[n * i + j];
    return most > 0;
}

const char *tide_expression_bound(const tide_expression_kind *kind, double *parameters)
{
    samples s;
    double energy, gradient[SIDE];
    uint32_t n = kind->kind.vertex_count;
    double *matrix = parameters + tide_expression_added(kind, TIDE_EXPRESSION_MATRIX);
    const double *rest = matrix + n * (n + 1) / 2;
    double size = parameters[tide_expression_added(kind, TIDE_EXPRESSION_SIZE)];
    bool (*bound)(const tide_expression_kind *, const samples *, double *) = kind->pair ? bound_pair : bound_dense;
    memset(matrix, 0, n * (n + 1) / 2 * sizeof *matrix);
    place(kind, rest, size, false, &s);
    tide_elements all = evaluate(kind, parameters, &s);
    tide_program_run(&kind->energy, &all, s.x, 0, 1, &energy);
    tide_program_run(&kind->gradient, &all, s.x, 0, 1, gradient);
    if (!isfinite(energy))
        return kind->wrong_energy;
    if (!is_finite(gradient, 3 * n))
        return kind->wrong_gradient;
    if (!s.sound[0])
        return kind->wrong_hessian;
    if (!bound(kind, &s, matrix)) {
        place(kind, rest, size, true, &s);
        evaluate(kind, parameters, &s);
        bound(kind, &s, matrix);
    }
    return NULL;
}
