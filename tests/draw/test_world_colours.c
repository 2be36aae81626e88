// Colours of known states, glyphs and the key.
#include "draw/scene.h"

#include "base/memory.h"
#include "draw/world_view.h"
#include "linear/failing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static tide_error error;

static const tide_mesh *built(const tide_mesh_builder *builder, const void *definition)
{
    tide_mesh *mesh;
    assert_ok(builder->build(definition, &mesh, &error), error);
    return mesh;
}

static const tide_mesh *grid(int columns, int rows)
{
    return built(&tide_mesh_grid, &(tide_mesh_grid_def) { .columns = columns, .rows = rows, .width = 1, .height = 1 });
}

static tide_body_id add(tide_world *world, const char *name, const tide_mesh *mesh)
{
    tide_body_id id;
    tide_body_def def = tide_body_def_default();
    def.name = name;
    def.mesh = mesh;
    def.stiffness = 100;
    if (mesh->skip_count)
        def.bend = 10;
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    tide_mesh_release(mesh);
    return id;
}

static tide_world *world_of(const tide_mesh *mesh, tide_body_id *id)
{
    tide_world *world;
    assert_ok(tide_world_create(NULL, NULL, &world, &error), error);
    *id = add(world, "thing", mesh);
    return world;
}

static tide_seen see(tide_draw_list *list, tide_world *world, tide_view_options options)
{
    tide_seen seen;
    tide_view_settings settings = { .options = options, .seen = &seen };
    tide_draw_list_clear(list);
    assert_ok(tide_draw_world(list, world, &settings, &error), error);
    return seen;
}

static double place_of(const tide_draw_list *list, uint32_t vertex)
{
    assert_int_equal(list->surfaces[0].pattern, TIDE_PATTERN_MAP);
    return (double)list->surfaces[0].texture[2 * (size_t)vertex];
}

// The number that a vertex's place in the map is, in the key's unit
static double shown_at(const tide_draw_list *list, const tide_seen *seen, uint32_t vertex)
{
    return seen->low + place_of(list, vertex) * (seen->high - seen->low);
}

static void test_a_stretched_strip_is_of_one_colour(void **state)
{
    (void)state;
    tide_body_id id;
    tide_draw_list list = { 0 };
    tide_world *world = world_of(grid(9, 4), &id);
    double *x = tide_world_positions(world, id);
    for (size_t i = 0; i < 36; i++)
        x[3 * i] *= 1.1;
    tide_seen seen = see(&list, world, (tide_view_options) { .colouring = TIDE_COLOURING_STRAIN });
    assert_true(seen.bar && !seen.below && !seen.above);
    assert_string_equal(seen.name, "strain");
    assert_string_equal(seen.unit, "%");
    assert_near(seen.low, -10, 1e-9);
    assert_near(seen.high, 10, 1e-9);
    for (uint32_t i = 0; i < 36; i++)
        assert_near(shown_at(&list, &seen, i), 10, 1e-5);
    assert_non_null(list.map);
    assert_memory_equal(list.map, seen.colours, sizeof seen.colours);
    for (size_t i = 0; i < 36; i++) // pressed to 0.85 of what it was at rest
        x[3 * i] *= 0.85 / 1.1;
    seen = see(&list, world, (tide_view_options) { .colouring = TIDE_COLOURING_STRAIN });
    assert_near(seen.low, -20, 1e-9);
    for (uint32_t i = 0; i < 36; i++)
        assert_near(shown_at(&list, &seen, i), -15, 1e-5);
    seen = see(&list, world, (tide_view_options) { .colouring = TIDE_COLOURING_STRAIN, .low = -0.1, .high = 0.3 });
    assert_true(seen.below && !seen.above);
    assert_near(seen.high, 30, 1e-9);
    assert_near(place_of(&list, 7), 0, 0); // beyond the end: the end's colour
    tide_draw_list_free(&list);
    tide_world_destroy(world);
}

