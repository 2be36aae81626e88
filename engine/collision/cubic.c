// The times at which four moving points are in one plane.
//
// The volume that they span is a cubic of time. In the Bernstein basis its coefficients are volumes themselves. The
// cubic has no root in [0, 1] if they have the same sign.
#include "collision/impact.h"

#include "base/vec3.h"

#include <float.h>

static inline double determinant(tide_vec3 a, tide_vec3 b, tide_vec3 c)
{
    return tide_vec3_dot(a, tide_vec3_cross(b, c));
}

static inline double largest(tide_vec3 a, tide_vec3 b)
{
    return fmax(fabs(a.x) + fabs(a.y) + fabs(a.z), fabs(b.x) + fabs(b.y) + fabs(b.z));
}

tide_cubic tide_cubic_of_volume(const double from[4][3], const double to[4][3])
{
    tide_vec3 p[2][3];
    for (int k = 0; k < 3; k++) {
        p[0][k] = tide_vec3_subtract(tide_vec3_load(from[k + 1]), tide_vec3_load(from[0]));
        p[1][k] = tide_vec3_subtract(tide_vec3_load(to[k + 1]), tide_vec3_load(to[0]));
    }
    tide_cubic c;
    c.b[0] = determinant(p[0][0], p[0][1], p[0][2]);
    c.b[3] = determinant(p[1][0], p[1][1], p[1][2]);
    c.b[1] = (determinant(p[1][0], p[0][1], p[0][2]) + determinant(p[0][0], p[1][1], p[0][2]) +
              determinant(p[0][0], p[0][1], p[1][2])) /
             3;
    c.b[2] = (determinant(p[0][0], p[1][1], p[1][2]) + determinant(p[1][0], p[0][1], p[1][2]) +
              determinant(p[1][0], p[1][1], p[0][2])) /
             3;
    c.magnitude = largest(p[0][0], p[1][0]) * largest(p[0][1], p[1][1]) * largest(p[0][2], p[1][2]);
    // The rounding error of each product of three differences, and of their sums, is a few units in the last place.
    c.error = 32 * DBL_EPSILON * c.magnitude + DBL_MIN;
    return c;
}

double tide_cubic_value(const tide_cubic *c, double t)
{
    double s = 1 - t;
    return s * s * (s * c->b[0] + 3 * t * c->b[1]) + t * t * (3 * s * c->b[2] + t * c->b[3]);
}

static double slope(const tide_cubic *c, double t)
{
    double s = 1 - t;
    return 3 * (s * s * (c->b[1] - c->b[0]) + 2 * s * t * (c->b[2] - c->b[1]) + t * t * (c->b[3] - c->b[2]));
}

static double curvature(const tide_cubic *c, double t)
{
    return 6 * ((1 - t) * (c->b[2] - 2 * c->b[1] + c->b[0]) + t * (c->b[3] - 2 * c->b[2] + c->b[1]));
}

// Lists the ends and turning points: the cubic is monotone between them. The derivative is 3 (d0, d1, d2) in the
// Bernstein basis.
static int monotone_intervals(const tide_cubic *c, double ends[4])
{
    double d0 = c->b[1] - c->b[0], d1 = c->b[2] - c->b[1], d2 = c->b[3] - c->b[2];
    // d0 (1 - t)^2 + 2 d1 t (1 - t) + d2 t^2 = a t^2 - 2 h t + d0
    double a = d0 - 2 * d1 + d2, h = d0 - d1, discriminant = d1 * d1 - d0 * d2;
    int count = 0;
    ends[count++] = 0;
    if (discriminant > 0) {
        double q = h + copysign(sqrt(discriminant), h);
        double r[2] = { a != 0 ? q / a : -1, q != 0 ? d0 / q : -1 };
        if (r[0] > r[1]) {
            double swap = r[0];
            r[0] = r[1];
            r[1] = swap;
        }
        for (int k = 0; k < 2; k++)
            if (r[k] > 0 && r[k] < 1)
                ends[count++] = r[k];
    } else if (a != 0 && h / a > 0 && h / a < 1)
        ends[count++] = h / a; // a saddle, or nearly one by rounding
    ends[count++] = 1;
    return count;
}

// Finds the root between low and high, where the cubic has different signs: Newton steps, safeguarded by bisection.
static double root_between(const tide_cubic *c, double low, double high)
{
    double at_low = tide_cubic_value(c, low), t = 0.5 * (low + high);
    for (int i = 0; i < 200 && high - low > DBL_EPSILON * high; i++) {
        double value = tide_cubic_value(c, t), d = slope(c, t);
        if (value == 0)
            return t;
        if ((value < 0) == (at_low < 0))
            low = t;
        else
            high = t;
        double next = d != 0 ? t - value / d : low;
        // Newton's method from one side never closes the bracket: every eighth step halves it.
        if (!(next > low && next < high) || i % 8 == 7)
            next = 0.5 * (low + high);
        if (fabs(next - t) <= 0.25 * DBL_EPSILON)
            return next;
        t = next;
    }
    return 0.5 * (low + high);
}

static void add(const tide_cubic *c, double t, double *times, double *doubt, int *count)
{
    // Around a root, |f| <= error holds on an interval that the slope, or else the curvature, bounds.
    double by_slope = c->error / fmax(fabs(slope(c, t)), DBL_MIN);
    double by_curvature = sqrt(4 * c->error / fmax(fabs(curvature(c, t)), DBL_MIN));
    int at = (*count)++;
    for (; at > 0 && times[at - 1] > t; at--) {
        times[at] = times[at - 1];
        doubt[at] = doubt[at - 1];
    }
    times[at] = t;
    doubt[at] = fmin(1, 2 * fmin(by_slope, by_curvature) + 4 * DBL_EPSILON);
}

int tide_cubic_candidates(const tide_cubic *c, double times[TIDE_CUBIC_CANDIDATES], double doubt[TIDE_CUBIC_CANDIDATES])
{
    double ends[4], values[4];
    int intervals = monotone_intervals(c, ends) - 1, count = 0;
    for (int k = 0; k <= intervals; k++) {
        values[k] = tide_cubic_value(c, ends[k]);
        if (fabs(values[k]) <= c->error)
            add(c, ends[k], times, doubt, &count);
    }
    for (int k = 0; k < intervals; k++)
        if ((values[k] < 0) != (values[k + 1] < 0) && fabs(values[k]) > 0 && fabs(values[k + 1]) > 0)
            add(c, root_between(c, ends[k], ends[k + 1]), times, doubt, &count);
    return count;
}
