#include "collision/collider_vertices.h"

#include "base/memory.h"
#include "base/vec3.h"
#include "collision/keyframes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct tide_frames {
    uint32_t references, count;
    size_t size;     // numbers in a frame
    double values[]; // (count * size)
};

static const char object[] = "shape mesh";

// --- frames ----------------------------------------------------------------------------------------------------------

static tide_status refuse_frame(uint32_t index, const char *value, const char *expected, tide_error *error)
{
    char field[32];
    snprintf(field, sizeof field, "frames[%u]", index + 1);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, object, field, value, "%s", expected);
}

static tide_status take_frame(const tide_shape_mesh_def *def, uint32_t index, double *values, tide_error *error)
{
    const tide_shape_frame *frame = &def->frames[index];
    const tide_mesh *mesh = def->mesh;
    uint32_t count = frame->mesh ? frame->mesh->vertex_count : frame->vertex_count;
    const double *vertices = frame->mesh ? frame->mesh->vertices : frame->vertices;
    char value[64], expected[160];
    if (count != mesh->vertex_count) {
        snprintf(value, sizeof value, "%u vertices", count);
        snprintf(
            expected, sizeof expected,
            "expected %u as the collider's mesh has; save all frames from one mesh, with its vertices in one order",
            mesh->vertex_count);
        return refuse_frame(index, value, expected, error);
    }
    if (frame->mesh && (frame->mesh->triangle_count != mesh->triangle_count ||
                        memcmp(frame->mesh->triangles, mesh->triangles,
                               3 * (size_t)mesh->triangle_count * sizeof *mesh->triangles) != 0))
        return refuse_frame(index, NULL,
                            "its triangles are not those of the collider's mesh; save all frames from one mesh, with "
                            "its vertices and triangles in one order",
                            error);
    for (size_t i = 0; i < 3 * (size_t)count; i++) {
        values[i] = def->scale * vertices[i];
        if (!(fabs(values[i]) <= TIDE_DISTANCE_LARGEST)) {
            snprintf(value, sizeof value, "%.10g", vertices[i]);
            snprintf(expected, sizeof expected,
                     "vertex %zu is not finite or too far away: expected coordinates from -1e9 to 1e9 m", i / 3 + 1);
            return refuse_frame(index, value, expected, error);
        }
    }
    return TIDE_OK;
}

static tide_status take_frames(const tide_shape_mesh_def *def, tide_frames **out, tide_error *error)
{
    size_t size = 3 * (size_t)def->mesh->vertex_count;
    if (def->frame_count > SIZE_MAX / 2 / sizeof(double) / size)
        return tide_fail_memory(error, object);
    tide_frames *frames = tide_allocate(sizeof *frames + def->frame_count * size * sizeof(double));
    if (!frames)
        return tide_fail_memory(error, object);
    frames->references = 1;
    frames->count = def->frame_count;
    frames->size = size;
    tide_status status = TIDE_OK;
    for (uint32_t i = 0; i < def->frame_count && status == TIDE_OK; i++)
        status = take_frame(def, i, frames->values + i * size, error);
    if (status == TIDE_OK)
        *out = frames;
    else
        tide_free(frames);
    return status;
}

static void release_frames(tide_frames *frames)
{
    if (frames && --frames->references == 0)
        tide_free(frames);
}

uint32_t tide_deform_frame_count(const tide_deform *d)
{
    return d->frames ? d->frames->count : 0;
}

bool tide_deform_same_frames(const tide_deform *a, const tide_deform *b)
{
    const tide_frames *x = a ? a->frames : NULL, *y = b ? b->frames : NULL;
    if (!x || !y)
        return x == y && !a == !b;
    return a->rate == b->rate && x->count == y->count && x->size == y->size &&
           (x == y || memcmp(x->values, y->values, x->count * x->size * sizeof *x->values) == 0);
}

