#include "draw/scene.h"

#include "base/memory.h"
#include "linear/failing.h"

#include <math.h>
#include <string.h>

static void test_adds_copy(void **state)
{
    (void)state;
    tide_draw_list list = scene_plain();
    float corners[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
    char text[] = "one";
    scene_add_polygon(&list, corners, 3, scene_red, scene_blue);
    tide_draw_add_label(&list, &(tide_draw_label) { .text = text, .size = 12 });
    memset(corners, 0, sizeof corners);
    memset(text, 'x', 3);
    assert_near(list.surfaces[0].positions[3], 1, 0);
    assert_near(list.surfaces[0].normals[2], 1, 0);
    assert_int_equal(list.surfaces[0].triangles[2], 2);
    assert_string_equal(list.labels[0].text, "one");
    tide_draw_list_free(&list);
}

static void test_own_memory_is_not_copied(void **state)
{
    (void)state;
    tide_draw_list list = { 0 };
    float *positions = tide_draw_list_allocate(&list, 9 * sizeof(float));
    float *normals = tide_draw_list_allocate(&list, 9 * sizeof(float));
    uint32_t *triangles = tide_draw_list_allocate(&list, 3 * sizeof(uint32_t));
    memset(positions, 0, 9 * sizeof(float));
    memset(normals, 0, 9 * sizeof(float));
    memset(triangles, 0, 3 * sizeof(uint32_t));
    tide_draw_add_surface(&list, &(tide_draw_surface) { .vertex_count = 3,
                                                        .triangle_count = 1,
                                                        .positions = positions,
                                                        .normals = normals,
                                                        .triangles = triangles });
    assert_ptr_equal(list.surfaces[0].positions, positions);
    assert_ptr_equal(list.surfaces[0].normals, normals);
    assert_ptr_equal(list.surfaces[0].triangles, triangles);
    tide_draw_list_free(&list);
}

static void test_bounds(void **state)
{
    (void)state;
    tide_draw_list list = { 0 };
    tide_draw_add_point(&list, &(tide_draw_point) { .position = { 3, 4, 5 }, .size = 4 });
    for (int k = 0; k < 3; k++)
        assert_near(list.lower[k], list.upper[k], 0); // not the origin, which was never added
    tide_draw_add_point(&list, &(tide_draw_point) { .position = { 1, NAN, 9 }, .size = 4 });
    assert_near(list.lower[0], 3, 0);
    tide_draw_add_line(&list, &(tide_draw_line) { .from = { -1, 4, 5 }, .to = { 3, 6, 5 }, .width = -0.5f });
    assert_near(list.lower[0], -1.25, 1e-6);
    assert_near(list.upper[1], 6.25, 1e-6);
    tide_draw_list_clear(&list);
    assert_near(list.upper[1], 0, 0);
    tide_draw_list_free(&list);
}

static void build(tide_draw_list *list)
{
    tide_draw_list_clear(list);
    scene_add_cloth(list, 40, TIDE_PATTERN_CHECKER);
    for (int i = 0; i < 100; i++) {
        tide_draw_add_line(list, &(tide_draw_line) { .to = { 1, 0, 0 }, .width = 1 });
        tide_draw_add_point(list, &(tide_draw_point) { .size = 1 });
        tide_draw_add_label(list, &(tide_draw_label) { .text = "a label", .size = 12 });
    }
}

static void test_memory_is_kept(void **state)
{
    (void)state;
    tide_draw_list list = scene_plain();
    build(&list);
    uint64_t before = tide_memory_count().allocations;
    build(&list);
    assert_int_equal(tide_memory_count().allocations, before);
    tide_draw_list_free(&list);
}

static void test_memory_fails(void **state)
{
    (void)state;
    uint64_t blocks = tide_memory_count().blocks;
    bool failed = true;
    int failures = 0;
    for (uint64_t n = 0; failed; n++) {
        tide_draw_list list = { 0 };
        float corners[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
        failing_allocation failing = { .left = n };
        tide_memory_set_failure_hook(fail_in_turn, &failing);
        scene_add_polygon(&list, corners, 3, scene_red, scene_blue);
        tide_draw_add_line(&list, &(tide_draw_line) { .width = 1 });
        tide_draw_add_point(&list, &(tide_draw_point) { .size = 1 });
        tide_draw_add_label(&list, &(tide_draw_label) { .text = "a", .size = 12 });
        tide_memory_set_failure_hook(NULL, NULL);
        failed = list.failed;
        failures += failed;
        tide_draw_list_free(&list);
        assert_int_equal(tide_memory_count().blocks, blocks);
    }
    assert_int_equal(failures, 5);
}

static void test_normals(void **state)
{
    (void)state;
    // two triangles at a right angle on an edge along x, the second twice as large
    const float positions[] = { 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 2, 0, 5, 5, 5 };
    const uint32_t triangles[] = { 0, 1, 2, 0, 1, 3 };
    float normals[15];
    tide_draw_normals(positions, 5, triangles, 2, normals);
    assert_near(normals[6 + 1], 1, 1e-6); // of the first alone
    assert_near(normals[9 + 2], 1, 1e-6); // of the second alone
    assert_near(normals[1], 1 / sqrt(5), 1e-6);
    assert_near(normals[2], 2 / sqrt(5), 1e-6);
    assert_near(normals[12 + 1], 1, 0); // of a vertex in no triangle: up
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_adds_copy),    cmocka_unit_test(test_own_memory_is_not_copied),
    cmocka_unit_test(test_bounds),       cmocka_unit_test(test_memory_is_kept),
    cmocka_unit_test(test_memory_fails), cmocka_unit_test(test_normals),
};
TIDE_TEST_SUITE(draw_list, tests)
