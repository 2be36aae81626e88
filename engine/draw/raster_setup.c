// The start of a frame: computes the view, the stage's colours, and all vertices, solids and marks in screen space.
#include "base/memory.h"
#include "base/parallel.h"
#include "draw/camera.h"
#include "draw/rasterizer_parts.h"

enum { VERTEX_GRAIN = 2048 };
static const float reach_of_screen = 1 << 20; // pixels from the centre; triangles are clipped there

float tide_linear_of_srgb(float component)
{
    float c = component > 0 ? component < 1 ? component : 1 : 0; // NaN becomes 0
    return c <= 0.04045f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f);
}

static void linear_colour(tide_colour colour, float out[3])
{
    out[0] = tide_linear_of_srgb(colour.r);
    out[1] = tide_linear_of_srgb(colour.g);
    out[2] = tide_linear_of_srgb(colour.b);
}

static tide_float3 unit_or(tide_float3 a, tide_float3 otherwise)
{
    float length = tide_float3_length(a);
    return length > 1e-12f && length < 1e12f ? tide_float3_scale(a, 1 / length) : otherwise;
}

static tide_float3 turned(const tide_raster_view *view, const float p[3])
{
    return tide_raster_turn(view, tide_float3_load(p));
}

// A camera with invalid numbers looks at the origin from the front.
static float shift_of(const tide_draw_camera *camera, int axis)
{
    return fabsf(camera->shift[axis]) <= 1 ? camera->shift[axis] : 0;
}

static void set_view(tide_raster_view *view, const tide_draw_camera *camera, uint32_t width, uint32_t height)
{
    tide_float3 position = turned(view, camera->position), target = turned(view, camera->target);
    if (!tide_float3_sane(position) || !tide_float3_sane(target)) {
        position = (tide_float3) { 0, 0, 3 };
        target = (tide_float3) { 0 };
    }
    tide_float3 ahead = tide_float3_subtract(target, position), up = turned(view, camera->up);
    tide_float3 forward = unit_or(ahead, (tide_float3) { 0, 0, -1 });
    if (!tide_float3_sane(up))
        up = (tide_float3) { 0, 1, 0 };
    tide_float3 right = tide_float3_cross(forward, unit_or(up, (tide_float3) { 0, 1, 0 }));
    if (!(tide_float3_length(right) > 1e-4f))
        right =
            tide_float3_cross(forward, fabsf(forward.x) < 0.7f ? (tide_float3) { 1, 0, 0 } : (tide_float3) { 0, 0, 1 });
    view->position = position;
    view->forward = forward;
    view->right = unit_or(right, (tide_float3) { 1, 0, 0 });
    view->up = tide_float3_cross(view->right, forward);
    float angle = camera->field_of_view;
    angle = angle > 0.01f ? angle < 3 ? angle : 3 : angle <= 0.01f ? 0.01f : 0.7f;
    view->focal = 0.5f * (float)height / tanf(0.5f * angle);
    view->half_width = 0.5f * (float)width;
    view->half_height = 0.5f * (float)height;
    view->centre_x = view->half_width * (1 + shift_of(camera, 0));
    view->centre_y = view->half_height * (1 - shift_of(camera, 1));
    view->near_plane = tide_float_max(1e-5f, 1e-4f * tide_float3_length(ahead));
    view->ray_x = tide_float3_scale(view->right, 1 / view->focal);
    view->ray_y = tide_float3_scale(view->up, -1 / view->focal);
    view->ray = tide_float3_subtract(forward, tide_float3_add(tide_float3_scale(view->ray_x, view->centre_x),
                                                              tide_float3_scale(view->ray_y, view->centre_y)));
}

