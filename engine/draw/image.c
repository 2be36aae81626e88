#define _POSIX_C_SOURCE 200809L
#include "draw/image.h"

#include "base/memory.h"
#include "base/output_file.h"

#include <errno.h>
#include <png.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

tide_status tide_image_resize(tide_image *image, uint32_t width, uint32_t height, tide_error *error)
{
    if (width < 1 || width > TIDE_IMAGE_MAX_SIDE || height < 1 || height > TIDE_IMAGE_MAX_SIDE) {
        char value[48];
        snprintf(value, sizeof value, "%lux%lu", (unsigned long)width, (unsigned long)height);
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "picture", "size", value, "expected 1x1 to %dx%d pixels",
                         TIDE_IMAGE_MAX_SIDE, TIDE_IMAGE_MAX_SIDE);
    }
    if (!tide_grow(&image->pixels, &image->capacity, 4 * (size_t)width * height, 1))
        return tide_fail_memory(error, "picture");
    image->width = width;
    image->height = height;
    return TIDE_OK;
}

void tide_image_free(tide_image *image)
{
    tide_free(image->pixels);
    *image = (tide_image) { 0 };
}

// Returns the pixels without alpha if all are opaque, otherwise NULL; *failed: no memory.
static uint8_t *opaque_pixels(const tide_image *image, bool *failed)
{
    size_t count = (size_t)image->width * image->height;
    *failed = false;
    for (size_t i = 0; i < count; i++)
        if (image->pixels[4 * i + 3] != 255)
            return NULL;
    uint8_t *rgb = tide_allocate_array(count, 3);
    *failed = !rgb;
    for (size_t i = 0; i < count && rgb; i++)
        memcpy(rgb + 3 * i, image->pixels + 4 * i, 3);
    return rgb;
}

static tide_status write_file(const tide_image *image, const uint8_t *rgb, const char *path, tide_error *error)
{
    tide_output *output;
    TIDE_TRY(tide_output_open(path, path, TIDE_OUTPUT_ANY, &output, error));
    png_image header = { .version = PNG_IMAGE_VERSION,
                         .width = image->width,
                         .height = image->height,
                         .format = rgb ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA,
                         .flags = PNG_IMAGE_FLAG_FAST };
    errno = 0;
    if (png_image_write_to_stdio(&header, tide_output_stream(output), 0, rgb ? rgb : image->pixels, 0, NULL))
        return tide_output_close(output, error);
    int reason = errno;
    tide_output_discard(output);
    return tide_fail(error, TIDE_ERROR_FILE, path, NULL, NULL, "cannot write the picture: %s",
                     reason ? strerror(reason) : header.message);
}

tide_status tide_image_write_png(const tide_image *image, const char *path, tide_error *error)
{
    if (!image->width || !image->height || !image->pixels)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, path, NULL, NULL, "the picture is empty; draw something first");
    bool failed;
    TIDE_SCOPED uint8_t *rgb = opaque_pixels(image, &failed);
    return failed ? tide_fail_memory(error, path) : write_file(image, rgb, path, error);
}

static tide_status read_pixels(tide_image *image, png_image *header, const char *path, uint32_t most_width,
                               uint32_t most_height, tide_error *error)
{
    header->format = PNG_FORMAT_RGBA;
    if (header->width > most_width || header->height > most_height)
        return tide_fail(error, TIDE_ERROR_FILE, path, NULL, NULL,
                         "the picture has %lux%lu pixels; expected at most %lux%lu", (unsigned long)header->width,
                         (unsigned long)header->height, (unsigned long)most_width, (unsigned long)most_height);
    tide_status status = tide_image_resize(image, header->width, header->height, error);
    if (status == TIDE_OK && !png_image_finish_read(header, NULL, image->pixels, 0, NULL))
        status = tide_fail(error, TIDE_ERROR_FILE, path, NULL, NULL, "cannot read the picture: %s", header->message);
    return status;
}

tide_status tide_image_read_png(tide_image *image, const char *path, uint32_t most_width, uint32_t most_height,
                                tide_error *error)
{
    TIDE_SCOPED_BY(png_image_free) png_image header = { .version = PNG_IMAGE_VERSION };
    tide_status status;
    if (png_image_begin_read_from_file(&header, path))
        status = read_pixels(image, &header, path, most_width, most_height, error);
    else
        status = tide_fail(error, TIDE_ERROR_FILE, path, NULL, NULL, "cannot read the picture: %s", header.message);
    return status;
}
