#define _POSIX_C_SOURCE 200809L
#include "draw/image.h"

#include "base/memory.h"

#include <errno.h>
#include <png.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

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

static tide_status fail_file(tide_error *error, const char *path, const char *what, const char *reason)
{
    return tide_fail(error, TIDE_ERROR_FILE, path, NULL, NULL, "%s: %s", what, reason);
}

// The pixels without alpha where all are opaque, else NULL; *failed when there is no memory.
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

static tide_status write_file(const tide_image *image, const uint8_t *rgb, const char *path, const char *temporary,
                              tide_error *error)
{
    FILE *file = fopen(temporary, "wb");
    if (!file)
        return fail_file(error, path, "cannot create the picture", strerror(errno));
    png_image header = { .version = PNG_IMAGE_VERSION,
                         .width = image->width,
                         .height = image->height,
                         .format = rgb ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA,
                         .flags = PNG_IMAGE_FLAG_FAST };
    errno = 0;
    int written = png_image_write_to_stdio(&header, file, 0, rgb ? rgb : image->pixels, 0, NULL);
    int reason = errno;
    bool closed = fclose(file) == 0;
    if (!written)
        fail_file(error, path, "cannot write the picture", reason ? strerror(reason) : header.message);
    else if (!closed)
        fail_file(error, path, "cannot write the picture", strerror(errno));
    else if (rename(temporary, path) != 0)
        fail_file(error, path, "cannot write the picture", strerror(errno));
    else
        return TIDE_OK;
    remove(temporary);
    return TIDE_ERROR_FILE;
}

tide_status tide_image_write_png(const tide_image *image, const char *path, tide_error *error)
{
    if (!image->width || !image->height || !image->pixels)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, path, NULL, NULL, "the picture is empty; draw something first");
    bool failed;
    uint8_t *rgb = opaque_pixels(image, &failed);
    size_t length = strlen(path);
    char *temporary = failed ? NULL : tide_allocate(length + sizeof ".part");
    tide_status status;
    if (!temporary)
        status = tide_fail_memory(error, path);
    else {
        memcpy(temporary, path, length);
        memcpy(temporary + length, ".part", sizeof ".part");
        status = write_file(image, rgb, path, temporary, error);
    }
    tide_free(temporary);
    tide_free(rgb);
    return status;
}

// --- numbered sequences -----------------------------------------------------------------------------------------

static tide_status fail_pattern(tide_error *error, const char *pattern)
{
    return tide_fail(error, TIDE_ERROR_ARGUMENT, "picture sequence", "pattern", pattern,
                     "expected a path with one frame number, such as out/%%04d.png (%%%% for a percent sign)");
}

// Reads "%d" or "%04d" at `at`: how many characters it has, 0 when it is something else.
static size_t read_placeholder(const char *at, int *width, bool *zeros)
{
    size_t i = 1;
    *width = 0;
    *zeros = at[i] == '0';
    while (at[i] >= '0' && at[i] <= '9' && *width < 100)
        *width = 10 * *width + (at[i++] - '0');
    return at[i] == 'd' && *width <= 20 ? i + 1 : 0;
}

tide_status tide_image_sequence_path(const char *pattern, uint64_t frame, char *path, size_t size, tide_error *error)
{
    size_t used = 0, placeholders = 0;
    for (const char *at = pattern; *at;) {
        char piece[32] = { *at, '\0' };
        size_t taken = 1;
        if (*at == '%' && at[1] == '%')
            taken = 2;
        else if (*at == '%') {
            int width;
            bool zeros;
            taken = read_placeholder(at, &width, &zeros);
            if (!taken || placeholders++)
                return fail_pattern(error, pattern);
            snprintf(piece, sizeof piece, zeros ? "%0*llu" : "%*llu", width, (unsigned long long)frame);
        }
        at += taken;
        size_t length = strlen(piece);
        if (used + length + 1 > size)
            return tide_fail(error, TIDE_ERROR_ARGUMENT, "picture sequence", "pattern", pattern,
                             "the path is longer than %zu characters; use a shorter one", size - 1);
        memcpy(path + used, piece, length);
        used += length;
    }
    if (placeholders != 1 || used == 0)
        return fail_pattern(error, pattern);
    path[used] = '\0';
    return TIDE_OK;
}

tide_status tide_make_parent_folder(const char *path, tide_error *error)
{
    char *folder = tide_copy_string(path);
    if (!folder)
        return tide_fail_memory(error, path);
    tide_status status = TIDE_OK;
    for (char *at = folder; *at && !status; at++) {
        if (*at != '/' || at == folder)
            continue;
        *at = '\0';
        struct stat found;
        if (mkdir(folder, 0777) != 0 && !(stat(folder, &found) == 0 && S_ISDIR(found.st_mode)))
            status = fail_file(error, folder, "cannot make the folder", strerror(errno == EEXIST ? ENOTDIR : errno));
        *at = '/';
    }
    tide_free(folder);
    return status;
}