static void set_stage(tide_rasterizer *rasterizer, const tide_draw_list *list)
{
    tide_raster_stage *stage = &rasterizer->stage;
    const tide_raster_view *view = &rasterizer->view;
    linear_colour(list->stage.background_top, stage->top);
    linear_colour(list->stage.background_bottom, stage->bottom);
    linear_colour(list->stage.ground, stage->ground);
    tide_float3 lower = tide_float3_load(list->lower), upper = tide_float3_load(list->upper);
    if (!tide_float3_sane(lower) || !tide_float3_sane(upper))
        lower = upper = (tide_float3) { 0 };
    float radius = 0.5f * tide_float3_length(tide_float3_subtract(upper, lower));
    stage->radius = radius > 1e-4f ? radius : 1;

    float ground = list->stage.ground_height - view->position.y;
    stage->has_ground = list->stage.has_ground && tide_float_sane(ground) && ground < -1e-6f;
    stage->ground_y = ground;
    if (!stage->has_ground)
        return;
    stage->ground_depth = view->ray.y / ground;
    stage->ground_depth_x = view->ray_x.y / ground;
    stage->ground_depth_y = view->ray_y.y / ground;
    // Grid and fading depend on the camera only, so that the ground does not move with bodies
    tide_float3 ahead = tide_float3_subtract(turned(view, list->camera.target), view->position);
    float distance = tide_float3_length(ahead);
    if (!(distance > 1e-4f && distance < 1e6f)) {
        ahead = tide_float3_scale(view->forward, 1);
        distance = 1;
    }
    stage->centre_x = ahead.x;
    stage->centre_z = ahead.z;
    float away = sqrtf(ahead.x * ahead.x + ahead.z * ahead.z - ground);
    stage->fade_radius = tide_float_max(2 * distance, 2.5f * away);
    stage->grid = tide_camera_grid(&list->camera);
    stage->grid_x = -fmodf(view->position.x, stage->grid);
    stage->grid_z = -fmodf(view->position.z, stage->grid);
    stage->major_x = -fmodf(view->position.x, TIDE_MAJOR_CELLS * stage->grid);
    stage->major_z = -fmodf(view->position.z, TIDE_MAJOR_CELLS * stage->grid);
    stage->axis_x = -view->position.x;
    stage->axis_z = -view->position.z;
    for (int i = 0; i < 3; i++) { // axes x red, y green, z blue, those that lie in the ground
        static const float colours[3][3] = { { 0.50f, 0.05f, 0.05f },
                                             { 0.05f, 0.32f, 0.08f },
                                             { 0.05f, 0.10f, 0.50f } };
        for (int axis = 0; axis < 3; axis++) {
            if (view->turn[0][axis] != 0)
                stage->colour_x[i] = colours[axis][i];
            if (view->turn[2][axis] != 0)
                stage->colour_z[i] = colours[axis][i];
        }
    }
}

// --- vertices ---------------------------------------------------------------------------------------------------

static void project(const tide_raster_view *view, tide_float3 p, tide_raster_vertex *out)
{
    float w = tide_float3_dot(view->forward, p);
    if (!(w >= view->near_plane)) {
        out->status = TIDE_VERTEX_CUT;
        return;
    }
    float depth = 1 / w;
    float x = view->focal * tide_float3_dot(view->right, p) * depth;
    float y = view->focal * tide_float3_dot(view->up, p) * depth;
    if (fabsf(x) > reach_of_screen || fabsf(y) > reach_of_screen) {
        out->status = TIDE_VERTEX_CUT;
        return;
    }
    *out = (tide_raster_vertex) { .x = tide_round_float((view->centre_x + x) * TIDE_SUBPIXELS),
                                  .y = tide_round_float((view->centre_y - y) * TIDE_SUBPIXELS),
                                  .depth = depth,
                                  .status = TIDE_VERTEX_ON_SCREEN };
}

struct vertex_work {
    tide_rasterizer *rasterizer;
    const tide_raster_surface *surface;
};

static void set_vertices(void *context, uint32_t begin, uint32_t end)
{
    const struct vertex_work *work = context;
    const tide_raster_view *view = &work->rasterizer->view;
    const tide_draw_surface *source = work->surface->source;
    tide_raster_vertex *vertices = work->rasterizer->vertices + work->surface->first_vertex;
    tide_raster_attributes *attributes = work->rasterizer->attributes + work->surface->first_vertex;
    for (uint32_t i = begin; i < end; i++) {
        tide_float3 p = tide_float3_subtract(turned(view, source->positions + 3 * i), view->position);
        tide_float3 n = turned(view, source->normals + 3 * i);
        tide_raster_attributes *a = &attributes[i];
        if (!tide_float3_sane(n))
            n = (tide_float3) { 0, 1, 0 };
        *a = (tide_raster_attributes) { .position = { p.x, p.y, p.z }, .normal = { n.x, n.y, n.z } };
        if (source->texture && tide_float_sane(source->texture[2 * i]) && tide_float_sane(source->texture[2 * i + 1])) {
            a->u = source->texture[2 * i];
            a->v = source->texture[2 * i + 1];
        }
        if (!tide_float3_sane(p))
            vertices[i].status = TIDE_VERTEX_BAD;
        else
            project(view, p, &vertices[i]);
    }
}

