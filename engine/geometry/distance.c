#include "geometry/distance_parts.h"

#include "base/memory.h"
#include "base/stop.h"
#include "base/thread_local.h"

#include <stdio.h>

enum { POLL = 1024 };

double tide_distance_at(const tide_distance *distance, const double p[3], double gradient[3])
{
    // Values are computed by the million, and one value may have many parts: a stop is polled now and then.
    static TIDE_THREAD_LOCAL uint32_t count;
    if (++count % POLL == 0 && tide_stop_requested()) {
        count--; // the next calls return at once, too
        if (gradient)
            tide_vec3_store(gradient, (tide_vec3) { 0, 1, 0 });
        return 1;
    }
    return distance->kind->at(distance, p, gradient);
}

tide_distance *tide_distance_allocate(const tide_distance_kind *kind, size_t size)
{
    tide_distance *distance = tide_allocate_zeroed(1, size);
    if (!distance)
        return NULL;
    distance->kind = kind;
    distance->references = 1;
    distance->steepest = 1;
    distance->cost = 1;
    return distance;
}

const tide_distance *tide_distance_retain(const tide_distance *distance)
{
    __atomic_fetch_add(&((tide_distance *)distance)->references, 1, __ATOMIC_RELAXED);
    return distance;
}

void tide_distance_release(const tide_distance *distance)
{
    if (!distance || __atomic_sub_fetch(&((tide_distance *)distance)->references, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    TIDE_SCOPED tide_distance *last = (tide_distance *)distance;
    if (last->kind->destroy)
        last->kind->destroy(last);
}

// --- checks

tide_status tide_distance_check_size(double size, const char *object, const char *field, tide_error *error)
{
    if (size >= TIDE_DISTANCE_SMALLEST && size <= TIDE_DISTANCE_LARGEST)
        return TIDE_OK;
    char value[32];
    snprintf(value, sizeof value, "%.10g", size);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, object, field, value, "expected a number from %g to %g m",
                     TIDE_DISTANCE_SMALLEST, TIDE_DISTANCE_LARGEST);
}

static tide_status refuse_vector(const double v[3], const char *object, const char *field, const char *expected,
                                 tide_error *error)
{
    char value[96];
    snprintf(value, sizeof value, "{%.10g, %.10g, %.10g}", v[0], v[1], v[2]);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, object, field, value, "%s", expected);
}

tide_status tide_distance_check_point(const double p[3], const char *object, const char *field, tide_error *error)
{
    for (int k = 0; k < 3; k++)
        if (!(fabs(p[k]) <= TIDE_DISTANCE_LARGEST))
            return refuse_vector(p, object, field, "expected numbers from -1e9 to 1e9 m", error);
    return TIDE_OK;
}

tide_status tide_distance_check_direction(const double v[3], const char *object, const char *field, double unit[3],
                                          tide_error *error)
{
    double largest = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
    if (!(largest > 0) || !isfinite(v[0]) || !isfinite(v[1]) || !isfinite(v[2]))
        return refuse_vector(v, object, field, "expected a direction: finite numbers, not all 0", error);
    // Scaled by the largest first, so that no square overflows or vanishes.
    tide_vec3 scaled = { v[0] / largest, v[1] / largest, v[2] / largest };
    tide_vec3_store(unit, tide_vec3_normalize(scaled));
    return TIDE_OK;
}

tide_status tide_distance_nest(const tide_distance *const *parts, uint32_t count, double times, const char *object,
                               tide_distance_nesting *nesting, tide_error *error)
{
    uint32_t deepest = 0;
    double cost = 0;
    for (uint32_t i = 0; i < count; i++) {
        deepest = parts[i]->depth > deepest ? parts[i]->depth : deepest;
        cost += times * parts[i]->cost;
    }
    if (deepest >= TIDE_DISTANCE_DEPTH)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, NULL, NULL,
                         "at most %d operations may be nested; combine many parts in one call, "
                         "tide.distance.union { a, b, ... }, and move a part once",
                         TIDE_DISTANCE_DEPTH);
    if (cost > TIDE_DISTANCE_COST)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, NULL, NULL,
                         "a value would be made of %.3g primitives; at most %.0e may be combined; use fewer parts or "
                         "copies",
                         cost, TIDE_DISTANCE_COST);
    *nesting = (tide_distance_nesting) { deepest + 1, cost };
    return TIDE_OK;
}

tide_vec3 tide_distance_perpendicular(tide_vec3 unit)
{
    // The cross product with the axis that is most nearly perpendicular.
    double x = fabs(unit.x), y = fabs(unit.y), z = fabs(unit.z);
    tide_vec3 other = { x <= y && x <= z, y < x && y <= z, z < x && z < y };
    return tide_vec3_normalize(tide_vec3_cross(unit, other));
}
