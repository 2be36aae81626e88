#include "geometry/distance_parts.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

enum { MAX_CORNERS = 1 << 25 };

typedef struct sampled {
    tide_distance base;
    double origin[3], far[3]; // the bounds
    double cell[3];
    uint32_t cells[3];
    double *values; // ((cells + 1) along each axis) x fastest
} sampled;

static double *corner(const sampled *self, size_t i, size_t j, size_t k)
{
    return self->values + ((k * (self->cells[1] + 1) + j) * (self->cells[0] + 1) + i);
}

// Interpolates in the cell that contains `at`, which is within the bounds.
static double interpolate(const sampled *self, const double at[3], double gradient[3])
{
    size_t cell[3];
    double f[3];
    for (int k = 0; k < 3; k++) {
        double place = (at[k] - self->origin[k]) / self->cell[k];
        cell[k] = (size_t)fmin(fmax(floor(place), 0), self->cells[k] - 1);
        f[k] = fmin(fmax(place - (double)cell[k], 0), 1);
    }
    size_t row = self->cells[0] + 1, layer = row * (self->cells[1] + 1);
    const double *v = corner(self, cell[0], cell[1], cell[2]);
    // Along x, then along y: a is at the lower z, b at the upper z.
    double x00 = v[0] + f[0] * (v[1] - v[0]), x10 = v[row] + f[0] * (v[row + 1] - v[row]);
    double x01 = v[layer] + f[0] * (v[layer + 1] - v[layer]);
    double x11 = v[layer + row] + f[0] * (v[layer + row + 1] - v[layer + row]);
    double a = x00 + f[1] * (x10 - x00), b = x01 + f[1] * (x11 - x01);
    if (gradient) {
        double lower = (1 - f[1]) * (v[1] - v[0]) + f[1] * (v[row + 1] - v[row]);
        double upper = (1 - f[1]) * (v[layer + 1] - v[layer]) + f[1] * (v[layer + row + 1] - v[layer + row]);
        gradient[0] = ((1 - f[2]) * lower + f[2] * upper) / self->cell[0];
        gradient[1] = ((1 - f[2]) * (x10 - x00) + f[2] * (x11 - x01)) / self->cell[1];
        gradient[2] = (b - a) / self->cell[2];
    }
    return a + f[2] * (b - a);
}

// The intersection of the sampled function with the bounds. For p outside, let n be the nearest point of the bounds:
// the angle at n between p and any point within is at least a right angle, so that Pythagoras gives the least distance.
static double sampled_at(const tide_distance *distance, const double p[3], double gradient[3])
{
    const sampled *self = (const sampled *)distance;
    double nearest[3], outside[3], squares = 0, wall = -INFINITY;
    int axis = 0;
    bool upper = false;
    for (int k = 0; k < 3; k++) {
        nearest[k] = fmin(fmax(p[k], self->origin[k]), self->far[k]);
        outside[k] = p[k] - nearest[k];
        squares += outside[k] * outside[k];
        double below = self->origin[k] - p[k], above = p[k] - self->far[k];
        if (fmax(below, above) > wall) {
            wall = fmax(below, above);
            axis = k;
            upper = above > below;
        }
    }
    double value = interpolate(self, nearest, gradient);
    if (squares == 0) {
        if (wall <= value)
            return value;
        for (int k = 0; gradient && k < 3; k++)
            gradient[k] = k == axis ? (upper ? 1 : -1) : 0;
        return wall;
    }
    value = fmax(value, 0);
    double far = sqrt(squares + value * value);
    for (int k = 0; gradient && k < 3; k++)
        gradient[k] = (outside[k] != 0 ? outside[k] : value * gradient[k]) / far;
    return far;
}

static void sampled_destroy(tide_distance *distance)
{
    tide_free(((sampled *)distance)->values);
}

static const tide_distance_kind sampled_kind = { .name = "a function", .at = sampled_at, .destroy = sampled_destroy };

static tide_status refuse_sample(const double p[3], double sample, tide_error *error)
{
    char value[32];
    snprintf(value, sizeof value, "%g", sample);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, "distance grid", "sample", value,
                     "expected a finite distance at {%.10g, %.10g, %.10g}", p[0], p[1], p[2]);
}

static tide_status take_samples(sampled *self, tide_distance_sampler sample, void *context, tide_error *error)
{
    for (uint32_t k = 0; k <= self->cells[2]; k++)
        for (uint32_t j = 0; j <= self->cells[1]; j++)
            for (uint32_t i = 0; i <= self->cells[0]; i++) {
                const uint32_t index[3] = { i, j, k };
                double p[3], value = NAN;
                for (int axis = 0; axis < 3; axis++) {
                    double t = (double)index[axis] / self->cells[axis];
                    p[axis] = (1 - t) * self->origin[axis] + t * self->far[axis];
                }
                tide_status status = sample(context, p, &value, error);
                if (status != TIDE_OK)
                    return status;
                if (!isfinite(value))
                    return refuse_sample(p, value, error);
                *corner(self, i, j, k) = value;
            }
    return TIDE_OK;
}

