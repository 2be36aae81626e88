#include "collision/collider.h"

#include "base/elementary.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "collision/collider_vertices.h"
#include "collision/keyframes.h"
#include "geometry/distance_near.h"

#include <stdio.h>
#include <string.h>

static const char *const interpolations[] = { "linear", "smooth", NULL };

#define FIELD(member) .name = #member, .offset = offsetof(tide_collider_def, member)
const tide_field tide_collider_fields[] = {
    { .name = "shape",
      .type = TIDE_FIELD_OTHER,
      .lua_type = "string",
      .required = true,
      .help = "kind of shape: \"sphere\", \"plane\", ...; `springtide shapes` lists them with their fields" },
    { FIELD(friction), .type = TIDE_FIELD_REAL, .initial = { 0.3 }, .maximum = INFINITY,
      .lua_type = "number | tide.Friction",
      .help = "Coulomb's coefficient of friction: the largest friction force divided by the normal force; or { along = "
              "..., across = ..., direction = { x, y, z } }, which depends on the direction along the surface" },
    { FIELD(contact_material), .type = TIDE_FIELD_TEXT, .initial_text = "",
      .help = "name of its material in the scene's friction_pairs" },
    { FIELD(rolling), .type = TIDE_FIELD_REAL, .maximum = 1000, .unit = "m",
      .help = "coefficient of rolling friction of rigid bodies on it: the torque that resists rolling, divided by the "
              "normal force; between two objects the larger one applies" },
    { FIELD(restitution), .type = TIDE_FIELD_REAL, .maximum = 1,
      .help = "coefficient of restitution: the fraction of the approach speed that a bounce keeps" },
    { FIELD(thickness), .type = TIDE_FIELD_REAL, .maximum = TIDE_DISTANCE_LARGEST, .unit = "m",
      .help = "distance kept between its surface and bodies" },
    { FIELD(colour), .type = TIDE_FIELD_VECTOR, .initial = { 0.72, 0.70, 0.67 }, .maximum = 1,
      .help = "colour: red, green, blue in sRGB" },
    { FIELD(visible), .type = TIDE_FIELD_BOOLEAN, .initial = { 1 }, .help = "draw the collider" },
    { .name = "move",
      .type = TIDE_FIELD_OTHER,
      .lua_type = "function",
      .help =
          "function(t) that returns the position at time t (s), as x, y, z or as a table { position =, rotation = }" },
    { .name = "keyframes",
      .type = TIDE_FIELD_OTHER,
      .lua_type = "tide.Keyframe[]",
      .help = "positions and rotations over time: { { time =, position =, rotation = }, ... }" },
    { FIELD(interpolation), .type = TIDE_FIELD_CHOICE, .choices = interpolations,
      .help = "\"linear\": straight lines between keyframes; \"smooth\": continuous velocity without overshoot" },
    { FIELD(loop), .type = TIDE_FIELD_BOOLEAN, .help = "repeat the keyframes; the last must then equal the first" },
    { 0 },
};
#undef FIELD

tide_collider_def tide_collider_def_default(void)
{
    tide_collider_def def = { 0 };
    tide_fields_default(tide_collider_fields, &def);
    return def;
}

