#include "draw/scene.h"

#include "base/random.h"

#include <math.h>

static double distance(const tide_draw_camera *camera)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += pow((double)camera->position[k] - (double)camera->target[k], 2);
    return sqrt(sum);
}

// Clip coordinates of a point, and its pixel
static void transform(const float m[16], const float p[3], double clip[4])
{
    for (int row = 0; row < 4; row++)
        clip[row] = (double)m[row] * p[0] + (double)m[4 + row] * p[1] + (double)m[8 + row] * p[2] + (double)m[12 + row];
}

static void test_frame_holds_the_box(void **state)
{
    (void)state;
    static const float boxes[][6] = { { -1, -1, -1, 1, 1, 1 },
                                      { 0, 0, 0, 10, 0.1f, 0.1f },
                                      { 5, -3, 2, 5.5f, 4, 3 },
                                      { -2, 0, -2, 2, 0, 2 },
                                      { 0, 0, 0, 0.01f, 0.02f, 0 } };
    static const float aspects[] = { 0.3f, 1, 16.0f / 9, 4 };
    for (size_t b = 0; b < sizeof boxes / sizeof boxes[0]; b++)
        for (size_t a = 0; a < 4; a++) {
            const float *box = boxes[b];
            tide_draw_camera camera = tide_camera_frame(box, box + 3, aspects[a]);
            float matrix[16];
            tide_camera_matrix(&camera, aspects[a], 0.001f, 1000, matrix);
            double largest = 0;
            for (int corner = 0; corner < 8; corner++) {
                float p[3];
                double clip[4];
                for (int k = 0; k < 3; k++)
                    p[k] = box[3 * (corner >> k & 1) + k];
                transform(matrix, p, clip);
                assert_true(clip[3] > 0);
                assert_true(fabs(clip[0]) < clip[3] && fabs(clip[1]) < clip[3]);
                largest = fmax(largest, fmax(fabs(clip[0]), fabs(clip[1])) / clip[3]);
            }
            assert_true(largest > 0.5); // and not from too far away
        }
}

static void test_frame_of_nothing(void **state)
{
    (void)state;
    const float zero[3] = { 0 }, bad[3] = { NAN, 0, INFINITY };
    tide_draw_camera camera = tide_camera_frame(zero, zero, 1);
    assert_true(distance(&camera) > 0.5 && distance(&camera) < 20);
    camera = tide_camera_frame(bad, bad, NAN);
    assert_true(isfinite(distance(&camera)) && distance(&camera) > 0.5);
}

static void test_orbit_keeps_distance(void **state)
{
    (void)state;
    const float lower[3] = { 0, 0, 0 }, upper[3] = { 1, 2, 1 };
    tide_draw_camera camera = tide_camera_frame(lower, upper, 1.5f), before = camera;
    double away = distance(&camera);
    tide_random random = tide_random_seed(7);
    for (int i = 0; i < 500; i++) {
        tide_camera_orbit(&camera, (float)tide_random_uniform(&random) - 0.5f,
                          (float)tide_random_uniform(&random) - 0.5f);
        assert_near(distance(&camera), away, 1e-3 * away);
    }
    for (int k = 0; k < 3; k++)
        assert_near(camera.target[k], before.target[k], 0);
    // a full turn, and back and forth
    camera = before;
    for (int i = 0; i < 8; i++)
        tide_camera_orbit(&camera, 3.14159265f / 4, 0);
    tide_camera_orbit(&camera, 0.3f, 0.2f);
    tide_camera_orbit(&camera, -0.3f, -0.2f);
    for (int k = 0; k < 3; k++)
        assert_near(camera.position[k], before.position[k], 1e-4);
    // to the right means that the camera moves to its right
    tide_draw_camera front = { .position = { 0, 0, 2 }, .up = { 0, 1, 0 }, .field_of_view = 0.6f };
    tide_camera_orbit(&front, 0.1f, 0);
    assert_near(front.position[0], 2 * sin(0.1), 1e-5);
    assert_near(front.position[2], 2 * cos(0.1), 1e-5);
    tide_camera_orbit(&front, NAN, 1);
    assert_near(front.position[0], 2 * sin(0.1), 1e-5);
}

