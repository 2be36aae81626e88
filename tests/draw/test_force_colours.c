// Colours by stress, tension and reaction.
#include "draw/world_view.h"
#include "world/fixture.h"
#include "world/material.h"

static tide_error error;

static const tide_mesh *grid(int side)
{
    tide_mesh *mesh;
    tide_mesh_grid_def def = { .columns = side, .rows = side, .width = 1, .height = 1 };
    assert_ok(tide_mesh_grid.build(&def, &mesh, &error), error);
    return mesh;
}

static tide_seen see(tide_draw_list *list, tide_world *world, tide_colouring colouring)
{
    tide_seen seen;
    tide_view_settings settings = { .options = { .colouring = colouring }, .seen = &seen };
    tide_draw_list_clear(list);
    assert_ok(tide_draw_world(list, world, &settings, &error), error);
    return seen;
}

// The number that a vertex's place in the map is, in the key's unit
static double shown_at(const tide_draw_list *list, const tide_seen *seen, uint32_t vertex)
{
    return seen->low + (double)list->surfaces[0].texture[2 * (size_t)vertex] * (seen->high - seen->low);
}

// Stretched by 10 %, springs pull with k dl, and a membrane of stvk has the stress E s (s^2 - 1) / 2 without Poisson's
// ratio and with its thickness at rest.
static void test_stress_and_tension(void **state)
{
    (void)state;
    tide_body_id id;
    tide_draw_list list = { 0 };
    tide_world *world;
    assert_ok(tide_world_create(NULL, NULL, &world, &error), error);
    tide_material_membrane_options membrane;
    tide_fields_default(tide_material_membrane.fields, &membrane);
    membrane.young = 2e7;
    membrane.poisson = 0;
    membrane.thickness = 1e-3;
    tide_body_def def = tide_body_def_default();
    def.name = "sheet";
    def.mesh = grid(4);
    def.stiffness = 100;
    def.density = 1000;
    def.materials[tide_material_index(&tide_material_membrane)] = &membrane;
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    tide_mesh_release(def.mesh);
    double *x = tide_world_positions(world, id);
    for (size_t i = 0; i < 16; i++)
        x[3 * i] *= 1.1;
    tide_seen seen = see(&list, world, TIDE_COLOURING_STRESS);
    assert_string_equal(seen.name, "stress");
    assert_string_equal(seen.unit, "MPa");
    assert_near(seen.high, 5, 1e-12);
    for (uint32_t i = 0; i < 16; i++)
        assert_near(shown_at(&list, &seen, i), 20 * 1.1 * (1.1 * 1.1 - 1) / 2, 1e-5);
    seen = see(&list, world, TIDE_COLOURING_TENSION);
    assert_near(seen.low, -seen.high, 0);
    assert_string_equal(seen.unit, "N");
    for (uint32_t i = 0; i < 16; i++)
        assert_near(shown_at(&list, &seen, i), 100 * 0.1 / 3, 1e-5);
    tide_draw_list_free(&list);
    tide_world_destroy(world);
}

// A pin that holds 1 kg.
static void test_reaction_at_a_pin(void **state)
{
    (void)state;
    tide_draw_list list = { 0 };
    tide_world_settings settings = tide_world_settings_default();
    settings.drag = 5;
    settings.timestep = 0.5;
    tide_world *world = fixture_curtain(5, NULL);
    tide_body_id id = tide_world_find_body(world, "curtain");
    assert_ok(tide_world_set_settings(world, &settings, &error), error);
    for (uint32_t v = 0; v < 25; v++)
        assert_ok(tide_world_unpin(world, id, v, &error), error);
    fixture_use(world, "newton", "tolerance", "1e-10");
    assert_ok(tide_world_pin(world, id, 7, TIDE_NOT_GIVEN, &error), error);
    for (int n = 0; n < 60; n++)
        assert_ok(tide_world_step(world, &error), error);
    tide_seen seen = see(&list, world, TIDE_COLOURING_REACTION);
    assert_string_equal(seen.name, "reaction");
    for (uint32_t i = 0; i < 25; i++)
        assert_near(shown_at(&list, &seen, i), i == 7 ? 9.81 : 0, 0.01);
    tide_draw_list_free(&list);
    tide_world_destroy(world);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_stress_and_tension),
    cmocka_unit_test(test_reaction_at_a_pin),
};
TIDE_TEST_SUITE(draw_force_colours, tests)