// Computes the other tone of a checker: slightly lighter with the same hue, or slightly darker for a light colour.
static void other_tone(const float tone[3], float out[3])
{
    float luminance = 0.2126f * tone[0] + 0.7152f * tone[1] + 0.0722f * tone[2];
    float most = tide_float_max(tide_float_max(tone[0], tone[1]), tide_float_max(tone[2], 1e-3f));
    for (int i = 0; i < 3; i++) {
        float light = 0.86f * (0.55f + 0.45f * tone[i] / most);
        out[i] = luminance > 0.45f ? 0.72f * tone[i] : tone[i] + 0.22f * (light - tone[i]);
    }
}

static const float cloth_through = 0.28f; // fraction of the key light that thin cloth transmits

static bool usable(const tide_draw_surface *source)
{
    return source->vertex_count && source->triangle_count && source->positions && source->normals && source->triangles;
}

static tide_status set_surfaces(tide_rasterizer *rasterizer, const tide_draw_list *list, tide_error *error)
{
    uint64_t vertex_count = 0, triangle_count = 0;
    rasterizer->surface_count = 0;
    for (int i = 0; list->map && i < TIDE_MAP_COLOURS; i++)
        linear_colour(list->map[i], rasterizer->map[i]);
    if (!tide_grow_owned(rasterizer, &rasterizer->surfaces, &rasterizer->surface_capacity, list->surface_count,
                         sizeof *rasterizer->surfaces))
        return tide_fail_memory(error, "picture");
    for (size_t i = 0; i < list->surface_count; i++) {
        const tide_draw_surface *source = &list->surfaces[i];
        if (!usable(source))
            continue;
        tide_raster_surface *surface = &rasterizer->surfaces[rasterizer->surface_count++];
        surface->source = source;
        surface->first_vertex = (uint32_t)vertex_count;
        surface->first_triangle = (uint32_t)triangle_count;
        linear_colour(source->front, surface->tones[0]);
        linear_colour(source->back, surface->tones[2]);
        other_tone(surface->tones[0], surface->tones[1]);
        other_tone(surface->tones[2], surface->tones[3]);
        surface->through = source->solid ? 0 : cloth_through;
        surface->mapped = source->pattern == TIDE_PATTERN_MAP && source->texture && list->map;
        bool checkered = source->pattern == TIDE_PATTERN_CHECKER && source->texture;
        surface->checkers = checkered && source->checkers > 0 && source->checkers < 1e5f ? source->checkers : 0;
        vertex_count += source->vertex_count;
        triangle_count += source->triangle_count;
        if (vertex_count > UINT32_MAX / 4 || triangle_count > UINT32_MAX / 8)
            return tide_fail(error, TIDE_ERROR_ARGUMENT, "picture", NULL, NULL,
                             "more than 500 million triangles or a billion vertices; use coarser meshes");
    }
    rasterizer->vertex_count = (uint32_t)vertex_count;
    rasterizer->triangle_count = (uint32_t)triangle_count;
    if (!tide_grow_owned(rasterizer, &rasterizer->vertices, &rasterizer->vertex_capacity, vertex_count,
                         sizeof *rasterizer->vertices) ||
        !tide_grow_owned(rasterizer, &rasterizer->attributes, &rasterizer->attribute_capacity, vertex_count,
                         sizeof *rasterizer->attributes))
        return tide_fail_memory(error, "picture");
    for (size_t i = 0; i < rasterizer->surface_count; i++) {
        struct vertex_work work = { rasterizer, &rasterizer->surfaces[i] };
        tide_parallel_for(work.surface->source->vertex_count, VERTEX_GRAIN, set_vertices, &work);
    }
    return TIDE_OK;
}

void tide_raster_map_colour(const tide_rasterizer *rasterizer, float u, float out[3])
{
    const float grey[3] = { 0.4f, 0.4f, 0.4f };
    float at = tide_float_min(tide_float_max(u, 0), 1) * (TIDE_MAP_COLOURS - 1);
    int low = at < TIDE_MAP_COLOURS - 2 ? (int)at : TIDE_MAP_COLOURS - 2;
    const float *a = rasterizer->map[low], *b = rasterizer->map[low + 1];
    for (int i = 0; i < 3; i++)
        out[i] = u < -1 ? grey[i] : a[i] + (at - (float)low) * (b[i] - a[i]);
}

