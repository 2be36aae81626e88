#include "draw/replay_buffer.h"

#include "base/memory.h"
#include "linear/failing.h"
#include "tests.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A picture to be told from others: noise, a gradient, or the one before with a patch of something else.
static void paint(tide_image *image, uint32_t width, uint32_t height, uint32_t number)
{
    tide_error error;
    uint32_t kind = number % 4;
    bool other_size = image->width != width || image->height != height;
    assert_ok(tide_image_resize(image, width, height, &error), error);
    if (kind == 3 && !other_size) {
        for (uint32_t y = height / 3; y < (height + 1) / 2; y++)
            for (uint32_t x = width / 4; x < (width + 1) / 2; x++)
                image->pixels[4 * ((size_t)y * width + x) + number % 3] = (uint8_t)(number * 40 + x);
        return;
    }
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            uint8_t *pixel = image->pixels + 4 * ((size_t)y * width + x);
            for (uint32_t c = 0; c < 3; c++)
                pixel[c] = kind == 0   ? (uint8_t)rand()
                           : kind == 1 ? (uint8_t)(y * (c + 1) / 5 + number)     // steps of 0 and 1
                                       : (uint8_t)(x * 7 + y * 5 + (x * y) % 9); // of up to 13
            pixel[3] = 255;
        }
}

typedef struct kept {
    uint32_t width, height;
    uint8_t *pixels;
    double time;
} kept;

static kept copy_of(const tide_image *image, double time)
{
    kept copy = { image->width, image->height, malloc(4 * (size_t)image->width * image->height), time };
    assert_non_null(copy.pixels);
    memcpy(copy.pixels, image->pixels, 4 * (size_t)image->width * image->height);
    return copy;
}

// Takes all pictures out of the replay buffer; they are the last ones of those that were added.
static void check_all(tide_replay_buffer *buffer, const kept *added, uint32_t count)
{
    tide_error error;
    const tide_image *image;
    double time;
    uint64_t left = tide_replay_buffer_get_facts(buffer).count;
    assert_in_range(left, 0, count);
    for (const kept *expected = added + count - left; left; left--, expected++) {
        assert_near(tide_replay_buffer_get_facts(buffer).first, expected->time, 0);
        assert_ok(tide_replay_buffer_take(buffer, &image, &time, &error), error);
        assert_non_null(image);
        assert_near(time, expected->time, 0);
        assert_int_equal(image->width, expected->width);
        assert_int_equal(image->height, expected->height);
        assert_memory_equal(image->pixels, expected->pixels, 4 * (size_t)image->width * image->height);
    }
    assert_ok(tide_replay_buffer_take(buffer, &image, &time, &error), error);
    assert_null(image);
}

static void test_pictures_come_back(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = { { 1, 1 }, { 15, 3 }, { 16, 16 }, { 33, 7 }, { 128, 40 } };
    enum { COUNT = 100 };
    kept added[COUNT];
    srand(1);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int changing = 0; changing < 2; changing++) {
            tide_error error;
            tide_replay_buffer *buffer;
            tide_image image = { 0 };
            assert_ok(tide_replay_buffer_create(1e9, 1 << 28, &buffer, &error), error);
            for (uint32_t i = 0; i < COUNT; i++) {
                uint32_t grown = changing && i > 40 && i < 70 ? 5 : 0; // and back again
                paint(&image, sizes[s][0] + grown, sizes[s][1] + grown, i);
                added[i] = copy_of(&image, i * 0.5);
                assert_ok(tide_replay_buffer_add(buffer, &image, i * 0.5, &error), error);
            }
            assert_int_equal(tide_replay_buffer_get_facts(buffer).count, COUNT);
            check_all(buffer, added, COUNT);
            for (uint32_t i = 0; i < COUNT; i++)
                free(added[i].pixels);
            tide_image_free(&image);
            tide_replay_buffer_destroy(buffer);
        }
}

// Worst cases of the packing: every difference that fits into four, two or no bits, and the next one that does not.
static void test_every_difference(void **state)
{
    (void)state;
    tide_error error;
    tide_replay_buffer *buffer;
    tide_image image = { 0 };
    kept added[256];
    assert_ok(tide_replay_buffer_create(1e9, 1 << 28, &buffer, &error), error);
    for (uint32_t d = 0; d < 256; d++) {
        assert_ok(tide_image_resize(&image, 16, 4, &error), error);
        for (uint32_t i = 0; i < 64; i++)
            for (uint32_t c = 0; c < 4; c++)
                image.pixels[4 * i + c] = c == 3 ? 255 : (uint8_t)(i / 16 * d * (i % 3 == c));
        added[d] = copy_of(&image, d);
        assert_ok(tide_replay_buffer_add(buffer, &image, d, &error), error);
    }
    check_all(buffer, added, 256);
    for (uint32_t d = 0; d < 256; d++)
        free(added[d].pixels);
    tide_image_free(&image);
    tide_replay_buffer_destroy(buffer);
}

// Holds the requested duration and not much more.
static void test_time(void **state)
{
    (void)state;
    tide_error error;
    tide_replay_buffer *buffer;
    tide_image image = { 0 };
    kept added[500];
    assert_ok(tide_replay_buffer_create(2, 1 << 28, &buffer, &error), error);
    for (uint32_t i = 0; i < 500; i++) {
        double time = i / 30.0;
        paint(&image, 20, 10, i);
        added[i] = copy_of(&image, time);
        assert_ok(tide_replay_buffer_add(buffer, &image, time, &error), error);
        tide_replay_buffer_facts facts = tide_replay_buffer_get_facts(buffer);
        assert_near(facts.last, time, 0);
        assert_true(facts.first <= fmax(time - 2, 0));
        assert_true(facts.last - facts.first <= 3 + 1e-9);
    }
    check_all(buffer, added, 500);
    for (uint32_t i = 0; i < 500; i++)
        free(added[i].pixels);
    tide_image_free(&image);
    tide_replay_buffer_destroy(buffer);
}