bool tide_deform_comes_back(const tide_deform *d)
{
    const tide_frames *f = d->frames;
    const double *last = f->values + (f->count - 1) * f->size;
    for (size_t i = 0; i < f->size; i++)
        if (fabs(f->values[i] - last[i]) > 1e-9 * (1 + fabs(last[i])))
            return false;
    return true;
}

// Interpolates each coordinate between frames i and i + 1 by a Hermite cubic with monotone slopes (see keyframes.c).
static void interpolate_smooth(const tide_frames *f, uint32_t i, double t, bool loop, double *out)
{
    uint32_t last = f->count - 1, before = i > 0 ? i - 1 : loop ? last - 1 : 0;
    uint32_t after = i + 2 <= last ? i + 2 : loop ? 1 : last;
    const double *p = f->values + before * f->size, *a = f->values + i * f->size, *b = a + f->size,
                 *n = f->values + after * f->size;
    bool first = i == 0 && !loop, ends = i + 1 == last && !loop;
    double t2 = t * t, t3 = t2 * t;
    for (size_t k = 0; k < f->size; k++) {
        double along = b[k] - a[k];
        double slope_a = first ? 0 : tide_motion_monotone(0.5 * (b[k] - p[k]), a[k] - p[k], along);
        double slope_b = ends ? 0 : tide_motion_monotone(0.5 * (n[k] - a[k]), along, n[k] - b[k]);
        out[k] =
            (2 * t3 - 3 * t2 + 1) * a[k] + (3 * t2 - 2 * t3) * b[k] + (t3 - 2 * t2 + t) * slope_a + (t3 - t2) * slope_b;
    }
}

static void interpolate(const tide_deform *d, double time, bool loop, bool smooth, double *out)
{
    const tide_frames *f = d->frames;
    uint32_t last = f->count - 1;
    double place = time * d->rate;
    if (loop && last > 0) {
        place = fmod(place, last);
        place += place < 0 ? last : 0;
    }
    place = place > 0 ? fmin(place, last) : 0;
    uint32_t i = (uint32_t)place;
    double t = place - i;
    const double *a = f->values + i * f->size;
    if (t == 0)
        memcpy(out, a, f->size * sizeof *out);
    else if (smooth)
        interpolate_smooth(f, i, t, loop, out);
    else
        for (size_t k = 0; k < f->size; k++)
            out[k] = a[k] + t * (a[f->size + k] - a[k]);
}

// --- creation and destruction ----------------------------------------------------------------------------------------

static size_t size_of(const tide_deform *d)
{
    return 3 * (size_t)d->mesh->vertex_count;
}

// Allocates the arrays and the surfaces of a motion of d->mesh.
static tide_status build(tide_deform *d, tide_error *error)
{
    const tide_mesh *mesh = d->mesh;
    double **arrays[] = { &d->start, &d->end, &d->at_from, &d->at_to };
    for (int i = 0; i < 4; i++) {
        *arrays[i] = tide_own(d, tide_copy_bytes(mesh->vertices, size_of(d) * sizeof(double)));
        if (!*arrays[i])
            return tide_fail_memory(error, object);
    }
    TIDE_TRY(tide_distance_moving(mesh, d->sheet, &d->before, error));
    TIDE_TRY(tide_distance_moving(mesh, d->sheet, &d->after, error));
    return tide_bvh_create(d->at_from, mesh->triangles, mesh->triangle_count, &d->ways, error);
}

tide_status tide_deform_create(const tide_shape_mesh_def *def, const tide_mesh *surface, tide_deform **deform,
                               tide_error *error)
{
    tide_deform *d = tide_allocate_zeroed(1, sizeof *d);
    if (!d)
        return tide_fail_memory(error, object);
    d->mesh = tide_mesh_retain(surface);
    d->sheet = def->sheet;
    d->rate = def->rate;
    tide_status status = build(d, error);
    if (status == TIDE_OK && def->frame_count)
        status = take_frames(def, &d->frames, error);
    if (status != TIDE_OK) {
        tide_deform_destroy(d);
        return status;
    }
    if (d->frames)
        tide_deform_set(d, d->frames->values, d->frames->values);
    else
        tide_deform_set(d, surface->vertices, surface->vertices);
    *deform = d;
    return TIDE_OK;
}

