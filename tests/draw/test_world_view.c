#include "draw/scene.h"

#include "base/memory.h"
#include "draw/world_view.h"
#include "linear/failing.h"

#include <math.h>
#include <string.h>

static tide_error error;

static const tide_mesh *built(const tide_mesh_builder *builder, const void *definition)
{
    tide_mesh *mesh;
    assert_ok(builder->build(definition, &mesh, &error), error);
    return mesh;
}

static const tide_mesh *grid(int side)
{
    return built(&tide_mesh_grid, &(tide_mesh_grid_def) { .columns = side, .rows = side, .width = 1, .height = 1 });
}

static const tide_mesh *strand(int points)
{
    return built(&tide_mesh_strand, &(tide_mesh_strand_def) { .points = points, .to = { 1, 0, 0 } });
}

static tide_world *world_of(const tide_mesh *mesh, tide_body_def def, tide_body_id *id)
{
    tide_world *world;
    def.name = "thing";
    def.mesh = mesh;
    def.stiffness = 100;
    assert_ok(tide_world_create(NULL, NULL, &world, &error), error);
    assert_ok(tide_world_add_body(world, &def, id, &error), error);
    tide_mesh_release(mesh);
    return world;
}

static void draw(tide_draw_list *list, tide_world *world, bool wireframe, bool pins)
{
    tide_draw_list_clear(list);
    const tide_view_settings settings = { .wireframe = wireframe, .pins = pins };
    assert_ok(tide_draw_world(list, world, &settings, &error), error);
}

static void test_cloth(void **state)
{
    (void)state;
    tide_body_id id;
    tide_draw_list list = { 0 };
    tide_body_def def = tide_body_def_default();
    memcpy(def.colour, (const double[3]) { 0.2, 0.4, 0.6 }, sizeof def.colour);
    def.pattern = TIDE_PATTERN_CHECKER;
    def.checkers = 7;
    tide_world *world = world_of(grid(5), def, &id);
    assert_ok(tide_world_pin(world, id, 4, TIDE_NOT_GIVEN, &error), error);
    draw(&list, world, false, true);
    assert_int_equal(list.surface_count, 1);
    assert_int_equal(list.line_count, 0);
    const tide_draw_surface *surface = &list.surfaces[0];
    assert_int_equal(surface->vertex_count, 25);
    assert_int_equal(surface->triangle_count, 32);
    assert_int_equal(surface->pattern, TIDE_PATTERN_CHECKER);
    assert_near(surface->checkers, 7, 0);
    assert_false(surface->solid); // light passes through cloth
    assert_near(surface->front.g, 0.4, 1e-6);
    assert_true(surface->back.b < 0.6f && surface->back.b > 0.2f); // made from the front
    assert_true(surface->casts_shadow && surface->texture);
    for (int i = 0; i < 25; i++)
        assert_near(fabs((double)surface->normals[3 * i + 1]), 1, 1e-6);
    assert_int_equal(list.point_count, 1); // the pin
    assert_near(list.points[0].position[0], 1, 1e-6);
    assert_true(list.points[0].size < 0);
    // it follows the body, and the bounds contain only what is drawn
    tide_world_positions(world, id)[1] = 2;
    draw(&list, world, false, false);
    assert_int_equal(list.point_count, 0);
    assert_near(list.surfaces[0].positions[1], 2, 1e-6);
    assert_near(list.upper[1], 2, 1e-6);
    assert_near(list.lower[0], 0, 1e-6);
    tide_draw_list_free(&list);
    tide_world_destroy(world);
}

static void test_back_colour_when_given(void **state)
{
    (void)state;
    tide_body_id id;
    tide_draw_list list = { 0 };
    tide_body_def def = tide_body_def_default();
    memcpy(def.back_colour, (const double[3]) { 0.9, 0.8, 0.7 }, sizeof def.back_colour);
    tide_world *world = world_of(grid(3), def, &id);
    draw(&list, world, false, true);
    assert_near(list.surfaces[0].back.r, 0.9, 1e-6);
    assert_near(list.surfaces[0].back.b, 0.7, 1e-6);
    tide_draw_list_free(&list);
    tide_world_destroy(world);
}