static void test_what_rests_is_at_zero(void **state)
{
    (void)state;
    tide_body_id id;
    tide_draw_list list = { 0 };
    tide_world *world = world_of(grid(5, 5), &id);
    for (int c = TIDE_COLOURING_STRAIN; c < TIDE_COLOURING_COUNT; c++) {
        tide_seen seen = see(&list, world, (tide_view_options) { .colouring = (tide_colouring)c });
        assert_true(seen.bar && seen.high > 0);
        for (uint32_t i = 0; i < 25; i++)
            assert_near(shown_at(&list, &seen, i), 0, 1e-9 * seen.high);
    }
    tide_seen seen = see(&list, world, (tide_view_options) { .colouring = TIDE_COLOURING_PLAIN });
    assert_true(!seen.bar && list.surfaces[0].pattern == TIDE_PATTERN_PLAIN);
    tide_draw_list_free(&list);
    tide_world_destroy(world);
}

// Whatever map is chosen, the bar has its colours and the numbers their places; 0 is in the middle of the signed one.
static void test_maps(void **state)
{
    (void)state;
    tide_body_id id;
    tide_draw_list list = { 0 };
    tide_world *world = world_of(grid(5, 5), &id);
    double *v = tide_world_velocities(world, id);
    for (size_t i = 0; i < 25; i++)
        v[3 * i] = 0.04 * (double)i;
    for (int map = 0; map < TIDE_MAP_COUNT; map++) {
        tide_colour wanted[TIDE_MAP_COLOURS];
        tide_view_options options = { .colouring = TIDE_COLOURING_SPEED, .map = (tide_colour_map)map };
        tide_seen seen = see(&list, world, options);
        tide_colour_map_fill((tide_colour_map)map, wanted);
        assert_memory_equal(seen.colours, wanted, sizeof wanted);
        assert_memory_equal(list.map, wanted, sizeof wanted);
        assert_near(seen.low, map == TIDE_MAP_SIGNED ? -1 : 0, 0);
        assert_near(seen.high, 1, 0);
        for (uint32_t i = 0; i < 25; i++)
            assert_near(shown_at(&list, &seen, i), 0.04 * i, 1e-6);
        options.low = 0.5;
        options.high = 2; // a range that is given stays
        seen = see(&list, world, options);
        assert_near(seen.low, 0.5, 0);
        assert_near(seen.high, 2, 0);
    }
    tide_seen seen =
        see(&list, world, (tide_view_options) { .colouring = TIDE_COLOURING_STRAIN, .map = TIDE_MAP_EMBER });
    tide_colour ember[TIDE_MAP_COLOURS];
    tide_colour_map_fill(TIDE_MAP_EMBER, ember);
    assert_memory_equal(seen.colours, ember, sizeof ember);
    tide_draw_list_free(&list);
    tide_world_destroy(world);
}

// d as bars of the springs' rest length about their middles, and the residual as arrows.
static void test_directions_and_residual(void **state)
{
    (void)state;
    tide_body_id id;
    tide_draw_list list = { 0 };
    tide_world *world = world_of(grid(5, 5), &id);
    double *x = tide_world_positions(world, id), residual[75] = { 0 };
    for (size_t i = 0; i < 25; i++)
        x[3 * i] *= 1.5;
    see(&list, world, (tide_view_options) { 0 });
    size_t before = list.line_count;
    tide_seen seen = see(&list, world, (tide_view_options) { .directions = true });
    assert_true(seen.directions && !seen.residual);
    tide_body_info body;
    tide_world_body_info(world, id, &body);
    assert_int_equal(list.line_count - before, 2 * body.mesh->edge_count); // each with its rim; no bends
    for (size_t l = before; l < list.line_count; l += 2) {
        const tide_draw_line *line = &list.lines[l];
        double length = 0;
        for (int k = 0; k < 3; k++)
            length += pow((double)line->to[k] - (double)line->from[k], 2);
        length = sqrt(length);
        assert_true(fabs(length - 0.25) < 1e-6 || fabs(length - 0.25 * sqrt(2)) < 1e-6);
    }
    // Only some springs are drawn if there are many
    tide_body_id large;
    tide_world *other = world_of(grid(60, 60), &large);
    see(&list, other, (tide_view_options) { .directions = true });
    assert_true(list.line_count >= 2 * 250 && list.line_count <= 2 * 500);
    tide_world_destroy(other);
    residual[3 * 7 + 1] = 4;
    residual[3 * 9] = -2;
    seen = see(&list, world, (tide_view_options) { .residual = residual });
    assert_true(seen.residual && !seen.directions);
    assert_near(seen.unbalanced, 4, 0);
    assert_int_equal(list.line_count - before, 2 * 6); // two arrows of three lines
    assert_true(list.lines[before + 1].to[1] > list.lines[before + 1].from[1]);
    tide_draw_list_free(&list);
    tide_world_destroy(world);
}

