#include "session/picture.h"

#include "base/clock.h"
#include "base/log.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct bounds {
    float lower[3], upper[3];
} bounds;

tide_status tide_picture_create(tide_picture *picture, tide_script *script, uint32_t width, uint32_t height,
                                bool wireframe, tide_error *error)
{
    *picture = (tide_picture) { .width = width, .height = height, .view = { .wireframe = wireframe, .pins = true } };
    tide_status status = tide_rasterizer_create(&picture->rasterizer, error);
    if (status == TIDE_OK && script)
        status = tide_picture_look_again(picture, script, error);
    if (status != TIDE_OK)
        tide_picture_free(picture);
    return status;
}

void tide_picture_free(tide_picture *picture)
{
    tide_draw_list_free(&picture->list);
    tide_image_free(&picture->image);
    tide_rasterizer_destroy(picture->rasterizer);
    tide_picture_drop_opengl(picture);
    *picture = (tide_picture) { 0 };
}

tide_status tide_picture_use_opengl(tide_picture *picture, tide_gl_host host, tide_error *error)
{
    tide_status status = picture->gl ? TIDE_OK : tide_gl_create(&picture->gl, host, error);
    picture->opengl = picture->opengl || status == TIDE_OK;
    return status;
}

void tide_picture_drop_opengl(tide_picture *picture)
{
    tide_gl_destroy(picture->gl);
    picture->gl = NULL;
    picture->opengl = false;
}

void tide_picture_notice(const tide_error *why)
{
    char text[1200];
    tide_log(TIDE_LOG_INFO, "the software renderer draws: %s", tide_error_text(why, text, sizeof text));
}

static float aspect(const tide_picture *picture)
{
    return (float)picture->width / (float)picture->height;
}

static tide_status world_bounds(tide_picture *picture, tide_script *script, bounds *out, tide_error *error)
{
    tide_draw_list_clear(&picture->list);
    tide_status status = tide_draw_world(&picture->list, tide_script_world(script), &picture->view, error);
    memcpy(out->lower, picture->list.lower, sizeof out->lower);
    memcpy(out->upper, picture->list.upper, sizeof out->upper);
    for (int i = 0; i < 3; i++)
        if (!(out->lower[i] <= out->upper[i])) // an empty world
            *out = (bounds) { { -0.5f, 0, -0.5f }, { 0.5f, 1, 0.5f } };
    return status;
}

static float diagonal(const bounds *box)
{
    float x = box->upper[0] - box->lower[0], y = box->upper[1] - box->lower[1], z = box->upper[2] - box->lower[2];
    return sqrtf(x * x + y * y + z * z);
}

// Finds the axis of up, 0 to 2. Returns 1 if up is along it, -1 if up is against it.
static double up_of(tide_world *world, int *axis)
{
    float up[3];
    tide_view_up(world, up);
    *axis = up[0] != 0 ? 0 : up[1] != 0 ? 1 : 2;
    return (double)up[*axis];
}

// Computes the world's bounds, extended downwards as far as a body can hang or fall, but not below a floor.
static tide_status expected_bounds(tide_picture *picture, tide_script *script, bounds *box, tide_error *error)
{
    tide_status status = world_bounds(picture, script, box, error);
    float up[3];
    tide_world *world = tide_script_world(script);
    tide_view_up(world, up);
    double floor, reach = tide_view_lowest_reach(world);
    if (tide_view_floor(world, false, &floor))
        reach = fmax(reach, floor);
    const float lowest = (float)reach;
    for (int k = 0; k < 3; k++)
        if (up[k] > 0)
            box->lower[k] = fminf(box->lower[k], lowest);
        else if (up[k] < 0)
            box->upper[k] = fmaxf(box->upper[k], -lowest);
    return status;
}

static void note_fit(tide_picture *picture, const bounds *box, bool of_scene)
{
    picture->fitted.camera = picture->camera;
    memcpy(picture->fitted.lower, box->lower, sizeof box->lower);
    memcpy(picture->fitted.upper, box->upper, sizeof box->upper);
    picture->fitted.of_scene = of_scene;
}