static void test_strand(void **state)
{
    (void)state;
    tide_body_id id;
    tide_draw_list list = { 0 };
    tide_body_def def = tide_body_def_default();
    def.radius = 0.02;
    tide_world *world = world_of(strand(11), def, &id);
    draw(&list, world, false, true);
    assert_int_equal(list.surface_count, 0);
    assert_int_equal(list.line_count, 10);
    assert_int_equal(list.point_count, 11); // masses on springs
    assert_near(list.lines[3].width, -0.04, 1e-6);
    assert_near(list.lines[3].to[0], 0.4, 1e-6);
    assert_true(list.lines[3].casts_shadow);
    tide_draw_list_free(&list);
    tide_world_destroy(world);
    world = world_of(strand(200), def, &id); // a hair has no balls
    draw(&list, world, false, true);
    assert_int_equal(list.line_count, 199);
    assert_int_equal(list.point_count, 0);
    tide_draw_list_free(&list);
    tide_world_destroy(world);
}

static void test_lone_particle(void **state)
{
    (void)state;
    tide_body_id id;
    tide_mesh *mesh;
    tide_draw_list list = { 0 };
    const double at[3] = { 1, 2, 3 };
    assert_ok(tide_mesh_create(&(tide_mesh_parts) { .vertex_count = 1, .vertices = at }, &mesh, &error), error);
    tide_body_def def = tide_body_def_default();
    def.name = "particle";
    def.mesh = mesh;
    tide_world *world;
    assert_ok(tide_world_create(NULL, NULL, &world, &error), error);
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    tide_mesh_release(mesh);
    draw(&list, world, false, false);
    assert_int_equal(list.point_count, 1);
    assert_near(list.points[0].position[2], 3, 1e-6);
    assert_true(list.points[0].size < 0);
    tide_draw_list_free(&list);
    tide_world_destroy(world);
}

static void test_box_keeps_its_edges(void **state)
{
    (void)state;
    tide_body_id id;
    tide_draw_list list = { 0 };
    tide_world *world =
        world_of(built(&tide_mesh_box, &(tide_mesh_box_def) { .size = { 1, 1, 1 }, .cells = { 3, 2, 2 } }),
                 tide_body_def_default(), &id);
    draw(&list, world, false, false);
    assert_int_equal(list.surface_count, 1);
    assert_int_equal(list.line_count, 0); // inner edges are not drawn
    assert_int_equal(list.point_count, 0);
    const tide_draw_surface *surface = &list.surfaces[0];
    assert_int_equal(surface->triangle_count, 2 * 2 * (3 * 2 + 3 * 2 + 2 * 2));
    assert_int_equal(surface->vertex_count, 2 * (4 * 3 + 4 * 3 + 3 * 3)); // each side its own
    for (uint32_t i = 0; i < surface->vertex_count; i++) {
        const float *n = surface->normals + 3 * i, *p = surface->positions + 3 * i;
        double largest = 0;
        int axis = 0;
        for (int k = 0; k < 3; k++)
            if (fabs((double)n[k]) > largest) {
                largest = fabs((double)n[k]);
                axis = k;
            }
        assert_near(largest, 1, 1e-5);                        // straight out of one side,
        assert_near(p[axis], n[axis] > 0 ? 0.5 : -0.5, 1e-5); // on which it lies
    }
    assert_true(surface->solid);
    assert_near(surface->back.r, surface->front.r, 0);
    tide_draw_list_free(&list);
    tide_world_destroy(world);
}

static void test_wireframe_shows_strain(void **state)
{
    (void)state;
    tide_body_id id;
    tide_draw_list list = { 0 };
    tide_world *world = world_of(strand(4), tide_body_def_default(), &id);
    double *x = tide_world_positions(world, id);
    const double length = x[3] - x[0];
    x[6] = x[3] + 1.2 * length; // stretched by a fifth
    x[9] = x[6] + 0.8 * length; // and compressed by one
    draw(&list, world, true, false);
    assert_int_equal(list.surface_count, 0);
    assert_int_equal(list.line_count, 3);
    tide_colour rest = list.lines[0].colour, stretched = list.lines[1].colour, compressed = list.lines[2].colour;
    assert_true(fabsf(rest.r - rest.b) < 0.1f);
    assert_true(stretched.r > stretched.b + 0.5f);
    assert_true(compressed.b > compressed.r + 0.5f);
    assert_true(list.lines[0].width > 0);
    x[6] = x[3] + 1.05 * length;
    draw(&list, world, true, false);
    assert_true(list.lines[1].colour.r > rest.r && list.lines[1].colour.r < stretched.r); // half way
    tide_draw_list_free(&list);
    tide_world_destroy(world);
}