const tide_raster_surface *tide_raster_surface_of(const tide_rasterizer *rasterizer, uint32_t triangle)
{
    size_t low = 0, high = rasterizer->surface_count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (rasterizer->surfaces[middle].first_triangle <= triangle)
            low = middle;
        else
            high = middle;
    }
    return &rasterizer->surfaces[low];
}

// --- clipping ---------------------------------------------------------------------------------------------------

// Signed distance of a point (x and y in pixels times w, and w), positive inside the near plane or one of the four
// sides
static float inside(const tide_raster_view *view, float reach, tide_float3 p, int plane)
{
    switch (plane) {
    case 0:
        return p.z - view->near_plane;
    case 1:
        return reach * p.z - p.x;
    case 2:
        return reach * p.z + p.x;
    case 3:
        return reach * p.z - p.y;
    default:
        return reach * p.z + p.y;
    }
}

static tide_float3 to_view(const tide_raster_view *view, tide_float3 p)
{
    return (tide_float3) { view->focal * tide_float3_dot(view->right, p), -view->focal * tide_float3_dot(view->up, p),
                           tide_float3_dot(view->forward, p) };
}

static tide_float3 crossing(tide_float3 a, tide_float3 b, float inside_a, float inside_b)
{
    return tide_float3_add(a, tide_float3_scale(tide_float3_subtract(b, a), inside_a / (inside_a - inside_b)));
}

uint32_t tide_raster_clip_to(const tide_raster_view *view, float reach, const tide_raster_attributes *const corners[3],
                             tide_raster_vertex out[TIDE_CLIP_MAX])
{
    tide_float3 points[2][TIDE_CLIP_MAX];
    uint32_t count = 3;
    for (int i = 0; i < 3; i++)
        points[0][i] = to_view(view, tide_float3_load(corners[i]->position));
    for (int plane = 0; plane < 5 && count; plane++) {
        const tide_float3 *from = points[plane & 1];
        tide_float3 *to = points[1 - (plane & 1)];
        uint32_t kept = 0;
        for (uint32_t i = 0; i < count; i++) {
            tide_float3 a = from[i], b = from[i + 1 < count ? i + 1 : 0];
            float inside_a = inside(view, reach, a, plane), inside_b = inside(view, reach, b, plane);
            if (inside_a >= 0 && kept < TIDE_CLIP_MAX)
                to[kept++] = a;
            if ((inside_a >= 0) != (inside_b >= 0) && kept < TIDE_CLIP_MAX)
                to[kept++] = crossing(a, b, inside_a, inside_b);
        }
        count = kept;
    }
    const tide_float3 *result = points[1]; // after five planes
    for (uint32_t i = 0; i < count; i++) {
        float depth = 1 / tide_float_max(result[i].z, view->near_plane);
        float x = tide_float_min(tide_float_max(result[i].x * depth, -reach), reach);
        float y = tide_float_min(tide_float_max(result[i].y * depth, -reach), reach);
        out[i] = (tide_raster_vertex) { .x = tide_round_float((view->centre_x + x) * TIDE_SUBPIXELS),
                                        .y = tide_round_float((view->centre_y + y) * TIDE_SUBPIXELS),
                                        .depth = depth };
    }
    return count;
}

uint32_t tide_raster_clip(const tide_raster_view *view, const tide_raster_attributes *const corners[3],
                          tide_raster_vertex out[TIDE_CLIP_MAX])
{
    return tide_raster_clip_to(view, reach_of_screen, corners, out);
}

// Clips a segment in the same way; false if nothing is left.
static bool clip_segment(const tide_raster_view *view, tide_float3 *a, tide_float3 *b)
{
    for (int plane = 0; plane < 5; plane++) {
        float inside_a = inside(view, reach_of_screen, *a, plane), inside_b = inside(view, reach_of_screen, *b, plane);
        if (inside_a < 0 && inside_b < 0)
            return false;
        if (inside_a < 0)
            *a = crossing(*a, *b, inside_a, inside_b);
        else if (inside_b < 0)
            *b = crossing(*a, *b, inside_a, inside_b);
    }
    return a->z >= 0.5f * view->near_plane && b->z >= 0.5f * view->near_plane;
}