static void test_speed_and_its_range(void **state)
{
    (void)state;
    tide_body_id id;
    tide_draw_list list = { 0 };
    tide_world *world = world_of(grid(20, 20), &id);
    double *v = tide_world_velocities(world, id);
    for (size_t i = 0; i < 400; i++)
        v[3 * i + i % 3] = -0.01 * (double)i;
    tide_seen seen = see(&list, world, (tide_view_options) { .colouring = TIDE_COLOURING_SPEED });
    assert_near(seen.high, 5, 1e-12);
    assert_near(seen.low, 0, 0);
    for (uint32_t i = 0; i < 400; i++)
        assert_near(shown_at(&list, &seen, i), 0.01 * i, 1e-6);
    // one of a hundred may lie beyond
    for (int k = 0; k < 4; k++)
        v[3 * k] = 90;
    seen = see(&list, world, (tide_view_options) { .colouring = TIDE_COLOURING_SPEED });
    assert_near(seen.high, 5, 1e-12);
    assert_true(seen.above);
    v[3 * 4] = 90;
    seen = see(&list, world, (tide_view_options) { .colouring = TIDE_COLOURING_SPEED });
    assert_near(seen.high, 100, 1e-9);
    v[3 * 4] = NAN; // of a state that no step can be taken from
    see(&list, world, (tide_view_options) { .colouring = TIDE_COLOURING_SPEED });
    assert_true(place_of(&list, 4) < -1);
    tide_draw_list_free(&list);
    tide_world_destroy(world);
}

static void check_curvature(const tide_mesh *mesh, double expected, double tolerance, uint32_t from, uint32_t to)
{
    tide_body_id id;
    tide_draw_list list = { 0 };
    tide_world *world = world_of(mesh, &id);
    tide_seen seen = see(&list, world, (tide_view_options) { .colouring = TIDE_COLOURING_CURVATURE });
    for (uint32_t i = from; i < to; i++)
        assert_near(shown_at(&list, &seen, i), expected, tolerance);
    tide_draw_list_free(&list);
    tide_world_destroy(world);
}

static void test_curvature(void **state)
{
    (void)state;
    check_curvature(built(&tide_mesh_sphere, &(tide_mesh_sphere_def) { 0.25, 3 }), 4, 0.03, 0, 642);
    const tide_mesh_cylinder_def tube = { 0.5, TIDE_NOT_GIVEN, 1, 64, 16, false };
    check_curvature(built(&tide_mesh_cylinder, &tube), 1, 0.01, 64, 15 * 64);
    check_curvature(grid(7, 5), 0, 1e-9, 0, 35);
}

static void test_curvature_of_a_circle(void **state)
{
    (void)state;
    tide_body_id id;
    tide_draw_list list = { 0 };
    tide_world *world =
        world_of(built(&tide_mesh_strand, &(tide_mesh_strand_def) { .points = 40, .to = { 1, 0, 0 } }), &id);
    double *x = tide_world_positions(world, id);
    for (size_t i = 0; i < 40; i++) {
        x[3 * i] = 0.2 * cos(0.1 * (double)i);
        x[3 * i + 1] = 0.2 * sin(0.1 * (double)i);
    }
    tide_seen seen = see(&list, world, (tide_view_options) { .colouring = TIDE_COLOURING_CURVATURE });
    assert_near(seen.high, 5, 1e-9);
    tide_colour most = tide_colour_map_at(seen.colours, 1), middle = tide_colour_map_at(seen.colours, 0.5);
    assert_memory_equal(&list.lines[20].colour, &most, sizeof most);
    assert_memory_equal(&list.lines[0].colour, &middle, sizeof middle); // half-way from the end, which is 0
    tide_draw_list_free(&list);
    tide_world_destroy(world);
}

