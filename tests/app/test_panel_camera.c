// The panel of the camera: its views and sliders go by the axis that gravity leaves up.
#include "app/panels.h"
#include "tests.h"

#include <stdio.h>
#include <string.h>

static tide_error error;

static const char z_up[] =
    "local tide = require 'springtide'\n"
    "local scene = tide.scene { gravity = { 0, 0, -9.81 } }\n"
    "scene:body('cloth', { mesh = tide.mesh.grid { columns = 3, rows = 3 }, mass = 1, stiffness = 10 })\n"
    "return scene\n";

typedef struct stand {
    tide_live *live;
    tide_picture picture;
    tide_panels *panels;
    tide_panels_frame frame;
} stand;

static void turns(stand *s, int count)
{
    for (int i = 0; i < count; i++) {
        assert_ok(tide_image_resize(&s->picture.image, 1280, 720, &error), error);
        assert_ok(tide_panels_draw(s->panels, &s->frame, &error), error);
    }
}

static void set_up(stand *s, const char *text)
{
    static const tide_panels_key keys[] = { { NULL, NULL } };
    char path[300];
    snprintf(path, sizeof path, "%s/camera.lua", tide_test_folder());
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    *s = (stand) { 0 };
    tide_live_options options = { .scene = path, .time_limit = 20, .history_limit = 1 << 24 };
    assert_ok(tide_live_open(&options, &s->live, &error), error);
    assert_ok(tide_picture_create(&s->picture, tide_live_script(s->live), 1280, 720, false, &error), error);
    assert_ok(tide_panels_create(&s->panels, &error), error);
    s->frame = (tide_panels_frame) { .live = s->live, .picture = &s->picture, .keys = keys, .bottom = 20, .text = 15 };
    turns(s, 2);
}

// At a share of its width
static void click(stand *s, const char *label, float share)
{
    float box[4];
    assert_true(tide_panels_find(s->panels, label, box));
    const int x = (int)(box[0] + share * (box[2] - box[0])), y = (int)(0.5f * (box[1] + box[3]));
    SDL_Event event = { .motion = { .type = SDL_MOUSEMOTION, .x = x, .y = y } };
    tide_panels_event(s->panels, &event, 1);
    turns(s, 1);
    for (int down = 1; down >= 0; down--) {
        event = (SDL_Event) { .button = { .type = down ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP,
                                          .button = SDL_BUTTON_LEFT,
                                          .x = x,
                                          .y = y } };
        tide_panels_event(s->panels, &event, 1);
        turns(s, 3);
    }
}

static void assert_up(const tide_draw_camera *camera, const float up[3])
{
    for (int k = 0; k < 3; k++)
        assert_near(camera->up[k], up[k], 1e-6);
}

static void test_it_keeps_up(void **state)
{
    (void)state;
    static const float up[3] = { 0, 0, 1 };
    stand s;
    set_up(&s, z_up);
    click(&s, "Solver", 0.5f); // closes it, for room
    click(&s, "Camera", 0.5f);
    const tide_draw_camera *camera = &s.picture.camera;
    assert_up(camera, up);
    click(&s, "Front", 0.5f);
    assert_up(camera, up);
    assert_true(camera->position[1] < camera->target[1] - 0.5f);
    assert_near(camera->position[2], camera->target[2], 1e-5);
    click(&s, "Side", 0.5f);
    assert_up(camera, up);
    assert_true(camera->position[0] > camera->target[0] + 0.5f);
    click(&s, "Top", 0.5f);
    assert_up(camera, up);
    assert_true(camera->position[2] > camera->target[2] + 0.5f);
    double around, above, distance;
    click(&s, "above", 0.25f);
    tide_camera_angles(camera, up, &around, &above, &distance);
    assert_true(above < 1.5 && above > -1.5); // the slider was moved
    assert_up(camera, up);
    tide_panels_destroy(s.panels);
    tide_picture_free(&s.picture);
    tide_live_close(s.live);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_it_keeps_up),
};
TIDE_TEST_SUITE(panel_camera, tests)