static void test_orbit_stops_short_of_the_poles(void **state)
{
    (void)state;
    tide_draw_camera camera = { .position = { 0, 0, 2 }, .up = { 0, 1, 0 }, .field_of_view = 0.6f };
    for (int i = 0; i < 100; i++)
        tide_camera_orbit(&camera, 0, 0.5f);
    assert_true(camera.position[1] > 1.99f && hypotf(camera.position[0], camera.position[2]) > 0.02f);
    assert_true(camera.position[2] > 0);
    for (int i = 0; i < 100; i++)
        tide_camera_orbit(&camera, 0, -0.5f);
    assert_true(camera.position[1] < -1.99f && camera.position[2] > 0.02f);
}

static void test_pan_and_zoom(void **state)
{
    (void)state;
    tide_draw_camera camera = { .position = { 0, 0, 2 }, .up = { 0, 1, 0 }, .field_of_view = 2 * atanf(0.5f) };
    tide_camera_pan(&camera, 0.5f, 0.25f); // the view is 2 m high at the target
    assert_near(camera.position[0], 1, 1e-6);
    assert_near(camera.target[1], 0.5, 1e-6);
    tide_camera_zoom(&camera, 0.5f);
    assert_near(distance(&camera), 1, 1e-6);
    tide_camera_zoom(&camera, NAN);
    tide_camera_zoom(&camera, -1);
    tide_camera_zoom(&camera, 0);
    assert_near(distance(&camera), 1, 1e-6);
    for (int i = 0; i < 2000; i++)
        tide_camera_zoom(&camera, 0.5f);
    assert_true(distance(&camera) > 0);
}

static void test_ray_goes_through_the_pixel_of_a_point(void **state)
{
    (void)state;
    const float lower[3] = { -1, 0, -2 }, upper[3] = { 1, 2, 1 };
    tide_draw_camera camera = tide_camera_frame(lower, upper, 1.6f);
    tide_camera_orbit(&camera, 1.1f, 0.3f);
    float matrix[16], origin[3], direction[3];
    tide_camera_matrix(&camera, 1.6f, 0.1f, 100, matrix);
    const float points[][3] = { { 0, 1, 0 }, { 0.7f, 0.2f, -1.5f }, { -0.9f, 1.9f, 0.8f } };
    for (int i = 0; i < 3; i++) {
        double clip[4], along = 0, off = 0;
        transform(matrix, points[i], clip);
        assert_true(clip[2] > 0 && clip[2] < clip[3]);
        float x = (float)((clip[0] / clip[3] + 1) * 400), y = (float)((1 - clip[1] / clip[3]) * 250);
        tide_camera_ray(&camera, x, y, 800, 500, origin, direction);
        for (int k = 0; k < 3; k++)
            along += (double)direction[k] * ((double)points[i][k] - (double)origin[k]);
        for (int k = 0; k < 3; k++)
            off += pow((double)origin[k] + along * (double)direction[k] - (double)points[i][k], 2);
        assert_near(sqrt(off), 0, 1e-5);
    }
}

static void test_depth_range(void **state)
{
    (void)state;
    tide_draw_camera camera = { .position = { 0, 0, 2 }, .up = { 0, 1, 0 }, .field_of_view = 1 };
    float matrix[16];
    double clip[4];
    tide_camera_matrix(&camera, 1, 0.5f, 10, matrix);
    transform(matrix, (const float[3]) { 0, 0, 1.5f }, clip);
    assert_near(clip[2] / clip[3], 0, 1e-6);
    transform(matrix, (const float[3]) { 0, 0, -8 }, clip);
    assert_near(clip[2] / clip[3], 1, 1e-6);
    transform(matrix, (const float[3]) { 0.3f, 0.2f, 0 }, clip);
    assert_true(clip[0] > 0 && clip[1] > 0); // x to the right, y up
}