static tide_world *cloth_on_floor(tide_body_id *id, const char *solver)
{
    tide_world_settings settings = tide_world_settings_default();
    tide_world *world;
    settings.drag = 5;
    assert_ok(tide_world_create(&settings, NULL, &world, &error), error);
    *id = add(world, "cloth", grid(8, 8));
    const tide_shape_plane_def plane = { { 0, 1, 0 }, -0.004 };
    tide_collider_def def = tide_collider_def_default();
    tide_collider_id floor;
    def.name = "floor";
    def.shape = &tide_shape_plane;
    def.definition = &plane;
    assert_ok(tide_world_add_collider(world, &def, &floor, &error), error);
    assert_ok(tide_world_set_solver(world, tide_solver_kind_find(solver, &error), NULL, &error), error);
    return world;
}

static void test_contact_holds_the_weight(void **state)
{
    (void)state;
    tide_body_id id;
    tide_draw_list list = { 0 };
    tide_world *world = cloth_on_floor(&id, "newton");
    for (int n = 0; n < 120; n++)
        assert_ok(tide_world_step(world, &error), error);
    tide_seen seen =
        see(&list, world, (tide_view_options) { .colouring = TIDE_COLOURING_CONTACT, .low = 0, .high = 10 });
    double sum = 0;
    for (uint32_t i = 0; i < 64; i++)
        sum += shown_at(&list, &seen, i);
    assert_near(sum, 9.81, 0.02 * 9.81); // 1 kg
    seen = see(&list, world, (tide_view_options) { .contacts = true });
    assert_int_equal(list.line_count, 2 * 64); // each has a rim
    assert_int_equal(list.point_count, 64);
    for (size_t i = 0; i < list.line_count; i++) {
        const tide_draw_line *normal = &list.lines[i];
        assert_true(normal->to[1] > normal->from[1] + 0.01f);
        assert_near(normal->to[0], normal->from[0], 1e-6);
    }
    assert_near(seen.touching, 9.81 / 64, 0.5 * 9.81 / 64);
    tide_draw_list_free(&list);
    tide_world_destroy(world);
}

// The norm of the residual, from the solver's report and from the world's own numbers.
static void test_residual_is_the_solvers(void **state)
{
    (void)state;
    static const char *const solvers[] = { "local_global", "newton", "lbfgs" };
    double *g = tide_allocate_array(3 * 64, sizeof *g);
    for (int floor = 0; floor < 2; floor++)
        for (size_t s = 0; s < (floor ? 2 : 3); s++) {
            tide_body_id id;
            bool known;
            tide_world *world = cloth_on_floor(&id, solvers[s]);
            tide_world_positions(world, id)[4] += floor ? 0.05 : 3; // high up it touches nothing
            for (size_t i = 1; i < 3 * 64 && !floor; i += 3)
                tide_world_positions(world, id)[i] += 5;
            assert_ok(tide_world_residual(world, g, &known, &error), error);
            assert_false(known);
            for (int n = 0; n < (floor ? 60 : 3); n++)
                assert_ok(tide_world_step(world, &error), error);
            const tide_system *system;
            assert_ok(tide_world_system(world, &system, &error), error);
            assert_ok(tide_world_residual(world, g, &known, &error), error);
            assert_true(known);
            double h = tide_world_get_settings(world)->timestep, told = tide_world_report(world)->gradient_norm;
            double norm = h * h * tide_system_norm(system, g);
            if (!floor)
                assert_near(norm, told, 1e-9 * told + 1e-13);
            else // what rests is in balance with its contacts, but for what the solver leaves: the weights are 9.81 / 8
                 // N
                assert_true(norm / (h * h) < 0.15 * 9.81 / 8);
            tide_world_velocities(world, id)[0] += 1;
            assert_ok(tide_world_residual(world, g, &known, &error), error);
            assert_false(known);
            for (int i = 0; i < 3 * 64; i++)
                assert_true(g[i] == 0);
            tide_world_destroy(world);
        }
    tide_free(g);
}

