// Rigid bodies: four particles of equal mass with the shape r_i at rest, relative to their centre.
//
//     E = k/2 sum |d_i|^2,   d_i = x_i - c - q_i,   q_i = R r_i
//
// c is the centre of the four and R the rotation that minimises E: the polar factor of sum (x_i - c) r_i' (Mueller et
// al. 2005). Since R minimises E, its derivative does not appear in dE/dx_i = k d_i. A turn w of R by a change dx of
// the positions satisfies S w = sum q_j x dx_j with S = tr(P) I - P, P = sum q_i x_i', so
//
//     d2E/dx_i dx_j = k (d_ij - 1/4) I + k [q_i]x S^-1 [q_j]x
//
// with [q]x v = q x v. The constant matrix is L = k (d_ij - 1/4), which bounds the Hessian where S is positive
// definite. The local projection is q_i. The shape at rest must not lie on a line.
#include "base/vec3.h"
#include "model/dense_element.h"
#include "model/svd3.h"

#include <string.h>

enum { CORNERS = 4, SIDE = 3 * CORNERS };

typedef struct rigid {
    double stiffness;
    tide_vec3 from[CORNERS], aim[CORNERS]; // x_i - c, q_i
} rigid;

static inline double shape(const tide_elements *elements, uint32_t e, size_t i)
{
    return elements->parameters[(TIDE_RIGID_SHAPE + i) * elements->count + e];
}

static void centre(const double *x, const uint32_t *vertices, tide_vec3 from[CORNERS])
{
    tide_vec3 sum = { 0, 0, 0 };
    for (int i = 0; i < CORNERS; i++) {
        from[i] = tide_vec3_load(x + 3 * (size_t)vertices[i]);
        sum = tide_vec3_add(sum, from[i]);
    }
    for (int i = 0; i < CORNERS; i++)
        from[i] = tide_vec3_subtract(from[i], tide_vec3_scale(sum, 1.0 / CORNERS));
}

static rigid rigid_at(const tide_elements *elements, const double *x, uint32_t e)
{
    rigid r = { .stiffness = elements->parameters[TIDE_RIGID_STIFFNESS * (size_t)elements->count + e] };
    double a[9] = { 0 }, turn[9], rest[SIDE];
    centre(x, elements->vertices + CORNERS * (size_t)e, r.from);
    for (size_t i = 0; i < SIDE; i++) {
        size_t k = i % 3;
        double mean = (shape(elements, e, k) + shape(elements, e, k + 3) + shape(elements, e, k + 6) +
                       shape(elements, e, k + 9)) /
                      CORNERS;
        rest[i] = shape(elements, e, i) - mean;
    }
    for (size_t i = 0; i < CORNERS; i++) {
        const double from[3] = { r.from[i].x, r.from[i].y, r.from[i].z };
        for (size_t k = 0; k < 9; k++)
            a[k] += from[k / 3] * rest[3 * i + k % 3];
    }
    tide_polar3(a, turn);
    for (size_t i = 0; i < CORNERS; i++) {
        double q[3];
        for (size_t k = 0; k < 3; k++)
            q[k] = turn[3 * k] * rest[3 * i] + turn[3 * k + 1] * rest[3 * i + 1] + turn[3 * k + 2] * rest[3 * i + 2];
        r.aim[i] = tide_vec3_load(q);
    }
    return r;
}

static double square(const rigid *r)
{
    double sum = 0;
    for (int i = 0; i < CORNERS; i++) {
        tide_vec3 d = tide_vec3_subtract(r->from[i], r->aim[i]);
        sum += tide_vec3_dot(d, d);
    }
    return sum;
}

static double energy(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end)
{
    double sum = 0;
    for (uint32_t e = begin; e < end; e++) {
        rigid r = rigid_at(elements, x, e);
        sum += 0.5 * r.stiffness * square(&r);
    }
    return sum;
}

static void gradient(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++) {
        rigid r = rigid_at(elements, x, e);
        for (int i = 0; i < CORNERS; i++, out += 3)
            tide_vec3_store(out, tide_vec3_scale(tide_vec3_subtract(r.from[i], r.aim[i]), r.stiffness));
    }
}

// Computes the inverse of a symmetric matrix by its adjugate. A singular one gives 0.
static void invert(const double s[9], double out[9])
{
    out[0] = s[4] * s[8] - s[5] * s[7];
    out[1] = s[2] * s[7] - s[1] * s[8];
    out[2] = s[1] * s[5] - s[2] * s[4];
    double determinant = s[0] * out[0] + s[3] * out[1] + s[6] * out[2];
    out[4] = s[0] * s[8] - s[2] * s[6];
    out[5] = s[2] * s[3] - s[0] * s[5];
    out[8] = s[0] * s[4] - s[1] * s[3];
    for (int i = 0; i < 9; i++)
        out[i] = determinant == 0 ? 0 : out[i] / determinant;
    out[3] = out[1];
    out[6] = out[2];
    out[7] = out[5];
}

