#define _POSIX_C_SOURCE 200809L
#include "draw/scene.h"

#include "base/memory.h"
#include "linear/failing.h"
#include "output_checks.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void make(tide_image *image, uint32_t width, uint32_t height, bool opaque)
{
    tide_error error;
    assert_ok(tide_image_resize(image, width, height, &error), error);
    for (size_t i = 0; i < 4 * (size_t)width * height; i++)
        image->pixels[i] = opaque && i % 4 == 3 ? 255 : (uint8_t)(i * 37 + i / 100);
}

static void path_of(char *path, size_t size, const char *name)
{
    snprintf(path, size, "%s/%s", tide_test_folder(), name);
}

static void check_round_trip(bool opaque)
{
    tide_error error;
    tide_image image = { 0 };
    char path[256];
    path_of(path, sizeof path, "round-trip.png");
    make(&image, 33, 17, opaque);
    assert_ok(tide_image_write_png(&image, path, &error), error);
    assert_int_equal(unfinished_files(path, NULL), 0);
    png_image file = { .version = PNG_IMAGE_VERSION };
    assert_true(png_image_begin_read_from_file(&file, path));
    assert_int_equal(file.width, 33);
    assert_int_equal(file.height, 17);
    assert_int_equal((file.format & PNG_FORMAT_FLAG_ALPHA) != 0, !opaque);
    file.format = PNG_FORMAT_RGBA;
    uint8_t *pixels = malloc(PNG_IMAGE_SIZE(file));
    assert_true(png_image_finish_read(&file, NULL, pixels, 0, NULL));
    assert_memory_equal(pixels, image.pixels, 4 * 33 * 17);
    tide_image read = { 0 };
    assert_ok(tide_image_read_png(&read, path, 33, 17, &error), error);
    assert_int_equal(read.width, 33);
    assert_int_equal(read.height, 17);
    assert_memory_equal(pixels, read.pixels, 4 * 33 * 17);
    free(pixels);
    tide_image_free(&read);
    tide_image_free(&image);
}

static void test_png_round_trip(void **state)
{
    (void)state;
    check_round_trip(true);
    check_round_trip(false);
}

static void test_read_errors(void **state)
{
    (void)state;
    tide_error error;
    tide_image image = { 0 }, read = { 0 };
    char path[256], part[256];
    path_of(path, sizeof path, "read.png");
    path_of(part, sizeof part, "part.png");
    make(&image, 33, 17, true);
    assert_ok(tide_image_write_png(&image, path, &error), error);
    assert_int_equal(tide_image_read_png(&read, path, 32, 17, &error), TIDE_ERROR_FILE);
    assert_non_null(strstr(error.remedy, "33x17 pixels"));
    FILE *from = fopen(path, "rb"), *to = fopen(part, "wb");
    for (int i = 0; i < 200; i++)
        fputc(fgetc(from), to);
    fclose(from);
    fclose(to);
    assert_int_equal(tide_image_read_png(&read, part, 33, 17, &error), TIDE_ERROR_FILE);
    path_of(part, sizeof part, "none.png");
    assert_int_equal(tide_image_read_png(&read, part, 33, 17, &error), TIDE_ERROR_FILE);
    tide_image_free(&image);
    tide_image_free(&read);
}

static void test_write_errors(void **state)
{
    (void)state;
    tide_error error;
    tide_image image = { 0 };
    assert_fails(tide_image_write_png(&image, "empty.png", &error), error, "empty.png: the picture is empty");
    make(&image, 4, 4, true);
    assert_fails(tide_image_write_png(&image, "/nonexistent-folder/a.png", &error), error,
                 "/nonexistent-folder/a.png: cannot be written: No such file or directory");
    char folder[256];
    path_of(folder, sizeof folder, "a-folder.png");
    mkdir(folder, 0777);
    assert_fails(tide_image_write_png(&image, folder, &error), error, "a folder has this name");
    assert_int_equal(error.status, TIDE_ERROR_FILE);
    char full[256];
    path_of(full, sizeof full, "full.png");
    unlink(full);
    struct rlimit before = limit_file_size(10);
    tide_status status = tide_image_write_png(&image, full, &error);
    restore_file_size(before);
    assert_fails(status, error, "cannot be written: File too large");
    assert_int_not_equal(access(full, F_OK), 0);
    assert_int_equal(unfinished_files(full, NULL), 0);
    tide_image_free(&image);
}

static void test_resize(void **state)
{
    (void)state;
    tide_error error;
    tide_image image = { 0 };
    assert_fails(tide_image_resize(&image, 0, 5, &error), error, "picture: size = 0x5: expected 1x1 to 16384x16384");
    assert_fails(tide_image_resize(&image, 5, 16385, &error), error, "size = 5x16385");
    assert_ok(tide_image_resize(&image, 100, 50, &error), error);
    uint64_t before = tide_memory_count().allocations;
    assert_ok(tide_image_resize(&image, 10, 10, &error), error);
    assert_ok(tide_image_resize(&image, 50, 100, &error), error);
    assert_int_equal(tide_memory_count().allocations, before);
    tide_image_free(&image);
}

static void test_memory_fails(void **state)
{
    (void)state;
    tide_error error;
    tide_image image = { 0 };
    failing_allocation none = { .for_ever = true };
    tide_memory_set_failure_hook(fail_in_turn, &none);
    tide_status resized = tide_image_resize(&image, 4, 4, &error);
    tide_memory_set_failure_hook(NULL, NULL);
    assert_int_equal(resized, TIDE_ERROR_MEMORY);
    make(&image, 4, 4, true);
    char path[256];
    path_of(path, sizeof path, "none.png");
    uint64_t blocks = tide_memory_count().blocks;
    for (uint64_t n = 0; n < 2; n++) {
        failing_allocation failing = { .left = n, .for_ever = true };
        tide_memory_set_failure_hook(fail_in_turn, &failing);
        tide_status status = tide_image_write_png(&image, path, &error);
        tide_memory_set_failure_hook(NULL, NULL);
        assert_int_equal(status, TIDE_ERROR_MEMORY);
        assert_int_equal(tide_memory_count().blocks, blocks);
    }
    tide_image_free(&image);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_png_round_trip), cmocka_unit_test(test_read_errors),  cmocka_unit_test(test_write_errors),
    cmocka_unit_test(test_resize),         cmocka_unit_test(test_memory_fails),
};
TIDE_TEST_SUITE(draw_image, tests)
