#include "tests.h"

#include "draw/gnuplot.h"
#include "output_checks.h"

#include <stdio.h>
#include <sys/stat.h>

static const char *path_of(const char *name, char path[512])
{
    snprintf(path, 512, "%s/%s", tide_test_folder(), name);
    return path;
}

static void write_file(const char *name, const char *content)
{
    char path[512];
    FILE *file = fopen(path_of(name, path), "w");
    assert_non_null(file);
    fputs(content, file);
    fclose(file);
}

static bool exists(const char *name)
{
    char path[512];
    struct stat info;
    return stat(path_of(name, path), &info) == 0;
}

static void write_script(const char *name, const char *data)
{
    char script[512];
    snprintf(script, sizeof script, "set terminal pngcairo\nset output picture\nplot '%s'\n", data);
    write_file(name, script);
}

// Where gnuplot is installed the picture is one; otherwise there is none, and that is no failure.
static void test_picture(void **state)
{
    (void)state;
    tide_error error;
    bool drawn = false;
    char path[512], bytes[4] = "";
    write_file("picture.csv", "1 1\n2 4\n");
    write_script("picture.gnuplot", "picture.csv");
    assert_ok(tide_gnuplot_draw(tide_test_folder(), "picture", &drawn, &error), error);
    assert_int_equal(drawn, tide_gnuplot_available());
    assert_int_equal(exists("picture.png"), drawn);
    assert_int_equal(unfinished_files(path_of("picture.png", path), NULL), 0);
    if (!drawn)
        return;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(bytes, 1, 4, file), 4);
    fclose(file);
    assert_memory_equal(bytes, "\x89PNG", 4);
}

static void test_failures(void **state)
{
    (void)state;
    tide_error error;
    bool drawn = true;
    char path[512];
    if (!tide_gnuplot_available())
        skip();
    assert_fails(tide_gnuplot_draw("/nowhere/at/all", "plot", &drawn, &error), error, "/nowhere/at/all");
    assert_false(drawn);
    write_script("lost.gnuplot", "lost.csv");
    assert_fails(tide_gnuplot_draw(tide_test_folder(), "lost", &drawn, &error), error, "lost.png");
    assert_false(drawn);
    assert_false(exists("lost.png"));
    assert_int_equal(unfinished_files(path_of("lost.png", path), NULL), 0);
}

static const struct CMUnitTest tests[] = { cmocka_unit_test(test_picture), cmocka_unit_test(test_failures) };
TIDE_TEST_SUITE(draw_gnuplot, tests)
