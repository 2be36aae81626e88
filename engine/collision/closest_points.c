#include "collision/closest_points.h"

#include "base/vec3.h"

static inline tide_vec3 from_to(const double *a, const double *b)
{
    return (tide_vec3) { b[0] - a[0], b[1] - a[1], b[2] - a[2] };
}

static inline double clamp(double x)
{
    return x > 0 ? x < 1 ? x : 1 : 0;
}

static inline double square(tide_vec3 a)
{
    return tide_vec3_dot(a, a);
}

double tide_closest_on_segment(const double *p, const double *a, const double *b, double *t)
{
    tide_vec3 e = from_to(a, b), d = from_to(a, p);
    double length2 = square(e);
    *t = length2 > 0 ? clamp(tide_vec3_dot(d, e) / length2) : 0;
    // From the nearer end, which is exact at both ends.
    if (*t > 0.5)
        return square(tide_vec3_add(from_to(b, p), tide_vec3_scale(e, 1 - *t)));
    return square(tide_vec3_subtract(d, tide_vec3_scale(e, *t)));
}

// Where the sine of the angle at `a` is below this, the projection into the plane of the triangle is not reliable.
#define SLIVER 1e-4

static bool plane_weights(const double *p, const double *a, const double *b, const double *c, double weights[3],
                          bool *sliver)
{
    tide_vec3 u = from_to(a, b), v = from_to(a, c), d = from_to(a, p), n = tide_vec3_cross(u, v);
    double n2 = square(n), scale = square(u) * square(v);
    *sliver = !(n2 > SLIVER * SLIVER * scale);
    if (!(n2 > 1e-28 * scale) || !(1 / n2 < HUGE_VAL))
        return false;
    weights[1] = tide_vec3_dot(tide_vec3_cross(d, v), n) / n2;
    weights[2] = tide_vec3_dot(tide_vec3_cross(u, d), n) / n2;
    weights[0] = 1 - weights[1] - weights[2];
    return true;
}

bool tide_triangle_weights(const double *p, const double *a, const double *b, const double *c, double weights[3])
{
    bool sliver;
    return plane_weights(p, a, b, c, weights, &sliver);
}

double tide_closest_on_triangle(const double *p, const double *a, const double *b, const double *c, double weights[3])
{
    bool sliver;
    double best = HUGE_VAL;
    if (plane_weights(p, a, b, c, weights, &sliver) && weights[0] >= 0 && weights[1] >= 0 && weights[2] >= 0) {
        tide_vec3 d = from_to(a, p);
        d = tide_vec3_subtract(d, tide_vec3_scale(from_to(a, b), weights[1]));
        best = square(tide_vec3_subtract(d, tide_vec3_scale(from_to(a, c), weights[2])));
        if (!sliver)
            return best;
    }
    const double *corners[4] = { a, b, c, a };
    for (int k = 0; k < 3; k++) {
        double t, distance = tide_closest_on_segment(p, corners[k], corners[k + 1], &t);
        if (distance < best) {
            best = distance;
            weights[k] = 1 - t;
            weights[(k + 1) % 3] = t;
            weights[(k + 2) % 3] = 0;
        }
    }
    return best;
}

static double between(const double *a, tide_vec3 u, double s, const double *c, tide_vec3 v, double t)
{
    tide_vec3 d = from_to(c, a);
    return square(tide_vec3_subtract(tide_vec3_add(d, tide_vec3_scale(u, s)), tide_vec3_scale(v, t)));
}

// Minimises over the four sides of the unit square of (s, t): each end of either segment against the other segment.
static double closest_ends(const double *a, const double *b, const double *c, const double *d, double *s, double *t)
{
    double other, best = tide_closest_on_segment(a, c, d, t), distance = tide_closest_on_segment(b, c, d, &other);
    *s = 0;
    if (distance < best) {
        best = distance;
        *s = 1;
        *t = other;
    }
    distance = tide_closest_on_segment(c, a, b, &other);
    if (distance < best) {
        best = distance;
        *s = other;
        *t = 0;
    }
    distance = tide_closest_on_segment(d, a, b, &other);
    if (distance < best) {
        best = distance;
        *s = other;
        *t = 1;
    }
    return best;
}

double tide_closest_of_segments(const double *a, const double *b, const double *c, const double *d, double *s,
                                double *t)
{
    tide_vec3 u = from_to(a, b), v = from_to(c, d), w = from_to(c, a);
    double uu = square(u), vv = square(v), uv = tide_vec3_dot(u, v);
    double uw = tide_vec3_dot(u, w), vw = tide_vec3_dot(v, w);
    double area2 = square(tide_vec3_cross(u, v)); // equals uu vv - uv^2, without cancellation
    double scale = uu * vv;
    if (area2 > 1e-8 * scale) {
        // The squared distance is convex. Where its minimum lies outside the square, clamping one coordinate gives the
        // other.
        *s = clamp((uv * vw - vv * uw) / area2);
        *t = (uv * *s + vw) / vv;
        if (*t < 0 || *t > 1) {
            *t = clamp(*t);
            *s = clamp((uv * *t - uw) / uu);
        }
        return between(a, u, *s, c, v, *t);
    }
    double best = closest_ends(a, b, c, d, s, t);
    if (area2 > 1e-28 * scale) {
        double s1 = (uv * vw - vv * uw) / area2, t1 = (uu * vw - uv * uw) / area2;
        if (s1 > 0 && s1 < 1 && t1 > 0 && t1 < 1) {
            double distance = between(a, u, s1, c, v, t1);
            if (distance < best) {
                *s = s1;
                *t = t1;
                best = distance;
            }
        }
    } else if (scale > 0) {
        double low = -uw / uu, high = low + uv / uu; // parameters of c and d on a..b
        double begin = fmax(0, fmin(low, high)), end = fmin(1, fmax(low, high));
        if (begin < end) {
            *s = 0.5 * (begin + end);
            *t = clamp((uv * *s + vw) / vv);
            best = between(a, u, *s, c, v, *t);
        }
    }
    return best;
}
