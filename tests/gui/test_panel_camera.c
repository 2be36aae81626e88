// The panel of the camera: its views and sliders go by the axis that gravity leaves up.
#include "panel_stand.h"

static const char z_up[] =
    "local tide = require 'springtide'\n"
    "local scene = tide.scene { gravity = { 0, 0, -9.81 } }\n"
    "scene:body('cloth', { mesh = tide.mesh.grid { columns = 3, rows = 3 }, mass = 1, stiffness = 10 })\n"
    "return scene\n";

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
    turns(&s, 2);
    click(&s, "Solver"); // closes it, for room
    click(&s, "Camera");
    const tide_draw_camera *camera = &s.picture.camera;
    assert_up(camera, up);
    click(&s, "Front");
    assert_up(camera, up);
    assert_true(camera->position[1] < camera->target[1] - 0.5f);
    assert_near(camera->position[2], camera->target[2], 1e-5);
    click(&s, "Side");
    assert_up(camera, up);
    assert_true(camera->position[0] > camera->target[0] + 0.5f);
    click(&s, "Top");
    assert_up(camera, up);
    assert_true(camera->position[2] > camera->target[2] + 0.5f);
    double around, above, distance;
    click_in(&s, "above", 0.25f);
    tide_camera_angles(camera, up, &around, &above, &distance);
    assert_true(above < 1.5 && above > -1.5); // the slider was moved
    assert_up(camera, up);
    tear_down(&s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_it_keeps_up),
};
TIDE_TEST_SUITE(panel_camera, tests)
