#include "model/hinge.h"

#include "base/elementary.h"

#include <string.h>

#define FACTOR 1.2     // f
#define NO_AREA 1e-280 // m^4, for squared normals: a smaller square is 0 or has lost digits to underflow

// --- the shape at rest -----------------------------------------------------------------------------------------------

static tide_vec3 point(const double *x, const uint32_t *vertices, int corner)
{
    return tide_vec3_load(x + 3 * (size_t)vertices[corner]);
}

// The cotangent of the angle at `at` between the directions to `a` and `b`.
static double cotangent(tide_vec3 at, tide_vec3 a, tide_vec3 b)
{
    tide_vec3 to_a = tide_vec3_subtract(a, at), to_b = tide_vec3_subtract(b, at);
    return tide_vec3_dot(to_a, to_b) / tide_vec3_length(tide_vec3_cross(to_a, to_b));
}

static double area(tide_vec3 a, tide_vec3 b, tide_vec3 c)
{
    return tide_vec3_length(tide_vec3_cross(tide_vec3_subtract(b, a), tide_vec3_subtract(c, a))) / 2;
}

tide_hinge_shape tide_hinge_at_rest(const double *x, const uint32_t *vertices)
{
    tide_vec3 p[4], edge;
    for (int c = 0; c < 4; c++)
        p[c] = point(x, vertices, c);
    edge = tide_vec3_subtract(p[1], p[0]);
    double c01 = cotangent(p[0], p[1], p[2]), c02 = cotangent(p[0], p[1], p[3]), c03 = cotangent(p[1], p[0], p[2]),
           c04 = cotangent(p[1], p[0], p[3]);
    double areas = area(p[0], p[1], p[2]) + area(p[0], p[1], p[3]), root = sqrt(areas / FACTOR);
    return (tide_hinge_shape) { { (c03 + c04) / root, (c01 + c02) / root, -(c01 + c03) / root, -(c02 + c04) / root },
                                FACTOR * tide_vec3_dot(edge, edge) / areas };
}

// --- the angle -------------------------------------------------------------------------------------------------------

typedef struct hinge {
    tide_vec3 p[4], edge, along; // along: the unit vector
    double length;
    tide_vec3 normal[2]; // not normalised: (p1 - p0) x (p2 - p0), (p3 - p0) x (p1 - p0)
    double inverse[2];   // 1 / |normal|^2, or 0
    tide_vec3 scaled[2]; // normal / |normal|^2
} hinge;

static hinge hinge_at(const double *x, const uint32_t *vertices)
{
    hinge h;
    for (int c = 0; c < 4; c++)
        h.p[c] = point(x, vertices, c);
    h.edge = tide_vec3_subtract(h.p[1], h.p[0]);
    h.length = tide_vec3_length(h.edge);
    h.along = tide_vec3_normalize(h.edge);
    h.normal[0] = tide_vec3_cross(h.edge, tide_vec3_subtract(h.p[2], h.p[0]));
    h.normal[1] = tide_vec3_cross(tide_vec3_subtract(h.p[3], h.p[0]), h.edge);
    for (int t = 0; t < 2; t++) {
        double squared = tide_vec3_dot(h.normal[t], h.normal[t]);
        h.inverse[t] = squared < NO_AREA ? 0 : 1 / squared;
        h.scaled[t] = tide_vec3_scale(h.normal[t], h.inverse[t]);
    }
    return h;
}

static double angle_of(const hinge *h)
{
    return tide_atan2(tide_vec3_dot(tide_vec3_cross(h->normal[1], h->normal[0]), h->along),
                      tide_vec3_dot(h->normal[0], h->normal[1]));
}

double tide_hinge_angle(const double *x, const uint32_t *vertices)
{
    hinge h = hinge_at(x, vertices);
    return angle_of(&h);
}

// Adds value * left right' to rows r, r + 1, r + 2 and columns c, ... of a 12 x 12 matrix.
static void add_outer(double *matrix, size_t row, size_t column, double value, tide_vec3 left, tide_vec3 right)
{
    const double l[3] = { left.x, left.y, left.z }, r[3] = { right.x, right.y, right.z };
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
            matrix[12 * (3 * row + i) + 3 * column + j] += value * (l[i] * r[j]);
}

