#include "geometry/distance_parts.h"

#include "base/elementary.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

static tide_status refuse_real(double number, const char *object, const char *field, const char *expected,
                               tide_error *error)
{
    char value[32];
    snprintf(value, sizeof value, "%.10g", number);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, object, field, value, "%s", expected);
}

// --- unions, intersections and differences
// All are minima: the intersection of A and B is the complement of the union of their complements.

typedef struct blended {
    tide_distance base;
    double blend, sign; // sign: of the result
    uint32_t count;
    struct part {
        const tide_distance *distance;
        double sign;
    } parts[];
} blended;

static double blended_at(const tide_distance *distance, const double p[3], double gradient[3])
{
    const blended *self = (const blended *)distance;
    double least = 0, slope[3];
    for (uint32_t i = 0; i < self->count; i++) {
        double next_slope[3], sign = self->parts[i].sign;
        double next = sign * tide_distance_at(self->parts[i].distance, p, gradient ? next_slope : NULL);
        double share = i == 0; // weight of `next` in the gradient
        if (i == 0)
            least = next;
        else {
            // The quadratic smooth minimum; it joins the minimum smoothly where the two differ by `blend`.
            double difference = fabs(least - next);
            double near = difference < self->blend ? 1 - difference / self->blend : 0;
            share = next < least ? 1 - near / 2 : near / 2;
            least = fmin(least, next) - near * near * self->blend / 4;
        }
        if (gradient)
            for (int k = 0; k < 3; k++)
                slope[k] = (i == 0 ? 0 : (1 - share) * slope[k]) + share * sign * next_slope[k];
    }
    if (gradient)
        for (int k = 0; k < 3; k++)
            gradient[k] = self->sign * slope[k];
    return self->sign * least;
}

static void blended_destroy(tide_distance *distance)
{
    blended *self = (blended *)distance;
    for (uint32_t i = 0; i < self->count; i++)
        tide_distance_release(self->parts[i].distance);
}

static const tide_distance_kind union_kind = { .name = "union", .at = blended_at, .destroy = blended_destroy };
static const tide_distance_kind intersection_kind = { .name = "intersection",
                                                      .at = blended_at,
                                                      .destroy = blended_destroy };
static const tide_distance_kind convex_intersection_kind = {
    .name = "intersection", .at = blended_at, .destroy = blended_destroy, .convex = true
};
static const tide_distance_kind difference_kind = { .name = "difference",
                                                    .at = blended_at,
                                                    .destroy = blended_destroy };

static tide_status make_blended(const tide_distance_kind *kind, const char *object, const tide_distance *const *parts,
                                uint32_t count, double sign, double blend, blended **out, tide_error *error)
{
    if (count < 1)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "parts", "0", "expected at least one part");
    if (!(blend >= 0 && blend <= TIDE_DISTANCE_LARGEST))
        return refuse_real(blend, object, "blend", "expected a number from 0 to 1e9 m", error);
    tide_distance_nesting nesting;
    TIDE_TRY(tide_distance_nest(parts, count, 1, object, &nesting, error));
    blended *self = (blended *)tide_distance_allocate(kind, sizeof *self + count * sizeof self->parts[0]);
    if (!self)
        return tide_fail_memory(error, object);
    self->base.depth = nesting.depth;
    self->base.cost = nesting.cost;
    self->blend = blend;
    self->sign = sign;
    self->count = count;
    for (uint32_t i = 0; i < count; i++) {
        self->parts[i] = (struct part) { tide_distance_retain(parts[i]), sign };
        self->base.steepest = fmax(self->base.steepest, parts[i]->steepest);
    }
    *out = self;
    return TIDE_OK;
}

static bool is_empty(const tide_distance *distance)
{
    return !(distance->lower[0] < distance->upper[0]);
}

static void set_empty(tide_distance *distance, const double at[3])
{
    for (int k = 0; k < 3; k++)
        distance->lower[k] = distance->upper[k] = isfinite(at[k]) ? at[k] : 0;
}

