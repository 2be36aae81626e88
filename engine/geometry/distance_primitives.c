#include "geometry/distance_parts.h"

#include "base/memory.h"

#include <stdio.h>

// --- a plane

typedef struct plane {
    tide_distance base;
    tide_vec3 normal;
    double offset;
} plane;

static double plane_at(const tide_distance *distance, const double p[3], double gradient[3])
{
    const plane *self = (const plane *)distance;
    if (gradient)
        tide_vec3_store(gradient, self->normal);
    return tide_vec3_dot(self->normal, tide_vec3_load(p)) - self->offset;
}

static const tide_distance_kind plane_kind = { .name = "plane", .at = plane_at, .convex = true };

tide_status tide_distance_plane(const double normal[3], double offset, const tide_distance **out, tide_error *error)
{
    const char *object = "distance plane";
    double unit[3];
    TIDE_TRY(tide_distance_check_direction(normal, object, "normal", unit, error));
    char value[32];
    snprintf(value, sizeof value, "%.10g", offset);
    if (!(fabs(offset) <= TIDE_DISTANCE_LARGEST))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "offset", value, "expected a number from -1e9 to 1e9 m");
    plane *self = (plane *)tide_distance_allocate(&plane_kind, sizeof *self);
    if (!self)
        return tide_fail_memory(error, object);
    self->normal = tide_vec3_load(unit);
    self->offset = offset;
    for (int k = 0; k < 3; k++) {
        bool along = unit[(k + 1) % 3] == 0 && unit[(k + 2) % 3] == 0;
        self->base.lower[k] = along && unit[k] < 0 ? -offset : -INFINITY;
        self->base.upper[k] = along && unit[k] > 0 ? offset : INFINITY;
    }
    *out = &self->base;
    return TIDE_OK;
}

// --- a capsule; a sphere is a capsule of length 0

typedef struct capsule {
    tide_distance base;
    tide_vec3 from, axis; // axis: unit
    double length, radius;
} capsule;

static double capsule_at(const tide_distance *distance, const double p[3], double gradient[3])
{
    const capsule *self = (const capsule *)distance;
    tide_vec3 d = tide_vec3_subtract(tide_vec3_load(p), self->from);
    double along = fmin(fmax(tide_vec3_dot(d, self->axis), 0), self->length);
    d = tide_vec3_subtract(d, tide_vec3_scale(self->axis, along));
    double length = tide_vec3_length(d);
    if (gradient)
        tide_vec3_store(gradient,
                        length > 0 ? tide_vec3_scale(d, 1 / length) : tide_distance_perpendicular(self->axis));
    return length - self->radius;
}

static double sphere_at(const tide_distance *distance, const double p[3], double gradient[3])
{
    const capsule *self = (const capsule *)distance;
    tide_vec3 d = tide_vec3_subtract(tide_vec3_load(p), self->from);
    double length = tide_vec3_length(d);
    if (gradient)
        tide_vec3_store(gradient, length > 0 ? tide_vec3_scale(d, 1 / length) : self->axis);
    return length - self->radius;
}

static const tide_distance_kind capsule_kind = { .name = "capsule", .at = capsule_at, .convex = true };
static const tide_distance_kind sphere_kind = { .name = "sphere", .at = sphere_at, .convex = true };

static tide_status make_round(const tide_distance_kind *kind, const char *object, const double from[3],
                              const double to[3], double radius, const tide_distance **out, tide_error *error)
{
    TIDE_TRY(tide_distance_check_size(radius, object, "radius", error));
    capsule *self = (capsule *)tide_distance_allocate(kind, sizeof *self);
    if (!self)
        return tide_fail_memory(error, object);
    tide_vec3 line = tide_vec3_subtract(tide_vec3_load(to), tide_vec3_load(from));
    self->from = tide_vec3_load(from);
    self->length = tide_vec3_length(line);
    self->axis = self->length > 0 ? tide_vec3_scale(line, 1 / self->length) : (tide_vec3) { 0, 1, 0 };
    self->radius = radius;
    for (int k = 0; k < 3; k++) {
        self->base.lower[k] = fmin(from[k], to[k]) - radius;
        self->base.upper[k] = fmax(from[k], to[k]) + radius;
    }
    *out = &self->base;
    return TIDE_OK;
}

