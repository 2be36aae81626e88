#include "draw/rasterizer.h"

#include "base/memory.h"
#include "draw/raster_kernels.h"

tide_status tide_rasterizer_create(tide_rasterizer **rasterizer, tide_error *error)
{
    tide_rasterizer *made = tide_allocate_zeroed(1, sizeof *made);
    if (!made)
        return tide_fail_memory(error, "rasterizer");
    made->kernels = tide_raster_kernels_choose(0);
    *rasterizer = made;
    return TIDE_OK;
}

void tide_rasterizer_destroy(tide_rasterizer *rasterizer)
{
    tide_free(rasterizer);
}

tide_raster_cost tide_rasterizer_cost(const tide_rasterizer *rasterizer)
{
    return rasterizer->cost;
}

tide_status tide_rasterizer_draw(tide_rasterizer *rasterizer, const tide_draw_list *list, tide_image *image,
                                 tide_error *error)
{
    if (!image->width || !image->height || !image->pixels)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "picture", "size", "0x0", "give the image a size first");
    rasterizer->list = list;
    rasterizer->image = image;
    if (tide_raster_repeat(rasterizer))
        return TIDE_OK;
    TIDE_TRY(tide_raster_set_up(rasterizer, error));
    TIDE_TRY(tide_shadow_cast(rasterizer, error));
    TIDE_TRY(tide_openness_draw(rasterizer, error));
    TIDE_TRY(tide_raster_bin(rasterizer, error));
    tide_raster_bare_begin(rasterizer);
    tide_raster_tiles(rasterizer);
    TIDE_TRY(tide_raster_labels(rasterizer, error));
    tide_raster_keep_picture(rasterizer);
    return TIDE_OK;
}