static void test_numbers_of_the_script(void **state)
{
    (void)state;
    tide_body_id id;
    tide_draw_list list = { 0 };
    tide_world *world = world_of(grid(3, 3), &id);
    add(world, "other", grid(2, 2));
    double values[9] = { 0, 1, 2, 3, 4, 5, 6, 7, NAN };
    tide_body_numbers numbers = { id, 9, values, 0, 8, "charge", "C" };
    tide_view_options options = { .numbers = &numbers, .number_count = 1 };
    tide_seen seen = see(&list, world, options);
    assert_string_equal(seen.name, "charge");
    assert_string_equal(seen.unit, "C");
    for (uint32_t i = 0; i < 8; i++)
        assert_near(place_of(&list, i), i / 8.0, 1e-7);
    assert_true(place_of(&list, 8) < -1);
    assert_int_equal(list.surfaces[1].pattern, TIDE_PATTERN_PLAIN);
    numbers.high = 0; // from 0 to the least round number
    seen = see(&list, world, options);
    assert_near(seen.low, 0, 0);
    assert_near(seen.high, 10, 1e-9);
    values[0] = -5; // of both signs: as far on either side
    seen = see(&list, world, options);
    assert_near(seen.low, -10, 1e-9);
    assert_near(place_of(&list, 0), 0.25, 1e-7);
    options.colouring = TIDE_COLOURING_PLAIN;
    assert_false(see(&list, world, options).bar);
    options.colouring = TIDE_COLOURING_SPEED; // all bodies
    see(&list, world, options);
    assert_int_equal(list.surfaces[1].pattern, TIDE_PATTERN_MAP);
    tide_draw_list_free(&list);
    tide_world_destroy(world);
}

static void test_a_fine_surface_carries_the_numbers(void **state)
{
    (void)state;
    tide_world *world;
    tide_body_id id;
    tide_draw_list list = { 0 };
    const tide_mesh *block = built(&tide_mesh_box, &(tide_mesh_box_def) { .size = { 1, 1, 1 }, .cells = { 2, 2, 2 } });
    const tide_mesh *ball = built(&tide_mesh_sphere, &(tide_mesh_sphere_def) { 0.4, 2 });
    tide_body_def def = tide_body_def_default();
    def.name = "ball";
    def.mesh = block;
    def.surface = ball;
    def.stiffness = 10;
    assert_ok(tide_world_create(NULL, NULL, &world, &error), error);
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    double values[64];
    for (size_t i = 0; i < block->vertex_count; i++)
        values[i] = block->vertices[3 * i] + 2 * block->vertices[3 * i + 1];
    const tide_body_numbers numbers = { id, block->vertex_count, values, -2, 2, "", "" };
    see(&list, world, (tide_view_options) { .numbers = &numbers, .number_count = 1 });
    const tide_draw_surface *s = &list.surfaces[0];
    assert_int_equal(s->vertex_count, ball->vertex_count);
    for (size_t i = 0; i < s->vertex_count; i++) // a linear function is carried exactly
        assert_near(s->texture[2 * i], ((double)s->positions[3 * i] + 2 * (double)s->positions[3 * i + 1] + 2) / 4,
                    1e-6);
    tide_draw_list_free(&list);
    tide_world_destroy(world);
    tide_mesh_release(block);
    tide_mesh_release(ball);
}

