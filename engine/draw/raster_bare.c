// Bare tiles show only sky and ground without shadow. They stay the same while the view and the stage do, so their
// pixels are kept from frame to frame. The first frame of a view keeps nothing, so that single pictures need no memory
// for it.
#include "base/memory.h"
#include "draw/rasterizer_parts.h"

enum { TILE_BYTES = 4 * TIDE_TILE_PIXELS };

static const size_t most_pixels = (size_t)1 << 23; // larger pictures are always drawn

void tide_raster_bare_begin(tide_rasterizer *rasterizer)
{
    tide_raster_bare *bare = &rasterizer->bare;
    const tide_image *image = rasterizer->image;
    tide_raster_stage stage;
    memcpy(&stage, &rasterizer->stage, sizeof stage);
    stage.radius = 0; // does not affect bare tiles
    size_t pixels = (size_t)image->width * image->height, tiles = (size_t)rasterizer->tile_columns;
    tiles *= rasterizer->tile_rows;
    bool same = bare->width == image->width && bare->height == image->height &&
                memcmp(&bare->view, &rasterizer->view, sizeof bare->view) == 0 &&
                memcmp(&bare->stage, &stage, sizeof stage) == 0;
    if (same && bare->in_use)
        return;
    bare->in_use = false;
    if (!same) {
        bare->width = image->width;
        bare->height = image->height;
        memcpy(&bare->view, &rasterizer->view, sizeof bare->view);
        memcpy(&bare->stage, &stage, sizeof stage);
        return;
    }
    // without memory only speed is lost
    if (pixels > most_pixels || !tide_grow_owned(rasterizer, &bare->pixels, &bare->pixel_capacity, tiles, TILE_BYTES) ||
        !tide_grow_owned(rasterizer, &bare->drawn, &bare->drawn_capacity, tiles, 1))
        return;
    memset(bare->drawn, 0, tiles);
    bare->in_use = true;
}

// Returns whether [low, high], with a small margin, is outside of [0, size]
static bool apart(float low, float high, float size)
{
    float margin = 1 + 1e-3f * (high - low);
    return high + margin < 0 || low - margin > size;
}

bool tide_raster_is_bare(const tide_tile *tile)
{
    const tide_rasterizer *rasterizer = tile->rasterizer;
    const tide_raster_stage *stage = &rasterizer->stage;
    const tide_raster_view *view = &rasterizer->view;
    const tide_shadow *shadow = &rasterizer->shadow;
    if (!rasterizer->bare.in_use)
        return false;
    if (!stage->has_ground || !shadow->cast)
        return true;
    // the tile's corners on the ground, whose box contains everything between them
    v4f x = (float)tile->x + (v4f) { 0, 1, 0, 1 } * (float)tile->width;
    v4f y = (float)tile->y + (v4f) { 0, 0, 1, 1 } * (float)tile->height;
    v4f depth = stage->ground_depth + stage->ground_depth_y * y + x * stage->ground_depth_x;
    uint32_t below = v4_bits(depth > 1e-6f);
    if (below != 15)
        return v4_bits(depth < -1e-6f) == 15;
    v4f at_x = (view->ray.x + view->ray_y.x * y + x * view->ray_x.x) / depth;
    v4f at_z = (view->ray.z + view->ray_y.z * y + x * view->ray_x.z) / depth;
    float scale = 0.5f / shadow->texel, contact = 1 / shadow->contact_texel, box[4][2];
    v4f places[4] = {
        ((shadow->u.x * at_x + shadow->u.z * at_z) + (shadow->u.y * stage->ground_y - shadow->offset_u)) * scale,
        ((shadow->v.x * at_x + shadow->v.z * at_z) + (shadow->v.y * stage->ground_y - shadow->offset_v)) * scale,
        (at_x - shadow->contact_x) * contact, (at_z - shadow->contact_z) * contact
    };
    for (int i = 0; i < 4; i++) {
        v4f p = places[i];
        box[i][0] = tide_float_min(tide_float_min(p[0], p[1]), tide_float_min(p[2], p[3]));
        box[i][1] = tide_float_max(tide_float_max(p[0], p[1]), tide_float_max(p[2], p[3]));
    }
    const float size = TIDE_LIGHT_SIZE / 2, wide = TIDE_CONTACT_SIZE;
    bool no_shadow = !shadow->on_ground || apart(box[0][0], box[0][1], size) || apart(box[1][0], box[1][1], size);
    return no_shadow &&
           (!shadow->has_contact || apart(box[2][0], box[2][1], wide) || apart(box[3][0], box[3][1], wide));
}

static size_t number_of(const tide_tile *tile)
{
    return (size_t)(tile->y / TIDE_TILE_HEIGHT) * tile->rasterizer->tile_columns + (size_t)(tile->x / TIDE_TILE_WIDTH);
}

// Copies between a tile's contiguous pixels and the image. The size of full rows is a constant.
static void copy_rows(const tide_tile *tile, uint8_t *to, size_t to_stride, const uint8_t *from, size_t from_stride)
{
    for (int32_t y = 0; y < tile->height; y++, to += to_stride, from += from_stride)
        if (tile->width == TIDE_TILE_WIDTH)
            memcpy(to, from, 4 * TIDE_TILE_WIDTH);
        else
            memcpy(to, from, 4 * (size_t)tile->width);
}

static uint8_t *in_image(const tide_tile *tile)
{
    const tide_image *image = tile->rasterizer->image;
    return image->pixels + 4 * ((size_t)tile->y * image->width + (size_t)tile->x);
}

bool tide_raster_recall(const tide_tile *tile)
{
    const tide_raster_bare *bare = &tile->rasterizer->bare;
    const size_t number = number_of(tile);
    if (!bare->drawn[number])
        return false;
    copy_rows(tile, in_image(tile), 4 * (size_t)tile->rasterizer->image->width, bare->pixels + TILE_BYTES * number,
              4 * TIDE_TILE_WIDTH);
    return true;
}

void tide_raster_keep(const tide_tile *tile)
{
    const tide_raster_bare *bare = &tile->rasterizer->bare;
    const size_t number = number_of(tile);
    copy_rows(tile, bare->pixels + TILE_BYTES * number, 4 * TIDE_TILE_WIDTH, in_image(tile),
              4 * (size_t)tile->rasterizer->image->width);
    bare->drawn[number] = 1;
}
