#include "contact/friction.h"

#include "base/elementary.h"
#include "base/field.h"

#include <math.h>
#include <string.h>

static inline double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// --- two sides ------------------------------------------------------------------------------------------------------

double tide_contact_friction(double a, double b)
{
    if (tide_given(a) && tide_given(b))
        return sqrt(a * b);
    return tide_given(a) ? a : tide_given(b) ? b : 0.3;
}

// A symmetric matrix in a plane: the coefficient of the direction u is u' D u.
typedef struct plane_matrix {
    double xx, xy, yy;
} plane_matrix;

static double determinant(const plane_matrix *m)
{
    return m->xx * m->yy - m->xy * m->xy;
}

void tide_contact_tangents(const double n[3], double e[3], double f[3])
{
    int least = fabs(n[0]) < fabs(n[1]) ? (fabs(n[0]) < fabs(n[2]) ? 0 : 2) : fabs(n[1]) < fabs(n[2]) ? 1 : 2;
    for (int k = 0; k < 3; k++)
        e[k] = (k == least) - n[least] * n[k];
    double length = sqrt(dot(e, e));
    for (int k = 0; k < 3; k++)
        e[k] /= length;
    f[0] = n[1] * e[2] - n[2] * e[1];
    f[1] = n[2] * e[0] - n[0] * e[2];
    f[2] = n[0] * e[1] - n[1] * e[0];
}

// An axis that leaves the surface at an angle counts by its part along it: D = across I + (along - across) a a' in the
// plane. Where it is the normal, the surface shows its ends, which are alike in all directions.
static plane_matrix matrix_of(const tide_friction_side *side, const double e[3], const double f[3])
{
    double x = dot(side->axis, e), y = dot(side->axis, f);
    double across = side->ratio > 0 ? side->friction * side->ratio : side->friction, more = side->friction - across;
    return (plane_matrix) { across + more * x * x, more * x * y, across + more * y * y };
}

// The geometric mean of two positive definite matrices (Bhatia 2007, Positive Definite Matrices, proposition 4.1.12):
// sqrt(a b) (A / a + B / b) / sqrt(det(A / a + B / b)) with a = sqrt(det A), b = sqrt(det B). Matrices with the same
// axes have the geometric means of their coefficients.
static plane_matrix geometric_mean(const plane_matrix *a, const plane_matrix *b)
{
    double first = sqrt(fmax(determinant(a), 0)), second = sqrt(fmax(determinant(b), 0));
    if (!(first > 0) || !(second > 0))
        return (plane_matrix) { 0 };
    plane_matrix sum = { a->xx / first + b->xx / second, a->xy / first + b->xy / second,
                         a->yy / first + b->yy / second };
    double factor = sqrt(first * second / determinant(&sum));
    return (plane_matrix) { factor * sum.xx, factor * sum.xy, factor * sum.yy };
}

static tide_friction of_matrix(const plane_matrix *m, const double e[3], const double f[3])
{
    double mean = (m->xx + m->yy) / 2, half = (m->xx - m->yy) / 2, apart = tide_hypot(half, m->xy);
    if (!(apart > 1e-12 * mean))
        return (tide_friction) { .along = mean, .across = mean };
    tide_friction friction = { .along = mean + apart, .across = mean - apart };
    double angle = tide_atan2(m->xy, half) / 2, cosine = tide_cos(angle), sine = tide_sin(angle);
    for (int k = 0; k < 3; k++)
        friction.axis[k] = cosine * e[k] + sine * f[k];
    return friction;
}

tide_friction tide_friction_combine(const tide_contact_surface *s, const tide_friction_side *a,
                                    const tide_friction_side *b, const double normal[3])
{
    double of_pair =
        a->material && b->material ? s->pair_friction[a->material * s->material_count + b->material] : TIDE_NOT_GIVEN;
    if (tide_given(of_pair))
        return (tide_friction) { .along = of_pair, .across = of_pair };
    if (a->ratio == 0 && b->ratio == 0) {
        double friction = tide_contact_friction(a->friction, b->friction);
        return (tide_friction) { .along = friction, .across = friction };
    }
    double e[3], f[3];
    tide_contact_tangents(normal, e, f);
    plane_matrix first = matrix_of(a, e, f), second = matrix_of(b, e, f);
    if (!tide_given(a->friction))
        first = second;
    if (!tide_given(b->friction))
        second = first;
    plane_matrix both = geometric_mean(&first, &second);
    return of_matrix(&both, e, f);
}

// --- the ellipse ----------------------------------------------------------------------------------------------------

// Returns the root l of (a d / (a^2 + l))^2 + (b e / (b^2 + l))^2 = 1 for a point (d, e) outside the ellipse with the
// semi-axes a and b: the nearest point is (a^2 d / (a^2 + l), b^2 e / (b^2 + l)). The function is convex and
// decreasing; Newton's method from below its root goes up to it.
static double find_multiplier(double a, double b, double d, double e)
{
    enum { MOST_STEPS = 40 };
    double root = fmax(0, fmax(a * fabs(d) - a * a, b * fabs(e) - b * b));
    for (int i = 0; i < MOST_STEPS; i++) {
        double p = a * d / (a * a + root), q = b * e / (b * b + root);
        double value = p * p + q * q - 1, slope = 2 * (p * p / (a * a + root) + q * q / (b * b + root));
        if (!(value > 1e-15) || !(slope > 0))
            break;
        root += value / slope;
    }
    return root;
}

double tide_friction_size(const tide_friction *f, const double drag[3])
{
    double along = dot(drag, f->axis), square = 0;
    for (int k = 0; k < 3; k++) {
        double off = drag[k] - along * f->axis[k];
        square += off * off;
    }
    return sqrt(along / f->along * (along / f->along) + square / (f->across * f->across));
}

void tide_friction_clip(const tide_friction *f, double push, double drag[3])
{
    if (!(push > 0) || !(f->across > 0)) {
        memset(drag, 0, 3 * sizeof *drag);
        return;
    }
    if (tide_friction_size(f, drag) <= push)
        return;
    double along = dot(drag, f->axis) / push, off[3], square = 0;
    for (int k = 0; k < 3; k++) {
        off[k] = drag[k] / push - along * f->axis[k];
        square += off[k] * off[k];
    }
    double a = f->along * f->along, b = f->across * f->across;
    double root = find_multiplier(f->along, f->across, along, sqrt(square));
    for (int k = 0; k < 3; k++)
        drag[k] = push * (a / (a + root) * along * f->axis[k] + b / (b + root) * off[k]);
}

tide_friction_border tide_friction_nearest(const tide_friction *f, const double normal[3], const double drag[3])
{
    double across[3] = { normal[1] * f->axis[2] - normal[2] * f->axis[1],
                         normal[2] * f->axis[0] - normal[0] * f->axis[2],
                         normal[0] * f->axis[1] - normal[1] * f->axis[0] };
    double a = f->along, b = f->across, d = dot(drag, f->axis), e = dot(drag, across);
    double root = find_multiplier(a, b, fabs(d), fabs(e)), x = a * a * d / (a * a + root),
           y = b * b * e / (b * b + root);
    double nx = x / (a * a), ny = y / (b * b), length = tide_hypot(nx, ny), away = tide_hypot(d - x, e - y);
    double curvature = 1 / (a * a * b * b * length * length * length);
    nx /= length;
    ny /= length;
    tide_friction_border border = { .point = nx * x + ny * y,
                                    .sideways = nx * y - ny * x,
                                    .part = 1 / (1 + curvature * away) };
    for (int k = 0; k < 3; k++)
        border.normal[k] = nx * f->axis[k] + ny * across[k];
    return border;
}