// --- solids and marks -------------------------------------------------------------------------------------------

// Returns whether a tube is narrower than a pixel everywhere. Samples would hit it in some pixels and miss it in
// others.
static bool is_thin(const tide_raster_view *view, const tide_raster_solid *solid)
{
    float w = tide_float3_dot(view->forward, solid->from), to = w + tide_float3_dot(view->forward, solid->along);
    float nearest = tide_float_min(w, to);
    return tide_float3_dot(solid->along, solid->along) > 0 && nearest > view->near_plane &&
           2 * solid->radius * view->focal < nearest;
}

// Adds a mark as wide as the tube appears. It is shortened by its round ends, which would count twice where tubes meet.
static void add_thin(tide_rasterizer *rasterizer, const tide_raster_solid *solid)
{
    const tide_raster_view *view = &rasterizer->view;
    tide_float3 a = to_view(view, solid->from), b = to_view(view, tide_float3_add(solid->from, solid->along));
    if (!clip_segment(view, &a, &b))
        return;
    float x = a.x / a.z, y = a.y / a.z, dx = b.x / b.z - x, dy = b.y / b.z - y, length = sqrtf(dx * dx + dy * dy);
    float cut = length > 1 ? 0.5f / length : 0.5f, depth = 1 / a.z, change = 1 / b.z - 1 / a.z;
    tide_raster_mark mark = { .x0 = view->centre_x + x + cut * dx,
                              .y0 = view->centre_y + y + cut * dy,
                              .x1 = view->centre_x + x + (1 - cut) * dx,
                              .y1 = view->centre_y + y + (1 - cut) * dy,
                              .depth0 = depth + cut * change,
                              .depth1 = depth + (1 - cut) * change };
    mark.radius = solid->radius * view->focal * (depth + 0.5f * change) * tide_float_min(length, 1);
    tide_thin_set_light(rasterizer, solid, &mark);
    if (mark.radius > 0)
        rasterizer->marks[rasterizer->mark_count++] = mark;
}

static void add_solid(tide_rasterizer *rasterizer, tide_float3 from, tide_float3 to, float width, tide_colour colour,
                      bool casts_shadow)
{
    float radius = -0.5f * width;
    from = tide_float3_subtract(from, rasterizer->view.position);
    to = tide_float3_subtract(to, rasterizer->view.position);
    if (!(radius > 0) || !tide_float_sane(radius) || !tide_float3_sane(from) || !tide_float3_sane(to))
        return;
    tide_raster_solid *solid = &rasterizer->solids[rasterizer->solid_count++];
    *solid = (tide_raster_solid) {
        .from = from, .along = tide_float3_subtract(to, from), .radius = radius, .casts_shadow = casts_shadow
    };
    linear_colour(colour, solid->colour);
    if (is_thin(&rasterizer->view, solid)) {
        solid->thin = true;
        add_thin(rasterizer, solid);
    }
}

static float byte_of(float component)
{
    return component > 0 ? component < 1 ? 255 * component : 255 : 0;
}

static void add_mark(tide_rasterizer *rasterizer, tide_float3 from, tide_float3 to, float width, tide_colour colour,
                     bool point)
{
    const tide_raster_view *view = &rasterizer->view;
    tide_float3 a = tide_float3_subtract(from, view->position), b = tide_float3_subtract(to, view->position);
    if (!(width > 0) || !(width < TIDE_IMAGE_MAX_SIDE) || !(colour.a > 0) || !tide_float3_sane(a) ||
        !tide_float3_sane(b))
        return;
    a = to_view(view, a);
    b = to_view(view, b);
    if (!clip_segment(view, &a, &b))
        return;
    // a point is as near as the front of a ball of its size, so that it covers its vertex
    float nearer = point ? 1 / tide_float_max(1 - 0.5f * width / view->focal, 0.5f) : 1;
    rasterizer->marks[rasterizer->mark_count++] =
        (tide_raster_mark) { .x0 = view->centre_x + a.x / a.z,
                             .y0 = view->centre_y + a.y / a.z,
                             .x1 = view->centre_x + b.x / b.z,
                             .y1 = view->centre_y + b.y / b.z,
                             .depth0 = nearer / a.z,
                             .depth1 = nearer / b.z,
                             .radius = 0.5f * width,
                             .colour = { byte_of(colour.r), byte_of(colour.g), byte_of(colour.b),
                                         colour.a < 1 ? colour.a : 1 } };
}

