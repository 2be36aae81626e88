// Pictures that are known by construction.
#include "draw/scene.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void test_size_is_asked_for(void **state)
{
    (void)state;
    tide_error error;
    tide_rasterizer *rasterizer;
    tide_draw_list list = scene_plain();
    tide_image image = { 0 };
    assert_ok(tide_rasterizer_create(&rasterizer, &error), error);
    assert_fails(tide_rasterizer_draw(rasterizer, &list, &image, &error), error,
                 "picture: size = 0x0: give the image a size first");
    tide_rasterizer_destroy(rasterizer);
    tide_rasterizer_destroy(NULL);
}

static void test_empty_list_is_background(void **state)
{
    (void)state;
    tide_draw_list list = scene_plain();
    tide_image image = { 0 };
    scene_draw(&list, &image, 130, 70);
    for (uint32_t y = 0; y < 70; y++)
        for (uint32_t x = 0; x < 130; x++)
            assert_true(scene_is_white(scene_pixel(&image, x, y)));
    list.stage.background_top = (tide_colour) { 0.2f, 0.4f, 0.6f, 1 };
    scene_draw(&list, &image, 130, 700);
    assert_near(scene_pixel(&image, 3, 0).r, 51, 1);
    assert_near(scene_pixel(&image, 3, 0).b, 153, 1);
    int last = 0;
    for (uint32_t y = 0; y < 700; y += 50) {
        assert_true(scene_pixel(&image, 60, y).g > last);
        last = scene_pixel(&image, 60, y).g;
    }
    tide_image_free(&image);
}

static void test_triangle_covers_its_pixels(void **state)
{
    (void)state;
    tide_draw_list list = scene_plain();
    tide_image image = { 0 };
    // from pixel (20, 80) to (80, 80) to (20, 20)
    scene_add_polygon(&list, (const float[]) { -0.6f, -0.6f, 0, 0.6f, -0.6f, 0, -0.6f, 0.6f, 0 }, 3, scene_red,
                      scene_blue);
    scene_draw(&list, &image, 100, 100);
    for (uint32_t y = 0; y < 100; y++)
        for (uint32_t x = 0; x < 100; x++) {
            tide_pixel pixel = scene_pixel(&image, x, y);
            double inside = (double)y - (double)x; // pixels across the slanted side
            if (x >= 20 && y < 80 && inside >= 1)
                assert_true(pixel.r > 2 * pixel.g && pixel.r > 2 * pixel.b && pixel.r > 60);
            else if (x < 20 || y >= 80 || inside < -1)
                assert_true(scene_is_white(pixel));
        }
    tide_draw_list_free(&list);
    tide_image_free(&image);
}

// A principal point that is 64 pixels to the right and 32 up moves the picture by as much: by whole tiles, within which
// outlines are smoothed.
static void test_shifted_picture(void **state)
{
    (void)state;
    tide_draw_list list = { .stage = tide_draw_stage_default() };
    tide_image centred = { 0 }, shifted = { 0 };
    scene_add_cloth(&list, 20, TIDE_PATTERN_CHECKER);
    tide_draw_add_line(&list, &(tide_draw_line) { .from = { -0.7f, 0.1f, 0.3f },
                                                  .to = { -0.2f, 0.9f, 0.3f },
                                                  .width = -0.06f,
                                                  .colour = scene_red,
                                                  .casts_shadow = true });
    tide_draw_add_point(&list, &(tide_draw_point) { { 0.3f, 0.4f, 0.4f }, -0.2f, scene_blue });
    tide_draw_add_point(&list, &(tide_draw_point) { { 0.1f, 0.2f, 0.5f }, 9, scene_blue });
    list.camera = tide_camera_frame(list.lower, list.upper, 4 / 3.0f);
    scene_draw(&list, &centred, 320, 240);
    list.camera.shift[0] = 64 / 160.0f;
    list.camera.shift[1] = 32 / 120.0f;
    scene_draw(&list, &shifted, 320, 240);
    uint32_t other = 0;
    for (uint32_t y = 32; y < 240; y++)
        for (uint32_t x = 0; x + 64 < 320; x++) {
            tide_pixel a = scene_pixel(&centred, x, y), b = scene_pixel(&shifted, x + 64, y - 32);
            other += abs(a.r - b.r) > 3 || abs(a.g - b.g) > 3 || abs(a.b - b.b) > 3;
        }
    assert_true(other < 30);
    tide_draw_list_free(&list);
    tide_image_free(&centred);
    tide_image_free(&shifted);
}