// Computes the bounds of the cells that have a corner inside, and the steepest gradient. The square of each component
// of the gradient is convex along every axis of a cell, so that its maximum is at a corner.
static void measure(sampled *self)
{
    uint32_t first[3] = { UINT32_MAX, UINT32_MAX, UINT32_MAX }, last[3] = { 0, 0, 0 };
    double steepest = 1;
    for (uint32_t k = 0; k < self->cells[2]; k++)
        for (uint32_t j = 0; j < self->cells[1]; j++)
            for (uint32_t i = 0; i < self->cells[0]; i++) {
                bool inside = false;
                for (size_t c = 0; c < 8; c++) {
                    size_t x = c & 1, y = c >> 1 & 1, z = c >> 2;
                    inside = inside || *corner(self, i + x, j + y, k + z) < 0;
                    double dx = *corner(self, i + 1, j + y, k + z) - *corner(self, i, j + y, k + z);
                    double dy = *corner(self, i + x, j + 1, k + z) - *corner(self, i + x, j, k + z);
                    double dz = *corner(self, i + x, j + y, k + 1) - *corner(self, i + x, j + y, k);
                    dx /= self->cell[0];
                    dy /= self->cell[1];
                    dz /= self->cell[2];
                    steepest = fmax(steepest, dx * dx + dy * dy + dz * dz);
                }
                const uint32_t cell[3] = { i, j, k };
                for (int axis = 0; axis < 3 && inside; axis++) {
                    first[axis] = cell[axis] < first[axis] ? cell[axis] : first[axis];
                    last[axis] = cell[axis] > last[axis] ? cell[axis] : last[axis];
                }
            }
    self->base.steepest = sqrt(steepest);
    for (int axis = 0; axis < 3; axis++) {
        bool empty = first[axis] == UINT32_MAX;
        double lower = self->origin[axis] + first[axis] * self->cell[axis];
        double upper = fmin(self->origin[axis] + (last[axis] + 1) * self->cell[axis], self->far[axis]);
        self->base.lower[axis] = empty ? self->origin[axis] : lower;
        self->base.upper[axis] = empty ? self->origin[axis] : upper;
    }
}

static tide_status check(const double lower[3], const double upper[3], double cell, double counts[3], tide_error *error)
{
    const char *object = "distance grid";
    TIDE_TRY(tide_distance_check_size(cell, object, "cell", error));
    TIDE_TRY(tide_distance_check_point(lower, object, "lower", error));
    TIDE_TRY(tide_distance_check_point(upper, object, "upper", error));
    double corners = 1;
    for (int k = 0; k < 3; k++) {
        if (!(upper[k] - lower[k] >= TIDE_DISTANCE_SMALLEST)) {
            char value[128];
            snprintf(value, sizeof value, "%.10g to %.10g along %c", lower[k], upper[k], "xyz"[k]);
            return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "bounds", value,
                             "expected an upper corner above the lower one");
        }
        // Rounding must not add a cell to bounds that are a multiple of `cell`.
        counts[k] = fmax(1, ceil((upper[k] - lower[k]) / cell * (1 - 1e-12)));
        corners *= counts[k] + 1;
    }
    if (corners > MAX_CORNERS) {
        char value[32];
        snprintf(value, sizeof value, "%.10g", cell);
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "cell", value,
                         "the bounds would have %.4g corners of cells; expected at most %d: use larger cells", corners,
                         MAX_CORNERS);
    }
    return TIDE_OK;
}

tide_status tide_distance_grid(tide_distance_sampler sample, void *context, const double lower[3],
                               const double upper[3], double cell, const tide_distance **out, tide_error *error)
{
    double counts[3];
    tide_status status = check(lower, upper, cell, counts, error);
    if (status != TIDE_OK)
        return status;
    sampled *self = (sampled *)tide_distance_allocate(&sampled_kind, sizeof *self);
    if (!self)
        return tide_fail_memory(error, "distance grid");
    size_t corners = 1;
    for (int k = 0; k < 3; k++) {
        self->origin[k] = lower[k];
        self->far[k] = upper[k];
        self->cells[k] = (uint32_t)counts[k];
        self->cell[k] = (upper[k] - lower[k]) / counts[k];
        corners *= self->cells[k] + 1;
    }
    self->values = tide_allocate_array(corners, sizeof *self->values);
    status = self->values ? take_samples(self, sample, context, error) : tide_fail_memory(error, "distance grid");
    if (status != TIDE_OK) {
        tide_distance_release(&self->base);
        return status;
    }
    measure(self);
    *out = &self->base;
    return TIDE_OK;
}