tide_status tide_distance_union(const tide_distance *const *parts, uint32_t count, double blend,
                                const tide_distance **out, tide_error *error)
{
    blended *self;
    TIDE_TRY(make_blended(&union_kind, "distance union", parts, count, 1, blend, &self, error));
    // Each part lowers the minimum by at most blend / 4. All parts together lower it by less than blend, as values that
    // are lower by `blend` stay as they are.
    double grown = blend * fmin((count - 1) / 4.0, 1);
    bool empty = blend == 0;
    for (int k = 0; k < 3; k++) {
        double lower = INFINITY, upper = -INFINITY;
        for (uint32_t i = 0; i < count; i++) {
            if (blend == 0 && is_empty(parts[i]))
                continue;
            lower = fmin(lower, parts[i]->lower[k]);
            upper = fmax(upper, parts[i]->upper[k]);
            empty = false;
        }
        self->base.lower[k] = lower - grown;
        self->base.upper[k] = upper + grown;
    }
    if (empty)
        set_empty(&self->base, parts[0]->lower);
    *out = &self->base;
    return TIDE_OK;
}

tide_status tide_distance_intersection(const tide_distance *const *parts, uint32_t count, double blend,
                                       const tide_distance **out, tide_error *error)
{
    bool convex = true;
    for (uint32_t i = 0; i < count; i++)
        convex = convex && parts[i]->kind->convex;
    blended *self;
    TIDE_TRY(make_blended(convex ? &convex_intersection_kind : &intersection_kind, "distance intersection", parts,
                          count, -1, blend, &self, error));
    bool empty = false;
    for (int k = 0; k < 3; k++) {
        double lower = -INFINITY, upper = INFINITY;
        for (uint32_t i = 0; i < count; i++) {
            lower = fmax(lower, parts[i]->lower[k]);
            upper = fmin(upper, parts[i]->upper[k]);
        }
        empty = empty || !(lower < upper);
        self->base.lower[k] = lower;
        self->base.upper[k] = upper;
    }
    if (empty)
        set_empty(&self->base, self->base.lower);
    *out = &self->base;
    return TIDE_OK;
}

tide_status tide_distance_difference(const tide_distance *const *parts, uint32_t count, double blend,
                                     const tide_distance **out, tide_error *error)
{
    blended *self;
    TIDE_TRY(make_blended(&difference_kind, "distance difference", parts, count, -1, blend, &self, error));
    for (uint32_t i = 1; i < count; i++)
        self->parts[i].sign = 1;
    memcpy(self->base.lower, parts[0]->lower, sizeof self->base.lower);
    memcpy(self->base.upper, parts[0]->upper, sizeof self->base.upper);
    *out = &self->base;
    return TIDE_OK;
}

// --- translation, rotation, scaling and growth

typedef struct moved {
    tide_distance base;
    const tide_distance *of;
    double rotation[9]; // row-major: p = factor * rotation * (p of the original) + by
    double by[3], factor, grown;
} moved;

static double moved_at(const tide_distance *distance, const double p[3], double gradient[3])
{
    const moved *self = (const moved *)distance;
    const double *r = self->rotation;
    double d[3], q[3], g[3];
    for (int k = 0; k < 3; k++)
        d[k] = (p[k] - self->by[k]) / self->factor;
    for (int k = 0; k < 3; k++)
        q[k] = r[k] * d[0] + r[3 + k] * d[1] + r[6 + k] * d[2];
    double value = tide_distance_at(self->of, q, gradient ? g : NULL);
    if (gradient)
        for (int k = 0; k < 3; k++)
            gradient[k] = r[3 * k] * g[0] + r[3 * k + 1] * g[1] + r[3 * k + 2] * g[2];
    return self->factor * value - self->grown;
}

static void moved_destroy(tide_distance *distance)
{
    tide_distance_release(((moved *)distance)->of);
}