static void test_nearest_wins_whatever_the_order(void **state)
{
    (void)state;
    const float near[] = { -0.4f, -0.4f, 0.2f, 0.4f, -0.4f, 0.2f, 0.4f, 0.4f, 0.2f, -0.4f, 0.4f, 0.2f };
    const float far[] = { -0.8f, -0.8f, -0.2f, 0.8f, -0.8f, -0.2f, 0.8f, 0.8f, -0.2f, -0.8f, 0.8f, -0.2f };
    for (int order = 0; order < 2; order++) {
        tide_draw_list list = scene_plain();
        tide_image image = { 0 };
        scene_add_polygon(&list, order ? near : far, 4, order ? scene_red : scene_blue, scene_red);
        scene_add_polygon(&list, order ? far : near, 4, order ? scene_blue : scene_red, scene_red);
        scene_draw(&list, &image, 100, 100);
        tide_pixel middle = scene_pixel(&image, 50, 50), edge = scene_pixel(&image, 20, 20);
        assert_true(middle.r > 2 * middle.b);
        assert_true(edge.b > 2 * edge.r);
        tide_draw_list_free(&list);
        tide_image_free(&image);
    }
}

static void test_surfaces_meet_where_they_cross(void **state)
{
    (void)state;
    // a plane turned about the vertical through the middle of another: left of it the one, right of it the other
    tide_draw_list list = scene_plain();
    tide_image image = { 0 };
    scene_add_polygon(&list, (const float[]) { -0.8f, -0.8f, 0, 0.8f, -0.8f, 0, 0.8f, 0.8f, 0, -0.8f, 0.8f, 0 }, 4,
                      scene_red, scene_red);
    scene_add_polygon(&list,
                      (const float[]) { -0.8f, -0.8f, 0.5f, 0.8f, -0.8f, -0.5f, 0.8f, 0.8f, -0.5f, -0.8f, 0.8f, 0.5f },
                      4, scene_blue, scene_blue);
    scene_draw(&list, &image, 200, 200);
    tide_pixel left = scene_pixel(&image, 98, 100), right = scene_pixel(&image, 102, 100);
    assert_true(left.b > 2 * left.r && right.r > 2 * right.b);
    tide_draw_list_free(&list);
    tide_image_free(&image);
}

static double area_of(const float *corners, uint32_t count)
{
    tide_draw_list list = scene_plain();
    tide_image image = { 0 };
    scene_add_polygon(&list, corners, count, scene_black, scene_black);
    list.stage.light_direction[2] = 1; // from behind, so that the face stays as dark as it can
    scene_draw(&list, &image, 200, 200);
    // in linear light, and against the face's own brightness
    double area = 0, face = scene_pixel(&image, 100, 100).g / 255.0, share;
    for (uint32_t y = 0; y < 200; y++)
        for (uint32_t x = 0; x < 200; x++) {
            double c = scene_pixel(&image, x, y).g / 255.0;
            share = (1 - pow(c, 2.2)) / (1 - pow(face, 2.2));
            area += fmin(fmax(share, 0), 1);
        }
    tide_draw_list_free(&list);
    tide_image_free(&image);
    return area;
}

static void test_coverage_is_the_area(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(3);
    const uint32_t rounds = tide_test_count(12, 2);
    for (uint32_t i = 0; i < rounds; i++) {
        // around the middle, so that the middle pixel shows the face
        float corners[9], angle = (float)tide_random_uniform(&random) * 6;
        double expected = 0;
        for (int k = 0; k < 3; k++) {
            float radius = 0.3f + 0.6f * (float)tide_random_uniform(&random);
            corners[3 * k] = radius * cosf(angle);
            corners[3 * k + 1] = radius * sinf(angle);
            corners[3 * k + 2] = 0;
            angle += 2.1f;
        }
        for (int k = 0; k < 3; k++) {
            const float *a = corners + 3 * k, *b = corners + 3 * ((k + 1) % 3);
            expected += 0.5 * ((double)a[0] * (double)b[1] - (double)a[1] * (double)b[0]) * 100 * 100;
        }
        assert_near(area_of(corners, 3), expected, 0.012 * expected);
    }
}

