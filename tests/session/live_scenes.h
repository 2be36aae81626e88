// Scenes for tests of live experiments, as files in the tests' folder.
#ifndef TIDE_TESTS_APP_LIVE_SCENES_H
#define TIDE_TESTS_APP_LIVE_SCENES_H

#include "session/live.h"
#include "tests.h"

#include <stdio.h>
#include <string.h>

// A small cloth that hangs by two corners over a ball, with a parameter and callbacks. `more` is put before the end.
static inline const char *write_scene(const char *name, const char *more)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", tide_test_folder(), name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "local tide = require \"springtide\"\n"
            "local stiffness = tide.param(\"stiffness\", 80, { min = 1, max = 1e4 })\n"
            "local scene = tide.scene { timestep = 1/60, solver = { \"local_global\", iterations = 5 } }\n"
            "local cloth = scene:body(\"cloth\", {\n"
            "  mesh = tide.mesh.grid { columns = 7, rows = 7, width = 1, height = 1 }, mass = 1,\n"
            "  stiffness = stiffness, bend = stiffness / 4, self_collide = false })\n"
            "cloth:pin { 1, 7 }\n"
            "scene:collider(\"ball\", { shape = \"sphere\", radius = 0.2, position = { 0.5, -0.5, 0.5 } })\n"
            "scene.state.count = 0\n"
            "function scene.keypressed(key)\n"
            "  if key == \"x\" then error(\"no x\") end\n"
            "  scene.state.count = scene.state.count + 1\n"
            "  cloth:set_velocity(25, 0, 2, 0)\n"
            "end\n"
            "%s\n"
            "return scene\n",
            more);
    assert_int_equal(fclose(file), 0);
    return path;
}

static inline tide_live *open_scene(const char *path, size_t history)
{
    tide_error error;
    tide_live *live;
    const tide_live_options options = { .scene = path, .history_limit = history, .time_limit = 60 };
    assert_ok(tide_live_open(&options, &live, &error), error);
    return live;
}

static inline void take_steps(tide_live *live, int count)
{
    tide_error error;
    for (int i = 0; i < count; i++)
        assert_ok(tide_live_step(live, &error), error);
}

static inline uint64_t hash_of(tide_live *live)
{
    tide_error error;
    uint64_t hash;
    assert_ok(tide_world_hash(tide_live_world(live), &hash, &error), error);
    return hash;
}

static inline void give(tide_live *live, tide_input input)
{
    tide_error error;
    assert_ok(tide_live_apply(live, &input, &error), error);
}

static inline const double *vertex_of(tide_live *live, uint32_t vertex)
{
    tide_world *world = tide_live_world(live);
    return tide_world_positions(world, tide_world_find_body(world, "cloth")) + 3 * (size_t)vertex;
}

#endif