// In the middle of the part is the target, rays and projection agree, and the rest keeps its place at the scale.
static void test_part_of_a_picture(void **state)
{
    (void)state;
    const float lower[3] = { -1, 0, -0.5f }, upper[3] = { 1, 0.6f, 0.5f }, aspect = 1.6f;
    const uint32_t width = 1280, height = 800;
    const tide_camera_part part = { 0.2f, 0.05f, 0.7f, 0.9f };
    tide_draw_camera whole = tide_camera_frame(lower, upper, aspect);
    tide_camera_orbit(&whole, 0.4f, 0.1f);
    float extent[2], matrix[16], first[16];
    tide_camera_extent(&whole, lower, upper, aspect, extent);
    float scale = fminf((part.x1 - part.x0) / extent[0], (part.y1 - part.y0) / extent[1]);
    tide_draw_camera seen = tide_camera_in_part(&whole, &part, scale);
    tide_camera_matrix(&whole, aspect, 0.01f, 100, first);
    tide_camera_matrix(&seen, aspect, 0.01f, 100, matrix);
    double before[4], after[4], most = 0;
    for (int corner = 0; corner < 9; corner++) {
        float p[3], origin[3], direction[3];
        for (int k = 0; k < 3; k++)
            p[k] = corner == 8 ? whole.target[k] : (corner >> k & 1 ? upper : lower)[k];
        transform(first, p, before);
        transform(matrix, p, after);
        double x = 0.5 + 0.5 * after[0] / after[3], y = 0.5 - 0.5 * after[1] / after[3];
        assert_near(x, 0.45 + 0.5 * scale * before[0] / before[3], 1e-5);
        assert_near(y, 0.475 - 0.5 * scale * before[1] / before[3], 1e-5);
        assert_true(x > 0.2 - 1e-5 && x < 0.7 + 1e-5 && y > 0.05 - 1e-5 && y < 0.9 + 1e-5);
        most = fmax(most, fmax(fabs(x - 0.45) / 0.25, fabs(y - 0.475) / 0.425));
        tide_camera_ray(&seen, (float)x * width, (float)y * height, width, height, origin, direction);
        double t = ((double)p[0] - origin[0]) * direction[0] + ((double)p[1] - origin[1]) * direction[1] +
                   ((double)p[2] - origin[2]) * direction[2];
        for (int k = 0; k < 3; k++)
            assert_near(origin[k] + t * direction[k], p[k], 1e-4);
    }
    assert_near(most, 1, 1e-5); // it fills the part
    // A box that the camera is within has no extent
    tide_draw_camera inside = { .target = { 0, 0, -1 }, .up = { 0, 1, 0 }, .field_of_view = 1 };
    tide_camera_extent(&inside, lower, upper, aspect, extent);
    assert_true(isinf(extent[0]) && isinf(extent[1]));
}