static void test_a_mesh_has_no_cracks(void **state)
{
    (void)state;
    // a fan of slivers across tiles covers its square: no white shows through anywhere
    enum { COUNT = 997 };
    tide_draw_list list = scene_plain();
    tide_image image = { 0 };
    static float positions[3 * (COUNT + 2)], normals[3 * (COUNT + 2)];
    static uint32_t triangles[3 * COUNT];
    for (uint32_t i = 0; i <= COUNT; i++) {
        float angle = 6.2831853f * (float)i / COUNT;
        positions[3 * i + 3] = 1.9f * cosf(angle);
        positions[3 * i + 4] = 1.9f * sinf(angle);
        positions[3 * i + 5] = 0.2f * sinf(5 * angle);
        if (i < COUNT)
            memcpy(triangles + 3 * i, (const uint32_t[3]) { 0, i + 1, i + 2 }, 3 * sizeof(uint32_t));
    }
    positions[0] = 0.013f;
    tide_draw_normals(positions, COUNT + 2, triangles, COUNT, normals);
    tide_draw_add_surface(&list, &(tide_draw_surface) { .vertex_count = COUNT + 2,
                                                        .triangle_count = COUNT,
                                                        .positions = positions,
                                                        .normals = normals,
                                                        .triangles = triangles,
                                                        .front = scene_red,
                                                        .back = scene_red });
    scene_draw(&list, &image, 203, 211);
    for (uint32_t y = 0; y < 211; y++)
        for (uint32_t x = 0; x < 203; x++) {
            tide_pixel pixel = scene_pixel(&image, x, y);
            assert_true(pixel.r > 2 * pixel.g);
        }
    tide_draw_list_free(&list);
    tide_image_free(&image);
}

static void test_back_colour_from_behind(void **state)
{
    (void)state;
    const float square[] = { -0.6f, -0.6f, 0, 0.6f, -0.6f, 0, 0.6f, 0.6f, 0, -0.6f, 0.6f, 0 };
    tide_draw_list list = scene_plain();
    tide_image image = { 0 };
    scene_add_polygon(&list, square, 4, scene_red, scene_blue);
    scene_draw(&list, &image, 50, 50);
    tide_pixel front = scene_pixel(&image, 25, 25);
    assert_true(front.r > 2 * front.b);
    list.camera.position[2] = -2;
    scene_draw(&list, &image, 50, 50);
    tide_pixel back = scene_pixel(&image, 25, 25);
    assert_true(back.b > 2 * back.r);
    tide_draw_list_free(&list);
    tide_image_free(&image);
}

static void test_what_faces_the_light_is_brighter(void **state)
{
    (void)state;
    // a ball: the side towards the light is the brightest, and both sides of a plane are lit by it in turn
    tide_draw_list list = scene_plain();
    tide_image image = { 0 };
    memcpy(list.stage.light_direction, (const float[3]) { 1, 0, -0.5f }, 3 * sizeof(float)); // from the left
    tide_draw_add_point(&list, &(tide_draw_point) { .size = -1.2f, .colour = scene_red });
    scene_draw(&list, &image, 100, 100);
    assert_true(scene_pixel(&image, 30, 50).r > scene_pixel(&image, 50, 50).r + 10);
    assert_true(scene_pixel(&image, 50, 50).r > scene_pixel(&image, 72, 50).r + 10);
    tide_draw_list_free(&list);
    tide_image_free(&image);
}

// A level square 0.5 m above the ground, seen from above and in front; the light comes straight down.
static tide_draw_list scene_with_shadow(bool casts)
{
    tide_draw_list list = scene_plain();
    list.stage.has_ground = true;
    list.camera = (tide_draw_camera) { .position = { 0, 3, 3 }, .up = { 0, 1, 0 }, .field_of_view = 0.8f };
    memcpy(list.stage.light_direction, (const float[3]) { 0, -1, 0 }, 3 * sizeof(float));
    scene_add_polygon(&list,
                      (const float[]) { -0.3f, 0.5f, 0.3f, 0.3f, 0.5f, 0.3f, 0.3f, 0.5f, -0.3f, -0.3f, 0.5f, -0.3f }, 4,
                      scene_red, scene_blue);
    list.surfaces[0].casts_shadow = casts;
    return list;
}

