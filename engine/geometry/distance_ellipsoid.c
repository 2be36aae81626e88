#include "geometry/distance_parts.h"

#include "base/memory.h"

// The nearest point x of p, both relative to the centre, satisfies p - x = t x / r^2 (parallel to the normal) for each
// axis, so x = r^2 p / (t + r^2). The point x is on the surface for the largest root t of
//     |v(t)| = 1,   v = r p / (t + r^2).
// With the smallest radius m as the unit, s = 1 + t / m^2 and c = (r / m)^2 - 1, this is v = (r / m) (p / m) / (s + c),
// s > 0. As 1 / |v| - 1 is concave and increasing, Newton's method from a point left of the root increases to the root
// without passing it (More and Sorensen 1983, for the same equation in trust regions).
typedef struct ellipsoid {
    tide_distance base;
    double centre[3];
    double unit;                   // the smallest radius
    double ratios[3], excesses[3]; // r / m and c
} ellipsoid;

// Returns |v| and sets *slope to the sum of v^2 / (s + c), over the axes that `skipped` does not mark.
static double solve_length(const ellipsoid *self, const double w[3], const bool skipped[3], double s, double *slope)
{
    double squares = 0;
    *slope = 0;
    for (int k = 0; k < 3; k++) {
        if (skipped[k])
            continue;
        double v = self->ratios[k] * w[k] / (s + self->excesses[k]);
        squares += v * v;
        *slope += v * v / (s + self->excesses[k]);
    }
    return sqrt(squares);
}

// Returns the root s for w = |p| / m. Returns 0 where the nearest point leaves the plane (or line, or centre) that p is
// in, along an axis of the smallest radius.
static double solve(const ellipsoid *self, const double w[3])
{
    bool skipped[3];
    double s = 0;
    for (int k = 0; k < 3; k++) {
        // At this s, the component of v along the axis is 1, so that the root is not to the left of it.
        s = fmax(s, self->ratios[k] * w[k] - self->excesses[k]);
        skipped[k] = self->excesses[k] == 0 && w[k] < 1e-15;
    }
    double slope, length = solve_length(self, w, skipped, s, &slope);
    if (!(length > 1) && s == 0)
        return 0;
    for (int i = 0; i < 64 && length > 1 && slope > 0; i++) {
        double next = s + (length - 1) * length * length / slope;
        if (!(next > s))
            break;
        s = next;
        length = solve_length(self, w, skipped, s, &slope);
    }
    return s;
}

static double ellipsoid_at(const tide_distance *distance, const double p[3], double gradient[3])
{
    const ellipsoid *self = (const ellipsoid *)distance;
    double w[3], x[3], left = 1;
    for (int k = 0; k < 3; k++)
        w[k] = fabs(p[k] - self->centre[k]) / self->unit;
    double s = solve(self, w);
    int shortest = 0;
    for (int k = 0; k < 3; k++) {
        double divisor = s + self->excesses[k];
        x[k] = divisor > 0 ? self->ratios[k] * self->ratios[k] * w[k] / divisor : 0;
        left -= x[k] * x[k] / (self->ratios[k] * self->ratios[k]);
        if (self->excesses[k] == 0)
            shortest = k;
    }
    if (s == 0)
        x[shortest] = sqrt(fmax(left, 0));
    double normal[3], squares = 0;
    for (int k = 0; k < 3; k++) {
        normal[k] = x[k] / (self->ratios[k] * self->ratios[k]);
        squares += normal[k] * normal[k];
    }
    double length = sqrt(squares);
    if (gradient)
        for (int k = 0; k < 3; k++)
            gradient[k] = (p[k] < self->centre[k] ? -normal[k] : normal[k]) / length;
    return (s - 1) * length * self->unit;
}

static const tide_distance_kind ellipsoid_kind = { .name = "ellipsoid", .at = ellipsoid_at, .convex = true };

tide_status tide_distance_ellipsoid(const double centre[3], const double radii[3], const tide_distance **out,
                                    tide_error *error)
{
    const char *object = "distance ellipsoid";
    TIDE_TRY(tide_distance_check_point(centre, object, "centre", error));
    for (int k = 0; k < 3; k++)
        TIDE_TRY(tide_distance_check_size(radii[k], object, "radii", error));
    ellipsoid *self = (ellipsoid *)tide_distance_allocate(&ellipsoid_kind, sizeof *self);
    if (!self)
        return tide_fail_memory(error, object);
    self->unit = fmin(radii[0], fmin(radii[1], radii[2]));
    for (int k = 0; k < 3; k++) {
        self->centre[k] = centre[k];
        self->ratios[k] = radii[k] / self->unit;
        self->excesses[k] = (self->ratios[k] - 1) * (self->ratios[k] + 1);
        self->base.lower[k] = centre[k] - radii[k];
        self->base.upper[k] = centre[k] + radii[k];
    }
    *out = &self->base;
    return TIDE_OK;
}
