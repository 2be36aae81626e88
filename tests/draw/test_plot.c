#define _POSIX_C_SOURCE 200809L
#include "tests.h"

#include "draw/plot.h"
#include "linear/failing.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char *path_of(const char *name, char path[512])
{
    snprintf(path, 512, "%s/%s", tide_test_folder(), name);
    return path;
}

static void write_data(const char *name, const char *content)
{
    char path[512];
    FILE *file = fopen(path_of(name, path), "w");
    assert_non_null(file);
    fputs(content, file);
    fclose(file);
}

static char *read_all(const char *name)
{
    char path[512];
    static char text[20000];
    FILE *file = fopen(path_of(name, path), "r");
    if (!file)
        return NULL;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static bool exists(const char *name)
{
    char path[512];
    struct stat info;
    return stat(path_of(name, path), &info) == 0;
}

static const char data[] = "curve,time.ms,error,low\n"
                           "a,1,0.1,0.5\na,2,0.01,1.5\n"
                           "it's,1,0.2,0.5\nit's,2,0.04,1.5\n";

static const tide_plot_curve curves[] = {
    { .title = "first", .filter_column = "curve", .filter = "a", .x = "time.ms", .y = "error" },
    { .title = "it's",
      .filter_column = "curve",
      .filter = "it's",
      .x = "1e3*$time.ms",
      .y = "sqrt($error)",
      .style = "points pointtype 7" },
    { .x = "time.ms", .y = "error", .more = { "low", "$low+1", "error", "2*$error" }, .style = "boxxyerror" },
};

static tide_plot make_plot(void)
{
    return (tide_plot) { .title = "It's a_plot",
                         .x_label = "time (ms)",
                         .y_label = "error",
                         .y_logarithmic = true,
                         .curves = curves,
                         .curve_count = 3,
                         .more = "set samples 10" };
}

static void test_script(void **state)
{
    (void)state;
    tide_error error;
    bool drawn;
    tide_plot plot = make_plot();
    write_data("plot.csv", data);
    assert_ok(tide_plot_write(&plot, tide_test_folder(), "plot", "plot.csv", &drawn, &error), error);
    const char *script = read_all("plot.gnuplot");
    assert_non_null(script);
    const char *parts[] = {
        "set title 'It''s a_plot' noenhanced",
        "set xlabel 'time (ms)'",
        "set logscale y",
        "set samples 10\n",
        "'plot.csv' using (strcol('curve') eq 'a' ? column('time.ms') : NaN):(column('error')) with linespoints "
        "title 'first'",
        "strcol('curve') eq 'it''s' ? 1e3*column('time.ms') : NaN):(sqrt(column('error'))) with points pointtype 7",
        "using (column('time.ms')):(column('error')):(column('low')):(column('low')+1):(column('error')):"
        "(2*column('error')) with boxxyerror notitle",
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (!strstr(script, parts[i]))
            fail_msg("the script has no \"%s\":\n%s", parts[i], script);
    assert_null(strstr(script, "set logscale x"));
}

static void test_axes(void **state)
{
    (void)state;
    tide_error error;
    bool drawn;
    tide_plot plot = make_plot();
    plot.x_logarithmic = true;
    plot.x_minimum = 0.3;
    plot.x_maximum = 12;
    assert_ok(tide_plot_write(&plot, tide_test_folder(), "axes", "plot.csv", &drawn, &error), error);
    const char *script = read_all("axes.gnuplot");
    assert_non_null(strstr(script, "set xrange [0.3:12]\n"));
    assert_non_null(strstr(script, "set xtics (0.5, 1, 2, 5, 10)\n"));
    assert_null(strstr(script, "yrange"));
}

// Where gnuplot is there the picture is one; otherwise there is none, and that is no failure.
static void test_picture(void **state)
{
    (void)state;
    tide_error error;
    bool drawn = false;
    tide_plot plot = make_plot();
    write_data("picture.csv", data);
    assert_ok(tide_plot_write(&plot, tide_test_folder(), "picture", "picture.csv", &drawn, &error), error);
    assert_int_equal(drawn, tide_plot_available());
    assert_int_equal(exists("picture.png"), drawn);
    assert_false(exists("picture.png.part"));
    if (drawn)
        assert_memory_equal(read_all("picture.png"), "\x89PNG", 4);
}

static void test_failures(void **state)
{
    (void)state;
    tide_error error;
    bool drawn = true;
    tide_plot plot = make_plot();
    assert_fails(tide_plot_write(&plot, "/nowhere/at/all", "plot", "plot.csv", &drawn, &error), error,
                 "/nowhere/at/all");
    assert_false(drawn);
    if (!tide_plot_available())
        return;
    assert_fails(tide_plot_write(&plot, tide_test_folder(), "lost", "lost.csv", &drawn, &error), error, "lost.png");
    assert_false(drawn);
    assert_false(exists("lost.png"));
    assert_false(exists("lost.png.part"));
}

static tide_status write_again(void *context, tide_error *error)
{
    bool drawn;
    return tide_plot_write(context, tide_test_folder(), "memory", "plot.csv", &drawn, error);
}

static void test_failing_allocations(void **state)
{
    (void)state;
    tide_plot plot = make_plot();
    write_data("plot.csv", data);
    assert_true(fail_each_allocation(write_again, &plot) > 3);
    assert_false(exists("memory.png.part"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_script),
    cmocka_unit_test(test_axes),
    cmocka_unit_test(test_picture),
    cmocka_unit_test(test_failures),
    cmocka_unit_test(test_failing_allocations),
};
TIDE_TEST_SUITE(draw_plot, tests)