tide_status tide_deform_copy(const tide_deform *deform, tide_deform **copy, tide_error *error)
{
    tide_deform *d = tide_allocate_zeroed(1, sizeof *d);
    if (!d)
        return tide_fail_memory(error, object);
    d->mesh = tide_mesh_retain(deform->mesh);
    d->sheet = deform->sheet;
    d->rate = deform->rate;
    tide_status status = build(d, error);
    if (status != TIDE_OK) {
        tide_deform_destroy(d);
        return status;
    }
    d->frames = deform->frames;
    if (d->frames)
        d->frames->references++;
    tide_deform_set(d, deform->start, deform->end);
    *copy = d;
    return TIDE_OK;
}

void tide_deform_destroy(tide_deform *d)
{
    if (!d)
        return;
    tide_distance_release(d->before);
    tide_distance_release(d->after);
    tide_bvh_destroy(&d->ways);
    release_frames(d->frames);
    tide_mesh_release(d->mesh);
    tide_free(d);
}

// --- motion ----------------------------------------------------------------------------------------------------------

static bool differ(const tide_deform *d)
{
    return memcmp(d->start, d->end, size_of(d) * sizeof *d->start) != 0;
}

void tide_deform_follow(tide_deform *d, double time, bool loop, bool smooth)
{
    if (d->frames)
        interpolate(d, time, loop, smooth, d->end);
    d->moving = differ(d);
    d->continued = d->motion_ended ? d->serial : 0;
    d->motion_ended = false;
    if (d->moving || !d->continued)
        d->serial++;
}

void tide_deform_end_motion(tide_deform *d)
{
    tide_deform_prepare(d, d->prepared == d->serial ? d->from : 1, 1);
    memcpy(d->start, d->end, size_of(d) * sizeof *d->start);
    d->moving = false;
    d->motion_ended = true;
}

void tide_deform_set(tide_deform *d, const double *start, const double *end)
{
    memcpy(d->start, start, size_of(d) * sizeof *d->start);
    memcpy(d->end, end, size_of(d) * sizeof *d->end);
    d->moving = differ(d);
    d->motion_ended = false;
    d->continued = 0;
    d->serial++;
    tide_deform_prepare(d, 0, 0);
}

static void place(const tide_deform *d, double fraction, double *out)
{
    if (!d->moving || fraction == 0)
        memcpy(out, d->start, size_of(d) * sizeof *out);
    else if (fraction == 1)
        memcpy(out, d->end, size_of(d) * sizeof *out);
    else
        for (size_t i = 0; i < size_of(d); i++)
            out[i] = d->start[i] + fraction * (d->end[i] - d->start[i]);
}

void tide_deform_prepare(tide_deform *d, double from, double to)
{
    bool same = d->prepared == d->serial;
    if (same && (!d->moving || (d->from == from && d->to == to)) && (d->moving || d->displacement == 0)) {
        d->from = from;
        d->to = to;
        return;
    }
    d->prepared = d->serial;
    d->from = from;
    d->to = to;
    place(d, from, d->at_from);
    place(d, to, d->at_to);
    tide_distance_move(d->before, d->at_from);
    tide_distance_move(d->after, d->at_to);
    tide_bvh_refit(&d->ways, d->at_from, d->at_to, 0);
    double most = 0;
    for (size_t i = 0; i < size_of(d); i += 3) {
        double x = d->at_to[i] - d->at_from[i], y = d->at_to[i + 1] - d->at_from[i + 1],
               z = d->at_to[i + 2] - d->at_from[i + 2];
        most = fmax(most, x * x + y * y + z * z);
    }
    d->displacement = sqrt(most) * (1 + 1e-12);
}

// --- positions on the surface ----------------------------------------------------------------------------------------

