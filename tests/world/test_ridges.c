// Edges of colliders' meshes that could cut cloth between its vertices.
#include "world/contact_scenes.h"
#include "world/feature_filter.h"
#include "world/world_state.h"

static tide_error error;

// Cloth with edges of `edge` m (but for its diagonals) and a thickness of `thickness` m.
static void add_cloth(tide_world *world, double edge, double thickness)
{
    tide_mesh *mesh;
    tide_mesh_grid_def grid = { .columns = 9, .rows = 9, .width = 8 * edge, .height = 8 * edge };
    assert_ok(tide_mesh_grid.build(&grid, &mesh, &error), error);
    tide_body_def def = fixture_cloth("cloth", mesh);
    def.thickness = thickness;
    tide_body_id id;
    assert_ok(tide_world_add_body(world, &def, &id, &error), error);
    tide_mesh_release(mesh);
}

static void add_collider(tide_world *world, const tide_shape_kind *kind, const void *definition)
{
    tide_collider_def def = tide_collider_def_default();
    def.name = "it";
    def.shape = kind;
    def.definition = definition;
    tide_collider_id id;
    assert_ok(tide_world_add_collider(world, &def, &id, &error), error);
}

static tide_contact_surface *surface_of(tide_world *world)
{
    tide_contact_surface *s;
    assert_ok(tide_world_update_system(world, &error), error);
    assert_ok(tide_world_make_surface(world, false, &s, &error), error);
    assert_true(s->part_count == 2 && s->parts[1].fixed && s->parts[1].guarded && !s->parts[0].guarded);
    return s;
}

static double length_of(const tide_contact_surface *s, const uint32_t edge[2])
{
    double square = 0;
    for (size_t k = 0; k < 3; k++) {
        double d = s->rest[3 * (size_t)edge[0] + k] - s->rest[3 * (size_t)edge[1] + k];
        square += d * d;
    }
    return sqrt(square);
}

static void test_a_box_keeps_its_edges_and_corners(void **state)
{
    (void)state;
    tide_world *world = scene_world(0.01, 9.81);
    scene_continuous(world);
    add_cloth(world, 0.05, 0.005);
    tide_shape_box_def box;
    tide_shape_default(&tide_shape_box, &box);
    add_collider(world, &tide_shape_box, &box);
    tide_contact_surface *s = surface_of(world);
    uint32_t sharp = 0;
    for (uint32_t e = 0; e < s->edge_count; e++) {
        bool fixed = e >= s->parts[1].first_edge, across = true;
        for (int k = 0; k < 3 && fixed; k++) // the box is a cube: a diagonal of a face is longer than its sides
            across = length_of(s, s->edges + 2 * (size_t)e) > 1.1 * box.size[k];
        assert_int_equal(s->smooth_edges[e], fixed && across);
        sharp += fixed && !s->smooth_edges[e];
    }
    assert_int_equal(sharp, 24); // its faces have corners of their own, so that each edge is there twice
    for (uint32_t p = 0; p < s->point_count; p++)
        assert_false(s->smooth_points[p]);
    tide_free(s);
    tide_world_destroy(world);
}

// The arrow of an arc of radius R over an edge of length L is L^2 / 8 R: what is well below the offset is smooth, what
// is well above is not. The torus has the ring's inside as well, which is hollow along the ring, but not around the
// tube.
static uint32_t count_sharp(const tide_mesh *mesh, double edge, double offset)
{
    tide_world *world = scene_world(0.01, 9.81);
    scene_continuous(world);
    add_cloth(world, edge, 2 * offset);
    tide_shape_mesh_def def;
    tide_shape_default(&tide_shape_mesh, &def);
    def.mesh = mesh;
    add_collider(world, &tide_shape_mesh, &def);
    tide_contact_surface *s = surface_of(world);
    uint32_t sharp = 0;
    for (uint32_t e = s->parts[1].first_edge; e < s->edge_count; e++) {
        const uint32_t *edge_points = s->edges + 2 * (size_t)e;
        sharp += !s->smooth_edges[e];
        for (int k = 0; k < 2; k++)
            assert_true(s->smooth_edges[e] || !s->smooth_points[edge_points[k]]);
    }
    tide_free(s);
    tide_world_destroy(world);
    return sharp;
}

static void test_a_ball_is_smooth_under_fine_cloth_only(void **state)
{
    (void)state;
    tide_mesh *ball;
    tide_mesh_sphere_def def = { .radius = 0.1, .subdivisions = 4 };
    assert_ok(tide_mesh_sphere.build(&def, &ball, &error), error);
    for (double edge = 0.01; edge < 0.1; edge *= 1.5) {
        double mean = edge * (2 + sqrt(2)) / 3,
               arrow = mean * mean / (8 * 0.1); // of sides and as many diagonals, about
        assert_int_equal(count_sharp(ball, edge, 2.5 * arrow), 0);
        assert_true(count_sharp(ball, edge, arrow / 3) > 0.9 * ball->edge_count);
    }
    tide_mesh_release(ball);
}

// A ledge: a box with a step in it, as a profile that goes along z. What is hollow cannot cut.
static void test_hollow_edges_are_smooth(void **state)
{
    (void)state;
    static const double profile[6][2] = { { 0, 0 }, { 2, 0 }, { 2, 1 }, { 1, 1 }, { 1, 2 }, { 0, 2 } };
    static const uint32_t front[4][3] = { { 0, 1, 2 }, { 0, 2, 3 }, { 0, 3, 4 }, { 0, 4, 5 } };
    double vertices[36];
    uint32_t triangles[3 * 20], count = 0;
    for (size_t i = 0; i < 12; i++) {
        vertices[3 * i] = profile[i % 6][0];
        vertices[3 * i + 1] = profile[i % 6][1];
        vertices[3 * i + 2] = i < 6 ? 1 : 0;
    }
    for (uint32_t t = 0; t < 4; t++)
        for (uint32_t k = 0; k < 3; k++) {
            triangles[3 * t + k] = front[t][k];
            triangles[3 * (t + 4) + k] = 6 + front[t][2 - k];
        }
    count = 8;
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t n = (i + 1) % 6, side[2][3] = { { i, i + 6, n + 6 }, { i, n + 6, n } };
        memcpy(triangles + 3 * count, side, sizeof side);
        count += 2;
    }
    tide_mesh_parts parts = {
        .vertices = vertices, .vertex_count = 12, .triangles = triangles, .triangle_count = count
    };
    tide_mesh *mesh;
    assert_ok(tide_mesh_create(&parts, &mesh, &error), error);
    // 18 edges of the outline; of these the one in the step's corner is hollow, between points 3 and 9
    assert_int_equal(count_sharp(mesh, 0.05, 0.001), 17);
    tide_mesh_release(mesh);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_box_keeps_its_edges_and_corners),
    cmocka_unit_test(test_a_ball_is_smooth_under_fine_cloth_only),
    cmocka_unit_test(test_hollow_edges_are_smooth),
};
TIDE_TEST_SUITE(world_ridges, tests)