static tide_status create(const tide_collider_def *def, const char *object, tide_collider *self, tide_error *error)
{
    tide_status status = tide_fields_check(tide_collider_fields, object, def, error);
    if (status != TIDE_OK)
        return status;
    TIDE_TRY(tide_directed_friction_check(&def->directed, def->friction, object, error));
    if (def->directed.warp)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "friction.direction", "\"warp\"",
                         "only cloth has a warp; give a vector in the world");
    if (!def->shape)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "shape", NULL, "expected a shape");
    self->kind = def->shape;
    self->friction = def->friction;
    self->restitution = def->restitution;
    self->rolling = def->rolling;
    self->thickness = def->thickness;
    memcpy(self->contact_material, def->contact_material, sizeof self->contact_material);
    memcpy(self->colour, def->colour, sizeof self->colour);
    self->visible = def->visible;
    self->script_line = def->script_line;
    self->name = tide_own(self, tide_copy_string(def->name));
    self->script_file = tide_own(self, tide_copy_string(def->script_file ? def->script_file : ""));
    if (!tide_owns_all(self))
        return tide_fail_memory(error, object);
    status = tide_shape_create(def->shape, def->definition, &self->shape, error);
    if (status != TIDE_OK) {
        // The user knows the name of the collider, not that of the shape.
        if (error)
            snprintf(error->object, sizeof error->object, "%s", object);
        return status;
    }
    if (self->kind->warn)
        self->kind->warn(def->definition, &self->shape, object);
    self->start = self->end = self->shape.pose;
    self->friction_ratio = tide_directed_friction_ratio(&def->directed, def->friction);
    tide_directed_friction_axis(&def->directed, self->friction_axis);
    tide_pose_turn_inverse(&self->shape.pose, self->friction_axis, self->friction_axis);
    uint32_t frames = self->shape.deform ? tide_deform_frame_count(self->shape.deform) : 0;
    if (def->loop && def->keyframe_count < 2 && (frames < 2 || def->keyframe_count == 1))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "loop", "true",
                         "a loop needs at least two keyframes, or frames");
    status = tide_collider_take_keyframes(self, def, object, error);
    if (status == TIDE_OK && self->keyframe_count > 0)
        self->start = self->end = tide_collider_keyframe_pose(self, 0);
    if (status == TIDE_OK && def->loop && frames > 0 && !tide_deform_comes_back(self->shape.deform))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "loop", "true",
                         "a loop must end as it begins: add the first frame once more after the last");
    return status;
}

tide_status tide_collider_create(const tide_collider_def *def, tide_collider **collider, tide_error *error)
{
    char object[96] = "collider";
    tide_collider *self = NULL;
    tide_status status;
    if (def->name && def->name[0]) {
        snprintf(object, sizeof object, "collider \"%.80s\"", def->name);
        self = tide_allocate_zeroed(1, sizeof *self);
        status = self ? create(def, object, self, error) : tide_fail_memory(error, object);
    } else
        status = tide_fail(error, TIDE_ERROR_ARGUMENT, object, "name", def->name, "expected a text that is not empty");
    if (status == TIDE_OK) {
        *collider = self;
        return TIDE_OK;
    }
    tide_error_locate(error, def->script_file, def->script_line);
    tide_collider_destroy(self);
    return status;
}

void tide_collider_destroy(tide_collider *collider)
{
    if (!collider)
        return;
    tide_shape_release(&collider->shape);
    tide_free(collider);
}

tide_status tide_collider_copy(const tide_collider *collider, tide_collider **copy, tide_error *error)
{
    tide_collider *self = tide_copy_bytes(collider, sizeof *collider);
    if (!self)
        return tide_fail_memory(error, "collider");
    tide_mesh_retain(self->shape.surface);
    self->shape.deform = NULL;
    if (!collider->shape.deform)
        tide_distance_retain(self->shape.distance);
    else if (tide_deform_copy(collider->shape.deform, &self->shape.deform, error) == TIDE_OK)
        self->shape.distance = self->shape.deform->after;
    else {
        tide_mesh_release(self->shape.surface);
        tide_free(self);
        return TIDE_ERROR_MEMORY;
    }
    self->name = tide_own(self, tide_copy_string(collider->name));
    self->script_file = tide_own(self, tide_copy_string(collider->script_file));
    self->keyframes =
        tide_own(self, tide_copy_bytes(collider->keyframes, self->keyframe_count * sizeof *self->keyframes));
    if (!tide_owns_all(self)) {
        tide_collider_destroy(self);
        return tide_fail_memory(error, "collider");
    }
    *copy = self;
    return TIDE_OK;
}

// --- motion

void tide_collider_set_poses(tide_collider *collider, const tide_pose *start, const tide_pose *end)
{
    collider->start = *start;
    collider->end = *end;
    collider->moving = !tide_pose_equal(start, end) || (collider->shape.deform && collider->shape.deform->moving);
}

