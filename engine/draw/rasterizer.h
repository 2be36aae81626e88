// The software renderer: draws a draw list into an image in memory, in tiles on all threads. The picture is the same
// for any number of threads. Needs no display.
//
//     tide_draw_list list = { .stage = tide_draw_stage_default() };
//     tide_image image = { 0 };
//     status = tide_image_resize(&image, 1280, 720, error);
//     status = tide_draw_world(&list, world, &(tide_view_settings) { 0 }, error);
//     list.camera = tide_camera_frame(list.lower, list.upper, 1280.0f / 720);
//     status = tide_rasterizer_draw(rasterizer, &list, &image, error);
//     status = tide_image_write_png(&image, "picture.png", error);
//
// Units: m in the world, pixels on the picture. Ownership: the list and the image are the caller's. Errors:
// TIDE_ERROR_MEMORY, and TIDE_ERROR_ARGUMENT for an image without a size. Threads: one renderer is used by one thread
// at a time.
#ifndef TIDE_DRAW_RASTERIZER_H
#define TIDE_DRAW_RASTERIZER_H

#include "draw/draw_list.h"
#include "draw/image.h"

typedef struct tide_rasterizer tide_rasterizer; // buffers kept from frame to frame

tide_status tide_rasterizer_create(tide_rasterizer **rasterizer, tide_error *error);
void tide_rasterizer_destroy(tide_rasterizer *rasterizer);

// Draws the list at the image's size, with a depth buffer, four samples per pixel, smooth outlines, a key light with
// soft shadows, and sky light.
tide_status tide_rasterizer_draw(tide_rasterizer *rasterizer, const tide_draw_list *list, tide_image *image,
                                 tide_error *error);
// Upper bounds of the cost of the last picture. A picture of an exploded state could take many seconds: if primitives
// cover more than a fixed number of full pictures, the largest are left out.
typedef struct tide_raster_cost {
    uint64_t pixels;   // tested for triangles, tubes, balls, lines and points
    uint64_t texels;   // tested in shadow maps
    uint32_t left_out; // primitives
} tide_raster_cost;
tide_raster_cost tide_rasterizer_cost(const tide_rasterizer *rasterizer);

// tide_rasterizer_repeated returns whether the last picture was reused, because its list equalled the one before.
// tide_rasterizer_forget makes the next picture be drawn in any case, for measurements.
bool tide_rasterizer_repeated(const tide_rasterizer *rasterizer);
void tide_rasterizer_forget(tide_rasterizer *rasterizer);

#endif