static void cross_matrix(tide_vec3 q, double out[9])
{
    const double m[9] = { 0, -q.z, q.y, q.z, 0, -q.x, -q.y, q.x, 0 };
    memcpy(out, m, sizeof m);
}

static void hessian(const tide_elements *elements, const double *x, uint32_t element, bool project, double *out)
{
    rigid r = rigid_at(elements, x, element);
    double s[9] = { 0 }, inverse[9], cross[CORNERS][9], trace = 0;
    for (int i = 0; i < CORNERS; i++) {
        const double q[3] = { r.aim[i].x, r.aim[i].y, r.aim[i].z };
        const double from[3] = { r.from[i].x, r.from[i].y, r.from[i].z };
        for (int k = 0; k < 9; k++) // symmetric but for rounding
            s[k] -= (q[k / 3] * from[k % 3] + from[k / 3] * q[k % 3]) / 2;
        trace += tide_vec3_dot(r.aim[i], r.from[i]);
        cross_matrix(r.aim[i], cross[i]);
    }
    for (int k = 0; k < 9; k += 4)
        s[k] += trace;
    invert(s, inverse);
    for (size_t row = 0; row < SIDE; row++)
        for (size_t column = 0; column <= row; column++) {
            size_t i = row / 3, j = column / 3, a = row % 3, b = column % 3;
            double value = a == b ? (i == j) - 1.0 / CORNERS : 0;
            for (size_t k = 0; k < 9; k++)
                value += cross[i][3 * a + k / 3] * inverse[k] * cross[j][3 * (k % 3) + b];
            out[SIDE * row + column] = out[SIDE * column + row] = r.stiffness * value;
        }
    if (project)
        tide_dense_make_semidefinite(out, SIDE);
}

static void laplacian(const tide_elements *elements, uint32_t element, double *out)
{
    double k = tide_element_stiffness(elements, element);
    for (int i = 0; i < CORNERS * CORNERS; i++)
        out[i] = k * ((i % (CORNERS + 1) == 0) - 1.0 / CORNERS);
}

static void project(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++) {
        rigid r = rigid_at(elements, x, e);
        for (int i = 0; i < CORNERS; i++, out += 3)
            tide_vec3_store(out, r.aim[i]);
    }
}

static double constraint(const tide_elements *elements, const double *x, uint32_t element, double *gradient_out,
                         double *compliance)
{
    rigid r = rigid_at(elements, x, element);
    double length = sqrt(square(&r));
    for (int i = 0; i < CORNERS; i++)
        tide_vec3_store(gradient_out + 3 * i,
                        tide_vec3_scale(tide_vec3_subtract(r.from[i], r.aim[i]), length > 0 ? 1 / length : 0));
    *compliance = r.stiffness == 0 ? INFINITY : 1 / r.stiffness;
    return length;
}

static void strain(const tide_elements *elements, const double *x, uint32_t begin, uint32_t end, double *out)
{
    for (uint32_t e = begin; e < end; e++) {
        rigid r = rigid_at(elements, x, e);
        double size = 0;
        for (int i = 0; i < CORNERS; i++)
            size += tide_vec3_dot(r.aim[i], r.aim[i]);
        *out++ = size > 0 ? sqrt(square(&r) / size) : 0;
    }
}

static const char *rest(const tide_element_kind *kind, const double *x, const uint32_t *vertices, double *parameters)
{
    (void)kind;
    tide_vec3 from[CORNERS];
    centre(x, vertices, from);
    for (int i = 0; i < CORNERS; i++)
        tide_vec3_store(parameters + TIDE_RIGID_SHAPE + 3 * i, from[i]);
    return NULL;
}

const tide_element_kind tide_rigid = {
    .name = "rigid",
    .help = "holds four particles of equal mass in their shape at rest",
    .parameter_count = TIDE_RIGID_PARAMETERS,
    .projection_size = SIDE,
    .stiffness_parameter = TIDE_RIGID_STIFFNESS,
    .rest_parameter = TIDE_ELEMENT_NO_PARAMETER,
    .exceeds_laplacian = false,
    TIDE_DENSE_FUNCTIONS(CORNERS),
    .constraint = constraint,
    TIDE_OWN_FUNCTIONS,
};