// Returns the position of a point in the picture
static void pixel_of(const tide_draw_camera *camera, const float p[3], uint32_t size, uint32_t *x, uint32_t *y)
{
    float m[16], clip[4];
    tide_camera_matrix(camera, 1, 0.1f, 100, m);
    for (int row = 0; row < 4; row++)
        clip[row] = m[row] * p[0] + m[4 + row] * p[1] + m[8 + row] * p[2] + m[12 + row];
    *x = (uint32_t)((clip[0] / clip[3] + 1) * 0.5f * (float)size);
    *y = (uint32_t)((1 - clip[1] / clip[3]) * 0.5f * (float)size);
}

static void test_shadow_falls_on_the_ground(void **state)
{
    (void)state;
    tide_draw_list list = scene_with_shadow(true), without = scene_with_shadow(false);
    tide_image image = { 0 }, plain = { 0 };
    scene_draw(&list, &image, 200, 200);
    scene_draw(&without, &plain, 200, 200);
    uint32_t x, y;
    const float under[3] = { 0.1f, 0, 0.22f }, beside[3] = { 0.1f, 0, 0.55f };
    pixel_of(&list.camera, under, 200, &x, &y);
    assert_true(scene_pixel(&image, x, y).g < scene_pixel(&plain, x, y).g - 25);
    pixel_of(&list.camera, beside, 200, &x, &y);
    assert_near(scene_pixel(&image, x, y).g, scene_pixel(&plain, x, y).g, 2);
    // a slanting light moves it: 0.5 m high, towards +z
    memcpy(list.stage.light_direction, (const float[3]) { 0, -1, 0.8f }, 3 * sizeof(float));
    memcpy(without.stage.light_direction, list.stage.light_direction, 3 * sizeof(float));
    scene_draw(&list, &image, 200, 200);
    scene_draw(&without, &plain, 200, 200);
    assert_true(scene_pixel(&image, x, y).g < scene_pixel(&plain, x, y).g - 25);
    tide_draw_list_free(&list);
    tide_draw_list_free(&without);
    tide_image_free(&image);
    tide_image_free(&plain);
}

static void test_shadow_falls_on_surfaces(void **state)
{
    (void)state;
    // a small square between the light and a large one behind it
    int bright[2];
    for (int casts = 0; casts < 2; casts++) {
        tide_draw_list list = scene_plain();
        tide_image image = { 0 };
        memcpy(list.stage.light_direction, (const float[3]) { 1, 0, -1 }, 3 * sizeof(float));
        scene_add_polygon(&list, (const float[]) { -0.9f, -0.9f, 0, 0.9f, -0.9f, 0, 0.9f, 0.9f, 0, -0.9f, 0.9f, 0 }, 4,
                          scene_red, scene_red);
        scene_add_polygon(
            &list, (const float[]) { -0.6f, -0.2f, 0.3f, -0.2f, -0.2f, 0.3f, -0.2f, 0.2f, 0.3f, -0.6f, 0.2f, 0.3f }, 4,
            scene_blue, scene_blue);
        list.surfaces[1].casts_shadow = casts;
        scene_draw(&list, &image, 100, 100);
        bright[casts] = scene_pixel(&image, 50 + 2, 50).r; // its shadow is 0.3 m to the right: -0.3 to 0.1
        // no shadow acne: lit areas are as bright as without shadows everywhere
        assert_near(scene_pixel(&image, 80, 30).r, scene_pixel(&image, 75, 77).r, 3);
        tide_draw_list_free(&list);
        tide_image_free(&image);
    }
    assert_true(bright[1] < bright[0] - 30);
}