static void test_arrows(void **state)
{
    (void)state;
    tide_body_id id;
    tide_draw_list list = scene_plain();
    tide_world *world = world_of(grid(2, 2), &id);
    double *v = tide_world_velocities(world, id);
    v[1] = 3;
    v[3 + 1] = -1.5;
    see(&list, world, (tide_view_options) { 0 });
    float lower[3], upper[3];
    memcpy(lower, list.lower, sizeof lower);
    memcpy(upper, list.upper, sizeof upper);
    tide_seen seen = see(&list, world, (tide_view_options) { .velocities = true });
    assert_near(seen.fastest, 3, 1e-12);
    assert_int_equal(list.line_count, 12); // two arrows of a shaft and two sides of a head, with rims
    double longest = 0.12 * sqrt(2);
    assert_near(list.lines[0].to[1] - list.lines[0].from[1], longest, 1e-6);
    assert_near(list.lines[6].to[1] - list.lines[6].from[1], -longest / 2, 1e-6);
    assert_memory_equal(lower, list.lower, sizeof lower); // the camera looks at the bodies
    assert_memory_equal(upper, list.upper, sizeof upper);
    tide_world_positions(world, id)[0] -= 0.5; // the springs of vertex 1 pull it back
    seen = see(&list, world, (tide_view_options) { .forces = true });
    assert_true(seen.strongest > 10 && list.line_count > 0);
    const tide_draw_line *pull = &list.lines[0];
    assert_true(pull->to[0] > pull->from[0] + 0.1f);
    // of many vertices some
    tide_world_destroy(world);
    world = world_of(grid(60, 60), &id);
    v = tide_world_velocities(world, id);
    for (int i = 0; i < 3 * 3600; i++)
        v[i] = 1;
    see(&list, world, (tide_view_options) { .velocities = true });
    assert_true(list.line_count >= 6 * 200 && list.line_count <= 6 * 400);
    tide_draw_list_free(&list);
    tide_world_destroy(world);
}

static size_t count_lines(const tide_draw_list *list, tide_colour colour)
{
    size_t count = 0;
    for (size_t i = 0; i < list->line_count; i++)
        count += list->lines[i].colour.r == colour.r && list->lines[i].colour.g == colour.g &&
                 list->lines[i].colour.b == colour.b;
    return count;
}

static void test_springs_by_kind(void **state)
{
    (void)state;
    tide_world *world;
    tide_body_id id;
    tide_draw_list list = { 0 };
    const tide_mesh *mesh = grid(5, 5);
    const tide_extra_spring extra = { 0, 24, 10, TIDE_NOT_GIVEN };
    tide_body_def def = tide_body_def_default();
    def.name = "cloth";
    def.mesh = mesh;
    def.stiffness = 100;
    def.bend = 5;
    def.springs = &extra;
    def.spring_count = 1;
    assert_ok(tide_world_create(NULL, NULL, &world, &error), error);
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    tide_body_id other =
        add(world, "strand", built(&tide_mesh_strand, &(tide_mesh_strand_def) { .points = 3, .to = { 1, 0, 0 } }));
    const tide_attach_def attach = { .stiffness = 10, .keep_distance = true };
    assert_ok(tide_world_attach(world, id, 3, other, 2, &attach, &error), error);
    assert_ok(tide_world_pin(world, id, 0, 50, &error), error);
    tide_seen seen = see(&list, world, (tide_view_options) { .springs = true, .colouring = TIDE_COLOURING_STRAIN });
    assert_int_equal(list.surface_count, 0);
    assert_true(seen.kinds[0] && seen.kinds[1] && seen.kinds[2] && seen.kinds[3] && !seen.bar);
    size_t edges = mesh->edge_count + 2;
    tide_body_info info;
    assert_true(tide_world_body_info(world, id, &info));
    assert_int_equal(list.line_count, edges + (info.spring_count - mesh->edge_count - 1) + 1 + 1 + 1);
    assert_int_equal(count_lines(&list, list.lines[0].colour), edges);
    assert_int_equal(count_lines(&list, list.lines[info.spring_count - 1].colour), 1); // the one that was added
    assert_int_equal(count_lines(&list, list.lines[list.line_count - 1].colour), 1);   // the attachment
    tide_draw_list_free(&list);
    tide_world_destroy(world);
    tide_mesh_release(mesh);
}

