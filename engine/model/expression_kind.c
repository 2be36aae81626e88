// The functions of kinds that are made of expressions. Where the Hessian is one 3 x 3 matrix B (expression_state.h),
// they work on B; else they are those of dense_element.h.
#include "model/dense_element.h"
#include "model/expression_state.h"

#include <math.h>

enum { SIDE = TIDE_ELEMENT_MAX_NUMBERS, CORNERS = TIDE_ELEMENT_MAX_VERTICES, BLOCK = 64 };

#define NO_ENERGY 1e-280 // J: the square root of a smaller one has lost digits to underflow

static inline double added(const tide_elements *elements, uint32_t which, uint32_t e)
{
    const tide_expression_kind *kind = tide_expression_kind_of(elements->kind);
    return elements->parameters[tide_expression_added(kind, which) * (size_t)elements->count + e];
}

static double energy(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end)
{
    double parts[BLOCK], sum = 0;
    for (uint32_t at = begin; at < end; at += BLOCK) {
        uint32_t to = end - at < BLOCK ? end : at + BLOCK;
        tide_program_run(&tide_expression_kind_of(elements->kind)->energy, elements, x, at, to, parts);
        for (uint32_t i = 0; i < to - at; i++)
            sum += parts[i];
    }
    return sum;
}

static void gradient(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    tide_program_run(&tide_expression_kind_of(elements->kind)->gradient, elements, x, begin, end, out);
}

static void laplacian(const tide_elements *elements, uint32_t element, double *out)
{
    uint32_t n = elements->kind->vertex_count, which = TIDE_EXPRESSION_MATRIX;
    double scale = added(elements, TIDE_EXPRESSION_SCALE, element);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j <= i; j++)
            out[n * i + j] = out[n * j + i] = scale * added(elements, which++, element);
}

// The local projection d is that of L x - d = dE/dx.
static void project(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    uint32_t n = elements->kind->vertex_count;
    double matrix[CORNERS * CORNERS];
    gradient(elements, x, begin, end, out);
    for (uint32_t e = begin; e < end; e++, out += 3 * n) {
        laplacian(elements, e, matrix);
        for (uint32_t i = 0; i < 3 * n; i++) {
            out[i] = -out[i];
            for (uint32_t j = 0; j < n; j++)
                out[i] += matrix[n * (i / 3) + j] * x[3 * (size_t)elements->vertices[(size_t)n * e + j] + i % 3];
        }
    }
}

static void corner(const tide_elements *elements, const double *x, uint32_t element, uint32_t corner_index,
                   double gradient_out[3], double hessian_out[9])
{
    double numbers[3 + 6];
    tide_program_run(&tide_expression_kind_of(elements->kind)->corners[corner_index], elements, x, element, element + 1,
                     numbers);
    memcpy(gradient_out, numbers, 3 * sizeof *numbers);
    if (!hessian_out)
        return;
    tide_expand_triangle(numbers + 3, 3, hessian_out);
    tide_dense_make_semidefinite(hessian_out, 3);
}

// E = f s^2: C = s with the compliance 1 / (2 f). So C keeps its sign where an element passes through its rest shape.
static double square_constraint(const tide_elements *elements, const double *x, uint32_t element, double *gradient_out,
                                double *compliance)
{
    double numbers[2 + SIDE];
    tide_program_run(&tide_expression_kind_of(elements->kind)->square, elements, x, element, element + 1, numbers);
    memcpy(gradient_out, numbers + 2, 3 * elements->kind->vertex_count * sizeof *numbers);
    *compliance = numbers[0] == 0 ? INFINITY : 1 / (2 * numbers[0]);
    return numbers[1];
}

// Any E: C = sqrt(2 E), so E = C^2 / 2 with a compliance of 1. Where E is 0, C has a kink and no gradient.
static double root_constraint(const tide_elements *elements, const double *x, uint32_t element, double *gradient_out,
                              double *compliance)
{
    double scale = added(elements, TIDE_EXPRESSION_SCALE, element);
    double e = scale == 0 ? 0 : energy(elements, x, element, element + 1) / scale;
    double c = e > NO_ENERGY ? sqrt(2 * e) : 0;
    *compliance = scale == 0 ? INFINITY : 1 / scale;
    gradient(elements, x, element, element + 1, gradient_out);
    for (uint32_t i = 0; i < 3 * elements->kind->vertex_count; i++)
        gradient_out[i] = c > 0 ? gradient_out[i] / (scale * c) : 0;
    return c;
}