// A drum's round side along y, cut into rings; a board shades its lower half.
static tide_draw_list scene_with_drum(uint32_t rings)
{
    enum { AROUND = 48 };
    tide_draw_list list = scene_plain();
    memcpy(list.stage.light_direction, (const float[3]) { 0.4f, 0, -1 }, 3 * sizeof(float));
    uint32_t vertex_count = (rings + 1) * AROUND, triangle_count = 2 * rings * AROUND;
    float *positions = tide_draw_list_allocate(&list, 3 * sizeof *positions * vertex_count);
    float *normals = tide_draw_list_allocate(&list, 3 * sizeof *normals * vertex_count);
    uint32_t *triangles = tide_draw_list_allocate(&list, 3 * sizeof *triangles * triangle_count), *t = triangles;
    assert_true(positions && normals && triangles);
    for (uint32_t i = 0; i < vertex_count; i++) {
        float angle = 6.2831853f * (float)(i % AROUND) / AROUND, c = cosf(angle), s = sinf(angle);
        memcpy(normals + 3 * i, (const float[3]) { s, 0, c }, 3 * sizeof *normals);
        positions[3 * i] = 0.06f * s;
        positions[3 * i + 1] = 1.8f * (float)(i / AROUND) / (float)rings - 0.9f;
        positions[3 * i + 2] = 0.06f * c;
    }
    for (uint32_t ring = 0; ring < rings; ring++)
        for (uint32_t k = 0; k < AROUND; k++) {
            uint32_t a = ring * AROUND + k, b = ring * AROUND + (k + 1) % AROUND;
            const uint32_t two[6] = { a, b, a + AROUND, b, b + AROUND, a + AROUND };
            memcpy(t, two, sizeof two);
            t += 6;
        }
    tide_draw_add_surface(&list, &(tide_draw_surface) { .vertex_count = vertex_count,
                                                        .triangle_count = triangle_count,
                                                        .positions = positions,
                                                        .normals = normals,
                                                        .triangles = triangles,
                                                        .front = scene_red,
                                                        .back = scene_red });
    scene_add_polygon(&list, (const float[]) { -0.9f, -0.9f, 1, -0.1f, -0.9f, 1, -0.1f, 0, 1, -0.9f, 0, 1 }, 4,
                      scene_blue, scene_blue);
    return list;
}

static void test_slender_triangles_are_shaded_where_they_are_seen(void **state)
{
    (void)state;
    tide_draw_list slender = scene_with_drum(1), stout = scene_with_drum(60);
    tide_image image = { 0 }, plain = { 0 };
    scene_draw(&slender, &image, 300, 300);
    scene_draw(&stout, &plain, 300, 300);
    int shaded = 0, most = 0;
    for (uint32_t y = 0; y < 300; y++)
        for (uint32_t x = 0; x < 300; x++) {
            int off = abs(scene_pixel(&image, x, y).r - scene_pixel(&plain, x, y).r);
            most = off > most ? off : most;
            shaded += y > 155 && x > 145 && x < 155 && scene_pixel(&plain, x, y).r < 150;
        }
    assert_true(shaded > 500);
    assert_true(most < 20);
    tide_draw_list_free(&slender);
    tide_draw_list_free(&stout);
    tide_image_free(&image);
    tide_image_free(&plain);
}

static void test_checkers_alternate(void **state)
{
    (void)state;
    tide_draw_list list = scene_plain();
    tide_image image = { 0 };
    const float positions[] = { -0.8f, -0.8f, 0, 0.8f, -0.8f, 0, 0.8f, 0.8f, 0, -0.8f, 0.8f, 0 };
    const float normals[] = { 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1 }, texture[] = { 0, 0, 1, 0, 1, 1, 0, 1 };
    const uint32_t triangles[] = { 0, 1, 2, 0, 2, 3 };
    tide_draw_surface surface = { .vertex_count = 4,
                                  .triangle_count = 2,
                                  .positions = positions,
                                  .normals = normals,
                                  .texture = texture,
                                  .triangles = triangles,
                                  .front = scene_blue,
                                  .back = scene_blue,
                                  .pattern = TIDE_PATTERN_CHECKER,
                                  .checkers = 8 };
    tide_draw_add_surface(&list, &surface);
    scene_draw(&list, &image, 100, 100); // a square is 10 pixels
    int tones[2];
    for (int i = 0; i < 2; i++)
        tones[i] = scene_pixel(&image, 15 + 10 * (uint32_t)i, 15).r;
    assert_true(abs(tones[0] - tones[1]) > 20);
    for (uint32_t row = 0; row < 8; row++)
        for (uint32_t column = 0; column < 8; column++) { // the sheen varies a little
            int tone = scene_pixel(&image, 15 + 10 * column, 15 + 10 * row).r, own = (int)(row + column) % 2;
            assert_true(abs(tone - tones[own]) < abs(tone - tones[1 - own]) / 2);
        }
    // far below the size of a pixel, the mean of the tones, without a pattern
    list.surfaces[0].checkers = 4000;
    scene_draw(&list, &image, 100, 100);
    int mean = scene_pixel(&image, 50, 50).r;
    assert_true((mean > tones[0]) == (mean < tones[1]));
    for (uint32_t i = 20; i < 80; i++)
        assert_near(scene_pixel(&image, i, 97 - i).r, mean, 3);
    tide_draw_list_free(&list);
    tide_image_free(&image);
}