static void test_wireframe_fades_what_is_no_edge(void **state)
{
    (void)state;
    tide_body_id id;
    tide_draw_list list = { 0 };
    tide_body_def look = tide_body_def_default();
    look.bend = 10;
    tide_world *world = world_of(strand(5), look, &id);
    draw(&list, world, true, false);
    assert_int_equal(list.line_count, 4 + 3);
    for (size_t i = 0; i < list.line_count; i++) {
        const tide_draw_line *line = &list.lines[i];
        double length = fabs((double)line->to[0] - (double)line->from[0]) +
                        fabs((double)line->to[1] - (double)line->from[1]) +
                        fabs((double)line->to[2] - (double)line->from[2]);
        const double *x = tide_world_positions(world, id);
        double edge = fabs(x[3] - x[0]) + fabs(x[4] - x[1]) + fabs(x[5] - x[2]);
        bool is_edge = length < 1.5 * edge;
        assert_true(is_edge ? line->colour.a == 1 : line->colour.a < 0.5f);
        assert_true(is_edge ? line->width >= 2 : line->width < list.lines[0].width);
    }
    tide_draw_list_free(&list);
    tide_world_destroy(world);
}

static void test_wireframe_fades_what_is_inside(void **state)
{
    (void)state;
    tide_body_id id;
    tide_draw_list list = { 0 };
    tide_world *world =
        world_of(built(&tide_mesh_box, &(tide_mesh_box_def) { .size = { 1, 1, 1 }, .cells = { 3, 3, 3 } }),
                 tide_body_def_default(), &id);
    draw(&list, world, true, false);
    int inside = 0, outside = 0;
    for (size_t i = 0; i < list.line_count; i++) {
        const tide_draw_line *line = &list.lines[i];
        bool on_side = false; // both ends are on one side of the box
        for (int k = 0; k < 3; k++)
            on_side = on_side || (fabsf(line->from[k]) > 0.49f && fabsf(line->from[k] - line->to[k]) < 0.01f);
        assert_true(on_side ? line->colour.a == 1 : line->colour.a < 0.5f);
        inside += !on_side;
        outside += on_side;
    }
    assert_true(inside > 20);
    assert_int_equal(outside, 3 * 6 * 2 * 9 / 2); // edges of 6 * 2 * 9 triangles
    tide_draw_list_free(&list);
    tide_world_destroy(world);
}

static void add_cloth(tide_world *world, const char *name, const double *colour)
{
    tide_body_id id;
    tide_body_def def = tide_body_def_default();
    def.name = name;
    def.mesh = grid(3);
    def.stiffness = 100;
    if (colour)
        memcpy(def.colour, colour, sizeof def.colour);
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    tide_mesh_release(def.mesh);
}

// Bodies left in the default colour differ; one with a colour of its own keeps it, and takes none from the others.
static void test_bodies_without_a_colour_differ(void **state)
{
    (void)state;
    tide_body_id id;
    tide_draw_list list = { 0 };
    const double green[3] = { 0.1, 0.9, 0.1 };
    tide_world *world = world_of(grid(3), tide_body_def_default(), &id);
    add_cloth(world, "green", green);
    add_cloth(world, "second", NULL);
    add_cloth(world, "third", NULL);
    draw(&list, world, false, false);
    assert_int_equal(list.surface_count, 4);
    tide_body_def def = tide_body_def_default();
    const tide_draw_surface *s = list.surfaces;
    assert_near(s[0].front.r, def.colour[0], 1e-6);
    assert_near(s[0].front.b, def.colour[2], 1e-6);
    assert_near(s[1].front.g, 0.9, 1e-6);
    for (int i = 2; i < 4; i++)
        for (int k = 0; k < i; k++) {
            double r = (double)(s[i].front.r - s[k].front.r), g = (double)(s[i].front.g - s[k].front.g);
            double b = (double)(s[i].front.b - s[k].front.b);
            assert_true(r * r + g * g + b * b > 0.05);
        }
    tide_draw_list_free(&list);
    tide_world_destroy(world);
}