static bool has_label(const tide_draw_list *list, const char *text)
{
    bool found = false;
    for (size_t i = 0; i < list->label_count; i++)
        found = found || strcmp(list->labels[i].text, text) == 0;
    return found;
}

static void test_key(void **state)
{
    (void)state;
    tide_draw_list list = scene_plain();
    tide_image image = { 0 };
    tide_seen seen = { .bar = true,
                       .low = -20,
                       .high = 20,
                       .above = true,
                       .name = "strain",
                       .unit = "%",
                       .velocities = true,
                       .fastest = 2.5,
                       .springs = true,
                       .kinds = { true, false, true, false } };
    tide_colour_map_fill(TIDE_MAP_SIGNED, seen.colours);
    tide_draw_key(&list, &seen, 640, 30, 360);
    static const char *const texts[] = { "strain, %", "-20",  "-10", "0", "10", "> 20", "velocity, longest 2.5 m/s",
                                         "edges",     "added" };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_true(has_label(&list, texts[i]));
    assert_false(has_label(&list, "bending"));
    for (size_t i = 0; i < list.label_count; i++) {
        float width, height;
        const tide_draw_label *label = &list.labels[i];
        tide_draw_text_size(label->text, label->size, &width, &height);
        assert_true(label->on_screen && label->position[0] > 0 && label->position[0] + width < 640);
        assert_true(label->size >= 11 && label->position[1] > 30 && label->position[1] + height < 360);
    }
    // the bar's colours are in the picture as they are, the highest on top
    scene_draw(&list, &image, 640, 360);
    size_t first = 0;
    while (list.boxes[first].height != 1)
        first++;
    const tide_draw_box *top = &list.boxes[first];
    uint32_t x = (uint32_t)(top->x + top->width / 2), y = (uint32_t)top->y;
    tide_pixel pixel = scene_pixel(&image, x, y);
    assert_near(pixel.r, 255 * (double)seen.colours[TIDE_MAP_COLOURS - 1].r, 8);
    assert_near(pixel.b, 255 * (double)seen.colours[TIDE_MAP_COLOURS - 1].b, 8);
    size_t boxes = list.box_count;
    tide_draw_key(&list, &(tide_seen) { 0 }, 640, 0, 360);
    assert_int_equal(list.box_count, boxes);
    tide_draw_list_free(&list);
    tide_image_free(&image);
}

// A surface that faces the camera in the light is of its number's colour, a little darker or lighter.
static void test_the_picture_has_the_colours(void **state)
{
    (void)state;
    tide_draw_list list = scene_plain();
    tide_image image = { 0 };
    tide_colour map[TIDE_MAP_COLOURS];
    const float positions[12] = { -1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0 };
    const float normals[12] = { 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1 }, texture[8] = { 0, 0, 1, 0, 1, 0, 0, 0 };
    const uint32_t triangles[6] = { 0, 1, 2, 0, 2, 3 };
    tide_draw_surface surface = { 4,         2,         positions,        normals, texture, triangles,
                                  scene_red, scene_red, TIDE_PATTERN_MAP, 0,       false,   false };
    tide_colour_map_fill(TIDE_MAP_RISING, map);
    tide_draw_set_map(&list, map);
    tide_draw_add_surface(&list, &surface);
    scene_draw(&list, &image, 100, 100);
    for (uint32_t x = 5; x < 100; x += 10) {
        tide_colour wanted = tide_colour_map_at(map, (x + 0.5) / 100);
        tide_pixel p = scene_pixel(&image, x, 50);
        double there[3], drawn[3];
        tide_colour_to_oklab(wanted, there);
        tide_colour_to_oklab((tide_colour) { (float)p.r / 255, (float)p.g / 255, (float)p.b / 255, 1 }, drawn);
        assert_near(drawn[0], there[0], 0.06);
        assert_near(drawn[1], there[1], 0.03);
        assert_near(drawn[2], there[2], 0.03);
    }
    tide_draw_list_clear(&list); // without a map it is plain
    list.camera = scene_plain().camera;
    list.stage = scene_plain().stage;
    tide_draw_add_surface(&list, &surface);
    scene_draw(&list, &image, 100, 100);
    tide_pixel p = scene_pixel(&image, 50, 50);
    assert_true(p.r > 2 * p.g && p.r > 2 * p.b);
    tide_draw_list_free(&list);
    tide_image_free(&image);
}