static void test_near_plane(void **state)
{
    (void)state;
    // a floor that passes under and behind the camera fills the lower half of the picture, up to the horizon
    tide_draw_list list = scene_plain();
    tide_image image = { 0 };
    list.camera = (tide_draw_camera) {
        .position = { 0, 1, 0 }, .target = { 0, 1, -1 }, .up = { 0, 1, 0 }, .field_of_view = 1.2f
    };
    const float e = 5000;
    scene_add_polygon(&list, (const float[]) { -e, 0, e, e, 0, e, e, 0, -e, -e, 0, -e }, 4, scene_red, scene_red);
    scene_draw(&list, &image, 120, 120);
    for (uint32_t y = 0; y < 120; y++)
        for (uint32_t x = 0; x < 120; x++) {
            tide_pixel pixel = scene_pixel(&image, x, y);
            if (y < 59)
                assert_true(scene_is_white(pixel));
            else if (y > 60)
                assert_true(pixel.r > 2 * pixel.g);
        }
    tide_draw_list_free(&list);
    tide_image_free(&image);
}

static void test_camera_inside_cloth(void **state)
{
    (void)state;
    tide_draw_list list = scene_plain();
    tide_image image = { 0 };
    scene_add_cloth(&list, 30, TIDE_PATTERN_CHECKER);
    const float *p = list.surfaces[0].positions + 3 * 400;
    for (int turn = 0; turn < 16; turn++) {
        if (tide_test_skips(3))
            continue;
        list.camera = (tide_draw_camera) { .position = { p[0], p[1], p[2] + 1e-4f * (float)(turn % 3) },
                                           .target = { p[0] + sinf((float)turn), p[1], p[2] + cosf((float)turn) },
                                           .up = { 0, 1, 0 },
                                           .field_of_view = turn & 1 ? 0.2f : 2.9f };
        scene_draw(&list, &image, 64, 48);
    }
    tide_draw_list_free(&list);
    tide_image_free(&image);
}

static void test_ground_hides_what_is_below_it(void **state)
{
    (void)state;
    tide_draw_list list = scene_with_shadow(false);
    tide_image image = { 0 };
    list.stage.ground_height = 1; // above the square
    scene_draw(&list, &image, 100, 100);
    tide_pixel pixel = scene_pixel(&image, 50, 50);
    assert_near(pixel.r, pixel.g, 12);
    list.camera.position[1] = -3; // from below, the ground is not there
    scene_draw(&list, &image, 100, 100);
    pixel = scene_pixel(&image, 50, 44);
    assert_true(pixel.b > 2 * pixel.r);
    tide_draw_list_free(&list);
    tide_image_free(&image);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_size_is_asked_for),
    cmocka_unit_test(test_empty_list_is_background),
    cmocka_unit_test(test_triangle_covers_its_pixels),
    cmocka_unit_test(test_shifted_picture),
    cmocka_unit_test(test_nearest_wins_whatever_the_order),
    cmocka_unit_test(test_surfaces_meet_where_they_cross),
    cmocka_unit_test(test_coverage_is_the_area),
    cmocka_unit_test(test_a_mesh_has_no_cracks),
    cmocka_unit_test(test_back_colour_from_behind),
    cmocka_unit_test(test_what_faces_the_light_is_brighter),
    cmocka_unit_test(test_shadow_falls_on_the_ground),
    cmocka_unit_test(test_shadow_falls_on_surfaces),
    cmocka_unit_test(test_slender_triangles_are_shaded_where_they_are_seen),
    cmocka_unit_test(test_checkers_alternate),
    cmocka_unit_test(test_near_plane),
    cmocka_unit_test(test_camera_inside_cloth),
    cmocka_unit_test(test_ground_hides_what_is_below_it),
};
TIDE_TEST_SUITE(draw_rasterizer, tests)