static double size_of(const double *x, const uint32_t *vertices, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < i; j++)
            for (size_t k = 0; k < 3; k++) {
                double d = x[3 * (size_t)vertices[i] + k] - x[3 * (size_t)vertices[j] + k];
                sum += d * d;
            }
    return sqrt(sum);
}

static void strain(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    const tide_expression_kind *kind = tide_expression_kind_of(elements->kind);
    uint32_t n = elements->kind->vertex_count;
    if (kind->strain.count) {
        tide_program_run(&kind->strain, elements, x, begin, end, out);
        return;
    }
    for (uint32_t e = begin; e < end; e++) {
        double rest = added(elements, TIDE_EXPRESSION_SIZE, e);
        *out++ = rest > 0 ? size_of(x, elements->vertices + (size_t)n * e, n) / rest - 1 : 0;
    }
}

static const char *rest(const tide_element_kind *kind, const double *x, const uint32_t *vertices, double *parameters)
{
    const tide_expression_kind *own = tide_expression_kind_of(kind);
    uint32_t n = kind->vertex_count;
    double positions[SIDE], *added = parameters + own->given, *matrix = added + TIDE_EXPRESSION_MATRIX;
    double defaults[TIDE_EXPRESSION_MAX_PARAMETERS];
    uint32_t in_order[CORNERS];
    for (uint32_t i = 0; i < n; i++)
        in_order[i] = i;
    for (uint32_t i = 0; i < 3 * n; i++)
        positions[i] = matrix[n * (n + 1) / 2 + i] = x[3 * (size_t)vertices[i / 3] + i % 3];
    added[TIDE_EXPRESSION_SCALE] = 1;
    added[TIDE_EXPRESSION_SIZE] = size_of(positions, in_order, n);
    tide_elements one = { kind, 1, in_order, parameters };
    if (own->default_count)
        tide_program_run(&own->defaults, &one, positions, 0, 1, defaults);
    for (uint32_t i = 0; i < own->default_count; i++)
        if (!tide_given(parameters[own->default_parameters[i]]))
            parameters[own->default_parameters[i]] = defaults[i];
    for (uint32_t p = 0; p < own->given; p++)
        if (!isfinite(parameters[p])) // the caller names the parameter
            return NULL;
    return tide_expression_bound(own, parameters);
}

// --- one block B -----------------------------------------------------------------------------------------------------

static void pair_hessian(const tide_elements *elements, const double *x, uint32_t element, bool project, double *out)
{
    double triangle[6], block[9];
    uint32_t n = elements->kind->vertex_count, side = 3 * n;
    tide_program_run(&tide_expression_kind_of(elements->kind)->hessian, elements, x, element, element + 1, triangle);
    tide_expand_triangle(triangle, 3, block);
    if (project)
        tide_dense_make_semidefinite(block, 3);
    for (uint32_t i = 0; i < side; i++)
        for (uint32_t j = 0; j < side; j++)
            out[side * i + j] = i / 3 == j / 3 ? block[3 * (i % 3) + j % 3] : -block[3 * (i % 3) + j % 3];
}

static void pair_compact(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, bool project,
                         double a, double b, double *out)
{
    if (a == 0) // constant: x may be non-finite
        memset(out, 0, 6 * (size_t)(end - begin) * sizeof *out);
    else
        tide_program_run(&tide_expression_kind_of(elements->kind)->hessian, elements, x, begin, end, out);
    for (uint32_t e = begin; e < end; e++, out += 6) {
        double block[9], l = b * added(elements, TIDE_EXPRESSION_SCALE, e) * added(elements, TIDE_EXPRESSION_MATRIX, e);
        if (project && a != 0) {
            tide_expand_triangle(out, 3, block);
            tide_dense_make_semidefinite(block, 3);
            for (uint32_t i = 0, k = 0; i < 3; i++)
                for (uint32_t j = 0; j <= i; j++)
                    out[k++] = block[3 * i + j];
        }
        for (uint32_t i = 0; i < 6; i++)
            out[i] *= a;
        out[0] += l;
        out[2] += l;
        out[5] += l;
    }
}