static const tide_distance_kind moved_kind = { .name = "moved", .at = moved_at, .destroy = moved_destroy };
static const tide_distance_kind convex_moved_kind = {
    .name = "moved", .at = moved_at, .destroy = moved_destroy, .convex = true
};

// Computes the bounds of the transformed original. Infinite bounds stay infinite, except where the rotation has a 0.
static void set_moved_bounds(moved *self)
{
    for (int k = 0; k < 3; k++) {
        double lower = self->by[k] - self->grown, upper = self->by[k] + self->grown;
        for (int j = 0; j < 3; j++) {
            double turn = self->factor * self->rotation[3 * k + j];
            if (turn == 0)
                continue;
            double a = turn * self->of->lower[j], b = turn * self->of->upper[j];
            lower += fmin(a, b);
            upper += fmax(a, b);
        }
        self->base.lower[k] = lower;
        self->base.upper[k] = upper;
    }
    bool empty = is_empty(self->of) && self->grown <= 0;
    for (int k = 0; k < 3; k++)
        empty = empty || !(self->base.lower[k] < self->base.upper[k]);
    if (empty)
        set_empty(&self->base, self->base.lower);
}

static tide_status make_moved(const tide_distance *of, const char *object, const moved *motion,
                              const tide_distance **out, tide_error *error)
{
    tide_distance_nesting nesting;
    TIDE_TRY(tide_distance_nest(&of, 1, 1, object, &nesting, error));
    moved *self = (moved *)tide_distance_allocate(of->kind->convex ? &convex_moved_kind : &moved_kind, sizeof *self);
    if (!self)
        return tide_fail_memory(error, object);
    const tide_distance base = self->base;
    *self = *motion;
    self->base = base;
    self->base.depth = nesting.depth;
    self->base.cost = nesting.cost;
    self->base.steepest = of->steepest;
    self->of = tide_distance_retain(of);
    set_moved_bounds(self);
    *out = &self->base;
    return TIDE_OK;
}

static const moved unmoved = { .rotation = { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, .factor = 1 };

tide_status tide_distance_translate(const tide_distance *of, const double by[3], const tide_distance **out,
                                    tide_error *error)
{
    TIDE_TRY(tide_distance_check_point(by, "distance translate", "by", error));
    moved motion = unmoved;
    memcpy(motion.by, by, sizeof motion.by);
    return make_moved(of, "distance translate", &motion, out, error);
}

tide_status tide_distance_rotate(const tide_distance *of, const double axis[3], double angle, const tide_distance **out,
                                 tide_error *error)
{
    double a[3];
    TIDE_TRY(tide_distance_check_direction(axis, "distance rotate", "axis", a, error));
    if (!isfinite(angle))
        return refuse_real(angle, "distance rotate", "angle", "expected a finite number", error);
    moved motion = unmoved;
    double c = tide_cos(angle), s = tide_sin(angle);
    const double cross[9] = { 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0 };
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++)
            motion.rotation[3 * k + j] = (k == j ? c : 0) + s * cross[3 * k + j] + (1 - c) * a[k] * a[j];
    return make_moved(of, "distance rotate", &motion, out, error);
}

tide_status tide_distance_scale(const tide_distance *of, double factor, const tide_distance **out, tide_error *error)
{
    if (!(factor >= TIDE_DISTANCE_SMALLEST && factor <= TIDE_DISTANCE_LARGEST))
        return refuse_real(factor, "distance scale", "factor", "expected a number from 1e-9 to 1e9", error);
    moved motion = unmoved;
    motion.factor = factor;
    return make_moved(of, "distance scale", &motion, out, error);
}

tide_status tide_distance_grow(const tide_distance *of, double by, const tide_distance **out, tide_error *error)
{
    if (!(fabs(by) <= TIDE_DISTANCE_LARGEST))
        return refuse_real(by, "distance grow", "by", "expected a number from -1e9 to 1e9 m", error);
    moved motion = unmoved;
    motion.grown = by;
    return make_moved(of, "distance grow", &motion, out, error);
}