static tide_status check_pose(const tide_collider *collider, tide_pose *pose, tide_error *error)
{
    char object[96];
    snprintf(object, sizeof object, "collider \"%.80s\"", collider->name);
    tide_status status = tide_pose_check(pose, object, error);
    if (status != TIDE_OK && collider->script_file[0])
        tide_error_locate(error, collider->script_file, collider->script_line);
    return status;
}

tide_status tide_collider_move(tide_collider *collider, const tide_pose *end, tide_error *error)
{
    tide_pose pose = *end;
    TIDE_TRY(check_pose(collider, &pose, error));
    tide_collider_set_poses(collider, &collider->start, &pose);
    return TIDE_OK;
}

tide_status tide_collider_place(tide_collider *collider, const tide_pose *pose, tide_error *error)
{
    tide_pose there = *pose;
    TIDE_TRY(check_pose(collider, &there, error));
    tide_collider_set_poses(collider, &there, &there);
    return TIDE_OK;
}

void tide_collider_follow(tide_collider *collider, double time)
{
    tide_pose pose = tide_collider_keyframe_pose(collider, time);
    if (collider->shape.deform)
        tide_deform_follow(collider->shape.deform, time, collider->loop,
                           collider->interpolation == TIDE_INTERPOLATION_SMOOTH);
    if (collider->keyframe_count > 0 || collider->shape.deform)
        tide_collider_set_poses(collider, &collider->start, &pose);
}

void tide_collider_end_motion(tide_collider *collider)
{
    if (collider->shape.deform)
        tide_deform_end_motion(collider->shape.deform);
    tide_collider_set_poses(collider, &collider->end, &collider->end);
}

void tide_collider_prepare(tide_collider *collider, double from, double to)
{
    if (collider->shape.deform)
        tide_deform_prepare(collider->shape.deform, from, to);
}

void tide_collider_set_vertices(tide_collider *collider, const double *start, const double *end)
{
    tide_deform_set(collider->shape.deform, start, end);
    tide_collider_set_poses(collider, &collider->start, &collider->end);
}

const double *tide_collider_vertices(const tide_collider *collider)
{
    return collider->shape.deform ? collider->shape.deform->start : collider->shape.surface->vertices;
}

// --- queries

tide_pose tide_collider_pose(const tide_collider *collider, double fraction)
{
    return collider->moving ? tide_pose_interpolate(&collider->start, &collider->end, fraction) : collider->start;
}

// Extends the bounds by those of the inside at one pose, and `reach` to its distance from the frame's origin.
static void add_bounds(const tide_collider *collider, const tide_pose *pose, double lower[3], double upper[3],
                       double *reach)
{
    const tide_distance *distance = collider->shape.distance;
    double squares = 0, least[3], most[3], own_lower[3], own_upper[3];
    memcpy(own_lower, distance->lower, sizeof own_lower);
    memcpy(own_upper, distance->upper, sizeof own_upper);
    for (int k = 0; k < 3 && collider->shape.deform; k++) {
        own_lower[k] = fmin(own_lower[k], collider->shape.deform->before->lower[k]);
        own_upper[k] = fmax(own_upper[k], collider->shape.deform->before->upper[k]);
    }
    memcpy(least, pose->position, sizeof least);
    memcpy(most, pose->position, sizeof most);
    for (int j = 0; j < 3; j++) {
        const double unit[3] = { j == 0, j == 1, j == 2 };
        double axis[3];
        tide_pose_turn(pose, unit, axis);
        for (int k = 0; k < 3; k++) {
            if (axis[k] == 0)
                continue;
            least[k] += fmin(axis[k] * own_lower[j], axis[k] * own_upper[j]);
            most[k] += fmax(axis[k] * own_lower[j], axis[k] * own_upper[j]);
        }
        double far = fmax(fabs(own_lower[j]), fabs(own_upper[j]));
        squares += far * far;
    }
    for (int k = 0; k < 3; k++) {
        lower[k] = fmin(lower[k], least[k]);
        upper[k] = fmax(upper[k], most[k]);
    }
    *reach = sqrt(squares);
}