tide_status tide_distance_sphere(const double centre[3], double radius, const tide_distance **out, tide_error *error)
{
    tide_status status = tide_distance_check_point(centre, "distance sphere", "centre", error);
    return status ? status : make_round(&sphere_kind, "distance sphere", centre, centre, radius, out, error);
}

static bool is_one_point(const double a[3], const double b[3])
{
    tide_vec3 d = tide_vec3_subtract(tide_vec3_load(a), tide_vec3_load(b));
    return tide_vec3_length(d) < TIDE_DISTANCE_SMALLEST;
}

tide_status tide_distance_capsule(const double from[3], const double to[3], double radius, const tide_distance **out,
                                  tide_error *error)
{
    const char *object = "distance capsule";
    TIDE_TRY(tide_distance_check_point(from, object, "from", error));
    TIDE_TRY(tide_distance_check_point(to, object, "to", error));
    if (is_one_point(from, to))
        return make_round(&sphere_kind, object, from, from, radius, out, error);
    return make_round(&capsule_kind, object, from, to, radius, out, error);
}

// --- a cylinder

typedef struct cylinder {
    tide_distance base;
    tide_vec3 centre, axis;
    double half, radius; // half: half the length
} cylinder;

static double cylinder_at(const tide_distance *distance, const double p[3], double gradient[3])
{
    const cylinder *self = (const cylinder *)distance;
    tide_vec3 d = tide_vec3_subtract(tide_vec3_load(p), self->centre);
    double along = tide_vec3_dot(d, self->axis);
    tide_vec3 across = tide_vec3_subtract(d, tide_vec3_scale(self->axis, along));
    double ring = tide_vec3_length(across);
    double a = fabs(along) - self->half, r = ring - self->radius; // a: distance beyond the ends; r: beyond the side
    double value, weight_a, weight_r;
    if (a > 0 && r > 0) {
        value = sqrt(a * a + r * r);
        weight_a = a / value;
        weight_r = r / value;
    } else {
        value = fmax(a, r);
        weight_a = a > r;
        weight_r = !(a > r);
    }
    if (gradient) {
        tide_vec3 outward = ring > 0 ? tide_vec3_scale(across, 1 / ring) : tide_distance_perpendicular(self->axis);
        tide_vec3 g = tide_vec3_add(tide_vec3_scale(self->axis, along < 0 ? -weight_a : weight_a),
                                    tide_vec3_scale(outward, weight_r));
        tide_vec3_store(gradient, g);
    }
    return value;
}

static const tide_distance_kind cylinder_kind = { .name = "cylinder", .at = cylinder_at, .convex = true };

tide_status tide_distance_cylinder(const double from[3], const double to[3], double radius, const tide_distance **out,
                                   tide_error *error)
{
    const char *object = "distance cylinder";
    TIDE_TRY(tide_distance_check_point(from, object, "from", error));
    TIDE_TRY(tide_distance_check_point(to, object, "to", error));
    TIDE_TRY(tide_distance_check_size(radius, object, "radius", error));
    if (is_one_point(from, to)) {
        char value[96];
        snprintf(value, sizeof value, "{%.10g, %.10g, %.10g}", to[0], to[1], to[2]);
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "to", value, "expected a point other than `from`");
    }
    cylinder *self = (cylinder *)tide_distance_allocate(&cylinder_kind, sizeof *self);
    if (!self)
        return tide_fail_memory(error, object);
    tide_vec3 line = tide_vec3_subtract(tide_vec3_load(to), tide_vec3_load(from));
    double length = tide_vec3_length(line), axis[3];
    self->axis = tide_vec3_scale(line, 1 / length);
    self->centre = tide_vec3_add(tide_vec3_load(from), tide_vec3_scale(line, 0.5));
    self->half = length / 2;
    self->radius = radius;
    tide_vec3_store(axis, self->axis);
    for (int k = 0; k < 3; k++) {
        double reach = radius * sqrt(fmax(0, 1 - axis[k] * axis[k]));
        self->base.lower[k] = fmin(from[k], to[k]) - reach;
        self->base.upper[k] = fmax(from[k], to[k]) + reach;
    }
    *out = &self->base;
    return TIDE_OK;
}

// --- a box

typedef struct box {
    tide_distance base;
    double half[3], rounding; // half: half the sides of the box within the rounding
} box;