// Returns the scale at which the fitted bounds fill the visible part. A scene's own camera is designed for 16:9: bounds
// far outside that picture stay outside, and nothing is enlarged.
static float fit_scale(const tide_picture *picture)
{
    const float margin = 1.08f, frame = 1.85f, whole = 2.2f;
    const tide_camera_part *part = &picture->part;
    float extent[2];
    tide_camera_extent(&picture->fitted.camera, picture->fitted.lower, picture->fitted.upper, aspect(picture), extent);
    float wide = margin * extent[0], tall = margin * extent[1];
    if (picture->fitted.of_scene) {
        float most = fmaxf(1, frame / aspect(picture));
        wide = wide < whole * most && !picture->whole ? wide : most;
        tall = tall < whole && !picture->whole ? tall : 1;
    }
    float scale = fminf((part->x1 - part->x0) / wide, (part->y1 - part->y0) / tall);
    return fmaxf(picture->fitted.of_scene ? fminf(scale, 1) : fminf(scale, 4), 0.05f);
}

const tide_draw_camera *tide_picture_see(tide_picture *picture)
{
    const tide_camera_part *part = &picture->part;
    picture->seen = picture->camera;
    if (part->x1 > part->x0 && part->y1 > part->y0)
        picture->seen = tide_camera_in_part(&picture->camera, part, fit_scale(picture));
    return &picture->seen;
}

static tide_draw_camera frame(const tide_picture *picture, tide_script *script, const bounds *box)
{
    float up[3];
    tide_view_up(tide_script_world(script), up);
    return tide_camera_frame_up(box->lower, box->upper, up, aspect(picture));
}

tide_status tide_picture_look_again(tide_picture *picture, tide_script *script, tide_error *error)
{
    bounds box;
    tide_status status = expected_bounds(picture, script, &box, error);
    const tide_scene_view *view = tide_script_view(script);
    int axis;
    const bool along = up_of(tide_script_world(script), &axis) > 0;
    picture->ground_height = (along ? box.lower[axis] : -box.upper[axis]) - 0.02f * diagonal(&box);
    picture->camera = view->has_camera ? view->camera : frame(picture, script, &box);
    note_fit(picture, &box, view->has_camera);
    return status;
}

tide_status tide_picture_fit(tide_picture *picture, tide_script *script, tide_error *error)
{
    bounds box;
    tide_status status = world_bounds(picture, script, &box, error);
    picture->camera = frame(picture, script, &box);
    note_fit(picture, &box, false);
    return status;
}

