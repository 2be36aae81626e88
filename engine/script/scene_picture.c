// scene:picture(path, options): a picture of the scene as it is now, by the software renderer, for plain Lua. Programs
// draw theirs by --png and in the window (session/picture.h), which scenes cannot command.
#include "script/scene_picture.h"

#include "script/binding.h"

#include "draw/camera.h"
#include "draw/rasterizer.h"
#include "draw/world_view.h"

#include <stdio.h>
#include <string.h>

typedef struct picture_options {
    int width, height;
    bool wireframe;
    char colour[TIDE_FIELD_TEXT_SIZE];
} picture_options;

const tide_field tide_picture_fields[] = {
    { TIDE_MEMBER(picture_options, width), .type = TIDE_FIELD_INTEGER, .initial = { 1280 }, .minimum = 16,
      .maximum = 8192, .unit = "pixels", .help = "width of the picture" },
    { TIDE_MEMBER(picture_options, height), .type = TIDE_FIELD_INTEGER, .initial = { 720 }, .minimum = 16,
      .maximum = 8192, .unit = "pixels", .help = "height of the picture" },
    { TIDE_MEMBER(picture_options, wireframe), .type = TIDE_FIELD_BOOLEAN,
      .help = "show springs, coloured by strain, instead of surfaces" },
    { TIDE_MEMBER(picture_options, colour), .type = TIDE_FIELD_TEXT, .initial_text = "plain",
      .help = "colour bodies by strain, stress, tension, speed, ... as --colour does" },
    { 0 },
};

typedef struct drawing {
    tide_draw_list list;
    tide_image image;
    tide_rasterizer *rasterizer;
} drawing;

static void free_drawing(drawing *d)
{
    tide_draw_list_free(&d->list);
    tide_image_free(&d->image);
    tide_rasterizer_destroy(d->rasterizer);
}

// Sets the scene's camera, or one that shows the whole world, and the stage with the ground.
static void set_stage(const tide_scene *scene, const picture_options *options, tide_draw_list *list)
{
    float up[3], lower[3], upper[3];
    double floor = 0, size;
    tide_view_up(scene->world, up);
    for (int k = 0; k < 3; k++) { // an empty world has no bounds
        bool bounded = list->lower[k] <= list->upper[k];
        lower[k] = bounded ? list->lower[k] : -0.5f;
        upper[k] = bounded ? list->upper[k] : 0.5f;
    }
    list->camera = scene->view.has_camera
                       ? scene->view.camera
                       : tide_camera_frame_up(lower, upper, up, (float)options->width / (float)options->height);
    list->stage = scene->view.stage;
    memcpy(list->stage.up, up, sizeof up);
    if (!scene->view.automatic_ground)
        return;
    bool has_floor = tide_view_floor(scene->world, true, &floor);
    if (!has_floor)
        tide_view_bottom(scene->world, &floor, &size);
    list->stage.ground_height = (float)floor;
    list->stage.has_ground |= has_floor;
}

static tide_status draw(tide_scene *scene, const picture_options *options, drawing *d, const char *path,
                        tide_error *error)
{
    tide_seen seen = { 0 };
    tide_view_settings settings = { .wireframe = options->wireframe, .pins = true, .seen = &seen };
    TIDE_TRY(tide_colouring_find(options->colour, "picture", "colour", &settings.options.colouring, error));
    TIDE_TRY(tide_rasterizer_create(&d->rasterizer, error));
    set_stage(scene, options, &d->list);
    TIDE_TRY(tide_draw_world(&d->list, scene->world, &settings, error)); // finds the bounds
    set_stage(scene, options, &d->list);
    tide_draw_list_clear(&d->list);
    TIDE_TRY(tide_draw_world(&d->list, scene->world, &settings, error)); // knows the ground
    tide_draw_key(&d->list, &seen, (uint32_t)options->width, 0, (uint32_t)options->height);
    TIDE_TRY(tide_image_resize(&d->image, (uint32_t)options->width, (uint32_t)options->height, error));
    TIDE_TRY(tide_rasterizer_draw(d->rasterizer, &d->list, &d->image, error));
    return tide_image_write_png(&d->image, path, error);
}

int tide_scene_picture(lua_State *L)
{
    tide_scene *scene = tide_scene_self(L);
    tide_error error;
    picture_options options;
    const char *path = tide_check_path(L, 2, "scene", "picture");
    size_t length = strlen(path);
    char shown[TIDE_VALUE_TEXT_SIZE];
    if (tide_is_confined(L))
        tide_raise_bad(L, "scene", "picture", NULL, "a scene that runs in a program writes no pictures; use --png");
    if (length < 5 || strcmp(path + length - 4, ".png") != 0)
        tide_raise_bad(L, "scene", "picture", tide_show(L, 2, shown), "expected a name that ends in .png");
    tide_fields_default(tide_picture_fields, &options);
    if (!lua_isnoneornil(L, 3))
        tide_read_fields(L, 3, tide_picture_fields, "picture", &options, 0);
    drawing d = { 0 };
    tide_status status = draw(scene, &options, &d, path, &error);
    free_drawing(&d);
    if (status != TIDE_OK && status != TIDE_ERROR_ARGUMENT)
        return tide_push_failure(L, &error);
    tide_raise_unless_ok(L, status, &error);
    lua_pushboolean(L, 1);
    return 1;
}