static void test_limit(void **state)
{
    (void)state;
    tide_error error;
    tide_replay_buffer *buffer;
    tide_image image = { 0 };
    kept added[200];
    size_t before = tide_memory_count().bytes, limit = 1 << 20;
    assert_ok(tide_replay_buffer_create(1e9, limit, &buffer, &error), error);
    for (uint32_t i = 0; i < 200; i++) {
        paint(&image, 100, 50, 4 * i); // noise: a picture is 15 kB
        added[i] = copy_of(&image, i);
        assert_ok(tide_replay_buffer_add(buffer, &image, i, &error), error);
        tide_replay_buffer_facts facts = tide_replay_buffer_get_facts(buffer);
        assert_true(facts.bytes <= limit);
        assert_true(tide_memory_count().bytes - before - image.capacity <= limit + 1000);
    }
    assert_in_range(tide_replay_buffer_get_facts(buffer).count, 31, 69);
    tide_replay_buffer_set_limit(buffer, limit / 2);
    assert_true(tide_replay_buffer_get_facts(buffer).bytes <= limit / 2);
    assert_true(tide_replay_buffer_get_facts(buffer).count > 0);
    check_all(buffer, added, 200);
    tide_replay_buffer_destroy(buffer);
    // If not even one picture fits, the buffer is empty.
    assert_ok(tide_replay_buffer_create(1e9, 1000, &buffer, &error), error);
    assert_ok(tide_replay_buffer_add(buffer, &image, 0, &error), error);
    assert_int_equal(tide_replay_buffer_get_facts(buffer).count, 0);
    tide_replay_buffer_set_limit(buffer, limit);
    assert_ok(tide_replay_buffer_add(buffer, &image, 1, &error), error);
    added[199].time = 1;
    assert_int_equal(tide_replay_buffer_get_facts(buffer).count, 1);
    check_all(buffer, added, 200);
    tide_replay_buffer_destroy(buffer);
    for (uint32_t i = 0; i < 200; i++)
        free(added[i].pixels);
    tide_image_free(&image);
}

// Unchanged pictures need almost no memory.
static void test_a_still_picture_is_small(void **state)
{
    (void)state;
    tide_error error;
    tide_replay_buffer *buffer;
    tide_image image = { 0 };
    assert_ok(tide_replay_buffer_create(1e9, 1 << 28, &buffer, &error), error);
    paint(&image, 320, 180, 0);
    for (uint32_t i = 0; i < 29; i++)
        assert_ok(tide_replay_buffer_add(buffer, &image, i, &error), error);
    size_t working = 2 * 4 * 320 * 180;
    assert_true(tide_replay_buffer_get_facts(buffer).bytes <
                working + 3 * 320 * 180 + 29 * (320 / 16 + 1) * 180 + 10000);
    tide_replay_buffer_destroy(buffer);
    tide_image_free(&image);
}

static tide_status add_two(void *context, tide_error *error)
{
    tide_replay_buffer *buffer;
    tide_status status = tide_replay_buffer_create(1, 1 << 28, &buffer, error);
    if (status != TIDE_OK)
        return status;
    status = tide_replay_buffer_add(buffer, context, 0, error);
    if (status == TIDE_OK)
        status = tide_replay_buffer_add(buffer, context, 1, error);
    tide_replay_buffer_destroy(buffer);
    return status;
}

static void test_memory_fails(void **state)
{
    (void)state;
    tide_error error;
    tide_image image = { 0 }, other = { 0 };
    paint(&image, 40, 30, 0);
    assert_true(fail_each_allocation(add_two, &image) >= 4);
    // A picture that was lost is not built upon.
    tide_replay_buffer *buffer;
    assert_ok(tide_replay_buffer_create(1e9, 1 << 28, &buffer, &error), error);
    assert_ok(tide_replay_buffer_add(buffer, &image, 0, &error), error);
    kept added[2] = { copy_of(&image, 0) };
    paint(&other, 40, 30, 4);
    failing_allocation failing = { .left = 0 };
    tide_memory_set_failure_hook(fail_in_turn, &failing);
    tide_status status = tide_replay_buffer_add(buffer, &other, 1, &error);
    tide_memory_set_failure_hook(NULL, NULL);
    assert_int_equal(status, TIDE_ERROR_MEMORY);
    assert_ok(tide_replay_buffer_add(buffer, &other, 2, &error), error);
    added[1] = copy_of(&other, 2);
    check_all(buffer, added, 2);
    assert_fails(tide_replay_buffer_add(buffer, &(tide_image) { 0 }, 3, &error), error, "the picture is empty");
    assert_fails(tide_replay_buffer_create(NAN, 1, &buffer, &error), error, "buffer: seconds: expected 0 or more");
    tide_replay_buffer_destroy(buffer);
    tide_image_free(&image);
    tide_image_free(&other);
    free(added[0].pixels);
    free(added[1].pixels);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_pictures_come_back),
    cmocka_unit_test(test_every_difference),
    cmocka_unit_test(test_time),
    cmocka_unit_test(test_limit),
    cmocka_unit_test(test_a_still_picture_is_small),
    cmocka_unit_test(test_memory_fails),
};
TIDE_TEST_SUITE(draw_buffer, tests)