// Computes the bounds of all vertices of bodies; false: no vertices.
static bool body_bounds(tide_world *world, bounds *box)
{
    *box = (bounds) { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
    for (uint32_t body = 0; body < tide_world_body_count(world); body++) {
        tide_body_info info;
        tide_body_id id = tide_world_body_at(world, body);
        const double *x = tide_world_positions(world, id);
        if (!x || !tide_world_body_info(world, id, &info))
            continue;
        for (size_t i = 0; i < 3 * (size_t)info.vertex_count; i++) {
            box->lower[i % 3] = fminf(box->lower[i % 3], (float)x[i]);
            box->upper[i % 3] = fmaxf(box->upper[i % 3], (float)x[i]);
        }
    }
    return box->lower[0] <= box->upper[0];
}

// Moves the camera along with bodies that leave its sight, unless the scene or the user has set it.
static void follow(tide_picture *picture, tide_world *world)
{
    bounds box;
    const size_t size = sizeof picture->camera;
    if (picture->follows_nothing || picture->fitted.of_scene ||
        (memcmp(&picture->camera, &picture->fitted.camera, size) != 0 &&
         memcmp(&picture->camera, &picture->followed, size) != 0))
        return;
    if (body_bounds(world, &box))
        picture->camera = tide_camera_follow(&picture->fitted.camera, box.lower, box.upper, aspect(picture));
    picture->followed = picture->camera;
}

// Writes the size of a cell of the ground's grid at the bottom left of the visible part, above what covers the bottom.
static void add_scale(const tide_picture *picture, tide_draw_list *list)
{
    const float size = picture->scale.size > 0 ? picture->scale.size : fmaxf(11, (float)picture->height / 55);
    const float left = picture->part.x0 * (float)picture->width;
    char text[32];
    if (!list->stage.has_ground || picture->width < 480 || picture->height < 300)
        return;
    snprintf(text, sizeof text, "grid %g m", (double)tide_camera_grid(&list->camera));
    const float top = (float)picture->height - picture->scale.above - 2 * size;
    tide_draw_add_label(list, &(tide_draw_label) { .position = { left + size, top },
                                                   .on_screen = true,
                                                   .size = size,
                                                   .colour = { 0.35f, 0.38f, 0.42f, 0.9f },
                                                   .text = text });
}

static tide_status draw_list(tide_picture *picture, tide_error *error)
{
    tide_error why;
    if (picture->opengl &&
        (picture->shown ? tide_gl_draw_in_window(picture->gl, &picture->list, picture->width, picture->height, &why)
                        : tide_gl_draw(picture->gl, &picture->list, &picture->image, &why)) == TIDE_OK)
        return TIDE_OK;
    if (picture->opengl)
        tide_picture_notice(&why);
    picture->opengl = false;
    return tide_rasterizer_draw(picture->rasterizer, &picture->list, &picture->image, error);
}

// Returns the lowest height in the list, along the stage's up axis.
static double lowest_of(const tide_draw_list *list)
{
    double lowest = 0;
    for (int k = 0; k < 3; k++)
        lowest += (double)list->stage.up[k] * (double)(list->stage.up[k] > 0 ? list->lower[k] : list->upper[k]);
    return lowest;
}

tide_status tide_picture_draw(tide_picture *picture, tide_script *script, bool callback, tide_error *error)
{
    double start = tide_clock_seconds();
    const tide_scene_view *view = tide_script_view(script);
    tide_draw_list *list = &picture->list;
    tide_draw_list_clear(list);
    follow(picture, picture->world ? picture->world : tide_script_world(script));
    list->camera = *tide_picture_see(picture);
    list->stage = view->stage;
    tide_view_up(tide_script_world(script), list->stage.up);
    double floor = picture->ground_height;
    if (view->automatic_ground) {
        bool has_floor = tide_view_floor(tide_script_world(script), true, &floor);
        list->stage.ground_height = (float)floor;
        list->stage.has_ground |= has_floor;
    }
    tide_seen seen = { 0 };
    tide_view_settings settings = picture->view;
    settings.seen = &seen;
    tide_status told = TIDE_OK;
    if (settings.options.colouring == TIDE_COLOURING_AUTOMATIC)
        told = tide_script_colours(script, &settings.options.numbers, &settings.options.number_count, error);
    tide_world *world = picture->world ? picture->world : tide_script_world(script);
    tide_status status = tide_draw_world(list, world, &settings, told == TIDE_OK ? error : NULL);
    // Nothing falls through a ground that is only drawn
    if (view->automatic_ground && lowest_of(list) < floor && !tide_view_floor(world, true, &floor))
        list->stage.ground_height = (float)lowest_of(list);
    if (status == TIDE_OK)
        status = tide_image_resize(&picture->image, picture->width, picture->height, error);
    if (status != TIDE_OK)
        return status;
    uint32_t covered = picture->covered < picture->width ? picture->covered : 0;
    const uint32_t top = (uint32_t)(picture->part.y0 * (float)picture->height);
    tide_draw_key(list, &seen, picture->width - covered, top, picture->height);
    add_scale(picture, list);
    tide_status drawn = told;
    if (callback && drawn == TIDE_OK)
        drawn = tide_script_draw(script, list, picture->width, picture->height, error);
    if (list->failed)
        return tide_fail_memory(error, "picture");
    status = draw_list(picture, drawn == TIDE_OK ? error : NULL);
    picture->left_out =
        picture->opengl ? tide_gl_left_out(picture->gl) : tide_rasterizer_cost(picture->rasterizer).left_out;
    if (picture->opengl || !tide_rasterizer_repeated(picture->rasterizer))
        picture->draw_seconds = tide_clock_seconds() - start;
    return drawn == TIDE_OK ? status : drawn;
}

// Returns an error and restores the world if it has changed.
static tide_status check_unchanged(tide_world *world, const tide_snapshot *before, tide_error *error)
{
    uint64_t now;
    tide_status status = tide_world_hash(world, &now, error);
    if (status != TIDE_OK || now == tide_snapshot_hash(before))
        return status;
    status = tide_world_restore(world, before, error);
    return status == TIDE_OK ? tide_fail(error, TIDE_ERROR_SCRIPT, "scene", "draw", NULL,
                                         "it changed the world or scene.state (or drew random numbers), which would "
                                         "then depend on how often it is drawn; do this in update")
                             : status;
}

tide_status tide_picture_draw_checked(tide_picture *picture, tide_script *script, bool callback, tide_error *error)
{
    tide_world *world = tide_script_world(script);
    tide_snapshot *before;
    if (!callback)
        return tide_picture_draw(picture, script, false, error);
    TIDE_TRY(tide_world_snapshot(world, &before, error));
    tide_status status = tide_picture_draw(picture, script, true, error);
    tide_status unchanged = check_unchanged(world, before, status == TIDE_OK ? error : NULL);
    tide_snapshot_destroy(before);
    return status == TIDE_OK ? unchanged : status;
}
