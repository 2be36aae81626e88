// Whether and when a vertex meets a triangle, or an edge another edge, on straight paths.
//
// A meeting is a root of the cubic of the volume at which the distance of the features is 0 up to rounding. Where the
// cubic is not conclusive (all points near one plane throughout, or nearly touching from the start), conservative
// advancement moves the features by no more than their distance allows, until the distance is a small fraction of that
// at the start (Mirtich 1996; Li et al. 2021, sec. 5).
#include "collision/impact.h"

#include "base/vec3.h"
#include "collision/closest_points.h"

#include <float.h>
#include <string.h>

#define SAME 1e-9                   // relative to the longest edge: distance that counts as 0
#define CLOSE 1e-7                  // relative to the longest edge: too close at the end of a motion
#define ROUNDING (16 * DBL_EPSILON) // relative to the largest coordinate: bounds the rounding of a place on the way
enum { ADVANCES = 1000 };

static void lerp(const double from[4][3], const double to[4][3], double t, double out[4][3])
{
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            out[i][k] =
                t < 0.5 ? from[i][k] + t * (to[i][k] - from[i][k]) : to[i][k] - (1 - t) * (to[i][k] - from[i][k]);
}

static tide_vec3 from_to(const double *a, const double *b)
{
    return (tide_vec3) { b[0] - a[0], b[1] - a[1], b[2] - a[2] };
}

// Returns the distance, and the weights of the closest points.
static double closest(tide_pair_kind kind, double p[4][3], double weights[4])
{
    if (kind == TIDE_PAIR_TRIANGLE) {
        double w[3], distance2 = tide_closest_on_triangle(p[0], p[1], p[2], p[3], w);
        weights[0] = 1;
        for (int k = 0; k < 3; k++)
            weights[k + 1] = -w[k];
        return sqrt(distance2);
    }
    double s, t, distance2 = tide_closest_of_segments(p[0], p[1], p[2], p[3], &s, &t);
    weights[0] = 1 - s;
    weights[1] = s;
    weights[2] = t - 1;
    weights[3] = -t;
    return sqrt(distance2);
}

// Returns the vector from the closest point of the second feature to that of the first.
static tide_vec3 difference(double p[4][3], const double weights[4])
{
    tide_vec3 sum = { 0, 0, 0 };
    for (int i = 1; i < 4; i++) // weights add up to 0, so positions relative to the first point do
        sum = tide_vec3_add(sum, tide_vec3_scale(from_to(p[0], p[i]), weights[i]));
    return sum;
}

double tide_impact_scale(tide_pair_kind kind, const double p[4][3])
{
    tide_vec3 u = kind == TIDE_PAIR_TRIANGLE ? from_to(p[1], p[2]) : from_to(p[0], p[1]);
    tide_vec3 v = kind == TIDE_PAIR_TRIANGLE ? from_to(p[1], p[3]) : from_to(p[2], p[3]);
    tide_vec3 w = kind == TIDE_PAIR_TRIANGLE ? from_to(p[2], p[3]) : v;
    return sqrt(fmax(tide_vec3_dot(u, u), fmax(tide_vec3_dot(v, v), tide_vec3_dot(w, w))));
}

// Bounds the change of the distance from start to end.
static double relative_motion(tide_pair_kind kind, const double from[4][3], const double to[4][3])
{
    double most = 0;
    int firsts = kind == TIDE_PAIR_TRIANGLE ? 1 : 2;
    for (int i = 0; i < firsts; i++)
        for (int k = firsts; k < 4; k++) {
            tide_vec3 u = tide_vec3_subtract(from_to(from[i], to[i]), from_to(from[k], to[k]));
            most = fmax(most, tide_vec3_dot(u, u));
        }
    return sqrt(most);
}

// Returns the largest coordinate.
static double farthest(const double from[4][3], const double to[4][3])
{
    double most = 0;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            most = fmax(most, fmax(fabs(from[i][k]), fabs(to[i][k])));
    return most;
}

static bool by_difference(tide_impact *impact, double t, tide_vec3 d)
{
    impact->time = t;
    tide_vec3_store(impact->normal, tide_vec3_normalize(d));
    return true;
}