static void pair_multiply(const tide_elements *elements, const double *compact, const double *v, uint32_t begin,
                          uint32_t end, double *out)
{
    uint32_t n = elements->kind->vertex_count;
    for (uint32_t e = begin; e < end; e++, compact += 6, out += 3 * n) {
        const uint32_t *vertices = elements->vertices + (size_t)n * e;
        double d[3];
        for (size_t k = 0; k < 3; k++)
            d[k] = v[3 * (size_t)vertices[0] + k] - (n == 2 ? v[3 * (size_t)vertices[1] + k] : 0);
        out[0] = compact[0] * d[0] + compact[1] * d[1] + compact[3] * d[2];
        out[1] = compact[1] * d[0] + compact[2] * d[1] + compact[4] * d[2];
        out[2] = compact[3] * d[0] + compact[4] * d[1] + compact[5] * d[2];
        for (size_t k = 0; k < 3 && n == 2; k++)
            out[3 + k] = -out[k];
    }
}

static void pair_blocks(const tide_elements *elements, const double *compact, uint32_t begin, uint32_t end, double *out)
{
    uint32_t pairs = elements->kind->vertex_count == 2 ? 3 : 1;
    for (uint32_t e = begin; e < end; e++, compact += 6)
        for (uint32_t p = 0; p < pairs; p++, out += 9) {
            tide_expand_triangle(compact, 3, out);
            for (uint32_t k = 0; k < 9 && p == 1; k++)
                out[k] = -out[k];
        }
}

// --- any Hessian -----------------------------------------------------------------------------------------------------

static void dense_hessian(const tide_elements *elements, const double *x, uint32_t element, bool project, double *out)
{
    double triangle[TIDE_ELEMENT_MAX_COMPACT];
    uint32_t side = 3 * elements->kind->vertex_count;
    tide_program_run(&tide_expression_kind_of(elements->kind)->hessian, elements, x, element, element + 1, triangle);
    tide_expand_triangle(triangle, side, out);
    if (project)
        tide_dense_make_semidefinite(out, side);
}

static void dense_compact(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, bool project,
                          double a, double b, double *out)
{
    uint32_t n = elements->kind->vertex_count, side = 3 * n, size = elements->kind->compact_size;
    double matrix[SIDE * SIDE], l[CORNERS * CORNERS];
    if (a == 0) // constant: x may be non-finite
        memset(out, 0, size * (size_t)(end - begin) * sizeof *out);
    else
        tide_program_run(&tide_expression_kind_of(elements->kind)->hessian, elements, x, begin, end, out);
    for (uint32_t e = begin; e < end; e++) {
        laplacian(elements, e, l);
        tide_expand_triangle(out, side, matrix);
        if (project && a != 0)
            tide_dense_make_semidefinite(matrix, side);
        for (uint32_t i = 0; i < side; i++)
            for (uint32_t j = 0; j <= i; j++)
                *out++ = a * matrix[side * i + j] + (i % 3 == j % 3 ? b * l[n * (i / 3) + j / 3] : 0);
    }
}

void tide_expression_fill_functions(tide_element_kind *kind, bool pair, bool square)
{
    kind->rest = rest;
    kind->energy = energy;
    kind->gradient = gradient;
    kind->laplacian = laplacian;
    kind->project = project;
    kind->corner = corner;
    kind->constraint = square ? square_constraint : root_constraint;
    kind->strain = strain;
    kind->hessian = pair ? pair_hessian : dense_hessian;
    kind->compact = pair ? pair_compact : dense_compact;
    kind->multiply = pair ? pair_multiply : tide_dense_multiply;
    kind->blocks = pair ? pair_blocks : tide_dense_blocks;
}