static void test_memory(void **state)
{
    (void)state;
    tide_body_id id;
    tide_world *world = cloth_on_floor(&id, "local_global");
    for (int n = 0; n < 20; n++)
        assert_ok(tide_world_step(world, &error), error);
    tide_draw_list list = { 0 };
    tide_view_options all = { .contacts = true, .velocities = true, .forces = true };
    for (int c = TIDE_COLOURING_PLAIN; c < TIDE_COLOURING_COUNT; c++) {
        all.colouring = (tide_colouring)c;
        see(&list, world, all);
        uint64_t before = tide_memory_count().allocations;
        see(&list, world, all);
        if (c != TIDE_COLOURING_RESIDUAL && c != TIDE_COLOURING_REACTION) // frames after the first allocate nothing
            assert_int_equal(tide_memory_count().allocations, before);
        tide_draw_list_free(&list);
        uint64_t blocks = tide_memory_count().blocks;
        bool failed = true;
        for (uint64_t n = 0; failed; n++) {
            failing_allocation failing = { .left = n };
            tide_seen seen;
            tide_view_settings settings = { .options = all, .seen = &seen };
            list = (tide_draw_list) { 0 };
            tide_memory_set_failure_hook(fail_in_turn, &failing);
            tide_status status = tide_draw_world(&list, world, &settings, &error);
            tide_draw_key(&list, &seen, 640, 0, 360);
            tide_memory_set_failure_hook(NULL, NULL);
            failed = failing.failed;
            assert_true(status == TIDE_OK || status == TIDE_ERROR_MEMORY);
            assert_int_equal(failed, status != TIDE_OK || list.failed);
            tide_draw_list_free(&list);
            assert_int_equal(tide_memory_count().blocks, blocks);
        }
    }
    tide_world_destroy(world);
}

static void test_names(void **state)
{
    (void)state;
    tide_colouring found;
    const char *help;
    for (int c = 0; c < TIDE_COLOURING_COUNT; c++) {
        assert_ok(tide_colouring_find(tide_colouring_name((tide_colouring)c, &help), "x", "y", &found, &error), error);
        assert_int_equal(found, c);
        assert_true(help[0]);
    }
    assert_null(tide_colouring_name(TIDE_COLOURING_COUNT, NULL));
    assert_fails(tide_colouring_find("starin", "command line", "--colour", &found, &error), error,
                 "did you mean \"strain\"?");
    assert_fails(tide_colouring_find("", "command line", "--colour", &found, &error), error, "residual");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_stretched_strip_is_of_one_colour),
    cmocka_unit_test(test_what_rests_is_at_zero),
    cmocka_unit_test(test_maps),
    cmocka_unit_test(test_directions_and_residual),
    cmocka_unit_test(test_speed_and_its_range),
    cmocka_unit_test(test_curvature),
    cmocka_unit_test(test_curvature_of_a_circle),
    cmocka_unit_test(test_contact_holds_the_weight),
    cmocka_unit_test(test_residual_is_the_solvers),
    cmocka_unit_test(test_numbers_of_the_script),
    cmocka_unit_test(test_a_fine_surface_carries_the_numbers),
    cmocka_unit_test(test_arrows),
    cmocka_unit_test(test_springs_by_kind),
    cmocka_unit_test(test_key),
    cmocka_unit_test(test_the_picture_has_the_colours),
    cmocka_unit_test(test_memory),
    cmocka_unit_test(test_names),
};
TIDE_TEST_SUITE(draw_world_colours, tests)