// Advances to the first time at which the distance is a tenth of that at the start, or `tolerance` if that is less.
static bool advance(tide_pair_kind kind, const double from[4][3], const double to[4][3], double motion,
                    double tolerance, tide_impact *impact)
{
    double p[4][3], t = 0, small = 0;
    for (int i = 0; i < ADVANCES; i++) {
        impact->steps++;
        lerp(from, to, t, p);
        double distance = closest(kind, p, impact->weights);
        if (i == 0)
            small = fmin(tolerance, 0.1 * distance);
        if (distance <= small)
            break;
        t += (distance - 0.5 * small) / motion;
        if (t >= 1)
            return false;
    }
    return by_difference(impact, t, difference(p, impact->weights));
}

// Tells whether the cubic is negative between two times with no root between them.
static bool negative_between(const tide_cubic *c, double low, double high)
{
    double most = 0;
    for (int i = 1; i < 8; i++) {
        double value = tide_cubic_value(c, low + (high - low) * i / 8);
        most = fabs(value) > fabs(most) ? value : most;
    }
    return most < 0;
}

// Sets the normal of the plane at the meeting, towards the side from which the first feature came.
static bool by_plane(tide_pair_kind kind, const tide_cubic *c, double before, double t, double p[4][3], double scale,
                     tide_impact *impact)
{
    tide_vec3 u = kind == TIDE_PAIR_TRIANGLE ? from_to(p[1], p[2]) : from_to(p[0], p[1]);
    tide_vec3 v = kind == TIDE_PAIR_TRIANGLE ? from_to(p[1], p[3]) : from_to(p[2], p[3]);
    tide_vec3 n = tide_vec3_cross(u, v);
    double length = tide_vec3_length(n);
    if (!(length > 1e-10 * scale * scale))
        return false;
    // The volume of cubic.c has the sign of (u x v) . (first - second) for edges, and the opposite sign for triangles.
    bool against = negative_between(c, before, t) == (kind == TIDE_PAIR_EDGES);
    impact->time = t;
    tide_vec3_store(impact->normal, tide_vec3_scale(n, (against ? -1 : 1) / length));
    return true;
}

bool tide_impact_find(tide_pair_kind kind, const double from[4][3], const double to[4][3], tide_impact *impact)
{
    tide_cubic c = tide_cubic_of_volume(from, to);
    bool above = true, below = true, flat = true;
    for (int k = 0; k < 4; k++) {
        above = above && c.b[k] > c.error;
        below = below && c.b[k] < -c.error;
        flat = flat && fabs(c.b[k]) <= c.error;
    }
    bool apart = above || below;
    impact->steps = 0;
    if (apart && fabs(c.b[3]) > 1e-6 * c.magnitude)
        return false;
    double scale = fmax(tide_impact_scale(kind, from), tide_impact_scale(kind, to)), p[4][3];
    double motion = relative_motion(kind, from, to);
    memcpy(p, from, sizeof p);
    double start = closest(kind, p, impact->weights);
    if (start > motion + CLOSE * scale)
        return false;
    double same = fmax(SAME * scale, ROUNDING * farthest(from, to)); // the latter where edges are small and far away
    double times[TIDE_CUBIC_CANDIDATES], doubt[TIDE_CUBIC_CANDIDATES];
    int count = apart ? 0 : tide_cubic_candidates(&c, times, doubt);
    bool doubtful = flat || (!apart && start <= 10 * same);
    for (int k = 0; k < count; k++)
        doubtful = doubtful || doubt[k] > 1e-3;
    if (doubtful && motion > 0 && advance(kind, from, to, motion, same, impact))
        return true;
    for (int k = 0; k < count && !doubtful; k++) {
        lerp(from, to, times[k], p);
        if (closest(kind, p, impact->weights) > same + motion * doubt[k])
            continue;
        if (by_plane(kind, &c, k > 0 ? times[k - 1] : 0, times[k], p, scale, impact))
            return true;
        return advance(kind, from, to, motion, same, impact);
    }
    memcpy(p, to, sizeof p);
    double end = closest(kind, p, impact->weights);
    return end <= CLOSE * scale && end < start && by_difference(impact, 1, difference(p, impact->weights));
}
