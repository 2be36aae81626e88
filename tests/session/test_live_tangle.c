// Tangles that a user makes: a drag that draws a cloth through another, and a reload that begins crossed, are told once
// with the place, and pulled apart.
#include "live_scenes.h"

#include "base/log.h"
#include "world/certificate.h"

#include <math.h>

typedef struct told {
    int starts, ends;
} told;

static void note(tide_log_level level, const char *message, void *context)
{
    told *t = context;
    (void)level;
    t->starts += strstr(message, "pulled apart over the next steps") != NULL && strstr(message, " at (") != NULL &&
                 strstr(message, "body \"cloth\"") != NULL;
    t->ends += strstr(message, "untangled after") != NULL;
}

// A square sheet of 1 m with `pins`, and below it, at y = 0, a cloth of half its size with `side` vertices a side.
static const char *write_sheets(const char *pins, int side, const char *where)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/sheets.lua", tide_test_folder());
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "local tide = require \"springtide\"\n"
            "local scene = tide.scene { gravity = { 0, 0, 0 } }\n"
            "local function sheet(name, n, width, at)\n"
            "  local mesh = tide.mesh.grid { columns = n, rows = n, width = width, height = width }\n"
            "  return scene:body(name, { mesh = at(mesh), mass = 0.3, stiffness = 100, bend = 5, thickness = 0.01 })\n"
            "end\n"
            "sheet(\"sheet\", 17, 1, function(mesh) return mesh:translate(-0.263, 0.1, -0.227) end)%s\n"
            "sheet(\"cloth\", %d, 0.5, function(mesh) return mesh%s end):pin(1)\n"
            "return scene\n",
            pins, side, where);
    assert_int_equal(fclose(file), 0);
    return path;
}

static uint64_t crossings(tide_live *live)
{
    tide_error error;
    tide_certificate found;
    assert_ok(tide_world_certify(tide_live_world(live), &found, &error), error);
    assert_true(found.complete);
    return found.count;
}

static double fastest_of(tide_live *live)
{
    tide_world *world = tide_live_world(live);
    tide_body_id cloth = tide_world_find_body(world, "cloth");
    const double *v = tide_world_velocities(world, cloth);
    double fastest = 0;
    tide_body_info info;
    assert_true(tide_world_body_info(world, cloth, &info));
    for (size_t i = 0; i < 3 * (size_t)info.vertex_count; i++)
        fastest = fmax(fastest, fabs(v[i]));
    return fastest;
}

static void test_a_drag(void **state)
{
    (void)state;
    tide_live *live = open_scene(write_sheets(":pin(function() return true end)", 12, ""), 0);
    told t = { 0 };
    tide_log_set_sink(note, &t);
    take_steps(live, 3);
    assert_true(t.starts == 0 && crossings(live) == 0);
    give(live, (tide_input) { .kind = TIDE_INPUT_DRAG_BEGIN, .name = "cloth", .vertex = 0, .number = 500 });
    give(live, (tide_input) { .kind = TIDE_INPUT_DRAG_MOVE, .point = { 0, 0.25, 0 } }); // through the sheet, in a step
    take_steps(live, 1);
    assert_true(t.starts == 1 && crossings(live) > 0);
    give(live, (tide_input) { .kind = TIDE_INPUT_DRAG_END });
    give(live, (tide_input) { .kind = TIDE_INPUT_UNPIN, .name = "cloth", .vertex = 0 });
    take_steps(live, 200);
    tide_log_set_sink(NULL, NULL);
    assert_true(t.starts == 1 && t.ends == 1 && crossings(live) == 0);
    tide_live_close(live);
}

static void test_a_reload(void **state)
{
    (void)state;
    tide_live *live = open_scene(write_sheets("", 12, ""), 0);
    told t = { 0 };
    tide_log_set_sink(note, &t);
    take_steps(live, 3);
    write_sheets("", 19,
                 ":rotate({ 1, 0, 0.1 }, 1.1):translate(0, 0.25, 0.3)"); // finer, and its border is below the sheet
    give(live, (tide_input) { .kind = TIDE_INPUT_RELOAD });
    assert_true(crossings(live) > 10);
    double fastest = 0;
    for (int i = 0; i < 90; i++) {
        take_steps(live, 1);
        fastest = fmax(fastest, fastest_of(live));
    }
    tide_log_set_sink(NULL, NULL);
    assert_true(t.starts == 1 && t.ends == 1 && crossings(live) == 0);
    assert_true(fastest < 5);
    tide_live_close(live);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_drag),
    cmocka_unit_test(test_a_reload),
};
TIDE_TEST_SUITE(session_live_tangle, tests)