static tide_vec3 point_of(const tide_deform *d, const double *x, uint32_t triangle, const double weights[3])
{
    const uint32_t *corner = d->mesh->triangles + 3 * (size_t)triangle;
    tide_vec3 p = { 0 };
    for (int k = 0; k < 3; k++)
        p = tide_vec3_add(p, tide_vec3_scale(tide_vec3_load(x + 3 * (size_t)corner[k]), weights[k]));
    return p;
}

void tide_deform_drag(const tide_deform *d, const double own[3], uint32_t hint, double out[3])
{
    uint32_t triangle;
    double weights[3];
    out[0] = out[1] = out[2] = 0;
    if (!d->moving)
        return;
    tide_distance_nearest(d->after, own, hint, &triangle, weights);
    tide_vec3_store(
        out, tide_vec3_subtract(point_of(d, d->at_to, triangle, weights), point_of(d, d->at_from, triangle, weights)));
}

static void axes_of(tide_vec3 a, tide_vec3 b, tide_vec3 c, tide_vec3 axes[3])
{
    tide_vec3 along = tide_vec3_normalize(tide_vec3_subtract(b, a));
    tide_vec3 normal = tide_vec3_normalize(tide_vec3_cross(along, tide_vec3_subtract(c, a)));
    axes[0] = along;
    axes[1] = tide_vec3_cross(normal, along);
    axes[2] = normal;
    if (tide_vec3_length(normal) > 0.5)
        return;
    axes[0] = (tide_vec3) { 1, 0, 0 };
    axes[1] = (tide_vec3) { 0, 1, 0 };
    axes[2] = (tide_vec3) { 0, 0, 1 };
}

void tide_deform_frame(const tide_deform *d, const double *x, uint32_t triangle, const double weights[3],
                       double origin[3], double axes[9])
{
    const uint32_t *corner = d->mesh->triangles + 3 * (size_t)triangle;
    tide_vec3 rows[3];
    axes_of(tide_vec3_load(x + 3 * (size_t)corner[0]), tide_vec3_load(x + 3 * (size_t)corner[1]),
            tide_vec3_load(x + 3 * (size_t)corner[2]), rows);
    for (int k = 0; k < 3; k++)
        tide_vec3_store(axes + 3 * k, rows[k]);
    tide_vec3_store(origin, point_of(d, x, triangle, weights));
}

// Turns v by the rotation that takes the axes `from` to the axes `to`.
static tide_vec3 turn(const tide_vec3 from[3], const tide_vec3 to[3], tide_vec3 v)
{
    tide_vec3 turned = { 0 };
    for (int k = 0; k < 3; k++)
        turned = tide_vec3_add(turned, tide_vec3_scale(to[k], tide_vec3_dot(from[k], v)));
    return turned;
}

void tide_deform_carry(const tide_deform *d, uint32_t triangle, double t, double own[3], double direction[3])
{
    const uint32_t *corner = d->mesh->triangles + 3 * (size_t)triangle;
    tide_vec3 now[3], from[3], to[3], is = { 0 };
    double then[3][3];
    tide_bvh_point nearest;
    for (int k = 0; k < 3; k++) {
        tide_vec3 a = tide_vec3_load(d->at_from + 3 * (size_t)corner[k]);
        now[k] = tide_vec3_load(d->at_to + 3 * (size_t)corner[k]);
        tide_vec3_store(then[k], tide_vec3_add(a, tide_vec3_scale(tide_vec3_subtract(now[k], a), t)));
    }
    tide_bvh_closest_on_triangle(then[0], then[1], then[2], own, &nearest);
    for (int k = 0; k < 3; k++)
        is = tide_vec3_add(is, tide_vec3_scale(now[k], nearest.weights[k]));
    axes_of(tide_vec3_load(then[0]), tide_vec3_load(then[1]), tide_vec3_load(then[2]), from);
    axes_of(now[0], now[1], now[2], to);
    tide_vec3 off = tide_vec3_subtract(tide_vec3_load(own), tide_vec3_load(nearest.position));
    tide_vec3_store(own, tide_vec3_add(is, turn(from, to, off)));
    tide_vec3_store(direction, turn(from, to, tide_vec3_load(direction)));
}
