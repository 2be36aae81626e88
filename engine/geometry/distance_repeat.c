#include "geometry/distance_parts.h"

#include "base/memory.h"

#include <stdio.h>

enum { MAX_COPIES = 1000000 };

typedef struct repeated {
    tide_distance base;
    const tide_distance *of;
    double spacing[3];
    int counts[3];
} repeated;

static double offset_of(const repeated *self, int axis, int copy)
{
    return self->counts[axis] > 1 ? (copy - 0.5 * (self->counts[axis] - 1)) * self->spacing[axis] : 0;
}

// Returns the distance of p beyond the bounds of a copy along one axis.
static double beyond(const repeated *self, const double p[3], int axis, int copy)
{
    double x = p[axis] - offset_of(self, axis, copy);
    return fmax(0, fmax(self->of->lower[axis] - x, x - self->of->upper[axis]));
}

// Returns the value of a copy, but at least the distance to its bounds. A copy may then be skipped if its bounds are
// farther than the value of another copy. Both change by at most 1 per metre, and so does their maximum.
static double copy_at(const repeated *self, const double p[3], const int copy[3], double gradient[3])
{
    double q[3], squares = 0, outside[3];
    for (int k = 0; k < 3; k++) {
        q[k] = p[k] - offset_of(self, k, copy[k]);
        outside[k] = beyond(self, p, k, copy[k]);
        squares += outside[k] * outside[k];
    }
    double value = tide_distance_at(self->of, q, gradient), to_bounds = sqrt(squares);
    if (to_bounds > 0 && to_bounds > value) {
        value = to_bounds;
        for (int k = 0; gradient && k < 3; k++)
            gradient[k] = (q[k] < self->of->lower[k] ? -outside[k] : outside[k]) / to_bounds;
    }
    return value;
}

static bool is_too_far(double squared, double least)
{
    return squared > 0 && (least <= 0 || squared >= least * least);
}

// Finds the first and the last copy along an axis whose bounds are nearer than `least`.
static void range_of(const repeated *self, const double p[3], int axis, int nearest, double least, int range[2])
{
    int first = nearest, last = nearest;
    while (first > 0) {
        double d = beyond(self, p, axis, first - 1);
        if (is_too_far(d * d, least))
            break;
        first--;
    }
    while (last + 1 < self->counts[axis]) {
        double d = beyond(self, p, axis, last + 1);
        if (is_too_far(d * d, least))
            break;
        last++;
    }
    range[0] = first;
    range[1] = last;
}

static double repeated_at(const tide_distance *distance, const double p[3], double gradient[3])
{
    const repeated *self = (const repeated *)distance;
    int nearest[3], range[3][2], copy[3];
    for (int k = 0; k < 3; k++) {
        double middle = self->of->lower[k] + self->of->upper[k]; // twice the middle; not finite when unbounded
        double x = p[k] - (isfinite(middle) ? middle / 2 : 0);
        double place = self->counts[k] > 1 ? x / self->spacing[k] + 0.5 * (self->counts[k] - 1) : 0;
        nearest[k] = (int)fmin(fmax(floor(place + 0.5), 0), self->counts[k] - 1);
    }
    double least = copy_at(self, p, nearest, gradient);
    for (int k = 0; k < 3; k++)
        range_of(self, p, k, nearest[k], least, range[k]);
    for (copy[2] = range[2][0]; copy[2] <= range[2][1]; copy[2]++)
        for (copy[1] = range[1][0]; copy[1] <= range[1][1]; copy[1]++)
            for (copy[0] = range[0][0]; copy[0] <= range[0][1]; copy[0]++) {
                double squared = 0, slope[3];
                for (int k = 0; k < 3; k++)
                    squared += beyond(self, p, k, copy[k]) * beyond(self, p, k, copy[k]);
                bool done = copy[0] == nearest[0] && copy[1] == nearest[1] && copy[2] == nearest[2];
                if (done || is_too_far(squared, least))
                    continue;
                double value = copy_at(self, p, copy, slope);
                if (!(value < least))
                    continue;
                least = value;
                for (int k = 0; gradient && k < 3; k++)
                    gradient[k] = slope[k];
            }
    return least;
}

static void repeated_destroy(tide_distance *distance)
{
    tide_distance_release(((repeated *)distance)->of);
}

static const tide_distance_kind repeated_kind = { .name = "repeat", .at = repeated_at, .destroy = repeated_destroy };

static tide_status check(const double spacing[3], const int counts[3], tide_error *error)
{
    double copies = 1;
    for (int k = 0; k < 3; k++) {
        char value[96];
        snprintf(value, sizeof value, "{%d, %d, %d}", counts[0], counts[1], counts[2]);
        copies *= counts[k];
        if (counts[k] < 1)
            return tide_fail(error, TIDE_ERROR_ARGUMENT, "distance repeat", "counts", value,
                             "expected whole numbers of at least 1");
        if (copies > MAX_COPIES)
            return tide_fail(error, TIDE_ERROR_ARGUMENT, "distance repeat", "counts", value,
                             "expected at most %d copies in all", MAX_COPIES);
        if (counts[k] > 1) {
            tide_status status = tide_distance_check_size(spacing[k], "distance repeat", "spacing", error);
            if (status != TIDE_OK)
                return status;
        }
    }
    return TIDE_OK;
}

tide_status tide_distance_repeat(const tide_distance *of, const double spacing[3], const int counts[3],
                                 const tide_distance **out, tide_error *error)
{
    tide_distance_nesting nesting;
    TIDE_TRY(check(spacing, counts, error));
    TIDE_TRY(tide_distance_nest(&of, 1, fmin(27, (double)counts[0] * counts[1] * counts[2]), "distance repeat",
                                &nesting, error));
    repeated *self = (repeated *)tide_distance_allocate(&repeated_kind, sizeof *self);
    if (!self)
        return tide_fail_memory(error, "distance repeat");
    self->base.steepest = of->steepest;
    self->base.depth = nesting.depth;
    self->base.cost = nesting.cost;
    self->of = tide_distance_retain(of);
    for (int k = 0; k < 3; k++) {
        self->spacing[k] = spacing[k];
        self->counts[k] = counts[k];
        double reach = offset_of(self, k, counts[k] - 1);
        bool empty = of->lower[k] == of->upper[k];
        self->base.lower[k] = of->lower[k] - (empty ? 0 : reach);
        self->base.upper[k] = of->upper[k] + (empty ? 0 : reach);
    }
    *out = &self->base;
    return TIDE_OK;
}