// Balls of neighbouring pins leave room between them; a lone pin has a large one.
static void test_pins_do_not_overlap(void **state)
{
    (void)state;
    tide_body_id id;
    tide_draw_list list = { 0 };
    tide_world *world =
        world_of(built(&tide_mesh_box, &(tide_mesh_box_def) { .size = { 0.01, 0.01, 0.01 }, .cells = { 2, 2, 2 } }),
                 tide_body_def_default(), &id);
    assert_ok(tide_world_pin(world, id, 0, TIDE_NOT_GIVEN, &error), error);
    draw(&list, world, false, true);
    assert_int_equal(list.point_count, 1);
    assert_true(-list.points[0].size > 0.005f);
    for (uint32_t i = 1; i < 27; i++)
        assert_ok(tide_world_pin(world, id, i, TIDE_NOT_GIVEN, &error), error);
    draw(&list, world, false, true);
    assert_int_equal(list.point_count, 27);
    for (size_t i = 0; i < 27; i++)
        assert_true(-list.points[i].size > 0.001f && -list.points[i].size < 0.0035f); // of 0.005 m between them
    tide_draw_list_free(&list);
    tide_world_destroy(world);
}

static void test_memory(void **state)
{
    (void)state;
    tide_body_id id;
    tide_world *world =
        world_of(built(&tide_mesh_box, &(tide_mesh_box_def) { .size = { 1, 1, 1 }, .cells = { 9, 9, 9 } }),
                 tide_body_def_default(), &id);
    tide_draw_list list = { 0 };
    for (int wireframe = 0; wireframe < 2; wireframe++) { // frames after the first allocate nothing
        draw(&list, world, wireframe, true);
        uint64_t before = tide_memory_count().allocations;
        draw(&list, world, wireframe, true);
        assert_int_equal(tide_memory_count().allocations, before);
    }
    tide_draw_list_free(&list);
    tide_world_destroy(world);
}

static void test_each_allocation_fails(void **state)
{
    (void)state;
    tide_body_id id;
    tide_world *world =
        world_of(built(&tide_mesh_box, &(tide_mesh_box_def) { .size = { 1, 1, 1 }, .cells = { 9, 9, 9 } }),
                 tide_body_def_default(), &id);
    assert_ok(tide_world_pin(world, id, 0, TIDE_NOT_GIVEN, &error), error);
    const tide_system *system;
    assert_ok(tide_world_system(world, &system, &error), error); // the world keeps it
    uint64_t blocks = tide_memory_count().blocks;
    for (int wireframe = 0; wireframe < 2; wireframe++) {
        uint64_t n = 0;
        for (bool failed = true; failed; n += failed) {
            tide_draw_list list = { 0 };
            const tide_view_settings settings = { .wireframe = wireframe, .pins = true };
            failing_allocation failing = { .left = n };
            tide_memory_set_failure_hook(fail_in_turn, &failing);
            tide_status status = tide_draw_world(&list, world, &settings, &error);
            tide_memory_set_failure_hook(NULL, NULL);
            failed = status != TIDE_OK;
            assert_int_equal(status, failed ? TIDE_ERROR_MEMORY : TIDE_OK);
            tide_draw_list_free(&list);
            assert_int_equal(tide_memory_count().blocks, blocks);
        }
        assert_true(n >= 3);
    }
    tide_world_destroy(world);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_cloth),
    cmocka_unit_test(test_back_colour_when_given),
    cmocka_unit_test(test_strand),
    cmocka_unit_test(test_lone_particle),
    cmocka_unit_test(test_box_keeps_its_edges),
    cmocka_unit_test(test_wireframe_shows_strain),
    cmocka_unit_test(test_wireframe_fades_what_is_no_edge),
    cmocka_unit_test(test_wireframe_fades_what_is_inside),
    cmocka_unit_test(test_bodies_without_a_colour_differ),
    cmocka_unit_test(test_pins_do_not_overlap),
    cmocka_unit_test(test_memory),
    cmocka_unit_test(test_each_allocation_fails),
};
TIDE_TEST_SUITE(draw_world_view, tests)
