// Small scenes and ways to read pictures that the tests of draw/ share.
#ifndef TIDE_TESTS_DRAW_SCENE_H
#define TIDE_TESTS_DRAW_SCENE_H

#include "tests.h"

#include "draw/camera.h"
#include "draw/rasterizer.h"

typedef struct tide_pixel {
    int r, g, b;
} tide_pixel;

// A list with a white background, no ground, and a camera at (0, 0, 2) that looks at the origin with a view 2 m high
// there: at 100 x 100 pixels, a pixel is 2 cm at z = 0 and (x, y) is at (50 + 50 x, 50 - 50 y).
tide_draw_list scene_plain(void);
// One triangle or quadrangle (count corners, counter-clockwise as seen from the front).
void scene_add_polygon(tide_draw_list *list, const float *corners, uint32_t count, tide_colour front, tide_colour back);
// The faces of a box centred at the origin, as one surface with four vertices a face, turned by `angle` about y.
void scene_add_box(tide_draw_list *list, const float size[3], float angle, bool solid, tide_colour colour);
// A grid of side x side vertices in waves, over the ground.
void scene_add_cloth(tide_draw_list *list, uint32_t side, tide_pattern pattern);
// A red tube along x, the middle of which lies in the shadow of a plate above, from x = -0.4 to 0.4. The light comes
// from above the camera.
void scene_add_shaded_tube(tide_draw_list *list, float diameter);
void scene_draw(const tide_draw_list *list, tide_image *image, uint32_t width, uint32_t height);
tide_pixel scene_pixel(const tide_image *image, uint32_t x, uint32_t y);
// Returns the dark area of the picture in pixels, for black on white.
double scene_black_area(const tide_image *image);
bool scene_is_white(tide_pixel pixel);

static const tide_colour scene_red = { 0.8f, 0.1f, 0.1f, 1 }, scene_blue = { 0.1f, 0.1f, 0.8f, 1 };
static const tide_colour scene_black = { 0, 0, 0, 1 };

#endif
