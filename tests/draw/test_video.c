#define _POSIX_C_SOURCE 200809L
#include "draw/video.h"

#include "linear/failing.h"
#include "tests.h"

#include "output_checks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A program of the name ffmpeg in a folder that PATH names first; the file is the last of its words, after "file:". A
// video is then the bytes that the program was given.
static char *path_before;
static char whole[400]; // the path that path_of gave last

static void stand_in(const char *body)
{
    char folder[200], path[300], search[4096];
    snprintf(folder, sizeof folder, "%s/bin", tide_test_folder());
    snprintf(path, sizeof path, "%s/ffmpeg", folder);
    mkdir(folder, 0777);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\nfor word; do :; done\nfile=${word#file:}\n%s\n", body);
    fclose(file);
    chmod(path, 0755);
    snprintf(search, sizeof search, "%s:%s", folder, path_before);
    setenv("PATH", search, 1);
}

static int remember_path(void **state)
{
    (void)state;
    path_before = strdup(getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin");
    return path_before ? 0 : -1;
}

static int restore_path(void **state)
{
    (void)state;
    setenv("PATH", path_before, 1);
    free(path_before);
    return 0;
}

static const char *path_of(const char *name)
{
    static char path[300];
    snprintf(path, sizeof path, "%s/%s", tide_test_folder(), name);
    snprintf(whole, sizeof whole, "%s", path);
    remove(path);
    return path;
}

static void paint(tide_image *image, uint32_t width, uint32_t height, uint8_t number)
{
    tide_error error;
    assert_ok(tide_image_resize(image, width, height, &error), error);
    for (size_t i = 0; i < 4 * (size_t)width * height; i++)
        image->pixels[i] = i % 4 == 3 ? 255 : (uint8_t)(number + i);
}

static uint8_t *read_all(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    uint8_t *bytes = malloc(1 << 24);
    assert_non_null(bytes);
    *size = fread(bytes, 1, 1 << 24, file);
    fclose(file);
    return bytes;
}

static void test_rate(void **state)
{
    (void)state;
    assert_near(tide_video_rate(1 / 30.0, 60), 30, 1e-12);
    assert_near(tide_video_rate(1 / 60.0, 60), 60, 1e-12);
    assert_near(tide_video_rate(1 / 60.0, 30), 30, 1e-12);
    assert_near(tide_video_rate(1 / 240.0, 60), 60, 1e-12);
    assert_near(tide_video_rate(0.01, 60), 50, 1e-12);
    assert_near(tide_video_rate(0.1, 60), 10, 1e-12);
    assert_near(tide_video_rate(0.001, 60), 1000.0 / 17, 1e-9);
    assert_near(tide_video_most("a.mp4"), 60, 0);
    assert_near(tide_video_most("a.gif"), 30, 0);
}

static void test_names(void **state)
{
    (void)state;
    static const char *const good[] = { "a.mp4", "a.mkv", "a.mov", "a.webm", "a.avi", "a.gif", "x/a.apng", "-.webp" };
    static const char *const bad[] = {
        "", "a", "mp4", ".mp4", "a/.mp4", "a.MP4", "a.mp4 ", "a.png", "a.mpg", "a.mp4/"
    };
    tide_error error;
    tide_video *video;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_ok(tide_video_check("x", "y", good[i], &error), error);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_fails(tide_video_check("x", "--y", bad[i], &error), error,
                     "expected a name that ends in .mp4, .mkv, .mov, .webm, .avi, .gif, .apng or .webp");
        assert_fails(tide_video_open(bad[i], 30, &video, &error), error, "expected a name");
    }
    assert_fails(tide_video_open("/nonexistent/a.mp4", 30, &video, &error), error,
                 "/nonexistent/a.mp4: cannot be written: No such file");
    assert_fails(tide_video_open("a.mp4", 0, &video, &error), error, "more than 0 pictures per second");
    assert_fails(tide_video_open("a.mp4", NAN, &video, &error), error, "more than 0 pictures per second");
    char folder[300];
    snprintf(folder, sizeof folder, "%s/folder.mp4", tide_test_folder());
    mkdir(folder, 0777);
    assert_fails(tide_video_open(folder, 30, &video, &error), error, "a folder has this name");
}

static void test_bytes(void **state)
{
    (void)state;
    tide_error error;
    tide_video *video;
    tide_image image = { 0 };
    bool done;
    size_t size, frame = 4 * 400 * 300, words;
    char part[640];
    stand_in("printf '%s\\n' \"$@\" >\"$file.words\"; exec cat >\"$file\"");
    const char *path = path_of("hostile $(x) -i 'a;%d\n.mp4");
    assert_ok(tide_video_open(path, 30, &video, &error), error);
    assert_int_equal(unfinished_files(whole, part), 1);
    for (uint8_t i = 0; i < 10; i++) {
        paint(&image, 400, 300, i);
        assert_ok(tide_video_add(video, &image, i == 4 ? 3 : 1, &error), error);
        assert_int_not_equal(access(path, F_OK), 0);
    }
    assert_ok(tide_video_finish(video, INFINITY, &done, &error), error);
    assert_true(done);
    assert_int_equal(unfinished_files(whole, NULL), 0);
    tide_video_facts facts = tide_video_get_facts(video);
    assert_int_equal(facts.pictures, 12);
    assert_near(facts.seconds, 0.4, 1e-12);
    assert_false(facts.pngs);
    assert_string_equal(facts.name, path);
    tide_video_free(video);
    uint8_t *bytes = read_all(path, &size);
    assert_int_equal(size, 12 * frame);
    for (size_t i = 0; i < 12; i++) {
        paint(&image, 400, 300, (uint8_t)(i < 4 ? i : i < 7 ? 4 : i - 2));
        assert_memory_equal(bytes + i * frame, image.pixels, frame);
    }
    free(bytes);
    snprintf(part + strlen(part), 10, ".words");
    bytes = read_all(part, &words);
    bytes[words] = '\0';
    assert_non_null(
        strstr((char *)bytes, "-f\nrawvideo\n-pixel_format\nrgba\n-video_size\n400x300\n-framerate\n30/1\n"));
    assert_non_null(strstr((char *)bytes, "\n-vf\npad=ceil(iw/2)*2:ceil(ih/2)*2,"));
    assert_non_null(strstr((char *)bytes, "\n-f\nmp4\nfile:"));
    free(bytes);
    tide_image_free(&image);
}

static bool is_black(const uint8_t *pixel)
{
    return pixel[0] == 0 && pixel[1] == 0 && pixel[2] == 0 && pixel[3] == 255;
}

// Another size is made to fit: here half as large, with black above and below.
static void test_another_size(void **state)
{
    (void)state;
    tide_error error;
    tide_video *video;
    tide_image image = { 0 };
    bool done;
    size_t size, frame = 4 * 40 * 30;
    stand_in("exec cat >\"$file\"");
    const char *path = path_of("sizes.mkv");
    assert_ok(tide_video_open(path, 25, &video, &error), error);
    paint(&image, 40, 30, 0);
    assert_ok(tide_video_add(video, &image, 1, &error), error);
    assert_ok(tide_image_resize(&image, 80, 40, &error), error);
    for (size_t i = 0; i < 80 * 40; i++)
        memcpy(image.pixels + 4 * i, (uint8_t[]) { (uint8_t)(i % 80 * 3), 77, (uint8_t)(i / 80 * 6), 255 }, 4);
    assert_ok(tide_video_add(video, &image, 1, &error), error);
    paint(&image, 1, 1, 9);
    assert_ok(tide_video_add(video, &image, 1, &error), error);
    assert_ok(tide_video_finish(video, INFINITY, &done, &error), error);
    assert_int_equal(tide_video_get_facts(video).width, 40);
    tide_video_free(video);
    uint8_t *bytes = read_all(path, &size);
    assert_int_equal(size, 3 * frame);
    for (uint32_t y = 0; y < 30; y++)
        for (uint32_t x = 0; x < 40; x++) {
            const uint8_t *pixel = bytes + frame + 4 * (40 * y + x);
            if (y < 5 || y >= 25) {
                assert_true(is_black(pixel));
                continue;
            }
            assert_near(pixel[0], 3 * (2 * x + 0.5), 1);
            assert_int_equal(pixel[1], 77);
            assert_near(pixel[2], 6 * (2 * (y - 5) + 0.5), 1);
            assert_int_equal(pixel[3], 255);
        }
    const uint8_t *corner = bytes + 2 * frame, *middle = corner + 4 * (40 * 15 + 20);
    assert_true(is_black(corner));
    assert_memory_equal(middle, image.pixels, 4);
    free(bytes);
    tide_image_free(&image);
}

static tide_status add_many(tide_video *video, tide_error *error)
{
    tide_image image = { 0 };
    tide_status status = TIDE_OK;
    paint(&image, 640, 360, 1);
    for (int i = 0; i < 5 && status == TIDE_OK; i++) // more than a pipe holds
        status = tide_video_add(video, &image, 1, error);
    tide_image_free(&image);
    return status;
}

static void check_failing(const char *body, const char *message)
{
    tide_error error;
    tide_video *video;
    bool done;
    stand_in(body);
    const char *path = path_of("failing.mp4");
    assert_ok(tide_video_open(path, 30, &video, &error), error);
    tide_status status = add_many(video, &error);
    if (status == TIDE_OK)
        status = tide_video_finish(video, INFINITY, &done, &error);
    assert_fails(status, error, message);
    assert_int_equal(error.status, TIDE_ERROR_FILE);
    tide_video_free(video);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(unfinished_files(whole, NULL), 0);
}

static void test_failures(void **state)
{
    (void)state;
    check_failing("echo 'Unknown encoder' >&2; echo 'What now?' >&2; exit 3",
                  "failing.mp4: ffmpeg ended with status 3: Unknown encoder; What now?");
    check_failing("cat >\"$file\"; echo 'No space left' >&2; exit 1", "ffmpeg ended with status 1: No space left");
    check_failing("head -c 1000 >/dev/null; kill -9 $$", "ffmpeg ended by signal 9");
    // It says more than a pipe holds, and is not read meanwhile.
    check_failing("head -c 300000 >/dev/null; yes 'a line of words' | head -c 3000000 >&2; echo last >&2; exit 4",
                  "a line of words; a line of words; last");
    // It closes its input and stays.
    check_failing("exec 0<&-; sleep 100000", "ffmpeg takes no more pictures");
    // It says it succeeded, but its file is gone.
    check_failing("cat >/dev/null; rm \"$file\"", "failing.mp4: cannot be written: No such file");
}

static void test_waiting(void **state)
{
    (void)state;
    tide_error error;
    tide_video *video;
    bool done;
    stand_in("cat >\"$file\"; sleep 0.3");
    const char *path = path_of("slow.mp4");
    assert_ok(tide_video_open(path, 30, &video, &error), error);
    assert_ok(add_many(video, &error), error);
    assert_ok(tide_video_finish(video, 0, &done, &error), error);
    assert_false(done);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_ok(tide_video_finish(video, 60, &done, &error), error);
    assert_true(done);
    assert_int_equal(access(path, F_OK), 0);
    assert_ok(tide_video_finish(video, 0, &done, &error), error); // and stays done
    assert_true(done);
    tide_video_free(video);
}

static void test_left_alone(void **state)
{
    (void)state;
    tide_error error;
    tide_video *video;
    bool done;
    stand_in("exec cat >\"$file\"");
    const char *path = path_of("left.mp4");
    FILE *old = fopen(path, "w");
    fputs("an older one", old);
    fclose(old);
    // If the video is freed before it is finished, the old file stays.
    assert_ok(tide_video_open(path, 30, &video, &error), error);
    assert_ok(add_many(video, &error), error);
    tide_video_free(video);
    assert_int_equal(unfinished_files(whole, NULL), 0);
    // Finished without a picture: likewise.
    assert_ok(tide_video_open(path, 30, &video, &error), error);
    assert_ok(tide_video_finish(video, INFINITY, &done, &error), error);
    assert_true(done);
    tide_video_free(video);
    assert_int_equal(unfinished_files(whole, NULL), 0);
    size_t size;
    uint8_t *bytes = read_all(path, &size);
    assert_int_equal(size, strlen("an older one"));
    free(bytes);
}

static void test_without_ffmpeg(void **state)
{
    (void)state;
    tide_error error;
    tide_video *video;
    tide_image image = { 0 };
    bool done;
    static const char *const searches[] = { "", "/nonexistent", "/nonexistent:/etc/passwd" };
    for (size_t i = 0; i < sizeof searches / sizeof *searches; i++) {
        char name[32], first[300], last[300];
        snprintf(name, sizeof name, "%%d-%zu.webm", i); // nothing of a name is a format
        setenv("PATH", searches[i], 1);
        const char *path = path_of(name);
        snprintf(first, sizeof first, "%s/%%d-%zu-00001.png", tide_test_folder(), i);
        snprintf(last, sizeof last, "%s/%%d-%zu-00005.png", tide_test_folder(), i);
        remove(last);
        assert_ok(tide_video_open(path, 30, &video, &error), error);
        for (uint8_t k = 0; k < 4; k++) {
            paint(&image, 20 + k, 10, k);
            assert_ok(tide_video_add(video, &image, 1 + (k == 3), &error), error);
        }
        tide_video_facts facts = tide_video_get_facts(video);
        assert_true(facts.pngs);
        assert_int_equal(facts.pictures, 5);
        assert_string_equal(facts.name, first);
        assert_string_equal(facts.last, last);
        assert_ok(tide_video_finish(video, INFINITY, &done, &error), error);
        assert_true(done);
        tide_video_free(video);
        assert_int_equal(access(first, F_OK), 0);
        assert_int_equal(access(last, F_OK), 0);
        assert_int_not_equal(access(path, F_OK), 0);
        assert_int_equal(unfinished_files(whole, NULL), 0);
    }
    tide_image_free(&image);
}

static tide_status open_one(void *context, tide_error *error)
{
    tide_video *video;
    tide_status status = tide_video_open(context, 30, &video, error);
    if (status == TIDE_OK)
        tide_video_free(video);
    return status;
}

static void test_memory_fails(void **state)
{
    (void)state;
    char path[300];
    snprintf(path, sizeof path, "%s", path_of("memory.mp4"));
    assert_true(fail_each_allocation(open_one, path) >= 4);
    assert_int_equal(unfinished_files(whole, NULL), 0);
    tide_video_free(NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_rate),
    cmocka_unit_test(test_names),
    cmocka_unit_test_setup_teardown(test_bytes, remember_path, restore_path),
    cmocka_unit_test_setup_teardown(test_another_size, remember_path, restore_path),
    cmocka_unit_test_setup_teardown(test_failures, remember_path, restore_path),
    cmocka_unit_test_setup_teardown(test_waiting, remember_path, restore_path),
    cmocka_unit_test_setup_teardown(test_left_alone, remember_path, restore_path),
    cmocka_unit_test_setup_teardown(test_without_ffmpeg, remember_path, restore_path),
    cmocka_unit_test(test_memory_fails),
};
TIDE_TEST_SUITE(draw_video, tests)
