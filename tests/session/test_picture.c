// The ground in the picture of a scene.
#include "session/picture.h"
#include "tests.h"

#include <math.h>
#include <stdio.h>

static tide_error error;

typedef struct ground_case {
    const char *scene, *more; // fields of the scene, and lines before it is returned
    bool drawn, solid;
    double height; // NAN: below the body
} ground_case;

// A square of cloth at y = 0.5, in free fall
static tide_script *open_case(const ground_case *c)
{
    char path[300];
    tide_script *script;
    snprintf(path, sizeof path, "%s/ground.lua", tide_test_folder());
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "local tide = require 'springtide'\n"
            "local scene = tide.scene { %s }\n"
            "scene:body('cloth', { mesh = tide.mesh.grid { columns = 3, rows = 3 }:translate(0, 0.5, 0),\n"
            "  mass = 1, stiffness = 10 })\n"
            "%s\n"
            "return scene\n",
            c->scene, c->more);
    assert_int_equal(fclose(file), 0);
    const tide_script_options options = { 0 };
    assert_ok(tide_script_open(path, &options, &script, &error), error);
    return script;
}

// Whatever a scene says of its ground: one that is drawn is a floor among the colliders at its height, but where the
// scene says that it is not solid.
static void test_ground_that_is_drawn_is_solid(void **state)
{
    (void)state;
    static const ground_case cases[] = {
        { "", "", false, false, 0 },
        { "", "scene:collider('floor', { shape = 'plane', offset = 0.2 })", true, true, 0.2 },
        { "", "scene:collider('floor', { shape = 'plane', offset = 0.2, visible = false })", false, true, 0 },
        { "", "scene:collider('wall', { shape = 'plane', normal = { 1, 0, 0 }, offset = -2 })", false, false, 0 },
        { "ground = 0.1", "", true, true, 0.1 },
        { "ground = true", "", true, true, NAN },
        { "ground = true", "scene:collider('floor', { shape = 'plane', offset = 0.2, visible = false })", true, true,
          0.2 },
        { "ground = false", "", false, false, 0 },
        { "ground = false", "scene:collider('floor', { shape = 'plane', visible = false })", false, true, 0 },
        { "ground = { solid = false }", "", true, false, NAN },
        { "ground = { height = 0.1, solid = false }", "", true, false, 0.1 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const ground_case *c = &cases[i];
        tide_script *script = open_case(c);
        tide_picture picture;
        double floor;
        assert_ok(tide_picture_create(&picture, script, 160, 100, false, &error), error);
        assert_ok(tide_picture_draw(&picture, script, false, &error), error);
        const tide_draw_stage *stage = &picture.list.stage;
        bool solid = tide_view_floor(tide_script_world(script), false, &floor);
        if (stage->has_ground != c->drawn || solid != c->solid)
            print_error("case %zu: drawn %d, solid %d\n", i, stage->has_ground, solid);
        assert_true(stage->has_ground == c->drawn && solid == c->solid);
        if (c->drawn && isnan(c->height))
            assert_true(stage->ground_height < 0.5f && stage->ground_height > 0.4f);
        else if (c->drawn)
            assert_near(stage->ground_height, c->height, 1e-6);
        if (c->drawn && solid)
            assert_near(stage->ground_height, floor, 1e-6);
        tide_picture_free(&picture);
        tide_script_close(script);
    }
}

// Room for what hangs ends at a floor.
static void test_no_room_below_a_floor(void **state)
{
    (void)state;
    static const ground_case cases[] = {
        { "", "scene:body('cloth'):pin { 1 }", false, false, 0 },
        { "ground = 0.3", "scene:body('cloth'):pin { 1 }", true, true, 0.3 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tide_script *script = open_case(&cases[i]);
        tide_picture picture;
        assert_ok(tide_picture_create(&picture, script, 160, 100, false, &error), error);
        assert_true(cases[i].solid ? fabs((double)picture.fitted.lower[1] - 0.3) < 1e-6
                                   : picture.fitted.lower[1] < -0.5f);
        tide_picture_free(&picture);
        tide_script_close(script);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_no_room_below_a_floor),
    cmocka_unit_test(test_ground_that_is_drawn_is_solid),
};
TIDE_TEST_SUITE(picture, tests)