// Adds value times the Jacobian of normal / |normal|^2, (I - 2 n n') [v]x / |normal|^2 for each point, to a row.
static void add_normal(double *matrix, size_t row, const hinge *h, int t, double value)
{
    size_t corners[3] = { 0, 1, 2 + (size_t)t };
    tide_vec3 across[3]; // dN/dp_c v = across_c x v
    tide_vec3 o = h->p[2 + t];
    double sign = t ? -1 : 1; // N = sign (p1 - p0) x (o - p0)
    across[0] = tide_vec3_scale(tide_vec3_subtract(o, h->p[1]), sign);
    across[1] = tide_vec3_scale(tide_vec3_subtract(h->p[0], o), sign);
    across[2] = tide_vec3_scale(h->edge, sign);
    for (int c = 0; c < 3; c++) {
        const tide_vec3 a = across[c];
        const tide_vec3 turn[3] = { { 0, -a.z, a.y }, { a.z, 0, -a.x }, { -a.y, a.x, 0 } }; // rows of [a]x
        static const tide_vec3 axes[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
        for (int i = 0; i < 3; i++)
            add_outer(matrix, row, corners[c], value * h->inverse[t], axes[i], turn[i]);
        // n' [a]x = (n x a)'
        add_outer(matrix, row, corners[c], -2 * value, h->scaled[t], tide_vec3_cross(h->scaled[t], a));
    }
}

// One triangle's part of the gradient, for the opposite corner o with the normal N, m = N / |N|^2 and the edge's
// direction u:  |e| m at o, ((o - p1) . u) m at p0, -((o - p0) . u) m at p1.
static void add_triangle(const hinge *h, int t, double *gradient, double *jacobian)
{
    size_t corner = 2 + (size_t)t;
    tide_vec3 o = h->p[corner], m = h->scaled[t], u = h->along;
    tide_vec3 from[2] = { tide_vec3_subtract(o, h->p[0]), tide_vec3_subtract(o, h->p[1]) };
    double along[2] = { tide_vec3_dot(from[0], u), tide_vec3_dot(from[1], u) };
    const double factor[4] = { along[1], -along[0], t ? 0 : h->length, t ? h->length : 0 };
    for (int c = 0; c < 4; c++)
        for (int k = 0; k < 3; k++)
            gradient[3 * c + k] += factor[c] * (k == 0 ? m.x : k == 1 ? m.y : m.z);
    if (!jacobian)
        return;
    for (size_t c = 0; c < 2; c++)
        add_normal(jacobian, c, h, t, factor[c]);
    add_normal(jacobian, corner, h, t, h->length);
    add_outer(jacobian, corner, 1, 1, m, u);
    add_outer(jacobian, corner, 0, -1, m, u);
    for (size_t c = 0; c < 2; c++) {
        // d((o - p) . u), with du = (I - u u') de / |e|; p = p1 in the row of p0 and the reverse
        size_t other = 1 - c;
        double sign = c == 0 ? 1 : -1, inverse = h->length > 0 ? 1 / h->length : 0;
        tide_vec3 turn = tide_vec3_scale(tide_vec3_subtract(from[other], tide_vec3_scale(u, along[other])), inverse);
        add_outer(jacobian, c, corner, sign, m, u);
        add_outer(jacobian, c, other, -sign, m, u);
        add_outer(jacobian, c, 1, sign, m, turn);
        add_outer(jacobian, c, 0, -sign, m, turn);
    }
}

double tide_hinge_derivatives(const double *x, const uint32_t *vertices, double *gradient, double *hessian)
{
    hinge h = hinge_at(x, vertices);
    memset(gradient, 0, 12 * sizeof *gradient);
    if (hessian)
        memset(hessian, 0, 144 * sizeof *hessian);
    for (int t = 0; t < 2; t++)
        add_triangle(&h, t, gradient, hessian);
    for (size_t i = 0; hessian && i < 12; i++)
        for (size_t j = 0; j < i; j++)
            hessian[12 * i + j] = hessian[12 * j + i] = (hessian[12 * i + j] + hessian[12 * j + i]) / 2;
    return angle_of(&h);
}
