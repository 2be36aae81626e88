#include "draw/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

tide_draw_list scene_plain(void)
{
    tide_draw_list list = { .stage = tide_draw_stage_default() };
    list.stage.background_top = list.stage.background_bottom = (tide_colour) { 1, 1, 1, 1 };
    list.stage.has_ground = false;
    list.camera = (tide_draw_camera) { .position = { 0, 0, 2 }, .up = { 0, 1, 0 }, .field_of_view = 2 * atanf(0.5f) };
    return list;
}

void scene_add_polygon(tide_draw_list *list, const float *corners, uint32_t count, tide_colour front, tide_colour back)
{
    static const uint32_t triangles[] = { 0, 1, 2, 0, 2, 3 };
    float normals[12];
    tide_draw_normals(corners, count, triangles, count - 2, normals);
    tide_draw_add_surface(list, &(tide_draw_surface) { .vertex_count = count,
                                                       .triangle_count = count - 2,
                                                       .positions = corners,
                                                       .normals = normals,
                                                       .triangles = triangles,
                                                       .front = front,
                                                       .back = back,
                                                       .casts_shadow = true });
}

void scene_add_box(tide_draw_list *list, const float size[3], float angle, bool solid, tide_colour colour)
{
    float positions[72], normals[72];
    uint32_t triangles[36];
    const float c = cosf(angle), s = sinf(angle);
    for (uint32_t face = 0; face < 6; face++) {
        const uint32_t axis = face / 2, first = 4 * face;
        const float side = face % 2 ? 0.5f : -0.5f;
        for (uint32_t k = 0; k < 4; k++) {
            float p[3], n[3] = { 0 };
            p[axis] = side * size[axis];
            p[(axis + 1) % 3] = (k == 1 || k == 2 ? side : -side) * size[(axis + 1) % 3];
            p[(axis + 2) % 3] = (k >= 2 ? 0.5f : -0.5f) * size[(axis + 2) % 3];
            n[axis] = 2 * side;
            const float turned[2][3] = { { c * p[0] + s * p[2], p[1], c * p[2] - s * p[0] },
                                         { c * n[0] + s * n[2], n[1], c * n[2] - s * n[0] } };
            memcpy(positions + 3 * (first + k), turned[0], sizeof turned[0]);
            memcpy(normals + 3 * (first + k), turned[1], sizeof turned[1]);
        }
        const uint32_t two[6] = { first, first + 1, first + 2, first, first + 2, first + 3 };
        memcpy(triangles + 6 * (size_t)face, two, sizeof two);
    }
    tide_draw_add_surface(list, &(tide_draw_surface) { .vertex_count = 24,
                                                       .triangle_count = 12,
                                                       .positions = positions,
                                                       .normals = normals,
                                                       .triangles = triangles,
                                                       .front = colour,
                                                       .back = colour,
                                                       .casts_shadow = true,
                                                       .solid = solid });
}

void scene_add_cloth(tide_draw_list *list, uint32_t side, tide_pattern pattern)
{
    uint32_t vertex_count = side * side, triangle_count = 2 * (side - 1) * (side - 1);
    float *positions = tide_draw_list_allocate(list, 3 * sizeof *positions * vertex_count);
    float *normals = tide_draw_list_allocate(list, 3 * sizeof *normals * vertex_count);
    float *texture = tide_draw_list_allocate(list, 2 * sizeof *texture * vertex_count);
    uint32_t *triangles = tide_draw_list_allocate(list, 3 * sizeof *triangles * triangle_count), *t = triangles;
    assert_true(positions && normals && texture && triangles);
    for (uint32_t row = 0; row < side; row++)
        for (uint32_t column = 0; column < side; column++) {
            uint32_t i = row * side + column;
            float u = (float)column / (float)(side - 1), v = (float)row / (float)(side - 1);
            positions[3 * i] = u - 0.5f;
            positions[3 * i + 1] = 1.2f - v;
            positions[3 * i + 2] = 0.1f * sinf(12 * u + 3 * v);
            texture[2 * i] = u;
            texture[2 * i + 1] = v;
        }
    for (uint32_t row = 0; row + 1 < side; row++)
        for (uint32_t column = 0; column + 1 < side; column++) {
            uint32_t a = row * side + column, c = a + side;
            const uint32_t two[6] = { a, c, a + 1, a + 1, c, c + 1 };
            memcpy(t, two, sizeof two);
            t += 6;
        }
    tide_draw_normals(positions, vertex_count, triangles, triangle_count, normals);
    tide_draw_add_surface(list, &(tide_draw_surface) { .vertex_count = vertex_count,
                                                       .triangle_count = triangle_count,
                                                       .positions = positions,
                                                       .normals = normals,
                                                       .texture = texture,
                                                       .triangles = triangles,
                                                       .front = scene_red,
                                                       .back = scene_blue,
                                                       .pattern = pattern,
                                                       .checkers = 10,
                                                       .casts_shadow = true });
}

void scene_add_shaded_tube(tide_draw_list *list, float diameter)
{
    const float down[3] = { 0, -1, -1 };
    memcpy(list->stage.light_direction, down, sizeof down);
    scene_add_polygon(list,
                      (const float[]) { -0.4f, 0.5f, 0.9f, 0.4f, 0.5f, 0.9f, 0.4f, 0.5f, 0.1f, -0.4f, 0.5f, 0.1f }, 4,
                      scene_blue, scene_blue);
    list->surfaces[list->surface_count - 1].casts_shadow = true;
    tide_draw_add_line(list, &(tide_draw_line) { .from = { -0.9f, 0.01f, 0 },
                                                 .to = { 0.9f, 0.01f, 0 },
                                                 .width = -diameter,
                                                 .colour = scene_red,
                                                 .casts_shadow = true });
}

void scene_draw(const tide_draw_list *list, tide_image *image, uint32_t width, uint32_t height)
{
    tide_error error;
    tide_rasterizer *rasterizer;
    assert_false(list->failed);
    assert_ok(tide_image_resize(image, width, height, &error), error);
    memset(image->pixels, 77, 4 * (size_t)width * height);
    assert_ok(tide_rasterizer_create(&rasterizer, &error), error);
    assert_ok(tide_rasterizer_draw(rasterizer, list, image, &error), error);
    tide_rasterizer_destroy(rasterizer);
}

tide_pixel scene_pixel(const tide_image *image, uint32_t x, uint32_t y)
{
    assert_true(x < image->width && y < image->height);
    const uint8_t *p = image->pixels + 4 * ((size_t)image->width * y + x);
    assert_int_equal(p[3], 255);
    return (tide_pixel) { p[0], p[1], p[2] };
}

double scene_black_area(const tide_image *image)
{
    double area = 0;
    for (uint32_t y = 0; y < image->height; y++)
        for (uint32_t x = 0; x < image->width; x++)
            area += 1 - scene_pixel(image, x, y).r / 255.0;
    return area;
}

bool scene_is_white(tide_pixel pixel)
{
    return pixel.r == 255 && pixel.g == 255 && pixel.b == 255;
}