static double box_at(const tide_distance *distance, const double p[3], double gradient[3])
{
    const box *self = (const box *)distance;
    double beyond[3], squares = 0;
    int most = 0;
    for (int k = 0; k < 3; k++) {
        beyond[k] = fabs(p[k]) - self->half[k];
        if (beyond[k] > 0)
            squares += beyond[k] * beyond[k];
        if (beyond[k] > beyond[most])
            most = k;
    }
    double outside = sqrt(squares);
    if (gradient)
        for (int k = 0; k < 3; k++) {
            double size = outside > 0 ? fmax(beyond[k], 0) / outside : k == most;
            gradient[k] = p[k] < 0 ? -size : size;
        }
    return (outside > 0 ? outside : beyond[most]) - self->rounding;
}

static const tide_distance_kind box_kind = { .name = "box", .at = box_at, .convex = true };

tide_status tide_distance_box(const double size[3], double rounding, const tide_distance **out, tide_error *error)
{
    const char *object = "distance box";
    for (int k = 0; k < 3; k++) {
        tide_status status = tide_distance_check_size(size[k], object, "size", error);
        if (status != TIDE_OK)
            return status;
    }
    double most = fmin(size[0], fmin(size[1], size[2])) / 2;
    if (!(rounding >= 0 && rounding <= most)) {
        char value[32];
        snprintf(value, sizeof value, "%.10g", rounding);
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "rounding", value,
                         "expected a number from 0 to %.10g m, half of the shortest side", most);
    }
    box *self = (box *)tide_distance_allocate(&box_kind, sizeof *self);
    if (!self)
        return tide_fail_memory(error, object);
    self->rounding = rounding;
    for (int k = 0; k < 3; k++) {
        self->half[k] = size[k] / 2 - rounding;
        self->base.lower[k] = -size[k] / 2;
        self->base.upper[k] = size[k] / 2;
    }
    *out = &self->base;
    return TIDE_OK;
}

// --- a torus

typedef struct torus {
    tide_distance base;
    tide_vec3 centre, axis;
    double major, minor;
} torus;

static double torus_at(const tide_distance *distance, const double p[3], double gradient[3])
{
    const torus *self = (const torus *)distance;
    tide_vec3 d = tide_vec3_subtract(tide_vec3_load(p), self->centre);
    double along = tide_vec3_dot(d, self->axis);
    tide_vec3 across = tide_vec3_subtract(d, tide_vec3_scale(self->axis, along));
    double ring = tide_vec3_length(across), beyond = ring - self->major;
    double length = sqrt(along * along + beyond * beyond); // distance from the centre line of the tube
    if (gradient) {
        tide_vec3 outward = ring > 0 ? tide_vec3_scale(across, 1 / ring) : tide_distance_perpendicular(self->axis);
        double weight_a = length > 0 ? along / length : 1, weight_r = length > 0 ? beyond / length : 0;
        tide_vec3_store(gradient,
                        tide_vec3_add(tide_vec3_scale(self->axis, weight_a), tide_vec3_scale(outward, weight_r)));
    }
    return length - self->minor;
}

static const tide_distance_kind torus_kind = { .name = "torus", .at = torus_at };

tide_status tide_distance_torus(const double centre[3], const double axis[3], double major, double minor,
                                const tide_distance **out, tide_error *error)
{
    const char *object = "distance torus";
    double unit[3];
    TIDE_TRY(tide_distance_check_point(centre, object, "centre", error));
    TIDE_TRY(tide_distance_check_direction(axis, object, "axis", unit, error));
    TIDE_TRY(tide_distance_check_size(major, object, "major", error));
    TIDE_TRY(tide_distance_check_size(minor, object, "minor", error));
    if (minor > major) {
        char value[32];
        snprintf(value, sizeof value, "%.10g", minor);
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "minor", value,
                         "expected at most the major radius, %.10g m", major);
    }
    torus *self = (torus *)tide_distance_allocate(&torus_kind, sizeof *self);
    if (!self)
        return tide_fail_memory(error, object);
    self->centre = tide_vec3_load(centre);
    self->axis = tide_vec3_load(unit);
    self->major = major;
    self->minor = minor;
    for (int k = 0; k < 3; k++) {
        double reach = major * sqrt(fmax(0, 1 - unit[k] * unit[k])) + minor;
        self->base.lower[k] = centre[k] - reach;
        self->base.upper[k] = centre[k] + reach;
    }
    *out = &self->base;
    return TIDE_OK;
}