void tide_collider_bounds(const tide_collider *collider, double from, double to, double lower[3], double upper[3])
{
    double reach;
    tide_pose a = tide_collider_pose(collider, from), b = tide_collider_pose(collider, to);
    for (int k = 0; k < 3; k++) {
        lower[k] = INFINITY;
        upper[k] = -INFINITY;
    }
    add_bounds(collider, &a, lower, upper, &reach);
    add_bounds(collider, &b, lower, upper, &reach);
    // Points leave the chord between their ends by at most the sagitta of the arc that they turn through.
    double angle = collider->moving ? tide_pose_angle(&a, &b) : 0;
    double grown = collider->thickness + (angle > 0 ? reach * (1 - tide_cos(angle / 2)) : 0);
    for (int k = 0; k < 3; k++) {
        // Slack for rounding, here and in distances.
        double slack = 1e-12 * (fabs(collider->start.position[k]) + fabs(collider->end.position[k])) +
                       (isfinite(reach) ? 1e-12 * reach : 0);
        lower[k] -= grown + slack;
        upper[k] += grown + slack;
    }
}

double tide_collider_gap_at(const tide_collider *collider, const tide_pose *pose, const double p[3], double normal[3])
{
    double own[3];
    uint32_t hint = TIDE_NO_HINT;
    tide_pose_apply_inverse(pose, p, own);
    if (normal)
        return tide_collider_gap_from(collider, pose, own, &hint, normal);
    return tide_distance_at(collider->shape.distance, own, NULL) - collider->thickness;
}

double tide_collider_gap_before(const tide_collider *collider, const tide_pose *pose, const double p[3], uint32_t hint)
{
    double own[3];
    tide_pose_apply_inverse(pose, p, own);
    if (collider->shape.deform)
        return tide_distance_at(collider->shape.deform->before, own, NULL) - collider->thickness;
    return tide_distance_at_from(collider->shape.distance, own, &hint, NULL) - collider->thickness;
}

double tide_collider_gap_from(const tide_collider *collider, const tide_pose *pose, const double own[3], uint32_t *hint,
                              double normal[3])
{
    double gradient[3], value = tide_distance_at_from(collider->shape.distance, own, hint, gradient);
    tide_vec3 g = tide_vec3_load(gradient);
    double length = tide_vec3_length(g);
    if (length > 0 && isfinite(length)) {
        tide_vec3_store(gradient, tide_vec3_scale(g, 1 / length));
        tide_pose_turn(pose, gradient, normal);
    } else
        tide_vec3_store(normal, (tide_vec3) { 0, 1, 0 });
    return value - collider->thickness;
}

double tide_collider_gap(const tide_collider *collider, double fraction, const double p[3], double normal[3])
{
    tide_pose pose = tide_collider_pose(collider, fraction);
    return tide_collider_gap_at(collider, &pose, p, normal);
}

void tide_collider_motion(const tide_collider *collider, double fraction0, double fraction1, const double p[3],
                          double out[3])
{
    if (!collider->moving) {
        out[0] = out[1] = out[2] = 0;
        return;
    }
    tide_pose from = tide_collider_pose(collider, fraction0), to = tide_collider_pose(collider, fraction1);
    tide_collider_motion_in(collider, &from, &to, p, TIDE_NO_HINT, out);
}

void tide_collider_motion_in(const tide_collider *collider, const tide_pose *from, const tide_pose *to,
                             const double p[3], uint32_t hint, double out[3])
{
    double own[3], drag[3];
    if (!collider->shape.deform || !collider->shape.deform->moving) {
        tide_collider_motion_between(from, to, p, out);
        return;
    }
    tide_pose_apply_inverse(to, p, own);
    tide_deform_drag(collider->shape.deform, own, hint, drag);
    for (int k = 0; k < 3; k++)
        own[k] -= drag[k];
    tide_pose_apply(from, own, own);
    for (int k = 0; k < 3; k++)
        out[k] = p[k] - own[k];
}

void tide_collider_motion_between(const tide_pose *from, const tide_pose *to, const double p[3], double out[3])
{
    double own[3], was[3];
    tide_pose_apply_inverse(to, p, own);
    tide_pose_apply(from, own, was);
    for (int k = 0; k < 3; k++)
        out[k] = p[k] - was[k];
}