// A box that falls, walks or grows stays in sight; the camera moves without jumps, and not while all is well within.
static void test_follow_keeps_the_box_in_sight(void **state)
{
    (void)state;
    const float lower[3] = { -0.5f, 0, -0.3f }, upper[3] = { 0.5f, 0.6f, 0.3f };
    const float ways[][3] = { { 0, -1, 0 }, { 1, 0, 0 }, { 0, 0, -1 }, { -1, 1, 0.2f }, { 0, 0, 1 } };
    const tide_draw_camera home = tide_camera_frame(lower, upper, 1.6f);
    for (size_t way = 0; way < sizeof ways / sizeof ways[0]; way++) {
        tide_draw_camera last = home;
        for (int step = 0; step <= (way < 4 ? 200 : 60); step++) {
            float low[3], high[3], extent[2];
            for (int k = 0; k < 3; k++) {
                low[k] = lower[k] + 0.02f * (float)step * ways[way][k];
                high[k] = upper[k] + 0.02f * (float)step * ways[way][k];
            }
            tide_draw_camera camera = tide_camera_follow(&home, low, high, 1.6f);
            if (step == 0)
                assert_memory_equal(&camera, &home, sizeof home);
            tide_camera_extent(&camera, low, high, 1.6f, extent);
            assert_true(extent[0] < 1 && extent[1] < 1);
            double moved = 0;
            for (int k = 0; k < 3; k++)
                moved += pow((double)camera.position[k] - (double)last.position[k], 2);
            assert_true(sqrt(moved) < (way < 4 ? 0.2 : 0.4)); // the last comes up to the camera
            last = camera;
        }
    }
    const float ends[][3] = { { 20, 0, -40 }, { 12, 2, 0 }, { -12, -3, 1 }, { 3, 1, 30 } };
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        float low[3], high[3], extent[2];
        for (int k = 0; k < 3; k++) {
            low[k] = lower[k] + ends[i][k];
            high[k] = upper[k] + ends[i][k];
        }
        const tide_draw_camera there = tide_camera_follow(&home, low, high, 1.6f);
        tide_camera_extent(&there, low, high, 1.6f, extent);
        assert_true(extent[0] > 0.25f && extent[0] < 1); // what flies away or past does not shrink to a dot
    }
    const float far[3] = { 1e30f, 1e30f, 1e30f };
    const tide_draw_camera camera = tide_camera_follow(&home, lower, far, 1.6f);
    assert_memory_equal(&camera, &home, sizeof home); // what has blown up is not followed
}

// Angles about each axis of up: what one function sets the other reads, up in the picture is the axis, and 0 in front
// is where the camera of a whole scene looks from.
static void test_angles_about_up(void **state)
{
    (void)state;
    static const float ups[][3] = { { 0, 1, 0 }, { 0, -1, 0 }, { 0, 0, 1 }, { 0, 0, -1 }, { 1, 0, 0 }, { -1, 0, 0 } };
    const float lower[3] = { -1, -1, -1 }, upper[3] = { 1, 1, 1 };
    for (size_t i = 0; i < sizeof ups / sizeof ups[0]; i++) {
        const float *up = ups[i];
        double around, above, distance;
        tide_draw_camera camera = tide_camera_frame_up(lower, upper, up, 1.6f), home = camera;
        tide_camera_angles(&camera, up, &around, &above, &distance);
        assert_near(around, atan2(0.42, 1), 1e-5);
        assert_near(above, atan2(0.36, sqrt(1 + 0.42 * 0.42)), 1e-5);
        tide_camera_look_from(&camera, up, around, above, distance);
        for (int k = 0; k < 3; k++)
            assert_near(camera.position[k], home.position[k], 1e-5);
        tide_camera_look_from(&camera, up, -2, 1.2, 3);
        assert_memory_equal(camera.up, up, sizeof camera.up);
        tide_camera_angles(&camera, up, &around, &above, &distance);
        assert_near(around, -2, 1e-5);
        assert_near(above, 1.2, 1e-5);
        assert_near(distance, 3, 1e-5);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_angles_about_up),      cmocka_unit_test(test_part_of_a_picture),
    cmocka_unit_test(test_frame_holds_the_box),  cmocka_unit_test(test_frame_of_nothing),
    cmocka_unit_test(test_orbit_keeps_distance), cmocka_unit_test(test_orbit_stops_short_of_the_poles),
    cmocka_unit_test(test_pan_and_zoom),         cmocka_unit_test(test_ray_goes_through_the_pixel_of_a_point),
    cmocka_unit_test(test_depth_range),          cmocka_unit_test(test_follow_keeps_the_box_in_sight),
};
TIDE_TEST_SUITE(draw_camera, tests)