// Sorts marks from far to near, so that near ones are drawn over far ones; equal depths keep the list's order.
static void sort_marks(tide_rasterizer *rasterizer)
{
    enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };
    uint32_t count = rasterizer->mark_count;
    uint64_t *from = rasterizer->mark_order, *to = from + count;
    for (uint32_t i = 0; i < count; i++) {
        const tide_raster_mark *mark = &rasterizer->marks[i];
        float depth = 0.5f * (mark->depth0 + mark->depth1);
        uint32_t key; // positive floats have the order of their bits
        memcpy(&key, &depth, sizeof key);
        from[i] = (uint64_t)key << 32 | i;
    }
    for (uint32_t shift = 32; shift < 64; shift += DIGIT_BITS) {
        uint32_t starts[DIGITS] = { 0 }, sum = 0;
        for (uint32_t i = 0; i < count; i++)
            starts[from[i] >> shift & (DIGITS - 1)]++;
        for (uint32_t i = 0; i < DIGITS; i++) {
            uint32_t here = starts[i];
            starts[i] = sum;
            sum += here;
        }
        for (uint32_t i = 0; i < count; i++)
            to[starts[from[i] >> shift & (DIGITS - 1)]++] = from[i];
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    for (uint32_t i = 0; i < count; i++)
        rasterizer->sorted_marks[i] = rasterizer->marks[(uint32_t)from[i]];
}

static tide_status set_lines_and_points(tide_rasterizer *rasterizer, const tide_draw_list *list, tide_error *error)
{
    size_t most = list->line_count + list->point_count;
    rasterizer->solid_count = rasterizer->mark_count = 0;
    if (most > UINT32_MAX / 8)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "picture", NULL, NULL, "more than 500 million lines and points");
    size_t solid_most = 0;
    for (size_t i = 0; i < list->line_count; i++)
        solid_most += list->lines[i].width < 0;
    for (size_t i = 0; i < list->point_count; i++)
        solid_most += list->points[i].size < 0;
    size_t mark_most = most; // thin tubes are marks too
    if (!tide_grow_owned(rasterizer, &rasterizer->solids, &rasterizer->solid_capacity, solid_most,
                         sizeof *rasterizer->solids) ||
        !tide_grow_owned(rasterizer, &rasterizer->marks, &rasterizer->mark_capacity, mark_most,
                         sizeof *rasterizer->marks) ||
        !tide_grow_owned(rasterizer, &rasterizer->sorted_marks, &rasterizer->sorted_capacity, mark_most,
                         sizeof *rasterizer->sorted_marks) ||
        !tide_grow_owned(rasterizer, &rasterizer->mark_order, &rasterizer->order_capacity, 2 * mark_most,
                         sizeof *rasterizer->mark_order))
        return tide_fail_memory(error, "picture");
    for (size_t i = 0; i < list->line_count; i++) {
        const tide_draw_line *line = &list->lines[i];
        tide_float3 from = turned(&rasterizer->view, line->from), to = turned(&rasterizer->view, line->to);
        if (line->width < 0)
            add_solid(rasterizer, from, to, line->width, line->colour, line->casts_shadow);
        else
            add_mark(rasterizer, from, to, line->width, line->colour, false);
    }
    for (size_t i = 0; i < list->point_count; i++) {
        const tide_draw_point *point = &list->points[i];
        tide_float3 at = turned(&rasterizer->view, point->position);
        if (point->size < 0)
            add_solid(rasterizer, at, at, point->size, point->colour, true);
        else
            add_mark(rasterizer, at, at, point->size, point->colour, true);
    }
    sort_marks(rasterizer);
    return TIDE_OK;
}

tide_status tide_raster_set_up(tide_rasterizer *rasterizer, tide_error *error)
{
    const tide_draw_list *list = rasterizer->list;
    rasterizer->cost = (tide_raster_cost) { 0 };
    tide_camera_turn(list->stage.up, rasterizer->view.turn);
    rasterizer->view.is_turned = rasterizer->view.turn[1][1] != 1;
    set_view(&rasterizer->view, &list->camera, rasterizer->image->width, rasterizer->image->height);
    set_stage(rasterizer, list);
    tide_status status = set_surfaces(rasterizer, list, error);
    return status ? status : set_lines_and_points(rasterizer, list, error);
}
